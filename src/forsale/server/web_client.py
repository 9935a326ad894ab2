"""The browser client as its build left it: read once, at the start, so that no path of a visitor reaches the disk."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from forsale.server.content import ASK_AGAIN, Content

MEDIA: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff": "font/woff",
    "woff2": "font/woff2",
}
"""By the end of a file's name. A file of another kind is left out: nobody could be told what it is."""

FOR_EVER = "public, max-age=31536000, immutable"
"""For what has a hash of itself in its name."""

INDEX = "index.html"
Files = Mapping[str, Content]


@cache
def built() -> Files:
    """The files of the client by their path, such as `assets/index-1a2b.js`; none where it has not been built.

    They are in the installed package, or in a checkout where Vite has put them.
    """
    here = Path(__file__).resolve()
    found = read(here.with_name("web"))
    if not found and here.parents[2].name == "src":
        found = read(here.parents[3] / "web" / "dist")
    return found if INDEX in found else {}


def read(folder: Path) -> Files:
    """All files of a folder of which we know the kind."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix[1:] in MEDIA and path.is_file()]
    return {path.relative_to(folder).as_posix(): _content(path, folder) for path in paths}


def _content(path: Path, folder: Path) -> Content:
    cache = FOR_EVER if path.parent == folder / "assets" else ASK_AGAIN
    return Content.of(path.read_bytes(), MEDIA[path.suffix[1:]], cache)
