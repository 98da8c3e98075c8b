"""How what people type or pass is read: numbers, names, pairs, cards, paths."""

from __future__ import annotations

import contextlib
import math
import operator
import os
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from simcards.errors import UsageError

_SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_NUMBER = re.compile(r"([+-]?(?:[0-9][0-9_,]*(?:\.[0-9]+)?|\.[0-9]+))(?:e([+-]?[0-9]{1,2}))?\s*([kmg]?)", re.IGNORECASE)


def count(value: object, name: str = "the number of deals") -> int:
    """Read a whole number as people write it.

    Parameters
    ----------
    value : object
        A text such as ``"5000"``, ``"100k"``, ``"1.5e6"``, ``"1_000_000"``, or a number.
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
    if not isinstance(value, bool):
        with contextlib.suppress(TypeError):
            return operator.index(value)  # type: ignore[arg-type]
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


def text(value: object, name: str) -> str:
    """Return a name as it was given.

    Parameters
    ----------
    value : object
        What was given.
    name : str
        What the error calls it, such as ``"a game"``.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        When it is no text, or an empty one.
    """
    if not isinstance(value, str):
        raise UsageError(f"{name} is given by its name, not {_shown(value)}")
    if not value.strip():
        raise UsageError(f"{name} is given by its name, not by an empty text")
    return value


def texts(values: object, name: str) -> tuple[str, ...]:
    """Return names as they were given: one, several, or none at all.

    Parameters
    ----------
    values : object
        A text, an iterable of texts, or None.
    name : str
        What the error calls one of them.

    Returns
    -------
    tuple of str

    Raises
    ------
    UsageError
        When one of them is no text.
    """
    if values is None:
        return ()
    if isinstance(values, str) or not isinstance(values, Iterable) or isinstance(values, bytes | Mapping):
        return (text(values, name),)
    return tuple(text(value, name) for value in values)


def mapping(values: object, name: str, example: str) -> dict[str, Any]:
    """Return a mapping by names; None is an empty one.

    Parameters
    ----------
    values : object
        What was given.
    name, example : str
        What the error calls it, and how it is written.

    Returns
    -------
    dict

    Raises
    ------
    UsageError
        When it is something else.
    """
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise UsageError(f"{name} are given as {example}, not {_shown(values)}")
    return dict(values)


def given_cards(values: object) -> dict[str, str]:
    """Return the cards given to hands as texts.

    Parameters
    ----------
    values : object
        A mapping from hands to a text or an iterable of texts, or None.

    Returns
    -------
    dict of str to str

    Raises
    ------
    UsageError
        When it is something else.
    """
    made = {}
    for place, cards in mapping(values, "fixed cards", "{'pone': 'AS KS'}").items():
        several = list(cards) if isinstance(cards, Iterable) and not isinstance(cards, str | bytes) else [cards]
        if not all(isinstance(card, str) for card in several):
            raise UsageError(f"the cards of {place!r} are a text such as 'AS KS', not {_shown(cards)}")
        made[place] = " ".join(several)
    return made


def path_text(value: object, name: str) -> str:
    """Return a path as text.

    Parameters
    ----------
    value : object
        A text or a path.
    name : str
        What the error calls it.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        When it is something else.
    """
    made = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(made, str) or not made:
        raise UsageError(f"{name} is given by its path, not {_shown(value)}")
    return made


def switch(value: object, name: str) -> bool:
    """Return what is either true or false.

    Parameters
    ----------
    value : object
        What was given.
    name : str
        What the error calls it.

    Returns
    -------
    bool

    Raises
    ------
    UsageError
        When it is something else.
    """
    if not isinstance(value, bool):
        raise UsageError(f"{name} is True or False, not {_shown(value)}")
    return value


def level(value: object) -> float:
    """Return a confidence level.

    Parameters
    ----------
    value : object
        What was given.

    Returns
    -------
    float

    Raises
    ------
    UsageError
        When it is no number between 0 and 1.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 < value < 1.0:
        raise UsageError(f"the confidence lies between 0 and 1, such as 0.95, not {_shown(value)}")
    return float(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:58]}…{text[-1]}"
