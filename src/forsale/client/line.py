"""The connection of a seat: made, and made again whenever it breaks."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Origin

from forsale.client.errors import ClientError
from forsale.client.http import Http, refusal

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 1.0
_MAX_MESSAGE = 2**22


class Line:
    """A WebSocket that is kept open. `hello` makes the first message of each connection, `take` gets all that comes."""

    def __init__(
        self,
        http: Http,
        path: str,
        hello: Callable[[], bytes],
        take: Callable[[str | bytes], Awaitable[None]],
        patience: float,
    ) -> None:
        self._http = http
        self._address = f"ws{http.origin.removeprefix('http')}{path}"
        self._hello = hello
        self._take = take
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._rest: float | None = None

    async def keep(self) -> None:
        """Connect for as long as the server can be reached. Ends with a `ClientError` only."""
        pause, heard = _FIRST_PAUSE, time.monotonic()
        while True:
            reason = await self._connected()
            if reason is None:
                pause, heard = _FIRST_PAUSE, time.monotonic()
            elif time.monotonic() - heard > self._patience:
                raise ClientError(f"{self._http.origin} cannot be reached: {reason}")
            wait, self._rest = (pause if self._rest is None else self._rest), None
            await asyncio.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _connected(self) -> str | None:
        """One connection, from its first message to its last. None if any came, otherwise what was in the way."""
        heard, reason = False, "it closed the connection without a word"
        try:
            async with self._connect() as socket:
                await socket.send(self._hello(), text=True)
                async for data in socket:
                    heard = True
                    self._socket = socket
                    await self._take(data)
        except InvalidStatus as error:
            answer = error.response
            if answer.status_code < 500 and answer.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                raise refusal(self._address, answer.status_code, bytes(answer.body or b"")) from None
            reason = str(error)
        except (OSError, ConnectionClosed, InvalidHandshake) as error:
            reason = str(error)
        finally:
            self._socket = None
        return None if heard else reason

    def _connect(self) -> connect:
        return connect(
            self._address,
            origin=Origin(self._http.origin),
            additional_headers=self._http.headers,
            max_size=_MAX_MESSAGE,
            compression=None,
            proxy=None,
        )

    async def send(self, data: bytes) -> None:
        """Send, if the server is listening now. What is lost with one is for the seat to send again."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(data, text=True)

    async def cut(self, pause: float = 0.0) -> None:
        """End the connection, if there is one, and wait so long before the next."""
        self._rest = pause
        if self._socket is not None:
            await self._socket.close()
