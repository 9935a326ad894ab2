"""A scripted bot at a table: its view becomes a row, the policy chooses, and its index becomes an action again."""

from collections.abc import Sequence
from random import Random

import numpy as np

from forsale import encoding
from forsale.bots.scripted.policy import scripted
from forsale.bots.scripted.traits import Traits
from forsale.game import Action
from forsale.scalar import layout
from forsale.scalar.rows import position_of, rules_row
from forsale.view import View


class Scripted:
    """A bot with these traits."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        # As the kernel has them, so that both decide alike to the last bit.
        self._numbers = [float(np.float32(number)) for number in traits]

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """What the policy does with what this seat knows. It needs no list of what is legal."""
        assert view.seat is not None
        row = position_of(view).row.tolist()
        row[layout.TO_ACT] = view.seat
        action = encoding.from_index(scripted(row, rules_row(view.rules).tolist(), self._numbers, rng.getrandbits(64)))
        assert action in legal
        return action
