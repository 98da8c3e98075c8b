"""Sampled worlds agree with everything that a player was told, and spread what he was not told evenly."""

import numba
import numpy as np
import pytest
from scipy import stats

from simcards.games.piquet.exchange import EXCHANGE, HABITS, basic_exchange
from simcards.games.piquet.frame import SILENT
from simcards.games.piquet.worlds import AGREES, AS_MEANT, agreement
from simcards.games.registry import load, ruleset
from simcards.kernel import protocol
from simcards.kernel.protocol import DEALER, OPTIONS
from simcards.kernel.rng import STREAM
from simcards.study.plan import make_plan
from simcards.study.replay import replay

from .table import mask
from .test_rules import declaring


@numba.njit
def see(states, seat, views):
    protocol.observe(states[0], seat, views[0])


@numba.njit
def sample(views, rng, states, hands, talons):
    other = 1 - views[0].seat
    for k in range(hands.shape[0]):
        protocol.determinize(views[0], rng[0], states[0])
        hands[k] = states[0].private[other].hand
        talons[k] = states[0].deck[31]


@numba.njit
def levels(views, hands, played, results):
    for k in range(hands.shape[0]):
        results[k] = agreement(views[0], hands[k] | played)


def stream(seed):
    return np.array([(seed, 6, 7, 8)], "u8").view(STREAM).reshape(-1)


def worlds_of(game, view, count, seed=5):
    states, _ = game.workspace({})
    hands, talons = np.zeros(count, np.uint64), np.zeros(count, np.int64)
    sample(view, stream(seed), states, hands, talons)
    return hands, talons


@pytest.mark.parametrize("game_id", ["piquet-rubicon", "piquet-carte-rouge"])
@pytest.mark.parametrize("strategy", ["basic", "random"])
def test_worlds_agree_with_what_was_shown_and_said(game_id, strategy):
    """What was shown always; what was only said, but for the few that a bounded search does not find."""
    game = load(game_id)
    met = asked = bad = 0
    truth = np.zeros(1, np.int64)
    for deal in range(100):
        trace = replay(make_plan(game_id, deals=1, strategies=strategy, seed=4), deal)
        for place, step in enumerate(trace.steps):
            seat = ruleset(game_id).seats.index(step.seat)
            state = trace.states[place]
            if int(state["public"][1 - seat]["said"][0]) == SILENT or place % 3:
                continue
            _, views = game.workspace({})
            view = views[seat : seat + 1]
            see(trace.states[place : place + 1], seat, view)
            other = view[0]["public"][1]
            played = int(other["played"])
            hands, _ = worlds_of(game, view, 20, seed=deal + 1)
            for hand in hands:
                full = int(hand) | played
                assert full.bit_count() == 12
                assert not full & int(view[0]["own"]["hand"])
                assert int(other["shown"]) & ~full == 0
                assert int(other["absent"]) & full == 0
            results = np.zeros(len(hands), np.int64)
            levels(view, hands, np.uint64(played), results)
            if strategy == "basic":  # who hides nothing
                levels(view, state["private"][1 - seat : 2 - seat]["hand"], np.uint64(played), truth)
                assert truth[0] == AS_MEANT, (deal, place)
            bad += int((results < AGREES).sum())
            met += int((results == AS_MEANT).sum())
            asked += len(results)
    assert bad <= asked / 1_000
    assert asked > 10_000
    if strategy == "basic":
        assert met > 0.95 * asked


def exchange_of(seat):
    """Return the game, a view of a player at his exchange, and the cards that he does not see."""
    game = load("piquet-rubicon")
    trace = replay(make_plan("piquet-rubicon", deals=1, strategies="basic", seed=4), 1)
    name = ("elder", "younger")[seat]
    place = next(k for k, step in enumerate(trace.steps) if step.seat == name and step.phase == "exchange")
    _, views = game.workspace({})
    view = views[seat : seat + 1]
    see(trace.states[place : place + 1], seat, view)
    own = int(view[0]["own"]["hand"]) | int(view[0]["own"]["discards"])
    unseen = [card for card in range(32) if not own >> card & 1]
    assert len(unseen) == 20
    return game, view, unseen


def held(hands, cards):
    """Return in which share of the hands each card is."""
    return np.array([((hands >> np.uint64(card)) & np.uint64(1)).mean() for card in cards])


def test_hidden_cards_are_spread_evenly_before_anything_is_said():
    """In elder's exchange every unseen card is with the other as often, and last in the talon as often, as any."""
    game, view, unseen = exchange_of(0)
    hands, talons = worlds_of(game, view, 20_000)
    spread = np.sqrt(0.6 * 0.4 / len(hands))
    assert np.abs((held(hands, unseen) - 0.6) / spread).max() < 4.5
    assert stats.chisquare([(talons == card).sum() for card in unseen]).pvalue > 1e-4


