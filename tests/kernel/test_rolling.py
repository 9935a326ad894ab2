"""Games played to the end by a policy: from a deal, from a state, from a view."""

from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from forsale import editions, game, kernel, view
from forsale.encoding import BID, HOUSE, PASS, EncodingError
from forsale.game import OVER, State, apply
from forsale.kernel import KernelError
from forsale.scalar import layout
from tests.games import COMBOS, Combo, combo_game, start

EDITION = editions.load("iello-2020")


@numba.njit
def least(s, r, parameters, chance):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Passes at once, and sells its lowest house: nothing is left to chance."""
    if s[layout.PHASE] == layout.BUYING:
        return PASS
    house = 1
    while not (s[layout.HANDS + s[layout.TO_ACT]] >> (house - 1)) & 1:
        house += 1
    return HOUSE + house


def by_hand(state: State) -> State:
    """The same through the engine."""
    while state.phase is not OVER:
        seat = min(state.to_act)
        state, _ = apply(state, seat, game.legal_actions(state, seat)[0])
    return state


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_state_is_played_out_as_by_the_engine(combo: Combo) -> None:
    played = combo_game(combo, seed=6)
    for turns in range(0, len(played.turns), 4):
        state = played.after(turns)
        end = game.outcome(by_hand(state))
        assert end is not None
        told = kernel.roll_out(state, games=2, policy=least)
        assert told.scores.tolist() == [list(end.scores)] * 2
        assert told.coins.tolist() == [list(by_hand(state).coins)] * 2
        shares = [np.float32((seat in end.winners) / len(end.winners)) for seat in range(combo.seats)]
        assert told.win_shares.tolist() == [shares] * 2


def test_what_a_view_does_not_tell_is_drawn_anew_each_time() -> None:
    state = combo_game(Combo("iello-2020", 4, None), seed=2).after(30)
    known = kernel.roll_out(state, games=200, policy=least).scores
    assert (known == known[0]).all()
    drawn = kernel.roll_out(view.of(state, 1), games=200, policy=least).scores
    assert len({tuple(scores) for scores in drawn.tolist()}) > 100


def test_a_view_leads_to_the_same_results_as_all_worlds_that_fit_it() -> None:
    """On average: the kernel's draws against decks that are shuffled here, card by card."""
    state = combo_game(Combo("iello-2020", 4, None), seed=3).after(20)
    assert not any(state.choices)
    told = kernel.roll_out(view.of(state, 0), games=20_000, policy=least, seed=1).scores.mean(axis=0)
    rng, sums = Random(1), np.zeros(4)
    for _ in range(1000):
        sums += kernel.roll_out(_other_world(state, rng), games=1, policy=least).scores[0]
    assert np.abs(told - sums / 1000).max() < 0.6


def _other_world(state: State, rng: Random) -> State:
    """The same position with the unseen cards in another order."""
    decks = state.decks
    drawn = (state.rules.deck_size - state.houses_left, state.rules.deck_size - state.cheques_left)
    houses = [*decks.houses[drawn[0] :], *decks.removed_houses]
    cheques = [*decks.cheques[drawn[1] :], *decks.removed_cheques]
    rng.shuffle(houses)
    rng.shuffle(cheques)
    removed = state.rules.removed
    return state._replace(
        decks=game.Decks(
            (*decks.houses[: drawn[0]], *houses[: len(houses) - removed]),
            (*decks.cheques[: drawn[1]], *cheques[: len(cheques) - removed]),
            tuple(houses[len(houses) - removed :]),
            tuple(cheques[len(cheques) - removed :]),
        )
    )


def test_the_same_seed_gives_the_same_games_whatever_the_number_of_threads() -> None:
    for run in (_played, _rolled):
        alone = run(1)
        for threads in (2, 5, None):
            assert [part.tolist() for part in run(threads)] == [part.tolist() for part in alone]


def _played(threads: int | None) -> kernel.Outcomes:
    return kernel.play(games=3000, seed=4, threads=threads)


def _rolled(threads: int | None) -> kernel.Outcomes:
    return kernel.roll_out(view.of(start(EDITION, 4, None, Random(1)), 2), games=3000, seed=4, threads=threads)


def test_a_longer_run_begins_with_the_shorter_one() -> None:
    assert (kernel.play(games=5000, seed=3).scores[:100] == kernel.play(games=100, seed=3).scores).all()


def test_games_of_a_batch_are_those_that_are_played() -> None:
    """The same seed deals the same cards, whichever way the game is played."""
    batch = kernel.create(seats=5, games=20, seed=12)
    ends = [game.outcome(by_hand(_again(batch.state(place), batch))) for place in range(20)]
    assert kernel.play(seats=5, games=20, seed=12, policy=least).scores.tolist() == [
        list(end.scores) for end in ends if end
    ]


def _again(dealt: State, batch: kernel.Batch) -> State:
    return game.new_game(EDITION, batch.rules.seats, dealt.decks, min(dealt.to_act))


def test_each_seat_is_given_its_own_parameters() -> None:
    parameters = np.zeros((4, 3), np.float32)
    parameters[2, 1] = 1
    told = kernel.play(games=200, policy=_eager, parameters=parameters)
    assert told.coins[:, 2].max() < 21
    assert (told.coins[:, [0, 1, 3]] == 21).all()


@numba.njit
def _eager(s, r, parameters, chance):  # type: ignore[no-untyped-def]
    """Opens with one coin if its second parameter says so, and otherwise passes."""
    if s[layout.PHASE] == layout.BUYING:
        opens = parameters[1] == 1 and s[layout.HIGHEST] < 0 and s[layout.COINS + s[layout.TO_ACT]] > 0
        return BID + 1 if opens else PASS
    return kernel.uniform(s, r, parameters, chance)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"games": 0}, "games: expected a whole number from 1"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"device": "gpu"}, "device: expected cpu or cuda, got 'gpu'"),
        ({"threads": -1}, "threads: expected a whole number from 1"),
        ({"policy": print}, "policy: expected a function, plain or compiled with numba.njit"),
        ({"parameters": np.zeros((3, 1), np.float32)}, r"parameters: expected float32 of shape \(4, any\)"),
        ({"parameters": np.zeros((4, 1))}, "parameters: expected float32 .* got float64"),
        ({"parameters": [[0.0]] * 4}, "parameters: expected a numpy array, got list"),
    ],
)
def test_bad_input_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(KernelError, match=sentence):
        kernel.play(**arguments)
    with pytest.raises(KernelError, match=sentence):
        kernel.roll_out(start(EDITION, 4, None, Random(1)), **arguments)


def test_a_finished_game_is_not_rolled_out() -> None:
    with pytest.raises(EncodingError, match="expected a position where someone is to act"):
        kernel.roll_out(combo_game(Combo("iello-2020", 4, None), seed=1).end)
