"""Checks of what the functions of this package are given: one line of error, raised early."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from simcards.errors import UsageError


def whole(name: str, value: SupportsIndex, least: int | None = None) -> int:
    """Return `value` as a Python int of any size.

    Parameters
    ----------
    name : str
        What the value is called in the error.
    value : int
        A Python or NumPy integer; a float is refused even when it is whole, since sums must be exact.
    least : int, optional
        The smallest value allowed.

    Returns
    -------
    int
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"{name} must be a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise UsageError(f"{name} must be at least {least}, not {number}")
    return number


def level(confidence: float) -> float:
    """Return `confidence` when it lies strictly between 0 and 1.

    Parameters
    ----------
    confidence : float
        Such as 0.95.

    Returns
    -------
    float
    """
    if not 0.0 < confidence < 1.0:  # also refuses nan
        raise UsageError(f"confidence must lie between 0 and 1, such as 0.95, not {confidence!r}")
    return float(confidence)
