"""How numbers and pairs are read where people type them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal

from simcards.errors import UsageError

_SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_NUMBER = re.compile(r"([+-]?(?:[0-9][0-9_,]*(?:\.[0-9]+)?|\.[0-9]+))(?:e([+-]?[0-9]{1,2}))?\s*([kmg]?)", re.IGNORECASE)


def count(value: str | int | float, name: str = "the number of deals") -> int:
    """Read a whole number as people write it.

    Parameters
    ----------
    value : str or int or float
        Such as ``"5000"``, ``"100k"``, ``"1.5e6"``, ``"1_000_000"``, or a number.
    name : str
        What the error calls it.

    Returns
    -------
    int
        The number; whether it is within bounds is not looked at.

    Raises
    ------
    UsageError
        When it is not a whole number.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        value = repr(value)
    match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise UsageError(f"{name} must be a whole number such as 5000, 100k or 1e6, not {_shown(value)}")
    digits, exponent, suffix = match.groups()
    number = Decimal(re.sub("[_,]", "", digits)).scaleb(int(exponent or 0)) * _SUFFIXES[suffix.lower()]
    if number != number.to_integral_value():
        raise UsageError(f"{name} must be a whole number, not {_shown(value)}")
    return int(number)


def pairs(texts: Iterable[str], option: str, form: str) -> dict[str, str]:
    """Read ``name=value`` texts.

    Parameters
    ----------
    texts : iterable of str
        What was typed.
    option, form : str
        What the error calls it, and how it is written.

    Returns
    -------
    dict of str to str

    Raises
    ------
    UsageError
        When one is not of the form, or a name comes twice.
    """
    read: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise UsageError(f"{option} is written {form}, not {_shown(text)}")
        if name in read:
            raise UsageError(f"{option} gives {name!r} twice")
        read[name] = value
    return read


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:58]}…{text[-1]}"
