"""Tables on a GPU, one thread each. A field of all tables lies together, as in `forsale.kernel.gpu`."""

from numba import boolean, int16

from forsale.bots.champion.told import ROW
from forsale.encoding import ACTIONS
from forsale.kernel.gpu import THREADS, cuda, hand_over, launched
from forsale.train.cpu import begin, proceed, tell

__all__ = ["begin_all", "launched", "proceed_all", "shown"]

shown = cuda.as_cuda_array
"""A tensor as a kernel takes it."""


@cuda.jit
def begin_all(states, decks, rules, watched, settings, seats, members, pool, seed):
    t = cuda.grid(1)
    if t < states.shape[1]:
        lying = (states[:, t], decks[:, t], rules, watched[:, t])
        begin(*lying, settings[:, t], seats[:, t], members[:, t], pool, seed, t)


@cuda.jit
def proceed_all(
    states, decks, rules, watched, settings, seats, members, pool, seed, actions, done, shares, scores, rows, masks
):
    told = cuda.shared.array((THREADS, ROW), int16)
    allowed = cuda.shared.array((THREADS, ACTIONS), boolean)
    t = cuda.grid(1)
    if t < states.shape[1]:
        s, w, setting = states[:, t], watched[:, t], settings[:, t]
        proceed(
            s,
            decks[:, t],
            rules,
            w,
            setting,
            seats[:, t],
            members[:, t],
            pool,
            seed,
            t,
            actions[t],
            done,
            shares,
            scores,
        )
        tell(s, rules, w, setting, told[cuda.threadIdx.x], allowed[cuda.threadIdx.x])
    hand_over(told, rows)
    hand_over(allowed, masks)
