"""What a seat may know: nothing secret reaches a view, and all that is public does."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import pairwise
from random import Random

import pytest

from forsale import view
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    Decks,
    Event,
    HouseChosen,
    Pass,
    Passed,
    SaleResolved,
    Sell,
    State,
    apply,
    new_game,
    outcome,
)
from forsale.view import View, recall
from tests.games import COMBOS, Combo, Game, Turn, combo_game, play

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)


def watchers(state: State) -> Iterable[int | None]:
    """Every seat, and a spectator."""
    return (*range(state.rules.seats), None)


def positions(game: Game) -> Iterator[State]:
    state = game.start
    yield state
    for seat, action in game.turns:
        state, _ = apply(state, seat, action)
        yield state


# --- Secrets: a world that differs only in them looks the same ------------------------------------------------


def other_world(combo: Combo, game: Game, played: int, watcher: int | None, rng: Random) -> State:
    """The position after so many turns, in a world that differs in all that the watcher may not know of it.

    Cards not turned up yet change places with each other and with the removed ones, and the others choose other
    houses, where the choice was changed later or is not revealed yet.
    """
    now = game.after(played)
    houses_shown = now.rules.deck_size - now.houses_left
    cheques_shown = now.rules.deck_size - now.cheques_left
    decks = game.start.decks
    houses, removed_houses = reshuffled(decks.houses, decks.removed_houses, houses_shown, rng)
    cheques, removed_cheques = reshuffled(decks.cheques, decks.removed_cheques, cheques_shown, rng)
    start = new_game(
        combo.load(),
        combo.seats,
        Decks(houses, cheques, removed_houses, removed_cheques),
        game.start.bidders[0],
        combo.variant,
    )
    return play(start, other_choices(game, played, watcher, rng))


def reshuffled(
    deck: tuple[int, ...], removed: tuple[int, ...], shown: int, rng: Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    unseen = [*deck[shown:], *removed]
    rng.shuffle(unseen)
    left = len(deck) - shown
    return deck[:shown] + tuple(unseen[:left]), tuple(unseen[left:])


def other_choices(game: Game, played: int, watcher: int | None, rng: Random) -> list[Turn]:
    """The same turns, but for those choices of others that nobody will have seen revealed."""
    turns = list(game.turns[:played])
    chosen: dict[int, int] = {}  # where each seat's choice of this sale stands
    for index, (before, after) in enumerate(pairwise(positions(Game(game.start, tuple(turns))))):
        seat, action = turns[index]
        if isinstance(action, Sell):
            if seat in chosen:
                change(turns, chosen[seat], before, rng)
            chosen[seat] = index
            if after.number != before.number or after.phase is OVER:
                chosen.clear()
            chosen.pop(-1 if watcher is None else watcher, None)
    for index in chosen.values():
        change(turns, index, game.after(played), rng)
    return turns


def change(turns: list[Turn], index: int, state: State, rng: Random) -> None:
    seat, _ = turns[index]
    turns[index] = seat, Sell(rng.choice(state.hands[seat]))


@every_combo
def test_nothing_that_a_watcher_may_not_know_changes_what_it_sees(combo: Combo) -> None:
    rng = Random(f"worlds {combo}")
    differed = 0
    for seed in range(6):
        game = combo_game(combo, seed)
        for _ in range(20):
            played = rng.randrange(len(game.turns))
            state = game.after(played)
            watcher = rng.choice([*watchers(state)])
            other = other_world(combo, game, played, watcher, rng)
            differed += state != other
            for tracker in (False, True):
                assert view.of(state, watcher, tracker) == view.of(other, watcher, tracker)
            assert view.redact(state.history, watcher) == view.redact(other.history, watcher)
    assert differed > 90


@pytest.mark.parametrize("tracker", [False, True])
@every_combo
def test_no_state_and_no_decks_can_be_reached_from_a_view_before_the_end(combo: Combo, tracker: bool) -> None:
    game = combo_game(combo, seed=0)
    for played in (*range(0, len(game.turns), 8), len(game.turns)):
        state = game.after(played)
        for watcher in (0, combo.seats - 1, None):
            reached = list(reachable(view.of(state, watcher, tracker)))
            assert not any(isinstance(value, State) for value in reached)
            assert any(isinstance(value, Decks) for value in reached) == (state.phase is OVER)


def reachable(value: object) -> Iterator[object]:
    yield value
    inner: Iterable[object] = ()
    if is_dataclass(value):
        inner = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | list | set | frozenset):
        inner = value
    for item in inner:
        yield from reachable(item)


@every_combo
def test_a_choice_is_hidden_before_and_after_the_reveal_but_from_its_own_seat(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=1)):
        for watcher in watchers(state):
            seen = view.of(state, watcher)
            assert len(seen.history) == len(state.history)
            for shown, true in zip(seen.history, state.history, strict=True):
                if isinstance(true, HouseChosen) and true.seat != watcher:
                    assert shown == HouseChosen(true.seat, None)
                else:
                    assert shown == true
            assert seen.has_chosen == tuple(choice is not None for choice in state.choices)
            assert seen.choice == (None if watcher is None else state.choices[watcher])


@every_combo
def test_without_the_tracker_others_keep_their_coins_hands_and_cheques_to_themselves(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=2)):
        for watcher in watchers(state):
            seen = view.of(state, watcher)
            for seat in range(combo.seats):
                mine = (state.coins[seat], state.hands[seat], state.cheques[seat])
                shown = (seen.coins[seat], seen.hands[seat], seen.cheques[seat])
                assert shown == (mine if seat == watcher or state.phase is OVER else (None, None, None))


@every_combo
def test_with_the_tracker_everyone_sees_coins_hands_and_cheques(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=2)):
        for watcher in watchers(state):
            seen = view.of(state, watcher, tracker=True)
            assert (seen.coins, seen.hands, seen.cheques) == (state.coins, state.hands, state.cheques)


@every_combo
def test_the_removed_cards_and_the_decks_are_shown_only_when_the_game_is_over(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=3)):
        for watcher in watchers(state):
            seen = view.of(state, watcher)
            assert seen.decks == (state.decks if state.phase is OVER else None)
            assert seen.outcome == outcome(state)


# --- What is public -------------------------------------------------------------------------------------------


@every_combo
def test_all_that_is_public_is_seen_by_everyone(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=4)):
        for watcher in watchers(state):
            seen = view.of(state, watcher)
            assert seen.seat == watcher
            for name in PUBLIC:
                assert getattr(seen, name) == getattr(state, name), name
            assert seen.hand_sizes == tuple(map(len, state.hands))
            assert seen.cheque_counts == tuple(map(len, state.cheques))


PUBLIC = (
    "rules", "phase", "number", "market", "to_act", "bidders", "bids", "highest_bid", "houses_left", "cheques_left",
)  # fmt: skip


@every_combo
def test_a_perfect_memory_knows_purses_and_cards_from_the_history_alone(combo: Combo) -> None:
    for seed in range(3):
        for state in positions(combo_game(combo, seed)):
            decks = state.decks
            shown = state.rules.deck_size - state.cheques_left
            memory = recall(view.of(state, None))
            assert memory.coins == state.coins
            assert memory.hands == state.hands
            assert memory.cheques == state.cheques
            drawn = state.rules.deck_size - state.houses_left
            assert memory.unseen_houses == tuple(sorted(decks.houses[drawn:] + decks.removed_houses))
            assert memory.unseen_cheques == tuple(sorted(decks.cheques[shown:] + decks.removed_cheques))


@every_combo
def test_what_a_view_says_of_a_pass_is_what_a_pass_does(combo: Combo) -> None:
    for state in positions(combo_game(combo, seed=5)):
        seen = view.of(state, None)
        if state.phase is BUYING:
            _, events = apply(state, state.bidders[0], Pass())
            passed = events[0]
            assert isinstance(passed, Passed)
            assert seen.pass_terms == (passed.house, passed.refund, passed.price)
        else:
            assert seen.pass_terms is None


def test_events_are_redacted_one_by_one_and_the_others_are_left_as_they_are() -> None:
    events: tuple[Event, ...] = (
        HouseChosen(0, 30),
        HouseChosen(1, 4),
        HouseChosen(0, 29),
        SaleResolved(1, ((29,), (4,)), ((15,), (0,))),
    )
    hidden = HouseChosen(0, None)
    assert view.redact(iter(events), 0) == (events[0], HouseChosen(1, None), events[2], events[3])
    assert view.redact(events, 1) == (hidden, events[1], hidden, events[3])
    assert view.redact(events, None) == (hidden, HouseChosen(1, None), hidden, events[3])
    assert view.redact((), None) == ()


@pytest.mark.parametrize("seat", [-1, 3, 6, True, "0", 1.0])
def test_a_seat_that_is_not_at_the_table_has_no_view(seat: object) -> None:
    state = combo_game(COMBOS[0], seed=0).start
    with pytest.raises(ValueError, match="expected a seat from 0 to 2, or None for a spectator"):
        view.of(state, seat)  # type: ignore[arg-type]


# --- Games before this one ------------------------------------------------------------------------------------


@every_combo
def test_of_an_earlier_game_everybody_remembers_what_a_spectator_saw(combo: Combo) -> None:
    end = combo_game(combo, seed=6).end
    seats = tuple(None if seat == 1 else seat for seat in range(combo.seats))
    earlier = view.remembered(end, seats)
    assert (earlier.rules, earlier.seats) == (end.rules, seats)
    assert earlier.history == view.of(end, None).history
    reached = list(reachable(earlier))
    assert not any(isinstance(value, State | Decks) for value in reached)
    assert {value.house for value in reached if isinstance(value, HouseChosen)} == {None}


def test_earlier_games_are_told_to_those_alone_who_are_given_them() -> None:
    game = combo_game(COMBOS[0], seed=0)
    earlier = (view.remembered(game.end, (2, 0, 1)),)
    assert view.of(game.start, 0).earlier == ()
    assert view.of(game.start, 0, earlier=earlier).earlier == earlier
    with pytest.raises(ValueError, match="^expected a game that is over, got one that goes on$"):
        view.remembered(game.start, (0, 1, 2))


def test_a_view_is_a_value() -> None:
    state = combo_game(COMBOS[0], seed=0).after(20)
    seen: View = view.of(state, 0)
    assert seen == view.of(state, 0)
    with pytest.raises(AttributeError):
        seen.seat = 1  # type: ignore[misc]
    assert state.phase in (BUYING, SELLING)
