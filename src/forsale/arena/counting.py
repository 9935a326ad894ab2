"""What the games of a chunk add up to. Games that ended alike are put together first, thousands at once."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.arena.contest import Contest
from forsale.arena.lineups import LineUp
from forsale.arena.playing import Chunk
from forsale.arena.seatings import seatings

Numbers = NDArray[Any]


class Finish(NamedTuple):
    """Games of a group that ended alike: the bots, ascending and not by seat, and the place of each."""

    group: int
    bots: LineUp
    placed: tuple[int, ...]
    times: int


class Count:
    """Sums over the games of a chunk, with the deals of the contest in so many groups."""

    def __init__(self, contest: Contest, chunk: Chunk, groups: int) -> None:
        self._contest = contest
        self._group = np.arange(chunk.start - 1, chunk.start - 1 + chunk.deals) * groups // contest.deals
        self._seated = seatings(contest.line_ups, chunk.start, chunk.deals)
        """By deal, line-up, rotation and seat, as all these are."""
        self._scores, self._coins, self._decisions = (
            np.array(numbers).reshape(self._seated.shape) for numbers in (chunk.scores, chunk.coins, chunk.decisions)
        )

    def deals(self) -> Iterator[tuple[int, int]]:
        """Groups, and how many deals each of them has here."""
        return _counted(self._group)

    def finishes(self) -> Iterator[Finish]:
        """Who sat where makes no difference to what a game counts for: only who came in where."""
        line_ups, seats = self._contest.line_ups, self._contest.seats
        base = seats + 1
        placed = np.sort(self._seated * base + self._places(), axis=-1) % base
        which = self._group[:, None] * len(line_ups) + np.arange(len(line_ups))
        codes = which[:, :, None] * base**seats + placed @ base ** np.arange(seats)
        for code, times in _counted(codes):
            group, line_up = divmod(code // base**seats, len(line_ups))
            yield Finish(group, tuple(sorted(line_ups[line_up])), _digits(code % base**seats, base, seats), times)

    def scores(self) -> Iterator[tuple[int, int, int]]:
        """Groups, bots, and what the bots scored there."""
        bots = len(self._contest.bots)
        first = self._group[0]
        where = (self._group - first)[:, None, None, None] * bots + self._seated
        for place, score in enumerate(_summed(where, self._scores)):
            yield int(first) + place // bots, place % bots, score

    def decisions(self) -> list[int]:
        """By bot."""
        return _summed(self._seated, self._decisions)

    def _places(self) -> Numbers:
        """As `statistics.places` has them: how many are ahead, and one more."""
        scores, coins = self._scores[..., None], self._coins[..., None]
        theirs, their_coins = self._scores[..., None, :], self._coins[..., None, :]
        ahead = (theirs > scores) | ((theirs == scores) & (their_coins > coins))
        places: Numbers = 1 + ahead.sum(axis=-1)
        return places


def _counted(numbers: Numbers) -> Iterator[tuple[int, int]]:
    """Each number once, and how often it was there."""
    found, times = np.unique(numbers, return_counts=True)
    return zip(found.tolist(), times.tolist(), strict=True)


def _summed(where: Numbers, numbers: Numbers) -> list[int]:
    """Added up place by place; floats hold such whole numbers exactly."""
    return [round(total) for total in np.bincount(where.ravel(), numbers.ravel()).tolist()]


@lru_cache(maxsize=2**16)
def _digits(code: int, base: int, count: int) -> tuple[int, ...]:
    """The lowest first."""
    return tuple(code // base**place % base for place in range(count))
