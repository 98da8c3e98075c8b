"""Strategies of one's own: functions in a file, compiled or plain Python, for some or all phases of a game."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards.errors import UsageError, unknown
from simcards.games import registry
from simcards.games.strategy import Parameter, Strategy

if TYPE_CHECKING:
    from simcards.games.game import Game

_ARGUMENTS = ("view", "legal", "rng", "options")
_MOST_PARAMETERS = 16


def strategy(game: str, *, rest: str = "", doc: str = "", **parameters: float) -> OwnStrategy:
    """Begin a strategy of one's own.

    Parameters
    ----------
    game : str
        Id or synonym of the rule set that it plays.
    rest : str
        The strategy that decides in the phases it does not decide in itself; ``"basic"`` if left out.
    doc : str
        How it plays, in a sentence.
    **parameters : int or float
        Numbers that can be given behind the name, as in ``own.py:bold:courage=3``, with their defaults; where
        the default is a whole number only whole numbers are taken. The functions read them as
        ``options.courage``.

    Returns
    -------
    OwnStrategy

    Raises
    ------
    UsageError
        For an unknown game, or a parameter that is not a number.

    Examples
    --------
    In a file ``own.py``, played by ``simcards match bezique own.py:meek basic``::

        from simcards import actions, strategy

        meek = strategy("bezique")

        @meek.phase("play")
        def play(view, legal, rng, options):
            return actions(legal)[0]
    """
    return OwnStrategy(registry.ruleset(game).id, rest, doc, parameters)


class OwnStrategy:
    """A strategy of one's own; made by `strategy`.

    Parameters
    ----------
    game : str
        Id of the rule set.
    rest, doc, parameters
        As for `strategy`.
    """

    def __init__(self, game: str, rest: str, doc: str, parameters: dict[str, float]) -> None:
        for name, value in parameters.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
                raise UsageError(f"the parameter {name!r} of a strategy has a number as its default, not {value!r}")
        if len(parameters) > _MOST_PARAMETERS:
            raise UsageError(f"a strategy takes at most {_MOST_PARAMETERS} parameters, not {len(parameters)}")
        self.game, self.rest, self.doc = game, rest, doc
        self.parameters = tuple(Parameter(name, value) for name, value in parameters.items())
        self._functions: dict[str, tuple[Callable[..., Any], bool]] = {}
        self._policies: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"<strategy for {self.game}: {', '.join(self._functions) or 'no phase yet'}>"

    def phase(self, name: str, *, compiled: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decide in one phase of the game.

        Parameters
        ----------
        name : str
            The phase, one of those that ``simcards rules GAME`` lists.
        compiled : bool
            Whether the function is compiled by numba; else it is called as plain Python, some thousand times
            slower.

        Returns
        -------
        callable
            A decorator for a function ``(view, legal, rng, options) -> action``; the last argument or the last
            two may be left out. `view` is a record of the game's ``VIEW``, `legal` a mask (see
            `simcards.actions`), `rng` a random stream and `options` a record of the parameters.

        Raises
        ------
        UsageError
            For an unknown phase, one that is decided already, or a function with other arguments.
        """
        phases = registry.load(self.game).phases
        if name not in phases:
            raise unknown(f"phase of {self.game}", name, phases)
        if name in self._functions:
            raise UsageError(f"the phase {name!r} is decided twice")

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            plain = getattr(function, "py_func", function)
            if not inspect.isfunction(plain):
                raise UsageError(f"a phase is decided by a function, not by {plain!r}")
            given = list(inspect.signature(plain).parameters)
            moved = any(name in _ARGUMENTS and name != wanted for name, wanted in zip(given, _ARGUMENTS, strict=False))
            if not 2 <= len(given) <= 4 or moved:
                raise UsageError(f"{plain.__name__} must take ({', '.join(_ARGUMENTS)}), not ({', '.join(given)})")
            self._functions[name] = (plain, compiled)
            return function

        return decorate

    def build(self, game: Game, name: str) -> Strategy:
        """Compile the strategy.

        Parameters
        ----------
        game : Game
            The game that it is to play.
        name : str
            What messages call it.

        Returns
        -------
        Strategy
            Its policies are None in the phases in which it does not decide.

        Raises
        ------
        UsageError
            When it is for another game, decides in no phase, or cannot be compiled.
        """
        if game.ruleset.id != self.game:
            raise UsageError(f"{name} is a strategy for {self.game}, not for {game.ruleset.id}")
        if not self._functions:
            raise UsageError(f"{name} decides in no phase: give it a function by @{name.rpartition(':')[2]}.phase(...)")
        if not self._policies:
            self._compile(game, name)
        policies = tuple(self._policies.get(phase) for phase in game.phases)
        return Strategy(name, self.doc, policies, self.parameters)

    def _compile(self, game: Game, name: str) -> None:
        from simcards.kernel.foreign import CannotCompileError, ForeignPolicy
        from simcards.study import aside

        fields = [(parameter.name, "f8") for parameter in self.parameters]
        options = np.dtype(fields or [("nothing", "f8")])
        for phase, (function, compiled) in self._functions.items():
            try:
                self._policies[phase] = aside.call(ForeignPolicy, function, game.view, options, compiled)
            except CannotCompileError as error:
                raise UsageError(f"{name} cannot be compiled for the phase {phase!r}: {error}") from None
