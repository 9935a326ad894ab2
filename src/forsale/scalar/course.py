"""The course of a game: a copy of the rules in `forsale.game`, kept honest by a test that compares them after every
action. Plain Python, which the kernel compiles for the CPU and for CUDA.

`s`, `d` and `r` are the game, its decks and its rules (see `layout`). Nothing here checks an action: `legal` does.
"""

from forsale.encoding import BID, HOUSE, PASS
from forsale.scalar.bits import below, below_too, bit, i32, lowest, popcount, u32, without_lowest, word
from forsale.scalar.layout import (
    BIDDING,
    BIDS,
    BOX,
    BUYING,
    CHEQUE_AMOUNTS,
    CHEQUES,
    CHEQUES_SEEN,
    CHOICES,
    COINS,
    DECK_SIZE,
    HANDS,
    HIGHEST,
    HOUSE_NUMBERS,
    HOUSES,
    HOUSES_SEEN,
    LOWEST_BID,
    MARKET,
    MAX_SEATS,
    MONEY,
    MOVES,
    NUMBER,
    OVER,
    PHASE,
    REFUND_UP,
    SEATS,
    SELLING,
    SHORT,
    SHOWN,
    START_COINS,
    TAKEN,
    TO_ACT,
)

# --- Before the first auction ----------------------------------------------------------------------------------------


def deal(s, d, r, key):
    """A new game: both decks shuffled, the first market turned up."""
    box = r[BOX]
    for i in range(box):
        d[u32(HOUSES + i)] = r[u32(HOUSE_NUMBERS + i)] - 1
        d[u32(CHEQUES + i)] = i
    shuffle(d, i32(0), box, i32(0), box, key)
    start(s, d, r, below(word(key, 0), r[SEATS]))


def shuffle(d, houses_from, houses_to, cheques_from, cheques_to, key):
    """Put these parts of the decks in another order: one word of chance for a place in both."""
    last = i32(max(houses_to, cheques_to) - 1)
    for step in range(i32(last - min(houses_from, cheques_from))):
        i = i32(last - step)
        x = word(key, i)
        if houses_from < i < houses_to:
            swap(d, i32(HOUSES + i), i32(HOUSES + houses_from + below(x, i + 1 - houses_from)))
        if cheques_from < i < cheques_to:
            swap(d, i32(CHEQUES + i), i32(CHEQUES + cheques_from + below_too(x, i + 1 - cheques_from)))


def swap(d, i, j):
    card = d[u32(i)]
    d[u32(i)] = d[u32(j)]
    d[u32(j)] = card


def start(s, d, r, first):
    """Begin with the decks as they lie."""
    for seat in range(MAX_SEATS):
        s[u32(COINS + seat)] = r[START_COINS] if seat < r[SEATS] else 0
        s[u32(BIDS + seat)] = -1
        s[u32(HANDS + seat)] = 0
        s[u32(CHOICES + seat)] = 0
        s[u32(MONEY + seat)] = 0
        s[u32(TAKEN + seat)] = 0
    s[PHASE] = BUYING
    s[NUMBER] = 0
    s[HOUSES_SEEN] = 0
    s[CHEQUES_SEEN] = 0
    s[MOVES] = 0
    open_auction(s, d, r, first)


def drawn(d, deck, count, more):
    """The next cards of a deck of which so many are drawn."""
    cards = i32(0)
    for i in range(more):
        cards = i32(cards | bit(d[u32(deck + count + i)]))
    return cards


# --- Auctions --------------------------------------------------------------------------------------------------------


def open_auction(s, d, r, opener):
    count = popcount(s[HOUSES_SEEN])
    size = min(i32(r[SEATS] - r[SHORT]), i32(r[DECK_SIZE] - count))
    market = drawn(d, HOUSES, count, size)
    s[HOUSES_SEEN] |= market
    s[MARKET] = market
    s[NUMBER] += 1
    s[HIGHEST] = -1
    s[BIDDING] = bit(r[SEATS]) - 1
    s[TO_ACT] = opener


def next_bidder(s, seat):
    bidding = s[BIDDING]
    after = i32(bidding & (-2 * bit(seat)))
    return lowest(after if after else bidding)


def least_bid(s, r):
    return r[LOWEST_BID] if s[HIGHEST] < 0 else i32(s[HIGHEST] + 1)


def standing(s, seat):
    return max(s[u32(BIDS + seat)], i32(0))


def means(s, seat):
    """The most that a seat can bid."""
    return i32(s[u32(COINS + seat)] + standing(s, seat))


