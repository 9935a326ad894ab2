"""The embedded store: one SQLite file, held by one server at a time.

One thread writes. It takes all the requests that wait, carries them out in one transaction, and answers them once that
is safely on the disk: many tables share the cost of one commit. Another thread reads, and sees only what is committed.
"""

import asyncio
import os
import queue
import secrets
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from sqlite3 import Connection
from typing import Any, NamedTuple, TypeVar

import msgspec

from forsale.server.log import Logged
from forsale.server.store import Conflict, Guest, Planned, Record, StoreError, Summary, TableRow

T = TypeVar("T")
Job = Callable[[Connection], T]

_APPLICATION = 0x3473616C
"""Written into the file by the first migration, so that no other program's database is taken for ours."""
_BUSY_SECONDS = 5.0
"""How long to wait for another program, such as the `sqlite3` shell, that writes to the file."""
_PRUNED_AT_ONCE = 50
"""Tables removed in one go: few, so that those who play meanwhile do not wait."""

_LOGGED: msgspec.json.Decoder[list[Logged]] = msgspec.json.Decoder(list[Logged])
_PLANNED: msgspec.json.Decoder[Planned] = msgspec.json.Decoder(Planned)

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "another program keeps it locked; end that program and try again",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check who may read and write it and its folder",
    sqlite3.SQLITE_CORRUPT: "it is damaged; put a backup in its place",
    sqlite3.SQLITE_FULL: "the disk is full; make room and try again",
    sqlite3.SQLITE_IOERR: "its disk cannot be read or written; check that it is there, is sound and has room",
    sqlite3.SQLITE_NOTADB: "it is not a database, or is damaged; put a backup in its place or name another file",
    sqlite3.SQLITE_PERM: "it may not be opened; check who may read and write it and its folder",
    sqlite3.SQLITE_READONLY: "it may not be written; check who may write it and its folder",
}


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

    async def read(self, table: str) -> list[Logged]:
        return await self._read(lambda db: _log(db, table))

    async def due(self, now: int, limit: int) -> list[str]:
        sql = "SELECT id FROM tables WHERE wake_at <= ? ORDER BY wake_at, id LIMIT ?"
        return await self._read(lambda db: [row[0] for row in db.execute(sql, (now, limit))])

    async def listed(self, limit: int) -> list[str]:
        sql = "SELECT id FROM tables WHERE listed = 1 AND status = 'waiting' ORDER BY created DESC, id LIMIT ?"
        return await self._read(lambda db: [row[0] for row in db.execute(sql, (limit,))])

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        sql = """
            SELECT id, status, updated FROM tables WHERE id IN (SELECT table_id FROM seats WHERE guest = ?)
            ORDER BY updated DESC, id LIMIT ?
        """
        return await self._read(lambda db: [TableRow(*row) for row in db.execute(sql, (guest, limit))])

    async def unfinished_of(self, host: str) -> int:
        sql = "SELECT COUNT(*) FROM tables WHERE host = ? AND status <> 'over'"
        return await self._read(lambda db: int(db.execute(sql, (host,)).fetchone()[0]))

    async def record_of(self, guest: str) -> Record:
        sql = "SELECT COUNT(*), TOTAL(share), AVG(score), AVG(place) FROM results WHERE guest = ?"
        return await self._read(lambda db: Record(*db.execute(sql, (guest,)).fetchone()))

    async def plans(self, table: str) -> dict[int, Planned]:
        sql = "SELECT seat, body FROM plans WHERE table_id = ?"
        return await self._read(lambda db: {seat: _PLANNED.decode(body) for seat, body in db.execute(sql, (table,))})

    async def set_plan(self, table: str, seat: int, planned: Planned | None) -> None:
        await self._write(lambda db: _set_plan(db, table, seat, planned))

    async def guest(self, guest: str) -> Guest | None:
        sql = "SELECT id, name FROM guests WHERE id = ?"
        row = await self._read(lambda db: db.execute(sql, (guest,)).fetchone())
        return None if row is None else Guest(*row)

    async def save_guest(self, guest: Guest, now: int) -> None:
        sql = """
            INSERT INTO guests (id, name, created, updated) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated = excluded.updated
        """
        await self._write(lambda db: db.execute(sql, (guest.id, guest.name, now, now)).close())

    async def add_link(self, digest: bytes, guest: str, expires: int) -> None:
        await self._write(lambda db: _add_link(db, digest, guest, expires))

    async def take_link(self, digest: bytes, now: int) -> str | None:
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

    def _opened(self) -> "_Parts":
        if self._parts is None:
            raise StoreError(f"{self._path}: it is not open")
        return self._parts

    async def _write(self, job: Job[T]) -> T:
        return await self._opened().writer.ask(job)

    async def _read(self, job: Job[T]) -> T:
        parts = self._opened()
        return await asyncio.get_running_loop().run_in_executor(parts.reading, _told, self._path, parts.reader, job)


