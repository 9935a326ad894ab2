"""The embedded store: one SQLite file, held by one server at a time.

One thread writes. It takes all the requests that wait, carries them out in one transaction, and answers them once that
is safely on the disk: many tables share the cost of one commit. Another thread reads, and sees only what is committed.
"""

import asyncio
import json
import os
import queue
import secrets
import sqlite3
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any, NamedTuple, TypeVar

import msgspec

from forsale.server.log import Logged
from forsale.server.protocol import Stats
from forsale.server.sqlite_file import (
    Job,
    backup_file,
    check_place,
    connect,
    create,
    lock,
    prepare,
    roll_back,
    sentence,
    told,
)
from forsale.server.store import Conflict, Guest, Planned, StoreError, Summary, TableRow, Tidied, Unreadable

T = TypeVar("T")

_PRUNED_AT_ONCE = 50
"""Tables removed in one go: few, so that those who play meanwhile do not wait."""
_LINKS_AT_ONCE = 200
"""Links removed in one go."""
_GUESTS_AT_ONCE = 200
"""Guests looked at in one go, and at most removed."""

_DAY = 24 * 60 * 60 * 1000
_LATEST_WAKE = 15 * _DAY
"""Milliseconds ahead that a table may want to be woken: the longest clock is 14 days."""
_NEWCOMER = 7 * _DAY
"""Milliseconds that a guest who never did anything is kept."""

_LOGGED: msgspec.json.Decoder[list[Logged]] = msgspec.json.Decoder(list[Logged])
_PLANNED: msgspec.json.Decoder[Planned] = msgspec.json.Decoder(Planned)
_UNDECODABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


