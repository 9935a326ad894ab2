"""Writing: every position of every game is written, read back and replayed the same, byte for byte."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forsale import editions, record, view
from forsale.game import BUYING, SELLING, Bid, Decks, HouseChosen, Pass, Sell, State, new_game, outcome
from forsale.record import Comment, Line, Record, RecordError, Remark
from tests.games import COMBOS, NAMES, Combo, Turn, combo_game, play

TAGS = ("ForSale", "Edition", "Variant", "Players", "First", "Score", "Date")


def text_without(forbidden: str) -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=forbidden), max_size=12)


@st.composite
def positions(draw: st.DrawFn) -> State:
    game = combo_game(draw(st.sampled_from(COMBOS)), draw(st.integers(0, 2**32)))
    return game.after(draw(st.integers(0, len(game.turns))))


@st.composite
def decorated(draw: st.DrawFn) -> tuple[State, Record]:
    """A position and its record, with everything that may stand in one: marks, comments, remarks, names, tags."""
    state = draw(positions())
    seats = state.rules.seats
    players = draw(st.lists(text_without('|"'), min_size=seats, max_size=seats))
    tag_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in TAGS)
    tags = draw(st.dictionaries(tag_names, text_without('"'), max_size=3))
    autos = draw(st.sets(st.integers(0, len(state.history)), max_size=20))
    written = record.from_position(state, players, tags, autos)
    lines: list[Line | Remark] = list(written.lines)
    for index, before, text in draw(st.lists(st.tuples(st.integers(0), st.integers(0), text_without("}")), max_size=5)):
        line = lines[index % len(lines)]
        assert isinstance(line, Line)
        comments = [*line.comments, Comment(before % (len(line.tokens()) + 1), text)]
        comments.sort(key=lambda comment: comment.before)
        lines[index % len(lines)] = replace(line, comments=tuple(comments))
    for index, texts in draw(
        st.lists(st.tuples(st.integers(0), st.lists(text_without("}"), min_size=1, max_size=2)), max_size=3)
    ):
        lines.insert(index % (len(lines) + 1), Remark(tuple(texts)))
    return state, Record(written.tags, tuple(lines), ends_with_newline=draw(st.booleans()))


def public(state: State) -> State:
    """All of a position but the decks, and the order in which seats chose."""
    return state._replace(decks=Decks((), ()), history=())


@given(decorated())
def test_what_was_read_is_written_back_byte_for_byte(case: tuple[State, Record]) -> None:
    _, written = case
    data = written.to_bytes()
    again = record.from_bytes(data)
    assert again == written
    assert again.to_bytes() == data


@given(decorated())
def test_a_record_leads_to_the_position_that_it_was_written_from(case: tuple[State, Record]) -> None:
    state, written = case
    game = record.replay(record.from_bytes(written.to_bytes()))
    assert public(game.state) == public(state)
    assert (game.hidden, game.problems) == (frozenset(), ())


@given(positions())
def test_a_replayed_game_is_written_the_same(state: State) -> None:
    written = record.from_position(state, NAMES[: state.rules.seats])
    again = record.from_position(record.replay(written).state, NAMES[: state.rules.seats])
    assert again.to_bytes() == written.to_bytes()


@given(positions(), st.integers(0, 6))
def test_the_record_of_a_view_tells_what_that_seat_knows(state: State, number: int) -> None:
    seat = number if number < state.rules.seats else None
    written = record.from_position(view.of(state, seat), NAMES[: state.rules.seats])
    game = record.replay(record.from_bytes(written.to_bytes()))
    others = {i for i, choice in enumerate(state.choices) if choice is not None and i != seat}
    assert game.hidden == others
    known = state._replace(choices=tuple(None if i in others else choice for i, choice in enumerate(state.choices)))
    assert public(game.state) == public(known)


# --- The words of a record -----------------------------------------------------------------------------------


def start(cheques: Sequence[int] = (0, 10, 11), variant: str | None = None, name: str = "iello-2020") -> State:
    """Three seats; the houses come in order, and so do the cheques after the first."""
    edition = editions.load(name)
    rules = edition.rules(3, variant)
    rest = list(rules.cheques)
    for cheque in cheques:
        rest.remove(cheque)
    deck, gone = (*cheques, *rest), rules.removed
    left = len(deck) - gone
    return new_game(edition, 3, Decks(rules.houses[:left], deck[:left], rules.houses[left:], deck[left:]), 0, variant)


def rows(position: State | view.View, tags: Mapping[str, str] | None = None, autos: Sequence[int] = ()) -> list[str]:
    return record.from_position(position, ["Ana", "Bo", "Cy"], tags, autos).to_text().splitlines()


def bought() -> State:
    """Everybody always passes: A, B and C hold ten houses each."""
    state = start()
    while state.phase is BUYING:
        state = play(state, [(state.bidders[0], Pass())])
    return state


def test_the_tags_of_a_game_that_goes_on() -> None:
    assert rows(start(variant="scarce"), tags={"Table": "7", "Date": "2026-11-15"}) == [
        '[ForSale "1"]',
        '[Edition "iello-2020"]',
        '[Variant "scarce"]',
        '[Players "Ana|Bo|Cy"]',
        '[First "A"]',
        '[Table "7"]',
        '[Date "2026-11-15"]',
        "",
        "B1 1 2 :",
    ]


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_the_score_is_written_when_the_game_is_over(combo: Combo) -> None:
    game = combo_game(combo, seed=0)
    result = outcome(game.end)
    assert result is not None
    assert record.from_position(game.after(len(game.turns) - 1), NAMES[: combo.seats]).tag("Score") is None
    score = record.from_position(game.end, NAMES[: combo.seats]).tag("Score")
    assert score == " ".join(map(str, result.scores))


AUCTION: list[Turn] = [(0, Bid(1)), (1, Bid(2)), (2, Bid(5)), (0, Bid(6)), (1, Pass()), (2, Pass())]


@pytest.mark.parametrize(("played", "row"), [
    (0, "B1 1 2 3 :"),
    (3, "B1 1 2 3 : A1 B2 C5"),
    (5, "B1 1 2 3 : A1 B2 C5 A6 B-"),
    (6, "B1 1 2 3 : A1 B2 C5 A6 B- C- | A3@6 B1@1 C2@3"),
])  # fmt: skip
def test_an_auction_is_its_market_its_actions_and_what_each_took_and_lost(played: int, row: str) -> None:
    written = rows(play(start(), AUCTION[:played]))
    assert written[5:] == ([row] if played < 6 else [row, "B2 4 5 6 :"])


def test_a_seat_that_got_no_house_has_a_dot() -> None:
    state = play(start(variant="scarce"), [(0, Bid(3)), (1, Bid(4)), (2, Pass()), (0, Pass())])
    assert rows(state)[6] == "B1 1 2 : A3 B4 C- A- | A1@2 B2@4 C.@0"


def test_a_bid_of_0_is_a_bid() -> None:
    assert rows(play(start(name="manual"), [(0, Bid(0)), (1, Pass())]))[5] == "B1 1 2 3 : A0 B-"


def test_a_sale_is_written_in_seat_order_and_with_the_last_choice() -> None:
    state = bought()
    low, high = (tuple(hand[i] for hand in state.hands) for i in (0, 1))
    choices: list[Turn] = [(2, Sell(high[2])), (1, Sell(low[1])), (2, Sell(low[2]))]
    state = play(state, choices)
    assert rows(state)[-1] == f"S1 0 10 11 : B{low[1]} C{low[2]}"
    state = play(state, [(0, Sell(low[0]))])
    taken = dict(zip(sorted(low), (0, 10, 11), strict=True))
    result = " ".join(f"{letter}{taken[house]}" for letter, house in zip("ABC", low, strict=True))
    assert rows(state)[-2] == f"S1 0 10 11 : A{low[0]} B{low[1]} C{low[2]} | {result}"


def test_in_a_seats_own_record_the_others_choices_are_question_marks_until_the_reveal() -> None:
    state = bought()
    houses = [hand[0] for hand in state.hands]
    state = play(state, [(0, Sell(houses[0])), (1, Sell(houses[1]))])
    assert rows(view.of(state, 0))[-1] == f"S1 0 10 11 : A{houses[0]} B?"
    assert rows(view.of(state, 1))[-1] == f"S1 0 10 11 : A? B{houses[1]}"
    assert rows(view.of(state, 2))[-1] == rows(view.of(state, None))[-1] == "S1 0 10 11 : A? B?"
    state = play(state, [(2, Sell(houses[2]))])
    assert rows(view.of(state, 2)) == rows(view.of(state, None)) == rows(state)


def test_what_the_server_played_has_a_star() -> None:
    assert rows(play(start(), AUCTION), autos=[2, 5])[5] == "B1 1 2 3 : A1 B2* C5 A6 B-* C- | A3@6 B1@1 C2@3"
    state = bought()
    houses = [hand[0] for hand in state.hands]
    state = play(state, [(1, Sell(houses[1])), (0, Sell(houses[0])), (1, Sell(houses[1]))])
    first, second = (i for i, event in enumerate(state.history) if isinstance(event, HouseChosen) and event.seat == 1)
    assert rows(state, autos=[second])[-1] == f"S1 0 10 11 : A{houses[0]} B{houses[1]}*"
    assert rows(state, autos=[first])[-1] == f"S1 0 10 11 : A{houses[0]} B{houses[1]}"
    assert rows(view.of(state, 0), autos=[second])[-1] == f"S1 0 10 11 : A{houses[0]} B?*"
    ended = play(state, [(2, Sell(houses[2]))])
    assert rows(ended, autos=[second])[-2].startswith(f"S1 0 10 11 : A{houses[0]} B{houses[1]}* C{houses[2]} |")


def test_a_last_holder_takes_every_cheque_in_a_sale_without_choices() -> None:
    """C outbids everyone; the lower house goes to A and to B by turns."""
    state = start(variant="scarce")
    while state.phase is BUYING:
        seat = state.bidders[0]
        raises = seat == 2 or (seat == 0 and state.number % 2 == 0 and state.bids[0] is None)
        state = play(state, [(seat, Bid((state.highest_bid or 0) + 1) if raises else Pass())])
    assert tuple(map(len, state.hands)) == (5, 5, 10)
    while state.to_act:
        seat = min(state.to_act)
        state = play(state, [(seat, Sell(state.hands[seat][0]))])
    market = state.decks.cheques[15:20]
    cheques, taken = " ".join(map(str, market)), " ".join(f"C{cheque}" for cheque in market)
    assert rows(state)[-1] == f"S6 {cheques} : | {taken}"


# --- What cannot be written ----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [[], ["Ana", "Bo"], ["Ana", "Bo", "Cy", "Di"]])
def test_there_is_a_name_for_each_seat(players: list[str]) -> None:
    with pytest.raises(ValueError, match=f"expected 3 players, got {len(players)}"):
        record.from_position(start(), players)


@pytest.mark.parametrize("name", ["a|b", 'a"b', "a\nb", "\t", "\x00", "\x7f", "\x85", "\ud800"])
def test_a_name_that_would_break_the_record_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a name may hold any character but"):
        record.from_position(start(), ["Ana", name, "Cy"])


@pytest.mark.parametrize("tags", [
    {"a b": "x"},
    {"": "x"},
    {"É": "x"},
    {"Table": 'a"b'},
    {"Table": "a\rb"},
    {"Table": "a\tb"},
    {"Table": "\ud800"},
    {"Date": "yesterday"},
    {"Score": "none"},
    {"Table": 'a"]\n[Secret "b'},
    {'Table "a"]\n[Secret': "b"},
    {"Table": 'a"]\n\n{"]\n'},
], ids=repr)  # fmt: skip
def test_a_tag_that_would_not_be_read_back_as_it_is_is_refused(tags: dict[str, str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - a RecordError is one, and says where
        record.from_position(start(), ["Ana", "Bo", "Cy"], tags)


@pytest.mark.parametrize("tag", ["ForSale", "Edition", "Variant", "Players", "First", "Score"])
def test_a_tag_that_the_game_itself_tells_cannot_be_given(tag: str) -> None:
    values = {"ForSale": "1", "Variant": "scarce", "Players": "Ana|Bo|Cy", "First": "A", "Score": "1 2 3"}
    with pytest.raises(ValueError, match=tag):
        record.from_position(start(), ["Ana", "Bo", "Cy"], {tag: values.get(tag, "iello-2020")})


def test_a_position_without_a_market_has_no_record() -> None:
    state = new_game(editions.load("classic"), 3, Decks((), (), partial=True), 0)
    with pytest.raises(ValueError, match="expected a position with at least the first market dealt"):
        record.from_position(state, ["Ana", "Bo", "Cy"])


def test_a_record_error_says_line_column_and_reason() -> None:
    error = RecordError(7, 12, "expected a card")
    assert str(error) == "line 7, column 12: expected a card"
    assert (error.line, error.column, error.reason) == (7, 12, "expected a card")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_position_may_be_written_at_any_time() -> None:
    """Also where a sale is over and the next cheques are not known."""
    state = bought()
    partial = new_game(
        editions.load("iello-2020"), 3, replace(state.decks, cheques=state.decks.cheques[:3], partial=True), 0
    )
    while partial.to_act:
        seat = min(partial.to_act)
        partial = play(partial, [(seat, Pass() if partial.phase is BUYING else Sell(partial.hands[seat][0]))])
    assert (partial.phase, partial.market) == (SELLING, ())
    assert rows(partial)[-1].startswith("S1 0 10 11 : ")
