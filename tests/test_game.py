"""The rules, one test each, named after the rule; the rulebooks' own examples among them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from forsale import editions
from forsale.game import (
    BUYING,
    OVER,
    SELLING,
    Action,
    AuctionWon,
    Bid,
    BidPlaced,
    Dealt,
    Decks,
    DecksError,
    Event,
    GameEnded,
    HouseChosen,
    IllegalAction,
    Outcome,
    Pass,
    Passed,
    SaleResolved,
    Sell,
    State,
    apply,
    legal_actions,
    new_game,
    outcome,
    seat_letter,
)
from tests.games import COMBOS

PASS = Pass()


def ordered(box: Sequence[int], top: Sequence[int], removed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A deck with `top` first and the rest ascending; the highest of the rest are those removed."""
    rest = list(box)
    for card in top:
        rest.remove(card)
    kept = len(rest) - removed
    return (*top, *rest[:kept]), tuple(rest[kept:])


def start(
    name: str = "iello-2020",
    seats: int = 3,
    houses: Sequence[int] = (),
    cheques: Sequence[int] = (),
    first: int = 0,
    variant: str | None = None,
) -> State:
    edition = editions.load(name)
    rules = edition.rules(seats, variant)
    house_deck, removed_houses = ordered(rules.houses, houses, rules.removed)
    cheque_deck, removed_cheques = ordered(rules.cheques, cheques, rules.removed)
    decks = Decks(house_deck, cheque_deck, removed_houses, removed_cheques)
    return new_game(edition, seats, decks, first, variant)


def play(state: State, *actions: Action) -> tuple[State, list[Event]]:
    """Each action by the seat whose turn it is; in a sale, by the lowest seat that has not chosen."""
    events: list[Event] = []
    for action in actions:
        state, new = apply(state, min(state.to_act), action)
        events += new
    return state, events


def pass_all(state: State) -> State:
    """Everyone passes until the selling starts: houses go out for nothing."""
    while state.phase is BUYING:
        state, _ = play(state, PASS)
    return state


def sell_lowest(state: State) -> State:
    while state.phase is SELLING:
        seat = min(state.to_act)
        state, _ = apply(state, seat, Sell(state.hands[seat][0]))
    return state


# --- Setup ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats", "variant"), COMBOS)
def test_each_seat_gets_its_coins_and_both_decks_are_as_long(name: str, seats: int, variant: str | None) -> None:
    state = start(name, seats, variant=variant)
    rules = state.rules
    assert state.coins == (rules.coins,) * seats
    assert len(state.decks.houses) == len(state.decks.cheques) == 30 - rules.removed
    assert len(state.decks.removed_houses) == len(state.decks.removed_cheques) == rules.removed
    assert state.phase is BUYING
    assert outcome(state) is None


@pytest.mark.parametrize(("name", "seats", "variant"), [combo for combo in COMBOS if combo.variant is None])
def test_standard_deck_is_a_multiple_of_the_seats(name: str, seats: int, variant: str | None) -> None:
    assert start(name, seats, variant=variant).rules.deck_size % seats == 0


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_first_seat_opens_and_play_goes_clockwise(first: int) -> None:
    state = start(seats=4, first=first)
    assert state.history == (Dealt(BUYING, 1, state.market, first),)
    order: list[int] = []
    for amount in range(1, 9):
        order += state.to_act
        state, _ = play(state, Bid(amount))
    assert order == [(first + turn) % 4 for turn in range(8)]


@pytest.mark.parametrize("first", [-1, 3, True, "A", None])
def test_first_must_be_a_seat(first: object) -> None:
    with pytest.raises(DecksError, match="first: expected a seat from 0 to 2"):
        new_game(editions.load("iello-2020"), 3, start().decks, first)  # type: ignore[arg-type]


