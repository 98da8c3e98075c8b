"""From sums to numbers with their errors: the rows of a study's tables, and where they come from."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import simcards
from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.games.game import Column
from simcards.stats import Estimate
from simcards.study.accumulate import ColumnSums, Group, Tally
from simcards.study.engine import Outcome
from simcards.study.plan import Plan

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game
    from simcards.study.across import Across
    from simcards.study.decisions import Decisions
    from simcards.study.match import MatchOutcome

ANY = "any_"  # before the name of a count: the rate at which it is not zero


@dataclass(frozen=True)
class Row:
    """One row of the table of results.

    Attributes
    ----------
    estimate : Estimate
        The number with its error.
    section : str
        Where a report shows it.
    kind : str
        ``"points"``, ``"count"``, ``"flag"``, ``"rate"``, ``"trick"``, ``"deals"`` or ``"share"``.
    doc : str
        What it is.
    group : int, optional
        Value of the grouping column; None where it has none.
    """

    estimate: Estimate
    section: str
    kind: str
    doc: str
    group: int | None = None

    def as_record(self) -> dict[str, Any]:
        """Return the row of a table.

        Returns
        -------
        dict
            The columns of the estimate, then section and kind.
        """
        return {**self.estimate.as_record(), "section": self.section, "kind": self.kind}


def estimates(outcome: Outcome, confidence: float = 0.95) -> list[Row]:
    """Estimate every quantity of a study.

    A flag gives its rate. A count gives its mean a deal, and as ``any_…`` the rate at which it is not zero.
    Points give their mean, and so do tricks and deals at which something first happened, over the deals in
    which it did. The shares of the game give the ratio of the means. Where the run ended by its own result (a
    precision was asked for), all intervals are those of a confidence sequence, which allows for that.

    Parameters
    ----------
    outcome : Outcome
        The study.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Row
        In the order of the game's quantities; in a grouped study all rows of a group, then those of the next.
    """
    if outcome.group_by is None:
        return list(_rows(outcome, outcome.tally.whole, confidence))
    tally = outcome.tally
    return [replace(row, group=key) for key in tally.keys for row in _rows(outcome, tally.groups[key], confidence)]


def records(outcome: Outcome, confidence: float = 0.95) -> list[dict[str, Any]]:
    """Return the estimates as flat records.

    Parameters
    ----------
    outcome : Outcome
        The study.
    confidence : float
        Confidence level.

    Returns
    -------
    list of dict
        As `Row.as_record`; in a grouped study the grouping column comes first.
    """
    rows = estimates(outcome, confidence)
    if outcome.group_by is None:
        return [row.as_record() for row in rows]
    return [{outcome.group_by: row.group, **row.as_record()} for row in rows]


def frame(outcome: Outcome, confidence: float = 0.95) -> pd.DataFrame:
    """Return the estimates as a table.

    Parameters
    ----------
    outcome : Outcome
        The study.
    confidence : float
        Confidence level.

    Returns
    -------
    pandas.DataFrame
        One row an estimate.
    """
    import pandas as pd

    table = pd.DataFrame.from_records(records(outcome, confidence))
    if outcome.group_by is not None and len(table):
        table[outcome.group_by] = table[outcome.group_by].astype("Int64")
    return table


def sequence_of(game: Game, tally: Tally, target: str, confidence: float = 0.95) -> Estimate:
    """Estimate one quantity during a run.

    Parameters
    ----------
    game : Game
        The game.
    tally : Tally
        The sums so far.
    target : str
        A column, or ``any_`` and the name of a count or flag.
    confidence : float
        Confidence level.

    Returns
    -------
    Estimate
        Method ``confidence-sequence``.

    Raises
    ------
    UsageError
        When there is no such column.
    """
    columns = {column.name: column for column in game.columns}
    rates = {f"{ANY}{name}": column for name, column in columns.items() if column.quantity.kind == "count"}
    column = columns.get(target) or rates.get(target)
    if column is None:
        nearby = [name for name in columns if name.startswith(f"{target}.")]
        if nearby:
            raise UsageError(f"{target!r} has a value for each seat; write {' or '.join(nearby)}")
        raise unknown(f"quantity of {game.ruleset.id}", target, [*columns, *rates])
    sums = tally.column(column.name)
    if target in rates or column.quantity.kind == "flag":
        return stats.proportion_sequence(sums.positive, sums.n, quantity=target, confidence=confidence)
    return stats.mean_sequence(sums.n, sums.total, sums.squares, quantity=target, confidence=confidence)


def provenance(outcome: Outcome | MatchOutcome | Across | Decisions) -> dict[str, Any]:
    """Return all that is needed to obtain the same numbers again, and what obtaining them took.

    Parameters
    ----------
    outcome : Outcome, MatchOutcome, Across or Decisions
        The study.

    Returns
    -------
    dict
        Can be written as JSON.
    """
    import joblib
    import numba
    import numpy as np

    from simcards.kernel.compiled import source_hash

    about = outcome.describe()
    if outcome.interrupted:
        about |= {"interrupted": True, "deals_wanted": about["deals"]}
    if outcome.precision is not None:
        about |= {
            "precision": outcome.precision,
            "target": outcome.target,
            "precise": outcome.precise,
            "deals_at_most": about["deals"],
        }
    about["deals"] = outcome.deals
    return {
        "version": simcards.__version__,
        "sources": f"{source_hash('games')}-{source_hash('study')}",
        **about,
        "seconds": round(outcome.seconds, 3),
        "deals_per_second": round(outcome.rate, 1) if outcome.rate == outcome.rate else None,
        "resumed_from": outcome.resumed or None,
        "workers": outcome.workers,
        "backend": outcome.backend,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "joblib": joblib.__version__,
        "platform": platform.platform(),
        "date": datetime.fromtimestamp(outcome.finished, UTC).isoformat(timespec="seconds"),
    }


def _rows(outcome: Outcome, group: Group, confidence: float) -> Iterator[Row]:
    game, tally = outcome.plan.load(), outcome.tally
    looked = outcome.precision is not None
    for column in game.columns:
        quantity = column.quantity
        sums = tally.column(column.name, group)
        labels = _labels(outcome.plan, column.seat, confidence)
        estimate = _rate if quantity.kind == "flag" else _mean
        made = estimate(sums, looked, quantity=quantity.name, **labels)
        yield Row(made, quantity.section, quantity.kind, quantity.doc)
        if quantity.kind == "count":
            made = _rate(sums, looked, quantity=f"{ANY}{quantity.name}", **labels)
            yield Row(made, quantity.section, "rate", f"{quantity.doc}: at least one")
    for part, whole in game.shares:
        for column in game.columns:
            if column.quantity.name == part:
                yield _share(outcome, group, column, whole, confidence)


def _labels(plan: Plan, seat: str | None, confidence: float) -> dict[str, Any]:
    strategy = None if seat is None else plan.strategies[plan.ruleset.seats.index(seat)]
    return {"seat": seat, "strategy": strategy, "confidence": confidence}


def _rate(sums: ColumnSums, looked: bool, **labels: Any) -> Estimate:
    estimate = stats.proportion_sequence if looked else stats.proportion
    return estimate(sums.positive, sums.n, **labels)


def _mean(sums: ColumnSums, looked: bool, **labels: Any) -> Estimate:
    estimate = stats.mean_sequence if looked else stats.mean
    return estimate(sums.n, sums.total, sums.squares, **labels)


def _share(outcome: Outcome, group: Group, column: Column, whole: str, confidence: float) -> Row:
    quantity = column.quantity
    other = Column(outcome.plan.load().quantity(whole), column.seat)
    sums = outcome.tally.pair(column.name, other.name, group)
    made = stats.ratio(
        sums.n,
        sums.a,
        sums.b,
        sums.aa,
        sums.bb,
        sums.ab,
        quantity=f"{quantity.name}/{whole}",
        **_labels(outcome.plan, column.seat, confidence),
    )
    if outcome.precision is not None:
        reach = stats.half_width(made.n, made.n * made.se**2, confidence) if made.se >= 0.0 else made.se
        bounded = abs(made.ci_high) < float("inf")
        low, high = (made.estimate - reach, made.estimate + reach) if bounded else (made.ci_low, made.ci_high)
        made = replace(made, ci_low=low, ci_high=high, method="confidence-sequence")
    return Row(made, quantity.section, "share", f"{quantity.doc}, as a share of {whole}")
