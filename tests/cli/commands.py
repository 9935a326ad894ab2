"""Run the command line as a person does, and see what came."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from forsale.cli import main


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    def assert_refused(self, *words: str) -> None:
        """One clear line on stderr, nothing on stdout, status 2."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.startswith("forsale: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        for word in words:
            assert word in self.err


Run = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Ran:
        status = main([str(argument) for argument in arguments])
        return Ran(status, *capsys.readouterr())

    return run
