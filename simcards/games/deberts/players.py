"""How a sensible club player plays deberts.

He bids by what the six cards and the turned one promise: every trump by how many higher ones are about, aces and tens
of other suits, short suits, runs. In play he reckons with the chance that the other holds a better card or can trump,
and weighs what a card brings now against what it would bring later.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simcards.games.deberts.frame import (
    ACE,
    BELLA,
    BIDDING,
    DECLARING,
    EXCHANGING,
    HAND,
    KING,
    MARRIAGE,
    NAME,
    NO,
    ONE,
    ORDERS,
    PASS,
    PLAY_TURNED,
    SEVEN,
    STATE,
    TEN,
    UNASKED,
    VIEW,
    YES,
    best_run,
    bit_of,
    deal_points,
    kind_of,
    order_of,
    ranks_in,
    run_points,
)
from simcards.games.deberts.worlds import cards_held, other_cards
from simcards.games.strategy import Parameter, usual_options
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.tricks import beats, hand_value

HABITS = (
    Parameter("boldness", 0.0, "points by which he overrates what he would win by playing", -1000, 1000),
    Parameter("pone_turned", 2.0, "points that pone wants to win by playing the turned suit", -1000, 1000),
    Parameter("dealer_turned", 0.0, "the same of the dealer", -1000, 1000),
    Parameter("pone_named", -5.0, "points that pone wants to win by naming a suit", -1000, 1000),
    Parameter("dealer_named", -8.0, "the same of the dealer", -1000, 1000),
    Parameter("tempo", -3.0, "points that it is worth to win a trick besides what is in it, and so to lead", -100, 100),
    Parameter("trump", 9.0, "points that a trump is worth when kept", -100, 100),
    Parameter("master", 3.0, "points that the highest trump is worth besides", -100, 100),
    Parameter("side", -4.5, "points that the highest card of another suit is worth when kept", -100, 100),
    Parameter("risk", 0.75, "part of its points that a card loses when kept which the other may take", -10, 10),
    Parameter("guard", 1.08, "the same when there is a lower card of its suit beside it", -10, 10),
    Parameter("take", -0.3, "weight of the points with which a lead is beaten; below 0 to draw them out", -10, 10),
    Parameter("ruffed", 70.0, "points that it is worth to have a lead trumped", -100, 100),
    Parameter("long", 2.0, "points that each further card of a suit makes its lead better", -100, 100),
    Parameter("draw", 0.0, "points that leading the highest trump is worth while the other may have some", -100, 100),
)
BOLDNESS, WANTED = 0, 1
TEMPO, TRUMP, MASTER, SIDE, RISK, GUARD, TAKE, RUFFED, LONG, DRAW = range(5, 15)
USUAL = usual_options(HABITS)

# What six cards promise who plays: points more than the other on average, by a fit to deals played out by `basic`
START = np.array([-124.8, -125.2])  # pone and dealer
TRUMP_WORTH = np.array([65.0, 40.2, 30.1, 30.2, 22.4, 18.0, 10.7, 8.4])  # by the number of higher trumps about
TRUMPS_WORTH = np.array([4.5, 1.0, 0.0, 0.0, -2.7, -5.3, -8.0])  # by their number
TURNED_WORTH = -4.1  # the turned suit is trump
ACE_WORTH, TEN_WITH_ACE, TEN_GUARDED, TEN_BARE, KING_WORTH = 28.6, 11.7, 15.7, 12.5, 6.8
VOID_WORTH, SINGLE_WORTH = 9.0, 0.7
TIERCE_WORTH, FIFTY_WORTH, BELLA_WORTH, HALF_BELLA_WORTH = 25.9, 65.5, 28.2, 7.6

MOST_UNSEEN = 27


def _none() -> np.ndarray[Any, Any]:
    """Return the chance that so many cards drawn from so many unseen ones hold none of some named ones.

    By unseen cards, drawn ones, named ones.
    """
    chances = np.zeros((MOST_UNSEEN, HAND + 1, MOST_UNSEEN))
    for unseen in range(MOST_UNSEEN):
        for drawn in range(min(unseen, HAND) + 1):
            for named in range(unseen + 1):
                chances[unseen, drawn, named] = math.comb(unseen - named, drawn) / math.comb(unseen, drawn)
    return chances


NONE_OF = _none()


# -- bidding ---------------------------------------------------------------------------------------------------


@kernel
def prospect(rules, hand, turned, trump, dealer):
    """Return how many points more than the other a player may expect who plays with a trump.

    Parameters
    ----------
    rules : record
        The rules.
    hand : uint64
        His six cards.
    turned : int
        The card turned up.
    trump : int
        The trump suit he would play with.
    dealer : bool
        Whether he is the dealer.
    """
    seven = bit_of(8 * trump + SEVEN)
    gone = bit_of(turned)
    if rules.exchange and turned >> 3 == trump and hand & seven:
        hand = (hand & ~seven) | gone
        gone = seven
    order = ORDERS[order_of(rules, trump)]
    total = START[1 if dealer else 0]
    trumps = hand & order.cards[trump]
    total += TRUMPS_WORTH[popcount(trumps)]
    rest = trumps
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        total += TRUMP_WORTH[popcount(order.above[card] & ~gone)]
    for suit in range(4):
        if suit == trump:
            continue
        mine = ranks_in(hand, suit)
        if mine == np.uint64(0):
            total += VOID_WORTH
            continue
        if mine & (mine - ONE) == np.uint64(0):
            total += SINGLE_WORTH
        dead = ranks_in(gone, suit)
        has_ace = mine & bit_of(ACE) != np.uint64(0)
        if has_ace:
            total += ACE_WORTH
        if mine & bit_of(TEN):
            if has_ace or dead & bit_of(ACE):
                total += TEN_WITH_ACE
            elif mine & (bit_of(TEN) - ONE):
                total += TEN_GUARDED
            else:
                total += TEN_BARE
        if mine & bit_of(KING):
            total += KING_WORTH
    kind = kind_of(best_run(rules, hand, trump))
    if kind == 3:
        total += TIERCE_WORTH
    elif kind == 4:
        total += FIFTY_WORTH
    bella = MARRIAGE << np.uint64(8 * trump)
    if hand & bella == bella:
        total += BELLA_WORTH
    elif hand & bella:
        total += HALF_BELLA_WORTH
    if turned >> 3 == trump:
        total += TURNED_WORTH
    return total


@kernel
def _bid(rules, common, seat, hand, legal, value):
    turned = np.int64(common.turned)
    dealer = seat == common.dealer
    wanted = value[WANTED + common.offer] - value[BOLDNESS]
    best = PASS
    for suit in range(4):
        action = PLAY_TURNED if common.offer < 2 else NAME + suit
        if not legal & bit_of(action) or (common.offer < 2 and suit != turned >> 3):
            continue
        worth = prospect(rules, hand, turned, suit, dealer)
        if worth >= wanted:
            wanted = worth
            best = action
    return best


# -- before the tricks -----------------------------------------------------------------------------------------


@kernel
def _exchange(rules, common, me, hand):
    """Exchange the seven at once, unless it is part of a run that can be shown before."""
    if me.said == UNASKED and rules.exchange_until == 1:
        after = (hand & ~bit_of(8 * common.trump + SEVEN)) | bit_of(common.turned)
        if run_points(rules, hand) > run_points(rules, after):
            return NO
    return YES


@kernel
def _is_lost(rules, common, me, other, hand):
    """Return whether the player who plays cannot win more than the other any longer, whatever he announces."""
    order = ORDERS[order_of(rules, common.trump)]
    certain, possible = other_cards(common, me, other, hand)
    left = hand_value(order, hand | certain) + rules.last_trick
    if common.led >= 0:
        left += order.value[common.led]
    for _ in range(cards_held(common, other) - popcount(certain)):
        best = -1
        card = 0
        rest = possible
        while rest:
            if order.value[lowest(rest)] > best:
                card = lowest(rest)
                best = order.value[card]
            rest &= rest - ONE
        possible &= ~bit_of(card)
        left += best
    return deal_points(me) + rules.bella + left <= deal_points(other)


# -- play ------------------------------------------------------------------------------------------------------


@kernel
def _holds_one(certain, possible, unknown, cards):
    """Return the chance that the other holds one of some cards."""
    if certain & cards:
        return 1.0
    return 1.0 - NONE_OF[np.uint64(popcount(possible)), np.uint64(unknown), np.uint64(popcount(possible & cards))]


@kernel
def _ruffs(order, certain, possible, unknown, suit):
    """Return the chance that the other has nothing of a suit and a trump."""
    if suit == order.trump or certain & order.cards[suit]:
        return 0.0
    trumps = order.cards[order.trump]
    void = 1.0 - _holds_one(certain, possible, unknown, order.cards[suit])
    return void * _holds_one(certain, possible & ~order.cards[suit], unknown, trumps)


@kernel
def _later(order, hand, certain, possible, unknown, card, value):
    """Return what a card is worth when it is kept."""
    worth = order.value[card]
    suit = np.int64(order.suit[card])
    higher = _holds_one(certain, possible, unknown, order.above[card])
    if suit == order.trump:
        return value[TRUMP] + (1.0 - higher) * value[MASTER] + (1.0 - higher * value[RISK]) * worth
    taken = min(1.0, higher + _ruffs(order, certain, possible, unknown, suit))
    beside = hand & order.cards[suit] & ~order.above[card] & ~bit_of(card)
    risk = value[GUARD] if beside else value[RISK]
    return (1.0 - taken) * (worth + value[SIDE]) - taken * risk * worth


@kernel
def _lowest_given(order, certain, possible, unknown, cards):
    """Return the points, on average, of the cheapest of some cards that the other holds; nothing where he has none."""
    total = 0.0
    dearer = cards & (certain | possible)
    unseen = np.uint64(popcount(possible))
    passed = 0  # unknown cards that are no dearer
    none = 1.0
    while dearer:
        cheapest = lowest(dearer)
        scan = dearer & (dearer - ONE)
        while scan:
            card = lowest(scan)
            if order.value[card] < order.value[cheapest]:
                cheapest = card
            scan &= scan - ONE
        dearer &= ~bit_of(cheapest)
        if certain & bit_of(cheapest):
            return total + none * order.value[cheapest]
        passed += 1
        fewer = NONE_OF[unseen, np.uint64(unknown), np.uint64(passed)]
        total += (none - fewer) * order.value[cheapest]
        none = fewer
    return total


@kernel
def _mean_points(order, cards):
    """Return the points of some cards on average."""
    return hand_value(order, cards) / popcount(cards) if cards else 0.0


@kernel
def _lead(order, hand, certain, possible, unknown, value):
    best = -1e9
    choice = 0
    rest = hand
    theirs = certain | possible
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        suit = np.int64(order.suit[card])
        lane = order.cards[suit]
        above = order.above[card]
        worth = np.float64(order.value[card])
        higher = _holds_one(certain, possible, unknown, above)
        ruffed = min(1.0 - higher, _ruffs(order, certain, possible, unknown, suit))
        wins = 1.0 - higher - ruffed
        given = _lowest_given(order, certain, possible, unknown, lane & ~above)
        score = wins * (worth + value[TEMPO]) + (1.0 - higher) * given
        score -= higher * (worth + value[TAKE] * _mean_points(order, theirs & above)) + ruffed * (worth - value[RUFFED])
        score -= _later(order, hand, certain, possible, unknown, card, value)
        if suit != order.trump:
            score += value[LONG] * popcount(hand & lane)
        elif theirs & lane:
            score += wins * value[DRAW]
        if score > best:
            best = score
            choice = card
    return choice


@kernel
def _follow(order, hand, legal, led, certain, possible, unknown, value):
    best = -1e9
    choice = 0
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        score = np.float64(order.value[card] + order.value[led])
        if beats(order, card, led):
            score += value[TEMPO]
        else:
            score = -score
        score -= _later(order, hand, certain, possible, unknown, card, value)
        if score > best:
            best = score
            choice = card
    return choice


@kernel
def _play(rules, common, me, other, hand, legal, value):
    order = ORDERS[order_of(rules, common.trump)]
    certain, possible = other_cards(common, me, other, hand)
    unknown = cards_held(common, other) - popcount(certain)
    if common.led < 0:
        return _lead(order, hand, certain, possible, unknown, value)
    return _follow(order, hand, legal, np.int64(common.led), certain, possible, unknown, value)


@kernel
def _decide(part, rules, common, seat, me, other, hand, legal, value):
    """Return what a player does in a phase."""
    if legal & (legal - ONE) == np.uint64(0):
        return np.int64(lowest(legal))
    stage = part + BIDDING
    if stage == BIDDING:
        return np.int64(_bid(rules, common, seat, hand, legal, value))
    if stage == EXCHANGING:
        return np.int64(_exchange(rules, common, me, hand))
    if stage == DECLARING:
        return np.int64(YES)
    if stage == BELLA:
        lost = seat == common.by and _is_lost(rules, common, me, other, hand)
        return np.int64(NO if lost else YES)
    return np.int64(_play(rules, common, me, other, hand, legal, value))


def basic_policy(part: int) -> Any:
    """Return the kernel by which `basic` decides in a phase."""

    @kernel
    def decide(view, legal, rng, options):
        public = view.public
        return _decide(part, view.rules, view.common, view.seat, public[0], public[1], view.hand, legal, options.value)

    return decide


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    value = USUAL[0].value
    return _decide(part, view.rules, view.common, view.seat, view.public[0], view.public[1], view.hand, legal, value)


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    seat = np.int64(state.common.turn)
    value = USUAL[0].value
    me = state.public[seat]
    other = state.public[1 - seat]
    part = state.common.stage - BIDDING
    return _decide(part, state.rules, state.common, seat, me, other, state.hands[seat], legal, value)
