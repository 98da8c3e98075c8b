"""Dealing: uniform shuffles that draw only the cards needed, and many random numbers from one random word.

Cards are uint8 codes. A deal is a uniform sequence of `k` out of `n` cards in the first `k` places of an
array. It is made from place `k` - 1 down to place 0: the card that was there goes to a random place not
before it, and the card of that place comes here. By induction on the places done, any `k` cards in any order
are equally likely; with all places it is the inside-out form of the Fisher-Yates shuffle. From place 0 upward
the result is as good but takes more than half as long again, since then the processor cannot read a place
before it knows where the earlier swaps went.

The bounds are `n` - `k` + 1, ..., `n`. Several are drawn from one 64-bit word: the upper half of its product
with the bound is the number, the lower half goes on to the next bound. The last lower half tells whether the
word has to be rejected: when it is less than 2**64 modulo the product of the bounds (Brackett-Rozinsky and
Lemire, "Batched Ranged Random Integer Generation", 2024). Then the deal starts anew with the next word: all
words of the deal that is kept were accepted, so it is exactly uniform. It happens to one full deal of 52
cards in 2,651, of 192 cards in 175.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcards.kernel.compiled import kernel
from simcards.kernel.rng import advance, multiply_high, opaque, pointer

# A batch is a run of bounds drawn from one word: how many, and the largest bound that may be in it. The
# product of a batch stays below 2**56, so that a word is rejected less than once in 256 times.
BATCHES = ((12, 25), (10, 48), (8, 128), (7, 256))
# The bounds left over make shorter batches: at most so many, fewer when there are more than `MANY` cards.
LEFT, MANY, LEFT_OF_MANY = 6, 1024, 3


def _products(size: int, largest: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the product of a batch at the index of its first bound."""
    firsts = range(largest - size + 2)
    return np.array([math.prod(range(first, first + size)) for first in firsts], np.uint64)


_PRODUCTS_12, _PRODUCTS_10, _PRODUCTS_8, _PRODUCTS_7 = (_products(*batch) for batch in BATCHES)
_LAST_12, _LAST_10, _LAST_8, _LAST_7 = (np.uint64(largest - size + 1) for size, largest in BATCHES)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_CHUNK = np.uint64(16)


@intrinsic
def _copy_chunk(typingctx, target, source, place):
    """Copy sixteen bytes at once from and to the same place, counted from two pointers."""

    def codegen(context, builder, signature, args):
        chunk = ir.VectorType(ir.IntType(8), 16).as_pointer()
        to, at = (builder.bitcast(builder.gep(base, [args[2]]), chunk) for base in args[:2])
        builder.store(builder.load(at, align=1), to, align=1)
        return context.get_dummy_value()

    byte = types.CPointer(types.uint8)
    return types.none(byte, byte, types.uint64), codegen


@kernel
def _copy(source, deck, n, first):
    """Copy the places `first` .. `n` - 1, perhaps with some before, which the deal overwrites."""
    if n < _CHUNK:
        for place in range(first, n):
            deck[np.uint64(place)] = source[np.uint64(place)]
        return
    place = first
    while place + _CHUNK < n:
        _copy_chunk(deck, source, place)
        place += _CHUNK
    _copy_chunk(deck, source, n - _CHUNK)


@kernel(inline="always")
def _batch(state, source, deck, place, bound, size):
    """Fill `size` places from `place` downward out of one word, and return the last lower half."""
    word = advance(state)
    for step in range(size):
        here = place - np.uint64(step)
        many = opaque(bound + np.uint64(step))
        there = here + multiply_high(word, many)
        word = opaque(word * many)
        card = source[here]
        deck[here] = deck[there]
        deck[there] = card
    return word


@kernel(inline="always")
def _rejected(low, product):
    return low < product and low < (_ZERO - product) % product


