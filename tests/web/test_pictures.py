"""Screens of key states beside approved pictures, made from records at a fixed time. See `tests.web.approve`."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import ViewportSize

from tests.web import axe, pictures
from tests.web.conftest import Meet
from tests.web.person import DESKTOP, PHONE
from tests.web.scenes import PAGE_SCENES, TABLE_SCENES

SCENES = {scene.name: scene for scene in (*PAGE_SCENES, *TABLE_SCENES)}


class Picture(NamedTuple):
    """A scene, and how it is looked at."""

    scene: str
    viewport: ViewportSize = DESKTOP
    theme: str = "light"
    language: str = "en"

    @property
    def name(self) -> str:
        words = [self.scene, "phone" if self.viewport is PHONE else ""]
        words += [self.theme if self.theme == "dark" else "", self.language if self.language != "en" else ""]
        return "-".join(filter(None, words))


PICTURES = (
    Picture("home"),
    Picture("home", PHONE, "dark"),
    Picture("new"),
    Picture("lobby"),
    Picture("my-turn"),
    Picture("my-turn", PHONE, "dark"),
    Picture("my-turn", language="fr"),
    Picture("my-turn-six", PHONE),
    Picture("others-turn"),
    Picture("jump", PHONE),
    Picture("planned", theme="dark"),
    Picture("tracker"),
    Picture("sale"),
    Picture("sale", PHONE),
    Picture("chosen"),
    Picture("reveal"),
    Picture("lost", PHONE),
    Picture("over"),
    Picture("over", PHONE),
    Picture("fair"),
    Picture("as-committed", PHONE, "dark"),
    Picture("replay"),
    Picture("learn"),
    Picture("settings", PHONE),
    Picture("nothing", theme="dark"),
)


@pytest.mark.parametrize("picture", PICTURES, ids=[picture.name for picture in PICTURES])
def test_the_screen_looks_as_approved(meet: Meet, picture: Picture, tmp_path_factory: pytest.TempPathFactory) -> None:
    wishes = {"theme": picture.theme, "language": picture.language}
    person = meet("Ana", viewport=picture.viewport, settings=wishes, reduced_motion="reduce", timezone_id="UTC")
    SCENES[picture.scene].show(person)
    axe.settle(person.page)
    pictures.check(person.page, picture.name, found_in(tmp_path_factory))


def found_in(folders: pytest.TempPathFactory) -> Path:
    """One folder for all that differs."""
    return folders.getbasetemp() / "pictures"
