"""A table is a fold of its log: `absorb` takes it one entry further. It is a value, and nothing here waits or stores.

The other functions answer what someone wants with the entry that would grant it, or with a `Refusal`.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from forsale import bots, editions, game, record, shuffle, view
from forsale.game import SELLING, Event, IllegalAction, State
from forsale.record import Record
from forsale.server.log import (
    Acted,
    By,
    ChatSwitched,
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
from forsale.server.wire import Action, action_from_wire

REACTIONS = ("👏", "😀", "😮", "😢", "🤔", "⏰")
MAX_TEXT = 280
_DAY = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a guest, a bot, or nobody yet."""

    guest: str | None = None
    name: str = ""
    seed: str = ""
    bot: str | None = None
    bank: int = 0
    """Milliseconds left beyond the time of each decision."""
    since: int | None = None
    """When the game began to wait for this seat."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An entry, and which part of the game's history came of it."""

    logged: Logged
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table stands after `seq` entries."""

    id: str
    options: Options
    host: str
    secret: bytes
    seats: tuple[Seat, ...]
    chat: bool
    state: State | None
    log: tuple[Happened, ...]
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
        log=(Happened(first, 0, 0),),
        follows=entry.follows,
    )


def fold(table: str, entries: list[Logged]) -> Table:
    """A table from its whole log."""
    result = opened(table, entries[0])
    for logged in entries[1:]:
        result = absorb(result, logged)
    return result


def absorb(table: Table, logged: Logged) -> Table:
    """The table after one more entry. Entries were checked before they were logged, so they are taken as they are."""
    before = len(table.state.history) if table.state else 0
    changes = _changes(table, logged)
    state = changes.get("state", table.state)
    history = len(state.history) if state else 0
    return replace(table, log=table.log + (Happened(logged, before, history),), **changes)


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
        case Acted(seat, action, by):
            return _acted(table, seat, action, by, logged)
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


def _acted(table: Table, index: int, action: Action, by: By, logged: Logged) -> dict[str, Any]:
    assert table.state is not None
    seat = table.seats[index]
    overtime = _overtime(table.options.clock, seat, logged.at) if by == "person" else 0
    seats = _with_seat(table, index, replace(seat, bank=seat.bank - overtime, since=None))
    state, events = game.apply(table.state, index, action_from_wire(action))
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


def _overtime(clock: Clock, seat: Seat, at: int) -> int:
    """What a decision took out of the bank."""
    if not isinstance(clock, Seconds) or seat.since is None:
        return 0
    return min(seat.bank, max(0, at - seat.since - clock.decision * 1000))


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


# --- Before the game ---------------------------------------------------------------------------------------------


def join(table: Table, guest: str, name: str, seed: str = "") -> Joined | None:
    """A seat for a guest: their own, maybe with another name or seed, or the first that is free. None if all is so."""
    own = table.seat_of(guest)
    if table.state is not None:
        if own is not None:
            return None
        raise Refusal("table/started", "The game has begun, so you can only watch.")
    free = [index for index, seat in enumerate(table.seats) if seat.guest is None]
    if own is None and not free:
        raise Refusal("seat/none-free", f"All {len(table.seats)} seats are taken, so you can only watch.")
    try:
        shuffle.check_seed(seed)
    except shuffle.ShuffleError as error:
        raise Refusal("request/bad", f"Seed: {error}.") from None
    if own is None:
        return Joined(free[0], guest, name, seed)
    again = Joined(own, guest, name, seed or table.seats[own].seed)  # no seed: the one that was added stays
    return None if table.seats[own] == Seat(guest, name, again.seed) else again


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


def switch_chat(table: Table, guest: str, on: bool) -> ChatSwitched:
    _check_host(table, guest, "switch the chat")
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
    """An action of a person, which was chosen when they had seen the log as far as `based_on`."""
    index = _own_seat(table, guest)
    if table.state is None:
        raise Refusal("game/not-started", "The game has not begun.")
    needed = table.sale_seq if table.state.phase is SELLING else table.auction_seq
    if based_on < needed and not table.is_over:
        raise Refusal("action/stale", "The table has moved on since you chose; look again.")
    return play(table, index, action, "person", action_id)


def play(table: Table, index: int, action: Action, by: By, action_id: str | None = None) -> Acted:
    """An action that the rules allow."""
    assert table.state is not None
    wanted = action_from_wire(action)
    if wanted not in game.legal_actions(table.state, index):
        raise Refusal("action/illegal", _why_illegal(table.state, index, wanted))
    return Acted(index, action, by, action_id)


def _why_illegal(state: State, index: int, action: game.Action) -> str:
    """What the engine says of it."""
    try:
        game.apply(state, index, action)
    except IllegalAction as error:
        return f"{error.reason[0].upper()}{error.reason[1:]}."
    raise AssertionError(f"{action} is legal after all")


def say(table: Table, guest: str, name: str, text: str, message_id: str | None = None) -> Said:
    _check_chat(table)
    clean = " ".join(text.split())
    if not clean or len(clean) > MAX_TEXT or not clean.isprintable():
        raise Refusal("message/bad", f"Expected one line of 1 to {MAX_TEXT} characters.")
    return Said(guest, name, clean, message_id)


def react(table: Table, guest: str, name: str, reaction: str, message_id: str | None = None) -> Reacted:
    _check_chat(table)
    if reaction not in REACTIONS:
        raise Refusal("message/bad", f"Expected one of {' '.join(REACTIONS)}.")
    return Reacted(guest, name, reaction, message_id)


def _check_chat(table: Table) -> None:
    if not table.chat:
        raise Refusal("chat/off", "The chat is switched off at this table.")


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
    if table.state is None:
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
        for happened in table.log
        if isinstance(happened.logged.entry, Acted) and happened.logged.entry.by == "stand-in"
    ]
    position = table.state if table.is_over else view.of(table.state, seat)
    return record.from_position(position, [place.name for place in table.seats], tags, stand_ins)


def whole_record(table: Table) -> Record:
    """The record of a game that is over, which has no secrets any more."""
    _check_over(table)
    return record_of(table, None)


def _date(table: Table) -> str:
    started = next(happened for happened in table.log if isinstance(happened.logged.entry, Started))
    return datetime.fromtimestamp(started.logged.at // 1000, UTC).isoformat().replace("+00:00", "Z")
