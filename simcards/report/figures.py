"""Plots of a study's results: no display is needed, and the same numbers give the same bytes."""

from __future__ import annotations

import functools
import io
import itertools
import math
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from simcards.errors import UsageError
from simcards.report import derived
from simcards.report.tables import RATES, capital, scaled, sentence
from simcards.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simcards.games.game import Column, Grid
    from simcards.study.engine import Outcome
    from simcards.study.match import MatchOutcome, Versus
    from simcards.study.sweep import SweepOutcome

P = ParamSpec("P")
R = TypeVar("R")

INK, SOFT, GRID, PAPER = "#1f2328", "#59636e", "#d8dee4", "#ffffff"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#4d4d9f")
"""Colours of the seats: the first ones of Okabe and Ito, told apart also by the colour-blind."""
MARKERS = ("o", "s", "^", "D", "v", "P")
WIDTH = 4.6  # inches: text of 10 points is then still read on a telephone
ROW = 0.34  # inches a line of a chart with names
HEAD = 46  # letters of a heading that have room in a line
LETTER = 5.2  # points that a letter of a legend is wide
MARK = 8  # letters that its mark and the space about it are wide
LONG = 22  # letters of a name beyond which it stands above its line and not beside it

_VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    GRID: "var(--grid)",
    **{colour: f"var(--series-{place + 1})" for place, colour in enumerate(SERIES)},
}
_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.0,
    "figure.titlesize": 11.0,
    "figure.titleweight": "bold",
    "axes.labelsize": 10.0,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": SOFT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "legend.borderaxespad": 0.0,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "none",  # text stays text: small, and can be read aloud, searched and selected
    "svg.hashsalt": "simcards",
}


def _styled(function: Callable[P, R]) -> Callable[P, R]:
    """Draw in one style, whatever the user's settings are."""

    @functools.wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        import matplotlib.style

        with matplotlib.style.context(["default", _STYLE]):
            return function(*args, **kwargs)

    return inner


@_styled
def to_svg(figure: Figure, *, inline: bool = False, prefix: str = "") -> str:
    """Write a figure as SVG; the same figure gives the same text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    inline : bool
        Whether it is to stand within a page, whose style sheet then gives the colours (``--ink``, ``--soft``,
        ``--grid``, ``--series-1`` …) so that they follow light and dark.
    prefix : str
        Put before all names within the drawing, so that several can stand in one page.

    Returns
    -------
    str
    """
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = file.getvalue()
    if not inline:
        return text
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'(<g id="patch_1">\s*<path [^>]*?style=")fill: #ffffff', r"\1fill: none", text, count=1)
    text = re.sub(r"<style type=.*?</style>", "", text, flags=re.DOTALL)
    text = text.replace("font-family: 'DejaVu Sans', sans-serif; ", "")
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, variable)
    if prefix:
        text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", text)
    # The page gives the size, the drawing its shape.
    return re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", text))


def default(outcome: Outcome) -> Figure:
    """Draw what says most about a study: the scores, or else how often each combination is scored, and so on.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure
    """
    draws: tuple[Callable[[Outcome], Figure], ...] = (score_distribution, melds, sources, timing)
    for draw in draws:
        try:
            return draw(outcome)
        except UsageError:
            continue
    return payoffs(outcome)


@_styled
def score_distribution(outcome: Outcome, quantity: str | None = None) -> Figure:
    """Draw the distribution of the scores of all seats.

    Parameters
    ----------
    outcome : Outcome
        The study.
    quantity : str, optional
        Another quantity with a histogram and a value for each seat; ``"points"``, or else the payoff, if left
        out.

    Returns
    -------
    matplotlib.figure.Figure
        The share of rows in each bin, the 95 % interval as a band.

    Raises
    ------
    UsageError
        When the game keeps no histogram of it.
    """
    game = outcome.plan.load()
    wanted = [quantity] if quantity else ["points", game.payoff]
    found = [column for name in wanted for column in derived.columns_of(outcome, name) if column.quantity.bins]
    if not found:
        raise UsageError(f"{outcome.plan.game} keeps no histogram of {' or '.join(wanted)}")
    columns = [column for column in found if column.quantity is found[0].quantity]
    name = derived.label(columns[0].quantity.name)
    figure = _figure(3.4)
    axes = figure.subplots()
    low, high, beyond = _range(outcome, columns)
    for place, column in enumerate(columns):
        _steps(axes, outcome, column, low, high, place)
    axes.set_xlim(low, high)
    axes.set_ylim(bottom=0.0)
    _head(figure, f"{capital(name)} in a {outcome.plan.unit} of {_title(outcome)}")
    width = columns[0].quantity.bin_width
    axes.set_ylabel(f"share of {outcome.plan.unit}s, %")
    axes.set_xlabel(_joined(f"{name}, in steps of {width:,}" if width > 1 else name, beyond))
    _thousands(axes.xaxis)
    axes.grid(axis="y")
    if len(columns) > 1:
        _legend(figure, axes)
    return figure


