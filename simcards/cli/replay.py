"""``simcards replay``."""

from __future__ import annotations

from typing import Annotated

import typer

from simcards._input import count
from simcards.cli import options, output


def replay(
    game: options.GameName,
    deal: Annotated[
        str,
        typer.Option("--deal", "-d", metavar="N", help="Which one, counted from 0."),
    ] = "0",
    strategy: options.Strategies = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    legal: Annotated[
        bool,
        typer.Option("--legal", help="Say what else could have been done."),
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Show one deal again, card by card.

    The same seed, strategies and rules give the same deal as in any other command. The score stands
    where it changes. Where a strategy fails the deal is shown up to there.
    """
    from simcards import api
    from simcards.results import ReplayResult
    from simcards.study.progress import waiting
    from simcards.study.table import PlayError

    output.one_format(as_json, as_csv)
    settings = options.conditions(seed, changes, unit, fix)
    handle = api.game(game)
    with waiting(handle.id, show=output.progress(quiet)):
        try:
            result, failed = handle.replay(count(deal, "the deal"), strategy, **settings), None
        except PlayError as error:
            if error.replay is None:
                raise
            result, failed = ReplayResult(error.replay), error
    if as_json:
        output.print_json(result.records, result.provenance)
    elif as_csv:
        output.print_csv(result.records)
    else:
        from simcards import terminal

        terminal.show_replay(result, output.console(), legal)
    if failed is not None:
        raise failed