class SqliteStore:
    """`store.Store` on one file. All methods are called on the event loop that called `open`."""

    def __init__(self, path: Path | str) -> None:
        # Not `Path.resolve`, which raises on a circle of links. Two names of a file must have the same lock.
        self._path = Path(os.path.realpath(path))
        self._parts: _Parts | None = None

    @property
    def commits(self) -> int:
        """How many transactions were committed since it was opened."""
        return self._opened().writer.commits

    @property
    def writes(self) -> int:
        """How many requests were written by them."""
        return self._opened().writer.writes

    async def open(self) -> None:
        """Take the file, make it if there is none, and bring its schema up to date."""
        if self._parts is not None:
            raise StoreError(f"{self._path}: it is open already")
        self._parts = await asyncio.to_thread(_open, self._path, asyncio.get_running_loop())

    async def close(self) -> None:
        """Write what was asked for, and let go of the file."""
        parts, self._parts = self._parts, None
        if parts is not None:
            await asyncio.to_thread(parts.stack.close)

    async def append(self, table: str, logged: Logged, summary: Summary) -> None:
        await self._write(_append_job(table, logged, summary))

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        return await self._read(lambda db: _log(db, table, after, limit))

    async def due(self, now: int, limit: int) -> list[str]:
        return await self._read(lambda db: _due(db, now, limit))

    async def listed(self, limit: int) -> list[str]:
        sql = "SELECT id FROM tables WHERE listed = 1 AND status = 'waiting' ORDER BY created DESC, id LIMIT ?"
        return await self._read(lambda db: [row[0] for row in db.execute(sql, (limit,))])

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        sql = """
            SELECT id, status, updated FROM tables WHERE id IN (SELECT table_id FROM seats WHERE guest = ?)
            ORDER BY updated DESC, id LIMIT ?
        """
        return await self._read(lambda db: [TableRow(*row) for row in db.execute(sql, (guest, limit))])

    async def unfinished_of(self, host: str, since: int) -> int:
        sql = "SELECT COUNT(*) FROM tables WHERE host = ? AND status <> 'over' AND updated >= ?"
        return await self._read(lambda db: int(db.execute(sql, (host, since)).fetchone()[0]))

    async def stats_of(self, guest: str) -> Stats:
        sql = "SELECT COUNT(*), TOTAL(share), AVG(score), AVG(place) FROM results WHERE guest = ?"
        return await self._read(lambda db: Stats(*db.execute(sql, (guest,)).fetchone()))

    async def plans(self, table: str) -> dict[int, Planned]:
        return await self._read(lambda db: _plans(db, table))

    async def set_plan(self, table: str, seat: int, planned: Planned | None) -> None:
        await self._write(lambda db: _set_plan(db, table, seat, planned))

    async def guest(self, guest: str) -> Guest | None:
        return await self._read(lambda db: _guest(db, guest))

    async def save_guest(self, guest: Guest, now: int) -> None:
        sql = """
            INSERT INTO guests (id, name, created, updated) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated = excluded.updated
        """
        await self._write(lambda db: db.execute(sql, (guest.id, guest.name, now, now)).close())

    async def sign_out(self, guest: str) -> Guest | None:
        return await self._write(lambda db: _sign_out(db, guest))

    async def host_cookies_since(self) -> int:
        return await self._read(lambda db: int(db.execute("SELECT host_cookies_since FROM meta").fetchone()[0]))

    async def add_link(self, digest: bytes, guest: str, expires: int) -> None:
        await self._write(lambda db: _add_link(db, digest, guest, expires))

    async def take_link(self, digest: bytes, now: int) -> Guest | None:
        return await self._write(lambda db: _take_link(db, digest, now))

    async def key(self, name: str) -> bytes:
        return await self._write(lambda db: _key(db, name))

    async def is_writable(self) -> bool:
        """By writing something: a disk tells that it is full in no other way."""
        try:
            await self._write(lambda db: db.execute("UPDATE meta SET probes = probes + 1").close())
        except StoreError:
            return False
        return True

    async def backup(self, target: Path) -> None:
        await asyncio.to_thread(backup_file, self._path, target)

    async def prune(self, before: int) -> int:
        total = 0
        while removed := await self._write(lambda db: _prune(db, before)):
            total += removed
        return total

    async def prune_guests(self, before: int) -> int:
        return await self._prune_guests(before, newcomers=False)

    async def prune_links(self, now: int) -> int:
        total = 0
        while removed := await self._write(lambda db: _prune_links(db, now)):
            total += removed
        return total

    async def tidy(self, now: int) -> Tidied:
        return Tidied(await self._prune_guests(now - _NEWCOMER, newcomers=True), await self.prune_links(now))

    async def _prune_guests(self, before: int, newcomers: bool) -> int:
        """One page of guests after the other. The reader finds them; the writer only deletes."""
        total, last = 0, ""
        while True:
            page = await self._read(partial(_idle_guests, after=last, before=before, newcomers=newcomers))
            if page is None:
                return total
            last, idle = page
            if idle:
                total += await self._write(partial(_remove_guests, guests=idle, before=before))

    def _opened(self) -> "_Parts":
        if self._parts is None:
            raise StoreError(f"{self._path}: it is not open")
        return self._parts

    async def _write(self, job: Job[T]) -> T:
        return await self._opened().writer.ask(job)

    async def _read(self, job: Job[T]) -> T:
        parts = self._opened()
        return await asyncio.get_running_loop().run_in_executor(parts.reading, told, self._path, parts.reader, job)


# --- Opening ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parts:
    """What an open store holds; `stack` gives it all back, the lock last."""

    writer: "_Writer"
    reader: Connection
    reading: ThreadPoolExecutor
    stack: ExitStack


def _open(path: Path, loop: asyncio.AbstractEventLoop) -> _Parts:
    check_place(path)
    with ExitStack() as stack:
        stack.callback(lock(path).close)
        create(path)
        db = connect(path)
        stack.callback(db.close)
        told(path, db, lambda db: prepare(db, path))
        reader = connect(path)
        stack.callback(reader.close)
        told(path, reader, lambda db: db.execute("PRAGMA query_only = ON"))
        reading = ThreadPoolExecutor(1, "store-reader")
        stack.callback(reading.shutdown)
        writer = _Writer(path, db, loop)
        stack.callback(writer.stop)
        return _Parts(writer, reader, reading, stack.pop_all())


# --- Writing ---------------------------------------------------------------------------------------------------------


class _Request(NamedTuple):
    job: Job[Any]
    future: asyncio.Future[Any]


