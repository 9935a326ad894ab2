"""The tests' own reading of the catalogues."""

from tests.web.words import catalogue, left_over, pattern


def test_a_message_fits_with_any_value_and_any_plural() -> None:
    assert pattern("event.bid", name="Bo").fullmatch("Bo bids 3.")
    assert not pattern("event.bid", name="Bo").fullmatch("Cy bids 3.")
    assert pattern("event.sale").fullmatch("Sale 3: cheques 2 4 5.")


def test_a_foreign_sentence_is_found() -> None:
    assert left_over(["Bo bids 3.", "Bo enchérit à 3.", "Bo"], "fr", "en") == ["Bo bids 3."]


def test_both_languages_have_the_same_messages() -> None:
    assert catalogue("en").keys() == catalogue("fr").keys()
