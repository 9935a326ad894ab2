"""Play what is missing, on all cores, and keep it case by case."""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path

from benchmarks.proof import kept
from benchmarks.proof.cases import CHAMPION, Case
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Cast, figures
from benchmarks.proof.reading import percent


def run(cases: Iterable[Case], cast: Cast, file: Path, processes: int) -> list[Result]:
    """Keep each result as soon as it is there, and give all that there are. What was done with other weights goes."""
    finished = kept.current(kept.read(file), cast)
    todo = list(kept.missing(cases, finished))
    if not todo:
        return finished
    began = time.perf_counter()
    with kept.appending(file) as append:
        for number, result in enumerate(_results(todo, cast, processes), 1):
            append(result)
            print(f"{number} of {len(todo)}, {time.perf_counter() - began:.0f} s: {_told(result)}", flush=True)
        finished = kept.current(kept.read(file), cast)
        kept.write(file, finished)
    return finished


def _results(cases: Sequence[Case], cast: Cast, processes: int) -> Iterator[Result]:
    """As they are finished."""
    if processes == 1:
        for case in cases:
            yield _result(case, cast)
        return
    # A core for each process: the products of a net are too small to be shared.
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    # Ctrl-C reaches all processes; the first decides.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, ignoring) as pool:
        try:
            for done in as_completed([pool.submit(_result, case, cast) for case in cases]):
                yield done.result()
        except BaseException:  # a case that is being played may take minutes: it is given up
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _result(case: Case, cast: Cast) -> Result:
    digests = {name: cast.digest(name) for name in (CHAMPION, case.one, case.others)}
    return Result(case, {name: digest for name, digest in digests.items() if digest}, figures(case, cast))


def _told(result: Result) -> str:
    part, combo, one, others, _ = result.case
    name, figure = next(iter(result.figures.items()))
    return f"{part}, {combo.title}, {combo.seats} seats, {one} against {others}: {name} {percent(figure)}"
