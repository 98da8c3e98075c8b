"""`simcards.odds` in Python: arguments, results, and that nothing heavy is imported before it is used."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import simcards
from simcards.games import registry
from simcards.odds import OddsResult, dealt, odds
from simcards.odds.exact import NotCounted, count
from simcards.odds.expression import parse
from simcards.odds.ground import Graph, ground
from simcards.odds.written import fixed, one_in, percent, several

GAMES = [known.id for known in registry.rulesets().values() if known.features]


def test_the_module_is_called() -> None:
    result = simcards.odds(pack="32x6", hand=12, features=["n('QS') >= 2 and n('JD') >= 2"], deals=10_000)
    assert isinstance(result, OddsResult)
    row = result.rows[0]
    assert row.value == Fraction(22322436612011, 13868656906474968)
    assert row.estimate.n == 10_000
    assert odds("n('A') >= 2", pack=32, hand=8, deals=0).rows[0].value == Fraction(1, 1) - Fraction(
        sum(math.comb(4, k) * math.comb(28, 8 - k) for k in (0, 1)), math.comb(32, 8)
    )


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, simcards, simcards.odds, simcards.odds.expression, simcards.odds.api\n"
        "from simcards.odds.deal import make_deal\n"
        "simcards.odds.expression.parse(\"n('K') >= 1\", make_deal(32, 8))\n"
        "heavy = {'numba', 'pandas', 'scipy', 'matplotlib', 'joblib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("game", GAMES)
def test_the_dealt_hand_of_every_game(game: str) -> None:
    """Every feature is counted, and agrees with the simulation."""
    result = dealt(game, deals=200_000, seed=11)
    ruleset = registry.ruleset(game)
    assert [row.name for row in result.rows] == [feature.name for feature in ruleset.features]
    assert all(row.exact is not None for row in result.rows)
    scores = [row.z for row in result.rows if not math.isnan(row.z)]
    assert len(scores) >= len(result.rows) // 2
    assert max(map(abs, scores)) < 4.0
    frame = result.frame
    assert list(frame["quantity"]) == [row.name for row in result.rows]
    for line in frame.itertuples():
        assert line.exact == pytest.approx(line.numerator / line.denominator)
        assert line.kind == "mean" or line.odds.startswith("1 in ")


def test_a_game_without_a_hand() -> None:
    bare = [known.id for known in registry.rulesets().values() if not known.hand]
    for game in bare[:1]:
        assert dealt(game).rows == ()
        with pytest.raises(simcards.UsageError, match="how many cards are dealt"):
            odds(game=game)


def test_features_by_name() -> None:
    result = odds(["carte blanche", "n('A') == 0", "Bezique"], game="rubicon-bezique", deals=0)
    assert [row.name for row in result.rows] == ["carte blanche", "n('A') == 0", "bezique"]
    assert result["carte blanche"].expression == "n('K Q J') == 0"
    own = odds({"blank": "carte_blanche and n('T') == 0", "twice": "blank and n('A') == 0"}, game="bezique", deals=0)
    assert own["twice"].value == odds("n('K Q J T A') == 0", game="bezique", deals=0).rows[0].value
    both = odds([("kings", "n('K')"), "kings >= 2"], pack=32, hand=8, deals=0)
    assert both.rows[1].is_condition


def test_features_that_cannot_be_are_no_error() -> None:
    """With known cards some standard features are impossible; a question of one's own would be refused."""
    result = odds(game="bezique", hand="7S 8S 9S 7H 8H 9H 7D +1", deals=1_000)
    assert result["double bezique"].value == 0
    assert result["double bezique"].z == 0.0
    with pytest.raises(simcards.UsageError, match="can never hold"):
        odds("n('QS') >= 2 and n('JD') >= 2", pack="32x2", hand="7S 8S 9S 7H 8H 9H 7D +1", deals=0)


