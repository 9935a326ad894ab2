"""The vector environment: Gymnasium's conventions, and the kernel's games beside it."""

from random import Random
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from forsale import encoding, kernel
from forsale.envs.single import ForSaleEnv
from forsale.envs.vector import ForSaleVectorEnv
from forsale.kernel import KernelError
from forsale.scalar.layout import BUYING, PHASE
from tests.envs.choosing import choose, legal_mask
from tests.games import COMBOS, Combo

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)
ID = "forsale/ForSale-v0"
HIGHEST_BID = encoding.SLICES["moment"].start + 5


def make(combo: Combo, games: int = 12, **arguments: Any) -> ForSaleVectorEnv:
    named = {"edition": combo.edition, "seats": combo.seats, "variant": combo.variant, **arguments}
    envs = gymnasium.make_vec(ID, num_envs=games, vectorization_mode="vector_entry_point", **named)
    assert isinstance(envs, ForSaleVectorEnv)
    return envs


def choices(infos: dict[str, Any], rng: Random) -> Any:
    return np.array([choose(mask, rng) for mask in infos["action_mask"]])


# --- Gymnasium's conventions ---------------------------------------------------------------------------------


def test_it_is_what_gymnasium_makes_of_the_name_alone() -> None:
    envs = gymnasium.make_vec(ID, num_envs=5)
    assert isinstance(envs, ForSaleVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 5
    assert envs.single_observation_space == ForSaleEnv().observation_space
    assert envs.single_action_space == ForSaleEnv().action_space
    assert envs.action_space.shape == (5,)


def test_infos_are_as_gymnasium_makes_them_of_single_environments() -> None:
    """But for what is seen and allowed once a game is over, which the kernel does not keep."""
    rng, found = Random(1), []
    single = SyncVectorEnv([lambda: ForSaleEnv(seats=3)] * 4, autoreset_mode=AutoresetMode.SAME_STEP)
    for envs in (single, ForSaleVectorEnv(4, seats=3)):
        _, infos = envs.reset(seed=1)
        begun = kinds(infos)
        ended = np.zeros(4, np.bool_)
        while not ended.any():
            _, rewards, ended, truncations, infos = envs.step(choices(infos, rng))
        assert rewards.shape == ended.shape == (4,)
        assert not truncations.any()
        assert infos["_final_info"].tolist() == infos["final_info"]["_scores"].tolist() == ended.tolist()
        assert not infos["final_info"]["scores"][~ended].any()
        found.append((begun, kinds(infos)))
    begun, full = found[0]
    unlike = {"final_obs", "_final_obs", *(f"final_info {name}" for name in begun)}
    assert found[1] == (begun, {name: kind for name, kind in full.items() if name not in unlike})


def kinds(infos: dict[str, Any], before: str = "") -> dict[str, Any]:
    """The name, shape and type of every array."""
    found: dict[str, Any] = {}
    for name, value in infos.items():
        if isinstance(value, dict):
            found |= kinds(value, f"{name} ")
        else:
            found[before + name] = (value.shape, str(value.dtype))
    return found


def test_gymnasium_can_count_its_episodes() -> None:
    rng, ended = Random(2), 0
    envs = RecordEpisodeStatistics(ForSaleVectorEnv(8, seats=3))
    _, infos = envs.reset(seed=2)
    for _ in range(80):
        _, _, terminations, _, infos = envs.step(choices(infos, rng))
        ended += terminations.sum()
    assert envs.episode_count == ended > 8


# --- The kernel's games beside it ----------------------------------------------------------------------------


@every_combo
def test_each_game_waits_for_its_seat_with_what_is_legal_for_it(combo: Combo) -> None:
    rng, ended = Random(str(combo)), 0
    envs = make(combo)
    observations, infos = envs.reset(seed=3)
    assert infos["seat"].tolist() == [game % combo.seats for game in range(12)]
    for _ in range(60):
        assert observations in envs.observation_space
        assert envs._batch.to_act.tolist() == infos["seat"].tolist()
        game = rng.randrange(12)
        assert infos["action_mask"][game].tolist() == legal_mask(envs._batch.state(game), infos["seat"][game])
        assert (observations[:, encoding.SLICES["rules"].start] == combo.seats).all()
        observations, rewards, terminations, truncations, infos = envs.step(choices(infos, rng))
        assert not truncations.any()
        assert not rewards[~terminations].any()
        for over in np.flatnonzero(terminations).tolist():
            share = won(infos["final_info"], over, infos["seat"][over])
            assert rewards[over] == pytest.approx(share - 1 / combo.seats)
            ended += 1
    assert ended >= 12


def won(final: dict[str, Any], game: int, seat: int) -> float:
    """A seat's share of the victory: the highest score wins, coins break ties."""
    standing = [*zip(final["scores"][game], final["coins"][game], strict=True)]
    winners = [other for other, theirs in enumerate(standing) if theirs == max(standing)]
    return (seat in winners) / len(winners)


def test_one_who_plays_as_the_others_do_wins_as_often() -> None:
    rng, rewards = np.random.default_rng(4), []
    envs = ForSaleVectorEnv(500)
    _, infos = envs.reset(seed=4)
    for _ in range(100):
        mask = infos["action_mask"]
        _, given, terminations, _, infos = envs.step((mask * rng.random(mask.shape)).argmax(axis=1))
        rewards += given[terminations].tolist()
    assert len(rewards) > 2000
    assert abs(np.mean(rewards)) < 0.04


def test_the_same_seed_gives_the_same_games_and_a_reset_goes_on() -> None:
    envs = ForSaleVectorEnv(6)
    rows = [envs.reset(seed=seed)[0].tolist() for seed in (1, None, None, 1, None)]
    assert rows[0] != rows[1] != rows[2] != rows[0]
    assert rows[3:] == rows[:2]


def test_a_seat_of_ones_own_in_every_game() -> None:
    envs = ForSaleVectorEnv(6, seat=2)
    _, infos = envs.reset(seed=1)
    assert infos["seat"].tolist() == envs._batch.to_act.tolist() == [2] * 6


@numba.njit
def bold_or_not(s: Any, r: Any, parameters: Any, chance: Any) -> Any:
    """Passes where its parameter is 0, and sells by chance."""
    if s[PHASE] == BUYING and parameters[0] == 0:
        return encoding.PASS
    return kernel.uniform(s, r, parameters, chance)


def test_the_others_can_play_another_policy_with_its_parameters() -> None:
    parameters = np.zeros((4, 3, 1), np.float32)
    parameters[2:] = 1
    envs = ForSaleVectorEnv(4, seats=3, policy=bold_or_not, parameters=parameters)
    observations, infos = envs.reset(seed=5)
    heard = np.zeros(4, np.bool_)
    for _ in range(30):
        heard |= observations[:, HIGHEST_BID] > 0
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))  # a pass, or the lowest house
    assert heard.tolist() == [False, False, True, True]


