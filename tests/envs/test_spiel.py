"""The game for OpenSpiel: its own tests, and the engine beside it."""

import copy
from collections import Counter
from random import Random
from typing import Any

import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.observation import make_observation

from forsale import encoding, game, view
from forsale.editions import EditionError
from forsale.envs import spiel, turns
from forsale.game import BUYING, Decks, DecksError, IllegalAction
from tests.envs import playthrough
from tests.envs.choosing import choose, legal_mask
from tests.games import COMBOS, Combo

every_combo = pytest.mark.parametrize("combo", COMBOS, ids=str)


def load(combo: Combo, **parameters: Any) -> Any:
    named = {"edition": combo.edition, "players": combo.seats, "variant": combo.variant or "", **parameters}
    return pyspiel.load_game("python_for_sale", named)


def go_on(state: Any, rng: Random) -> int:
    """Something that may come next, by chance or by choice, with small raises."""
    if state.is_chance_node():
        results, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(results, chances)[0])
    return choose(state.legal_actions_mask(), rng)


# --- OpenSpiel's own tests -----------------------------------------------------------------------------------


@every_combo
def test_it_is_what_openspiel_expects(combo: Combo) -> None:
    pyspiel.random_sim_test(load(combo), num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_is_as_it_was() -> None:
    """Kept by `python -m tests.envs.playthrough`. A difference is a change for everyone who compares results."""
    assert playthrough.played() == playthrough.KEPT.read_text(encoding="utf-8")


def test_its_algorithms_can_play_it() -> None:
    toy = playthrough.toy()
    solver = pyspiel.OutcomeSamplingMCCFRSolver(toy, seed=1)
    for _ in range(20):
        solver.run_iteration()
    chances = solver.average_policy().action_probabilities(after_chance(toy))
    assert sum(chances.values()) == pytest.approx(1)


def after_chance(loaded: Any) -> Any:
    """The first position in which a seat acts."""
    state = loaded.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def test_it_is_an_environment_for_learners() -> None:
    environment = rl_environment.Environment(playthrough.toy())
    environment.seed(1)
    step, rng = environment.reset(), Random(1)
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == encoding.LENGTH
        step = environment.step([rng.choice(step.observations["legal_actions"][player])])
    assert sum(step.rewards) == pytest.approx(0)


# --- The engine beside it ------------------------------------------------------------------------------------


@every_combo
def test_a_whole_game_is_that_of_the_engine(combo: Combo) -> None:
    """Played with chance nodes, then again by the engine alone, with whole decks of the cards that came."""
    rng = Random(str(combo))
    loaded = load(combo)
    state = loaded.new_initial_state()
    nodes: list[tuple[int, int]] = []
    while not state.is_terminal():
        action = go_on(state, rng)
        nodes.append((state.current_player(), action))
        state.apply_action(action)
    seen = state.seen_by(0)
    assert seen.decks is not None
    assert Counter(player < 0 for player, _ in nodes)[True] == 1 + 2 * seen.rules.deck_size
    assert len(nodes) <= loaded.max_history_length()

    houses, cheques = seen.decks.houses, seen.decks.cheques
    decks = Decks(houses, cheques, rest(seen.rules.houses, houses), rest(seen.rules.cheques, cheques))
    plain = game.new_game(combo.load(), combo.seats, decks, nodes[0][1], combo.variant)
    again = loaded.new_initial_state()
    for player, action in nodes:
        if player >= 0:
            assert again.current_player() == min(plain.to_act) == player
            assert again.legal_actions_mask() == legal_mask(plain, player)
            for seat in range(combo.seats):
                row = encoding.encode(view.of(plain, seat))
                assert again.observation_tensor(seat) == row.tolist()
                assert again.seen_by(seat) == view.of(plain, seat)
            plain, _ = game.apply(plain, player, encoding.from_index(action))
        again.apply_action(action)
    end = game.outcome(plain)
    assert end is not None
    assert state.returns() == again.returns() == [*turns.rewards(end)]
    assert str(state) == str(again)


def rest(box: tuple[int, ...], deck: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((Counter(box) - Counter(deck)).elements())


def test_chance_brings_each_card_that_is_left_alike() -> None:
    state = load(Combo("classic", 3, None)).new_initial_state()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    state.apply_action(0)
    # Six of them are removed unseen: nobody knows which.
    assert state.chance_outcomes() == [(house, pytest.approx(1 / 30)) for house in range(1, 31)]
    state.apply_action(7)
    assert state.chance_outcomes() == [(house, pytest.approx(1 / 29)) for house in range(1, 31) if house != 7]
    while state.seen_by(0).phase is BUYING:
        state.apply_action(state.legal_actions()[0])
    amounts = (0, *range(2, 16))
    assert state.chance_outcomes() == [(amount, pytest.approx(2 / 30)) for amount in amounts]
    state.apply_action(7)
    assert state.chance_outcomes() == [(amount, pytest.approx((2 - (amount == 7)) / 29)) for amount in amounts]


def test_the_first_seat_can_be_chosen() -> None:
    state = load(Combo("manual", 4, None), first=2).new_initial_state()
    for _ in range(4):
        assert state.is_chance_node()
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 2
    assert state.action_to_string(state.legal_actions()[1]) == "bid 0"


# --- Secrets -------------------------------------------------------------------------------------------------


def at_the_first_sale(state: Any) -> Any:
    while state.is_chance_node() or state.seen_by(0).phase is BUYING:
        state.apply_action(state.legal_actions()[0])
    return state


def test_in_a_sale_none_knows_what_another_chose_before_all_have() -> None:
    one = at_the_first_sale(load(Combo("iello-2020", 4, None)).new_initial_state())
    other = one.clone()
    for state, choice in ((one, 0), (other, -1)):
        assert state.current_player() == 0
        state.apply_action(state.legal_actions()[choice])
    assert str(one) != str(other)
    for seat in range(4):
        same = one.information_state_string(seat) == other.information_state_string(seat)
        assert same == (seat != 0)
        assert one.observation_tensor(seat) == other.observation_tensor(seat)
    for state in (one, other):
        for _ in range(3):
            state.apply_action(state.legal_actions()[0])
    assert one.information_state_string(2) != other.information_state_string(2)


def test_cards_of_a_market_are_shown_together_and_in_no_order() -> None:
    loaded = load(Combo("iello-2020", 3, None), first=0)
    one, other = loaded.new_initial_state(), loaded.new_initial_state()
    for cards in ((5, 9), (9, 5)):
        state = one if cards[0] == 5 else other
        for card in cards:
            state.apply_action(card)
            assert state.seen_by(0).market == ()
    for state in (one, other):
        state.apply_action(30)
    assert one.information_state_string(1) == other.information_state_string(1)


@every_combo
def test_nothing_that_a_seat_saw_is_ever_forgotten(combo: Combo) -> None:
    state, rng = load(combo).new_initial_state(), Random(str(combo))
    told = [""] * combo.seats
    while not state.is_terminal():
        state.apply_action(go_on(state, rng))
        for seat, before in enumerate(told):
            told[seat] = state.information_state_string(seat)
            assert told[seat].startswith(before)


# --- Copies, observers, errors -------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda state: state.clone()])
def test_a_copy_goes_on_by_itself(copied: Any) -> None:
    state = after_chance(playthrough.toy())
    other, before = copied(state), str(state)
    other.apply_action(encoding.PASS)
    assert str(state) == before != str(other)


def test_an_observer_has_the_parts_of_the_observation_by_name() -> None:
    state = after_chance(load(Combo("iello-2020", 4, None)))
    observation = make_observation(state.get_game())
    observation.set_from(state, 1)
    assert observation.tensor.tolist() == encoding.encode(state.seen_by(1)).tolist()
    assert observation.dict.keys() == encoding.SLICES.keys()
    assert observation.dict["market"].tolist() == [1, 2, 3, 4, 0, 0]
    assert observation.string_from(state, 1) == state.observation_string(1)
    assert state.observation_string(1).startswith("seat B of iello-2020, 4 seats, auction 1: 1 2 3 4\n")


def test_with_perfect_recall_there_is_only_a_string() -> None:
    state = after_chance(playthrough.toy())
    observation = make_observation(state.get_game(), pyspiel.IIGObservationType(perfect_recall=True))
    observation.set_from(state, 1)
    assert observation.tensor is None
    assert observation.string_from(state, 1) == state.information_state_string(1)


def test_an_observer_of_other_things_is_refused() -> None:
    toy = playthrough.toy()
    with pytest.raises(ValueError, match="^expected no parameters for an observation, got {'x': 1}$"):
        make_observation(toy, params={"x": 1})
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS),
        pyspiel.IIGObservationType(perfect_recall=True, public_info=False),
    ):
        with pytest.raises(ValueError, match="^expected all that a single player sees to be observed$"):
            make_observation(toy, kind)


