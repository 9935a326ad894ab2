"""A game played again on a row of numbers (see `forsale.scalar`), from what everybody saw of it."""

from collections.abc import Iterator, Sequence

from forsale.editions import Rules
from forsale.encoding import BID, HOUSE, PASS
from forsale.game import BUYING, BidPlaced, Dealt, Event, Passed, SaleResolved
from forsale.scalar import course, layout
from forsale.scalar.rows import cheque_places, rules_row


class Replay:
    """One game, as far as it was told. It is told in order, all at once or in parts: each ends where an action does."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.s = [0] * layout.LENGTH
        self.d = [0] * layout.DECKS_LENGTH
        """As far as the decks were turned up, which is as far as they are needed."""
        self.r: list[int] = rules_row(rules).tolist()
        self._houses: list[int] = []
        self._cheques: list[int] = []

    def actions(self, events: Sequence[Event]) -> Iterator[int]:
        """What the seats to act did, by index. Whoever asks plays each on the row before asking for the next.

        A sale is told when it is revealed: what was chosen in it was secret until then.
        """
        self._turn_up(events)
        for event in events:
            match event:
                case BidPlaced(_, amount):
                    yield BID + amount
                case Passed():
                    yield PASS
                case SaleResolved(_, houses, _) if sum(map(bool, houses)) > 1:
                    yield from [HOUSE + sold[0] for sold in houses if sold]
                case Dealt(_, 1, _, int(opener)):
                    course.start(self.s, self.d, self.r, opener)
                case _:
                    pass

    def _turn_up(self, events: Sequence[Event]) -> None:
        """Put what these events deal on the decks: on a row a market is turned up by the action before it."""
        for event in events:
            if isinstance(event, Dealt):
                (self._houses if event.phase is BUYING else self._cheques).extend(event.market)
        self.d[layout.HOUSES : layout.HOUSES + len(self._houses)] = [house - 1 for house in self._houses]
        places = cheque_places(self._cheques, self.rules)
        self.d[layout.CHEQUES : layout.CHEQUES + len(places)] = places
