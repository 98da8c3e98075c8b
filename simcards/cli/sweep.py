"""``simcards sweep``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcards._input import pairs
from simcards.cli import options, output
from simcards.errors import UsageError

_PLOTS = (".svg", ".png", ".pdf")


def sweep(
    game: options.GameName,
    strategy: Annotated[
        str,
        typer.Argument(metavar="STRATEGY", help="Whose parameters are varied, such as mc.", show_default=False),
    ],
    over: Annotated[
        list[str] | None,
        typer.Option(
            "--over",
            metavar="NAME=VALUES",
            help="A parameter and its values: 1,2,5 or 0..10 or 0..1+0.1 or 1..64x2; several make all combinations.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="The opponent; basic if left out.", show_default=False),
    ] = None,
    best: Annotated[
        bool,
        typer.Option("--best", help="Look for the best setting, and confirm it on fresh deals."),
    ] = False,
    confirm: Annotated[
        str | None,
        typer.Option(
            "--confirm",
            metavar="N",
            help="On how many deals; as many as --deals if left out.",
            show_default=False,
        ),
    ] = None,
    deals: options.Deals = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    quantities: options.Quantities = None,
    precision: options.Precision = None,
    target: options.Target = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the plot to a file: .svg, .png or .pdf.", show_default=False),
    ] = None,
    out: options.OutFolder = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Vary the parameters of a strategy on the same deals.

    Every setting plays the same opponent, with the seats exchanged, and is compared with the default
    setting. 10,000 deals if not told otherwise; with --best only the last two settings play all of them,
    and --checkpoint and --precision are not for it.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    settings = options.conditions(seed, changes, unit, fix)
    settings |= options.execution(precision, target, workers, checkpoint, resume, quiet)
    output.check_folder(out)
    if plot is not None:
        from simcards.study.files import check_writable

        if plot.suffix.lower() not in _PLOTS:
            raise UsageError(f"a plot is written to a file that ends in {', '.join(_PLOTS)}, not {str(plot)!r}")
        check_writable(plot)
    result = handle.sweep(
        strategy,
        pairs(over or (), "--over", "name=values, such as worlds=5,10,20"),
        against=against,
        best=best,
        confirm=options.many(confirm, "the number of deals to confirm on"),
        deals=options.many(deals),
        quantities=quantities or (),
        **settings,
    )
    output.save(result, out)
    if plot is not None and result.deals:
        from simcards.study.files import replacing

        figure = result.plot()
        with replacing(plot) as work:
            figure.savefig(work, format=plot.suffix.lower()[1:], dpi=160)
    output.print_result(result, as_json, as_csv, quiet)
