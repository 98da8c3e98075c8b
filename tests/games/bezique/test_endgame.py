"""The search of the last tricks against plain recursion in Python."""

import functools

import numpy as np
import pytest

from simcards.games.bezique.endgame import DEPTH, search

TEN = 6


def replies(hand, led, trump):
    following = [card for card in hand if card // 8 == led // 8]
    if following:
        return [card for card in following if card > led] or following
    return [card for card in hand if card // 8 == trump] or list(hand)


def value(leader, other, trump, brisque, last):
    if not leader:
        return 0.0
    results = []
    for led in set(leader):
        answers = []
        for reply in set(replies(other, led, trump)):
            points = brisque * ((led % 8 >= TEN) + (reply % 8 >= TEN)) + (last if len(leader) == 1 else 0)
            mine, theirs = list(leader), list(other)
            mine.remove(led)
            theirs.remove(reply)
            beaten = reply > led if reply // 8 == led // 8 else reply // 8 == trump
            if beaten:
                answers.append(-points - value(theirs, mine, trump, brisque, last))
            else:
                answers.append(points + value(mine, theirs, trump, brisque, last))
        results.append(min(answers))
    return max(results)


def packed(hand):
    return np.uint64(functools.reduce(lambda code, pair: code | pair[1] << 8 * pair[0], enumerate(sorted(hand)), 0))


@pytest.mark.parametrize("count", range(1, DEPTH + 1))
@pytest.mark.parametrize("trump", [-1, 0, 1, 2, 3])
def test_search_equals_recursion(count, trump):
    rng = np.random.default_rng(10 * count + trump)
    pack = np.repeat(np.arange(32), 4)
    prices = np.array([0.0, 0, 0, 0, 0, 0, 10, 10])
    for _ in range(60):
        cards = [int(card) for card in rng.choice(pack, 2 * count, replace=False)]
        leader, other = cards[:count], cards[count:]
        card, found = search(packed(leader), packed(other), count, trump, prices, 50.0)
        assert found == value(leader, other, trump, 10, 50)
        assert card in leader
