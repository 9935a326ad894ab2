"""The host of tables: what is granted is stored first, everyone is told, and nobody waits for one who is gone.

A real store, and time that moves only when a test says so.
"""

import asyncio
from pathlib import Path

import pytest

from forsale import game
from forsale.server.bus import LocalBus
from forsale.server.live import GRACE
from forsale.server.log import Acted
from forsale.server.options import Days, NoClock, Options, Seconds
from forsale.server.protocol import (
    VERSION,
    Ack,
    Act,
    ChatLine,
    ClientMessage,
    Closing,
    Hello,
    Here,
    PassOn,
    Ping,
    Plan,
    PlanIs,
    Pong,
    Presence,
    RaiseTo,
    React,
    Refused,
    Say,
    SetPlan,
    Update,
    Welcome,
)
from forsale.server.refusal import Refusal
from forsale.server.response_times import LONGEST, SHORTEST
from forsale.server.store import Guest, StoreError
from forsale.server.table import deadline
from forsale.server.tables import MAX_OPEN, Connection, Tables
from forsale.server.wire import Bid, Pass, Sell
from tests.server.club import ANA, BO, CY, EVE, Club, Inbox, run, say_of, to_act

# --- Playing -------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_two_people_and_a_bot(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO)
        seats = [await club.sit(table, guest) for guest in (ANA, BO)]
        _, onlooker = await club.sit(table, EVE)
        live = await club.live(table)
        count = 0
        while live.table.is_playing:
            state = live.table.state
            assert state is not None
            seat = min(seat for seat in state.to_act if seat < 2)
            legal = game.legal_actions(state, seat)
            action = Pass() if legal[0] == game.Pass() else Sell(state.hands[seat][0])
            count += 1
            connection, inbox = seats[seat]
            answer = await say_of(connection, inbox, Act(str(count), live.table.seq, action))
            assert isinstance(answer, Ack)
            await club.settle()
        for inbox in (seats[0][1], seats[1][1], onlooker):
            seqs = [update.happening.seq for update in inbox.of(Update)]
            assert seqs == list(range(seqs[0], live.table.seq + 1))
            last = inbox.of(Update)[-1]
            assert last.table.secret == live.table.secret.hex()
            assert last.position is not None
            assert last.position.decks is not None
        history = await club.tables.history(ANA)
        assert history.stats.games == 1
        assert history.games[0].status == "over"
        written = await club.tables.record(table, None)
        assert written.tag("Secret")
        new = await club.tables.rematch(table, BO)
        assert await club.tables.rematch(table, ANA) == new
        assert (await club.tables.info(new, ANA)).you == 0

    run(tmp_path, test)


