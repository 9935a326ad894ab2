"""Bots: each chooses an action from a view. One file a bot, and a registry of them by name.

>>> from forsale import bots
>>> bots.make("broker")
<forsale.bots.broker.Broker object at 0x...>

Other packages can add theirs (`plugins`), and a program in any language can be one (`program`). `guarded` gives both,
safe to ask:

>>> with bots.guarded(["broker", "random", "random"]) as seated:
...     [bot.label for bot in seated]
['broker', 'random', 'random']
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from forsale.bots.bot import Bot
from forsale.bots.entry import BotError, Entry
from forsale.bots.fault import default_action
from forsale.bots.guard import Guarded, Tell
from forsale.bots.roster import LEVELS, OWN

__all__ = [
    "LEVELS",
    "LIMIT",
    "OWN",
    "Bot",
    "BotError",
    "Entry",
    "Guarded",
    "called",
    "default_action",
    "find",
    "guarded",
    "make",
    "names",
    "registered",
]

LIMIT = 2.0
"""Seconds that a program has for a decision, unless another time is given."""

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
    """The bots that can be asked for: ours, the levels for people first, then those of other packages."""
    from forsale.bots import plugins  # what reads packages is not loaded before it is needed

    return (*(entry.name for entry in OWN.values() if entry.is_here), *plugins.names(OWN))


def registered() -> Iterator[Entry | BotError]:
    """Every bot's entry; for one that cannot be used, the error that says why."""
    from forsale.bots import plugins

    ours = [partial(find, name) for name in OWN]
    others = [partial(plugins.load, name, OWN) for name in plugins.offered()]
    for asked in (*ours, *others):
        try:
            yield asked()
        except BotError as error:
            yield error


def find(name: str) -> Entry:
    """A bot's entry in the registry. A bot of another package is imported for it, but cannot take a name of ours.

    >>> find("kasparov")
    Traceback (most recent call last):
    ...
    forsale.bots.entry.BotError: expected a bot among lodger, landlord, broker, ..., got 'kasparov'
    """
    if name in OWN:
        entry = OWN[name]
        if not entry.is_here:
            raise BotError(f"the bot {name!r} needs {entry.needs}: pip install 'forsale[fast]'")
        return entry
    if name not in names():
        raise BotError(f"expected a bot among {', '.join(names())}, got {name!r}")
    from forsale.bots import plugins

    return plugins.load(name, OWN)


def make(name: str) -> Bot:
    """A new bot of that name. It can be asked for by anyone: a command that would be run is no name here."""
    return find(name).make()


@contextmanager
def guarded(names: Sequence[str], limit: float = LIMIT, tell: Tell = lambda _: None) -> Iterator[list[Guarded]]:
    """A bot for each seat, safe to ask, also those that are programs: `cmd:` and a command. All end with the context.

    Seats with the same name share one bot. A program has `limit` seconds for a decision. `tell` is given a sentence for
    the first fault of each kind, and one with the counts at the end. Raises `BotError` for a bot that is not to be had.
    """
    with ExitStack() as stack:
        opened = {name: _opened(name, limit, tell, stack) for name in dict.fromkeys(names)}
        yield [opened[name] for name in names]


def _opened(name: str, limit: float, tell: Tell, stack: ExitStack) -> Guarded:
    if not name.startswith("cmd:"):
        entry = find(name)
        bot = Guarded(name, entry.make(), entry.name, entry.character, tell)
        stack.callback(bot.report)
        return bot
    from forsale.bots.program import Program

    program = Program(name, limit)
    bot = Guarded(program.name, program, "", "A program of your own.", tell)
    stack.callback(lambda: bot.report(program.last_words))
    stack.callback(program.close)
    program.begin()
    bot.label = f"cmd:{program.called}"
    return bot
