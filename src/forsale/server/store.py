"""What the tables need of a store. `sqlite_store` is the embedded one; a shared database can take its place.

Every method that writes returns only when what it wrote is safe from a crash, or raises `StoreError` and has written
nothing. Times are milliseconds since 1970.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from forsale.server.log import Logged
from forsale.server.protocol import Plan, Stats

Status = Literal["waiting", "playing", "over"]


class StoreError(Exception):
    """The store could not do it: one sentence for the one who runs the server."""


class Conflict(StoreError):
    """That place in the log, or that id, is taken."""


class Unreadable(StoreError):
    """What the store holds of one table cannot be decoded. The store itself, and every other table, is fine."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"table {table}: {reason}")
        self.table = table


class Planned(Struct, frozen=True):
    """A plan, and the auction that it is for: it dies with it."""

    auction: int
    plan: Plan


@dataclass(frozen=True, slots=True)
class Guest:
    """A person without an account."""

    id: str
    name: str
    sign_outs: int = 0
    """How often they signed out everywhere. A cookie issued before the latest time is no longer valid."""


@dataclass(frozen=True, slots=True)
class Tidied:
    """How much `Store.tidy` removed."""

    guests: int
    links: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a seat of a person ended."""

    seat: int
    place: int
    score: int
    share: float
    """Of the victory: 1, or less where it is shared."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What can be asked about a table without reading its log. It is stored together with each entry."""

    status: Status
    listed: bool
    host: str
    guests: tuple[str | None, ...]
    """By seat."""
    wake_at: int | None
    results: tuple[Result, ...] = ()
    """Once the game is over, for the seats of people."""


@dataclass(frozen=True, slots=True)
class TableRow:
    id: str
    status: Status
    updated: int


class Store(Protocol):
    """The tables' memory."""

    async def open(self) -> None:
        """Bring the schema up to date and be ready. Raises `StoreError` with what to do."""

    async def close(self) -> None:
        """Finish what was begun."""

    async def append(self, table: str, logged: Logged, summary: Summary) -> None:
        """Add the next entry to a table's log; the first one makes the table. `Conflict` if that place is taken."""

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
        """The entries of a table's log with a higher number than `after`, in order, at most `limit` of them.

        Empty for an unknown table. `Unreadable` if one of them cannot be decoded.
        """

    async def due(self, now: int, limit: int) -> list[str]:
        """Tables where something had to happen by now, the longest waiting first.

        Then those that would wake later than any clock allows: they were written while the machine's clock was wrong.
        """

    async def listed(self, limit: int) -> list[str]:
        """Listed tables that wait for people, the newest first."""

    async def tables_of(self, guest: str, limit: int) -> list[TableRow]:
        """Tables where a guest has a seat, the latest first."""

    async def unfinished_of(self, host: str, since: int) -> int:
        """How many tables that a guest opened are not over, and were touched since then."""

    async def stats_of(self, guest: str) -> Stats:
        """A guest's finished games in numbers."""

    async def plans(self, table: str) -> dict[int, Planned]:
        """By seat. `Unreadable` if one of them cannot be decoded."""

    async def set_plan(self, table: str, seat: int, planned: Planned | None) -> None: ...

    async def guest(self, guest: str) -> Guest | None: ...

    async def save_guest(self, guest: Guest, now: int) -> None:
        """Add a guest, or give it another name."""

    async def sign_out(self, guest: str) -> Guest | None:
        """Make every cookie and every link of a guest so far invalid. None for an unknown guest."""

    async def host_cookies_since(self) -> int:
        """When cookies under https got the __Host- prefix; 0 where none without it was ever issued."""

    async def add_link(self, digest: bytes, guest: str, expires: int) -> None:
        """Keep a one-time link to a guest's identity, by the digest of its secret."""

    async def take_link(self, digest: bytes, now: int) -> Guest | None:
        """The guest of a link, which is then gone; None for one that is unknown or has expired."""

    async def key(self, name: str) -> bytes:
        """32 random bytes of that name, made the first time that they are asked for."""

    async def is_writable(self) -> bool:
        """Whether a write would succeed now."""

    async def backup(self, target: Path) -> None:
        """A complete copy, while running."""

    async def prune(self, before: int) -> int:
        """Remove tables that never finished a game and were last touched before; how many."""

    async def prune_guests(self, before: int) -> int:
        """Remove guests last changed before then who have no seat, no result and no table of their own; how many."""

    async def prune_links(self, now: int) -> int:
        """Remove links that have expired; how many."""

    async def tidy(self, now: int) -> Tidied:
        """Remove expired links, and guests older than a week who never sat down and never chose a name.

        In small steps: players must not wait for it.
        """
