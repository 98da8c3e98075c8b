"""Packages that are called like functions: ``simcards.games()`` beside ``simcards.games.registry``."""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

from simcards.errors import UsageError


class _CallableModule(ModuleType):
    _call: tuple[str, str]

    def __call__(self, *args: Any, **options: Any) -> Any:
        home, name = self._call
        function = getattr(importlib.import_module(home), name)
        try:
            inspect.signature(function).bind(*args, **options)
        except TypeError as error:
            raise UsageError(f"simcards.{name}: {error}") from None
        return function(*args, **options)


def make_callable(module: str, home: str, name: str) -> None:
    """Let a module be called.

    Parameters
    ----------
    module : str
        Name of the module.
    home, name : str
        The function that is called, imported when it first is.
    """
    made = sys.modules[module]
    made.__class__ = _CallableModule
    made._call = (home, name)  # type: ignore[attr-defined]
