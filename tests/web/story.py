"""A table at any moment of a recorded game, told by the server's own code: always the same picture."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page, WebSocketRoute

from forsale import record, view
from forsale.game import OVER, State, legal_actions
from forsale.record import Moment, Record
from forsale.server import protocol, replays
from forsale.server.options import Clock, NoClock, Options, Seconds
from forsale.server.protocol import (
    Ack,
    ChatLine,
    GameStarted,
    Happening,
    Plan,
    Played,
    Pong,
    SeatInfo,
    SeatTaken,
    TableInfo,
    TableOpened,
    Update,
    Welcome,
    What,
)
from forsale.server.wire import Bid, Pass, Sell, action_to_wire, event_to_wire, position_of

RECORDS = Path(__file__).parents[1] / "records"
NOW = 1_800_000_000_000
"""The time in every picture."""
TABLE = "story"

_BEAT = 10
"""Milliseconds between two looks at what the page has said."""
_PATIENCE = 2000
"""So many looks are far more than it takes."""

encode = msgspec.json.encode


NAMES = ("Ana", "Bo", "Cléo", "Dan", "Emma", "Félix")
"""Those of the golden records are written in letters of the whole world, which not every machine can draw."""


def named(name: str) -> Record:
    """A golden record."""
    return record.from_bytes((RECORDS / f"{name}.fsr").read_bytes())


class Story:
    """A recorded game as one of its seats, or a spectator (None), is told it over a socket."""

    def __init__(
        self,
        name: str | Record,
        seat: int | None,
        tracker: bool = False,
        bots: Sequence[int] = (),
        clock: Clock | None = None,
        players: Sequence[str] = NAMES,
    ) -> None:
        self.written = named(name) if isinstance(name, str) else name
        self.moments: tuple[Moment, ...] = record.replay(self.written).moments
        self.seat = seat
        self.options = Options(
            edition=dict(self.written.tags)["Edition"],
            variant=self.written.tag("Variant"),
            seats=self.written.seats,
            tracker=tracker,
            clock=clock or NoClock(),
        )
        self.bots = bots
        self.players = players[: self.written.seats]

    # Which moment.

    def when(self, condition: Callable[[State], bool], after: int = 0) -> int:
        """The first moment of which the condition holds."""
        for number, moment in enumerate(self.moments[after:], after):
            if condition(moment.state):
                return number
        raise AssertionError(f"no such moment in the game of {self.players}")

    # What is told.

    def info(self, number: int) -> TableInfo:
        state = self.moments[number].state
        over = state.phase is OVER
        return TableInfo(
            id=TABLE,
            options=self.options,
            status="over" if over else "playing",
            seats=tuple(self._seat(seat) for seat in range(self.written.seats)),
            you=self.seat,
            you_are_host=self.seat == 0,
            spectators=0 if self.seat is not None else 1,
            chat=True,
            commitment=dict(self.written.tags).get("Commitment", "0" * 64),
            secret=dict(self.written.tags).get("Secret") if over else None,
            seeds=self.seeds if over else None,
            rematch=None,
        )

    @property
    def seeds(self) -> tuple[str, ...]:
        """What each seat added to the shuffle."""
        written = self.written.tag("Seeds")
        return tuple(written.split("|")) if written else ("",) * self.written.seats

    def _seat(self, seat: int) -> SeatInfo:
        is_bot = seat in self.bots
        clock = self.options.clock if isinstance(self.options.clock, Seconds) else None
        return SeatInfo(
            name=self.players[seat],
            bot="broker" if is_bot else None,
            taken=True,
            connected=not is_bot,
            away=False,
            deadline=None if is_bot or clock is None else NOW + 1000 * (clock.decision + clock.bank),
            bank=1000 * clock.bank if clock else 0,
        )

    def happenings(self, number: int) -> tuple[Happening, ...]:
        """All until then."""
        whats: list[What] = [TableOpened()]
        whats += [SeatTaken(seat, name) for seat, name in enumerate(self.players) if seat not in self.bots]
        before = [Happening(seq, NOW, what, ()) for seq, what in enumerate(whats, 1)]
        return (*before, *(self._happening(at, len(before)) for at in range(number + 1)))

    def _happening(self, at: int, before: int) -> Happening:
        moment = self.moments[at]
        what: What = GameStarted() if moment.seat is None else Played(moment.seat, "person")
        events = tuple(map(event_to_wire, view.redact(moment.events, self.seat)))
        return Happening(before + 1 + at, NOW, what, events)

    def welcome(self, number: int, plan: Plan | None = None) -> Welcome:
        state = self.moments[number].state
        missed = self.happenings(number)
        position = position_of(view.of(state, self.seat, self.options.tracker))
        return Welcome(
            version=protocol.VERSION,
            now=NOW,
            seq=missed[-1].seq,
            table=self.info(number),
            missed=missed,
            position=position,
            legal=self._legal(number),
            plan=plan,
        )

    def _legal(self, number: int) -> tuple[Bid | Pass | Sell, ...]:
        if self.seat is None:
            return ()
        return tuple(map(action_to_wire, legal_actions(self.moments[number].state, self.seat)))

    def update(self, number: int) -> Update:
        told = self.welcome(number)
        return Update(NOW, told.missed[-1], told.table, told.position, told.legal, None)

    def waiting(self, taken: int = 2) -> Welcome:
        """Before the game: some seats are taken."""
        names = self.players
        free = SeatInfo("", None, False, False, False, None, 0)
        seats = tuple(SeatInfo(names[seat], None, True, True, False, None, 0) for seat in range(taken))
        info = msgspec.structs.replace(
            self.info(0), status="waiting", seats=seats + (free,) * (len(names) - taken), you_are_host=self.seat == 0
        )
        whats: list[What] = [TableOpened(), *(SeatTaken(seat, names[seat]) for seat in range(taken))]
        missed = tuple(Happening(seq, NOW, what, ()) for seq, what in enumerate(whats, 1))
        return Welcome(protocol.VERSION, NOW, len(missed), info, missed, None, (), None)

    def replay(self) -> bytes:
        """The answer of the server to whoever wants to see the whole game."""
        return encode(msgspec.structs.replace(replays.replay_of(self.written, None), players=tuple(self.players)))


class Teller:
    """Stands in for a table's socket in a page."""

    def __init__(self, page: Page, welcome: Welcome) -> None:
        self.welcome = welcome
        self._page = page
        self.heard: list[dict[str, Any]] = []
        """What the page has said."""
        self._socket: WebSocketRoute | None = None
        self._is_down = False
        page.route_web_socket("**/socket", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        if self._is_down:
            socket.close()
            return
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, message: str | bytes) -> None:
        self.heard.append(msgspec.json.decode(message))
        if self.heard[-1]["type"] == "hello":
            self.tell(self.welcome)
        elif self.heard[-1]["type"] == "ping":
            self.tell(Pong(NOW))

    @property
    def kinds(self) -> list[str]:
        """Of the messages that came, without the link's own."""
        return [message["type"] for message in self.heard if message["type"] not in ("hello", "ping")]

    def waits_for(self, kind: str, count: int = 1) -> dict[str, Any]:
        """The latest message of a kind, once so many have come."""
        for _ in range(_PATIENCE):
            if self.kinds.count(kind) >= count:
                return [message for message in self.heard if message["type"] == kind][-1]
            self._page.wait_for_timeout(_BEAT)
        raise AssertionError(f"expected {count} of {kind}, heard {self.kinds}")

    def answer(self, kind: str, *messages: object) -> None:
        """Acknowledges the latest message of a kind, and tells what came of it."""
        asked = self.waits_for(kind)
        self.tell(Ack(asked["id"], 0))
        for message in messages:
            self.tell(message)

    def tell(self, message: object) -> None:
        assert self._socket is not None
        self._socket.send(encode(message).decode())

    def lose(self, for_good: bool = False) -> None:
        """The connection breaks; `for_good`: nor is there a new one."""
        assert self._socket is not None
        self._is_down = for_good
        self._socket.close()


def chat(story: Story, number: int, *lines: tuple[int, str]) -> tuple[Happening, ...]:
    """Lines of chat after a moment."""
    last = story.happenings(number)[-1].seq
    names = story.players
    return tuple(
        Happening(last + offset, NOW, ChatLine(seat, names[seat], text), ())
        for offset, (seat, text) in enumerate(lines, 1)
    )
