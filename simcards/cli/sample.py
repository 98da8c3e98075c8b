"""``simcards sample``."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from simcards.cli import options, output
from simcards.errors import UsageError

if TYPE_CHECKING:
    from simcards.study.plan import Plan
    from simcards.study.samples import Written

_PREVIEW = 12  # deals at most
_BLOCK = 2**20  # characters


def sample(
    game: options.GameName,
    strategy: options.Strategies = None,
    deals: options.Deals = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    workers: options.Workers = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write there; the name ends in .csv, .jsonl or .parquet.",
            show_default=False,
        ),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Give one row a deal, for an analysis of your own.

    1,000 deals if not told otherwise. Without a file or a format the first few are shown.
    """
    from simcards import api
    from simcards.study.progress import shown
    from simcards.study.samples import write_samples

    output.one_format(as_json, as_csv)
    if out is not None and (as_json or as_csv):
        raise UsageError("--out writes a file, --json and --csv write to standard output; choose one of them")
    settings = options.conditions(seed, changes, unit, fix)
    wanted = options.many(deals)
    plan = api.game(game).plan(strategy, api.SAMPLE_DEALS if wanted is None else wanted, **settings)
    if out is None and not (as_json or as_csv):
        _preview(plan, workers, quiet)
        return
    with tempfile.TemporaryDirectory() as room:
        # Also what goes to standard output is written to a file first: memory does not grow with it.
        path = Path(room, "rows.jsonl" if as_json else "rows.csv") if out is None else out
        if out is None:
            path.touch()  # there are no rows after an early interrupt
        with shown(plan.game, show=output.progress(quiet)) as tell:
            written = write_samples(plan, path, workers=workers, progress=tell)
        if out is None:
            with open(path, encoding="ascii", newline="") as file:
                if as_csv:
                    shutil.copyfileobj(file, sys.stdout)
                else:
                    _print_json(file, plan, written)
    if written.interrupted:
        there = "the rows are those of these" if out is None else f"{str(out)!r} holds these"
        output.interrupted(written.deals, plan, there)
    if out is not None and not quiet:
        print(f"{written.deals:,} rows in {out}, {written.seconds:.1f} s")


def _print_json(lines: TextIO, plan: Plan, written: Written) -> None:
    """Print lines of JSON as one document, a line a row."""
    about = {**output.version(), **plan.describe(), "deals": written.deals}
    if written.interrupted:
        about |= {"interrupted": True, "deals_wanted": plan.deals}
    sys.stdout.write('{"rows": [')
    before = "\n"
    while block := lines.read(_BLOCK):
        # the end of a line is written when it is known that there is another
        sys.stdout.write(before + block.removesuffix("\n").replace("\n", ",\n"))
        before = ",\n" if block.endswith("\n") else ""
    sys.stdout.write(f'\n],\n"provenance": {json.dumps(about)}}}\n')


def _preview(plan: Plan, workers: int | None, quiet: bool) -> None:
    """Show as many deals as fit beside each other."""
    from simcards import terminal
    from simcards.report.tables import NONE, Heading, Table
    from simcards.study.progress import waiting
    from simcards.study.samples import samples

    console = output.console()
    few = dataclasses.replace(plan, deals=min(plan.deals, _PREVIEW))
    with waiting(plan.game, show=output.progress(quiet)):
        frame = samples(few, workers=workers)
    columns = {name: _plain(frame[name]) for name in frame.columns}
    chosen = {name: values for name, values in columns.items() if any(values)}
    cells = [[name, *(NONE if v is None else str(v) for v in values)] for name, values in chosen.items()]
    widths = [max(len(row[k]) for row in cells) for k in range(few.deals + 1)]
    fit = few.deals
    while fit > 1 and sum(2 + width for width in widths[: fit + 1]) > console.width:
        fit -= 1
    heads = [Heading("", number=False), *(Heading(str(deal)) for deal in range(fit))]
    rows = tuple(tuple(row[: fit + 1]) for row in cells)
    console.print(f"{plan.ruleset.title}: the first {plan.unit}s, seed {plan.seed}", style="bold")
    console.print()
    terminal.put(console, Table("sample", plan.unit, tuple(heads), rows))
    if not quiet:
        console.print()
        console.print("Without what is 0 in all of them. -o FILE.csv or --csv gives all rows.", style="dim")


def _plain(column: Any) -> list[int | None]:
    return [None if missing else int(value) for value, missing in zip(column.to_numpy(int, na_value=0), column.isna())]
