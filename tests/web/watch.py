"""What must not happen in any page, whatever it is that a test looks at."""

from pathlib import Path
from typing import NotRequired, TypedDict
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

SCRIPT = (Path(__file__).parent / "watch.js").read_text(encoding="utf-8")
SHIFTS = {"shift": 0.01, "new phase": 0.05}
"""The sum of layout shifts in a whole game that is still nothing that anyone sees."""


class Told(TypedDict):
    kind: str
    text: str
    value: NotRequired[float]


class Watch:
    """Notes all that goes wrong in the pages of a context. A test names what it brings about itself."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self._host = urlsplit(address).netloc
        self._troubles: list[str] = []
        self._expected: list[str] = []
        self.shifts: list[tuple[str, str, float]] = []
        """Where layout moved during play: kind, place, value."""
        context.expose_binding("tellTests", lambda _, told: self._told(told))
        context.add_init_script(SCRIPT)
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note("page error", error.error.stack or error.error.message))

    def expect(self, *texts: str) -> None:
        """Troubles with one of these texts in them are part of the test."""
        self._expected.extend(texts)

    @property
    def troubles(self) -> list[str]:
        troubles = [trouble for trouble in self._troubles if not any(text in trouble for text in self._expected)]
        for kind, most in SHIFTS.items():
            moved = [(value, where) for told, where, value in self.shifts if told == kind and is_play(where)]
            total = sum(value for value, _ in moved)
            if total >= most:
                troubles.append(f"layout {kind} during play, {total:.4f} in all:")
                troubles += [f"  {value:.4f} {where}" for value, where in moved]
        return troubles

    def _note(self, kind: str, text: str) -> None:
        self._troubles.append(f"{kind}: {text}")

    def _told(self, told: Told) -> None:
        if told["kind"] in (*SHIFTS, "shift after input"):
            self.shifts.append((told["kind"], told["text"], told.get("value", 0)))
        else:
            self._note(told["kind"], told["text"])

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location
            self._note(f"console {message.type}", f"{message.text} ({where['url']}:{where['lineNumber']})")

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and url.netloc != self._host:
            self._note("request to another host", request.url)


def is_play(where: str) -> bool:
    return where.startswith(("buying:", "selling:"))


def settle(page: Page) -> None:
    """Let the page say all that it has to say. By a message: time may stand still there."""
    if not page.is_closed():
        page.evaluate(
            """() => new Promise(done => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = done;
              port2.postMessage(null);
            })"""
        )
