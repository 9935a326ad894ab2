"""The kernel writes the very numbers that `forsale.encoding` makes of a view."""

import numpy as np
import pytest

from forsale import editions, encoding, view
from forsale.editions import Edition
from forsale.kernel import loops
from forsale.scalar import layout
from tests.games import COMBOS, Combo
from tests.kernel.comparing import Shadowed
from tests.test_encoding import LARGEST, SMALL, WITH_GAPS


def compare_rows(edition: Edition, seats: int, variant: str | None) -> None:
    """The batch's rows of those to act, and the rows of all seats one by one, after every action of some games."""
    shadowed = Shadowed(edition, seats, variant, places=3, seed=5)
    own = np.zeros(encoding.LENGTH, np.int16)
    while shadowed.finished < 6:
        rows = shadowed.batch.observe()
        for place, state in enumerate(shadowed.states):
            for seat in range(seats):
                told = encoding.encode(view.of(state, seat))
                own[:] = -7
                loops.observe(shadowed.batch._states[place], shadowed.batch._rules, seat, own)
                assert own.tolist() == told.tolist()
                if seat == shadowed.batch.to_act[place]:
                    assert rows[place].tolist() == told.tolist()
        shadowed.step()


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_kernel_and_encoding_give_the_same_numbers(combo: Combo) -> None:
    compare_rows(combo.load(), combo.seats, combo.variant)


@pytest.mark.parametrize("text", [SMALL, WITH_GAPS, LARGEST], ids=["small", "with gaps", "largest"])
def test_in_editions_of_ones_own_too(text: str) -> None:
    compare_rows(editions.from_toml(text), 4, "scarce")


def test_a_row_holds_no_secret() -> None:
    """Whatever lies in the decks, and whatever others have chosen in secret, the row stays the same."""
    shadowed = Shadowed(editions.load("iello-2020"), 4, None, places=20, seed=8)
    batch, rng = shadowed.batch, np.random.default_rng(1)
    for _ in range(70):
        before = batch.observe().copy()
        decks, choices = batch._decks.copy(), batch._states[:, layout.CHOICES : layout.CHOICES + 4].copy()
        batch._decks[:] = rng.integers(0, 30, batch._decks.shape)
        batch._states[:, layout.CHOICES : layout.CHOICES + 4] = rng.integers(0, 30, choices.shape)
        assert (batch.observe() == before).all()
        batch._decks[:] = decks
        batch._states[:, layout.CHOICES : layout.CHOICES + 4] = choices
        shadowed.step()
