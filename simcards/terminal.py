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
_DOC_FROM = 24  # columns: with less room for them, descriptions are left out
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
    for table in result.tables(everything):
        console.print()
        console.print(grid(table, console.width))
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


def grid(table: Table, width: int) -> RenderableType:
    """Return a table to be printed: without frames, numbers aligned at their errors.

    The last column, if it holds no numbers, describes the lines, and is left out where there is no room. Where
    there is no room for the numbers of all columns side by side, they are put beneath each other.

    Parameters
    ----------
    table : simcards.report.tables.Table
        The table.
    width : int
        Columns of the terminal.

    Returns
    -------
    rich.console.RenderableType
    """
    from rich.table import Table as Grid
    from rich.text import Text

    headings = [heading.full for heading in table.headings]
    number = [heading.number for heading in table.headings]
    docs = [row[-1] for row in table.rows] if len(number) > 2 and not number[-1] else None
    values = slice(1, -1 if docs else None)
    names = [row[0] for row in table.rows]
    columns = [list(column) for column in zip(*(row[values] for row in table.rows))]
    heads = headings[values]
    if _total(table.caption, names, columns, heads) > width and len(heads) > 1:
        kept = [(n, h, v) for n, row in enumerate(zip(*columns)) for h, v in zip(heads, row) if v]
        docs = [docs[n] for n, _, _ in kept] if docs else None
        who = [f"{names[n]}  {h}" for n, h, _ in kept]
        names, columns, heads = who, [[v for _, _, v in kept]], [""]
    made = Grid(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
    made.add_column(Text(table.caption), no_wrap=True)
    for head in heads:
        made.add_column(Text(head), justify="right", no_wrap=True)
    room = width - _total(table.caption, names, columns, heads) - _GAP
    if docs and room >= _DOC_FROM:
        made.add_column("", style="dim", overflow="fold", ratio=1)
        columns.append(docs)
    aligned = [_aligned(column) if k < len(heads) else column for k, column in enumerate(columns)]
    for line in zip(names, *aligned):
        made.add_row(*map(Text, line))
    return made


def _total(caption: str, names: Sequence[str], columns: Sequence[Sequence[str]], heads: Sequence[str]) -> int:
    first = max(map(len, [caption, *names]))
    rest = (max(map(len, [head, *_aligned(column)])) for head, column in zip(heads, columns))
    return first + sum(_GAP + size for size in rest)


def _aligned(cells: Iterable[str]) -> list[str]:
    """Pad numbers so that their errors stand beneath each other."""
    parts = [(*_ERROR.split(cell, maxsplit=1), "")[:2] for cell in cells]
    left = max((len(value) for value, _ in parts), default=0)
    right = max((len(error) for _, error in parts), default=0)
    if not right:
        return [value for value, _ in parts]
    return [f"{value:>{left}} {error:<{right}}" if value else "" for value, error in parts]


def show_replay(result: ReplayResult, console: Console, legal: bool = False) -> None:
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
    seats = replay.plan.ruleset.seats
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
                console.print(
                    Text(f"{name:<{held}}  {' '.join(cards)}", style="" if name in seats else "dim"),
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
