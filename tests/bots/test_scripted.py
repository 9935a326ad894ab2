"""Scripted bots: the same at a table and in the kernel, legal everywhere, and each trait does what it says."""

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest

from forsale import kernel, view
from forsale.bots.scripted import PERSONALITIES, Scripted, Selling, Traits, draw
from forsale.bots.scripted.policy import scripted as policy
from forsale.encoding import HOUSE, to_index
from forsale.game import BUYING, SELLING, Bid, Decks, Pass, Sell, State, apply, legal_actions
from forsale.kernel.compiling import compiled
from forsale.scalar import layout
from forsale.scalar.rows import position_of, rules_row
from tests.games import COMBOS, Combo, combo_game
from tests.test_docs import tables

FOUR = Combo("iello-2020", 4, None)
EVERYONE = [*(personality.traits for personality in PERSONALITIES.values()), *(draw(Random(n)) for n in range(12))]


def numbers(line_up: Sequence[Traits]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.array([[float(number) for number in traits] for traits in line_up], np.float32)


def turns(combo: Combo, seed: int) -> Iterator[tuple[State, int]]:
    """Positions of a game, with a seat that is to act."""
    played = combo_game(combo, seed)
    state = played.start
    for seat, action in played.turns:
        yield from ((state, other) for other in state.to_act)
        state, _ = apply(state, seat, action)


def chosen(traits: Traits, state: State, seat: int, chance: int = 1) -> Bid | Pass | Sell:
    return Scripted(traits).choose(view.of(state, seat), legal_actions(state, seat), Random(chance))


# --- At a table and in the kernel ------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_choice_is_legal_and_the_same_in_the_kernel(combo: Combo) -> None:
    """The compiled policy, given the same row and the same chance, does what the bot does at a table."""
    fast = compiled(policy)
    for number, (state, seat) in enumerate(turns(combo, seed=8)):
        traits = EVERYONE[number % len(EVERYONE)]
        action = chosen(traits, state, seat, chance=number)
        row = position_of(view.of(state, seat)).row
        row[layout.TO_ACT] = seat
        index = fast(row, rules_row(state.rules), numbers([traits])[0], np.uint64(Random(number).getrandbits(64)))
        assert index == to_index(action)


@pytest.mark.parametrize("combo", COMBOS[::3], ids=str)
def test_thousands_of_different_ones_play_whole_games_in_the_kernel(combo: Combo) -> None:
    rng = Random(1)
    parameters = numbers([draw(rng) for _ in range(500 * combo.seats)]).reshape(500, combo.seats, -1)
    batch = kernel.create(combo.edition, combo.seats, 500, combo.variant, seed=2)
    ended = 0
    for _ in range(40):
        batch.advance(np.zeros(500, np.int64), policy, parameters)
        ended += int(batch.done.sum())
        batch.step(batch.legal_mask().argmax(axis=1))
    assert ended > 500


def test_drawn_ones_differ_and_are_the_same_for_the_same_chance() -> None:
    assert len({draw(Random(n)) for n in range(1000)}) == 1000
    assert draw(Random(3)) == draw(Random(3))
    assert {Selling(int(draw(Random(n)).selling)) for n in range(200)} == set(Selling)


def test_nothing_secret_changes_a_choice() -> None:
    """Other decks and other secret choices, the same bids and houses."""
    rng = Random(2)
    for number, (state, seat) in enumerate(turns(FOUR, seed=3)):
        decks = state.decks
        houses, cheques = list(decks.houses), list(decks.cheques)
        drawn = (state.rules.deck_size - state.houses_left, state.rules.deck_size - state.cheques_left)
        for deck, start in ((houses, drawn[0]), (cheques, drawn[1])):
            rest = deck[start:]
            rng.shuffle(rest)
            deck[start:] = rest
        other = state._replace(decks=Decks(tuple(houses), tuple(cheques), decks.removed_houses, decks.removed_cheques))
        for traits in EVERYONE:
            assert chosen(traits, state, seat, number) == chosen(traits, other, seat, number)


# --- Buying ----------------------------------------------------------------------------------------------------------


def auctions(seed: int = 4) -> list[tuple[State, int]]:
    return [(state, seat) for state, seat in turns(FOUR, seed) if state.phase is BUYING]


def bid_of(action: object) -> int | None:
    return action.amount if isinstance(action, Bid) else None


def test_without_traits_it_always_passes() -> None:
    assert all(chosen(Traits(), state, seat) == Pass() for state, seat in auctions())


@pytest.mark.parametrize("cap", [1, 3, 8])
def test_a_cap_is_never_passed_and_always_used(cap: int) -> None:
    for state, seat in auctions():
        bids = [action.amount for action in legal_actions(state, seat) if isinstance(action, Bid)]
        expected = bids[0] if bids and bids[0] <= cap else None
        assert bid_of(chosen(Traits(cap=cap), state, seat)) == expected


def test_a_part_of_the_purse_is_the_limit() -> None:
    for state, seat in auctions():
        purse = state.coins[seat] + (state.bids[seat] or 0)
        bid = bid_of(chosen(Traits(of_purse=0.25), state, seat))
        assert bid is None or bid <= purse * 0.25
        least = (state.highest_bid or 0) + 1
        assert (bid is None) == (least > purse * 0.25)


def test_most_holds_whatever_the_rest_says() -> None:
    for state, seat in auctions():
        purse = state.coins[seat] + (state.bids[seat] or 0)
        bid = bid_of(chosen(Traits(cap=50, most=0.3, jump=1, leap=1), state, seat))
        assert bid is None or bid <= purse * 0.3


def test_a_wide_market_is_worth_more() -> None:
    """The same purse and number of the auction: only the houses differ."""
    narrow, wide = 0, 0
    for state, seat in auctions(seed=5) + auctions(seed=6):
        if len(state.bidders) == 4 and state.highest_bid is None and state.number == 1:
            traits = Traits(of_purse_by_spread=1.0, jump=1, leap=1)
            bid = bid_of(chosen(traits, state, seat)) or 0
            spread = state.market[-1] - state.market[0]
            assert bid <= spread / 29 * state.coins[seat] + 1e-4
            narrow, wide = (narrow + 1, wide) if spread < 20 else (narrow, wide + 1)
    assert narrow + wide > 0


def test_content_with_a_good_house_it_passes() -> None:
    for state, seat in auctions():
        bid = bid_of(chosen(Traits(cap=99, content=15), state, seat))
        assert (bid is None) == (
            state.market[0] >= 15 or not any(isinstance(a, Bid) for a in legal_actions(state, seat))
        )


def test_thrift_avoids_bids_that_lose_half_a_coin() -> None:
    for edition, wasteful in (("iello-2020", 1), ("iello-2015", 0)):
        seen = 0
        for state, seat in [at for at in turns(Combo(edition, 4, None), 4) if at[0].phase is BUYING]:
            bid = bid_of(chosen(Traits(of_purse=0.9, thrift=1), state, seat))
            purse = state.coins[seat] + (state.bids[seat] or 0)
            if bid is not None and bid + 1 <= purse * 0.9:
                assert bid % 2 != wasteful
                seen += 1
        assert seen > 5


def test_a_jump_goes_as_far_as_the_leap() -> None:
    for state, seat in auctions():
        bid = bid_of(chosen(Traits(cap=10, jump=1, leap=0.5), state, seat))
        purse = state.coins[seat] + (state.bids[seat] or 0)
        least = (state.highest_bid or 0) + 1
        limit = min(10, purse)
        assert bid == (None if least > limit else least + int((limit - least) * 0.5))


def test_in_the_last_auction_coins_are_for_spending() -> None:
    for state, seat in auctions():
        bid = bid_of(chosen(Traits(last=1), state, seat))
        last = state.number == state.rules.auctions
        assert (bid is not None) == (last and any(isinstance(a, Bid) for a in legal_actions(state, seat)))


def test_noise_wavers_around_the_limit() -> None:
    state, seat = auctions()[0]
    bids = {bid_of(chosen(Traits(cap=8, noise=0.5, jump=1, leap=1), state, seat, chance)) for chance in range(200)}
    assert bids == set(range(4, 12))


def test_it_stays_only_while_the_next_house_up_is_worth_it() -> None:
    passed = stayed = 0
    for state, seat in auctions(4) + auctions(5):
        bids = [action.amount for action in legal_actions(state, seat) if isinstance(action, Bid)]
        if not bids or len(state.market) < 2:
            continue
        standing = state.bids[seat] or 0
        costs = (bids[0] - bids[0] // 2) - (standing - standing // 2)
        worth = 0.3 * (state.market[1] - state.market[0])
        assert (chosen(Traits(cap=99, gap=0.3), state, seat) == Pass()) == (costs > worth)
        passed, stayed = passed + (costs > worth), stayed + (costs <= worth)
    assert min(passed, stayed) > 3


# --- Selling ---------------------------------------------------------------------------------------------------------


def sales(seed: int = 4) -> list[tuple[State, int]]:
    return [(state, seat) for state, seat in turns(FOUR, seed) if state.phase is SELLING]


def sold(traits: Traits, state: State, seat: int, chance: int = 1) -> int:
    action = chosen(traits, state, seat, chance)
    assert isinstance(action, Sell)
    return action.house


def test_the_lowest_the_highest_or_any() -> None:
    for state, seat in sales():
        assert sold(Traits(selling=Selling.LOWEST), state, seat) == min(state.hands[seat])
        assert sold(Traits(selling=Selling.HIGHEST), state, seat) == max(state.hands[seat])
    state, seat = sales()[0]
    assert {sold(Traits(), state, seat, chance) for chance in range(200)} == set(state.hands[seat])
    assert {sold(Traits(selling=Selling.LOWEST, whim=1), state, seat, n) for n in range(200)} == set(state.hands[seat])


def test_the_highest_where_a_cheque_is_void() -> None:
    both = set()
    for state, seat in sales():
        void = min(state.market) == 0
        house = sold(Traits(selling=Selling.SMALLEST, at=0), state, seat)
        assert house == (max if void else min)(state.hands[seat])
        both.add(void)
    assert both == {False, True}


@pytest.mark.parametrize("way", [Selling.MEAN, Selling.RANK, Selling.TIERS])
def test_better_cheques_never_bring_out_a_worse_house(way: Selling) -> None:
    """The same hand and the same cheques left: another market."""
    state, seat = sales()[0]
    unseen = sorted(state.decks.cheques)
    poor = state._replace(market=tuple(unseen[:4]), decks=_with_market(state, unseen[:4]))
    rich = state._replace(market=tuple(unseen[-4:]), decks=_with_market(state, unseen[-4:]))
    middle = state._replace(market=tuple(unseen[12:16]), decks=_with_market(state, unseen[12:16]))
    houses = [_sold_on(Traits(selling=way, at=1.5), one) for one in (poor, middle, rich)]
    assert houses == sorted(houses)
    assert houses[0] == min(state.hands[seat])
    assert houses[-1] == max(state.hands[seat])


def _with_market(state: State, market: list[int]) -> Decks:
    rest = list(state.decks.cheques)
    for cheque in market:
        rest.remove(cheque)
    return Decks(state.decks.houses, (*market, *rest), state.decks.removed_houses, state.decks.removed_cheques)


def _sold_on(traits: Traits, state: State) -> int:
    """By the policy itself: the history of such a state still tells of the old market."""
    index = policy(position_of(state).row.tolist(), rules_row(state.rules).tolist(), traits, 1)
    return int(index) - HOUSE


def test_the_house_that_gains_most_goes_now() -> None:
    """Worked out again with numpy, from the view's own memory."""
    for state, seat in sales():
        memory = view.recall(view.of(state, seat))
        rivals = [hand for other, hand in enumerate(memory.hands) if other != seat and hand]
        gains = {}
        for house in memory.hands[seat]:
            rank = sum(sum(one < house for one in hand) / len(hand) for hand in rivals)
            later = (rank + 0.5) / (len(rivals) + 1) * len(memory.unseen_cheques) - 0.5
            gains[house] = np.interp(rank, range(len(state.market)), state.market) - np.interp(
                later, range(len(memory.unseen_cheques)), memory.unseen_cheques
            )
        house = sold(Traits(selling=Selling.GAIN), state, seat)
        assert gains[house] >= max(gains.values()) - 1e-6


def test_no_more_than_a_market_is_worth() -> None:
    for state, seat in auctions():
        bid = bid_of(chosen(Traits(cap=99, worth=12, jump=1, leap=1), state, seat))
        assert bid is None or bid <= 12 * (state.market[-1] - state.market[0]) / 29 + 1e-6


def test_wide_cheques_bring_out_a_better_house() -> None:
    state, seat = sales()[0]
    narrow = state._replace(market=(7, 7, 8, 8), decks=_with_market(state, [7, 7, 8, 8]))
    wide = state._replace(market=(0, 2, 14, 15), decks=_with_market(state, [0, 2, 14, 15]))
    traits = Traits(selling=Selling.SPREAD, at=2)
    assert _sold_on(traits, narrow) < _sold_on(traits, wide) == max(state.hands[seat])


# --- The page --------------------------------------------------------------------------------------------------------

PAGE = "docs/scripted.md"


def test_the_page_has_every_personality_trait_and_way_of_selling() -> None:
    (named,) = tables(PAGE, "name")
    assert named == [{"name": one.name, "character": one.character} for one in PERSONALITIES.values()]
    (traits,) = tables(PAGE, "trait")
    assert {row["trait"]: float(row["without it"]) for row in traits} == Traits()._asdict()
    (ways,) = tables(PAGE, "selling")
    assert [row["selling"] for row in ways] == [way.name for way in Selling]
