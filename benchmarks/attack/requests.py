"""Attacks by requests: too large, malformed, refused handshakes, and more of them than one address may send."""

import asyncio
from collections import Counter
from random import Random

from benchmarks.attack.connections import GONE_WITHIN, MB
from benchmarks.attack.scenario import Attack, scenario
from benchmarks.attack.wire import PATIENCE, Guest, Wire, fetch, frame, handshake, request

# --- Too large -------------------------------------------------------------------------------------------------------


@scenario("too-large", "bodies of 50 MB, sent whole before the client reads: each must be able to read a 413")
async def too_large(attack: Attack) -> None:
    guest = await Guest.create(attack.port)
    size = attack.amount(50 * MB, 5 * MB)
    json_type, text_type = "Content-Type: application/json", "Content-Type: text/plain"
    length, chunked = f"Content-Length: {size}", "Transfer-Encoding: chunked"
    whole, chunk = b"x" * size, b"10000\r\n" + b"x" * 65536 + b"\r\n"
    chunks = chunk * (size // 65536) + b"0\r\n\r\n"
    kinds = {
        "JSON": request("PUT", "/api/me", guest.cookie, json_type, length) + whole,
        "JSON in chunks": request("PUT", "/api/me", guest.cookie, json_type, chunked) + chunks,
        "a record": request("POST", "/api/replay", text_type, length) + whole,
        "a record in chunks": request("POST", "/api/replay", text_type, chunked) + chunks,
        "a stranger's JSON": request("POST", "/api/me/redeem", json_type, length) + whole,
    }
    for name, data in kinds.items():
        async with await Wire.open(attack.port) as wire:
            # A client that cannot send all of it never reads: to it the connection has just broken.
            answer = await wire.response() if await wire.send(data, 2 * PATIENCE) else None
            attack.count(wire, requests=1)
            _require_413(attack, name, None if answer is None else answer.status)
    await _expecting(attack, guest, json_type, length)


async def _expecting(attack: Attack, guest: Guest, *headers: str) -> None:
    """A client that asks first whether it may send."""
    async with await Wire.open(attack.port) as wire:
        await wire.send(request("PUT", "/api/me", guest.cookie, "Expect: 100-continue", *headers))
        answer = await wire.response(5.0)
        if answer is not None and answer.status == 100:
            await wire.send(b"x" * attack.amount(50 * MB, 5 * MB), 2 * PATIENCE)
            answer = await wire.response()
        attack.count(wire, requests=1)
        _require_413(attack, "Expect: 100-continue", None if answer is None else answer.status)


def _require_413(attack: Attack, name: str, status: int | None) -> None:
    attack.ended(["disconnected" if status is None else f"answered {status}"])
    attack.require(status == 413, f"{name}: expected a 413, got {status or 'a broken connection'}")


# --- Refused handshakes ----------------------------------------------------------------------------------------------

MAX_LOG = 50_000
"""Bytes that the server may write for all of them."""
SOCKET = "/api/tables/a/socket"
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade")
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
BAD_HANDSHAKES = (
    handshake(SOCKET, "Origin: http://evil.example"),
    handshake("/api/tables/a/nothing"),
    request("GET", SOCKET, *UPGRADE, KEY, "Sec-WebSocket-Version: 7"),
    request("GET", SOCKET, *UPGRADE, "Sec-WebSocket-Key: short", "Sec-WebSocket-Version: 13"),
    request("GET", SOCKET, *UPGRADE, "Sec-WebSocket-Version: 13"),
    request("GET", SOCKET, *UPGRADE),
    request("POST", SOCKET, *UPGRADE, KEY, "Sec-WebSocket-Version: 13"),
    request("GET", SOCKET, *UPGRADE, KEY, KEY, "Sec-WebSocket-Version: 13"),
    handshake(SOCKET, "Origin: null"),
)


@scenario("handshakes", "5,000 WebSocket handshakes that must be refused: wrong Origin, version or key")
async def handshakes(attack: Attack) -> None:
    number, before = attack.amount(5000, 600), attack.server.log_size()
    waiting = iter(range(number))

    async def refuse() -> None:
        for index in waiting:
            try:
                wire = await Wire.open(attack.port)
            except OSError:
                attack.report.endings["refused"] += 1
                continue
            async with wire:
                await wire.send(BAD_HANDSHAKES[index % len(BAD_HANDSHAKES)])
                while wire.ending().status is None and wire.closed_after is None:
                    if not await wire.receive(GONE_WITHIN):
                        break
                attack.require_over([wire.ending()], "handshake")
                attack.require(wire.ending().status != 101, f"let in: {BAD_HANDSHAKES[index % len(BAD_HANDSHAKES)]!r}")
                attack.count(wire, requests=1)

    await asyncio.gather(*(refuse() for _ in range(20)))
    logged, allowed = attack.server.log_size() - before, attack.amount(MAX_LOG, MAX_LOG // 5)
    attack.note(f"{logged / 1000:.1f} kB of log")
    attack.require(logged <= allowed, f"{logged:,} bytes of log for {number:,} refused handshakes")


# --- Metrics ---------------------------------------------------------------------------------------------------------


@scenario("metrics", "/metrics asked for through a proxy, with and without the token")
async def metrics(attack: Attack) -> None:
    token = f"Authorization: Bearer {attack.server.token}"
    forwarded = "X-Forwarded-For: 203.0.113.9"
    cases: list[tuple[int, tuple[str, ...]]] = [
        (404, (forwarded,)),
        (404, ("X-Forwarded-For: 127.0.0.1",)),
        (404, ("X-Forwarded-For: 203.0.113.9, 127.0.0.1",)),
        (404, (forwarded, "Authorization: Bearer wrong")),
        (404, (forwarded, "Authorization: Bearer ")),
        (200, (forwarded, token)),
        (200, (token,)),
    ]
    for status, headers in cases:
        answer = await fetch(attack.port, "GET", "/metrics", *headers)
        attack.report.requests += 1
        got = None if answer is None else answer.status
        attack.ended(["disconnected" if got is None else f"answered {got}"])
        shown = [header.replace(attack.server.token, "TOKEN") for header in headers]
        attack.require(got == status, f"/metrics with {shown}: expected {status}, got {got}")


# --- Malformed -------------------------------------------------------------------------------------------------------

_POST = ("POST", "/api/me/redeem", "Content-Type: application/json")
_CHUNKED = request(*_POST, "Transfer-Encoding: chunked")
_HELLO = bytes.fromhex("16030100c8010000c40303") + b"\x5a" * 194 + b"\x00" * 5
MALFORMED: dict[str, bytes] = {
    "two Origin headers": request(
        *_POST, "Origin: http://127.0.0.1", "Origin: http://evil.example", body=b'{"secret":"x"}'
    ),
    "Content-Length twice": request(*_POST, "Content-Length: 2", "Content-Length: 3") + b"{} ",
    "Content-Length and chunks": request(*_POST, "Content-Length: 2", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "negative Content-Length": request(*_POST, "Content-Length: -1"),
    "huge Content-Length": request(*_POST, f"Content-Length: {'9' * 40}"),
    "no chunk size": _CHUNKED + b"zz\r\n",
    "huge chunk size": _CHUNKED + b"fffffffffffffffffffff\r\n",
    "negative chunk size": _CHUNKED + b"-1\r\n",
    "NUL in a header": b"GET / HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n",
    "NUL in a header's name": b"GET / HTTP/1.1\r\nHost: a\r\nX\0A: b\r\n\r\n",
    "NUL in the URL": b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
    "bare CR": b"GET / HTTP/1.1\rHost: a\r\r",
    "space before a colon": b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "folded header": b"GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n",
    "no Host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "absolute URL": b"GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "absolute URL that is none": b"GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    "asterisk": b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "percent signs": b"GET /%zz%00%ff%c0%ae HTTP/1.1\r\nHost: a\r\n\r\n",
    "bytes above 127": b"GET /\xff\xfe HTTP/1.1\r\nHost: \xff\r\nCookie: \xff\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/1.0": b"GET /healthz HTTP/1.0\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    "unknown method": b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
    "TLS": _HELLO,
    "h2c upgrade": b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n",
    "a frame without a handshake": frame(1, b"{}") * 10,
    "random bytes": Random(16).randbytes(100_000),
    "random lines": b"\r\n".join(Random(number).randbytes(50) for number in range(1000)),
}
REFUSED = {
    "two Origin headers": {400, 403},
    "Content-Length twice": {400},
    "Content-Length and chunks": {400},
    "negative Content-Length": {400},
    "no chunk size": {400},
}
"""What must be answered with one of these, or by closing the connection."""


@scenario("malformed", "what is no HTTP, or two things at once: headers twice, bad chunks, TLS, random bytes")
async def malformed(attack: Attack) -> None:
    async def send(name: str, data: bytes) -> None:
        async with await Wire.open(attack.port) as wire:
            await wire.send(data)
            while wire.ending().status is None and wire.closed_after is None:
                if not await wire.receive(GONE_WITHIN):
                    break
            ending = wire.ending()
            attack.count(wire, requests=1)
            attack.require_over([ending], name)
            status = ending.status
            attack.require(status is None or status < 500, f"{name}: answered {status}")
            allowed = REFUSED.get(name)
            attack.require(allowed is None or status is None or status in allowed, f"{name}: answered {status}")

    await asyncio.gather(*(send(name, data) for name, data in MALFORMED.items()))


# --- More than one address may send ----------------------------------------------------------------------------------


@scenario("rates", "1,000 new guests, 1,000 unknown tables and records of 1 MiB from one address")
async def rates(attack: Attack) -> None:
    number = attack.amount(1000, 250)
    # More guests than the address may make at once, so the last ones must be refused.
    guests = await _all(attack, request("GET", "/api/me"), number)
    attack.require(guests[429] > 0 and guests[200] <= number // 2, f"new guests: {dict(guests)}")
    await asyncio.sleep(attack.amount(5, 0))  # until the address may ask for something again
    tables = await _all(attack, request("GET", "/api/tables/nosuchtable"), number)
    attack.require(set(tables) <= {404, 429}, f"unknown tables: {dict(tables)}")
    await asyncio.sleep(attack.amount(5, 0))
    record = request("POST", "/api/replay", "Content-Type: text/plain", body=_record())
    records = await _all(attack, record, number // 25)
    attack.require(records[429] > 0, f"records: {dict(records)}")
    attack.note(f"guests {_shown(guests)}; tables {_shown(tables)}; records {_shown(records)}")


async def _all(attack: Attack, data: bytes, number: int) -> Counter[int]:
    """Send a request again and again on a few connections, and count how it is answered; 0 is not at all."""
    statuses: Counter[int] = Counter()
    waiting = iter(range(number))

    async def send_some() -> None:
        wire: Wire | None = None
        for _ in waiting:
            wire = wire or await Wire.open(attack.port)
            answer = await wire.response() if await wire.send(data) else None
            statuses[answer.status if answer else 0] += 1
            # A connection that was refused once may be kept waiting, so the attacker takes a fresh one.
            if answer is None or answer.status == 429 or wire.has_hung_up():
                attack.count(wire)
                wire.close()
                wire = None
        if wire is not None:
            attack.count(wire)
            wire.close()

    await asyncio.gather(*(send_some() for _ in range(8)))
    attack.report.requests += number
    attack.ended([f"answered {status}" if status else "disconnected" for status in statuses.elements()])
    return statuses


def _record() -> bytes:
    """A whole game in a record of nearly 1 MiB: the rest is comments."""
    lines = EXAMPLE.splitlines()
    filler = "{" + "x" * 200 + "}"
    room = MB - len(EXAMPLE.encode()) - 1000
    lines[-1] += f" {filler}" * (room // (len(filler) + 1))
    return ("\n".join(lines) + "\n").encode()


EXAMPLE = """\
[ForSale "1"]
[Edition "iello-2020"]
[Players "Ana|Bo|Cy|Dot"]
[First "A"]

B1 7 14 27 28 : A2 B4 C- D- A- | A27@1 B28@4 C7@0 D14@0
B2 5 11 17 29 : B2 C4 D6 A- B- C- | A5@0 B11@1 C17@2 D29@6
B3 18 19 23 24 : D2 A3 B- C- D- | A24@3 B18@0 C19@0 D23@1
B4 4 8 20 21 : A2 B4 C6 D- A- B- | A8@1 B20@2 C21@6 D4@0
"""


def _shown(statuses: Counter[int]) -> str:
    return ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
