"""Results as text for terminals and as HTML for notebooks."""

from __future__ import annotations

import io
import itertools
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from simcards.report.tables import Table
    from simcards.results import ReplayResult, Result

_GAP = 2
_DOC_ROOM = 44  # columns in which descriptions may be wrapped; with less room they stand on one line or not at all
_ERROR = re.compile(r" (?=±|\()")


def text(result: Result, width: int | None = None, everything: bool = False) -> str:
    """Return a result as plain text.

    Parameters
    ----------
    result : Result
        The result.
    width : int, optional
        Columns; those of the terminal if left out.
    everything : bool
        Whether to show all there is.

    Returns
    -------
    str
    """
    return _plain(lambda console: show(result, console, everything), width)


def replay_text(result: ReplayResult, width: int | None = None, legal: bool = False) -> str:
    """Return a replayed deal as plain text.

    Parameters
    ----------
    result : ReplayResult
        The deal.
    width : int, optional
        Columns; those of the terminal if left out.
    legal : bool
        Whether to say what else could have been done.

    Returns
    -------
    str
    """
    return _plain(lambda console: show_replay(result, console, legal), width)


def _plain(draw: Callable[[Console], None], width: int | None) -> str:
    from rich.console import Console

    room = io.StringIO()
    draw(
        Console(
            file=room,
            width=width or shutil.get_terminal_size((100, 24)).columns,
            color_system=None,
            force_terminal=False,
            highlight=False,
            legacy_windows=False,
        )
    )
    return "\n".join(line.rstrip() for line in room.getvalue().splitlines())


def show(result: Result, console: Console, everything: bool = False, remarks: bool = True) -> None:
    """Print a result.

    Parameters
    ----------
    result : Result
        The result.
    console : rich.console.Console
        Where.
    everything : bool
        Whether to show all there is.
    remarks : bool
        Whether to say how to read it.
    """
    headline(console, result.headline())
    tables = result.tables(everything)
    names = max((len(row[0]) for table in tables for row in table.rows), default=0)
    for table in tables:
        console.print()
        console.print(grid(table, console.width, names))
    if remarks:
        console.print()
        for remark in result.remarks(everything):
            console.print(remark, style="dim")


def headline(console: Console, lines: Sequence[str]) -> None:
    """Print what was played.

    Parameters
    ----------
    console : rich.console.Console
        Where.
    lines : sequence of str
        The first of them is the title.
    """
    console.print(lines[0], style="bold")
    for line in lines[1:]:
        console.print(line)


def grid(table: Table, width: int, names_width: int = 0) -> RenderableType:
    """Return a table to be printed: without frames, numbers aligned at their errors.

    The last column, if it holds no numbers, describes the lines, and is left out where there is no room.
    Where there is no room for the numbers of all columns side by side, what is said of the whole table comes
    beneath what is said of the seats; if that is not enough, names stand above their numbers, and in the end
    each number has a line of its own.

    Parameters
    ----------
    table : simcards.report.tables.Table
        The table.
    width : int
        Columns of the terminal.
    names_width : int
        The least width of the first column, so that several tables stand in line.

    Returns
    -------
    rich.console.RenderableType
    """
    from rich.console import Group

    heads = [heading.full for heading in table.headings[1:]]
    described = not table.headings[-1].number and len(heads) > 1
    rows = [(row[0], list(row[1:-1] if described else row[1:]), row[-1] if described else "") for row in table.rows]
    heads = heads[:-1] if described else heads
    if _total(table.caption, rows, heads) <= width:
        return _grid(table.caption, rows, heads, width, names_width)
    seated = [row for row in rows if not row[1][-1]]
    whole = [(name, values[-1:], doc) for name, values, doc in rows if not any(values[:-1])]
    if len(seated) + len(whole) == len(rows) and seated and whole:
        upper = [(name, values[:-1], doc) for name, values, doc in seated]
        if _total(table.caption, upper, heads[:-1]) <= width:
            first = max(names_width, *(len(name) for name, _, _ in rows))
            return Group(
                _grid(table.caption, upper, heads[:-1], width, first),
                "",
                _grid("", whole, heads[-1:], width, first),
            )
    stacked = _stacked(table.caption, rows, heads, width)
    if stacked is not None and len(heads) > 2:
        return stacked
    single = [
        (f"{name}  {head}", [value], doc) for name, values, doc in rows for head, value in zip(heads, values) if value
    ]
    return _grid(table.caption, single, [""], width, names_width)


_Row = tuple[str, list[str], str]


