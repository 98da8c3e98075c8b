from __future__ import annotations

import math
import statistics
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import simcards
from simcards.errors import UsageError
from simcards.games import registry
from simcards.report import figures
from simcards.study.accumulate import Tally
from simcards.study.match import match
from simcards.study.sweep import fresh_seed, make_grid, sweep, values
from simcards.sweep_result import SweepResult

from .conftest import Interrupt

SOURCE = """
from simcards import actions, strategy
from simcards.kernel.rng import bounded

high = strategy("toy-whist", ceiling=63, floor=0)

@high.phase("play")
def play(view, legal, rng, options):
    choice = -1
    for action in actions(legal):
        if choice < 0 or (choice < action <= options.ceiling and action >= options.floor):
            choice = action
    return choice

idle = strategy("toy-whist", waste=0)

@idle.phase("play")
def draw(view, legal, rng, options):
    for _ in range(options.waste):
        bounded(rng, 7)
    them = actions(legal)
    return them[bounded(rng, len(them))]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(SOURCE)
    return path


def swept(strategy, over, **how):
    how = {"deals": 300, "seed": 4, "against": "lowest", "workers": 2, "chunk": 70} | how
    return sweep("toy-whist", strategy, over, **how)


def grid_of(strategy, over):
    return make_grid(registry.load("toy-whist"), strategy, over)


def test_values_are_read():
    assert values("x", "1,2,5") == (1, 2, 5)
    assert values("x", "0..3") == (0, 1, 2, 3)
    assert values("x", "-1..1+0.5") == (-1, -0.5, 0, 0.5, 1)
    assert values("x", "0..1+0.1") == tuple(k / 10 for k in range(11)), "no 0.30000000000000004"
    assert values("x", "1..64x2") == (1, 2, 4, 8, 16, 32, 64)
    assert values("x", "1..10x3,100, 1e3") == (1, 3, 9, 100, 1000)
    assert values("x", [3, 1.5]) == (3, 1.5)
    assert values("x", 7) == (7,)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "are written 1,2,5 or 0..10 or 0..1+0.1 or 1..64x2, not ''"),
        ("1,,2", "not ''"),
        ("1-5", "not '1-5'"),
        ("many", "not 'many'"),
        ("5..1", "a range goes up, and '5..1' goes down"),
        ("0..8x2", "begins above 0"),
        ("1..8x1", "by a factor above 1"),
        ("1..8+0", "in steps above 0"),
        ("1,2,1", "have 1 twice"),
        ("0..1e6", "at most 64 settings"),
        ([], "there are no values of 'x'"),
        (["1"], "are numbers, such as [1, 2, 5], not '1'"),
        ([math.inf], "not inf"),
        (None, "not None"),
    ],
)
def test_values_that_do_not_serve(given, message):
    with pytest.raises(UsageError) as caught:
        values("x", given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_parameter_of_several_parts_is_of_none():
    with pytest.raises(UsageError, match="several parts of declare=mc\\+mc have the parameter 'worlds'"):
        simcards.game("bezique").sweep("declare=mc+mc", over={"worlds": "1"}, deals=1)


def test_a_parameter_goes_to_the_part_that_has_it(file):
    grid = grid_of(f"play={file}:high:floor=3+mc:clear=2", {"worlds": "1,20", "ceiling": [50]})
    assert grid.strategies == (
        f"play={file}:high:floor=3,ceiling=50+mc:clear=2,worlds=1",
        f"play={file}:high:floor=3,ceiling=50+mc:clear=2,worlds=20",
    )
    assert (grid.reference, grid.default) == (0, False), "the ceiling is 63 by default"
    assert grid.label(1) == "worlds=20, ceiling=50"


def test_what_is_compared_with():
    assert (grid_of("mc", {"worlds": "5,10,20"}).reference, grid_of("mc", {"worlds": "5,10"}).reference) == (2, 0)
    told = grid_of("mc:worlds=10,clear=2", {"worlds": "5,10"})
    assert (told.reference, told.default) == (1, True), "what the name says is the default"
    assert told.strategies[1] == "mc:worlds=10,clear=2"


@pytest.mark.parametrize(
    ("strategy", "over", "message"),
    [
        ("mc", {}, "nothing is varied"),
        ("mc", {"world": "1"}, "there is no parameter 'world' of mc; did you mean 'worlds'?"),
        ("lowest", {"worlds": "1"}, "the strategy lowest has no parameters"),
        ("mc+mc", {"worlds": "1"}, "'mc' in 'mc+mc' is never asked"),
        ("mc", {"worlds": "0..3"}, "'worlds' of mc takes a whole number from 1 to 100000, not 0"),
        ("mc", {"worlds": "1..2+0.5"}, "takes a whole number from 1 to 100000, not 1.5"),
        ("mc", {"worlds": "1..20", "clear": "0..4"}, "at most 64 settings, not 100 combinations"),
        ("mv", {"worlds": "1"}, "did you mean 'mc'?"),
    ],
)
def test_sweeps_that_do_not_serve(strategy, over, message):
    with pytest.raises(UsageError) as caught:
        swept(strategy, over)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"against": "lowast"}, "did you mean 'lowest'?"),
        ({"quantities": ["pionts"]}, "did you mean 'points'?"),
        ({"quantities": ["tricks"]}, "no quantity 'tricks' with a value for each seat"),
        ({"confirm": 5}, "without asking for the best"),
        ({"best": True, "precision": 1.0}, "takes no precision"),
        ({"best": True, "checkpoint": "x.json"}, "cannot be saved in a checkpoint"),
        ({"best": True, "deals": 3}, "takes 4 deals at least, not 3"),
        ({"best": True, "confirm": 0}, "the number of deals to confirm on must be from 1"),
        ({"precision": 0.0}, "the precision must be a number above 0"),
    ],
)
def test_conditions_that_do_not_serve(how, message):
    with pytest.raises(UsageError) as caught:
        swept("mc", {"worlds": "1..3"}, **how)
    assert message in str(caught.value)


def test_the_best_of_one_is_refused():
    with pytest.raises(UsageError, match="the best of one setting is that one"):
        swept("mc", {"worlds": "20"}, best=True)


def test_the_numbers_are_those_of_matches(file):
    outcome = swept(f"{file}:high", {"ceiling": "20..60+20,63"})
    settings = [f"{file}:high:ceiling={ceiling}" for ceiling in (20, 40, 60, 63)]
    assert outcome.study.grid.strategies == tuple(settings)
    pairs = [match("toy-whist", [name, "lowest"], deals=300, seed=4).rows() for name in settings]
    for quantity in ("points", "won"):
        for versus, rows in zip(outcome.against(quantity), pairs, strict=True):
            single = next(row for row in rows if row.estimate.quantity == quantity)
            assert versus.estimate == single.estimate
            assert (versus.first_mean, versus.second_mean) == (single.first_mean, single.second_mean)
            assert versus.comparison.p_value == single.comparison.p_value


def test_settings_are_compared_on_each_deal(file):
    strategy = f"{file}:high"
    outcome = swept(strategy, {"ceiling": "20,40,63"}, deals=60)

    totals = {
        name: [match("toy-whist", [name, "lowest"], deals=deals, seed=4).tally for deals in range(1, 61)]
        for name in (f"{strategy}:ceiling=20", f"{strategy}:ceiling=63")
    }
    sums = {name: [0, *(t.column("points", t.groups[0]).total for t in made)] for name, made in totals.items()}
    single = {name: [b - a for a, b in zip(made, made[1:])] for name, made in sums.items()}
    gaps = [a - b for a, b in zip(single[f"{strategy}:ceiling=20"], single[f"{strategy}:ceiling=63"], strict=True)]
    less = outcome.less("points")
    assert outcome.study.plays == 4
    assert less[0].difference.estimate == pytest.approx(statistics.mean(gaps) / 4, rel=1e-12)
    assert less[0].difference.se == pytest.approx(statistics.stdev(gaps) / math.sqrt(60) / 4, rel=1e-12)
    assert less[0].p_adjusted == pytest.approx(
        min(1.0, 2 * less[0].p_value)
        if less[0].p_value < less[1].p_value
        else max(less[0].p_value, min(1.0, 2 * less[1].p_value))
    )
    assert math.isnan(less[2].p_value), "the setting of reference has no part in the family"


def test_workers_and_chunks_make_no_difference(file):
    for how in ({}, {"best": True, "confirm": 40}):
        one = swept(f"{file}:high", {"ceiling": "20..60+10"}, workers=1, chunk=None, **how)
        other = swept(f"{file}:high", {"ceiling": "20..60+10"}, workers=2, chunk=7, **how)
        assert one.tally == other.tally
        if how:
            assert one.choice.best == other.choice.best
            assert one.choice.confirmation.tally == other.choice.confirmation.tally


def test_a_sweep_can_be_interrupted_and_gone_on_with(file, tmp_path):
    over, saved = {"ceiling": "20,63"}, tmp_path / "run.json"
    whole = swept(f"{file}:high", over)
    part = swept(f"{file}:high", over, progress=Interrupt(140), checkpoint=saved)
    assert part.interrupted
    assert 140 <= part.deals < 300
    assert part.tally == swept(f"{file}:high", over, deals=part.deals).tally
    assert swept(f"{file}:high", over, checkpoint=saved, resume=True).tally == whole.tally
    with pytest.raises(UsageError, match="belongs to another study"):
        swept(f"{file}:high", {"ceiling": "30,63"}, checkpoint=saved, resume=True)


def test_a_sweep_until_precise(file):
    outcome = swept(f"{file}:high", {"ceiling": "20,63"}, deals=50_000, precision=0.2)
    assert outcome.precise
    assert outcome.deals < 50_000
    assert all(row.estimate.half_width <= 0.2 for row in outcome.against("points"))
    less = outcome.less("points")[0]
    assert less.difference.method == "confidence-sequence"
    assert less.difference.ci_low < less.difference.estimate < less.difference.ci_high
    assert math.isnan(less.p_value)


# -- the best setting ----------------------------------------------------------------------------------------


def test_the_worse_half_is_given_up_in_rounds(file):
    outcome = swept(f"{file}:high", {"ceiling": "10..60+10,63"}, best=True, deals=400, confirm=100)
    choice = outcome.choice
    assert [deals for deals, _ in choice.rounds] == [100, 200, 400]
    assert [len(among) for _, among in choice.rounds] == [7, 4, 2]
    plain = {deals: swept(f"{file}:high", {"ceiling": "10..60+10,63"}, deals=deals) for deals in (100, 200, 400)}
    for deals, among in choice.rounds:
        means = [row.estimate.estimate for row in plain[deals].against("points")]
        kept = sorted(among, key=lambda k: -means[k])[: (len(among) + 1) // 2]
        following = next((those for more, those in choice.rounds if more > deals), (choice.best,))
        assert sorted(kept) == list(following)
    for k, row in enumerate(outcome.against("points")):
        deals = max(deals for deals, among in choice.rounds if k in among or k == 6)
        assert row == plain[deals].against("points")[k] or row.estimate == plain[deals].against("points")[k].estimate
        assert outcome.less("points")[k].difference == plain[deals].less("points")[k].difference


def test_the_default_takes_part_in_the_search(file):
    outcome = swept(f"{file}:high", {"ceiling": "10,30"}, best=True, deals=40, confirm=50)
    assert outcome.study.grid.settings == ((10.0,), (30.0,), (63.0,))
    assert outcome.study.grid.reference == 2
    assert outcome.choice.confirmation.study.grid.strategies[0] == f"{file}:high:ceiling=63"


def test_the_choice_is_confirmed_on_deals_of_another_seed(file):
    outcome = swept(f"{file}:high", {"ceiling": "10,30,63"}, best=True, deals=40, confirm=50)
    made = outcome.choice.confirmation
    assert made.plan.seed == fresh_seed(4) not in (0, 4)
    kept = list(dict.fromkeys([2, outcome.choice.best]))
    again = swept(f"{file}:high", {"ceiling": [[10, 30, 63][k] for k in kept]}, deals=50, seed=fresh_seed(4))
    assert made.tally.as_json() == again.tally.as_json()


def test_a_search_that_is_interrupted_says_so(file):
    over = {"ceiling": "10..60+10,63"}
    outcome = swept(f"{file}:high", over, best=True, deals=400, progress=Interrupt(800))
    assert outcome.interrupted
    assert outcome.choice.best is None
    assert "Interrupted before the best setting was found." in SweepResult(outcome).remarks()
    spent = 7 * 100 + 5 * 100 + 3 * 200
    late = swept(f"{file}:high", over, best=True, deals=400, confirm=500, progress=Interrupt(spent + 100))
    assert not late.interrupted, "all rounds were played"
    assert late.choice.confirmation.interrupted
    result = SweepResult(late)
    assert result.interrupted
    assert 400 < result.deals < 900 == result.plan.deals
    nothing = replace(late.choice.confirmation, deals=0, tally=Tally.empty(late.choice.confirmation.study.layout))
    result = SweepResult(replace(late, choice=replace(late.choice, confirmation=nothing)))
    assert result.interrupted
    assert result.confirmed is None
    assert "Interrupted before it was confirmed" in " ".join(str(result).split())


def test_settings_that_do_the_same_keep_the_default():
    # one world tells nothing apart, so that all settings play alike
    outcome = swept("mc:worlds=1", {"clear": "2..5"}, best=True, deals=8, confirm=8)
    assert outcome.choice.best == outcome.study.grid.reference == 1
    assert SweepResult(outcome).confirmed is None


def test_the_confirmation_is_unbiased_and_the_choice_is_not(file):
    """Eight settings that draw at random, each in its own way: none is better than another."""
    runs, chosen, confirmed, covered, compared = 300, [], [], 0, []
    for seed in range(runs):
        outcome = swept(
            f"{file}:idle",
            {"waste": "0..7"},
            best=True,
            deals=64,
            confirm=64,
            seed=seed,
            against="random",
            workers=1,
            chunk=64,
        )
        choice, made = outcome.choice, outcome.choice.confirmation
        chosen.append(outcome.against("points")[choice.best].estimate)
        fresh = made.against("points")[-1].estimate
        confirmed.append(fresh.estimate)
        covered += fresh.ci_low <= 0.0 <= fresh.ci_high
        if choice.best != outcome.study.grid.reference:
            difference = made.less("points")[1].difference
            compared.append((outcome.less("points")[choice.best].difference, difference))
    error = statistics.stdev(confirmed) / math.sqrt(runs)
    assert abs(statistics.mean(confirmed)) < 4 * error
    biased = [estimate.estimate for estimate in chosen]
    assert statistics.mean(biased) > 8 * statistics.stdev(biased) / math.sqrt(runs)
    # 95 % of 300 are 285, and 4 standard deviations of that 15
    assert 270 <= covered <= 300
    assert sum(one.ci_low <= 0.0 <= one.ci_high for one in chosen) < covered - 10
    assert len(compared) > 200
    within = sum(fresh.ci_low <= 0.0 <= fresh.ci_high for _, fresh in compared) / len(compared)
    assert abs(within - 0.95) < 4 * math.sqrt(0.95 * 0.05 / len(compared))
    luck = [before.estimate for before, _ in compared]
    assert statistics.mean(luck) > 5 * statistics.stdev(luck) / math.sqrt(len(luck))
    assert abs(statistics.mean(fresh.estimate for _, fresh in compared)) < 4 * error * math.sqrt(2)


# -- results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("over", [{"ceiling": "10..60+10,63"}, {"ceiling": "10,40,63", "floor": "0,20"}])
def test_results_tell_and_draw(file, tmp_path, over, best):
    how = {"best": True, "confirm": 50} if best else {}
    result = SweepResult(swept(f"{file}:high", over, **how), quantities=("points", "won"))
    text = str(result)
    assert "ceiling=63" in text
    assert "(default)" in text
    assert ("confirmed" in text) == best
    assert ("too good on average" in text or "No setting was found" in text) == best
    assert repr(result).startswith("<SweepResult: Toy whist: 300 deals, ")
    frame = result.frame
    assert {"quantity", "strategy", "against", "estimate", "se", "section", "parameter_ceiling"} <= set(frame.columns)
    assert set(frame["section"]) >= ({"against", "less", "confirmed against"} if best else {"against", "less"})
    first = figures.to_svg(result.plot())
    assert first == figures.to_svg(result.plot())
    ElementTree.fromstring(first)
    figure = result.plot()
    figures.to_svg(figure)
    box = figure.get_tightbbox()
    assert box.x0 >= -0.02
    assert box.y0 >= -0.02
    width, height = figure.get_size_inches()
    assert box.x1 <= width + 0.02
    assert box.y1 <= height + 0.02
    folder = result.save(tmp_path / "made")
    assert {path.name for path in folder.iterdir()} == {"settings.csv", "figure.svg", "provenance.json"}
    about = result.provenance
    assert about["against"] == "lowest"
    assert about["over"]["ceiling"][0] == 10
    assert ("best" in about) == best


def test_rates_are_shown_in_per_cent(file):
    result = SweepResult(swept(f"{file}:high", {"ceiling": "20,63"}), quantities=("won",))
    assert "%" in result.tables()[0].rows[0][1]
    assert "%" in figures.to_svg(result.plot())
