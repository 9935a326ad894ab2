"""A sequence that grows at its end, and leaves what was there before as it was."""

import pytest

from forsale.server.append_only import AppendOnly


def test_appending_leaves_the_shorter_one_as_it_was() -> None:
    short = AppendOnly([1, 2])
    long = short.append(3)
    other = short.append(4)
    assert (list(short), list(long), list(other)) == ([1, 2], [1, 2, 3], [1, 2, 4])
    assert list(long.append(5)) == [1, 2, 3, 5]


def test_only_an_older_one_is_copied() -> None:
    growing: AppendOnly[int] = AppendOnly()
    storage = growing._items
    for number in range(1000):
        growing = growing.append(number)
    assert growing._items is storage
    assert len(growing) == 1000


def test_it_reads_like_a_tuple_of_its_own_length() -> None:
    short = AppendOnly("abc")
    short.append("d")
    same = tuple("abc")
    for index in (0, 2, -1, -3):
        assert short[index] == same[index]
    for part in (slice(1, None), slice(-2, None), slice(None, None, -1), slice(None, 9), slice(0, 3, 2)):
        assert tuple(short[part]) == same[part]
    for index in (3, -4):
        with pytest.raises(IndexError, match="expected an index below 3"):
            short[index]
    assert list(reversed(short)) == ["c", "b", "a"]


def test_equality_is_that_of_what_it_holds() -> None:
    short = AppendOnly([1])
    assert short == AppendOnly([1]) != AppendOnly([2])
    short.append(2)
    assert short == AppendOnly([1])
    assert short != [1]
    assert repr(short) == "AppendOnly([1])"
