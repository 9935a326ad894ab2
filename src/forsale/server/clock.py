"""The server's clock: wall time that notices when it cannot be trusted."""

import time
from collections.abc import Callable

MAX_DRIFT = 2.0
"""Seconds by which wall time may differ from the time that has passed before it counts as a jump."""
MAX_GAP = 3.0
"""Seconds without a reading that count as an interruption. The server reads its clock every second, so a longer gap
means that the process was stopped or the machine asleep."""


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class ServerClock:
    """Milliseconds since 1970. Calls `on_interruption(now)` when the clock was set, or the server did not run.

    In both cases the time since the last reading says nothing about how long people took.
    """

    def __init__(
        self,
        on_interruption: Callable[[int], None],
        wall: Callable[[], int] = wall_clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_interruption = on_interruption
        self._wall = wall
        self._monotonic = monotonic
        self._last = wall(), monotonic()

    def __call__(self) -> int:
        (wall_then, then), (wall, now) = self._last, (self._wall(), self._monotonic())
        self._last = wall, now
        drift = (wall - wall_then) / 1000 - (now - then)
        if abs(drift) > MAX_DRIFT or now - then > MAX_GAP:
            self._on_interruption(wall)
        return wall
