"""How an HTTP connection ends: timeouts, lingering closes, clients that stop reading."""

import gc
import weakref
from typing import Any

import pytest

from forsale.server import http_connection
from forsale.server.http_connection import (
    EXCHANGE_TIMEOUT,
    LINGER_LIMIT,
    LINGER_QUIET,
    MAX_HEAD,
    OVER_RATE_PAUSE,
)
from tests.server.http_clients import GET, KEEP_ALIVE, POST, SOCKET, Server, head, run, settle

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
