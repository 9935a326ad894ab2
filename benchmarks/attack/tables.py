"""Attacks by way of tables: logs that grow without end, logs that are damaged, and bots that think for nobody."""

import asyncio
import contextlib
import itertools
import json
import secrets
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.attack.scenario import Attack, scenario
from benchmarks.attack.server import Server
from benchmarks.attack.wire import Guest, Response, Socket, fetch

MAX_ENTRIES = 500
"""Entries that one guest may add to one table."""
VIEWED_WITHIN = 1.0
"""Seconds until a table that was attacked is answered."""
SWEPT_WITHIN = 30.0
"""Seconds until the server must have seen every table that is due: it looks every five."""
PACE = 1 / 45
"""Seconds between two requests: just within what one address may send by default."""
FULL_SECONDS = 240
QUICK_PACE, QUICK_CHANGES = 1 / 300, 700
"""The same in `make test`, which has less time, and how many requests it sends: more than may be entered in the log."""

# --- A log that grows ------------------------------------------------------------------------------------------------


@scenario(
    "table-log",
    "guests who add to a table's log as fast as the limits allow: seeds, seats, chat, sales",
    arguments=("--max-requests", "1000"),
)
async def table_log(attack: Attack) -> None:
    seconds = attack.amount(FULL_SECONDS, 4)
    host = await Guest.create(attack.port)
    lobby = await host.made("/api/tables", {"seats": 3, "listed": True})
    chatters = [await Guest.create(attack.port) for _ in range(attack.amount(20, 5))]
    chat = await chatters[0].made("/api/tables", {"seats": 3, "listed": True})
    sale, changes, _ = await asyncio.gather(
        _change_choices(attack, time.monotonic() + seconds),
        _change_lobby(attack, host, lobby),
        asyncio.gather(*(_chatter(attack, chatter, chat, time.monotonic() + seconds) for chatter in chatters)),
    )
    attack.note(f"{changes} changes in the lobby")
    entries = attack.server.entries()
    for table, what, guests in ((lobby, "lobby", 1), (sale, "sale", 2), (chat, "chat", len(chatters))):
        attack.note(f"{what}: {entries[table]} entries by {guests}")
        attack.require(entries[table] <= MAX_ENTRIES * guests, f"{what}: {entries[table]} entries by {guests}")
    await _view(attack, {"lobby": lobby, "sale": sale, "chat": chat})


async def _change_lobby(attack: Attack, host: Guest, table: str) -> int:
    """New seeds, the chat on and off, another name, down and up again."""
    numbers = itertools.count()
    steps: list[tuple[str, str, Any]] = [
        ("POST", f"/api/tables/{table}/join", lambda: {"seed": f"seed {next(numbers)}"}),
        ("POST", f"/api/tables/{table}/chat", lambda: {"on": next(numbers) % 4 < 2}),
        ("POST", f"/api/tables/{table}/join", lambda: {"seed": f"seed {next(numbers)}"}),
        ("PUT", "/api/me", lambda: {"name": f"Name {next(numbers)}"}),
        ("POST", f"/api/tables/{table}/join", dict),
        ("POST", f"/api/tables/{table}/leave", lambda: None),
        ("POST", f"/api/tables/{table}/join", dict),
    ]
    sent, due = 0, time.monotonic()
    until, most = due + FULL_SECONDS, attack.amount(10**6, QUICK_CHANGES)
    for method, path, content in itertools.cycle(steps):
        if time.monotonic() > until or sent >= most:
            break
        due = max(due + (PACE if attack.is_full else QUICK_PACE), time.monotonic() - 1)
        _count(attack, await host.call(method, path, content()))
        sent += 1
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    host.close()
    return sent


def _count(attack: Attack, answer: Response | None) -> None:
    attack.report.requests += 1
    attack.ended([f"answered {answer.status}" if answer else "disconnected"])


async def _chatter(attack: Attack, guest: Guest, table: str, until: float) -> None:
    """A spectator who talks as fast as the limits allow."""
    socket = await Socket.open(attack.port, table, guest.cookie)
    await socket.hello()
    number = 0
    while time.monotonic() < until:
        number += 1
        reaction = {"type": "react", "id": f"r{number}", "reaction": "👏"}
        await socket.say(
            reaction if number % 2 else {"type": "say", "id": f"s{number}", "text": f"line {number} " * 20}
        )
        await _read_for(socket, 1.0)
    attack.count(socket.wire, requests=number)
    socket.close()
    guest.close()


