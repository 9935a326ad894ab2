"""Nonsense of every kind, from bytes that are no HTTP to messages that are nearly right.

Every answer is one of the protocol, or the connection is closed in order; never a status of 5xx; and the server's log
has nothing in it. The same nonsense each time; `make fuzz` sends more of it, from `FUZZ_SEED`.
"""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from forsale import bots
from forsale.client import Client, Options, play_bot
from forsale.server.protocol import VERSION, Ack, Act, Closing, Pong, Refused, ServerMessage, Welcome
from forsale.server.wire import Pass
from tests.server.system.people import gather_at_table, guests
from tests.server.system.server_process import ServerProcess

WITHIN = 60.0
FRAMES = 12
"""On one connection: fewer than are too many at once."""
THE_END = Act("the end", 0, Pass())
CLOSED = {1000, 1002, 1003, 1007, 1008, 1009, 1012, 1013}
"""How a connection may be closed: never 1011, which stands for an error of the server, nor 1006, no close at all."""

AT_ONCE = 24
"""Connections; after some kinds of nonsense the server takes a second to close one."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("fuzz")) as running:
        yield running


@pytest.fixture(autouse=True)
def well(server: ServerProcess) -> Iterator[None]:
    """After each test the server is as well as before."""
    yield
    assert server.trouble() == []
    with urllib.request.urlopen(f"{server.address}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    assert "\nforsale_faults_total 0\n" in text
    assert "\nforsale_errors_total" not in text


@dataclass(frozen=True)
class Places:
    """Tables in each of their states, and people who may and may not do something there."""

    tables: tuple[str, ...]
    people: tuple[Client, ...]


async def places(people: list[Client]) -> Places:
    ana, bo, *_ = people
    waiting = (await ana.create(Options(seats=3))).id
    buying = await gather_at_table([ana, bo], Options(seats=3))
    over = await gather_at_table([ana], Options(seats=3, bot="random"))
    async with ana.sit(over) as seat:
        await play_bot(seat, bots.make("random"), Random(1))
    selling = await gather_at_table([ana], Options(seats=3, bot="random"))
    async with ana.sit(selling) as seat:
        while seat.position is None or seat.position.phase == "buying":
            await seat.until(lambda at: at.must_act)
            if seat.position is not None and seat.position.phase == "buying":
                await seat.act(seat.legal[0])
    return Places((waiting, buying, selling, over, "unknown"), tuple(people))


# --- Messages on a socket ------------------------------------------------------------------------------------------

Json = object
STRANGE: list[Json] = [
    *(None, True, -1, 0, 1, 3, 9999, 10_000, 2**53, 2**63, 2**64, -(2**64), 1.5, 1e308, "", "x", "x" * 65, "x" * 300),
    *(
        "\x00",
        "\u202e",
        "😀",
        "👏",
        "<script>",
        "|",
        '"',
        [],
        {},
        [[]],
        [None] * 50,
        {"kind": "bid"},
        {"type": "hello"},
    ),
    *({"kind": "pass"}, {"kind": "sell", "house": 3}, {"kind": "bid", "amount": 1}, {"kind": "raise-to", "limit": 3}),
]
MESSAGES: list[dict[str, Json]] = [
    {"type": "hello", "version": VERSION, "last": 0},
    {"type": "act", "id": "1", "based_on": 9, "action": {"kind": "bid", "amount": 1}},
    {"type": "act", "id": "2", "based_on": 99, "action": {"kind": "pass"}},
    {"type": "act", "id": "3", "based_on": 99, "action": {"kind": "sell", "house": 7}},
    {"type": "plan", "id": "4", "plan": {"kind": "raise-to", "limit": 4}},
    {"type": "plan", "id": "5", "plan": None},
    {"type": "say", "id": "6", "text": "hello"},
    {"type": "react", "id": "7", "reaction": "👏"},
    {"type": "here"},
    {"type": "ping"},
]


def nearly_right(rng: Random) -> str:
    """A message with a value, a name or a field that does not belong there."""
    message: dict[str, Json] = dict(rng.choice(MESSAGES))
    for _ in range(rng.randrange(3)):
        field = rng.choice([*message, "id", "action", "plan", "last", "extra"])
        match rng.randrange(3):
            case 0:
                message.pop(field, None)
            case 1:
                message[field] = rng.choice(STRANGE)
            case _:
                message[rng.choice(["", "__class__", "Type", field * 2])] = message.get(field)
    return json.dumps(message, ensure_ascii=rng.random() < 0.5)


def broken(rng: Random) -> str:
    """JSON that something happened to on its way."""
    text = list(nearly_right(rng))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(3):
            case 0:
                text[at : at + rng.randrange(8)] = []
            case 1:
                text.insert(at, rng.choice('{}[]",:\\u0e+-.\x00\x7fé𝄞'))
            case _:
                text[at:at] = text[rng.randrange(len(text) + 1) :][:20]
    return "".join(text)


def no_json(rng: Random) -> str:
    deep = rng.choice([10, 1000])
    return rng.choice(["", " ", "null", "NaN", "1e999", "[" * deep + "]" * deep, '{"a":' * deep, '"\\ud800"', "{}{}"])


def noise(rng: Random) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 10, 200]))


def too_long(rng: Random) -> str:
    return json.dumps({"type": "say", "id": "1", "text": "x" * rng.choice([3000, 4090, 5000, 20_000, 70_000])})


KINDS: list[Callable[[Random], str | bytes]] = [nearly_right] * 8 + [broken] * 4 + [no_json, noise, too_long]


async def talk(server: ServerProcess, at: Places, rng: Random) -> int:
    """One connection: perhaps a hello, nonsense, and at last something that must be answered. How many answers came."""
    table, person = rng.choice(at.tables), rng.choice([*at.people, None])
    address = f"ws{server.address.removeprefix('http')}/api/tables/{table}/socket"
    headers = {} if person is None else person._http.headers
    origin = Origin(server.address)
    async with connect(address, additional_headers=headers, origin=origin, proxy=None, compression=None) as socket:
        try:
            if rng.random() < 0.9:
                await socket.send(json.dumps({"type": "hello", "version": rng.choice([VERSION] * 9 + [0]), "last": 0}))
            for _ in range(FRAMES):
                await socket.send(rng.choice(KINDS)(rng))
            await socket.send(msgspec.json.encode(THE_END), text=True)
        except ConnectionClosed:
            pass
        return await answers(socket)


_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


async def hang_up(socket: ClientConnection) -> None:
    """Close, and read on meanwhile: behind messages that nobody takes, the client would never see the answer."""
    closing = asyncio.create_task(socket.close())
    with suppress(ConnectionClosed):
        async for _ in socket:
            pass
    await closing


async def answers(socket: ClientConnection) -> int:
    """Read until the answer to the last message, or a close in order; all that comes is of the protocol."""
    count, was_told = 0, False
    try:
        async for data in socket:
            message = _DECODER.decode(data)
            count += 1
            was_told = isinstance(message, Closing)
            if isinstance(message, Ack | Refused) and message.id == THE_END.id:
                break
    except ConnectionClosed:
        pass
    await hang_up(socket)
    assert socket.close_code in CLOSED, socket.close_code
    assert was_told or socket.close_code in (1000, 1007, 1009), f"closed with {socket.close_code} without a word"
    return count


def send_nonsense(server: ServerProcess, connections: int, seed: str) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Watcher") as people:
            at = await places(people)
            counts = []
            for number in range(0, connections, AT_ONCE):
                rngs = [Random(f"{seed} {number + each}") for each in range(AT_ONCE)]
                counts += await asyncio.gather(*(talk(server, at, rng) for rng in rngs))
            assert sum(counts) > 5 * connections

    asyncio.run(asyncio.wait_for(test(), WITHIN + connections))


def test_messages(server: ServerProcess) -> None:
    send_nonsense(server, 120, "1")


@pytest.mark.fuzz
def test_more_messages(server: ServerProcess) -> None:
    send_nonsense(server, int(os.environ.get("FUZZ_SOCKETS", "2000")), os.environ.get("FUZZ_SEED", "2"))


def test_a_message_that_is_refused_changes_nothing(server: ServerProcess) -> None:
    """Each wrong message has its refusal, in order, and the connection stays as good as new."""

    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy") as people:
            ana, *_ = people
            table = await gather_at_table(people, Options(seats=3))  # without a bot, which might act in between
            address = f"ws{server.address.removeprefix('http')}/api/tables/{table}/socket"
            async with connect(address, additional_headers=ana._http.headers, proxy=None) as socket:
                await socket.send('{"type":"hello","version":1}')
                welcome = _DECODER.decode(await socket.recv())
                assert isinstance(welcome, Welcome)
                for text in ("", "{}", "[]", '{"type":"act"}', '{"type":"hello","version":1}', '{"type":"move"}'):
                    await socket.send(text)
                    refused = _DECODER.decode(await socket.recv())
                    assert isinstance(refused, Refused)
                    assert (refused.id, refused.code) == (None, "message/bad")
                await socket.send('{"type":"ping"}')
                assert isinstance(_DECODER.decode(await socket.recv()), Pong)

    asyncio.run(asyncio.wait_for(test(), WITHIN))


# --- Bytes ---------------------------------------------------------------------------------------------------------

UPGRADE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
POST = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
BYTES = {
    "nothing": b"",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    "no version": b"GET /\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "strange host": b"POST /api/play-now HTTP/1.1\r\nHost: \xff<>\r\nContent-Length: 0\r\n\r\n",
    "strange path": b"GET /%00%ff/../../etc/passwd?\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "long path": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"a" * 200_000 + b"\r\n\r\n",
    "strange cookie": b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: forsale_guest=\xff.x.\xc3\xa9\r\n\r\n",
    "strange method": b"BREW /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "short body": POST + b"Content-Length: 100\r\n\r\n{}",
    "negative length": POST + b"Content-Length: -1\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "huge length": POST + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    "bad chunks": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "length and chunks": POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x\r\n",
    "half a handshake": UPGRADE[:80],
    "no frame": UPGRADE + b"\xff" * 40,
    "frame without a mask": UPGRADE + b"\x81\x05hello",
    "strange opcode": UPGRADE + b"\x8b\x80\x00\x00\x00\x00",
    "reserved bits": UPGRADE + b"\xf1\x80\x00\x00\x00\x00",
    "no text": UPGRADE + b"\x81\x82\x00\x00\x00\x00\xff\xfe",
    "a frame of 2^63 bytes": UPGRADE + b"\x81\xff" + b"\xff" * 8 + b"\x00" * 4,
    "a fragment without an end": UPGRADE + b"\x01\x81\x00\x00\x00\x00x",
    "a continuation of nothing": UPGRADE + b"\x80\x81\x00\x00\x00\x00x",
    "a long ping": UPGRADE + b"\x89\xfe\x00\x80\x00\x00\x00\x00" + b"x" * 128,
    "a strange close": UPGRADE + b"\x88\x82\x00\x00\x00\x00\x00\x01",
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes(server: ServerProcess, name: str) -> None:
    """Sent, and then the sender goes. The server closes its end, and what it said was no 5xx."""

    async def test() -> bytes:
        port = int(server.address.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(BYTES[name])
            await writer.drain()
            writer.write_eof()
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    answer = asyncio.run(asyncio.wait_for(test(), 20))
    assert not answer or answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 4", b"HTTP/1.1 101")), answer[:200]


# --- Requests ------------------------------------------------------------------------------------------------------

CONFIG = """
[auth.openapi.guest]
api_key = "{cookie}"

