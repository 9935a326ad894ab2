"""What a record holds, and how it is written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from forsale.game import BUYING, Action, Bid, Phase, Sell, seat_letter

FORMAT = "1"
LETTERS = "ABCDEF"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that no line may hold; half a surrogate pair cannot be written as UTF-8 at all."""


class RecordError(ValueError):
    """What is wrong with a record: where, from 1, and what was expected there."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(line, column, reason)
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark in braces, before the token of that index in its line."""

    before: int
    text: str


@dataclass(frozen=True, slots=True)
class Played:
    """One action. None is a choice that the writer may not know; `auto` (`*`): the server played it."""

    seat: int
    action: Action | None
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """What a seat got: a house, or None for none, and its price; or a cheque, which has no price."""

    seat: int
    card: int | None
    price: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An auction or a sale. None in the market is a card that the writer may not know."""

    phase: Phase
    number: int
    market: tuple[int | None, ...]
    actions: tuple[Played, ...] = ()
    takes: tuple[Take, ...] | None = None
    """In seat order; None while the auction or sale goes on."""
    comments: tuple[Comment, ...] = ()

    def tokens(self) -> list[str]:
        """The line in words, without its comments."""
        words = [head_text(self.phase, self.number), *map(_card_text, self.market), ":"]
        words += map(_played_text, self.actions)
        if self.takes is not None:
            words += ["|", *map(_take_text, self.takes)]
        return words

    def to_text(self) -> str:
        return " ".join(text for _, text in self._spaced())

    def column(self, token: int) -> int:
        """Where a token stands; past the last one, where the next would."""
        column = 1
        for index, text in self._spaced():
            if index == token:
                break
            column += len(text) + 1
        return column

    def _spaced(self) -> Iterable[tuple[int | None, str]]:
        """Tokens with their index, and comments with None, in order."""
        comments = iter(self.comments)
        comment = next(comments, None)
        for index, word in enumerate([*self.tokens(), None]):
            while comment is not None and comment.before == index:
                yield None, f"{{{comment.text}}}"
                comment = next(comments, None)
            if word is not None:
                yield index, word


@dataclass(frozen=True, slots=True)
class Remark:
    """A line that holds nothing but comments."""

    texts: tuple[str, ...]

    def to_text(self) -> str:
        return " ".join(f"{{{text}}}" for text in self.texts)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is written. What was read is written back byte for byte."""

    tags: tuple[tuple[str, str], ...]
    lines: tuple[Line | Remark, ...]
    ends_with_newline: bool = True

    def tag(self, name: str) -> str | None:
        """The value of a tag, None without it."""
        return dict(self.tags).get(name)

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(dict(self.tags)["Players"].split("|"))

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def first(self) -> int:
        return LETTERS.index(dict(self.tags)["First"])

    def to_text(self) -> str:
        rows = [f'[{name} "{value}"]' for name, value in self.tags]
        rows += ["", *(line.to_text() for line in self.lines)]
        return "\n".join(rows) + ("\n" if self.ends_with_newline else "")

    def to_bytes(self) -> bytes:
        return self.to_text().encode("utf-8")


def head_text(phase: Phase, number: int) -> str:
    return f"{'B' if phase is BUYING else 'S'}{number}"


def _card_text(card: int | None) -> str:
    return "?" if card is None else str(card)


def action_text(action: Action) -> str:
    """The number that is bid or sold, or - for a pass: the phase tells which."""
    match action:
        case Bid(amount):
            return str(amount)
        case Sell(house):
            return str(house)
        case _:
            return "-"


def _played_text(played: Played) -> str:
    what = "?" if played.action is None else action_text(played.action)
    return seat_letter(played.seat) + what + ("*" if played.auto else "")


def _take_text(take: Take) -> str:
    card = "." if take.card is None else str(take.card)
    return seat_letter(take.seat) + card + ("" if take.price is None else f"@{take.price}")
