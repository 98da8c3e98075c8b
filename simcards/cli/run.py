"""``simcards run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simcards.cli import options, output


def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A study as TOML, such as those in experiments/.", show_default=False)
    ],
) -> None:
    """Carry out a study from a file and write its page.

    Example: [bold]simcards run experiments/rubicon-bezique.toml[/bold]
    """
