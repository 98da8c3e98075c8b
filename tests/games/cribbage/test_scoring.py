"""The scoring kernel against published counts, and against the slow scorer."""

import random
from fractions import Fraction
from math import comb

import numba
import numpy as np
import pytest

from simcards.games.cribbage.scoring import (
    KEYS,
    PARTS,
    flush_of,
    has_nobs,
    pairs_before,
    place_of,
    run_with,
    score_four,
)

from . import slow

# Points of four cards and the starter over all 12,994,800 combinations (Lumetta)
PUBLISHED = [1009008, 99792, 2813796, 505008, 2855676, 697508, 1800268, 751324, 1137236, 361224, 388740, 51680, 317340]
PUBLISHED += [19656, 90100, 9168, 58248, 11196, 2708, 0, 8068, 2496, 444, 356, 3680, 0, 0, 0, 76, 4]


@numba.njit
def _count_all(counts, crib):
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for starter in range(52):
                        if starter != a and starter != b and starter != c and starter != d:
                            counts[score_four(a, b, c, d, starter, crib)] += 1


def all_scores(crib):
    counts = np.zeros(30, np.int64)
    _count_all(counts, crib)
    return counts.tolist()


def test_all_hands_score_as_published():
    counts = all_scores(False)
    assert counts == PUBLISHED
    total = sum(counts)
    assert total == comb(52, 4) * 48 == 12_994_800
    mean = sum(points * number for points, number in enumerate(counts)) / total
    square = sum(points**2 * number for points, number in enumerate(counts)) / total
    assert round(mean, 7) == 4.7691523
    assert round((square - mean**2) ** 0.5, 7) == 3.1254371
    # kept whenever it can be: the other two cards are any of 47
    chance = Fraction(counts[29] * comb(47, 2), comb(52, 6) * 46)
    assert round(1 / chance) == 216_580


def test_all_cribs_score_as_published():
    counts = all_scores(True)
    assert counts[0] == 1_022_208
    assert round(sum(points * number for points, number in enumerate(counts)) / sum(counts), 7) == 4.7348185


def kernel_parts(hand, starter, crib):
    key = np.uint64(0)
    for card in hand:
        key += KEYS[card]
    parts = int(PARTS[int(place_of(key + KEYS[starter]))])
    flush = int(flush_of(key, len(hand), starter, 1 if crib else 2))
    return parts & 255, parts >> 8 & 255, parts >> 16, flush, int(has_nobs(key, starter))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_hands_of_every_size_score_part_by_part(size):
    draw = random.Random(size)
    for number in range(4000):
        # every other time from a few ranks or a single suit, where more comes together
        pack = [range(52), [card for card in range(52) if card % 13 in (3, 4, 5, 6, 9, 10)], range(16)][number % 3]
        *hand, starter = draw.sample(list(pack), size + 1)
        for crib in (False, True):
            assert kernel_parts(hand, starter, crib) == slow.parts(hand, starter, crib), (hand, starter)


def test_four_cards_and_the_starter():
    draw = random.Random(0)
    for _ in range(4000):
        *hand, starter = draw.sample(range(52), 5)
        for crib in (False, True):
            assert score_four(*hand, starter, crib) == slow.points(hand, starter, crib)


def test_cards_laid_score_part_by_part():
    draw = random.Random(1)
    found = set()
    for number in range(20_000):
        ranks = draw.sample(range(7), draw.randint(3, 5))
        pack = [card for card in range(52) if card % 13 in ranks] if number % 2 else list(range(52))
        laid, recent = [], 0
        for card in draw.sample(pack, len(pack)):
            laid.append(card)
            if sum(map(slow.count, laid)) > 31:
                break
            same = int(pairs_before(np.uint64(recent), card % 13))
            run = 0 if same else int(run_with(np.uint64(recent), card % 13))
            _, pairs, expected = slow.laid(laid)
            assert (same * (same + 1), run) == (pairs, expected), laid
            found.add((same, run))
            recent = recent << 4 | (card % 13 + 1)
    assert {(same, 0) for same in range(4)} <= found
    assert {(0, run) for run in (3, 4, 5, 6, 7)} <= found
