"""A scripted bot at a table: its view becomes a row, the policy chooses, and its index becomes an action again."""

from array import array
from collections.abc import Sequence
from random import Random

from forsale.bots.scripted.traits import Traits
from forsale.game import Action
from forsale.view import View


class Scripted:
    """A bot with these traits. At a table without tracker it forgets what is more than so many rounds ago."""

    def __init__(self, traits: Traits, rounds: int | None = None) -> None:
        self.traits = traits
        self.rounds = rounds
        # As the kernel has them, so that both decide alike to the last bit.
        self._numbers = array("f", traits).tolist()

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """What the policy does with what this seat knows. It needs no list of what is legal."""
        from forsale import encoding  # with numpy, which takes a while, and which a server does not need
        from forsale.bots.scripted.policy import scripted
        from forsale.bots.scripted.remembering import row_of
        from forsale.scalar.rows import rules_row

        row = row_of(view, self.rounds)
        action = encoding.from_index(scripted(row, rules_row(view.rules).tolist(), self._numbers, rng.getrandbits(64)))
        assert action in legal
        return action
