"""Bots think here, off the event loop: in child processes, each with one question at a time and a limit on its time.

A bot that is slow, breaks or cheats costs its own table a default action. Its child is killed and replaced, and
while it goes on like that, it gets one child at most: the others are for the other bots.
"""

import asyncio
import os
import pickle
import sys
from asyncio import subprocess
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import cast

from forsale.bots import default_action
from forsale.bots.fault import short
from forsale.game import Action
from forsale.server import thinking
from forsale.server.thinking import (
    ANSWER,
    CHOSE,
    CRASHED,
    ILLEGAL,
    LONGEST,
    MADE,
    QUESTION,
    TOKEN,
    UNKNOWN,
    Answer,
    Question,
    packed,
)
from forsale.view import View

__all__ = ["Thinkers", "Thought"]

_FLOOD = 4096
"""A child that says so much at once, in bytes, says no answer."""
_NO_ANSWER = "crashed: what it said is no answer"


@dataclass(frozen=True, slots=True)
class Thought:
    """What to play, and in a few words why it is the default action, if it is."""

    action: Action
    fault: str | None = None


class Thinkers:
    """Up to `workers` children, started when they are needed and ended when nothing was asked for `idle` seconds.

    A bot has `limit` seconds from when a child takes the question. `make` is the import path of the function that
    gives a bot for its name.
    """

    def __init__(
        self, workers: int = 2, limit: float = 2.0, idle: float = 60.0, make: str = "forsale.bots:make"
    ) -> None:
        self._workers = workers
        self._limit = limit
        self._idle = idle
        self._make = make
        self._places = asyncio.Semaphore(workers)
        self._suspects: dict[str, asyncio.Lock] = {}
        self._children: set[_Child] = set()
        self._resting: list[_Child] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._faults = 0
        self._closed = False
        self._closing = asyncio.Lock()

    @property
    def faults(self) -> int:
        """How often the default action was played in a bot's place."""
        return self._faults

    @property
    def pids(self) -> frozenset[int]:
        """The children that live."""
        return frozenset(child.pid for child in self._children if child.alive)

    async def choose(self, bot: str, view: View, legal: Sequence[Action], seed: str) -> Thought:
        """What a bot plays, with `Random(seed)` for its chance. `legal` is not empty.

        Raises nothing but `CancelledError`: also when `close` comes first, so that no table plays a default action
        only because the server stops.
        """
        if len(legal) == 1:
            return Thought(legal[0])
        bare = replace(view, earlier=())
        try:
            place = await self._in_turn(Question(bot, bare, tuple(legal), seed, packed(view.earlier)))
        except _Fault as fault:
            if self._closed:
                raise asyncio.CancelledError from None
            self._faults += 1
            return Thought(default_action(legal), str(fault))
        return Thought(legal[place])

    async def close(self) -> None:
        """End all children, also those that hang. Who still waits for a choice is cancelled."""
        self._closed = True
        for child in tuple(self._children):
            self._end(child)
        async with self._closing, AsyncExitStack() as places:
            # Once every place is ours, nobody is left who is just about to start a child.
            for _ in range(self._workers):
                await places.enter_async_context(self._places)
            if self._ending:
                await asyncio.wait(self._ending)

    async def _in_turn(self, question: Question) -> int:
        """First come, first served; but the questions to a bot that lost its last child wait for each other."""
        async with self._places:
            suspect = self._suspects.get(question.bot)
            if suspect is None:
                return await self._ask(question)
        async with suspect, self._places:
            return await self._ask(question)

    async def _ask(self, question: Question) -> int:
        """The choice, by its place among the legal actions."""
        child = await self._child()
        try:
            answer = await child.ask(question, self._limit)
            place = _place(answer, len(question.legal))
        except _Lost:
            self._suspects.setdefault(question.bot, asyncio.Lock())
            self._end(child)
            raise
        except _Fault:
            self._rest(child)
            raise
        except BaseException:  # cancelled: it is still thinking, and the next question should not wait for that
            self._end(child)
            raise
        self._suspects.pop(question.bot, None)
        self._rest(child)
        return place

    async def _child(self) -> "_Child":
        """The child that has rested least, so that those not needed rest until they end; or a new one."""
        while self._resting and not self._closed:
            child = self._resting.pop()
            child.rest_over()
            if child.sound:
                return child
            self._end(child)
        child = await self._start()
        self._children.add(child)
        if self._closed:
            self._end(child)
        return child

    async def _start(self) -> "_Child":
        """A fresh interpreter: it has none of the server's sockets and files, and finds the modules that we find."""
        if self._closed:
            raise _Fault("closed")
        try:
            _, child = await asyncio.get_running_loop().subprocess_exec(
                _Child,
                *(sys.executable, "-P", "-m", thinking.__name__, self._make, str(self._limit)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,
            )
        except Exception as error:
            raise _Fault(f"no process to think in: {short(str(error))}") from error
        return child

    def _rest(self, child: "_Child") -> None:
        if child in self._children:
            self._resting.append(child)
            child.rest(self._idle, self._end)

    def _end(self, child: "_Child") -> None:
        """Kill it now, and see to the rest in the background."""
        if child not in self._children:
            return
        self._children.discard(child)
        if child in self._resting:
            self._resting.remove(child)
        task = asyncio.get_running_loop().create_task(child.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


class _Fault(Exception):
    """Why there is no choice, in a few words."""


class _Lost(_Fault):
    """And the child cannot be asked again."""


class _Child(asyncio.SubprocessProtocol):
    """One child process, as the server sees it."""

    def __init__(self) -> None:
        self._made: set[str] = set()
        self._token = b""
        self._heard = bytearray()
        self._news = asyncio.Event()
        self._hears = True
        self._exited = asyncio.Event()
        self._gone = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self.pid = self._transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002 - there is only one pipe to hear
        # Some of it is enough to tell that a flood is not an answer, and the server keeps its memory.
        self._heard += data[:_FLOOD]
        if len(self._heard) >= _FLOOD:
            self._kill()
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._hears = False

    def process_exited(self) -> None:
        self._exited.set()
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._gone.set()

    # What the pool calls.

    @property
    def alive(self) -> bool:
        return not self._exited.is_set()

    @property
    def sound(self) -> bool:
        """Whether it lives, can be asked, and has said nothing that it was not asked."""
        return self.alive and self._hears and not self._heard

    async def ask(self, question: Question, limit: float) -> Answer:
        """Its answer in time; raises `_Lost` otherwise."""
        self._token = os.urandom(TOKEN)
        data = pickle.dumps(tuple(question), pickle.HIGHEST_PROTOCOL)
        self._write(QUESTION.pack(self._token, len(data)) + data)
        if question.bot not in self._made:
            answer = await self._hear(thinking.START, f"did not start within {thinking.START:g} s")
            if answer[0] != MADE:
                return answer
            self._made.add(question.bot)
        return await self._hear(limit, f"took longer than {limit:g} s")

    def rest(self, seconds: float, end: Callable[["_Child"], None]) -> None:
        """Nothing to do; `end` it if that goes on for so long."""
        self._timer = asyncio.get_running_loop().call_later(seconds, end, self)

    def rest_over(self) -> None:
        if self._timer:
            self._timer.cancel()

    async def end(self) -> None:
        """Kill it, and wait until nothing of it is left: no process, no pipe."""
        self.rest_over()
        self._kill()
        await self._exited.wait()
        self._transport.close()
        await self._gone.wait()

    # The pipe.

    def _write(self, data: bytes) -> None:
        """A child that just went away makes uvloop raise; asyncio is silent, and `_hear` finds out."""
        pipe = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        try:
            pipe.write(data)
        except (OSError, RuntimeError) as error:
            raise _Lost("crashed: its pipe is closed") from error

    async def _hear(self, limit: float, late: str) -> Answer:
        """The next answer. One that came in time counts, even if the event loop was too busy to look at it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while not self._whole and self.alive:
                    self._news.clear()
                    await self._news.wait()
        if self._whole:
            return self._cut()
        raise _Lost(late if self.alive else f"crashed: {self._how_it_ended()}")

    @property
    def _whole(self) -> bool:
        """Whether there is an answer, or what can become none."""
        if len(self._heard) < ANSWER.size:
            return False
        length: int = ANSWER.unpack_from(self._heard)[2]
        return length > LONGEST or len(self._heard) >= ANSWER.size + length

    def _cut(self) -> Answer:
        token, kind, length = ANSWER.unpack_from(self._heard)
        end = ANSWER.size + min(length, LONGEST)
        text = self._heard[ANSWER.size : end].decode(errors="replace")
        del self._heard[:end]
        if token != self._token:
            raise _Lost(_NO_ANSWER)
        return kind, text

    def _how_it_ended(self) -> str:
        status = self._transport.get_returncode() or 0
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._transport.kill()


def _place(answer: Answer, places: int) -> int:
    """Which of so many legal actions an answer chooses. A child is not believed: bots live in it."""
    kind, text = answer
    if kind == CHOSE and text.isascii() and text.isdigit() and int(text) < places:
        return int(text)
    if kind == ILLEGAL:
        raise _Fault(f"illegal action {short(text)}")
    if kind == UNKNOWN:
        raise _Fault("unknown bot")
    if kind == CRASHED:
        raise _Lost(f"crashed: {short(text)}")
    raise _Lost(_NO_ANSWER)