@pytest.mark.parametrize(
    ("parameters", "error", "sentence"),
    [
        ({"edition": "iello-1997"}, EditionError, "^edition: expected iello-2020, .* got 'iello-1997'$"),
        ({"players": 2}, EditionError, "^seats: expected a number of seats from 3 to 6, got 2$"),
        ({"edition": "classic", "variant": "scarce"}, EditionError, "^variant: expected none with classic"),
        ({"first": 4}, DecksError, "^first: expected a seat from 0 to 3, got 4$"),
        ({"first": -2}, DecksError, "^first: expected a seat from 0 to 3, got -2$"),
        ({"tracker": 1}, pyspiel.SpielError, "^Unknown parameter 'tracker'"),
    ],
)
def test_parameters_that_cannot_be_played_are_refused(
    parameters: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        pyspiel.load_game("python_for_sale", parameters)


def test_what_may_not_come_is_refused_and_nothing_is_played() -> None:
    state = load(Combo("iello-2020", 3, None), first=0).new_initial_state()
    state.apply_action(30)
    with pytest.raises(DecksError, match="^chance: expected one of 1, 2, .*, 29, got 30$"):
        state.apply_action(30)
    state.apply_action(1)
    state.apply_action(2)
    with pytest.raises(IllegalAction, match="^the game is buying: seat A can bid or pass$"):
        state.apply_action(encoding.HOUSE + 30)
    assert state.history() == [30, 1, 2]
    assert isinstance(state, spiel.ForSaleState)
