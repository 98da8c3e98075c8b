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
    from rich.table import Table
    from rich.text import Text

    console = output.console()
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in ("game", "name", "players", "pack", "units", "strategies"):
        table.add_column(head)
    table.columns[0].no_wrap = True
    wide = console.width >= _WIDE
    if wide:
        table.add_column("", style="dim")
    for family, members in itertools.groupby(records, key=lambda record: record["family"]):
        table.add_row(Text(family.capitalize(), style="bold dim"))
        for record in members:
            cells = [f"  {record['id']}", record["name"], str(record["players"]), record["pack"]]
            cells += [", ".join(record["units"]), ", ".join(record["strategies"])]
            table.add_row(*map(Text, cells), *([record["summary"]] if wide else []))
    console.print(table)
    if not quiet:
        console.print()
        console.print("'simcards rules GAME' lists the rules of a game, 'simcards play GAME' plays it.", style="dim")