def test_repeating_an_id_is_harmless(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        guest = (ANA, BO, CY)[await to_act(club, table)]
        connection, inbox = await club.sit(table, guest)
        seq = (await club.live(table)).table.seq
        first = await say_of(connection, inbox, Act("once", seq, Bid(2)))
        again = await say_of(connection, inbox, Act("once", seq, Bid(2)))
        assert first == again == Ack("once", seq + 1)
        assert (await club.live(table)).table.seq == seq + 1
        for message in (Say("hi", "hello"), React("ho", "👏")):
            first = await say_of(connection, inbox, message)
            assert isinstance(first, Ack)
            assert await say_of(connection, inbox, message) == first
        assert (await club.live(table)).table.seq == seq + 3
        # The ids are in the log, so a restart does not forget them; and they are each guest's own.
        await connection.close()
        await club.forget()
        connection, inbox = await club.sit(table, guest)
        assert await say_of(connection, inbox, Act("once", seq, Bid(2))) == Ack("once", seq + 1)
        other, theirs = await club.sit(table, EVE)
        assert await say_of(other, theirs, Say("hi", "hello")) == Ack("hi", seq + 4)

    run(tmp_path, test)


def test_refusals_are_typed_and_change_nothing(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        me, other = (ANA, BO, CY)[seat], (ANA, BO, CY)[(seat + 1) % 3]
        seq = (await club.live(table)).table.seq
        cases: list[tuple[Guest | None, ClientMessage, str]] = [
            (me, Act("1", seq - 1, Bid(1)), "action/stale"),
            (me, Act("2", seq, Bid(99)), "action/illegal"),
            (other, Act("3", seq, Bid(1)), "action/illegal"),
            (EVE, Act("4", seq, Bid(1)), "seat/not-yours"),
            (None, Act("5", seq, Bid(1)), "guest/unknown"),
            (EVE, SetPlan("6", PassOn()), "seat/not-yours"),
            (me, React("7", "x"), "message/bad"),
            (me, Say("8", " "), "message/bad"),
        ]
        for guest, message, code in cases:
            connection, inbox = await club.sit(table, guest)
            answer = await say_of(connection, inbox, message)
            assert isinstance(answer, Refused)
            assert answer.code == code
            assert answer.id == message.id  # type: ignore[union-attr]
            await connection.close()
        assert (await club.live(table)).table.seq == seq
        connection, inbox = await club.sit(table, me)
        await connection.receive(Hello(VERSION))
        assert inbox.of(Refused)[-1].code == "message/bad"
        await connection.receive(Ping())
        assert inbox.of(Pong)

    run(tmp_path, test)


def test_unknown_tables_and_old_clients(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        with pytest.raises(Refusal, match="table/unknown"):
            await club.tables.info("nowhere", ANA)
        table = await club.tables.open(ANA, Options())
        with pytest.raises(Refusal, match="protocol/version"):
            await club.tables.connect(table, ANA, Hello(VERSION + 1), Inbox())
        with pytest.raises(Refusal, match="table/options"):
            await club.tables.open(ANA, Options(bot="kasparov"))

    run(tmp_path, test)


def test_a_guest_cannot_open_tables_without_end(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        for _ in range(MAX_OPEN):
            await club.tables.open(ANA, Options())
        with pytest.raises(Refusal, match="request/too-many"):
            await club.tables.open(ANA, Options())
        await club.tables.open(BO, Options())
        await club.tables.leave((await club.store.tables_of(ANA.id, 1))[0].id, ANA)
        await club.tables.open(ANA, Options())
        club.time += 24 * 60 * 60 * 1000 + 1  # games that were given up yesterday hinder nobody
        await club.tables.open(ANA, Options())

    run(tmp_path, test)


def test_listed_tables_are_found_until_they_start(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        await club.tables.open(ANA, Options())
        shown = await club.tables.open(BO, Options(listed=True))
        assert [(found.id, found.host, found.taken) for found in await club.tables.open_tables()] == [(shown, "Bo", 1)]
        await club.tables.start_game(shown, BO)
        assert await club.tables.open_tables() == []

    run(tmp_path, test)


def test_play_now_waits_for_nobody_but_the_person(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.tables.play_now(ANA, Options(seats=5))
        await club.settle()
        assert await to_act(club, table) == 0
        assert all(view.seat is not None and not view.tracker for _, view in club.thinkers.asked)

    run(tmp_path, test)


# --- Coming, going, coming back --------------------------------------------------------------------------------------


def test_a_client_that_comes_back_gets_exactly_what_it_missed(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        _, whole = await club.sit(table, ANA)
        seen = whole.of(Welcome)[0]
        assert [happening.seq for happening in seen.missed] == list(range(1, seen.seq + 1))
        guest = (ANA, BO, CY)[await to_act(club, table)]
        connection, inbox = await club.sit(table, guest)
        await say_of(connection, inbox, Act("1", seen.seq, Bid(1)))
        await say_of(connection, inbox, Say("2", "hello"))
        _, back = await club.sit(table, ANA, last=seen.seq)
        welcome = back.of(Welcome)[0]
        assert [happening.seq for happening in welcome.missed] == [seen.seq + 1, seen.seq + 2]
        assert [update.happening for update in whole.of(Update)] == list(welcome.missed)

    run(tmp_path, test)


def test_a_table_comes_back_from_the_store_as_it_was(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        before = (await club.live(table)).table
        await club.forget()
        assert club.tables.gauges["tables_in_memory"] == 0
        assert (await club.live(table)).table == before

    run(tmp_path, test)


def test_a_table_that_was_just_loaded_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If loading takes longer than a sweep, the table must still be there for whoever waited for it."""

    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        await club.forget()
        load, loads = club.tables._load, 0

        async def load_during_sweeps(wanted: str) -> None:
            nonlocal loads
            loads += 1
            await club.tables._sweep()
            await load(wanted)
            await club.tables._sweep()

        monkeypatch.setattr(club.tables, "_load", load_during_sweeps)
        _, inbox = await club.sit(table, ANA)
        assert loads == 1
        guest = (ANA, BO, CY)[await to_act(club, table)]
        connection, theirs = await club.sit(table, guest)
        await say_of(connection, theirs, Act("1", inbox.of(Welcome)[0].seq, Bid(1)))
        assert len(inbox.of(Update)) == 1

    run(tmp_path, test)


def test_a_table_that_is_looked_at_again_and_again_stays_in_memory(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        live = await club.live(table)
        for _ in range(5):
            await club.tables._sweep()
            assert await club.live(table) is live
        await club.forget()
        assert await club.live(table) is not live

    run(tmp_path, test)


def test_a_table_is_in_memory_once_whoever_waits_for_it_or_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of one table would each write what the other does not know of."""

    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        await club.forget()
        load, loads, at_once = club.tables._load, 0, 0

        async def load_and_rest(wanted: str) -> None:
            nonlocal loads, at_once
            loads, at_once = loads + 1, at_once + 1
            assert at_once == 1
            await load(wanted)
            if loads == 1:
                await club.forget()
            at_once -= 1

        monkeypatch.setattr(club.tables, "_load", load_and_rest)
        waiting = [asyncio.create_task(club.sit(table, guest)) for guest in (EVE, ANA, BO, CY)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        seated = await asyncio.gather(*waiting[1:])
        assert loads == 2
        assert len((await club.live(table)).listeners) == 3
        for number, (connection, inbox) in enumerate(seated):
            assert isinstance(await say_of(connection, inbox, Say(str(number), "hello")), Ack)

    run(tmp_path, test)


def test_a_table_with_a_wish_before_it_is_not_put_to_rest(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        live = await club.live(await club.tables.open(ANA, Options(seats=3)))
        assert live.is_idle
        wish = asyncio.create_task(live.grant(lambda _: None))
        await asyncio.sleep(0)
        assert not live.is_idle
        await wish
        assert live.is_idle

    run(tmp_path, test)


def test_one_who_is_gone_is_played_by_a_bot_while_others_wait(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        guests = [ANA, BO, CY]
        waiting, inbox = await club.sit(table, guests[(seat + 1) % 3])
        live = await club.live(table)
        seq = live.table.seq
        club.time += GRACE - 1
        live.follow_up()
        await club.settle()
        assert live.table.seq == seq
        club.time += 1
        live.follow_up()
        await club.settle()
        entry = live.table.log[seq].logged.entry
        assert isinstance(entry, Acted)
        assert (entry.seat, entry.by) == (seat, "stand-in")
        assert any(presence.table.seats[seat].away for presence in inbox.of(Presence))
        _, back = await club.sit(table, guests[seat])
        assert not back.of(Welcome)[0].table.seats[seat].away
        await waiting.close()

    run(tmp_path, test)


def test_without_a_clock_nobody_plays_for_one_who_is_alone(tmp_path: Path) -> None:
    """Close the lid, come back tomorrow: the game against bots is where you left it."""

    async def test(club: Club) -> None:
        table = await club.tables.play_now(ANA, Options())
        await club.settle()
        connection, _ = await club.sit(table, ANA)
        await connection.close()
        live = await club.live(table)
        seq = live.table.seq
        club.time += 24 * 60 * 60 * 1000
        live.follow_up()
        await club.settle()
        assert live.table.seq == seq

    run(tmp_path, test)


@pytest.mark.parametrize("clock", [Seconds(decision=10, bank=5), Days(1)])
def test_when_time_runs_out_a_bot_plays_until_the_person_is_back(tmp_path: Path, clock: Seconds | Days) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=clock))
        seat = await to_act(club, table)
        connection, inbox = await club.sit(table, (ANA, BO, CY)[seat])
        live = await club.live(table)
        seq = live.table.seq
        club.time += 15_000 if isinstance(clock, Seconds) else 24 * 60 * 60 * 1000
        live.follow_up()
        await club.settle()
        entry = live.table.log[seq].logged.entry
        assert isinstance(entry, Acted)
        assert entry.by == "stand-in"
        assert live.info(None).seats[seat].away
        await connection.receive(Here())
        assert not live.info(None).seats[seat].away
        assert inbox.of(Presence)

    run(tmp_path, test)


def test_what_is_due_happens_though_the_table_was_out_of_memory(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=Days(1)))
        seq = (await club.live(table)).table.seq
        await club.forget()
        assert club.tables.gauges["tables_in_memory"] == 0
        club.time += 2 * 24 * 60 * 60 * 1000
        await club.tables._sweep()
        await club.settle()
        assert (await club.live(table)).table.seq > seq

    run(tmp_path, test)


def test_two_tabs_of_one_person_are_fine(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        guest = (ANA, BO, CY)[seat]
        one, first = await club.sit(table, guest)
        two, second = await club.sit(table, guest)
        seq = (await club.live(table)).table.seq
        await say_of(one, first, Act("1", seq, Bid(1)))
        assert second.of(Update)[-1].happening == first.of(Update)[-1].happening
        await one.close()
        assert second.of(Presence)[-1].table.seats[seat].connected
        await two.close()
        assert not (await club.live(table)).info(None).seats[seat].connected

    run(tmp_path, test)


def test_one_who_takes_another_name_talks_under_it_at_once(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        connection, inbox = await club.sit(table, ANA)
        club.tables.renamed(Guest(ANA.id, "Anastasia"))
        await say_of(connection, inbox, Say("1", "hello"))
        said = inbox.of(Update)[-1].happening.what
        assert isinstance(said, ChatLine)
        assert said.name == "Anastasia"
        await connection.close()

    run(tmp_path, test)


# --- Plans ---------------------------------------------------------------------------------------------------------


async def planned(club: Club, plan: Plan) -> tuple[str, int, list[tuple[Connection, Inbox]]]:
    """Three people; the second to act has a plan, and the first opens at 1."""
    table = await club.started(ANA, BO, CY)
    seat = await to_act(club, table)
    seats = [await club.sit(table, guest) for guest in (ANA, BO, CY)]
    planner = (seat + 1) % 3
    await say_of(*seats[planner], SetPlan("p", plan))
    await say_of(*seats[seat], Act("1", (await club.live(table)).table.seq, Bid(1)))
    await club.wait(table, LONGEST)
    return table, planner, seats


def test_a_plan_to_pass(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, planner, seats = await planned(club, PassOn())
        state = (await club.live(table)).table.state
        assert state is not None
        assert planner not in state.bidders
        assert seats[planner][1].of(Update)[-1].plan is None

    run(tmp_path, test)


def test_a_plan_to_raise_up_to_a_limit_then_pass(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, planner, seats = await planned(club, RaiseTo(3))
        live = await club.live(table)
        assert live.table.state is not None
        assert live.table.state.bids[planner] == 2
        third, first = (planner + 1) % 3, (planner + 2) % 3
        await say_of(*seats[third], Act("2", live.table.seq, Pass()))
        await say_of(*seats[first], Act("3", live.table.seq, Bid(3)))
        await club.wait(table, LONGEST)
        assert live.table.state.number == 2  # 4 was too much: it passed, and the auction is over

    run(tmp_path, test)


def test_a_plan_is_secret_cancellable_and_kept(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        planner = (seat + 1) % 3
        mine, inbox = await club.sit(table, (ANA, BO, CY)[planner])
        _, other = await club.sit(table, (ANA, BO, CY)[seat])
        heard = len(other.messages)
        await say_of(mine, inbox, SetPlan("1", RaiseTo(7)))
        assert inbox.of(PlanIs) == [PlanIs(RaiseTo(7))]
        assert len(other.messages) == heard
        await mine.close()
        live = await club.live(table)
        live.listeners.clear()
        await club.forget()
        mine, inbox = await club.sit(table, (ANA, BO, CY)[planner])
        assert inbox.of(Welcome)[0].plan == RaiseTo(7)
        await say_of(mine, inbox, SetPlan("2", None))
        assert inbox.of(PlanIs)[-1] == PlanIs(None)
        assert await club.store.plans(table) == {}

    run(tmp_path, test)


def test_a_plan_is_carried_out_as_slowly_as_a_person_would(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        seat = await to_act(club, table)
        seats = [await club.sit(table, guest) for guest in (ANA, BO, CY)]
        planner = (seat + 1) % 3
        live = await club.live(table)
        await say_of(*seats[planner], SetPlan("p", PassOn()))
        await say_of(*seats[seat], Act("1", live.table.seq, Bid(1)))
        seq = live.table.seq
        await club.wait(table, SHORTEST - 1)
        assert live.table.seq == seq
        assert not live.is_idle
        # To plan again changes nothing about when it happens.
        turn = live._plan_times[planner]
        await say_of(*seats[planner], SetPlan("p2", RaiseTo(2)))
        assert live._plan_times[planner] == turn
        await club.wait(table, LONGEST)
        entry = live.table.log[-1].logged.entry
        assert isinstance(entry, Acted)
        assert (entry.seat, entry.by, entry.id) == (planner, "person", None)

    run(tmp_path, test)


def test_a_plan_waits_for_its_time_though_everyone_has_left(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table, planner, seats = await planned(club, RaiseTo(9))
        live = await club.live(table)
        state = live.table.state
        assert state is not None
        third, first = (planner + 1) % 3, (planner + 2) % 3
        await say_of(*seats[third], Act("2", live.table.seq, Pass()))
        await say_of(*seats[first], Act("3", live.table.seq, Bid(3)))
        for connection, _ in seats:
            await connection.close()
        await club.forget()
        await club.wait(table, LONGEST)
        assert await club.live(table) is live
        assert live.table.state is not None
        assert live.table.state.bids[planner] == 4

    run(tmp_path, test)


def test_times_are_published_no_finer_than_people_need_them(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        club.time = 1_234_567_891_234
        table = await club.started(ANA, BO, CY, options=Options(seats=3, clock=Seconds(10, 5)))
        seat = await to_act(club, table)
        connection, inbox = await club.sit(table, (ANA, BO, CY)[seat])
        club.time += 11_321
        await say_of(connection, inbox, Act("1", (await club.live(table)).table.seq, Bid(1)))
        await connection.receive(Ping())
        welcome, update, pong = inbox.of(Welcome)[0], inbox.of(Update)[-1], inbox.of(Pong)[0]
        assert {happening.at % 1000 for happening in (*welcome.missed, update.happening)} == {0}
        assert {message.now % 100 for message in (welcome, update, pong)} == {0}
        table_then = (await club.live(table)).table
        assert table_then.seats[seat].bank == 5000 - 1321
        assert update.table.seats[seat].bank == 3000
        for index, place in enumerate(update.table.seats):
            exact = deadline(table_then, index)
            assert place.deadline is None or (exact is not None and exact <= place.deadline < exact + 1000)

    run(tmp_path, test)


def test_there_is_nothing_to_plan_outside_an_auction(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.tables.open(ANA, Options(seats=3))
        connection, inbox = await club.sit(table, ANA)
        answer = await say_of(connection, inbox, SetPlan("1", PassOn()))
        assert isinstance(answer, Refused)
        assert answer.code == "plan/too-late"

    run(tmp_path, test)


# --- When things go wrong --------------------------------------------------------------------------------------------


def test_nothing_is_acknowledged_that_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        guest = (ANA, BO, CY)[await to_act(club, table)]
        connection, inbox = await club.sit(table, guest)
        live = await club.live(table)
        seq = live.table.seq

        async def full(*_: object) -> None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(club.store, "append", full)
            answer = await say_of(connection, inbox, Act("1", seq, Bid(1)))
        assert isinstance(answer, Refused)
        assert answer.code == "server/storage"
        assert (live.table.seq, inbox.of(Update)) == (seq, [])
        assert await say_of(connection, inbox, Act("1", seq, Bid(1))) == Ack("1", seq + 1)

    run(tmp_path, test)


def test_another_process_that_wrote_first_is_caught_up_with(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        guest = (ANA, BO, CY)[await to_act(club, table)]
        here, inbox = await club.sit(table, guest)
        seq = (await club.live(table)).table.seq
        # A second host on the same store, as a second machine would be; it has a bus of its own.
        elsewhere = Tables(club.store, LocalBus(), club.thinkers, now=lambda: club.time)
        there_inbox = Inbox()
        there = await elsewhere.connect(table, guest, Hello(VERSION), there_inbox)
        await there.receive(Act("there", seq, Bid(1)))
        assert there_inbox.of(Ack) == [Ack("there", seq + 1)]
        answer = await say_of(here, inbox, Act("here", seq, Bid(1)))
        assert isinstance(answer, Refused)
        assert answer.code == "action/stale"
        assert inbox.of(Update)[-1].happening.seq == seq + 1
        # What does not depend on the position is done all the same.
        await there.receive(Say("first", "hello"))
        assert await say_of(here, inbox, Say("second", "hello")) == Ack("second", seq + 3)
        # And by the news on the bus, without anyone asking.
        await there.receive(Say("said", "hello"))
        club.bus.publish(table, seq + 4)
        await club.settle()
        assert inbox.of(Update)[-1].happening.seq == seq + 4
        await elsewhere.stop()

    run(tmp_path, test)


def test_one_who_goes_while_it_is_stored_breaks_nothing(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        guest = (ANA, BO, CY)[await to_act(club, table)]
        connection, _ = await club.sit(table, guest)
        live = await club.live(table)
        seq = live.table.seq
        task = asyncio.create_task(connection.receive(Act("1", seq, Bid(1))))
        await asyncio.sleep(0)
        task.cancel()
        await club.settle()
        stored = await club.store.read(table)
        assert len(stored) == live.table.seq == seq + 1

    run(tmp_path, test)


def test_stopping_tells_everyone_to_come_again(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        table = await club.started(ANA, BO, CY)
        _, inbox = await club.sit(table, ANA)
        await club.tables.stop()
        assert inbox.of(Closing)[-1].code == "server/restarting"
        assert inbox.closed == 1012
        with pytest.raises(Refusal, match="server/restarting"):
            await club.sit(table, BO)

    run(tmp_path, test)


def test_options_reach_the_bots(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        await club.tables.play_now(ANA, Options(tracker=True, bot="random", clock=NoClock()))
        await club.settle()
        assert all(bot == "random" and view.tracker for bot, view in club.thinkers.asked)

    run(tmp_path, test)
