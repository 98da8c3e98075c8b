"""``simcards replay``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcards._input import count, pairs
from simcards.cli import options, output


def replay(
    game: options.GameName,
    deal: Annotated[
        str,
        typer.Option(
            "--deal", "-d", metavar="N", help="Which one, counted from 0.", rich_help_panel=options.PLAYING
        ),
    ] = "0",
    strategy: options.Strategies = None,
    seed: options.Seed = 1,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    legal: Annotated[
        bool,
        typer.Option("--legal", help="Say what else could have been done.", rich_help_panel=options.SHOWING),
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Show one deal of a study again, card by card, with the score.

    Example: [bold]simcards replay rubicon-bezique --seed 1 --deal 123[/bold]
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    result = api.game(game).replay(
        count(deal, "the deal"),
        strategy,
        seed,
        rules=pairs(changes or (), "--set", "rule=value"),
        unit=unit,
        fixed=pairs(fix or (), "--fix", "hand=cards"),
    )
    if as_json:
        output.print_json(result.records, result.provenance)
    elif as_csv:
        output.print_csv(result.records)
    else:
        from simcards import terminal

        terminal.show_replay(result, output.console(), legal, remarks=not quiet)
