"""`forsale bots`, and programs as bots wherever a bot is named."""

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from forsale import record
from forsale.bots import plugins
from forsale.cli.play import play
from forsale.game import OVER
from tests.bots.asking import ROOT, misbehaving
from tests.bots.test_program import assert_nothing_is_left
from tests.cli.commands import Run
from tests.cli.test_simulate import heeding_ctrl_c

READY = "ready 1 Bob"
THRIFTY = f"cmd:{shlex.join([sys.executable, '-S', str(ROOT / 'examples' / 'thrifty.py')])}"


@pytest.fixture
def bad_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "site" / "grumpy_bots-2.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: grumpy-bots\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text("[forsale.bots]\ngrumpy = no_such_module:Grumpy\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(plugins, "offered", plugins.offered.__wrapped__)


# --- list ----------------------------------------------------------------------------------------------------


def test_the_list_names_each_bot_with_its_character_and_package(run: Run) -> None:
    ran = run("bots", "list")
    assert (ran.status, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert [(row[0], row[-1]) for row in rows if row and row[0] in ("random", "broker")] == [
        ("broker", "forsale"),
        ("random", "forsale"),
    ]
    assert "Does anything that is allowed" in ran.out


@pytest.mark.usefixtures("bad_plugin")
def test_the_list_says_which_plug_in_cannot_be_used(run: Run) -> None:
    ran = run("bots", "list")
    assert ran.status == 0
    assert "Not here: the bot 'grumpy' of grumpy-bots 2.0 cannot be used: ModuleNotFoundError" in ran.out
    assert "broker" in ran.out


# --- check ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["broker", THRIFTY])
def test_a_good_bot_has_status_0(run: Run, name: str) -> None:
    ran = run("bots", "check", name)
    assert (ran.status, ran.err) == (0, "")
    assert "BAD" not in ran.out
    assert ran.out.replace("\n", " ").rstrip().endswith("keeps to the rules.")


def test_a_bad_bot_has_status_1_and_a_report(run: Run) -> None:
    ran = run("bots", "check", misbehaving(READY, "illegal", 2, 4))
    assert (ran.status, ran.err) == (1, "")
    assert "BAD   games" in ran.out
    assert "3 illegal; illegal action: 'play 2 999'" in " ".join(ran.out.split())


@pytest.mark.usefixtures("bad_plugin")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kasparov"], "expected a bot among lodger, "),
        (["grumpy"], "the bot 'grumpy' of grumpy-bots 2.0 cannot be used: "),
        (["cmd:./no-such-bot"], "cmd:./no-such-bot: cannot be started: no such file or directory"),
        (["cmd:'"], "not a command"),
        (["broker", "--bot-time", "0"], "--bot-time"),
        ([], "NAME"),
    ],
)
def test_bad_input_has_status_2(run: Run, arguments: list[str], said: str) -> None:
    run("bots", "check", *arguments).assert_refused(said)


# --- simulate ------------------------------------------------------------------------------------------------


def test_programs_play_and_stand_in_tables_and_records_by_the_name_they_give(run: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        ran = run(
            "simulate", "--games", 2, "--bots", f"{THRIFTY},broker,{THRIFTY},random", "--records", tmp_path / folder
        )
        assert (ran.status, ran.err) == (0, "")
        assert "A      cmd:Thrifty" in ran.out
    files = [sorted((tmp_path / folder).iterdir()) for folder in ("a", "b")]
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]
    written = record.from_bytes(files[0][0].read_bytes())
    assert written.tag("Bots") == "cmd:Thrifty|broker|cmd:Thrifty|random"
    assert record.replay(written).state.phase is OVER


def test_a_comma_in_quotes_belongs_to_a_command(run: Run) -> None:
    code = "import sys; print('ready 1', sys.argv[1], flush=True); input()"
    command = f"cmd:{shlex.join([sys.executable, '-S', '-c', code, 'a, [red]b'])}"
    ran = run("simulate", "--games", 1, "--bots", f"random,random,random,{command}", "--bot-time", 100)
    assert ran.status == 0
    assert "D      cmd:a, [red]b" in ran.out


