"""The embedded store: what it acknowledges is there, whatever happens, and what goes wrong is told in a sentence."""

import asyncio
import sqlite3
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forsale.server import log, sqlite_store
from forsale.server.log import Acted, Entry, Joined, Logged, Opened, Reacted, RematchOpened, Said, Started
from forsale.server.options import Days, NoClock, Options, Seconds
from forsale.server.protocol import PassOn, RaiseTo, Stats
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import (
    Conflict,
    Guest,
    Planned,
    Result,
    Status,
    Store,
    StoreError,
    TableRow,
    Tidied,
    Unreadable,
)
from forsale.server.wire import Bid, Pass, Sell
from tests.server.stores import Gate, add, add_many, append_all, begun, rows, said, summary, with_store

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


def test_a_log_is_read_page_by_page(path: Path) -> None:
    async def work(store: Store) -> None:
        await add_many(store, "t", 7)
        await add_many(store, "u", 1)
        assert await store.read("t", limit=3) == [said(1), said(2), said(3)]
        assert await store.read("t", after=3, limit=3) == [said(4), said(5), said(6)]
        assert await store.read("t", 6, 3) == [said(7)]
        assert await store.read("t", after=5) == [said(6), said(7)]
        assert await store.read("t", after=7) == []
        assert await store.read("t", limit=0) == []

    with_store(path, work)


DAMAGED = {
    "an unknown kind": b'{"kind": "flown"}',
    "half an entry": b'{"kind": "said", "gue',
    "nothing": b"",
    "not UTF-8": b'{"kind": "said", "guest": "\xff", "name": "", "text": ""}',
    "deeply nested": b"[" * 100_000,
}


