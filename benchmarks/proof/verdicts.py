"""The aims, and whether the results hold them."""

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.proof.cases import ANSWER, CHAMPION, HOME, MIXED, PLANNER, STRANGERS
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Figure
from benchmarks.proof.reading import SEATS, above_fair, at, exact, gain, mean, of
from forsale.bots.scripted import PERSONALITIES

_MIXED_AIM, _COPIES_AIM, _LEAST_AIM = 0.50, 0.55, 0.35
"""Of the champion at four seats: over mixed fields, on average over personalities, and against each of them."""
_ANSWER_AIM = 0.05
"""The most that who has learnt to beat it is to have above the fair share."""


class Verdict(NamedTuple):
    """What was to be shown, what was found, and whether that is so."""

    aim: str
    found: str
    held: bool

    @property
    def cells(self) -> tuple[str, str, str]:
        return self.aim, self.found, "yes" if self.held else "**no**"


def verdicts(results: Sequence[Result]) -> list[Verdict]:
    """On all aims of which something was played."""
    alone, mixed, field, planner, answers = (
        [result for result in results if result.case.part == part]
        for part in ("copies", "mixed", "field", "planner", "answers")
    )
    people = [result for result in alone if result.case.others in PERSONALITIES]
    strangers = [result for result in people if result.case.others in STRANGERS]
    four, mixed_four = ([one for one in some if one.case.combo.seats == HOME.seats] for some in (people, mixed))
    found = [
        _above("alone against copies of a bot, above its fair share in every case", alone),
        _above("the same against families that it has never met", strangers),
        _above("alone against mixed personalities, above its fair share in every case", mixed),
        _at_least("at four seats at least 50 % against mixed personalities", _MIXED_AIM, mixed_four),
        _at_least("at four seats at least 55 % on average over three copies of each", _COPIES_AIM, four),
        _none_below("at four seats no personality against which it has less than 35 %", _LEAST_AIM, four),
        _below("each other bot alone against champions, below its fair share", field),
        _above("alone against planners, above its fair share in every case", of(planner, one=CHAMPION)),
        _below("a planner alone against champions, below its fair share in every case", of(planner, one=PLANNER)),
        _at_most_above(
            "a net that has learnt to beat it, at most 5 points above its fair share", _ANSWER_AIM, of(answers, ANSWER)
        ),
    ]
    return [verdict for verdict in found if verdict]


def _above(aim: str, results: Sequence[Result]) -> Verdict | None:
    return _compared(aim, results, 1)


def _below(aim: str, results: Sequence[Result]) -> Verdict | None:
    return _compared(aim, results, -1)


def _compared(aim: str, results: Sequence[Result], sign: int) -> Verdict | None:
    """With the whole interval above the fair share, or below it if the sign is negative."""
    if not results:
        return None

    def apart(result: Result) -> float:
        return sign * (result.figures["share"].value / result.case.fair - 1)

    sure = sum(_is_sure(result.figures["share"], result.case.fair, sign) for result in results)
    likely = sum(apart(result) > 0 for result in results)
    nearest = min(results, key=apart)
    case = nearest.case
    who = "" if case.others == MIXED else f"`{case.others if case.one == CHAMPION else case.one}`, "
    where = f"{who}{case.combo.title}, {case.combo.seats} seats"
    counted = f"{likely:,} of {len(results):,} cases, with the whole interval in {sure:,}"
    figure = f"{exact(nearest.figures['share'])} (fair {100 * case.fair:.0f})"
    return Verdict(aim, f"{counted}; the nearest: {where}, {figure}", sure == len(results))


def _is_sure(figure: Figure, fair: float, sign: int) -> bool:
    """Whether the whole interval is on this side of the fair share."""
    _, low, high = figure
    return low is not None and high is not None and (low > fair if sign > 0 else high < fair)


def _at_least(aim: str, least: float, results: Sequence[Result]) -> Verdict | None:
    figure = mean(results)
    return figure and Verdict(aim, f"{exact(figure)} over all editions", figure.value >= least)


def _at_most_above(aim: str, most: float, results: Sequence[Result]) -> Verdict | None:
    if not results:
        return None
    above = {seats: above_fair(at(results, seats)) for seats in SEATS}
    told = ", ".join(f"{gain(figure)} at {seats} seats" for seats, figure in above.items() if figure)
    held = all(figure.value <= most for figure in above.values() if figure)
    return Verdict(aim, f"over all editions {told}", held)


def _none_below(aim: str, least: float, results: Sequence[Result]) -> Verdict | None:
    if not results:
        return None
    by_other = {name: mean(of(results, others=name)) for name in PERSONALITIES}
    name, figure = min(((name, figure) for name, figure in by_other.items() if figure), key=lambda item: item[1].value)
    lowest = min(results, key=lambda result: result.figures["share"].value)
    where = f"`{lowest.case.others}`, {lowest.case.combo.title}, {exact(lowest.figures['share'])}"
    return Verdict(
        aim,
        f"the least: `{name}`, {exact(figure)} over all editions; in one edition: {where}",
        lowest.figures["share"].value >= least,
    )
