"""`cmd:`: a bot that is a program of its own, in any language, asked over its standard input and output.

docs/bot-protocol.md says what the two tell each other. The program is not trusted to keep to it: it has its time and no
more, what it says is measured before it is read, and it is ended with all that it has started.
"""

import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import IO

from forsale.bots.entry import BotError
from forsale.bots.fault import Fault, short
from forsale.bots.question import VERSION, question_text
from forsale.game import Action
from forsale.record.model import action_text
from forsale.view import View

PREFIX = "cmd:"
START = 10.0
"""Seconds that a program has to come up and say that it is ready."""
GRACE = 1.0
"""Seconds that it has to end by itself, once it is asked to."""
LIVES = 5
"""So often it may be lost, in a crash or a hang; then it is not started again."""
FLOOD = 2**16
"""Bytes: who says more than this to one question says no answer."""
_LAST_WORDS = 2000
"""Bytes of its standard error that are kept."""
_CALLED = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff|\"]{1,20}")
"""What a program may call itself: it stands in tables and in records."""


class CannotStart(Fault):
    """There is nothing that could be started."""


class Program:
    """A bot in a process of its own, from the first `start` until `close`. Its faults are raised as `Fault`."""

    def __init__(self, name: str, limit: float) -> None:
        self.name = short(name)
        self.called = ""
        """What it calls itself."""
        self.varies = False
        """Whether it says that the same question may get another answer, as that of one that thinks by the clock."""
        self._words = _words(name)
        self._limit = limit
        self._child: _Child | None = None
        self._asked = 0
        self._lost = 0
        self._last_words = ""

    @property
    def runs(self) -> bool:
        return self._child is not None

    @property
    def last_words(self) -> list[str]:
        """The end of what the latest process to end said on its standard error, line by line."""
        return [short(line) for line in self._last_words.splitlines() if line.strip()][-5:]

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Ask, unless there is nothing to choose. What is raised is a `Fault`."""
        seed = rng.getrandbits(31)
        if len(legal) == 1:
            return legal[0]
        child = self._child or self.start()
        self._asked += 1
        asked = question_text(self._asked, view, legal, round(self._limit * 1000), seed)
        return self._answer(child, asked, {action_text(action): action for action in legal})

    def begin(self) -> None:
        """Start it for the first time. Raises `BotError` if that cannot be, or it does not say that it is ready."""
        try:
            self.start()
        except Fault as fault:
            last = f" (its last words: {self.last_words[-1]})" if self.last_words else ""
            raise BotError(f"{self.name}: {fault}{last}") from None

    def start(self) -> "_Child":
        """Begin a process, and wait until it is ready."""
        if self._lost >= LIVES:
            raise Fault("out", f"was lost {self._lost} times and is not started again")
        with self._lost_at_a_fault():
            with _uninterrupted():
                child = self._child = _started(self._words)
            child.say(f"forsale {VERSION}\n")
            lines = child.hear(START, f"was not ready within {START:g} s")
            self.called = next(called for line in lines if (called := self._ready(line)))
            return child

    def tell(self, line: str) -> None:
        """Say something before the next question."""
        if self._child is not None:
            self._child.say(f"{line}\n")

    def close(self, quit: bool = True) -> bool:
        """End it, by `quit` or by the end of its input. Whether it ended by itself; it is ended in any case."""
        if self._child is not None and quit:
            self._child.say("quit\n")
        elif self._child is not None:
            self._child.say_no_more()
        return self._end(GRACE)

    def _ready(self, line: str) -> str | None:
        match line.split(maxsplit=2):
            case ["varies"]:
                self.varies = True
            case ["ready", *words]:
                return _called(words)
        return None

    def _answer(self, child: "_Child", asked: str, choices: dict[str, Action]) -> Action:
        child.say(asked)
        with self._lost_at_a_fault():
            lines = child.hear(self._limit, f"took longer than {self._limit:g} s")
            return next(choice for line in lines if (choice := self._played(line, choices)))

    def _played(self, line: str, choices: dict[str, Action]) -> Action | None:
        """The action that a line answers with; None for one that is no answer, or one to an earlier question."""
        number = str(self._asked)
        match line.split():
            case ["play", earlier, *_] if _is_earlier(earlier, self._asked):
                return None
            case ["play", answered, choice] if answered == number and choice in choices:
                return choices[choice]
            case ["play", *_]:
                raise Fault("illegal", f"illegal action: {short(line)!r} to question {number}")
        return None

    @contextmanager
    def _lost_at_a_fault(self) -> Iterator[None]:
        """Who answers what is not legal can be asked again; any other fault costs a life."""
        try:
            yield
        except Fault as fault:
            if fault.kind != "illegal":
                self._lost += 1
                self._end(0)
            raise
        except BaseException:  # interrupted: it is still thinking, and would not hear a `quit`
            self._end(0)
            raise

    def _end(self, grace: float) -> bool:
        if self._child is None:
            return False
        child = self._child
        try:
            return child.end(grace)
        finally:
            self._child = None
            self._last_words = child.last_words


def _started(words: Sequence[str]) -> "_Child":
    try:
        return _Child(words)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise CannotStart("crashed", f"cannot be started: {reason.lower()}") from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back for a moment, in which a process is begun or ended and nobody else would know of it."""
    if threading.current_thread() is not threading.main_thread():  # others are not interrupted
        yield
        return
    held: list[int] = []
    signs = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(sign, lambda sign, _: held.append(sign)) for sign in signs]
    try:
        yield
    finally:
        for sign, handler in zip(signs, before, strict=True):
            signal.signal(sign, signal.SIG_DFL if handler is None else handler)
    for number in held:
        signal.raise_signal(number)


