"""What a hand of skat promises to who plays it: the chance to make a game, and to make the others schneider.

A chance is a logistic curve over a sum: of the jacks, the number of trumps, the other trumps, and what is held in each
side suit; in a null of what is held in each suit. The weights were found by logistic regression over deals that
``basic`` played out.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simcards.games.skat.frame import (
    ACE,
    GRAND,
    JACK,
    KING,
    NULL,
    ONE,
    QUEEN,
    TEN,
    points_in,
    ranks_in,
)
from simcards.games.skat.weights import GRANDS, NULLS, SUITS
from simcards.kernel.bits import popcount
from simcards.kernel.compiled import kernel

# What is estimated: the hand as dealt if the skat will be taken, with two cards laid away, and played from the hand
DEALT, FINAL, FROM_HAND = range(3)
MADE, SCHNEIDERED = range(2)

MOST_TRUMPS = 11


def side_features(holding: int, grand: bool) -> list[float]:
    """Return the features of the cards held in a side suit, seven bits."""

    def has(rank: int) -> bool:
        return bool(holding >> rank & 1)

    length = holding.bit_count()
    ace, ten, king = has(ACE), has(TEN), has(KING)
    small = length - ace - ten
    found = [
        ace,
        ten and ace,
        ten and not ace and length > 1,
        ten and length == 1,
        king and (ace or ten),
        king and not ace and not ten and length > 1,
        has(QUEEN) and length > 1,
        length == 0,
        length == 1 and not ace and not ten,
        small * (length > 1),
        (length >= 4) * (length - 3),
    ]
    if grand:
        found += [ace * max(0, length - 2), (ace and ten) * max(0, length - 2), (ace and ten and king)]
    return [float(feature) for feature in found]


def trump_features(holding: int) -> list[float]:
    """Return the features of the trumps held besides the jacks, seven bits."""
    ace, ten, king = holding >> ACE & 1, holding >> TEN & 1, holding >> KING & 1
    return [float(feature) for feature in (ace, ten, ace and ten, king)]


def jack_features(jacks: int) -> list[float]:
    """Return the features of the jacks held, as bits in the order S H D C."""
    spades, hearts, diamonds, clubs = (jacks >> suit & 1 for suit in range(4))
    return [float(feature) for feature in (clubs, spades, hearts, diamonds, clubs and spades, jacks.bit_count() >= 3)]


def count_features(trumps: int) -> list[float]:
    """Return the features of the number of trumps."""
    return [float(feature) for feature in (1, trumps, max(0, trumps - 6), max(0, 5 - trumps))]


NULL_ORDER = (0, 1, 2, 5, 7, 3, 4, 6)  # ranks as numbered, by their height in a null: 7 8 9 T J Q K A


def null_features(holding: int) -> list[float]:
    """Return the features of the cards held in a suit in a null, eight bits."""
    heights = [height for height, rank in enumerate(NULL_ORDER) if holding >> rank & 1]
    length = len(heights)
    excess = [max(0, height - 2 * place) for place, height in enumerate(heights)]
    return [
        float(feature)
        for feature in (
            length == 0,
            length == 1 and heights[0] > 0,
            length == 1 and max(0, heights[0] - 1),
            length > 1 and excess[0] > 0,
            length > 1 and excess[0] > 1,
            length > 1 and max(0, excess[0] - 2),
            length > 1 and excess[1] > 0,
            length > 1 and max(0, excess[1] - 1),
            length > 2 and sum(excess[2:], 0),
            length > 2 and any(excess[2:]),
            length >= 5,
        )
    ]


Table = np.ndarray[Any, np.dtype[np.float64]]


def _table(weights: Table, features: list[list[float]]) -> Table:
    """Return the sum of the weighted features, by kind and target and what is held."""
    return np.asarray(weights @ np.array(features).T)


SUIT_JACKS = _table(SUITS[..., :6], [jack_features(jacks) for jacks in range(16)])
SUIT_COUNT = _table(SUITS[..., 6:10], [count_features(trumps) for trumps in range(MOST_TRUMPS + 1)])
SUIT_TRUMPS = _table(SUITS[..., 10:14], [trump_features(holding) for holding in range(128)])
SUIT_SIDE = _table(SUITS[..., 14:25], [side_features(holding, False) for holding in range(128)])
SUIT_REST = np.ascontiguousarray(SUITS[..., 25:])  # for each point laid away, for the lead
GRAND_JACKS = _table(GRANDS[..., :6], [jack_features(jacks) for jacks in range(16)])
GRAND_SIDE = _table(GRANDS[..., 6:20], [side_features(holding, True) for holding in range(128)])
GRAND_REST = np.ascontiguousarray(GRANDS[..., 20:])  # always, for each point laid away, for the lead
NULL_SUITS = _table(NULLS[..., :11], [null_features(holding) for holding in range(256)])
NULL_REST = np.ascontiguousarray(NULLS[..., 11:])  # always, for the lead


@kernel
def jacks_in(cards):
    """Return the suits of the jacks held, four bits."""
    return np.int64(
        ((cards >> np.uint64(JACK)) & ONE)
        | ((cards >> np.uint64(JACK + 7)) & np.uint64(2))
        | ((cards >> np.uint64(JACK + 14)) & np.uint64(4))
        | ((cards >> np.uint64(JACK + 21)) & np.uint64(8))
    )


@kernel
def estimate(game, kind, target, hand, laid, leads):
    """Return how good a hand is for a game, as the logarithm of the odds.

    Parameters
    ----------
    game : int
        The game.
    kind : int
        ``DEALT``, ``FINAL`` or ``FROM_HAND``.
    target : int
        ``MADE``, or ``SCHNEIDERED`` for making the others schneider.
    hand, laid : uint64
        The cards, and those laid away.
    leads : bool
        Whether it is forehand.
    """
    total = 0.0
    if game == NULL:
        for suit in range(4):
            total += NULL_SUITS[kind, target, (hand >> np.uint64(8 * suit)) & np.uint64(0xFF)]
        return total + NULL_REST[kind, target, 0] + (NULL_REST[kind, target, 1] if leads else 0.0)
    jacks = jacks_in(hand)
    if game == GRAND:
        total = GRAND_JACKS[kind, target, jacks]
        for suit in range(4):
            total += GRAND_SIDE[kind, target, ranks_in(hand, suit)]
        total += GRAND_REST[kind, target, 0] + GRAND_REST[kind, target, 1] * points_in(laid)
        return total + (GRAND_REST[kind, target, 2] if leads else 0.0)
    total = SUIT_JACKS[kind, target, jacks]
    for suit in range(4):
        holding = ranks_in(hand, suit)
        if suit == game:
            total += SUIT_TRUMPS[kind, target, holding]
            total += SUIT_COUNT[kind, target, popcount(holding) + popcount(np.uint64(jacks))]
        else:
            total += SUIT_SIDE[kind, target, holding]
    total += SUIT_REST[kind, target, 0] * points_in(laid)
    return total + (SUIT_REST[kind, target, 1] if leads else 0.0)


@kernel
def chance_of(logit):
    """Return the chance of the logarithm of odds."""
    return 1.0 / (1.0 + math.exp(-logit))
