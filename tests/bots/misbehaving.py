"""A program that plays as a bot, and misbehaves as it is told: run as a child of the tests, never imported.

Where it answers, it answers with the last legal action: never the default one.
"""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator


def say(text: str) -> None:
    os.write(1, text.encode())


def hang() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
    while True:
        signal.pause()


def questions(strict: bool = False) -> Iterator[tuple[str, str]]:
    """The number of each question, and the right answer to it. Who is strict crashes at a line it does not know."""
    legal = ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "legal":
            legal = rest.split()[-1]
        elif word == "choose":
            yield rest, f"play {rest} {legal}\n"
        elif word == "quit" and "ignores quit" not in sys.argv:
            return
        elif strict and word not in ("forsale", "view", "time", "seed"):
            sys.exit(f"what is {word!r}?")


def answer(number: str, right: str, how: str) -> None:
    """In a way that is in order, or else in one that is not."""
    match how:
        case "good":
            say(right)
        case "chatty":
            say(f"info thinking about {number}\n\nplaying\nPLAY {number} 1\n{right}info done\n")
        case "carriage returns":
            say(right.replace("\n", "\r\n"))
        case "in pieces":
            for letter in right:
                say(letter)
        case "twice":
            say(right)
            say(f"play {number} 999\n")
        case "binary first":
            os.write(1, bytes(range(256)) * 20 + b"\n")
            say(right)
        case "complains a lot":
            os.write(2, b"x" * 2**20 + b"\nthe end of it\n")
            say(right)
        case _:
            answer_illegally(number, right, how)


def answer_illegally(number: str, right: str, how: str) -> None:
    match how:
        case "illegal":
            say(f"play {number} 999\n")
        case "no action":
            say(f"play {number}\n")
        case "no number":
            say(f"play {right.rsplit(maxsplit=1)[-1]}\n")
        case "a later question":
            say(f"play {int(number) + 1} -\n")
        case "binary answer":
            os.write(1, b"play " + number.encode() + b" \xff\xfe\x00\n")
        case "long answer":
            say(f"play {'9' * 5000} {'9' * 5000}\n")
        case _:
            fail(right, how)


def fail(right: str, how: str) -> None:
    match how:
        case "exits":
            sys.exit(0)
        case "crashes":
            sys.exit("oops: a bad day")
        case "kills itself":
            os.kill(os.getpid(), signal.SIGKILL)
        case "unfinished line":
            say(right.strip())
            sys.exit(1)
        case "hangs":
            hang()
        case "drips":
            while True:
                say("x")
        case "floods with lines":
            while True:
                say("info nothing\n" * 1000)
        case "closes its output":
            os.close(1)
            hang()
        case _:
            sys.exit(f"no such way: {how}")


def with_a_child(lock: str) -> None:
    """Start a child that holds a lock for as long as it lives, which is for ever unless somebody ends it."""
    file = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(file, fcntl.LOCK_EX)
    code = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {15, 2, 1}); signal.pause()"
    subprocess.Popen([sys.executable, "-S", "-c", code], pass_fds=[file])
    os.close(file)


def begin(start: str) -> None:
    """Say hello, in a way that is in order or not. Any other text is said as it is, with / for the end of a line."""
    match start:
        case "crashes":
            sys.exit("oops: no brain found")
        case "hangs":
            hang()
        case "floods":
            while True:
                say("x" * 1000)
        case "never reads":
            say("ready 1 Deaf\n" + "".join(f"play {number} -\n" for number in range(1, 200)))
            hang()
        case "strict" | "ignores quit" | "ignores its end":
            say("ready 1 Stubborn\n")
        case _:
            say(start.replace("/", "\n") + "\n")


def main(start: str, how: str = "good", first: str = "1", last: str = "999", lock: str = "") -> None:
    if lock:
        with_a_child(lock)
    begin(start)
    for number, right in questions(strict=start == "strict"):
        answer(number, right, how if int(first) <= int(number) <= int(last) else "good")
    if start == "ignores its end":
        hang()


if __name__ == "__main__":
    main(*sys.argv[1:])
