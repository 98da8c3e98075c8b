"""Pages about tables that a game has: experiments of the kind ``grids``, maps and tables beside published numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import simcards
from simcards.errors import UsageError, unknown
from simcards.report import figures, keys
from simcards.report.bidding import Page
from simcards.report.folder import check_folder
from simcards.report.keys import Key
from simcards.report.page import Report, paragraphs, write_sections
from simcards.report.parts import Picture, Section
from simcards.report.tables import NONE, Heading, Table, capital, several

if TYPE_CHECKING:
    from simcards.games.game import Grid

GRID_KEYS: dict[str, Key] = {
    "name": Key(*keys.TEXT),
    "title": Key(*keys.TEXT),
    "text": Key(*keys.TEXT),
    "every": Key(*keys.WHOLE),
    "published": Key(*keys.TABLE),
    "source": Key(*keys.TEXT),
}
"""Keys of ``[[grid]]``."""


@dataclass(frozen=True)
class Shown:
    """A table of a game, as an experiment asks for it.

    Attributes
    ----------
    name : str
        Which of the game's.
    title, text : str
        For the page.
    every : int
        The page's table has every so many lines and columns; the map and the file have all.
    published : mapping
        Published numbers by the names of line and column, such as ``"5 J"``.
    source : str
        Whose these are.
    """

    name: str
    title: str = ""
    text: str = ""
    every: int = 1
    published: Mapping[str, float] = field(default_factory=dict)
    source: str = "published"

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {name: value for name, value in vars(self).items() if value}


def read_grids(data: Sequence[Any], game: str) -> tuple[Shown, ...]:
    """Read the tables ``[[grid]]`` of an experiment.

    Parameters
    ----------
    data : sequence
        As TOML has them.
    game : str
        Id or synonym of the rule set.

    Returns
    -------
    tuple of Shown

    Raises
    ------
    UsageError
        In one line that says which table it is.
    """
    from simcards.games import registry

    ruleset = registry.ruleset(game)
    grids = registry.load(ruleset.id).grids
    if not grids:
        raise UsageError(f"{ruleset.id} has no tables to show")
    if not data:
        raise UsageError("there is nothing to show: write [[grid]] and its name below it")
    found = []
    for number, table in enumerate(data, 1):
        try:
            found.append(_read(table, grids, ruleset.id))
        except UsageError as error:
            raise UsageError(f"[[grid]] {number}: {error}") from None
    return tuple(found)


def _read(data: Any, grids: Mapping[str, Grid], game: str) -> Shown:
    if not isinstance(data, dict):
        raise UsageError(f"it must be a table of keys and values, not {keys.short(data)}")
    keys.check_keys(data, GRID_KEYS)
    values = dict(data)
    if "name" not in values:
        raise UsageError("the key 'name' is missing")
    if values["name"] not in grids:
        raise unknown(f"table of {game}", values["name"], grids)
    if keys.whole("every", values.get("every", 1)) < 1:
        raise UsageError(f"every must be 1 or more, not {values['every']}")
    grid = grids[values["name"]]
    for cell, value in values.get("published", {}).items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise UsageError(f"published.{cell} must be a number, not {keys.short(value)}")
        _value(grid, cell)
    return Shown(**values)


def _value(grid: Grid, cell: str) -> float:
    """Return the number of a cell by the names of its line and its column."""
    line, _, column = cell.partition(" ")
    if line not in grid.lines or column not in grid.columns:
        first = f"{grid.lines[0]} {grid.columns[-1]}"
        raise UsageError(f"published has {cell!r}, but cells are a line and a column, such as {first!r}")
    return float(grid.values()[grid.lines.index(line)][grid.columns.index(column)])


def run_grids(
    grids: Sequence[Shown],
    folder: str | os.PathLike[str],
    *,
    game: str,
    title: str,
    text: Sequence[str],
    commands: Sequence[str],
    about: Mapping[str, Any],
) -> Report:
    """Write the page about some tables of a game.

    Parameters
    ----------
    grids : sequence of Shown
        Which.
    folder : path-like
        Where the page is to be, as for `simcards.report.page.write_report`.
    game : str
        Id or synonym of the rule set.
    title : str
        Title of the page.
    text, commands : sequence of str
        Paragraphs at its beginning, and what to type for it.
    about : mapping
        What else its provenance says.

    Returns
    -------
    Report
    """
    from simcards.games import registry
    from simcards.kernel.compiled import source_hash

    check_folder(folder)
    ruleset = registry.ruleset(game)
    known = registry.load(ruleset.id).grids
    sections, bullets = [], []
    for number, shown in enumerate(grids, 1):
        section, said = _section(f"part-{number}", shown, known[shown.name])
        sections.append(section)
        bullets += [f"{section.title}: {line}" for line in said]
    page = Page(title or f"{ruleset.title}: tables", ruleset.summary)
    summary = Section("summary", "In short", tuple(text), tuple(bullets))
    facts = (("program", f"simcards {simcards.__version__}, sources {source_hash('games')}"),)
    headings = (Heading("what", number=False), Heading("value", number=False))
    method = Section(
        "method",
        "How it was computed",
        ("The tables are part of the program; the module of the game that makes them says how.",),
        tables=(Table("facts", "What was computed", headings, facts),),
        commands=tuple(commands),
    )
    tables = write_sections(page, [summary, *sections, method], folder, about)
    return Report(Path(folder), page.title, records=tables)


def _section(key: str, shown: Shown, grid: Grid) -> tuple[Section, list[str]]:
    """Show one table, and how far it is from published numbers."""
    values = grid.values()
    title = shown.title or capital(shown.name)
    lines, columns = (range(0, len(names), shown.every) for names in (grid.lines, grid.columns))
    rows = tuple((grid.lines[y], *(_written(grid, values[y][x]) for x in columns)) for y in lines)
    heads = (Heading(grid.down, number=False), *(Heading(grid.columns[x], grid.across) for x in columns))
    records: tuple[dict[str, Any], ...] = tuple(
        {grid.down: line, grid.across: column, "estimate": float(values[y][x])}
        for y, line in enumerate(grid.lines)
        for x, column in enumerate(grid.columns)
        if not math.isnan(values[y][x])
    )
    note = "Per cent." if grid.kind else ""
    tables = [Table(key, capital(grid.doc), heads, rows, note, records)]
    said = []
    if shown.published:
        table, apart = _beside(f"{key}-published", shown, grid)
        tables.append(table)
        said.append(
            f"{several(len(shown.published), 'published number')}, the largest difference {apart:.{grid.digits + 1}f}."
        )
    known = [(record["estimate"], f"{record[grid.down]} {record[grid.across]}") for record in records]
    for words, (value, cell) in (("highest", max(known)), ("lowest", min(known))):
        if not grid.kind and not shown.published:
            said.append(f"{words} {_written(grid, value)} with {cell}.")
    picture = Picture(
        f"{key}-map",
        figures.heat_map(grid, title),
        f"The darker, the higher{', in per cent' if grid.kind else ''}.",
        f"{title}, as a map. The numbers are in the table “{tables[0].caption}”.",
    )
    return Section(key, title, paragraphs(shown.text), tables=tuple(tables), pictures=(picture,)), said


def _written(grid: Grid, value: float) -> str:
    if math.isnan(value):
        return NONE
    return f"{100.0 * value:.{grid.digits}f}" if grid.kind else f"{value:.{grid.digits}f}"


def _beside(key: str, shown: Shown, grid: Grid) -> tuple[Table, float]:
    """Return the published numbers beside the game's, and the largest difference."""
    rows: list[tuple[str, ...]] = []
    records: list[dict[str, Any]] = []
    for cell, published in shown.published.items():
        value = _value(grid, cell)
        apart = value - published
        digits = grid.digits + 1
        rows.append((cell, f"{value:.{digits}f}", f"{published:.{grid.digits}f}", f"{apart:+.{digits}f}"))
        records.append({"cell": cell, "estimate": value, "published": published, "difference": apart})
    heads = (Heading("cell", number=False), Heading("here"), Heading(shown.source), Heading("difference"))
    largest = max(abs(record["difference"]) for record in records)
    return Table(key, "Beside published numbers", heads, tuple(rows), "", tuple(records)), largest
