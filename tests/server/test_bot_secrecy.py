"""A bot learns what its seat may know and nothing else, however hard it looks around in its process."""

import asyncio
import io
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from forsale import editions, game, shuffle
from forsale.game import Decks, HouseChosen
from forsale.server.bus import LocalBus
from forsale.server.options import Options
from forsale.server.protocol import VERSION, Act, Hello
from forsale.server.sqlite_store import SqliteStore
from forsale.server.store import Guest
from forsale.server.table import Table
from forsale.server.tables import Tables
from forsale.server.thinkers import Thinkers
from forsale.server.thinking import Question
from forsale.server.wire import action_to_wire
from forsale.shuffle import ShuffleError, Stream
from tests.server.bad_bots import SPY_FILE

ANA = Guest("the-guest-id-of-ana", "Anastasia")
OWN_SEED = "a seed that only Ana knows"


class Unread:
    def put(self, data: bytes) -> None:
        """Nobody reads it."""

    def close(self, number: int) -> None: ...


async def play_against_spies(folder: Path) -> Table:
    """A whole game of one person and two bots, which think in child processes as on a server."""
    store = SqliteStore(folder / "spies.sqlite3")
    await store.open()
    thinkers = Thinkers(make="tests.server.bad_bots:make_spy")
    tables = Tables(store, LocalBus(), thinkers)
    try:
        table = await tables.open(ANA, Options(seats=3))
        await tables.join(table, ANA, OWN_SEED)
        await tables.start_game(table, ANA)
        live = await tables._find(table)
        me = await tables.connect(table, ANA, Hello(VERSION), Unread())
        while live.table.is_playing:
            state = live.table.state
            assert state is not None
            if 0 in state.to_act:
                action = action_to_wire(game.legal_actions(state, 0)[0])
                await me.receive(Act(str(live.table.seq), live.table.seq, action))
            await asyncio.wait(tables._tasks) if tables._tasks else None
        assert "bot_faults" not in tables.totals
        return live.table
    finally:
        await tables.stop()
        await thinkers.close()
        await store.close()


def spied_in(data: bytes) -> Iterator[dict[str, object]]:
    """What the bot wrote, a decision at a time."""
    file = io.BytesIO(data)
    while file.tell() < len(data):
        yield pickle.load(file)


def texts(value: object) -> Iterator[str | bytes]:
    if isinstance(value, str | bytes):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for part in value:
            yield from texts(part)
    elif isinstance(value, dict):
        yield from texts(list(value.values()))


def decks_from(text: str | bytes, table: Table) -> Iterator[Decks]:
    """The decks that a cheat would get who takes some text for the secret of the deal, or for what follows from it."""
    keys = [text] if isinstance(text, bytes) else [bytes.fromhex(key) for key in re.findall("[0-9a-f]{64}", text)]
    edition, seats, seeds = editions.load(table.options.edition), table.options.seats, [s.seed for s in table.seats]
    for key in keys:
        yield shuffle.deal(edition, seats, Stream(key))
        try:
            yield shuffle.fair_deal(edition, seats, key, seeds).decks
        except ShuffleError:  # no secret by its length
            continue


def test_a_bot_cannot_compute_the_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SPY_FILE, str(tmp_path / "spied"))
    table = asyncio.run(play_against_spies(tmp_path))
    assert table.state is not None
    data = (tmp_path / "spied").read_bytes()
    decisions = list(spied_in(data))
    assert len(decisions) > 10

    true_decks = table.state.decks
    assert true_decks in decks_from(table.secret, table)  # so would a cheat do it
    for found in decisions:
        assert "question" in found  # the spy sees all that was sent to its process
        for text in texts(found):
            assert true_decks not in decks_from(text, table)

    names = (table.id, ANA.id, ANA.name, OWN_SEED, table.secret.hex(), shuffle.commitment(table.secret))
    for secret in (table.secret, *(name.encode() for name in names)):
        assert secret not in data


def test_a_bot_sees_no_hidden_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SPY_FILE, str(tmp_path / "spied"))
    asyncio.run(play_against_spies(tmp_path))
    views = []
    for found in spied_in((tmp_path / "spied").read_bytes()):
        question = Question(*found["question"])  # type: ignore[misc]
        assert found["view"] == question.view
        assert found["legal"] == question.legal
        views.append(question.view)
    assert any(HouseChosen in map(type, seen.history) for seen in views)
    for seen in views:
        assert seen.decks is None
        assert seen.earlier == ()
        choices = [event for event in seen.history if isinstance(event, HouseChosen) and event.seat != seen.seat]
        assert all(choice.house is None for choice in choices)
