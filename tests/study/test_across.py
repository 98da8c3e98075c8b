"""Quantities over all seats: against the same numbers made from the rows themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simcards import stats
from simcards.errors import UsageError
from simcards.kernel.protocol import MISSING
from simcards.study.across import Measure, across
from simcards.study.plan import make_plan
from simcards.study.table import matrix, table

DEALS = 3000
TEXTS = ("points", "sd:points", "edge:points", "won", "edge:won", "long", "trump", "deals", "tricks")


def rows_of(plan):
    """The rows of a plan as a matrix by column."""
    at = table(plan)
    rows = at.rows(plan.deals)
    assert at.play(0, plan.deals, rows) is None
    return {column.name: values for column, values in zip(at.game.columns, matrix(rows).T.astype(float), strict=True)}


@pytest.fixture
def plan():
    return make_plan("toy-whist", deals=DEALS, strategies="random", seed=6)


@pytest.fixture
def made(plan):
    return across(plan, map(Measure.parse, TEXTS), workers=2, chunk=700)


@pytest.fixture
def rows(plan):
    return rows_of(plan)


def seats(rows, name):
    return np.array([rows[f"{name}.{seat}"] for seat in ("north", "east", "south", "west")])


def of(made, text):
    return made.estimate(Measure.parse(text))


def test_means_are_those_of_a_seat_with_the_error_of_the_sum(made, rows):
    for name in ("points", "long"):
        each = seats(rows, name).mean(axis=0)
        estimate = of(made, name)
        assert estimate.n == DEALS
        assert estimate.estimate == pytest.approx(each.mean())
        assert estimate.se == pytest.approx(each.std(ddof=1) / math.sqrt(DEALS))
    assert of(made, "points").se == 0.0, "there are thirteen tricks in every deal"
    assert of(made, "points").estimate == 13 / 4


def test_the_spread_is_that_of_a_seat(made, rows):
    variances = seats(rows, "points").var(axis=1, ddof=1)
    estimate = of(made, "sd:points")
    assert estimate.estimate == pytest.approx(math.sqrt(variances.mean()))
    assert math.isnan(estimate.se)


@pytest.mark.parametrize("name", ["points", "won"])
def test_the_edge_is_paired(made, rows, name):
    each = seats(rows, name)
    edge = each[0] - each[1:].mean(axis=0)
    estimate = of(made, f"edge:{name}")
    assert estimate.estimate == pytest.approx(edge.mean())
    assert estimate.se == pytest.approx(edge.std(ddof=1) / math.sqrt(DEALS))


def test_rates_allow_for_seats_that_win_together(made, rows):
    each = seats(rows, "won").mean(axis=0)
    estimate = of(made, "won")
    assert estimate.estimate == pytest.approx(each.mean())
    assert estimate.se == pytest.approx(each.std(ddof=1) / math.sqrt(DEALS))
    assert 0.0 <= estimate.ci_low < estimate.estimate < estimate.ci_high <= 1.0
    assert estimate.half_width == pytest.approx(1.96 * estimate.se, rel=0.1)


def test_what_is_of_the_whole_table(made, rows):
    there = rows["trump"][rows["trump"] != MISSING]
    assert of(made, "trump").n == len(there)
    assert of(made, "trump").estimate == pytest.approx(there.mean())
    assert (of(made, "tricks").estimate, of(made, "deals").estimate) == (13.0, 1.0)


def test_it_does_not_depend_on_workers(plan, made, tmp_path):
    again = across(plan, map(Measure.parse, TEXTS), workers=1, chunk=123, checkpoint=tmp_path / "c.json")
    assert again.tally == made.tally
    resumed = across(
        plan, map(Measure.parse, TEXTS), workers=1, checkpoint=tmp_path / "c.json", resume=True
    )  # fmt: skip
    assert (resumed.resumed, resumed.tally) == (DEALS, made.tally)
    with pytest.raises(UsageError, match="checkpoint"):
        across(plan, [Measure.parse("won")], workers=1, checkpoint=tmp_path / "c.json", resume=True)


def test_with_two_seats_it_agrees_with_what_a_page_about_the_game_says():
    from simcards.report.derived import edges_of_first
    from simcards.study.engine import run

    plan = make_plan("bezique", deals=500, strategies="random", seed=2)
    outcome = run(plan, workers=1)
    made = across(plan, [Measure("edge", "points"), Measure("edge", "won"), Measure("mean", "points")], workers=1)
    edges = {edge.name: edge.estimate for edge in edges_of_first(outcome)}
    for name in ("points", "won"):
        assert made.estimate(Measure("edge", name)).estimate == pytest.approx(edges[name].estimate)
        assert made.estimate(Measure("edge", name)).se == pytest.approx(edges[name].se)
    total = sum(outcome.tally.column(f"points.{seat}").total for seat in plan.ruleset.seats)
    assert made.estimate(Measure("mean", "points")).estimate == pytest.approx(total / 1000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pionts", "did you mean 'points'?"),
        ("mode:points", "there is no form 'mode' of a quantity in 'mode:points'; did you mean 'mean'?"),
        ("first", "first of toy-whist has no value in some deals, so seats have no mean"),
        ("edge:tricks", "tricks of toy-whist is the same for all seats, so none has an edge"),
    ],
)
def test_what_cannot_be_measured(plan, text, message):
    with pytest.raises(UsageError) as caught:
        across(plan, [Measure.parse(text)])
    assert message in str(caught.value)


def test_sums_that_are_too_large_are_told():
    plan = make_plan("toy-whist", deals=5, strategies="random", rules={"bias": 2**30})
    with pytest.raises(Exception, match="toy-whist, seed 0, deal 0: a sum over seats exceeds"):
        across(plan, [Measure.parse("points")])


def test_clustered_proportions_are_plain_ones_where_every_deal_has_one_event():
    assert stats.clustered_proportion(50, 20, 20, 1) == stats.proportion(20, 50)
    never = stats.clustered_proportion(50, 0, 0, 4)
    assert (never.estimate, never.se, never.ci_low) == (0.0, 0.0, 0.0)
    assert never.ci_high == stats.proportion(0, 50).ci_high
