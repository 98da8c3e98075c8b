from __future__ import annotations

import json
from pathlib import Path

import pytest

import simcards
from simcards.errors import UsageError
from simcards.games import registry
from simcards.report.experiment import KEYS, load_experiment, run_experiment

GOOD = """
title = "A title"
game = "bezique"
deals = 120
match_deals = 50
seed = 7
strategies = ["basic", "random"]
text = "Some text."
[rules]
aces = 120
draw_order = "pone"
[fixed]
pone = "QS JD"
"""
HERE = Path(__file__).parents[2]


def save(tmp_path, text):
    path = tmp_path / "study.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_everything_in_the_file_is_used(tmp_path):
    made = load_experiment(save(tmp_path, GOOD))
    assert (made.name, made.game, made.kind, made.deals, made.match_deals) == (
        "study",
        "bezique",
        "report",
        120,
        50,
    )
    report = run_experiment(made, tmp_path / "out", workers=1)
    about = json.loads(report.provenance.read_text(encoding="utf-8"))
    assert about["title"] == "A title"
    assert about["play"]["rules"]["aces"] == 120
    assert about["play"]["rules"]["draw_order"] == "pone"
    assert about["play"]["cards"] == {"pone": ["QS", "JD"]}
    assert about["play"]["seed"] == 7
    assert about["match"]["deals"] == 50
    assert about["match"]["strategies"] == ["basic", "random"]
    assert about["experiment"]["file"] == "study.toml"
    assert about["experiment"]["rules"] == {"aces": 120, "draw_order": "pone"}
    text = report.markdown.read_text(encoding="utf-8")
    assert "Some text." in text
    assert "simcards run study.toml\n" in text


def test_other_numbers_of_deals(tmp_path):
    report = run_experiment(load_experiment(save(tmp_path, GOOD)), tmp_path / "out", deals=40, workers=1)
    assert (report.outcome.deals, report.match.deals) == (40, 40)
    assert "simcards run study.toml --deals 40" in report.markdown.read_text(encoding="utf-8")


def test_play(tmp_path):
    path = save(tmp_path, 'kind = "play"\ngame = "bezique"\ndeals = 1e2\nstrategies = ["basic", "random"]')
    report = run_experiment(load_experiment(path), tmp_path / "out", workers=1)
    assert report.outcome.plan.strategies == ("basic", "random")
    assert report.outcome.deals == 100
    assert report.match is None


def test_match(tmp_path):
    path = save(tmp_path, 'kind = "match"\ngame = "bezique"\ndeals = 60\nstrategies = ["basic", "random"]')
    report = run_experiment(load_experiment(path), tmp_path / "out", workers=1)
    assert report.outcome is None
    assert report.match.deals == 60
    assert "# Bezique: basic against random\n" in report.markdown.read_text(encoding="utf-8")
    assert set(report.records) == {"match"}


def test_match_until_precise(tmp_path):
    text = 'kind = "match"\ngame = "bezique"\ndeals = 5000\nstrategies = ["basic", "random"]\nprecision = 20'
    report = run_experiment(load_experiment(save(tmp_path, text)), tmp_path / "out", workers=1)
    assert report.match.precise
    assert report.match.deals < 5000


