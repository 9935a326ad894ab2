"""The environment for Gymnasium: its own checks, and the engine beside it."""

import copy
import pickle
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.utils.env_checker import check_env

from forsale import arena, bots, encoding, game, view
from forsale.bots import BotError
from forsale.envs import single, text, turns
from forsale.envs.single import ForSaleEnv
from forsale.game import Action, Sell
from forsale.view import View
from tests.envs.choosing import choose, legal_mask
from tests.games import COMBOS, Combo

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)
ID = "forsale/ForSale-v0"


def make(combo: Combo, **arguments: Any) -> ForSaleEnv:
    env = gymnasium.make(ID, edition=combo.edition, seats=combo.seats, variant=combo.variant, **arguments)
    assert isinstance(env.unwrapped, ForSaleEnv)
    return env.unwrapped


# --- Gymnasium's own checks ----------------------------------------------------------------------------------


@every_combo
def test_it_is_what_gymnasium_expects(combo: Combo, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(make(combo))  # its warnings are errors here
    assert "auction 1" in capsys.readouterr().out


def test_it_can_be_made_by_the_name_of_the_module() -> None:
    env = gymnasium.make(f"forsale.envs:{ID}", seats=5, bots="broker", seat=2)
    _, info = env.reset(seed=1)
    assert info["seat"] == 2


def test_gymnasium_can_run_several_side_by_side() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", seats=3)
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, encoding.LENGTH)
    actions = np.array([choose(mask, Random(1)) for mask in infos["action_mask"]])
    _, rewards, *_ = envs.step(actions)
    assert rewards.tolist() == [0, 0, 0]
    envs.close()


# --- The engine beside it ------------------------------------------------------------------------------------


@every_combo
def test_what_is_seen_and_allowed_is_that_of_the_engine(combo: Combo) -> None:
    env = make(combo)
    rng = Random(str(combo))
    for _ in range(3):
        observation, info = env.reset(seed=rng.getrandbits(32))
        over, reward = False, 0.0
        while not over:
            state, seat = env._state, info["seat"]
            assert reward == 0
            assert np.array_equal(observation, encoding.encode(view.of(state, seat)))
            assert observation in env.observation_space
            assert info["action_mask"].tolist() == legal_mask(state, seat)
            assert env.action_masks().dtype == np.bool_
            assert np.array_equal(env.action_masks(), info["action_mask"])
            observation, reward, over, truncated, info = env.step(choose(info["action_mask"], rng))
            assert not truncated
        assert not info["action_mask"].any()
        end = game.outcome(env._state)
        assert end is not None
        assert (tuple(info["scores"]), tuple(info["coins"])) == (end.scores, end.coins)
        assert reward == turns.rewards(end)[info["seat"]]


@every_combo
def test_a_whole_game_is_the_one_that_the_arena_plays(combo: Combo) -> None:
    """The arena's game of the same deal, with a `random` in the seat that the test plays."""
    env = make(combo, bots="broker")
    _, info = env.reset(seed=7)
    generator, _ = seeding.np_random(7)
    rng = turns.chance(generator)
    seat = rng.randrange(combo.seats)
    keys = [rng.getrandbits(64) for _ in range(combo.seats)]
    players = [bots.make("random" if other == seat else "broker") for other in range(combo.seats)]
    end = arena.play_out(turns.Setup(*combo).deal(rng), players, [*map(Random, keys)])
    over, mine = False, Random(keys[seat])
    while not over:
        assert info["seat"] == seat
        _, _, over, _, info = env.step(mine.choice(np.flatnonzero(info["action_mask"]).tolist()))
    outcome = game.outcome(end)
    assert outcome is not None
    assert tuple(info["scores"]) == outcome.scores


