from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.installing import Install, installing
from tests.cli.commands import Run, runner


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `forsale` with these arguments, on a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    return runner(capsys)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package, as pip would leave it on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    with installing(tmp_path) as install:
        yield install
