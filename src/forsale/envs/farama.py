"""What Gymnasium and PettingZoo, which are of one house, both ask for: spaces, and how a game is rendered."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, Space

from forsale import encoding
from forsale.editions import Rules
from forsale.envs import text
from forsale.view import View

_MODES = ("human", "ansi")
RENDERING = {"render_modes": list(_MODES), "render_fps": 4}
"""What metadata say of it. Nothing here waits for a frame, but Gymnasium wants to know how many there are."""


def observation_space(rules: Rules) -> Space[Any]:
    """The rows of `forsale.encoding`. -1 stands for none; the most is all cheques together, or in an edition of one's
    own the number of a card or a lowest bid."""
    most = max(sum(rules.cheques), encoding.MAX_CARDS, rules.lowest_bid)
    return Box(-1, most, (encoding.LENGTH,), np.int16)


def mask_space() -> Space[Any]:
    """A flag for each action."""
    return Box(0, 1, (encoding.ACTIONS,), np.int8)


def action_space() -> Space[Any]:
    """The action indices of `forsale.encoding`."""
    return Discrete(encoding.ACTIONS)


def check_render_mode(mode: str | None) -> None:
    """Refuse what cannot be shown."""
    if mode not in (*_MODES, None):
        raise ValueError(f"render_mode: expected {', '.join(_MODES)} or None, got {mode!r}")


def render(view: View, mode: str | None) -> str | None:
    """Print the position for people (`human`), or return it as text (`ansi`)."""
    if mode is None:
        gymnasium.logger.warn("render was called, but no render_mode was chosen when the environment was made")
        return None
    if mode == "ansi":
        return text.position(view)
    print(text.position(view), end="\n\n")
    return None
