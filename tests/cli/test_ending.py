"""The last screen: who won and why."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from forsale import editions, shuffle, view
from forsale.cli.cast import Cast
from forsale.cli.ending import ending
from forsale.game import Outcome, apply, legal_actions, new_game
from forsale.view import View

CAST = Cast(editions.load("iello-2020"), ("You", "Bo", "Cy", "Dot"), ("", "broker", "broker", "broker"))


def finished() -> View:
    decks = shuffle.deal(CAST.edition, 4, shuffle.Stream(b"ending"))
    state = new_game(CAST.edition, 4, decks, 0)
    while state.to_act:
        seat = min(state.to_act)
        state, _ = apply(state, seat, legal_actions(state, seat)[0])
    return view.of(state, 0)


def rendered(seen: View) -> str:
    file = io.StringIO()
    Console(file=file, width=80, highlight=False, markup=False).print(ending(seen, CAST))
    return file.getvalue()


def with_outcome(scores: tuple[int, ...], coins: tuple[int, ...]) -> View:
    standing = list(zip(scores, coins, strict=True))
    places = tuple(1 + sum(other > mine for other in standing) for mine in standing)
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return replace(finished(), outcome=Outcome(scores, coins, places, winners))


def test_the_table_is_ranked_and_adds_up() -> None:
    seen = finished()
    assert seen.outcome is not None
    rows = [line.split() for line in rendered(seen).splitlines()]
    ranked = [row for row in rows if row and row[0] in ("1", "2", "3", "4")]
    scores = [int(row[-1]) for row in ranked]
    assert scores == sorted(seen.outcome.scores, reverse=True)
    for row in ranked:
        cheques = [0 if card == "Void" else int(card) for card in row[3:-3]]
        assert sum(cheques) == int(row[-3])
        assert int(row[-3]) + int(row[-2]) == int(row[-1])


def test_removed_cards_are_shown() -> None:
    seen = finished()
    assert seen.decks is not None
    low, high = sorted(seen.decks.removed_houses)
    assert f"Removed unseen before the game: houses {low} and {high}, checks " in rendered(seen)


@pytest.mark.parametrize(
    ("scores", "coins", "sentences"),
    [
        ((60, 50, 40, 30), (1, 2, 3, 4), ["You win with 60."]),
        ((50, 60, 40, 30), (1, 2, 3, 4), ["Bo wins with 60."]),
        (
            (60, 60, 40, 30),
            (1, 2, 3, 4),
            ["Bo wins with 60.", "Bo and you have 60 each; the bills left break the tie: Bo 2 and you 1."],
        ),
        ((60, 60, 40, 30), (1, 1, 3, 4), ["You and Bo share the victory with 60, and 1 bill left each."]),
        (
            (70, 50, 50, 50),
            (0, 2, 3, 2),
            [
                "You win with 70.",
                "Cy, Bo and Dot have 50 each; the bills left break the tie: Cy 3, Bo 2 and Dot 2.",
            ],
        ),
    ],
)
def test_victory_ties_and_shared_victory(scores: tuple[int, ...], coins: tuple[int, ...], sentences: list[str]) -> None:
    text = " ".join(rendered(with_outcome(scores, coins)).split())
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert text.count("break the tie") == len(sentences) - 1
