"""Deals of preferans that agree with what a player knows.

Every such deal has the same chance, but for what a declarer has laid away: low cards that are no trumps are likelier,
or in a misère high ones.
"""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.frame import (
    ALL_PASS,
    BIDDING,
    CHAIRS,
    LOOKING,
    NO_TRICK,
    NONE,
    ONE,
    PACK,
    PLAYERS,
    PLAYING,
    STATE,
    TALON,
    VIEW,
    bit_of,
    next_chair,
)
from simcards.games.preferans.play import clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import bounded, choose_several, uniform

# How likely a card is laid away against others, by rank: to play for tricks, and for none
LAID = np.array([8.0, 8.0, 8.0, 7.0, 5.0, 3.0, 1.5, 0.3])
LAID_MISERE = np.array([0.3, 0.6, 1.0, 2.0, 4.0, 6.0, 8.0, 8.0])
TRUMP_LAID = 0.02  # in place of a trump's


@kernel
def turned_cards(view):
    """Return the cards of the talon that lie open because all passed."""
    cards = NONE
    for place in range(2):
        if view.common.turned[place] >= 0:
            cards |= bit_of(view.common.turned[place])
    return cards


@kernel
def unseen_cards(view):
    """Return the cards whose place the player does not see."""
    seen = view.own.hand | view.own.laid | turned_cards(view)
    for chair in range(CHAIRS):
        seen |= view.public[chair].played | view.public[chair].exposed
    return PACK & ~seen


@kernel
def held_by(view, chair):
    """Return how many cards are held at a chair."""
    common = view.common
    if common.stage == PLAYING:
        return 10 - np.int64(common.trick) - (common.table[chair] >= 0)
    return np.int64(10)


@kernel
def _weight(view, card):
    if view.common.without or view.common.kind == ALL_PASS:
        return 1.0  # nobody chose what lies there
    if view.common.kind == NO_TRICK:
        return LAID_MISERE[card % 8]
    return TRUMP_LAID if card // 8 == view.common.trump else LAID[card % 8]


@kernel
def _pick(view, rng, cards):
    """Draw a card that lies aside, as a mask."""
    total = 0.0
    rest = cards
    while rest:
        total += _weight(view, np.int64(lowest(rest)))
        rest &= rest - ONE
    draw = uniform(rng) * total
    one = cards & (~cards + ONE)
    while cards:
        one = cards & (~cards + ONE)
        draw -= _weight(view, np.int64(lowest(cards)))
        if draw < 0.0:
            return one
        cards &= cards - ONE
    return one


@kernel
def _lay_aside(view, rng, rest, fits_one, fits_other, needs_one, count):
    """Draw the cards that lie aside so that the others can be held by two hands.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    rng : STREAM
        Chance.
    rest : uint64
        All cards that are not seen.
    fits_one, fits_other : uint64
        Those that the one hand and the other can hold.
    needs_one, count : int
        How many cards the one hand holds, and how many lie aside.

    Returns
    -------
    uint64
    """
    aside = rest & ~(fits_one | fits_other)
    only_one = rest & fits_one & ~fits_other
    both = rest & fits_one & fits_other
    # of the cards that only the one hand could hold not more may be left than it holds …
    while popcount(only_one & ~aside) > needs_one:
        aside |= _pick(view, rng, only_one & ~aside)
    while popcount(aside) < count:
        # … and of all that it could hold not fewer
        open_to = rest & ~aside
        if popcount((only_one | both) & ~aside) <= needs_one:
            open_to &= ~(only_one | both)
        aside |= _pick(view, rng, open_to)
    return aside


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    # what was counted so far is not in the view: a world counts from here on, the sheet goes on
    common = view.common
    state.common = common
    for player in range(PLAYERS):
        state.sheet[player] = view.sheet[player]
    for chair in range(CHAIRS):
        state.public[chair] = view.public[chair]
        state.private[chair].hand = view.public[chair].exposed
        state.private[chair].laid = NONE
    state.deck[:] = 0
    clear_tally(state.tally)
    me = np.int64(view.chair)
    state.private[me] = view.own
    rest = unseen_cards(view)
    if common.stage == BIDDING or common.stage == LOOKING:
        _deal_before_play(rng, state, rest)
        return
    # who holds cards that are not seen, and how many lie aside
    one = -1
    other = -1
    for steps in range(1, CHAIRS):
        chair = next_chair(me, steps)
        if view.public[chair].exposed == NONE and held_by(view, chair) > 0:
            if one < 0:
                one = chair
            else:
                other = chair
    needs_one = held_by(view, one) if one >= 0 else np.int64(0)
    needs_other = held_by(view, other) if other >= 0 else np.int64(0)
    count = popcount(rest) - needs_one - needs_other
    fits_one = NONE
    fits_other = NONE
    if one >= 0:
        fits_one = rest & ~view.public[one].absent
        if one != common.declarer:
            fits_one &= ~common.shown
    if other >= 0:
        fits_other = rest & ~view.public[other].absent
        if other != common.declarer:
            fits_other &= ~common.shown
    aside = _lay_aside(view, rng, rest, fits_one, fits_other, needs_one, count)
    rest &= ~aside
    if one >= 0:
        hand = rest & ~fits_other
        hand |= choose_several(rng, rest & fits_one & fits_other, needs_one - popcount(hand))
        state.private[one].hand |= hand
        rest &= ~hand
    if other >= 0:
        state.private[other].hand |= rest
    _put_aside(view, rng, state, aside)


@kernel
def _deal_before_play(rng, state, rest):
    """Deal hands to all who have not got theirs, and the talon."""
    for chair in range(CHAIRS):
        own = state.private[chair]
        if own.hand == NONE:  # also the player's own, who has not looked
            own.hand = choose_several(rng, rest, 10)
            rest &= ~own.hand
    _put_talon(rng, state, rest)


@kernel
def _put_talon(rng, state, cards):
    """Lay two cards down as the talon, in random order; of cards that are turned up already only the others."""
    for place in range(2):
        if state.common.turned[place] >= 0:
            state.deck[TALON + place] = state.common.turned[place]
        elif cards:
            card = nth_set(cards, bounded(rng, popcount(cards)))
            cards &= ~bit_of(card)
            state.deck[TALON + place] = card


@kernel
def _put_aside(view, rng, state, cards):
    """Say what the cards are that lie aside: the talon, or what the declarer has laid away."""
    common = view.common
    if common.kind == ALL_PASS or common.without:
        _put_talon(rng, state, cards)
    elif common.declarer != view.chair:
        state.private[common.declarer].laid = cards


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(PLAYERS, VIEW)
