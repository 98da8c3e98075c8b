"""Paired comparisons and families of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simcards.errors import UsageError
from simcards.stats import Comparison, family, holm, mean, paired


def sums_of(values):
    values = [int(v) for v in values]
    return len(values), sum(values), sum(v * v for v in values)


def slow_holm(pvalues):
    """Walk up from the smallest: number i of m is multiplied by m - i, and is no less than the one before."""
    order = sorted(range(len(pvalues)), key=lambda i: pvalues[i])
    adjusted, before = [0.0] * len(pvalues), 0.0
    for rank, i in enumerate(order):
        before = max(before, min(1.0, (len(pvalues) - rank) * pvalues[i]))
        adjusted[i] = before
    return adjusted


def test_holm_worked_example():
    # 4·0.005, then 3·0.01, then 2·0.03, and 0.04 pulled up to that.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_agrees_with_the_slow_way(pvalues):
    got = holm(pvalues)
    assert got.tolist() == pytest.approx(slow_holm(pvalues))
    assert all(a >= p for a, p in zip(got, pvalues))
    # Between no adjustment and Bonferroni's.
    assert all(a <= min(1.0, len(pvalues) * p) * (1 + 1e-12) for a, p in zip(got, pvalues))


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=10), st.randoms(use_true_random=False))
def test_holm_ignores_the_order(pvalues, random):
    places = list(range(len(pvalues)))
    random.shuffle(places)
    assert holm(pvalues)[places].tolist() == holm([pvalues[i] for i in places]).tolist()


def test_holm_passes_over_what_could_not_be_compared():
    assert holm([0.01, math.nan, 0.03]).tolist() == pytest.approx([0.02, math.nan, 0.03], nan_ok=True)
    assert holm([]).tolist() == []


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.inf])
def test_holm_refuses_what_is_no_probability(wrong):
    with pytest.raises(UsageError, match="between 0 and 1"):
        holm([0.5, wrong])


def test_holm_keeps_the_error_of_a_family():
    # Ten comparisons, nine without any difference; unadjusted, some 37 % of the families would cry wolf.
    rng = np.random.default_rng(41)
    z = rng.normal(size=(20_000, 10))
    z[:, 0] += 4
    p = 2 * stats.norm.sf(np.abs(z))
    wolf = np.mean([(holm(row)[1:] < 0.05).any() for row in p])
    assert 0.03 < wolf <= 0.05
    assert (p[:, 1:] < 0.05).any(axis=1).mean() > 0.3


@settings(deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=3, max_size=40).filter(lambda v: len(set(v)) > 1))
def test_paired_agrees_with_scipy(differences):
    c = paired(*sums_of(differences))
    want = stats.ttest_1samp(differences, 0)
    assert c.z == pytest.approx(want.statistic, rel=1e-9, abs=1e-12)
    assert c.p_value == pytest.approx(want.pvalue, rel=1e-7)
    assert c.difference == mean(*sums_of(differences))
    # Interval and probability never contradict.
    outside = not c.difference.ci_low <= 0 <= c.difference.ci_high
    assert outside == (c.p_value < 0.05)
    turned = paired(*sums_of(-d for d in differences))
    assert (turned.z, turned.p_value) == (-c.z, c.p_value)


def test_paired_in_many_deals():
    n = 10**15
    c = paired(n, 10**8, n * 4, quantity="points", seat="first", strategy="mc")
    assert c.z == pytest.approx(10**8 / n / (2 / math.sqrt(n)), rel=1e-9)
    assert c.p_value == pytest.approx(2 * stats.norm.sf(c.z), rel=1e-12)
    assert c.difference.method == "normal"
    assert (c.difference.quantity, c.difference.seat, c.difference.strategy) == ("points", "first", "mc")
    # A far tail keeps its digits.
    assert paired(n, 10**9, n * 4).p_value == pytest.approx(2 * stats.norm.sf(15.811388), rel=1e-5)


def test_paired_probabilities_are_uniform_without_a_difference():
    draws = np.random.default_rng(42).integers(-20, 21, size=(5000, 200))
    p = [paired(200, int(t), int(s)).p_value for t, s in zip(draws.sum(axis=1), (draws**2).sum(axis=1))]
    assert stats.kstest(p, "uniform").pvalue > 0.001
    assert 0.04 <= np.mean(np.array(p) < 0.05) <= 0.06


def test_pairing_takes_the_luck_of_the_cards_away():
    rng = np.random.default_rng(43)
    luck = rng.integers(-300, 301, size=2000)
    first, second = luck + rng.integers(0, 21, size=2000), luck + rng.integers(0, 19, size=2000)
    c = paired(*sums_of(first - second))
    apart = math.hypot(mean(*sums_of(first)).se, mean(*sums_of(second)).se)
    assert c.difference.se < apart / 20
    assert c.p_value < 0.01


def test_paired_without_spread():
    same = paired(500, 0, 0)
    assert (same.z, same.p_value) == (0.0, 1.0)
    # Two deals that differ alike prove nothing; a hundred do.
    two = paired(2, 6, 18)
    assert two.p_value == 0.5
    assert 0 < two.z < 1
    assert paired(2, -6, 18).z == -two.z
    assert paired(100, 300, 900).p_value == pytest.approx(2.0**-99)
    assert paired(10**6, 10**6, 10**6).p_value == 0.0
    one = paired(1, 5, 25)
    assert math.isnan(one.z)
    assert math.isnan(one.p_value)
    assert math.isnan(paired(0, 0, 0).p_value)


def test_paired_refuses_impossible_sums():
    with pytest.raises(UsageError):
        paired(2, 10, 49)


def test_family_and_records():
    made = [paired(n, t, s, quantity=q) for q, n, t, s in [("a", 5000, 300, 9000), ("b", 5000, 90, 9000)]]
    adjusted = family(made)
    assert [c.difference for c in adjusted] == [c.difference for c in made]
    assert [c.p_adjusted for c in adjusted] == pytest.approx(holm([c.p_value for c in made]).tolist())
    assert list(made[0].as_record())[-2:] == ["z", "p_value"]
    assert list(adjusted[0].as_record())[-3:] == ["z", "p_value", "p_adjusted"]
    assert made[0].text() == "0.060 ± 0.019, p = 0.0016"
    assert adjusted[0].text() == "0.060 ± 0.019, p = 0.0031"
    assert isinstance(adjusted[0], Comparison)
