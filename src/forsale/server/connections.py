"""Counts the open connections, per address and overall, and decides which one has to go when there are too many.

Every connection holds a file descriptor, and the database, the client's files and the bot workers need some as well. A
client that opens connections and says nothing must not lock others out, so a new connection over a limit is not refused
but takes the place of the oldest idle one: silent connections crowd each other out, while somebody who sends a request
right away is served.
"""

import ipaddress
import time
from collections.abc import Callable, Iterable
from functools import lru_cache

from forsale.server.limits import Clock, address_key
from forsale.server.metrics import Metrics

RESERVED_DESCRIPTORS = 64
"""Kept free for files, the database, bot workers, and connections that are accepted before others are closed."""
MIN_CONNECTIONS = 16
"""Even where descriptors are very short."""
MAX_CONNECTIONS = 10_000
"""However many descriptors there are: an idle connection takes 5 kB, and one with a WebSocket several times as much."""
STALLED = 5.0
"""Seconds after which an exchange may be ended for the sake of a new connection. The server itself needs less than one,
so the client is slow to send its body or to read the response."""

_PROXIED = ""
"""Stands for the address of connections that a trusted proxy shares between many people."""


def overall_limit(descriptors: int | None) -> int:
    """How many connections fit into this many file descriptors; None if their number is not limited."""
    if descriptors is None:
        return MAX_CONNECTIONS
    return max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS))


class Slot:
    """The place of one open connection."""

    __slots__ = ("_connections", "evict", "group", "is_trusted_peer")

    def __init__(
        self,
        connections: "Connections | None",
        group: "_Group",
        evict: Callable[[], None] | None,
        is_trusted_peer: bool,
    ) -> None:
        self._connections = connections
        self.group = group
        self.evict = evict
        self.is_trusted_peer = is_trusted_peer
        """Whether the peer is a trusted proxy: X-Forwarded-For then names the client."""

    def start_exchange(self) -> None:
        """A request is being processed: the connection is not evicted unless it stalls."""
        if self._connections is not None:
            self._connections.start_exchange(self)

    def end_exchange(self) -> None:
        """The connection is idle again, as of now."""
        if self._connections is not None:
            self._connections.end_exchange(self)

    def keep(self) -> None:
        """A WebSocket now: counted until it is closed, but never evicted. Those have a quota of their own."""
        if self._connections is not None:
            self._connections.keep(self)

    def share(self) -> None:
        """A proxy sends requests of many people over this connection: count it overall, but not for one address."""
        if self._connections is not None:
            self._connections.share(self)

    def release(self) -> None:
        """The connection is gone. Calling it again does nothing."""
        if self._connections is not None:
            self._connections.release(self)
            self._connections = None
            self.evict = None


class _Group:
    """The connections of one address; those that may be evicted in the order in which they became idle or busy."""

    __slots__ = ("address", "busy", "count", "idle")

    def __init__(self, address: str) -> None:
        self.address = address
        self.count = 0
        self.idle: dict[Slot, None] = {}
        self.busy: dict[Slot, float] = {}


NO_SLOT = Slot(None, _Group(_PROXIED), None, False)
"""Of a connection that is not counted, as it is not open yet or was refused."""


class _BySize:
    """Groups by the number of their idle connections, which changes by one at a time: finds the largest at once."""

    def __init__(self) -> None:
        self._groups: list[dict[_Group, None]] = [{}]

    def move(self, group: _Group, before: int, after: int) -> None:
        while len(self._groups) <= max(before, after):
            self._groups.append({})
        self._groups[before].pop(group, None)
        if after:
            self._groups[after][group] = None
        while len(self._groups) > 1 and not self._groups[-1]:
            self._groups.pop()

    def largest(self) -> _Group | None:
        return next(iter(self._groups[-1]), None)


