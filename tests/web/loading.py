"""How much a page loads."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Response


class Loaded:
    """The scripts that a page has fetched, by address, as long as they are when they are packed."""

    def __init__(self) -> None:
        self._answers: list[Response] = []

    def note(self, answer: Response) -> None:
        if "javascript" in answer.headers.get("content-type", ""):
            self._answers.append(answer)

    def scripts(self) -> dict[str, int]:
        return {answer.url: len(gzip.compress(answer.body(), 9, mtime=0)) for answer in self._answers}


@contextmanager
def loading(page: Page) -> Iterator[Loaded]:
    loaded = Loaded()
    page.on("response", loaded.note)
    yield loaded
    page.remove_listener("response", loaded.note)
