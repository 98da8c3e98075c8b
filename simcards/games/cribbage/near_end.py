"""The strategy `board`: a sensible player who looks at the score when the end of the game is near.

Far from the end a point is a point. Near it, it matters who counts first, and that points beyond the target are worth
nothing: so of every discard the chance to win is reckoned, over all starters, and over the points that play, the
other's hand and the crib bring in deals between sensible players. In play the card is chosen that scores most less
what it gives away, as `basic` does, but what it gives away weighs as much more or less as the other's next points
change the chance more or less than one's own; and a card that wins at once is laid.
"""

from __future__ import annotations

import numpy as np

from simcards.games.cribbage.board import (
    BEFORE_CRIB,
    BEFORE_DEALER,
    HAND_PONE,
    IN_CRIB,
    MOST,
    PART_POINTS,
    PEG_DEALER,
    PEG_PONE,
    ROOM,
    TARGETS,
    kind_of,
)
from simcards.games.cribbage.cribs import OTHER, OWN, PAIR_MEANS
from simcards.games.cribbage.frame import NO_AUCTION, PACK, VIEW
from simcards.games.cribbage.players import (
    RISK,
    USUAL,
    WORTH_LOW,
    basic_bid,
    basic_discard,
    choose_card,
    crib_sign,
    seen_by,
)
from simcards.games.cribbage.scoring import (
    CARDS,
    FIVE,
    KEYS,
    ONE,
    PARTS,
    RANKS,
    class_of,
    flush_of,
    has_nobs,
    key_of,
    laid_points,
    place_of,
)
from simcards.games.strategy import Parameter, Strategy
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import policy

NEAR, STEEP = range(2)
SHIFTS = 12  # points by which the crib may be expected to differ from the mean, from `LEAST` on
LEAST = -5
USED = 25  # points of a side in play that are reckoned with; more are as many
LONG = 48  # points of the pone in play and hand together that are reckoned with
CRIB_MEANS = PART_POINTS[:, IN_CRIB] @ np.arange(ROOM)


def _pegging() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return how likely the pone and the dealer score how much in play, by kind."""
    parts = PART_POINTS[:, [PEG_PONE, PEG_DEALER]]
    pegging = parts[:, :, :USED].copy()
    pegging[:, :, -1] += parts[:, :, USED:].sum(axis=2)
    return pegging


def _of_pone() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return how likely the pone's play and hand bring how much, by kind."""
    both = np.zeros((3, LONG))
    for kind in range(3):
        sums = np.convolve(PART_POINTS[kind, PEG_PONE], PART_POINTS[kind, HAND_PONE])
        both[kind] = sums[:LONG]
        both[kind, -1] += sums[LONG:].sum()
    return both


PEGGING = _pegging()
OF_PONE = _of_pone()
HANDS_OF_PONE = PART_POINTS[:, HAND_PONE].copy()


@kernel
def at_hand(values, mine, other):
    """Return a chance from a table by needs; 1 or 0 when one of the sides needs no more."""
    if mine <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    return np.float64(values[min(mine, MOST) - 1, min(other, MOST) - 1])


@kernel
def is_near(view, near):
    """Return whether the score is to be looked at: two players, no auction, and a side within reach of the target."""
    rules = view.rules
    if rules.players != 2 or rules.auction != NO_AUCTION or rules.target == 0:
        return False
    mine = np.int64(rules.target - view.public[0].points)
    other = np.int64(rules.target - view.public[1].points)
    return min(mine, other) <= near and max(mine, other) <= TARGETS[kind_of(rules)]


@kernel
def board_bid(view, legal, rng, options):
    """Bid as `basic`."""
    return basic_bid(view, legal, rng, USUAL[0])


# -- discards --------------------------------------------------------------------------------------------------


