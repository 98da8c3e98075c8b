"""Sampled worlds agree with everything that a player was told, and spread what he was not told evenly."""

import numba
import numpy as np
import pytest
from scipy import stats

from simcards.games.deberts.frame import BIDDING, GOOD, HAND, SILENT, UNASKED
from simcards.games.deberts.worlds import AGREES, AS_MEANT, agreement, when_he_spoke
from simcards.games.registry import load, ruleset
from simcards.kernel import protocol
from simcards.kernel.rng import STREAM
from simcards.study.plan import make_plan
from simcards.study.replay import replay

from .table import YES, Table, codes, mask


@numba.njit
def see(states, seat, views):
    protocol.observe(states[0], seat, views[0])


@numba.njit
def sample(views, rng, states, hands, nexts):
    other = 1 - views[0].seat
    for k in range(hands.shape[0]):
        protocol.determinize(views[0], rng[0], states[0])
        hands[k] = states[0].hands[other]
        nexts[k] = states[0].deck[13]


@numba.njit
def levels(views, hands, results):
    for k in range(hands.shape[0]):
        results[k] = agreement(views[0], when_he_spoke(views[0], hands[k]))


def worlds_of(view, count, seed=5):
    game = load("deberts")
    states, _ = game.workspace({})
    states["rules"] = view["rules"]
    stream = np.random.default_rng(seed).integers(1, 2**63, 4, np.uint64).view(STREAM)
    hands, nexts = np.zeros(count, np.uint64), np.zeros(count, np.int64)
    sample(view, stream, states, hands, nexts)
    return hands, nexts


def view_of(states, seat):
    _, views = load("deberts").workspace({})
    view = views[seat : seat + 1]
    view["rules"] = states["rules"][0]
    see(states, seat, view)
    return view


@pytest.mark.parametrize("strategy", ["basic", "random"])
@pytest.mark.parametrize("rules", [{}, {"run_order": "natural", "equal_runs": "nobody"}])
def test_worlds_agree_with_what_was_shown_and_said(strategy, rules):
    seats = ruleset("deberts").seats
    met = bad = unlikely = 0
    for deal in range(150):
        trace = replay(make_plan("deberts", deals=1, strategies=strategy, seed=4, rules=rules), deal)
        for place, step in enumerate(trace.steps):
            seat = seats.index(step.seat)
            states = trace.states[place : place + 1]
            if place % 3 and int(states[0]["public"][1 - seat]["said"]) in (UNASKED, SILENT):
                continue
            view = view_of(states, seat)
            other = view[0]["public"][1]
            played = int(other["played"])
            hands, _ = worlds_of(view, 10, seed=deal + 1)
            for hand in hands:
                held = int(hand)
                assert held.bit_count() == (
                    6 if int(view[0]["common"]["stage"]) == BIDDING else HAND - played.bit_count()
                )
                assert not held & int(view[0]["hand"])
                assert int(other["shown"]) & ~(held | played) == 0
                assert int(other["absent"]) & held == 0
            results = np.zeros(len(hands), np.int64)
            levels(view, hands, results)
            met += len(hands)
            bad += int((results < AGREES).sum())
            unlikely += int((results < AS_MEANT).sum())
            if strategy == "basic":
                truth = np.zeros(1, np.int64)
                levels(view, states["hands"][:, 1 - seat].copy(), truth)
                assert truth[0] >= AGREES
    assert met > 5000
    assert bad == 0
    assert unlikely < (0.001 if strategy == "basic" else 0.05) * met


def test_nothing_said_spreads_the_cards_evenly():
    table = Table("JH 9H 7S AC QD 8C TS JC 8D", "AH 8H AS 9C KD 7C JD QS KC", "TH")
    view = view_of(table.compiled.states, 0)
    hands, nexts = worlds_of(view, 20_000)
    unseen = [code for code in range(32) if code not in codes("JH 9H 7S AC QD 8C TH")]
    counts = [int(((hands >> np.uint64(code)) & np.uint64(1)).sum()) for code in unseen]
    assert stats.chisquare(counts).pvalue > 0.001
    counts = [int((nexts == code).sum()) for code in unseen]
    assert stats.chisquare(counts).pvalue > 0.001


def test_a_tierce_that_was_named_is_as_likely_as_the_hands_that_hold_it():
    """Against all hands that hold a tierce and nothing better, drawn without any cleverness."""
    pone = "JH 9H 8S AC QD KD TD JC 7C"
    table = Table(pone, "AH 7H AS 9S JS KC QC TC 8D", "8H", {"target": 0, "exchange": "no"}).bid("+")
    table.answer(0, "declare", YES)
    view = view_of(table.compiled.states, 1)  # the dealer has one too, and is to answer: he knows of a tierce
    view[0]["hand"] = mask("AH 7H AS 9S 8D KC QC TC 9D")
    hands, _ = worlds_of(view, 20_000)
    unseen = np.array([code for code in range(32) if not int(view[0]["hand"]) >> code & 1 and code != codes("8H")[0]])
    rng = np.random.default_rng(3)
    drawn = np.argsort(rng.random((400_000, len(unseen))), axis=1)[:, :9]
    plain = (np.uint64(1) << unseen[drawn].astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    results = np.zeros(len(plain), np.int64)
    levels(view, plain, results)
    plain = plain[results == AS_MEANT]
    assert len(plain) > 20_000
    for code in unseen:
        bit = np.uint64(code)
        one, two = (float(((sampled >> bit) & np.uint64(1)).mean()) for sampled in (hands, plain))
        error = (one * (1 - one) / len(hands) + two * (1 - two) / len(plain)) ** 0.5
        assert abs(one - two) < 4.5 * error + 1e-9, code


def test_what_was_scored_is_known():
    table = Table("AS TS KS QS JC 9C 8C AH 7D", "JH 9H 8S AC QD KD TD KC 7C", "8H").bid("+")
    table.answer(0, "declare", YES)
    view = view_of(table.compiled.states, 1)
    assert int(view[0]["public"][1]["said"]) == GOOD
    assert int(view[0]["public"][1]["shown"]) == mask("AS TS KS QS JC 9C 8C")
    assert int(view[0]["public"][1]["absent"]) == mask("JS QC 7C")
