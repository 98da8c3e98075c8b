"""What the modules of piquet share: cards, records, and the comparison of combinations.

Cards are codes ``8 * suit + rank`` with the ranks low to high 7 8 9 T J Q K A and the suits S H D C; every set of cards
is one mask. A combination has a key, by which those of one kind are compared: the greater is the better, equal ones
are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.games.game import rules_dtype
from simcards.games.piquet import RUBICON
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel

ONE = np.uint64(1)
PACK = np.uint64(0xFFFFFFFF)
SUIT = np.uint64(0xFF)
RANK = np.uint64(0x01010101)  # the four cards of rank 0
COURTS = np.uint64(0x70707070)  # J Q K of the four suits
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
HAND = 12
DEALT = 2 * HAND  # cards dealt; the talon comes behind them in the dealing order
TALON = 8
ELDERS = 5  # cards of the talon that are elder's to take
UNKNOWN = 32  # a card of the talon that a player has not seen

# Stages of a deal
DEALING, SHOWING, EXCHANGING, LEAVING, DECLARING, PLAYING, OVER = range(7)
PHASES = ("show", "exchange", "leave", "declare", "play")

# Kinds of combinations, in the order in which they are declared
POINT, SEQUENCE, SETS = range(3)
KINDS = 3

# Steps in declaring a kind: elder speaks, younger answers, the better one names what else he has
SPEAKING, ANSWERING, NAMING = range(3)

# What a player has said of a kind
SILENT, NOTHING_SAID, CLAIMED, GOOD, EQUAL, BEATEN = range(6)

# Actions
STOP = 32  # no more cards are discarded; nothing (more) is declared
HIDE, LOOK, FACE = range(3)  # of younger, with the cards that he leaves


def _pips() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for each set of ranks what its cards count for the point."""
    worth = (7, 8, 9, 10, 10, 10, 10, 11)
    return np.array([sum(worth[rank] for rank in range(8) if cards >> rank & 1) for cards in range(256)])


def _runs() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for each set of ranks the ranks at which runs of three and more end, as a mask."""
    tops = np.zeros(256, np.int64)
    for cards in range(256):
        length = 0
        for rank in range(8):
            length = length + 1 if cards >> rank & 1 else 0
            if length >= 3 and not cards >> (rank + 1) & 1:
                tops[cards] |= 1 << rank
    return tops


def _lengths() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for each set of ranks how many in a row end at each rank."""
    lengths = np.zeros((256, 8), np.int64)
    for cards in range(256):
        for rank in range(8):
            if cards >> rank & 1:
                lengths[cards, rank] = 1 + (lengths[cards, rank - 1] if rank else 0)
    return lengths


PIPS = _pips()
RUN_TOPS = _runs()
RUN_LENGTH = _lengths()

# What both know. `step` and `kind`: where the declarations stand; `led` is -1 before the lead; `drawn` counts for each
# player the cards exchanged, -1 before that.
COMMON = np.dtype(
    [
        ("stage", "i4"),
        ("turn", "i4"),
        ("elder", "i4"),
        ("kind", "i4"),
        ("step", "i4"),
        ("leader", "i4"),
        ("led", "i4"),
        ("trick", "i4"),
        ("deals", "i4"),
        ("drawn", "i4", (2,)),
    ],
    align=True,
)

# What both know of a player: cards shown in scored combinations or as carte blanche, cards that he has shown not to
# hold, cards played; points in this deal and before it. Of each kind what he said, the size and the top of it as far as
# heard (-1), and what he named (bits: suits, top cards of sequences, ranks).
PUBLIC = np.dtype(
    [
        ("shown", "u8"),
        ("absent", "u8"),
        ("played", "u8"),
        ("blanche", "u8"),
        ("named", "u8", (KINDS,)),
        ("said", "i4", (KINDS,)),
        ("size", "i4", (KINDS,)),
        ("top", "i4", (KINDS,)),
        ("points", "i4"),
        ("total", "i4"),
        ("tricks", "i4"),
        ("bonus", "i4"),
    ],
    align=True,
)

# What a player alone knows: `last` is the card discarded last, `talon` the cards of the talon that he saw by their
# places, `claim` the keys of what he declared.
PRIVATE = np.dtype(
    [
        ("hand", "u8"),
        ("discards", "u8"),
        ("talon", "u1", (TALON,)),
        ("claim", "i4", (KINDS,)),
        ("last", "i4"),
    ],
    align=True,
)

# Where points come from, and what is counted; a value for each player
SOURCES = (
    "carte_blanche",
    "point",
    "sequences",
    "sets",
    "carte_rouge",
    "repique",
    "pique",
    "leads",
    "wins",
    "last",
    "cards",
    "capot",
    "deal_won",
    "doubled",
)
(
    BLANCHE_POINTS,
    POINT_POINTS,
    SEQUENCE_POINTS,
    SET_POINTS,
    ROUGE_POINTS,
    REPIQUE_POINTS,
    PIQUE_POINTS,
    LEAD_POINTS,
    WIN_POINTS,
    LAST_POINTS,
    CARDS_POINTS,
    CAPOT_POINTS,
    WON_POINTS,
    DOUBLED_POINTS,
) = range(len(SOURCES))

