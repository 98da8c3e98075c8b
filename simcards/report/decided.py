"""The section of a page about decisions: what yes brings more than no, by two marks of the position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcards import stats
from simcards.report import figures
from simcards.report.derived import label, together
from simcards.report.parts import Picture, Section
from simcards.report.tables import BY_ERROR, NONE, Heading, Table, capital, plain, several, shown, without_folders
from simcards.stats import Comparison, Estimate
from simcards.study.decisions import Cell, Decisions

if TYPE_CHECKING:
    from simcards.games.game import Mark

FEW = 20  # deals below which a cell's error is not to be trusted
CLEAR = 0.05  # probability by chance below which a gain or a loss is called one


def section(
    key: str, title: str, text: Sequence[str], runs: Sequence[Decisions], confidence: float
) -> tuple[Section, list[str]]:
    """Make the section, and say in short what it shows.

    Parameters
    ----------
    key, title : str
        Its name in links, and the heading.
    text : sequence of str
        Paragraphs at its beginning.
    runs : sequence of Decisions
        What was asked, a game each.
    confidence : float
        Confidence level.

    Returns
    -------
    section : Section
        With the tables and the picture of each game.
    said : list of str
        Short statements.
    """
    words = list(text)
    tables: list[Table] = []
    pictures: list[Picture] = []
    said: list[str] = []
    alone = len(runs) == 1
    for number, run in enumerate(runs, 1):
        name = key if alone else f"{key}-{number}"
        game = "" if alone else f"{run.plan.ruleset.title}: "
        words.append(game + _asked(run))
        found = {cell: run.gain(cell, confidence) for cell in run.study.cells if run.positions(cell)}
        tables.append(_gains(name, game, run, found))
        if any(run.taken(cell).estimate > 0.0 for cell in found):
            tables.append(_taken(name, game, run, found, confidence))
        picture = _picture(name, game, run, found, confidence)
        if picture is not None:
            pictures.append(picture)
        said += [game + line for line in _verdicts(run, found)]
    first = runs[0].study.marks
    terms = tuple((label(mark.name), mark.doc) for mark in first)
    return Section(key, title, tuple(words), (), tuple(tables), tuple(pictures), (), terms), said


def _asked(run: Decisions) -> str:
    """Say what was asked, of whom and how."""
    study, plan = run.study, run.plan
    game = plan.load()
    players = list(dict.fromkeys(without_folders(name) for name in plan.strategies))
    total = sum(run.positions(cell) for cell in study.cells)
    return (
        f"{several(total, 'decision')} of the phase {study.phase} in {several(run.deals, plan.unit)} played by "
        f"{together(players)}. Yes is the action {study.action} ({game.actions[study.phase]}). Both answers were "
        f"played out in the same {study.worlds} worlds that agree with what the player saw, everybody going on by "
        f"basic. What counts is {game.quantity(game.payoff).doc}."
    )


def _used(run: Decisions, found: dict[Cell, Estimate]) -> tuple[list[int], list[int]]:
    """Return the classes of both marks that occur."""
    return sorted({cell.first for cell in found}), sorted({cell.second for cell in found})


def _headings(run: Decisions, seconds: Sequence[int]) -> tuple[Heading, ...]:
    first, second = run.study.marks
    group = label(second.name)
    return (
        Heading(label(first.name), number=False),
        *(Heading(second.label(place), group) for place in seconds),
    )


def _gains(name: str, game: str, run: Decisions, found: dict[Cell, Estimate]) -> Table:
    firsts, seconds = _used(run, found)
    first, second = run.study.marks
    lines, records = [], []
    for one in firsts:
        line = [first.label(one)]
        for other in seconds:
            cell = Cell(one, other)
            made = found.get(cell)
            if made is None:
                line.append(NONE)
                continue
            line.append(f"{shown(made) if made.n >= FEW else NONE} ({plain(run.positions(cell))})")
            classes = {first.name: first.label(one), second.name: second.label(other)}
            numbers = {"positions": run.positions(cell), "taken": run.taken(cell).estimate}
            records.append(
                {"game": run.plan.game, **classes, **made.as_record(), "yes": run.worth(cell).estimate, **numbers}
            )
        lines.append(tuple(line))
    return Table(
        name,
        f"{game}{'what' if game else 'What'} yes brings more than no",
        _headings(run, seconds),
        tuple(lines),
        f"{BY_ERROR} In brackets the number of decisions; one that rests on fewer than {FEW} deals has no value here. "
        "The errors count the decisions of a deal as one, and hold what chance there is in the worlds.",
        tuple(records),
    )


def _taken(name: str, game: str, run: Decisions, found: dict[Cell, Estimate], confidence: float) -> Table:
    firsts, seconds = _used(run, found)
    first, _ = run.study.marks
    lines = []
    for one in firsts:
        cells = [Cell(one, other) for other in seconds]
        shares = [run.taken(cell, confidence) if found.get(cell) else None for cell in cells]
        few = [cell not in found or found[cell].n < FEW for cell in cells]
        line = [NONE if share is None or rare else shown(share, "rate") for share, rare in zip(shares, few)]
        lines.append((first.label(one), *line))
    return Table(
        f"{name}-taken",
        f"{game}{'how' if game else 'How'} often the strategy itself says yes",
        _headings(run, seconds),
        tuple(lines),
        BY_ERROR,
    )


def _picture(name: str, game: str, run: Decisions, found: dict[Cell, Estimate], confidence: float) -> Picture | None:
    """Draw the gains: a line for each class of the first mark, a mark for each class of the second."""
    firsts, seconds = _used(run, found)
    first, second = run.study.marks
    nothing = Estimate("gain", 0, math.nan, math.nan, math.nan, math.nan, "")
    series = []
    for other in seconds:
        made = [found.get(Cell(one, other), nothing) for one in firsts]
        series.append((f"{label(second.name)} {second.label(other)}", [e if e.n >= FEW else nothing for e in made]))
    series = [(words, made) for words, made in series if any(not math.isnan(e.estimate) for e in made)]
    if not series:
        return None
    title = f"{game}{'what' if game else 'What'} yes brings more than no"
    figure = figures.side_by_side(
        [f"{label(first.name)} {first.label(one)}" for one in firsts],
        series,
        title,
        f"more than no ({100.0 * confidence:g} % interval)",
        reference=0.0,
    )
    caption = "Dots are means, bars their intervals; to the right of the line yes is better."
    return Picture(f"{name}-gain", figure, caption, f"{capital(title)}. The numbers are in the table of that name.")


def _verdicts(run: Decisions, found: dict[Cell, Estimate]) -> list[str]:
    """Say for each class of the second mark where yes is clearly better and where clearly worse."""
    cells = [cell for cell, made in found.items() if made.n >= FEW and made.se > 0.0]
    tests = [Comparison(found[cell], found[cell].estimate / found[cell].se, _chance(found[cell])) for cell in cells]
    clear = {
        cell
        for cell, one in zip(cells, stats.family(tests), strict=True)
        if one.p_adjusted is not None and one.p_adjusted < CLEAR
    }
    first, second = run.study.marks
    said = []
    for other in sorted({cell.second for cell in cells}):
        parts = []
        for sign, words in ((1.0, "yes is better with"), (-1.0, "worse with")):
            places = [cell.first for cell in cells if cell in clear and cell.second == other]
            places = [place for place in places if found[Cell(place, other)].estimate * sign > 0.0]
            if places:
                parts.append(f"{words} {label(first.name)} {_ranges(first, places)}")
        if parts:
            said.append(f"{label(second.name)} {second.label(other)}: {', '.join(parts)}.")
    return said or ["no cell has a clear gain or loss."]


def _chance(made: Estimate) -> float:
    return math.erfc(abs(made.estimate / made.se) / math.sqrt(2.0))


def _ranges(mark: Mark, places: Sequence[int]) -> str:
    """Return classes in words, neighbours as one."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    words = []
    for members in runs:
        low, high = members[0], members[-1]
        if low == high:
            words.append(mark.label(low))
        elif high + 1 == len(mark.edges):
            words.append(f"{mark.edges[low]} or more")
        else:
            words.append(f"{mark.edges[low]} to {mark.edges[high + 1] - 1}")
    return together(words)
