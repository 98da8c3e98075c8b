"""Tables: numbers rounded as their errors demand for people, and in full for machines."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from simcards.odds.written import several as several
from simcards.report import derived
from simcards.stats import Estimate, round_to_error

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from simcards.games.game import Quantity
    from simcards.stats import Rating
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
    if estimate.se == 0.0 and (estimate.ci_low == estimate.ci_high or _unbounded(estimate)):
        return grouped(round_to_error(estimate.estimate * (100.0 if unit else 1.0), math.nan)[0]) + unit
    words = scaled(estimate, 100.0 if unit else 1.0).text().split(" ")
    return " ".join(_word(word) for word in words) + unit


def _unbounded(estimate: Estimate) -> bool:
    """Whether an interval says nothing at all."""
    return estimate.ci_low == -math.inf and estimate.ci_high == math.inf


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
    if math.isnan(estimate.ci_low) or estimate.ci_low == estimate.ci_high or _unbounded(estimate):
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


def sentence(strategy: str) -> str:
    """Return the name of a strategy for the beginning of a sentence.

    Parameters
    ----------
    strategy : str
        The name.

    Returns
    -------
    str
        With a capital if it is a word; as it is if it is to be typed so, like ``"own.py:bold"``.
    """
    return capital(strategy) if strategy.isalpha() else strategy


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


def called(strategies: Sequence[str]) -> tuple[str, ...]:
    """Return what tables call the strategies of a match.

    Parameters
    ----------
    strategies : sequence of str
        Their names.

    Returns
    -------
    tuple of str
        The names without the folders of their files, unless that makes two alike; those that are the same are numbered.
    """
    from simcards.study.match import numbered

    short = [without_folders(name) for name in strategies]
    names = [one if short.count(one) == strategies.count(name) else name for one, name in zip(short, strategies)]
    return numbered(names)


def without_folders(strategy: str) -> str:
    """Return the name of a strategy without the folders of the files it is in.

    Parameters
    ----------
    strategy : str
        Such as ``"folder/own.py:bold+mc"``.

    Returns
    -------
    str
        ``"own.py:bold+mc"``.
    """
    from simcards.study.players import parse

    parts = parse(strategy)
    return "+".join(
        part.text.replace(part.file, PurePath(part.file).name, 1) if part.file else part.text for part in parts
    )


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
        What the two of the pair are called (see `called`), and its rows.
    """
    names, pairs = called(outcome.study.strategies), outcome.study.pairs
    rows = outcome.rows(confidence)
    size = len(rows) // len(pairs)
    return [((names[a], names[b]), rows[k * size : (k + 1) * size]) for k, (a, b) in enumerate(pairs)]


def verdict_lines(outcome: MatchOutcome) -> list[str]:
    """Return who is better, a line a pair, of a match that went on until that was decided.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.

    Returns
    -------
    list of str
        Such as ``"basic is better than random, decided after 1,000 deals"``.
    """
    names = called(outcome.study.strategies)
    return [
        dataclasses.replace(verdict, first=names[a], second=names[b]).text(outcome.plan.unit)
        for verdict, (a, b) in zip(outcome.verdicts(), outcome.study.pairs)
    ]


def control_warnings(outcome: MatchOutcome, confidence: float = 0.95) -> list[str]:
    """Return which means that were given for the controls of a match cannot be right, each with the worst pair.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.
    confidence : float
        Confidence level.

    Returns
    -------
    list of str
    """
    names, study = called(outcome.study.strategies), outcome.study
    made = outcome.controlled(confidence)
    said = []
    for place, (name, mean) in enumerate(study.controls):
        offset, (a, b) = max((abs(one.offsets[place]), pair) for one, pair in zip(made, study.pairs))
        if offset > _OFF:
            far = f"{offset:.1f} standard errors" if math.isfinite(offset) else "always"
            said.append(
                f"{name} has not the mean {plain(float(mean))} that was given: {names[a]} less {names[b]} is {far} "
                "off, so do not trust the corrected difference"
            )
    return said


def interval_of(outcome: MatchOutcome, confidence: float = 0.95) -> str:
    """Return the heading of the intervals of the payoff in a match.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.
    confidence : float
        Confidence level.

    Returns
    -------
    str
        ``"95 % interval"``; in a match until decided those of all pairs hold together, at every look.
    """
    if outcome.until_decided is None:
        return f"{100.0 * confidence:g} % interval"
    return f"{100.0 * outcome.until_decided:g} % interval (all pairs, every look)"


