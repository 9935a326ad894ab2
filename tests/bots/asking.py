"""Questions to ask of bots, and programs to ask them of."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from forsale import view
from forsale.game import BUYING, Action, legal_actions
from forsale.view import View
from tests.games import Combo, combo_game

ROOT = Path(__file__).parents[2]
GAME = combo_game(Combo("iello-2020", 4, None), seed=7)


class Asked(NamedTuple):
    view: View
    legal: Sequence[Action]


def asked(turns: int) -> Asked:
    """What a seat to act sees after so many turns, and what it may do."""
    state = GAME.after(turns)
    seat = min(state.to_act)
    return Asked(view.of(state, seat), legal_actions(state, seat))


QUESTIONS = [found for turns in range(len(GAME.turns)) if len((found := asked(turns)).legal) > 1]
AUCTION = QUESTIONS[0]
SALE = next(found for found in QUESTIONS if found.view.phase is not BUYING)


def misbehaving(start: str, *how: object) -> str:
    """The name of a bot that is a real program and misbehaves in these ways."""
    program = Path(__file__).with_name("misbehaving.py")
    return f"cmd:{shlex.join([sys.executable, '-S', str(program), start, *map(str, how)])}"
