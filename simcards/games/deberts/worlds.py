"""What a player of deberts knows of the other's hand, and deals that agree with it."""

from __future__ import annotations

import numpy as np

from simcards.games.deberts.frame import (
    BEATEN,
    BIDDING,
    CLAIMED,
    DEALT,
    DECK,
    DRAWN,
    GOOD,
    HAND,
    ONE,
    PACK,
    RUN_BESIDE,
    RUN_SPAN,
    SEVEN,
    SILENT,
    STATE,
    SUIT,
    TIERCE,
    TURNED,
    UNASKED,
    VIEW,
    best_run,
    bit_of,
    height_of,
    kind_of,
    run_points,
    standing,
)
from simcards.games.deberts.play import clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import bounded, choose_several, uniform

TRIES = 200  # hands drawn in search of one that agrees with what was said

# How well a hand agrees with what was said
CONTRADICTS, AGREES, AS_MEANT = range(3)


@kernel
def lying_card(common):
    """Return the card that lies turned: the one that was turned, or the seven that was exchanged for it."""
    return np.int64(common.turned) if common.seven < 0 else 8 * np.int64(common.trump) + SEVEN


@kernel
def cards_held(common, other):
    """Return how many cards the other player has in his hand."""
    return (DEALT if common.stage == BIDDING else HAND) - popcount(other.played)


@kernel
def other_cards(common, me, other, hand):
    """Return what is known of the other's hand.

    Parameters
    ----------
    common : COMMON
        What both know.
    me, other : PUBLIC
        What both know of the player and of the other.
    hand : uint64
        The player's own cards.

    Returns
    -------
    certain, possible : uint64
        Cards that he holds, and those that he may hold besides.
    """
    certain = other.shown & ~other.played
    gone = hand | me.played | other.played | other.absent | bit_of(lying_card(common))
    return certain, PACK & ~(gone | certain)


@kernel
def when_he_spoke(view, hand):
    """Return the nine cards with which the other spoke of runs, by those that he has or had last."""
    common = view.common
    full = hand | view.public[1].played
    if common.late and common.seven != view.seat:
        full = (full & ~bit_of(common.turned)) | bit_of(8 * common.trump + SEVEN)
    return full


@kernel
def agreement(view, spoken):
    """Return how well the nine cards with which the other spoke agree with what he said.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    spoken : uint64
        What `when_he_spoke` returned.

    Returns
    -------
    int
        ``CONTRADICTS``; ``AGREES``, if he kept silent about something that he could have said; ``AS_MEANT``, if not.
    """
    me = view.public[0]
    other = view.public[1]
    rules = view.rules
    key = best_run(rules, spoken, view.common.trump)
    if other.said == GOOD:
        return AS_MEANT if run_points(rules, spoken) == other.runs else CONTRADICTS
    if other.said == CLAIMED or other.said == BEATEN:
        if kind_of(key) != other.kind:
            return CONTRADICTS
        if other.height >= 0:
            agrees = height_of(key) == other.height and (key & 1) == other.in_trumps
            return AS_MEANT if agrees else CONTRADICTS
        if me.kind == other.kind and me.height >= 0:  # he heard how high, and gave way
            mine = 2 * (8 * me.kind + me.height) + me.in_trumps
            return AS_MEANT if standing(rules, key) < standing(rules, mine) else CONTRADICTS
        return AS_MEANT
    if other.said == SILENT:
        least = me.kind if view.seat != view.common.dealer and me.said >= CLAIMED else TIERCE
        return AGREES if kind_of(key) >= least else AS_MEANT
    return AS_MEANT


@kernel
def _left_the_turned(view, hand):
    """Return whether a hand of the other holds the seven of trumps though he could have exchanged it."""
    common = view.common
    other = view.public[1]
    if not view.rules.exchange or common.trump != common.turned >> 3 or common.seven >= 0:
        return False
    if other.played == np.uint64(0):
        return False
    return ((hand | other.played) & bit_of(8 * common.trump + SEVEN)) != np.uint64(0)


