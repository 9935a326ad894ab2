"""Results read together: which of them, what they come to, and how a page has that."""

from collections.abc import Iterable, Sequence
from math import ceil, sqrt

from benchmarks.proof.cases import COMBOS, Combo
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import Figure

SEATS = tuple(sorted({combo.seats for combo in COMBOS}))


def percent(figure: Figure | None) -> str:
    """In hundredths, and half the width of its interval, rounded up."""
    if figure is None:
        return ""
    value, low, high = figure
    return f"{100 * value:.0f}" + ("" if low is None or high is None else f" ± {ceil(50 * (high - low))}")


def exact(figure: Figure) -> str:
    """With a decimal, where it is held against an aim."""
    value, low, high = figure
    return f"{100 * value:.1f}" + ("" if low is None or high is None else f" ± {ceil(500 * (high - low)) / 10:.1f}")


def gain(figure: Figure) -> str:
    """The same with a sign: gains are small."""
    return f"{'−' if figure.value < 0 else '+'}{exact(figure).removeprefix('-')}"


def mean(results: Iterable[Result], name: str = "share") -> Figure | None:
    """Over all cases. Those of one edition and number of seats have the same deals, so that an interval must be as wide
    as theirs are on average; others are independent."""
    by_combo: dict[Combo, list[Figure]] = {}
    for result in results:
        by_combo.setdefault(result.case.combo, []).append(result.figures[name])
    if not by_combo:
        return None
    means = [_as_wide(figures) for figures in by_combo.values()]
    value = sum(figure.value for figure in means) / len(means)
    downs = [figure.value - figure.low for figure in means if figure.low is not None]
    ups = [figure.high - figure.value for figure in means if figure.high is not None]
    if len(downs) < len(means):
        return Figure(value, None, None)
    down, up = (sqrt(sum(part**2 for part in parts)) / len(means) for parts in (downs, ups))
    return Figure(value, value - down, value + up)


def _as_wide(figures: Sequence[Figure]) -> Figure:
    lows = [figure.low for figure in figures if figure.low is not None]
    highs = [figure.high for figure in figures if figure.high is not None]
    value = sum(figure.value for figure in figures) / len(figures)
    if len(lows) < len(figures):
        return Figure(value, None, None)
    return Figure(value, sum(lows) / len(lows), sum(highs) / len(highs))


def of(results: Iterable[Result], one: str | None = None, others: str | None = None) -> list[Result]:
    return [result for result in results if one in (None, result.case.one) and others in (None, result.case.others)]


def at(results: Iterable[Result], seats: int, title: str | None = None) -> list[Result]:
    return [
        result for result in results if result.case.combo.seats == seats and title in (None, result.case.combo.title)
    ]


def above_fair(results: Sequence[Result]) -> Figure | None:
    """Over all cases, which have the same number of seats."""
    figure = mean(results)
    if figure is None:
        return None
    fair = results[0].case.fair
    low, high = (None if end is None else end - fair for end in figure[1:])
    return Figure(figure.value - fair, low, high)
