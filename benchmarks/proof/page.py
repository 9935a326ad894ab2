"""The figures as tables and in words: the part of `docs/champion.md` between its marks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from benchmarks.proof.cases import (
    ANSWER,
    BLIND,
    CHAMPION,
    COMBOS,
    HOME,
    MIXED,
    OTHERS,
    PAIR,
    PLAIN,
    PLANNER,
    STRANGERS,
    TABLES,
    Combo,
)
from benchmarks.proof.kept import Result
from benchmarks.proof.playing import GAMES, Figure
from benchmarks.proof.reading import SEATS, above_fair, at, exact, gain, mean, of, percent
from benchmarks.proof.verdicts import verdicts
from forsale.bots.scripted import PERSONALITIES

FILE = Path(__file__).parents[2] / "docs" / "champion.md"
BEGIN, END = "<!-- What `make proof` writes begins here, -->\n", "<!-- and ends here. -->\n"

TITLES = tuple(dict.fromkeys(combo.title for combo in COMBOS))
EDITIONS = tuple(dict.fromkeys(combo.title for combo in PLAIN))


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


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    under = f"|{'---|' * len(head)}\n"
    first, *others = (f"| {' | '.join(line)} |\n" for line in (head, *rows))
    return "".join((first, under, *others))


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
    return [title, *(percent(mean(at(results, seats))) for seats in SEATS)]


def _name(bot: str) -> str:
    return f"`{bot}`, kept out" if bot in STRANGERS else f"`{bot}`"


def _copies(results: Sequence[Result]) -> str:
    by_other = {other: of(results, others=other) for other in OTHERS}
    people = [result for result in results if result.case.others in PERSONALITIES]
    strangers = [result for result in people if result.case.others in STRANGERS]
    rows = [_by_seats(_name(other), found) for other, found in by_other.items()]
    rows += [_by_seats("kept out, on average", strangers), _by_seats("personalities, on average", people)]
    four = [
        [_name(other), *(percent(mean(at(found, HOME.seats, title))) for title in TITLES)]
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
        [_name(other), *(percent(mean(at(of(results, one=other), combo.seats, combo.title))) for combo in columns)]
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
    alone, reverse = of(results, one=CHAMPION), of(results, one=PLANNER)
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
        found = at(results, seats)
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
    names = sorted({result.case.one for result in results} - {CHAMPION})
    meeting = [result for result in results if {result.case.one, result.case.others} <= {CHAMPION, *names}]
    rows = [_by_seats(f"it alone against `{name}`", of(results, CHAMPION, name)) for name in names]
    rows += [_by_seats(f"`{name}` alone against it", of(results, name, CHAMPION)) for name in names]
    text = (
        f"trained alike, but for the seed. Each alone against the other, {_deals(meeting)} deals in each edition; the "
        "mean over editions."
    )
    return "\n".join(
        (
            _headed("Champions of other seeds", "seeds", text),
            _table(("win share, %", *_BY_SEATS), [_FAIR, *rows]),
            "How strong each is, on the same deals, in all editions and variants:\n",
            _spread(results, (CHAMPION, *names)),
        )
    )


def _spread(results: Sequence[Result], names: Sequence[str]) -> str:
    """Of champions trained alike: against mixed personalities by the number of seats, and copies at four."""
    by_name = []
    for name in names:
        copies = [result for result in of(results, one=name) if result.case.others in PERSONALITIES]
        by_other = [found for other in PERSONALITIES if (found := mean(of(copies, others=other)))]
        mixed = [mean(at(of(results, name, MIXED), seats)) for seats in SEATS]
        by_name.append([*mixed, mean(copies), min(by_other, key=lambda figure: figure.value, default=None)])
    rows = [
        [f"`{name}`", *(exact(figure) if figure else "" for figure in figures)]
        for name, figures in zip(names, by_name, strict=True)
    ]
    columns = [[100 * figure.value for figure in column if figure] for column in zip(*by_name, strict=True)]
    apart = [f"{max(column) - min(column):.1f}" if column else "" for column in columns]
    head = [f"mixed, {seats} seats" for seats in SEATS] + ["copies, 4 seats", "the worst of them"]
    return _table(("win share, %", *head), [*rows, ["from the least to the most", *apart]])


def _answers(results: Sequence[Result]) -> str:
    """Win shares, and what they are above the fair one."""
    rows = []
    for name, told in ((ANSWER, "one that has learnt to beat it"), (PAIR, "two that have learnt it, together")):
        found = of(results, one=name)
        if found:
            by_seats = [at(found, seats) for seats in SEATS]
            above = [above_fair(some) for some in by_seats]
            rows.append(_by_seats(told, found))
            rows.append(["above fair", *(gain(figure) if figure else "" for figure in above)])
    text = (
        "nets that began as the champion and then met nobody but copies of it, with a tenth of the decisions that it "
        "was trained on; alone in every seat, or two in every two seats that share what they win. "
        f"{_deals(results)} deals in each edition and variant; the mean over these."
    )
    table = _table(("win share, %", *_BY_SEATS), rows)
    return "\n".join((_headed("Who has learnt to beat it", "answers", text), table))


_PARTS: Mapping[str, Callable[[Sequence[Result]], str]] = {
    "copies": _copies,
    "mixed": _mixed,
    "field": _field,
    "planner": _planner,
    "seeds": _seeds,
    "answers": _answers,
    "history": _history,
    "seats": _seats,
}
