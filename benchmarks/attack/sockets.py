"""Attacks by WebSockets: frames that are none, floods of frames, and crowds that come and go."""

import asyncio

from benchmarks.attack.connections import GONE_WITHIN, MB, flood
from benchmarks.attack.scenario import Attack, scenario
from benchmarks.attack.wire import BINARY, PING, TEXT, Guest, Socket, frame, frame_head

KEPT_ALIVE = 50.0
"""Seconds after which a socket that the server does not listen to any more is gone: its pongs are not heard."""

# --- Frames ----------------------------------------------------------------------------------------------------------

CONTINUATION = 0
_HELLO = frame(TEXT, b'{"type":"hello","version":1}')


def _frames(attack: Attack) -> dict[str, tuple[bytes, bytes, int]]:
    """What is sent first, what is sent over and over after that, and how many bytes of it."""
    large = attack.amount(10 * MB, 2 * MB)
    many = attack.amount(4 * MB, MB // 2)
    return {
        "fragments of one byte": (
            frame(TEXT, b"{", final=False),
            frame(CONTINUATION, b" ", final=False) * 1000,
            many,
        ),
        "a message without an end": (
            frame(TEXT, b" " * 1000, final=False),
            frame(CONTINUATION, b" " * 1000, final=False) * 10,
            large,
        ),
        "empty fragments": (frame(TEXT, b"", final=False), frame(CONTINUATION, b"", final=False) * 1000, many),
        "a frame of 10 MB": (frame_head(TEXT, 10 * MB), b" " * 65536, large),
        "a frame of 2^62 bytes": (frame_head(TEXT, 2**62), b" " * 65536, large),
        "a flood of pings": (_HELLO, frame(PING, b"x" * 125) * 100, many),
        "a flood of messages": (_HELLO, frame(TEXT, b'{"type":"ping"}') * 100, many),
        "a flood of nonsense": (_HELLO, frame(TEXT, b"[" * 3000) * 20, many),
        "frames without a mask": (frame(TEXT, b"{}", masked=False), b"", 0),
        "binary": (frame(BINARY, b"\xff" * 100), b"", 0),
        "no UTF-8": (frame(TEXT, b"\xff\xfe"), b"", 0),
        "reserved bits": (b"\xf1\x80\0\0\0\0", b"", 0),
        "an unknown opcode": (b"\x8b\x80\0\0\0\0", b"", 0),
        "a ping of 200 bytes": (frame(PING, b"x" * 200), b"", 0),
        "a close of one byte": (frame(8, b"x"), b"", 0),
        "a continuation of nothing": (frame(CONTINUATION, b"x"), b"", 0),
        "no hello": (b"", b"", 0),
        "half a frame": (frame_head(TEXT, 1000)[:3], b"", 0),
    }


@scenario("frames", "1-byte fragments, endless messages, frames of 10 MB, floods of pings, frames that are none")
async def frames(attack: Attack) -> None:
    host = await Guest.create(attack.port)
    table = await host.made("/api/tables", {"seats": 3})
    host.close()

    async def send(name: str, start: bytes, part: bytes, total: int) -> None:
        socket = await Socket.open(attack.port, table, host.cookie)
        reader = asyncio.create_task(_read_all(socket))
        await socket.wire.send(start)
        if part:
            await flood(socket.wire, part, total, GONE_WITHIN)
        # Those that the server has answered may have to wait for a ping of its own; `make test` does not wait so long.
        await asyncio.wait([reader], timeout=2.0)
        if attack.is_full or not socket.pongs:
            await asyncio.wait([reader], timeout=KEPT_ALIVE if attack.is_full else GONE_WITHIN)
            attack.require(reader.done(), f"{name}: still open")
        reader.cancel()
        attack.ended([_ending(socket)])
        attack.count(socket.wire)
        socket.close()

    await asyncio.gather(*(send(name, *sent) for name, sent in _frames(attack).items()))


async def _read_all(socket: Socket) -> None:
    while socket.close_code is None and socket.wire.closed_after is None:
        await socket.message(KEPT_ALIVE)


def _ending(socket: Socket) -> str:
    if socket.close_code is not None:
        return f"closed {socket.close_code}"
    if socket.wire.closed_after is not None:
        return "disconnected"
    return "answered" if socket.pongs else "left open"


# --- Crowds ----------------------------------------------------------------------------------------------------------

CROWD_ADDRESSES = 10


@scenario("crowd", "500 spectators come to one table and leave again", arguments=("--max-sockets", "600"))
async def crowd(attack: Attack) -> None:
    host = await Guest.create(attack.port)
    table = await host.made("/api/tables", {"seats": 3})
    host.close()
    number = attack.amount(500, 100)
    spectators: list[Socket] = []
    readers: list[asyncio.Task[None]] = []

    async def come(index: int) -> None:
        source = f"127.0.1.{index % CROWD_ADDRESSES + 1}"
        socket = await Socket.open(attack.port, table, source=source)
        await socket.hello()
        spectators.append(socket)
        readers.append(asyncio.create_task(_read_all(socket)))

    for first in range(0, number, 20):
        await asyncio.gather(*(come(index) for index in range(first, first + 20)))
    await asyncio.sleep(2.0)
    arrived = sum(socket.received for socket in spectators)
    for socket, reader in list(zip(spectators, readers, strict=True))[: number // 2]:
        reader.cancel()
        socket.close()
        await asyncio.sleep(0)
    await asyncio.sleep(2.0)
    for socket, reader in zip(spectators, readers, strict=True):
        reader.cancel()
        attack.count(socket.wire)
        socket.close()
    received = sum(socket.received for socket in spectators)
    each = received / number
    attack.ended(["answered 101"] * number)
    attack.note(
        f"{each:.0f} messages to each of {number} ({arrived:,} while they came, {received - arrived:,} as half left)"
    )
    attack.require(each <= number / 10, f"{each:.0f} messages to each of {number} spectators")
