"""Who sits where, and the words that the screen uses for them and for the cards of their edition."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from forsale.editions import Edition, Words
from forsale.game import seat_letter

_MAX_NAME = 10
"""Columns on the screen."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The players of one game, by seat, and their edition. A bot's name is empty for a person."""

    edition: Edition
    players: tuple[str, ...]
    bots: tuple[str, ...]

    @property
    def words(self) -> Words:
        return self.edition.words["en"]

    def is_person(self, seat: int) -> bool:
        return not self.bots[seat]

    def mention(self, seat: int) -> str:
        """The seat within a sentence: the person is spoken to, whatever their name."""
        return "you" if self.is_person(seat) else self.players[seat]

    def clause(self, seat: int, verb: str) -> str:
        """Subject and verb: "You pass", "Bo passes"."""
        if self.is_person(seat):
            return f"You {verb}"
        return f"{self.players[seat]} {verb}{'es' if verb.endswith('s') else 's'}"

    def label(self, seat: int) -> str:
        """The seat as a table names it, "B Bo": short enough to leave room for the rest."""
        name = Text(self.players[seat])
        name.truncate(_MAX_NAME, overflow="ellipsis")
        return f"{seat_letter(seat)} {name.plain}"

    def cheque(self, amount: int) -> str:
        """A cheque as it is printed: some editions stamp a word on that of 0."""
        return self.words.void if amount == 0 and self.words.void else str(amount)


def noun(pair: tuple[str, str], number: int = 2) -> str:
    """A word of the edition within a sentence, singular or plural; the rulebooks write them with capitals.

    >>> noun(("Property", "Properties"), 1), noun(("Property", "Properties"))
    ('property', 'properties')
    """
    return pair[number != 1].lower()


def counted(number: int, pair: tuple[str, str]) -> str:
    """
    >>> counted(1, ("Bill", "Bills")), counted(0, ("Bill", "Bills"))
    ('1 bill', '0 bills')
    """
    return f"{number} {noun(pair, number)}"


def amount(coins: int) -> str:
    """Coins that were paid or lost, where the unit is clear."""
    return str(coins) if coins else "nothing"


def row(cards: Iterable[int | str]) -> str:
    return " ".join(map(str, cards))


def listed(items: Iterable[int | str], last: str = "and") -> str:
    """
    >>> listed([7, 12, 19]), listed(["Bo"]), listed([4, 11], "or")
    ('7, 12 and 19', 'Bo', '4 or 11')
    """
    texts: Sequence[str] = [str(item) for item in items]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"
