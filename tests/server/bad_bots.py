"""Bots that nobody wants at a table, for `test_thinkers`. Child processes import this: it stays light."""

import gc
import os
import pickle
import signal
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from threading import Thread, Timer

from forsale import bots
from forsale.bots import Bot
from forsale.game import Action, Bid, Pass
from forsale.server.thinking import ANSWER, CHOSE
from forsale.view import View

Behaviour = Callable[[Sequence[Action]], object]


class Bad:
    """Does what the function says."""

    def __init__(self, behave: Behaviour) -> None:
        self._behave = behave

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return self._behave(legal)  # type: ignore[return-value]


class Counting:
    """Bids how often it was asked."""

    def __init__(self) -> None:
        self._asked = 0

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        self._asked += 1
        return Bid(self._asked)


class Nostalgic:
    """Not bad at all: what it chooses tells what it knows of earlier games, to the letter."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return legal[zlib.crc32(repr(view.earlier).encode()) % len(legal)]


class Odd:
    """No action, and bad to look at."""

    def __repr__(self) -> str:
        return "odd\n\x1b[31m" + "x" * 10_000


def hang(_: Sequence[Action]) -> object:
    while True:
        pass


def chat(legal: Sequence[Action]) -> object:
    """Says much where the answers would go, and asks where the questions come from."""
    print("c\0\0" * 100_000, flush=True)
    os.write(1, b"c\0\x010")
    os.write(2, b"error" * 1000)
    assert sys.stdin.read() == ""
    return legal[-1]


def write_to_pipe(data: bytes, legal: Sequence[Action]) -> object:
    """Finds the pipe to the server, wherever it hides."""
    for fd in range(3, 10):
        try:
            os.write(fd, data)
        except OSError:
            continue
    return legal[-1]


def flood(legal: Sequence[Action]) -> object:
    while True:
        write_to_pipe(b"\xff" * 100_000, legal)


def forge_well(legal: Sequence[Action]) -> object:
    """With the token of the question, from the memory of the process."""
    (token,) = [it._token for it in gc.get_objects() if type(it).__name__ == "Thinking"]
    return write_to_pipe(ANSWER.pack(token, CHOSE, 3) + b"999", legal)


def be_moody(legal: Sequence[Action]) -> object:
    assert Pass() in legal, "no sale today"
    return legal[-1]


def wake_slowly() -> Bot:
    time.sleep(0.6)
    return Counting()


def flood_later(legal: Sequence[Action]) -> object:
    Timer(0.2, flood, [legal]).start()
    return legal[-1]


def stuck() -> Bot:
    time.sleep(1000)
    raise AssertionError("nobody waits so long")


def no_weights() -> Bot:
    raise FileNotFoundError("no weights")


GATE = "FORSALE_TEST_GATE"
"""The environment variable that names the file for which `wait_at_gate` waits."""
TALLY = "FORSALE_TEST_TALLY"
"""The environment variable that names the file to which `Tallied` adds a line for each question."""


def wait_at_gate(legal: Sequence[Action]) -> object:
    gate = Path(os.environ[GATE])
    Path(f"{gate} {os.getpid()}").touch()
    while not gate.exists():
        time.sleep(0.005)
    return legal[-1]


def close_pipe_later(legal: Sequence[Action]) -> object:
    """When the gate opens, which is after the answer."""

    def close() -> None:
        wait_at_gate(legal)
        os.closerange(3, 10)

    Thread(target=close).start()
    return legal[-1]


class Tallied:
    """Another bot, with a line in a file each time that it is asked."""

    def __init__(self, name: str) -> None:
        self._bot = make(name)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        with open(os.environ[TALLY], "a") as file:
            file.write("asked\n")
        return self._bot.choose(view, legal, rng)


SPY_FILE = "FORSALE_TEST_SPY_FILE"
"""The environment variable that says where `Spy` writes."""


class Spy:
    """Plays like anyone, and writes down all that it can reach: its arguments, and the variables of its callers."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        found = {"view": view, "legal": legal, "rng": rng.getstate(), "argv": sys.argv}
        frame = sys._getframe().f_back
        while frame is not None:
            if "question" in frame.f_locals:
                found["question"] = tuple(frame.f_locals["question"])
            frame = frame.f_back
        with open(os.environ[SPY_FILE], "ab") as file:
            pickle.dump(found, file)
        return legal[0]


def make_spy(name: str) -> Bot:  # noqa: ARG001 - whatever a table calls its bot
    return Spy()


_MAKE: dict[str, Callable[[], Bot]] = {
    "hung": lambda: Bad(hang),
    "raises": lambda: Bad(lambda _: 1 // 0),
    "quits": lambda: Bad(lambda _: sys.exit("enough")),
    "exits": lambda: Bad(lambda _: os._exit(3)),
    "kills itself": lambda: Bad(lambda _: os.kill(os.getpid(), signal.SIGKILL)),
    "ends by its alarm": lambda: Bad(lambda _: os.kill(os.getpid(), signal.SIGALRM)),
    "waits at a gate": lambda: Bad(wait_at_gate),
    "chats": lambda: Bad(chat),
    "cheats": lambda: Bad(lambda _: Bid(1000)),
    "is odd": lambda: Bad(lambda _: Odd()),
    "writes garbage": lambda: Bad(lambda legal: write_to_pipe(b"garbage" * 5, legal)),
    "floods": lambda: Bad(flood),
    "closes its pipe": lambda: Bad(lambda _: os.closerange(3, 10)),
    "closes its pipe later": lambda: Bad(close_pipe_later),
    "floods later": lambda: Bad(flood_later),
    "says little": lambda: Bad(lambda legal: write_to_pipe(b"?", legal)),
    "forges": lambda: Bad(lambda legal: write_to_pipe(ANSWER.pack(b"no token", CHOSE, 1) + b"1", legal)),
    "forges well": lambda: Bad(forge_well),
    "counts": Counting,
    "is nostalgic": Nostalgic,
    "is moody": lambda: Bad(be_moody),
    "wakes slowly": wake_slowly,
    "gets stuck": stuck,
    "has no weights": no_weights,
}


def make(name: str) -> Bot:
    return _MAKE[name]() if name in _MAKE else bots.make(name)
