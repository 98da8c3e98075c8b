"""What a sensible player of piquet discards: every way is reckoned with.

What point, sequences and sets the hand is worth on average over the cards that may be drawn, how likely they are good,
and the tricks that the suits promise; the weights of these are his habits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simcards.games.piquet.frame import (
    ACE,
    ELDERS,
    HAND,
    ONE,
    PIPS,
    RUN_LENGTH,
    RUN_TOPS,
    SEVEN,
    STOP,
    TEN,
    bit_of,
    count_of,
    left_over,
    ranks_in,
)
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import OPTIONS

UNSEEN = 20  # cards that a player does not see before he draws
DRAWS = 9  # numbers of cards drawn, from 0
ELDER, YOUNGER = range(2)

# Chance that a combination is good, for elder and for younger
POINT_GOOD = ((0, 0, 0, 0.02, 0.25, 0.52, 0.77, 0.92, 1), (0, 0, 0, 0.01, 0.14, 0.36, 0.62, 0.84, 1))
PIPS_GOOD = 0.012  # added for each pip above the usual
RUN_GOOD = ((0, 0, 0, 0.29, 0.56, 0.75, 0.87, 0.95, 1), (0, 0, 0, 0.16, 0.42, 0.63, 0.80, 0.90, 1))
TOP_GOOD = 0.05  # added for each rank of the top card above the ten
# Chance that the other has three or four of a rank, of which three or four are not seen
OTHER_TRIO = np.array([[0.0, 0.0, 0.0, 0.20, 0.47], [0.0, 0.0, 0.0, 0.30, 0.58]])
OTHER_QUATORZE = np.array([[0.0, 0.0, 0.0, 0.0, 0.13], [0.0, 0.0, 0.0, 0.0, 0.22]])
HIDDEN = 0.6  # share of the unseen cards that the other holds

(
    WORTH_POINT,
    WORTH_SEQUENCE,
    WORTH_SETS,
    WORTH_TRICK,
    LEAD_SHARE,
    WORTH_ACE,
    WORTH_LEFT,
    EXCHANGE,
    YOUNGER_EXCHANGE,
    SINK_POINT,
    SINK_SEQUENCE,
    SINK_SETS,
    CASH,
    LONG,
    GUARD,
) = range(15)
HABITS = (
    ("point", 1.5, "weight of the point when discarding", 0, 100),
    ("sequence", 0.8, "weight of sequences when discarding", 0, 100),
    ("sets", 0.7, "weight of sets when discarding", 0, 100),
    ("trick", 2.5, "points that a trick is worth when discarding", 0, 100),
    (
        "lead_share",
        0.6,
        "how far elder counts the tricks of a suit as its leader when discarding; younger the rest",
        0,
        1,
    ),
    ("ace", 0.5, "points that an ace is worth besides when discarding", -100, 100),
    ("left", 2.5, "points that each card left to younger costs elder", -100, 100),
    ("exchange", 0, "cards that elder exchanges, as far as the rules allow; 0: as he sees fit", 0, 5),
    ("younger_exchange", -1, "cards that younger exchanges, as far as there are; -1: as he sees fit", -1, 8),
    ("sink_point", 0.0, "chance that the point is not announced", 0, 1),
    ("sink_sequence", 0.0, "chance that a sequence is not announced", 0, 1),
    ("sink_sets", 0.0, "chance that a set is not announced", 0, 1),
    ("cash", 0.0, "sure tricks short of the seventh with which they are cashed all the same", -12, 12),
    ("long", 0.8, "weight of the length of a suit against its tricks when one is led to be established", 0, 10),
    ("guard", 0.9, "weight of guards against leads when a card is thrown away", 0, 1),
)


def _usual() -> np.ndarray[Any, Any]:
    options = np.zeros(1, OPTIONS)
    options["value"][0, : len(HABITS)] = [habit[1] for habit in HABITS]
    return options


USUAL = _usual()


# -- tables ----------------------------------------------------------------------------------------------------


def _suit_battles() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the tricks that a suit makes against the other's cards of it, when it is led and when he leads it.

    The leader plays from the top; the other takes as cheaply as he can, or plays his lowest. Cards that are left when
    the other has none are tricks for the leader, and half a trick for one who has to get in first.
    """
    mine, theirs = (grid.ravel() for grid in np.meshgrid(np.arange(256), np.arange(256), indexing="ij"))
    top = np.array([max(0, cards.bit_length() - 1) for cards in range(256)])
    cards = np.arange(256)
    low = cards & -cards
    size = np.array([cards.bit_count() for cards in range(256)])
    led, defended = np.zeros(65536), np.zeros(65536)
    for result, leader in ((led, 0), (defended, 1)):
        hands = [mine.copy(), theirs.copy()]
        for _ in range(8):
            lead, reply = hands[leader], hands[1 - leader]
            both = (lead > 0) & (reply > 0)
            highest_led = 1 << top[lead]
            higher = reply & ~(2 * highest_led - 1)
            played = np.where(higher > 0, low[higher], low[reply])
            won = (higher == 0) if leader == 0 else (higher > 0)
            result += both & won
            hands[leader] = np.where(both, lead & ~highest_led, lead)
            hands[1 - leader] = np.where(both, reply & ~played, reply)
        result += size[hands[0]] * (1.0 if leader == 0 else 0.5)
    return led.reshape(256, 256).astype(np.float32), defended.reshape(256, 256).astype(np.float32)


