"""Between the engine's positions and rows of numbers (see `layout`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale import encoding, game
from forsale.editions import Rules
from forsale.game import Decks, State
from forsale.scalar import layout as at
from forsale.view import View, recall

Row: TypeAlias = NDArray[np.int32]
DeckRow: TypeAlias = NDArray[np.int8]
Hands: TypeAlias = Sequence[Sequence[int]]

_PHASES = {game.BUYING: at.BUYING, game.SELLING: at.SELLING, game.OVER: at.OVER}
_NAMES = {number: phase for phase, number in _PHASES.items()}


def rules_row(rules: Rules) -> Row:
    """The rules of a game as a row; `EncodingError` for an edition of one's own that is too large."""
    encoding.check(rules)
    row = np.zeros(at.RULES_LENGTH, np.int32)
    cards = len(rules.houses)
    row[at.SEATS] = rules.seats
    row[at.START_COINS] = rules.coins
    row[at.DECK_SIZE] = rules.deck_size
    row[at.REMOVED] = rules.removed
    row[at.SHORT] = rules.short
    row[at.REFUND_UP] = rules.refund == "up"
    row[at.LOWEST_BID] = rules.lowest_bid
    row[at.AUCTIONS] = rules.auctions
    row[at.BOX] = cards
    row[at.ABSENT] = _mask(set(range(1, at.MAX_CARDS + 1)) - set(rules.houses))
    row[at.HOUSE_NUMBERS : at.HOUSE_NUMBERS + cards] = rules.houses
    row[at.CHEQUE_AMOUNTS : at.CHEQUE_AMOUNTS + cards] = rules.cheques
    return row


class Position(NamedTuple):
    """A game in numbers."""

    row: Row
    decks: DeckRow
    untold: Row
    """Which part of the house deck, and of the cheque deck, may lie in any order: from and to, twice."""


class _Cards(NamedTuple):
    """Where the cards are: by seat, and both boxes in the order in which they are drawn, the removed ones last."""

    hands: Hands
    cheques: Hands
    houses_seen: int
    house_order: "_Order"
    cheque_order: "_Order"


class _Order(NamedTuple):
    """All cards of a box: those whose place is told, those that may lie in any order, and those that were removed."""

    told: Sequence[int]
    untold: Sequence[int]
    removed: Sequence[int]

    @classmethod
    def of(cls, box: Sequence[int], told: Sequence[int], removed: Sequence[int]) -> Self:
        untold = list(box)
        for card in (*told, *removed):
            untold.remove(card)
        return cls(told, untold, removed)

    @property
    def cards(self) -> list[int]:
        return [*self.told, *self.untold, *self.removed]

    @property
    def span(self) -> tuple[int, int]:
        return len(self.told), len(self.told) + len(self.untold)


def position_of(position: State | View) -> Position:
    """A position in numbers, as far as it is known. Someone must be to act in it."""
    if not position.to_act:
        raise encoding.EncodingError("expected a position where someone is to act, got one where nobody is")
    return _from_view(position) if isinstance(position, View) else _from_state(position)


def _from_state(state: State) -> Position:
    """With all its secrets; where decks are partial, what they do not tell may come in any order."""
    decks, rules = state.decks, state.rules
    cards = _Cards(
        hands=state.hands,
        cheques=state.cheques,
        houses_seen=rules.deck_size - state.houses_left,
        house_order=_Order.of(rules.houses, decks.houses, decks.removed_houses),
        cheque_order=_Order.of(rules.cheques, decks.cheques, decks.removed_cheques),
    )
    return _numbers(state, state.coins, cards, state.choices)


def _from_view(view: View) -> Position:
    """As a seat knows it, with a perfect memory: what it has not seen may come in any order. In a sale, seats that have
    chosen in secret count as not having chosen."""
    if view.seat is None:
        raise encoding.EncodingError("expected the view of a seat, got a spectator's")
    known, rules = recall(view), view.rules
    seen = [house for house in rules.houses if house not in known.unseen_houses]
    on_show = view.market if view.phase is game.SELLING else ()
    taken = [cheque for sale in _sales(known.cheques) for _, cheque in sale]
    cards = _Cards(
        hands=known.hands,
        cheques=known.cheques,
        houses_seen=len(seen),
        house_order=_Order.of(rules.houses, seen, ()),
        cheque_order=_Order.of(rules.cheques, (*taken, *on_show), ()),
    )
    choices = [view.choice if seat == view.seat else None for seat in range(rules.seats)]
    return _numbers(view, known.coins, cards, choices)


def _sales(cheques: Hands) -> Iterable[list[tuple[int, int]]]:
    """Which seat took which cheque, sale by sale: whoever has houses takes part in every one, and a last holder takes
    in one sale all that is left."""
    for number in range(max(map(len, cheques))):
        holders = [seat for seat, taken in enumerate(cheques) if len(taken) > number]
        if len(holders) == 1:
            yield [(holders[0], cheque) for cheque in cheques[holders[0]][number:]]
            return
        yield [(seat, cheques[seat][number]) for seat in holders]