def test_records() -> None:
    result = odds({"kings": "n('K')", "a king": "n('K') >= 1"}, pack=32, hand=8, deals=5_000)
    mean_counted, mean_seen, rate_counted, rate_seen = result.records
    columns = ["quantity", "n", "estimate", "se", "ci_low", "ci_high", "method"]
    for record in result.records:
        assert list(record)[:7] == columns
    assert (mean_counted["method"], mean_counted["numerator"], mean_counted["denominator"]) == ("exact", "1", "1")
    assert Fraction(int(rate_counted["numerator"]), int(rate_counted["denominator"])) == result["a king"].value
    assert rate_counted["one_in"] == pytest.approx(1 / rate_counted["estimate"])
    assert rate_seen["method"] == "wilson"
    assert rate_seen["exact"] == rate_counted["estimate"]
    assert mean_seen["z"] == result["kings"].z
    json.dumps(result.provenance)
    assert result.provenance["features"] == {"kings": "n('K')", "a king": "n('K') >= 1"}


def test_distribution() -> None:
    result = odds("n('K')", pack=32, hand=8, deals=50_000)
    table = result.distribution()
    assert list(table["value"]) == [0, 1, 2, 3, 4]
    assert sum(table["ways"]) == math.comb(32, 8)
    assert table["exact"].sum() == pytest.approx(1.0)
    assert table["estimate"].sum() == pytest.approx(1.0)
    assert table["z"].abs().max() < 4.0
    named = result.value_records()
    assert named[0]["quantity"] == "n('K') = 0"
    assert len(named) == 10


def test_mean_and_variance_are_fractions() -> None:
    row = odds("points('A11 T10 K4 Q3 J2')", pack=32, hand=10, deals=0).rows[0]
    assert row.exact.mean == Fraction(120 * 10, 32)
    values = np.repeat([11, 10, 4, 3, 2, 0, 0, 0], 4)
    spread = Fraction(int((values**2).sum()), 32) - Fraction(120, 32) ** 2
    assert row.exact.variance == 10 * spread * Fraction(32 - 10, 32 - 1)


def test_given() -> None:
    result = odds("n('J', talon)", pack=32, hands={"hand": 10, "talon": 2}, given="n('J', hand) == 2", deals=20_000)
    assert result.rows[0].exact.mean == Fraction(2 * 2, 22)
    assert result.condition.total == math.comb(4, 2) * math.comb(28, 8)
    assert "of 64,512,240 deals" in result.headline()[1]
    sure = odds("n('J')", pack=32, hand="JS JH +3", given="n('J') >= 1", deals=1_000)
    assert sure.simulation.way == "dealt"


@pytest.mark.parametrize("how", ["direct", "rejection", "auto"])
def test_conditions_that_never_hold(how: str) -> None:
    given = "n('K') == 4 and n('Q') == 4 and n('A') >= 1"
    with pytest.raises(simcards.odds.ExpressionError, match="no such hand exists") as caught:
        odds("n('J')", pack=32, hand=8, given=given, sampling=how)
    assert caught.value.expression == given


def test_budget() -> None:
    question = "run() * 10 + max_rank(n())"
    result = odds(question, pack="32x6", hand=12, budget="1e5", deals=20_000)
    row = result.rows[0]
    assert row.exact is None
    assert "more than the budget" in row.reason
    assert math.isnan(row.z)
    assert row.estimate.n == 20_000
    assert any("Not counted" in line for line in result.remarks())
    assert result.records[0]["not_counted"] == row.reason
    nothing = odds(question, pack="32x6", hand=12, budget="1e5", deals=0)
    assert nothing.records[0]["method"] == "not counted"
    assert str(nothing)


def test_every_route_says_what_it_took() -> None:
    from simcards.odds.deal import make_deal

    deal = make_deal("32x2", 8)
    seen = {}
    for route in ("enumeration", "suits", "ranks", "classes", "compiled"):
        graph = Graph(deal)
        seen[route] = count(graph, ground(parse("any_suit(n('K') >= 1 and n('Q') >= 1)", deal), graph), route=route)
    assert len({tuple(made.counts.items()) for made in seen.values()}) == 1
    assert seen["suits"].route == "convolution over suits, 5 blocks"
    assert seen["compiled"].route == "compiled enumeration of 9 classes of cards"
    assert seen["enumeration"].states == seen["compiled"].states > seen["suits"].states
    graph = Graph(deal)
    node = ground(parse("run() * max_rank(n())", deal), graph)
    with pytest.raises(NotCounted):
        count(graph, node, budget=1)


