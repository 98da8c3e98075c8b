"""Quantities of a game over all its seats, so that games with different seats can be set side by side.

A game's own columns have a value for each seat. Here every deal gives one number: the sum over the seats, or what the
first seat has more than the others. So the errors are right, though the seats of a deal hang together.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.stats import Estimate
from simcards.study.accumulate import ColumnSums, Layout, Part, Summing, Tally
from simcards.study.checkpoint import Identity
from simcards.study.engine import Execution, execute
from simcards.study.plan import Plan
from simcards.study.table import BLOCK, matrix, table

if TYPE_CHECKING:
    from simcards.games.game import Game, Quantity

FORMS = ("mean", "sd", "edge")


@dataclass(frozen=True)
class Measure:
    """What is measured of a game.

    Attributes
    ----------
    form : str
        ``"mean"``: of a seat in a deal, all seats alike. ``"sd"``: how much a seat's value differs from deal to deal,
        as a standard deviation. ``"edge"``: what the seat that plays first has more than the mean of the others.
    quantity : str
        Name of the quantity.
    """

    form: str
    quantity: str

    @property
    def text(self) -> str:
        """As it is written: ``"points"``, ``"sd:points"``, ``"edge:won"``."""
        return self.quantity if self.form == "mean" else f"{self.form}:{self.quantity}"

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read what `text` gives.

        Parameters
        ----------
        text : str
            Such as ``"edge:won"``.

        Returns
        -------
        Measure

        Raises
        ------
        UsageError
            For a form that is not there.
        """
        form, colon, quantity = text.partition(":")
        if not colon:
            return cls("mean", text)
        if form not in FORMS:
            raise unknown(f"form of a quantity in {text!r}", form, FORMS)
        return cls(form, quantity)

    def check(self, game: Game) -> Quantity:
        """Return the quantity of a game that is measured.

        Parameters
        ----------
        game : Game
            The game.

        Returns
        -------
        Quantity

        Raises
        ------
        UsageError
            When the game has none of this name, or none that can be measured so.
        """
        quantity = game.quantity(self.quantity)
        seated = bool(game.row[self.quantity].shape)
        if seated and quantity.kind == "trick":
            raise UsageError(f"{self.quantity} of {game.ruleset.id} has no value in some deals, so seats have no mean")
        if self.form == "edge" and not (seated and game.ruleset.players > 1):
            raise UsageError(f"{self.quantity} of {game.ruleset.id} is the same for all seats, so none has an edge")
        return quantity


