"""What a house is worth while others are still bought: the net is asked what it would think of another hand.

At the start of an auction its opener is asked for its chance to win. Then one of its houses is exchanged for each that
nobody has seen; and its purse is given a coin more, and one less. The ratio of the two is what a house is worth in
coins. All positions are from real games, and everything else in them stays as it was.
"""

import numpy as np

from benchmarks.lessons.found import Trust, Worth
from benchmarks.lessons.playing import (
    COINS,
    HOUSES,
    LEFT_OVER,
    NUMBER,
    OWN,
    UNSEEN,
    Numbers,
    Outcomes,
    Turn,
    are_starts,
)
from forsale.bots.champion.net import Net
from forsale.encoding import ACTIONS, MAX_BID, MAX_CARDS


class Starts:
    """The starts of auctions, as their openers see them."""

    def __init__(self, positions: int) -> None:
        """So many `positions` of each auction are kept for a closer look: those of the first tables, so that quick
        games are no more likely to be among them than slow ones."""
        self._positions = positions
        self._rows: list[Numbers] = []
        self._expected: list[tuple[Numbers, Numbers, Numbers, Numbers]] = []

    def see(self, turn: Turn) -> None:
        starts = turn.of(are_starts(turn.rows))
        self._expected.append((starts.tables, starts.seats, starts.number, starts.told.wins[:, 0]))
        self._rows.append(starts.rows[starts.tables < self._positions])

    def worths(self, net: Net, seed: int) -> list[Worth]:
        """For each auction but the first, before which nobody has a house."""
        rows = np.concatenate(self._rows)
        rows = rows[(rows[:, COINS] > 0) & (rows[:, COINS] < MAX_BID)]
        rng = np.random.default_rng(seed)
        return [
            _worth(net, rows[rows[:, NUMBER] == auction], auction, rng)
            for auction in range(2, rows[:, NUMBER].max() + 1)
        ]

    def trust(self, outcomes: Outcomes) -> list[Trust]:
        """Whether the chances that it is asked for come true."""
        tables, seats, auctions, expected = map(np.concatenate, zip(*self._expected, strict=True))
        won = outcomes.shares[tables, seats]
        return [
            Trust(auction, float(expected[auctions == auction].mean()), float(won[auctions == auction].mean()))
            for auction in range(1, auctions.max() + 1)
        ]


def _worth(net: Net, rows: Numbers, auction: int, rng: np.random.Generator) -> Worth:
    coin_chance, coin_score = (_told(net, _with_coins(rows, 1)) - _told(net, _with_coins(rows, -1))).mean(axis=0) / 2
    houses = _house_effects(net, rows, rng) / coin_chance
    return Worth(auction, float(coin_chance), float(coin_score), houses.tolist())


def _told(net: Net, rows: Numbers) -> Numbers:
    """The seat's chance to win and the score that it expects."""
    told = net.tell(rows, np.ones((len(rows), ACTIONS), np.bool_))
    return np.stack([told.wins[:, 0], told.scores[:, 0]], axis=1)


def _with_coins(rows: Numbers, coins: int) -> Numbers:
    changed = rows.copy()
    changed[:, [COINS, LEFT_OVER]] += np.int16(coins)
    return changed


def _house_effects(net: Net, rows: Numbers, rng: np.random.Generator) -> Numbers:
    """What each house adds to the chance to win, against house 1.

    Each position has its own houses to compare, so that a mean over positions would compare positions, too: the effects
    are those that fit best (least squares) where each position also has an effect of its own.
    """
    chances = np.full((len(rows), MAX_CARDS), np.nan)
    for place, row in enumerate(rows):
        houses = row[HOUSES]
        given = rng.choice(np.flatnonzero(houses == OWN))
        others = np.append(np.flatnonzero(houses == UNSEEN), given)
        hands = np.repeat(row[None], len(others), axis=0)
        hands[:, HOUSES.start + given] = UNSEEN
        hands[np.arange(len(others)), HOUSES.start + others] = OWN
        chances[place, others] = _told(net, hands)[:, 0]
    return fitted(chances)


def fitted(values: Numbers) -> Numbers:
    """The effects of columns, against the first, where each row also has one of its own; NaN where there is no value.

    >>> gap = np.nan
    >>> fitted(np.array([[1, 2, gap], [gap, 7, 9], [0, 1, 3]])).round(3).tolist()
    [0.0, 1.0, 3.0]
    """
    known = ~np.isnan(values)
    count = known.sum(axis=1, keepdims=True)
    within = np.where(known, values - np.nanmean(values, axis=1, keepdims=True), 0)
    weights = np.diag(known.sum(axis=0)) - (known / count).T @ known
    effects = np.zeros(values.shape[1])
    effects[1:] = np.linalg.lstsq(weights[1:, 1:], within.sum(axis=0)[1:], rcond=None)[0]
    return effects
