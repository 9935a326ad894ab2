"""The editions: each cell of the table in docs/rules.md, and how a user's own edition is read or refused."""

import copy
import hashlib
import json
import pickle
import re
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from random import Random

import pytest

from forsale import editions, game
from forsale.editions import Edition, EditionError, Words
from tests.games import random_game

SEATS = (3, 4, 5, 6)
HOUSES = tuple(range(1, 31))
CHEQUES = tuple(sorted(2 * [0, *range(2, 16)]))

# --- Published editions: the table "What differs", row by row ------------------------------------------------

COINS = {
    "iello-2020": (28, 21, 16, 14),
    "iello-2015": (28, 21, 16, 14),
    "classic": (18, 18, 14, 14),
    "manual": (18, 18, 14, 14),
}
REMOVED = {
    "iello-2020": (0, 2, 0, 0),
    "iello-2015": (0, 2, 0, 0),
    "classic": (6, 2, 0, 0),
    "manual": (6, 2, 0, 0),
}
REFUND = {"iello-2020": "down", "iello-2015": "up", "classic": "up", "manual": "up"}
LOWEST_BID = {"iello-2020": 1, "iello-2015": 1, "classic": 1, "manual": 0}
REMOVED_SCARCE = {"iello-2020": (10, 0, 2, 0), "iello-2015": (10, 0, 3, 0), "classic": None, "manual": None}
COINS_HIDDEN = {"iello-2020": "may", "iello-2015": "may", "classic": "should", "manual": "must"}
WORDS = {
    ("iello-2020", "en"): Words(
        house=("House", "Houses"),
        cheque=("Check", "Checks"),
        coin=("Bill", "Bills"),
        void="Void",
        scarce="There won't be enough for everyone!",
    ),
    ("iello-2015", "en"): Words(
        house=("House", "Houses"),
        cheque=("Cheque", "Cheques"),
        coin=("Coin", "Coins"),
        void="Refusé",
        scarce="This will not be for everyone",
    ),
    ("iello-2015", "fr"): Words(
        house=("Maison", "Maisons"),
        cheque=("Chèque", "Chèques"),
        coin=("Pièce", "Pièces"),
        void="Refusé",
        scarce="Il n'y en aura pas pour tout le monde",
    ),
    ("classic", "en"): Words(
        house=("House", "Houses"), cheque=("Cheque", "Cheques"), coin=("Coin", "Coins"), void=None, scarce=None
    ),
    ("manual", "en"): Words(
        house=("Property", "Properties"),
        cheque=("Currency card", "Currency cards"),
        coin=("Coin", "Coins"),
        void=None,
        scarce=None,
    ),
}
DIGESTS = {
    "iello-2020": "390ddba909f958e161c7d924a10e2fcb3f787ee824925ed6f03f1355dfec4eb6",
    "iello-2015": "6a4551760bc7d4309650b9d5d6dba89d454516483a79bc7cfef195b79a9b80b3",
    "classic": "3f848d5966ab251b0d97771ed43499a54c62c6b838161324fc8f30eed6f1b5f0",
    "manual": "b71c0fec14e78be14e10a93e5e7a0f8f78105222e3de4fef763346dec717ef46",
}


def cells(table: Mapping[str, tuple[int, ...] | None]) -> list[tuple[str, int, int]]:
    """(edition, seats, number) for each cell of a row."""
    return [
        (name, seats, number)
        for name, row in table.items()
        if row is not None
        for seats, number in zip(SEATS, row, strict=True)
    ]


def test_the_default_is_the_rulebook_in_the_box_sold_today() -> None:
    assert editions.DEFAULT == "iello-2020"
    assert editions.published() == ("iello-2020", "iello-2015", "classic", "manual")


@pytest.mark.parametrize("name", editions.published())
def test_every_box_holds_30_houses_once_and_30_cheques_in_pairs_without_a_1(name: str) -> None:
    edition = editions.load(name)
    assert edition.id == name
    assert edition.houses == HOUSES
    assert edition.cheques == CHEQUES
    assert edition.seats == SEATS
    assert edition.name
    assert edition.source