async def _read_for(socket: Socket, seconds: float) -> None:
    """Read what comes; that also answers the server's pings."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and socket.close_code is None and socket.wire.closed_after is None:
        await socket.message(left)


async def _change_choices(attack: Attack, until: float) -> str:
    """A player who changes the choice in a sale again and again, while another never chooses."""
    people = [await Guest.create(attack.port) for _ in range(2)]
    table = await people[0].made("/api/tables", {"seats": 3, "bot": "random"})
    await people[1].call("POST", f"/api/tables/{table}/join", {})
    await people[0].call("POST", f"/api/tables/{table}/start")
    sockets = [await Socket.open(attack.port, table, guest.cookie) for guest in people]
    first, second = await asyncio.gather(*(_pass_until_sale(socket) for socket in sockets))
    attack.require(first is not None and second is not None, "the game did not come to a sale")
    if first is not None:
        waiting = asyncio.create_task(_read_for(sockets[1], until - time.monotonic()))
        answers = await _alternate(sockets[0], first, until)
        waiting.cancel()
        attack.ended(answers.elements())
        attack.report.requests += answers.total()
    for guest, socket in zip(people, sockets, strict=True):
        attack.count(socket.wire)
        socket.close()
        guest.close()
    return table


async def _pass_until_sale(socket: Socket) -> dict[str, Any] | None:
    """The first message of the sale."""
    await socket.hello()
    while (message := await socket.message()) is not None:
        position = message.get("position")
        if position is None:
            continue
        if position["phase"] == "selling":
            return message
        if position["seat"] in position["to_act"]:
            seq = message["seq"] if message["type"] == "welcome" else message["happening"]["seq"]
            action = next(action for action in message["legal"] if action["kind"] == "pass")
            await socket.say({"type": "act", "id": f"p{seq}", "based_on": seq, "action": action})
    return None


async def _alternate(socket: Socket, message: dict[str, Any], until: float) -> Counter[str]:
    houses = message["legal"][:2]
    seq = message["seq"] if message["type"] == "welcome" else message["happening"]["seq"]
    answers: Counter[str] = Counter()
    for number in itertools.count():
        if time.monotonic() > until:
            break
        act = {"type": "act", "id": f"c{number}", "based_on": seq, "action": houses[number % len(houses)]}
        await socket.say(act)
        while (found := await socket.message(5.0)) is not None and found["type"] not in ("ack", "refused"):
            if found["type"] == "update":
                seq = found["happening"]["seq"]
        answers["disconnected" if found is None else found["type"] if found["type"] == "ack" else found["code"]] += 1
        if found is None:
            break
        await asyncio.sleep(0.055)
    return answers


async def _view(attack: Attack, tables: Mapping[str, str], within: float = 20.0) -> None:
    """Look at tables in every way, all at the same time."""

    async def get(what: str, path: str) -> None:
        begun = time.perf_counter()
        answer: Response | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                answer = await fetch(attack.port, "GET", path)
        _judge_view(attack, what, str(answer.status) if answer else None, time.perf_counter() - begun)

    async def connect(name: str, table: str) -> None:
        begun = time.perf_counter()
        socket = await Socket.open(attack.port, table)
        await socket.hello()
        message = await socket.message(within)
        what = f"welcome to {name} ({len(socket.raw) / 1000:.0f} kB)"
        socket.close()
        _judge_view(attack, what, message["type"] if message else None, time.perf_counter() - begun)

    views = [get(name, f"/api/tables/{table}") for name, table in tables.items()]
    views += [connect(name, table) for name, table in tables.items()]
    await asyncio.gather(get("list of tables", "/api/tables"), *views)


def _judge_view(attack: Attack, what: str, answer: str | None, seconds: float) -> None:
    attack.report.requests += 1
    attack.ended(["not answered" if answer is None else f"answered {answer}"])
    attack.note(f"{what}: {seconds * 1000:.0f} ms")
    attack.require(answer in ("200", "welcome"), f"{what}: {answer}")
    attack.require_speed(seconds < VIEWED_WITHIN, f"{what}: {seconds:.1f} s")


# --- A log that has grown --------------------------------------------------------------------------------------------

HOST = "attackershost"


def _insert(database: Any, table: str, entries: list[object], status: str, wake_at: int | None = None) -> None:
    """A table as the server would have stored it. An entry that is a string is written as it is."""
    at = int(time.time() * 1000) - 60_000
    database.execute(
        "INSERT INTO tables (id, last, created, updated, status, listed, host, guests, wake_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (table, len(entries), at, at, status, status == "waiting", HOST, json.dumps([HOST, None, None]), wake_at),
    )
    bodies = (entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)
    rows = ((table, seq, at, body) for seq, body in enumerate(bodies, 1))
    database.executemany("INSERT INTO log (table_id, seq, at, body) VALUES (?, ?, ?, ?)", rows)


def _opened(secret: str | None = None) -> dict[str, object]:
    options = {"seats": 3, "listed": True, "bot": "broker"}
    return {"kind": "opened", "options": options, "host": HOST, "secret": secret or secrets.token_hex(32)}


def _joined(seed: str = "") -> dict[str, object]:
    return {"kind": "joined", "seat": 0, "guest": HOST, "name": "Guest 1000", "seed": seed}


def _make_schema(server: Server) -> None:
    server.start()
    server.stop()


OLD = {"oldtable60k": 60_000, "oldtable90k": 90_000}


def _write_old_tables(server: Server) -> None:
    _make_schema(server)
    with server.opened_database() as database:
        for table, number in OLD.items():
            entries: list[object] = [_opened(), _joined()]
            for index in range(number // 3):
                entries += [
                    _joined(f"seed {index}"),
                    {"kind": "chat-switched", "on": index % 2 == 0},
                    {"kind": "said", "guest": HOST, "name": "Guest 1000", "text": f"line {index}", "id": f"i{index}"},
                ]
            _insert(database, table, entries, "waiting")


@scenario(
    "old-tables", "tables with 60,000 and 90,000 entries, from before there was a limit", prepare=_write_old_tables
)
async def old_tables(attack: Attack) -> None:
    for _ in range(attack.amount(3, 1)):
        await _view(attack, {table: table for table in OLD}, within=60.0)
        await asyncio.sleep(attack.amount(6, 0))  # until the tables have left the memory


# --- A log that cannot be read ---------------------------------------------------------------------------------------

UNREADABLE = ("badtable1", "badtable2", "badtable3", "badtable4")
SOUND = tuple(f"goodtable{number}" for number in range(6))


def _write_unreadable_tables(server: Server) -> None:
    started = {"kind": "started", "bots": [None, "broker", "broker"]}
    impossible = {"kind": "acted", "seat": 1, "action": {"kind": "bid", "amount": 9999}, "by": "bot"}
    _make_schema(server)
    with server.opened_database() as database:
        _insert(database, UNREADABLE[0], [_opened(), _joined(), '{"kind":"start'], "playing", wake_at=1)
        _insert(database, UNREADABLE[1], [_opened(), _joined(), started, impossible], "playing", wake_at=2)
        _insert(database, UNREADABLE[2], [_joined(), started], "playing", wake_at=3)
        _insert(database, UNREADABLE[3], [_opened(), {"kind": "no such kind"}], "playing", wake_at=4)
        for number, table in enumerate(SOUND):
            _insert(database, table, [_opened(f"{number:064x}"), _joined(), started], "playing", wake_at=10 + number)


@scenario("unreadable", "tables that are due and cannot be read, beside sound ones", prepare=_write_unreadable_tables)
async def unreadable(attack: Attack) -> None:
    before = attack.server.log_size()
    await _until_swept(attack)
    for table in UNREADABLE:
        answer = await fetch(attack.port, "GET", f"/api/tables/{table}")
        _count(attack, answer)
        attack.require(answer is not None and answer.status != 200, f"{table} is shown")
        lines = sum(table in line for line in attack.server.log.splitlines())
        attack.require(lines == 1, f"{table}: {lines} lines of log")
    quarantined = await attack.server.metric("forsale_tables_quarantined")
    attack.require(quarantined == len(UNREADABLE), f"forsale_tables_quarantined is {quarantined}")
    entries = attack.server.entries()
    moved = sum(entries[table] > 3 for table in SOUND)
    attack.note(f"bots moved at {moved} of {len(SOUND)} sound tables; {attack.server.log_size() - before} bytes of log")
    attack.require(moved > 0, "no bot moved at a sound table that was due")


async def _until_swept(attack: Attack) -> None:
    """Wait until the server has seen all tables that were due; in full also for later sweeps, which must add none."""
    deadline = time.monotonic() + SWEPT_WITHIN
    while time.monotonic() < deadline:
        quarantined = await attack.server.metric("forsale_tables_quarantined")
        entries = attack.server.entries()
        if quarantined == len(UNREADABLE) and any(entries[table] > 3 for table in SOUND):
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(attack.amount(12, 0))


# --- Bots that think for nobody --------------------------------------------------------------------------------------


@scenario("bots", "one guest opens 50 tables against planner-1s and leaves")
async def bots(attack: Attack) -> None:
    guest = await Guest.create(attack.port)
    for _ in range(attack.amount(50, 8)):
        _count(attack, await guest.call("POST", "/api/play-now", {"seats": 6, "bot": "planner-1s"}))
    guest.close()
    await asyncio.sleep(attack.amount(35, 4))
    defaults = attack.server.default_moves()
    attack.note(f"default moves: {dict(defaults) or 'none'}")
