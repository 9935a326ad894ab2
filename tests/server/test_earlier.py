"""A rematch is another table, and its bots are told of the games before it: who is who, after a restart, or gone."""

import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from forsale import game, view
from forsale.game import HouseChosen
from forsale.server.earlier import seats_now
from forsale.server.log import Entry, Logged, Opened
from forsale.server.options import Options
from forsale.server.protocol import Ack, Act
from forsale.server.store import Guest, StoreError
from forsale.server.table import Seat, Table
from forsale.server.wire import Pass, Sell
from forsale.view import Earlier
from tests.server.club import ANA, BO, CY, EVE, Club, run, say_of
from tests.server.test_table import playing


def at_table(players: str) -> Table:
    """Whose game has begun: guests in small letters, bots in capitals."""
    seats = tuple(Seat(guest=who) if who.islower() else Seat(bot=who) for who in players.split())
    return replace(playing().table, seats=seats)


# --- Who is who ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "now", "seats"),
    [
        ("a b c", "a b c", (0, 1, 2)),
        ("a b c", "c a b", (1, 2, 0)),
        ("a b c", "c d X", (None, None, 0)),
        ("a X Y", "a Y X", (0, 2, 1)),
        ("a X X b", "b X a X", (2, 1, 3, 0)),
        ("a X X X", "a b X X", (0, 2, 3, None)),
        ("a X", "b a X X X", (1, 2)),
        ("X X Y", "a b c", (None, None, None)),
    ],
)
def test_a_player_is_a_guest_or_a_bot_of_some_name(then: str, now: str, seats: tuple[int | None, ...]) -> None:
    assert seats_now(at_table(then), at_table(now)) == seats


# --- What bots are told ----------------------------------------------------------------------------------------------


async def play_out(club: Club, table: str, *guests: Guest) -> None:
    """People pass, and sell from the lowest house up; the others are bots."""
    live = await club.live(table)
    seated = {live.table.seat_of(guest.id): await club.sit(table, guest) for guest in guests}
    while live.table.is_playing:
        state = live.table.state
        assert state is not None
        seat = min(seat for seat in state.to_act if seat in seated)
        action = Pass() if game.Pass() in game.legal_actions(state, seat) else Sell(state.hands[seat][0])
        connection, inbox = seated[seat]
        assert isinstance(await say_of(connection, inbox, Act(str(live.table.seq), live.table.seq, action)), Ack)
        await club.settle()
    for connection, _ in seated.values():
        await connection.close()


async def rematch(club: Club, table: str, *guests: Guest) -> str:
    """Another game, played by the same people, as far as the first decisions of bots."""
    new = await club.tables.rematch(table, guests[0])
    await club.tables.start_game(new, guests[0])
    await club.settle()
    return new


async def history_of(club: Club, table: str) -> tuple[game.Event, ...]:
    state = (await club.live(table)).table.state
    assert state is not None
    return view.redact(state.history, None)


def told(club: Club) -> tuple[Earlier, ...]:
    """The earlier games in the latest question to a bot."""
    return club.thinkers.asked[-1][1].earlier


