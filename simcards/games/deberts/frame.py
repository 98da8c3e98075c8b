"""What the modules of deberts share: cards, the orders of trumps, records, and the comparison of runs.

Cards are codes ``8 * suit + rank`` with the ranks low to high 7 8 9 J Q K T A and the suits S H D C; every set of cards
is one mask. A run is named by its *height*, the place of its top card in the order of runs, 0 for the lowest. Runs are
compared by keys: the greater is the better, equal ones are equal, 0 is no run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.games.deberts import DEBERTS
from simcards.games.game import rules_dtype
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import ORDER, make_order

ONE = np.uint64(1)
PACK = np.uint64(0xFFFFFFFF)
SUIT = np.uint64(0xFF)
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)
MARRIAGE = np.uint64((1 << KING) | (1 << QUEEN))
HAND = 9  # cards played with, of which
DEALT = 6  # are dealt before the bidding
TURNED = 2 * DEALT  # place of the turned card in the dealing order; the stock comes behind it
DRAWN = TURNED + 1 + 2 * (HAND - DEALT)  # place of the first card that nobody draws
DECK = 32

# Stages of a deal
DEALING, BIDDING, EXCHANGING, DECLARING, BELLA, PLAYING, OVER = range(7)
PHASES = ("bid", "exchange", "declare", "bella", "play")

# Actions of the bidding; a suit is named by NAME + suit
PASS, PLAY_TURNED, NAME = range(3)
# Actions of all other phases but play: a player does something or not
NO, YES = range(2)

# What comes before the tricks once trumps are made, in this order
(
    PONE_EXCHANGES,
    PONE_SPEAKS,
    DEALER_EXCHANGES,
    DEALER_ANSWERS,
    PONE_EXCHANGES_LATE,
    PONE_LEADS,
    DEALER_EXCHANGES_AFTER,
    DEALER_SPEAKS,
    DEALER_EXCHANGES_LATE,
    ONLY_TRICKS,
) = range(10)

# What a player has said of runs
UNASKED, SILENT, CLAIMED, BEATEN, GOOD = range(5)

TIERCE, FIFTY = 3, 4  # the cards by which they are told apart


# -- orders of cards -------------------------------------------------------------------------------------------


def _orders() -> np.ndarray[Any, Any]:
    """Return the orders of the cards: by trump, then the same with the duty to beat trumps."""
    trumps = (SEVEN, EIGHT, QUEEN, KING, TEN, ACE, NINE, JACK)
    plain = (0, 0, 0, 2, 3, 4, 10, 11)
    made = []
    for duties in ("FR", "FRO"):
        for trump in range(4):
            suits = [[[8 * s + rank] for rank in (trumps if s == trump else range(8))] for s in range(4)]
            values = {8 * suit + rank: plain[rank] for suit in range(4) for rank in range(8)}
            values |= {8 * trump + JACK: 20, 8 * trump + NINE: 14}
            made.append(make_order(suits, trump, duties, values))
    return np.concatenate(made).astype(ORDER)


ORDERS = _orders()


@kernel
def order_of(rules, trump):
    """Return the order of the cards under a trump, an index into `ORDERS`."""
    return 4 * np.int64(rules.overtrump) + np.int64(trump)


# -- runs ------------------------------------------------------------------------------------------------------

_HEIGHTS = ((SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE), (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE))


def _maximal(order: int, ranks: int) -> list[tuple[int, int]]:
    """Return the height and length of every run of three or more among the ranks of a suit."""
    found = []
    length = 0
    for height in range(9):
        if height < 8 and ranks >> _HEIGHTS[order][height] & 1:
            length += 1
        else:
            if length >= TIERCE:
                found.append((height - 1, length))
            length = 0
    return found


def _span(order: int, height: int, length: int) -> int:
    """Return the ranks of a run, and of nothing beyond the ends of the suit."""
    return sum(1 << _HEIGHTS[order][place] for place in range(max(0, height - length + 1), min(8, height + 1)))


def _run_tables() -> tuple[np.ndarray[Any, Any], ...]:
    """Return for each order of runs what a set of ranks holds.

    The key of the best run (kind and height), the ranks in runs, the ranks just beyond them, and for each way to count
    long ones the number of tierces and of fifties.
    """
    best = np.zeros((2, 256), np.int64)
    inside, beyond = np.zeros((2, 256), np.uint64), np.zeros((2, 256), np.uint64)
    counts = np.zeros((2, 2, 256, 2), np.int64)
    for order in range(2):
        for ranks in range(256):
            for height, length in _maximal(order, ranks):
                kind = FIFTY if length >= FIFTY else TIERCE
                best[order, ranks] = max(best[order, ranks], 8 * kind + height)
                held = _span(order, height, length)
                inside[order, ranks] |= np.uint64(held)
                beyond[order, ranks] |= np.uint64(_span(order, height + 1, length + 2) & ~held)
                counts[order, 0, ranks, kind - TIERCE] += 1
                counts[order, 1, ranks, 1] += length // FIFTY
                counts[order, 1, ranks, 0] += length % FIFTY == TIERCE
    return best, inside, beyond, counts


def _span_tables() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return by order, kind and height the ranks of a run, and those that its holder cannot have besides."""
    spans, beside = np.zeros((2, 5, 8), np.uint64), np.zeros((2, 5, 8), np.uint64)
    for order in range(2):
        for kind in (TIERCE, FIFTY):
            for height in range(kind - 1, 8):
                held = _span(order, height, kind)
                # a fifty may go on below
                wider = _span(order, height + 1, kind + (2 if kind == TIERCE else 1))
                spans[order, kind, height] = held
                beside[order, kind, height] = wider & ~held
    return spans, beside