BASE = 'game = "bezique"\ndeals = 100\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BASE + "sed = 1", "did you mean 'seed'?"),
        (BASE + "deels = 1", "did you mean 'deals'?"),
        (BASE + "zzzzzzzzz = 1", "known: title, text"),
        (BASE + "[ruls]\naces = 1", "did you mean 'rules'?"),
        (BASE + "[whatever9]\naces = 1", "tables are [rules], [fixed] and [controls]"),
        ('game = "bezique"', "'deals' is missing"),
        ("deals = 100", "'game' is missing"),
        ("", "'game' is missing"),
        ('game = "bezique"\ndeals = "100"', "deals must be a whole number"),
        ('game = "bezique"\ndeals = 10.5', "deals must be a whole number, not 10.5"),
        ('game = "bezique"\ndeals = inf', "deals must be a whole number"),
        ('game = "bezique"\ndeals = nan', "deals must be a whole number"),
        ('game = "bezique"\ndeals = true', "deals must be a whole number"),
        ('game = "bezique"\ndeals = 0', "deals"),
        ('game = "bezique"\ndeals = 1e300', "deals"),
        ('game = "bezique"\ndeals = [1]', "deals must be a whole number, not [1]"),
        ('game = "bezique"\ndeals = 1979-05-27', "deals must be a whole number, not 1979-05-27"),
        ("game = 5\ndeals = 1", "game must be a text"),
        ('game = "besique2"\ndeals = 1', "did you mean"),
        (BASE + 'unit = "gane"', "did you mean 'game'?"),
        (BASE + 'kind = "reprot"', "did you mean 'report'?"),
        (BASE + "seed = -1", "seed"),
        (BASE + 'strategies = ["basic", 3]', "not 3 among them"),
        (BASE + 'strategies = "besic"', "did you mean 'basic'?"),
        (BASE + 'strategies = ["./evil.py:go"]', "--trust-strategies"),
        (BASE + 'strategies = "evil.py:go"', "--trust-strategies"),
        (BASE + 'kind = "match"\nstrategies = "basic"', "two names or more"),
        (BASE + "strategies = []", "strategies names none"),
        (BASE + 'strategies = ["basic", "basic"]', "basic cannot be compared with itself"),
        (BASE + 'strategies = ["basic", "random"]\nmatch_deals = 0', "the match has 0 deals"),
        (BASE + 'precision = 1\ntarget = ""', "not by an empty text"),
        (BASE + 'unit = "game"\n[rules]\ntarget = 0', "a game is a single deal"),
        (BASE + "[rules]\ntarget = 500", "choose the unit 'game'"),
        (
            BASE + 'kind = "match"\nmatch_deals = 5\nstrategies = ["basic", "random"]',
            "match_deals means nothing",
        ),
        (BASE + 'kind = "play"\nstrategies = ["basic", "basic", "basic"]', "not 3"),
        (BASE + "precision = 0", "precision must be a number above 0"),
        (BASE + "precision = nan", "precision must be a number above 0"),
        (BASE + 'target = "points.pone"', "without a precision"),
        (BASE + "[rules]\nacess = 1", "did you mean 'aces'?"),
        (BASE + '[rules]\naces = "many"', "whole number"),
        (BASE + "[rules]\naces = -5", "aces"),
        (BASE + "[rules]\naces = true", "rules.aces must be a whole number or a word"),
        (BASE + "[rules]\naces = {a = 1}", "rules.aces must be"),
        (BASE + '[rules]\ndraw_order = "winer"', "did you mean 'winner'?"),
        (BASE + "rules = 5", "rules must be a table"),
        (BASE + '[fixed]\npine = "QS"', "did you mean 'pone'?"),
        (BASE + '[fixed]\npone = "QS QS QS"', "QS"),
        (BASE + '[fixed]\npone = "XX"', "XX"),
        (BASE + "[fixed]\npone = 5", "fixed.pone must be cards"),
        (BASE + "deals = 5", "not TOML"),
        ("game = ", "not TOML"),
        ("{}", "not TOML"),
        (b"\xff\xfe", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        ("deals = " + "9" * 5000, "not TOML"),
    ],
)
def test_wrong_files_are_one_line(tmp_path, text, words):
    path = save(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_experiment(path)
    message = str(caught.value)
    assert words in message
    assert str(path) in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path):
    for path, words in (
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "s a directory"),
        ("a\0b", "null"),
    ):
        with pytest.raises(UsageError, match=words) as caught:
            load_experiment(path)
        assert "\n" not in str(caught.value)


def test_a_huge_file_is_not_read_to_the_end(tmp_path):
    with pytest.raises(UsageError, match="megabyte"):
        load_experiment(save(tmp_path, "#" * 2**21))


def test_a_wrong_target_is_found_before_anything_is_written(tmp_path):
    for more in ('target = "pints.pone"', 'kind = "match"\nstrategies = ["basic", "random"]\ntarget = "pints"'):
        with pytest.raises(UsageError, match=r"study\.toml: there is no quantity 'pints.*did you mean 'points"):
            load_experiment(save(tmp_path, BASE + "precision = 1\n" + more))


def test_a_byte_order_mark_is_no_fault(tmp_path):
    assert load_experiment(save(tmp_path, b"\xef\xbb\xbf" + BASE.encode())).deals == 100


