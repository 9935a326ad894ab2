"""What the server did, in numbers, as Prometheus reads them. No names, no addresses, no ids of tables."""

import hmac
import ipaddress
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from starlette.requests import Request

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""A proxy sets at least one of these headers. The peer is then the proxy, not the client."""

Labels = tuple[tuple[str, str], ...]


def may_read(request: Request, token: str | None) -> bool:
    """Whether the client may see the metrics: they tell what happens at tables the moment it happens.

    Only a program on this machine may, or one with the operator's token.
    """
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if token is not None and scheme.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.encode())
    return _is_loopback(request) and not any(name in request.headers for name in _FORWARDED)


def _is_loopback(request: Request) -> bool:
    try:
        address = ipaddress.ip_address(request.scope["client"][0])
    except (TypeError, ValueError):
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class Metrics:
    """Counts as things happen; writes it all down when asked."""

    def __init__(self) -> None:
        self._started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._durations: dict[str, list[int]] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._refusals: Counter[str] = Counter()
        self.faults = 0
        self.messages_in = 0
        self.messages_out = 0
        self.cut_off = 0
        """Clients that did not read what was sent to them."""
        self.open_connections = 0
        self.connections_evicted = 0
        """Idle or stalled ones that were closed to make room for others."""
        self.connections_refused = 0
        """New ones for which there was no room."""

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request to a route, by its template: the paths themselves are links to tables."""
        self._requests[method, route, status] += 1
        self._durations.setdefault(route, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[route] += seconds

    def refused(self, code: str) -> None:
        self._refusals[code] += 1

    def text(self, now: Mapping[str, float], totals: Mapping[str, int]) -> str:
        """All of it, with what others count: how things stand `now`, and `totals` since the start."""
        lines: list[str] = []
        lines += _family("start_time_seconds", "gauge", "When the server started.", [((), self._started)])
        for name, value in sorted({"open_connections": self.open_connections, **now}.items()):
            lines += _family(name, "gauge", f"{name.replace('_', ' ').capitalize()} at the moment.", [((), value)])
        for name, value in sorted((self._own_totals() | dict(totals)).items()):
            about = f"{name.replace('_', ' ').capitalize()} since the start."
            lines += _family(f"{name}_total", "counter", about, [((), value)])
        refusals = [((("code", code),), count) for code, count in sorted(self._refusals.items())]
        lines += _family("refused_total", "counter", "Requests and messages refused by the app, by code.", refusals)
        lines += self._http()
        return "\n".join(lines) + "\n"

    def _own_totals(self) -> dict[str, int]:
        return {
            "faults": self.faults,
            "messages_received": self.messages_in,
            "messages_sent": self.messages_out,
            "clients_cut_off": self.cut_off,
            "connections_evicted": self.connections_evicted,
            "connections_refused": self.connections_refused,
        }

    def _http(self) -> list[str]:
        requests: list[tuple[Labels, float]] = [
            ((("method", method), ("route", route), ("status", str(status))), count)
            for (method, route, status), count in sorted(self._requests.items())
        ]
        lines = _family("http_requests_total", "counter", "Answered requests.", requests)
        lines += _head("http_request_seconds", "histogram", "How long answers took.")
        for route, counts in sorted(self._durations.items()):
            total = 0
            for bound, count in zip([*map(str, _BOUNDS), "+Inf"], counts, strict=True):
                total += count
                lines.append(_line("http_request_seconds_bucket", (("route", route), ("le", bound)), total))
            lines.append(_line("http_request_seconds_sum", (("route", route),), self._seconds[route]))
            lines.append(_line("http_request_seconds_count", (("route", route),), total))
        return lines


def _family(name: str, kind: str, about: str, values: Iterable[tuple[Labels, float]]) -> list[str]:
    return _head(name, kind, about) + [_line(name, labels, value) for labels, value in values]


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP forsale_{name} {about}", f"# TYPE forsale_{name} {kind}"]


def _line(name: str, labels: Labels, value: float) -> str:
    inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
    return f"forsale_{name}{f'{{{inside}}}' if inside else ''} {value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
