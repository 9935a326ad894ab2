"""What may be done, and the policy that does any of it."""

from forsale.encoding import ACTIONS, BID, HOUSE, PASS
from forsale.scalar.bits import below, has, i32, lowest, nth, popcount, u32, without_lowest
from forsale.scalar.course import least_bid, means
from forsale.scalar.layout import BUYING, HANDS, MAX_CARDS, PHASE, SELLING, TO_ACT


def hand_to_act(s):
    return s[u32(HANDS + s[TO_ACT])]


def may_buy(s, r, action):
    """Whether the seat to act may do this in an auction; any whole number may be asked for."""
    return action == PASS or (PASS < action <= HOUSE and least_bid(s, r) <= action - BID <= means(s, s[TO_ACT]))


def may_sell(s, action):
    """The same in a sale."""
    return HOUSE < action <= HOUSE + MAX_CARDS and has(hand_to_act(s), action - HOUSE - 1) == 1


def is_legal(s, r, action):
    if s[PHASE] == BUYING:
        return may_buy(s, r, action)
    return s[PHASE] == SELLING and may_sell(s, action)


def write_mask(s, r, out):
    """A flag for each action index."""
    for i in range(ACTIONS):
        out[i] = False
    if s[PHASE] == BUYING:
        out[PASS] = True
        for amount in range(least_bid(s, r), i32(means(s, s[TO_ACT]) + 1)):
            out[u32(BID + amount)] = True
    elif s[PHASE] == SELLING:
        hand = hand_to_act(s)
        while hand:
            out[u32(HOUSE + 1 + lowest(hand))] = True
            hand = without_lowest(hand)


def legal_count(s, r):
    if s[PHASE] == BUYING:
        return i32(1 + max(i32(0), i32(means(s, s[TO_ACT]) - least_bid(s, r) + 1)))
    return popcount(hand_to_act(s))


def nth_legal(s, r, n):
    """The n-th legal action, from 0, in the order of their indices."""
    if s[PHASE] == BUYING:
        return i32(PASS) if n == 0 else i32(BID + least_bid(s, r) + n - 1)
    return i32(HOUSE + 1 + nth(hand_to_act(s), n))


def uniform(s, r, parameters, chance):  # noqa: ARG001 (every policy is given its parameters)
    """The policy that does anything that is allowed, each thing as often."""
    return nth_legal(s, r, below(chance, legal_count(s, r)))
