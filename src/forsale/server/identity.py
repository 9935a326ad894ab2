"""Who a visitor is: a guest without an account, known by a signed cookie, on another device by a link that works once.

The cookie holds the guest's id, when it was issued, how often the guest had signed out everywhere by then, and a
signature with a key that only the store has. So an id alone, which others may learn one day from a backup or a log,
opens nothing.

Under https the cookie's name begins with `__Host-`: browsers then accept it from this host only, so a page of a sibling
domain cannot plant one and make a visitor somebody else. Cookies issued before that rule have no prefix. They are
accepted once more, and replaced.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from forsale.server.refusal import Refusal
from forsale.server.store import Guest, Store
from forsale.server.visible import has_blanks, is_visible

COOKIE = "forsale_guest"
"""The cookie's name under plain http, as on a local network."""
HOST_COOKIE = "__Host-forsale_guest"
"""Its name under https."""
LIFETIME = 365 * 24 * 60 * 60
"""Seconds that a cookie is good for."""
RENEW = 30 * 24 * 60 * 60
"""Seconds after which a visitor gets a fresh one, so that whoever comes back is never forgotten."""
LINK_LIFETIME = 10 * 60 * 1000
"""Milliseconds that a link to another device is good for."""
MAX_NAME = 24

_MOST_COOKIES = 4
"""Different cookies of one name that are looked at; a browser has one."""
_ATTRIBUTES = "HttpOnly; SameSite=Lax"
_PURPOSE = b"forsale guest cookie 1:"  # the key may sign other things one day; none can be passed off as another


class Pass(NamedTuple):
    """What a valid cookie says."""

    guest: str
    issued: int
    sign_outs: int = 0
    """How often the guest had signed out everywhere; cookies from before that was possible do not say."""
    lacks_prefix: bool = False
    """It came by https, but under the name that is meant for http."""


class Link(NamedTuple):
    """A secret that opens a guest's identity once, until it expires."""

    secret: str
    expires: int


class Identity:
    """Makes guests, and knows them again. `now` is in milliseconds since 1970, `public` our origin if it is fixed."""

    def __init__(self, store: Store, now: Callable[[], int], public: str | None = None) -> None:
        self._store = store
        self._now = now
        self._public = public
        self._key = b""
        self._host_cookies_since = 0

    async def start(self) -> None:
        """Fetch the key; the same for ever, so that a restart forgets nobody."""
        self._key = await self._store.key("cookie")
        self._host_cookies_since = await self._store.host_cookies_since()

    def is_https(self, scope: Scope) -> bool:
        """Whether the visitor came by https, as far as their browser is concerned."""
        return (self._public or scope["scheme"]).startswith(("https", "wss"))

    # --- Cookies

    def cookie(self, guest: Guest, secure: bool) -> str:
        """A Set-Cookie header. Lax, not Strict: who follows a friend's link to a table must be known there."""
        content = f"{guest.id}.{self._now() // 1000}.{guest.sign_outs}"
        value = f"{content}.{self._signature(content)}"
        name, suffix = (HOST_COOKIE, "; Secure") if secure else (COOKIE, "")
        return f"{name}={value}; Path=/; Max-Age={LIFETIME}; {_ATTRIBUTES}{suffix}"

    def removal(self) -> str:
        """A Set-Cookie header that removes a cookie without the prefix, once it has been replaced."""
        return f"{COOKIE}=; Path=/; Max-Age=0; {_ATTRIBUTES}; Secure"

    def read(self, scope: Scope) -> Pass | None:
        """What the visitor's cookie says; None without a valid one.

        Under https a cookie without the prefix counts only if there is none with it, and if it was issued before ours
        had one: a later one was not set by us.
        """
        headers = Headers(scope=scope)
        plain = _cookies(headers, COOKIE)
        if not self.is_https(scope):
            return self._one_of(plain)
        if prefixed := _cookies(headers, HOST_COOKIE):
            return self._one_of(prefixed)
        shown = self._one_of(plain)
        if shown is None or shown.issued * 1000 > self._host_cookies_since:
            return None
        return shown._replace(lacks_prefix=True)

    def is_outdated(self, shown: Pass) -> bool:
        """Whether the visitor should get another cookie for the same guest."""
        return shown.lacks_prefix or self._now() // 1000 - shown.issued > RENEW

    def _one_of(self, values: Iterable[str]) -> Pass | None:
        """The latest of several cookies of one name.

        We only ever set one. Valid ones of two guests mean that somebody planted the other: neither guess is safe, and
        a new guest's cookie would overwrite the visitor's own.
        """
        different = set(values)
        if len(different) <= _MOST_COOKIES:
            valid = [shown for value in different if (shown := self._verified(value)) is not None]
            if len({shown.guest for shown in valid}) <= 1:
                return max(valid, key=lambda shown: (shown.sign_outs, shown.issued), default=None)
        raise Refusal(
            "request/bad",
            "Your browser sent the cookies of several guests; delete the cookies of this site, and reload.",
        )

    def _signature(self, content: str) -> str:
        if not self._key:
            raise RuntimeError("expected start() before any cookie")
        return hmac.new(self._key, _PURPOSE + content.encode(), hashlib.sha256).hexdigest()

    def _verified(self, value: str) -> Pass | None:
        content, _, signature = value.rpartition(".")
        if not (value.isascii() and secrets.compare_digest(signature, self._signature(content))):
            return None
        guest, issued, *sign_outs = content.split(".")
        shown = Pass(guest, int(issued), int(sign_outs[0]) if sign_outs else 0)
        return shown if self._now() // 1000 - shown.issued <= LIFETIME else None

    # --- Guests

    async def guest_of(self, scope: Scope) -> Guest | None:
        """The guest whose cookie the visitor shows; None for a stranger."""
        shown = self.read(scope)
        guest = None if shown is None else await self._store.guest(shown.guest)
        return guest if shown and guest and shown.sign_outs >= guest.sign_outs else None

    async def newcomer(self) -> Guest:
        guest = Guest(secrets.token_urlsafe(16), f"Guest {secrets.randbelow(9000) + 1000}")
        await self._store.save_guest(guest, self._now())
        return guest

    async def rename(self, guest: Guest, name: str) -> Guest:
        renamed = replace(guest, name=checked_name(name))
        await self._store.save_guest(renamed, self._now())
        return renamed

    async def sign_out(self, guest: Guest) -> Guest:
        """Make every cookie and link of the guest so far invalid; the caller needs a new cookie."""
        signed_out = await self._store.sign_out(guest.id)
        if signed_out is None:
            raise Refusal("guest/unknown", "You are not known here any more; ask for /api/me first.")
        return signed_out

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


def _cookies(headers: Headers, name: str) -> list[str]:
    """The values of all cookies of a name. The usual parsers keep one of them, and do not say that there were more."""
    pairs = (pair.partition("=") for header in headers.getlist("cookie") for pair in header.split(";"))
    return [value.strip() for found, _, value in pairs if found.strip() == name]


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
