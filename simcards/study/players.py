"""Strategies by name: those that come with a game, one's own as ``file.py:name``, their parameters and mixtures.

A name is one part or several joined by ``+``. A part is ``[phase=]strategy[:parameter=number,...]``. It decides in the
phase it names, or in all that it knows of; what an earlier part decides is not asked of a later one::

    mc:worlds=50
    own.py:bold:courage=3
    declare=own.py:bold+mc
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards.errors import UsageError, unknown
from simcards.study.spoken import aside_of_results

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.games.ruleset import RuleSet
    from simcards.study.own import OwnStrategy

_FILE = r"[^+]+\.py"
_PART = re.compile(rf"(?:(?P<phase>[\w-]+)=)?(?:(?P<file>{_FILE}):)?(?P<name>[\w-]+)(?::(?P<values>[^+]*))?")


@dataclass(frozen=True)
class Part:
    """One part of the name of a strategy.

    Attributes
    ----------
    text : str
        As it was written.
    phase : str
        The phase it is for; empty for all.
    file : str
        The file it is in; empty for a strategy that comes with the game.
    name : str
        What it is called there.
    values : tuple of pair
        Its parameters that were given.
    """

    text: str
    phase: str
    file: str
    name: str
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Player:
    """What the driver is given for one seat.

    Attributes
    ----------
    policies : tuple
        One a phase: objects that the driver calls by their address.
    options : ndarray of OPTIONS, shape (phases,)
        What each is to know besides.
    """

    policies: tuple[Any, ...]
    options: np.ndarray[Any, Any]


def parse(name: object) -> tuple[Part, ...]:
    """Take the name of a strategy apart, without looking whether there is such a strategy.

    Parameters
    ----------
    name : str
        As described at the head of this module.

    Returns
    -------
    tuple of Part

    Raises
    ------
    UsageError
        When it is not put together like a name.
    """
    if not isinstance(name, str):
        raise UsageError(f"a strategy is given by its name, not {name!r}")
    parts = []
    for text in name.split("+"):
        found = _PART.fullmatch(text)
        if not found:
            raise UsageError(f"{name!r} is not a strategy: write one as NAME, FILE.py:NAME or NAME:PARAMETER=NUMBER")
        values = [] if found["values"] is None else [_value(name, item) for item in found["values"].split(",")]
        if len(dict(values)) < len(values):
            raise UsageError(f"{name!r} gives a parameter twice")
        parts.append(Part(text, found["phase"] or "", found["file"] or "", found["name"], tuple(values)))
    return tuple(parts)


def _value(name: str, item: str) -> tuple[str, float]:
    parameter, equals, text = item.partition("=")
    try:
        if not equals or not parameter.isidentifier():
            raise ValueError
        return parameter, float(text)
    except ValueError:
        hint = "" if equals else "; a strategy file ends in .py, as in FILE.py:NAME"
        raise UsageError(f"a parameter in {name!r} must read NAME=NUMBER, not {item!r}{hint}") from None


def check(ruleset: RuleSet, name: object) -> str:
    """Return the name of a strategy whose parts are among those of a rule set, or in files.

    Parameters
    ----------
    ruleset : RuleSet
        The rule set.
    name : str
        The name.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        When there is none of this name.
    """
    for part in parse(name):
        if not part.file and part.name not in ruleset.strategies:
            raise unknown(f"strategy for {ruleset.id}", part.name, ruleset.strategies)
    return str(name)


def digest(name: str) -> str:
    """Return a hash of the files that a strategy is in.

    Parameters
    ----------
    name : str
        As for `parse`.

    Returns
    -------
    str
        64 hexadecimal digits; empty for a strategy that comes with the game.

    Raises
    ------
    UsageError
        When a file cannot be read.
    """
    contents = [hashlib.sha256(_read(part.file)).hexdigest() for part in parse(name) if part.file]
    return hashlib.sha256("".join(contents).encode()).hexdigest() if contents else ""


def without_files(name: str) -> str:
    """Return the name of a strategy without the places of its files."""
    return "+".join(part.text.replace(f"{part.file}:", "", 1) if part.file else part.text for part in parse(name))


def find(game: Game, name: str, expected: str = "") -> Player:
    """Return the player who plays a strategy.

    Parameters
    ----------
    game : Game
        The game.
    name : str
        As for `parse`. In a file the strategy is what `simcards.strategy` made, by its variable.
    expected : str
        What `digest` returned when the study was planned.

    Returns
    -------
    Player

    Raises
    ------
    UsageError
        When there is none, it is for another game, or its file has changed since.
    """
    from simcards.kernel.protocol import OPTIONS

    if expected and digest(name) != expected:
        raise UsageError(f"{name} has changed since the study was planned")
    policies: list[Any] = [None] * len(game.phases)
    options = np.zeros(len(game.phases), OPTIONS)
    rest = ""
    for part in parse(name):
        if part.phase and part.phase not in game.phases:
            raise unknown(f"phase of {game.ruleset.id}", part.phase, game.phases)
        if part.file:
            own = _own(part)
            strategy = own.build(game, f"{part.file}:{part.name}")
            rest = rest or own.rest
        else:
            strategy = game.strategy(part.name)
        record = strategy.options(dict(part.values))
        wanted = [place for place, phase in enumerate(game.phases) if part.phase in ("", phase)]
        able = [place for place in wanted if strategy.policies[place] is not None]
        free = [place for place in able if policies[place] is None]
        if not free:
            raise UsageError(f"{part.text!r} in {name!r} is never asked: {_why_idle(game, part, wanted, able)}")
        for place in free:
            policies[place] = strategy.policies[place]
            options[place] = record
    left = [place for place, policy in enumerate(policies) if policy is None]
    if left:
        rest = rest or usual(game.ruleset)
        if any(part.file for part in parse(rest)):
            raise UsageError(f"the rest of {name} must be a strategy that comes with {game.ruleset.id}, not {rest!r}")
        others = find(game, rest)
        for place in left:
            policies[place], options[place] = others.policies[place], others.options[place]
    return Player(tuple(policies), options)


def _why_idle(game: Game, part: Part, wanted: list[int], able: list[int]) -> str:
    """Say why a part of a mixture decides nothing: of the phases it is for, those it is able to decide are taken."""
    if not able:
        return f"{part.name} does not decide in the phase {game.phases[wanted[0]]!r}"
    taken = [repr(game.phases[place]) for place in able]
    which = f"phase {taken[0]}" if len(taken) == 1 else f"phases {', '.join(taken[:-1])} and {taken[-1]}"
    return f"earlier parts decide in the {which} already; a name for all that is left stands last"


def usual(ruleset: RuleSet) -> str:
    """Return the strategy that plays where none is named."""
    return "basic" if "basic" in ruleset.strategies else ruleset.strategies[0]


def _own(part: Part) -> OwnStrategy:
    from simcards.study.own import OwnStrategy

    module = _module(part.file, _read(part.file))
    found = {variable: value for variable, value in vars(module).items() if isinstance(value, OwnStrategy)}
    if not found:
        raise UsageError(f"there is no strategy in {part.file}: one is made by simcards.strategy(GAME)")
    if part.name not in found:
        raise unknown(f"strategy in {part.file}", part.name, found)
    return found[part.name]


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
        with aside_of_results():
            exec(compile(content, module.__file__, "exec"), vars(module))
    except KeyboardInterrupt:
        del sys.modules[module.__name__]
        raise
    except BaseException as error:  # a file that leaves by sys.exit has not made a strategy either
        del sys.modules[module.__name__]
        raise UsageError(f"{file} cannot be run: {type(error).__name__}: {_reason(error)}") from error
    return module


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0]
