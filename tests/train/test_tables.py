"""The tables of training: who sits down, what is watched, and games that end."""

from typing import Any

import numpy as np
import pytest

from forsale.bots.champion import habits
from forsale.bots.champion.told import ROW
from forsale.bots.scripted import Selling, Traits
from forsale.encoding import ACTIONS
from forsale.encoding import LENGTH as OBSERVED
from forsale.scalar import layout
from forsale.train import cpu, tables
from forsale.train.league import KEPT_OUT, all_rules, training_pool
from forsale.train.strength import strengths

RULES = all_rules()
COUNTS = [habits.PASSES, habits.BIDS_MADE, habits.SALES]
POOL = training_pool(50, seed=3)


class Tables:
    """Some on the CPU, with a line-up of one kind."""

    def __init__(self, mode: int, count: int = 96, seed: int = 1, pool: Any = POOL) -> None:
        self.states = np.zeros((count, layout.LENGTH), np.int32)
        self.watched = np.zeros((count, habits.LENGTH), np.int32)
        self.settings = np.zeros((count, tables.SETTINGS), np.int32)
        self.settings[:, tables.MODE] = mode
        self.settings[:, tables.EDITION] = np.arange(count) % len(RULES)
        self.seats = np.zeros((count, layout.MAX_SEATS), np.int8)
        self.members = np.zeros((count, layout.MAX_SEATS), np.int32)
        decks = np.zeros((count, layout.DECKS_LENGTH), np.int8)
        self.count = RULES[self.settings[:, tables.EDITION], layout.SEATS]
        lying = (self.states, decks, RULES, self.watched, self.settings, self.seats, self.members)
        self._lying = (*lying, pool, np.uint64(seed))
        self.done = np.zeros(count, np.bool_)
        self.shares = np.zeros((count, layout.MAX_SEATS), np.float32)
        self.scores = np.zeros((count, layout.MAX_SEATS), np.int16)
        self.rows = np.zeros((count, ROW), np.int16)
        self.masks = np.zeros((count, ACTIONS), np.bool_)
        cpu.begin_all(*self._lying)
        self.proceed(np.full(count, -1))

    def proceed(self, actions: Any) -> None:
        told = (self.done, self.shares, self.scores, self.rows, self.masks)
        cpu.proceed_all(*self._lying, np.asarray(actions, np.int64), *told)

    def play(self, steps: int, rng: np.random.Generator) -> int:
        """Anything that is legal; how many games ended."""
        ended = 0
        for _ in range(steps):
            assert self.masks.any(axis=1).all()
            self.proceed((self.masks * rng.random(self.masks.shape)).argmax(axis=1))
            ended += int(self.done.sum())
            assert self.shares[self.done].sum(axis=1) == pytest.approx(1)
        return ended

    def who(self, table: int) -> list[int]:
        return self.seats[table, : self.count[table]].tolist()


@pytest.mark.parametrize("mode", range(9))
def test_games_go_on_and_a_net_is_always_to_act(mode: int) -> None:
    games = Tables(mode)
    assert games.play(150, np.random.default_rng(mode)) > 96
    to_act = games.states[:, layout.TO_ACT]
    assert (games.seats[np.arange(96), to_act] != tables.SCRIPTED).all()


def test_who_sits_down() -> None:
    for mode, allowed in (
        (tables.ALONE, {tables.NET, tables.SCRIPTED}),
        (tables.AMONG, {tables.NET, tables.SCRIPTED}),
        (tables.SELF, {tables.NET}),
        (tables.AGAINST, {tables.NET, tables.OTHER, tables.SCRIPTED}),
        (tables.RAIDED, {tables.NET, tables.OTHER}),
        (tables.COPIES, {tables.NET, tables.SCRIPTED}),
        (tables.MIXED, {tables.NET, tables.SCRIPTED}),
        (tables.ANSWER, {tables.NET, tables.OTHER}),
        (tables.PAIR, {tables.NET, tables.OTHER}),
    ):
        games = Tables(mode, count=960)
        line_ups = [games.who(table) for table in range(960)]
        assert {who for line_up in line_ups for who in line_up} == allowed
        nets = [line_up.count(tables.NET) for line_up in line_ups]
        assert min(nets) == {tables.SELF: 3, tables.RAIDED: 2, tables.PAIR: 2}.get(mode, 1)
        most = {tables.SELF: 6, tables.RAIDED: 5, tables.PAIR: 2}.get(mode, 1)
        assert max(nets) > 1 if mode in (tables.AMONG, tables.AGAINST) else max(nets) == most