COUNTS = (
    "carte_blanche",
    "point",
    "tierce",
    "quart",
    "quint",
    "sixieme",
    "septieme",
    "huitieme",
    "trio",
    "quatorze",
    "carte_rouge",
    "repique",
    "pique",
    "cards",
    "capot",
    "deal",
)
(
    BLANCHES,
    POINTS,
    TIERCES,
    _,
    _,
    _,
    _,
    _,
    TRIOS,
    QUATORZES,
    ROUGES,
    REPIQUES,
    PIQUES,
    CARDS,
    CAPOTS,
    DEALS_WON,
) = range(len(COUNTS))

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), 2)),
        ("count", "i4", (len(COUNTS), 2)),
        ("lost", "i4", (2, 2)),  # points that an equal point or sequence cost
        ("equal", "i4", (2,)),
        ("sunk", "i4", (2,)),
        ("exchanged", "i4", (2,)),
        ("held", "i4", (4, 2)),  # longest suit, longest sequence, trios and quatorzes when play begins
        ("leads", "i4", (2,)),
        ("tricks", "i4", (2,)),
        ("as_elder", "i4", (2,)),
        ("pique_trick", "i4", (2,)),
    ],
    align=True,
)

RULES = rules_dtype(RUBICON.rules)
STATE = protocol.record(
    "piquet",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("private", PRIVATE, (2,)),
        ("deck", "u1", (DEALT + TALON,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "piquet_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("own", PRIVATE),
    ],
)


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def ranks_in(cards, suit):
    """Return the ranks held in a suit, eight bits."""
    return (cards >> np.uint64(8 * suit)) & SUIT


@kernel
def count_of(cards, rank):
    """Return how many cards of a rank there are."""
    return popcount((cards >> np.uint64(rank)) & RANK)


@kernel
def point_key(cards, suit):
    """Return by what a suit is compared for the point: its length, then its pips."""
    ranks = ranks_in(cards, suit)
    return 128 * popcount(ranks) + PIPS[ranks]


@kernel
def run_length(cards, top):
    """Return the length of the run of a suit that ends at a card."""
    return RUN_LENGTH[ranks_in(cards, top >> 3), np.uint64(top & 7)]


@kernel
def run_key(cards, top):
    """Return by what a sequence is compared: its length, then its top rank."""
    return 8 * run_length(cards, top) + (top & 7)


@kernel
def set_key(cards, rank):
    """Return by what a set is compared: three or four, then its rank."""
    return 8 * count_of(cards, rank) + rank


@kernel
def key_of(kind, cards, name):
    """Return the key of a combination of a hand by its name (a suit, the top card of a sequence, a rank)."""
    if kind == POINT:
        return point_key(cards, name)
    if kind == SEQUENCE:
        return run_key(cards, name)
    return set_key(cards, name)


@kernel
def size_of(kind, key):
    """Return the number of cards of a combination by its key."""
    return key // 128 if kind == POINT else key // 8


@kernel
def top_of(kind, key):
    """Return the second part of a key: pips or rank."""
    return key % 128 if kind == POINT else key % 8


@kernel
def cards_of(kind, cards, name):
    """Return the cards of a combination of a hand."""
    if kind == POINT:
        return cards & (SUIT << np.uint64(8 * name))
    if kind == SEQUENCE:
        length = run_length(cards, name)
        return ((ONE << np.uint64(length)) - ONE) << np.uint64(name + 1 - length)
    return cards & (RANK << np.uint64(name))


@kernel
def combinations(kind, cards, low_sets):
    """Return the combinations of a kind in a full hand as a mask of names: of the point the best suits only."""
    names = np.uint64(0)
    if kind == POINT:
        best = 0
        for suit in range(4):
            key = point_key(cards, suit)
            if key > best:
                best = key
                names = np.uint64(0)
            if key == best:
                names |= bit_of(suit)
        return names
    if kind == SEQUENCE:
        for suit in range(4):
            names |= np.uint64(RUN_TOPS[ranks_in(cards, suit)]) << np.uint64(8 * suit)
        return names
    for rank in range(SEVEN if low_sets else TEN, ACE + 1):
        if count_of(cards, rank) >= 3:
            names |= bit_of(rank)
    return names


@kernel
def best_key(kind, cards, names):
    """Return the key of the best of the named combinations, 0 when there is none."""
    best = 0
    while names:
        best = max(best, key_of(kind, cards, lowest(names)))
        names &= names - ONE
    return best


@kernel
def is_blanche(cards):
    """Return whether a hand has no king, queen or jack."""
    return cards & COURTS == np.uint64(0)


@kernel
def named_value(rules, kind, size):
    """Return what a combination of a size scores."""
    if kind == POINT:
        return np.int64(size)
    if kind == SEQUENCE:
        return np.int64(size + rules.long_sequence) if size >= 5 else np.int64(size)
    return np.int64(rules.quatorze) if size == 4 else np.int64(rules.trio)


@kernel
def left_over(common):
    """Return how many cards of the talon nobody has drawn."""
    return TALON - max(0, np.int64(common.drawn[0])) - max(0, np.int64(common.drawn[1]))


@kernel
def younger_place(rules, elders, number):
    """Return the place in the talon of the card that younger draws after `number` others.

    Parameters
    ----------
    rules : record
        The rules.
    elders : int
        Cards that elder has drawn.
    number : int
        From 0.

    Returns
    -------
    int
    """
    if rules.younger_draws == 0:
        return elders + number
    if number < TALON - ELDERS:
        return ELDERS + number
    return elders + number - (TALON - ELDERS)


@kernel
def talon_drawn(rules, common):
    """Return which places of the talon elder and which younger has drawn, as two masks."""
    elders = max(0, np.int64(common.drawn[common.elder]))
    youngers = max(0, np.int64(common.drawn[1 - common.elder]))
    by_younger = np.uint64(0)
    for number in range(youngers):
        by_younger |= bit_of(younger_place(rules, elders, number))
    return bit_of(elders) - ONE, by_younger


@kernel
def winners_over(cards, others):
    """Return how many cards of a suit are higher than all of the other's, both as eight bits of ranks."""
    return popcount(cards & ~((np.uint64(2) << np.uint64(highest(others))) - ONE)) if others else popcount(cards)
