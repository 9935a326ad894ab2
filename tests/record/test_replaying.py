"""Replaying: a record leads where the game led, and one that breaks a rule is refused at the very word."""

from dataclasses import replace

import pytest

from forsale import editions, record
from forsale.editions import Edition
from forsale.game import BUYING, OVER, SELLING, HouseChosen, Phase, Sell, apply, new_game, outcome
from forsale.record import Moment, Record, RecordError, Replay
from tests.games import COMBOS, Combo, marked
from tests.make_golden import path_of
from tests.record.test_reading import SAMPLE

TINY = editions.from_toml("""
id = "tiny"
name = "Six houses"
source = "these tests"
cards = { houses = [1, 2, 3, 4, 5, 6], cheques = [0, 2, 3, 4, 5, 6] }
setup = { coins = { 3 = 5 }, removed = { 3 = 0 } }
rules = { refund = "down", lowest_bid = 1, coins_hidden = "may" }
variants.scarce = { short = 2, removed = { 3 = 0 } }
[words.en]
house = ["House", "Houses"]
cheque = ["Cheque", "Cheques"]
coin = ["Coin", "Coins"]
scarce = "Less"
""")
GOOD = """\
[ForSale "1"]
[Edition "tiny"]
[Players "Ana|Bo|Cy"]
[First "B"]
[Score "8 11 10"]

B1 1 4 6 : B1 C2 A- B- | A1@0 B4@1 C6@2
B2 2 3 5 : C- A1 B2 A- | A3@1 B5@2 C2@0
S1 0 3 5 : A1 B4 C6 | A0 B3 C5
S2 2 4 6 : A3 B5 C2 | A4 B6 C2
"""
SCARCE = """\
[ForSale "1"]
[Edition "tiny"]
[Variant "scarce"]
[Players "Ana|Bo|Cy"]
[First "A"]
[Score "11 8 12"]

B1 1 : A- B- | A.@0 B.@0 C1@0
B2 2 : C- A- | A.@0 B2@0 C.@0
B3 3 : B- C- | A3@0 B.@0 C.@0
B4 4 : A1 B- C2 A- | A.@0 B.@0 C4@2
B5 5 : C1 A- B- | A.@0 B.@0 C5@1
B6 6 : C1 A- B- | A.@0 B.@0 C6@1
S1 0 3 6 : A3 B2 C1 | A6 B3 C0
S2 2 4 5 : | C2 C4 C5
"""
TWO_HOLDERS = (
    SCARCE.partition("B1")[0]
    + """\
B1 1 : A- B- | A.@0 B.@0 C1@0
B2 2 : C- A1 B- | A2@1 B.@0 C.@0
B3 3 : A- B- | A.@0 B.@0 C3@0
B4 4 : C- A1 B- | A4@1 B.@0 C.@0
B5 5 : A- B- | A.@0 B.@0 C5@0
B6 6 : C- A1 B- | A6@1 B.@0 C.@0
"""
)


def replay(text: str, strict: bool = True, edition: Edition | None = TINY) -> Replay:
    return record.replay(record.from_text(text), edition, strict)


def with_row(number: int, row: str, then: bool = True, text: str = GOOD) -> str:
    """A good record with another row, and those after it or not."""
    rows = text.splitlines()
    return "\n".join([*rows[: number - 1], row, *(rows[number:] if then else [])])


def without(tag: str, text: str = GOOD) -> str:
    return "".join(row for row in text.splitlines(keepends=True) if not row.startswith(f"[{tag} "))


def refusal(text: str, edition: Edition | None = TINY) -> RecordError:
    with pytest.raises(RecordError) as caught:
        replay(text, edition=edition)
    return caught.value


def check(text: str, expected: str, edition: Edition | None = TINY) -> None:
    """The text without its mark is refused where the mark stood."""
    text, line, column = marked(text)
    error = refusal(text, edition)
    assert (error.line, error.column) == (line, column), str(error)
    assert expected in error.reason


# --- Good records --------------------------------------------------------------------------------------------


