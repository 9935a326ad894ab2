"""Two implementations compared after every single action: `forsale.game`, and one written from the rules alone."""

import os
from random import Random

import pytest

from forsale import editions, shuffle
from forsale.game import BUYING, OVER, Action, Bid, Pass, Sell, State, apply, legal_actions, new_game, outcome
from tests.games import COMBOS
from tests.reference import Reference

GAMES = 100
"""For each edition, number of seats and variant, in `make test`."""


def reference_for(state: State, first: int) -> Reference:
    return Reference(
        seats=state.rules.seats,
        coins=state.rules.coins,
        short=state.rules.short,
        refund_up=state.rules.refund == "up",
        lowest_bid=state.rules.lowest_bid,
        house_deck=list(state.decks.houses),
        cheque_deck=list(state.decks.cheques),
        first=first,
    )


def to_reference(action: Action) -> tuple[str, int]:
    match action:
        case Bid(amount):
            return "bid", amount
        case Sell(house):
            return "sell", house
        case Pass():
            return "pass", 0


def assert_same(state: State, other: Reference) -> None:
    assert state.phase.value == other.phase
    assert state.to_act == other.waiting()
    assert list(state.market) == other.market
    assert list(state.coins) == other.coins
    assert list(state.bids) == other.bids
    assert [list(hand) for hand in state.hands] == other.hands
    assert [sorted(taken) for taken in state.cheques] == [sorted(taken) for taken in other.cheques]
    assert list(state.choices) == other.choices
    assert state.houses_left == len(other.house_deck)
    assert state.cheques_left == len(other.cheque_deck)
    for seat in range(state.rules.seats):
        assert sorted(map(to_reference, legal_actions(state, seat))) == other.legal(seat)
    if state.phase is BUYING:
        assert [seat not in state.bidders for seat in range(state.rules.seats)] == other.out


def compare_one_game(name: str, seats: int, variant: str | None, rng: Random) -> None:
    edition = editions.load(name)
    first = rng.randrange(seats)
    state = new_game(edition, seats, shuffle.deal(edition, seats, rng, variant), first, variant)
    other = reference_for(state, first)
    careful = rng.random()  # from wild jumps to long auctions of small raises
    assert_same(state, other)
    while state.phase is not OVER:
        # In a sale any seat that holds houses may act, also one that only changes its choice.
        able = [seat for seat in range(seats) if legal_actions(state, seat)]
        seat = rng.choice(sorted(state.to_act)) if rng.random() < 0.8 else rng.choice(able)
        legal = legal_actions(state, seat)
        action = legal[1] if len(legal) > 1 and rng.random() < careful else rng.choice(legal)
        state, _ = apply(state, seat, action)
        other.play(seat, *to_reference(action))
        assert_same(state, other)
    end = outcome(state)
    assert end is not None
    assert list(end.scores) == other.scores()
    assert list(end.places) == other.places()
    assert list(end.winners) == other.winners()


@pytest.mark.parametrize(("name", "seats", "variant"), COMBOS)
def test_engine_and_reference_agree_after_every_action(name: str, seats: int, variant: str | None) -> None:
    for game in range(GAMES):
        compare_one_game(name, seats, variant, Random(f"{name} {seats} {variant} {game}"))


@pytest.mark.fuzz
@pytest.mark.parametrize(("name", "seats", "variant"), COMBOS)
def test_engine_and_reference_agree_for_long(name: str, seats: int, variant: str | None) -> None:
    seed = Random().randrange(2**64)
    for game in range(int(os.environ.get("FUZZ_GAMES", "1000"))):
        key = f"{seed} {game}"
        try:
            compare_one_game(name, seats, variant, Random(key))
        except AssertionError as error:
            raise AssertionError(f"seed {key!r}") from error
