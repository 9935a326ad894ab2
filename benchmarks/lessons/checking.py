"""Whether a house and some coins are worth what the net says: the same games, with and without them.

At the start of one auction the opener's lowest house becomes the highest that nobody has seen; or its purse gets some
coins. All go on from there, and how often that seat wins is held against what the net has said at once.
"""

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from benchmarks.lessons.found import Check
from benchmarks.lessons.playing import HOUSES, NUMBER, OWN, UNSEEN, Numbers, Tables, Turn, are_starts, play
from forsale.bots.champion.net import Net
from forsale.editions import Rules
from forsale.encoding import MAX_CARDS

AUCTION = 4
COINS = 3

Gift = Callable[[Tables, Numbers, Numbers], None]
"""Does something for a seat at each of some tables."""


class _Chances(NamedTuple):
    """Of the opener of that auction, at each table."""

    expected: Numbers
    won: Numbers


def check(net: Net, rules: Rules, games: int, seed: int) -> list[Check]:
    """Of the gift of a house, and of coins."""

    def chances(gift: Gift) -> _Chances:
        return _chances(net, rules, games, seed, gift)

    without = chances(lambda *_: None)
    return [_compared(name, chances(gift), without) for name, gift in (("house", _house), ("coins", _coins))]


def _chances(net: Net, rules: Rules, games: int, seed: int, gift: Gift) -> _Chances:
    expected, openers = np.zeros(games), np.zeros(games, np.int64)

    def change(tables: Tables) -> None:
        (beginning,) = np.nonzero(_begin(tables.rows))
        if len(beginning):
            gift(tables, beginning, tables.to_act[beginning])

    def see(turn: Turn) -> None:
        turn = turn.of(_begin(turn.rows))
        expected[turn.tables], openers[turn.tables] = turn.told.wins[:, 0], turn.seats

    outcomes = play(net, rules, games, seed, [see], change)
    return _Chances(expected, outcomes.shares[np.arange(games), openers])


def _begin(rows: Numbers) -> Numbers:
    begin: Numbers = are_starts(rows) & (rows[:, NUMBER] == AUCTION)
    return begin


def _house(tables: Tables, which: Numbers, seats: Numbers) -> None:
    houses = tables.rows[which][:, HOUSES]
    lowest = 1 + (houses == OWN).argmax(axis=1)
    best = MAX_CARDS - (houses == UNSEEN)[:, ::-1].argmax(axis=1)
    tables.exchange(which, seats, lowest, best)


def _coins(tables: Tables, which: Numbers, seats: Numbers) -> None:
    tables.give(which, seats, COINS)


def _compared(name: str, given: _Chances, without: _Chances) -> Check:
    more = given.won - without.won
    half = 1.96 * float(more.std()) / sqrt(len(more))
    return Check(name, float((given.expected - without.expected).mean()), float(more.mean()), half)