def test_a_whole_game_gives_coins_hands_cheques_and_outcome() -> None:
    game = replay(GOOD)
    state = game.state
    assert game.edition is TINY
    assert (game.hidden, game.problems) == (frozenset(), ())
    assert state.phase is OVER
    assert state.coins == (4, 2, 3)
    assert state.hands == ((), (), ())
    assert state.cheques == ((0, 4), (3, 6), (5, 2))
    result = outcome(state)
    assert result is not None
    assert (result.scores, result.winners) == ((8, 11, 10), (1,))


def test_in_the_variant_some_get_no_house_and_the_last_holder_takes_all() -> None:
    state = replay(SCARCE).state
    assert state.phase is OVER
    assert state.coins == (5, 5, 1)
    assert state.cheques == ((6,), (3,), (0, 2, 4, 5))


def test_the_cards_of_a_whole_game_tell_what_was_removed() -> None:
    for combo in COMBOS:
        state = record.replay(record.from_bytes(path_of(combo).read_bytes())).state
        assert not state.decks.partial
        assert len(state.decks.removed_houses) == len(state.decks.removed_cheques) == state.rules.removed
        assert sorted(state.decks.houses + state.decks.removed_houses) == list(state.rules.houses)
        assert sorted(state.decks.cheques + state.decks.removed_cheques) == list(state.rules.cheques)


def test_the_auctions_of_the_formats_sample_follow_the_rules() -> None:
    text = without("Score", SAMPLE.partition("S1")[0])
    state = replay(text, edition=None).state
    assert state.coins == (15, 17, 15, 17)
    assert state.hands == ((11, 18), (2, 13), (3, 21), (4, 5))


@pytest.mark.parametrize(("rows", "phase", "number", "coins"), [
    ("", BUYING, 1, (5, 5, 5)),
    ("B1 1 4 6 :", BUYING, 1, (5, 5, 5)),
    ("B1 1 4 6 : B1 C2", BUYING, 1, (5, 4, 3)),
    ("B1 1 4 6 : B1 C2 A-", BUYING, 1, (5, 4, 3)),
    ("B1 1 4 6 : B1 C2 A- B- | A1@0 B4@1 C6@2", BUYING, 2, (5, 4, 3)),
    ("B1 ? ? ? :", BUYING, 1, (5, 5, 5)),
    ("{only a remark}", BUYING, 1, (5, 5, 5)),
])  # fmt: skip
def test_a_truncated_record_is_a_position(rows: str, phase: Phase, number: int, coins: tuple[int, ...]) -> None:
    state = replay(without("Score").partition("B1")[0] + rows).state
    assert (state.phase, state.number, state.coins) == (phase, number, coins)
    assert outcome(state) is None


def cut(number: int, row: str, text: str = GOOD) -> str:
    return with_row(number - 1, row, then=False, text=without("Score", text))


@pytest.mark.parametrize(
    ("number", "row"), [(8, "B2 2 ? 5 :"), (8, "B2 ? ? ? :"), (9, "S1 ? 3 ? :"), (10, "S2 2 4 ? :")]
)
def test_unknown_cards_may_stand_in_a_last_line(number: int, row: str) -> None:
    state = replay(cut(number, row)).state
    assert (state.phase, state.number) == (BUYING if row[0] == "B" else SELLING, int(row[1]))
    assert (state.market, state.to_act) == ((), frozenset())


@pytest.mark.parametrize(("number", "row"), [(9, "B2 ? :"), (14, "S1 0 ? ? :"), (15, "S2 2 ? ? :")])
def test_unknown_cards_are_as_many_as_the_variant_turns_up(number: int, row: str) -> None:
    state = replay(cut(number, row, SCARCE)).state
    assert (state.phase, state.number, state.market) == (BUYING if row[0] == "B" else SELLING, int(row[1]), ())


def test_unknown_cards_are_as_many_as_seats_hold_houses() -> None:
    state = replay(without("Score", TWO_HOLDERS) + "S1 ? ? :").state
    assert (state.phase, state.number, state.cheques_left) == (SELLING, 1, 6)


def test_unknown_choices_may_stand_in_a_last_line() -> None:
    game = replay(cut(9, "S1 0 3 5 : A? B4 C?*"))
    assert game.hidden == frozenset({0, 2})
    assert game.state.choices == (None, 4, None)
    assert game.state.hands == ((1, 3), (4, 5), (2, 6))


