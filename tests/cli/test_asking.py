"""What a person types, and what it means."""

import pytest

from forsale.cli.asking import Unclear, action_from, bids_in, is_jump
from forsale.game import Action, Bid, Pass, Sell

BIDDING: tuple[Action, ...] = (Pass(), *(Bid(amount) for amount in range(6, 16)))
FORCED: tuple[Action, ...] = (Pass(),)
SELLING: tuple[Action, ...] = (Sell(4), Sell(11), Sell(23))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("p", Pass()),
        ("pass", Pass()),
        ("", Bid(6)),
        ("b", Bid(6)),
        ("9", Bid(9)),
        ("09", Bid(9)),
        ("-3", Bid(-3)),
    ],
)
def test_answers_in_an_auction(answer: str, action: Action) -> None:
    assert action_from(answer, BIDDING) == action


def test_enter_passes_where_the_pass_is_forced() -> None:
    assert action_from("", FORCED) == Pass()
    assert action_from("p", FORCED) == Pass()


def test_a_number_is_left_to_the_engine_even_where_it_is_not_legal() -> None:
    assert action_from("3", BIDDING) == Bid(3)
    assert action_from("3", FORCED) == Bid(3)
    assert action_from("3", SELLING) == Sell(3)


@pytest.mark.parametrize("answer", ["x", "bid", "6.5", "1e3", "p p", "٣", "9" * 5000, "\ufffd", "\x1b[A"])
def test_what_means_nothing_in_an_auction(answer: str) -> None:
    with pytest.raises(Unclear, match=r"Type p to pass, or a number from 6 to 15 to bid\."):
        action_from(answer, BIDDING)


def test_what_means_nothing_where_the_pass_is_forced() -> None:
    with pytest.raises(Unclear, match="Type p to pass, or Enter, for you cannot bid"):
        action_from("b", FORCED)


@pytest.mark.parametrize("answer", ["", "p", "b", "sell"])
def test_what_means_nothing_in_a_sale(answer: str) -> None:
    with pytest.raises(Unclear, match=r"4, 11 or 23\."):
        action_from(answer, SELLING)


def test_enter_sells_the_last_house() -> None:
    assert action_from("", [Sell(23)]) == Sell(23)


def test_only_a_legal_bid_well_above_the_least_is_a_jump() -> None:
    assert [amount for amount in range(20) if is_jump(Bid(amount), BIDDING)] == list(range(9, 16))
    assert not is_jump(Pass(), BIDDING)
    assert not is_jump(Sell(23), SELLING)
    assert bids_in(FORCED) == []