def test_decks_must_be_those_of_the_edition() -> None:
    edition, good = editions.load("iello-2020"), start(seats=4).decks

    def refused(match: str, **changes: object) -> None:
        with pytest.raises(DecksError, match=match):
            new_game(edition, 4, replace(good, **changes), 0)  # type: ignore[arg-type]

    refused("houses: 31 is not in the box", houses=(31, *good.houses[1:]))
    refused("houses: 2 is not in the box, or not so often", houses=(2, *good.houses[1:]))
    refused("houses: expected 28 to draw and 2 removed, got 27 and 2", houses=good.houses[1:])
    refused("houses: expected 28 to draw and 2 removed, got 28 and 1", removed_houses=good.removed_houses[1:])
    refused("cheques: 1 is not in the box", cheques=(1, *good.cheques[1:]))
    refused("cheques: 0 is not in the box, or not so often", cheques=(0, 0, 0, *good.cheques[3:]))
    refused(
        "cheques: expected 28 to draw and 2 removed, got 30 and 0",
        cheques=editions.load("classic").cheques,
        removed_cheques=(),
    )


# --- Buying --------------------------------------------------------------------------------------------------


def test_market_has_as_many_houses_as_seats_in_ascending_order() -> None:
    state = start(houses=(20, 28, 8))
    assert state.market == (8, 20, 28)
    assert state.houses_left == 27
    assert state.cheques_left == 30


def test_example_of_iello_2015() -> None:
    state, events = play(start("iello-2015", houses=(8, 20, 28)), Bid(1), Bid(2), Bid(3), Bid(4), PASS, PASS)
    assert events[4:7] == [Passed(1, 8, refund=1, price=1), Passed(2, 20, refund=2, price=1), AuctionWon(0, 28, 4)]
    assert state.coins == (24, 27, 27)
    assert state.hands == ((28,), (8,), (20,))


def test_example_of_iello_2020() -> None:
    state, events = play(start("iello-2020", houses=(8, 20, 28)), Bid(1), Bid(2), Bid(5), Bid(6), PASS, PASS)
    assert events[:4] == [BidPlaced(0, 1), BidPlaced(1, 2), BidPlaced(2, 5), BidPlaced(0, 6)]
    assert events[4:7] == [Passed(1, 8, refund=1, price=1), Passed(2, 20, refund=2, price=3), AuctionWon(0, 28, 6)]
    assert state.coins == (22, 27, 25)


def test_bid_is_a_total_not_an_increment() -> None:
    state, _ = play(start(), Bid(1), Bid(2), Bid(3), Bid(4))
    assert state.coins == (24, 26, 25)
    assert state.bids == (4, 2, 3)
    assert state.highest_bid == 4


def test_bid_must_be_above_the_highest() -> None:
    state, _ = play(start(), Bid(5))
    for amount in (5, 3, 0, -1):
        with pytest.raises(IllegalAction, match=f"^bid {amount} is not above the standing 5$") as error:
            apply(state, 1, Bid(amount))
        assert error.value.code == "bid-too-low"
    assert legal_actions(state, 1) == (PASS, *map(Bid, range(6, 29)))


def test_bid_must_be_affordable_counting_what_stands() -> None:
    state, _ = play(start(), Bid(10), Bid(11), Bid(12))
    with pytest.raises(IllegalAction, match="^bid 29 is more than the 28 that seat A has$") as error:
        apply(state, 0, Bid(29))
    assert error.value.code == "bid-too-high"
    assert legal_actions(state, 0)[-1] == Bid(28)
    assert play(state, Bid(28))[0].coins[0] == 0


@pytest.mark.parametrize("name", ["iello-2020", "iello-2015", "classic"])
def test_lowest_opening_bid_is_one(name: str) -> None:
    state = start(name)
    assert legal_actions(state, 0)[:2] == (PASS, Bid(1))
    with pytest.raises(IllegalAction, match="^bid 0 is below the lowest opening bid, 1$"):
        apply(state, 0, Bid(0))


