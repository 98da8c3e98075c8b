"""Random streams: one for every (seed, purpose, index), so that any deal can be dealt again by its index.

A stream is a ``uint64[4]`` array, the state of xoshiro256++ (Blackman and Vigna, "Scrambled Linear
Pseudorandom Number Generators", 2021), filled by SplitMix64 (Steele, Lea and Flood, "Fast Splittable
Pseudorandom Number Generators", 2014). Bounded integers are drawn without bias (Lemire, "Fast Random Integer
Generation in an Interval", 2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from simcards.kernel.bits import nth_set, popcount
from simcards.kernel.compiled import kernel

CARDS = 0  # purpose of the stream that shuffles
PLAY = 1  # purpose of the streams for decisions: PLAY + seat, seats 0..31
BOOTSTRAP = 33  # purpose of the stream that resamples results
ODDS = 34  # purpose of the stream for hands dealt by `simcards odds`
OTHER = 64  # purposes from here on are free for studies of one's own

# A stream as a record: what policies get, since handing on a record costs nothing (an array has its references counted)
STREAM = np.dtype([("words", "u8", (4,))])

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


def new_stream() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return room for a stream, to be filled by `seed_stream`.

    Returns
    -------
    numpy.ndarray
        Four zeros.
    """
    return np.zeros(4, np.uint64)


@intrinsic
def pointer(typingctx, array):
    """Return the address of the data of a C-contiguous array, or of a `STREAM` record.

    An array handed to a compiled function has its references counted, at the cost of several swaps of cards;
    a pointer has not. The caller keeps the array alive, and an index is neither checked nor counted from the
    end.
    """
    if isinstance(array, types.Record):

        def record_codegen(context, builder, signature, args):
            return builder.bitcast(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(types.uint64)(array), record_codegen
    if not isinstance(array, types.Array) or array.layout != "C":
        raise TypingError(f"expected a contiguous array, not {array}")

    def codegen(context, builder, signature, args):
        return make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def opaque(typingctx, value):
    """Return a uint64 unchanged, hidden from the optimiser.

    It otherwise takes chains of products with a loop's counters apart into polynomials, which is many times
    slower.
    """

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", args, False)

    return types.uint64(types.uint64), codegen


@intrinsic
def multiply_high(typingctx, a, b):
    """Return the upper 64 bits of the product of two uint64."""

    def codegen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@kernel
def mix(word):
    """Return the finaliser of SplitMix64 at a uint64: a one-to-one scrambling of all bits."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def seed_stream(stream, seed, purpose, index):
    """Start the stream of one purpose in one deal.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        Overwritten.
    seed : int64 or uint64
        The study's seed, used modulo 2**64.
    purpose : int64
        What the numbers are for: ``CARDS``, ``PLAY`` + seat, and so on.
    index : int64
        Number of the deal.

    Notes
    -----
    Seed, purpose and index are scrambled one after the other, so that neighbours in any of them share
    nothing. Within one seed and purpose no two indices give the same state; for two different ones, 128
    hashed bits would have to agree. The state is never all zeros, since the scrambling is one-to-one and its
    first two arguments differ.
    """
    key = mix(mix(np.uint64(seed) + _GOLDEN) + (np.uint64(purpose) + _ONE) * _GOLDEN)
    second = mix(~key)
    a = mix(key + np.uint64(index) * _GOLDEN)
    b = a ^ second
    words = pointer(stream)
    words[0] = mix(a + _GOLDEN)
    words[1] = mix(a + np.uint64(2) * _GOLDEN)
    words[2] = mix(b + np.uint64(3) * _GOLDEN)
    words[3] = mix(b + np.uint64(4) * _GOLDEN)


@kernel
def advance(state):
    """Return the next 64 bits of a stream given by `pointer`."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << np.uint64(17))
    state[3] = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return word


@kernel
def next64(stream):
    """Return the next 64 random bits.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        The stream, advanced.

    Returns
    -------
    uint64
        Uniform over all words.
    """
    return advance(pointer(stream))


@kernel
def _bounded(state, bound):
    word = advance(state)
    low = word * bound
    if low < bound:
        threshold = (_ZERO - bound) % bound
        while low < threshold:
            word = advance(state)
            low = word * bound
    return np.int64(multiply_high(word, bound))


@kernel
def bounded(stream, bound):
    """Draw an integer below a bound, without bias.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        The stream, advanced.
    bound : int64
        At least 1.

    Returns
    -------
    int64
        Uniform over 0 .. `bound` - 1.
    """
    return _bounded(pointer(stream), np.uint64(bound))


@kernel
def uniform(stream):
    """Draw a number between 0 and 1.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        The stream, advanced.

    Returns
    -------
    float64
        A multiple of 2**-53 in [0, 1).
    """
    return np.float64(advance(pointer(stream)) >> np.uint64(11)) * 2.0**-53


@kernel
def _choose(state, mask):
    return nth_set(mask, _bounded(state, np.uint64(popcount(mask))))


@kernel
def choose(stream, mask):
    """Draw an element of a set.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        The stream, advanced.
    mask : uint64
        The set, not empty.

    Returns
    -------
    int64
        Index of a set bit, each equally likely.
    """
    return _choose(pointer(stream), np.uint64(mask))


@kernel
def choose_several(stream, mask, count):
    """Draw some elements of a set, all choices alike; all of them when there are not so many.

    Parameters
    ----------
    stream : uint64[4] or STREAM
        The stream, advanced.
    mask : uint64
        The set.
    count : int64
        How many.

    Returns
    -------
    uint64
        The elements drawn.
    """
    size = popcount(mask)
    if count >= size:
        return mask
    few = min(count, size - count)
    drawn = _ZERO
    rest = mask
    for k in range(few):
        one = _ONE << np.uint64(nth_set(rest, bounded(stream, size - k)))
        drawn |= one
        rest &= ~one
    return drawn if few == count else rest
