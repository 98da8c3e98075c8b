"""What a player of sixty-six knows of the other hands, and deals that agree with it."""

from __future__ import annotations

import numpy as np

from simcards.games.sixty_six.frame import (
    FIRSTS,
    ONE,
    PACK,
    SEATS,
    SECOND,
    STATE,
    TYPES,
    VIEW,
    bit_of,
    cards_in_hand,
    put,
    rest_of,
    together,
)
from simcards.games.sixty_six.play import clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import bounded, uniform
from simcards.kernel.shuffle import shuffle_prefix

TRIES = 500  # deals drawn in search of one that agrees with what was seen
STOCK = SEATS  # the place of a hidden card that no player holds


@kernel
def hidden_cards(view):
    """Return the cards of which a player does not know where they are."""
    common = view.common
    seen = together(view.hand, common.gone)
    if common.stock > 0:
        seen = put(seen, np.int64(common.turn_up))
    for player in range(np.int64(view.rules.players)):
        if player != view.seat:
            seen = together(seen, view.public[player].known)
    return rest_of(np.int64(view.rules.packs), seen)


@kernel
def list_cards(cards, listed):
    """Write the cards of a set down one by one, and return how many there are."""
    count = 0
    for plane in (cards & FIRSTS, cards >> SECOND):
        rest = plane
        while rest:
            listed[count] = lowest(rest)
            count += 1
            rest &= rest - ONE
    return count


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    me = view.seat
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.public = view.public
    clear_tally(state.tally)
    players = np.int64(view.rules.players)
    pool = np.empty(PACK, np.uint8)
    size = list_cards(hidden_cards(view), pool)
    lacking = np.uint64(0)
    need = np.zeros(SEATS, np.int64)
    for player in range(SEATS):
        state.hand[player] = np.uint64(0)
        if player < players and player != me:
            state.hand[player] = view.public[player].known
            need[player] = cards_in_hand(view, player) - popcount(view.public[player].known)
            lacking |= view.public[player].lacks
    state.hand[me] = view.hand
    shuffle_prefix(rng, pool[:size], size)
    if lacking:
        _place(view, rng, pool[:size], need, state)
        return
    given = 0
    for player in range(players):
        for place in range(given, given + need[player]):
            state.hand[player] = put(state.hand[player], np.int64(pool[place]))
        given += need[player]
    _stack(view, state, pool[given:size])


@kernel
def _stack(view, state, rest):
    """Make the stock of the cards that nobody holds."""
    size = TYPES * np.int64(view.rules.packs)
    state.next = size - rest.shape[0]
    for place in range(rest.shape[0]):
        state.deck[state.next + place] = rest[place]


@kernel
def _place(view, rng, pool, need, state):
    """Give cards to the hands where some are known to lack some of them.

    Each hand in turn is drawn from the cards it may hold, what nobody gets is the stock. The draw is taken with a
    probability proportional to the number of ways there were, so that all deals that agree are equally likely.
    """
    size = pool.shape[0]
    places = np.empty(SEATS, np.int64)  # the hands to be filled
    hands = 0
    stock = size
    for player in range(np.int64(view.rules.players)):
        if need[player] > 0:
            places[hands] = player
            hands += 1
            stock -= need[player]
    owner = np.empty(size, np.int64)
    for _ in range(TRIES):
        owner[:] = STOCK
        chance = 1.0
        for k in range(hands):
            chance *= _fill(view, rng, pool, owner, places[:hands], k, need[places[k]], stock > 0)
        if chance >= 1.0 or uniform(rng) < chance:
            break
    left = 0
    for place in range(size):
        card = np.int64(pool[place])
        if owner[place] == STOCK:
            pool[left] = card
            left += 1
        else:
            state.hand[owner[place]] = put(state.hand[owner[place]], card)
    _stack(view, state, pool[:left])


@kernel
def _fill(view, rng, pool, owner, places, k, need, stock):
    """Give a hand cards that it may hold; return how many ways there were, as a share of the most there can be.

    Without a stock the cards that no later hand may hold come first. 0 says that the deal does not agree with what is
    known; the hand is filled all the same.
    """
    player = places[k]
    possible = 0
    left = need
    for place in range(pool.shape[0]):
        one = bit_of(pool[place])
        if view.public[player].lacks & one:
            continue
        possible += 1
        if owner[place] != STOCK or stock:
            continue
        elsewhere = False
        for later in range(k + 1, places.shape[0]):
            elsewhere |= view.public[places[later]].lacks & one == np.uint64(0)
        if not elsewhere and left > 0:
            owner[place] = player
            left -= 1
        elif not elsewhere:
            possible = -PACK  # more than the hand can take
    free = 0
    for place in range(pool.shape[0]):
        free += owner[place] == STOCK and view.public[player].lacks & bit_of(pool[place]) == np.uint64(0)
    most = left
    rest = free
    for place in range(pool.shape[0]):
        if owner[place] == STOCK and view.public[player].lacks & bit_of(pool[place]) == np.uint64(0):
            # drawn anew for each hand: the order in which one was drawn says something of what it left
            if bounded(rng, rest) < left:
                owner[place] = player
                left -= 1
            rest -= 1
    if left > 0 or possible < 0:
        for place in range(pool.shape[0]):
            if owner[place] == STOCK and left > 0:
                owner[place] = player
                left -= 1
        return 0.0
    if k == 0 or (not stock and k == places.shape[0] - 1):
        return 1.0  # as many as ever, or only one
    return _ways(free, most) / _ways(possible, need)


@kernel
def _ways(cards, count):
    """Return how many ways there are to choose some of the cards."""
    ways = 1.0
    for k in range(count):
        ways *= (cards - k) / (k + 1)
    return ways


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(SEATS, VIEW)