@dataclass(frozen=True)
class AcrossStudy:
    """The sums over the rows of a plan, each over all its seats.

    Attributes
    ----------
    plan : Plan
        What is played.
    measures : tuple of Measure
        What is measured.
    """

    plan: Plan
    measures: tuple[Measure, ...]

    @functools.cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """For each column that is summed the game's columns that it is made of, the first seat first."""
        made: dict[str, tuple[str, ...]] = {}
        for measure in self.measures:
            parts = self.parts(measure)
            made |= {f"sd {part}": (part,) for part in parts} if measure.form == "sd" else {measure.text: parts}
        return made

    def parts(self, measure: Measure) -> tuple[str, ...]:
        """Return the game's columns of a quantity, one a seat or one for the table.

        Parameters
        ----------
        measure : Measure
            What is measured.

        Returns
        -------
        tuple of str
        """
        game = self.plan.load()
        quantity = measure.check(game)
        return tuple(column.name for column in game.columns if column.quantity is quantity)

    @property
    def layout(self) -> Layout:
        """What is summed."""
        return Layout(tuple(self.columns))

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        about = self.plan.describe()
        del about["deals"]
        about["quantities"] = [measure.text for measure in self.measures]
        named = ",".join(about["quantities"])
        return Identity(f"across/{self.plan.fingerprint()}/{named}", about, self.layout)

    def half_width(self, tally: Tally, target: str | None, confidence: float) -> float:
        """Refuse to look: the number of deals is fixed."""
        raise UsageError("games that are compared are played a fixed number of deals")

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals and sum up their rows."""
        from simcards.kernel.protocol import MISSING

        at = table(self.plan)
        names = [column.name for column in at.game.columns]
        made = [
            (column.startswith("edge:"), [names.index(part) for part in parts])
            for column, parts in self.columns.items()
        ]
        summing = Summing(self.layout)
        rows = at.rows(min(BLOCK, high - low))
        for start in range(low, high, BLOCK):
            block = rows[: min(BLOCK, high - start)]
            complaint = at.play(start, start + len(block), block)
            if complaint:
                return complaint
            values = matrix(block)
            wide = np.stack([_combined(values[:, places], edge) for edge, places in made], axis=1)
            beyond = np.flatnonzero(((np.abs(wide) >= 2**31) & (wide != MISSING)).any(axis=1))
            if len(beyond):
                return (
                    f"{self.plan.game}, seed {self.plan.seed}, deal {start + beyond[0]}: a sum over seats exceeds 2**31"
                )
            summing.add(wide.astype(np.int32))
        return summing.part()


def _combined(values: NDArray[np.int32], edge: bool) -> NDArray[np.int64]:
    """Return the sums over the seats, or of what the first has more than each other; none where a seat has none."""
    from simcards.kernel.protocol import MISSING

    wide = values.astype(np.int64)
    total: NDArray[np.int64] = wide.sum(axis=1)
    if edge:
        total = values.shape[1] * wide[:, 0] - total
    total[(values == MISSING).any(axis=1)] = MISSING
    return total


@dataclass(frozen=True)
class Across(Execution):
    """How a study over all seats went.

    Attributes
    ----------
    study : AcrossStudy
        What was played and measured.
    """

    study: AcrossStudy = field(kw_only=True)

    @property
    def plan(self) -> Plan:
        """What was played."""
        return self.study.plan

    def describe(self) -> dict[str, Any]:
        """Return what was played as plain data.

        Returns
        -------
        dict
        """
        return {**self.plan.describe(), "quantities": [measure.text for measure in self.study.measures]}

    def estimate(self, measure: Measure, confidence: float = 0.95) -> Estimate:
        """Return what was measured.

        Parameters
        ----------
        measure : Measure
            One of those of the study.
        confidence : float
            Confidence level.

        Returns
        -------
        Estimate
            Of a standard deviation the error is not known (nan).
        """
        tally, parts = self.tally, self.study.parts(measure)
        if measure.form == "sd":
            return _deviation(measure.text, [tally.column(f"sd {part}") for part in parts])
        sums = tally.column(measure.text)
        if measure.form == "mean" and measure.check(self.plan.load()).kind == "flag":
            return stats.clustered_proportion(
                sums.n, sums.total, sums.squares, len(parts), quantity=measure.text, confidence=confidence
            )
        made = stats.mean(sums.n, sums.total, sums.squares, quantity=measure.text, confidence=confidence)
        return made.divided(len(parts) - (measure.form == "edge"))


def _deviation(name: str, seats: list[ColumnSums]) -> Estimate:
    """Return the standard deviation of a seat's value about the mean of the seat, all seats alike."""
    n, value = seats[0].n, math.nan
    if n > 1:
        value = math.sqrt(sum((n * one.squares - one.total**2) / (n * (n - 1)) for one in seats) / len(seats))
    return Estimate(name, n, value, math.nan, math.nan, math.nan, "")


def across(plan: Plan, measures: Iterable[Measure], **settings: Any) -> Across:
    """Play a plan and sum up quantities over all seats.

    Parameters
    ----------
    plan : Plan
        What is played.
    measures : iterable of Measure
        What is measured.
    **settings
        ``workers``, ``chunk``, ``progress``, ``checkpoint`` and ``resume`` as for `simcards.study.engine.run`.

    Returns
    -------
    Across

    Raises
    ------
    UsageError
        When something asked for is not there.
    PlayError
        When the game or a strategy is at fault.
    """
    study = AcrossStudy(plan, tuple(measures))
    return Across(**vars(execute(study, plan.deals, **settings)), study=study)
