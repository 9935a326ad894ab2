"""Start the server, and stop it so that nobody loses anything: uvicorn, signals, logs."""

import asyncio
import contextlib
import gc
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn

from forsale.server.app import create_app
from forsale.server.bus import LocalBus
from forsale.server.connections import Connections, overall_limit
from forsale.server.http_connection import HttpConnection
from forsale.server.limits import FRAME, Limits
from forsale.server.log_limit import LogRateLimit
from forsale.server.parts import Parts
from forsale.server.sqlite_store import SqliteStore
from forsale.server.tables import Tables
from forsale.server.thinkers import Thinkers
from forsale.server.transport import Transport

GARBAGE = (200_000, 50, 1000)
"""How seldom Python looks for circles of garbage. Tables are trees of values, which go by themselves; to look through
all of them takes half a second at a thousand tables, in which nobody is answered."""
SWITCH = 5e-5
"""Seconds after which a thread that waits gets its turn: the one that writes to the disk must not wait for the busy
loop, as all acknowledgements wait for it."""
GRACE = 5
"""Seconds that open requests have to be answered when the server stops."""


class CannotServe(Exception):
    """Why the server does not start: one line for the one who runs it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the one who runs the server has chosen."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: Path = Path("forsale.sqlite3")
    public: str | None = None
    trusted_proxies: Sequence[str] = ("127.0.0.1", "::1")
    limits: Limits = field(default_factory=Limits)
    access_log: bool = False
    metrics_token: str | None = None


def run(settings: Settings, started: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. `started` is told the address to share. Raises `CannotServe` or `StoreError`."""
    listening = listen(settings.host, settings.port)
    try:
        _allow_many_files()
        log_to_stderr()
        sys.setswitchinterval(SWITCH)
        gc.set_threshold(*GARBAGE)
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(settings, listening, started))
    finally:
        listening.close()


async def _serve(settings: Settings, listening: socket.socket, started: Callable[[str], None]) -> None:
    thinkers = Thinkers()
    store = SqliteStore(settings.database)
    tables = Tables(store, LocalBus(), thinkers)
    parts = Parts(
        store,
        tables,
        thinkers,
        settings.public,
        settings.limits,
        settings.access_log,
        metrics_token=settings.metrics_token,
    )
    share = settings.public or _share_url(settings.host, listening.getsockname()[1])
    try:
        await parts.start()
        await _Server(_config(parts, settings), parts, lambda: started(share)).serve([listening])
    finally:
        await parts.stop()


def _connections(parts: Parts, settings: Settings) -> Connections:
    limit = overall_limit(_allowed_files())
    return Connections(limit, settings.limits.connections, settings.trusted_proxies, parts.metrics)


def _config(parts: Parts, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(parts),
        http=cast(Any, partial(HttpConnection, connections=_connections(parts, settings))),
        ws=Transport,
        ws_max_size=4 * FRAME,  # a little too much is answered by us, with a sentence; more than this by a bare close
        ws_per_message_deflate=False,  # it costs tens of kilobytes a socket, and messages are short
        lifespan="off",  # the parts are started before the first connection and stopped after the last
        log_config=None,
        access_log=False,  # ours names routes; this one would write down paths, which are links to tables
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=GRACE,
    )


class _Server(uvicorn.Server):
    """Stops in order: no new connections, a goodbye to every client, answers to what was asked."""

    def __init__(self, config: uvicorn.Config, parts: Parts, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._parts = parts
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._say_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await self._parts.say_goodbye()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as signal.signal wants it
        """To be asked to stop is no error: the signal is not raised once more afterwards, and the exit status is 0."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


# --- Where it listens ----------------------------------------------------------------------------------------------


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on; they are answered as soon as the store is open."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICSERV
        )[0]
        return socket.create_server(address[:2], family=family, backlog=2048)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotServe(f"cannot listen on {host} port {port}: {reason.lower()}") from None


def _share_url(host: str, port: int) -> str:
    """What to type into a browser. Where all addresses are listened to, the one that others in the house see."""
    shown = _own_address() if host in ("", "0.0.0.0", "::") else host
    return f"http://{f'[{shown}]' if ':' in shown else shown}" + ("" if port == 80 else f":{port}")


def _own_address() -> str:
    """The address that this machine would send from. Nothing is sent to find it out."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    if sys.platform == "win32":
        return asyncio.new_event_loop
    import uvloop

    return uvloop.new_event_loop


def _allow_many_files() -> None:
    """A socket is a file, and shells often allow only 1,024 of them where the system would allow many more."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _allowed_files() -> int | None:
    """How many file descriptors this process may have; None if that is not limited."""
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


# --- Logs ----------------------------------------------------------------------------------------------------------


class JsonLines(logging.Formatter):
    """A line of JSON for each thing that happened. What it holds is named by the one who logs it, so that no header,
    cookie or address gets in by accident."""

    _PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}

    def format(self, record: logging.LogRecord) -> str:
        found: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        found |= {key: value for key, value in vars(record).items() if key not in self._PLAIN}
        if record.exc_info:
            found["exception"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False, default=str)


def log_to_stderr() -> None:
    """Ours from INFO on. Others only if something is wrong: uvicorn's INFO has whole paths."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_worth_a_line)
    handler.addFilter(LogRateLimit())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("forsale").setLevel(logging.INFO)


_CLIENTS_FAULTS = ("Invalid UTF-8 sequence", "Invalid HTTP request", "Unsupported upgrade request")


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """What a client does wrong is answered or closed by uvicorn, and anyone could fill the disk with it."""
    return not record.getMessage().startswith(_CLIENTS_FAULTS)