def test_bots_of_a_rematch_are_told_of_the_games_before_the_last_three_at_most(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        tables = [await club.started(ANA)]
        await play_out(club, tables[0], ANA)
        assert {asked.earlier for _, asked in club.thinkers.asked} == {()}
        for number in range(1, 5):
            club.thinkers.asked.clear()
            tables.append(await rematch(club, tables[-1], ANA))
            await play_out(club, tables[-1], ANA)
            games = {asked.earlier for _, asked in club.thinkers.asked}
            assert len(games) == 1
            earlier = games.pop()
            before = tables[-4:-1]
            assert [one.history for one in earlier] == [await history_of(club, table) for table in before]
            assert len(earlier) == min(number, 3)
            assert {one.seats for one in earlier} == {(0, 1, 2)}
            assert {event.house for one in earlier for event in one.history if isinstance(event, HouseChosen)} == {None}

    run(tmp_path, test)


def test_they_know_who_has_changed_places_and_who_is_new(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        first = await club.started(ANA, BO, options=Options(seats=4))
        await play_out(club, first, ANA, BO)
        new = await club.tables.rematch(first, BO)
        await club.tables.leave(new, ANA)
        await club.tables.join(new, CY, "")
        await club.tables.join(new, ANA, "")
        await club.tables.start_game(new, BO)
        await club.settle()
        await play_out(club, new, ANA, BO, CY)
        assert [one.seats for one in told(club)] == [(2, 1, 3, None)]
        # A seat's number may mean another player in each of the games.
        last = await rematch(club, new, BO)
        await play_out(club, last, ANA, BO, CY)
        assert [one.seats for one in told(club)] == [(2, 1, 3, None), (0, 1, 2, 3)]

    run(tmp_path, test)


def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        first = await club.started(ANA)
        await play_out(club, first, ANA)
        new = await rematch(club, first, ANA)
        await club.tables.stop()
        await club.store.close()
        again = Club(tmp_path)
        await again.store.open()
        try:
            await play_out(again, new, ANA)
            assert [one.history for one in told(again)] == [await history_of(again, first)]
        finally:
            await again.tables.stop()
            await again.store.close()

    run(tmp_path, test)


def test_earlier_games_are_read_once_and_only_when_a_bot_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(club: Club) -> None:
        first = await club.started(ANA)
        await play_out(club, first, ANA)
        second = await rematch(club, first, ANA)
        await play_out(club, second, ANA)
        third = await club.tables.rematch(second, ANA)
        await club.forget()
        reads: list[str] = []
        read = club.store.read

        async def noted(table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
            reads.append(table)
            return await read(table, after, limit)

        monkeypatch.setattr(club.store, "read", noted)
        await club.tables.info(third, EVE)
        await club.tables.history(ANA)
        assert sorted(reads) == sorted([first, second, third])
        reads.clear()
        await club.tables.start_game(third, ANA)
        await club.settle()
        await play_out(club, third, ANA)
        assert reads == [second, first]

    run(tmp_path, test)


def test_what_is_gone_or_was_never_finished_is_not_told(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        unfinished = await club.started(ANA, BO, CY)
        after = await club.tables._open(Options(seats=3), ANA, [ANA], follows=unfinished)
        await club.tables.start_game(after, ANA)
        await club.settle()
        await play_out(club, after, ANA)
        assert told(club) == ()
        # Pruned: nothing is known of what came before it either.
        await club.forget()
        assert await club.store.prune(club.time + 1) == 1
        last = await rematch(club, after, ANA)
        await play_out(club, last, ANA)
        assert [one.history for one in told(club)] == [await history_of(club, after)]

    run(tmp_path, test)


def test_an_unfinished_one_hides_none_of_those_before_it(tmp_path: Path) -> None:
    async def test(club: Club) -> None:
        first = await club.started(ANA)
        await play_out(club, first, ANA)
        waiting = await club.tables.rematch(first, ANA)
        after = await club.tables._open(Options(seats=3), ANA, [ANA], follows=waiting)
        await club.tables.start_game(after, ANA)
        await club.settle()
        await play_out(club, after, ANA)
        assert [one.history for one in told(club)] == [await history_of(club, first)]

    run(tmp_path, test)


def test_where_they_cannot_be_read_the_game_goes_on_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(club: Club) -> None:
        first = await club.started(ANA)
        await play_out(club, first, ANA)
        read = club.store.read

        async def damaged(table: str, after: int = 0, limit: int | None = None) -> list[Logged]:
            if table == first:
                raise StoreError("damaged")
            return await read(table, after, limit)

        monkeypatch.setattr(club.store, "read", damaged)
        await play_out(club, await rematch(club, first, ANA), ANA)
        assert told(club) == ()

    run(tmp_path, test)


# --- In the log ------------------------------------------------------------------------------------------------------


def test_logs_from_before_it_was_noted_are_read_and_others_are_written_as_they_were(tmp_path: Path) -> None:
    old = Opened(Options(seats=3), "ana", "00" * 32)
    text = msgspec.json.encode(old)
    assert b"follows" not in text
    assert msgspec.json.decode(text, type=Entry) == old
    new = Opened(Options(seats=3), "ana", "00" * 32, "t1")
    assert msgspec.json.decode(msgspec.json.encode(new), type=Entry) == new

    async def test(club: Club) -> None:
        first = await club.started(ANA)
        await play_out(club, first, ANA)
        new = await club.tables.rematch(first, ANA)
        with sqlite3.connect(club.path) as db:
            entries = dict(db.execute("SELECT table_id, body FROM log WHERE seq = 1"))
        db.close()
        assert "follows" not in entries[first]
        assert f'"follows":"{first}"' in entries[new]

    run(tmp_path, test)
