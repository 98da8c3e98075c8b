"""Who wins a trick and what may be played, by hand-made cases."""

from __future__ import annotations

import numpy as np
import pytest

from simcards.kernel.tricks import hand_value, make_order, playable, trick_value, winner

# suits of four cards: 0-3, 8-11, 16-19, 24-27, the lowest first
SUITS = [[[8 * suit + rank] for rank in range(4)] for suit in range(4)]


def cards(mask: int) -> list[int]:
    return [card for card in range(64) if int(mask) >> card & 1]


def may_play(duties: str, hand: list[int], trick: list[int], trump: int = 3, suits=SUITS) -> list[int]:
    order = make_order(suits, trump, duties)[0]
    led, best = -1, 0
    if trick:
        led, best = trick[0], trick[winner(order, np.array(trick), len(trick))]
    return cards(playable(order, np.uint64(sum(1 << card for card in hand)), led, best))


@pytest.mark.parametrize(
    ("duties", "hand", "trick", "expected"),
    [
        ("", [0, 9, 24], [1], [0, 9, 24]),  # free play
        ("F", [0, 9, 24], [1], [0]),
        ("F", [9, 24], [1], [9, 24]),  # void: anything
        ("FR", [9, 24], [1], [24]),
        ("FR", [9, 10], [1], [9, 10]),  # no trump either
        ("FH", [0, 2, 3], [1], [2, 3]),
        ("FH", [0, 2, 3], [1, 25], [0, 2, 3]),  # ruffed: following cannot head it
        ("FH", [0], [1], [0]),
        ("FR", [24, 27], [1, 25], [24, 27]),
        ("FRO", [24, 27], [1, 25], [27]),
        ("FRO", [24], [1, 25], [24]),  # an undertrump is still a trump
        ("FRO", [24, 27], [25], [27]),  # a lead of trumps too
        ("FR", [24, 27], [25], [24, 27]),
        ("FHRO", [0, 9, 24], [], [0, 9, 24]),
    ],
)
def test_duties(duties: str, hand: list[int], trick: list[int], expected: list[int]) -> None:
    assert may_play(duties, hand, trick) == expected


def test_jacks_that_are_trumps_are_not_of_their_suit() -> None:
    # skat with hearts: rank 3 of every suit is a jack; trumps are 16, 17, 18 and the jacks in the order 3, 11, 19, 27
    plain = [[[8 * suit + rank] for rank in range(3)] for suit in (0, 1, 3)]
    trumps = [[16], [17], [18], [3], [11], [19], [27]]
    order = make_order([*plain, trumps], 3, "F")[0]
    assert may_play("F", [0, 3, 11], [1], 3, [*plain, trumps]) == [0]
    assert may_play("F", [0, 3, 11], [16], 3, [*plain, trumps]) == [3, 11]
    assert winner(order, np.array([1, 2, 18]), 3) == 2
    assert winner(order, np.array([18, 3, 27, 11]), 4) == 2


def test_of_like_cards_the_first_played_wins() -> None:
    order = make_order([[[0, 1], [2, 3]], [[8, 9]]], 1, "FH", {0: 10, 1: 10, 2: 4})[0]
    assert winner(order, np.array([1, 0]), 2) == 0
    assert winner(order, np.array([0, 1]), 2) == 0
    assert winner(order, np.array([0, 3, 2]), 3) == 1
    assert winner(order, np.array([3, 9, 8]), 3) == 1
    assert may_play("FH", [1, 8], [0], 1, [[[0, 1], [2, 3]], [[8, 9]]]) == [1]  # a like card does not head it
    assert trick_value(order, np.array([0, 3, 2]), 3) == 14
    assert hand_value(order, np.uint64(0b111)) == 24


@pytest.mark.parametrize(
    ("suits", "trump", "duties"),
    [([], -1, "F"), ([[[0]]], 1, "F"), ([[[0]], [[0]]], -1, "F"), ([[[64]]], -1, "F"), ([[[0]]], -1, "FX")],
)
def test_orders_that_cannot_be(suits, trump: int, duties: str) -> None:
    with pytest.raises(ValueError):
        make_order(suits, trump, duties)
