"""The environment for PettingZoo: its own tests, and the engine beside it."""

import copy
import pickle
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils import seeding
from pettingzoo.test import api_test, render_test, seed_test

from forsale import encoding, game, view
from forsale.envs import aec, turns
from forsale.game import SELLING, IllegalAction, Sell, State
from tests.envs.choosing import choose, legal_mask
from tests.games import COMBOS, Combo

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)

# PettingZoo knows by name those of its own games that have a mask in the observation, and doubts all others.
masks_are_meant = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",  # after the end
)


def make(combo: Combo) -> Any:
    return aec.env(combo.edition, combo.seats, combo.variant)


def dealt(combo: Combo, seed: int) -> State:
    """The game that an environment deals from a seed."""
    generator, _ = seeding.np_random(seed)
    return turns.Setup(*combo).deal(turns.chance(generator))


# --- PettingZoo's own tests ----------------------------------------------------------------------------------


@masks_are_meant
@every_combo
def test_it_is_what_pettingzoo_expects(combo: Combo) -> None:
    api_test(make(combo), num_cycles=100)


@every_combo
def test_the_same_seed_gives_the_same_game(combo: Combo) -> None:
    seed_test(partial(make, combo), num_cycles=100)


def test_it_renders_in_every_mode_that_it_names() -> None:
    render_test(partial(aec.env, variant="scarce"))


# --- The engine beside it ------------------------------------------------------------------------------------


@every_combo
def test_a_whole_game_is_that_of_the_engine(combo: Combo) -> None:
    rng = Random(str(combo))
    env = make(combo)
    env.reset(seed=5)
    state = dealt(combo, seed=5)
    while state.to_act:
        seat = min(state.to_act)
        assert env.agent_selection == f"player_{seat}"
        observation, reward, termination, truncation, info = env.last()
        assert (reward, termination, truncation, info) == (0, False, False, {})
        assert observation["action_mask"].tolist() == legal_mask(state, seat)
        for other, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert seen["observation"].tolist() == encoding.encode(view.of(state, other)).tolist()
            assert seen["action_mask"].any() == (other == seat)
        action = choose(observation["action_mask"], rng)
        env.step(action)
        state, _ = game.apply(state, seat, encoding.from_index(action))
    end = game.outcome(state)
    assert end is not None
    assert env.rewards == {f"player_{seat}": reward for seat, reward in enumerate(turns.rewards(end))}
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-12)
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    for info in env.infos.values():
        assert (tuple(info["scores"]), tuple(info["coins"])) == (end.scores, end.coins)


def test_each_seat_is_told_its_reward_once() -> None:
    env = aec.env(seats=3)
    env.reset(seed=2)
    rng, told = Random(2), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        told[agent] += reward
        env.step(None if termination else choose(observation["action_mask"], rng))
    assert env.agents == []
    assert sorted(told.values()) == pytest.approx([-1 / 3, -1 / 3, 2 / 3])


def test_a_reset_goes_on_with_the_chance_of_the_one_before() -> None:
    env = aec.env()
    markets = []
    for seed in (1, None, None, 1, None):
        env.reset(seed=seed)
        markets.append(tuple(env.observe("player_0")["observation"][encoding.SLICES["market"]]))
    assert len(set(markets[:3])) == 3
    assert markets[3:] == markets[:2]


# --- Secrets -------------------------------------------------------------------------------------------------


def at_the_first_sale(env: Any, seed: int) -> State:
    """Let all pass until houses are sold: the position, as the engine has it."""
    env.reset(seed=seed)
    state = dealt(Combo("iello-2020", 4, None), seed)
    while state.phase is not SELLING:
        state, _ = game.apply(state, min(state.to_act), game.Pass())
        env.step(encoding.PASS)
    return state


def test_in_a_sale_seats_are_asked_in_order_and_none_sees_what_another_chose() -> None:
    seen = []
    for choice in (0, -1):
        env = aec.env()
        state = at_the_first_sale(env, seed=3)
        for seat in range(4):
            assert env.agent_selection == f"player_{seat}"
            seen.append((choice, seat, env.observe(f"player_{seat}")["observation"].tolist()))
            env.step(encoding.to_index(Sell(state.hands[seat][choice if seat == 0 else 0])))
    assert [row for choice, _, row in seen if choice == 0] == [row for choice, _, row in seen if choice == -1]


# --- Illegal actions -----------------------------------------------------------------------------------------


def test_an_illegal_action_loses_and_ends_the_game() -> None:
    env = aec.env(seats=3)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(encoding.to_index(Sell(30)))
    assert env.rewards == {agent: -1.0 if agent == loser else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_without_wrappers_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = aec.raw_env(seats=3)
    env.reset(seed=1)
    agent, before = env.agent_selection, env.observe(env.agent_selection)
    with pytest.raises(IllegalAction, match="^the game is buying: seat . can bid or pass$"):
        env.step(encoding.to_index(Sell(30)))
    assert env.agent_selection == agent
    assert env.observe(agent)["observation"].tolist() == before["observation"].tolist()
    assert not any(env.terminations.values())


def test_an_index_out_of_bounds_is_refused() -> None:
    env = aec.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="^action is not in action space$"):
        env.step(encoding.ACTIONS)


# --- Rendering and copies ------------------------------------------------------------------------------------


def test_people_are_shown_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec.env(seats=3, render_mode="human")
    env.reset(seed=1)
    env.step(encoding.PASS)
    first, second = capsys.readouterr().out.strip().split("\n\n")
    assert first.startswith("iello-2020, 3 seats, auction 1: ")
    assert "out" in second


def test_rendering_without_a_mode_is_a_warning() -> None:
    env = aec.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was chosen"):
        assert env.render() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_from_the_same_position_on_its_own(copied: Any) -> None:
    env = aec.raw_env(seats=3)
    env.reset(seed=4)
    env.step(encoding.PASS)
    other = copied(env)
    agent = env.agent_selection
    assert other.agent_selection == agent
    other.step(encoding.PASS)
    assert env.agent_selection == agent
    env.step(encoding.PASS)
    for name in env.agents:
        assert np.array_equal(env.observe(name)["observation"], other.observe(name)["observation"])
    env.reset()
    other.reset()
    assert np.array_equal(env.observe(agent)["observation"], other.observe(agent)["observation"])
