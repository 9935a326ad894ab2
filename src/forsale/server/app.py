"""The app: the routes over HTTP and the socket, with the guard around them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import groupby

from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from forsale.server import pages
from forsale.server.asked import ask
from forsale.server.guard import ROUTE, Guard
from forsale.server.parts import Parts
from forsale.server.refusal import Refusal
from forsale.server.reply import problem
from forsale.server.route import Route
from forsale.server.routes import ROUTES, SOCKET
from forsale.server.sockets import Sockets


def create_app(parts: Parts) -> Starlette:
    """The app of these parts. Whoever serves it may start the parts beforehand; otherwise its lifespan does."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await parts.start()
        try:
            yield
        finally:
            await parts.stop()

    by_path = groupby(sorted(ROUTES, key=lambda route: route.path), lambda route: route.path)
    app = Starlette(
        routes=[
            *(_starlette_route(parts, path, list(routes)) for path, routes in by_path),
            routing.WebSocketRoute(SOCKET, Sockets(parts)),
        ],
        middleware=[Middleware(Guard, parts=parts)],
        exception_handlers={HTTPException: partial(_nothing_there, parts)},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _starlette_route(parts: Parts, path: str, routes: Sequence[Route]) -> routing.Route:
    """All methods of a path in one, so that a wrong method is told all the right ones."""
    by_method = {route.method: route for route in routes}

    async def endpoint(request: Request) -> Response:
        request.scope[ROUTE] = path
        route = by_method["GET" if request.method == "HEAD" else request.method]
        return await _handled(parts, route, request)

    return routing.Route(path, endpoint, methods=list(by_method))


async def _handled(parts: Parts, route: Route, request: Request) -> Response:
    try:
        asked = await ask(parts, request, route.body, route.needs_guest)
        return await route.handler(asked)
    except Refusal as refusal:
        parts.metrics.refused(refusal.code)
        return _refused(parts, refusal, request)


def _refused(parts: Parts, refusal: Refusal, request: Request) -> Response:
    """A problem; for a person who looks at a page, as a page."""
    response = problem(refusal)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return response
    if response.status_code == 404:
        return pages.nothing_here(parts.client, request, refusal.sentence)
    return pages.sorry(refusal.sentence, response.status_code)


async def _nothing_there(parts: Parts, request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        response = problem(Refusal("request/unknown", "This cannot be done here; Allow tells what can."), 405)
        response.headers["Allow"] = (error.headers or {}).get("Allow", "")
        return response
    return _refused(parts, Refusal("request/unknown", "There is nothing at this address."), request)
