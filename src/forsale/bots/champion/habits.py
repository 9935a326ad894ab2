"""How each seat has behaved at this table, from what everybody saw: sums over its decisions, game after game.

Plain functions on rows (see `forsale.scalar.layout`), compiled in training and run as they are at a table. `w` holds
`HABITS` whole numbers for each seat. An auction is watched action by action; a sale when it is revealed, as its choices
are secret until then.
"""

from forsale.encoding import BID, HOUSE, PASS
from forsale.scalar.bits import bit, has, highest, i32, lowest, popcount, u32
from forsale.scalar.course import choose, least_bid, means, reveal, standing, step
from forsale.scalar.layout import (
    AUCTIONS,
    BOX,
    BUYING,
    CHEQUE_AMOUNTS,
    CHEQUES_SEEN,
    CHOICES,
    HANDS,
    MARKET,
    MAX_SEATS,
    NUMBER,
    PHASE,
    REFUND_UP,
    SEATS,
    TO_ACT,
)

(
    PASSES,
    AT_ONCE,
    PRICE,
    PRICE_OF_PURSE,
    PRICE_OF_SHARE,
    STOOD_OF_SHARE,
    WIDE_PASSES,
    WIDE_PRICE,
    WIDE_STOOD,
    GRAND_PASSES,
    GRAND_PRICE,
    GRAND_STOOD,
    GOOD_PASSES,
    GOOD_PRICE,
    LAST_PRICE,
    LAST_STOOD,
    BIDS_MADE,
    AMOUNT,
    AMOUNT_OF_PURSE,
    AMOUNT_OF_SHARE,
    WIDE_BIDS,
    WIDE_AMOUNT,
    MOST,
    MOST_OF_SHARE,
    JUMPS,
    JUMPED,
    WASTEFUL,
    SALES,
    PLACE,
    RICH_SALES,
    RICH_PLACE,
    WIDE_SALES,
    WIDE_PLACE,
    POOR_SALES,
    POOR_PLACE,
    LOWEST_SOLD,
    HIGHEST_SOLD,
) = range(37)
HABITS = 37
"""Numbers for each seat."""
LENGTH = MAX_SEATS * HABITS

MEANS = (
    (PRICE, PASSES),
    (PRICE_OF_PURSE, PASSES),
    (PRICE_OF_SHARE, PASSES),
    (STOOD_OF_SHARE, PASSES),
    (WIDE_PRICE, WIDE_PASSES),
    (WIDE_STOOD, WIDE_PASSES),
    (GRAND_PRICE, GRAND_PASSES),
    (GRAND_STOOD, GRAND_PASSES),
    (GOOD_PRICE, GOOD_PASSES),
    (AMOUNT, BIDS_MADE),
    (AMOUNT_OF_PURSE, BIDS_MADE),
    (AMOUNT_OF_SHARE, BIDS_MADE),
    (WIDE_AMOUNT, WIDE_BIDS),
    (JUMPED, JUMPS),
    (PLACE, SALES),
    (RICH_PLACE, RICH_SALES),
    (WIDE_PLACE, WIDE_SALES),
    (POOR_PLACE, POOR_SALES),
)
"""Sums that are told as a mean, and what each is divided by; all others are told as they are."""

PARTS = 64
"""A whole, where parts of something are told."""
_CLIP = 255
_WIDE = 12
"""Numbers between the lowest and the highest house of a wide market."""
_GRAND = 22
_GOOD = 15
"""A house from this one on is a good one to pass for."""
_APART = 8
"""Coins between the lowest and the highest cheque of a wide sale."""
_POOR = 2


def play(s, d, r, w, action):
    """Play a legal action of the seat to act, and watch it."""
    if s[PHASE] == BUYING:
        watch_auction(s, r, w, action)
        step(s, d, r, action)
        return
    choose(s, r, action - HOUSE)
    if s[TO_ACT] < 0:
        watch_sale(s, r, w)
        reveal(s, d, r)


def forget(w):
    """Begin anew, with others at the table."""
    for i in range(LENGTH):
        w[i] = 0


def add(w, place, amount):
    w[u32(place)] += amount


