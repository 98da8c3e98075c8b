"""What cards are worth in the crib when everybody discards as well as can be; ``python -m`` makes ``cribs.csv`` anew.

With two players both start by discarding any two cards. Then again and again each takes, of every hand that he may be
dealt, the discard that makes the most of his hand on average over all starters, together with the crib as it turns out
against the other's discards, until nothing moves any more. Nothing is drawn at random: all hands are gone through, one
of each kind of those that differ only by the names of the suits. Some hands have two discards that are nearly equal and
of which each is the better one against the other player's answer to the other; so after some rounds the answer is to
the mean of the other's discards so far.

For every two cards the crib is the mean over all hands that the other may hold among the fifty others, and all
starters. What else the player holds himself is not looked at.

With four players everybody puts a single card into the crib, and the same is done with dealt cards: one player in turn
discards any card, which is recorded, and the others discard their best.
"""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage import RANKS as RANK_NAMES
from simcards.games.cribbage.scoring import (
    CARDS,
    CLASSES,
    JACK_FIELD,
    KEYS,
    ONE,
    PAIRS,
    POINTS,
    RANK_KEYS,
    RANKS,
    class_of,
    flush_of,
    has_nobs,
    in_suit,
    key_of,
    over_starters,
    pair_of,
    place_of,
    rank_counts,
)
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.rng import OTHER as OTHER_STREAM
from simcards.kernel.rng import bounded, new_stream, seed_stream
from simcards.kernel.shuffle import shuffle_prefix

OWN, OTHER = range(2)  # whose crib it is
SCORES = 30  # points that a crib can have, from 0
CLOSE = 0.0005  # when the means move by no more they have settled
_FREE = 8  # rounds in which the last discards of the other are answered; then their mean
_CARD_PAIRS = CARDS * (CARDS - 1) // 2
_TRIPLES = CARDS * (CARDS - 1) * (CARDS - 2) // 6


