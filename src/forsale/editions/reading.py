"""From TOML to an `Edition`: every field is checked, and a bad one is refused by its name."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import cast

from forsale.editions.edition import (
    MAX_SEATS,
    MIN_SEATS,
    CoinsHidden,
    Edition,
    EditionError,
    Rounding,
    Variant,
    Words,
)

MAX_CARDS = 60
MAX_CARD = 99
MAX_COINS = 999
VARIANT = "scarce"

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

Table = Mapping[str, object]


def from_toml(text: str) -> Edition:
    """Read and check an edition.

    >>> from_toml('id = 7')
    Traceback (most recent call last):
    ...
    forsale.editions.edition.EditionError: id: expected small letters, digits and hyphens, at most 32, got 7
    """
    try:
        root: Table = tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError is one; a number of too many digits gives a plain one
        raise EditionError("file", f"expected TOML: {error}") from None
    except RecursionError:
        raise EditionError("file", "expected TOML that is not nested so deeply") from None
    _only(root, "", ("id", "name", "source", "cards", "setup", "rules", "variants", "words"))
    edition_id = _id(root)
    name = _line(root, "name")
    source = _line(root, "source")
    houses, cheques = _cards(root)
    setup = _table(root, "setup")
    _only(setup, "setup.", ("coins", "removed"))
    coins = _by_seats(setup, "setup.coins", low=1, high=MAX_COINS)
    removed = _by_seats(setup, "setup.removed", low=0, high=len(houses) - 1, seats=coins)
    _check_full_auctions(removed, len(houses))
    rules = _table(root, "rules")
    _only(rules, "rules.", ("refund", "lowest_bid", "coins_hidden"))
    variants = _variants(root, coins, len(houses))
    return Edition(
        id=edition_id,
        name=name,
        source=source,
        houses=houses,
        cheques=cheques,
        coins=coins,
        removed=removed,
        refund=cast(Rounding, _choice(rules, "rules.refund", ("down", "up"))),
        lowest_bid=_whole(_field(rules, "rules.lowest_bid"), "rules.lowest_bid", 0, MAX_COINS),
        coins_hidden=cast(CoinsHidden, _choice(rules, "rules.coins_hidden", ("may", "should", "must"))),
        variants=variants,
        words=_words(root, needs_scarce=VARIANT in variants),
    )


def _got(value: object) -> str:
    """A value as an error shows it: short, on one line."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, tables in tables without end
        text = f"a {type(value).__name__} too large to show"
    return text if len(text) <= 40 else text[:37] + "..."


def _named(prefix: str, key: str) -> str:
    """The name of a field as an error shows it: keys can hold anything."""
    return prefix + (key if key.isprintable() and len(key) <= 40 else _got(key))


def _only(table: Table, prefix: str, known: Iterable[str]) -> None:
    names = tuple(known)
    for key in table:
        if key not in names:
            raise EditionError(_named(prefix, key), f"unknown field, expected one of {', '.join(names)}")


def _field(table: Table, path: str) -> object:
    key = path.rpartition(".")[2]
    if key not in table:
        raise EditionError(path, "missing")
    return table[key]


def _table(parent: Table, path: str) -> Table:
    value = _field(parent, path)
    if not isinstance(value, dict):
        raise EditionError(path, f"expected a table, got {_got(value)}")
    return value


def _id(root: Table) -> str:
    value = _field(root, "id")
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise EditionError("id", f"expected small letters, digits and hyphens, at most 32, got {_got(value)}")
    return value


def _line(table: Table, path: str) -> str:
    """One line of text: it is shown to people and must not break the screen it is shown on."""
    return _text(_field(table, path), path)


