"""Bits and chance: each function against plain Python, and shuffles that favour no card."""

from random import Random

import numba
import numpy as np
import pytest

from forsale import editions, kernel
from forsale.kernel.compiling import compiled
from forsale.scalar import bits
from forsale.scalar.rows import rules_row

MASKS = [0b1, 0b1010, 2**30 - 1, 2**29, 0b100100100, *(Random(1).getrandbits(30) | 1 for _ in range(50))]


def told(mask: int, place: int) -> tuple[int, ...]:
    return (
        bits.popcount(mask),
        bits.lowest(mask),
        bits.bit(place),
        bits.has(mask, place),
        bits.without_lowest(mask),
        bits.nth(mask, place),
    )


POPCOUNT, LOWEST, BIT, HAS, REST, NTH = map(
    compiled, (bits.popcount, bits.lowest, bits.bit, bits.has, bits.without_lowest, bits.nth)
)


@numba.njit
def told_by_the_compiled(mask, place):  # type: ignore[no-untyped-def]
    return POPCOUNT(mask), LOWEST(mask), BIT(place), HAS(mask, place), REST(mask), NTH(mask, place)


def test_bits_are_what_they_say() -> None:
    for mask in MASKS:
        places = [place for place in range(30) if mask >> place & 1]
        for n, place in enumerate(places):
            count, lowest, _, _, rest, nth = told(mask, n)
            assert (count, lowest, rest, nth) == (len(places), places[0], mask & (mask - 1), place)
        for place in range(30):
            assert told(mask, place)[2:4] == (1 << place, mask >> place & 1)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.int16])
def test_compiled_bits_are_the_same(kind: type[np.int32]) -> None:
    for mask in MASKS:
        if mask <= np.iinfo(kind).max:
            for place in range(mask.bit_count()):
                assert told_by_the_compiled(kind(mask), kind(place)) == told(mask, place)


def test_chance_is_the_published_splitmix64() -> None:
    """Its first numbers for the seed 1234567, as its author gives them."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [bits.word(1234567, n) for n in range(1, 5)] == published
    assert [compiled(bits.word)(np.uint64(1234567), np.uint64(n)) for n in range(1, 5)] == published


def test_compiled_chance_is_the_same() -> None:
    below, below_too, key_of = map(compiled, (bits.below, bits.below_too, bits.key_of))
    for n in range(300):
        word = bits.word(77, n)
        assert below(np.uint64(word), np.int32(n + 1)) == bits.below(word, n + 1)
        assert below_too(np.uint64(word), np.int32(n + 1)) == bits.below_too(word, n + 1)
        assert key_of(np.uint64(word), n, 3 * n) == bits.key_of(word, n, 3 * n)


def test_numbers_below_n_are_below_n_and_even() -> None:
    for below in (bits.below, bits.below_too):
        counts = np.bincount([below(bits.word(5, n), 7) for n in range(70_000)])
        assert len(counts) == 7
        assert chi_square(counts) < 22.5  # p = 0.001 for 6 degrees of freedom


def chi_square(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum())


def test_every_card_comes_to_every_place_as_often() -> None:
    """In both decks; and the decks and the first seat do not depend on each other."""
    batch = kernel.create(games=30_000, seed=3)
    decks, first = batch._decks, batch.to_act  # type: ignore[attr-defined]
    for place in range(60):
        assert chi_square(np.bincount(decks[:, place], minlength=30)) < 63  # p = 0.0003 for 29 degrees of freedom
    assert chi_square(np.bincount(first, minlength=4)) < 16.3
    pairs = np.bincount(decks[:, 0].astype(np.int64) * 30 + decks[:, 30], minlength=900)
    assert chi_square(pairs) < 1040  # p = 0.0008 for 899 degrees of freedom
    assert chi_square(np.bincount(decks[:, 0].astype(np.int64) * 4 + first, minlength=120)) < 172


def test_rules_become_numbers_by_the_editions_data_fields() -> None:
    for name in editions.published():
        for seats in editions.load(name).seats:
            rules = editions.load(name).rules(seats)
            row = rules_row(rules)
            assert row[:9].tolist() == [
                *(rules.seats, rules.coins, rules.deck_size, rules.removed, rules.short, rules.refund == "up"),
                *(rules.lowest_bid, rules.auctions, len(rules.houses)),
            ]
