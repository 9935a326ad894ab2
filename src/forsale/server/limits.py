"""How much one visitor may ask for. Each limit is far above what a person needs, and below what hurts the others."""

import ipaddress
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

BODY = 16 * 1024
"""Bytes of a request's body."""
FRAME = 4 * 1024
"""Bytes of a message on a socket."""
LARGE_BODIES, LARGE_BODIES_PER_ADDRESS = 24, 4
"""Bodies above `BODY` bytes that are received at once: only a record to be replayed may have up to a megabyte, and
hardly any has. Without a limit, many connections together could fill the memory."""
MAX_KEYS = 20_000
"""Visitors that a limit remembers; who has not been seen for longest is forgotten, and begins anew."""

OVER_RATE = "forsale.over-rate"
"""Key in the scope of a request that was refused because its address sends too many: its connection then slows down."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second in the long run, and so many at once."""

    per_second: float
    burst: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What the one who runs the server can change: a club behind one address may need more."""

    sockets: int = 50
    """Open at once, from one address."""
    connections: int = 200
    """Open at once from one address, WebSockets included. A browser opens up to six, besides its WebSockets."""
    requests: Rate = Rate(50, 200)
    """From one address."""
    guests: Rate = Rate(2, 100)
    """New guest identities for one address."""
    records: Rate = Rate(4, 100)
    """To be replayed for one address, counted in bodies of ordinary size: a very long one takes a second."""
    messages: Rate = Rate(20, 40)
    """On one socket."""
    chat: Rate = Rate(0.5, 5)
    """Lines and reactions of one guest, at all tables."""

    @classmethod
    def of(cls, sockets: int, requests: int) -> "Limits":
        """With so many sockets and requests a second from one address; new guests and records in proportion.

        >>> Limits.of(sockets=50, requests=50) == Limits()
        True
        """
        return cls(
            sockets=sockets,
            connections=4 * sockets,
            requests=Rate(requests, 4 * requests),
            guests=Rate(requests / 25, 2 * requests),
            records=Rate(requests / 12.5, 2 * requests),
        )


class Bucket:
    """Tokens that come back at a steady rate. Where there is none, a debt may grow, up to `debt`."""

    __slots__ = ("_debt", "_level", "_rate", "_then")

    def __init__(self, rate: Rate, now: float, debt: float = 0) -> None:
        self._rate = rate
        self._debt = debt
        self._level = rate.burst
        self._then = now

    def take(self, now: float, cost: float = 1) -> bool:
        """Take a token, or as many as something costs; False if there were not so many.

        What costs more than there can be is granted where none has been taken.
        """
        rate = self._rate
        cost = min(cost, rate.burst)
        level = min(rate.burst, self._level + (now - self._then) * rate.per_second)
        granted = level >= cost
        self._then = now
        self._level = max(level - cost, -self._debt) if granted or self._debt else level
        return granted

    @property
    def is_exhausted(self) -> bool:
        """Whether the debt cannot grow any more: this is no mistake, somebody does it on purpose."""
        return self._level <= -self._debt


class Buckets:
    """A bucket for each visitor."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, cost: float = 1) -> bool:
        now = self._clock()
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, now)
            if len(self._buckets) > MAX_KEYS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now, cost)

    def __len__(self) -> int:
        return len(self._buckets)


class Places:
    """Limits how many places one address may hold at the same time, and all addresses together (`overall`)."""

    def __init__(self, limit: int, overall: float = math.inf) -> None:
        self._limit = limit
        self._overall = overall
        self._taken: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        if self._taken.get(key, 0) >= self._limit or self._taken.total() >= self._overall:
            return False
        self._taken[key] += 1
        return True

    def leave(self, key: str) -> None:
        self._taken[key] -= 1
        if not self._taken[key]:
            del self._taken[key]


def address_key(client: tuple[str, int] | None) -> str:
    """Whom an address stands for: with IPv6 a household has a whole network of 64 bits, and could use each once.

    >>> address_key(("203.0.113.7", 5000)), address_key(("2001:db8:1:2:3:4:5:6", 5000)), address_key(None)
    ('203.0.113.7', '2001:db8:1:2::', 'unknown')
    """
    return "unknown" if client is None else _address_key(client[0][:64])


@lru_cache(maxsize=4096)
def _address_key(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(address) >> 64 << 64))
