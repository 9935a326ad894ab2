"""What a bot is."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from forsale.game import Action
from forsale.view import View


class Bot(Protocol):
    """Chooses for a seat. It sees what a person in that seat sees, and all chance comes from `rng`."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """One of `legal`, which is never empty."""
