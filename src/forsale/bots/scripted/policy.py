"""The one policy of all scripted bots, on the kernel's rows: plain Python at a table, compiled in the kernel."""

from forsale.bots.scripted.traits import Selling, Traits
from forsale.encoding import BID, HOUSE, PASS
from forsale.scalar.bits import (
    below,
    below_too,
    bit,
    has,
    highest,
    i32,
    lowest,
    nth,
    popcount,
    u32,
    without_lowest,
    word,
)
from forsale.scalar.course import is_house_for_next, least_bid, means, refund_of, standing
from forsale.scalar.layout import (
    AUCTIONS,
    BOX,
    BUYING,
    CHEQUE_AMOUNTS,
    CHEQUES_SEEN,
    HANDS,
    MARKET,
    MAX_CARDS,
    NUMBER,
    PHASE,
    REFUND_UP,
    SEATS,
    TO_ACT,
)

(
    CAP,
    OF_PURSE,
    OF_PURSE_BY_SPREAD,
    OF_SHARE,
    OF_SHARE_BY_SPREAD,
    OF_SHARE_BY_TOP,
    MOST,
    WORTH,
    GAP,
    CONTENT,
    THRIFT,
    JUMP,
    LEAP,
    LAST,
    NOISE,
    SELLING,
    AT,
    WHIM,
) = range(len(Traits._fields))

_CHANCE, _LOWEST, _HIGHEST, _MEAN, _SPREAD, _SMALLEST, _RANK, _TIERS, _GAIN = map(int, Selling)
_PARTS = 1 << 20
_WIDEST = MAX_CARDS - 1.0
_GRID = 4096.0


def scripted(s, r, p, x):
    """The action of a bot with the traits `p`, by the chance `x`."""
    if s[PHASE] == BUYING:
        return buy(s, r, p, x)
    return sell(s, r, p, x)


def part(x):
    """A number from 0 to 1, from a word of chance."""
    return below(x, _PARTS) / _PARTS


def part_too(x):
    """Another one, from the same word."""
    return below_too(x, _PARTS) / _PARTS


def rounded(number):
    """To a fine grid: a GPU adds up a little differently, and a limit of 3 must be 3 on both."""
    return int(number * _GRID + (0.5 if number >= 0.0 else -0.5)) / _GRID


# --- Buying ----------------------------------------------------------------------------------------------------------


def limit_of(s, r, p, purse, x):
    """The most that this bot bids here."""
    auctions = r[AUCTIONS] - s[NUMBER] + 1
    top = highest(s[MARKET])
    spread = (top - lowest(s[MARKET])) / _WIDEST
    share = purse / auctions
    limit = p[CAP] + purse * (p[OF_PURSE] + p[OF_PURSE_BY_SPREAD] * spread)
    limit += share * (p[OF_SHARE] + p[OF_SHARE_BY_SPREAD] * spread + p[OF_SHARE_BY_TOP] * (2.0 * top / _WIDEST - 1.0))
    if auctions == 1:
        limit = max(limit, p[LAST] * purse)
    limit *= 1.0 + p[NOISE] * (2.0 * part(x) - 1.0)
    if p[WORTH] > 0.0:
        limit = min(limit, p[WORTH] * spread)
    return rounded(min(limit, p[MOST] * purse))


def is_worth_a_raise(s, r, p, seat, least):
    """Whether the next house up is worth what outlasting one more pass costs at least."""
    if not is_house_for_next(s):
        return True
    rest = without_lowest(s[MARKET])
    if rest == 0:
        return True
    gained = lowest(rest) - lowest(s[MARKET])
    now = standing(s, seat) - refund_of(s, r, seat)
    then = least - ((least + r[REFUND_UP]) >> 1)
    return then - now <= rounded(p[GAP] * gained)


def buy(s, r, p, x):
    """Raise by as little as it can, up to the limit; now and then by more."""
    seat = s[TO_ACT]
    purse = means(s, seat)
    least = least_bid(s, r)
    limit = limit_of(s, r, p, purse, word(x, 1))
    if least > limit or least > purse or lowest(s[MARKET]) + 1 >= p[CONTENT]:
        return i32(PASS)
    if p[GAP] > 0.0 and not is_worth_a_raise(s, r, p, seat, least):
        return i32(PASS)
    amount = least
    y = word(x, 2)
    if part(y) < p[JUMP]:
        amount = i32(amount + int(rounded((limit - least) * p[LEAP])))
    # Of such a bid half a coin is lost: rounded down an odd one, rounded up an even one.
    wasteful = (amount + r[REFUND_UP]) & 1
    if wasteful and part_too(y) < p[THRIFT] and amount + 1 <= limit:
        amount = i32(amount + 1)
    return i32(BID + min(amount, purse))