def test_the_others_play_on_when_a_seat_has_sold_all() -> None:
    """In the variant a seat may run out of houses before the others; it is not asked again, but told the end."""
    env = make(Combo("iello-2020", 3, "scarce"), seat=0)
    number = encoding.SLICES["moment"].start + 1
    early = 0
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            asked_in = observation[number]
            observation, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert len(info["scores"]) == 3
        early += asked_in < observation[number]
    assert early


# --- Seats, bots, seeds --------------------------------------------------------------------------------------


def test_a_seat_of_ones_own_or_any() -> None:
    fixed, drawn = ForSaleEnv(seat=2), ForSaleEnv()
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(10)} == {2}
    assert {drawn.reset(seed=seed)[1]["seat"] for seed in range(40)} == {0, 1, 2, 3}


class Spy:
    """Writes down where it sits, and passes or sells its first house."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats: set[int | None] = set()

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        assert isinstance(view, View)
        assert isinstance(rng, Random)
        self.seats.add(view.seat)
        return legal[0]


def test_bots_sit_clockwise_from_ones_own_seat_and_get_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    spies = {name: Spy(name) for name in ("x", "y", "z")}
    monkeypatch.setattr(single, "make", spies.__getitem__)
    env = ForSaleEnv(seat=2, bots=("x", "y", "z"))
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert {name: spy.seats for name, spy in spies.items()} == {"x": {3}, "y": {0}, "z": {1}}


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("kasparov", "^expected a bot among lodger, .*, got 'kasparov'$"),
        (("random", "kasparov", "random"), "^expected a bot among lodger, .*, got 'kasparov'$"),
        (("random", "broker"), "^bots: expected one name, or 3 for the other seats, got 2$"),
        ((), "^bots: expected one name, or 3 for the other seats, got 0$"),
    ],
)
def test_bots_that_there_are_not_are_refused(names: str | tuple[str, ...], sentence: str) -> None:
    with pytest.raises(BotError, match=sentence):
        ForSaleEnv(bots=names)


def test_the_same_seed_gives_the_same_games_and_a_reset_goes_on() -> None:
    env = ForSaleEnv(bots="broker")
    rows = [env.reset(seed=seed)[0].tolist() for seed in (1, None, None, 1, None)]
    assert len({tuple(row) for row in rows[:3]}) == 3
    assert rows[3:] == rows[:2]


# --- Illegal actions -----------------------------------------------------------------------------------------


def test_an_illegal_action_loses_and_says_why() -> None:
    env = ForSaleEnv(seat=0)
    before, _ = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(encoding.to_index(Sell(30)))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == "the game is buying: seat A can bid or pass"
    assert "scores" not in info
    assert np.array_equal(observation, before)
    with pytest.raises(ResetNeeded):
        env.step(encoding.PASS)


@pytest.mark.parametrize("ended", [False, True])
def test_there_is_no_step_before_a_game_or_after_it(ended: bool) -> None:
    env = ForSaleEnv()
    if ended:
        env.reset(seed=1)
        while not env.step(int(np.flatnonzero(env.action_masks())[0]))[2]:
            pass
    with pytest.raises(ResetNeeded, match="^there is no game to play on in: call reset first$"):
        env.step(encoding.PASS)


# --- Rendering and copies ------------------------------------------------------------------------------------


def test_it_shows_what_the_seat_may_know() -> None:
    env = ForSaleEnv(seats=3, seat=0, render_mode="ansi")
    env.reset(seed=1)
    shown = env.render()
    assert shown is not None
    assert shown == text.position(view.of(env._state, 0))


def test_rendering_without_a_mode_is_a_warning() -> None:
    env = ForSaleEnv()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was chosen"):
        assert env.render() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_from_the_same_position_on_its_own(copied: Callable[[ForSaleEnv], ForSaleEnv]) -> None:
    env = ForSaleEnv(seats=3)
    env.reset(seed=4)
    other = copied(env)
    first = other.step(encoding.PASS)[0]
    assert np.array_equal(env.step(encoding.PASS)[0], first)
    assert np.array_equal(env.reset()[0], other.reset()[0])
