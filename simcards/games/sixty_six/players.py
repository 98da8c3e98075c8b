"""How a sensible club player plays sixty-six.

He remembers all cards that were played. A card is weighed by the trick it may win or lose, and by what it is worth
kept: trumps, aces and tens for later tricks, kings and queens for a marriage. He closes when the points that he counts
on from his hand, with the opponents forced to follow suit, come to the goal.
"""

from __future__ import annotations

import numpy as np

from simcards.games.sixty_six.frame import (
    ACE,
    CLOSING,
    EXCHANGING,
    FIRSTS,
    KING,
    ONE,
    PLAYING,
    QUEEN,
    SECOND,
    SUIT_OF,
    TEN,
    VALUE,
    VIEW,
    WITH_MARRIAGE,
    above,
    beats,
    bit_of,
    cards_in_hand,
    count_of,
    doubled,
    marriage_value,
    marriages,
    must_follow,
    suit_mask,
    together,
)
from simcards.games.sixty_six.worlds import hidden_cards
from simcards.games.strategy import Parameter, usual_options
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements

BOLDNESS, URGENCY, PATIENCE, MARRIAGE, TRUMPS, SAVE_TRUMPS, SAVE_HIGH, SAVE_PAIRS, LATE, LEAD, RUFFS = range(11)
HABITS = (
    Parameter(
        "boldness", 0.0, "points that may be missing to the goal, as he reckons, when he closes the stock", -100, 100
    ),
    Parameter("urgency", 5.0, "more such points when another has all but won, in proportion to his points", -100, 100),
    Parameter("patience", 8.0, "points that he wants besides while no other has a point", -100, 100),
    Parameter("marriages", 0.5, "how much of a marriage's points he counts for leading it at once", 0, 5),
    Parameter("trumps", 0.0, "points that he counts for leading a trump when suit must be followed", -50, 50),
    Parameter("save_trumps", 14.0, "points that a trump of middle rank is worth kept", 0, 50),
    Parameter("save_high", 7.0, "points that the highest card of a plain suit is worth kept", 0, 50),
    Parameter("save_pairs", 0.75, "share of a marriage that he counts for keeping king and queen together", 0, 5),
    Parameter("late", 0.2, "how much of that trumps and high cards are worth when suit must be followed", 0, 5),
    Parameter("lead", 0.0, "points that it is worth to be on lead while the stock is open", -20, 20),
    Parameter("ruffs", 0.9, "how readily he expects a ten led to be trumped while the stock is open", 0, 10),
)
USUAL = usual_options(HABITS)
FOLLOWED = 3.0  # points that another adds to a trick on average which he does not win
TAKEN = 6.0  # points that another adds to a trick which he wins
CERTAIN = 1e6
_BY_RANK = (0.7, 0.8, 0.9, 1.0, 1.5, 2.0)  # what a trump is worth kept, in trumps of middle rank


@kernel
def _others_hold(view):
    """Return the cards that others are known to hold, and how many more they have that are not known."""
    known = np.uint64(0)
    count = 0
    for player in range(np.int64(view.rules.players)):
        if player != view.seat:
            known = together(known, view.public[player].known)
            count += cards_in_hand(view, player)
    return known, count - popcount(known)


@kernel
def _power(base, times):
    """Return a number to the power of a small whole number."""
    result = 1.0
    for _ in range(times):
        result *= base
    return result


@kernel
def _possible(view, hidden):
    """Return which of the hidden cards others may hold."""
    if not must_follow(view.common):
        return hidden
    lacks = ~np.uint64(0)
    for player in range(np.int64(view.rules.players)):
        if player != view.seat:
            lacks &= view.public[player].lacks
    return hidden & ~doubled(lacks & FIRSTS)


