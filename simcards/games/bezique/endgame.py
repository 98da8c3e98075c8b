"""The last tricks of the bezique family, when the stock is gone and each player knows the other's cards.

The second player must follow and head, or trump; so a lead wins or loses whatever is answered, and only what is thrown
under it is open. Where he need not head (`heading` is false) more is open. The last `DEPTH` tricks are searched to the
end; before that winners are cashed, plain suits first.
A hand is packed into a uint64, eight bits a card, lowest card first. ``prices`` says what winning a card is worth, by
rank.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from simcards.games.bezique.frame import (
    ONE,
    RANK_BYTES,
    bit_of,
    forced_replies,
    other_side,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import eight_of, scratch

DEPTH = 4
_BYTE = np.uint64(255)
_WORST = -1.0e9

# The last tricks as the search sees them: cards are numbered, those of one player from 0, of the other from ``DEPTH``,
# and sets of cards are eight bits. `follow` and `beat` hold for each card, in eight bits, which of the other's follow
# its suit and which win against it; `twin` says which are like the card before.
TRICKS = np.dtype(
    [
        ("price", "f8", (2 * DEPTH,)),
        ("follow", "u8"),
        ("beat", "u8"),
        ("twin", "u8"),
        ("last", "f8"),
        ("heading", "?"),
    ],
    align=True,
)
PRICES = np.dtype([("price", "f8", (8,))], align=True)
FIRST = np.uint64((1 << DEPTH) - 1)  # the cards of the first player
SECOND = FIRST << np.uint64(DEPTH)


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


def unseen_hand(view):
    """Return the other's hand when the stock is gone, packed if it has no more than `DEPTH` cards, and as a mask."""


@overload(unseen_hand, strict=False)
def _unseen_hand(view):
    return _not_located if "own" in view.fields else _hand_of_other


def _not_located(view):
    packed = np.uint64(0)
    mask = np.uint64(0)
    place = 0
    for suit in range(4):
        copies = np.uint64(view.rules.packs) * RANK_BYTES
        copies -= eight_of(view.common.seen, suit) + eight_of(view.own.hand, suit)
        while copies:
            rank = lowest(copies) >> 3
            copies -= ONE << np.uint64(8 * rank)
            card = 8 * suit + rank
            mask |= bit_of(card)
            if place < 8:
                packed |= np.uint64(card) << np.uint64(8 * place)
                place += 1
    return packed, mask


def _hand_of_other(view):
    other = view.private[1 - np.int64(view.common.turn)]
    packed = pack_hand(other.hand, other.mask) if other_side(view).cards <= DEPTH else np.uint64(0)
    return packed, other.mask


@kernel
def card_at(packed, place):
    """Return the card at a place of a packed hand."""
    return np.int64((packed >> np.uint64(8 * place)) & _BYTE)


@kernel
def trick_value(led, reply, prices):
    """Return what the two cards of a trick are worth to its winner."""
    return prices[np.uint64(rank_of(led))] + prices[np.uint64(rank_of(reply))]


@kernel
def lay_open(tricks, first, first_count, second, second_count, trump, prices, last, heading):
    """Prepare the search of the last tricks and return the set of all cards; hands and prices as in `search`."""
    tricks.last = last
    tricks.heading = heading
    follow = np.uint64(0)
    beat = np.uint64(0)
    twin = np.uint64(0)
    for i in range(first_count):
        mine = card_at(first, i)
        tricks.price[i] = prices[np.uint64(rank_of(mine))]
        twin |= np.uint64(i > 0 and mine == card_at(first, i - 1)) << np.uint64(i)
        for k in range(second_count):
            theirs = card_at(second, k)
            j = k + DEPTH
            same = np.uint64(suit_of(mine) == suit_of(theirs))
            follow |= (same << np.uint64(8 * i + j)) | (same << np.uint64(8 * j + i))
            beat |= np.uint64(reply_wins(mine, theirs, trump)) << np.uint64(8 * i + j)
            beat |= np.uint64(reply_wins(theirs, mine, trump)) << np.uint64(8 * j + i)
    for k in range(second_count):
        theirs = card_at(second, k)
        tricks.price[k + DEPTH] = prices[np.uint64(rank_of(theirs))]
        twin |= np.uint64(k > 0 and theirs == card_at(second, k - 1)) << np.uint64(k + DEPTH)
    tricks.follow = follow
    tricks.beat = beat
    tricks.twin = twin
    return ((ONE << np.uint64(first_count)) - ONE) | (((ONE << np.uint64(second_count)) - ONE) << np.uint64(DEPTH))


@kernel
def different(tricks, cards):
    """Return a set of one player's cards without those that are like another of it."""
    return cards & ~((cards << ONE) & tricks.twin)