def _grid(caption: str, rows: Sequence[_Row], heads: Sequence[str], width: int, names_width: int) -> RenderableType:
    from rich.table import Table as Grid
    from rich.text import Text

    needed = _total(caption, rows, heads)
    if needed - _names(caption, rows) + names_width <= width:
        needed = max(needed, needed - _names(caption, rows) + names_width)
    else:
        names_width = 0
    made = Grid(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
    made.add_column(Text(caption), no_wrap=True, min_width=names_width or None)
    columns = [_aligned(values[k] for _, values, _ in rows) for k in range(len(heads))]
    for place, head in enumerate(heads):
        size = max(map(len, [head, *columns[place]]))
        columns[place] = [f"{cell:>{size}}" for cell in columns[place]]
        made.add_column(Text(f"{head:>{size}}"), no_wrap=True)
    room = width - needed - _GAP
    docs = [doc for _, _, doc in rows]
    described = any(docs) and (room >= max(map(len, docs)) or room >= _DOC_ROOM)
    if described:
        made.add_column("", style="dim", ratio=1)
    for (name, _, doc), *cells in zip(rows, *columns):
        made.add_row(*map(Text, [name, *cells, *([doc] if described else [])]))
    return made


def _stacked(caption: str, rows: Sequence[_Row], heads: Sequence[str], width: int) -> RenderableType | None:
    """Put each name on a line of its own above its numbers; None where even these have no room."""
    from rich.console import Group
    from rich.text import Text

    columns = [_aligned(values[k] for _, values, _ in rows) for k in range(len(heads))]
    sizes = [max(map(len, [head, *column])) for head, column in zip(heads, columns)]
    if sum(_GAP + size for size in sizes) > width:
        return None

    def line(cells: Iterable[str]) -> str:
        return "".join(f"{'':{_GAP}}{cell:>{size}}" for cell, size in zip(cells, sizes))

    parts = [Text(caption, style="bold"), Text(line(heads), style="bold")]
    for (name, _, _), *cells in zip(rows, *columns):
        parts += [Text(name), Text(line(cells))]
    return Group(*parts)


def _total(caption: str, rows: Sequence[_Row], heads: Sequence[str]) -> int:
    columns = (_aligned(values[k] for _, values, _ in rows) for k in range(len(heads)))
    return _names(caption, rows) + sum(_GAP + max(map(len, [head, *column])) for head, column in zip(heads, columns))


def _names(caption: str, rows: Sequence[_Row]) -> int:
    return max(map(len, [caption, *(name for name, _, _ in rows)]))


def _aligned(cells: Iterable[str]) -> list[str]:
    """Pad numbers so that their errors stand beneath each other."""
    parts = [(*_ERROR.split(cell, maxsplit=1), "")[:2] for cell in cells]
    left = max((len(value) for value, _ in parts), default=0)
    right = max((len(error) for _, error in parts), default=0)
    if not right:
        return [value for value, _ in parts]
    return [f"{value:>{left}} {error:<{right}}" if value else "" for value, error in parts]


def show_replay(result: ReplayResult, console: Console, legal: bool = False, remarks: bool = True) -> None:
    """Print a replayed deal: the cards, a line a decision, the score where it changes, and what was measured.

    Parameters
    ----------
    result : ReplayResult
        The deal.
    console : rich.console.Console
        Where.
    legal : bool
        Whether to say what else could have been done.
    """
    from rich.text import Text

    replay = result.replay
    seats, pack = replay.plan.ruleset.seats, replay.plan.ruleset.pack
    headline(console, result.headline())
    widest = max(map(len, seats))
    acted = max((len(step.action) for step in replay.steps), default=0)
    starts = {dealt.first: (number, dealt) for number, dealt in enumerate(replay.dealt)}
    scores = result.scores
    before = (0,) * len(seats)
    for place, step in enumerate(replay.steps):
        if place in starts:
            number, dealt = starts[place]
            console.print()
            if len(replay.dealt) > 1:
                console.print(f"deal {number + 1}", style="bold")
            held = max(map(len, dealt.cards))
            for name, cards in dealt.cards.items():
                text = pack.format(map(pack.code, cards)) if name in seats else " ".join(cards)
                console.print(
                    Text(f"{name:<{held}}  {text}", style="" if name in seats else "dim"),
                    soft_wrap=not console.is_terminal,
                )
            console.print()
        line = Text(f"{place + 1:>3}  {step.seat:<{widest}}  ")
        line.append(step.action, style="dim" if len(step.legal) == 1 else "")
        if scores and scores[place + 1] != before:
            before = scores[place + 1]
            line.append(" " * (acted - len(step.action)))
            line.append("   " + " : ".join(map(str, before)), style="bold")
        console.print(line, soft_wrap=True)
        others = [other for other in step.legal if other != step.action]
        if legal and others:
            console.print(Text("or " + ", ".join(others), style="dim"), soft_wrap=False)
    console.print()
    for table in result.tables():
        console.print(grid(table, console.width))


def html(result: Result) -> str:
    """Return a result as HTML for a notebook.

    Parameters
    ----------
    result : Result
        The result.

    Returns
    -------
    str
    """
    lines = result.headline()
    parts = [f"<b>{escape(lines[0])}</b>", *(f"<br>{escape(line)}" for line in lines[1:])]
    for table in result.tables():
        heads = "".join(
            f"<th style='text-align:{'right' if heading.number else 'left'}'>{escape(heading.full)}</th>"
            for heading in itertools.islice(table.headings, 1, None)
        )
        body = "".join(
            "<tr>"
            + "".join(
                f"<td style='text-align:{'right' if heading.number else 'left'}'>{escape(cell)}</td>"
                for heading, cell in zip(table.headings, row)
            )
            + "</tr>"
            for row in table.rows
        )
        parts.append(
            f"<table><thead><tr><th style='text-align:left'>{escape(table.caption)}</th>{heads}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )
    remarks = "<br>".join(map(escape, result.remarks()))
    return f"<div>{''.join(parts)}<small>{remarks}</small></div>"
