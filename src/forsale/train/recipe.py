"""The numbers of the method, and what a run changes of them as it goes on."""

from typing import NamedTuple


class Recipe(NamedTuple):
    """The numbers of the method."""

    steps: int = 16
    """Decisions at each table between two lessons."""
    portion: int = 32768
    """Decisions that are learnt from at once."""
    rounds: int = 2
    """How often each is looked at."""
    decay: float = 0.95
    """How much of what came later counts, step by step, in a look back. Choices of one sale are one step: until all are
    revealed, nobody sees what they are worth."""
    clip: float = 0.2
    rate: float = 8e-4
    surprise: tuple[float, float] = (0.01, 0.05)
    """What a policy that keeps its options open is worth: as a rule, and in a sale among nets. There all choose at
    once, and whoever can be foreseen can be exploited; scripted bots foresee nothing."""
    pull: float = 0.05
    """What it costs to move away from the magnet, in such a sale: the policy then does not chase itself in circles."""
    value: float = 1.0
    money: float = 0.25
    norm: float = 1.0
    together: bool = False
    """Whether the net's seats at a table share what they win."""


def answering(recipe: Recipe) -> Recipe:
    """For a net that looks for an answer to another: it need not fear to be foreseen."""
    return recipe._replace(surprise=(recipe.surprise[0],) * 2, pull=0)


def warmed_up(lessons: int) -> float:
    """How much of the rate is used after so many lessons: a few careful steps in the beginning."""
    return min(1.0, (lessons + 1) / 20)
