"""What cards score: hands and cribs with the starter, and the cards laid one after another in play.

Fifteens, pairs and runs depend on the ranks alone, so for every set of up to six ranks they stand in a table. Every
card has a key; the sum of the keys of some cards finds their place in the table and tells how many are of each suit and
which jacks are there. Ranks go from the ace, 0, to the king, 12, and cards are ``13 * suit + rank``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

ONE = np.uint64(1)
RANKS = 13
CARDS = 52
FIVE, JACK = 4, 10
PAIRS = RANKS * (RANKS + 1) // 2  # pairs of ranks
CLASSES = 2 * PAIRS  # of two cards: those not of one suit, then those of one
MOST = 6  # cards that are scored together at most: a hand of five and the starter
_LOW = 7  # ranks in the first half of a key, the others in the second

# Fields of a key: the first seven ranks and the other six with base 5, four bits a suit, and a bit for each jack
LOW_MASK = np.uint64((1 << 17) - 1)
HIGH = np.uint64(17)
HIGH_MASK = np.uint64((1 << 14) - 1)
SUIT_FIELD = 32
JACK_FIELD = 48

VALUE = np.array([min(rank + 1, 10) for rank in range(RANKS)])  # what a rank counts


def _keys() -> NDArray[np.uint64]:
    keys = []
    for card in range(CARDS):
        suit, rank = divmod(card, RANKS)
        place = 5**rank if rank < _LOW else 5 ** (rank - _LOW) << int(HIGH)
        keys.append(place | 1 << (SUIT_FIELD + 4 * suit) | (rank == JACK) << (JACK_FIELD + suit))
    return np.array(keys, np.uint64)


def _halves(ranks: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how often each rank of a half is there, for every number with base 5, and how many cards that makes."""
    digits = np.arange(5**ranks)[:, None] // 5 ** np.arange(ranks) % 5
    return digits, digits.sum(axis=1)


