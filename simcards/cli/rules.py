"""``simcards rules``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcards._input import pairs
from simcards.cli import options, output

if TYPE_CHECKING:
    from rich.console import Console


def rules(
    game: options.GameName,
    changes: options.Changes = None,
    unit: options.Unit = None,
    quantities: Annotated[
        bool,
        typer.Option("--quantities", help="List what is measured in place of the rules."),
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """List the rules of a game, and what each can be.

    Changed values are marked. With --quantities what is measured is listed in place of the rules.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    known = handle.ruleset
    changed = pairs(changes or (), "--set", "rule=value")
    records = api.rule_records(known, changed, unit)
    if quantities:
        records = api.quantity_records(handle.compiled)
    if as_json:
        output.print_json(records, {**output.version(), "game": known.id})
        return
    if as_csv:
        output.print_csv(records)
        return
    console = output.console()
    console.print(f"{known.title} ({known.id})", style="bold")
    console.print(known.summary)
    console.print()
    for name, words in (
        ("players", known.seats),
        ("pack", [str(known.pack)]),
        ("units", known.units),
        ("strategies", known.strategies),
        ("also called", known.synonyms),
        ("source", [known.source]),
    ):
        if words:
            console.print(f"{name:<12}{', '.join(words)}")
    if quantities:
        _show_quantities(console, records)
    else:
        _show_rules(console, records, quiet)


def _show_rules(console: Console, records: list[dict[str, Any]], quiet: bool) -> None:
    free = [_line(record) for record in records if not record["fixed"]]
    fixed = [_line(record) for record in records if record["fixed"]]
    widths = [max(len(row[place]) for row in [*free, *fixed]) for place in range(2)]
    _table(console, ("rule", "value", "what it is, and what it can be"), free, widths)
    if fixed:
        _table(console, ("fixed", "value", ""), fixed, widths)
    if quiet:
        return
    by_unit = [record["rule"] for record in records if record["by"] == "unit"]
    console.print()
    if any(record["by"] == "set" for record in records):
        console.print("* changed; the value of the source stands behind it", style="dim")
    if by_unit:
        console.print("° follows from the unit: 'simcards rules … --unit UNIT'", style="dim")
    console.print("Change a rule with --set rule=value, here and in every other command.", style="dim")


def _line(record: dict[str, Any]) -> tuple[str, str, str]:
    value = str(record["value"])
    if record["by"] != "default":
        value += f" {'*' if record['by'] == 'set' else '°'} ({record['default']})"
    doc = record["doc"]
    if not record["fixed"]:
        if record["choices"]:
            doc += f" [{' | '.join(record['choices'])}]"
        elif (record["low"], record["high"]) != (0, 10**6):
            doc += f" [{record['low']} to {record['high']}]"
    return record["rule"], value, doc


def _show_quantities(console: Console, records: list[dict[str, Any]]) -> None:
    lines = {
        section: [
            (r["quantity"], f"{r['kind']}{' a seat' if r['seats'] else ''}", r["doc"])
            for r in records
            if r["section"] == section
        ]
        for section in dict.fromkeys(record["section"] for record in records)
    }
    every = [row for rows in lines.values() for row in rows]
    widths = [max(len(row[place]) for row in every) for place in range(2)]
    for section, rows in lines.items():
        _table(console, (section, "", ""), rows, widths)


def _table(console: Console, heads: tuple[str, str, str], rows: list[tuple[str, str, str]], widths: list[int]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head, width in zip(heads, widths):
        table.add_column(head, no_wrap=True, min_width=width)
    table.add_column(heads[2], ratio=1)
    for row in rows:
        table.add_row(*map(Text, row), style="bold" if row[1].endswith(")") else "")
    console.print()
    console.print(table)