def parts_of(amount, whole):
    """How large a part of something an amount is, in 64ths."""
    return min(i32(amount * PARTS // max(whole, i32(1))), i32(_CLIP))


# --- Auctions --------------------------------------------------------------------------------------------------------


def watch_auction(s, r, w, action):
    """What the seat to act does now, held against what it could pay: a purse, and its share for an auction."""
    seat = s[TO_ACT]
    purse = means(s, seat)
    least = least_bid(s, r)
    if least > purse:
        return  # it has no choice
    at = i32(seat * HABITS)
    auctions = i32(r[AUCTIONS] - s[NUMBER] + 1)
    top, low = highest(s[MARKET]), lowest(s[MARKET])
    wide = top - low >= _WIDE
    if action == PASS:
        stood = standing(s, seat)
        price = parts_of(i32(least * auctions), purse)
        stop = parts_of(i32(stood * auctions), purse)
        add(w, at + PASSES, 1)
        add(w, at + AT_ONCE, 1 if stood == 0 else 0)
        add(w, at + PRICE, least)
        add(w, at + PRICE_OF_PURSE, parts_of(least, purse))
        add(w, at + PRICE_OF_SHARE, price)
        add(w, at + STOOD_OF_SHARE, stop)
        if wide:
            add(w, at + WIDE_PASSES, 1)
            add(w, at + WIDE_PRICE, price)
            add(w, at + WIDE_STOOD, stop)
        if top + 1 >= _GRAND:
            add(w, at + GRAND_PASSES, 1)
            add(w, at + GRAND_PRICE, price)
            add(w, at + GRAND_STOOD, stop)
        if low + 1 >= _GOOD:
            add(w, at + GOOD_PASSES, 1)
            add(w, at + GOOD_PRICE, price)
        w[u32(at + LAST_PRICE)] = price
        w[u32(at + LAST_STOOD)] = stop
        return
    amount = i32(action - BID)
    part = parts_of(i32(amount * auctions), purse)
    add(w, at + BIDS_MADE, 1)
    add(w, at + AMOUNT, amount)
    add(w, at + AMOUNT_OF_PURSE, parts_of(amount, purse))
    add(w, at + AMOUNT_OF_SHARE, part)
    if wide:
        add(w, at + WIDE_BIDS, 1)
        add(w, at + WIDE_AMOUNT, part)
    w[u32(at + MOST)] = max(w[u32(at + MOST)], amount)
    w[u32(at + MOST_OF_SHARE)] = max(w[u32(at + MOST_OF_SHARE)], part)
    if amount > least:
        add(w, at + JUMPS, 1)
        add(w, at + JUMPED, amount - least)
    add(w, at + WASTEFUL, (amount + r[REFUND_UP]) & 1)


# --- Sales -----------------------------------------------------------------------------------------------------------


def watch_sale(s, r, w):
    """Which of its houses each seat has chosen, from 0 for the lowest to 64 for the highest; all have chosen."""
    cheques = s[MARKET]
    small = r[u32(CHEQUE_AMOUNTS + lowest(cheques))]
    wide = r[u32(CHEQUE_AMOUNTS + highest(cheques))] - small >= _APART
    rich = is_rich(s, r)
    for seat in range(r[SEATS]):
        hand = s[u32(HANDS + seat)]
        count = popcount(hand)
        if count < 2:
            continue
        at = i32(seat * HABITS)
        under = popcount(hand & (bit(s[u32(CHOICES + seat)] - 1) - 1))
        place = i32(under * PARTS // (count - 1))
        add(w, at + SALES, 1)
        add(w, at + PLACE, place)
        if rich:
            add(w, at + RICH_SALES, 1)
            add(w, at + RICH_PLACE, place)
        if wide:
            add(w, at + WIDE_SALES, 1)
            add(w, at + WIDE_PLACE, place)
        if small <= _POOR:
            add(w, at + POOR_SALES, 1)
            add(w, at + POOR_PLACE, place)
        add(w, at + LOWEST_SOLD, 1 if under == 0 else 0)
        add(w, at + HIGHEST_SOLD, 1 if under == count - 1 else 0)


def is_rich(s, r):
    """Whether the cheques on show are better, on average, than those that nobody has seen."""
    shown, unseen, left, count = i32(0), i32(0), i32(0), popcount(s[MARKET])
    for place in range(r[BOX]):
        amount = r[u32(CHEQUE_AMOUNTS + place)]
        if has(s[MARKET], place):
            shown += amount
        elif not has(s[CHEQUES_SEEN], place):
            unseen += amount
            left += 1
    return shown * max(left, i32(1)) >= unseen * count


# --- What a net is told ----------------------------------------------------------------------------------------------


def write_habits(w, r, seat, out, at):
    """The habits of the others, clockwise from a seat, as a net is told them; zeros where nobody sits."""
    for i in range((MAX_SEATS - 1) * HABITS):
        out[u32(at + i)] = 0
    for step_ in range(1, r[SEATS]):
        other = i32(seat + step_)
        if other >= r[SEATS]:
            other = i32(other - r[SEATS])
        start = i32(other * HABITS)
        to = i32(at + (step_ - 1) * HABITS)
        for i in range(HABITS):
            out[u32(to + i)] = min(w[u32(start + i)], i32(_CLIP))
        for sum_, count in MEANS:
            if w[u32(start + count)]:
                out[u32(to + sum_)] = w[u32(start + sum_)] // w[u32(start + count)]
