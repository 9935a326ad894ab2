"""What is done to many games at once on a GPU: the same functions as on the CPU, one thread a game.

A field of all games lies together, so that neighbouring threads read neighbouring numbers. Games that are played to
the end lie in the memory that a block of threads shares: there a thread that looks at another field than its neighbour
costs nothing.
"""

import warnings
from functools import lru_cache

import numpy as np
from numba import boolean, int8, int16, int32

from forsale.encoding import ACTIONS
from forsale.encoding import LENGTH as OBSERVATION
from forsale.kernel.devices import import_cuda
from forsale.kernel.loops import (
    deal,
    is_anothers_turn,
    is_legal,
    key_of,
    let_play,
    observe,
    play_out,
    renew,
    set_out,
    settle,
    take_turn,
    write_mask,
    write_outcome,
)
from forsale.scalar.layout import DECKS_LENGTH, LENGTH, TO_ACT

cuda = import_cuda()

THREADS = 64
"""In a block."""

NONE = np.iinfo(np.int32).max
"""No game: what `found` holds where every action was legal; otherwise it is the first game where one was not."""


@cuda.jit
def reset_all(states, decks, r, seed, done):
    game = cuda.grid(1)
    if game < done.shape[0]:
        renew(states[:, game], decks[:, game], r, seed, game, 0)
        done[game] = False


@cuda.jit
def put_one(states, decks, row, cards, game):
    field = cuda.grid(1)
    if field < LENGTH:
        states[field, game] = row[field]
    if field < DECKS_LENGTH:
        decks[field, game] = cards[field]


@cuda.jit
def first_illegal(states, r, actions, found):
    game = cuda.grid(1)
    if game < actions.shape[0] and not is_legal(states[:, game], r, actions[game]):
        cuda.atomic.min(found, 0, game)


@cuda.jit
def step_all(states, decks, r, actions, seed, done, win_shares, scores, coins):
    game = cuda.grid(1)
    if game < actions.shape[0]:
        s, d = states[:, game], decks[:, game]
        take_turn(s, d, r, actions[game], seed, game, done, win_shares, scores, coins)


@cuda.jit
def observe_all(states, r, out):
    rows = cuda.shared.array((THREADS, OBSERVATION), int16)
    game = cuda.grid(1)
    if game < out.shape[0]:
        observe(states[:, game], r, states[TO_ACT, game], rows[cuda.threadIdx.x])
    hand_over(rows, out)


@cuda.jit
def mask_all(states, r, out):
    rows = cuda.shared.array((THREADS, ACTIONS), boolean)
    game = cuda.grid(1)
    if game < out.shape[0]:
        write_mask(states[:, game], r, rows[cuda.threadIdx.x])
    hand_over(rows, out)


@cuda.jit(device=True)
def hand_over(rows, out):
    """Write a block's rows out together: neighbouring threads write neighbouring numbers, which is many times as fast
    as each thread its own row."""
    cuda.syncthreads()
    first = cuda.blockIdx.x * THREADS
    length = rows.shape[1]
    for i in range(cuda.threadIdx.x, THREADS * length, THREADS):
        row = i // length
        if first + row < out.shape[0]:
            out[first + row, i - row * length] = rows[row, i - row * length]


def advancing(policy):
    """The kernel that lets a policy play for all but one seat of each game."""

    @cuda.jit
    def advance(states, decks, r, seats, parameters, seed, found, done, win_shares, scores, coins):
        game = cuda.grid(1)
        if game < done.shape[0]:
            s, d = states[:, game], decks[:, game]
            while is_anothers_turn(s, r, seats[game]):
                if not let_play(s, d, r, policy, parameters[game], seed, game):
                    cuda.atomic.min(found, 0, game)
                    return
                settle(s, d, r, seed, game, done, win_shares, scores, coins)

    return advance


def rolling(policy):
    """The kernel that plays a position to the end with a policy."""

    @cuda.jit
    def roll_out(r, row, decks, untold, parameters, seed, found, win_shares, scores, coins):
        game = cuda.grid(1)
        s = cuda.shared.array((LENGTH, THREADS), int32)[:, cuda.threadIdx.x]
        d = cuda.shared.array((DECKS_LENGTH, THREADS), int8)[:, cuda.threadIdx.x]
        if game < scores.shape[0]:
            key = key_of(seed, game, 0)
            set_out(s, d, row, decks, untold, key)
            if not play_out(s, d, r, policy, parameters, key):
                cuda.atomic.min(found, 0, game)
            write_outcome(s, r, win_shares[game], scores[game], coins[game])

    return roll_out


def playing(policy):
    """The same from a new deal each time."""

    @cuda.jit
    def play(r, parameters, seed, found, win_shares, scores, coins):
        game = cuda.grid(1)
        s = cuda.shared.array((LENGTH, THREADS), int32)[:, cuda.threadIdx.x]
        d = cuda.shared.array((DECKS_LENGTH, THREADS), int8)[:, cuda.threadIdx.x]
        if game < scores.shape[0]:
            key = key_of(seed, game, 0)
            deal(s, d, r, key)
            if not play_out(s, d, r, policy, parameters, key):
                cuda.atomic.min(found, 0, game)
            write_outcome(s, r, win_shares[game], scores[game], coins[game])

    return play


@lru_cache(maxsize=256)
def launched(kernel, games):
    """A kernel for so many games. Few of them are the caller's choice, of which numba need not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kernel[-(-games // THREADS), THREADS]


class Found:
    """Where a kernel tells of the first game in which an action was not legal."""

    def __init__(self):
        self.array = cuda.to_device(np.full(1, NONE, np.int32))

    def take(self):
        """That game, or None. Waits for the GPU."""
        game = int(self.array.copy_to_host()[0])
        if game == NONE:
            return None
        self.array.copy_to_device(np.full(1, NONE, np.int32))
        return game
