"""Deals of thousand that agree with what a player knows.

What others laid away or gave is not known; it is drawn so that low cards are likelier, since nobody parts with an ace
as easily as with a nine.
"""

from __future__ import annotations

import numpy as np

from simcards.games.thousand import STOCK_HAND, TWO_HAND
from simcards.games.thousand.frame import (
    BIDDING,
    CARDS,
    FIRST_PACKET,
    LOOKING,
    NONE,
    ONE,
    PACK,
    PACKET,
    PLAYERS,
    PLAYING,
    STATE,
    VIEW,
    after,
    bit_of,
)
from simcards.games.thousand.play import clear_private, clear_public, clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import bounded, choose_several, uniform

CHEAP = np.array([8.0, 8.0, 2.0, 2.0, 1.0, 0.25])  # how likely a card is parted with against others, by rank
OTHERS = 20.0  # the same of the seven cards together that a declarer held before the packet


@kernel
def unseen_cards(view):
    """Return the cards whose place the player does not see."""
    seen = view.own.hand | view.own.laid
    for steps in range(np.int64(view.rules.players)):
        seen |= view.public[steps].played
    return PACK & ~seen


@kernel
def held_by(view, steps):
    """Return how many cards the player so many places on holds."""
    common = view.common
    rules = view.rules
    if common.stage == PLAYING:
        player = after(rules, view.seat, steps)
        return popcount(view.own.hand) + (common.table[view.seat] >= 0) - (common.table[player] >= 0)
    extra = 0
    if rules.hand != TWO_HAND and view.own.given[after(rules, view.seat, steps)]:
        extra = 1
    return np.int64(rules.hand) + extra


@kernel
def _weight(cards):
    """Return how likely it is that one of some cards is parted with."""
    total = 0.0
    while cards:
        total += CHEAP[lowest(cards) % 6]
        cards &= cards - ONE
    return total


@kernel
def _pick(rng, cards, more):
    """Draw a card to part with, as a mask; none of them with the weight `more`."""
    draw = uniform(rng) * (_weight(cards) + more)
    while cards:
        one = cards & (~cards + ONE)
        draw -= CHEAP[lowest(cards) % 6]
        if draw < 0.0:
            return one
        cards &= cards - ONE
    return NONE


@kernel
def _pick_one(rng, cards):
    """Draw a card to part with, as a mask, of some that are not none."""
    one = _pick(rng, cards, 0.0)
    return one if one else cards & (~cards + ONE)  # rounding may leave nothing


@kernel
def _lay_out(rng, state, place, count, cards):
    """Put cards into the dealing order in random order."""
    for k in range(count):
        card = nth_set(cards, bounded(rng, popcount(cards)))
        cards &= ~bit_of(card)
        state.deck[place + k] = card


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    me = view.seat
    rules = view.rules
    players = np.int64(rules.players)
    state.common = view.common
    for player in range(players, PLAYERS):
        clear_public(state.public[player])
        clear_private(state.private[player])
    for steps in range(players):
        player = after(rules, me, steps)
        state.public[player] = view.public[steps]
        clear_private(state.private[player])
    state.private[me] = view.own
    state.deck[:] = 0
    clear_tally(state.tally)
    rest = unseen_cards(view)
    if view.common.stage == BIDDING or view.common.stage == LOOKING:
        for steps in range(players):
            own = state.private[after(rules, me, steps)]
            if own.hand == NONE:  # also the player's own, who has not looked
                own.hand = choose_several(rng, rest, np.int64(rules.hand))
                rest &= ~own.hand
        _lay_out(rng, state, CARDS - popcount(rest), popcount(rest), rest)
    elif players == 2:
        _deal_two(view, rng, state, rest)
    else:
        _deal_three(view, rng, state, rest)


