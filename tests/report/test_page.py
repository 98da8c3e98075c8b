from __future__ import annotations

import csv
import io
import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from simcards.errors import UsageError
from simcards.report.page import paragraphs, sections, to_html, to_page_markdown, write_report
from simcards.report.parts import Context
from simcards.report.sections import SECTIONS
from simcards.report.tables import interval, shown
from simcards.study.result import estimates, records

from .conftest import DEALS

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Reads a page and complains of what is not well made."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.texts, self.tags = [], [], [], [], []
        self.tables, self.attributes = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs)
        self.tags.append(tag)
        self.attributes.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).replace("\xa0", " ").split())


@pytest.fixture(scope="module")
def page(written):
    return Page(written.html.read_text(encoding="utf-8"))


def files_of(report):
    return {
        path.relative_to(report.folder).as_posix(): path.read_bytes()
        for path in report.folder.rglob("*")
        if path.is_file()
    }


def test_files(written):
    made = set(files_of(written))
    about = json.loads(written.provenance.read_text(encoding="utf-8"))
    assert made == set(about["files"])
    assert {"index.html", "index.md", "provenance.json", "tables/estimates.csv", "figures/scores.svg"} <= made
    assert about["play"]["deals"] == DEALS
    assert about["match"]["deals"] == 300
    assert about["odds"]["deals"] == DEALS
    assert about["play"]["seed"] == about["odds"]["seed"] == 3
    for part in (about["play"], about["match"]):
        assert {"version", "rules", "strategies", "seconds", "platform"} <= set(part)


def test_all_standard_sections(page):
    for key in (
        "summary",
        "rules",
        "hand",
        "melds",
        "sources",
        "scores",
        "endings",
        "first-player",
        "strategies",
        "method",
    ):
        assert key in page.ids


def test_the_page_needs_nothing_but_itself(written, page):
    assert not {"script", "link", "iframe", "object", "embed", "img"} & set(page.tags)
    for tag, attributes in page.attributes:
        for name in ("src", "href", "xlink:href", "action", "data"):
            assert attributes.get(name, "#").startswith("#"), (tag, attributes)
        assert not any(name.startswith("on") for name in attributes)
    style = re.sub(r"xmlns(:\w+)?=\"[^\"]*\"", "", written.html.read_text(encoding="utf-8"))
    assert "http" not in style
    assert "@import" not in style
    assert re.search(r"url\((?!#)", style) is None


def test_the_page_is_accessible(page):
    assert len(page.ids) == len(set(page.ids))
    assert page.tags.count("h1") == 1
    assert page.tags.count("table") == page.tags.count("caption") > 8
    for tag, attributes in page.attributes:
        if tag == "th":
            assert attributes["scope"] in ("col", "row", "colgroup")
        if attributes.get("role") in ("img", "region"):
            assert attributes["aria-label"]
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in page.ids
        if tag == "a":
            assert attributes["href"].removeprefix("#") in page.ids
        if tag == "html":
            assert attributes["lang"] == "en"
    assert page.tags.count("figure") == page.tags.count("figcaption") == page.tags.count("svg") > 5
    for table in page.tables:
        assert len({len(row) for row in table if row[0] or len(row) > 3}) <= 2


def test_links_and_tables_of_the_markdown(written):
    text = written.markdown.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 10
    for target in targets:
        assert (written.folder / target).is_file()
    named = set(targets)
    for name in files_of(written):
        assert name in named or not name.startswith(("figures/", "tables/"))
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<table>") == Page(written.html.read_text(encoding="utf-8")).tags.count("table")
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_html_and_markdown_show_the_same_cells(written, page):
    html = MarkdownIt("commonmark").enable("table").render(written.markdown.read_text(encoding="utf-8"))
    shown_cells = [[cell.strip() for cell in row] for table in Page(html).tables for row in table[1:]]
    cells = [row for table in page.tables for row in table]
    assert all([cell.replace("\xa0", " ") for cell in row] in cells for row in shown_cells)


def test_every_table_is_that_of_the_outcome(written, page):
    known = {}
    for row in estimates(written.outcome):
        record = row.as_record()
        known[record["quantity"], record.get("seat")] = record
    checked = 0
    for name, rows in written.records.items():
        text = (written.folder / "tables" / f"{name}.csv").read_text(encoding="utf-8")
        back = list(csv.DictReader(io.StringIO(text)))
        assert len(back) == len(rows)
        for line, row in zip(back, rows, strict=True):
            for key in ("estimate", "se", "ci_low", "ci_high"):
                assert math.isnan(row[key]) if line[key] == "" else float(line[key]) == row[key]
            if name in ("melds", "timing", "sources", "endings", "endings-whole", "estimates"):
                assert str(row) == str(known[row["quantity"], row.get("seat")])
                checked += 1
    assert checked > 200
    assert str(list(written.records["estimates"])) == str(records(written.outcome))
    assert str(list(written.records["match"])) == str(written.match.records())


