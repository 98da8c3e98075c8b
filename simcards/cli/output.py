"""What goes to standard output, and what does not."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from simcards.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from simcards.results import MatchResult, PlayResult
    from simcards.study.plan import Plan

INTERRUPTED = 130


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


def console(error: bool = False) -> Console:
    """Return the terminal, or what stands for it.

    Parameters
    ----------
    error : bool
        Whether it is to be standard error.

    Returns
    -------
    rich.console.Console
    """
    from rich.console import Console

    return Console(stderr=error, highlight=False, soft_wrap=False)


def print_json(rows: Iterable[Mapping[str, Any]], provenance: Mapping[str, Any]) -> None:
    """Print rows and provenance as one JSON document, a line a row.

    Parameters
    ----------
    rows : iterable of mapping
        Flat records.
    provenance : mapping
        Where they come from.
    """
    lines = ",\n".join(_dump(row) for row in rows)
    body = f"[\n{lines}\n]" if lines else "[]"
    sys.stdout.write(f'{{"rows": {body},\n"provenance": {_dump(provenance)}}}\n')


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
    else:
        from simcards import terminal

        terminal.show(result, console(), everything, remarks=not quiet)
    if result.interrupted:
        interrupted(result.deals, result.plan)


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


def interrupted(done: int, plan: Plan, covers: str = "the figures cover these") -> NoReturn:
    """Say how far an interrupted run had come, and end with 130.

    Parameters
    ----------
    done : int
        Deals done.
    plan : Plan
        What was to be played.
    covers : str
        What there is of them.

    Raises
    ------
    typer.Exit
        Always.
    """
    sys.stdout.flush()
    said = covers if done else "there are no figures"
    print(f"simcards: interrupted after {done:,} of {plan.deals:,} {plan.unit}s; {said}", file=sys.stderr)
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
