"""Programs as bots: they are asked, and whatever they do, the game goes on and nothing of them is left."""

import fcntl
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from forsale import bots
from forsale.bots import BotError, Guarded, default_action, program
from forsale.game import Action
from tests.bots.asking import AUCTION, QUESTIONS, SALE, Asked, misbehaving

READY = "ready 1 Bob"
SOON = 0.2
"""Seconds, where a program hangs: that it takes them is what is tested."""
LONG = 30.0
STUBBORN = "ignores its end"


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """For those who do not end by themselves, however long one waits."""
    monkeypatch.setattr(program, "GRACE", 0.05)


def begun(name: str) -> program.Program:
    started = program.Program(name, LONG)
    started.begin()
    return started


@contextmanager
def playing(name: str, limit: float = LONG) -> Iterator[tuple[Guarded, list[str]]]:
    """A guarded program, and what is told of it."""
    told: list[str] = []
    with bots.guarded([name], limit, told.append) as (bot,):
        yield bot, told


def choose(bot: Guarded, question: Asked) -> Action:
    return bot.choose(question.view, question.legal, Random(1))


def assert_nothing_is_left(lock: Path) -> None:
    """Nobody holds the lock any more. Who was killed lets go of it in a moment."""
    deadline = time.monotonic() + LONG
    with lock.open() as file:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            return
    pytest.fail("a process is left")


# --- Good programs, in their ways ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", ["good", "chatty", "carriage returns", "in pieces", "twice", "binary first", "complains a lot"]
)
def test_its_answers_are_played(how: str) -> None:
    with playing(misbehaving(READY, how)) as (bot, told):
        assert [choose(bot, question) for question in QUESTIONS] == [question.legal[-1] for question in QUESTIONS]
        assert bot.label == "cmd:Bob"
    assert told == []


def test_it_is_not_asked_where_there_is_nothing_to_choose() -> None:
    with playing(misbehaving(READY, "crashes")) as (bot, told):
        assert bot.choose(SALE.view, SALE.legal[:1], Random(1)) == SALE.legal[0]
    assert told == []


def test_seats_share_one_process() -> None:
    """The second answer is to the second question: the program counts them."""
    name = misbehaving(READY, "illegal", 2, 2)
    with bots.guarded([name, "random", name], LONG) as (one, _, other):
        assert choose(one, AUCTION) == AUCTION.legal[-1]
        assert choose(other, AUCTION) == default_action(AUCTION.legal)


@pytest.mark.usefixtures("little_grace")
def test_the_question_does_not_fill_the_pipe_of_one_that_never_reads() -> None:
    with playing(misbehaving("never reads")) as (bot, told):
        for question in [AUCTION] * 150:
            assert choose(bot, question) == default_action(AUCTION.legal)
    assert told == []


# --- Faults -------------------------------------------------------------------------------------------------

CRASHES = [
    ("exits", "crashed: exit status 0"),
    ("crashes", "crashed: exit status 1"),
    ("kills itself", "crashed: killed by signal 9"),
    ("unfinished line", "crashed: exit status 1"),
    ("drips", "crashed: it said more than 65536 bytes and no answer"),
    ("floods with lines", "crashed: it said more than 65536 bytes and no answer"),
    ("closes its output", "crashed: it closed its output"),
]
ILLEGAL = [
    ("illegal", "'play 2 999'"),
    ("no action", "'play 2'"),
    ("no number", "'play 21'"),
    ("a later question", "'play 3 -'"),
    ("binary answer", "'play 2 \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER} '"),
    ("long answer", f"'play {'9' * 195}'"),
]


@pytest.mark.parametrize(("how", "words"), [*CRASHES, *ILLEGAL])
@pytest.mark.parametrize("question", [AUCTION, SALE], ids=["auction", "sale"])
def test_a_fault_costs_one_decision(how: str, words: str, question: Asked) -> None:
    """The default action is played once; before and after it the program chooses, started anew where it must be."""
    with playing(misbehaving(READY, how, 2, 2)) as (bot, told):
        choices = [choose(bot, question) for _ in range(4)]
    right, default = question.legal[-1], default_action(question.legal)
    assert choices == [right, default, right, right]
    first, last = told
    kind = "crashed" if words.startswith("crashed") else "illegal"
    assert first.endswith("; it passes instead, or sells its lowest house")
    if how != "no number":  # which says what would be right
        assert words in first
    assert last.partition("\n")[0].endswith(f": 1 of 4 decisions were played by default: 1 {kind}")