@kernel
def answers(tricks, held, side, led):
    """Return which different cards may be played to a lead, and which of all win against it.

    The cards are `held`, those of the leader `side` of them.
    """
    place = np.uint64(8 * led)
    beat = tricks.beat >> place
    others = held & ~side
    following = others & (tricks.follow >> place)
    pool = following if following else others
    winning = pool & beat
    if winning and (tricks.heading or not following):
        pool = winning
    return different(tricks, pool), beat


@kernel
def the_last(tricks, held, side):
    """Return what the last trick is worth to its leader."""
    led = lowest(held & side)
    reply = lowest(held & ~side)
    value = tricks.price[np.uint64(led)] + tricks.price[np.uint64(reply)] + tricks.last
    return -value if (tricks.beat >> np.uint64(8 * led + reply)) & ONE else value


# One function for each number of tricks: numba's cache loses functions that call themselves


@kernel
def last_two(tricks, held, side):
    """Return what the last two tricks are worth to the leader of the first."""
    best = _WORST
    leads = different(tricks, held & side)
    while leads:
        led = lowest(leads)
        leads &= leads - ONE
        replies, beat = answers(tricks, held, side, led)
        worst = -_WORST
        while replies and worst > best:
            reply = lowest(replies)
            replies &= replies - ONE
            left = held & ~(bit_of(led) | bit_of(reply))
            value = tricks.price[np.uint64(led)] + tricks.price[np.uint64(reply)]
            if (beat >> np.uint64(reply)) & ONE:
                value = -value - the_last(tricks, left, ~side)
            else:
                value += the_last(tricks, left, side)
            worst = min(worst, value)
        best = max(best, worst)
    return best


@kernel
def last_three(tricks, held, side):
    """Return what the last three tricks are worth to the leader of the first."""
    best = _WORST
    leads = different(tricks, held & side)
    while leads:
        led = lowest(leads)
        leads &= leads - ONE
        replies, beat = answers(tricks, held, side, led)
        worst = -_WORST
        while replies and worst > best:
            reply = lowest(replies)
            replies &= replies - ONE
            left = held & ~(bit_of(led) | bit_of(reply))
            value = tricks.price[np.uint64(led)] + tricks.price[np.uint64(reply)]
            if (beat >> np.uint64(reply)) & ONE:
                value = -value - last_two(tricks, left, ~side)
            else:
                value += last_two(tricks, left, side)
            worst = min(worst, value)
        best = max(best, worst)
    return best


@kernel
def rest(tricks, held, side, count):
    """Return what so many last tricks, fewer than ``DEPTH``, are worth to the leader of the first."""
    if count == 3:
        return last_three(tricks, held, side)
    if count == 2:
        return last_two(tricks, held, side)
    return the_last(tricks, held, side) if count == 1 else 0.0


@kernel
def search(leader, other, count, trump, prices, last, heading=True):
    """Return the best lead and what it is worth, by minimax over all that can be played.

    Parameters
    ----------
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
    tricks = scratch(TRICKS)
    held = lay_open(tricks, leader, count, other, count, trump, prices, last, heading)
    if count == 1:
        return card_at(leader, 0), the_last(tricks, held, FIRST)
    best = _WORST
    choice = np.int64(0)
    leads = different(tricks, held & FIRST)
    while leads:
        led = lowest(leads)
        leads &= leads - ONE
        replies, beat = answers(tricks, held, FIRST, led)
        worst = -_WORST
        while replies and worst > best:
            reply = lowest(replies)
            replies &= replies - ONE
            left = held & ~(bit_of(led) | bit_of(reply))
            value = tricks.price[np.uint64(led)] + tricks.price[np.uint64(reply)]
            if (beat >> np.uint64(reply)) & ONE:
                value = -value - rest(tricks, left, SECOND, count - 1)
            else:
                value += rest(tricks, left, FIRST, count - 1)
            worst = min(worst, value)
        if worst > best:
            best = worst
            choice = led
    return card_at(leader, choice), best


@kernel
def best_lead(own, theirs, own_mask, their_mask, count, trump, prices, last, heading=True):
    """Return the card to lead; the packed hands matter for the last `DEPTH` tricks, the masks before."""
    if count <= DEPTH:
        return search(own, theirs, count, trump, prices, last, heading)[0]
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
def best_reply(own, theirs, count, led, legal, trump, prices, last, heading=True):
    """Return the legal card to answer a lead with; `theirs` is the leader's hand after the lead."""
    if count <= DEPTH:
        tricks = scratch(TRICKS)
        held = lay_open(tricks, own, count, theirs, count - 1, trump, prices, last, heading)
        best = _WORST
        choice = lowest(legal)
        for place in range(count):
            reply = card_at(own, place)
            if not legal & bit_of(reply):
                continue
            left = held & ~bit_of(place)
            gain = trick_value(led, reply, prices) + (last if count == 1 else 0.0)
            if reply_wins(led, reply, trump):
                value = gain + rest(tricks, left, FIRST, count - 1)
            else:
                value = -gain - rest(tricks, left, SECOND, count - 1)
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
