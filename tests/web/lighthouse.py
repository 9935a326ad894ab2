"""Lighthouse, run by Node with the browser of the tests."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, BrowserType

from tests.server.system.server_process import free_port
from tests.web import chromium

_CLI = chromium.ROOT / "web" / "node_modules" / "lighthouse" / "cli" / "index.js"
_PATIENCE = 120.0
_TRIES = 3
"""A busy machine can keep it from finishing an audit; that says nothing of the page."""

Device = Literal["desktop", "mobile"]


@dataclass(frozen=True, slots=True)
class Report:
    """What Lighthouse said about a page."""

    scores: dict[str, float]
    """By category, from 0 to 100."""
    audits: dict[str, Any]

    def number(self, audit: str) -> float:
        return float(self.audits[audit]["numericValue"])

    @property
    def complaints(self) -> list[str]:
        """What cost points, in words."""
        return [
            f"{audit['title']}: {audit.get('displayValue', '')} {_items(audit)}"
            for audit in self.audits.values()
            if audit["score"] is not None and audit["score"] < 0.9
        ]


def _items(audit: Any) -> str:
    return json.dumps(audit.get("details", {}).get("items", [])[:3])[:400]


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that Lighthouse can use: whoever is known in its context is known to the pages that are measured."""

    context: BrowserContext
    port: int
    folder: Path

    def report(
        self, url: str, device: Device = "desktop", categories: Sequence[str] = (), audits: Sequence[str] = ()
    ) -> Report:
        path = self.folder / "report.json"
        command = [_node(), str(_CLI), url, "--port", str(self.port), "--quiet", "--disable-storage-reset"]
        command += ["--no-enable-error-reporting", "--output=json", f"--output-path={path}"]
        command += ["--preset=desktop"] if device == "desktop" else []
        command += [f"--only-categories={','.join(categories)}"] if categories else []
        command += [f"--only-audits={','.join(audits)}"] if audits else []
        for _ in range(_TRIES):
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
            assert done.returncode == 0, f"Lighthouse says: {done.stdout}{done.stderr}"
            told = json.loads(path.read_text(encoding="utf-8"))
            scores = {name: category["score"] for name, category in told["categories"].items()}
            if None not in scores.values():
                return Report({name: 100 * score for name, score in scores.items()}, told["audits"])
        raise AssertionError(f"Lighthouse could not judge the page: {scores}, {told.get('runWarnings')}")


def _node() -> str:
    """The Node that scripts/setup.sh took: its own, where it had to bring one."""
    own = Path(sys.executable).parent / "node"
    return str(own) if own.exists() else "node"


@contextmanager
def visitor(kind: BrowserType, address: str, folder: Path) -> Iterator[Visitor]:
    """A browser of its own, with a door for Lighthouse."""
    port = free_port()
    context = kind.launch_persistent_context(
        folder / "profile",
        executable_path=chromium.find(),
        args=[*chromium.FLAGS, f"--remote-debugging-port={port}"],
        base_url=address,
    )
    try:
        yield Visitor(context, port, folder)
    finally:
        context.close()
