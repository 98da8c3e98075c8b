"""How a sensible club player plays preferans: the auction, the talon, the whist; the tricks are in `tricks`."""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.auction import biddable, nameable
from simcards.games.preferans.frame import (
    BID_OF,
    BIDDING,
    CLOSED,
    CONTRACTS,
    DISCARDING,
    LEVELS,
    LOOKING,
    MISERE,
    MISERE_WITHOUT,
    NAMING,
    NINE_WITHOUT,
    NO_TRICK,
    NONE,
    OPEN,
    OWN,
    PASS,
    PASSED,
    PLAYING,
    STATE,
    STRAINS,
    VIEW,
    WHIST,
    WHISTING,
    bit_of,
    duty,
    next_chair,
    share_of_duty,
)
from simcards.games.preferans.hands import (
    AGAINST_SPREAD,
    against_estimate,
    best_discard,
    bid_promise,
    chance_of_at_most,
    misere_value,
)
from simcards.games.preferans.tricks import DRAW, KEEP, KEEP_TRUMP, LONG, LOSE, basic_play
from simcards.games.strategy import Parameter, usual_options
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements

BOLD, THRESHOLD, SAFETY, BLIND, WHISTS, OWN_MARGIN, OPENS = range(7)
_HABITS = {
    BOLD: ("bold", 0.0, "tricks added to the estimate of the hand in bidding and naming the contract", -10, 10),
    THRESHOLD: ("threshold", -4.0, "whists that a bid must promise", -500, 500),
    SAFETY: ("safety", 0.6, "added to the chance that a misère is safe", -1, 1),
    BLIND: ("blind", 0, "number of the highest bid made without looking at the cards, where that may be", 0, 28),
    WHISTS: ("whists", 0.0, "tricks added to the estimate against a contract", -10, 10),
    OWN_MARGIN: ("own", 0.0, "whists by which play must promise more than the own share without it", -500, 500),
    OPENS: ("open", 1, "1: a single whister lays the cards open, 0: he does not", 0, 1),
    LOSE: ("lose", 0.1, "cost of losing a card that may win later, in tricks", 0, 10),
    DRAW: ("draw", 0.5, "tricks for each trump of the opponents, when a declarer leads a trump", -10, 10),
    KEEP: ("keep", 0.3, "what a card that may win later is worth in the hand, in tricks", 0, 10),
    KEEP_TRUMP: ("keep_trump", 0.7, "what a trump is worth in the hand besides, in tricks", 0, 10),
    LONG: ("long", 0.4, "tricks for each card of the suit led", -10, 10),
}
HABITS = tuple(Parameter(*_HABITS[place]) for place in range(len(_HABITS)))
USUAL = usual_options(HABITS)
WHISTS_TOO = 0.4  # how often the second opponent whists with the first


@kernel
def basic_look(view, legal, rng, options):
    """Look, unless the next bid is one that may be made blindly."""
    return np.int64(0 if view.common.high < options.value[BLIND] else 1)


@kernel
def basic_bid(view, legal, rng, options):
    """Bid what is needed as long as it promises more than to leave the play to another."""
    rules = view.rules
    value = options.value
    hand = view.own.hand
    if not view.public[view.chair].looked:
        next_bid = np.int64(lowest(legal & ~bit_of(PASS) & ~bit_of(MISERE))) if legal & ~np.uint64(1) else 64
        return np.int64(next_bid) if next_bid <= value[BLIND] else np.int64(PASS)
    best = value[THRESHOLD]
    choice = np.int64(PASS)
    for misere in (MISERE, MISERE_WITHOUT):
        if legal & bit_of(misere):
            promise = misere_value(rules, hand, value[SAFETY])
            if promise > best:
                best = promise
                choice = np.int64(misere)
    if legal & bit_of(NINE_WITHOUT):
        promise, _ = bid_promise(rules, hand, NINE_WITHOUT, value[BOLD], False)
        if promise > best:
            best = promise
            choice = np.int64(NINE_WITHOUT)
    raises = legal & ~(bit_of(PASS) | bit_of(MISERE) | bit_of(MISERE_WITHOUT) | bit_of(NINE_WITHOUT))
    if raises:
        bid = np.int64(lowest(raises))
        promise, _ = bid_promise(rules, hand, bid, value[BOLD], True)
        if promise > best:
            choice = bid
    return choice


@kernel
def basic_discard(view, legal, rng, options):
    """Lay away what costs least: the lower of the two cards first."""
    strain = -1 if view.common.kind == NO_TRICK else -2
    cards, _ = best_discard(view.own.hand, view.own.laid, strain)
    return np.int64(lowest(cards & ~view.own.laid))


@kernel
def basic_contract(view, legal, rng, options):
    """Announce what promises most."""
    _, contract = bid_promise(view.rules, view.own.hand, np.int64(view.common.high), options.value[BOLD], False)
    return contract


