"""Who is better, and how sure that is.

A deal is played by every line-up in every rotation of its seats, so its games are not independent of each other: what
is drawn again and again for an interval is a deal with all its games, never a game (the bootstrap, by deal). More than
`GROUPS` deals are put together in so many groups of equal size, and groups are drawn: the interval is as good, and it
takes no longer for a million deals.

Sums are whole numbers until the end, so that nothing depends on the order in which chunks come.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from operator import mul
from random import Random
from statistics import NormalDist
from typing import Any

from forsale.arena.contest import Contest
from forsale.arena.lineups import LineUp
from forsale.arena.playing import HOUSE_SUMS, Chunk
from forsale.arena.ratings import PARTS, points, stages, strengths

GROUPS = 400
RESAMPLES = 1000
FEWEST_DEALS = 10
"""With fewer, no interval is given: it would say nothing."""
_SHARES = 60
"""A win share is a whole number of sixtieths, however many tie."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval, None where there are too few deals for one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a bot came to, over all its seats in all games."""

    bot: str
    seats: int
    """How many seats it has had, over all games; the means below are over these."""
    win_share: Estimate
    """Against 1/n, with n seats."""
    score: Estimate
    place: Estimate
    rating: Estimate
    decisions: int
    seconds: float
    """How long it thought, in all: the only thing here that another run does not repeat."""
    faults: int
    """Decisions that it did not make, and that were played by default."""

    @property
    def decisions_per_second(self) -> float | None:
        """None where no time was measured."""
        return self.decisions / self.seconds if self.seconds else None


@dataclass(frozen=True, slots=True)
class Cell:
    """The win share of a bot alone of its kind at the tables where another sat too."""

    bot: str
    other: str
    win_share: Estimate


@dataclass(frozen=True, slots=True)
class Trade:
    """What a bot paid for a house and what it got for it, on average; None where it never did."""

    house: int
    bought: int
    price: float | None
    sold: int
    cheque: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a contest came to."""

    contest: Contest
    games: int
    standings: tuple[Standing, ...]
    """The best rating first."""
    matrix: tuple[Cell, ...]
    trades: Mapping[str, tuple[Trade, ...]]

    @property
    def fair(self) -> float:
        """The win share of a bot that is as good as the others."""
        return 1 / self.contest.seats

    @property
    def remarks(self) -> tuple[str, ...]:
        """Whose results are not all its own, a sentence each."""
        return tuple(
            f"{one.bot}: {one.faults:,} of its {one.decisions:,} decisions were played by default."
            for one in self.standings
            if one.faults
        )


def summarise(contest: Contest, chunks: Iterable[Chunk]) -> Summary:
    """All of a contest's chunks in one summary."""
    tally = Tally(contest)
    for chunk in chunks:
        tally.add(chunk)
    return tally.summary()


# --- A game ----------------------------------------------------------------------------------------------------------


def places(scores: Sequence[int], coins: Sequence[int]) -> tuple[int, ...]:
    """As `forsale.game.Outcome` has them: 1 is best, coins break ties, who is still tied shares the better place.

    >>> places([70, 82, 82, 82], [1, 3, 0, 3])
    (4, 1, 3, 1)
    """
    keys = list(zip(scores, coins, strict=True))
    falling = sorted(keys, reverse=True)
    return tuple([falling.index(key) + 1 for key in keys])


def shares(placed: Sequence[int]) -> list[float]:
    """A game won, shared by those in the first place."""
    return [(place == 1) / placed.count(1) for place in placed]


Key = tuple[Any, ...]
"""What is summed, and of whom."""


