"""`forsale editions`."""

from pathlib import Path

import pytest

from forsale import editions
from tests.cli.commands import Run

TOY = Path(__file__).parents[1] / "perft" / "toy.toml"


def test_all_editions_are_listed_with_what_differs(run: Run) -> None:
    ran = run("editions")
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line.strip()}
    assert set(editions.published()) <= set(rows)
    assert "28/21/16/14" in rows["iello-2020"]
    assert "half, down" in rows["iello-2020"]
    assert "6/2/0/0" in rows["manual"]
    assert "none" in rows["manual"]


@pytest.mark.parametrize("name", editions.published())
def test_one_edition_is_shown_with_its_source_and_words(run: Run, name: str) -> None:
    ran = run("editions", name)
    edition = editions.load(name)
    assert ran.status == 0
    assert edition.source in ran.out
    for words in edition.words.values():
        assert words.house[0] in ran.out


def test_an_own_edition_is_shown(run: Run) -> None:
    assert "made up for counting" in run("editions", TOY).out


def test_a_bad_own_edition_is_refused_by_the_field(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(TOY.read_text(encoding="utf-8").replace('refund = "down"', 'refund = "sideways"'), encoding="utf-8")
    run("editions", bad).assert_refused("rules.refund", "expected down or up, got 'sideways'")


@pytest.mark.parametrize("name", ["iello-1997", "missing.toml", "."])
def test_an_unknown_edition_is_refused(run: Run, name: str) -> None:
    run("editions", name).assert_refused("edition: ")
