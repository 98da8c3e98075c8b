"""Declarations of random hands against a slow reckoning from the rules, with cards as words."""

import random
from itertools import groupby

import numba
import numpy as np
import pytest

from simcards.games.piquet.declarations import begin_declarations
from simcards.games.piquet.frame import DECLARING, STOP, bit_of, key_of
from simcards.games.registry import load
from simcards.kernel import protocol
from simcards.kernel.bits import lowest

RANKS = "789TJQKA"
PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7}
REPIQUES = 11


@numba.njit
def declare_all(states, pairs, points, repiques):
    """Let both name all they can, the best first."""
    state = states[0]
    for k in range(pairs.shape[0]):
        protocol.begin(state)
        state.common.deals = 1
        state.private[0].hand = pairs[k, 0]
        state.private[1].hand = pairs[k, 1]
        begin_declarations(state)
        while state.common.stage == DECLARING:
            names = protocol.legal(state) & ~bit_of(STOP)
            hand = state.private[protocol.actor(state)].hand
            best, choice = -1, STOP
            while names:
                name = lowest(names)
                names &= names - np.uint64(1)
                key = key_of(np.int64(state.common.kind), hand, name)
                if key > best:
                    best, choice = key, name
            protocol.apply(state, choice)
        for player in range(2):
            points[k, player] = state.public[player].points
            repiques[k, player] = state.tally.count[REPIQUES, player]


def suits_of(hand):
    return [[rank for rank in RANKS if rank + suit in hand] for suit in "SHDC"]


def point_of(hand):
    return max((len(suit), sum(PIPS[rank] for rank in suit)) for suit in suits_of(hand))


def sequences_of(hand):
    """Return (length, top) of each, the best first."""
    found = []
    for suit in suits_of(hand):
        places = [RANKS.index(rank) for rank in suit]
        for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
            members = [place for _, place in run]
            if len(members) >= 3:
                found.append((len(members), members[-1]))
    return sorted(found, reverse=True)


def sets_of(hand, ranks):
    counts = [(sum(card[0] == rank for card in hand), RANKS.index(rank)) for rank in ranks]
    return sorted((count, rank) for count, rank in counts if count >= 3)[::-1]


def reckon(hands, ranks):
    """Return the points of both, and who makes repique, by the first book: reached before the other has anything."""
    points, repique = [0, 0], [0, 0]

    def add(player, value):
        points[player] += value
        if points[player] >= 30 and points[1 - player] == 0 and not repique[player]:
            repique[player] = 1
            points[player] += 60

    mine, theirs = (point_of(hand) for hand in hands)
    if mine != theirs:
        add(int(theirs > mine), max(mine, theirs)[0])
    for found, value in (
        ([sequences_of(hand) for hand in hands], lambda size: size if size < 5 else size + 10),
        ([sets_of(hand, ranks) for hand in hands], lambda size: 14 if size == 4 else 3),
    ):
        best = [melds[0] if melds else (0, 0) for melds in found]
        if best[0] != best[1]:
            winner = int(best[1] > best[0])
            for size, _ in found[winner]:
                add(winner, value(size))
    return points, repique


def compare(pairs, seed):
    rng = random.Random(seed)
    pack = [rank + suit for suit in "SHDC" for rank in RANKS]
    for low_sets, ranks in (("no", "TJQKA"), ("yes", RANKS)):
        states, _ = load("piquet-rubicon").workspace({"deals": 1, "low_sets": low_sets})
        dealt = []
        for number in range(pairs):
            if number % 2:
                cards = rng.sample(pack, 24)
            else:  # long suits and sets to one player, so that much is declared
                kept = rng.choice("SHDC"), rng.choice("AKQT")
                cards = sorted(pack, key=lambda card: rng.random() - 0.5 * (card[1] == kept[0] or card[0] == kept[1]))
            hands = [set(cards[:12]), set(cards[12:24])]
            if number % 4 > 1:
                hands.reverse()
            dealt.append(hands)
        masks = [[sum(1 << pack.index(card) for card in hand) for hand in hands] for hands in dealt]
        points, repiques = np.zeros((pairs, 2), np.int64), np.zeros((pairs, 2), np.int64)
        declare_all(states, np.array(masks, np.uint64), points, repiques)
        made = 0
        for hands, scored, bonus in zip(dealt, points.tolist(), repiques.tolist()):
            assert (scored, bonus) == reckon(hands, ranks), hands
            made += sum(bonus)
        assert made > pairs / 1_000


def test_random_hands():
    compare(5_000, 1)


@pytest.mark.slow
def test_a_hundred_thousand_random_hands():
    compare(100_000, 2)
