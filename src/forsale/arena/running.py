"""Run a contest: chunk by chunk, on one core or many.

A chunk takes about half a second, whatever the bots: so that little is lost by an interruption, and little is spent on
handing chunks over. Which deals make a chunk changes nothing in its games.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.synchronize import Lock
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from forsale import bots
from forsale.arena import records
from forsale.arena.contest import ArenaError, Contest
from forsale.arena.playing import Chunk, Player
from forsale.bots import Bot, BotError

if TYPE_CHECKING:
    from forsale.arena.compiled import CompiledPlayer

CHUNK_SECONDS = 0.5
_GRACE = 5.0
"""Seconds that a process has to end by itself."""

Seated = Callable[[Sequence[str]], AbstractContextManager[Sequence[Bot]]]
"""Gives the bots of these names for as long as they are needed."""

Spans = Iterable[tuple[int, int]]
"""Deals: the number of the first, and how many."""


def by_name(names: Sequence[str]) -> AbstractContextManager[Sequence[Bot]]:
    """From the registry. Raises `BotError` for a bot that is not to be had."""
    return nullcontext([bots.make(name) for name in names])


def play(
    contest: Contest,
    spans: Spans | None = None,
    processes: int = 1,
    folder: Path | None = None,
    seated: Seated = by_name,
) -> Iterator[Chunk]:
    """Play deals, all of the contest's or those given, and give their chunks as they are finished, in any order.

    `folder` is for records of all the games. With one process everything happens in this one. Others are given
    `seated`, a function that can be imported, and end when the iterator is closed.
    """
    todo = _Todo([(1, contest.deals)] if spans is None else spans, processes)
    if todo.over:
        return
    if processes == 1:
        with seated(contest.bots) as bots:
            player = _player(contest, bots, folder, nullcontext())
            while span := todo.next():
                chunk, seconds = _timed(player, span)
                todo.learn(chunk.deals, seconds)
                yield chunk
    else:
        yield from _in_processes(todo, processes, contest, folder, seated)


def _player(
    contest: Contest, bots: Sequence[Bot], folder: Path | None, alone: AbstractContextManager[object]
) -> "Player | CompiledPlayer":
    """The one that is fastest; which one it is changes nothing in the games. Records take whole games.

    `alone` is held while something may be compiled: one process does it, and the others find it done.
    """
    from forsale.arena import scripted

    scripted.check(contest, bots)
    traits = scripted.traits_of(bots)
    if folder is not None:
        return Player(contest, bots, lambda played: records.keep(contest, folder, played))
    if traits is None or find_spec("numba") is None:
        return Player(contest, bots)
    with alone:
        from forsale.arena.compiled import CompiledPlayer

        return CompiledPlayer(contest, traits)


def _timed(player: "Player | CompiledPlayer", span: tuple[int, int]) -> tuple[Chunk, float]:
    """A chunk, and how long it took: without what comes before the first one, such as starting a process."""
    began = perf_counter()
    return player.play(*span), perf_counter() - began


class _Todo:
    """Deals that are still to be played, handed out in pieces of the right size."""

    def __init__(self, spans: Spans, processes: int) -> None:
        self._spans = [span for span in spans if span[1]]
        self._processes = processes
        self._size = 1

    @property
    def over(self) -> bool:
        """Whether nothing is left to hand out."""
        return not self._spans

    def next(self) -> tuple[int, int] | None:
        """The next piece; None when all have been handed out."""
        if self.over:
            return None
        start, deals = self._spans[0]
        left = sum(count for _, count in self._spans)
        # Towards the end the pieces get smaller, so that all processes end together.
        taken = min(deals, self._size, max(1, left // (2 * self._processes)))
        self._spans[0] = (start + taken, deals - taken)
        if taken == deals:
            del self._spans[0]
        return start, taken

    def learn(self, deals: int, seconds: float) -> None:
        """So many took so long."""
        fitting = int(deals * CHUNK_SECONDS / max(seconds, 1e-9))
        self._size = max(1, min(fitting, 4 * self._size))


# --- Processes -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Helper:
    """Another process, and what it was asked for."""

    process: SpawnProcess
    pipe: Connection
    span: tuple[int, int] = (0, 0)

    def ask(self, span: tuple[int, int]) -> None:
        self.span = span
        with suppress(BrokenPipeError):  # it is gone: its answer will say so
            self.pipe.send(span)

    def answer(self) -> tuple[Chunk, float]:
        """What `_timed` gave there."""
        try:
            answer: tuple[Chunk, float] | str = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            start, deals = self.span
            raise ArenaError(
                f"a process that played deals {start} to {start + deals - 1} ended with {self.process.exitcode}"
            ) from None
        if isinstance(answer, str):
            raise ArenaError(answer)
        return answer

    def end(self) -> None:
        self.process.terminate()
        self.process.join(_GRACE)
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _in_processes(
    todo: _Todo, processes: int, contest: Contest, folder: Path | None, seated: Seated
) -> Iterator[Chunk]:
    from multiprocessing import get_context

    # Spawned, not forked: a bot may have threads or a GPU, and neither survives a fork.
    context = get_context("spawn")
    alone = context.Lock()
    with ExitStack() as ending:
        busy: dict[Connection, _Helper] = {}
        while len(busy) < processes and (span := todo.next()):
            helper = _started(context, contest, folder, seated, alone)
            ending.callback(helper.end)
            helper.ask(span)
            busy[helper.pipe] = helper
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                helper = busy.pop(pipe)
                chunk, seconds = helper.answer()
                todo.learn(chunk.deals, seconds)
                if span := todo.next():
                    helper.ask(span)
                    busy[pipe] = helper
                yield chunk


def _started(context: SpawnContext, contest: Contest, folder: Path | None, seated: Seated, alone: Lock) -> _Helper:
    ours, theirs = context.Pipe()
    process = context.Process(target=_help, args=(theirs, contest, folder, seated, alone), daemon=True)
    process.start()
    theirs.close()
    return _Helper(process, ours)


def _help(pipe: Connection, contest: Contest, folder: Path | None, seated: Seated, alone: Lock) -> None:
    """The life of another process: play what it is asked for until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first decides
    signal.signal(signal.SIGTERM, _leave)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError, _Left):
        try:
            with seated(contest.bots) as bots:
                player = _player(contest, bots, folder, alone)
                while True:
                    pipe.send(_timed(player, pipe.recv()))
        except (BrokenPipeError, ConnectionResetError):
            raise
        except (ArenaError, BotError, OSError) as error:
            pipe.send(str(error))


class _Left(BaseException):
    """Not an error, and none that a bot could catch by mistake: what the bots have opened is closed on the way out."""


def _leave(*_: object) -> None:
    raise _Left


def cores() -> int:
    """How many processes can run at once, as far as this one is allowed to know."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
