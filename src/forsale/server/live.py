"""One table in memory: it takes one wish at a time, stores what it grants, tells everyone, and sees to what follows.

What follows is never a person's business: bots think, plans are carried out, time runs out, and a bot plays for those
who are gone.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Protocol

import msgspec

from forsale import game, shuffle, view
from forsale.game import BUYING, State
from forsale.server import messages
from forsale.server.earlier import games_before
from forsale.server.limits import Bucket, Rate
from forsale.server.log import Acted, By, Entry, Logged, Reacted, Said
from forsale.server.messages import Attendance
from forsale.server.options import Days, NoClock
from forsale.server.protocol import Closing, Plan, PlanIs, Presence, RaiseTo, ServerMessage, TableInfo
from forsale.server.refusal import Refusal
from forsale.server.response_times import ResponseTimes
from forsale.server.store import Conflict, Guest, Planned, Result, Store, StoreError, Summary
from forsale.server.table import (
    CLOCK_WAS_SET_BACK,
    Happened,
    Table,
    absorb,
    deadline,
    play,
    restart_clocks,
    wake_at,
)
from forsale.server.thinkers import Asker, Thinkers
from forsale.server.wire import Action, Bid, Pass, action_to_wire
from forsale.view import Earlier

GRACE = 30_000
"""Milliseconds that a seat may be without a connection before a bot plays for it, while others wait there."""

PRESENCE = Rate(2, 20)
"""How often a table sends `Presence` to everyone. More changes than that are sent together: with hundreds of
spectators, sending each change to each of them would be most of the server's work."""
RECENT = 2000
"""Entries at the end of a log whose ids are remembered. A client repeats what it sent moments ago, nothing older."""
encode = msgspec.json.Encoder().encode
_log = logging.getLogger("forsale.tables")


class Outbox(Protocol):
    """Where messages for one client go. It never blocks; whoever does not read is cut off."""

    def put(self, data: bytes) -> None: ...
    def close(self, number: int) -> None: ...


class Listener:
    """A connected client: who it is, and where its messages go."""

    def __init__(self, guest: Guest | None, outbox: Outbox) -> None:
        self.guest = guest
        self.guest_id = guest.id if guest else None
        self.outbox = outbox
        self.seat: int | None = None
        """Where it sits; its table sees to it that this is so."""

    def tell(self, message: ServerMessage) -> None:
        self.outbox.put(encode(message))


class Surroundings(Protocol):
    """What a live table needs of the server around it."""

    @property
    def store(self) -> Store: ...
    @property
    def thinkers(self) -> Thinkers: ...
    def now(self) -> int: ...
    def spawn(self, work: Coroutine[object, object, object]) -> "asyncio.Task[object]": ...
    def grown(self, table: str, seq: int) -> None: ...
    def count(self, what: str) -> None: ...
    def quarantine(self, table: str, error: Exception) -> None: ...


