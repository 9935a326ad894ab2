"""What has happened so far: each public decision, as a row of the game and as the net would have been told it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion import habits, told
from forsale.bots.champion.told import ROW
from forsale.bots.champion.watching import habits_before
from forsale.bots.planner.watching import Decisions
from forsale.bots.replaying import Replay
from forsale.encoding import ACTIONS
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import layout, legal
from forsale.scalar.layout import CHOICES, MAX_SEATS, TO_ACT
from forsale.view import View

watched_play, write_row, write_mask = map(compiled, (habits.play, told.write_row, legal.write_mask))


class Past(NamedTuple):
    """Of a game so far."""

    taken: Decisions
    told: NDArray[np.int16]
    """What the net would have been told at each decision."""
    masks: NDArray[np.bool_]
    habits: NDArray[np.int32]
    """Of all seats, as they are known now."""


def past_of(view: View) -> Past:
    """Play the history again, with the habits that were seen in earlier games at this table.

    A sale counts once it is revealed: each of its choices was taken without the others.
    """
    replay = Replay(view.rules)
    actions = np.array(list(replay.actions(view.history)), np.int32)
    rows = np.empty((len(actions), layout.LENGTH), np.int32)
    rows_told = np.empty((len(actions), ROW), np.int16)
    masks = np.empty((len(actions), ACTIONS), np.bool_)
    seen = np.array(habits_before(view.earlier), np.int32)
    s, d, r = np.array(replay.s, np.int32), np.array(replay.d, np.int8), np.array(replay.r, np.int32)
    _replay(s, d, r, seen, actions, rows, rows_told, masks)
    rows[:, CHOICES : CHOICES + MAX_SEATS] = 0
    return Past(Decisions(rows, rows[:, TO_ACT].copy(), actions), rows_told, masks, seen)


@loop
def _replay(s, d, r, w, actions, rows, told, masks):
    for i in range(len(actions)):
        for k in range(layout.LENGTH):
            rows[i, k] = s[k]
        tell(s, r, w, told[i], masks[i])
        play(s, d, r, w, actions[i])


@loop
def play(s, d, r, w, action):
    """Play a legal action of the seat to act, and watch it. Compiled once, for all that call it."""
    watched_play(s, d, r, w, np.int32(action))


@loop
def tell(s, r, w, row, mask):
    """What the net is told for the seat to act, and what it may do."""
    write_row(s, r, w, s[TO_ACT], row)
    write_mask(s, r, mask)
