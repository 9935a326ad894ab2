"""Plain functions become compiled ones; where these are kept, and a word to the user while they are made.

numba keeps compiled functions, and looks only at a function's own file to see whether they are stale; ours call each
other across files. So they are kept in a folder named after the contents of the whole package: another source,
another folder.
"""

import atexit
import builtins
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core import event
from numba.core.caching import NullCache

from forsale.kernel.intrinsics import INSTEAD

_PACKAGE = Path(str(resources.files("forsale")))


@cache
def _sources() -> Sequence[Path]:
    """All of the package: who could say which of it a compiled function will come from?"""
    return sorted(_PACKAGE.rglob("*.py"))


@cache
def source_hash() -> str:
    """A name for the code as it stands, and for the numba that compiles it."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in _sources():
        digest.update(str(path.relative_to(_PACKAGE)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Of this source: in the user's cache, or where that cannot be written to, one that ends with the process."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base) / "forsale" / f"kernel-{source_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return Path(_passing_folder())
    return folder if os.access(folder, os.W_OK) else Path(_passing_folder())


@cache
def _passing_folder() -> str:
    folder = tempfile.mkdtemp(prefix="forsale-kernel-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def compiled(function: Any) -> Any:
    """A plain function as a compiled one, with all that it calls. One that is compiled already stays as it is."""
    instead = INSTEAD.get(function, function)
    if not isinstance(instead, FunctionType):
        return instead
    names = instead.__code__.co_names
    known = {name: _compiled_name(value) for name, value in instead.__globals__.items() if name in names}
    twin = FunctionType(instead.__code__, {**known, "__builtins__": builtins}, instead.__name__, instead.__defaults__)
    twin.__module__, twin.__qualname__ = instead.__module__, instead.__qualname__
    with _kept():
        return numba.njit(cache=_can_be_kept(instead), forceinline=True, **FLAGS)(twin)


def _compiled_name(value: Any) -> Any:
    """What a name in a function stands for: numbers and modules stay as they are."""
    return compiled(value) if isinstance(value, FunctionType) else value


FLAGS: dict[str, Any] = {"nogil": True, "boundscheck": False, "_nrt": False}


def _can_be_kept(function: FunctionType) -> bool:
    """Whether the folder's name tells of a change. What is given a policy is not kept: numba would keep the policy."""
    takes_policy = "policy" in function.__code__.co_varnames[: function.__code__.co_argcount]
    return not takes_policy and Path(function.__code__.co_filename) in _sources()


def loop(function: Any) -> Any:
    """A loop over many games, compiled and kept. It must be in one of the files of which the folder's name tells."""
    with _kept():
        return numba.njit(cache=True, **FLAGS)(function)


@contextmanager
def _kept() -> Iterator[None]:
    """Functions that are decorated within keep their compiled code in our folder; others keep it where they did.

    Who has set NUMBA_CACHE_DIR gets a folder of ours within that one.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(Path(before) / f"forsale-{source_hash()}") if before else str(cache_folder())
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Announcer(event.Listener):
    """Says that something of ours is being compiled: it takes seconds."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def on_start(self, started: Any) -> None:
        dispatcher = started.data["dispatcher"]
        if getattr(dispatcher.py_func, "__module__", "").startswith("forsale."):
            self._say(_POLICY if isinstance(dispatcher._cache, NullCache) else _KERNEL)

    def _say(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            print(sentence, file=sys.stderr)

    def on_end(self, ended: Any) -> None:
        pass


_KERNEL = "forsale: compiling the kernel; it is kept, so that the next use begins at once"
_POLICY = "forsale: compiling games with this policy; that is done once in each process"

event.register("numba:compile", _Announcer())
