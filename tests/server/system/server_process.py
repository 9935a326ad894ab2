"""A real server for a test: `python -m forsale serve` on a free port of this machine, with a database of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

READY_WITHIN = 30.0
"""Seconds; far more than it takes, for machines that are busy with other things."""

# All clients of a test come from one address.
MANY = ("--max-sockets", "1000", "--max-requests", "1000")

# Never in the log of a server that is well. A test that expects one of them says so.
TROUBLE = ("Traceback", "ERROR", "CRITICAL", '"error"', '"critical"', "never awaited")

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """Started, killed and started again on the same port and database. Its log is kept over all its lives."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.database = folder / "forsale.db"
        self.log_file = folder / "server.log"
        self.starts = 0
        self._port = free_port()
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8") if self.log_file.exists() else ""

    def trouble(self) -> list[str]:
        """Lines of the log that tell of something that should not have happened."""
        return [line for line in self.log.splitlines() if any(mark in line for mark in TROUBLE)]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()

    def start(self) -> None:
        """Returns when the server says that it is ready."""
        self.starts += 1
        where = ["--host", "127.0.0.1", "--port", str(self._port), "--db", str(self.database)]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "forsale", "serve", *where, *MANY, *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"},
            )
        self._wait_until_ready(time.monotonic() + READY_WITHIN)

    def _wait_until_ready(self, until: float) -> None:
        assert self._process is not None
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise AssertionError(f"the server did not come up:\n{self.log}")
            time.sleep(0.01)

    def _is_ready(self) -> bool:
        try:
            with _OPENER.open(f"{self.address}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """SIGKILL: it cannot finish anything."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> int:
        """SIGTERM: it finishes what it began. Returns its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise AssertionError(f"the server did not stop:\n{self.log}") from None
        finally:
            self._process.wait()
            self._process = None
