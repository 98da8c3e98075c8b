"""Sequences that may be looked at as often as one likes: they err no more often than they say."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from simcards.errors import UsageError
from simcards.stats import half_width, looks, mean, mean_sequence, proportion, proportion_sequence
from simcards.stats.sequence import TUNED_FOR, _log_evidence, _prior_deals

RUNS = 20_000
SCHEDULES = {
    "growing": list(itertools.islice(looks(1000, 1.05), 200)),  # from a thousand to some ten millions
    "steady": list(range(1000, 21_000, 100)),
}


# ---- proportions ---------------------------------------------------------------------------------


def accepted(interval, n, p):
    """Least and greatest count whose interval holds p. Both bounds rise with the count."""
    reach = int(12 * math.sqrt(n * p * (1 - p))) + 30
    least, most = max(0, int(n * p) - reach), min(n, int(n * p) + reach)

    def first(wanted):
        low, high = least, most + 1
        while low < high:
            middle = (low + high) // 2
            if wanted(interval(middle, n)):
                high = middle
            else:
                low = middle + 1
        return low

    return first(lambda e: e.ci_high >= p), first(lambda e: e.ci_low > p) - 1


def wrong_at_any_look(intervals, schedule, p, seed):
    """Share of runs in which each kind of interval misses p at one look or more."""
    rng = np.random.default_rng(seed)
    seen = np.zeros(RUNS, dtype=np.int64)
    wrong = np.zeros((len(intervals), RUNS), dtype=bool)
    for n, step in zip(schedule, np.diff([0, *schedule])):
        seen += rng.binomial(step, p, size=RUNS)
        for row, interval in zip(wrong, intervals):
            low, high = accepted(interval, n, p)
            row |= (seen < low) | (seen > high)
    return wrong.mean(axis=1)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("p", [0.5, 0.02, 0.0005])
def test_proportion_sequence_survives_200_looks(schedule, p):
    assert len(SCHEDULES[schedule]) == 200
    [error] = wrong_at_any_look([proportion_sequence], SCHEDULES[schedule], p, seed=31)
    # Valid in theory; 20,000 runs would tell 5.5 % from 5 %.
    assert error <= 0.05
    # And no wider than it needs to be.
    assert error >= 0.015


def test_the_fixed_interval_does_not_survive_200_looks():
    growing, steady = (wrong_at_any_look([proportion], SCHEDULES[s], 0.5, seed=32)[0] for s in ("growing", "steady"))
    assert growing > 0.5
    assert steady > 0.25


@pytest.mark.parametrize("p", [0.5, 0.1, 0.01])
def test_proportion_sequence_looked_at_after_every_deal_exactly(p):
    # Not a simulation: the probabilities of all counts, less those outside of the interval at each deal.
    alive, lost = np.array([1.0]), 0.0
    for n in range(1, 301):
        alive = np.convolve(alive, [1 - p, p])
        low, high = accepted(lambda k, n: proportion_sequence(k, n, tuned_for=50), n, p)
        lost += alive[:low].sum() + alive[high + 1 :].sum()
        alive[:low] = alive[high + 1 :] = 0.0
    assert alive.sum() + lost == pytest.approx(1.0)
    assert 0.001 < lost <= 0.05


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (50, 0.01), (1000, 0.02), (1000, 0.999), (20_000, 1e-5)])
def test_evidence_against_the_truth_has_mean_one(n, p):
    # What makes the sequence valid: the evidence is a martingale.
    prior = _prior_deals(0.95, TUNED_FOR)
    counts = range(n + 1)
    evidence = np.array([_log_evidence(k, n, prior, math.log(p / (1 - p))) for k in counts])
    assert np.exp(evidence + stats.binom.logpmf(np.array(counts), n, p)).sum() == pytest.approx(1.0, rel=1e-8)


@settings(deadline=None)
@given(
    st.integers(0, 5000),
    st.integers(0, 5000),
    st.floats(-20, 20),
    st.floats(0.5, 2000),
)
def test_evidence_agrees_with_the_beta_function(k, other, log_odds, prior):
    n = k + other
    p, q = special.expit(log_odds), special.expit(-log_odds)
    want = (
        special.betaln(prior * p + k, prior * q + other)
        - special.betaln(prior * p, prior * q)
        - k * np.log(p)
        - other * np.log(q)
    )
    # The difference of large logarithms loses digits; the formula under test does not.
    assert _log_evidence(k, n, prior, log_odds) == pytest.approx(want, rel=1e-8, abs=1e-8)


@settings(deadline=None)
@given(st.integers(1, 10**18).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_proportion_sequence_bounds(counts):
    k, n = counts
    e = proportion_sequence(k, n)
    assert 0.0 <= e.ci_low <= e.estimate <= e.ci_high <= 1.0
    # A float near 1 cannot tell apart what lies closer than 1e-16.
    assert e.ci_high > e.ci_low or (n - k) * 10**6 < n > 10**14
    turned = proportion_sequence(n - k, n)
    assert turned.ci_low == pytest.approx(1.0 - e.ci_high, abs=1e-12)
    assert turned.ci_high == pytest.approx(1.0 - e.ci_low, abs=1e-12)


@pytest.mark.parametrize("n", [1000, 10**6, 10**15])
def test_an_event_never_seen_does_not_end_a_run(n):
    none, all_ = proportion_sequence(0, n), proportion_sequence(n, n)
    assert 3 / n < none.ci_high * 1.01
    assert none.ci_high <= 8 / n
    assert none.ci_low == 0.0
    assert none.half_width == none.ci_high
    assert all_.ci_high == 1.0
    assert all_.ci_low < 1.0
    # One event is no proof that p is not tiny.
    assert proportion_sequence(1, n).ci_low == 0.0


@pytest.mark.parametrize("p", [0.5, 0.1, 0.02])
def test_proportion_sequence_becomes_the_closed_form(p):
    for n in (10**6, 10**9, 10**15):
        e = proportion_sequence(int(n * p), n)
        closed = half_width(n, e.estimate * (1 - e.estimate))
        assert (e.ci_high - e.ci_low) / 2 == pytest.approx(closed, rel=0.003)


def test_proportion_sequence_without_deals():
    e = proportion_sequence(0, 0)
    assert math.isnan(e.estimate)
    assert (e.ci_low, e.ci_high, e.method) == (0.0, 1.0, "confidence-sequence")


# ---- means ---------------------------------------------------------------------------------------

MILD = ([0, 1, 2, 3, 4, 8], [0.4, 0.3, 0.15, 0.1, 0.04, 0.01])  # skewness 1.6
SKEWED = ([0, 10, 100], [0.9, 0.09, 0.01])  # skewness 8.7
PRIZE = ([0, 250], [0.9995, 0.0005])  # skewness 45
PENALTY = ([-250, 0, 20], [0.002, 0.898, 0.1])
UNSEEN = ([0, 30, 1000], [0.94, 0.0595, 0.0005])  # most runs have seen no 1000 at the first look


def wrong_means_at_any_look(values, weights, schedule, bounded, seed):
    """Share of runs in which the sequence, then the fixed interval, misses the mean at a look or more."""
    rng = np.random.default_rng(seed)
    values = np.array(values)
    truth = float(values @ np.array(weights))
    counts = np.zeros((RUNS, values.size), dtype=np.int64)
    wrong, wrong_fixed = np.zeros(RUNS, dtype=bool), np.zeros(RUNS, dtype=bool)
    bounds = (int(values.min()), int(values.max())) if bounded else None
    for n, step in zip(schedule, np.diff([0, *schedule])):
        counts += rng.multinomial(step, weights, size=RUNS)
        totals, squares = counts @ values, counts @ values**2
        m = totals / n
        variance = (squares - n * m * m) / (n - 1)
        unit = half_width(n, 1.0)
        reach = np.maximum(m - values.min(), values.max() - m) if bounded else np.zeros(RUNS)
        half = unit**2 * reach / 2 + np.hypot(unit**2 * reach / 2, unit * np.sqrt(np.maximum(variance, 0)))
        constant = counts.max(axis=1) == n
        half[constant & (reach == 0)] = math.inf
        wrong |= np.abs(m - truth) > half
        wrong_fixed |= np.abs(m - truth) > 1.96 * np.sqrt(np.maximum(variance, 0) / n)
        # The arrays above are the function, many runs at once.
        for i in range(3):
            e = mean_sequence(n, int(totals[i]), int(squares[i]), bounds=bounds)
            assert e.half_width == pytest.approx(half[i], rel=1e-6)
    return wrong.mean(), wrong_fixed.mean()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_mean_sequence_survives_200_looks(schedule):
    error, fixed = wrong_means_at_any_look(*MILD, SCHEDULES[schedule], bounded=False, seed=33)
    assert 0.015 <= error <= 0.05
    assert fixed > 0.3


@pytest.mark.parametrize("measure", [MILD, SKEWED, PRIZE, PENALTY, UNSEEN])
def test_mean_sequence_with_bounds_survives_rare_prizes(measure):
    for schedule in SCHEDULES.values():
        error, _ = wrong_means_at_any_look(*measure, schedule[::2], bounded=True, seed=34)
        assert error <= 0.05


def test_without_bounds_a_rare_prize_is_beyond_the_approximation():
    # The limit that the documentation speaks of: it would be wrong not to know.
    error, _ = wrong_means_at_any_look(*PRIZE, SCHEDULES["growing"][::2], bounded=False, seed=35)
    assert 0.05 < error < 0.2


def test_first_look_of_the_usual_schedule_is_safe_for_a_skewed_score():
    usual = list(itertools.islice(looks(), 45))  # to 18 million deals
    error, _ = wrong_means_at_any_look(*SKEWED, usual, bounded=False, seed=36)
    assert error <= 0.05


def test_the_bounds_cost_nothing_in_a_long_run():
    n = 10**7
    total, squares = 300 * n, (300**2 + 200**2) * n
    plain, bounded = mean_sequence(n, total, squares), mean_sequence(n, total, squares, bounds=(0, 3000))
    assert plain.half_width < bounded.half_width < 1.02 * plain.half_width


@settings(deadline=None)
@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=30).filter(lambda v: len(set(v)) > 1),
    st.integers(1, 10**15),
    st.integers(-(10**15), 10**15),
)
def test_mean_sequence_of_huge_runs(values, times, shift):
    moved = [v + shift for v in values]
    n, total, squares = len(values) * times, sum(moved) * times, sum(v * v for v in moved) * times
    e, fixed = mean_sequence(n, total, squares), mean(n, total, squares)
    assert e.ci_low <= e.estimate <= e.ci_high
    assert (e.estimate, e.se, e.method) == (fixed.estimate, fixed.se, "confidence-sequence")
    variance = np.var(values) * n / (n - 1)
    resolution = 4e-16 * abs(e.estimate)
    assert e.half_width == pytest.approx(half_width(n, variance), rel=1e-9, abs=resolution)


def test_a_constant_does_not_end_a_run():
    assert mean_sequence(10**6, 0, 0).half_width == math.inf
    assert mean_sequence(10**6, 5 * 10**6, 25 * 10**6).half_width == math.inf
    assert mean_sequence(10**6, 0, 0, bounds=(0, 0)).half_width == math.inf
    assert mean_sequence(1, 3, 9).half_width == math.inf
    bounded = mean_sequence(1000, 0, 0, bounds=(0, 250))
    assert 250 * 8 / 1000 < bounded.half_width < 250 * 12 / 1000
    assert math.isnan(mean_sequence(0, 0, 0).estimate)
    assert math.isnan(mean_sequence(0, 0, 0).ci_low)


# ---- width ---------------------------------------------------------------------------------------


def test_half_width_is_the_published_formula():
    n, rho, alpha = 5000, math.sqrt(1 / _prior_deals(0.9, 2000)), 0.1
    want = math.sqrt(2 * (n * rho**2 + 1) / (n**2 * rho**2) * math.log(math.sqrt(n * rho**2 + 1) / alpha)) * math.sqrt(
        7.0
    )
    assert half_width(n, 7.0, 0.9, tuned_for=2000) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.9, 0.95, 0.9999, 1 - 1e-12])
def test_tuning_solves_its_equation(confidence):
    x = 1000 / _prior_deals(confidence, 1000)
    alpha = 1 - confidence
    assert x == pytest.approx(-1 - special.lambertw(-(alpha**2) / math.e, -1).real, rel=1e-6)


@settings(deadline=None)
@given(st.integers(1, 10**9), st.floats(0.5, 0.999), st.floats(0.2, 5.0))
def test_tuning_is_the_best_at_its_deals(tuned_for, confidence, factor):
    other = max(1, round(tuned_for * factor))
    best = half_width(tuned_for, 1.0, confidence, tuned_for=tuned_for)
    assert best <= half_width(tuned_for, 1.0, confidence, tuned_for=other) * (1 + 1e-12)


@settings(deadline=None)
@given(st.integers(1, 10**18), st.floats(0, 1e12), st.floats(0.01, 0.999))
def test_half_width_shrinks_with_deals_and_grows_with_the_rest(n, variance, confidence):
    width = half_width(n, variance, confidence)
    assert half_width(4 * n, variance, confidence) <= width
    assert half_width(n, 4 * variance, confidence) == pytest.approx(2 * width)
    assert half_width(n, variance, (1 + confidence) / 2) >= width
    # Never as narrow as the interval that may be looked at only once.
    assert width >= stats.norm.ppf((1 + confidence) / 2) * math.sqrt(variance / n)


def test_half_width_without_deals_or_spread():
    assert half_width(0, 1.0) == math.inf
    assert half_width(10, 0.0) == 0.0


# ---- looks ---------------------------------------------------------------------------------------


def test_looks_by_default():
    assert list(itertools.islice(looks(), 12)) == [
        1000, 1250, 1560, 1950, 2440, 3050, 3810, 4760, 5950, 7440, 9300, 11600,
    ]  # fmt: skip


@settings(deadline=None)
@given(st.integers(1, 10**9), st.floats(1.0001, 10))
def test_looks_increase_by_about_the_factor(first, growth):
    schedule = list(itertools.islice(looks(first, growth), 60))
    assert schedule[0] == first
    assert all(isinstance(n, int) for n in schedule)
    for a, b in itertools.pairwise(schedule):
        assert b > a
        assert b <= a * growth * 1.005 + 1
        assert b >= a * growth * 0.994 - 1 or b == math.ceil(a * growth)
        if growth >= 1.02 and b >= 1000:
            assert b % 10 ** (len(str(b)) - 3) == 0 or b == math.ceil(a * growth)


def test_looks_go_on_beyond_floats():
    assert next(itertools.islice(looks(1000, 10), 400, None)) == 10**403


@pytest.mark.parametrize(
    "call",
    [
        lambda: looks(0),
        lambda: looks(1000, 1.0),
        lambda: looks(1000, math.nan),
        lambda: looks(1000.5),
        lambda: half_width(-1, 1.0),
        lambda: half_width(10, -1.0),
        lambda: half_width(10, math.nan),
        lambda: half_width(10, 1.0, 1.0),
        lambda: half_width(10, 1.0, tuned_for=0),
        lambda: mean_sequence(2, 10, 49),
        lambda: mean_sequence(0, 0, 0, confidence=2),
        lambda: mean_sequence(2, 10, 52, bounds=(0, 4)),
        lambda: proportion_sequence(3, 2),
        lambda: proportion_sequence(0, 0, confidence=0),
    ],
)
def test_wrong_input_is_refused_in_one_line(call):
    # At the call, not at the first look.
    with pytest.raises(UsageError) as caught:
        call()
    assert "\n" not in str(caught.value)
