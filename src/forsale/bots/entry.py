"""A bot's place in the registry."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from forsale.bots.bot import Bot


class BotError(ValueError):
    """No bot of that name, or one that cannot be used, in one sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot that can be asked for: its name, its character in one sentence, how to make one, and whose it is."""

    name: str
    character: str
    make: Callable[[], Bot]
    package: str = "forsale"
    needs: str | None = None
    """A package of an extra, without which it cannot be made."""
    search_ms: int | None = None
    """Milliseconds that it searches for each decision; None for a bot that answers at once."""

    @property
    def is_here(self) -> bool:
        """Whether it can be made on this machine."""
        return self.needs is None or find_spec(self.needs) is not None
