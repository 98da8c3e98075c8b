"""How fast endings are solved with open cards, on one core."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from simcards.kernel.solver import AIM, CARDS_KNOWN, gets, solve, workspace
from simcards.kernel.tricks import make_order

RANKS, PACK = 8, 32
_BITS = 16  # of the table of positions
_ROOM = np.dtype([("hands", CARDS_KNOWN), ("trump", "i8")])


def _positions(players: int, cards: int, count: int) -> np.ndarray[Any, Any]:
    """Deal so many positions, each suit and none being trumps in turn."""
    generator = np.random.default_rng(1)
    made = np.zeros(count, _ROOM)
    for place in range(count):
        pack = generator.permutation(PACK)
        for player in range(players):
            hand = pack[player * cards : (player + 1) * cards]
            made[place]["hands"]["hands"][player] = sum(1 << int(card) for card in hand)
        made[place]["trump"] = place % 5 - 1
    return made


def measure(positions: int = 200, rounds: int = 3) -> list[dict[str, Any]]:
    """Measure how many positions of 32 cards are solved a second: player 0 against all others, for tricks.

    Parameters
    ----------
    positions : int
        How many are solved of each kind.
    rounds : int
        How often each is solved; the fastest counts, since all that other programs can do is to slow one down.

    Returns
    -------
    list of dict
        For each kind ``name``, ``rate`` (a second, of the mean time) and ``median`` (seconds).
    """
    suits = [[[RANKS * suit + rank] for rank in range(RANKS)] for suit in range(PACK // RANKS)]
    orders = [make_order(suits, trump, "FR" if trump >= 0 else "F")[0] for trump in range(-1, len(suits))]
    room = workspace(_BITS)
    aim = np.zeros(1, AIM)
    aim["trick"] = 1
    aim["camp"][0, 1:] = 1
    rows = []
    for name, players, cards, exact in (
        ("three hands of ten, exact tricks", 3, 10, True),
        ("three hands of ten, at least half", 3, 10, False),
        ("two hands of twelve, exact tricks", 2, 12, True),
    ):
        aim["players"] = players
        question: Callable[..., Any] = solve if exact else gets
        times: list[float] = []
        for position in _positions(players, cards, positions):
            asked = (room, orders[position["trump"] + 1], aim[0], position["hands"], cards // 2)
            if not times:
                question(*asked)  # compiles
            times.append(min(_time(question, asked) for _ in range(rounds)))
        rows.append({"name": name, "rate": len(times) / sum(times), "median": statistics.median(times)})
    return rows


def _time(question: Callable[..., Any], asked: tuple[Any, ...]) -> float:
    table = asked[0][2]
    table[:] = np.zeros((), table.dtype)  # else what another round found out would be remembered
    began = time.perf_counter()
    question(*asked)
    return time.perf_counter() - began
