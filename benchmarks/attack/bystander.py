"""Someone who plays while the server is attacked, in a process of its own, and how long they wait.

Started as `python -m benchmarks.attack.bystander PORT`. It plays against bots from an address of its own, pings the
server 50 times a second over a few more tabs, and asks for /healthz on fresh connections, from its own address and from
the attacker's. It writes a line when its first game is under way, measures from the first line on its standard input
to the second, writes what it measured as JSON, and exits.
"""

import asyncio
import contextlib
import gc
import json
import sys
import time
from collections import Counter, deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.attack.wire import ATTACKER, Guest, Socket, fetch

ADDRESS = "127.0.0.2"
TABS = 4
"""Sockets that ping in turn: one alone would be over the limit of messages."""
PING_EVERY = 0.02
PROBE_EVERY = 0.1
PROBE_WITHIN = 5.0
THINK = 0.3
"""Seconds that the bystander thinks about a move."""
OPTIONS = {"seats": 4, "bot": "broker"}


@dataclass
class Seen:
    """What the bystander has measured. Times are in seconds."""

    pings: list[float] = field(default_factory=list)
    unanswered: int = 0
    probes: list[float] = field(default_factory=list)
    probe_statuses: Counter[str] = field(default_factory=Counter)
    attacker_statuses: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    """Of bots."""
    longest_bot_wait: float = 0.0
    lost: int = 0
    """Connections that the server ended."""

    def summary(self) -> dict[str, Any]:
        return {
            "pings": len(self.pings),
            "unanswered": self.unanswered,
            "ping_p50": percentile(self.pings, 0.5),
            "ping_p99": percentile(self.pings, 0.99),
            "ping_max": max(self.pings, default=0.0),
            "probe_p99": percentile(self.probes, 0.99),
            "probe_max": max(self.probes, default=0.0),
            "probe_statuses": dict(self.probe_statuses),
            "attacker_statuses": dict(self.attacker_statuses),
            "moves": self.moves,
            "longest_bot_wait": self.longest_bot_wait,
            "lost": self.lost,
        }


