"""The browser of the tests: which it is, and how it is started."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from forsale.server import web_client

ROOT = Path(__file__).parents[2]

_WITHOUT = (
    # Each window would have a process more, for an address bar that nobody sees.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # What Playwright does without: of two such lists Chromium reads the last.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
)
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",  # so that letters look the same on every machine
    "--disable-lcd-text",
    "--disable-gpu",
    "--force-color-profile=srgb",
    f"--disable-features={','.join(_WITHOUT)}",
)
"""Nothing that the browser would do of its own: a request to another host is then a fault of ours."""

NO_BROWSER = "No Chromium was found for these tests: `make test` finds or installs one, FORSALE_BROWSER names yours."
NO_CLIENT = "The browser client has not been built: `make test` builds it."


class Missing(Exception):
    """Something without which no test here can say anything."""


def find() -> Path:
    """The one that the user names, or the one that scripts/setup.sh has found and noted."""
    noted = ROOT / ".venv" / ".browser"
    named = os.environ.get("FORSALE_BROWSER") or (noted.read_text(encoding="utf-8").strip() if noted.exists() else "")
    found = shutil.which(named)
    if found is None:
        raise Missing(NO_BROWSER)
    return Path(found)


def check_client() -> None:
    if not web_client.built():
        raise Missing(NO_CLIENT)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser, for as long as it is needed. Meanwhile this thread cannot run an event loop of its own."""
    path = find()
    check_client()
    with sync_playwright() as playwright:
        letters = {"FONTCONFIG_FILE": str(Path(__file__).with_name("fonts.conf"))}
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS), env={**os.environ, **letters})
        try:
            yield browser
        finally:
            browser.close()
