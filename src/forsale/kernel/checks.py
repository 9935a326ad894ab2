"""What callers may hand in: a clear sentence instead of a crash or a silent wrap-around."""

from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from forsale.kernel.compiling import compiled
from forsale.kernel.errors import KernelError

WHOLE = ("int64", "int32", "int16", "int8")
"""Types of numbers for actions and seats."""


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds."""
    try:
        number = None if isinstance(value, bool) else value.__index__()
    except (AttributeError, TypeError):
        number = None
    if number is None or not low <= number <= high:
        raise KernelError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return int(number)


def seed_of(value: Any) -> int:
    return whole("seed", value, 0, 2**64 - 1)


def games_of(value: Any) -> int:
    return whole("games", value, 1, 2**31 - 1)


def device_of(value: Any) -> str:
    if value not in ("cpu", "cuda"):
        raise KernelError(f"device: expected cpu or cuda, got {value!r}")
    return str(value)


def policy_of(value: Any) -> Any:
    """A policy, compiled if it is not yet."""
    if not isinstance(value, FunctionType | Dispatcher):
        raise KernelError(f"policy: expected a function, plain or compiled with numba.njit, got {value!r}")
    return compiled(value)


def seats_of(value: Any, seats: int) -> None:
    """Numbers of seats, in an array that was checked before."""
    if not ((value >= 0) & (value < seats)).all():
        raise KernelError(f"seats: expected numbers from 0 to {seats - 1}, got others too")


def array(name: str, value: Any, shape: Sequence[int | None], types: Sequence[str]) -> None:
    """Something with that shape, None being any length, and one of these types of numbers."""
    found = tuple(getattr(value, "shape", ()))
    kind = str(getattr(value, "dtype", type(value).__name__)).removeprefix("torch.")
    fits = len(found) == len(shape) and all(want in (None, have) for want, have in zip(shape, found, strict=True))
    if not fits or kind not in types:
        wanted = f"({', '.join('any' if length is None else str(length) for length in shape)})"
        raise KernelError(f"{name}: expected {' or '.join(types)} of shape {wanted}, got {kind} of shape {found}")


def on_cpu(name: str, value: Any, shape: Sequence[int | None], types: Sequence[str], written: bool = False) -> None:
    """An array of numpy's."""
    if not isinstance(value, np.ndarray):
        raise KernelError(f"{name}: expected a numpy array, got {type(value).__name__}")
    array(name, value, shape, types)
    if written and not value.flags.writeable:
        raise KernelError(f"{name}: expected an array that can be written to, got one that is read-only")


def on_gpu(name: str, value: Any, shape: Sequence[int | None], types: Sequence[str]) -> None:
    """An array in the GPU's memory, of whichever library."""
    if not hasattr(value, "__cuda_array_interface__"):
        raise KernelError(f"{name}: expected an array on the GPU, got {type(value).__name__}")
    array(name, value, shape, types)
