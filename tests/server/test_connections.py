"""Which connections are counted where, and which one is evicted for a new one."""

from collections.abc import Callable

import pytest

from forsale.server.connections import (
    MAX_CONNECTIONS,
    MIN_CONNECTIONS,
    NO_SLOT,
    RESERVED_DESCRIPTORS,
    STALLED,
    Connections,
    Slot,
    overall_limit,
)

PROXY = "10.0.0.1"


class Book:
    """Opens connections by name, and notes which were evicted."""

    def __init__(self, limit: int = 100, per_address: int = 3) -> None:
        self.now = 0.0
        self.evicted: list[str] = []
        self.connections = Connections(limit, per_address, [PROXY, "fd00::/8"], clock=lambda: self.now)

    def open(self, name: str, address: str = "192.0.2.1") -> Slot:
        slot = self.connections.open(self._note(name), (address, 5000))
        assert slot is not None
        return slot

    def is_refused(self, address: str = "192.0.2.1") -> bool:
        return self.connections.open(self._note("refused"), (address, 5000)) is None

    def _note(self, name: str) -> Callable[[], None]:
        return lambda: self.evicted.append(name)

    @property
    def open_now(self) -> int:
        return self.connections.metrics.open_connections


@pytest.mark.parametrize(
    ("descriptors", "limit"),
    [
        (300, 300 - RESERVED_DESCRIPTORS),
        (20, MIN_CONNECTIONS),
        (10**6, MAX_CONNECTIONS),
        (None, MAX_CONNECTIONS),
    ],
)
def test_descriptors_are_reserved(descriptors: int | None, limit: int) -> None:
    assert overall_limit(descriptors) == limit


def test_one_address_gets_at_most_half_of_all() -> None:
    assert Connections(100, 200).per_address == 50
    assert Connections(100, 20).per_address == 20
    assert Connections(1, 20).per_address == 1


def test_the_oldest_idle_connection_of_the_address_is_evicted() -> None:
    book = Book()
    book.open("other", "192.0.2.2")
    for name in "abcde":
        book.open(name)
    assert book.evicted == ["a", "b"]
    assert book.open_now == 4
    assert book.connections.metrics.connections_evicted == 2


def test_a_connection_that_was_used_is_younger_than_a_silent_one() -> None:
    book = Book()
    used = book.open("used")
    book.open("silent")
    used.start_exchange()
    used.end_exchange()
    book.open("c")
    book.open("d")
    assert book.evicted == ["silent"]


def test_what_is_being_processed_is_not_evicted() -> None:
    book = Book()
    for name in "abc":
        book.open(name).start_exchange()
    assert book.is_refused()
    assert book.evicted == []
    assert book.connections.metrics.connections_refused == 1


def test_an_exchange_that_stalls_is_evicted() -> None:
    book = Book()
    book.open("first").start_exchange()
    book.now = 1.0
    book.open("second").start_exchange()
    book.open("third").start_exchange()
    book.now = STALLED + 0.5
    book.open("new")
    assert book.evicted == ["first"]
    book.open("newer")
    assert book.evicted == ["first", "new"], "an idle one rather than one that is busy"


def test_web_sockets_are_never_evicted() -> None:
    book = Book()
    for name in "abc":
        book.open(name).keep()
    book.now = 1000.0
    assert book.is_refused()
    assert book.open_now == 3


def test_overall_the_address_with_most_idle_connections_gives_way() -> None:
    book = Book(limit=6)
    book.open("a1", "192.0.2.1")
    for name in ("b1", "b2", "b3"):
        book.open(name, "192.0.2.2")
    book.open("c1", "192.0.2.3")
    book.open("c2", "192.0.2.3")
    book.open("d1", "192.0.2.4")
    assert book.evicted == ["b1"]
    book.open("e1", "192.0.2.5")
    assert book.evicted[1:] in (["b2"], ["c1"])
    assert book.open_now == 6


def test_overall_a_stalled_exchange_gives_way_too() -> None:
    book = Book(limit=2)
    book.open("a", "192.0.2.1").start_exchange()
    book.open("b", "192.0.2.2").keep()
    assert book.is_refused("192.0.2.3")
    book.now = STALLED + 1
    book.open("c", "192.0.2.3")
    assert book.evicted == ["a"]


def test_the_only_connection_of_an_address_can_give_way_to_another_of_it() -> None:
    book = Book(limit=1)
    for name in "abc":
        book.open(name)
    assert book.evicted == ["a", "b"]
    assert book.open_now == 1


def test_connections_of_a_proxy_count_only_overall() -> None:
    book = Book(limit=20)
    for number in range(10):
        slot = book.open(str(number), PROXY)
        assert slot.is_trusted_peer
        slot.share()
        slot.share()
    assert book.evicted == []
    for name in "abcd":
        book.open(name, PROXY)
    assert book.evicted == ["a"], "before it has forwarded anything it counts as its peer"


def test_connections_of_a_proxy_are_evicted_last() -> None:
    book = Book(limit=4)
    for name in ("p1", "p2"):
        book.open(name, PROXY).share()
    busy = book.open("p3", PROXY)
    busy.start_exchange()
    busy.share()
    busy.end_exchange()
    book.open("a", "192.0.2.1")
    book.open("b", "192.0.2.2").keep()
    assert book.evicted == ["a"]
    book.open("c", "192.0.2.3").keep()
    assert book.evicted == ["a", "p1"]


@pytest.mark.parametrize(
    ("address", "trusted"),
    [(PROXY, True), ("10.0.0.2", False), ("fd00::5", True), ("fe80::1%eth0", False), ("a name", False)],
)
def test_who_is_a_proxy(address: str, trusted: bool) -> None:
    assert Book().open("a", address).is_trusted_peer == trusted


def test_a_peer_without_an_address_is_no_proxy() -> None:
    slot = Book().connections.open(lambda: None, None)
    assert slot is not None
    assert not slot.is_trusted_peer


def test_a_slot_is_released_once() -> None:
    book = Book()
    slot = book.open("a")
    book.open("b")
    for _ in range(2):
        slot.release()
        assert book.open_now == 1
    for act in (slot.start_exchange, slot.end_exchange, slot.keep, slot.share):
        act()
    assert book.open_now == 1
    assert [book.open(name) for name in "cd"]
    assert book.evicted == []
    NO_SLOT.release()


def test_nothing_is_remembered_of_those_who_are_gone() -> None:
    book = Book(limit=4)
    slots = [book.open(str(number), f"192.0.2.{number}") for number in range(10)]
    for number, slot in enumerate(slots):
        slot.release()
        assert book.open_now == min(4, 9 - number)
    connections = book.connections
    assert not connections._groups
    assert not connections._busy
    assert connections._by_idle.largest() is None
