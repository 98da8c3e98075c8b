"""How a sensible club player plays piquet.

What he discards is in `exchange`. In play he knows the other's hand but for the discards, counts his sure tricks
towards the seventh, and keeps guards.
"""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.exchange import (
    CASH,
    DEFENDED,
    GUARD,
    LED,
    LONG,
    SINK_POINT,
    USUAL,
    basic_exchange,
)
from simcards.games.piquet.frame import (
    DECLARING,
    EXCHANGING,
    HAND,
    HIDE,
    LEAVING,
    LOOK,
    ONE,
    PLAYING,
    SHOWING,
    STOP,
    VIEW,
    best_key,
    bit_of,
    key_of,
    ranks_in,
    winners_over,
)
from simcards.games.piquet.worlds import other_cards
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import uniform

# -- declarations ----------------------------------------------------------------------------------------------


@kernel
def basic_show(view, legal, rng, options):
    """Show carte blanche."""
    return np.int64(1)


@kernel
def basic_leave(view, legal, rng, options):
    """Look at the cards left, but do not let elder see them."""
    return np.int64(LOOK if legal & bit_of(LOOK) else HIDE)


@kernel
def basic_declare(view, legal, rng, options):
    """Name the best first and leave out nothing, unless in the habit of sinking."""
    kind = np.int64(view.common.kind)
    names = legal & ~bit_of(STOP)
    sink = options.value[SINK_POINT + kind]
    if sink > 0.0 and uniform(rng) < sink:
        return np.int64(STOP)
    best = best_key(kind, view.own.hand, names)
    while names:
        name = lowest(names)
        if key_of(kind, view.own.hand, name) == best:
            return name
        names &= names - ONE
    return np.int64(STOP)


# -- play ------------------------------------------------------------------------------------------------------


@kernel
def basic_play(view, legal, rng, options):
    """Lead the suit that runs, or that may be established; follow as cheaply as possible; keep guards."""
    certain, possible, count = other_cards(view)
    if view.common.led < 0:
        return _lead(view, legal, certain, possible, count, options)
    led = np.int64(view.common.led)
    suit = led >> 3
    if lowest(legal) >> 3 == suit:
        higher = legal & ~((np.uint64(2) << np.uint64(led)) - ONE)
        return lowest(higher) if higher else lowest(legal)
    return _throw_away(legal, certain | possible, options)


@kernel
def _lead(view, legal, certain, possible, count, options):
    value = options.value
    theirs = certain | possible
    free = popcount(possible)
    share = (count - popcount(certain)) / free if free else 0.0
    total = 0.0
    running = -1
    longest = -1e9
    made = -1
    promise = -1e9
    for suit in range(4):
        mine = ranks_in(legal, suit)
        if mine == np.uint64(0):
            continue
        against = ranks_in(theirs, suit)
        size = popcount(mine)
        wins = winners_over(mine, against)
        length = popcount(ranks_in(certain, suit)) + share * popcount(ranks_in(possible, suit))
        cash = np.float64(size if wins >= length else wins)
        total += cash
        if wins > 0 and cash > longest:
            longest = cash
            running = suit
        worth = LED[mine, against] + value[LONG] * (size - length)
        if worth > promise:
            promise = worth
            made = suit
    need = HAND // 2 + 1 - view.public[0].tricks
    suit = made
    if running >= 0 and (total >= need - value[CASH] or need <= 0):
        suit = running
    return highest(ranks_in(legal, suit)) + 8 * suit


@kernel
def _throw_away(legal, theirs, options):
    """Return the lowest card of the suit that loses least by it."""
    guard = options.value[GUARD]
    best = 1e9
    choice = np.int64(0)
    for suit in range(4):
        mine = ranks_in(legal, suit)
        if mine == np.uint64(0):
            continue
        against = ranks_in(theirs, suit)
        fewer = mine & (mine - ONE)
        loss = guard * (DEFENDED[mine, against] - DEFENDED[fewer, against])
        loss += (1.0 - guard) * (LED[mine, against] - LED[fewer, against]) + 0.01 * lowest(mine)
        if loss < best:
            best = loss
            choice = lowest(mine) + 8 * suit
    return choice


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    usual = USUAL[0]
    if part == PLAYING - SHOWING:
        return basic_play(view, legal, rng, usual)
    if part == EXCHANGING - SHOWING:
        return basic_exchange(view, legal, rng, usual)
    if part == DECLARING - SHOWING:
        return basic_declare(view, legal, rng, usual)
    if part == LEAVING - SHOWING:
        return basic_leave(view, legal, rng, usual)
    return basic_show(view, legal, rng, usual)
