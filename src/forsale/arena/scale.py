"""From values to places along an axis, with round numbers along it."""

from collections.abc import Sequence
from math import ceil, floor


class Scale:
    """From values to percents; the round numbers at both ends hold all the values."""

    def __init__(self, values: Sequence[float], ticks: int = 5) -> None:
        low, high = min(values), max(values)
        self._step = _round_step((high - low) / ticks)
        self._low, self._high = floor(low / self._step) * self._step, ceil(high / self._step) * self._step
        if self._low == self._high:
            self._high += self._step

    def at(self, value: float) -> float:
        return 100 * (value - self._low) / (self._high - self._low)

    def ticks(self) -> list[float]:
        return [self._low + index * self._step for index in range(round((self._high - self._low) / self._step) + 1)]


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, and at least so much.

    >>> _round_step(0.03), _round_step(7)
    (0.05, 10.0)
    """
    power = 1e-3
    while True:
        for factor in (1, 2, 5):
            if factor * power >= least:
                return round(factor * power, 3)
        power *= 10
