"""``simcards run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcards.cli import options, output


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A study as TOML.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Where the page is to be; pages/NAME after the file's name if left out.",
            show_default=False,
        ),
    ] = None,
    deals: options.Deals = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    trust_strategies: Annotated[
        bool,
        typer.Option(
            "--trust-strategies",
            help="Run the strategy files that the study names, seen from its folder: they are programs.",
        ),
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Carry out a study from a file and write its page.

    The file says what is played, by whom, how often and with which seed; --deals plays another number.
    A page that is there already is replaced. A study that names strategy files is refused without --trust-strategies.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    made = api.run(
        file,
        out,
        deals=options.many(deals),
        workers=workers,
        checkpoint=checkpoint,
        resume=resume,
        trust_strategies=trust_strategies,
        progress=output.progress(quiet),
    )
    output.print_report(made, as_json, as_csv, quiet)
