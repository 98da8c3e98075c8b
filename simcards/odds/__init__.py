"""Odds of dealt cards: any question about hands, counted exactly where that can be done, and simulated.

The module is called like a function::

    import simcards

    simcards.odds(pack="32x6", hand=12, features=["n('QS') >= 2 and n('JD') >= 2"])
    simcards.odds(game="rubicon-bezique")                       # what its dealt hand holds
    simcards.odds(pack=32, hands={"hand": 10, "talon": 2}, features=["n('J', talon) == 2"])

The language of questions is described in `simcards.odds.expression` and in ``docs/odds.md``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from simcards._callable import make_callable

if TYPE_CHECKING:
    from simcards.odds.api import dealt as dealt
    from simcards.odds.api import odds as odds
    from simcards.odds.result import OddsResult as OddsResult
    from simcards.odds.tree import ExpressionError as ExpressionError

_HOMES = {"ExpressionError": "tree", "OddsResult": "result", "dealt": "api", "odds": "api"}

__all__ = ["ExpressionError", "OddsResult", "dealt", "odds"]

make_callable(__name__, "simcards.odds.api", "odds")


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
