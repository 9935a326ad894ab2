"""One seat in each of many games at once, for Gymnasium, on `forsale.kernel`.

>>> import gymnasium
>>> import forsale.envs
>>> envs = gymnasium.make_vec("forsale/ForSale-v0", num_envs=100, seats=3)
>>> observations, infos = envs.reset(seed=1)
>>> actions = infos["action_mask"].argmax(axis=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(actions)
>>> observations.shape
(100, 122)

docs/envs.md says what observation, mask and reward mean.
"""

import os
from typing import Any

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("forsale.envs.vector needs Gymnasium: pip install forsale[envs]") from None

import numpy as np
from numpy.typing import NDArray

from forsale import editions, kernel
from forsale.editions import Edition
from forsale.encoding import Row
from forsale.envs import farama
from forsale.envs.turns import Setup

__all__ = ["ForSaleVectorEnv"]


class ForSaleVectorEnv(VectorEnv[Row, NDArray[np.int64], NDArray[Any]]):
    """A seat in each of many games, whose other seats are played by a compiled policy.

    `seat` is yours everywhere; None spreads you over the seats: game 0 has you in seat 0, game 1 in seat 1, and so on.
    `policy` and its `parameters` are those of `forsale.kernel.Batch.advance`. Without `copy`, observations and masks
    are buffers that the next call overwrites.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as it is in Gymnasium

    def __init__(
        self,
        num_envs: int = 1,
        edition: str | os.PathLike[str] | Edition = editions.DEFAULT,
        seats: int = 4,
        variant: str | None = None,
        seat: int | None = None,
        policy: kernel.Policy = kernel.uniform,
        parameters: NDArray[np.float32] | None = None,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        setup = Setup(edition, seats, variant)
        setup.check_seat(seat)
        self._batch = kernel.create(setup.edition, seats, num_envs, variant, threads=threads)
        self._seats = np.arange(num_envs) % seats if seat is None else np.full(num_envs, seat)
        self._policy, self._parameters = policy, parameters
        self.num_envs = num_envs
        self.copy = copy
        self.single_observation_space = farama.observation_space(setup.rules)
        self.single_action_space = farama.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Deal anew everywhere, and let the others play up to your first turns. There are no options."""
        if options is not None and "reset_mask" in options:
            raise ValueError("reset_mask: games begin anew as they end, and all at once here, but not some of them")
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(2**63)))
        self._advance()
        return self._observations(), self._infos()

    def step(self, actions: NDArray[np.int64]) -> tuple[Row, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play in every game, and let the others play up to your next turns, in the next game where one has ended.

        If any action is illegal, none is played: `KernelError`.
        """
        self._batch.step(np.asarray(actions))
        self._advance()
        ended = self._batch.done.copy()
        shares = self._batch.win_shares[np.arange(self.num_envs), self._seats]
        rewards = np.where(ended, shares - 1 / self._batch.rules.seats, 0.0)
        infos = self._infos()
        if ended.any():
            infos |= {"final_info": self._ending(ended), "_final_info": ended.copy()}
        return self._observations(), rewards, ended, np.zeros_like(ended), infos

    def _advance(self) -> None:
        self._batch.advance(self._seats, self._policy, self._parameters)

    def _observations(self) -> Row:
        return self._given(self._batch.observe())

    def _infos(self) -> dict[str, Any]:
        mask = self._given(self._batch.legal_mask().view(np.int8))
        return _told(np.ones(self.num_envs, np.bool_), action_mask=mask, seat=self._seats.copy())

    def _ending(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What `turns.ending` tells, for all games; 0 where there is nothing to tell."""
        rows = ended[:, np.newaxis]
        return _told(ended, scores=self._batch.scores * rows, coins=self._batch.coins * rows)

    def _given(self, buffer: NDArray[Any]) -> NDArray[Any]:
        return buffer.copy() if self.copy else buffer


def _told(where: NDArray[np.bool_], **arrays: NDArray[Any]) -> dict[str, Any]:
    """Infos as Gymnasium has them: beside each array, under its name with an underscore, the games that it is about."""
    return {**arrays, **{f"_{name}": where.copy() for name in arrays}}
