"""What a question about dealt cards comes to: counted and simulated, side by side."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.odds.deal import Deal
from simcards.odds.written import one_in, several
from simcards.results import Result
from simcards.stats import Estimate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from simcards.odds.exact import Exact
    from simcards.odds.simulate import Simulation, Sums
    from simcards.report.tables import Table

_FEW = 5  # expected events below which a z-score says nothing


@dataclass(frozen=True)
class OddsRow:
    """One question and its answers.

    Attributes
    ----------
    name : str
        What it is called.
    expression : str
        The question.
    doc : str
        What it says.
    is_condition : bool
        Whether it is true or false; otherwise it is a number.
    exact : Exact or None
        The count.
    reason : str
        Why there is no count.
    estimate : Estimate or None
        The simulated frequency of a condition, or mean of a number.
    sums : Sums or None
        The simulated values.
    """

    name: str
    expression: str
    doc: str
    is_condition: bool
    exact: Exact | None
    reason: str = ""
    estimate: Estimate | None = None
    sums: Sums | None = None

    @property
    def value(self) -> Fraction | None:
        """The exact probability of a condition, or mean of a number."""
        if self.exact is None:
            return None
        return self.exact.probability if self.is_condition else self.exact.mean

    @property
    def counted(self) -> Estimate | None:
        """The exact value as a row of the tables."""
        value = self.value
        if value is None:
            return None
        return stats.exact(value.numerator, value.denominator, quantity=self.name)

    @property
    def one_in(self) -> float:
        """How many deals there are for one in which the condition is true; nan for numbers and if there is none."""
        value = self.value
        if not self.is_condition:
            return math.nan
        if value is not None:
            return _inverse(value) if value else math.nan
        return 1.0 / self.estimate.estimate if self.estimate is not None and self.estimate.estimate > 0.0 else math.nan

    @property
    def z(self) -> float:
        """By how many standard errors the simulated value misses the exact one.

        It is nan where that says nothing: when fewer than five deals with the event, or without it, are expected.
        """
        if self.exact is None or self.estimate is None or not self.estimate.n:
            return math.nan
        if self.is_condition and 0 < self.exact.probability < 1:
            chance = float(self.exact.probability)
            if self.estimate.n * min(chance, 1.0 - chance) < _FEW:
                return math.nan
        miss = self.estimate.estimate - float(self.value or 0)
        error = self.exact.sd / math.sqrt(self.estimate.n)
        if error == 0.0:
            return 0.0 if abs(miss) < 1e-12 * max(1.0, abs(float(self.value or 0))) else math.copysign(math.inf, miss)
        return miss / error

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the rows for machines: the counted one, then the simulated one."""
        counted = self.counted
        if counted is not None and self.exact is not None:
            record: dict[str, Any] = {**counted.as_record(), "kind": self.kind, "expression": self.expression}
            record["one_in"] = self.one_in
            if not self.is_condition:
                record["sd"] = self.exact.sd
            record |= {"route": self.exact.route, "states": self.exact.states}
            yield record
        if self.estimate is not None:
            record = {**self.estimate.as_record(), "kind": self.kind, "expression": self.expression}
            if counted is not None:
                record |= {"exact": counted.estimate, "z": self.z}
            else:
                record["not_counted"] = self.reason
            yield record
        if counted is None and self.estimate is None:
            missing = Estimate(self.name, 0, math.nan, math.nan, math.nan, math.nan, "not counted")
            yield {
                **missing.as_record(),
                "kind": self.kind,
                "expression": self.expression,
                "not_counted": self.reason,
            }

    @property
    def kind(self) -> str:
        """``"rate"`` for a condition, ``"mean"`` for a number."""
        return "rate" if self.is_condition else "mean"


