"""Control variates: the same numbers as least squares in floats, and honest errors."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simcards.errors import UsageError
from simcards.stats import control_variates, half_width, mean, mean_sequence


def sums_of(y, *controls):
    columns = [[int(v) for v in column] for column in (y, *controls)]
    totals = [sum(column) for column in columns]
    products = [[sum(a * b for a, b in zip(one, two)) for two in columns] for one in columns]
    return len(y), totals, products


def drawn(seed, n=400):
    rng = np.random.default_rng(seed)
    a, b = rng.poisson(3, n), rng.integers(0, 5, n)
    y = 40 * a - 25 * b + rng.normal(0, 30, n).round().astype(int)
    return y, a, b


def test_it_is_the_intercept_of_a_regression():
    y, a, b = drawn(1)
    made = control_variates(*sums_of(y, a, b), [3, 2])
    design = np.column_stack([np.ones(400), a - 3.0, b - 2.0])
    found, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
    variance = rest[0] / (400 - 3) * np.linalg.inv(design.T @ design)[0, 0]
    assert made.estimate.estimate == pytest.approx(found[0], rel=1e-12)
    assert made.coefficients == pytest.approx(found[1:], rel=1e-12)
    assert made.estimate.se == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert made.estimate.half_width == pytest.approx(scipy_stats.t.ppf(0.975, 397) * math.sqrt(variance))
    assert made.estimate.method == "control-variates"
    assert made.plain == mean(400, int(y.sum()), int((y.astype(int) ** 2).sum()))
    assert made.reduction == pytest.approx((made.plain.se / made.estimate.se) ** 2)
    # 40² · 3 + 25² · 2 are explained by a and b, 30² are not
    assert made.reduction == pytest.approx((40**2 * 3 + 25**2 * 2 + 900) / 900, rel=0.25)
    misses = [(a.mean() - 3) / (a.std(ddof=1) / 20), (b.mean() - 2) / (b.std(ddof=1) / 20)]
    assert made.offsets == pytest.approx(misses)


def test_the_known_mean_may_be_a_fraction_and_the_sums_huge():
    y, a, b = drawn(2)
    far = 10**12
    near = control_variates(*sums_of(y, a, b), [Fraction(3), 2.0])
    moved = control_variates(*sums_of(y + far, a + far, b), [Fraction(3 + far), 2.0])
    assert moved.estimate.estimate - far == pytest.approx(near.estimate.estimate, abs=1e-3)
    assert moved.estimate.se == pytest.approx(near.estimate.se, rel=1e-9)
    assert moved.coefficients == pytest.approx(near.coefficients, rel=1e-9)


def test_intervals_hold_the_truth_as_often_as_they_say():
    # Skewed measures, few deals: the cost of estimating the coefficients is in the error.
    rng = np.random.default_rng(3)
    held = plain = 0
    runs, n = 2000, 30
    for _ in range(runs):
        a, b, c = rng.poisson(3, n), rng.integers(0, 5, n), rng.integers(0, 2, n)
        y = 10 * a + rng.poisson(20, n)
        made = control_variates(*sums_of(y, a, b, c), [3, 2, 0.5])
        held += made.estimate.ci_low <= 50 <= made.estimate.ci_high
        plain += made.plain.ci_low <= 50 <= made.plain.ci_high
    assert 0.94 <= held / runs <= 0.96
    assert 0.94 <= plain / runs <= 0.96


def test_what_does_not_vary_or_adds_nothing_is_left_out():
    y, a, b = drawn(4)
    alone = control_variates(*sums_of(y, a), [3])
    same = control_variates(*sums_of(y, a, 2 * a + 1, np.full(400, 7)), [3, 7, 7])
    assert same.estimate == alone.estimate
    assert same.coefficients == (*alone.coefficients, 0.0, 0.0)
    assert same.offsets == (alone.offsets[0], pytest.approx(alone.offsets[0]), 0.0)
    # A constant that is not what it is known to be
    assert control_variates(*sums_of(y, np.full(400, 7)), [8]).offsets == (-math.inf,)
    noise = control_variates(*sums_of(y, np.random.default_rng(5).integers(0, 9, 400)), [4])
    assert noise.reduction == pytest.approx(1.0, abs=0.03)


def test_a_measure_that_is_all_chance_is_known_exactly():
    _, a, _ = drawn(6)
    made = control_variates(*sums_of(5 * a + 2, a), [3])
    assert made.estimate.estimate == pytest.approx(17.0, rel=1e-12)
    assert made.estimate.se == pytest.approx(0.0, abs=1e-6)
    constant = control_variates(*sums_of(np.full(400, 3), a), [3])
    assert (constant.estimate.estimate, constant.estimate.se) == (3.0, 0.0)
    assert math.isnan(constant.reduction)


def test_too_few_deals_and_none():
    y, a, b = drawn(7, n=4)
    made = control_variates(*sums_of(y, a, b), [3, 2])
    assert made.estimate == made.plain
    assert made.coefficients == (0.0, 0.0)
    none = control_variates(0, [0, 0], [[0, 0], [0, 0]], [3])
    assert math.isnan(none.estimate.estimate)
    bare = control_variates(*sums_of(y), [])
    assert bare.estimate == bare.plain


def test_a_run_that_looks_has_a_sequence():
    y, a, b = drawn(8, n=2000)
    n, totals, products = sums_of(y, a, b)
    made = control_variates(n, totals, products, [3, 2], looked=True)
    fixed = control_variates(n, totals, products, [3, 2])
    assert made.plain == mean_sequence(n, totals[0], products[0][0])
    assert made.estimate.se == fixed.estimate.se
    assert made.estimate.half_width == pytest.approx(half_width(n, n * made.estimate.se**2))
    assert made.estimate.method == "confidence-sequence"


@pytest.mark.parametrize(
    "call",
    [
        lambda: control_variates(2, [1, 1], [[1, 1], [1, 1]], []),
        lambda: control_variates(2, [1], [[1, 1], [1, 1]], [1]),
        lambda: control_variates(2, [1, 1], [[1, 1]], [1]),
        lambda: control_variates(2, [1, 1], [[1, 1], [0, 1]], [1]),
        lambda: control_variates(2, [1, 1], [[1, 1], [1, 1]], [math.nan]),
        lambda: control_variates(2, [1, 1.5], [[1, 1], [1, 1]], [1]),
        lambda: control_variates(2, [1, 1], [[1, 1], [1, 1]], [1], confidence=95),
    ],
)
def test_wrong_input_is_refused_in_one_line(call):
    with pytest.raises(UsageError) as caught:
        call()
    assert "\n" not in str(caught.value)
