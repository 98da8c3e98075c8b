"""Simulated against exact, and what the result must not depend on."""

from __future__ import annotations

import dataclasses
import math

import joblib
import numpy as np
import pytest
from scipy import stats as scipy_stats

import simcards
from simcards.cards import Pack
from simcards.odds import exact as counting
from simcards.odds import kernels
from simcards.odds.deal import make_deal
from simcards.odds.exact import NotCounted
from simcards.odds.expression import parse
from simcards.odds.ground import Graph, ground
from simcards.odds.sampling import recipe
from simcards.odds.simulate import DealWork, simulate

from .brute import Cards, maker

BALANCED = "shape() in ('4432', '4333', '5332') and 22 <= points('A4 K3 Q2 J1') <= 24"
DECKS = (
    (Cards("789TJQKA", "SHDC"), {"hand": 8}),
    (Cards("789TJQKA", "SHDC", copies=2), {"hand": 9}),
    (Cards("9TJQKA", "SHDC", copies=2, jokers=1), {"hand": 6}),
    (Cards("789TJQKA", "SHDC"), {"hand1": 5, "hand2": 5, "talon": 2}),
)


def z_scores(which: int, number: int, deals: int) -> list[float]:
    """Return the z-scores of random questions, each from deals of its own."""
    cards, sizes = DECKS[which]
    pack = Pack(cards.ranks, cards.suits, cards.copies, cards.jokers)
    deal = make_deal(pack, hands=sizes) if len(sizes) > 1 else make_deal(pack, sizes["hand"])
    made = maker(cards, sizes, seed=1000 + which)
    graph = Graph(deal)
    nodes, counts, kinds, seen = [], [], [], set()
    while len(nodes) < number:
        depth = made.random.randint(0, 2)
        question = made.condition(depth) if made.random.random() < 0.6 else made.number(depth)
        own = Graph(deal)
        node = ground(parse(question.text, deal), own, strict=False)
        try:
            counted = counting.count(own, node, budget=5_000_000)
        except NotCounted:
            continue
        chance = float(counted.probability)
        usual = 0.01 < chance < 0.99 if question.is_condition else counted.variance > 0
        if usual and question.text not in seen:
            seen.add(question.text)
            nodes.append(ground(parse(question.text, deal), graph, strict=False))
            counts.append(counted)
            kinds.append(question.is_condition)
    program = kernels.program(graph, nodes)
    scores = []
    for index, counted in enumerate(counts):
        made_sums = simulate(program, deal, 7000 + 100 * which + index, deals, conditions=kinds, workers=1).sums[index]
        estimate = made_sums.mean(0.95, False, "")
        scores.append((estimate.estimate - float(counted.mean)) / (counted.sd / math.sqrt(deals)))
    return scores


def test_z_scores_of_200_random_questions() -> None:
    """A fixed seed; the scores must look like independent standard normal ones."""
    scores = np.array([score for which in range(len(DECKS)) for score in z_scores(which, 50, 10_000)])
    assert len(scores) == 200
    assert scipy_stats.kstest(scores, "norm").pvalue > 0.01
    squares = float((scores**2).sum())
    assert 0.005 < scipy_stats.chi2.cdf(squares, len(scores)) < 0.995
    assert abs(scores.mean()) < 3.0 / math.sqrt(len(scores))
    assert np.abs(scores).max() < 4.5


QUESTIONS = ["n('A')", "max_suit(run())", "any_rank(n() >= 3)", "n('hearts')**2 * 1000003"]


def frame(**options: object):
    return simcards.odds(QUESTIONS, pack="32x2", hand=12, deals=options.pop("deals", 20_000), exact=False, **options)


def sums(result: simcards.odds.OddsResult) -> list[tuple[object, ...]]:
    return [dataclasses.astuple(row.sums) for row in result.rows]


@pytest.mark.parametrize("given", [None, "n('K') >= 5", "n('K') >= 2", "shape() == '6330'"])
def test_workers_and_chunks_make_no_difference(given: str | None) -> None:
    reference = sums(frame(given=given, workers=1))
    for workers, chunk in ((1, 777), (2, None), (2, 1000), (7, 64)):
        assert sums(frame(given=given, workers=workers, chunk=chunk)) == reference
    assert sums(frame(given=given, seed=2)) != reference


