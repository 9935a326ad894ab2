"""`forsale bots check`, below the command line: good bots pass, and each bad habit is found."""

from collections.abc import Sequence
from random import Random
from time import monotonic

import pytest

from forsale.bots import BotError, Entry, program, roster
from forsale.bots.checking import Finding, check
from forsale.game import Action
from forsale.view import View
from tests.bots.asking import misbehaving

READY = "ready 1 Bob"
LONG = 30.0
ALL = ["handshake", "games", "time", "quit", "same answers", "unknown lines", "end of input"]


def found(name: str, limit: float = LONG) -> dict[str, Finding]:
    return {finding.what: finding for finding in check(name, limit)}


def bad(name: str, limit: float = LONG) -> dict[str, str]:
    return {finding.what: finding.seen for finding in check(name, limit) if not finding.good}


@pytest.mark.parametrize("name", ["random", "broker"])
def test_ours_keep_to_the_rules(name: str) -> None:
    findings = found(name)
    assert list(findings) == ["games", "time", "same answers"]
    assert all(finding.good for finding in findings.values())
    assert "in 24 games: every edition, number of seats and variant" in findings["games"].seen


@pytest.mark.parametrize("how", ["good", "chatty", "twice", "complains a lot"])
def test_a_good_program_keeps_to_the_rules(how: str) -> None:
    findings = found(misbehaving(READY, how))
    assert list(findings) == ALL
    assert all(finding.good for finding in findings.values())
    assert findings["handshake"].seen == "it is ready, and calls itself Bob"


@pytest.mark.parametrize(
    ("how", "what", "words"),
    [
        (["ready 2 Bob"], "handshake", "expected 'ready 1 NAME', got version '2' of the protocol"),
        (["crashes"], "handshake", "crashed: exit status 1; oops: no brain found"),
        ([READY, "crashes", 7, 7], "games", "1 crashed; crashed: exit status 1; oops: a bad day"),
        ([READY, "crashes"], "games", "was lost 5 times and is not started again; oops: a bad day"),
        ([READY, "illegal", 9, 11], "games", "3 illegal; illegal action: 'play 9 999' to question 9"),
        (["strict"], "unknown lines", "after lines that it cannot know, it crashed: exit status 1"),
    ],
)
def test_a_bad_habit_is_found(how: Sequence[object], what: str, words: str) -> None:
    name, *rest = how
    assert words in bad(misbehaving(str(name), *rest))[what]


def test_a_program_that_does_not_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "GRACE", 0.05)
    killed = "it had to be killed after 0.05 s"
    assert bad(misbehaving("ignores its end")) == {"quit": killed, "end of input": killed}
    assert found(misbehaving("ignores quit"))["quit"].seen == killed


def test_the_end_of_the_input_is_an_end_for_one_that_knows_no_quit() -> None:
    bot = program.Program(misbehaving("ignores quit"), LONG)
    bot.begin()
    assert bot.close(quit=False)


def test_a_program_that_hangs_is_found_and_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LIVES", 2)
    findings = bad(misbehaving(READY, "hangs", 3), limit=0.2)
    assert "2 too late" in findings["games"]
    assert "took longer than 0.2 s" in findings["games"]


class Moody:
    """Plays something else each time."""

    def __init__(self) -> None:
        self.times = 0

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        self.times += 1
        return legal[self.times % len(legal)]


class Frank(Moody):
    """Says so."""

    varies = True


class Slow:
    """Takes a millisecond."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        until = monotonic() + 0.001
        while monotonic() < until:
            pass
        return legal[0]


class Startled:
    """Knows no game but this one."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002
        assert not view.earlier, "what was before?"
        return legal[0]


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Moody, Frank, Slow, Startled):
        entry = Entry(kind.__name__, kind.__doc__ or "", kind)
        monkeypatch.setitem(roster.OWN, entry.name, entry)


@pytest.mark.usefixtures("add")
def test_who_does_not_answer_the_same_again_is_found_unless_it_says_so() -> None:
    (seen,) = bad("Moody").values()
    assert " questions got the same answer when they were asked again, in another order" in seen
    assert bad("Frank") == {}
    assert found("Frank")["same answers"].seen.endswith("; it says that they vary")


@pytest.mark.usefixtures("add")
def test_who_is_slow_is_found() -> None:
    assert list(bad("Slow", limit=0.0005)) == ["time"]


@pytest.mark.usefixtures("add")
def test_who_stumbles_over_earlier_games_is_found() -> None:
    assert "what was before?" in bad("Startled")["games"]


def test_a_program_may_say_that_its_answers_vary() -> None:
    findings = found(misbehaving(f"varies/{READY}", "good"))
    assert findings["same answers"].seen.endswith("; it says that they vary")


@pytest.mark.parametrize("name", ["kasparov", "cmd:", "cmd:./no-such-bot", "cmd:'"])
def test_what_is_not_there_cannot_be_checked(name: str) -> None:
    with pytest.raises(BotError):
        found(name)