@kernel
def worth_of_hands(kind, deals, mine, other, worth):
    """Reckon the chance to win by the points of the own hand, and by how much the crib is better than usual.

    Parameters
    ----------
    kind : int
        Which table.
    deals : bool
        Whether the player deals.
    mine, other : int
        Points needed.
    worth : ndarray of float64, shape (ROOM, SHIFTS)
        Result.
    """
    worth[:] = 0.0
    if deals:
        values = BEFORE_CRIB[kind]
        for own in range(USED):
            for his in range(LONG):
                weight = PEGGING[kind, 1, own] * OF_PONE[kind, his]
                if weight < 1e-7:
                    continue
                for hand in range(ROOM):
                    for shift in range(SHIFTS):
                        points = own + hand + shift + LEAST
                        if own >= mine:
                            worth[hand, shift] += weight
                        elif his < other:
                            worth[hand, shift] += weight * at_hand(values, mine - points, other - his)
        return
    values = BEFORE_DEALER[kind]
    for own in range(USED):
        for his in range(USED):
            weight = PEGGING[kind, 0, own] * PEGGING[kind, 1, his]
            if weight < 1e-7:
                continue
            for hand in range(ROOM):
                for shift in range(SHIFTS):
                    if own >= mine:
                        worth[hand, shift] += weight
                    elif his < other:
                        left = other - his - shift - LEAST
                        worth[hand, shift] += weight * at_hand(values, mine - own - hand, left)


@kernel
def hand_points(rules, key, size, starter):
    """Return what a hand scores with a starter."""
    parts = np.int64(PARTS[place_of(key + KEYS[starter])])
    points = rules.fifteen * (parts & 255) + rules.pair * (parts >> 8 & 255) + rules.run * (parts >> 16)
    points += rules.flush * flush_of(key, size, starter, 2) + rules.nobs * has_nobs(key, starter)
    return np.int64(points)


@kernel
def discard_by_score(rules, hand, deals, mine, other):
    """Return the discard that wins most often.

    Parameters
    ----------
    rules : record
        The rules.
    hand : uint64
        The cards dealt.
    deals : bool
        Whether the player deals.
    mine, other : int
        Points needed.
    """
    kind = kind_of(rules)
    worth = np.zeros((ROOM, SHIFTS))
    worth_of_hands(kind, deals, mine, other, worth)
    usual = USUAL[0].value
    # what a point is worth here, for what is only known in points
    slope = max(1e-5, (worth[12, -LEAST] - worth[4, -LEAST]) / 8.0)
    whose = OWN if deals else OTHER
    sign = 1.0 if deals else -1.0
    size = np.int64(rules.cards)
    dealt = key_of(hand)
    counts = np.zeros(ROOM)
    best = -1e9
    chosen = 0
    number = 0
    for j in range(size):
        second = nth_set(hand, j)
        left = hand
        for _ in range(j):
            first = lowest(left)
            left &= left - ONE
            rest = dealt - KEYS[first] - KEYS[second]
            counts[:] = 0.0
            total = 0.0
            for starter in range(CARDS):
                if (hand >> np.uint64(starter)) & ONE == np.uint64(0):
                    points = min(ROOM - 1, hand_points(rules, rest, size - 2, starter))
                    counts[points] += 1.0 / (CARDS - size)
                    total += points / (CARDS - size)
            more = PAIR_MEANS[kind, whose, class_of(first, second)] - CRIB_MEANS[kind]
            place = min(max(more - LEAST, 0.0), SHIFTS - 1.001)
            below = np.int64(place)
            part = place - below
            value = 0.0
            for points in range(ROOM):
                if counts[points] > 0.0:
                    value += counts[points] * ((1.0 - part) * worth[points, below] + part * worth[points, below + 1])
            value -= slope * usual[WORTH_LOW] * ((first % RANKS < FIVE) + (second % RANKS < FIVE))
            value += 1e-6 * (total + sign * more)  # where nothing helps or hurts, more points are better
            if value > best:
                best = value
                chosen = number
            number += 1
    return chosen


@kernel
def board_discard(view, legal, rng, options):
    """Discard what wins most often near the end, else as `basic`."""
    rules = view.rules
    if not is_near(view, options.value[NEAR]):
        return basic_discard(view, legal, rng, USUAL[0])
    mine = np.int64(rules.target - view.public[0].points)
    other = np.int64(rules.target - view.public[1].points)
    deals = crib_sign(view.common, view.seat) > 0
    return np.int64(discard_by_score(rules, view.own.hand, deals, mine, other))


# -- the play --------------------------------------------------------------------------------------------------


