"""Bots against bots."""

from collections.abc import Sequence
from random import Random

from forsale import view
from forsale.bots import Bot
from forsale.game import State, apply, legal_actions

__all__ = ["play_out"]


def play_out(state: State, bots: Sequence[Bot], rngs: Sequence[Random]) -> State:
    """Play a game to its end, a bot in each seat. Each seat draws from its own `rng`, so that none disturbs another."""
    while to_act := state.to_act:
        for seat in sorted(to_act):
            choice = bots[seat].choose(view.of(state, seat), legal_actions(state, seat), rngs[seat])
            state, _ = apply(state, seat, choice)
    return state
