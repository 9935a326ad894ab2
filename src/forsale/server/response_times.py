"""How long a planned action waits before it is played: nobody may be able to tell it from a typed one.

A plan is a secret. Played at once, it would show itself: no person answers within a few milliseconds.
"""

import math
from collections import deque
from random import Random, SystemRandom

SHORTEST, LONGEST = 700, 4000
"""Milliseconds. The longest is below the shortest time that a clock can give for a decision."""
TYPICAL = (900, 1100, 1300, 1500, 1700, 2000, 2400, 2900)
"""Milliseconds that people take for an easy decision, for a seat whose own times are not known yet."""
ENOUGH = 4
"""How many of a seat's own response times are needed to draw from them."""


class ResponseTimes:
    """The latest response times of one seat, and draws that look like them."""

    def __init__(self, rng: Random | None = None) -> None:
        self._rng = rng or SystemRandom()
        self._own: deque[int] = deque(maxlen=16)

    def add(self, milliseconds: int) -> None:
        """The person took so long to type an action."""
        self._own.append(milliseconds)

    def draw(self) -> int:
        """Milliseconds that a planned action should take: one of the person's own times, a little varied."""
        time = self._rng.choice(self._own if len(self._own) >= ENOUGH else TYPICAL)
        varied = time * math.exp(self._rng.gauss(0, 0.2))
        return round(min(max(varied, SHORTEST), LONGEST))
