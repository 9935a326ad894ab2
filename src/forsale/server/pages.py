"""The server's own pages: small, written out here, without a script of their own except where a link needs one.

Names come from visitors. Whatever is put into a page goes through `_e`, which makes text of it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape as _e
from importlib import resources
from typing import Any

from starlette.responses import Response

from forsale import __version__
from forsale.game import seat_letter
from forsale.record import Record, replay
from forsale.server.asked import Asked
from forsale.server.options import Clock, Days, Options, Seconds
from forsale.server.protocol import OpenTable, SeatInfo, TableInfo
from forsale.server.refusal import Refusal
from forsale.server.reply import HTML, problem
from forsale.server.route import Route

STATIC_TYPES: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_STATUS_WORDS = {"waiting": "Waiting for people.", "playing": "The game goes on.", "over": "The game is over."}

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/style.css">
</head>
<body>
<main>
<h1>{title}</h1>
{content}
</main>
<footer><a href="/">For Sale</a> · <a href="/api">API</a> · forsale {version}</footer>
</body>
</html>
"""


def html(title: str, content: str, status: int = 200) -> Response:
    text = _PAGE.format(title=_e(title), content=content, version=_e(__version__))
    return Response(text, status, headers={"Content-Type": HTML})


def sorry(sentence: str, status: int) -> Response:
    """A refusal for a person."""
    return html("That did not work", f"<p>{_e(sentence)}</p>", status)


# --- Handlers ------------------------------------------------------------------------------------------------------


async def first(asked: Asked[None]) -> Response:
    return html("For Sale", _first(await asked.parts.tables.open_tables()))


async def table(asked: Asked[None]) -> Response:
    info = await asked.parts.tables.info(asked.table, asked.guest)
    written = await asked.parts.tables.record(info.id, asked.guest) if info.status == "over" else None
    return html(f"Table {info.id}", _table(info, asked.table_url(info.id), written))


async def link(_: Asked[None]) -> Response:
    return html("Your other device", _LINK)


async def static(asked: Asked[None]) -> Response:
    name = str(asked.request.path_params["name"])
    files = _static_files()
    if name not in files:
        return problem(Refusal("request/unknown", "There is nothing of that name here."), 404)
    headers = {"Cache-Control": "public, max-age=3600", "Content-Type": STATIC_TYPES[name.rpartition(".")[2]]}
    return Response(files[name], headers=headers)


@cache
def _static_files() -> Mapping[str, bytes]:
    """Read once. No path that a visitor writes ever reaches the disk."""
    folder = resources.files("forsale.server") / "static"
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in STATIC_TYPES}


# --- What they show ------------------------------------------------------------------------------------------------


def _first(tables: Sequence[OpenTable]) -> str:
    rows = [
        (f'<a href="/t/{_e(open_.id)}">{_e(open_.host)}</a>', _e(_terms(open_.options)), _taken(open_))
        for open_ in tables
    ]
    listed = _grid(("Opened by", "What is played", "Seats"), rows) if rows else "<p>No table waits for people now.</p>"
    return f"""<p>Stefan Dorra’s card game, for three to six people or bots: buy houses at auction, then sell them for
as much as you can. This server keeps the tables; no account is needed.</p>
<p>This version has no board in the browser yet: it is played by programs, through the <a href="/api">API</a>.</p>
<h2>Open tables</h2>
{listed}"""


def _taken(open_: OpenTable) -> str:
    return f"{open_.taken} of {open_.options.seats} taken"


def _terms(options: Options) -> str:
    variant = f", {options.variant}" if options.variant else ""
    return f"{options.edition}{variant}, {options.seats} seats, {_clock(options.clock)}"


def _clock(clock: Clock) -> str:
    match clock:
        case Seconds(decision, bank):
            return f"{decision} seconds a decision and {bank} in reserve"
        case Days(days):
            return f"{days} {'day' if days == 1 else 'days'} a decision"
        case _:
            return "no clock"


def _table(info: TableInfo, url: str, written: Record | None) -> str:
    scores = (written.tag("Score") or "").split() if written else []
    seats = [
        (seat_letter(index), _e(_who(seat)), *(_e(score) for score in scores[index : index + 1]))
        for index, seat in enumerate(info.seats)
    ]
    head = ("Seat", "Player", "Score") if scores else ("Seat", "Player")
    api = f"/api/tables/{_e(info.id)}"
    return f"""<p>{_e(_STATUS_WORDS.get(info.status, info.status))} {_e(_terms(info.options))}.</p>
{_grid(head, seats)}
{_record_link(api, info)}
<h2>Share</h2>
<p><a href="{_e(url)}">{_e(url)}</a></p>
<p><img class="qr" src="{api}/qr.svg" alt="The link to this table as a QR code"></p>
<h2>The deal</h2>
{_deal(info, written)}"""


