"""What uvicorn's socket lacks: a limit on frames before they are read, and an end for those who keep it open.

A frame takes a hundred times longer to read than to write, and all tables wait meanwhile. The app's own limit comes too
late for that: it counts messages that were read already, and never sees a ping.
"""

from asyncio import TimerHandle
from collections.abc import Callable
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from forsale.server.limits import Bucket, Rate
from forsale.server.refusal import Refusal
from forsale.server.reply import raw_problem

AT_ONCE = "forsale.send-at-once"
"""The extension by which the app can send a message without waiting, if the client is ready for it."""
FRAMES = Rate(100, 400)
"""Frames of one socket. Far more than the app allows: it is the one to say what is wrong."""
BIT = 4096
"""Bytes that are looked through at once."""
LAST_WORDS = 1.0
"""Seconds for a client that is not listened to any more to read why."""
LINGER = 15.0
"""Seconds after which a socket that was closed is torn down, if its client does not take what is left."""

_BAD_HANDSHAKE = Refusal("request/bad", "This is not a valid WebSocket handshake.")


class Transport(WebSocketsSansIOProtocol):
    """Turns a deaf ear to a client that floods it, until the app or a ping without an answer ends the socket."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames = Bucket(FRAMES, self.loop.time())
        self._is_deaf = False
        self._abort_timer: TimerHandle | None = None
        self.on_lost: Callable[[], None] | None = None
        """Called once the connection is gone."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        if self.on_lost is not None:
            self.on_lost()
        self._break_reference_cycles()

    def _break_reference_cycles(self) -> None:
        """The garbage collector runs too rarely to wait for it: refused handshakes alone would fill the memory."""
        self.conn.parser.close()
        _forget_traceback(self.conn.handshake_exc)
        _forget_traceback(self.conn.parser_exc)
        if self.handshake_initiated and self.response.status_code == 101:
            self.scope["extensions"].pop(AT_ONCE, None)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][AT_ONCE] = {"send": self._send_at_once}

    def _send_at_once(self, data: bytes) -> bool:
        """Send a text without the detour over a task, which costs more than all the rest. False if it must wait."""
        if not self.writable.is_set() or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        self.conn.send_text(data)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), BIT):
            if self._is_deaf or self.transport.is_closing():
                return
            super().data_received(data[start : start + BIT])
        if not self.handshake_initiated:
            self._refuse_handshake()

    def _refuse_handshake(self) -> None:
        """A handshake comes in one piece, from the HTTP connection, so this one cannot be read: it has too long a
        header or a body, for example. uvicorn would never answer it."""
        self.close_sent = self._is_deaf = True
        self.transport.write(b"".join(self.conn.data_to_send()) or raw_problem(_BAD_HANDSHAKE, 400))
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        """uvicorn forgets that a refused handshake is complete, and logs each one as an error."""
        await super().send(message)
        self.handshake_complete |= self.initial_response is not None and self.close_sent

    def handle_events(self) -> None:
        now = self.loop.time()
        for _ in self.conn.events:
            self._is_deaf |= not self._frames.take(now)
        super().handle_events()

    def handle_parser_exception(self) -> None:
        """Frames that are none, or too large. What else comes is taken and dropped for a moment before the socket is
        closed: to close it with something unread would destroy the very frame that tells the client why."""
        sent = self.conn.close_sent
        assert sent is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": sent.code, "reason": sent.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self._is_deaf = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LAST_WORDS, self.transport.close)
        self._hang_up()

    def _hang_up(self) -> None:
        """We say no more: the client closes its end at once, and the socket is gone, while we still take what comes."""
        if not self.transport.is_closing() and self.transport.can_write_eof():
            self.transport.write_eof()

    async def run_asgi(self) -> None:
        """A client that stopped reading could otherwise keep its closed socket, and ours, for ever."""
        await super().run_asgi()
        if self._is_deaf:
            self._hang_up()
        if not self.disconnected:
            self._abort_timer = self.loop.call_later(LAST_WORDS if self._is_deaf else LINGER, self.transport.abort)


def _forget_traceback(error: BaseException | None) -> None:
    """An exception that is kept keeps its frames, and they keep this connection."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
