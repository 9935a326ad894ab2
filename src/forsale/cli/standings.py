"""What a contest came to, as tables on a terminal."""

from rich import box
from rich.markup import escape
from rich.table import Table

from forsale.arena import Estimate, Summary

_WIDEST = 6
"""Bots in a matrix that still fits."""


def title(summary: Summary) -> str:
    """What was played, in one sentence."""
    contest = summary.contest
    variant = f" {contest.variant}" if contest.variant else ""
    return (
        f"{contest.deals:,} deals of {contest.rules.edition}{variant}, {contest.seats} seats, {contest.kind}: "
        f"{summary.games:,} games. A fair win share is {summary.fair:.1%}."
    )


def standings_table(summary: Summary) -> Table:
    """A row for each bot, the best first."""
    table = _table("bot")
    for heading in ("win\nshare", "95 %", "mean\nscore", "mean\nplace", "rating", "95 %", "decisions\n/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in summary.standings:
        rate = standing.decisions_per_second
        share, rating = standing.win_share, standing.rating
        table.add_row(
            escape(standing.bot),
            _shaded(f"{share.value:.1%}", share, summary.fair),
            interval(share, 100, ".1f"),
            f"{standing.score.value:.1f}",
            f"{standing.place.value:.2f}",
            f"{round(rating.value):+}",
            interval(rating, 1, "+.0f"),
            "–" if rate is None else f"{rate:,.0f}",
        )
    return table


def matrix_table(summary: Summary) -> Table | None:
    """The win share of each bot alone against each other; None where that says no more than the standings do."""
    contest = summary.contest
    if len(contest.line_ups) < 2 or len(contest.bots) > _WIDEST:
        return None
    cells = {(cell.bot, cell.other): cell.win_share for cell in summary.matrix}
    others = [bot for bot in contest.bots if any(bot == other for _, other in cells)]
    table = _table("alone" if contest.kind == "distinct" else "alone against")
    for other in others:
        name = escape(other)
        table.add_column(name if contest.kind == "distinct" else f"{contest.seats - 1} {name}", justify="right")
    for bot in contest.bots:
        row = [cells.get((bot, other)) for other in others]
        if any(row):
            table.add_row(escape(bot), *[_cell(share, summary.fair) for share in row])
    return table


def interval(estimate: Estimate, scale: float, format_: str) -> str:
    """An interval in so many units, or a dash."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{format(estimate.low * scale, format_)}…{format(estimate.high * scale, format_)}"


def _table(first: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, style="bold")
    return table


def _cell(share: Estimate | None, fair: float) -> str:
    if share is None:
        return ""
    return f"{_shaded(f'{share.value:.1%}', share, fair)}\n{interval(share, 100, '.1f')}"


def _shaded(text: str, share: Estimate, fair: float) -> str:
    """In colour where the interval leaves no doubt."""
    if share.low is not None and share.low > fair:
        return f"[green]{text}[/green]"
    if share.high is not None and share.high < fair:
        return f"[red]{text}[/red]"
    return text
