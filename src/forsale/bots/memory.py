"""What a player with a perfect memory knows of the others, from the public history alone."""

from collections import Counter
from dataclasses import dataclass

from forsale.game import SELLING, AuctionWon, Dealt, Passed, SaleResolved
from forsale.view import View


@dataclass(frozen=True, slots=True)
class Memory:
    """By seat: purse (without a standing bid) and hand. And the cheques that nobody has seen, removed ones too."""

    coins: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    unseen_cheques: tuple[int, ...]


def recall(view: View) -> Memory:
    """Go through the history once."""
    coins = [view.rules.coins - (bid or 0) for bid in view.bids]
    hands: list[set[int]] = [set() for _ in coins]
    unseen = Counter(view.rules.cheques)
    for event in view.history:
        match event:
            case Passed(seat, house, _, price):
                coins[seat] -= price
                if house is not None:
                    hands[seat].add(house)
            case AuctionWon(seat, house, price):
                coins[seat] -= price
                hands[seat].add(house)
            case SaleResolved(_, houses, _):
                for seat, sold in enumerate(houses):
                    hands[seat].difference_update(sold)
            case Dealt(phase, _, market, _) if phase is SELLING:
                unseen.subtract(market)
            case _:
                pass
    return Memory(tuple(coins), tuple(tuple(sorted(hand)) for hand in hands), tuple(sorted(unseen.elements())))