def test_manual_opens_at_zero_and_it_is_a_real_bid() -> None:
    state = start("manual", houses=(8, 20, 28))
    assert legal_actions(state, 0)[:2] == (PASS, Bid(0))
    with pytest.raises(IllegalAction, match="^bid -1 is below the lowest opening bid, 0$"):
        apply(state, 0, Bid(-1))
    state, _ = play(state, Bid(0))
    assert state.highest_bid == 0
    assert legal_actions(state, 1)[:2] == (PASS, Bid(1))
    with pytest.raises(IllegalAction, match="^bid 0 is not above the standing 0$"):
        apply(state, 1, Bid(0))
    # The manual's question: bid 0 and pass later takes the lowest and loses nothing; alone, it wins for nothing.
    lost, _ = play(state, Bid(1), PASS, PASS)
    assert lost.hands[2] == (8,)
    assert lost.coins[0] == 18
    won, events = play(state, PASS, PASS)
    assert AuctionWon(0, 28, 0) in events
    assert won.coins == (18, 18, 18)


def test_manual_seat_without_coins_may_open_at_zero() -> None:
    state, _ = play(start("manual", houses=(8, 20, 28)), Bid(18), PASS, PASS)
    assert state.coins[0] == 0
    assert state.to_act == {0}
    assert legal_actions(state, 0) == (PASS, Bid(0))
    state, _ = play(state, Bid(0), Bid(1), PASS)
    assert state.bids == (0, 1, None)
    assert legal_actions(state, 0) == (PASS,)


def test_pass_takes_the_lowest_house_and_half_the_bid_rounded_as_the_edition_says() -> None:
    for name, refunds in {"iello-2020": (0, 1, 1, 2, 2), "iello-2015": (1, 1, 2, 2, 3)}.items():
        for bid, refund in enumerate(refunds, start=1):
            state, events = play(start(name, houses=(8, 20, 28)), Bid(bid), Bid(6), PASS, PASS)
            assert Passed(0, 20, refund, bid - refund) in events
            assert state.coins[0] == 28 - bid + refund


def test_classic_and_manual_round_up() -> None:
    for name in ("classic", "manual"):
        _, events = play(start(name, houses=(8, 20, 28)), Bid(5), Bid(6), PASS, PASS)
        assert Passed(0, 20, refund=3, price=2) in events


def test_passing_at_once_costs_nothing_for_the_opener_too() -> None:
    state, events = play(start(houses=(8, 20, 28)), PASS)
    assert events == [Passed(0, 8, refund=0, price=0)]
    assert state.coins[0] == 28
    assert state.to_act == {1}


def test_everyone_passes_and_the_last_gets_the_highest_for_nothing() -> None:
    state, events = play(start(houses=(8, 20, 28)), PASS, PASS)
    assert events[:3] == [Passed(0, 8, 0, 0), Passed(1, 20, 0, 0), AuctionWon(2, 28, 0)]
    assert state.coins == (28, 28, 28)
    assert state.bids == (None, None, None)


def test_seat_that_passed_is_out_of_this_auction() -> None:
    state, _ = play(start(seats=4), PASS, Bid(1), Bid(2), Bid(3))
    assert state.to_act == {1}
    with pytest.raises(IllegalAction, match="^seat A has passed in this auction; it is the turn of seat B$") as error:
        apply(state, 0, Bid(9))
    assert error.value.code == "already-passed"
    assert legal_actions(state, 0) == ()


def test_seat_that_cannot_afford_a_bid_must_pass_and_is_asked() -> None:
    state, _ = play(start(), Bid(28), PASS, PASS)
    assert state.coins[0] == 0
    assert state.to_act == {0}
    assert legal_actions(state, 0) == (PASS,)
    with pytest.raises(IllegalAction, match="^bid 1 is more than the 0 that seat A has$"):
        apply(state, 0, Bid(1))


def test_last_seat_pays_its_whole_bid_and_is_not_asked() -> None:
    state, events = play(start(houses=(8, 20, 28)), Bid(7), PASS, PASS)
    assert AuctionWon(0, 28, 7) in events
    assert state.coins == (21, 28, 28)
    assert state.number == 2


