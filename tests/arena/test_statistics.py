"""Statistics that keep their word: tested on contests whose truth is known."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from forsale.arena import Chunk, Contest, Estimate, Tally, play, summarise
from forsale.arena.lineups import LineUp
from forsale.arena.playing import HOUSE_SUMS
from forsale.arena.statistics import GROUPS, Bootstrap, places, shares
from tests.arena.contests import Scores, made_up, one_winner, seated

FAIR = 0.25


ONE = ("one", "field")


def contest_of(deals: int, kind: str = "against-field", bots: tuple[str, ...] = ONE, seed: int = 1) -> Contest:
    return Contest(bots, deals, kind=kind, seed=seed)


def holds(estimate: Estimate, truth: float) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def share_of_the_first(contest: Contest, scores: Scores) -> Estimate:
    tally = Tally(contest)
    tally.add(made_up(contest, scores))
    return Bootstrap(tally.groups, contest).share(("won", 0), ("deals",), 60 * contest.seats)


# --- Truth -----------------------------------------------------------------------------------------------------------


def test_identical_bots_show_no_difference() -> None:
    """Real games of one bot under two names."""
    contest = contest_of(150, kind="round-robin", bots=("left", "right"))
    summary = summarise(contest, play(contest, seated=seated))
    for standing in summary.standings:
        assert holds(standing.win_share, FAIR)
        assert holds(standing.rating, 0)
    assert [holds(cell.win_share, FAIR) for cell in summary.matrix] == [True, True]
    means = [standing.score for standing in summary.standings]
    assert holds(means[0], means[1].value)


def test_a_bot_two_points_better_is_found() -> None:
    """Wins 27 % of its games against three that share the rest."""
    contest = contest_of(4000)
    share = share_of_the_first(contest, one_winner([0.27, 0.73 / 3], Random("two points")))
    assert share.low is not None
    assert share.low > FAIR
    assert holds(share, 0.27)


def test_few_deals_do_not_find_two_points() -> None:
    share = share_of_the_first(contest_of(60), one_winner([0.27, 0.73 / 3], Random("few")))
    assert holds(share, FAIR)


def coverage(deals: int, scores: "type[Independent] | type[AllOrNothing]", experiments: int = 400) -> float:
    covered = 0
    for number in range(experiments):
        contest = contest_of(deals, seed=number % 3)  # the draws of a seed are made once
        covered += holds(share_of_the_first(contest, scores(Random(f"{deals} {number}"))), 0.3)
    return covered / experiments


class Independent:
    """The first bot wins 30 % of its games, whatever the deal."""

    def __init__(self, rng: Random) -> None:
        self._scores = one_winner([0.3, 0.7 / 3], rng)

    def __call__(self, deal: int, seated: LineUp) -> Sequence[int]:
        return self._scores(deal, seated)


class AllOrNothing:
    """The first bot wins 30 % of the deals, each in every rotation."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._won: dict[int, bool] = {}

    def __call__(self, deal: int, seated: LineUp) -> Sequence[int]:
        won = self._won.setdefault(deal, self._rng.random() < 0.3)
        return [(bot == 0) == won for bot in seated]


@pytest.mark.parametrize("deals", [20, 60])
def test_the_interval_covers_the_truth_at_its_rate(deals: int) -> None:
    """95 %, give or take two standard errors of so many experiments."""
    assert 0.928 <= coverage(deals, Independent) <= 0.975


def test_more_deals_than_groups_are_covered_as_well() -> None:
    assert 0.88 <= coverage(GROUPS + 150, Independent, experiments=50) <= 1


def test_deals_are_drawn_not_games() -> None:
    """Where a deal decides all its games, four games tell no more than one."""
    assert 0.92 <= coverage(60, AllOrNothing) <= 0.975


def test_games_drawn_alone_would_promise_too_much() -> None:
    """The check of the check: with each game taken for itself, the interval misses the truth far too often."""
    covered = 0
    for number in range(400):
        scores = AllOrNothing(Random(f"60 {number}"))
        wins = [float(scores(deal, (0, 1, 1, 1))[0]) for deal in range(60) for _ in range(4)]
        covered += abs(fmean(wins) - 0.3) <= 1.96 * stdev(wins) / sqrt(len(wins))
    assert covered / 400 < 0.75


def test_an_interval_is_as_wide_as_theory_says() -> None:
    share = share_of_the_first(contest_of(1000), Independent(Random("width")))
    assert share.low is not None
    assert share.high is not None
    assert share.high - share.low == pytest.approx(2 * 1.96 * sqrt(0.3 * 0.7 / 4000), rel=0.12)


# --- Edges -----------------------------------------------------------------------------------------------------------


