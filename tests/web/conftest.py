"""One browser and one server for each worker; people, whose pages are watched, for each test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.server.system.server_process import ServerProcess
from tests.web import chromium
from tests.web.person import Person

Meet = Callable[..., Person]


# Not for the session: while Playwright runs, no other test of this worker could run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    try:
        with chromium.launched() as browser:
            yield browser
    except chromium.Missing as missing:
        # Not skipped: a check that is skipped cannot fail.
        pytest.fail(str(missing), pytrace=False)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def meet(browser: Browser, server: ServerProcess) -> Iterator[Meet]:
    """Makes people: `meet("Ana")`. At the end nothing may have gone wrong in any of their pages."""
    people: list[Person] = []

    def one(name: str = "", address: str = server.address, **how: Any) -> Person:
        people.append(Person(browser, address, name, **how))
        return people[-1]

    yield one
    troubles = [trouble for person in people for trouble in person.close()]
    assert not troubles, "\n".join(troubles)
    assert server.trouble() == []
