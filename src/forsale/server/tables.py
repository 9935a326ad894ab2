"""All tables: opened, found, loaded when someone asks, and put back to rest when nobody does."""

import asyncio
import itertools
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine

from forsale import game, shuffle
from forsale.record import Record
from forsale.server import messages, options
from forsale.server.bus import Bus
from forsale.server.clock import ServerClock
from forsale.server.live import Listener, LiveTable, Outbox, summary
from forsale.server.loading import load_table
from forsale.server.log import Entry, Joined, Logged, Opened
from forsale.server.options import Options
from forsale.server.protocol import (
    VERSION,
    Ack,
    Act,
    ClientMessage,
    Closing,
    GameSummary,
    Hello,
    Here,
    History,
    OpenTable,
    Ping,
    Pong,
    React,
    Refused,
    Say,
    SetPlan,
    TableInfo,
)
from forsale.server.refusal import Refusal
from forsale.server.store import Guest, Store, StoreError, TableRow, Unreadable
from forsale.server.table import (
    Table,
    absorb,
    act,
    join,
    leave,
    opened,
    react,
    record_of,
    rematch,
    restart_clocks,
    say,
    start,
    whole_record,
)
from forsale.server.table import switch_chat as chat_switched
from forsale.server.thinkers import Thinkers

SWEEP = 5.0
"""Seconds between looks for tables where something is due, and for those that can leave the memory."""
SWEEPS_PER_TIDY = 720
"""Once an hour, what nobody needs any more is removed from the store."""
READ_CLOCK = 1.0
"""Seconds between readings of the clock, which notices interruptions."""

MAX_OPEN = 50
"""Tables of the last day that one guest may have opened and not finished."""
_DAY = 24 * 60 * 60 * 1000

UNREADABLE = "This table cannot be read; the server's operator has been notified."

_INTERNAL_ERROR, _SERVICE_RESTART = 1011, 1012
"""WebSocket close codes."""
_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is mistaken for another
_ID_LENGTH = 11
_log = logging.getLogger("forsale.tables")


