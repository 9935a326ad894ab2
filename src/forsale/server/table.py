"""A table is a fold of its log: `absorb` takes it one entry further. It is a value, and nothing here waits or stores.

The other functions answer what someone wants with the entry that would grant it, or with a `Refusal`.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from forsale import bots, editions, game, record, shuffle, view
from forsale.game import SELLING, Event, IllegalAction, State
from forsale.record import Record
from forsale.server.append_only import AppendOnly
from forsale.server.log import (
    Acted,
    By,
    ChatSwitched,
    Entry,
    Joined,
    Left,
    Logged,
    Opened,
    Reacted,
    RematchOpened,
    Said,
    Started,
)
from forsale.server.options import Clock, Days, Options, Seconds
from forsale.server.refusal import Refusal
from forsale.server.visible import is_visible
from forsale.server.wire import Action, Sell, action_from_wire

REACTIONS = ("👏", "😀", "😮", "😢", "🤔", "⏰")
MAX_TEXT = 280

# How much one table's log may hold besides the game. Reading a log takes time in proportion to its length, so nobody
# may lengthen it without end. Each limit is far above what people at a table need.
MAX_JOINS = 20
"""Times that one guest may sit down, or change name or seed, at one table."""
MAX_LOBBY_ENTRIES = 400
"""Times that anyone may sit down or stand up at one table."""
MAX_CHAT_SWITCHES = 20
MAX_LINES = 200
"""Lines and reactions of one player."""
MAX_PLAYERS_LINES = 1000
"""Of all players of a table together."""
MAX_SPECTATOR_LINES = 40
"""Of one spectator."""
MAX_SPECTATORS_LINES = 200
"""Of all spectators together, apart from the players': strangers cannot silence those who play."""
MAX_CHOICES = 20
"""Times that a seat may choose in one sale, counting changes of mind."""

RECONNECT = 10_000
"""Milliseconds that people have to connect again after the server was down, before their time runs."""
CLOCK_WAS_SET_BACK = 60_000
"""Milliseconds by which a time in the log may lie ahead of the clock before the clock must have been wrong."""

_DAY = 24 * 60 * 60 * 1000
_HOUR = 60 * 60 * 1000


class Seat(Struct, frozen=True):
    """Who sits there: a guest, a bot, or nobody yet."""

    guest: str | None = None
    name: str = ""
    seed: str = ""
    bot: str | None = None
    bank: int = 0
    """Milliseconds left beyond the time of each decision."""
    since: int | None = None
    """When the game began to wait for this seat, or when its clock was restarted after the server was down."""
    spared: int = 0
    """Milliseconds of this decision that do not count, as the server was down."""


class Happened(Struct, frozen=True, gc=False):
    """An entry, and which part of the game's history came of it."""

    logged: Logged
    start: int
    stop: int


class Table(Struct, frozen=True):
    """Where a table stands after `seq` entries."""

    id: str
    options: Options
    host: str
    secret: bytes
    seats: tuple[Seat, ...]
    chat: bool
    state: State | None
    log: AppendOnly[Happened]
    plays: AppendOnly[Happened] = field(default_factory=AppendOnly)
    """The part of the log that is the game: its start and the actions."""
    rematch: str | None = None
    follows: str | None = None
    """The table of which this one is the rematch."""
    auction_seq: int = 0
    """The last entry that changed an auction: an action based on an older one is stale."""
    sale_seq: int = 0
    """The entry that opened the sale: a choice for an older one is stale."""

    @property
    def seq(self) -> int:
        return self.log[-1].logged.seq

    @property
    def is_over(self) -> bool:
        return self.state is not None and game.outcome(self.state) is not None

    @property
    def is_playing(self) -> bool:
        return self.state is not None and not self.is_over

    def seat_of(self, guest: str | None) -> int | None:
        """The seat of a guest, None for a spectator."""
        return next((i for i, seat in enumerate(self.seats) if guest is not None and seat.guest == guest), None)


# --- Folding -----------------------------------------------------------------------------------------------------


def opened(table_id: str, first: Logged) -> Table:
    """A table from the first entry of its log."""
    entry = first.entry
    if not isinstance(entry, Opened):
        raise TypeError(f"the log of table {table_id} begins with {type(entry).__name__}")
    return Table(
        id=table_id,
        options=entry.options,
        host=entry.host,
        secret=bytes.fromhex(entry.secret),
        seats=(Seat(),) * entry.options.seats,
        chat=entry.options.chat,
        state=None,
        log=AppendOnly([Happened(first, 0, 0)]),
        follows=entry.follows,
    )


def fold(table_id: str, entries: list[Logged], before: Table | None = None) -> Table:
    """A table from its whole log, or from where it stood `before` and the entries since then."""
    table = before
    for logged in entries:
        table = opened(table_id, logged) if table is None else absorb(table, logged)
    if table is None:
        raise ValueError(f"the log of table {table_id} is empty")
    return table