@_styled
def melds(outcome: Outcome) -> Figure:
    """Draw how often each combination is scored.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure
        The mean a row and its 95 % interval, on a scale of powers of ten where they differ much.

    Raises
    ------
    UsageError
        When the game has no combinations.
    """
    names = [name for name in _single(outcome, "melds", "count") if not derived.is_off(outcome.plan, name)]
    if not names:
        raise UsageError(f"{outcome.plan.game} has no combinations that are counted")
    series = _series(outcome, names, 1.0)
    figure = _dots([derived.label(name) for name in names], series, logarithmic=True)
    axes = figure.axes[0]
    _head(figure, f"How often each combination is scored\nin a {outcome.plan.unit} of {_title(outcome)}")
    axes.set_xlabel(f"times a {outcome.plan.unit}")
    return figure


@_styled
def sources(outcome: Outcome) -> Figure:
    """Draw from where the points come.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure
        Each source's share of all points, with its 95 % interval.

    Raises
    ------
    UsageError
        When the game's points are not divided by source.
    """
    from simcards.study.result import estimates

    rows = [row for row in estimates(outcome) if row.kind == "share" and row.group is None]
    if not rows:
        raise UsageError(f"the points of {outcome.plan.game} are not divided by source")
    by_seat: dict[str, dict[str, Estimate]] = {}
    for row in rows:
        part = row.estimate.quantity.partition("/")[0]
        by_seat.setdefault(row.estimate.seat or "", {})[part] = scaled(row.estimate, 100.0)
    first = next(iter(by_seat.values()))
    names = sorted(first, key=lambda name: _order(first[name].estimate))
    figure = _figure(1.3 + len(names) * max(ROW, 0.17 * len(by_seat) + 0.08))
    axes = figure.subplots()
    height = 0.8 / len(by_seat)
    for place, (seat, estimates_of) in enumerate(by_seat.items()):
        made = [estimates_of[name] for name in names]
        middles = [line - 0.4 + height * (place + 0.5) for line in range(len(names))]
        widths = [_number(estimate.estimate) for estimate in made]
        axes.barh(middles, widths, height * 0.92, color=SERIES[place % len(SERIES)], label=_who(outcome, seat))
        errors = [_errors(estimate) for estimate in made]
        axes.errorbar(widths, middles, xerr=_both(errors), fmt="none", ecolor=INK, elinewidth=1.0, capsize=1.5)
    axes.set_yticks(range(len(names)), [derived.label(name) for name in names])
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.set_xlim(left=0.0)
    axes.tick_params(axis="y", length=0.0)
    _head(figure, f"Where the points come from\nin a {outcome.plan.unit} of {_title(outcome)}")
    axes.set_xlabel("share of all points, %")
    axes.grid(axis="x")
    if len(by_seat) > 1:
        _legend(figure, axes)
    return figure


@_styled
def timing(outcome: Outcome) -> Figure:
    """Draw when each combination is first scored and what else comes once, in the rows in which it does.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure
        The mean trick with its 95 % interval, and in pale the standard deviation to either side.

    Raises
    ------
    UsageError
        When the game does not note when something is first scored.
    """
    names = _single(outcome, "timing", "trick")
    if not names:
        raise UsageError(f"{outcome.plan.game} does not note when anything first happens")
    series = _series(outcome, names, 1.0)
    spreads = [[derived.deviation(outcome, _column(outcome, name, seat)) for name in names] for seat, _, _ in series]
    figure = _dots([derived.happening(name) for name in names], series, spreads=spreads)
    axes = figure.axes[0]
    _head(figure, f"When it first happens\nin {_title(outcome)}, where it does at all")
    axes.set_xlabel("trick (mean; pale: ± one standard deviation)")
    axes.set_xlim(left=0.0)
    return figure


