"""How a sensible club player plays cribbage.

Discards: what every way to discard leaves in the hand on average over all starters, and what the cards are worth in the
crib. Play: what a card scores at once, less what the next player may be expected to score on it. Bids: half of what it
is worth to have the crib and not to leave it to the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.games.cribbage.cribs import OTHER, OWN, PAIR_MEANS, SINGLE_MEANS
from simcards.games.cribbage.frame import (
    BIDDING,
    DISCARDING,
    LIMIT,
    PACK,
    PASS,
    PLAYING,
    STATE,
    UP_TO,
    VIEW,
    after,
    bit_of,
    is_side,
    to_lay,
)
from simcards.games.cribbage.scoring import (
    CARDS,
    FIVE,
    JACK_FIELD,
    KEYS,
    ONE,
    RANKS,
    VALUE,
    class_of,
    in_suit,
    key_of,
    laid_points,
    over_starters,
    rank_counts,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import OPTIONS, implements

EVERY_RANK = np.array([sum(1 << (13 * suit + rank) for suit in range(4)) for rank in range(RANKS)], np.uint64)

WORTH_CRIB, WORTH_LOW, RISK, TRAP, GOING, SAVE, BOLD, LEADING = range(8)
HABITS = (
    ("crib", 1.0, "weight of the crib when discarding", -10, 10),
    ("low", 0.1, "points that an ace, two, three or four in the hand is worth besides when discarding", -10, 10),
    ("risk", 1.0, "weight of what the next player may score on a card", 0, 10),
    ("trap", 0.5, "weight of a third card of a rank that could be laid if the next player makes a pair", 0, 10),
    ("go", 1.0, "weight of the chance that the next player can lay nothing", 0, 10),
    ("save", 0.0, "points for each that a card counts, so that low cards are kept", -10, 10),
    ("bold", 0.0, "points by which bids go beyond half of the difference that the crib makes", -29, 29),
    ("lead", 0.0, "points that leading and showing first are worth when bidding", -29, 29),
)


def _usual() -> np.ndarray[Any, Any]:
    options = np.zeros(1, OPTIONS)
    options["value"][0, : len(HABITS)] = [habit[1] for habit in HABITS]
    return options


USUAL = _usual()
CHANCES = 54  # cards that are not seen, at most, and one


def _misses() -> np.ndarray[Any, Any]:
    """Return the chance to hold none of some cards, by how many these are (to four), cards held and cards not seen."""
    misses = np.ones((5, 8, CHANCES), np.float32)
    for wanted in range(1, 5):
        for held in range(8):
            for unseen in range(1, CHANCES):
                chance = 1.0
                for k in range(wanted):
                    chance *= max(0, unseen - held - k) / max(1, unseen - k)
                misses[wanted, held, unseen] = chance
    return misses


MISSES = _misses()


# -- discards --------------------------------------------------------------------------------------------------


@kernel
def kept_mean(rules, key, kept, dealt, ranks):
    """Return what some cards score on average with the starter.

    Parameters
    ----------
    rules : record
        The rules.
    key : uint64
        Of the cards kept.
    kept : int
        How many they are.
    dealt : uint64
        Key of all cards that the player has seen.
    ranks : uint64
        How many of those are of each rank.
    """
    unseen = CARDS - np.int64(rules.cards)
    total = over_starters(key, ranks, np.int64(rules.fifteen), np.int64(rules.pair), np.int64(rules.run))
    for suit in range(4):
        left = RANKS - in_suit(dealt, suit)
        if in_suit(key, suit) == kept:
            total += np.int64(rules.flush) * (unseen * kept + left)
        if (key >> np.uint64(JACK_FIELD + suit)) & ONE:
            total += np.int64(rules.nobs) * left
    return total / unseen


@kernel
def best_discard(rules, hand, sign, value):
    """Return the best discard of a hand and what hand and crib are worth with it.

    Parameters
    ----------
    rules : record
        The rules.
    hand : uint64
        The cards dealt.
    sign : int
        1 when the crib is the player's or his partner's, -1 when it is the others', 0 when that is not known.
    value : array
        Habits.
    """
    size = np.int64(rules.cards)
    dealt = key_of(hand)
    ranks = rank_counts(hand)
    whose = OWN if sign > 0 else OTHER
    weight = sign * value[WORTH_CRIB]
    low = value[WORTH_LOW]
    best = -1e9
    chosen = 0
    number = 0
    for j in range(size):
        second = nth_set(hand, j)
        if rules.players == 4:
            rest = dealt - KEYS[second]
            worth = kept_mean(rules, rest, size - 1, dealt, ranks) + weight * SINGLE_MEANS[whose, second % RANKS]
            worth -= low * (second % RANKS < FIVE)
            if worth > best:
                best = worth
                chosen = j
            continue
        left = hand
        for _ in range(j):
            first = lowest(left)
            left &= left - ONE
            rest = dealt - KEYS[first] - KEYS[second]
            worth = kept_mean(rules, rest, size - 2, dealt, ranks)
            worth += weight * PAIR_MEANS[size - 5, whose, class_of(first, second)]
            worth -= low * ((first % RANKS < FIVE) + (second % RANKS < FIVE))
            if worth > best:
                best = worth
                chosen = number
            number += 1
    return chosen, best


@kernel
def crib_sign(common, seat):
    """Return 1 when the crib is the player's side's, -1 when it is the other's, 0 when nobody's yet."""
    if common.owner < 0:
        return 0
    return 1 if is_side(np.int64(common.owner), seat) else -1


# -- bids ------------------------------------------------------------------------------------------------------


@kernel
def crib_limit(rules, hand, discards, value):
    """Return up to which bid of the other one should go higher.

    To win with a bid costs it; to let the other have the crib brings what he bids. So one goes on while the next bid
    and the other's together are less than what the crib makes of a difference.
    """
    if discards:
        first = lowest(discards)
        second = lowest(discards & (discards - ONE))
        where = class_of(first, second)
        cards = np.int64(rules.cards) - 5
        swing = PAIR_MEANS[cards, OWN, where] + PAIR_MEANS[cards, OTHER, where]
    else:
        _, mine = best_discard(rules, hand, 1, value)
        _, theirs = best_discard(rules, hand, -1, value)
        swing = mine - theirs
    return (swing + 2.0 * value[LEADING]) / 2.0 + value[BOLD]


@kernel
def choose_bid(rules, common, hand, discards, legal, value):
    """Bid one more while the crib is worth it."""
    more = np.int64(common.bid) + 1
    if legal & bit_of(PASS) == np.uint64(0):
        return more
    if legal & bit_of(more) and more <= crib_limit(rules, hand, discards, value):
        return more
    return np.int64(PASS)


# -- the play --------------------------------------------------------------------------------------------------


@kernel
def reply(rules, recent, count, unseen, held, above):
    """Return what a player may be expected to score with his next card, and the chance that he can lay none.

    Parameters
    ----------
    rules : record
        The rules.
    recent, count
        The cards laid, as of `scoring.laid_points`.
    unseen : uint64
        Cards that he may hold, and others that lie elsewhere.
    held : int
        How many he holds.
    above : int
        What each of them counts more than.
    """
    size = popcount(unseen)
    room = LIMIT - count
    expected = 0.0
    for rank in range(RANKS):
        if VALUE[rank] > room:
            break
        left = popcount(unseen & EVERY_RANK[rank])
        if left == 0 or VALUE[rank] <= above:
            continue
        points = laid_points(rules, recent, count, rank)
        if points > expected:
            expected += (1.0 - MISSES[left, held, size]) * (points - expected)
    none = 1.0
    if room < 10 or above > 0:
        usable = popcount(unseen & UP_TO[room] & ~UP_TO[above])
        for k in range(held):
            none *= max(0, size - usable - k) / (size - k)
    else:
        none = 0.0
    return expected, none


@kernel
def go_on_alone(rules, recent, count, hand):
    """Return the most that a player scores with his next card when nobody else can lay one."""
    best = np.float64(rules.last_card)
    rest = to_lay(hand, count)
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        rank = card % RANKS
        points = np.float64(laid_points(rules, recent, count, rank))
        if count + VALUE[rank] < LIMIT:
            points += rules.last_card
        best = max(best, points)
    return best


@kernel
def choose_card(rules, common, publics, places, seat, hand, unseen, legal, value):
    """Lay the card that scores most, less what it gives away.

    Parameters
    ----------
    rules, common
        The rules, and what all know.
    publics : array
        What all know of the players.
    places : int
        The player of the first of these.
    seat : int
        Who lays.
    hand, unseen : uint64
        His cards, and those that he has not seen.
    legal : uint64
        The cards that can be laid.
    value : array
        Habits.
    """
    players = np.int64(rules.players)
    count = np.int64(common.count)
    follower = -1
    held = 0
    above = 0
    others = 0
    for k in range(1, players):
        other = after(rules, seat, k)
        public = publics[(other - places) % players]
        if public.cards > 0:
            others += 1
            if follower < 0 and common.gone >> other & 1 == 0:
                follower = other
                held = np.int64(public.cards)
                above = np.int64(public.above)
    side = 1.0 if follower >= 0 and is_side(follower, seat) else -1.0
    best = -1e9
    chosen = lowest(legal)
    done = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        rank = card % RANKS
        if done >> rank & 1:
            continue
        done |= 1 << rank
        total = count + VALUE[rank]
        worth = laid_points(rules, common.recent, count, rank) + value[SAVE] * VALUE[rank]
        recent = common.recent << np.uint64(4) | np.uint64(rank + 1)
        if total == LIMIT:
            pass
        elif follower < 0:
            worth += go_on_alone(rules, recent, total, hand & ~bit_of(card))
        else:
            expected, none = reply(rules, recent, total, unseen, held, above)
            worth += side * value[RISK] * expected
            if none > 0.0:
                worth += value[GOING] * none * go_on_alone(rules, recent, total, hand & ~bit_of(card))
            same = popcount(hand & EVERY_RANK[rank])
            if same > 1 and side < 0.0 and total + 2 * VALUE[rank] <= LIMIT and VALUE[rank] > above:
                left = popcount(unseen & EVERY_RANK[rank])
                worth += value[TRAP] * 3.0 * rules.pair * (1.0 - MISSES[left, held, popcount(unseen)])
        if worth > best:
            best = worth
            chosen = card
    return chosen


# -- policies --------------------------------------------------------------------------------------------------


@kernel
def seen_by(rules, common, publics, own):
    """Return the cards that a player has seen."""
    seen = own.hand | own.discards
    for k in range(np.int64(rules.players)):
        seen |= publics[k].laid
    if common.starter >= 0:
        seen |= bit_of(common.starter)
    return seen


@kernel
def basic_bid(view, legal, rng, options):
    """Bid for the crib."""
    return choose_bid(view.rules, view.common, view.own.hand, view.own.discards, legal, options.value)


@kernel
def basic_discard(view, legal, rng, options):
    """Discard what leaves the best of hand and crib."""
    action, _ = best_discard(view.rules, view.own.hand, crib_sign(view.common, view.seat), options.value)
    return np.int64(action)


@kernel
def basic_play(view, legal, rng, options):
    """Lay a card, or say go."""
    if legal & (legal - ONE) == np.uint64(0):
        return np.int64(lowest(legal))
    own = view.own
    unseen = PACK & ~seen_by(view.rules, view.common, view.public, own)
    return np.int64(
        choose_card(view.rules, view.common, view.public, view.seat, view.seat, own.hand, unseen, legal, options.value)
    )


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    if part == PLAYING - BIDDING:
        return basic_play(view, legal, rng, USUAL[0])
    if part == DISCARDING - BIDDING:
        return basic_discard(view, legal, rng, USUAL[0])
    return basic_bid(view, legal, rng, USUAL[0])


@implements(protocol.usual, STATE)
def _usual_of_state(state, views, legal, rng, options):
    common = state.common
    seat = np.int64(common.turn)
    own = state.private[seat]
    value = USUAL[0].value
    if common.stage == PLAYING:
        if legal & (legal - ONE) == np.uint64(0):
            return np.int64(lowest(legal))
        unseen = PACK & ~seen_by(state.rules, common, state.public, own)
        return np.int64(choose_card(state.rules, common, state.public, 0, seat, own.hand, unseen, legal, value))
    if common.stage == DISCARDING:
        action, _ = best_discard(state.rules, own.hand, crib_sign(common, seat), value)
        return np.int64(action)
    return choose_bid(state.rules, common, own.hand, own.discards, legal, value)
