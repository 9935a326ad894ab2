"""The row that the net is told: what a seat knows (`forsale.encoding`), then the habits of the others.

A plain function on rows, compiled in training and in search, and run as it is at a table.
"""

from forsale import encoding
from forsale.bots.champion.habits import HABITS, write_habits
from forsale.encoding import MAX_SEATS
from forsale.scalar.seeing import observe

HISTORY = encoding.LENGTH
"""Where the habits begin."""
ROW = HISTORY + (MAX_SEATS - 1) * HABITS
"""Numbers in a row."""


def write_row(s, r, w, seat, out):
    """All that the net is told for a seat; `w` holds the habits of all."""
    observe(s, r, seat, out)
    write_habits(w, r, seat, out, HISTORY)
