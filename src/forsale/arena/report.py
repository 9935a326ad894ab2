"""What a contest came to, as one page of HTML: plots of our own, nothing from elsewhere, light and dark."""

from collections.abc import Callable, Iterable
from html import escape
from importlib.resources import files
from pathlib import Path

from forsale.arena.files import replace_whole
from forsale.arena.plots import bars, panels
from forsale.arena.statistics import FEWEST_DEALS, Estimate, Standing, Summary, Trade

_MEANING = {
    "round-robin": "each alone against a field of each other",
    "against-field": "the first alone against a field of each other",
    "field-against": "each other alone against a field of the first",
    "distinct": "a different bot in every seat",
}


def write_html(path: Path, summary: Summary) -> None:
    """The report, in one file."""
    replace_whole(path, html(summary).encode())


def html(summary: Summary) -> str:
    """The whole page."""
    contest = summary.contest
    title = f"Arena: {', '.join(contest.bots)}"
    style = files("forsale.arena").joinpath("report.css").read_text(encoding="utf-8")
    sections = [
        _heading(summary),
        _section("Win share", _about_shares(summary), _win_shares(summary)),
        _section("Results", " ".join(summary.remarks), _results(summary)),
        *_matrix(summary),
        _section("Ratings", _ABOUT_RATINGS, _ladder(summary)),
        _section(
            "Price paid for each house",
            _about_houses("paid for a house"),
            _by_house(summary, "price", lambda trade: (trade.bought, trade.price)),
        ),
        _section(
            "Cheques earned for each house",
            _about_houses("got for a house"),
            _by_house(summary, "cheque", lambda trade: (trade.sold, trade.cheque)),
        ),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


# --- Words -----------------------------------------------------------------------------------------------------------

_ABOUT_RATINGS = (
    "Plackett–Luce strengths, from the order in which all seats finished: 0 is the mean, and who has 400 points more "
    "finishes ahead ten times as often as behind. With 95 % intervals. A rating sums up; win shares say against whom."
)


def _about_shares(summary: Summary) -> str:
    told = (
        "The share of its games that a seat of each bot won, with its 95 % interval (bootstrap by deal). The dashed "
        f"line is the fair share, 1/{summary.contest.seats}: an interval that does not reach it tells a difference."
    )
    few = f" With fewer than {FEWEST_DEALS} deals, no interval is given."
    return told + few if summary.contest.deals < FEWEST_DEALS else told


def _about_houses(what: str) -> str:
    return f"The coins that each bot {what}, on average. Grey and dashed, the same for all bots together."


def _heading(summary: Summary) -> str:
    contest = summary.contest
    facts = {
        "edition": contest.rules.edition + (f", {contest.variant}" if contest.variant else ""),
        "seats": str(contest.seats),
        "line-ups": f"{contest.kind}: {_MEANING[contest.kind]}",
        "deals": f"{contest.deals:,}, seed {contest.seed}",
        "games": f"{summary.games:,}: every deal in every rotation of the seats",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return f"<header>\n<h1>{escape(', '.join(contest.bots))}</h1>\n<dl>{listed}</dl>\n</header>"


def _section(title: str, about: str, content: str) -> str:
    told = f"<p>{escape(about)}</p>\n" if about else ""
    return f"<section>\n<h2>{title}</h2>\n{told}{content}\n</section>"


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _points(rating: float) -> str:
    return f"{round(rating):+}".replace("-", "−")


def _interval(estimate: Estimate, percent: bool) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    if percent:
        return f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"
    return f"{_points(estimate.low)} to {_points(estimate.high)}"


# --- Tables ----------------------------------------------------------------------------------------------------------


def _results(summary: Summary) -> str:
    heads = ("bot", "win share", "95&nbsp;%", "mean score", "mean place", "rating", "95&nbsp;%", "seats")
    rows = "".join(_result(standing) for standing in summary.standings)
    head = "".join(f"<th scope=col>{name}</th>" for name in heads)
    return _table("results", head, rows)


def _table(kind: str, head: str, rows: str) -> str:
    table = f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="wide" tabindex="0">{table}</div>'


def _result(standing: Standing) -> str:
    values = (
        _percent(standing.win_share.value),
        _interval(standing.win_share, percent=True),
        f"{standing.score.value:.1f}",
        f"{standing.place.value:.2f}",
        _points(standing.rating.value),
        _interval(standing.rating, percent=False),
        f"{standing.seats:,}",
    )
    cells = "".join(f"<td>{value}</td>" for value in values)
    return f"<tr><th scope=row>{escape(standing.bot)}</th>{cells}</tr>"


def _matrix(summary: Summary) -> Iterable[str]:
    """Nothing where there is but one line-up: it would repeat the standings."""
    contest = summary.contest
    if len(contest.line_ups) < 2:
        return
    field = contest.kind != "distinct"
    others_ = f"alone against {contest.seats - 1} of the bot above" if field else "at tables with the bot above"
    about = f"The win share of the bot on the left, {others_}, and its 95 % interval."
    about += f" Red-brown is more than the fair {summary.fair:.1%}, blue is less; in doubt, the colour is left out."
    cells = {(cell.bot, cell.other): cell.win_share for cell in summary.matrix}
    others = [bot for bot in contest.bots if any(bot == other for _, other in cells)]
    head = "".join(f"<th scope=col>{_fielded(bot, contest.seats, field)}</th>" for bot in others)
    rows = "".join(
        f"<tr><th scope=row>{escape(bot)}</th>{''.join(_share(cells.get((bot, o)), summary.fair) for o in others)}</tr>"
        for bot in contest.bots
        if any((bot, other) in cells for other in others)
    )
    yield _section(
        "Who beats whom",
        about,
        _table("matrix", f"<td></td>{head}", rows),
    )


def _fielded(bot: str, seats: int, field: bool) -> str:
    return f"<small>{seats - 1} ×</small> {escape(bot)}" if field else escape(bot)


def _share(share: Estimate | None, fair: float) -> str:
    if share is None:
        return '<td class="none"></td>'
    interval = f"<small>{_interval(share, percent=True)}</small>"
    return f"<td{_tint(share, fair)}>{_percent(share.value)}<br>{interval}</td>"


def _tint(share: Estimate, fair: float) -> str:
    """As strong as the share is far from the fair one, where the interval leaves no doubt."""
    if share.low is not None and share.low > fair:
        return f' class="more" style="--tint:{(share.value - fair) / (1 - fair):.0%}"'
    if share.high is not None and share.high < fair:
        return f' class="less" style="--tint:{(fair - share.value) / fair:.0%}"'
    return ""


# --- Plots -----------------------------------------------------------------------------------------------------------


def _win_shares(summary: Summary) -> str:
    rows = [(one.bot, one.win_share, _worded(one.win_share, percent=True)) for one in summary.standings]
    return bars(rows, summary.fair, lambda tick: f"{100 * tick:.4g}%")


def _ladder(summary: Summary) -> str:
    rows = [(one.bot, one.rating, _worded(one.rating, percent=False)) for one in summary.standings]
    return bars(rows, 0, lambda tick: f"{tick:.4g}".replace("-", "−"))


def _worded(estimate: Estimate, percent: bool) -> str:
    value = _percent(estimate.value) if percent else _points(estimate.value)
    return f"<b>{value}</b> <small>{_interval(estimate, percent)}</small>"


def _by_house(summary: Summary, what: str, of: Callable[[Trade], tuple[int, float | None]]) -> str:
    lines = {bot: [(trade.house, of(trade)[1]) for trade in trades] for bot, trades in summary.trades.items()}
    together = [(trades[0].house, _mean(map(of, trades))) for trades in zip(*summary.trades.values(), strict=True)]
    return panels(lines, together, what)


def _mean(parts: Iterable[tuple[int, float | None]]) -> float | None:
    known = [(times, mean) for times, mean in parts if mean is not None]
    return sum(times * mean for times, mean in known) / sum(times for times, _ in known) if known else None