class LiveTable:
    """A table, those who are connected to it, and what goes on there."""

    def __init__(self, table: Table, plans: dict[int, Planned], around: Surroundings) -> None:
        self.table = table
        self.listeners: list[Listener] = []
        self._plans = plans
        self._around = around
        self._done: dict[tuple[str, str], int] = {}
        for happened in table.log[-RECENT:]:
            self._note_id(happened.logged)
        self._lock = asyncio.Lock()
        self._away: set[int] = set()
        self._gone_since = {index: around.now() for index, seat in enumerate(table.seats) if seat.guest}
        self._thinking: dict[int, asyncio.Task[object]] = {}
        self._earlier: tuple[Earlier, ...] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._response_times = [ResponseTimes() for _ in table.seats]
        self._plan_times: dict[int, tuple[int, int]] = {}
        """By seat: the turn, by the entry that began it, and when the seat's plan is carried out in it."""
        self._presence_bucket = Bucket(PRESENCE, self._loop_time())
        self._presence_timer: asyncio.TimerHandle | None = None
        self.rematch_lock = asyncio.Lock()
        self.uses = 0
        """How often it was looked up: one that was used since the last sweep stays in memory."""
        self._wishes = 0
        self._doubtful = False
        self._resting = False
        self._drop_plans()

    # -- the log

    async def grant(self, wish: Callable[[Table], Entry | None]) -> Logged | None:
        """Carry out a wish: ask it for its entry, store that, tell everyone. None where there is nothing to do.

        Once begun it is finished, even if whoever asked is gone meanwhile.
        """
        self._wishes += 1  # from now on, not from when the task begins: meanwhile it must not be put to rest
        logged = await asyncio.shield(self._around.spawn(self._grant(wish)))
        assert logged is None or isinstance(logged, Logged)
        return logged

    async def _grant(self, wish: Callable[[Table], Entry | None]) -> Logged | None:
        try:
            async with self._lock:
                logged = await self._write_down(wish)
        finally:
            self._wishes -= 1
        if logged is not None:
            self._around.grown(self.table.id, logged.seq)
            self._around.count("entries")
        return logged

    async def _write_down(self, wish: Callable[[Table], Entry | None]) -> Logged | None:
        if self._doubtful:
            await self._read_again()
        now = self._around.now()  # before the wish: reading the clock may restart everyone's time
        entry = wish(self.table)
        if entry is None:
            return None
        last = self.table.log[-1].logged
        at = now if last.at - now > CLOCK_WAS_SET_BACK else max(now, last.at)
        logged = Logged(last.seq + 1, at, entry)
        after = absorb(self.table, logged)
        try:
            await self._around.store.append(self.table.id, logged, summary(after))
        except Conflict:
            # Another process was first. The wish is asked again: only it knows whether it still holds.
            await self._read_again()
            if self.table.seq == last.seq:
                raise
            return await self._write_down(wish)
        except StoreError:
            # Whether it was written is not certain, and nothing may be built on a guess.
            self._doubtful = True
            raise
        self._take(after)
        return logged

    async def catch_up(self) -> None:
        """Another process has written to the log."""
        async with self._lock:
            await self._read_again()

    async def _read_again(self) -> None:
        entries = await self._around.store.read(self.table.id, after=self.table.seq)
        self._doubtful = False
        for logged in entries:
            self._take(absorb(self.table, logged))

    def _take(self, after: Table) -> None:
        before, self.table = self.table, after
        if before.state is None:
            self._seats_changed()
        logged = after.log[-1].logged
        self._note_id(logged)
        self._note_response_time(before, logged)
        self._drop_plans()
        self._tell_update(after.log[-1])
        self.follow_up()

    def _note_response_time(self, before: Table, logged: Logged) -> None:
        """Of an action in an auction that a person typed: one without an id was planned."""
        entry = logged.entry
        if isinstance(entry, Acted) and entry.id is not None and before.state and before.state.phase is BUYING:
            self._response_times[entry.seat].add(logged.at - (before.seats[entry.seat].since or 0))

    def _note_id(self, logged: Logged) -> None:
        entry = logged.entry
        if isinstance(entry, Acted | Said | Reacted) and entry.id is not None:
            guest = self.table.seats[entry.seat].guest if isinstance(entry, Acted) else entry.guest
            self._done[guest or "", entry.id] = logged.seq

    def done(self, guest: str, message_id: str) -> int | None:
        """The place in the log of what this guest has sent before."""
        return self._done.get((guest, message_id))

    def _seats_changed(self) -> None:
        """Someone may have sat down or stood up: count from now for those who have no connection."""
        for listener in self.listeners:
            listener.seat = self.table.seat_of(listener.guest_id)
        connected = self._connected()
        people = {index for index, seat in enumerate(self.table.seats) if seat.guest}
        for index in people - connected:
            self._gone_since.setdefault(index, self._around.now())
        for index in set(self._gone_since) - people | connected:
            self._gone_since.pop(index, None)

    # -- who is there

    def add(self, listener: Listener, last: int) -> None:
        """A client has come: welcome it with what it missed."""
        listener.seat = self.table.seat_of(listener.guest_id)
        self.listeners.append(listener)
        self._is_here(listener.seat)
        plan = self.plan_of(listener.seat)
        listener.tell(messages.welcome(self.table, self.info(listener.guest_id), last, plan, self._around.now()))
        self._tell_presence(but=listener)
        self.follow_up()

    def remove(self, listener: Listener) -> None:
        if listener not in self.listeners:
            return
        self.listeners.remove(listener)
        seat = listener.seat
        if seat is not None and seat not in self._connected():
            self._gone_since[seat] = self._around.now()
        self._tell_presence()
        self.follow_up()

    def returned(self, guest: str) -> None:
        """A person does something: if a bot plays for them, it stops."""
        seat = self.table.seat_of(guest)
        if seat in self._away:
            self._is_here(seat)
            self._tell_presence()
            self.follow_up()

    def _is_here(self, seat: int | None) -> None:
        if seat is not None:
            self._away.discard(seat)
            self._gone_since.pop(seat, None)

    def _connected(self) -> set[int]:
        return {listener.seat for listener in self.listeners if listener.seat is not None}

    def info(self, guest: str | None) -> TableInfo:
        """The table around the game, as a guest or a stranger may know it."""
        return self._common_info().for_one(self.table.seat_of(guest), guest is not None and guest == self.table.host)

    def _common_info(self) -> messages.CommonInfo:
        onlookers = sum([listener.seat is None for listener in self.listeners])
        return messages.CommonInfo(self.table, Attendance(self._connected(), self._away, onlookers))

    # -- telling

    def _tell_update(self, happened: Happened) -> None:
        if self.listeners:
            news = messages.News(self.table, self._common_info(), happened, self._around.now())
            self._tell_everyone(lambda seat, is_host: news.for_one(seat, is_host, self.plan_of(seat)))

    def _tell_presence(self, but: Listener | None = None) -> None:
        """Tell everyone who is there: now, or together with what changes in the next moments."""
        if self._presence_timer is not None:
            return
        if self._presence_bucket.take(self._loop_time()):
            self._send_presence(but)
        else:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(1 / PRESENCE.per_second, self._send_late_presence)

    def _send_late_presence(self) -> None:
        self._presence_timer = None
        self._presence_bucket.take(self._loop_time())
        self._send_presence()

    def _send_presence(self, but: Listener | None = None) -> None:
        info, now = self._common_info(), messages.coarse_now(self._around.now())
        self._tell_everyone(lambda seat, is_host: Presence(now, info.for_one(seat, is_host)), but)

    def _tell_everyone(self, message: Callable[[int | None, bool], ServerMessage], but: Listener | None = None) -> None:
        """Everyone gets what they may see; those who may see the same get the same bytes."""
        written: dict[tuple[int | None, bool], bytes] = {}
        for listener in list(self.listeners):
            if listener is not but:
                key = listener.seat, listener.guest_id == self.table.host
                if key not in written:
                    written[key] = encode(message(*key))
                listener.outbox.put(written[key])

    @staticmethod
    def _loop_time() -> float:
        return asyncio.get_running_loop().time()

    def close(self, closing: Closing, number: int) -> None:
        """Tell everyone why the connection ends, and end it with a WebSocket close code."""
        for listener in list(self.listeners):
            listener.tell(closing)
            listener.outbox.close(number)

    def rest(self) -> None:
        """Begin nothing more. What is being written is finished."""
        self._resting = True
        for timer in (self._timer, self._presence_timer):
            if timer:
                timer.cancel()
        for task in self._thinking.values():
            task.cancel()

    @property
    def is_idle(self) -> bool:
        """Nobody is there and nothing will happen soon: it can leave the memory; the store knows when to wake it."""
        if self.listeners or self._thinking or self._wishes or self._lock.locked() or self._plan_waits:
            return False
        return not self.table.is_playing or isinstance(self.table.options.clock, Days | NoClock)

    # -- plans

    def plan_of(self, seat: int | None) -> Plan | None:
        planned = self._plans.get(seat) if seat is not None else None
        return planned.plan if planned else None

    async def set_plan(self, guest: str, plan: Plan | None) -> None:
        """A person's plan for this auction; stored before it counts."""
        seat, state = self.table.seat_of(guest), self.table.state
        if seat is None:
            raise Refusal("seat/not-yours", "You have no seat at this table, so you can only watch.")
        if state is None or state.phase is not BUYING or seat not in state.bidders:
            raise Refusal("plan/too-late", "There is nothing to plan: you are not in an auction.")
        planned = None if plan is None else Planned(state.number, plan)
        await self._around.store.set_plan(self.table.id, seat, planned)
        if planned is None:
            self._plans.pop(seat, None)
        else:
            self._plans[seat] = planned
        self._drop_plans()
        self._tell_plan(seat)
        self.follow_up()

    def _tell_plan(self, seat: int) -> None:
        for listener in list(self.listeners):
            if listener.seat == seat:
                listener.tell(PlanIs(self.plan_of(seat)))

    def _drop_plans(self) -> None:
        """A plan ends with its auction, and when its seat has passed."""
        state = self.table.state
        for seat, planned in list(self._plans.items()):
            current = state is not None and state.phase is BUYING and planned.auction == state.number
            if state is None or not current or seat not in state.bidders:
                del self._plans[seat]

    @property
    def _plan_waits(self) -> bool:
        """Whether a plan is about to be carried out."""
        state = self.table.state
        return state is not None and any(self.plan_of(seat) is not None for seat in state.to_act)

    def _plan_time(self, seat: int) -> int | None:
        """When the plan of a seat that is to act is carried out; None without a plan.

        Drawn once for each turn: nobody may be able to shift it, or to tell it from a typed answer.
        """
        since = self.table.seats[seat].since
        if self.plan_of(seat) is None or since is None:
            return None
        turn, time = self._plan_times.get(seat, (0, 0))
        if turn != self.table.auction_seq:
            time = since + self._response_times[seat].draw()
            self._plan_times[seat] = self.table.auction_seq, time
        return time

    # -- what follows

    def interrupted(self, now: int) -> None:
        """The server was down, or its clock was set: that time counts against nobody."""
        self.table = restart_clocks(self.table, now, now)
        self._gone_since = dict.fromkeys(self._gone_since, now)
        self._plan_times.clear()
        self.follow_up()

    def follow_up(self) -> None:
        """See to the seats that the game waits for: bots, plans, those whose time is up or who are gone."""
        now = self._around.now()  # first: reading the clock may restart everyone's time
        state = self.table.state
        if state is None or not self.table.is_playing or self._resting:
            return
        self._mark_away(state, now)
        for seat in state.to_act - set(self._thinking):
            bot, by = self._who_plays(seat)
            planned = self._plan_time(seat)
            if bot is not None or (planned is not None and planned <= now):
                self._thinking[seat] = self._around.spawn(self._see_to(seat, bot, by))
        self._set_timer(state, now)

    def _who_plays(self, seat: int) -> tuple[str | None, By]:
        place = self.table.seats[seat]
        if place.bot is not None:
            return place.bot, "bot"
        return (self.table.options.bot, "stand-in") if seat in self._away else (None, "person")

    def _mark_away(self, state: State, now: int) -> None:
        late = {seat for seat in state.to_act if (time := self._patience_ends(seat)) and time <= now}
        late -= self._away
        if late:
            self._away |= late
            self._tell_presence()

    def _patience_ends(self, seat: int) -> int | None:
        """When a bot plays for a person who is to act: their time is up, or they are gone and others wait."""
        if self.table.seats[seat].bot is not None:
            return None
        times = [deadline(self.table, seat)]
        others_wait = bool(self._connected() - {seat})
        if others_wait and seat in self._gone_since and not isinstance(self.table.options.clock, Days):
            times.append(self._gone_since[seat] + GRACE)
        return min((time for time in times if time is not None), default=None)

    def _set_timer(self, state: State, now: int) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        times = [self._patience_ends(seat) for seat in state.to_act - self._away]
        times += [self._plan_time(seat) for seat in state.to_act - self._away - set(self._thinking)]
        soonest = min((time for time in times if time is not None), default=None)
        if soonest is not None:
            delay = max(0, soonest - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self.follow_up)

    async def _see_to(self, seat: int, bot: str | None, by: By) -> None:
        """Play for a seat, by a bot or by its plan. Whatever becomes of it, the table goes on afterwards."""
        try:
            await (self._carry_out_plan(seat) if bot is None else self._think(seat, bot, by))
        except StoreError as error:
            _log.error("cannot store", extra={"table": self.table.id, "reason": str(error)})
            await asyncio.sleep(1)  # the disk may have room again; the table must not be stuck for good
        except Exception as error:  # it would fail again, and again
            self._around.quarantine(self.table.id, error)
        finally:
            self._thinking.pop(seat, None)
            self.follow_up()

    async def _think(self, seat: int, bot: str, by: By) -> None:
        """Let a bot choose for a seat. It knows what a person there would see, and remember of the games before."""
        table = self.table
        assert table.state is not None
        seen = view.of(table.state, seat, table.options.tracker, await self._games_before())
        legal = game.legal_actions(table.state, seat)
        seed = shuffle.bot_seed(table.secret, seat, table.seq)
        asker = Asker(table.id, table.host, lambda: bool(self._connected()))
        thought = await self._around.thinkers.choose(bot, seen, legal, seed, asker)
        if thought.fault:
            self._around.count("bot_faults")
            _log.warning("bot fault", extra={"table": table.id, "bot": bot, "fault": thought.fault})
        await self._play_for(seat, action_to_wire(thought.action), by, table)

    async def _games_before(self) -> tuple[Earlier, ...]:
        """Read once, when the first bot thinks: whoever only looks at the table does not need them.

        Where they cannot be read, the game goes on without them.
        """
        if self._earlier is None:
            try:
                self._earlier = await games_before(self.table, self._around.store)
            except StoreError as error:
                _log.warning("cannot read earlier games", extra={"table": self.table.id, "reason": str(error)})
                return ()
        return self._earlier

    async def _carry_out_plan(self, seat: int) -> None:
        table, plan = self.table, self.plan_of(seat)
        assert table.state is not None
        bids = [action.amount for action in game.legal_actions(table.state, seat) if isinstance(action, game.Bid)]
        within = isinstance(plan, RaiseTo) and bids and bids[0] <= plan.limit
        await self._play_for(seat, Bid(bids[0]) if within else Pass(), "person", table)

    async def _play_for(self, seat: int, action: Action, by: By, seen: Table) -> None:
        """Play what was chosen from an earlier look, unless the table has moved on or the person is back."""

        def wish(table: Table) -> Entry | None:
            assert table.state is not None
            changed = table.state.phase is BUYING and table.auction_seq != seen.auction_seq
            changed = changed or seat not in table.state.to_act or table.sale_seq != seen.sale_seq
            if changed or (by == "stand-in" and seat not in self._away):
                return None
            return play(table, seat, action, by)

        await self.grant(wish)


def summary(table: Table) -> Summary:
    """What the store keeps of a table besides its log."""
    end = game.outcome(table.state) if table.state else None
    results = (
        ()
        if end is None
        else tuple(
            Result(seat, end.places[seat], end.scores[seat], (seat in end.winners) / len(end.winners))
            for seat, place in enumerate(table.seats)
            if place.guest
        )
    )
    return Summary(
        status=messages.status_of(table),
        listed=table.options.listed,
        # Who has left a table that never began has given it up: it does not count against them.
        host=table.host if table.state or table.seat_of(table.host) is not None else "",
        guests=tuple(seat.guest for seat in table.seats),
        wake_at=wake_at(table),
        results=results,
    )