def test_faults_are_told_once_each_and_counted_at_the_end(run: Run) -> None:
    ran = run("simulate", "--games", 3, "--bots", f"{misbehaving(READY, 'crashes')},random,random,random")
    assert ran.status == 0
    assert "cmd:Bob" in ran.out
    crash, out, counts, last_words = ran.err.splitlines()
    for line in (crash, out, counts):
        assert line.startswith("forsale: cmd:")
    assert crash.endswith(": crashed: exit status 1; it passes instead, or sells its lowest house")
    assert "was lost 5 times and is not started again" in out
    assert "decisions were played by default: 5 crashed, " in counts
    assert last_words == "  oops: a bad day"


@pytest.mark.usefixtures("bad_plugin")
@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (misbehaving("ready 2 Bob"), "got version '2' of the protocol"),
        (misbehaving("crashes"), "(its last words: oops: no brain found)"),
        ("grumpy", "the bot 'grumpy' of grumpy-bots 2.0 cannot be used: "),
        ("cmd:./no-such-bot,random", "expected one bot, or 4 joined by commas, got 2"),
        ("random,", "expected one bot, or 4 joined by commas, got 2"),
    ],
)
def test_who_cannot_play_is_refused_before_anything_is_written(run: Run, tmp_path: Path, bots: str, said: str) -> None:
    run("simulate", "--bots", bots, "--records", tmp_path / "new").assert_refused(said)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("command", ["simulate --bots", "bots check"])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_who_is_stopped_ends_its_programs_too(tmp_path: Path, command: str, sign: signal.Signals) -> None:
    """Also one that hangs in a thought, and would never hear of it."""
    lock, name = tmp_path / "lock", misbehaving(READY, "hangs", 1, 1, tmp_path / "lock")
    words = [sys.executable, "-m", "forsale", *command.split(), name, "--bot-time", "3600000"]
    with heeding_ctrl_c():
        started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with started as process:
        while process.poll() is None and not lock.exists():
            pass
        process.send_signal(sign)
        _, err = process.communicate()
    assert (process.returncode, err.strip()) == (130, b"forsale: interrupted")
    assert_nothing_is_left(lock)


# --- play ----------------------------------------------------------------------------------------------------


def test_a_person_plays_against_programs(tmp_path: Path) -> None:
    file = tmp_path / "game.fsr"
    arguments = ["--seed", "test", "--bots", THRIFTY, "--record", str(file)]
    typed = "p\n" * 15 + "".join(f"{number}\n" for number in range(1, 31)) * 20
    result = CliRunner().invoke(play, arguments, input=typed)
    assert result.exit_code == 0, result.output
    assert "cmd:Thrifty: A program of your own." in result.output
    assert record.from_bytes(file.read_bytes()).tag("Bots") == "|cmd:Thrifty" * 3


@pytest.mark.parametrize("tracker", [True, False])
def test_a_rival_sees_what_a_person_in_its_seat_would_see(tmp_path: Path, tracker: bool) -> None:
    code = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    word, _, rest = line.strip().partition(' ')\n"
        "    if word == 'forsale': print('ready 1 Spy', flush=True)\n"
        "    if word == 'view': view = json.loads(rest)\n"
        "    if word == 'choose':\n"
        "        open(sys.argv[1], 'w').write(json.dumps(view['tracker'] and None not in view['coins']))\n"
        "        print('play', rest, '-', flush=True)\n"
    )
    spy = f"cmd:{shlex.join([sys.executable, '-S', '-c', code, str(tmp_path / 'seen')])}"
    shown = "--tracker" if tracker else "--no-tracker"
    CliRunner().invoke(play, ["--seed", "house", "--bots", spy, shown], input="q\n")
    assert (tmp_path / "seen").read_text() == ("true" if tracker else "false")
