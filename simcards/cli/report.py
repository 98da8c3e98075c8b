"""``simcards report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcards.cli import options, output


def report(
    game: options.GameName,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Where the page is to be; pages/GAME if left out.",
            show_default=False,
        ),
    ] = None,
    strategy: options.Strategies = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="NAME",
            help="Whom the first strategy meets in the match; once for each; random if left out.",
            show_default=False,
        ),
    ] = None,
    deals: options.Deals = None,
    match_deals: Annotated[
        str | None,
        typer.Option(
            "--match-deals",
            metavar="N",
            help="Deals of the match, 0 for none; a tenth of the deals if left out.",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = options.SEED,
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
    """Write the page about a game.

    Tables and plots, as HTML in one file and as Markdown with files beside it. 100,000 deals if not
    told otherwise. A page that is there already is replaced.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    settings = options.conditions(seed, changes, unit, fix)
    settings |= options.execution(precision, target, workers, checkpoint, resume, quiet)
    made = handle.report(
        Path("pages", handle.id) if out is None else out,
        strategy,
        options.many(deals),
        against=against,
        match_deals=options.many(match_deals, "the number of match deals"),
        **settings,
    )
    output.print_report(made, as_json, as_csv, quiet)
