"""The numbers on the page: blocks between two marks, each made of what was found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import hypot

from benchmarks.lessons.bidding import GAPS
from benchmarks.lessons.checking import AUCTION, COINS
from benchmarks.lessons.drawing import span
from benchmarks.lessons.found import Found

_HOUSES = (5, 10, 15, 20, 25, 30)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top, *lines = (f"| {' | '.join(line)} |" for line in (head, *rows))
    return "\n".join([top, f"|{'---|' * len(head)}", *lines])


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def run(found: Found) -> str:
    return (
        f"Measured in {found.games:,} games of each edition with each number of seats, "
        f"{found.games * len(found.seats):,} in all; weights `{found.weights}`, seed {found.seed}."
    )


def worth(found: Found) -> str:
    head = ["before auction", *(f"house {house}" for house in _HOUSES), "a coin adds to the chance", "to the score"]
    return _table(
        head,
        (
            [
                str(moment.auction),
                *(f"{moment.houses[house - 1]:.1f}" for house in _HOUSES),
                f"{100 * moment.coin_chance:.1f} points",
                f"{moment.coin_score:.1f}",
            ]
            for moment in found.worths
        ),
    )


def checks(found: Found) -> str:
    """With what the house is worth in coins by both."""
    house, coins = found.checks
    expected, won = (COINS * ratio for ratio in (house.expected / coins.expected, house.won / coins.won))
    half = won * hypot(house.half / house.won, coins.half / coins.won)
    gifts = (("the best unseen house for the lowest of the hand", house), (f"{COINS} coins", coins))
    return _table(
        [f"given to the opener of auction {AUCTION}", "the net expects", "the games gave"],
        (
            *(
                [name, f"+{100 * gift.expected:.1f} points", f"+{100 * gift.won:.1f} ± {100 * gift.half:.1f} points"]
                for name, gift in gifts
            ),
            ["so that the house is worth", f"{expected:.1f} coins", f"{won:.1f} ± {half:.1f} coins"],
        ),
    )


def trust(found: Found) -> str:
    return _table(
        ["opener of auction", *(str(trust.auction) for trust in found.trust)],
        (
            ["gives itself", *(_percent(trust.expected) for trust in found.trust)],
            ["wins", *(_percent(trust.won) for trust in found.trust)],
        ),
    )


def duels(found: Found) -> str:
    """How often it bids on when two are left."""
    last = [stop for stop in found.stops if stop.bidders == 2]
    return _table(
        ["the two houses differ by", *(f"auctions {span(stop)}" for stop in last)],
        (
            [
                f"{low} to {high}",
                *(_percent(sum(stop.stayed[place]) / max(sum(stop.asked[place]), 1)) for stop in last),
            ]
            for place, (low, high) in enumerate(GAPS)
        ),
    )


def manners(found: Found) -> str:
    head = ["edition", "odd bids", "jumps", "passes without a bid", "price of the best", "lost by a pass", "coins left"]
    return _table(
        head,
        (
            [
                f"`{m.edition}`",
                *map(_percent, (m.odd, m.jumps, m.at_once)),
                *(f"{coins:.1f}" for coins in (m.price, m.lost, m.left)),
            ]
            for m in found.manners
        ),
    )


def seats(found: Found) -> str:
    return _table(
        ["edition", "seats", "win share from the opener on, %", "±"],
        (
            [
                f"`{seating.edition}`",
                str(seating.seats),
                " · ".join(f"{100 * share:.1f}" for share in seating.shares),
                f"{100 * seating.half:.1f}",
            ]
            for seating in found.seats
        ),
    )


BLOCKS: Mapping[str, Callable[[Found], str]] = {
    "run": run,
    "worth": worth,
    "checks": checks,
    "trust": trust,
    "duels": duels,
    "manners": manners,
    "seats": seats,
}
"""By the name in their marks."""


def filled(page: str, found: Found) -> str:
    """The page with all its blocks made anew.

    Each must be there once: `<!-- lessons: NAME -->`, the block, `<!-- end -->`.
    """
    for name, block in BLOCKS.items():
        begin, end = f"<!-- lessons: {name} -->\n", "<!-- end -->"
        if page.count(begin) != 1:
            raise ValueError(f"expected {begin.strip()} once, got it {page.count(begin)} times")
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}{block(found)}\n{end}{after}"
    return page