def absorb(table: Table, logged: Logged) -> Table:
    """The table after one more entry. Entries were checked before they were logged, so they are taken as they are."""
    before = len(table.state.history) if table.state else 0
    changes = _changes(table, logged)
    state = changes.get("state", table.state)
    history = len(state.history) if state else 0
    happened = Happened(logged, before, history)
    if isinstance(logged.entry, Started | Acted):
        changes["plays"] = table.plays.append(happened)
    return replace(table, log=table.log.append(happened), **changes)


def _changes(table: Table, logged: Logged) -> dict[str, Any]:
    """The fields of the table that an entry changes."""
    match logged.entry:
        case Joined(seat, guest, name, seed):
            return {"seats": _with_seat(table, seat, Seat(guest, name, seed))}
        case Left(seat):
            return {"seats": _with_seat(table, seat, Seat())}
        case ChatSwitched(on):
            return {"chat": on}
        case Started(kinds):
            return _started(table, kinds, logged)
        case Acted() as acted:
            return _acted(table, acted, logged)
        case RematchOpened(rematch):
            return {"rematch": rematch}
        case _:  # what was said changes nothing
            return {}


def _with_seat(table: Table, index: int, seat: Seat) -> tuple[Seat, ...]:
    return (*table.seats[:index], seat, *table.seats[index + 1 :])


def _started(table: Table, kinds: tuple[str | None, ...], logged: Logged) -> dict[str, Any]:
    bank = table.options.clock.bank * 1000 if isinstance(table.options.clock, Seconds) else 0
    names = bots.called([seat.name for seat in table.seats])
    seats = tuple(
        replace(seat, bot=bot, name=seat.name if bot is None else next(names), bank=bank)
        for seat, bot in zip(table.seats, kinds, strict=True)
    )
    options = table.options
    edition = editions.load(options.edition)
    deal = shuffle.fair_deal(edition, options.seats, table.secret, [seat.seed for seat in seats], options.variant)
    state = game.new_game(edition, options.seats, deal.decks, deal.first, options.variant)
    seats = _waiting(seats, state, logged.at)
    return {"seats": seats, "state": state, "auction_seq": logged.seq, "sale_seq": logged.seq}


def _acted(table: Table, acted: Acted, logged: Logged) -> dict[str, Any]:
    assert table.state is not None
    index = acted.seat
    seat = table.seats[index]
    overtime = _overtime(table.options.clock, seat, acted.spared, logged.at) if acted.by == "person" else 0
    seats = _with_seat(table, index, replace(seat, bank=seat.bank - overtime, since=None, spared=0))
    state, events = game.apply(table.state, index, action_from_wire(acted.action))
    opened_sale = state.phase is SELLING and any(isinstance(event, game.Dealt) for event in events)
    return {
        "seats": _waiting(seats, state, logged.at),
        "state": state,
        "auction_seq": logged.seq,
        "sale_seq": logged.seq if opened_sale else table.sale_seq,
    }


def _waiting(seats: tuple[Seat, ...], state: State, at: int) -> tuple[Seat, ...]:
    """Start the time of the seats that the game has just begun to wait for, and stop that of the others."""
    to_act = state.to_act
    return tuple(
        [
            seat
            if (seat.since is not None) == (index in to_act)
            else replace(seat, since=at if index in to_act else None)
            for index, seat in enumerate(seats)
        ]
    )


def _overtime(clock: Clock, seat: Seat, spared: int, at: int) -> int:
    """What a decision took out of the bank. `spared` is as logged: the seat may not know of it, or may already have
    had its clock restarted (see `restart_clocks`)."""
    if not isinstance(clock, Seconds) or seat.since is None:
        return 0
    waited = at - seat.since - (spared - seat.spared)
    return min(seat.bank, max(0, waited - clock.decision * 1000))


# --- Time --------------------------------------------------------------------------------------------------------


def deadline(table: Table, index: int) -> int | None:
    """When the time of a seat runs out; None without a clock, or when the game does not wait for it."""
    seat = table.seats[index]
    if seat.since is None:
        return None
    match table.options.clock:
        case Seconds(decision):
            return seat.since + decision * 1000 + seat.bank
        case Days(days):
            return seat.since + days * _DAY
        case _:
            return None


def wake_at(table: Table) -> int | None:
    """When something must happen at this table though nobody does anything; stored, so that no restart forgets it."""
    if not table.is_playing:
        return None
    assert table.state is not None
    times = [
        table.seats[index].since if table.seats[index].bot else deadline(table, index) for index in table.state.to_act
    ]
    return min((time for time in times if time is not None), default=None)


