"""Discards reckoned exactly: own hand and crib for every way to discard, over all starters and all the other may hold.

All cards of the player's hand are taken out of the pack. Of what the other may be dealt every hand is looked at, as far
as its ranks go, and he discards from each what is best for him by the table of cribs; suits of his cards are those that
are left, all alike. Nothing is drawn at random, so the only thing that is assumed is how the other discards.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage.cribs import OTHER, OWN, PAIR_MEANS
from simcards.games.cribbage.frame import DISCARDING, discard_of
from simcards.games.cribbage.scoring import (
    CARDS,
    JACK,
    KEYS,
    ONE,
    PAIRS,
    PARTS,
    RANK_KEYS,
    RANKS,
    flush_of,
    has_nobs,
    key_of,
    pair_of,
    place_of,
    rank_counts,
)
from simcards.games.cribbage.tables import choose_by_ranks, classes
from simcards.games.game import Reckoning
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel


@dataclass(frozen=True)
class Discard:
    """What one way to discard is worth.

    Attributes
    ----------
    action : int
        The action.
    hand, crib : float
        Mean points of the hand and of the crib, whosever that is.
    total, sd : float
        Mean and standard deviation of the hand with the crib, or less the crib where it is the other's.
    chances : mapping of int to float
        How likely this is which number.
    """

    action: int
    hand: float
    crib: float
    total: float
    sd: float
    chances: dict[int, float]


@functools.cache
def _choices(cards: int, whose: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return all hands by their ranks, how many cards of each rank they have, and what is discarded from them."""
    hands, counts, _ = classes(cards)
    means = PAIR_MEANS[cards - 5, whose]
    mixed = means[:PAIRS].copy()
    for low in range(RANKS):
        for high in range(low + 1, RANKS):
            pair = pair_of(low, high)
            mixed[pair] = 0.75 * means[pair] + 0.25 * means[PAIRS + pair]
    choices = np.zeros(len(hands), np.int64)
    choose_by_ranks(hands, counts, mixed, 1.0 if whose == OWN else -1.0, choices)
    return hands, counts, choices


@kernel
def _discards_of_the_other(seen, hands, counts, choices, ways_of, every, used):
    """Count the hands that the other may hold by what he discards, and the cards of each rank in them."""
    for number in range(hands.shape[0]):
        ways = 1.0
        for k in range(hands.shape[1]):
            rank = hands[number, k]
            if k == 0 or rank != hands[number, k - 1]:
                ways *= ways_of[4 - np.int64((seen >> np.uint64(4 * rank)) & np.uint64(15)), counts[number, rank]]
        if ways == 0.0:
            continue
        pair = choices[number]
        every[pair] += ways
        for k in range(hands.shape[1]):
            used[pair, hands[number, k]] += ways


@kernel
def _points(rules, key):
    """Return what the ranks of some cards score."""
    parts = np.int64(PARTS[place_of(key)])
    return rules.fifteen * (parts & 255) + rules.pair * (parts >> 8 & 255) + rules.run * (parts >> 16)


@kernel
def _jack_left(hand, suit):
    return (hand >> np.uint64(13 * suit + JACK)) & ONE == np.uint64(0)


@kernel
def _spread(rules, hand, discards, sign, every, used, means, chances):
    """Go through all starters and all discards of the other; sum up hand and crib, and what both come to."""
    seen = rank_counts(hand)
    kept = hand & ~discards
    size = popcount(kept)
    key = key_of(kept)
    mine = key_of(discards)
    first = lowest(discards)
    second = lowest(discards & (discards - ONE))
    suit_of_mine = first // RANKS if first // RANKS == second // RANKS else -1
    middle = chances.shape[0] // 2
    jacks_left = 4 - np.int64((seen >> np.uint64(4 * JACK)) & np.uint64(15))
    weight = 0.0
    for starter in range(CARDS):
        if (hand >> np.uint64(starter)) & ONE:
            continue
        rank = starter % RANKS
        suit = starter // RANKS
        alike = 4 - np.int64((seen >> np.uint64(4 * rank)) & np.uint64(15))
        in_hand = np.int64(_points(rules, key + KEYS[starter]))
        in_hand += rules.flush * flush_of(key, size, starter, 2) + rules.nobs * has_nobs(key, starter)
        own_jack = has_nobs(mine, starter)
        for high in range(RANKS):
            for low in range(high + 1):
                pair = pair_of(low, high)
                ways = every[pair] - used[pair, rank] / alike
                if ways < 0.5:
                    continue
                points = np.int64(_points(rules, mine + RANK_KEYS[low] + RANK_KEYS[high] + RANK_KEYS[rank]))
                jacks = (low == JACK) + (high == JACK)
                nobs = np.float64(own_jack)
                if jacks and rank != JACK and _jack_left(hand, suit):
                    nobs = jacks / jacks_left
                flush = 0.0
                if rules.crib_flush and suit_of_mine >= 0 and low != high:
                    flush = _flush_chance(rules, hand, seen, suit_of_mine, suit, rank, low, high)
                # a flush in the crib with a jack of the other has that jack, which is of the suit turned up
                with_five = flush if suit == suit_of_mine else 0.0
                both = with_five if own_jack or jacks else 0.0
                for suited in range(2):
                    for jack in range(2):
                        if suited:
                            part = both if jack else flush - both
                        else:
                            part = nobs - both if jack else 1.0 - flush - nobs + both
                        if part <= 0.0:
                            continue
                        crib = points + rules.nobs * jack
                        if suited:
                            crib += rules.flush * (5 if suit == suit_of_mine else 4)
                        means[0] += ways * part * in_hand
                        means[1] += ways * part * crib
                        chances[middle + in_hand + sign * crib] += ways * part
                weight += ways
    means /= weight
    chances /= weight


