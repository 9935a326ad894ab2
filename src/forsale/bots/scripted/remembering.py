"""What a scripted bot goes by: the row of its view, less what it has forgotten."""

from collections.abc import Sequence

from forsale.game import SELLING, Dealt
from forsale.scalar import layout
from forsale.scalar.rows import Position, position_of
from forsale.view import View


def row_of(view: View, rounds: int | None = None) -> list[int]:
    """As a seat knows it: all that has happened, or what was in so many rounds before this one, if no tracker helps."""
    assert view.seat is not None
    position = position_of(view)
    row: list[int] = position.row.tolist()
    row[layout.TO_ACT] = view.seat
    if rounds is not None and not view.tracker:
        _forget(row, position, view, rounds)
    return row


def _forget(row: list[int], position: Position, view: View, rounds: int) -> None:
    """Cheques of earlier sales may come again, for all that it knows; what others bought earlier, it does not know."""
    houses, cheques = ([len(event.market) for event in _dealt(view, selling)] for selling in (False, True))
    places = position.decks.tolist()
    row[layout.CHEQUES_SEEN] = _recent(places[layout.CHEQUES :], cheques, rounds + 1)
    since = rounds + 1 - len(cheques)
    known = _recent(places[layout.HOUSES :], houses, since) if since > 0 else 0
    for seat in range(view.rules.seats):
        if seat != view.seat:
            row[layout.HANDS + seat] &= known


def _dealt(view: View, selling: bool) -> list[Dealt]:
    return [event for event in view.history if isinstance(event, Dealt) and (event.phase is SELLING) == selling]


def _recent(places: Sequence[int], sizes: Sequence[int], rounds: int) -> int:
    """The cards of the last so many rounds, as a mask; each round turned up so many."""
    end = sum(sizes)
    return sum(1 << place for place in places[end - sum(sizes[-rounds:]) : end])
