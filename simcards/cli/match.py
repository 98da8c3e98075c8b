"""``simcards match``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcards._input import count, pairs
from simcards.cli import options, output


def match(
    game: options.GameName,
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...", help="Two or more; file.py:name is one of your own.", show_default=False
        ),
    ],
    deals: options.Deals = None,
    seed: options.Seed = 1,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    precision: options.Precision = None,
    target: options.Target = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    everything: options.Everything = False,
    out: options.OutFolder = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Let strategies play each other on the same deals, each in every seat. 10,000 deals if not told otherwise.

    Example: [bold]simcards match rubicon-bezique basic random -n 20k[/bold]
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    many = None if deals is None else count(deals)
    if out is not None:
        from simcards.report.folder import check_folder

        check_folder(out)
    result = handle.match(
        *strategies,
        deals=many,
        seed=seed,
        precision=precision,
        target=target,
        workers=workers,
        rules=pairs(changes or (), "--set", "rule=value"),
        unit=unit,
        fixed=pairs(fix or (), "--fix", "hand=cards"),
        checkpoint=checkpoint,
        resume=resume,
        progress=output.progress(quiet),
    )
    if out is not None and result.outcome.deals:
        result.save(out)
    output.print_result(result, as_json, as_csv, quiet, everything)
