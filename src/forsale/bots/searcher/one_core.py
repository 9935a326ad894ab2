"""Products of numpy on the one core of whoever asks.

OpenBLAS, which comes with numpy, shares out even small products, and waits in a busy loop for whoever got a part. Where
the other cores are at work, a product that takes 6 ms on one core then takes 80 ms on two.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
"""As wheels of numpy, old and new, and systems call them."""


@contextmanager
def one_core() -> Iterator[None]:
    """As long as it is open. With another library than OpenBLAS nothing changes."""
    found = _found()
    if found is None:
        yield
        return
    get, set_ = found
    before = get()
    set_(1)
    try:
        yield
    finally:
        set_(before)


@cache
def _found() -> tuple[Any, Any] | None:
    """What gets and what sets the number of threads."""
    try:
        from numpy.linalg import _umath_linalg  # is linked with the library
    except ImportError:
        return None
    library = ctypes.CDLL(_umath_linalg.__file__)
    for name in _NAMES:
        if hasattr(library, name.format("set")):
            return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
