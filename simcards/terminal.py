"""Results as text for terminals and as HTML for notebooks."""

from __future__ import annotations

import io
import itertools
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from simcards.report.tables import Table
    from simcards.results import ReplayResult, Result

_GAP = 2
_DOC_ROOM = 44  # columns in which descriptions may be wrapped; with less room they stand on one line or not at all
_CAPTION = 24  # a caption that is longer, and longer than the names beneath it, stands above its table
_FOLDED = 14  # columns that words keep when they are folded
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
        put(console, table, names)
    if remarks:
        console.print()
        for remark in result.remarks(everything):
            console.print(remark, style="dim", markup=False)


def headline(console: Console, lines: Sequence[str]) -> None:
    """Print what was played.

    Parameters
    ----------
    console : rich.console.Console
        Where.
    lines : sequence of str
        The first of them is the title.
    """
    console.print(lines[0], style="bold", markup=False)  # brackets in a question are brackets
    for line in lines[1:]:
        console.print(line, markup=False)


def put(console: Console, table: Table, names_width: int = 0) -> None:
    """Print a table; a line that has no room runs over, since a number that is cut off would be a wrong one.

    Parameters
    ----------
    console : rich.console.Console
        Where.
    table : simcards.report.tables.Table
        The table.
    names_width : int
        The least width of the first column, so that several tables stand in line.
    """
    console.print(grid(table, console.width, names_width), soft_wrap=True)


def grid(table: Table, width: int, names_width: int = 0) -> Text:
    """Return a table to be printed by `put`: without frames, numbers whole and aligned at their errors.

    The last column, if it has no heading and holds no numbers, describes the lines, and is left out where there is
    no room. Then names, headings and other words are folded. Where there is still no room for all columns side by
    side, what is said of the whole table comes beneath what is said of the seats; if that is not enough, names stand
    above their numbers, and in the end each number has a line of its own. A long caption stands above the table.

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
    rich.text.Text
    """
    from rich.text import Text

    described = not (table.headings[-1].number or table.headings[-1].full) and len(table.headings) > 2
    last = -1 if described else None
    rows = [(row[0], list(row[1:last]), row[-1] if described else "") for row in table.rows]
    heads = [heading.full for heading in table.headings[1:last]]
    above = len(table.caption) > max([_CAPTION, *(len(name) for name, _, _ in rows)]) or not any(heads)
    numbers = [heading.number for heading in table.headings[1:last]]
    block = _Block("" if above else table.caption, heads, numbers, rows)
    lines: list[_Line] = [[(line, "bold")] for line in _folded(table.caption, width)] if above else []
    lines += (
        _beside(block, width, names_width)
        or _halves(block, width, names_width)
        or _stacked(block, width)
        or _listed(block, width)
    )
    return Text("\n").join(Text.assemble(*line) for line in lines)


_Row = tuple[str, list[str], str]
_Line = list[tuple[str, str]]  # words and their styles


@dataclass(frozen=True)
class _Block:
    """Columns that are laid out together."""

    caption: str
    heads: Sequence[str]
    numbers: Sequence[bool]
    rows: Sequence[_Row]

    @property
    def columns(self) -> list[list[str]]:
        """The cells behind the names, column by column."""
        columns = [[values[k] for _, values, _ in self.rows] for k in range(len(self.heads))]
        return [_aligned(column) if number else column for column, number in zip(columns, self.numbers)]

    def part(self, caption: str, columns: slice, rows: Sequence[_Row]) -> _Block:
        """Return some of the rows with some of the columns."""
        cut = [(name, values[columns], doc) for name, values, doc in rows]
        return _Block(caption, self.heads[columns], self.numbers[columns], cut)


def _beside(block: _Block, width: int, names_width: int) -> list[_Line]:
    """Put all columns side by side; no lines where there is no room."""
    heads, numbers = [block.caption, *block.heads], [False, *block.numbers]
    columns = [[name for name, _, _ in block.rows], *block.columns]
    sizes = _sizes(heads, columns, numbers, width)
    if sizes is None:
        return []
    used = sum(sizes) + _GAP * len(block.heads)
    if used - sizes[0] + names_width <= width:
        used += max(0, names_width - sizes[0])
        sizes[0] = max(sizes[0], names_width)
    docs = [doc for _, _, doc in block.rows]
    room = width - used - _GAP
    described = any(docs) and (room >= max(map(len, docs)) or room >= _DOC_ROOM)
    lines: list[_Line] = [[(line, "bold")] for line in _headings(heads, sizes, numbers)]
    for *cells, doc in zip(*columns, docs):
        words = _line(cells, sizes, numbers)
        about = _folded(doc, room) if described and doc else []
        for word, note in itertools.zip_longest(words, about, fillvalue=""):
            lines.append([(f"{word:<{used + _GAP}}", ""), (note, "dim")] if note else [(word, "")])
    return lines


def _halves(block: _Block, width: int, names_width: int) -> list[_Line]:
    """Put what is said of the whole table, the last column, beneath the rest; no lines where that is no help."""
    seated = [row for row in block.rows if not row[1][-1]]
    whole = [row for row in block.rows if not any(row[1][:-1])]
    if len(seated) + len(whole) != len(block.rows) or not (seated and whole):
        return []
    first = max(names_width, *(len(name) for name, _, _ in block.rows))
    upper = _beside(block.part(block.caption, slice(None, -1), seated), width, first)
    lower = _beside(block.part("", slice(-1, None), whole), width, first)
    return [*upper, [], *lower] if upper and lower else []


