"""The verbs in Python: the same numbers as the commands, and results that can be looked at and saved."""

from __future__ import annotations

import contextlib
import inspect
import json
import math
import subprocess
import sys

import pandas as pd
import pytest

import simcards
import simcards.api
from simcards._input import count, pairs
from simcards.cli import main
from simcards.errors import UsageError


@pytest.fixture(scope="module")
def bezique():
    return simcards.game("bezique")


@pytest.fixture(scope="module")
def played(bezique):
    return bezique.play(deals=500, seed=3)


@pytest.fixture(scope="module")
def matched(bezique):
    return bezique.match("basic", "random", deals=100)


def printed(capsys, *words: str) -> dict:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def same(frame: pd.DataFrame, rows: list[dict]) -> None:
    there = json.loads(frame.to_json(orient="records", double_precision=15))
    assert len(there) == len(rows)
    for one, other in zip(there, rows, strict=True):
        for name, value in other.items():
            expected = pytest.approx(value, rel=1e-12, abs=1e-14) if isinstance(value, float) else value
            assert one[name] == expected, name


CONTROL = ("--control", "points_seven")


# -- the same as the commands ----------------------------------------------------------------------------


def test_games(capsys):
    same(simcards.games(), printed(capsys, "games")["rows"])


def test_rules(capsys, bezique):
    same(
        bezique.rules({"brisques": "never"}),
        printed(capsys, "rules", "bezique", "--set", "brisques=never")["rows"],
    )
    same(bezique.quantities(), printed(capsys, "rules", "bezique", "--quantities")["rows"])


def test_what_strategies_need(capsys, bezique):
    data = printed(capsys, "rules", "bezique", "--view")
    same(bezique.view(), data["rows"])
    assert bezique.view().set_index("field").loc["common.led", "type"] == "int32"
    same(bezique.phases(), data["provenance"]["phases"])
    assert list(bezique.phases()["phase"]) == list(bezique.compiled.phases)
    given = {row["strategy"]: row["parameters"] for row in data["provenance"]["strategies"]}
    assert set(given) == set(bezique.strategies)
    mc = bezique.parameters().query("strategy == 'mc'")
    assert list(mc["parameter"]) == [parameter["parameter"] for parameter in given["mc"]]
    assert simcards.game("bezique").match("mc:" + mc["parameter"].iloc[0] + "=1", "random", deals=1).deals == 1


def test_a_match_until_decided(capsys, bezique):
    made = bezique.match("basic", "random", until_decided=0.99, controls=["points_seven"])
    data = printed(capsys, "match", "bezique", "basic", "random", *["--until-decided", "--level", "0.99"], *CONTROL)
    same(made.frame, data["rows"])
    assert [verdict.better for verdict in made.outcome.verdicts()] == ["basic"]
    with pytest.raises(UsageError, match="between 0 and 1"):
        bezique.match("basic", "random", until_decided=True)
    with pytest.raises(UsageError, match="known mean of won must be a number"):
        bezique.match("basic", "random", controls={"won": "x"})
    with pytest.raises(UsageError, match="a control"):
        bezique.match("basic", "random", controls=[3])


def test_play(capsys, played):
    data = printed(capsys, "play", "bezique", "-n", "500", "--seed", "3")
    assert data["rows"] == json.loads(json.dumps(simcards.results.jsonable(played.records)))
    same(played.frame, data["rows"])
    for name in ("game", "unit", "rules", "strategies", "cards", "seed", "deals", "sources"):
        assert data["provenance"][name] == played.provenance[name]


def test_play_with_everything(capsys, bezique):
    result = bezique.play(
        ["basic", "random"],
        "300",
        8,
        rules={"last_trick": 30},
        unit="deal",
        fixed={"pone": "AS AS"},
        workers=1,
    )
    data = printed(
        capsys, "play", "bezique", "-s", "basic", "-s", "random", "-n", "300", "--seed", "8", "--set",
        "last_trick=30", "--fix", "pone=AS AS", "--workers", "2",
    )  # fmt: skip
    same(result.frame, data["rows"])


def test_match(capsys, matched):
    same(matched.frame, printed(capsys, "match", "bezique", "basic", "random", "-n", "100")["rows"])


