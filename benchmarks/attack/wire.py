"""The attacker's end of a connection: bytes on a socket, with HTTP and WebSocket written by hand.

Nothing here sends or reads unless it is told to, so a scenario decides every byte and every pause.
"""

import asyncio
import base64
import json
import os
import select
import socket
import time
from dataclasses import dataclass
from typing import Any, Self

ATTACKER = "127.0.0.1"
"""Where attacks come from. The server trusts this address as a proxy, so no other could do more."""
PATIENCE = 30.0
"""Seconds that an ordinary request may take before the attacker gives up on it."""

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

_KEPT = 64 * 1024 * 1024
"""Bytes of one answer that the attacker is willing to hold."""
_HUNG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


@dataclass(frozen=True)
class Ending:
    """How a connection ended: the status of the first answer, whether it was closed, and after how many seconds."""

    status: int | None
    closed: bool
    seconds: float

    @property
    def is_over(self) -> bool:
        return self.closed or self.status is not None

    def __str__(self) -> str:
        if self.status is None:
            return "disconnected" if self.closed else "left open"
        return f"answered {self.status}"


@dataclass(frozen=True)
class Response:
    """An HTTP response; names of headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """A TCP connection to the server under attack."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._opened = time.perf_counter()
        self.received = bytearray()
        self.bytes_sent = 0
        self.bytes_received = 0
        self.closed_after: float | None = None
        """Seconds until the server was seen to have closed it; None while it is open."""

    @classmethod
    async def open(cls, port: int, source: str = ATTACKER, receive_buffer: int | None = None) -> Self:
        """Raises OSError where the server, or the system, refuses."""
        sock = socket.socket()
        sock.setblocking(False)
        try:
            if receive_buffer is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if source != ATTACKER:
                sock.bind((source, 0))
            async with asyncio.timeout(PATIENCE):
                await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        except BaseException:
            sock.close()
            raise
        return cls(sock)

    @property
    def port(self) -> int:
        """Of this end."""
        return int(self._sock.getsockname()[1])

    def close(self) -> None:
        self._sock.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    # --- Bytes

    async def send(self, data: bytes, within: float = PATIENCE) -> bool:
        """False if the server hung up, or did not take it in time."""
        view = memoryview(data)
        try:
            async with asyncio.timeout(within):
                for start in range(0, len(view), 65536):
                    part = view[start : start + 65536]
                    await self._loop.sock_sendall(self._sock, part)
                    self.bytes_sent += len(part)
        except TimeoutError:
            return False
        except OSError:
            self.note_close()
            return False
        return True

    async def receive(self, within: float, most: int = 65536) -> bytes:
        """What comes next; nothing if the server hung up or stayed silent."""
        try:
            async with asyncio.timeout(within):
                data = await self._loop.sock_recv(self._sock, most)
        except TimeoutError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.note_close()
        self.bytes_received += len(data)
        if len(self.received) < _KEPT:
            self.received += data
        return data

    def has_hung_up(self) -> bool:
        """Whether the server has closed or reset it, found out without reading."""
        poll = select.poll()
        poll.register(self._sock, _HUNG_UP)
        if poll.poll(0):
            self.note_close()
        return self.closed_after is not None

    def note_close(self) -> None:
        """The server has closed it, as of now."""
        if self.closed_after is None:
            self.closed_after = time.perf_counter() - self._opened

    async def until_closed(self, within: float) -> Ending:
        """Read all that comes until the server hangs up, or the time is over."""
        until = time.perf_counter() + within
        while self.closed_after is None and (left := until - time.perf_counter()) > 0:
            await self.receive(left)
        return self.ending()

    def ending(self) -> Ending:
        continued = b"HTTP/1.1 100 Continue\r\n\r\n"
        head = bytes(self.received[:100]).removeprefix(continued)
        status = int(head[9:12]) if head.startswith(b"HTTP/1.") and head[9:12].isdigit() else None
        seconds = time.perf_counter() - self._opened if self.closed_after is None else self.closed_after
        return Ending(status, self.closed_after is not None, seconds)

    # --- HTTP

    async def response(self, within: float = PATIENCE) -> Response | None:
        """The next response, without what follows it; None if none came."""
        try:
            async with asyncio.timeout(within):
                return await self._response()
        except TimeoutError:
            return None

    async def _response(self) -> Response | None:
        while (end := self.received.find(b"\r\n\r\n")) < 0:
            if not await self.receive(PATIENCE):
                return None
        lines = bytes(self.received[:end]).decode("latin-1").split("\r\n")
        del self.received[: end + 4]
        status = int(lines[0].split(" ")[1])
        pairs = (line.partition(":") for line in lines[1:])
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        if status < 200 or status in (204, 304):
            return Response(status, headers, b"")
        size = int(headers["content-length"]) if "content-length" in headers else None
        while size is None or len(self.received) < size:
            if not await self.receive(PATIENCE):
                if size is not None:
                    return None
                break
        body = bytes(self.received[:size])
        del self.received[:size]
        return Response(status, headers, body)


