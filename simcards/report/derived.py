"""Numbers that a report shows beside the table of results: shares of a histogram, quantiles, edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from simcards import stats
from simcards.stats import Comparison, Estimate

if TYPE_CHECKING:
    from simcards.games.game import Column
    from simcards.study.accumulate import Histogram
    from simcards.study.engine import Outcome
    from simcards.study.plan import Plan

PREFIXES = ("any_", "points_", "count_", "first_")


def label(name: str) -> str:
    """Return a quantity's name as people read it: ``"royal marriage"`` for ``"count_royal_marriage"``.

    Parameters
    ----------
    name : str
        Name of the quantity.

    Returns
    -------
    str
    """
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name.replace("_", " ")


def happening(name: str) -> str:
    """Return what a quantity of the section "timing" is about: ``"knock"`` for ``"knock_trick"``.

    Parameters
    ----------
    name : str
        Name of the quantity.

    Returns
    -------
    str
    """
    return label(name.removesuffix("_trick"))


def is_off(plan: Plan, name: str) -> bool:
    """Return whether a combination is not played: the rule of the same name says no, or gives nothing for it.

    Parameters
    ----------
    plan : Plan
        The study's plan.
    name : str
        Name of the quantity that counts it.

    Returns
    -------
    bool
    """
    return plan.rules.get(name.removeprefix("count_")) in ("no", 0)


def columns_of(outcome: Outcome, quantity: str) -> list[Column]:
    """Return the columns of a quantity, one a seat or one for the table; none when there is no such quantity.

    Parameters
    ----------
    outcome : Outcome
        The study.
    quantity : str
        Name of the quantity.

    Returns
    -------
    list of Column
    """
    return [column for column in outcome.plan.load().columns if column.quantity.name == quantity]


def rate(outcome: Outcome, count: int, n: int, confidence: float = 0.95) -> Estimate:
    """Estimate a probability from a count, with the kind of interval that the study's end allows.

    Parameters
    ----------
    outcome : Outcome
        The study; where a precision was asked for the interval is that of a confidence sequence.
    count, n : int
        How often the event happened, in how many rows.
    confidence : float
        Confidence level.

    Returns
    -------
    Estimate
    """
    estimate = stats.proportion if outcome.precision is None else stats.proportion_sequence
    return estimate(count, n, confidence=confidence)


@dataclass(frozen=True)
class Cell:
    """One bin of a histogram and the share of rows in it.

    Attributes
    ----------
    low, high : float
        Its edges; infinite where the bin is open.
    share : Estimate
        The share of rows.
    """

    low: float
    high: float
    share: Estimate


def cells(outcome: Outcome, histogram: Histogram, confidence: float = 0.95) -> list[Cell]:
    """Return the bins of a histogram between the first and the last that are not empty.

    Parameters
    ----------
    outcome : Outcome
        The study.
    histogram : Histogram
        Counts of one column.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Cell
        Together they hold every row.
    """
    edges, counts = _open(histogram)
    used = [place for place, count in enumerate(counts) if count]
    if not used:
        return []
    n = sum(counts)
    return [
        Cell(edges[place], edges[place + 1], rate(outcome, counts[place], n, confidence))
        for place in range(used[0], used[-1] + 1)
    ]


def quantile(
    outcome: Outcome, histogram: Histogram, q: float, quantity: str = "", confidence: float = 0.95
) -> Estimate:
    """Estimate a quantile of a column from its histogram.

    Parameters
    ----------
    outcome : Outcome
        The study.
    histogram : Histogram
        Counts of the column.
    q : float
        Which quantile.
    quantity : str
        What the row is called.
    confidence : float
        Confidence level.

    Returns
    -------
    Estimate
        Its interval is no finer than the bins; without a value where it lies beyond them.
    """
    edges, counts = _open(histogram)
    made = stats.quantile_from_histogram(
        edges, counts, q, discrete=histogram.width == 1, quantity=quantity, confidence=confidence
    )
    position = Fraction(repr(float(q))) * sum(counts)
    if position <= histogram.below or position > sum(counts) - histogram.above:
        # it lies beyond the bins, where no value is known: only the bound is
        made = replace(made, estimate=math.nan, se=math.nan)
    if outcome.precision is None or not made.n:
        return made
    # A bin can hold the quantile unless the confidence sequence of the share below or above rules that out.
    upto = list(itertools.accumulate(counts, initial=0))
    n = upto[-1]
    possible = [
        place
        for place in range(len(counts))
        if stats.proportion_sequence(upto[place], n, confidence=confidence).ci_low <= q
        and stats.proportion_sequence(upto[place + 1], n, confidence=confidence).ci_high >= q
    ]
    last = possible[-1] if histogram.width == 1 else possible[-1] + 1
    return Estimate(quantity, n, made.estimate, made.se, edges[possible[0]], edges[last], "confidence-sequence")


def _open(histogram: Histogram) -> tuple[list[float], list[int]]:
    """Return edges and counts with the rows before and behind the bins in open bins."""
    edges = [-math.inf, *map(float, histogram.edges), math.inf]
    return edges, [histogram.below, *histogram.counts, histogram.above]


@dataclass(frozen=True)
class Edge:
    """What the seat that plays first has over the other, in one quantity.

    Attributes
    ----------
    name, doc : str
        What is compared.
    comparison : Comparison
        The mean difference, first seat less second, and its probability adjusted for all that are compared.
    clear : bool
        Whether it is too large to be chance, all comparisons allowed for.
    """

    name: str
    doc: str
    comparison: Comparison
    clear: bool

    @property
    def estimate(self) -> Estimate:
        """The difference with its error."""
        return self.comparison.difference


def is_margin(outcome: Outcome) -> bool:
    """Return whether the payoff of the first seat is nothing but the margin in points.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    bool
    """
    payoff = columns_of(outcome, outcome.plan.load().payoff)
    if not payoff or not columns_of(outcome, "margin"):
        return False
    return outcome.tally.column(payoff[0].name) == outcome.tally.column("margin")


def edges_of_first(outcome: Outcome, confidence: float = 0.95) -> list[Edge]:
    """Compare the two seats of a study by the rows in which both sat: points, payoff and wins.

    Parameters
    ----------
    outcome : Outcome
        The study.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Edge
        Those that the game measures; none when it has not two seats.
    """
    seats = outcome.plan.ruleset.seats
    if len(seats) != 2:
        return []
    game, tally = outcome.plan.load(), outcome.tally
    sums: list[tuple[str, str, int, int, int]] = []
    if columns_of(outcome, "margin"):
        margin = tally.column("margin")
        sums.append(("points", "points", margin.n, margin.total, margin.squares))
    payoff = columns_of(outcome, game.payoff)
    if len(payoff) == 2:
        own, other = (tally.column(column.name) for column in payoff)
        # What one wins the other loses in every row, or the difference would need their products.
        opposed = own.total == -other.total and own.squares == other.squares
        if opposed and not is_margin(outcome):
            doc = f"{label(game.payoff)} to the {seats[0]}"
            sums.append((game.payoff, doc, own.n, own.total, own.squares))
    if len(columns_of(outcome, "won")) == 2:
        own, other = (tally.column(f"won.{seat}") for seat in seats)
        # Squares as if never both won: if they ever did the error would only be too large.
        sums.append(("won", "share of wins", own.n, own.total - other.total, own.total + other.total))
    alpha, nan = 1.0 - confidence, math.nan
    if outcome.precision is None:
        made = stats.family(
            stats.paired(n, total, squares, quantity=name, confidence=confidence) for name, _, n, total, squares in sums
        )
        clear = [made_one.p_adjusted is not None and made_one.p_adjusted < alpha for made_one in made]
    else:
        made = tuple(
            Comparison(stats.mean_sequence(n, total, squares, quantity=name, confidence=confidence), nan, nan)
            for name, _, n, total, squares in sums
        )
        level = 1.0 - alpha / len(sums)
        strict = [stats.mean_sequence(*numbers, confidence=level) for _, _, *numbers in sums]
        clear = [bounds.ci_low > 0.0 or bounds.ci_high < 0.0 for bounds in strict]
    edges = []
    for (name, doc, *_), comparison, is_clear in zip(sums, made, clear, strict=True):
        if name == "won":
            first, second = (tally.column(f"won.{seat}").positive for seat in seats)
            widened = _rare(outcome, comparison.difference, first, second, confidence)
            comparison = replace(comparison, difference=widened)
        edges.append(Edge(name, doc, comparison, is_clear))
    return edges


def _rare(outcome: Outcome, difference: Estimate, first: int, second: int, confidence: float) -> Estimate:
    """Widen the interval of a difference of wins where hardly any games end in more than one way."""
    n = difference.n
    most = max(first, second)
    others = n - most if most > n - first - second else first + second
    if not n or others >= stats.intervals.FEW_EVENTS:
        return difference
    rare = rate(outcome, others, n, confidence)
    if most > n - first - second:
        # What is not won by the one is lost at most, and not lost at least.
        low, high = 1.0 - 2.0 * rare.ci_high, 1.0 - rare.ci_low
        if second > first:
            low, high = -high, -low
    else:
        low, high = -rare.ci_high, rare.ci_high
    return replace(difference, ci_low=low, ci_high=high, method=rare.method)


def deviation(outcome: Outcome, column: str) -> float:
    """Return the standard deviation of a column over its rows.

    Parameters
    ----------
    outcome : Outcome
        The study.
    column : str
        Name of the column.

    Returns
    -------
    float
        nan for fewer than two rows.
    """
    sums = outcome.tally.column(column)
    if sums.n < 2:
        return math.nan
    return math.sqrt((sums.n * sums.squares - sums.total**2) / (sums.n * (sums.n - 1)))


def together(names: Sequence[str]) -> str:
    """Return words as a list in prose: ``"a, b and c"``.

    Parameters
    ----------
    names : sequence of str
        The words.

    Returns
    -------
    str
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
