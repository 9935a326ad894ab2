"""Bots: legal in every position, the same for the same seed, and blind to what their seat may not know."""

from random import Random

import pytest

from forsale import bots, editions, view
from forsale.bots import Bot, BotError
from forsale.game import BUYING, SELLING, Bid, Dealt, Pass, Sell, State, apply, legal_actions, outcome
from tests.games import COMBOS, Combo, combo_game, start


@pytest.mark.parametrize("name", bots.names())
@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_choice_is_legal_in_every_position(name: str, combo: Combo) -> None:
    bot = bots.make(name)
    game = combo_game(combo, seed=11)
    state = game.start
    for turn, action in game.turns:
        for seat in state.to_act:
            legal = legal_actions(state, seat)
            assert bot.choose(view.of(state, seat), legal, Random(0)) in legal
        state, _ = apply(state, turn, action)


@pytest.mark.parametrize("name", bots.names())
def test_same_view_and_same_chance_give_the_same_choice(name: str) -> None:
    game = combo_game(Combo("iello-2015", 5, "scarce"), seed=3)
    for turns in range(0, len(game.turns), 5):
        state = game.after(turns)
        seat = min(state.to_act)
        seen, legal = view.of(state, seat), legal_actions(state, seat)
        choices = {bots.make(name).choose(seen, legal, Random(8)) for _ in range(3)}
        assert len(choices) == 1


@pytest.mark.parametrize("name", bots.names())
def test_a_tracker_tells_a_perfect_memory_nothing_new(name: str) -> None:
    game = combo_game(Combo("manual", 4, None), seed=5)
    for turns in range(0, len(game.turns), 4):
        state = game.after(turns)
        seat = min(state.to_act)
        legal = legal_actions(state, seat)
        choices = {bots.make(name).choose(view.of(state, seat, tracker), legal, Random(8)) for tracker in (True, False)}
        assert len(choices) == 1


def test_registry_knows_its_bots_by_name() -> None:
    assert bots.names()[0] == "random"
    for name in bots.names():
        entry = bots.find(name)
        assert entry.name == name
        assert entry.character.endswith(".")
    with pytest.raises(BotError, match="expected a bot among random, broker, got 'kasparov'"):
        bots.make("kasparov")


# --- broker ------------------------------------------------------------------------------------------------------


def choose(bot: Bot, state: State, seat: int) -> object:
    return bot.choose(view.of(state, seat), legal_actions(state, seat), Random(0))


def auction(market: tuple[int, ...], coins: int = 21, number: int = 1) -> State:
    """An auction of four seats with this market, A to act."""
    state = start(editions.load("iello-2020"), 4, None, Random(1))
    return state._replace(market=market, bidders=(0, 1, 2, 3), coins=(coins,) * 4, number=number)


def test_broker_lets_a_flat_market_go() -> None:
    assert choose(bots.make("broker"), auction((11, 12, 12, 12)), 0) == Pass()


def test_broker_bids_on_a_wide_market_in_small_steps() -> None:
    state = auction((1, 12, 21, 30))
    choice = choose(bots.make("broker"), state, 0)
    assert isinstance(choice, Bid)
    assert choice.amount <= 2


def test_broker_never_bids_more_than_the_better_house_is_worth() -> None:
    """With a fortune left in the last auction, it still stops where the highest house brings no more."""
    state = auction((20, 21, 22, 24), number=7)
    spread = state.rules.cheques[23] - state.rules.cheques[19]
    bid = 0
    while True:
        choice = choose(bots.make("broker"), state._replace(bids=(None, None, None, bid)) if bid else state, 0)
        if not isinstance(choice, Bid):
            break
        bid = choice.amount
    assert bid <= spread


def test_broker_keeps_its_best_houses_for_the_best_cheques() -> None:
    """On cheques far above what is left to come it sells a high house, on those far below a low one."""
    game = combo_game(Combo("iello-2020", 4, None), seed=9)
    state = game.start
    turns = iter(game.turns)
    while state.phase is BUYING:
        state, _ = apply(state, *next(turns))
    for seat, hand in enumerate(state.hands):
        rich, poor = (
            state._replace(market=market, history=(*state.history[:-1], Dealt(SELLING, 1, market, None)))
            for market in ((0, 4, 15, 15), (0, 0, 2, 2))
        )
        high, low = choose(bots.make("broker"), rich, seat), choose(bots.make("broker"), poor, seat)
        assert isinstance(high, Sell)
        assert isinstance(low, Sell)
        assert hand.index(low.house) < hand.index(high.house)


def test_broker_wins_against_chance() -> None:
    wins = 0.0
    for seed in range(40):
        rng = Random(seed)
        state = start(editions.load("iello-2015"), 4, None, rng)
        seated = [bots.make("broker" if seat == seed % 4 else "random") for seat in range(4)]
        while state.to_act:
            for seat in sorted(state.to_act):
                choice = seated[seat].choose(view.of(state, seat), legal_actions(state, seat), rng)
                state, _ = apply(state, seat, choice)
        end = outcome(state)
        assert end is not None
        wins += (seed % 4 in end.winners) / len(end.winners)
    assert wins > 32
