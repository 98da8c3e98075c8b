"""Comparisons of strategies on the same deals, and families of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError
from simcards.stats.estimate import Estimate
from simcards.stats.intervals import mean


@dataclass(frozen=True, slots=True)
class Comparison:
    """A mean difference, and whether it could be chance.

    Attributes
    ----------
    difference : Estimate
        The mean paired difference.
    z : float
        The difference in standard errors.
    p_value : float
        Two-sided probability of a difference this large if there were none.
    p_adjusted : float, optional
        The same, allowing for all comparisons of the family; see `family`.
    """

    difference: Estimate
    z: float
    p_value: float
    p_adjusted: float | None = None

    def as_record(self) -> dict[str, str | int | float]:
        """Return the row of a table.

        Returns
        -------
        dict
            The row of the difference, then ``z``, ``p_value`` and, where it is set, ``p_adjusted``.
        """
        record = self.difference.as_record() | {"z": self.z, "p_value": self.p_value}
        if self.p_adjusted is not None:
            record["p_adjusted"] = self.p_adjusted
        return record

    def text(self) -> str:
        """Return the difference with its error and its probability.

        Returns
        -------
        str
            Such as ``"12.3 ± 1.4, p = 0.0021"``; the adjusted probability where there is one.
        """
        p = self.p_value if self.p_adjusted is None else self.p_adjusted
        return f"{self.difference.text()}, p = {p:.2g}"


def paired(
    n: int,
    sum_d: int,
    sum_dd: int,
    *,
    quantity: str = "",
    confidence: float = 0.95,
    seat: str | None = None,
    strategy: str | None = None,
) -> Comparison:
    """Compare two strategies by their difference on each deal.

    The luck of the cards, common to both, cancels in the difference. Interval and probability use the
    same distribution (Student's up to 1,000 deals, else the normal), so they never contradict. Both are
    for a number of deals fixed beforehand; in a run that looks as it goes `mean_sequence` of the same
    sums has the interval.

    Parameters
    ----------
    n : int
        Number of deals.
    sum_d, sum_dd : int
        Sum of the differences and of their squares.
    quantity : str
        What is compared.
    confidence : float
        Confidence level.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Comparison
        Where the strategies never differed z is 0 and the probability 1. Where every deal differed by
        the very same amount there is no error to go by, and the probability is that all n signs agree,
        ``2**(1 - n)``. With fewer than two deals both are nan.
    """
    difference = mean(n, sum_d, sum_dd, quantity=quantity, confidence=confidence, seat=seat, strategy=strategy)
    n = difference.n
    if n < 2:
        return Comparison(difference, math.nan, math.nan)
    if difference.se == 0.0:
        if sum_d == 0:
            return Comparison(difference, 0.0, 1.0)
        p = 2.0 ** (1 - n) if n < 1000 else 0.0
        z = -NormalDist().inv_cdf(p / 2.0) if p > 0.0 else math.inf
        return Comparison(difference, math.copysign(z, sum_d), p)
    z = difference.estimate / difference.se
    if difference.method == "student":
        from scipy.special import stdtr

        p = 2.0 * float(stdtr(n - 1, -abs(z)))
    else:
        p = math.erfc(abs(z) / math.sqrt(2.0))
    return Comparison(difference, z, p)


def holm(pvalues: Iterable[float]) -> NDArray[np.float64]:
    """Adjust the probabilities of a family of comparisons by Holm's step-down method.

    Calling every adjusted probability below 5 % a difference errs anywhere in the family with
    probability at most 5 %, however the comparisons hang together.

    Parameters
    ----------
    pvalues : iterable of float
        The probabilities; nan, where a comparison could not be made, stays nan and does not count.

    Returns
    -------
    numpy.ndarray
        Adjusted probabilities in the order given.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6.
    """
    p = np.array(list(pvalues), dtype=np.float64)
    wrong = (p < 0.0) | (p > 1.0)
    if wrong.any():
        raise UsageError(f"a probability must lie between 0 and 1, not {float(p[wrong][0])!r}")
    adjusted = np.full(p.shape, np.nan)
    order = np.argsort(p, kind="stable")  # nan last
    order = order[: int(np.count_nonzero(~np.isnan(p)))]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return adjusted


def family(comparisons: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """Return comparisons with their probabilities adjusted for one another.

    Parameters
    ----------
    comparisons : iterable of Comparison
        All that are reported together.

    Returns
    -------
    tuple of Comparison
        The same in the same order, with `p_adjusted` set by `holm`.
    """
    made = list(comparisons)
    adjusted = holm(comparison.p_value for comparison in made)
    return tuple(replace(c, p_adjusted=float(p)) for c, p in zip(made, adjusted))