@pytest.mark.parametrize(("name", "seats", "coins"), cells(COINS))
def test_coins_each(name: str, seats: int, coins: int) -> None:
    assert editions.load(name).rules(seats).coins == coins


@pytest.mark.parametrize(("name", "seats", "removed"), cells(REMOVED))
def test_cards_removed_unseen_from_each_deck(name: str, seats: int, removed: int) -> None:
    rules = editions.load(name).rules(seats)
    assert (rules.removed, rules.deck_size, rules.short) == (removed, 30 - removed, 0)
    assert rules.auctions * seats == rules.deck_size


@pytest.mark.parametrize(("name", "seats", "removed"), cells(REMOVED_SCARCE))
def test_cards_removed_in_the_variant(name: str, seats: int, removed: int) -> None:
    rules = editions.load(name).rules(seats, "scarce")
    assert (rules.removed, rules.deck_size, rules.short) == (removed, 30 - removed, 1)
    assert rules.coins == editions.load(name).rules(seats).coins


@pytest.mark.parametrize("name", editions.published())
def test_named_rules(name: str) -> None:
    edition = editions.load(name)
    assert edition.refund == REFUND[name]
    assert edition.lowest_bid == LOWEST_BID[name]
    assert edition.coins_hidden == COINS_HIDDEN[name]
    rules = edition.rules(3)
    assert (rules.refund, rules.lowest_bid, rules.variant) == (REFUND[name], LOWEST_BID[name], None)


@pytest.mark.parametrize("name", editions.published())
def test_only_the_iello_editions_have_the_variant(name: str) -> None:
    assert tuple(editions.load(name).variants) == (() if REMOVED_SCARCE[name] is None else ("scarce",))


@pytest.mark.parametrize(("name", "seats", "auctions"), [
    ("iello-2020", 3, 10), ("iello-2020", 4, 10), ("iello-2020", 5, 7), ("iello-2020", 6, 6),
    ("iello-2015", 5, 7),  # the last of them has 3 houses
])  # fmt: skip
def test_the_variant_has_an_auction_for_each_market_the_last_may_be_short(name: str, seats: int, auctions: int) -> None:
    assert editions.load(name).rules(seats, "scarce").auctions == auctions


@pytest.mark.parametrize("name", editions.published())
def test_the_words_of_each_rulebook(name: str) -> None:
    expected = {language: words for (edition, language), words in WORDS.items() if edition == name}
    assert dict(editions.load(name).words) == expected


@pytest.mark.parametrize("name", editions.published())
def test_published_data_never_changes_meaning(name: str) -> None:
    """Where this fails, do not change the digest: a correction is a new edition id."""
    edition = editions.load(name)
    fields = {
        "houses": edition.houses,
        "cheques": edition.cheques,
        "coins": dict(edition.coins),
        "removed": dict(edition.removed),
        "refund": edition.refund,
        "lowest_bid": edition.lowest_bid,
        "variants": {
            key: {"short": rule.short, "removed": dict(rule.removed)} for key, rule in edition.variants.items()
        },
    }
    assert hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest() == DIGESTS[name]


def test_an_edition_is_a_value_that_nobody_can_change() -> None:
    edition = editions.load("iello-2020")
    for value in (edition, edition.rules(3), edition.words["en"], edition.variants["scarce"]):
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)
    for table in (edition.coins, edition.removed, edition.variants, edition.words):
        with pytest.raises(TypeError):
            table[3] = 99  # type: ignore[index]


# --- Seats and variants that an edition lacks ----------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 7, 0, -3, True, False, "4", 4.0, None])
@pytest.mark.parametrize("name", editions.published())
def test_another_number_of_seats_is_refused(name: str, seats: object) -> None:
    with pytest.raises(EditionError) as caught:
        editions.load(name).rules(seats)  # type: ignore[arg-type]
    assert caught.value.field == "seats"
    assert str(caught.value) == f"seats: expected a number of seats from 3 to 6, got {seats!r}"


