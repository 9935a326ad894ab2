"""A sequence that grows at its end and can be shared: what a table's log is kept in."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class AppendOnly(Sequence[T], Generic[T]):
    """An immutable sequence whose `append` returns a longer one and leaves this one as it is.

    Both share one list, so appending takes constant time, where a tuple would be copied. Only appending to a sequence
    that is no longer the longest copies it.

    >>> short = AppendOnly([1, 2])
    >>> long = short.append(3)
    >>> list(short), list(long), long[-1], long[1:]
    ([1, 2], [1, 2, 3], 3, [2, 3])
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def append(self, item: T) -> "AppendOnly[T]":
        longer: AppendOnly[T] = AppendOnly.__new__(AppendOnly)
        longer._items = self._items if len(self._items) == self._length else self._items[: self._length]
        longer._items.append(item)
        longer._length = self._length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            return self._items[start:stop:step] if step > 0 else self._items[: self._length][index]
        if not -self._length <= index < self._length:
            raise IndexError(f"expected an index below {self._length}, got {index}")
        return self._items[index if index >= 0 else index + self._length]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnly) and self[:] == other[:]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"AppendOnly({self[:]!r})"