@kernel
def whist_promise(rules, level, estimate, both):
    """Return what it brings on average to whist, alone or with the other, in whists.

    Parameters
    ----------
    rules : record
        The rules.
    level : int
        The contract's.
    estimate : float
        Tricks that both opponents are taken to win.
    both : bool
        Whether both whist.
    """
    players = np.int64(rules.players)
    value = np.float64(rules.game_value * (level - 5))
    whist = np.float64(rules.whist_value * (level - 5))
    total = 0.0
    before = 0.0
    for tricks in range(11):
        below = chance_of_at_most(tricks, estimate, AGAINST_SPREAD) if tricks < 10 else 1.0
        missing = max(0, level - (10 - tricks))
        short = max(0, duty(rules, level) - tricks)
        cost = short * value * (players - 1) / players
        result = missing * value / players
        if both:
            result += whist * (0.5 * tricks + missing) - 0.5 * cost
        else:
            result += whist * (tricks + 2 * missing) - cost
        total += (below - before) * result
        before = below
    return total


@kernel
def _expected(view, options):
    """Return the tricks that both opponents are taken to win."""
    level = LEVELS[view.common.bid]
    estimate = against_estimate(view.own.hand, np.int64(view.common.trump), level)
    return estimate + options.value[WHISTS]


@kernel
def basic_whist(view, legal, rng, options):
    """Whist where that promises something; who speaks first can still fall back on his own share."""
    rules = view.rules
    level = LEVELS[view.common.bid]
    estimate = _expected(view, options)
    alone = whist_promise(rules, level, estimate, False)
    own = np.float64(rules.whist_value * (level - 5) * share_of_duty(rules, level))
    if legal & bit_of(OWN):
        if alone > own + options.value[OWN_MARGIN]:
            return np.int64(WHIST)
        return np.int64(OWN)
    together = whist_promise(rules, level, estimate, True)
    declarer = np.int64(view.common.declarer)
    if view.chair == next_chair(declarer, 1):
        fallback = max(alone, own) if rules.own else alone
        together = WHISTS_TOO * together + (1.0 - WHISTS_TOO) * fallback
    elif view.public[next_chair(declarer, 1)].whist == PASSED:
        together = alone
    return np.int64(WHIST if together > 0.0 else PASSED)


@kernel
def basic_invite(view, legal, rng, options):
    """Take the own share where play does not promise more; else open or closed as usual."""
    rules = view.rules
    level = LEVELS[view.common.bid]
    if legal & bit_of(OWN):
        alone = whist_promise(rules, level, _expected(view, options), False)
        own = np.float64(rules.whist_value * (level - 5) * share_of_duty(rules, level))
        if alone <= own + options.value[OWN_MARGIN]:
            return np.int64(OWN)
    if options.value[OPENS] != 0.0 or legal & bit_of(CLOSED) == NONE:
        return np.int64(OPEN)
    return np.int64(CLOSED)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    usual = USUAL[0]
    if part == PLAYING - PLAYING:
        return basic_play(view, legal, rng, usual)
    if part == BIDDING - PLAYING:
        return basic_bid(view, legal, rng, usual)
    if part == LOOKING - PLAYING:
        return basic_look(view, legal, rng, usual)
    if part == DISCARDING - PLAYING:
        return basic_discard(view, legal, rng, usual)
    if part == NAMING - PLAYING:
        return basic_contract(view, legal, rng, usual)
    if part == WHISTING - PLAYING:
        return basic_whist(view, legal, rng, usual)
    return basic_invite(view, legal, rng, usual)


# -- being after a contract --------------------------------------------------------------------------------------


@kernel
def _aim_bid(state, goal):
    mask = biddable(state)
    if goal == MISERE:
        if mask & bit_of(MISERE):
            return np.int64(MISERE)
        return np.int64(PASS if state.public[state.common.turn].bid == MISERE else -2)
    raises = mask & CONTRACTS
    bid = np.int64(lowest(raises)) if raises else np.int64(64)
    return bid if bid <= goal else np.int64(PASS)


@implements(protocol.aim, STATE)
def _aim(state, contract):
    common = state.common
    goal = BID_OF[contract]
    own = state.private[common.turn]
    if common.stage == LOOKING:
        return np.int64(1)
    if common.stage == BIDDING:
        return _aim_bid(state, goal)
    if common.stage == DISCARDING:
        cards, _ = best_discard(own.hand, own.laid, np.int64(-1) if goal == MISERE else STRAINS[goal])
        return np.int64(lowest(cards & ~own.laid))
    if common.stage == NAMING:
        return goal if nameable(state) & bit_of(goal) else np.int64(-2)
    return np.int64(-1)