def percentile(values: list[float], share: float) -> float:
    """
    >>> percentile([3.0, 1.0, 2.0], 0.5), percentile([], 0.5)
    (2.0, 0.0)
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass
class _Tab:
    """A socket that pings, and when it sent the pings that were not answered yet."""

    socket: Socket
    sent: deque[float]
    reader: asyncio.Task[None]


class Bystander:
    """Plays, pings and probes until it is cancelled."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._rng = Random(1)
        self._tabs: list[_Tab] = []
        self._waiting_since: float | None = None
        """When the game began to wait for a bot."""
        self.seen = Seen()
        self.playing = asyncio.Event()

    # --- Playing

    async def play(self, guest: Guest) -> None:
        """One game after the other."""
        while True:
            try:
                table = await guest.made("/api/play-now", OPTIONS)
                socket = await Socket.open(self._port, table, guest.cookie, ADDRESS)
            except (OSError, TimeoutError):
                self.seen.lost += 1
                await asyncio.sleep(0.5)
                continue
            await socket.hello()
            await self._play_game(socket)
            socket.close()

    async def _play_game(self, socket: Socket) -> None:
        seq, due = 0, 0.0
        turn: dict[str, Any] | None = None
        while True:
            within = 60.0 if turn is None else max(0.0, due - time.perf_counter())
            message = await socket.message(within)
            now = time.perf_counter()
            if message is None:
                if socket.wire.closed_after is not None or socket.close_code is not None:
                    self.seen.lost += 1
                    await asyncio.sleep(0.1)  # a server that hangs up at once must not be flooded by us
                    return
                if turn is not None:
                    await self._act(socket, turn, seq)
                    turn = None
                continue
            if message["type"] not in ("welcome", "update"):
                continue
            seq = message["seq"] if message["type"] == "welcome" else message["happening"]["seq"]
            if message["type"] == "update" and message["happening"]["what"].get("by") == "bot":
                self.playing.set()
                self.seen.moves += 1
                self._note_wait(now)
            if message["table"]["status"] == "over":
                return
            position = message["position"]
            mine = position is not None and position["seat"] in position["to_act"] and not message["plan"]
            turn, due = (message, now + THINK) if mine else (None, 0.0)
            bots_to_act = position is not None and set(position["to_act"]) - {position["seat"]}
            self._waiting_since = now if bots_to_act else None

    def _note_wait(self, now: float) -> None:
        if self._waiting_since is not None:
            self.seen.longest_bot_wait = max(self.seen.longest_bot_wait, now - self._waiting_since)

    async def _act(self, socket: Socket, turn: dict[str, Any], seq: int) -> None:
        legal = turn["legal"]
        passes = [action for action in legal if action["kind"] == "pass"]
        action = passes[0] if passes and self._rng.random() < 0.5 else legal[0]
        await socket.say({"type": "act", "id": f"b{seq}", "based_on": seq, "action": action})

    # --- Measuring

    async def ping(self, guest: Guest) -> None:
        """On sockets of a table that waits for others: nothing but pongs comes there."""
        table = await guest.made("/api/tables", OPTIONS)
        for _ in range(TABS):
            self._tabs.append(await self._tab(table, guest))
        due, number = time.perf_counter(), 0
        while True:
            due = max(due + PING_EVERY, time.perf_counter() - 1)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            number = (number + 1) % TABS
            tab = self._tabs[number]
            if tab.reader.done():
                self.seen.lost += 1
                self.seen.unanswered += len(tab.sent)
                with contextlib.suppress(OSError, TimeoutError):
                    self._tabs[number] = await self._tab(table, guest)
                continue
            tab.sent.append(time.perf_counter())
            await tab.socket.say({"type": "ping"})

    async def _tab(self, table: str, guest: Guest) -> "_Tab":
        socket = await Socket.open(self._port, table, guest.cookie, ADDRESS)
        await socket.hello()
        sent: deque[float] = deque()
        return _Tab(socket, sent, asyncio.create_task(self._read_pongs(socket, sent)))

    async def _read_pongs(self, socket: Socket, sent: deque[float]) -> None:
        while (message := await socket.message(60.0)) is not None:
            if message["type"] == "pong" and sent:
                self.seen.pings.append(time.perf_counter() - sent.popleft())

    async def probe(self, source: str, every: float) -> None:
        while True:
            begun = time.perf_counter()
            status = await self._status(source)
            took = time.perf_counter() - begun
            if source == ADDRESS:
                self.seen.probes.append(took)
                self.seen.probe_statuses[status] += 1
            else:
                self.seen.attacker_statuses[status] += 1
            await asyncio.sleep(max(0.0, every - took))

    async def _status(self, source: str) -> str:
        try:
            async with asyncio.timeout(PROBE_WITHIN):
                answer = await fetch(self._port, "GET", "/healthz", source=source)
        except TimeoutError:
            return "no answer"
        except OSError:
            return "refused"
        return "closed" if answer is None else str(answer.status)

    def finish(self) -> None:
        """What has not been answered took at least until now."""
        now = time.perf_counter()
        self._note_wait(now)
        for tab in self._tabs:
            self.seen.pings += [now - then for then in tab.sent]
            self.seen.unanswered += sum(now - then > 1 for then in tab.sent)


async def _watch(port: int) -> Seen:
    bystander = Bystander(port)
    guest = await Guest.create(port, ADDRESS)
    work: list[Coroutine[None, None, None]] = [
        bystander.play(guest),
        bystander.ping(await Guest.create(port, ADDRESS)),
        bystander.probe(ADDRESS, PROBE_EVERY),
        bystander.probe(ATTACKER, 5 * PROBE_EVERY),
    ]
    tasks = [asyncio.create_task(one) for one in work]
    await bystander.playing.wait()
    print("playing", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    bystander.seen = Seen()
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    await asyncio.wait([*tasks, ended], return_when=asyncio.FIRST_COMPLETED)
    bystander.finish()
    for task in tasks:
        if task.done():
            task.result()  # none ends by itself: raise why it did
        task.cancel()
    return bystander.seen


def main() -> None:
    gc.disable()
    print(json.dumps(asyncio.run(_watch(int(sys.argv[1]))).summary()))


if __name__ == "__main__":
    main()
