"""Reading: what a record may hold, and the one error, with line and column, for what it may not."""

import pytest

from forsale import record
from forsale.game import BUYING, SELLING, Bid, Pass, Sell
from forsale.record import Comment, Line, Played, Record, RecordError, Remark, Take
from tests.games import marked

HEAD = """\
[ForSale "1"]
[Edition "classic"]
[Players "Ana|Bo|Cy|Champion"]
[First "A"]
"""
SAMPLE = (
    HEAD
    + """\
[Score "63 46 68 58"]

B1 5 11 13 21 : A1 B2 C3 D- A- B- | A11@0 B13@1 C21@3 D5@0
B2 2 3 4 18 : C1 D2 A3 B- C- D- | A18@3 B2@0 C3@0 D4@1
S1 0 10 11 15 : A16 B7 C12 D10 | A15 B0 C11 D10
"""
)


def bid(seat: int, amount: int, auto: bool = False) -> Played:
    return Played(seat, Bid(amount), auto)


def leave(seat: int, auto: bool = False) -> Played:
    return Played(seat, Pass(), auto)


def sell(seat: int, house: int, auto: bool = False) -> Played:
    return Played(seat, Sell(house), auto)


def read_line(text: str) -> Line:
    line = record.from_text(f"{HEAD}\n{text}\n").lines[0]
    assert isinstance(line, Line)
    return line


# --- What is read --------------------------------------------------------------------------------------------


def test_the_sample_of_the_format_is_read() -> None:
    sample = record.from_text(SAMPLE)
    assert sample.tags == (
        ("ForSale", "1"),
        ("Edition", "classic"),
        ("Players", "Ana|Bo|Cy|Champion"),
        ("First", "A"),
        ("Score", "63 46 68 58"),
    )
    assert (sample.players, sample.seats, sample.first) == (("Ana", "Bo", "Cy", "Champion"), 4, 0)
    assert sample.lines == (
        Line(
            BUYING,
            1,
            (5, 11, 13, 21),
            (bid(0, 1), bid(1, 2), bid(2, 3), leave(3), leave(0), leave(1)),
            (Take(0, 11, 0), Take(1, 13, 1), Take(2, 21, 3), Take(3, 5, 0)),
        ),
        Line(
            BUYING,
            2,
            (2, 3, 4, 18),
            (bid(2, 1), bid(3, 2), bid(0, 3), leave(1), leave(2), leave(3)),
            (Take(0, 18, 3), Take(1, 2, 0), Take(2, 3, 0), Take(3, 4, 1)),
        ),
        Line(
            SELLING,
            1,
            (0, 10, 11, 15),
            (sell(0, 16), sell(1, 7), sell(2, 12), sell(3, 10)),
            (Take(0, 15), Take(1, 0), Take(2, 11), Take(3, 10)),
        ),
    )
    assert sample.to_text() == SAMPLE


def test_a_tag_that_is_not_there_is_none() -> None:
    assert record.from_text(SAMPLE).tag("Variant") is None


def test_tags_that_are_not_known_are_kept() -> None:
    text = HEAD + '[Weather "rain, | and \\ {wind}]"]\n[Empty ""]\n[x_9 "é"]\n\n'
    sample = record.from_text(text)
    assert (sample.tag("Weather"), sample.tag("Empty"), sample.tag("x_9")) == ("rain, | and \\ {wind}]", "", "é")
    assert sample.to_text() == text


@pytest.mark.parametrize("date", ["2026-11-15", "2026-11-15T20:47", "2026-11-15T20:47:01Z", "2026-11-15T20:47+00:00"])
def test_a_date_is_iso_8601_in_utc(date: str) -> None:
    assert record.from_text(f'{HEAD}[Date "{date}"]\n\n').tag("Date") == date