class Connections:
    """All open connections. `proxies` are the addresses and networks of trusted proxies."""

    def __init__(
        self,
        limit: int,
        per_address: int,
        proxies: Iterable[str] = (),
        metrics: Metrics | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.limit = limit
        self.per_address = max(1, min(per_address, limit // 2))
        """At most half of all: one address must not take everybody's place."""
        self.metrics = metrics or Metrics()
        self.lingering = 0
        """Connections that are only read from until their clients close them; see `http_connection`."""
        self._clock = clock
        self._groups: dict[str, _Group] = {}
        self._by_idle = _BySize()
        self._busy: dict[Slot, float] = {}
        networks = [ipaddress.ip_network(proxy) for proxy in proxies]
        self._is_proxy = lru_cache(maxsize=1024)(lambda host: _is_in(host, networks))

    def __len__(self) -> int:
        return self.metrics.open_connections

    def open(self, evict: Callable[[], None], peer: tuple[str, int] | None) -> Slot | None:
        """A place for a new connection; None if there is none, and none that can be taken from another. `evict` closes
        the connection at once."""
        group = self._group(address_key(peer))
        has_room = group.count < self.per_address or self._evict(self._oldest_of(group))
        has_room = has_room and (len(self) < self.limit or self._evict(self._oldest_of_all()))
        if not has_room:
            self._forget_if_empty(group)
            self.metrics.connections_refused += 1
            return None
        group = self._group(group.address)  # an eviction may have removed it
        slot = Slot(self, group, evict, peer is not None and self._is_proxy(peer[0]))
        self.metrics.open_connections += 1
        group.count += 1
        self._add_idle(slot)
        return slot

    # --- Which one is evicted

    def _oldest_of(self, group: _Group) -> Slot | None:
        return next(iter(group.idle), None) or self._stalled(group.busy)

    def _oldest_of_all(self) -> Slot | None:
        """From the address with the most idle connections. A proxy's are kept longest: they are everybody's."""
        group = self._by_idle.largest() or self._groups.get(_PROXIED)
        idle = None if group is None else next(iter(group.idle), None)
        return idle or self._stalled(self._busy)

    def _stalled(self, busy: dict[Slot, float]) -> Slot | None:
        oldest = next(iter(busy), None)
        return oldest if oldest is not None and self._clock() - busy[oldest] > STALLED else None

    def _evict(self, slot: Slot | None) -> bool:
        if slot is None:
            return False
        evict = slot.evict
        assert evict is not None, "only those of kept and released slots are forgotten, and they are not evicted"
        slot.release()
        self.metrics.connections_evicted += 1
        evict()
        return True

    # --- What slots report

    def start_exchange(self, slot: Slot) -> None:
        self._take_out(slot)
        slot.group.busy[slot] = self._busy[slot] = self._clock()

    def end_exchange(self, slot: Slot) -> None:
        self._take_out(slot)
        self._add_idle(slot)

    def keep(self, slot: Slot) -> None:
        self._take_out(slot)
        slot.evict = None

    def share(self, slot: Slot) -> None:
        if slot.group.address == _PROXIED:
            return
        is_idle = slot in slot.group.idle
        self._take_out(slot)
        slot.group.count -= 1
        self._forget_if_empty(slot.group)
        slot.group = self._group(_PROXIED)
        slot.group.count += 1
        if is_idle:
            self._add_idle(slot)

    def release(self, slot: Slot) -> None:
        self._take_out(slot)
        slot.group.count -= 1
        self._forget_if_empty(slot.group)
        self.metrics.open_connections -= 1

    def _group(self, address: str) -> _Group:
        return self._groups.setdefault(address, _Group(address))

    def _forget_if_empty(self, group: _Group) -> None:
        if not group.count:
            self._groups.pop(group.address, None)

    def _add_idle(self, slot: Slot) -> None:
        group = slot.group
        group.idle[slot] = None
        if group.address != _PROXIED:
            self._by_idle.move(group, len(group.idle) - 1, len(group.idle))

    def _take_out(self, slot: Slot) -> None:
        group = slot.group
        group.busy.pop(slot, None)
        self._busy.pop(slot, None)
        if slot in group.idle:
            del group.idle[slot]
            if group.address != _PROXIED:
                self._by_idle.move(group, len(group.idle) + 1, len(group.idle))


def _is_in(host: str, networks: "Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]") -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return any(address in network for network in networks)
