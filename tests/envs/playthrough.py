"""A short game as OpenSpiel sees it, node by node. `python -m tests.envs.playthrough` keeps it for the tests."""

from pathlib import Path
from random import Random
from typing import Any

import pyspiel

import forsale.envs.spiel  # noqa: F401 - registers the game

KEPT = Path(__file__).with_name("playthrough.txt")
TOY = Path(__file__).parents[1] / "perft" / "toy.toml"


def toy(**parameters: Any) -> Any:
    """The smallest edition that there is."""
    return pyspiel.load_game("python_for_sale", {"edition": str(TOY), "players": 3, **parameters})


def played() -> str:
    """Every node of one game: who acts, what each seat saw since the last time, what may follow, and what did."""
    state, rng, lines = toy(variant="scarce").new_initial_state(), Random(6), [""]
    told = ["", "", ""]
    while not state.is_terminal():
        if state.is_chance_node():
            chances = [f"{_said(state, action)} {chance:.3f}" for action, chance in state.chance_outcomes()]
            lines += [f"chance: {', '.join(chances)}"]
        else:
            lines += _news(state, told)
            lines += [f"player {state.current_player()}: {', '.join(_said(state, a) for a in state.legal_actions())}"]
        chosen = rng.choice(state.legal_actions())
        lines += [f"-> {_said(state, chosen)}", ""]
        state.apply_action(chosen)
    ends = [f"{end:.3f}" for end in state.returns()]
    lines += [*_news(state, told), str(state), state.observation_string(0), f"returns: {', '.join(ends)}"]
    return "\n".join(lines[1:]) + "\n"


def _said(state: Any, action: int) -> str:
    return str(state.action_to_string(action))


def _news(state: Any, told: list[str]) -> list[str]:
    """What each seat saw that it had not been told before. Nothing that it was told is ever unsaid."""
    lines = []
    for seat, before in enumerate(told):
        told[seat] = state.information_state_string(seat)
        assert told[seat].startswith(before)
        lines.append(f"{seat} … {told[seat].removeprefix(before).strip('; ')}")
    return lines


if __name__ == "__main__":
    KEPT.write_text(played(), encoding="utf-8", newline="\n")
