"""What the proof keeps: that nothing is lost or played twice, and that what cannot be played is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.proof import kept, running
from benchmarks.proof.__main__ import main
from benchmarks.proof.cases import CHAMPION, COMBOS, HOME, MIXED, PARTS, Case
from benchmarks.proof.playing import Cast, figures
from forsale.bots.champion import weights
from tests.benchmarks.proofs import OWN, SHIPPED, result


def test_results_come_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "figures.jsonl"
    results = [result(Case("mixed", combo, CHAMPION, MIXED, 20), 0.5) for combo in COMBOS]
    kept.write(file, results)
    assert sorted(kept.read(file), key=str) == sorted(results, key=str)
    with file.open("a") as lines:
        lines.write(kept.line_of(result(results[0].case._replace(deals=30), 0.6)) + '{"part": "mix')
    again = kept.read(file)
    assert len(again) == len(results)
    assert [one.case.deals for one in again].count(30) == 1


def test_what_is_missing_is_what_has_too_few_deals_or_other_weights() -> None:
    cases = [Case("mixed", combo, CHAMPION, MIXED, 20) for combo in COMBOS[:4]]
    there = [result(cases[0], 0.5), result(cases[1]._replace(deals=10), 0.5), result(cases[2]._replace(deals=99), 0.5)]
    assert list(kept.missing(cases, there)) == [cases[1], cases[3]]
    digest = OWN.digest(CHAMPION)
    assert digest
    assert kept.current([result(cases[0], 0.5, digest), result(cases[1], 0.5, "old")], OWN) == [
        result(cases[0], 0.5, digest)
    ]


def test_a_run_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = list(PARTS["seeds"](["two"]))[:6]
    assert {case.one for case in some} == {CHAMPION, "two"}
    monkeypatch.setitem(PARTS, "seeds", lambda _: iter(some))
    file = tmp_path / "figures.jsonl"
    command = ["seeds", "--seeds", f"two={SHIPPED}", "--deals", "1", "--processes", "1", "--figures", str(file)]
    assert main(command) == 0
    assert "6 of 6" in capsys.readouterr().out
    whole = file.read_text()
    file.write_text("".join(whole.splitlines(keepends=True)[:-3]))
    assert main(command) == 0
    assert capsys.readouterr().out.count("\n") == 3
    assert file.read_text() == whole
    assert {one.weights["two"] for one in kept.read(file)} == {OWN.digest(CHAMPION)}


@pytest.mark.parametrize("start", [1, 3, 5])
def test_deals_that_take_long_are_kept_a_few_at_a_time(
    start: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [Case("copies", combo, CHAMPION, "landlord", 5) for combo in COMBOS[:2]]
    monkeypatch.setitem(PARTS, "copies", lambda _: iter(some))
    monkeypatch.setattr(running, "FEW", 2)
    file = tmp_path / "figures.jsonl"
    command = ["copies", "--processes", "1", "--figures", str(file)]
    assert main([*command, "--deals", "5"]) == 0
    whole = file.read_text()
    said = [re.sub(", [0-9]+ s: .*, ", ": ", line.split(": share")[0]) for line in capsys.readouterr().out.splitlines()]
    assert said == [f"{piece + 1} of 6: deals {min(2 + 2 * (piece // 2), 5)}" for piece in range(6)], "in turn"
    for one in kept.read(file):
        assert one.figures["share"].value == pytest.approx(figures(one.case, OWN)["share"].value, abs=1e-3)
    file.unlink()
    if start > 1:
        assert main([*command, "--deals", str(start - 1)]) == 0
        capsys.readouterr()
    assert main([*command, "--deals", "5"]) == 0
    assert capsys.readouterr().out.count("\n") == 7 - start
    assert file.read_text() == whole


def test_deals_that_are_finished_early_wait_for_those_before_them() -> None:
    case = Case("copies", HOME, CHAMPION, "landlord", 20)
    joining = running._Joining([result(case, 0.5)._replace(shares=(0.25,))], OWN)
    first, second, third = (running.Piece(case, start, 2) for start in (2, 4, 6))
    assert joining.add(third, running.Found({}, (0.5, 0.5))) is None
    assert joining.add(second, running.Found({}, (0.0, 1.0))) is None
    joined = joining.add(first, running.Found({}, (0.75, 0.25)))
    assert joined
    assert joined.shares == (0.25, 0.75, 0.25, 0, 1, 0.5, 0.5)
    assert joined.case.deals == 7
    assert joined.figures["share"].value == pytest.approx(3.25 / 7)


def test_two_runs_do_not_write_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.jsonl"
    with kept.appending(file):
        assert main(["mixed", "--deals", "1", "--processes", "1", "--figures", str(file)]) == 2
    assert capsys.readouterr().err == f"proof: {file}: another run is writing it\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "expected parts among copies, .*, page, got 'nothing'"),
        (["--deals", "0"], "--deals: expected at least 1, got 0"),
        (["--processes", "-1"], "--processes: expected at least 1, got -1"),
        (["--weights", "a"], "--weights: expected --figures FILE too, .*"),
        (["--seeds", "a"], "--seeds: expected NAME=FILE, got 'a'"),
        (["--seeds", "miser=a"], "--seeds: expected NAME=FILE, got 'miser=a'"),
        (["--seeds", "pair=a"], "--seeds: expected NAME=FILE, got 'pair=a'"),
        (["answers"], "answers: expected --answer FILE or --pair FILE, .*"),
        (["seeds"], "seeds: expected --seeds NAME=FILE, .*"),
    ],
)
def test_what_cannot_be_asked_for(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("proof: error: ")
    assert re.fullmatch(f"proof: error: {said}", last)


def test_weights_that_are_none_are_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, figures_ = tmp_path / "none.safetensors", tmp_path / "figures.jsonl"
    file.write_bytes(b"nothing")
    assert main(["mixed", "--weights", str(file), "--figures", str(figures_)]) == 2
    assert capsys.readouterr().err.startswith("proof: weights: expected a safetensors file, got something else")
    assert not figures_.exists()


def test_other_weights_play_in_the_champions_place(tmp_path: Path) -> None:
    """Those of a net that holds everything for as good: it passes for ever."""
    blank = {name: np.zeros_like(tensor) for name, tensor in weights.from_bytes(SHIPPED.read_bytes()).items()}
    file, figures_ = tmp_path / "blank.safetensors", tmp_path / "figures.jsonl"
    file.write_bytes(weights.to_bytes(blank))
    cast, case = Cast({CHAMPION: file}), Case("copies", HOME, CHAMPION, "dealer", 20)
    assert figures(case, cast)["share"].value < 0.25 < figures(case, OWN)["share"].value
    assert cast.digest(CHAMPION) != OWN.digest(CHAMPION)
    with kept.appending(figures_) as append:
        append(result(case, 0.5, OWN.digest(CHAMPION) or ""))
    assert kept.current(kept.read(figures_), cast) == []
