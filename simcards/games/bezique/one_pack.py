"""What a player of the bezique games with one pack works out: every card is there once, so chances can be counted."""

from __future__ import annotations

import math

import numpy as np

from simcards.games.bezique.frame import ONE, SUIT, TYPES, bit_of, suit_of
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel


@kernel
def unseen_cards(view):
    """Return the cards that the player of a view cannot locate, as a mask: the other's hidden ones and the stock."""
    gone = view.own.mask | view.public[0].table_mask | view.public[1].table_mask
    for card in range(TYPES):
        if view.common.seen[card] or view.public[1].shown[card]:
            gone |= bit_of(card)
    if view.common.turn_up >= 0 and view.common.stock > 0:
        gone |= bit_of(view.common.turn_up)
    return ~gone & np.uint64(0xFFFFFFFF)


@kernel
def drawing_chance(missing, draws, unseen):
    """Return the chance to draw `missing` named cards with so many draws from so many unseen ones."""
    if missing > draws:
        return 0.0
    chance = 1.0
    for k in range(missing):
        chance *= (draws - k) / (unseen - k)
    return chance


@kernel
def better_cards(card, trump):
    """Return the cards that beat a led card, as a mask."""
    suit = suit_of(card)
    better = (SUIT << np.uint64(8 * suit)) & ~((np.uint64(2) << np.uint64(card)) - ONE)
    if trump >= 0 and trump != suit:
        better |= SUIT << np.uint64(8 * trump)
    return better


@kernel
def lead_wins(view, card, unseen, will):
    """Return the chance that a led card wins while the stock lasts.

    Parameters
    ----------
    view : VIEW
        What the leader knows.
    card : int
        The card.
    unseen : uint64
        What `unseen_cards` returned.
    will : float
        How surely the other takes a trick with a card that can.

    Returns
    -------
    float
    """
    better = better_cards(card, np.int64(view.common.trump))
    other = view.public[1]
    beaters = np.float64(popcount(better & other.table_mask))
    hidden = np.int64(other.cards)
    rest = better & ~unseen
    while rest:
        one = lowest(rest)
        rest &= rest - ONE
        beaters += other.shown[one]
    for one in range(TYPES):
        hidden -= other.shown[one]
    count = popcount(unseen)
    if count > 0:
        beaters += popcount(better & unseen) * hidden / count
    return math.exp(-will * beaters)
