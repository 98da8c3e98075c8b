"""How a sensible club player plays Polish bezique.

What a player may still score is a potential: every combination not yet scored counts its value times the chance that
its missing cards come. A card is worth the potential that goes with it, to oneself and to the other, whose table lies
open. A court is lost only with the trick: whoever wins it has it for good.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.endgame import trick_value
from simcards.games.bezique.frame import (
    ACE,
    CAPTURED,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    TABLE,
    TEN,
    most_used,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.ledger import LEVEL, LEVELS, USED_FOUR, USED_MARRIAGE, USED_SEQUENCE
from simcards.games.bezique.players import (
    LEAD_WINS,
    STRENGTH,
    TRUMP_LEAD_WINS,
    basic_declare,
    bezique_value,
    brisque_value,
    four_value,
    play_last_tricks,
    sequence_value,
    tricks_left,
)
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

# The numbers of the present play, found by matches on the same deals
HOPE, CAPTURE, DENY, LEAD, TRUMP = range(5)
HABITS = np.array([0.55, 1.0, 1.5, 4.0, 9.0])
PARAMETERS = (
    Parameter("hope", float(HABITS[HOPE]), "chance that a missing card of a combination comes in time", 0, 1),
    Parameter("capture", float(HABITS[CAPTURE]), "weight of what a card of the other's is worth to capture", 0, 10),
    Parameter("deny", float(HABITS[DENY]), "weight of what a card is worth to the other", 0, 10),
    Parameter("lead", float(HABITS[LEAD]), "worth of winning a trick as such", 0, 1_000),
    Parameter("trump", float(HABITS[TRUMP]), "worth of keeping a trump", 0, 1_000),
)
PLENTY = 12.0  # with so many tricks left there is time for everything
HASTE = (0.2, 3.0)  # part of what lies ready that counts: always, and more towards the end

TWO = np.uint64(3)  # counts of types are kept in two bits each
BYTE = np.uint64(255)
# Used in a marriage or a sequence, which closes a card to marriages
OF_A_SUIT = USED_MARRIAGE | USED_SEQUENCE


@kernel
def count_of(counts, card):
    """Return a count that is kept in two bits."""
    return np.int64((counts >> np.uint64(2 * card)) & TWO)


@kernel
def open_cards(view, side):
    """Return what one player can still use, of the cards that the player of the view knows of.

    Returns
    -------
    marriage, sequence : uint64
        For each type, in two bits, the copies that are open to marriages, and to sequences.
    four : uint64
        For each rank, in eight bits, the cards that are open to fours.
    fresh, doubling : uint64
        For each type, in two bits, the copies in no bezique so far, and in no double bezique.
    """
    marriage = np.uint64(0)
    four = np.uint64(0)
    if side == 0:
        rest = view.own.mask
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            copies = np.uint64(view.own.hand[card])
            marriage += copies << np.uint64(2 * card)
            four += copies << np.uint64(8 * rank_of(card))
    sequence = marriage
    fresh = marriage
    doubling = marriage
    public = view.public[side]
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        card = np.int64(slot.type)
        used = np.int64(slot.used)
        one = ONE << np.uint64(2 * card)
        if used & OF_A_SUIT == 0:
            marriage += one
        if used & USED_SEQUENCE == 0:
            sequence += one
        if used & USED_FOUR == 0:
            four += ONE << np.uint64(8 * rank_of(card))
        if used & LEVELS == 0:
            fresh += one
        if used & LEVELS < 2 * LEVEL:
            doubling += one
    return marriage, sequence, four, fresh, doubling


@kernel
def lacking(needed, have):
    """Return how many cards are missing."""
    return max(0, needed - have)


@kernel
def marriage_value(view, suit):
    """Return the value of a marriage in a suit."""
    return view.rules.royal_marriage if suit == view.common.trump else view.rules.marriage


@kernel
def change(view, cards, chances, card, step, used):
    """Return by how much a player's potential rises when he has a copy of a card more.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    cards : tuple of uint64
        What `open_cards` returned.
    chances : ndarray of float64
        Chance that a combination still comes, by the number of missing cards.
    card : int
        The card.
    step : int
        1 for a copy more, -1 for one less.
    used : int
        What this copy has been scored in.

    Returns
    -------
    float
    """
    rank = rank_of(card)
    if rank < JACK:
        return 0.0
    marriage, sequence, four, fresh, doubling = cards
    rules = view.rules
    suit = suit_of(card)
    gain = 0.0
    value = four_value(rules, rank)
    if value > 0 and used & USED_FOUR == 0:
        have = np.int64((four >> np.uint64(8 * rank)) & BYTE)
        for times in range(1, 3):
            gain += value * (chances[lacking(4 * times, have + step)] - chances[lacking(4 * times, have)])
    if (rank == KING or rank == QUEEN) and used & OF_A_SUIT == 0:
        have = count_of(marriage, card)
        partners = count_of(marriage, 8 * suit + (QUEEN if rank == KING else KING))
        value = marriage_value(view, suit)
        for times in range(1, 3):
            rest = lacking(times, partners)
            gain += value * (chances[rest + lacking(times, have + step)] - chances[rest + lacking(times, have)])
    value = sequence_value(view, suit)
    if value > 0 and used & USED_SEQUENCE == 0:
        have = count_of(sequence, card)
        for times in range(1, 3):
            rest = 0
            for other in range(8 * suit + JACK, 8 * suit + ACE + 1):
                if other != card:
                    rest += lacking(times, count_of(sequence, other))
            gain += value * (chances[rest + lacking(times, have + step)] - chances[rest + lacking(times, have)])
    if card == QUEEN_OF_SPADES or card == JACK_OF_DIAMONDS:
        partner = QUEEN_OF_SPADES + JACK_OF_DIAMONDS - card
        if used & LEVELS == 0:
            have = count_of(fresh, card)
            rest = lacking(1, count_of(fresh, partner))
            gain += rules.bezique * (chances[rest + lacking(1, have + step)] - chances[rest + lacking(1, have)])
        if used & LEVELS < 2 * LEVEL and rules.levels > 1:
            have = count_of(doubling, card)
            rest = lacking(2, count_of(doubling, partner))
            gain += bezique_value(rules, 2) * (
                chances[rest + lacking(2, have + step)] - chances[rest + lacking(2, have)]
            )
    return gain


@kernel
def best_ready(view, cards):
    """Return the value of the best combination that lies ready to be scored."""
    marriage, sequence, four, fresh, doubling = cards
    rules = view.rules
    best = 0
    for suit in range(4):
        if count_of(marriage, 8 * suit + KING) and count_of(marriage, 8 * suit + QUEEN):
            best = max(best, marriage_value(view, suit))
        value = sequence_value(view, suit)
        if value > best:
            whole = True
            for other in range(8 * suit + JACK, 8 * suit + ACE + 1):
                whole &= count_of(sequence, other) > 0
            if whole:
                best = value
    for rank in (JACK, QUEEN, KING, ACE):
        if (four >> np.uint64(8 * rank)) & BYTE >= np.uint64(4):
            best = max(best, four_value(rules, rank))
    queens = count_of(fresh, QUEEN_OF_SPADES)
    jacks = count_of(fresh, JACK_OF_DIAMONDS)
    if queens and jacks:
        best = max(best, rules.bezique)
    if (
        queens + jacks > 0
        and rules.levels > 1
        and min(count_of(doubling, QUEEN_OF_SPADES), count_of(doubling, JACK_OF_DIAMONDS)) >= 2
    ):
        best = max(best, bezique_value(rules, 2))
    return best


@kernel
def is_kept(card, trump):
    """Return whether the winner of a trick keeps a card for combinations."""
    rank = rank_of(card)
    return JACK <= rank <= KING or (rank == TEN and suit_of(card) == trump)


@kernel
def habit_play(view, legal, habits):
    """Return the card to play, by the numbers of a player's habits."""
    rules = view.rules
    brisque = brisque_value(view)
    if view.common.stock == 0:
        prices = np.zeros(8)
        prices[TEN] = prices[ACE] = brisque
        return play_last_tricks(view, legal, prices, np.float64(rules.last_trick))
    left = tricks_left(view)
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    chances = np.empty(16)
    chances[0] = 1.0
    chance = min(1.0, left / PLENTY)
    for missing in range(1, 16):
        chance *= habits[HOPE]
        chances[missing] = chance
    mine = open_cards(view, 0)
    theirs = open_cards(view, 1)
    prices = np.zeros(8)
    prices[TEN] = prices[ACE] = brisque
    urgency = min(1.0, HASTE[0] + HASTE[1] / (left + 1))
    stake = habits[LEAD] + urgency * (best_ready(view, mine) + habits[DENY] * best_ready(view, theirs))
    if led >= 0 and is_kept(led, trump):
        stake += habits[CAPTURE] * change(view, mine, chances, led, 1, 0)
        stake += habits[DENY] * change(view, theirs, chances, led, 1, 0)
    best = -1e9
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        card = action & (TABLE - 1)
        rank = rank_of(card)
        kept = is_kept(card, trump)
        score = -STRENGTH[0, np.uint64(rank)]
        if suit_of(card) == trump:
            score -= habits[TRUMP]
            if rank == 0 and view.common.scored_sevens[view.seat] < view.own.hand[card]:
                score -= rules.seven
        if led < 0:
            wins = TRUMP_LEAD_WINS[np.uint64(rank)] if suit_of(card) == trump else LEAD_WINS[np.uint64(rank)]
            score += wins * stake + (2.0 * wins - 1.0) * prices[np.uint64(rank)]
        elif reply_wins(led, card, trump):
            wins = 1.0
            score += stake + trick_value(led, card, prices)
        else:
            wins = 0.0
            score -= trick_value(led, card, prices)
        if score > best:  # what a card is worth is never negative
            used = 0
            if action >= TABLE:
                place, _ = most_used(view.public[0], card)
                used = np.int64(view.public[0].table[place].used)
            lost = 1.0 - wins if kept else 1.0
            if lost > 0.0:
                score += lost * change(view, mine, chances, card, -1, used)
                if kept:
                    score -= lost * habits[DENY] * change(view, theirs, chances, card, 1, 0)
            if score > best:
                best = score
                choice = action
    return choice


@kernel
def polish_play(view, legal, rng, options):
    """Play a card."""
    return habit_play(view, legal, options.value)


@kernel
def polish_declare(view, legal, rng, options):
    """Score the most, but a weaker combination before the stronger one that would spend its cards."""
    return basic_declare(view, legal, rng, options)


@kernel
def polish_pick(view, legal, rng, options):
    """Take for a four first what was captured, then what was declared: the hand keeps its secrets."""
    lying = np.uint64(0)
    captured = np.uint64(0)
    public = view.public[0]
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        bit = ONE << np.uint64(slot.type)
        lying |= bit
        if slot.used >= CAPTURED:
            captured |= bit
    if legal & captured:
        return lowest(legal & captured)
    return lowest(legal & lying if legal & lying else legal)
