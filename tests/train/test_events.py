"""The log as TensorBoard reads it, read back by what the format says."""

import struct
from pathlib import Path

from forsale.train.events import Events, crc32c


def records(path: Path) -> list[bytes]:
    """The messages of a file, as if it had been written by anyone."""
    data, found = path.read_bytes(), []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        for content, checked in ((data[:8], data[8:12]), (data[12 : 12 + length], data[12 + length : 16 + length])):
            crc = crc32c(content)
            assert struct.unpack("<I", checked)[0] == ((crc >> 15 | crc << 17) + 0xA282EAD8) % 2**32
        found.append(data[12 : 12 + length])
        data = data[16 + length :]
    return found


def fields(message: bytes) -> list[tuple[int, int | bytes]]:
    """Numbers of fields and what is in them."""
    found: list[tuple[int, int | bytes]] = []
    while message:
        key, message = varint(message)
        if key & 7 == 0:
            number, message = varint(message)
            found.append((key >> 3, number))
            continue
        if key & 7 == 2:
            length, message = varint(message)
        else:
            length = {1: 8, 5: 4}[key & 7]
        found.append((key >> 3, message[:length]))
        message = message[length:]
    return found


def varint(message: bytes) -> tuple[int, bytes]:
    number = shift = 0
    for place, byte in enumerate(message):
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, message[place + 1 :]
    raise AssertionError("half a number")


def test_the_checksum_is_the_one_that_everybody_uses() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4


def test_every_number_of_a_lesson_is_there_by_name(tmp_path: Path) -> None:
    events = Events(tmp_path)
    events.append({"lesson": 300, "who wins": 0.5, "exams": {"copies": {"tycoon": 0.25}, "mixed": {"mixed": 0.75}}})
    events.append({"lesson": 301, "who wins": 0.25})
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("events.out.tfevents.")
    first, *lessons = map(fields, records(path))
    assert first[1] == (3, b"brain.Event:2")
    told = []
    for (_, wall_time), (step_field, step), (_, summary) in lessons:
        assert (len(wall_time) if isinstance(wall_time, bytes) else 0, step_field) == (8, 2)
        assert isinstance(summary, bytes)
        for _, value in fields(summary):
            assert isinstance(value, bytes)
            (_, name), (_, number) = fields(value)
            assert isinstance(name, bytes)
            assert isinstance(number, bytes)
            told.append((step, name.decode(), struct.unpack("<f", number)[0]))
    assert told == [
        (300, "who wins", 0.5),
        (300, "exams/copies/tycoon", 0.25),
        (300, "exams/mixed/mixed", 0.75),
        (301, "who wins", 0.25),
    ]


def test_a_run_that_goes_on_has_another_file(tmp_path: Path) -> None:
    for lesson in (1, 2):
        Events(tmp_path).append({"lesson": lesson})
    assert len(list(tmp_path.iterdir())) == 2
