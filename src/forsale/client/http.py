"""Requests of one guest. The standard library's client in a thread: a request is rare beside what a socket carries."""

import asyncio
import urllib.error
import urllib.request
from http.client import HTTPException, HTTPMessage
from http.cookies import SimpleCookie
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from forsale.client.errors import ClientError, Refused
from forsale.server.protocol import Problem

T = TypeVar("T")

COOKIES = ("__Host-forsale_guest", "forsale_guest")
"""The cookie's name under https, and under http. Which of them the server uses depends on how it is seen from outside,
so it is sent under both."""
TIMEOUT = 30.0


class Http:
    """Where the server is, and the cookie by which it knows this guest."""

    def __init__(self, address: str, cookie: str | None = None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ClientError(f"expected an address such as http://127.0.0.1:8000, got {address!r}")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.cookie = cookie
        # Straight to the server: a proxy of the environment is not asked.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    @property
    def headers(self) -> dict[str, str]:
        """What every request carries, and a socket's handshake."""
        return {"Cookie": "; ".join(f"{name}={self.cookie}" for name in COOKIES)} if self.cookie else {}

    async def ask(self, method: str, path: str, answer: type[T], body: Struct | None = None) -> T:
        """Send a request and read the answer. Raises `Refused` with the server's own words."""
        data = await self.ask_bytes(method, path, body)
        try:
            return msgspec.json.decode(data, type=answer)
        except msgspec.DecodeError as error:
            raise ClientError(f"{method} {path}: expected {answer.__name__}: {error}") from None

    async def ask_bytes(self, method: str, path: str, body: Struct | None = None) -> bytes:
        """The answer as it came."""
        return await asyncio.to_thread(self._ask, method, path, body)

    def _ask(self, method: str, path: str, body: Struct | None) -> bytes:
        data = None if body is None else msgspec.json.encode(body)
        headers = self.headers | {"Origin": self.origin}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{self.origin}{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                self._keep_cookie(response.headers)
                read: bytes = response.read()
                return read
        except urllib.error.HTTPError as error:
            with error:
                raise refusal(f"{method} {path}", error.code, error.read()) from None
        except (OSError, HTTPException) as error:
            raise ClientError(f"{self.origin} cannot be reached: {error}") from None

    def _keep_cookie(self, headers: HTTPMessage) -> None:
        for header in headers.get_all("Set-Cookie", []):
            for name, crumb in SimpleCookie(header).items():
                if name in COOKIES and crumb.value:
                    self.cookie = crumb.value


def refusal(what: str, status: int, body: bytes) -> ClientError:
    """The error that an answer with a status other than 2xx stands for."""
    try:
        problem = msgspec.json.decode(body, type=Problem)
    except msgspec.DecodeError:
        return ClientError(f"{what}: expected an answer, got status {status}")
    return Refused(problem.code, problem.sentence)
