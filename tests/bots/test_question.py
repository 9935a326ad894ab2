"""Questions as programs are asked them: the same forms as on the server's wire, and only what the seat may know."""

import json

import msgspec
import pytest

from forsale import view
from forsale.bots.question import question_text, view_text
from forsale.game import SELLING, HouseChosen, legal_actions
from forsale.server.wire import event_to_wire, position_of
from tests.games import COMBOS, Combo, combo_game


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_view_is_written_as_the_server_writes_it(combo: Combo) -> None:
    game = combo_game(combo, seed=4)
    for turns in range(0, len(game.turns), 7):
        state = game.after(turns)
        for seat in state.to_act:
            seen = view.of(state, seat, tracker=turns % 2 == 0)
            position = msgspec.to_builtins(position_of(seen), builtin_types=())
            history = [msgspec.to_builtins(event_to_wire(event)) for event in seen.history]
            del position["outcome"], position["decks"]
            expected = position | {"tracker": seen.tracker, "history": history}
            assert json.loads(view_text(seen)) == json.loads(msgspec.json.encode(expected))


def test_earlier_games_are_written_where_there_were_some() -> None:
    """In the same forms; and nothing is said of them where there were none, as before there was that field."""
    state = combo_game(Combo("iello-2020", 4, None), seed=3).start
    seat = min(state.to_act)
    ends = [combo_game(combo, seed=5).end for combo in (Combo("classic", 3, None), Combo("iello-2015", 5, "scarce"))]
    earlier = (view.remembered(ends[0], (2, None, 0)), view.remembered(ends[1], (3, 2, None, 1, 0)))
    without = view_text(view.of(state, seat))
    text = view_text(view.of(state, seat, earlier=earlier))
    assert text.startswith(f'{without[:-1]},"earlier":[')
    expected = [
        {
            "rules": msgspec.to_builtins(game.rules),
            "seats": game.seats,
            "history": [msgspec.to_builtins(event_to_wire(event)) for event in game.history],
        }
        for game in earlier
    ]
    assert json.loads(text)["earlier"] == json.loads(msgspec.json.encode(expected))
    assert all(event.get("house") is None for game in json.loads(text)["earlier"] for event in chosen_in(game))
    assert "\n" not in text
    assert "earlier" not in without


def chosen_in(game: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
    chosen = [event for event in game["history"] if event["kind"] == "house-chosen"]
    assert chosen
    return chosen


def test_nothing_secret_is_in_a_question() -> None:
    """Two games that differ only in what a seat may not know ask it the same."""
    game = combo_game(Combo("iello-2020", 4, None), seed=2)
    state = next(
        state
        for turns in range(len(game.turns))
        if (state := game.after(turns)).phase is SELLING and state.choices.count(None) == 2
    )
    seat = min(state.to_act)
    decks = state.decks
    other = next(
        other for other, choice in enumerate(state.choices) if choice is not None and len(state.hands[other]) > 1
    )
    changed = next(house for house in state.hands[other] if house != state.choices[other])
    choices = tuple(changed if at == other else choice for at, choice in enumerate(state.choices))
    history = tuple(
        HouseChosen(other, changed) if event == HouseChosen(other, state.choices[other]) else event
        for event in state.history
    )
    left = state.rules.deck_size - state.cheques_left
    unseen = decks.cheques[:left] + decks.cheques[left:][::-1]
    twin = state._replace(choices=choices, history=history, decks=type(decks)(decks.houses[::-1], unseen))
    assert twin != state
    legal = legal_actions(state, seat)
    texts = {question_text(1, view.of(position, seat), legal, 2000, 5) for position in (state, twin)}
    assert len(texts) == 1
    hands = json.loads(view_text(view.of(state, seat)))["hands"]
    assert [hand is not None for hand in hands] == [at == seat for at in range(4)]
    assert None not in json.loads(view_text(view.of(state, seat, tracker=True)))["hands"]


def test_a_question_is_five_lines() -> None:
    game = combo_game(Combo("iello-2020", 4, None), seed=2)
    seat = min(game.start.to_act)
    legal = legal_actions(game.start, seat)[:4]
    lines = question_text(7, view.of(game.start, seat), legal, 2000, 5).splitlines()
    assert lines[1:] == ["legal - 1 2 3", "time 2000", "seed 5", "choose 7"]
    assert lines[0].startswith('view {"rules":{"edition":"iello-2020"')
