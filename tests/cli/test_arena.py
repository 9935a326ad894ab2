"""`forsale arena`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forsale import record
from forsale.arena import Chunk, Contest, play
from forsale.arena.journal import NAME
from forsale.game import OVER
from tests.bots.asking import misbehaving
from tests.bots.installing import Install
from tests.cli.commands import Run
from tests.cli.test_simulate import heeding_ctrl_c

BOTS = ("--bots", "broker,random")


def files_of(folder: Path) -> dict[str, bytes]:
    """All but the journal, which also has times in it."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != NAME)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def begin(*arguments: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "forsale", "arena", *map(str, arguments)]
    with heeding_ctrl_c():
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_chunks(process: "subprocess.Popen[bytes]", journal: Path, lines: int) -> None:
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") >= lines):
        pass


# --- Results ---------------------------------------------------------------------------------------------------------


def test_tables_show_who_is_better(run: Run) -> None:
    ran = run("arena", *BOTS, "--deals", 20, "--processes", 1)
    assert (ran.status, ran.err) == (0, "")
    assert "20 deals of iello-2020, 4 seats, round-robin: 160 games." in ran.out
    rows = [line.split() for line in ran.out.splitlines() if line.split()]
    broker = next(row for row in rows if row[0] == "broker")
    assert float(broker[1].rstrip("%")) > 40
    assert ["alone", "against", "3", "broker", "3", "random"] in rows


def test_a_table_of_one_line_up_has_no_matrix(run: Run) -> None:
    ran = run("arena", *BOTS, "--deals", 2, "--processes", 1, "--line-up", "field-against")
    assert "alone" not in ran.out
    assert "–" in ran.out, "two deals have no interval"


def test_json_in_place_of_tables(run: Run) -> None:
    ran = run("arena", *BOTS, "--deals", 3, "--processes", 1, "--json", "--edition", "manual", "--seats", 3)
    told = json.loads(ran.out)
    assert told["contest"]["edition"] == "manual"
    assert told["games"] == 3 * 2 * 3
    assert set(told["decisions_per_second"]) == {"broker", "random"}


def test_files_are_the_same_whatever_the_number_of_processes(run: Run, tmp_path: Path) -> None:
    found = []
    for processes in (1, 2, 3):
        out = tmp_path / str(processes)
        arguments = ("--deals", 12, "--seats", 3, "--processes", processes, "--csv", "--records", "--out", out)
        assert run("arena", *BOTS, *arguments).status == 0
        found.append(files_of(out))
    assert found[0] == found[1] == found[2]
    assert {"results.json", "results.csv", "report.html"} <= set(found[0])
    assert len(found[0]) == 3 + 12 * 2 * 3


def test_records_can_be_verified(run: Run, tmp_path: Path) -> None:
    options = ("--deals", 2, "--variant", "scarce", "--seats", 5, "--processes", 1, "--records", "--out", tmp_path)
    assert run("arena", *BOTS, *options).status == 0
    records = sorted((tmp_path / "records").iterdir())
    assert records[0].name == "iello-2020-5-scarce-seed1-deal000001-line-up001-rotation1.fsr"
    for file in records:
        assert record.replay(record.from_bytes(file.read_bytes())).state.phase is OVER
        assert run("verify", file).status == 0


def test_an_own_edition(run: Run, tmp_path: Path) -> None:
    toy = Path(__file__).parents[1] / "perft" / "toy.toml"
    arguments = ("--edition", toy, "--seats", 3, "--deals", 12)
    assert run("arena", *BOTS, *arguments, "--processes", 2, "--out", tmp_path).status == 0
    assert json.loads((tmp_path / "results.json").read_text())["games"] == 12 * 6


