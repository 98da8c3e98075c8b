"""The declarations of penchant: what a player may score, what he has to choose, and which cards he lays.

The cards are ``8 * suit + rank`` with the ranks low to high 7 8 9 T J Q K A. What lies on the table may serve again as
long as one card comes new from the hand, so a card there needs no memory of what it was scored in.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import ONE, SUIT, bit_of, rank_of, suit_of
from simcards.games.bezique.text import SUIT_NAMES
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
A_RANK = np.uint64(0x01010101)  # times 2 ** rank: the four cards of a rank
BRISQUES = np.uint64((1 << ACE) | (1 << TEN) | (1 << SEVEN))

# Actions of a declaration
PASS = 0
GROUP = 1  # + 3 * rank + size - 2
RUN = 25  # + 8 * suit + kind
KINDS = 8
FLUSH = 7  # the kind that is not a run
A_PENCHANT = 57

# The ranks of each kind of run; of a flush those that must be in it
RUNS = np.array([0x60, 0x30, 0x70, 0xF0, 0x78, 0xF8, 0x7C, 0x70], np.uint64)
COURTS = np.uint64(0x70)
BESIDE = np.uint64(0x8F)  # ranks that can lie beside K Q J in a flush

MELDS = (
    *("four", "trio", "pair", "sequence_of_five", "sequence_of_four", "sequence_of_three"),
    *("king_and_queen", "queen_and_jack", "flush", "penchant"),
)
RUN_MELDS = np.array([6, 7, 5, 4, 4, 3, 3, 8])  # index into MELDS of each kind
THE_PENCHANT = 9

_SIZES = ("a pair", "three", "four")
_RANKS = ("sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces")
_KINDS = ("K Q", "Q J", "K Q J", "A K Q J", "K Q J T", "A K Q J T", "K Q J T 9", "a flush with K Q J")


def declaration_text(action: int) -> str:
    """Return a declaration in words, such as ``"a pair of kings"``."""
    if action == PASS:
        return "nothing"
    if action == A_PENCHANT:
        return "a penchant"
    if action >= RUN:
        return f"{_KINDS[(action - RUN) % KINDS]} in {SUIT_NAMES[(action - RUN) // KINDS]}"
    rank, size = divmod(action - GROUP, 3)
    return f"{_SIZES[size]}{' of' if size == 0 else ''} {_RANKS[rank]}"


@kernel
def of_rank(mask, rank):
    """Return the cards of a rank, as a mask."""
    return mask & (A_RANK << np.uint64(rank))


@kernel
def of_suit(mask, suit):
    """Return the ranks of a suit, in eight bits."""
    return (mask >> np.uint64(8 * suit)) & SUIT


@kernel
def high_group(table):
    """Return the best group of court cards or aces on a table: eight times its size and the rank, 0 for none."""
    best = 0
    for rank in range(JACK, ACE + 1):
        size = popcount(of_rank(table, rank))
        if size >= 2:
            best = max(best, 8 * size + rank)
    return best


@kernel
def largest_low_group(state, player):
    """Return up to what size low groups may not be scored because of what lies on the other's table."""
    theirs = high_group(state.public[1 - player].table_mask)
    return theirs // 8 if theirs > high_group(state.public[player].table_mask) else 0


@kernel
def group_actions(hand, table, blocked):
    """Return the groups that may be scored as a mask of actions; low ones only above the size `blocked`."""
    actions = np.uint64(0)
    for rank in range(8):
        new = popcount(of_rank(hand, rank))
        if new:
            fewest = 2 if rank >= JACK else max(2, blocked + 1)
            for size in range(fewest, new + popcount(of_rank(table, rank)) + 1):
                actions |= ONE << np.uint64(GROUP + 3 * rank + size - 2)
    return actions


@kernel
def flush_pairs(have, hand, high):
    """Return what can lie beside K Q J in a flush.

    Parameters
    ----------
    have, hand : uint64
        Ranks of the suit in hand and table together, and in the hand.
    high : int
        The higher of the two cards, -1 while it is not chosen.

    Returns
    -------
    uint64
        Ranks of the higher card when it is not chosen, else of the lower one.
    """
    found = np.uint64(0)
    if have & COURTS != COURTS:
        return found
    for upper in range(1, 8):
        for lower in range(upper):
            pair = bit_of(upper) | bit_of(lower)
            if pair & ~(have & BESIDE) or (high >= 0 and upper != high):
                continue
            run = lower == TEN or (upper == TEN and lower == NINE)  # A T or T 9 make a sequence of it
            if not run and hand & (COURTS | pair):
                found |= bit_of(lower if high >= 0 else upper)
    return found


