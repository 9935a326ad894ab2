"""The game's own values as messages carry them: actions and events with a tag, a view without its history."""

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from forsale import game
from forsale.editions import Rules
from forsale.view import View


class Bid(Struct, frozen=True, forbid_unknown_fields=True, tag="bid", tag_field="kind"):
    """A bid: the total, not the raise."""

    amount: Annotated[int, Meta(ge=0, le=9999)]


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag="pass", tag_field="kind"):
    """Leave the auction."""


class Sell(Struct, frozen=True, forbid_unknown_fields=True, tag="sell", tag_field="kind"):
    """Choose the house to sell."""

    house: Annotated[int, Meta(ge=0, le=9999)]


Action = Bid | Pass | Sell


def action_from_wire(action: Action) -> game.Action:
    match action:
        case Bid(amount):
            return game.Bid(amount)
        case Sell(house):
            return game.Sell(house)
        case _:
            return game.Pass()


@lru_cache(maxsize=2048)
def action_to_wire(action: game.Action) -> Action:
    match action:
        case game.Bid(amount):
            return Bid(amount)
        case game.Sell(house):
            return Sell(house)
        case _:
            return Pass()


class Dealt(Struct, frozen=True, tag="dealt", tag_field="kind"):
    """A market was turned up."""

    phase: str
    number: int
    market: tuple[int, ...]
    opener: int | None


class BidPlaced(Struct, frozen=True, tag="bid-placed", tag_field="kind"):
    """A seat raised its standing bid."""

    seat: int
    amount: int


class Passed(Struct, frozen=True, tag="passed", tag_field="kind"):
    """A seat left the auction; `house` is null where the variant had none for it."""

    seat: int
    house: int | None
    refund: int
    price: int


class AuctionWon(Struct, frozen=True, tag="auction-won", tag_field="kind"):
    """The last seat in the auction took the highest house for its whole bid."""

    seat: int
    house: int
    price: int


class HouseChosen(Struct, frozen=True, tag="house-chosen", tag_field="kind"):
    """`house` is null for those who may not know."""

    seat: int
    house: int | None


class SaleResolved(Struct, frozen=True, tag="sale-resolved", tag_field="kind"):
    """A sale was revealed. By seat: the houses that were sold, and the cheques taken for them."""

    number: int
    houses: tuple[tuple[int, ...], ...]
    cheques: tuple[tuple[int, ...], ...]


class Outcome(Struct, frozen=True):
    """The end of a game, by seat; place 1 is best, and tied seats share the better number."""

    scores: tuple[int, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]


class GameEnded(Struct, frozen=True, tag="game-ended", tag_field="kind"):
    """The last cheque was taken."""

    outcome: Outcome


Event = Dealt | BidPlaced | Passed | AuctionWon | HouseChosen | SaleResolved | GameEnded


def event_to_wire(event: game.Event) -> Event:
    """An event that was redacted for whoever will read it."""
    match event:
        case game.Dealt(phase, number, market, opener):
            return Dealt(phase.value, number, market, opener)
        case game.BidPlaced(seat, amount):
            return BidPlaced(seat, amount)
        case game.Passed(seat, house, refund, price):
            return Passed(seat, house, refund, price)
        case game.AuctionWon(seat, house, price):
            return AuctionWon(seat, house, price)
        case game.HouseChosen(seat, house):
            return HouseChosen(seat, house)
        case game.SaleResolved(number, houses, cheques):
            return SaleResolved(number, houses, cheques)
        case game.GameEnded(end):
            return GameEnded(_outcome_to_wire(end))


def _outcome_to_wire(end: game.Outcome) -> Outcome:
    return Outcome(end.scores, end.coins, end.places, end.winners)


class PassTerms(Struct, frozen=True):
    """What a pass of the seat to act would do: the house it takes (null: none), the coins back, the coins lost."""

    house: int | None
    refund: int
    price: int


class Cards(Struct, frozen=True):
    """Both decks in the order in which they were drawn, and what was removed."""

    houses: tuple[int, ...]
    cheques: tuple[int, ...]
    removed_houses: tuple[int, ...]
    removed_cheques: tuple[int, ...]


class Position(Struct, frozen=True):
    """A view (see docs/protocol.md). Null stands for what this seat may not know."""

    rules: Rules
    seat: int | None
    phase: str
    number: int
    market: tuple[int, ...]
    to_act: tuple[int, ...]
    bidders: tuple[int, ...]
    bids: tuple[int | None, ...]
    highest_bid: int | None
    houses_left: int
    cheques_left: int
    hand_sizes: tuple[int, ...]
    cheque_counts: tuple[int, ...]
    has_chosen: tuple[bool, ...]
    choice: int | None
    coins: tuple[int | None, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    cheques: tuple[tuple[int, ...] | None, ...]
    pass_terms: PassTerms | None
    outcome: Outcome | None
    decks: Cards | None


def position_of(view: View) -> Position:
    """A view as it is sent. The history goes separately, event by event."""
    terms, end, decks = view.pass_terms, view.outcome, view.decks
    return Position(
        rules=view.rules,
        seat=view.seat,
        phase=view.phase.value,
        number=view.number,
        market=view.market,
        to_act=tuple(sorted(view.to_act)),
        bidders=view.bidders,
        bids=view.bids,
        highest_bid=view.highest_bid,
        houses_left=view.houses_left,
        cheques_left=view.cheques_left,
        hand_sizes=view.hand_sizes,
        cheque_counts=view.cheque_counts,
        has_chosen=view.has_chosen,
        choice=view.choice,
        coins=view.coins,
        hands=view.hands,
        cheques=view.cheques,
        pass_terms=None if terms is None else PassTerms(*terms),
        outcome=None if end is None else _outcome_to_wire(end),
        decks=None
        if decks is None
        else Cards(decks.houses, decks.cheques, decks.removed_houses, decks.removed_cheques),
    )
