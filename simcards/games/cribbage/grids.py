"""Tables of cribbage that pages show: what two cards are worth in the crib, and the chance to win from every score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage import RANKS
from simcards.games.cribbage.board import CHANCES, KINDS, TARGETS
from simcards.games.cribbage.cribs import lines
from simcards.games.game import Grid

_NEAR = 30  # points needed at most in the table of the end


def crib_means(cards: int, crib_flush: str, whose: str) -> NDArray[np.float64]:
    """Return what two ranks are worth in the crib, the lower in the line, with suits as they come.

    Parameters
    ----------
    cards : int
        Cards dealt to each of two players.
    crib_flush : str
        The rule about flushes in the crib, ``"no"`` or ``"five"``.
    whose : str
        ``"own"`` or ``"other"``.
    """
    values = np.full((len(RANKS), len(RANKS)), np.nan)
    for line in lines():
        if (line.players, line.cards, line.crib_flush) != (2, cards, crib_flush):
            continue
        place = RANKS.index(line.ranks[0]), RANKS.index(line.ranks[1])
        worth = getattr(line, whose)
        if line.ranks[0] == line.ranks[1]:
            values[place] = worth
        else:  # of the sixteen pairs of cards of two ranks four are of one suit
            before = 0.0 if np.isnan(values[place]) else values[place]
            values[place] = before + (0.25 if line.suited else 0.75) * worth
    return values


def dealers_chances(kind: int, step: int) -> NDArray[np.float64]:
    """Return the chance of the side that deals next, by its score and the other's, every so many points from 0."""
    scores = np.arange(0, TARGETS[kind], step)
    needs = TARGETS[kind] - scores - 1
    return np.asarray(1.0 - CHANCES[kind][np.ix_(needs, needs)].T)


def chances_near(kind: int) -> NDArray[np.float64]:
    """Return the chance of the side that deals next, by what it needs and what the other needs, near the end."""
    return np.asarray(1.0 - CHANCES[kind][:_NEAR, :_NEAR].T)


def grids(players: int, cards: int) -> Mapping[str, Grid]:
    """Return the tables of a game.

    Parameters
    ----------
    players, cards : int
        Players, and cards dealt to each.
    """
    found: dict[str, Grid] = {}
    pairs: dict[str, Any] = {"down": "lower", "across": "higher", "lines": tuple(RANKS), "columns": tuple(RANKS)}
    for whose, words in (("own", "one's own crib"), ("other", "the other's crib")):
        for rule, more in (("five", ""), ("no", ", no flushes in the crib")):
            if players == 2:
                found[f"{whose} crib{' without flushes' if more else ''}"] = Grid(
                    f"points of {words} by two cards discarded into it{more}",
                    values=partial(crib_means, cards, rule, whose),
                    **pairs,
                )
    kind = KINDS.index((players, cards))
    step = 5
    scores = tuple(map(str, range(0, int(TARGETS[kind]), step)))
    found["board"] = Grid(
        "chance to win of who deals next, by his score and the other's",
        scores,
        scores,
        "dealer's score",
        "pone's score",
        partial(dealers_chances, kind, step),
        "rate",
        1,
    )
    needs = tuple(map(str, range(1, _NEAR + 1)))
    found["end"] = Grid(
        "chance to win of who deals next, by what he needs and what the other needs",
        needs,
        needs,
        "dealer needs",
        "pone needs",
        partial(chances_near, kind),
        "rate",
        1,
    )
    return MappingProxyType(found)
