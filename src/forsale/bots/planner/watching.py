"""What the rivals have done so far: every public decision of a game, with the row of the one who took it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale.encoding import BID, HOUSE, PASS
from forsale.game import BUYING, BidPlaced, Dealt, Passed, SaleResolved
from forsale.scalar import course, layout
from forsale.scalar.rows import cheque_places, rules_row
from forsale.view import View


class Decisions(NamedTuple):
    """In the order in which they were taken."""

    rows: NDArray[np.int32]
    seats: NDArray[np.int32]
    actions: NDArray[np.int32]


def decisions(view: View) -> Decisions:
    """Play the history again on a row, and keep the row before each decision.

    A sale counts once it is revealed: each of its choices was taken without the others.
    """
    taken = list(_replayed(view))
    rows = np.array([row for row, _, _ in taken], np.int32).reshape(len(taken), layout.LENGTH)
    return Decisions(
        rows, np.array([seat for _, seat, _ in taken], np.int32), np.array([act for *_, act in taken], np.int32)
    )


def _replayed(view: View) -> Iterator[tuple[list[int], int, int]]:
    r = rules_row(view.rules).tolist()
    s, d = [0] * layout.LENGTH, _decks(view)
    for event in view.history:
        match event:
            case Dealt(_, 1, _, int(opener)):
                course.start(s, d, r, opener)
            case BidPlaced(seat, amount):
                yield s.copy(), seat, BID + amount
                course.step(s, d, r, BID + amount)
            case Passed(seat):
                yield s.copy(), seat, PASS
                course.step(s, d, r, PASS)
            case SaleResolved(_, houses, _) if sum(map(bool, houses)) > 1:
                before = s.copy()
                for seat, sold in enumerate(houses):
                    if sold:
                        before[layout.TO_ACT] = seat
                        yield before.copy(), seat, HOUSE + sold[0]
                        course.step(s, d, r, HOUSE + sold[0])
            case _:
                pass


def _decks(view: View) -> list[int]:
    """As far as they were turned up, which is as far as they are needed."""
    houses: list[int] = []
    cheques: list[int] = []
    for event in view.history:
        if isinstance(event, Dealt):
            (houses if event.phase is BUYING else cheques).extend(event.market)
    return [
        *_filled([house - 1 for house in houses]),
        *_filled(cheque_places(cheques, view.rules)),
    ]


def _filled(places: list[int]) -> list[int]:
    return places + [0] * (layout.MAX_CARDS - len(places))