@numba.njit
def exchange_as_elder(states, views, rng, options, decks, hands):
    """Deal, and write down the hands that elder has after his exchange: 0 where he showed carte blanche."""
    state = states[0]
    for k in range(decks.shape[0]):
        protocol.begin(state)
        protocol.deal(state, decks[k])
        while protocol.actor(state) == 0:
            mask = protocol.legal(state)
            protocol.observe(state, 0, views[0])
            if protocol.phase(state) == 1:
                protocol.apply(state, basic_exchange(views[0], mask, rng[0], options[0]))
            else:
                protocol.apply(state, 1)
        hands[k] = 0 if state.public[0].blanche else state.private[0].hand


def test_younger_takes_elder_for_one_who_discards_as_basic_does():
    """Elder's cards after the exchange: in worlds, and in deals in which `basic` exchanges five."""
    game, view, unseen = exchange_of(1)
    assert int(view[0]["common"]["drawn"][0]) == 5
    hands, talons = worlds_of(game, view, 10_000)
    assert stats.chisquare([(talons == card).sum() for card in unseen]).pvalue > 1e-4
    chance = np.random.default_rng(3)
    decks = np.empty((10_000, 32), np.uint8)
    own = [card for card in range(32) if card not in unseen]
    youngers = [place for place in range(24) if place // 2 % 2]
    decks[:, youngers] = own
    decks[:, [place for place in range(32) if place not in youngers]] = [chance.permutation(unseen) for _ in decks]
    states, views = game.workspace({})
    options = np.zeros(1, OPTIONS)
    options["value"][0, : len(HABITS)] = [habit[1] for habit in HABITS]
    options["value"][0, EXCHANGE] = 5
    dealt = np.zeros(len(decks), np.uint64)
    exchange_as_elder(states, views, stream(8), options, decks, dealt)
    dealt = dealt[dealt > 0]
    assert {int(hand).bit_count() for hand in dealt} == {12}
    here, there = held(hands, unseen), held(dealt, unseen)
    assert here.std() > 0.1  # some cards are kept far more often than others
    spread = np.sqrt(np.maximum(here * (1 - here), 1e-3) * (1 / len(hands) + 1 / len(dealt)))
    assert np.abs((here - there) / spread).max() < 4.5


def test_what_was_shown_leaves_the_rest_open():
    """Younger's sixth diamond is shown, so no other diamond is his; the rest may be anything."""
    elder = "AS KS QS 9H 8H 7H TC 8D JD JC 9C 7C"
    younger = "JS TS 9S 7S KH QH TH KD QD TD AC KC"
    table = declaring(elder, younger).declare_all()
    game = load("piquet-rubicon")
    _, views = game.workspace({"deals": 1})
    view = views[:1]
    see(table.compiled.states, 0, view)
    hands, _ = worlds_of(game, view, 3_000)
    known = mask("JS TS 9S 7S KH KD KC")
    assert all(int(hand) & known == known for hand in hands)
    assert not any(int(hand) & mask("8S") for hand in hands)
    free = [card for card in range(32) if 0 < sum(int(hand) >> card & 1 for hand in hands) < len(hands)]
    assert len(free) >= 6


def test_a_sequence_that_lost_is_somewhere():
    """Elder's quint was beaten: in every world he holds one, and each place for it comes up."""
    elder = "QS JS TS 9S 8S AH KH 7H 8D 7D 9C 7C"
    younger = "AD KD QD JD TD 9D AC KC QH JH 8H TC"
    table = declaring(elder, younger)
    while table.asked().phase == "declare":
        table.do(table.best())
    game = load("piquet-rubicon")
    _, views = game.workspace({"deals": 1})
    view = views[1:]
    see(table.compiled.states, 1, view)
    hands, _ = worlds_of(game, view, 2_000)
    results = np.zeros(len(hands), np.int64)
    levels(view, hands, np.uint64(0), results)
    assert results.min() == AS_MEANT
    runs = {text: mask(text) for text in ("AS KS QS JS TS", "KS QS JS TS 9S", "QS JS TS 9S 8S", "JS TS 9S 8S 7S")}
    found = {text: sum(int(hand) & run == run for hand in hands) for text, run in runs.items()}
    assert min(found.values()) > 100


def test_a_world_of_every_decision_goes_on():
    """Elder's world has younger not yet exchanged, younger's has elder's discards."""
    game = load("piquet-rubicon")
    for deal in range(20):
        trace = replay(make_plan("piquet-rubicon", deals=1, strategies="random", seed=9), deal)
        for place, step in enumerate(trace.steps):
            seat = ("elder", "younger").index(step.seat)
            states, views = game.workspace({})
            view = views[seat : seat + 1]
            see(trace.states[place : place + 1], seat, view)
            sample(view, stream(deal + 1), states, np.zeros(1, np.uint64), np.zeros(1, np.int64))
            there, here = states[0]["private"][1 - seat], trace.states[place]["private"][1 - seat]
            assert int(there["discards"]).bit_count() == int(here["discards"]).bit_count()
            assert int(states[0]["common"]["turn"]) != DEALER
            known = [int(card) for card in view[0]["own"]["talon"]]
            lying = [int(card) for card in states[0]["deck"][24:]]
            drawn = [int(count) for count in view[0]["common"]["drawn"]]
            if seat == 0 and drawn[0] >= 0:
                assert lying[drawn[0] : 5] == known[drawn[0] : 5]