@kernel
def run_actions(hand, have):
    """Return the runs and flushes that may be scored, as a mask of actions."""
    actions = np.uint64(0)
    for suit in range(4):
        ranks = of_suit(have, suit)
        new = of_suit(hand, suit)
        if ranks & bit_of(QUEEN) == np.uint64(0) or new == np.uint64(0):
            continue
        for kind in range(FLUSH):
            needed = RUNS[np.uint64(kind)]
            if ranks & needed == needed and new & needed:
                actions |= ONE << np.uint64(RUN + KINDS * suit + kind)
        if flush_pairs(ranks, new, -1):
            actions |= ONE << np.uint64(RUN + KINDS * suit + FLUSH)
    return actions


@kernel
def penchant_jacks(hand, have, queen):
    """Return the jacks that make a penchant with a queen, as a mask of cards."""
    jacks = of_rank(hand if not hand & bit_of(queen) else have, JACK)
    return jacks & ~(SUIT << np.uint64(8 * suit_of(queen)))


@kernel
def penchant_queens(hand, have):
    """Return the queens of which a penchant can be made, as a mask of cards."""
    found = np.uint64(0)
    rest = of_rank(have, QUEEN)
    while rest:
        queen = lowest(rest)
        rest &= rest - ONE
        if penchant_jacks(hand, have, queen):
            found |= bit_of(queen)
    return found


@kernel
def declarable(state, player):
    """Return the declarations of a player as a mask of actions: the winner's, or the loser's after him."""
    hand = state.private[player].mask
    table = state.public[player].table_mask
    actions = ONE
    if penchant_queens(hand, hand | table):
        actions |= ONE << np.uint64(A_PENCHANT)
    if player == state.common.leader:
        blocked = largest_low_group(state, player) if state.rules.blocking else 0
        actions |= group_actions(hand, table, blocked) | run_actions(hand, hand | table)
    return actions


@kernel
def meld_of(action):
    """Return the index into ``MELDS`` of a declaration."""
    if action == A_PENCHANT:
        return THE_PENCHANT
    if action >= RUN:
        return RUN_MELDS[np.uint64((action - RUN) % KINDS)]
    return 2 - (action - GROUP) % 3


@kernel
def meld_value(rules, meld):
    """Return what a combination of ``MELDS`` scores; the rules name each."""
    if meld == 0:
        return rules.four
    if meld == 1:
        return rules.trio
    if meld == 2:
        return rules.pair
    if meld == 3:
        return rules.sequence_of_five
    if meld == 4:
        return rules.sequence_of_four
    if meld == 5:
        return rules.sequence_of_three
    if meld == 6:
        return rules.king_and_queen
    if meld == 7:
        return rules.queen_and_jack
    if meld == 8:
        return rules.flush
    return rules.penchant


@kernel
def picked_cards(choice):
    """Return the cards chosen so far, as a mask."""
    mask = np.uint64(0)
    for i in range(choice.count):
        mask |= bit_of(choice.type[i])
    return mask


@kernel
def fewest_new(choice, hand, table):
    """Return how many cards of the hand a declared group needs at least."""
    rank = (choice.declared - GROUP) // 3
    return max(1, (choice.declared - GROUP) % 3 + 2 - popcount(of_rank(table, rank)))


@kernel
def open_picks(state, player):
    """Return the cards that can be chosen next for the declaration; none when nothing is left to choose.

    Of a group only what comes from the hand is chosen; the lowest card on the table stands for the rest.
    """
    choice = state.choice
    hand = state.private[player].mask
    table = state.public[player].table_mask
    have = hand | table
    declared = choice.declared
    if declared < RUN:
        rank = (declared - GROUP) // 3
        new = of_rank(hand, rank)
        fewest = fewest_new(choice, hand, table)
        most = min(popcount(new), (declared - GROUP) % 3 + 2)
        if choice.count == most or fewest == popcount(new):
            return np.uint64(0)
        picks = new & ~picked_cards(choice)
        if choice.count >= fewest:
            lying = of_rank(table, rank)
            picks |= lying & (~lying + ONE)
        return picks
    if declared == A_PENCHANT:
        if choice.count == 0:
            return penchant_queens(hand, have)
        return penchant_jacks(hand, have, choice.type[0]) if choice.count == 1 else np.uint64(0)
    if (declared - RUN) % KINDS != FLUSH or choice.count == 2:
        return np.uint64(0)
    suit = (declared - RUN) // KINDS
    high = rank_of(choice.type[0]) if choice.count else -1
    return flush_pairs(of_suit(have, suit), of_suit(hand, suit), high) << np.uint64(8 * suit)


@kernel
def cards_to_lay(state, player):
    """Return the cards that go from the hand to the table with the declaration, as a mask."""
    choice = state.choice
    hand = state.private[player].mask
    declared = choice.declared
    picked = picked_cards(choice)
    if declared < RUN:
        return hand & picked if picked else of_rank(hand, (declared - GROUP) // 3)
    if declared < A_PENCHANT:
        picked |= RUNS[np.uint64((declared - RUN) % KINDS)] << np.uint64(8 * ((declared - RUN) // KINDS))
    return hand & picked
