"""How a game ended."""

from forsale.scalar.bits import u32
from forsale.scalar.layout import COINS, MONEY, SEATS


def score(s, seat):
    return s[u32(COINS + seat)] + s[u32(MONEY + seat)]


def win_share(s, r, seat):
    """1 for the winner, 0 for the others; seats that are tied in money and in coins share."""
    mine = score(s, seat)
    ties = 0
    for other in range(r[SEATS]):
        theirs = score(s, other)
        if theirs > mine or (theirs == mine and s[u32(COINS + other)] > s[u32(COINS + seat)]):
            return 0.0
        if theirs == mine and s[u32(COINS + other)] == s[u32(COINS + seat)]:
            ties += 1
    return 1.0 / ties


def write_outcome(s, r, win_shares, scores, coins):
    for seat in range(r[SEATS]):
        win_shares[seat] = win_share(s, r, seat)
        scores[seat] = score(s, seat)
        coins[seat] = s[u32(COINS + seat)]