BEST_RUN, IN_RUNS, BEYOND_RUNS, RUN_COUNTS = _run_tables()
RUN_SPAN, RUN_BESIDE = _span_tables()


@kernel
def ranks_in(cards, suit):
    """Return the ranks held in a suit, eight bits."""
    return (cards >> np.uint64(8 * suit)) & SUIT


@kernel
def kind_of(key):
    """Return whether a key is that of a tierce (3), a fifty (4) or none (0)."""
    return key >> 4


@kernel
def height_of(key):
    """Return the height of a run by its key."""
    return (key >> 1) & 7


@kernel
def standing(rules, key):
    """Return a number by which the better of two runs is the one with the greater."""
    if rules.trump_runs == 0:
        return np.int64(key)  # kind, height, trumps
    return np.int64(16 * kind_of(key) + 8 * (key & 1) + height_of(key))


@kernel
def best_run(rules, hand, trump):
    """Return the key of the best run of a hand: kind, height, whether in trumps; 0 without a run."""
    best = 0
    for suit in range(4):
        found = BEST_RUN[rules.run_order, ranks_in(hand, suit)]
        if found:
            key = 2 * found + (suit == trump)
            if standing(rules, key) > standing(rules, best):
                best = key
    return best


@kernel
def count_runs(rules, hand):
    """Return the number of tierces and of fifties in a hand."""
    tierces = 0
    fifties = 0
    for suit in range(4):
        ranks = ranks_in(hand, suit)
        tierces += RUN_COUNTS[rules.run_order, rules.long_runs, ranks, 0]
        fifties += RUN_COUNTS[rules.run_order, rules.long_runs, ranks, 1]
    return tierces, fifties


@kernel
def run_points(rules, hand):
    """Return what all runs of a hand score."""
    tierces, fifties = count_runs(rules, hand)
    return np.int64(tierces * rules.tierce + fifties * rules.fifty)


# -- records ---------------------------------------------------------------------------------------------------

# What both know. `offer` counts what was said in the bidding; `turned` lies there to be seen, `by` is who plays and
# `seven` who exchanged the seven (-1: nobody), `late` whether he had spoken of runs before; `pending` is the card about
# to be played while bella may be said.
COMMON = np.dtype(
    [
        ("stage", "i4"),
        ("turn", "i4"),
        ("dealer", "i4"),
        ("offer", "i4"),
        ("turned", "i4"),
        ("trump", "i4"),
        ("by", "i4"),
        ("step", "i4"),
        ("seven", "i4"),
        ("late", "i4"),
        ("led", "i4"),
        ("pending", "i4"),
        ("trick", "i4"),
        ("deals", "i4"),
    ],
    align=True,
)

# What both know of a player: cards played, cards that he must hold or have held, cards that he cannot hold; what he
# said of runs and what was heard of the best (kind 0, height and trump -1: nothing); points of this deal by source,
# the total before.
PUBLIC = np.dtype(
    [
        ("played", "u8"),
        ("shown", "u8"),
        ("absent", "u8"),
        ("said", "i4"),
        ("kind", "i4"),
        ("height", "i4"),
        ("in_trumps", "i4"),
        ("cards", "i4"),
        ("last", "i4"),
        ("runs", "i4"),
        ("bella", "i4"),
        ("tricks", "i4"),
        ("total", "i4"),
    ],
    align=True,
)

# Where points come from; a value for each player
SOURCES = ("cards", "last", "tierces", "fifties", "bella", "bait")
CARD_POINTS, LAST_POINTS, TIERCE_POINTS, FIFTY_POINTS, BELLA_POINTS, BAIT_POINTS = range(len(SOURCES))

# What is counted for each player
COUNTS = (
    "plays",
    "plays_turned",
    "plays_named",
    "made",
    "bait",
    "as_pone",
    "deals_won",
    "tierces",
    "fifties",
    "runs_beaten",
    "silences",
    "bella",
    "exchanges",
    "tricks",
    "last_tricks",
)
(
    PLAYS,
    PLAYS_TURNED,
    PLAYS_NAMED,
    MADE,
    BAITED,
    AS_PONE,
    DEALS_WON,
    TIERCES,
    FIFTIES,
    RUNS_BEATEN,
    SILENCES,
    BELLAS,
    EXCHANGES,
    TRICKS,
    LAST_TRICKS,
) = range(len(COUNTS))

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), 2)),
        ("count", "i4", (len(COUNTS), 2)),
        ("as_pone", "i4", (2,)),  # points written as pone
        ("balance", "i4", (2,)),  # points written less the other's, in deals that he played
        ("equal", "i4"),
        ("thrown_in", "i4"),
    ],
    align=True,
)

RULES = rules_dtype(DEBERTS.rules)
STATE = protocol.record(
    "deberts",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("hands", "u8", (2,)),
        ("deck", "u1", (DECK,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "deberts_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("hand", "u8"),
    ],
)


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def deal_points(public):
    """Return what a player has scored in this deal, as far as it is settled who writes it."""
    return np.int64(public.cards + public.last + public.runs + public.bella)


@kernel
def may_exchange(rules, common, hand):
    """Return whether a hand holds the seven of trumps and the turned trump is there to be taken for it."""
    if not rules.exchange or common.trump != common.turned >> 3 or common.seven >= 0:
        return False
    seven = 8 * np.int64(common.trump) + SEVEN
    return (hand & bit_of(seven)) != np.uint64(0)  # when the seven itself is turned, nobody holds it
