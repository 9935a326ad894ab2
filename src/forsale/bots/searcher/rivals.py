"""Who the rivals may be: one of the planner's pool of scripted bots, or the net itself."""

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion.net import champion, softmax
from forsale.bots.planner.guessing import POOL, likelihoods
from forsale.bots.searcher.past import Past
from forsale.scalar.layout import SEATS

NET = POOL
"""The place of the net, after the pool."""
_AS_THE_NET = 0.3
"""How likely a rival is to play as the net does, before it has done anything."""
_SLIP = 0.05
"""How often the net is taken to do anything at all."""


def chances(past: Past, seat: int, rules: NDArray[np.int32]) -> NDArray[np.float64]:
    """By seat and who it may be, after what it has done; a seat itself is the net. Rows add up to 1."""
    seats = int(rules[SEATS])
    likely = np.zeros((seats, POOL + 1))
    likely[:, :POOL] = likelihoods(past.taken, seats, rules) + np.log((1 - _AS_THE_NET) / POOL)
    likely[:, NET] = np.log(_AS_THE_NET)
    choice = past.masks.sum(axis=1) > 1
    if choice.any():
        masks = past.masks[choice]
        policy = softmax(champion().tell(past.told[choice], masks).logits)
        did = policy[np.arange(len(policy)), past.taken.actions[choice]]
        np.add.at(likely[:, NET], past.taken.seats[choice], np.log((1 - _SLIP) * did + _SLIP / masks.sum(axis=1)))
    likely[seat, :POOL] = -np.inf
    odds = np.exp(likely - likely.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
    return shares
