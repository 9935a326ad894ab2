"""The pictures of what was found."""

from collections.abc import Callable, Mapping

from benchmarks.lessons.bidding import GAPS, PRICES, limit
from benchmarks.lessons.found import Found, Seats, Stop
from forsale.arena.pictures import Axes, Axis, Box, Picture, round_axis

_FEWEST = 20
"""Decisions below which nothing is drawn."""
_HOUSES = Axis(1, 30, {float(house): str(house) for house in (1, 5, 10, 15, 20, 25, 30)})


def _by_house(title: str, description: str, coins: Axis) -> tuple[Picture, Axes]:
    """A picture with houses from left to right, and room for a legend."""
    picture = Picture(820, 440, title, description)
    axes = Axes(picture, Box(60, 60, 540, 310), _HOUSES, coins)
    axes.grid()
    return picture, axes


def worth(found: Found) -> str:
    moments = found.worths
    picture, axes = _by_house(
        "What a house in your hand is worth, in coins, against house 1",
        "Lines that rise slowly up to house 20 and steeply after it, one for each moment of the buying phase.",
        round_axis([0.0, *(max(moment.houses) for moment in moments)]),
    )
    for number, moment in enumerate(moments):
        axes.line(list(enumerate(moment.houses, start=1)), number)
    picture.legend(622, 74, [f"before auction {moment.auction}" for moment in moments])
    picture.text(330, 410, "house", anchor="middle")
    return picture.to_svg()


def trades(found: Found) -> str:
    picture, axes = _by_house(
        "What a house brings in, and what it costs, in coins",
        "By house: the cheque that it takes on average, with the span of eight in ten, and the price in the auction.",
        Axis(0, 15, {tick: str(tick) for tick in range(0, 16, 3)}),
    )
    houses = list(enumerate(found.trades, start=1))
    axes.band([(house, trade.low, trade.high) for house, trade in houses], 0)
    axes.line([(house, trade.cheque) for house, trade in houses], 0)
    axes.line([(house, trade.price) for house, trade in houses], 1)
    picture.legend(622, 74, ["its cheque, on average", "its price, on average"])
    picture.text(622, 118, "The band has eight", "small")
    picture.text(622, 134, "in ten of its cheques.", "small")
    picture.text(330, 410, "house", anchor="middle")
    return picture.to_svg()


def stops(found: Found) -> str:
    picture = Picture(
        820,
        830,
        "Bid on or pass?",
        "Nine fields: how often it bids on, by the gap between the house that a pass takes and the next one, and "
        "by the least bid. From top to bottom four, three and two seats are left; from left to right the game goes on.",
    )
    picture.text(20, 56, "Orange: it mostly bids on. Blue: it mostly passes. The stroke is the limit that fits best.")
    _shares(picture, Box(590, 40, 200, 18))
    firsts = sorted({stop.first for stop in found.stops})
    lefts = sorted({stop.bidders for stop in found.stops}, reverse=True)
    for stop in found.stops:
        column, row = firsts.index(stop.first), lefts.index(stop.bidders)
        _stop(picture, stop, Box(66 + 250 * column, 106 + 236 * row, 226, 186))
    for row, left in enumerate(lefts):
        picture.upright(24, 199 + 236 * row, f"{left} seats left: least bid")
    picture.text(410, 812, "from the house that a pass takes to the next one on the market", anchor="middle")
    return picture.to_svg()


def _shares(picture: Picture, box: Box) -> None:
    """What the colours of cells mean."""
    axes = Axes(picture, box, Axis(0, 5, {place + 0.5: f"{25 * place} %" for place in range(5)}), Axis(0, 1, {}))
    axes.grid()
    for place in range(5):
        axes.cell((place, place + 1), (0, 1), place / 4)


def _stop(picture: Picture, stop: Stop, box: Box) -> None:
    names = [f"{low}–{high}" for low, high in GAPS[:-1]] + [f"{GAPS[-1][0]}+"]
    across = Axis(0, len(GAPS), {place + 0.5: name for place, name in enumerate(names)})
    up = Axis(0.5, PRICES + 0.5, {float(price): str(price) for price in range(2, PRICES + 1, 2)})
    axes = Axes(picture, box, across, up)
    axes.grid(lines=False)
    axes.frame()
    picture.text(box.left, box.top - 8, f"auctions {span(stop)}", "head")
    for place, counts in enumerate(zip(stop.asked, stop.stayed, strict=True)):
        known = [(asked, stayed) if asked >= _FEWEST else (0, 0) for asked, stayed in zip(*counts, strict=True)]
        for price, (asked, stayed) in enumerate(known, start=1):
            if asked:
                axes.cell((place, place + 1), (price - 0.5, price + 0.5), stayed / asked)
        best = limit(*zip(*known, strict=True))
        if best is not None:
            axes.limit(place, place + 1, best + 0.5)


