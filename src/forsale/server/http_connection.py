"""One HTTP connection with the limits that uvicorn lacks: a single client must not exhaust the server.

uvicorn reads headers of any size, waits for them without limit, queues any number of pipelined requests, and closes a
connection while the client is still sending. Here the head of a request is limited in size and time, the queue in
length, and a whole exchange in time. A response is never lost because the client was not done sending: the connection
lingers, dropping what comes, until the client has closed it.
"""

import asyncio
from asyncio import TimerHandle
from collections.abc import Callable
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from forsale.server.connections import NO_SLOT, Connections, Slot
from forsale.server.limits import OVER_RATE
from forsale.server.refusal import Refusal
from forsale.server.reply import raw_problem
from forsale.server.transport import Transport

PARSED_AT_ONCE = 4096
"""Bytes that are given to the parser at once. A read can bring 256 KiB, and limits are checked in between."""
MAX_HEAD = 16 * 1024
"""Bytes of the request line and all headers. Browsers send one or two thousand."""
MAX_HEADERS = 100
"""Number of headers. Browsers send about twenty, and a proxy adds a few."""
MAX_PIPELINED = 8
"""Requests that wait on a connection while another is processed. Browsers do not pipeline at all."""
HEAD_TIMEOUT = 10.0
"""Seconds from the first byte of a request until its headers are complete, or from connecting until then."""
EXCHANGE_TIMEOUT = 60.0
"""Seconds for the body, the processing, and the client to read the response: enough for all of the browser client over
a slow line."""
LINGER_QUIET = 5.0
"""Seconds without data after which a lingering connection is closed: nothing more is under way."""
LINGER_LIMIT = 30.0
"""Seconds after which a lingering connection is closed although data still comes."""
LINGER_PAUSE = 0.005
"""Seconds between two reads of all lingering connections together: dropping data must take little time."""
OVER_RATE_PAUSE = 1.0
"""Seconds for which a connection is not read after a request too many, as the Retry-After of its 429 says."""

_NO_ROOM = Refusal("request/too-many", "The server has too many connections; try again in a moment.")
_BAD = Refusal("request/bad", "This is not a valid HTTP request.")
_TOO_LARGE = Refusal(
    "request/too-large", f"The request line and headers may have {MAX_HEAD} bytes and {MAX_HEADERS} headers."
)
_TOO_SLOW = Refusal("request/bad", f"The headers did not arrive within {HEAD_TIMEOUT:g} seconds.")
_EARLY_UPGRADE = Refusal("request/bad", "Wait for the response before upgrading the connection.")


class _HeadTooLarge(Exception):
    """Stops the parser in the middle of a request."""


class _TooManyPipelined(Exception):
    """Stops the parser in the middle of a flood."""


