"""What can go wrong with a bot, and what is played then."""

import os
from collections.abc import Callable, Sequence
from traceback import extract_tb
from typing import Literal

from forsale.game import Action, Pass, Sell

Kind = Literal["crashed", "late", "illegal", "out"]
"""`out`: it was lost so often that it is no longer asked."""


class Fault(Exception):
    """Why a bot has not chosen: which kind of fault, and a few words that go on from its name."""

    def __init__(self, kind: Kind, words: str) -> None:
        super().__init__(kind, words)
        self.kind = kind
        self.words = words

    def __str__(self) -> str:
        return self.words


def default_action(legal: Sequence[Action]) -> Action:
    """What is played for a bot that does not choose: pass, or sell the lowest house.

    >>> from forsale.game import Bid
    >>> default_action([Pass(), Bid(1), Bid(2)]), default_action([Sell(3), Sell(17)])
    (Pass(), Sell(house=3))
    """
    if Pass() in legal:
        return Pass()
    return min(legal, key=lambda action: action.house if isinstance(action, Sell) else 0)


def where_it_broke(error: BaseException) -> str:
    """What broke and where, without the trace: it goes into one line."""
    trace = extract_tb(error.__traceback__)
    where = f"{os.path.basename(trace[-1].filename)}:{trace[-1].lineno}" if trace else "?"
    return f"{type(error).__name__} at {where}: {as_text(error)}"


def as_text(thing: object, write: Callable[[object], str] = str) -> str:
    """Something of a bot's, written by the bot's own code: which may break as well."""
    try:
        return write(thing)
    except Exception:
        return f"a {type(thing).__name__} that cannot be written"


def short(text: str) -> str:
    """What a bot said, fit for a line on a screen or in a log."""
    return "".join(char if char.isprintable() else " " for char in text[:200])