@pytest.mark.parametrize(("text", "line"), [
    ("B1 5 :", Line(BUYING, 1, (5,))),
    ("B1 :", Line(BUYING, 1, ())),
    ("B9999 0 9999 : A9999", Line(BUYING, 9999, (0, 9999), (bid(0, 9999),))),
    ("B1 ? ? 5 :", Line(BUYING, 1, (None, None, 5))),
    ("B1 5 : |", Line(BUYING, 1, (5,), (), ())),
    ("B1 5 : A-* B0* | A.@0", Line(BUYING, 1, (5,), (leave(0, True), bid(1, 0, True)), (Take(0, None, 0),))),
    ("S1 5 : A? B?* C7*", Line(SELLING, 1, (5,), (Played(0, None), Played(1, None, True), sell(2, 7, True)))),
    ("S9 4 7 : | C4 C7", Line(SELLING, 9, (4, 7), (), (Take(2, 4), Take(2, 7)))),
    ("{a} B1 {} {c{c} 5 : {:|} | {end}", Line(BUYING, 1, (5,), (), (), (
        Comment(0, "a"), Comment(1, ""), Comment(1, "c{c"), Comment(3, ":|"), Comment(4, "end"))),
    ),
])  # fmt: skip
def test_a_line_is_read_and_written_back(text: str, line: Line) -> None:
    assert read_line(text) == line
    assert line.to_text() == text


def test_a_line_of_comments_is_a_remark() -> None:
    assert record.from_text(f"{HEAD}\n{{one}} {{}}\n").lines == (Remark(("one", "")),)


@pytest.mark.parametrize("text", [HEAD + "\n", HEAD + "\nB1 5 :\n", HEAD + "\nB1 5 :", HEAD + "\n{no newline}"])
def test_a_final_newline_is_kept_as_it_was(text: str) -> None:
    assert record.from_text(text).ends_with_newline == text.endswith("\n")
    assert record.from_bytes(text.encode()).to_bytes() == text.encode()


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "<b>", "[x]", "{x}", "'", "\\", "é", "e\u0301", "フク", "🏠", "\u2028", "\u202e"]
)
def test_a_name_may_hold_any_other_character(name: str) -> None:
    text = f'[ForSale "1"]\n[Edition "classic"]\n[Players "{name}|Bo|{name}"]\n[First "C"]\n\n'
    sample = record.from_bytes(text.encode())
    assert (sample.players, sample.first) == ((name, "Bo", name), 2)
    assert sample.to_bytes() == text.encode()


# --- What is refused, and where ------------------------------------------------------------------------------


