"""Tables that cannot be read, or break when they go on, harm no other table."""

import asyncio
from pathlib import Path

import pytest

from forsale.server import tables as tables_module
from forsale.server.live import LiveTable
from forsale.server.options import Days, Options
from forsale.server.protocol import (
    Act,
    Closing,
)
from forsale.server.refusal import Refusal
from forsale.server.store import StoreError
from forsale.server.thinkers import Thought
from forsale.server.wire import Pass
from tests.server.club import ANA, BO, CY, IMPOSSIBLE, NONSENSE, Club, damage, run, say_of


@pytest.mark.parametrize("body", [NONSENSE, IMPOSSIBLE])
def test_a_table_that_cannot_be_read_harms_no_other(
    tmp_path: Path, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(club: Club) -> None:
        day = 24 * 60 * 60 * 1000
        options = Options(seats=3, clock=Days(1))
        tables = [await club.started(ANA, BO, CY, options=options) for _ in range(3)]
        listed = [await club.tables.open(ANA, Options(listed=True)) for _ in range(2)]
        seqs = [(await club.live(table)).table.seq for table in tables]
        await club.forget()
        for table in (tables[0], tables[1], listed[0]):
            damage(club, table, body)
        club.time += 2 * day
        for _ in range(3):
            await club.tables._sweep()
            await club.settle()
        assert (await club.live(tables[2])).table.seq > seqs[2]
        assert [found.id for found in await club.tables.open_tables()] == [listed[1]]
        assert {game.id for game in (await club.tables.history(ANA)).games} == {tables[2], listed[1]}
        for table in (tables[0], listed[0]):
            with pytest.raises(Refusal, match="table/unreadable"):
                await club.sit(table, ANA)
        assert club.tables.gauges["tables_quarantined"] == 3

    run(tmp_path, test)
    noted = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.message for record in noted] == ["table in quarantine"] * 3
    assert not any(record.exc_info for record in noted)


def test_a_table_that_breaks_when_it_goes_on_is_set_aside_and_everyone_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO)
        live = await club.live(table)
        seats = [await club.sit(table, guest) for guest in (ANA, BO)]

        async def broken(*_: object) -> Thought:
            raise AssertionError("impossible")

        monkeypatch.setattr(club.thinkers, "choose", broken)
        while live.table.state is not None and 2 not in live.table.state.to_act:
            seat = min(live.table.state.to_act)
            await say_of(*seats[seat], Act(str(live.table.seq), live.table.seq, Pass()))
        await club.settle()
        assert seats[0][1].of(Closing)[-1].code == "table/unreadable"
        assert [inbox.closed for _, inbox in seats] == [1011, 1011]
        club.tables.quarantine(table, ValueError("once is enough"))
        with pytest.raises(Refusal, match="table/unreadable"):
            await club.live(table)

    run(tmp_path, test)
    assert [record.message for record in caplog.records] == ["table in quarantine"]
    assert caplog.records[0].exc_info


def test_a_table_that_breaks_as_soon_as_it_is_loaded_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO)
        await club.forget()

        def broken(_: object) -> None:
            raise AssertionError("impossible")

        with monkeypatch.context() as patch:
            patch.setattr(LiveTable, "follow_up", broken)
            with pytest.raises(Refusal, match="table/unreadable"):
                await club.live(table)
            other = await club.tables.open(BO, Options())
            patch.setattr(LiveTable, "follow_up", lambda _: None)
            (await club.live(other)).uses = 0
            patch.setattr(LiveTable, "follow_up", broken)
            await club.tables._wake(other)
        assert club.tables.gauges["tables_quarantined"] == 2
        assert club.tables.gauges["tables_in_memory"] == 0

    run(tmp_path, test)


def test_a_store_that_is_out_of_order_puts_no_table_into_quarantine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is gone")

    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=Days(1)))
        await club.forget()
        club.time += 2 * 24 * 60 * 60 * 1000
        with monkeypatch.context() as patch:
            patch.setattr(club.store, "read", fail)
            await club.tables._sweep()
        assert club.tables.gauges["tables_quarantined"] == 0
        assert (await club.live(table)).table.is_playing

    run(tmp_path, test)
    assert [record.message for record in caplog.records] == ["cannot load a table that is due"]


@pytest.mark.parametrize("error", [StoreError("the disk is gone"), AssertionError("impossible")])
def test_nothing_ends_the_sweeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    async def test(club: Club) -> None:
        passes, tidied = 0, 0
        enough = asyncio.Event()

        async def fail() -> None:
            nonlocal passes
            passes += 1
            raise error

        async def tidy(_: int) -> None:
            nonlocal tidied
            tidied += 1
            enough.set()

        async def at_once(_: float) -> None:
            await asyncio.get_running_loop().run_in_executor(None, lambda: None)

        monkeypatch.setattr(club.tables, "_sweep", fail)
        monkeypatch.setattr(club.store, "tidy", tidy)
        monkeypatch.setattr(tables_module, "SWEEPS_PER_TIDY", 2)
        monkeypatch.setattr(asyncio, "sleep", at_once)
        await club.tables.start()
        await enough.wait()
        assert (passes, tidied) == (2, 1)

    run(tmp_path, test)
    assert [record.message for record in caplog.records][:2] == ["cannot look for tables that are due"] * 2
