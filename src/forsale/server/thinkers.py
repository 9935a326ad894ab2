"""Bots think here, off the event loop: in child processes, each with one question at a time and a limit on its time.

A bot that is slow, breaks or cheats costs its own table a default action. Its child is killed and replaced, and
while it goes on like that, it gets one child at most: the others are for the other bots. A child that dies without
having been too slow, or cannot be started, is replaced once before the default action is played. Which question is
next is up to `bot_queue`.
"""

import asyncio
import os
import pickle
import signal
import sys
import time
from asyncio import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import cast

from forsale.bots import default_action
from forsale.bots.fault import short
from forsale.game import Action
from forsale.server import thinking
from forsale.server.bot_queue import RECHECK, Asker, BotQueue, Ticket
from forsale.server.bot_speed import BotSpeeds
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

__all__ = ["Asker", "Thinkers", "Thought"]

_FLOOD = 4096
"""A child that says so much at once, in bytes, says no answer."""
_NO_ANSWER = "crashed: what it said is no answer"
_TIMED_ITSELF_OUT = -int(getattr(signal, "SIGALRM", 14))
"""The return code of a child that was too slow, and noticed before the server did."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What to play, and in a few words why it is the default action, if it is."""

    action: Action
    fault: str | None = None


class Thinkers:
    """Up to `workers` children, started when they are needed and ended when nothing was asked for `idle` seconds.

    One worker is kept free of slow bots. A bot has `limit` seconds from when a child takes the question. `make` is the
    import path of the function that gives a bot for its name. When no process can be started, it is tried again after
    `retry_delay` seconds.
    """

    def __init__(
        self,
        workers: int = 3,
        limit: float = 2.0,
        idle: float = 60.0,
        make: str = "forsale.bots:make",
        retry_delay: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = limit
        self._idle = idle
        self._make = make
        self._retry_delay = retry_delay
        self._clock = clock
        self._speeds = BotSpeeds()
        self._suspects: set[str] = set()
        self._queue = BotQueue(workers, self._is_slow, self._suspects.__contains__, clock)
        self._turns: dict[Ticket, asyncio.Future[None]] = {}
        self._recheck: asyncio.TimerHandle | None = None
        self._children: set[_Child] = set()
        self._resting: list[_Child] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._faults = 0
        self._closed = asyncio.Event()
        self._nobody_asks = asyncio.Event()
        self._nobody_asks.set()

    @property
    def faults(self) -> int:
        """How often the default action was played in a bot's place."""
        return self._faults

    @property
    def pids(self) -> frozenset[int]:
        """The children that live."""
        return frozenset(child.pid for child in self._children if child.alive)

    @property
    def questions_waiting(self) -> int:
        """Questions that wait for a worker."""
        return self._queue.waiting

    @property
    def longest_wait(self) -> float:
        """Seconds that the oldest of them has waited; 0 if there is none."""
        return self._queue.longest_wait

    async def choose(self, bot: str, view: View, legal: Sequence[Action], seed: str, asker: Asker) -> Thought:
        """What a bot plays, with `Random(seed)` for its chance. `legal` is not empty.

        Raises nothing but `CancelledError`: also when `close` comes first, so that no table plays a default action
        only because the server stops.
        """
        if len(legal) == 1:
            return Thought(legal[0])
        bare = replace(view, earlier=())
        try:
            async with self._turn(bot, asker):
                place = await self._ask(Question(bot, bare, tuple(legal), seed, packed(view.earlier)))
        except _Fault as fault:
            if self._closed.is_set():
                raise asyncio.CancelledError from None
            self._faults += 1
            return Thought(default_action(legal), str(fault))
        return Thought(legal[place])

    async def close(self) -> None:
        """End all children, also those that hang. Who still waits for a choice is cancelled."""
        self._closed.set()
        for turn in self._turns.values():
            turn.cancel()
        for child in tuple(self._children):
            self._end(child)
        await self._nobody_asks.wait()  # then nobody is left who is just about to start a child
        if self._ending:
            await asyncio.wait(self._ending)

    # Turns.

    @asynccontextmanager
    async def _turn(self, bot: str, asker: Asker) -> AsyncIterator[None]:
        """A worker's time, from when it is this question's turn until the end of the context."""
        if self._closed.is_set():
            raise asyncio.CancelledError
        ticket = self._queue.add(bot, asker)
        turn = self._turns[ticket] = asyncio.get_running_loop().create_future()
        self._nobody_asks.clear()
        try:
            self._give_turns()
            await turn
            yield
        finally:
            self._queue.remove(ticket)
            del self._turns[ticket]
            self._give_turns()
            if not self._turns:
                self._nobody_asks.set()

    def _give_turns(self) -> None:
        """To as many questions as may run. While others wait, look again soon: somebody may come to their table."""
        if self._recheck:
            self._recheck.cancel()
            self._recheck = None
        while (ticket := self._queue.pick()) is not None:
            turn = self._turns[ticket]
            if not turn.done():  # cancelled a moment ago, and about to leave the queue
                turn.set_result(None)
        if self._queue.waiting:
            self._recheck = asyncio.get_running_loop().call_later(RECHECK, self._give_turns)

    def _is_slow(self, bot: str) -> bool:
        """A bot of another package is also slow while it would have to be loaded: that may take any time."""
        if bot in self._suspects or self._speeds.is_slow(bot):
            return True
        return not self._speeds.is_declared(bot) and not any(child.can_answer(bot) for child in self._resting)

    # Asking.

    async def _ask(self, question: Question) -> int:
        """The choice, by its place among the legal actions. If the child dies, a fresh one is asked."""
        try:
            return await self._ask_child(await self._child(question.bot), question)
        except _Died:
            pass
        try:
            return await self._ask_child(await self._new_child(), question)
        except _Died:
            self._suspects.add(question.bot)
            raise

    async def _ask_child(self, child: "_Child", question: Question) -> int:
        bot = question.bot
        try:
            answer = await child.ask(question, self._limit, self._clock)
            place = _place(answer, len(question.legal))
        except _Died:
            self._end(child)
            raise
        except _Lost as fault:
            self._suspects.add(bot)
            if isinstance(fault, _Late):
                self._speeds.record(bot, self._limit)
            self._end(child)
            raise
        except _Fault:
            self._rest(child)
            raise
        except BaseException:  # cancelled: it is still thinking, and the next question should not wait for that
            self._end(child)
            raise
        self._suspects.discard(bot)
        self._speeds.record(bot, child.thought_for)
        self._rest(child)
        return place

    async def _child(self, bot: str) -> "_Child":
        """One that rests, or a new one.

        Of those that rest one that has made this bot before is best, then the one that has rested least, so that those
        not needed rest until they end.
        """
        while self._resting:
            child = next((child for child in reversed(self._resting) if child.can_answer(bot)), self._resting[-1])
            self._resting.remove(child)
            child.rest_over()
            if child.sound:
                return child
            self._end(child)
        return await self._new_child()

    async def _new_child(self) -> "_Child":
        """Files or memory may be short just now, so it is tried twice."""
        try:
            child = await self._start()
        except _NotStarted:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._retry_delay):
                    await self._closed.wait()
            child = await self._start()
        self._children.add(child)
        if self._closed.is_set():
            self._end(child)
        return child

    async def _start(self) -> "_Child":
        """A fresh interpreter: it has none of the server's sockets and files, and finds the modules that we find."""
        if self._closed.is_set():
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
            raise _NotStarted(f"no process to think in: {short(str(error))}") from error
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


