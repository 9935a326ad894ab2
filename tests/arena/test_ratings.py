"""Ratings, on rankings whose truth is known."""

from collections import Counter
from collections.abc import Sequence
from math import log
from random import Random

import pytest

from forsale.arena import Contest, summarise
from forsale.arena.ratings import PARTS, Members, points, stages, strengths
from tests.arena.contests import Scores, made_up


def fitted(bots: int, rankings: Sequence[tuple[Members, ...]]) -> list[float]:
    chosen: Counter[int] = Counter()
    choices: Counter[Members] = Counter()
    for ranking in rankings:
        for members, bot, parts in stages(ranking):
            chosen[bot] += parts
            choices[members] += parts
    wins = [chosen[bot] / PARTS for bot in range(bots)]
    return strengths(bots, wins, {members: parts / PARTS for members, parts in choices.items()})


def by_strength(truth: Sequence[float], rng: Random) -> Scores:
    """Whoever has the highest score is the first that the model draws; then the second, and so on."""
    return lambda _deal, seated: [round(1e6 * (log(truth[bot]) - log(rng.expovariate(1)))) for bot in seated]


def test_two_bots_are_rated_by_their_odds() -> None:
    """With two, the model is the odds of one against the other; the imagined draw adds half a win to each."""
    found = fitted(2, [((0,), (1,))] * 30 + [((1,), (0,))] * 10)
    assert found[0] / found[1] == pytest.approx(30.5 / 10.5, rel=1e-5)
    assert found[0] * found[1] == pytest.approx(1)


def test_known_strengths_are_found_again() -> None:
    rng = Random("strengths")
    truth = [4.0, 2.0, 1.0, 0.5, 0.25]

    def ranked() -> tuple[Members, ...]:
        left = rng.sample(range(5), 4)
        order = []
        while left:
            order.append(rng.choices(left, [truth[bot] for bot in left])[0])
            left.remove(order[-1])
        return tuple((bot,) for bot in order)

    found = fitted(5, [ranked() for _ in range(4000)])
    assert found == pytest.approx(truth, rel=0.08)


def test_several_seats_of_a_bot_are_one_strength() -> None:
    """One of strength 3 against three of strength 1 wins half its games."""
    rng = Random("several seats")
    contest = Contest(("strong", "plain"), 1500, kind="round-robin")
    summary = summarise(contest, [made_up(contest, by_strength((3, 1), rng))])
    strong, plain = summary.standings
    apart = points(3)
    assert strong.rating.value - plain.rating.value == pytest.approx(apart, abs=10)
    assert strong.rating.low is not None
    assert strong.rating.high is not None
    assert strong.rating.low < apart / 2 < strong.rating.high
    assert {cell.bot: round(cell.win_share.value, 1) for cell in summary.matrix} == {"strong": 0.5, "plain": 0.1}


def test_the_interval_of_a_rating_covers_the_truth_at_its_rate() -> None:
    covered = 0
    for number in range(100):
        rng = Random(f"rating {number}")
        contest = Contest(("strong", "plain"), 20, seats=3)
        summary = summarise(contest, [made_up(contest, by_strength((3, 1), rng))])
        (rating,) = (standing.rating for standing in summary.standings if standing.bot == "strong")
        assert rating.low is not None
        assert rating.high is not None
        covered += rating.low <= points(3) / 2 <= rating.high
    assert 0.89 <= covered / 100 <= 0.99


def test_ties_count_as_all_their_orders() -> None:
    tied = fitted(2, [((0, 1),)] * 8)
    assert tied == pytest.approx([1, 1])
    assert fitted(3, [((0, 1), (2,))] * 2) == pytest.approx(fitted(3, [((0,), (1,), (2,)), ((1,), (0,), (2,))]))


def test_who_always_wins_is_not_infinitely_strong() -> None:
    found = fitted(3, [((0,), (1,), (2,))] * 50)
    assert found[0] > found[1] > found[2] > 0
    assert points(found[0]) < 2000


def test_a_field_alone_says_nothing() -> None:
    assert stages(((1,), (1,), (1,))) == ()