def _masks() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all sets of ranks in the order of their sizes, and where those of each size begin."""
    sizes = np.array([ranks.bit_count() for ranks in range(1 << RANKS)])
    order = np.argsort(sizes, kind="stable")
    return order, np.searchsorted(sizes[order], np.arange(RANKS + 2))


@kernel
def _kinds(size, order, starts, hands, weights):
    """Write one hand of each kind and how many hands are of it; return how many kinds there are."""
    count = 0
    for a in range(size + 1):
        for i in range(starts[a], starts[a + 1]):
            first = order[i]
            for b in range(size - a + 1):
                for j in range(starts[b], starts[b + 1]):
                    second = order[j]
                    if second > first:
                        break
                    for c in range(size - a - b + 1):
                        d = size - a - b - c
                        for k in range(starts[c], starts[c + 1]):
                            third = order[k]
                            if third > second:
                                break
                            for m in range(starts[d], starts[d + 1]):
                                fourth = order[m]
                                if fourth > third:
                                    break
                                if hands.shape[0]:
                                    hands[count] = (
                                        np.uint64(first)
                                        | np.uint64(second) << np.uint64(13)
                                        | np.uint64(third) << np.uint64(26)
                                        | np.uint64(fourth) << np.uint64(39)
                                    )
                                    same = 1
                                    ways = 24
                                    for one, other in ((first, second), (second, third), (third, fourth)):
                                        same = same + 1 if one == other else 1
                                        ways //= same
                                    weights[count] = ways
                                count += 1
    return count


@kernel
def _choose(cards, size, cribs, sign, flush, nobs, kept, discards):
    """Find the best discard of a hand; write it and the cards kept, and return what it is worth.

    `nobs`: 1 counts the jack by the suits that are left, 2 a quarter for every jack.
    """
    key = np.uint64(0)
    hand = np.uint64(0)
    for k in range(size):
        key += KEYS[cards[k]]
        hand |= ONE << np.uint64(cards[k])
    counts = rank_counts(hand)
    unseen = CARDS - size
    best = -1e9
    for j in range(1, size):
        for i in range(j):
            rest = key - KEYS[cards[i]] - KEYS[cards[j]]
            total = over_starters(rest, counts, 2, 2, 1)
            for suit in range(4):
                there = in_suit(rest, suit)
                left = 13 - in_suit(key, suit)
                if flush and there == size - 2:
                    total += unseen * (size - 2) + left
                if nobs == 1 and (rest >> np.uint64(JACK_FIELD + suit)) & ONE:
                    total += left
            worth = total / unseen
            if nobs == 2:
                worth += 0.25 * popcount((rest >> np.uint64(JACK_FIELD)) & np.uint64(15))
            worth += sign * cribs[class_of(cards[i], cards[j])]
            if worth > best + 1e-12:
                best = worth
                discards[0] = cards[i]
                discards[1] = cards[j]
    place = 0
    for k in range(size):
        if cards[k] != discards[0] and cards[k] != discards[1]:
            kept[place] = cards[k]
            place += 1
    return best


@kernel
def _pair(low, high):
    return high * (high - 1) // 2 + low


@kernel
def _triple(low, middle, high):
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@kernel
def _respond(hands, weights, size, cribs, sign, flush, nobs, every, ones, twos, threes):
    """Let a player discard from every hand; count his discards, by up to three of the cards that he keeps with them.

    `cribs` empty: he takes any two cards, all alike.
    """
    cards = np.empty(size, np.int64)
    kept = np.empty(size - 2, np.int64)
    discards = np.empty(2, np.int64)
    total = 0.0
    for number in range(hands.shape[0]):
        rest = hands[number]
        for k in range(size):
            cards[k] = lowest(rest)
            rest &= rest - ONE
        weight = np.int32(weights[number])
        if cribs.shape[0]:
            total += weight * _choose(cards, size, cribs, sign, flush, nobs, kept, discards)
            _count(discards, kept, weight, every, ones, twos, threes)
        else:
            for j in range(1, size):
                for i in range(j):
                    discards[0] = cards[i]
                    discards[1] = cards[j]
                    place = 0
                    for k in range(size):
                        if k != i and k != j:
                            kept[place] = cards[k]
                            place += 1
                    _count(discards, kept, weight, every, ones, twos, threes)
    return total


@kernel
def _count(discards, kept, weight, every, ones, twos, threes):
    pair = _pair(discards[0], discards[1])
    every[pair] += weight
    for k in range(kept.shape[0]):
        ones[pair, kept[k]] += weight
        for j in range(k):
            twos[pair, _pair(kept[j], kept[k])] += weight
            for i in range(j):
                threes[pair, _triple(kept[i], kept[j], kept[k])] += weight


@kernel
def _triple_of(one, two, three):
    low = min(one, min(two, three))
    high = max(one, max(two, three))
    return _triple(low, one + two + three - low - high, high)


@kernel
def _pair_of_cards(one, two):
    return _pair(min(one, two), max(one, two))


@kernel
def _cribs(every, ones, twos, threes, crib_flush, nobs, counts):
    """Count for each class of two cards how often the crib has how many points, over the other's cards and starters."""
    for b in range(1, CARDS):
        for a in range(b):
            mine = class_of(a, b)
            key_mine = KEYS[a] + KEYS[b]
            ab = _pair(a, b)
            for d in range(1, CARDS):
                if d == a or d == b:
                    continue
                for c in range(d):
                    if c == a or c == b:
                        continue
                    cd = _pair(c, d)
                    base = np.int64(every[cd]) - ones[cd, a] - ones[cd, b] + twos[cd, ab]
                    if base == 0:
                        continue
                    key = key_mine + KEYS[c] + KEYS[d]
                    for starter in range(CARDS):
                        if starter == a or starter == b or starter == c or starter == d:
                            continue
                        ways = (
                            base
                            - ones[cd, starter]
                            + twos[cd, _pair_of_cards(a, starter)]
                            + twos[cd, _pair_of_cards(b, starter)]
                            - threes[cd, _triple_of(a, b, starter)]
                        )
                        points = np.int64(POINTS[place_of(key + RANK_KEYS[starter % RANKS])])
                        points += flush_of(key, 4, starter, crib_flush)
                        if nobs:
                            points += has_nobs(key, starter)
                        counts[mine, points] += ways


