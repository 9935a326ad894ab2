"""A scenario, what it reports, and how it is run: a fresh server, a bystander, the attack, the verdict."""

import asyncio
import contextlib
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.attack.server import ROOT, Server
from benchmarks.attack.wire import Ending, Wire

MAX_PEAK = 150.0
"""MB that the server may use at any moment."""
MAX_PING_P99 = 0.050
"""Seconds that another player's ping may take."""
MAX_BOT_WAIT = 3.0
"""Seconds that another player may wait for a move of a bot that takes milliseconds."""
SETTLE = 2.0
"""Seconds after an attack until the memory is looked at again."""
SPARE_DESCRIPTORS = 16
"""What the server may have opened meanwhile for others: workers of bots, the bystander's connections."""
RELEASED_WITHIN = 10.0
"""Seconds until the server has noticed that the attackers are gone."""


@dataclass
class Report:
    """What one attack did, and what became of the server and the bystander."""

    name: str
    about: str
    bytes_sent: int = 0
    requests: int = 0
    connections: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    """Figures of this scenario alone, for people."""
    broken: list[str] = field(default_factory=list)
    """Conditions that do not hold, of those that any machine can decide."""
    slow: list[str] = field(default_factory=list)
    """The same of those that depend on how fast the machine is, and how busy."""
    seconds: float = 0.0
    peak: float = 0.0
    memory_after: float = 0.0
    log_bytes: int = 0
    default_moves: Counter[str] = field(default_factory=Counter)
    bystander: dict[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return not self.broken and not self.slow

    @property
    def ping_p99(self) -> float:
        return float(self.bystander.get("ping_p99", float("nan")))


class Attack:
    """What a scenario works with."""

    def __init__(self, server: Server, report: Report, full: bool) -> None:
        self.server = server
        self.report = report
        self.is_full = full
        self._descriptors = server.open_descriptors()

    @property
    def port(self) -> int:
        return self.server.port

    def amount(self, full: int, short: int) -> int:
        """How much of something, in `make attack` and in `make test`."""
        return full if self.is_full else short

    # --- What was done

    def count(self, *wires: Wire, requests: int = 0) -> None:
        """Note what connections have sent."""
        self.report.connections += len(wires)
        self.report.bytes_sent += sum(wire.bytes_sent for wire in wires)
        self.report.requests += requests

    def ended(self, endings: Iterable[Ending | str]) -> None:
        self.report.endings.update(str(ending) for ending in endings)

    def note(self, text: str) -> None:
        self.report.notes.append(text)

    # --- What must hold

    def require(self, holds: bool, otherwise: str) -> None:
        """A condition that any machine can decide."""
        if not holds and otherwise not in self.report.broken:
            self.report.broken.append(otherwise)

    def require_speed(self, holds: bool, otherwise: str) -> None:
        """A condition that depends on the machine; `make test` does not look at it."""
        if not holds and otherwise not in self.report.slow:
            self.report.slow.append(otherwise)

    def require_over(self, endings: Iterable[Ending], what: str) -> None:
        """Every connection was answered or disconnected."""
        found = list(endings)
        self.ended(found)
        left = sum(not ending.is_over for ending in found)
        self.require(left == 0, f"{what}: {left} of {len(found)} neither answered nor disconnected")

    def require_closed(self, endings: Iterable[Ending], what: str) -> None:
        """Every connection was disconnected."""
        found = list(endings)
        self.ended(found)
        left = sum(not ending.closed for ending in found)
        self.require(left == 0, f"{what}: {left} of {len(found)} still open")

    async def until_hung_up(self, wires: Sequence[Wire], within: float) -> list[Ending]:
        """Wait for the server to close connections, without reading from them."""
        until = time.monotonic() + within
        left = [wire for wire in wires if not wire.has_hung_up()]
        while left and time.monotonic() < until:
            await asyncio.sleep(0.2)
            connected = self.server.connected_ports()
            for wire in left:
                if wire.port not in connected:
                    wire.note_close()
            left = [wire for wire in left if not wire.has_hung_up()]
        return [wire.ending() for wire in wires]

    async def require_released(self) -> None:
        """The server has as few descriptors open as before, once the attackers are gone."""
        until = time.monotonic() + RELEASED_WITHIN
        allowed = self._descriptors + SPARE_DESCRIPTORS
        while (held := self.server.open_descriptors()) > allowed and time.monotonic() < until:
            await asyncio.sleep(0.2)
        self.require(held <= allowed, f"the server holds {held - self._descriptors} descriptors more than before")


Run = Callable[[Attack], Awaitable[None]]


@dataclass(frozen=True)
class Scenario:
    """One kind of attack."""

    name: str
    about: str
    run: Run
    arguments: tuple[str, ...] = ()
    """For `forsale serve`."""
    descriptors: int | None = None
    """How many the server may open."""
    prepare: Callable[[Server], None] | None = None
    """What is done to the database before the server starts."""


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    name: str,
    about: str,
    arguments: tuple[str, ...] = (),
    descriptors: int | None = None,
    prepare: Callable[[Server], None] | None = None,
) -> Callable[[Run], Run]:
    """Enter a function among the scenarios."""

    def enter(run: Run) -> Run:
        SCENARIOS[name] = Scenario(name, about, run, arguments, descriptors, prepare)
        return run

    return enter


