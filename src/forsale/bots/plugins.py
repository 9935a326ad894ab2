"""Bots of other packages: those that they offer in the entry-point group `forsale.bots`.

Nothing is read before somebody asks for a name that is not ours, or for all names; and nothing of a package is
imported before its bot is asked for.
"""

import re
from collections.abc import Container, Iterator
from functools import cache
from importlib import metadata
from importlib.metadata import EntryPoint

from forsale.bots.bot import Bot
from forsale.bots.entry import BotError, Entry
from forsale.bots.fault import as_text, short

GROUP = "forsale.bots"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


@cache
def offered() -> dict[str, tuple[EntryPoint, ...]]:
    """What other packages offer, by name: one offer, unless several packages had the same idea."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for offer in _offers():
        # A package that is on the path twice is imported from where it comes first.
        found.setdefault(offer.name, {}).setdefault(_package(offer), offer)
    return {name: tuple(found[name].values()) for name in sorted(found)}


def names(own: Container[str]) -> list[str]:
    """Those that a bot can be asked for by; `own` are ours, which no other bot can take."""
    return [name for name in offered() if _NAME.fullmatch(name) and name not in own]


def load(name: str, own: Container[str]) -> Entry:
    """The entry of a bot that another package offers. Raises `BotError`, which names the bot and the package."""
    offer, *others = offered()[name]
    if name in own:
        raise _unusable(offer, "forsale has one of the same name")
    if not _NAME.fullmatch(name):
        raise _unusable(offer, "a bot's name has up to 40 small letters, digits, dots and dashes")
    if others:
        raise _unusable(offer, f"{' and '.join(map(_package, others))} has one of the same name")
    try:
        factory = offer.load()
    except (Exception, SystemExit) as error:
        raise _unusable(offer, f"{type(error).__name__}: {as_text(error)}") from error
    if not callable(factory):
        raise _unusable(offer, f"{offer.value} is not a class or function that makes a bot")
    character = (factory.__doc__ or "").strip().partition("\n")[0]
    if not character:
        raise _unusable(offer, f"{offer.value} has no docstring, whose first line tells its character")

    def make() -> Bot:
        try:
            bot: Bot = factory()
        except (Exception, SystemExit) as error:
            raise _unusable(offer, f"{type(error).__name__}: {as_text(error)}") from error
        if not callable(getattr(bot, "choose", None)):
            raise _unusable(offer, f"{offer.value} makes a {type(bot).__name__}, which has no method choose")
        return bot

    return Entry(name, short(character), make, _package(offer))


def _offers() -> Iterator[EntryPoint]:
    """Package by package. One that is damaged hides no other, and is not ours to mend."""
    for package in metadata.distributions():
        try:
            yield from package.entry_points.select(group=GROUP)
        except Exception:
            continue


def _package(offer: EntryPoint) -> str:
    return f"{offer.dist.name} {offer.dist.version}" if offer.dist else "another package"


def _unusable(offer: EntryPoint, reason: str) -> BotError:
    return BotError(f"the bot {offer.name!r} of {_package(offer)} cannot be used: {short(reason)}")