def _merits(role: int) -> np.ndarray[Any, Any]:
    """Return for each final holding of a suit: point (to the fourth power), sequences, tricks led and not."""
    merits = np.zeros((256, 4))
    shares = np.zeros((256, 256))  # chance of the other's cards, by the player's
    for mine in range(256):
        for theirs in range(256):
            if not mine & theirs:
                held, free = theirs.bit_count(), 8 - mine.bit_count()
                shares[mine, theirs] = HIDDEN**held * (1 - HIDDEN) ** (free - held)
    merits[:, 2] = (shares * LED).sum(axis=1)
    merits[:, 3] = (shares * DEFENDED).sum(axis=1)
    for cards in range(256):
        length = cards.bit_count()
        good = POINT_GOOD[role][length] + PIPS_GOOD * (int(PIPS[cards]) - 9.4 * length) * (3 < length < 7)
        merits[cards, 0] = (length * min(1.0, max(0.0, good))) ** 4
        for top in range(8):
            if int(RUN_TOPS[cards]) >> top & 1:
                run = int(RUN_LENGTH[cards, top])
                chance = min(1.0, RUN_GOOD[role][run] + TOP_GOOD * (top - TEN))
                merits[cards, 1] += (run + 10 * (run >= 5)) * max(0.0, chance)
    return merits


def _prospects(role: int) -> np.ndarray[Any, Any]:
    """Return the mean merits of a suit after a draw, in a role.

    By cards drawn, and the suit as dealt and kept: the sum over its ranks of ``3 ** rank`` for a card kept and twice
    that for one discarded.
    """
    merits = _merits(role)
    dealt, final = (grid.ravel() for grid in np.meshgrid(np.arange(256), np.arange(256), indexing="ij"))
    places = TERNARY[final & dealt] + 2 * TERNARY[dealt & ~final]
    size = np.array([cards.bit_count() for cards in range(256)])
    drawn, unseen = size[final & ~dealt], 8 - size[dealt]
    prospects = np.zeros((DRAWS, 3**8, 4))
    for count in range(DRAWS):
        ways = [
            [math.comb(UNSEEN - free, count - taken) if taken <= count else 0 for taken in range(9)]
            for free in range(9)
        ]
        chance = np.array(ways)[unseen, drawn] / math.comb(UNSEEN, count)
        for merit in range(4):
            np.add.at(prospects[count, :, merit], places, chance * merits[final, merit])
    return prospects.astype(np.float32)


