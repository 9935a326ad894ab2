import pytest

from tests.cli.commands import Run, runner


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `forsale` with these arguments, on a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    return runner(capsys)
