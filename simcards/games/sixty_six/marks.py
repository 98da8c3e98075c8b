"""By what decisions of sixty-six are sorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simcards.games.game import Mark
from simcards.games.sixty_six.frame import doubled, marriages, suit_mask
from simcards.games.sixty_six.players import reckoned


def _own(views: np.ndarray, name: str) -> Any:
    return views["public"][name][np.arange(len(views)), views["seat"]]


def _points(views: np.ndarray) -> Any:
    return _own(views, "points")


def _others_points(views: np.ndarray) -> Any:
    """Return the most points that another has."""
    points = views["public"]["points"].copy()
    points[np.arange(len(views)), views["seat"]] = -1
    return points.max(axis=1)


def _each(of: Callable[[Any], int]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda views: np.array([of(view) for view in views])


def _trumps(view: Any) -> int:
    return (int(view["hand"]) & int(doubled(suit_mask(int(view["common"]["trump"]))))).bit_count()


def _marriage(view: Any) -> int:
    """Return 0 without a marriage in the hand, 1 with one or more in plain suits, 2 with one in trumps."""
    pairs = int(marriages(view["rules"], view["hand"], view["public"]["wed"][int(view["seat"])]))
    if not pairs:
        return 0
    return 2 if pairs & int(suit_mask(int(view["common"]["trump"]))) else 1


def _reckoned(view: Any) -> int:
    return int(reckoned(view))


MARKS = (
    Mark(
        "reckoned",
        "points that basic reckons with if the stock is closed: the player's own, his marriages, and what he may win",
        _each(_reckoned),
        (0, 30, 40, 50, 55, 60, 63, 66, 69, 72, 75, 80, 90),
    ),
    Mark("points", "points in cards and marriages that the player has won", _points, tuple(range(0, 100, 10))),
    Mark("others_points", "the most points that another has won", _others_points, (0, 1, 11, 21, 34, 50, 66)),
    Mark("trumps", "trumps that the player holds", _each(_trumps), (0, 1, 2, 3, 4, 5)),
    Mark("marriage", "0: holds no marriage; 1: one in a plain suit; 2: one in trumps", _each(_marriage), (0, 1, 2)),
    Mark("trick", "tricks played in the deal", lambda views: views["common"]["trick"], tuple(range(12))),
)
