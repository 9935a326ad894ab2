"""Bots in child processes: the same choices as in this one, and no way for a bad bot to do harm."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from forsale import bots, view
from forsale.bots import default_action
from forsale.game import Action, Bid, Pass, legal_actions
from forsale.server import thinking
from forsale.server.thinkers import Asker, Thinkers, Thought
from forsale.view import View
from tests.games import Combo, combo_game
from tests.server.bad_bots import GATE, TALLY, Nostalgic

MAKE = "tests.server.bad_bots:make"
PROC = Path("/proc")
GAME = combo_game(Combo("iello-2020", 4, None), seed=7)
linux_only = pytest.mark.skipif(not (PROC / "self" / "fd").exists(), reason="looks into /proc")


def position(turns: int) -> tuple[View, tuple[Action, ...]]:
    """What a seat to act sees after so many turns, and what it may do."""
    state = GAME.after(turns)
    seat = min(state.to_act)
    return view.of(state, seat), legal_actions(state, seat)


AUCTION = position(0)
CHOICES = [found for turns in range(len(GAME.turns)) if len((found := position(turns))[1]) > 1]
SALE = CHOICES[-1]
HERE = Asker("a table", "its host", lambda: True)
AWAY = Asker("another table", "another host", lambda: False)


class Run(Protocol):
    def __call__(self, main: Coroutine[Any, Any, None]) -> None: ...


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Run it, on the event loop that comes with Python and on the one that the server takes where it can."""
    factory = None if request.param == "asyncio" else pytest.importorskip("uvloop").new_event_loop

    def running(main: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(asyncio.wait_for(main, 60))

    return running


def children() -> set[int]:
    """The child processes of this one, dead ones that nobody has buried too."""
    found = set()
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:  # just gone
            continue
        if int(after_name[1]) == os.getpid():
            found.add(int(stat.parent.name))
    return found


@asynccontextmanager
async def pool(
    workers: int = 3,
    limit: float = 30.0,
    idle: float = 60.0,
    make: str = MAKE,
    clock: Callable[[], float] = lambda: 0.0,
) -> AsyncIterator[Thinkers]:
    """Thinkers that leave no process behind, for whom every answer is quick and every retry immediate."""
    before = children()
    thinkers = Thinkers(workers, limit, idle, make, retry_delay=0.0, clock=clock)
    try:
        yield thinkers
    finally:
        await thinkers.close()
        await until(lambda: children() <= before)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for another process; `run` bounds it."""
    while not holds():
        await asyncio.sleep(0.005)


def gone(pid: int) -> bool:
    """Whether a process has ended; one that only waits for its parent to notice has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return not PROC.exists() or not (PROC / str(pid)).exists()


async def is_well(thinkers: Thinkers) -> bool:
    """Whether a good bot gets its answer."""
    return await thinkers.choose("broker", *AUCTION, "s", HERE) == Thought(here("broker", AUCTION, "s"))


def here(bot: str, asked: tuple[View, tuple[Action, ...]], seed: str) -> Action:
    """The choice in this process."""
    return bots.make(bot).choose(*asked, Random(seed))


# --- Good bots ---------------------------------------------------------------------------------------------------


def test_choice_is_the_one_this_process_makes(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            for number, asked in enumerate(CHOICES):
                for bot in ("random", "landlord", "broker", "developer"):
                    seed = f"seed {number}"
                    assert await thinkers.choose(bot, *asked, seed, HERE) == Thought(here(bot, asked, seed))
            assert thinkers.faults == 0
            assert len(thinkers.pids) == 1

    run(main())


def test_earlier_games_are_told_too_each_time_anew(run: Run) -> None:
    """The same child, asked for several tables by turns."""
    seen, legal = AUCTION
    seats = ((0, 1, 2, 3), (3, None, 0, 1), (1, 2, 3, 0))
    games = [
        view.remembered(combo_game(Combo("iello-2020", 4, None), seed).end, moved)
        for seed, moved in enumerate(seats, 1)
    ]
    asked = [replace(seen, earlier=tuple(games[:count])) for count in (0, 1, 2, 3, 0, 2, 3)]
    expected = [Nostalgic().choose(one, legal, Random()) for one in asked]
    assert len(set(expected)) == 4

    async def main() -> None:
        async with pool(workers=1) as thinkers:
            for one, action in zip(asked, expected, strict=True):
                assert await thinkers.choose("is nostalgic", one, legal, "s", HERE) == Thought(action)

    run(main())


def test_many_at_once_each_get_their_own_answer(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            seeds = [f"seed {number}" for number in range(100)]
            thoughts = await asyncio.gather(*(thinkers.choose("random", *AUCTION, seed, HERE) for seed in seeds))
            assert thoughts == [Thought(here("random", AUCTION, seed)) for seed in seeds]
            assert len(set(thoughts)) > 5
            assert len(thinkers.pids) == 3

    run(main())


def test_first_come_first_served() -> None:
    async def main() -> None:
        async with pool(workers=1) as thinkers:
            thoughts = await asyncio.gather(*(thinkers.choose("counts", *AUCTION, "s", HERE) for _ in range(8)))
            assert [thought.action for thought in thoughts] == [Bid(number) for number in range(1, 9)]

    asyncio.run(main())


def test_no_process_without_a_choice_to_make() -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await thinkers.choose("hung", AUCTION[0], (Bid(3),), "s", HERE) == Thought(Bid(3))
            assert not thinkers.pids

    asyncio.run(main())


# --- Bad bots ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("raises", "crashed: ZeroDivisionError at bad_bots.py:"),
        ("quits", "crashed: SystemExit at bad_bots.py:"),
        ("exits", "crashed: exit status 3"),
        ("kills itself", "crashed: killed by signal 9"),
        ("cheats", "illegal action Bid(amount=1000)"),
        ("is odd", "illegal action odd  [31mxxx"),
        ("writes garbage", "crashed: what it said is no answer"),
        ("floods", "crashed: "),
        ("closes its pipe", "crashed: exit status "),
        ("says little", "crashed: what it said is no answer"),
        ("forges", "crashed: what it said is no answer"),
        ("forges well", "crashed: what it said is no answer"),
        ("has no weights", "crashed: FileNotFoundError at bad_bots.py:"),
        ("kasparov", "unknown bot"),
    ],
)
def test_a_bad_bot_costs_its_table_a_default_action(run: Run, bot: str, fault: str) -> None:
    async def main() -> None:
        async with pool(workers=1) as thinkers:
            assert await is_well(thinkers)
            for asked in (AUCTION, SALE):
                thought = await thinkers.choose(bot, *asked, "s", HERE)
                assert thought.action == default_action(asked[1])
                assert thought.fault is not None
                assert thought.fault.startswith(fault)
                assert len(thought.fault) < 250
                assert thought.fault.isprintable()
            assert thinkers.faults == 2
            assert await is_well(thinkers)
            assert thinkers.faults == 2

    run(main())


def test_a_command_is_no_bot(run: Run, tmp_path: Path) -> None:
    async def main() -> None:
        async with pool(make="forsale.bots:make") as thinkers:
            thought = await thinkers.choose(f"cmd:touch {tmp_path / 'ran'}", *AUCTION, "s", HERE)
            assert thought == Thought(default_action(AUCTION[1]), "unknown bot")

    run(main())
    assert not (tmp_path / "ran").exists()


def test_prints_do_not_reach_the_server(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            for _ in range(3):
                assert await thinkers.choose("chats", *AUCTION, "s", HERE) == Thought(AUCTION[1][-1])
            assert len(thinkers.pids) == 1

    run(main())


def test_a_hung_bot_delays_no_other_table(run: Run) -> None:
    async def main() -> None:
        async with pool(limit=1.0) as thinkers:
            hung = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s", HERE))
            await until(lambda: bool(thinkers.pids))
            before = thinkers.pids
            assert await is_well(thinkers)
            assert not hung.done()
            assert await hung == Thought(Pass(), "took longer than 1 s")
            await until(lambda: all(gone(pid) for pid in before))
            assert await is_well(thinkers)
            assert thinkers.faults == 1

    run(main())


def test_many_hung_bots_leave_a_child_to_the_others() -> None:
    async def main() -> None:
        async with pool(limit=0.5) as thinkers:
            hung = [asyncio.create_task(thinkers.choose("hung", *AUCTION, "s", HERE)) for _ in range(12)]
            await asyncio.sleep(0)
            assert await is_well(thinkers)
            assert sum(task.done() for task in hung) <= 4
            for task in hung:
                task.cancel()
            await asyncio.wait(hung)

    asyncio.run(main())


def test_a_bot_that_recovers_is_answered_again(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert (await thinkers.choose("is moody", *SALE, "s", HERE)).fault
            assert await thinkers.choose("is moody", *AUCTION, "s", HERE) == Thought(AUCTION[1][-1])
            thoughts = await asyncio.gather(*(thinkers.choose("is moody", *AUCTION, "s", HERE) for _ in range(10)))
            assert thoughts == [Thought(AUCTION[1][-1])] * 10
            assert thinkers.faults == 1
            assert len(thinkers.pids) == 3  # it is trusted again

    run(main())


def test_a_child_that_does_not_come_up_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            with monkeypatch.context() as patched:
                patched.setattr(thinking, "START", 0.2)
                thought = await thinkers.choose("gets stuck", *SALE, "s", HERE)
            assert thought == Thought(default_action(SALE[1]), "did not start within 0.2 s")
            with monkeypatch.context() as patched:
                patched.setattr(sys, "executable", "/no/such/python")
                thought = await thinkers.choose("broker", *SALE, "s", HERE)
            assert thought.fault is not None
            assert thought.fault.startswith("no process to think in: ")
            assert await is_well(thinkers)

    asyncio.run(main())


def test_starting_takes_none_of_the_bots_time() -> None:
    async def main() -> None:
        async with pool(limit=0.5) as thinkers:
            assert await thinkers.choose("wakes slowly", *AUCTION, "s", HERE) == Thought(Bid(1))
            assert await thinkers.choose("wakes slowly", *AUCTION, "s", HERE) == Thought(Bid(2))

    asyncio.run(main())


# --- Second chances ----------------------------------------------------------------------------------------------


class Gate:
    """Where the bot `waits at a gate` waits in each child, and how to let it go on."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gate"

    def waits_in(self, pid: int) -> bool:
        return Path(f"{self.path} {pid}").exists()

    def open(self) -> None:
        self.path.touch()

    def shut(self) -> None:
        self.path.unlink()


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    monkeypatch.setenv(GATE, str(tmp_path / "gate"))
    return Gate(tmp_path)


def ask(thinkers: Thinkers, bot: str, asker: Asker = HERE) -> asyncio.Task[Thought]:
    """A question on its way."""
    return asyncio.create_task(thinkers.choose(bot, *AUCTION, "s", asker))


async def killed_at_gate(thinkers: Thinkers, gate: Gate, but: frozenset[int] = frozenset()) -> int:
    """Kill the child whose bot waits at the gate."""
    await until(lambda: any(gate.waits_in(pid) for pid in thinkers.pids - but))
    (pid,) = [pid for pid in thinkers.pids - but if gate.waits_in(pid)]
    os.kill(pid, signal.SIGKILL)
    return pid


def test_a_child_killed_while_its_bot_thinks_costs_no_move(run: Run, gate: Gate) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            asked = ask(thinkers, "waits at a gate")
            pid = await killed_at_gate(thinkers, gate)
            gate.open()
            assert await asked == Thought(AUCTION[1][-1])
            assert thinkers.faults == 0
            assert pid not in thinkers.pids
            # Nothing is held against the bot: it may have several children at once.
            gate.shut()
            both = [ask(thinkers, "waits at a gate") for _ in range(2)]
            await until(lambda: len(thinkers.pids) == 2)
            gate.open()
            assert await asyncio.gather(*both) == [Thought(AUCTION[1][-1])] * 2

    run(main())


def test_a_second_child_killed_costs_a_move_and_the_bots_good_name(run: Run, gate: Gate) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            asked = ask(thinkers, "waits at a gate")
            first = await killed_at_gate(thinkers, gate)
            await killed_at_gate(thinkers, gate, but=frozenset({first}))
            assert await asked == Thought(Pass(), "crashed: killed by signal 9")
            assert thinkers.faults == 1
            # It has one child until it has answered once.
            both = [ask(thinkers, "waits at a gate") for _ in range(2)]
            await asyncio.sleep(0)
            assert thinkers.questions_waiting == 1
            gate.open()
            assert await asyncio.gather(*both) == [Thought(AUCTION[1][-1])] * 2
            gate.shut()
            both = [ask(thinkers, "waits at a gate") for _ in range(2)]
            await asyncio.sleep(0)
            assert thinkers.questions_waiting == 0
            gate.open()
            assert await asyncio.gather(*both) == [Thought(AUCTION[1][-1])] * 2

    run(main())


@pytest.mark.parametrize(
    ("bot", "times"),
    [
        ("kills itself", 2),
        ("exits", 2),
        ("closes its pipe", 2),
        ("ends by its alarm", 1),
        ("hung", 1),
        ("raises", 1),
        ("quits", 1),
        ("cheats", 1),
        ("writes garbage", 1),
    ],
)
def test_only_a_bot_whose_child_died_is_asked_again(
    bot: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TALLY, str(tmp_path / "tally"))

    async def main() -> None:
        async with pool(limit=0.5 if bot == "hung" else 30, make="tests.server.bad_bots:Tallied") as thinkers:
            thought = await thinkers.choose(bot, *AUCTION, "s", HERE)
            assert thought.action == Pass()
            assert thought.fault
            if bot == "ends by its alarm":
                assert thought.fault == "took longer than 30 s"
            assert thinkers.faults == 1

    asyncio.run(main())
    assert (tmp_path / "tally").read_text().split() == ["asked"] * times


class FlakySystem:
    """What `thinkers` needs of `sys`, with a Python that can be started only from the second time on."""

    path = sys.path

    def __init__(self) -> None:
        self._executables = iter(["/no/such/python"])

    @property
    def executable(self) -> str:
        return next(self._executables, sys.executable)


def test_a_process_that_cannot_be_started_at_first_costs_no_move(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsale.server.thinkers.sys", FlakySystem())

    async def main() -> None:
        async with pool() as thinkers:
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_close_does_not_wait_for_a_process_that_cannot_be_started(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")

    async def main() -> None:
        thinkers = Thinkers(make=MAKE, retry_delay=1000)
        asked = ask(thinkers, "broker")
        failed = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(thinkers._closed, "wait", partial(_tell, failed, thinkers._closed.wait))
        await failed  # and the pool waits until it tries again
        await thinkers.close()
        await asyncio.wait([asked])
        assert asked.cancelled()
        assert not thinkers.pids

    run(main())


async def _tell(called: asyncio.Future[None], wait: Callable[[], Awaitable[bool]]) -> bool:
    called.set_result(None)
    return await wait()


class ClosedPipe:
    """A child's transport, as uvloop has it once the child's end of the pipe is gone."""

    def __init__(self, transport: asyncio.SubprocessTransport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> object:
        return getattr(self._transport, name)

    def get_pipe_transport(self, fd: int) -> object:  # noqa: ARG002
        return self

    def write(self, data: bytes) -> None:  # noqa: ARG002
        raise RuntimeError("unable to perform operation: the handler is closed")


def test_a_child_that_went_away_unnoticed_costs_no_move(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await is_well(thinkers)
            (child,) = thinkers._children
            child._transport = ClosedPipe(child._transport)  # type: ignore[assignment]
            assert await is_well(thinkers)
            assert thinkers.faults == 0
            assert child not in thinkers._children

    run(main())


# --- Whose turn it is --------------------------------------------------------------------------------------------


def test_slow_bots_leave_a_worker_to_the_quick_ones(run: Run) -> None:
    """Also while they are being loaded, for which they have two minutes."""

    async def main() -> None:
        async with pool() as thinkers:
            slow = [ask(thinkers, bot) for bot in ("hung", "gets stuck", "planner-1s", "champion-50ms", "hung")]
            await until(lambda: len(thinkers.pids) == 2)
            assert await is_well(thinkers)
            assert len(thinkers.pids) == 3
            assert thinkers.questions_waiting == 3
            assert not any(task.done() for task in slow)

    run(main())


def test_slow_bots_at_unattended_tables_have_one_worker_until_somebody_comes(run: Run) -> None:
    async def main() -> None:
        async with pool(limit=1000, clock=time.monotonic) as thinkers:
            came: list[str] = []
            back = Asker("a third table", "another host", lambda: bool(came))
            asked = [ask(thinkers, "hung", asker) for asker in (AWAY, AWAY, back, AWAY)]
            await until(lambda: len(thinkers.pids) == 1)
            assert thinkers.questions_waiting == 3
            came.append("somebody")
            await until(lambda: len(thinkers.pids) == 2)
            assert thinkers.questions_waiting == 2
            assert not any(task.done() for task in asked)

    run(main())


def test_a_quick_bot_of_another_package_is_not_loaded_in_the_last_worker(run: Run, gate: Gate) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            gate.open()
            assert await ask(thinkers, "waits at a gate") == Thought(AUCTION[1][-1])
            gate.shut()
            (pid,) = thinkers.pids
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not thinkers.pids)
            asked = [ask(thinkers, "waits at a gate") for _ in range(4)]
            await until(lambda: len(thinkers.pids) == 2)
            assert await is_well(thinkers)
            assert thinkers.questions_waiting == 2
            gate.open()
            assert await asyncio.gather(*asked) == [Thought(AUCTION[1][-1])] * 4

    run(main())


def test_a_bot_is_asked_where_it_has_been_loaded(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            await asyncio.gather(ask(thinkers, "counts"), ask(thinkers, "is nostalgic"))
            assert len(thinkers.pids) == 2
            for number in (2, 3):
                await ask(thinkers, "is nostalgic")
                assert await ask(thinkers, "counts") == Thought(Bid(number))

    run(main())


def test_a_question_that_is_withdrawn_leaves_the_queue() -> None:
    async def main() -> None:
        seconds = [100.0]
        thinkers = Thinkers(workers=1, limit=1000, make=MAKE, clock=lambda: seconds[0])
        assert (thinkers.questions_waiting, thinkers.longest_wait) == (0, 0.0)
        asked = []
        for _ in range(3):
            asked.append(ask(thinkers, "hung"))
            await asyncio.sleep(0)
            seconds[0] += 10
        assert (thinkers.questions_waiting, thinkers.longest_wait) == (2, 20.0)
        asked[1].cancel()
        await asyncio.wait([asked[1]])
        assert (thinkers.questions_waiting, thinkers.longest_wait) == (1, 10.0)
        asked[0].cancel()
        await asyncio.wait([asked[0]])
        assert (thinkers.questions_waiting, thinkers.longest_wait) == (0, 0.0)
        await thinkers.close()
        assert asked[2].cancelled()

    asyncio.run(main())


# --- Children ----------------------------------------------------------------------------------------------------


def test_children_end_when_idle_and_come_back(run: Run) -> None:
    async def main() -> None:
        async with pool(idle=0.05) as thinkers:
            assert await is_well(thinkers)
            (pid,) = thinkers.pids
            await until(lambda: gone(pid))
            assert not thinkers.pids
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_a_child_at_work_is_not_idle() -> None:
    async def main() -> None:
        async with pool(idle=0.3) as thinkers:
            assert await is_well(thinkers)
            assert await thinkers.choose("wakes slowly", *AUCTION, "s", HERE) == Thought(Bid(1))

    asyncio.run(main())


def test_close_ends_hung_children_and_calls_off_what_waits(run: Run) -> None:
    async def main() -> None:
        async with pool(limit=1000) as thinkers:
            assert await is_well(thinkers)
            asked = [asyncio.create_task(thinkers.choose("hung", *AUCTION, "s", HERE)) for _ in range(5)]
            await until(lambda: len(thinkers.pids) == 2)
            pids = thinkers.pids
            await asyncio.gather(thinkers.close(), thinkers.close())
            assert all(gone(pid) for pid in pids)
            await asyncio.wait(asked)
            assert all(task.cancelled() for task in asked)
            with pytest.raises(asyncio.CancelledError):
                await thinkers.choose("broker", *AUCTION, "s", HERE)
            assert thinkers.faults == 0
            assert not thinkers.pids

    run(main())


def test_an_answer_that_comes_while_the_pool_closes_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await is_well(thinkers)
            closing: list[asyncio.Task[None]] = []
            (child,) = thinkers._children
            received = child.pipe_data_received

            def close_and_receive(fd: int, data: bytes) -> None:
                closing.append(asyncio.create_task(thinkers.close()))  # it runs before whoever waits for the data
                received(fd, data)

            monkeypatch.setattr(child, "pipe_data_received", close_and_receive)
            assert await is_well(thinkers)
            await asyncio.gather(*closing)
            assert not thinkers.pids

    run(main())


def test_close_before_anything_was_asked(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            await thinkers.close()

    run(main())


def test_cancelled_at_any_moment_the_pool_goes_on(run: Run) -> None:
    async def main() -> None:
        async with pool(workers=1) as thinkers:
            for ticks in range(12):
                task = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s", HERE))
                for _ in range(ticks):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait([task])
                assert task.cancelled()
            assert await is_well(thinkers)
            assert len(thinkers.pids) == 1
            assert thinkers.faults == 0

    run(main())


def test_closed_at_any_moment_nothing_is_left(run: Run) -> None:
    async def main() -> None:
        before = children()
        for ticks in range(12):
            async with pool() as thinkers:
                task = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s", HERE))
                for _ in range(ticks):
                    await asyncio.sleep(0)
                await thinkers.close()
                assert children() <= before
                await asyncio.wait([task])
                assert task.cancelled()

    run(main())


def test_children_leave_it_to_the_server_when_to_stop(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await is_well(thinkers)
            (pid,) = thinkers.pids
            os.kill(pid, signal.SIGINT)
            os.kill(pid, signal.SIGTERM)
            assert await is_well(thinkers)
            assert thinkers.pids == {pid}

    run(main())


def test_a_child_killed_while_it_rests_is_replaced(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await is_well(thinkers)
            (pid,) = thinkers.pids
            os.kill(pid, signal.SIGKILL)
            await until(lambda: pid not in thinkers.pids)
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_a_child_that_talks_while_it_rests_is_replaced(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert (await thinkers.choose("floods later", *AUCTION, "s", HERE)).fault is None
            (pid,) = thinkers.pids
            await until(lambda: pid not in thinkers.pids)
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_a_child_that_closes_its_pipe_while_it_rests_is_replaced(run: Run, gate: Gate) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert (await thinkers.choose("closes its pipe later", *AUCTION, "s", HERE)).fault is None
            (pid,) = thinkers.pids
            gate.open()
            await until(lambda: pid not in thinkers.pids)
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_a_child_may_go_at_any_moment(run: Run) -> None:
    """No move is lost by it: another child is asked."""

    async def main() -> None:
        async with pool(workers=1) as thinkers:
            for ticks in range(12):
                assert await is_well(thinkers)
                (pid,) = thinkers.pids
                os.kill(pid, signal.SIGKILL)
                for _ in range(ticks):
                    await asyncio.sleep(0)
                assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


@linux_only
def test_children_have_none_of_the_servers_files(run: Run) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            listening.set_inheritable(True)
            async with pool() as thinkers:
                assert await is_well(thinkers)
                (pid,) = thinkers.pids
                held = [os.readlink(fd) for fd in (PROC / str(pid) / "fd").iterdir()]
        assert len(held) == 5
        assert held.count(os.devnull) == 3

    run(main())


ORPHAN = f"""
import asyncio, sys, time
from forsale.server.thinkers import Thinkers
from tests.server.test_thinkers import AUCTION, HERE

async def main(bot):
    thinkers = Thinkers(limit=0.3, make={MAKE!r})
    await thinkers.choose("broker", *AUCTION, "s", HERE)
    (pid,) = thinkers.pids
    asked = asyncio.create_task(thinkers.choose(bot, *AUCTION, "s", HERE))
    for _ in range(20):  # the child gets the question; then this loop stands still
        await asyncio.sleep(0)
    print(pid, flush=True)
    time.sleep(1000)

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.parametrize("bot", ["broker", "hung"])
def test_children_end_when_the_server_is_killed(bot: str) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", ORPHAN, bot], stdout=subprocess.PIPE, cwd=root) as server:
        try:
            assert server.stdout is not None
            child = int(server.stdout.readline())
            assert not gone(child)
        finally:
            server.kill()
    deadline = time.monotonic() + 30
    while not gone(child):
        assert time.monotonic() < deadline
        time.sleep(0.01)
