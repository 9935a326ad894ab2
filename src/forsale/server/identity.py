"""Who a visitor is: a guest without an account, known by a signed cookie, on another device by a link that works once.

The cookie holds the guest's id, when it was issued, and a signature with a key that only the store has. So an id alone,
which others may learn one day from a backup or a log, opens nothing.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from forsale.server.refusal import Refusal
from forsale.server.store import Guest, Store
from forsale.server.visible import has_blanks, is_visible

COOKIE = "forsale_guest"
LIFETIME = 365 * 24 * 60 * 60
"""Seconds that a cookie is good for."""
RENEW = 30 * 24 * 60 * 60
"""Seconds after which a visitor gets a fresh one, so that whoever comes back is never forgotten."""
LINK_LIFETIME = 10 * 60 * 1000
"""Milliseconds that a link to another device is good for."""
MAX_NAME = 24

_PURPOSE = b"forsale guest cookie 1:"  # the key may sign other things one day; none can be passed off as another


class Pass(NamedTuple):
    """What a valid cookie says."""

    guest: str
    issued: int


class Link(NamedTuple):
    """A secret that opens a guest's identity once, until it expires."""

    secret: str
    expires: int


class Identity:
    """Makes guests, and knows them again. `now` is in milliseconds since 1970."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._key = b""

    async def start(self) -> None:
        """Fetch the key; the same for ever, so that a restart forgets nobody."""
        self._key = await self._store.key("cookie")

    # --- Cookies

    def cookie(self, guest: Guest, secure: bool) -> str:
        """A Set-Cookie header. Lax, not Strict: who follows a friend's link to a table must be known there."""
        value = self._signed(guest.id, self._now() // 1000)
        attributes = f"Path=/; Max-Age={LIFETIME}; HttpOnly; SameSite=Lax"
        return f"{COOKIE}={value}; {attributes}{'; Secure' if secure else ''}"

    def read(self, headers: Headers) -> Pass | None:
        """What the visitor's cookie says; None without a valid one."""
        for header in headers.getlist("cookie"):
            value = cookie_parser(header).get(COOKIE)
            if value is not None:
                return self._verified(value)
        return None

    def is_old(self, shown: Pass) -> bool:
        return self._now() // 1000 - shown.issued > RENEW

    def _signed(self, guest: str, issued: int) -> str:
        content = f"{guest}.{issued}"
        return f"{content}.{self._signature(content)}"

    def _signature(self, content: str) -> str:
        if not self._key:
            raise RuntimeError("expected start() before any cookie")
        return hmac.new(self._key, _PURPOSE + content.encode(), hashlib.sha256).hexdigest()

    def _verified(self, value: str) -> Pass | None:
        content, _, signature = value.rpartition(".")
        guest, _, issued = content.partition(".")
        if not (value.isascii() and secrets.compare_digest(signature, self._signature(content))):
            return None
        shown = Pass(guest, int(issued))
        return shown if self._now() // 1000 - shown.issued <= LIFETIME else None

    # --- Guests

    async def guest_of(self, headers: Headers) -> Guest | None:
        """The guest whose cookie this is; None for a stranger."""
        shown = self.read(headers)
        return None if shown is None else await self._store.guest(shown.guest)

    async def newcomer(self) -> Guest:
        guest = Guest(secrets.token_urlsafe(16), f"Guest {secrets.randbelow(9000) + 1000}")
        await self._store.save_guest(guest, self._now())
        return guest

    async def rename(self, guest: Guest, name: str) -> Guest:
        renamed = Guest(guest.id, checked_name(name))
        await self._store.save_guest(renamed, self._now())
        return renamed

    # --- Other devices

    async def link(self, guest: Guest) -> Link:
        """A link for another device of the guest. Only its digest is stored: a stolen backup opens nothing."""
        link = Link(secrets.token_urlsafe(32), self._now() + LINK_LIFETIME)
        await self._store.add_link(_digest(link.secret), guest.id, link.expires)
        return link

    async def redeem(self, secret: str) -> Guest:
        guest = await self._store.take_link(_digest(secret), self._now())
        if guest is None:
            raise Refusal(
                "link/expired", "This link was used already or is too old; ask your other device for a new one."
            )
        return guest


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def checked_name(name: str) -> str:
    """A name as it can stand on the screen and in a record.

    Nothing invisible, nothing that turns the direction of writing around: a name must not pass for another, nor
    disturb what stands beside it.

    >>> checked_name("  Ana María ")
    'Ana María'
    """
    clean = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(clean) <= MAX_NAME:
        raise Refusal("guest/name", f"A name has 1 to {MAX_NAME} characters.")
    seen = clean.isprintable() and is_visible(clean) and not has_blanks(clean)
    if not seen or any(mark in clean for mark in '|"'):
        raise Refusal("guest/name", 'A name has only characters that can be seen, and neither | nor ".')
    return clean