def test_few_deals_have_no_interval() -> None:
    share = share_of_the_first(contest_of(9), Independent(Random(1)))
    assert (share.low, share.high) == (None, None)


@pytest.mark.parametrize(("won", "value"), [(True, 1.0), (False, 0.0)])
def test_always_and_never_are_not_certain(won: bool, value: float) -> None:
    share = share_of_the_first(contest_of(100), lambda _deal, seated: [(bot == 0) == won for bot in seated])
    assert share.value == value
    assert holds(share, value)
    assert holds(share, abs(value - 0.036))
    assert not holds(share, abs(value - 0.04))


def test_ties_are_shared() -> None:
    contest = contest_of(10)
    summary = summarise(contest, [made_up(contest, lambda _deal, _seated: [7, 7, 7, 7])])
    for standing in summary.standings:
        assert standing.win_share.value == FAIR
        assert standing.place.value == 1
        assert standing.rating.value == pytest.approx(0)


def test_coins_break_ties() -> None:
    assert places([5, 5, 5], [0, 2, 1]) == (3, 1, 2)
    assert places([5, 5, 9], [1, 1, 0]) == (2, 2, 1)
    assert shares((1, 1, 3)) == [0.5, 0.5, 0.0]


def test_order_and_size_of_chunks_do_not_matter() -> None:
    contest = Contest(("left", "timid"), 12)
    whole = list(play(contest, seated=seated))
    parts = [chunk for start in (9, 1, 5) for chunk in play(contest, [(start, 4)], seated=seated)]
    one, other = (summarise(contest, chunks) for chunks in (whole, parts))
    assert one.matrix == other.matrix
    assert one.trades == other.trades
    assert [standing.win_share for standing in one.standings] == [standing.win_share for standing in other.standings]
    assert [standing.rating for standing in one.standings] == [standing.rating for standing in other.standings]


# --- Sums ------------------------------------------------------------------------------------------------------------


def test_standings_and_matrix_of_a_round_robin() -> None:
    """Who has the higher number wins; alone and in the field."""
    contest = contest_of(12, kind="round-robin", bots=("a", "b", "c"))
    summary = summarise(contest, [made_up(contest, lambda _deal, seated: [10 * bot for bot in seated])])
    assert [standing.bot for standing in summary.standings] == ["c", "b", "a"]
    assert {(cell.bot, cell.other): cell.win_share.value for cell in summary.matrix} == {
        ("a", "b"): 0,
        ("a", "c"): 0,
        ("b", "a"): 1,
        ("b", "c"): 0,
        ("c", "a"): 1,
        ("c", "b"): 1,
    }
    # Alone it wins whole games, in a field of three it shares them.
    assert [standing.win_share.value for standing in summary.standings] == [0.5, 0.25, 0]
    assert [standing.score.value for standing in summary.standings] == [20, 10, 0]
    assert sum(standing.seats for standing in summary.standings) == 4 * summary.games


def test_different_bots_at_one_table() -> None:
    contest = Contest(("a", "b", "c", "d"), 12, seats=3, kind="distinct")
    summary = summarise(contest, [made_up(contest, lambda _deal, seated: list(seated))])
    shares_ = {(cell.bot, cell.other): cell.win_share.value for cell in summary.matrix}
    assert shares_["d", "a"] == 1
    assert shares_["c", "a"] == 0.5
    assert shares_["c", "d"] == 0
    assert summary.games == 12 * 4 * 3


def test_prices_and_cheques_are_means() -> None:
    contest = contest_of(1)
    chunk = made_up(contest, lambda _deal, _seated: [0, 0, 0, 0])
    chunk.houses[0][:HOUSE_SUMS] = [4, 6, 2, 9]
    chunk.houses[0][HOUSE_SUMS : 2 * HOUSE_SUMS] = [1, 0, 0, 0]
    first, second, third, *_ = summarise(contest, [chunk]).trades["one"]
    assert (first.house, first.price, first.cheque) == (1, 1.5, 4.5)
    assert (second.house, second.price, second.cheque) == (2, 0.0, None)
    assert (third.bought, third.price) == (0, None)


def test_speed_is_decisions_by_the_time_that_they_took() -> None:
    contest = contest_of(2)
    chunk = made_up(contest, lambda _deal, _seated: [0, 0, 0, 0])
    chunk.seconds[:] = [2.0, 0.0]
    speeds = {standing.bot: standing.decisions_per_second for standing in summarise(contest, [chunk]).standings}
    assert speeds == {"one": 4.0, "field": None}


def test_an_empty_tally_takes_chunks() -> None:
    tally = Tally(contest_of(3))
    assert tally.deals == 0
    tally.add(Chunk(2, 1, [0] * 16, [0] * 16, [1] * 16, [[0] * 120] * 2, [0.0] * 2))
    assert tally.deals == 1
