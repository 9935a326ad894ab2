"""The page of the proof: that it says what was found, and that the champion in the package is as strong as it says."""

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.proof import kept, page
from benchmarks.proof.cases import ANSWER, BLIND, CHAMPION, COMBOS, HOME, PAIR, PARTS, PLAIN, Case, Combo
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Figure, estimate, only_asked
from benchmarks.proof.reading import exact, gain, mean, percent
from benchmarks.proof.verdicts import verdicts
from forsale.bots.scripted import PERSONALITIES
from tests.benchmarks.proofs import OWN, result


def everywhere(value: float) -> list[Result]:
    """The same share in every case, less 0.1 for each seat beyond three."""
    cases = [case for part in ("copies", "mixed") for case in PARTS[part](())]
    return [result(case, value - 0.1 * (case.combo.seats - 3)) for case in cases]


def held(results: Sequence[Result]) -> list[bool]:
    return [verdict.held for verdict in verdicts(results)]


def test_the_verdicts_are_what_the_figures_say() -> None:
    strong = everywhere(0.8)
    assert held(strong) == [True] * 6
    (weak,) = [
        place
        for place, one in enumerate(strong)
        if one.case.part == "copies" and one.case.others == "sniper" and one.case.combo == Combo("manual", 6, None)
    ]
    strong[weak] = result(strong[weak].case, 0.18)
    assert held(strong) == [False, False, True, True, True, True], "its interval reaches the fair share"
    copies, strangers, *_ = verdicts(strong)
    assert copies.found.startswith(
        "360 of 360 cases, with the whole interval in 359; the nearest: `sniper`, `manual`, 6 "
    )
    assert strangers.found.startswith("72 of 72 cases, with the whole interval in 71; the nearest: `sniper`")
    assert held(everywhere(0.58)) == [True, True, True, False, False, True]
    assert held(everywhere(0.44)) == [False, False, False, False, False, False]


def test_those_against_champions_are_to_stay_below() -> None:
    cases = list(PARTS["field"](()))
    low, high = [result(case, 0.1) for case in cases], [result(case, 0.3) for case in cases]
    assert held(low) == [True]
    assert held(high) == [False]
    assert held([*low[:-1], high[-1]]) == [False]


def test_champions_of_all_seeds_meet_the_same_others_and_the_page_tells_how_far_apart_they_are() -> None:
    cases = list(PARTS["seeds"](["two"]))
    met = {name: {(one.combo, one.others) for one in cases if one.one == name} for name in (CHAMPION, "two")}
    assert met[CHAMPION] - {(combo, "two") for combo in COMBOS} == met["two"] - {(combo, CHAMPION) for combo in COMBOS}
    told = page.section([result(case, 0.5 if case.one == CHAMPION else 0.42) for case in cases])
    assert "| `two` | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 | 42.0 ± 0.9 |" in told
    assert f"| from the least to the most |{' 8.0 |' * 6}" in told


def test_an_answer_may_win_a_little_more_than_its_share() -> None:
    cases = list(PARTS["answers"]([ANSWER, PAIR]))
    four = [case for case in cases if case.combo.seats == 4]
    assert held([result(case, 0.29 if case.one == ANSWER else 0.9) for case in four]) == [True]
    assert held([result(case, 0.31) for case in four]) == [False]
    told = page.section([result(case, case.fair + 0.03) for case in cases])
    assert "| one that has learnt to beat it | 36 ± 1 | 28 ± 1 | 23 ± 1 | 20 ± 1 |" in told
    assert "| two that have learnt it, together | 70 ± 1 | 53 ± 1 | 43 ± 1 | 36 ± 1 |" in told
    assert told.count("| above fair | +3.0 ± 0.9 |") == 2


def test_figures_are_told_in_hundredths_with_half_of_their_interval_rounded_up() -> None:
    assert [percent(one) for one in (Figure(0.634, 0.61, 0.651), Figure(0.5, None, None), None)] == ["63 ± 3", "50", ""]
    assert exact(Figure(0.634, 0.61, 0.651)) == "63.4 ± 2.1"
    assert [gain(Figure(value, None, None)) for value in (0.05, -0.031)] == ["+5.0", "−3.1"]


