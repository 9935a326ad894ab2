"""What holds at every step of every game, under any sequence of actions: a hypothesis state machine."""

from collections import Counter
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from forsale import editions, shuffle
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    Action,
    AuctionWon,
    Bid,
    GameEnded,
    IllegalAction,
    Pass,
    Passed,
    SaleResolved,
    Sell,
    State,
    apply,
    legal_actions,
    new_game,
    outcome,
)
from tests.games import COMBOS

ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.just(Pass()),
    st.integers(-2, 40).map(Bid),
    st.integers(-2, 40).map(Sell),
)


def prices(state: State) -> int:
    """Coins that have left the game, by the events alone."""
    return sum(event.price for event in state.history if isinstance(event, Passed | AuctionWon))


def sold(state: State) -> list[int]:
    """Houses that have left the game, by the events alone."""
    sales = [event for event in state.history if isinstance(event, SaleResolved)]
    return [house for event in sales for houses in event.houses for house in houses]


def undrawn(deck: tuple[int, ...], left: int) -> tuple[int, ...]:
    return deck[len(deck) - left :]


class Games(RuleBasedStateMachine):
    """Any game of any edition, with illegal attempts and changes of mind in between."""

    @initialize(case=st.sampled_from(COMBOS), seed=st.integers(0, 2**32), data=st.data())
    def deal(self, case: tuple[str, int, str | None], seed: int, data: st.DataObject) -> None:
        name, seats, variant = case
        edition = editions.load(name)
        decks = shuffle.deal(edition, seats, Random(seed), variant)
        self.state = new_game(edition, seats, decks, data.draw(st.integers(0, seats - 1)), variant)
        self.awaited = 0  # actions that the game waited for

    @precondition(lambda self: self.state.phase is not OVER)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(sorted(self.state.to_act)))
        self._play(seat, data.draw(st.sampled_from(legal_actions(self.state, seat))))
        self.awaited += 1

    @precondition(lambda self: self.state.phase is BUYING)
    @rule()
    def pass_to_the_end_of_the_auction(self) -> None:
        """So that whole games are reached within the number of steps that hypothesis makes."""
        before = (self.state.phase, self.state.number)
        while (self.state.phase, self.state.number) == before:
            self._play(min(self.state.to_act), Pass())
            self.awaited += 1

    @precondition(lambda self: self.state.phase is SELLING)
    @rule(data=st.data())
    def change_choice(self, data: st.DataObject) -> None:
        able = [seat for seat, hand in enumerate(self.state.hands) if hand and self.state.choices[seat] is not None]
        if able:
            seat = data.draw(st.sampled_from(able))
            waited_for = self.state.to_act
            self._play(seat, data.draw(st.sampled_from(legal_actions(self.state, seat))))
            assert self.state.to_act == waited_for

    @rule(seat=st.integers(-1, 6), action=ANY_ACTION)
    def legal_if_and_only_if_apply_succeeds(self, seat: int, action: Action) -> None:
        try:
            apply(self.state, seat, action)
        except IllegalAction:
            assert action not in legal_actions(self.state, seat)
        else:
            assert action in legal_actions(self.state, seat)

    def _play(self, seat: int, action: Action) -> None:
        before = self.state
        self.state, events = apply(before, seat, action)
        assert self.state.history == before.history + events
        again, _ = apply(before, seat, action)
        assert again == self.state, "play is deterministic"

    def teardown(self) -> None:
        """Whatever was begun is played to its end."""
        if not hasattr(self, "state"):
            return
        rng = Random(self.awaited)
        while self.state.phase is not OVER:
            seat = min(self.state.to_act)
            self._play(seat, rng.choice(legal_actions(self.state, seat)))
            self.awaited += 1
        self.coins_are_conserved()
        self.houses_partition_the_deck()
        self.cheques_partition_the_deck()
        self.no_dead_end_and_the_game_ends()
        self.outcome_ranks_by_score_then_coins()

    @invariant()
    def coins_are_conserved(self) -> None:
        state = self.state
        standing = sum(bid or 0 for bid in state.bids)
        assert min(state.coins) >= 0
        assert sum(state.coins) + standing + prices(state) == state.rules.seats * state.rules.coins

    @invariant()
    def houses_partition_the_deck(self) -> None:
        state = self.state
        places = [
            *state.decks.removed_houses,
            *undrawn(state.decks.houses, state.houses_left),
            *(state.market if state.phase is BUYING else ()),
            *(house for hand in state.hands for house in hand),
            *sold(state),
        ]
        assert sorted(places) == list(state.rules.houses)

    @invariant()
    def cheques_partition_the_deck(self) -> None:
        state = self.state
        places = [
            *state.decks.removed_cheques,
            *undrawn(state.decks.cheques, state.cheques_left),
            *(state.market if state.phase is SELLING else ()),
            *(cheque for taken in state.cheques for cheque in taken),
        ]
        assert Counter(places) == Counter(state.rules.cheques)

    @invariant()
    def no_dead_end_and_the_game_ends(self) -> None:
        state = self.state
        assert bool(state.to_act) == (state.phase is not OVER)
        assert all(legal_actions(state, seat) for seat in state.to_act)
        # No auction has more bids than a purse has coins (and a 0), and each card is sold once.
        rules = state.rules
        assert self.awaited <= rules.auctions * (rules.coins + 1 + rules.seats) + rules.deck_size

    @invariant()
    def market_is_ascending(self) -> None:
        assert list(self.state.market) == sorted(self.state.market)

    @invariant()
    def outcome_ranks_by_score_then_coins(self) -> None:
        end = outcome(self.state)
        assert (end is not None) == (self.state.phase is OVER)
        if end is None:
            return
        assert self.state.history[-1] == GameEnded(end)
        assert end.scores == tuple(
            purse + sum(taken) for purse, taken in zip(self.state.coins, self.state.cheques, strict=True)
        )
        keys = list(zip(end.scores, end.coins, strict=True))
        ladder = sorted(keys, reverse=True)
        assert list(end.places) == [ladder.index(key) + 1 for key in keys]
        assert end.winners == tuple(seat for seat, key in enumerate(keys) if key == max(keys))


TestGames = Games.TestCase
