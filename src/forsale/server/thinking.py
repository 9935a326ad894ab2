"""The child's side of `thinkers`: a process in which bots think, and may hang or break without harm to the server.

Questions come in as pickles, which only the server writes. Answers go out as a letter and a short text: bots run
in here, and nothing that they can write makes the server run code.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from random import Random
from struct import Struct
from typing import BinaryIO, NamedTuple

from forsale.bots import Bot, BotError
from forsale.bots.fault import where_it_broke
from forsale.game import Action
from forsale.view import Earlier, View

TOKEN = 8
"""Bytes that come with a question and go back with its answer, so that nothing else is taken for one."""
QUESTION = Struct(f"!{TOKEN}sI")
"""Before each question: its token, and the length of its pickle."""
ANSWER = Struct(f"!{TOKEN}scH")
"""Before each answer: the question's token, the kind of answer, and the length of its text."""
LONGEST = 400
"""No answer's text has more bytes."""

MADE = b"m"
"""The bot, asked for the first time, has come up. A second answer follows, and the bot's time counts from here."""
CHOSE = b"c"
"""The choice, by its place among the legal actions."""
ILLEGAL = b"i"
UNKNOWN = b"u"
CRASHED = b"x"

START = 120.0
"""Seconds that a child, with its bot, has to come up: one that searches is compiled on its first use on a machine."""
_GRACE = 1.0


class Question(NamedTuple):
    bot: str
    view: View
    legal: tuple[Action, ...]
    seed: str
    earlier: bytes
    """The earlier games, which the view is sent without: most of the question would be they, each time the same."""


Answer = tuple[bytes, str]
Make = Callable[[str], Bot]


@lru_cache(maxsize=128)
def packed(earlier: tuple[Earlier, ...]) -> bytes:
    """Earlier games as they are sent."""
    return pickle.dumps(earlier, pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=128)
def _unpacked(earlier: bytes) -> tuple[Earlier, ...]:
    games: tuple[Earlier, ...] = pickle.loads(earlier)
    return games


class Thinking:
    """Answers questions, one after the other. Each bot is made once."""

    def __init__(self, make: str, limit: float, mouth: BinaryIO) -> None:
        self._make = make
        self._limit = limit
        self._mouth = mouth
        self._bots: dict[str, Bot] = {}
        self._token = b""

    def answer(self, token: bytes, question: Question) -> None:
        self._token = token
        try:
            kind, text = self._think(question)
        except BotError:
            kind, text = UNKNOWN, ""
        except BaseException as error:  # a bot that calls sys.exit() has not chosen either
            kind, text = CRASHED, where_it_broke(error)
        self._say(kind, text)

    def _think(self, question: Question) -> Answer:
        if question.bot not in self._bots:
            with _alarm(START + _GRACE):
                self._bots[question.bot] = _load(self._make)(question.bot)
            self._say(MADE)
        seen = replace(question.view, earlier=_unpacked(question.earlier))
        with _alarm(self._limit + _GRACE):
            choice = self._bots[question.bot].choose(seen, question.legal, Random(question.seed))
            return _judge(choice, question.legal)

    def _say(self, kind: bytes, text: str = "") -> None:
        data = text.encode(errors="replace")[:LONGEST]
        self._mouth.write(ANSWER.pack(self._token, kind, len(data)) + data)
        self._mouth.flush()


def _judge(choice: object, legal: Sequence[object]) -> Answer:
    """The place of a choice, not the choice itself: then the server has only one of its own actions to take."""
    if choice in legal:
        return CHOSE, str(legal.index(choice))
    return ILLEGAL, repr(choice)


def _load(make: str) -> Make:
    """The function that an import path such as `forsale.bots:make` names."""
    module, _, name = make.partition(":")
    function: Make = getattr(import_module(module), name)
    return function


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End this process if it takes longer, whatever it is doing.

    The server ends it earlier, unless the server itself was killed: then a bot that hangs would hang for ever.
    """
    if sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server, where no bot's `print` or `input` finds them; and no other file of the server's.

    uvloop hands down every file that is marked as inheritable, as uvicorn marks its listening sockets.
    """
    if sys.platform != "win32":
        os.closerange(3, min(os.sysconf("SC_OPEN_MAX"), 2**16))
    ears, mouth = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return ears, mouth


def _questions(ears: BinaryIO) -> Iterator[tuple[bytes, Question]]:
    """Until the server closes its end, or is gone."""
    while len(head := ears.read(QUESTION.size)) == QUESTION.size:
        token, length = QUESTION.unpack(head)
        if len(data := ears.read(length)) < length:
            return
        yield token, Question(*pickle.loads(data))


def _behave() -> None:
    """Leave it to the server when to stop (Ctrl-C and a stopped service signal all processes), and let it go first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform != "win32":
        os.nice(5)


def main(make: str, limit: str) -> None:
    ears, mouth = _own_pipes()
    _behave()
    thinking = Thinking(make, float(limit), mouth)
    for token, question in _questions(ears):
        thinking.answer(token, question)


if __name__ == "__main__":
    main(*sys.argv[1:])
