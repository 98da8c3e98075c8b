"""Intervals that stay true however often one looks: for runs that go on until precise enough.

An interval for a fixed number of deals errs with probability 5 % at that number. Looked at again and
again while deals come in, with the run stopped at a look that pleases, it errs far more often. The
intervals here form a confidence sequence: the probability that *any* of them, at whatever look, misses
the true value is 5 %. The price is a width about 1.6 to 2 times that of the fixed interval.

For means the sequence is the asymptotic one of Waudby-Smith et al., a closed form. For proportions it is
the beta-binomial mixture of Robbins in the tuning of Howard et al.: the same width once events are many,
and valid also when they are few or none, where a sample variance would be zero and a run would stop at
once, sure of a probability of nought.

References
----------
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and asymptotic
confidence sequences", Annals of Statistics 52.
Howard, Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic confidence
sequences", Annals of Statistics 49.
Robbins (1970), "Statistical methods related to the law of the iterated logarithm", Annals of
Mathematical Statistics 41.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from simcards.errors import UsageError
from simcards.stats._check import level, whole
from simcards.stats.estimate import Estimate
from simcards.stats.intervals import counted, standard_error, sums

MINIMUM = 1000
"""Deals before the first look: the normal approximation of a mean needs some."""

TUNED_FOR = 5000
"""Deals at which the sequence is narrowest by default.

A few times the minimum: at the first look, where the approximation is poorest, the interval then has
room to spare, and runs of ten thousand to a million deals lose little.
"""

# Beyond these log-odds a probability is 0 or 1 for any number of deals a float can tell apart.
_FARTHEST = 300.0


def half_width(n: int, variance: float, confidence: float = 0.95, tuned_for: int = TUNED_FOR) -> float:
    r"""Return half the width of the confidence sequence for a mean at `n` deals.

    It is :math:`\sigma\sqrt{\frac{2(n\rho^2+1)}{n^2\rho^2}\log\frac{\sqrt{n\rho^2+1}}{\alpha}}`.

    Parameters
    ----------
    n : int
        Number of deals.
    variance : float
        Variance of one deal's value, as estimated so far.
    confidence : float
        Confidence level, over all looks together.
    tuned_for : int
        Number of deals at which to be narrowest. It must be chosen before the run.

    Returns
    -------
    float
        Infinite without deals.
    """
    n = whole("n", n, least=0)
    if not variance >= 0.0:
        raise UsageError(f"a variance cannot be negative: {variance!r}")
    if n == 0:
        return math.inf
    alpha = 1.0 - level(confidence)
    x = n / _prior_deals(confidence, tuned_for)  # n·rho²
    return math.sqrt(variance * (x + 1.0) / (x * n) * (math.log1p(x) - 2.0 * math.log(alpha)))


def mean_sequence(
    n: int,
    total: int,
    total_squares: int,
    *,
    bounds: tuple[float, float] | None = None,
    quantity: str = "",
    confidence: float = 0.95,
    tuned_for: int = TUNED_FOR,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate a mean during a run, with an interval that holds at every look together.

    Like the central limit theorem this is an approximation, good for measures whose values are not
    very unequal; it needs some deals (hence the minimum), and more of them the more lopsided the measure
    is. A prize of 250 points won in one deal of 2,000 makes it err in 8 to 13 % of runs in place of 5 %,
    because a sample that has too few of the prizes has too small a variance as well. Where the `bounds`
    of the measure are known, give them: the interval then also allows for the variance being larger if
    the mean is, and holds for such measures too. For the frequency of an event use
    `proportion_sequence`, which is no approximation.

    Parameters
    ----------
    n : int
        Number of deals so far.
    total, total_squares : int
        Sum of the values and of their squares.
    bounds : tuple of float, optional
        Least and greatest value that a deal can have. With R the distance from the estimate to the
        farther one, and h the half-width for a variance of 1, the half-width becomes
        ``h²R/2 + sqrt((h²R/2)² + h²·variance)``: the widening goes with R/n, and is soon gone.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level, over all looks together.
    tuned_for : int
        Number of deals at which to be narrowest. It must be chosen before the run.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``confidence-sequence``. While every value was the same the sample says nothing about its
        spread, and a run must not stop on that: without `bounds` the interval is then unbounded.

    Notes
    -----
    A prize at distance R from the other values, won with probability p, moves the mean by p·R and the
    variance by p·R²: by R for one, and no other change within the bounds moves the variance by more.
    Solving ``(mean - estimate)² = h²·(variance + R·|mean - estimate|)`` gives the half-width above, as
    solving the like equation for a proportion gives Wilson's interval. It has the form of the empirical
    Bernstein bound of Maurer and Pontil (2009).
    """
    n, total, total_squares = sums(n, total, total_squares)
    estimate = total / n if n else math.nan
    se = standard_error(n, total, total_squares)
    level(confidence)
    reach = 0.0
    if bounds is not None and n:
        least, greatest = bounds
        if not least <= estimate <= greatest:
            raise UsageError(f"the mean {estimate:g} lies outside of its bounds, {least:g} to {greatest:g}")
        reach = max(estimate - least, greatest - estimate)
    deviations = n * total_squares - total * total
    if n == 0:
        half = math.nan
    elif reach == 0.0 and deviations == 0:
        half = math.inf
    else:
        unit = half_width(n, 1.0, confidence, tuned_for)
        extra = unit * unit * reach / 2.0
        spread = math.sqrt(deviations / (n * (n - 1))) if n > 1 else 0.0
        half = extra + math.hypot(extra, unit * spread)
    low, high = estimate - half, estimate + half
    return Estimate(quantity, n, estimate, se, low, high, "confidence-sequence", seat=seat, strategy=strategy)