@kernel
def _deal_two(view, rng, state, rest):
    """Deal the other's hand, and what lies aside or in the stock."""
    rules = view.rules
    common = view.common
    them = after(rules, view.seat, 1)
    public = view.public[1]
    count = held_by(view, 1)
    hand = rest & public.known
    if rules.hand == STOCK_HAND:
        hand |= choose_several(rng, rest & ~(hand | public.absent), count - popcount(hand))
        rest &= ~hand
        state.private[them].hand = hand
        _lay_out(rng, state, CARDS - popcount(rest), popcount(rest), rest)
        return
    laid = NONE
    if common.declarer == them:
        # cards that he cannot hold lie in one packet or the other, those of the opened packet in his own
        must = rest & public.absent
        either = must & ~common.shown
        free = rest & ~(must | hand | common.shown)
        least = max(PACKET - popcount(free), popcount(must) - PACKET, 0)
        heads = 0
        for _ in range(popcount(either)):
            heads += bounded(rng, 2)
        closed = choose_several(rng, either, max(least, min(PACKET, heads)))
        closed |= choose_several(rng, free, PACKET - popcount(closed))
        laid = must & ~closed
        rest &= ~(closed | laid)
        while popcount(laid) < PACKET:
            one = _pick_one(rng, rest & ~hand)
            laid |= one
            rest &= ~one
        hand = rest
        rest = closed
    else:
        hand |= choose_several(rng, rest & ~(hand | public.absent), count - popcount(hand))
        rest &= ~hand
    state.private[them].hand = hand
    state.private[them].laid = laid
    if common.opened != 0:
        closed = choose_several(rng, rest, PACKET)
        _lay_out(rng, state, FIRST_PACKET, PACKET, closed)
        rest &= ~closed
    if common.opened != 1:
        _lay_out(rng, state, FIRST_PACKET + PACKET, PACKET, rest)


@kernel
def _deal_three(view, rng, state, rest):
    """Deal the hands of both others once the packet is taken."""
    rules = view.rules
    common = view.common
    me = view.seat
    declarer = np.int64(common.declarer)
    first = after(rules, me, 1)
    second = after(rules, me, 2)
    known_first = view.public[1].known | (view.own.given[first] & rest)
    known_second = view.public[2].known | (view.own.given[second] & rest)
    absent_first = view.public[1].absent
    absent_second = view.public[2].absent
    given = NONE  # a card of the packet shown that the other opponent got
    if declarer == first:
        given = _given_away(view, rng, rest, 1, 2)
        known_first |= common.shown & rest & ~given
        known_second |= given
    elif declarer == second:
        given = _given_away(view, rng, rest, 2, 1)
        known_second |= common.shown & rest & ~given
        known_first |= given
    hand = rest & (known_first | absent_second) & ~known_second
    free = rest & ~(hand | known_second | absent_first)
    hand |= choose_several(rng, free, held_by(view, 1) - popcount(hand))
    state.private[first].hand = hand
    state.private[second].hand = rest & ~hand
    if declarer == me:
        state.private[first].received = view.own.given[first]
        state.private[second].received = view.own.given[second]
        return
    other = second if declarer == first else first
    steps = 2 if declarer == first else 1
    played = view.public[steps].played
    if given == NONE:
        given = played & common.shown
    if given == NONE:
        given = _pick_one(rng, (state.private[other].hand | played) & ~common.shown)
    state.private[other].received = given
    state.private[declarer].given[other] = given
    state.private[declarer].given[me] = view.own.received


@kernel
def _given_away(view, rng, rest, declarer, other):
    """Draw whether the other opponent got a card of the packet that was shown, and which.

    `declarer` and `other` are so many places on; returns the card as a mask, or none that is not played yet.
    """
    shown = view.common.shown & rest
    if shown == NONE or view.public[other].played & view.common.shown:
        return NONE
    # who holds what besides, and whether the hands have room for it
    with_declarer = rest & (view.public[declarer].known | view.public[other].absent)
    with_other = rest & (view.public[other].known | view.public[declarer].absent)
    if shown & with_other:
        return shown & with_other
    if popcount(with_other) >= held_by(view, other):
        return NONE
    free = shown & ~with_declarer
    if popcount(with_declarer | shown) > held_by(view, declarer):
        return _pick_one(rng, free)
    return _pick(rng, free, OTHERS)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(PLAYERS, VIEW)
