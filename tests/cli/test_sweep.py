"""``simcards sweep``, with a cheap strategy of one's own."""

from __future__ import annotations

import json
import shlex

import pytest

import simcards

SOURCE = """
from simcards import actions, strategy

bold = strategy("bezique", courage=0)

@bold.phase("play")
def play(view, legal, rng, options):
    them = actions(legal)
    return them[min(int(options.courage), len(them) - 1)]
"""


@pytest.fixture(autouse=True)
def file(tmp_path):
    (tmp_path / "own.py").write_text(SOURCE)
    (tmp_path / "FULL").mkdir()
    (tmp_path / "FULL" / "letter.txt").write_text("mine\n")


SWEEP = "sweep bezique own.py:bold --over courage=0..3 -n 60 --seed 3"


def test_the_table(call):
    answer = call(*shlex.split(SWEEP))
    assert (answer.status, answer.err) == (0, "")
    assert "courage=0 (default)" in answer.out
    assert "against basic" in answer.out
    assert "p (Holm)" in answer.out


def test_the_same_numbers_as_a_match_and_as_python(call):
    answer = call(*shlex.split(f"{SWEEP} --json"))
    made = json.loads(answer.out)
    rows = [row for row in made["rows"] if row["section"] == "against"]
    assert [row["parameter_courage"] for row in rows] == [0, 1, 2, 3]
    played = json.loads(call(*shlex.split("match bezique own.py:bold:courage=2 basic -n 60 --seed 3 --json")).out)
    payoff = rows[2]["quantity"]
    single = next(row for row in played["rows"] if row["quantity"] == payoff)
    for name in ("n", "estimate", "se", "ci_low", "ci_high", "p_value", "mean", "mean_against"):
        assert rows[2][name] == single[name]
    result = simcards.game("bezique").sweep("own.py:bold", {"courage": range(4)}, deals=60, seed=3)
    assert [record["estimate"] for record in result.records] == [row["estimate"] for row in made["rows"]]
    assert made["provenance"]["over"] == {"courage": [0, 1, 2, 3]}


def test_the_best_setting_with_plot_and_folder(call, tmp_path):
    answer = call(*shlex.split(f"{SWEEP} --best --confirm 30 --plot map.png --out made"))
    assert (answer.status, answer.err) == (0, "")
    assert "chosen on" in answer.out
    assert "Confirmed on 30 deals of their own, those of seed " in answer.out
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    about = json.loads((tmp_path / "made" / "provenance.json").read_text(encoding="utf-8"))
    assert about["confirmation"]["deals"] == 30
    assert about["best"].startswith("own.py:bold")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sweep bezique", "STRATEGY is missing"),
        ("sweep bezique mc", "nothing is varied: name a parameter and its values, such as worlds=5,10,20"),
        ("sweep bezique mc --over worlds", "--over is written name=values, such as worlds=5,10,20, not 'worlds'"),
        ("sweep bezique mc --over worlds=1 --over worlds=2", "--over gives 'worlds' twice"),
        ("sweep bezique mc --over world=1", "did you mean 'worlds'?"),
        ("sweep bezique mc --over worlds=few", "the values of 'worlds' are written 1,2,5 or 0..10"),
        ("sweep bezique mc --over worlds=0", "takes a whole number from 1 to 100000, not 0"),
        ("sweep bezique mc --over worlds=1..100", "at most 64 settings"),
        ("sweep bezique random --over worlds=1", "the strategy random has no parameters"),
        ("sweep bezique mc --over worlds=20 --best", "the best of one setting is that one"),
        ("sweep bezique mc --over worlds=1,2 --confirm 5", "without asking for the best setting"),
        ("sweep bezique mc --over worlds=1,2 --best --confirm some", "the number of deals to confirm on must be"),
        ("sweep bezique mc --over worlds=1,2 --against besic", "did you mean 'basic'?"),
        ("sweep bezique mc --over worlds=1,2 --plot map.jpg", "ends in .svg, .png, .pdf, not 'map.jpg'"),
        ("sweep bezique mc --over worlds=1,2 --plot nowhere/map.svg", "there is no folder"),
        ("sweep bezique mc --over worlds=1,2 --out FULL", "the folder is not empty"),
        ("sweep bezique mc --over worlds=1,2 --quantity pionts", "did you mean 'points'?"),
    ],
)
def test_what_is_typed_wrong(call, typed, said):
    answer = call(*shlex.split(typed))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err