class _Answer(NamedTuple):
    future: asyncio.Future[Any]
    result: Any
    error: Exception | None

    def give(self) -> None:
        if self.future.done():  # nobody waits any more
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class _Writer:
    """The thread that writes, and its queue."""

    def __init__(self, path: Path, db: Connection, loop: asyncio.AbstractEventLoop) -> None:
        self.commits = 0
        self.writes = 0
        self._path = path
        self._db = db
        self._loop = loop
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._stopping = False
        # A daemon: a process that ends without `close` does not hang, and nobody was told of what is then lost.
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def ask(self, job: Job[T]) -> asyncio.Future[T]:
        """The result of a job once it is committed. The job is carried out even if nobody waits for it any more."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._queue.put(_Request(job, future))
        return future

    def stop(self) -> None:
        """Do what was asked for before, and end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while batch := self._waiting():
            answers = self._commit(batch)
            with suppress(RuntimeError):  # the loop is closed: nobody waits for any of them
                self._loop.call_soon_threadsafe(_give, answers)

    def _waiting(self) -> list[_Request]:
        """At least one request, and all others that are there; none at the end."""
        batch: list[_Request] = []
        while not self._stopping and not (batch and self._queue.empty()):
            request = self._queue.get()
            if request is None:
                self._stopping = True
            else:
                batch.append(request)
        return batch

    def _commit(self, batch: list[_Request]) -> list[_Answer]:
        try:
            answers = self._carry_out(batch)
            self._db.execute("COMMIT")
        except Exception as error:  # this thread outlives whatever happens to a batch
            roll_back(self._db)
            return [self._failure(request, error) for request in batch]
        self.commits += 1
        self.writes += len(batch)
        return answers

    def _carry_out(self, batch: list[_Request]) -> list[_Answer]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            return self._together(batch)
        except Exception:  # one of them cannot be done: find out which, and do the others
            roll_back(self._db)
            self._db.execute("BEGIN IMMEDIATE")
            return [self._alone(request) for request in batch]

    def _together(self, batch: list[_Request]) -> list[_Answer]:
        """All appends in few statements, however many they are.

        After each statement, and each row read, a thread waits for Python's lock, which a busy event loop rarely has
        to spare: with a statement for each append the writer would fall behind for seconds.
        """
        appends = [request.job for request in batch if isinstance(request.job, _Append)]
        for wave in _waves(appends):
            _append(self._db, wave)
        return [
            _Answer(request.future, None if isinstance(request.job, _Append) else request.job(self._db), None)
            for request in batch
        ]

    def _alone(self, request: _Request) -> _Answer:
        """If it fails, those before and after it stand."""
        self._db.execute("SAVEPOINT request")
        try:
            answer = _Answer(request.future, request.job(self._db), None)
        except Exception as error:
            if not self._db.in_transaction:  # SQLite gave up the whole of it
                raise
            self._db.execute("ROLLBACK TO request")
            answer = self._failure(request, error)
        self._db.execute("RELEASE request")
        return answer

    def _failure(self, request: _Request, error: Exception) -> _Answer:
        explained = sentence(self._path, error) if isinstance(error, sqlite3.Error) else error
        return _Answer(request.future, None, explained)


def _give(answers: list[_Answer]) -> None:
    for answer in answers:
        answer.give()


@dataclass(frozen=True, slots=True)
class _Append:
    """The job of `append`."""

    table: str
    row: bytes
    """Everything but the results, as JSON: see `_ROWS`."""
    summary: Summary

    def __call__(self, db: Connection) -> None:
        _append(db, [self])


def _append_job(table: str, logged: Logged, summary: Summary) -> _Append:
    body, guests = msgspec.json.encode(logged.entry), msgspec.json.encode(summary.guests)
    entry = (table, logged.seq, logged.at, body.decode(), summary.status, summary.listed, summary.host)
    return _Append(table, msgspec.json.encode((*entry, guests.decode(), summary.wake_at)), summary)


