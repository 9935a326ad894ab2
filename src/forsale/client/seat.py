"""A place at a live table: what is known there, and what can be said. It outlives the connections that carry it."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self
from urllib.parse import quote

import msgspec

from forsale import game
from forsale.client.errors import ClientError, Refused
from forsale.client.http import Http
from forsale.client.line import Line
from forsale.client.views import event_from_wire, view_from
from forsale.server import protocol
from forsale.server.protocol import (
    VERSION,
    Ack,
    Act,
    Closing,
    Happening,
    Hello,
    Here,
    Ping,
    Plan,
    PlanIs,
    Pong,
    Presence,
    React,
    Say,
    ServerMessage,
    SetPlan,
    TableInfo,
    Update,
    Welcome,
)
from forsale.server.wire import Position, action_from_wire, action_to_wire
from forsale.view import View

News = Welcome | Update | Presence | protocol.Refused
"""What `async for` gives: the table is seen for the first time or again, something happened, someone came or went; or a
refusal that answers nothing in particular."""

_ASKED = Act | SetPlan | Say | React
_TOO_FAST = 0.2
"""Seconds to wait when the server says so: a bot is quicker than a person may be."""


class Seat:
    """What one client knows of a table, as a player or as a spectator, and all that it can do there.

    When the connection breaks a new one is made, with what was missed, and what was not answered is sent again under
    the same id, so that no action is done twice. `patience` is how many seconds to try before giving up.
    """

    def __init__(self, http: Http, table: str, patience: float = 30.0, last: int = 0) -> None:
        self.seq = last
        """The last happening that is known. The server was told so and left out what came before."""
        self.happenings: list[Happening] = []
        """All that has happened since, in order."""
        self.position: Position | None = None
        """The game as this seat sees it; None before the start."""
        self.legal: tuple[game.Action, ...] = ()
        self.plan: Plan | None = None
        self.muted: set[str] = set()
        """Names whose lines and reactions are left out of `chat`. Nobody learns of it."""
        self.connections = 0
        """How often a connection was made."""
        self._table: TableInfo | None = None
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._asked: dict[str, tuple[_ASKED, asyncio.Future[int]]] = {}
        self._waiting: list[tuple[Callable[[Seat], bool], asyncio.Future[None]]] = []
        self._error: ClientError | None = None
        self._ids = (f"{secrets.token_hex(8)}-{number}" for number in itertools.count(1))
        self._line = Line(http, f"/api/tables/{quote(table, safe='')}/socket", self._hello, self._take, patience)
        self._task: asyncio.Task[None] | None = None

    # -- life

    async def __aenter__(self) -> Self:
        """Connect, and wait until the table is known."""
        self._task = asyncio.create_task(self._live())
        try:
            await self.until(lambda seat: seat._table is not None)
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def _end(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self) -> None:
        error = ClientError("the seat was left")
        try:
            await self._line.keep()
        except ClientError as reason:
            error = reason
        finally:
            self._fail(error)

    def _fail(self, error: ClientError) -> None:
        """Nothing more will come: whoever waits for something is told."""
        self._error = error
        self._news.put_nowait(None)
        for _, asked in self._asked.values():
            if not asked.done():
                asked.set_exception(error)
        for _, waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(error)

    # -- what is known

    @property
    def table(self) -> TableInfo:
        """The table around the game: options, who sits there, the commitment and later the secret."""
        assert self._table is not None, "the table is known as soon as the seat is entered"
        return self._table

    @property
    def is_over(self) -> bool:
        return self.position is not None and self.position.outcome is not None

    @property
    def must_act(self) -> bool:
        """Whether the game waits for this seat."""
        return self.position is not None and self.position.seat in self.position.to_act

    @property
    def history(self) -> tuple[game.Event, ...]:
        """The game's events, as they were sent to this seat."""
        return tuple(event_from_wire(event) for happening in self.happenings for event in happening.events)

    @property
    def view(self) -> View:
        """The position with its history, as bots want it; only if the seat has known the table from its start on."""
        if self.position is None:
            raise ClientError("the game has not begun, so there is no view of it")
        return view_from(self.position, self.history, self.table.options.tracker)

    @property
    def chat(self) -> tuple[protocol.ChatLine | protocol.Reaction, ...]:
        """What was said and how people reacted, without those who are muted here."""
        lines = [happening.what for happening in self.happenings]
        return tuple(
            line
            for line in lines
            if isinstance(line, protocol.ChatLine | protocol.Reaction) and line.name not in self.muted
        )

    # -- news

    def __aiter__(self) -> AsyncIterator[News]:
        return self

    async def __anext__(self) -> News:
        """The next news. `position`, `legal` and the rest may be newer. Ends when the server has closed the table."""
        if self._error is not None and self._news.empty():
            raise self._error
        news = await self._news.get()
        if news is None:
            assert self._error is not None
            raise self._error
        return news

    async def until(self, condition: "Callable[[Seat], bool]") -> None:
        """Wait until something holds here; it is asked again after each message."""
        if self._error is not None:
            raise self._error
        if not condition(self):
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((condition, future))
            await future

    # -- doing

    async def act(self, action: game.Action, *, based_on: int | None = None, action_id: str | None = None) -> int:
        """Play an action. Returns its place in the log when it is stored, and known here; raises `Refused`."""
        seen = self.seq if based_on is None else based_on
        seq = await self._ask(Act(action_id or next(self._ids), seen, action_to_wire(action)))
        await self.until(lambda seat: seat.seq >= seq)
        return seq

    async def set_plan(self, plan: Plan | None) -> None:
        """Tell the server what to do in this auction; None takes a plan back."""
        await self._ask(SetPlan(next(self._ids), plan))

    async def say(self, text: str) -> int:
        return await self._ask(Say(next(self._ids), text))

    async def react(self, reaction: str) -> int:
        return await self._ask(React(next(self._ids), reaction))

    async def here(self) -> None:
        """Take the seat back from a bot that plays for it."""
        await self._line.send(msgspec.json.encode(Here()))

    async def ping(self) -> None:
        await self._line.send(msgspec.json.encode(Ping()))

    async def reconnect(self) -> None:
        """Break the connection and make another."""
        before = self.connections
        await self._line.cut()
        await self.until(lambda seat: seat.connections > before)

    async def _ask(self, message: _ASKED) -> int:
        if self._error is not None:
            raise self._error
        while True:
            future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._asked[message.id] = message, future
            try:
                await self._line.send(msgspec.json.encode(message))
                return await future
            except Refused as refused:
                if refused.code != "message/too-fast":
                    raise
            finally:
                self._asked.pop(message.id, None)
            await asyncio.sleep(_TOO_FAST)

    # -- what comes from the server

    def _hello(self) -> bytes:
        return msgspec.json.encode(Hello(VERSION, self.seq))

    async def _take(self, data: str | bytes) -> None:
        message = _read(data)
        match message:
            case Welcome():
                await self._welcomed(message)
            case Update(_, happening):
                self._happened(happening)
                self._looked(message)
            case Presence():
                self._table = message.table
                self._news.put_nowait(message)
            case Ack(asked, seq):
                self._answer(asked, seq)
            case protocol.Refused(None):
                self._news.put_nowait(message)
            case protocol.Refused(asked, code, sentence):
                self._answer(asked or "", Refused(code, sentence))
            case PlanIs(plan):
                self.plan = plan
            case Closing(code, sentence, None):
                raise Refused(code, sentence)
            case Closing(_, _, retry_after):
                await self._line.cut(retry_after or 0.0)
            case Pong():
                pass
        self._wake()

    async def _welcomed(self, message: Welcome) -> None:
        self.connections += 1
        for happening in message.missed:
            self._happened(happening, may_skip=True)  # of a very long log the oldest chat is left out
        self.seq = message.seq
        self._looked(message)
        for asked, _ in list(self._asked.values()):
            await self._line.send(msgspec.json.encode(asked))

    def _looked(self, message: Welcome | Update) -> None:
        self._table, self.position, self.plan = message.table, message.position, message.plan
        self.legal = tuple(map(action_from_wire, message.legal))
        self._news.put_nowait(message)

    def _happened(self, happening: Happening, may_skip: bool = False) -> None:
        if happening.seq <= self.seq or (not may_skip and happening.seq > self.seq + 1):
            raise ClientError(f"expected happening {self.seq + 1} of the table, got {happening.seq}")
        self.seq = happening.seq
        self.happenings.append(happening)

    def _answer(self, asked: str, answer: int | Refused) -> None:
        future = self._asked[asked][1] if asked in self._asked else None
        if future is None or future.done():
            return
        if isinstance(answer, Refused):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _wake(self) -> None:
        for waiting in list(self._waiting):
            condition, future = waiting
            if future.done() or condition(self):
                self._waiting.remove(waiting)
                if not future.done():
                    future.set_result(None)


_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


def _read(data: str | bytes) -> ServerMessage:
    try:
        return _DECODER.decode(data)
    except msgspec.DecodeError as error:
        raise ClientError(f"expected a message of this protocol's version {VERSION}: {error}") from None
