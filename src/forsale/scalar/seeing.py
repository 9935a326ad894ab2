"""What a seat knows: the rows of `forsale.encoding`, number for number."""

from forsale.encoding import SEAT_FIELDS, SLICES
from forsale.scalar.bits import has, lowest, popcount, u32, without_lowest
from forsale.scalar.course import is_house_for_next, least_bid, refund_of, standing
from forsale.scalar.layout import (
    ABSENT,
    AUCTIONS,
    BIDDING,
    BIDS,
    BOX,
    BUYING,
    CHEQUE_AMOUNTS,
    CHEQUES_SEEN,
    COINS,
    DECK_SIZE,
    HANDS,
    HIGHEST,
    HOUSES_SEEN,
    LOWEST_BID,
    MARKET,
    MAX_CARDS,
    MAX_SEATS,
    MONEY,
    NUMBER,
    PHASE,
    REFUND_UP,
    REMOVED,
    SEATS,
    SELLING,
    SHORT,
    START_COINS,
    TO_ACT,
)

_RULES = SLICES["rules"].start
_MOMENT = SLICES["moment"].start
_PASS = SLICES["pass"].start
_MARKET = SLICES["market"].start
_SEATS = SLICES["seats"].start
_HOUSES = SLICES["houses"].start
_CHEQUES = SLICES["cheques"].start
_SEAT_FIELDS = len(SEAT_FIELDS)
_IN_MARKET, _IN_HAND, _GONE = 1, 2, 2 + MAX_SEATS


def observe(s, r, seat, out):
    """What one seat knows, as a row of numbers."""
    write_rules(r, out)
    write_moment(s, r, seat, out)
    write_pass(s, r, seat, out)
    write_market(s, r, out)
    write_houses(s, r, out)
    write_seats(s, r, seat, out)
    write_cheques(s, r, out)


def write_rules(r, out):
    out[_RULES] = r[SEATS]
    out[_RULES + 1] = r[START_COINS]
    out[_RULES + 2] = r[DECK_SIZE]
    out[_RULES + 3] = r[REMOVED]
    out[_RULES + 4] = r[SHORT]
    out[_RULES + 5] = r[REFUND_UP]
    out[_RULES + 6] = r[LOWEST_BID]
    out[_RULES + 7] = r[AUCTIONS]


def clockwise(steps, seats):
    """Steps around the table, from `-seats` to `seats - 1`, as a number from 0 on. A division would be dear."""
    return steps + seats if steps < 0 else steps


def write_moment(s, r, seat, out):
    buying = s[PHASE] == BUYING
    out[_MOMENT] = s[PHASE]
    out[_MOMENT + 1] = s[NUMBER]
    out[_MOMENT + 2] = clockwise(s[TO_ACT] - seat, r[SEATS]) if buying else -1
    out[_MOMENT + 3] = r[DECK_SIZE] - popcount(s[HOUSES_SEEN])
    out[_MOMENT + 4] = r[DECK_SIZE] - popcount(s[CHEQUES_SEEN])
    out[_MOMENT + 5] = s[HIGHEST]
    out[_MOMENT + 6] = least_bid(s, r) if buying else 0
    out[_MOMENT + 7] = popcount(s[MARKET])


def write_pass(s, r, seat, out):
    for i in range(4):
        out[_PASS + i] = 0
    if has(s[BIDDING], seat):
        refund = refund_of(s, r, seat)
        if is_house_for_next(s):
            out[_PASS] = lowest(s[MARKET]) + 1
        out[_PASS + 1] = refund
        out[_PASS + 2] = standing(s, seat) - refund
        out[_PASS + 3] = s[u32(COINS + seat)] + refund


def write_market(s, r, out):
    rest = s[MARKET]
    for i in range(MAX_SEATS):
        card = 0
        if rest:
            place = lowest(rest)
            card = place + 1 if s[PHASE] == BUYING else r[u32(CHEQUE_AMOUNTS + place)]
            rest = without_lowest(rest)
        out[_MARKET + i] = card


def write_houses(s, r, out):
    """Those in hands are written with the seats."""
    seen = s[HOUSES_SEEN] | r[ABSENT]
    market = s[MARKET] if s[PHASE] == BUYING else 0
    for i in range(MAX_CARDS):
        out[_HOUSES + i] = _GONE * has(seen, i) - (_GONE - _IN_MARKET) * has(market, i)


def write_seats(s, r, seat, out):
    seats = r[SEATS]
    for at in range(MAX_SEATS):
        base = _SEATS + at * _SEAT_FIELDS
        if at >= seats:
            for i in range(_SEAT_FIELDS):
                out[u32(base + i)] = 0
            continue
        other = clockwise(seat + at - seats, seats)
        hand = s[u32(HANDS + other)]
        out[u32(base)] = 1
        out[u32(base + 1)] = s[u32(COINS + other)]
        out[u32(base + 2)] = s[u32(BIDS + other)]
        out[u32(base + 3)] = has(s[BIDDING], other)
        out[u32(base + 4)] = popcount(hand)
        out[u32(base + 5)] = s[u32(MONEY + other)]
        while hand:
            out[u32(_HOUSES + lowest(hand))] = _IN_HAND + at
            hand = without_lowest(hand)


def write_cheques(s, r, out):
    """Of equal cheques, those that are gone come first, then those on show."""
    on_show = s[MARKET] if s[PHASE] == SELLING else 0
    gone = s[CHEQUES_SEEN] & ~on_show
    for i in range(r[BOX]):
        amount = r[u32(CHEQUE_AMOUNTS + i)]
        code = 2 * has(gone, i) + has(on_show, i)
        at = i
        while at > 0 and r[u32(CHEQUE_AMOUNTS + at - 1)] == amount and out[u32(_CHEQUES + at - 1)] < code:
            out[u32(_CHEQUES + at)] = out[u32(_CHEQUES + at - 1)]
            at -= 1
        out[u32(_CHEQUES + at)] = code
    for i in range(r[BOX], MAX_CARDS):
        out[u32(_CHEQUES + i)] = 0
