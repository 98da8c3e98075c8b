"""One number with its error: the row of which every table of results is made."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal

from simcards.errors import UsageError

# Within these magnitudes numbers are written in plain digits, outside of them with an exponent.
_PLAIN_FROM = -4
_PLAIN_UP_TO = 15
# A float holds no more significant digits than this, so none are written.
_DIGITS = 17
# Enough for the widest spread of places that two floats can ask for.
_WIDE = Context(prec=700, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A quantity, its estimate, and how far the estimate may be off.

    Attributes
    ----------
    quantity : str
        What was measured.
    n : int
        Number of deals behind the estimate; 0 for an exact value.
    estimate, se : float
        The value and its standard error (0 for an exact value, nan where it is unknown).
    ci_low, ci_high : float
        Bounds of the confidence interval.
    method : str
        How the interval was made: ``exact``, ``wilson``, ``clopper-pearson``, ``normal``, ``student``,
        ``delta``, ``bootstrap``, ``order-statistic``, ``control-variates``, ``bradley-terry`` or
        ``confidence-sequence``.
    numerator, denominator : int, optional
        The exact fraction, where `method` is ``exact``.
    seat, strategy : str, optional
        Whom the number is about.
    """

    quantity: str
    n: int
    estimate: float
    se: float
    ci_low: float
    ci_high: float
    method: str
    numerator: int | None = None
    denominator: int | None = None
    seat: str | None = None
    strategy: str | None = None

    @property
    def half_width(self) -> float:
        """The distance from the estimate to the farther bound; what a precision target is held against."""
        return max(self.estimate - self.ci_low, self.ci_high - self.estimate)

    def divided(self, divisor: float) -> Estimate:
        """Return the estimate of a share of the quantity.

        Parameters
        ----------
        divisor : float
            Into how many shares it is divided, above 0.

        Returns
        -------
        Estimate
        """
        return replace(
            self,
            estimate=self.estimate / divisor,
            se=self.se / divisor,
            ci_low=self.ci_low / divisor,
            ci_high=self.ci_high / divisor,
        )

    def as_record(self) -> dict[str, str | int | float]:
        """Return the row of a table.

        Returns
        -------
        dict
            The seven columns that every row has, then the fraction (as decimal strings, since it may be
            larger than any machine integer), seat and strategy where they are set.
        """
        record: dict[str, str | int | float] = {
            "quantity": self.quantity,
            "n": self.n,
            "estimate": self.estimate,
            "se": self.se,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "method": self.method,
        }
        if self.numerator is not None and self.denominator is not None:
            record["numerator"] = str(self.numerator)
            record["denominator"] = str(self.denominator)
        if self.seat is not None:
            record["seat"] = self.seat
        if self.strategy is not None:
            record["strategy"] = self.strategy
        return record

    def text(self) -> str:
        """Return the number as people write it, rounded as its error demands.

        Returns
        -------
        str
            ``"1235 ± 12"``; without the error for an exact value; with ``± ?`` where the error is
            unknown; and with its bounds, ``"0.0010 (0.0000 to 0.0056)"``, where the interval is lopsided or
            the standard error vanishes though the interval does not, as for an event never seen.
        """
        if self.method == "exact":
            return _unrounded(self.estimate)
        if math.isnan(self.estimate):
            return "nan"
        lopsided = self.method == "clopper-pearson" or (self.se == 0.0 and self.ci_high > self.ci_low)
        if lopsided:
            value, low, high = _to_place_of(self.half_width, self.estimate, self.ci_low, self.ci_high)
            return f"{value} ({low} to {high})"
        value, error = round_to_error(self.estimate, self.se)
        return f"{value} ± {'?' if error == 'nan' else error}"


def round_to_error(estimate: float, se: float) -> tuple[str, str]:
    """Write an estimate and its standard error to the place that the error warrants.

    The error keeps two significant digits and the estimate is cut at the same place. Where there is no
    error to go by (0, nan or infinite) the estimate keeps six significant digits, or all of them when
    it is a whole number. Very large and very small pairs share one exponent.

    Parameters
    ----------
    estimate : float
        The value.
    se : float
        Its standard error.

    Returns
    -------
    tuple of str
        The estimate and the error, both readable by `float`.

    Examples
    --------
    >>> round_to_error(1234.567, 12.3)
    ('1235', '12')
    >>> round_to_error(0.012345, 0.00067)
    ('0.01234', '0.00067')
    """
    if se < 0.0:
        raise UsageError(f"a standard error cannot be negative: {se!r}")
    value, error = _to_place_of(se, estimate, se)
    return value, error


def _to_place_of(se: float, *values: float) -> tuple[str, ...]:
    """Write `values` to the place of the second significant digit of `se`, alike in form."""
    finite = [float(v) for v in values if math.isfinite(v)]
    if not (math.isfinite(se) and se > 0.0) or not finite:
        return tuple(_unrounded(v) for v in values)
    top = max(_exponent(v) for v in [se, *finite])
    place = _exponent(float(f"{se:.1e}")) - 1
    if place < top - _DIGITS:
        # The error is beyond the digits of the value: each then gets its own.
        return tuple(_unrounded(v) if abs(v) > se else f"{v:.1e}" for v in values)
    shared = 0 if _PLAIN_FROM <= top < _PLAIN_UP_TO else top
    return tuple(_quantized(v, place, shared) if math.isfinite(v) else _unrounded(v) for v in values)


def _exponent(value: float) -> int:
    """Return the power of ten of the leading digit; far below any float for zero."""
    return Decimal(repr(float(value))).adjusted() if value else -400


def _quantized(value: float, place: int, shared: int) -> str:
    """Round to a multiple of ``10**place`` and write it in units of ``10**shared``."""
    # The decimal that people see is rounded (0.012345), not the binary fraction beneath it.
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(place), context=_WIDE)
    if not rounded:
        rounded = rounded.copy_abs()  # no "-0.00"
    digits = f"{rounded.scaleb(-shared, context=_WIDE):f}"
    return f"{digits}e{shared}" if shared else digits


def _unrounded(value: float) -> str:
    """Write a value that has no error to be rounded by."""
    if math.isfinite(value) and value == int(value) and abs(value) < 10.0**_PLAIN_UP_TO:
        return str(int(value))
    return f"{value:.6g}"
