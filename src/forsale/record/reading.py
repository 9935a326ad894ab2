"""From text to a record. Whatever the text, the answer is a record or one error with its place."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from forsale.editions import MAX_SEATS, MIN_SEATS
from forsale.game import BUYING, SELLING, Bid, Pass, Sell
from forsale.record.model import (
    CONTROL,
    FORMAT,
    LETTERS,
    Comment,
    Line,
    Played,
    Record,
    RecordError,
    Remark,
    Take,
)

T = TypeVar("T")

MAX_BYTES = 1024 * 1024
"""More than any game with its comments; it stops a wrong file from filling the memory."""

_NUMBER = r"(0|[1-9][0-9]{0,3})"
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "([^"]*)"\]', re.ASCII)
_HEAD = re.compile(r"([BS])([1-9][0-9]{0,3})", re.ASCII)
_CARD = re.compile(rf"{_NUMBER}|\?", re.ASCII)
_BID = re.compile(rf"([A-F])(?:{_NUMBER}|-)(\*?)", re.ASCII)
_CHOICE = re.compile(rf"([A-F])(?:{_NUMBER}|\?)(\*?)", re.ASCII)
_BOUGHT = re.compile(rf"([A-F])(?:{_NUMBER}|\.)@{_NUMBER}", re.ASCII)
_EARNED = re.compile(rf"([A-F]){_NUMBER}", re.ASCII)
_END_OF_WORD = re.compile(r"[ {]")
_SCORE = re.compile(rf"{_NUMBER}(?: {_NUMBER})*", re.ASCII)


def from_bytes(data: bytes) -> Record:
    """Read a record from the bytes of a file."""
    if len(data) > MAX_BYTES:
        raise RecordError(1, 1, f"expected a record of at most {MAX_BYTES} bytes, got more")
    try:
        return from_text(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").split("\n")
        raise RecordError(len(before), len(before[-1]) + 1, "expected UTF-8 text") from None


def from_text(text: str) -> Record:
    """Read a record. It is well formed then; whether it follows the rules, `replay` tells."""
    rows = text.split("\n")
    ends_with_newline = rows[-1] == ""
    if ends_with_newline:
        rows.pop()
    control = next(((n, found) for n, row in enumerate(rows, 1) if (found := CONTROL.search(row))), None)
    if control:
        line, found = control
        got = "a carriage return; lines end with LF alone" if found[0] == "\r" else f"{found[0]!r}"
        raise RecordError(line, found.start() + 1, f"expected no control character, got {got}")
    tags = _read_tags(rows)
    seats = len(dict(tags)["Players"].split("|"))
    start = len(tags) + 1
    lines = [_read_line(row, number, seats) for number, row in enumerate(rows[start:], start + 1)]
    return Record(tags, tuple(lines), ends_with_newline)


def _read_tags(rows: list[str]) -> tuple[tuple[str, str], ...]:
    tags: dict[str, str] = {}
    for number, row in enumerate(rows or [""], 1):
        if row == "" and tags:
            break
        found = _TAG.fullmatch(row)
        if not found:
            expected = 'a tag such as [Edition "classic"]' if number > 1 else f'[ForSale "{FORMAT}"]'
            raise RecordError(number, 1, f"expected {expected}, got {_shown(row)}")
        name, value = found.groups()
        if name in tags:
            raise RecordError(number, 2, f"expected each tag once, got {name} again")
        if number == 1 and name != "ForSale":
            raise RecordError(1, 2, f"expected ForSale as the first tag, got {name}")
        tags[name] = value
        _check_tag(number, name, value)
    else:
        raise RecordError(len(rows) + 1, 1, "expected an empty line after the tags, got the end")
    for name in ("Edition", "Players", "First"):
        if name not in tags:
            raise RecordError(len(tags) + 1, 1, f"expected the tag {name} before the empty line")
    letter, seats = tags["First"], len(tags["Players"].split("|"))
    if len(letter) != 1 or letter not in LETTERS[:seats]:
        reason = f"expected a seat from A to {LETTERS[seats - 1]}, got {_shown(letter)}"
        raise _tag_error(list(tags).index("First") + 1, "First", reason)
    return tuple(tags.items())


def _check_tag(row: int, name: str, value: str) -> None:
    match name:
        case "ForSale" if value != FORMAT:
            raise _tag_error(row, name, f"expected format {FORMAT}, the only one known here, got {_shown(value)}")
        case "Players" if not MIN_SEATS <= value.count("|") + 1 <= MAX_SEATS:
            raise _tag_error(
                row, name, f"expected {MIN_SEATS} to {MAX_SEATS} names joined by |, got {value.count('|') + 1}"
            )
        case "Score" if not _SCORE.fullmatch(value):
            raise _tag_error(row, name, f"expected the score of each seat, such as 63 46 68, got {_shown(value)}")
        case "Date" if not _is_utc(value):
            raise _tag_error(row, name, f"expected a date in ISO 8601, UTC, such as 2026-11-15, got {_shown(value)}")


def _is_utc(text: str) -> bool:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return False
    return date.utcoffset() in (None, timedelta(0))


def _tag_error(row: int, name: str, reason: str) -> RecordError:
    """An error at the first character of a tag's value."""
    return RecordError(row, len(name) + 4, reason)


