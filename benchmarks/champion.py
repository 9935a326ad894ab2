"""How long the champion thinks: `make bench`.

Every decision of whole 4-seat games in which it sits alone with three others and has a choice, on one core. The views
come as they do at a server: from a pickle, each with the whole history. First the champion as it plays, which remembers
how far it has watched a game; the same if it has forgotten everything each time; and beside it the broker. Then the
parts of which its decisions are made.

Each row is the best of several rounds, taken in turns in one run, so that the ratios hold whatever else the machine
does.
"""

import argparse
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from benchmarks.engine import EDITION, SEATS
from forsale import bots, shuffle, view
from forsale.bots.champion import Champion
from forsale.bots.champion.net import champion, spread
from forsale.bots.champion.watching import Watching
from forsale.game import Action, apply, legal_actions, new_game
from forsale.view import View

OTHERS = ("broker", "developer", "tycoon")
RNG = Random(1)


class Question(NamedTuple):
    view: View
    legal: Sequence[Action]


Job = Callable[[Question], float]
"""Answers a question, or does a part of that; the seconds that it took."""


def questions(games: int) -> Iterator[Question]:
    """All that the champion is asked in so many games, and may choose."""
    for number in range(games):
        rng = Random(number)
        seated = [bots.make(name) for name in OTHERS]
        seated.insert(number % SEATS, bots.make("champion"))
        state = new_game(EDITION, SEATS, shuffle.deal(EDITION, SEATS, rng), rng.randrange(SEATS))
        while state.to_act:
            for seat in sorted(state.to_act):
                question = Question(view.of(state, seat), legal_actions(state, seat))
                if seat == number % SEATS and len(question.legal) > 1:
                    yield pickle.loads(pickle.dumps(question))
                state, _ = apply(state, seat, seated[seat].choose(*question, rng))


def timed(function: Callable[..., object], *arguments: object) -> float:
    began = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - began


def as_it_plays() -> Job:
    bot = Champion()
    return lambda question: timed(bot.choose, *question, RNG)


def forgetful() -> Job:
    def job(question: Question) -> float:
        return timed(Champion().choose, *question, RNG)

    return job


def broker() -> Job:
    bot = bots.make("broker")
    return lambda question: timed(bot.choose, *question, RNG)


def watch() -> Job:
    """Watching what is new: all that is told, less the same once more, when nothing is new."""
    watching = Watching()
    return lambda question: timed(watching.seen, question.view) - timed(watching.seen, question.view)


def row() -> Job:
    """What is known and the habits, when all is watched; and the look whether this game is the one remembered."""
    watching = Watching()

    def job(question: Question) -> float:
        watching.seen(question.view)
        return timed(watching.seen, question.view)

    return job


def spreading() -> Job:
    return lambda question: timed(spread, Watching().seen(question.view).row)


def net() -> Job:
    """All but spreading the row out."""

    def job(question: Question) -> float:
        seen = Watching().seen(question.view)
        return timed(champion().tell, *seen) - timed(spread, seen.row)

    return job


JOBS: Mapping[str, Callable[[], Job]] = {
    "`broker`": broker,
    "`champion`": as_it_plays,
    "the same, all forgotten": forgetful,
    "part: watch what is new": watch,
    "part: write the row": row,
    "part: spread it out": spreading,
    "part: ask the net": net,
}


def measure(asked: Sequence[Question], rounds: int) -> None:
    best = dict.fromkeys(JOBS, (np.inf, np.inf))
    for _ in range(rounds):
        for what, job in JOBS.items():
            answer = job()
            p50, p99 = np.percentile([answer(question) for question in asked], (50, 99)) * 1e6
            best[what] = min(best[what], (p50, p99))
    unit, _ = best["`broker`"]
    print(f"| {len(asked):,} decisions | p50 µs | p99 µs | ratio |\n|---|---|---|---|")
    for what, (p50, p99) in best.items():
        print(f"| {what} | {p50:,.0f} | {p99:,.0f} | {p50 / unit:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    measure(list(questions(options.games)), options.rounds)


if __name__ == "__main__":
    main()
