"""The server is killed while people play, again and again: nothing that was acknowledged is lost, nothing is done
twice, no table is stuck.

A moment is so many messages after the last start, not a time, and it lies anywhere between a message and its answer.
`make faults` goes on for `FAULTS_ROUNDS` kills, with `FAULTS_SEED`.
"""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from forsale import game, record
from forsale.client import Client, ClientError, Options, PassOn, RaiseTo, Refused
from forsale.client.seat import _ASKED
from forsale.game import Bid, Pass
from forsale.server.protocol import Act, ChatLine, Happening, Played, Say
from forsale.server.wire import action_from_wire
from tests.games import COMBOS
from tests.server.system.checking import action_of, check_record, check_witness, events_of
from tests.server.system.people import Habits, Witness, guests, play
from tests.server.system.server_process import ServerProcess

T = TypeVar("T")

ROUNDS = 50
LANES = 4
"""Tables that are played at the same time."""
BETWEEN = (1, 60)
"""Messages between a start and the next kill."""


class Reaper:
    """Kills the server after so many messages, sent or received by anyone, and starts it again."""

    def __init__(self, server: ServerProcess, rounds: int, rng: Random) -> None:
        self.kills = 0
        self._server = server
        self._rounds = rounds
        self._rng = rng
        self._left = rng.randint(*BETWEEN)
        self._struck = asyncio.Event()

    @property
    def is_done(self) -> bool:
        return self.kills >= self._rounds

    def tick(self) -> None:
        """A message. The blow falls at once, before whoever sent or received it can do anything else."""
        self._left -= 1
        if self._left == 0 and not self.is_done:
            os.kill(self._server.pid, signal.SIGKILL)
            self._struck.set()

    async def run(self) -> None:
        while not self.is_done:
            await self._struck.wait()
            await asyncio.to_thread(self._server.kill)
            await asyncio.to_thread(self._server.start)
            self.kills += 1
            self._left = self._rng.randint(*BETWEEN)
            self._struck.clear()


class Survivor(Witness):
    """A seat that counts its messages for the reaper, and keeps what was acknowledged."""

    reaper: Reaper
    acknowledged: list[tuple[int, _ASKED]]

    async def _take(self, data: str | bytes) -> None:
        self.reaper.tick()
        await super()._take(data)

    async def _ask(self, message: _ASKED) -> int:
        self.reaper.tick()
        asking = asyncio.ensure_future(super()._ask(message))
        await asyncio.sleep(0)  # it is sent
        self.reaper.tick()
        seq = await asking
        self.acknowledged.append((seq, message))
        return seq


async def insist(ask: Callable[[], Awaitable[T]]) -> T:
    """A request, until it is answered. Only for what can be asked twice."""
    while True:
        try:
            return await ask()
        except Refused:
            raise
        except ClientError:
            await asyncio.sleep(0.02)  # the server is not up yet


async def begin(people: Sequence[Client], options: Options) -> str:
    table = (await insist(lambda: people[0].create(options))).id
    for person in people:
        await insist(lambda person=person: person.join(table))  # type: ignore[misc]
    try:
        await insist(lambda: people[0].start(table))
    except Refused as refused:
        if refused.code != "table/started":  # then the answer to the first attempt was lost
            raise
    return table


async def lane(people: Sequence[Client], reaper: Reaper, rng: Random) -> int:
    """One game after the other until the server has been killed often enough. How many."""
    games = 0
    while not reaper.is_done or not games:
        games += 1
        await one_game(people, reaper, rng)
    return games


async def one_game(people: Sequence[Client], reaper: Reaper, rng: Random) -> None:
    combo = rng.choice(COMBOS)
    options = Options(combo.edition, combo.variant, combo.seats, bot="random")
    table = await begin(people[: combo.seats], options)
    async with AsyncExitStack() as stack:
        seats = []
        for person in people[: combo.seats]:
            seat = Survivor.of(person, table)
            assert isinstance(seat, Survivor)
            seat.reaper, seat.acknowledged = reaper, []
            seats.append(await stack.enter_async_context(seat))
        habits = Habits(plans=0, drops=0)
        await asyncio.gather(*(play(seat, Random(rng.random()), habits) for seat in seats), chatter(seats[0]))
        everything = await insist(lambda: whole_log(people[0], table))
        ends = [check_witness(seat, everything) for seat in seats]
        check_record(await insist(lambda: people[0].record(table)), seats[0].table, everything, ends[0])
        for seat in seats:
            check_acknowledged(seat, everything)


