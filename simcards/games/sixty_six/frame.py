"""What the modules of sixty-six share: cards and records.

Cards are codes ``6 * suit + rank`` with the ranks low to high 9 J Q K T A and the suits S H D C. A set of cards is one
mask that can hold two of a kind: bit ``card`` says that there is one, bit ``24 + card`` that there is another.
"""

from __future__ import annotations

import numpy as np

from simcards.games.game import rules_dtype
from simcards.games.sixty_six import SIXTY_SIX
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel

SEATS = 4  # room; with fewer players the last places stay empty
TYPES = 24
PACK = 2 * TYPES  # cards, at most
ONE = np.uint64(1)
SUIT = np.uint64(0x3F)
FIRSTS = np.uint64((1 << TYPES) - 1)  # the bits that say there is one
SECOND = np.uint64(TYPES)
QUEENS = np.uint64(0b000100_000100_000100_000100)
NINE, JACK, QUEEN, KING, TEN, ACE = range(6)
VALUE = np.array([0, 2, 3, 4, 10, 11] * 4)
SUIT_OF = np.array([card // 6 for card in range(TYPES)])

# Stages of a deal, and the phases of its decisions
DEALING, EXCHANGING, CLOSING, PLAYING, OVER = range(5)
PHASES = ("exchange", "close", "play")
WITH_MARRIAGE = TYPES  # added to the card led when a marriage is announced with it

# What lies between the players. `played` are the cards of this trick by player, -1 for none yet; `best` is the one that
# wins so far, `ahead` who played it; `gone` are all cards played in this deal; `stock` counts the turn-up too; `due`
# says that the winner of the trick is asked for the nine before the last cards are drawn; `closer` is -1 while the
# stock is open; `first` led first in this deal; `winner` is who won the deal or the game, -1 for nobody.
COMMON = np.dtype(
    [
        ("gone", "u8"),
        ("stage", "i4"),
        ("turn", "i4"),
        ("leader", "i4"),
        ("led", "i4"),
        ("best", "i4"),
        ("ahead", "i4"),
        ("count", "i4"),
        ("played", "i4", (SEATS,)),
        ("trump", "i4"),
        ("turn_up", "i4"),
        ("stock", "i4"),
        ("due", "i4"),
        ("closer", "i4"),
        ("trick", "i4"),
        ("deals", "i4"),
        ("first", "i4"),
        ("winner", "i4"),
    ],
    align=True,
)

# What all know of a player: cards that he is known to hold, those of them that were in a marriage, cards that he has
# shown not to hold; points in this deal, those of plain and royal marriages that wait for a trick, big points
PUBLIC = np.dtype(
    [
        ("known", "u8"),
        ("wed", "u8"),
        ("lacks", "u8"),
        ("points", "i4"),
        ("pending", "i4", (2,)),
        ("tricks", "i4"),
        ("total", "i4"),
    ],
    align=True,
)

# Where points and big points come from, and what is counted; a value for each player
SOURCES = ("cards", "marriage", "royal_marriage", "last_trick")
CARDS_POINTS, MARRIAGE_POINTS, ROYAL_POINTS, LAST_POINTS = range(len(SOURCES))
PRIZES = ("single", "double", "triple", "closed", "failed")
SINGLE, DOUBLE, TRIPLE, CLOSED, FAILED = range(len(PRIZES))
COUNTS = (*PRIZES, "marriage", "royal_marriage", "exchange", "closing", "closing_won", "closing_lost")
_, _, _, _, _, MARRIAGES, ROYALS, EXCHANGES, CLOSINGS, CLOSINGS_WON, CLOSINGS_LOST = range(len(COUNTS))

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), SEATS)),
        ("big", "i4", (len(PRIZES), SEATS)),
        ("count", "i4", (len(COUNTS), SEATS)),
        ("tricks", "i4", (SEATS,)),
        ("closing_trick", "i4", (SEATS,)),
        ("closing_points", "i4", (SEATS,)),
        ("closing_trumps", "i4", (SEATS,)),
        ("no_result", "i4"),
        ("all_tricks", "i4"),
    ],
    align=True,
)

RULES = rules_dtype(SIXTY_SIX.rules)
STATE = protocol.record(
    "sixty_six",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("hand", "u8", (SEATS,)),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "sixty_six_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("hand", "u8"),
    ],
)


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def suit_mask(suit):
    """Return the cards of a suit, one of each."""
    return SUIT << np.uint64(6 * suit)


