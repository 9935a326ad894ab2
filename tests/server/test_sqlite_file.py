"""The file of the embedded store: opened, brought up to date, copied, and what can go wrong with it."""

import asyncio
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from forsale.server import log, sqlite_file, sqlite_store
from forsale.server.log import Logged
from forsale.server.sqlite_file import backup_file
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest, Store, StoreError
from tests.server.make_schema import SCHEMAS, contents, dump, fill
from tests.server.stores import Gate, add_many, begun, rows, said, summary, with_store

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
        assert await store.take_link(b"\x00\xff", 6999) == Guest("ana", "Ana")
        await store.append("live", Logged(3, 9000, log.Left(1)), summary())

    with_store(path, work)
    assert schema(path) == schema(fresh)
    assert rows(path, "SELECT schema_version FROM meta") == rows(fresh, "SELECT schema_version FROM meta")


async def _fill_and_tell(store: Store) -> list[object]:
    await fill(store)
    return await contents(store)


def test_the_upgrade_notes_when_cookies_got_their_prefix(path: Path) -> None:
    """Only where cookies without it may be about: a new database never issued one."""
    assert with_store(path.with_name("new"), lambda store: store.host_cookies_since()) == 0
    with closing(sqlite3.connect(path)) as db:
        db.executescript((SCHEMAS / "0001.sql").read_text("utf-8"))
    since = with_store(path, lambda store: store.host_cookies_since())
    assert since > 1_700_000_000_000
    assert with_store(path, lambda store: store.host_cookies_since()) == since


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