def _shown(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= 30 else text[:27] + "..."


class _Words:
    """The tokens of one line, with their columns, taken one by one. Comments are put aside."""

    def __init__(self, row: str, number: int) -> None:
        self.number = number
        self.words: list[tuple[int, str]] = []
        self.comments: list[Comment] = []
        self.taken = 0
        at = 0
        while True:
            end = self._end_of_word(row, at)
            if row[at] == "{":
                self.comments.append(Comment(len(self.words), row[at + 1 : end - 1]))
            else:
                self.words.append((at + 1, row[at:end]))
            if end == len(row):
                break
            if row[end] != " ":
                raise RecordError(number, end + 1, f"expected a space, got {_shown(row[end:])}")
            at = end + 1
        self.end = len(row) + 1

    def _end_of_word(self, row: str, at: int) -> int:
        if at == len(row) or row[at] == " ":
            got = "the end of the line" if at == len(row) else "a space"
            expected = "the next word after one space" if at else "an auction, a sale or a comment"
            raise RecordError(self.number, at + 1, f"expected {expected}, got {got}")
        if row[at] == "{":
            end = row.find("}", at) + 1
            if not end:
                raise RecordError(self.number, at + 1, "expected a } that ends this comment")
            return end
        found = _END_OF_WORD.search(row, at)
        return found.start() if found else len(row)

    def peek(self) -> str | None:
        return self.words[self.taken][1] if self.taken < len(self.words) else None

    def take(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        word = self.peek()
        found = pattern.fullmatch(word) if word is not None else None
        if not found:
            raise self.error(f"expected {expected}, got {'the end of the line' if word is None else _shown(word)}")
        self.taken += 1
        return found

    def error(self, reason: str, back: int = 0) -> RecordError:
        """An error at the next word, or at one already taken."""
        index = self.taken - back
        return RecordError(self.number, self.words[index][0] if index < len(self.words) else self.end, reason)


def _read_line(row: str, number: int, seats: int) -> Line | Remark:
    words = _Words(row, number)
    if not words.words:
        return Remark(tuple(comment.text for comment in words.comments))
    head = words.take(_HEAD, "an auction such as B1 or a sale such as S1")
    phase = BUYING if head[1] == "B" else SELLING
    market: list[int | None] = []
    while words.peek() != ":":
        card = words.take(_CARD, "a card or :")
        market.append(None if card[1] is None else int(card[1]))
    words.take(re.compile(":"), ":")
    read_action, read_take = (_read_bid, _read_bought) if phase is BUYING else (_read_choice, _read_earned)
    actions = _until(words, "|", lambda: read_action(words, seats))
    takes = None
    if words.peek() is not None:
        words.take(re.compile(r"\|"), "|")
        takes = _until(words, None, lambda: read_take(words, seats))
    return Line(phase, int(head[2]), tuple(market), actions, takes, tuple(words.comments))


def _until(words: _Words, stop: str | None, read: Callable[[], T]) -> tuple[T, ...]:
    found: list[T] = []
    while (word := words.peek()) is not None and word != stop:
        found.append(read())
    return tuple(found)


def _seat(words: _Words, letter: str, seats: int) -> int:
    seat = LETTERS.index(letter)
    if seat >= seats:
        raise words.error(f"expected a seat from A to {LETTERS[seats - 1]}, got {letter}", back=1)
    return seat


def _read_bid(words: _Words, seats: int) -> Played:
    found = words.take(_BID, "a bid such as A3, a pass such as A- or |")
    action = Pass() if found[2] is None else Bid(int(found[2]))
    return Played(_seat(words, found[1], seats), action, auto=bool(found[3]))


def _read_choice(words: _Words, seats: int) -> Played:
    found = words.take(_CHOICE, "the house that a seat sells, such as A12, or |")
    action = None if found[2] is None else Sell(int(found[2]))
    return Played(_seat(words, found[1], seats), action, auto=bool(found[3]))


def _read_bought(words: _Words, seats: int) -> Take:
    found = words.take(_BOUGHT, "what a seat took and lost, such as A23@3")
    return Take(_seat(words, found[1], seats), None if found[2] is None else int(found[2]), int(found[3]))


def _read_earned(words: _Words, seats: int) -> Take:
    found = words.take(_EARNED, "the cheque that a seat took, such as A15")
    return Take(_seat(words, found[1], seats), int(found[2]))