def test_fewer_deals_are_the_first_of_more() -> None:
    few, some, both = (frame(deals=deals) for deals in (3_000, 0, 3_000))
    assert some.rows[0].sums is None
    assert sums(few) == sums(both)
    work = DealWork(*_work(QUESTIONS, "32x2", 12), seed=1, recipe=None, most_tries=10)
    whole, parts = work(0, 3_000), [work(0, 1), work(1, 1_500), work(1_500, 3_000)]
    assert np.array_equal(whole[0], sum(part[0] for part in parts))
    assert few.rows[0].sums.counts == {
        value: int(count) for value, count in enumerate(whole[0][: work.bins()[0, 1]]) if count
    }


def _work(questions: list[str], pack: str, hand: int) -> tuple[kernels.Program, object]:
    deal = make_deal(pack, hand)
    graph = Graph(deal)
    return kernels.program(graph, [ground(parse(each, deal), graph) for each in questions]), deal


def test_processes_make_no_difference() -> None:
    reference = sums(frame(deals=2_000, workers=1))
    with joblib.parallel_config(backend="loky"):
        assert sums(frame(deals=2_000, workers=2, chunk=500)) == reference


# -- conditions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "pack", "hand"),
    [
        (BALANCED, "52", 13),
        ("n('QS') >= 2 and n('JD') >= 2", "32x4", 9),
        ("max_suit(run()) >= 6", "32x2", 10),
        ("any_rank(n() >= 4) and n('A') == 0", "32", 8),
        ("all_suits(n('K') >= 1 and n('Q') >= 1)", "48", 12),
        ("rank_run() <= 2 or n('joker') == 2", "52+2", 13),
        ("points('A11 T10 K4 Q3 J2') >= 70", "32", 8),
    ],
)
def test_dealing_from_a_condition(given: str, pack: str, hand: int) -> None:
    """Direct dealing agrees with the exact conditional distribution."""
    questions = ["n('A')", "max_suit(n())", "run()", "n('QS')", "points('A4 K3 Q2 J1') + n('hearts')"]
    result = simcards.odds(questions, pack=pack, hand=hand, given=given, deals=100_000, sampling="direct", seed=5)
    assert result.simulation is not None
    assert result.simulation.way == "dealt from the condition"
    assert result.simulation.tries == result.simulation.deals == 100_000
    for row in result.rows:
        assert row.exact is not None
        assert math.isnan(row.z) or abs(row.z) < 4.0, (row.name, row.z)
        seen = row.sums.counts
        likely = {value: row.exact.chance(value) for value in row.exact.counts}
        assert seen.keys() <= likely.keys()
        kept = [value for value, chance in likely.items() if chance * 100_000 >= 8]
        others = 100_000 - sum(seen.get(value, 0) for value in kept)
        expected = [float(likely[value]) * 100_000 for value in kept]
        if len(kept) > 1:
            rest = 100_000 - sum(expected)
            observed = [seen.get(value, 0) for value in kept] + [others] * (rest > 8)
            wanted = expected + [rest] * (rest > 8)
            scale = sum(observed) / sum(wanted)
            assert scipy_stats.chisquare(observed, [each * scale for each in wanted]).pvalue > 1e-4, row.name


@pytest.mark.parametrize("given", ["n('J', b) == 0", "n('J', a) >= 3 and run(b) >= 3", "n('A', a + b) == 4"])
def test_hands_that_the_condition_does_not_speak_of(given: str) -> None:
    result = simcards.odds(
        ["n('J', talon)", "n('J', a)", "n('A', b)", "n('hearts', talon)"],
        pack="32",
        hands={"a": 10, "b": 10, "talon": 2},
        given=given,
        deals=60_000,
        sampling="direct",
    )
    assert all(math.isnan(row.z) or abs(row.z) < 4.0 for row in result.rows), result


def test_direct_and_rejection_agree() -> None:
    options = {"pack": "32", "hand": 8, "given": "n('J') == 4", "deals": 20_000}
    direct, thrown = (simcards.odds(["n('A')", "run()"], sampling=how, **options) for how in ("direct", "rejection"))
    assert thrown.simulation.way == "dealt until the condition holds"
    assert thrown.simulation.tries > 100 * thrown.deals
    for one, other in zip(direct.rows, thrown.rows, strict=True):
        assert abs(one.z) < 4.0
        assert abs(other.z) < 4.0


