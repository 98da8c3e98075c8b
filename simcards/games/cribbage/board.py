"""What a score is worth: the chance to win a game from what both sides still need, as `deals` found it.

`board.csv` holds the chances, `points.csv` how many points the parts of a deal bring; both are read here. From them
follow the chances in the middle of the show, which `near_end` asks for.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage.frame import NO_AUCTION
from simcards.kernel.compiled import kernel

BOARD = Path(__file__).with_name("board.csv")
POINTS = Path(__file__).with_name("points.csv")
KINDS = ((2, 5), (2, 6), (2, 7), (4, 5))  # players and cards dealt: what the tables are for
TARGETS = np.array([61, 121, 181, 121])  # of the usual games, and so the most points needed
MOST = 181
PEG_PONE, PEG_DEALER, HAND_PONE, HAND_DEALER, IN_CRIB = range(5)
PARTS = ("play, pone", "play, dealer", "hand, pone", "hand, dealer", "crib")
ROOM = 64  # points of a part, from 0


def read_chances() -> NDArray[np.float64]:
    """Return the table: by kind, by what the side needs that does not deal next, and by what the other needs."""
    chances = np.zeros((len(KINDS), MOST, MOST))
    with BOARD.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind = KINDS.index((int(row["players"]), int(row["cards"])))
            line = np.array(row["chances"].split(), float) / 1e5
            chances[kind, int(row["needs"]) - 1, : len(line)] = line
    return chances


def read_points() -> NDArray[np.float64]:
    """Return how likely each part of a deal brings how many points, by kind of two players."""
    points = np.zeros((3, len(PARTS), ROOM))
    with POINTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind = KINDS.index((int(row["players"]), int(row["cards"])))
            points[kind, PARTS.index(row["part"]), int(row["points"])] = float(row["chance"])
    return points


def _in_show(
    chances: NDArray[np.float32], points: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what a score is worth when one hand has been counted and the dealer's, or the crib, is still to come.

    Returns
    -------
    pone : ndarray of float64, shape (3, MOST, MOST)
        The pone's chance, by what he needs and what the dealer needs, before the dealer's hand and crib.
    dealer : ndarray of float64, shape (3, MOST, MOST)
        The dealer's chance, by what he needs and what the pone needs, before the crib.
    """
    pone, dealer = np.zeros((3, MOST, MOST)), np.zeros((3, MOST, MOST))
    for kind in range(3):
        won = chances[kind]
        both = np.convolve(points[kind, HAND_DEALER], points[kind, IN_CRIB])
        for more, chance in enumerate(both):  # the pone deals next: his chance is what the other's lacks
            if chance > 0.0:
                pone[kind, :, more:] += chance * (1.0 - won[: MOST - more].T)
        for more, chance in enumerate(points[kind, IN_CRIB]):
            if chance > 0.0:
                dealer[kind, :more] += chance
                dealer[kind, more:] += chance * won[: MOST - more]
    return pone, dealer


# In single precision: compiled code with constants of more than a megabyte is not kept from run to run
CHANCES = read_chances().astype(np.float32)
PART_POINTS = read_points()
BEFORE_DEALER, BEFORE_CRIB = (table.astype(np.float32) for table in _in_show(CHANCES, PART_POINTS))


@kernel
def kind_of(rules):
    """Return which of the tables serves some rules."""
    return 3 if rules.players == 4 else np.int64(rules.cards) - 5


@kernel
def chance(rules, mine, other, deals):
    """Return the chance to win a game between deals.

    Beyond the table the lead counts, so both sides come nearer alike. Where the crib is bid for, who deals does not
    matter.

    Parameters
    ----------
    rules : record
        The rules.
    mine, other : int
        Points that the sides need.
    deals : bool
        Whether the side of which it is the chance deals next.
    """
    kind = kind_of(rules)
    beyond = max(0, max(mine, other) - TARGETS[kind])
    one = max(0, mine - beyond - 1)
    two = max(0, other - beyond - 1)
    first = np.float64(CHANCES[kind, one, two])
    second = 1.0 - CHANCES[kind, two, one]
    if rules.auction != NO_AUCTION:
        return 0.5 * (first + second)
    return second if deals else first
