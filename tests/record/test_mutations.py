"""Ten thousand damaged records: each is read and replayed, or refused with one error that has a place."""

from collections.abc import Callable
from random import Random

import pytest

from forsale import record, view
from forsale.record import RecordError
from tests.games import COMBOS, NAMES, combo_game
from tests.make_golden import path_of

COUNT = 10_000
CHUNKS = 10
ALPHABET = b' \n\r\t"[]{}|:@*?.-0123456789ABCDEFGS\x00\x7f\xc3\xa9\xff'

Mutation = Callable[[bytes, Random], bytes]


def flip(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def delete(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 4) :]


def insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes(rng.choices(ALPHABET, k=rng.randint(1, 3))) + data[at:]


def overwrite(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.choice(ALPHABET)]) + data[at + 1 :]


def truncate(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def split_at(separator: bytes) -> list[Mutation]:
    """Mutations of whole lines, or of whole words."""

    def duplicate(data: bytes, rng: Random) -> bytes:
        parts = data.split(separator)
        parts.insert(rng.randrange(len(parts)), rng.choice(parts))
        return separator.join(parts)

    def swap(data: bytes, rng: Random) -> bytes:
        parts = data.split(separator)
        i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
        parts[i], parts[j] = parts[j], parts[i]
        return separator.join(parts)

    def drop(data: bytes, rng: Random) -> bytes:
        parts = data.split(separator)
        del parts[rng.randrange(len(parts))]
        return separator.join(parts)

    def move(data: bytes, rng: Random) -> bytes:
        parts = data.split(separator)
        parts.insert(rng.randrange(len(parts)), parts.pop(rng.randrange(len(parts))))
        return separator.join(parts)

    return [duplicate, swap, drop, move]


def renumber(data: bytes, rng: Random) -> bytes:
    """Another number where one stood: the words stay well formed, so that the rules are what refuses it."""
    words = data.split(b" ")
    numbers = [i for i, word in enumerate(words) if word[-1:].isdigit()]
    for at in rng.sample(numbers, min(1, len(numbers))):
        words[at] = words[at].rstrip(b"0123456789") + str(rng.randrange(32)).encode()
    return b" ".join(words)


MUTATIONS: list[Mutation] = [
    flip, delete, insert, overwrite, truncate, renumber, *split_at(b"\n"), *split_at(b" "),
]  # fmt: skip


def good_records() -> list[bytes]:
    """Whole games; games cut anywhere; seats' own, with unknown choices; with comments."""
    records = [path_of(combo).read_bytes() for combo in COMBOS]
    rng = Random("good records")
    for combo in COMBOS:
        game = combo_game(combo, seed=7)
        position = view.of(game.after(rng.randrange(len(game.turns))), rng.choice([*range(combo.seats), None]))
        records.append(record.from_position(position, NAMES[: combo.seats], {"Table": "é"}, range(0, 99, 7)).to_bytes())
    return records + [data.replace(b" : ", b" {a comment} : {} ").replace(b"S1", b"{line}\nS1") for data in records]


GOOD = good_records()


def test_the_records_are_good_before_they_are_damaged() -> None:
    for data in GOOD:
        record.replay(record.from_bytes(data))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_damaged_record_is_read_or_refused_with_its_place(chunk: int) -> None:
    answers = {"replayed": 0, "refused by the rules": 0, "not read": 0}
    for number in range(chunk, COUNT, CHUNKS):
        rng = Random(f"mutation {number}")
        data = rng.choice(GOOD)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            data = rng.choice(MUTATIONS)(data, rng) if data else data
        answers[answer(data)] += 1
    assert min(answers.values()) > 20, "each kind of answer should occur"


def answer(data: bytes) -> str:
    lines = data.count(b"\n") + 2  # one past the last: where what is missing would stand
    widest = max(map(len, data.split(b"\n"))) + 2
    try:
        read = record.from_bytes(data)
    except RecordError as error:
        check_place(error, lines, widest)
        return "not read"
    assert read.to_bytes() == data
    try:
        strict = record.replay(read)
    except RecordError as error:
        check_place(error, lines, widest)
        check_lenient(read, lines, widest)
        return "refused by the rules"
    assert not strict.problems
    return "replayed"


def check_lenient(read: record.Record, lines: int, widest: int) -> None:
    """What a strict replay refuses, a lenient one refuses or reports."""
    try:
        problems = record.replay(read, strict=False).problems
    except RecordError as error:
        problems = (error,)
    assert problems
    for problem in problems:
        check_place(problem, lines, widest)


def check_place(error: RecordError, lines: int, widest: int) -> None:
    assert 1 <= error.line <= lines
    assert 1 <= error.column <= widest
    assert error.reason.isprintable()
    assert str(error) == f"line {error.line}, column {error.column}: {error.reason}"
