"""Which bots are slow: ours by what they declare, those of other packages by how long they took."""

from forsale.bots import OWN

QUICK = 0.1
"""Seconds that a quick bot takes for a decision at most, on average."""
_WEIGHT = 0.25
"""Of the latest decision in the moving average."""


class BotSpeeds:
    """A bot of another package is slow until it has decided within `QUICK`; from then on its moving average counts."""

    def __init__(self) -> None:
        self._averages: dict[str, float] = {}

    def is_declared(self, bot: str) -> bool:
        """Whether it is one of our own: measurements change nothing for those."""
        return bot in OWN

    def is_slow(self, bot: str) -> bool:
        if bot in OWN:
            return OWN[bot].search_ms is not None
        return self._averages.get(bot, QUICK + 1) > QUICK

    def record(self, bot: str, seconds: float) -> None:
        """Count one decision in the moving average."""
        if bot in self._averages:
            self._averages[bot] += _WEIGHT * (seconds - self._averages[bot])
        elif seconds <= QUICK and bot not in OWN:
            self._averages[bot] = seconds