@dataclass(frozen=True)
class Cribs:
    """What every class of two discards is worth.

    Attributes
    ----------
    chances : ndarray of float64, shape (2, classes, points)
        How likely the crib has so many points, one's own and the other's.
    worth : ndarray of float64, shape (2,)
        What hand and crib are worth on average, to the owner of the crib and to the other.
    rounds : int
        How often discards were chosen until nothing changed.
    moved : float
        By how much any mean still changed in the last round.
    """

    chances: NDArray[np.float64]
    worth: NDArray[np.float64]
    rounds: int
    moved: float

    @property
    def means(self) -> NDArray[np.float64]:
        """The means."""
        return np.asarray(self.chances @ np.arange(SCORES))


def settle(
    size: int,
    crib_flush: int = 1,
    flush: bool = True,
    nobs: int = 1,
    rounds: int = 60,
    tell: Callable[[str], None] | None = None,
) -> Cribs:
    """Find discards of both players that are best against each other, and what the cribs are worth then.

    Parameters
    ----------
    size : int
        How many cards are dealt to each.
    crib_flush : int
        As of `scoring.flush_of`.
    flush : bool
        Whether a flush in the hand counts.
    nobs : int
        How the jack of the starter's suit counts when discards are chosen; see `_choose`.
    rounds : int
        When to stop if it does not settle.
    tell : callable, optional
        Called with a line on each round.

    Returns
    -------
    Cribs
    """
    order, starts = _masks()
    count = _kinds(size, order, starts, np.empty(0, np.uint64), np.empty(0, np.uint8))
    hands, weights = np.empty(count, np.uint64), np.empty(count, np.uint8)
    _kinds(size, order, starts, hands, weights)
    if int(weights.sum(dtype=np.int64)) != math.comb(CARDS, size):
        raise RuntimeError("the kinds of hands do not make up all hands")
    chances = np.zeros((2, CLASSES, SCORES))
    worth = np.zeros(2)
    moved = math.inf
    for turn in range(rounds):
        before = chances
        answer = np.zeros((2, CLASSES, SCORES))
        # the owner's crib is made with what the other discards, and the other way round
        for whose, sign in ((OWN, 1.0), (OTHER, -1.0)):
            cribs = (before[whose] @ np.arange(SCORES)) if turn else np.empty(0)
            every = np.zeros(_CARD_PAIRS, np.int32)
            ones = np.zeros((_CARD_PAIRS, CARDS), np.int32)
            twos = np.zeros((_CARD_PAIRS, _CARD_PAIRS), np.int32)
            threes = np.zeros((_CARD_PAIRS, _TRIPLES), np.int32)
            total = _respond(hands, weights, size, cribs, sign, flush, nobs, every, ones, twos, threes)
            worth[whose] = total / math.comb(CARDS, size)
            counts = np.zeros((CLASSES, SCORES), np.int64)
            _cribs(every, ones, twos, threes, crib_flush, nobs > 0, counts)
            sums = np.maximum(1, counts.sum(axis=1, keepdims=True))
            answer[1 - whose] = counts / sums
        chances = before + (answer - before) / max(1, turn - _FREE)
        moved = float(np.abs((chances - before) @ np.arange(SCORES)).max())
        if tell is not None:
            tell(f"{size} cards, round {turn}: worth {worth}, moved {moved:.2e}")
        if moved <= CLOSE:
            break
    return Cribs(chances, worth.copy(), turn, moved)


# -- four players ----------------------------------------------------------------------------------------------


@kernel
def _worst_single(cards, hand, cribs, sign):
    """Return the card that a player discards when everybody discards one."""
    key = key_of(cards)
    ranks = rank_counts(cards)
    best = -1e9
    choice = np.int64(0)
    for card in hand:
        rest = key - KEYS[card]
        total = over_starters(rest, ranks, 2, 2, 1)
        for suit in range(4):
            left = 13 - in_suit(key, suit)
            if in_suit(rest, suit) == 4:
                total += 4 * (CARDS - 5) + left
            if (rest >> np.uint64(JACK_FIELD + suit)) & ONE:
                total += left
        worth = total / (CARDS - 5) + sign * cribs[card % RANKS]
        if worth > best:
            best = worth
            choice = np.int64(card)
    return choice


