"""Counting many games at once comes to what counting them one by one does."""

from collections import Counter
from random import Random

import pytest

from forsale.arena import Contest, Tally
from forsale.arena.lineups import LINE_UPS, seating
from forsale.arena.playing import Chunk
from forsale.arena.seatings import seatings
from forsale.arena.statistics import GROUPS, Key, _counted, places
from tests.arena.contests import made_up


def one_by_one(contest: Contest, chunk: Chunk, groups: int) -> tuple[list[Counter[Key]], list[int]]:
    """Sums by group of deals, and decisions by bot."""
    found: list[Counter[Key]] = [Counter() for _ in range(groups)]
    decided = [0] * len(contest.bots)
    at = 0
    for deal in range(chunk.start, chunk.start + chunk.deals):
        sums = found[(deal - 1) * groups // contest.deals]
        sums["deals",] += 1
        for line_up in contest.line_ups:
            for rotation in range(contest.seats):
                end = at + contest.seats
                scores, seated = chunk.scores[at:end], seating(line_up, deal, rotation)
                for key, amount in _counted(seated, places(scores, chunk.coins[at:end])):
                    sums[key] += amount
                for bot, score, decisions in zip(seated, scores, chunk.decisions[at:end], strict=True):
                    sums["score", bot] += score
                    decided[bot] += decisions
                at = end
    return found, decided


def by_chance(contest: Contest, rng: Random) -> Chunk:
    """Few different scores and coins, so that all kinds of ties come."""
    chunk = made_up(contest, lambda _deal, seated: [rng.randrange(4) for _ in seated])
    chunk.coins[:] = [rng.randrange(2) for _ in chunk.coins]
    chunk.decisions[:] = [rng.randrange(60) for _ in chunk.decisions]
    return chunk


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("kind", LINE_UPS)
def test_the_same_sums(kind: str, seats: int) -> None:
    contest = Contest(("a", "b", "c", "d", "e", "f", "g")[: max(3, seats)], 12, seats=seats, kind=kind)
    chunk = by_chance(contest, Random(f"{kind} {seats}"))
    tally = Tally(contest)
    tally.add(chunk)
    groups, decisions = one_by_one(contest, chunk, 12)
    assert [dict(group) for group in tally.groups] == [dict(group) for group in groups]
    assert tally._decisions == decisions


def test_the_same_sums_in_groups_and_parts() -> None:
    contest = Contest(("a", "b"), GROUPS + 150, seats=3, kind="against-field")
    chunk = by_chance(contest, Random("groups"))
    tally = Tally(contest)
    for start, deals in ((201, 350), (1, 200)):
        cut = slice(9 * (start - 1), 9 * (start - 1 + deals))
        scores, coins, decisions = chunk.scores[cut], chunk.coins[cut], chunk.decisions[cut]
        tally.add(Chunk(start, deals, scores, coins, decisions, chunk.houses, chunk.seconds))
    groups, decided = one_by_one(contest, chunk, GROUPS)
    assert [dict(group) for group in tally.groups] == [dict(group) for group in groups]
    assert tally._decisions == decided


@pytest.mark.parametrize("kind", LINE_UPS)
def test_everyone_sits_where_they_sat(kind: str) -> None:
    line_ups = LINE_UPS[kind](5, 4)
    found = seatings(line_ups, 5, 9).tolist()
    for deal, by_line_up in enumerate(found, 5):
        for line_up, rotations in zip(line_ups, by_line_up, strict=True):
            assert [tuple(seated) for seated in rotations] == [seating(line_up, deal, turn) for turn in range(4)]
