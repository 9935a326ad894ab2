"""How fast the arena plays: `make bench`.

Complete 4-seat games a second with Python bots, from the deal to the line in the journal, on one process and on as many
as there are cores; and beside them the bare loop of `arena.play_out`, which keeps nothing. Each figure is the best of
several rounds, taken in turns in one run, so that the ratios hold whatever else the machine does. Processes are started
anew in each round, and that is part of the time. Then how long the statistics of such a contest take.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.engine import EDITION, SEATS
from forsale import bots, shuffle
from forsale.arena import Chunk, Contest, play, play_out, summarise
from forsale.arena.journal import Journal
from forsale.arena.running import cores
from forsale.bots import Bot
from forsale.game import new_game


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


def measure(name: str, games: int, rounds: int) -> None:
    jobs: dict[str, Callable[[], object]] = {"`play_out` alone": partial(bare, name, games)}
    for processes in sorted({1, cores()}):
        jobs[f"arena, {processes} at once"] = partial(in_arena, name, games, processes)
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(rounds):
        for what, job in jobs.items():
            began = time.perf_counter()
            job()
            best[what] = max(best[what], games / (time.perf_counter() - began))
    first = next(iter(best.values()))
    print(f"| {games:,} games of `{name}` | games/s | ratio |\n|---|---|---|")
    for what, rate in best.items():
        print(f"| {what} | {rate:,.0f} | {rate / first:.2f} |")
    print(flush=True)


def measure_statistics(games: int) -> None:
    contest, chunks = contest_of("random", games), in_arena("random", games, 1)
    began = time.perf_counter()
    summarise(contest, chunks)
    print(f"statistics of {games:,} games, 2 bots: {time.perf_counter() - began:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8000, help="of random in each round; a tenth of other bots")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{cores()} cores\n")
    measure("random", options.games, options.rounds)
    measure("broker", options.games // 10, options.rounds)
    measure_statistics(options.games)


if __name__ == "__main__":
    main()