def proportion_sequence(
    successes: int,
    n: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    tuned_for: int = TUNED_FOR,
    seat: str | None = None,
    strategy: str | None = None,
) -> Estimate:
    """Estimate a probability during a run, with an interval that holds at every look together.

    The interval holds every p under which the deals seen are not too unlikely: the likelihood averaged
    over a beta distribution around p, divided by the likelihood of p itself, is a martingale of mean 1
    if p is true, so by Ville's inequality it ever exceeds ``1/alpha`` with probability at most alpha.
    This is no approximation: it holds for any p and from the first deal, and with no events seen in
    1,000 deals or more the upper bound is 8/n at most. The beta distribution weighs ``1/rho²`` deals
    with the rho of `half_width`, and once events are many the width is that of `half_width` with the
    variance ``p(1-p)``.

    Parameters
    ----------
    successes, n : int
        How often the event happened so far, in how many deals.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level, over all looks together.
    tuned_for : int
        Number of deals at which to be narrowest. It must be chosen before the run.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Estimate
        Method ``confidence-sequence``. Without deals the estimate is nan and the interval [0, 1].
    """
    k, n = counted(successes, n)
    prior = _prior_deals(confidence, tuned_for)
    threshold = -math.log(1.0 - confidence)
    if n == 0:
        p, se, low, high = math.nan, math.nan, 0.0, 1.0
    else:
        p = k / n
        se = math.sqrt(p * ((n - k) / n) / n)
        low = min(p, _lower_bound(k, n, prior, threshold))
        high = max(p, _upper_bound(k, n, prior, threshold))
    return Estimate(quantity, n, p, se, low, high, "confidence-sequence", seat=seat, strategy=strategy)


def looks(first: int = MINIMUM, growth: float = 1.25) -> Iterator[int]:
    """Yield the numbers of deals at which a run looks whether it is precise enough.

    The schedule depends on nothing but its arguments, in particular not on how the work is cut into
    chunks, so a run stops at the same deal on every machine. Numbers are rounded to three digits where
    that leaves them increasing.

    Parameters
    ----------
    first : int
        The first look.
    growth : float
        Factor from one look to the next.

    Yields
    ------
    int
        1000, 1250, 1560, 1950, 2440, ... without end.
    """
    n = whole("the first look", first, least=1)
    if not 1.0 < growth < math.inf:
        raise UsageError(f"growth must be more than 1, not {growth!r}")
    factor = Fraction(repr(float(growth)))
    return _looks(n, factor)


def _looks(n: int, factor: Fraction) -> Iterator[int]:
    while True:
        yield n
        following = math.ceil(n * factor)
        rounded = int(round(n * factor, min(0, 3 - len(str(following)))))
        # Three digits are too few for a factor near 1.
        n = rounded if rounded > n else following