@_styled
def margin(outcome: Outcome) -> Figure:
    """Draw by how much the first seat leads the second at the end, and who wins.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    UsageError
        When the game does not measure a margin.
    """
    columns = [column for column in derived.columns_of(outcome, "margin") if column.quantity.bins]
    seats = outcome.plan.ruleset.seats
    if not columns or len(seats) != 2:
        raise UsageError(f"{outcome.plan.game} keeps no histogram of a margin between two seats")
    figure = _figure(3.9)
    top, axes = figure.subplots(2, height_ratios=[1.0, 11.0])
    low, high, beyond = _range(outcome, columns)
    reach = max(-low, high)
    histogram = outcome.tally.histogram("margin")
    assert histogram is not None
    made = [cell for cell in derived.cells(outcome, histogram) if math.isfinite(cell.low) and math.isfinite(cell.high)]
    middles = [(cell.low + cell.high) / 2.0 for cell in made]
    shares = [scaled(cell.share, 100.0) for cell in made]
    heights = [share.estimate for share in shares]
    colours = [SERIES[0] if cell.low >= 0.0 else SERIES[1] for cell in made]
    axes.bar(middles, heights, histogram.width, color=colours, edgecolor=PAPER, linewidth=0.4)
    errors = [_errors(share) for share in shares]
    axes.errorbar(middles, heights, _both(errors), fmt="none", ecolor=INK, elinewidth=0.8)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(bottom=0.0)
    axes.grid(axis="y")
    axes.set_ylabel(f"share of {outcome.plan.unit}s, %")
    width = columns[0].quantity.bin_width
    steps = f"in steps of {width:,}" + (f" ({beyond})" if beyond else "")
    axes.set_xlabel(f"points of the {seats[0]} less points of the {seats[1]},\n{steps}")
    _thousands(axes.xaxis)
    _outcomes(top, outcome)
    _head(figure, f"Margin and winner in a {outcome.plan.unit} of {_title(outcome)}")
    return figure


@_styled
def match(outcome: MatchOutcome) -> Figure:
    """Draw the differences between strategies with their 95 % intervals.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.

    Returns
    -------
    matplotlib.figure.Figure
        One line a pair for the payoff; with one pair only, one a source of points.
    """
    from simcards.report.tables import interval_of, versus_rows

    pairs = versus_rows(outcome)
    game, unit = outcome.study.game, outcome.plan.unit
    payoff = game.payoff
    lines: dict[str, Estimate] = {}
    what = derived.label(payoff)
    if len(pairs) > 1:
        for (first, second), rows in pairs:
            lines[f"{first} less {second}"] = _of(payoff, rows)
        title = f"Strategies of {outcome.plan.ruleset.title} on the same cards"
    else:
        (first, second), rows = pairs[0]
        parts = [part for part, whole in game.shares if whole == "points"]
        if parts:
            what = "points"
            lines = {derived.label(part): _of(part, rows) for part in parts}
        else:
            lines[what] = _of(payoff, rows)
        title = f"{sentence(first)} less {second} on the same cards,\n{outcome.plan.ruleset.title}"
    level = "95 % interval"
    if len(pairs) > 1 or len(lines) == 1:
        level = interval_of(outcome)
    figure = _dots(list(lines), [("", "difference", list(lines.values()))])
    axes = figure.axes[0]
    axes.axvline(0.0, color=SOFT, linewidth=1.0)
    _head(figure, title)
    axes.set_xlabel(f"difference in {what} a {unit}" + (f"\n{level}" if len(level) > LONG else f" ({level})"))
    if max(map(len, lines)) > LONG:
        _names_above(figure, list(lines))
    return figure


