"""Around the whole app: limits, where requests come from, headers for every answer, and no exception gets out."""

import logging
import time
from collections.abc import Sequence

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from forsale.server.limits import OVER_RATE, address_key
from forsale.server.origin import check_origin, check_single_headers
from forsale.server.parts import Parts
from forsale.server.refusal import Refusal
from forsale.server.reply import FAULT, FAULT_CODE, NO_STORAGE, problem
from forsale.server.store import StoreError

ROUTE = "forsale.route"
"""Where the app leaves the template of the route that it took."""

_SAFE = ("GET", "HEAD", "OPTIONS")
_METHODS = (*_SAFE, "POST", "PUT", "DELETE", "PATCH")
_log = logging.getLogger("forsale.http")

# `same-origin`, as with `no-referrer` browsers would send `Origin: null` with our own forms.
HEADERS = {
    # Scripts, styles, fonts, workers, the manifest and all connections, the socket's too: from here and not inline.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_HSTS = {"Strict-Transport-Security": "max-age=31536000"}
_NO_STORE = (b"cache-control", b"no-store")


class Guard:
    """Lets through what is within the limits and comes from our own pages or from no page at all."""

    def __init__(self, app: ASGIApp, parts: Parts) -> None:
        self._app = app
        self._parts = parts
        headers = HEADERS | (_HSTS if parts.is_secure else {})
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _Exchange(self._parts, self._headers, scope, send).run(self._app, receive)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket is refused with an answer to its handshake. Nothing stands between it and the app after that."""
        try:
            _check(self._parts, scope, from_page=True)
        except Refusal as refusal:
            self._parts.metrics.refused(refusal.code)
            response = problem(refusal)
            response.raw_headers.extend([*self._headers, _NO_STORE])
            await WebSocket(scope, receive, send).send_denial_response(response)
            return
        await self._app(scope, receive, send)


def _check(parts: Parts, scope: Scope, from_page: bool) -> None:
    if not parts.requests.take(address_key(scope["client"])):
        scope[OVER_RATE] = True
        raise Refusal("request/too-many", "Too many requests from your address; wait a moment.")
    check_single_headers(scope)
    if from_page:
        check_origin(scope, parts.public)


class _Exchange:
    """One request and its answer."""

    def __init__(self, parts: Parts, headers: Sequence[tuple[bytes, bytes]], scope: Scope, send: Send) -> None:
        self._parts = parts
        self._headers = headers
        self._scope = scope
        self._send = send
        self._status = 0

    async def run(self, app: ASGIApp, receive: Receive) -> None:
        begun = time.perf_counter()
        try:
            _check(self._parts, self._scope, from_page=self._scope["method"] not in _SAFE)
            await app(self._scope, receive, self._send_guarded)
        except Refusal as refusal:
            self._parts.metrics.refused(refusal.code)
            await self._answer(problem(refusal), receive)
        except StoreError as error:
            _log.error("storage failed", extra={"route": self._route, "reason": str(error)})
            await self._answer(problem(Refusal("server/storage", NO_STORAGE)), receive)
        except Exception:
            self._parts.metrics.faults += 1
            _log.exception("fault", extra={"route": self._route})
            sentence = "Something went wrong in the server; it has been noted. Try again later."
            await self._answer(problem(Refusal(FAULT_CODE, sentence), FAULT), receive)
        finally:
            self._count(time.perf_counter() - begun)

    @property
    def _route(self) -> str:
        return str(self._scope.get(ROUTE, "other"))

    async def _answer(self, response: Response, receive: Receive) -> None:
        if not self._status:
            await response(self._scope, receive, self._send_guarded)

    async def _send_guarded(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = [*message.get("headers", ()), *self._headers]
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append(_NO_STORE)
            message = {**message, "headers": headers}
        await self._send(message)

    def _count(self, seconds: float) -> None:
        method = self._scope["method"]
        method = method if method in _METHODS else "other"
        self._parts.metrics.answered(method, self._route, self._status, seconds)
        if self._parts.access_log:
            what = {"method": method, "route": self._route, "status": self._status, "ms": round(seconds * 1000, 1)}
            _log.info("answered", extra=what)
