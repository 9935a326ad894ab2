"""What a box contains and which named rules hold: one `.toml` for each edition.

>>> from forsale import editions
>>> editions.published()
('iello-2020', 'iello-2015', 'classic', 'manual')
>>> editions.load("manual").lowest_bid
0
"""

import os
from functools import cache
from importlib import resources
from pathlib import Path

from forsale.editions.edition import (
    MAX_SEATS,
    MIN_SEATS,
    CoinsHidden,
    Edition,
    EditionError,
    Rounding,
    Rules,
    Variant,
    Words,
)
from forsale.editions.reading import from_toml

__all__ = [
    "DEFAULT",
    "MAX_SEATS",
    "MIN_SEATS",
    "CoinsHidden",
    "Edition",
    "EditionError",
    "Rounding",
    "Rules",
    "Variant",
    "Words",
    "from_toml",
    "load",
    "published",
]

DEFAULT = "iello-2020"

# Newest first: the order in which a person is offered them.
_PUBLISHED = (DEFAULT, "iello-2015", "classic", "manual")

# An edition is a page of text. More would be a wrong path, or keys nested to keep the reader busy.
_MAX_BYTES = 8 * 1024


def published() -> tuple[str, ...]:
    """The ids of the editions that come with the package."""
    return _PUBLISHED


def load(name: str | os.PathLike[str]) -> Edition:
    """An edition by its id, or a user's own from the path of a `.toml` file.

    >>> load("iello-1997")
    Traceback (most recent call last):
    ...
    forsale.editions.edition.EditionError: edition: expected iello-2020, iello-2015, classic, manual or \
the path of a .toml file, got 'iello-1997'
    """
    text = os.fspath(name)
    if text in _PUBLISHED:
        return _load_published(text)
    if not text.endswith(".toml"):
        known = ", ".join(_PUBLISHED)
        raise EditionError("edition", f"expected {known} or the path of a .toml file, got {text!r}")
    return _load_own(Path(text))


@cache
def _load_published(edition_id: str) -> Edition:
    source = resources.files(__name__).joinpath(f"{edition_id}.toml")
    return from_toml(source.read_text(encoding="utf-8"))


def _load_own(path: Path) -> Edition:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise EditionError("edition", f"cannot read {str(path)!r}: {reason}") from None
    if len(data) > _MAX_BYTES:
        raise EditionError("edition", f"expected at most {_MAX_BYTES} bytes in {str(path)!r}")
    try:
        edition = from_toml(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise EditionError("file", f"expected UTF-8 text, got byte {error.start + 1} of another kind") from None
    if edition.id in _PUBLISHED:
        # A record names its edition by id alone, and published data never changes meaning.
        raise EditionError("id", f"{edition.id!r} is a published edition, expected a name of your own")
    return edition
