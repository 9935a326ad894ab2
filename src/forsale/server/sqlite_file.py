"""The file of the embedded store: found or made, locked, brought up to date, copied, and what can be wrong with it."""

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import resources
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from forsale.server.store import StoreError

T = TypeVar("T")
Job = Callable[[Connection], T]

_APPLICATION = 0x3473616C
"""Written into the file by the first migration, so that no other program's database is taken for ours."""
_BUSY_SECONDS = 5.0
"""How long to wait for another program, such as the `sqlite3` shell, that writes to the file."""

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


# --- Opening --------------------------------------------------------------------------------------------------------


def check_place(path: Path) -> None:
    # os.path answers no where Path raises, as for a folder that may not be entered.
    if os.path.isdir(path):
        raise StoreError(f"{path}: it is a folder; name a file in it")
    if not os.path.isdir(path.parent):
        raise StoreError(f"{path}: there is no folder {path.parent}; make it, or name a file elsewhere")


def create(path: Path) -> None:
    """Make a file that only its owner may read: it holds keys and who is who.

    One that exists is not opened here: closing it again would drop the locks that this process has on it.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise StoreError(f"{path}: it cannot be made ({error.strerror}); name a file elsewhere") from error


def lock(path: Path) -> Connection:
    """Keep every other server away from the file until this is closed, or the process ends in whatever way.

    SQLite's own lock on an empty database is used: it works on every system, and is not inherited by child processes.
    The file itself cannot be locked so, as the reader and `backup_file` need it.
    """
    lock = path.with_name(path.name + ".lock")
    create(lock)
    db = connect(lock, seconds=0)
    try:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        db.close()
        if code(error) == sqlite3.SQLITE_BUSY:
            message = f"{path}: another server is using it; stop that one, or name another file for this one"
            raise StoreError(message) from error
        raise sentence(lock, error) from error
    return db


def connect(path: Path, mode: str = "rw", seconds: float = _BUSY_SECONDS) -> Connection:
    uri = f"{path.as_uri()}?mode={mode}"
    try:
        return sqlite3.connect(uri, timeout=seconds, isolation_level=None, check_same_thread=False, uri=True)
    except sqlite3.Error as error:
        raise sentence(path, error) from error


def prepare(db: Connection, path: Path) -> None:
    """Nothing is changed before it is certain that the file is ours, and not newer than this program."""
    version = _schema_version(db, path)
    scripts = migrations()
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


def migrations() -> dict[int, str]:
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
                roll_back(db)


def roll_back(db: Connection) -> None:
    if db.in_transaction:
        with suppress(sqlite3.Error):  # what made it necessary is what should be told
            db.execute("ROLLBACK")


# --- Copying --------------------------------------------------------------------------------------------------------


def backup_file(source: Path | str, target: Path | str) -> None:
    """A complete copy of a store's file, as it is at one instant, also while a server is writing to it.

    The copy gets its name when it is complete. An existing file is never replaced.
    """
    source, target = Path(os.path.realpath(source)), Path(os.path.realpath(target))
    if not os.path.isfile(source):
        raise StoreError(f"{source}: there is no such file; name the one that the server uses")
    if os.path.lexists(target):
        raise StoreError(f"{target}: it exists already; name a new file for the backup")
    check_place(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    create(part)
    try:
        with closing(connect(source, "ro")) as db, closing(connect(part)) as copy:
            told(source, db, lambda db: _check_ours(db, source))
            told(part, copy, db.backup)
        part.rename(target)
    except OSError as error:
        raise StoreError(f"{target}: it cannot be written ({error.strerror}); name a file elsewhere") from error
    finally:
        part.unlink(missing_ok=True)


def _check_ours(db: Connection, path: Path) -> None:
    if _schema_version(db, path) == 0:
        raise StoreError(f"{path}: it is empty; name the file that the server uses")


# --- Errors ----------------------------------------------------------------------------------------------------------


def told(path: Path, db: Connection, job: Job[T]) -> T:
    """Do something with a database; what goes wrong is told in a sentence."""
    try:
        return job(db)
    except sqlite3.Error as error:
        raise sentence(path, error) from error


def code(error: sqlite3.Error) -> int:
    """SQLite's primary result code. Errors of Python's own module have none: 0."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def sentence(path: Path, error: sqlite3.Error) -> StoreError:
    return StoreError(f"{path}: {_SENTENCES.get(code(error), f'the database refused ({error})')}")
