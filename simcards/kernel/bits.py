"""Sets of up to 64 things as one uint64 mask, with the processor's own bit instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcards.kernel.compiled import kernel


def _select_table() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the place of the n-th set bit of a byte at index ``8 * byte + n``."""
    table = np.zeros(8 * 256, np.uint8)
    for byte in range(256):
        places = [place for place in range(8) if byte >> place & 1]
        table[8 * byte : 8 * byte + len(places)] = places
    return table


_SELECT_IN_BYTE = _select_table()
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_HALVES = np.uint64(0x0F0F0F0F0F0F0F0F)


@intrinsic
def popcount(typingctx, mask):
    """Return the number of set bits of a uint64 mask."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest(typingctx, mask):
    """Return the index of the lowest set bit of a uint64 mask, 64 when none is set."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@intrinsic
def highest(typingctx, mask):
    """Return the index of the highest set bit of a uint64 mask, -1 when none is set."""

    def codegen(context, builder, signature, args):
        leading = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.uint64), codegen


@kernel
def bit(index):
    """Return the mask that holds only `index`, which lies in 0..63."""
    return np.uint64(1) << np.uint64(index)


@kernel
def nth_set(mask, n):
    """Return the index of a set bit by its rank.

    Parameters
    ----------
    mask : uint64
        The set.
    n : int64
        Rank of the bit wanted, 0 for the lowest; less than ``popcount(mask)``.

    Returns
    -------
    int64
        The index of the bit.

    Notes
    -----
    The sums of bits up to each byte are found side by side in one word, compared with `n` side by side, and a
    table ends the search inside a byte (Vigna, "Broadword Implementation of Rank/Select Queries", 2008).
    """
    mask = np.uint64(mask)
    rank = np.uint64(n)
    sums = mask - ((mask >> np.uint64(1)) & _PAIRS)
    sums = (sums & _FOURS) + ((sums >> np.uint64(2)) & _FOURS)
    sums = ((sums + (sums >> np.uint64(4))) & _HALVES) * _ONES
    # a byte keeps its top bit when the bits up to it are no more than the rank: the one wanted lies beyond
    passed = ((rank * _ONES) | _TOPS) - sums
    place = np.uint64(popcount(passed & _TOPS)) << np.uint64(3)
    rank -= ((sums << np.uint64(8)) >> place) & np.uint64(0xFF)
    byte = (mask >> place) & np.uint64(0xFF)
    return np.int64(place + np.uint64(_SELECT_IN_BYTE[(byte << np.uint64(3)) | rank]))


@kernel
def actions(mask):
    """Return the indices of the set bits of a mask, in order.

    Parameters
    ----------
    mask : uint64
        Such as the legal actions of a decision.

    Returns
    -------
    ndarray of int64
    """
    listed = np.empty(popcount(mask), np.int64)
    for place in range(listed.shape[0]):
        listed[place] = lowest(mask)
        mask &= mask - np.uint64(1)
    return listed
