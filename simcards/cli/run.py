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
            help="Where the page is to be; reports/NAME after the file's name if left out.",
            show_default=False,
        ),
    ] = None,
    deals: options.Deals = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Carry out a study from a file and write its page.

    The file says what is played, by whom, how often and with which seed; --deals plays another number.
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
        progress=output.progress(quiet),
    )
    output.print_report(made, as_json, as_csv, quiet)
