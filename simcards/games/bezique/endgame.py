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
def next_different(packed, count, place):
    """Return the next place after `place` that holds another card than the place before it; `count` at the end."""
    place += 1
    while 0 < place < count and card_at(packed, place) == card_at(packed, place - 1):
        place += 1
    return place


@kernel
def search(leader, other, count, trump, brisque, last):
    """Return the best lead and what it is worth, by minimax over all that can be played.

    The stack is kept by hand, one place for each number of cards left: numba's cache loses functions that call
    themselves.

    Parameters
    ----------
    leader, other : uint64
        Packed hands.
    count : int
        Cards in each, from one to ``DEPTH``.
    trump : int
        Trump suit, -1 for none.
    brisque, last : float
        Worth of a brisque and of the last trick.

    Returns
    -------
    card : int
        The lead.
    value : float
        The most that the leader can get more than the other from the rest.
    """
    leaders = np.empty(DEPTH + 1, np.uint64)
    others = np.empty(DEPTH + 1, np.uint64)
    leads = np.empty(DEPTH + 1, np.int64)  # place of the lead being tried
    replies = np.empty(DEPTH + 1, np.int64)  # place of the reply being tried
    best = np.empty(DEPTH + 1, np.float64)  # of the leads so far
    worst = np.empty(DEPTH + 1, np.float64)  # of the replies to this lead so far
    gain = np.empty(DEPTH + 1, np.float64)  # of this trick for the leader
    beaten = np.empty(DEPTH + 1, np.bool_)
    choice = card_at(leader, 0)

    left = count
    leaders[left] = leader
    others[left] = other
    leads[left] = 0
    replies[left] = -1
    best[left] = _WORST
    worst[left] = -_WORST
    while True:
        led = card_at(leaders[left], leads[left])
        answers = others[left]
        allowed = forced_replies(mask_of(answers, left), led, trump)
        place = next_different(answers, left, replies[left])
        while place < left and not allowed & bit_of(card_at(answers, place)):
            place = next_different(answers, left, place)
        if place < left and worst[left] > best[left]:
            replies[left] = place
            reply = card_at(answers, place)
            beaten[left] = reply_wins(led, reply, trump)
            value = trick_value(led, reply, brisque) + (last if left == 1 else 0.0)
            gain[left] = -value if beaten[left] else value
            if left == 1:
                worst[left] = min(worst[left], gain[left])
                continue
            mine = without(leaders[left], leads[left])
            theirs = without(answers, place)
            left -= 1
            leaders[left] = theirs if beaten[left + 1] else mine
            others[left] = mine if beaten[left + 1] else theirs
            leads[left] = 0
            replies[left] = -1
            best[left] = _WORST
            worst[left] = -_WORST
            continue
        # every reply to this lead is known, or one that is bad enough
        if worst[left] > best[left]:
            best[left] = worst[left]
            if left == count:
                choice = led
        leads[left] = next_different(leaders[left], left, leads[left])
        replies[left] = -1
        worst[left] = -_WORST
        while leads[left] >= left:  # every lead is known: give the value to the trick before
            value = best[left]
            if left == count:
                return choice, value
            left += 1
            worst[left] = min(worst[left], gain[left] + (-value if beaten[left] else value))


@kernel
def best_lead(own, theirs, own_mask, their_mask, count, trump, brisque, last):
    """Return the card to lead; the packed hands matter for the last `DEPTH` tricks, the masks before."""
    if count <= DEPTH:
        return search(own, theirs, count, trump, brisque, last)[0]
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
                    value += search(rest, theirs, count - 1, trump, brisque, last)[1]
            else:
                value = -gain
                if count > 1:
                    value -= search(theirs, rest, count - 1, trump, brisque, last)[1]
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
