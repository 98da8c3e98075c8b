from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from simcards.report import tables
from simcards.report.tables import (
    Heading,
    Table,
    escaped,
    grouped,
    interval,
    probability,
    shown,
    to_csv,
    to_markdown,
)
from simcards.stats import exact, mean, proportion
from simcards.study.result import estimates


class Text(HTMLParser):
    """Collects the text of a page."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)


def text_of(html):
    reader = Text()
    reader.feed(html)
    return "".join(reader.parts)


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("1234.5", "1,234.5"),
        ("-1234567", "−1,234,567"),
        ("0.0012", "0.0012"),
        ("-0.5", "−0.5"),
        ("nan", "nan"),
        ("?", "?"),
        ("1.2e-07", "1.2e-07"),
        ("999", "999"),
    ],
)
def test_grouped(plain, expected):
    assert grouped(plain) == expected


def test_shown():
    assert shown(mean(10_000, 11_078_000, 12_456_808_400)) == "1,107.8 ± 1.4"
    assert shown(proportion(4984, 10_000), "flag") == "49.84 ± 0.50 %"
    assert shown(proportion(0, 1000), "rate") == "0.00 (0.00 to 0.37) %"
    assert shown(mean(100, 1300, 16_900)) == "13"
    assert shown(mean(0, 0, 0)) == "–"
    assert shown(exact(1, 4), "rate") == "25 %"


def test_interval():
    assert interval(mean(2000, -8000, 2_000_000)) == "−5.38 to −2.62"
    assert interval(mean(100, 1300, 16_900)) == "–"
    assert interval(mean(1, 5, 25)) == "–"
    assert interval(proportion(30, 1000), "flag").endswith(" %")


def test_an_interval_that_says_nothing_is_not_shown():
    from simcards.stats import ratio

    made = ratio(3, 1, 1, 1, 3, 1)
    assert math.isinf(made.ci_low)
    assert interval(made) == "–"
    assert interval(replace(made, ci_low=820.0, se=math.nan)).endswith("to ∞")
    assert shown(replace(made, estimate=0.0, se=0.0)) == "0"


def test_probability():
    assert probability(0.0) == "< 0.0001"
    assert probability(0.0123) == "0.012"
    assert probability(1.0) == "1"
    assert probability(math.nan) == "–"


@given(some.text(alphabet=some.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60))
def test_escaped_markdown_shows_the_very_text(text):
    line = " ".join(text.split())
    html = MarkdownIt("commonmark").enable("table").render(f"before {escaped(text)} after")
    assert text_of(html).strip() == f"before {line} after".replace("  ", " ") or not line
    assert "<script" not in html


@pytest.mark.parametrize(
    "text", ["# a", "- a", "+ a", "> a", "=== a", "<script>alert(1)</script>", "a|b", "&amp;", "[x](y)"]
)
def test_escaped_at_the_beginning_of_a_line(text):
    html = MarkdownIt("commonmark").enable("table").render(escaped(text))
    assert html.startswith("<p>")
    assert text_of(html).strip() == text


def test_markdown_table_is_one():
    table = Table(
        "x",
        "caption",
        (Heading("", number=False), Heading("a|b"), Heading("c", "group")),
        (("row | one", "1", ""), ("`two`", "2", "3")),
    )
    html = MarkdownIt("commonmark").enable("table").render(to_markdown(table))
    assert html.count("<tr>") == 3
    assert html.count("<td") == 6
    assert "group: c" in html
    assert "row | one" in text_of(html)
    assert "`two`" in text_of(html)


def test_groups_of_headings():
    made = Table("x", "", (Heading(""), Heading("a", "one"), Heading("b", "one"), Heading("a", "two")), ())
    assert made.groups == [("", 1), ("one", 2), ("two", 1)]
    assert Table("x", "", (Heading("a"),), ()).groups == []


def test_csv_holds_every_digit(outcome):
    rows = [row.as_record() for row in estimates(outcome)]
    back = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert list(back[0])[:6] == ["quantity", "seat", "strategy", "n", "estimate", "se"]
    assert len(back) == len(rows)
    for line, row in zip(back, rows, strict=True):
        for key, value in row.items():
            if isinstance(value, float):
                assert line[key] == "" if math.isnan(value) else float(line[key]) == value
            else:
                assert line[key] == str(value)


def test_play_tables_show_every_estimate(outcome):
    made = tables.play_tables(outcome)
    cells = [cell for table in made for row in table.rows for cell in row[1:] if cell]
    assert len(cells) == len(estimates(outcome))
    assert [table.name for table in made] == ["result", "sources", "melds", "timing", "play"]


def test_match_tables(met):
    made = tables.match_tables(met)
    assert [table.name for table in made] == ["match", "match-games", "match-deals", "match-detail"]
    assert str(list(made[0].records)) == str(met.records())  # nan is not nan
    payoff = next(row for row in met.rows() if row.estimate.quantity == "value")
    assert made[0].rows[0][1] == shown(payoff.estimate)


def test_rich_table(outcome):
    from rich.console import Console

    console = Console(file=io.StringIO(), width=120)
    console.print(tables.to_rich(tables.play_tables(outcome)[0]))
    assert "±" in console.file.getvalue()


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("basic", "random"), ("basic", "random")),
        (("basic", "random", "basic"), ("basic (1)", "random", "basic (2)")),
        (("a/own.py:x", "mc:worlds=5"), ("own.py:x", "mc:worlds=5")),
        (("a/own.py:x", "b/own.py:x"), ("a/own.py:x", "b/own.py:x")),
        (("a/own.py:x", "a/own.py:x", "own.py:x"), ("a/own.py:x (1)", "a/own.py:x (2)", "own.py:x")),
        (("declare=/r/own.py:x:a=1+mc", "random"), ("declare=own.py:x:a=1+mc", "random")),
    ],
)
def test_strategies_are_called_so_that_they_can_be_told_apart(names, called):
    assert tables.called(names) == called
    assert len(set(called)) == len(names)


@pytest.mark.parametrize(
    ("value", "written"),
    [(1.1, "1.10"), (0.864, "0.86"), (12.34, "12.3"), (1234.4, "1,234"), (math.inf, "endless"), (math.nan, "–")],
)
def test_times(value, written):
    assert tables.times(value) == written


def test_ratings_are_on_the_page_where_three_meet(tmp_path):
    from simcards.report.experiment import load_experiment, run_experiment

    path = tmp_path / "three.toml"
    path.write_text(
        'kind = "match"\ngame = "toy-whist"\ndeals = 100\nstrategies = ["lowest", "random", "lowest"]', "utf-8"
    )
    made = run_experiment(load_experiment(path), tmp_path / "page", workers=1)
    text = made.markdown.read_text(encoding="utf-8")
    assert "**Ratings**" in text
    assert "| lowest (2) |" in text
    rated = [record for record in made.records["match"] if record["section"] == "ratings"]
    assert len(rated) == 4
    assert "Strategies of Toy whist" in made.html.read_text(encoding="utf-8")