@dataclass(frozen=True, repr=False)
class OddsResult(Result):
    """Answers to questions about dealt cards.

    Attributes
    ----------
    deal : Deal
        The cards.
    rows : tuple of OddsRow
        The answers.
    seed : int
        The seed of the simulation.
    given : str
        The condition under which all was asked, or nothing.
    condition : Exact or None
        The count of the condition.
    simulation : Simulation or None
        How the simulation went.
    wanted : int
        How many deals were wanted.
    precision : float or None
        The precision that was asked for.
    confidence : float
        Confidence level of the intervals.
    game : str
        Title of the game, if it is about one.
    identifier : str
        Its id.
    seconds : float
        Time that counting took.
    """

    deal: Deal
    rows: tuple[OddsRow, ...]
    seed: int = 1
    given: str = ""
    condition: Exact | None = None
    simulation: Simulation | None = None
    wanted: int = 0
    precision: float | None = None
    confidence: float = 0.95
    game: str = ""
    identifier: str = ""
    seconds: float = 0.0
    finished: datetime = field(default_factory=lambda: datetime.now(UTC))

    _file = "odds"

    def __getitem__(self, name: str) -> OddsRow:
        """Return the answer to a question by its name or its text."""
        for row in self.rows:
            if name in (row.name, row.expression):
                return row
        raise unknown("question", name, [row.name for row in self.rows])

    @property
    def deals(self) -> int:
        """How many deals were simulated."""
        return 0 if self.simulation is None else self.simulation.deals

    @property
    def interrupted(self) -> bool:
        """Whether the simulation was interrupted before all deals wanted were done."""
        return self.simulation is not None and self.simulation.interrupted

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows for machines: for each question the counted value, then the simulated one."""
        return [record for row in self.rows for record in row.records()]

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """One row a question.

        The columns are ``quantity``, ``expression``, ``kind`` (``rate`` or ``mean``), ``numerator`` and
        ``denominator`` (Python integers), ``exact``, ``one_in``, ``odds`` (``"1 in 621.29"``), ``sd`` (exact, of
        one deal), ``n``, ``estimate``, ``se``, ``ci_low``, ``ci_high``, ``method``, ``z``, ``route``, ``states``
        and ``doc``; what there is not is nan or None.
        """
        import pandas as pd

        return pd.DataFrame.from_records([self._line(row) for row in self.rows])

    def _line(self, row: OddsRow) -> dict[str, Any]:
        value, made = row.value, row.estimate
        return {
            "quantity": row.name,
            "expression": row.expression,
            "kind": row.kind,
            "numerator": None if value is None else value.numerator,
            "denominator": None if value is None else value.denominator,
            "exact": math.nan if value is None else float(value),
            "one_in": row.one_in,
            "odds": one_in(row.one_in),
            "sd": math.nan if row.exact is None else row.exact.sd,
            "n": 0 if made is None else made.n,
            "estimate": math.nan if made is None else made.estimate,
            "se": math.nan if made is None else made.se,
            "ci_low": math.nan if made is None else made.ci_low,
            "ci_high": math.nan if made is None else made.ci_high,
            "method": "" if made is None else made.method,
            "z": row.z,
            "route": row.reason if row.exact is None else row.exact.route,
            "states": 0 if row.exact is None else row.exact.states,
            "doc": row.doc,
        }

    def distribution(self, name: str | None = None) -> pd.DataFrame:
        """Return how often a question has which answer.

        Parameters
        ----------
        name : str, optional
            Name or text of the question; the first if left out.

        Returns
        -------
        pandas.DataFrame
            ``value``, ``ways`` and ``total`` (Python integers, counted), ``exact``, ``n``, ``estimate``, ``se``,
            ``ci_low``, ``ci_high``, ``method`` and ``z`` (simulated).
        """
        import pandas as pd

        return pd.DataFrame.from_records(self.values(self.rows[0] if name is None else self[name]))

    def values(self, row: OddsRow) -> list[dict[str, Any]]:
        """Return the distribution of a question as records.

        Parameters
        ----------
        row : OddsRow
            The question.

        Returns
        -------
        list of dict
        """
        counted = {} if row.exact is None else row.exact.counts
        seen = {} if row.sums is None or row.sums.counts is None else row.sums.counts
        found = []
        for value in sorted({*counted, *seen}):
            record: dict[str, Any] = {"value": value}
            exact = math.nan
            if row.exact is not None:
                chance = row.exact.chance(value)
                exact = float(chance)
                record |= {"ways": counted.get(value, 0), "total": row.exact.total, "exact": exact}
            if row.sums is not None and row.sums.counts is not None:
                made = stats.proportion(seen.get(value, 0), row.sums.n, confidence=self.confidence)
                record |= {
                    "n": made.n,
                    "estimate": made.estimate,
                    "se": made.se,
                    "ci_low": made.ci_low,
                    "ci_high": made.ci_high,
                    "method": made.method,
                    "z": math.nan if math.isnan(exact) or not made.n else stats.z_score(made, exact),
                }
            found.append(record)
        return found

    def value_records(self) -> list[dict[str, Any]]:
        """Return the distributions of all questions as flat records, counted and simulated."""
        found: list[dict[str, Any]] = []
        for row in self.rows:
            for line in self.values(row):
                quantity = f"{row.name} = {line['value']}"
                about = {"kind": "rate", "expression": row.expression, "value": line["value"]}
                if "ways" in line:
                    chance = Fraction(line["ways"], line["total"])
                    made = stats.exact(chance.numerator, chance.denominator, quantity=quantity)
                    found.append({**made.as_record(), **about, "one_in": 1 / made.estimate if chance else math.nan})
                if "estimate" in line:
                    keys = ("n", "estimate", "se", "ci_low", "ci_high", "method")
                    beside = {"exact": line["exact"], "z": line["z"]} if "ways" in line else {}
                    found.append({"quantity": quantity, **{key: line[key] for key in keys}, **about, **beside})
        return found

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        import platform

        import simcards

        about: dict[str, Any] = {"version": simcards.__version__, "kind": "odds"}
        if self.identifier:
            about["game"] = self.identifier
        about |= {**self.deal.describe(), "features": {row.name: row.expression for row in self.rows}}
        if self.given:
            about["given"] = self.given
        if self.condition is not None:
            about["given_ways"] = str(self.condition.total)
            about["given_of"] = str(self.condition.all_deals)
        made = self.simulation
        if made is not None:
            import joblib
            import numba
            import numpy as np

            from simcards.kernel.compiled import source_hash

            about |= {"seed": self.seed, "deals": made.deals, "dealing": made.way, "hands_dealt": made.tries}
            if self.precision is not None:
                about |= {"precision": self.precision, "precise": made.precise, "deals_at_most": self.wanted}
            if made.interrupted or made.stopped:
                about |= {"interrupted": made.interrupted, "given_up": made.stopped, "deals_wanted": self.wanted}
            about |= {
                "sources": source_hash("odds"),
                "seconds": round(made.seconds, 3),
                "deals_per_second": round(made.deals / made.seconds, 1) if made.seconds > 0.0 else None,
                "workers": made.workers,
                "numpy": np.__version__,
                "numba": numba.__version__,
                "joblib": joblib.__version__,
            }
        return about | {
            "seconds_counting": round(self.seconds, 3),
            "python": platform.python_version(),
            "platform": platform.platform(),
            "date": self.finished.isoformat(timespec="seconds"),
        }

    # -- for people --------------------------------------------------------------------------------------

    def headline(self) -> list[str]:
        """Return in a few lines what was asked."""
        return [self._title(), *([f"given {self.given}: {self._condition()}"] if self.given else [])]

    def _title(self) -> str:
        deal = self.deal
        pack = f"pack {deal.pack}"
        if len(deal.places) == 1 and not deal.places[0].fixed and not deal.known:
            dealt = f"{deal.places[0].size} of {several(deal.pack.size, 'card')}, {pack}"
        else:
            hands = ", ".join(f"{name} {text}" for name, text in deal.describe()["hands"].items())  # type: ignore[attr-defined]
            dealt = f"{hands} of {several(deal.unseen, 'unseen card')}, {pack}"
        trump = f", trumps {deal.trump}" if deal.trump else ""
        return f"{self.game}: {dealt}{trump}" if self.game else f"{dealt[:1].upper()}{dealt[1:]}{trump}"

    def _condition(self) -> str:
        if self.condition is None:
            made = self.simulation
            return "not counted" if made is None else f"{made.deals:,} of {several(made.tries, 'hand')} dealt"
        chance = Fraction(self.condition.total, self.condition.all_deals)
        return f"{self.condition.total:,} of {several(self.condition.all_deals, 'deal')}, {one_in(_inverse(chance))}"

    def tables(self, everything: bool = False) -> list[Table]:
        """Return the answers as tables for people.

        Parameters
        ----------
        everything : bool
            Whether to show the distribution of every number as well.

        Returns
        -------
        list of simcards.report.tables.Table
        """
        from simcards.odds import present

        return present.tables(self, everything)

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how the numbers came about."""
        from simcards.odds import present

        return present.remarks(self)

    def plot(self, name: str | None = None) -> Figure:
        """Draw the distribution of a number, or all probabilities.

        Parameters
        ----------
        name : str, optional
            Name or text of the question; if left out the first number, and if there is none all probabilities.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from simcards.odds import present

        return present.plot(self, name)

    def _files(self) -> dict[str, str]:
        from simcards.odds import present

        return present.files(self)


def _inverse(chance: Fraction) -> float:
    with contextlib.suppress(OverflowError):
        return float(1 / chance)
    return math.inf


def check_distribution(result: OddsResult) -> None:
    """Raise when there is no distribution to show.

    Parameters
    ----------
    result : OddsResult
        The result.

    Raises
    ------
    UsageError
        When nothing was counted or simulated.
    """
    if not any(result.values(row) for row in result.rows):
        raise UsageError("there is no distribution: nothing was counted or simulated")
