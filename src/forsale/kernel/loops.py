"""What is done to many games at once on the CPU: each function takes the games from `start` to `stop`, so that threads
can share them. They allocate nothing and hold no lock. Each returns the first game in which an action was not legal, or
-1."""

import numba

from forsale.kernel.compiling import FLAGS, compiled, loop
from forsale.scalar import bits, course, ending, legal, seeing, whole
from forsale.scalar.layout import EPISODE, TO_ACT

key_of = compiled(bits.key_of)
deal = compiled(course.deal)
is_legal, write_mask = compiled(legal.is_legal), compiled(legal.write_mask)
observe = compiled(seeing.observe)
write_outcome = compiled(ending.write_outcome)
renew, set_out, settle, take_turn = map(compiled, (whole.renew, whole.set_out, whole.settle, whole.take_turn))
is_anothers_turn, let_play, play_out = map(compiled, (whole.is_anothers_turn, whole.let_play, whole.play_out))

policy_loop = numba.njit(**FLAGS)


@loop
def reset_all(start, stop, states, decks, r, seed, done):
    for game in range(start, stop):
        renew(states[game], decks[game], r, seed, game, 0)
        done[game] = False
    return -1


@loop
def first_illegal(start, stop, states, r, actions):
    for game in range(start, stop):
        if not is_legal(states[game], r, actions[game]):
            return game
    return -1


@loop
def step_all(start, stop, states, decks, r, actions, seed, done, win_shares, scores, coins):
    for game in range(start, stop):
        take_turn(states[game], decks[game], r, actions[game], seed, game, done, win_shares, scores, coins)
    return -1


@loop
def observe_all(start, stop, states, r, out):
    for game in range(start, stop):
        observe(states[game], r, states[game][TO_ACT], out[game])
    return -1


@loop
def mask_all(start, stop, states, r, out):
    for game in range(start, stop):
        write_mask(states[game], r, out[game])
    return -1


@loop
def set_one(s, d, row, decks, untold, seed, game):
    """The place keeps its episode."""
    episode = s[EPISODE]
    set_out(s, d, row, decks, untold, key_of(seed, game, episode))
    s[EPISODE] = episode


def advancing(policy):
    """The loop that lets a policy play for all but one seat of each game."""

    @policy_loop
    def advance(start, stop, states, decks, r, seats, parameters, seed, done, win_shares, scores, coins):
        for game in range(start, stop):
            s, d = states[game], decks[game]
            while is_anothers_turn(s, r, seats[game]):
                if not let_play(s, d, r, policy, parameters[game], seed, game):
                    return game
                settle(s, d, r, seed, game, done, win_shares, scores, coins)
        return -1

    return advance


def rolling(policy):
    """The loop that plays a position to the end with a policy, again and again in the scratch row `s`."""

    @policy_loop
    def roll_out(start, stop, s, d, r, row, decks, untold, parameters, seed, win_shares, scores, coins):
        for game in range(start, stop):
            key = key_of(seed, game, 0)
            set_out(s, d, row, decks, untold, key)
            if not play_out(s, d, r, policy, parameters, key):
                return game
            write_outcome(s, r, win_shares[game], scores[game], coins[game])
        return -1

    return roll_out


def playing(policy):
    """The same from a new deal each time."""

    @policy_loop
    def play(start, stop, s, d, r, parameters, seed, win_shares, scores, coins):
        for game in range(start, stop):
            key = key_of(seed, game, 0)
            deal(s, d, r, key)
            if not play_out(s, d, r, policy, parameters, key):
                return game
            write_outcome(s, r, win_shares[game], scores[game], coins[game])
        return -1

    return play