@pytest.mark.parametrize("body", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_table_is_told_from_a_damaged_store(path: Path, body: bytes) -> None:
    async def work(store: SqliteStore) -> None:
        await add_many(store, "t", 3)
        await add_many(store, "u", 3)
        damage = "UPDATE log SET body = CAST(? AS TEXT) WHERE table_id = 't' AND seq = 2"
        await store._write(lambda db: db.execute(damage, (body,)).close())
        with pytest.raises(
            Unreadable, match="^table t: its log holds an entry that this forsale cannot read"
        ) as caught:
            await store.read("t")
        assert caught.value.table == "t"
        assert await store.read("t", limit=1) == [said(1)]
        assert await store.read("t", after=2) == [said(3)]
        assert await store.read("u") == [said(1), said(2), said(3)]

    with_store(path, work)


def test_a_damaged_plan_is_told(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await add_many(store, "t", 1)
        await store.set_plan("t", 1, Planned(1, PassOn()))
        await store._write(lambda db: db.execute("UPDATE plans SET body = '{}'").close())
        with pytest.raises(Unreadable, match="^table t: it holds a plan that this forsale cannot read") as caught:
            await store.plans("t")
        assert caught.value.table == "t"

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


def test_tables_that_would_wake_too_late_are_due(path: Path) -> None:
    """The machine's clock was a year ahead when they were written; no clock of a table is longer than 14 days."""
    now, day = 10**12, 24 * 60 * 60 * 1000
    times = {"due": now, "soon": now + 1, "days": now + 15 * day, "wrong": now + 15 * day + 1, "year": now + 365 * day}

    async def work(store: Store) -> None:
        for table, wake_at in times.items():
            await add(store, table, 1, summary("playing", wake_at=wake_at))
        assert await store.due(now, 9) == ["due", "wrong", "year"]
        assert await store.due(now, 2) == ["due", "wrong"]
        assert await store.due(now, 1) == ["due"]

    with_store(path, work)


def test_due_tables_are_found_by_an_index(path: Path) -> None:
    with_store(path, lambda store: add(store, "t", 1, summary()))
    for condition in ("wake_at <= 1", "wake_at > 1"):
        sql = f"EXPLAIN QUERY PLAN SELECT id FROM tables WHERE {condition} ORDER BY wake_at, id LIMIT 9"
        (plan,) = rows(path, sql)
        assert "USING COVERING INDEX tables_due" in plan[-1]


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
        await store.save_guest(Guest("ana", "Ana"), 1)
        await store.save_guest(Guest("bo", "Bo"), 1)
        for digest in (b"a", b"b", b"c"):
            await store.add_link(digest, "ana", 100)
        await store.add_link(b"nobody's", "cy", 101)
        await store.add_link(b"later", "bo", 200)
        with pytest.raises(Conflict):
            await store.add_link(b"a", "bo", 300)
        assert await store.take_link(b"a", 99) == Guest("ana", "Ana")
        assert await store.take_link(b"nobody's", 99) is None
        assert await store.take_link(b"a", 99) is None
        assert await store.take_link(b"unknown", 99) is None
        assert await store.take_link(b"b", 100) is None
        assert rows(path, "SELECT digest FROM links") == [(b"later",)]
        both = await asyncio.gather(store.take_link(b"later", 199), store.take_link(b"later", 199))
        assert sorted(both, key=str) == [Guest("bo", "Bo"), None]

    with_store(path, work)


def test_one_link_too_many_has_expired(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has expired does not work, even if it is not removed yet."""
    monkeypatch.setattr(sqlite_store, "_LINKS_AT_ONCE", 1)

    async def work(store: Store) -> None:
        await store.save_guest(Guest("ana", "Ana"), 1)
        await store.add_link(b"a", "ana", 100)
        await store.add_link(b"b", "ana", 100)
        assert [await store.take_link(digest, 100) for digest in (b"b", b"a")] == [None, None]

    with_store(path, work)


def test_expired_links_are_pruned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "_LINKS_AT_ONCE", 2)

    async def work(store: SqliteStore) -> None:
        for n in range(5):
            await store.add_link(b"old%d" % n, "ana", 96 + n)
        await store.add_link(b"new", "ana", 101)
        before = store.commits
        assert await store.prune_links(100) == 5
        assert store.commits - before == 4, "two links at a time"
        assert await store.prune_links(100) == 0

    with_store(path, work)
    assert rows(path, "SELECT digest FROM links") == [(b"new",)]


def test_signing_out_forgets_the_links_of_that_guest(path: Path) -> None:
    async def work(store: Store) -> None:
        for number, guest in enumerate(("ana", "bo")):
            await store.save_guest(Guest(guest, guest), 1)
            await store.add_link(b"%d" % number, guest, 100)
        assert await store.sign_out("ana") == await store.guest("ana") == Guest("ana", "ana", 1)
        assert await store.take_link(b"0", 50) is None
        assert await store.take_link(b"1", 50) == Guest("bo", "bo", 0)
        await store.save_guest(Guest("ana", "Ana"), 2)
        assert await store.guest("ana") == Guest("ana", "Ana", 1), "a new name signs nobody in again"
        assert await store.sign_out("ana") == Guest("ana", "Ana", 2)
        assert await store.sign_out("cy") is None

    with_store(path, work)


def guest_ids(path: Path) -> list[str]:
    return [guest for (guest,) in rows(path, "SELECT id FROM guests ORDER BY id")]


async def add_players(store: Store) -> None:
    """Guests who are part of some table, each in one way only."""
    for guest in ("finished-host", "resulted", "seated", "unfinished-host"):
        await store.save_guest(Guest(guest, guest), 1)
    await add(store, "a", 1, summary("playing", host="unfinished-host", guests=("seated", None)))
    await add(
        store, "b", 1, summary("over", host="finished-host", guests=("resulted",), results=(Result(0, 1, 9, 1.0),))
    )
    # They stood up after the end, as far as the store is concerned: the result stays theirs.
    await store.append("b", said(2), summary("over", host="finished-host", guests=(None,)))


def test_guests_who_never_played_are_pruned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "_GUESTS_AT_ONCE", 3)

    async def work(store: Store) -> None:
        await add_players(store)
        for n in range(10):
            await store.save_guest(Guest(f"idle{n}", "Guest"), 1 + n)
        await store.save_guest(Guest("recent", "Guest"), 500)
        await store.save_guest(Guest("renamed", "Guest"), 1)
        await store.save_guest(Guest("renamed", "Rena"), 500)
        assert await store.prune_guests(500) == 10
        assert await store.prune_guests(500) == 0

    with_store(path, work)
    assert guest_ids(path) == ["finished-host", "recent", "renamed", "resulted", "seated", "unfinished-host"]


def test_a_guest_goes_with_the_last_table(path: Path) -> None:
    async def work(store: Store) -> None:
        await add_players(store)
        assert await store.prune(500) == 1
        assert await store.prune_guests(500) == 2

    with_store(path, work)
    assert guest_ids(path) == ["finished-host", "resulted"]


def test_one_who_sits_down_meanwhile_is_kept(path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        for guest in ("ana", "bo", "cy"):
            await store.save_guest(Guest(guest, "Guest"), 1)
        gate = Gate()
        held = await gate.hold(store)
        await begun(store.append("t", said(1), summary(host="ana", guests=("bo",))))
        pruning = asyncio.create_task(store.prune_guests(500))
        while store._parts is not None and store._parts.writer._queue.qsize() < 2:
            await asyncio.sleep(0)  # until it has found all three and asks the writer to remove them
        gate.open()
        await held
        assert await pruning == 1

    with_store(path, work)
    assert guest_ids(path) == ["ana", "bo"]


def test_tidying_removes_only_newcomers_of_long_ago(path: Path) -> None:
    now, week = 10**12, 7 * 24 * 60 * 60 * 1000

    async def work(store: Store) -> None:
        await add_players(store)
        await store.save_guest(Guest("new", "Guest"), now - week)
        await store.save_guest(Guest("old", "Guest"), now - week - 1)
        await store.save_guest(Guest("renamed", "Guest"), 1)
        await store.save_guest(Guest("renamed", "Rena"), 2)
        await store.add_link(b"expired", "ana", now)
        await store.add_link(b"good", "ana", now + 1)
        assert await store.tidy(now) == Tidied(guests=1, links=1)
        assert await store.tidy(now) == Tidied(guests=0, links=0)

    with_store(path, work)
    assert guest_ids(path) == ["finished-host", "new", "renamed", "resulted", "seated", "unfinished-host"]


def test_pruning_looks_everything_up_in_an_index(path: Path) -> None:
    with_store(path, lambda store: add(store, "t", 1, summary()))
    queries = [
        f"SELECT 1 FROM guests WHERE id > 'a' AND {sqlite_store._NEVER_PLAYED} LIMIT 9",
        "SELECT digest FROM links WHERE expires <= 1 LIMIT 9",
        "SELECT digest FROM links WHERE guest = 'ana'",
    ]
    for sql in queries:
        steps = [row[-1] for row in rows(path, f"EXPLAIN QUERY PLAN {sql}")]
        assert not any(step.startswith("SCAN") for step in steps), steps


def test_a_key_is_made_once(path: Path) -> None:
    async def work(store: Store) -> list[bytes]:
        return [await store.key("cookies"), await store.key("cookies"), await store.key("other")]

    first, again, other = with_store(path, work)
    assert len(first) == len(other) == 32
    assert first == again != other
    assert with_store(path, work) == [first, first, other]
