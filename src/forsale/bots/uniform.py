"""`random`: every legal action is as likely as the others."""

from collections.abc import Sequence
from random import Random

from forsale.game import Action
from forsale.view import View


class Uniform:
    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002 - looks at nothing
        return rng.choice(legal)
