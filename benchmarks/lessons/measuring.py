"""Plays in every edition with every number of seats, and measures."""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.lessons.bidding import Bids, Prices, Stops
from benchmarks.lessons.checking import check
from benchmarks.lessons.found import Found, Trade
from benchmarks.lessons.playing import Numbers, play
from benchmarks.lessons.seating import seats
from benchmarks.lessons.selling import Sales
from benchmarks.lessons.worth import Starts
from forsale import editions
from forsale.bots.champion.net import Net
from forsale.editions import Rules
from forsale.scalar.rows import rules_row

EDITION = editions.DEFAULT
SEATS = 4
"""Where most is measured; the others are for comparison."""
FEWEST = 20
"""Games, so that every house is sold in some of them."""
_POSITIONS = 2000


def measure(net: Net, weights: str, games: int, seed: int, say: Callable[[str], None]) -> Found:
    """All that is on the page. `say` is told what is played now."""
    starts, stops, prices, sales = Starts(_POSITIONS), Stops(), Prices(), Sales()
    manners, seatings = [], []
    for edition, rules in _kinds():
        say(f"{edition}, {rules.seats} seats")
        bids, closer = Bids(), (edition, rules.seats) == (EDITION, SEATS)
        look = (bids.see, starts.see, stops.see, prices.see, sales.see) if closer else (bids.see,)
        outcomes = play(net, rules, games, seed, look)
        seatings.append(seats(edition, outcomes))
        if rules.seats == SEATS:
            manners.append(bids.found(edition))
        if closer:
            trust = starts.trust(outcomes)
    say("the same, with gifts")
    return Found(
        weights=weights,
        games=games,
        seed=seed,
        worths=starts.worths(net, seed),
        trust=trust,
        checks=check(net, editions.load(EDITION).rules(SEATS, None), games, seed),
        trades=_trades(prices.found(), sales.cheques()),
        stops=stops.found(),
        places=sales.places(),
        manners=manners,
        seats=seatings,
    )


def _kinds() -> Iterator[tuple[str, Rules]]:
    """Each edition with each number of seats; only once where two have the same rules."""
    seen = set()
    for edition in map(editions.load, editions.published()):
        for count in edition.seats:
            rules = edition.rules(count, None)
            if (row := rules_row(rules).tobytes()) not in seen:
                seen.add(row)
                yield edition.id, rules


def _trades(prices: Numbers, cheques: list[Numbers]) -> list[Trade]:
    return [
        Trade(float(price), float(taken.mean()), *map(float, np.percentile(taken, (10, 90))))
        for price, taken in zip(prices, cheques, strict=True)
    ]
