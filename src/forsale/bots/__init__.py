"""Bots: each chooses an action from a view. One file a bot, and a registry of them by name.

>>> from forsale import bots
>>> bots.names()
('random', 'broker')
>>> bots.make("broker")
<forsale.bots.broker.Broker object at 0x...>
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from forsale.bots.bot import Bot
from forsale.bots.broker import Broker
from forsale.bots.uniform import Uniform

__all__ = ["Bot", "BotError", "Entry", "called", "find", "make", "names"]


class BotError(ValueError):
    """No bot of that name, in one sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot that can be asked for: its name, its character in one sentence, and how to make one."""

    name: str
    character: str
    make: Callable[[], Bot]


_ENTRIES = {
    entry.name: entry
    for entry in (
        Entry("random", "Does anything that is allowed, each thing as often.", Uniform),
        Entry("broker", "Buys within a budget and sells each house where it fetches most.", Broker),
    )
}


# In the order of the seat letters. As many as seats: people and bots together are never more. A server's log names its
# bots by kind alone, so the order is for good.
_FIRST_NAMES = ("Bo", "Cy", "Dot", "Eli", "Fay", "Gus")


def called(people: Collection[str]) -> Iterator[str]:
    """First names for the bots at a table with these people: several of a kind sit there, and are talked about.

    >>> list(called(["Ana", "cy"]))
    ['Bo', 'Dot', 'Eli', 'Fay', 'Gus']
    """
    taken = {name.casefold() for name in people}
    return (name for name in _FIRST_NAMES if name.casefold() not in taken)


def names() -> tuple[str, ...]:
    """The bots there are, from the weakest on."""
    return tuple(_ENTRIES)


def find(name: str) -> Entry:
    """A bot's entry in the registry.

    >>> find("kasparov")
    Traceback (most recent call last):
    ...
    forsale.bots.BotError: expected a bot among random, broker, got 'kasparov'
    """
    if name not in _ENTRIES:
        raise BotError(f"expected a bot among {', '.join(_ENTRIES)}, got {name!r}")
    return _ENTRIES[name]


def make(name: str) -> Bot:
    """A new bot of that name."""
    return find(name).make()
