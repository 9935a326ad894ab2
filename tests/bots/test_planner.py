"""The planner: it replays what it saw without a fault, solves what can be solved, and wins."""

from random import Random

import numpy as np
import pytest

from forsale import arena, bots, editions, game, kernel, shuffle, view
from forsale.bots import Bot
from forsale.bots.planner import Planner
from forsale.bots.planner.guessing import POOL, guesses, pool
from forsale.bots.planner.last_sales import equilibrium, values
from forsale.bots.planner.watching import decisions
from forsale.bots.replaying import Replay
from forsale.bots.scripted import PERSONALITIES, Scripted
from forsale.encoding import to_index
from forsale.game import OVER, SELLING, State, apply, legal_actions
from forsale.scalar import course, layout
from forsale.scalar.rows import position_of, rules_row
from tests.games import COMBOS, Combo, combo_game

FOUR = Combo("iello-2020", 4, None)


def won(hero: Bot, rivals: list[Bot], deals: int) -> float:
    """The hero's win share over so many deals, in every seat of each."""
    edition = editions.load("iello-2020")
    share = 0.0
    for number in range(deals):
        decks = shuffle.deal(edition, 4, Random(number))
        for seat in range(4):
            line_up = [*rivals[:seat], hero, *rivals[seat:]]
            state = game.new_game(edition, 4, decks, 0)
            end = arena.play_out(state, line_up, [Random(f"{number} {seat} {one}") for one in range(4)])
            outcome = game.outcome(end)
            assert outcome is not None
            share += (seat in outcome.winners) / len(outcome.winners)
    return share / (4 * deals)


# --- Choosing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_choice_is_legal_and_the_same_for_the_same_chance(combo: Combo) -> None:
    bot = Planner(worlds=1)
    played = combo_game(combo, seed=2)
    for turns in range(0, len(played.turns), 7):
        state = played.after(turns)
        for seat in state.to_act:
            legal = legal_actions(state, seat)
            choice = bot.choose(view.of(state, seat), legal, Random(turns))
            assert choice in legal
            assert choice == bot.choose(view.of(state, seat, tracker=True), legal, Random(turns))


def test_either_time_or_worlds() -> None:
    for arguments in ({}, {"milliseconds": 5.0, "worlds": 5}):
        with pytest.raises(ValueError, match="^expected either milliseconds or worlds$"):
            Planner(**arguments)  # type: ignore[arg-type]


def test_a_little_time_is_enough_for_an_answer() -> None:
    state = combo_game(FOUR, seed=1).after(3)
    seat = min(state.to_act)
    legal = legal_actions(state, seat)
    assert Planner(milliseconds=0.01).choose(view.of(state, seat), legal, Random(1)) in legal


def test_it_wins() -> None:
    """Against three of a kind that it may guess, and three that are none of its pool: twice its fair share and more."""
    stewards: list[Bot] = [Scripted(PERSONALITIES["steward"].traits) for _ in range(3)]
    brokers: list[Bot] = [bots.make("broker") for _ in range(3)]
    assert won(Planner(worlds=128), stewards, deals=5) > 0.6
    assert won(Planner(worlds=128), brokers, deals=8) > 0.4


# --- Watching --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_what_was_seen_is_replayed_without_a_fault(combo: Combo) -> None:
    """Each decision in its own row: what it was, and what the seat could do then."""
    played = combo_game(combo, seed=5)
    state = played.start
    expected: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = []
    for seat, action in played.turns:
        if state.phase is not SELLING:
            expected.append((seat, to_index(action), state.coins, state.market))
        before, (state, _) = state, apply(state, seat, action)
        if (before.phase is SELLING and state.number != before.number) or state.phase is OVER:
            expected += _choices(before, state)
    taken = decisions(view.of(state, 1))
    assert list(zip(taken.seats.tolist(), taken.actions.tolist(), strict=True)) == [one[:2] for one in expected]
    for row, (seat, _, coins, market) in zip(taken.rows.tolist(), expected, strict=True):
        assert row[layout.TO_ACT] == seat
        assert tuple(row[layout.COINS : layout.COINS + combo.seats]) == coins
        assert row[layout.MARKET].bit_count() == len(market)