# --- Buffers, and what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("copy", [True, False])
def test_observations_and_masks_are_kept_or_used_again(copy: bool) -> None:
    envs = ForSaleVectorEnv(3, seats=3, copy=copy)
    before, infos = envs.reset(seed=6)
    mask, kept = infos["action_mask"], before.copy()
    after, _, _, _, infos = envs.step(mask.argmax(axis=1))
    assert np.shares_memory(before, after) != copy
    assert np.shares_memory(mask, infos["action_mask"]) != copy
    assert np.array_equal(before, kept) == copy


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    envs = ForSaleVectorEnv(3)
    before, infos = envs.reset(seed=7)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = encoding.HOUSE + 30
    with pytest.raises(KernelError, match="^action 59 of game 1 is not legal; nothing was played$"):
        envs.step(actions)
    assert np.array_equal(envs._batch.observe(), before)


def test_only_all_games_can_be_reset() -> None:
    envs = ForSaleVectorEnv(2)
    with pytest.raises(ValueError, match="^reset_mask: games begin anew as they end"):
        envs.reset(options={"reset_mask": np.array([True, False])})


def test_games_that_cannot_be_counted_are_refused() -> None:
    with pytest.raises(KernelError, match="^games: expected a whole number from 1 to .*, got 0$"):
        ForSaleVectorEnv(0)
