"""What the modules of cribbage share: stages, actions and records.

Cards are codes ``13 * suit + rank`` with the ranks from the ace up and the suits S H D C; every set of cards is one
mask. There is room for four players; a rule says how many there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage import SIX_CARD
from simcards.games.cribbage.scoring import CARDS, ONE, RANKS, VALUE
from simcards.games.game import rules_dtype
from simcards.kernel import protocol
from simcards.kernel.bits import nth_set
from simcards.kernel.compiled import kernel

SEATS = 4  # room
PACK = np.uint64((1 << CARDS) - 1)
CRIB = 4  # cards in it
LAID = 20  # cards that are laid in a deal at most
LIMIT = 31

# Stages of a deal
DEALING, BIDDING, DISCARDING, PLAYING, OVER = range(5)
PHASES = ("bid", "discard", "play")

# Actions
PASS = 0  # of a bid; others are the points bid
GO = CARDS  # in play: no card can be laid

# How the rules' words are seen
TO_31, TO_THE_END = range(2)
NO_AUCTION, BEFORE_DISCARD, AFTER_DISCARD = range(3)

# Which two places of a hand a discard takes, by its number: the places of the cards in the order of their codes
PAIR_FIRST = np.array([i for j in range(7) for i in range(j)])
PAIR_SECOND = np.array([j for j in range(7) for i in range(j)])


def _up_to() -> NDArray[np.uint64]:
    """Return for each number the cards that count no more."""
    masks = [sum(1 << card for card in range(CARDS) if int(VALUE[card % RANKS]) <= most) for most in range(LIMIT + 1)]
    return np.array(masks, np.uint64)


UP_TO = _up_to()

# Where points come from, and what is counted; a value for each player
SOURCES = (
    "compensation",
    "heels",
    "bid",
    "peg_fifteen",
    "peg_thirty_one",
    "peg_pairs",
    "peg_runs",
    "peg_last",
    "hand_fifteen",
    "hand_pairs",
    "hand_runs",
    "hand_flush",
    "hand_nobs",
    "crib_fifteen",
    "crib_pairs",
    "crib_runs",
    "crib_flush",
    "crib_nobs",
)
(
    COMPENSATION,
    HEELS,
    BID,
    PEG_FIFTEEN,
    PEG_THIRTY_ONE,
    PEG_PAIRS,
    PEG_RUNS,
    PEG_LAST,
    HAND_FIFTEEN,
    HAND_PAIRS,
    HAND_RUNS,
    HAND_FLUSH,
    HAND_NOBS,
    CRIB_FIFTEEN,
    _,
    _,
    _,
    _,
) = range(len(SOURCES))

COUNTS = (
    "peg_fifteen",
    "peg_thirty_one",
    "pair",
    "pair_royal",
    "double_pair_royal",
    "run_of_three",
    "run_of_four",
    "run_of_five",
    "run_of_six",
    "run_of_seven",
    "last_card",
    "go",
    "heels",
    "hand_flush",
    "hand_nobs",
    "hand_nothing",
    "hand_twelve",
    "hand_twenty",
    "crib_flush",
    "crib_nobs",
    "crib_nothing",
    "crib_twelve",
    "bought",
    "repaid",
)
(
    FIFTEENS,
    THIRTY_ONES,
    PAIRS,
    _,
    _,
    RUNS,
    _,
    _,
    _,
    _,
    LAST_CARDS,
    GOES,
    ALL_HEELS,
    HAND_FLUSHES,
    HAND_JACKS,
    HAND_NOTHING,
    HAND_TWELVE,
    HAND_TWENTY,
    CRIB_FLUSHES,
    CRIB_JACKS,
    CRIB_NOTHING,
    CRIB_TWELVE,
    BOUGHT,
    REPAID,
) = range(len(COUNTS))

# What all know. `first` leads and shows first; `owner` has the crib, -1 while it is bid for. Of the play: `recent` are
# the cards of this count, as of `scoring.pairs_before`, `count` what they count, `last` who laid the last one, `gone`
# who can lay no more to it; `pile` are all cards laid in this deal and `by` who laid them, `started` where this count
# begins. `discarded` tells who has.
COMMON = np.dtype(
    [
        ("recent", "u8"),
        ("stage", "i4"),
        ("turn", "i4"),
        ("dealer", "i4"),
        ("first", "i4"),
        ("owner", "i4"),
        ("bid", "i4"),
        ("bidder", "i4"),
        ("starter", "i4"),
        ("count", "i4"),
        ("last", "i4"),
        ("gone", "i4"),
        ("discarded", "i4"),
        ("laid", "i4"),
        ("started", "i4"),
        ("deals", "i4"),
        ("winner", "i4"),
        ("pile", "u1", (LAID,)),
        ("by", "u1", (LAID,)),
    ],
    align=True,
)

# What all know of a player: the cards he has laid, how many he holds, and that each of these counts more than `above`
PUBLIC = np.dtype([("laid", "u8"), ("cards", "i4"), ("above", "i4"), ("points", "i4")], align=True)

# What a player alone knows
PRIVATE = np.dtype([("hand", "u8"), ("discards", "u8")], align=True)

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), SEATS)),
        ("count", "i4", (len(COUNTS), SEATS)),
        ("as_dealer", "i4", (SEATS,)),
        ("bids", "i4", (SEATS,)),
        ("best_hand", "i4", (SEATS,)),
        ("best_crib", "i4", (SEATS,)),
    ],
    align=True,
)

RULES = rules_dtype(SIX_CARD.rules)
STATE = protocol.record(
    "cribbage",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("private", PRIVATE, (SEATS,)),
        ("deck", "u1", (CARDS,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "cribbage_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("own", PRIVATE),
    ],
)


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def after(rules, player, steps):
    """Return the player so many places to the left."""
    return (player + steps) % np.int64(rules.players)


@kernel
def is_side(player, other):
    """Return whether two players win together: a player and himself, or partners, who sit opposite."""
    return (player ^ other) & 1 == 0


@kernel
def to_discard(rules):
    """Return how many cards each player puts into the crib."""
    return CRIB // np.int64(rules.players)


@kernel
def discard_of(rules, hand, action):
    """Return the cards that a discard takes from a hand.

    Parameters
    ----------
    rules : record
        The rules.
    hand : uint64
        The cards dealt.
    action : int
        The action: a place of the hand, or for two cards the number of a pair of places.

    Returns
    -------
    uint64
        The cards.
    """
    if rules.players == 4:
        return bit_of(nth_set(hand, action))
    return bit_of(nth_set(hand, PAIR_FIRST[action])) | bit_of(nth_set(hand, PAIR_SECOND[action]))


@kernel
def discards_open(rules):
    """Return the discards of a hand, as a mask of actions."""
    cards = np.int64(rules.cards)
    return bit_of(cards if rules.players == 4 else cards * (cards - 1) // 2) - ONE


@kernel
def to_lay(hand, count):
    """Return the cards of a hand that can be laid to a count."""
    return hand & UP_TO[LIMIT - count]