# --- The way there -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_the_moments_are_the_game_action_by_action(combo: Combo) -> None:
    first, *others = record.replay(record.from_bytes(path_of(combo).read_bytes())).moments
    state = new_game(combo.load(), combo.seats, first.state.decks, first.state.bidders[0], combo.variant)
    assert first == Moment(None, None, state.history, state, frozenset())
    for moment in others:
        assert moment.seat is not None
        assert moment.action is not None
        state, events = apply(state, moment.seat, moment.action)
        assert (moment.state, moment.events, moment.hidden) == (state, events, frozenset())
    assert state.phase is OVER


def test_without_a_line_there_is_only_the_deal_which_is_not_known() -> None:
    (deal,) = replay(without("Score").partition("B1")[0]).moments
    assert (deal.seat, deal.action, deal.events, deal.state.market) == (None, None, (), ())


def test_a_choice_that_is_not_known_is_a_moment_too() -> None:
    *_, last, first, known, unknown = replay(cut(9, "S1 0 3 5 : A? B4 C?*")).moments
    assert (first.seat, first.action, first.events) == (0, None, (HouseChosen(0, None),))
    assert first.state is last.state
    assert (known.seat, known.action, known.events) == (1, Sell(4), (HouseChosen(1, 4),))
    assert (unknown.seat, unknown.action, unknown.events) == (2, None, (HouseChosen(2, None),))
    assert [moment.hidden for moment in (last, first, known, unknown)] == [set(), {0}, {0}, {0, 2}]


def test_comments_and_marks_change_nothing() -> None:
    text = GOOD.replace("B1 1 4 6 :", "{a remark}\n{one} B1 {two} 1 4 6 : {three}").replace("A- B-", "A-* {slow} B-")
    assert replay(text).state == replay(GOOD).state


# --- Tags that do not fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new", "expected"), [
    ('"8 11 10"', '"¦8 11 11"', "expected 8 11 10, got 8 11 11"),
    ('"8 11 10"', '"¦8 11"', "expected 8 11 10, got 8 11"),
    ('"8 11 10"', '"¦8 11 10 0"', "expected 8 11 10, got 8 11 10 0"),
    ('[Score "8 11 10"]\n', "¦", 'expected [Score "8 11 10"]'),
    ('"tiny"', '"¦other"', "expected tiny, the edition given, got 'other'"),
    ('"Ana|Bo|Cy"', '"¦Ana|Bo|Cy|Di"', "seats: expected 3 seats, got 4"),
    ("[First", '[Variant "¦plenty"]\n[First', "variant: expected scarce or none"),
    ("[First", '[Variant "¦"]\n[First', "variant: expected scarce or none"),
    ('[First "B"]', '[First "A"]', "it is the turn of seat A, not of seat B"),
])  # fmt: skip
def test_tags_that_do_not_fit_the_game_are_refused_with_their_place(old: str, new: str, expected: str) -> None:
    text = GOOD.replace(old, new, 1)
    check(text if "¦" in text else text.replace(": B1", ": ¦B1"), expected)


def test_a_score_before_the_end_is_refused() -> None:
    text = GOOD.partition("S2")[0]
    check(text.replace("8 11 10", "¦8 11 10"), "expected no score before the game is over")


def test_the_record_of_an_own_edition_needs_the_edition() -> None:
    check(GOOD.replace('"tiny"', '"¦tiny"'), "or the file of 'tiny' to be given with it", edition=None)
    check(GOOD.replace('"tiny"', '"¦classic"'), "expected tiny, the edition given, got 'classic'")


