"""Bots: legal in every position, the same for the same seed, and blind to what their seat may not know."""

import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest

from forsale import arena, bots, editions, view
from forsale.bots import Bot, BotError
from forsale.bots.scripted.remembering import row_of
from forsale.game import BUYING, SELLING, Bid, Dealt, Pass, Sell, State, apply, legal_actions, outcome
from forsale.scalar import layout
from tests.games import COMBOS, Combo, combo_game, start

QUICK = ("lodger", "landlord", "broker", "developer", "random")
"""One of each make; those that think longer have tests of their own, and so has the policy of the personalities."""
FOUR = Combo("iello-2020", 4, None)
FORGETFUL = ("lodger", "landlord")


@pytest.mark.parametrize("name", QUICK)
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


@pytest.mark.parametrize("name", QUICK)
def test_same_view_and_same_chance_give_the_same_choice(name: str) -> None:
    game = combo_game(Combo("iello-2015", 5, "scarce"), seed=3)
    for turns in range(0, len(game.turns), 5):
        state = game.after(turns)
        seat = min(state.to_act)
        seen, legal = view.of(state, seat), legal_actions(state, seat)
        choices = {bots.make(name).choose(seen, legal, Random(8)) for _ in range(3)}
        assert len(choices) == 1


@pytest.mark.parametrize("name", [name for name in QUICK if name not in FORGETFUL])
def test_a_tracker_tells_a_perfect_memory_nothing_new(name: str) -> None:
    game = combo_game(Combo("manual", 4, None), seed=5)
    for turns in range(0, len(game.turns), 4):
        state = game.after(turns)
        seat = min(state.to_act)
        legal = legal_actions(state, seat)
        choices = {bots.make(name).choose(view.of(state, seat, tracker), legal, Random(8)) for tracker in (True, False)}
        assert len(choices) == 1


def test_registry_knows_its_bots_by_name() -> None:
    assert bots.names()[:6] == bots.LEVELS
    assert bots.LEVELS == ("lodger", "landlord", "broker", "developer", "champion", "champion-200ms")
    for name in bots.names():
        entry = bots.find(name)
        assert entry.name == name
        assert entry.character.endswith(".")
    with pytest.raises(BotError, match="^expected a bot among lodger, .*, random, .*, got 'kasparov'$"):
        bots.make("kasparov")


def test_without_numba_all_others_are_there() -> None:
    """In a process in which it cannot be imported."""
    code = (
        "import sys; sys.modules['numba'] = None; from forsale import bots\n"
        "print(*bots.LEVELS); print(*bots.names())\n"
        "try: bots.make('planner-1s')\n"
        "except bots.BotError as error: print(error)\n"
        "print(*(found for found in bots.registered() if isinstance(found, bots.BotError)), sep='; ')"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    levels, names, refused, unusable = printed.splitlines()
    assert levels == "lodger landlord broker developer champion"
    assert "planner-50ms" not in names
    assert "tycoon" in names
    assert refused == "the bot 'planner-1s' needs numba: pip install 'forsale[fast]'"
    assert [sentence.split("'")[1] for sentence in unusable.split("; ")] == [
        "champion-200ms",
        "champion-50ms",
        "champion-1s",
        "planner-50ms",
        "planner-200ms",
        "planner-1s",
    ]


# --- Levels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(["random", *bots.LEVELS[:-1]])))
def test_each_level_is_clearly_stronger_than_the_one_before(weaker: str, stronger: str) -> None:
    """The last one thinks by the clock; test_searcher.py has it, by worlds."""
    contest = arena.Contest((weaker, stronger), deals=32)
    better, worse = arena.summarise(contest, arena.play(contest)).standings
    assert (better.bot, worse.bot) == (stronger, weaker)
    assert better.win_share.low is not None
    assert worse.win_share.high is not None
    assert better.win_share.low > 0.25 > worse.win_share.high


def late_sale() -> State:
    """The third sale of a game, A to act."""
    played = combo_game(FOUR, seed=3)
    state = played.start
    for turn, action in played.turns:
        if state.phase is SELLING and state.number == 3:
            return state
        state, _ = apply(state, turn, action)
    raise AssertionError


def test_what_is_forgotten_is_what_is_long_ago() -> None:
    seen = view.of(late_sale(), 0)
    masks = [row_of(seen, rounds)[layout.CHEQUES_SEEN].bit_count() for rounds in (0, 1, 2, 3, None)]
    assert masks == [4, 8, 12, 12, 12]
    hands = [row_of(seen, rounds)[layout.HANDS : layout.HANDS + 4] for rounds in (0, 2, 3, 6, None)]
    none, none_yet, of_the_last_auction, of_four_auctions, everyones = (
        sum(hand.bit_count() for hand in known) for known in hands
    )
    assert none == none_yet == 5 < of_the_last_auction <= 5 + 3 < of_four_auctions <= 5 + 12 < everyones == 4 * 5
    assert len({known[0] for known in hands}) == 1, "one's own hand is not forgotten"


@pytest.mark.parametrize("rounds", [0, 2])
def test_with_a_tracker_nobody_forgets(rounds: int) -> None:
    state = late_sale()
    for seat in range(4):
        known = row_of(view.of(state, seat))
        assert row_of(view.of(state, seat, tracker=True), rounds) == known
        assert row_of(view.of(state, seat), rounds) != known


@pytest.mark.parametrize("name", FORGETFUL)
def test_weaker_levels_forget_without_a_tracker(name: str) -> None:
    """What they do with the same chance is sometimes something else, because they do not know what has gone by."""
    different = 0
    for seed in range(40):
        played = combo_game(FOUR, seed)
        for turns in range(len(played.turns)):
            state = played.after(turns)
            if state.phase is SELLING and state.number > 3:
                seat = min(state.to_act)
                different += len({choice_of(name, state, seat, tracker, seed) for tracker in (True, False)}) - 1
    assert different > 0


def choice_of(name: str, state: State, seat: int, tracker: bool, chance: int) -> object:
    return bots.make(name).choose(view.of(state, seat, tracker), legal_actions(state, seat), Random(chance))


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