def test_cells_are_rounded_estimates(written, page):
    cells = {cell for table in page.tables for row in table for cell in row}
    for row in estimates(written.outcome):
        if row.section in ("sources", "result") and not row.estimate.quantity.startswith("any_"):
            assert shown(row.estimate, row.kind) in cells, row
    for row in written.match.rows():
        if row.section == "result":
            assert shown(row.estimate, row.kind) in cells
            assert interval(row.estimate, row.kind) in cells


def test_frames(written):
    assert written.frames["estimates"]["estimate"].notna().any()
    assert set(written.frames) == set(written.records)


def test_the_same_bytes_again_whatever_the_workers(written, tmp_path):
    again = write_report("rubicon-bezique", tmp_path / "again", deals=DEALS, match_deals=300, seed=3, workers=2)
    first, second = files_of(written), files_of(again)
    assert set(first) == set(second)
    for name in first:
        if name != "provenance.json":
            assert first[name] == second[name], name


def test_no_path_of_this_machine(written, tmp_path):
    for name, content in files_of(written).items():
        assert str(written.folder.parent).encode() not in content, name


HOSTILE = '<script>alert("1")</script> | *x* `y` [z](javascript:1) {{ 7*7 }} &amp; </title>'


def test_texts_of_strangers_are_shown_and_not_run(tmp_path):
    made = write_report(
        "toy-whist",
        tmp_path / "r",
        deals=200,
        strategy="lowest",
        title=HOSTILE,
        text=f"{HOSTILE}\n\nsecond",
        workers=1,
    )
    html = made.html.read_text(encoding="utf-8")
    page = Page(html)
    assert "script" not in page.tags
    assert page.text.count(HOSTILE) == 3  # title, heading, text
    assert "<script" not in html
    back = MarkdownIt("commonmark").enable("table").render(made.markdown.read_text(encoding="utf-8"))
    assert "<script" not in back
    assert '<a href="javascript' not in back
    assert Page(back).text.count(HOSTILE) == 2
    assert json.loads(made.provenance.read_text(encoding="utf-8"))["title"] == HOSTILE


def test_changed_rules_are_marked(tmp_path):
    made = write_report("bezique", tmp_path / "r", deals=150, match_deals=0, rules={"aces": 120}, workers=1)
    text = Page(made.html.read_text(encoding="utf-8")).text
    assert "changed; the book has 100" in text
    assert "so for single deals; the book has 1,000" in text
    assert "aces = 120 in place of 100" in text
    assert "--set aces=120" in text


def test_a_game_that_measures_little_has_a_page_all_the_same(tmp_path):
    made = write_report("toy-whist", tmp_path / "r", deals=300, strategy="lowest", unit="game", workers=1)
    page = Page(made.html.read_text(encoding="utf-8"))
    assert {"rules", "scores", "first-player", "method"} <= set(page.ids)
    assert "melds" not in page.ids
    assert "a game" in page.text


def test_no_deals_of_some_quantity(tmp_path):
    made = write_report("rubicon-bezique", tmp_path / "r", deals=3, match_deals=2, workers=1)
    text = Page(made.html.read_text(encoding="utf-8")).text
    assert re.search(r"\b(nan|inf)\b", text) is None
    assert "never scored" in text


def test_one_deal(tmp_path):
    made = write_report("bezique", tmp_path / "r", deals=1, match_deals=1, workers=1)
    assert re.search(r"\b(nan|inf)\b", Page(made.html.read_text(encoding="utf-8")).text) is None


def test_until_precise(tmp_path):
    made = write_report(
        "bezique",
        tmp_path / "r",
        deals=20_000,
        match_deals=0,
        precision=10.0,
        target="points.pone",
        workers=1,
    )
    text = Page(made.html.read_text(encoding="utf-8")).text
    assert made.outcome.deals < 20_000
    assert "confidence sequences" in text
    assert "points.pone was known to ± 10" in text
    assert "--precision 10 --target points.pone" in text
    assert all(record["method"] == "confidence-sequence" for record in made.records["first-player"])


