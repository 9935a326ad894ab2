"""Whether search earns its place: the searching champion and the plain one, in the same seats of the same deals.

Each sits alone with rivals, in every seat of each deal, and the others draw the same chance. What counts is the
difference by deal; ± is 1.96 standard errors, over deals. Bounded by worlds, so that it does not depend on what else
the machine does; `--milliseconds` measures what is offered by name.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter

from forsale import bots, game
from forsale.arena import Contest
from forsale.arena.playing import Played, Player
from forsale.bots import Bot
from forsale.bots.searcher import Searcher, prepare

HERO = "hero"
"""Either of them: chance is drawn by name."""
FIELDS = ("tycoon", "dealer", "steward", "haggler", "developer", "broker", "champion", "tycoon+developer+champion")
"""Three of a kind, or one of each."""


def contest(field: str, seats: int, deals: int) -> Contest:
    rivals = field.split("+")
    return Contest((HERO, *rivals), deals, seats, kind="against-field" if len(rivals) == 1 else "distinct")


def shares(hero: Bot, played: Contest) -> list[float]:
    """What the hero won, by deal."""
    found = [0.0] * played.deals

    def keep(one: Played) -> None:
        outcome = game.outcome(one.end)
        assert outcome is not None
        if one.names.index(HERO) in outcome.winners:
            found[one.deal - 1] += 1 / len(outcome.winners) / played.seats

    Player(played, [hero, *map(bots.make, played.bots[1:])], keep).play(1, played.deals)
    return found


def percent(values: Sequence[float], sign: str = "") -> str:
    """The mean, and how far it may be off."""
    mean, error = 100 * fmean(values), 100 * 1.96 * stdev(values) / sqrt(len(values))
    return f"{mean:{sign}.1f} % ± {error:.1f}"


def measure(fields: Sequence[str], seats: int, deals: int, searcher: Searcher) -> None:
    print("| against | deals | `champion` | searching | difference |\n|---|---|---|---|---|")
    for field in fields:
        played = contest(field, seats, deals)
        plain, searching = (shares(hero, played) for hero in (bots.make("champion"), searcher))
        gained = [after - before for after, before in zip(searching, plain, strict=True)]
        row = (f"`{field}`", str(deals), percent(plain), percent(searching), percent(gained, "+"))
        print(f"| {' | '.join(row)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--against", default=",".join(FIELDS), help="fields, by commas: one bot, or several joined by +"
    )
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--milliseconds", type=float, help="in place of worlds")
    options = parser.parse_args()
    prepare()
    bound = {"worlds": options.worlds} if options.milliseconds is None else {"milliseconds": options.milliseconds}
    began = perf_counter()
    measure(options.against.split(","), options.seats, options.deals, Searcher(**bound))
    print(f"\n{perf_counter() - began:.0f} s, {bound}")


if __name__ == "__main__":
    main()
