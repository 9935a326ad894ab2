"""The last two sales, solved: all choose at once, each between two houses, and what is left goes in the last one.

Every way to choose is played through with many draws of the last cheques, which gives each seat's chance to win. Regret
matching then finds how seats would play that all know this. Rivals are taken to play half like that and half like the
scripted bots that they resemble: an equilibrium alone would not punish a habit.
"""

import numpy as np
from numpy.typing import NDArray

from forsale.bots.planner.guessing import policy
from forsale.bots.planner.searching import Task
from forsale.encoding import HOUSE
from forsale.kernel.compiling import compiled, loop
from forsale.scalar import bits, course, ending
from forsale.scalar.layout import (
    CHOICES,
    DECKS_LENGTH,
    HANDS,
    LENGTH,
    MAX_SEATS,
    OVER,
    PHASE,
    SEATS,
    SELLING,
    TO_ACT,
)

lowest, without_lowest = compiled(bits.lowest), compiled(bits.without_lowest)
word, key_of, shuffle = compiled(bits.word), compiled(bits.key_of), compiled(course.shuffle)
reveal, win_share = compiled(course.reveal), compiled(ending.win_share)

_DRAWS = 128
_ROUNDS = 400
_LIKE_A_MODEL = 0.5
"""How far rivals are taken to play by habit."""


def is_near_the_end(row: NDArray[np.int32], seat: int) -> bool:
    """Whether this sale and the next are the last, and the seat has a choice."""
    if row[PHASE] != SELLING:
        return False
    houses = [int(hand).bit_count() for hand in row[HANDS : HANDS + MAX_SEATS]]
    return houses[seat] == 2 and max(houses) == 2


def choice_near_the_end(task: Task, chances: NDArray[np.float64]) -> int:
    """The index of the house to sell now, given who the rivals may be."""
    seats = int(task.r[SEATS])
    shares = np.zeros((1 << seats, seats))
    s, d = np.empty(LENGTH, np.int32), np.empty(DECKS_LENGTH, np.int8)
    _play_all(task.r, task.row, task.decks, task.untold, np.uint64(task.seed), s, d, shares)
    equal = equilibrium(shares)
    habits = np.zeros(seats)
    _habits(task.row.copy(), task.r, task.pool, chances, habits)
    rivals = (1 - _LIKE_A_MODEL) * equal + _LIKE_A_MODEL * habits
    low, high = values(shares, rivals, task.seat)
    hand = int(task.row[HANDS + task.seat])
    return HOUSE + (hand.bit_length() if high > low else (hand & -hand).bit_length())


def values(shares: NDArray[np.float64], chances: NDArray[np.float64], seat: int) -> tuple[float, float]:
    """What the lower and the higher house are worth to a seat, if the others play the higher one so often."""
    profiles = np.arange(len(shares))
    weight = np.ones(len(shares))
    for other, chance in enumerate(chances):
        if other != seat:
            weight *= np.where(profiles >> other & 1, chance, 1 - chance)
    higher = (profiles >> seat & 1).astype(bool)
    return float((weight * shares[:, seat])[~higher].sum()), float((weight * shares[:, seat])[higher].sum())


def equilibrium(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """By seat: how often the higher house, after regret matching.

    `shares` has a row for each way to choose (bit j of its number: seat j plays its higher house) and a column a seat.
    """
    seats = shares.shape[1]
    average = np.zeros(seats)
    _match_regrets(np.ascontiguousarray(shares), average, np.empty(seats), np.zeros((2, seats)))
    return average


@loop
def _play_all(r, row, decks, untold, seed, s, d, shares):
    """Each way to choose, with the same draws for all. A seat with one house or none has the same result both ways."""
    for draw in range(_DRAWS):
        key = key_of(seed, draw, 0)
        for profile in range(len(shares)):
            for i in range(LENGTH):
                s[i] = row[i]
            for i in range(DECKS_LENGTH):
                d[i] = decks[i]
            shuffle(d, untold[0], untold[1], untold[2], untold[3], key)
            while s[PHASE] != OVER:
                for seat in range(r[SEATS]):
                    hand = s[HANDS + seat]
                    if hand:
                        rest = without_lowest(hand)
                        higher = rest != 0 and (profile >> seat) & 1
                        s[CHOICES + seat] = lowest(rest if higher else hand) + 1
                reveal(s, d, r)
            for seat in range(r[SEATS]):
                shares[profile, seat] += win_share(s, r, seat) / _DRAWS


@loop
def _habits(row, r, pool, chances, habits):
    """How often each seat plays its higher house, if it is one of those that it resembles."""
    for seat in range(r[SEATS]):
        hand = row[HANDS + seat]
        if not hand:
            continue
        row[TO_ACT] = seat
        low = lowest(hand) + 1
        for k in range(len(pool)):
            higher = policy(row, r, pool[k], word(np.uint64(seat), np.uint64(k))) - HOUSE != low
            habits[seat] += chances[seat, k] * higher


@loop
def _match_regrets(shares, average, chance, regret):
    seats = shares.shape[1]
    for n in range(_ROUNDS):
        for seat in range(seats):
            low, high = max(regret[0, seat], 0.0), max(regret[1, seat], 0.0)
            chance[seat] = high / (low + high) if low + high > 0.0 else 0.5
            average[seat] += (chance[seat] - average[seat]) / (n + 1)
        for seat in range(seats):
            low, high = 0.0, 0.0
            for profile in range(len(shares)):
                weight = 1.0
                for other in range(seats):
                    if other != seat:
                        weight *= chance[other] if (profile >> other) & 1 else 1.0 - chance[other]
                if (profile >> seat) & 1:
                    high += weight * shares[profile, seat]
                else:
                    low += weight * shares[profile, seat]
            now = chance[seat] * high + (1.0 - chance[seat]) * low
            regret[0, seat] += low - now
            regret[1, seat] += high - now
