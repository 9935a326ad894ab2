"""A request as the handlers of routes see it: who asks, about which table, with what body."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from forsale import record
from forsale.server import limits
from forsale.server.limits import address_key
from forsale.server.origin import own_origin
from forsale.server.parts import Parts
from forsale.server.refusal import Refusal
from forsale.server.store import Guest

BODY_PATIENCE = 10.0
"""Seconds until a body must have come: nobody may keep the server waiting for ever."""

TABLE_ID = "[A-Za-z0-9_-]{1,64}"
_TABLE_ID = re.compile(TABLE_ID)

Body = TypeVar("Body")


@dataclass(frozen=True, slots=True)
class Asked(Generic[Body]):
    """What a handler is given."""

    parts: Parts
    request: Request
    guest: Guest | None
    body: Body

    @property
    def me(self) -> Guest:
        """The guest who asks, where a stranger cannot."""
        if self.guest is None:
            raise Refusal("guest/unknown", "You are not known here yet; ask for /api/me first, and keep its cookie.")
        return self.guest

    @property
    def table(self) -> str:
        """The table of the path. An id that no table can have is not looked for."""
        table = str(self.request.path_params["id"])
        if not is_table_id(table):
            raise Refusal("table/unknown", "There is no such table; check the link.")
        return table

    @property
    def origin(self) -> str:
        """Where this server is found from outside."""
        return own_origin(self.request.scope, self.parts.public)

    @property
    def address(self) -> str:
        return address_key(self.request.scope["client"])

    def table_url(self, table: str) -> str:
        """The link to share."""
        return f"{self.origin}/t/{table}"


def is_table_id(text: str) -> bool:
    return _TABLE_ID.fullmatch(text) is not None


Handler = Callable[[Asked[Any]], Awaitable[Response]]


async def ask(parts: Parts, request: Request, body_type: type | None, needs_guest: bool) -> Asked[Any]:
    """Find out who asks, and read the body where one is expected; nothing is read for a stranger in vain."""
    asked: Asked[Any] = Asked(parts, request, await parts.identity.guest_of(request.scope), None)
    if needs_guest:
        _ = asked.me
    if body_type is None:
        return asked
    if body_type is bytes:
        return replace(asked, body=await _read(asked, "text/plain", record.MAX_BYTES))
    return replace(asked, body=decoded(await _read(asked, "application/json", limits.BODY), body_type))


async def _read(asked: Asked[Any], media: str, limit: int) -> bytes:
    """The body, but never more of it than the limit."""
    request = asked.request
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != media:
        raise Refusal("request/bad", f"Expected a body of Content-Type {media}.")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > limit:
        raise _too_large(limit)
    body = bytearray()
    is_large = False
    try:
        async with asyncio.timeout(BODY_PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > limit:
                    raise _too_large(limit)
                if len(body) > limits.BODY and not is_large:
                    is_large = asked.parts.large_bodies.enter(asked.address)
                    if not is_large:
                        raise Refusal("request/too-many", "Too many large bodies at once; wait a moment.")
    except TimeoutError:
        raise Refusal("request/bad", f"The body did not come within {BODY_PATIENCE:g} seconds.") from None
    except ClientDisconnect:
        raise Refusal("request/bad", "The body did not come to its end.") from None
    finally:
        if is_large:
            asked.parts.large_bodies.leave(asked.address)
    return bytes(body)


def _too_large(limit: int) -> Refusal:
    return Refusal("request/too-large", f"A body has at most {limit} bytes here.")


def decoded(data: bytes, kind: type) -> Any:
    """A body from JSON. What is wrong with it is said by msgspec, which knows the place."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError) as error:
        raise Refusal("request/bad", why(error)) from None


def why(error: ValueError | RecursionError) -> str:
    """What is wrong with some JSON, in a sentence."""
    if isinstance(error, msgspec.MsgspecError):
        return f"{error}."
    return "Expected JSON in UTF-8." if isinstance(error, UnicodeError) else "Nested too deeply."
