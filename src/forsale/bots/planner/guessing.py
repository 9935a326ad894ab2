"""Who the rivals may be: of a pool of scripted bots, those that would have done what a rival did."""

from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from forsale.bots.planner.watching import Decisions
from forsale.bots.scripted import PERSONALITIES, draw
from forsale.bots.scripted.policy import scripted
from forsale.encoding import BID, HOUSE, PASS
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits

Numbers = NDArray[np.float32]

POOL = 96
_TRIES = 4
"""With different chance: some of them waver."""
_SLIP = 0.08
"""Nobody is quite a scripted bot: a decision that a member would not take costs it this much, not all."""

policy, word = compiled(scripted), compiled(bits.word)


@cache
def pool() -> Numbers:
    """The personalities, and others that were drawn once and for all."""
    rng = Random("forsale planner")
    members = [one.traits for one in PERSONALITIES.values()]
    members += [draw(rng) for _ in range(POOL - len(members))]
    return np.array(members, np.float32)


def guesses(taken: Decisions, seats: int, rules: NDArray[np.int32]) -> NDArray[np.float64]:
    """By seat and member of the pool: how likely it is that one, after what the seat has done. Rows add up to 1."""
    likely = likelihoods(taken, seats, rules)
    likely = np.exp(likely - likely.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
    return shares


def likelihoods(taken: Decisions, seats: int, rules: NDArray[np.int32]) -> NDArray[np.float64]:
    """By seat and member of the pool: how likely that one was to do what the seat has done, as a logarithm."""
    likely = np.zeros((seats, POOL))
    _add_up(taken.rows, taken.seats, taken.actions, rules, pool(), likely)
    return likely


@loop
def _add_up(rows, seats, actions, r, members, likely):
    """Logarithms of how likely each decision was for each member."""
    for i in range(len(actions)):
        for k in range(members.shape[0]):
            alike = 0.0
            for n in range(_TRIES):
                would = policy(rows[i], r, members[k], word(np.uint64(i), np.uint64(n)))
                alike += _likeness(would, actions[i])
            likely[seats[i], k] += np.log(_SLIP + (1.0 - _SLIP) * alike / _TRIES)


@loop
def _likeness(would, did):
    """From 0 to 1. Whether one stays in an auction says more than by how much one raises."""
    if would == did:
        return 1.0
    if PASS in (would, did) or would > HOUSE:
        return 0.0
    return max(0.3, 1.0 - 0.15 * abs(would - did)) if would >= BID else 0.0