def _text(value: object, path: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200 or _CONTROL.search(value):
        raise EditionError(path, f"expected one line of text, at most 200 characters, got {_got(value)}")
    return value


def _choice(table: Table, path: str, choices: tuple[str, ...]) -> str:
    value = _field(table, path)
    if value not in choices:
        raise EditionError(path, f"expected {' or '.join(choices)}, got {_got(value)}")
    return value


def _whole(value: object, path: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise EditionError(path, f"expected a whole number from {low} to {high}, got {_got(value)}")
    return value


def _cards(root: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    cards = _table(root, "cards")
    _only(cards, "cards.", ("houses", "cheques"))
    houses = _deck(cards, "cards.houses", low=1)
    if len(set(houses)) != len(houses):
        # Two equal houses could meet in one sale, and no rulebook says who would win.
        twice = next(house for house in houses if houses.count(house) > 1)
        raise EditionError("cards.houses", f"expected every house once, got {twice} twice")
    cheques = _deck(cards, "cards.cheques", low=0)
    if len(cheques) != len(houses):
        raise EditionError("cards.cheques", f"expected as many as houses, {len(houses)}, got {len(cheques)}")
    return houses, cheques


def _deck(cards: Table, path: str, low: int) -> tuple[int, ...]:
    value = _field(cards, path)
    if not isinstance(value, list) or not MIN_SEATS <= len(value) <= MAX_CARDS:
        raise EditionError(path, f"expected a list of {MIN_SEATS} to {MAX_CARDS} cards, got {_got(value)}")
    return tuple(sorted(_whole(card, path, low, MAX_CARD) for card in value))


def _by_seats(table: Table, path: str, low: int, high: int, seats: Iterable[int] | None = None) -> Mapping[int, int]:
    """A table such as `{ 3 = 28, 4 = 21 }`; with `seats`, exactly those."""
    rows = _table(table, path)
    allowed = tuple(range(MIN_SEATS, MAX_SEATS + 1)) if seats is None else tuple(seats)
    for key in rows:
        if key not in map(str, allowed):
            raise EditionError(_named(f"{path}.", key), f"expected seats among {', '.join(map(str, allowed))}")
    if seats is None and not rows:
        raise EditionError(path, f"expected at least one number of seats from {MIN_SEATS} to {MAX_SEATS}")
    present = [n for n in allowed if seats is not None or str(n) in rows]
    return MappingProxyType({n: _whole(_field(rows, f"{path}.{n}"), f"{path}.{n}", low, high) for n in present})


def _check_full_auctions(removed: Mapping[int, int], cards: int) -> None:
    """Without the variant every seat ends with as many houses as the next."""
    for seats, gone in removed.items():
        if (cards - gone) % seats:
            raise EditionError(
                f"setup.removed.{seats}",
                f"expected to leave a multiple of {seats} cards, but {gone} of {cards} leaves {cards - gone}",
            )


def _variants(root: Table, seats: Iterable[int], cards: int) -> Mapping[str, Variant]:
    if "variants" not in root:
        return MappingProxyType({})
    table = _table(root, "variants")
    _only(table, "variants.", (VARIANT,))
    path = f"variants.{VARIANT}"
    scarce = _table(table, path)
    _only(scarce, path + ".", ("short", "removed"))
    # An auction needs a house, and the fewest seats are MIN_SEATS.
    short = _whole(_field(scarce, path + ".short"), path + ".short", 1, MIN_SEATS - 1)
    removed = _by_seats(scarce, path + ".removed", low=0, high=cards - 1, seats=seats)
    return MappingProxyType({VARIANT: Variant(short=short, removed=removed)})


def _words(root: Table, needs_scarce: bool) -> Mapping[str, Words]:
    table = _table(root, "words")
    if "en" not in table:
        raise EditionError("words.en", "missing")
    for language in table:
        if not _LANGUAGE.fullmatch(language):
            raise EditionError(_named("words.", language), "expected a language of two letters, such as en")
    return MappingProxyType({language: _language(table, language, needs_scarce) for language in table})


def _language(table: Table, language: str, needs_scarce: bool) -> Words:
    path = f"words.{language}"
    words = _table(table, path)
    _only(words, path + ".", ("house", "cheque", "coin", "void", "scarce"))
    return Words(
        house=_pair(words, path + ".house"),
        cheque=_pair(words, path + ".cheque"),
        coin=_pair(words, path + ".coin"),
        void=_line(words, path + ".void") if "void" in words else None,
        scarce=_line(words, path + ".scarce") if needs_scarce or "scarce" in words else None,
    )


def _pair(words: Table, path: str) -> tuple[str, str]:
    value = _field(words, path)
    if not isinstance(value, list) or len(value) != 2:
        raise EditionError(path, f"expected two words, singular and plural, got {_got(value)}")
    return _text(value[0], path), _text(value[1], path)
