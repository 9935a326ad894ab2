"""Tables with long logs and with many people."""

import asyncio
from pathlib import Path

import pytest

from forsale import game
from forsale.server import live as live_module
from forsale.server import messages
from forsale.server.limits import Bucket, Rate
from forsale.server.loading import PAGE, load_table
from forsale.server.log import Entry, Joined, Logged, Opened, Said
from forsale.server.options import Options
from forsale.server.protocol import (
    Act,
    Presence,
    Welcome,
)
from forsale.server.store import Unreadable
from forsale.server.table import fold
from forsale.server.wire import Pass, Sell
from tests.server.club import ANA, BO, CY, IMPOSSIBLE, Club, damage, run, say_of


async def long_table(club: Club, entries: int) -> str:
    """A table with a log from before there were limits on it, with a game in the middle of it."""
    first = Logged(1, 0, Opened(Options(seats=3, listed=True), ANA.id, "5a" * 32))
    table = fold("long", [first])
    await club.store.append("long", first, live_module.summary(table))
    for seq in range(2, entries + 1):
        entry: Entry = Joined(0, ANA.id, "Ana", str(seq)) if seq % 2 else Said(ANA.id, "Ana", f"line {seq}")
        await club.store.append("long", Logged(seq, seq, entry), live_module.summary(table))
    await club.tables.start_game("long", ANA)
    await club.settle()
    return "long"


def test_a_long_log_is_read_a_page_at_a_time_and_welcomes_tell_the_latest_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(club: Club) -> None:
        table = await long_table(club, 2 * PAGE)
        live = await club.live(table)
        assert len(live.table.log) == live.table.seq > 2 * PAGE
        await club.forget()
        pages: list[int] = []
        read = club.store.read

        async def noted(table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
            page = await read(table, after, limit)
            pages.append(len(page))
            return page

        monkeypatch.setattr(club.store, "read", noted)
        assert (await club.live(table)).table == live.table
        assert max(pages) == PAGE
        monkeypatch.setattr(messages, "MAX_MISSED", 100)
        _, inbox = await club.sit(table, ANA)
        welcome = inbox.of(Welcome)[0]
        assert welcome.seq == live.table.seq
        kept = [happening.seq for happening in welcome.missed]
        assert len(kept) == 100
        assert kept == list(range(welcome.seq - 99, welcome.seq + 1))
        monkeypatch.setattr(messages, "MAX_MISSED", 1)  # the game itself is never left out
        started = 2 * PAGE + 1
        for last in (0, started):
            _, inbox = await club.sit(table, ANA, last)
            kept = [happening.seq for happening in inbox.of(Welcome)[0].missed]
            assert kept == list(range(last + 1 if last else started, welcome.seq + 1))

    run(tmp_path, test)


def test_a_log_of_whole_pages_and_one_that_is_not_there(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.tables.open(ANA, Options())
        for seq in range(3, PAGE + 1):
            said = Logged(seq, 0, Said(ANA.id, "Ana", "hi"))
            await club.store.append(table, said, live_module.summary((await club.live(table)).table))
        loaded = await load_table(table, club.store)
        assert loaded is not None
        assert loaded.seq == PAGE
        assert await load_table("nowhere", club.store) is None
        damage(club, table, IMPOSSIBLE)
        with pytest.raises(Unreadable, match="cannot be replayed"):
            await load_table(table, club.store)

    run(tmp_path, test)


def test_many_spectators_are_told_of_each_other_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(club: Club) -> None:
        monkeypatch.setattr(live_module, "PRESENCE", Rate(1000, 10))
        table = await club.started(ANA, BO, CY)
        _, first = await club.sit(table, ANA)
        live = await club.live(table)
        monkeypatch.setattr(live, "_loop_time", lambda: 0.0)
        live._presence_bucket = Bucket(Rate(1000, 10), 0.0)
        crowd = [await club.sit(table, None) for _ in range(300)]
        told = len(first.of(Presence))
        assert told == 10
        assert sum(len(inbox.of(Presence)) for _, inbox in crowd) < 300
        while len(first.of(Presence)) == told:  # the rest comes as one
            await asyncio.sleep(0)
        assert len(first.of(Presence)) == told + 1
        assert first.of(Presence)[-1].table.spectators == 300
        live._tell_presence()
        live.rest()

    run(tmp_path, test)


def test_two_who_ask_for_a_rematch_at_once_get_the_same_table(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, options=Options(seats=3))
        live = await club.live(table)
        seats = [await club.sit(table, guest) for guest in (ANA, BO)]
        while live.table.is_playing:
            state = live.table.state
            assert state is not None
            seat = min(seat for seat in state.to_act if seat < 2)
            action = Pass() if state.phase is game.BUYING else Sell(state.hands[seat][0])
            await say_of(*seats[seat], Act(str(live.table.seq), live.table.seq, action))
            await club.settle()
        found = await asyncio.gather(*(club.tables.rematch(table, guest) for guest in (ANA, BO, ANA, BO)))
        assert len(set(found)) == 1
        assert len(await club.store.tables_of(ANA.id, 10)) == 2

    run(tmp_path, test)
