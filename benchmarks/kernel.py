"""How fast the kernel plays: `make bench`.

Complete random games, from the deal to the outcome; decisions in a batch, with the legal mask and the observation of
every game written out before every step; and how both grow with threads, games in the batch and seats. Each figure is
the best of several rounds, taken in turns in one run, so that the ratios hold whatever else the machine does. The GPU's
rows are there where there is one.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numba
import numpy as np

from benchmarks.engine import EDITION, SEATS, engine
from forsale import kernel, shuffle
from forsale.kernel.compiling import compiled
from forsale.kernel.cpu import CpuBatch
from forsale.kernel.devices import import_cuda, need_gpu
from forsale.scalar import bits

uniform, word = kernel.uniform, compiled(bits.word)

Job = Callable[[], int]
"""What is measured; it returns how many games or decisions that was."""

CPU_GAMES = 200_000
GPU_GAMES = 1 << 23
CPU_BATCH = 4096
SHARED_BATCH = 65_536
"""Where threads share the games."""
GPU_BATCH = 1 << 20
STEPS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    cores = os.cpu_count() or 1
    threads = sorted({1, 2, cores})
    print(f"{cores} cores; {_gpu_name() or 'no GPU'}\n")
    whole_games(rounds)
    decisions(rounds)
    table("games/s", "threads", {str(n): _games(threads=n) for n in threads}, rounds)
    table(
        "decisions/s",
        f"threads, {SHARED_BATCH:,} games",
        {str(n): _steps(threads=n, games=SHARED_BATCH) for n in threads},
        rounds,
    )
    table("games/s", "seats", {str(n): _games(seats=n) for n in (3, 4, 5, 6)}, rounds)
    table("decisions/s", "seats", {str(n): _steps(seats=n) for n in (3, 4, 5, 6)}, rounds)
    sizes = (16, 256, 4096, 65536)
    table("decisions/s", "games in the batch", {f"{n:,}": _steps(games=n) for n in sizes}, rounds)
    if _gpu_name():
        gpu_tables(rounds)


def whole_games(rounds: int) -> None:
    """From the deal to the outcome, beside the engine in Python."""
    rng = Random(1)
    decks = [shuffle.deal(EDITION, SEATS, rng) for _ in range(500)]

    def in_python() -> int:
        engine(decks, rng)
        return len(decks)

    jobs: dict[str, Job] = {"`game.apply`": in_python, "kernel, one core": _games()}
    if _gpu_name():
        jobs["kernel, GPU"] = _games_on_gpu()
    table("games/s", "complete random 4-seat games", jobs, rounds)


def decisions(rounds: int) -> None:
    """In a batch, with and without what a learner reads."""
    jobs = {
        "step alone, one core": _steps(read=False),
        "with mask and observation, one core": _steps(),
    }
    if _gpu_name():
        jobs["step alone, GPU"] = _steps_on_gpu(read=False)
        jobs["with mask and observation, GPU"] = _steps_on_gpu()
    table("decisions/s", "random 4-seat games in a batch", jobs, rounds)


def gpu_tables(rounds: int) -> None:
    seats = (3, 4, 5, 6)
    table("games/s", "seats, GPU", {str(n): _games_on_gpu(seats=n) for n in seats}, rounds)
    table("decisions/s", "seats, GPU", {str(n): _steps_on_gpu(seats=n) for n in seats}, rounds)
    played = {f"{n:,}": _games_on_gpu(games=n) for n in (1 << 14, 1 << 17, 1 << 20, 1 << 23)}
    table("games/s", "games at once, GPU", played, rounds)
    sizes = (1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22)
    table("decisions/s", "games in the batch, GPU", {f"{n:,}": _steps_on_gpu(games=n) for n in sizes}, rounds)


# --- What is measured ------------------------------------------------------------------------------------------------


def _games(seats: int = SEATS, threads: int = 1) -> Job:
    def play() -> int:
        kernel.play(EDITION, seats, CPU_GAMES, threads=threads)
        return CPU_GAMES

    return play


def _games_on_gpu(seats: int = SEATS, games: int = GPU_GAMES) -> Job:
    """The kernel alone: outcomes stay on the GPU, where a learner wants them."""
    from forsale.kernel import gpu
    from forsale.kernel.gpu import cuda
    from forsale.scalar.rows import rules_row

    rules = cuda.to_device(rules_row(EDITION.rules(seats)))
    parameters = cuda.to_device(np.zeros((seats, 1), np.float32))
    out = [cuda.device_array((games, seats), kind) for kind in (np.float32, np.int16, np.int16)]
    play, found = gpu.playing(uniform), gpu.Found()

    def run() -> int:
        gpu.launched(play, games)(rules, parameters, np.uint64(1), found.array, *out)
        cuda.synchronize()
        return games

    return run


@numba.njit(nogil=True)
def choose(start, stop, states, r, parameters, counter, actions):
    """A legal action by chance for every game."""
    for game in range(start, stop):
        actions[game] = uniform(states[game], r, parameters, word(counter, np.uint64(game)))
    return -1


def _steps(seats: int = SEATS, threads: int = 1, games: int = CPU_BATCH, read: bool = True) -> Job:
    batch = kernel.create(EDITION, seats, games, threads=threads)
    assert isinstance(batch, CpuBatch)
    actions, parameters = np.zeros(games, np.int64), np.zeros(1, np.float32)
    steps = max(STEPS, STEPS * CPU_BATCH // games)
    counter = 0

    def play() -> int:
        nonlocal counter
        for _ in range(steps):
            if read:
                batch.observe()
                batch.legal_mask()
            counter += 1
            batch._shares.run(choose, batch._states, batch._rules, parameters, np.uint64(counter), actions)
            batch.step(actions, check=False)
        return steps * games

    return play


def _steps_on_gpu(seats: int = SEATS, games: int = GPU_BATCH, read: bool = True) -> Job:
    from forsale.kernel import gpu
    from forsale.kernel.cuda_batch import CudaBatch
    from forsale.kernel.gpu import cuda

    batch = kernel.create(EDITION, seats, games, device="cuda")
    assert isinstance(batch, CudaBatch)
    actions, parameters = cuda.to_device(np.zeros(games, np.int64)), cuda.to_device(np.zeros(1, np.float32))

    @cuda.jit
    def choose_on_gpu(states, r, parameters, counter, actions):
        game = cuda.grid(1)
        if game < actions.shape[0]:
            actions[game] = uniform(states[:, game], r, parameters, word(counter, np.uint64(game)))

    counter = 0

    def play() -> int:
        nonlocal counter
        for _ in range(STEPS):
            if read:
                batch.observe()
                batch.legal_mask()
            counter += 1
            gpu.launched(choose_on_gpu, games)(batch._states, batch._rules, parameters, np.uint64(counter), actions)
            batch.step(actions, check=False)
        cuda.synchronize()
        return STEPS * games

    return play


# --- Measuring -------------------------------------------------------------------------------------------------------


def table(unit: str, what: str, jobs: Mapping[str, Job], rounds: int) -> None:
    """A row for each job, with its ratio to the first."""
    best = dict.fromkeys(jobs, 0.0)
    for job in jobs.values():
        job()  # compiles
    for _ in range(rounds):
        for name, job in jobs.items():
            begin = time.perf_counter()
            done = job()
            best[name] = max(best[name], done / (time.perf_counter() - begin))
    first = next(iter(best.values()))
    print_rows([(what, unit, "ratio"), ("---", "---", "---")])
    print_rows((name, f"{rate:,.0f}", f"{rate / first:,.2f}") for name, rate in best.items())
    print(flush=True)


def print_rows(rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        print(f"| {' | '.join(row)} |")


def _gpu_name() -> str | None:
    try:
        need_gpu()
    except kernel.KernelError:
        return None
    name: Any = import_cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


if __name__ == "__main__":
    main()
