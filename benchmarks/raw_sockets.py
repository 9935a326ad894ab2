"""A WebSocket client that does next to nothing, so that what is measured is the server and not the load.

Text frames only, none in fragments, and a mask of zeros, which leaves the payload as it is.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

Take = Callable[[bytes], None]


class RawSocket(asyncio.Protocol):
    """One connection. `take` gets each message as it comes; it must be quick."""

    def __init__(self, path: str, headers: str, take: Take) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = False
        self._path = path
        self._headers = headers
        self._take = take
        self._data = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{self._headers}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed in the handshake"))

    def send(self, data: bytes) -> None:
        size = len(data)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + data)

    def close(self) -> None:
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self.opened.done():
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self._data[:20]:
                self.opened.set_exception(ConnectionError(bytes(self._data[:200]).decode(errors="replace")))
                return
            del self._data[: end + 4]
            self.opened.set_result(None)
        self._frames()

    def _frames(self) -> None:
        data, at = self._data, 0
        while len(data) >= at + 2:
            opcode, size, start = data[at] & 15, data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < start + size:
                break
            at = start + size
            if opcode == 1:
                self._take(bytes(data[start:at]))
            elif opcode == 9:
                self._transport.write(b"\x8a\x80\0\0\0\0")
        del data[:at]


async def connected(port: int, path: str, headers: str, take: Take) -> RawSocket:
    """A socket whose handshake is done."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: RawSocket(path, headers, take), "127.0.0.1", port)
    await socket.opened
    return socket