@lru_cache(maxsize=2**16)
def _counted(seated: LineUp, placed: tuple[int, ...]) -> tuple[tuple[Key, int], ...]:
    """All that a game adds to the sums, but for the scores."""
    sums: Counter[Key] = Counter()
    for bot, place, share in zip(seated, placed, shares(placed), strict=True):
        won = round(share * _SHARES)
        sums["place", bot] += place
        sums["won", bot] += won
        if seated.count(bot) == 1:
            for other in set(seated) - {bot}:
                sums["cell won", bot, other] += won
                sums["cell", bot, other] += 1
    ranking = tuple(
        tuple(sorted(bot for bot, other in zip(seated, placed, strict=True) if other == place))
        for place in sorted(set(placed))
    )
    for members, chosen, parts in stages(ranking):
        sums["stage", members] += parts
        sums["chosen", chosen] += parts
    return tuple(sums.items())


# --- All games -------------------------------------------------------------------------------------------------------


class Tally:
    """Sums over the games of a contest, by groups of deals. Chunks may come in any order."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.deals = 0
        self.groups: list[Counter[Key]] = [Counter() for _ in range(min(contest.deals, GROUPS))]
        self._houses = [[0] * HOUSE_SUMS * len(contest.rules.houses) for _ in contest.bots]
        self._decisions = [0] * len(contest.bots)
        self._seconds = [0.0] * len(contest.bots)
        self._faults: Counter[str] = Counter()
        self._seats = Counter(bot for line_up in contest.line_ups for bot in line_up * contest.seats)
        """How many seats a bot has in a deal."""

    def add(self, chunk: Chunk) -> None:
        """Take a chunk in."""
        from forsale.arena.counting import Count  # with numpy, which takes a while, and which few commands need

        count = Count(self.contest, chunk, len(self.groups))
        for group, deals in count.deals():
            self.groups[group]["deals",] += deals
        for finish in count.finishes():
            sums = self.groups[finish.group]
            for key, amount in _counted(finish.bots, finish.placed):
                sums[key] += finish.times * amount
        for group, bot, score in count.scores():
            self.groups[group]["score", bot] += score
        self._decisions = [sum(pair) for pair in zip(self._decisions, count.decisions(), strict=True)]
        self.deals += chunk.deals
        self._faults.update(chunk.faults)
        self._seconds = [sum(pair) for pair in zip(self._seconds, chunk.seconds, strict=True)]
        for sums_, more in zip(self._houses, chunk.houses, strict=True):
            sums_[:] = [sum(pair) for pair in zip(sums_, more, strict=True)]

    def summary(self) -> Summary:
        """What all that came to."""
        contest = self.contest
        drawn = Bootstrap(self.groups, contest)
        ratings = drawn.ratings()
        standings = [
            Standing(
                name,
                self._seats[bot] * self.deals,
                drawn.share(("won", bot), ("deals",), _SHARES * self._seats[bot]),
                drawn.mean(("score", bot), ("deals",), self._seats[bot]),
                drawn.mean(("place", bot), ("deals",), self._seats[bot]),
                ratings[bot],
                self._decisions[bot],
                self._seconds[bot],
                self._faults[name],
            )
            for bot, name in enumerate(contest.bots)
        ]
        met = sorted({key[1:] for group in self.groups for key in group if key[0] == "cell"})
        return Summary(
            contest,
            self.deals * contest.games_per_deal,
            tuple(sorted(standings, key=lambda standing: -standing.rating.value)),
            tuple(self._cell(drawn, *pair) for pair in met),
            {name: self._trades(bot) for bot, name in enumerate(contest.bots)},
        )

    def _cell(self, drawn: "Bootstrap", bot: int, other: int) -> Cell:
        share = drawn.share(("cell won", bot, other), ("cell", bot, other), _SHARES)
        return Cell(self.contest.bots[bot], self.contest.bots[other], share)

    def _trades(self, bot: int) -> tuple[Trade, ...]:
        sums = self._houses[bot]
        return tuple(
            Trade(house, bought, paid / bought if bought else None, sold, earned / sold if sold else None)
            for house, (bought, paid, sold, earned) in zip(
                self.contest.rules.houses,
                zip(*(sums[column::HOUSE_SUMS] for column in range(HOUSE_SUMS)), strict=True),
                strict=True,
            )
        )


class Bootstrap:
    """The groups as they are, and drawn anew `RESAMPLES` times: the same draws for every estimate."""

    def __init__(self, groups: Sequence[Counter[Key]], contest: Contest) -> None:
        self.groups = groups
        self._bots = len(contest.bots)
        self._deals = sum(group["deals",] for group in groups)
        self._draws = _draws(len(groups), contest.seed) if self._deals >= FEWEST_DEALS else []
        self._tail = _tail(len(groups)) if self._draws else 0.0
        self._sums: dict[Key, tuple[int, list[int]]] = {}

    def mean(self, over: Key, under: Key, scale: float = 1) -> Estimate:
        """One sum over another."""
        (value, values), (divisor, divisors) = self._summed(over), self._summed(under)
        draws = [sum_ / (scale * other) for sum_, other in zip(values, divisors, strict=True)]
        return self._estimate(value / (scale * divisor), draws)

    def share(self, over: Key, under: Key, scale: float) -> Estimate:
        """A mean between 0 and 1. Where it is one of them, all draws are alike and tell nothing.

        Then the end that is missing is what would be seen so in one of forty contests, if deals were all or nothing.
        """
        found = self.mean(over, under, scale)
        if found.low is None or 0 < found.value < 1:
            return found
        unseen = 0.025 ** (1 / self._deals)
        return Estimate(0.0, 0.0, 1 - unseen) if found.value == 0 else Estimate(1.0, unseen, 1.0)

    def ratings(self) -> list[Estimate]:
        """By bot, as points."""
        keys = sorted({key for group in self.groups for key in group if key[0] == "stage"})
        chosen = [self._summed(("chosen", bot)) for bot in range(self._bots)]
        seats = [self._summed(key) for key in keys]
        members = [key[1] for key in keys]

        def fitted(chosen: Sequence[int], seats: Sequence[int], start: Sequence[float] | None) -> list[float]:
            choices = {key: parts / PARTS for key, parts in zip(members, seats, strict=True)}
            return strengths(self._bots, [parts / PARTS for parts in chosen], choices, start)

        best = fitted([value for value, _ in chosen], [value for value, _ in seats], None)
        drawn = [
            fitted([values[draw] for _, values in chosen], [values[draw] for _, values in seats], best)
            for draw in range(len(self._draws))
        ]
        return [
            self._estimate(points(strength), [points(strengths_[bot]) for strengths_ in drawn])
            for bot, strength in enumerate(best)
        ]

    def _summed(self, key: Key) -> tuple[int, list[int]]:
        """Over all groups, and for each draw of them."""
        if key not in self._sums:
            column = [group[key] for group in self.groups]
            self._sums[key] = sum(column), [sum(map(mul, column, draw)) for draw in self._draws]
        return self._sums[key]

    def _estimate(self, value: float, draws: list[float]) -> Estimate:
        if not draws:
            return Estimate(value, None, None)
        draws.sort()
        outside = int(self._tail * len(draws))
        return Estimate(value, draws[outside], draws[-1 - outside])


@lru_cache(maxsize=4)
def _draws(groups: int, seed: int) -> list[list[int]]:
    """How often each group is drawn: as many draws as there are groups, each drawn from all."""
    rng = Random(f"forsale bootstrap {seed}")
    drawn = []
    for _ in range(RESAMPLES):
        times = [0] * groups
        for group in rng.choices(range(groups), k=groups):
            times[group] += 1
        drawn.append(times)
    return drawn


def _tail(groups: int) -> float:
    """How much of the draws an interval leaves out at either end.

    Less than 2.5 %, as the draws of few groups are too close together: by about as much as Student's distribution is
    wider than the normal one (T. C. Hesterberg, What teachers should know about the bootstrap, 2015).

    >>> round(_tail(10), 4), round(_tail(400), 4)
    (0.0086, 0.0245)
    """
    normal, freedom = NormalDist(), groups - 1
    z = normal.inv_cdf(0.975)
    student = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return normal.cdf(-sqrt(groups / freedom) * student)
