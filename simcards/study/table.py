"""A plan made ready to be played: the game, its players, the cards, and the call of the driver."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import SimcardsError
from simcards.study import players

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.study.plan import Plan

BLOCK = 2048  # rows that are played before they are summed


class PlayError(SimcardsError):
    """A fault of a game or of a strategy: the message says in which deal, of which player, and what."""


@functools.lru_cache(maxsize=1024)
def table(plan: Plan) -> Table:
    """Return the table for a plan; the same one in all threads.

    Parameters
    ----------
    plan : Plan
        What is played.

    Returns
    -------
    Table
    """
    return Table(plan)


class Table:
    """Everything that the driver is called with except for work space, which each call has of its own.

    Parameters
    ----------
    plan : Plan
        What is played.

    Attributes
    ----------
    game : Game
        The compiled game.
    policies : tuple
        For each seat one policy a phase.
    template, fixed : ndarray
        The cards to be shuffled, and the places of those that are not.
    dealt : int
        How many places of the dealing order the game looks at.
    """

    def __init__(self, plan: Plan) -> None:
        game = plan.load()
        self.plan = plan
        self.game: Game = game
        self.policies = tuple(players.find(game, *player).policies for player in plan.players)
        self.fixed = game.fixed_places(plan.codes, plan.overrides)
        counts = game.ruleset.pack.counts().astype(np.int64)
        counts -= np.bincount(self.fixed[self.fixed >= 0], minlength=len(counts))
        self.template = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
        places = game.places(game.encoded(plan.overrides))
        self._space = game.workspace(plan.overrides)
        self.dealt = max((max(place) + 1 for place in places.values() if len(place)), default=0)

    def rows(self, count: int) -> NDArray[Any]:
        """Return room for rows.

        Parameters
        ----------
        count : int
            How many.

        Returns
        -------
        ndarray of ROW
        """
        return np.zeros(count, self.game.row)

    def workspace(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a position to play on and a view for each seat, with the rules set in them.

        Returns
        -------
        states : ndarray of STATE, shape (1,)
        views : ndarray of VIEW, shape (seats,)
        """
        states, views = self._space
        return states.copy(), views.copy()

    def play(self, low: int, high: int, rows: NDArray[Any]) -> str | None:
        """Play the deals ``low`` to ``high - 1``.

        Parameters
        ----------
        low, high : int
            Range of deals.
        rows : ndarray of ROW, shape (high - low,)
            Result.

        Returns
        -------
        str or None
            What went wrong, if anything did.
        """
        from simcards.kernel import drive

        game = self.game
        states, views = self.workspace()
        fault = np.zeros(5, np.int64)
        ending = drive.play(
            np.uint64(self.plan.seed),
            low,
            high,
            states,
            views,
            self.policies,
            self.template,
            self.fixed,
            self.dealt,
            game.limit,
            rows,
            fault,
        )
        return None if ending == drive.FINISHED else self.complaint(int(ending), fault)

    def complaint(self, ending: int, fault: NDArray[np.int64]) -> str:
        """Return in words what the driver reported.

        Parameters
        ----------
        ending : int
            Its code.
        fault : ndarray of int64
            Its report.

        Returns
        -------
        str
        """
        from simcards.kernel import drive

        game, plan = self.game, self.plan
        deal = int(fault[drive.FAULT_GAME])
        where = f"{plan.game}, seed {plan.seed}, deal {deal}"
        if ending == drive.ILLEGAL:
            seat, part = int(fault[drive.FAULT_SEAT]), int(fault[drive.FAULT_PHASE])
            return (
                f"{where}: strategy {plan.strategies[seat]!r} in the seat {game.ruleset.seats[seat]} chose "
                f"the action {int(fault[drive.FAULT_ACTION])} in the phase {game.phases[part]!r} (decision "
                f"{int(fault[drive.FAULT_STEP])}), which is not legal"
            )
        return f"{where}: the game had not ended after {game.limit} decisions"


def matrix(rows: NDArray[Any]) -> NDArray[np.int32]:
    """Return rows as a matrix, one column for each of the game's columns, without copying.

    Parameters
    ----------
    rows : ndarray of ROW
        Records all of whose fields are int32.

    Returns
    -------
    ndarray of int32, shape (rows, columns)
    """
    return rows.view(np.int32).reshape(len(rows), -1)
