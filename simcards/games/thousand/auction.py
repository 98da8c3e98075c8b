"""The auction of thousand, and what the player who wins it does with the packet."""

from __future__ import annotations

import numpy as np

from simcards.games.thousand import TWO_HAND
from simcards.games.thousand.frame import (
    BIDDING,
    CHOOSING,
    EXCHANGING,
    FIRST_PACKET,
    LOOKING,
    NONE,
    ONE,
    PACKET,
    PASS,
    PLAYING,
    RAISING,
    TALON,
    after,
    bid_value,
    bids_above,
    bit_of,
    has_auction,
    pairs_in,
    points_in,
)
from simcards.kernel.bits import highest, popcount
from simcards.kernel.compiled import kernel


@kernel
def ask_bid(state, player):
    """Ask a player for a bid, and before that whether he looks at his cards, where he need not."""
    common = state.common
    common.turn = player
    common.stage = BIDDING if state.public[player].looked else LOOKING


@kernel
def biddable(state):
    """Return what the player whose turn it is may bid."""
    high = np.int64(state.common.high)
    if high == 0:
        return bit_of(1)  # the first bid is forced
    return bit_of(PASS) | bids_above(state.rules, high)


@kernel
def look(state, player, action):
    """Take the cards up, or bid without looking at them."""
    if action:
        state.public[player].looked = 1
    state.common.stage = BIDDING


@kernel
def bid(state, player, action):
    """Bid or pass; who is left alone plays."""
    common = state.common
    if action == PASS:
        state.public[player].passed = 1
    else:
        points = bid_value(state.rules, action)
        state.public[player].bid = points
        common.high = points
        common.declarer = player
    for steps in range(1, np.int64(state.rules.players)):
        other = after(state.rules, player, steps)
        if other == common.declarer:
            break
        if not state.public[other].passed:
            ask_bid(state, other)
            return
    _end_auction(state)


@kernel
def _end_auction(state):
    common = state.common
    declarer = np.int64(common.declarer)
    common.turn = declarer
    common.blind = 0 if state.public[declarer].looked else 1
    if state.rules.hand == TWO_HAND:
        common.stage = CHOOSING
        return
    packet = NONE
    for place in range(TALON, TALON + 3):
        packet |= bit_of(state.deck[place])
    _take(state, declarer, packet)


@kernel
def choose(state, player, action):
    """Open one of the two packets."""
    state.common.opened = action
    packet = NONE
    for place in range(PACKET):
        packet |= bit_of(state.deck[FIRST_PACKET + PACKET * action + place])
    _take(state, player, packet)


@kernel
def _take(state, player, packet):
    """Take a packet into the hand; only who had not looked at his cards need not show it."""
    own = state.private[player]
    before = popcount(pairs_in(own.hand))
    own.hand |= packet
    if not state.common.blind:
        state.common.shown = packet
    state.tally.talon_points[player] += points_in(packet)
    state.tally.talon_marriages[player] += (popcount(pairs_in(own.hand)) - before) // 2
    state.common.stage = EXCHANGING


@kernel
def exchangeable(state, player):
    """Return the cards that may be laid away, the lower one first, or given."""
    own = state.private[player]
    if state.rules.hand != TWO_HAND:
        return own.hand
    if own.laid:
        return own.hand & ~(bit_of(highest(own.laid) + 1) - ONE)
    return own.hand & ~bit_of(highest(own.hand))  # a higher one must be left for the second


@kernel
def exchange(state, player, card):
    """Lay a card away, or give it to the next player who has got none."""
    own = state.private[player]
    one = bit_of(card)
    own.hand &= ~one
    if state.rules.hand == TWO_HAND:
        own.laid |= one
        if popcount(own.laid) < PACKET:
            return
    else:
        other = after(state.rules, player, 1)
        first = own.given[other] == NONE
        if not first:
            other = after(state.rules, player, 2)
        own.given[other] = one
        state.private[other].received = one
        state.private[other].hand |= one
        if first:
            return
    may_raise = not state.common.blind or state.rules.blind_raise == 1
    if may_raise and bids_above(state.rules, np.int64(state.common.high)):
        state.common.stage = RAISING
    else:
        begin_play(state, player)


@kernel
def raisable(state):
    """Return the higher bids that may be announced, or none."""
    return bit_of(PASS) | bids_above(state.rules, np.int64(state.common.high))


@kernel
def raise_bid(state, player, action):
    """Raise the bid, or stand by it."""
    if action != PASS:
        points = bid_value(state.rules, action)
        state.tally.raised[player] += 1
        state.tally.raised_by[player] += points - state.common.high
        state.public[player].bid = points
        state.common.high = points
    begin_play(state, player)


@kernel
def begin_play(state, leader):
    """Let a player lead to the first trick."""
    common = state.common
    common.stage = PLAYING
    common.leader = leader
    common.turn = leader
    if has_auction(state.rules):
        for player in range(np.int64(state.rules.players)):
            state.tally.held[player] += popcount(pairs_in(state.private[player].hand)) // 2
