"""What an edition is: the cards in its box, its tables by number of seats, its named rules, its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MIN_SEATS = 3
MAX_SEATS = 6

Rounding = Literal["down", "up"]
CoinsHidden = Literal["may", "should", "must"]


class EditionError(ValueError):
    """An edition, or a choice within it, that cannot be played: the field and what was expected of it."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(field, expected)
        self.field = field
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.field}: {self.expected}"


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that holds in one game: an edition, for a number of seats, with or without its variant."""

    edition: str
    seats: int
    variant: str | None
    houses: tuple[int, ...]
    """All houses in the box, ascending."""
    cheques: tuple[int, ...]
    """All cheques in the box, ascending."""
    coins: int
    """What each seat starts with."""
    removed: int
    """Cards removed unseen from each deck."""
    deck_size: int
    """Cards left in each deck."""
    short: int
    """How many houses fewer than seats an auction turns up."""
    refund: Rounding
    """How half of an odd standing bid is rounded when its seat passes."""
    lowest_bid: int
    """The least that may open an auction."""

    @property
    def auctions(self) -> int:
        """How many auctions the game has."""
        return -(-self.deck_size // (self.seats - self.short))


@dataclass(frozen=True, slots=True)
class Variant:
    """The optional rule at the end of a rulebook."""

    short: int
    removed: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Words:
    """What one language's rulebook calls things. Pairs are singular and plural."""

    house: tuple[str, str]
    cheque: tuple[str, str]
    coin: tuple[str, str]
    void: str | None
    """What is printed on a cheque of 0, where the rulebook says."""
    scarce: str | None
    """The title of the variant, where there is one."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A published set of rules, or a user's own, as data."""

    id: str
    name: str
    source: str
    houses: tuple[int, ...]
    cheques: tuple[int, ...]
    coins: Mapping[int, int]
    removed: Mapping[int, int]
    refund: Rounding
    lowest_bid: int
    coins_hidden: CoinsHidden
    variants: Mapping[str, Variant]
    words: Mapping[str, Words]

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats that it can be played with."""
        return tuple(sorted(self.coins))

    def rules(self, seats: int, variant: str | None = None) -> Rules:
        """Resolve the tables for one game.

        >>> from forsale import editions
        >>> editions.load("iello-2020").rules(4).coins
        21
        >>> editions.load("classic").rules(4, "scarce")
        Traceback (most recent call last):
        ...
        forsale.editions.edition.EditionError: variant: expected none with classic, got 'scarce'
        """
        if isinstance(seats, bool) or not isinstance(seats, int) or seats not in self.coins:
            raise EditionError("seats", f"expected {_seat_choice(self.seats)}, got {seats!r}")
        if variant is None:
            removed, short = self.removed[seats], 0
        elif variant in self.variants:
            removed, short = self.variants[variant].removed[seats], self.variants[variant].short
        else:
            known = " or ".join([*sorted(self.variants), "none"])
            raise EditionError("variant", f"expected {known} with {self.id}, got {variant!r}")
        return Rules(
            edition=self.id,
            seats=seats,
            variant=variant,
            houses=self.houses,
            cheques=self.cheques,
            coins=self.coins[seats],
            removed=removed,
            deck_size=len(self.houses) - removed,
            short=short,
            refund=self.refund,
            lowest_bid=self.lowest_bid,
        )


def _seat_choice(seats: tuple[int, ...]) -> str:
    if len(seats) > 1 and seats[-1] - seats[0] == len(seats) - 1:
        return f"a number of seats from {seats[0]} to {seats[-1]}"
    return " or ".join(map(str, seats)) + " seats"