def test_wrong_arguments() -> None:
    for options, reason in (
        ({"pack": 32, "hand": 8}, "what is the question"),
        ({"features": "n()", "hand": 8}, "which cards"),
        ({"features": "n()", "pack": 32}, "how many cards are dealt"),
        ({"features": [], "pack": 32, "hand": 8}, "what is the question"),
        ({"features": [3], "pack": 32, "hand": 8}, "a question is an expression"),
        ({"features": ["n()", "n()"], "pack": 32, "hand": 8}, "asked twice"),
        ({"features": "n()", "pack": 32, "hand": 8, "given": "n()"}, "a condition is wanted"),
        ({"features": "n()", "pack": 32, "hand": 8, "deals": -1}, "the number of deals"),
        ({"features": "n()", "pack": 32, "hand": 8, "deals": "many"}, "whole number"),
        ({"features": "n()", "pack": 32, "hand": 8, "precision": 0}, "precision"),
        ({"features": "n()", "pack": 32, "hand": 8, "sampling": "magic"}, "there is no sampling"),
        ({"features": "n()", "pack": 32, "hand": 8, "confidence": 1.5}, "confidence"),
        ({"features": "n()", "pack": 32, "hand": 8, "workers": 0}, "workers"),
        ({"game": "rubicn"}, "did you mean"),
    ):
        with pytest.raises(simcards.UsageError, match=reason):
            odds(**options)


@pytest.mark.parametrize(
    "name",
    ["features", "game", "pack", "hand", "hands", "known", "given", "trump", "deals", "precision", "seed", "exact",
     "budget", "sampling", "most_tries", "confidence", "workers", "chunk", "progress"],
)  # fmt: skip
def test_arguments_of_any_type(name: str) -> None:
    """What cannot be used is said in a line; nothing else is ever raised."""
    for value in (5, "x", 0.5, ["a"], [5], {1: 2}, b"x", -1, "", math.nan, object(), (1, 2)):
        options = {"features": "n('K') >= 1", "pack": 32, "hand": 8, "deals": 10, name: value}
        if name in ("game", "hands"):
            del options["pack" if name == "game" else "hand"]
        try:
            odds(**options)
        except simcards.UsageError:
            continue
        assert isinstance(value, int | float), f"{name} = {value!r} is taken"


def test_how_probabilities_are_written() -> None:
    for value, text in (
        (0, "0 %"),
        (Fraction(1, 621), "0.16103 %"),
        (Fraction(1, 4_188_979), "0.000024 %"),
        (Fraction(1, 10**12), "< 0.000000001 %"),
        (Fraction(1, 2), "50 %"),
        (1 - Fraction(1, 4_188_979), "99.999976 %"),
        (1 - Fraction(1, 10**30), "> 99.999999999 %"),
        (1, "100 %"),
    ):
        assert percent(value) == text
    assert one_in(1_234_567_890_123_456_789.0) == "1 in 1.235 × 10^18"
    assert [fixed(value, 6) for value in (0.0, 1.5, 1_234_567.0, 0.000012345678)] == [
        "0", "1.5", "1234567", "0.0000123457",
    ]  # fmt: skip
    assert (several(1, "deal"), several(1000, "deal")) == ("1 deal", "1,000 deals")


def test_text_html_plots_and_files(tmp_path: Path) -> None:
    one = odds("n('QS') >= 2", pack="32x6", hand=12, deals=1_000)
    many = odds(["n('A')", "n('A') >= 3", "run() >= 4"], pack=52, hand=13, deals=1_000)
    text = str(one)
    for word in ("exact", "1 in ", "fraction", "simulated", "z"):
        assert word in text
    assert "Chance of" in str(many)
    assert "Mean of" in str(many)
    assert "<table" in many._repr_html_()
    for result in (one, many):
        assert result.plot().axes
    assert many.plot("n('A')").axes[0].get_ylabel() == "share of deals, %"
    folder = many.save(tmp_path / "saved")
    assert {path.name for path in folder.iterdir()} == {
        "odds.csv", "distributions.csv", "figure.svg", "provenance.json",
    }  # fmt: skip
    saved = pd.read_csv(folder / "odds.csv")
    assert len(saved) == 6
    assert "of 52 cards" in repr(many)


def test_exact_only_takes_no_time_to_compile() -> None:
    code = (
        "import sys, simcards\n"
        "simcards.odds(\"points('A4 K3 Q2 J1')\", pack=52, hand=13, deals=0).records\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
