"""A second, naive For Sale, written from rules.md alone: the other side of a differential test."""


class Reference:
    """One game from first auction to last sale; mutable, slow, with nothing clever in it."""

    def __init__(
        self,
        *,
        seats: int,
        coins: int,
        short: int,
        refund_up: bool,
        lowest_bid: int,
        house_deck: list[int],
        cheque_deck: list[int],
        first: int,
    ) -> None:
        # Components: 3 to 6 seats. Setup: both decks hold the same number of cards.
        assert 3 <= seats <= 6, f"For Sale is for 3 to 6 seats, not {seats}"
        assert 0 <= first < seats, f"no seat {first}"
        assert len(house_deck) == len(cheque_deck) > 0, "the decks must be of one size"
        self.seats = seats
        self.short = short
        self.refund_up = refund_up
        self.lowest_bid = lowest_bid
        self.house_deck = list(house_deck)  # index 0 is the top
        self.cheque_deck = list(cheque_deck)

        self.phase = "buying"
        self.number = 0
        self.market: list[int] = []
        self.coins: list[int] = [coins] * seats
        self.bids: list[int | None] = [None] * seats
        self.out: list[bool] = [False] * seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.cheques: list[list[int]] = [[] for _ in range(seats)]
        self.choices: list[int | None] = [None] * seats
        self.turn: int | None = None
        self.lost: list[int] = [0] * seats

        self.highest: int | None = None  # highest bid made in this auction, None before any
        self.empty_handed = 0  # how many more passers of this auction get no house
        self._start_auction(first)

    # ---- what may be done ----

    def waiting(self) -> set[int]:
        if self.phase == "buying":
            assert self.turn is not None
            return {self.turn}
        if self.phase == "selling":
            return {s for s in range(self.seats) if self.hands[s] and self.choices[s] is None}
        return set()

    def legal(self, seat: int) -> list[tuple[str, int]]:
        actions: list[tuple[str, int]] = []
        if self.phase == "buying" and seat == self.turn:
            # Passing is always allowed, for the opener too.
            actions.append(("pass", 0))
            # A bid is a total: strictly above the highest so far (or at least the lowest opening
            # bid), and within the purse plus what already stands in front of the seat.
            lowest = self.lowest_bid if self.highest is None else self.highest + 1
            most = self.coins[seat] + (self.bids[seat] or 0)
            actions += [("bid", amount) for amount in range(lowest, most + 1)]
        if self.phase == "selling":
            # Any house of the hand; a choice may be changed until the last seat has chosen.
            actions += [("sell", house) for house in self.hands[seat]]
        return sorted(actions)

    def play(self, seat: int, kind: str, amount: int = 0) -> None:
        assert (kind, amount) in self.legal(seat), f"seat {seat} may not {kind} {amount}"
        if kind == "bid":
            self._bid(seat, amount)
        elif kind == "pass":
            self._pass(seat)
        else:
            self._sell(seat, amount)

    # ---- buying ----

    def _start_auction(self, opener: int) -> None:
        # As many houses as seats, one fewer in the variant; what is left if the deck holds less.
        wanted = self.seats - self.short
        self.number += 1
        self.market = sorted(self.house_deck[:wanted])
        self.house_deck = self.house_deck[wanted:]
        # With k houses for n seats, the first n-k to pass take nothing (0 in the standard game).
        self.empty_handed = self.seats - len(self.market)
        self.bids = [None] * self.seats
        self.out = [False] * self.seats
        self.highest = None
        self.turn = opener

    def _bid(self, seat: int, amount: int) -> None:
        # Going from 1 to 4 adds 3 coins.
        self.coins[seat] -= amount - (self.bids[seat] or 0)
        self.bids[seat] = amount
        self.highest = amount
        self._next_turn(seat)

    def _pass(self, seat: int) -> None:
        standing = self.bids[seat] or 0  # a seat that never bid pays nothing
        if self.empty_handed > 0:
            # Variant: the first to pass take back all their coins and no house.
            self.empty_handed -= 1
            back = standing
        else:
            # The lowest house, and half the bid back, rounded as the edition says.
            self._take_lowest_house(seat)
            back = standing // 2
            if self.refund_up and standing % 2 == 1:
                back += 1
        self.coins[seat] += back
        self.lost[seat] += standing - back
        self.bids[seat] = None
        self.out[seat] = True

        # The auction ends, unasked, the moment the last but one passes.
        if self.out.count(False) == 1:
            self._end_auction(self.out.index(False))
        else:
            self._next_turn(seat)

    def _next_turn(self, seat: int) -> None:
        # Clockwise, skipping those that are out of this auction.
        seat = (seat + 1) % self.seats
        while self.out[seat]:
            seat = (seat + 1) % self.seats
        self.turn = seat

    def _take_lowest_house(self, seat: int) -> None:
        self.hands[seat].append(self.market.pop(0))
        self.hands[seat].sort()

    def _end_auction(self, winner: int) -> None:
        # The one seat left pays its whole bid (0 if it never bid) for the last, highest house.
        assert len(self.market) == 1
        self._take_lowest_house(winner)
        self.lost[winner] += self.bids[winner] or 0
        self.bids = [None] * self.seats
        # It opens the next auction; with the deck empty, selling starts.
        if self.house_deck:
            self._start_auction(winner)
        else:
            self.phase = "selling"
            self.number = 0
            self.turn = None
            self.out = [False] * self.seats
            self.highest = None
            self._start_sale()

    # ---- selling ----

    def _start_sale(self) -> None:
        holders = [s for s in range(self.seats) if self.hands[s]]
        if len(holders) == 1:
            # Variant: the only holder left takes every cheque at once, unasked, in the order of
            # the deck; its houses leave the game. No sale is held, so `number` stays.
            self.cheques[holders[0]] += self.cheque_deck
            self.cheque_deck = []
            self.hands[holders[0]] = []
            holders = []
        if not holders:
            # Sales repeat until no cheque is left.
            assert not self.cheque_deck
            self.phase = "over"
            return
        # As many cheques as seats that still hold houses: in the standard game, all of them.
        self.number += 1
        self.market = sorted(self.cheque_deck[: len(holders)])
        self.cheque_deck = self.cheque_deck[len(holders) :]

    def _sell(self, seat: int, house: int) -> None:
        self.choices[seat] = house
        if self.waiting():
            return
        # All have chosen. The highest house takes the highest cheque, the next the next, and so on.
        sold = [(chosen, s) for s, chosen in enumerate(self.choices) if chosen is not None]
        assert len(sold) == len(self.market)
        for chosen, s in sorted(sold):
            self.hands[s].remove(chosen)
            self.cheques[s].append(self.market.pop(0))
        self.choices = [None] * self.seats
        self._start_sale()

    # ---- the end ----

    def scores(self) -> list[int]:
        # Cheques plus coins left (in the purse: no bid stands once the game is over).
        return [sum(self.cheques[s]) + self.coins[s] for s in range(self.seats)]

    def places(self) -> list[int]:
        # By score, then by coins left; seats equal in both share the better place.
        ranks = list(zip(self.scores(), self.coins, strict=True))
        return [1 + sum(other > mine for other in ranks) for mine in ranks]

    def winners(self) -> list[int]:
        return [s for s, place in enumerate(self.places()) if place == 1]
