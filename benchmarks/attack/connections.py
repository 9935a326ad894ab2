"""Attacks by connections: too much on one, too many of them, and ones that never finish or never read."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

from benchmarks.attack.scenario import Attack, scenario
from benchmarks.attack.wire import TEXT, Ending, Guest, Socket, Wire, fetch, frame, request

MB = 1024 * 1024
GONE_WITHIN = 25.0
"""Seconds in which a connection that does not go on must be gone: 15 and some slack for a busy machine."""
UNREAD_WITHIN = 75.0
"""The same for one that does not read: a minute and some slack, as its client may be on a slow line."""


async def open_all(attack: Attack, number: int, at_once: int = 100) -> list[Wire]:
    """Connections that send nothing. Some may be refused."""
    found: list[Wire] = []
    for first in range(0, number, at_once):
        batch = (Wire.open(attack.port) for _ in range(min(at_once, number - first)))
        results = await asyncio.gather(*batch, return_exceptions=True)
        found += [wire for wire in results if isinstance(wire, Wire)]
        attack.report.endings["refused"] += sum(isinstance(result, BaseException) for result in results)
    return found


async def flood(wire: Wire, part: bytes, total: int, within: float) -> None:
    """Send the same over and over, without reading, until it is enough or nothing more is taken."""
    until = time.monotonic() + within
    while wire.bytes_sent < total and (left := until - time.monotonic()) > 0:
        if not await wire.send(part, left):
            return


@scenario("calm", "no attack at all, to compare with: what the bystander measures here is the machine's doing")
async def calm(attack: Attack) -> None:
    await asyncio.sleep(attack.amount(10, 1))


# --- Too much on one -------------------------------------------------------------------------------------------------

PIPELINED = request("GET", "/a") * 1000


@scenario("pipelined", "requests sent one after the other without waiting for an answer: 30 MB on one connection")
async def pipelined(attack: Attack) -> None:
    total = attack.amount(30 * MB, 3 * MB)
    async with await Wire.open(attack.port) as wire:
        await flood(wire, PIPELINED, total, UNREAD_WITHIN)
        attack.require_closed(await attack.until_hung_up([wire], GONE_WITHIN), "without reading")
        attack.count(wire, requests=wire.bytes_sent // (len(PIPELINED) // 1000))


@scenario("pipelined-8", "the same on 8 connections at once, half of which read slowly")
async def pipelined_from_eight(attack: Attack) -> None:
    total = attack.amount(8 * MB, MB)
    wires = await open_all(attack, 8)
    readers = [asyncio.create_task(_read_slowly(wire)) for wire in wires[::2]]
    await asyncio.gather(*(flood(wire, PIPELINED, total, GONE_WITHIN) for wire in wires))
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    attack.require_closed(await attack.until_hung_up(wires, GONE_WITHIN), "pipelined")
    attack.count(*wires, requests=sum(wire.bytes_sent for wire in wires) // (len(PIPELINED) // 1000))
    for wire in wires:
        wire.close()


async def _read_slowly(wire: Wire) -> None:
    while wire.closed_after is None:
        await wire.receive(1.0, 1000)
        await asyncio.sleep(0.1)


@scenario("headers", "60 MB of header lines, an endless header, an endless URL, endless trailers")
async def headers(attack: Attack) -> None:
    total = attack.amount(60 * MB, 4 * MB)
    line = b"X-Filler: 0123456789\r\n"
    chunked = request("POST", "/api/replay", "Content-Type: text/plain", "Transfer-Encoding: chunked")
    kinds: dict[str, tuple[bytes, bytes]] = {
        "header lines": (b"GET / HTTP/1.1\r\nHost: a\r\n", line * 3000),
        "endless header": (b"GET / HTTP/1.1\r\nHost: a\r\nX-Filler: ", b"x" * 65536),
        "endless header name": (b"GET / HTTP/1.1\r\nHost: a\r\n", b"x" * 65536),
        "endless URL": (b"GET /", b"x" * 65536),
        "endless query": (b"GET /?", b"x" * 65536),
        "endless method": (b"", b"G" * 65536),
        "trailers": (chunked + b"1\r\nx\r\n0\r\n", line * 3000),
        "chunk extension": (chunked + b"1;", b"x" * 65536),
        "many cookies": (b"GET / HTTP/1.1\r\nHost: a\r\n", b"Cookie: a=b\r\n" * 3000),
        "WebSocket": (
            b"GET /api/tables/a/socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n",
            line * 3000,
        ),
    }

    async def send(name: str, start: bytes, part: bytes) -> None:
        async with await Wire.open(attack.port) as wire:
            await wire.send(start)
            await flood(wire, part, total, GONE_WITHIN)
            attack.require_closed([await wire.until_closed(GONE_WITHIN)], name)
            attack.count(wire, requests=1)

    await asyncio.gather(*(send(name, start, part) for name, (start, part) in kinds.items()))


@scenario("small-headers", "many requests on kept connections, each with 80 headers, about 8 kB in all")
async def small_headers(attack: Attack) -> None:
    lines = [f"X-{number}: {'x' * 90}" for number in range(80)]
    until = time.monotonic() + attack.amount(8, 1)

    async def one() -> None:
        async with await Wire.open(attack.port) as wire:
            while time.monotonic() < until:
                if not await wire.send(request("GET", "/a", *lines)) or not await wire.response():
                    break
                attack.report.requests += 1
            attack.count(wire)
            await wire.send(request("GET", "/a", "Connection: close", *lines))
            attack.require_over([await wire.until_closed(GONE_WITHIN)], "small requests")

    await asyncio.gather(*(one() for _ in range(8)))


# --- Never finished --------------------------------------------------------------------------------------------------

HALVES: dict[str, bytes] = {
    "half a request line": b"GET /heal",
    "half the headers": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ",
    "half a handshake": b"GET /api/tables/a/socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n",
    "a body that never comes": request(
        "POST", "/api/replay", "Content-Type: text/plain", "Content-Length: 1000", "Expect: 100-continue"
    ),
    "half a body": request("POST", "/api/me/redeem", "Content-Type: application/json", "Content-Length: 1000") + b"{",
    "half a chunk": request("POST", "/api/replay", "Content-Type: text/plain", "Transfer-Encoding: chunked")
    + b"FF\r\nx",
}


@scenario("half-sent", "500 connections that send half a request and stop, or a byte a second")
async def half_sent(attack: Attack) -> None:
    kinds: list[Callable[[], Awaitable[Ending]]] = []

    def stopping(half: bytes, after_a_good_one: bool) -> Callable[[], Awaitable[Ending]]:
        return lambda: _stop_halfway(attack, half, after_a_good_one)

    for half in HALVES.values():
        kinds += [stopping(half, False), stopping(half, True)]
    kinds += [lambda: _drip(attack, HALVES["half the headers"]), lambda: _drip(attack, HALVES["half a body"])]
    number = attack.amount(500, 4 * len(kinds))
    endings = await asyncio.gather(*(kinds[index % len(kinds)]() for index in range(number)))
    attack.require_closed(endings, "half-sent")
    attack.note(f"the last was gone after {max(ending.seconds for ending in endings):.0f} s")


async def _stop_halfway(attack: Attack, half: bytes, after_a_good_one: bool) -> Ending:
    try:
        wire = await Wire.open(attack.port)
    except OSError:
        return Ending(None, True, 0.0)
    async with wire:
        if after_a_good_one:
            await wire.send(request("GET", "/healthz"))
            await wire.response()
        await wire.send(half)
        ending = await wire.until_closed(GONE_WITHIN)
        attack.count(wire, requests=1)
        return ending


async def _drip(attack: Attack, start: bytes) -> Ending:
    try:
        wire = await Wire.open(attack.port)
    except OSError:
        return Ending(None, True, 0.0)
    async with wire:
        await wire.send(start)
        until = time.monotonic() + GONE_WITHIN
        while time.monotonic() < until and wire.closed_after is None:
            await wire.send(b" ")
            await wire.receive(1.0)
        attack.count(wire, requests=1)
        return wire.ending()


# --- Too many --------------------------------------------------------------------------------------------------------


@scenario("silent", "5,000 connections from one address that send nothing")
async def silent(attack: Attack) -> None:
    wires = await open_all(attack, attack.amount(5000, 400))
    fresh = await asyncio.gather(*(_fresh_status(attack) for _ in range(5)))
    attack.require(all(status == 200 for status in fresh), f"/healthz from the same address: {fresh}")
    attack.require_closed(await attack.until_hung_up(wires, GONE_WITHIN), "silent")
    attack.count(*wires)
    for wire in wires:
        wire.close()


async def _fresh_status(attack: Attack) -> int | None:
    try:
        async with asyncio.timeout(10):
            answer = await fetch(attack.port, "GET", "/healthz")
    except (OSError, TimeoutError):
        return None
    return answer.status if answer else None


@scenario("descriptors", "400 silent connections to a server that may open 300 files, while bots play", descriptors=300)
async def descriptors(attack: Attack) -> None:
    wires = await open_all(attack, 400)
    until = time.monotonic() + attack.amount(15, 5)
    try:
        await _play_with_bots(attack, "127.0.0.3")
    except (OSError, TimeoutError) as error:
        attack.require(False, f"a new player at another address is locked out: {error}")
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    attack.count(*wires)
    for wire in wires:
        wire.close()
    moves = sum(attack.server.default_moves().values())
    attack.require(moves == 0, f"{moves} default moves in place of bots")


async def _play_with_bots(attack: Attack, source: str) -> None:
    """Needs connections, and processes for the bots."""
    player = await Guest.create(attack.port, source)
    for _ in range(4):
        table = await player.made("/api/play-now", {"seats": 6, "bot": "broker"})
        socket = await Socket.open(attack.port, table, player.cookie, source)
        await socket.hello()
        attack.require(await socket.until("welcome") is not None, "a new player at another address gets no welcome")
        await _until_my_turn(socket)
        socket.close()
    player.close()


async def _until_my_turn(socket: Socket) -> None:
    """Let the bots before me play."""
    while (message := await socket.message(3.0)) is not None:
        if message.get("legal"):
            return


# --- Never read ------------------------------------------------------------------------------------------------------


@scenario("unread-assets", "5 connections that ask for the largest file over and over, and never read")
async def unread_assets(attack: Attack) -> None:
    path = await _largest_asset(attack)
    wires = [await Wire.open(attack.port, receive_buffer=4096) for _ in range(5)]
    until = time.monotonic() + attack.amount(20, 2)

    async def ask(wire: Wire) -> None:
        while time.monotonic() < until and await wire.send(request("GET", path), 1.0):
            attack.report.requests += 1
            await asyncio.sleep(0.12)  # together just within what one address may ask for

    await asyncio.gather(*(ask(wire) for wire in wires))
    if attack.is_full:
        attack.require_closed(await attack.until_hung_up(wires, UNREAD_WITHIN), "never read")
    attack.count(*wires)
    for wire in wires:
        wire.close()
    attack.note(f"{path} each time")


async def _largest_asset(attack: Attack) -> str:
    """Of the files that the first page names; the page itself where there is no client."""
    page = await fetch(attack.port, "GET", "/")
    assert page is not None
    sizes = {"/": len(page.body)}
    for path in sorted(set(re.findall(r"/assets/[\w.-]+", page.body.decode()))):
        found = await fetch(attack.port, "GET", path)
        sizes[path] = len(found.body) if found else 0
    return max(sizes, key=lambda path: sizes[path])


@scenario("unread-sockets", "20 WebSockets at a busy table that never read")
async def unread_sockets(attack: Attack) -> None:
    host = await Guest.create(attack.port)
    table = await host.made("/api/tables", {"seats": 3})
    sockets = [
        await Socket.open(attack.port, table, host.cookie, receive_buffer=4096) for _ in range(attack.amount(20, 6))
    ]
    for socket in sockets:
        await socket.hello()
    until = time.monotonic() + attack.amount(20, 3)
    number = 0
    while time.monotonic() < until:
        number += 1
        await host.call("POST", f"/api/tables/{table}/join", {"seed": str(number)})
        for socket in sockets:
            await socket.wire.send(frame(TEXT, b'{"type":"ping"}'), 0.1)
        await asyncio.sleep(0.05)
    wires = [socket.wire for socket in sockets]
    if attack.is_full:
        attack.require_closed(await attack.until_hung_up(wires, UNREAD_WITHIN), "never read")
    attack.count(*wires, requests=number)
    for wire in wires:
        wire.close()
    host.close()