def _numbers(position: State | View, coins: Sequence[int], cards: _Cards, choices: Sequence[int | None]) -> Position:
    row = np.zeros(at.LENGTH, np.int32)
    decks = np.zeros(at.DECKS_LENGTH, np.int8)
    row[at.PHASE] = _PHASES[position.phase]
    row[at.NUMBER] = position.number
    row[at.HIGHEST] = -1 if position.highest_bid is None else position.highest_bid
    row[at.BIDDING] = sum(1 << seat for seat in position.bidders)
    row[at.BIDS : at.BIDS + at.MAX_SEATS] = -1
    for seat, bid in enumerate(position.bids):
        row[at.COINS + seat] = coins[seat]
        row[at.BIDS + seat] = -1 if bid is None else bid
        row[at.HANDS + seat] = _mask(cards.hands[seat])
        row[at.CHOICES + seat] = choices[seat] or 0
    houses = cards.house_order.cards
    row[at.HOUSES_SEEN] = _mask(houses[: cards.houses_seen])
    decks[at.HOUSES : at.HOUSES + len(houses)] = [house - 1 for house in houses]
    _place_cheques(row, decks, position, cards)
    row[at.TO_ACT] = _to_act(position, cards.hands, choices)
    return Position(row, decks, np.array([*cards.house_order.span, *cards.cheque_order.span], np.int32))


def _mask(houses: Iterable[int]) -> int:
    return sum(1 << (house - 1) for house in houses)


def cheque_places(cheques: Iterable[int], rules: Rules) -> list[int]:
    """Equal cheques are told apart by their places in the box: each gets the first that is free, and keeps it."""
    free: defaultdict[int, list[int]] = defaultdict(list)
    for place, cheque in enumerate(rules.cheques):
        free[cheque].append(place)
    return [free[cheque].pop(0) for cheque in cheques]


def _place_cheques(row: Row, decks: DeckRow, position: State | View, cards: _Cards) -> None:
    order = cards.cheque_order.cards
    deck = list(zip(order, cheque_places(order, position.rules), strict=True))
    decks[at.CHEQUES : at.CHEQUES + len(deck)] = [place for _, place in deck]
    drawn = 0
    for sale in _sales(cards.cheques):
        shown = deck[drawn : drawn + len(sale)]
        for seat, cheque in sale:
            place = next(place for amount, place in shown if amount == cheque)
            shown.remove((cheque, place))
            row[at.TAKEN + seat] |= 1 << place
            row[at.MONEY + seat] += cheque
        drawn += len(sale)
    if position.phase is game.BUYING:
        row[at.MARKET] = _mask(position.market)
    elif position.phase is game.SELLING:
        row[at.MARKET] = sum(1 << place for _, place in deck[drawn : drawn + len(position.market)])
        drawn += len(position.market)
    row[at.CHEQUES_SEEN] = sum(1 << place for _, place in deck[:drawn])


def _to_act(position: State | View, hands: Hands, choices: Sequence[int | None]) -> int:
    if position.bidders:
        return position.bidders[0]
    return next(seat for seat, hand in enumerate(hands) if hand and choices[seat] is None)


def to_state(row: Row, decks: DeckRow, rules: Rules) -> State:
    """The position of a row. A row keeps no history: the state's is empty."""
    seats = range(rules.seats)
    phase = _NAMES[int(row[at.PHASE])]
    houses = [int(bit) + 1 for bit in decks[at.HOUSES : at.HOUSES + len(rules.houses)]]
    places = [int(place) for place in decks[at.CHEQUES : at.CHEQUES + len(rules.cheques)]]
    cheques = [rules.cheques[place] for place in places]
    size = rules.deck_size
    market = _bits(row[at.MARKET])
    bidding = [seat for seat in seats if row[at.BIDDING] >> seat & 1]
    turn = int(row[at.TO_ACT])
    return State(
        rules=rules,
        decks=Decks(tuple(houses[:size]), tuple(cheques[:size]), tuple(houses[size:]), tuple(cheques[size:])),
        phase=phase,
        number=int(row[at.NUMBER]),
        market=tuple(rules.cheques[bit] if phase is game.SELLING else bit + 1 for bit in market),
        bidders=tuple(sorted(bidding, key=lambda seat: (seat - turn) % rules.seats)),
        bids=tuple(int(bid) if bid >= 0 else None for bid in row[at.BIDS : at.BIDS + rules.seats]),
        coins=tuple(map(int, row[at.COINS : at.COINS + rules.seats])),
        hands=tuple(tuple(bit + 1 for bit in _bits(row[at.HANDS + seat])) for seat in seats),
        cheques=tuple(_in_order(row[at.TAKEN + seat], places, int(row[at.NUMBER]), rules) for seat in seats),
        choices=tuple(int(choice) or None for choice in row[at.CHOICES : at.CHOICES + rules.seats]),
        history=(),
    )


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(at.MAX_CARDS) if mask >> bit & 1]


def _in_order(mask: int, places: Sequence[int], sales: int, rules: Rules) -> tuple[int, ...]:
    """A seat's cheques as they were taken: one in each sale, those of an earlier sale further up in the deck. A last
    holder takes all that are left in the last one, ascending."""
    taken = [rules.cheques[place] for place in places if mask >> place & 1]
    return (*taken[: sales - 1], *sorted(taken[sales - 1 :]))