def restart_clocks(table: Table, resumed: int, now: int) -> Table:
    """The table with the time in which the server was down, until `resumed`, taken off the clocks that run.

    With seconds a person's time for this decision restarts, once they could connect again. By correspondence at
    least an hour is left, not more: a server that is restarted every night must not give everyone the whole time each
    day. A time far ahead of `now` was taken from a clock that has been set back since, and restarts too.
    """
    if not table.is_playing:
        return table
    seats = tuple(_restarted(table.options.clock, seat, resumed, now) for seat in table.seats)
    return table if seats == table.seats else replace(table, seats=seats)


def _restarted(clock: Clock, seat: Seat, resumed: int, now: int) -> Seat:
    if seat.since is None or seat.bot is not None:
        return seat
    if seat.since > now + CLOCK_WAS_SET_BACK:
        return replace(seat, since=now)
    if isinstance(clock, Days):
        return replace(seat, since=max(seat.since, min(resumed - clock.days * _DAY + _HOUR, now)))
    if seat.since >= resumed:
        return seat
    begins = resumed + RECONNECT
    return replace(seat, since=begins, spared=seat.spared + begins - seat.since)


# --- Before the game ---------------------------------------------------------------------------------------------


def join(table: Table, guest: str, name: str, seed: str = "") -> Joined | None:
    """A seat for a guest: their own, maybe with another name or seed, or the first free one.

    Returns None if nothing would change.
    """
    own = table.seat_of(guest)
    if table.state is not None:
        if own is None:
            raise Refusal("table/started", "The game has begun, so you can only watch.")
        if seed and seed != table.seats[own].seed:
            raise Refusal("table/started", "The cards have been dealt, so your seed comes too late.")
        return None
    free = [index for index, seat in enumerate(table.seats) if seat.guest is None]
    if own is None and not free:
        raise Refusal("seat/none-free", f"All {len(table.seats)} seats are taken, so you can only watch.")
    try:
        shuffle.check_seed(seed)
    except shuffle.ShuffleError as error:
        raise Refusal("request/bad", f"Seed: {error}.") from None
    if own is None:
        wanted = Joined(free[0], guest, name, seed)
    else:
        wanted = Joined(own, guest, name, seed or table.seats[own].seed)  # no seed: the one that was added stays
        if table.seats[own] == Seat(guest, name, wanted.seed):
            return None
    _check_lobby(table, guest)
    return wanted


def _check_lobby(table: Table, guest: str) -> None:
    changes = [entry for entry in _entries(table) if isinstance(entry, Joined | Left)]
    own = sum(isinstance(entry, Joined) and entry.guest == guest for entry in changes)
    if own >= MAX_JOINS or len(changes) >= MAX_LOBBY_ENTRIES:
        raise Refusal("table/full", "Seats, names and seeds have changed too often at this table; open a new one.")


def _entries(table: Table) -> Iterator[Entry]:
    return (happened.logged.entry for happened in table.log)


def leave(table: Table, guest: str) -> Left:
    index = _own_seat(table, guest)
    if table.state is not None:
        raise Refusal("table/started", "The game has begun; if you go, a bot plays for you until you are back.")
    return Left(index)


def start(table: Table, guest: str) -> Started:
    """Begin with the people who are there, and bots in the empty seats."""
    _check_host(table, guest, "start the game")
    if table.state is not None:
        raise Refusal("table/started", "The game has begun already.")
    return Started(tuple(None if seat.guest else table.options.bot for seat in table.seats))


def switch_chat(table: Table, guest: str, on: bool) -> ChatSwitched | None:
    """Returns None if nothing would change."""
    _check_host(table, guest, "switch the chat")
    if on == table.chat:
        return None
    if sum(isinstance(entry, ChatSwitched) for entry in _entries(table)) >= MAX_CHAT_SWITCHES:
        raise Refusal("table/full", f"The chat was switched {MAX_CHAT_SWITCHES} times; it stays as it is.")
    return ChatSwitched(on)


def _check_host(table: Table, guest: str, what: str) -> None:
    if guest != table.host:
        raise Refusal("table/not-host", f"Only the one who opened the table can {what}.")


def _own_seat(table: Table, guest: str | None) -> int:
    index = table.seat_of(guest)
    if index is None:
        raise Refusal("seat/not-yours", "You have no seat at this table, so you can only watch.")
    return index


# --- During the game ---------------------------------------------------------------------------------------------


def act(table: Table, guest: str, action: Action, based_on: int, action_id: str | None) -> Acted:
    """An action of a person, which was chosen when they had seen the log as far as `based_on`.

    To choose the same house again in a sale is an entry too: without one, the others would know that it is the same.
    """
    index = _own_seat(table, guest)
    if table.state is None:
        raise Refusal("game/not-started", "The game has not begun.")
    needed = table.sale_seq if table.state.phase is SELLING else table.auction_seq
    if based_on < needed and not table.is_over:
        raise Refusal("action/stale", "The table has moved on since you chose; look again.")
    wanted = play(table, index, action, "person", action_id)
    if isinstance(action, Sell) and _choices_in_sale(table, index) >= MAX_CHOICES:
        raise Refusal("action/too-often", "You have changed your mind too often in this sale; your choice stands.")
    return wanted


