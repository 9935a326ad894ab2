"""Our own bots by name. Whoever asks what there is loads none of them."""

from collections.abc import Callable
from functools import partial

from forsale.bots.bot import Bot
from forsale.bots.broker import Broker
from forsale.bots.entry import Entry
from forsale.bots.scripted import PERSONALITIES, Personality, Scripted, levels
from forsale.bots.uniform import Uniform


def _champion() -> Bot:
    from forsale.bots.champion import Champion

    return Champion()


def _searcher(milliseconds: int) -> Bot:
    from forsale.bots.searcher import Searcher, prepare

    prepare()
    return Searcher(milliseconds)


def _planner(milliseconds: int) -> Bot:
    from forsale.bots.planner import Planner, prepare

    prepare()
    return Planner(milliseconds)


def _thinking(name: str, character: str, make: Callable[[int], Bot], milliseconds: int) -> Entry:
    return Entry(name, character, partial(make, milliseconds), needs="numba", search_ms=milliseconds)


def _scripted(personality: Personality) -> Entry:
    return Entry(personality.name, personality.character, partial(Scripted, personality.traits))


def _forgetful(personality: Personality, rounds: int) -> Entry:
    return Entry(personality.name, personality.character, partial(Scripted, personality.traits, rounds))


OWN = {
    entry.name: entry
    for entry in (
        _forgetful(levels.LODGER, rounds=0),
        _forgetful(levels.LANDLORD, rounds=2),
        Entry("broker", "Buys within a budget and sells each house where it fetches most.", Broker),
        _scripted(levels.DEVELOPER),
        Entry("champion", "A net that has played millions of games, watches its rivals and adapts.", _champion),
        _thinking("champion-200ms", "The champion, looking ahead for a fifth of a second.", _searcher, 200),
        Entry("random", "Does anything that is allowed, each thing as often.", Uniform),
        *map(_scripted, PERSONALITIES.values()),
        _thinking("champion-50ms", "The champion, looking ahead for a twentieth of a second.", _searcher, 50),
        _thinking("champion-1s", "The champion, looking ahead for a second.", _searcher, 1000),
        _thinking("planner-50ms", "Plays on from where it is for a twentieth of a second.", _planner, 50),
        _thinking("planner-200ms", "Plays on from where it is for a fifth of a second.", _planner, 200),
        _thinking("planner-1s", "Plays on from where it is for a second.", _planner, 1000),
    )
}
"""The levels first."""

LEVELS = tuple(
    name for name in ("lodger", "landlord", "broker", "developer", "champion", "champion-200ms") if OWN[name].is_here
)
"""For people, from the beginner on, as far as they can be made here: each is clearly stronger than the one before."""
