"""The embedded store: what it acknowledges is there, whatever happens, and what goes wrong is told in a sentence."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forsale.server import log, sqlite_file, sqlite_store
from forsale.server.log import Acted, Entry, Joined, Logged, Opened, Reacted, RematchOpened, Said, Started
from forsale.server.options import Days, NoClock, Options, Seconds
from forsale.server.protocol import PassOn, RaiseTo, Stats
from forsale.server.sqlite_file import backup_file
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Conflict, Guest, Planned, Result, Status, Store, StoreError, Summary, TableRow
from forsale.server.wire import Bid, Pass, Sell
from tests.server.make_schema import SCHEMAS, contents, dump, fill

T = TypeVar("T")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


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


# --- The log ---------------------------------------------------------------------------------------------------------

TEXTS = st.text(max_size=20)
SEATS = st.integers(0, 5)
NUMBERS = st.integers(0, 9999)
MAYBE = st.none() | TEXTS
OPTIONS = st.builds(
    Options,
    edition=TEXTS,
    variant=MAYBE,
    seats=st.integers(3, 6),
    listed=st.booleans(),
    clock=st.builds(NoClock)
    | st.builds(Seconds, st.integers(5, 600), st.integers(0, 3600))
    | st.builds(Days, st.integers(1, 14)),
    tracker=st.booleans(),
    bot=TEXTS,
    chat=st.booleans(),
)
ACTIONS = st.builds(Bid, NUMBERS) | st.builds(Pass) | st.builds(Sell, NUMBERS)
ENTRIES: dict[type[Any], st.SearchStrategy[Any]] = {
    Opened: st.builds(Opened, OPTIONS, TEXTS, TEXTS),
    Joined: st.builds(Joined, SEATS, TEXTS, TEXTS, TEXTS),
    log.Left: st.builds(log.Left, SEATS),
    log.ChatSwitched: st.builds(log.ChatSwitched, st.booleans()),
    Started: st.builds(Started, st.lists(MAYBE, max_size=6).map(tuple)),
    Acted: st.builds(Acted, SEATS, ACTIONS, st.sampled_from(get_args(log.By)), MAYBE),
    Said: st.builds(Said, TEXTS, TEXTS, TEXTS),
    Reacted: st.builds(Reacted, TEXTS, TEXTS, TEXTS),
    RematchOpened: st.builds(RematchOpened, TEXTS),
}


def test_what_is_read_is_what_was_appended(path: Path) -> None:
    assert set(ENTRIES) == set(get_args(Entry))
    ids = count()
    with asyncio.Runner() as runner:
        store = SqliteStore(path)
        runner.run(store.open())

        @given(st.tuples(*ENTRIES.values()), st.integers(0, 2**53))
        def holds(entries: tuple[Entry, ...], at: int) -> None:
            table = f"table {next(ids)} \"'\\é"
            written = [Logged(seq, at + seq, entry) for seq, entry in enumerate(entries, 1)]
            runner.run(append_all(store, table, written))
            assert runner.run(store.read(table)) == written

        holds()
        runner.run(store.close())


def test_an_unknown_table_has_no_log(path: Path) -> None:
    assert with_store(path, lambda store: store.read("nobody")) == []


@pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4])
def test_only_the_next_place_is_free(path: Path, seq: int) -> None:
    async def work(store: Store) -> list[Logged]:
        await add_many(store, "t", 2)
        with pytest.raises(Conflict, match="^table t: that place in the log is taken"):
            await store.append("t", said(seq, "wrong"), summary("over", results=(Result(0, 1, 9, 1.0),)))
        assert (await store.stats_of("ana")).games == 0
        await store.append("t", said(3), summary())
        return await store.read("t")

    assert with_store(path, work) == [said(1), said(2), said(3)]


def test_a_log_begins_with_its_first_entry(path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(Conflict):
            await store.append("t", said(2), summary())
        assert await store.read("t") == []
        assert await store.tables_of("ana", 9) == []

    with_store(path, work)


def test_an_entry_that_cannot_be_read_is_told(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await add_many(store, "t", 1)
        await store._write(lambda db: db.execute("""UPDATE log SET body = '{"kind": "flown"}'""").close())
        with pytest.raises(StoreError, match="^table t: its log holds an entry that this forsale cannot read"):
            await store.read("t")

    with_store(path, work)


# --- Writing together ------------------------------------------------------------------------------------------------


def test_it_waits_for_the_disk(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        modes = await store._write(
            lambda db: [
                db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        )
        assert modes == ["wal", 2, 1]

    with_store(path, work)


def test_what_waits_is_committed_together(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store)
        tasks = [await begun(store.append(f"t{n}", said(1), summary())) for n in range(50)]
        tasks.append(await begun(store.save_guest(Guest("ana", "Ana"), 1)))
        gate.open()
        await asyncio.gather(held, *tasks)
        assert (store.commits, store.writes) == (2, 52)

    with_store(path, work)


def test_a_table_may_be_ahead_of_the_disk(path: Path) -> None:
    """Its entries keep their order, also within one transaction."""

    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store)
        tasks = [await begun(store.append(f"t{n % 3}", said(1 + n // 3), summary())) for n in range(30)]
        gate.open()
        await asyncio.gather(held, *tasks)
        assert store.commits == 2
        for n in range(3):
            assert await store.read(f"t{n}") == [said(seq) for seq in range(1, 11)]

    with_store(path, work)


def test_nothing_is_seen_or_acknowledged_before_the_commit(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store, sqlite_store._append_job("t", said(1), summary()))
        assert await store.read("t") == []
        assert not held.done()
        gate.open()
        await held
        assert await store.read("t") == [said(1)]

    with_store(path, work)


def test_one_that_fails_does_not_spoil_the_others(path: Path) -> None:
    def stumble(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM log")
        raise ZeroDivisionError

    async def work(store: SqliteStore) -> None:
        await add_many(store, "t", 3)
        gate = Gate()
        held = await gate.hold(store)
        tasks = [
            await begun(store.append("a", said(1), summary())),
            await begun(store.append("t", said(3), summary())),
            await begun(store._write(stumble)),
            await begun(store.set_plan("nobody", 0, Planned(1, PassOn()))),
            await begun(store.append("a", said(2), summary())),
            await begun(store.key("k")),
        ]
        gate.open()
        await held
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [
            type(None),
            Conflict,
            ZeroDivisionError,
            StoreError,
            type(None),
            bytes,
        ]
        assert [len(await store.read(table)) for table in "at"] == [2, 3]

    with_store(path, work)


def test_if_the_commit_fails_nothing_is_acknowledged(path: Path) -> None:
    """A reference that is checked late, and leads nowhere, makes it fail."""

    def orphan(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA defer_foreign_keys = ON")
        db.execute("INSERT INTO log VALUES ('nobody', 1, 1, '{}')")

    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store)
        tasks = [await begun(store.append(f"t{n}", said(1), summary())) for n in range(3)]
        tasks.append(await begun(store._write(orphan)))
        gate.open()
        await held
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreError] * 4
        assert [await store.read(f"t{n}") for n in range(3)] == [[], [], []]
        await store.append("t0", said(1), summary())
        assert await store.read("t0") == [said(1)]

    with_store(path, work)


def test_if_sqlite_gives_up_a_transaction_nothing_is_acknowledged(path: Path) -> None:
    """As it may when the disk is full: all of it is gone, not only the statement that failed."""

    def give_up(db: sqlite3.Connection) -> None:
        db.execute("ROLLBACK")
        raise sqlite3.OperationalError("gave up")

    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store)
        tasks = [await begun(store.append("t", said(1), summary())), await begun(store._write(give_up))]
        gate.open()
        await held
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreError] * 2
        assert await store.read("t") == []
        await store.append("t", said(1), summary())

    with_store(path, work)


def test_nobody_needs_to_wait_for_an_answer(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        gate = Gate()
        held = await gate.hold(store)
        tasks = [await begun(store.append(f"t{n}", said(1), summary())) for n in range(3)]
        tasks[1].cancel()
        gate.open()
        answers = await asyncio.gather(held, *tasks, return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None), type(None), asyncio.CancelledError, type(None)]
        assert [len(await store.read(f"t{n}")) for n in range(3)] == [1, 1, 1]

    with_store(path, work)


def test_the_loop_may_end_before_the_writer(path: Path) -> None:
    gate = Gate()
    store = SqliteStore(path)

    async def main() -> None:
        await store.open()
        await gate.hold(store)
        await begun(store.append("t", said(1), summary()))

    asyncio.run(main())
    gate.open()
    assert store._parts is not None
    store._parts.stack.close()
    assert rows(path, "SELECT seq FROM log") == [(1,)]


# --- Opening and closing ---------------------------------------------------------------------------------------------


def test_closing_finishes_what_was_begun(path: Path) -> None:
    async def main() -> None:
        store = SqliteStore(path)
        await store.open()
        with pytest.raises(StoreError, match="it is open already"):
            await store.open()
        gate = Gate()
        tasks = [await gate.hold(store), await begun(store.append("t", said(1), summary()))]
        gate.open()
        await store.close()
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(StoreError, match="it is not open"):
            await store.append("t", said(2), summary())
        with pytest.raises(StoreError, match="it is not open"):
            await store.read("t")

    asyncio.run(main())
    assert with_store(path, lambda store: store.read("t")) == [said(1)]
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, path.name + ".lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="there, rights are something else")
def test_only_the_owner_may_read_it(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await add_many(store, "t", 1)
        await store.backup(path.with_name("copy"))
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}

    with_store(path, work)


def open_error(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        with_store(path, lambda store: store.read("t"))
    return str(caught.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert open_error(tmp_path) == f"{tmp_path}: it is a folder; name a file in it"


def test_the_folder_must_exist(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x"
    assert open_error(path) == f"{path}: there is no folder {path.parent}; make it, or name a file elsewhere"


def test_a_name_may_be_impossible(tmp_path: Path) -> None:
    assert "it cannot be made (File name too long)" in open_error(tmp_path / ("x" * 300))


def test_a_name_may_be_odd(tmp_path: Path) -> None:
    path = tmp_path / "50% für #1?mode=ro"
    with_store(path, lambda store: add_many(store, "t", 1))
    assert path.is_file()


@pytest.mark.parametrize("content", [b"Dear diary, " * 500, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_something_else_is_not_touched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert "it is not a database, or is damaged" in open_error(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_not_touched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    content = path.read_bytes()
    assert open_error(path) == f"{path}: it is the database of another program; name another file"
    assert path.read_bytes() == content


def test_damage_is_told(path: Path) -> None:
    """The first page is sound, so that it opens; the others are not."""
    with_store(path, lambda store: add_many(store, "t", 200))
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    assert open_error(path) == f"{path}: it is damaged; put a backup in its place"


def test_a_newer_schema_is_refused(path: Path) -> None:
    with_store(path, lambda store: add_many(store, "t", 1))
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE meta SET schema_version = 1000")
        db.commit()
    assert f"{path}: a newer forsale has written it (schema 1000, this one knows " in open_error(path)
    assert rows(path, "SELECT schema_version FROM meta") == [(1000,)]


OPEN_IT = """
import asyncio, sys
from forsale.server.sqlite_store import SqliteStore
asyncio.run(SqliteStore(sys.argv[1]).open())
"""


def test_a_second_server_is_refused(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        sentence = f"{path}: another server is using it; stop that one, or name another file for this one"
        other_name = path.with_name("other")
        other_name.symlink_to(path)
        for name in (path, other_name):
            with pytest.raises(StoreError, match="another server is using it"):
                await SqliteStore(name).open()
        command = [sys.executable, "-c", OPEN_IT, str(path)]
        answer = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert answer.stderr.splitlines()[-1] == f"forsale.server.store.StoreError: {sentence}"
        await store.append("t", said(1), summary())

    with_store(path, work)
    assert with_store(path, lambda store: store.read("t")) == [said(1)]


def test_a_lock_that_is_something_else_is_told(path: Path) -> None:
    lock = path.with_name(path.name + ".lock")
    lock.write_text("Dear diary, " * 500)
    assert open_error(path).startswith(f"{lock}: it is not a database")
    lock.unlink()
    lock.mkdir()
    assert open_error(path).startswith(f"{lock}: it cannot be opened")


def test_a_disk_without_shared_memory_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the folder is shared over a network; the database in memory that stands for it cannot have a WAL."""
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    monkeypatch.setattr(sqlite_store, "lock", lambda _: memory)
    monkeypatch.setattr(sqlite_store, "connect", lambda _: memory)
    assert "its disk has no shared memory" in open_error(path)


