"""Monte Carlo analysis and simulation of classic card games.

The same verbs as the commands::

    import simcards

    simcards.games()                                  # every rule set
    game = simcards.game("rubicon-bezique")
    game.rules()                                      # the rules in force
    result = game.play(deals=100_000)                 # what happens
    game.match("basic", "random", deals=10_000)       # strategies on the same deals
    game.sweep("mc", {"worlds": [5, 10, 20]})         # a parameter of a strategy
    game.advise("hand: QS JD AS KH; trump: H", ...)   # what each action of a position is worth
    game.replay(deal=7)                               # one deal, decision by decision
    game.sample(deals=1_000)                          # one row a deal
    game.odds()                                       # what the dealt hand holds
    game.report("page", deals=100_000)                # the game's page
    simcards.run("experiments/study.toml")            # a study from a file

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

TYPE_CHECKING = False  # as of `typing`, whose import would be most of the time that this one takes
if TYPE_CHECKING:
    from typing import Any

    from simcards.api import GameHandle as GameHandle
    from simcards.api import game as game
    from simcards.api import games as games
    from simcards.api import run as run
    from simcards.cards import Pack as Pack
    from simcards.errors import SimcardsError as SimcardsError
    from simcards.errors import UsageError as UsageError
    from simcards.kernel.bits import actions as actions
    from simcards.odds.api import odds as odds
    from simcards.odds.result import OddsResult as OddsResult
    from simcards.results import MatchResult as MatchResult
    from simcards.results import PlayResult as PlayResult
    from simcards.results import ReplayResult as ReplayResult
    from simcards.study.own import strategy as strategy
    from simcards.sweep_result import SweepResult as SweepResult

_HOMES = {
    "GameHandle": "api",
    "MatchResult": "results",
    "OddsResult": "odds.result",
    "Pack": "cards",
    "PlayResult": "results",
    "ReplayResult": "results",
    "SweepResult": "sweep_result",
    "SimcardsError": "errors",
    "UsageError": "errors",
    "actions": "kernel.bits",
    "game": "api",
    "run": "api",
    "strategy": "study.own",
}
_CALLABLE = ("games", "odds")  # packages that are called as well

__all__ = ["__version__", *sorted([*_HOMES, *_CALLABLE])]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f"simcards.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name in _CALLABLE:
        return importlib.import_module(f"simcards.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
