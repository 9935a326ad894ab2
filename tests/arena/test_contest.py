"""What can be played, who meets whom, and who sits where."""

import pickle
from collections import Counter

import pytest

from forsale.arena import ArenaError, Contest
from forsale.arena.lineups import LINE_UPS, seating
from forsale.editions import EditionError


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bots": ("random",)}, "expected at least 2 bots for round-robin with 4 seats, got 1"),
        (
            {"bots": ("random", "broker"), "kind": "distinct"},
            "expected at least 4 bots for distinct .*, got 2",
        ),
        ({"bots": ("random", "broker", "random")}, "expected bots that differ, got 'random' twice"),
        ({"kind": "knock-out"}, "expected line-ups among round-robin, against-field, field-against, distinct"),
        ({"deals": 0}, "expected at least 1 deal, got 0"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], said: str) -> None:
    arguments: dict[str, object] = {"bots": ("random", "broker"), "deals": 1} | changes
    with pytest.raises(ArenaError, match=said):
        Contest(**arguments)  # type: ignore[arg-type]


def test_seats_and_variant_are_the_edition_s() -> None:
    for wrong in ({"seats": 7}, {"edition": "classic", "variant": "scarce"}):
        with pytest.raises(EditionError):
            Contest(("random", "broker"), 1, **wrong)


def test_another_process_gets_the_same_contest() -> None:
    contest = Contest(("random", "broker"), 5, edition="manual")
    assert contest.line_ups
    again = pickle.loads(pickle.dumps(contest))
    assert again == contest
    assert again.rules == contest.rules


@pytest.mark.parametrize("kind", LINE_UPS)
def test_every_bot_of_a_line_up_sits_in_every_seat_equally_often(kind: str) -> None:
    for line_up in LINE_UPS[kind](5, 4):
        seats = Counter((seat, bot) for rotation in range(4) for seat, bot in enumerate(seating(line_up, 3, rotation)))
        for bot in set(line_up):
            assert {seats[seat, bot] for seat in range(4)} == {line_up.count(bot)}


def test_in_time_everyone_sits_next_to_everyone() -> None:
    neighbours = Counter(
        (seated[seat], seated[(seat + 1) % 4])
        for deal in range(1, 7)
        for seated in [seating((0, 1, 2, 3), deal, rotation=0)]
        for seat in range(4)
    )
    assert len(neighbours) == 12
    assert set(neighbours.values()) == {2}


def test_each_against_each() -> None:
    contest = Contest(("a", "b", "c"), 1)
    assert [contest.named(line_up) for line_up in contest.line_ups] == [
        "a,b,b,b",
        "a,c,c,c",
        "b,a,a,a",
        "b,c,c,c",
        "c,a,a,a",
        "c,b,b,b",
    ]
    assert contest.games_per_deal == 24