@_styled
def sweep(outcome: SweepOutcome, quantity: str, confidence: float = 0.95) -> Figure:
    """Draw how a quantity depends on the parameters of a strategy.

    Parameters
    ----------
    outcome : SweepOutcome
        The sweep.
    quantity : str
        A quantity with a value for each seat.
    confidence : float
        Confidence level of the bands.

    Returns
    -------
    matplotlib.figure.Figure
        For one parameter lines with bands: above against the opponent, below against the setting of reference. For two
        a map; for more a line a setting.
    """
    study = outcome.study
    grid, unit = study.grid, outcome.plan.unit
    rows = outcome.against(quantity, confidence)
    factor, percent = (100.0, ", %") if rows[0].kind in RATES else (1.0, "")
    versus = [scaled(row.estimate, factor) for row in rows]
    less = [scaled(comparison.difference, factor) for comparison in outcome.less(quantity, confidence)]
    what = f"difference in {derived.label(quantity)} a {unit}{percent}"
    title = f"{outcome.plan.ruleset.title}: {_base(outcome)} against {study.rival},\nby {' and '.join(grid.parameters)}"
    if len(grid.parameters) == 2:
        figure = _map(outcome, versus, what)
    elif len(grid.parameters) > 2:
        figure = _dots([grid.label(k) for k in range(len(versus))], [("", "", versus)])
        figure.axes[0].axvline(0.0, color=SOFT, linewidth=1.0)
        figure.axes[0].set_xlabel(f"{what} ({100.0 * confidence:g} % interval)")
    else:
        figure = _bands(outcome, versus, less, f"{what} ({100.0 * confidence:g} % interval)")
    _head(figure, title)
    return figure


@_styled
def side_by_side(
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[Estimate]]],
    title: str,
    what: str,
    *,
    reference: float | None = None,
) -> Figure:
    """Draw a number of several games below each other.

    Parameters
    ----------
    names : sequence of str
        What the lines are called.
    series : sequence of pair
        What is drawn on each line: its name, and an estimate a line, nan where there is none.
    title, what : str
        Above the figure and below its axis.
    reference : float, optional
        Where to draw a line to hold the numbers against; then the scale is never one of powers of ten.

    Returns
    -------
    matplotlib.figure.Figure
        Dots with their intervals.
    """
    figure = _dots(names, [("", name, made) for name, made in series], logarithmic=reference is None)
    axes = figure.axes[0]
    if reference is not None:
        axes.axvline(reference, color=SOFT, linewidth=1.0)
    _head(figure, title)
    axes.set_xlabel(what)
    if max(map(len, names)) > LONG:
        _names_above(figure, names)
    return figure


@_styled
def heat_map(grid: Grid, title: str) -> Figure:
    """Draw numbers by two things as a map, with the numbers in it where there is room.

    Parameters
    ----------
    grid : Grid
        The numbers.
    title : str
        Above the figure.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from matplotlib.colors import LinearSegmentedColormap

    factor = 100.0 if grid.kind else 1.0
    cells = [[factor * float(value) for value in line] for line in grid.values()]
    known = [value for line in cells for value in line if not math.isnan(value)]
    least, most = min(known), max(known)
    figure = _figure(1.3 + (WIDTH - 0.9) * len(grid.lines) / len(grid.columns))
    axes = figure.subplots()
    # the colours of a map stay what they are when those of the page turn dark, so its letters have to stay too
    light, dark = "#fefefe", "#1f2329"
    colours = LinearSegmentedColormap.from_list("grid", ["#f3f6f9", "#7fb8d8", "#0072b1", "#00304d"])
    mesh = axes.pcolormesh(cells, cmap=colours, vmin=least, vmax=most, edgecolors=light, linewidth=0.4)
    if len(grid.columns) <= 13:
        for y, line in enumerate(cells):
            for x, value in enumerate(line):
                if not math.isnan(value):
                    colour = light if value > least + 0.5 * (most - least) else dark
                    text = f"{value:.1f}"
                    axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6.0, color=colour)
    for axis, names in ((axes.xaxis, grid.columns), (axes.yaxis, grid.lines)):
        step = 1 if len(names) <= 13 else -(-len(names) // 9)
        axis.set_ticks([k + 0.5 for k in range(0, len(names), step)], names[::step])
    axes.tick_params(length=0.0)
    axes.grid(False)
    axes.invert_yaxis()  # lines from the top, as in the table
    axes.set_xlabel(grid.across)
    axes.set_ylabel(grid.down)
    _head(figure, title)
    figure.colorbar(mesh, ax=axes, shrink=0.8)
    return figure


@_styled
def payoffs(outcome: Outcome) -> Figure:
    """Draw the mean payoff of every seat with its 95 % interval.

    Parameters
    ----------
    outcome : Outcome
        The study.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from simcards.study.result import estimates

    payoff = outcome.plan.load().payoff
    rows = [row.estimate for row in estimates(outcome) if row.estimate.quantity == payoff and row.group is None]
    names = [estimate.seat or payoff for estimate in rows]
    figure = _dots(names, [("", "", rows)])
    axes = figure.axes[0]
    _head(figure, f"{capital(derived.label(payoff))} in a {outcome.plan.unit} of {_title(outcome)}")
    axes.set_xlabel(f"{derived.label(payoff)} (mean and 95 % interval)")
    return figure


