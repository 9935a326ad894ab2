"""What each client is told of a table: from a `Table` to messages, one audience at a time."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from msgspec.structs import replace

from forsale import game, shuffle, view
from forsale.server import log, protocol
from forsale.server.protocol import Happening, Plan, SeatInfo, TableInfo, Update, Welcome, What
from forsale.server.store import Status
from forsale.server.table import Happened, Table, deadline, events_for
from forsale.server.wire import Action, Position, action_to_wire, event_to_wire, position_of

MAX_MISSED = 2500
"""Happenings in one welcome besides those of the game. The limits on a table's log keep it below this; a log from
before there were any may be longer."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is there, which no log tells: seats with a connection, seats played by a bot, and the number of onlookers."""

    connected: Collection[int] = ()
    away: Collection[int] = ()
    spectators: int = 0


# Times are published no finer than people need them. To the millisecond they would tell who typed and whose plan was
# carried out, and how far away a player is.


def coarse_now(milliseconds: int) -> int:
    """The server's time to a tenth of a second: enough to set a countdown by."""
    return milliseconds // 100 * 100


def coarse_past(milliseconds: int) -> int:
    """The full second in which something happened, or that is left of a time bank."""
    return milliseconds // 1000 * 1000


def coarse_deadline(milliseconds: int | None) -> int | None:
    """The full second by which time is up, never one that is too early."""
    return None if milliseconds is None else -(-milliseconds // 1000) * 1000


def status_of(table: Table) -> Status:
    if table.state is None:
        return "waiting"
    return "over" if table.is_over else "playing"


class CommonInfo:
    """What all may know of the table around the game: made once for everyone who is told."""

    def __init__(self, table: Table, attendance: Attendance) -> None:
        seats = tuple([_seat_info(table, attendance, index) for index in range(len(table.seats))])
        self._info = TableInfo(
            id=table.id,
            options=table.options,
            status=status_of(table),
            seats=seats,
            you=None,
            you_are_host=False,
            spectators=attendance.spectators,
            chat=table.chat,
            commitment=_commitment(table.secret),
            secret=table.secret.hex() if table.is_over else None,
            seeds=tuple(place.seed for place in table.seats) if table.is_over else None,
            rematch=table.rematch,
        )

    def for_one(self, seat: int | None, is_host: bool) -> TableInfo:
        """For a seat or a spectator."""
        return replace(self._info, you=seat, you_are_host=is_host)


_commitment = lru_cache(maxsize=4096)(shuffle.commitment)


def _seat_info(table: Table, attendance: Attendance, index: int) -> SeatInfo:
    seat = table.seats[index]
    return SeatInfo(
        name=seat.name,
        bot=seat.bot,
        taken=seat.guest is not None or seat.bot is not None,
        connected=index in attendance.connected,
        away=index in attendance.away,
        deadline=None if seat.bot else coarse_deadline(deadline(table, index)),
        bank=coarse_past(seat.bank),
    )


def happening(table: Table, happened: Happened, seat: int | None) -> Happening:
    events = tuple(event_to_wire(event) for event in events_for(table, happened, seat))
    at = coarse_past(happened.logged.at)
    return Happening(happened.logged.seq, at, _what(table, happened.logged.entry), events)


def _what(table: Table, entry: log.Entry) -> What:
    """An entry without what only the server knows: guests' ids, secrets, seeds, and what was chosen in a sale."""
    match entry:
        case log.Joined(seat, _, name):
            return protocol.SeatTaken(seat, name)
        case log.Left(seat):
            return protocol.SeatLeft(seat)
        case log.ChatSwitched(on):
            return protocol.ChatSwitched(on)
        case log.Started():
            return protocol.GameStarted()
        case log.Acted(seat, _, by):
            return protocol.Played(seat, by)
        case log.Said(guest, name, text):
            return protocol.ChatLine(table.seat_of(guest), name, text)
        case log.Reacted(guest, name, reaction):
            return protocol.Reaction(table.seat_of(guest), name, reaction)
        case log.RematchOpened(rematch):
            return protocol.RematchOpened(rematch)
        case _:
            return protocol.TableOpened()


def _positions(table: Table) -> Callable[[int | None], Position | None]:
    """The position for each seat. The history goes separately, so that it need not be gone through for each."""
    if table.state is None:
        return lambda _: None
    bare = table.state._replace(history=())
    return lambda seat: position_of(view.of(bare, seat, table.options.tracker))


def legal(table: Table, seat: int | None) -> tuple[Action, ...]:
    if table.state is None or seat is None:
        return ()
    return tuple(map(action_to_wire, game.legal_actions(table.state, seat)))


def welcome(table: Table, about: TableInfo, last: int, plan: Plan | None, now: int) -> Welcome:
    seat = about.you
    missed = tuple(happening(table, happened, seat) for happened in _missed(table, last))
    position = _positions(table)(seat)
    return Welcome(protocol.VERSION, coarse_now(now), table.seq, about, missed, position, legal(table, seat), plan)


def _missed(table: Table, last: int) -> list[Happened]:
    """What happened since the entry `last`. Of a log that is longer than any that can be written today, the oldest
    part without lines of chat and changes of seats."""
    newest = max(last, len(table.log) - MAX_MISSED)
    older = [happened for happened in table.plays if last < happened.logged.seq <= newest]
    return older + table.log[newest:]


class News:
    """That something happened, for whoever is told."""

    def __init__(self, table: Table, common: CommonInfo, happened: Happened, now: int) -> None:
        self._table = table
        self._common = common
        self._happened = happened
        self._now = coarse_now(now)
        self._position = _positions(table)

    def for_one(self, seat: int | None, is_host: bool, plan: Plan | None) -> Update:
        return Update(
            self._now,
            happening(self._table, self._happened, seat),
            self._common.for_one(seat, is_host),
            self._position(seat),
            legal(self._table, seat),
            plan,
        )
