"""A client's socket: hello first, one message at a time, and nobody waits for one who does not read."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from forsale.server import sockets
from forsale.server.limits import FRAME, Limits, Rate
from forsale.server.protocol import (
    VERSION,
    Ack,
    Hello,
    Ping,
    Pong,
    Presence,
    React,
    Refused,
    Say,
    TableInfo,
    Update,
    Welcome,
)
from forsale.server.reply import FAULT_CODE
from forsale.server.store import StoreError
from tests.server.asgi import House, Line, Visitor, run


async def pinged(line: Line) -> None:
    """The socket is alive."""
    line.say(Ping())
    await line.until(Pong)


async def at_table(house: House) -> tuple[Visitor, Line, str]:
    ana = await house.guest("Ana")
    table = await ana.table()
    return ana, await ana.seat(table), table


# --- Hello ---------------------------------------------------------------------------------------------------


def test_a_whole_game_against_bots(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest("Ana")
        table = msgspec.json.decode((await ana.post("/api/play-now", {"seats": 4})).body)["id"]
        line = await ana.seat(table)
        await line.play_out(lambda: house.wait(1))
        assert (await ana.get(f"/api/tables/{table}")).of(TableInfo).status == "over"
        await line.hang_up()
        late = await house.visitor().seat(table)
        welcome = await late.until(Welcome)
        assert welcome.position is not None
        assert welcome.position.outcome is not None
        await late.hang_up()

    run(House(tmp_path), test)


def test_a_seat_and_an_onlooker(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        _, line, table = await at_table(house)
        assert (await line.until(Welcome)).table.you == 0
        stranger = await house.visitor().seat(table)
        assert (await stranger.until(Welcome)).table.you is None
        assert (await line.until(Presence)).table.spectators == 1
        stranger.say(Say("1", "hello"))
        refused = await stranger.until(Refused)
        assert (refused.id, refused.code) == ("1", "guest/unknown")
        await stranger.hang_up()
        assert (await line.until(Presence)).table.spectators == 0
        await line.hang_up()

    run(House(tmp_path), test)


def test_a_forged_cookie_gets_no_seat(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, line, table = await at_table(house)
        assert ana.cookie is not None
        eve = house.visitor()
        eve.cookie = ana.cookie[:-1] + ("0" if ana.cookie[-1] != "0" else "1")
        forged = await eve.seat(table)
        assert (await forged.until(Welcome)).table.you is None
        await forged.hang_up()
        await line.hang_up()

    run(House(tmp_path), test)


@pytest.mark.parametrize(
    "first", ["", "{", "[]", Ping(), Say("1", "hi"), b"\xff", '{"type":"hello"}', "[" * 4000], ids=str
)
def test_hello_comes_first(tmp_path: Path, first: Any) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        line = await ana.connect(await ana.table())
        line.say(first)
        assert (await line.cut("message/bad", 1008)).retry_after is None

    run(House(tmp_path), test)


def test_an_old_client_is_told_to_reload(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        line = await ana.connect(await ana.table())
        line.say(Hello(VERSION + 1))
        assert "reload" in (await line.cut("protocol/version", 1008)).sentence

    run(House(tmp_path), test)


@pytest.mark.parametrize("table", ["nosuchtable", "a" * 65, "é"])
def test_a_table_that_there_is_not(tmp_path: Path, table: str) -> None:
    async def test(house: House) -> None:
        line = await house.visitor().seat(table)
        await line.cut("table/unknown", 1008)

    run(House(tmp_path), test)


def test_who_says_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_PATIENCE", 0.0)

    async def test(house: House) -> None:
        line = await house.visitor().connect("x")
        await line.cut("message/bad", 1008)

    run(House(tmp_path), test)


@pytest.mark.parametrize("hello", [True, False])
def test_who_hangs_up(tmp_path: Path, hello: bool) -> None:
    async def test(house: House) -> None:
        ana = await house.guest()
        table = await ana.table()
        line = await (ana.seat if hello else ana.connect)(table)
        await line.hang_up()
        assert house.tables.gauges["connections"] == 0

    run(House(tmp_path), test)


# --- Messages ------------------------------------------------------------------------------------------------

BAD = [
    "",
    "{",
    "[]",
    "null",
    '{"type":"no"}',
    '{"type":"ping","x":1}',
    b"\xff",
    b'{"type":"say","id":"\xff","text":"a"}',
]


@pytest.mark.parametrize("text", BAD, ids=str)
def test_a_bad_message_is_refused_and_the_socket_goes_on(tmp_path: Path, text: Any) -> None:
    async def test(house: House) -> None:
        _, line, _ = await at_table(house)
        line.say(text)
        refused = await line.until(Refused)
        assert (refused.id, refused.code) == (None, "message/bad")
        await pinged(line)
        await line.hang_up()

    run(House(tmp_path), test)


def test_json_may_come_as_bytes(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        _, line, _ = await at_table(house)
        line.say(b'{"type":"ping"}')
        await line.until(Pong)
        await line.hang_up()

    run(House(tmp_path), test)


@pytest.mark.parametrize(
    "text", ["x" * (FRAME + 1), "é" * (FRAME // 2 + 1), b"x" * (FRAME + 1)], ids=["text", "accents", "bytes"]
)
def test_a_message_that_is_too_large(tmp_path: Path, text: Any) -> None:
    async def test(house: House) -> None:
        _, line, _ = await at_table(house)
        line.say(text)
        await line.cut("request/too-large", 1009)

    run(House(tmp_path), test)


def test_who_sends_too_fast_is_told_and_then_cut_off(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        _, line, _ = await at_table(house)
        for _ in range(3):
            line.say(Say("x", "hi"))
        assert (await line.until(Ack)).id == "x"
        await line.until(Ack)
        refused = await line.until(Refused)
        assert (refused.id, refused.code) == ("x", "message/too-fast")
        house.wait(10)
        await pinged(line)
        for _ in range(10):
            line.say(Ping())
        assert (await line.cut("message/too-fast", 1008)).retry_after

    run(House(tmp_path, limits=Limits(messages=Rate(1, 2))), test)


def test_who_writes_too_fast(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, line, table = await at_table(house)
        for number in range(5):
            line.say(Say(str(number), "hi") if number % 2 else React(str(number), "👏"))
            await line.until(Ack)
        other = await ana.seat(table)
        other.say(Say("6", "hi"))
        refused = await other.until(Refused)
        assert (refused.id, refused.code) == ("6", "chat/too-fast"), "another tab is the same guest"
        await pinged(line)
        house.wait(3)
        line.say(Say("7", "hi"))
        await line.until(Ack)
        await line.hang_up()
        await other.hang_up()

    run(House(tmp_path), test)


def test_a_store_that_fails_while_connecting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def test(house: House) -> None:
        ana = await house.guest()
        table = await ana.table()
        monkeypatch.setattr(house.store, "read", fail)
        line = await house.visitor().seat(table)
        assert (await line.cut("server/storage", 1013)).retry_after

    run(House(tmp_path), test)
    assert [record.message for record in caplog.records] == ["storage failed"]


def test_a_fault_of_ours_ends_one_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(house: House) -> None:
        ana, line, table = await at_table(house)
        other = await ana.seat(table)
        await other.until(Welcome)

        def fail(*_: object) -> bool:
            raise ZeroDivisionError

        monkeypatch.setattr(house.parts.chat, "take", fail)
        line.say(Say("1", "hi"))
        assert (await line.cut(FAULT_CODE, 1011)).retry_after
        await pinged(other)
        await other.hang_up()

    run(House(tmp_path), test)
    assert [record.message for record in caplog.records] == ["fault"]


# --- How many, and how slow ----------------------------------------------------------------------------------


def test_so_many_sockets_an_address(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, line, table = await at_table(house)
        second = await ana.seat(table)
        await second.until(Welcome)
        third = await ana.seat(table)
        assert (await third.cut("request/too-many", 1013)).retry_after
        elsewhere = await house.visitor("203.0.113.9").seat(table)
        await elsewhere.until(Welcome)
        await second.hang_up()
        fourth = await ana.seat(table)
        await fourth.until(Welcome)
        for each in (line, elsewhere, fourth):
            await each.hang_up()

    run(House(tmp_path, limits=Limits(sockets=2)), test)


def test_who_does_not_read_is_cut_off_and_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MAX_WAITING", 20_000)

    async def test(house: House) -> None:
        _, line, table = await at_table(house)
        await line.until(Welcome)
        slow = await house.visitor().seat(table)
        await slow.until(Welcome)
        slow.reads.clear()
        for number in range(100):
            house.wait(10)
            line.say(Say(str(number), "x" * 200))
            await line.until(Ack)
            if slow.task.done():
                break
        async with asyncio.timeout(10):
            await slow.task
        assert house.tables.gauges["connections"] == 1
        assert house.parts.metrics.cut_off == 1
        await pinged(line)
        await line.hang_up()

    run(House(tmp_path), test)


def test_what_one_says_all_are_told(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        ana, line, table = await at_table(house)
        other = await ana.seat(table)
        await other.until(Welcome)
        line.say(Say("1", "hi"))
        assert (await other.until(Update)).happening.seq == (await line.until(Ack)).seq
        await line.hang_up()
        await other.hang_up()

    run(House(tmp_path), test)


# --- The end -------------------------------------------------------------------------------------------------


def test_when_the_server_stops_all_are_told_to_come_again(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        _, line, table = await at_table(house)
        await line.until(Welcome)
        silent = await house.visitor().connect(table)
        assert (await silent.next())["type"] == "websocket.accept"
        stopping = asyncio.create_task(house.parts.say_goodbye())
        assert (await line.cut("server/restarting", 1012)).retry_after is not None
        assert (await silent.next())["code"] == 1012
        await stopping
        assert house.tables.gauges["connections"] == 0
        late = await house.visitor().seat(table)
        await late.cut("server/restarting", 1008)

    run(House(tmp_path), test)


def test_one_who_does_not_read_does_not_keep_the_server_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "LAST_WORDS", 0.01)

    async def test(house: House) -> None:
        _, line, _ = await at_table(house)
        await line.until(Welcome)
        line.reads.clear()
        async with asyncio.timeout(10):
            await house.parts.say_goodbye()
        line.task.cancel()
        await asyncio.gather(line.task, return_exceptions=True)

    run(House(tmp_path), test)
