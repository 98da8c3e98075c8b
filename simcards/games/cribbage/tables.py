"""What cards are worth in the crib when everybody discards as well as can be; ``python -m`` makes ``cribs.csv`` anew.

With two players both start by discarding any two cards. Then again and again each takes, of every hand that he may be
dealt, the discard that makes the most of his hand on average over all starters, together with the crib as it turned out
against the other's discards, until nothing moves any more. Nothing is drawn at random: every hand is set against every
hand of the other, as far as their ranks go (18,395 hands of six cards). What two cards are worth is the mean over the
hands from which they are discarded; for two that nobody discards it stays what it was in the last round in which
somebody did. Some hands have two discards that are nearly equal, each the better one against the other player's answer
to the other; so after some rounds the answer is to the mean of the rounds. With seven cards there are six thousand
million pairs of hands to a round, so the first rounds go over every 37th hand only, and all of them in the last ones.

Suits are put on this at the end: with the discards found, all hands of the other are counted card by card against every
two cards, those of one suit and those of two, and the difference to the mean of all suits is added. So the few points
for flushes in the crib come in too.

With four players everybody puts a single card into the crib, and the same is done with dealt cards: one player in turn
discards any card, which is recorded, and the others discard their best.
"""

from __future__ import annotations

import csv
import itertools
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage import RANKS as RANK_NAMES
from simcards.games.cribbage.cribs import FILE, OTHER, OWN
from simcards.games.cribbage.scoring import (
    CARDS,
    CLASSES,
    JACK,
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
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.rng import OTHER as OTHER_STREAM
from simcards.kernel.rng import bounded, new_stream, seed_stream
from simcards.kernel.shuffle import shuffle_prefix

SCORES = 30  # points that a crib can have, from 0
CLOSE = 0.001  # when the means move by no more they have settled
_FREE = 5  # rounds in which the last discards of the other are answered; then their mean
_COARSE = {7: (14, 37)}  # by cards dealt: first rounds that go over a part of the hands, and over every which
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
def _choose(cards, size, means, sign, kept, discards):
    """Find the best discard of a hand; write it and the cards kept."""
    key = np.uint64(0)
    hand = np.uint64(0)
    for k in range(size):
        key += KEYS[cards[k]]
        hand |= ONE << np.uint64(cards[k])
    seen = rank_counts(hand)
    unseen = CARDS - size
    best = -1e9
    for j in range(1, size):
        for i in range(j):
            rest = key - KEYS[cards[i]] - KEYS[cards[j]]
            total = over_starters(rest, seen, 2, 2, 1)
            for suit in range(4):
                left = RANKS - in_suit(key, suit)
                if in_suit(rest, suit) == size - 2:
                    total += unseen * (size - 2) + left
                if (rest >> np.uint64(JACK_FIELD + suit)) & ONE:
                    total += left
            one = cards[i] % RANKS
            other = cards[j] % RANKS
            worth = total / unseen + sign * means[pair_of(min(one, other), max(one, other))]
            if worth > best + 1e-9:
                best = worth
                discards[0] = cards[i]
                discards[1] = cards[j]
    place = 0
    for k in range(size):
        if cards[k] != discards[0] and cards[k] != discards[1]:
            kept[place] = cards[k]
            place += 1


@kernel
def _pair(low, high):
    return high * (high - 1) // 2 + low


@kernel
def _triple(low, middle, high):
    return high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low


@kernel
def _respond(hands, weights, size, means, sign, every, ones, twos, threes):
    """Let a player discard from every hand; count his discards, by up to three of the cards that he keeps with them."""
    cards = np.empty(size, np.int64)
    kept = np.empty(size - 2, np.int64)
    discards = np.empty(2, np.int64)
    for number in range(hands.shape[0]):
        rest = hands[number]
        for k in range(size):
            cards[k] = lowest(rest)
            rest &= rest - ONE
        _choose(cards, size, means, sign, kept, discards)
        _count(discards, kept, np.int32(weights[number]), every, ones, twos, threes)


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
def _cribs(every, ones, twos, threes, crib_flush, totals, plain, ways):
    """Sum up for each class of two cards the points of the crib, also without flushes, and in how many ways it comes.

    The other's hand holds none of the cards; how many hands there are with some discards and without three given cards
    follows from how many there are with one, two and three of them.
    """
    for d in range(1, CARDS):
        for c in range(d):
            cd = _pair(c, d)
            if every[cd] == 0:
                continue
            key_other = KEYS[c] + KEYS[d]
            for b in range(1, CARDS):
                if b == c or b == d:
                    continue
                for a in range(b):
                    if a == c or a == d:
                        continue
                    mine = class_of(a, b)
                    key = key_other + KEYS[a] + KEYS[b]
                    base = np.int64(every[cd]) - ones[cd, a] - ones[cd, b] + twos[cd, _pair(a, b)]
                    if base == 0:
                        continue
                    for starter in range(CARDS):
                        if starter == a or starter == b or starter == c or starter == d:
                            continue
                        number = np.int64(
                            base
                            - ones[cd, starter]
                            + twos[cd, _pair_of_cards(a, starter)]
                            + twos[cd, _pair_of_cards(b, starter)]
                            - threes[cd, _triple_of(a, b, starter)]
                        )
                        points = np.int64(POINTS[place_of(key + RANK_KEYS[starter % RANKS])])
                        points += has_nobs(key, starter)
                        ways[mine] += number
                        plain[mine] += number * points
                        totals[mine] += number * (points + flush_of(key, 4, starter, crib_flush))


# -- by ranks --------------------------------------------------------------------------------------------------


def classes(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return all hands as far as their ranks go.

    Parameters
    ----------
    size : int
        How many cards a hand has.

    Returns
    -------
    hands : ndarray of int64, shape (classes, size)
        The ranks, lowest first.
    counts : ndarray of int64, shape (classes, 13)
        How many cards of each rank.
    weights : ndarray of float64, shape (classes,)
        How many hands of cards have these ranks.
    """
    hands = np.array(list(itertools.combinations_with_replacement(range(RANKS), size)))
    counts = (hands[:, :, None] == np.arange(RANKS)).sum(axis=1)
    possible = counts.max(axis=1) <= 4
    hands, counts = hands[possible], counts[possible]
    weights = np.array([1.0, 4.0, 6.0, 4.0, 1.0])[counts].prod(axis=1)
    return hands, counts, weights


@kernel
def choose_by_ranks(hands, counts, means, sign, choices):
    """Find for every hand the best discard, as the number of a pair of ranks.

    Parameters
    ----------
    hands, counts : ndarray
        As of `classes`.
    means : ndarray of float64, shape (pairs,)
        What the crib is worth with every two cards.
    sign : float
        1 when it is the player's, -1 when it is the other's, 0 when it does not count.
    choices : ndarray of int64
        Result.
    """
    size = hands.shape[1]
    unseen = CARDS - size
    for number in range(hands.shape[0]):
        key = np.uint64(0)
        seen = np.uint64(0)
        for k in range(size):
            key += RANK_KEYS[hands[number, k]]
            seen += ONE << np.uint64(4 * hands[number, k])
        jacks = counts[number, JACK]
        best = -1e9
        for j in range(1, size):
            for i in range(j):
                one = hands[number, i]
                other = hands[number, j]
                worth = np.float64(over_starters(key - RANK_KEYS[one] - RANK_KEYS[other], seen, 2, 2, 1))
                # whichever rank but a jack is turned up, it is of the suit of each jack once in four times
                worth += 0.25 * (jacks - (one == JACK) - (other == JACK)) * (unseen - 4 + jacks)
                worth = worth / unseen + sign * means[pair_of(one, other)]
                if worth > best + 1e-9:
                    best = worth
                    choices[number] = pair_of(one, other)


@kernel
def _number_of(ranks, without):
    """Return the number of a set of ranks among all of its size, one of its places left out."""
    number = 0
    place = 0
    for k in range(ranks.shape[0]):
        if k == without:
            continue
        place += 1
        ways = 1
        for step in range(place):  # ranks[k] + place - 1 over place
            ways = ways * (ranks[k] + place - 1 - step) // (step + 1)
        number += ways
    return number


@kernel
def _count_hands(seen, hands, fresh, owners, others, every):
    """Count the hands that are left beside some cards by what is discarded from them.

    A hand is likely by a product over its cards, and `fresh` tells from which card on it differs from the one before.
    """
    size = hands.shape[1]
    likely = np.ones(size + 1)
    factor = np.zeros((RANKS, 5))
    for rank in range(RANKS):
        for copy in range(1, 5):
            factor[rank, copy] = max(0, 5 - seen[rank] - copy) / copy
    every[:] = 0.0
    for number in range(hands.shape[0]):
        copy = 0
        for k in range(fresh[number], size):
            rank = hands[number, k]
            if k == fresh[number]:
                copy = 1
                while k >= copy and hands[number, k - copy] == rank:
                    copy += 1
            else:
                copy = copy + 1 if hands[number, k - 1] == rank else 1
            likely[k + 1] = likely[k] * factor[rank, copy]
        every[0, others[number]] += likely[size]
        every[1, owners[number]] += likely[size]


@kernel
def _face(hands, weights, numbers, larger, fresh, owners, others, ways):
    """Set every hand against every hand of the other, with every starter.

    Parameters
    ----------
    hands, weights : ndarray
        As of `classes`.
    numbers : ndarray of int64
        Where the set of ranks with a number (`_number_of`) is among the hands.
    larger : ndarray of int64, shape (classes, size + 1)
        Hands with one card more: a hand and the starter.
    fresh : ndarray of int64
        From which card on each hand differs from the one before.
    owners, others : ndarray of int64
        What the owner of the crib discards from each of the hands, and what the other player does.
    ways : ndarray of float64, shape (2, pairs, pairs, 13)
        Result, added to: in how many ways the player whose crib it is, and the other one, discards a pair while his
        opponent discards another and a rank is turned up.
    """
    seen = np.zeros(RANKS, np.int64)
    every = np.zeros((2, PAIRS))
    for number in range(larger.shape[0]):
        cards = larger[number]
        seen[:] = 0
        for rank in cards:
            seen[rank] += 1
        _count_hands(seen, hands, fresh, owners, others, every)
        for k in range(cards.shape[0]):
            if k and cards[k] == cards[k - 1]:
                continue
            starter = cards[k]  # the others are the player's hand
            mine = numbers[_number_of(cards, k)]
            weight = weights[mine] * (5 - seen[starter])
            ways[0, owners[mine], :, starter] += weight * every[0]
            ways[1, others[mine], :, starter] += weight * every[1]


@kernel
def _scores(ways, scores):
    """Count how often the crib has how many points, by the pair that a player discards."""
    lows = np.zeros(PAIRS, np.int64)
    highs = np.zeros(PAIRS, np.int64)
    for high in range(RANKS):
        for low in range(high + 1):
            lows[pair_of(low, high)] = low
            highs[pair_of(low, high)] = high
    for mine in range(PAIRS):
        for pair in range(PAIRS):
            for rank in range(RANKS):
                number = ways[mine, pair, rank]
                if number == 0.0:
                    continue
                key = RANK_KEYS[rank]
                jacks = 0
                for one in (lows[mine], highs[mine], lows[pair], highs[pair]):
                    key += RANK_KEYS[one]
                    jacks += one == JACK
                points = np.int64(POINTS[place_of(key)])
                nobs = 0.0 if rank == JACK else 0.25 * jacks
                scores[mine, points] += number * (1.0 - nobs)
                scores[mine, points + 1] += number * nobs


@dataclass(frozen=True)
class Cribs:
    """What every two discards are worth, as far as their ranks go and without flushes.

    Attributes
    ----------
    chances : ndarray of float64, shape (2, pairs, points)
        How likely the crib has so many points, one's own and the other's.
    choices : ndarray of int64, shape (2, classes)
        What is discarded from every hand of `classes`, as the number of a pair.
    rounds : int
        How often discards were chosen.
    moved : float
        By how much any mean still moved in the last round.
    """

    chances: NDArray[np.float64]
    choices: NDArray[np.int64]
    rounds: int
    moved: float

    @property
    def means(self) -> NDArray[np.float64]:
        """The means."""
        return np.asarray(self.chances @ np.arange(SCORES))


def settle(size: int, rounds: int = 24, tell: Callable[[str], None] | None = None) -> Cribs:
    """Find discards of both players that are best against each other, and what the cribs are worth then.

    Parameters
    ----------
    size : int
        How many cards are dealt to each.
    rounds : int
        When to stop if it does not settle.
    tell : callable, optional
        Called with a line on each round.

    Returns
    -------
    Cribs
    """
    hands, counts, weights = classes(size)
    larger, _, _ = classes(size + 1)
    numbers = np.zeros(math.comb(RANKS + size - 1, size), np.int64)
    for place, hand in enumerate(hands):
        numbers[_number_of(hand, -1)] = place
    differs = np.ones((len(hands), size), bool)
    differs[1:] = hands[1:] != hands[:-1]
    fresh = differs.argmax(axis=1)
    chances = np.zeros((2, PAIRS, SCORES))
    choices = np.zeros((2, len(hands)), np.int64)
    moved = math.inf
    coarse, part = _COARSE.get(size, (0, 1))
    every = larger
    for turn in range(rounds):
        larger = np.ascontiguousarray(every[::part]) if turn < coarse else every
        means = chances @ np.arange(SCORES)
        for whose, sign in ((OWN, 1.0), (OTHER, -1.0)):
            choose_by_ranks(hands, counts, means[whose], sign if turn else 0.0, choices[whose])
        scores = np.zeros((2, PAIRS, SCORES))
        ways = np.zeros((2, PAIRS, PAIRS, RANKS))
        _face(hands, weights, numbers, larger, fresh, choices[OWN], choices[OTHER], ways)
        for whose in (OWN, OTHER):
            _scores(ways[whose], scores[whose])
        sums = scores.sum(axis=2, keepdims=True)
        answer = np.where(sums > 0.0, scores / np.maximum(sums, 1.0), chances)
        step = 1.0 / max(1, turn - coarse + 1 if turn >= coarse > 0 else turn - _FREE)
        after = np.where(chances.sum(axis=2, keepdims=True) > 0.0, chances + step * (answer - chances), answer)
        moved = float(np.abs((after - chances) @ np.arange(SCORES)).max())
        chances = after
        if tell is not None:
            tell(f"{size} cards, round {turn + 1}: moved {moved:.2e}")
        if moved <= CLOSE and turn >= coarse:
            break
    return Cribs(chances, choices, turn + 1, moved)


# -- by suits --------------------------------------------------------------------------------------------------


def by_suits(size: int, found: Cribs) -> NDArray[np.float64]:
    """Return by how much cards of one suit, or of two, are worth more than by their ranks alone.

    Parameters
    ----------
    size : int
        How many cards are dealt to each.
    found : Cribs
        What is discarded.

    Returns
    -------
    ndarray of float64, shape (2, 2, classes of two cards)
        By the rule about flushes in the crib as of `scoring.flush_of`: none, and one of five cards; and by whose crib.
    """
    order, starts = _masks()
    count = _kinds(size, order, starts, np.empty(0, np.uint64), np.empty(0, np.uint8))
    hands, weights = np.empty(count, np.uint64), np.empty(count, np.uint8)
    _kinds(size, order, starts, hands, weights)
    if int(weights.sum(dtype=np.int64)) != math.comb(CARDS, size):
        raise RuntimeError("the kinds of hands do not make up all hands")
    more = np.zeros((2, 2, CLASSES))
    for whose, sign in ((OWN, 1.0), (OTHER, -1.0)):
        every = np.zeros(_CARD_PAIRS, np.int32)
        ones = np.zeros((_CARD_PAIRS, CARDS), np.int32)
        twos = np.zeros((_CARD_PAIRS, _CARD_PAIRS), np.int32)
        threes = np.zeros((_CARD_PAIRS, _TRIPLES), np.int32)
        _respond(hands, weights, size, found.means[whose], sign, every, ones, twos, threes)
        # the owner's crib is made with what the other discards, and the other way round
        for crib_flush in range(2):
            totals, plain, ways = np.zeros(CLASSES), np.zeros(CLASSES), np.zeros(CLASSES)
            _cribs(every, ones, twos, threes, crib_flush, totals, plain, ways)
            usual = (plain[:PAIRS] + plain[PAIRS:]) / (ways[:PAIRS] + ways[PAIRS:])
            more[crib_flush, 1 - whose] = totals / np.maximum(1.0, ways) - np.concatenate((usual, usual))
    return more


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


def _rows(cards: int, crib_flush: str, found: Cribs, more: NDArray[np.float64]) -> list[list[str]]:
    means = found.means
    spread = np.sqrt(np.maximum(0.0, found.chances @ np.arange(SCORES) ** 2 - means**2))
    rows = []
    for suited, low, high in itertools.product((False, True), range(RANKS), range(RANKS)):
        if low > high or (suited and low == high):
            continue
        pair = int(pair_of(low, high))
        values = []
        for whose in (OWN, OTHER):
            worth = means[whose, pair] + more[whose, pair + PAIRS * suited]
            values += [f"{worth:.4f}", f"{spread[whose, pair]:.4f}"]
        ranks = RANK_NAMES[low] + RANK_NAMES[high]
        rows.append(["2", str(cards), crib_flush, ranks, "yes" if suited else "no", *values])
    return rows


def main(wanted: list[str]) -> None:
    """Make the lines for these numbers of cards anew, with ``four`` those for four players; all if none is named."""
    with FILE.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    for cards in (5, 6, 7):
        if wanted and str(cards) not in wanted:
            continue
        found = settle(cards, tell=lambda line: print(line, flush=True))
        rows = [row for row in rows if row[:2] != ["2", str(cards)]]
        more = by_suits(cards, found)
        for crib_flush, rule in ((1, "five"), (0, "no")):
            rows += _rows(cards, rule, found, more[crib_flush])
    if not wanted or "four" in wanted:
        means, spread = settle_four(20_000_000)
        rows = [row for row in rows if row[0] != "4"]
        for rank in range(RANKS):
            values = [f"{value:.4f}" for whose in (OWN, OTHER) for value in (means[whose, rank], spread[whose, rank])]
            rows.append(["4", "5", "five", RANK_NAMES[rank], "no", *values])
    rows.sort(key=lambda row: row[:2])  # the others keep their order
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