def test_a_choice_is_made_by_how_rare_the_condition_is() -> None:
    def way(given: str) -> str:
        made = simcards.odds("n('A')", pack="32", hand=8, given=given, deals=100).simulation
        assert made is not None
        return made.way

    assert way("n('J') <= 2") == "dealt until the condition holds"
    assert way("n('J') == 4") == "dealt from the condition"


def test_all_hands_of_a_condition_are_equally_likely() -> None:
    """Every single hand of a small pack, by its code, against a chi-square test."""
    deal = make_deal(Pack("QKA", "SH", 2), 4)
    graph = Graph(deal)
    given = ground(parse("any_suit(n('K') >= 1 and n('Q') >= 1) and n('A') <= 1", deal), graph)
    cards = ["QS", "KS", "AS", "QH", "KH", "AH"]
    code = " + ".join(f"{3**place} * n('{card}')" for place, card in enumerate(cards))
    node = ground(parse(code, deal), graph)
    counted = counting.count(graph, node, given)
    program = kernels.program(graph, [node], given)
    made = simulate(program, deal, 3, 200_000, conditions=[False], recipe=recipe(graph, given), conditional=True)
    seen = made.sums[0].counts
    assert seen is not None
    assert seen.keys() == counted.counts.keys()
    expected = [float(counted.chance(value)) * 200_000 for value in seen]
    assert scipy_stats.chisquare(list(seen.values()), expected).pvalue > 1e-3


def test_precision() -> None:
    result = simcards.odds(["n('A')", "run() >= 3"], pack="32", hand=8, precision=0.01)
    assert result.simulation.precise
    assert all(row.estimate.method == "confidence-sequence" for row in result.rows)
    assert all(row.estimate.half_width <= 0.01 for row in result.rows)
    assert result.deals < 1_000_000
    short = simcards.odds("n('A')", pack="32", hand=8, precision=1e-6, deals=5_000)
    assert short.simulation.precise is False
    assert short.deals == 5_000
    again = simcards.odds(["n('A')", "run() >= 3"], pack="32", hand=8, precision=0.01, workers=1, chunk=123)
    assert sums(again) == sums(result)


def test_large_values_are_summed_exactly() -> None:
    """Too many values for a histogram, squares beyond 64 bits, negative values."""
    for sign in (1, -1):
        big = simcards.odds(
            f"{sign} * n('hearts')**2 * 1000003 * 77777", pack="32x2", hand=12, deals=20_000, exact=False
        )
        small = simcards.odds("n('hearts')**2", pack="32x2", hand=12, deals=20_000, exact=False)
        sums, plain = big.rows[0].sums, small.rows[0].sums
        factor = sign * 1000003 * 77777
        assert sums.counts is None
        assert sums.total == factor * plain.total
        assert sums.squares == factor**2 * plain.squares
        assert big.rows[0].estimate.se == pytest.approx(abs(factor) * small.rows[0].estimate.se)


def test_progress() -> None:
    told = []
    simcards.odds("n('A')", pack="32", hand=8, deals=5_000, chunk=1_000, progress=told.append)
    assert [each.done for each in told] == [1_000, 2_000, 3_000, 4_000, 5_000]


def test_rejection_ends_at_its_limit() -> None:
    result = simcards.odds(
        "n('A')", pack="32", hand=8, given="n('J') == 4", sampling="rejection", deals=10**6, most_tries=200_000
    )
    assert result.simulation.stopped
    assert 0 < result.deals < 10_000
    assert any("Given up" in line for line in result.remarks())
    with pytest.raises(simcards.UsageError, match="no such hand was found"):
        simcards.odds("n('A')", pack="32", hand=8, given="run() == 8", sampling="rejection", deals=10, most_tries=1_000)


def test_interrupt() -> None:
    def stop(progress: object) -> None:
        if progress.done >= 2_000:
            raise KeyboardInterrupt

    result = simcards.odds("n('A')", pack="32", hand=8, deals=10**7, chunk=1_000, workers=1, progress=stop)
    assert result.interrupted
    assert result.deals == 2_000
    assert sums(result) == sums(simcards.odds("n('A')", pack="32", hand=8, deals=2_000))


@pytest.mark.slow
def test_z_scores_of_many_more_questions() -> None:
    scores = np.array([score for which in range(len(DECKS)) for score in z_scores(which, 100, 40_000)])
    assert scipy_stats.kstest(scores, "norm").pvalue > 0.01