def match_summary(outcome: MatchOutcome, confidence: float = 0.95) -> list[Table]:
    """Return how a match ended: payoff, games, deals, and ratings where three strategies or more met.

    Parameters
    ----------
    outcome : MatchOutcome
        The match.
    confidence : float
        Confidence level.

    Returns
    -------
    list of Table
        A line a pair, or a strategy.
    """
    payoff, unit = outcome.study.game.payoff, outcome.plan.unit
    pairs = versus_rows(outcome, confidence)
    short = dict(zip(outcome.study.names, called(outcome.study.strategies)))
    tested = not outcome.looked
    paid, games, deals = [], [], []
    for (first, second), rows in pairs:
        row = next(row for row in rows if row.estimate.quantity == payoff)
        rates = {row.estimate.quantity: shown(row.estimate, "rate") for row in rows if row.section == "games"}
        name = f"{first} against {second}"
        p = (probability(_adjusted(row)),) if tested else ()
        paid.append((name, shown(row.estimate), interval(row.estimate), *p, times(row.reduction)))
        games.append((name, *(rates[rate] for rate in ("won_games", "drawn_games", "lost_games"))))
        deals.append((name, *(rates[rate] for rate in ("better_deals", "equal_deals", "worse_deals"))))
    level = interval_of(outcome, confidence)
    p_heading = [Heading("p (Holm)" if len(pairs) > 1 else "p")] if tested else []
    note = BY_ERROR + (_HOLM if len(pairs) > 1 else _P) * tested + _REDUCTION.format(unit=unit)
    made = [
        Table(
            "match",
            f"{capital(derived.label(payoff))} a {unit} on the same cards, first strategy less second",
            (_NAMES, Heading("difference"), Heading(level), *p_heading, Heading("reduction")),
            tuple(paid),
            note,
            tuple({**record, **_shortened(record, short)} for record in outcome.records(confidence)),
        )
    ]
    corrected = outcome.controlled(confidence)
    if corrected:
        known = ", ".join(f"{name} {plain(float(mean))}" for name, mean in outcome.study.controls)
        lines = [
            (name, shown(one.estimate), interval(one.estimate), times(one.reduction))
            for (name, *_), one in zip(paid, corrected, strict=True)
        ]
        made.append(
            Table(
                "match-controlled",
                "The same, corrected by quantities of known mean",
                (_NAMES, *map(Heading, ("difference", f"{100.0 * confidence:g} % interval", "reduction"))),
                tuple(lines),
                f"Known means of the differences: {known}. Without the correction that many times more {unit}s would "
                "give the same error.",
            )
        )
    made += [
        Table(
            "match-games",
            f"{capital(contests([unit]))} that the first strategy wins, draws and loses, each {unit} being played in "
            "all seatings",
            (_NAMES, *map(Heading, ("won", "drawn", "lost"))),
            tuple(games),
            BY_ERROR,
        ),
        Table(
            "match-deals",
            f"{capital(unit)}s in which the first strategy does better, the same and worse, over all seatings",
            (_NAMES, *map(Heading, ("better", "equal", "worse"))),
            tuple(deals),
            BY_ERROR,
        ),
    ]
    ratings = outcome.ratings(confidence)
    if ratings is not None:
        rated = [
            (name, rating_text(rating), interval(rating.estimate))
            for name, rating in zip(called(outcome.study.strategies), ratings.strategies, strict=True)
        ]
        rated.append(("draws", shown(ratings.ties), interval(ratings.ties)))
        made.append(
            Table(
                "ratings",
                "Ratings",
                (Heading("strategy", number=False), Heading("rating"), Heading(f"{100.0 * confidence:g} % interval")),
                tuple(rated),
                f"{RATED.format(unit=unit, games=contests([unit]))} {DRAWN.format(games=contests([unit]))}",
            )
        )
    return made


def contests(units: Iterable[str]) -> str:
    """Return what is won and lost in a match: games, since a deal is one too, or sessions of several games.

    Parameters
    ----------
    units : iterable of str
        What the rows are.

    Returns
    -------
    str
    """
    return " or ".join(sorted({"sessions" if unit == "session" else "games" for unit in units}))


def rating_text(rating: Rating) -> str:
    """Write a rating for people.

    Parameters
    ----------
    rating : Rating
        The rating.

    Returns
    -------
    str
        ``"+35.1 ± 4.2"``, ``"−35.1 ± 4.2"``, ``"at least +820"``; a dash where there is none.
    """
    if math.isnan(rating.estimate.estimate) and not rating.bound:
        return NONE
    return rating.text().replace("-", "−")


def times(reduction: float) -> str:
    """Write how many times more deals would be needed.

    Parameters
    ----------
    reduction : float
        The number.

    Returns
    -------
    str
        ``"1.87"``, ``"endless"``, or a dash where there is none.
    """
    if math.isinf(reduction):
        return "endless"
    places = 2 if reduction < 10.0 else 1 if reduction < 100.0 else 0
    return NONE if math.isnan(reduction) else grouped(f"{reduction:.{places}f}")


def match_tables(outcome: MatchOutcome, confidence: float = 0.95) -> list[Table]:
    """Return a match as tables: the results of all pairs, then each pair in detail.

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
    pairs = versus_rows(outcome, confidence)
    unit, payoff = outcome.plan.unit, outcome.study.game.payoff
    level = f"{100.0 * confidence:g} % interval"
    note = BY_ERROR
    if outcome.until_decided is not None:
        note += f" The interval of {derived.label(payoff)} is the {interval_of(outcome, confidence)}."
    made = match_summary(outcome, confidence)
    for number, ((first, second), rows) in enumerate(pairs):
        shown_rows = [row for row in rows if row.section not in ("timing", "games") and not _is_detail(row)]
        made.append(
            Table(
                f"match-{number + 1}" if len(pairs) > 1 else "match-detail",
                f"{sentence(first)} against {second}, means a {unit}",
                (_NAMES, *map(Heading, (first, second, "difference", level))),
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
                note,
            )
        )
    return made


def _shortened(record: Mapping[str, Any], short: Mapping[str, str]) -> dict[str, str]:
    """Return the strategies of a record without folders, so that a page does not depend on where it was made."""
    return {key: short[record[key]] for key in ("strategy", "against") if record.get(key)}


def _is_detail(row: Versus) -> bool:
    """Whether a row is one of many of its kind, left to the file; the points by source say the same."""
    return row.section == "melds" and row.kind == "count" and row.estimate.quantity.startswith("count_")


def _adjusted(row: Versus) -> float:
    p = row.comparison.p_adjusted
    return math.nan if p is None else p


_NAMES = Heading("", number=False)
_OFF = 4.0  # standard errors by which a mean that is right is as good as never missed
RATED = "Elo points relative to the mean, from {games}; errors allow for {games} of one {unit} hanging together."
DRAWN = "Between equals a share d / (2 + d) of {games} is drawn, d being the number for draws."
_REDUCTION = " Reduction: how many times more {unit}s would give the same error if every game had its own cards."
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
