"""What the verbs return: numbers as a table, a plot, files, and text for terminals and notebooks."""

from __future__ import annotations

import abc
import functools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcards._input import path_text, text
from simcards.errors import UsageError, unknown

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from simcards.report.tables import Table
    from simcards.study.engine import Outcome
    from simcards.study.match import MatchOutcome, Versus
    from simcards.study.plan import Plan
    from simcards.study.replay import Replay
    from simcards.study.result import Row

CAPTIONS = {
    "result": "Result",
    "sources": "Points from",
    "melds": "Times scored",
    "timing": "First in trick",
    "play": "Play",
}
_LATER = ("timing",)  # sections that are shown only when asked for
_EXTRA = ("rate", "share")  # kinds of rows that are shown only when asked for


class Result(abc.ABC):
    """What all results have in common.

    Attributes
    ----------
    records : list of dict
        The rows, flat, numbers in full.
    provenance : dict
        What is needed to obtain the same numbers again; can be written as JSON.
    interrupted : bool
        Whether the run was interrupted, so that there are fewer deals than were wanted.
    """

    _file = "results"

    @property
    @abc.abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records."""

    @property
    @abc.abstractmethod
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted before all deals wanted were done."""
        return False

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """The rows as a table of pandas."""
        import pandas as pd

        return pd.DataFrame.from_records(self.records)

    @abc.abstractmethod
    def headline(self) -> list[str]:
        """Return in a few lines what was played.

        Returns
        -------
        list of str
        """

    @abc.abstractmethod
    def tables(self, everything: bool = False) -> list[Table]:
        """Return the result as tables for people.

        Parameters
        ----------
        everything : bool
            Whether to show all there is.

        Returns
        -------
        list of simcards.report.tables.Table
        """

    def remarks(self, everything: bool = False) -> list[str]:
        """Return what should be said beneath the tables.

        Parameters
        ----------
        everything : bool
            Whether all there is was shown.

        Returns
        -------
        list of str
        """
        return []

    def plot(self) -> Figure:
        """Draw the plot that tells most.

        Returns
        -------
        matplotlib.figure.Figure
        """
        raise UsageError(f"there is no plot of a {type(self).__name__}")

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write tables (CSV), the figure (SVG) and ``provenance.json`` to a folder, all of them or nothing.

        Parameters
        ----------
        folder : path-like
            A new folder, an empty one, or one that was saved to before and is then replaced.

        Returns
        -------
        pathlib.Path
            The folder.

        Raises
        ------
        UsageError
            When it cannot be written or holds other files.
        """
        from simcards.report.folder import FORMAT, PROVENANCE, write_folder

        files = self._files()
        about = {"format": FORMAT, **self.provenance, "files": sorted([*files, PROVENANCE])}
        files[PROVENANCE] = json.dumps(jsonable(about), indent=1, ensure_ascii=False) + "\n"
        made = Path(path_text(folder, "the folder"))
        write_folder(made, files)
        return made

    def _files(self) -> dict[str, str]:
        """Return names and contents of the files to save, but for the provenance."""
        from simcards.report.tables import to_csv

        return {f"{self._file}.csv": to_csv(self.records)}

    def __str__(self) -> str:
        from simcards import terminal

        return terminal.text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()[0]}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else str(self))

    def _repr_html_(self) -> str:
        from simcards import terminal

        return terminal.html(self)


@dataclass(frozen=True, repr=False)
class PlayResult(Result):
    """What happened in many deals.

    Attributes
    ----------
    outcome : simcards.study.engine.Outcome
        The exact sums.
    confidence : float
        Confidence level of the intervals.
    sections, quantities : tuple of str
        Only these are shown and stand in the rows; all if empty.
    """

    outcome: Outcome
    confidence: float = 0.95
    sections: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()

    _file = "quantities"

    def __post_init__(self) -> None:
        check_selection(self.plan, self.sections, self.quantities)

    @property
    def plan(self) -> Plan:
        """What was played."""
        return self.outcome.plan

    @property
    def deals(self) -> int:
        """How many deals were done."""
        return self.outcome.deals

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted before all deals wanted were done."""
        return self.outcome.interrupted

    @functools.cached_property
    def rows(self) -> list[Row]:
        """The estimates."""
        from simcards.study.result import estimates

        rows = estimates(self.outcome, self.confidence)
        return [row for row in rows if self._wanted(row.section, row.estimate.quantity)]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records."""
        return [row.as_record() for row in self.rows]

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        from simcards.study.result import provenance

        return provenance(self.outcome)

    def histogram(self, column: str) -> pd.DataFrame:
        """Return how often a quantity had which value.

        Parameters
        ----------
        column : str
            A quantity with a histogram, for a seat where it has one value a seat: ``"points.pone"``.

        Returns
        -------
        pandas.DataFrame
            The columns ``low`` and ``high`` (without it), which are infinite where a bin is open, and ``n``.

        Raises
        ------
        UsageError
            When there is no such histogram.
        """
        import pandas as pd

        return pd.DataFrame(_bins(self.outcome, column), columns=["low", "high", "n"])

    def headline(self) -> list[str]:
        """Return in a few lines what was played."""
        return _headline(self.outcome, _players(self.plan))

    def tables(self, everything: bool = False) -> list[Table]:
        """Return one table a section, with a line a quantity and a column a seat."""
        from simcards.report.tables import Heading, Table, shown

        made = []
        seats = self.plan.ruleset.seats
        for section, rows in self._shown(everything).items():
            lines: dict[str, dict[str | None, str]] = {}
            docs: dict[str, str] = {}
            for row in rows:
                lines.setdefault(row.estimate.quantity, {})[row.estimate.seat] = shown(row.estimate, row.kind)
                docs[row.estimate.quantity] = row.doc
            columns: list[str | None] = [seat for seat in seats if any(seat in line for line in lines.values())]
            if any(None in line for line in lines.values()):
                columns.append(None)
            cells = [
                (quantity, *(line.get(seat, "") for seat in columns), docs[quantity])
                for quantity, line in lines.items()
            ]
            headings = [Heading(seat or ("both" if len(seats) == 2 else "table")) for seat in columns]
            made.append(
                Table(
                    section,
                    CAPTIONS.get(section, section.capitalize()),
                    (Heading("", number=False), *headings, Heading("", number=False)),
                    tuple(cells),
                )
            )
        return made

    def remarks(self, everything: bool = False) -> list[str]:
        """Return what was never seen, and what was left out."""
        from simcards.report.tables import BY_ERROR, several

        said = [BY_ERROR]
        if everything or self.quantities or self.sections:
            return said
        unseen = [row.estimate.quantity for row in self.rows if row.kind not in _EXTRA and not _seen(row)]
        names = [
            name
            for name in dict.fromkeys(unseen)
            if not any(row.estimate.quantity == name and _seen(row) for row in self.rows)
        ]
        named = [name for name in names if not self._later(name)]
        if named and self.outcome.deals:
            said.append(f"Never in {several(self.outcome.deals, self.plan.unit)}: {', '.join(named)}.")
        return said

    def plot(self) -> Figure:
        """Draw the plot that tells most: the distribution of the result, as a rule."""
        from simcards.report import figures

        if not self.outcome.deals:
            raise UsageError("there is nothing to plot: no deal was done")
        return figures.default(self.outcome)

    def _wanted(self, section: str, quantity: str) -> bool:
        if self.sections and section not in self.sections:
            return False
        return not self.quantities or bool({quantity, base_name(quantity)} & set(self.quantities))

    def _later(self, quantity: str) -> bool:
        return any(row.estimate.quantity == quantity and row.section in _LATER for row in self.rows)

    def _shown(self, everything: bool) -> dict[str, list[Row]]:
        whole = everything or self.sections or self.quantities
        seen = {row.estimate.quantity for row in self.rows if _seen(row)}
        chosen: dict[str, list[Row]] = {}
        for row in self.rows:
            plain = row.section not in _LATER and row.kind not in _EXTRA and row.estimate.quantity in seen
            if row.kind == "deals" and row.estimate.se == 0.0:
                plain = False  # a row is a deal
            if whole or plain:
                chosen.setdefault(row.section, []).append(row)
        return chosen

    def _files(self) -> dict[str, str]:
        from simcards.report.figures import to_svg
        from simcards.report.tables import to_csv

        files = super()._files()
        if self.outcome.deals:
            files["figure.svg"] = to_svg(self.plot())
        bins = [
            {"quantity": column.quantity.name, "seat": column.seat, "low": low, "high": high, "n": n}
            for column in self.plan.load().columns
            if self.outcome.tally.histogram(column.name) is not None
            for low, high, n in _bins(self.outcome, column.name)
        ]
        return files | {"histograms.csv": to_csv(bins)} if bins else files


@dataclass(frozen=True, repr=False)
class MatchResult(Result):
    """How strategies fared against each other on the same deals.

    Attributes
    ----------
    outcome : simcards.study.match.MatchOutcome
        The exact sums.
    confidence : float
        Confidence level of the intervals.
    """

    outcome: MatchOutcome
    confidence: float = 0.95

    _file = "comparisons"

    @property
    def plan(self) -> Plan:
        """What was played; its strategies are those of the first seating."""
        return self.outcome.plan

    @property
    def deals(self) -> int:
        """How many deals were done."""
        return self.outcome.deals

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted before all deals wanted were done."""
        return self.outcome.interrupted

    @functools.cached_property
    def rows(self) -> list[Versus]:
        """The comparisons, pair by pair."""
        return self.outcome.rows(self.confidence)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records, then those of the corrected differences and of the ratings."""
        return self.outcome.records(self.confidence)

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        from simcards.study.result import provenance

        return provenance(self.outcome)

    def headline(self) -> list[str]:
        """Return in a few lines what was played."""
        from simcards.report.tables import control_warnings, verdict_lines

        games = len(self.outcome.study.seatings)
        lines = _headline(self.outcome, " against ".join(self.outcome.study.strategies))
        lines.append(f"every pair plays each {self.plan.unit} {games} times, with the seats exchanged")
        if self.outcome.until_decided is not None:
            lines.append(f"which is better, to be decided with {100.0 * self.outcome.until_decided:g} % confidence:")
            lines += [f"  {line}" for line in verdict_lines(self.outcome)]
        return [*lines, *(f"warning: {text}" for text in control_warnings(self.outcome, self.confidence))]

    def tables(self, everything: bool = False) -> list[Table]:
        """Return the payoff of all pairs, the games won and lost, the ratings, and each pair in detail."""
        from simcards.report.tables import Heading, Table, match_summary, mean_of, shown, versus_rows

        tables = match_summary(self.outcome, self.confidence)
        pairs = versus_rows(self.outcome, self.confidence)
        if len(pairs) > 3 and not everything:
            return tables
        name = Heading("", number=False)
        for (first, second), rows in pairs:
            chosen = [row for row in rows if row.section == "result" or (everything and row.section != "games")]
            lines = tuple(
                (
                    row.estimate.quantity,
                    mean_of(row.first_mean, row.estimate, row.kind),
                    mean_of(row.second_mean, row.estimate, row.kind),
                    shown(row.estimate, row.kind),
                    row.doc,
                )
                for row in chosen
                if not math.isnan(row.estimate.estimate)
            )
            names = f"{first} against {second}"
            heads = [name, *map(Heading, (first, second, "difference")), name]
            tables.append(Table(names, names, tuple(heads), lines))
        return tables

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how to read the tables."""
        from simcards.report.tables import BY_ERROR, DRAWN, RATED, contests, times

        said = [BY_ERROR]
        spared = [row.reduction for row in self.rows if not math.isnan(row.reduction)]
        if spared and min(spared) >= 1.05 and self.outcome.deals:
            few = f"{times(min(spared))} times as many" if math.isfinite(min(spared)) else "endlessly many"
            said.append(f"Reduction: without the same cards on both sides {few} would be needed.")
        if len(self.outcome.study.strategies) > 2:
            games = contests([self.plan.unit])
            said += [f"Ratings: {RATED.format(unit=self.plan.unit, games=games)}", DRAWN.format(games=games)]
        return said

    def plot(self) -> Figure:
        """Draw the differences with their intervals."""
        from simcards.report import figures

        if not self.outcome.deals:
            raise UsageError("there is nothing to plot: no deal was done")
        return figures.match(self.outcome)

    def _files(self) -> dict[str, str]:
        from simcards.report.figures import to_svg

        figure = {"figure.svg": to_svg(self.plot())} if self.outcome.deals else {}
        return super()._files() | figure


