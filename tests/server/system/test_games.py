"""Whole games at a real server, by many clients at once; each keeps a second copy of the engine."""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from forsale import bots, game, record
from forsale.client import Client, Options, PassOn, RaiseTo, Refused, Seat, Seconds, play_bot
from forsale.game import Bid, Pass
from forsale.server.protocol import ChatLine, ChatSwitched, Happening, Reaction
from tests.games import COMBOS, Combo
from tests.server.system.checking import check_record, check_witness
from tests.server.system.people import Habits, Witness, gather_at_table, guests, play
from tests.server.system.server_process import ServerProcess
from tests.test_docs import blocks

WITHIN = 100.0
"""Seconds for any one test; none should need a tenth of it."""
QUIET = Habits(plans=0, changes=0, drops=0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("games")) as running:
        yield running
        assert running.trouble() == []


def run(test: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(test, WITHIN))


async def everything_of(client: Client, table: str) -> list[Happening]:
    """A table's whole log, as it can be seen once the game is over."""
    async with client.sit(table) as late:
        return late.happenings


# --- Every edition -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("half", [0, 1])
def test_every_edition_variant_and_number_of_seats(server: ServerProcess, half: int) -> None:
    """Half of them at once: people and bots at each table, and somebody who watches."""

    async def test() -> None:
        names = [f"Person {number}" for number in range(8)]
        async with guests(server.address, "Watcher", *names) as (watcher, *people):
            combos = COMBOS[half::2]
            await asyncio.gather(*(whole_game(combo, people, watcher, Random(str(combo))) for combo in combos))

    run(test())


async def whole_game(combo: Combo, people: Sequence[Client], watcher: Client, rng: Random) -> None:
    seated = rng.sample(people, rng.randint(1, min(4, combo.seats)))
    options = Options(
        combo.edition, combo.variant, combo.seats, tracker=rng.random() < 0.5, bot=rng.choice(bots.names())
    )
    table = await gather_at_table(seated, options)
    async with AsyncExitStack() as stack:
        witnesses = [await stack.enter_async_context(Witness.of(each, table)) for each in (*seated, watcher)]
        playing = [play(witness, Random(f"{combo} {at}")) for at, witness in enumerate(witnesses[:-1])]
        await asyncio.gather(*playing, witnesses[-1].until(lambda at: at.is_over))
        everything = await everything_of(watcher, table)
        ends = [check_witness(witness, everything) for witness in witnesses]
        check_record(await watcher.record(table), witnesses[0].table, everything, ends[0])
        check_hidden(witnesses, people)


def check_hidden(witnesses: Sequence[Witness], people: Sequence[Client]) -> None:
    """Nobody is ever told who a guest is; nor, before the end, the secret and the seeds of the deal."""
    table = witnesses[0].table
    assert table.secret is not None
    for witness in witnesses:
        for frame in witness.frames:
            assert not any(person.me.id.encode() in frame for person in people)
        before_the_end = [frame for frame in witness.frames if b'"status":"over"' not in frame]
        assert not any(table.secret.encode() in frame or b"seed of" in frame for frame in before_the_end)


# --- Coming and going ------------------------------------------------------------------------------------------------


def test_who_was_away_gets_exactly_what_was_missed(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy") as people:
            table = await gather_at_table(people, Options(seats=3))
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(Witness.of(person, table)) for person in people]
                away = seats[0]
                await asyncio.gather(*(play_auctions(seat, 2) for seat in seats))
                for last in range(away.seq + 1):
                    async with Witness.of(people[0], table, last=last) as tab:
                        assert tab.happenings == away.happenings[last:]
                        assert (tab.position, tab.legal, tab.plan) == (away.position, away.legal, away.plan)

    run(test())


async def play_auctions(seat: Witness, number: int) -> None:
    """Pass until so many auctions are over."""

    def is_done() -> bool:
        assert seat.position is not None
        return seat.position.number > number or seat.position.phase != "buying"

    while not is_done():
        await seat.until(lambda at: at.must_act or is_done())
        if not is_done():
            await seat.act(Pass())


