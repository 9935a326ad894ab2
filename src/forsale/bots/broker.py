"""`broker`: buys within a budget and sells each house where it fetches most. Sensible, predictable, quick.

Buying: what its money allows a round, more where the market is wide, never more than the better house is worth.
Selling: for each of its houses, the cheque it can expect now, if the others choose by chance, against the cheque it
could expect in a later sale; it sells the one that gains most by going now.
"""

from collections.abc import Sequence
from random import Random

from forsale.game import BUYING, Action, Bid, Pass, Sell
from forsale.view import Memory, View, recall

# A market as wide as this, in cheques, is an ordinary one: worth an ordinary share of the purse.
_USUAL_SPREAD = 9.0


class Broker:
    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        if len(legal) == 1:
            return legal[0]
        if view.phase is BUYING:
            return self._buy(view, legal)
        return self._sell(view, legal, rng)

    def _buy(self, view: View, legal: Sequence[Action]) -> Action:
        bids = [action.amount for action in legal if isinstance(action, Bid)]
        limit = self._limit(view)
        # The rounding of the refund makes every second bid cheaper to give up.
        cheap = 1 if view.rules.refund == "up" else 0
        for amount in bids[:2]:
            if amount <= limit and (amount % 2 == cheap or amount == limit or amount + 1 not in bids):
                return Bid(amount)
        return Bid(bids[0]) if bids[0] <= limit else Pass()

    def _limit(self, view: View) -> float:
        """The most that it bids in this auction."""
        assert view.seat is not None
        rules = view.rules
        means = recall(view).coins[view.seat] + (view.bids[view.seat] or 0)
        rounds_left = rules.auctions - view.number + 1
        worth = [rules.cheques[rules.houses.index(house)] for house in view.market]
        spread = worth[-1] - worth[0]
        share = means / rounds_left * (0.4 + 1.1 * spread / _USUAL_SPREAD)
        if rounds_left == 1:
            share = means
        return min(means, share, spread)

    def _sell(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        memory = recall(view)
        gains = {action: self._gain(view, memory, action.house) for action in legal if isinstance(action, Sell)}
        best = max(gains.values())
        return rng.choice([action for action, gain in gains.items() if gain >= best - 1e-9])

    def _gain(self, view: View, memory: Memory, house: int) -> float:
        """Cheque expected now, less the cheque expected in some later sale."""
        others = [hand for seat, hand in enumerate(memory.hands) if seat != view.seat and hand]
        places = _places(house, others)
        now = sum(chance * cheque for chance, cheque in zip(places, view.market, strict=True))
        unseen = memory.unseen_cheques
        if not unseen:
            return now
        later = sum(
            chance * unseen[int((place + 0.5) / len(places) * len(unseen))] for place, chance in enumerate(places)
        )
        return now - later


def _places(house: int, others: Sequence[Sequence[int]]) -> list[float]:
    """The chance to come 0th, 1st… from below, if each of the others sells one of its houses by chance."""
    chances = [1.0]
    for hand in others:
        below = sum(other < house for other in hand) / len(hand)
        chances = [
            (chances[place] if place < len(chances) else 0.0) * (1 - below)
            + (chances[place - 1] if place else 0.0) * below
            for place in range(len(chances) + 1)
        ]
    return chances
