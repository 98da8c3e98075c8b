"""Strategies by name: those that come with a game, and one's own as ``file.py:name``."""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from simcards.errors import UsageError, unknown

if TYPE_CHECKING:
    from simcards.games.game import Game, Strategy


def digest(name: str) -> str:
    """Return a hash of the file that a strategy is in.

    Parameters
    ----------
    name : str
        As for `find`.

    Returns
    -------
    str
        64 hexadecimal digits; empty for a strategy that comes with the game.

    Raises
    ------
    UsageError
        When the file cannot be read.
    """
    file, colon, _ = name.rpartition(":")
    return hashlib.sha256(_read(file)).hexdigest() if colon else ""


def find(game: Game, name: str, expected: str = "") -> Strategy:
    """Return a strategy for a game.

    Parameters
    ----------
    game : Game
        The game.
    name : str
        One of the game's, or ``"file.py:name"``, where `name` is a `Strategy` in that file, by its variable
        or by its own name.
    expected : str
        What `digest` returned when the study was planned.

    Returns
    -------
    Strategy

    Raises
    ------
    UsageError
        When there is none, it is for another game, or its file has changed since.
    """
    file, colon, wanted = name.rpartition(":")
    if not colon:
        return game.strategy(name)
    from simcards.games.game import Strategy

    content = _read(file)
    if expected and hashlib.sha256(content).hexdigest() != expected:
        raise UsageError(f"{file} has changed since the study was planned")
    module = _module(file, content)
    found = {variable: value for variable, value in vars(module).items() if isinstance(value, Strategy)}
    found = {**{strategy.name: strategy for strategy in found.values()}, **found}
    if wanted not in found:
        raise unknown(f"strategy in {file}", wanted, found)
    _check(game, name, found[wanted])
    return found[wanted]


def _read(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the strategies in {file!r}: {_reason(error)}") from None


@functools.cache
def _module(file: str, content: bytes) -> ModuleType:
    """Run a file as a module; its content is part of the key, so that a changed file is run anew."""
    module = ModuleType(f"simcards_strategies_{hashlib.sha256(content).hexdigest()[:16]}")
    module.__file__ = str(Path(file).resolve())
    sys.modules[module.__name__] = module  # the compiler looks up a function's module by name
    try:
        exec(compile(content, module.__file__, "exec"), vars(module))
    except Exception as error:
        del sys.modules[module.__name__]
        raise UsageError(f"{file} cannot be run: {type(error).__name__}: {_reason(error)}") from error
    return module


def _check(game: Game, name: str, strategy: Strategy) -> None:
    from numba import from_dtype

    if len(strategy.policies) != len(game.phases):
        phases = ", ".join(game.phases)
        raise UsageError(
            f"{name} has {len(strategy.policies)} policies; {game.ruleset.id} needs one a phase ({phases})"
        )
    view = from_dtype(game.view)
    if any(policy.signature().args[0] != view for policy in strategy.policies):
        raise UsageError(f"{name} is a strategy for another game than {game.ruleset.id}")


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0]
