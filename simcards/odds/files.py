"""Questions from a file: TOML, or one question a line."""

from __future__ import annotations

import os
import re
import tomllib
from datetime import date, time
from pathlib import Path
from typing import Any

from simcards.errors import UsageError, unknown

_KEYS = (
    "game",
    "pack",
    "hand",
    "hands",
    "known",
    "given",
    "trump",
    "deals",
    "precision",
    "seed",
    "budget",
    "sampling",
    "confidence",
    "features",
)
_NAMED = re.compile(r"\s*([^'\"()=<>:]+):(?!=)\s*(.+)", re.DOTALL)


def read_questions(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read questions from a file.

    A file that ends in ``.toml`` may have everything that `simcards.odds.odds` takes; its ``features`` are a table of
    names and questions, or a list of questions. Any other file has one question a line, with a name and a colon
    before it if wanted; blank lines and lines that begin with ``#`` are left out.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    dict
        Arguments for `simcards.odds.odds`.

    Raises
    ------
    UsageError
        When the file cannot be read or holds something else.
    """
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name!r} is not a text in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read {name!r}: {reason}") from None
    if "\0" in text:
        raise UsageError(f"{name!r} is not a text")
    if Path(path).suffix.lower() == ".toml":
        return _toml(text, name)
    features = [_line(line) for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not features:
        raise UsageError(f"there is no question in {name!r}")
    return {"features": features}


def _line(line: str) -> str | tuple[str, str]:
    match = _NAMED.fullmatch(line)
    return line.strip() if match is None else (match[1].strip(), match[2].strip())


def _toml(text: str, name: str) -> dict[str, Any]:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name!r} is not TOML: {error}") from None
    for key in read:
        if key not in _KEYS:
            raise unknown(f"key of {name!r}", key, _KEYS)
    features = read.get("features")
    if features is not None:
        read["features"] = _features(features, name)
    for key, kinds in _KINDS.items():
        if key in read:
            _check(key, read[key], kinds, name)
    for key, value in read.get("hands", {}).items():
        _check(f"the hand {key!r}", value, _KINDS["hand"], name)
    if isinstance(read.get("pack"), dict):
        for key, value in read["pack"].items():
            _check(f"{key} of the pack", value, (str, int, list), name)
    if isinstance(read.get("known"), list):
        for card in read["known"]:
            _check("a known card", card, (str,), name)
    return read


def _check(what: str, value: Any, kinds: tuple[type, ...], name: str) -> None:
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise UsageError(f"{what} in {name!r} cannot be {_written(value)}")


def _written(value: Any) -> str:
    """Write a value about as it stands in the file."""
    match value:
        case bool():
            return str(value).lower()
        case date() | time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            return f"{{{', '.join(f'{key} = {_written(inner)}' for key, inner in value.items())}}}"
    return repr(value)


_KINDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "pack": (str, int, dict),
    "hand": (str, int),
    "hands": (dict,),
    "known": (str, list),
    "given": (str,),
    "trump": (str,),
    "deals": (str, int, float),
    "precision": (int, float),
    "seed": (str, int, float),
    "budget": (str, int, float),
    "sampling": (str,),
    "confidence": (float,),
}


def _features(features: Any, name: str) -> list[str | tuple[str, str]]:
    if isinstance(features, str):
        return [features]
    if isinstance(features, dict):
        features = list(features.items())
    found: list[str | tuple[str, str]] = []
    for each in features if isinstance(features, list) else [features]:
        if isinstance(each, dict) and {"expression"} <= set(each) <= {"name", "expression"}:
            each = (each.get("name", each["expression"]), each["expression"])
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, list | tuple) and len(each) == 2 and all(isinstance(part, str) for part in each):
            found.append((each[0], each[1]))
        else:
            raise UsageError(f"features in {name!r} are questions, or names and questions, not {_written(each)}")
    if not found:
        raise UsageError(f"there is no question in {name!r}")
    return found
