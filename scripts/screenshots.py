"""Makes the pictures of the README, docs/pictures/*: `.venv/bin/python -m scripts.screenshots`.

The game in them is always the same one. Look at the pictures before you commit them.
"""

import io
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from forsale import arena, bots, editions, record, shuffle
from forsale.game import BUYING, new_game
from forsale.record import Record
from tests.server.system.server_process import ServerProcess
from tests.web import chromium, scenes
from tests.web.person import DESKTOP, PHONE, Person
from tests.web.story import NAMES, Story

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SEATS = 4
SMALL = (800, 450)
"""Of the moving picture."""
MOST_BYTES = 1_500_000


@cache
def game() -> Record:
    """Four bots that know what they do, and a deal of the cards that is fixed."""
    edition = editions.load(editions.DEFAULT)
    deal = shuffle.fair_deal(edition, SEATS, b"a picture of a game".ljust(32), (), None)
    state = new_game(edition, SEATS, deal.decks, deal.first)
    players = [bots.make("broker") for _ in range(SEATS)]
    end = arena.play_out(state, players, [Random(f"picture {seat}") for seat in range(SEATS)])
    return record.from_position(end, NAMES[:SEATS])


def story(seat: int | None = 0) -> Story:
    return Story(game(), seat, bots=(3,))


class Studio:
    """Where the pictures are taken."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address

    def person(self, viewport: ViewportSize = DESKTOP, calm: bool = True, **settings: object) -> Person:
        motion = "reduce" if calm else "no-preference"
        how = {"device_scale_factor": 2} if viewport is PHONE else {}
        return Person(self._browser, self._address, "Ana", viewport, settings, reduced_motion=motion, **how)

    def take(self, name: str, person: Person) -> None:
        page = person.page
        page.evaluate("() => document.fonts.ready.then(() => {})")
        path = FOLDER / f"{name}.png"
        page.screenshot(path=path, animations="disabled", caret="hide")
        with Image.open(path) as picture:
            # Few colours make a small file, and nobody sees the difference in drawings like ours.
            few = picture.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            few.save(path, optimize=True)
        troubles = person.close()
        assert not troubles, troubles
        print(f"{path.name}: {path.stat().st_size // 1000} kB")


def pictures(studio: Studio) -> None:
    person = studio.person()
    person.visit("/")
    person.page.wait_for_load_state("networkidle")
    studio.take("home", person)

    person = studio.person()
    told = story()
    scenes.tell(person, told.welcome(scenes.my_turn(told)))
    studio.take("table", person)

    person = studio.person(calm=False)
    number = scenes.revealed(told)
    teller = scenes.tell(person, told.welcome(number - 1), ticking=True)
    scenes.stop_time(person)
    teller.tell(told.update(number))
    scenes.wait_for_reveal(person, 2)
    studio.take("sale", person)

    person = studio.person(PHONE, theme="dark")
    scenes.tell(person, told.welcome(scenes.my_turn(told)))
    studio.take("phone", person)

    person = studio.person()
    scenes.show_replay(person, told, 24)
    studio.take("replay", person)


def moving(studio: Studio) -> None:
    """An auction and a sale, as somebody sees them who plays."""
    person = studio.person(calm=False, pace=1)
    frames: list[tuple[Image.Image, int]] = []
    told = story()
    first = told.when(lambda state: state.phase is BUYING and state.number == 2)
    after = told.when(lambda state: state.phase is BUYING and state.number == 3)
    teller = scenes.tell(person, told.welcome(first))
    frames += _frames(person.page, 1)
    for number in range(first + 1, after + 1):
        teller.tell(told.update(number))
        frames += _frames(person.page, 12 if number == after else 4)
    person.close()

    person = studio.person(calm=False, pace=1)
    first = scenes.choosing(told, 3)
    after = scenes.revealed(told, 3)
    teller = scenes.tell(person, told.welcome(first))
    frames += _frames(person.page, 1)
    for number in range(first + 1, after + 1):
        teller.tell(told.update(number))
        frames += _frames(person.page, 24 if number == after else 3)
    person.close()
    _save(frames)


def _frames(page: Page, count: int) -> Iterator[tuple[Image.Image, int]]:
    """So many, one after the other, and how many milliseconds each is shown."""
    for number in range(count):
        shot = Image.open(io.BytesIO(page.screenshot(type="png", caret="hide")))
        yield shot.convert("RGB").resize(SMALL, Image.Resampling.LANCZOS), 900 if number == count - 1 else 150


def _save(frames: list[tuple[Image.Image, int]]) -> None:
    path = FOLDER / "game.webp"
    pictures = [picture for picture, _ in frames]
    times = [time for _, time in frames]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=times, loop=0, quality=70, method=6)
    size = path.stat().st_size
    assert size <= MOST_BYTES, f"{path.name} has {size} bytes"
    print(f"{path.name}: {size // 1000} kB, {len(frames)} pictures")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        chromium.launched() as browser,
    ):
        studio = Studio(browser, server.address)
        pictures(studio)
        moving(studio)


if __name__ == "__main__":
    main()