def test_replay(capsys, bezique):
    result = bezique.replay(7, seed=2)
    data = printed(capsys, "replay", "bezique", "--deal", "7", "--seed", "2")
    assert data["rows"] == result.records
    assert data["provenance"] == json.loads(json.dumps(result.provenance))


def test_sample(capsys, bezique):
    frame = bezique.sample(deals=30, seed=4)
    assert frame.index.name == "deal"
    same(frame.reset_index(), printed(capsys, "sample", "bezique", "-n", "30", "--seed", "4")["rows"])


def test_report_and_run(tmp_path, bezique):
    made = bezique.report(tmp_path / "page", deals=600, match_deals=50)
    assert made.html.is_file()
    assert made.outcome.deals == 600
    file = tmp_path / "small.toml"
    file.write_text('game = "bezique"\nkind = "play"\ndeals = 1000\nstrategies = "random"\n')
    made = simcards.run(file, out=tmp_path / "other", deals=500)
    assert made.outcome.deals == 500
    assert made.markdown.is_file()


def test_rivals_are_checked_before_anything_is_played(tmp_path, bezique, monkeypatch):
    from simcards.report import page

    monkeypatch.setattr(page, "write_report", None)
    with pytest.raises(UsageError, match="nobody"):
        bezique.report(tmp_path / "page", against="nobody")


# -- results ---------------------------------------------------------------------------------------------


def test_results_read_well(played, matched, bezique):
    assert repr(played).startswith("<PlayResult: Bezique: 500 deals, basic in all seats, seed 3")
    assert "points_brisques" in str(played)
    assert repr(matched).startswith("<MatchResult: Bezique: 100 deals, basic against random, seed 1")
    assert "basic against random" in str(matched)
    replayed = bezique.replay(3)
    assert repr(replayed) == "<ReplayResult: Bezique: deal 3 of seed 1, basic in all seats>"
    assert "plays" in str(replayed)
    assert replayed.row["points.pone"] == replayed.scores[-1][0]


def test_results_in_a_notebook(played, matched, bezique):
    for result in (played, matched, bezique.replay(3)):
        html = result._repr_html_()
        assert html.count("<td") == html.count("</td>")
        assert "<script" not in html

    class Printer:
        said = ""

        def text(self, text: str) -> None:
            self.said += text

    printer = Printer()
    played._repr_pretty_(printer, cycle=False)
    assert printer.said == str(played)


def test_names_in_html_are_escaped(played):
    from simcards import terminal
    from simcards.report.tables import Heading, Table

    class Odd:
        def headline(self):
            return ["<b>odd</b>"]

        def tables(self, everything=False):
            return [Table("t", "<i>", (Heading("", number=False), Heading("&")), (("<td>", "1"),))]

        def remarks(self, everything=False):
            return ["<u>"]

    html = terminal.html(Odd())
    for wrong in ("<b>odd", "<i>", "<td><", "<u>"):
        assert wrong not in html
    assert "&lt;td&gt;" in html


def test_plots(played, matched, bezique):
    assert played.plot().axes
    assert matched.plot().axes
    with pytest.raises(UsageError, match="no plot"):
        bezique.replay(1).plot()


def test_histograms(played):
    bins = played.histogram("tricks.pone")
    assert bins["n"].sum() == 500
    assert (bins["low"] < bins["high"]).all()
    with pytest.raises(UsageError, match="did you mean"):
        played.histogram("trick.pone")


def test_saving(tmp_path, played, matched, bezique):
    for result, names in (
        (played, {"figure.svg", "histograms.csv", "provenance.json", "quantities.csv"}),
        (matched, {"comparisons.csv", "figure.svg", "provenance.json"}),
        (bezique.replay(2), {"decisions.csv", "provenance.json"}),
    ):
        folder = tmp_path / type(result).__name__
        for _ in range(2):  # what was saved before is replaced
            assert result.save(folder) == folder
        assert {path.name for path in folder.iterdir()} == names
        about = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        assert set(about["files"]) == names
        assert about["game"] == "bezique"
    frame = pd.read_csv(tmp_path / "PlayResult" / "quantities.csv")
    pd.testing.assert_series_equal(frame["estimate"], played.frame["estimate"], check_exact=True)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_saving_puts_nothing_in_the_place_of_what_is_not_ours(tmp_path, played):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        played.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match="it is a file"):
        played.save(tmp_path / "file")