def test_a_hang_costs_one_decision_and_its_time() -> None:
    with playing(misbehaving(READY, "hangs", 2, 2), limit=1.0) as (bot, told):
        began = time.monotonic()
        choices = [choose(bot, AUCTION) for _ in range(3)]
        assert time.monotonic() - began >= 1.0
    right, default = AUCTION.legal[-1], default_action(AUCTION.legal)
    assert choices == [right, default, right]
    assert "took longer than 1 s; it passes instead" in told[0]
    assert told[1].endswith("1 of 3 decisions were played by default: 1 too late")


def test_who_is_lost_too_often_is_not_started_again() -> None:
    with playing(misbehaving(READY, "crashes")) as (bot, told):
        for _ in range(program.LIVES + 20):
            assert choose(bot, AUCTION) == default_action(AUCTION.legal)
    crash, out, summary = told
    assert "crashed: exit status 1" in crash
    assert "was lost 5 times and is not started again" in out
    counts, *last_words = summary.splitlines()
    assert counts.endswith(": 25 of 25 decisions were played by default: 5 crashed, 20 after it was given up")
    assert last_words == ["  oops: a bad day"]


def test_one_that_is_gone_when_it_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text(f"#!/bin/sh\nexec {misbehaving(READY, 'crashes').removeprefix('cmd:')}\n")
    file.chmod(0o755)
    with playing(f"cmd:{file}") as (bot, _):
        choose(bot, AUCTION)
        file.unlink()
        choose(bot, AUCTION)
        assert bot.faults == {"crashed": 2}


def test_the_same_chance_whatever_happened_before() -> None:
    """A question to a program takes as much from `rng` when it fails."""
    left = []
    for how in ("good", "crashes", "illegal"):
        rng = Random(5)
        with playing(misbehaving(READY, how)) as (bot, _):
            for question in QUESTIONS[:8]:
                bot.choose(question.view, question.legal, rng)
        left.append(rng.random())
    assert len(set(left)) == 1


# --- The beginning ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("crashes", "crashed: exit status 1 (its last words: oops: no brain found)"),
        ("floods", "crashed: it said more than 65536 bytes and no answer"),
        ("ready 2 Bob", "expected 'ready 1 NAME', got version '2' of the protocol"),
        ("ready", "expected 'ready 1 NAME', got version '' of the protocol"),
        ("ready 1", "with 1 to 20 characters but | and \", got ''"),
        ("ready 1 Bob|Eve", "got 'Bob|Eve'"),
        ("ready 1 " + "x" * 21, "got '" + "x" * 21),
    ],
)
def test_who_is_not_ready_is_refused_in_one_line(start: str, words: str) -> None:
    with pytest.raises(BotError) as refused, playing(misbehaving(start)):
        pass
    assert words in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_who_hangs_at_the_start_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "START", SOON)
    with pytest.raises(BotError, match="was not ready within 0.2 s"), playing(misbehaving("hangs")):
        pass


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cmd:", "expected a command after cmd:, such as cmd:./mybot, got 'cmd:'"),
        ("cmd:  ", "expected a command after cmd:"),
        ("cmd:./my 'bot", "cmd:./my 'bot: not a command: no closing quotation"),
        ("cmd:./no-such-bot", "cmd:./no-such-bot: cannot be started: no such file or directory"),
        ("cmd:/", "cmd:/: cannot be started: permission denied"),
        ("cmd:a\0b", "cmd:a b: cannot be started: embedded null byte"),
        ("cmd:./no\nway", "cmd:./no way: cannot be started: no such file or directory"),
    ],
)
def test_what_is_no_command_is_refused_in_one_line(name: str, words: str) -> None:
    with pytest.raises(BotError) as refused, playing(name):
        pass
    assert words in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.usefixtures("little_grace")
