"""A guest of a server: who one is, and all that is asked outside of a table's socket."""

from types import TracebackType
from typing import Self
from urllib.parse import quote

from forsale import record
from forsale.client.http import Http
from forsale.client.seat import Seat
from forsale.record import Record
from forsale.server.options import Options
from forsale.server.protocol import (
    ChatBody,
    DeviceLink,
    History,
    JoinBody,
    Me,
    NameBody,
    OpenTable,
    RedeemBody,
    TableCreated,
    TableInfo,
)


class Client:
    """One guest of one server. `cookie`, kept from an earlier visit, is what makes them the same guest again.

    Every method raises `Refused` where the server says no, `ClientError` where it cannot be reached.
    """

    def __init__(self, address: str, cookie: str | None = None) -> None:
        self._http = Http(address, cookie)
        self._me: Me | None = None

    async def __aenter__(self) -> Self:
        """Become known to the server."""
        self._me = await self._http.ask("GET", "/api/me", Me)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open between requests."""

    @property
    def me(self) -> Me:
        """Who the server takes you for."""
        assert self._me is not None, "known as soon as the client is entered"
        return self._me

    @property
    def cookie(self) -> str | None:
        """Whoever has this is you: keep it to come back as the same guest, and keep it secret."""
        return self._http.cookie

    # -- who I am

    async def rename(self, name: str) -> Me:
        self._me = await self._http.ask("PUT", "/api/me", Me, NameBody(name))
        return self._me

    async def games(self) -> History:
        """Your games, the latest first, and your statistics."""
        return await self._http.ask("GET", "/api/me/games", History)

    async def link(self) -> DeviceLink:
        """A link that makes another device you, once."""
        return await self._http.ask("POST", "/api/me/link", DeviceLink)

    async def redeem(self, link: str) -> Me:
        """Become the guest who made this link; its secret alone is enough."""
        secret = link.partition("#")[2] or link
        self._me = await self._http.ask("POST", "/api/me/redeem", Me, RedeemBody(secret))
        return self._me

    # -- tables

    async def tables(self) -> tuple[OpenTable, ...]:
        """Those that are listed and wait for people."""
        return await self._http.ask("GET", "/api/tables", tuple[OpenTable, ...])

    async def create(self, options: Options | None = None) -> TableCreated:
        """Open a table, and sit down in its first seat."""
        return await self._http.ask("POST", "/api/tables", TableCreated, options or Options())

    async def play_now(self, options: Options | None = None) -> TableCreated:
        """Open a table with bots in the other seats, and begin."""
        return await self._http.ask("POST", "/api/play-now", TableCreated, options or Options())

    async def table(self, table: str) -> TableInfo:
        return await self._http.ask("GET", _path(table), TableInfo)

    async def join(self, table: str, seed: str = "") -> TableInfo:
        """Take the first free seat. `seed`, anything you like, goes into the deal of the cards."""
        return await self._http.ask("POST", _path(table, "join"), TableInfo, JoinBody(seed))

    async def leave(self, table: str) -> TableInfo:
        """Give up the seat before the game has begun."""
        return await self._http.ask("POST", _path(table, "leave"), TableInfo)

    async def start(self, table: str) -> TableInfo:
        """Begin, with bots in the empty seats."""
        return await self._http.ask("POST", _path(table, "start"), TableInfo)

    async def switch_chat(self, table: str, on: bool) -> TableInfo:
        return await self._http.ask("POST", _path(table, "chat"), TableInfo, ChatBody(on))

    async def rematch(self, table: str) -> TableCreated:
        """Where the same people play again; whoever asks first opens that table."""
        return await self._http.ask("POST", _path(table, "rematch"), TableCreated)

    async def record(self, table: str) -> Record:
        """The game so far as you may know it; once it is over, all of it."""
        return record.from_bytes(await self._http.ask_bytes("GET", _path(table, "record")))

    def sit(self, table: str, patience: float = 30.0, last: int = 0) -> Seat:
        """Your place at a table, or a spectator's: `async with client.sit(table) as seat`."""
        return Seat(self._http, table, patience, last)


def _path(table: str, what: str = "") -> str:
    return f"/api/tables/{quote(table, safe='')}" + (f"/{what}" if what else "")
