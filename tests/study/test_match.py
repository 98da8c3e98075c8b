from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from simcards import stats
from simcards.errors import UsageError
from simcards.study.match import match, seatings
from simcards.study.plan import make_plan
from simcards.study.result import provenance
from simcards.study.samples import samples

from .conftest import Interrupt


@pytest.mark.parametrize("seats", range(2, 8))
def test_each_strategy_has_each_seat_equally_often(seats):
    made = np.array(seatings(seats))
    assert len(set(map(tuple, made))) == len(made) == (2 if seats % 2 == 0 else 2 * seats)
    assert (2 * made.sum(axis=0) == len(made)).all()
    if seats % 2 == 0:
        assert (made[:, 0] == made[:, seats // 2]).all() == (seats % 4 == 0)
        assert (made[:, 0] != made[:, 1]).all()
    assert {tuple(1 - row) for row in made} == set(map(tuple, made))


def rows_of(outcome, first=None, second=None):
    return {
        row.estimate.quantity: row
        for row in outcome.rows()
        if (first, second) in ((None, None), (row.first, row.second))
    }


def test_a_strategy_against_itself_is_exactly_even():
    outcome = match("toy-whist", ["lowest", "lowest"], deals=500)
    for row in outcome.rows():
        if row.kind != "rate":
            assert (row.estimate.estimate, row.estimate.se, row.comparison.z) == (0.0, 0.0, 0.0)
            assert (row.first_mean == row.second_mean) or math.isnan(row.first_mean)
    rates = rows_of(outcome)
    assert rates["equal_deals"].estimate.estimate == 1.0
    assert rates["won_games"].estimate.estimate == rates["lost_games"].estimate.estimate


def test_exchanging_the_strategies_changes_the_sign_and_nothing_else():
    there = rows_of(match("toy-whist", ["random", "lowest"], deals=1500, seed=8))
    back = rows_of(match("toy-whist", ["lowest", "random"], deals=1500, seed=8))
    for name, row in there.items():
        a, b = row.estimate, back[name].estimate
        if row.kind == "rate":
            continue
        assert (a.estimate, a.se, a.n) == (-b.estimate, b.se, b.n)
        assert (a.ci_low, a.ci_high) == (-b.ci_high, -b.ci_low)
        assert (row.first_mean, row.second_mean) == (back[name].second_mean, back[name].first_mean)
    assert there["won_games"].estimate.estimate == back["lost_games"].estimate.estimate
    assert there["better_deals"].estimate.estimate == back["worse_deals"].estimate.estimate
    assert there["points"].reduction == back["points"].reduction


def test_differences_are_those_of_the_rows():
    outcome = match("toy-whist", ["random", "lowest"], deals=2000, seed=3, chunk=300, workers=2)
    plans = [
        make_plan("toy-whist", deals=2000, strategies=names, seed=3)
        for names in (["random", "lowest"] * 2, ["lowest", "random"] * 2)
    ]
    frames = [samples(plan) for plan in plans]
    rows = rows_of(outcome)

    def sides(quantity, frame):
        a, b = (sum(frame[f"{quantity}.{seat}"] for seat in pair) for pair in (("north", "south"), ("east", "west")))
        return a, b

    for quantity in ("points", "won", "long", "first"):
        (a1, b1), (b2, a2) = (sides(quantity, frame) for frame in frames)
        difference = ((a1 + a2 - b1 - b2) / 4).dropna().astype(float)
        row = rows[quantity]
        assert row.estimate.n == len(difference)
        assert row.estimate.estimate == pytest.approx(difference.mean())
        assert row.estimate.se == pytest.approx(difference.std() / math.sqrt(len(difference)))
        assert row.first_mean - row.second_mean == pytest.approx(difference.mean())
    (a1, b1), (b2, a2) = (sides("points", frame) for frame in frames)
    single = (a1 - b1).var() + (a2 - b2).var()
    assert rows["points"].reduction == pytest.approx(single / (a1 - b1 + a2 - b2).var(), rel=1e-3)
    assert rows["points"].reduction > 1.5
    won = ((a1 > b1).astype(int) + (a2 > b2).astype(int)) / 2
    assert rows["won_games"].estimate.estimate == pytest.approx(won.mean())
    assert rows["won_games"].estimate.se == pytest.approx(won.std() / math.sqrt(2000))
    sums = a1 + a2 - b1 - b2
    for name, count in (("better", sums > 0), ("equal", sums == 0), ("worse", sums < 0)):
        assert rows[f"{name}_deals"].estimate == stats.proportion(
            int(count.sum()), 2000, quantity=f"{name}_deals", strategy="random"
        )


def test_all_pairs_meet_and_the_payoff_is_adjusted_for_them():
    outcome = match("toy-whist", ["random", "lowest", "random"], deals=400)
    payoffs = [row for row in outcome.rows() if row.estimate.quantity == "points"]
    assert [(row.first, row.second) for row in payoffs] == [
        ("random", "lowest"),
        ("random", "random"),
        ("lowest", "random"),
    ]
    adjusted = stats.holm([row.comparison.p_value for row in payoffs])
    assert [row.comparison.p_adjusted for row in payoffs] == pytest.approx(list(adjusted))
    others = [row for row in outcome.rows() if row.estimate.quantity != "points"]
    assert all(row.comparison.p_adjusted is None for row in others)
    assert payoffs[0].estimate.estimate == -payoffs[2].estimate.estimate
    pair = match("toy-whist", ["random", "lowest"], deals=400)
    assert rows_of(pair)["points"].estimate == payoffs[0].estimate


def test_rare_outcomes_have_an_interval():
    rows = rows_of(match("toy-whist", ["random", "lowest"], deals=300))
    drawn = rows["drawn_games"].estimate  # thirteen tricks cannot be halved
    assert (drawn.estimate, drawn.ci_low, drawn.method) == (0.0, 0.0, "clopper-pearson")
    assert 0.0 < drawn.ci_high < 0.02
    even = rows_of(match("toy-whist", ["lowest", "lowest"], deals=300))["won_games"].estimate
    assert (even.estimate, even.method) == (0.5, "wilson")
    assert 0.04 < even.half_width < 0.06  # as among 300 games
    some = rows["won_games"].estimate
    assert some.method == "wilson"
    assert (some.ci_high - some.ci_low) / 2 == pytest.approx(1.96 * some.se, rel=0.02)
    biased = match("toy-whist", ["lowest", "lowest"], deals=300, cards={"north": "AS KS QS JS TS 9S 8S 7S 6S"})
    assert all(row.estimate.ci_high >= row.estimate.estimate for row in biased.rows())


def test_a_match_can_be_interrupted_resumed_and_cut_up(tmp_path):
    file = tmp_path / "match.json"
    options = {"deals": 1200, "checkpoint": file, "resume": True}
    names = ["random", "lowest", "random"]
    whole = match("toy-whist", names, deals=1200)
    first = match("toy-whist", names, chunk=100, workers=2, progress=Interrupt(300), **options)
    assert first.interrupted
    assert first.tally == match("toy-whist", names, deals=first.deals, chunk=7).tally
    assert match("toy-whist", names, workers=3, **options).tally == whole.tally
    with pytest.raises(UsageError, match="strategies is"):
        match("toy-whist", names[:2], **options)


def test_a_match_goes_on_until_precise_enough():
    made = [
        match("toy-whist", ["random", "lowest"], deals=50_000, precision=0.05, workers=workers, chunk=chunk)
        for workers, chunk in ((1, None), (2, 333))
    ]
    outcome = made[0]
    assert outcome.precise is True
    assert outcome.tally == made[1].tally
    payoff = rows_of(outcome)["points"]
    assert payoff.estimate.method == "confidence-sequence"
    assert payoff.estimate.half_width <= 0.05
    assert math.isnan(payoff.comparison.p_value)
    assert rows_of(outcome)["drawn_games"].estimate.method == "confidence-sequence"
    with pytest.raises(UsageError, match="did you mean 'points'"):
        match("toy-whist", ["random", "lowest"], deals=10, precision=0.05, target="point")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["random"], "a match needs two strategies or more"),
        ("random", "a match needs two strategies or more"),
        ([], "a match needs two strategies or more"),
        (["random"] * 12, "a match takes at most 11 strategies, not 12"),
        (["random", "lowst"], "did you mean 'lowest'?"),
    ],
)
def test_matches_that_cannot_be(names, message):
    with pytest.raises(UsageError) as caught:
        match("toy-whist", names, deals=10)
    assert message in str(caught.value)


def test_sums_that_do_not_fit_are_reported():
    from simcards.study.table import PlayError

    with pytest.raises(PlayError, match=r"deal 0: a sum over seats exceeds 2\*\*31"):
        match("toy-whist", ["random", "lowest"], deals=10, rules={"bias": 2**30})
    exact = match("toy-whist", ["random", "lowest"], deals=100, rules={"bias": 2**28})
    plain = match("toy-whist", ["random", "lowest"], deals=100)
    assert rows_of(exact)["points"].estimate == rows_of(plain)["points"].estimate


def test_records_frames_and_provenance():
    outcome = match("toy-whist", ["random", "lowest"], deals=100)
    frame = outcome.frame()
    assert set(frame["strategy"]) == {"random"}
    assert set(frame["against"]) == {"lowest"}
    assert {"mean", "mean_against", "z", "p_value", "p_adjusted", "reduction"} <= set(frame)
    about = provenance(outcome)
    assert about["seatings"] == ["ABAB", "BABA"]
    assert (about["strategies"], about["deals"]) == (["random", "lowest"], 100)
    assert replace(outcome, deals=5).plan.strategies == ("random", "lowest") * 2
