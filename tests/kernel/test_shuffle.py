"""Dealing: exact on a model with small words, the kernel against that model, and chi-square tests."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simcards.kernel import shuffle
from simcards.kernel.compiled import kernel
from simcards.kernel.rng import new_stream, seed_stream
from simcards.kernel.shuffle import fixed_deal, fresh_deal, shuffle_prefix
from tests.kernel.models import WORD, py_next, py_seed

SMALL = 1e-3  # the seeds are fixed: a test that passes goes on passing

# --- the model, in Python's integers and for words of any length ---


def plan(n, k):
    """Return the first bound and the size of each batch, as the kernel cuts them."""
    k = min(k, n - 1)
    bound = n - k + 1
    batches = []
    for size, largest in shuffle.BATCHES:
        while bound + size - 1 <= min(largest, n):
            batches.append((bound, size))
            bound += size
    while bound <= n:
        size = min(n - bound + 1, shuffle.LEFT if n <= shuffle.MANY else shuffle.LEFT_OF_MANY)
        batches.append((bound, size))
        bound += size
    return batches


def digits(word, bounds, base):
    """Return numbers below each of the bounds out of one word below `base`, and the last lower half."""
    found = []
    for bound in bounds:
        found.append(word * bound // base)
        word = word * bound % base
    return found, word


def numbers(word, bounds, base):
    """Return numbers below each of the bounds out of one word below `base`, or None when it is rejected."""
    found, low = digits(word, bounds, base)
    return None if low < base % math.prod(bounds) else found


def place_cards(cards, batches, k, next_word, base):
    """Deal once into a copy; return whether no word was rejected, and the copy as far as it came."""
    cards = list(cards)
    place = k - 1
    for first, size in batches:
        bounds = range(first, first + size)
        found, low = digits(next_word(), bounds, base)
        for number in found:
            cards[place], cards[place + number] = cards[place + number], cards[place]
            place -= 1
        if low < base % math.prod(bounds):
            return False, cards
    return True, cards


def model_fresh(template, k, next_word):
    n = len(template)
    k = min(k, n - 1)
    while True:
        accepted, cards = place_cards(template, plan(n, k), k, next_word, WORD)
        if accepted:
            return cards


def model_in_place(cards, k, next_word):
    n = len(cards)
    k = min(k, n - 1)
    accepted = False
    while not accepted:
        accepted, cards = place_cards(cards, plan(n, k), k, next_word, WORD)
    return cards


# --- compiled loops ---


@kernel
def deal_many(seed, low, high, stream, template, k, out):
    for index in range(low, high):
        seed_stream(stream, seed, 0, index)
        fresh_deal(stream, template, out[index - low], k)


@kernel
def shuffle_many(seed, low, high, stream, k, decks):
    for index in range(low, high):
        seed_stream(stream, seed, 0, index)
        shuffle_prefix(stream, decks[index - low], k)


@kernel
def deal_fixed_many(seed, low, high, stream, template, k, fixed, out):
    for index in range(low, high):
        seed_stream(stream, seed, 0, index)
        fixed_deal(stream, template, out[index - low], k, fixed)


@kernel
def products_of(first):
    return shuffle._PRODUCTS_12[first], shuffle._PRODUCTS_10[first]


def pack(n):
    return (np.arange(n) % 256).astype(np.uint8)


def deals(n, k, count, seed=1):
    out = np.empty((count, n), np.uint8)
    deal_many(np.uint64(seed), 0, count, new_stream(), pack(n), k, out)
    return out


def fixed_deals(fixed, k, count, seed=1):
    fixed = np.array(fixed, np.int16)
    template = np.setdiff1d(np.arange(len(fixed)), fixed).astype(np.uint8)
    out = np.empty((count, len(fixed)), np.uint8)
    deal_fixed_many(np.uint64(seed), 0, count, new_stream(), template, k, fixed, out)
    return out


def even(counts):
    """Say whether independent counts fit equal chances, neither too badly nor too well."""
    return SMALL < stats.chisquare(np.ravel(counts)).pvalue < 1 - SMALL


def positions_fit(table):
    """Say whether a square table of cards by places fits uniform deals.

    Its rows and columns have fixed sums; the covariances of the indicators "this card in this place" give the
    statistic below, with its factor, as many degrees of freedom as a contingency table has.
    """
    size = len(table)
    expected = table[:, 0].sum() / size
    statistic = ((table - expected) ** 2).sum() / expected * (size - 1) / size
    return SMALL < stats.chi2.sf(statistic, (size - 1) ** 2) < 1 - SMALL


def table_of(rows, cards):
    return np.stack([np.bincount(column, minlength=cards) for column in rows.T], axis=1)


# --- the method is exact ---


@pytest.mark.parametrize(
    ("bits", "bounds"),
    [
        (8, (3,)),
        (8, (2, 3, 4)),
        (8, (3, 4, 5)),
        (8, (4, 5, 6)),
        (8, (7, 8)),
        (8, (2, 3, 4, 5)),
        (12, (2, 3, 4, 5, 6)),
        (12, (5, 6, 7, 8)),
        (12, (14, 15, 16)),
        (12, (51, 52)),
        (12, (62, 63)),
    ],
)
def test_one_word_gives_every_result_equally_often(bits, bounds):
    base = 2**bits
    product = math.prod(bounds)
    counts = Counter()
    for word in range(base):
        found = numbers(word, bounds, base)
        counts["rejected" if found is None else tuple(found)] += 1
    assert counts.pop("rejected", 0) == base % product
    assert counts == dict.fromkeys(itertools.product(*map(range, bounds)), base // product)


@pytest.mark.parametrize(
    ("n", "k", "batches"),
    [
        (5, 4, [(2, 3), (5, 1)]),
        (5, 4, [(2, 2), (4, 2)]),
        (5, 2, [(4, 1), (5, 1)]),
        (5, 2, [(4, 2)]),
        (6, 3, [(4, 2), (6, 1)]),
        (4, 1, [(4, 1)]),
        (7, 3, [(5, 1), (6, 2)]),
    ],
)
def test_all_words_give_every_deal_equally_often(n, k, batches):
    # deals without rejection; one with a rejection starts anew and so has the same distribution
    base = 2**8
    counts = Counter()
    for words in itertools.product(range(base), repeat=len(batches)):
        row = iter(words)
        accepted, cards = place_cards(range(n), batches, k, lambda row=row: next(row), base)
        assert sorted(cards) == list(range(n))
        if accepted:
            counts[tuple(cards[:k])] += 1
    assert set(counts) == set(itertools.permutations(range(n), k))
    assert len(set(counts.values())) == 1
    total = math.prod(base - base % math.prod(range(first, first + size)) for first, size in batches)
    assert sum(counts.values()) == total


# --- the kernel follows the method ---


def test_plan_covers_the_bounds():
    for n in [*range(1, 130), 192, 255, 256, 257, 416, 1024, 1025, 1792]:
        for k in {0, 1, n // 3, n // 2, n - 1, n}:
            batches = plan(n, k)
            bounds = [first + i for first, size in batches for i in range(size)]
            assert bounds == list(range(n - min(k, n - 1) + 1, n + 1))
            for first, size in batches:
                assert math.prod(range(first, first + size)) < 2**62


def test_rejections_are_as_rare_as_said():
    def chance(n):
        return sum(WORD % math.prod(range(first, first + size)) for first, size in plan(n, n)) / WORD

    assert round(1 / chance(52)) == 2651
    assert round(1 / chance(192)) == 175
    assert all(
        math.prod(range(first, first + size)) < 2**56
        for size, largest in shuffle.BATCHES
        for first in range(1, largest - size + 2)
    )


def test_products():
    tables = shuffle._PRODUCTS_12, shuffle._PRODUCTS_10, shuffle._PRODUCTS_8, shuffle._PRODUCTS_7
    for table, (size, largest) in zip(tables, shuffle.BATCHES):
        assert len(table) == largest - size + 2
        assert table.tolist() == [math.prod(range(first, first + size)) for first in range(len(table))]
    assert products_of(2) == (math.factorial(13), math.factorial(11))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 13, 15, 16, 17, 24, 32, 52, 64, 96, 128, 192, 256, 300, 416, 1024, 1792])
def test_kernel_equals_the_model(n):
    stream = new_stream()
    template = pack(n)
    for index, k in enumerate(sorted({0, 1, 2, n // 4, n // 2, n - 2, n - 1, n} & set(range(n + 1)))):
        for seed in range(3):
            seed_stream(stream, seed, 0, index)
            model = py_seed(seed, 0, index)
            deck = np.full(n, 77, np.uint8)
            fresh_deal(stream, template, deck, k)
            assert deck.tolist() == model_fresh(template.tolist(), k, lambda model=model: py_next(model))
            assert stream.tolist() == model  # not a word more or less
            before = deck.tolist()
            shuffle_prefix(stream, deck, k)
            assert deck.tolist() == model_in_place(before, k, lambda model=model: py_next(model))
            assert stream.tolist() == model
    assert template.tolist() == pack(n).tolist()


def stream_with_first(word, seed):
    """Return a stream whose next word is this one."""
    first = (word >> 23 | word << 41) % WORD
    return [0, py_seed(seed, 0, 0)[1], py_seed(seed, 0, 0)[2], first]


@pytest.mark.parametrize(
    ("n", "k", "size"),
    [
        (52, 51, 12),
        (30, 29, 12),
        (64, 45, 10),
        (128, 30, 8),
        (192, 50, 7),
        (52, 3, 3),
        (300, 20, 6),
        (1792, 9, 3),
    ],
)
def test_rejected_words(n, k, size):
    first, found = plan(n, k)[0]
    assert found == size
    product = math.prod(range(first, first + size))
    threshold = WORD % product
    template = pack(n)
    rejections = 0
    # the words that matter have a low last half: the first of each run of words with the same result
    words = [-(-result * WORD // product) for result in range(0, product, product // 40)]
    for word in [*words, *((word + 1) % WORD for word in words)]:
        rejections += word * product % WORD < threshold
        for dealer in ("fresh", "in place"):
            model = stream_with_first(word, 5)
            stream = np.array(model, np.uint64)
            deck = template.copy()
            if dealer == "fresh":
                fresh_deal(stream, template, deck, k)
                expected = model_fresh(template.tolist(), k, lambda model=model: py_next(model))
            else:
                shuffle_prefix(stream, deck, k)
                expected = model_in_place(template.tolist(), k, lambda model=model: py_next(model))
            assert deck.tolist() == expected
            assert stream.tolist() == model
    assert 0 < rejections < len(words)


def test_a_deal_does_not_depend_on_the_one_before():
    for n, k in ((52, 52), (52, 13), (192, 40), (9, 4)):
        stream = new_stream()
        results = []
        for junk in (0, 255, 7):
            deck = np.full(n, junk, np.uint8)
            seed_stream(stream, 4, 0, 123)
            fresh_deal(stream, pack(n), deck, k)
            results.append(deck.tolist())
        assert results[0] == results[1] == results[2]
        assert sorted(results[0]) == pack(n).tolist()
    assert (deals(52, 52, 300)[200:] == deals(52, 52, 300)[200:]).all()


def test_neighbours_in_memory_are_left_alone():
    for n in (1, 7, 15, 16, 17, 31, 33, 52):
        for k in (0, n // 2, n):
            room = np.full(n + 64, 200, np.uint8)
            stream = new_stream()
            seed_stream(stream, 1, 0, n)
            fresh_deal(stream, pack(n), room[32 : 32 + n], k)
            assert (room[:32] == 200).all()
            assert (room[32 + n :] == 200).all()


def test_empty_decks():
    stream = new_stream()
    seed_stream(stream, 1, 0, 0)
    before = stream.tolist()
    empty = np.empty(0, np.uint8)
    fresh_deal(stream, empty, empty.copy(), 0)
    shuffle_prefix(stream, empty, 0)
    fixed_deal(stream, empty, empty.copy(), 0, np.empty(0, np.int16))
    assert stream.tolist() == before


# --- what comes out of the kernel ---


@pytest.mark.parametrize("in_place", [False, True])
def test_all_orders_of_five_cards(in_place):
    rows = deals(5, 5, 240_000, seed=11)
    if in_place:
        rows = np.tile(np.array([3, 1, 4, 0, 2], np.uint8), (240_000, 1))
        shuffle_many(np.uint64(12), 0, len(rows), new_stream(), 5, rows)
    codes = rows @ (5 ** np.arange(5))
    found, counts = np.unique(codes, return_counts=True)
    assert len(found) == 120
    assert even(counts)


@pytest.mark.parametrize(("n", "k"), [(6, 3), (20, 2), (52, 2), (64, 2), (9, 4)])
@pytest.mark.parametrize("in_place", [False, True])
def test_all_starts(n, k, in_place):
    count = 40 * math.perm(n, k)
    if in_place:
        rows = np.tile(pack(n), (count, 1))
        shuffle_many(np.uint64(22), 0, count, new_stream(), k, rows)
    else:
        rows = deals(n, k, count, seed=21)
    assert (np.sort(rows, axis=1) == pack(n)).all()
    codes = rows[:, :k].astype(np.int64) @ (n ** np.arange(k))
    found, counts = np.unique(codes, return_counts=True)
    assert len(found) == math.perm(n, k)
    assert even(counts)


@pytest.mark.parametrize(("n", "count"), [(32, 200_000), (52, 200_000), (128, 60_000), (192, 60_000)])
def test_every_card_in_every_place(n, count):
    rows = deals(n, n, count, seed=n)
    assert (np.sort(rows, axis=1) == pack(n)).all()
    assert positions_fit(table_of(rows, n))


@pytest.mark.parametrize(("n", "k"), [(52, 13), (192, 27), (192, 9)])
def test_every_card_in_every_dealt_place(n, k):
    rows = deals(n, k, 100_000, seed=n + k)[:, :k]
    for column in rows.T:
        assert 1e-4 < stats.chisquare(np.bincount(column, minlength=n)).pvalue < 1 - 1e-4


@pytest.mark.parametrize(("n", "count"), [(52, 300_000), (192, 400_000)])
def test_neighbouring_cards(n, count):
    # one pair of neighbouring places a deal, another one in the next deal: the counts are independent
    rows = deals(n, n, count, seed=7 * n)
    place = np.arange(count) % (n - 1)
    deal = np.arange(count)
    pairs = rows[deal, place].astype(np.int64) * n + rows[deal, place + 1]
    counts = np.bincount(pairs, minlength=n * n).reshape(n, n)
    assert (np.diag(counts) == 0).all()
    assert even(counts[~np.eye(n, dtype=bool)])


def test_rising_runs_and_cycles():
    # two statistics of whole orders with known means and variances
    n, count = 52, 200_000
    rows = deals(n, n, count, seed=99).astype(np.int64)
    descents = (np.diff(rows, axis=1) < 0).sum(axis=1)
    z = (descents.mean() - (n - 1) / 2) / math.sqrt((n + 1) / 12 / count)
    assert abs(z) < 3.5
    unmoved = (rows == np.arange(n)).sum(axis=1)  # Poisson(1) but for terms of order 1/52!
    expected = np.array([math.exp(-1) / math.factorial(i) for i in range(6)])
    expected = np.append(expected, 1 - expected.sum()) * count
    found = np.bincount(np.minimum(unmoved, 6), minlength=7)
    assert stats.chisquare(found, expected).pvalue > SMALL


def test_successive_deals_are_independent():
    rows = deals(52, 52, 300_000, seed=3).astype(np.int64)
    for a, b in ((0, 0), (0, 51), (51, 0)):
        pairs = rows[:-1:2, a] * 52 + rows[1::2, b]
        assert even(np.bincount(pairs, minlength=52 * 52))


# --- some cards known ---


def test_fixed_cards_stay_and_all_cards_are_there():
    fixed = [-1] * 52
    for place, card in ((0, 51), (5, 0), (20, 13), (51, 7)):
        fixed[place] = card
    for k in (0, 6, 13, 30, 52):
        rows = fixed_deals(fixed, k, 500)
        assert (np.sort(rows, axis=1) == pack(52)).all()
        for place, card in enumerate(fixed):
            if card >= 0:
                assert (rows[:, place] == card).all()


@pytest.mark.parametrize("k", [3, 4, 7])
def test_free_places_are_uniform(k):
    fixed = [-1, 4, -1, -1, 0, -1, 6]
    free = [place for place in range(k) if fixed[place] < 0]
    rows = fixed_deals(fixed, k, 60_000, seed=k)
    codes = rows[:, free].astype(np.int64) @ (7 ** np.arange(len(free)))
    found, counts = np.unique(codes, return_counts=True)
    assert len(found) == math.perm(4, len(free))
    assert even(counts)


def test_a_known_hand():
    fixed = [-1] * 52
    fixed[13:26] = range(13)
    rows = fixed_deals(fixed, 52, 100_000)
    free = [*range(13), *range(26, 52)]
    assert positions_fit(table_of(rows[:, free] - 13, 39))


def test_without_fixed_cards_it_is_a_fresh_deal():
    assert (fixed_deals([-1] * 52, 20, 300) == deals(52, 20, 300)).all()


def test_all_cards_fixed():
    order = np.random.default_rng(1).permutation(32).astype(np.int16)
    assert (fixed_deals(order, 32, 3) == order).all()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_fixed_deals_conserve_cards(data):
    n = data.draw(st.integers(1, 200))
    k = data.draw(st.integers(0, n))
    cards = data.draw(st.permutations(range(n)))
    known = data.draw(st.sets(st.integers(0, n - 1)))
    types = data.draw(st.integers(1, n))  # several copies of a card
    fixed = np.array([cards[place] % types if place in known else -1 for place in range(n)], np.int16)
    template = np.array(sorted(cards[place] % types for place in range(n) if place not in known), np.uint8)
    kept = template.copy()
    deck = np.full(n, 255, np.uint8)
    stream = new_stream()
    seed_stream(stream, data.draw(st.integers(0, 2**63 - 1)), 0, 0)
    fixed_deal(stream, template, deck, k, fixed)
    assert sorted(deck.tolist()) == sorted(card % types for card in cards)
    assert all(deck[place] == cards[place] % types for place in known)
    assert (template == kept).all()


def test_wrong_lengths_are_refused():
    stream = new_stream()
    with pytest.raises(ValueError, match="same length"):
        fresh_deal(stream, pack(52), np.empty(51, np.uint8), 10)
    with pytest.raises(ValueError, match="same length"):
        fixed_deal(stream, pack(5), np.empty(5, np.uint8), 5, np.full(6, -1, np.int16))
    with pytest.raises(ValueError, match="free places"):
        fixed_deal(stream, pack(5), np.empty(5, np.uint8), 5, np.array([-1, -1, 3, -1, -1], np.int16))