def _tables() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return for the numbers of both halves their share of the place, and what is scored at each place.

    The sets of the second half stand in the order of their sizes, so that those that fit to one of the first half come
    side by side. A place holds eight bits each for the number of fifteens, of pairs, and the cards in runs.
    """
    low, low_size = _halves(_LOW)
    high, high_size = _halves(RANKS - _LOW)
    firsts = np.flatnonzero(low_size <= MOST)
    seconds = np.argsort(high_size, kind="stable")
    fitting = np.searchsorted(high_size[seconds], np.arange(MOST + 1), side="right")
    room = fitting[MOST - low_size[firsts]]
    starts = np.concatenate(([0], np.cumsum(room)))
    low_place = np.zeros(len(low), np.uint16)
    high_place = np.zeros(len(high), np.uint16)
    low_place[firsts] = starts[:-1]
    high_place[seconds[: fitting[MOST]]] = np.arange(fitting[MOST])
    first = np.repeat(firsts, room)
    second = seconds[np.arange(starts[-1]) - np.repeat(starts[:-1], room)]
    held = np.concatenate((low[first], high[second]), axis=1)
    return low_place, high_place, _scored(held)


def _scored(held: NDArray[Any]) -> NDArray[np.uint32]:
    """Return fifteens, pairs and cards in runs of sets of ranks, given how often each rank is there."""
    sums = np.zeros((len(held), 16), np.int64)
    sums[:, 0] = 1
    for rank in range(RANKS):
        for copy in range(4):  # a further card of the rank is there or not
            value = VALUE[rank]
            more = np.zeros_like(sums)
            more[:, value:] = sums[:, :-value]
            sums += more * (held[:, rank] > copy)[:, None]
    pairs = (held * (held - 1) // 2).sum(axis=1)
    runs = np.zeros(len(held), np.int64)
    length, ways = np.zeros(len(held), np.int64), np.ones(len(held), np.int64)
    for rank in range(RANKS + 1):
        here = held[:, rank] if rank < RANKS else np.zeros(len(held), np.int64)
        runs += np.where((here == 0) & (length >= 3), length * ways, 0)
        length = np.where(here > 0, length + 1, 0)
        ways = np.where(here > 0, ways * here, 1)
    return (sums[:, 15] | pairs << 8 | runs << 16).astype(np.uint32)


KEYS = _keys()
RANK_KEYS = KEYS[:RANKS] & np.uint64((1 << 31) - 1)  # the ranks alone
LOW_PLACE, HIGH_PLACE, PARTS = _tables()
POINTS = (2 * (PARTS & 255) + 2 * (PARTS >> 8 & 255) + (PARTS >> 16)).astype(np.uint8)  # by the usual values


@kernel
def pair_of(low, high):
    """Return the number of a pair of ranks, of which the first is not the higher."""
    return high * (high + 1) // 2 + low


@kernel
def class_of(first, second):
    """Return the class of two cards: their ranks, and whether they are of one suit."""
    one = first % RANKS
    two = second % RANKS
    suited = first // RANKS == second // RANKS
    return pair_of(min(one, two), max(one, two)) + (PAIRS if suited else 0)


@kernel
def place_of(key):
    """Return the place of some cards in the tables, given the sum of their keys."""
    return LOW_PLACE[key & LOW_MASK] + np.int64(HIGH_PLACE[(key >> HIGH) & HIGH_MASK])


@kernel
def key_of(cards):
    """Return the sum of the keys of a set of cards."""
    key = np.uint64(0)
    while cards:
        key += KEYS[lowest(cards)]
        cards &= cards - ONE
    return key


@kernel
def rank_counts(cards):
    """Return how many of a set of cards are of each rank, four bits a rank."""
    ranks = np.uint64(0)
    while cards:
        ranks += ONE << np.uint64(4 * (lowest(cards) % RANKS))
        cards &= cards - ONE
    return ranks


@kernel
def over_starters(key, seen, fifteen, pair, run):
    """Return what the ranks of some cards score with each starter that may come, summed over all of them.

    Parameters
    ----------
    key : uint64
        Of the cards.
    seen : uint64
        How many cards of each rank cannot come, as of `rank_counts`.
    fifteen, pair, run : int
        What these are worth.
    """
    total = 0
    for rank in range(RANKS):
        left = 4 - np.int64((seen >> np.uint64(4 * rank)) & np.uint64(15))
        if left:
            parts = np.int64(PARTS[place_of(key + RANK_KEYS[rank])])
            total += left * (fifteen * (parts & 255) + pair * (parts >> 8 & 255) + run * (parts >> 16))
    return total


@kernel
def in_suit(key, suit):
    """Return how many of some cards are of a suit."""
    return np.int64((key >> np.uint64(SUIT_FIELD + 4 * suit)) & np.uint64(15))


@kernel
def flush_of(key, size, starter, crib):
    """Return how many cards a flush counts.

    Parameters
    ----------
    key : uint64
        Of the hand or the crib, without the starter.
    size : int
        How many cards that is.
    starter : int
        The starter.
    crib : int
        0: no flush counts; 1: only one with the starter; 2: any of all cards, and the starter with it.
    """
    if crib == 0:
        return 0
    suit = starter // RANKS
    if in_suit(key, suit) == size:
        return size + 1
    if crib == 2:
        for other in range(4):
            if in_suit(key, other) == size:
                return size
    return 0


@kernel
def has_nobs(key, starter):
    """Return whether the jack of the starter's suit is there."""
    return np.int64((key >> np.uint64(JACK_FIELD + starter // RANKS)) & ONE)


@kernel
def score_four(first, second, third, fourth, starter, crib):
    """Return the points of four cards and the starter by the usual values.

    Parameters
    ----------
    first, second, third, fourth, starter : int
        The cards.
    crib : bool
        Whether it is a crib, in which a flush needs the starter too.
    """
    key = KEYS[first] + KEYS[second] + KEYS[third] + KEYS[fourth]
    points = np.int64(POINTS[place_of(key + KEYS[starter])])
    fours = (key >> np.uint64(SUIT_FIELD)) & np.uint64(0x4444)  # a suit has four cards
    if fours:
        same = lowest(fours) >> 2 == starter // RANKS
        points += 5 if same else 0 if crib else 4
    return points + has_nobs(key, starter)


@kernel
def pairs_before(recent, rank):
    """Return how many cards of a rank lie just before, of those laid since the count began.

    `recent` holds four bits a card, the last in the lowest: its rank and 1.
    """
    count = 0
    same = np.uint64(rank + 1)
    while recent & np.uint64(15) == same:
        count += 1
        recent >>= np.uint64(4)
    return count


@kernel
def run_with(recent, rank):
    """Return how long a run a card makes with those laid just before, 0 when it makes none."""
    seen = ONE << np.uint64(rank)
    low = rank
    high = rank
    size = 1
    best = 0
    while recent:
        other = np.int64(recent & np.uint64(15)) - 1
        one = ONE << np.uint64(other)
        if seen & one:
            break
        seen |= one
        low = min(low, other)
        high = max(high, other)
        size += 1
        if size >= 3 and high - low == size - 1:
            best = size
        recent >>= np.uint64(4)
    return best


@kernel
def laid_points(rules, recent, count, rank):
    """Return what a card scores that is laid onto others, without the point for the last card.

    Parameters
    ----------
    rules : record
        The rules.
    recent : uint64
        The cards of this count, as of `pairs_before`.
    count : int
        What they count together, before this card.
    rank : int
        Rank of the card.
    """
    total = count + VALUE[rank]
    same = pairs_before(recent, rank)
    points = rules.pair * (same * (same + 1) // 2)
    if same == 0:
        points += rules.run * run_with(recent, rank)
    if total == 15:
        points += rules.fifteen
    elif total == 31:
        points += rules.thirty_one
    return np.int64(points)
