"""What the net is told (see `forsale.bots.champion.told`), spread out.

A row is small and whole, so that a GPU keeps many; spread out, each place of a card is a number of its own, and all
others are about as large as 1. The same function does it for numpy and for PyTorch.
"""

from typing import Any

import numpy as np

from forsale import encoding
from forsale.bots.champion.habits import (
    AMOUNT,
    BIDS_MADE,
    HABITS,
    JUMPED,
    JUMPS,
    LAST_PRICE,
    LAST_STOOD,
    MEANS,
    MOST,
    MOST_OF_SHARE,
    PARTS,
    PRICE,
    WASTEFUL,
    WIDE_BIDS,
)
from forsale.bots.champion.told import HISTORY, ROW
from forsale.encoding import MAX_CARDS, MAX_SEATS, SEAT_FIELDS, SLICES

RIVALS = MAX_SEATS - 1

_HOUSE_PLACES = tuple(range(8))
"""Unseen, in the market, with each seat; a house that is gone has none of them."""
_CHEQUE_PLACES = (0, 1)
_SEATS = tuple(range(3, MAX_SEATS + 1))
_BIDS = tuple(range(-1, encoding.MAX_BID + 1))
_PURSES = tuple(range(encoding.MAX_BID + 1))

_HIGHEST_BID = SLICES["moment"].start + 5
_OWN_COINS = SLICES["seats"].start + SEAT_FIELDS.index("coins")
_OWN_BID = SLICES["seats"].start + SEAT_FIELDS.index("bid")

_WHOLE = slice(0, SLICES["houses"].start)
_HISTORY = slice(HISTORY, ROW)

SCALES = np.ones(SLICES["houses"].start, np.float32)
"""What the numbers before the cards are divided by."""
SCALES[SLICES["rules"]] = (6, 28, 30, 6, 2, 1, 1, 10)
SCALES[SLICES["moment"]] = (1, 10, 5, 30, 30, 28, 28, 6)
SCALES[SLICES["pass"]] = (30, 14, 14, 28)
SCALES[SLICES["market"]] = 30
SCALES[SLICES["seats"]] = np.tile((1, 28, 28, 1, 10, 100), MAX_SEATS)

_habits = np.full(HABITS, 8, np.float32)
_habits[[sum_ for sum_, _ in MEANS]] = PARTS
_habits[[LAST_PRICE, LAST_STOOD, MOST_OF_SHARE]] = PARTS
_habits[[PRICE, AMOUNT, MOST, JUMPED]] = 10
_habits[[BIDS_MADE, WIDE_BIDS, JUMPS, WASTEFUL]] = 24
HABIT_SCALES = np.tile(_habits, RIVALS)

WIDTH = (
    SLICES["houses"].start
    + MAX_CARDS * (len(_HOUSE_PLACES) + len(_CHEQUE_PLACES))
    + len(_SEATS)
    + 2 * len(_BIDS)
    + len(_PURSES)
    + RIVALS * HABITS
)
"""Numbers spread out."""


class Spread:
    """Spreads rows out; `array` makes an array of numpy or PyTorch of one of numpy."""

    def __init__(self, array: Any, joined: Any, watching: bool = True) -> None:
        """`joined` puts arrays together along their last axis, as numbers of the right kind. Who is not `watching` the
        others is told nothing of their habits."""
        self._joined = joined
        self._scales = array(1 / SCALES)
        self._habits = array(watching / HABIT_SCALES)
        self._choices = [
            (columns, array(np.array(places, np.int16)))
            for columns, places in (
                (SLICES["houses"], _HOUSE_PLACES),
                (SLICES["cheques"], _CHEQUE_PLACES),
                (slice(0, 1), _SEATS),
                (slice(_HIGHEST_BID, _HIGHEST_BID + 1), _BIDS),
                (slice(_OWN_BID, _OWN_BID + 1), _BIDS),
                (slice(_OWN_COINS, _OWN_COINS + 1), _PURSES),
            )
        ]

    def __call__(self, rows: Any) -> Any:
        """Rows, one or many, as the net takes them."""
        parts = [rows[..., _WHOLE] * self._scales]
        for columns, places in self._choices:
            chosen = rows[..., columns, None] == places
            parts.append(chosen.reshape(*rows.shape[:-1], -1))
        parts.append(rows[..., _HISTORY] * self._habits)
        return self._joined(parts)
