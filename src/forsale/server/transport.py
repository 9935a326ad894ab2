"""What uvicorn's socket lacks: a limit on frames before they are read, and an end for those who keep it open.

A frame takes a hundred times longer to read than to write, and all tables wait meanwhile. The app's own limit comes too
late for that: it counts messages that were read already, and never sees a ping.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from forsale.server.limits import Bucket, Rate

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


class Transport(WebSocketsSansIOProtocol):
    """Turns a deaf ear to a client that floods it, until the app or a ping without an answer ends the socket."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames = Bucket(FRAMES, self.loop.time())
        self._is_deaf = False

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
        self.loop.call_later(LAST_WORDS if self._is_deaf else LINGER, self.transport.abort)
