"""``simcards match``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcards.cli import options, output
from simcards.errors import UsageError


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
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop as soon as it is decided for every pair which is better; --deals is then the most.",
        ),
    ] = False,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="P",
            help="Confidence of --until-decided: 0.999 or 99.9 %; 0.95 if left out.",
            show_default=False,
        ),
    ] = None,
    control: Annotated[
        list[str] | None,
        typer.Option(
            "--control",
            metavar="NAME[=MEAN]",
            help="A quantity whose mean difference is known, 0 if left out; corrects the payoff; once for each.",
            show_default=False,
        ),
    ] = None,
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
    deals if not told otherwise. With --until-decided as many as it takes, 1,000,000 at most: all pairs are then
    decided rightly with the confidence of --level, however often one looks.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    settings = options.conditions(seed, changes, unit, fix)
    settings |= options.execution(precision, target, workers, checkpoint, resume, quiet)
    if level is not None and not until_decided:
        raise UsageError("--level is the confidence of --until-decided, which is not there")
    settings["until_decided"] = options.confidence(level or "0.95") if until_decided else None
    settings["controls"] = options.controls(control)
    output.check_folder(out)
    result = handle.match(*strategies, deals=options.many(deals), **settings)
    output.save(result, out)
    output.print_result(result, as_json, as_csv, quiet, everything)
