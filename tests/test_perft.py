"""Exhaustive counts on a toy edition: every line of play, by depth, in the engine, the reference, and a file."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from forsale import editions
from forsale.game import Decks, State, apply, legal_actions, new_game
from tests.reference import Reference
from tests.test_reference import reference_for, to_reference

FOLDER = Path(__file__).parent / "perft"
HOUSES = (4, 1, 6, 2, 5, 3)
CHEQUES = (3, 0, 5, 2, 0, 4)


def toy(coins: int, refund: Literal["down", "up"], lowest_bid: int, variant: str | None) -> State:
    edition = replace(editions.load(FOLDER / "toy.toml"), coins={3: coins}, refund=refund, lowest_bid=lowest_bid)
    gone = edition.rules(3, variant).removed
    # The last cards of these orders are the removed ones.
    kept = len(HOUSES) - gone
    decks = Decks(HOUSES[:kept], CHEQUES[:kept], HOUSES[kept:], CHEQUES[kept:])
    return new_game(edition, 3, decks, first=1, variant=variant)


def count(state: State, by_depth: list[int], depth: int = 0) -> int:
    """Count the positions reached after 0, 1, 2… actions, and the complete games. In a sale the lowest seat acts."""
    if depth == len(by_depth):
        by_depth.append(0)
    by_depth[depth] += 1
    if not state.to_act:
        return 1
    seat = min(state.to_act)
    return sum(count(apply(state, seat, action)[0], by_depth, depth + 1) for action in legal_actions(state, seat))


def count_reference(game: Reference, by_depth: list[int], depth: int = 0) -> int:
    if depth == len(by_depth):
        by_depth.append(0)
    by_depth[depth] += 1
    if not game.waiting():
        return 1
    seat = min(game.waiting())
    games = 0
    for kind, amount in game.legal(seat):
        after = copy.deepcopy(game)
        after.play(seat, kind, amount)
        games += count_reference(after, by_depth, depth + 1)
    return games


CASES = json.loads((FOLDER / "counts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_line_of_play_is_counted(case: dict[str, object]) -> None:
    state = toy(**case["toy"])  # type: ignore[arg-type]
    by_depth: list[int] = []
    games = count(state, by_depth)
    assert {"positions": by_depth, "games": games} == {"positions": case["positions"], "games": case["games"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_reference_counts_the_same(case: dict[str, object]) -> None:
    state = toy(**case["toy"])  # type: ignore[arg-type]
    by_depth: list[int] = []
    games = count_reference(reference_for(state, first=1), by_depth)
    assert {"positions": by_depth, "games": games} == {"positions": case["positions"], "games": case["games"]}


def test_actions_are_translated_one_to_one() -> None:
    state = toy(3, "down", 1, None)
    assert sorted(map(to_reference, legal_actions(state, 1))) == reference_for(state, first=1).legal(1)
