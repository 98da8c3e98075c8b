"""``simcards match``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcards.cli import options, output


def match(
    game: options.GameName,
    strategies: Annotated[
        list[str],
        typer.Argument(metavar="STRATEGY...", help="Two or more; file.py:name is one of your own.", show_default=False),
    ],
    deals: options.Deals = None,
    seed: options.Seed = options.SEED,
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
    """Compare strategies on the same deals.

    Two at a time and with the seats exchanged, so that the luck of cards and seats cancels. 10,000
    deals if not told otherwise.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    settings = options.conditions(seed, changes, unit, fix)
    settings |= options.execution(precision, target, workers, checkpoint, resume, quiet)
    output.check_folder(out)
    result = handle.match(*strategies, deals=options.many(deals), **settings)
    output.save(result, out)
    output.print_result(result, as_json, as_csv, quiet, everything)
