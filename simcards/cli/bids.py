"""``simcards bids``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcards.cli import options, output
from simcards.cli.advise import position_text
from simcards.errors import UsageError

if TYPE_CHECKING:
    from simcards.results import Result


def bids(
    game: options.GameName,
    hand: Annotated[
        str | None,
        typer.Option("--hand", metavar="CARDS", help="The player's cards, as 'AS TS KH'.", show_default=False),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="SEAT", help="Whose they are; the first to bid if left out.", show_default=False
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            "-p",
            metavar="TEXT",
            help="What else the player knows, or @FILE with a line each.",
            show_default=False,
        ),
    ] = None,
    chart: Annotated[
        bool,
        typer.Option("--table", help="A chart of many dealt hands instead: what to bid with which class of hands."),
    ] = False,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="FEATURE",
            help="Sort the hands of the chart by this feature (again for more); those of the game if left out.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level",
            "-l",
            metavar="LEVEL",
            help="How all play: basic, mc or open (cards); again for more. basic if left out.",
            show_default=False,
        ),
    ] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option("--contract", metavar="NAME", help="Only this contract (again for more).", show_default=False),
    ] = None,
    listen: Annotated[
        bool,
        typer.Option("--listen", help="The others bid by basic too, so that their silence tells something."),
    ] = False,
    number: Annotated[
        str | None,
        typer.Option(
            "--worlds",
            "-n",
            metavar="N",
            help="In how many worlds contracts are played, or how many deals a chart rests on.",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    workers: options.Workers = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Say what every bid or contract is worth with a hand, or what to bid with which hands.

    All contracts are played out in the same sampled worlds, which agree with what the player knows.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    conditions = options.conditions(seed, changes, None, None)
    common: dict[str, Any] = {
        "seat": seat,
        "contracts": contract,
        "listen": listen,
        "seed": conditions["seed"],
        "rules": conditions["rules"],
        "workers": workers,
        "progress": output.progress(quiet),
    }
    if chart:
        if hand is not None or position is not None:
            raise UsageError("a chart is of all hands: leave --hand and --position away, or --table")
        if level is not None and len(level) > 1:
            raise UsageError("a chart is made at one level of play, not at several")
        made = handle.bid_chart(
            options.many(number, "the number of deals"),
            classes=classes,
            level=level[0] if level else "basic",
            **common,
        )
        done, wanted, what = made.deals, made.plan.deals, "deals"
        _print(made, as_json, as_csv, quiet, done)
        if made.interrupted:
            _stopped(done, wanted, what)
        return
    if classes:
        raise UsageError("--by sorts the hands of a chart: it goes with --table")
    text = None if position is None else position_text(position)
    result = handle.bids(text, hand=hand, levels=level, worlds=options.many(number, "the number of worlds"), **common)
    _print(result, as_json, as_csv, quiet, result.worlds)
    if result.interrupted:
        _stopped(result.worlds, sum(result.wanted.values()), "worlds")


def _print(result: Result, as_json: bool, as_csv: bool, quiet: bool, done: int) -> None:
    if as_json:
        output.print_json(result.records, result.provenance)
    elif as_csv:
        output.print_csv(result.records)
    elif done:
        from simcards import terminal

        terminal.show(result, output.console(), remarks=not quiet)


def _stopped(done: int, wanted: int, what: str) -> None:
    sys.stdout.flush()
    covers = "the figures cover these" if done else "there are no figures"
    print(f"simcards: interrupted after {done:,} of {wanted:,} {what}; {covers}", file=sys.stderr)
    raise typer.Exit(output.INTERRUPTED)
