"""How the tests play in environments: by chance, with small raises, so that auctions last."""

from random import Random
from typing import Any

import numpy as np

from forsale import encoding
from forsale.game import State, legal_actions


def choose(mask: Any, rng: Random) -> int:
    """A legal action: often a pass or a small bid, and any house."""
    legal = np.flatnonzero(mask).tolist()
    return int(rng.choice(legal if legal[0] > encoding.HOUSE else legal[:4]))


def legal_mask(state: State, seat: int) -> list[int]:
    """The flags that the engine's legal actions make."""
    legal = {encoding.to_index(action) for action in legal_actions(state, seat)}
    return [int(index in legal) for index in range(encoding.ACTIONS)]
