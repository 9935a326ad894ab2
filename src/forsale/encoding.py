"""A view as a row of numbers and an action as an index: the layout that nets, environments and the kernel share.

A row is told from the seat whose view it is: that seat comes first, then the others clockwise. It holds what the seat
may know, with a perfect memory, and nothing else. docs/encoding.md explains every number.

>>> from forsale import editions, game, shuffle, view
>>> edition = editions.load("iello-2020")
>>> decks = shuffle.deal(edition, seats=4, rng=shuffle.Stream(b"seed"))
>>> state = game.new_game(edition, seats=4, decks=decks, first=0)
>>> row = encode(view.of(state, 0))
>>> row[SLICES["market"]].tolist(), list(state.market)
([2, 12, 26, 27, 0, 0], [2, 12, 26, 27])
>>> to_index(game.Bid(3)), from_index(4)
(4, Bid(amount=3))
"""

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale.editions import MAX_SEATS, Rules
from forsale.game import BUYING, OVER, SELLING, Action, Bid, Pass, Sell, pass_terms
from forsale.view import Memory, View, recall

__all__ = [
    "ACTIONS",
    "BID",
    "HOUSE",
    "LENGTH",
    "MAX_BID",
    "MAX_CARDS",
    "MAX_SEATS",
    "PASS",
    "SEAT_FIELDS",
    "SLICES",
    "EncodingError",
    "Row",
    "check",
    "encode",
    "from_index",
    "mask",
    "to_index",
]

Row: TypeAlias = NDArray[np.int16]

MAX_CARDS = 30
"""The highest house, and how many cards there are, in the box of a published edition."""
MAX_BID = 28
"""The most coins that a seat of a published edition starts with."""


class EncodingError(ValueError):
    """A view, rules, an action or an index that this layout has no place for, in one sentence."""


def check(rules: Rules) -> None:
    """Refuse rules that this layout has no place for: an edition of one's own can be larger than any published one."""
    # Every house is there once, and there are as many cheques: the highest house says enough of both.
    if max(rules.houses) > MAX_CARDS:
        raise EncodingError(f"{rules.edition}: expected houses up to {MAX_CARDS}, got {max(rules.houses)}")
    if rules.coins > MAX_BID:
        raise EncodingError(f"{rules.edition}: expected at most {MAX_BID} coins a seat, got {rules.coins}")


# --- Actions ---------------------------------------------------------------------------------------------------------

PASS = 0
BID = 1
"""A bid of 0; a bid of n has the index BID + n."""
HOUSE = BID + MAX_BID
"""House n has the index HOUSE + n; they begin with 1, so that HOUSE itself is the highest bid."""
ACTIONS = HOUSE + MAX_CARDS + 1
"""How many there are."""

_ACTIONS: Sequence[Action] = (
    Pass(),
    *(Bid(amount) for amount in range(MAX_BID + 1)),
    *(Sell(house) for house in range(1, MAX_CARDS + 1)),
)


def to_index(action: Action) -> int:
    """The index of an action.

    >>> to_index(Pass()), to_index(Bid(0)), to_index(Sell(30))
    (0, 1, 59)
    """
    match action:
        case Pass():
            return PASS
        case Bid(amount) if type(amount) is int and 0 <= amount <= MAX_BID:
            return BID + amount
        case Sell(house) if type(house) is int and 1 <= house <= MAX_CARDS:
            return HOUSE + house
    raise EncodingError(
        f"expected a pass, a bid from 0 to {MAX_BID} or a house from 1 to {MAX_CARDS} to sell, got {action!r}"
    )


def from_index(index: SupportsIndex) -> Action:
    """The action of an index, which may be a whole number of numpy's.

    >>> from_index(np.int64(0)), from_index(59)
    (Pass(), Sell(house=30))
    """
    try:
        place = -1 if isinstance(index, bool) else operator.index(index)
    except TypeError:
        place = -1
    if not 0 <= place < ACTIONS:
        raise EncodingError(f"expected an index from 0 to {ACTIONS - 1}, got {index!r}")
    return _ACTIONS[place]


def mask(legal: Iterable[Action]) -> NDArray[np.bool_]:
    """Which of all actions are legal: one flag for each index."""
    flags = np.zeros(ACTIONS, np.bool_)
    flags[[to_index(action) for action in legal]] = True
    return flags


# --- Rows ------------------------------------------------------------------------------------------------------------

SEAT_FIELDS = ("here", "coins", "bid", "bidding", "houses", "money")
"""What a row tells of each seat: whether there is such a seat, its purse without the standing bid, its standing bid
(-1: none), whether it is still in the auction, how many houses it holds, and the sum of its cheques."""

