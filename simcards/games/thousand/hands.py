"""What a hand of thousand promises to the player who wins the auction: an honest estimate of the points he will take.

The estimate is a sum over the suits of what a holding in them is worth, and over the marriages of a share of what they
score. Its weights were found by least squares over 400,000 deals in which a player with random cards played the hand.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simcards.games.thousand import TWO_HAND
from simcards.games.thousand.frame import ACE, JACK, KING, PAIR, QUEEN, TEN, bonus_of, ranks_in
from simcards.kernel.bits import popcount
from simcards.kernel.compiled import kernel

# What is estimated: with three or two at the table, the hand as dealt or when the packet has been dealt with
THREE_DEALT, THREE_FINAL, TWO_DEALT, TWO_FINAL = range(4)


def features(holding: int) -> list[float]:
    """Return the features of the cards held in a suit, six bits, in the order of the weights."""

    def has(rank: int) -> bool:
        return bool(holding >> rank & 1)

    length = holding.bit_count()
    pair = has(KING) and has(QUEEN)
    return [
        float(feature)
        for feature in (
            has(ACE),
            has(TEN) and has(ACE),
            has(TEN) and not has(ACE) and length > 1,
            has(TEN) and length == 1,
            has(KING) and (has(ACE) or has(TEN)),
            has(KING) and not has(ACE) and not has(TEN),
            has(QUEEN),
            has(JACK),
            max(0, length - 2),
            pair,
            pair and has(ACE),
            pair and has(TEN),
            pair * (length - 2),
        )
    ]


# By what is estimated
WEIGHTS = np.array(
    [
        [14.3, 13.0, 2.6, 3.3, 1.8, -1.4, -0.6, -0.3, 4.2, -1.0, 0.9, 0.5, 4.1],
        [17.8, 17.3, 2.5, 0.0, 1.9, -1.4, -0.5, -1.0, 11.7, 6.2, -1.3, -1.1, 4.7],
        [9.5, 11.3, 0.9, -0.1, 1.4, -0.9, -0.2, -0.9, 3.2, -7.4, 5.7, 2.9, 3.2],
        [14.5, 14.8, 5.4, 3.2, 1.7, 1.4, 0.2, -0.7, 11.2, -3.5, 4.3, 0.0, 3.7],
    ]
)
BASE = np.array([41.0, -14.2, 39.3, -30.0])  # for no card at all
SHARE = np.array([0.97, 1.0, 0.98, 1.02])  # of the points of the highest marriage
FURTHER = np.array([0.63, 0.54, 0.69, 0.67])  # of those of further marriages
HALF = np.array([0.14, 0.0, 0.12, 0.0])  # of a marriage of which only the king or the queen is held
SPREAD = np.array([46.4, 18.5, 40.9, 17.2])  # standard deviation of the points about the estimate
WIDE = np.array([49.0, 42.6, 43.7, 38.3])  # the same with two marriages
GAIN = np.array([40.7, 0.0, 33.7, 0.0])  # standard deviation of what the packet changes in the estimate

STEEP = math.pi / math.sqrt(3.0)  # a logistic curve in place of the normal one
LOWEST, HIGHEST = 100, 400  # bids in the table of what they promise
CELL = 5  # width of the cells of estimates in it
CELLS = 81


def _table() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return what each holding is worth, by what is estimated."""
    return WEIGHTS @ np.array([features(holding) for holding in range(64)]).T


def _promises(dealt: int, final: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return what is written on average, by the estimate before the packet (cells) and the bid (tens from 100).

    After the packet the bid is raised to what then brings most.
    """
    bids = np.arange(LOWEST, HIGHEST + 1, 10)
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    later = CELL * np.arange(CELLS)[:, None] + GAIN[dealt] * nodes  # estimates after the packet
    chance = 1.0 / (1.0 + np.exp(STEEP * (bids - 0.5 - later[:, :, None]) / SPREAD[final]))
    brings = bids * (2.0 * chance - 1.0)
    best = np.maximum.accumulate(brings[:, :, ::-1], axis=2)[:, :, ::-1]
    return np.asarray(np.einsum("enb,n->eb", best, weights) / weights.sum())


TABLE = _table()
THREE_PROMISES = _promises(THREE_DEALT, THREE_FINAL)
TWO_PROMISES = _promises(TWO_DEALT, TWO_FINAL)


@kernel
def kind_of(rules, final):
    """Return what is to be estimated."""
    return (TWO_DEALT if rules.hand == TWO_HAND else THREE_DEALT) + (1 if final else 0)


@kernel
def estimate(rules, kind, hand):
    """Return the points that a player will take in cards and marriages on average, and their standard deviation.

    Parameters
    ----------
    rules : record
        The rules.
    kind : int
        What is estimated.
    hand : uint64
        The cards.

    Returns
    -------
    points, spread : float
    """
    total = BASE[kind]
    best = 0
    bonuses = 0
    for suit in range(4):
        holding = ranks_in(hand, suit)
        total += suit_estimate(rules, kind, suit, holding)
        if holding & PAIR == PAIR:
            bonus = bonus_of(rules, suit)
            best = max(best, bonus)
            bonuses += bonus
    if bonuses == best:
        return total, SPREAD[kind]
    return total - (SHARE[kind] - FURTHER[kind]) * (bonuses - best), WIDE[kind]


@kernel
def suit_estimate(rules, kind, suit, holding):
    """Return what the cards held in a suit add to the estimate."""
    total = TABLE[kind, holding]
    pair = popcount(holding & PAIR)
    if pair:
        total += bonus_of(rules, suit) * (SHARE[kind] if pair == 2 else HALF[kind])
    return total


@kernel
def written(points, expected, spread):
    """Return what a bid brings on average: its points if they are made, as much less if not."""
    return points * (2.0 / (1.0 + math.exp(STEEP * (points - 0.5 - expected) / spread)) - 1.0)


@kernel
def promise(rules, points, expected):
    """Return what a bid before the packet brings on average, with the best bid after it.

    Parameters
    ----------
    rules : record
        The rules.
    points : int
        The bid.
    expected : float
        The estimate of the hand as dealt.
    """
    cell = min(CELLS - 1, max(0, int(expected / CELL + 0.5)))
    place = min((HIGHEST - LOWEST) // 10, max(0, (points - LOWEST + 9) // 10))
    return TWO_PROMISES[cell, place] if rules.hand == TWO_HAND else THREE_PROMISES[cell, place]