# -- parts ------------------------------------------------------------------------------------------------


def _figure(height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def _head(figure: Figure, text: str) -> None:
    lines = [line for part in text.split("\n") for line in textwrap.wrap(part, HEAD)]
    figure.suptitle("\n".join(lines), x=0.01, ha="left")


def _title(outcome: Outcome) -> str:
    return outcome.plan.ruleset.title


def _who(outcome: Outcome, seat: str) -> str:
    """Return a seat's name, with its strategy where not all have the same."""
    plan = outcome.plan
    if len(set(plan.strategies)) == 1 or not seat:
        return seat
    return f"{seat} ({plan.strategies[plan.ruleset.seats.index(seat)]})"


def _joined(text: str, beyond: str) -> str:
    return f"{text}\n({beyond})" if beyond else text


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=_columns(labels))


def _columns(labels: Sequence[str]) -> int:
    """Return in how many columns a legend has room: they are filled one after the other, the first ones with more."""
    room = int(WIDTH * 72.0 / LETTER)
    for columns in range(min(4, len(labels)), 1, -1):
        lines, more = divmod(len(labels), columns)
        ends = itertools.accumulate(lines + (column < more) for column in range(columns))
        starts = [0, *ends]
        widths = [max(map(len, labels[start:end])) for start, end in itertools.pairwise(starts)]
        if sum(widths) + len(widths) * MARK <= room:
            return columns
    return 1


def _thousands(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}".replace("-", "−")))


