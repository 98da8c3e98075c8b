"""How a sensible club player plays cinq-cents.

A card is worth what the combinations lose that still need it: their values times the chance to draw what is missing.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from simcards.games.bezique.counted import card_points
from simcards.games.bezique.endgame import PRICES, trick_value
from simcards.games.bezique.frame import (
    ACE,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    TABLE,
    TEN,
    bit_of,
    own_cards,
    own_side,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.ledger import BEZIQUE, EXCHANGE, FOUR, MARRIAGE, PASS, SEQUENCE, meld_index, meld_value
from simcards.games.bezique.one_pack import CHANCES, fill_chances, lead_wins, unseen_cards
from simcards.games.bezique.players import play_last_tricks
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.rng import bounded

# What a player can be told; the defaults are how he plays if nothing is said
CINQ_HABITS = (
    Parameter("margin", 0, "points beyond the goal that he wants to have reckoned before he knocks", -1000, 1000),
    Parameter("slip", 0, "points by which he may misreckon his cards either way, each time anew", 0, 1000),
    Parameter("hold", 1.0, "weight of his hopes for the bezique; 0: he does not hold its cards", 0, 100),
)
MARGIN, SLIP, HOLD = range(len(CINQ_HABITS))

# The combinations by action, as masks; a plain sequence and a royal one are the same cards
COMBINATIONS = np.zeros(FOUR + 4, np.uint64)
for _suit in range(4):
    COMBINATIONS[MARRIAGE + _suit] = sum(1 << 8 * _suit + rank for rank in (KING, QUEEN))
    COMBINATIONS[SEQUENCE + _suit] = sum(1 << 8 * _suit + rank for rank in (JACK, QUEEN, KING, TEN, ACE))
for _action in range(4):
    COMBINATIONS[FOUR + _action] = sum(1 << 8 * suit + (ACE, KING, QUEEN, JACK)[_action] for suit in range(4))
COMBINATIONS[BEZIQUE] = (1 << QUEEN_OF_SPADES) | (1 << JACK_OF_DIAMONDS)

# The numbers were found by matches on the same deals, one at a time
WILL = 0.7  # how surely the other takes a trick with a card that can
LATER = 0.56  # chance to win a trick in time for a combination
READY = 0.12  # part of what lies ready that a trick is worth while there is plenty of time
LEAD = 1.8  # worth of winning a trick when nothing lies ready
STRENGTH = np.array([0.0, 0.7, 1.4, 2.1, 2.7, 2.8, 8.4, 14.6])  # worth of a card for later tricks, by rank
TRUMP_STRENGTH = 22.0  # the last tricks, where trumps rule, hold most of the points


@kernel
def combination_value(view, action):
    """Return what a declare action scores."""
    return np.float64(meld_value(view.rules, meld_index(action, (action - MARRIAGE) & 3 == view.common.trump)))


@kernel
def hopes(view, cards, unseen, chances, but, options):
    """Return what the combinations that need one of `cards` are worth, in points times chances.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    cards : uint64
        Cards in the hand.
    unseen : uint64
        Cards that may still come.
    chances : CHANCES
        The chances to draw them.
    but : int
        A declaration that is left out.
    options : OPTIONS
        The player's habits.

    Returns
    -------
    float
        The loss when these cards are played or declared.
    """
    hand = own_cards(view).mask
    total = 0.0
    for action in range(MARRIAGE, FOUR + 4):
        needed = COMBINATIONS[np.uint64(action)]
        missing = needed & ~hand
        if action != but and needed & cards and missing & ~unseen == np.uint64(0):
            total += combination_value(view, action) * chances.of[np.uint64(popcount(missing))]
    if options.value[HOLD] != 1.0 and but != BEZIQUE:  # apart, since the loop is slower with a weight in it
        needed = COMBINATIONS[BEZIQUE]
        missing = needed & ~hand
        if needed & cards and missing & ~unseen == np.uint64(0):
            promise = combination_value(view, BEZIQUE) * chances.of[np.uint64(popcount(missing))]
            total += (options.value[HOLD] - 1.0) * promise
    return LATER * total


@kernel
def ready(view):
    """Return the value of the best combination in the hand."""
    best = 0.0
    for action in range(MARRIAGE, FOUR + 4):
        needed = COMBINATIONS[np.uint64(action)]
        if needed and needed & ~own_cards(view).mask == np.uint64(0):
            best = max(best, combination_value(view, action))
    return best


def own_pile(view):
    """Return the points in the cards that the player of a view has won, or of a state in which it is his turn."""


@overload(own_pile, strict=False)
def _own_pile(view):
    if "own" in view.fields:
        return lambda view: view.pile[0]
    return lambda view: view.pile[np.int64(view.common.turn)]


@kernel
def basic_knock(view, legal, rng, options):
    """Knock as soon as the goal is reckoned, with the margin."""
    reckoned = np.int64(own_side(view).points + own_pile(view))
    slip = np.int64(options.value[SLIP])
    if slip > 0:
        reckoned += np.int64(bounded(rng, 2 * slip + 1)) - slip
    return np.int64(reckoned >= view.goal + options.value[MARGIN])


@kernel
def basic_declare(view, legal, rng, options):
    """Score what brings more than its cards promise elsewhere."""
    if legal == ONE:
        return PASS
    unseen = unseen_cards(view)
    chances = scratch(CHANCES)
    fill_chances(chances, np.int64(view.common.stock) // 2, popcount(unseen))
    best = 0.0
    choice = PASS
    rest = legal & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        if action == EXCHANGE:
            value = view.rules.seven + STRENGTH[np.uint64(rank_of(view.common.turn_up))]
        else:
            value = combination_value(view, action) - hopes(
                view, COMBINATIONS[np.uint64(action)], unseen, chances, action, options
            )
        if value > best:
            best = value
            choice = action
    return choice


@kernel
def basic_play(view, legal, rng, options):
    """Play a card: what it is needed for against what the trick brings."""
    prices = scratch(PRICES).price
    for rank in range(8):
        prices[rank] = card_points(view.rules, rank)
    if view.common.stock == 0:
        return play_last_tricks(view, legal, prices, np.float64(view.rules.last_trick))
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    unseen = unseen_cards(view)
    left = np.int64(view.common.stock) // 2
    chances = scratch(CHANCES)
    fill_chances(chances, left, popcount(unseen))
    stake = LEAD + min(1.0, READY + 1.0 / left) * ready(view)
    best = -1e9
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        card = action & (TABLE - 1)
        score = -STRENGTH[np.uint64(rank_of(card))]
        if suit_of(card) == trump:
            score -= TRUMP_STRENGTH
        if led < 0:
            wins = lead_wins(view, card, unseen, WILL)
            score += wins * stake + (2.0 * wins - 1.0) * prices[np.uint64(rank_of(card))]
        elif reply_wins(led, card, trump):
            score += stake + trick_value(led, card, prices)
        else:
            score -= trick_value(led, card, prices)
        if action < TABLE:
            score -= hopes(view, bit_of(card), unseen, chances, PASS, options)
        if score > best:
            best = score
            choice = action
    return choice