@kernel
def _loses(view, card, known, possible, share, others, options):
    """Return how likely one of so many others beats a card that wins the trick so far.

    `share` is the chance that one of them holds a given card of `possible`.
    """
    common = view.common
    suit = SUIT_OF[card]
    higher = doubled(above(card))
    stays = 0.0 if known & higher else _power(1.0 - share, popcount(possible & higher))
    if suit == common.trump:
        return 1.0 - stays
    trumps = doubled(suit_mask(common.trump))
    has_trump = 1.0 if known & trumps else 1.0 - _power(1.0 - share, popcount(possible & trumps))
    if must_follow(common):
        led = doubled(suit_mask(suit))
        void = _power(1.0 - share / others, popcount(possible & led))
        if others == 1 and known & led:
            void = 0.0
        elif others > 1:
            void = 1.0 - _power(1.0 - void, others)
        return 1.0 - stays * (1.0 - void * has_trump)
    ruffed = has_trump * min(1.0, options.value[RUFFS] * VALUE[card] / 10.0)
    return 1.0 - stays * (1.0 - ruffed)


@kernel
def _kept(view, card, hidden, share, options):
    """Return what a card is worth kept, without the marriage it is part of."""
    rank = card % 6
    if SUIT_OF[card] == view.common.trump:
        return options.value[SAVE_TRUMPS] * _BY_RANK[rank]
    if rank == ACE or (rank == TEN and hidden & doubled(above(card)) == np.uint64(0)):
        return options.value[SAVE_HIGH]
    if rank == TEN:
        return 0.6 * options.value[SAVE_HIGH]
    return 0.0


@kernel
def _kept_for_marriage(view, card, hidden, share, options):
    """Return what a card is worth kept for a marriage that the player has or hopes for."""
    rank = card % 6
    if rank != KING and rank != QUEEN:
        return 0.0
    wed = view.public[view.seat].wed
    free = count_of(view.hand, card) - count_of(wed, card)
    if free == 0:
        return 0.0
    mate = card - 1 if rank == KING else card + 1
    points = options.value[SAVE_PAIRS] * marriage_value(view.rules, view.common, card)
    mates = count_of(view.hand, mate) - count_of(wed, mate)
    if mates > 0:
        return points if free <= mates else 0.0
    if must_follow(view.common):
        return 0.0
    if view.common.turn_up == mate:
        return 0.3 * points
    draws = min(1.0, view.common.stock / (2.0 * view.rules.hand))
    return 0.5 * points * draws * (1.0 - share) if count_of(hidden, mate) else 0.0


@kernel
def basic_exchange(view, legal, rng, options):
    """Exchange the nine whenever that can be done."""
    return np.int64(1)


@kernel
def reckoned(view):
    """Return the points that a player on lead counts on if he closes the stock now: his own, and those to come."""
    common = view.common
    rules = view.rules
    own = view.public[view.seat]
    hidden = hidden_cards(view)
    known, unknown = _others_hold(view)
    others = np.int64(rules.players) - 1
    size = popcount(hidden)
    share = unknown / size if size else 0.0
    total = np.float64(own.points + own.pending[0] + own.pending[1])
    pairs = marriages(rules, view.hand, own.wed)
    while pairs:  # queen and king lie side by side
        total += marriage_value(rules, common, lowest(pairs))
        pairs &= pairs - ONE
        pairs &= pairs - ONE
    against = together(hidden, known)
    trumps = suit_mask(common.trump)
    left = share * popcount(hidden & doubled(trumps)) + popcount(known & doubled(trumps))
    for copy in range(2):
        mine = (view.hand >> SECOND if copy else view.hand & FIRSTS) & trumps
        while mine:
            card = highest(mine)
            mine &= ~bit_of(card)
            higher = doubled(above(card))
            stays = 0.0 if known & higher else _power(1.0 - share, popcount(hidden & higher))
            if stays < 1.0 and left < 1.0:
                stays = max(stays, 1.0 - left)
            total += stays * (VALUE[card] + others * FOLLOWED)
            left = max(0.0, left - stays * others)
    for suit in range(4):
        if suit == common.trump:
            continue
        lane = suit_mask(suit)
        theirs = popcount(against & doubled(lane))
        led = 0
        for copy in range(2):
            mine = (view.hand >> SECOND if copy else view.hand & FIRSTS) & lane
            while mine:
                card = highest(mine)
                mine &= ~bit_of(card)
                higher = doubled(above(card))
                stays = 0.0 if known & higher else _power(1.0 - share, popcount(hidden & higher))
                if stays < 0.3:
                    continue
                # the suit is out where no card is left to follow with: then trumps decide
                follows = 1.0 - _power(1.0 - share, max(0, theirs - led))
                wins = stays * (follows + (1.0 - follows) * max(0.0, 1.0 - left))
                total += wins * (VALUE[card] + others * FOLLOWED)
                led += 1
    return total


