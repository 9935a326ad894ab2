"""Rows and actions: each number is what the position says, and nothing in it is secret.

What a row should be is worked out here from the state and its history, in plain numbers, part by part.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from forsale import editions, encoding, view
from forsale.editions import Edition
from forsale.encoding import EncodingError, Row
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    Action,
    Bid,
    Dealt,
    Decks,
    Pass,
    Passed,
    Phase,
    Sell,
    State,
    apply,
    legal_actions,
    new_game,
)
from tests.editions.test_editions import OWN, changed, document
from tests.games import COMBOS, Combo, Game, combo_game, play, random_game
from tests.test_docs import tables
from tests.test_view import every_combo, other_world, positions

PAGE = "docs/encoding.md"


class Seen(NamedTuple):
    """A position, a seat, and the row of its view."""

    state: State
    seat: int
    row: Row


def seen(game: Game) -> list[Seen]:
    """Every position of a game as every seat sees it."""
    return [
        Seen(state, seat, encoding.encode(view.of(state, seat)))
        for state in positions(game)
        for seat in range(state.rules.seats)
    ]


@cache
def seen_in(combo: Combo) -> list[Seen]:
    return seen(combo_game(combo, seed=0)) + seen(combo_game(combo, seed=1))


# --- Each part of a row -----------------------------------------------------------------------------------------------


def turned_up(state: State, phase: Phase) -> list[int]:
    """All houses, or all cheques, that have ever been in a market."""
    dealt = [event.market for event in state.history if isinstance(event, Dealt) and event.phase is phase]
    return [card for market in dealt for card in market]


def rules_of(state: State, _: int) -> list[int]:
    rules = state.rules
    auctions = len(range(0, rules.deck_size, rules.seats - rules.short))
    rounded_up = {"down": 0, "up": 1}[rules.refund]
    size = len(rules.houses) - rules.removed
    return [rules.seats, rules.coins, size, rules.removed, rules.short, rounded_up, rules.lowest_bid, auctions]


def moment_of(state: State, seat: int) -> list[int]:
    size, seats = state.rules.deck_size, state.rules.seats
    turn, least = -1, 0
    if state.phase is BUYING:
        (to_act,) = state.to_act
        turn = (to_act - seat) % seats
        rich = state._replace(coins=(state.rules.lowest_bid + 30,) * seats)
        _, least_bid, *_ = legal_actions(rich, to_act)
        assert isinstance(least_bid, Bid)
        least = least_bid.amount
    return [
        [BUYING, SELLING, OVER].index(state.phase),
        state.number,
        turn,
        size - len(turned_up(state, BUYING)),
        size - len(turned_up(state, SELLING)),
        max([bid for bid in state.bids if bid is not None], default=-1),
        least,
        len(state.market),
    ]


def pass_of(state: State, seat: int) -> list[int]:
    """What happens when the seat does pass, as if it were its turn."""
    if seat not in state.bidders:
        return [0, 0, 0, 0]
    at = state.bidders.index(seat)
    after, (passed, *_) = apply(state._replace(bidders=state.bidders[at:] + state.bidders[:at]), seat, Pass())
    assert isinstance(passed, Passed)
    return [passed.house or 0, passed.refund, passed.price, after.coins[seat]]


def market_of(state: State, _: int) -> list[int]:
    return [*state.market, 0, 0, 0, 0, 0, 0][:6]


def seats_of(state: State, seat: int) -> list[int]:
    blocks = [
        [1, coins, -1 if bid is None else bid, int(other in state.bidders), len(hand), sum(cheques)]
        for other, (coins, bid, hand, cheques) in enumerate(
            zip(state.coins, state.bids, state.hands, state.cheques, strict=True)
        )
    ]
    nobody = [[0] * 6] * (6 - len(blocks))
    return [number for block in blocks[seat:] + blocks[:seat] + nobody for number in block]


def houses_of(state: State, seat: int) -> list[int]:
    turned = set(turned_up(state, BUYING))

    def where(house: int) -> int:
        for holder, hand in enumerate(state.hands):
            if house in hand:
                return 2 + (holder - seat) % state.rules.seats
        if state.phase is BUYING and house in state.market:
            return 1
        return 0 if house in state.rules.houses and house not in turned else 8

    return [where(house) for house in range(1, 31)]


def cheques_of(state: State, _: int) -> list[int]:
    """1 for a cheque that has been turned up, and 1 more if it has been taken; of equal ones the first go first."""
    taken = Counter(cheque for hand in state.cheques for cheque in hand)
    turned = Counter(turned_up(state, SELLING))
    numbers = []
    before: Counter[int] = Counter()  # equal cheques that have had their turn
    for cheque in state.rules.cheques:
        before[cheque] += 1
        numbers.append((before[cheque] <= taken[cheque]) + (before[cheque] <= turned[cheque]))
    return [*numbers, *[0] * 30][:30]


PARTS: Mapping[str, Callable[[State, int], list[int]]] = {
    "rules": rules_of,
    "moment": moment_of,
    "pass": pass_of,
    "market": market_of,
    "seats": seats_of,
    "houses": houses_of,
    "cheques": cheques_of,
}


def whole_row(state: State, seat: int) -> list[int]:
    return [number for part in PARTS.values() for number in part(state, seat)]


@pytest.mark.parametrize("part", PARTS)
@every_combo
def test_each_part_says_what_the_position_says(combo: Combo, part: str) -> None:
    for state, seat, row in seen_in(combo):
        assert row[encoding.SLICES[part]].tolist() == PARTS[part](state, seat)


def test_a_row_is_its_parts_one_after_the_other() -> None:
    assert list(encoding.SLICES) == list(PARTS)
    places = np.arange(encoding.LENGTH)
    assert np.concatenate([places[part] for part in encoding.SLICES.values()]).tolist() == list(range(122))
    with pytest.raises(TypeError):
        encoding.SLICES["market"] = slice(0)  # type: ignore[index]


def test_a_row_belongs_to_who_asked_for_it() -> None:
    seat_view = view.of(combo_game(COMBOS[0], seed=0).start, 0)
    row, again = encoding.encode(seat_view), encoding.encode(seat_view)
    assert (row.shape, row.dtype) == ((122,), np.dtype(np.int16))
    row[:] = 0
    assert again.any()


# --- Whose row it is --------------------------------------------------------------------------------------------------


def moved(combo: Combo, game: Game, steps: int) -> Game:
    """The same game, with everyone so many seats further on."""
    first = (game.start.bidders[0] + steps) % combo.seats
    start = new_game(combo.load(), combo.seats, game.start.decks, first, combo.variant)
    return Game(start, tuple(((seat + steps) % combo.seats, action) for seat, action in game.turns))


@every_combo
def test_the_names_of_the_seats_do_not_matter(combo: Combo) -> None:
    game = combo_game(combo, seed=0)
    steps = Random(str(combo)).randrange(1, combo.seats)
    elsewhere = {(len(state.history), seat): row for state, seat, row in seen(moved(combo, game, steps))}
    for state, seat, row in seen(game):
        assert row.tolist() == elsewhere[len(state.history), (seat + steps) % combo.seats].tolist()


# --- Secrets ----------------------------------------------------------------------------------------------------------


@every_combo
def test_nothing_that_a_seat_may_not_know_changes_its_row(combo: Combo) -> None:
    """Cards not turned up change places with each other and with the removed ones; others choose other houses."""
    rng = Random(f"worlds {combo}")
    differed = 0
    for seed in range(3):
        game = combo_game(combo, seed)
        for played in rng.sample(range(len(game.turns) + 1), 10):
            state, seat = game.after(played), rng.randrange(combo.seats)
            other = other_world(combo, game, played, seat, rng)
            differed += state != other
            assert encoding.encode(view.of(state, seat)).tolist() == encoding.encode(view.of(other, seat)).tolist()
    assert differed > 20


@every_combo
def test_what_the_table_shows_does_not_change_a_row(combo: Combo) -> None:
    for state, seat, row in seen_in(combo):
        assert encoding.encode(view.of(state, seat, tracker=True)).tolist() == row.tolist()


@every_combo
def test_nobody_is_told_who_has_chosen_nor_what(combo: Combo) -> None:
    rows: defaultdict[tuple[int, int], set[bytes]] = defaultdict(set)
    choices: defaultdict[tuple[int, int], set[object]] = defaultdict(set)
    for state, seat, row in seen(combo_game(combo, seed=0)):
        if state.phase is SELLING:
            rows[state.number, seat].add(row.tobytes())
            choices[state.number, seat].add(state.choices)
    assert {len(different) for different in rows.values()} == {1}
    assert min(len(different) for different in choices.values()) > 1


# --- Actions ----------------------------------------------------------------------------------------------------------

ACTIONS: Sequence[Action] = [Pass(), *map(Bid, range(29)), *map(Sell, range(1, 31))]


def test_every_action_has_an_index_and_every_index_its_action() -> None:
    assert [encoding.to_index(action) for action in ACTIONS] == list(range(encoding.ACTIONS))
    assert [encoding.from_index(index) for index in range(encoding.ACTIONS)] == ACTIONS
    assert [encoding.from_index(index) for index in np.arange(encoding.ACTIONS)] == ACTIONS


def test_bids_and_houses_can_be_counted_from_the_names() -> None:
    assert encoding.to_index(Pass()) == encoding.PASS
    assert encoding.to_index(Bid(encoding.MAX_BID)) == encoding.BID + encoding.MAX_BID
    assert encoding.to_index(Sell(encoding.MAX_CARDS)) == encoding.HOUSE + encoding.MAX_CARDS


@pytest.mark.parametrize("action", [
    Bid(-1), Bid(29), Bid(True), Bid(2.0), Bid(2.5), Bid("3"), Bid([]),  # type: ignore[arg-type]
    Sell(0), Sell(31), Sell(True), Sell(7.0), Sell(None),  # type: ignore[arg-type]
    Pass, "pass", 3, None,
])  # fmt: skip
def test_an_action_without_an_index_is_refused(action: Action) -> None:
    with pytest.raises(EncodingError) as caught:
        encoding.to_index(action)
    wanted = "expected a pass, a bid from 0 to 28 or a house from 1 to 30 to sell"
    assert str(caught.value) == f"{wanted}, got {action!r}"


@pytest.mark.parametrize(
    "index", [-1, 60, 10**30, True, 1.0, "3", None, np.int64(-1), np.int8(60), np.float32(2), np.arange(2)]
)
def test_an_index_without_an_action_is_refused(index: int) -> None:
    with pytest.raises(EncodingError) as caught:
        encoding.from_index(index)
    assert str(caught.value) == f"expected an index from 0 to 59, got {index!r}"


@every_combo
def test_a_mask_has_the_legal_actions_and_no_other(combo: Combo) -> None:
    for state, seat, _ in seen_in(combo):
        legal = legal_actions(state, seat)
        flags = encoding.mask(legal)
        assert (flags.shape, flags.dtype) == ((60,), np.dtype(np.bool_))
        assert [action for action, flag in zip(ACTIONS, flags, strict=True) if flag] == list(legal)


# --- Views that are rare, or that have no row -------------------------------------------------------------------------


def test_a_spectator_has_no_row() -> None:
    with pytest.raises(EncodingError, match="^expected the view of a seat, got a spectator's$"):
        encoding.encode(view.of(combo_game(COMBOS[0], seed=0).start, None))


def own_game(edition: Edition, seats: int, variant: str | None) -> Game:
    return random_game(edition, seats, variant, Random(f"{edition.id} {seats} {variant}"))


@pytest.mark.parametrize(("path", "value", "reason"), [
    ("cards.houses", [*range(2, 13), 31], "own-12: expected houses up to 30, got 31"),
    ("setup.coins", {"3": 29, "4": 9}, "own-12: expected at most 28 coins a seat, got 29"),
])  # fmt: skip
def test_an_edition_that_is_too_large_is_refused(path: str, value: object, reason: str) -> None:
    state = own_game(editions.from_toml(changed(path, value)), 3, None).start
    for refuse in (lambda: encoding.check(state.rules), lambda: encoding.encode(view.of(state, 0))):
        with pytest.raises(EncodingError) as caught:
            refuse()
        assert str(caught.value) == reason


SMALL = document(OWN)
WITH_GAPS = changed("cards.houses", [1, 2, 4, 7, 11, 12, 13, 20, 21, 28, 29, 30])
LARGEST = document(
    OWN
    | {"cards": {"houses": list(range(1, 31)), "cheques": [99] * 30}}
    | {"setup": {"coins": {"3": 28, "4": 28}, "removed": {"3": 0, "4": 2}}}
    | {"rules": {"refund": "up", "lowest_bid": 999, "coins_hidden": "may"}}
)


@pytest.mark.parametrize("variant", [None, "scarce"])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("text", [SMALL, WITH_GAPS, LARGEST], ids=["small", "with gaps", "largest"])
def test_an_edition_of_ones_own_has_rows_to_its_last_number(text: str, seats: int, variant: str | None) -> None:
    edition = editions.from_toml(text)
    encoding.check(edition.rules(seats, variant))
    for state, seat, row in seen(own_game(edition, seats, variant)):
        assert row.tolist() == whole_row(state, seat)


def passed_by_all(decks: Decks) -> State:
    """Where a game of three comes to with these decks when nobody ever bids."""
    state = new_game(editions.load("iello-2020"), 3, decks, 0)
    while state.bidders:
        state = play(state, [(state.bidders[0], Pass())])
    return state


@pytest.mark.parametrize(("known", "expected"), [
    (3, [0, 2, -1, 27, 30, -1, 1, 0]),
    (30, [1, 1, -1, 0, 30, -1, 0, 0]),
])  # fmt: skip
def test_a_market_that_is_not_known_is_empty_and_nobody_is_to_act(known: int, expected: list[int]) -> None:
    state = passed_by_all(Decks(houses=tuple(range(1, known + 1)), cheques=(), partial=True))
    row = encoding.encode(view.of(state, 1))
    assert row[encoding.SLICES["moment"]].tolist() == expected
    for part in ("pass", "market", "seats", "houses", "cheques"):
        assert row[encoding.SLICES[part]].tolist() == PARTS[part](state, 1)


# --- The page ---------------------------------------------------------------------------------------------------------


def test_the_page_has_the_parts_of_a_row() -> None:
    (table,) = tables(PAGE, "part")
    assert [(row["part"], int(row["start"]), int(row["start"]) + int(row["length"])) for row in table] == [
        (name, part.start, part.stop) for name, part in encoding.SLICES.items()
    ]


def test_the_page_explains_each_number_at_its_place() -> None:
    explained = [[int(row["place"]) for row in table] for table in tables(PAGE, "place")]
    parts = [encoding.SLICES[name] for name in ("rules", "moment", "pass")]
    assert explained == [list(range(part.start, part.stop)) for part in parts]


def test_the_page_has_the_fields_of_a_seat() -> None:
    (table,) = tables(PAGE, "field")
    assert [row["field"] for row in table] == list(encoding.SEAT_FIELDS)
    assert [int(row["in the block"]) for row in table] == list(range(len(encoding.SEAT_FIELDS)))


def test_the_page_has_all_actions() -> None:
    (table,) = tables(PAGE, "actions")
    explained: list[int] = []
    for row in table:
        first, last = int(row["first"]), int(row["last"])
        explained += range(first, last + 1)
        named = re.findall(r"\w+\(\d*\)", row["actions"])
        assert (named[0], named[-1]) == (short_name(first), short_name(last))
    assert explained == list(range(encoding.ACTIONS))


def short_name(index: int) -> str:
    """An action as the page writes it: Bid(3)."""
    return re.sub(r"\w+=", "", repr(encoding.from_index(index)))