def _draw_chances() -> np.ndarray[Any, Any]:
    """Return the chance to draw so many of some unseen cards, by their number and the cards drawn."""
    chances = np.zeros((5, DRAWS, 5))
    for free in range(5):
        for count in range(DRAWS):
            for taken in range(min(free, count) + 1):
                ways = math.comb(free, taken) * math.comb(UNSEEN - free, count - taken)
                chances[free, count, taken] = ways / math.comb(UNSEEN, count)
    return chances


TERNARY = np.array([sum(3**rank for rank in range(8) if cards >> rank & 1) for cards in range(256)])
LED, DEFENDED = _suit_battles()
# one for each role: a larger array could not be kept with the compiled code
ELDERS_PROSPECTS = _prospects(ELDER)
YOUNGERS_PROSPECTS = _prospects(YOUNGER)
DRAW_CHANCES = _draw_chances()


# -- the exchange ----------------------------------------------------------------------------------------------


@kernel
def set_values(rules, dealt, role, weight, count, values):
    """Write into `values` what each number kept of each rank is worth for sets when `count` cards are drawn."""
    first = SEVEN if rules.low_sets else TEN
    for rank in range(8):
        for kept in range(5):
            values[rank, kept] = 0.0
    no_quatorze = 1.0  # the other has none at all
    for rank in range(first, ACE + 1):
        no_quatorze *= 1.0 - OTHER_QUATORZE[role, 4 - count_of(dealt, rank)]
    no_better = 1.0  # no quatorze of a higher rank
    no_trio = 1.0
    for rank in range(ACE, first - 1, -1):
        free = 4 - count_of(dealt, rank)
        four = rules.quatorze * no_better
        three = rules.trio * no_quatorze * no_trio
        for kept in range(5 - free):
            value = 0.0
            for taken in range(free + 1):
                size = kept + taken
                if size >= 3:
                    value += DRAW_CHANCES[free, count, taken] * (four if size == 4 else three)
            values[rank, kept] = weight * value
        no_better *= 1.0 - OTHER_QUATORZE[role, free]
        no_trio *= 1.0 - OTHER_TRIO[role, free]


@kernel
def exchange_bounds(view, options):
    """Return how many cards the player means to exchange at least and at most."""
    rules = view.rules
    if view.seat == view.common.elder:
        least = np.int64(rules.elder_least)
        most = max(least, np.int64(rules.elder_most))
        wish = np.int64(options.value[EXCHANGE])
        if wish <= 0:
            return least, most
    else:
        least = 0
        most = min(np.int64(rules.younger_most), left_over(view.common))
        wish = np.int64(options.value[YOUNGER_EXCHANGE])
        if wish < 0:
            return least, most
    wish = min(most, max(least, wish))
    return wish, wish


@kernel
def basic_exchange(view, legal, rng, options):
    """Discard what leaves the best prospects; cards go in ascending order, so the rest is reckoned anew each time."""
    own = view.own
    role = ELDER if view.seat == view.common.elder else YOUNGER
    least, most = exchange_bounds(view, options)
    more = best_discards(view.rules, own.hand | own.discards, own.discards, role, least, most, options)
    return np.int64(lowest(more)) if more else np.int64(STOP)