@kernel
def at_show(kind, deals, hand, more, mine, other):
    """Return the chance to win before the show, with the own hand known.

    Parameters
    ----------
    kind : int
        Which table.
    deals : bool
        Whether the player deals.
    hand : int
        Points of his hand.
    more : int
        By how much the crib is expected to be better than usual.
    mine, other : int
        Points needed.
    """
    if mine <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    if not deals:
        return at_hand(BEFORE_DEALER[kind], mine - hand, other - more)
    total = 0.0
    for his in range(min(other, ROOM)):
        weight = HANDS_OF_PONE[kind, his]
        if weight > 0.0:
            total += weight * at_hand(BEFORE_CRIB[kind], mine - hand - more, other - his)
    return total


@kernel
def in_play(kind, deals, hand, more, share, mine, other):
    """Return the chance to win in the middle of the play, when a share of what play brings is still to come."""
    total = 0.0
    both = np.zeros((2, USED))
    for points in range(USED):
        now = np.int64(points * share + 0.5)
        both[0, now] += PEGGING[kind, 1 if deals else 0, points]
        both[1, now] += PEGGING[kind, 0 if deals else 1, points]
    for own in range(USED):
        for his in range(USED):
            weight = both[0, own] * both[1, his]
            if weight > 1e-4:
                total += weight * at_show(kind, deals, hand, more, mine - own, other - his)
    return total


@kernel
def risk_of(view, hand, deals, mine, other, steep):
    """Return how much the other's next points matter beside one's own.

    Parameters
    ----------
    view : record
        What the player sees.
    hand : uint64
        His hand as it will be shown.
    deals : bool
        Whether he deals.
    mine, other : int
        Points needed.
    steep : float
        The most that is returned; its reciprocal is the least.
    """
    rules = view.rules
    kind = kind_of(rules)
    key = key_of(hand)
    points = hand_points(rules, key, popcount(hand), np.int64(view.common.starter))
    discards = view.own.discards
    whose = OWN if deals else OTHER
    where = class_of(lowest(discards), lowest(discards & (discards - ONE)))
    more = np.int64(np.round(PAIR_MEANS[kind, whose, where] - CRIB_MEANS[kind]))
    left = view.public[0].cards + view.public[1].cards - 1
    share = left / (2.0 * (rules.cards - 2))
    now = in_play(kind, deals, points, more, share, mine, other)
    gain = in_play(kind, deals, points, more, share, mine - 2, other) - now
    loss = now - in_play(kind, deals, points, more, share, mine, other - 2)
    if gain < 1e-6 and loss < 1e-6:
        return 1.0
    return min(steep, max(1.0 / steep, loss / max(gain, 1e-9)))


@kernel
def board_play(view, legal, rng, options):
    """Lay what wins at once; else weigh what a card gives away by the score."""
    if legal & (legal - ONE) == np.uint64(0):
        return np.int64(lowest(legal))
    own = view.own
    rules = view.rules
    common = view.common
    unseen = PACK & ~seen_by(rules, common, view.public, own)
    value = USUAL[0].value.copy()
    if is_near(view, options.value[NEAR]):
        mine = np.int64(rules.target - view.public[0].points)
        other = np.int64(rules.target - view.public[1].points)
        rest = legal
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            if laid_points(rules, common.recent, np.int64(common.count), card % RANKS) >= mine:
                return np.int64(card)
        deals = crib_sign(common, view.seat) > 0
        value[RISK] *= risk_of(view, own.hand | view.public[0].laid, deals, mine, other, options.value[STEEP])
    return np.int64(choose_card(rules, common, view.public, view.seat, view.seat, own.hand, unseen, legal, value))


STRATEGY = Strategy(
    "board",
    "plays like basic, and near the end of the game by the score: discards for the best chance to win, and weighs in"
    " play what it gives away by what points are worth to both sides",
    tuple(policy(VIEW)(decide) for decide in (board_bid, board_discard, board_play)),
    (
        Parameter("near", 45, "points that a side needs at most for the score to be looked at", 0, MOST),
        Parameter("steep", 4.0, "by how much the other's points may count more or less than one's own", 1, 100),
    ),
)
