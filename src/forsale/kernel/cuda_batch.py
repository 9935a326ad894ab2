"""A batch on an NVIDIA GPU. Its buffers are visible to PyTorch and CuPy without a copy."""

from functools import cache
from typing import Any

import numpy as np

from forsale import encoding
from forsale.editions import Rules
from forsale.kernel import checks, gpu, loops
from forsale.kernel.batch import Batch, Buffer, Policy
from forsale.kernel.errors import not_legal, wrong_policy
from forsale.kernel.gpu import cuda
from forsale.scalar import layout
from forsale.scalar.legal import uniform
from forsale.scalar.rows import Position, rules_row


class CudaBatch(Batch):
    """Arrays on the GPU: a row for each field of all games, and for what a caller reads a row a game."""

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        super().__init__(rules, games, seed)
        self._rules = cuda.to_device(rules_row(rules))
        self._states = _zeros((layout.LENGTH, games), np.int32)
        self._decks = _zeros((layout.DECKS_LENGTH, games), np.int8)
        self._mask = _zeros((games, encoding.ACTIONS), np.bool_)
        self._observations = _zeros((games, encoding.LENGTH), np.int16)
        self._no_parameters = _zeros((games, rules.seats, 1), np.float32)
        self._found = gpu.Found()
        self.to_act = self._states[layout.TO_ACT]
        self.done = _zeros((games,), np.bool_)
        self.win_shares = _zeros((games, rules.seats), np.float32)
        self.scores = _zeros((games, rules.seats), np.int16)
        self.coins = _zeros((games, rules.seats), np.int16)
        self._outcomes = (self.done, self.win_shares, self.scores, self.coins)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        self.seed = self.seed if seed is None else checks.seed_of(seed)
        gpu.launched(gpu.reset_all, self.games)(self._states, self._decks, self._rules, np.uint64(self.seed), self.done)

    def step(self, actions: Buffer, check: bool = True) -> None:
        checks.on_gpu("actions", actions, (self.games,), checks.WHOLE)
        actions = cuda.as_cuda_array(actions)
        if check:
            self._check(actions)
        games = (self._states, self._decks, self._rules)
        gpu.launched(gpu.step_all, self.games)(*games, actions, np.uint64(self.seed), *self._outcomes)

    def _check(self, actions: Buffer) -> None:
        gpu.launched(gpu.first_illegal, self.games)(self._states, self._rules, actions, self._found.array)
        game = self._found.take()
        if game is not None:
            raise not_legal(actions[game], game)

    def advance(
        self, seats: Buffer, policy: Policy = uniform, parameters: Buffer | None = None, check: bool = True
    ) -> None:
        checks.on_gpu("seats", seats, (self.games,), checks.WHOLE)
        seats = cuda.as_cuda_array(seats)
        if check:
            checks.seats_of(seats.copy_to_host(), self.rules.seats)
        if parameters is None:
            parameters = self._no_parameters
        checks.on_gpu("parameters", parameters, (self.games, self.rules.seats, None), ("float32",))
        games = (self._states, self._decks, self._rules, seats, cuda.as_cuda_array(parameters))
        kernel = _advancing(checks.policy_of(policy))
        gpu.launched(kernel, self.games)(*games, np.uint64(self.seed), self._found.array, *self._outcomes)
        game = self._found.take() if check else None
        if game is not None:
            raise wrong_policy(game)

    def legal_mask(self, out: Buffer | None = None) -> Buffer:
        return self._written(gpu.mask_all, self._mask, out)

    def observe(self, out: Buffer | None = None) -> Buffer:
        return self._written(gpu.observe_all, self._observations, out)

    def _written(self, kernel: Any, own: Buffer, out: Buffer | None) -> Buffer:
        if out is None:
            out = own
        else:
            checks.on_gpu("out", out, own.shape, (str(own.dtype).replace("bool_", "bool"),))
        gpu.launched(kernel, self.games)(self._states, self._rules, cuda.as_cuda_array(out))
        return out

    def _get(self, game: int) -> Position:
        row = np.ascontiguousarray(self._states[:, game].copy_to_host())
        decks = np.ascontiguousarray(self._decks[:, game].copy_to_host())
        return Position(row, decks, np.zeros(4, np.int32))

    def _put(self, game: int, position: Position) -> None:
        row, decks, _ = self._get(game)
        loops.set_one(row, decks, *position, np.uint64(self.seed), game)
        put = gpu.launched(gpu.put_one, max(layout.LENGTH, layout.DECKS_LENGTH))
        put(self._states, self._decks, cuda.to_device(row), cuda.to_device(decks), game)


def _zeros(shape: tuple[int, ...], kind: Any) -> Buffer:
    return cuda.to_device(np.zeros(shape, kind))


@cache
def _advancing(policy: Policy) -> Any:
    return gpu.advancing(policy)