@kernel
def best_discards(rules, dealt, before, role, least, most, options):
    """Return the cards that a player discards.

    Parameters
    ----------
    rules : record
        The rules.
    dealt : uint64
        The twelve cards dealt.
    before : uint64
        Those of them that are discarded already, in ascending order.
    role : int
        ``ELDER`` or ``YOUNGER``.
    least, most : int
        How many cards are discarded altogether.
    options : OPTIONS
        The player's habits.

    Returns
    -------
    uint64
        The cards to discard besides.
    """
    value = options.value
    gone = popcount(before)
    least = max(least, gone)
    most = max(most, gone)
    lead = value[LEAD_SHARE] if role == ELDER else 1.0 - value[LEAD_SHARE]

    # the cards by their places; a set of discards is a mask of places
    cards = np.empty(HAND, np.int64)
    starts = np.empty(5, np.int64)
    rest = dealt
    prefix = 0
    after = 0
    for place in range(HAND):
        card = lowest(rest)
        rest &= rest - ONE
        cards[place] = card
        if before & bit_of(card):
            prefix |= 1 << place
            after = place + 1
    total = 0
    for suit in range(4):
        starts[suit] = total
        total += popcount(ranks_in(dealt, suit))
    starts[4] = total
    # for each suit the place among the prospects by the discards from it
    index = np.empty((4, 256), np.int64)
    for suit in range(4):
        size = starts[suit + 1] - starts[suit]
        index[suit, 0] = TERNARY[ranks_in(dealt, suit)]
        for k in range(size):
            power = TERNARY[np.uint64(1) << np.uint64(cards[starts[suit] + k] & 7)]
            for low in range(1 << k):
                index[suit, low | 1 << k] = index[suit, low] + power
    # for the discards of the first and the last six places how many of each rank they are, four bits a rank
    half = np.zeros((2, 64), np.int64)
    for part in range(2):
        for k in range(6):
            one = 1 << (4 * (cards[6 * part + k] & 7))
            for low in range(1 << k):
                half[part, low | 1 << k] = half[part, low] + one
    held = half[0, 63] + half[1, 63]
    first = SEVEN if rules.low_sets else TEN

    points = np.empty((4, 256))
    others = np.empty((4, 256))
    sets = np.empty((8, 5))
    masks = np.empty(4, np.int64)
    for suit in range(4):
        masks[suit] = (1 << (starts[suit + 1] - starts[suit])) - 1
    best = -1e18
    chosen = 0
    for count in range(least, most + 1):
        for suit in range(4):
            for low in range(masks[suit] + 1):
                place = index[suit, low]
                prospect = ELDERS_PROSPECTS[count, place] if role == ELDER else YOUNGERS_PROSPECTS[count, place]
                points[suit, low] = prospect[0]
                tricks = lead * prospect[2] + (1.0 - lead) * prospect[3]
                others[suit, low] = value[WORTH_SEQUENCE] * prospect[1] + value[WORTH_TRICK] * tricks
            if dealt & bit_of(8 * suit + ACE):  # its place is the last of the suit
                for low in range((masks[suit] + 1) // 2):
                    others[suit, low] += value[WORTH_ACE]
        set_values(rules, dealt, role, value[WORTH_SETS], count, sets)
        cost = value[WORTH_LEFT] * (ELDERS - count) if role == ELDER else 0.0
        more = count - gone
        if after + more > HAND:
            break
        subset = (1 << more) - 1
        while subset < 1 << (HAND - after):
            discards = prefix | subset << after
            s0 = discards & masks[0]
            s1 = discards >> starts[1] & masks[1]
            s2 = discards >> starts[2] & masks[2]
            s3 = discards >> starts[3] & masks[3]
            worth = value[WORTH_POINT] * math.sqrt(
                math.sqrt(points[0, s0] + points[1, s1] + points[2, s2] + points[3, s3])
            )
            worth += others[0, s0] + others[1, s1] + others[2, s2] + others[3, s3] - cost
            kept = held - half[0, discards & 63] - half[1, discards >> 6]
            for rank in range(first, ACE + 1):
                worth += sets[rank, kept >> (4 * rank) & 15]
            if worth > best:
                best = worth
                chosen = subset << after
            if subset == 0:
                break
            # the next subset of the same size
            low_bit = subset & -subset
            ripple = subset + low_bit
            subset = ripple | ((subset ^ ripple) >> 2) // low_bit
    more = np.uint64(0)
    for place in range(HAND):
        if chosen >> place & 1:
            more |= bit_of(cards[place])
    return more