# --- Lines that break a rule ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "row", "expected"), [
    # the result
    (7, "B1 1 4 6 : B1 C2 A- B- | A1@0 ¦B4@0 C6@2", "expected B4@1, got B4@0"),
    (7, "B1 1 4 6 : B1 C2 A- B- | A1@0 ¦C6@2 B4@1", "expected B4@1, got C6@2"),
    (7, "B1 1 4 6 : B1 C2 A- B- | ¦A.@0 B4@1 C6@2", "expected A1@0, got A.@0"),
    (7, "B1 1 4 6 : B1 C2 A- B- | {why?} ¦A4@0 B4@1 C6@2", "expected A1@0, got A4@0"),
    (7, "B1 1 4 6 : B1 C2 A- B- | A1@0 B4@1 C6@2 ¦C6@2", "expected the end of the line, got C6@2"),
    (9, "S1 0 3 5 : A1 B4 C6 | A0 B3 ¦C6", "expected C5, got C6"),
    (9, "S1 0 3 5 : A1 B4 C6 | A0 B3 C5 ¦C5", "expected the end of the line, got C5"),
    # actions
    (7, "B1 1 4 6 : ¦B0 C2 A- B- | A1@0 B4@1 C6@2", "below the lowest opening bid, 1"),
    (7, "B1 1 4 6 : B1 ¦C1 A- B- | A1@0 B4@1 C6@2", "bid 1 is not above the standing 1"),
    (7, "B1 1 4 6 : B1 ¦C6 A- B- | A1@0 B4@1 C6@2", "bid 6 is more than the 5 that seat C has"),
    (7, "B1 1 4 6 : ¦A1 C2 A- B- | A1@0 B4@1 C6@2", "it is the turn of seat B, not of seat A"),
    (7, "B1 1 4 6 : B1 C2 A- ¦A3 | A1@0 B4@1 C6@2", "seat A has passed in this auction"),
    (7, "B1 1 4 6 : B1 C2 A- {hm} B- ¦C3 | A1@0 B4@1 C6@2", "expected | and the result, got C3"),
    (7, "B1 1 4 6 : B1 C2 A- ¦| A1@0 B4@1 C6@2", "expected an action of seat B"),
    (7, "B1 1 4 6 : ¦| A1@0 B4@1 C6@2", "expected an action of seat B"),
    (9, "S1 0 3 5 : A1 ¦B6 C4 | A0 B3 C5", "house 6 is not in the hand of seat B: 4, 5"),
    (9, "S1 0 3 5 : ¦A0 B4 C6 | A0 B3 C5", "house 0 is not in the hand of seat A: 1, 3"),
    (9, "S1 0 3 5 : B4 ¦A1 C6 | A0 B3 C5", "expected the seats in order, got A1"),
    (9, "S1 0 3 5 : A1 ¦A3 B4 C6 | A0 B3 C5", "expected the seats in order, got A3"),
    (9, "S1 0 3 5 : A1 B4 ¦| A0 B3 C5", "expected the house that C sells"),
    (9, "S1 0 3 5 : B4 ¦| A0 B3 C5", "expected the house that A, C sells"),
    (10, "S2 2 4 6 : A3 B5 ¦C6 | A4 B6 C2", "house 6 is not in the hand of seat C: 2"),
    # heads
    (7, "¦B2 1 4 6 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected B1, got B2"),
    (8, "{x} ¦B1 2 3 5 : C- A1 B2 A- | A3@1 B5@2 C2@0", "expected B2, got B1"),
    (8, "¦S1 : C2 | C2", "expected B2, got S1"),
    (9, "¦S2 0 3 5 : A1 B4 C6 | A0 B3 C5", "expected S1, got S2"),
    (9, "¦B3 : |", "expected S1, got B3"),
    (10, "¦S3 2 4 6 : A3 B5 C2 | A4 B6 C2", "expected S2, got S3"),
    # markets
    (7, "B1 1 6 ¦4 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected the market in ascending order, got 4"),
    (7, "B1 1 4 ¦4 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected a house not yet seen, got 4"),
    (7, "B1 1 4 ¦7 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected a house not yet seen, got 7"),
    (7, "B1 ¦0 4 6 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected a house not yet seen, got 0"),
    (8, "B2 2 3 {!} ¦4 : C- A1 B2 A- | A3@1 B5@2 C2@0", "expected a house not yet seen, got 4"),
    (9, "S1 0 ¦1 5 : A1 B4 C6 | A0 B3 C5", "expected a cheque not yet seen, got 1"),
    (10, "S2 ¦0 4 6 : A3 B5 C2 | A4 B6 C2", "expected a cheque not yet seen, got 0"),
    (7, "B1 1 4 ¦: B1 C2 A- B- | A1@0 B4@1 C6@2", "expected 3 houses in the market, got 2"),
    (8, "B2 ¦: |", "expected 3 houses in the market, got 0"),
    (10, "S2 2 6 ¦: A3 B5 C2 | A4 B6 C2", "expected 3 cheques in the market, got 2"),
    # cards and choices that are not known
    (7, "B1 1 ¦? 6 : B1 C2 A- B- | A1@0 B4@1 C6@2", "expected a known card, or ? in a last line without actions"),
    (8, "B2 ¦? 3 5 :", "expected a known card"),
    (9, "S1 0 3 5 : A1 B? C6 ¦| A0 B3 C5", "expected the house that B sells"),
])  # fmt: skip
def test_a_line_that_breaks_a_rule_is_refused_with_its_place(number: int, row: str, expected: str) -> None:
    check(with_row(number, row), expected)


