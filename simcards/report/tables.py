"""Tables: numbers rounded as their errors demand for people, and in full for machines."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcards.report import derived
from simcards.stats import Estimate, round_to_error

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from simcards.games.game import Quantity
    from simcards.study.engine import Outcome
    from simcards.study.match import MatchOutcome, Versus
    from simcards.study.result import Row

COLUMNS = (
    "quantity",
    "seat",
    "strategy",
    "against",
    "n",
    "estimate",
    "se",
    "ci_low",
    "ci_high",
    "method",
    "numerator",
    "denominator",
)
"""Columns of every CSV file, in this order where they apply; others follow."""

RATES = ("flag", "rate", "share")
"""Kinds of quantity that are shown in per cent."""

NONE = "–"  # what a cell without a number shows
BY_ERROR = "± is one standard error."


@dataclass(frozen=True)
class Heading:
    """Heading of a column.

    Attributes
    ----------
    text : str
        The heading.
    group : str
        What stands above it and its neighbours of the same group.
    number : bool
        Whether the column holds numbers.
    """

    text: str
    group: str = ""
    number: bool = True

    @property
    def full(self) -> str:
        """The heading where there is no room for a second line of headings."""
        return f"{self.group}: {self.text}" if self.group else self.text


@dataclass(frozen=True)
class Table:
    """A table as it is shown, and the records behind it.

    Attributes
    ----------
    name : str
        Name of its file.
    caption : str
        What it shows.
    headings : tuple of Heading
        One a column; the first column names the rows.
    rows : tuple of tuple of str
        The cells.
    note : str
        How to read it.
    records : tuple of dict
        The numbers in full, for the file; none where the table is all there is.
    """

    name: str
    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    records: tuple[dict[str, Any], ...] = ()

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The upper line of headings: text and number of columns; empty when there is none."""
        if not any(heading.group for heading in self.headings):
            return []
        line: list[tuple[str, int]] = []
        for heading in self.headings:
            if line and heading.group and line[-1][0] == heading.group:
                line[-1] = (heading.group, line[-1][1] + 1)
            else:
                line.append((heading.group, 1))
        return line


# -- one number ------------------------------------------------------------------------------------------


def grouped(number: str) -> str:
    """Write a number's text with a comma between thousands and a true minus.

    Parameters
    ----------
    number : str
        As `simcards.stats.round_to_error` writes it.

    Returns
    -------
    str
        ``"1,234.5"`` for ``"1234.5"``.
    """
    sign = "−" if number.startswith("-") else ""
    whole, point, rest = number.removeprefix("-").partition(".")
    if whole == "inf":
        whole = "∞"
    elif whole.isdigit():
        whole = f"{int(whole):,}" if len(whole) > 3 else whole
    return f"{sign}{whole}{point}{rest}"


