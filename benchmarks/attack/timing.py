"""What the time and the form of messages tell another player: was an action planned, or typed?"""

import asyncio
import json
import time
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from benchmarks.attack.scenario import Attack, scenario
from benchmarks.attack.wire import Guest, Socket

TYPING = (0.8, 2.5)
"""Seconds that the scripted person takes to act."""
LEAST = 0.5
"""Seconds below which nobody types: a planned action must not be quicker."""

RACES = ("action/stale", "plan/too-late")
"""What is refused because something else happened while it was on its way."""

PLANNER, TYPIST, WATCHER = range(3)
Form = tuple[object, ...]


@dataclass
class Seen:
    """What the watcher saw of the other two: how long they took, and what the messages looked like."""

    planned: list[float] = field(default_factory=list)
    typed: list[float] = field(default_factory=list)
    planned_forms: set[Form] = field(default_factory=set)
    typed_forms: set[Form] = field(default_factory=set)
    times: list[int] = field(default_factory=list)

    def merge(self, other: "Seen") -> None:
        self.planned += other.planned
        self.typed += other.typed
        self.planned_forms |= other.planned_forms
        self.typed_forms |= other.typed_forms
        self.times += other.times


@scenario("timing", "a player who watches how long planned and typed actions of others take")
async def timing(attack: Attack) -> None:
    until = time.monotonic() + attack.amount(45, 7)
    tables = [_Table(attack, number) for number in range(attack.amount(6, 4))]
    await asyncio.gather(*(table.play(until) for table in tables))
    seen = Seen()
    for table in tables:
        seen.merge(table.seen)
    attack.require(bool(seen.planned and seen.typed), "no planned or no typed action was seen")
    if seen.planned and seen.typed:
        attack.note(f"{len(seen.planned)} planned actions after {_range(seen.planned)}")
        attack.note(f"{len(seen.typed)} typed actions after {_range(seen.typed)}")
        attack.require_speed(min(seen.planned) > LEAST, f"a planned action after {min(seen.planned) * 1000:.0f} ms")
    strange = seen.planned_forms - seen.typed_forms
    attack.require(not strange, f"messages of planned actions look different: {strange} instead of {seen.typed_forms}")
    fine = sum(at % 1000 != 0 for at in seen.times)
    attack.require(fine == 0, f"{fine} of {len(seen.times)} times are finer than a second")


def _range(delays: list[float]) -> str:
    return f"{min(delays):.3f} to {max(delays):.3f} s, median {median(delays):.3f} s"


class _Table:
    """Three people: one plans, one types, one watches and acts at once."""

    def __init__(self, attack: Attack, number: int) -> None:
        self._attack = attack
        self._rng = Random(number)
        self._planned_turns: set[int] = set()
        """By the sequence number of what began the turn."""
        self._plans = 0
        self.seen = Seen()

    async def play(self, until: float) -> None:
        people = [await Guest.create(self._attack.port) for _ in range(3)]
        table = await people[0].made("/api/tables", {"seats": 3})
        for guest in people[1:]:
            await guest.call("POST", f"/api/tables/{table}/join", {})
        await people[0].call("POST", f"/api/tables/{table}/start")
        sockets = [await Socket.open(self._attack.port, table, guest.cookie) for guest in people]
        tasks = [asyncio.create_task(self._sit(seat, socket)) for seat, socket in enumerate(sockets)]
        await asyncio.wait(tasks, timeout=max(0.0, until - time.monotonic()))
        for task in tasks:
            if task.done():
                task.result()
            task.cancel()
        for guest, socket in zip(people, sockets, strict=True):
            self._attack.count(socket.wire)
            socket.close()
            guest.close()

    async def _sit(self, seat: int, socket: Socket) -> None:
        await socket.hello()
        watch = _Watch(self.seen, self._planned_turns)
        while (message := await socket.message(60.0)) is not None:
            if seat == WATCHER:
                watch.take(message, socket.raw)
            if message["type"] == "refused":
                self._attack.require(message["code"] in RACES, f"refused: {message['code']}")
            if message["type"] not in ("welcome", "update") or message["position"] is None:
                continue
            if message["table"]["status"] == "over":
                return
            await self._react(seat, socket, message)

    async def _react(self, seat: int, socket: Socket, message: dict[str, Any]) -> None:
        position, seq = message["position"], _seq(message)
        plan = message["plan"]
        if seat in position["to_act"] and not (position["phase"] == "selling" and position["choice"] is not None):
            if plan is not None:
                self._planned_turns.add(seq)
            else:
                await self._act(seat, socket, message, seq)
        elif seat == PLANNER and plan is None and position["phase"] == "buying" and seat in position["bidders"]:
            self._plans += 1
            limit = (position["highest_bid"] or 0) + 2
            wanted = {"kind": "raise-to", "limit": limit} if self._plans % 3 else {"kind": "pass-on"}
            await socket.say({"type": "plan", "id": f"p{seq}", "plan": wanted})

    async def _act(self, seat: int, socket: Socket, message: dict[str, Any], seq: int) -> None:
        legal = message["legal"]
        if message["position"]["phase"] == "buying":
            await asyncio.sleep(self._rng.uniform(*TYPING) if seat == TYPIST else 0.05)
            passes = [action for action in legal if action["kind"] == "pass"]
            bids = [action for action in legal if action["kind"] == "bid"]
            action = bids[0] if bids and self._rng.random() < 0.7 else passes[0]
        else:
            action = legal[0]
        await socket.say({"type": "act", "id": f"a{seq}", "based_on": seq, "action": action})


class _Watch:
    """What one player learns of another's turn: how long it took, and which messages came."""

    def __init__(self, seen: Seen, planned_turns: set[int]) -> None:
        self._seen = seen
        self._planned_turns = planned_turns
        self._turn: tuple[int, int, float] | None = None
        self._forms: list[Form] = []

    def take(self, message: dict[str, Any], raw: bytes) -> None:
        now = time.perf_counter()
        if message["type"] in ("welcome", "update", "presence"):
            self._forms.append(_form(message, raw))
        if message["type"] == "update":
            self._seen.times.append(message["happening"]["at"])
            self._note(message["happening"]["what"], now)
        position = message.get("position")
        if message["type"] in ("welcome", "update"):
            self._forms = []
            to_act = position["to_act"] if position and position["phase"] == "buying" else []
            self._turn = (to_act[0], _seq(message), now) if len(to_act) == 1 else None

    def _note(self, what: dict[str, Any], now: float) -> None:
        if self._turn is None or what["kind"] != "played" or what["seat"] != self._turn[0]:
            return
        seat, seq, since = self._turn
        if seat == PLANNER and seq in self._planned_turns:
            self._seen.planned.append(now - since)
            self._seen.planned_forms.add(tuple(self._forms))
        elif seat == TYPIST:
            self._seen.typed.append(now - since)
            self._seen.typed_forms.add(tuple(self._forms))


def _form(message: dict[str, Any], raw: bytes) -> Form:
    """What a message tells beside its contents: its fields, in order, and bytes that stand for none of them."""
    compact = _json_size(message)
    happening = message.get("happening") or {}
    what = happening.get("what") or {}
    fields = (tuple(message), tuple(happening), tuple(what), tuple(message["table"]))
    return (message["type"], fields, what.get("by"), message.get("plan"), len(raw) - compact)


def _json_size(message: object) -> int:
    """Bytes of the shortest JSON of a message."""
    return len(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())


def _seq(message: dict[str, Any]) -> int:
    return int(message["seq"] if message["type"] == "welcome" else message["happening"]["seq"])
