"""What is measured against: server processes with a core of their own, and databases full of tables."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forsale.server.clock import wall_clock
from forsale.server.identity import COOKIE, Identity
from forsale.server.live import summary
from forsale.server.log import Entry, Joined, Logged, Opened, Started
from forsale.server.options import Options
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest
from forsale.server.table import Table, absorb, opened

SEATS = 4


# --- Servers ---------------------------------------------------------------------------------------------------------


def pin(core: int) -> None:
    """Keep this process, and the threads that it will have, to one core, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})


def cores() -> tuple[int, int]:
    """A core for the server and one for the load; the same where there is only one."""
    found = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return found[0], found[-1]


@contextlib.contextmanager
def server(core: int, *command: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own, up when this begins and gone when it ends: its port and its process."""
    port = _free_port()
    arguments = ["--port", str(port), "--core", str(core)]
    process = subprocess.Popen([sys.executable, "-m", *command, *arguments], stdout=subprocess.DEVNULL)
    try:
        _wait_until_up(port, process)
        yield port, process.pid
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args!r} did not come up")


def memory(process: int) -> float:
    """Resident, in MB; only Linux tells."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def cpu_seconds(process: int) -> float:
    """What a process and its threads have used so far; only Linux tells."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return float("nan")
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


# --- Tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A seat at a table, and the cookie that opens it."""

    table: str
    cookie: str


async def fill(database: Path, tables: int, started: bool) -> list[list[Place]]:
    """A database with so many tables of four people, written as the server itself would."""
    store = SqliteStore(database)
    await store.open()
    try:
        identity = Identity(store, wall_clock)
        await identity.start()
        found: list[list[Place]] = []
        for first in range(0, tables, 500):
            numbers = range(first, min(first + 500, tables))
            found += await asyncio.gather(*(_table(store, identity, number, started) for number in numbers))
        return found
    finally:
        await store.close()


async def _table(store: SqliteStore, identity: Identity, number: int, started: bool) -> list[Place]:
    table, now = f"bench{number}", wall_clock()
    guests = [Guest(f"guest-{number}-{seat}", f"Guest {number}-{seat}") for seat in range(SEATS)]
    entries: list[Entry] = [Opened(Options(seats=SEATS), guests[0].id, os.urandom(32).hex())]
    entries += [Joined(seat, guest.id, guest.name) for seat, guest in enumerate(guests)]
    entries += [Started((None,) * SEATS)] if started else []
    state: Table | None = None
    for seq, entry in enumerate(entries, 1):
        logged = Logged(seq, now, entry)
        state = opened(table, logged) if state is None else absorb(state, logged)
        await store.append(table, logged, summary(state))
    await asyncio.gather(*(store.save_guest(guest, now) for guest in guests))
    return [
        Place(table, identity.cookie(guest, False).partition(";")[0].removeprefix(f"{COOKIE}=")) for guest in guests
    ]