def is_house_for_next(s):
    """Whether whoever passes next takes a house: where houses are short, the first to pass takes none."""
    return popcount(s[BIDDING]) <= popcount(s[MARKET])


def refund_of(s, r, seat):
    """The coins that come back to a seat that passes now; all of them where there is no house for it."""
    bid = standing(s, seat)
    return i32((bid + r[REFUND_UP]) >> 1) if is_house_for_next(s) else bid


def bid(s, amount):
    seat = s[TO_ACT]
    s[u32(COINS + seat)] = means(s, seat) - amount
    s[u32(BIDS + seat)] = amount
    s[HIGHEST] = amount
    s[TO_ACT] = next_bidder(s, seat)


def leave(s, d, r):
    """The seat to act passes; the last one takes what is left, and opens the next auction."""
    seat = s[TO_ACT]
    s[u32(COINS + seat)] += refund_of(s, r, seat)
    if is_house_for_next(s):
        market = s[MARKET]
        s[u32(HANDS + seat)] |= market & -market
        s[MARKET] = without_lowest(market)
    s[u32(BIDS + seat)] = -1
    s[BIDDING] &= ~bit(seat)
    following = next_bidder(s, seat)
    if without_lowest(s[BIDDING]):
        s[TO_ACT] = following
        return
    s[u32(HANDS + following)] |= s[MARKET]
    s[u32(BIDS + following)] = -1
    if popcount(s[HOUSES_SEEN]) < r[DECK_SIZE]:
        open_auction(s, d, r, following)
        return
    s[BIDDING] = 0
    s[HIGHEST] = -1
    s[NUMBER] = 0
    open_sale(s, d, r)


# --- Sales -----------------------------------------------------------------------------------------------------------


def open_sale(s, d, r):
    """Turn up the next cheques; a last holder takes all of them, and without a holder the game is over."""
    holders = i32(0)
    first = i32(-1)
    for i in range(r[SEATS]):
        seat = i32(r[SEATS] - 1 - i)
        if s[u32(HANDS + seat)]:
            holders = i32(holders + 1)
            first = seat
    count = popcount(s[CHEQUES_SEEN])
    market = drawn(d, CHEQUES, count, i32(r[DECK_SIZE] - count) if holders == 1 else holders)
    s[CHEQUES_SEEN] |= market
    if holders > 1:
        s[PHASE] = SELLING
        s[NUMBER] += 1
        s[MARKET] = market
        s[TO_ACT] = first
        return
    if holders == 1:
        s[NUMBER] += 1
        s[u32(HANDS + first)] = 0
        while market:
            take(s, r, first, lowest(market))
            market = without_lowest(market)
    s[PHASE] = OVER
    s[MARKET] = 0
    s[TO_ACT] = -1


def take(s, r, seat, cheque):
    s[u32(MONEY + seat)] += r[u32(CHEQUE_AMOUNTS + cheque)]
    s[u32(TAKEN + seat)] |= bit(cheque)


def must_choose(s, seat):
    return s[u32(HANDS + seat)] != 0 and s[u32(CHOICES + seat)] == 0


def choose(s, r, house):
    """Choose a house in secret; the next one who has not chosen is asked, or nobody."""
    seat = s[TO_ACT]
    s[u32(CHOICES + seat)] = house
    for other in range(i32(seat + 1), r[SEATS]):
        if must_choose(s, other):
            s[TO_ACT] = other
            return
    s[TO_ACT] = -1


def reveal(s, d, r):
    """All have chosen: the highest house takes the highest cheque, the next the next."""
    cheques = s[MARKET]
    for i in range(popcount(cheques)):
        s[u32(SHOWN + i)] = lowest(cheques)
        cheques = without_lowest(cheques)
    sold = i32(0)
    for seat in range(r[SEATS]):
        if s[u32(CHOICES + seat)]:
            sold = i32(sold | bit(s[u32(CHOICES + seat)] - 1))
    for seat in range(r[SEATS]):
        choice = s[u32(CHOICES + seat)]
        if choice:
            house = bit(choice - 1)
            take(s, r, seat, s[u32(SHOWN + popcount(sold & (house - 1)))])
            s[u32(HANDS + seat)] &= ~house
            s[u32(CHOICES + seat)] = 0
    open_sale(s, d, r)


# --- Any action ------------------------------------------------------------------------------------------------------


def step(s, d, r, action):
    """Play a legal action of the seat to act, with all that follows of itself."""
    if action > HOUSE:
        choose(s, r, action - HOUSE)
        if s[TO_ACT] < 0:
            reveal(s, d, r)
    elif action == PASS:
        leave(s, d, r)
    else:
        bid(s, action - BID)