def test_planners_are_judged_case_by_case_alone_and_as_a_field() -> None:
    cases = list(PARTS["planner"](()))
    good = [result(case, case.fair + (0.05 if case.one == CHAMPION else -0.05)) for case in cases]
    assert held(good) == [True, True]
    weak = [one for one in good if one.case.one == CHAMPION]
    weak[0] = result(weak[0].case, weak[0].case.fair + 0.01)
    assert held(weak) == [False], "one case is not sure"


def test_a_mean_over_other_deals_is_surer_and_over_the_same_it_is_not() -> None:
    case = Case("copies", HOME, CHAMPION, "miser", 20)
    one, other = result(case, 0.5), result(case._replace(others="tither"), 0.7)
    assert mean([one, other]) == pytest.approx((0.6, 0.58, 0.62))
    elsewhere = result(case._replace(combo=COMBOS[-1]), 0.7)
    within = 0.02 / 2**0.5
    assert mean([one, elsewhere]) == pytest.approx((0.6, 0.6 - within, 0.6 + within))
    assert mean([]) is None


def test_every_part_has_its_tables() -> None:
    names = {"share", "0", "all", "gain", "gain all"}
    names |= {f"{what}{number}" for what in ("", "gain ") for number in range(1, 8)}
    names |= {f"{other} {what}" for other in PERSONALITIES for what in ("0", "all", "gain")}
    figure = dict.fromkeys(names, Figure(0.4, 0.39, 0.42))
    results = [Result(case, {}, figure) for part in PARTS.values() for case in part((BLIND, ANSWER, PAIR, "two"))]
    told = page.section(results)
    assert told.count("### ") == len(PARTS)
    assert "Not played" not in told
    assert "Not played yet with these weights: field, planner, seeds, answers, history, seats.\n" in page.section(
        everywhere(0.5)
    )
    assert "\n\n\n" not in told
    assert all(len(line) <= 120 for line in told.splitlines() if not line.startswith("|"))
    assert "| 3 seats | 4 seats | 5 seats | 6 seats |" in told
    assert "| `two` alone against it | 40 ± 1 | 40 ± 1 | 40 ± 1 | 40 ± 1 |" in told
    assert "| `sniper`, kept out | 40 ± 1 |" in told
    assert "+40.0 ± 1.5" in told


def test_the_page_is_what_the_figures_say() -> None:
    _, rest = page.FILE.read_text(encoding="utf-8").split(page.BEGIN)
    written, _ = rest.split(page.END)
    assert written == page.section(kept.read(kept.FILE)), "`python -m benchmarks.proof page` writes it"


def test_the_figures_are_what_the_deals_say() -> None:
    """And slow cases have them all: otherwise more deals would begin anew, and for a while there would be fewer."""
    met = [one for one in kept.read(kept.FILE) if one.case.part in ("copies", "field", "planner")]
    slow = [one for one in met if only_asked(one.case, OWN)]
    assert len(slow) == 4 * len(COMBOS) + 4 * 7 + 2 * len(PLAIN), "four bots that are not compiled, and the planner"
    for one in slow:
        assert len(one.shares) == one.case.deals
        assert one.figures["share"] == pytest.approx(estimate(np.array(one.shares)), abs=1e-4)


def test_the_figures_are_those_of_the_champion_that_is_shipped() -> None:
    results = kept.read(kept.FILE)
    assert results
    assert {one.weights[CHAMPION] for one in results} == {OWN.digest(CHAMPION)}, "`make proof` plays it anew"


@pytest.mark.parametrize("part", ["copies", "mixed", "planner"])
def test_the_champion_is_surely_above_its_fair_share_against_everyone_everywhere(part: str) -> None:
    results = [one for one in kept.read(kept.FILE) if one.case.part == part]
    assert {one.case.what for one in results} == {case.what for case in PARTS[part](())}
    for case, figure in ((one.case, one.figures["share"]) for one in results if one.case.one == CHAMPION):
        assert figure.low is not None
        assert figure.low > case.fair, case


@pytest.mark.parametrize("part", ["field", "planner"])
def test_everyone_is_surely_below_a_fair_share_among_champions(part: str) -> None:
    field = [one for one in kept.read(kept.FILE) if one.case.part == part and one.case.others == CHAMPION]
    assert {one.case.what for one in field} == {case.what for case in PARTS[part](()) if case.others == CHAMPION}
    for case, figure in ((one.case, one.figures["share"]) for one in field):
        assert figure.high is not None
        assert figure.high < case.fair, case