async def chatter(seat: Survivor) -> None:
    """Somebody who says something, too: what is acknowledged must be there."""
    await seat.until(lambda at: at.seq > 20)
    await seat.say("still here")


async def whole_log(client: Client, table: str) -> list[Happening]:
    async with client.sit(table) as late:
        return late.happenings


def check_acknowledged(seat: Survivor, everything: Sequence[Happening]) -> None:
    """Each action that was acknowledged stands in the log once, and no other of this person does."""
    played = {}
    for seq, message in seat.acknowledged:
        happening = everything[seq - 1]
        assert happening.seq == seq
        if isinstance(message, Act):
            assert seq not in played, "expected a place in the log for each action"
            played[seq] = message
            assert happening.what == Played(seat.table.you or 0, "person")
            assert action_of(events_of(happening)[0], seat.table.you or 0) == action_from_wire(message.action)
        elif isinstance(message, Say):
            assert isinstance(happening.what, ChatLine)
    mine = [each.seq for each in everything if each.what == Played(seat.table.you or 0, "person")]
    assert mine == sorted(played), "expected no action but those that were acknowledged"


def run(test: Coroutine[None, None, T], rounds: int = 0) -> T:
    return asyncio.run(asyncio.wait_for(test, 60.0 + 4.0 * rounds))


def survive(folder: Path, rounds: int, seed: str) -> None:
    """Play through so many kills."""

    async def test() -> None:
        names = [f"Person {number}" for number in range(3 * LANES)]
        async with guests(server.address, *names) as people:
            reaper = Reaper(server, rounds, Random(seed))
            lanes = [lane(people[at::LANES], reaper, Random(f"{seed} {at}")) for at in range(LANES)]
            games, _ = await asyncio.gather(asyncio.gather(*lanes), reaper.run())
            assert reaper.kills == rounds
            assert min(games) >= 1

    with ServerProcess(folder) as server:
        run(test(), rounds)
        assert server.starts == rounds + 1
        assert server.trouble() == []


def test_nothing_acknowledged_is_lost_and_nothing_is_done_twice(tmp_path: Path) -> None:
    survive(tmp_path, ROUNDS, "1")


@pytest.mark.faults
def test_the_same_for_longer(tmp_path: Path) -> None:
    survive(tmp_path, int(os.environ.get("FAULTS_ROUNDS", "1000")), os.environ.get("FAULTS_SEED", "2"))


def test_plans_survive_a_kill_but_not_their_auction(tmp_path: Path) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy") as people:
            table = await begin(people, Options(seats=3))
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(Witness.of(person, table)) for person in people]
                assert seats[0].position is not None
                first, second, third = (seats[index] for index in seats[0].position.bidders)
                await second.set_plan(RaiseTo(5))
                await third.set_plan(PassOn())
                await again(server, seats)
                assert second.plan == RaiseTo(5)
                assert third.plan == PassOn()
                assert first.plan is None
                await first.act(Bid(1))
                await first.until(lambda at: at.must_act)
                assert first.position is not None
                assert first.position.highest_bid == 2
                assert first.position.bidders == (first.table.you, second.table.you)
                await first.act(Pass())
                await again(server, seats)
                assert [seat.plan for seat in seats] == [None] * 3
                assert second.position is not None
                for index in second.position.bidders:
                    await seats[index].until(lambda at: at.must_act)
                    await seats[index].act(next(action for action in seats[index].legal if isinstance(action, Bid)))
                last = seats[index].position
                assert last is not None
                assert len(last.bidders) == 3, "expected nobody to have passed by a plan of an earlier auction"

    with ServerProcess(tmp_path) as server:
        run(test())
        assert server.trouble() == []


async def again(server: ServerProcess, seats: Sequence[Witness]) -> None:
    """Kill the server and start it; everyone is back."""
    before = [seat.connections for seat in seats]
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    for seat, times in zip(seats, before, strict=True):
        await seat.until(lambda at, times=times: at.connections > times)  # type: ignore[misc]


def test_bots_go_on_after_a_kill_even_if_nobody_comes_back(tmp_path: Path) -> None:
    """What was going on goes on by itself: the game is over when the person, with a plan to pass, looks again."""

    async def test() -> None:
        async with guests(server.address, "Ana") as (ana,):
            table = (await ana.play_now(Options(seats=6, bot="random"))).id
            async with ana.sit(table) as seat:
                await seat.until(lambda at: at.must_act)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await play(seat, Random(1), Habits(plans=0, drops=0))
                assert game.outcome(record.replay(await ana.record(table)).state) == seat.view.outcome

    with ServerProcess(tmp_path) as server:
        run(test())
        assert server.trouble() == []
