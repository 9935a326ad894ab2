"""What is played in training, and whom the net meets."""

from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale import editions
from forsale.bots.scripted import Selling, Traits, draw
from forsale.scalar.rows import rules_row
from forsale.train.strength import strengths

Numbers: TypeAlias = NDArray[Any]

KEPT_OUT = frozenset({Selling.SMALLEST, Selling.TIERS})
"""Ways of selling that nobody has in training, nor a limit by the next house (`gap`): they are for the proof."""

_STRONGEST_OF = 4


def all_rules() -> Numbers:
    """A row for each edition, number of seats and variant."""
    rows = []
    for edition in map(editions.load, editions.published()):
        for seats in edition.seats:
            rows += [rules_row(edition.rules(seats, variant)) for variant in (None, *edition.variants)]
    return np.stack(rows)


def training_pool(members: int, seed: int) -> Numbers:
    """Scripted bots to learn from, none of a family that is kept out. Every other one is the strongest of some: most
    that are drawn are easy to beat, and there is little to learn from them."""
    rng = Random(f"forsale train {seed}")
    any_, strong = members - members // 2, members // 2
    drawn = np.array([_drawn(rng) for _ in range(any_ + strong * _STRONGEST_OF)], np.float32)
    rivals = drawn[any_:].reshape(strong, _STRONGEST_OF, drawn.shape[1])
    best = strengths(all_rules(), drawn, seed)[any_:].reshape(strong, _STRONGEST_OF).argmax(axis=1)
    pool = np.empty((members, drawn.shape[1]), np.float32)
    pool[::2], pool[1::2] = drawn[:any_], rivals[np.arange(strong), best]
    return pool


def _drawn(rng: Random) -> Traits:
    while True:
        traits = draw(rng)
        if traits.gap == 0 and Selling(int(traits.selling)) not in KEPT_OUT:
            return traits
