"""An HTTP connection: limits in size and time, and responses that arrive however the client behaves.

Driven without a network: a transport that notes what is done with it, and timers that fire when a test says so.
"""

import asyncio
import gc
import json
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from forsale.server import http_connection
from forsale.server.connections import Connections
from forsale.server.http_connection import (
    EXCHANGE_TIMEOUT,
    HEAD_TIMEOUT,
    LINGER_LIMIT,
    LINGER_QUIET,
    MAX_HEAD,
    MAX_HEADERS,
    MAX_PIPELINED,
    OVER_RATE_PAUSE,
    PARSED_AT_ONCE,
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


# --- The head of a request -----------------------------------------------------------------------------------


def test_requests_one_after_the_other() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        for number in range(3):
            await client.send(GET)
            assert client.statuses == [200] * (number + 1)
        await client.send(POST + b"0123")
        await client.send(b"456789" + GET)
        assert client.statuses == [200] * 5
        assert server.bodies[3] == b"0123456789"
        await client.wait(KEEP_ALIVE)
        assert client.transport.ended == "closed"
        assert server.loop.pending == []

    run(test)


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"GET /", b"a" * 65536),
        (b"GET /", b"a"),
        (b"GET / HTTP/1.1\r\nX: ", b"a" * 65536),
        (b"GET / HTTP/1.1\r\nX: ", b"a"),
        (b"GET / HTTP/1.1\r\n", b"a" * 65536),
        (b"GET / HTTP/1.1\r\n", b"ab: cd\r\n" * 8192),
    ],
)
def test_a_head_without_an_end(start: bytes, more: bytes) -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(start)
        sent = 0
        while not client.statuses:
            await client.send(more)
            sent += len(more)
            assert sent <= MAX_HEAD + len(more)
        client.problem(431, "request/too-large")
        assert client.is_lingering
        assert server.seen == []

    run(test)


def head(size: int) -> bytes:
    """With a request line and headers of so many bytes, as they are counted: without the method and the version."""
    return b"GET /a HTTP/1.1\r\nX: " + b"x" * (size - 7) + b"\r\n\r\n"


def test_a_head_of_just_the_size_that_is_allowed() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(head(MAX_HEAD - 100))
        assert client.statuses == [200]
        await client.send(head(MAX_HEAD + 1))
        client.problem(431, "request/too-large")

    run(test)


def test_too_many_headers() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(b"GET /a HTTP/1.1\r\n" + b"a: b\r\n" * MAX_HEADERS + b"\r\n")
        assert client.statuses == [200]
        await client.send(b"GET /a HTTP/1.1\r\n" + b"a: b\r\n" * (MAX_HEADERS + 1) + b"\r\n")
        client.problem(431, "request/too-large")

    run(test)


