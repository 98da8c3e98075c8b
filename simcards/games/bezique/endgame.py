"""The last tricks of the bezique family, when the stock is gone and each player knows the other's cards.

The second player must follow and head, or trump; so a lead wins or loses whatever is answered, and only what is thrown
under it is open. Where he need not head (`heading` is false) more is open. The last `DEPTH` tricks are searched to the
end; before that winners are cashed, plain suits first.
A hand is packed into a uint64, eight bits a card, lowest card first. ``prices`` says what winning a card is worth, by
rank.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import ONE, TYPES, bit_of, forced_replies, rank_of, reply_wins, suit_of
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

DEPTH = 4
_BYTE = np.uint64(255)
_WORST = -1.0e9

# A position of the search, by the number of cards left
NODE = np.dtype(
    [
        ("leader", "u8"),  # packed hands
        ("other", "u8"),
        ("lead", "i8"),  # place of the lead being tried
        ("reply", "i8"),  # place of the reply being tried
        ("best", "f8"),  # of the leads so far
        ("worst", "f8"),  # of the replies to this lead so far
        ("gain", "f8"),  # of this trick for the leader
        ("beaten", "?"),
    ],
    align=True,
)


@kernel
def pack_hand(hand, mask):
    """Return up to eight cards of a count by type, lowest first; further cards are left out."""
    packed = np.uint64(0)
    place = 0
    while mask:
        card = lowest(mask)
        mask &= mask - ONE
        for _ in range(hand[card]):
            if place < 8:
                packed |= np.uint64(card) << np.uint64(8 * place)
                place += 1
    return packed


@kernel
def unseen_hand(view):
    """Return the other's hand when the stock is gone, packed and as a mask of types."""
    packed = np.uint64(0)
    mask = np.uint64(0)
    place = 0
    for card in range(TYPES):
        copies = view.rules.packs - view.common.seen[card] - view.own.hand[card]
        if copies > 0:
            mask |= bit_of(card)
        for _ in range(copies):
            if place < 8:
                packed |= np.uint64(card) << np.uint64(8 * place)
                place += 1
    return packed, mask


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
def trick_value(led, reply, prices):
    """Return what the two cards of a trick are worth to its winner."""
    return prices[np.uint64(rank_of(led))] + prices[np.uint64(rank_of(reply))]


@kernel
def open_node(node, leader, other):
    """Begin the search of a position."""
    node.leader = leader
    node.other = other
    node.lead = 0
    node.reply = -1
    node.best = _WORST
    node.worst = -_WORST


@kernel
def next_different(packed, count, place):
    """Return the next place after `place` that holds another card than the place before it; `count` at the end."""
    place += 1
    while 0 < place < count and card_at(packed, place) == card_at(packed, place - 1):
        place += 1
    return place


@kernel
def last_trick(led, reply, trump, prices, last):
    """Return what the last trick is worth to its leader."""
    value = trick_value(led, reply, prices) + last
    return -value if reply_wins(led, reply, trump) else value


@kernel
def search(nodes, leader, other, count, trump, prices, last, heading=True):
    """Return the best lead and what it is worth, by minimax over all that can be played.

    The stack is kept by hand, one place for each number of cards left: numba's cache loses functions that call
    themselves.

    Parameters
    ----------
    nodes : ndarray of NODE, shape (DEPTH + 1,)
        Work space.
    leader, other : uint64
        Packed hands.
    count : int
        Cards in each, from one to ``DEPTH``.
    trump : int
        Trump suit, -1 for none.
    prices : ndarray of float64, shape (8,)
        Worth of the cards.
    last : float
        Worth of the last trick.
    heading : bool
        Whether a trick must be won where possible.

    Returns
    -------
    card : int
        The lead.
    value : float
        The most that the leader can get more than the other from the rest.
    """
    choice = card_at(leader, 0)
    if count == 1:
        return choice, last_trick(choice, card_at(other, 0), trump, prices, last)
    left = count
    node = nodes[left]
    open_node(node, leader, other)
    while True:
        led = card_at(node.leader, node.lead)
        allowed = forced_replies(mask_of(node.other, left), led, trump, heading)
        place = next_different(node.other, left, node.reply)
        while place < left and not allowed & bit_of(card_at(node.other, place)):
            place = next_different(node.other, left, place)
        if place < left and node.worst > node.best:
            reply = card_at(node.other, place)
            beaten = reply_wins(led, reply, trump)
            value = trick_value(led, reply, prices)
            node.reply = place
            node.beaten = beaten
            node.gain = -value if beaten else value
            mine = without(node.leader, node.lead)
            theirs = without(node.other, place)
            if left == 2:
                if beaten:
                    value = -last_trick(card_at(theirs, 0), card_at(mine, 0), trump, prices, last)
                else:
                    value = last_trick(card_at(mine, 0), card_at(theirs, 0), trump, prices, last)
                node.worst = min(node.worst, node.gain + value)
                continue
            left -= 1
            node = nodes[left]
            if beaten:
                open_node(node, theirs, mine)
            else:
                open_node(node, mine, theirs)
            continue
        # every reply to this lead is known, or one that is bad enough
        if node.worst > node.best:
            node.best = node.worst
            if left == count:
                choice = led
        node.lead = next_different(node.leader, left, node.lead)
        node.reply = -1
        node.worst = -_WORST
        while node.lead >= left:  # every lead is known: give the value to the trick before
            value = node.best
            if left == count:
                return choice, value
            left += 1
            node = nodes[left]
            node.worst = min(node.worst, node.gain + (-value if node.beaten else value))


@kernel
def best_lead(nodes, own, theirs, own_mask, their_mask, count, trump, prices, last, heading=True):
    """Return the card to lead; the packed hands matter for the last `DEPTH` tricks, the masks before."""
    if count <= DEPTH:
        return search(nodes, own, theirs, count, trump, prices, last, heading)[0]
    best = _WORST
    choice = lowest(own_mask)
    while own_mask:
        led = lowest(own_mask)
        own_mask &= own_mask - ONE
        wins = not reply_wins(led, lowest(forced_replies(their_mask, led, trump)), trump)
        # winners first: what counts, plain suits before trumps; else the cheapest card
        value = (20.0 if wins else -10.0) + (1.0 if wins else -1.0) * (rank_of(led) + prices[np.uint64(rank_of(led))])
        if suit_of(led) == trump:
            value -= 12.0
        if value > best:
            best = value
            choice = led
    return choice


@kernel
def best_reply(nodes, own, theirs, count, led, legal, trump, prices, last, heading=True):
    """Return the legal card to answer a lead with; `theirs` is the leader's hand after the lead."""
    if count <= DEPTH:
        best = _WORST
        choice = lowest(legal)
        for place in range(count):
            reply = card_at(own, place)
            if not legal & bit_of(reply):
                continue
            rest = without(own, place)
            gain = trick_value(led, reply, prices) + (last if count == 1 else 0.0)
            if reply_wins(led, reply, trump):
                value = gain
                if count > 1:
                    value += search(nodes, rest, theirs, count - 1, trump, prices, last, heading)[1]
            else:
                value = -gain
                if count > 1:
                    value -= search(nodes, theirs, rest, count - 1, trump, prices, last, heading)[1]
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
        value = sign * prices[np.uint64(rank_of(reply))] - rank_of(reply)
        if suit_of(reply) == trump:
            value -= 8.0
        if value > best:
            best = value
            choice = reply
    return choice
