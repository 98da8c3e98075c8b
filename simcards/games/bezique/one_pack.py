"""What a player of the bezique games with one pack works out: every card is there once, so chances can be counted."""

from __future__ import annotations

import math

import numpy as np

from simcards.games.bezique.frame import (
    ONE,
    SUIT,
    bit_of,
    count_all_types,
    other_side,
    own_cards,
    own_side,
    suit_of,
    types_with,
)
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel

MOST_MISSING = 5  # cards in the largest combination
# The chances of a player to draw so many named cards
CHANCES = np.dtype([("of", "f8", (MOST_MISSING + 1,))], align=True)


@kernel
def unseen_cards(view):
    """Return the cards that the player of a view cannot locate, as a mask: the other's hidden ones and the stock."""
    gone = own_cards(view).mask | own_side(view).table_mask | other_side(view).table_mask
    gone |= types_with(view.common.seen, 1) | types_with(other_side(view).shown, 1)
    if view.common.turn_up >= 0 and view.common.stock > 0:
        gone |= bit_of(view.common.turn_up)
    return ~gone & np.uint64(0xFFFFFFFF)


@kernel
def fill_chances(chances, draws, unseen):
    """Write the chances to draw so many named cards, none to five, with so many draws from so many unseen ones."""
    chance = 1.0
    for missing in range(MOST_MISSING + 1):
        chances.of[missing] = chance
        chance *= (draws - missing) / (unseen - missing) if missing < min(draws, unseen) else 0.0


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
    other = other_side(view)
    beaters = np.float64(popcount(better & other.table_mask))
    hidden = np.int64(other.cards)
    rest = better & ~unseen & types_with(other.shown, 1)
    while rest:
        one = lowest(rest)
        rest &= rest - ONE
        beaters += other.shown[one]
    hidden -= count_all_types(other.shown)
    count = popcount(unseen)
    if count > 0:
        beaters += popcount(better & unseen) * hidden / count
    return math.exp(-will * beaters)