def _who(seat: SeatInfo) -> str:
    if not seat.taken:
        return "free"
    marks = ["bot"] if seat.bot else ["a bot plays for them"] if seat.away else []
    return f"{seat.name} ({', '.join(marks)})" if marks else seat.name


def _record_link(api: str, info: TableInfo) -> str:
    again = f' It goes on <a href="/t/{_e(info.rematch)}">at another table</a>.' if info.rematch else ""
    if info.status == "waiting":
        return ""
    what = "The record of the game" if info.status == "over" else "The record so far"
    return f'<p><a href="{api}/record">{what}</a>, a file to keep and to replay.{again}</p>'


def _deal(info: TableInfo, written: Record | None) -> str:
    promised = f"<p>Promised before the first seed was added: <code>{_e(info.commitment)}</code></p>"
    if info.secret is None or written is None:
        return promised + "\n<p>What is behind it is shown when the game is over.</p>"
    added = [f"{seat_letter(seat)} <code>{_e(seed)}</code>" for seat, seed in enumerate(info.seeds or ()) if seed]
    return f"""{promised}
<p>Its secret: <code>{_e(info.secret)}</code></p>
<p>Added by the seats: {", ".join(added) or "nothing"}.</p>
<p>{_e(_removed(written))}</p>
<p><code>forsale verify</code> checks the record against them.</p>"""


def _removed(written: Record) -> str:
    """The cards that nobody has seen; in which order the others came is in the record."""
    decks = replay(written).state.decks
    houses, cheques = (", ".join(map(str, cards)) for cards in (decks.removed_houses, decks.removed_cheques))
    return f"Removed unseen: houses {houses}; cheques {cheques}." if houses else "No cards were removed."


_LINK = """<p>You came by a link from another device of yours. If you go on, this device is the same guest as that one,
with its name, its seats and its games. Do so only if the link is your own.</p>
<p><button type="button" hidden>Go on as that guest</button></p>
<p role="status"></p>
<noscript><p>This page needs a script to read the link.</p></noscript>
<script src="/static/link.js" defer></script>"""


# --- The API as a page ---------------------------------------------------------------------------------------------


def api(routes: Sequence[Route], schemas: Mapping[str, Any]) -> str:
    asked = "\n".join(map(_route, routes))
    types = "\n".join(_schema(name, schema) for name, schema in sorted(schemas.items()))
    return f"""<p>As a document for programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). A game is
played over a WebSocket, <code>/api/tables/{{id}}/socket</code>.</p>
<h2>Requests</h2>
{asked}
<h2>Types</h2>
{types}"""


def _route(route: Route) -> str:
    lines = [_e(route.summary)]
    if route.needs_guest:
        lines.append("For guests: needs the cookie of <code>/api/me</code>.")
    if route.body is not None:
        lines.append(f"Body: {_type(route.body.__name__)}.")
    answer = _kind(route.answer) if route.answer is not None else f"<code>{_e(route.media)}</code>"
    lines.append(f"Answer: {route.status}, {answer}.")
    codes = ", ".join(f"<code>{_e(code)}</code>" for code in route.codes)
    lines.append(f"Refusals: {codes}.")
    return f"<h3><code>{_e(route.method)} {_e(route.path)}</code></h3>\n<p>{'<br>'.join(lines)}</p>"


def _kind(kind: Any) -> str:
    inner = getattr(kind, "__args__", ())
    return f"a list of {_type(inner[0].__name__)}" if inner else _type(kind.__name__)


def _type(name: str) -> str:
    return f'<a href="#{_e(name)}"><code>{_e(name)}</code></a>'


def _schema(name: str, schema: Any) -> str:
    text = json.dumps(schema, indent=1, ensure_ascii=False)
    return f'<h3 id="{_e(name)}"><code>{_e(name)}</code></h3>\n<pre tabindex="0">{_e(text)}</pre>'


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are ready to be put into a page."""
    top = "".join(f'<th scope="col">{_e(cell)}</th>' for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
