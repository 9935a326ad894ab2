"""From what a person types to an action. Nothing is printed or read here, so each answer can be tested."""

import re
from collections.abc import Sequence

from forsale.cli.cast import listed
from forsale.game import Action, Bid, Pass, Sell

JUMP = 3
"""A bid this far above the least is more often a slip of the finger than a plan."""

_NUMBER = re.compile(r"-?[0-9]{1,6}", re.ASCII)


class Unclear(ValueError):
    """An answer that means nothing here, in one sentence."""


def action_from(answer: str, legal: Sequence[Action]) -> Action:
    """What the person wants. A number is taken at its word: if it is not legal, the engine says why."""
    houses = [action.house for action in legal if isinstance(action, Sell)]
    return _sale_from(answer, houses) if houses else _bid_from(answer, bids_in(legal))


def bids_in(legal: Sequence[Action]) -> list[int]:
    """The amounts that may be bid, ascending; none where the pass is forced."""
    return [action.amount for action in legal if isinstance(action, Bid)]


def is_jump(action: Action, legal: Sequence[Action]) -> bool:
    """Whether a legal bid is so far above the least one that the person should confirm it."""
    return isinstance(action, Bid) and action in legal and action.amount - bids_in(legal)[0] >= JUMP


def _bid_from(answer: str, bids: list[int]) -> Action:
    if answer in ("p", "pass"):
        return Pass()
    if answer == "":
        return Bid(bids[0]) if bids else Pass()
    if answer == "b" and bids:
        return Bid(bids[0])
    if _NUMBER.fullmatch(answer):
        return Bid(int(answer))
    bid = f"a number from {bids[0]} to {bids[-1]} to bid" if bids else "Enter, for you cannot bid"
    raise Unclear(f"Type p to pass, or {bid}.")


def _sale_from(answer: str, houses: list[int]) -> Action:
    if answer == "" and len(houses) == 1:
        return Sell(houses[0])
    if _NUMBER.fullmatch(answer):
        return Sell(int(answer))
    raise Unclear(f"Type the number of the one that you sell: {listed(houses, 'or')}.")