def test_two_tabs_of_one_person_are_one_seat(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana") as (ana,):
            table = await gather_at_table([ana], Options(seats=3, bot="random"))
            async with Witness.of(ana, table) as left, Witness.of(ana, table) as right:
                tabs = [left, right]
                while not left.is_over:
                    tabs.reverse()
                    tab = tabs[0]
                    await tab.until(lambda at: at.must_act or at.is_over)
                    if tab.must_act:
                        await tab.act(tab.legal[0])
                await right.until(lambda at: at.is_over)
                everything = await everything_of(ana, table)
                assert check_witness(left, everything) == check_witness(right, everything)

    run(test())


def test_an_action_that_is_sent_twice_is_played_once(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana") as (ana,):
            table = await gather_at_table([ana], Options(seats=3))
            async with ana.sit(table) as seat, ana.sit(table) as other_tab:
                await seat.until(lambda at: at.must_act)
                based_on = seat.seq
                first = await seat.act(Pass(), based_on=based_on, action_id="the same")
                assert await seat.act(Pass(), based_on=based_on, action_id="the same") == first
                assert await other_tab.act(Pass(), based_on=based_on, action_id="the same") == first
                with pytest.raises(Refused, match="^action/stale: "):
                    await seat.act(Pass(), based_on=based_on, action_id="another")

    run(test())


def test_a_seat_moves_to_another_device_once(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Stranger") as (ana, device):
            table = await gather_at_table([ana], Options(seats=3))
            link = await ana.link()
            assert link.url.startswith(f"{server.address}/link#")
            assert await device.redeem(link.url) == ana.me
            async with device.sit(table) as seat:
                assert seat.table.you == 0
            with pytest.raises(Refused, match="^link/expired: "):
                await device.redeem(link.url)
            secret = link.url.partition("#")[2]
            assert secret not in server.log

    run(test())


# --- Around the game -------------------------------------------------------------------------------------------------


def test_one_sits_down_stands_up_and_only_the_host_begins(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy", "Dee") as (ana, bo, cy, dee):
            table = (await ana.create(Options(seats=3, listed=True))).id
            assert table in [each.id for each in await bo.tables()]
            assert (await bo.join(table)).you == 1
            assert (await bo.join(table)).you == 1
            with pytest.raises(Refused, match="^table/not-host: "):
                await bo.start(table)
            assert (await bo.leave(table)).you is None
            await cy.join(table)
            await bo.join(table)
            with pytest.raises(Refused, match="^seat/none-free: "):
                await dee.join(table)
            await ana.start(table)
            with pytest.raises(Refused, match="^table/started: "):
                await dee.join(table)
            with pytest.raises(Refused, match="^table/started: "):
                await bo.leave(table)
            assert table not in [each.id for each in await dee.tables()]
            async with dee.sit(table) as watching:
                assert watching.table.you is None
                assert watching.legal == ()
                with pytest.raises(Refused, match="^seat/not-yours: "):
                    await watching.act(Pass())
            with pytest.raises(Refused, match="^table/unknown: "):
                async with dee.sit("nosuchtable"):
                    pass
            with pytest.raises(Refused, match="^table/unknown: "):
                await dee.table("nosuchtable")

    run(test())


def test_chat_is_heard_by_all_and_can_be_switched_off(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Watcher") as (ana, bo, watcher):
            table = (await ana.create(Options(seats=3))).id
            await bo.join(table)
            async with ana.sit(table) as seat, watcher.sit(table) as watching:
                said = await seat.say("hello <b>all</b>")
                reacted = await watching.react("👏")
                await ana.switch_chat(table, False)
                await watching.until(lambda at: not at.table.chat)
                with pytest.raises(Refused, match="^chat/off: "):
                    await watching.say("hello?")
                what = {each.seq: each.what for each in watching.happenings}
                assert what[said] == ChatLine(0, "Ana", "hello <b>all</b>")
                assert what[reacted] == Reaction(None, "Watcher", "👏")
                assert list(watching.chat) == [what[said], what[reacted]]
                watching.muted.add("Ana")
                assert list(watching.chat) == [what[reacted]]
                assert what[reacted + 1] == ChatSwitched(False)
                await ana.switch_chat(table, True)
                many = await asyncio.gather(*(watching.say("hello") for _ in range(20)), return_exceptions=True)
                assert {each.code for each in many if isinstance(each, Refused)} == {"chat/too-fast"}

    run(test())


def is_second_auction(seat: Seat) -> bool:
    return seat.position is not None and seat.position.number == 2


def test_a_plan_is_carried_out_and_only_its_own_seat_knows(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy") as people:
            table = await gather_at_table(people, Options(seats=3))
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(Witness.of(person, table)) for person in people]
                tab = await stack.enter_async_context(people[0].sit(table))
                position = seats[0].position
                assert position is not None
                first, second, third = (seats[index] for index in position.bidders)
                await second.set_plan(RaiseTo(3))
                await third.set_plan(PassOn())
                await first.act(Bid(1))
                await first.until(lambda at: at.must_act)
                assert first.position is not None
                assert first.position.highest_bid == 2
                await first.act(Bid(3))
                await asyncio.gather(*(seat.until(is_second_auction) for seat in (*seats, tab)))
                assert [seat.plan for seat in (*seats, tab)] == [None] * 4
                assert not any(b"raise-to" in frame for seat in (first, third) for frame in seat.frames)
                assert not any(b"pass-on" in frame for seat in (first, second) for frame in seat.frames)

    run(test())


def test_play_now_history_statistics_and_rematch(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo") as (ana, bo):
            table = (await ana.play_now(Options(seats=3, clock=Seconds(60, 60)))).id
            with pytest.raises(Refused, match="^game/not-over: "):
                await ana.rematch(table)
            async with ana.sit(table) as seat:
                assert all(each.bot for each in seat.table.seats[1:])
                outcome = await play_bot(seat, bots.make("broker"), Random(1))
                half = record.replay(await ana.record(table))
                assert game.outcome(half.state) == outcome
            history = await ana.games()
            assert history.stats.games == 1
            assert history.stats.mean_score == outcome.scores[0]
            assert history.stats.mean_place == outcome.places[0]
            assert [(each.id, each.scores, each.place) for each in history.games] == [
                (table, outcome.scores, outcome.places[0])
            ]
            again = (await ana.rematch(table)).id
            assert (await ana.rematch(table)).id == again
            assert (await ana.table(table)).rematch == again
            assert (await ana.table(again)).you == 0
            with pytest.raises(Refused, match="^seat/not-yours: "):
                await bo.rematch(table)
            await ana.start(again)

    run(test())


def test_a_record_in_the_middle_of_a_game_tells_no_secret(server: ServerProcess) -> None:
    async def test() -> None:
        async with guests(server.address, "Ana", "Bo", "Cy", "Watcher") as (*people, watcher):
            table = await gather_at_table(people, Options(seats=3))
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(Witness.of(person, table)) for person in people]
                await asyncio.gather(*(play_auctions(seat, 99) for seat in seats))
                await seats[0].act(seats[0].legal[0])
                own, others = await people[0].record(table), await watcher.record(table)
                assert own.tag("Secret") is None
                assert own.tag("Seeds") is None
                assert record.replay(own).hidden == frozenset()
                assert record.replay(others).hidden == {0}

    run(test())


# --- For the one who runs it -----------------------------------------------------------------------------------------


def test_a_stop_tells_clients_to_come_again_and_the_game_goes_on(tmp_path: Path) -> None:
    async def test(server: ServerProcess) -> None:
        async with guests(server.address, "Ana", "Bo") as people:
            table = await gather_at_table(people, Options(seats=3))
            async with AsyncExitStack() as stack:
                seats = [await stack.enter_async_context(Witness.of(person, table)) for person in people]
                playing = [asyncio.create_task(play(seat, Random(at), QUIET)) for at, seat in enumerate(seats)]
                await seats[0].until(lambda at: at.seq > 20)
                assert await asyncio.to_thread(server.stop) == 0
                await asyncio.to_thread(server.start)
                await asyncio.gather(*playing)
                everything = await everything_of(people[0], table)
                for seat in seats:
                    check_witness(seat, everything)
                    assert any(b'"closing"' in frame and b'"server/restarting"' in frame for frame in seat.frames)

    with ServerProcess(tmp_path) as server:
        run(test(server))
        assert server.trouble() == []


def test_the_example_of_the_page_plays_a_game(server: ServerProcess) -> None:
    """docs/protocol.md defines it, and cannot run it."""
    (block,) = [block for block in blocks("docs/protocol.md") if block.kind == "python"]
    names: dict[str, object] = {}
    exec("\n".join(line[4:] for line in block.text.splitlines()), names)

    async def test() -> None:
        outcome, written = await names["evening"](server.address)  # type: ignore[operator]
        assert game.outcome(record.replay(written).state) == outcome

    run(test())
