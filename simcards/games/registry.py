"""Every rule set there is, found by looking into the family packages beside this module."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from simcards._input import text
from simcards.errors import UsageError, unknown
from simcards.games.ruleset import RuleSet

if TYPE_CHECKING:
    from simcards.games.game import Game


@functools.cache
def rulesets() -> dict[str, RuleSet]:
    """Return all rule sets by id, in the order of families.

    Returns
    -------
    dict of str to RuleSet
        Nothing compiled is imported for it.
    """
    found: dict[str, RuleSet] = {}
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if info.ispkg:
            family = importlib.import_module(f"simcards.games.{info.name}")
            for ruleset in family.RULESETS:
                if ruleset.id in found:
                    raise RuntimeError(f"two rule sets are called {ruleset.id!r}")
                found[ruleset.id] = ruleset
    return found


def ruleset(name: str) -> RuleSet:
    """Return the rule set with this id or synonym; case, blanks and underscores do not matter.

    Parameters
    ----------
    name : str
        What was typed.

    Returns
    -------
    RuleSet
        The rule set.

    Raises
    ------
    UsageError
        When there is none, with the nearest name.
    """
    wanted = _fold(text(name, "a game"))
    names: dict[str, RuleSet] = {}
    for known in rulesets().values():
        for alias in (known.id, *known.synonyms):
            names.setdefault(_fold(alias), known)
    if wanted not in names:
        synonyms = [alias for known in rulesets().values() for alias in known.synonyms]
        raise unknown("game", name, [*rulesets(), *synonyms])
    return names[wanted]


def _fold(name: str) -> str:
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").replace("ё", "е").split())


@functools.cache
def load(identifier: str) -> Game:
    """Import the compiled game of a rule set.

    Parameters
    ----------
    identifier : str
        The rule set's id.

    Returns
    -------
    Game
        The game.
    """
    known = ruleset(identifier)
    module = importlib.import_module(known.module)
    for game in module.GAMES:
        if game.ruleset.id == known.id:
            return game
    raise UsageError(f"{known.module} has no game for the rule set {known.id!r}")
