"""Games for tests: every published combination, played by chance, and the actions that made them."""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from forsale import editions, shuffle
from forsale.editions import Edition
from forsale.game import BUYING, Action, Bid, Pass, State, apply, legal_actions, new_game

Turn = tuple[int, Action]
NAMES = ("Ana", "Bo", "Cléo", "Dân", "Эм", "フク")


class Combo(NamedTuple):
    """An edition, a number of seats, and its variant or none."""

    edition: str
    seats: int
    variant: str | None

    def __str__(self) -> str:
        return f"{self.edition}-{self.seats}" + (f"-{self.variant}" if self.variant else "")

    def load(self) -> Edition:
        return editions.load(self.edition)


COMBOS = tuple(
    Combo(name, seats, variant)
    for name in editions.published()
    for seats in editions.load(name).seats
    for variant in (None, *editions.load(name).variants)
)


class Game(NamedTuple):
    """The first position and every turn since."""

    start: State
    turns: tuple[Turn, ...]

    def after(self, turns: int) -> State:
        return play(self.start, self.turns[:turns])

    @property
    def end(self) -> State:
        return self.after(len(self.turns))


def play(state: State, turns: Iterable[Turn]) -> State:
    for seat, action in turns:
        state, _ = apply(state, seat, action)
    return state


def start(edition: Edition, seats: int, variant: str | None, rng: Random) -> State:
    decks = shuffle.deal(edition, seats, rng, variant)
    return new_game(edition, seats, decks, rng.randrange(seats), variant)


def random_game(edition: Edition, seats: int, variant: str | None, rng: Random) -> Game:
    """A whole game, deal and all."""
    return play_out(start(edition, seats, variant, rng), rng)


def play_out(state: State, rng: Random) -> Game:
    """To the end by chance: small raises, choices in any order, and some of them changed before the reveal."""
    first = state
    turns: list[Turn] = []
    while waiting := sorted(state.to_act):
        seat = rng.choice(waiting)
        chosen = [other for other, choice in enumerate(state.choices) if choice is not None]
        if chosen and rng.random() < 0.2:
            seat = rng.choice(chosen)
        action = _some_action(state, seat, rng)
        state, _ = apply(state, seat, action)
        turns.append((seat, action))
    return Game(first, tuple(turns))


def _some_action(state: State, seat: int, rng: Random) -> Action:
    legal = legal_actions(state, seat)
    if state.phase is BUYING:
        bids = [action for action in legal if isinstance(action, Bid)]
        return rng.choice(bids[:3]) if bids and rng.random() < 0.6 else Pass()
    return rng.choice(legal)


def combo_game(combo: Combo, seed: int) -> Game:
    return random_game(combo.load(), combo.seats, combo.variant, Random(f"{combo} {seed}"))


def marked(text: str) -> tuple[str, int, int]:
    """The text without its mark `¦`, and the line and column, from 1, where the mark stood."""
    before, after = text.split("¦")
    return before + after, before.count("\n") + 1, len(before) - before.rfind("\n")