def _choices(before: State, after: State) -> list[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
    """What was revealed, by seat."""
    revealed = [event for event in after.history[len(before.history) :] if isinstance(event, game.SaleResolved)]
    sold = revealed[0].houses
    return [
        (seat, to_index(game.Sell(sold[seat][0])), before.coins, before.market)
        for seat in range(len(sold))
        if sold[seat]
    ]


@pytest.mark.parametrize("at_once", [True, False])
def test_in_the_middle_of_a_game_the_replay_ends_where_the_view_is(at_once: bool) -> None:
    """All at once, or in parts."""
    played = combo_game(FOUR, seed=6)
    replay, told = Replay(played.start.rules), 0
    for turns in range(1, len(played.turns), 5):
        state = played.after(turns)
        if at_once:
            replay, told = Replay(state.rules), 0
        for action in replay.actions(view.of(state, 0).history[told:]):
            course.step(replay.s, replay.d, replay.r, action)
        told = len(state.history)
        row = position_of(view.of(state, 0)).row.tolist()
        row[layout.CHOICES : layout.CHOICES + 4] = [0] * 4
        row[layout.TO_ACT] = replay.s[layout.TO_ACT] if state.phase is SELLING else row[layout.TO_ACT]
        assert replay.s[: layout.TAKEN] == row[: layout.TAKEN]  # which of two equal cheques a seat has is all one


# --- Guessing --------------------------------------------------------------------------------------------------------


def test_a_rival_is_recognised() -> None:
    """After a game it is among the likeliest few of the pool, and most of the others are ruled out."""
    names = list(PERSONALITIES)
    edition = editions.load("iello-2020")
    found = 0
    for number in range(12):
        line_up = [names[(number + seat) % len(names)] for seat in range(4)]
        state = game.new_game(edition, 4, shuffle.deal(edition, 4, Random(number)), 0)
        seated: list[Bot] = [Scripted(PERSONALITIES[name].traits) for name in line_up]
        end = arena.play_out(state, seated, [Random(seat) for seat in range(4)])
        chances = guesses(decisions(view.of(end, None)), 4, rules_row(end.rules))
        assert chances.shape == (4, POOL)
        assert np.allclose(chances.sum(axis=1), 1)
        for seat, name in enumerate(line_up):
            better = (chances[seat] > chances[seat, names.index(name)]).sum()
            found += better < 5
    assert found >= 36


def test_before_anything_happened_everyone_is_as_likely() -> None:
    state = combo_game(FOUR, seed=1).start
    chances = guesses(decisions(view.of(state, 0)), 4, rules_row(state.rules))
    assert np.allclose(chances, 1 / POOL)
    assert len(np.unique(pool(), axis=0)) == POOL


# --- The last sales --------------------------------------------------------------------------------------------------


def table_of(first: list[list[float]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Two seats, what one wins the other loses: rows are the first seat's low and high, columns the second's."""
    return np.array([[first[way & 1][way >> 1], 1 - first[way & 1][way >> 1]] for way in range(4)])


@pytest.mark.parametrize(
    ("wins", "first", "second"),
    [
        ([[1, 0], [0, 1]], 0.5, 0.5),
        ([[0.9, 0.8], [0.1, 0.2]], 0.0, 1.0),
        ([[0.2, 0.3], [0.6, 0.9]], 1.0, 0.0),
        ([[0.8, 0.2], [0.3, 0.6]], 6 / 9, 5 / 9),
    ],
)
def test_regret_matching_finds_the_solution_of_a_small_game(
    wins: list[list[float]], first: float, second: float
) -> None:
    assert equilibrium(table_of(wins)) == pytest.approx([first, second], abs=0.06)


def test_what_a_house_is_worth_is_weighed_by_what_the_others_do() -> None:
    shares = table_of([[0.8, 0.2], [0.3, 0.6]])
    assert values(shares, np.array([0.5, 0.25]), seat=0) == pytest.approx((0.65, 0.375))
    assert values(shares, np.array([0.5, 0.25]), seat=1) == pytest.approx((0.45, 0.6))


def test_near_the_end_it_is_as_good_as_looking_through_all_worlds() -> None:
    """Against rivals that play by chance: its choice wins as often as the better of the two, up to the error."""
    for seed in (0, 1, 2):
        state = _near_the_end(seed)
        seat = min(state.to_act)
        choice = Planner(worlds=1).choose(view.of(state, seat), legal_actions(state, seat), Random(1))
        shares = {}
        for action in legal_actions(state, seat):
            after, _ = apply(state, seat, action)
            shares[action] = kernel.roll_out(view.of(after, seat), games=20_000, seed=1).win_shares[:, seat].mean()
        assert shares[choice] > max(shares.values()) - 0.15


def _near_the_end(seed: int) -> State:
    played = combo_game(Combo("iello-2020", 3, None), seed)
    for turns in range(len(played.turns)):
        state = played.after(turns)
        if state.phase is SELLING and all(len(hand) == 2 for hand in state.hands) and not any(state.choices):
            return state
    raise AssertionError("there is such a moment in every game")
