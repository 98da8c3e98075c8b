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
    """List the rules in force: every value, what it can be, and what it says.

    Example: [bold]simcards rules rubicon-bezique --set rubicon_line=1500[/bold]
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
    console.print(
        f"{known.players} players ({', '.join(known.seats)}), pack {known.pack}, "
        f"strategies {', '.join(known.strategies)}, counts {', '.join(known.units)}"
    )
    if not quiet:
        console.print(f"Source: {known.source}", style="dim")
    if quantities:
        _show_quantities(console, records)
    else:
        _show_rules(console, records, quiet)


def _show_rules(console: Console, records: list[dict[str, Any]], quiet: bool) -> None:
    free = [record for record in records if not record["fixed"]]
    fixed = [record for record in records if record["fixed"]]
    _table(console, "rules that can be changed", ("value", "can be"), [_rule(record) for record in free])
    if fixed:
        _table(console, "fixed", ("value",), [(r["rule"], str(r["value"]), r["doc"]) for r in fixed])
    if quiet:
        return
    by_unit = [record["rule"] for record in records if record["by"] == "unit"]
    console.print()
    if any(record["by"] == "set" for record in records):
        console.print("* changed from the value of the rules, which stands behind it", style="dim")
    if by_unit:
        console.print(f"° set for what is counted as one ({', '.join(by_unit)}); see --unit", style="dim")
    console.print("Change one with --set rule=value, here and in every other command.", style="dim")


def _rule(record: dict[str, Any]) -> tuple[str, ...]:
    value = str(record["value"])
    if record["by"] != "default":
        value += f" {'*' if record['by'] == 'set' else '°'} ({record['default']})"
    bounds = f"{record['low']}–{record['high']}" if (record["low"], record["high"]) != (0, 10**6) else "number"
    return record["rule"], value, ", ".join(record["choices"] or [bounds]), record["doc"]


def _show_quantities(console: Console, records: list[dict[str, Any]]) -> None:
    for section in dict.fromkeys(record["section"] for record in records):
        rows = [
            (r["quantity"], r["kind"], "a seat" if r["seats"] else "", r["doc"])
            for r in records
            if r["section"] == section
        ]
        _table(console, section, ("kind", "for"), rows)


def _table(console: Console, title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(title, no_wrap=True, style="cyan")
    for head in heads:
        table.add_column(head, no_wrap=True)
    table.add_column("", ratio=1)
    for row in rows:
        marked = any(sign in row[1] for sign in "*°")
        table.add_row(*map(Text, row), style="bold" if marked else "")
    console.print()
    console.print(table)
