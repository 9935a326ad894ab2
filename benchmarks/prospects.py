"""How far what search finds can be trusted: `python -m benchmarks.prospects`.

The champion plays alone with three of a kind. At each of its choices the actions in question are played on to the end
in many worlds by the real rivals, whom no bot can know for sure; the champion goes on by its policy. Held against that:
what the net says of the position, what search says of each action, and what either would play. All errors are roots of
mean squares, from which the part is taken that comes of too few worlds on the judge's side.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine import EDITION, SEATS
from benchmarks.search import percent
from forsale import bots, shuffle, view
from forsale.bots import Bot
from forsale.bots.champion import Champion
from forsale.bots.planner.guessing import POOL
from forsale.bots.scripted import PERSONALITIES
from forsale.bots.searcher import Searcher, prepare
from forsale.bots.searcher.one_core import one_core
from forsale.bots.searcher.past import past_of
from forsale.bots.searcher.rivals import NET
from forsale.bots.searcher.searcher import weights
from forsale.bots.searcher.worlds import Task, values
from forsale.encoding import to_index
from forsale.game import SELLING, Action, apply, legal_actions, new_game
from forsale.scalar.rows import position_of, rules_row
from forsale.view import View

Numbers = NDArray[np.float64]
TO_THE_END = 1000


class Judged(NamedTuple):
    """A choice: for each action in question how likely the plain champion and the searching one are to play it, its
    value as it was found, and in each of the judge's worlds."""

    game: int
    selling: bool
    plain: Numbers
    searching: Numbers
    net: float
    """The chance to win, by the net alone."""
    found: Numbers
    judge: Numbers


def played(policy: Mapping[Action, float], actions: Sequence[Action], selling: bool) -> Numbers:
    """How likely each action is: as the policy has it in a sale, else the likeliest alone."""
    shares = np.array([policy[action] for action in actions])
    if not selling:
        shares = np.where(np.arange(len(shares)) == shares.argmax(), 1.0, 0.0)
    likely: Numbers = shares / shares.sum()
    return likely


def judged(field: str, games: int, searcher: Searcher, worlds: int) -> Iterator[Judged]:
    for number in range(games):
        rng, hero, champion = Random(f"{field} {number}"), number % SEATS, Champion()
        seated: list[Bot] = [champion if seat == hero else bots.make(field) for seat in range(SEATS)]
        state = new_game(EDITION, SEATS, shuffle.deal(EDITION, SEATS, rng), rng.randrange(SEATS))
        while state.to_act:
            for seat in sorted(state.to_act):
                seen, legal = view.of(state, seat), legal_actions(state, seat)
                if seat == hero and len(legal) > 1:
                    opinion, found = champion.opinion(seen), searcher.prospects(seen, rng)
                    selling, actions = seen.phase is SELLING, list(found)
                    yield Judged(
                        number,
                        selling,
                        played(opinion.policy, actions, selling),
                        played(weights(found), actions, selling),
                        opinion.win_chances[hero],
                        np.array([one.value for one in found.values()]),
                        judge(seen, field, actions, worlds, rng),
                    )
                state, _ = apply(state, seat, seated[seat].choose(seen, legal, rng))


def judge(seen: View, field: str, actions: Sequence[Action], worlds: int, rng: Random) -> Numbers:
    """By world and action: what it leads to, with those who really sit there."""
    assert seen.seat is not None
    pool = np.zeros((POOL, len(PERSONALITIES["tycoon"].traits)), np.float32)
    so_far = np.zeros((SEATS, POOL + 1))
    so_far[:, NET] = 1
    if field in PERSONALITIES:
        pool[0] = PERSONALITIES[field].traits
        so_far[np.arange(SEATS) != seen.seat] = 1
    rules, indices = rules_row(seen.rules), np.array([to_index(action) for action in actions], np.int32)
    task = Task(rules, *position_of(seen), past_of(seen).habits, seen.seat, pool, so_far, rng.getrandbits(63))
    with one_core():
        return values(task, indices, 0, worlds, TO_THE_END)


def row(choices: Sequence[Judged]) -> list[str]:
    """What is gained in a game; how far the net and the search are off; how large differences are, and how far off."""
    gained = dict.fromkeys((one.game for one in choices), 0.0)
    net, search, size, difference = Error(), Error(), Error(), Error()
    for one in choices:
        gained[one.game] += float((one.searching - one.plain) @ one.judge.mean(axis=0))
        net.add(one.net, one.judge @ one.plain)
        search.add(float(one.found @ one.plain), one.judge @ one.plain)
        likeliest = int(one.plain.argmax())
        for other in set(range(len(one.found))) - {likeliest}:
            really = one.judge[:, other] - one.judge[:, likeliest]
            size.add(0.0, really)
            difference.add(one.found[other] - one.found[likeliest], really)
    return [str(len(choices)), percent(list(gained.values()), "+"), *map(str, (net, search, size, difference))]


class Error:
    """The root of the mean square, less what the judge's own error adds to it."""

    def __init__(self) -> None:
        self._squares: list[float] = []

    def add(self, said: float, really: Numbers) -> None:
        self._squares.append(float((said - really.mean()) ** 2 - really.var(ddof=1) / len(really)))

    def __str__(self) -> str:
        return f"{sqrt(max(0.0, float(np.mean(self._squares)))):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default="tycoon,champion", help="personalities, or the champion, by commas")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--worlds", type=int, default=64, help="for the search")
    parser.add_argument("--judge", type=int, default=128, help="worlds for the judge")
    options = parser.parse_args()
    prepare()
    print("| against | in | choices | gained a game | error: the net | search | differences | error |")
    print("|---|---|---|---|---|---|---|---|")
    for field in options.against.split(","):
        choices = list(judged(field, options.games, Searcher(worlds=options.worlds), options.judge))
        for selling, name in ((False, "auctions"), (True, "sales")):
            cells = [f"`{field}`", name, *row([one for one in choices if one.selling == selling])]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