def _number(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _order(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _errors(estimate: Estimate) -> tuple[float, float]:
    """Return the distances to the bounds, 0 where there is none."""
    if not (math.isfinite(estimate.ci_low) and math.isfinite(estimate.ci_high)):
        return 0.0, 0.0
    return max(0.0, estimate.estimate - estimate.ci_low), max(0.0, estimate.ci_high - estimate.estimate)


def _both(errors: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[down for down, _ in errors], [up for _, up in errors]]


def _range(outcome: Outcome, columns: Sequence[Column]) -> tuple[float, float, str]:
    """Return between which values nearly all rows lie, and in words how many lie beyond."""
    shares: dict[tuple[float, float], float] = {}
    for column in columns:
        histogram = outcome.tally.histogram(column.name)
        assert histogram is not None
        for cell in derived.cells(outcome, histogram):
            key = cell.low, cell.high
            shares[key] = shares.get(key, 0.0) + cell.share.estimate / len(columns)
    closed = sorted(key for key in shares if all(map(math.isfinite, key)))
    quantity = columns[0].quantity
    if not closed:
        return quantity.bin_low, quantity.bin_low + quantity.bin_width, ""
    first, last = 0, len(closed) - 1
    for edge in (0, 1):
        spare = 0.0025
        while first < last and shares[closed[last if edge else first]] < spare:
            spare -= shares[closed[last if edge else first]]
            first, last = (first, last - 1) if edge else (first + 1, last)
    low, high = closed[first][0], closed[last][1]
    if 0.0 < low < high / 4.0 and quantity.bin_low <= 0:
        low = 0.0
    beyond = sum(share for (a, b), share in shares.items() if b <= low or a >= high)
    if beyond <= 0.0:
        return low, high, ""
    return low, high, f"{100.0 * beyond:.1g} % of {outcome.plan.unit}s lie beyond"


def _steps(axes: Axes, outcome: Outcome, column: Column, low: float, high: float, place: int) -> None:
    """Draw one seat's histogram as a line of steps with a band."""
    histogram = outcome.tally.histogram(column.name)
    assert histogram is not None
    made = [cell for cell in derived.cells(outcome, histogram) if cell.low >= low and cell.high <= high]
    if not made:
        return
    edges = [made[0].low, *(cell.high for cell in made)]
    shares = [scaled(cell.share, 100.0) for cell in made]
    colour = SERIES[place % len(SERIES)]
    lower, upper = [share.ci_low for share in shares], [share.ci_high for share in shares]
    axes.stairs(upper, edges, baseline=lower, fill=True, color=colour, alpha=0.28, linewidth=0.0)
    axes.stairs(
        [share.estimate for share in shares],
        edges,
        baseline=None,
        color=colour,
        linewidth=1.6,
        linestyle="-" if place == 0 else (0.0, (3.0, 1.2)),
        label=_who(outcome, column.seat or ""),
    )


def _single(outcome: Outcome, section: str, kind: str) -> list[str]:
    """Return the quantities of a section that are not sums of others and have a value for each seat."""
    game = outcome.plan.load()
    return [
        quantity.name
        for quantity in game.quantities
        if quantity.section == section
        and quantity.kind == kind
        and not quantity.parts
        and game.row[quantity.name].shape
    ]


def _column(outcome: Outcome, name: str, seat: str) -> str:
    return f"{name}.{seat}"


def _series(outcome: Outcome, names: Sequence[str], factor: float) -> list[tuple[str, str, list[Estimate]]]:
    """Return for each seat its name, how it is called, and the estimates of the quantities."""
    from simcards.study.result import estimates

    found = {
        (row.estimate.quantity, row.estimate.seat): row.estimate for row in estimates(outcome) if row.group is None
    }
    return [
        (seat, _who(outcome, seat), [scaled(found[name, seat], factor) for name in names])
        for seat in outcome.plan.ruleset.seats
    ]


def _of(name: str, rows: Sequence[Versus]) -> Estimate:
    return next(row.estimate for row in rows if row.estimate.quantity == name)


def _dots(
    names: Sequence[str],
    series: Sequence[tuple[str, str, Sequence[Estimate]]],
    *,
    logarithmic: bool = False,
    spreads: Sequence[Sequence[float]] | None = None,
) -> Figure:
    """Draw lines with names, and on each a dot with its interval for each of the series."""
    figure = _figure(1.45 + len(names) * max(ROW, 0.13 * len(series) + 0.1))
    axes = figure.subplots()
    values = [estimate.estimate for _, _, made in series for estimate in made if estimate.estimate > 0.0]
    logarithmic = logarithmic and bool(values) and max(values) > 30.0 * min(values)
    floor = min(values) / 3.0 if logarithmic else 0.0
    for place, (_, who, made) in enumerate(series):
        shift = 0.44 * ((place + 0.5) / len(series) - 0.5)
        colour, marker = SERIES[place % len(SERIES)], MARKERS[place % len(MARKERS)]
        there = [(line, estimate) for line, estimate in enumerate(made) if not math.isnan(estimate.estimate)]
        if spreads is not None:
            for line, estimate in there:
                width = spreads[place][line]
                ends = [max(0.0, estimate.estimate - width), estimate.estimate + width]
                middle = [line + shift] * 2
                axes.plot(ends, middle, color=colour, alpha=0.3, linewidth=3.0, solid_capstyle="butt")
        if logarithmic:
            for line, _ in (pair for pair in there if pair[1].estimate <= 0.0):
                nobody = not any(of[line].estimate > 0.0 for *_, of in series)
                if nobody and place:
                    continue  # said once
                text, at = ("none seen", line) if nobody else (f"{who}: none seen", line + shift)
                axes.annotate(text, (0.01, at), xycoords=("axes fraction", "data"), va="center", fontsize=8.5)
            there = [(line, estimate) for line, estimate in there if estimate.estimate > 0.0]
        errors = [_errors(estimate) for _, estimate in there]
        if logarithmic:
            pairs = zip(errors, there, strict=True)
            errors = [(min(down, estimate.estimate - floor), up) for (down, up), (_, estimate) in pairs]
        axes.errorbar(
            [estimate.estimate for _, estimate in there],
            [line + shift for line, _ in there],
            xerr=_both(errors),
            color=colour,
            marker=marker,
            markersize=4.5,
            elinewidth=1.4,
            capsize=2.5,
            linestyle="none",
            label=who,
        )
    if logarithmic:
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        axes.set_xscale("log")
        axes.set_xlim(left=floor)
        axes.xaxis.set_major_locator(LogLocator(10.0, numticks=12))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    else:
        _decimals(axes, values)
    axes.set_yticks(range(len(names)), list(names))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0.0)
    axes.grid(axis="both")
    axes.spines["left"].set_visible(False)
    if len(series) > 1:
        _legend(figure, axes)
    return figure


def _names_above(figure: Figure, names: Sequence[str]) -> None:
    """Put names that are too long to stand beside their lines above them."""
    figure.set_figheight(1.45 + 0.52 * len(names))
    axes = figure.axes[0]
    axes.set_yticks(range(len(names)), [""] * len(names))
    axes.set_ylim(len(names) - 0.6, -0.75)
    for line, name in enumerate(names):
        axes.annotate(name, (0.0, line - 0.22), xycoords=("axes fraction", "data"), va="bottom", fontsize=9.0)


def _decimals(axes: Axes, values: Sequence[float]) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}".replace("-", "−")))


