"""When it stops bidding, what houses cost, and how it bids where the rules differ."""

from collections.abc import Sequence

import numpy as np

from benchmarks.lessons.found import Manners, Stop
from benchmarks.lessons.playing import COINS, HIGHEST, LEAST, LOST, NUMBER, STANDING, TAKES, Numbers, Turn
from forsale.encoding import MAX_BID, MAX_CARDS

GAPS = ((1, 2), (3, 4), (5, 6), (7, 9), (10, 14), (15, 29))
"""Between the house that a pass takes now and the next one."""
PRICES = 12
"""The least bid that would keep a seat in, from 1 to this."""
AUCTIONS = ((1, 2), (3, 5), (6, 7))
"""Of a game with four seats."""
BIDDERS = (4, 3, 2)


class Stops:
    """Bid on or pass, by what is at stake."""

    def __init__(self) -> None:
        shape = (len(BIDDERS), len(AUCTIONS), len(GAPS), PRICES)
        self._asked, self._stayed = np.zeros(shape, np.int64), np.zeros(shape, np.int64)

    def see(self, turn: Turn) -> None:
        turn = turn.bidding.free
        gap = turn.market[:, 1] - turn.market[:, 0]
        price = turn.rows[:, LEAST]
        places = (
            _place(turn.cards, [(bidders, bidders) for bidders in BIDDERS]),
            _place(turn.number, AUCTIONS),
            _place(gap, GAPS),
            _place(price, [(price, price) for price in range(1, PRICES + 1)]),
        )
        known = np.all([place >= 0 for place in places], axis=0)
        at = tuple(place[known] for place in places)
        np.add.at(self._asked, at, 1)
        np.add.at(self._stayed, at, ~turn.passes[known])

    def found(self) -> list[Stop]:
        return [
            Stop(bidders, *auctions, self._asked[i, j].tolist(), self._stayed[i, j].tolist())
            for i, bidders in enumerate(BIDDERS)
            for j, auctions in enumerate(AUCTIONS)
        ]


def _place(values: Numbers, spans: Sequence[tuple[int, int]]) -> Numbers:
    """In which of the spans each value is; -1 for none."""
    places = np.full(len(values), -1)
    for place, (low, high) in enumerate(spans):
        places[(values >= low) & (values <= high)] = place
    return places


def limit(asked: Sequence[int], stayed: Sequence[int]) -> int | None:
    """The highest bid that it makes, if it made all up to that and none above: the limit that is wrong least often.
    None where it bids on at all prices.

    >>> limit([9, 9, 9], [9, 6, 1]), limit([9, 9, 9], [1, 1, 0]), limit([9, 9, 9], [9, 9, 6])
    (2, 0, None)
    """
    stays, passes = np.array(stayed), np.array(asked) - np.array(stayed)
    wrong = [int(passes[:price].sum() + stays[price:].sum()) for price in range(len(asked) + 1)]
    best = max(price for price, count in enumerate(wrong) if count == min(wrong))
    return best if best < len(asked) else None


class Prices:
    """What each house cost, on average, whoever took it."""

    def __init__(self) -> None:
        self._paid, self._times = np.zeros(MAX_CARDS + 1), np.zeros(MAX_CARDS + 1)

    def see(self, turn: Turn) -> None:
        turn = turn.bidding
        turn = turn.of(turn.passes)
        self._add(turn.rows[:, TAKES], turn.rows[:, LOST])
        last = turn.of(turn.cards == 2)
        self._add(last.market[:, 1], np.maximum(last.rows[:, HIGHEST], 0))

    def _add(self, houses: Numbers, prices: Numbers) -> None:
        np.add.at(self._paid, houses, prices)
        np.add.at(self._times, houses, 1)

    def found(self) -> Numbers:
        """From house 1 on."""
        means: Numbers = self._paid[1:] / self._times[1:]
        return means


class Bids:
    """How it bids in an edition."""

    def __init__(self) -> None:
        self._sums = dict.fromkeys(("bids", "odd", "jumps", "passes", "at once", "lost", "auctions", "prices"), 0)
        self._given_up = np.zeros(MAX_BID + 1, np.int64)
        self._left: list[Numbers] = []

    def see(self, turn: Turn) -> None:
        sales = turn.selling
        self._left.append(sales.rows[sales.rows[:, NUMBER] == 1, COINS])
        turn = turn.bidding
        self._end(turn.of(turn.passes & (turn.cards == 2)))
        turn = turn.free
        bids, passes = turn.of(~turn.passes), turn.of(turn.passes)
        self._count("bids", len(bids.tables))
        self._count("odd", (bids.bids % 2).sum())
        self._count("jumps", (bids.bids > bids.rows[:, LEAST]).sum())
        self._count("passes", len(passes.tables))
        self._count("at once", (passes.rows[:, STANDING] < 0).sum())
        self._count("lost", passes.rows[:, LOST].sum())
        self._given_up += np.bincount(passes.of(passes.rows[:, STANDING] >= 0).standing, minlength=MAX_BID + 1)

    def _end(self, last: Turn) -> None:
        """The last pass of an auction: what the other one pays is known."""
        self._count("auctions", len(last.tables))
        self._count("prices", np.maximum(last.rows[:, HIGHEST], 0).sum())

    def _count(self, name: str, more: int) -> None:
        self._sums[name] += int(more)

    def found(self, edition: str) -> Manners:
        sums = self._sums
        return Manners(
            edition,
            odd=sums["odd"] / sums["bids"],
            jumps=sums["jumps"] / sums["bids"],
            at_once=sums["at once"] / sums["passes"],
            price=sums["prices"] / sums["auctions"],
            lost=sums["lost"] / sums["passes"],
            left=float(np.concatenate(self._left).mean()),
            given_up=(self._given_up / self._given_up.sum()).tolist(),
        )
