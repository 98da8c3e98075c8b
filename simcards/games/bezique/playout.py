"""The last tricks with two packs while there are too many cards for the search: all that can be played in a trick is
played out by a plain rule.

Each player knows the other's cards. By the rule the leader cashes his winners, plain suits before trumps, and else
leads the cheapest card; the other wins with what counts most or throws what counts least. A card is worth what the rest
brings when both keep to the rule after this trick; from ``DEPTH`` cards on `endgame` searches to the end.

A hand is two masks of types: those in it once or more, and those in it twice.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.binocle_melds import held_twice
from simcards.games.bezique.endgame import DEPTH, trick_value
from simcards.games.bezique.frame import ONE, SUIT, TYPES, bit_of, forced_replies, rank_of, reply_wins
from simcards.games.bezique.players import play_last_tricks
from simcards.kernel.bits import highest, lowest
from simcards.kernel.compiled import kernel

NONE = np.uint64(0)


@kernel
def taken(once, twice, card):
    """Return a hand without one copy of a card."""
    bit = bit_of(card)
    if twice & bit:
        return once, twice & ~bit
    return once & ~bit, twice


@kernel
def plain_lead(mine, theirs, trump, prices):
    """Return the card that the rule leads."""
    trumps = theirs & (SUIT << np.uint64(8 * trump))
    best = -1e9
    choice = lowest(mine)
    for suit in range(4):
        shift = np.uint64(8 * suit)
        own = (mine >> shift) & SUIT
        if own == NONE:
            continue
        other = (theirs >> shift) & SUIT
        rank = highest(own)
        wins = rank >= highest(other) if other else suit == trump or trumps == NONE
        if wins:
            value = 20.0 + rank + prices[np.uint64(rank)]
        else:
            rank = lowest(own)
            value = -10.0 - rank - prices[np.uint64(rank)]
        if suit == trump:
            value -= 12.0
        if value > best:
            best = value
            choice = 8 * suit + rank
    return choice


@kernel
def plain_reply(mine, led, trump, prices):
    """Return the card that the rule answers with; those that may be played all win or all lose."""
    legal = forced_replies(mine, led, trump)
    choice = lowest(legal)
    sign = 1.0 if reply_wins(led, choice, trump) else -1.0
    best = -1e9
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        rank = rank_of(card)
        value = sign * prices[np.uint64(rank)] - rank
        if value > best:
            best = value
            choice = card
    return choice


@kernel
def rest_value(leader, leader_twice, other, other_twice, trump, prices, last):
    """Return what the rest brings the leader more than the other when both keep to the rule."""
    total = 0.0
    sign = 1.0  # of the present leader
    while leader:
        led = plain_lead(leader, other, trump, prices)
        reply = plain_reply(other, led, trump, prices)
        leader, leader_twice = taken(leader, leader_twice, led)
        other, other_twice = taken(other, other_twice, reply)
        value = trick_value(led, reply, prices)
        if leader == NONE:
            value += last
        if reply_wins(led, reply, trump):
            sign = -sign
            leader, other = other, leader
            leader_twice, other_twice = other_twice, leader_twice
        total += sign * value
    return total


@kernel
def trick_and_rest(leader, leader_twice, other, other_twice, gone, led, reply, trump, prices, last):
    """Return what a trick and the rest bring its leader more than the other.

    `gone` is the card led if it is still in the leader's hand, else -1; the reply is in the other's.
    """
    if gone >= 0:
        leader, leader_twice = taken(leader, leader_twice, gone)
    other, other_twice = taken(other, other_twice, reply)
    value = trick_value(led, reply, prices)
    if reply_wins(led, reply, trump):
        return -value - rest_value(other, other_twice, leader, leader_twice, trump, prices, last)
    return value + rest_value(leader, leader_twice, other, other_twice, trump, prices, last)


@kernel
def play_known(view, legal, prices, last):
    """Return the card to play when the stock is gone; `prices` and `last` as in `endgame.search`."""
    if view.public[0].cards <= DEPTH or legal & (legal - ONE) == NONE:
        return play_last_tricks(view, legal, prices, last)
    mine = view.own.mask
    mine_twice = held_twice(view.own)
    theirs = NONE
    theirs_twice = NONE
    for card in range(TYPES):
        copies = view.rules.packs - view.common.seen[card] - view.own.hand[card]
        if copies > 0:
            theirs |= bit_of(card)
        if copies > 1:
            theirs_twice |= bit_of(card)
    trump = np.int64(view.common.trump)
    led = np.int64(view.common.led)
    best = -1e9
    choice = lowest(legal)
    while legal:
        card = lowest(legal)
        legal &= legal - ONE
        if led >= 0:  # the card led has been counted as seen
            value = -trick_and_rest(theirs, theirs_twice, mine, mine_twice, -1, led, card, trump, prices, last)
        else:
            value = 1e9
            replies = forced_replies(theirs, card, trump)
            while replies and value > best:
                reply = lowest(replies)
                replies &= replies - ONE
                worth = trick_and_rest(mine, mine_twice, theirs, theirs_twice, card, card, reply, trump, prices, last)
                value = min(value, worth)
        if value > best:
            best = value
            choice = card
    return choice
