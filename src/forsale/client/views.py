"""From what the wire carries back to what a bot is given: events, and a view with its history."""

from collections.abc import Iterable

from forsale import game, view
from forsale.game import Decks, Phase
from forsale.server import wire
from forsale.server.wire import Cards, Position
from forsale.view import View


def event_from_wire(event: wire.Event) -> game.Event:
    """The event that `wire.event_to_wire` made this message of."""
    match event:
        case wire.Dealt(phase, number, market, opener):
            return game.Dealt(Phase(phase), number, market, opener)
        case wire.BidPlaced(seat, amount):
            return game.BidPlaced(seat, amount)
        case wire.Passed(seat, house, refund, price):
            return game.Passed(seat, house, refund, price)
        case wire.AuctionWon(seat, house, price):
            return game.AuctionWon(seat, house, price)
        case wire.HouseChosen(seat, chosen):
            return game.HouseChosen(seat, chosen)
        case wire.SaleResolved(number, houses, cheques):
            return game.SaleResolved(number, houses, cheques)
        case wire.GameEnded(end):
            return game.GameEnded(_outcome(end))


def view_from(position: Position, history: Iterable[game.Event], tracker: bool = False) -> View:
    """The view that the server has of this seat. `history` is all that happened since the start, as it was sent.

    Once a game is over the server tells what everyone chose, while a view keeps to what its seat saw; so the history
    is redacted here as it is there, and a bot sees the same however late it came to the table.
    """
    return View(
        rules=position.rules,
        seat=position.seat,
        tracker=tracker,
        phase=Phase(position.phase),
        number=position.number,
        market=position.market,
        to_act=frozenset(position.to_act),
        bidders=position.bidders,
        bids=position.bids,
        highest_bid=position.highest_bid,
        houses_left=position.houses_left,
        cheques_left=position.cheques_left,
        hand_sizes=position.hand_sizes,
        cheque_counts=position.cheque_counts,
        has_chosen=position.has_chosen,
        choice=position.choice,
        coins=position.coins,
        hands=position.hands,
        cheques=position.cheques,
        history=view.redact(history, position.seat),
        outcome=None if position.outcome is None else _outcome(position.outcome),
        decks=None if position.decks is None else _decks(position.decks),
    )


def _outcome(end: wire.Outcome) -> game.Outcome:
    return game.Outcome(end.scores, end.coins, end.places, end.winners)


def _decks(cards: Cards) -> Decks:
    return Decks(cards.houses, cards.cheques, cards.removed_houses, cards.removed_cheques)