# --- Running one -----------------------------------------------------------------------------------------------------


def execute(chosen: Scenario, folder: Path | None = None, full: bool = True) -> Report:
    """Run a scenario against a server of its own. Ends every process that it started."""
    allow_many_files()
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = Server(folder, *chosen.arguments, descriptors=chosen.descriptors)
        stack.callback(server.stop)
        if chosen.prepare is not None:
            chosen.prepare(server)
        server.start()
        report = Report(chosen.name, chosen.about)
        with _bystander(server.port, report):
            _attack(chosen, server, report, full)
        _judge(report)
        return report


def _attack(chosen: Scenario, server: Server, report: Report, full: bool) -> None:
    server.reset_peak()
    logged, begun = server.log_size(), time.monotonic()
    gc.collect()
    asyncio.run(_run(chosen, server, report, full))
    report.seconds = time.monotonic() - begun
    report.peak = server.memory("VmHWM")
    if full:
        time.sleep(SETTLE)
    report.memory_after = server.memory("VmRSS")
    report.log_bytes = server.log_size() - logged
    report.default_moves = server.default_moves()


async def _run(chosen: Scenario, server: Server, report: Report, full: bool) -> None:
    attack = Attack(server, report, full)
    try:
        await chosen.run(attack)
        await attack.require_released()
    except (OSError, TimeoutError) as error:
        attack.require(False, f"the attack could not go on: {type(error).__name__}: {error}")
    try:
        faults = await server.metric("forsale_faults_total")
        errors = await server.metric("forsale_errors_total")
    except (OSError, TimeoutError, RuntimeError) as error:
        attack.require(False, f"/metrics did not answer afterwards: {error}")
    else:
        attack.require(not faults and not errors, f"faults in the server: {faults}, errors: {errors}")


@contextlib.contextmanager
def _bystander(port: int, report: Report) -> Iterator[None]:
    """Someone who plays meanwhile; what they saw is in the report afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.attack.bystander", str(port)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        if process.stdout.readline() != "playing\n":
            raise RuntimeError("the bystander cannot play")
        process.stdin.write("begin\n")
        process.stdin.flush()
        yield
        seen, _ = process.communicate("end\n", timeout=30)
        report.bystander = json.loads(seen)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _judge(report: Report) -> None:
    """What must hold in every scenario."""
    seen = report.bystander
    if report.peak > MAX_PEAK:
        report.broken.append(f"the server used {report.peak:.0f} MB")
    if report.default_moves["broker"]:
        report.broken.append(f"{report.default_moves['broker']} default moves at the bystander's table")
    if seen["lost"]:
        report.broken.append(f"the bystander was disconnected {seen['lost']} times")
    refused = {status: count for status, count in seen["probe_statuses"].items() if status != "200"}
    if refused:
        report.broken.append(f"/healthz from another address: {refused}")
    if seen["ping_p99"] > MAX_PING_P99:
        report.slow.append(f"the bystander's ping p99 was {seen['ping_p99'] * 1000:.0f} ms")
    if seen["longest_bot_wait"] > MAX_BOT_WAIT:
        report.slow.append(f"the bystander waited {seen['longest_bot_wait']:.1f} s for a bot")


def allow_many_files() -> None:
    """The attacker has more connections than a shell usually allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
