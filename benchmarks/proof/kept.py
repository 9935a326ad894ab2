"""What is finished, in a file with a line for each case."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.proof.cases import Case, Combo
from benchmarks.proof.playing import Cast, Figure, Figures
from forsale.arena import ArenaError

FILE = Path(__file__).parents[2] / "docs" / "champion.jsonl"


class Result(NamedTuple):
    """A case, a name for the weights of each net in it, and what it came to."""

    case: Case
    weights: dict[str, str]
    figures: Figures
    shares: tuple[float, ...] = ()
    """Deal by deal, where they take long: more of them go on from there."""


def read(file: Path) -> list[Result]:
    """All whole lines: what was killed while it wrote has left a part of one. Of a case the last line counts."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    results = [_parsed(json.loads(line)) for line in lines if line.endswith("\n")]
    return list({result.case.what: result for result in results}.values())


def current(results: Iterable[Result], cast: Cast) -> list[Result]:
    """Those of the champion as it is now, and of other nets as they are, where this run was given any."""
    return [
        result
        for result in results
        if all(cast.digest(name) in (None, weights) for name, weights in result.weights.items())
    ]


def missing(cases: Iterable[Case], results: Iterable[Result]) -> Iterator[Case]:
    """Cases that are not finished, or on fewer deals."""
    done = {result.case.what: result.case.deals for result in results}
    return (case for case in cases if done.get(case.what, 0) < case.deals)


@contextmanager
def appending(file: Path) -> Iterator[Callable[[Result], None]]:
    """A function that keeps a result: once it returns, that stays. Raises `ArenaError` if another run does the same."""
    with file.open("a", encoding="utf-8") as lines:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ArenaError(f"{file}: another run is writing it") from None

        def append(result: Result) -> None:
            lines.write(line_of(result))
            lines.flush()

        yield append


def write(file: Path, results: Iterable[Result]) -> None:
    """All of them in order, in the place of what was there."""
    new = file.with_suffix(".new")
    new.write_text("".join(map(line_of, sorted(results, key=lambda result: str(result.case)))), encoding="utf-8")
    new.replace(file)


def line_of(result: Result) -> str:
    part, combo, one, others, deals = result.case
    told = {"part": part, **combo._asdict(), "one": one, "others": others, "deals": deals, "weights": result.weights}
    figures = {name: [_short(number) for number in figure] for name, figure in result.figures.items()}
    shares = {"shares": result.shares} if result.shares else {}
    return json.dumps({**told, "figures": figures, **shares}, separators=(",", ":")) + "\n"


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _parsed(told: dict[str, Any]) -> Result:
    combo = Combo(told["edition"], told["seats"], told["variant"])
    case = Case(told["part"], combo, told["one"], told["others"], told["deals"])
    figures: dict[str, Figure] = {name: Figure(*numbers) for name, numbers in told["figures"].items()}
    return Result(case, told["weights"], figures, tuple(told.get("shares", ())))
