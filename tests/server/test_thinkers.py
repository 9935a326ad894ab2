"""Bots in child processes: the same choices as in this one, and no way for a bad bot to do harm."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from forsale import bots, view
from forsale.bots import default_action
from forsale.game import Action, Bid, Pass, legal_actions
from forsale.server import thinking
from forsale.server.thinkers import Thinkers, Thought
from forsale.view import View
from tests.games import Combo, combo_game
from tests.server.bad_bots import Nostalgic

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
async def pool(workers: int = 2, limit: float = 30.0, idle: float = 60.0, make: str = MAKE) -> AsyncIterator[Thinkers]:
    """Thinkers that leave no process behind."""
    before = children()
    thinkers = Thinkers(workers, limit, idle, make)
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
    return await thinkers.choose("broker", *AUCTION, seed="s") == Thought(here("broker", AUCTION, "s"))


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
                    assert await thinkers.choose(bot, *asked, seed) == Thought(here(bot, asked, seed))
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
                assert await thinkers.choose("is nostalgic", one, legal, "s") == Thought(action)

    run(main())


def test_many_at_once_each_get_their_own_answer(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            seeds = [f"seed {number}" for number in range(100)]
            thoughts = await asyncio.gather(*(thinkers.choose("random", *AUCTION, seed) for seed in seeds))
            assert thoughts == [Thought(here("random", AUCTION, seed)) for seed in seeds]
            assert len(set(thoughts)) > 5
            assert len(thinkers.pids) == 2

    run(main())


def test_first_come_first_served() -> None:
    async def main() -> None:
        async with pool(workers=1) as thinkers:
            thoughts = await asyncio.gather(*(thinkers.choose("counts", *AUCTION, "s") for _ in range(8)))
            assert [thought.action for thought in thoughts] == [Bid(number) for number in range(1, 9)]

    asyncio.run(main())


def test_no_process_without_a_choice_to_make() -> None:
    async def main() -> None:
        async with pool() as thinkers:
            assert await thinkers.choose("hung", AUCTION[0], (Bid(3),), "s") == Thought(Bid(3))
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
                thought = await thinkers.choose(bot, *asked, "s")
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
            thought = await thinkers.choose(f"cmd:touch {tmp_path / 'ran'}", *AUCTION, "s")
            assert thought == Thought(default_action(AUCTION[1]), "unknown bot")

    run(main())
    assert not (tmp_path / "ran").exists()


def test_prints_do_not_reach_the_server(run: Run) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            for _ in range(3):
                assert await thinkers.choose("chats", *AUCTION, "s") == Thought(AUCTION[1][-1])
            assert len(thinkers.pids) == 1

    run(main())


def test_a_hung_bot_delays_no_other_table(run: Run) -> None:
    async def main() -> None:
        async with pool(limit=1.0) as thinkers:
            hung = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s"))
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
            hung = [asyncio.create_task(thinkers.choose("hung", *AUCTION, "s")) for _ in range(12)]
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
            assert (await thinkers.choose("is moody", *SALE, "s")).fault
            assert await thinkers.choose("is moody", *AUCTION, "s") == Thought(AUCTION[1][-1])
            thoughts = await asyncio.gather(*(thinkers.choose("is moody", *AUCTION, "s") for _ in range(10)))
            assert thoughts == [Thought(AUCTION[1][-1])] * 10
            assert thinkers.faults == 1
            assert len(thinkers.pids) == 2  # it is trusted again

    run(main())


def test_a_child_that_does_not_come_up_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with pool() as thinkers:
            with monkeypatch.context() as patched:
                patched.setattr(thinking, "START", 0.2)
                thought = await thinkers.choose("gets stuck", *SALE, "s")
            assert thought == Thought(default_action(SALE[1]), "did not start within 0.2 s")
            with monkeypatch.context() as patched:
                patched.setattr(sys, "executable", "/no/such/python")
                thought = await thinkers.choose("broker", *SALE, "s")
            assert thought.fault is not None
            assert thought.fault.startswith("no process to think in: ")
            assert await is_well(thinkers)

    asyncio.run(main())


def test_starting_takes_none_of_the_bots_time() -> None:
    async def main() -> None:
        async with pool(limit=0.5) as thinkers:
            assert await thinkers.choose("wakes slowly", *AUCTION, "s") == Thought(Bid(1))
            assert await thinkers.choose("wakes slowly", *AUCTION, "s") == Thought(Bid(2))

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
            assert await thinkers.choose("wakes slowly", *AUCTION, "s") == Thought(Bid(1))

    asyncio.run(main())


def test_close_ends_hung_children_and_calls_off_what_waits(run: Run) -> None:
    async def main() -> None:
        async with pool(limit=1000) as thinkers:
            assert await is_well(thinkers)
            asked = [asyncio.create_task(thinkers.choose("hung", *AUCTION, "s")) for _ in range(5)]
            await until(lambda: len(thinkers.pids) == 2)
            pids = thinkers.pids
            await asyncio.gather(thinkers.close(), thinkers.close())
            assert all(gone(pid) for pid in pids)
            await asyncio.wait(asked)
            assert all(task.cancelled() for task in asked)
            with pytest.raises(asyncio.CancelledError):
                await thinkers.choose("broker", *AUCTION, "s")
            assert thinkers.faults == 0
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
                task = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s"))
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
                task = asyncio.create_task(thinkers.choose("hung", *AUCTION, "s"))
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
            assert (await thinkers.choose("floods later", *AUCTION, "s")).fault is None
            (pid,) = thinkers.pids
            await until(lambda: pid not in thinkers.pids)
            assert await is_well(thinkers)
            assert thinkers.faults == 0

    run(main())


def test_a_child_may_go_at_any_moment(run: Run) -> None:
    async def main() -> None:
        async with pool(workers=1) as thinkers:
            for ticks in range(12):
                assert await is_well(thinkers)
                (pid,) = thinkers.pids
                os.kill(pid, signal.SIGKILL)
                for _ in range(ticks):
                    await asyncio.sleep(0)
                thought = await thinkers.choose("broker", *AUCTION, "s")
                assert thought.fault is None or thought.fault.startswith("crashed: ")

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
from tests.server.test_thinkers import AUCTION

async def main(bot):
    thinkers = Thinkers(limit=0.3, make={MAKE!r})
    await thinkers.choose("broker", *AUCTION, "s")
    (pid,) = thinkers.pids
    asked = asyncio.create_task(thinkers.choose(bot, *AUCTION, "s"))
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
