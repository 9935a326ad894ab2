"""How one part of the server hears of what another did at a table. Embedded: a call. Later: a message broker."""

from collections.abc import Callable
from typing import Protocol

Listener = Callable[[str, int], None]


class Bus(Protocol):
    """Carries one kind of news: that a table's log has grown to `seq`. What happened is in the store."""

    def publish(self, table: str, seq: int) -> None:
        """Tell all who listen, in this process and others."""

    def subscribe(self, listener: Listener) -> None:
        """Hear of every table from now on."""


class LocalBus:
    """All listeners are in this process."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def publish(self, table: str, seq: int) -> None:
        for listener in self._listeners:
            listener(table, seq)

    def subscribe(self, listener: Listener) -> None:
        self._listeners.append(listener)
