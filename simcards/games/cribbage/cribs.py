"""What cards are worth in the crib, as `tables` found it: the table `cribs.csv`, read."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage import RANKS
from simcards.games.cribbage.scoring import CLASSES, PAIRS

FILE = Path(__file__).with_name("cribs.csv")
OWN, OTHER = range(2)  # whose crib it is


@dataclass(frozen=True)
class Line:
    """A line of the table: cards for the crib, with mean and standard deviation of its points.

    Attributes
    ----------
    players, cards : int
        Players, and cards dealt to each.
    crib_flush : str
        The rule about flushes in the crib.
    ranks : str
        Ranks of the cards, lower first.
    suited : bool
        Whether they are of one suit.
    own, own_sd, other, other_sd : float
        For one's own crib and the other's.
    """

    players: int
    cards: int
    crib_flush: str
    ranks: str
    suited: bool
    own: float
    own_sd: float
    other: float
    other_sd: float


def lines() -> list[Line]:
    """Return all lines of the table."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [
            Line(
                int(row["players"]),
                int(row["cards"]),
                row["crib_flush"],
                row["ranks"],
                row["suited"] == "yes",
                *(float(row[name]) for name in ("own", "own_sd", "other", "other_sd")),
            )
            for row in csv.DictReader(file)
        ]


def _tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the means for two players, by cards less five, whose crib and class; and for four, by whose and rank."""
    pairs = np.zeros((3, 2, CLASSES))
    singles = np.zeros((2, len(RANKS)))
    for line in lines():
        if line.crib_flush != "five":
            continue
        ranks = [RANKS.index(rank) for rank in line.ranks]
        if line.players == 4:
            singles[:, ranks[0]] = line.own, line.other
        else:
            place = ranks[1] * (ranks[1] + 1) // 2 + ranks[0]
            pairs[line.cards - 5, :, place + PAIRS * line.suited] = line.own, line.other
    return pairs, singles


PAIR_MEANS, SINGLE_MEANS = _tables()