class Tables:
    """The host of all tables in this process."""

    def __init__(self, store: Store, bus: Bus, thinkers: Thinkers, now: Callable[[], int] | None = None) -> None:
        self.store = store
        self.thinkers = thinkers
        self.now = now or ServerClock(self._interrupted)
        """Milliseconds since 1970."""
        self._resumed = 0
        """When this process began to serve, or went on after an interruption: no clock ran before that."""
        self._bus = bus
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[object]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._background: list[asyncio.Task[None]] = []
        self._counts: Counter[str] = Counter()
        self._quarantined: set[str] = set()
        """Tables that cannot be read, or break when they go on. They are left alone until the next start."""
        self._idle: dict[str, int] = {}
        """Tables that nobody needed at the last sweep, and how often they had been used by then."""
        self._stopping = False
        bus.subscribe(self._heard)

    # -- life of the host

    async def start(self) -> None:
        """Go on with whatever was going on when the server last stopped."""
        self._resumed = self.now()
        self._background = [
            asyncio.create_task(self._read_clock_for_ever()),
            asyncio.create_task(self._sweep_for_ever()),
        ]

    def _interrupted(self, now: int) -> None:
        """The clock was set, or the process did not run for a while: that must not count against anyone."""
        self._resumed = now
        for live in list(self._live.values()):
            live.interrupted(now)

    async def stop(self) -> None:
        """Finish what was begun, and tell clients to come again: the last thing that they hear."""
        self._stopping = True
        for task in self._background:
            task.cancel()
        for live in list(self._live.values()):
            live.rest()
        try:
            while self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            closing = Closing("server/restarting", "The server restarts; your seat is kept.", 1.0)
            for live in list(self._live.values()):
                live.close(closing, _SERVICE_RESTART)

    async def _sweep_for_ever(self) -> None:
        for number in itertools.count(1):
            await self._try("look for tables that are due", self._sweep())
            if number % SWEEPS_PER_TIDY == 0:
                await self._try("tidy the store", self.store.tidy(self.now()))
            await asyncio.sleep(SWEEP)

    async def _read_clock_for_ever(self) -> None:
        while True:
            self.now()
            await asyncio.sleep(READ_CLOCK)

    async def _try(self, what: str, work: Awaitable[object]) -> None:
        """Nothing that goes wrong may end the sweeper: no table would wake up again."""
        try:
            await work
        except StoreError as error:
            _log.error(f"cannot {what}", extra={"reason": str(error)})
        except Exception:
            self._counts["errors"] += 1
            _log.exception(f"cannot {what}")

    async def _sweep(self) -> None:
        for table in await self.store.due(self.now(), limit=1000 + len(self._quarantined)):
            await self._wake(table)
        unused = {table: live.uses for table, live in self._live.items() if live.is_idle}
        for table, uses in unused.items():
            if self._idle.get(table) == uses:  # nor was it used since the last sweep
                self._live.pop(table).rest()
        self._idle = unused

    async def _wake(self, table: str) -> None:
        """See to a table where something is due. What is wrong with it is no concern of the others."""
        try:
            (await self._find(table)).follow_up()
        except Refusal:  # it was pruned meanwhile, or is in quarantine
            pass
        except StoreError as error:
            _log.error("cannot load a table that is due", extra={"table": table, "reason": str(error)})
        except Exception as error:
            self.quarantine(table, error)

    def quarantine(self, table: str, error: Exception) -> None:
        """Leave a table alone that cannot be read or that breaks when it goes on, and tell the operator, once."""
        if table in self._quarantined:
            return
        self._quarantined.add(table)
        reason = str(error) if isinstance(error, Unreadable) else None
        _log.error("table in quarantine", extra={"table": table, "reason": reason}, exc_info=None if reason else error)
        live = self._live.pop(table, None)
        if live is not None:
            live.rest()
            live.close(Closing("table/unreadable", UNREADABLE, None), _INTERNAL_ERROR)

    # -- what live tables need

    def spawn(self, work: Coroutine[object, object, object]) -> asyncio.Task[object]:
        """Work that must be finished, whoever began it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refusal | StoreError):
            self._counts["errors"] += 1
            _log.error("unexpected error", exc_info=error)

    def grown(self, table: str, seq: int) -> None:
        self._bus.publish(table, seq)

    def count(self, what: str) -> None:
        self._counts[what] += 1

    def _heard(self, table: str, seq: int) -> None:
        """A log has grown. If it was another process that wrote, read it and tell those who are connected here."""
        live = self._live.get(table)
        if live is not None and live.table.seq < seq:
            self.spawn(live.catch_up())

    @property
    def gauges(self) -> dict[str, float]:
        """How things stand at the moment, for the metrics."""
        return {
            "tables_in_memory": len(self._live),
            "tables_quarantined": len(self._quarantined),
            "connections": sum(len(live.listeners) for live in self._live.values()),
            "bot_questions_waiting": self.thinkers.questions_waiting,
            "bot_longest_wait_seconds": self.thinkers.longest_wait,
        }

    @property
    def totals(self) -> dict[str, int]:
        """What was counted since the start, for the metrics."""
        return dict(self._counts)

    # -- finding

    async def _find(self, table: str) -> LiveTable:
        """A table in memory, loaded from the store if it is not there yet."""
        while table not in self._live:
            if table in self._quarantined:
                raise Refusal("table/unreadable", UNREADABLE)
            if table not in self._loading:
                self._loading[table] = self.spawn(self._load_alone(table))
            await asyncio.shield(self._loading[table])
        live = self._live[table]
        live.uses += 1
        return live

    async def _load_alone(self, table: str) -> None:
        """Nobody else loads it meanwhile, whoever waits or gives up: there must never be two of one table."""
        try:
            await self._load(table)
        except Refusal:
            raise
        except Exception as error:
            if isinstance(error, StoreError) and not isinstance(error, Unreadable):
                raise  # the store is out of order, not this table
            self.quarantine(table, error)
            raise Refusal("table/unreadable", UNREADABLE) from error
        finally:
            del self._loading[table]

    async def _load(self, table: str) -> None:
        loaded = await load_table(table, self.store)
        if loaded is None:
            raise Refusal("table/unknown", "There is no such table; check the link.")
        plans = await self.store.plans(table)
        live = LiveTable(restart_clocks(loaded, self._resumed, self.now()), plans, self)
        self._live[table] = live
        live.follow_up()

    # -- opening

    async def open(self, guest: Guest, choices: Options) -> str:
        """A new table, with the one who opened it in the first seat."""
        options.check(choices)
        return await self._open(choices, guest, [guest])

    async def _open(self, choices: Options, host: Guest, people: list[Guest], follows: str | None = None) -> str:
        if await self.store.unfinished_of(host.id, since=self.now() - _DAY) >= MAX_OPEN:
            raise Refusal("request/too-many", f"You have {MAX_OPEN} unfinished tables of today; finish one first.")
        table = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
        entries: list[Entry] = [Opened(choices, host.id, shuffle.new_secret().hex(), follows)]
        entries += [Joined(seat, guest.id, guest.name) for seat, guest in enumerate(people)]
        state: Table | None = None
        for seq, entry in enumerate(entries, 1):
            logged = Logged(seq, self.now(), entry)
            state = opened(table, logged) if state is None else absorb(state, logged)
            await self.store.append(table, logged, summary(state))
        return table

    async def play_now(self, guest: Guest, choices: Options) -> str:
        table = await self.open(guest, choices)
        await self.start_game(table, guest)
        return table

    async def rematch(self, table: str, guest: Guest) -> str:
        """A new table for the same people; the one who asks first opens it, and the others are told where."""
        live = await self._find(table)
        async with live.rematch_lock:  # a second request must not open a second table
            if rematch(live.table, guest.id, "") is not None:
                seats = live.table.seats
                people = [Guest(seat.guest, seat.name) for seat in seats if seat.guest]
                new = await self._open(live.table.options, guest, people, follows=table)
                await live.grant(lambda now: rematch(now, guest.id, new))
        assert live.table.rematch is not None
        return live.table.rematch

    # -- before the game

    async def join(self, table: str, guest: Guest, seed: str) -> TableInfo:
        return await self._wish(table, guest, lambda now: join(now, guest.id, guest.name, seed))

    async def leave(self, table: str, guest: Guest) -> TableInfo:
        return await self._wish(table, guest, lambda now: leave(now, guest.id))

    async def start_game(self, table: str, guest: Guest) -> TableInfo:
        return await self._wish(table, guest, lambda now: start(now, guest.id))

    async def switch_chat(self, table: str, guest: Guest, on: bool) -> TableInfo:
        return await self._wish(table, guest, lambda now: chat_switched(now, guest.id, on))

    def renamed(self, guest: Guest) -> None:
        """What a guest says from now on is said under the new name, on sockets that are open as well."""
        for live in self._live.values():
            for listener in live.listeners:
                if listener.guest_id == guest.id:
                    listener.guest = guest

    async def _wish(self, table: str, guest: Guest, wish: Callable[[Table], Entry | None]) -> TableInfo:
        live = await self._find(table)
        await live.grant(wish)
        return live.info(guest.id)

    # -- looking

    async def info(self, table: str, guest: Guest | None) -> TableInfo:
        return (await self._find(table)).info(guest.id if guest else None)

    async def record(self, table: str, guest: Guest | None) -> Record:
        now = (await self._find(table)).table
        return record_of(now, now.seat_of(guest.id if guest else None))

    async def whole_record(self, table: str) -> Record:
        return whole_record((await self._find(table)).table)

    async def open_tables(self) -> list[OpenTable]:
        found = []
        for table in await self.store.listed(limit=50):
            now = await self._readable(table)
            if now is None:
                continue
            host = now.seat_of(now.host)
            taken = sum(seat.guest is not None for seat in now.seats)
            found.append(OpenTable(table, now.options, now.seats[host].name if host is not None else "", taken))
        return found

    async def history(self, guest: Guest) -> History:
        rows = await self.store.tables_of(guest.id, limit=20)
        games = [await self._summary(row, guest) for row in rows]
        return History(tuple(game for game in games if game is not None), await self.store.stats_of(guest.id))

    async def _readable(self, table: str) -> Table | None:
        """A table for a list, which does without those that cannot be read or were removed meanwhile."""
        try:
            return (await self._find(table)).table
        except Refusal:
            return None

    async def _summary(self, row: TableRow, guest: Guest) -> GameSummary | None:
        now = await self._readable(row.id)
        if now is None:
            return None
        end = game.outcome(now.state) if now.state else None
        you = now.seat_of(guest.id) or 0
        return GameSummary(
            id=row.id,
            edition=now.options.edition,
            variant=now.options.variant,
            status=messages.status_of(now),
            updated=row.updated,
            players=tuple(seat.name for seat in now.seats),
            you=you,
            scores=end.scores if end else None,
            place=end.places[you] if end else None,
        )

    # -- playing

    async def connect(self, table: str, guest: Guest | None, hello: Hello, outbox: Outbox) -> "Connection":
        """A client at a table. It is welcomed with what it missed, and told of all that happens from then on."""
        if self._stopping:
            raise Refusal("server/restarting", "The server restarts; try again in a moment.")
        if hello.version != VERSION:
            raise Refusal("protocol/version", f"This server speaks version {VERSION}; reload the page.")
        live = await self._find(table)
        listener = Listener(guest, outbox)
        live.add(listener, hello.last)
        self.count("connects")
        return Connection(live, listener, self)


class Connection:
    """One client at one table: its messages are carried out one after the other."""

    def __init__(self, live: LiveTable, listener: Listener, tables: Tables) -> None:
        self._live = live
        self._listener = listener
        self._tables = tables

    async def close(self) -> None:
        self._live.remove(self._listener)

    async def receive(self, message: ClientMessage) -> None:
        """Carry out a message, and answer it."""
        if isinstance(message, Ping):
            self._listener.tell(Pong(messages.coarse_now(self._tables.now())))
            return
        message_id = None if isinstance(message, Hello | Here) else message.id
        try:
            seq = await self._carry_out(message)
        except Refusal as refusal:
            self._refuse(message_id, refusal)
        except StoreError:
            sentence = "The server cannot store anything at the moment; nothing was done. Try again."
            self._refuse(message_id, Refusal("server/storage", sentence))
        else:
            if message_id is not None:
                self._listener.tell(Ack(message_id, seq))

    def _refuse(self, message_id: str | None, refusal: Refusal) -> None:
        self._tables.count("refusals")
        self._listener.tell(Refused(message_id, refusal.code, refusal.sentence))

    async def _carry_out(self, message: ClientMessage) -> int:
        """The place in the log of what was done; 0 where it has none."""
        guest = self._listener.guest
        if guest is None:
            raise Refusal("guest/unknown", "You are not known here, so you can only watch.")
        self._live.returned(guest.id)
        match message:
            case Act(message_id, based_on, action):
                self._tables.count("actions")
                return await self._once(message_id, lambda now: act(now, guest.id, action, based_on, message_id))
            case SetPlan(_, plan):
                await self._live.set_plan(guest.id, plan)
            case Say(message_id, text):
                return await self._once(message_id, lambda now: say(now, guest.id, guest.name, text, message_id))
            case React(message_id, reaction):
                return await self._once(message_id, lambda now: react(now, guest.id, guest.name, reaction, message_id))
            case Hello():
                raise Refusal("message/bad", "Expected one hello, at the beginning.")
            case _:  # Here: that they are back has been seen to
                pass
        return 0

    async def _once(self, message_id: str, wish: Callable[[Table], Entry | None]) -> int:
        """Carry out a wish, once: a client that got no answer sends it again, with the same id."""
        guest = self._listener.guest_id or ""
        done: list[int] = []

        def first_time(now: Table) -> Entry | None:
            before = self._live.done(guest, message_id)
            if before is not None:
                done.append(before)
                return None
            return wish(now)

        logged = await self._live.grant(first_time)
        return logged.seq if logged else done[0]