def _words(name: str) -> list[str]:
    """The program and its arguments, by the rules of a shell."""
    if sys.platform == "win32":
        raise BotError(f"{short(name)}: a bot that is a program of its own needs Linux, macOS or another Unix")
    try:
        words = shlex.split(name.removeprefix(PREFIX))
    except ValueError as error:
        raise BotError(f"{short(name)}: not a command: {str(error).lower()}") from None
    if not words:
        raise BotError(f"expected a command after {PREFIX}, such as {PREFIX}./mybot, got {short(name)!r}")
    return words


def _called(words: Sequence[str]) -> str:
    """The name in a program's `ready`, if it speaks our version."""
    version, called = (*words, "", "")[:2]
    if version != str(VERSION):
        raise Fault("crashed", f"expected 'ready {VERSION} NAME', got version {short(version)!r} of the protocol")
    called = called.strip()
    if not _CALLED.fullmatch(called):
        raise Fault("crashed", f"expected 'ready {VERSION} NAME' with 1 to 20 characters but | and \", got {called!r}")
    return called


def _is_earlier(number: str, asked: int) -> bool:
    """Whether an answer is to an earlier question, whose time is over."""
    return number.isascii() and number.isdigit() and len(number) < 10 and int(number) < asked


class _Child:
    """One process, and the leader of its group. Nothing here waits longer than it is told to, or without a reason."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = Popen(words, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
        self._in, self._out, self._err = map(_pipe, (self._process.stdin, self._process.stdout, self._process.stderr))
        self._to_say = bytearray()
        self._heard = bytearray()
        self._complaints = b""
        self._selector = DefaultSelector()
        for pipe in (self._out, self._err):
            self._selector.register(pipe, EVENT_READ)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)

    @property
    def last_words(self) -> str:
        return self._complaints.decode(errors="replace")

    def say(self, text: str) -> None:
        """It goes out while we listen: a program that does not read must not make us wait."""
        self._to_say += text.encode()
        if not self._in.closed and self._in not in self._selector.get_map():
            self._selector.register(self._in, EVENT_WRITE)

    def say_no_more(self) -> None:
        self._close(self._in)

    def hear(self, seconds: float, late: str) -> Iterator[str]:
        """Each line that comes in time; then a `Fault`. What has come is looked at, even if we were late to look."""
        deadline = monotonic() + seconds
        heard = len(self._heard)
        over = False
        while True:
            while (end := self._heard.find(b"\n")) >= 0:
                line = self._heard[:end].decode(errors="replace")
                del self._heard[: end + 1]
                yield line
            if heard > FLOOD:
                raise Fault("crashed", f"crashed: it said more than {FLOOD} bytes and no answer")
            if self._out.closed:
                raise Fault("crashed", f"crashed: {self._how_it_ended()}")
            if over:
                raise Fault("late", late)
            remaining = deadline - monotonic()
            over = remaining <= 0
            heard += self._turn(max(remaining, 0))

    def end(self, grace: float) -> bool:
        """Let it go by itself for so long, then kill it and all that it has started. Whether it went by itself."""
        try:
            return grace > 0 and self._goes_by_itself(grace)
        finally:
            with _uninterrupted():
                _kill_group(self._process.pid)
                self._process.wait()
                self._turn(0)
                self._selector.close()
                for pipe in (self._in, self._out, self._err):
                    pipe.close()

    def _goes_by_itself(self, grace: float) -> bool:
        deadline = monotonic() + grace
        while not self._out.closed and (remaining := deadline - monotonic()) > 0:
            self._turn(remaining)
            self._heard.clear()
        return self._status(deadline - monotonic()) is not None

    def _turn(self, seconds: float) -> int:
        """Wait until a pipe is ready, or the time is over; then write and read what there is. How much was heard."""
        heard = 0
        for key, _ in self._selector.select(seconds):
            pipe = key.fileobj
            if pipe is self._in:
                self._write()
            elif not (data := os.read(key.fd, FLOOD)):
                self._close(self._out if pipe is self._out else self._err)
            elif pipe is self._out:
                self._heard += data
                heard += len(data)
            else:
                self._complaints = (self._complaints + data)[-_LAST_WORDS:]
        return heard

    def _write(self) -> None:
        try:
            del self._to_say[: os.write(self._in.fileno(), self._to_say)]
        except BrokenPipeError:  # it listens no more; whether it still has something to say, its output shows
            self._to_say.clear()
            self._close(self._in)
            return
        if not self._to_say:
            self._selector.unregister(self._in)

    def _close(self, pipe: IO[bytes]) -> None:
        if not pipe.closed:
            if pipe in self._selector.get_map():
                self._selector.unregister(pipe)
            pipe.close()

    def _how_it_ended(self) -> str:
        status = self._status(GRACE)
        if status is None:
            return "it closed its output"
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"

    def _status(self, seconds: float) -> int | None:
        try:
            return self._process.wait(max(seconds, 0.05))
        except TimeoutExpired:
            return None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS has the second for a group that has just ended
        os.killpg(leader, signal.SIGKILL)
