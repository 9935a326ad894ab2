"""The client against a server that says what the test wants: connections break here, and answers get lost."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from random import Random

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from forsale import editions, game, shuffle, view
from forsale.client import Client, ClientError, Options, PassOn, Refused, Seat, event_from_wire, play_bot, view_from
from forsale.client.http import Http
from forsale.game import Bid, Pass
from forsale.server import protocol
from forsale.server.protocol import (
    VERSION,
    Ack,
    Act,
    ClientMessage,
    Closing,
    Happening,
    Hello,
    PlanIs,
    Played,
    Presence,
    Say,
    SeatInfo,
    ServerMessage,
    SetPlan,
    TableInfo,
    TableOpened,
    Update,
    Welcome,
)
from forsale.server.wire import Action, Event, Position, action_to_wire, event_to_wire, position_of
from forsale.view import View
from tests.games import COMBOS, Combo, combo_game

# --- Views -------------------------------------------------------------------------------------------------------


def over_the_wire(seen: View) -> View:
    """A view as the client gets it: a position and events, each through JSON."""
    position = msgspec.json.decode(msgspec.json.encode(position_of(seen)), type=Position)
    data = msgspec.json.encode([event_to_wire(event) for event in seen.history])
    events = msgspec.json.decode(data, type=list[Event])
    return view_from(position, map(event_from_wire, events), seen.tracker)


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_a_view_is_rebuilt_from_what_is_sent(combo: Combo) -> None:
    played = combo_game(combo, 1)
    state, rng = played.start, Random(1)
    for seat, action in (*played.turns, (0, None)):
        looker = rng.choice([None, *range(combo.seats)])
        seen = view.of(state, looker, tracker=rng.random() < 0.5)
        assert over_the_wire(seen) == seen
        if action is not None:
            state, _ = game.apply(state, seat, action)
    assert game.outcome(state) is not None


def test_a_view_after_the_game_is_the_same_for_one_who_came_late() -> None:
    end = combo_game(COMBOS[0], 2).end
    seen = view.of(end, 1)
    assert view_from(position_of(seen), end.history) == seen


# --- A server that says what it is told --------------------------------------------------------------------------

START = game.new_game(editions.load("iello-2020"), 3, shuffle.deal(editions.load("iello-2020"), 3, Random(1)), first=0)


def table_info(you: int | None = 0, status: str = "playing") -> TableInfo:
    seats = tuple(SeatInfo(name, None, True, True, False, None, 0) for name in ("Ana", "Bo", "Cléo"))
    return TableInfo("t", Options(seats=3), status, seats, you, True, 0, True, "c", None, None, None)


def happening(seq: int, events: tuple[game.Event, ...] = ()) -> Happening:
    what = Played(0, "person") if events else TableOpened()
    return Happening(seq, 0, what, tuple(map(event_to_wire, events)))


def welcome(last: int, seq: int, state: game.State = START, you: int | None = 0) -> Welcome:
    """Happening 1 is the start, with all that has happened since."""
    missed = tuple(happening(number, state.history if number == 1 else ()) for number in range(last + 1, seq + 1))
    return Welcome(VERSION, 0, seq, table_info(you), missed, position_of(view.of(state, you)), _legal(state, you), None)


def update(seq: int, state: game.State, events: tuple[game.Event, ...] = ()) -> Update:
    return Update(0, happening(seq, events), table_info(), position_of(view.of(state, 0)), _legal(state, 0), None)


def _legal(state: game.State, seat: int | None) -> tuple[Action, ...]:
    return () if seat is None else tuple(map(action_to_wire, game.legal_actions(state, seat)))


_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


class Peer:
    """The server's end of a connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def hear(self) -> ClientMessage:
        return _DECODER.decode(await self._socket.recv())

    async def hear_act(self) -> Act:
        message = await self.hear()
        assert isinstance(message, Act)
        return message

    async def tell(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self._socket.send(msgspec.json.encode(message), text=True)

    async def tell_raw(self, text: str) -> None:
        await self._socket.send(text)

    async def greet(self, seq: int = 1, state: game.State = START, you: int | None = 0) -> Hello:
        message = await self.hear()
        assert isinstance(message, Hello)
        await self.tell(welcome(message.last, seq, state, you))
        return message

    async def stay(self) -> None:
        await self._socket.wait_closed()

    def vanish(self) -> None:
        """As if the process had died."""
        self._socket.transport.abort()


Script = Callable[[Peer], Awaitable[None]]
Test = Callable[[Seat], Coroutine[None, None, None]]


def meet(test: Test, *scripts: Script, patience: float = 10.0) -> None:
    """Run a test at a table whose connections follow the scripts, one after the other."""

    async def run() -> None:
        waiting = list(scripts)
        problems: list[BaseException] = []

        async def answer(socket: ServerConnection) -> None:
            try:
                await waiting.pop(0)(Peer(socket))
            except (AssertionError, IndexError) as error:
                problems.append(error)

        async with serve(answer, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            async with Seat(Http(f"http://127.0.0.1:{port}"), "t", patience) as seat:
                await asyncio.wait_for(test(seat), 20)
        assert problems == []
        assert waiting == []

    asyncio.run(run())


# --- A table -----------------------------------------------------------------------------------------------------


def test_a_seat_knows_the_table_when_it_is_entered() -> None:
    async def script(peer: Peer) -> None:
        assert await peer.greet() == Hello(VERSION, 0)
        await peer.stay()

    async def test(seat: Seat) -> None:
        assert seat.seq == 1
        assert seat.must_act
        assert not seat.is_over
        assert seat.view == view.of(START, 0)
        assert seat.legal == game.legal_actions(START, 0)

    meet(test, script)


def test_an_action_is_done_when_it_is_acknowledged_and_seen() -> None:
    state, events = game.apply(START, 0, Bid(3))

    async def script(peer: Peer) -> None:
        await peer.greet(seq=4)
        message = await peer.hear_act()
        assert message.based_on == 4
        assert message.action == action_to_wire(Bid(3))
        await peer.tell(Ack(message.id, 5), Presence(0, table_info()), update(5, state, events))
        await peer.stay()

    async def test(seat: Seat) -> None:
        assert await seat.act(Bid(3)) == 5
        assert seat.seq == 5
        assert seat.view == view.of(state, 0)
        assert not seat.must_act

    meet(test, script)


def test_a_refusal_is_raised_with_its_code_and_sentence() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        message = await peer.hear_act()
        await peer.tell(protocol.Refused(message.id, "action/illegal", "Too low."))
        await peer.stay()

    async def test(seat: Seat) -> None:
        with pytest.raises(Refused, match="^action/illegal: Too low.$") as caught:
            await seat.act(Bid(0))
        assert (caught.value.code, caught.value.sentence) == ("action/illegal", "Too low.")

    meet(test, script)


def test_one_who_is_too_fast_waits_and_says_it_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        first = await peer.hear()
        assert isinstance(first, Say)
        await peer.tell(protocol.Refused(first.id, "message/too-fast", "Slowly."))
        assert await peer.hear() == first
        await peer.tell(Ack(first.id, 2))
        await peer.stay()

    async def test(seat: Seat) -> None:
        assert await seat.say("hello") == 2

    meet(test, script)


def test_news_come_in_order() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.tell(Presence(0, table_info()), update(2, START), protocol.Refused(None, "message/bad", "What?"))
        await peer.stay()

    async def test(seat: Seat) -> None:
        kinds = [type(await anext(seat)) for _ in range(4)]
        assert kinds == [Welcome, Presence, Update, protocol.Refused]

    meet(test, script)


def test_plans_chat_and_the_rest_are_sent() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        message = await peer.hear()
        assert isinstance(message, SetPlan)
        await peer.tell(PlanIs(message.plan), Ack(message.id, 0))
        message = await peer.hear()
        assert isinstance(message, Say)
        await peer.tell(Ack(message.id, 2))
        message = await peer.hear()
        assert isinstance(message, protocol.React)
        await peer.tell(Ack(message.id, 3), Ack("unheard of", 3))
        assert isinstance(await peer.hear(), protocol.Here)
        assert isinstance(await peer.hear(), protocol.Ping)
        await peer.tell(protocol.Pong(1), Closing("table/unknown", "Gone.", None))
        await peer.stay()

    async def test(seat: Seat) -> None:
        await seat.set_plan(PassOn())
        assert seat.plan == PassOn()
        assert await seat.say("hello") == 2
        assert await seat.react("👏") == 3
        await seat.here()
        await seat.ping()
        with pytest.raises(Refused, match="^table/unknown: Gone.$"):
            await seat.until(lambda _: False)

    meet(test, script)


# --- Connections break ---------------------------------------------------------------------------------------------


def test_what_was_not_answered_is_sent_again_with_the_same_id() -> None:
    state, events = game.apply(START, 0, Bid(3))
    ids = []

    async def dies(peer: Peer) -> None:
        await peer.greet()
        ids.append((await peer.hear_act()).id)
        peer.vanish()

    async def answers(peer: Peer) -> None:
        hello = await peer.greet()
        assert hello.last == 1
        message = await peer.hear_act()
        assert message.based_on == 1
        ids.append(message.id)
        await peer.tell(update(2, state, events), Ack(message.id, 2))
        await peer.stay()

    async def test(seat: Seat) -> None:
        assert await seat.act(Bid(3)) == 2
        assert seat.connections == 2

    meet(test, dies, answers)
    assert ids[0] == ids[1]


def test_a_new_connection_brings_what_was_missed_and_nothing_twice() -> None:
    async def closes(peer: Peer) -> None:
        await peer.greet(seq=3)

    async def misses(peer: Peer) -> None:
        assert (await peer.greet(seq=5)).last == 3
        await peer.stay()

    async def test(seat: Seat) -> None:
        await seat.until(lambda at: at.seq == 5)
        assert [each.seq for each in seat.happenings] == [1, 2, 3, 4, 5]

    meet(test, closes, misses)


def test_what_is_asked_between_connections_is_sent_once() -> None:
    heard: list[str] = []

    async def dies(peer: Peer) -> None:
        await peer.greet()
        peer.vanish()

    async def answers(peer: Peer) -> None:
        hello = await peer.hear()
        assert isinstance(hello, Hello)
        await peer.tell(welcome(hello.last, 1))
        while len(heard) < 2:
            message = await peer.hear()
            assert isinstance(message, Say)
            heard.append(message.text)
            await peer.tell(Ack(message.id, 0))
        await peer.stay()

    async def test(seat: Seat) -> None:
        while seat._line._socket is not None:
            await asyncio.sleep(0)  # no message tells of the break
        await asyncio.gather(seat.say("one"), seat.say("two"))

    meet(test, dies, answers)
    assert heard == ["one", "two"]


def test_a_server_that_restarts_says_when_to_come_again() -> None:
    async def closes(peer: Peer) -> None:
        await peer.greet()
        await peer.tell(Closing("server/restarting", "Back soon.", 0.0))
        await peer.stay()

    async def again(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async def test(seat: Seat) -> None:
        await seat.until(lambda at: at.connections == 2)

    meet(test, closes, again)


def test_a_test_can_break_the_connection_itself() -> None:
    async def stays(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async def test(seat: Seat) -> None:
        await seat.reconnect()
        assert seat.connections == 2

    meet(test, stays, stays)


# --- What ends a seat ----------------------------------------------------------------------------------------------


async def nothing(_: Seat) -> None: ...


def test_a_version_that_is_not_spoken_ends_it() -> None:
    async def script(peer: Peer) -> None:
        await peer.hear()
        await peer.tell(Closing("protocol/version", "Reload the page.", None))
        await peer.stay()

    with pytest.raises(Refused, match="^protocol/version: Reload the page.$"):
        meet(nothing, script)


@pytest.mark.parametrize("text", ['{"type": "welcome"}', "hello", '{"type": "ack"}'])
def test_what_is_no_message_ends_it(text: str) -> None:
    async def script(peer: Peer) -> None:
        await peer.hear()
        await peer.tell_raw(text)
        await peer.stay()

    with pytest.raises(ClientError, match="^expected a message of this protocol's version 1: "):
        meet(nothing, script)


def test_a_gap_in_the_log_ends_it_and_all_who_wait_are_told() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.hear_act()
        await peer.tell(update(3, START))
        await peer.stay()

    async def test(seat: Seat) -> None:
        reason = "^expected happening 2 of the table, got 3$"
        with pytest.raises(ClientError, match=reason):
            await seat.act(Pass())
        with pytest.raises(ClientError, match=reason):
            await seat.say("hello")
        with pytest.raises(ClientError, match=reason):
            async for _ in seat:
                pass
        with pytest.raises(ClientError, match=reason):
            await anext(seat)

    meet(test, script)


def test_a_server_that_is_not_there_is_an_error_after_a_while() -> None:
    async def run() -> None:
        async with serve(lambda socket: socket.close(), "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(ClientError, match=rf"^http://127.0.0.1:{port} cannot be reached: "):
            async with Seat(Http(f"http://127.0.0.1:{port}"), "t", patience=0):
                pass
        with pytest.raises(ClientError, match=rf"^http://127.0.0.1:{port} cannot be reached: "):
            async with Client(f"http://127.0.0.1:{port}"):
                pass

    asyncio.run(run())


def test_a_server_that_never_says_a_word_is_an_error_too() -> None:
    async def script(peer: Peer) -> None:
        await peer.hear()

    with pytest.raises(ClientError, match="closed the connection without a word$"):
        meet(nothing, script, patience=0)


@pytest.mark.parametrize("address", ["", "127.0.0.1:8000", "ftp://127.0.0.1", "http://"])
def test_an_address_is_one_of_the_web(address: str) -> None:
    with pytest.raises(ClientError, match="^expected an address such as http://127.0.0.1:8000, got "):
        Client(address)


# --- Bots ------------------------------------------------------------------------------------------------------------


class Passer:
    def choose(self, view: View, legal: object, rng: Random) -> game.Action:  # noqa: ARG002 - always the same
        return Pass()


def test_a_bot_looks_again_when_the_table_has_moved_on() -> None:
    stand_in, events = game.apply(START, 0, Bid(1))
    turn = game.apply(game.apply(stand_in, 1, Bid(2))[0], 2, Bid(3))[0]
    over = combo_game(COMBOS[0], 1).end
    outcome = game.outcome(over)
    assert outcome is not None

    async def script(peer: Peer) -> None:
        await peer.greet()
        message = await peer.hear_act()
        await peer.tell(protocol.Refused(message.id, "action/stale", "Look again."), update(2, stand_in, events))
        await peer.tell(update(3, turn))
        message = await peer.hear_act()
        assert message.based_on == 3
        await peer.tell(update(4, over), Ack(message.id, 4))
        await peer.stay()

    async def test(seat: Seat) -> None:
        assert await play_bot(seat, Passer(), Random(1)) == outcome

    meet(test, script)


def test_a_bot_that_breaks_the_rules_is_told() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        message = await peer.hear_act()
        await peer.tell(protocol.Refused(message.id, "action/illegal", "No."))
        await peer.stay()

    async def test(seat: Seat) -> None:
        with pytest.raises(Refused, match="^action/illegal: No.$"):
            await play_bot(seat, Passer(), Random(1))

    meet(test, script)


def test_a_spectator_cannot_play() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet(you=None)
        await peer.stay()

    async def test(seat: Seat) -> None:
        with pytest.raises(ClientError, match="^a spectator cannot play: join the table first$"):
            await play_bot(seat, Passer(), Random(1))

    meet(test, script)