@kernel
def _attempt(state, source, deck, n, k):
    """Deal once, and return whether no word had to be rejected. `source` may be `deck`."""
    bound = n - k + _ONE
    place = k - _ONE
    while bound <= _LAST_12 and bound + np.uint64(11) <= n:
        if _rejected(_batch(state, source, deck, place, bound, 12), _PRODUCTS_12[bound]):
            return False
        bound += np.uint64(12)
        place -= np.uint64(12)
    while bound <= _LAST_10 and bound + np.uint64(9) <= n:
        if _rejected(_batch(state, source, deck, place, bound, 10), _PRODUCTS_10[bound]):
            return False
        bound += np.uint64(10)
        place -= np.uint64(10)
    while bound <= _LAST_8 and bound + np.uint64(7) <= n:
        if _rejected(_batch(state, source, deck, place, bound, 8), _PRODUCTS_8[bound]):
            return False
        bound += np.uint64(8)
        place -= np.uint64(8)
    while bound <= _LAST_7 and bound + np.uint64(6) <= n:
        if _rejected(_batch(state, source, deck, place, bound, 7), _PRODUCTS_7[bound]):
            return False
        bound += np.uint64(7)
        place -= np.uint64(7)
    longest = np.uint64(LEFT) if n <= np.uint64(MANY) else np.uint64(LEFT_OF_MANY)
    while bound <= n:
        size = min(n - bound + _ONE, longest)
        low = _batch(state, source, deck, place, bound, size)
        product = bound
        for step in range(_ONE, size):
            product *= bound + np.uint64(step)
        if _rejected(low, product):
            return False
        bound += size
        place -= size
    return True


@kernel
def _deal(state, source, deck, n, k):
    """Deal `k` of the `n` cards of `source` into another array."""
    if n == _ZERO:
        return
    k = min(k, n - _ONE)  # the last card has no choice
    _copy(source, deck, n, k)
    while not _attempt(state, source, deck, n, k):
        _copy(source, deck, n, k)


@kernel
def _shuffle(state, deck, n, k):
    """Deal `k` of the `n` cards of an array into its front."""
    if n == _ZERO:
        return
    k = min(k, n - _ONE)
    while not _attempt(state, deck, deck, n, k):
        pass


@kernel
def shuffle_prefix(stream, deck, k):
    """Shuffle a deck in place as far as needed.

    Parameters
    ----------
    stream : uint64[4]
        The stream, advanced.
    deck : uint8[:]
        Cards, contiguous. Afterwards ``deck[:k]`` is a uniform sequence of `k` of them, and ``deck[k:]``
        holds the others in no particular order.
    k : int64
        How many cards, 0 to ``len(deck)``.
    """
    _shuffle(pointer(stream), pointer(deck), np.uint64(deck.shape[0]), np.uint64(k))


@kernel
def fresh_deal(stream, template, deck, k):
    """Deal from a full pack, whatever the deck held before.

    Parameters
    ----------
    stream : uint64[4]
        The stream, advanced.
    template : uint8[:]
        The pack in order, contiguous, unchanged.
    deck : uint8[:]
        Another array of the same length, overwritten: ``deck[:k]`` is a uniform sequence of `k` cards, and
        ``deck[k:]`` holds the others in no particular order.
    k : int64
        How many cards, 0 to ``len(template)``.

    Raises
    ------
    ValueError
        When the lengths differ.
    """
    if deck.shape[0] != template.shape[0]:
        raise ValueError("the deck and its template must have the same length")
    _deal(pointer(stream), pointer(template), pointer(deck), np.uint64(template.shape[0]), np.uint64(k))


@kernel
def _fixed_deal(state, source, free, deck, n, k, fixed):
    wanted = 0
    total = 0
    for place in range(n):
        total += fixed[place] < 0
        if place < k:
            wanted = total
    if total != free:
        raise ValueError("the template must be as long as there are free places in the deck")
    _deal(state, source, deck, np.uint64(free), np.uint64(wanted))
    # from the end, the cards move up to the free places in their order, and the fixed ones come between
    rank = free
    for step in range(1, n + 1):
        place = n - step
        if fixed[place] < 0:
            rank -= 1
            deck[place] = deck[rank]
        else:
            deck[place] = np.uint8(fixed[place])


@kernel
def fixed_deal(stream, template, deck, k, fixed):
    """Deal when some cards are known to lie in certain places.

    Parameters
    ----------
    stream : uint64[4]
        The stream, advanced.
    template : uint8[:]
        The pack without the fixed cards, contiguous, unchanged; as long as there are free places.
    deck : uint8[:]
        The whole deck, overwritten: the fixed cards in their places, a uniform sequence of the others in the
        free places among the first `k`, the rest behind in no particular order.
    k : int64
        How many places matter, 0 to ``len(deck)``.
    fixed : int16[:]
        For each place of the deck the code of its card, or -1 when it is free; contiguous.

    Raises
    ------
    ValueError
        When the lengths of the arrays do not fit together.
    """
    if fixed.shape[0] != deck.shape[0]:
        raise ValueError("the deck and its fixed cards must have the same length")
    source, cards, places = pointer(template), pointer(deck), pointer(fixed)
    _fixed_deal(pointer(stream), source, template.shape[0], cards, deck.shape[0], k, places)
