"""Control variates: what is known about chance is taken out of a mean.

A deal in which good cards came has a high score and many aces. How many aces there are on average is known exactly,
so a sample with too many aces is known to have been lucky, and by how much: the score is corrected by a multiple of
the surplus, found by least squares from the same sample. The error shrinks by the share of the variance that the
quantities of known mean explain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError
from simcards.stats._check import level, whole
from simcards.stats.estimate import Estimate
from simcards.stats.intervals import critical_value, mean
from simcards.stats.sequence import half_width, mean_sequence


@dataclass(frozen=True, slots=True)
class Controlled:
    """A mean corrected by quantities of known mean.

    Attributes
    ----------
    estimate : Estimate
        The corrected mean; method ``control-variates``, or ``confidence-sequence``.
    plain : Estimate
        The same without the correction.
    coefficients : tuple of float
        How much the mean changes by one more of each quantity; 0 for one that did not vary, or that the others make
        up.
    offsets : tuple of float
        By how many standard errors the mean of each quantity misses its known value. One far from 0 says that the
        value is wrong.
    """

    estimate: Estimate
    plain: Estimate
    coefficients: tuple[float, ...]
    offsets: tuple[float, ...]

    @property
    def reduction(self) -> float:
        """How many times more deals would give the same error without the correction."""
        if not self.estimate.se > 0.0:
            return math.inf if self.plain.se > 0.0 else math.nan
        return (self.plain.se / self.estimate.se) ** 2


def control_variates(
    n: int,
    totals: Sequence[int],
    products: Sequence[Sequence[int]],
    known: Sequence[float | Fraction],
    *,
    quantity: str = "",
    confidence: float = 0.95,
    looked: bool = False,
    seat: str | None = None,
    strategy: str | None = None,
) -> Controlled:
    r"""Estimate a mean with the help of quantities whose means are known.

    Parameters
    ----------
    n : int
        Number of deals, all of which have a value of everything.
    totals : sequence of int
        Sums over the deals: of the measure, then of each of the k quantities.
    products : sequence of sequence of int
        Sums over the deals of squares and products, in the same order: k + 1 times k + 1, symmetric.
    known : sequence of float or Fraction
        The known means of the k quantities.
    quantity : str
        What is estimated.
    confidence : float
        Confidence level.
    looked : bool
        Whether the number of deals depends on the result, so that the interval must hold at every look.
    seat, strategy : str, optional
        Labels of the row.

    Returns
    -------
    Controlled
        With fewer than k + 3 deals the correction cannot be found and the plain mean is returned.

    Notes
    -----
    The corrected mean is the intercept of the least-squares regression of the measure on the quantities less their
    known means. Its variance is :math:`s^2 (1/n + d' S^{-1} d)` with the residual variance s² on n - k - 1 degrees
    of freedom, the misses d of the quantities' means, and the centred sums of products S: so the cost of estimating the
    coefficients is in it, and a useless quantity makes the error larger by about ``1/(2n)`` of itself. It is exact for
    normal measures, and for others as good as the normal approximation of a mean.

    References
    ----------
    Lavenberg and Welch (1981), "A perspective on the use of control variables to increase the efficiency of Monte
    Carlo simulations", Management Science 27.
    """
    k = len(known)
    n = whole("the number of deals", n, least=0)
    level(confidence)
    if len(totals) != k + 1 or len(products) != k + 1 or any(len(row) != k + 1 for row in products):
        raise UsageError(f"{k} known means need {k + 1} sums and {k + 1} times {k + 1} sums of products")
    values = [Fraction(value) for value in known if math.isfinite(value)]
    if len(values) < k:
        raise UsageError("a known mean must be a finite number")
    sums = [whole("a sum", total) for total in totals]
    squares = [[whole("a sum of products", value) for value in row] for row in products]
    if any(squares[a][b] != squares[b][a] for a in range(k + 1) for b in range(a)):
        raise UsageError("the sums of products must be symmetric")
    estimated = mean_sequence if looked else mean
    plain = estimated(n, sums[0], squares[0][0], quantity=quantity, confidence=confidence, seat=seat, strategy=strategy)
    if n < k + 3:
        return Controlled(plain, plain, (0.0,) * k, (math.nan,) * k)
    # n times the centred sums: whole numbers, exact before anything is rounded
    centred = [[n * squares[a][b] - sums[a] * sums[b] for b in range(k + 1)] for a in range(k + 1)]
    scale = [math.sqrt(centred[a][a]) for a in range(k + 1)]
    misses = [float(Fraction(sums[a + 1], n) - values[a]) for a in range(k)]
    error = [s / (n * math.sqrt(n - 1)) for s in scale[1:]]
    offsets = tuple(m / e if e else (0.0 if m == 0.0 else math.copysign(math.inf, m)) for m, e in zip(misses, error))
    used = _independent(centred, scale, k)
    if not used or not scale[0]:
        return Controlled(plain, plain, (0.0,) * k, offsets)
    # in units of the spreads, so that the matrix is one of correlations
    matrix = np.array([[centred[a][b] / (scale[a] * scale[b]) for b in used] for a in used])
    target = np.array([centred[a][0] / (scale[a] * scale[0]) for a in used])
    slopes = np.linalg.solve(matrix, target)
    # in these units d'S⁻¹d has the misses over the spreads; centred is n times S
    miss = np.array([misses[a - 1] / (scale[a] / math.sqrt(n)) for a in used])
    unexplained = max(0.0, 1.0 - float(target @ slopes))
    freedom = n - len(used) - 1
    residual = unexplained * (scale[0] / n) * (scale[0] / freedom)
    se = math.sqrt(residual * (1.0 / n + float(miss @ np.linalg.solve(matrix, miss))))
    coefficients = [0.0] * k
    value = plain.estimate
    for place, slope in zip(used, slopes.tolist(), strict=True):
        coefficients[place - 1] = slope * scale[0] / scale[place]
        value -= coefficients[place - 1] * misses[place - 1]
    half = half_width(n, n * se * se, confidence) if looked else critical_value(freedom + 1, confidence)[0] * se
    made = replace(
        plain,
        estimate=value,
        se=se,
        ci_low=value - half,
        ci_high=value + half,
        method="confidence-sequence" if looked else "control-variates",
    )
    return Controlled(made, plain, tuple(coefficients), offsets)


def _independent(centred: list[list[int]], scale: list[float], k: int) -> list[int]:
    """Return the quantities, from 1, that vary and are not made up by those before them."""
    used: list[int] = []
    for place in range(1, k + 1):
        if not scale[place]:
            continue
        trial = [*used, place]
        matrix: NDArray[np.float64] = np.array([[centred[a][b] / (scale[a] * scale[b]) for b in trial] for a in trial])
        if np.linalg.eigvalsh(matrix)[0] > 1e-9:
            used = trial
    return used
