"""The command as a whole: help, version, and what happens when something is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from forsale import __version__
from tests.cli.commands import Run

COMMANDS = ["editions", "play", "replay", "simulate", "verify"]


def test_without_arguments_it_explains_itself(run: Run) -> None:
    ran = run()
    assert ran.status == 0
    assert all(command in ran.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"Usage: forsale {command}")


def test_version(run: Run) -> None:
    assert run("--version").out == f"forsale {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "frobnicate"),
        (["--frobnicate"], "--frobnicate"),
        (["simulate", "--frobnicate"], "--frobnicate"),
        (["simulate", "--games", "many"], "many"),
        (["simulate", "--games", "0"], "--games"),
        (["simulate", "--seats", "four"], "four"),
        (["simulate", "--seed", "x"], "--seed"),
        (["simulate", "extra"], "extra"),
        (["replay"], "FILE"),
        (["verify"], "FILE"),
        (["verify", "a", "b"], "b"),
    ],
)
def test_wrong_usage_gets_one_line_and_status_2(run: Run, arguments: list[str], said: str) -> None:
    run(*arguments).assert_refused(said)


def test_python_dash_m_is_the_same_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "forsale", "replay", "no-such-file"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "forsale: no-such-file: no such file or directory\n")


@pytest.mark.parametrize("times", [1, 300])
def test_a_reader_that_goes_away_hears_no_complaint(tmp_path: Path, times: int) -> None:
    """`forsale replay … | head -1`, with less output than a pipe holds and with more."""
    simulate = [sys.executable, "-m", "forsale", "simulate", "--games", "1", "--records", str(tmp_path)]
    subprocess.run(simulate, check=True, capture_output=True)
    (file,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "forsale", "replay", "--json", *[str(file)] * times]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
