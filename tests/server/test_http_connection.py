"""An HTTP connection: limits in size and time, and responses that arrive however the client behaves.

Driven without a network: a transport that notes what is done with it, and timers that fire when a test says so.
"""

from typing import Any

import pytest

from forsale.server.http_connection import (
    HEAD_TIMEOUT,
    LINGER_QUIET,
    MAX_HEAD,
    MAX_HEADERS,
    MAX_PIPELINED,
    PARSED_AT_ONCE,
)
from forsale.server.transport import Transport
from tests.server.http_clients import GET, KEEP_ALIVE, POST, SOCKET, Server, head, run, settle

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
