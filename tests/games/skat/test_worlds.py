"""Sampled worlds: they hold what the player knows, and cards are shared out alike where nothing is known."""

import itertools
from collections import Counter

import numba
import numpy as np
import pytest

from simcards.games.registry import load
from simcards.games.skat.worlds import split
from simcards.kernel.rng import STREAM, seed_stream
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from tests.contract import compiled


@numba.njit
def _splits(seed, cards, first, second, not_first, not_second, found):
    rng = np.empty(1, STREAM)
    seed_stream(rng[0], seed, 71, 0)
    for k in range(found.shape[0]):
        found[k, 0], found[k, 1] = split(rng[0], cards, first, second, not_first, not_second)


def test_every_way_to_share_cards_out_is_as_likely():
    cards, not_first, not_second = 0b11111111, 0b00000111, 0b00110010
    first, second = 3, 3
    ways = set()
    members = [1 << k for k in range(8)]
    for mine in itertools.combinations(members, first):
        rest = [card for card in members if card not in mine]
        for theirs in itertools.combinations(rest, second):
            if not sum(mine) & not_first and not sum(theirs) & not_second:
                ways.add((sum(mine), sum(theirs)))
    draws = 40_000
    found = np.zeros((draws, 2), np.uint64)
    arguments = (np.uint64(value) for value in (cards, not_first, not_second))
    known, lacks, others = arguments
    _splits(np.uint64(5), known, first, second, lacks, others, found)
    counts = Counter((int(mine), int(theirs)) for mine, theirs in found)
    assert set(counts) == ways
    expected = draws / len(ways)
    chi = sum((counts[way] - expected) ** 2 / expected for way in ways)
    # a chi-square has about its degrees of freedom, with a standard deviation of the root of twice as much
    assert abs(chi - len(ways) + 1) < 5 * (2 * len(ways)) ** 0.5


@pytest.mark.parametrize("strategy", ["basic", "random"])
def test_worlds_hold_what_is_known(strategy):
    rng = np.array([5, 6, 7, 8], np.uint64)
    looked = 0
    for deal in range(12):
        trace = replay(make_plan("skat", deals=1, strategies=strategy, seed=31), deal)
        worlds, views = load("skat").workspace(trace.plan.overrides)
        for place in range(len(trace.states)):
            state = trace.states[place : place + 1]
            common = state[0]["common"]
            if int(common["stage"]) != 1:
                continue
            me, declarer, trick = int(common["turn"]), int(common["declarer"]), int(common["trick"])
            compiled.observe(state, me, views[me : me + 1])
            for _ in range(3):
                compiled.determinize(views[me : me + 1].copy(), rng, worlds)
                world = worlds[0]
                looked += 1
                for player in range(3):
                    hand = int(world["private"][player]["hand"])
                    assert hand & int(common["absent"][player]) == 0
                    assert hand.bit_count() == 10 - trick - (int(common["table"][player]) >= 0)
                assert int(world["aside"]).bit_count() == 2
                if me == declarer and common["skat"]:
                    assert world["aside"] == state[0]["aside"]
                if int(common["shown"]):
                    assert world["private"][declarer]["hand"] == state[0]["private"][declarer]["hand"]
    assert looked > 500