@kernel
def basic_close(view, legal, rng, options):
    """Close when the points to come make up what is missing to the goal."""
    most = 0
    for player in range(np.int64(view.rules.players)):
        if player != view.seat:
            most = max(most, np.int64(view.public[player].points))
    missing = options.value[BOLDNESS] + options.value[URGENCY] * most / view.rules.goal
    if most == 0:
        missing -= options.value[PATIENCE]
    return np.int64(reckoned(view) + missing >= view.rules.goal)


@kernel
def basic_play(view, legal, rng, options):
    """Play the card that weighs most."""
    common = view.common
    rules = view.rules
    hidden = hidden_cards(view)
    known, unknown = _others_hold(view)
    possible = _possible(view, hidden)
    size = popcount(possible)
    share = min(1.0, unknown / size) if size else 0.0
    late = must_follow(common)
    others = np.int64(rules.players) - 1
    own = view.public[view.seat]
    after = np.int64(rules.players - common.count) - 1
    share_after = share * after / others
    pot = 0
    for player in range(others + 1):
        if common.played[player] >= 0:
            pot += VALUE[common.played[player]]
    best = -1e300
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        announced = action >= WITH_MARRIAGE
        card = np.int64(action - WITH_MARRIAGE if announced else action)
        points = np.float64(pot + VALUE[card])
        score = -_kept(view, card, hidden, share, options) * (options.value[LATE] if late else 1.0)
        if common.count == 0:
            lost = _loses(view, card, known, possible, share, others, options)
            score += (1.0 - lost) * (points + others * FOLLOWED) - lost * (points + TAKEN)
            if late and SUIT_OF[card] == common.trump:
                score += options.value[TRUMPS]
            if announced:
                marriage = marriage_value(rules, common, card)
                score += options.value[MARRIAGE] * marriage
                if own.points + own.pending[0] + own.pending[1] + marriage >= rules.goal:
                    score += CERTAIN
            else:
                score -= _kept_for_marriage(view, card, hidden, share, options)
        else:
            score -= _kept_for_marriage(view, card, hidden, share, options)
            if beats(common, card, np.int64(common.best)):
                lost = 0.0
                if after > 0:
                    lost = _loses(view, card, known, possible, share_after, after, options)
                score += (1.0 - 2.0 * lost) * points
                if not late:
                    score += (1.0 - lost) * options.value[LEAD]
                if own.points + own.pending[0] + own.pending[1] + points >= rules.goal:
                    score += (1.0 - lost) * CERTAIN
            else:
                ahead = view.public[common.ahead]
                score -= points
                if ahead.points + ahead.pending[0] + ahead.pending[1] + points >= rules.goal:
                    score -= CERTAIN
        if score > best:
            best = score
            choice = action
    return choice


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    if part == PLAYING - EXCHANGING:
        return basic_play(view, legal, rng, USUAL[0])
    if part == CLOSING - EXCHANGING:
        return basic_close(view, legal, rng, USUAL[0])
    return basic_exchange(view, legal, rng, USUAL[0])