def _outcomes(axes: Axes, outcome: Outcome) -> None:
    """Draw how often either seat wins, and neither, as one bar."""
    seats = outcome.plan.ruleset.seats
    tally = outcome.tally
    if len(derived.columns_of(outcome, "won")) == 2:
        first, second = (tally.column(f"won.{seat}") for seat in seats)
        n, wins, losses, verb = first.n, first.positive, second.positive, "wins"
    else:
        sums = tally.column("margin")
        n, wins, losses, verb = sums.n, sums.positive, sums.negative, "leads"
    draws = max(0, n - wins - losses)
    left = 0.0
    for count, colour, words, place, side in (
        (losses, SERIES[1], f"{seats[1]} {verb}", 0.0, "left"),
        (draws, GRID, "neither", 0.5, "center"),
        (wins, SERIES[0], f"{seats[0]} {verb}", 1.0, "right"),
    ):
        share = 100.0 * count / n if n else 0.0
        axes.barh(0.0, share, 1.0, left=left, color=colour)
        left += share
        text = f"{words}\n{_percent(derived.rate(outcome, count, n))}"
        if count or place != 0.5:
            axes.text(place, 1.25, text, transform=axes.transAxes, ha=side, va="bottom", fontsize=9.0)
    axes.set_xlim(0.0, 100.0)
    axes.set_ylim(-0.5, 0.5)
    axes.set_axis_off()


def _base(outcome: SweepOutcome) -> str:
    """Return the name of the strategy whose parameters are varied, without them and the places of files."""
    from simcards.study.players import parse

    parts = parse(outcome.study.grid.strategies[0])
    return "+".join(f"{part.phase}={part.name}" if part.phase else part.name for part in parts)


def _bands(outcome: SweepOutcome, versus: Sequence[Estimate], less: Sequence[Estimate], what: str) -> Figure:
    """Draw estimates over the values of one parameter: against the opponent, and against the setting of reference."""
    grid = outcome.study.grid
    compared = len(less) > 1
    figure = _figure(5.2 if compared else 3.2)
    panels = figure.subplots(1 + compared, sharex=True, squeeze=False)[:, 0].tolist()
    values = [setting[0] for setting in grid.settings]
    order = sorted(range(len(values)), key=values.__getitem__)
    colours = (SERIES[0], SERIES[1])
    for axes, made, colour in zip(panels, (versus, less), colours):
        places = [k for k in order if not math.isnan(made[k].estimate)]
        at = [values[k] for k in places]
        means = [made[k].estimate for k in places]
        errors = [_errors(made[k]) for k in places]
        lower = [mean - down for mean, (down, _) in zip(means, errors)]
        upper = [mean + up for mean, (_, up) in zip(means, errors)]
        axes.fill_between(at, lower, upper, color=colour, alpha=0.22, linewidth=0.0)
        axes.plot(at, means, color=colour, marker="o", markersize=4.0, linewidth=1.4)
        if len(at) == 1:
            axes.errorbar(at, means, _both(errors), color=colour, capsize=2.5)
        span = max(upper, default=0.0) - min(lower, default=0.0)
        if min(lower, default=0.0) - span <= 0.0 <= max(upper, default=0.0) + span:  # else it would flatten the rest
            axes.axhline(0.0, color=SOFT, linewidth=1.0)
        axes.grid(axis="both")
        _thousands_or_less(axes)
    panels[0].set_title(f"against {outcome.study.rival}", loc="left", fontsize=10.0)
    if compared:
        panels[1].set_title(f"less {grid.label(grid.reference)}, paired", loc="left", fontsize=10.0)
        hollow = {"color": SERIES[1], "marker": "o", "markersize": 7.0, "markerfacecolor": PAPER}
        panels[1].plot([values[grid.reference]], [0.0], **hollow)
    _confirmed(panels, outcome)
    axes = panels[-1]
    if values[order[0]] > 0.0 and values[order[-1]] >= 16.0 * values[order[0]]:
        from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator(_apart([values[k] for k in order])))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axes.set_xlabel(grid.parameters[0])
    figure.supylabel(what, fontsize=10.0, color=SOFT)
    return figure


