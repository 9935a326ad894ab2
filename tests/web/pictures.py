"""Approved pictures: how one is compared with what the screen shows now, and kept."""

import io
import os
import re
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

FOLDER = Path(__file__).parent / "pictures"
APPROVE = "FORSALE_APPROVE_PICTURES"
"""Set by `python -m tests.web.approve`: what is seen becomes what is approved."""

NOTICED = 40
"""A difference in a colour, of 255, that the eye would notice. Edges of letters differ a little between machines."""
TOLERANCE = 0.002
"""The part of a picture that may differ."""


class Differs(AssertionError):
    """The screen is not what was approved."""


def check(page: Page, name: str, found: Path) -> None:
    """Compares the page with its approved picture. What differs is left in the folder `found`."""
    assert re.fullmatch(r"[a-z0-9-]+", name)
    page.mouse.move(0, 0)
    page.evaluate("() => document.fonts.ready.then(() => {})")
    shot = page.screenshot(animations="disabled", caret="hide", scale="css")
    actual = Image.open(io.BytesIO(shot)).convert("RGB")
    path = FOLDER / f"{name}.png"
    if os.environ.get(APPROVE):
        _approve(actual, path)
        return
    found.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        actual.save(found / f"{name}.png")
        raise Differs(f"{name} has no approved picture; see {found / name}.png, then `python -m tests.web.approve`.")
    approved = Image.open(path).convert("RGB")
    part, difference = compare(approved, actual)
    if part > TOLERANCE:
        actual.save(found / f"{name}.png")
        approved.save(found / f"{name}-approved.png")
        difference.save(found / f"{name}-difference.png")
        raise Differs(
            f"{part:.2%} of {name} differs from tests/web/pictures/{name}.png. See {found}; "
            "if it is meant to look so, `python -m tests.web.approve` approves it."
        )


def compare(approved: Image.Image, actual: Image.Image) -> tuple[float, Image.Image]:
    """The part that differs, and a picture of where."""
    if approved.size != actual.size:
        return 1.0, actual
    soft = ImageFilter.BoxBlur(1)  # so that an edge that lies half a pixel beside is none
    difference = ImageChops.difference(approved.filter(soft), actual.filter(soft))
    channels = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    seen = most.point(lambda value: 255 if value > NOTICED else 0)
    return seen.histogram()[255] / (seen.width * seen.height), seen


def _approve(actual: Image.Image, path: Path) -> None:
    """Keeps what looks the same as it is: a new file for nothing would only make the repository grow."""
    path.parent.mkdir(exist_ok=True)
    if path.exists() and compare(Image.open(path).convert("RGB"), actual)[0] == 0:
        return
    # Few colours make a small file; what they cost is far below what is noticed.
    few = actual.quantize(128, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
