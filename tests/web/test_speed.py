"""What makes pages quick, as far as it is the same on every machine. `make bench-web` measures the rest."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.server.system.server_process import ServerProcess
from tests.web.conftest import Meet
from tests.web.lighthouse import Device, Report, Visitor, visitor
from tests.web.loading import loading

SCRIPTS = 90 * 1000
"""Bytes of JavaScript, packed, when a page is opened for the first time."""

CATEGORIES = ("accessibility", "best-practices")
STEADY = ("cumulative-layout-shift", "total-byte-weight", "unused-javascript", "unminified-javascript", "dom-size")
LEAST = 95


@pytest.fixture(scope="module")
def guest(browser: Browser, server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with visitor(browser.browser_type, server.address, tmp_path_factory.mktemp("lighthouse")) as found:
        yield found


def open_game(guest: Visitor) -> str:
    table: str = guest.context.request.post("/api/play-now", data={"seats": 4}).json()["id"]
    return f"/t/{table}"


@pytest.mark.parametrize("page", ["home", "table"])
def test_a_first_visit_loads_little_script(meet: Meet, page: str) -> None:
    person = meet("Ana")
    path = "/"
    if page == "table":
        table = person.api("POST", "/api/play-now", {"seats": 4})["id"]
        path = f"/t/{table}"
    with loading(person.page) as loaded:
        person.visit(path)
        person.page.wait_for_load_state("networkidle")
        scripts = loaded.scripts()
    assert scripts
    assert sum(scripts.values()) <= SCRIPTS, scripts


@pytest.mark.parametrize(("page", "device"), [("home", "mobile"), ("table", "desktop")])
def test_lighthouse_finds_nothing_wrong(guest: Visitor, server: ServerProcess, page: str, device: Device) -> None:
    guest.context.request.get("/api/me")
    path = "/" if page == "home" else open_game(guest)
    report = guest.report(server.address + path, device, CATEGORIES, STEADY)
    assert all(report.scores[name] >= LEAST for name in CATEGORIES), (report.scores, report.complaints)
    check_steady(report)


def check_steady(report: Report) -> None:
    assert report.number("cumulative-layout-shift") < 0.02, report.audits["cumulative-layout-shift"]
    assert report.number("total-byte-weight") < 500_000, report.audits["total-byte-weight"]
