"""Thousands of games at once: the same games whatever the number of threads, outcomes kept, bad input refused."""

from collections.abc import Callable
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from forsale import editions, encoding, game, kernel, view
from forsale.encoding import BID, HOUSE, PASS
from forsale.game import OVER, Bid, Pass, State, apply, legal_actions
from forsale.kernel import KernelError, cpu
from forsale.scalar import layout
from tests.editions.test_editions import changed
from tests.games import COMBOS, Combo, combo_game, start
from tests.kernel.comparing import any_legal

FOUR = Combo("iello-2020", 4, None)


def batch_of(combo: Combo = FOUR, games: int = 3, seed: int = 1, threads: int | None = 1) -> kernel.Batch:
    return kernel.create(combo.edition, combo.seats, games, combo.variant, seed, threads=threads)


def history_of(batch: kernel.Batch, steps: int) -> list[Any]:
    """All that a batch shows while it is played by chance."""
    rng = np.random.default_rng(7)
    seen = []
    for _ in range(steps):
        batch.step(any_legal(batch, rng))
        buffers = (batch.to_act, batch.done, batch.win_shares, batch.scores, batch.coins, batch.observe())
        seen.append([buffer.tobytes() for buffer in buffers])
    return seen


# --- Chance ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def _small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads get work even where it is hardly worth it."""
    monkeypatch.setattr(cpu, "SHARE", 100)


@pytest.mark.usefixtures("_small_shares")
def test_the_same_seed_gives_the_same_games_whatever_the_number_of_threads() -> None:
    alone = history_of(batch_of(games=2000, threads=1), 150)
    assert alone == history_of(batch_of(games=2000, threads=3), 150)
    assert alone == history_of(batch_of(games=2000, threads=8), 150)
    assert alone == history_of(batch_of(games=2000, threads=None), 150)
    assert alone != history_of(batch_of(games=2000, seed=2), 150)


def test_a_game_does_not_depend_on_how_many_others_there_are() -> None:
    few, many = batch_of(games=5), batch_of(games=700)
    assert [few.state(place) for place in range(5)] == [many.state(place) for place in range(5)]


def test_reset_begins_anew_with_the_same_seed_or_another() -> None:
    batch = batch_of(games=50)
    first = [batch.state(place) for place in range(50)]
    history_of(batch, 100)
    batch.reset()
    assert [batch.state(place) for place in range(50)] == first
    batch.reset(seed=9)
    assert [batch.state(place) for place in range(50)] != first
    assert [batch.state(place) for place in range(50)] == [batch_of(games=50, seed=9).state(n) for n in range(50)]


def test_each_game_in_a_place_is_dealt_anew() -> None:
    batch, rng = batch_of(games=300), np.random.default_rng(1)
    decks = {place: {batch.state(place).decks} for place in range(300)}
    ended = 0
    while ended < 900:
        batch.step(any_legal(batch, rng))
        for place in np.flatnonzero(batch.done).tolist():
            ended += 1
            decks[place].add(batch.state(place).decks)
    assert sum(map(len, decks.values())) == 300 + ended
    assert len(set().union(*decks.values())) == 300 + ended


# --- Outcomes --------------------------------------------------------------------------------------------------------


def test_outcomes_stand_until_the_next_game_in_that_place_ends() -> None:
    batch, rng = batch_of(games=20), np.random.default_rng(1)
    assert batch.win_shares.sum() == 0
    before = batch.scores.copy()
    for _ in range(300):
        batch.step(any_legal(batch, rng))
        running = ~batch.done
        assert (batch.scores[running] == before[running]).all()
        assert np.allclose(batch.win_shares[batch.done].sum(axis=1), 1)
        before = batch.scores.copy()


