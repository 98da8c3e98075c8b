"""The last tricks of the bezique family, when the stock is gone and each player knows the other's cards.

The second player must follow and head, or trump; so a lead wins or loses whatever is answered, and only what is thrown
under it is open. The last `DEPTH` tricks are searched to the end; before that winners are cashed, plain suits first.
A hand is packed into a uint64, eight bits a card, lowest card first.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import ONE, TEN, TYPES, bit_of, forced_replies, rank_of, reply_wins, suit_of
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

DEPTH = 4
_BYTE = np.uint64(255)
_WORST = -1.0e9


@kernel
def pack_hand(hand):
    """Return up to eight cards of a count by type, lowest first; further cards are left out."""
    packed = np.uint64(0)
    place = 0
    for card in range(TYPES):
        for _ in range(hand[card]):
            if place < 8:
                packed |= np.uint64(card) << np.uint64(8 * place)
                place += 1
    return packed


@kernel
def card_at(packed, place):
    """Return the card at a place of a packed hand."""
    return np.int64((packed >> np.uint64(8 * place)) & _BYTE)


@kernel
def without(packed, place):
    """Return a packed hand without the card at a place."""
    low = (ONE << np.uint64(8 * place)) - ONE
    return (packed & low) | ((packed >> np.uint64(8)) & ~low)


@kernel
def mask_of(packed, count):
    """Return the types of a packed hand as a mask."""
    mask = np.uint64(0)
    for place in range(count):
        mask |= bit_of(card_at(packed, place))
    return mask


@kernel
def trick_value(led, reply, brisque):
    """Return what the two cards of a trick are worth to its winner."""
    return brisque * (np.float64(rank_of(led) >= TEN) + np.float64(rank_of(reply) >= TEN))


@kernel
def value_to_leader(leader, other, count, trump, brisque, last):
    """Return the most that the leader can get more than the other from the last `count` tricks.

    Parameters
    ----------
    leader, other : uint64
        Packed hands.
    count : int
        Cards in each.
    trump : int
        Trump suit, -1 for none.
    brisque, last : float
        Worth of a brisque and of the last trick.
    """
    if count == 0:
        return 0.0
    best = _WORST
    for place in range(count):
        led = card_at(leader, place)
        if place > 0 and led == card_at(leader, place - 1):
            continue
        best = max(best, value_of_lead(leader, other, count, place, trump, brisque, last, best))
    return best


@kernel
def value_of_lead(leader, other, count, place, trump, brisque, last, enough):
    """Return what leading the card at `place` is worth; the search stops when it is not above `enough`."""
    led = card_at(leader, place)
    allowed = forced_replies(mask_of(other, count), led, trump)
    left = without(leader, place)
    worst = -_WORST
    for answer in range(count):
        reply = card_at(other, answer)
        if not allowed & bit_of(reply) or (answer > 0 and reply == card_at(other, answer - 1)):
            continue
        rest = without(other, answer)
        gain = trick_value(led, reply, brisque) + (last if count == 1 else 0.0)
        if reply_wins(led, reply, trump):
            value = -gain
            if count > 1:
                value -= value_to_leader(rest, left, count - 1, trump, brisque, last)
        else:
            value = gain
            if count > 1:
                value += value_to_leader(left, rest, count - 1, trump, brisque, last)
        worst = min(worst, value)
        if worst <= enough:
            return worst
    return worst


@kernel
def best_lead(own, theirs, own_mask, their_mask, count, trump, brisque, last):
    """Return the card to lead; the packed hands matter for the last `DEPTH` tricks, the masks before."""
    if count <= DEPTH:
        best = _WORST
        choice = card_at(own, 0)
        for place in range(count):
            value = value_of_lead(own, theirs, count, place, trump, brisque, last, best)
            if value > best:
                best = value
                choice = card_at(own, place)
        return choice
    best = _WORST
    choice = lowest(own_mask)
    while own_mask:
        led = lowest(own_mask)
        own_mask &= own_mask - ONE
        wins = not reply_wins(led, lowest(forced_replies(their_mask, led, trump)), trump)
        # winners first: brisques, plain suits before trumps; else the cheapest card
        value = (20.0 if wins else -10.0) + (1.0 if wins else -1.0) * (
            rank_of(led) + brisque * np.float64(rank_of(led) >= TEN)
        )
        if suit_of(led) == trump:
            value -= 12.0
        if value > best:
            best = value
            choice = led
    return choice


@kernel
def best_reply(own, theirs, count, led, legal, trump, brisque, last):
    """Return the legal card to answer a lead with; `theirs` is the leader's hand after the lead."""
    if count <= DEPTH:
        best = _WORST
        choice = lowest(legal)
        for place in range(count):
            reply = card_at(own, place)
            if not legal & bit_of(reply):
                continue
            rest = without(own, place)
            gain = trick_value(led, reply, brisque) + (last if count == 1 else 0.0)
            if reply_wins(led, reply, trump):
                value = gain
                if count > 1:
                    value += value_to_leader(rest, theirs, count - 1, trump, brisque, last)
            else:
                value = -gain
                if count > 1:
                    value -= value_to_leader(theirs, rest, count - 1, trump, brisque, last)
            if value > best:
                best = value
                choice = reply
        return choice
    best = _WORST
    choice = lowest(legal)
    rest_mask = legal
    while rest_mask:
        reply = lowest(rest_mask)
        rest_mask &= rest_mask - ONE
        sign = 1.0 if reply_wins(led, reply, trump) else -1.0
        value = sign * brisque * np.float64(rank_of(reply) >= TEN) - rank_of(reply)
        if suit_of(reply) == trump:
            value -= 8.0
        if value > best:
            best = value
            choice = reply
    return choice