class _NotStarted(_Fault):
    """There is no child."""


class _Lost(_Fault):
    """And the child cannot be asked again."""


class _Late(_Lost):
    """It took too long."""


class _Died(_Lost):
    """It ended by itself, or something else ended it: nobody knows whether that was the bot's doing."""


class _Child(asyncio.SubprocessProtocol):
    """One child process, as the server sees it."""

    def __init__(self) -> None:
        self.thought_for = 0.0
        """Seconds that its last answer took, without those for making the bot."""
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
        if self._timer:  # it rests, and nobody else would notice before the next question that it is of no use
            self._kill()

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

    def can_answer(self, bot: str) -> bool:
        """Whether this bot can think here at once, as it has been loaded before."""
        return self.sound and bot in self._made

    async def ask(self, question: Question, limit: float, clock: Callable[[], float]) -> Answer:
        """Its answer in time; raises `_Lost` otherwise."""
        self._token = os.urandom(TOKEN)
        data = pickle.dumps(tuple(question), pickle.HIGHEST_PROTOCOL)
        self._write(QUESTION.pack(self._token, len(data)) + data)
        if question.bot not in self._made:
            answer = await self._hear(thinking.START, f"did not start within {thinking.START:g} s")
            if answer[0] != MADE:
                return answer
            self._made.add(question.bot)
        began = clock()
        answer = await self._hear(limit, f"took longer than {limit:g} s")
        self.thought_for = clock() - began
        return answer

    def rest(self, seconds: float, end: Callable[["_Child"], None]) -> None:
        """Nothing to do; `end` it if that goes on for so long."""
        self._timer = asyncio.get_running_loop().call_later(seconds, end, self)

    def rest_over(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

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
            raise _Died("crashed: its pipe is closed") from error

    async def _hear(self, limit: float, late: str) -> Answer:
        """The next answer. One that came in time counts, even if the event loop was too busy to look at it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while not self._whole and self.alive:
                    self._news.clear()
                    await self._news.wait()
        if self._whole:
            return self._cut()
        if self.alive or self._transport.get_returncode() == _TIMED_ITSELF_OUT:
            raise _Late(late)
        raise _Died(f"crashed: {self._how_it_ended()}")

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