def test_ties_are_split() -> None:
    """A sale of two where both end with as much money and as many coins."""
    state = _tied()
    batch = kernel.create("iello-2020", 3, 1)
    batch.set(0, state)
    while not batch.done[0]:
        seat = int(batch.to_act[0])
        action = legal_actions(state, seat)[0]
        state, _ = apply(state, seat, action)
        batch.step(np.array([encoding.to_index(action)]))
    end = game.outcome(state)
    assert end is not None
    assert len(end.winners) > 1
    assert batch.win_shares[0].tolist() == [np.float32((seat in end.winners) / len(end.winners)) for seat in range(3)]


def _tied() -> State:
    """The last sale of some game that ends in a tie."""
    for seed in range(10_000):
        played = combo_game(Combo("iello-2020", 3, None), seed)
        end = game.outcome(played.end)
        assert end is not None
        if len(end.winners) > 1 and len(played.turns) > 3:
            state = played.after(len(played.turns) - 3)
            finish = dict(played.turns[-3:])
            if len(finish) == 3 and len(state.to_act) == 3 and all(len(hand) == 1 for hand in state.hands):
                return state
    raise AssertionError("no tie in ten thousand games")


# --- Positions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_position_of_the_engine_goes_in_and_comes_out(combo: Combo) -> None:
    batch = batch_of(combo, games=2)
    untouched = batch.state(0)
    for seed in range(3):
        played = combo_game(combo, seed)
        state = played.start
        for seat, action in played.turns:
            batch.set(1, state)
            assert batch.state(1) == state._replace(history=())
            assert batch.to_act[1] in state.to_act
            state, _ = apply(state, seat, action)
    assert batch.state(0) == untouched


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_position_goes_on_in_the_kernel_as_in_the_engine(combo: Combo) -> None:
    """From any moment, choices in a sale made in any order included."""
    batch = batch_of(combo, games=1)
    for seed in range(6):
        played = combo_game(combo, seed)
        state = played.after(len(played.turns) * seed // 6)
        batch.set(0, state)
        rng = Random(seed)
        while state.phase is not OVER:
            seat = int(batch.to_act[0])
            action = rng.choice(legal_actions(state, seat))
            state, _ = apply(state, seat, action)
            batch.step(np.array([encoding.to_index(action)]))
            if state.phase is not OVER:
                assert batch.state(0) == state._replace(history=())
        end = game.outcome(state)
        assert end is not None
        assert tuple(batch.scores[0].tolist()) == end.scores


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_view_goes_in_as_far_as_it_is_known_and_the_rest_is_drawn(combo: Combo) -> None:
    batch = batch_of(combo, games=1)
    played = combo_game(combo, seed=4)
    drawn = set()
    for turns in range(0, len(played.turns), 3):
        state = played.after(turns)
        for seat in range(combo.seats):
            seen = view.of(state, seat)
            batch.set(0, seen)
            told = batch.state(0)
            for field in ("phase", "number", "market", "bidders", "bids", "coins", "hands", "cheques"):
                assert getattr(told, field) == getattr(state, field)
            assert told.choices == tuple(seen.choice if other == seat else None for other in range(combo.seats))
            assert (told.houses_left, told.cheques_left) == (state.houses_left, state.cheques_left)
            count = state.rules.deck_size - state.houses_left
            assert set(told.decks.houses[:count]) == set(state.decks.houses[:count])
            assert sorted(told.decks.houses + told.decks.removed_houses) == sorted(state.rules.houses)
            assert sorted(told.decks.cheques + told.decks.removed_cheques) == sorted(state.rules.cheques)
    for seed in range(20):
        batch.reset(seed)
        batch.set(0, view.of(played.start, 0))
        drawn.add(batch.state(0).decks)
    assert len(drawn) == 20


def test_partial_decks_are_completed_by_chance() -> None:
    """The cards that are known come as they are known; the others in another order for another seed."""
    whole = start(editions.load("iello-2020"), 4, None, Random(3))
    partial = game.Decks(whole.decks.houses[:10], whole.decks.cheques[:4], partial=True)
    state = game.new_game(editions.load("iello-2020"), 4, partial, 0)
    batch, found = batch_of(games=1), set()
    for seed in range(10):
        batch.reset(seed)
        batch.set(0, state)
        decks = batch.state(0).decks
        assert decks.houses[:10] == partial.houses
        assert decks.cheques[:4] == partial.cheques
        found.add(decks)
    assert len(found) == 10


# --- Letting others play ---------------------------------------------------------------------------------------------


@numba.njit
def passing(s, r, parameters, chance):  # type: ignore[no-untyped-def]
    """Passes, and sells as `uniform` does."""
    return PASS if s[layout.PHASE] == layout.BUYING else kernel.uniform(s, r, parameters, chance)


@pytest.mark.parametrize("combo", COMBOS[::5], ids=str)
def test_others_play_until_it_is_a_seats_turn(combo: Combo) -> None:
    batch = batch_of(combo, games=600)
    seats = np.arange(600) % combo.seats
    rng = np.random.default_rng(3)
    ended = np.zeros(600, np.int64)
    for _ in range(120):
        batch.advance(seats)
        assert (batch.to_act == seats).all()
        ended += batch.done
        assert np.allclose(batch.win_shares[batch.done].sum(axis=1), 1)
        batch.step(any_legal(batch, rng))
    assert ended.min() >= 1


def test_a_game_that_ends_in_the_step_is_still_done_after_advancing() -> None:
    batch, rng = batch_of(games=400), np.random.default_rng(3)
    seats = np.full(400, 3, np.int32)  # the last to be asked in a sale
    kept = 0
    for _ in range(100):
        batch.advance(seats)
        batch.step(any_legal(batch, rng))
        done = batch.done.copy()
        batch.advance(seats)
        assert batch.done[done].all()
        kept += done.sum()
    assert kept > 0


@pytest.mark.usefixtures("_small_shares")
def test_advancing_is_the_same_whatever_the_number_of_threads() -> None:
    def seen(threads: int) -> list[bytes]:
        batch, rng, told = batch_of(games=1500, threads=threads), np.random.default_rng(5), []
        for _ in range(60):
            batch.advance(np.full(1500, 2))
            told.append(batch.observe().tobytes())
            batch.step(any_legal(batch, rng))
        return told

    assert seen(1) == seen(4)


def test_a_policy_is_given_the_parameters_of_its_game_and_seat() -> None:
    parameters = np.zeros((40, 4, 2), np.float32)
    parameters[::2, 1:, 1] = 1
    batch = batch_of(games=40)
    batch.reset(11)
    batch.advance(np.zeros(40, np.int64), _told, parameters)
    for place in range(40):
        others = [batch.state(place).bids[seat] for seat in range(1, 4)]
        raised = any(bid is not None for bid in others)
        passed = len(batch.state(place).bidders) < 4 or batch.state(place).number > 1
        assert not (raised and place % 2)
        assert not (passed and place % 2 == 0)


@numba.njit
def _told(s, r, parameters, chance):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Raises by one where its second parameter says so, and passes otherwise."""
    return PASS if parameters[1] == 0 else BID + 1 + max(s[layout.HIGHEST], 0)


def test_passing_others_leave_the_last_house_without_a_turn() -> None:
    batch = batch_of(games=100)
    batch.advance(np.zeros(100, np.int64), passing)
    assert (batch.to_act == 0).all()


# --- Bad input -------------------------------------------------------------------------------------------------------


BAD_CALLS: dict[str, tuple[Callable[[kernel.Batch], Any], str]] = {
    "shape": (
        lambda batch: batch.step(np.zeros(4, np.int64)),
        r"actions: expected int64 or int32 or int16 or int8 of shape \(3\), got int64 of shape \(4,\)",
    ),
    "dimensions": (lambda batch: batch.step(np.zeros((3, 1), np.int64)), r"actions: .* got int64 of shape \(3, 1\)"),
    "floats": (lambda batch: batch.step(np.zeros(3)), "actions: expected int64 .* got float64"),
    "flags": (lambda batch: batch.step(np.zeros(3, np.bool_)), "actions: expected int64 .* got bool"),
    "unsigned": (lambda batch: batch.step(np.zeros(3, np.uint64)), "actions: expected int64 .* got uint64"),
    "list": (lambda batch: batch.step([0, 0, 0]), "actions: expected a numpy array, got list"),
    "nothing": (lambda batch: batch.step(None), "actions: expected a numpy array, got NoneType"),
    "house": (
        lambda batch: batch.step(np.array([0, 0, 40])),
        "action 40 of game 2 is not legal; nothing was played",
    ),
    "below": (lambda batch: batch.step(np.array([-1, 0, 0])), "action -1 of game 0 is not legal"),
    "beyond": (lambda batch: batch.step(np.array([0, 60, 0])), "action 60 of game 1 is not legal"),
    "far beyond": (lambda batch: batch.step(np.array([0, 2**62, 0])), f"action {2**62} of game 1 is not legal"),
    "wraps": (lambda batch: batch.step(np.array([2**32, 0, 0])), f"action {2**32} of game 0 is not legal"),
    "mask shape": (
        lambda batch: batch.legal_mask(np.zeros((3, 59), np.bool_)),
        r"out: expected bool of shape \(3, 60\)",
    ),
    "mask type": (lambda batch: batch.legal_mask(np.zeros((3, 60), np.int8)), "out: expected bool .* got int8"),
    "row type": (lambda batch: batch.observe(np.zeros((3, 122), np.int32)), "out: expected int16 .* got int32"),
    "read-only": (lambda batch: batch.observe(_frozen()), "out: expected an array that can be written to"),
    "place": (lambda batch: batch.state(3), "game: expected a whole number from 0 to 2, got 3"),
    "place below": (lambda batch: batch.state(-1), "game: expected a whole number from 0 to 2, got -1"),
    "seat": (lambda batch: batch.advance(np.array([0, 4, 1])), "seats: expected numbers from 0 to 3"),
    "seats": (lambda batch: batch.advance(np.zeros(2, np.int64)), r"seats: expected .* of shape \(3\)"),
    "policy": (
        lambda batch: batch.advance(np.zeros(3, np.int64), print),
        "policy: expected a function, plain or compiled",
    ),
    "parameters": (
        lambda batch: batch.advance(np.zeros(3, np.int64), kernel.uniform, np.zeros((3, 5, 1), np.float32)),
        r"parameters: expected float32 of shape \(3, 4, any\), got float32 of shape \(3, 5, 1\)",
    ),
    "seed": (lambda batch: batch.reset(-1), f"seed: expected a whole number from 0 to {2**64 - 1}, got -1"),
    "seed type": (lambda batch: batch.reset(1.5), "seed: expected a whole number .* got 1.5"),  # type: ignore[arg-type]
    "other rules": (
        lambda batch: batch.set(0, combo_game(Combo("iello-2020", 5, None), 1).start),
        "expected a position of iello-2020 with 4 seats, got one of iello-2020 with 5 seats",
    ),
    "over": (lambda batch: batch.set(0, combo_game(FOUR, 1).end), "expected a position where someone is to act"),
    "spectator": (
        lambda batch: batch.set(0, view.of(combo_game(FOUR, 1).start, None)),
        "expected the view of a seat, got a spectator's",
    ),
}


def _frozen() -> np.ndarray[Any, np.dtype[np.int16]]:
    array = np.zeros((3, 122), np.int16)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_input_is_refused_and_nothing_is_done(name: str) -> None:
    call, sentence = BAD_CALLS[name]
    batch = batch_of()
    before = [batch.state(place) for place in range(3)]
    with pytest.raises((KernelError, encoding.EncodingError), match=sentence):
        call(batch)
    assert [batch.state(place) for place in range(3)] == before


def test_without_a_check_a_game_with_an_illegal_action_stands_still() -> None:
    batch = batch_of()
    before = [batch.state(place) for place in range(3)]
    batch.step(np.array([0, 2**40, -5]), check=False)
    after = [batch.state(place) for place in range(3)]
    assert after[0] == apply(before[0], min(before[0].to_act), Pass())[0]._replace(history=())
    assert after[1:] == before[1:]


@numba.njit
def _cheating(s, r, parameters, chance):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Would sell a house that it may not even hold."""
    return HOUSE + 30


@pytest.mark.usefixtures("_small_shares")
@pytest.mark.parametrize("threads", [1, 3])
def test_a_policy_that_gives_an_illegal_action_is_refused(threads: int) -> None:
    batch = batch_of(games=900, threads=threads)
    first = int(np.flatnonzero(batch.to_act != 0)[0])
    sentence = f"the policy gave an action that is not legal in game {first}; games were left where they stood"
    with pytest.raises(KernelError, match=sentence):
        batch.advance(np.zeros(900, np.int64), _cheating)
    batch.advance(np.zeros(900, np.int64), _cheating, check=False)
    assert batch.to_act[first] != 0
    with pytest.raises(KernelError, match="the policy gave an action that is not legal in game 0"):
        kernel.play(games=900, policy=_cheating, threads=threads)


def test_without_a_check_a_game_whose_seat_is_not_at_the_table_stands_still() -> None:
    batch = batch_of()
    before = batch.state(0), batch.state(2)
    batch.advance(np.array([4, (int(batch.to_act[1]) + 1) % 4, -1]), check=False)
    assert (batch.state(0), batch.state(2)) == before
    assert batch.state(1) != before[0]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"device": "tpu"}, KernelError, "device: expected cpu or cuda, got 'tpu'"),
        ({"games": 0}, KernelError, "games: expected a whole number from 1 to 2147483647, got 0"),
        ({"games": 2.0}, KernelError, "games: expected a whole number"),
        ({"games": True}, KernelError, "games: expected a whole number .* got True"),
        ({"seed": 2**64}, KernelError, "seed: expected a whole number"),
        ({"threads": 0}, KernelError, "threads: expected a whole number from 1 to 1024, got 0"),
        ({"seats": 7}, editions.EditionError, "seats"),
        ({"edition": "monopoly"}, editions.EditionError, "monopoly"),
        ({"variant": "nonsense"}, editions.EditionError, "nonsense"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        kernel.create(**arguments)


def test_an_edition_that_is_too_large_is_refused() -> None:
    edition = editions.from_toml(changed("cards.houses", [*range(2, 13), 31]))
    with pytest.raises(encoding.EncodingError, match="own-12: expected houses up to 30, got 31"):
        kernel.create(edition, 3)


# --- Buffers ---------------------------------------------------------------------------------------------------------


def test_buffers_are_the_callers_or_made_once() -> None:
    batch = batch_of()
    assert batch.legal_mask() is batch.legal_mask()
    assert batch.observe() is batch.observe()
    mask, rows = np.zeros((3, 60), np.bool_), np.zeros((3, 122), np.int16)
    assert batch.legal_mask(mask) is mask
    assert batch.observe(rows) is rows
    assert (mask == batch.legal_mask()).all()
    assert (rows == batch.observe()).all()


def test_buffers_need_not_lie_together() -> None:
    batch = batch_of()
    wide = np.zeros((3, 244), np.int16)
    batch.observe(wide[:, ::2])
    assert (wide[:, ::2] == batch.observe()).all()
    assert not wide[:, 1::2].any()
    actions = np.array([encoding.to_index(Bid(1)), 59] * 3)
    batch.step(actions[::2])
    assert [batch.state(place).highest_bid for place in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_actions_may_be_of_any_size(kind: type[Any]) -> None:
    batch = batch_of()
    batch.step(np.array([0, 2, 5], kind))
    assert [batch.state(place).highest_bid for place in range(3)] == [None, 1, 4]


def test_a_batch_on_the_cpu_is_told_as_such() -> None:
    assert isinstance(batch_of(), cpu.CpuBatch)
