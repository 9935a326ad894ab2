"""How strong a net is in the middle of a run: a quick look, not the proof."""

import numpy as np
import torch

from forsale import editions
from forsale.bots.scripted import PERSONALITIES
from forsale.scalar.rows import rules_row
from forsale.train.games import Games, training_pool
from forsale.train.learning import Learner
from forsale.train.net import Net
from forsale.train.tables import COPIES, MIXED

_SEED = 1_000_003
"""Deals of exams are none of training."""


class Exam:
    """A net alone against copies of each of some scripted bots, or against several of them at once."""

    def __init__(self, pool: np.ndarray, mode: int, games: int, seats: int = 4, edition: str = "iello-2020") -> None:
        self._rules = rules_row(editions.load(edition).rules(seats, None))[None]
        self._pool, self._mode, self._games = pool, mode, games

    @torch.no_grad()
    def shares(self, learner: Learner, net: Net, device: str) -> torch.Tensor:
        """The win share in one game of each table, by member of the pool (all the same for mixed tables)."""
        members = len(self._pool)
        kinds = np.zeros(self._games, np.int32)
        games = Games(self._rules, kinds, np.full(self._games, self._mode, np.int32), self._pool, _SEED, device)
        hero = games.to_act.clone()
        share = torch.zeros(self._games, device=device)
        left = torch.ones(self._games, dtype=torch.bool, device=device)
        while left.any():
            told = learner.told(net, learner.spread(games.rows), games.masks, games.seats_at)
            games.proceed(told.logits.argmax(-1))
            first = games.done & left
            share = torch.where(first, games.shares.gather(1, hero[:, None])[:, 0], share)
            left &= ~games.done
        return share.reshape(-1, members).mean(0)


def usual(games: int = 4096) -> dict[str, tuple[Exam, tuple[str, ...]]]:
    """By name: an exam, and whom it is against."""
    people = np.array([personality.traits for personality in PERSONALITIES.values()], np.float32)
    drawn = training_pool(64, seed=_SEED)
    per = -(-games // len(people) // 4) * 4 * len(people)
    return {
        "personalities": (Exam(people, COPIES, per), tuple(PERSONALITIES)),
        "mixed": (Exam(people, MIXED, per), ("mixed",) * len(people)),
        "drawn": (Exam(drawn, COPIES, 4 * 64 * 8), ("drawn",) * len(drawn)),
    }
