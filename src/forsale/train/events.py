"""The log of a run as TensorBoard reads it: `tensorboard --logdir DIR`.

A file of records, each with its length and checksums; in a record, a message of protocol buffers with a step, a time
and named numbers. That is all of the format that we need, so that nothing has to be installed to write it.
"""

import os
import struct
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_POLYNOMIAL = 0x82F63B78
_MASK = 0xA282EAD8
_WORD = 0xFFFFFFFF
_VERSION = b"brain.Event:2"


class Events:
    """A file of its own for each time that a run goes on: one that was killed may end in half a record."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"events.out.tfevents.{time.time_ns()}.{os.getpid()}"
        self._append(_double(1, time.time()) + _bytes(3, _VERSION))

    def append(self, lesson: Mapping[str, Any]) -> None:
        """What was seen of a lesson."""
        values = b"".join(
            _bytes(1, _bytes(1, name.encode()) + _float(2, value)) for name, value in _named(lesson) if name != "lesson"
        )
        self._append(_double(1, time.time()) + _key(2, 0) + _varint(lesson["lesson"]) + _bytes(5, values))

    def _append(self, message: bytes) -> None:
        length = struct.pack("<Q", len(message))
        with self._path.open("ab") as file:
            file.write(length + _checked(length) + message + _checked(message))


def _named(lesson: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, float]]:
    """All numbers, exams too, with names like paths: TensorBoard puts those that begin alike together."""
    for name, value in lesson.items():
        if isinstance(value, Mapping):
            yield from _named(value, f"{within}{name}/")
        else:
            yield f"{within}{name}", float(value)


# --- Protocol buffers ------------------------------------------------------------------------------------------------


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(number: int) -> bytes:
    groups = []
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def _double(field: int, number: float) -> bytes:
    return _key(field, 1) + struct.pack("<d", number)


def _bytes(field: int, content: bytes) -> bytes:
    return _key(field, 2) + _varint(len(content)) + content


def _float(field: int, number: float) -> bytes:
    return _key(field, 5) + struct.pack("<f", number)


# --- Checksums -------------------------------------------------------------------------------------------------------


def _checked(content: bytes) -> bytes:
    """CRC-32C, turned and moved so that a checksum of checksums is no problem."""
    crc = crc32c(content)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + _MASK) & _WORD)


def crc32c(content: bytes) -> int:
    """The checksum with Castagnoli's polynomial."""
    table, crc = _table(), _WORD
    for byte in content:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ _WORD


@cache
def _table() -> list[int]:
    table = []
    for crc in range(256):
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)  # noqa: PLW2901 - that is what it becomes
        table.append(crc)
    return table
