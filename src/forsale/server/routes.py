"""All routes over HTTP, in one table: the app and the OpenAPI document are both made from it."""

from collections.abc import Mapping, Sequence
from functools import cache

from starlette.responses import Response

from forsale.server import endpoints, openapi, pages, web_client
from forsale.server.asked import Asked
from forsale.server.content import Content
from forsale.server.options import Options
from forsale.server.protocol import (
    ChatBody,
    Choices,
    DeviceLink,
    History,
    JoinBody,
    Me,
    NameBody,
    OpenTable,
    RedeemBody,
    Replay,
    TableCreated,
    TableInfo,
)
from forsale.server.refusal import Code
from forsale.server.reply import HTML, JSON, TEXT
from forsale.server.route import Route

SOCKET = "/api/tables/{id}/socket"
"""The one route that is no request: see docs/protocol.md."""


async def openapi_json(asked: Asked[None]) -> Response:
    return _openapi_document().answer(asked.request)


async def api_page(asked: Asked[None]) -> Response:
    return _api_page().answer(asked.request)


# Both are made when they are first asked for: the server starts without them.


@cache
def _openapi_document() -> Content:
    return Content.of(openapi.to_json(ROUTES), JSON)


@cache
def _api_page() -> Content:
    return Content.of(pages.page("The API", pages.api(ROUTES, openapi.schemas(ROUTES))).encode(), HTML)


_PAGES: Mapping[str, str] = {
    "/": "The first page.",
    "/new": "Open a table.",
    "/t/{id}": "A table: the link to share.",
    "/g/{id}": "The replay of a game, for ever.",
    "/g": "The replay of any record.",
    "/learn": "How it is played.",
    "/settings": "Name, language, other devices.",
    "/link": "Where a link for another device leads.",
}
_FILES = ", ".join(web_client.MEDIA.values())
_WISH: tuple[Code, ...] = ("action/stale", "table/started")

ROUTES: Sequence[Route] = (
    *(Route("GET", path, pages.client, summary, media=HTML) for path, summary in _PAGES.items()),
    Route("GET", "/assets/{name}", pages.client_file, "What the client's pages need; kept for ever.", media=_FILES),
    Route("GET", "/{name}", pages.client_file, "The client's icon and manifest.", media=_FILES),
    Route("GET", "/static/{name}", pages.own_file, "What the server's own pages need.", media=_FILES),
    Route("GET", "/healthz", endpoints.healthz, "Whether the server runs.", media=TEXT),
    Route("GET", "/readyz", endpoints.readyz, "Whether the server can store what is played.", media=TEXT),
    Route("GET", "/metrics", endpoints.metrics_text, "The server in numbers, for Prometheus.", media=TEXT),
    Route("GET", "/api", api_page, "This document as a page.", media=HTML),
    Route("GET", "/api/openapi.json", openapi_json, "This document."),
    Route("GET", "/api/choices", endpoints.choices, "What can be chosen: editions, bots, reactions.", Choices),
    Route("GET", "/api/me", endpoints.me, "Who I am. A stranger becomes a guest, and gets a cookie.", Me),
    Route(
        "PUT",
        "/api/me",
        endpoints.rename,
        "Take another name.",
        Me,
        body=NameBody,
        refusals=("guest/name",),
        needs_guest=True,
    ),
    Route("GET", "/api/me/games", endpoints.my_games, "My games, and my results.", History, needs_guest=True),
    Route(
        "POST",
        "/api/me/link",
        endpoints.make_link,
        "A link to go on with on another device. It works once, for ten minutes.",
        DeviceLink,
        status=201,
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/me/redeem",
        endpoints.redeem,
        "Be here who I am on my other device: the secret is what follows # in its link.",
        Me,
        body=RedeemBody,
        refusals=("link/expired",),
    ),
    Route(
        "POST",
        "/api/me/sign-out",
        endpoints.sign_out_everywhere,
        "Sign out everywhere else: all other cookies and all links of mine stop working.",
        Me,
        needs_guest=True,
    ),
    Route("GET", "/api/tables", endpoints.open_tables, "Listed tables that wait for people.", list[OpenTable]),
    Route(
        "POST",
        "/api/tables",
        endpoints.open_table,
        "Open a table, and take its first seat.",
        TableCreated,
        status=201,
        body=Options,
        refusals=("table/options",),
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/play-now",
        endpoints.play_now,
        "Play against bots at once.",
        TableCreated,
        status=201,
        body=Options,
        refusals=("table/options",),
        needs_guest=True,
    ),
    Route("GET", "/api/tables/{id}", endpoints.table, "What everyone may know of a table.", TableInfo),
    Route(
        "POST",
        "/api/tables/{id}/join",
        endpoints.join,
        "Take a free seat, or change the name or seed of my own. Seeds go into the deal of the cards.",
        TableInfo,
        body=JoinBody,
        refusals=(*_WISH, "seat/none-free"),
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/tables/{id}/leave",
        endpoints.leave,
        "Give up my seat before the game begins.",
        TableInfo,
        refusals=(*_WISH, "seat/not-yours"),
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/tables/{id}/start",
        endpoints.start,
        "Begin; bots take the empty seats.",
        TableInfo,
        refusals=(*_WISH, "table/not-host"),
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/tables/{id}/chat",
        endpoints.chat,
        "Switch the chat on or off.",
        TableInfo,
        body=ChatBody,
        refusals=("action/stale", "table/not-host"),
        needs_guest=True,
    ),
    Route(
        "POST",
        "/api/tables/{id}/rematch",
        endpoints.rematch,
        "The same people once more, at a new table.",
        TableCreated,
        status=201,
        refusals=("action/stale", "game/not-over", "seat/not-yours"),
        needs_guest=True,
    ),
    Route(
        "GET",
        "/api/tables/{id}/record",
        endpoints.record,
        "The record of the game as far as I may know it; once it is over, all of it.",
        media=TEXT,
        refusals=("game/not-started",),
    ),
    Route(
        "GET",
        "/api/tables/{id}/replay",
        endpoints.table_replay,
        "A game that is over, moment by moment: open, or as one seat saw it.",
        Replay,
        query=("seat",),
        refusals=("game/not-over",),
    ),
    Route(
        "POST",
        "/api/replay",
        endpoints.replay,
        "The same of any record, as far as it goes.",
        Replay,
        body=bytes,
        query=("seat",),
        refusals=("record/bad",),
    ),
    Route(
        "GET", "/api/tables/{id}/qr.svg", endpoints.qr_code, "The link to share as a QR code.", media="image/svg+xml"
    ),
)
