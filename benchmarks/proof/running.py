"""Play what is missing, on all cores, and keep it as it comes: case by case, of slow ones a few deals at a time."""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.proof import kept
from benchmarks.proof.cases import CHAMPION, Case
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Cast, Figures, estimate, figures, only_asked, shares
from benchmarks.proof.reading import percent

FEW = 4
"""Deals at a time, where games are played one by one: with five planners they take a minute and a half."""


class Piece(NamedTuple):
    """A case, and which of its deals: the number of the first, and how many."""

    case: Case
    start: int
    deals: int


class Found(NamedTuple):
    """What a piece came to: figures of a whole case, or shares deal by deal."""

    figures: Figures
    shares: tuple[float, ...] = ()


def run(cases: Iterable[Case], cast: Cast, file: Path, processes: int) -> list[Result]:
    """Keep each result as soon as it is there, and give all that there are. What was done with other weights goes."""
    finished = kept.current(kept.read(file), cast)
    todo = _pieces(kept.missing(cases, finished), finished, cast)
    if not todo:
        return finished
    began = time.perf_counter()
    joining = _Joining(finished, cast)
    with kept.appending(file) as append:
        for number, (piece, found) in enumerate(_played(todo, cast, processes), 1):
            if result := joining.add(piece, found):
                append(result)
                print(f"{number} of {len(todo)}, {time.perf_counter() - began:.0f} s: {_told(result)}", flush=True)
        finished = kept.current(kept.read(file), cast)
        kept.write(file, finished)
    return finished


def _pieces(cases: Iterable[Case], finished: Iterable[Result], cast: Cast) -> list[Piece]:
    """No case gets more deals before all others have as many: whenever a run is interrupted, they are alike."""
    known = {result.case.what: len(result.shares) for result in finished}
    pieces: list[Piece] = []
    for case in cases:
        if only_asked(case, cast):
            starts = range(known.get(case.what, 0) + 1, case.deals + 1, FEW)
            pieces += [Piece(case, start, min(FEW, case.deals + 1 - start)) for start in starts]
        else:
            pieces.append(Piece(case, 1, case.deals))
    return sorted(pieces, key=lambda piece: piece.start)


class _Joining:
    """Makes results of pieces, which may be finished in any order."""

    def __init__(self, finished: Iterable[Result], cast: Cast) -> None:
        self._cast = cast
        self._shares = {result.case.what: result.shares for result in finished}
        self._early: dict[Piece, Found] = {}

    def add(self, piece: Piece, found: Found) -> Result | None:
        """What is known of the case now; None if earlier deals are not there yet."""
        case = piece.case
        if found.figures:
            return Result(case, self._weights(case), found.figures)
        self._early[piece] = found
        before = shares = self._shares.get(case.what, ())
        for early in sorted(one for one in self._early if one.case == case):
            if early.start == len(shares) + 1:
                shares += self._early.pop(early).shares
        if shares == before:
            return None
        self._shares[case.what] = shares
        figures = {"share": estimate(np.array(shares))}
        return Result(case._replace(deals=len(shares)), self._weights(case), figures, shares)

    def _weights(self, case: Case) -> dict[str, str]:
        digests = {name: self._cast.digest(name) for name in (CHAMPION, case.one, case.others)}
        return {name: digest for name, digest in digests.items() if digest}


def _played(pieces: Sequence[Piece], cast: Cast, processes: int) -> Iterator[tuple[Piece, Found]]:
    """As they are finished."""
    if processes == 1:
        for piece in pieces:
            yield piece, _found(piece, cast)
        return
    # A core for each process: the products of a net are too small to be shared.
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    # Ctrl-C reaches all processes; the first decides.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(processes, get_context("spawn"), signal.signal, ignoring) as pool:
        try:
            asked = {pool.submit(_found, piece, cast): piece for piece in pieces}
            for done in as_completed(asked):
                yield asked[done], done.result()
        except BaseException:  # a case that is being played may take minutes: it is given up
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _found(piece: Piece, cast: Cast) -> Found:
    case, start, deals = piece
    if not only_asked(case, cast):
        return Found(figures(case, cast))
    # As they are kept, so that the figures are the same with and without an interruption.
    return Found({}, tuple(round(share, 4) for share in shares(case, cast, start, deals).tolist()))


def _told(result: Result) -> str:
    part, combo, one, others, deals = result.case
    name, figure = next(iter(result.figures.items()))
    where = f"{part}, {combo.title}, {combo.seats} seats, {one} against {others}"
    return f"{where}, deals {deals}: {name} {percent(figure)}"
