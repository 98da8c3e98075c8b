"""Tables for terminals, wide and narrow."""

from __future__ import annotations

import io

from rich.console import Console

from simcards import terminal
from simcards.report.tables import Heading, Table

NAME = Heading("", number=False)


def text(table: Table, width: int, names: int = 0) -> list[str]:
    room = io.StringIO()
    Console(file=room, width=width, color_system=None).print(terminal.grid(table, width, names))
    return [line.rstrip() for line in room.getvalue().splitlines()]


TABLE = Table(
    "result",
    "Result",
    (NAME, Heading("pone"), Heading("dealer"), Heading("both"), NAME),
    (
        ("points", "1,107.8 ± 4.3", "98.52 ± 0.42", "", "points scored"),
        ("won", "49.84 ± 0.35 %", "0.03 (0.00 to 0.13) %", "", "wins"),
        ("margin", "", "", "4.6 ± 6.3", "the difference"),
    ),
)


def test_errors_stand_beneath_each_other():
    lines = text(TABLE, 100)
    assert lines[0].split() == ["Result", "pone", "dealer", "both"]
    assert lines[1].index("±") == lines[2].index("±")
    assert lines[1].endswith("points scored")


def test_descriptions_go_first():
    assert not any("points scored" in line for line in text(TABLE, 70))
    assert max(map(len, text(TABLE, 70))) <= 70


def test_then_the_column_of_the_whole_table():
    lines = text(TABLE, 56)
    assert "both" not in lines[0]
    assert any(line.strip() == "both" for line in lines)
    assert max(map(len, lines)) <= 56


def test_then_each_number_has_its_line():
    lines = text(TABLE, 36)
    assert any(line.startswith("won  dealer") for line in lines)
    assert max(map(len, lines)) <= 36


def test_names_stand_above_many_columns():
    heads = tuple(Heading(f"column {k}") for k in range(4))
    rows = ((("a name that takes much room" * 2), "1", "22", "333", "4444"),)
    lines = text(Table("t", "Odds", (NAME, *heads), rows), 60)
    assert lines[0] == "Odds"
    assert lines[1].split() == ["column", "0", "column", "1", "column", "2", "column", "3"]
    assert lines[3].split() == ["1", "22", "333", "4444"]


def test_several_tables_stand_in_line():
    assert text(TABLE, 100, 30)[1].index("1,107.8") > text(TABLE, 100)[1].index("1,107.8")
