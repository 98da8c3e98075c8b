"""What goes to standard output, and what does not."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

import typer

from simcards.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from simcards.report.page import Report
    from simcards.results import MatchResult, PlayResult
    from simcards.study.plan import Plan

INTERRUPTED = 130


class ReaderGone(Exception):
    """Nobody reads standard output any more."""


_BLANKS = re.compile(r" +\n")


def one_format(as_json: bool, as_csv: bool) -> None:
    """Refuse two formats at once.

    Parameters
    ----------
    as_json, as_csv : bool
        What was asked for.

    Raises
    ------
    UsageError
        When it is both.
    """
    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other")


def console() -> Console:
    """Return standard output, for text.

    Returns
    -------
    rich.console.Console
    """
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(file=cast(TextIO, _Trimmed()), highlight=False)


class _Trimmed:
    """Standard output without the blanks at the ends of lines, for files and pipes."""

    def write(self, text: str) -> int:
        """Write text, always whole lines."""
        try:
            return sys.stdout.write(_BLANKS.sub("\n", text))
        except BrokenPipeError:
            raise ReaderGone from None  # what rich makes of a broken pipe is not what a shell expects

    def flush(self) -> None:
        """Pass on what was written."""
        sys.stdout.flush()


def print_json(rows: Iterable[Mapping[str, Any]], provenance: Mapping[str, Any]) -> None:
    """Print rows and provenance as one JSON document, a line a row.

    Parameters
    ----------
    rows : iterable of mapping
        Flat records; they are printed as they come.
    provenance : mapping
        Where they come from.
    """
    sys.stdout.write('{"rows": [')
    for place, row in enumerate(rows):
        sys.stdout.write(f"{',' if place else ''}\n{_dump(row)}")
    sys.stdout.write(f'\n],\n"provenance": {_dump(provenance)}}}\n')


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows as CSV, numbers in full, nothing where there is no number.

    Parameters
    ----------
    rows : sequence of mapping
        Flat records.
    """
    columns = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])


def version() -> dict[str, Any]:
    """Return the provenance of what needs no run.

    Returns
    -------
    dict
    """
    import simcards

    return {"version": simcards.__version__}


def print_result(
    result: PlayResult | MatchResult, as_json: bool, as_csv: bool, quiet: bool, everything: bool = False
) -> None:
    """Print a result in the form that was asked for, and end with 130 if it was interrupted.

    Parameters
    ----------
    result : PlayResult or MatchResult
        The result.
    as_json, as_csv, quiet, everything : bool
        The options.

    Raises
    ------
    typer.Exit
        When the run was interrupted.
    """
    if as_json:
        print_json(result.records, result.provenance)
    elif as_csv:
        print_csv(result.records)
    elif result.deals:
        from simcards import terminal

        terminal.show(result, console(), everything, remarks=not quiet)
    if result.interrupted:
        interrupted(result.deals, result.plan)


def check_folder(folder: Path | None) -> None:
    """Refuse a folder that results cannot be saved to, before anything is played.

    Parameters
    ----------
    folder : path, optional
        The folder, if one was named.

    Raises
    ------
    UsageError
        With the reason, in one line.
    """
    if folder is not None:
        from simcards.report import folder as folders

        folders.check_folder(folder)


def save(result: PlayResult | MatchResult, folder: Path | None) -> None:
    """Save a result if a folder was named and there is something to save.

    Parameters
    ----------
    result : PlayResult or MatchResult
        The result.
    folder : path, optional
        The folder.
    """
    if folder is not None and result.deals:
        result.save(folder)


def print_report(made: Report, as_json: bool, as_csv: bool, quiet: bool) -> None:
    """Say where a page is, or print the numbers of its tables, and end with 130 if it was interrupted.

    Parameters
    ----------
    made : simcards.report.page.Report
        The page.
    as_json, as_csv, quiet : bool
        The options.

    Raises
    ------
    typer.Exit
        When the run was interrupted.
    """
    records = [{"table": name, **record} for name, rows in made.records.items() for record in rows]
    if as_json:
        print_json(records, json.loads(made.provenance.read_text(encoding="utf-8")))
    elif as_csv:
        print_csv(records)
    elif not quiet:
        print(f"{made.title}: {made.html}")
        print(f"the same as Markdown: {made.markdown}, with tables and figures beside it")
    for run in made.runs:
        if run.interrupted and made.compared:
            said = f"that was in {run.plan.game}, and the page covers all that was played"
            interrupted(run.deals, run.plan, said, said)
        if run.interrupted:
            interrupted(run.deals, run.plan, "the page covers these")


def progress(quiet: bool) -> bool:
    """Return whether to show how far a run has come: only where there is a terminal to show it on.

    Parameters
    ----------
    quiet : bool
        The option.

    Returns
    -------
    bool
    """
    return not quiet and sys.stderr.isatty()


def interrupted(
    done: int, plan: Plan, covers: str = "the figures cover these", nothing: str = "there are no figures"
) -> NoReturn:
    """Say how far an interrupted run had come, and end with 130.

    Parameters
    ----------
    done : int
        Deals done.
    plan : Plan
        What was to be played.
    covers : str
        What there is of them.
    nothing : str
        What there is where none were done.

    Raises
    ------
    typer.Exit
        Always.
    """
    from simcards.report.tables import several

    sys.stdout.flush()
    said = covers if done else nothing
    print(f"simcards: interrupted after {done:,} of {several(plan.deals, plan.unit)}; {said}", file=sys.stderr)
    raise typer.Exit(INTERRUPTED)


def _dump(value: Any) -> str:
    from simcards.results import jsonable

    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return json.dumps(jsonable(value), ensure_ascii=plain, allow_nan=False)


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return repr(float(value)) if isinstance(value, float) else str(value)
