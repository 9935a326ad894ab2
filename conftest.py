"""What pytest leaves out where something is missing, and where it looks at coverage."""

from importlib.util import find_spec
from pathlib import Path

import pytest

# PyTorch is no part of the tests' set, as it has gigabytes; where it is, all is looked at.
collect_ignore_glob = [] if find_spec("torch") else ["src/forsale/train/*"]

_COVERING = [
    Path(__file__).parent / "tests" / name
    for name in ("editions", "record", "test_encoding.py", "test_game.py", "test_shuffle.py", "test_view.py")
]
"""The tests of what must be covered in full (see pyproject.toml): their own must reach every line. To trace the others
as well, which play far more, would take half as long again."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not any(item.path.is_relative_to(covering) for covering in _COVERING):
            item.add_marker(pytest.mark.no_cover)
