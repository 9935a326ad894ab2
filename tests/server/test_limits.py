"""How much one visitor may ask for."""

import pytest

from forsale.server import limits
from forsale.server.limits import Bucket, Buckets, Places, Rate, address_key


def taken(bucket: Bucket, now: float, times: int) -> int:
    return sum(bucket.take(now) for _ in range(times))


def test_so_many_at_once_then_so_many_a_second() -> None:
    bucket = Bucket(Rate(2, 5), 0)
    assert taken(bucket, 0, 5) == 5
    assert not bucket.take(0)
    assert taken(bucket, 10, 9) == 5, "never more than the burst, however long one waited"


def test_what_was_refused_costs_nothing() -> None:
    bucket = Bucket(Rate(1, 5), 0)
    assert taken(bucket, 0.5, 1000) == 5
    assert not bucket.take(1)
    assert bucket.take(1.6)


def test_where_there_is_a_debt_it_must_be_waited_for() -> None:
    bucket = Bucket(Rate(1, 5), 0, debt=5)
    assert taken(bucket, 0, 7) == 5
    assert not bucket.take(2), "two that were refused count as well"
    assert bucket.take(6)


def test_who_goes_on_and_on_is_exhausted() -> None:
    bucket = Bucket(Rate(1, 5), 0, debt=5)
    taken(bucket, 0, 9)
    assert not bucket.is_exhausted
    taken(bucket, 0, 1)
    assert bucket.is_exhausted


def test_a_debt_has_an_end() -> None:
    bucket = Bucket(Rate(1, 5), 0, debt=5)
    taken(bucket, 0, 1000)
    assert bucket.take(6)


def test_something_large_costs_more() -> None:
    bucket = Bucket(Rate(1, 10), 0)
    assert bucket.take(0, 6)
    assert not bucket.take(0, 5)
    assert bucket.take(0, 4)
    assert not bucket.take(9, 10)
    assert bucket.take(10, 10)


def test_what_costs_more_than_there_can_be_takes_all() -> None:
    bucket = Bucket(Rate(1, 10), 0)
    assert bucket.take(0, 1000)
    assert not bucket.take(9, 1000)
    assert bucket.take(10, 1000)


def test_each_visitor_has_a_bucket() -> None:
    now = 0.0
    buckets = Buckets(Rate(1, 2), lambda: now)
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    assert buckets.take("b")
    now = 10.0
    assert buckets.take("a", 2)
    assert not buckets.take("a")


def test_visitors_are_forgotten_before_the_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_KEYS", 3)
    buckets = Buckets(Rate(1, 1), lambda: 0.0)
    for key in ("a", "b", "c", "a", "d"):
        buckets.take(key)
    assert len(buckets) == 3
    assert not buckets.take("a"), "seen later than b, which was forgotten"
    assert buckets.take("b")


def test_places_are_given_back() -> None:
    places = Places(2)
    assert places.enter("a")
    assert places.enter("a")
    assert not places.enter("a")
    assert places.enter("b")
    places.leave("a")
    assert places.enter("a")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_an_address_stands_for_a_household(address: str, key: str) -> None:
    assert address_key((address, 1)) == key
