"""Which house it plays on which cheques, and what a house brings in."""

import numpy as np

from benchmarks.lessons.found import Place
from benchmarks.lessons.playing import Numbers, Turn
from forsale.bots.champion.net import softmax
from forsale.encoding import HOUSE, MAX_CARDS

_HIGHEST = 15
_FEWEST = 30
"""Sales with the same lowest and highest cheque, below which nothing is said of them."""


class Sales:
    """All choices. Places are means of the policy, so that the chance in a choice adds no noise."""

    def __init__(self) -> None:
        shape = (_HIGHEST + 1, _HIGHEST + 1)
        self._places, self._times = np.zeros(shape), np.zeros(shape, np.int64)
        self._choices: list[tuple[Numbers, ...]] = []

    def see(self, turn: Turn) -> None:
        turn = turn.selling
        self._choices.append((turn.tables, turn.number, turn.seats, turn.actions - HOUSE, turn.market))
        choosing = turn.of(turn.hands.sum(axis=1) > 1)
        low = choosing.market[:, 0]
        high = choosing.market.max(axis=1, initial=0)
        np.add.at(self._places, (low, high), mean_places(choosing))
        np.add.at(self._times, (low, high), 1)

    def places(self) -> list[Place]:
        return [
            Place(int(low), int(high), float(self._places[low, high] / times), int(times))
            for (low, high), times in np.ndenumerate(self._times)
            if times >= _FEWEST
        ]

    def cheques(self) -> list[Numbers]:
        """By house, from 1: every cheque that it took."""
        tables, numbers, seats, houses, markets = map(np.concatenate, zip(*self._choices, strict=True))
        order = np.lexsort((houses, numbers, tables))  # those of a sale together, the lowest house first
        count = seats.max() + 1
        cheques = markets[order][::count, :count].ravel()
        return [cheques[houses[order] == house] for house in range(1, MAX_CARDS + 1)]


def mean_places(turn: Turn) -> Numbers:
    """The place in its hand of the house that each seat plays, on average: 0 for the lowest, 1 for the highest."""
    hands = turn.hands
    places = (np.cumsum(hands, axis=1) - 1) / (hands.sum(axis=1, keepdims=True) - 1)
    policy = softmax(turn.told.logits)[:, HOUSE + 1 :]
    means: Numbers = (policy * hands * places).sum(axis=1)
    return means
