"""Keys of experiment files: what values they take, and what their values are read as."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcards.errors import UsageError, nearest, unknown
from simcards.study.players import parse

KINDS = ("report", "play", "match", "compare", "bids", "grids")
ALONE = KINDS[:3]  # kinds that are about one game


@dataclass(frozen=True)
class Key:
    """One key of an experiment file.

    Attributes
    ----------
    types : tuple of type
        What TOML values it may have.
    words : str
        The same in words.
    kinds : tuple of str
        Kinds of experiment in which it means something.
    """

    types: tuple[type, ...]
    words: str
    kinds: tuple[str, ...] = KINDS


WHOLE: tuple[tuple[type, ...], str] = ((int, float), "a whole number")
TEXT: tuple[tuple[type, ...], str] = ((str,), "a text")
TABLE: tuple[tuple[type, ...], str] = ((dict,), "a table")
NAMES: tuple[tuple[type, ...], str] = ((str, list), "a name or a list of names")


def check_keys(data: Mapping[str, Any], keys: Mapping[str, Key]) -> None:
    """Raise unless all keys are known and have values of the right type.

    Parameters
    ----------
    data : mapping
        What was read.
    keys : mapping
        The keys there are.

    Raises
    ------
    UsageError
        For the first that is not.
    """
    for key, value in data.items():
        if key not in keys:
            tables = [f"[{name}]" for name, known in keys.items() if dict in known.types]
            inside = ""
            if isinstance(value, dict) and not nearest(key, keys) and tables:
                *most, last = tables
                inside = f"; tables are {', '.join(most)} and {last}" if most else f"; the only table is {last}"
            raise UsageError(f"{unknown('key', key, keys)}{inside}")
        known = keys[key]
        if not isinstance(value, known.types) or isinstance(value, bool):
            raise UsageError(f"{key} must be {known.words}, not {short(value)}")


def check_kind(data: Mapping[str, Any], keys: Mapping[str, Key], kind: str, kinds: Iterable[str]) -> None:
    """Raise unless the kind is known and every key means something in it.

    Parameters
    ----------
    data : mapping
        What was read.
    keys : mapping
        The keys there are.
    kind : str
        The kind.
    kinds : iterable of str
        The kinds there are.

    Raises
    ------
    UsageError
        For an unknown kind, or the first key without a meaning.
    """
    if kind not in kinds:
        raise unknown("kind of experiment", kind, kinds)
    for key in data:
        if kind not in keys[key].kinds:
            raise UsageError(f"{key} means nothing in an experiment of the kind {kind!r}")


def whole(key: str, value: float) -> int:
    """Return a number, also one like 1e6, as a whole number.

    Parameters
    ----------
    key : str
        What the error calls it.
    value : int or float
        The number.

    Returns
    -------
    int

    Raises
    ------
    UsageError
        When it is not whole.
    """
    if value != value or value in (float("inf"), float("-inf")) or value != int(value):
        raise UsageError(f"{key} must be a whole number, not {value}")
    return int(value)


def names_of(key: str, value: str | list[Any]) -> tuple[str, ...]:
    """Return a name or a list of names as names.

    Parameters
    ----------
    key : str
        What the error calls it.
    value : str or list
        What was read.

    Returns
    -------
    tuple of str

    Raises
    ------
    UsageError
        When something else is among them.
    """
    names = [value] if isinstance(value, str) else value
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"{key} must be a name or a list of names, not {short(name)} among them")
    return tuple(names)


def strategies(kind: str, value: str | list[Any], trusted: bool, key: str = "strategies") -> tuple[str, ...]:
    """Return the names of strategies, without opening the files they may be in.

    Parameters
    ----------
    kind : str
        Kind of experiment.
    value : str or list
        What was read.
    trusted : bool
        Whether strategies in files may be named.
    key : str
        What the error calls them.

    Returns
    -------
    tuple of str

    Raises
    ------
    UsageError
        For what is not a name, a file that is not trusted, or too few for a match.
    """
    names = names_of(key, value)
    for name in names:
        if files(name) and not trusted:
            raise UsageError(
                f"{key}: {name!r} is in a file, which is a program; if you trust it, run the experiment with "
                "--trust-strategies (in Python trust_strategies=True)"
            )
    if kind == "match" and len(names) < 2:
        raise UsageError("strategies must be two names or more in an experiment of the kind 'match'")
    return names


def files(name: str) -> list[str]:
    """Return the files that the parts of a strategy are in; they are not opened.

    Parameters
    ----------
    name : str
        The strategy.

    Returns
    -------
    list of str
    """
    return [part.file for part in parse(name) if part.file]


def placed(name: str, folder: os.PathLike[str]) -> str:
    """Return the name of a strategy with its files in a folder.

    Parameters
    ----------
    name : str
        The strategy.
    folder : path-like
        The folder.

    Returns
    -------
    str
    """
    return "+".join(
        part.text.replace(part.file, os.fspath(Path(folder) / part.file), 1) if part.file else part.text
        for part in parse(name)
    )


def rule(name: str, value: object) -> int | str:
    """Return the value of a rule.

    Parameters
    ----------
    name : str
        The rule.
    value : object
        What was read.

    Returns
    -------
    int or str

    Raises
    ------
    UsageError
        When it is something else.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UsageError(f"rules.{name} must be a whole number or a word, not {short(value)}")
    return value


def short(value: object) -> str:
    """Write a value as it stands in the file, more or less.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
    """
    said = " ".join((str if isinstance(value, datetime.date | datetime.time) else repr)(value).split())
    return said if len(said) <= 60 else f"{said[:57]}…"
