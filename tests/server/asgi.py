"""The whole app in this process, and visitors to it: what a browser does, without a network and without waiting.

A real store, bots that think here, and clocks that move only when a test says so.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers

from forsale import bots
from forsale.game import Action
from forsale.server.app import create_app
from forsale.server.bus import LocalBus
from forsale.server.limits import Limits
from forsale.server.parts import Parts
from forsale.server.protocol import (
    VERSION,
    Act,
    Closing,
    Hello,
    Me,
    Problem,
    ServerMessage,
    TableCreated,
    Update,
    Welcome,
)
from forsale.server.sqlite_store import SqliteStore
from forsale.server.tables import Tables
from forsale.server.thinkers import Asker, Thinkers, Thought
from forsale.server.web_client import Files
from forsale.view import View

T = TypeVar("T")
HOST = "forsale.test"
ORIGIN = f"http://{HOST}"
JSON = {"content-type": "application/json"}
NO_CLIENT: Files = {}
"""As in a checkout where it has not been built: no test of the server needs Node."""

_decode = msgspec.json.Decoder(ServerMessage).decode


class HereThinkers(Thinkers):
    """Bots that think in this process, at once."""

    async def choose(self, bot: str, view: View, legal: Sequence[Action], seed: str, asker: Asker) -> Thought:  # noqa: ARG002
        return Thought(bots.make(bot).choose(view, legal, Random(seed)), None)


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes

    def of(self, kind: type[T], status: int = 200) -> T:
        """The answer, which must be of that kind and status."""
        assert self.status == status, self.body
        assert self.headers["content-type"] == "application/json"
        return msgspec.json.decode(self.body, type=kind, strict=True)

    def refused(self, status: int, code: str) -> Problem:
        problem = self.of(Problem, status)
        assert problem.code == code
        assert problem.sentence.endswith(".")
        return problem

    @property
    def text(self) -> str:
        return self.body.decode()


class House:
    """The server with all its parts."""

    def __init__(
        self,
        folder: Path,
        public: str | None = None,
        limits: Limits | None = None,
        access_log: bool = False,
        client: Files = NO_CLIENT,
    ) -> None:
        self.milliseconds = 1_700_000_000_000
        self.seconds = 1000.0
        self.store = SqliteStore(folder / "house.sqlite3")
        thinkers = HereThinkers()
        self.tables = Tables(self.store, LocalBus(), thinkers, now=lambda: self.milliseconds)
        limits = limits or Limits()
        self.parts = Parts(
            self.store, self.tables, thinkers, public, limits, access_log, client, clock=lambda: self.seconds
        )
        self.app = create_app(self.parts)

    def visitor(self, address: str = "198.51.100.7") -> "Visitor":
        return Visitor(self.app, address)

    async def guest(self, name: str = "Ana", address: str = "198.51.100.7") -> "Visitor":
        """A visitor with an identity and a name."""
        visitor = self.visitor(address)
        (await visitor.get("/api/me")).of(Me)
        (await visitor.put("/api/me", {"name": name})).of(Me)
        return visitor

    def wait(self, seconds: float) -> None:
        """Time goes by for the limits."""
        self.seconds += seconds


def run(house: House, test: Callable[[House], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with house.app.router.lifespan_context(house.app):
            await test(house)

    asyncio.run(whole())


class Visitor:
    """A browser, or a program: it keeps the cookie that it was given."""

    def __init__(self, app: Starlette, address: str) -> None:
        self._app = app
        self._address = address
        self.cookie: str | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, headers=headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return await self.ask("POST", path, body, headers)

    async def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return await self.ask("PUT", path, body, headers)

    async def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        data = b"" if body is None else msgspec.json.encode(body)
        kind = {} if body is None else JSON
        return await self.send(method, path, [data], {**kind, **(headers or {})})

    async def send(self, method: str, path: str, parts: Sequence[bytes], headers: dict[str, str]) -> Answer:
        """A request whose body comes in parts; it counts those that were asked for."""
        self.parts_read = 0

        async def receive() -> dict[str, Any]:
            if self.parts_read == len(parts):
                return {"type": "http.disconnect"}
            self.parts_read += 1
            more = self.parts_read < len(parts)
            return {"type": "http.request", "body": parts[self.parts_read - 1], "more_body": more}

        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "http_version": "1.1", **self._scope("http", path, headers)}
        await self._app(scope, receive, send)
        answer = Answer(
            sent[0]["status"], Headers(raw=sent[0]["headers"]), b"".join(each.get("body", b"") for each in sent[1:])
        )
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def table(self, **options: Any) -> str:
        """A new table of this visitor."""
        return (await self.post("/api/tables", options)).of(TableCreated, 201).id

    async def connect(self, table: str, **headers: str) -> "Line":
        line = Line()
        scope = {"type": "websocket", "subprotocols": [], "extensions": {"websocket.http.response": {}}}
        scope |= self._scope("ws", f"/api/tables/{table}/socket", headers)
        line.task = asyncio.create_task(self._app(scope, line.receive, line.send))  # type: ignore[arg-type]
        return line

    async def seat(self, table: str, last: int = 0) -> "Line":
        """A socket that has said hello."""
        line = await self.connect(table)
        line.say(Hello(VERSION, last))
        return line

    def _scope(self, scheme: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        found = {"host": HOST, **({"cookie": self.cookie} if self.cookie else {})}
        found |= {name.replace("_", "-"): value for name, value in headers.items()}
        raw = [(name.encode(), value.encode("latin-1")) for name, value in found.items() if value != "-"]
        path, _, query = path.partition("?")
        return {
            "scheme": scheme,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": raw,
            "client": (self._address, 50000),
            "server": (HOST, 80),
        }


class Line:
    """The client's end of a socket."""

    task: "asyncio.Task[None]"

    def __init__(self) -> None:
        self._to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._to_server.put_nowait({"type": "websocket.connect"})
        self.reads = asyncio.Event()
        """Cleared: the client does not read."""
        self.reads.set()

    async def receive(self) -> dict[str, Any]:
        return await self._to_server.get()

    async def send(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        self._from_server.put_nowait(message)

    def say(self, message: Any) -> None:
        """A struct as JSON, or a string or bytes as they are."""
        if isinstance(message, bytes):
            self._to_server.put_nowait({"type": "websocket.receive", "bytes": message})
        else:
            text = message if isinstance(message, str) else msgspec.json.encode(message).decode()
            self._to_server.put_nowait({"type": "websocket.receive", "text": text})

    async def next(self) -> dict[str, Any]:
        """What the server does next."""
        async with asyncio.timeout(10):
            return await self._from_server.get()

    async def messages(self) -> AsyncIterator[ServerMessage]:
        while True:
            event = await self.next()
            if event["type"] == "websocket.send":
                yield _decode(event["text"])
            elif event["type"] != "websocket.accept":
                return

    async def until(self, kind: type[T]) -> T:
        """The next message of a kind."""
        async for message in self.messages():
            if isinstance(message, kind):
                return message
        raise AssertionError(f"the socket was closed before any {kind.__name__}")

    async def play_out(self, between: Callable[[], None]) -> None:
        """Play whatever is allowed first, until the game is over."""
        turn = 0
        async for message in self.messages():
            if isinstance(message, Welcome | Update):
                if message.table.status == "over":
                    return
                seq = message.seq if isinstance(message, Welcome) else message.happening.seq
                if message.legal and message.position and not message.position.choice:
                    turn += 1
                    between()
                    self.say(Act(str(turn), seq, message.legal[0]))

    async def cut(self, code: str, number: int) -> Closing:
        """The last words of the server, and the number that it closes with."""
        closing = await self.until(Closing)
        assert closing.code == code
        event = await self.next()
        assert event["type"] == "websocket.close"
        assert event["code"] == number
        await self.task
        return closing

    async def hang_up(self) -> None:
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1001})
        async with asyncio.timeout(10):
            await self.task

    async def denied(self) -> Answer:
        """The answer to a handshake that was refused."""
        start, body = await self.next(), await self.next()
        assert start["type"] == "websocket.http.response.start"
        return Answer(start["status"], Headers(raw=start["headers"]), body["body"])
