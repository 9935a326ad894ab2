"""The rules of For Sale: states, actions, events, and the one function that plays.

Pure: no input or output, no clock, no randomness. A state is an immutable value; given the decks and the
actions, a game is determined. Which rules hold is data (`forsale.editions.Rules`), never a name compared.

>>> from forsale import editions
>>> decks = Decks(houses=(20, 8, 28, *range(1, 8), *range(9, 20), *range(21, 28), 29, 30),
...               cheques=(0, 12, 13, 0, *range(2, 12), *range(2, 16), 14, 15))
>>> state = new_game(editions.load("iello-2020"), seats=3, decks=decks, first=0)
>>> state.market, state.to_act
((8, 20, 28), frozenset({0}))
>>> for seat, action in enumerate([Bid(1), Bid(2), Bid(5)]):
...     state, events = apply(state, seat, action)
>>> events
(BidPlaced(seat=2, amount=5),)
>>> state, events = apply(state, 0, Bid(3))
Traceback (most recent call last):
...
forsale.game.IllegalAction: bid 3 is not above the standing 5
>>> state, events = apply(state, 0, Pass())
>>> events
(Passed(seat=0, house=8, refund=0, price=1),)
"""

from bisect import insort
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from forsale.editions import MAX_SEATS, Edition, Rules

__all__ = [
    "BUYING",
    "OVER",
    "SELLING",
    "Action",
    "AuctionWon",
    "Bid",
    "BidPlaced",
    "Dealt",
    "Decks",
    "DecksError",
    "Event",
    "GameEnded",
    "HouseChosen",
    "IllegalAction",
    "IllegalCode",
    "Outcome",
    "Pass",
    "Passed",
    "Phase",
    "SaleResolved",
    "Sell",
    "State",
    "apply",
    "legal_actions",
    "new_game",
    "outcome",
    "pass_terms",
    "seat_letter",
]


T = TypeVar("T")


class Phase(Enum):
    """Where a game is."""

    BUYING = "buying"
    SELLING = "selling"
    OVER = "over"


# Looking a member up in its class costs as much as the rest of a comparison, and `apply` makes many.
BUYING, SELLING, OVER = Phase


# --- Actions: what a seat wants -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bid:
    """Raise the standing bid of one's seat to `amount`: a total, not an increment."""

    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction with its lowest house and half of one's bid."""


@dataclass(frozen=True, slots=True)
class Sell:
    """Choose, in secret, the house to sell. May be changed until the last seat has chosen."""

    house: int


Action = Bid | Pass | Sell


# --- Events: what happened -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """The market of an auction or a sale was turned up."""

    phase: Phase
    number: int
    market: tuple[int, ...]
    opener: int | None
    """The seat that opens the auction; None for a sale."""


@dataclass(frozen=True, slots=True)
class BidPlaced:
    """A seat raised its standing bid to `amount`."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat left the auction. `house` is None where the variant had none for it."""

    seat: int
    house: int | None
    refund: int
    price: int


@dataclass(frozen=True, slots=True)
class AuctionWon:
    """The last seat in the auction took the highest house for its whole bid."""

    seat: int
    house: int
    price: int


@dataclass(frozen=True, slots=True)
class HouseChosen:
    """A seat chose the house that it sells. `house` is None for those who may not know."""

    seat: int
    house: int | None


@dataclass(frozen=True, slots=True)
class SaleResolved:
    """A sale was revealed. By seat: the houses that left its hand and the cheques that it took."""

    number: int
    houses: tuple[tuple[int, ...], ...]
    cheques: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game, by seat. Coins break ties in the score; seats still tied share a place."""

    scores: tuple[int, ...]
    coins: tuple[int, ...]
    places: tuple[int, ...]
    """1 is best; tied seats share the better number, and the next is skipped: 1, 1, 3."""
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last cheque was taken."""

    outcome: Outcome


Event = Dealt | BidPlaced | Passed | AuctionWon | HouseChosen | SaleResolved | GameEnded


# --- Errors --------------------------------------------------------------------------------------------------