# --- Opening ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parts:
    """What an open store holds; `stack` gives it all back, the lock last."""

    writer: "_Writer"
    reader: Connection
    reading: ThreadPoolExecutor
    stack: ExitStack


def _open(path: Path, loop: asyncio.AbstractEventLoop) -> _Parts:
    _check_place(path)
    with ExitStack() as stack:
        stack.callback(_lock(path).close)
        _create(path)
        db = _connect(path)
        stack.callback(db.close)
        _told(path, db, lambda db: _prepare(db, path))
        reader = _connect(path)
        stack.callback(reader.close)
        _told(path, reader, lambda db: db.execute("PRAGMA query_only = ON"))
        reading = ThreadPoolExecutor(1, "store-reader")
        stack.callback(reading.shutdown)
        writer = _Writer(path, db, loop)
        stack.callback(writer.stop)
        return _Parts(writer, reader, reading, stack.pop_all())


def _check_place(path: Path) -> None:
    # os.path answers no where Path raises, as for a folder that may not be entered.
    if os.path.isdir(path):
        raise StoreError(f"{path}: it is a folder; name a file in it")
    if not os.path.isdir(path.parent):
        raise StoreError(f"{path}: there is no folder {path.parent}; make it, or name a file elsewhere")


def _create(path: Path) -> None:
    """Make a file that only its owner may read: it holds keys and who is who.

    One that exists is not opened here: closing it again would drop the locks that this process has on it.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise StoreError(f"{path}: it cannot be made ({error.strerror}); name a file elsewhere") from error


def _lock(path: Path) -> Connection:
    """Keep every other server away from the file until this is closed, or the process ends in whatever way.

    SQLite's own lock on an empty database is used: it works on every system, and is not inherited by child processes.
    The file itself cannot be locked so, as the reader and `backup_file` need it.
    """
    lock = path.with_name(path.name + ".lock")
    _create(lock)
    db = _connect(lock, seconds=0)
    try:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        db.close()
        if _code(error) == sqlite3.SQLITE_BUSY:
            message = f"{path}: another server is using it; stop that one, or name another file for this one"
            raise StoreError(message) from error
        raise _sentence(lock, error) from error
    return db


def _connect(path: Path, mode: str = "rw", seconds: float = _BUSY_SECONDS) -> Connection:
    uri = f"{path.as_uri()}?mode={mode}"
    try:
        return sqlite3.connect(uri, timeout=seconds, isolation_level=None, check_same_thread=False, uri=True)
    except sqlite3.Error as error:
        raise _sentence(path, error) from error


def _prepare(db: Connection, path: Path) -> None:
    """Nothing is changed before it is certain that the file is ours, and not newer than this program."""
    version = _schema_version(db, path)
    scripts = _migrations()
    if version > max(scripts):
        message = f"{path}: a newer forsale has written it (schema {version}, this one knows {max(scripts)})"
        raise StoreError(f"{message}; install that one")
    if db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
        raise StoreError(f"{path}: its disk has no shared memory, which a database needs; name a file on a local disk")
    db.execute("PRAGMA synchronous = FULL")
    _migrate(db, version, scripts)
    db.execute("PRAGMA foreign_keys = ON")  # only now: a migration may have to rebuild a table


def _schema_version(db: Connection, path: Path) -> int:
    """0 for a file without anything in it."""
    if db.execute("PRAGMA application_id").fetchone() == (_APPLICATION,):
        return int(db.execute("SELECT schema_version FROM meta").fetchone()[0])
    if db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() != (0,):
        raise StoreError(f"{path}: it is the database of another program; name another file")
    return 0


def _migrations() -> dict[int, str]:
    folder = resources.files("forsale.server") / "migrations"
    scripts = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    return {int(name.removesuffix(".sql")): scripts[name] for name in sorted(scripts)}


def _migrate(db: Connection, version: int, scripts: dict[int, str]) -> None:
    """One transaction for each step: whenever it is interrupted, the file is of one schema or the next."""
    for number, script in scripts.items():
        if number > version:
            try:
                db.executescript(
                    f"BEGIN IMMEDIATE;\n{script}\nUPDATE meta SET schema_version = {number};\nCOMMIT;",
                )
            finally:
                _roll_back(db)


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
            _roll_back(self._db)
            return [self._failure(request, error) for request in batch]
        self.commits += 1
        self.writes += len(batch)
        return answers

    def _carry_out(self, batch: list[_Request]) -> list[_Answer]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            return self._together(batch)
        except Exception:  # one of them cannot be done: find out which, and do the others
            _roll_back(self._db)
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
        explained = _sentence(self._path, error) if isinstance(error, sqlite3.Error) else error
        return _Answer(request.future, None, explained)


def _give(answers: list[_Answer]) -> None:
    for answer in answers:
        answer.give()


def _roll_back(db: Connection) -> None:
    if db.in_transaction:
        with suppress(sqlite3.Error):  # what made it necessary is what should be told
            db.execute("ROLLBACK")


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


def _take_link(db: Connection, digest: bytes, now: int) -> str | None:
    db.execute("DELETE FROM links WHERE expires <= ?", (now,))
    row: tuple[str] | None = db.execute("SELECT guest FROM links WHERE digest = ?", (digest,)).fetchone()
    db.execute("DELETE FROM links WHERE digest = ?", (digest,))
    return None if row is None else row[0]


def _key(db: Connection, name: str) -> bytes:
    sql = "INSERT INTO keys (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
    db.execute(sql, (name, secrets.token_bytes(32)))
    return bytes(db.execute("SELECT value FROM keys WHERE name = ?", (name,)).fetchone()[0])


def _prune(db: Connection, before: int) -> int:
    """Some of the tables that nobody will miss; all that belongs to them goes with them."""
    db.execute("DELETE FROM links WHERE expires <= ?", (before,))
    unfinished = "SELECT id FROM tables WHERE status <> 'over' AND updated < ? LIMIT ?"
    return db.execute(f"DELETE FROM tables WHERE id IN ({unfinished})", (before, _PRUNED_AT_ONCE)).rowcount


# --- Reading ---------------------------------------------------------------------------------------------------------


def _log(db: Connection, table: str) -> list[Logged]:
    """In one row, for the same reason as in `_Writer._together`."""
    sql = """
        SELECT '[' || group_concat('{"seq":' || seq || ',"at":' || at || ',"entry":' || body || '}') || ']'
        FROM log WHERE table_id = ?
    """
    (text,) = db.execute(sql, (table,)).fetchone()
    if text is None:
        return []
    try:
        return sorted(_LOGGED.decode(text), key=lambda logged: logged.seq)
    except msgspec.MsgspecError as error:
        raise StoreError(f"table {table}: its log holds an entry that this forsale cannot read ({error})") from error


def backup_file(source: Path | str, target: Path | str) -> None:
    """A complete copy of a store's file, as it is at one instant, also while a server is writing to it.

    The copy gets its name when it is complete. An existing file is never replaced.
    """
    source, target = Path(os.path.realpath(source)), Path(os.path.realpath(target))
    if not os.path.isfile(source):
        raise StoreError(f"{source}: there is no such file; name the one that the server uses")
    if os.path.lexists(target):
        raise StoreError(f"{target}: it exists already; name a new file for the backup")
    _check_place(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    _create(part)
    try:
        with closing(_connect(source, "ro")) as db, closing(_connect(part)) as copy:
            _told(source, db, lambda db: _check_ours(db, source))
            _told(part, copy, db.backup)
        part.rename(target)
    except OSError as error:
        raise StoreError(f"{target}: it cannot be written ({error.strerror}); name a file elsewhere") from error
    finally:
        part.unlink(missing_ok=True)


def _check_ours(db: Connection, path: Path) -> None:
    if _schema_version(db, path) == 0:
        raise StoreError(f"{path}: it is empty; name the file that the server uses")


# --- Errors ----------------------------------------------------------------------------------------------------------


def _told(path: Path, db: Connection, job: Job[T]) -> T:
    """Do something with a database; what goes wrong is told in a sentence."""
    try:
        return job(db)
    except sqlite3.Error as error:
        raise _sentence(path, error) from error


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code. Errors of Python's own module have none: 0."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _sentence(path: Path, error: sqlite3.Error) -> StoreError:
    return StoreError(f"{path}: {_SENTENCES.get(_code(error), f'the database refused ({error})')}")