_COLUMNS = ("table_id", "seq", "at", "body", "status", "listed", "host", "guests", "wake_at")
_ROWS = f"""(
    SELECT {", ".join(f"json_extract(value, '$[{i}]') AS {name}" for i, name in enumerate(_COLUMNS))}
    FROM json_each(?)
)"""
# An entry that is not the next one of its table touches no row.
_PLACE = f"""
    INSERT INTO tables (id, last, created, updated, status, listed, host, guests, wake_at)
    SELECT table_id, seq, at, at, status, listed, host, guests, wake_at FROM {_ROWS} AS new
    WHERE seq = 1 OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND last = seq - 1)
    ON CONFLICT (id) DO UPDATE SET
        last = excluded.last, updated = excluded.updated, status = excluded.status, listed = excluded.listed,
        host = excluded.host, guests = excluded.guests, wake_at = excluded.wake_at
    WHERE last = excluded.last - 1
"""
_LOG = f"INSERT INTO log (table_id, seq, at, body) SELECT table_id, seq, at, body FROM {_ROWS}"


def _append(db: Connection, appends: list[_Append]) -> None:
    """Add one entry to each of some tables."""
    rows = "[" + b",".join(append.row for append in appends).decode() + "]"
    if db.execute(_PLACE, (rows,)).rowcount != len(appends):
        tables = ", ".join(append.table for append in appends)
        raise Conflict(f"table {tables}: that place in the log is taken, or the one before it is empty")
    db.execute(_LOG, (rows,))
    for append in appends:
        if append.summary.results:
            _add_results(db, append.table, append.summary)


def _waves(appends: list[_Append]) -> list[list[_Append]]:
    """In each of them no table twice: its next entry follows in the next wave."""
    waves: list[list[_Append]] = []
    depth: Counter[str] = Counter()
    for append in appends:
        if depth[append.table] == len(waves):
            waves.append([])
        waves[depth[append.table]].append(append)
        depth[append.table] += 1
    return waves


def _add_results(db: Connection, table: str, summary: Summary) -> None:
    """Once: people may go on talking after the game."""
    rows = [(table, r.seat, summary.guests[r.seat], r.place, r.score, r.share) for r in summary.results]
    db.executemany(
        "INSERT INTO results (table_id, seat, guest, place, score, share) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (table_id, seat) DO NOTHING",
        rows,
    )


def _set_plan(db: Connection, table: str, seat: int, planned: Planned | None) -> None:
    if planned is None:
        db.execute("DELETE FROM plans WHERE table_id = ? AND seat = ?", (table, seat))
    else:
        body = msgspec.json.encode(planned).decode()
        db.execute("INSERT OR REPLACE INTO plans (table_id, seat, body) VALUES (?, ?, ?)", (table, seat, body))


def _add_link(db: Connection, digest: bytes, guest: str, expires: int) -> None:
    try:
        db.execute("INSERT INTO links (digest, guest, expires) VALUES (?, ?, ?)", (digest, guest, expires))
    except sqlite3.IntegrityError:
        raise Conflict("that link is there already") from None


def _take_link(db: Connection, digest: bytes, now: int) -> Guest | None:
    """Reads the guest in the same transaction: a later sign-out then also ends the session made from this link."""
    _prune_links(db, now)
    sql = "SELECT guest FROM links WHERE digest = ? AND expires > ?"
    row: tuple[str] | None = db.execute(sql, (digest, now)).fetchone()
    db.execute("DELETE FROM links WHERE digest = ?", (digest,))
    return None if row is None else _guest(db, row[0])


def _sign_out(db: Connection, guest: str) -> Guest | None:
    db.execute("DELETE FROM links WHERE guest = ?", (guest,))
    db.execute("UPDATE guests SET sign_outs = sign_outs + 1 WHERE id = ?", (guest,))
    return _guest(db, guest)


def _key(db: Connection, name: str) -> bytes:
    sql = "INSERT INTO keys (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
    db.execute(sql, (name, secrets.token_bytes(32)))
    return bytes(db.execute("SELECT value FROM keys WHERE name = ?", (name,)).fetchone()[0])


def _prune(db: Connection, before: int) -> int:
    """Some of the tables that nobody will miss; all that belongs to them goes with them."""
    unfinished = "SELECT id FROM tables WHERE status <> 'over' AND updated < ? LIMIT ?"
    return db.execute(f"DELETE FROM tables WHERE id IN ({unfinished})", (before, _PRUNED_AT_ONCE)).rowcount


