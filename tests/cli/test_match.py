"""What `simcards match` tells of a match: verdicts, corrected differences, games, deals and ratings."""

from __future__ import annotations

import json
import re

import pytest

OWN = """
from simcards import actions, strategy

first = strategy("bezique", rest="random")


@first.phase("declare")
def declare(view, legal):
    return actions(legal)[0]
"""


def rows(answer, section=None):
    data = json.loads(answer.out)["rows"]
    return [row for row in data if section in (None, row["section"])]


def test_until_decided(call):
    answer = call("match", "bezique", "basic", "random", "--until-decided", "--level", "99.9 %")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert "which is better, to be decided with 99.9 % confidence:" in lines
    assert "  basic is better than random, decided after 1,000 deals" in lines
    assert "99.9 %" in answer.out.partition("Value a deal")[2]
    assert " p " not in answer.out.partition("Value a deal")[2].splitlines()[1]
    data = json.loads(call("match", "bezique", "basic", "random", "--until-decided", "--json").out)
    assert data["provenance"]["until_decided"] == 0.95
    assert data["provenance"]["deals_at_most"] == 1_000_000
    assert data["provenance"]["verdicts"] == [{"first": "basic", "second": "random", "better": "basic"}]


def test_equal_strategies_stay_undecided(call):
    answer = call("match", "bezique", "random", "random", "--until-decided", "-n", "1200")
    assert "random (1) against random (2): undecided after 1,200 deals" in answer.out
    assert "endless" in answer.out  # every difference is 0 on the same cards


def test_the_reduction_stands_beside_the_difference(call):
    words = ("match", "bezique", "basic", "random", "-n", "200")
    (value,) = (row for row in rows(call(*words, "--json")) if row["quantity"] == "value")
    table = call(*words).out.partition("Value a deal")[2].splitlines()
    assert table[1].split()[-1] == "reduction"
    assert float(table[2].split()[-1]) == pytest.approx(value["reduction"], rel=0.005)


def test_games_and_deals(call):
    words = ("match", "bezique", "basic", "random", "-n", "200")
    out = call(*words).out
    assert re.search(r"^ +won +drawn +lost$", out, re.M)
    assert re.search(r"^ +better +equal +worse$", out, re.M)
    made = {row["quantity"]: row["estimate"] for row in rows(call(*words, "--json"), "games")}
    assert sum(made[name] for name in ("won_games", "drawn_games", "lost_games")) == pytest.approx(1.0)
    assert sum(made[name] for name in ("better_deals", "equal_deals", "worse_deals")) == pytest.approx(1.0)


def test_three_strategies_are_rated(call):
    words = ("match", "bezique", "basic", "random", "random", "-n", "200")
    rated = rows(call(*words, "--json"), "ratings")
    assert [row.get("strategy") for row in rated] == ["basic", "random (1)", "random (2)", None]
    assert sum(row["estimate"] for row in rated[:3]) == pytest.approx(0.0, abs=1e-9)
    assert rated[0]["estimate"] > 0.0
    out = call(*words).out
    assert "Elo points relative to the mean" in out
    table = out.partition("\nRatings")[2].splitlines()
    assert [line.split("  ")[0] for line in table[1:5]] == ["basic", "random (1)", "random (2)", "draws"]
    assert re.search(r"\+[\d.]+ ± [\d.]+", table[1])
    assert "Ratings" not in call("match", "bezique", "basic", "random", "-n", "50").out


def test_pairs_that_share_names_are_kept_apart(call):
    answer = call("match", "bezique", "random", "random", "basic", "-n", "60", "--json")
    pairs = [(row["strategy"], row["against"], row["n"]) for row in rows(answer) if row["quantity"] == "value"]
    assert pairs == [("random (1)", "random (2)", 60), ("random (1)", "basic", 60), ("random (2)", "basic", 60)]
    table = call("match", "bezique", "random", "random", "basic", "-n", "60", "--csv").out
    assert "random (2)" in table
    assert table.count("\n") == answer.out.count('"quantity"') + 1
    out = call("match", "bezique", "random", "random", "basic", "-n", "60").out
    for name in ("random (1) against random (2)", "random (1) against basic", "random (2) against basic"):
        assert out.count(f"\n{name}") >= 2, name  # in a summary and with a table of its own


def test_controls_correct_the_difference(call):
    # against itself every difference is 0, so any quantity has the mean 0
    words = ("match", "bezique", "random", "random", "-n", "100", "--control", "won", "--control", "tricks=0.0")
    answer = call(*words)
    assert (answer.status, answer.err) == (0, "")
    assert "corrected by quantities of known mean" in answer.out
    assert "warning" not in answer.out
    (row,) = rows(call(*words, "--json"), "controlled")
    assert (row["strategy"], row["against"], row["estimate"]) == ("random (1)", "random (2)", 0.0)


@pytest.mark.parametrize(("strategies", "far"), [("random random", "always"), ("basic random", "standard errors")])
def test_a_mean_that_is_not_right_is_told(call, strategies, far):
    out = " ".join(call("match", "bezique", *strategies.split(), "-n", "100", "--control", "won=1/2", "-q").out.split())
    assert "warning: won has not the mean 0.5 that was given" in out
    assert f"{far} off, so do not trust" in out


def test_a_strategy_in_a_folder_is_called_by_its_file(call, tmp_path):
    (tmp_path / "some" / "folder").mkdir(parents=True)
    (tmp_path / "some" / "folder" / "own.py").write_text(OWN)
    out = call("match", "bezique", "some/folder/own.py:first", "random", "-n", "50").out
    assert "own.py:first against random" in out.partition("Value a deal")[2]
    assert "some/folder" not in out.partition("Value a deal")[2]
    assert "some/folder/own.py:first" in out.partition("Value a deal")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--level 0.9", "--level is the confidence of --until-decided"),
        ("--until-decided --level 2", "--level lies between 0 and 1"),
        ("--until-decided --level 100%", "--level lies between 0 and 1"),
        ("--until-decided --level nan", "--level lies between 0 and 1"),
        ("--until-decided --level 9%%", "--level lies between 0 and 1"),
        ("--until-decided --precision 3", "not both"),
        ("--until-decided --target points", "target"),
        ("--control won=many", "'many' is no mean of won"),
        ("--control won=1/0", "'1/0' is no mean of won"),
        ("--control =3", "NAME=MEAN"),
        ("--control won --control won=1", "gives 'won' twice"),
        ("--control wom", "did you mean 'won'?"),
        ("--control value", "no quantity 'value' to use as a control"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(call, words, said):
    answer = call("match", "bezique", "basic", "random", "-n", "50", *words.split())
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("simcards: ")
    assert answer.err.count("\n") == 1
