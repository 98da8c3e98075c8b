"""Intervals for a number of deals fixed beforehand: proportions, means, ratios, quantiles.

Sums come in as exact Python integers of any size, and variances are worked out in integers before
anything is rounded: a sum of squares less a squared sum loses every digit in floats once the deals are
many and the mean is far from zero.
"""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simcards.errors import UsageError
from simcards.stats._check import level, whole
from simcards.stats.estimate import Estimate

FEW_EVENTS = 10
"""With fewer successes or failures than this a proportion gets the Clopper–Pearson interval."""

STUDENT_UP_TO = 1000
"""Up to this many deals a mean gets Student's quantile, beyond it the normal one."""

# A binomial rank among more deals than this is taken from the normal curve: it is then off by less than
# one part in ten thousand of its own spread.
_EXACT_RANKS_UP_TO = 10**9
# Numbers held at once while resampling.
_BOOTSTRAP_BATCH = 4_000_000
# The acceleration of the BCa bootstrap is found by leaving out one value at a time, a square of work.
_BCA_UP_TO = 2000


def proportion(
    successes: int,
    n: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate a probability from a count.

    The interval is Wilson's; with fewer than ten successes or fewer than ten failures, none included, it
    is that of Clopper and Pearson, which never covers less often than it says. The plain
    ``p ± z·sqrt(p(1-p)/n)`` is not used anywhere: it vanishes when nothing was seen.

    Parameters
    ----------
    successes, n : int
        How often the event happened, in how many deals.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Its `se` is ``sqrt(p(1-p)/n)`` at the observed p, so 0 where no event was seen: use the interval.
        Without deals the estimate is nan and the interval is all of [0, 1].

    References
    ----------
    Brown, Cai and DasGupta (2001), "Interval estimation for a binomial proportion", Statistical Science.
    """
    k, n = counted(successes, n)
    tail = (1.0 - level(confidence)) / 2.0
    failures = n - k
    if n == 0:
        return Estimate(quantity, 0, math.nan, math.nan, 0.0, 1.0, "clopper-pearson", seat=seat, strategy=strategy)
    p, q = k / n, failures / n
    se = math.sqrt(p * q / n)
    if min(k, failures) < FEW_EVENTS:
        method = "clopper-pearson"
        from scipy.special import betainccinv, betaincinv

        low = float(betaincinv(k, failures + 1, tail)) if k else 0.0
        high = float(betainccinv(k + 1, failures, tail)) if failures else 1.0
    else:
        method = "wilson"
        z = -NormalDist().inv_cdf(tail)
        shrink = 1.0 + z * z / n
        centre = (p + z * z / (2.0 * n)) / shrink
        half = z * math.sqrt(p * q / n + z * z / (4.0 * n * n)) / shrink
        low, high = centre - half, centre + half
    # The last bit may fall on the wrong side when the interval is no wider than the float's resolution.
    return Estimate(quantity, n, p, se, min(low, p), max(high, p), method, seat=seat, strategy=strategy)


def mean(
    n: int,
    total: int,
    total_squares: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate the mean of a whole-number measure from its exact sums.

    Parameters
    ----------
    n : int
        Number of deals.
    total, total_squares : int
        Sum of the values and of their squares.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``student`` up to 1,000 deals, ``normal`` beyond. Without deals everything is nan; from a
        single deal the error is nan. Where every value was the same the error is 0 and the interval a
        point, which says nothing about a value too rare to have been seen.
    """
    n, total, total_squares = sums(n, total, total_squares)
    critical, method = critical_value(n, confidence)
    estimate = total / n if n else math.nan
    se = standard_error(n, total, total_squares)
    half = critical * se
    return Estimate(quantity, n, estimate, se, estimate - half, estimate + half, method, seat=seat, strategy=strategy)


def clustered_proportion(
    n: int,
    total: int,
    total_squares: int,
    many: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    strategy: str | None = None,
    estimate: Callable[..., Estimate] = proportion,
) -> Estimate:
    """Estimate a probability from events that come several to a deal and are not independent within it.

    Parameters
    ----------
    n : int
        Number of deals.
    total, total_squares : int
        Sum of the events in a deal, and of their squares.
    many : int
        How many events there can be in a deal.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    strategy : str, optional
        Label of the row.
    estimate : callable
        How the interval is made: `proportion`, or `proportion_sequence` in a run that looks as it goes.

    Returns
    -------
    Estimate
        The interval is that of a proportion among as many independent events as would have the same error.
    """
    if many == 1:
        return estimate(total, n, quantity=quantity, confidence=confidence, strategy=strategy)
    rate = mean(n, total, total_squares, quantity=quantity, strategy=strategy).divided(many)
    p, size = rate.estimate, n
    if rate.se > 0.0:
        size = max(1, round(p * (1.0 - p) / rate.se**2))
    events = round(p * size) if n else 0
    made = estimate(events, size, quantity=quantity, confidence=confidence, strategy=strategy)
    return replace(rate, ci_low=min(made.ci_low, p), ci_high=max(made.ci_high, p), method=made.method)


def ratio(
    n: int,
    sum_a: int,
    sum_b: int,
    sum_aa: int,
    sum_bb: int,
    sum_ab: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate the ratio of two means, mean(a) / mean(b), by the delta method.

    The error is that of the mean of ``a - r·b`` over the deals, divided by the mean of b.

    Parameters
    ----------
    n : int
        Number of deals.
    sum_a, sum_b, sum_aa, sum_bb, sum_ab : int
        Sums over the deals of a, b, a², b² and a·b.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``delta``. Where the mean of b cannot be told from zero at the same confidence the ratio
        may be anything, and the interval is unbounded (as is Fieller's); where the sum of b is zero the
        estimate is nan.
    """
    n, sum_a, sum_aa = sums(n, sum_a, sum_aa)
    n, sum_b, sum_bb = sums(n, sum_b, sum_bb)
    sum_ab = whole("the sum of products", sum_ab)
    if sum_ab * sum_ab > sum_aa * sum_bb:
        raise UsageError("the sum of products is larger than the sums of squares allow")
    critical, _ = critical_value(n, confidence)
    estimate = sum_a / sum_b if sum_b else math.nan
    se = math.nan
    if n > 1 and sum_b:
        # Sum of (a - r·b)², times sum_b²: a whole number.
        residual = sum_aa * sum_b**2 - 2 * sum_ab * sum_a * sum_b + sum_bb * sum_a**2
        se = math.sqrt(n * residual / ((n - 1) * sum_b**4))
    low, high = estimate - critical * se, estimate + critical * se
    if n > 1 and abs(sum_b / n) <= critical * standard_error(n, sum_b, sum_bb):
        low, high = -math.inf, math.inf
    return Estimate(quantity, n, estimate, se, low, high, "delta", seat=seat, strategy=strategy)


def exact(
    numerator: int,
    denominator: int = 1,
    *,
    quantity: str = "",
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Make the row of a quantity that was counted and not simulated.

    Parameters
    ----------
    numerator, denominator : int
        The value as a fraction, kept as given.
    quantity : str
        What was counted.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``exact``, no deals, no error, both bounds at the value.
    """
    numerator = whole("the numerator", numerator)
    denominator = whole("the denominator", denominator, least=1)
    value = numerator / denominator
    return Estimate(
        quantity, 0, value, 0.0, value, value, "exact", numerator, denominator, seat=seat, strategy=strategy
    )


def bootstrap(
    values: ArrayLike,
    statistic: Callable[..., Any],
    seed: int,
    resamples: int = 2000,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate any statistic of a sample by drawing the sample anew from itself.

    Parameters
    ----------
    values : array_like
        One value a deal.
    statistic : callable
        Takes an array, returns a number. One that also takes ``axis``, such as `numpy.median`, is
        called once for many resamples and is much faster.
    seed : int
        Seed of the resampling; the same seed gives the same interval.
    resamples : int
        How many times to draw.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``bootstrap``: bias-corrected and accelerated (BCa) up to 2,000 values, percentile beyond
        (there the two hardly differ, and the first costs the square of the sample). Fewer than two
        values give a nan error and interval.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise UsageError(f"values must be one-dimensional, not of shape {sample.shape}")
    if not np.isfinite(sample).all():
        raise UsageError("values must be finite numbers")
    confidence = level(confidence)
    seed = whole("the seed", seed, least=0)
    resamples = whole("resamples", resamples, least=100)
    n = int(sample.size)
    estimate = float(statistic(sample)) if n else math.nan
    se = low = high = math.nan
    if n > 1:
        from scipy import stats

        with warnings.catch_warnings():
            # Where leave-one-out samples are all alike scipy divides by zero, warns and returns nan: that
            # case is settled below. Warnings of the statistic itself are let through.
            warnings.simplefilter("ignore", stats.DegenerateDataWarning)
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"scipy\.")
            result = stats.bootstrap(
                (sample,),
                statistic,
                n_resamples=resamples,
                batch=max(1, _BOOTSTRAP_BATCH // n),
                confidence_level=confidence,
                method="BCa" if n <= _BCA_UP_TO else "percentile",
                rng=np.random.default_rng(seed),
            )
        se = float(result.standard_error)
        low, high = float(result.confidence_interval.low), float(result.confidence_interval.high)
        if math.isnan(low) or math.isnan(high):
            # BCa has no correction to make where the statistic does not vary over leave-one-out samples.
            tail = (1.0 - confidence) / 2.0
            low, high = (float(x) for x in np.quantile(result.bootstrap_distribution, [tail, 1.0 - tail]))
    return Estimate(quantity, n, estimate, se, low, high, "bootstrap", seat=seat, strategy=strategy)


def quantile_from_histogram(
    edges: Sequence[float] | np.ndarray[Any, Any],
    counts: Iterable[int],
    q: float,
    *,
    discrete: bool = False,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate a quantile of a measure of which only a histogram was kept.

    The number of deals below the true quantile is binomial, which gives two ranks between which the
    quantile lies whatever the distribution; the bounds are the outer edges of the bins that hold the
    deals of those ranks. So the interval is never too short, and no finer than the bins.

    Parameters
    ----------
    edges : array_like
        Increasing edges, one more than there are bins; a bin holds its left edge and not its right one.
        Together the bins must hold every possible value: let the outermost edges be infinite where the
        outermost bins are open.
    counts : iterable of int
        Deals in each bin.
    q : float
        Which quantile: 0.5 for the median.
    discrete : bool
        Whether each bin holds one value only, its left edge, as unit bins of whole scores do. Otherwise
        values are taken to lie evenly over a bin.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``order-statistic``. Its `se` is half the distance between the quantiles one standard
        error of a count below and above q (Woodruff 1952). Without deals everything is nan.
    """
    bounds = [float(edge) for edge in edges]
    tally = [whole("a count", count, least=0) for count in counts]
    if len(bounds) != len(tally) + 1 or not tally:
        raise UsageError(f"{len(tally)} counts need {len(tally) + 1} edges, not {len(bounds)}")
    if not all(a < b for a, b in itertools.pairwise(bounds)):
        raise UsageError("the edges of a histogram must increase")
    if not 0.0 < q < 1.0:
        raise UsageError(f"a quantile must lie between 0 and 1, not {q!r}")
    tail = (1.0 - level(confidence)) / 2.0
    upto = list(itertools.accumulate(tally))
    n = upto[-1]
    if n == 0:
        nan = math.nan
        return Estimate(quantity, 0, nan, nan, nan, nan, "order-statistic", seat=seat, strategy=strategy)

    def value_at(position: Fraction) -> float:
        """Value below which `position` of the n deals lie."""
        # Empty bins are stepped over: no deal's value is there.
        i = bisect.bisect_left(upto, position) if position > 0 else bisect.bisect_right(upto, 0)
        left, right = bounds[i], bounds[i + 1]
        if discrete or math.isinf(right):
            return left
        if math.isinf(left):
            return right
        share = max(0.0, float((position - (upto[i] - tally[i])) / tally[i]))
        return left + share * (right - left)

    # As a decimal fraction: 0.1 of 10 deals is 1 deal, not 1.00000000000000005.
    position = Fraction(repr(float(q))) * n
    estimate = value_at(position)
    spread = Fraction(math.sqrt(q * (1.0 - q) / n)) * n
    se = (value_at(min(position + spread, Fraction(n))) - value_at(max(position - spread, Fraction(0)))) / 2.0

    lower, upper = _ranks(n, q, tail)
    low, high = bounds[0], bounds[-1]
    if lower >= 1:
        low = bounds[bisect.bisect_left(upto, lower)]
    if upper <= n:
        last = bisect.bisect_left(upto, upper)
        high = bounds[last] if discrete else bounds[last + 1]
    return Estimate(quantity, n, estimate, se, low, high, "order-statistic", seat=seat, strategy=strategy)


def z_score(estimate: Estimate, exact: float, *, proportion: bool | None = None) -> float:
    """Return by how many standard errors an estimate misses the exact value.

    Parameters
    ----------
    estimate : Estimate
        The simulated value.
    exact : float
        The true value.
    proportion : bool, optional
        Whether the estimate is a probability, whose error then follows from the exact value and so is
        known even when no event was seen. By default this is told from the method.

    Returns
    -------
    float
        0 where both agree, infinite where they differ though there is no error, nan where the error is
        unknown.
    """
    if proportion is None:
        proportion = estimate.method in ("wilson", "clopper-pearson")
    error = estimate.se
    if proportion and estimate.n > 0:
        if not 0.0 <= exact <= 1.0:
            raise UsageError(f"a probability must lie between 0 and 1, not {exact!r}")
        error = math.sqrt(exact * (1.0 - exact) / estimate.n)
    miss = estimate.estimate - exact
    if error == 0.0 and not math.isnan(miss):
        return math.copysign(math.inf, miss) if miss else 0.0
    return miss / error


def counted(successes: int, n: int) -> tuple[int, int]:
    """Check a count of successes among `n` deals.

    Parameters
    ----------
    successes, n : int
        The counts.

    Returns
    -------
    tuple of int
        The same, as Python ints.
    """
    n = whole("n", n, least=0)
    successes = whole("successes", successes, least=0)
    if successes > n:
        raise UsageError(f"there cannot be more successes ({successes}) than deals ({n})")
    return successes, n


def sums(n: int, total: int, total_squares: int) -> tuple[int, int, int]:
    """Check that a sum and a sum of squares can belong to `n` values.

    Parameters
    ----------
    n, total, total_squares : int
        Number of values, their sum, the sum of their squares.

    Returns
    -------
    tuple of int
        The same, as Python ints.
    """
    n = whole("n", n, least=0)
    total = whole("the total", total)
    total_squares = whole("the total of squares", total_squares, least=0)
    if n * total_squares < total * total or (n == 0 and total_squares):
        raise UsageError(f"no {n} values have the sum {total} and the sum of squares {total_squares}")
    return n, total, total_squares


def standard_error(n: int, total: int, total_squares: int) -> float:
    """Return the standard error of a mean from exact sums.

    Parameters
    ----------
    n, total, total_squares : int
        Number of values, their sum, the sum of their squares.

    Returns
    -------
    float
        nan for fewer than two values.
    """
    if n < 2:
        return math.nan
    # One division of exact integers, correctly rounded however large they are.
    return math.sqrt((n * total_squares - total * total) / (n * n * (n - 1)))


def critical_value(n: int, confidence: float) -> tuple[float, str]:
    """Return the quantile by which a standard error is multiplied, and the name of its distribution.

    Parameters
    ----------
    n : int
        Number of deals.
    confidence : float
        Confidence level.

    Returns
    -------
    tuple of float and str
        ``student`` up to 1,000 deals, nan for fewer than two; ``normal`` beyond.
    """
    tail = (1.0 - level(confidence)) / 2.0
    if n > STUDENT_UP_TO:
        return -NormalDist().inv_cdf(tail), "normal"
    if n < 2:
        return math.nan, "student"
    from scipy.special import stdtrit

    return -float(stdtrit(n - 1, tail)), "student"


def _ranks(n: int, q: float, tail: float) -> tuple[int, int]:
    """Return the ranks, from 1, of the deals between which the q-quantile lies.

    A rank of 0 or of n + 1 says that no deal bounds the quantile on that side.
    """
    if n > _EXACT_RANKS_UP_TO:
        reach = -NormalDist().inv_cdf(tail) * math.sqrt(n * q * (1.0 - q))
        middle = Fraction(repr(float(q))) * n
        return max(0, math.floor(middle - Fraction(reach))), min(n, math.ceil(middle + Fraction(reach))) + 1
    from scipy import stats

    return int(stats.binom.ppf(tail, n, q)), int(stats.binom.isf(tail, n, q)) + 1
