"""The journal of a run: what is finished, in a file that can be cut off at any moment.

The first line names the contest; each further one is a chunk, on the disk before the next is begun. Whatever ends the
run, at most the last line is torn, and it is dropped when the run goes on.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

from forsale import __version__
from forsale.arena.contest import ArenaError, Contest
from forsale.arena.files import prepare
from forsale.arena.playing import HOUSE_SUMS, Chunk

NAME = "journal.jsonl"
FORMAT = 1


class Journal:
    """An open journal, and nobody else's meanwhile."""

    def __init__(self, folder: Path, contest: Contest, records: bool = False, resume: bool = False) -> None:
        """Begin one in a folder, which is made, or go on with the one that is there.

        Raises `ArenaError` for one that belongs to another contest, is damaged, or is in use; and `OSError`.
        """
        self.path = folder / NAME
        self.contest = contest
        self._where: dict[int, tuple[int, int]] = {}
        """By the number of its first deal: how many deals a chunk has, and where in the file it is."""
        prepare(folder)
        self._file: IO[bytes] = self.path.open("a+b")
        try:
            self._lock()
            self._begin(_header(contest, records), resume)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def deals(self) -> int:
        """How many are finished."""
        return sum(deals for deals, _ in self._where.values())

    def missing(self) -> Iterator[tuple[int, int]]:
        """What is still to be played: the first deal of each gap, and how many."""
        expected = 1
        for start in sorted(self._where):
            if start > expected:
                yield expected, start - expected
            expected = start + self._where[start][0]
        if expected <= self.contest.deals:
            yield expected, self.contest.deals - expected + 1

    def chunks(self) -> Iterator[Chunk]:
        """Everything finished, in the order of the deals."""
        for _, (_, offset) in sorted(self._where.items()):
            self._file.seek(offset)
            yield Chunk(**json.loads(self._file.readline()))

    def append(self, chunk: Chunk) -> None:
        """Keep a chunk: once this returns, it stays."""
        offset = self._file.seek(0, os.SEEK_END)
        self._write({name: getattr(chunk, name) for name in Chunk.__slots__})  # not asdict, which copies every number
        self._where[chunk.start] = (chunk.deals, offset)

    def close(self) -> None:
        """Let others have it."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lock(self) -> None:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ArenaError(f"{self.path}: another run is writing it") from None

    def _begin(self, header: dict[str, Any], resume: bool) -> None:
        self._file.seek(0)
        first = self._file.readline()
        if first.endswith(b"\n") and self._is_begun(_parsed(first)):
            self._compare(_parsed(first), header)
            if not resume:
                raise ArenaError(f"{self.path}: there is a run of this contest already; --resume goes on with it")
            self._read()
        else:  # new, or of a run that was refused or ended before anything was finished
            self._file.truncate(0)
            self._write(header)

    def _is_begun(self, header: Any) -> bool:
        """Whether anything is finished in this journal, if it is one."""
        if not isinstance(header, dict) or header.get("journal") != FORMAT:
            raise ArenaError(f"{self.path}: not the journal of an arena, format {FORMAT}")
        start = self._file.tell()
        line = self._file.readline()
        self._file.seek(start)
        return line.endswith(b"\n")

    def _compare(self, found: Any, expected: dict[str, Any]) -> None:
        for name, value in expected.items():
            if found.get(name) != value:
                raise ArenaError(f"{self.path}: is of another contest: {name} {found.get(name)!r}, not {value!r}")

    def _read(self) -> None:
        number, offset = 2, self._file.tell()
        while (line := self._file.readline()).endswith(b"\n"):
            start, deals = self._checked(_parsed(line), number)
            if start in self._where:
                raise ArenaError(f"{self.path}, line {number}: damaged: deal {start} is there twice")
            self._where[start] = (deals, offset)
            number, offset = number + 1, self._file.tell()
        expected = 1
        for start, (deals, _) in sorted(self._where.items()):
            if start < expected:
                raise ArenaError(f"{self.path}: damaged: deal {start} is there twice")
            expected = start + deals
        if expected > self.contest.deals + 1:
            asked = self.contest.deals
            raise ArenaError(f"{self.path}: has deals up to {expected - 1}, more than the {asked} asked for")
        self._file.truncate(offset)

    def _checked(self, found: object, number: int) -> tuple[int, int]:
        """That a line is a chunk of this contest; its deals."""
        match found:
            case {"start": int(start), "deals": int(deals), "houses": list(houses), **rest}:
                faults = rest.setdefault("faults", {})  # which earlier journals do not have
                contest = self.contest
                seats = deals * contest.games_per_deal * contest.seats
                if (
                    start > 0
                    and deals > 0
                    and rest.keys() | {"start", "deals", "houses"} == set(Chunk.__slots__)
                    and all(_are(int, rest[name], seats) for name in ("scores", "coins", "decisions"))
                    and len(houses) == len(contest.bots)
                    and all(_are(int, sums, HOUSE_SUMS * len(contest.rules.houses)) for sums in houses)
                    and _are(float, rest["seconds"], len(contest.bots))
                    and isinstance(faults, dict)
                    and faults.keys() <= set(contest.bots)
                    and _are(int, list(faults.values()), len(faults))
                ):
                    return start, deals
        raise ArenaError(f"{self.path}, line {number}: damaged: not a chunk of this contest")


def _header(contest: Contest, records: bool) -> dict[str, Any]:
    """All that a result depends on, but for how many deals there are: a run may be made longer."""
    return {
        "journal": FORMAT,
        "version": __version__,
        "edition": contest.rules.edition,
        "rules": hashlib.sha256(repr(contest.rules).encode()).hexdigest()[:16],
        "variant": contest.variant,
        "seats": contest.seats,
        "bots": list(contest.bots),
        "line-ups": contest.kind,
        "seed": contest.seed,
        "records": records,
    }


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _are(kind: type, numbers: object, count: int) -> bool:
    return isinstance(numbers, list) and len(numbers) == count and all(type(number) is kind for number in numbers)
