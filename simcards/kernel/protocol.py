"""The protocol between games and the engine: generic functions selected by the type of a record.

A game is a state machine over a fixed-size NumPy record. It provides the functions below for its own ``STATE`` with
``@implements(generic, STATE)``; the driver calls the generic ones and is specialised by the compiler, so nothing is
paid for the generality. All functions are compiled code: they change records in place and allocate nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.extending import overload

from simcards.kernel.compiled import Policy, kernel
from simcards.kernel.rng import STREAM

DEALER = -1  # the actor when cards are to be dealt
RAISED = -2  # what a policy returns in place of an action when it raised an exception
MISSING = np.int32(-(2**31))  # a quantity that has no value in this row, such as "first trick of a meld" never made

# The values of a strategy's parameters, in their order; what policies of strategies without any do not look at
OPTIONS = np.dtype([("value", "f8", (16,))], align=True)

_implementations: dict[str, dict[Any, Any]] = {}


def _generic(function: Callable[..., Any], default: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Make a function generic over the record type of its first argument; `default` serves all others."""
    table = _implementations.setdefault(function.__name__, {})
    names = list(inspect.signature(function).parameters)

    # numba wants the chooser's parameters named as the generic's are
    space: dict[str, Any] = {"table": table, "default": default}
    arguments = ", ".join(names)
    exec(f"def choose({arguments}):\n    return table.get({names[0]}, default)\n", space)
    overload(function, strict=False)(space["choose"])
    return function


@_generic
def begin(state):
    """Make `state` the start of a game, before the first deal; the fields ``state.rules`` are set and stay."""


@_generic
def deal(state, deck):
    """Put the cards of `deck` (uint8 codes in dealing order) where they belong and start the play of this deal."""


@_generic
def is_over(state):
    """Return whether the game has ended."""


@_generic
def actor(state):
    """Return the seat to decide next, or ``DEALER`` when cards are to be dealt."""


@_generic
def phase(state):
    """Return the index of the phase of play that the next decision belongs to."""


@_generic
def legal(state):
    """Return the legal actions of the next decision as a uint64 mask, never empty."""


@_generic
def observe(state, player, view):
    """Write what `player` may know into `view`, and nothing else; ``view.rules`` is set already and stays."""


@_generic
def apply(state, action):
    """Carry out a legal `action` of the actor."""


@_generic
def measure(state, row):
    """Write the quantities of a finished game into `row`."""


@_generic
def census(state, counts):
    """Add every card of the present deal to ``counts[code]`` (int64), wherever it lies."""


@_generic
def determinize(view, rng, state):
    """Make `state` a position that agrees with all of `view`, its hidden cards drawn at random by `rng`.

    ``state.rules`` is set already and stays.
    """


@_generic
def space(view):
    """Return room to search in: an array of three ``STATE`` and one of a ``VIEW`` for each seat.

    The rules need not be set.
    """


@_generic
def basic(view, part, legal, rng, options):
    """Return what a sensible player does in the phase `part`; how all seats play on when a search looks ahead."""


def _basic_by_view(state, views, legal, rng, options):
    seat = actor(state)
    view = views[seat]
    observe(state, seat, view)
    return basic(view, phase(state), legal, rng, options)


@partial(_generic, default=_basic_by_view)
def usual(state, views, legal, rng, options):
    """Return what the actor does by `basic`; `views` is room for a view of each seat, with the rules set.

    A game need not give it. It may where `basic` can look at the position itself, as the actor would see it: it must
    return what `basic` returns for his view, and leaves the views alone.
    """


@_generic
def worth(state, player):
    """Return what a position in which a deal or the game has just ended is worth to `player` (float64)."""


def _never_open(state, room):
    return False


@partial(_generic, default=_never_open)
def play_open(state, room):
    """Play a deal to its end as it goes when all cards are known and everybody plays his best; return whether it was.

    A game need not give it. Where it cannot be told yet (while cards are drawn, bid for or laid away) the position
    stays as it is and False is returned; `room` is what `solver.workspace` returned.
    """


@_generic
def aim(state, contract):
    """Return what the actor does who wants to play `contract` (its index among the game's), -1 where that says nothing.

    A game with bids gives it. The player bids as high as the contract needs and passes beyond, then announces it; how
    cards are exchanged and played is left open. -2 says that the contract cannot be had in this deal.
    """


def implements(generic: Callable[..., Any], dtype: np.dtype[Any]) -> Callable[[Callable[..., Any]], Any]:
    """Provide a generic function for one record type.

    Parameters
    ----------
    generic : callable
        One of the functions of this module.
    dtype : numpy.dtype
        The game's ``STATE``; for `determinize`, `space` and `basic`, which are given a view, its ``VIEW``.

    Returns
    -------
    callable
        A decorator that compiles the function.

    Raises
    ------
    TypeError
        When the parameters differ from the generic's, or another game has taken the same record type.
    """
    table = _implementations[generic.__name__]
    record = from_dtype(dtype)

    def decorate(function: Callable[..., Any]) -> Any:
        if list(inspect.signature(function).parameters) != list(inspect.signature(generic).parameters):
            raise TypeError(f"{function.__qualname__} must take the parameters of {generic.__name__}")
        if record in table:
            raise TypeError(f"{generic.__name__} has an implementation for this record type already")
        table[record] = function
        return kernel(function)

    return decorate


def record(name: str, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """Make a record type that no other game can share by accident.

    Parameters
    ----------
    name : str
        An identifier, unique among the games: it becomes a last, unused field.
    fields : sequence of tuple
        Fields as for ``numpy.dtype``.

    Returns
    -------
    numpy.dtype
        The aligned structured type.
    """
    return np.dtype([*fields, (f"is_{name}", "u1")], align=True)


def policy(view: np.dtype[Any], options: np.dtype[Any] = OPTIONS) -> Callable[[Callable[..., Any]], Policy]:
    """Compile a decision function ``(view, legal, rng, options) -> action`` for the views of a game.

    Parameters
    ----------
    view : numpy.dtype
        The game's ``VIEW``.
    options : numpy.dtype
        The record type by which the function reads its strategy's parameters, no larger than `OPTIONS`.

    Returns
    -------
    callable
        A decorator that makes a `Policy`.
    """
    arguments = from_dtype(view), types.uint64, from_dtype(STREAM)
    # records are handed on as addresses, so a policy may read its options by names of its own
    seen_by_driver = types.int64(*arguments, from_dtype(OPTIONS))
    return lambda function: Policy(function, seen_by_driver, types.int64(*arguments, from_dtype(options)))
