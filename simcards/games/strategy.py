"""What a strategy is, and those that every game has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcards.errors import UsageError, unknown


@dataclass(frozen=True)
class Parameter:
    """A number that a strategy can be told, as in ``mc:worlds=50``.

    Attributes
    ----------
    name : str
        What it is called.
    default : int or float
        Its value when nothing is said; where this is an int, only whole numbers are taken.
    doc : str
        What it does.
    low, high : float
        Bounds.
    """

    name: str
    default: int | float
    doc: str = ""
    low: float = -math.inf
    high: float = math.inf

    def check(self, owner: str, value: float) -> float:
        """Return a value as compiled code sees it.

        Parameters
        ----------
        owner : str
            The strategy, for the message.
        value : int or float
            What was given.

        Returns
        -------
        float

        Raises
        ------
        UsageError
            When the parameter does not take it.
        """
        whole = isinstance(self.default, int)
        if not math.isfinite(value) or not self.low <= value <= self.high or (whole and value != int(value)):
            kind = "a whole number" if whole else "a number"
            raise UsageError(f"{self.name!r} of {owner} takes {kind}{self._range()}, not {value:g}")
        return float(value)

    def _range(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        if math.isinf(self.high):
            return f" from {self.low:g} up"
        if math.isinf(self.low):
            return f" up to {self.high:g}"
        return f" from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Strategy:
    """A player: one compiled policy for each phase of the game.

    Attributes
    ----------
    name, doc : str
        What it is called, and how it plays.
    policies : tuple
        By phase: objects that the driver calls by their address.
    parameters : tuple of Parameter
        Numbers it can be told, in the order in which its policies find them among their options.
    """

    name: str
    doc: str
    policies: tuple[Any, ...]
    parameters: tuple[Parameter, ...] = ()

    def options(self, values: Mapping[str, float]) -> np.ndarray[Any, Any]:
        """Return the parameters as the policies are given them.

        Parameters
        ----------
        values : mapping
            Name to number, of those that are not to have their default.

        Returns
        -------
        ndarray of OPTIONS, shape ()

        Raises
        ------
        UsageError
            For a parameter that is not there or does not take the value.
        """
        from simcards.kernel.protocol import OPTIONS

        names = [parameter.name for parameter in self.parameters]
        for name in values:
            if not names:
                raise UsageError(f"the strategy {self.name} has no parameters, so it cannot be told {name!r}")
            if name not in names:
                raise unknown(f"parameter of {self.name}", name, names)
        record = np.zeros((), OPTIONS)
        for place, parameter in enumerate(self.parameters):
            record["value"][place] = parameter.check(self.name, values.get(parameter.name, parameter.default))
        return record


def usual_options(parameters: Sequence[Parameter]) -> np.ndarray[Any, Any]:
    """Return the defaults of parameters as policies are given them, for a player within a search.

    The search is given its own parameters, which those who play on in it must not read as theirs.

    Parameters
    ----------
    parameters : sequence of Parameter
        The parameters, in their order.

    Returns
    -------
    ndarray of OPTIONS, shape (1,)
    """
    from simcards.kernel.protocol import OPTIONS

    made = np.zeros(1, OPTIONS)
    made["value"][0, : len(parameters)] = [parameter.default for parameter in parameters]
    return made


def random_play(view: np.dtype[Any], phases: int) -> Strategy:
    """Return the strategy ``random`` of a game.

    Parameters
    ----------
    view : numpy.dtype
        The game's ``VIEW``.
    phases : int
        Number of phases of the game.

    Returns
    -------
    Strategy
    """
    from simcards.kernel.policies import uniform
    from simcards.kernel.protocol import policy

    return Strategy("random", "any legal action, all alike", (policy(view)(uniform),) * phases)


def monte_carlo(view: np.dtype[Any], phases: int, worlds: int = 20) -> Strategy:
    """Return the strategy ``mc`` of a game that has ``determinize``, ``space``, ``basic`` and ``worth``.

    Parameters
    ----------
    view : numpy.dtype
        The game's ``VIEW``.
    phases : int
        Number of phases of the game.
    worlds : int
        How many worlds an action is tried in if nothing is said.

    Returns
    -------
    Strategy
    """
    from simcards.kernel import search
    from simcards.kernel.protocol import policy

    doc = (
        "tries every action out in worlds that agree with what is seen, with everybody going on by basic, and takes the"
        " one that does best on average"
    )
    return Strategy("mc", doc, (policy(view)(search.monte_carlo),) * phases, _search_parameters(worlds))


def open_search(view: np.dtype[Any], phases: int, worlds: int = 20) -> Strategy:
    """Return the strategy ``solver`` of a game that has ``play_open`` besides all that ``mc`` needs.

    Parameters
    ----------
    view, phases, worlds
        As of `monte_carlo`.

    Returns
    -------
    Strategy
    """
    from simcards.kernel import search
    from simcards.kernel.protocol import policy

    doc = (
        "tries every action out in worlds that agree with what is seen, and takes the one that does best on average;"
        " once only tricks are left, everybody in such a world sees all cards and plays his best"
    )
    return Strategy("solver", doc, (policy(view)(search.open_cards),) * phases, _search_parameters(worlds))


def _search_parameters(worlds: int) -> tuple[Parameter, ...]:
    return (
        Parameter("worlds", worlds, "worlds for each action", 1, 100_000),
        Parameter("playouts", 1, "times an action is played out in a world", 1, 1_000),
        Parameter("halving", 1, "1: the worse half of the actions is given up in rounds; 0: all are kept", 0, 1),
        Parameter("clear", 3.0, "standard errors by which an action must differ to be settled early", 0, 100),
        Parameter("doubt", 1.5, "standard errors by which an action must beat that of basic to be taken", 0, 100),
    )