def test_winner_of_the_highest_house_opens_the_next_auction() -> None:
    state, events = play(start(seats=4), PASS, Bid(1), PASS, PASS)
    assert events[-1] == Dealt(BUYING, 2, state.market, opener=1)
    assert state.to_act == {1}


def test_selling_starts_when_the_house_deck_is_empty() -> None:
    state = start(seats=6)
    for number in range(1, 6):
        assert (state.phase, state.number) == (BUYING, number)
        state, events = play(state, PASS, PASS, PASS, PASS, PASS)
    assert (state.phase, state.number, state.houses_left) == (SELLING, 1, 0)
    assert events[-1] == Dealt(SELLING, 1, state.market, opener=None)
    assert all(len(hand) == 5 for hand in state.hands)


def test_no_house_is_ever_left_over_in_the_manual() -> None:
    state = pass_all(start("manual", seats=4))
    assert sorted(house for hand in state.hands for house in hand) == sorted(state.decks.houses)


# --- Selling -------------------------------------------------------------------------------------------------


def test_example_of_a_sale() -> None:
    state, _ = play(
        start("iello-2015", houses=(8, 20, 28), cheques=(12, 0, 13)), Bid(1), Bid(2), Bid(3), Bid(4), PASS, PASS
    )
    state = pass_all(state)
    assert state.market == (0, 12, 13)
    assert state.to_act == {0, 1, 2}
    for seat, house in ((0, 28), (2, 20), (1, 8)):
        state, events = apply(state, seat, Sell(house))
    assert events[:2] == (HouseChosen(1, 8), SaleResolved(1, ((28,), (8,), (20,)), ((13,), (0,), (12,))))
    assert state.cheques == ((13,), (0,), (12,))
    assert not any(house in hand for house in (8, 20, 28) for hand in state.hands)


def test_nothing_is_revealed_before_all_have_chosen() -> None:
    state = pass_all(start())
    hands = state.hands
    state, events = apply(state, 1, Sell(hands[1][2]))
    assert events == (HouseChosen(1, hands[1][2]),)
    assert state.hands == hands
    assert state.to_act == {0, 2}
    assert state.choices == (None, hands[1][2], None)


def test_choice_may_be_changed_until_the_last_has_chosen() -> None:
    state = pass_all(start())
    low, high = state.hands[1][0], state.hands[1][-1]
    state, _ = apply(state, 1, Sell(low))
    assert legal_actions(state, 1) == tuple(map(Sell, state.hands[1]))
    state, events = apply(state, 1, Sell(high))
    assert events == (HouseChosen(1, high),)
    assert state.to_act == {0, 2}
    state, _ = apply(state, 0, Sell(state.hands[0][0]))
    state, events = apply(state, 2, Sell(state.hands[2][0]))
    resolved = events[1]
    assert isinstance(resolved, SaleResolved)
    assert resolved.houses[1] == (high,)
    assert low in state.hands[1]


def test_equal_cheques_are_interchangeable() -> None:
    state = pass_all(start(cheques=(5, 5, 9)))
    chosen = [state.hands[0][0], state.hands[1][1], state.hands[2][2]]
    for seat, house in enumerate(chosen):
        state, _ = apply(state, seat, Sell(house))
    ranked = sorted(range(3), key=lambda seat: chosen[seat])
    assert [state.cheques[seat] for seat in ranked] == [(5,), (5,), (9,)]


def test_only_a_house_in_hand_can_be_sold() -> None:
    state = pass_all(start())
    with pytest.raises(IllegalAction, match="^house 31 is not in the hand of seat A: ") as error:
        apply(state, 0, Sell(31))
    assert error.value.code == "house-not-held"
    with pytest.raises(IllegalAction, match="is not in the hand of seat A"):
        apply(state, 0, Sell(state.hands[1][0]))