def test_a_selection(bezique):
    result = bezique.play("random", 200, sections=["result"], quantities=["points", "margin"])
    assert set(result.frame["quantity"]) == {"points", "margin"}
    with pytest.raises(UsageError, match="did you mean 'margin'"):
        bezique.play("random", 200, quantities=["margni"])


def test_interrupted_and_progress(bezique):
    seen = []

    def tell(progress) -> None:
        seen.append(progress.done)
        if progress.done >= 300:
            raise KeyboardInterrupt

    result = bezique.play("random", 10**9, progress=tell)
    assert result.interrupted
    assert 300 <= result.deals < 10**9
    assert seen == sorted(seen)
    assert result.provenance["interrupted"] is True


def test_progress_can_be_shown(bezique, capsys):
    bezique.play("random", 500, progress=True)
    assert "bezique: 500 of 500 deals" in capsys.readouterr().err
    bezique.play("random", 500)
    assert capsys.readouterr().err == ""


def test_precision(bezique):
    result = bezique.play("random", precision=5.0, target="points.pone")
    assert result.outcome.precise
    assert 1000 <= result.deals < 10**5
    row = result.frame.query("quantity == 'points' and seat == 'pone'").iloc[0]
    assert row["method"] == "confidence-sequence"
    assert row["ci_high"] - row["ci_low"] <= 10.0


def test_checkpoints(tmp_path, bezique):
    path = tmp_path / "run.json"
    bezique.play("random", 1000, checkpoint=path)
    resumed = bezique.play("random", 3000, checkpoint=path, resume=True)
    whole = bezique.play("random", 3000)
    assert simcards.results.jsonable(resumed.records) == simcards.results.jsonable(whole.records)


# -- input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (7, 7), (1e6, 10**6), ("5000", 5000), ("100k", 100_000), ("1e6", 10**6), ("1_000_000", 10**6),
        ("1,000", 1000), ("2.5M", 2_500_000), (" 3K ", 3000), ("1.5e3", 1500), ("-5", -5), (".5k", 500),
        ("1e15", 10**15), (10**20, 10**20),
    ],
)  # fmt: skip
def test_counts(text, number):
    assert count(text) == number


@pytest.mark.parametrize(
    "text", ["", "k", "1e", "1.5", 0.5, "0x10", "1 000", "1e-3", "nan", float("inf"), True, None, "1e500"]
)
def test_counts_that_are_none(text):
    with pytest.raises(UsageError, match="must be a whole number"):
        count(text)


def test_pairs():
    assert pairs(["a=1", " b = x=y "], "--set", "rule=value") == {"a": "1", "b": "x=y"}
    for wrong in (["a"], ["=1"], ["a="], ["a=1", "a=2"]):
        with pytest.raises(UsageError, match="--set"):
            pairs(wrong, "--set", "rule=value")


STRANGE = [5, -1, 1.5, math.nan, "", "x", b"x", None, True, [], [5], ["x"], (), {}, {"pone": 5}, {5: 5}, object()]


@pytest.mark.parametrize("verb", ["play", "match", "sample", "replay", "plan", "rules", "report"])
def test_whatever_is_passed_is_used_or_refused(tmp_path, monkeypatch, bezique, verb):
    """Every parameter of every verb with every kind of value: what cannot be used is no error from inside."""
    from simcards.report import page

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(page, "dealt_odds", lambda *_, **__: None)
    monkeypatch.setattr(page, "write_page", lambda *_: None)
    method = getattr(bezique, verb)
    first = {"match": ("basic", "random"), "report": ("page",)}.get(verb, ())
    usual = {} if verb in ("replay", "rules") else {"deals": 5}
    refused = 0
    for name in inspect.signature(method).parameters:
        if name in ("strategies", "folder") and first:
            continue
        for value in STRANGE:
            with contextlib.suppress(UsageError):
                method(*first, **{**usual, name: value})
                continue
            refused += 1
    assert refused > 10


