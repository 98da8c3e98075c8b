"""Answers for people: tables, remarks, plots and files."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simcards.errors import UsageError
from simcards.odds.result import OddsResult, OddsRow
from simcards.odds.written import fixed, one_in, percent, several
from simcards.report.tables import NONE, Heading, Table, grouped, shown, to_csv
from simcards.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST_FRACTION = 17  # characters of a fraction that a table has room for
_MOST_LINES = 40  # of a distribution
_BARS = 22  # columns of the longest bar
_EIGHTHS = " ▏▎▍▌▋▊▉"


def tables(result: OddsResult, everything: bool = False) -> list[Table]:
    """Return the answers as tables.

    Parameters
    ----------
    result : OddsResult
        The answers.
    everything : bool
        Whether to show the distribution of every number as well.

    Returns
    -------
    list of Table
    """
    only = result.rows[0] if len(result.rows) == 1 else None
    made = [_rates(result), _means(result)] if only is None else _single(result, only)
    if everything:
        made += [distribution(result, row) for row in result.rows if not row.is_condition or len(result.rows) == 1]
    return [table for table in made if table.rows]


def _z(value: float) -> str:
    return NONE if math.isnan(value) else grouped(f"{value:.2f}") if math.isfinite(value) else "∞"


def _simulated(row: OddsRow) -> str:
    if row.estimate is None:
        return NONE
    return _compact(row.estimate) if row.is_condition else shown(row.estimate, row.kind)


def _fraction(value: Fraction | None) -> str:
    return NONE if value is None else f"{value.numerator}/{value.denominator}"


def _number(value: float | Fraction) -> str:
    return grouped(fixed(float(value), 6))


def _single(result: OddsResult, row: OddsRow) -> list[Table]:
    """Return the answer to the only question, one line a number, and the fraction in full."""
    lines: list[tuple[str, str]] = []
    value = row.value
    if row.exact is None or value is None:
        lines.append(("exact", NONE))
    elif row.is_condition:
        ways = row.exact.total - row.exact.counts.get(0, 0)
        lines += [("exact", percent(value)), ("odds", one_in(row.one_in) or "never"), ("fraction", _fraction(value))]
        lines.append(("deals", f"{ways:,} of {row.exact.total:,}"))
    else:
        lines += [("exact mean", _number(value)), ("exact sd", _number(row.exact.sd)), ("fraction", _fraction(value))]
    if row.estimate is not None:
        lines += [("simulated", _simulated(row)), ("z", _z(row.z))]
    name = row.name if row.name == row.expression else f"{row.name}: {row.expression}"
    headings = (Heading("", number=False), Heading("", number=False))
    return [Table("odds", " ".join(name.split()), headings, tuple(lines), records=tuple(result.records))]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _rates(result: OddsResult) -> Table:
    rows = [row for row in result.rows if row.is_condition]
    fractions = {row.name: _fraction(row.value) for row in rows}
    with_fraction = all(len(text) <= _LONGEST_FRACTION for text in fractions.values())
    simulated = any(row.estimate is not None for row in rows)
    headings = [Heading("", number=False), Heading("exact"), Heading("odds")]
    headings += [Heading("fraction")] if with_fraction else []
    headings += [Heading("simulated"), Heading("z")] if simulated else []
    docs = any(row.doc for row in rows)
    lines = []
    for row in rows:
        value = row.value
        cells = [row.name, NONE if value is None else percent(value), one_in(row.one_in) or NONE]
        if with_fraction:
            cells.append(fractions[row.name])
        cells += [_simulated(row), _z(row.z)] if simulated else []
        lines.append((*cells, row.doc) if docs else tuple(cells))
    headings += [Heading("", number=False)] if docs else []
    return Table(
        "odds",
        "Chance of",
        tuple(headings),
        tuple(lines),
        records=tuple(record for row in rows for record in row.records()),
    )


def _means(result: OddsResult) -> Table:
    rows = [row for row in result.rows if not row.is_condition]
    simulated = any(row.estimate is not None for row in rows)
    headings = [Heading("", number=False), Heading("exact"), Heading("sd")]
    headings += [Heading("simulated"), Heading("z")] if simulated else []
    docs = any(row.doc for row in rows)
    lines = []
    for row in rows:
        counted = row.exact
        cells = [row.name]
        cells += [NONE, NONE] if counted is None else [_number(counted.mean), _number(counted.sd)]
        cells += [_simulated(row), _z(row.z)] if simulated else []
        lines.append((*cells, row.doc) if docs else tuple(cells))
    headings += [Heading("", number=False)] if docs else []
    return Table(
        "means",
        "Mean of",
        tuple(headings),
        tuple(lines),
        records=tuple(record for row in rows for record in row.records()),
    )


def distribution(result: OddsResult, row: OddsRow) -> Table:
    """Return how often a question has which answer, as a table with bars.

    Parameters
    ----------
    result : OddsResult
        The answers.
    row : OddsRow
        The question.

    Returns
    -------
    Table
    """
    values = result.values(row)
    widest = max((_share(line) for line in values), default=0.0)
    simulated = any("estimate" in line for line in values)
    lines = []
    left_out = [line for line in values if _share(line) < widest / 1e4] if len(values) > _MOST_LINES else []
    kept = [line for line in values if line not in left_out]
    if len(kept) > _MOST_LINES:
        kept = sorted(sorted(kept, key=_share)[-_MOST_LINES:], key=lambda line: int(line["value"]))
    for line in kept:
        value = line["value"]
        name = {0: "no", 1: "yes"}[value] if row.is_condition else str(value)
        exact = percent(line["exact"]) if "exact" in line else NONE
        cells = [name, exact]
        if simulated:
            made = Estimate("", *(line[key] for key in ("n", "estimate", "se", "ci_low", "ci_high", "method")))
            cells += [_compact(made), _z(line["z"])]
        lines.append((*cells, _bar(_share(line) / widest if widest else 0.0)))
    headings = [Heading("", number=False), Heading("exact")]
    headings += [Heading("simulated"), Heading("z")] if simulated else []
    return Table(
        "distribution",
        "value" if len(result.rows) == 1 else row.name,
        (*headings, Heading("", number=False)),
        tuple(lines),
        records=tuple({"quantity": row.name, **line} for line in values),
    )


def _compact(estimate: Estimate) -> str:
    """Write a rate with its error, or only the upper bound where few events were seen."""
    if estimate.method == "clopper-pearson" and estimate.estimate <= 0.5:
        return f"≤ {fixed(100.0 * estimate.ci_high, 2)} %"
    text = shown(estimate, "rate")
    if "e" not in text:
        return text
    rate, error = 100.0 * estimate.estimate, 100.0 * estimate.se  # rare, and known well from very many deals
    places = max(0, 1 - math.floor(math.log10(error)))
    return f"{rate:.{places}f} ± {error:.{places}f} %"


def _share(line: dict[str, Any]) -> float:
    exact = line.get("exact", math.nan)
    return float(line.get("estimate", 0.0) if math.isnan(exact) else exact)


def _bar(share: float) -> str:
    eighths = round(share * _BARS * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def remarks(result: OddsResult) -> list[str]:
    """Return how the numbers came about.

    Parameters
    ----------
    result : OddsResult
        The answers.

    Returns
    -------
    list of str
    """
    said = []
    routes: dict[str, int] = {}
    for row in result.rows:
        if row.exact is not None:
            kind = row.exact.route.split(" of ")[0].split(",")[0]
            routes[kind] = routes.get(kind, 0) + row.exact.states
    if len(result.rows) == 1 and result.rows[0].exact is not None:
        counted = result.rows[0].exact
        said.append(f"Counted by {counted.route}: {several(counted.states, 'state')}.")
    elif routes:
        each = (f"{kind} ({several(states, 'state')})" for kind, states in routes.items())
        said.append(f"Counted by {', '.join(each)}.")
    for reason in dict.fromkeys(row.reason for row in result.rows if row.exact is None and row.reason):
        names = [row.name for row in result.rows if row.exact is None and row.reason == reason]
        said.append(f"Not counted: {', '.join(names)} ({reason}).")
    made = result.simulation
    if made is not None:
        rate = f", {made.deals / made.seconds / 1e6:.1f} million a second" if made.seconds > 0.02 else ""
        text = f"Simulated: {several(made.deals, 'deal')} {made.way.removeprefix('dealt').strip()}".rstrip()
        thrown = f" ({several(made.tries, 'hand')} dealt)" if made.tries > made.deals else ""
        few = any(row.estimate is not None and row.estimate.method == "clopper-pearson" for row in result.rows)
        bound = f"; ≤ is the upper bound of the {100.0 * result.confidence:g} % interval" if few else ""
        said.append(f"{text}{thrown}, seed {result.seed}{rate}. ± is one standard error{bound}.")
        if made.stopped:
            found = f"{made.deals:,} of {several(result.wanted, 'deal')} found"
            said.append(f"Given up after {several(made.tries, 'hand')}: {found}.")
        if result.precision is not None:
            reached = "reached" if made.precise else "not reached"
            said.append(
                f"The precision of {fixed(result.precision, 6)} was {reached}; intervals allow for the looking."
            )
    return said


# -- plots -------------------------------------------------------------------------------------------------


def plot(result: OddsResult, name: str | None = None) -> Figure:
    """Draw the distribution of a number, or all probabilities.

    Parameters
    ----------
    result : OddsResult
        The answers.
    name : str, optional
        Name or text of a question; if left out the first number, and if there is none all probabilities.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    UsageError
        When there is nothing to draw.
    """
    if name is not None:
        return _bars(result, result[name])
    numbers = [row for row in result.rows if not row.is_condition and result.values(row)]
    conditions = [row for row in result.rows if row.is_condition]
    if numbers and (len(numbers) == len(result.rows) or not conditions):
        return _bars(result, numbers[0])
    shown_rows = [row for row in conditions if _height(row) > 0.0]
    if not shown_rows:
        if numbers:
            return _bars(result, numbers[0])
        raise UsageError("there is nothing to plot: nothing was counted or simulated")
    return _dots(result, shown_rows)


def _height(row: OddsRow) -> float:
    value = row.value
    if value is not None:
        return float(value)
    return 0.0 if row.estimate is None or math.isnan(row.estimate.estimate) else row.estimate.estimate


def _bars(result: OddsResult, row: OddsRow) -> Figure:
    from matplotlib.figure import Figure

    from simcards.report.figures import INK, SERIES, WIDTH

    values = result.values(row)
    if not values:
        raise UsageError(f"there is nothing to plot: {row.name} was neither counted nor simulated")
    least = max(_share(line) for line in values) / 2000.0
    inside = [line["value"] for line in values if _share(line) >= least]
    low, high = min(inside), max(inside)
    kept = [line for line in values if low <= line["value"] <= high]
    figure = Figure(figsize=(1.5 * WIDTH, 0.8 * WIDTH), layout="constrained")
    axes = figure.subplots()
    xs = [line["value"] for line in kept]
    counted = row.exact is not None
    if counted:
        axes.bar(xs, [100.0 * line["exact"] for line in kept], color=SERIES[0], width=0.86, label="exact")
    simulated = [line for line in kept if "estimate" in line]
    if simulated:
        middle = [100.0 * line["estimate"] for line in simulated]
        below = [100.0 * (line["estimate"] - line["ci_low"]) for line in simulated]
        above = [100.0 * (line["ci_high"] - line["estimate"]) for line in simulated]
        axes.errorbar(
            [line["value"] for line in simulated], middle, yerr=[below, above], fmt="o" if not counted else "_",
            color=SERIES[0] if not counted else INK, markersize=4.0, elinewidth=1.0, capsize=2.0,
            label=f"simulated, {several(row.sums.n if row.sums else 0, 'deal')}, with 95 % interval"
            if result.confidence == 0.95 else f"simulated, {several(row.sums.n if row.sums else 0, 'deal')}",
        )  # fmt: skip
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel("share of deals, %")
    if row.is_condition:
        axes.set_xticks(xs, ["no" if value == 0 else "yes" for value in xs])
    elif len(xs) <= 16:
        axes.set_xticks(xs)
    _dress(axes, _short(row.name, 60), result, "y")
    axes.legend(frameon=False, fontsize=9.0)
    return figure


def _dots(result: OddsResult, rows: Sequence[OddsRow]) -> Figure:
    from matplotlib.figure import Figure

    from simcards.report.figures import INK, ROW, SERIES, WIDTH

    ordered = sorted(rows, key=_height)
    figure = Figure(figsize=(1.6 * WIDTH, 1.4 + ROW * len(ordered)), layout="constrained")
    axes = figure.subplots()
    heights = [_height(row) for row in ordered]
    places = range(len(ordered))
    made = [(at, row.estimate) for at, row in zip(places, ordered, strict=True) if row.estimate is not None]
    made = [(at, estimate) for at, estimate in made if estimate.estimate > 0.0]
    if made:
        axes.errorbar(
            [100.0 * estimate.estimate for _, estimate in made], [at for at, _ in made],
            xerr=[[100.0 * (estimate.estimate - estimate.ci_low) for _, estimate in made],
                  [100.0 * (estimate.ci_high - estimate.estimate) for _, estimate in made]],
            fmt="|", color=INK, elinewidth=1.0, capsize=2.0, markersize=7.0, zorder=3, label="simulated, with interval",
        )  # fmt: skip
    exact = [(at, height) for at, height, row in zip(places, heights, ordered, strict=True) if row.exact is not None]
    axes.plot(
        [100.0 * height for _, height in exact], [at for at, _ in exact], "o", color=SERIES[0], markersize=6.0,
        label="exact",
    )  # fmt: skip
    if min(heights) < max(heights) / 20.0:
        axes.set_xscale("log")
    axes.set_yticks(list(places), [_short(row.name, 44) for row in ordered])
    axes.set_xlabel("chance, %")
    _dress(axes, "Odds of the dealt hand" if result.game else "Odds", result, "x")
    axes.legend(frameon=False, fontsize=9.0, loc="lower right")
    return figure


def _dress(axes: Axes, title: str, result: OddsResult, grid: Any) -> None:
    from simcards.report.figures import GRID, INK, SOFT

    axes.set_title(f"{title}\n{_short(result.headline()[0], 80)}", loc="left", fontsize=10.5, color=INK)
    axes.grid(axis=grid, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(SOFT)
    axes.tick_params(colors=INK, labelsize=9.5)
    axes.xaxis.label.set_color(SOFT)
    axes.yaxis.label.set_color(SOFT)


def files(result: OddsResult) -> dict[str, str]:
    """Return names and contents of the files to save: the answers, the distributions, the plot.

    Parameters
    ----------
    result : OddsResult
        The answers.

    Returns
    -------
    dict of str to str
    """
    from simcards.report.figures import to_svg

    made = {"odds.csv": to_csv(result.records)}
    values = [{"quantity": row.name, **line} for row in result.rows for line in result.values(row)]
    if values:
        made["distributions.csv"] = to_csv(values)
    with contextlib.suppress(UsageError):  # there may be nothing to draw
        made["figure.svg"] = to_svg(plot(result))
    return made