@kernel
def _flush_chance(rules, hand, seen, suit, turned, rank, low, high):
    """Return the chance that the other's two discards are of a suit."""
    if turned != suit and rules.crib_flush == 1:
        return 0.0
    chance = 1.0
    for other in (low, high):
        left = 4 - np.int64((seen >> np.uint64(4 * other)) & np.uint64(15))
        if other == rank:  # the starter is not his either
            left -= 1
        gone = (hand >> np.uint64(RANKS * suit + other)) & ONE != np.uint64(0)
        if gone or left == 0 or (other == rank and turned == suit):
            return 0.0
        chance /= left
    return chance


def discards(rules: Any, hand: int, own_crib: bool, actions: Sequence[int]) -> list[Discard]:
    """Reckon what ways to discard are worth, with two players.

    Parameters
    ----------
    rules : record
        The rules, as a state has them.
    hand : int
        The cards dealt, as a mask.
    own_crib : bool
        Whether the crib is the player's.
    actions : sequence of int
        The discards.

    Returns
    -------
    list of Discard
    """
    cards = hand.bit_count()
    hands, counts, choices = _choices(cards, OTHER if own_crib else OWN)
    ways_of = np.array([[float(math.comb(free, taken)) for taken in range(5)] for free in range(5)])
    every, used = np.zeros(PAIRS), np.zeros((PAIRS, RANKS))
    mask = np.uint64(hand)
    _discards_of_the_other(rank_counts(mask), hands, counts, choices, ways_of, every, used)
    most = sum(int(rules[name]) * number for name, number in _MOST)
    found = []
    for action in actions:
        means, chances = np.zeros(2), np.zeros(4 * most + 1)
        sign = 1 if own_crib else -1
        _spread(rules, mask, discard_of(rules, mask, action), sign, every, used, means, chances)
        totals = np.arange(len(chances)) - len(chances) // 2
        mean = float(chances @ totals)
        sd = math.sqrt(max(0.0, float(chances @ totals**2) - mean * mean))
        held = {int(total): float(chance) for total, chance in zip(totals, chances) if chance > 0.0}
        found.append(Discard(int(action), float(means[0]), float(means[1]), mean, sd, held))
    return found


_MOST = (("fifteen", 16), ("pair", 15), ("run", 30), ("flush", 6), ("nobs", 1))  # more than any six cards score


def reckon(view: Any, actions: Sequence[int]) -> Reckoning | None:
    """Return hand and crib for every discard, where there are two players and the crib is somebody's."""
    rules, common = view["rules"], view["common"]
    owner = int(common["owner"])
    if int(rules["players"]) != 2 or int(common["stage"]) != DISCARDING or owner < 0:
        return None
    own = owner == int(view["seat"])
    found = discards(rules, int(view["own"]["hand"]), own, actions)
    columns = {
        "hand": [way.hand for way in found],
        "crib": [way.crib for way in found],
        "both": [way.total for way in found],
        "spread": [way.sd for way in found],
    }
    doc = (
        "Hand and crib are exact, over all starters and all cards of the other, who discards the best for him;"
        f" 'both' is the hand {'and' if own else 'less'} the crib, 'spread' its standard deviation."
    )
    chances = tuple(way.chances for way in found)
    return Reckoning(columns, doc, chances)
