"""People in front of browsers: what they see of a table, and what they press. Each is a guest of their own."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.web.watch import Watch, settle
from tests.web.words import say

DESKTOP = ViewportSize(width=1280, height=720)
PHONE = ViewportSize(width=360, height=740)

PATIENCE = 20_000
"""Milliseconds; far more than anything takes, for machines that are busy with other things."""

BEAT = 5
"""Milliseconds between two looks at who is to play."""

_QUICK = {"language": "en", "theme": "light", "muted": True, "pace": 0.25}


@dataclass(frozen=True, slots=True)
class Shown:
    """What the table says of itself."""

    phase: str
    turn: str
    seq: int
    link: str

    @property
    def is_mine(self) -> bool:
        return self.turn == "mine" and self.link == "open"


class Person:
    """A guest with a browser. Whatever goes wrong in it is noted, and fails the test."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        name: str = "",
        viewport: ViewportSize = DESKTOP,
        settings: Mapping[str, object] | None = None,
        **how: Any,
    ) -> None:
        self.name = name
        self.address = address
        how.setdefault("reduced_motion", "no-preference")
        touch = viewport["width"] < 600
        self.context: BrowserContext = browser.new_context(base_url=address, viewport=viewport, has_touch=touch, **how)
        self.context.set_default_timeout(PATIENCE)
        self.watch = Watch(self.context, address)
        wishes = json.dumps(json.dumps(_QUICK | dict(settings or {})))
        self.context.add_init_script(f"if (location.origin !== 'null') localStorage['forsale.settings'] ??= {wishes};")
        self._page: Page | None = None
        self.api("GET", "/api/me")
        if name:
            self.api("PUT", "/api/me", {"name": name})

    @property
    def page(self) -> Page:
        if self._page is None:
            self._page = self.context.new_page()
        return self._page

    def close(self) -> list[str]:
        """Returns what went wrong in all that time."""
        for page in self.context.pages:
            settle(page)
        self.context.close()
        return [f"{self.name or 'a guest'}: {trouble}" for trouble in self.watch.troubles]

    # What happens outside the pages.

    def api(self, method: str, path: str, body: object = None) -> Any:
        answer = self.context.request.fetch(path, method=method, data=body)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if "json" in answer.headers["content-type"] else answer.text()

    def opens_table(self, **options: object) -> str:
        table: str = self.api("POST", "/api/tables", options)["id"]
        return table

    def joins(self, table: str) -> None:
        self.api("POST", f"/api/tables/{table}/join", {"seed": f"seed of {self.name}"})

    def starts(self, table: str) -> None:
        self.api("POST", f"/api/tables/{table}/start")

    # Pages.

    def visit(self, path: str = "/") -> Page:
        self.page.goto(path)
        self.page.locator("#main").wait_for()
        return self.page

    def sits_at(self, table: str) -> Page:
        self.visit(f"/t/{table}")
        self.wait("main => main.dataset.link === 'open'")
        return self.page

    # The table.

    @property
    def main(self) -> Locator:
        return self.page.locator("#main")

    def wait(self, condition: str, argument: object = None) -> None:
        """Until a condition on the table's element holds: JavaScript, `(main, argument) => …`."""
        main = "document.getElementById('main')"
        self.page.wait_for_function(f"argument => {main} && ({condition})({main}, argument)", arg=argument)

    def shown(self) -> Shown:
        data = self.page.evaluate("() => ({ ...document.getElementById('main')?.dataset })")
        return Shown(data["phase"], data["turn"], int(data["seq"]), data["link"])

    def wait_for_turn(self) -> None:
        self.wait("main => main.dataset.turn === 'mine'")

    def wait_for_phase(self, phase: str) -> None:
        self.wait("(main, phase) => main.dataset.phase === phase", phase)

    def wait_past(self, seq: int) -> None:
        self.wait("(main, seq) => Number(main.dataset.seq) > seq", seq)

    @property
    def pass_button(self) -> Locator:
        return self.page.locator('button[data-act="pass"]')

    @property
    def bid_button(self) -> Locator:
        return self.page.locator('button[data-act="bid"]')

    def house(self, number: int) -> Locator:
        return self.page.locator(f'button[data-house="{number}"]')

    @property
    def houses(self) -> list[int]:
        """Those in the hand that can be chosen now."""
        return [
            int(number)
            for number in self.page.evaluate(
                "() => [...document.querySelectorAll('button[data-house]:enabled')].map(b => b.dataset.house)"
            )
        ]

    def seat(self, seat: int) -> Locator:
        return self.page.locator(f'[data-seat="{seat}"]')

    def passes(self) -> None:
        self._acts(self.pass_button)

    def bids(self) -> None:
        """The least that is possible."""
        self._acts(self.bid_button.first)

    def sells(self, house: int) -> None:
        """Chooses it; returns when the server has heard of it, or when it is already sold."""
        self.wait("main => main.dataset.shows === 'now'")  # before that, a tap would only uncover the cheques
        before = self.shown().seq
        self.house(house).click()
        self.wait_for_choice(house, before)

    def wait_for_choice(self, house: int, before: int) -> None:
        self.wait(
            """(main, [house, seq]) => {
              const button = main.querySelector(`button[data-house="${house}"]`);
              if (button === null) return true;
              return button.ariaPressed === "true" && main.dataset.turn !== "mine" && Number(main.dataset.seq) > seq;
            }""",
            [house, before],
        )

    def _acts(self, button: Locator) -> None:
        before = self.shown().seq
        button.click()
        self.wait_past(before)

    def takes_turn(self, rng: Random) -> None:
        """Something that a person could do, by the mouse."""
        if self.shown().phase == "selling":
            self.sells(rng.choice(self.houses))
        elif rng.random() < 0.45 and self.bid_button.count():
            self.bids()
        else:
            self.passes()

    def hurries(self, always: bool = True) -> None:
        """From now on goes on at once from whatever is being shown, by the key for it; or no longer."""
        self.page.evaluate(
            """always => {
              clearInterval(globalThis.hurrying);
              const escape = () => dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
              if (always) globalThis.hurrying = setInterval(escape, 20);
            }""",
            always,
        )

    def hears(self, text: str) -> None:
        """A screen reader says it."""
        expect(self.page.locator('[aria-live="polite"].aloud')).to_contain_text(text)

    def button(self, key: str, language: str = "en", **values: object) -> Locator:
        """By the words that its name begins with."""
        return self.page.get_by_role("button", name=begins(say(key, language, **values)))

    def link(self, key: str, language: str = "en", **values: object) -> Locator:
        return self.page.get_by_role("link", name=begins(say(key, language, **values)))


def begins(words: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(words)}(?!\w)")


Turn = Callable[[Person, Random], None]


def play(
    people: Sequence[Person], rng: Random, until: str = "over", turn: Turn = Person.takes_turn, hurry: bool = True
) -> None:
    """All of them, whoever's turn it is, until the table of the first is in a phase. `hurry`: nobody looks on."""
    for person in people:
        person.hurries(hurry)
    while people[0].shown().phase != until:
        # One may see the phase begin before another; nobody plays in it.
        ready = [person for person in people if (seen := person.shown()).is_mine and seen.phase != until]
        for person in ready:
            turn(person, rng)
        if not ready:
            people[0].page.wait_for_timeout(BEAT)
    for person in people:
        person.hurries(False)


def everyone(people: Iterable[Person], table: str) -> None:
    for person in people:
        person.sits_at(table)


def wait_for_end(people: Iterable[Person]) -> None:
    for person in people:
        person.wait_for_phase("over")
