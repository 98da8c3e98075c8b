"""``simcards games``."""

from __future__ import annotations

import itertools

from simcards.cli import options, output

_WIDE = 130  # columns from which on there is room for a sentence about each


def games(as_json: options.Json = False, as_csv: options.Csv = False, quiet: options.Quiet = False) -> None:
    """List every rule set.

    With its players, its pack, what can be counted as one, and the strategies that come with it.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    records = api.game_records()
    if as_json:
        output.print_json(records, output.version())
        return
    if as_csv:
        output.print_csv(records)
        return
    from simcards import terminal
    from simcards.report.tables import Heading, Table

    console = output.console()
    wide = console.width >= _WIDE
    heads = ["name", "players", "pack", "units", "strategies", *([""] if wide else [])]
    headings = tuple(Heading(head, number=head == "players") for head in ["", *heads])
    ids = max(len(record["id"]) for record in records)
    for place, (family, members) in enumerate(itertools.groupby(records, key=lambda record: record["family"])):
        rows = [
            (
                record["id"],
                record["name"],
                str(record["players"]),
                record["pack"],
                ", ".join(record["units"]),
                ", ".join(record["strategies"]),
                *([record["summary"]] if wide else []),
            )
            for record in members
        ]
        if place:
            console.print()
        terminal.put(console, Table("games", family.capitalize(), headings, tuple(rows)), ids)
    if not quiet:
        console.print()
        console.print("'simcards rules GAME' lists the rules of a game, 'simcards play GAME' plays it.", style="dim")
