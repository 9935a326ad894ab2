"""Whether it matters who begins."""

from math import sqrt

import numpy as np

from benchmarks.lessons.found import Seats
from benchmarks.lessons.playing import Outcomes


def seats(edition: str, outcomes: Outcomes) -> Seats:
    """Games are independent of each other, so that the usual formula for the interval of a mean holds."""
    games, count = outcomes.shares.shape
    order = (outcomes.first[:, None] + np.arange(count)) % count
    shares = np.take_along_axis(outcomes.shares, order, axis=1)
    half = 1.96 * float(shares.std(axis=0).max()) / sqrt(games)
    return Seats(edition, count, shares.mean(axis=0).tolist(), half)
