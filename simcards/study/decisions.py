"""What it is worth to say yes: a question of a game, asked in worlds at every decision where it comes up.

A strategy plays deals. Wherever it is asked for a yes or a no in one phase, such as whether to close the stock, both
answers are played out in the same sampled worlds, as for advice, with everybody going on by ``basic``. The decisions
are sorted into cells by marks of the position, such as the points won; a cell has what yes brings more than no on
average.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.stats import Estimate
from simcards.study.accumulate import Layout, Part, Summing, Tally
from simcards.study.checkpoint import Identity
from simcards.study.engine import Execution, execute
from simcards.study.plan import MOST_DEALS, Plan, whole_number
from simcards.study.table import Table, table

if TYPE_CHECKING:
    from simcards.games.game import Game, Mark

WORLDS = 32
MOST_WORLDS = 10_000
_COLUMNS = ("positions", "gain", "yes", "taken")
_ROOM = 256  # positions of a deal there is room for at first
_EACH = 1_000  # more decisions of the phase than a deal has, so that no two share their worlds


class Cell(NamedTuple):
    """A class of each of the two marks, by index."""

    first: int
    second: int


@dataclass(frozen=True)
class DecisionStudy:
    """The sums over the decisions of a phase.

    Attributes
    ----------
    plan : Plan
        What is played.
    phase : str
        The phase; decisions that offer more than yes and no are left out.
    action : int
        The action that is yes.
    by : tuple of str
        Two of the game's marks: the lines and the columns.
    worlds : int
        Worlds for each decision.
    """

    plan: Plan
    phase: str
    action: int
    by: tuple[str, str]
    worlds: int = WORLDS

    def check(self) -> None:
        """Raise unless the game has all that is named."""
        game = self.plan.load()
        if "mc" not in game.strategies:
            raise UsageError(f"decisions of {self.plan.game} cannot be tried: it lacks what the strategy 'mc' needs")
        if self.phase not in game.phases:
            raise unknown(f"phase of {self.plan.game}", self.phase, game.phases)
        whole_number("the action", self.action, 0, 63)
        whole_number("the number of worlds", self.worlds, 2, MOST_WORLDS)
        if len(self.by) != 2 or self.by[0] == self.by[1]:
            raise UsageError("by takes two different marks: that of the lines and that of the columns")
        for name in self.by:
            _mark(game, name)

    @functools.cached_property
    def marks(self) -> tuple[Mark, Mark]:
        """The marks by which decisions are sorted."""
        game = self.plan.load()
        return _mark(game, self.by[0]), _mark(game, self.by[1])

    @functools.cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells there can be."""
        first, second = self.marks
        return tuple(Cell(*both) for both in itertools.product(range(len(first.edges)), range(len(second.edges))))

    @property
    def layout(self) -> Layout:
        """What is summed: of every cell, over the decisions of a deal."""
        names = [_name(cell, column) for cell in self.cells for column in _COLUMNS]
        whole = _COLUMNS[0]
        pairs = [(_name(cell, column), _name(cell, whole)) for cell in self.cells for column in _COLUMNS[1:]]
        return Layout(tuple(names), pairs=tuple(pairs))

    @property
    def about(self) -> dict[str, Any]:
        """What is asked, as plain data."""
        return {"phase": self.phase, "action": self.action, "by": list(self.by), "worlds": self.worlds}

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        about = {**self.plan.describe(), **self.about}
        del about["deals"]
        named = ",".join(map(str, (self.phase, self.action, *self.by, self.worlds)))
        return Identity(f"decisions/{self.plan.fingerprint()}/{named}", about, self.layout)

    def half_width(self, tally: Tally, target: str | None, confidence: float) -> float:
        """Refuse to look: the number of deals is fixed."""
        raise UsageError("decisions are tried in a fixed number of deals")

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals, try their decisions, and sum up."""
        from simcards.kernel.protocol import MISSING

        at = table(self.plan)
        summing = Summing(self.layout)
        row = np.zeros((1, len(self.cells), len(_COLUMNS)), np.int32)
        for deal in range(low, high):
            found = self._tried(at, deal)
            if isinstance(found, str):
                return found
            views, gains, values, taken = found
            row[:] = MISSING
            if len(views):
                first, second = (mark.classes(views) for mark in self.marks)
                places = first * len(self.marks[1].edges) + second
                for place in np.unique(places):
                    here = places == place
                    row[0, place] = here.sum(), gains[here].sum(), values[here].sum(), taken[here].sum()
            summing.add(row.reshape(1, -1))
        return summing.part()

    def _tried(self, at: Table, deal: int) -> tuple[NDArray[Any], ...] | str:
        """Return of each decision of a deal the view, the sums of gain and worth of yes, and whether yes was said."""
        from simcards.kernel import drive, search
        from simcards.kernel.protocol import OPTIONS

        game, worlds = at.game, self.worlds
        fault = np.zeros(5, np.int64)
        ending, seen, actions, _, _ = at.trace(deal, _ROOM, fault, at.rows(1))
        if ending != drive.FINISHED:
            return at.complaint(ending, fault)
        seats, phases, masks = (np.zeros(len(seen), kind) for kind in (np.int64, np.int64, np.uint64))
        drive.look(seen, seats, phases, masks)
        part = game.phases.index(self.phase)
        asked = [
            place
            for place in np.flatnonzero((seats >= 0) & (phases == part))
            if int(masks[place]).bit_count() == 2 and int(masks[place]) >> self.action & 1
        ]
        _, space = at.workspace()
        views = np.zeros(len(asked), game.view)
        gains, values = np.zeros(len(asked), np.int64), np.zeros(len(asked), np.int64)
        options = np.zeros(1, OPTIONS)
        found, usual = np.zeros((worlds, 2)), np.zeros(worlds, np.int64)
        for number, place in enumerate(asked):
            search.look(seen[place : place + 1], int(seats[place]), space)
            views[number] = space[0]
            legal = int(masks[place])
            both = np.array([self.action, (legal & ~(1 << self.action)).bit_length() - 1])
            start = (deal * _EACH + number) * worlds
            many = np.repeat(space[:1], worlds)
            search.advise(many, np.uint64(self.plan.seed), start, masks[place], part, options, both, found, usual)
            whole = found.astype(np.int64)
            if not np.array_equal(whole, found):
                return f"{self.plan.game}: what a deal is worth is not a whole number, and only such can be summed up"
            gains[number], values[number] = (whole[:, 0] - whole[:, 1]).sum(), whole[:, 0].sum()
        return views, gains, values, actions[asked] == self.action


def _mark(game: Game, name: str) -> Mark:
    for mark in game.marks:
        if mark.name == name:
            return mark
    raise unknown(f"mark of {game.ruleset.id}", name, [mark.name for mark in game.marks])


def _name(cell: Cell, column: str) -> str:
    return f"{column} {cell.first} {cell.second}"


@dataclass(frozen=True)
class Decisions(Execution):
    """How a study of decisions went.

    Attributes
    ----------
    study : DecisionStudy
        What was asked.
    """

    study: DecisionStudy = field(kw_only=True)

    @property
    def plan(self) -> Plan:
        """What was played."""
        return self.study.plan

    def describe(self) -> dict[str, Any]:
        """Return what was played and asked as plain data.

        Returns
        -------
        dict
        """
        return {**self.plan.describe(), **self.study.about}

    def positions(self, cell: Cell) -> int:
        """Return how many decisions fell into a cell.

        Parameters
        ----------
        cell : Cell
            The cell.

        Returns
        -------
        int
        """
        return self.tally.column(_name(cell, "positions")).total

    def gain(self, cell: Cell, confidence: float = 0.95) -> Estimate:
        """Return what yes brings more than no on average over the decisions of a cell, in the same worlds.

        Parameters
        ----------
        cell : Cell
            The cell.
        confidence : float
            Confidence level.

        Returns
        -------
        Estimate
            Its error is clustered by deal and covers that only so many worlds were drawn.
        """
        return self._mean("gain", cell, confidence).divided(self.study.worlds)

    def worth(self, cell: Cell, confidence: float = 0.95) -> Estimate:
        """Return what yes brings; parameters as of `gain`."""
        return self._mean("yes", cell, confidence).divided(self.study.worlds)

    def taken(self, cell: Cell, confidence: float = 0.95) -> Estimate:
        """Return the share of the decisions in which the strategy said yes; parameters as of `gain`."""
        return self._mean("taken", cell, confidence)

    def _mean(self, column: str, cell: Cell, confidence: float) -> Estimate:
        sums = self.tally.pair(_name(cell, column), _name(cell, "positions"))
        parts = sums.n, sums.a, sums.b, sums.aa, sums.bb, sums.ab
        return stats.ratio(*parts, quantity=column, confidence=confidence)


def decisions(
    plan: Plan, phase: str, action: int, by: tuple[str, str], worlds: int = WORLDS, **settings: Any
) -> Decisions:
    """Play a plan and try both answers to a question at every decision.

    Parameters
    ----------
    plan : Plan
        What is played.
    phase, action, by, worlds
        As of `DecisionStudy`.
    **settings
        ``workers``, ``chunk``, ``progress``, ``checkpoint`` and ``resume`` as for `simcards.study.engine.run`.

    Returns
    -------
    Decisions

    Raises
    ------
    UsageError
        When something asked for is not there.
    PlayError
        When the game or a strategy is at fault.
    """
    study = DecisionStudy(plan, phase, action, by, worlds)
    study.check()
    whole_number("the number of deals", plan.deals, 1, MOST_DEALS // (_EACH * worlds))
    return Decisions(**vars(execute(study, plan.deals, **settings)), study=study)
