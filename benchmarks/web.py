"""How quick the pages are, in a real browser on this machine: `make bench-web`.

1. Lighthouse's scores of the home page and of a table, the median of some runs each.
2. From the click on a bid until the screen shows that the server has stored it. The table is not made quicker for it.
3. The JavaScript of a first visit, packed.

The first two depend on the machine and on what else it does; only 127.0.0.1 is used.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from playwright.sync_api import Browser

from tests.server.system.server_process import ServerProcess
from tests.web import chromium
from tests.web.lighthouse import Device, visitor
from tests.web.loading import loading
from tests.web.person import Person

CATEGORIES = ("performance", "accessibility", "best-practices")

# The click's own time is taken before the page hears of it, the end when the screen has been drawn.
_MEASURE = """() => {
  const main = document.getElementById("main");
  globalThis.measured = new Promise((done) => {
    let clicked = 0;
    addEventListener("click", (event) => { clicked = event.timeStamp; }, { capture: true, once: true });
    const seen = new MutationObserver(() => {
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - clicked)));
    });
    seen.observe(main, { attributeFilter: ["data-seq"] });
  });
}"""


def play_now(person: Person) -> str:
    table: str = person.api("POST", "/api/play-now", {"seats": 4})["id"]
    return table


def scores(browser: Browser, server: ServerProcess, runs: int) -> Iterator[tuple[str, Device, dict[str, float]]]:
    """The median of each category, by page and device."""
    devices: tuple[Device, ...] = ("desktop", "mobile")
    pages = [(page, device) for page in ("home", "table") for device in devices]
    with (
        tempfile.TemporaryDirectory() as folder,
        visitor(browser.browser_type, server.address, Path(folder)) as guest,
    ):
        guest.context.request.get("/api/me")
        table = guest.context.request.post("/api/play-now", data={"seats": 4}).json()["id"]
        for page, device in pages:
            path = "/" if page == "home" else f"/t/{table}"
            reports = [guest.report(server.address + path, device, CATEGORIES).scores for _ in range(runs)]
            yield page, device, {name: statistics.median(report[name] for report in reports) for name in CATEGORIES}


def bid_times(browser: Browser, server: ServerProcess, bids: int) -> list[float]:
    """Milliseconds, of so many bids."""
    person = Person(browser, server.address, "Ana")
    rng = Random(1)
    times: list[float] = []
    while len(times) < bids:
        person.sits_at(play_now(person))
        while len(times) < bids:
            person.wait("main => main.dataset.turn === 'mine' || main.dataset.phase !== 'buying'")
            if person.shown().phase != "buying":
                break
            if rng.random() < 0.3 or not person.bid_button.first.is_visible():
                person.passes()
                continue
            person.page.evaluate(_MEASURE)
            person.bids()
            times.append(person.page.evaluate("() => globalThis.measured"))
    person.close()
    return times


def script_sizes(browser: Browser, server: ServerProcess) -> dict[str, int]:
    """Bytes of a first visit, by page."""
    sizes = {}
    for page in ("home", "table"):
        person = Person(browser, server.address, "Ana")
        with loading(person.page) as loaded:
            person.visit("/" if page == "home" else f"/t/{play_now(person)}")
            person.page.wait_for_load_state("networkidle")
            sizes[page] = sum(loaded.scripts().values())
        person.close()
    return sizes


def percentile(values: Sequence[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="how often Lighthouse looks at each page")
    parser.add_argument("--bids", type=int, default=100, help="how many bids are timed")
    plan = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        chromium.launched() as browser,
    ):
        print(f"Chromium {browser.version}")
        for page, size in script_sizes(browser, server).items():
            print(f"{page}: {size / 1000:.1f} kB of JavaScript on a first visit, gzip")
        times = bid_times(browser, server, plan.bids)
        half, most = percentile(times, 0.5), percentile(times, 0.95)
        print(f"click to acknowledged bid on screen: p50 {half:.0f} ms, p95 {most:.0f} ms, of {len(times)}")
        for page, device, found in scores(browser, server, plan.runs):
            told = ", ".join(f"{name} {score:.0f}" for name, score in found.items())
            print(f"Lighthouse, {page}, {device}: {told} (median of {plan.runs})")


if __name__ == "__main__":
    main()