@pytest.mark.parametrize(("name", "variant", "known"), [
    ("classic", "scarce", "none"),
    ("manual", "scarce", "none"),
    ("iello-2020", "", "scarce or none"),
    ("iello-2015", "Scarce", "scarce or none"),
])  # fmt: skip
def test_a_variant_that_the_edition_lacks_is_refused(name: str, variant: str, known: str) -> None:
    with pytest.raises(EditionError) as caught:
        editions.load(name).rules(4, variant)
    assert caught.value.field == "variant"
    assert caught.value.expected == f"expected {known} with {name}, got {variant!r}"


# --- A user's own edition ------------------------------------------------------------------------------------

Toml = dict[str, "object"]

OWN: Toml = {
    "id": "own-12",
    "name": "Twelve houses",
    "source": "Our kitchen table",
    "cards": {"houses": list(range(12, 0, -1)), "cheques": [0, 0, 5, 5, 5, 9, 9, 20, 20, 40, 40, 99]},
    "setup": {"coins": {"3": 10, "4": 9}, "removed": {"3": 0, "4": 4}},
    "rules": {"refund": "down", "lowest_bid": 2, "coins_hidden": "may"},
    "variants": {"scarce": {"short": 2, "removed": {"3": 1, "4": 0}}},
    "words": {
        "en": {"house": ["Hut", "Huts"], "cheque": ["Note", "Notes"], "coin": ["Nut", "Nuts"], "scarce": "Less"},
        "de": {
            "house": ["Haus", "Häuser"],
            "cheque": ["Scheck", "Schecks"],
            "coin": ["Münze", "Münzen"],
            "void": "Nichts",
            "scarce": "Zu wenig",
        },
    },
}
MISSING = object()


