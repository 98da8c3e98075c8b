from __future__ import annotations

import math

import numpy as np
import pytest

from simcards.report import derived
from simcards.report.sections import _edge_sentence
from simcards.stats import paired
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.samples import samples


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("count_royal_marriage", "royal marriage"),
        ("any_cartes_blanches", "cartes blanches"),
        ("points", "points"),
    ],
)
def test_label(name, expected):
    assert derived.label(name) == expected


def test_edges_are_those_of_the_rows(outcome):
    rows = samples(outcome.plan, workers=1).astype(float)
    edges = {edge.name: edge for edge in derived.edges_of_first(outcome)}
    assert list(edges) == ["points", "value", "won"]
    differences = {
        "points": rows["points.pone"] - rows["points.dealer"],
        "value": rows["value.pone"],
        "won": rows["won.pone"] - rows["won.dealer"],
    }
    for name, values in differences.items():
        estimate = edges[name].estimate
        assert estimate.estimate == pytest.approx(values.mean())
        assert estimate.se == pytest.approx(values.std() / math.sqrt(len(values)))


def test_the_margin_is_not_compared_twice(mixed):
    assert derived.is_margin(mixed)
    assert [edge.name for edge in derived.edges_of_first(mixed)] == ["points", "won"]


def test_no_edges_with_four_seats(toy):
    assert derived.edges_of_first(toy) == []


def test_edges_of_a_run_that_looked():
    outcome = run(make_plan("bezique", deals=4000, seed=3), workers=1, precision=8.0)
    for edge in derived.edges_of_first(outcome):
        assert edge.estimate.method == "confidence-sequence"
        assert math.isnan(edge.comparison.p_value)


def test_a_lopsided_difference_of_wins_has_an_interval(mixed):
    edge = derived.edges_of_first(mixed)[-1]
    wins, losses = (mixed.tally.column(f"won.{seat}").positive for seat in ("pone", "dealer"))
    assert edge.estimate.estimate == (wins - losses) / mixed.deals
    assert edge.estimate.ci_low < edge.estimate.estimate < edge.estimate.ci_high


@pytest.mark.parametrize(("first", "second"), [(1200, 0), (0, 1200), (0, 0), (3, 2), (1195, 4)])
def test_rare_events_widen_the_interval(outcome, first, second):
    made = derived._rare(outcome, paired(1200, first - second, first + second).difference, first, second, 0.95)
    assert made.method == "clopper-pearson"
    assert made.ci_low < made.ci_high
    assert made.ci_low <= (first - second) / 1200 <= made.ci_high


def test_quantiles_hold_those_of_the_rows(outcome):
    rows = samples(outcome.plan, workers=1)["points.pone"].to_numpy(dtype=float)
    histogram = outcome.tally.histogram("points.pone")
    for q in (0.05, 0.25, 0.5, 0.75, 0.95):
        made = derived.quantile(outcome, histogram, q)
        assert made.ci_low <= np.quantile(rows, q, method="inverted_cdf") <= made.ci_high
        assert abs(made.estimate - np.quantile(rows, q)) <= histogram.width


@pytest.mark.parametrize(("below", "above"), [(10, 0), (0, 10)])
def test_a_quantile_beyond_the_bins_has_a_bound_and_no_value(outcome, below, above):
    from dataclasses import replace

    histogram = outcome.tally.histogram("points.pone")
    beyond = replace(histogram, below=below, above=above, counts=tuple(0 for _ in histogram.counts))
    made = derived.quantile(outcome, beyond, 0.5)
    assert np.isnan(made.estimate)
    assert np.isnan(made.se)
    edges = list(histogram.edges)
    assert (made.ci_low, made.ci_high) == ((-np.inf, edges[0]) if below else (edges[-1], np.inf))


def test_quantiles_of_a_run_that_looked_are_wider(outcome):
    from dataclasses import replace

    histogram = outcome.tally.histogram("points.pone")
    looked = replace(outcome, precision=1.0)
    for q in (0.1, 0.5, 0.9):
        fixed, sequence = derived.quantile(outcome, histogram, q), derived.quantile(looked, histogram, q)
        assert sequence.method == "confidence-sequence"
        assert sequence.ci_low <= fixed.ci_low
        assert sequence.ci_high >= fixed.ci_high


def test_cells_hold_every_row(outcome):
    made = derived.cells(outcome, outcome.tally.histogram("points.pone"))
    assert sum(cell.share.estimate for cell in made) == pytest.approx(1.0)
    assert all(a.high == b.low for a, b in zip(made, made[1:], strict=False))


def test_deviation(outcome):
    rows = samples(outcome.plan, workers=1)["points.pone"].to_numpy(dtype=float)
    assert derived.deviation(outcome, "points.pone") == pytest.approx(rows.std(ddof=1))


@pytest.mark.parametrize("name", ["points", "value", "won"])
@pytest.mark.parametrize("total", [-500, -2, 2, 500])
def test_a_difference_is_called_one_only_when_it_is_clear(outcome, name, total):
    comparison = paired(1000, total, 1000, quantity=name)
    for clear in (False, True):
        sentence = _edge_sentence(outcome, derived.Edge(name, name, comparison, clear))
        assert ("interval" in sentence) == (not clear)
        if clear:
            words = ("more", "gains") if total > 0 else ("fewer", "less", "loses")
            assert any(word in sentence for word in words)


def test_together():
    assert derived.together([]) == ""
    assert derived.together(["a"]) == "a"
    assert derived.together(["a", "b", "c"]) == "a, b and c"
