"""Nets that look for an answer to the one in training: each sits alone among copies of it, and learns nothing else.

An adversary has a life of some lessons. Then it is kept as it is, for the net to meet again, and another one begins as
the average of the net does.
"""

import copy
from typing import Any

import numpy as np
import torch

from forsale.bots.champion.inputs import Spread
from forsale.train.games import Games
from forsale.train.learning import Learner, Others, Played
from forsale.train.net import Net, stored
from forsale.train.recipe import Recipe, warmed_up
from forsale.train.tables import OTHER

_KEPT = 6
_LIVE = 0.6
"""Of the tables, those where the one that learns sits; at the others an earlier one does."""


class Adversaries:
    """The one that learns, and those that were kept."""

    def __init__(self, net: Net, spread: Spread, recipe: Recipe, life: int, compiled: bool) -> None:
        self._method = (spread, recipe, compiled)
        self._life = life
        self._learner = self._begun(net)
        self._earlier = copy.deepcopy(net)
        self._kept: list[dict[str, Any]] = []
        self._age = 0

    def _begun(self, net: Net) -> Learner:
        return Learner(copy.deepcopy(net), *self._method)

    @property
    def net(self) -> Net:
        """The one that learns."""
        return self._learner.net

    def others(self, tables: slice, rng: np.random.Generator) -> list[Others]:
        """Who sits at these tables, among copies of the net: the one that learns at the last of them."""
        if not self._kept:
            return [Others(self.net, tables)]
        self._earlier.load_state_dict(self._kept[int(rng.integers(len(self._kept)))])
        middle = tables.stop - round(_LIVE * (tables.stop - tables.start))
        return [Others(self._earlier, slice(tables.start, middle)), Others(self.net, slice(middle, tables.stop))]

    def learn(self, games: Games, played: Played, tables: slice) -> float:
        """From what it has done at its tables. Returns how much of a surprise it was who won."""
        players = played.steps.players
        taken = torch.zeros_like(players, dtype=torch.bool)
        taken[:, tables] = players[:, tables] == OTHER
        recipe = self._learner.recipe
        self._learner.steps.fade(recipe.rate * warmed_up(self._age), recipe.surprise)
        figures = self._learner.learn(games, played, taken)
        self._age += 1
        return figures["who wins"]

    def go_on(self, average: Net) -> None:
        """Keep the one that learns, if its life is over; the oldest makes room."""
        if self._age >= self._life:
            self._kept = [*self._kept[1 - _KEPT :], stored(self.net)]
            self._learner, self._age = self._begun(average), 0

    def state(self) -> dict[str, Any]:
        """All that it takes to go on."""
        learner = self._learner
        return {
            "net": learner.net.state_dict(),
            "steps": learner.steps.state(),
            "age": self._age,
            "kept": self._kept,
        }

    def load(self, state: dict[str, Any]) -> None:
        self._learner.net.load_state_dict(state["net"])
        self._learner.steps.load(state["steps"])
        self._age, self._kept = state["age"], state["kept"]
