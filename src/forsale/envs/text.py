"""Positions and events as plain text: what `render` shows, and what OpenSpiel tells situations apart by."""

from collections.abc import Iterable
from typing import assert_never

from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    AuctionWon,
    BidPlaced,
    Dealt,
    Event,
    GameEnded,
    HouseChosen,
    Passed,
    SaleResolved,
    seat_letter,
)
from forsale.view import View, recall

_ROUNDS = {BUYING: "auction", SELLING: "sale", OVER: "over after sale"}
_COLUMNS = {BUYING: "bid", SELLING: "choice", OVER: "score"}


def position(view: View) -> str:
    """A view as a small table, with what a perfect memory adds to it. `>` marks the seats that the game waits for.

    >>> from random import Random
    >>> from forsale import editions, game, shuffle, view
    >>> edition = editions.load("iello-2020")
    >>> decks = shuffle.deal(edition, seats=3, rng=Random(1))
    >>> state = game.new_game(edition, seats=3, decks=decks, first=0)
    >>> state, _ = game.apply(state, 0, game.Bid(3))
    >>> print(position(view.of(state, seat=1)))
    iello-2020, 3 seats, auction 1: 12 17 27
      seat  coins  bid  houses  cheques
      A     25     3
    > B     28
      C     28
    """
    rules, memory = view.rules, recall(view)
    title = [rules.edition, f"{rules.seats} seats", rules.variant, f"{_ROUNDS[view.phase]} {view.number}"]
    rows = [(" ", "seat ", "coins ", f"{_COLUMNS[view.phase]} ", "houses ", "cheques")]
    for seat in range(rules.seats):
        mark = ">" if seat in view.to_act else " "
        cards = (_cards(memory.hands[seat]), _cards(memory.cheques[seat]))
        rows.append((mark, seat_letter(seat), str(memory.coins[seat]), _now(view, seat), *cards))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [" ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    market = f": {_cards(view.market)}" if view.market else ""
    return "\n".join([", ".join(filter(None, title)) + market, *table])


def _now(view: View, seat: int) -> str:
    """What stands in front of a seat: its bid, or its choice, which others only see the back of, or its score."""
    if view.outcome is not None:
        return str(view.outcome.scores[seat])
    bid = view.bids[seat]
    if bid is not None:
        return str(bid)
    if view.bidders and seat not in view.bidders:
        return "out"
    if view.has_chosen[seat]:
        return str(view.choice) if seat == view.seat else "chosen"
    return ""


def story(events: Iterable[Event]) -> str:
    """All that happened, in order, on one line.

    >>> story([Dealt(BUYING, 1, (11, 12, 24), opener=0), BidPlaced(0, 3), Passed(1, 11, 0, 0)])
    'auction 1: 11 12 24, A opens; A bids 3; B passes: 11, 0 back'
    """
    return "; ".join(map(_told, events))


def _told(event: Event) -> str:
    match event:
        case Dealt(phase, number, market, opener):
            opens = "" if opener is None else f", {seat_letter(opener)} opens"
            return f"{_ROUNDS[phase]} {number}: {_cards(market)}{opens}"
        case BidPlaced(seat, amount):
            return f"{seat_letter(seat)} bids {amount}"
        case Passed(seat, house, refund, _):
            return f"{seat_letter(seat)} passes: {house or 'nothing'}, {refund} back"
        case AuctionWon(seat, house, price):
            return f"{seat_letter(seat)} wins {house} for {price}"
        case HouseChosen(seat, house):
            return f"{seat_letter(seat)} chooses{f' {house}' if house else ''}"
        case SaleResolved(number, houses, cheques):
            sold = [
                f"{seat_letter(seat)} {_cards(houses[seat])} for {_cards(cheques[seat])}"
                for seat in range(len(houses))
                if houses[seat]
            ]
            return f"sold {number}: {', '.join(sold)}"
        case GameEnded(outcome):
            return f"scores: {_cards(outcome.scores)}"
        case _:
            assert_never(event)


def _cards(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
