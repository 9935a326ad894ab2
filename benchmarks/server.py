"""Actions a second, how soon they are acknowledged, and memory, at tables of four sockets: `make bench-server`.

The server has one core for itself and the load another, where the system can do that; only 127.0.0.1 is used.

1. As fast as it goes: each table always has something on its way. In the same run a bare server on the same stack,
   which sends each message to a room of four and does nothing else, for the ratio; once with messages as large as those
   of a game.
2. At a fixed rate: the time to an acknowledgement counts from when the action was due.
3. How much memory tables take that nobody plays at.

Every action is committed to the disk before it is acknowledged (`synchronous=FULL`); what that costs depends on the
disk, and so does the file system that `--folder` is on.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import time
import urllib.request
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

from benchmarks.server_load import Pump, Tally, chat, play
from benchmarks.server_setup import SEATS, cores, fill, memory, pin, server
from forsale.server.limits import Limits, Rate

ENOUGH = Rate(1e9, 1e9)
NO_LIMITS = Limits(sockets=10**6, connections=10**6, requests=ENOUGH, guests=ENOUGH, messages=ENOUGH, chat=ENOUGH)
STEP_SECONDS = 120.0
"""No step takes longer; it is given up."""
LARGE = 2200
"""About what an update of a game has, in bytes."""


def host(port: int, database: Path) -> None:
    """`forsale serve` without limits on what one address may do."""
    from forsale.server.run import Settings, run

    run(Settings(port=port, database=database, limits=NO_LIMITS), lambda _: None)


@dataclass(frozen=True)
class Plan:
    """How much and how long."""

    tables: int
    seconds: float
    warm_up: float
    rate: float
    idle: int
    folder: Path | None
    server_core: int


def _run(work: Coroutine[None, None, int]) -> int:
    async def bounded() -> int:
        return await asyncio.wait_for(work, STEP_SECONDS)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(bounded())


def measure_game(plan: Plan, rate: float | None) -> tuple[Tally, float]:
    tally = Tally()
    with tempfile.TemporaryDirectory(dir=plan.folder) as folder:
        database = Path(folder) / "bench.db"
        places = asyncio.run(fill(database, plan.tables, started=True))
        with server(plan.server_core, "benchmarks.server", "--host", str(database)) as (port, process):
            refused = _run(play(port, places, Pump(tally, rate, process), plan.warm_up, plan.seconds))
            used = memory(process)
    if refused:
        print(f"{refused} messages were refused", file=sys.stderr)
    return tally, used


def measure_bare(plan: Plan, rate: float | None, padding: int) -> tuple[Tally, float]:
    tally = Tally()
    with server(plan.server_core, "benchmarks.bare_server", "--padding", str(padding)) as (port, process):
        _run(chat(port, plan.tables, Pump(tally, rate, process), plan.warm_up, plan.seconds))
        return tally, memory(process)


def measure_idle(plan: Plan) -> list[tuple[str, float]]:
    """Memory with so many tables in the database; with all of them in memory; and when they have gone to rest."""
    with tempfile.TemporaryDirectory(dir=plan.folder) as folder:
        database = Path(folder) / "bench.db"
        places = asyncio.run(fill(database, plan.idle, started=True))
        with server(plan.server_core, "benchmarks.server", "--host", str(database)) as (port, process):
            rows = [("in the database", memory(process))]
            _run(look_at_all(port, [seats[0].table for seats in places]))
            rows.append((f"all looked at, {tables_in_memory(port):,} still there", memory(process)))
            until = time.monotonic() + 20
            while tables_in_memory(port) and time.monotonic() < until:
                time.sleep(0.5)
            rows.append((f"at rest, {tables_in_memory(port):,} still there", memory(process)))
            return rows


async def look_at_all(port: int, tables: Sequence[str]) -> int:
    """Ask for every table once, over a few connections that are kept."""
    waiting = list(tables)

    async def ask() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while waiting:
            writer.write(f"GET /api/tables/{waiting.pop()} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            size = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(size.partition(b":")[2]))
        writer.close()

    await asyncio.gather(*(ask() for _ in range(16)))
    return 0


def tables_in_memory(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return int(float(next(line for line in lines if line.startswith("forsale_tables_in_memory ")).split()[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["all", "speed", "rate", "idle"], default="all")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=8.0, help="that count, in each measurement")
    parser.add_argument("--warm-up", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=1000.0, help="actions a second, where it is fixed")
    parser.add_argument("--idle", type=int, default=10_000, help="tables that nobody plays at")
    parser.add_argument("--folder", type=Path, help="where the databases are; the system's for temporary files")
    parser.add_argument("--host", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--core", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.host:
        pin(options.core)
        host(options.port, options.host)
        return
    _allow_many_files()
    servers_core, own_core = cores()
    pin(own_core)
    plan = Plan(
        options.tables, options.seconds, options.warm_up, options.rate, options.idle, options.folder, servers_core
    )
    for name, measured in {"speed": show_speed, "rate": show_rate, "idle": show_idle}.items():
        if options.what in (name, "all"):
            measured(plan)


def _allow_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


HEAD = f"{'':26}{'actions/s':>10}{'ratio':>8}{'p50 ms':>9}{'p99 ms':>9}{'busy':>7}{'MB':>7}"


def show_speed(plan: Plan) -> None:
    print(f"{plan.tables:,} tables of {SEATS} sockets, as fast as it goes")
    show(
        {
            "forsale": measure_game(plan, None),
            "bare server": measure_bare(plan, None, 0),
            "bare, large messages": measure_bare(plan, None, LARGE),
        }
    )


def show_rate(plan: Plan) -> None:
    print(f"\n{plan.tables:,} tables of {SEATS} sockets, {plan.rate:,.0f} actions a second")
    show({"forsale": measure_game(plan, plan.rate), "bare server": measure_bare(plan, plan.rate, 0)})


def show(rows: Mapping[str, tuple[Tally, float]]) -> None:
    """`ratio` is the first row's rate to this one's; `busy` the share of its core that the server used."""
    print(HEAD)
    unit = next(iter(rows.values()))[0].rate
    for name, (tally, used) in rows.items():
        times = f"{tally.milliseconds(0.5):>9.2f}{tally.milliseconds(0.99):>9.2f}"
        print(f"{name:26}{tally.rate:>10,.0f}{unit / tally.rate:>8.2f}{times}{tally.busy:>7.0%}{used:>7.0f}")


def show_idle(plan: Plan) -> None:
    print(f"\n{plan.idle:,} tables that nobody plays at")
    for name, used in measure_idle(plan):
        print(f"{name:36}{used:>7.0f} MB")


if __name__ == "__main__":
    main()