def request(method: str, path: str, *headers: str, body: bytes | None = None) -> bytes:
    """A well-formed request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


async def fetch(port: int, method: str, path: str, *headers: str, source: str = ATTACKER) -> Response | None:
    """The answer to one request on a connection of its own."""
    async with await Wire.open(port, source) as wire:
        await wire.send(request(method, path, "Connection: close", *headers))
        return await wire.response()


class Guest:
    """A guest of the server, with its cookie and a connection that is kept."""

    def __init__(self, port: int, source: str, cookie: str) -> None:
        self._port = port
        self._source = source
        self.cookie = f"Cookie: {cookie}"
        self._wire: Wire | None = None

    @classmethod
    async def create(cls, port: int, source: str = ATTACKER) -> "Guest":
        answer = await fetch(port, "GET", "/api/me", source=source)
        if answer is None or "set-cookie" not in answer.headers:
            raise ConnectionError(f"the server makes no guest: {answer}")
        return cls(port, source, answer.headers["set-cookie"].partition(";")[0])

    async def call(self, method: str, path: str, content: object = None) -> Response | None:
        """A request with JSON, on the same connection as the last one if that is still open."""
        body = None if content is None else json.dumps(content).encode()
        data = request(method, path, self.cookie, "Content-Type: application/json", body=body)
        for _ in range(2):
            if self._wire is None:
                self._wire = await Wire.open(self._port, self._source)
            if await self._wire.send(data) and (answer := await self._wire.response()):
                return answer
            self.close()
        return None

    async def made(self, path: str, content: object) -> str:
        """The id of the table that a request opens."""
        answer = await self.call("POST", path, content)
        if answer is None or answer.status != 201:
            raise ConnectionError(f"POST {path}: {answer}")
        return str(answer.json["id"])

    def close(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None


# --- WebSocket -------------------------------------------------------------------------------------------------------


def handshake(path: str, *headers: str) -> bytes:
    """The request that opens a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")
    return request("GET", path, *upgrade, *headers)


def frame(opcode: int, payload: bytes, final: bool = True, masked: bool = True) -> bytes:
    """A frame; its mask is zero, which leaves the payload as it is."""
    return frame_head(opcode, len(payload), final, masked) + payload


def frame_head(opcode: int, size: int, final: bool = True, masked: bool = True) -> bytes:
    """What stands before the payload of a frame, whatever then follows."""
    first, mask = opcode | 0x80 * final, 0x80 * masked
    if size < 126:
        head = bytes((first, mask | size))
    elif size < 65536:
        head = bytes((first, mask | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, mask | 127)) + size.to_bytes(8, "big")
    return head + b"\0\0\0\0" * masked


class Socket:
    """A WebSocket at a table."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.close_code: int | None = None
        self.received = 0
        """Messages so far."""
        self.pongs = 0
        self.raw = b""
        """The last message, as it came."""

    @classmethod
    async def open(
        cls, port: int, table: str, cookie: str | None = None, source: str = ATTACKER, receive_buffer: int | None = None
    ) -> "Socket":
        """Raises ConnectionError if the handshake is refused."""
        wire = await Wire.open(port, source, receive_buffer)
        await wire.send(handshake(f"/api/tables/{table}/socket", *([cookie] if cookie else [])))
        answer = await wire.response()
        if answer is None or answer.status != 101:
            wire.close()
            raise ConnectionError(f"no WebSocket: {answer}")
        return cls(wire)

    async def say(self, message: object) -> bool:
        return await self.wire.send(frame(TEXT, json.dumps(message).encode()))

    async def hello(self, last: int = 0) -> bool:
        return await self.say({"type": "hello", "version": 1, "last": last})

    async def message(self, within: float = PATIENCE) -> dict[str, Any] | None:
        """The next message; None if the server closed the socket or stayed silent."""
        until = time.perf_counter() + within
        while True:
            found = self._cut()
            if found is None:
                left = until - time.perf_counter()
                if left <= 0 or not await self.wire.receive(left):
                    return None
                continue
            opcode, payload = found
            if opcode == TEXT:
                self.received += 1
                self.raw = payload
                message: dict[str, Any] = json.loads(payload)
                return message
            if opcode == PING:
                await self.wire.send(frame(PONG, payload))
            elif opcode == PONG:
                self.pongs += 1
            elif opcode == CLOSE:
                self.close_code = int.from_bytes(payload[:2], "big") if payload else 1005
                return None

    async def until(self, kind: str, within: float = PATIENCE) -> dict[str, Any] | None:
        """The next message of a kind; others are passed over."""
        until = time.perf_counter() + within
        while (left := until - time.perf_counter()) > 0:
            message = await self.message(left)
            if message is None or message["type"] == kind:
                return message
        return None

    def _cut(self) -> tuple[int, bytes] | None:
        """The first whole frame of what has come. The server sends none in fragments."""
        data = self.wire.received
        if len(data) < 2:
            return None
        size, start = data[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < max(start, start + size):
            return None
        opcode, payload = data[0] & 15, bytes(data[start : start + size])
        del data[: start + size]
        return opcode, payload

    def close(self) -> None:
        self.wire.close()
