"""Positions and events as plain text."""

from forsale import view
from forsale.envs import text
from forsale.game import SELLING, AuctionWon, Event, HouseChosen, Passed, apply, legal_actions
from tests.games import Combo, combo_game

SCARCE = Combo("iello-2020", 3, "scarce")


def test_a_position_shows_what_stands_in_front_of_each_seat() -> None:
    state = combo_game(Combo("iello-2020", 3, None), seed=0).start
    opener = state.bidders[0]
    for action in (2, 0):
        state, _ = apply(state, state.bidders[0], legal_actions(state, state.bidders[0])[action])
    table = text.position(view.of(state, opener)).splitlines()
    assert table[1].split() == ["seat", "coins", "bid", "houses", "cheques"]
    bid, out = table[2 + opener].split(), table[2 + (opener + 1) % 3].split()
    assert bid[1:] == ["26", "2"]
    assert out[1:3] == ["28", "out"]
    assert table[2 + (opener + 2) % 3].startswith("> ")


def test_a_choice_is_shown_to_its_own_seat_alone() -> None:
    game = combo_game(Combo("classic", 3, None), seed=1)
    state = next(state for state in map(game.after, range(len(game.turns))) if state.phase is SELLING)
    house = state.hands[0][0]
    state, _ = apply(state, 0, legal_actions(state, 0)[0])
    mine, others = (text.position(view.of(state, seat)).splitlines()[2].split() for seat in (0, 1))
    assert mine[2] == str(house)
    assert others[2] == "chosen"


def test_the_end_shows_scores() -> None:
    end = combo_game(SCARCE, seed=2).end
    shown = view.of(end, None)
    assert shown.outcome is not None
    table = text.position(shown).splitlines()
    assert table[0].startswith("iello-2020, 3 seats, scarce, over after sale ")
    assert [row.split()[2] for row in table[2:]] == [*map(str, shown.outcome.scores)]


def test_a_story_tells_everything_that_happened_and_no_secret() -> None:
    end = combo_game(SCARCE, seed=2).end
    for seat in range(3):
        history = view.of(end, seat).history
        told = text.story(history).split("; ")
        assert len(told) == len(history)
        for event, sentence in zip(history, told, strict=True):
            if isinstance(event, HouseChosen):
                assert sentence == f"{'ABC'[event.seat]} chooses" + (f" {event.house}" if event.seat == seat else "")


def test_the_sentences_of_an_auction() -> None:
    events: list[Event] = [Passed(0, None, 4, 0), Passed(1, 3, 2, 3), AuctionWon(2, 30, 6)]
    assert text.story(events) == "A passes: nothing, 4 back; B passes: 3, 2 back; C wins 30 for 6"
