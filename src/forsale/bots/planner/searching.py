"""What each action leads to: the same worlds and the same rivals for all of them, played to the end."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.bots.planner.guessing import policy
from forsale.encoding import HOUSE
from forsale.kernel import loops
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits, course, ending
from forsale.scalar.layout import BUYING, CHOICES, DECKS_LENGTH, LENGTH, PHASE, SEATS

word, key_of = compiled(bits.word), compiled(bits.key_of)
step, win_share, score = compiled(course.step), compiled(ending.win_share), compiled(ending.score)
set_out, play_out = loops.set_out, loops.play_out

_RIVALS = 2000
"""Words of chance from this one on choose who sits there; those below are for cards and decisions."""


class Task(NamedTuple):
    """What is searched: a position, and who may sit in the other seats."""

    r: NDArray[np.int32]
    row: NDArray[np.int32]
    decks: NDArray[np.int8]
    untold: NDArray[np.int32]
    seat: int
    pool: NDArray[np.float32]
    so_far: NDArray[np.float64]
    """By seat: the chances of the members of the pool, added up."""
    own: NDArray[np.float32]
    """The traits by which the seat itself goes on after the action in question."""
    seed: int


def search(task: Task, actions: NDArray[np.int32], start: int, stop: int, totals: NDArray[np.float64]) -> None:
    """Play the worlds from `start` to `stop` with each action, and add win shares and scores to its totals."""
    s, d = np.empty(LENGTH, np.int32), np.empty(DECKS_LENGTH, np.int8)
    line_up = np.empty((int(task.r[SEATS]), task.pool.shape[1]), np.float32)
    _search(*task[:-1], np.uint64(task.seed), actions, start, stop, s, d, line_up, totals)


@loop
def _search(r, row, decks, untold, seat, pool, so_far, own, seed, actions, start, stop, s, d, line_up, totals):
    for world in range(start, stop):
        key = key_of(seed, world, 0)
        for other in range(r[SEATS]):
            sit_down(line_up[other], own if other == seat else pool[drawn_from(so_far[other], key, other)])
        for i in range(len(actions)):
            set_out(s, d, row, decks, untold, key)
            if s[PHASE] == BUYING:
                step(s, d, r, actions[i])
            else:
                # In secret, before or after the others: it makes no difference to them.
                s[CHOICES + seat] = actions[i] - HOUSE
            play_out(s, d, r, policy, line_up, key)
            totals[i, 0] += win_share(s, r, seat)
            totals[i, 1] += score(s, seat)


@loop
def drawn_from(so_far, key, seat):
    """A member of the pool, each as often as its chance says."""
    x = (word(key, np.uint64(_RIVALS + seat)) >> np.uint64(11)) / 9007199254740992.0
    low, high = 0, len(so_far) - 1
    while low < high:
        middle = (low + high) // 2
        if so_far[middle] > x:
            high = middle
        else:
            low = middle + 1
    return low


@loop
def sit_down(place, traits):
    for i in range(len(traits)):
        place[i] = traits[i]
