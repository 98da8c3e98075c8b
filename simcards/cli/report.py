"""``simcards report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcards._input import count, pairs
from simcards.cli import options, output


def report(
    game: options.GameName,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Where the page is to be. [default: reports/GAME]",
            show_default=False,
            rich_help_panel=options.SHOWING,
        ),
    ] = None,
    strategy: options.Strategies = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Whom the first strategy meets in the match; once for each. [default: random]",
            show_default=False,
            rich_help_panel=options.PLAYING,
        ),
    ] = None,
    deals: options.Deals = None,
    match_deals: Annotated[
        str | None,
        typer.Option(
            "--match-deals",
            metavar="N",
            help="Deals of the match, 0 for none. [default: a tenth]",
            show_default=False,
            rich_help_panel=options.PLAYING,
        ),
    ] = None,
    seed: options.Seed = 1,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    precision: options.Precision = None,
    target: options.Target = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Write the page about a game: tables and plots, as HTML in one file and as Markdown. 100,000 deals.

    Example: [bold]simcards report rubicon-bezique -n 1e6 -o page[/bold]
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    made = handle.report(
        Path("reports", handle.id) if out is None else out,
        strategy,
        None if deals is None else count(deals),
        seed,
        against=against,
        match_deals=match_deals,
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
    output.print_report(made, as_json, as_csv, quiet)
