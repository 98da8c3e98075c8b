"""A mean corrected by quantities whose means are known: the same precision from fewer deals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.stats import Controlled
from simcards.study.accumulate import Group, Layout, Tally
from simcards.study.checkpoint import Identity
from simcards.study.engine import PlayStudy, execute
from simcards.study.plan import Plan

Known = Mapping[str, int | float | Fraction]


def play_controlled(plan: Plan, target: str, known: Known, *, confidence: float = 0.95, **how: Any) -> Controlled:
    """Play a plan and estimate one mean with the help of columns whose means are known.

    Parameters
    ----------
    plan : Plan
        What is played.
    target : str
        A column, such as ``"points.pone"``.
    known : mapping
        Other columns and their exact means, such as ``{"dealt_aces.pone": Fraction(9, 4)}``.
    confidence : float
        Confidence level.
    **how
        ``workers``, ``chunk``, ``progress``, ``checkpoint`` and ``resume``, as for `simcards.study.engine.run`.

    Returns
    -------
    Controlled
        The corrected and the plain mean, and how many times more deals the plain one would need.

    Raises
    ------
    UsageError
        When there is no such column, or one has no value in some deals.
    """
    study = ControlStudy(plan, target=target, known=tuple(checked(plan, target, known)))
    tally = execute(study, plan.deals, confidence=confidence, **how).tally
    return estimate(tally, tally.whole, target, dict(known), confidence=confidence)


@dataclass(frozen=True)
class ControlStudy(PlayStudy):
    """The sums over the rows of a plan, with the products that a correction needs.

    Attributes
    ----------
    target : str
        The column whose mean is wanted.
    known : tuple of str
        The columns whose means are known.
    """

    target: str = ""
    known: tuple[str, ...] = ()

    @property
    def layout(self) -> Layout:
        """What is summed."""
        layout = super().layout
        return replace(layout, pairs=(*layout.pairs, *products([self.target, *self.known])))

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        plain = super().identity
        about = {**plain.about, "target": self.target, "controls": list(self.known)}
        return plain._replace(fingerprint="/".join([plain.fingerprint, self.target, *self.known]), about=about)


def checked(plan: Plan, target: str, known: Known) -> Iterable[str]:
    """Return the names of the columns of known mean.

    Parameters
    ----------
    plan : Plan
        What is played.
    target : str
        The column whose mean is wanted.
    known : mapping
        The others.

    Returns
    -------
    iterable of str

    Raises
    ------
    UsageError
        When a column is not there or a mean is no number.
    """
    columns = [column.name for column in plan.load().columns]
    if target not in columns:
        raise unknown(f"quantity of {plan.game}", target, columns)
    for name, mean in known.items():
        if name not in columns or name == target:
            others = [column for column in columns if column != target]
            raise unknown(f"quantity of known mean in {plan.game}", name, others)
        known_mean(name, mean)
    return known


def known_mean(name: str, mean: object) -> Fraction:
    """Return a known mean as it is written.

    Parameters
    ----------
    name : str
        Of what.
    mean : object
        A number.

    Returns
    -------
    Fraction

    Raises
    ------
    UsageError
        When it is none.
    """
    if isinstance(mean, bool) or not isinstance(mean, int | float | Fraction) or not math.isfinite(mean):
        raise UsageError(f"the known mean of {name} must be a number, such as 0, not {mean!r}")
    return Fraction(mean)


def products(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of columns whose products are summed for `estimate`, the column that is corrected first.

    Parameters
    ----------
    names : iterable of str
        Columns.

    Returns
    -------
    tuple of pair of str
    """
    return tuple(itertools.combinations(names, 2))


def estimate(tally: Tally, group: Group, column: str, known: Known, **labels: Any) -> Controlled:
    """Correct the mean of a column by columns whose means are known.

    Parameters
    ----------
    tally : Tally
        The sums, with those of the `products`.
    group : Group
        The group of rows.
    column : str
        What is estimated.
    known : mapping
        The other columns and their means.
    **labels
        As for `simcards.stats.control_variates`.

    Returns
    -------
    Controlled

    Raises
    ------
    UsageError
        When a column has no value in some of the rows.
    """
    names = [column, *known]
    sums = [tally.column(name, group) for name in names]
    matrix = [[made.squares if a == b else 0 for b in range(len(names))] for a, made in enumerate(sums)]
    for (a, first), (b, second) in itertools.combinations(enumerate(names), 2):
        pair = tally.pair(first, second, group)
        if not pair.n == sums[a].n == sums[b].n:
            raise UsageError(f"{second} has no value in some deals, so it cannot be a control of {first}")
        matrix[a][b] = matrix[b][a] = pair.ab
    totals = [made.total for made in sums]
    return stats.control_variates(sums[0].n, totals, matrix, list(known.values()), quantity=column, **labels)