@kernel
def _ways(left, count):
    """Return how many ways there are to choose some of the cards left."""
    ways = 1.0
    for k in range(count):
        ways *= (left - k) / (k + 1)
    return ways


@kernel
def _place_run(view, rng, certain, free, count):
    """Choose which cards the best run is that the other has claimed and not shown.

    Of all that are possible each is as likely as the hands that hold it are many.

    Returns
    -------
    certain, free : uint64
        With the run among the first, and without its neighbours among the others.
    name : int
        8 * suit and its height; -1 where none is possible.
    """
    other = view.public[1]
    order = np.int64(view.rules.run_order)
    kind = np.int64(other.kind)
    held = certain | other.played
    total = 0.0
    chosen = -1
    for name in range(32):
        suit = name >> 3
        height = name & 7
        if height < kind - 1:
            continue
        if other.height >= 0 and (height != other.height or (suit == view.common.trump) != (other.in_trumps == 1)):
            continue
        run = RUN_SPAN[order, kind, height] << np.uint64(8 * suit)
        beside = RUN_BESIDE[order, kind, height] << np.uint64(8 * suit)
        missing = popcount(run & ~held)
        left = popcount(free & ~(run | beside))
        if run & ~(held | free) or beside & held or missing > count or left < count - missing:
            continue
        weight = _ways(left, count - missing)
        total += weight
        if uniform(rng) * total < weight:
            chosen = name
    if chosen < 0:
        return certain, free, chosen
    shift = np.uint64(8 * (chosen >> 3))
    run = RUN_SPAN[order, kind, chosen & 7] << shift
    beside = RUN_BESIDE[order, kind, chosen & 7] << shift
    return certain | (run & free), free & ~(run | beside), chosen


@kernel
def _first_best(view, spoken):
    """Return the best run of a hand as 8 * suit and its height, of equal ones that of the first suit."""
    key = best_run(view.rules, spoken, view.common.trump)
    for suit in range(4):
        if best_run(view.rules, spoken & (SUIT << np.uint64(8 * suit)), view.common.trump) == key:
            return 8 * suit + height_of(key)
    return -1


@kernel
def _hand_of_other(view, rng):
    """Return a hand for the other that agrees with what is known of him, and with what he said."""
    common = view.common
    other = view.public[1]
    certain, free = other_cards(common, view.public[0], other, view.hand)
    count = cards_held(common, other) - popcount(certain)
    if other.said == UNASKED:
        return certain | choose_several(rng, free, count)
    claims = other.said == CLAIMED or other.said == BEATEN
    late = common.late and common.seven != view.seat
    best = certain
    reached = -1
    for _ in range(TRIES):
        name = -1
        if claims and not late:
            placed, rest, name = _place_run(view, rng, certain, free, count)
            hand = placed | choose_several(rng, rest, count - popcount(placed & ~certain))
        else:
            hand = certain | choose_several(rng, free, count)
        spoken = when_he_spoke(view, hand)
        level = agreement(view, spoken)
        if level == AS_MEANT and _left_the_turned(view, hand):
            level = AGREES
        if name >= 0 and _first_best(view, spoken) != name:
            level = CONTRADICTS  # a hand with several runs would come too often
        if level > reached:
            reached = level
            best = hand
        if level == AS_MEANT:
            break
    return best


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    me = view.seat
    them = 1 - me
    common = view.common
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.public[me] = view.public[0]
    state.public[them] = view.public[1]
    state.hands[me] = view.hand
    clear_tally(state.tally)
    hand = _hand_of_other(view, rng)
    state.hands[them] = hand
    rest = PACK & ~(view.hand | view.public[0].played | view.public[1].played | hand | bit_of(lying_card(common)))
    state.deck[:] = 0
    state.deck[TURNED] = common.turned
    place = TURNED + 1
    if common.trump >= 0:
        place = DRAWN
    else:
        while place < DRAWN:  # what will be drawn, in its order
            card = nth_set(rest, bounded(rng, popcount(rest)))
            rest &= ~bit_of(card)
            state.deck[place] = card
            place += 1
    while place < DECK and rest:
        state.deck[place] = lowest(rest)
        rest &= rest - ONE
        place += 1


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)