def _prune_links(db: Connection, now: int) -> int:
    """Some of those that have expired."""
    expired = "SELECT digest FROM links WHERE expires <= ? LIMIT ?"
    return db.execute(f"DELETE FROM links WHERE digest IN ({expired})", (now, _LINKS_AT_ONCE)).rowcount


_NEVER_PLAYED = """
    NOT EXISTS (SELECT 1 FROM seats WHERE guest = guests.id)
    AND NOT EXISTS (SELECT 1 FROM results WHERE guest = guests.id)
    AND NOT EXISTS (SELECT 1 FROM tables WHERE host = guests.id AND status <> 'over')
    AND NOT EXISTS (SELECT 1 FROM tables WHERE host = guests.id AND status = 'over')
"""
"""Of a row of `guests`. Each of the four is looked up in an index."""


def _remove_guests(db: Connection, guests: list[str], before: int) -> int:
    """Those of them who have not sat down or changed their name since they were found."""
    sql = f"""
        DELETE FROM guests
        WHERE id IN (SELECT value FROM json_each(?)) AND updated < ? AND {_NEVER_PLAYED}
    """
    return db.execute(sql, (json.dumps(guests), before)).rowcount


# --- Reading ---------------------------------------------------------------------------------------------------------


def _log(db: Connection, table: str, after: int, limit: int | None) -> list[Logged]:
    """In one row, for the same reason as in `_Writer._together`.

    As bytes: text that is not valid UTF-8 would raise an error that does not tell a damaged entry from a damaged file.
    """
    sql = """
        SELECT CAST(group_concat('{"seq":' || seq || ',"at":' || at || ',"entry":' || body || '}') AS BLOB)
        FROM (SELECT seq, at, body FROM log WHERE table_id = ? AND seq > ? ORDER BY seq LIMIT ?)
    """
    (rows,) = db.execute(sql, (table, after, -1 if limit is None else limit)).fetchone()
    if rows is None:
        return []
    try:
        return sorted(_LOGGED.decode(b"[" + rows + b"]"), key=lambda logged: logged.seq)
    except _UNDECODABLE as error:
        raise Unreadable(table, f"its log holds an entry that this forsale cannot read ({error})") from error


def _due(db: Connection, now: int, limit: int) -> list[str]:
    """Two queries, each along the index: with OR between them, all the tables that match would be sorted first."""
    overdue = "SELECT id FROM tables WHERE wake_at <= ? ORDER BY wake_at, id LIMIT ?"
    too_late = "SELECT id FROM tables WHERE wake_at > ? ORDER BY wake_at, id LIMIT ?"
    found = [row[0] for row in db.execute(overdue, (now, limit))]
    return found + [row[0] for row in db.execute(too_late, (now + _LATEST_WAKE, limit - len(found)))]


def _plans(db: Connection, table: str) -> dict[int, Planned]:
    sql = "SELECT seat, CAST(body AS BLOB) FROM plans WHERE table_id = ?"
    try:
        return {seat: _PLANNED.decode(body) for seat, body in db.execute(sql, (table,))}
    except _UNDECODABLE as error:
        raise Unreadable(table, f"it holds a plan that this forsale cannot read ({error})") from error


def _guest(db: Connection, guest: str) -> Guest | None:
    row = db.execute("SELECT id, name, sign_outs FROM guests WHERE id = ?", (guest,)).fetchone()
    return None if row is None else Guest(*row)


class _GuestPage(NamedTuple):
    """Some guests in the order of their ids."""

    last: str
    """The next page begins after this one."""
    idle: list[str]
    """Those who can be removed."""


def _idle_guests(db: Connection, after: str, before: int, newcomers: bool) -> _GuestPage | None:
    """The next page, None if there are no more guests. In one row, as in `_log`."""
    idle = f"updated < ? AND {'created = updated AND' if newcomers else ''} {_NEVER_PLAYED}"
    sql = f"""
        SELECT max(id), json_group_array(id) FILTER (WHERE {idle})
        FROM (SELECT * FROM guests WHERE id > ? ORDER BY id LIMIT ?) AS guests
    """
    last, found = db.execute(sql, (before, after, _GUESTS_AT_ONCE)).fetchone()
    return None if last is None else _GuestPage(last, json.loads(found))
