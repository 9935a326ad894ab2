"""The tests' own reading of the catalogues."""

import pytest

from forsale import bots
from tests.web.words import catalogue, left_over, pattern


def test_a_message_fits_with_any_value_and_any_plural() -> None:
    assert pattern("event.bid", name="Bo").fullmatch("Bo bids 3.")
    assert not pattern("event.bid", name="Bo").fullmatch("Cy bids 3.")
    assert pattern("event.sale").fullmatch("Sale 3: cheques 2 4 5.")


def test_a_foreign_sentence_is_found() -> None:
    assert left_over(["Bo bids 3.", "Bo enchérit à 3.", "Bo"], "fr", "en") == ["Bo bids 3."]


def test_both_languages_have_the_same_messages() -> None:
    assert catalogue("en").keys() == catalogue("fr").keys()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_bot_of_ours_is_introduced(language: str) -> None:
    """By a name of its own and a sentence. One of another package is shown by the name that it has there."""
    ours = [name for name in bots.names() if bots.find(name).package == "forsale"]
    shown = [catalogue(language).get(f"home.bot.{name}", "") for name in ours]
    missing = [name for name in ours if f"home.bot-character.{name}" not in catalogue(language)]
    assert (missing, "" in shown, len(set(shown))) == ([], False, len(ours))