def toml(value: object) -> str:
    """A value as TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def document(root: Toml) -> str:
    return "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in root.items())


def changed(path: str, value: object) -> str:
    """The own edition with another value at a dotted path, or without it."""
    root = copy.deepcopy(OWN)
    *tables, last = path.split(".")
    table = root
    for key in tables:
        inner = table[key]
        assert isinstance(inner, dict)
        table = inner
    if value is MISSING:
        del table[last]
    else:
        table[last] = value
    return document(root)


def refusal(text: str) -> EditionError:
    with pytest.raises(EditionError) as caught:
        editions.from_toml(text)
    return caught.value


def test_an_error_survives_a_journey_between_processes() -> None:
    error = refusal("id = 7")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def own_file(folder: Path, text: str = document(OWN)) -> Path:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_own_edition_is_read_as_it_is_written(tmp_path: Path) -> None:
    edition = editions.load(own_file(tmp_path))
    assert (edition.id, edition.name, edition.source) == ("own-12", "Twelve houses", "Our kitchen table")
    assert edition.houses == tuple(range(1, 13))
    assert edition.cheques == (0, 0, 5, 5, 5, 9, 9, 20, 20, 40, 40, 99)
    assert edition.seats == (3, 4)
    assert (dict(edition.coins), dict(edition.removed)) == ({3: 10, 4: 9}, {3: 0, 4: 4})
    assert (edition.refund, edition.lowest_bid, edition.coins_hidden) == ("down", 2, "may")
    assert edition.variants["scarce"].short == 2
    assert dict(edition.variants["scarce"].removed) == {3: 1, 4: 0}
    assert edition.words["en"] == Words(("Hut", "Huts"), ("Note", "Notes"), ("Nut", "Nuts"), None, "Less")
    assert edition.words["de"].void == "Nichts"
    assert editions.load(str(tmp_path / "own.toml")) == edition


@pytest.mark.parametrize("variant", [None, "scarce"])
@pytest.mark.parametrize("seats", [3, 4])
def test_an_own_edition_can_be_played_to_the_end(tmp_path: Path, seats: int, variant: str | None) -> None:
    edition = editions.load(own_file(tmp_path))
    rules = edition.rules(seats, variant)
    for seed in range(20):
        end = random_game(edition, seats, variant, Random(seed)).end
        result = game.outcome(end)
        assert result is not None
        assert sum(map(len, end.cheques)) == rules.deck_size
        assert sum(result.scores) == sum(end.decks.cheques) + sum(end.coins)


def test_the_variant_is_optional_in_an_own_edition() -> None:
    edition = editions.from_toml(changed("variants", MISSING))
    assert dict(edition.variants) == {}
    assert edition.words["en"].scarce == "Less"


@pytest.mark.parametrize(("coins", "removed", "expected"), [
    ({"3": 5, "6": 5}, {"3": 0, "6": 0}, "3 or 6 seats"),
    ({"3": 5, "4": 5}, {"3": 0, "4": 0}, "a number of seats from 3 to 4"),
    ({"4": 5}, {"4": 0}, "4 seats"),
])  # fmt: skip
def test_seats_that_an_own_edition_leaves_out_are_refused(coins: Toml, removed: Toml, expected: str) -> None:
    root = {**OWN, "setup": {"coins": coins, "removed": removed}}
    del root["variants"]
    with pytest.raises(EditionError, match=f"seats: expected {expected}, got 5"):
        editions.from_toml(document(root)).rules(5)


@pytest.mark.parametrize(("field", "value"), [
    ("id", "x" * 32),
    ("name", "x" * 200),
    ("setup.coins.3", 1),
    ("setup.coins.3", 999),
    ("setup.removed.3", 9),
    ("rules.lowest_bid", 0),
    ("rules.lowest_bid", 999),
    ("variants.scarce.short", 1),
    ("variants.scarce.removed.3", 11),
])  # fmt: skip
def test_a_field_may_be_at_its_limit(field: str, value: object) -> None:
    editions.from_toml(changed(field, value))


@pytest.mark.parametrize(("cards", "removed"), [(3, 0), (4, 1), (13, 1), (14, 2), (59, 2), (60, 0)])
def test_a_box_may_hold_from_3_to_60_cards(cards: int, removed: int) -> None:
    box = {"houses": list(range(99, 99 - cards, -1)), "cheques": [99] * cards}
    root = {**OWN, "cards": box, "setup": {"coins": {"3": 5}, "removed": {"3": removed}}}
    del root["variants"]
    edition = editions.from_toml(document(root))
    assert edition.rules(3).deck_size == cards - removed
    assert random_game(edition, 3, None, Random(1)).end.phase is game.OVER


# Every field, made wrong in every way: where, to what, what the error must say was expected.
ID = "small letters, digits and hyphens, at most 32"
LINE = "one line of text, at most 200 characters"
PAIR = "two words, singular and plural"
NOT_LINES: list[object] = [7, True, "", " ", "x" * 201, "a\x07b", "a\nb", "a\x1b[31m", "a\x7f", "a\u0085b", [], {}]
NOT_PAIRS: list[object] = ["House", 7, [], ["House"], ["House", "Houses", "x"], {}]
NOT_TABLES: list[object] = [7, True, "x", [], 1.5]
NOT_WHOLE: list[object] = [True, False, "1", 1.0, [], {}]


def cards(*odd: object) -> list[object]:
    """Twelve cards, the last of them as given."""
    return [*range(20, 32 - len(odd)), *odd]


WRONG: list[tuple[str, object, str]] = [
    *(("id", value, ID) for value in [7, True, "", "Own", "o wn", "-own", "ö", "own\n", "x" * 33, [], {}]),
    *((path, value, LINE) for path in ("name", "source") for value in NOT_LINES),
    *(
        (table, value, "expected a table")
        for table in ("cards", "setup", "setup.coins", "setup.removed", "rules", "variants", "variants.scarce")
        for value in NOT_TABLES
    ),
    *((table, value, "expected a table") for table in ("words", "words.en", "words.de") for value in [7, "x", []]),
    *(
        (deck, value, "a list of 3 to 60 cards")
        for deck in ("cards.houses", "cards.cheques")
        for value in [7, True, "1 2 3", {}, [], [1, 2], list(range(1, 62))]
    ),
    *(
        ("cards.houses", cards(odd), "a whole number from 1 to 99")
        for odd in [0, -1, 100, *NOT_WHOLE]
    ),
    *(
        ("cards.cheques", cards(odd), "a whole number from 0 to 99")
        for odd in [-1, 100, *NOT_WHOLE]
    ),
    ("cards.houses", cards(25), "every house once, got 25 twice"),
    ("cards.cheques", cards()[:11], "as many as houses, 12, got 11"),
    ("cards.cheques", [*cards(), 1], "as many as houses, 12, got 13"),
    ("setup.coins", {}, "at least one number of seats from 3 to 6"),
    *(("setup.coins.3", value, "a whole number from 1 to 999") for value in [0, -1, 1000, *NOT_WHOLE]),
    *(("setup.removed.3", value, "a whole number from 0 to 11") for value in [-1, 12, *NOT_WHOLE]),
    ("setup.removed.3", 1, "to leave a multiple of 3 cards, but 1 of 12 leaves 11"),
    ("setup.removed.4", 6, "to leave a multiple of 4 cards, but 6 of 12 leaves 6"),
    *(("rules.refund", value, "expected down or up") for value in ["Up", "half", "", True, 1, [], ["up"], {}]),
    *(("rules.lowest_bid", value, "a whole number from 0 to 999") for value in [-1, 1000, *NOT_WHOLE]),
    *(("rules.coins_hidden", value, "expected may or should or must") for value in ["no", "", True, 0, [], {}]),
    *(
        ("variants.scarce.short", value, "a whole number from 1 to 2")
        for value in [0, -1, 3, *NOT_WHOLE]
    ),
    *(
        ("variants.scarce.removed.4", value, "a whole number from 0 to 11")
        for value in [-1, 12, *NOT_WHOLE]
    ),
    *(("variants.scarce.removed", value, "expected a table") for value in NOT_TABLES),
    *(
        (f"words.{language}.{word}", value, PAIR)
        for language in ("en", "de")
        for word in ("house", "cheque", "coin")
        for value in NOT_PAIRS
    ),
    *(("words.en.house", pair, LINE) for bad in NOT_LINES for pair in ([bad, "Huts"], ["Hut", bad])),
    *((path, value, LINE) for path in ("words.de.void", "words.en.scarce") for value in NOT_LINES),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value", "expected"), WRONG)
def test_a_wrong_field_is_refused_by_its_name(field: str, value: object, expected: str) -> None:
    error = refusal(changed(field, value))
    assert error.field == field
    assert expected in error.expected
    assert str(error) == f"{field}: {error.expected}"
    assert str(error).isprintable()


@pytest.mark.parametrize("field", [
    "id", "name", "source",
    "cards", "cards.houses", "cards.cheques",
    "setup", "setup.coins", "setup.removed", "setup.removed.3",
    "rules", "rules.refund", "rules.lowest_bid", "rules.coins_hidden",
    "variants.scarce", "variants.scarce.short", "variants.scarce.removed", "variants.scarce.removed.4",
    "words", "words.en", "words.en.house", "words.en.cheque", "words.en.coin", "words.en.scarce", "words.de.scarce",
])  # fmt: skip
def test_a_missing_field_is_refused_by_its_name(field: str) -> None:
    error = refusal(changed(field, MISSING))
    assert (error.field, error.expected) == (field, "missing")


@pytest.mark.parametrize(("field", "value", "expected"), [
    ("colour", "red", "unknown field, expected one of id, name, source, cards, setup, rules, variants, words"),
    ("cards.coins", [1, 2, 3], "unknown field, expected one of houses, cheques"),
    ("setup.first", 0, "unknown field, expected one of coins, removed"),
    ("rules.refunds", "up", "unknown field, expected one of refund, lowest_bid, coins_hidden"),
    ("variants.plenty", {}, "unknown field, expected one of scarce"),
    ("variants.scarce.coins", {}, "unknown field, expected one of short, removed"),
    ("words.en.bid", "Bid", "unknown field, expected one of house, cheque, coin, void, scarce"),
    *((f"words.{name}", {}, "expected a language of two letters") for name in ("english", "EN", "e", "éa", "", "a-b")),
    *((f"setup.coins.{seats}", 10, "expected seats among 3, 4, 5, 6") for seats in ("2", "7", "03", "x", "", "\uff13")),
    *((f"setup.removed.{seats}", 0, "expected seats among 3, 4") for seats in ("2", "5", "7")),
    *((f"variants.scarce.removed.{seats}", 0, "expected seats among 3, 4") for seats in ("2", "5", "7")),
])  # fmt: skip
def test_an_unknown_field_is_refused_by_its_name(field: str, value: object, expected: str) -> None:
    error = refusal(changed(field, value))
    assert error.field == field
    assert expected in error.expected


@pytest.mark.parametrize("key", ["a\nb", "a\x1b[31mb", "x" * 5000])
@pytest.mark.parametrize("table", ["", "words.", "setup.coins."])
def test_an_error_is_short_and_on_one_line_whatever_the_key(table: str, key: str) -> None:
    text = str(refusal(changed(table + key, 7)))
    assert text.isprintable()
    assert len(text) < 300


HUGE = "9" * 5000
HUGE_HEX = "0x" + "f" * 5000


@pytest.mark.parametrize("field", ["id", "name", "cards.houses", "setup.coins.3", "rules.refund", "rules.lowest_bid"])
def test_a_huge_number_is_refused(field: str) -> None:
    """In decimal Python refuses to read it; in hexadecimal it reads it, but refuses to show it."""
    text = changed(field, "HUGE")
    assert refusal(text.replace('"HUGE"', HUGE)).field == "file"
    assert refusal(text.replace('"HUGE"', HUGE_HEX)).field == field


@pytest.mark.parametrize("text", [
    "id", "id = ", "id = 1\nid = 2", "= 1", "[", "id = 'x", "\x00", "\ufeffid = 'x'", "id = \"\\q\"",
    "id = " + "[" * 5000 + "]" * 5000,
])  # fmt: skip
def test_what_is_not_toml_is_refused(text: str) -> None:
    error = refusal(text)
    assert error.field == "file"
    assert error.expected.startswith("expected TOML")


def test_a_value_nested_deeply_by_dotted_keys_is_refused() -> None:
    error = refusal("id" + ".a" * 2000 + " = 1\n")
    assert error.field in ("file", "id")


# --- Where an edition is loaded from -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["iello-1997", "", "Classic", "classic.json", "../classic"])
def test_an_unknown_id_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(EditionError) as caught:
        editions.load(name)
    assert caught.value.field == "edition"
    expected = f"iello-2020, iello-2015, classic, manual or the path of a .toml file, got {name!r}"
    assert caught.value.expected == f"expected {expected}"


def load_error(path: str | Path) -> EditionError:
    with pytest.raises(EditionError) as caught:
        editions.load(path)
    return caught.value


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for path in (tmp_path / "none.toml", folder, "nul\0.toml", "half \ud800.toml"):
        error = load_error(path)
        assert error.field == "edition"
        assert error.expected.startswith(f"cannot read {str(path)!r}: ")


def test_a_file_that_is_too_big_is_refused(tmp_path: Path) -> None:
    size = 8 * 1024
    fits = document(OWN)
    fits += "#" * (size - len(fits.encode()))
    assert editions.load(own_file(tmp_path, fits)).id == "own-12"
    error = load_error(own_file(tmp_path, fits + "#"))
    assert error.field == "edition"
    assert f"expected at most {size} bytes" in error.expected


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('id = "é"'.encode("latin-1"))
    error = load_error(path)
    assert error.field == "file"
    assert error.expected == "expected UTF-8 text, got byte 7 of another kind"


def test_a_wrong_field_of_a_file_is_refused_by_its_name(tmp_path: Path) -> None:
    assert load_error(own_file(tmp_path, changed("rules.refund", "half"))).field == "rules.refund"


@pytest.mark.parametrize("name", editions.published())
def test_an_own_edition_cannot_take_the_id_of_a_published_one(tmp_path: Path, name: str) -> None:
    error = load_error(own_file(tmp_path, changed("id", name)))
    assert error.field == "id"
    assert re.search(f"'{name}' is a published edition, expected a name of your own", error.expected)


def test_a_published_edition_is_read_once() -> None:
    first: Edition = editions.load("classic")
    assert editions.load("classic") is first
