"""The champion and the games before this one: told at a table what it was told in training of a line-up that stays."""

import pickle
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from forsale import encoding, game, view
from forsale.bots.champion.habits import HABITS, LENGTH, SALES, play
from forsale.bots.champion.told import ROW
from forsale.bots.champion.watching import Watching
from forsale.encoding import ACTIONS, MAX_SEATS, to_index
from forsale.game import OVER, Decks, State, apply, legal_actions
from forsale.scalar import layout
from forsale.scalar.rows import rules_row
from forsale.train import cpu, tables
from forsale.train.league import training_pool
from forsale.view import Earlier, View
from tests.bots.test_champion import FOUR, turns
from tests.games import COMBOS, Combo, combo_game


class Staying:
    """Tables of training, compiled, at which nets have all the seats; and the same games in the engine."""

    def __init__(self, combos: Sequence[Combo]) -> None:
        count = len(combos)
        self._combos = combos
        self._rules = np.stack([rules_row(combo.load().rules(combo.seats, combo.variant)) for combo in combos])
        self._rows = np.zeros((count, layout.LENGTH), np.int32)
        self._decks = np.zeros((count, layout.DECKS_LENGTH), np.int8)
        self._settings = np.zeros((count, tables.SETTINGS), np.int32)
        self._settings[:, tables.MODE], self._settings[:, tables.EDITION] = tables.SELF, np.arange(count)
        watched = np.zeros((count, LENGTH), np.int32)
        seats, members = np.zeros((count, MAX_SEATS), np.int8), np.zeros((count, MAX_SEATS), np.int32)
        pool = training_pool(1, seed=1)
        self._lying = (
            *(self._rows, self._decks, self._rules, watched, self._settings, seats, members),
            *(pool, np.uint64(1)),
        )
        self.told = np.zeros((count, ROW), np.int16)
        self.done = np.zeros(count, np.bool_)
        shares, scores = np.zeros((count, MAX_SEATS), np.float32), np.zeros((count, MAX_SEATS), np.int16)
        self._telling = (self.done, shares, scores, self.told, np.zeros((count, ACTIONS), np.bool_))
        cpu.begin_all(*self._lying)
        self.proceed([-1] * count)

    def proceed(self, actions: Sequence[int]) -> None:
        cpu.proceed_all(*self._lying, np.array(actions, np.int64), *self._telling)

    def left(self, table: int) -> int:
        """How many games this line-up stays for."""
        return int(self._settings[table, tables.LEFT])

    def dealt(self, table: int) -> State:
        """The game that begins there."""
        combo, rules, deck = self._combos[table], self._rules[table], self._decks[table]
        box, size = rules[layout.BOX], rules[layout.DECK_SIZE]
        houses = tuple((deck[layout.HOUSES :][:box] + 1).tolist())
        cheques = tuple(rules[layout.CHEQUE_AMOUNTS + deck[layout.CHEQUES :][:box].astype(int)].tolist())
        decks = Decks(houses[:size], cheques[:size], houses[size:], cheques[size:])
        first = int(self._rows[table, layout.TO_ACT])
        return game.new_game(combo.load(), combo.seats, decks, first, combo.variant)


def test_of_a_line_up_that_stays_it_is_told_what_training_tells() -> None:
    """Game after game, until others sit down; then nothing of those who were there."""
    combos = COMBOS[::3]
    training, watching, rng = Staying(combos), Watching(), Random(8)
    states = [training.dealt(table) for table in range(len(combos))]
    earlier: list[tuple[Earlier, ...]] = [()] * len(combos)
    left = [training.left(table) for table in range(len(combos))]
    told_of: set[int] = set()
    for _ in range(450):
        actions = []
        for table, state in enumerate(states):
            # In training all choose in the order of the seats.
            seat = min(state.to_act)
            seen = watching.seen(view.of(state, seat, earlier=earlier[table]))
            assert seen.row.tolist() == training.told[table].tolist()
            told_of.add(len(earlier[table]))
            action = rng.choice(legal_actions(state, seat)[:4])
            states[table], _ = apply(state, seat, action)
            actions.append(to_index(action))
        training.proceed(actions)
        for table, state in enumerate(states):
            assert training.done[table] == (state.phase is OVER)
            if state.phase is OVER:
                stay = view.remembered(state, tuple(range(state.rules.seats)))
                earlier[table] = (*earlier[table], stay) if left[table] > 1 else ()
                left[table], states[table] = training.left(table), training.dealt(table)
    assert told_of == {0, 1, 2, 3}


