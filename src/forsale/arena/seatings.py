"""Who sits where, for many games at once."""

from collections.abc import Sequence
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from forsale.arena.lineups import LineUp, circles

Seatings = NDArray[np.int32]


def seatings(line_ups: tuple[LineUp, ...], start: int, deals: int) -> Seatings:
    """By deal, line-up, rotation and seat: the bot there, as `lineups.seating` has it.

    >>> seatings(((0, 1, 2),), start=2, deals=1).tolist()
    [[[[0, 2, 1], [1, 0, 2], [2, 1, 0]]]]
    """
    period = _period(line_ups)
    return period[np.arange(start - 1, start - 1 + deals) % len(period)]


@lru_cache(maxsize=4)
def _period(line_ups: tuple[LineUp, ...]) -> Seatings:
    """All deals until the first seating comes again."""
    deals = lcm(*(len(circles(line_up)) for line_up in line_ups))
    return np.stack([_rotated(circles(line_up), deals) for line_up in line_ups], axis=1)


def _rotated(circles: Sequence[LineUp], deals: int) -> Seatings:
    once = np.array(circles, np.int32)
    rotations = [np.roll(once, rotation, axis=1) for rotation in range(once.shape[1])]
    return np.tile(np.stack(rotations, axis=1), (deals // len(circles), 1, 1))