def refusal(data: bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        record.from_bytes(data)
    return caught.value


def check(text: str, expected: str) -> None:
    """The text without its mark is refused where the mark stood."""
    text, line, column = marked(text)
    error = refusal(text.encode())
    assert (error.line, error.column) == (line, column), str(error)
    assert expected in error.reason
    assert str(error) == f"line {line}, column {column}: {error.reason}"


FORMAT = '[ForSale "1"]'
A_TAG = "expected a tag such as"


@pytest.mark.parametrize(("text", "expected"), [
    ("¦", "expected"),
    ("¦\n", f"expected {FORMAT}, got nothing"),
    (f"¦\n\n{FORMAT}\n", f"expected {FORMAT}, got nothing"),
    (f"¦\ufeff{FORMAT}\n", f"expected {FORMAT}"),
    (f"¦ {FORMAT}\n", f"expected {FORMAT}"),
    ("¦hello\n", f"expected {FORMAT}, got hello"),
    ("¦" + "x" * 40, "got " + "x" * 27 + "..."),
    (f'[¦Edition "classic"]\n{FORMAT}\n', "expected ForSale as the first tag, got Edition"),
    (f"{FORMAT}\n¦", "expected an empty line after the tags, got the end"),
    (f"{FORMAT}\n¦\n", "expected the tag Edition"),
    (f"{FORMAT}\n¦hello\n", A_TAG),
    ('[ForSale "¦2"]\n\n', "expected format 1, the only one known here, got 2"),
    ('[ForSale "¦"]\n\n', "got nothing"),
    ('[ForSale "¦1.0"]\n\n', "got 1.0"),
])  # fmt: skip
def test_a_record_begins_with_its_format(text: str, expected: str) -> None:
    check(text, expected)


@pytest.mark.parametrize(("rows", "expected"), [
    ("¦", "expected an empty line after the tags, got the end"),
    ("¦B1 5 :\n", A_TAG),
    *((f"¦{row}\n\n", A_TAG) for row in (
        "{remark}", '[Table "x"]y', '[Table  "x"]', '[Table "x"] ', "[Table]", "[Table 'x']", '[Table "a"b"]',
        '[Table "x]', '[9 "x"]', '[É "x"]', '["x"]',
    )),
    ('[¦Edition "manual"]\n\n', "expected each tag once, got Edition again"),
    ('[¦ForSale "1"]\n\n', "expected each tag once, got ForSale again"),
    ('[Table "x"]\n[¦Table "x"]\n\n', "expected each tag once, got Table again"),
])  # fmt: skip
def test_a_bad_tag_is_refused_with_its_place(rows: str, expected: str) -> None:
    check(HEAD + rows, expected)


@pytest.mark.parametrize("name", ["Edition", "Players", "First"])
def test_a_missing_tag_is_refused_at_the_empty_line(name: str) -> None:
    rows = [row for row in HEAD.splitlines() if not row.startswith(f"[{name} ")]
    assert len(rows) == 3
    check("\n".join([*rows, "¦", "B1 5 :"]), f"expected the tag {name} before the empty line")


NAMES = "expected 3 to 6 names joined by |, got"


@pytest.mark.parametrize(("name", "value", "expected"), [
    *(("First", value, "expected a seat from A to D") for value in ("E", "a", "", "AB", "0")),
    ("Players", "", f"{NAMES} 1"),
    ("Players", "Ana|Bo", f"{NAMES} 2"),
    ("Players", "1|2|3|4|5|6|7", f"{NAMES} 7"),
    *(("Score", value, "expected the score of each seat") for value in (
        "", "63, 46", "63  46", " 63", "063", "-1", "12345", "\u0663", "?",
    )),
    *(("Date", value, "expected a date in ISO 8601, UTC") for value in (
        "", "today", "2026-13-01", "15/11/2026", "2026-11-15T20:47+01:00", "\uff12026-11-15",
    )),
])  # fmt: skip
def test_a_bad_value_is_refused_with_its_place(name: str, value: str, expected: str) -> None:
    rows = [row for row in HEAD.splitlines() if not row.startswith(f"[{name} ")]
    check("\n".join([*rows, f'[{name} "¦{value}"]', "", ""]), expected)


CARD = "expected a card or :"
BID = "expected a bid such as A3, a pass such as A- or |"
CHOICE = "expected the house that a seat sells, such as A12, or |"
BOUGHT = "expected what a seat took and lost, such as A23@3"
EARNED = "expected the cheque that a seat took, such as A15"
A_LINE = "expected an auction such as B1 or a sale such as S1"
A_SPACE = "expected the next word after one space"
A_SEAT = "expected a seat from A to D"


@pytest.mark.parametrize(("row", "expected"), [
    ("¦", "expected an auction, a sale or a comment, got the end of the line"),
    ("¦ B1 5 :", "expected an auction, a sale or a comment, got a space"),
    *((f"¦{head} 5 :", A_LINE) for head in ("B0", "B", "C1", "b1", "B01", "B12345", "B1:", "B\u0661", "1", ":", "}")),
    ("B1¦", f"{CARD}, got the end of the line"),
    ("B1 5¦", f"{CARD}, got the end of the line"),
    ("B1 5 ¦", f"{A_SPACE}, got the end of the line"),
    ("B1 ¦ 5 :", f"{A_SPACE}, got a space"),
    ("B1 5 : ¦ A1", f"{A_SPACE}, got a space"),
    ("B1 5 : A1 ¦", f"{A_SPACE}, got the end of the line"),
    ("B1 {x} ¦", f"{A_SPACE}, got the end of the line"),
    *((f"B1 5 ¦{card} :", CARD) for card in ("05", "00", "-5", "+5", "12345", "5.0", "A1", "\u0665", "??", "|", "5:")),
    *((f"B1 5 : ¦{word}", BID) for word in (
        "A", "A01", "A00", "A-1", "A+1", "A12345", "A--", "A?", "a1", "1", "G1", "A1**", "*", "A*", "A1@0", ":",
        "A\u0661",
    )),
    *((f"S1 5 : ¦{word}", CHOICE) for word in ("A", "A-", "A05", "A12345", "A??", "G5", "?", "A5@0", ":", "A5|")),
    *((f"B1 5 : | ¦{word}", BOUGHT) for word in (
        "A5", "A5@", "A@0", "A05@0", "A5@00", "A5@12345", "A-@0", "A5@0*", "|", ":",
    )),
    *((f"S1 5 : | ¦{word}", EARNED) for word in ("A", "A?", "A5@0", "A.", "A05", "A12345", "A5*", "|", "G5")),
    ("B1 5 : ¦E1", f"{A_SEAT}, got E"),
    ("B1 5 : A1 ¦F- C2", f"{A_SEAT}, got F"),
    ("S1 5 : ¦E1", f"{A_SEAT}, got E"),
    ("B1 5 : | A5@0 ¦E5@0", f"{A_SEAT}, got E"),
    ("S1 5 : | {why} ¦F5", f"{A_SEAT}, got F"),
    ("¦{open", "expected a } that ends this comment"),
    ("B1 5 : ¦{open", "expected a } that ends this comment"),
    ("B1 {a}¦{b} 5 :", "expected a space, got {b}"),
    ("B1¦{a} 5 :", "expected a space, got {a} 5 :"),
    ("{a}¦B1 5 :", "expected a space, got B1 5 :"),
    ("B1 ¦} 5 :", CARD),
])  # fmt: skip
def test_bad_lines_are_refused_with_their_place(row: str, expected: str) -> None:
    check(f"{HEAD}\n{row}\n", expected)
    if row != "¦":  # an empty last line is a final newline
        check(f"{HEAD}\nB1 5 :\n{{remark}}\n{row}", expected)


@pytest.mark.parametrize("row", ["B1 5 ¦\t: A1", "B1 5 : {¦\0}", "B1 5 :¦\x1b[0m", "¦\x85", "{¦\x7f}", "B1 5 :¦\v"])
def test_control_characters_are_refused(row: str) -> None:
    check(f"{HEAD}\n{row}\n", "expected no control character, got '\\")


@pytest.mark.parametrize(
    "text", ['[ForSale "1"]¦\r\n[Edition "classic"]\r\n', f"{HEAD}\nB1 5 :¦\r\n", f"{HEAD}\n¦\rB1 5 :"]
)
def test_carriage_returns_are_refused_by_name(text: str) -> None:
    check(text, "a carriage return; lines end with LF alone")


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^line 6, column 7: expected no control character"):
        record.from_text(f"{HEAD}\nB1 5 {{\ud800}} :\n")


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3", b"\x80", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"])
def test_what_is_not_utf_8_is_refused(bad: bytes) -> None:
    before = f"{HEAD}\n{{é🏠".encode()
    error = refusal(before + bad + b"}\n")
    assert (error.line, error.column, error.reason) == (6, 4, "expected UTF-8 text")
    assert refusal(bad).column == 1


def test_a_record_has_at_most_a_mebibyte() -> None:
    head = f"{HEAD}\n".encode()
    fits = head + b"{" + b"x" * (record.MAX_BYTES - len(head) - 2) + b"}"
    assert record.from_bytes(fits).to_bytes() == fits
    error = refusal(fits + b"\n")
    assert (error.line, error.column) == (1, 1)
    assert "at most 1048576 bytes" in error.reason


def test_a_record_is_a_value() -> None:
    sample: Record = record.from_text(SAMPLE)
    assert sample == record.from_text(SAMPLE)
    assert hash(sample) == hash(record.from_text(SAMPLE))