def test_trailers_are_limited_and_not_taken_for_headers() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        chunked = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
        await client.send(chunked + b"X: y\r\n\r\n")
        assert client.statuses == [200]
        assert server.bodies == [b"abc"]
        assert len(client.protocol.headers) == 1
        await client.send(chunked + b"X: ")
        for _ in range(MAX_HEAD // PARSED_AT_ONCE + 1):
            await client.send(b"y" * PARSED_AT_ONCE)
        client.problem(431, "request/too-large")

    run(test)


@pytest.mark.parametrize("first", [b"", GET])
@pytest.mark.parametrize("drip", [b"GET / HTTP/1.1\r\nX: yyyyyyyyyyyyyyyy", b"\r\n" * 9])
def test_a_head_that_drips_in_does_not_get_more_time(first: bytes, drip: bytes) -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(first)
        for position in range(9):
            await client.send(drip[position : position + 1])
            await client.wait(1)
        assert client.transport.ended is None
        await client.wait(HEAD_TIMEOUT - 9)
        client.problem(408, "request/bad")
        assert client.is_lingering
        await client.wait(2 * LINGER_QUIET)
        assert client.transport.ended == "aborted"
        assert server.loop.pending == []

    run(test)


def test_a_silent_connection_is_closed() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.wait(HEAD_TIMEOUT)
        assert (client.transport.ended, client.transport.sent) == ("closed", b"")

    run(test)


def test_a_next_request_that_is_half_sent_with_the_last() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(GET + b"GET /b")
        await client.wait(KEEP_ALIVE - 1)
        await client.send(b"c")
        await client.wait(HEAD_TIMEOUT)
        assert client.statuses == [200, 408]

    run(test)


def test_what_is_no_http() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(b"\x16\x03\x01 nonsense\r\n\r\n")
        client.problem(400, "request/bad")
        assert client.is_lingering
        await client.end()
        assert client.transport.ended == "closed"

    run(test)


def test_nonsense_after_a_request_does_not_harm_its_response() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        server.may_answer.clear()
        await client.send(GET + b"nonsense\r\n\r\n")
        assert client.statuses == []
        server.may_answer.set()
        await settle()
        assert client.statuses == [200]
        assert client.is_lingering

    run(test)


def test_a_body_that_is_no_body() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        await client.send(b"nonsense\r\n")
        client.problem(400, "request/bad")
        assert client.is_lingering
        assert server.bodies == []

    run(test)


def test_a_body_that_breaks_after_the_response_has_begun() -> None:
    async def test(server: Server) -> None:
        server.reads_body = False
        client = server.connect()

        async def app(_: Any, receive: Any, send: Any) -> None:
            headers = [(b"content-length", b"5")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await receive()
            assert (await receive())["type"] == "http.disconnect"

        client.protocol.app = app
        await client.send(b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        await client.send(b"nonsense\r\n")
        assert client.statuses == [200]
        assert client.is_lingering

    run(test)


# --- Pipelining ----------------------------------------------------------------------------------------------


def test_a_few_pipelined_requests_are_answered_in_order() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(b"".join(b"GET /%d HTTP/1.1\r\n\r\n" % number for number in range(MAX_PIPELINED + 1)))
        assert server.seen == [f"/{number}" for number in range(MAX_PIPELINED + 1)]
        assert client.statuses == [200] * (MAX_PIPELINED + 1)
        assert client.transport.ended is None

    run(test)


def test_a_flood_of_pipelined_requests_is_cut_off() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        server.may_answer.clear()
        await client.send(GET * 10_000)
        assert client.transport.ended == "aborted"
        assert len(server.seen) <= 1
        assert not client.protocol.pipeline
        server.may_answer.set()
        await settle()
        assert client.transport.sent == b""
        assert len(server.connections) == 0

    run(test)


# --- Ends ----------------------------------------------------------------------------------------------------


def test_a_response_before_the_body_reaches_a_client_that_sends_it_all_first() -> None:
    async def test(server: Server) -> None:
        server.reads_body, server.status = False, 413
        client = server.connect()
        await client.send(POST.replace(b"10", b"50000000") + b"x" * 1000)
        assert client.statuses == [413]
        assert b"\r\nconnection: close" in client.transport.sent
        for _ in range(10):
            assert client.is_lingering
            await client.send(b"x" * 65536)
            assert client.transport.is_paused, "what is dropped must not take all of our time"
            await client.wait(1)
            assert not client.transport.is_paused
        await client.end()
        assert client.transport.ended == "closed"
        assert server.connections.lingering == 0
        assert server.loop.pending == []

    run(test)


def test_lingering_ends_when_nothing_more_comes() -> None:
    async def test(server: Server) -> None:
        server.reads_body = False
        client = server.connect()
        await client.send(POST)
        await client.wait(LINGER_QUIET - 1)
        assert client.is_lingering
        await client.wait(1)
        assert client.transport.ended == "aborted"

    run(test)


def test_lingering_ends_although_data_comes() -> None:
    async def test(server: Server) -> None:
        server.reads_body = False
        client = server.connect()
        await client.send(POST.replace(b"10", b"50000000"))
        for _ in range(int(LINGER_LIMIT) - 1):
            await client.send(b"x")
            await client.wait(1)
        assert client.is_lingering
        await client.send(b"x")
        await client.wait(1)
        assert client.transport.ended == "aborted"

    run(test)


def test_a_slow_reader_is_not_cut_off_while_it_lingers() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        client.transport.unsent = 100_000
        await client.send(GET.replace(b"Host", b"Connection: close\r\nHost"))
        await client.wait(2 * LINGER_QUIET)
        assert client.is_lingering
        client.transport.unsent = 0
        await client.wait(LINGER_QUIET)
        assert client.transport.ended == "aborted"

    run(test)


def test_the_more_linger_the_less_is_read() -> None:
    async def test(server: Server) -> None:
        server.reads_body = False
        clients = [server.connect() for _ in range(10)]
        for client in clients:
            await client.send(POST)
        await clients[0].send(b"x")
        await clients[0].wait(9 * http_connection.LINGER_PAUSE)
        assert clients[0].transport.is_paused
        await clients[0].wait(2 * http_connection.LINGER_PAUSE)
        assert not clients[0].transport.is_paused

    run(test)


def test_where_one_side_cannot_be_closed_alone() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        client.transport.eof_possible = False
        await client.send(b"nonsense\r\n\r\n")
        assert client.statuses == [400]
        assert client.transport.ended == "closed"

    run(test)


def test_a_client_may_close_its_side_before_it_is_answered() -> None:
    async def test(server: Server) -> None:
        server.may_answer.clear()
        client = server.connect()
        await client.send(GET + GET)
        await client.end()
        assert client.transport.ended is None
        server.may_answer.set()
        await settle()
        assert client.statuses == [200, 200]
        assert client.transport.ended == "closed"

    run(test)


@pytest.mark.parametrize("sent", [b"", GET, POST, b"GET"])
def test_a_client_that_goes(sent: bytes) -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(sent)
        await client.end()
        assert client.transport.ended == "closed"
        assert len(server.connections) == 0
        assert server.loop.pending == []

    run(test)


def test_a_client_that_does_not_read_its_response() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        client.transport.unsent = 1000
        await client.send(GET)
        await client.wait(EXCHANGE_TIMEOUT - 1)
        assert client.transport.ended is None
        await client.send(GET)
        await client.wait(1)
        assert client.transport.ended == "aborted", "another request does not give it more time"

    run(test)


def test_an_exchange_that_takes_too_long() -> None:
    async def test(server: Server) -> None:
        server.may_answer.clear()
        client = server.connect()
        await client.send(GET)
        await client.wait(EXCHANGE_TIMEOUT - 1)
        assert client.transport.ended is None
        await client.wait(1)
        assert client.transport.ended == "aborted"
        assert len(server.connections) == 0

    run(test)


def test_many_short_exchanges_may_take_longer() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        for _ in range(100):
            await client.send(GET)
            await client.wait(KEEP_ALIVE - 1)
        assert client.statuses == [200] * 100

    run(test)


def test_the_exchange_timer_leaves_a_quiet_connection_alone() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        client.protocol.timeout_keep_alive = 1000
        await client.send(GET)
        await client.wait(EXCHANGE_TIMEOUT)
        assert client.transport.ended is None

    run(test)


def test_who_is_refused_for_asking_too_often_is_not_read_for_a_moment() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        server.is_over_rate = True
        await client.send(GET)
        assert client.transport.is_paused
        server.is_over_rate = False
        await client.wait(OVER_RATE_PAUSE)
        assert not client.transport.is_paused
        await client.send(GET)
        assert not client.transport.is_paused

    run(test)


def test_the_server_stops() -> None:
    async def test(server: Server) -> None:
        idle, busy, lingering = (server.connect() for _ in range(3))
        await lingering.send(b"nonsense\r\n\r\n")
        server.may_answer.clear()
        await busy.send(GET)
        for client in (idle, busy, lingering):
            client.protocol.shutdown()
        await settle()
        assert (idle.transport.ended, lingering.transport.ended) == ("closed", "aborted")
        server.may_answer.set()
        await settle()
        assert busy.statuses == [200]
        assert busy.is_lingering

    run(test)


def test_an_app_that_breaks_off() -> None:
    async def test(server: Server) -> None:
        client = server.connect()

        async def app(_: Any, __: Any, send: Any) -> None:
            headers = [(b"content-length", b"5")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})

        client.protocol.app = app
        await client.send(GET)
        assert client.is_lingering

    run(test)


def test_an_app_that_fails_after_its_client_has_gone() -> None:
    async def test(server: Server) -> None:
        server.may_answer.clear()
        client = server.connect()

        async def app(_: Any, __: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
            await server.may_answer.wait()
            raise ZeroDivisionError

        client.protocol.app = app
        await client.send(GET)
        client.transport.abort()
        server.may_answer.set()
        await settle()
        assert not client.transport.has_sent_eof
        assert server.connections.lingering == 0

    run(test)


def test_a_body_that_waits_to_be_asked_for() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(POST.replace(b"Host", b"Expect: 100-continue\r\nHost"))
        assert client.statuses == [100]
        await client.send(b"0123456789")
        assert client.statuses == [100, 200]

    run(test)


def test_nothing_is_left_for_the_garbage_collector() -> None:
    async def test(server: Server) -> None:
        server.reads_body = False
        for sent in (b"", GET, GET * 3, GET * 100, POST, b"nonsense\r\n\r\n", head(2 * MAX_HEAD), SOCKET + b"\r\n"):
            client = server.connect()
            await client.send(sent)
            client.transport.abort()
            await settle()
            kept = weakref.ref(client.protocol)
            del client
            assert kept() is None, sent

    gc.disable()
    try:
        run(test)
    finally:
        gc.enable()


# --- Limits on connections -----------------------------------------------------------------------------------


def test_silent_connections_give_way_to_new_ones() -> None:
    async def test(server: Server) -> None:
        clients = [server.connect() for _ in range(20)]
        await settle()
        assert [client.transport.ended for client in clients] == ["aborted"] * 10 + [None] * 10
        person = server.connect()
        await person.send(GET)
        assert person.statuses == [200]

    run(test, limit=100, per_address=10)


def test_where_all_are_busy_a_new_connection_is_refused() -> None:
    async def test(server: Server) -> None:
        server.may_answer.clear()
        busy = [server.connect() for _ in range(2)]
        for client in busy:
            await client.send(GET)
        refused = server.connect()
        await settle()
        refused.problem(503, "request/too-many")
        assert refused.transport.ended == "closed"
        assert len(server.connections) == 2
        server.may_answer.set()
        await settle()
        await busy[0].send(GET)
        assert busy[0].statuses == [200, 200]

    run(test, limit=4, per_address=2)


def test_what_a_proxy_forwards_does_not_count_for_its_address() -> None:
    async def test(server: Server) -> None:
        forwarded = GET.replace(b"Host", b"X-Forwarded-For: 203.0.113.1\r\nHost")
        proxied = [server.connect("127.0.0.1") for _ in range(3)]
        for client in proxied:
            await client.send(forwarded)
        for _ in range(5):
            server.connect("127.0.0.1")
        assert [client.transport.ended for client in proxied] == [None] * 3
        stranger = server.connect("192.0.2.1")
        await stranger.send(forwarded)
        for _ in range(3):
            server.connect("192.0.2.1")
        assert stranger.transport.ended == "aborted"

    run(test, limit=100, per_address=3)


# --- Upgrades ------------------------------------------------------------------------------------------------


def test_a_web_socket_keeps_its_place_until_it_is_lost() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(SOCKET + b"\r\n")
        assert client.statuses == [101]
        assert isinstance(client.transport.protocol, Transport)
        others = [server.connect() for _ in range(3)]
        await settle()
        assert client.transport.ended is None
        assert others[0].transport.ended == "aborted"
        assert len(server.connections) == 2
        client.transport.abort()
        await settle()
        assert len(server.connections) == 1

    run(test, limit=100, per_address=2)


def test_a_handshake_that_cannot_be_read_is_answered() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(SOCKET + b"X: " + b"x" * 9000 + b"\r\n\r\n")
        assert client.statuses == [431]
        assert client.transport.ended == "closed"
        assert len(server.connections) == 0

    run(test)


@pytest.mark.parametrize("sent", [SOCKET + b"\r\n\x81\x80\0\0\0\0", GET + SOCKET + b"\r\n"])
def test_an_upgrade_out_of_turn_is_refused(sent: bytes) -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(sent)
        assert client.statuses == ([200] if sent.startswith(GET) else [400])
        assert client.is_lingering

    run(test)


def test_a_handshake_with_a_body_is_refused() -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(SOCKET + b"Content-Length: 5\r\n\r\n")
        await client.send(b"01234")
        client.problem(400, "request/bad")
        assert client.transport.ended == "closed"
        waiting = server.connect()
        await waiting.send(SOCKET + b"Transfer-Encoding: chunked\r\n\r\n")
        await waiting.wait(HEAD_TIMEOUT)
        waiting.problem(400, "request/bad")

    run(test)


@pytest.mark.parametrize("name", [b"h2c", b"tls", b"websockets"])
def test_another_upgrade_is_answered_as_a_plain_request(name: bytes) -> None:
    async def test(server: Server) -> None:
        client = server.connect()
        await client.send(GET.replace(b"Host", b"Connection: Upgrade\r\nUpgrade: " + name + b"\r\nHost"))
        assert client.statuses == [200]
        assert b"\r\nconnection: close" in client.transport.sent
        assert client.is_lingering

    run(test)
