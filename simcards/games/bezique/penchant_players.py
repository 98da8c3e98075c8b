"""How a sensible club player plays penchant.

A card is worth what the combinations lose that still need it: their values times the chance to draw what is missing.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.endgame import PRICES
from simcards.games.bezique.frame import (
    ONE,
    TABLE,
    bit_of,
    own_cards,
    own_side,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.one_pack import CHANCES, fill_chances, lead_wins, unseen_cards
from simcards.games.bezique.penchant_melds import (
    A_PENCHANT,
    ACE,
    FLUSH,
    GROUP,
    JACK,
    KINDS,
    PASS,
    QUEEN,
    RUN,
    RUN_MELDS,
    RUNS,
    SEVEN,
    TEN,
    group_actions,
    meld_of,
    meld_value,
    of_rank,
    of_suit,
    penchant_queens,
    run_actions,
)
from simcards.games.bezique.players import play_last_tricks
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch

# What a player can be told; the defaults are how he plays if nothing is said
PENCHANT_HABITS = (
    Parameter("hold", 1.0, "weight of his hopes for a penchant, which makes trumps", 0, 100),
    Parameter("suit", 1.0, "weight of his cards of a suit when he chooses the jack that makes it trumps", -100, 100),
    Parameter("blocks", 1.0, "weight of leaving high cards on the table to block the other's low groups", 0, 100),
)
HOLD, SUIT_WEIGHT, BLOCKS = range(len(PENCHANT_HABITS))

# The numbers were found by matches on the same deals, one at a time
WILL = 0.35  # how surely the other takes a trick with a card that can
LATER = 0.25  # chance that a combination which lies ready, or comes, is scored
LEAD = 3.0  # worth of winning a trick when nothing lies ready
STRENGTH = np.array([0.0, 0.8, 1.7, 2.8, 4.2, 7.0, 11.2, 18.8])  # worth of a card for later tricks, by rank
TRUMP_STRENGTH = 16.0
OPEN_HIGH = 1.5  # worth of a high card on the table towards a group that blocks the other's low ones


@kernel
def hopes(view, hand, table, unseen, chances, options):
    """Return what the combinations that a player can still make are worth, in points times chances.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    hand, table : uint64
        His cards.
    unseen : uint64
        Cards that may still come.
    chances : CHANCES
        The chances to draw them.
    options : OPTIONS
        The player's habits.

    Returns
    -------
    float
        Its differences tell what a card is worth.
    """
    rules = view.rules
    have = hand | table
    total = 0.0
    for rank in range(8):
        own = popcount(of_rank(have, rank))
        new = popcount(of_rank(hand, rank))
        alive = popcount(of_rank(unseen, rank))
        for size in range(2, own + alive + 1):
            missing = max(0, size - own)
            if missing == 0 and new < size - popcount(of_rank(table, rank)):
                continue
            if missing + new == 0:
                continue  # scored already, or at least it lies there
            chance = 1.0
            if missing > 0:  # any of the cards that are left
                chance = chances.of[np.uint64(missing)] * (alive if missing == 1 else 3.0 if alive == 3 else 1.0)
            total += meld_value(rules, 4 - size) * min(1.0, chance)
    for suit in range(4):
        ranks = of_suit(have, suit)
        new = of_suit(hand, suit)
        alive = of_suit(unseen, suit)
        if (ranks | alive) & bit_of(QUEEN) == np.uint64(0):  # she is in all of them
            continue
        for kind in range(FLUSH):
            needed = RUNS[np.uint64(kind)]
            lacking = needed & ~ranks
            if lacking & ~alive or (lacking == np.uint64(0) and new & needed == np.uint64(0)):
                continue
            value = meld_value(rules, RUN_MELDS[np.uint64(kind)])
            total += value * chances.of[np.uint64(popcount(lacking))]
    if penchant_queens(hand, have):
        total += options.value[HOLD] * rules.penchant
    return LATER * total


@kernel
def ready(view):
    """Return the value of the best combination in the hand."""
    hand = own_cards(view).mask
    table = own_side(view).table_mask
    rest = group_actions(hand, table, 0) | run_actions(hand, hand | table)
    best = 0
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        best = max(best, meld_value(view.rules, meld_of(action)))
    return best


@kernel
def laid_by(view, action):
    """Return about which cards a declaration lays from the hand: all of a group."""
    hand = own_cards(view).mask
    if action < RUN:
        return of_rank(hand, (action - GROUP) // 3)
    if action < A_PENCHANT:
        return hand & (RUNS[np.uint64((action - RUN) % KINDS)] << np.uint64(8 * ((action - RUN) // KINDS)))
    return np.uint64(0)


@kernel
def basic_declare(view, legal, rng, options):
    """Score the most, but first what leaves more to be scored with the same cards."""
    if legal == ONE:
        return PASS
    hand = own_cards(view).mask
    table = own_side(view).table_mask
    unseen = unseen_cards(view)
    chances = scratch(CHANCES)
    fill_chances(chances, (np.int64(view.common.stock) + 1) // 2, popcount(unseen))
    before = hopes(view, hand, table, unseen, chances, options)
    best = -1e9
    choice = PASS
    rest = legal & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        laid = laid_by(view, action)
        value = (
            meld_value(view.rules, meld_of(action))
            + hopes(view, hand & ~laid, table | laid, unseen, chances, options)
            - before
        )
        if value > best:
            best = value
            choice = action
    return choice


@kernel
def basic_pick(view, legal, rng, options):
    """Keep cards in the hand that can bring a further combination from there: lay few, and those of least promise."""
    choice = view.choice
    lying = legal & own_side(view).table_mask
    if choice.declared < RUN and lying:
        return lowest(lying)
    if choice.declared == A_PENCHANT and lying:
        return lowest(lying)
    hand = own_cards(view).mask
    table = own_side(view).table_mask
    unseen = unseen_cards(view)
    chances = scratch(CHANCES)
    fill_chances(chances, (np.int64(view.common.stock) + 1) // 2, popcount(unseen))
    trumps = choice.declared == A_PENCHANT and choice.count == 1 and view.common.trump < 0
    best = -1e9
    picked = lowest(legal)
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        value = hopes(view, hand & ~bit_of(card), table | bit_of(card), unseen, chances, options)
        if trumps:  # the jack's suit will be trumps
            value += options.value[SUIT_WEIGHT] * TRUMP_STRENGTH * popcount(of_suit(hand | table, suit_of(card)))
        if value > best:
            best = value
            picked = card
    return picked


@kernel
def basic_play(view, legal, rng, options):
    """Play a card: what it is needed for against what the trick brings."""
    rules = view.rules
    late = view.common.stock == 0
    # each brisque is worth half of its points above or below six, and as much as it scores in the last tricks
    price = rules.brisque * (1.5 if late else 0.5)
    prices = scratch(PRICES).price
    prices[:] = 0.0
    prices[SEVEN] = prices[TEN] = prices[ACE] = price
    if late:
        return play_last_tricks(view, legal, prices, 0.0)
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    hand = own_cards(view).mask
    table = own_side(view).table_mask
    unseen = unseen_cards(view)
    chances = scratch(CHANCES)
    fill_chances(chances, (np.int64(view.common.stock) + 1) // 2, popcount(unseen))
    before = hopes(view, hand, table, unseen, chances, options)
    stake = LEAD + ready(view)
    best = -1e9
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        card = action & (TABLE - 1)
        one = bit_of(card)
        score = -STRENGTH[np.uint64(rank_of(card))]
        if suit_of(card) == trump:
            score -= TRUMP_STRENGTH
        if action >= TABLE and rank_of(card) >= JACK:
            score -= options.value[BLOCKS] * OPEN_HIGH
        if led < 0:
            wins = lead_wins(view, card, unseen, WILL)
            score += wins * stake + (2.0 * wins - 1.0) * prices[np.uint64(rank_of(card))]
        else:
            sign = 1.0 if reply_wins(led, card, trump) else -1.0
            score += sign * (prices[np.uint64(rank_of(card))] + prices[np.uint64(rank_of(led))])
            if sign > 0.0:
                score += stake
        score -= before - hopes(view, hand & ~one, table & ~one, unseen, chances, options)
        if score > best:
            best = score
            choice = action
    return choice
