"""What downtime, a stopped process and a clock that jumps do to the time of players: nothing."""

from pathlib import Path

import pytest

from forsale.server.bus import LocalBus
from forsale.server.clock import ServerClock
from forsale.server.live import GRACE
from forsale.server.loading import load_table
from forsale.server.options import Options, Seconds
from forsale.server.protocol import (
    VERSION,
    Act,
    Hello,
    Update,
    Welcome,
)
from forsale.server.table import RECONNECT, deadline
from forsale.server.tables import Tables
from forsale.server.wire import Bid
from tests.server.club import ANA, BO, CY, Club, Inbox, run, say_of, to_act


def test_downtime_does_not_count_against_clocks(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=Seconds(decision=10, bank=5)))
        seat = await to_act(club, table)
        seq = (await club.live(table)).table.seq
        club.time += 3_600_000
        again = Tables(club.store, LocalBus(), club.thinkers, now=lambda: club.time)
        await again.start()
        inbox = Inbox()
        connection = await again.connect(table, (ANA, BO, CY)[seat], Hello(VERSION), inbox)
        assert inbox.of(Welcome)[0].seq == seq
        assert inbox.of(Welcome)[0].table.seats[seat].deadline == club.time + RECONNECT + 15_000
        club.time += RECONNECT + 9000
        await connection.receive(Act("1", seq, Bid(1)))
        assert inbox.of(Update)[-1].table.seats[seat].bank == 5000
        await again.stop()
        # And it stays so: the log tells what did not count.
        last = await load_table(table, club.store)
        assert last is not None
        assert last.seats[seat].bank == 5000

    run(tmp_path, test)


class Watch:
    """Wall time and the time that passes, which a test moves apart."""

    def __init__(self) -> None:
        self.wall, self.passed = 1_000_000_000, 0.0

    def pass_by(self, seconds: float) -> None:
        self.wall += round(seconds * 1000)
        self.passed += seconds


YEAR = 365 * 24 * 60 * 60 * 1000


@pytest.mark.parametrize("jump", [YEAR, -YEAR])
def test_a_clock_that_jumps_empties_no_bank_and_sets_no_deadline_a_year_away(tmp_path: Path, jump: int) -> None:
    async def test(club: Club) -> None:
        watch = Watch()
        tables = club.tables
        tables.now = ServerClock(tables._interrupted, lambda: watch.wall, lambda: watch.passed)
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=Seconds(decision=10, bank=5)))
        seat = await to_act(club, table)
        seats = [await club.sit(table, guest) for guest in (ANA, BO, CY)]
        live = await club.live(table)
        watch.pass_by(2)
        watch.wall += jump
        await say_of(*seats[seat], Act("1", live.table.seq, Bid(1)))
        assert live.table.seats[seat].bank == 5000
        following = (seat + 1) % 3
        assert deadline(live.table, following) == watch.wall + 15_000
        watch.pass_by(2)
        watch.wall -= jump
        live.follow_up()
        left = (deadline(live.table, following) or 0) - watch.wall
        assert 15_000 <= left <= 15_000 + RECONNECT
        assert not live.info(None).seats[following].away
        watch.pass_by(2.5)
        await say_of(*seats[following], Act("2", live.table.seq, Bid(2)))
        assert live.table.seats[following].bank == 5000

    run(tmp_path, test)


def test_a_server_that_was_stopped_for_a_while_plays_for_nobody(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        watch = Watch()
        club.tables.now = ServerClock(club.tables._interrupted, lambda: watch.wall, lambda: watch.passed)
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        guests = (ANA, BO, CY)
        await club.sit(table, guests[(seat + 1) % 3])
        live = await club.live(table)
        seq = live.table.seq
        watch.pass_by(3600)  # nobody could connect meanwhile
        live.follow_up()
        await club.settle()
        assert live.table.seq == seq
        for _ in range(GRACE // 2000):
            watch.pass_by(2)
            live.follow_up()
        await club.settle()
        assert live.table.seq > seq

    run(tmp_path, test)
