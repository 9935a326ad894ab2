"""Where the server is found from outside, and whether a request comes from there.

A browser says in `Origin` which site a request comes from, and in `Sec-Fetch-Site` how that site is related to us; a
page cannot forge either. It sends `Origin` with every POST and PUT to another site and with every socket. So a request
that changes something, or a socket, is refused if its `Origin` is not ours, or if `Sec-Fetch-Site` says that it comes
from elsewhere. One with neither is no page's doing: it is a program, which has only the cookies that it was given.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from forsale.server.refusal import Refusal

_PORTS: Mapping[str, int] = {"http": 80, "https": 443}
_SCHEMES: Mapping[str, str] = {"ws": "http", "wss": "https", "http": "http", "https": "https"}
_HOST = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_SINGLE = (b"host", b"origin", b"sec-fetch-site")
_OURS = ("same-origin", "none")  # `none`: the person's own doing, such as a bookmark


def origin_from_url(url: str) -> str:
    """The origin of a public URL, as a browser writes it. `ValueError` for one that cannot be ours.

    >>> origin_from_url("https://Play.Example.org:443/")
    'https://play.example.org'
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except ValueError:
        raise ValueError(f"expected a host and a port that there can be, got {url!r}") from None
    plain = not (parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc or "?" in url)
    if parts.scheme not in _PORTS or not plain or not url.isprintable() or " " in url:
        raise ValueError(f"expected an address such as https://forsale.example.org, got {url!r}")
    return _origin(parts.scheme, f"[{host}]" if ":" in host else host, port)


def _origin(scheme: str, host: str, port: int | None) -> str:
    if not _HOST.fullmatch(host):
        raise ValueError(f"expected the name or the address of a host, got {host!r}")
    return f"{scheme}://{host.lower()}" + ("" if port in (None, _PORTS[scheme]) else f":{port}")


def own_origin(scope: Scope, public: str | None) -> str:
    """Our origin: the public one, or else what the visitor calls us.

    To trust the visitor's word is safe: a page of another name, even if that name leads here, gets the cookies of that
    name, not ours.
    """
    if public is not None:
        return public
    found = _HOST.fullmatch(Headers(scope=scope).get("host", ""))
    if not found:
        raise Refusal("request/bad", "Expected a Host header with the name of this server.")
    return _origin(_SCHEMES[scope["scheme"]], found[1], int(found[2]) if found[2] else None)


def check_single_headers(scope: Scope) -> None:
    """Refuse a request that names its host or origin twice: a proxy might go by one of them, and we by the other."""
    names = [name for name, _ in scope["headers"] if name in _SINGLE]
    if len(names) != len(set(names)):
        raise Refusal("request/bad", "Expected at most one Host, Origin and Sec-Fetch-Site header each.")


def check_origin(scope: Scope, public: str | None) -> None:
    """Refuse what another site makes a visitor's browser ask."""
    headers = Headers(scope=scope)
    ours = own_origin(scope, public)
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if (origin is not None and origin != ours) or (site is not None and site not in _OURS):
        raise Refusal("request/origin", f"This request comes from another site than {ours}.")
