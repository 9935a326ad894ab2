"""A guest of a server: who one is, and all that is asked outside of a table's socket."""

from types import TracebackType
from typing import Self
from urllib.parse import quote

from forsale import record
from forsale.client import deals
from forsale.client.deals import Contribution
from forsale.client.errors import ClientError, Refused
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
        self._contributions: dict[str, Contribution] = {}
        self._seats: dict[str, Seat] = {}

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

    async def sign_out_everywhere(self) -> Me:
        """Make every other cookie and link of yours invalid, and close all your sockets. This client stays you."""
        self._me = await self._http.ask("POST", "/api/me/sign-out", Me)
        return self._me

    # -- tables

    async def tables(self) -> tuple[OpenTable, ...]:
        """Those that are listed and wait for people."""
        return await self._http.ask("GET", "/api/tables", tuple[OpenTable, ...])

    async def create(self, options: Options | None = None, seed: str | None = None) -> TableCreated:
        """Open a table, and sit down in its first seat. `seed` is as in `join`."""
        created = await self._http.ask("POST", "/api/tables", TableCreated, options or Options())
        await self.join(created.id, seed)
        return created

    async def play_now(self, options: Options | None = None, seed: str | None = None) -> TableCreated:
        """Open a table with bots in the other seats, and begin. `seed` is as in `join`."""
        created = await self.create(options, seed)
        await self.start(created.id)
        return created

    async def table(self, table: str) -> TableInfo:
        return await self._http.ask("GET", _path(table), TableInfo)

    async def join(self, table: str, seed: str | None = None) -> TableInfo:
        """Take the first free seat, and add a seed to the deal of the cards: nobody can then choose it alone.

        Without `seed` it is the one that was given at this table before, or else a random one; "" adds none. It is sent
        only after the table's commitment is known: from then on the server cannot answer it with another secret.
        """
        before = self._contributions.get(table)
        info = await self.table(table)
        is_waiting = info.status == "waiting"
        earlier = before.seed if before else ""
        if seed is None:
            seed = earlier or deals.new_seed() if is_waiting else ""
        if is_waiting:  # noted before it is sent: the answer may get lost
            self._contributions[table] = Contribution(before.commitment if before else info.commitment, seed or earlier)
        try:
            return await self._http.ask("POST", _path(table, "join"), TableInfo, JoinBody(seed))
        except Refused:
            self._contributions.pop(table, None)
            if before is not None:
                self._contributions[table] = before
            raise

    def seed_of(self, table: str) -> str:
        """The seed that this client has added to the deal of a table; "" for none."""
        own = self._contributions.get(table)
        return own.seed if own else ""

    async def check_deal(self, table: str) -> str:
        """After the game: check that the cards follow from the commitment seen before it, and from your seed.

        Returns what is proved, in a sentence: "fair: …" if your seed took part, otherwise "as committed: …". Raises
        `DealError` if the deal was another one.
        """
        own = self._contributions.get(table)
        if own is None:
            raise ClientError(f"the deal cannot be checked: this client was not at table {table} before the game")
        you = (await self.table(table)).you
        if you is None:
            raise ClientError(f"you have no seat at table {table}")
        seat = self._seats.get(table)
        return deals.check_deal(own, you, await self.record(table), seat.history if seat else ())

    async def leave(self, table: str) -> TableInfo:
        """Give up the seat before the game has begun."""
        info = await self._http.ask("POST", _path(table, "leave"), TableInfo)
        self._contributions.pop(table, None)
        return info

    async def start(self, table: str) -> TableInfo:
        """Begin, with bots in the empty seats."""
        return await self._http.ask("POST", _path(table, "start"), TableInfo)

    async def switch_chat(self, table: str, on: bool) -> TableInfo:
        return await self._http.ask("POST", _path(table, "chat"), TableInfo, ChatBody(on))

    async def rematch(self, table: str, seed: str | None = None) -> TableCreated:
        """Where the same people play again; the first to ask opens that table, with a seat for each.

        `seed` is as in `join`. It is too late for one if the game there has begun.
        """
        created = await self._http.ask("POST", _path(table, "rematch"), TableCreated)
        if (await self.table(created.id)).you is not None:
            try:
                await self.join(created.id, seed)
            except Refused as refused:
                if refused.code != "table/started":
                    raise
        return created

    async def record(self, table: str) -> Record:
        """The game so far as you may know it; once it is over, all of it."""
        return record.from_bytes(await self._http.ask_bytes("GET", _path(table, "record")))

    def sit(self, table: str, patience: float = 30.0, last: int = 0) -> Seat:
        """Your place at a table, or a spectator's: `async with client.sit(table) as seat`."""
        self._seats[table] = Seat(self._http, table, patience, last)
        return self._seats[table]


def _path(table: str, what: str = "") -> str:
    return f"/api/tables/{quote(table, safe='')}" + (f"/{what}" if what else "")
