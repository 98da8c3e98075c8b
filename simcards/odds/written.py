"""How numbers are written in answers: without exponents as long as a person can read them so."""

from __future__ import annotations

import math
from fractions import Fraction

_LEAST_SHOWN = 1e-11  # a probability below this, or as near to 1, is only said to be so


def several(number: int, what: str) -> str:
    """Write how many there are of something.

    Parameters
    ----------
    number : int
        How many.
    what : str
        One of it, such as ``"deal"``.

    Returns
    -------
    str
        ``"1 deal"``, ``"1,000 deals"``.
    """
    return f"{number:,} {what}{'s' * (number != 1)}"


def one_in(value: float) -> str:
    """Write odds as people say them.

    Parameters
    ----------
    value : float
        How many deals there are for one success.

    Returns
    -------
    str
        ``"1 in 621.29"``, ``"1 in 1,792"``, or nothing.
    """
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "1 in more than 10^308"
    if value == int(value) and value < 1e15:
        return f"1 in {int(value):,}"
    if value < 10.0:
        return f"1 in {value:.4f}"
    if value < 10_000.0:
        return f"1 in {value:,.2f}"
    return f"1 in {value:,.0f}" if value < 1e15 else f"1 in {_power(value, 4)}"


def percent(value: float | Fraction) -> str:
    """Write a probability in per cent with five significant digits, two where it is below 0.001 %.

    Parameters
    ----------
    value : float or Fraction
        The probability.

    Returns
    -------
    str
        ``"0.16096 %"``, ``"0.000024 %"``, ``"99.999976 %"``; only what is certain is 0 % or 100 %.
    """
    rest = 1 - value  # exact for a fraction
    if value in (0, 1):
        return f"{int(100 * value)} %"
    if value < _LEAST_SHOWN:
        return f"< {fixed(100.0 * _LEAST_SHOWN, 1)} %"
    if rest < _LEAST_SHOWN:
        return f"> {100.0 - 100.0 * _LEAST_SHOWN:.9f} %"
    if rest < 1e-5:
        return f"{100.0 * float(value):.{_decimals(100.0 * float(rest), 2)}f} %"
    return f"{fixed(100.0 * float(value), 5 if value >= 1e-5 else 2)} %"


def fixed(value: float, digits: int) -> str:
    """Write a number without an exponent, as long as a person can read it so.

    Parameters
    ----------
    value : float
        The number.
    digits : int
        Significant digits.

    Returns
    -------
    str
        ``"0.000024"``, ``"1.5"``, ``"1234567"``; ``"1.5 × 10^17"`` from 10**15 on.
    """
    if value == 0.0:
        return "0"
    if not 1e-12 <= abs(value) < 1e15:
        return _power(value, digits)
    text = f"{value:.{max(0, _decimals(value, digits))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimals(value: float, digits: int) -> int:
    """Return the place of the last significant digit."""
    return digits - 1 - int(f"{value:.{digits - 1}e}".partition("e")[2])


def _power(value: float, digits: int) -> str:
    number, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{number} × 10^{int(exponent)}"