@pytest.mark.parametrize("value", STRANGE)
def test_what_stands_first_is_used_or_refused_in_one_line(tmp_path, monkeypatch, bezique, played, value):
    monkeypatch.chdir(tmp_path)
    verbs = (
        simcards.game, simcards.run, bezique.replay, bezique.report, played.histogram, played.save,
        lambda name: bezique.match("basic", name), lambda name: bezique.play(name, 5),
    )  # fmt: skip
    for verb in verbs:
        if verb == bezique.replay and value == 5 or verb == played.save and value == "x":
            continue
        if verb == bezique.report and value == "x" or verb is verbs[-1] and value is None:
            continue
        with pytest.raises(UsageError) as caught:
            verb(value)
        assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match=r"simcards\.games"):
        simcards.games(value)


def test_one_name_is_one_name(bezique):
    result = bezique.play("random", 20, sections="result", quantities="points")
    assert set(result.frame["quantity"]) == {"points"}


def test_a_report_reads_well(tmp_path, bezique):
    made = bezique.report(tmp_path / "page", deals=600, match_deals=50)
    assert repr(made) == (
        f"<Report 'Bezique' (600 deals, 50 deals of basic against random, {len(made.records)} tables): {made.html}>"
    )
    assert str(made.html) in made._repr_html_()
    assert len(made._repr_html_()) < 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"deals": 0}, "from 1 to"), ({"deals": "lots"}, "whole number"), ({"seed": -1}, "seed"),
        ({"strategies": "basik"}, "did you mean 'basic'"),
        ({"rules": {"tagret": 1}}, "did you mean 'target'"),
        ({"unit": "gmae"}, "did you mean 'game'"), ({"fixed": {"pone": "QS QS QS"}}, "3 times"),
        ({"target": "points.pone"}, "precision"), ({"resume": True}, "checkpoint"),
    ],
)  # fmt: skip
def test_wrong_words(bezique, words, said):
    with pytest.raises(UsageError, match=said):
        bezique.play(**{"deals": 100, **words})


def test_names_of_games():
    assert simcards.game("Рубикон-Безик").id == "rubicon-bezique"
    with pytest.raises(UsageError, match="did you mean 'rubicon-bezique'"):
        simcards.game("rubicon-bezik")
    handle = simcards.game("rubicon")
    assert handle.seats == ("pone", "dealer")
    assert handle.units == ("deal",)
    assert "basic" in handle.strategies
    assert (
        repr(handle.ruleset)
        == f"<rule set rubicon-bezique: Rubicon bezique, 2 players, 32x4, {len(handle.rules())} rules>"
    )
    assert repr(handle) == f"<game rubicon-bezique: Rubicon bezique, 2 players, {', '.join(handle.strategies)}>"


# -- the package -----------------------------------------------------------------------------------------


def test_every_name_is_there():
    assert set(simcards.__all__) <= set(dir(simcards))
    for name in simcards.__all__:
        assert getattr(simcards, name) is not None
    with pytest.raises(AttributeError, match="nonsuch"):
        simcards.nonsuch  # noqa: B018


def test_packages_that_are_called_stay_packages():
    code = (
        "import simcards\n"
        "print(len(simcards.games()) >= 2)\n"
        "from simcards.games import registry\n"
        "import simcards.games.bezique as family\n"
        "print(simcards.games.registry is registry, family.__name__)\n"
        "print(callable(simcards.games), callable(simcards.odds))\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert made.stdout.split() == ["True", "True", "simcards.games.bezique", "True", "True"]


def test_odds_of_a_game(bezique):
    result = bezique.odds(deals=0)
    assert len(result.frame) == len(bezique.ruleset.features)


def test_the_page_about_python_is_right(tmp_path, monkeypatch):
    """Every line of docs/python.md runs, with fewer deals."""
    import re
    from pathlib import Path

    text = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(simcards.api, "DEALS", 300)
    names: dict = {}
    lines = [line for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(lines) > 30
    for line in lines:
        if "mine.py" in line or "experiments/" in line:
            continue
        fewer = re.sub(r'\b[0-9]{2,3}_000\b|"1e8"', "300", line).replace("precision=0.5", "precision=50")
        if '"mc' in line:
            fewer = fewer.replace("deals=1000", "deals=2")
        exec(fewer, names)  # noqa: S102