def test_last_sale_leaves_one_legal_action_each() -> None:
    state = pass_all(start(seats=4))
    while state.number < 7:
        seat = min(state.to_act)
        state, _ = apply(state, seat, Sell(state.hands[seat][0]))
    assert [len(legal_actions(state, seat)) for seat in range(4)] == [1, 1, 1, 1]
    assert state.to_act == {0, 1, 2, 3}
    assert state.cheques_left == 0


# --- The end -------------------------------------------------------------------------------------------------


def test_score_is_cheques_and_coins_left() -> None:
    state, _ = play(start(), Bid(3), PASS, PASS)
    state = sell_lowest(pass_all(state))
    end = outcome(state)
    assert end is not None
    assert end.scores == tuple(coins + sum(taken) for coins, taken in zip(state.coins, state.cheques, strict=True))
    assert end.coins == state.coins == (25, 28, 28)
    assert state.history[-1] == GameEnded(end)
    assert state.phase is OVER
    assert state.to_act == frozenset()
    assert (state.houses_left, state.cheques_left, state.market) == (0, 0, ())
    assert [legal_actions(state, seat) for seat in range(3)] == [(), (), ()]


def final(coins: tuple[int, ...], sums: tuple[int, ...]) -> Outcome:
    """The outcome of a finished game with these purses and cheques."""
    over = sell_lowest(pass_all(start(seats=len(coins))))
    end = outcome(over._replace(coins=coins, cheques=tuple((total,) for total in sums)))
    assert end is not None
    return end


def test_highest_score_wins() -> None:
    end = final(coins=(0, 5, 2), sums=(40, 30, 41))
    assert (end.scores, end.places, end.winners) == ((40, 35, 43), (2, 3, 1), (2,))


def test_coins_break_a_tie() -> None:
    end = final(coins=(1, 5, 2), sums=(39, 35, 38))
    assert (end.scores, end.places, end.winners) == ((40, 40, 40), (3, 1, 2), (1,))


def test_still_tied_seats_share_the_victory() -> None:
    end = final(coins=(5, 5, 2, 5), sums=(35, 35, 38, 34))
    assert (end.places, end.winners) == ((1, 1, 3, 4), (0, 1))


def test_ties_below_the_winner_share_a_place_too() -> None:
    end = final(coins=(1, 1, 9, 1), sums=(10, 10, 40, 10))
    assert (end.places, end.winners) == ((2, 2, 1, 2), (2,))


def test_all_may_share_the_victory() -> None:
    end = final(coins=(4, 4, 4), sums=(30, 30, 30))
    assert (end.places, end.winners) == ((1, 1, 1), (0, 1, 2))


def test_nothing_can_be_played_after_the_end() -> None:
    over = sell_lowest(pass_all(start()))
    for action in (PASS, Bid(1), Sell(1)):
        with pytest.raises(IllegalAction, match="^the game is over$") as error:
            apply(over, 0, action)
        assert error.value.code == "game-over"


# --- Variant: not enough for everyone --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["iello-2015", "iello-2020"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_scarce_auction_has_one_house_fewer_than_seats(name: str, seats: int) -> None:
    assert len(start(name, seats, variant="scarce").market) == seats - 1


def test_scarce_first_to_pass_takes_back_all_and_gets_nothing() -> None:
    state = start(houses=(8, 20), variant="scarce")
    state, events = play(state, Bid(5), Bid(6), Bid(7), PASS, PASS)
    assert events[3:6] == [Passed(0, None, refund=5, price=0), Passed(1, 8, refund=3, price=3), AuctionWon(2, 20, 7)]
    assert state.coins == (28, 25, 21)
    assert state.hands == ((), (8,), (20,))


def test_scarce_short_last_auction_of_iello_2015_with_five_seats() -> None:
    state = start("iello-2015", seats=5, variant="scarce")
    assert state.rules.deck_size == 27
    while state.number < 7:
        state, _ = play(state, PASS)
    assert len(state.market) == 3
    opener = min(state.to_act)
    state, events = play(state, Bid(1), Bid(2), Bid(3), Bid(4), Bid(5), PASS, PASS, PASS, PASS)
    seats = [(opener + turn) % 5 for turn in range(5)]
    passes = [event for event in events if isinstance(event, Passed)]
    assert [(event.seat, event.refund) for event in passes] == list(zip(seats[:4], (1, 2, 2, 2), strict=True))
    assert [event.house is None for event in passes] == [True, True, False, False]
    assert state.phase is SELLING


