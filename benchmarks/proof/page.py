"""The figures as tables and in words: the part of `docs/champion.md` between its marks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, sqrt
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from benchmarks.proof.cases import (
    BLIND,
    CHAMPION,
    COMBOS,
    HOME,
    MIXED,
    OTHERS,
    PLAIN,
    PLANNER,
    STRANGERS,
    TABLES,
    Combo,
)
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import GAMES, Figure
from forsale.bots.scripted import PERSONALITIES

FILE = Path(__file__).parents[2] / "docs" / "champion.md"
BEGIN, END = "<!-- What `make proof` writes begins here, -->\n", "<!-- and ends here. -->\n"

SEATS = tuple(sorted({combo.seats for combo in COMBOS}))
TITLES = tuple(dict.fromkeys(combo.title for combo in COMBOS))
EDITIONS = tuple(dict.fromkeys(combo.title for combo in PLAIN))

_MIXED_AIM, _COPIES_AIM, _LEAST_AIM = 0.50, 0.55, 0.35
"""Of the champion at four seats: over mixed fields, on average over personalities, and against each of them."""


def write(results: Sequence[Result]) -> None:
    """Put the part in the place of the one that is there."""
    before, rest = FILE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    FILE.write_text(before + BEGIN + section(results) + END + after, encoding="utf-8")


def section(results: Sequence[Result]) -> str:
    """All that the results tell, and nothing of parts that were not played."""
    told = [_table(("aim", "found", "held"), [verdict.cells for verdict in verdicts(results)])]
    for part, tables in _PARTS.items():
        of_part = [result for result in results if result.case.part == part]
        if of_part:
            told.append(tables(of_part))
    unplayed = [part for part in _PARTS if all(result.case.part != part for result in results)]
    if unplayed:
        told.insert(1, _paragraph(f"Not played yet with these weights: {', '.join(unplayed)}."))
    return "\n" + "\n".join(told) + "\n"


# --- Figures ---------------------------------------------------------------------------------------------------------


def percent(figure: Figure | None) -> str:
    """In hundredths, and half the width of its interval, rounded up.

    >>> percent(Figure(0.634, 0.61, 0.651)), percent(Figure(0.5, None, None)), percent(None)
    ('63 ± 3', '50', '')
    """
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


# --- Verdicts --------------------------------------------------------------------------------------------------------


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
    alone, mixed, field, planner, seeds = (
        [result for result in results if result.case.part == part]
        for part in ("copies", "mixed", "field", "planner", "seeds")
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
        _above_by_seats("alone against planners, above its fair share", _of(planner, one=CHAMPION)),
        _below("a planner alone against champions, below its fair share", _of(planner, one=PLANNER)),
        _below("champions of other seeds alone against it, below their fair share", _of(seeds, others=CHAMPION)),
    ]
    return [verdict for verdict in found if verdict]


def _of(results: Iterable[Result], one: str | None = None, others: str | None = None) -> list[Result]:
    return [result for result in results if one in (None, result.case.one) and others in (None, result.case.others)]


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

    def is_sure(result: Result) -> bool:
        _, low, high = result.figures["share"]
        return (
            low is not None and high is not None and (low > result.case.fair if sign > 0 else high < result.case.fair)
        )

    sure, likely = sum(map(is_sure, results)), sum(apart(result) > 0 for result in results)
    nearest = min(results, key=apart)
    case = nearest.case
    who = "" if case.others == MIXED else f"`{case.others if case.one == CHAMPION else case.one}`, "
    where = f"{who}{case.combo.title}, {case.combo.seats} seats"
    counted = f"{likely:,} of {len(results):,} cases, with the whole interval in {sure:,}"
    figure = f"{exact(nearest.figures['share'])} (fair {100 * case.fair:.0f})"
    return Verdict(aim, f"{counted}; the nearest: {where}, {figure}", sure == len(results))


def _above_by_seats(aim: str, results: Sequence[Result]) -> Verdict | None:
    """Few deals for each edition: what holds with its interval is the mean over editions."""
    if not results:
        return None
    figures = {seats: mean(_at(results, seats)) for seats in SEATS}
    told = ", ".join(f"{exact(figure)} at {seats} seats" for seats, figure in figures.items() if figure)
    held = all(figure.low is not None and figure.low > 1 / seats for seats, figure in figures.items() if figure)
    return Verdict(aim, f"over all editions {told}", held)


def _at_least(aim: str, least: float, results: Sequence[Result]) -> Verdict | None:
    figure = mean(results)
    return figure and Verdict(aim, f"{exact(figure)} over all editions", figure.value >= least)


def _none_below(aim: str, least: float, results: Sequence[Result]) -> Verdict | None:
    if not results:
        return None
    by_other = {name: mean(_of(results, others=name)) for name in PERSONALITIES}
    name, figure = min(((name, figure) for name, figure in by_other.items() if figure), key=lambda item: item[1].value)
    lowest = min(results, key=lambda result: result.figures["share"].value)
    where = f"`{lowest.case.others}`, {lowest.case.combo.title}, {exact(lowest.figures['share'])}"
    return Verdict(
        aim,
        f"the least: `{name}`, {exact(figure)} over all editions; in one edition: {where}",
        lowest.figures["share"].value >= least,
    )


# --- Tables ----------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    under = f"|{'---|' * len(head)}\n"
    first, *others = (f"| {' | '.join(line)} |\n" for line in (head, *rows))
    return "".join((first, under, *others))


def _at(results: Iterable[Result], seats: int, title: str | None = None) -> list[Result]:
    return [
        result for result in results if result.case.combo.seats == seats and title in (None, result.case.combo.title)
    ]


def _headed(title: str, command: str, text: str) -> str:
    return f"### {title}\n\n" + _paragraph(f"`python -m benchmarks.proof {command}`: {text}")


def _paragraph(text: str) -> str:
    return fill(text, 120, break_on_hyphens=False, break_long_words=False) + "\n"


def _deals(results: Sequence[Result]) -> str:
    """How many deals a case has."""
    fewest, most = min(result.case.deals for result in results), max(result.case.deals for result in results)
    return f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"


def _games(results: Sequence[Result]) -> str:
    return f"{sum(result.case.deals * result.case.combo.seats for result in results):,}"


_FAIR = ("fair", *(f"{100 / seats:.0f}" for seats in SEATS))
_BY_SEATS = tuple(f"{seats} seats" for seats in SEATS)


def _by_seats(title: str, results: Sequence[Result]) -> list[str]:
    return [title, *(percent(mean(_at(results, seats))) for seats in SEATS)]


def _name(bot: str) -> str:
    return f"`{bot}`, kept out" if bot in STRANGERS else f"`{bot}`"


def _copies(results: Sequence[Result]) -> str:
    by_other = {other: _of(results, others=other) for other in OTHERS}
    people = [result for result in results if result.case.others in PERSONALITIES]
    strangers = [result for result in people if result.case.others in STRANGERS]
    rows = [_by_seats(_name(other), found) for other, found in by_other.items()]
    rows += [_by_seats("kept out, on average", strangers), _by_seats("personalities, on average", people)]
    four = [
        [_name(other), *(percent(mean(_at(found, HOME.seats, title))) for title in TITLES)]
        for other, found in by_other.items()
    ]
    text = (
        f"alone against copies of each, {_deals(results)} deals in each edition and variant, {_games(results)} games "
        "in all; the mean over editions and variants. Families that are kept out of training are marked."
    )
    return "\n".join(
        (
            _headed("Alone against copies", "copies", text),
            _table(("win share, %", *_BY_SEATS), [_FAIR, *rows]),
            "Of these, with four seats, each edition and variant (fair: 25):\n",
            _table(("win share, %", *TITLES), four),
        )
    )


def _mixed(results: Sequence[Result]) -> str:
    text = f"other personalities for each deal, {_deals(results)} deals in each case, {_games(results)} games in all."
    rows = [_by_seats(title, [one for one in results if one.case.combo.title == title]) for title in TITLES]
    return "\n".join(
        (
            _headed("Alone against mixed personalities", "mixed", text),
            _table(("win share, %", *_BY_SEATS), [_FAIR, *rows, _by_seats("on average", results)]),
        )
    )


def _field(results: Sequence[Result]) -> str:
    columns = [combo for combo in PLAIN if combo.seats == HOME.seats]
    columns += [Combo(HOME.edition, seats, None) for seats in SEATS if seats != HOME.seats]
    text = (
        f"the share of one other bot among champions, {_deals(results)} deals in each case, {_games(results)} games in "
        "all."
    )
    rows = [
        [_name(other), *(percent(mean(_at(_of(results, one=other), combo.seats, combo.title))) for combo in columns)]
        for other in OTHERS
    ]
    return "\n".join(
        (
            _headed("One against champions", "field", text),
            _table(
                ("win share, %", *(f"{combo.title}, {combo.seats} seats" for combo in columns)),
                [("fair", *(f"{100 / combo.seats:.0f}" for combo in columns)), *rows],
            ),
        )
    )


def _planner(results: Sequence[Result]) -> str:
    alone, reverse = _of(results, one=CHAMPION), _of(results, one=PLANNER)
    tables = []
    for told, found in (("The champion alone against planners", alone), ("A planner alone against champions", reverse)):
        if found:
            rows = [_by_seats(title, [one for one in found if one.case.combo.title == title]) for title in EDITIONS]
            tables += [
                f"{told}, {_deals(found)} deals in each case:\n",
                _table(("win share, %", *_BY_SEATS), [_FAIR, *rows, _by_seats("on average", found)]),
            ]
    text = f"`{PLANNER}`, which thinks for a twentieth of a second; {_games(results)} games in all."
    return "\n".join((_headed("The planner", "planner", text), *tables))


def _history(results: Sequence[Result]) -> str:
    told = []
    for result in results:
        figures, deals = result.figures, f"{result.case.deals:,}"
        if result.case.others == TABLES:
            told.append(_over_games(figures, deals))
        elif result.case.one == BLIND:
            told.append(
                _paragraph(
                    f"A net that was trained without watching has {percent(figures['0'])} on the same deals: "
                    f"the champion gains {gain(figures['gain'])} on it."
                )
            )
        else:
            told.insert(0, _by_rounds(figures, deals))
    return "\n".join(told)


def _by_rounds(figures: Mapping[str, Figure], deals: str) -> str:
    stops = [name for name in figures if name.isdigit()]
    text = (
        f"alone against three copies of each personality at four seats of {HOME.title}, {deals} deals each, the same "
        "for every row. Watching stops after so many auctions, and what was seen until then is all it is ever told; "
        "then all auctions and sales. The gain is over seeing nothing, of the same net: one that has learnt to watch "
        "may play worse than need be when it sees nothing, so that this is more than watching is worth to a net that "
        "never could."
    )
    rows = [[stop, percent(figures[stop]), gain(figures[f"gain {stop}"]) if stop != "0" else ""] for stop in stops]
    rows.append(["all, and sales", percent(figures["all"]), gain(figures["gain all"])])
    people = [
        [_name(other), *(percent(figures[f"{other} {stop}"]) for stop in ("0", "all")), gain(figures[f"{other} gain"])]
        for other in PERSONALITIES
    ]
    return "\n".join(
        (
            _headed("What watching gains", "history", text),
            _table(("auctions watched", "win share, %", "gain"), rows),
            _table(("against", "nothing watched", "everything", "gain"), people),
        )
    )


def _over_games(figures: Mapping[str, Figure], deals: str) -> str:
    text = (
        "Game after game with the same line-up, as in training, with what was seen in the games before, beside the "
        f"same games as if each were the first ({deals} tables for each personality):"
    )
    rows = [
        [str(game), percent(figures[str(game)]), gain(figures[f"gain {game}"]) if game > 1 else ""]
        for game in range(1, GAMES + 1)
    ]
    return "\n".join((_paragraph(text), _table(("game at the table", "win share, %", "gain"), rows)))


def _seats(results: Sequence[Result]) -> str:
    text = (
        f"champions among themselves, {_deals(results)} games in each edition and variant; the mean over these. The "
        "first seat is the one that opens the first auction."
    )
    rows = []
    for seats in SEATS:
        found = _at(results, seats)
        if found:
            places = [percent(mean(found, str(place))) for place in range(1, seats + 1)]
            rows.append([str(seats), f"{100 / seats:.0f}", *places, *[""] * (SEATS[-1] - seats)])
    return "\n".join(
        (
            _headed("Which seat is the best", "seats", text),
            _table(("seats", "fair", *(f"seat {place}" for place in range(1, SEATS[-1] + 1))), rows),
        )
    )


def _seeds(results: Sequence[Result]) -> str:
    names = sorted({result.case.others for result in _of(results, one=CHAMPION)})
    rows = [_by_seats(f"it alone against `{name}`", _of(results, CHAMPION, name)) for name in names]
    rows += [_by_seats(f"`{name}` alone against it", _of(results, name, CHAMPION)) for name in names]
    text = f"{_deals(results)} deals in each edition; the mean over editions."
    return "\n".join(
        (
            _headed("Champions of other seeds", "seeds", text),
            _table(("win share, %", *_BY_SEATS), [_FAIR, *rows]),
        )
    )


_PARTS: Mapping[str, Callable[[Sequence[Result]], str]] = {
    "copies": _copies,
    "mixed": _mixed,
    "field": _field,
    "planner": _planner,
    "seeds": _seeds,
    "history": _history,
    "seats": _seats,
}