# What one field allows another may forbid, and a name, a seed or a record may be refused for what it holds.
[[operations]]
include-path-regex = "^/api/(me|tables|play-now|replay|tables/.id./(join|replay))$"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "429"]
"""


def run_schemathesis(server: ServerProcess, folder: Path, cookie: str, table: str | None) -> None:
    """All its checks on all requests that the server says it answers; of a table, or of strange ids."""
    text = CONFIG.format(cookie=cookie)
    only: list[str] = []
    if table is not None:
        text += f'[parameters]\n"path.id" = "{table}"\n'
        only = ["--include-path-regex", "{id}"]
    (folder / "schemathesis.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.address}/api/openapi.json", *only]
    command += ["--checks", "all", "--phases", "examples,coverage,fuzzing", "--mode", "all", "--warnings", "off"]
    command += ["--max-examples", "12", "--seed", "1", "--no-shrink", "--continue-on-failure"]
    command += ["--generation-database", "none"]
    command += ["--exclude-path", "/api/me/sign-out"]  # afterwards the cookie of this test is no longer valid
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("number", [None, 0, 1, 2, 3], ids=["strange", "waiting", "buying", "selling", "over"])
def test_requests(server: ServerProcess, number: int | None, tmp_path: Path) -> None:
    async def prepare() -> tuple[str, str | None]:
        async with guests(server.address, "Ana", "Bo") as people:
            found = await places(people)
            assert people[0].cookie is not None
            return people[0].cookie, None if number is None else found.tables[number]

    cookie, table = asyncio.run(asyncio.wait_for(prepare(), WITHIN))
    run_schemathesis(server, tmp_path, cookie, table)