@pytest.mark.parametrize(("number", "row", "expected"), [
    (7, "B1 1 4 6 : B1 C2 A- B-", "expected |, got the end of the line"),
    (7, "B1 1 4 6 : B1 C2 A- B- |", "expected A1@0, got the end of the line"),
    (7, "B1 1 4 6 : B1 C2 A- B- | A1@0 {and?}", "expected B4@1, got the end of the line"),
    (7, "B1 1 4 6 : B1 C2", "expected an action of seat A"),
    (7, "B1 1 4 6 :", "expected an action of seat B"),
    (9, "S1 0 3 5 :", "expected the house that A, B, C sells"),
    (9, "S1 0 3 5 : A1 B4 C?", "expected the house that C sells"),
    (9, "S1 0 3 5 : A1 B4 C6 | A0 B3", "expected C5, got the end of the line"),
])  # fmt: skip
def test_a_line_that_ends_too_early_is_refused_where_the_next_word_would_stand(
    number: int, row: str, expected: str
) -> None:
    error = refusal(with_row(number, row))
    assert (error.line, error.column) == (number, len(row) + 2)
    assert expected in error.reason


@pytest.mark.parametrize(("number", "row", "expected"), [
    (7, "B1 1 4 5 ¦6 :", "expected 3 houses in the market, got 4"),
    (7, "B1 1 4 6 ¦? :", "expected 3 houses in the market, got 4"),
    (8, "B2 2 ? ¦:", "expected 3 houses in the market, got 2"),
    (8, "B2 2 ¦? 5 : C-", "expected a known card, or ? in a last line without actions"),
    (8, "B2 2 ¦? 5 : |", "expected a known card, or ? in a last line without actions"),
    (8, "¦B1 2 ? 5 :", "expected B2, got B1"),
    (8, "¦S1 ? ? ? :", "expected B2, got S1"),
    (9, "S1 0 ? ¦:", "expected 3 cheques in the market, got 2"),
    (9, "S1 0 3 ¦? : A1", "expected a known card, or ? in a last line without actions"),
    (9, "¦S2 ? ? ? :", "expected S1, got S2"),
    (9, "¦B3 ? ? ? :", "expected S1, got B3"),
    (9, "S1 0 3 5 : A? ¦A? B4", "expected the seats in order, got A?"),
    (9, "S1 0 3 5 : A1 B4 C? ¦| A0 B3 C5", "expected the house that C sells"),
    (11, "¦S3 :", "expected the end of the record, for the game is over"),
    (11, "¦B3 : |", "expected the end of the record, for the game is over"),
    (11, "S3 ¦2 :", "expected a cheque not yet seen, got 2"),
])  # fmt: skip
def test_a_last_line_that_breaks_a_rule_is_refused_with_its_place(number: int, row: str, expected: str) -> None:
    check(with_row(number, row, then=False), expected)