def span(stop: Stop) -> str:
    """Its auctions in words."""
    return f"{stop.first} {'and' if stop.last == stop.first + 1 else 'to'} {stop.last}"


def sales(found: Found) -> str:
    picture = Picture(
        820,
        560,
        "Which house to play on which cheques",
        "By the lowest and the highest cheque on show: the place in the hand of the house that is played, from 0 for "
        "the lowest to 100 for the highest. It rises with the highest cheque, and falls with the lowest.",
    )
    picture.text(20, 54, "0 is the lowest house in the hand, 100 the highest; on average over what it plays.")
    lows = sorted({place.low for place in found.places})
    highs = sorted({place.high for place in found.places})
    across = Axis(0, len(highs), {place + 0.5: str(high) for place, high in enumerate(highs)})
    up = Axis(0, len(lows), {place + 0.5: str(low) for place, low in enumerate(lows)})
    axes = Axes(picture, Box(66, 76, 726, 420), across, up)
    axes.grid(lines=False)
    for place in found.places:
        x, y = highs.index(place.high), lows.index(place.low)
        axes.cell((x, x + 1), (y, y + 1), place.place, f"{100 * place.place:.0f}")
    picture.text(429, 540, "highest cheque", anchor="middle")
    picture.upright(26, 286, "lowest cheque")
    return picture.to_svg()


def refunds(found: Found) -> str:
    picture = Picture(
        820,
        400,
        "The bids that it gives up, where halves are rounded down and up",
        "How high the standing bid was when a seat passed, in iello-2020 and iello-2015, which differ in nothing else.",
    )
    down, up = (next(m for m in found.manners if m.edition == edition) for edition in ("iello-2020", "iello-2015"))
    most = 12
    shares = [100 * share for manners in (down, up) for share in manners.given_up[1 : most + 1]]
    across = Axis(0.4, most + 0.6, {float(bid): str(bid) for bid in range(1, most + 1)})
    axes = Axes(picture, Box(70, 60, 540, 270), across, round_axis([0.0, *shares], " %"))
    axes.grid()
    for number, manners in enumerate((down, up)):
        for bid in range(1, most + 1):
            left = bid - 0.38 + 0.38 * number
            axes.bar(left, left + 0.36, 100 * manners.given_up[bid], number)
    picture.legend(635, 74, ["down (iello-2020)", "up (iello-2015)"])
    picture.text(340, 370, "standing bid of a seat that passes", anchor="middle")
    return picture.to_svg()


def seats(found: Found) -> str:
    picture = Picture(
        820,
        420,
        "Who begins: win share by seat, against a fair one",
        "A dot with its interval for each seat, edition and number of seats, from the opener of the first auction on.",
    )
    editions = list(dict.fromkeys(seating.edition for seating in found.seats))
    counts = sorted({seating.seats for seating in found.seats})
    reach = [abs(share - 1 / seating.seats) + seating.half for seating in found.seats for share in seating.shares]
    up = round_axis([-100 * max(reach), 100 * max(reach)], ticks=6)
    left = 66.0
    for count in counts:
        width = 37 * count
        across = Axis(0.5, count + 0.5, {float(seat): str(seat) for seat in range(1, count + 1)})
        bare = Axis(up.low, up.high, up.labels if count == counts[0] else dict.fromkeys(up.labels, ""))
        axes = Axes(picture, Box(left, 100, width, 250), across, bare)
        axes.grid()
        axes.level(0, "mark")
        picture.text(left + width / 2, 88, f"{count} seats", "head", "middle")
        for seating in found.seats:
            if seating.seats == count:
                _seating(axes, seating, editions.index(seating.edition))
        left += width + 16
    picture.upright(24, 225, "points above a fair share")
    picture.text(410, 392, "1 opens the first auction, 2 sits on its left …", anchor="middle")
    picture.legend(66, 56, editions, (130, 0))
    return picture.to_svg()


def _seating(axes: Axes, seating: Seats, number: int) -> None:
    for seat, share in enumerate(seating.shares, start=1):
        axes.interval(seat - 0.27 + 0.18 * number, 100 * (share - 1 / seating.seats), 100 * seating.half, number)


PICTURES: Mapping[str, Callable[[Found], str]] = {
    "worth": worth,
    "trades": trades,
    "stops": stops,
    "sales": sales,
    "refunds": refunds,
    "seats": seats,
}
"""By the name of the file."""
