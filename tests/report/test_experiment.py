from __future__ import annotations

import json
from pathlib import Path

import pytest

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
        (BASE + "[whatever9]\naces = 1", "[rules] and [fixed]"),
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
        ('game = "bezique"\ndeals = 1979-05-27', "deals must be a whole number"),
        ("game = 5\ndeals = 1", "game must be a text"),
        ('game = "besique2"\ndeals = 1', "did you mean"),
        (BASE + 'unit = "gane"', "did you mean 'game'?"),
        (BASE + 'kind = "reprot"', "did you mean 'report'?"),
        (BASE + "seed = -1", "seed"),
        (BASE + 'strategies = ["basic", 3]', "not 3 among them"),
        (BASE + 'strategies = "besic"', "did you mean 'basic'?"),
        (BASE + 'strategies = ["./evil.py:go"]', "an experiment runs none"),
        (BASE + 'strategies = "evil.py:go"', "an experiment runs none"),
        (BASE + 'kind = "match"\nstrategies = "basic"', "two names or more"),
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
    made = load_experiment(save(tmp_path, BASE + 'precision = 1\ntarget = "pints.pone"'))
    with pytest.raises(UsageError, match=r"points\.pone"):
        run_experiment(made, tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", sorted((HERE / "experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_the_experiments_of_this_repository(path):
    made = load_experiment(path)
    assert made.command == f"simcards run experiments/{path.name}"
    assert made.folder == Path("reports", path.stem)
    assert made.title


def test_every_key_is_documented():
    text = (HERE / "docs" / "reports.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"`{key}`" in text or f"`[{key}]`" in text, key


def test_every_game_with_a_committed_report_has_an_experiment():
    for name in registry.rulesets():
        if (HERE / "reports" / name).is_dir():
            assert (HERE / "experiments" / f"{name}.toml").is_file()
