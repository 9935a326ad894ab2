"""The champion, searching: it tries the actions that its net thinks of, sees where each leads, and trusts both.

It needs numba: `pip install forsale[fast]`.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random

import numpy as np

from forsale import editions, game, shuffle
from forsale import view as views
from forsale.bots.champion import Champion
from forsale.bots.champion.net import softmax
from forsale.bots.planner.guessing import pool
from forsale.bots.searcher.one_core import one_core
from forsale.bots.searcher.past import past_of
from forsale.bots.searcher.rivals import chances
from forsale.bots.searcher.worlds import Shares, Task, values
from forsale.encoding import to_index
from forsale.game import SELLING, Action
from forsale.scalar.rows import position_of, rules_row
from forsale.view import View

_WORLDS = 16
"""At once, between two looks at the clock."""
_FEW = 0.01
"""Actions that the net plays less often than this are not looked at, unless there would be none to compare with."""
_MANY = 8
_NEVER = 1e-9
_DOUBT = 0.01
"""How much a chance to win must differ to make an action e times as likely: the less, the less the net's policy
counts beside what was found."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Where an action leads, as far as it was looked at. All errors are standard errors, of the worlds alone: what the
    net and the guesses about rivals get wrong is not in them."""

    policy: float
    """How likely the net holds this action to be the one to play, of all legal ones."""
    value: float
    """The chance to win with it."""
    error: float
    loss: float
    """How much less than with the best of those that were looked at."""
    loss_error: float
    """Less than of the values themselves: both were tried in the same worlds."""
    worlds: int


class Searcher:
    """Thinks for so many milliseconds, or through so many worlds; only the latter always gives the same answer."""

    def __init__(self, milliseconds: float | None = None, worlds: int | None = None) -> None:
        if (milliseconds is None) == (worlds is None):
            raise ValueError("expected either milliseconds or worlds")
        if worlds is not None and worlds < 2:
            raise ValueError(f"expected at least 2 worlds, got {worlds}")
        self.varies = worlds is None
        """Whether the same question may get another answer."""
        self._milliseconds = milliseconds
        self._worlds = worlds
        self._champion = Champion()

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """What is best by the net's policy and by what was found. In a sale all choose at once: there it draws a house,
        so that it cannot be foreseen where two are about as good."""
        if len(legal) == 1:
            return legal[0]
        counts = weights(self.prospects(view, rng))
        if view.phase is SELLING:
            return rng.choices(list(counts), list(counts.values()))[0]
        return max(counts, key=lambda action: counts[action])

    def prospects(self, view: View, rng: Random, also: Collection[Action] = ()) -> Mapping[Action, Prospect]:
        """Of the actions that the net thinks of, and of others that are legal, in the order of their indices.

        Raises `EncodingError` for a view in which the seat cannot act, and for too large an edition.
        """
        began = time.perf_counter()
        with one_core():
            policy = self._champion.opinion(view).policy
            actions = _candidates(policy, also)
            task = _task(view, rng.getrandbits(63))
            indices = np.array([to_index(action) for action in actions], np.int32)
            found = np.concatenate([values(task, indices, *portion) for portion in self._portions(began)])
        value, error = _mean(found)
        loss, loss_error = _mean(found[:, [int(np.argmax(value))]] - found)
        return {
            action: Prospect(policy[action], value[i], error[i], loss[i], loss_error[i], len(found))
            for i, action in enumerate(actions)
        }

    def _portions(self, began: float) -> Iterator[tuple[int, int]]:
        """Worlds, from here to there: as many as were asked for, or until another portion would take too long."""
        if self._worlds is not None:
            yield from ((start, min(start + _WORLDS, self._worlds)) for start in range(0, self._worlds, _WORLDS))
            return
        assert self._milliseconds is not None
        start, end = 0, began + self._milliseconds / 1000
        before = after = began
        while not start or after + (after - before) < end:
            before = time.perf_counter()
            yield start, start + _WORLDS
            after = time.perf_counter()
            start += _WORLDS


def weights(prospects: Mapping[Action, Prospect]) -> dict[Action, float]:
    """How much each action counts, by the net's policy and by what was found; together 1."""
    logits = np.array([log(one.policy + _NEVER) + one.value / _DOUBT for one in prospects.values()])
    return dict(zip(prospects, softmax(logits).tolist(), strict=True))


def prepare() -> None:
    """Compile all that thinking takes, or load what is kept of it, so that no decision has to wait for that."""
    edition = editions.load(editions.DEFAULT)
    decks = shuffle.deal(edition, editions.MIN_SEATS, Random(0))
    state = game.new_game(edition, editions.MIN_SEATS, decks, first=0)
    Searcher(worlds=2).prospects(views.of(state, 0), Random(0))


def _task(view: View, seed: int) -> Task:
    assert view.seat is not None
    rules = rules_row(view.rules)
    past = past_of(view)
    so_far = chances(past, view.seat, rules).cumsum(axis=1)
    return Task(rules, *position_of(view), past.habits, view.seat, pool(), so_far, seed)


def _candidates(policy: Mapping[Action, float], also: Collection[Action]) -> list[Action]:
    """Two at least, and few enough to look at each closely."""
    for action in also:
        if action not in policy:
            raise ValueError(f"expected legal actions, got {action}")
    likeliest = sorted(policy, key=lambda action: -policy[action])[:_MANY]
    thought_of = {action for place, action in enumerate(likeliest) if place < 2 or policy[action] > _FEW}
    return [action for action in policy if action in thought_of or action in also]


def _mean(found: Shares) -> tuple[list[float], list[float]]:
    """Over worlds, and its standard error."""
    return found.mean(axis=0).tolist(), (found.std(axis=0, ddof=1) / np.sqrt(len(found))).tolist()