def _prior_deals(confidence: float, tuned_for: int) -> float:
    """Return 1/rho² for the rho that makes the sequence narrowest at `tuned_for` deals.

    With x = n·rho² the squared width goes with ``(1 + 1/x)·(log(1 + x) + 2·log(1/alpha))``, which is least
    where ``x = log(1 + x) + 2·log(1/alpha)``, that is at ``x = -1 - W(-alpha²/e)`` on the lower branch of
    Lambert's function. The beta distribution weighs as much as this many deals.
    """
    tuned_for = whole("tuned_for", tuned_for, least=1)
    alpha = 1.0 - level(confidence)
    target = -2.0 * math.log(alpha)
    # Newton's method on a convex function, from above: it cannot overshoot, and ends where it stands still.
    x = 2.0 * target + 2.0
    while True:
        step = (x - math.log1p(x) - target) * (1.0 + x) / x
        if step <= 1e-14 * x:
            return tuned_for / x
        x -= step


def _log_evidence(k: int, n: int, prior: float, log_odds: float) -> float:
    """Return the log of the beta-averaged likelihood over the likelihood of p, p given by its log-odds.

    This is ``log(B(mp + k, mq + n - k) / B(mp, mq)) - k·log(p) - (n - k)·log(q)`` for a beta distribution
    that weighs m deals. Written out by Stirling's formula the huge terms cancel by hand, so that nothing
    is lost to rounding at 10**15 deals, and the remainders are exact where the arguments are small.
    """
    p, q = 1.0 / (1.0 + math.exp(-log_odds)), 1.0 / (1.0 + math.exp(log_odds))
    weight = prior + n
    excess = k - n * p if p < q else n * q - (n - k)
    a, b = prior * p + k, prior * q + (n - k)
    # log1p would lose the small a when k = 0: a/(weight·p) is then prior/weight exactly.
    return (
        a * _log_ratio(excess / (weight * p), a / (weight * p))
        + b * _log_ratio(-excess / (weight * q), b / (weight * q))
        - 0.5 * math.log((a / (prior * p)) * (b / q) / weight)
        + (_stirling_rest(a) - _stirling_rest(prior * p))
        + (_stirling_rest(b) - _stirling_rest(prior * q))
        - (_stirling_rest(weight) - _stirling_rest(prior))
    )


def _log_ratio(relative_excess: float, ratio: float) -> float:
    """Return log(ratio), where ratio = 1 + relative_excess, by whichever of the two is more precise."""
    return math.log1p(relative_excess) if abs(relative_excess) < 0.5 else math.log(ratio)


def _stirling_rest(x: float) -> float:
    """Return log(gamma(x)) less the main terms of Stirling's formula."""
    if x > 100.0:
        return 1.0 / (12.0 * x) - 1.0 / (360.0 * x**3)
    return math.lgamma(x) - ((x - 0.5) * math.log(x) - x + 0.5 * math.log(2.0 * math.pi))


def _lower_bound(k: int, n: int, prior: float, threshold: float) -> float:
    """Return the p below k/n at which the evidence against p reaches the threshold; 0 if there is none."""
    if k == 0:
        return 0.0
    inside = _FARTHEST if k == n else math.log(k / (n - k))
    return _crossing(k, n, prior, threshold, inside, -_FARTHEST)


def _upper_bound(k: int, n: int, prior: float, threshold: float) -> float:
    """Return the p above k/n at which the evidence against p reaches the threshold; 1 if there is none."""
    if k == n:
        return 1.0
    inside = -_FARTHEST if k == 0 else math.log(k / (n - k))
    return _crossing(k, n, prior, threshold, inside, _FARTHEST)


def _crossing(k: int, n: int, prior: float, threshold: float, inside: float, outside: float) -> float:
    """Find by halving where the evidence, which is convex in p and negative at k/n, reaches the threshold."""
    if _log_evidence(k, n, prior, outside) < threshold:
        return 0.0 if outside < 0.0 else 1.0
    for _ in range(80):
        middle = 0.5 * (inside + outside)
        if _log_evidence(k, n, prior, middle) < threshold:
            inside = middle
        else:
            outside = middle
    # The outer end: never narrower than the exact interval.
    return 1.0 / (1.0 + math.exp(-outside))