class Interrupt:
    def __init__(self, after):
        self.after = after

    def __call__(self, progress):
        if progress.done >= self.after:
            raise KeyboardInterrupt


def test_interrupted(tmp_path):
    made = write_report("bezique", tmp_path / "r", deals=500_000, workers=1, progress=Interrupt(1))
    assert made.interrupted
    assert made.match is None
    assert 0 < made.outcome.deals < 500_000
    text = Page(made.html.read_text(encoding="utf-8")).text
    assert "interrupted" in text
    assert "500,000" in text
    assert json.loads(made.provenance.read_text(encoding="utf-8"))["play"]["interrupted"] is True


def test_checkpoint(tmp_path):
    options = {"match_deals": 100, "workers": 1, "checkpoint": tmp_path / "c", "seed": 5}
    write_report("bezique", tmp_path / "a", deals=200, **options)
    assert (tmp_path / "c.match").is_file()
    resumed = write_report("bezique", tmp_path / "b", deals=400, resume=True, **options)
    assert resumed.outcome.resumed == 200
    assert resumed.match.resumed == 100
    whole = write_report("bezique", tmp_path / "w", deals=400, match_deals=100, workers=1, seed=5)
    assert resumed.html.read_bytes() == whole.html.read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"game": "besiqe"}, "besique"),
        ({"deals": 0}, "deals"),
        ({"strategy": "basik"}, "basic"),
        ({"against": ["rndom"]}, "random"),
        ({"rules": {"acess": 1}}, "aces"),
        ({"unit": "gam"}, "game"),
        ({"match_deals": -1}, "deals"),
        ({"match_deals": 10, "against": []}, "nobody"),
        ({"precision": 1.0, "target": "pints.pone"}, "points.pone"),
        ({"cards": {"pone": "QS QS QS"}}, "QS"),
        ({"title": "x", "folder": "/proc/nowhere"}, "cannot write"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(tmp_path, options, words):
    asked = {"game": "bezique", "folder": tmp_path / "r", "deals": 100, "workers": 1, **options}
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        write_report(asked.pop("game"), asked.pop("folder"), **asked)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_folder_is_refused_before_playing(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UsageError, match="not made by simcards"):
        write_report("bezique", tmp_path, deals=10**12)


def test_sections_can_be_added(outcome, monkeypatch):
    from simcards.report.parts import Section

    context = Context("t", outcome.plan, outcome)
    monkeypatch.setattr("simcards.report.sections.SECTIONS", [*SECTIONS, lambda _: Section("x", "Mine", ("hello",))])
    made = sections(context)
    assert "hello" in to_html(context, made)
    assert "## Mine\n\nhello" in to_page_markdown(context, made)


def test_paragraphs():
    assert paragraphs(" a\nb\n\n \n\nc ") == ("a b", "c")
    assert paragraphs("") == ()


def test_importing_is_light():
    code = (
        "import sys, simcards.report, simcards.report.figures, simcards.report.sections; "
        "heavy = ('pandas', 'matplotlib', 'jinja2', 'numba', 'scipy', 'rich'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_dealt_hand_exact_beside_simulated(written, page):
    import simcards.odds

    result = simcards.odds.dealt("rubicon-bezique", DEALS, 3, workers=1)
    rows = {row[0]: row for table in reversed(page.tables) for row in table}
    for row in result.rows:
        cells = rows[row.name[:1].upper() + row.name[1:]]
        assert shown(row.estimate, row.kind) in cells
    assert any(cell.startswith("1 in 82.") for cell in rows["Carte blanche"])
    known = [record for row in result.rows for record in row.records()]
    made = [*written.records["hand"], *written.records["hand-means"]]
    assert sorted(map(str, made)) == sorted(map(str, known))
    exact = [record for record in made if record["method"] == "exact"]
    assert len(exact) == len(result.rows)
    assert all(int(record["denominator"]) > 0 for record in exact)


def test_no_dealt_hand(tmp_path):
    made = write_report("bezique", tmp_path / "r", deals=50, match_deals=0, odds_deals=0, workers=1)
    assert "hand" not in made.records


def test_given_cards_are_said_not_to_be_in_the_odds(tmp_path):
    made = write_report("bezique", tmp_path / "r", deals=50, match_deals=0, cards={"pone": "QS"}, workers=1)
    text = Page(made.html.read_text(encoding="utf-8")).text
    assert "not about the cards given" in text
    assert "pone: QS" in text
    assert "--fix pone=QS" in text
