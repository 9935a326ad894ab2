"""The load: everyone at a table plays, or talks in a room of the bare server, and what they do is timed."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random

import msgspec
from msgspec import Struct

from benchmarks.raw_sockets import RawSocket, connected
from benchmarks.server_setup import SEATS, Place, cpu_seconds
from forsale.server.identity import COOKIE
from forsale.server.protocol import VERSION, Act, Hello
from forsale.server.wire import Action, Bid, Pass


@dataclass
class Tally:
    """What happened in the time that counts."""

    times: list[float] = field(default_factory=list)
    """Seconds from when an action was due until it was acknowledged."""
    counting: bool = False
    seconds: float = 0.0
    server_seconds: float = 0.0
    """Of its core's time, that the server used."""

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    @property
    def busy(self) -> float:
        """How busy the server was: where that is well below 1, the load could not keep up, or the disk could not."""
        return self.server_seconds / self.seconds

    def milliseconds(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000 if ordered else float("nan")


class Pump:
    """Hands out turns. At once; or, with a rate, one at a time when it is due."""

    def __init__(self, tally: Tally, rate: float | None, server: int) -> None:
        self.tally = tally
        self._rate = rate
        self._server = server
        self._ready: deque[Callable[[float], None]] = deque()

    def ready(self, act: Callable[[float], None]) -> None:
        if self._rate is None:
            act(time.perf_counter())
        else:
            self._ready.append(act)

    def done(self, due: float) -> None:
        if self.tally.counting:
            self.tally.times.append(time.perf_counter() - due)

    async def run(self, warm_up: float, seconds: float) -> None:
        """Count for so long, after a while in which nothing counts."""
        pumping = asyncio.create_task(self._pump()) if self._rate else None
        await asyncio.sleep(warm_up)
        used, began = cpu_seconds(self._server), time.perf_counter()
        self.tally.counting = True
        await asyncio.sleep(seconds)
        self.tally.counting = False
        self.tally.seconds = time.perf_counter() - began
        self.tally.server_seconds = cpu_seconds(self._server) - used
        if pumping is not None:
            pumping.cancel()
            await asyncio.gather(pumping, return_exceptions=True)

    async def _pump(self) -> None:
        assert self._rate is not None
        due = time.perf_counter()
        while True:
            while due <= time.perf_counter() and self._ready:
                self._ready.popleft()(due)
                due += 1 / self._rate
            await asyncio.sleep(0.0005)


class Seen(Struct):
    """The little that a player must read of a position."""

    seat: int | None
    to_act: tuple[int, ...]


class News(Struct):
    """The little that a player must read of a message; the rest is skipped."""

    type: str
    id: str | None = None
    seq: int = 0
    happening: "Step | None" = None
    position: Seen | None = None
    legal: tuple[Action, ...] = ()


class Step(Struct):
    seq: int


_news = msgspec.json.Decoder(News).decode
_encode = msgspec.json.Encoder().encode


class Player:
    """A seat. It bids the least it can, now and then, and sells its lowest house."""

    def __init__(self, pump: Pump, rng: Random) -> None:
        self.socket: RawSocket | None = None
        self.refused = 0
        self._pump = pump
        self._rng = rng
        self._number = 0
        self._due: float | None = None
        self._seq = 0
        self._legal: tuple[Action, ...] = ()
        self._must_act = False
        self._in_line = False

    @property
    def is_welcome(self) -> bool:
        return self._seq > 0

    def take(self, data: bytes) -> None:
        if data.startswith(b'{"type":"presence"'):
            return
        news = _news(data)
        match news.type:
            case "ack" if self._due is not None:
                self._pump.done(self._due)
                self._due = None
            case "refused":
                self.refused += 1
                self._due = None
            case "update" | "welcome" if news.position is not None:
                self._seq = news.happening.seq if news.happening else news.seq
                self._legal = news.legal
                self._must_act = news.position.seat in news.position.to_act
        if self._must_act and self._due is None and not self._in_line:
            self._in_line = True
            self._pump.ready(self._act)

    def _act(self, due: float) -> None:
        assert self.socket is not None
        self._in_line = self._must_act = False
        self._number += 1
        self._due = due
        self.socket.send(_encode(Act(str(self._number), self._seq, self._choice())))

    def _choice(self) -> Action:
        bid = next((action for action in self._legal if isinstance(action, Bid)), None)
        if bid is not None:
            return bid if bid.amount < 14 and self._rng.random() < 0.9 else Pass()
        return self._legal[0]


_ID_AT = len('{"type":"said","id":"')


class Talker:
    """The same load for the bare server: the four of a room take turns."""

    def __init__(self, pump: Pump, room: list["Talker"]) -> None:
        self.socket: RawSocket | None = None
        self._pump = pump
        self._room = room
        self._place = len(room)
        self._due = 0.0
        self._number = 0
        self._sent = b"nothing yet"

    def take(self, data: bytes) -> None:
        if data.startswith(self._sent, _ID_AT):
            self._pump.done(self._due)
            self._pump.ready(self._room[(self._place + 1) % len(self._room)].act)

    def act(self, due: float) -> None:
        assert self.socket is not None
        self._number += 1
        message_id = f"{self._place}-{self._number}"
        self._due, self._sent = due, f'{message_id}"'.encode()
        self.socket.send(_encode(Act(message_id, 0, Pass())))


async def in_turn(work: Sequence[Coroutine[None, None, None]], at_once: int = 64) -> None:
    """Many things, so many at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(each: Coroutine[None, None, None]) -> None:
        async with gate:
            await each

    await asyncio.gather(*map(one, work))


async def play(port: int, places: list[list[Place]], pump: Pump, warm_up: float, seconds: float) -> int:
    """Everyone sits down and plays. How many messages were refused."""
    players = [[Player(pump, Random(at)) for at in range(SEATS)] for _ in places]

    async def sit(player: Player, place: Place) -> None:
        headers = f"Cookie: {COOKIE}={place.cookie}\r\n"
        player.socket = await connected(port, f"/api/tables/{place.table}/socket", headers, player.take)

    pairs = [pair for row, seats in zip(players, places, strict=True) for pair in zip(row, seats, strict=True)]
    await in_turn([sit(player, place) for player, place in pairs])
    for player, _ in pairs:  # nobody acts before all are there
        assert player.socket is not None
        player.socket.send(_encode(Hello(VERSION)))
    while not all(player.is_welcome for player, _ in pairs):
        await asyncio.sleep(0.05)
    await pump.run(warm_up, seconds)
    _hang_up([player.socket for player, _ in pairs])
    return sum(player.refused for player, _ in pairs)


async def chat(port: int, rooms: int, pump: Pump, warm_up: float, seconds: float) -> int:
    """The same at the bare server."""
    talkers: list[list[Talker]] = []
    for _ in range(rooms):
        room: list[Talker] = []
        for _ in range(SEATS):
            room.append(Talker(pump, room))
        talkers.append(room)

    async def come(talker: Talker, number: int) -> None:
        talker.socket = await connected(port, f"/rooms/{number}", "", talker.take)

    pairs = [(talker, number) for number, room in enumerate(talkers) for talker in room]
    await in_turn([come(talker, number) for talker, number in pairs])
    for room in talkers:
        pump.ready(room[0].act)
    await pump.run(warm_up, seconds)
    _hang_up([talker.socket for talker, _ in pairs])
    return 0


def _hang_up(sockets: Sequence[RawSocket | None]) -> None:
    lost = sum(each is None or each.lost for each in sockets)
    for each in sockets:
        if each is not None:
            each.close()
    if lost:
        raise RuntimeError(f"{lost} of {len(sockets)} connections were lost")