def _apart(values: Sequence[float]) -> list[float]:
    """Return those of some values, which go up, that are far enough from each other for their labels."""
    kept: list[float] = []
    room = (values[-1] / values[0]) ** (1.0 / 9.0)
    for value in values:
        if not kept or value >= kept[-1] * room * 0.999:
            kept.append(value)
    return kept


def _confirmed(panels: Sequence[Axes], outcome: SweepOutcome) -> None:
    """Draw what was confirmed on fresh deals."""
    choice = outcome.choice
    if choice is None or choice.best is None or choice.confirmation is None or not choice.confirmation.deals:
        return
    made, at = choice.confirmation, outcome.study.grid.settings[choice.best][0]
    row = made.against(choice.quantity)[-1]
    factor = 100.0 if row.kind in RATES else 1.0
    shown = [row.estimate]
    if choice.best != outcome.study.grid.reference and len(panels) > 1:
        shown.append(made.less(choice.quantity)[1].difference)
    for axes, estimate in zip(panels, (scaled(one, factor) for one in shown)):
        errors = _both([_errors(estimate)])
        style: dict[str, Any] = {"color": INK, "marker": "D", "markersize": 5.0, "capsize": 3.0, "linestyle": "none"}
        axes.errorbar([at], [estimate.estimate], errors, label="confirmed", **style)
    panels[0].legend(loc="best")


def _thousands_or_less(axes: Axes) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}".replace("-", "−")))


def _map(outcome: SweepOutcome, versus: Sequence[Estimate], what: str) -> Figure:
    """Draw estimates over the values of two parameters as a map with the numbers in it."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    from simcards.report.tables import shown
    from simcards.study.sweep import written

    grid = outcome.study.grid
    across, up = (sorted({setting[k] for setting in grid.settings}) for k in (0, 1))
    cells = [[math.nan] * len(across) for _ in up]
    for setting, estimate in zip(grid.settings, versus, strict=True):
        cells[up.index(setting[1])][across.index(setting[0])] = estimate.estimate
    figure = _figure(1.5 + max(1.6, 0.42 * len(up)))
    axes = figure.subplots()
    known = [estimate.estimate for estimate in versus if not math.isnan(estimate.estimate)]
    least, most = min(known), max(known)
    colours = LinearSegmentedColormap.from_list("sweep", ["#f3f6f9", SERIES[0]])
    mesh = axes.pcolormesh(cells, cmap=colours, vmin=least, vmax=most, edgecolors=PAPER, linewidth=1.0)
    if len(across) <= 7:
        for setting, estimate in zip(grid.settings, versus, strict=True):
            x, y = across.index(setting[0]) + 0.5, up.index(setting[1]) + 0.5
            strong = estimate.estimate > least + 0.55 * (most - least)
            value, _, error = shown(estimate).partition(" ± ")
            text = f"{value}\n±{error}" if error else value
            axes.text(x, y, text, ha="center", va="center", fontsize=7.5, color=PAPER if strong else INK)
    marks = [(grid.reference, INK, ":")]
    if outcome.choice is not None and outcome.choice.best is not None:
        marks.append((outcome.choice.best, INK, "-"))
    for place, colour, line in marks:
        corner = across.index(grid.settings[place][0]), up.index(grid.settings[place][1])
        axes.add_patch(Rectangle(corner, 1.0, 1.0, fill=False, edgecolor=colour, linestyle=line, linewidth=1.6))
    axes.set_xticks([k + 0.5 for k in range(len(across))], [written(value) for value in across])
    axes.set_yticks([k + 0.5 for k in range(len(up))], [written(value) for value in up])
    axes.tick_params(length=0.0)
    axes.set_xlabel(grid.parameters[0])
    axes.set_ylabel(grid.parameters[1])
    axes.set_title(what, loc="left", fontsize=10.0, color=SOFT)
    figure.colorbar(mesh, ax=axes)
    return figure


def _percent(estimate: Estimate) -> str:
    from simcards.report.tables import shown

    return shown(estimate, "rate")
