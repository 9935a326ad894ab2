"""Weights as bytes, in the format safetensors: a length, a header in JSON, and the numbers one after the other."""

import json
from collections.abc import Mapping
from math import prod
from struct import Struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from forsale.bots.entry import BotError

Tensors: TypeAlias = Mapping[str, NDArray[np.float32]]

_LENGTH = Struct("<Q")
_KINDS: Mapping[str, np.dtype[Any]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}


def to_bytes(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """Tensors of float16 or float32, each as it is."""
    header, numbers = {}, b""
    for name, tensor in tensors.items():
        kind = {np.dtype(np.float16): "F16", np.dtype(np.float32): "F32"}.get(tensor.dtype)
        if kind is None:
            raise ValueError(f"{name}: expected float16 or float32, got {tensor.dtype}")
        start = len(numbers)
        numbers += tensor.astype(_KINDS[kind]).tobytes()
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": (start, len(numbers))}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # so that whoever maps the file finds the numbers at a multiple of eight
    return _LENGTH.pack(len(text)) + text + numbers


def from_bytes(data: bytes) -> Tensors:
    """All tensors by name, as float32. Raises `BotError` for damaged ones, in one sentence."""
    header, numbers = _parts(data)
    tensors = {name: _tensor(name, told, numbers) for name, told in header.items()}
    needed = max((told["data_offsets"][1] for told in header.values()), default=0)
    if needed != len(numbers):
        raise BotError(f"weights: expected {needed} bytes of numbers, got {len(numbers)}")
    return tensors


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header, and the numbers after it."""
    start = _LENGTH.size
    end = start + (_LENGTH.unpack_from(data)[0] if len(data) >= start else 0)
    try:
        header = json.loads(data[start:end])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise BotError("weights: expected a safetensors file, got something else or only a part of one")
    header.pop("__metadata__", None)
    return header, data[end:]


def _tensor(name: str, told: object, numbers: bytes) -> NDArray[np.float32]:
    kind, shape, start, end = _described(name, told)
    needed = prod(shape) * kind.itemsize
    if start < 0 or start + needed != end or end > len(numbers):
        raise BotError(f"weights: {name}: expected {needed} bytes, got {start} to {end} of {len(numbers)}")
    tensor = np.frombuffer(numbers[start:end], kind).reshape(shape).astype(np.float32)
    if not np.isfinite(tensor).all():
        raise BotError(f"weights: {name}: expected finite numbers, got others")
    return tensor


def _described(name: str, told: object) -> tuple[np.dtype[Any], list[int], int, int]:
    """What the header tells of a tensor: the kind of its numbers, its shape, and from where to where it lies."""
    match told:
        case {"dtype": "F16" | "F32" as kind, "shape": [*shape], "data_offsets": [int(start), int(end)]}:
            if all(type(length) is int and length >= 0 for length in shape):
                return _KINDS[kind], shape, start, end
    raise BotError(f"weights: {name}: expected F16 or F32, a shape and where it lies, got {str(told)[:80]}")
