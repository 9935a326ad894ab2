"""What the environments share: a game to deal, whose turn it is, what that seat sees, and what the end is worth.

The rules are those of `forsale.game`. Nothing here knows a learning library.

>>> from random import Random
>>> setup = Setup("iello-2020", seats=3)
>>> state = setup.deal(Random(1))
>>> seat = asked(state)
>>> state = play(state, encoding.to_index(game.Bid(3)))
>>> asked(state) == (seat + 1) % 3
True
"""

import os
from random import Random
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale import editions, encoding, game, shuffle, view
from forsale.editions import Edition
from forsale.encoding import Row
from forsale.game import Outcome, State

Mask: TypeAlias = NDArray[np.int8]
Ending: TypeAlias = dict[str, NDArray[np.int16]]

ILLEGAL_REWARD = -1.0
"""For an action that the rules do not allow: less than a lost game costs, so that no learner prefers it."""


class Setup:
    """An edition, a number of seats and a variant: what a game is dealt from. Never changed."""

    def __init__(self, edition: str | os.PathLike[str] | Edition, seats: int, variant: str | None = None) -> None:
        """Raises `EditionError` for what the edition lacks, `EncodingError` for one that an observation cannot hold."""
        self._given = edition
        self.edition = edition if isinstance(edition, Edition) else editions.load(edition)
        self.rules = self.edition.rules(seats, variant)
        encoding.check(self.rules)

    def deal(self, rng: shuffle.Draws) -> State:
        """A game of shuffled decks, and a first seat by chance."""
        rules = self.rules
        return self.open(shuffle.deal(self.edition, rules.seats, rng, rules.variant), rng.randrange(rules.seats))

    def open(self, decks: game.Decks, first: int) -> State:
        """A game of these decks, partial or whole."""
        return game.new_game(self.edition, self.rules.seats, decks, first, self.rules.variant)

    def check_seat(self, seat: int | None) -> None:
        """Refuse a seat that is not at the table; None leaves it open."""
        last = self.rules.seats - 1
        if seat is not None and (type(seat) is not int or not 0 <= seat <= last):
            raise ValueError(f"seat: expected a seat from 0 to {last}, or None for any, got {seat!r}")

    # An edition cannot be copied or pickled, but it can be loaded again by its name.
    def __deepcopy__(self, memo: dict[int, Any]) -> "Setup":
        return self

    def __reduce__(self) -> tuple[type["Setup"], tuple[object, ...]]:
        return Setup, (self._given, self.rules.seats, self.rules.variant)


def chance(generator: np.random.Generator) -> Random:
    """The source of chance that the deal and the bots draw from, out of the one that learning libraries seed."""
    return Random(int(generator.integers(2**63)))


def asked(state: State) -> int | None:
    """The seat whose turn it is; None when nobody can act.

    In a sale all choose at once: they are asked in order of seat, and none sees what the others chose.
    """
    return min(state.to_act, default=None)


def play(state: State, index: SupportsIndex) -> State:
    """The position after the action of that index by the seat that is asked.

    Raises `EncodingError` for an index that no action has, `IllegalAction` for one that is not legal now.
    """
    after, _ = game.apply(state, min(state.to_act), encoding.from_index(index))
    return after


def observation(state: State, seat: int) -> Row:
    """What a seat may know, as numbers: see `forsale.encoding`."""
    return encoding.encode(view.of(state, seat))


def mask(state: State, seat: int) -> Mask:
    """A flag for each action index: whether the seat may play it now. All are 0 when another seat is asked."""
    legal = game.legal_actions(state, seat) if asked(state) == seat else ()
    return encoding.mask(legal).view(np.int8)


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """By seat: its share of the victory, less the share that everyone has before the game. They add up to 0.

    >>> rewards(Outcome(scores=(40, 40, 30, 20), coins=(2, 2, 5, 1), places=(1, 1, 3, 4), winners=(0, 1)))
    (0.25, 0.25, -0.25, -0.25)
    """
    seats, share = len(outcome.scores), 1 / len(outcome.winners)
    return tuple([(share if seat in outcome.winners else 0.0) - 1 / seats for seat in range(seats)])


def ending(outcome: Outcome) -> Ending:
    """What an environment tells of the end, by seat: scores and the coins in them."""
    return {"scores": np.array(outcome.scores, np.int16), "coins": np.array(outcome.coins, np.int16)}
