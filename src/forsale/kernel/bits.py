"""Sets of cards and seats as bits of one number, and chance that depends on nothing but a key and a counter.

The bit functions are one or two machine instructions each, on the CPU and on a GPU, and in 32 bits.
"""

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

jit = numba.njit(cache=True, nogil=True, boundscheck=False, _nrt=False, forceinline=True)
policy_jit = numba.njit(nogil=True, boundscheck=False, _nrt=False, forceinline=True)
"""For what is given a policy. It is not kept: the kept code would hold a policy that is perhaps no longer there."""

i32 = np.int32
"""numba calculates in 64 bits unless it is told otherwise, and a GPU pays twice for that."""
_WORD = ir.IntType(32)


def _narrow(builder, value):
    """The lower 32 bits of a whole number."""
    width = value.type.width
    if width == _WORD.width:
        return value
    return builder.trunc(value, _WORD) if width > _WORD.width else builder.sext(value, _WORD)


@intrinsic
def popcount(_, mask):
    """How many bits are set."""

    def code(_context, builder, _signature, args):
        return builder.ctpop(_narrow(builder, args[0]))

    return types.int32(mask), code


@intrinsic
def lowest(_, mask):
    """The place of the lowest bit that is set; anything if there is none."""

    def code(_context, builder, _signature, args):
        return builder.cttz(_narrow(builder, args[0]), ir.Constant(ir.IntType(1), 1))

    return types.int32(mask), code


@intrinsic
def bit(_, place):
    """The set of one place, below 32."""

    def code(_context, builder, _signature, args):
        return builder.shl(ir.Constant(_WORD, 1), _narrow(builder, args[0]))

    return types.int32(place), code


@intrinsic
def has(_, mask, place):
    """1 if the bit at a place below 32 is set, else 0."""

    def code(_context, builder, _signature, args):
        mask, place = (_narrow(builder, arg) for arg in args)
        return builder.and_(builder.lshr(mask, place), ir.Constant(_WORD, 1))

    return types.int32(mask, place), code


@intrinsic
def without_lowest(_, mask):
    """The others."""

    def code(_context, builder, _signature, args):
        mask = _narrow(builder, args[0])
        return builder.and_(mask, builder.sub(mask, ir.Constant(_WORD, 1)))

    return types.int32(mask), code


@jit
def nth(mask, n):
    """The place of the n-th bit that is set, from 0."""
    # As many turns whatever n is: a loop that ends at random costs more than the turns it saves.
    for i in range(i32(popcount(mask) - 1)):
        mask = without_lowest(mask) if i < n else mask
    return lowest(mask)


_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@jit
def word(key, counter):
    """64 bits of chance: the same for the same key and counter, on any machine (SplitMix64, by counter)."""
    x = np.uint64(key) + np.uint64(counter) * _GAMMA
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@jit
def below(x, n):
    """A number below n from the upper half of a word of chance."""
    return i32(((x >> _S32) * np.uint64(np.uint32(n))) >> _S32)


@jit
def below_too(x, n):
    """Another one, from the lower half."""
    return i32((np.uint64(np.uint32(x)) * np.uint64(np.uint32(n))) >> _S32)


@jit
def key_of(seed, game, episode):
    """The key of all chance in one game: decks, first seat, and whatever its players leave to chance."""
    return word(word(word(seed, np.uint64(1)), np.uint64(game)), np.uint64(episode))
