"""``simcards advise``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from simcards.cli import options, output
from simcards.errors import UsageError


def advise(
    game: options.GameName,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            "-p",
            metavar="TEXT",
            help='What the player knows: "hand: QS JD …; trump: H; …", or @FILE with a line each.',
            show_default=False,
        ),
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            "--hand",
            metavar="CARDS",
            help="The player's cards: all ways to make the whole decision are judged, such as all discards.",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="SEAT", help="Whose they are, such as 'younger'.", show_default=False),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Option("--deal", "-d", metavar="N", help="Take the position from this deal.", show_default=False),
    ] = None,
    decision: Annotated[
        str | None,
        typer.Option(
            "--decision",
            metavar="K",
            help="Which decision of the deal, as replay counts them; the first if left out.",
            show_default=False,
        ),
    ] = None,
    worlds: Annotated[
        str | None,
        typer.Option(
            "--worlds",
            "-n",
            metavar="N",
            help="In how many sampled worlds the actions are tried; 2000 if left out.",
            show_default=False,
        ),
    ] = None,
    strategy: options.Strategies = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="X",
            help="Stop as soon as the difference between the best two is known to within X.",
            show_default=False,
        ),
    ] = None,
    until_clear: Annotated[
        bool,
        typer.Option("--until-clear", help="Stop as soon as it is clear which action is best."),
    ] = False,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Judge whole decisions also of a position or a deal, not the next action."),
    ] = False,
    top: Annotated[
        str | None,
        typer.Option(
            "--top",
            metavar="N",
            help="How many ways to make a whole decision are listed; 10 if left out.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[
        bool,
        typer.Option("--show", help="Only print the position, as a text that can be changed and asked about."),
    ] = False,
    workers: options.Workers = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what each action of a position is worth.

    All of them are played out in the same sampled worlds, which agree with what the player knows.
    The position is given in words, or taken from a deal.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    settings: dict[str, Any] = options.conditions(seed, changes, unit, fix)
    settings["fixed"] = settings["fixed"] or None
    text = None if position is None else position_text(position)
    where = {"deal": options.many(deal, "the deal"), "decision": options.many(decision, "the decision")}
    settings |= {**where, "strategies": strategy, "hand": hand, "seat": seat, "whole": whole or None}
    if show:
        said = handle.question(text, **settings).text
        if not said:
            raise UsageError(f"positions of {handle.id} cannot be written down")
        print(said)
        return
    result = handle.advise(
        text,
        worlds=options.many(worlds, "the number of worlds"),
        precision=precision,
        until_clear=until_clear,
        top=options.many(top, "the number of best choices"),
        workers=workers,
        progress=output.progress(quiet),
        **settings,
    )
    if as_json:
        output.print_json(result.records, result.provenance)
    elif as_csv:
        output.print_csv(result.records)
    elif result.worlds:
        from simcards import terminal

        terminal.show(result, output.console(), remarks=not quiet)
    if result.interrupted:
        sys.stdout.flush()
        covers = "the figures cover these" if result.worlds else "there are no figures"
        print(f"simcards: interrupted after {result.worlds:,} of {result.wanted:,} worlds; {covers}", file=sys.stderr)
        raise typer.Exit(output.INTERRUPTED)


def position_text(position: str) -> str:
    """Return a position, read from a file where one is named.

    Parameters
    ----------
    position : str
        The position, or ``@`` and the name of a file.

    Raises
    ------
    UsageError
        When the file cannot be read.
    """
    if not position.startswith("@"):
        return position
    try:
        return Path(position[1:]).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read the position in {position[1:]!r}: it is not a text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read the position in {position[1:]!r}: {reason}") from None
