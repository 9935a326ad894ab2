"""All seats of a game, one after the other, for PettingZoo.

>>> from forsale.envs import aec
>>> env = aec.env(seats=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

The names here are those of PettingZoo's own games. docs/envs.md says what they mean in this one.
"""

import os
from typing import Any, SupportsIndex

try:
    from gymnasium.spaces import Dict, Space
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("forsale.envs.aec needs PettingZoo: pip install forsale[envs]") from None

from forsale import editions, game, view
from forsale.editions import Edition
from forsale.envs import farama, turns
from forsale.envs.turns import Setup

__all__ = ["env", "raw_env"]


def env(
    edition: str | os.PathLike[str] | Edition = editions.DEFAULT,
    seats: int = 4,
    variant: str | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """A game in the wrappers of PettingZoo's classic games.

    An illegal action ends it, with -1 for its seat and 0 for the others; an index that no action has is refused.
    """
    raw = raw_env(edition, seats, variant, render_mode)
    loses = wrappers.TerminateIllegalWrapper(raw, illegal_reward=turns.ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(loses))


class raw_env(AECEnv):  # type: ignore[misc]
    """A game without wrappers: an illegal action raises `IllegalAction`, and nothing is played."""

    metadata = {"name": "for_sale_v0", "is_parallelizable": False, **farama.RENDERING}  # noqa: RUF012 - as it is there

    def __init__(
        self,
        edition: str | os.PathLike[str] | Edition = editions.DEFAULT,
        seats: int = 4,
        variant: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._setup = Setup(edition, seats, variant)
        farama.check_render_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.observation_spaces = {
            agent: Dict(
                {"observation": farama.observation_space(self._setup.rules), "action_mask": farama.mask_space()}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: farama.action_space() for agent in self.possible_agents}
        self._chance, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Space[Any]:
        """The row of `forsale.encoding`, and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The action indices of `forsale.encoding`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a game. The same seed gives the same games from here on; there are no options."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self._state = self._setup.deal(turns.chance(self._chance))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know; the mask is 0 everywhere but for the seat whose turn it is."""
        seat = self.possible_agents.index(agent)
        return {"observation": turns.observation(self._state, seat), "action_mask": turns.mask(self._state, seat)}

    def step(self, action: SupportsIndex | None) -> None:
        """Play for the seat whose turn it is; after the end, take leave of it with None."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "expected the index of an action, got None"
        self._state = turns.play(self._state, action)
        # There is no reward before the end, so that none is ever left over from an earlier turn.
        self._go_on()

    def _go_on(self) -> None:
        """To the next seat, or to the end."""
        seat = turns.asked(self._state)
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
        outcome = game.outcome(self._state)
        if outcome is not None:
            self.rewards = dict(zip(self.agents, turns.rewards(outcome), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: dict(turns.ending(outcome)) for agent in self.agents}
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Everything that is public."""
        return farama.render(view.of(self._state, None), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
