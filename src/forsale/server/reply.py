"""Answers over HTTP: a struct as JSON, and every refusal as a `Problem` with the status that fits its code."""

import math
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.responses import Response

from forsale.server.protocol import Problem
from forsale.server.refusal import Code, Refusal

JSON = "application/json"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
FAULT = 500
FAULT_CODE: Code = "server/fault"

STATUS: Mapping[Code, int] = {
    "action/illegal": 409,
    "action/stale": 409,
    "action/too-often": 429,
    "chat/full": 409,
    "chat/off": 409,
    "chat/too-fast": 429,
    "game/not-over": 409,
    "game/not-started": 409,
    "guest/name": 400,
    "guest/unknown": 403,
    "link/expired": 404,
    "message/bad": 400,
    "message/too-fast": 429,
    "plan/too-late": 409,
    "protocol/version": 400,
    "record/bad": 400,
    "request/bad": 400,
    "request/origin": 403,
    "request/too-large": 413,
    "request/too-many": 429,
    "request/unknown": 404,
    "seat/none-free": 409,
    "seat/not-yours": 403,
    "server/fault": FAULT,
    "server/restarting": 503,
    "server/storage": 503,
    "table/full": 409,
    "table/not-host": 403,
    "table/options": 400,
    "table/started": 409,
    "table/unknown": 404,
    "table/unreadable": 503,
}

NO_STORAGE = "The server cannot reach its storage at the moment; nothing was done. Try again."
"""What went wrong there is for the one who runs the server, and in the log."""

encode = msgspec.json.Encoder().encode


def answered(value: Any, status: int = 200) -> Response:
    """A struct, or a list of them."""
    return Response(encode(value), status, media_type=JSON)


def raw_problem(refusal: Refusal, status: int, headers: Iterable[tuple[bytes, bytes]] = ()) -> bytes:
    """A refusal as the bytes of a response that ends the connection, for a request that the app never sees."""
    response = problem(refusal, status)
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode())]
    closing = [(b"cache-control", b"no-store"), *(pair for pair in response.raw_headers if pair[0] != b"connection")]
    lines += [b"%s: %s" % pair for pair in (*headers, *closing, (b"connection", b"close"))]
    return b"\r\n".join([*lines, b"", bytes(response.body)])


def problem(refusal: Refusal, status: int | None = None, retry_after: float = 1) -> Response:
    """A refusal. Where trying again helps, it says when."""
    status = status or STATUS[refusal.code]
    response = answered(Problem(refusal.code, refusal.sentence), status)
    if status in (429, 503):
        response.headers["Retry-After"] = str(max(1, math.ceil(retry_after)))
    if status == 413:
        # What is left of the body is not waited for.
        response.headers["Connection"] = "close"
    return response
