"""Intervals for a fixed number of deals: they cover as often as they say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from simcards.errors import UsageError
from simcards.stats import (
    bootstrap,
    exact,
    mean,
    proportion,
    quantile_from_histogram,
    ratio,
    z_score,
)

NAN = math.nan


# ---- proportions ---------------------------------------------------------------------------------


def covering(n, p, **options):
    """For each count that matters: does its interval hold p? The rest have no probability to speak of."""
    reach = 12 * math.sqrt(n * p * (1 - p)) + 40
    counts = np.arange(max(0, int(n * p - reach)), min(n, int(n * p + reach)) + 1)
    inside = np.array([e.ci_low <= p <= e.ci_high for e in (proportion(int(k), n, **options) for k in counts)])
    return counts, inside


def exact_coverage(n, p, **options):
    counts, inside = covering(n, p, **options)
    return float(stats.binom.pmf(counts, n, p)[inside].sum())


@pytest.mark.parametrize("p", [0.5, 0.02])
def test_proportion_covers_as_often_as_it_says(p):
    coverage = exact_coverage(1000, p)
    assert 0.94 <= coverage <= 0.96
    # And by simulation: the same number within its own error.
    counts, inside = covering(1000, p)
    drawn = np.random.default_rng(20240501).binomial(1000, p, size=200_000)
    seen = inside[drawn - counts[0]].mean()
    assert 0.94 <= seen <= 0.96
    assert abs(seen - coverage) < 4 * math.sqrt(coverage * (1 - coverage) / 200_000)


@pytest.mark.parametrize("n", [10, 1000, 10_000, 30_000])
def test_rare_events_are_covered_at_least_as_often_as_it_says(n):
    # Up to 30,000 deals an event of 1 in 10,000 is nearly always seen fewer than ten times.
    assert exact_coverage(n, 1e-4) >= 0.95


def test_the_plain_interval_would_not_have_covered():
    n, p = 1000, 1e-4
    k = np.arange(0, 50)
    half = 1.96 * np.sqrt(k / n * (1 - k / n) / n)
    inside = np.abs(k / n - p) <= half
    assert stats.binom.pmf(k, n, p)[inside].sum() < 0.1


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.99, 0.999])
def test_coverage_at_other_levels(confidence):
    coverage = exact_coverage(1000, 0.3, confidence=confidence)
    assert abs(coverage - confidence) < 0.2 * (1 - confidence)


@settings(deadline=None)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_proportion_agrees_with_scipy(counts, confidence):
    k, n = counts
    got = proportion(k, n, confidence=confidence)
    few = min(k, n - k) < 10
    assert got.method == ("clopper-pearson" if few else "wilson")
    want = stats.binomtest(k, n).proportion_ci(confidence, method="exact" if few else "wilson")
    assert got.ci_low == pytest.approx(want.low, rel=1e-9, abs=1e-12)
    assert got.ci_high == pytest.approx(want.high, rel=1e-9, abs=1e-12)
    assert got.estimate == k / n


@settings(deadline=None)
@given(
    st.integers(0, 10**18).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.01, 0.9999),
)
def test_proportion_bounds(counts, confidence):
    k, n = counts
    e = proportion(k, n, confidence=confidence)
    if n == 0:
        assert math.isnan(e.estimate)
        assert (e.ci_low, e.ci_high) == (0.0, 1.0)
        return
    assert 0.0 <= e.ci_low <= e.estimate <= e.ci_high <= 1.0
    # A float near 1 cannot tell apart what lies closer than 1e-16.
    assert e.ci_high > e.ci_low or (n - k) * 10**6 < n > 10**14
    # Counting failures in place of successes turns the interval around.
    m = proportion(n - k, n, confidence=confidence)
    assert m.ci_low == pytest.approx(1.0 - e.ci_high, abs=1e-12)
    assert m.ci_high == pytest.approx(1.0 - e.ci_low, abs=1e-12)
    assert m.method == e.method
    # More confidence, wider interval.
    wider = proportion(k, n, confidence=(1 + confidence) / 2)
    assert wider.ci_low <= e.ci_low
    assert wider.ci_high >= e.ci_high


@pytest.mark.parametrize("k", [0, 1, 5, 9])
def test_a_few_events_in_huge_runs(k):
    n = 10**15
    e = proportion(k, n)
    # The binomial is then a Poisson, whose bounds are quantiles of chi-square.
    assert e.ci_high * n == pytest.approx(stats.chi2.ppf(0.975, 2 * k + 2) / 2, rel=1e-9)
    assert e.ci_low * n == pytest.approx(stats.chi2.ppf(0.025, 2 * k) / 2 if k else 0.0, rel=1e-9)


def test_numpy_integers_are_counts_too():
    assert proportion(np.int64(5), np.uint32(50)) == proportion(5, 50)


@pytest.mark.parametrize(
    "call",
    [
        lambda: proportion(11, 10),
        lambda: proportion(-1, 10),
        lambda: proportion(0, -1),
        lambda: proportion(0.5, 10),
        lambda: proportion(1, 10, confidence=1.0),
        lambda: proportion(1, 10, confidence=0.0),
        lambda: proportion(1, 10, confidence=95),
        lambda: proportion(1, 10, confidence=NAN),
        lambda: mean(-1, 0, 0),
        lambda: mean(2, 10, 49),  # (5, 5) is the least sum of squares: 50
        lambda: mean(0, 1, 1),
        lambda: mean(0, 0, 1),
        lambda: mean(2, 1.0, 1),
        lambda: mean(2, 1, 1, confidence=1.5),
        lambda: ratio(2, 10, 1, 10, 1, 1),
        lambda: ratio(2, 1, 1, 1, 1, 2),
        lambda: exact(1, 0),
        lambda: exact(1, -2),
        lambda: exact(0.5, 1),
        lambda: bootstrap([[1.0, 2.0]], np.mean, 1),
        lambda: bootstrap([1.0, NAN], np.mean, 1),
        lambda: bootstrap([1.0, 2.0], np.mean, -1),
        lambda: bootstrap([1.0, 2.0], np.mean, 1, resamples=3),
        lambda: quantile_from_histogram([0, 1, 2], [1], 0.5),
        lambda: quantile_from_histogram([0], [], 0.5),
        lambda: quantile_from_histogram([0, 2, 1], [1, 1], 0.5),
        lambda: quantile_from_histogram([0, 1, 2], [1, -1], 0.5),
        lambda: quantile_from_histogram([0, 1, 2], [1, 1], 0.0),
        lambda: quantile_from_histogram([0, 1, 2], [1, 1], 50),
        lambda: z_score(proportion(5, 10), 1.5),
    ],
)
def test_wrong_input_is_refused_in_one_line(call):
    with pytest.raises(UsageError) as caught:
        call()
    assert "\n" not in str(caught.value)


# ---- means ---------------------------------------------------------------------------------------


def sums_of(values):
    values = [int(v) for v in values]
    return len(values), sum(values), sum(v * v for v in values)


def test_mean_of_a_score_covers_as_often_as_it_says():
    # A score as lopsided as those of most games.
    values = np.array([0, 10, 20, 40, 100, 250])
    weights = np.array([0.35, 0.25, 0.2, 0.12, 0.06, 0.02])
    counts = np.random.default_rng(7).multinomial(1200, weights, size=20_000)
    truth = float(values @ weights)
    inside = 0
    for total, squares in zip(counts @ values, counts @ values**2):
        e = mean(1200, int(total), int(squares))
        inside += e.ci_low <= truth <= e.ci_high
    assert e.method == "normal"
    assert 0.94 <= inside / 20_000 <= 0.96


def test_mean_of_a_few_deals_needs_student():
    # Whole numbers with the shape of a normal distribution, so that Student's quantile is exact.
    draws = np.rint(np.random.default_rng(8).normal(0, 1000, size=(20_000, 5))).astype(int)
    inside = too_narrow = 0
    for total, squares in zip(draws.sum(axis=1), (draws**2).sum(axis=1)):
        e = mean(5, int(total), int(squares))
        inside += e.ci_low <= 0 <= e.ci_high
        too_narrow += abs(e.estimate) <= 1.96 * e.se
    assert e.method == "student"
    assert 0.945 <= inside / 20_000 <= 0.955
    assert too_narrow / 20_000 < 0.9


@settings(deadline=None)
@given(st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=50))
def test_mean_agrees_with_the_textbook(values):
    e = mean(*sums_of(values))
    m = Fraction(sum(values), len(values))
    variance = sum((v - m) ** 2 for v in values) / (len(values) - 1)
    assert e.estimate == pytest.approx(float(m), rel=1e-15)
    assert e.se == pytest.approx(math.sqrt(variance / len(values)), rel=1e-14)
    assert e.ci_low <= e.estimate <= e.ci_high
    t = stats.t.ppf(0.975, len(values) - 1)
    assert e.ci_high - e.estimate == pytest.approx(t * e.se, rel=1e-9, abs=1e-15 * abs(e.estimate) * 4)


@settings(deadline=None)
@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=30),
    st.integers(-(10**20), 10**20),
    st.integers(1, 10**6),
)
def test_mean_error_ignores_where_zero_is(values, shift, scale):
    # A float would have lost the variance beneath a mean of 10**20.
    plain, moved = mean(*sums_of(values)), mean(*sums_of(scale * v + shift for v in values))
    assert moved.se == pytest.approx(scale * plain.se, rel=1e-14)
    turned = mean(*sums_of(-v for v in values))
    assert (turned.ci_low, turned.ci_high) == (-plain.ci_high, -plain.ci_low)


def test_mean_of_a_quadrillion_deals():
    # Half of them worth 10**9 + 1, half 10**9 - 1: a variance of 1 beside squares of 10**18.
    n, big = 10**15, 10**9
    e = mean(n, n * big, (n // 2) * ((big + 1) ** 2 + (big - 1) ** 2))
    assert e.estimate == 1e9
    assert e.se == pytest.approx(1 / math.sqrt(n - 1), rel=1e-15)


@pytest.mark.parametrize(("n", "method"), [(2, "student"), (1000, "student"), (1001, "normal")])
def test_mean_method(n, method):
    assert mean(n, n, 2 * n).method == method


def test_mean_of_no_deal_and_of_one():
    none = mean(0, 0, 0)
    assert none.n == 0
    assert all(math.isnan(x) for x in (none.estimate, none.se, none.ci_low, none.ci_high))
    one = mean(1, 5, 25)
    assert one.estimate == 5
    assert all(math.isnan(x) for x in (one.se, one.ci_low, one.ci_high))
    assert mean(4, 20, 100).se == 0.0


# ---- ratios --------------------------------------------------------------------------------------


def test_ratio_covers_as_often_as_it_says():
    # Points for each trick: both vary with the hand, together.
    rng = np.random.default_rng(9)
    a = np.array([0, 5, 12, 20, 35, 60, 90])
    b = np.array([0, 1, 2, 3, 5, 8, 12])
    weights = np.array([0.1, 0.2, 0.25, 0.2, 0.15, 0.07, 0.03])
    truth = (a @ weights) / (b @ weights)
    n, inside = 2000, 0
    products = np.stack([a, b, a * a, b * b, a * b], axis=1)
    rows = rng.multinomial(n, weights, size=10_000) @ products
    for row in rows.tolist():
        e = ratio(n, *row)
        inside += e.ci_low <= truth <= e.ci_high
    assert e.method == "delta"
    assert 0.94 <= inside / 10_000 <= 0.96


def test_ratio_of_a_thing_to_its_multiple_is_certain():
    b = [3, 1, 4, 1, 5]
    a = [7 * v for v in b]
    e = ratio(5, *pair_sums(a, b))
    assert (e.estimate, e.se, e.ci_low, e.ci_high) == (7.0, 0.0, 7.0, 7.0)


def pair_sums(a, b):
    a, b = [int(v) for v in a], [int(v) for v in b]
    return (
        sum(a),
        sum(b),
        sum(v * v for v in a),
        sum(v * v for v in b),
        sum(x * y for x, y in zip(a, b)),
    )


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(-100, 100), st.integers(1, 50)), min_size=2, max_size=40),
    st.integers(1, 10**30),
)
def test_ratio_agrees_with_the_textbook_at_any_scale(pairs, scale):
    a, b = zip(*pairs)
    n, r = len(a), sum(a) / sum(b)
    residual = np.array(a) - r * np.array(b)
    se = math.sqrt((residual**2).sum() / (n * (n - 1))) / np.mean(b)
    plain = ratio(n, *pair_sums(a, b))
    assert plain.estimate == r
    assert plain.se == pytest.approx(se, rel=1e-9, abs=1e-9)
    scaled = ratio(n, *pair_sums([scale * v for v in a], [scale * v for v in b]))
    assert scaled.estimate == pytest.approx(plain.estimate, rel=1e-14)
    assert scaled.se == pytest.approx(plain.se, rel=1e-14)
    assert plain.ci_low <= plain.estimate <= plain.ci_high


def test_ratio_to_what_may_be_zero_is_unbounded():
    a, b = [1, 2, 3, 4], [5, -4, 2, -1]
    e = ratio(4, *pair_sums(a, b))
    assert (e.ci_low, e.ci_high) == (-math.inf, math.inf)
    zero = ratio(2, *pair_sums([1, 2], [1, -1]))
    assert math.isnan(zero.estimate)
    assert math.isnan(ratio(0, 0, 0, 0, 0, 0).estimate)
    assert math.isnan(ratio(1, 4, 2, 16, 4, 8).se)


# ---- bootstrap -----------------------------------------------------------------------------------


def test_bootstrap_covers_roughly():
    rng = np.random.default_rng(10)
    truth, inside, runs = math.log(2), 0, 300
    for i in range(runs):
        e = bootstrap(rng.exponential(size=60), np.median, i, 500)
        inside += e.ci_low <= truth <= e.ci_high
    # 300 runs tell 95 % to within 2.5 % at two standard errors; a median of 60 is itself coarse.
    assert 0.91 <= inside / runs <= 0.98


def test_bootstrap_of_a_mean_agrees_with_the_formula():
    values = np.random.default_rng(11).integers(0, 100, 3000)
    b, m = bootstrap(values, np.mean, 1, 4000), mean(*sums_of(values))
    assert b.estimate == pytest.approx(m.estimate)
    assert b.se == pytest.approx(m.se, rel=0.05)
    assert b.ci_low == pytest.approx(m.ci_low, abs=0.1 * m.se)
    assert b.ci_high == pytest.approx(m.ci_high, abs=0.1 * m.se)
    assert (b.method, b.n) == ("bootstrap", 3000)


def test_bootstrap_repeats_with_its_seed():
    values = np.random.default_rng(12).normal(size=40)
    assert bootstrap(values, np.median, 5, 300) == bootstrap(values, np.median, 5, 300)
    assert bootstrap(values, np.median, 5, 300) != bootstrap(values, np.median, 6, 300)


@pytest.mark.filterwarnings("error")
def test_bootstrap_of_degenerate_samples():
    same = bootstrap(np.ones(20), np.mean, 1, 200)
    assert (same.estimate, same.se, same.ci_low, same.ci_high) == (1.0, 0.0, 1.0, 1.0)
    steps = bootstrap([0] * 29 + [1], np.median, 1, 200)
    assert (steps.ci_low, steps.ci_high) == (0.0, 0.0)
    assert math.isnan(bootstrap([3.0], np.mean, 1, 200).se)
    assert math.isnan(bootstrap([], np.mean, 1, 200).estimate)
    plain = bootstrap([1.0, 2.0, 4.0], lambda x: float(max(x)), 1, 200)  # a statistic without axis
    assert plain.estimate == 4.0


# ---- quantiles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("q", [0.05, 0.5, 0.9])
def test_quantile_covers_at_least_as_often_as_it_says(q):
    # Fine bins under a skewed density: the interval is hardly wider than it must be.
    edges = np.r_[np.linspace(0, 12, 2401), math.inf]
    weights = np.diff(stats.expon.cdf(edges))
    truth = stats.expon.ppf(q)
    counts = np.random.default_rng(13).multinomial(500, weights, size=1000)
    inside = 0
    for row in counts.tolist():
        e = quantile_from_histogram(edges, row, q)
        assert e.ci_low <= e.estimate <= e.ci_high
        inside += e.ci_low <= truth <= e.ci_high
    assert 0.94 <= inside / 1000 <= 0.985


def test_quantile_of_whole_scores():
    # The median of two dice is 7, whatever the interpolation within a bin would say.
    weights = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) / 36
    edges = np.arange(2, 14)
    counts = np.random.default_rng(14).multinomial(2000, weights)
    e = quantile_from_histogram(edges, counts, 0.5, discrete=True)
    assert (e.estimate, e.ci_low, e.ci_high) == (7.0, 7.0, 7.0)
    drawn = np.random.default_rng(15).multinomial(101, weights, size=2000)
    covered = 0
    for row in drawn.tolist():
        e = quantile_from_histogram(edges, row, 0.9, discrete=True)
        covered += e.ci_low <= 10 <= e.ci_high  # P(at most 10) = 33/36, P(at most 9) = 30/36
    assert covered / 2000 >= 0.95


def test_quantile_interval_is_that_of_the_ranks():
    # 100 deals, one to a bin: the ranks of the median are 40 and 61 (a known table).
    e = quantile_from_histogram(np.arange(101), [1] * 100, 0.5)
    assert (e.estimate, e.ci_low, e.ci_high) == (50.0, 39.0, 61.0)
    assert e.se == pytest.approx(5.0)
    ranks = quantile_from_histogram(np.arange(1, 102), [1] * 100, 0.5, discrete=True)
    assert (ranks.estimate, ranks.ci_low, ranks.ci_high) == (50.0, 40.0, 61.0)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=30),
    st.floats(0.01, 0.99),
    st.booleans(),
    st.floats(-100, 100),
)
def test_quantile_bounds_and_shift(counts, q, discrete, shift):
    edges = [float(i) for i in range(len(counts) + 1)]
    e = quantile_from_histogram(edges, counts, q, discrete=discrete)
    if sum(counts) == 0:
        assert math.isnan(e.estimate)
        return
    assert 0 <= e.ci_low <= e.estimate <= e.ci_high <= len(counts)
    assert e.se >= 0
    moved = quantile_from_histogram([x + shift for x in edges], counts, q, discrete=discrete)
    assert moved.estimate == pytest.approx(e.estimate + shift, abs=1e-9)
    assert moved.ci_low == pytest.approx(e.ci_low + shift, abs=1e-9)


def test_quantile_of_huge_counts_and_open_bins():
    half = 5 * 10**14
    e = quantile_from_histogram([-math.inf, 0, 1, math.inf], [0, 2 * half, 0], 0.5)
    assert e.estimate == 0.5
    assert (e.ci_low, e.ci_high) == (0.0, 1.0)
    few = quantile_from_histogram([-math.inf, 0, 1, math.inf], [1, 1, 1], 0.5)
    assert (few.ci_low, few.ci_high) == (-math.inf, math.inf)


# ---- z-scores ------------------------------------------------------------------------------------


def test_z_score_uses_the_known_error_of_a_probability():
    assert z_score(proportion(520, 1000), 0.5) == pytest.approx(0.02 / math.sqrt(0.25 / 1000))
    # No event seen: there is still a score, and it is no cause for alarm.
    assert z_score(proportion(0, 1000), 1e-4) == pytest.approx(-math.sqrt(1e-4 / 0.9999 * 1000))
    assert z_score(proportion(0, 1000), 0.0) == 0.0
    assert z_score(proportion(1, 1000), 0.0) == math.inf


def test_z_score_of_means_and_exact_values():
    e = mean(2000, 20_000, 300_000)
    assert z_score(e, 9.0) == pytest.approx(1.0 / e.se)
    assert z_score(e, 9.0, proportion=False) == z_score(e, 9.0)
    assert z_score(exact(1, 3), 1 / 3) == 0.0
    assert z_score(exact(1, 3), 0.3) == math.inf
    assert z_score(exact(1, 3), 0.4) == -math.inf
    assert math.isnan(z_score(mean(1, 5, 25), 5.0))
    assert math.isnan(z_score(mean(0, 0, 0), 5.0))
    assert math.isnan(z_score(proportion(0, 0), 0.5))


def test_z_scores_of_true_values_are_standard_normal():
    drawn = np.random.default_rng(16).binomial(5000, 0.1, size=4000)
    z = np.array([z_score(proportion(int(k), 5000), 0.1) for k in drawn])
    assert abs(z.mean()) < 4 / math.sqrt(4000)
    assert abs(z.std() - 1) < 4 / math.sqrt(8000)