def auction(state: State, first_out: int, second_out: int) -> State:
    """One auction of three seats in which these pass, in this order; all others bid one more as long as they must."""
    number = state.number
    while state.phase is BUYING and state.number == number:
        seat = min(state.to_act)
        waits = first_out in state.bidders and seat != first_out
        bids = waits or seat not in (first_out, second_out)
        state, _ = apply(state, seat, Bid((state.highest_bid or 0) + 1) if bids else PASS)
    return state


def test_scarce_sale_has_as_many_cheques_as_seats_with_houses() -> None:
    state = start(first=2, variant="scarce")
    while state.phase is BUYING:
        state = auction(state, first_out=0, second_out=1)
    assert [len(hand) for hand in state.hands] == [0, 10, 10]
    assert len(state.market) == 2
    assert state.to_act == {1, 2}
    assert legal_actions(state, 0) == ()
    with pytest.raises(IllegalAction, match="^seat A has no house to sell$") as error:
        apply(state, 0, Sell(1))
    assert error.value.code == "nothing-to-sell"


def test_scarce_seat_that_has_sold_all_its_houses_is_finished() -> None:
    state = start(first=2, variant="scarce")
    for _ in range(9):
        state = auction(state, first_out=0, second_out=1)
    state = auction(state, first_out=1, second_out=0)
    assert [len(hand) for hand in state.hands] == [1, 9, 10]
    state, _ = play(state, *(Sell(hand[0]) for hand in state.hands))
    assert state.to_act == {1, 2}
    assert len(state.market) == 2
    assert len(state.cheques[0]) == 1
    end = outcome(sell_lowest(state))
    assert end is not None
    assert end.scores[0] == state.coins[0] + state.cheques[0][0]


def test_scarce_last_holder_takes_all_cheques_left_unasked() -> None:
    state = start(first=2, variant="scarce")
    for _ in range(5):
        state = auction(auction(state, first_out=0, second_out=1), first_out=1, second_out=0)
    assert [len(hand) for hand in state.hands] == [5, 5, 10]
    while state.number < 5:
        state, _ = play(state, *(Sell(hand[0]) for hand in state.hands))
    kept = state.hands[2][1:]
    state, events = play(state, *(Sell(hand[0]) for hand in state.hands))
    dealt, resolved, ended = events[-3:]
    rest = tuple(sorted(state.decks.cheques[15:]))
    assert dealt == Dealt(SELLING, 6, rest, opener=None)
    assert resolved == SaleResolved(6, ((), (), kept), ((), (), rest))
    assert isinstance(ended, GameEnded)
    assert state.hands == ((), (), ())
    assert [len(taken) for taken in state.cheques] == [5, 5, 10]


# --- What is refused -------------------------------------------------------------------------------------------


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    state = start()
    with pytest.raises(IllegalAction, match="^it is the turn of seat A, not of seat C$") as error:
        apply(state, 2, Bid(1))
    assert error.value.code == "not-your-turn"


@pytest.mark.parametrize("seat", [-1, 3, True, "A", None, 1.0])
def test_no_such_seat(seat: object) -> None:
    for state in (start(), pass_all(start())):
        with pytest.raises(IllegalAction, match="^there is no seat .*, only A to C$") as error:
            apply(state, seat, PASS)  # type: ignore[arg-type]
        assert error.value.code == "no-such-seat"


@pytest.mark.parametrize("seat", [-1, 3])
def test_no_such_seat_has_no_legal_actions(seat: int) -> None:
    assert legal_actions(start(), seat) == legal_actions(pass_all(start()), seat) == ()