def test_parquet_where_there_is_pyarrow(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pip install 'forsale[arena]'")
    assert run("arena", *BOTS, "--deals", 2, "--processes", 1, "--parquet", "--out", tmp_path).status == 0
    assert (tmp_path / "results.parquet").read_bytes().startswith(b"PAR1")


SCRIPTED = ("--bots", "gambler,sniper,developer")


def test_scripted_bots_play_the_same_games_compiled_or_not(run: Run, tmp_path: Path) -> None:
    """Records take whole games, which the engine plays."""
    found = []
    for name, more in (("compiled", ()), ("at once", ("--processes", 2)), ("engine", ("--records",))):
        arguments = ("--deals", 10, "--seats", 3, "--csv", "--processes", 1, *more, "--out", tmp_path / name)
        assert run("arena", *SCRIPTED, *arguments).status == 0
        found.append({file: data for file, data in files_of(tmp_path / name).items() if not file.endswith(".fsr")})
    assert found[0] == found[1] == found[2]
    records = [*(tmp_path / "engine" / "records").iterdir()]
    assert len(records) == 10 * 6 * 3
    assert run("verify", records[0]).status == 0


def test_a_compiled_run_goes_on(run: Run, tmp_path: Path) -> None:
    for deals in (12, 20):
        assert run("arena", *SCRIPTED, "--deals", deals, "--processes", 1, "--out", tmp_path, "--resume").status == 0
    assert run("arena", *SCRIPTED, "--deals", 20, "--processes", 1, "--out", tmp_path / "whole").status == 0
    assert (tmp_path / "results.json").read_bytes() == (tmp_path / "whole" / "results.json").read_bytes()


@pytest.mark.parametrize("processes", [1, 2])
def test_decisions_that_were_played_by_default_are_told_of(run: Run, tmp_path: Path, processes: int) -> None:
    bad = misbehaving("ready 1 Bad", "illegal")
    arguments = ("--deals", 2, "--seats", 3, "--processes", processes, "--out", tmp_path)
    ran = run("arena", "--bots", f"broker,{bad}", *arguments)
    assert ran.status == 0
    standings = json.loads((tmp_path / "results.json").read_text())["standings"]
    told = {standing["bot"]: (standing["faults"], standing["decisions"]) for standing in standings}
    assert told["broker"][0] == 0
    assert 0 < told[bad][0] <= told[bad][1], "where there is but one legal action, a program is not asked"
    remark = f"{told[bad][0]:,} of its {told[bad][1]:,} decisions were played by default."
    assert remark in " ".join(ran.out.split())
    assert remark in (tmp_path / "report.html").read_text(encoding="utf-8")


# --- Interruptions ---------------------------------------------------------------------------------------------------


def test_killed_again_and_again_it_comes_to_the_same(run: Run, tmp_path: Path) -> None:
    arguments = (*BOTS, "--deals", 100, "--seats", 3, "--line-up", "against-field", "--csv", "--records")
    assert run("arena", *arguments, "--processes", 1, "--out", tmp_path / "whole").status == 0
    killed, lines = tmp_path / "killed", 0
    for _ in range(3):
        with begin(*arguments, "--processes", 2, "--out", killed, "--resume") as process:
            wait_for_chunks(process, killed / NAME, lines + 2)
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        lines = (killed / NAME).read_bytes().count(b"\n")
        assert not (killed / "results.json").exists()
    assert run("arena", *arguments, "--processes", 1, "--out", killed, "--resume").status == 0
    assert files_of(killed) == files_of(tmp_path / "whole")


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "with space"
    with begin(*BOTS, "--deals", 100_000, "--seed", 3, "--out", out, "--csv", "--processes", 2) as process:
        wait_for_chunks(process, out / NAME, 3)
        process.send_signal(signal.SIGINT)
        printed, err = process.communicate()
    assert (process.returncode, printed) == (130, b"")
    said = err.decode()
    assert said.startswith("forsale: interrupted after ")
    assert said.count("\n") == 1
    again = f"--bots broker,random --deals 100000 --seed 3 --processes 2 --out '{out}' --csv --resume"
    assert said.endswith(f" of 100000 deals; to go on: forsale arena {again}\n")
    told = int(said.split()[3])
    kept = sum(json.loads(line)["deals"] for line in (out / NAME).read_text().splitlines()[1:])
    assert 0 < told <= kept


def test_ctrl_c_without_a_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(contest: Contest, *_: object) -> Iterator[Chunk]:
        yield from play(contest, [(1, 1)])
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["forsale.cli.arena"], "play", interrupted)  # the package has the command there
    ran = run("arena", *BOTS, "--deals", 5)
    assert (ran.status, ran.out) == (130, "")
    assert ran.err == "forsale: interrupted after 1 of 5 deals; with --out DIR they would have been kept\n"


def test_more_deals_later(run: Run, tmp_path: Path) -> None:
    run("arena", *BOTS, "--deals", 12, "--processes", 1, "--out", tmp_path / "a")
    assert run("arena", *BOTS, "--deals", 20, "--processes", 1, "--out", tmp_path / "a", "--resume").status == 0
    assert run("arena", *BOTS, "--deals", 20, "--processes", 1, "--out", tmp_path / "b", "--resume").status == 0
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


