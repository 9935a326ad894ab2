"""What the rivals have done so far: every public decision of a game, with the row of the one who took it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.bots.replaying import Replay
from forsale.scalar import course, layout
from forsale.view import View

_CHOICES = slice(layout.CHOICES, layout.CHOICES + layout.MAX_SEATS)


class Decisions(NamedTuple):
    """In the order in which they were taken."""

    rows: NDArray[np.int32]
    seats: NDArray[np.int32]
    actions: NDArray[np.int32]


def decisions(view: View) -> Decisions:
    """Play the history again on a row, and keep the row before each decision.

    A sale counts once it is revealed: each of its choices was taken without the others.
    """
    replay = Replay(view.rules)
    rows, actions = [], []
    for action in replay.actions(view.history):
        rows.append(replay.s.copy())
        actions.append(action)
        course.step(replay.s, replay.d, replay.r, action)
    taken = np.array(rows, np.int32).reshape(len(rows), layout.LENGTH)
    taken[:, _CHOICES] = 0
    return Decisions(taken, taken[:, layout.TO_ACT].copy(), np.array(actions, np.int32))
