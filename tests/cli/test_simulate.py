"""`forsale simulate`."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forsale import record
from forsale.game import OVER
from tests.cli.commands import Run
from tests.games import COMBOS, Combo


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_writes_one_verified_record_a_game(run: Run, tmp_path: Path, combo: Combo) -> None:
    variant = ["--variant", combo.variant] if combo.variant else []
    ran = run(
        *("simulate", "--edition", combo.edition, "--seats", combo.seats, *variant),
        *("--games", 3, "--seed", 7, "--bots", "random", "--records", tmp_path / "deep" / "er"),
    )
    assert (ran.status, ran.err) == (0, "")
    files = sorted((tmp_path / "deep" / "er").iterdir())
    assert len(files) == 3
    for file in files:
        written = record.from_bytes(file.read_bytes())
        assert record.replay(written).state.phase is OVER
        assert (written.tag("Edition"), written.seats, written.tag("Variant")) == combo
        assert run("verify", file).status == 0


def test_same_seed_same_bytes_another_seed_others(run: Run, tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        run("simulate", "--games", 2, "--seed", seed, "--bots", "broker", "--records", tmp_path / name)
    first, second, other = (
        [file.read_bytes() for file in sorted((tmp_path / name).iterdir())] for name in ("a", "b", "c")
    )
    assert first == second
    assert not set(first) & set(other)


def test_again_into_the_same_folder_changes_nothing(run: Run, tmp_path: Path) -> None:
    before = None
    for _ in range(2):
        assert run("simulate", "--games", 2, "--records", tmp_path).status == 0
        now = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        assert before in (None, now)
        before = now


def test_another_file_of_that_name_is_never_replaced(run: Run, tmp_path: Path) -> None:
    run("simulate", "--games", 1, "--records", tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text("mine")
    run("simulate", "--games", 1, "--records", tmp_path).assert_refused(file.name, "another file of that name")
    assert file.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [file]


def test_table_shows_each_seat(run: Run) -> None:
    ran = run("simulate", "--games", 5, "--bots", "broker,random,random,random")
    rows = [line.split() for line in ran.out.splitlines()]
    assert [row[:2] for row in rows if row and row[0] in "ABCD"] == [
        ["A", "broker"],
        ["B", "random"],
        ["C", "random"],
        ["D", "random"],
    ]


def test_the_broker_is_sensible(run: Run) -> None:
    """It beats three random players nearly always."""
    ran = run("simulate", "--games", 60, "--bots", "broker,random,random,random", "--seed", 3)
    row = next(line.split() for line in ran.out.splitlines() if "broker" in line)
    assert float(row[2].rstrip("%")) > 80


def test_an_own_edition(run: Run, tmp_path: Path) -> None:
    toy = Path(__file__).parents[1] / "perft" / "toy.toml"
    assert run("simulate", "--edition", toy, "--seats", 3, "--games", 1, "--records", tmp_path).status == 0
    (file,) = tmp_path.iterdir()
    assert run("replay", "--edition", toy, file).status == 0
    assert run("verify", "--edition", toy, file).status == 0
    run("replay", file).assert_refused("line 2, column 11", "'toy'")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seats", 2], "seats: expected a number of seats from 3 to 6, got 2"),
        (["--seats", 7], "seats: "),
        (["--edition", "classic", "--variant", "scarce"], "variant: expected none with classic, got 'scarce'"),
        (["--edition", "nowhere.toml"], "nowhere.toml"),
        (["--bots", "kasparov"], "'kasparov'"),
        (["--bots", "random,random"], "--bots"),
        (["--bots", ""], "a bot among"),
    ],
)
def test_refusals(run: Run, tmp_path: Path, arguments: list[object], said: str) -> None:
    run("simulate", *arguments, "--records", tmp_path / "new").assert_refused(said)
    assert not (tmp_path / "new").exists()


def test_records_into_what_is_not_a_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run("simulate", "--games", 1, "--records", tmp_path / "file").assert_refused("file")
    run("simulate", "--games", 1, "--records", tmp_path / "file" / "sub").assert_refused("file")


def test_disk_full_leaves_nothing_half_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    run("simulate", "--games", 1, "--records", tmp_path).assert_refused("no space left on device")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """Tests may run in the background, where Ctrl-C is ignored; what they start there would ignore it too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_interrupted_it_keeps_whole_files_only(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forsale", "simulate", "--games", "1000000", "--records", str(tmp_path)]
    with heeding_ctrl_c():
        started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with started as process:
        while process.poll() is None and len(list(tmp_path.glob("*.fsr"))) < 3:
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err.strip()) == (130, b"", b"forsale: interrupted")
    assert [file for file in tmp_path.iterdir() if file.suffix != ".fsr"] == []
    for file in tmp_path.iterdir():
        record.replay(record.from_bytes(file.read_bytes()))
