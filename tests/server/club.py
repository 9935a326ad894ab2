"""A host of tables for tests: a real store, and time that moves only when a test says so."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import msgspec

from forsale import bots
from forsale.game import Action
from forsale.server.bus import LocalBus
from forsale.server.live import LiveTable
from forsale.server.options import Options
from forsale.server.protocol import (
    VERSION,
    Ack,
    ClientMessage,
    Hello,
    Refused,
    ServerMessage,
)
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest
from forsale.server.tables import Connection, Tables
from forsale.server.thinkers import Asker, Thinkers, Thought
from forsale.view import View

T = TypeVar("T")
decode = msgspec.json.Decoder(ServerMessage).decode
ANA, BO, CY, EVE = (Guest(name.lower() * 3, name) for name in ("Ana", "Bo", "Cy", "Eve"))


class HereThinkers(Thinkers):
    """Bots that think in this process, at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, View]] = []

    async def choose(self, bot: str, view: View, legal: Sequence[Action], seed: str, asker: Asker) -> Thought:  # noqa: ARG002
        self.asked.append((bot, view))
        return Thought(bots.make(bot).choose(view, legal, Random(seed)), None)


class Inbox:
    """What a client was sent."""

    def __init__(self) -> None:
        self.messages: list[ServerMessage] = []
        self.closed: int | None = None

    def put(self, data: bytes) -> None:
        self.messages.append(decode(data))

    def close(self, number: int) -> None:
        self.closed = number

    def of(self, kind: type[T]) -> list[T]:
        return [message for message in self.messages if isinstance(message, kind)]


class Club:
    """A host with a store in a file, and a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "club.sqlite3"
        self.time = 1_000_000
        self.store = SqliteStore(self.path)
        self.thinkers = HereThinkers()
        self.bus = LocalBus()
        self.tables = Tables(self.store, self.bus, self.thinkers, now=lambda: self.time)

    async def sit(self, table: str, guest: Guest | None, last: int = 0) -> tuple[Connection, Inbox]:
        inbox = Inbox()
        return await self.tables.connect(table, guest, Hello(VERSION, last), inbox), inbox

    async def live(self, table: str) -> LiveTable:
        return await self.tables._find(table)

    async def settle(self) -> None:
        """Until nothing is going on by itself any more."""
        while self.tables._tasks:
            await asyncio.wait(self.tables._tasks)

    async def wait(self, table: str, milliseconds: int) -> None:
        """As time passes, what is due at a table happens."""
        self.time += milliseconds
        (await self.live(table)).follow_up()
        await self.settle()

    async def forget(self) -> None:
        """Take tables that nobody needs out of memory: the second sweep finds that they were not used since."""
        await self.tables._sweep()
        await self.tables._sweep()

    async def started(self, *guests: Guest, options: Options | None = None) -> str:
        table = await self.tables.open(guests[0], options or Options(seats=3))
        for guest in guests[1:]:
            await self.tables.join(table, guest, "")
        await self.tables.start_game(table, guests[0])
        await self.settle()
        return table


def run(tmp_path: Path, test: Callable[[Club], Awaitable[None]]) -> None:
    async def whole() -> None:
        club = Club(tmp_path)
        await club.store.open()
        try:
            await test(club)
        finally:
            await club.tables.stop()
            await club.store.close()

    asyncio.run(whole())


async def to_act(club: Club, table: str) -> int:
    state = (await club.live(table)).table.state
    assert state is not None
    return min(state.to_act)


async def say_of(connection: Connection, inbox: Inbox, message: ClientMessage) -> Ack | Refused:
    """The answer to a message."""
    before = len(inbox.messages)
    await connection.receive(message)
    answers = [reply for reply in inbox.messages[before:] if isinstance(reply, Ack | Refused)]
    assert len(answers) == 1
    return answers[0]


NONSENSE = '{"kind":"made-up"}'
IMPOSSIBLE = '{"kind":"acted","seat":0,"action":{"kind":"bid","amount":9999},"by":"person","id":null}'


def damage(club: Club, table: str, body: str) -> None:
    with sqlite3.connect(club.path) as db:
        last = "SELECT last FROM tables WHERE id = log.table_id"
        db.execute(f"UPDATE log SET body = ? WHERE table_id = ? AND seq = ({last})", (body, table))
    db.close()
