"""For Sale on integer arrays: thousands of games at once, from one source compiled for the CPU and for CUDA.

>>> import numpy as np
>>> from forsale import kernel
>>> batch = kernel.create("iello-2020", seats=4, games=2, seed=1)
>>> batch.legal_mask().sum(axis=1).tolist()
[22, 22]
>>> batch.step(np.zeros(2, np.int64))
>>> batch.observe().shape
(2, 122)
>>> kernel.play("iello-2020", seats=4, games=1000, seed=1).win_shares.sum()
np.float32(1000.0)

Needs numba: `pip install forsale[fast]`. The first use on a machine compiles, which takes some seconds.
"""

try:
    import numba as _  # noqa: F401
except ImportError:
    raise ImportError("forsale.kernel needs numba: pip install forsale[fast]") from None

from forsale import editions
from forsale.editions import Edition
from forsale.kernel import checks
from forsale.kernel.batch import Batch, Buffer, Policy
from forsale.kernel.compiling import compiled
from forsale.kernel.cpu import CpuBatch
from forsale.kernel.devices import need_gpu
from forsale.kernel.errors import KernelError
from forsale.kernel.rolling import Outcomes, play, roll_out, rules_of
from forsale.scalar import legal

__all__ = ["Batch", "Buffer", "KernelError", "Outcomes", "Policy", "create", "play", "roll_out", "uniform"]

uniform = compiled(legal.uniform)
"""The policy that does anything that is allowed, each thing as often."""


def create(
    edition: str | Edition = editions.DEFAULT,
    seats: int = 4,
    games: int = 1024,
    variant: str | None = None,
    seed: int = 0,
    device: str = "cpu",
    threads: int | None = None,
) -> Batch:
    """Games side by side, dealt and ready. `device` is `cpu` or `cuda`; `threads` is for the CPU, by default all cores.

    Raises `KernelError`, `EditionError` for seats or a variant that the edition lacks, or `EncodingError` for an
    edition that is too large.
    """
    rules = rules_of(edition, seats, variant)
    games, seed = checks.games_of(games), checks.seed_of(seed)
    if checks.device_of(device) == "cpu":
        return CpuBatch(rules, games, seed, threads)
    need_gpu()
    from forsale.kernel.cuda_batch import CudaBatch  # only where asked for: it takes a GPU and its driver

    return CudaBatch(rules, games, seed)
