"""Whole games: begun from a deal or a position, and played by policies.

A policy is a function `policy(s, r, parameters, chance)` that gives the index of a legal action. It is given
the game's row and rules (see `layout`), the parameters of the seat to act, and 64 bits of chance; not the decks.
"""

from forsale.encoding import HOUSE
from forsale.scalar.bits import key_of, u32, word
from forsale.scalar.course import deal, must_choose, reveal, shuffle, step
from forsale.scalar.ending import write_outcome
from forsale.scalar.layout import (
    BUYING,
    CHOICES,
    DECKS_LENGTH,
    EPISODE,
    LENGTH,
    MOVES,
    OVER,
    PHASE,
    SEATS,
    SELLING,
    TO_ACT,
)
from forsale.scalar.legal import is_legal, may_buy, may_sell

POLICY_WORDS = 64
"""Words of chance below this one shuffle and choose the first seat; those from it on are the players'."""


def renew(s, d, r, seed, game, episode):
    """Another game in this place."""
    s[EPISODE] = episode
    deal(s, d, r, key_of(seed, game, episode))


def take_turn(s, d, r, action, seed, game, done, win_shares, scores, coins):
    """Play an action in one of many games; a game whose action is illegal stands still."""
    done[game] = False
    if is_legal(s, r, action):
        s[MOVES] += 1
        step(s, d, r, action)
        settle(s, d, r, seed, game, done, win_shares, scores, coins)


def settle(s, d, r, seed, game, done, win_shares, scores, coins):
    """If a game is over, keep its outcome and begin another in its place."""
    if s[PHASE] == OVER:
        done[game] = True
        write_outcome(s, r, win_shares[game], scores[game], coins[game])
        renew(s, d, r, seed, game, s[EPISODE] + 1)


def set_out(s, d, row, decks, untold, key):
    """Begin from a position. Cards whose order it does not tell, from here to there, come in another order."""
    for i in range(LENGTH):
        s[i] = row[i]
    for i in range(DECKS_LENGTH):
        d[i] = decks[i]
    shuffle(d, untold[0], untold[1], untold[2], untold[3], key)


def is_anothers_turn(s, r, seat):
    """Whether others are to play before this seat; nobody waits for a seat that is not at the table."""
    return s[TO_ACT] != seat and 0 <= seat < r[SEATS]


def let_play(s, d, r, policy, parameters, seed, game):
    """One action, by a policy; False, and nothing done, if it is not legal. Its chance depends on the game and on how
    many actions were played in it."""
    chance = word(key_of(seed, game, s[EPISODE]), POLICY_WORDS + s[MOVES])
    action = policy(s, r, parameters[u32(s[TO_ACT])], chance)
    if not is_legal(s, r, action):
        return False
    s[MOVES] += 1
    step(s, d, r, action)
    return True


def play_out(s, d, r, policy, parameters, key):
    """Let a policy play for all seats to the end; False as soon as it gives an action that is not legal."""
    counter = POLICY_WORDS
    while s[PHASE] == BUYING:
        action = policy(s, r, parameters[u32(s[TO_ACT])], word(key, counter))
        if not may_buy(s, r, action):
            return False
        step(s, d, r, action)
        counter += 1
    # All of a sale at once: the choices do not depend on each other, and a GPU's threads turn up cheques together.
    while s[PHASE] == SELLING:
        for seat in range(r[SEATS]):
            if must_choose(s, seat):
                s[TO_ACT] = seat
                action = policy(s, r, parameters[u32(seat)], word(key, counter))
                if not may_sell(s, action):
                    return False
                s[u32(CHOICES + seat)] = action - HOUSE
                counter += 1
        reveal(s, d, r)
    return True
