"""Prints the path of a Chromium for the tests, and says on stderr which was taken. Run by `scripts/setup.sh test`.

In this order: the one that FORSALE_BROWSER names, one on PATH, Playwright's own, Debian's package, npm's.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 300.0
"""Seconds for a download."""
FROM_NPM = "@sparticuz/chromium@143.0.4"
"""The last that runs with every Node that we build with."""


def main() -> None:
    named = os.environ.get("FORSALE_BROWSER")
    if named:
        found = shutil.which(named)
        if found is None or not _runs(found):
            sys.exit(f"FORSALE_BROWSER={named} does not run.")
        _take(found, "named by FORSALE_BROWSER")
        return
    for find, whence in WAYS:
        found = find()
        if found is not None and _runs(found):
            _take(found, whence)
            return
    sys.exit("No Chromium was found for tests/web, and none could be installed; FORSALE_BROWSER names one.")


def _take(path: str, whence: str) -> None:
    print(f"The browser of the tests is {path}, {whence}.", file=sys.stderr)
    print(path)


def _runs(path: str) -> bool:
    """Only running it tells: on some systems it is a script that asks for a package to be installed."""
    return _quietly([path, "--version"])


def _quietly(command: Sequence[str], folder: Path = ROOT, variables: Mapping[str, str] | None = None) -> bool:
    """Whether a command succeeds, in time, and is there at all."""
    environment = os.environ | (variables or {})
    try:
        subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True, cwd=folder, env=environment)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    _quietly([sys.executable, "-m", "playwright", "install", "chromium"])
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _debians() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    unasked = {"DEBIAN_FRONTEND": "noninteractive"}
    _quietly(["apt-get", "update"], variables=unasked)
    _quietly(["apt-get", "install", "--yes", "--no-install-recommends", "chromium"], variables=unasked)
    return _on_path()


def _npms() -> str | None:
    """A Chromium that brings its libraries along, for machines where nothing can be installed."""
    folder = ROOT / ".venv" / "chromium"
    folder.mkdir(exist_ok=True)
    if not _quietly(["npm", "install", "--prefix", str(folder), "--no-save", FROM_NPM]):
        return None
    # It unpacks itself where temporary files go, and its libraries only if it thinks that it is at Amazon's.
    variables = {"TMPDIR": str(folder), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs20.x"}
    unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
    if not _quietly(["node", "--input-type=module", "--eval", unpack], folder, variables):
        return None
    start = folder / "start"
    start.write_text(
        f'#!/bin/sh\nLD_LIBRARY_PATH="{folder}/al2023/lib" exec "{folder}/chromium" "$@"\n', encoding="utf-8"
    )
    start.chmod(0o755)
    return str(start)


WAYS: Sequence[tuple[Callable[[], str | None], str]] = (
    (_on_path, "found on PATH"),
    (_playwrights, "downloaded by Playwright"),
    (_debians, "installed as a package"),
    (_npms, f"from npm, {FROM_NPM}"),
)

if __name__ == "__main__":
    main()
