"""What the compiler is given in place of the plain functions in `forsale.scalar.bits`, for the CPU and for CUDA.

Bits are one or two machine instructions, in 32 bits. Chance is calculated in unsigned 64 bits, which wrap around by
themselves.
"""

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from forsale.scalar import bits

_WORD = ir.IntType(32)


def _narrow(builder, value):
    """The lower 32 bits of a whole number."""
    width = value.type.width
    if width == _WORD.width:
        return value
    return builder.trunc(value, _WORD) if width > _WORD.width else builder.sext(value, _WORD)


@intrinsic
def popcount(_, mask):
    def code(_context, builder, _signature, args):
        return builder.ctpop(_narrow(builder, args[0]))

    return types.int32(mask), code


@intrinsic
def lowest(_, mask):
    def code(_context, builder, _signature, args):
        return builder.cttz(_narrow(builder, args[0]), ir.Constant(ir.IntType(1), 1))

    return types.int32(mask), code


@intrinsic
def bit(_, place):
    def code(_context, builder, _signature, args):
        return builder.shl(ir.Constant(_WORD, 1), _narrow(builder, args[0]))

    return types.int32(place), code


@intrinsic
def has(_, mask, place):
    def code(_context, builder, _signature, args):
        mask, place = (_narrow(builder, arg) for arg in args)
        return builder.and_(builder.lshr(mask, place), ir.Constant(_WORD, 1))

    return types.int32(mask, place), code


@intrinsic
def without_lowest(_, mask):
    def code(_context, builder, _signature, args):
        mask = _narrow(builder, args[0])
        return builder.and_(mask, builder.sub(mask, ir.Constant(_WORD, 1)))

    return types.int32(mask), code


_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def word(key, counter):
    x = np.uint64(key) + np.uint64(counter) * _GAMMA
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


def below(x, n):
    return np.int32(((x >> _S32) * np.uint64(np.uint32(n))) >> _S32)


def below_too(x, n):
    return np.int32((np.uint64(np.uint32(x)) * np.uint64(np.uint32(n))) >> _S32)


INSTEAD = {
    bits.i32: np.int32,
    bits.u32: np.uint32,
    bits.popcount: popcount,
    bits.lowest: lowest,
    bits.bit: bit,
    bits.has: has,
    bits.without_lowest: without_lowest,
    bits.word: word,
    bits.below: below,
    bits.below_too: below_too,
}
"""By the plain function."""
