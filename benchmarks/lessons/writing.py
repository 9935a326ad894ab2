"""What was found, as files: the data, the pictures, and the page with its numbers."""

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from benchmarks.lessons.drawing import PICTURES
from benchmarks.lessons.found import Found, from_text, to_text
from benchmarks.lessons.page import filled
from forsale.arena.files import replace_whole
from forsale.bots.champion import net

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "playing-well.md"
FOLDER = PurePosixPath("pictures/lessons")
FOUND = FOLDER / "found.json"
OWN = Path(net.__file__).with_name(net.WEIGHTS)
"""The weights that come with the package."""


def name_of(weights: bytes) -> str:
    """The beginning of their SHA-256."""
    return hashlib.sha256(weights).hexdigest()[:16]


def read(docs: Path) -> Found:
    """What was found before."""
    return from_text((docs / FOUND).read_text(encoding="utf-8"))


def files(found: Found) -> Mapping[str, str]:
    """By its place in the documents, the text of each file but the data. The words of the page stay as they are."""
    pictures = {f"{FOLDER / name}.svg": draw(found) for name, draw in PICTURES.items()}
    return pictures | {PAGE: filled((DOCS / PAGE).read_text(encoding="utf-8"), found)}


def write(found: Found, docs: Path) -> list[Path]:
    """Everything, into this folder."""
    (docs / FOLDER).mkdir(parents=True, exist_ok=True)
    found = from_text(to_text(found))  # what is drawn is what is kept
    texts = {str(FOUND): to_text(found), **files(found)}
    for name, text in texts.items():
        replace_whole(docs / name, text.encode())
    return [docs / name for name in texts]
