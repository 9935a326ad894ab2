"""What is played in training, and whom the net meets."""

from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale import editions
from forsale.bots.scripted import Selling, Traits, draw
from forsale.scalar.rows import rules_row

Numbers: TypeAlias = NDArray[Any]

KEPT_OUT = frozenset({Selling.SMALLEST, Selling.TIERS})
"""Ways of selling that nobody has in training, nor a limit by the next house (`gap`): they are for the proof."""


def all_rules() -> Numbers:
    """A row for each edition, number of seats and variant."""
    rows = []
    for edition in map(editions.load, editions.published()):
        for seats in edition.seats:
            rows += [rules_row(edition.rules(seats, variant)) for variant in (None, *edition.variants)]
    return np.stack(rows)


def training_pool(members: int, seed: int) -> list[Traits]:
    """Scripted bots to learn from, none of a family that is kept out."""
    rng = Random(f"forsale train {seed}")
    found: list[Traits] = []
    while len(found) < members:
        traits = draw(rng)
        if traits.gap == 0 and Selling(int(traits.selling)) not in KEPT_OUT:
            found.append(traits)
    return found