@dataclass(frozen=True, repr=False)
class ReplayResult(Result):
    """One deal, decision by decision.

    Attributes
    ----------
    replay : simcards.study.replay.Replay
        The cards, the decisions, and the positions before them.
    """

    replay: Replay

    _file = "decisions"

    @property
    def plan(self) -> Plan:
        """What was played."""
        return self.replay.plan

    @property
    def row(self) -> Mapping[str, int | None]:
        """What was measured, by column."""
        return self.replay.row

    @functools.cached_property
    def scores(self) -> list[tuple[int, ...]]:
        """The score before each decision and at the end, one number a seat; empty where a game tells none."""
        tell = self.plan.load().scores
        if tell is None:
            return []
        return [tuple(int(points) for points in tell(state)) for state in self.replay.states]

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record a decision: who, what, what else was legal, and the score after it."""
        seats = self.plan.ruleset.seats
        records = []
        for place, step in enumerate(self.replay.steps):
            record: dict[str, Any] = {
                "step": place + 1,
                "deal": step.deal,
                "seat": step.seat,
                "strategy": step.strategy,
                "phase": step.phase,
                "action": step.action,
                "code": step.code,
                "legal": list(step.legal),
            }
            if self.scores:
                record |= {f"score.{seat}": points for seat, points in zip(seats, self.scores[place + 1])}
            records.append(record)
        return records

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same deal again, its cards, and what was measured."""
        import simcards
        from simcards.kernel.compiled import source_hash

        about = self.plan.describe()
        del about["deals"]
        return {
            "version": simcards.__version__,
            "sources": source_hash(),
            **about,
            "deal": self.replay.deal,
            "dealt": [{place: " ".join(cards) for place, cards in dealt.cards.items()} for dealt in self.replay.dealt],
            "row": dict(self.replay.row),
        }

    def headline(self) -> list[str]:
        """Return in a line what was played."""
        plan = self.plan
        return [
            f"{plan.ruleset.title}: {plan.unit} {self.replay.deal:,} of seed {plan.seed}, {_players(plan)}",
            *_conditions(plan),
        ]

    def tables(self, everything: bool = False) -> list[Table]:
        """Return what was measured, without what is 0 unless everything is wanted."""
        from simcards.report.tables import NONE, Heading, Table, plain

        seats = self.plan.ruleset.seats
        lines: dict[str, dict[str | None, int | None]] = {}
        docs: dict[str, str] = {}
        for column in self.plan.load().columns:
            lines.setdefault(column.quantity.name, {})[column.seat] = self.row[column.name]
            docs[column.quantity.name] = column.quantity.doc
        columns = [*seats, None] if any(None in line for line in lines.values()) else list(seats)
        rows = tuple(
            (
                name,
                *(
                    "" if seat not in line else NONE if (value := line[seat]) is None else plain(value)
                    for seat in columns
                ),
                docs[name],
            )
            for name, line in lines.items()
            if everything or any(line.values())
        )
        names = [Heading(seat or ("both" if len(seats) == 2 else "table")) for seat in columns]
        none = Heading("", number=False)
        return [Table("row", "Result", (none, *names, none), rows)]

    def __str__(self) -> str:
        from simcards import terminal

        return terminal.replay_text(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def check_selection(plan: Plan, sections: Sequence[str], quantities: Sequence[str]) -> None:
    """Refuse sections and quantities that a game does not have.

    Parameters
    ----------
    plan : Plan
        What is played.
    sections, quantities : sequence of str
        Names.

    Raises
    ------
    UsageError
        For the first that there is not.
    """
    if not (sections or quantities):
        return
    game = plan.load()
    known = dict.fromkeys(quantity.section for quantity in game.quantities)
    for section in sections:
        if section not in known:
            raise unknown(f"section of {plan.game}", section, known)
    names = {quantity.name: quantity for quantity in game.quantities}
    shares = [f"{part}/{whole}" for part, whole in game.shares]
    rates = [f"any_{name}" for name, quantity in names.items() if quantity.kind == "count"]
    for name in quantities:
        if name not in names and name not in shares and name not in rates:
            raise unknown(f"quantity of {plan.game}", name, [*names, *rates, *shares])
        section = names[name if name in names else base_name(name)].section
        if sections and section not in sections:
            raise UsageError(f"{name} is in the section {section!r}, not in {' or '.join(map(repr, sections))}")


def base_name(quantity: str) -> str:
    """Return the quantity that a rate or a share is of.

    Parameters
    ----------
    quantity : str
        Such as ``"any_tricks"`` or ``"points_aces/points"``.

    Returns
    -------
    str
    """
    return quantity.removeprefix("any_").partition("/")[0]


def jsonable(value: Any) -> Any:
    """Return plain data that strict JSON can hold: nan and infinity become null.

    Parameters
    ----------
    value : object
        Plain data, also with NumPy numbers.

    Returns
    -------
    object
    """
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    return jsonable(value.item())


def _seen(row: Row) -> bool:
    number = row.estimate
    return not math.isnan(number.estimate) and not (number.estimate == 0.0 and not number.se > 0.0)


def _bins(outcome: Outcome, column: str) -> Iterable[tuple[float, float, int]]:
    made = {name.name: outcome.tally.histogram(name.name) for name in outcome.plan.load().columns}
    having = {name: histogram for name, histogram in made.items() if histogram is not None}
    if text(column, "a quantity") not in having:
        seated = [name for name in having if name.startswith(f"{column}.")]
        if seated:
            raise UsageError(f"{column!r} has a histogram for each seat; write {' or '.join(seated)}")
        raise unknown(f"quantity with a histogram in {outcome.plan.game}", column, having)
    histogram = having[column]
    edges = [-math.inf, *map(float, histogram.edges), math.inf]
    counts = [histogram.below, *histogram.counts, histogram.above]
    last = len(counts) - 1
    return [(edges[k], edges[k + 1], n) for k, n in enumerate(counts) if n or 0 < k < last]


def _players(plan: Plan) -> str:
    if len(set(plan.strategies)) == 1:
        return f"{plan.strategies[0]} in all seats"
    return ", ".join(f"{seat} {name}" for seat, name in zip(plan.ruleset.seats, plan.strategies, strict=True))


def _conditions(plan: Plan) -> list[str]:
    lines = []
    if plan.changes:
        lines.append(f"rules changed: {', '.join(f'{name} = {value}' for name, value in plan.changes)}")
    if plan.cards:
        given = "; ".join(f"{place} {' '.join(cards)}" for place, cards in plan.cards)
        lines.append(f"cards given: {given}")
    return lines


def _headline(outcome: Outcome | MatchOutcome, who: str) -> list[str]:
    from simcards.report.tables import several

    plan = outcome.plan
    wanted = f" (interrupted, {plan.deals:,} were wanted)" if outcome.interrupted else ""
    parts = [f"{several(outcome.deals, plan.unit)}{wanted}", who, f"seed {plan.seed}"]
    if outcome.seconds > 0.0 and not math.isnan(outcome.rate):
        parts.append(f"{outcome.rate:,.0f} a second")
    lines = [f"{plan.ruleset.title}: {', '.join(parts)}", *_conditions(plan)]
    if outcome.precision is not None:
        target = outcome.target or f"the {plan.load().payoff}"
        reached = "reached" if outcome.precise else "not reached"
        lines.append(f"precision {outcome.precision:g} of {target}: {reached}")
    return lines
