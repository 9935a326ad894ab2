"""A batch on the CPU: threads share the games among them."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from forsale import encoding
from forsale.editions import Rules
from forsale.kernel import checks, loops
from forsale.kernel.batch import Batch, Buffer, Policy
from forsale.kernel.errors import not_legal, wrong_policy
from forsale.scalar import layout
from forsale.scalar.legal import uniform
from forsale.scalar.rows import Position, rules_row

SHARE = 4096
"""Fewer games are not worth a thread, where each of them is only stepped or looked at."""


class Shares:
    """Games divided among threads. The compiled loops hold no lock, so that they really run side by side."""

    def __init__(self, games: int, threads: int | None, least: int) -> None:
        """Up to so many threads, with at least so many games each."""
        wanted = checks.whole("threads", (os.cpu_count() or 1) if threads is None else threads, 1, 1024)
        count = max(1, min(wanted, games // least))
        self._ranges = list(pairwise(games * share // count for share in range(count + 1)))
        self._pool = ThreadPoolExecutor(count - 1, "forsale-kernel") if count > 1 else None

    def run(self, loop: Callable[..., int], *arguments: Any) -> int | None:
        """The first game of which the loop tells, or None."""
        return self._map(lambda share: loop(*share, *arguments))

    def run_with_scratch(self, loop: Callable[..., int], *arguments: Any) -> int | None:
        """The same, with a game's row and decks for each share to work in."""
        return self._map(
            lambda share: loop(
                *share, np.empty(layout.LENGTH, np.int32), np.empty(layout.DECKS_LENGTH, np.int8), *arguments
            )
        )

    def _map(self, job: Callable[[tuple[int, int]], int]) -> int | None:
        first, *others = self._ranges
        running = [self._pool.submit(job, share) for share in others] if self._pool else []
        told = [job(first), *(share.result() for share in running)]
        return min((game for game in told if game >= 0), default=None)


class CpuBatch(Batch):
    """Numpy arrays, a row a game."""

    def __init__(self, rules: Rules, games: int, seed: int, threads: int | None) -> None:
        super().__init__(rules, games, seed)
        self._rules = rules_row(rules)
        self._shares = Shares(games, threads, SHARE)
        self._states = np.zeros((games, layout.LENGTH), np.int32)
        self._decks = np.zeros((games, layout.DECKS_LENGTH), np.int8)
        self._mask = np.zeros((games, encoding.ACTIONS), np.bool_)
        self._observations = np.zeros((games, encoding.LENGTH), np.int16)
        self._no_parameters = np.zeros((games, rules.seats, 1), np.float32)
        self.to_act = self._states[:, layout.TO_ACT]
        self.done = np.zeros(games, np.bool_)
        self.win_shares = np.zeros((games, rules.seats), np.float32)
        self.scores = np.zeros((games, rules.seats), np.int16)
        self.coins = np.zeros((games, rules.seats), np.int16)
        self._outcomes = (self.done, self.win_shares, self.scores, self.coins)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        self.seed = self.seed if seed is None else checks.seed_of(seed)
        self._shares.run(loops.reset_all, self._states, self._decks, self._rules, np.uint64(self.seed), self.done)

    def step(self, actions: Buffer, check: bool = True) -> None:
        checks.on_cpu("actions", actions, (self.games,), checks.WHOLE)
        if check:
            game = self._shares.run(loops.first_illegal, self._states, self._rules, actions)
            if game is not None:
                raise not_legal(actions[game], game)
        games = (self._states, self._decks, self._rules)
        self._shares.run(loops.step_all, *games, actions, np.uint64(self.seed), *self._outcomes)

    def advance(
        self, seats: Buffer, policy: Policy = uniform, parameters: Buffer | None = None, check: bool = True
    ) -> None:
        checks.on_cpu("seats", seats, (self.games,), checks.WHOLE)
        if check:
            checks.seats_of(seats, self.rules.seats)
        if parameters is None:
            parameters = self._no_parameters
        checks.on_cpu("parameters", parameters, (self.games, self.rules.seats, None), ("float32",))
        games = (self._states, self._decks, self._rules, seats, parameters)
        loop = _advancing(checks.policy_of(policy))
        game = self._shares.run(loop, *games, np.uint64(self.seed), *self._outcomes)
        if check and game is not None:
            raise wrong_policy(game)

    def legal_mask(self, out: Buffer | None = None) -> Buffer:
        return self._written(loops.mask_all, self._mask, out)

    def observe(self, out: Buffer | None = None) -> Buffer:
        return self._written(loops.observe_all, self._observations, out)

    def _written(self, loop: Callable[..., int], own: Buffer, out: Buffer | None) -> Buffer:
        if out is None:
            out = own
        else:
            checks.on_cpu("out", out, own.shape, (str(own.dtype),), written=True)
        self._shares.run(loop, self._states, self._rules, out)
        return out

    def _get(self, game: int) -> Position:
        return Position(self._states[game].copy(), self._decks[game].copy(), np.zeros(4, np.int32))

    def _put(self, game: int, position: Position) -> None:
        loops.set_one(self._states[game], self._decks[game], *position, np.uint64(self.seed), game)


@cache
def _advancing(policy: Policy) -> Any:
    return loops.advancing(policy)
