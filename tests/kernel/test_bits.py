"""Masks of bits against Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcards.kernel.bits import bit, highest, lowest, nth_set, popcount
from simcards.kernel.compiled import kernel

EDGES = [
    0,
    1,
    2,
    3,
    2**31,
    2**32,
    2**32 - 1,
    2**63,
    2**64 - 1,
    2**64 - 2,
    0x5555555555555555,
    0x8000000000000001,
]


@kernel
def describe(mask):
    return popcount(mask), lowest(mask), highest(mask)


@kernel
def all_set(mask, places):
    count = popcount(mask)
    for n in range(count):
        places[n] = nth_set(mask, n)
    return count


def places_of(mask):
    return [i for i in range(64) if mask >> i & 1]


def found(mask):
    room = np.full(64, -1, np.int64)
    return room[: all_set(np.uint64(mask), room)].tolist()


@pytest.mark.parametrize("mask", EDGES)
def test_edges(mask):
    places = places_of(mask)
    expected = (len(places), places[0], places[-1]) if places else (0, 64, -1)
    assert describe(np.uint64(mask)) == expected
    assert found(mask) == places


def test_single_bits():
    for i in range(64):
        mask = bit(i)
        assert mask == 1 << i
        assert describe(np.uint64(mask)) == (1, i, i)
        assert nth_set(np.uint64(mask), 0) == i


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_any_mask(a, b):
    for mask in (a, a & b, a | b):
        places = places_of(mask)
        assert found(mask) == places
        assert describe(np.uint64(mask))[0] == mask.bit_count()
        if mask:
            assert describe(np.uint64(mask))[1:] == (places[0], mask.bit_length() - 1)


def test_every_byte_at_every_place():
    for byte in range(1, 256):
        for shift in range(0, 64, 8):
            assert found(byte << shift) == places_of(byte << shift)


def test_types_are_signed_where_indices_are_computed_with():
    # an unsigned index minus a signed one would become a float in compiled code
    assert all(isinstance(value, int) for value in describe(np.uint64(5)))
    assert isinstance(nth_set(np.uint64(5), 1), int)
