"""Ratings: strengths of bots from the order in which they finished (Plackett–Luce).

The model: the winner of a game is drawn among its seats, each as likely as its strength says; the second among the
rest; and so on. A bot of twice the strength finishes ahead of another twice as often as behind it. Strengths are the
most likely ones, found by the MM algorithm (D. R. Hunter, MM algorithms for generalized Bradley–Terry models, Annals of
Statistics 32, 2004). Two things are settled here:

- *Ties.* Seats that share a place count as all their orders in equal parts.
- *Always or never.* A bot that beat all others in every game would be infinitely strong. Each counts as having drawn
  one more game in all, in equal parts against each of the others.

Several seats of one bot are several seats of the same strength. Where only they are left, the order says nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import factorial, log, prod

PARTS = factorial(6)
"""A choice counts so many parts, so that those of ties are whole numbers."""
_CLOSE = 1e-6
_ROUNDS = 10_000

Members = tuple[int, ...]
"""The bots of some seats, ascending, one as often as it has seats there."""


@lru_cache(maxsize=2**14)
def stages(ranking: tuple[Members, ...]) -> tuple[tuple[Members, int, int], ...]:
    """What a game tells: from which seats, which bot was drawn, and in how many parts.

    `ranking` has the bots of each place, the first place first.

    >>> stages(((0,), (1,), (1,)))
    (((0, 1, 1), 0, 720),)
    >>> stages(((1,), (0, 1)))
    (((0, 1, 1), 1, 720), ((0, 1), 0, 360), ((0, 1), 1, 360))
    """
    orders = [sum(parts, ()) for parts in product(*map(permutations, ranking))]
    told: Counter[tuple[Members, int]] = Counter()
    for order in orders:
        for at, bot in enumerate(order):
            members = tuple(sorted(order[at:]))
            if members[0] != members[-1]:
                told[members, bot] += PARTS // len(orders)
    return tuple((members, bot, parts) for (members, bot), parts in told.items())


def strengths(
    bots: int, chosen: Sequence[float], choices: Mapping[Members, float], start: Sequence[float] | None = None
) -> list[float]:
    """The most likely strengths: their geometric mean is 1.

    `chosen` has how often each bot was drawn, `choices` how often one was drawn from these seats. `start` is a guess.
    """
    draw = 1 / (bots - 1)
    wins = [times + 0.5 for times in chosen]
    terms = [(_counts(members), times) for members, times in choices.items() if times]
    terms += [(_counts((one, other)), draw) for other in range(bots) for one in range(other)]
    now = list(start or [1.0] * bots)
    for _ in range(_ROUNDS):
        weights = [0.0] * bots
        for counts, times in terms:
            share = times / sum([count * now[bot] for bot, count in counts])
            for bot, count in counts:
                weights[bot] += count * share
        better = [won / weight for won, weight in zip(wins, weights, strict=True)]
        mean = prod(better) ** (1 / bots)
        better = [strength / mean for strength in better]
        moved = max(abs(new / old - 1) for new, old in zip(better, now, strict=True))
        now = better
        if moved < _CLOSE:
            break
    return now


@lru_cache(maxsize=2**14)
def _counts(members: Members) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(members).items()))


def points(strength: float) -> float:
    """A strength as a rating: 0 is the mean, and 400 points more are ten times the strength, as in chess.

    >>> round(points(10))
    400
    """
    return 400 * log(strength, 10)