IllegalCode = Literal[
    "game-over",
    "no-such-seat",
    "no-such-action",
    "wrong-phase",
    "not-your-turn",
    "already-passed",
    "bid-too-low",
    "bid-too-high",
    "nothing-to-sell",
    "house-not-held",
    "market-unknown",
]


class IllegalAction(ValueError):
    """An action that the rules do not allow: a code for programs, a sentence for people."""

    def __init__(self, code: IllegalCode, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class DecksError(ValueError):
    """Decks, or a first seat, that are not those of the edition."""


# --- States --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decks:
    """Both decks in the order in which they are drawn, and what was removed from them.

    `partial` decks hold only the cards that are known, such as those of a record that stops in the middle of a
    game: the game can then be played as far as they go.
    """

    houses: tuple[int, ...]
    cheques: tuple[int, ...]
    removed_houses: tuple[int, ...] = ()
    removed_cheques: tuple[int, ...] = ()
    partial: bool = False


class State(NamedTuple):
    """A position. Everything is in it, secrets too: people and bots get a `forsale.view.View`.

    A named tuple and not a frozen dataclass, because one is made for every action and costs a quarter.
    """

    rules: Rules
    decks: Decks
    phase: Phase
    number: int
    """Of the auction, or of the sale, from 1."""
    market: tuple[int, ...]
    """Ascending: the houses left in this auction, or the cheques of this sale."""
    bidders: tuple[int, ...]
    """The seats still in the auction, in the order in which they act; the first is to act."""
    bids: tuple[int | None, ...]
    """By seat: the standing bid, None without one."""
    coins: tuple[int, ...]
    """By seat: the purse, without what stands as a bid."""
    hands: tuple[tuple[int, ...], ...]
    """By seat: houses, ascending. A chosen house stays until the reveal."""
    cheques: tuple[tuple[int, ...], ...]
    """By seat: cheques, in the order in which they were taken."""
    choices: tuple[int | None, ...]
    """By seat: the house chosen in this sale."""
    history: tuple[Event, ...]

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that the game waits for. In a sale, one that has chosen may still change its choice."""
        if self.phase is BUYING:
            return _ALONE[self.bidders[0]] if self.bidders else frozenset()
        if self.phase is SELLING and self.market:
            hands, choices = self.hands, self.choices
            return frozenset([seat for seat, hand in enumerate(hands) if hand and choices[seat] is None])
        return frozenset()

    @property
    def highest_bid(self) -> int | None:
        """The highest standing bid, None before the first. Every bid is a raise and moves its seat to the end."""
        return self.bids[self.bidders[-1]] if self.bidders else None

    @property
    def houses_left(self) -> int:
        """Houses still to be turned up."""
        if self.phase is not BUYING:
            return 0
        return self.rules.deck_size - sum(map(len, self.hands)) - len(self.market)

    @property
    def cheques_left(self) -> int:
        """Cheques still to be turned up."""
        shown = len(self.market) if self.phase is SELLING else 0
        return self.rules.deck_size - sum(map(len, self.cheques)) - shown


_ALONE = tuple(frozenset({seat}) for seat in range(MAX_SEATS))


def seat_letter(seat: int) -> str:
    """A seat as records and people name it: A, B, C…"""
    return "ABCDEF"[seat]


def new_game(edition: Edition, seats: int, decks: Decks, first: int, variant: str | None = None) -> State:
    """The position with the first market turned up.

    Raises `EditionError` for seats or a variant that the edition lacks, `DecksError` for decks that are not its.
    """
    rules = edition.rules(seats, variant)
    if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < seats:
        raise DecksError(f"first: expected a seat from 0 to {seats - 1}, got {first!r}")
    _check_deck("houses", rules.houses, decks.houses, decks.removed_houses, rules, decks.partial)
    _check_deck("cheques", rules.cheques, decks.cheques, decks.removed_cheques, rules, decks.partial)
    nobody = (None,) * seats
    empty: tuple[tuple[int, ...], ...] = ((),) * seats
    purses = (rules.coins,) * seats
    return _open_auction(rules, decks, 1, first, coins=purses, hands=empty, cheques=empty, choices=nobody)


def _check_deck(
    name: str, box: tuple[int, ...], deck: tuple[int, ...], removed: tuple[int, ...], rules: Rules, partial: bool
) -> None:
    too_many = len(deck) > rules.deck_size or len(removed) > rules.removed
    too_few = len(deck) < rules.deck_size or len(removed) < rules.removed
    if too_many or (too_few and not partial):
        raise DecksError(
            f"{name}: expected {rules.deck_size} to draw and {rules.removed} removed, "
            f"got {len(deck)} and {len(removed)}"
        )
    if too_few or sorted(deck + removed) != list(box):
        strange = Counter(deck + removed) - Counter(box)
        if strange:
            raise DecksError(f"{name}: {next(iter(strange))!r} is not in the box, or not so often")


def pass_terms(rules: Rules, market: tuple[int, ...], bidders: int, standing: int | None) -> tuple[int | None, int]:
    """What the next seat to pass gets: a house, or None where there are too few, and the coins that come back.

    The seat that passes takes half of its bid back, rounded as the edition says:

    >>> from forsale import editions
    >>> pass_terms(editions.load("iello-2020").rules(4), market=(3, 9), bidders=2, standing=5)
    (3, 2)
    >>> pass_terms(editions.load("iello-2015").rules(4), market=(3, 9), bidders=2, standing=5)
    (3, 3)
    """
    bid = standing or 0
    if bidders > len(market):
        return None, bid
    return market[0], (bid + 1) // 2 if rules.refund == "up" else bid // 2


# Actions and small events are values that recur in every game: made once, they cost little to give again.
_recurring = lru_cache(maxsize=2**14)
_bid_placed = _recurring(BidPlaced)
_passed = _recurring(Passed)
_auction_won = _recurring(AuctionWon)
_house_chosen = _recurring(HouseChosen)
_PASS: tuple[Action, ...] = (Pass(),)
_BIDS = tuple(Bid(amount) for amount in range(128))
_SALES = tuple(Sell(house) for house in range(100))


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Everything that `apply` accepts from this seat now; nothing when it is not its turn.

    In a sale, a seat that has chosen may choose again.
    """
    if state.phase is BUYING:
        bidders = state.bidders
        if not bidders or bidders[0] != seat:
            return ()
        highest = state.bids[bidders[-1]]
        low = state.rules.lowest_bid if highest is None else highest + 1
        high = state.coins[seat] + (state.bids[seat] or 0)
        if high < len(_BIDS):
            return _PASS + _BIDS[low : high + 1]
        return _PASS + tuple(map(Bid, range(low, high + 1)))
    if state.phase is SELLING and state.market and 0 <= seat < state.rules.seats:
        return tuple(map(_SALES.__getitem__, state.hands[seat]))
    return ()


def _put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The same values, with another one for one seat."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def apply(state: State, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Play one action: the position after it, with all that follows of itself, and what happened.

    Raises `IllegalAction`, and then nothing has changed.
    """
    phase = state.phase
    if phase is OVER:
        raise IllegalAction("game-over", "the game is over")
    if type(seat) is not int or not 0 <= seat < state.rules.seats:
        last = seat_letter(state.rules.seats - 1)
        raise IllegalAction("no-such-seat", f"there is no seat {seat!r}, only A to {last}")
    if phase is BUYING:
        if isinstance(action, Bid):
            return _bid(state, seat, action.amount)
        if isinstance(action, Pass):
            return _pass(state, seat)
    elif isinstance(action, Sell):
        return _sell(state, seat, action.house)
    if not isinstance(action, Action):
        raise IllegalAction("no-such-action", f"expected a Bid, a Pass or a Sell, got {action!r}")
    allowed = "bid or pass" if phase is BUYING else "choose a house to sell"
    raise IllegalAction("wrong-phase", f"the game is {phase.value}: seat {seat_letter(seat)} can {allowed}")


def outcome(state: State) -> Outcome | None:
    """Who won, once the game is over; None while it goes on."""
    if state.phase is not OVER:
        return None
    return _outcome(state.coins, state.cheques)


# --- Buying --------------------------------------------------------------------------------------------------


def _not_their_turn(state: State, seat: int) -> IllegalAction:
    if not state.bidders:
        return IllegalAction("market-unknown", "the next houses are not known, so nobody can act")
    turn = f"it is the turn of seat {seat_letter(state.bidders[0])}"
    if seat not in state.bidders:
        return IllegalAction("already-passed", f"seat {seat_letter(seat)} has passed in this auction; {turn}")
    return IllegalAction("not-your-turn", f"{turn}, not of seat {seat_letter(seat)}")


def _bid(state: State, seat: int, amount: int) -> tuple[State, tuple[Event, ...]]:
    bidders, bids, coins = state.bidders, state.bids, state.coins
    if not bidders or bidders[0] != seat:
        raise _not_their_turn(state, seat)
    if type(amount) is not int:
        raise IllegalAction("no-such-action", f"a bid is a whole number of coins, not {amount!r}")
    highest = bids[bidders[-1]]
    if highest is not None:
        if amount <= highest:
            raise IllegalAction("bid-too-low", f"bid {amount} is not above the standing {highest}")
    elif amount < state.rules.lowest_bid:
        low = state.rules.lowest_bid
        raise IllegalAction("bid-too-low", f"bid {amount} is below the lowest opening bid, {low}")
    means = coins[seat] + (bids[seat] or 0)
    if amount > means:
        raise IllegalAction("bid-too-high", f"bid {amount} is more than the {means} that seat {seat_letter(seat)} has")
    events = (_bid_placed(seat, amount),)
    return State(
        state.rules,
        state.decks,
        BUYING,
        state.number,
        state.market,
        bidders[1:] + bidders[:1],
        _put(bids, seat, amount),
        _put(coins, seat, means - amount),
        state.hands,
        state.cheques,
        state.choices,
        state.history + events,
    ), events


def _pass(state: State, seat: int) -> tuple[State, tuple[Event, ...]]:
    rules, market, bidders, hands = state.rules, state.market, state.bidders, state.hands
    if not bidders or bidders[0] != seat:
        raise _not_their_turn(state, seat)
    standing = state.bids[seat]
    house, refund = pass_terms(rules, market, len(bidders), standing)
    passed = _passed(seat, house, refund, (standing or 0) - refund)
    coins = _put(state.coins, seat, state.coins[seat] + refund)
    if house is not None:
        market = market[1:]
        hands = _with_house(hands, seat, house)
    bidders = bidders[1:]
    if len(bidders) > 1:
        events = (passed,)
        return State(
            rules,
            state.decks,
            BUYING,
            state.number,
            market,
            bidders,
            _put(state.bids, seat, None),
            coins,
            hands,
            state.cheques,
            state.choices,
            state.history + events,
        ), events
    winner, last = bidders[0], market[0]
    won = _auction_won(winner, last, state.bids[winner] or 0)
    hands = _with_house(hands, winner, last)
    history = state.history + (passed, won)
    if state.houses_left:
        after = _open_auction(
            rules, state.decks, state.number + 1, winner, coins, hands, state.cheques, state.choices, history
        )
    else:
        after = _open_sale(rules, state.decks, 1, coins, hands, state.cheques, history)
    return after, after.history[len(state.history) :]


def _with_house(hands: tuple[tuple[int, ...], ...], seat: int, house: int) -> tuple[tuple[int, ...], ...]:
    hand = list(hands[seat])
    insort(hand, house)
    return _put(hands, seat, tuple(hand))


def _open_auction(
    rules: Rules,
    decks: Decks,
    number: int,
    opener: int,
    coins: tuple[int, ...],
    hands: tuple[tuple[int, ...], ...],
    cheques: tuple[tuple[int, ...], ...],
    choices: tuple[int | None, ...],
    history: tuple[Event, ...] = (),
) -> State:
    drawn = sum(map(len, hands))
    market = _turn_up(decks.houses, drawn, min(rules.seats - rules.short, rules.deck_size - drawn))
    bidders: tuple[int, ...] = ()
    if market:
        bidders = (*range(opener, rules.seats), *range(opener))
        history += (Dealt(BUYING, number, market, opener),)
    nobody = (None,) * rules.seats
    return State(rules, decks, BUYING, number, market, bidders, nobody, coins, hands, cheques, choices, history)


def _turn_up(deck: tuple[int, ...], drawn: int, size: int) -> tuple[int, ...]:
    """The next cards of a deck, ascending; none where a partial deck does not tell."""
    cards = deck[drawn : drawn + size]
    return tuple(sorted(cards)) if len(cards) == size else ()


# --- Selling -------------------------------------------------------------------------------------------------


def _sell(state: State, seat: int, house: int) -> tuple[State, tuple[Event, ...]]:
    if not state.market:
        raise IllegalAction("market-unknown", "the next cheques are not known, so nobody can act")
    hand = state.hands[seat]
    if not hand:
        raise IllegalAction("nothing-to-sell", f"seat {seat_letter(seat)} has no house to sell")
    if type(house) is not int or house not in hand:
        held = ", ".join(map(str, hand))
        raise IllegalAction("house-not-held", f"house {house!r} is not in the hand of seat {seat_letter(seat)}: {held}")
    chosen = _house_chosen(seat, house)
    choices = _put(state.choices, seat, house)
    history = state.history + (chosen,)
    if len(choices) - choices.count(None) == len(state.market):
        after = _resolve(state, choices, history)
        return after, after.history[len(state.history) :]
    return State(
        state.rules,
        state.decks,
        SELLING,
        state.number,
        state.market,
        (),
        state.bids,
        state.coins,
        state.hands,
        state.cheques,
        choices,
        history,
    ), (chosen,)


def _resolve(state: State, choices: tuple[int | None, ...], history: tuple[Event, ...]) -> State:
    """All have chosen: the highest house takes the highest cheque, the next the next."""
    houses: list[tuple[int, ...]] = [()] * len(choices)
    taken = houses.copy()
    hands, cheques = list(state.hands), list(state.cheques)
    sold = sorted([house for house in choices if house is not None])
    for house, cheque in zip(sold, state.market, strict=True):
        seat = choices.index(house)
        hand = hands[seat]
        at = hand.index(house)
        hands[seat] = hand[:at] + hand[at + 1 :]
        houses[seat] = (house,)
        taken[seat] = (cheque,)
        cheques[seat] += (cheque,)
    history += (SaleResolved(state.number, tuple(houses), tuple(taken)),)
    return _open_sale(state.rules, state.decks, state.number + 1, state.coins, tuple(hands), tuple(cheques), history)


def _open_sale(
    rules: Rules,
    decks: Decks,
    number: int,
    coins: tuple[int, ...],
    hands: tuple[tuple[int, ...], ...],
    cheques: tuple[tuple[int, ...], ...],
    history: tuple[Event, ...],
) -> State:
    """Turn up the next cheques; a last holder takes all of them, and without a holder the game is over."""
    nobody = (None,) * rules.seats
    holders = len(hands) - hands.count(())
    drawn = sum(map(len, cheques))
    market = _turn_up(decks.cheques, drawn, holders if holders > 1 else rules.deck_size - drawn)
    if not holders:
        history += (GameEnded(_outcome(coins, cheques)),)
        return State(rules, decks, OVER, number - 1, (), (), nobody, coins, hands, cheques, nobody, history)
    if market:
        history += (Dealt(SELLING, number, market, None),)
    if market and holders == 1:
        taken = tuple([market if hand else () for hand in hands])
        history += (SaleResolved(number, hands, taken),)
        cheques = tuple([before + new for before, new in zip(cheques, taken, strict=True)])
        return _open_sale(rules, decks, number + 1, coins, ((),) * rules.seats, cheques, history)
    return State(rules, decks, SELLING, number, market, (), nobody, coins, hands, cheques, nobody, history)


# --- The end -------------------------------------------------------------------------------------------------


def _outcome(coins: tuple[int, ...], cheques: tuple[tuple[int, ...], ...]) -> Outcome:
    scores = tuple([purse + sum(taken) for purse, taken in zip(coins, cheques, strict=True)])
    standing = list(zip(scores, coins, strict=True))
    places = tuple([1 + sum([other > mine for other in standing]) for mine in standing])
    winners = tuple([seat for seat, place in enumerate(places) if place == 1])
    return Outcome(scores, coins, places, winners)
