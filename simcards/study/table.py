"""A plan made ready to be played: the game, its players, the cards, and the call of the driver."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import SimcardsError
from simcards.study import players
from simcards.study.spoken import aside_of_results

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.study.plan import Plan

BLOCK = 2048  # rows that are played before they are summed


class PlayError(SimcardsError):
    """A fault of a game or of a strategy: the message says in which deal, of which player, and what.

    Attributes
    ----------
    replay : Replay, optional
        The deal up to there, where it was replayed.
    """

    replay: Any = None


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
    options : ndarray of OPTIONS, shape (seats, phases)
        What each policy is to know besides.
    template, fixed : ndarray
        The cards to be shuffled, and the places of those that are not.
    dealt : int
        How many places of the dealing order the game looks at.
    """

    def __init__(self, plan: Plan) -> None:
        game = plan.load()
        self.plan = plan
        self.game: Game = game
        seated = [players.find(game, *player) for player in plan.players]
        self.policies = tuple(player.policies for player in seated)
        self.options = np.array([player.options for player in seated])
        self.fixed = game.fixed_places(plan.codes, plan.overrides)
        counts = plan.pack.counts().astype(np.int64)
        counts -= np.bincount(self.fixed[self.fixed >= 0], minlength=len(counts))
        self.template = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
        places = game.places(game.encoded(plan.overrides))
        self._space = game.workspace(plan.overrides)
        self.dealt = max((max(place) + 1 for place in places.values() if len(place)), default=0)
        self._speaking = aside_of_results if plan.digests else contextlib.nullcontext

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
        with self._speaking():
            ending = drive.play(
                np.uint64(self.plan.seed),
                low,
                high,
                states,
                views,
                self.policies,
                self.options,
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
        from simcards.kernel.protocol import RAISED

        game, plan = self.game, self.plan
        deal = int(fault[drive.FAULT_GAME])
        where = f"{plan.game}, seed {plan.seed}, {plan.unit} {deal}"
        if ending != drive.ILLEGAL:
            return (
                f"{where}: the game had not ended after {game.limit:,} decisions; with these rules it may have no end"
            )
        seat, part = int(fault[drive.FAULT_SEAT]), int(fault[drive.FAULT_PHASE])
        who = f"strategy {plan.strategies[seat]!r} in the seat {game.ruleset.seats[seat]}"
        when = f"in the phase {game.phases[part]!r} (decision {int(fault[drive.FAULT_STEP])})"
        action = int(fault[drive.FAULT_ACTION])
        if action == RAISED and hasattr(self.policies[seat][part], "explain"):
            return f"{where}: {who} failed {when}: {self._explanation(deal, seat, part)}"
        return f"{where}: {who} chose the action {action} {when}, which is not legal"

    def trace(
        self, deal: int, room: int, fault: NDArray[np.int64], rows: NDArray[Any]
    ) -> tuple[int, NDArray[Any], NDArray[np.int64], NDArray[Any], NDArray[Any]]:
        """Play one deal and keep every position.

        Parameters
        ----------
        deal : int
            Which.
        room : int
            How many positions there is room for at first; more is made where it does not suffice.
        fault, rows
            As for `simcards.kernel.drive.trace`.

        Returns
        -------
        ending : int
            How it ended.
        seen : ndarray of STATE
            The positions.
        actions : ndarray of int64
            What was done in each; -1 where cards were dealt.
        views : ndarray of VIEW
            What each seat saw last.
        streams : ndarray of STREAM
            The last is the random stream of a decision at fault.
        """
        from simcards.kernel import drive
        from simcards.kernel.rng import STREAM

        game = self.game
        while True:
            states, views = self.workspace()
            seen, actions = np.zeros(room, game.state), np.full(room, -1, np.int64)
            streams = np.zeros(len(views) + 1, STREAM)
            with self._speaking():
                ending, count = drive.trace(
                    np.uint64(self.plan.seed),
                    deal,
                    states,
                    views,
                    self.policies,
                    self.options,
                    self.template,
                    self.fixed,
                    self.dealt,
                    rows,
                    fault,
                    seen,
                    actions,
                    streams,
                )
            if ending == drive.ROOM and room <= 2 * game.limit:  # a deal for each decision is more than enough
                room *= 4
                continue
            return int(ending), seen[:count], actions[:count], views, streams

    def _explanation(self, deal: int, seat: int, part: int) -> str:
        """Play up to the decision that failed, and ask for it once more."""
        from simcards.kernel import drive

        fault = np.zeros(5, np.int64)
        ending, seen, _, views, streams = self.trace(deal, 1024, fault, self.rows(1))
        told = ""
        if ending == drive.ILLEGAL:
            masks, seats, phases = np.zeros(1, np.uint64), np.zeros(1, np.int64), np.zeros(1, np.int64)
            drive.look(seen[-1:], seats, phases, masks)
            view = views.view(np.recarray)[seat]
            stream = streams.view(np.recarray)[-1]
            with self._speaking():
                told = self.policies[seat][part].explain(view, int(masks[0]), stream, self.options[seat, part])
        return told or "it raised an exception"


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
