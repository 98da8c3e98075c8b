"""``simcards games``."""

from __future__ import annotations

import itertools

from simcards.cli import options, output


def games(as_json: options.Json = False, as_csv: options.Csv = False, quiet: options.Quiet = False) -> None:
    """List every rule set, with its players, what can be counted, and the strategies.

    Example: [bold]simcards games --json[/bold]
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

    console = output.console()
    wide = console.width >= 130
    for family, members in itertools.groupby(records, key=lambda record: record["family"]):
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold", title_justify="left")
        for place, head in enumerate((family, "name", "players", "pack", "counts", "strategies")):
            table.add_column(head, no_wrap=place < 5, style="cyan" if place == 0 else "")
        if wide:
            table.add_column("", style="dim")
        for record in members:
            cells = [record["id"], record["name"], str(record["players"]), record["pack"]]
            cells += [", ".join(record["units"]), ", ".join(record["strategies"])]
            table.add_row(*cells, *([record["summary"]] if wide else []))
        console.print(table)
        console.print()
    if not quiet:
        console.print("simcards rules GAME lists the rules, simcards play GAME plays it.", style="dim")
