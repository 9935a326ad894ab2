"""Pages: the client's, which is one file for all of them, and the few that the server writes out itself.

Whatever is put into a page goes through `_e`, which makes text of it.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape as _e
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from forsale import __version__
from forsale.server import web_client
from forsale.server.asked import Asked
from forsale.server.refusal import Refusal
from forsale.server.reply import HTML
from forsale.server.route import Route
from forsale.server.web_client import INDEX, Files

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


def page(title: str, content: str) -> str:
    return _PAGE.format(title=_e(title), content=content, version=_e(__version__))


def html(title: str, content: str, status: int = 200) -> Response:
    return Response(page(title, content), status, headers={"Content-Type": HTML})


def sorry(sentence: str, status: int) -> Response:
    """A refusal for a person."""
    return html("That did not work", f"<p>{_e(sentence)}</p>", status)


# --- The client ----------------------------------------------------------------------------------------------------


async def client(asked: Asked[None]) -> Response:
    """One page for all addresses: which tables there are, the client finds out itself."""
    if "id" in asked.request.path_params:
        _ = asked.table  # an id that no table can have is refused
    files = asked.parts.client
    return files[INDEX].answer(asked.request) if files else html("For Sale", _NOT_BUILT)


def nothing_here(files: Files, request: Request, sentence: str) -> Response:
    """For a person who came to a wrong address: drawn by the client, where there is one."""
    return files[INDEX].answer(request, 404) if files else sorry(sentence, 404)


async def client_file(asked: Asked[None]) -> Response:
    return _file(asked.parts.client, asked.request.url.path.removeprefix("/"), asked.request)


async def own_file(asked: Asked[None]) -> Response:
    """What the server's own pages need."""
    return _file(_own_files(), str(asked.request.path_params["name"]), asked.request)


def _file(files: Files, name: str, request: Request) -> Response:
    if name not in files:
        raise Refusal("request/unknown", "There is nothing at this address.")
    return files[name].answer(request)


@cache
def _own_files() -> Files:
    return web_client.read(Path(__file__).with_name("static"))


_NOT_BUILT = """<p>The browser client has not been built here: <code>make play</code> builds it, and starts the
server.</p>"""


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
    if route.query:
        lines.append(f"Query: {', '.join(f'<code>{_e(name)}</code>' for name in route.query)}.")
    if route.body is not None:
        body = f"<code>{_e(route.body_media)}</code>" if route.body is bytes else _type(route.body.__name__)
        lines.append(f"Body: {body}.")
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
