"""Contests on one core or many."""

import multiprocessing
from functools import partial
from pathlib import Path

import pytest

from forsale.arena import ArenaError, Chunk, Contest, play
from forsale.arena.running import cores
from forsale.bots import BotError
from tests.arena.contests import noting


def deals_of(chunks: list[Chunk]) -> list[int]:
    return sorted(deal for chunk in chunks for deal in range(chunk.start, chunk.start + chunk.deals))


def scores_of(chunks: list[Chunk]) -> list[int]:
    return [score for chunk in sorted(chunks, key=lambda chunk: chunk.start) for score in chunk.scores]


def test_any_number_of_processes_plays_the_same_games() -> None:
    contest = Contest(("random", "broker"), 12, seats=3)
    alone, shared = (list(play(contest, processes=processes)) for processes in (1, 3))
    assert deals_of(alone) == deals_of(shared) == [*range(1, 13)]
    assert scores_of(alone) == scores_of(shared)
    assert not multiprocessing.active_children()


def test_only_what_is_asked_for_is_played() -> None:
    contest = Contest(("random", "broker"), 100)
    chunks = list(play(contest, [(3, 2), (50, 1), (99, 2)]))
    assert deals_of(chunks) == [3, 4, 50, 99, 100]
    assert list(play(contest, [])) == []


def test_processes_end_with_whoever_asked() -> None:
    chunks = play(Contest(("random", "broker"), 1000), processes=2)
    next(chunks)
    assert len(multiprocessing.active_children()) == 2
    chunks.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("processes", [1, 2])
def test_bots_are_closed_when_no_more_is_asked_for(processes: int, tmp_path: Path) -> None:
    """Also those that are in the middle of a deal."""
    chunks = play(Contest(("left", "right"), 100_000), processes=processes, seated=partial(noting, tmp_path))
    starts = {next(chunks).start}
    while not starts >= {1, 2}:  # each was the first deal of a process
        starts.add(next(chunks).start)
    assert [*tmp_path.iterdir()] == []
    chunks.close()  # type: ignore[attr-defined]
    assert len([*tmp_path.iterdir()]) == processes


def test_a_process_that_is_killed_is_told_of() -> None:
    chunks = play(Contest(("random", "broker"), 100_000), processes=2)
    next(chunks)
    for child in multiprocessing.active_children():
        child.kill()
    with pytest.raises(ArenaError, match=r"^a process that played deals \d+ to \d+ ended with -9$"):
        list(chunks)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bot_that_cannot_be_made_is_told_of(processes: int) -> None:
    with pytest.raises((ArenaError, BotError), match="^expected a bot among .*, got 'kasparov'$"):
        list(play(Contest(("random", "kasparov"), 4), processes=processes))


@pytest.mark.parametrize("processes", [1, 2])
def test_records_that_cannot_be_written_are_told_of(processes: int, tmp_path: Path) -> None:
    with pytest.raises((ArenaError, FileNotFoundError), match="No such file or directory"):
        list(play(Contest(("random", "broker"), 4), processes=processes, folder=tmp_path / "none"))


def test_there_is_a_core() -> None:
    assert cores() >= 1