@pytest.mark.parametrize("path", sorted((HERE / "experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_the_experiments_of_this_repository(path):
    made = load_experiment(path)
    assert made.command == f"simcards run experiments/{path.name}"
    assert made.folder == Path("pages", path.stem)
    assert made.title


def test_every_key_is_documented():
    text = (HERE / "docs" / "reports.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"`{key}`" in text or f"`[{key}]`" in text, key


def test_every_game_with_a_committed_report_has_an_experiment():
    for name in registry.rulesets():
        if (HERE / "reports" / name).is_dir():
            assert (HERE / "experiments" / f"{name}.toml").is_file()


MARKED = """
from pathlib import Path

from simcards import actions, strategy

with Path(__file__).with_name("marker").open("a") as file:
    file.write("run")

first = strategy("bezique", rest="random", which=0)


@first.phase("declare")
def declare(view, legal):
    return actions(legal)[0]
"""


@pytest.mark.parametrize(
    "strategies",
    [
        '"own.py:first"',
        '["random", "own.py:first"]',
        '["random", "declare=own.py:first:which=1+random"]',
        '["random", "random+./sub/../own.py:first"]',
        '["random+play=own.py:first"]',
    ],
)
@pytest.mark.parametrize("kind", ["report", "play", "match"])
def test_a_strategy_file_is_refused_and_not_run(tmp_path, kind, strategies):
    (tmp_path / "own.py").write_text(MARKED)
    path = save(tmp_path, f'kind = "{kind}"\n{BASE}strategies = {strategies}')
    with pytest.raises(UsageError, match="--trust-strategies") as caught:
        load_experiment(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="--trust-strategies"):
        simcards.run(path, tmp_path / "out")
    assert {file.name for file in tmp_path.iterdir()} == {"own.py", "study.toml"}


def test_a_trusted_strategy_file_is_the_one_beside_the_experiment(tmp_path, monkeypatch):
    (tmp_path / "studies").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "studies" / "own.py").write_text(MARKED)
    path = save(tmp_path / "studies", 'kind = "match"\n' + BASE + 'strategies = ["own.py:first", "random"]')
    monkeypatch.chdir(tmp_path / "elsewhere")
    report = simcards.run(path, "page", workers=1, trust_strategies=True)
    assert (tmp_path / "studies" / "marker").read_text() == "run"
    text = report.markdown.read_text(encoding="utf-8")
    assert "simcards run study.toml --trust-strategies\n" in text
    assert "own.py:first does better than random" in text or "own.py:first and random" in text
    assert str(tmp_path) not in text
    assert str(tmp_path) not in (report.folder / "tables" / "match.csv").read_text(encoding="utf-8")


def test_a_trusted_file_that_is_not_there(tmp_path):
    path = save(tmp_path, BASE + 'strategies = "own.py:first"')
    with pytest.raises(UsageError, match=r"study\.toml: cannot read the strategies in .*own\.py"):
        load_experiment(path, trust_strategies=True)


def test_parameters_are_no_file(tmp_path):
    assert load_experiment(save(tmp_path, BASE + 'strategies = "mc:worlds=2"')).strategies == ("mc:worlds=2",)


MATCH = 'kind = "match"\n' + BASE + 'strategies = ["basic", "random"]\n'


def test_a_match_until_decided(tmp_path):
    text = MATCH.replace("100", "5000") + 'until_decided = 0.999\ncontrols = ["points_seven"]'
    report = run_experiment(load_experiment(save(tmp_path, text)), tmp_path / "out", workers=1)
    assert report.match.precise
    assert report.match.deals == 1000
    said = report.markdown.read_text(encoding="utf-8")
    assert "99.9 % interval (all pairs, every look)" in said
    assert "is at most 0.1 %" in said
    assert "corrected by quantities of known mean" in said
    assert "points\\_seven has not the mean 0 that was given" in said
    about = json.loads(report.provenance.read_text(encoding="utf-8"))["experiment"]
    assert about["until_decided"] == 0.999
    assert about["controls"] == {"points_seven": 0}


@pytest.mark.parametrize("controls", ['controls = "won"', 'controls = ["won"]', "[controls]\nwon = 0"])
def test_controls_can_be_written_in_three_ways(tmp_path, controls):
    assert load_experiment(save(tmp_path, MATCH + controls)).controls == {"won": 0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MATCH + "until_decided = 1", "until_decided lies between 0 and 1"),
        (MATCH + "until_decided = nan", "until_decided lies between 0 and 1"),
        (MATCH + "until_decided = true", "until_decided must be a number"),
        (MATCH + "until_decided = 0.9\nprecision = 1", "not both"),
        (MATCH + "controls = [3]", "controls must be names"),
        (MATCH + "controls = 3", "controls must be a name"),
        (MATCH + 'controls = "wom"', "did you mean 'won'"),
        (MATCH + '[controls]\nwon = "x"', "controls.won must be a number"),
        (MATCH + "[controls]\nwon = inf", "controls.won must be a number"),
        (BASE + "until_decided = 0.9", "means nothing"),
        (BASE + 'strategies = "own:first"', "ends in .py"),
    ],
)
def test_wrong_keys_of_a_match_are_one_line(tmp_path, text, words):
    with pytest.raises(UsageError) as caught:
        load_experiment(save(tmp_path, text))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