def test_actions_belong_to_their_phase() -> None:
    with pytest.raises(IllegalAction, match="^the game is buying: seat A can bid or pass$") as error:
        apply(start(), 0, Sell(8))
    assert error.value.code == "wrong-phase"
    for action in (PASS, Bid(1)):
        with pytest.raises(IllegalAction, match="^the game is selling: seat A can choose a house to sell$"):
            apply(pass_all(start()), 0, action)


@pytest.mark.parametrize("action", [None, "pass", 3, ("bid", 3), Bid])
def test_what_is_not_an_action_is_refused(action: object) -> None:
    for state in (start(), pass_all(start())):
        with pytest.raises(IllegalAction, match="^expected a Bid, a Pass or a Sell, got ") as error:
            apply(state, 0, action)  # type: ignore[arg-type]
        assert error.value.code == "no-such-action"


@pytest.mark.parametrize("amount", [1.5, "3", None, True])
def test_bid_is_a_whole_number_of_coins(amount: object) -> None:
    with pytest.raises(IllegalAction, match="^a bid is a whole number of coins, not ") as error:
        apply(start(), 0, Bid(amount))  # type: ignore[arg-type]
    assert error.value.code == "no-such-action"


@pytest.mark.parametrize("house", [1.0, "8", None, True])
def test_house_is_a_whole_number(house: object) -> None:
    state = pass_all(start())
    with pytest.raises(IllegalAction, match="is not in the hand of seat A"):
        apply(state, 0, Sell(house))  # type: ignore[arg-type]


def test_a_refused_action_changes_nothing() -> None:
    state, _ = play(start(), Bid(5))
    before = state._replace()
    with pytest.raises(IllegalAction):
        apply(state, 1, Bid(5))
    assert state == before


def test_states_and_events_cannot_be_changed() -> None:
    state = start()
    for thing, field in ((state, "coins"), (state.history[0], "market"), (state.rules, "coins"), (Bid(1), "amount")):
        with pytest.raises(AttributeError):
            setattr(thing, field, 0)
    assert hash(state) == hash(start())


def test_large_purses_of_an_own_edition_list_every_bid() -> None:
    state = start()._replace(coins=(500, 28, 28))
    assert legal_actions(state, 0) == (PASS, *map(Bid, range(1, 501)))


def test_seats_are_named_by_letters() -> None:
    assert [seat_letter(seat) for seat in range(6)] == list("ABCDEF")


# --- Decks of which only a part is known -------------------------------------------------------------------------


def partial(houses: tuple[int, ...], cheques: tuple[int, ...] = ()) -> State:
    return new_game(editions.load("iello-2020"), 3, Decks(houses, cheques, partial=True), first=1)


def test_partial_decks_play_as_far_as_they_are_known() -> None:
    state = partial((8, 20, 28))
    assert state.to_act == {1}
    state, events = play(state, PASS, PASS)
    assert not any(isinstance(event, Dealt) for event in events)
    assert (state.phase, state.number, state.market, state.to_act) == (BUYING, 2, (), frozenset())
    assert (state.highest_bid, state.houses_left) == (None, 27)
    assert legal_actions(state, 0) == ()
    with pytest.raises(IllegalAction, match="^the next houses are not known, so nobody can act$") as error:
        apply(state, 0, PASS)
    assert error.value.code == "market-unknown"


def test_partial_decks_without_a_cheque_stop_before_the_first_sale() -> None:
    state = pass_all(partial(tuple(range(1, 31))))
    assert (state.phase, state.number, state.market, state.to_act) == (SELLING, 1, (), frozenset())
    assert legal_actions(state, 0) == ()
    with pytest.raises(IllegalAction, match="^the next cheques are not known, so nobody can act$"):
        apply(state, 0, Sell(state.hands[0][0]))


def test_partial_decks_must_still_fit_the_box() -> None:
    with pytest.raises(DecksError, match="houses: 8 is not in the box, or not so often"):
        partial((8, 8))
    with pytest.raises(DecksError, match="cheques: expected 30 to draw"):
        partial((), tuple(range(31)))
