"""Thousands of games at once, with buffers that are made once: what a batch does, whatever it runs on."""

from abc import ABC, abstractmethod
from typing import Any, TypeAlias

from forsale.editions import Rules
from forsale.game import State
from forsale.kernel import checks
from forsale.kernel.errors import KernelError
from forsale.scalar.legal import uniform
from forsale.scalar.rows import Position, position_of, to_state
from forsale.view import View

Buffer: TypeAlias = Any
"""An array on the batch's device: numpy's on the CPU; on a GPU anything with `__cuda_array_interface__`."""

Policy: TypeAlias = Any
"""A function `policy(s, r, parameters, chance)`, plain or compiled by numba: see `forsale.scalar.whole`."""


class Batch(ABC):
    """Games of one kind, side by side. When a game ends, its outcome is kept and another begins in its place."""

    to_act: Buffer
    """By game: the seat that is asked. In a sale all choose at once; they are asked in order, none knowing of the
    others."""
    done: Buffer
    """By game: whether it ended in the latest step, or in advancing since."""
    win_shares: Buffer
    """By game and seat, of the latest game that ended there: 1 for the winner, 0 for the others; tied seats share."""
    scores: Buffer
    coins: Buffer

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        self.rules = rules
        self.games = games
        self.seed = seed

    @abstractmethod
    def reset(self, seed: int | None = None) -> None:
        """Begin anew everywhere: the same games for the same seed, on any device and any number of threads."""

    @abstractmethod
    def step(self, actions: Buffer, check: bool = True) -> None:
        """Play an action of the seat to act in every game. If any is illegal, none is played: `KernelError`.

        Without `check` nothing is said, and a game whose action is illegal stands still. That saves a GPU a pause.
        """

    @abstractmethod
    def advance(
        self, seats: Buffer, policy: Policy = uniform, parameters: Buffer | None = None, check: bool = True
    ) -> None:
        """In each game, let a policy play for the others until it is the turn of `seats[game]`.

        Where a game ends on the way, `done` is set, and the next one goes on to that seat's turn. `parameters` has a
        row for each game and seat; without them a policy gets one zero. A game in which the policy gives an illegal
        action, or whose seat is not at the table, stands still there: `KernelError`, or nothing without `check`.
        """

    @abstractmethod
    def legal_mask(self, out: Buffer | None = None) -> Buffer:
        """By game: a flag for each action index, written into `out` or into a buffer of the batch's own."""

    @abstractmethod
    def observe(self, out: Buffer | None = None) -> Buffer:
        """By game: the observation of the seat to act (see `forsale.encoding`), written like the mask."""

    @abstractmethod
    def _get(self, game: int) -> Position: ...

    @abstractmethod
    def _put(self, game: int, position: Position) -> None: ...

    def state(self, game: int) -> State:
        """A game as a position of the engine. A batch keeps no history, so the state has none."""
        row, decks, _ = self._get(self._place(game))
        return to_state(row, decks, self.rules)

    def set(self, game: int, position: State | View) -> None:
        """Put a position in the place of a game. Cards that a view does not tell are drawn by the batch's seed."""
        if position.rules != self.rules:
            raise KernelError(f"expected a position of {_named(self.rules)}, got one of {_named(position.rules)}")
        self._put(self._place(game), position_of(position))

    def _place(self, game: int) -> int:
        return checks.whole("game", game, 0, self.games - 1)


def _named(rules: Rules) -> str:
    return f"{rules.edition} with {rules.seats} seats" + (f" and {rules.variant}" if rules.variant else "")
