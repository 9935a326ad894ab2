"""What the app is made of, and the order in which it starts and stops."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from forsale.server.identity import Identity
from forsale.server.limits import LARGE_BODIES, LARGE_BODIES_PER_ADDRESS, Buckets, Clock, Limits, Places
from forsale.server.metrics import Metrics
from forsale.server.store import Store
from forsale.server.tables import Tables
from forsale.server.web_client import Files, built

PATIENCE = 10.0
"""Seconds that the tables have to come to rest."""

_log = logging.getLogger("forsale.server")


class Closable(Protocol):
    """Something that ends with the server, as `Thinkers` do."""

    async def close(self) -> None: ...


class Farewell(Protocol):
    """Ends all sockets, once each has been sent what waits for it."""

    async def __call__(self) -> None: ...


@dataclass
class Parts:
    """The parts. Made before the app, started before its first request."""

    store: Store
    tables: Tables
    thinkers: Closable
    public: str | None = None
    """Our origin as visitors write it; None: whatever they call us."""
    limits: Limits = field(default_factory=Limits)
    access_log: bool = False
    client: Files = field(default_factory=built)
    clock: Clock = time.monotonic
    metrics: Metrics = field(default_factory=Metrics)
    metrics_token: str | None = None
    """With which `/metrics` may be read from elsewhere; None: only from this machine."""

    def __post_init__(self) -> None:
        self.identity = Identity(self.store, self.tables.now, self.public)
        self.requests = Buckets(self.limits.requests, self.clock)
        self.new_guests = Buckets(self.limits.guests, self.clock)
        self.records = Buckets(self.limits.records, self.clock)
        self.chat = Buckets(self.limits.chat, self.clock)
        self.places = Places(self.limits.sockets)
        self.large_bodies = Places(LARGE_BODIES_PER_ADDRESS, LARGE_BODIES)
        self.farewell: Farewell | None = None
        self.close_sockets_of: Callable[[str], None]  # set by `Sockets`: ends all those of one guest
        self._opened = False
        self._parting = False

    @property
    def is_secure(self) -> bool:
        """Whether visitors come by TLS, as far as it is known beforehand."""
        return self.public is not None and self.public.startswith("https:")

    async def start(self) -> None:
        """Raises `StoreError`."""
        await self.store.open()
        self._opened = True
        await self.identity.start()
        await self.tables.start()

    async def say_goodbye(self) -> None:
        """Finish what was begun, and tell clients to come again. A second time does nothing."""
        if not self._opened or self._parting:
            return
        self._parting = True
        try:
            async with asyncio.timeout(PATIENCE):
                await self.tables.stop()
        except TimeoutError:
            _log.error("some tables did not come to rest")
        if self.farewell is not None:
            await self.farewell()

    async def stop(self) -> None:
        """Say goodbye, if it was not said yet, and close the store."""
        if not self._opened:
            return
        await self.say_goodbye()
        self._opened = False
        try:
            await self.thinkers.close()
        finally:
            await self.store.close()