def _stacked(block: _Block, width: int) -> list[_Line]:
    """Put each name on a line of its own above its numbers; no lines where even these have no room."""
    columns = block.columns
    sizes = _sizes(block.heads, columns, block.numbers, width - _GAP)
    if sizes is None or len(block.heads) == 1:
        return []
    lines: list[_Line] = [[(line, "bold")] for line in _folded(block.caption, width) if line]
    lines += [[(f"{'':{_GAP}}{line}", "bold")] for line in _headings(block.heads, sizes, block.numbers)]
    for (name, _, _), *cells in zip(block.rows, *columns):
        lines += [[(line, "")] for line in _folded(name, width, hanging=True)]
        lines += [[(f"{'':{_GAP}}{line}", "")] for line in _line(cells, sizes, block.numbers)]
    return lines


def _listed(block: _Block, width: int) -> list[_Line]:
    """Give each number a line of its own, with its heading; one that is too long for it runs over."""
    lines: list[_Line] = [[(line, "bold")] for line in _folded(block.caption, width) if line]
    first = max((len(name) for name, _, _ in block.rows), default=0) + _GAP
    second = max(map(len, block.heads)) + _GAP if any(block.heads) else 0
    for name, values, _ in block.rows:
        if not second and len(values) == 1 and first + len(values[0]) <= width:
            lines.append([(f"{name:<{first}}{values[0]}", "")])
            continue
        lines += [[(line, "")] for line in _folded(name, width, hanging=True)]
        for head, value, number in zip(block.heads, values, block.numbers):
            if value:
                folded = [value] if number else _folded(value, width - _GAP - second)
                lines += [
                    [(f"{'':{_GAP}}{label:<{second}}{line}", "")]
                    for label, line in itertools.zip_longest([head], folded, fillvalue="")
                ]
    return lines


def _sizes(
    heads: Sequence[str], columns: Sequence[Sequence[str]], numbers: Sequence[bool], width: int
) -> list[int] | None:
    """Return the widths of columns, folding words but never a number; None where there is no room."""
    sizes, least = [], []
    for head, column, number in zip(heads, columns, numbers):
        sizes.append(max(map(len, [head, *column])))
        cells = [head] if number else [head, *column]
        bound = max((len(word) + _GAP * (not number) for cell in cells for word in cell.split()), default=0)
        bound = max([bound, *map(len, column)]) if number else max(bound, _FOLDED)
        least.append(min(sizes[-1], bound))
    while sum(sizes) + _GAP * (len(sizes) - 1) > width:
        wide = [k for k, size in enumerate(sizes) if size > least[k]]
        if not wide:
            return None
        sizes[max(wide, key=sizes.__getitem__)] -= 1
    return sizes


def _headings(heads: Sequence[str], sizes: Sequence[int], numbers: Sequence[bool]) -> list[str]:
    """Return the lines of the headings, which stand at the lower edge; none when there are no headings."""
    if not any(heads):
        return []
    folded = [_folded(head, size) for head, size in zip(heads, sizes)]
    most = max(map(len, folded))
    return _spread([[*[""] * (most - len(lines)), *lines] for lines in folded], sizes, numbers)


def _line(cells: Sequence[str], sizes: Sequence[int], numbers: Sequence[bool]) -> list[str]:
    """Return the lines that the cells of a row need."""
    folded = [
        [cell] if number else _folded(cell, size, hanging=True) for cell, size, number in zip(cells, sizes, numbers)
    ]
    return _spread(folded, sizes, numbers)


def _spread(cells: Sequence[Sequence[str]], sizes: Sequence[int], numbers: Sequence[bool]) -> list[str]:
    return [
        (" " * _GAP)
        .join(f"{cell:>{size}}" if number else f"{cell:<{size}}" for cell, size, number in zip(line, sizes, numbers))
        .rstrip()
        for line in itertools.zip_longest(*cells, fillvalue="")
    ]


def _folded(text: str, width: int, hanging: bool = False) -> list[str]:
    """Fold a text at blanks, and only there: what is cut elsewhere may be a number."""
    if len(text) <= width:
        return [text]
    return textwrap.wrap(
        text,
        max(1, width),
        subsequent_indent=" " * _GAP * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]


def _aligned(cells: Iterable[str]) -> list[str]:
    """Pad numbers so that their errors stand beneath each other."""
    parts = [(*_ERROR.split(cell, maxsplit=1), "")[:2] for cell in cells]
    right = max((len(error) for _, error in parts), default=0)
    if not right:
        return [value for value, _ in parts]
    left = max(len(value) for value, error in parts if error)
    whole = left + 1 + right

    def padded(value: str, error: str) -> str:
        if error or len(value) <= left:
            return f"{value:>{left}} {error}".ljust(whole)
        return value  # such as a bound, which has no error to stand beneath the others

    return [padded(value, error) for value, error in parts]


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
    seats, pack = replay.plan.ruleset.seats, replay.plan.pack
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
                lines = _indented(f"{name:<{held}}  ", text, console.width)
                console.print(Text("\n".join(lines), style="" if name in seats else "dim"), soft_wrap=True)
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
            lines = _indented(
                " " * (5 + widest) + "or ", ", ".join(other.replace(" ", "\xa0") for other in others), console.width
            )
            console.print(Text("\n".join(lines), style="dim"), soft_wrap=True)
    console.print()
    for table in result.tables():
        put(console, table)


def _indented(head: str, text: str, width: int) -> list[str]:
    """Fold a text behind a head, so that its lines stand beneath each other; never at a non-breaking blank."""
    first, *more = _folded(text, max(_FOLDED, width - len(head)))
    return [line.replace("\xa0", " ") for line in (head + first, *(" " * len(head) + line for line in more))]


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
