"""The searching champion: it sees where its actions lead, knows whom it plays with, uses no secret, and wins."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import astuple, replace
from math import sqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest

from benchmarks.prospects import Error
from benchmarks.search import HERO, contest, shares
from forsale import arena, bots, editions, game, shuffle, view
from forsale.bots import Bot
from forsale.bots.champion import Champion
from forsale.bots.champion.watching import Watching
from forsale.bots.planner.guessing import POOL
from forsale.bots.planner.watching import decisions
from forsale.bots.scripted import PERSONALITIES, Scripted
from forsale.bots.searcher import Searcher
from forsale.bots.searcher.one_core import _found, one_core
from forsale.bots.searcher.past import past_of
from forsale.bots.searcher.rivals import NET, chances
from forsale.encoding import EncodingError
from forsale.game import BUYING, SELLING, Bid, Pass, Sell, State, apply, legal_actions
from forsale.scalar.rows import rules_row
from tests.bots.test_champion import with_other_secrets
from tests.games import COMBOS, Combo, combo_game, play

FOUR = Combo("iello-2020", 4, None)


def positions(combo: Combo, seed: int, step: int) -> Iterator[tuple[State, int]]:
    """Some of a game in which a seat has a choice."""
    played = combo_game(combo, seed)
    for turns in range(0, len(played.turns), step):
        state = played.after(turns)
        yield from ((state, seat) for seat in state.to_act if len(legal_actions(state, seat)) > 1)


# --- Choosing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_every_choice_is_legal_and_the_same_for_the_same_chance(combo: Combo) -> None:
    bot = Searcher(worlds=2)
    for state, seat in positions(combo, seed=2, step=9):
        legal = legal_actions(state, seat)
        choice = bot.choose(view.of(state, seat), legal, Random(seat))
        assert choice in legal
        assert choice == Searcher(worlds=2).choose(view.of(state, seat, tracker=True), legal, Random(seat))


def test_nothing_secret_changes_what_it_finds() -> None:
    """Other decks, and other secret choices; in a sale it does not matter either what it has chosen itself before."""
    bot, rng = Searcher(worlds=4), Random(2)
    for state, seat in positions(FOUR, seed=3, step=3):
        found = bot.prospects(view.of(state, seat), Random(1))
        assert bot.prospects(view.of(with_other_secrets(state, seat, rng), seat), Random(1)) == found
        if state.phase is SELLING:
            after, _ = apply(state, seat, legal_actions(state, seat)[0])
            if after.number == state.number:
                assert bot.prospects(view.of(after, seat), Random(1)) == found


def test_either_time_or_worlds() -> None:
    for arguments in ({}, {"milliseconds": 5.0, "worlds": 5}):
        with pytest.raises(ValueError, match="^expected either milliseconds or worlds$"):
            Searcher(**arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^expected at least 2 worlds, got 1$"):
        Searcher(worlds=1)


def test_a_little_time_is_enough_for_an_answer() -> None:
    state, seat = next(positions(FOUR, seed=1, step=3))
    legal = legal_actions(state, seat)
    bot = Searcher(milliseconds=0.01)
    assert bot.varies
    assert bot.choose(view.of(state, seat), legal, Random(1)) in legal


def test_it_wins() -> None:
    """Alone with three of the strongest scripted bots, in every seat of some deals: twice its fair share and more."""
    edition = editions.load("iello-2020")
    rivals: list[Bot] = [Scripted(PERSONALITIES["tycoon"].traits)] * 3
    hero, won, deals = Searcher(worlds=16), 0.0, 5
    for number in range(deals):
        decks = shuffle.deal(edition, 4, Random(number))
        for seat in range(4):
            start = game.new_game(edition, 4, decks, 0)
            rngs = [Random(f"{number} {seat} {one}") for one in range(4)]
            outcome = game.outcome(arena.play_out(start, [*rivals[:seat], hero, *rivals[seat:]], rngs))
            assert outcome is not None
            won += (seat in outcome.winners) / len(outcome.winners)
    assert won / (4 * deals) > 0.5


def test_looking_ahead_is_a_level_of_its_own() -> None:
    """Alone with three champions: clearly above its fair share, by the deal. With fewer worlds than 200 ms are enough
    for, as no test must depend on the clock."""
    won = shares(Searcher(worlds=12), contest("champion", seats=4, deals=8))
    assert fmean(won) - 1.96 * stdev(won) / sqrt(len(won)) > 0.25


# --- Prospects -------------------------------------------------------------------------------------------------------


def test_what_it_tells_of_each_action() -> None:
    bot, champion = Searcher(worlds=40), Champion()
    for state, seat in positions(FOUR, seed=4, step=8):
        found = bot.prospects(view.of(state, seat), Random(1))
        policy = champion.opinion(view.of(state, seat)).policy
        assert list(found) == [action for action in policy if action in found]
        assert len(found) >= 2
        assert {action for action in policy if policy[action] > 0.02} <= set(found) or len(found) == 8
        assert min(one.loss for one in found.values()) == 0
        best = max(one.value for one in found.values())
        for action, one in found.items():
            assert one.policy == pytest.approx(policy[action])
            assert 0 <= one.value <= 1
            assert one.loss == pytest.approx(best - one.value)
            assert one.error >= 0 <= one.loss_error
            assert one.worlds == 40


def test_others_can_be_asked_for() -> None:
    state, seat = next(positions(FOUR, seed=1, step=1))
    seen, dear = view.of(state, seat), legal_actions(state, seat)[-1]
    bot = Searcher(worlds=8)
    found, more = bot.prospects(seen, Random(1)), bot.prospects(seen, Random(1), also=[dear])
    assert dear not in found
    assert more.keys() - found.keys() == {dear}
    for action, one in found.items():
        assert astuple(more[action]) == pytest.approx(astuple(one), abs=1e-4)  # the same worlds; larger products round
    assert more[dear].loss > 4 * more[dear].loss_error > 0
    with pytest.raises(ValueError, match=r"^expected legal actions, got Sell\(house=3\)$"):
        bot.prospects(seen, Random(1), also=[Sell(3)])


def test_the_more_worlds_the_less_error() -> None:
    state, seat = next(at for at in positions(FOUR, seed=2, step=1) if at[0].phase is SELLING)
    few, many = (Searcher(worlds=worlds).prospects(view.of(state, seat), Random(1)) for worlds in (64, 1024))
    assert sum(one.error for one in many.values()) < 0.4 * sum(one.error for one in few.values())
    assert sum(one.loss_error for one in many.values()) < 0.4 * sum(one.loss_error for one in few.values())
    for action in few:
        assert abs(many[action].value - few[action].value) < 5 * few[action].error + 0.01


def test_in_the_last_choice_it_counts_the_real_ends() -> None:
    """Two seats, two houses each, the last cheques known: what it finds is what happens against each choice."""
    state = _last_choice()
    seat = 0
    bot = Searcher(worlds=64)
    found = bot.prospects(view.of(state, seat), Random(1), also=legal_actions(state, seat))
    for action, one in found.items():
        least, most = 1.0, 0.0
        for answers in _answers(play(state, [(seat, action)])):
            outcome = game.outcome(answers)
            assert outcome is not None
            share = (seat in outcome.winners) / len(outcome.winners)
            least, most = min(least, share), max(most, share)
        assert least <= one.value <= most


def _last_choice() -> State:
    """All have two houses, and no cheque is removed or unseen but those of the last sale."""
    played = combo_game(Combo("iello-2020", 5, None), 1)  # five seats: nothing is removed
    states = (played.after(turns) for turns in range(len(played.turns)))
    return next(
        one
        for one in states
        if one.phase is SELLING and all(len(hand) == 2 for hand in one.hands) and not any(one.choices)
    )


def _answers(state: State) -> Iterator[State]:
    """All ways to the end."""
    if not state.to_act:
        yield state
        return
    seat = min(state.to_act)
    for action in legal_actions(state, seat):
        yield from _answers(play(state, [(seat, action)]))


def test_a_house_that_is_clearly_right_is_sold() -> None:
    """Against misers, who are known by now: what it finds best wins most often when it is played out."""
    rng, right, asked = Random(5), 0, 0
    for number in range(4):
        state = _near_the_end(number, [Scripted(PERSONALITIES["miser"].traits)] * 3)
        found = Searcher(worlds=64).prospects(view.of(state, 3), rng)
        values = {action: _played_on(state, 3, action) for action in found}
        best = min(found, key=lambda action: found[action].loss)
        right += values[best] == max(values.values())
        asked += 1
    assert right == asked


def _near_the_end(number: int, rivals: list[Scripted]) -> State:
    """Seat 3, a champion, is to choose between two houses; the others are scripted."""
    edition = editions.load("iello-2020")
    state = game.new_game(edition, 4, shuffle.deal(edition, 4, Random(number)), 0)
    line_up: list[Bot] = [*rivals, Champion()]
    while state.phase is BUYING or len(state.hands[3]) > 2:
        seat = min(state.to_act)
        action = line_up[seat].choose(view.of(state, seat), legal_actions(state, seat), Random(1))
        state, _ = apply(state, seat, action)
    return state


def _played_on(state: State, seat: int, action: game.Action) -> float:
    """What comes of it, over many orders of the last cheques."""
    won, rng = 0.0, Random(3)
    rivals: list[Bot] = [Scripted(PERSONALITIES["miser"].traits)] * 3
    for _ in range(60):
        there = with_other_secrets(state, seat, rng)
        there, _ = apply(there, seat, action)
        outcome = game.outcome(arena.play_out(there, [*rivals, Champion()], [Random(1)] * 4))
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    return won


def test_an_auction_that_is_worth_nothing_more_is_left() -> None:
    """The houses left are neighbours, and all has been bid: to go on costs coins for a house that is no better."""
    edition = editions.load("iello-2020")
    decks = shuffle.deal(edition, 3, Random(1))
    state = game.new_game(edition, 3, replace(decks, houses=tuple(sorted(decks.houses))), 0)
    state = play(state, [(0, Bid(1)), (1, Bid(2)), (2, Bid(3)), (0, Pass())])
    assert state.market[1] - state.market[0] <= 2
    found = Searcher(worlds=64).prospects(view.of(state, 1), Random(1), also=[Pass(), Bid(14)])
    assert found[Bid(14)].loss > 2 * found[Bid(14)].loss_error > 0
    assert found[Pass()].value > found[Bid(14)].value


def test_only_a_seat_that_can_act_has_prospects() -> None:
    state = combo_game(FOUR, 1).start
    other = (min(state.to_act) + 1) % 4
    with pytest.raises(EncodingError, match="^expected the view of a seat that can act, got that of seat .$"):
        Searcher(worlds=2).prospects(view.of(state, other), Random(1))


# --- Who the rivals are ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("combo", COMBOS[::7], ids=str)
def test_what_was_seen_is_what_the_planner_and_the_champion_saw(combo: Combo) -> None:
    for state, seat in positions(combo, seed=5, step=11):
        past, taken = past_of(view.of(state, seat)), decisions(view.of(state, seat))
        for ours, theirs in zip(past.taken, taken, strict=True):
            assert ours.tolist() == theirs.tolist()
    played, watching = combo_game(combo, seed=5), Watching()
    before = view.remembered(combo_game(combo, seed=6).end, (*range(1, combo.seats), 0))
    for earlier in ((), (before,)):
        told = past_of(replace(view.of(played.end, 0), earlier=earlier)).told.tolist()
        for turns, (seat, _) in enumerate(played.turns):
            state = played.after(turns)
            if state.phase is BUYING:
                assert watching.seen(view.of(state, seat, earlier=earlier)).row.tolist() == told[turns]


def test_a_rival_is_recognised_be_it_scripted_or_the_net() -> None:
    """After a game: scripted bots are never taken for the net. Champions nearly always are; now and then one does what
    a scripted one would have done."""
    edition = editions.load("iello-2020")
    names, games = ["champion", "tycoon", "champion", "steward"], 8
    taken_for_the_net = np.zeros(3)
    for number in range(games):
        state = game.new_game(edition, 4, shuffle.deal(edition, 4, Random(number)), 0)
        end = arena.play_out(state, [bots.make(name) for name in names], [Random(seat) for seat in range(4)])
        found = chances(past_of(view.of(end, None)), 0, rules_row(end.rules))
        assert np.allclose(found.sum(axis=1), 1)
        assert found[0, NET] == 1
        taken_for_the_net += found[1:, NET] > 0.5
    tycoon, champion, steward = taken_for_the_net
    assert tycoon == steward == 0
    assert champion > 0.7 * games


def test_before_anything_happened_the_net_is_likelier_than_any_other() -> None:
    state = combo_game(FOUR, seed=1).start
    found = chances(past_of(view.of(state, 0)), 0, rules_row(state.rules))
    assert np.allclose(found[1:, :POOL], 0.7 / POOL)
    assert np.allclose(found[1:, NET], 0.3)


# --- How it is measured ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["tycoon", "tycoon+random"])
def test_the_duplicate_test_counts_what_the_arena_counts(field: str) -> None:
    played = contest(field, seats=3, deals=2)
    seated = [Champion(), *map(bots.make, field.split("+"))]
    summary = arena.summarise(played, arena.play(played, seated=lambda _: nullcontext(seated)))
    by_name = {standing.bot: standing.win_share.value for standing in summary.standings}
    assert fmean(shares(Champion(), played)) == pytest.approx(by_name[HERO])


def test_the_judges_own_error_is_not_counted() -> None:
    """In 4000 choices of 16 worlds each the judge is off by much, and what is told by a tenth."""
    rng, error = np.random.default_rng(1), Error()
    for _ in range(4000):
        error.add(0.6, rng.binomial(1, 0.5, 16).astype(float))
    assert float(str(error)) == pytest.approx(0.1, abs=0.01)


# --- Where it runs ---------------------------------------------------------------------------------------------------


def test_products_take_one_core_and_then_as_many_as_before() -> None:
    if "openblas" not in np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]:
        pytest.skip("numpy comes without OpenBLAS here")
    found = _found()
    assert found is not None
    get, _ = found
    before = get()
    with one_core():
        assert get() == 1
    assert get() == before


def test_without_numba_one_sentence_says_so() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "try: import forsale.bots.searcher\n"
        "except ImportError as error: print(error)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "forsale.bots.searcher needs numba: pip install forsale[fast]\n"