@kernel
def _deal_four(stream, seed, deals, cribs, sums, squares, counts):
    """Let one player in turn discard any card and the others their best; record what the crib was then."""
    deck = np.arange(CARDS).astype(np.uint8)
    for number in range(deals):
        seed_stream(stream, seed, OTHER_STREAM, number)
        shuffle_prefix(stream, deck, 21)
        odd_one = number % 4
        crib = np.uint64(0)
        thrown = np.int64(0)
        for player in range(4):
            hand = deck[5 * player : 5 * player + 5]
            if player == odd_one:
                thrown = np.int64(hand[bounded(stream, 5)])
                crib |= ONE << np.uint64(thrown)
                continue
            cards = np.uint64(0)
            for card in hand:
                cards |= ONE << np.uint64(card)
            whose = OWN if player % 2 == 1 else OTHER  # the last player deals
            choice = _worst_single(cards, hand, cribs[whose], 1.0 if whose == OWN else -1.0)
            crib |= ONE << np.uint64(choice)
        starter = np.int64(deck[20])
        key = key_of(crib)
        points = np.int64(POINTS[place_of(key + KEYS[starter])])
        points += flush_of(key, 4, starter, 1) + has_nobs(key, starter)
        whose = OWN if odd_one % 2 == 1 else OTHER
        sums[whose, thrown % RANKS] += points
        squares[whose, thrown % RANKS] += points * points
        counts[whose, thrown % RANKS] += 1


def settle_four(deals: int, rounds: int = 8, seed: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find what single cards are worth in the crib with four players.

    Parameters
    ----------
    deals : int
        How many in the last round; those before have a tenth of them.
    rounds : int
        How often discards are chosen.
    seed : int
        Where the cards come from.

    Returns
    -------
    means, deviations : ndarray of float64, shape (2, 13)
        Of the points of the crib, of the own side and of the other, by the rank of a card that is put there.
    """
    means = np.zeros((2, RANKS))
    deviations = means
    for turn in range(rounds):
        sums, squares = np.zeros((2, RANKS)), np.zeros((2, RANKS))
        counts = np.zeros((2, RANKS), np.int64)
        number = deals if turn + 1 == rounds else deals // 10
        _deal_four(new_stream(), seed + turn, number, means, sums, squares, counts)
        means = sums / counts
        deviations = np.sqrt(squares / counts - means * means)
    return means, deviations


# -- the file --------------------------------------------------------------------------------------------------


def _rows(players: int, cards: int, crib_flush: str, found: Cribs) -> list[tuple[Any, ...]]:
    means = found.means
    spread = np.sqrt(np.maximum(0.0, found.chances @ np.arange(SCORES) ** 2 - means**2))
    rows = []
    for suited, low, high in itertools.product((False, True), range(RANKS), range(RANKS)):
        if low > high or (suited and low == high):
            continue
        place = int(pair_of(low, high)) + PAIRS * suited
        values = [f"{value:.4f}" for whose in (OWN, OTHER) for value in (means[whose, place], spread[whose, place])]
        ranks = RANK_NAMES[low] + RANK_NAMES[high]
        rows.append((players, cards, crib_flush, ranks, "yes" if suited else "no", *values))
    return rows


def main() -> None:
    """Make the table anew."""
    rows: list[tuple[Any, ...]] = []
    for cards, rule in ((6, "five"), (6, "no"), (5, "five"), (7, "five")):
        found = settle(cards, crib_flush=("no", "five", "four").index(rule), tell=lambda line: print(line, flush=True))
        rows += _rows(2, cards, rule, found)
    means, spread = settle_four(20_000_000)
    for rank in range(RANKS):
        values = [f"{value:.4f}" for whose in (OWN, OTHER) for value in (means[whose, rank], spread[whose, rank])]
        rows.append((4, 5, "five", RANK_NAMES[rank], "no", *values))
    with Path(__file__).with_name("cribs.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("players", "cards", "crib_flush", "ranks", "suited", "own", "own_sd", "other", "other_sd"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
