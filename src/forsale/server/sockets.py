"""One client's socket at a table: what it sends goes to the table, one message after the other; what the table tells it
waits in a queue of its own, so that nobody ever waits for a slow client.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from forsale.server import limits
from forsale.server.asked import is_table_id, why
from forsale.server.limits import Bucket, address_key
from forsale.server.parts import Parts
from forsale.server.protocol import ClientMessage, Closing, Hello, React, Refused, Say
from forsale.server.refusal import Code, Refusal
from forsale.server.reply import FAULT_CODE, NO_STORAGE
from forsale.server.store import Guest, StoreError
from forsale.server.tables import Connection
from forsale.server.transport import AT_ONCE

HELLO_PATIENCE = 10.0
"""Seconds until a client must have said hello."""
LAST_WORDS = 3.0
"""Seconds that a client has to take what was sent before its socket is closed."""
MAX_WAITING = 1024 * 1024
"""Bytes that may wait for a client. A whole game takes less: who has not read so much does not read at all."""

_AFTER_SIGN_OUT = 1.0
"""Seconds until a client may connect again: by then the one who signed out has its new cookie."""

POLICY, TOO_BIG, FAULT, RESTART, LATER = 1008, 1009, 1011, 1012, 1013

_encode = msgspec.json.Encoder().encode
_decode: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_log = logging.getLogger("forsale.sockets")


class Cut(Exception):
    """The socket cannot go on: what the client is told, and the number that its socket is closed with."""

    def __init__(self, code: Code, sentence: str, retry_after: float | None, number: int = POLICY) -> None:
        super().__init__(code)
        self.message = Closing(code, sentence, retry_after)
        self.number = number


class Outgoing:
    """What waits to be sent to one client. The tables put; what cannot be sent at once, one task sends."""

    def __init__(self, send: Send, send_at_once: Callable[[bytes], bool]) -> None:
        self._send = send
        self._send_at_once = send_at_once
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._sending = False
        self._more = asyncio.Event()
        self._number: int | None = None
        self._sender: asyncio.Task[None] | None = None
        self.sent = 0
        self.overflowed = False

    def put(self, data: bytes) -> None:
        """Never waits. A client for which too much waits is given up."""
        if self._number is not None or self.overflowed:
            return
        if not self._waiting and not self._sending and self._send_at_once(data):
            self.sent += 1
            return
        self._waiting.append(data)
        self._size += len(data)
        self._more.set()
        if self._size > MAX_WAITING:
            self.overflowed = True
            if self._sender is not None:
                self._sender.cancel()

    def close(self, number: int) -> None:
        """Close the socket when all that waits has been sent; nothing more is taken."""
        if self._number is None:
            self._number = number
            self._more.set()

    def start(self) -> "asyncio.Task[None]":
        self._sender = asyncio.create_task(self._run())
        return self._sender

    async def _run(self) -> None:
        try:
            while self._waiting or self._number is None:
                await self._send_waiting()
            await self._send({"type": "websocket.close", "code": self._number})
        except OSError:
            pass  # the client is gone; its reader hears of it as well

    async def _send_waiting(self) -> None:
        while self._waiting:
            data = self._waiting.popleft()
            self._size -= len(data)
            self._sending = True
            await self._send({"type": "websocket.send", "text": data.decode()})
            self._sending = False
            self.sent += 1
        if self._number is None:
            self._more.clear()
            await self._more.wait()


class Socket:
    """From the handshake to the end."""

    def __init__(self, parts: Parts, scope: Scope, receive: Receive, send: Send) -> None:
        self._parts = parts
        self._scope = scope
        self._receive = receive
        at_once = scope.get("extensions", {}).get(AT_ONCE, {"send": lambda _: False})
        self._out = Outgoing(send, at_once["send"])
        self._bucket = Bucket(parts.limits.messages, parts.clock(), debt=parts.limits.messages.burst)
        self._guest: Guest | None = None
        self._send = send
        self._reader: asyncio.Task[None]  # made by `run`, before anybody can be known here

    def close(self, number: int) -> None:
        self._out.close(number)

    def sign_out(self, guest: str) -> None:
        """Take nothing more from the client if it is this guest, even if it does not read what it is told."""
        if self._guest is not None and self._guest.id == guest:
            self._reader.cancel()
            self._end(Cut("guest/unknown", "You signed out everywhere; reload the page.", _AFTER_SIGN_OUT))

    async def run(self) -> None:
        """Read and send until either ends. A table finishes what it has begun, whoever leaves."""
        if (await self._receive())["type"] != "websocket.connect":
            return
        try:
            await self._send({"type": "websocket.accept"})
        except OSError:
            return
        sender, reader = self._out.start(), asyncio.create_task(self._read())
        self._reader = reader
        try:
            await asyncio.wait({sender, reader}, return_when=asyncio.FIRST_COMPLETED)
            if not sender.done():
                await asyncio.wait({sender}, timeout=LAST_WORDS)
        finally:
            for task in (sender, reader):
                task.cancel()
            await asyncio.gather(sender, reader, return_exceptions=True)
            self._parts.metrics.messages_out += self._out.sent
            self._parts.metrics.cut_off += self._out.overflowed

    # --- What the client sends

    async def _read(self) -> None:
        """Until the client goes, or must. Why it must is the last thing that it is told."""
        try:
            await self._talk()
            self.close(1000)
        except Cut as cut:
            self._end(cut)
        except Refusal as refusal:
            later = refusal.code in ("server/restarting", "request/too-many")
            self._end(Cut(refusal.code, refusal.sentence, 1.0 if later else None))
        except StoreError as error:
            _log.error("storage failed", extra={"reason": str(error)})
            self._end(Cut("server/storage", NO_STORAGE, 5.0, LATER))
        except Exception:
            self._parts.metrics.faults += 1
            _log.exception("fault")
            self._end(Cut(FAULT_CODE, "Something went wrong in the server; connect again.", 5.0, FAULT))

    def _end(self, cut: Cut) -> None:
        self._parts.metrics.refused(cut.message.code)
        self._out.put(_encode(cut.message))
        self.close(cut.number)

    async def _talk(self) -> None:
        self._guest = await self._parts.identity.guest_of(self._scope)
        connection = await self._connect()
        if connection is None:
            return
        try:
            while (text := await self._frame()) is not None:
                await self._take(connection, text)
        finally:
            await connection.close()

    async def _connect(self) -> Connection | None:
        try:
            async with asyncio.timeout(HELLO_PATIENCE):
                text = await self._frame()
        except TimeoutError:
            raise Cut("message/bad", f"Expected hello within {HELLO_PATIENCE:g} seconds.", None) from None
        if text is None:
            return None
        hello = _message(text)
        if not isinstance(hello, Hello):
            raise Refusal("message/bad", "Expected hello as the first message.")
        table = str(self._scope["path_params"]["id"])
        if not is_table_id(table):
            raise Refusal("table/unknown", "There is no such table; check the link.")
        return await self._parts.tables.connect(table, self._guest, hello, self._out)

    async def _frame(self) -> str | bytes | None:
        """The next message as it came; None when the client has gone."""
        event = await self._receive()
        if event["type"] != "websocket.receive":
            return None
        self._parts.metrics.messages_in += 1
        found: str | bytes | None = event.get("text")
        found = event["bytes"] if found is None else found
        if len(found.encode("utf-8", "replace") if isinstance(found, str) else found) > limits.FRAME:
            raise Cut("request/too-large", f"A message has at most {limits.FRAME} bytes.", None, TOO_BIG)
        return found

    async def _take(self, connection: Connection, text: str | bytes) -> None:
        """One message. One that is refused here never reaches the table."""
        in_time = self._bucket.take(self._parts.clock())
        if self._bucket.is_exhausted:
            raise Cut("message/too-fast", "You send far more than can be played.", 5.0)
        message: ClientMessage | None = None
        try:
            message = _message(text)
            self._check_pace(message, in_time)
        except Refusal as refusal:
            self._parts.metrics.refused(refusal.code)
            refused = Refused(_id_of(message), refusal.code, refusal.sentence)
            self._out.put(_encode(refused))
        else:
            await connection.receive(message)

    def _check_pace(self, message: ClientMessage, in_time: bool) -> None:
        if not in_time:
            raise Refusal("message/too-fast", "You send messages too fast; nothing was done.")
        if isinstance(message, Say | React) and self._guest and not self._parts.chat.take(self._guest.id):
            raise Refusal("chat/too-fast", "You write too fast; wait a few seconds.")


def _message(text: str | bytes) -> ClientMessage:
    try:
        return _decode.decode(text)
    except (ValueError, RecursionError) as error:
        raise Refusal("message/bad", why(error)) from None


def _id_of(message: Any) -> str | None:
    return getattr(message, "id", None)


class Sockets:
    """All that are open: so many for each address, and one farewell for all."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._open: dict[Socket, asyncio.Task[Any] | None] = {}
        parts.farewell = self.farewell
        parts.close_sockets_of = self.close_sockets_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_key(scope["client"])
        if not self._parts.places.enter(address):
            await self._turn_away(receive, send)
            return
        socket = Socket(self._parts, scope, receive, send)
        self._open[socket] = asyncio.current_task()
        try:
            await socket.run()
        finally:
            del self._open[socket]
            self._parts.places.leave(address)

    async def _turn_away(self, receive: Receive, send: Send) -> None:
        """Accepted first: a page is not told why its handshake failed, but it can read a message."""
        sentence = "Too many connections from your address; close some first."
        self._parts.metrics.refused("request/too-many")
        await receive()
        try:
            await send({"type": "websocket.accept"})
            text = _encode(Closing("request/too-many", sentence, 30.0)).decode()
            await send({"type": "websocket.send", "text": text})
            await send({"type": "websocket.close", "code": LATER})
        except OSError:
            pass  # gone already

    def close_sockets_of(self, guest: str) -> None:
        """Also those that have not said hello yet: a table does not know of them."""
        for socket in list(self._open):
            socket.sign_out(guest)

    async def farewell(self) -> None:
        """Close every socket once it has been sent what waits for it; not for ever."""
        for socket in list(self._open):
            socket.close(RESTART)
        tasks = {task for task in self._open.values() if task is not None}
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_WORDS)