# --- Selling ---------------------------------------------------------------------------------------------------------


def sell(s, r, p, x):
    """The house at the place, from the lowest to the highest in hand, that the way of selling finds."""
    hand = s[u32(HANDS + s[TO_ACT])]
    count = popcount(hand)
    if part(x) < p[WHIM]:
        return i32(HOUSE + 1 + nth(hand, below_too(x, count)))
    if int(p[SELLING]) == _GAIN:
        return i32(HOUSE + 1 + gaining(s, r))
    place = place_of(s, r, p, x)
    return i32(HOUSE + 1 + nth(hand, min(i32(int(rounded(place * count))), i32(count - 1))))


def place_of(s, r, p, x):
    """From 0, the lowest house, to 1, the highest."""
    way = int(p[SELLING])
    if way == _LOWEST:
        return 0.0
    if way == _HIGHEST:
        return 1.0
    if way == _MEAN:
        return standing_among(s, r, mean_of(r, s[MARKET]))
    if way == _SPREAD:
        cheques = s[MARKET]
        wide = r[u32(CHEQUE_AMOUNTS + highest(cheques))] - r[u32(CHEQUE_AMOUNTS + lowest(cheques))]
        return min(p[AT] * wide / (2.0 * max(1.0, float(r[u32(CHEQUE_AMOUNTS + r[BOX] - 1)]))), 1.0)
    if way == _SMALLEST:
        return 1.0 if r[u32(CHEQUE_AMOUNTS + lowest(s[MARKET]))] <= p[AT] else 0.0
    if way == _RANK:
        return standing_among(s, r, float(r[u32(CHEQUE_AMOUNTS + highest(s[MARKET]))]))
    if way == _TIERS:
        more = rounded(mean_of(r, s[MARKET]) - mean_of(r, left(s, r)))
        return 0.0 if more < -p[AT] else (1.0 if more > p[AT] else 0.5)
    return part_too(x)


def gaining(s, r):
    """The place of the house that gains most by going now."""
    seat = s[TO_ACT]
    unseen = i32(left(s, r) & ~s[MARKET])
    hand = s[u32(HANDS + seat)]
    best, most = lowest(hand), -1e9
    while hand:
        house = lowest(hand)
        hand = without_lowest(hand)
        rank, rivals = expected_rank(s, r, seat, house)
        gain = cheque_at(r, s[MARKET], rank)
        if unseen:
            gain -= cheque_at(r, unseen, (rank + 0.5) / (rivals + 1.0) * popcount(unseen) - 0.5)
        gain = rounded(gain)
        if gain > most:
            best, most = house, gain
    return best


def expected_rank(s, r, seat, house):
    """How many of the others sell a lower house, if they choose by chance; and how many others there are."""
    rank, rivals = 0.0, 0
    for other in range(r[SEATS]):
        hand = s[u32(HANDS + other)]
        if other != seat and hand:
            rank += popcount(hand & (bit(house) - 1)) / popcount(hand)
            rivals += 1
    return rank, rivals


def cheque_at(r, cheques, rank):
    """The amount of the cheque of a rank, from 0; between two of them a part of each."""
    last = popcount(cheques) - 1
    rank = min(max(rank, 0.0), float(last))
    under = i32(int(rank))
    low = r[u32(CHEQUE_AMOUNTS + nth(cheques, under))]
    high = r[u32(CHEQUE_AMOUNTS + nth(cheques, min(i32(under + 1), i32(last))))]
    return low + (high - low) * (rank - under)


def left(s, r):
    """All cheques that may still be on show: these, and those that nobody has seen."""
    everything = i32((1 << r[BOX]) - 1)
    return i32((everything & ~s[CHEQUES_SEEN]) | s[MARKET])


def mean_of(r, cheques):
    total = 0.0
    for place in range(r[BOX]):
        total += r[u32(CHEQUE_AMOUNTS + place)] * has(cheques, place)
    return total / popcount(cheques)


def standing_among(s, r, amount):
    """How large a part of the cheques left is smaller than this; of equal ones half."""
    cheques = left(s, r)
    smaller = 0.0
    for place in range(r[BOX]):
        cheque = r[u32(CHEQUE_AMOUNTS + place)]
        smaller += has(cheques, place) * (1.0 if cheque < amount else (0.5 if cheque == amount else 0.0))
    return smaller / popcount(cheques)
