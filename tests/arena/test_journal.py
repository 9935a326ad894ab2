"""The journal: what is finished stays, whatever happens, and only for the contest that it belongs to."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from forsale.arena import ArenaError, Contest, play
from forsale.arena.journal import NAME, Journal

CONTEST = Contest(("random", "broker"), 6, seats=3)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A folder with the deals 1, 2 and 5 of six."""
    with Journal(tmp_path, CONTEST) as journal:
        for span in ((1, 1), (5, 1), (2, 1)):
            for chunk in play(CONTEST, [span]):
                journal.append(chunk)
    return tmp_path


def reopened(folder: Path, contest: Contest = CONTEST, records: bool = False) -> Journal:
    return Journal(folder, contest, records, resume=True)


def test_goes_on_with_what_is_missing(begun: Path) -> None:
    with reopened(begun) as journal:
        assert journal.deals == 3
        assert [*journal.missing()] == [(3, 2), (6, 1)]
        assert [chunk.start for chunk in journal.chunks()] == [1, 2, 5]
        for chunk in play(CONTEST, journal.missing()):
            journal.append(chunk)
        assert journal.deals == 6
        assert [*journal.missing()] == []
        kept = [score for chunk in journal.chunks() for score in chunk.scores]
    assert kept == [score for chunk in play(CONTEST) for score in chunk.scores]


def test_a_torn_line_is_dropped_wherever_it_is_torn(begun: Path) -> None:
    whole = (begun / NAME).read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for end in (last + 1, last + 40, len(whole) - 1):
        (begun / NAME).write_bytes(whole[:end])
        with reopened(begun) as journal:
            assert [*journal.missing()] == [(2, 3), (6, 1)]
        assert (begun / NAME).read_bytes() == whole[:last]


def test_a_torn_first_line_is_a_new_journal(begun: Path) -> None:
    first = (begun / NAME).read_bytes().partition(b"\n")[0]
    for end in (0, 10, len(first)):
        (begun / NAME).write_bytes(first[:end])
        with Journal(begun, CONTEST) as journal:
            assert journal.deals == 0
        assert (begun / NAME).read_bytes() == first + b"\n"


@pytest.mark.parametrize("resume", [False, True])
def test_a_journal_in_which_nothing_is_finished_is_anyone_s(begun: Path, resume: bool) -> None:
    """Such as that of a run whose bots turned out not to be there."""
    header, first, *_ = (begun / NAME).read_bytes().splitlines(keepends=True)
    (begun / NAME).write_bytes(header + first[:40])
    other = replace(CONTEST, seed=2)
    with Journal(begun, other, resume=resume) as journal:
        assert journal.deals == 0
    with reopened(begun, other) as journal:
        assert [*journal.missing()] == [(1, 6)]


def test_more_deals_can_be_added_but_not_fewer(begun: Path) -> None:
    with reopened(begun, replace(CONTEST, deals=9)) as journal:
        assert [*journal.missing()] == [(3, 2), (6, 4)]
    with pytest.raises(ArenaError, match="has deals up to 5, more than the 4 asked for$"):
        reopened(begun, replace(CONTEST, deals=4))


def test_without_resume_nothing_is_touched(begun: Path) -> None:
    before = (begun / NAME).read_bytes()
    with pytest.raises(ArenaError, match=f"{NAME}: there is a run of this contest already; --resume goes on with it$"):
        Journal(begun, CONTEST)
    assert (begun / NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 2}, "seed 1, not 2"),
        ({"seats": 4}, "rules"),
        ({"bots": ("broker", "random")}, r"bots \['random', 'broker'\], not \['broker', 'random'\]"),
        ({"kind": "against-field"}, "line-ups 'round-robin', not 'against-field'"),
        ({"edition": "classic"}, "edition 'iello-2020', not 'classic'"),
        ({"variant": "scarce"}, "rules"),
    ],
)
def test_another_contest_is_refused(begun: Path, change: dict[str, object], said: str) -> None:
    before = (begun / NAME).read_bytes()
    with pytest.raises(ArenaError, match=f"{NAME}: is of another contest: {said}"):
        reopened(begun, replace(CONTEST, **change))  # type: ignore[arg-type]
    assert (begun / NAME).read_bytes() == before


def test_faults_are_kept_and_earlier_journals_know_of_none(begun: Path) -> None:
    header, first, second, third = (begun / NAME).read_text().splitlines()
    old = json.loads(first)
    assert old.pop("faults") == {}
    new = json.loads(second) | {"faults": {"broker": 3}}
    (begun / NAME).write_text("\n".join([header, json.dumps(old), json.dumps(new), third, ""]))
    with reopened(begun) as journal:
        assert [chunk.faults for chunk in journal.chunks()] == [{}, {}, {"broker": 3}]


def test_records_belong_to_the_contest(begun: Path) -> None:
    with pytest.raises(ArenaError, match="records False, not True$"):
        reopened(begun, records=True)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"start": 1}',
        {"start": 0},
        {"start": 1},
        {"deals": 0},
        {"deals": 2},
        {"scores": [1]},
        {"coins": ["x"] * 18},
        {"decisions": None},
        {"seconds": [1, 2]},
        {"houses": []},
        {"houses": [[0], [0]]},
        {"more": 1},
        {"faults": []},
        {"faults": {"kasparov": 1}},
        {"faults": {"random": "x"}},
    ],
    ids=repr,
)
def test_a_damaged_line_is_refused_and_nothing_is_touched(begun: Path, damage: str | dict[str, object]) -> None:
    first, second, third, *rest = (begun / NAME).read_text().splitlines()
    if isinstance(damage, dict):
        damage = json.dumps(json.loads(third) | damage)
    (begun / NAME).write_text("\n".join([first, second, damage, *rest, ""]))
    before = (begun / NAME).read_bytes()
    with pytest.raises(ArenaError, match=f"{NAME}(, line 3)?: damaged"):
        reopened(begun)
    assert (begun / NAME).read_bytes() == before


@pytest.mark.parametrize("text", ["mine\n", "[]\n", '{"journal": 2}\n', "\n"])
def test_something_else_of_that_name_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(ArenaError, match=f"{NAME}: not the journal of an arena, format 1$"):
        reopened(tmp_path)
    assert (tmp_path / NAME).read_text() == text


def test_two_runs_at_once_do_not_share_a_folder(begun: Path) -> None:
    with reopened(begun), pytest.raises(ArenaError, match="another run is writing it$"):
        reopened(begun)


def test_what_was_left_half_written_is_removed(begun: Path) -> None:
    (begun / ".results.json.123.part").write_text("{")
    reopened(begun).close()
    assert [file.name for file in begun.iterdir()] == [NAME]
