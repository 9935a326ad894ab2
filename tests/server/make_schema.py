"""Make `schemas/NNNN.sql` anew: a database of the newest schema, with something in every table, as text.

    .venv/bin/python -m tests.server.make_schema

Every schema that was ever published keeps its file, so that a test can open each of them.
"""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from forsale.server.log import Acted, Joined, Logged, Opened, Started
from forsale.server.options import Options
from forsale.server.protocol import RaiseTo
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest, Planned, Result, Store, Summary
from forsale.server.wire import Bid

SCHEMAS = Path(__file__).parent / "schemas"
WAITING = Summary("waiting", True, "ana", (None, None, None), None)
PLAYING = Summary("playing", False, "ana", ("ana", "bo", None), 5000)
OVER = Summary("over", False, "bo", ("ana", None, "bo"), None, (Result(0, 1, 31, 0.5), Result(2, 1, 31, 0.5)))


async def fill(store: Store) -> None:
    """Something of everything, the same each time."""
    await store.save_guest(Guest("ana", "Ana"), 1)
    await store.save_guest(Guest("bo", "Bo “B” O’Neill"), 2)
    opened = Opened(Options(seats=3), "ana", "00" * 32)
    await store.append("open", Logged(1, 1000, opened), WAITING)
    await store.append("live", Logged(1, 1001, opened), PLAYING)
    await store.append("live", Logged(2, 1002, Joined(1, "bo", "Bo", "ü")), PLAYING)
    await store.append("done", Logged(1, 900, opened), PLAYING)
    await store.append("done", Logged(2, 901, Started((None, "broker", None))), PLAYING)
    await store.append("done", Logged(3, 902, Acted(0, Bid(1), "stand-in")), OVER)
    await store.set_plan("live", 1, Planned(2, RaiseTo(4)))
    await store.add_link(b"\x00\xff", "ana", 7000)
    with patch("secrets.token_bytes", bytes):
        await store.key("cookies")


async def contents(store: Store) -> list[object]:
    """What `fill` has put there."""
    return [
        [await store.guest(guest) for guest in ("ana", "bo", "cy")],
        [await store.read(table) for table in ("open", "live", "done")],
        [await store.due(5000, 9), await store.listed(9), await store.unfinished_of("ana", 0)],
        [(await store.tables_of(guest, 9), await store.stats_of(guest)) for guest in ("ana", "bo")],
        [await store.plans(table) for table in ("live", "done")],
        await store.key("cookies"),
    ]


def dump(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        return "\n".join([f"PRAGMA application_id = {application};", *db.iterdump(), ""])


async def _filled(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await fill(store)
    await store.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite3"
        asyncio.run(_filled(path))
        with closing(sqlite3.connect(path)) as db:
            (version,) = db.execute("SELECT schema_version FROM meta").fetchone()
        (SCHEMAS / f"{version:04}.sql").write_text(dump(path), "utf-8")


if __name__ == "__main__":
    main()