@pytest.mark.parametrize(("number", "row", "expected"), [
    (8, "B1 1 : A- B- | A.@0 ¦B1@0 C1@0", "expected B.@0, got B1@0"),
    (11, "B4 4 : A1 B- C2 A- | ¦A.@1 B.@0 C4@2", "expected A.@0, got A.@1"),
    (15, "S2 2 4 5 : ¦C4 | C2 C4 C5", "expected | and the result, got C4"),
    (15, "S2 2 4 5 : | C2 ¦C5 C4", "expected C4, got C5"),
    (15, "S2 2 4 5 : | ¦A2 C4 C5", "expected C2, got A2"),
    (15, "S2 2 4 ¦: | C2 C4", "expected 3 cheques in the market, got 2"),
    (15, "S2 2 4 ¦? : | C2 C4", "expected a known card, or ? in a last line without actions"),
])  # fmt: skip
def test_a_line_of_the_variant_that_breaks_a_rule_is_refused(number: int, row: str, expected: str) -> None:
    check(with_row(number, row, text=SCARCE), expected)


@pytest.mark.parametrize("word", ["B?", "B1"])
def test_a_seat_without_houses_cannot_sell(word: str) -> None:
    check(f"{TWO_HOLDERS}S1 0 3 : A2 ¦{word} C1\n", "expected a legal action, but seat B has")


def test_more_cards_than_the_deck_holds_are_refused() -> None:
    text = path_of(Combo("classic", 4, None)).read_text(encoding="utf-8")
    low, high = replay(text, edition=None).state.decks.removed_houses
    row = f"B8 ¦{low} {high} : |"
    number = next(n for n, row in enumerate(text.splitlines(), 1) if row.startswith("S1 "))
    check(with_row(number, row, text=text), "expected 28 cards in all, got more", edition=None)


def test_a_replay_is_strict_unless_told_otherwise() -> None:
    with pytest.raises(RecordError):
        record.replay(record.from_text(without("Score")), TINY)


# --- Lenient -------------------------------------------------------------------------------------------------


def places(game: Replay) -> list[tuple[int, int]]:
    return [(problem.line, problem.column) for problem in game.problems]


def test_a_lenient_replay_reports_each_line_that_disagrees_and_goes_on() -> None:
    text = GOOD.replace("8 11 10", "8 11 11").replace("B4@1 C6@2", "B4@0 C6@0").replace(" | A4 B6 C2", "")
    game = replay(text, strict=False)
    assert game.state == replay(GOOD).state
    assert places(game) == [(7, 31), (10, 21), (5, 9)]
    assert [problem.reason for problem in game.problems] == [
        "expected B4@1, got B4@0",
        "expected |, got the end of the line",
        "expected 8 11 10, got 8 11 11",
    ]


def test_a_lenient_replay_reports_a_missing_score() -> None:
    game = replay(without("Score"), strict=False)
    assert game.state.phase is OVER
    assert places(game) == [(5, 1)]


def test_a_lenient_replay_reports_a_score_before_the_end() -> None:
    game = replay(GOOD.partition("S2")[0], strict=False)
    assert game.state.phase is SELLING
    assert places(game) == [(5, 9)]


def test_a_lenient_replay_of_a_good_record_has_nothing_to_report() -> None:
    assert replay(GOOD, strict=False) == replay(GOOD)


@pytest.mark.parametrize(("number", "row"), [
    (7, "B1 1 4 6 : B1 C1 A- B- | A1@0 B4@1 C6@2"),
    (8, "B1 2 3 5 : C- A1 B2 A- | A3@1 B5@2 C2@0"),
    (9, "S1 0 3 3 : A1 B4 C6 | A0 B3 C5"),
    (11, "S3 :"),
])  # fmt: skip
def test_a_lenient_replay_still_refuses_what_cannot_be_played(number: int, row: str) -> None:
    with pytest.raises(RecordError, match=f"^line {number}, "):
        replay(with_row(number, row), strict=False)


def test_a_problem_is_where_it_would_be_in_the_file() -> None:
    """Lines are counted with tags, remarks and comments, also in a record that was changed since it was read."""
    written = record.from_text(GOOD.replace("S1 0", "{é}\n{a remark}\nS1 {é} 0").replace("B3 C5", "B4 C5"))
    longer = Record((*written.tags, ("Table", "x")), written.lines)
    assert places(record.replay(written, TINY, strict=False)) == [(11, 30)]
    assert places(record.replay(longer, TINY, strict=False)) == [(12, 30)]
    assert places(record.replay(replace(longer, ends_with_newline=False), TINY, strict=False)) == [(12, 30)]
