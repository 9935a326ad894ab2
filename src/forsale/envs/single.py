"""One seat against bots, for Gymnasium.

>>> import gymnasium
>>> import forsale.envs
>>> env = gymnasium.make("forsale/ForSale-v0", seats=3, bots=("random", "broker"))
>>> observation, info = env.reset(seed=1)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, over, _, info = env.step(action)

docs/envs.md says what observation, mask and reward mean.
"""

import os
from collections.abc import Sequence
from random import Random
from typing import Any, SupportsIndex

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
except ImportError:
    raise ImportError("forsale.envs.single needs Gymnasium: pip install forsale[envs]") from None

import numpy as np
from numpy.typing import NDArray

from forsale import editions, game, view
from forsale.bots import Bot, BotError, make
from forsale.editions import Edition
from forsale.encoding import Row
from forsale.envs import farama, turns
from forsale.envs.turns import Setup
from forsale.game import IllegalAction, State

__all__ = ["ForSaleEnv"]


class ForSaleEnv(gymnasium.Env[Row, np.int64]):
    """A seat of a game whose other seats are played by bots.

    `seat` is yours; None draws one at each reset. `bots` is one name for all the others, or one for each of them,
    clockwise from yours.
    """

    metadata = {**farama.RENDERING}  # noqa: RUF012 - as it is in Gymnasium

    def __init__(
        self,
        edition: str | os.PathLike[str] | Edition = editions.DEFAULT,
        seats: int = 4,
        variant: str | None = None,
        seat: int | None = None,
        bots: str | Sequence[str] = "random",
        render_mode: str | None = None,
    ) -> None:
        self._setup = Setup(edition, seats, variant)
        self._setup.check_seat(seat)
        farama.check_render_mode(render_mode)
        self._fixed_seat = seat
        self._others = _line_up(bots, seats - 1)
        self.render_mode = render_mode
        self.observation_space = farama.observation_space(self._setup.rules)
        self.action_space = farama.action_space()
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Deal a game and let the bots play up to your first turn. There are no options."""
        super().reset(seed=seed, options=options)
        rng = turns.chance(self.np_random)
        seats = self._setup.rules.seats
        self._seat = rng.randrange(seats) if self._fixed_seat is None else self._fixed_seat
        # Each seat draws from its own, so that what one bot does with it disturbs no other.
        self._rngs = [Random(rng.getrandbits(64)) for _ in range(seats)]
        self._go_on(self._setup.deal(rng))
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Play, and let the bots play up to your next turn. An illegal action loses at once."""
        if self._over:
            raise ResetNeeded("there is no game to play on in: call reset first")
        try:
            state = turns.play(self._state, action)
        except IllegalAction as error:
            self._over = True
            return self._observation(), turns.ILLEGAL_REWARD, True, False, {**self._info(), "illegal": str(error)}
        self._go_on(state)
        return self._observation(), self._reward(), self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, under the name that `MaskablePPO` of sb3-contrib asks for."""
        return turns.mask(self._state, self._seat).view(np.bool_)

    def render(self) -> str | None:
        """What you may know."""
        return farama.render(view.of(self._state, self._seat), self.render_mode)

    def _go_on(self, state: State) -> None:
        """Let the bots play until it is your turn, or the end."""
        while (seat := turns.asked(state)) not in (self._seat, None):
            bot = self._others[(seat - self._seat) % len(self._rngs) - 1]
            choice = bot.choose(view.of(state, seat), game.legal_actions(state, seat), self._rngs[seat])
            state, _ = game.apply(state, seat, choice)
        self._state = state
        self._over = seat is None
        if self.render_mode == "human":
            self.render()

    def _observation(self) -> Row:
        return turns.observation(self._state, self._seat)

    def _reward(self) -> float:
        outcome = game.outcome(self._state)
        return 0.0 if outcome is None else turns.rewards(outcome)[self._seat]

    def _info(self) -> dict[str, Any]:
        outcome = game.outcome(self._state)
        ending = {} if outcome is None else turns.ending(outcome)
        return {"action_mask": turns.mask(self._state, self._seat), "seat": self._seat, **ending}


def _line_up(names: str | Sequence[str], others: int) -> Sequence[Bot]:
    """A bot for each of the other seats, clockwise."""
    if isinstance(names, str):
        names = [names] * others
    if len(names) != others:
        raise BotError(f"bots: expected one name, or {others} for the other seats, got {len(names)}")
    return [make(name) for name in names]
