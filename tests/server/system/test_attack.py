"""The attacks of `make attack`, each with a small volume.

What is measured in milliseconds is left to `make attack`: here only what can be counted must hold.
"""

import sys
from pathlib import Path

import pytest

from benchmarks.attack.scenario import execute
from benchmarks.attack.scenarios import SCENARIOS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory and descriptors are read from /proc")


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "calm"])
def test_the_server_withstands(name: str, tmp_path: Path) -> None:
    report = execute(SCENARIOS[name], tmp_path, full=False)
    assert not report.broken, "\n".join(report.broken)
