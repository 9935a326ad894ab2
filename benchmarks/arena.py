"""How fast the arena plays: `make bench`.

Complete 4-seat games a second with Python bots, from the deal to the line in the journal, on one process and on as many
as there are cores; and beside them the bare loop of `arena.play_out`, which keeps nothing.

Then four scripted bots, which are compiled, from the deal to the sums of the statistics, with a journal and without;
and beside it such games by the engine. All line-ups of a deal share its shuffle: the first table has twelve, the second
one. Last, how long the statistics of such contests take.

Each figure is the best of several rounds, taken in turns in one run, so that the ratios hold whatever else the machine
does. Processes are started anew in each round, and that is part of the time; compiling, once on a machine, is not.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.engine import EDITION, SEATS
from forsale import bots, shuffle
from forsale.arena import Chunk, Contest, Tally, play, play_out
from forsale.arena.journal import Journal
from forsale.arena.playing import Player
from forsale.arena.running import cores
from forsale.bots import Bot
from forsale.game import new_game

SCRIPTED = ("miser", "gambler", "steward", "tycoon")

Job = Callable[[], object]


def seated(names: Sequence[str]) -> AbstractContextManager[Sequence[Bot]]:
    """Under two names, so that one bot can meet itself."""
    return nullcontext([bots.make(name.removeprefix("other ")) for name in names])


def contest_of(name: str, games: int) -> Contest:
    return Contest((name, f"other {name}"), games // SEATS, kind="against-field")


def bare(name: str, games: int) -> None:
    """Bots with views, and nothing else."""
    table = [bots.make(name)] * SEATS
    rng = Random(1)
    for _ in range(games):
        decks = shuffle.deal(EDITION, SEATS, rng)
        play_out(new_game(EDITION, SEATS, decks, rng.randrange(SEATS)), table, [rng] * SEATS)


def in_arena(name: str, games: int, processes: int) -> list[Chunk]:
    """A contest of a bot with itself, and its journal."""
    contest = contest_of(name, games)
    chunks = []
    with TemporaryDirectory() as folder, Journal(Path(folder), contest) as journal:
        for chunk in play(contest, processes=processes, seated=seated):
            journal.append(chunk)
            chunks.append(chunk)
    return chunks


def scripted(kind: str, games: int) -> Contest:
    """Of four personalities: so many games, or a few less."""
    contest = Contest(SCRIPTED, 1, kind=kind)
    return replace(contest, deals=max(1, games // contest.games_per_deal))


def games_of(contest: Contest) -> int:
    return contest.deals * contest.games_per_deal


def by_the_engine(contest: Contest) -> None:
    """Scripted bots without what is compiled."""
    chunk = Player(contest, [bots.make(name) for name in contest.bots]).play(1, contest.deals)
    Tally(contest).add(chunk)


def compiled(contest: Contest, processes: int, keep: bool = False) -> Tally:
    """The same compiled, and a journal if there is to be one."""
    tally = Tally(contest)
    with TemporaryDirectory() as folder, Journal(Path(folder), contest) as journal:
        for chunk in play(contest, processes=processes):
            if keep:
                journal.append(chunk)
            tally.add(chunk)
    return tally


def measure(title: str, jobs: Mapping[str, tuple[Job, int]], rounds: int) -> None:
    """Jobs, and how many games each of them plays."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(rounds):
        for what, (job, games) in jobs.items():
            began = time.perf_counter()
            job()
            best[what] = max(best[what], games / (time.perf_counter() - began))
    first = next(iter(best.values()))
    print(f"| {title} | games/s | ratio |\n|---|---|---|")
    for what, rate in best.items():
        print(f"| {what} | {rate:,.0f} | {rate / first:.2f} |")
    print(flush=True)


def measure_python(name: str, games: int, rounds: int) -> None:
    jobs: dict[str, tuple[Job, int]] = {"`play_out` alone": (partial(bare, name, games), games)}
    for processes in sorted({1, cores()}):
        jobs[f"arena, {processes} at once"] = (partial(in_arena, name, games, processes), games)
    measure(f"{games:,} games of `{name}`", jobs, rounds)


def measure_scripted(kind: str, games: int, rounds: int) -> None:
    many, few = scripted(kind, games), scripted(kind, games // 2000)
    compiled(few, 1)  # which compiles, if that was not done before
    jobs: dict[str, tuple[Job, int]] = {"by the engine": (partial(by_the_engine, few), games_of(few))}
    for processes in sorted({1, cores()}):
        jobs[f"compiled, {processes} at once"] = (partial(compiled, many, processes), games_of(many))
        jobs[f"with a journal, {processes} at once"] = (partial(compiled, many, processes, keep=True), games_of(many))
    title = f"{games_of(many):,} games of {', '.join(SCRIPTED)}, {kind}"
    measure(title, jobs, rounds)


def measure_statistics(games: int) -> None:
    two = Tally(contest_of("random", games))
    for chunk in in_arena("random", games, 1):
        two.add(chunk)
    for tally in (two, compiled(scripted("round-robin", 100 * games), 1)):
        began = time.perf_counter()
        summary = tally.summary()
        took = time.perf_counter() - began
        print(f"statistics of {summary.games:,} games, {len(summary.standings)} bots: {took:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games",
        type=int,
        default=8000,
        help="of random in each round; other bots in proportion",
    )
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{cores()} cores\n")
    measure_python("random", options.games, options.rounds)
    measure_python("broker", options.games // 10, options.rounds)
    measure_scripted("round-robin", 100 * options.games, options.rounds)
    measure_scripted("distinct", 50 * options.games, options.rounds)
    measure_statistics(options.games)


if __name__ == "__main__":
    main()