def habits_by_seat(seen: View) -> dict[int, list[int]]:
    """What it is told of each rival."""
    assert seen.seat is not None
    told = Watching().seen(seen).row[encoding.LENGTH :].reshape(MAX_SEATS - 1, HABITS)
    return {(seen.seat + place) % seen.rules.seats: told[place - 1].tolist() for place in range(1, seen.rules.seats)}


def test_habits_go_with_the_players_wherever_they_sit_now() -> None:
    """Moved by some seats, from a game with others; and who was not there is unknown."""
    old = combo_game(FOUR, 2).end
    state = combo_game(Combo("classic", 5, None), 1).start
    seat = min(state.to_act)
    rivals = [(seat + place) % 5 for place in range(1, 5)]
    straight = view.remembered(old, (0, 1, 2, 3))
    as_they_were = {0: rivals[0], 1: rivals[1], 2: rivals[2], 3: None}
    moved = Earlier(old.rules, straight.history, tuple(as_they_were.values()))
    told = habits_by_seat(view.of(state, seat, earlier=(moved,)))
    # The same game as its own seats saw it: at a table of four, in which it comes before another.
    fresh = combo_game(FOUR, 9).start
    watcher = min(fresh.to_act)
    before = habits_by_seat(view.of(fresh, watcher, earlier=(straight,)))
    for then, now in as_they_were.items():
        if then != watcher and now is not None:
            assert told[now] == before[then]
            assert any(told[now])
    assert not any(told[rivals[3]])


def test_what_was_seen_twice_is_added_up_also_where_the_seats_changed_between() -> None:
    first, second = (combo_game(FOUR, seed).end for seed in (3, 4))
    state = combo_game(FOUR, 5).start
    seat = min(state.to_act)
    stay = (0, 1, 2, 3)
    turned = tuple((now + 1) % 4 for now in stay)
    games = (view.remembered(first, turned), view.remembered(second, stay))
    told = habits_by_seat(view.of(state, seat, earlier=games))
    alone = [habits_by_seat(view.of(state, seat, earlier=(game_,))) for game_ in games]
    for rival, habits in told.items():
        assert habits[SALES] == alone[0][rival][SALES] + alone[1][rival][SALES]
    assert told != habits_by_seat(view.of(state, seat, earlier=(view.remembered(first, stay), games[1])))


def test_three_earlier_games_count_and_no_more() -> None:
    state = combo_game(FOUR, 5).start
    seat = min(state.to_act)
    games = tuple(view.remembered(combo_game(FOUR, seed).end, (0, 1, 2, 3)) for seed in range(5))
    told = [habits_by_seat(view.of(state, seat, earlier=games[-count:])) for count in (2, 3, 4, 5)]
    assert told[0] != told[1] == told[2] == told[3]


def test_an_earlier_game_that_does_not_fit_the_encoding_is_not_looked_at() -> None:
    state = combo_game(FOUR, 5).start
    seat = min(state.to_act)
    fits = view.remembered(combo_game(FOUR, 1).end, (0, 1, 2, 3))
    too_rich = replace(fits, rules=replace(fits.rules, coins=29))
    assert habits_by_seat(view.of(state, seat, earlier=(too_rich, fits))) == habits_by_seat(
        view.of(state, seat, earlier=(fits,))
    )


def test_the_same_game_after_others_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept apart, whoever asks in turn; and the earlier games are watched once, not for every decision."""
    watched: list[int] = []

    def counting(s: Any, d: Any, r: Any, w: Any, action: int) -> None:
        watched.append(action)
        play(s, d, r, w, action)

    games = [view.remembered(combo_game(FOUR, seed).end, (0, 1, 2, 3)) for seed in (6, 7)]
    befores = [(), (games[0],), (games[1],), (games[0], games[1])]
    asked = list(turns(FOUR, 5))[:9]
    expected = [[Watching().seen(view.of(*at, earlier=before)).row.tolist() for before in befores] for at in asked]
    monkeypatch.setattr("forsale.bots.champion.watching.play", counting)
    watching, counts = Watching(), []
    for at, rows in zip(asked, expected, strict=True):
        # As another process is told them: equal, and not the same.
        copies = [pickle.loads(pickle.dumps(before)) for before in befores]
        assert [watching.seen(view.of(*at, earlier=before)).row.tolist() for before in copies] == rows
        counts.append(len(watched))
    assert counts[0] > 200
    assert [after - before for before, after in pairwise(counts)] == [len(befores)] * 8
