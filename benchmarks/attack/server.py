"""The server under attack: a process of its own, and what can be seen of it from outside."""

import asyncio
import contextlib
import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attack.wire import fetch

READY_WITHIN = 60.0
_ESTABLISHED = "01"
ROOT = Path(__file__).parents[2]


class Server:
    """`python -m forsale serve` on 127.0.0.1, on any port that is free, with a database of its own."""

    def __init__(self, folder: Path, *arguments: str, descriptors: int | None = None) -> None:
        self.database = folder / "attack.sqlite3"
        self.port = 0
        self._log = folder / "server.log"
        self._log.touch()
        self._printed = folder / "server.txt"
        self._arguments = arguments
        self._descriptors = descriptors
        self._token = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when the server answers."""
        where = ["--host", "127.0.0.1", "--port", "0", "--db", str(self.database)]
        command = [sys.executable, "-m", "forsale", "serve", *where, *self._arguments]
        if self._descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {self._descriptors} && exec "$@"', "sh", *command]
        with self._log.open("ab") as log, self._printed.open("wb") as printed:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=log,
                env=os.environ | {"PYTHONUTF8": "1", "FORSALE_METRICS_TOKEN": self._token},
            )
        until = time.monotonic() + READY_WITHIN
        while not self._is_up():
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"the server did not come up:\n{self.log}")
            time.sleep(0.02)

    def _is_up(self) -> bool:
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self._printed.read_text(encoding="utf-8"))
        if found is None:
            return False
        self.port = int(found[1])
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as probe:
            probe.settimeout(5)
            probe.sendall(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return b" 200 " in probe.recv(100)
        return False

    def stop(self) -> None:
        """SIGTERM; SIGKILL if that does not help."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    # --- What the system says of it

    def reset_peak(self) -> None:
        with contextlib.suppress(OSError):
            Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def memory(self, field: str) -> float:
        """MB: VmHWM is the peak since it was reset, VmRSS what is used now."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))

    def open_descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def connected_ports(self) -> set[int]:
        """The ports of those whose connections the server has not closed. Where a client does not read, only the system
        knows: the server's goodbye waits behind all that is unread."""
        found = set()
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, state, *_ = line.split()
            if state == _ESTABLISHED and int(local[-4:], 16) == self.port:
                found.add(int(remote[-4:], 16))
        return found

    # --- What it says itself

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def log_size(self) -> int:
        return self._log.stat().st_size

    def log_entries(self) -> Iterator[dict[str, Any]]:
        for line in self.log.splitlines():
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                if isinstance(entry, dict):
                    yield entry

    def default_moves(self) -> Counter[str]:
        """How often the server played a default move in place of a bot, by bot."""
        return Counter(str(entry.get("bot")) for entry in self.log_entries() if entry.get("message") == "bot fault")

    async def metric(self, name: str) -> float | None:
        """A value of /metrics without labels; None if there is none of that name."""
        text = await self.metrics()
        values = (line.split()[1] for line in text.splitlines() if line.startswith(f"{name} "))
        return next(map(float, values), None)

    async def metrics(self) -> str:
        for _ in range(20):
            answer = await fetch(self.port, "GET", "/metrics", f"Authorization: Bearer {self._token}")
            if answer is not None and answer.status == 200:
                return answer.body.decode()
            await asyncio.sleep(0.5)  # the attacker has used up the requests of its address
        raise RuntimeError(f"/metrics: {answer}")

    @property
    def token(self) -> str:
        return self._token

    # --- What it has stored

    def entries(self) -> dict[str, int]:
        """How many entries the log of each table has."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            return dict(database.execute("SELECT table_id, COUNT(*) FROM log GROUP BY table_id"))

    @contextlib.contextmanager
    def opened_database(self) -> Iterator[sqlite3.Connection]:
        """The file itself, for writing; only while the server is stopped."""
        assert self._process is None
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            yield database
