"""The net with numpy alone: what `forsale.train` has trained, asked for one position or for many."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale.bots.champion.inputs import WIDTH, Spread
from forsale.bots.champion.weights import Tensors, from_bytes
from forsale.bots.entry import BotError
from forsale.encoding import ACTIONS, MAX_SEATS, SLICES

Floats: TypeAlias = NDArray[np.float32]

WEIGHTS = "champion.safetensors"

_INNER = ("inner.0", "inner.1", "inner.2")
_HEADS = {"act": ACTIONS, "win": MAX_SEATS, "score": MAX_SEATS}
_WIN, _SCORE = ACTIONS, ACTIONS + MAX_SEATS
"""Where their numbers begin, one head's after the other's."""
_SEATS = SLICES["rules"].start
_EVERY_SEAT = np.arange(MAX_SEATS)
_HUNDRED = 100


spread = Spread(np.asarray, lambda parts: np.concatenate(parts, axis=-1, dtype=np.float32))
"""Spreads rows out, one or many."""


class Told(NamedTuple):
    """What the net says of a position, or of each of many."""

    logits: Floats
    """By action: the higher, the likelier; minus infinity for what is illegal."""
    wins: Floats
    """Each seat's chance to win, clockwise from the seat that is asked; 0 where nobody sits."""
    scores: Floats
    """What each seat will have in the end, on average, in the same order."""


class _Layer:
    """A linear layer. Its weights stay as they are stored, so that for one row each output is one product of lines."""

    def __init__(self, weight: Floats, bias: Floats) -> None:
        self.weight, self.bias = weight, bias

    def __call__(self, inputs: Floats) -> Floats:
        outputs: Floats = inputs @ self.weight.T
        outputs += self.bias
        return outputs


class Net:
    """Three layers, the later ones added to what came before; then what to do, who wins, and with how much."""

    def __init__(self, tensors: Tensors) -> None:
        """Of weights by name. Raises `BotError` for those of another net."""
        hidden = len(tensors.get("inner.0.bias", ()))
        widths = dict.fromkeys(_INNER, hidden) | {"inner.0": WIDTH}
        self._inner = [_Layer(*_stored(tensors, name, hidden, widths[name])) for name in _INNER]
        heads = [_stored(tensors, name, length, hidden) for name, length in _HEADS.items()]
        self._heads = _Layer(*map(np.concatenate, zip(*heads, strict=True)))

    @classmethod
    def read(cls, file: Path | Traversable) -> Self:
        """Of a file of weights. Raises `BotError` for one that is damaged or of another net, and `OSError`."""
        return cls(from_bytes(file.read_bytes()))

    def tell(self, rows: NDArray[np.int16], masks: NDArray[np.bool_]) -> Told:
        """Of one row (see `forsale.bots.champion.inputs`) or many; `masks` say what is legal there."""
        told = self._heads(self._last(spread(rows)))
        taken = rows[..., _SEATS, None] > _EVERY_SEAT
        return Told(
            np.where(masks, told[..., :_WIN], -np.inf),
            softmax(np.where(taken, told[..., _WIN:_SCORE], -np.inf)),
            told[..., _SCORE:] * _HUNDRED,
        )

    def _last(self, inputs: Floats) -> Floats:
        """What the heads are given."""
        hidden = _positive(self._inner[0](inputs))
        for layer in self._inner[1:]:
            hidden += _positive(layer(_normal(hidden)))
        return _normal(hidden)


def _stored(tensors: Tensors, name: str, length: int, width: int) -> tuple[Floats, Floats]:
    """The weight and the bias of a layer."""
    for part, shape in (("weight", (length, width)), ("bias", (length,))):
        found = tensors[f"{name}.{part}"].shape if f"{name}.{part}" in tensors else "nothing"
        if found != shape:
            raise BotError(f"weights: {name}.{part}: expected a shape of {shape}, got {found}")
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _positive(numbers: Floats) -> Floats:
    return np.maximum(numbers, 0, out=numbers)


def _normal(hidden: Floats) -> Floats:
    """As large as 1, on average."""
    squares: Floats = np.einsum("...i,...i->...", hidden, hidden)[..., None]
    normal: Floats = hidden / np.sqrt(squares / hidden.shape[-1] + np.float32(1e-5))
    return normal


def softmax(logits: Floats) -> Floats:
    """Parts of 1, along the last axis."""
    odds: Floats = np.exp(logits - logits.max(axis=-1, keepdims=True))
    odds /= odds.sum(axis=-1, keepdims=True)
    return odds


@cache
def champion() -> Net:
    """The net that comes with the package, read once in a process."""
    return Net.read(resources.files(__package__).joinpath(WEIGHTS))