def test_an_exam_meets_every_member_in_every_seat() -> None:
    games = Tables(tables.COPIES, count=24 * 60, pool=POOL[:5])
    met = set()
    for table in range(24 * 60):
        hero = games.who(table).index(tables.NET)
        others = {int(games.members[table, seat]) for seat in range(games.count[table]) if seat != hero}
        assert others == {table % 5}
        met.add((int(games.count[table]), hero, table % 5))
    assert met >= {(4, hero, member) for hero in range(4) for member in range(5)}


def test_habits_stay_with_a_line_up_and_go_with_it() -> None:
    games = Tables(tables.ALONE, count=240)
    rng = np.random.default_rng(5)
    kept = gone = 0
    for _ in range(120):
        before, left = games.watched.copy(), games.settings[:, tables.LEFT].copy()
        games.play(1, rng)
        stays = games.done & (left > 1)
        goes = games.done & (left == 1)
        kept += int(stays.sum())
        gone += int(goes.sum())
        counts = [each.reshape(-1, layout.MAX_SEATS, habits.HABITS)[:, :, COUNTS] for each in (before, games.watched)]
        assert (counts[1] >= counts[0])[stays].all(), "nothing that was seen is forgotten"
        assert (games.watched[stays].sum(axis=1) >= before[stays].sum(axis=1) // 2).all()
        # What the new line-up has done since is at most the first auction's.
        assert (games.watched[goes, habits.SALES] == 0).all()
    assert min(kept, gone) > 50


def test_a_choice_is_not_watched_before_it_is_revealed() -> None:
    """In a sale the habits are those before it for everybody who is still to choose."""
    games = Tables(tables.SELF, count=240)
    rng = np.random.default_rng(2)
    compared = 0
    for _ in range(200):
        selling = games.states[:, layout.PHASE] == layout.SELLING
        number, before = games.states[:, layout.NUMBER].copy(), games.watched.copy()
        games.play(1, rng)
        same_sale = selling & ~games.done & (games.states[:, layout.NUMBER] == number)
        assert (games.watched[same_sale] == before[same_sale]).all()
        compared += int(same_sale.sum())
    assert compared > 1000


def test_rows_tell_of_rivals_clockwise_and_never_of_oneself() -> None:
    games = Tables(tables.SELF, count=24)
    games.play(60, np.random.default_rng(1))
    for table in range(24):
        seat, count = int(games.states[table, layout.TO_ACT]), int(games.count[table])
        told = games.rows[table, OBSERVED:].reshape(-1, habits.HABITS)
        for step in range(1, layout.MAX_SEATS):
            other = games.watched[table].reshape(-1, habits.HABITS)[(seat + step) % count]
            expected = np.minimum(other, 255)
            for sum_, by in habits.MEANS:
                expected[sum_] = other[sum_] // other[by] if other[by] else expected[sum_]
            assert (told[step - 1] == (expected if step < count else 0)).all()


def test_families_that_are_kept_out_are_not_met() -> None:
    pool = [Traits(*member) for member in training_pool(2000, seed=1).tolist()]
    assert all(traits.gap == 0 for traits in pool)
    assert {Selling(int(traits.selling)) for traits in pool} == set(Selling) - KEPT_OUT


def test_every_other_member_is_a_strong_one() -> None:
    pool = training_pool(400, seed=1)
    assert (pool == training_pool(400, seed=1)).all()
    strong = strengths(RULES, pool, seed=2)
    assert strong.mean() == pytest.approx(1, abs=0.1)
    assert strong[1::2].mean() > 1.2 * strong[::2].mean()
