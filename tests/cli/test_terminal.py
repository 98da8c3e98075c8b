"""Tables for terminals, wide and narrow."""

from __future__ import annotations

import io

import pytest
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
    lines = text(TABLE, 32)
    assert lines[4:7] == ["won", "  pone    49.84 ± 0.35 %", "  dealer  0.03 (0.00 to 0.13) %"]
    assert max(map(len, lines)) <= 32


@pytest.mark.parametrize("width", range(8, 100, 3))
def test_a_number_is_never_cut(width):
    room = io.StringIO()
    terminal.put(Console(file=room, width=width, color_system=None), TABLE)
    said = " ".join(room.getvalue().split())
    assert "…" not in said
    for row in TABLE.rows:
        for number in filter(None, row[1:4]):
            assert " ".join(number.split()) in said


def test_a_long_caption_stands_above_and_is_folded():
    question = "n('QS') >= 2 and n('JD') >= 2 and n('hearts') >= 3"
    lines = text(Table("odds", question, (NAME, Heading("exact")), (("yes", "0.16096 %"),)), 30)
    assert lines == ["n('QS') >= 2 and n('JD') >= 2", "and n('hearts') >= 3", "         exact", "yes  0.16096 %"]


def test_answers_of_one_column_go_beneath_their_names_where_they_are_long():
    answers = (("exact", "0.16096 %"), ("fraction", "22322436612011/13868656906474968"))
    lines = text(Table("odds", "Chance", (NAME, NAME), answers), 36)
    assert lines == ["Chance", "exact     0.16096 %", "fraction", "  22322436612011/13868656906474968"]


def test_long_names_and_words_are_folded():
    rows = (("four of a kind that scores", "5.7219 %", "1 in 17.48"), ("sequence", "0.15162 %", "1 in 659.55"))
    lines = text(Table("odds", "Chance of", (NAME, Heading("exact"), Heading("odds")), rows), 40)
    assert lines == [
        "Chance of             exact         odds",
        "four of a kind     5.7219 %   1 in 17.48",
        "  that scores",
        "sequence          0.15162 %  1 in 659.55",
    ]


def test_a_bound_makes_its_column_no_wider():
    rows = (("a", "1.220 ± 0.011 %"), ("b", "≤ 0.00056 %"), ("c", "0"))
    lines = text(Table("odds", "Of", (NAME, Heading("seen")), rows), 60)
    assert lines == ["Of             seen", "a   1.220 ± 0.011 %", "b       ≤ 0.00056 %", "c       0"]


def test_names_stand_above_many_columns():
    heads = tuple(Heading(f"column {k}") for k in range(4))
    rows = (("a_name_that_takes_much_room" * 2, "1", "22", "333", "4444"),)
    lines = text(Table("t", "Odds", (NAME, *heads), rows), 60)
    assert lines[0] == "Odds"
    assert lines[1].split() == ["column", "0", "column", "1", "column", "2", "column", "3"]
    assert lines[3].split() == ["1", "22", "333", "4444"]


def test_several_tables_stand_in_line():
    assert text(TABLE, 100, 30)[1].index("1,107.8") > text(TABLE, 100)[1].index("1,107.8")
