"""How a sensible club player bids for skat, lays away and declares: by what a game brings on average."""

from __future__ import annotations

import numpy as np

from simcards.games.skat.contracts import base_of
from simcards.games.skat.frame import (
    DECLARED,
    GRAND,
    HAND,
    NONE,
    NULL,
    ONE,
    OUVERT,
    PASS,
    PLAIN,
    SCHNEIDER,
    TAKE,
    bid_above,
    bit_of,
    null_value,
)
from simcards.games.skat.hands import DEALT, FINAL, FROM_HAND, MADE, SCHNEIDERED, chance_of, estimate
from simcards.games.skat.play import safe_value
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

BOLD, DEFENCE, HAND_MARGIN, OPEN = range(4)
BIDDING_HABITS = (
    ("bold", 0.0, "added to the logarithm of the odds of every game, before the first card", -10, 10),
    ("defence", -12.0, "points that a game must bring on average to be bid for", -400, 400),
    ("hand", 10.0, "points by which a game from the hand must be better than to take the skat", -400, 400),
    ("open", 0.5, "taken off the logarithm of the odds of a null for playing it with open cards", -10, 10),
)

_WORST = -1e9


@kernel
def promise(view, game, kind, hand, laid, value):
    """Return what a game brings on average, and what it is worth when it is just made.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    game, kind, hand, laid
        As of `hands.estimate`.
    value : ndarray of float64
        The habits.
    """
    common = view.common
    rules = view.rules
    high = np.int64(common.high)
    leads = common.forehand == view.seat
    skat = kind != FROM_HAND
    made = chance_of(estimate(game, kind, MADE, hand, laid, leads) + value[BOLD])
    times = 1 if not skat and rules.hand_loss == 0 else 2
    worth = safe_value(hand | laid, game, skat, PLAIN)
    if game == NULL:
        if worth < high:
            return _WORST, worth
        return made * worth - (1.0 - made) * times * worth, worth
    base = np.int64(base_of(game, PLAIN))
    more = min(made, chance_of(estimate(game, kind, SCHNEIDERED, hand, laid, leads) + value[BOLD]))
    lost = max(worth, (high + base - 1) // base * base)
    if worth >= high:
        return made * worth + more * base - (1.0 - made) * times * lost, worth
    if worth + base >= high:  # schneider would make it
        return more * (worth + base) - (1.0 - more) * times * lost, worth
    return -1.0 * times * lost, worth


@kernel
def open_null(view, hand, laid, value):
    """Return what a null with open cards brings on average: from the hand, or with these cards laid away."""
    skat = laid != NONE
    worth = null_value(skat, OUVERT)
    if worth < view.common.high:
        return _WORST
    logit = estimate(NULL, FINAL if skat else FROM_HAND, MADE, hand, laid, view.common.forehand == view.seat)
    made = chance_of(logit + value[BOLD] - value[OPEN])
    times = 1 if not skat and view.rules.hand_loss == 0 else 2
    return made * worth - (1.0 - made) * times * worth


@kernel
def limit_of(view, value):
    """Return how high the hand may be bid for, 0 for not at all."""
    hand = view.own.hand
    limit = 0
    for game in range(NULL + 1):
        for kind in (DEALT, FROM_HAND):
            brings, worth = promise(view, game, kind, hand, NONE, value)
            if brings > value[DEFENCE]:
                limit = max(limit, worth)
    if open_null(view, hand, NONE, value) > value[DEFENCE]:
        limit = max(limit, np.int64(null_value(False, OUVERT)))
    return limit


@kernel
def basic_bid(view, legal, rng, options):
    """Call or hold as long as some game that is worth as much promises more than to leave the hand to another."""
    common = view.common
    if common.turn == common.caller:
        goal = np.int64(bid_above(view.rules, np.int64(common.step), 1))
    else:
        goal = np.int64(common.high)
    if legal == bit_of(PASS) or limit_of(view, options.value) < goal:
        return np.int64(PASS)
    return np.int64(1)


@kernel
def basic_skat(view, legal, rng, options):
    """Take the skat, unless a game from the hand promises more."""
    value = options.value
    hand = view.own.hand
    taking = _WORST
    keeping = open_null(view, hand, NONE, value)
    for game in range(NULL + 1):
        brings, _ = promise(view, game, DEALT, hand, NONE, value)
        taking = max(taking, brings)
        brings, _ = promise(view, game, FROM_HAND, hand, NONE, value)
        keeping = max(keeping, brings)
    return np.int64(HAND if keeping > taking + value[HAND_MARGIN] else TAKE)


@kernel
def basic_discard(view, legal, rng, options):
    """Lay the two cards away, or the second one, without which the best game promises most."""
    own = view.own
    leads = view.common.forehand == view.seat
    single = own.laid != NONE
    best = _WORST
    choice = np.int64(lowest(legal))
    for game in range(NULL + 1):
        highest_odds = _WORST
        first_card = np.int64(0)
        kept = NONE
        laid_away = NONE
        rest = legal
        while rest:
            first = rest & (~rest + ONE)
            rest &= rest - ONE
            left = own.hand & ~first
            seconds = ONE if single else left & ~(first - ONE)
            while seconds:
                second = NONE if single else seconds & (~seconds + ONE)
                seconds &= seconds - ONE
                laid = own.laid | first | second
                odds = estimate(game, FINAL, MADE, left & ~second, laid, leads)
                if odds > highest_odds:
                    highest_odds = odds
                    first_card = np.int64(lowest(first))
                    kept = left & ~second
                    laid_away = laid
        brings, _ = promise(view, game, FINAL, kept, laid_away, options.value)
        if game == NULL and view.rules.open_null == 1:
            brings = max(brings, open_null(view, kept, laid_away, options.value))
        if brings > best:
            best = brings
            choice = first_card
    return choice


@kernel
def basic_declare(view, legal, rng, options):
    """Declare what promises most."""
    value = options.value
    own = view.own
    skat = view.common.skat != 0
    kind = FINAL if skat else FROM_HAND
    best = 2.0 * _WORST
    choice = np.int64(lowest(legal))
    for game in range(NULL + 1):
        if not (legal >> np.uint64(game)) & ONE:
            continue
        brings, worth = promise(view, game, kind, own.hand, own.laid, value)
        if brings > best:
            best = brings
            choice = np.int64(game)
        action = game + DECLARED * SCHNEIDER
        if game <= GRAND and (legal >> np.uint64(action)) & ONE:
            more = chance_of(
                estimate(game, kind, SCHNEIDERED, own.hand, own.laid, view.common.forehand == view.seat) + value[BOLD]
            )
            announced = worth + 2 * base_of(game, PLAIN)
            times = 1 if view.rules.hand_loss == 0 else 2
            brings = announced * (more - times * (1.0 - more))
            if brings > best and announced >= view.common.high:
                best = brings
                choice = np.int64(action)
    action = NULL + DECLARED * OUVERT
    if (legal >> np.uint64(action)) & ONE and open_null(view, own.hand, own.laid, value) > best:
        choice = np.int64(action)
    return choice