# --- Refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "kasparov,random"], "expected a bot among lodger, landlord, broker"),
        (["--bots", "random"], "expected at least 2 bots"),
        (["--bots", ""], "a bot among"),
        (["--bots", "random,random"], "expected bots that differ, got 'random' twice"),
        ([*BOTS, "--line-up", "distinct"], "expected at least 4 bots for distinct with 4 seats, got 2"),
        ([*BOTS, "--line-up", "knock-out"], "knock-out"),
        ([*BOTS, "--seats", 7], "seats: "),
        ([*BOTS, "--deals", 0], "--deals"),
        ([*BOTS, "--processes", 0], "--processes"),
        ([*BOTS, "--edition", "nowhere.toml"], "nowhere.toml"),
        ([*BOTS, "--edition", "classic", "--variant", "scarce"], "variant: "),
    ],
)
def test_refusals(run: Run, tmp_path: Path, arguments: list[object], said: str) -> None:
    run("arena", *arguments, "--out", tmp_path / "new").assert_refused(said)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(("value", "said"), [("Missing", "AttributeError"), ("Breaks", "RuntimeError: no net found")])
def test_a_bot_of_another_package_that_cannot_be_used(
    run: Run, install: Install, processes: int, value: str, said: str
) -> None:
    """Neither one that cannot be imported nor one that cannot be made, which only those who play find out."""
    install("sick-bots", sick=value)
    ran = run("arena", "--bots", "random,sick", "--deals", 4, "--processes", processes)
    ran.assert_refused("the bot 'sick' of sick-bots 1.5 cannot be used: ", said)


def test_an_edition_that_scripted_bots_have_no_numbers_for(run: Run, tmp_path: Path) -> None:
    toy = Path(__file__).parents[1] / "perft" / "toy.toml"
    large = tmp_path / "large.toml"
    large.write_text(toy.read_text().replace("{ 3 = 3 }", "{ 3 = 99 }"))
    arguments = ("--seats", 3, "--deals", 2, "--processes", 2, "--out", tmp_path / "out")
    ran = run("arena", *SCRIPTED, "--edition", large, *arguments)
    ran.assert_refused("the bot 'gambler' cannot play this edition: ", "at most 28 coins")
    assert run("arena", *SCRIPTED, "--edition", toy, *arguments).status == 0, "what was refused is not in the way"


def test_bots_are_asked_for(run: Run) -> None:
    run("arena").assert_refused("--bots")


@pytest.mark.parametrize("option", ["--resume", "--csv", "--parquet", "--records"])
def test_what_is_kept_needs_a_folder(run: Run, option: str) -> None:
    run("arena", *BOTS, option).assert_refused(f"{option}: expected --out DIR")


def test_parquet_without_pyarrow_is_refused_before_anything_is_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    run("arena", *BOTS, "--parquet", "--out", tmp_path / "new").assert_refused("Parquet needs pyarrow")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run("arena", *BOTS, "--out", tmp_path / "file").assert_refused("file: ")
    run("arena", *BOTS, "--out", tmp_path / "file" / "sub").assert_refused("file/sub: not a directory")
    (tmp_path / "file" if os.name == "nt" else tmp_path / NAME).mkdir(exist_ok=True)
    run("arena", *BOTS, "--out", tmp_path).assert_refused(NAME, "is a directory")


def test_a_folder_of_another_run(run: Run, tmp_path: Path) -> None:
    arguments = (*BOTS, "--deals", 2, "--processes", 1, "--out", tmp_path)
    run("arena", *arguments)
    before = files_of(tmp_path)
    run("arena", *arguments).assert_refused("there is a run of this contest already; --resume goes on with it")
    run("arena", *arguments, "--resume", "--seed", 2).assert_refused("is of another contest: seed 1, not 2")
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes().replace(b"scores", b"sores", 1))
    run("arena", *arguments, "--resume").assert_refused(NAME, "line 2: damaged")
    assert files_of(tmp_path) == before


def test_a_full_disk_is_told_of_and_what_is_finished_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (*BOTS, "--deals", 2, "--processes", 1, "--out", tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        run("arena", *arguments).assert_refused("no space left on device")
    assert [file.name for file in tmp_path.iterdir()] == [NAME]
    assert run("arena", *arguments, "--resume").status == 0