def _choices_in_sale(table: Table, index: int) -> int:
    this_sale = takewhile(lambda happened: happened.logged.seq > table.sale_seq, reversed(table.plays))
    entries = (happened.logged.entry for happened in this_sale)
    return sum(isinstance(entry, Acted) and entry.seat == index for entry in entries)


def play(table: Table, index: int, action: Action, by: By, action_id: str | None = None) -> Acted:
    """An action that the rules allow."""
    assert table.state is not None
    wanted = action_from_wire(action)
    if wanted not in game.legal_actions(table.state, index):
        raise Refusal("action/illegal", _why_illegal(table.state, index, wanted))
    return Acted(index, action, by, action_id, table.seats[index].spared)


def _why_illegal(state: State, index: int, action: game.Action) -> str:
    """What the engine says of it."""
    try:
        game.apply(state, index, action)
    except IllegalAction as error:
        return f"{error.reason[0].upper()}{error.reason[1:]}."
    raise AssertionError(f"{action} is legal after all")


def say(table: Table, guest: str, name: str, text: str, message_id: str | None = None) -> Said:
    _check_chat(table, guest)
    clean = " ".join(text.split())
    if not is_visible(clean) or len(clean) > MAX_TEXT or not clean.isprintable():
        raise Refusal("message/bad", f"Expected one line of 1 to {MAX_TEXT} characters.")
    return Said(guest, name, clean, message_id)


def react(table: Table, guest: str, name: str, reaction: str, message_id: str | None = None) -> Reacted:
    _check_chat(table, guest)
    if reaction not in REACTIONS:
        raise Refusal("message/bad", f"Expected one of {' '.join(REACTIONS)}.")
    return Reacted(guest, name, reaction, message_id)


def _check_chat(table: Table, guest: str) -> None:
    if not table.chat:
        raise Refusal("chat/off", "The chat is switched off at this table.")
    players = {seat.guest for seat in table.seats}
    plays = guest in players
    lines = Counter(entry.guest for entry in _entries(table) if isinstance(entry, Said | Reacted))
    together = sum(count for writer, count in lines.items() if (writer in players) == plays)
    own, all_of_them = (MAX_LINES, MAX_PLAYERS_LINES) if plays else (MAX_SPECTATOR_LINES, MAX_SPECTATORS_LINES)
    if lines[guest] >= own or together >= all_of_them:
        raise Refusal("chat/full", "This table's chat is full; go on talking at your next one.")


# --- After the game ----------------------------------------------------------------------------------------------


def rematch(table: Table, guest: str, new_table: str) -> RematchOpened | None:
    """The same people once more. None where someone was quicker: `table.rematch` tells where."""
    _own_seat(table, guest)
    _check_over(table)
    return None if table.rematch else RematchOpened(new_table)


def _check_over(table: Table) -> None:
    if not table.is_over:
        raise Refusal("game/not-over", "The game is not over yet.")


def events_for(table: Table, happened: Happened, seat: int | None) -> tuple[Event, ...]:
    """What came of an entry, as a seat or a spectator sees it; once the game is over everything is shown."""
    if table.state is None or happened.start == happened.stop:
        return ()
    events = table.state.history[happened.start : happened.stop]
    return events if table.is_over else view.redact(events, seat)


def record_of(table: Table, seat: int | None) -> Record:
    """The game so far as this seat knows it; once it is over, all of it, with the secret of its deal."""
    if table.state is None:
        raise Refusal("game/not-started", "The game has not begun.")
    tags = {
        "Date": _date(table),
        "Table": table.id,
        "Bots": "|".join(place.bot or "" for place in table.seats),
        "Commitment": shuffle.commitment(table.secret),
    }
    if table.is_over:
        tags |= {"Secret": table.secret.hex(), "Seeds": "|".join(place.seed for place in table.seats)}
    stand_ins = [
        happened.start
        for happened in table.plays
        if isinstance(happened.logged.entry, Acted) and happened.logged.entry.by == "stand-in"
    ]
    position = table.state if table.is_over else view.of(table.state, seat)
    return record.from_position(position, [place.name for place in table.seats], tags, stand_ins)


def whole_record(table: Table) -> Record:
    """The record of a game that is over, which has no secrets any more."""
    _check_over(table)
    return record_of(table, None)


def _date(table: Table) -> str:
    return datetime.fromtimestamp(table.plays[0].logged.at // 1000, UTC).isoformat().replace("+00:00", "Z")
