"""How strong a net is in the middle of a run: a quick look, not the proof."""

from collections.abc import Sequence

import numpy as np
import torch

from forsale import editions
from forsale.bots.scripted import PERSONALITIES, Traits
from forsale.scalar import layout
from forsale.scalar.rows import rules_row
from forsale.train.games import Games
from forsale.train.league import Numbers, all_rules, training_pool
from forsale.train.learning import Learner, at_a_table, drawn
from forsale.train.net import Net
from forsale.train.tables import COPIES, MIXED, NET

_SEED = 1_000_003
"""Deals of exams are none of training."""


class Exam:
    """A net at tables with scripted bots or with another net; each table plays one game."""

    def __init__(self, rules: Numbers, pool: Sequence[Traits] | Numbers, mode: int, groups: Sequence[str]) -> None:
        """`groups` name what each table counts for. Tables have the `rules` in turn, and the members of `pool`."""
        self._rules, self._mode, self._groups = rules, mode, groups
        self._pool = np.array(pool, np.float32)

    @torch.no_grad()
    def shares(self, learner: Learner, net: Net, device: str, other: Net | None = None) -> dict[str, float]:
        """The win share by group, on average, of all seats that are the net's. It plays as at a table; with an `other`,
        that one does, and the net does what seems best to it."""
        tables = len(self._groups)
        kinds = (np.arange(tables) % len(self._rules)).astype(np.int32)
        games = Games(self._rules, kinds, np.full(tables, self._mode, np.int32), self._pool, _SEED, device)
        nets = games.nets.clone()
        share = torch.zeros(tables, device=device)
        left = torch.ones(tables, dtype=torch.bool, device=device)
        while left.any():
            asked = (learner.spread(games.rows), games.masks, games.seats_at)
            told = learner.told(net, *asked).logits
            actions = drawn(at_a_table(learner.told(other, *asked).logits if other else told, games.masks))
            if other:
                actions = torch.where(games.players == NET, told.argmax(-1), actions)
            games.proceed(actions)
            share = torch.where(games.done & left, (games.shares * nets).sum(-1), share)
            left &= ~games.done
        found: dict[str, list[float]] = {}
        for group, value in zip(self._groups, share.tolist(), strict=True):
            found.setdefault(group, []).append(value)
        return {group: round(sum(values) / len(values), 4) for group, values in found.items()}


def answers(mode: int) -> Exam:
    """In all editions and variants, with copies of another net, by the number of seats."""
    return _everywhere([PERSONALITIES["miser"].traits], mode, "an answer, ")


def _everywhere(pool: Sequence[Traits], mode: int, of: str = "") -> Exam:
    rules = all_rules()
    return Exam(rules, pool, mode, [f"{of}{row[layout.SEATS]} seats" for row in rules] * 240)


def usual() -> dict[str, Exam]:
    """By name: at four seats of one edition against three copies of each personality, or of bots drawn as for training;
    and in all editions and variants against personalities of all kinds, by the number of seats."""
    four = rules_row(editions.load(editions.DEFAULT).rules(4, None))[None]
    people = [personality.traits for personality in PERSONALITIES.values()]
    return {
        "copies": Exam(four, people, COPIES, list(PERSONALITIES) * 408),
        "drawn": Exam(four, training_pool(64, _SEED), COPIES, ["drawn"] * 64 * 32),
        "mixed": Exam(four, people, MIXED, ["mixed"] * 4096),
        "everywhere": _everywhere(people, MIXED),
    }
