"""The OpenAPI document, made from the routes and from the protocol's types: so it cannot be out of date."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from forsale import __version__, bots, editions
from forsale.server.asked import TABLE_ID
from forsale.server.identity import COOKIE, HOST_COOKIE
from forsale.server.protocol import Problem
from forsale.server.reply import FAULT, FAULT_CODE, JSON
from forsale.server.route import Route

_REF = "#/components/schemas/{name}"
_ABOUT = (
    "Tables for the card game For Sale. A game is played over a WebSocket, /api/tables/{id}/socket; the rest is here. "
    "A request that changes something must come from the server's own pages, or from a program."
)
_IN_PATH = {
    "id": {"type": "string", "pattern": f"^{TABLE_ID}$"},
    "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}[.][a-z0-9]{1,16}$"},
}
_IN_QUERY = {"seat": {"type": "string", "pattern": "^[A-F]$"}}


def to_json(routes: Sequence[Route]) -> bytes:
    return json.dumps(document(routes), indent=1, ensure_ascii=False).encode()


def document(routes: Sequence[Route]) -> dict[str, Any]:
    types = _types(routes)
    references, components = msgspec.json.schema_components(types, ref_template=_REF)
    _name_choices(components["Options"]["properties"])
    schema_of = dict(zip(map(repr, types), references, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schema_of)
    about = f"Set by GET /api/me. Under https its name is {HOST_COOKIE}."
    guest = {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": about}
    return {
        "openapi": "3.1.0",
        "info": {"title": "forsale", "version": __version__, "description": _ABOUT, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"guest": guest}},
    }


def schemas(routes: Sequence[Route]) -> dict[str, Any]:
    """The JSON Schema of each type, by its name."""
    found: dict[str, Any] = document(routes)["components"]["schemas"]
    return found


def _name_choices(options: dict[str, Any]) -> None:
    """What can be chosen is known only when the server runs: more bots and editions come with time."""
    options["edition"]["enum"] = list(editions.published())
    options["bot"]["enum"] = list(bots.names())


def _types(routes: Sequence[Route]) -> list[Any]:
    found = {repr(kind): kind for route in routes for kind in (route.body, route.answer) if kind not in (None, bytes)}
    return [*found.values(), Problem]


def _operation(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{route.method.lower()}{route.path}",
        "summary": route.summary,
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": schema}
                for name, schema in _IN_PATH.items()
                if f"{{{name}}}" in route.path
            ),
            *({"name": name, "in": "query", "schema": _IN_QUERY[name]} for name in route.query),
        ],
        "responses": {str(route.status): _answer(route, schema_of), **_problems(route, schema_of)},
    }
    if route.needs_guest:
        operation["security"] = [{"guest": []}]
    if route.body is not None:
        schema = {"type": "string"} if route.body is bytes else schema_of[repr(route.body)]
        content = {_bare(route.body_media): {"schema": schema}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _answer(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    if route.answer is not None:
        schema = schema_of[repr(route.answer)]
    else:
        schema = {} if route.media == JSON else {"type": "string"}
    content = {_bare(kind): {"schema": schema} for kind in route.media.split(", ")}
    return {"description": HTTPStatus(route.status).phrase, "content": content}


def _bare(media: str) -> str:
    """A media type without its parameters."""
    return media.partition(";")[0]


def _problems(route: Route, schema_of: dict[str, Any]) -> dict[str, Any]:
    content = {JSON: {"schema": schema_of[repr(Problem)]}}
    if not route.path.startswith("/api/"):  # for a person it is a page
        content["text/html"] = {"schema": {"type": "string"}}
    codes = {**route.problems, FAULT: [FAULT_CODE]}
    return {str(status): {"description": ", ".join(codes[status]), "content": content} for status in codes}
