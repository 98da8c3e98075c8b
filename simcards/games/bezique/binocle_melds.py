"""The melds of binocle: which a player may score, with which cards, and what that leaves behind.

Three classes: marriages and the sequence; binocles; fours of four different suits, and eights. A card may be used again
in another class at will, in its own class only upwards: a marriage's cards in the sequence, a single binocle's in the
double or the grand, a four's in the eight. Every meld takes a card from the hand (``rules.fresh``); otherwise what lies
on the table serves first, and of two copies there the one that was in a lower meld of the class.

A card on the table remembers what it was scored in as in the family's ledger, an eight as four of trumps there, the
grand binocle as a bezique of the third level.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    ACE,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    SPADES,
    TEN,
    bit_of,
)
from simcards.games.bezique.ledger import (
    A_BEZIQUE,
    A_FOUR,
    A_MARRIAGE,
    A_SEQUENCE,
    A_TRUMP_FOUR,
    BEZIQUE,
    FOUR,
    HAND,
    LEVEL,
    LEVELS,
    MARRIAGE,
    PASS,
    SEQUENCE,
    TRUMP_FOUR,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    USED_TRUMP_FOUR,
    pick,
    pick_best,
    record,
)
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

# Actions beside those of the ledger
BINOCLE = BEZIQUE
DOUBLE = BEZIQUE + 1
EIGHT = TRUMP_FOUR  # eight aces, kings, queens, jacks
GRAND = TRUMP_FOUR + 4
GRAND_LEVEL = 3  # what the cards of a grand binocle have reached; open to it is what is open to the double

# What is counted, by index
MELDS = (
    "marriage",
    "royal_marriage",
    "royal_sequence",
    "binocle",
    "double_binocle",
    "grand_binocle",
    "aces",
    "kings",
    "queens",
    "jacks",
    "eight_aces",
    "eight_kings",
    "eight_queens",
    "eight_jacks",
)

OF_RANK = np.uint64(0x01010101)  # the lowest rank of the four suits
KING_OF_SPADES = 8 * SPADES + KING
PAIR = (ONE << np.uint64(QUEEN_OF_SPADES)) | (ONE << np.uint64(JACK_OF_DIAMONDS))
TRIPLE = PAIR | (ONE << np.uint64(KING_OF_SPADES))

# The cards of each meld, by action; those of a double and an eight are needed twice
CARDS = np.zeros(GRAND + 1, np.uint64)
for _suit in range(4):
    CARDS[MARRIAGE + _suit] = sum(1 << 8 * _suit + rank for rank in (KING, QUEEN))
    CARDS[SEQUENCE + _suit] = sum(1 << 8 * _suit + rank for rank in (JACK, QUEEN, KING, TEN, ACE))
CARDS[BINOCLE] = CARDS[DOUBLE] = PAIR
CARDS[GRAND] = TRIPLE
for _action, _rank in enumerate((ACE, KING, QUEEN, JACK)):
    CARDS[FOUR + _action] = CARDS[EIGHT + _action] = int(OF_RANK) << _rank


@kernel
def meld_of(action, trump):
    """Return the index into ``MELDS`` of a meld."""
    if action < SEQUENCE:
        return 1 if action - MARRIAGE == trump else 0
    if action < BINOCLE:
        return 2
    if action < FOUR:
        return 3 + action - BINOCLE
    if action == GRAND:
        return 5
    return 6 + action - FOUR if action < EIGHT else 10 + action - EIGHT


@kernel
def meld_value(rules, meld):
    """Return what a meld scores; the rules name each."""
    if meld == 0:
        return rules.marriage
    if meld == 1:
        return rules.royal_marriage
    if meld == 2:
        return rules.royal_sequence
    if meld == 3:
        return rules.binocle
    if meld == 4:
        return rules.double_binocle
    if meld == 5:
        return rules.grand_value
    if meld == 6:
        return rules.aces
    if meld == 7:
        return rules.kings
    if meld == 8:
        return rules.queens
    if meld == 9:
        return rules.jacks
    if meld == 10:
        return rules.eight_aces
    if meld == 11:
        return rules.eight_kings
    if meld == 12:
        return rules.eight_queens
    return rules.eight_jacks


@kernel
def action_value(rules, action, trump):
    """Return what a declare action scores."""
    return meld_value(rules, meld_of(action, trump))


@kernel
def is_open(used, kind, level):
    """Return whether a card on the table, used in `used`, may serve in a meld of this kind; `level` for binocles."""
    if kind == A_MARRIAGE:
        return used & (USED_MARRIAGE | USED_SEQUENCE) == 0
    if kind == A_SEQUENCE:
        return used & USED_SEQUENCE == 0
    if kind == A_BEZIQUE:
        return (used & LEVELS) // LEVEL < level
    if kind == A_TRUMP_FOUR:
        return used & USED_TRUMP_FOUR == 0
    return used & (USED_FOUR | USED_TRUMP_FOUR) == 0


@kernel
def kind_of(action):
    """Return the kind of a meld and the level of binocle below which its cards must lie."""
    if action < SEQUENCE:
        return A_MARRIAGE, 1
    if action < BINOCLE:
        return A_SEQUENCE, 1
    if action == BINOCLE:
        return A_BEZIQUE, 1
    if action < FOUR or action == GRAND:
        return A_BEZIQUE, 2
    return (A_FOUR, 1) if action < EIGHT else (A_TRUMP_FOUR, 1)


@kernel
def is_double(action):
    """Return whether a meld needs its cards twice."""
    return action == DOUBLE or EIGHT <= action < GRAND


@kernel
def open_table(public, kind, level):
    """Return the open cards on a table as two masks: types that lie there once or more, and twice."""
    once = np.uint64(0)
    twice = np.uint64(0)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if is_open(slot.used, kind, level):
            bit = bit_of(np.int64(slot.type))
            twice |= once & bit
            once |= bit
    return once, twice


@kernel
def held_twice(own):
    """Return the types that a hand holds twice, as a mask."""
    twice = np.uint64(0)
    rest = own.mask
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if own.hand[card] > 1:
            twice |= bit_of(card)
    return twice


@kernel
def meldable(rules, own, public, trump):
    """Return the melds that a player may score now, as a mask of actions; ``PASS`` is always among them.

    Parameters
    ----------
    rules, own, public : record
        The rules, what the player alone knows, and what everybody knows of him.
    trump : int
        Suit of trumps.

    Returns
    -------
    uint64
        ``EXCHANGE`` is not among them.
    """
    hand = own.mask
    marriage = sequence = four = single = upper = eight = hand
    both_upper = both_eight = held_twice(own)
    new_upper = np.uint64(0)  # cards on the table that were in no binocle, or in no four
    new_eight = np.uint64(0)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        used = slot.used
        bit = bit_of(np.int64(slot.type))
        if is_open(used, A_MARRIAGE, 1):
            marriage |= bit
        if is_open(used, A_SEQUENCE, 1):
            sequence |= bit
        if is_open(used, A_FOUR, 1):
            four |= bit
            new_eight |= bit
        if is_open(used, A_TRUMP_FOUR, 1):
            both_eight |= eight & bit
            eight |= bit
        if is_open(used, A_BEZIQUE, 1):
            single |= bit
            new_upper |= bit
        if is_open(used, A_BEZIQUE, 2):
            both_upper |= upper & bit
            upper |= bit
    fresh = hand if rules.fresh else ~np.uint64(0)
    new_upper = hand if rules.fresh else new_upper | hand
    new_eight = hand if rules.fresh else new_eight | hand
    actions = ONE << np.uint64(PASS)
    for suit in range(4):
        cards = CARDS[np.uint64(MARRIAGE + suit)]
        if cards & ~marriage == np.uint64(0) and cards & fresh:
            actions |= ONE << np.uint64(MARRIAGE + suit)
    cards = CARDS[np.uint64(SEQUENCE + trump)]
    if cards & ~sequence == np.uint64(0) and cards & fresh:
        actions |= ONE << np.uint64(SEQUENCE + trump)
    if PAIR & ~single == np.uint64(0) and PAIR & fresh:
        actions |= ONE << np.uint64(BINOCLE)
    if PAIR & ~both_upper == np.uint64(0) and PAIR & new_upper:
        actions |= ONE << np.uint64(DOUBLE)
    if rules.grand_binocle and TRIPLE & ~upper == np.uint64(0) and TRIPLE & new_upper:
        actions |= ONE << np.uint64(GRAND)
    for action in range(FOUR, FOUR + 4):
        cards = CARDS[np.uint64(action)]
        if cards & ~four == np.uint64(0) and cards & fresh:
            actions |= ONE << np.uint64(action)
        if cards & ~both_eight == np.uint64(0) and cards & new_eight:
            actions |= ONE << np.uint64(action + EIGHT - FOUR)
    return actions


@kernel
def fresh_choices(rules, own, public, action):
    """Return the cards of which one must come from the hand though all lie open on the table, as a mask."""
    if not rules.fresh or is_double(action):  # a double takes every copy there is
        return np.uint64(0)
    kind, level = kind_of(action)
    cards = CARDS[np.uint64(action)]
    once, _ = open_table(public, kind, level)
    return cards & own.mask if cards & ~once == np.uint64(0) else np.uint64(0)


@kernel
def make(state, player, action, fresh=-1):
    """Lay the cards of a meld and mark them as scored in it.

    Parameters
    ----------
    state : record
        The position.
    player, action : int
        Who melds, and what.
    fresh : int
        The card to come from the hand though a copy lies open on the table; -1 for none.
    """
    kind, level = kind_of(action)
    rest = CARDS[np.uint64(action)]
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        for _ in range(2 if is_double(action) else 1):
            if card == fresh:
                pick(state, card, HAND)
            else:
                pick_best(state, player, card, kind, level)
    record(state, player, kind, GRAND_LEVEL if action == GRAND else level)


@kernel
def laid_by(rules, own, public, action):
    """Return the types of which a meld lays a card from the hand, a choice settled for the lowest, as a mask."""
    choices = fresh_choices(rules, own, public, action)
    if choices:
        return ONE << np.uint64(lowest(choices))
    kind, level = kind_of(action)
    once, twice = open_table(public, kind, level)
    return CARDS[np.uint64(action)] & own.mask & ~(twice if is_double(action) else once)
