"""A bot that thinks ahead: it guesses who its rivals are, plays every action to the end many times, and takes the best.

It needs numba: `pip install forsale[fast]`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from forsale import editions, game, shuffle
from forsale import view as views
from forsale.bots.planner.guessing import guesses, pool
from forsale.bots.planner.last_sales import choice_near_the_end, is_near_the_end
from forsale.bots.planner.searching import Task, search
from forsale.bots.planner.watching import decisions
from forsale.bots.scripted import PERSONALITIES, Selling
from forsale.encoding import from_index, to_index
from forsale.game import Action, Bid
from forsale.scalar.layout import TO_ACT
from forsale.scalar.rows import position_of, rules_row
from forsale.view import View

_WORLDS = 128
"""Between two looks at the clock."""
_POINT = 0.002
"""What a coin of score is worth in win share: it decides where the win shares do not."""

OWN = PERSONALITIES["tycoon"].traits._replace(selling=Selling.GAIN)
"""How the planner expects itself to go on."""

Enough = Callable[[int], bool]
"""Whether so many worlds are enough."""


class Planner:
    """Thinks for so many milliseconds, or through so many worlds; only the latter always gives the same answer."""

    def __init__(self, milliseconds: float | None = None, worlds: int | None = None) -> None:
        if (milliseconds is None) == (worlds is None):
            raise ValueError("expected either milliseconds or worlds")
        self.varies = worlds is None
        """Whether the same question may get another answer."""
        self._milliseconds = milliseconds
        self._worlds = worlds

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """The action with the best win share over the worlds that were played."""
        enough = self._enough()
        actions = _candidates(legal)
        if len(actions) == 1:
            return from_index(actions[0])
        task, chances = _task(view, rng.getrandbits(63))
        if is_near_the_end(task.row, task.seat):
            return from_index(choice_near_the_end(task, chances))
        return from_index(_best(task, actions, enough))

    def _enough(self) -> Enough:
        if self._worlds is not None:
            limit = self._worlds
            return lambda worlds: worlds >= limit
        assert self._milliseconds is not None
        end = time.perf_counter() + self._milliseconds / 1000
        return lambda _: time.perf_counter() >= end


def prepare() -> None:
    """Compile all that thinking takes, or load what is kept of it, so that no decision has to wait for that."""
    planner, rng = Planner(worlds=1), Random(0)
    edition = editions.load(editions.DEFAULT)
    state = game.new_game(edition, editions.MIN_SEATS, shuffle.deal(edition, editions.MIN_SEATS, rng), first=0)
    while seats := state.to_act:
        seat = min(seats)
        actions = game.legal_actions(state, seat)
        if state.number == 1 or len(actions) == 2:  # the first of each phase, and the last that leaves a choice
            planner.choose(views.of(state, seat), actions, rng)
        state, _ = game.apply(state, seat, actions[0])


def _candidates(legal: Sequence[Action]) -> list[int]:
    """In a sale every house; in an auction a pass, small raises, and two jumps: few enough to look at each closely."""
    bids = [action for action in legal if isinstance(action, Bid)]
    if not bids:
        return [to_index(action) for action in legal]
    others = [action for action in legal if not isinstance(action, Bid)]
    chosen = [*bids[:3], *bids[4::4][:2]]
    return [to_index(action) for action in (*others, *chosen)]


def _task(view: View, seed: int) -> tuple[Task, NDArray[np.float64]]:
    """What to search, and who the rivals may be."""
    assert view.seat is not None
    rules = rules_row(view.rules)
    row, decks, untold = position_of(view)
    row[TO_ACT] = view.seat
    chances = guesses(decisions(view), view.rules.seats, rules)
    own = np.array(OWN, np.float32)
    return Task(rules, row, decks, untold, view.seat, pool(), chances.cumsum(axis=1), own, seed), chances


def _best(task: Task, actions: list[int], enough: Enough) -> int:
    """Half of the actions, the worse ones, are given up each time that as many worlds were played again."""
    left = np.array(actions, np.int32)
    totals = np.zeros((len(left), 2))
    for worlds, start, stop in _portions(enough):
        search(task, left, start, stop, totals)
        if len(left) > 2 and worlds >= _WORLDS * 4:
            keep = np.argsort(-_value(totals), kind="stable")[: -(-len(left) // 2)]
            left, totals = left[keep], totals[keep]
    return int(left[int(_value(totals).argmax())])


def _portions(enough: Enough) -> Iterator[tuple[int, int, int]]:
    """How many worlds there were with this portion, its first one and the one after its last."""
    played = 0
    while not (played and enough(played)):
        yield played + _WORLDS, played, played + _WORLDS
        played += _WORLDS


def _value(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return totals[:, 0] + _POINT * totals[:, 1]