def test_one_bad_program_ends_those_that_were_started_before_it(tmp_path: Path) -> None:
    good = misbehaving(STUBBORN, "good", 1, 1, tmp_path / "lock")
    with pytest.raises(BotError), bots.guarded([good, "cmd:./no-such-bot"]):
        pass
    assert_nothing_is_left(tmp_path / "lock")


def test_lines_before_it_is_ready_are_ignored_but_for_varies() -> None:
    bot = begun(misbehaving("loading/varies/readily 3/ready 1  A name of words "))
    try:
        assert (bot.called, bot.varies) == ("A name of words", True)
    finally:
        bot.close()


# --- The end ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("little_grace")
@pytest.mark.parametrize("start", [READY, STUBBORN])
def test_nothing_is_left_when_the_game_is_over(start: str, tmp_path: Path) -> None:
    """Neither of the program nor of what it has started, which does not heed SIGTERM."""
    with playing(misbehaving(start, "good", 1, 999, tmp_path / "lock")) as (bot, _):
        choose(bot, AUCTION)
    assert_nothing_is_left(tmp_path / "lock")


@pytest.mark.parametrize("how", ["hangs", "crashes", "closes its output"])
def test_nothing_is_left_after_a_fault(how: str, tmp_path: Path) -> None:
    """Its child holds its output open, so that a crash as well shows by the time that it takes."""
    with playing(misbehaving(READY, how, 1, 1, tmp_path / "lock"), limit=SOON) as (bot, _):
        choose(bot, AUCTION)
        assert_nothing_is_left(tmp_path / "lock")


@pytest.mark.parametrize("quit", [True, False])
def test_who_ends_by_itself_is_let(quit: bool) -> None:
    bot = begun(misbehaving(READY))
    assert bot.close(quit)
    assert not bot.close()


@pytest.mark.usefixtures("little_grace")
@pytest.mark.parametrize("quit", [True, False])
def test_who_does_not_end_by_itself_is_killed(quit: bool) -> None:
    assert not begun(misbehaving(STUBBORN)).close(quit)


@contextmanager
def ctrl_c_once(there: Path) -> Iterator[None]:
    """Press Ctrl-C as soon as the file is there."""

    def press() -> None:
        while not there.exists():
            pass
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    finger = threading.Thread(target=press)
    finger.start()
    try:
        yield
    finally:
        finger.join()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("start", [READY, "hangs"])
def test_interrupted_while_it_thinks_or_starts_nothing_is_left(start: str, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    name = misbehaving(start, "hangs", 1, 1, lock)
    with pytest.raises(KeyboardInterrupt), ctrl_c_once(lock), playing(name) as (bot, _):
        choose(bot, AUCTION)
    assert_nothing_is_left(lock)


@pytest.mark.parametrize("at", ["__init__", "end"])
def test_interrupted_while_it_is_begun_or_ended_nothing_is_left(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the very moment in which only the operating system knows of the process, or half of it is gone."""
    lock = tmp_path / "lock"
    victim, name = (program._Child, at) if at == "__init__" else (program, "_kill_group")
    real = getattr(victim, name)

    def pressed(*arguments: object) -> None:
        real(*arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(victim, name, pressed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), playing(misbehaving(STUBBORN, "good", 1, 1, lock)) as (bot, _):
            choose(bot, AUCTION)
    finally:
        signal.signal(signal.SIGINT, before)
    if lock.exists():  # it may have been too early for that
        assert_nothing_is_left(lock)


def test_its_files_are_its_own() -> None:
    """A program gets its three pipes, and nothing else that is open here."""
    code = "import os,sys; input(); print('ready 1', len(os.listdir('/proc/self/fd')) - 1, flush=True); input()"
    if not Path("/proc/self/fd").exists():
        pytest.skip("looks into /proc")
    with open(os.devnull) as file:
        os.set_inheritable(file.fileno(), True)
        with playing(f"cmd:{shlex.join([sys.executable, '-S', '-c', code])}") as (bot, _):
            assert bot.label == "cmd:3"