def scaled(estimate: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit.

    Parameters
    ----------
    estimate : Estimate
        The number.
    factor : float
        By what it and its error are multiplied, above 0.

    Returns
    -------
    Estimate
    """
    return dataclasses.replace(
        estimate,
        estimate=estimate.estimate * factor,
        se=estimate.se * factor,
        ci_low=estimate.ci_low * factor,
        ci_high=estimate.ci_high * factor,
    )


def shown(estimate: Estimate, kind: str = "") -> str:
    """Write an estimate for people: rounded by its error, in per cent where it is a rate.

    Parameters
    ----------
    estimate : Estimate
        The number.
    kind : str
        Kind of the quantity.

    Returns
    -------
    str
        ``"1,107.8 ± 4.3"``, ``"49.84 ± 0.35 %"``, ``"0.03 (0.00 to 0.13) %"``, a dash where there is none.
    """
    if math.isnan(estimate.estimate):
        return NONE
    unit = " %" if kind in RATES else ""
    if estimate.se == 0.0 and estimate.ci_low == estimate.ci_high:
        return grouped(round_to_error(estimate.estimate * (100.0 if unit else 1.0), math.nan)[0]) + unit
    words = scaled(estimate, 100.0 if unit else 1.0).text().split(" ")
    return " ".join(_word(word) for word in words) + unit


def _word(word: str) -> str:
    opened, closed = word.startswith("("), word.endswith(")")
    return "(" * opened + grouped(word.strip("()")) + ")" * closed


def interval(estimate: Estimate, kind: str = "") -> str:
    """Write the bounds of an estimate for people.

    Parameters
    ----------
    estimate : Estimate
        The number.
    kind : str
        Kind of the quantity.

    Returns
    -------
    str
        ``"−6.4 to −1.6"``; a dash where there is none, or nothing to go by.
    """
    if math.isnan(estimate.ci_low) or estimate.ci_low == estimate.ci_high:
        return NONE
    unit = " %" if kind in RATES else ""
    made = scaled(estimate, 100.0 if unit else 1.0)
    width = made.se if made.se > 0.0 else made.half_width
    low = grouped(round_to_error(made.ci_low, width)[0]) if math.isfinite(made.ci_low) else "−∞"
    high = grouped(round_to_error(made.ci_high, width)[0]) if math.isfinite(made.ci_high) else "∞"
    return f"{low} to {high}{unit}"


def probability(p: float) -> str:
    """Write the probability of a difference by chance.

    Parameters
    ----------
    p : float
        The probability.

    Returns
    -------
    str
        ``"0.012"``, or ``"< 0.0001"``.
    """
    if math.isnan(p):
        return NONE
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def plain(value: float) -> str:
    """Write a number without an error, such as a count of deals.

    Parameters
    ----------
    value : float
        The number.

    Returns
    -------
    str
        ``"1,000,000"``.
    """
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "−∞" if value < 0.0 else "∞"
    return grouped(str(int(value)) if value == int(value) else f"{value:.6g}")


def capital(text: str) -> str:
    """Return a text with its first letter as a capital.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    str
    """
    return text[:1].upper() + text[1:]


# -- tables of a study ---------------------------------------------------------------------------------------


def by_seat(
    name: str, caption: str, outcome: Outcome, rows: Sequence[Row], *, labels: Mapping[str, str] | None = None
) -> Table:
    """Make a table with a line a quantity and a column a seat.

    Parameters
    ----------
    name, caption : str
        Of the table.
    outcome : Outcome
        The study.
    rows : sequence of Row
        Its estimates, those to be shown.
    labels : mapping, optional
        What the lines are called, by the name of the quantity; what the game says it is if left out.

    Returns
    -------
    Table
        A quantity of the whole table has a column of its own, where there is such a quantity.
    """
    seats = outcome.plan.ruleset.seats
    cells: dict[str, dict[str | None, str]] = {}
    docs: dict[str, str] = {}
    for row in rows:
        quantity = row.estimate.quantity
        cells.setdefault(quantity, {})[row.estimate.seat] = shown(row.estimate, row.kind)
        docs[quantity] = (labels or {}).get(quantity, row.doc)
    columns: list[str | None] = [seat for seat in seats if any(seat in line for line in cells.values())]
    if any(None in line for line in cells.values()):
        columns.append(None)
    return Table(
        name,
        caption,
        (Heading("", number=False), *(Heading(seat or "table") for seat in columns)),
        tuple((capital(docs[quantity]), *(line.get(seat, "") for seat in columns)) for quantity, line in cells.items()),
        BY_ERROR,
        tuple(row.as_record() for row in rows),
    )


def play_tables(outcome: Outcome, confidence: float = 0.95) -> list[Table]:
    """Return the results of a study as tables, one a section of the game's quantities.

    Parameters
    ----------
    outcome : Outcome
        The study.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Table
        For the terminal and notebooks; a report has its own.
    """
    from simcards.study.result import estimates

    rows = [row for row in estimates(outcome, confidence) if row.group is None]
    captions = {
        "result": "Result",
        "sources": "Where the points come from",
        "melds": "Combinations",
        "timing": "When first, where at all",
        "play": "Play",
    }
    made = []
    for section in dict.fromkeys(row.section for row in rows):
        caption = captions.get(section, capital(section))
        made.append(by_seat(section, caption, outcome, [row for row in rows if row.section == section]))
    return made


def versus_rows(outcome: MatchOutcome, confidence: float = 0.95) -> list[tuple[tuple[str, str], list[Versus]]]:
    """Return the rows of a match by pairs of strategies.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.
    confidence : float
        Confidence level.

    Returns
    -------
    list of tuple
        The pair and its rows.
    """
    pairs: dict[tuple[str, str], list[Versus]] = {}
    for row in outcome.rows(confidence):
        pairs.setdefault((row.first, row.second), []).append(row)
    return list(pairs.items())


def match_tables(outcome: MatchOutcome, confidence: float = 0.95) -> list[Table]:
    """Return a match as tables: the payoff of all pairs, then each pair in detail.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Table
    """
    payoff = outcome.study.game.payoff
    pairs = versus_rows(outcome, confidence)
    unit = outcome.plan.unit
    looked = outcome.precision is not None
    level = f"{100.0 * confidence:g} % interval"
    lines, games, records = [], [], []
    for (first, second), rows in pairs:
        paid = next(row for row in rows if row.estimate.quantity == payoff)
        rates = {row.estimate.quantity: row.estimate for row in rows if row.section == "games"}
        name = f"{first} against {second}"
        p = [] if looked else [probability(_adjusted(paid))]
        lines.append((name, shown(paid.estimate), interval(paid.estimate), *p))
        games.append((name, *(shown(rates[rate], "rate") for rate in ("won_games", "drawn_games", "lost_games"))))
        records += [row.as_record() for row in rows]
    numbers = [Heading("difference"), Heading(level), *([] if looked else [Heading("p")])]
    first_column = Heading("", number=False)
    made = [
        Table(
            "match",
            f"{capital(derived.label(payoff))} a {unit} on the same cards, first strategy less second",
            (first_column, *numbers),
            tuple(lines),
            BY_ERROR + ("" if looked else _HOLM if len(pairs) > 1 else _P),
            tuple(records),
        ),
        Table(
            "match-games",
            "Games the first strategy wins, draws and loses",
            (first_column, *map(Heading, ("wins", "draws", "losses"))),
            tuple(games),
            BY_ERROR,
        ),
    ]
    for (first, second), rows in pairs:
        shown_rows = [row for row in rows if row.section not in ("timing", "games") and not _is_detail(row)]
        made.append(
            Table(
                f"match-{first}-{second}" if len(pairs) > 1 else "match-detail",
                f"{capital(first)} against {second}, means a {unit}",
                (first_column, *map(Heading, (first, second, "difference", level))),
                tuple(
                    (
                        capital(row.doc),
                        mean_of(row.first_mean, row.estimate, row.kind),
                        mean_of(row.second_mean, row.estimate, row.kind),
                        shown(row.estimate, row.kind),
                        interval(row.estimate, row.kind),
                    )
                    for row in shown_rows
                ),
                BY_ERROR,
            )
        )
    return made


def _is_detail(row: Versus) -> bool:
    """Whether a row is one of many of its kind, left to the file; the points by source say the same."""
    return row.section == "melds" and row.kind == "count" and row.estimate.quantity.startswith("count_")


def _adjusted(row: Versus) -> float:
    p = row.comparison.p_adjusted
    return math.nan if p is None else p


_P = " p is the probability of a difference this large if there were none."
_HOLM = f"{_P.removesuffix('.')}, adjusted for all pairs by Holm's method."


def mean_of(mean: float, estimate: Estimate, kind: str = "") -> str:
    """Write a mean to the place of the difference that it is part of.

    Parameters
    ----------
    mean : float
        The mean of one side.
    estimate : Estimate
        The difference.
    kind : str
        Kind of the quantity.

    Returns
    -------
    str
    """
    if math.isnan(mean):
        return NONE
    factor, unit = (100.0, " %") if kind in RATES else (1.0, "")
    se = estimate.se if estimate.se > 0.0 else math.nan
    return grouped(round_to_error(mean * factor, se * factor)[0]) + unit


# -- forms ---------------------------------------------------------------------------------------------------


def to_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Write records as CSV, numbers in full.

    Parameters
    ----------
    records : iterable of mapping
        Flat records; a nan becomes an empty cell.

    Returns
    -------
    str
        With a line of column names.
    """
    made = list(records)
    there = dict.fromkeys(key for record in made for key in record)
    columns = [key for key in COLUMNS if key in there] + [key for key in there if key not in COLUMNS]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for record in made:
        writer.writerow(_cell(record.get(column)) for column in columns)
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def to_markdown(table: Table) -> str:
    """Write a table as GitHub shows it.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    str
        The lines of the table, without its caption and note.
    """
    lines = [
        [escaped(heading.full) or " " for heading in table.headings],
        ["---:" if heading.number else ":---" for heading in table.headings],
        *([escaped(cell) or " " for cell in row] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


_SPECIAL = set("\\`*_[]<>|~$#&")


def escaped(text: str) -> str:
    """Write a text in Markdown so that it is shown as it is, on one line.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    str
    """
    line = " ".join(text.split())
    made = "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in line)
    return f"\\{made}" if made[:1] in ("-", "+", "=") else made


def to_rich(table: Table) -> RichTable:
    """Return a table for a terminal.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    rich.table.Table
    """
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(
        title=Text(table.caption),
        caption=Text(table.note) if table.note else None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        caption_justify="left",
    )
    for heading in table.headings:
        made.add_column(Text(heading.full), justify="right" if heading.number else "left")
    for row in table.rows:
        made.add_row(*map(Text, row))
    return made


def quantities(outcome: Outcome, section: str) -> list[Quantity]:
    """Return a game's quantities of a section.

    Parameters
    ----------
    outcome : Outcome
        The study.
    section : str
        The section.

    Returns
    -------
    list of Quantity
    """
    return [quantity for quantity in outcome.plan.load().quantities if quantity.section == section]
