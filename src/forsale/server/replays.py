"""A record as a replay: every position of the game, open, or as one seat saw it."""

from msgspec.structs import replace

from forsale import record, view
from forsale.game import seat_letter
from forsale.record import Record, RecordError
from forsale.server.protocol import Moment, Replay
from forsale.server.refusal import Refusal
from forsale.server.wire import Position, action_to_wire, event_to_wire, position_of
from forsale.view import View


def read(data: bytes) -> Record:
    try:
        return record.from_bytes(data)
    except RecordError as error:
        raise _bad(error) from None


def replay_of(written: Record, letter: str | None) -> Replay:
    """The game as far as the record goes, through the eyes of a seat; without a letter all is open."""
    seat = None if letter is None else _seat(letter, written.seats)
    try:
        played = record.replay(written)
    except RecordError as error:
        raise _bad(error) from None
    return Replay(
        tags=dict(written.tags),
        players=written.players,
        rules=played.state.rules,
        seat=seat,
        moments=tuple(_moment(number, moment, seat) for number, moment in enumerate(played.moments)),
    )


def _bad(error: RecordError) -> Refusal:
    return Refusal("record/bad", f"Line {error.line}, column {error.column}: {error.reason}.")


def _seat(letter: str, seats: int) -> int:
    letters = [seat_letter(seat) for seat in range(seats)]
    if letter not in letters:
        raise Refusal("request/bad", f"seat: expected a letter from A to {letters[-1]}, got {letter[:8]!r}.")
    return letters.index(letter)


def _moment(number: int, moment: record.Moment, seat: int | None) -> Moment:
    is_open = seat is None
    events = moment.events if is_open else view.redact(moment.events, seat)
    told = moment.action if events == moment.events else None
    # The history goes separately, event by event, so that it need not be gone through for each position.
    seen = view.of(moment.state._replace(history=()), seat, tracker=is_open)
    return Moment(
        number=number,
        seat=moment.seat,
        action=None if told is None else action_to_wire(told),
        events=tuple(map(event_to_wire, events)),
        choices=moment.state.choices if is_open else _own_choice(seen),
        position=_with_hidden(position_of(seen), moment.hidden),
    )


def _own_choice(seen: View) -> tuple[int | None, ...]:
    return tuple(seen.choice if seat == seen.seat else None for seat in range(seen.rules.seats))


def _with_hidden(position: Position, hidden: frozenset[int]) -> Position:
    """For choices that the record does not tell, the engine still waits; everyone at the table knew better."""
    return replace(
        position,
        has_chosen=tuple(chosen or seat in hidden for seat, chosen in enumerate(position.has_chosen)),
        to_act=tuple(seat for seat in position.to_act if seat not in hidden),
    )
