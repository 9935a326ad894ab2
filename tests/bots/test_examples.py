"""The examples play, and the page about the protocol shows what really happens."""

import re
import shlex
import subprocess
import sys
from random import Random

import pytest

from forsale import arena, bots, editions, game, shuffle, view
from forsale.bots.checking import check
from forsale.bots.question import question_text
from forsale.game import OVER, Bid
from tests.bots.asking import ROOT
from tests.games import start

THRIFTY = f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'thrifty.py')])}"
PENNY = f"cmd:sh {shlex.quote(str(ROOT / 'examples' / 'penny.sh'))}"


PAGE = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")


def session() -> list[str]:
    (block,) = re.findall(r"^```text\n(> .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert isinstance(block, str)
    return block.splitlines()


@pytest.mark.parametrize("name", [THRIFTY, PENNY])
def test_the_examples_keep_to_the_rules(name: str) -> None:
    assert [finding for finding in check(name, limit=30.0) if not finding.good] == []


def test_the_examples_play_better_than_chance() -> None:
    wins = 0.0
    with bots.guarded([THRIFTY, PENNY, "random", "random"], 30.0) as seated:
        for seed in range(20):
            state = start(editions.load("iello-2020"), 4, None, Random(seed))
            end = arena.play_out(state, seated, [Random(f"{seed} {seat}") for seat in range(4)])
            assert end.phase is OVER
            result = game.outcome(end)
            assert result is not None
            wins += sum(seat in result.winners for seat in (0, 1)) / len(result.winners)
        assert not any(bot.faults for bot in seated)
    assert wins > 14


def test_the_session_of_the_page_is_what_the_example_says() -> None:
    read = "".join(f"{line[2:]}\n" for line in session() if line.startswith("> "))
    printed = [line[2:] for line in session() if line.startswith("< ")]
    words = shlex.split(THRIFTY.removeprefix("cmd:"))
    ran = subprocess.run(words, input=read, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == printed


def test_the_session_of_the_page_asks_what_the_engine_asks() -> None:
    edition = editions.load("iello-2020")
    state = game.new_game(edition, 3, shuffle.deal(edition, 3, Random(7)), first=0)
    state, _ = game.apply(state, 0, Bid(2))
    asked = question_text(1, view.of(state, 1), game.legal_actions(state, 1), 2000, 190834)
    read = [line[2:] for line in session() if line.startswith("> ")]
    assert read == ["forsale 1", *asked.splitlines(), "quit"]


def test_the_page_shows_the_example() -> None:
    example = (ROOT / "examples" / "penny.sh").read_text(encoding="utf-8")
    assert f"```text penny.sh\n{example}```\n" in PAGE