@kernel
def above(card):
    """Return the higher cards of a card's suit, one of each."""
    return suit_mask(SUIT_OF[card]) & ~((np.uint64(2) << np.uint64(card)) - ONE)


@kernel
def doubled(types):
    """Return both cards of each kind."""
    return types | (types << SECOND)


@kernel
def count_of(cards, card):
    """Return how many of a card there are."""
    return np.int64((cards >> np.uint64(card)) & ONE) + np.int64((cards >> np.uint64(card + TYPES)) & ONE)


@kernel
def put(cards, card):
    """Return a set with one more of a card."""
    one = bit_of(card)
    return cards | (one << SECOND) if cards & one else cards | one


@kernel
def drop(cards, card):
    """Return a set with one less of a card, of which it has one at least."""
    two = bit_of(card) << SECOND
    return cards & ~two if cards & two else cards & ~bit_of(card)


@kernel
def together(one, other):
    """Return two sets as one, of no more than two of a kind."""
    return one | other | ((one & other & FIRSTS) << SECOND)


@kernel
def rest_of(packs, cards):
    """Return what the packs hold besides a set."""
    if packs == 1:
        return ~cards & FIRSTS
    return (~(cards >> SECOND) & FIRSTS) | ((~cards & FIRSTS) << SECOND)


@kernel
def cards_value(cards):
    """Return what a set of cards is worth."""
    total = 0
    while cards:
        card = lowest(cards)
        total += VALUE[card - TYPES if card >= TYPES else card]
        cards &= cards - ONE
    return total


@kernel
def marriages(rules, hand, wed):
    """Return the kings and queens with which a marriage can be announced, one of each."""
    free = hand & ~wed
    free = (free | (free >> SECOND)) & FIRSTS  # of which at least one has not been in a marriage
    pairs = free & (free >> ONE) & QUEENS
    if rules.remarry:
        pairs = hand & (hand >> ONE) & QUEENS & (free | (free >> ONE))
    return pairs | (pairs << ONE)


@kernel
def marriage_value(rules, common, card):
    """Return what a marriage in a card's suit counts."""
    return np.int64(rules.royal_marriage if SUIT_OF[card] == common.trump else rules.marriage)


@kernel
def must_follow(common):
    """Return whether the stock is gone or closed, so that suit must be followed."""
    return common.stock == 0 or common.closer >= 0


@kernel
def beats(common, card, best):
    """Return whether a card, played later, beats the best one so far."""
    if SUIT_OF[card] == SUIT_OF[best]:
        return card > best
    return SUIT_OF[card] == common.trump


@kernel
def playable(rules, common, hand):
    """Return the cards of a hand that may be played to a trick in which a card lies, one of each."""
    cards = hand & FIRSTS
    if not must_follow(common):
        return cards
    suit = SUIT_OF[common.led]
    best = np.int64(common.best)
    following = cards & suit_mask(suit)
    if following:
        if rules.head and SUIT_OF[best] == suit:
            higher = following & above(best)
            if higher:
                return higher
        return following
    trumps = cards & suit_mask(common.trump)
    if trumps:
        if rules.overruff and SUIT_OF[best] == common.trump:
            higher = trumps & above(best)
            if higher:
                return higher
        return trumps
    return cards


@kernel
def cards_in_hand(view, player):
    """Return how many cards a player holds, by what another sees."""
    own = popcount(view.hand) + (view.common.played[view.seat] >= 0)
    return own - (view.common.played[player] >= 0)


@kernel
def loss_class(rules, points):
    """Return which prize a loser with so many points pays."""
    if points == 0:
        return TRIPLE
    if points > rules.half or (points == rules.half and rules.exactly_half == 0):
        return SINGLE
    return DOUBLE


@kernel
def prize(rules, kind):
    """Return how many big points a kind of win is worth."""
    if kind == SINGLE:
        return np.int64(rules.single)
    if kind == DOUBLE:
        return np.int64(rules.double)
    if kind == TRIPLE:
        return np.int64(rules.triple)
    if kind == CLOSED:
        return np.int64(rules.closed)
    return np.int64(rules.closed_lost)