# --- What can go wrong while it runs ---------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_forgotten(path: Path) -> None:
    async def limit(store: SqliteStore, pages: int) -> None:
        await store._write(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").close())

    async def use_up(store: SqliteStore, acknowledged: list[Logged]) -> None:
        for seq in count(1):
            await store.append("t", said(seq, "x" * 1000), summary())
            acknowledged.append(said(seq, "x" * 1000))

    async def work(store: SqliteStore) -> None:
        acknowledged: list[Logged] = []
        await limit(store, 1)  # that is, as many as there are
        with pytest.raises(StoreError, match=": the disk is full; make room and try again$"):
            await use_up(store, acknowledged)
        assert await store.read("t") == acknowledged
        await limit(store, 1000)
        await store.append("t", said(len(acknowledged) + 1), summary())
        assert len(await store.read("t")) == len(acknowledged) + 1

    with_store(path, work)


FULL = """
import asyncio, os, resource, sys
from forsale.server.log import Logged, Said
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import StoreError, Summary

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

async def main(path):
    store = SqliteStore(path)
    await store.open()
    append = lambda seq: store.append("t", Logged(seq, 0, Said("", "", "")), Summary("waiting", True, "", (), None))
    await append(1)
    limit(os.path.getsize(path + "-wal"))
    try:
        await append(2)
    except StoreError as error:
        print(error)
    print(await store.is_writable(), len(await store.read("t")))
    limit(resource.RLIM_INFINITY)
    print(await store.is_writable())
    await append(2)
    print(len(await store.read("t")))

asyncio.run(main(sys.argv[1]))
"""


def test_a_file_that_cannot_grow_is_told_and_forgotten(path: Path) -> None:
    """Here the commit itself fails."""
    pytest.importorskip("resource")
    answer = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    sentence = f"{path}: its disk cannot be read or written; check that it is there, is sound and has room"
    assert answer.stdout.splitlines() == [sentence, "False 1", "True", "2"]


def test_a_file_that_may_not_be_written_is_told(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        assert await store.is_writable()
        await store._write(lambda db: db.execute("PRAGMA query_only = ON").close())
        with pytest.raises(StoreError, match=": it may not be written; check who may write it and its folder$"):
            await store.append("t", said(1), summary())
        assert not await store.is_writable()
        assert await store.read("t") == []

    with_store(path, work)


def test_another_program_may_keep_it_locked(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store._write(lambda db: db.execute("PRAGMA busy_timeout = 0").close())
        with closing(sqlite3.connect(path, isolation_level=None)) as shell:
            shell.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=": another program keeps it locked; end that program and try again$"):
                await store.append("t", said(1), summary())
            assert await store.read("t") == []
        await store.append("t", said(1), summary())

    with_store(path, work)


def test_other_errors_are_told_as_they_are(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        with pytest.raises(StoreError, match=r": the database refused \(no such table: nowhere\)$"):
            await store._read(lambda db: db.execute("SELECT 1 FROM nowhere"))

    with_store(path, work)


CRASH = """
import asyncio, sys
from forsale.server.log import Logged, Said
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Summary

async def write(store, table):
    seq = len(await store.read(table))
    while True:
        seq += 1
        await store.append(table, Logged(seq, seq, Said("", "", table)), Summary("waiting", True, "", (), None))
        print(table, seq, flush=True)

async def main(path):
    store = SqliteStore(path)
    await store.open()
    await asyncio.gather(*(write(store, f"t{n}") for n in range(5)))

asyncio.run(main(sys.argv[1]))
"""


def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    rng = random.Random(3)
    acknowledged = dict.fromkeys([f"t{n}" for n in range(5)], 0)

    async def lengths(store: Store) -> dict[str, int]:
        logs = {table: await store.read(table) for table in acknowledged}
        for entries in logs.values():
            assert [logged.seq for logged in entries] == list(range(1, len(entries) + 1))
        return {table: len(entries) for table, entries in logs.items()}

    for _ in range(10):
        with subprocess.Popen([sys.executable, "-c", CRASH, str(path)], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            lines = list(islice(child.stdout, rng.randint(1, 300)))
            child.kill()
            lines += [line for line in child.stdout if line.endswith("\n")]
        for table, seq in map(str.split, lines):
            assert int(seq) > acknowledged[table]
            acknowledged[table] = int(seq)
        stored = with_store(path, lengths)
        assert all(stored[table] >= acknowledged[table] for table in stored)
    assert min(acknowledged.values()) > 100
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


# --- Migrations ------------------------------------------------------------------------------------------------------


def schema(path: Path) -> set[Any]:
    return set(rows(path, "SELECT type, name, sql FROM sqlite_master"))


def test_every_schema_has_its_dump() -> None:
    """After a change, run tests/server/make_schema.py."""
    numbers = list(sqlite_file.migrations())
    assert numbers == list(range(1, len(numbers) + 1))
    assert sorted(file.name for file in SCHEMAS.glob("*.sql")) == [f"{number:04}.sql" for number in numbers]


def test_the_newest_dump_is_up_to_date(path: Path) -> None:
    with_store(path, fill)
    assert dump(path) == max(SCHEMAS.glob("*.sql")).read_text("utf-8")


@pytest.mark.parametrize("name", sorted(file.name for file in SCHEMAS.glob("*.sql")))
def test_every_earlier_schema_is_brought_up_to_date(path: Path, name: str) -> None:
    fresh = path.with_name("fresh")
    expected = with_store(fresh, _fill_and_tell)
    with closing(sqlite3.connect(path)) as db:
        db.executescript((SCHEMAS / name).read_text("utf-8"))

    async def work(store: SqliteStore) -> None:
        assert await contents(store) == expected
        assert await store.take_link(b"\x00\xff", 6999) == "ana"
        await store.append("live", Logged(3, 9000, log.Left(1)), summary())

    with_store(path, work)
    assert schema(path) == schema(fresh)
    assert rows(path, "SELECT schema_version FROM meta") == rows(fresh, "SELECT schema_version FROM meta")


async def _fill_and_tell(store: Store) -> list[object]:
    await fill(store)
    return await contents(store)


def test_steps_are_taken_in_turn_and_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = sqlite_file.migrations()
    with_store(path, fill)
    later = {len(scripts) + 1: "CREATE TABLE step (n); INSERT INTO step VALUES (1);"}
    later[len(scripts) + 2] = "INSERT INTO step SELECT n + 1 FROM step; INSERT INTO step VALUES (9);"
    monkeypatch.setattr(sqlite_file, "migrations", lambda: scripts | later)
    for _ in range(2):
        with_store(path, contents)
        assert rows(path, "SELECT n FROM step") == [(1,), (2,), (9,)]
        assert rows(path, "SELECT schema_version FROM meta") == [(max(later),)]


def test_a_step_that_fails_leaves_the_one_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = sqlite_file.migrations()
    later = {len(scripts) + 1: "CREATE TABLE step (n);", len(scripts) + 2: "INSERT INTO step VALUES (1); SELECT x;"}
    expected = with_store(path, _fill_and_tell)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "migrations", lambda: scripts | later)
        assert "no such column: x" in open_error(path)
    assert rows(path, "SELECT n FROM step") == []
    assert rows(path, "SELECT schema_version FROM meta") == [(min(later),)]
    monkeypatch.setattr(sqlite_file, "migrations", lambda: scripts | {min(later): later[min(later)]})
    assert with_store(path, contents) == expected


# --- Copies ----------------------------------------------------------------------------------------------------------

BACK_UP = "import sys; from forsale.server.sqlite_file import backup_file; backup_file(*sys.argv[1:])"


def check_copy(path: Path) -> int:
    """How many entries it has; all that belongs together is there."""
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    ends = "SELECT id, last FROM tables ORDER BY id"
    assert rows(path, ends) == rows(path, "SELECT table_id, MAX(seq) FROM log GROUP BY table_id ORDER BY table_id")
    return int(rows(path, "SELECT COUNT(*) FROM log")[0][0])


def test_a_copy_made_while_writing_is_of_one_instant(path: Path, tmp_path: Path) -> None:
    copies = [tmp_path / f"copy{n}" for n in range(4)]

    async def work(store: SqliteStore) -> None:
        busy = [asyncio.create_task(add_many(store, f"t{n}", 10_000)) for n in range(5)]
        for copy in copies[:3]:
            await store.append(copy.name, said(1), summary())
            await store.backup(copy)
        command = [sys.executable, "-c", BACK_UP, str(path), str(copies[3])]
        await asyncio.to_thread(subprocess.run, command, check=True)
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)

    with_store(path, work)
    sizes = [check_copy(copy) for copy in copies]
    assert sizes == sorted(sizes)
    assert {file.name for file in tmp_path.iterdir()} == {path.name, path.name + ".lock", *(c.name for c in copies)}
    assert with_store(copies[2], lambda store: store.read("copy2")) == [said(1)]


def test_a_copy_of_a_crashed_server_has_everything(path: Path, tmp_path: Path) -> None:
    """What is in the WAL only is in the copy too."""
    with subprocess.Popen([sys.executable, "-c", CRASH, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = list(islice(child.stdout, 20))
        child.kill()
    backup_file(path, tmp_path / "copy")
    assert check_copy(tmp_path / "copy") >= len(lines) == 20


def backup_error(source: Path, target: Path) -> str:
    before = set(target.parent.parent.rglob("*"))
    with pytest.raises(StoreError) as caught:
        backup_file(source, target)
    after = set(target.parent.parent.rglob("*"))
    assert {file for file in after - before if not file.name.endswith(("-shm", "-wal"))} == set()
    return str(caught.value)


def test_a_copy_replaces_nothing(path: Path, tmp_path: Path) -> None:
    with_store(path, lambda store: add_many(store, "t", 1))
    target = tmp_path / "mine"
    target.write_text("precious")
    assert backup_error(path, target) == f"{target}: it exists already; name a new file for the backup"
    assert target.read_text() == "precious"
    assert "it exists already" in backup_error(path, path)
    assert "there is no folder" in backup_error(path, tmp_path / "none" / "copy")


def test_only_a_store_is_copied(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    assert backup_error(path, target) == f"{path}: there is no such file; name the one that the server uses"
    path.touch()
    assert backup_error(path, target) == f"{path}: it is empty; name the file that the server uses"
    path.write_text("Dear diary, " * 500)
    assert "it is not a database" in backup_error(path, target)


def test_a_copy_that_cannot_get_its_name_is_told(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Path) -> None:
        raise OSError(5, "Input/output error")

    with_store(path, lambda store: add_many(store, "t", 1))
    monkeypatch.setattr(Path, "rename", fail)
    assert "it cannot be written (Input/output error)" in backup_error(path, tmp_path / "copy")


# --- Asking about tables ---------------------------------------------------------------------------------------------


def test_due_tables_come_longest_waiting_first(path: Path) -> None:
    async def work(store: Store) -> None:
        for table, wake_at in {"a": 300, "b": None, "c": 100, "d": 200, "e": 100}.items():
            await add(store, table, 1, summary("playing", wake_at=wake_at))
        assert await store.due(99, 9) == []
        assert await store.due(200, 9) == ["c", "e", "d"]
        assert await store.due(900, 2) == ["c", "e"]
        await store.append("c", said(2), summary("playing", wake_at=None))
        await store.append("a", said(2), summary("playing", wake_at=50))
        assert await store.due(900, 9) == ["a", "e", "d"]

    with_store(path, work)


def test_listed_tables_come_newest_first(path: Path) -> None:
    async def work(store: Store) -> None:
        for at, table in enumerate("abc"):
            await add(store, table, at, summary())
        await add(store, "secret", 9, summary(listed=False))
        await add(store, "begun", 9, summary("playing"))
        await store.append("a", said(2), summary())  # being touched makes it no newer
        assert await store.listed(9) == ["c", "b", "a"]
        assert await store.listed(2) == ["c", "b"]
        await store.append("b", said(2), summary("playing"))
        assert await store.listed(9) == ["c", "a"]

    with_store(path, work)


def test_tables_of_a_guest_come_latest_first(path: Path) -> None:
    async def work(store: Store) -> None:
        for at, table in enumerate("abc"):
            await add(store, table, at, summary(guests=("ana", None, "bo")))
        await store.append("a", Logged(2, 50, log.Left(2)), summary("playing", guests=("ana", "cy", None)))
        a, b, c = TableRow("a", "playing", 50), TableRow("b", "waiting", 1), TableRow("c", "waiting", 2)
        assert await store.tables_of("ana", 9) == [a, c, b]
        assert await store.tables_of("ana", 1) == [a]
        assert await store.tables_of("bo", 9) == [c, b]
        assert await store.tables_of("cy", 9) == [a]
        assert await store.tables_of("dee", 9) == []

    with_store(path, work)


def test_unfinished_tables_are_those_that_a_guest_opened(path: Path) -> None:
    async def work(store: Store) -> None:
        for status in get_args(Status):
            await add(store, status, 1, summary(status))
            await add(store, f"bo's {status}", 1, summary(status, host="bo"))
        assert await store.unfinished_of("ana", since=0) == 2
        await store.append("playing", said(2), summary("over"))
        assert await store.unfinished_of("ana", since=0) == 1
        assert await store.unfinished_of("ana", since=10**15) == 0
        assert await store.unfinished_of("cy", since=0) == 0

    with_store(path, work)


def test_finished_games_are_counted_once(path: Path) -> None:
    async def work(store: Store) -> None:
        both = ("ana", None, "bo")
        first = (Result(0, 1, 40, 1.0), Result(2, 2, 30, 0.0))
        second = (Result(0, 1, 25, 0.5), Result(2, 1, 25, 0.5))
        await add(store, "a", 1, summary("over", guests=both, results=first))
        await store.append("a", said(2, "well played"), summary("over", guests=both, results=first))
        await add(store, "b", 1, summary("over", guests=both, results=second))
        await add(store, "c", 1, summary("playing", guests=both))
        assert await store.stats_of("ana") == Stats(2, 1.5, 32.5, 1.0)
        assert await store.stats_of("bo") == Stats(2, 0.5, 27.5, 1.5)
        assert await store.stats_of("cy") == Stats(0, 0.0, None, None)

    with_store(path, work)


def test_only_games_that_never_ended_are_pruned(path: Path) -> None:
    async def work(store: Store) -> None:
        done = (Result(0, 1, 40, 1.0),)
        await add(store, "done", 1, summary("over", results=done))
        await add(store, "recent", 500, summary("playing"))
        await add(store, "touched", 1, summary("playing"))
        await store.append("touched", Logged(2, 500, Said("ana", "Ana", "hello")), summary("playing"))
        for n in range(120):
            await add(store, f"old{n}", 1 + n, summary(("waiting", "playing")[n % 2], guests=("bo", None)))
        await store.set_plan("old7", 1, Planned(1, PassOn()))
        assert await store.prune(500) == 120
        assert await store.prune(500) == 0
        assert [row.id for row in await store.tables_of("ana", 9)] == ["recent", "touched", "done"]
        assert await store.tables_of("bo", 9) == []
        assert (await store.stats_of("ana")).games == 1
        assert await store.prune(501) == 2

    with_store(path, work)
    names = [name for (name,) in rows(path, "SELECT name FROM sqlite_master WHERE sql LIKE '%REFERENCES tables%'")]
    assert set(names) == {"log", "seats", "results", "plans"}
    for name in names:
        assert rows(path, f"SELECT DISTINCT table_id FROM {name}") in ([("done",)], [])


# --- Plans, guests, links, keys --------------------------------------------------------------------------------------


def test_plans_are_kept_by_seat(path: Path) -> None:
    async def work(store: Store) -> None:
        await add(store, "t", 1, summary())
        await add(store, "u", 1, summary())
        assert await store.plans("t") == {}
        await store.set_plan("t", 0, Planned(1, PassOn()))
        await store.set_plan("t", 2, Planned(1, PassOn()))
        await store.set_plan("t", 2, Planned(3, RaiseTo(7)))
        await store.set_plan("u", 0, Planned(1, RaiseTo(0)))
        assert await store.plans("t") == {0: Planned(1, PassOn()), 2: Planned(3, RaiseTo(7))}
        await store.set_plan("t", 0, None)
        await store.set_plan("t", 1, None)
        assert await store.plans("t") == {2: Planned(3, RaiseTo(7))}
        with pytest.raises(StoreError, match="FOREIGN KEY"):
            await store.set_plan("nobody", 0, Planned(1, PassOn()))

    with_store(path, work)


def test_a_guest_may_take_another_name(path: Path) -> None:
    async def work(store: Store) -> None:
        assert await store.guest("ana") is None
        await store.save_guest(Guest("ana", "Ana"), 1)
        await store.save_guest(Guest("bo", "Ana"), 2)
        await store.save_guest(Guest("ana", "Ana María"), 3)
        assert await store.guest("ana") == Guest("ana", "Ana María")
        assert await store.guest("bo") == Guest("bo", "Ana")

    with_store(path, work)
    assert rows(path, "SELECT created, updated FROM guests ORDER BY id") == [(1, 3), (2, 2)]


def test_a_link_works_once_and_in_time(path: Path) -> None:
    async def work(store: Store) -> None:
        for digest in (b"a", b"b", b"c"):
            await store.add_link(digest, "ana", 100)
        await store.add_link(b"later", "bo", 200)
        with pytest.raises(Conflict):
            await store.add_link(b"a", "bo", 300)
        assert await store.take_link(b"a", 99) == "ana"
        assert await store.take_link(b"a", 99) is None
        assert await store.take_link(b"unknown", 99) is None
        assert await store.take_link(b"b", 100) is None
        assert rows(path, "SELECT digest FROM links") == [(b"later",)]
        both = await asyncio.gather(store.take_link(b"later", 199), store.take_link(b"later", 199))
        assert sorted(both, key=str) == [None, "bo"]

    with_store(path, work)


def test_pruning_forgets_old_links(path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_link(b"old", "ana", 100)
        await store.add_link(b"new", "ana", 200)
        assert await store.prune(100) == 0

    with_store(path, work)
    assert rows(path, "SELECT digest FROM links") == [(b"new",)]


def test_a_key_is_made_once(path: Path) -> None:
    async def work(store: Store) -> list[bytes]:
        return [await store.key("cookies"), await store.key("cookies"), await store.key("other")]

    first, again, other = with_store(path, work)
    assert len(first) == len(other) == 32
    assert first == again != other
    assert with_store(path, work) == [first, first, other]
