"""Games side by side: what experiments of the kind ``compare`` may say, and their page."""

from __future__ import annotations

import csv
import json
import math

import pytest

import simcards
from simcards.errors import UsageError
from simcards.games import registry
from simcards.report.compare import BLOCK_KEYS, GAME_KEYS
from simcards.report.experiment import load_experiment, run_experiment
from simcards.study.across import Measure, across
from simcards.study.match import match
from simcards.study.plan import make_plan

from .test_experiment import HERE, MARKED, save

HEAD = 'kind = "compare"\ngames = ["bezique", "toy-whist"]\ndeals = 400\nseed = 5\n'
PLAY = """
[[compare]]
title = "Deals"
text = "How they go."
strategies = "random"
quantities = ["points", "sd:points", "edge:won", "won"]
optional = ["long", "declarations", "trump"]
"""
MATCH = """
[[compare]]
kind = "match"
title = "Who is better"
strategies = ["random", "lowest"]
deals = 60
[compare.by_game.bezique]
deals = 30
strategies = ["basic", "random"]
rules = {aces = 120}
unit = "deal"
[[compare]]
kind = "match"
title = "Itself"
strategies = ["random", "random"]
"""
STUDY = 'title = "Two games"\ntext = "Words."\n' + HEAD + PLAY + MATCH


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    return run_experiment(load_experiment(save(folder, STUDY)), folder / "out", workers=1)


@pytest.fixture(scope="module")
def text(report):
    return report.markdown.read_text(encoding="utf-8")


