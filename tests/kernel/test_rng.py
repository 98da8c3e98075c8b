"""Streams of random numbers against models written with Python's integers."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from simcards.kernel import rng
from simcards.kernel.compiled import kernel
from tests.kernel.models import GOLDEN, WORD, py_bounded, py_mix, py_next, py_seed


@kernel
def seeded(seed, purpose, indices, out):
    for i in range(len(indices)):
        rng.seed_stream(out[i], seed, purpose, indices[i])


@kernel
def words(stream, out):
    for i in range(len(out)):
        out[i] = rng.next64(stream)


@kernel
def draws(stream, bound, out):
    for i in range(len(out)):
        out[i] = rng.bounded(stream, bound)


@kernel
def uniforms(stream, out):
    for i in range(len(out)):
        out[i] = rng.uniform(stream)


@kernel
def choices(stream, mask, out):
    for i in range(len(out)):
        out[i] = rng.choose(stream, mask)


@kernel
def mixed(word):
    return rng.mix(word)


@kernel
def high(a, b):
    return rng.multiply_high(a, b)


def filled(function, stream, *args, count=1000, dtype=np.int64):
    out = np.empty(count, dtype)
    function(stream, *args, out)
    return out


def states(seed, purpose, indices):
    out = np.empty((len(indices), 4), np.uint64)
    seeded(np.uint64(seed), purpose, np.asarray(indices, np.int64), out)
    return out


def stream(seed=1, purpose=0, index=0):
    return states(seed, purpose, [index])[0]


def test_splitmix_published_vector():
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    arguments = [(1234567 + i * GOLDEN) % WORD for i in range(1, 6)]
    assert [py_mix(argument) for argument in arguments] == published
    assert [mixed(np.uint64(argument)) for argument in arguments] == published


def test_xoshiro_published_vector():
    published = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    state = [1, 2, 3, 4]
    assert [py_next(state) for _ in range(5)] == published
    assert filled(words, np.array([1, 2, 3, 4], np.uint64), count=5, dtype=np.uint64).tolist() == published


@pytest.mark.parametrize("seed", [0, 1, 2**63, WORD - 1])
def test_xoshiro_equals_the_model(seed):
    start = stream(seed)
    model = start.tolist()
    assert filled(words, start, dtype=np.uint64).tolist() == [py_next(model) for _ in range(1000)]
    assert start.tolist() == model


def test_streams_equal_the_model():
    for seed, purpose, index in itertools.product((0, 1, GOLDEN, WORD - 1), (0, 1, 33), (0, 1, 2**40)):
        assert stream(seed, purpose, index).tolist() == py_seed(seed, purpose, index)


def test_seed_may_be_signed_or_not():
    out = np.empty((1, 4), np.uint64)
    seeded(-1, 0, np.zeros(1, np.int64), out)
    assert out[0].tolist() == py_seed(WORD - 1, 0, 0)


def test_neighbouring_streams_share_no_word():
    # seeds that differ by the constant which steps from index to index are the trap of the plain sum of both
    seeds = [(base + step * GOLDEN) % WORD for base in range(5) for step in range(5)] + [WORD - 1]
    tables = [states(seed, purpose, range(200)) for seed in seeds for purpose in range(4)]
    assert len(np.unique(np.concatenate(tables))) == len(seeds) * 4 * 200 * 4


def test_neighbouring_streams_are_unlike():
    # first words of streams that differ by one in one argument: each bit differs half of the time
    def first(seed, purpose, indices):
        table = states(seed, purpose, indices)
        return np.array([filled(words, row, count=1, dtype=np.uint64)[0] for row in table])

    def unlike(a, b):
        n = len(a)
        bits = np.unpackbits((a ^ b).view(np.uint8)).reshape(n, 64).astype(np.int64)
        assert abs(bits.sum() - 32 * n) < 4 * np.sqrt(16 * n)
        assert np.abs(bits.sum(axis=0) - n / 2).max() < 4.5 * np.sqrt(n / 4)

    indices = np.arange(20_000)
    base = first(1, 0, indices)
    unlike(base[1:], base[:-1])
    unlike(base, first(2, 0, indices))
    unlike(base, first(1, 1, indices))


@pytest.mark.parametrize("bits", [3, 5, 8, 10])
def test_bounded_is_exact_for_small_words(bits):
    # every word once: the accepted ones give every number equally often
    word = 2**bits
    for bound in range(1, word):
        counts = Counter()
        for value in range(word):
            once = iter([value])
            try:
                counts[py_bounded(lambda once=once: next(once), bound, word)] += 1
            except StopIteration:
                counts["rejected"] += 1
        rejected = counts.pop("rejected", 0)
        assert rejected == word % bound
        assert counts == dict.fromkeys(range(bound), word // bound)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 52, 64, 192, 10**9 + 7, 2**32, 2**62 + 1, 3 * 2**61, 2**63 - 1])
def test_bounded_equals_the_model(bound):
    start = stream(5)
    model = start.tolist()
    expected = [py_bounded(lambda: py_next(model), bound) for _ in range(1000)]
    assert filled(draws, start, bound).tolist() == expected
    assert start.tolist() == model  # as many words were rejected: every fourth one for 3 * 2**61


@pytest.mark.parametrize("bound", [2, 6, 13, 52, 100])
def test_bounded_is_uniform(bound):
    counts = np.bincount(filled(draws, stream(bound), bound, count=200_000), minlength=bound)
    assert len(counts) == bound
    assert 1e-3 < stats.chisquare(counts).pvalue < 1 - 1e-3


def test_multiply_high():
    values = [0, 1, 2, 52, 2**32 - 1, 2**32, 2**63, WORD - 1, GOLDEN]
    for a, b in itertools.product(values, values):
        assert high(np.uint64(a), np.uint64(b)) == a * b >> 64


def test_uniform():
    start = stream(3)
    model = start.tolist()
    values = filled(uniforms, start, count=100_000, dtype=np.float64)
    assert values[:1000].tolist() == [(py_next(model) >> 11) / 2**53 for _ in range(1000)]
    assert values.min() >= 0
    assert values.max() < 1
    assert stats.kstest(values, "uniform").pvalue > 1e-3


def test_uniform_stays_below_one():
    # a state whose next word has all bits set
    assert filled(uniforms, np.array([0, 1, 2, WORD - 1], np.uint64), count=1, dtype=np.float64)[0] == 1 - 2**-53


@pytest.mark.parametrize("mask", [1, 2**63, 0b1011, 2**64 - 1, 0x8421084210842108])
def test_choose(mask):
    places = [i for i in range(64) if mask >> i & 1]
    chosen = Counter(filled(choices, stream(7), np.uint64(mask), count=64_000).tolist())
    assert sorted(chosen) == places
    if len(places) > 1:
        assert 1e-3 < stats.chisquare(list(chosen.values())).pvalue < 1 - 1e-3


def test_purposes_are_apart():
    seats = {rng.PLAY + seat for seat in range(32)}
    others = [rng.CARDS, rng.BOOTSTRAP, rng.ODDS, rng.OTHER]
    assert len(set(others)) == len(others)
    assert seats.isdisjoint(others)


def test_new_stream():
    room = rng.new_stream()
    assert room.shape == (4,)
    assert room.dtype == np.uint64


def test_only_contiguous_arrays_have_pointers():
    with pytest.raises(Exception, match="contiguous"):
        filled(words, np.zeros(8, np.uint64)[::2], count=1, dtype=np.uint64)
