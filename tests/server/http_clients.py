"""A connection of the server without a network: a transport, an event loop and a clock that a test drives."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from forsale.server.connections import Connections
from forsale.server.http_connection import (
    HttpConnection,
)
from forsale.server.limits import OVER_RATE
from forsale.server.transport import Transport

GET = b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
SOCKET = (
    b"GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)
KEEP_ALIVE = 5.0
"""uvicorn's own timeout between two requests."""


class Timer:
    def __init__(self, at: float, callback: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.at = at
        self.callback = callback
        self.arguments = arguments
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True
        self.callback, self.arguments = _nothing, ()


def _nothing() -> None:
    raise AssertionError("a cancelled timer fired")


class ManualLoop:
    """Tasks run in the real event loop; time goes by only in `advance`."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, callback: Callable[..., None], *arguments: Any) -> Timer:
        self.timers.append(Timer(self.now + seconds, callback, arguments))
        return self.timers[-1]

    def create_task(self, coroutine: Any) -> "asyncio.Task[Any]":
        return asyncio.get_running_loop().create_task(coroutine)

    def advance(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [timer for timer in self.pending if timer.at <= until]:
            timer = min(due, key=lambda timer: timer.at)
            self.timers.remove(timer)
            self.now = timer.at
            timer.callback(*timer.arguments)
        self.now = until

    @property
    def pending(self) -> list[Timer]:
        return [timer for timer in self.timers if not timer.is_cancelled]


class FakeTransport(asyncio.Transport):
    """The server's end of a connection."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 5000), "sockname": ("127.0.0.1", 80)})
        self.sent = b""
        self.unsent = 0
        """Bytes that the client does not read."""
        self.ended: str | None = None
        self.has_sent_eof = False
        self.is_paused = False
        self.protocol: Any = None
        self.eof_possible = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.has_sent_eof
        self.sent += bytes(data)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def can_write_eof(self) -> bool:
        return self.eof_possible

    def write_eof(self) -> None:
        self.has_sent_eof = True

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def is_closing(self) -> bool:
        return self.ended is not None

    def close(self) -> None:
        if not self.unsent:
            self._end("closed")

    def abort(self) -> None:
        self._end("aborted")

    def _end(self, how: str) -> None:
        if self.ended is None:
            self.ended = how
            asyncio.get_running_loop().call_soon(self._lose)

    def _lose(self) -> None:
        protocol, self.protocol = self.protocol, None
        protocol.connection_lost(None)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self.protocol
        return protocol


class Server:
    """What all connections share. The app answers what a test says."""

    def __init__(self, limit: int = 100, per_address: int = 100) -> None:
        self.loop = ManualLoop()
        self.connections = Connections(limit, per_address, ["127.0.0.1"], clock=self.loop.time)
        self.seen: list[str] = []
        self.bodies: list[bytes] = []
        self.status = 200
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.reads_body = True
        self.is_over_rate = False
        self.config = uvicorn.Config(self.app, ws=Transport, lifespan="off", log_config=None, interface="asgi3")
        self.config.load()
        self.state = ServerState()

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            assert (await receive())["type"] == "websocket.disconnect"
            return
        self.seen.append(scope["path"])
        if self.is_over_rate:
            scope[OVER_RATE] = True
        body = b""
        more = self.reads_body
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message["body"]
            more = message["more_body"]
        self.bodies.append(body)
        await self.may_answer.wait()
        text = str(len(self.bodies)).encode()
        headers = [(b"content-length", b"%d" % len(text))]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    def connect(self, address: str = "192.0.2.1") -> "Client":
        return Client(self, address)


class Client:
    """One connection, seen from outside."""

    def __init__(self, server: Server, address: str) -> None:
        self.server = server
        self.transport = FakeTransport(address)
        self.protocol = HttpConnection(
            config=server.config,
            server_state=server.state,
            app_state={},
            _loop=server.loop,
            connections=server.connections,
        )
        self.transport.protocol = self.protocol
        self.protocol.connection_made(self.transport)

    async def send(self, data: bytes) -> None:
        """In one piece; then the server does what it can do at once."""
        if self.transport.protocol is not None:
            self.transport.protocol.data_received(data)
        await settle()

    async def wait(self, seconds: float) -> None:
        self.server.loop.advance(seconds)
        await settle()

    async def end(self) -> None:
        """The client closes its side; the transport closes as the protocol wants it."""
        if not self.transport.protocol.eof_received():
            self.transport.close()
        await settle()

    @property
    def statuses(self) -> list[int]:
        return [int(part[:3]) for part in self.transport.sent.split(b"HTTP/1.1 ")[1:]]

    @property
    def is_lingering(self) -> bool:
        return self.transport.has_sent_eof and self.transport.ended is None

    def problem(self, status: int, code: str) -> None:
        """The last response is a refusal that ends the connection."""
        assert self.statuses[-1] == status
        head, _, body = self.transport.sent.rpartition(b"\r\n\r\n")
        assert b"\r\nconnection: close" in head
        assert b"\r\ncontent-length: %d" % len(body) in head
        assert json.loads(body)["code"] == code


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(test: Callable[[Server], Awaitable[None]], **limits: int) -> None:
    async def whole() -> None:
        await test(Server(**limits))

    asyncio.run(whole())


def head(size: int) -> bytes:
    """With a request line and headers of so many bytes, as they are counted: without the method and the version."""
    return b"GET /a HTTP/1.1\r\nX: " + b"x" * (size - 7) + b"\r\n\r\n"
