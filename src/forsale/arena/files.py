"""What a contest came to, for programs: JSON, CSV, Parquet."""

import csv
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from forsale.arena.contest import ArenaError, Contest
from forsale.arena.lineups import seating
from forsale.arena.playing import Chunk
from forsale.arena.statistics import Standing, Summary, places, shares

_ROW_GROUP = 100_000
"""Rows of a Parquet file that are written together: which deals made a chunk must not show."""


def replace_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with _replacing(path) as unfinished:
        unfinished.write_bytes(data)


def prepare(folder: Path) -> None:
    """Make a folder, and remove what a run that was killed has left there half-written."""
    folder.mkdir(parents=True, exist_ok=True)
    for unfinished in folder.glob(".*.part"):
        unfinished.unlink(missing_ok=True)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    # Named before it is made, so that whatever interrupts us can also clean up.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


class Row(NamedTuple):
    """A seat of a game."""

    deal: int
    line_up: str
    rotation: int
    seat: str
    bot: str
    win_share: float
    score: int
    coins: int
    place: int
    decisions: int


def rows(contest: Contest, chunks: Iterable[Chunk]) -> Iterator[Row]:
    """Every seat of every game."""
    seats = contest.seats
    for chunk in chunks:
        at = 0
        for deal in range(chunk.start, chunk.start + chunk.deals):
            for line_up in contest.line_ups:
                for rotation in range(seats):
                    end = at + seats
                    scores, coins, decisions = chunk.scores[at:end], chunk.coins[at:end], chunk.decisions[at:end]
                    placed = places(scores, coins)
                    parts = zip(
                        seating(line_up, deal, rotation), shares(placed), scores, coins, placed, decisions, strict=True
                    )
                    for seat, (bot, *numbers) in enumerate(parts):
                        where = (deal, contest.named(line_up), rotation + 1, "ABCDEF"[seat], contest.bots[bot])
                        yield Row(*where, *numbers)
                    at = end


def to_json(summary: Summary) -> dict[str, Any]:
    """Contest and results as plain values."""
    contest = summary.contest
    return {
        "contest": asdict(contest) | {"line_ups": [contest.named(line_up) for line_up in contest.line_ups]},
        "games": summary.games,
        "standings": [_without_seconds(standing) for standing in summary.standings],
        "matrix": [asdict(cell) for cell in summary.matrix],
        "houses": {bot: [asdict(trade) for trade in trades] for bot, trades in summary.trades.items()},
    }


def _without_seconds(standing: Standing) -> dict[str, Any]:
    """So that the same contest gives the same file."""
    return {name: value for name, value in asdict(standing).items() if name != "seconds"}


def write_json(path: Path, summary: Summary) -> None:
    """What `to_json` gives."""
    replace_whole(path, (json.dumps(to_json(summary), indent=2) + "\n").encode())


def write_csv(path: Path, contest: Contest, chunks: Iterable[Chunk]) -> None:
    """Every seat of every game, a line each."""
    with _replacing(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Row._fields)
        lines.writerows(rows(contest, chunks))


def need_parquet() -> None:
    """Refuse now what would fail only when all has been played."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise ArenaError("Parquet needs pyarrow: pip install 'forsale[arena]'") from None


def write_parquet(path: Path, contest: Contest, chunks: Iterable[Chunk]) -> None:
    """The same as the CSV, in columns."""
    import pyarrow
    import pyarrow.parquet

    kinds = {int: pyarrow.int32(), float: pyarrow.float64(), str: pyarrow.string()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in Row.__annotations__.items()])
    with _replacing(path) as unfinished, pyarrow.parquet.ParquetWriter(unfinished, schema) as writer:
        every = rows(contest, chunks)
        while some := list(islice(every, _ROW_GROUP)):
            columns = [list(column) for column in zip(*some, strict=True)]
            writer.write_table(pyarrow.table(columns, schema=schema))
