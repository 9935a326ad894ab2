"""What tests of the embedded store share."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeVar

from forsale.server.log import Logged, Said
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Result, Status, Store, Summary

T = TypeVar("T")


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def with_store(path: Path, work: Callable[[SqliteStore], Coroutine[Any, Any, T]]) -> T:
    """Open a store, do something with it, and close it."""

    async def main() -> T:
        async with opened(path) as store:
            return await work(store)

    return asyncio.run(main())


def said(seq: int, text: str = "hello") -> Logged:
    return Logged(seq, 1000 + seq, Said("ana", "Ana", text))


def summary(
    status: Status = "waiting",
    listed: bool = True,
    host: str = "ana",
    guests: tuple[str | None, ...] = ("ana", None, None),
    wake_at: int | None = None,
    results: tuple[Result, ...] = (),
) -> Summary:
    return Summary(status, listed, host, guests, wake_at, results)


async def add(store: Store, table: str, at: int, about: Summary) -> None:
    """The first entry of a table."""
    await store.append(table, Logged(1, at, Said("ana", "Ana", "first")), about)


async def add_many(store: Store, table: str, entries: int) -> None:
    for seq in range(1, entries + 1):
        await store.append(table, said(seq), summary())


async def append_all(store: Store, table: str, entries: list[Logged]) -> None:
    """Without waiting for one before the next is asked for."""
    await asyncio.gather(*(store.append(table, logged, summary()) for logged in entries))


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


class Gate:
    """Holds up the writer, so that a test decides what is waiting when it goes on."""

    def __init__(self) -> None:
        self._reached, self._go = threading.Event(), threading.Event()

    def open(self) -> None:
        self._go.set()

    async def hold(self, store: SqliteStore, job: Callable[[sqlite3.Connection], object] = id) -> asyncio.Task[None]:
        """Stop the writer in the middle of a transaction that began with this job."""

        def held(db: sqlite3.Connection) -> None:
            job(db)
            self._reached.set()
            self._go.wait()

        task = asyncio.create_task(store._write(held))
        await asyncio.to_thread(self._reached.wait)
        return task


async def begun(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that has come to its first wait: what it asks for is in the queue."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0)
    return task
