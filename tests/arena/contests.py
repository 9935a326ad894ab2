"""Contests for tests: whose games are made up, so that the truth is known, or played by bots of the tests' own."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random

from forsale.arena import Chunk, Contest
from forsale.arena.lineups import LineUp, seating
from forsale.arena.playing import HOUSE_SUMS, Played, Player
from forsale.bots import Bot
from forsale.bots.uniform import Uniform
from forsale.game import Action, Pass
from forsale.view import View

Scores = Callable[[int, LineUp], Sequence[int]]
"""The scores of a game, by seat, from the number of its deal and the bots in its seats."""


def made_up(contest: Contest, scores: Scores, coins: Sequence[int] = ()) -> Chunk:
    """All deals of a contest in one chunk, with these scores."""
    games = [
        scores(deal, seating(line_up, deal, rotation))
        for deal in range(1, contest.deals + 1)
        for line_up in contest.line_ups
        for rotation in range(contest.seats)
    ]
    seats = len(games) * contest.seats
    return Chunk(
        start=1,
        deals=contest.deals,
        scores=[score for game in games for score in game],
        coins=[*coins] or [0] * seats,
        decisions=[1] * seats,
        houses=[[0] * HOUSE_SUMS * len(contest.rules.houses) for _ in contest.bots],
        seconds=[1.0] * len(contest.bots),
    )


def one_winner(chances: Sequence[float], rng: Random) -> Scores:
    """Each game has one winner, drawn with chances by bot; the others come in any order."""

    def scores(_deal: int, seated: LineUp) -> Sequence[int]:
        winner = rng.choices(range(len(seated)), [chances[bot] for bot in seated])[0]
        rest = rng.sample(range(len(seated)), len(seated))
        return [100 if seat == winner else rest[seat] for seat in range(len(seated))]

    return scores


class Timid:
    """Never bids, and sells its lowest house."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return legal[0]


class Broken:
    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        raise RuntimeError("out of luck")


class Cheat:
    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        return Pass() if Pass() not in legal else legal[-1]


class Leaver:
    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        raise SystemExit("enough")


BOTS: dict[str, type[Bot]] = {
    "left": Uniform,
    "right": Uniform,
    "timid": Timid,
    "broken": Broken,
    "cheat": Cheat,
    "leaver": Leaver,
}


def seated(names: Sequence[str]) -> AbstractContextManager[Sequence[Bot]]:
    """The bots above; under any other name, one that plays by chance."""
    return nullcontext([BOTS.get(name, Uniform)() for name in names])


@contextmanager
def noting(folder: Path, names: Sequence[str]) -> Iterator[Sequence[Bot]]:
    """The same, and a file for each process that has closed them."""
    with seated(names) as bots:
        try:
            yield bots
        finally:
            (folder / str(os.getpid())).touch()


def player_of(contest: Contest, keep: Callable[[Played], None] | None = None) -> Player:
    with seated(contest.bots) as bots:
        return Player(contest, bots, keep)