_LENGTHS: Mapping[str, int] = {
    "rules": 8,
    "moment": 8,
    "pass": 4,
    "market": MAX_SEATS,
    "seats": MAX_SEATS * len(SEAT_FIELDS),
    "houses": MAX_CARDS,
    "cheques": MAX_CARDS,
}

SLICES: Mapping[str, slice] = MappingProxyType(
    {
        name: slice(end - length, end)
        for (name, length), end in zip(_LENGTHS.items(), accumulate(_LENGTHS.values()), strict=True)
    }
)
"""Where each part of a row is. A part that is not full ends with zeros."""
LENGTH = sum(_LENGTHS.values())

_NONE = -1
_PHASES = {BUYING: 0, SELLING: 1, OVER: 2}
# Where a card is. Nobody has seen those in the decks, nor those that were removed.
_UNSEEN = 0
_IN_MARKET = 1
_IN_HAND = 2  # of the seat itself; the next number is the hand of the next seat
_GONE = _IN_HAND + MAX_SEATS
_TAKEN = 2


def encode(view: View) -> Row:
    """The view of a seat as a row of `LENGTH` numbers."""
    if view.seat is None:
        raise EncodingError("expected the view of a seat, got a spectator's")
    check(view.rules)
    known = recall(view)
    seats = view.rules.seats
    clockwise = [(view.seat + steps) % seats for steps in range(seats)]
    parts: Mapping[str, Sequence[int]] = {
        "rules": _rules(view.rules),
        "moment": _moment(view, clockwise),
        "pass": _pass(view, known, view.seat),
        "market": view.market,
        "seats": _seats(view, known, clockwise),
        "houses": _houses(view, known, clockwise),
        "cheques": _cheques(view, known),
    }
    row = np.zeros(LENGTH, np.int16)
    for name, numbers in parts.items():
        row[SLICES[name]][: len(numbers)] = numbers
    return row


def _rules(rules: Rules) -> tuple[int, ...]:
    return (
        rules.seats,
        rules.coins,
        rules.deck_size,
        rules.removed,
        rules.short,
        rules.refund == "up",
        rules.lowest_bid,
        rules.auctions,
    )


def _moment(view: View, clockwise: Sequence[int]) -> tuple[int, ...]:
    highest = _or_none(view.highest_bid)
    return (
        _PHASES[view.phase],
        view.number,
        # In a sale all act at once: nobody is told who was quicker.
        clockwise.index(view.bidders[0]) if view.bidders else _NONE,
        view.houses_left,
        view.cheques_left,
        highest,
        max(highest + 1, view.rules.lowest_bid) if view.phase is BUYING else 0,
        len(view.market),
    )


def _or_none(bid: int | None) -> int:
    """0 is a bid in some editions, so that it cannot stand for none."""
    return _NONE if bid is None else bid


def _pass(view: View, known: Memory, seat: int) -> tuple[int, ...]:
    """What a pass would do if it were this seat's turn: the house, the coins back, the coins lost, the purse then."""
    if seat not in view.bidders:
        return ()
    standing = view.bids[seat]
    house, refund = pass_terms(view.rules, view.market, len(view.bidders), standing)
    return (house or 0, refund, (standing or 0) - refund, known.coins[seat] + refund)


def _seats(view: View, known: Memory, clockwise: Sequence[int]) -> list[int]:
    numbers: list[int] = []
    for seat in clockwise:
        numbers += (
            True,
            known.coins[seat],
            _or_none(view.bids[seat]),
            seat in view.bidders,
            view.hand_sizes[seat],
            sum(known.cheques[seat]),
        )
    return numbers


def _houses(view: View, known: Memory, clockwise: Sequence[int]) -> list[int]:
    """Where house 1 is, house 2, and so on. One that the box lacks counts as gone."""
    places = [_GONE] * MAX_CARDS
    for house in known.unseen_houses:
        places[house - 1] = _UNSEEN
    for house in view.market if view.phase is BUYING else ():
        places[house - 1] = _IN_MARKET
    for steps, seat in enumerate(clockwise):
        for house in known.hands[seat]:
            places[house - 1] = _IN_HAND + steps
    return places


def _cheques(view: View, known: Memory) -> list[int]:
    """Where each cheque of the box is, ascending.

    Equal ones cannot be told apart: those that are taken come first, then those in the market, then those unseen.
    """
    in_market = Counter(view.market if view.phase is SELLING else ())
    unseen = Counter(known.unseen_cheques)
    places: list[int] = []
    for cheque, copies in Counter(view.rules.cheques).items():
        shown, hidden = in_market[cheque], unseen[cheque]
        places += [_TAKEN] * (copies - shown - hidden) + [_IN_MARKET] * shown + [_UNSEEN] * hidden
    return places
