"""What a seat or a spectator may know, of states and of events. This module alone hides secrets.

Secret are the order of the decks and the removed cards, until the game is over, and a choice in a sale, until
the reveal. Purses, hands and cheques follow from what everybody saw; a table shows them (`tracker`) or leaves
them to memory, and then only the history still tells.

>>> from forsale import editions, game, shuffle
>>> edition = editions.load("iello-2020")
>>> decks = shuffle.deal(edition, seats=3, rng=shuffle.Stream(b"seed"))
>>> state = game.new_game(edition, seats=3, decks=decks, first=0)
>>> of(state, seat=1).coins
(None, 28, None)
>>> of(state, seat=1, tracker=True).coins
(28, 28, 28)
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from forsale.editions import Rules
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    AuctionWon,
    Dealt,
    Decks,
    Event,
    HouseChosen,
    Outcome,
    Passed,
    Phase,
    SaleResolved,
    State,
    outcome,
    pass_terms,
)

__all__ = ["MAX_EARLIER", "Earlier", "Memory", "View", "of", "recall", "redact", "remembered"]

MAX_EARLIER = 3
"""So many finished games at a table are told at most: the latest ones."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A finished game at the same table, as everybody who was there could remember it."""

    rules: Rules
    history: tuple[Event, ...]
    """All that happened, as a spectator saw it."""
    seats: tuple[int | None, ...]
    """For each seat of that game: the seat that its player has now, None for one who is not here any more."""


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat sees it, or a spectator (`seat` is None). None stands for what it may not know."""

    rules: Rules
    seat: int | None
    tracker: bool
    phase: Phase
    number: int
    market: tuple[int, ...]
    to_act: frozenset[int]
    bidders: tuple[int, ...]
    bids: tuple[int | None, ...]
    highest_bid: int | None
    houses_left: int
    cheques_left: int
    hand_sizes: tuple[int, ...]
    cheque_counts: tuple[int, ...]
    has_chosen: tuple[bool, ...]
    choice: int | None
    """The house that this seat has chosen in this sale."""
    coins: tuple[int | None, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    cheques: tuple[tuple[int, ...] | None, ...]
    history: tuple[Event, ...]
    """All that has happened, as this seat saw it."""
    outcome: Outcome | None
    decks: Decks | None
    """The order of the decks and the removed cards, once the game is over."""
    earlier: tuple[Earlier, ...] = ()
    """The games at this table that were finished before this one, the oldest first. Bots alone are told of them."""

    @property
    def pass_terms(self) -> tuple[int | None, int, int] | None:
        """What a pass would do for the seat to act now: the house it takes, the coins back, the coins lost."""
        if not self.bidders:
            return None
        standing = self.bids[self.bidders[0]]
        house, refund = pass_terms(self.rules, self.market, len(self.bidders), standing)
        return house, refund, (standing or 0) - refund


def of(state: State, seat: int | None, tracker: bool = False, earlier: tuple[Earlier, ...] = ()) -> View:
    """The view of a seat, or of a spectator (None); for a bot, with the earlier games at its table."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < state.rules.seats):
        raise ValueError(f"expected a seat from 0 to {state.rules.seats - 1}, or None for a spectator, got {seat!r}")
    over = state.phase is OVER
    everything = tracker or over
    seats = range(state.rules.seats)
    return View(
        rules=state.rules,
        seat=seat,
        tracker=tracker,
        phase=state.phase,
        number=state.number,
        market=state.market,
        to_act=state.to_act,
        bidders=state.bidders,
        bids=state.bids,
        highest_bid=state.highest_bid,
        houses_left=state.houses_left,
        cheques_left=state.cheques_left,
        hand_sizes=tuple(map(len, state.hands)),
        cheque_counts=tuple(map(len, state.cheques)),
        has_chosen=tuple([choice is not None for choice in state.choices]),
        choice=None if seat is None else state.choices[seat],
        coins=state.coins if everything else tuple([state.coins[i] if i == seat else None for i in seats]),
        hands=state.hands if everything else tuple([state.hands[i] if i == seat else None for i in seats]),
        cheques=state.cheques if everything else tuple([state.cheques[i] if i == seat else None for i in seats]),
        # Until the first sale there is nothing to hide in the history.
        history=state.history if state.phase is BUYING else redact(state.history, seat),
        outcome=outcome(state),
        decks=state.decks if over else None,
        earlier=earlier,
    )


def remembered(state: State, seats: tuple[int | None, ...]) -> Earlier:
    """A game that is over, for those who play on; `seats` tells who has which seat now."""
    if state.phase is not OVER:
        raise ValueError("expected a game that is over, got one that goes on")
    return Earlier(state.rules, redact(state.history, None), seats)


def redact(events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
    """Events as a seat, or a spectator (None), sees them: who chose, but not what, unless it was that seat.

    >>> redact([HouseChosen(seat=0, house=30), HouseChosen(seat=1, house=4)], seat=1)
    (HouseChosen(seat=0, house=None), HouseChosen(seat=1, house=4))
    """
    return tuple(
        [_hidden(event.seat) if isinstance(event, HouseChosen) and event.seat != seat else event for event in events]
    )


@cache
def _hidden(seat: int) -> HouseChosen:
    return HouseChosen(seat, None)


@dataclass(frozen=True, slots=True)
class Memory:
    """What the history alone tells a player with a perfect memory, whatever the table shows.

    By seat: purse (without a standing bid), hand and cheques. And the cards that nobody has seen, removed ones too.
    """

    coins: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    cheques: tuple[tuple[int, ...], ...]
    """In the order in which they were taken."""
    unseen_houses: tuple[int, ...]
    unseen_cheques: tuple[int, ...]


def recall(view: View) -> Memory:
    """Go through the history once."""
    coins = [view.rules.coins - (bid or 0) for bid in view.bids]
    hands: list[set[int]] = [set() for _ in coins]
    taken: list[tuple[int, ...]] = [()] * len(coins)
    unseen_houses = set(view.rules.houses)
    unseen_cheques = Counter(view.rules.cheques)
    for event in view.history:
        match event:
            case Passed(seat, house, _, price):
                coins[seat] -= price
                if house is not None:
                    hands[seat].add(house)
            case AuctionWon(seat, house, price):
                coins[seat] -= price
                hands[seat].add(house)
            case SaleResolved(_, houses, cheques):
                for seat, sold in enumerate(houses):
                    hands[seat].difference_update(sold)
                    taken[seat] += cheques[seat]
            case Dealt(phase, _, market, _):
                if phase is SELLING:
                    unseen_cheques.subtract(market)
                else:
                    unseen_houses.difference_update(market)
            case _:
                pass
    return Memory(
        tuple(coins),
        tuple(tuple(sorted(hand)) for hand in hands),
        tuple(taken),
        tuple(sorted(unseen_houses)),
        tuple(sorted(unseen_cheques.elements())),
    )
