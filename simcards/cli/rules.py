"""``simcards rules``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcards._input import pairs
from simcards.cli import options, output
from simcards.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from simcards.games.game import Game

_Line = tuple[str, str, str]


def rules(
    game: options.GameName,
    changes: options.Changes = None,
    unit: options.Unit = None,
    quantities: Annotated[
        bool,
        typer.Option("--quantities", help="List what is measured in place of the rules."),
    ] = False,
    view: Annotated[
        bool,
        typer.Option("--view", help="List what a strategy sees in place of the rules: the fields of its view."),
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """List the rules of a game, and what each can be.

    Changed values are marked. Above stand the phases of play, what the number of an action means in each, and the
    strategies with their parameters. With --quantities what is measured is listed in place of the rules, with --view
    what a strategy sees.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    if quantities and view:
        raise UsageError("--quantities and --view exclude each other")
    handle = api.game(game)
    known = handle.ruleset
    changed = pairs(changes or (), "--set", "rule=value")
    records = api.rule_records(known, changed, unit)
    if quantities:
        records = api.quantity_records(handle.compiled)
    elif view:
        records = api.view_records(handle.compiled)
    if as_json:
        about = {"phases": api.phase_records(handle.compiled), "strategies": api.strategy_records(handle.compiled)}
        output.print_json(records, {**output.version(), "game": known.id, **about})
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
        ("also called", known.synonyms),
        ("source", [known.source]),
    ):
        if words:
            console.print(f"{name:<12}{', '.join(words)}")
    if quantities:
        _show_quantities(console, records)
        return
    _show_play(console, handle.compiled)
    if view:
        _show_view(console, records, quiet)
    else:
        _show_rules(console, records, quiet)


def _show_play(console: Console, game: Game) -> None:
    """List the phases and the strategies."""
    phases = [(phase, str(number), game.actions.get(phase, "")) for number, phase in enumerate(game.phases)]
    players: list[_Line] = []
    for strategy in game.strategies.values():
        players.append((strategy.name, "", strategy.doc))
        players += [
            (f"  {parameter.name}", f"{parameter.default:g}", parameter.doc + _range(parameter.low, parameter.high))
            for parameter in strategy.parameters
        ]
    widths = _widths([*phases, *players])
    _table(console, ("phase", "number", "what an action is"), phases, widths)
    _table(console, ("strategy", "default", "how it plays; its parameters, as in NAME:PARAMETER=9"), players, widths)


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return ""
    if math.isinf(high):
        return f" [from {low:g} up]"
    return f" [up to {high:g}]" if math.isinf(low) else f" [{low:g} to {high:g}]"


def _show_view(console: Console, records: list[dict[str, Any]], quiet: bool) -> None:
    lines = [(r["field"], "".join(f"[{size}]" for size in r["shape"]) + f" {r['type']}", r["doc"]) for r in records]
    made = [(path, kind.strip(), doc) for path, kind, doc in lines]
    _table(console, ("view.", "", "what it is"), made, _widths(made))
    if not quiet:
        console.print()
        console.print("A strategy reads them as view.FIELD, one of an array as view.FIELD[0].", style="dim")


def _show_rules(console: Console, records: list[dict[str, Any]], quiet: bool) -> None:
    free = [_line(record) for record in records if not record["fixed"]]
    fixed = [_line(record) for record in records if record["fixed"]]
    widths = _widths([*free, *fixed])
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
    console.print("What a strategy sees of the game: 'simcards rules … --view'.", style="dim")


def _line(record: dict[str, Any]) -> _Line:
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
    widths = _widths([row for rows in lines.values() for row in rows])
    for section, rows in lines.items():
        _table(console, (section, "", ""), rows, widths)


def _widths(rows: Sequence[_Line]) -> list[int]:
    return [max(len(row[place]) for row in rows) for place in range(2)]


def _table(console: Console, heads: _Line, rows: Sequence[_Line], widths: Sequence[int]) -> None:
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
