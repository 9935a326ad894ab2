"""The kernel is a copy of the rules: it is compared with `forsale.game` after every single action."""

import os

import pytest

from forsale import editions
from tests.games import COMBOS, Combo
from tests.kernel.comparing import compare
from tests.test_encoding import LARGEST, SMALL, WITH_GAPS

GAMES = 2000
"""For each edition, number of seats and variant, in `make test`."""


@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_kernel_and_engine_agree_after_every_action(combo: Combo) -> None:
    compare(combo.load(), combo.seats, combo.variant, GAMES, seed=1)


@pytest.mark.parametrize("variant", [None, "scarce"])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("text", [SMALL, WITH_GAPS, LARGEST], ids=["small", "with gaps", "largest"])
def test_they_agree_in_editions_of_ones_own(text: str, seats: int, variant: str | None) -> None:
    compare(editions.from_toml(text), seats, variant, games=100, seed=1)


@pytest.mark.fuzz
@pytest.mark.parametrize("combo", COMBOS, ids=str)
def test_they_agree_for_longer(combo: Combo) -> None:
    games, seed = int(os.environ.get("FUZZ_GAMES", "20000")), int(os.environ.get("FUZZ_SEED", "2"))
    compare(combo.load(), combo.seats, combo.variant, games, seed)
