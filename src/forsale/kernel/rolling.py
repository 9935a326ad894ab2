"""Games played to the end by a policy, many times: from a new deal, or from one position."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from forsale import editions
from forsale.editions import Edition, Rules
from forsale.game import State
from forsale.kernel import checks, loops
from forsale.kernel.batch import Policy
from forsale.kernel.cpu import Shares
from forsale.kernel.devices import need_gpu
from forsale.kernel.errors import wrong_policy
from forsale.scalar.legal import uniform
from forsale.scalar.rows import position_of, rules_row
from forsale.view import View

SHARE = 256
"""Fewer games are not worth a thread, where each of them is played to the end."""


class Outcomes(NamedTuple):
    """How games ended, by game and seat."""

    win_shares: NDArray[np.float32]
    """1 for the winner, 0 for the others; seats that are tied in money and in coins share it."""
    scores: NDArray[np.int16]
    coins: NDArray[np.int16]


def play(
    edition: str | Edition = editions.DEFAULT,
    seats: int = 4,
    games: int = 1000,
    variant: str | None = None,
    seed: int = 0,
    policy: Policy = uniform,
    parameters: NDArray[np.float32] | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Outcomes:
    """Play so many games, each from a deal of its own, with a policy for all seats.

    `parameters` has a row for each seat; without them a policy gets one zero.
    """
    rules = rules_of(edition, seats, variant)
    return _run(_playing, rules, (), policy, games, seed, parameters, device, threads)


def roll_out(
    position: State | View,
    games: int = 1000,
    seed: int = 0,
    policy: Policy = uniform,
    parameters: NDArray[np.float32] | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Outcomes:
    """Play a position to the end, so many times, with a policy for all seats.

    Cards that a view does not tell, and choices that others have made in secret, are drawn anew each time. From a
    state, the decks are those of the state. `parameters` as for `play`.
    """
    return _run(_rolling, position.rules, position_of(position), policy, games, seed, parameters, device, threads)


def rules_of(edition: str | Edition, seats: int, variant: str | None) -> Rules:
    return (editions.load(edition) if isinstance(edition, str) else edition).rules(seats, variant)


def _run(
    loop: Any,
    rules: Rules,
    position: tuple[Any, ...],
    policy: Policy,
    games: int,
    seed: int,
    parameters: NDArray[np.float32] | None,
    device: str,
    threads: int | None,
) -> Outcomes:
    shape = (checks.games_of(games), rules.seats)
    if parameters is None:
        parameters = np.zeros((rules.seats, 1), np.float32)
    checks.on_cpu("parameters", parameters, (rules.seats, None), ("float32",))
    task = (rules_row(rules), *position, parameters, np.uint64(checks.seed_of(seed)))
    out = Outcomes(np.empty(shape, np.float32), np.empty(shape, np.int16), np.empty(shape, np.int16))
    run = loop(checks.policy_of(policy), checks.device_of(device))
    shares = Shares(shape[0], threads, SHARE)
    game = _on_gpu(run, task, out) if device == "cuda" else shares.run_with_scratch(run, *task, *out)
    if game is not None:
        raise wrong_policy(game)
    return out


@cache
def _playing(policy: Policy, device: str) -> Any:
    return _maker(device).playing(policy)


@cache
def _rolling(policy: Policy, device: str) -> Any:
    return _maker(device).rolling(policy)


def _maker(device: str) -> Any:
    if device == "cpu":
        return loops
    need_gpu()
    from forsale.kernel import gpu

    return gpu


def _on_gpu(kernel: Any, task: tuple[Any, ...], out: Outcomes) -> Any:
    from forsale.kernel.gpu import Found, cuda, launched

    found = Found()
    on_device = [cuda.device_array(array.shape, array.dtype) for array in out]
    given = [cuda.to_device(value) if isinstance(value, np.ndarray) else value for value in task]
    launched(kernel, len(out.scores))(*given, found.array, *on_device)
    for array, result in zip(out, on_device, strict=True):
        result.copy_to_host(array)
    return found.take()
