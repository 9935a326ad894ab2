"""`make dev`: Vite with hot reload, and behind it `forsale serve`, started again whenever a file under src changes.

Both end together. Arguments go to `forsale serve`; Vite passes on to it whatever is asked for under /api. It does so in
the name that the browser uses, so the server takes Vite's pages for its own and nothing is opened to other sites.
"""

import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"
POLL = 0.5
"""Seconds between looks at the files."""
PATIENCE = 10.0
"""Seconds that something has to end before it is killed."""


def main() -> None:
    parser = ArgumentParser(prog="make dev", add_help=False)
    parser.add_argument("--port", type=int, default=8000)
    options, others = parser.parse_known_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    vite = _start(
        ["sh", "scripts/setup.sh", "npm", "run", "dev"],
        FORSALE_SERVER=f"http://127.0.0.1:{options.port}",
    )
    serve = [sys.executable, "-m", "forsale", "serve", "--port", str(options.port), *others]
    server = _start(serve, quiet=True)
    try:
        seen = _snapshot()
        while vite.poll() is None:
            time.sleep(POLL)
            now = _snapshot()
            if now != seen:
                seen = now
                print("Something under src has changed: the server starts again.", flush=True)
                _end(server)
                server = _start(serve, quiet=True)
    except KeyboardInterrupt:
        pass
    finally:
        _end(server)
        _end(vite)


def _stop(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _snapshot() -> dict[Path, int]:
    """When each file of the package was changed last. One that vanishes meanwhile is seen the next time."""
    found = {}
    for path in SOURCES.rglob("*"):
        if path.suffix in (".py", ".toml", ".sql") and path.exists():
            found[path] = path.stat().st_mtime_ns
    return found


def _start(command: Sequence[str], quiet: bool = False, **variables: str) -> subprocess.Popen[bytes]:
    """In a group of its own, so that all of it can be ended; `quiet`: only what it says on stderr is shown."""
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else None,
        process_group=0,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


if __name__ == "__main__":
    main()