def line_of(text, start):
    """The cells of the first line of a table that begins so."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {start} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_numbers_are_those_of_the_studies(report):
    measured = across(
        make_plan("bezique", deals=400, strategies="random", seed=5), [Measure("edge", "won")], workers=1
    ).estimate(Measure("edge", "won"))
    records = {(record["game"], record["quantity"]): record for record in report.records["part-1"]}
    found = records["bezique", "edge:won"]
    assert (found["estimate"], found["se"], found["n"]) == (measured.estimate, measured.se, 400)
    assert ("toy-whist", "long") in records
    assert ("bezique", "long") not in records
    assert ("toy-whist", "declarations") not in records
    assert records["toy-whist", "points"]["estimate"] == 13 / 4

    met = match("bezique", ["basic", "random"], deals=30, seed=5, rules={"aces": 120}, workers=1)
    row = next(row for row in met.rows() if row.estimate.quantity == "value")
    found = next(record for record in report.records["part-2"] if record["game"] == "bezique")
    assert (found["estimate"], found["se"], found["p_value"]) == (
        row.estimate.estimate,
        row.estimate.se,
        row.comparison.p_value,
    )
    paid = [record for record in report.records["part-2"] if "p_adjusted" in record]
    least, most = sorted(record["p_value"] for record in paid)
    adjusted = sorted(record["p_adjusted"] for record in paid)
    assert adjusted == pytest.approx([min(1.0, 2.0 * least), min(1.0, max(2.0 * least, most))])


def test_the_files_have_them_in_full(report):
    for name, rows in report.records.items():
        with (report.folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            read = list(csv.DictReader(file))
        assert len(read) == len(rows)
        for line, row in zip(read, rows, strict=True):
            assert line["game"] == row["game"]
            assert math.isclose(float(line["estimate"]), row["estimate"])
    assert set(report.records) == {"part-1", "part-2", "part-3"}
    assert set(report.frames["part-1"]["game"]) == {"bezique", "toy-whist"}


def test_the_page(report, text):
    assert text.startswith("# Two games\n\n2 games side by side.\n\n## In short\n\nWords.\n")
    for words in ("## Deals", "How they go.", "Played with random in every seat.", "## Who is better", "## Itself"):
        assert words in text
    bezique, toy = line_of(text, "Bezique"), line_of(text, "Toy whist")
    assert (bezique[1], toy[1]) == ("400", "400")
    assert (bezique[5], toy[6], bezique[7]) == ("–", "–", "–") or "–" in bezique
    assert toy[2] == "3.25"
    assert "basic does better than random in Bezique, by " in text
    assert "random (1) and random (2) come out exactly alike in Bezique and Toy whist." in text
    assert "simcards run study.toml\n" in text
    assert "| bezique, changed rules | aces = 120 |" in text
    html = report.html.read_text(encoding="utf-8")
    assert "<h1>Two games</h1>" in html
    figures = {path.stem for path in (report.folder / "figures").iterdir()}
    assert {"part-1-edge-won", "part-1-won", "part-2-won", "part-3-won"} <= figures
    assert "part-1-sd-points" not in figures
    for name in figures:
        assert f"(figures/{name}.svg)" in text
    assert repr(report) == f"<Report 'Two games' (2 games, 3 tables): {report.html}>"


def test_where_it_comes_from(report):
    about = json.loads(report.provenance.read_text(encoding="utf-8"))
    assert [block["kind"] for block in about["compare"]] == ["play", "match", "match"]
    bezique, toy = about["compare"][1]["games"]
    assert (bezique["game"], bezique["deals"], bezique["seed"], bezique["rules"]["aces"]) == ("bezique", 30, 5, 120)
    assert (toy["strategies"], toy["deals"]) == (["random", "lowest"], 60)
    assert about["compare"][0]["games"][0]["quantities"][:2] == ["points", "sd:points"]
    first = about["experiment"]["compare"][1]["games"][0]
    assert first == {"game": "bezique", "deals": 30, "strategies": ["basic", "random"], "unit": "deal",
                     "rules": {"aces": 120}}  # fmt: skip


EACH = """kind = "compare"
games = ["toy-whist"]
deals = 50
seed = 5
[[compare]]
each = ["random", "lowest"]
quantities = ["points", "won", "edge:won"]
[[compare]]
kind = "match"
each = ["random", "play=lowest"]
strategies = "lowest"
"""


def test_strategies_side_by_side(tmp_path):
    made = run_experiment(load_experiment(save(tmp_path, EACH)), tmp_path / "out", workers=1, checkpoint=tmp_path / "c")
    assert [run.plan.strategies for run in made.compared[:2]] == [("random",) * 4, ("lowest",) * 4]
    assert [run.study.strategies for run in made.compared[2:]] == [("random", "lowest"), ("play=lowest", "lowest")]
    text = made.markdown.read_text(encoding="utf-8")
    assert "Toy whist: strategies side by side." in text
    assert "In each line the strategy has every seat." in text
    assert line_of(text, "lowest")[1] == "50"
    assert line_of(text, "play=lowest")[2] == "0"
    assert "play=lowest (0)" in text
    paid = [record for record in made.records["part-2"] if "p_adjusted" in record]
    for record, run in zip(paid, made.compared[2:], strict=True):
        row = next(row for row in run.rows() if row.estimate.quantity == record["quantity"])
        assert (record["game"], record["strategy"], record["against"]) == ("toy-whist", *run.study.strategies)
        assert record["estimate"] == row.estimate.estimate
    assert [record["strategy"] for record in made.records["part-1"]] == ["random"] * 3 + ["lowest"] * 3
    assert {f"c.{part}.toy-whist.{line}" for part in (1, 2) for line in (1, 2)} <= {p.name for p in tmp_path.iterdir()}


def test_strategies_in_several_games(tmp_path):
    block = '[[compare]]\ngames = ["{}"]\neach = ["random", "lowest"]\nquantities = "points"\n'
    both = HEAD.replace("400", "9") + block.format("toy-whist") + block.format("bezique").replace("lowest", "basic")
    made = run_experiment(load_experiment(save(tmp_path, both)), tmp_path / "out", workers=1)
    text = made.markdown.read_text(encoding="utf-8")
    assert line_of(text, "Toy whist: lowest")[1] == "9"
    assert line_of(text, "Bezique: basic")[1] == "9"


def test_another_number_of_deals_for_all(tmp_path):
    made = run_experiment(load_experiment(save(tmp_path, STUDY)), tmp_path / "out", deals=7, workers=1)
    assert [run.deals for run in made.compared] == [7] * 6
    assert "simcards run study.toml --deals 7" in made.markdown.read_text(encoding="utf-8")


def test_fewer_games_in_a_block(tmp_path):
    study = HEAD + '[[compare]]\ngames = ["Toy_Whist"]\nquantities = "points"\n'
    made = load_experiment(save(tmp_path, study))
    assert [entry.game for entry in made.compare[0].entries] == ["toy-whist"]


def test_an_interrupt_leaves_what_was_played_and_can_be_gone_on_from(tmp_path):
    study = load_experiment(save(tmp_path, HEAD + PLAY + MATCH))
    told = []

    def interrupt(progress):
        told.append(progress)
        if len(told) > 1 and told[-2].done == 400:  # the second game has begun
            raise KeyboardInterrupt

    saved = tmp_path / "saved"
    made = run_experiment(study, tmp_path / "out", workers=1, progress=interrupt, checkpoint=saved)
    assert made.interrupted
    assert [run.plan.game for run in made.compared] == ["bezique", "toy-whist"]
    assert "The run was interrupted" in made.markdown.read_text(encoding="utf-8")
    again = run_experiment(study, tmp_path / "out", workers=1, checkpoint=saved, resume=True)
    assert (again.compared[0].resumed, again.interrupted) == (400, False)
    fresh = run_experiment(study, tmp_path / "fresh", workers=1)
    assert again.html.read_bytes() == fresh.html.read_bytes()


def test_an_interrupt_before_anything_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("simcards.study.aside.call", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_experiment(load_experiment(save(tmp_path, HEAD + PLAY)), tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()


BLOCK = '[[compare]]\nquantities = ["points"]\n'
FOUGHT = '[[compare]]\nkind = "match"\nstrategies = ["random", "lowest"]\n'


@pytest.mark.parametrize(
    ("study", "message"),
    [
        ('kind = "compare"\ndeals = 5\n' + BLOCK, "the key 'games' is missing"),
        ('kind = "compare"\ngames = ["bezique"]\ndeals = 5\n', "the key 'compare' is missing"),
        ('kind = "compare"\ngames = []\ndeals = 5\n' + BLOCK, "games names none"),
        ('kind = "compare"\ngames = ["bezique", 5]\ndeals = 5\n' + BLOCK, "games must be a name or a list of names"),
        ('kind = "compare"\ngames = ["bezigue"]\ndeals = 5\n' + BLOCK, "did you mean 'bezique'?"),
        ('kind = "compare"\ngames = ["bezique", "безик"]\ndeals = 5\n' + BLOCK, "games names bezique twice"),
        ('kind = "compare"\ngames = ["bezique"]\ndeals = 5\ncompare = []', "compare names nothing to compare"),
        ('kind = "compare"\ngames = ["bezique"]\ndeals = 5\ncompare = [5]', "[[compare]] 1: it must be a table"),
        ('kind = "compare"\ngames = ["bezique"]\n' + BLOCK, "[[compare]] 1: bezique: the key 'deals' is missing"),
        (HEAD + 'game = "bezique"\n' + BLOCK, "game means nothing in an experiment of the kind 'compare'"),
        (HEAD + 'strategies = "random"\n' + BLOCK, "strategies means nothing"),
        (HEAD + "[rules]\naces = 1\n" + BLOCK, "rules means nothing"),
        ('game = "bezique"\ndeals = 5\n' + BLOCK, "compare means nothing in an experiment of the kind 'report'"),
        (HEAD + "[[compare]]\n", "[[compare]] 1: quantities is missing: what is shown of every game"),
        (HEAD + BLOCK + "[[compare]]\n", "[[compare]] 2: quantities is missing"),
        (
            HEAD + '[[compare]]\nquantities = ["pionts"]',
            "there is no quantity 'pionts' of bezique; did you mean 'points'",
        ),
        (
            HEAD + '[[compare]]\nquantities = ["declarations"]\nstrategies = "random"',
            "of toy-whist; known: deals, first, long, points, share, tricks, trump, won; what only some of the games "
            "have stands in optional",
        ),
        (
            HEAD + '[[compare]]\nquantities = ["points"]\noptional = ["nothings"]\nstrategies = "random"',
            "there is no quantity 'nothings' in any of the games bezique, toy-whist",
        ),
        (HEAD + '[[compare]]\nquantities = ["edge:deals"]', "deals of bezique is the same for all seats"),
        (HEAD + '[[compare]]\nquantities = ["egde:won"]', "there is no form 'egde'"),
        (HEAD + '[[compare]]\nquantities = [["points"]]', "quantities must be a name or a list of names"),
        (HEAD + BLOCK + 'kind = "report"', "there is no kind 'report' of experiment"),
        (HEAD + BLOCK + "seed = 5", "there is no key 'seed'"),
        (HEAD + BLOCK + 'strategies = "basic"', "there is no strategy 'basic' for toy-whist"),
        (HEAD + BLOCK + "strategies = []", "strategies names none"),
        (HEAD + BLOCK + "deals = 0.5", "[[compare]] 1: bezique: deals must be a whole number, not 0.5"),
        (HEAD + BLOCK + "deals = 0", "the number of deals must be from 1 to"),
        (HEAD + BLOCK + 'unit = "hand"', "there is no unit 'hand' of bezique"),
        (HEAD + BLOCK + "[compare.by_game.penchant]\ndeals = 4", "by_game.penchant is about a game that is not among"),
        (HEAD + BLOCK + "[compare.by_game.nothing9]\ndeals = 4", "there is no game 'nothing9'"),
        (HEAD + BLOCK + "[compare.by_game]\nbezique = 4", "by_game.bezique must be a table, not 4"),
        (HEAD + BLOCK + "[compare.by_game.bezique]\nkind = 4", "by_game.bezique: there is no key 'kind'"),
        (HEAD + BLOCK + "[compare.by_game.bezique]\nrules = {aces = true}", "rules.aces must be"),
        (HEAD + BLOCK + "[compare.by_game.bezique.rules]\nacess = 5", "did you mean 'aces'?"),
        (HEAD + BLOCK + '[compare.by_game.bezique]\nunit = "game"\nrules = {target = 0}', "a game is a single deal"),
        (HEAD + '[[compare]]\nkind = "match"\nstrategies = "random"', "two names or more"),
        (HEAD + '[[compare]]\nkind = "match"', "two names or more"),
        (HEAD + FOUGHT + 'quantities = "points"', "quantities means nothing in an experiment of the kind 'match'"),
        (
            HEAD + BLOCK + 'each = "random"\nstrategies = "random"',
            "each says who plays, in every seat; leave strategies",
        ),
        (HEAD + BLOCK + 'each = "random"\n[compare.by_game.bezique]\nstrategies = "random"', "leave strategies out"),
        (HEAD + BLOCK + "each = []", "each names no strategies"),
        (HEAD + BLOCK + 'each = ["random", "random"]', "each names random twice"),
        (HEAD + BLOCK + "each = [5]", "each must be a name or a list of names"),
        (HEAD + BLOCK + 'each = "own.py:mine"', "each: 'own.py:mine' is in a file"),
        (
            HEAD + '[[compare]]\nkind = "match"\neach = "random"',
            "each says who meets the strategies, which are missing",
        ),
        (HEAD + FOUGHT + 'games = ["bezique"]', "there is no strategy 'lowest' for bezique"),
    ],
)
def test_wrong_files_are_one_line(tmp_path, study, message):
    path = save(tmp_path, study)
    with pytest.raises(UsageError) as caught:
        load_experiment(path)
    said = str(caught.value)
    assert message in said
    assert said.startswith(f"{path}: ")
    assert "\n" not in said


@pytest.mark.parametrize(
    "block",
    [
        BLOCK + 'strategies = "own.py:first"\n',
        FOUGHT.replace('"lowest"', '"declare=own.py:first+random"'),
        BLOCK + 'strategies = "random"\n[compare.by_game.bezique]\nstrategies = "own.py:first"\n',
        BLOCK + 'strategies = "random"\n' + BLOCK + 'games = ["bezique"]\nstrategies = "own.py:first"\n',
    ],
)
def test_a_strategy_file_is_refused_and_not_run(tmp_path, block):
    (tmp_path / "own.py").write_text(MARKED)
    with pytest.raises(UsageError, match="--trust-strategies") as caught:
        simcards.run(save(tmp_path, HEAD + block), tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert {file.name for file in tmp_path.iterdir()} == {"own.py", "study.toml"}


def test_a_trusted_one_is_the_one_beside_the_experiment(tmp_path, monkeypatch):
    (tmp_path / "studies").mkdir()
    (tmp_path / "studies" / "own.py").write_text(MARKED)
    monkeypatch.chdir(tmp_path)
    block = BLOCK + 'strategies = "random"\n[compare.by_game.bezique]\nstrategies = "own.py:first"\n'
    path = save(tmp_path / "studies", HEAD.replace("400", "4") + block)
    made = simcards.run(path, "page", workers=1, trust_strategies=True)
    assert (tmp_path / "studies" / "marker").read_text() == "run"
    said = made.markdown.read_text(encoding="utf-8")
    assert "simcards run study.toml --trust-strategies\n" in said
    assert "own.py:first in every seat (Bezique)" in said
    assert str(tmp_path) not in said


@pytest.mark.parametrize(("study", "family"), [("strategy-ladder*", None), ("bezique-family", "bezique")])
def test_the_studies_of_all_games_name_all_games(study, family):
    named = set()
    for path in (HERE / "experiments").glob(f"{study}.toml"):
        for block in load_experiment(path).compare:
            named |= {entry.game for entry in block.entries}
    known = {name for name, ruleset in registry.rulesets().items() if family in (None, ruleset.family)} - {"toy-whist"}
    assert known <= named, f"to be added to the games of experiments/{study}.toml"


def test_every_key_is_documented():
    text = (HERE / "docs" / "reports.md").read_text(encoding="utf-8")
    for key in (*BLOCK_KEYS, *GAME_KEYS):
        assert f"`{key}`" in text or f"`[compare.{key}." in text, key


@pytest.mark.parametrize("deals", [0, -1])
def test_another_number_of_deals_is_checked(tmp_path, deals):
    experiment = load_experiment(save(tmp_path, STUDY))
    with pytest.raises(UsageError, match=f"from 1 to .*, not {deals}"):
        run_experiment(experiment, tmp_path / "out", deals=deals, workers=1)
    assert not (tmp_path / "out").exists()
