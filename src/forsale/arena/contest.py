"""What an arena plays."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from forsale import editions
from forsale.arena.lineups import LINE_UPS, LineUp
from forsale.editions import Edition, Rules


class ArenaError(ValueError):
    """A contest that cannot be played, or a run that cannot go on, in one sentence."""


@dataclass(frozen=True)
class Contest:
    """Bots, how they meet, and on which deals. Every game of it follows from this alone.

    `deals` are how many; each is played by every line-up in every rotation of its seats. `edition` is an id or a file.
    """

    bots: tuple[str, ...]
    deals: int
    seats: int = 4
    edition: str = editions.DEFAULT
    variant: str | None = None
    kind: str = "round-robin"
    """Of line-ups: one of `forsale.arena.lineups.LINE_UPS`."""
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before anything is."""
        if self.kind not in LINE_UPS:
            raise ArenaError(f"expected line-ups among {', '.join(LINE_UPS)}, got {self.kind!r}")
        if self.deals < 1:
            raise ArenaError(f"expected at least 1 deal, got {self.deals}")
        seats = self.rules.seats  # those of the edition, or refused
        twice = [bot for bot, times in Counter(self.bots).items() if times > 1]
        if twice:
            raise ArenaError(f"expected bots that differ, got {twice[0]!r} twice")
        least = seats if self.kind == "distinct" else 2
        if len(self.bots) < least:
            raise ArenaError(f"expected at least {least} bots for {self.kind} with {seats} seats, got {len(self.bots)}")

    @cached_property
    def loaded(self) -> Edition:
        """The edition itself."""
        return editions.load(self.edition)

    @cached_property
    def rules(self) -> Rules:
        """What holds in every game. Raises `EditionError` for seats or a variant that the edition lacks."""
        return self.loaded.rules(self.seats, self.variant)

    @cached_property
    def line_ups(self) -> tuple[LineUp, ...]:
        """Who meets whom, as numbers of bots."""
        return LINE_UPS[self.kind](len(self.bots), self.seats)

    @property
    def games_per_deal(self) -> int:
        """Every line-up in every rotation."""
        return len(self.line_ups) * self.seats

    def named(self, line_up: LineUp) -> str:
        """A line-up as files name it: its bots, joined by commas."""
        return ",".join(self.bots[bot] for bot in line_up)

    def __getstate__(self) -> dict[str, object]:
        """Without the edition, which cannot be pickled: another process loads its own."""
        return {name: value for name, value in self.__dict__.items() if name != "loaded"}