class HttpConnection(HttpToolsProtocol):
    """uvicorn's connection with limits. Give the class to uvicorn with `connections` bound to it."""

    def __init__(self, *arguments: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._all = connections
        self._slot: Slot = NO_SLOT
        self._running: RequestResponseCycle | None = None
        """The exchange that is being processed; `cycle` is the one that was parsed last."""
        self._timers: dict[Callable[[], None], TimerHandle] = {}
        # The parser
        self._in_head = True
        self._head_begun = False
        self._head_size = 0
        self._progress = 0
        """Counts the parser's callbacks."""
        self._unfinished = 0
        """Bytes since the last callback: of a header that has no end, for example."""
        # The end
        self._stopped = False
        """Nothing more is parsed."""
        self._lingering = False
        self._linger_since = 0.0
        self._heard = False
        self._got_eof = False

    # --- Opening and closing

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        slot = self._all.open(self.evict, self.client)
        if slot is None:
            self._stopped = True
            transport.write(raw_problem(_NO_ROOM, 503, self.server_state.default_headers))
            transport.close()
            return
        self._slot = slot
        self._set_timer(self._on_head_timeout, HEAD_TIMEOUT)

    def evict(self) -> None:
        """Close at once: the place is needed for another connection."""
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Also breaks reference cycles: the garbage collector runs too rarely to wait for it."""
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._detach()
        self._slot.release()

    def _detach(self) -> None:
        """Let go of everything that refers back to this connection."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self.pipeline.clear()
        self._abandon_running()
        if self._lingering:
            self._lingering = False
            self._all.lingering -= 1
        self._stopped = True
        self.cycle = None  # type: ignore[assignment]
        self.parser = None  # type: ignore[assignment]

    def _abandon_running(self) -> None:
        """Nobody will read its response."""
        if self._running is not None:
            self._running.disconnected = True
            self._running.message_event.set()
            self._running = None

    def eof_received(self) -> bool:  # type: ignore[override]
        """A client may close its side after its last request and still read the response."""
        self._got_eof = True
        if self._running is None or self._lingering:
            return False
        last = self._running if self._stopped else self.cycle
        self._stopped = True
        last.keep_alive = False
        return not last.more_body

    def shutdown(self) -> None:
        if self._lingering:
            self.transport.abort()
        else:
            super().shutdown()

    # --- Timers

    def _set_timer(self, callback: Callable[[], None], seconds: float) -> None:
        """Call `callback` after this many seconds, unless its timer already runs."""
        if callback not in self._timers:
            self._timers[callback] = self.loop.call_later(seconds, self._fire, callback)

    def _fire(self, callback: Callable[[], None]) -> None:
        del self._timers[callback]
        callback()

    def _cancel_timer(self, callback: Callable[[], None]) -> None:
        timer = self._timers.pop(callback, None)
        if timer is not None:
            timer.cancel()

    def _on_head_timeout(self) -> None:
        """However slowly the bytes drip in."""
        if self._head_begun or self._unfinished:
            self._refuse(_TOO_SLOW, 408)
        else:
            self.transport.close()

    def _on_exchange_timeout(self) -> None:
        """Also ends a connection that is closed but still has a response to send that its client does not read."""
        if self._running is not None or self.transport.get_write_buffer_size():
            self.transport.abort()

    # --- Reading

    def data_received(self, data: bytes) -> None:
        if not self._stopped:
            self._unset_keepalive_if_required()
        for start in range(0, len(data), PARSED_AT_ONCE):
            if self._stopped:
                break
            end = start + PARSED_AT_ONCE
            self._parse(data[start:end], is_last=end >= len(data))
        if self._stopped and self.parser is not None:
            self._pause_reading(LINGER_PAUSE * max(1, self._all.lingering))

    def _parse(self, data: bytes, is_last: bool) -> None:
        if self._in_head:
            self._set_timer(self._on_head_timeout, HEAD_TIMEOUT)
        progress = self._progress
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._upgrade(has_more=upgrade.args[0] < len(data) or not is_last)
            return
        except httptools.HttpParserError as error:
            self._stop(error.__context__)
            return
        self._unfinished = 0 if progress != self._progress else self._unfinished + len(data)
        if self._head_size + self._unfinished > MAX_HEAD:
            self._refuse(_TOO_LARGE, 431)
        elif self._in_head and self._head_begun:
            self._set_timer(self._on_head_timeout, HEAD_TIMEOUT)

    def _stop(self, reason: BaseException | None) -> None:
        if isinstance(reason, _TooManyPipelined):
            self._stopped = True
            self.pipeline.clear()
            self.transport.abort()
        elif isinstance(reason, _HeadTooLarge):
            self._refuse(_TOO_LARGE, 431)
        else:
            self._refuse(_BAD, 400)

    def _pause_reading(self, seconds: float) -> None:
        if not self.transport.is_closing():
            self._heard = True
            self.flow.pause_reading()
            self._set_timer(self.flow.resume_reading, seconds)

    # --- The parser's callbacks

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._progress += 1
        self._head_begun = True
        self._head_size = 0

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + 4)
        if len(self.headers) >= MAX_HEADERS:
            raise _HeadTooLarge
        if self._in_head:  # and not a trailer: those come after the app has seen the headers
            super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._progress += 1
        self._head_size += size
        if self._head_size > MAX_HEAD:
            raise _HeadTooLarge

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MAX_PIPELINED:
            raise _TooManyPipelined
        if self._slot.is_trusted_peer and any(name == b"x-forwarded-for" for name, _ in self.headers):
            self._slot.share()
        super().on_headers_complete()
        if self.parser.should_upgrade():
            if self._should_upgrade():
                return  # the timeout goes on until the upgrade
            self.cycle.keep_alive = False  # answered as if it were no upgrade; the parser cannot go on after it
        self._in_head = False
        self._cancel_timer(self._on_head_timeout)

    def on_chunk_header(self) -> None:
        self._progress += 1

    def on_body(self, body: bytes) -> None:
        self._progress += 1
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._progress += 1
        self._in_head = True
        self._head_begun = False
        self._head_size = 0

    # --- Exchanges

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        self._slot.start_exchange()
        if not self.transport.get_write_buffer_size():  # otherwise the last response still has its own time limit
            self._cancel_timer(self._on_exchange_timeout)
        self._set_timer(self._on_exchange_timeout, EXCHANGE_TIMEOUT)
        cycle.transport = _ResponseTransport(self)

        async def run(scope: Any, receive: Any, send: Any) -> None:
            async def send_checked(message: Any) -> None:
                if message["type"] == "http.response.start":
                    cycle.keep_alive &= not cycle.more_body
                await send(message)

            await app(scope, receive, send_checked)

        super()._start_asgi_task(cycle, run)

    def on_response_complete(self) -> None:
        is_over_rate = self._running is not None and OVER_RATE in self._running.scope
        self._running = None
        if self._lingering:
            self.server_state.total_requests += 1
            return
        super().on_response_complete()
        if self._running is None:
            self._slot.end_exchange()
        if is_over_rate:
            self._pause_reading(OVER_RATE_PAUSE)

    # --- Ending a connection

    def _refuse(self, refusal: Refusal, status: int) -> None:
        """Answer what cannot be parsed, after the responses to what came before it."""
        self._stopped = True
        self.pipeline.clear()
        self._all.metrics.refused(refusal.code)
        running = self._running
        if running is not None and not (running is self.cycle and running.more_body):
            running.keep_alive = False
            return
        is_answered = running is not None and running.response_started
        self._abandon_running()
        if not is_answered:
            self.transport.write(raw_problem(refusal, status, self.server_state.default_headers))
        self.linger()

    def linger(self) -> None:
        """Say that nothing more will come, and drop what the client still sends until it has closed the connection.

        To close a socket with unread data resets the connection, which destroys the response on its way.
        """
        self._stopped = True
        if self._lingering or self.transport.is_closing():
            return
        self._lingering = True
        self._all.lingering += 1
        self._unset_keepalive_if_required()
        self._cancel_timer(self._on_head_timeout)
        self._set_timer(self._on_exchange_timeout, EXCHANGE_TIMEOUT)
        self.pipeline.clear()
        self._slot.end_exchange()
        if self._got_eof or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        self._linger_since = self.loop.time()
        self._heard = False
        self.flow.resume_reading()
        self._set_timer(self._on_linger_check, LINGER_QUIET)

    def _on_linger_check(self) -> None:
        waits = self._heard or self.transport.get_write_buffer_size()
        if not waits or self.loop.time() - self._linger_since >= LINGER_LIMIT:
            self.transport.abort()
            return
        self._heard = False
        self._set_timer(self._on_linger_check, LINGER_QUIET)

    @property
    def is_ending(self) -> bool:
        return self._lingering or self.transport.is_closing()

    # --- Upgrades

    def _upgrade(self, has_more: bool) -> None:
        """To a WebSocket. Any other upgrade is ignored: the request has been answered, and the connection ends."""
        if not self._should_upgrade():
            self._stopped = True
        elif self._running is not None or has_more:
            self._refuse(_EARLY_UPGRADE, 400)
        else:
            self.handle_websocket_upgrade()

    def handle_websocket_upgrade(self) -> None:
        self._unset_keepalive_if_required()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, Transport)
        self._slot.keep()
        protocol.on_lost = self._slot.release
        self._detach()


class _ResponseTransport(asyncio.Transport):
    """The transport for one exchange: to close it ends the connection without destroying the response."""

    def __init__(self, connection: HttpConnection) -> None:
        super().__init__()
        self._connection = connection

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._connection.is_ending:
            self._connection.transport.write(data)

    def close(self) -> None:
        self._connection.linger()

    def is_closing(self) -> bool:
        return self._connection.is_ending
