from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from simcards import stats
from simcards.errors import UsageError
from simcards.games import registry
from simcards.kernel.rng import choose
from simcards.study.accumulate import Group, Tally
from simcards.study.match import MatchStudy, match, seatings
from simcards.study.plan import make_plan
from simcards.study.result import provenance
from simcards.study.samples import samples

from . import toy
from .conftest import Interrupt


@pytest.mark.parametrize("seats", range(2, 8))
def test_each_strategy_has_each_seat_equally_often(seats):
    made = np.array(seatings(seats))
    assert len(set(map(tuple, made))) == len(made) == (2 if seats % 2 == 0 else 2 * seats)
    assert (2 * made.sum(axis=0) == len(made)).all()
    if seats % 2 == 0:
        assert (made[:, 0] == made[:, seats // 2]).all() == (seats % 4 == 0)
        assert (made[:, 0] != made[:, 1]).all()
    assert {tuple(1 - row) for row in made} == set(map(tuple, made))


def rows_of(outcome, first=None, second=None):
    return {
        row.estimate.quantity: row
        for row in outcome.rows()
        if (first, second) in ((None, None), (row.first, row.second))
    }


def test_a_strategy_against_itself_is_exactly_even():
    outcome = match("toy-whist", ["lowest", "lowest"], deals=500)
    for row in outcome.rows():
        if row.kind != "rate":
            assert (row.estimate.estimate, row.estimate.se, row.comparison.z) == (0.0, 0.0, 0.0)
            assert (row.first_mean == row.second_mean) or math.isnan(row.first_mean)
    rates = rows_of(outcome)
    assert rates["equal_deals"].estimate.estimate == 1.0
    assert rates["won_games"].estimate.estimate == rates["lost_games"].estimate.estimate


def test_exchanging_the_strategies_changes_the_sign_and_nothing_else():
    there = rows_of(match("toy-whist", ["random", "lowest"], deals=1500, seed=8))
    back = rows_of(match("toy-whist", ["lowest", "random"], deals=1500, seed=8))
    for name, row in there.items():
        a, b = row.estimate, back[name].estimate
        if row.kind == "rate":
            continue
        assert (a.estimate, a.se, a.n) == (-b.estimate, b.se, b.n)
        assert (a.ci_low, a.ci_high) == (-b.ci_high, -b.ci_low)
        assert (row.first_mean, row.second_mean) == (back[name].second_mean, back[name].first_mean)
    assert there["won_games"].estimate.estimate == back["lost_games"].estimate.estimate
    assert there["better_deals"].estimate.estimate == back["worse_deals"].estimate.estimate
    assert there["points"].reduction == back["points"].reduction


def test_differences_are_those_of_the_rows():
    outcome = match("toy-whist", ["random", "lowest"], deals=2000, seed=3, chunk=300, workers=2)
    plans = [
        make_plan("toy-whist", deals=2000, strategies=names, seed=3)
        for names in (["random", "lowest"] * 2, ["lowest", "random"] * 2)
    ]
    frames = [samples(plan) for plan in plans]
    rows = rows_of(outcome)

    def sides(quantity, frame):
        a, b = (sum(frame[f"{quantity}.{seat}"] for seat in pair) for pair in (("north", "south"), ("east", "west")))
        return a, b

    for quantity in ("points", "won", "long", "first"):
        (a1, b1), (b2, a2) = (sides(quantity, frame) for frame in frames)
        difference = ((a1 + a2 - b1 - b2) / 4).dropna().astype(float)
        row = rows[quantity]
        assert row.estimate.n == len(difference)
        assert row.estimate.estimate == pytest.approx(difference.mean())
        assert row.estimate.se == pytest.approx(difference.std() / math.sqrt(len(difference)))
        assert row.first_mean - row.second_mean == pytest.approx(difference.mean())
    (a1, b1), (b2, a2) = (sides("points", frame) for frame in frames)
    single = (a1 - b1).var() + (a2 - b2).var()
    assert rows["points"].reduction == pytest.approx(single / (a1 - b1 + a2 - b2).var(), rel=1e-3)
    assert rows["points"].reduction > 1.5
    won = ((a1 > b1).astype(int) + (a2 > b2).astype(int)) / 2
    assert rows["won_games"].estimate.estimate == pytest.approx(won.mean())
    assert rows["won_games"].estimate.se == pytest.approx(won.std() / math.sqrt(2000))
    sums = a1 + a2 - b1 - b2
    for name, count in (("better", sums > 0), ("equal", sums == 0), ("worse", sums < 0)):
        assert rows[f"{name}_deals"].estimate == stats.proportion(
            int(count.sum()), 2000, quantity=f"{name}_deals", strategy="random"
        )


def test_all_pairs_meet_and_the_payoff_is_adjusted_for_them():
    outcome = match("toy-whist", ["random", "lowest", "random"], deals=400)
    payoffs = [row for row in outcome.rows() if row.estimate.quantity == "points"]
    assert [(row.first, row.second) for row in payoffs] == [
        ("random (1)", "lowest"),
        ("random (1)", "random (2)"),
        ("lowest", "random (2)"),
    ]
    adjusted = stats.holm([row.comparison.p_value for row in payoffs])
    assert [row.comparison.p_adjusted for row in payoffs] == pytest.approx(list(adjusted))
    others = [row for row in outcome.rows() if row.estimate.quantity != "points"]
    assert all(row.comparison.p_adjusted is None for row in others)
    assert payoffs[0].estimate.estimate == -payoffs[2].estimate.estimate
    pair = match("toy-whist", ["random", "lowest"], deals=400)
    assert replace(rows_of(pair)["points"].estimate, strategy="random (1)") == payoffs[0].estimate


def test_rare_outcomes_have_an_interval():
    rows = rows_of(match("toy-whist", ["random", "lowest"], deals=300))
    drawn = rows["drawn_games"].estimate  # thirteen tricks cannot be halved
    assert (drawn.estimate, drawn.ci_low, drawn.method) == (0.0, 0.0, "clopper-pearson")
    assert 0.0 < drawn.ci_high < 0.02
    even = rows_of(match("toy-whist", ["lowest", "lowest"], deals=300))["won_games"].estimate
    assert (even.estimate, even.method) == (0.5, "wilson")
    assert 0.04 < even.half_width < 0.06  # as among 300 games
    some = rows["won_games"].estimate
    assert some.method == "wilson"
    assert (some.ci_high - some.ci_low) / 2 == pytest.approx(1.96 * some.se, rel=0.02)
    biased = match("toy-whist", ["lowest", "lowest"], deals=300, cards={"north": "AS KS QS JS TS 9S 8S 7S 6S"})
    assert all(row.estimate.ci_high >= row.estimate.estimate for row in biased.rows())


def test_a_match_can_be_interrupted_resumed_and_cut_up(tmp_path):
    file = tmp_path / "match.json"
    options = {"deals": 1200, "checkpoint": file, "resume": True}
    names = ["random", "lowest", "random"]
    whole = match("toy-whist", names, deals=1200)
    first = match("toy-whist", names, chunk=100, workers=2, progress=Interrupt(300), **options)
    assert first.interrupted
    assert first.tally == match("toy-whist", names, deals=first.deals, chunk=7).tally
    assert match("toy-whist", names, workers=3, **options).tally == whole.tally
    with pytest.raises(UsageError, match="strategies is"):
        match("toy-whist", names[:2], **options)


def test_a_match_goes_on_until_precise_enough():
    made = [
        match("toy-whist", ["random", "lowest"], deals=50_000, precision=0.05, workers=workers, chunk=chunk)
        for workers, chunk in ((1, None), (2, 333))
    ]
    outcome = made[0]
    assert outcome.precise is True
    assert outcome.tally == made[1].tally
    payoff = rows_of(outcome)["points"]
    assert payoff.estimate.method == "confidence-sequence"
    assert payoff.estimate.half_width <= 0.05
    assert math.isnan(payoff.comparison.p_value)
    assert rows_of(outcome)["drawn_games"].estimate.method == "confidence-sequence"
    with pytest.raises(UsageError, match="did you mean 'points'"):
        match("toy-whist", ["random", "lowest"], deals=10, precision=0.05, target="point")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["random"], "a match needs two strategies or more"),
        ("random", "a match needs two strategies or more"),
        ([], "a match needs two strategies or more"),
        (["random"] * 12, "a match takes at most 11 strategies, not 12"),
        (["random", "lowst"], "did you mean 'lowest'?"),
    ],
)
def test_matches_that_cannot_be(names, message):
    with pytest.raises(UsageError) as caught:
        match("toy-whist", names, deals=10)
    assert message in str(caught.value)


def test_sums_that_do_not_fit_are_reported():
    from simcards.study.table import PlayError

    with pytest.raises(PlayError, match=r"deal 0: a sum over seats exceeds 2\*\*31"):
        match("toy-whist", ["random", "lowest"], deals=10, rules={"bias": 2**30})
    exact = match("toy-whist", ["random", "lowest"], deals=100, rules={"bias": 2**28})
    plain = match("toy-whist", ["random", "lowest"], deals=100)
    assert rows_of(exact)["points"].estimate == rows_of(plain)["points"].estimate


def test_records_frames_and_provenance():
    outcome = match("toy-whist", ["random", "lowest"], deals=100)
    frame = outcome.frame()
    assert set(frame["strategy"]) == {"random"}
    assert set(frame["against"]) == {"lowest"}
    assert {"mean", "mean_against", "z", "p_value", "p_adjusted", "reduction"} <= set(frame)
    about = provenance(outcome)
    assert about["seatings"] == ["ABAB", "BABA"]
    assert (about["strategies"], about["deals"]) == (["random", "lowest"], 100)
    assert replace(outcome, deals=5).plan.strategies == ("random", "lowest") * 2


# ---- until decided --------------------------------------------------------------------------------


def test_a_match_goes_on_until_decided():
    made = [
        match("toy-whist", ["lowest", "random"], deals=50_000, until_decided=0.999, workers=workers, chunk=chunk)
        for workers, chunk in ((1, None), (2, 333))
    ]
    outcome = made[0]
    assert outcome.tally == made[1].tally
    assert (outcome.precise, outcome.precision, outcome.looked) == (True, None, True)
    assert outcome.deals in itertools.takewhile(lambda n: n <= 50_000, stats.looks())
    [verdict] = outcome.verdicts()
    row = rows_of(outcome)["points"]
    assert verdict.difference == row.estimate
    assert row.estimate.method == "confidence-sequence"
    assert math.isnan(row.comparison.p_value)
    worse = match("toy-whist", ["lowest", "random"], deals=2000)  # looked at once
    better = "lowest" if rows_of(worse)["points"].estimate.estimate > 0 else "random"
    assert verdict.better == better
    assert verdict.text() == (
        f"{better} is better than {'random' if better == 'lowest' else 'lowest'}, decided after {outcome.deals:,} deals"
    )
    about = provenance(outcome)
    assert (about["until_decided"], about["decided"]) == (0.999, True)
    assert (about["deals"], about["deals_at_most"]) == (outcome.deals, 50_000)
    assert about["verdicts"] == [{"first": "lowest", "second": "random", "better": better}]
    assert match("toy-whist", ["lowest", "random"], deals=10).verdicts() == []
    assert "decided" not in provenance(match("toy-whist", ["lowest", "random"], deals=10))


def test_equal_strategies_stay_undecided():
    outcome = match("toy-whist", ["random", "random"], deals=1300, until_decided=0.6)
    [verdict] = outcome.verdicts()
    assert (outcome.deals, outcome.precise, verdict.better) == (1300, False, None)
    assert verdict.text("game") == "random (1) against random (2): undecided after 1,300 games"
    assert (verdict.difference.estimate, verdict.difference.se) == (0.0, 0.0)
    assert 0.0 < verdict.difference.half_width < 1.0


def test_all_pairs_must_be_decided_and_share_the_error():
    outcome = match("toy-whist", ["random", "lowest", "random"], deals=1500, until_decided=0.9)
    assert (outcome.deals, outcome.precise) == (1500, False)
    first, same, last = outcome.verdicts()
    found = (first.better, same.better, last.better)
    assert found in (("random (1)", None, "random (2)"), ("lowest", None, "lowest"))
    # a third of the error for each of three pairs
    sums = outcome.tally.column("points", outcome.tally.groups[0])
    games = [outcome.tally.column(f"seating {k}", outcome.tally.groups[0]) for k in range(2)]
    reach = 2 * max(abs(value) for game in games for value in (game.least, game.most))
    wanted = stats.mean_sequence(sums.n, sums.total, sums.squares, bounds=(-reach, reach), confidence=1 - 0.1 / 3)
    assert first.difference.half_width == pytest.approx(wanted.half_width / 4)


def test_a_match_until_decided_can_be_interrupted_and_resumed(tmp_path):
    file = tmp_path / "match.json"
    names, options = ["lowest", "random"], {"deals": 4000, "until_decided": 0.95}
    whole = match("toy-whist", names, **options)
    first = match("toy-whist", names, chunk=100, progress=Interrupt(300), checkpoint=file, **options)
    assert first.interrupted
    assert first.precise is False
    assert match("toy-whist", names, checkpoint=file, resume=True, **options).tally == whole.tally


@pytest.mark.parametrize("confidence", [0, 1, 95, True, "0.95", math.nan])
def test_confidence_to_decide_with(confidence):
    with pytest.raises(UsageError, match=r"the confidence to decide with must lie between 0 and 1, such as 0\.95"):
        match("toy-whist", ["random", "lowest"], deals=10, until_decided=confidence)


def test_one_reason_to_stop_is_enough():
    for more in ({"precision": 0.1}, {"target": "points"}):
        with pytest.raises(UsageError, match="not both"):
            match("toy-whist", ["random", "lowest"], deals=10, until_decided=0.9, **more)


def study_of(names=("random", "lowest")):
    return MatchStudy(tuple(make_plan("toy-whist", deals=1, strategies=name) for name in names))


def decided_wrongly(first, second, weights, runs, looks, seed):
    """Share of runs in which a study decides, at any look, between strategies that are equal.

    A deal is one of the outcomes, the differences of the payoff in its two seatings, of which the sum has the mean 0.
    """
    rng = np.random.default_rng(seed)
    first, second, weights = (np.asarray(values) for values in (first, second, weights))
    assert abs(weights @ (first + second)) < 1e-9
    study = study_of()
    layout = study.layout
    columns = {"points": first + second, "seating 0": first, "seating 1": second}
    wrong = 0
    for _ in range(runs):
        counts, n = np.zeros(len(weights), np.int64), 0
        for look in looks:
            counts += rng.multinomial(look - n, weights)
            n, seen = look, counts > 0
            group = Group.empty(layout)
            for name, values in columns.items():
                sums = [n, int(counts @ values), int(counts @ values**2), 0, 0]
                group.sums[:, layout.index(name)] = [*sums, int(values[seen].min()), int(values[seen].max())]
            if study.verdicts(Tally(layout, {0: group}), 0.95)[0].better is not None:
                wrong += 1
                break
    return wrong / runs


def equal_strategies():
    """Outcomes of deals between equal strategies: lopsided, often nothing, with rare bonuses, as settlements are."""
    # A settlement: winning by 100 to 800, or a rubicon of 2,000 to 5,000
    ordinary = np.array([*range(-800, 801, 100), -5000, -2600, -2000, 2000, 2600, 5000])
    chance = np.array([1.0] * 17 + [0.2, 0.3, 0.5, 0.5, 0.3, 0.2])
    chance /= chance.sum()
    a, b = (side.ravel() for side in np.meshgrid(ordinary, ordinary))
    each = np.outer(chance, chance).ravel()
    yield "private luck", a, b, each
    for rare in (0.01, 0.001):
        # They play alike, the seats cancel, but for a few deals
        yield (
            f"alike but for {rare}",
            np.r_[a, ordinary],
            np.r_[b, -ordinary],
            np.r_[rare * each, (1 - rare) * chance],
        )
    for often in (100, 400, 1000, 5000):
        # One gains a little in every deal, and pays for it with a bonus in one of so many
        gain, bonus = 4, 4 * (often - 1)
        yield (
            f"a bonus in {often}",
            np.r_[ordinary + gain, -bonus],
            np.r_[-ordinary, 0],
            np.r_[(1 - 1 / often) * chance, 1 / often],
        )


EQUAL = {name: (a, b, weights) for name, a, b, weights in equal_strategies()}
LOOKS = list(itertools.takewhile(lambda n: n <= 40_000, stats.looks()))


@pytest.mark.parametrize("name", EQUAL)
def test_equal_strategies_are_seldom_called_different(name):
    assert decided_wrongly(*EQUAL[name], runs=250, looks=LOOKS, seed=11) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", EQUAL)
def test_equal_strategies_are_seldom_called_different_in_many_runs(name):
    assert decided_wrongly(*EQUAL[name], runs=4000, looks=LOOKS, seed=12) <= 0.05


def test_a_sequence_without_bounds_would_not_do():
    # A bonus of one deal in 1,000: most runs have not seen it at the first look, and are sure
    first, second, weights = EQUAL["a bonus in 1000"]
    rng = np.random.default_rng(13)
    wrong = 0
    for _ in range(200):
        counts, n = np.zeros(len(weights), np.int64), 0
        for look in LOOKS:
            counts += rng.multinomial(look - n, weights)
            n, values = look, first + second
            made = stats.mean_sequence(n, int(counts @ values), int(counts @ values**2))
            if made.ci_low > 0 or made.ci_high < 0:
                wrong += 1
                break
    assert wrong / 200 > 0.05


def _other(view, legal, rng, options):
    choose(rng, legal)
    return choose(rng, legal)


@pytest.fixture
def other_random(monkeypatch):
    """Let the toy game have a second strategy that is random, but chooses by other numbers."""
    with_other = replace(toy.TOY, strategies=(*toy.TOY.strategies, "other"))
    monkeypatch.setattr(registry, "rulesets", lambda: {toy.TOY.id: with_other})
    monkeypatch.setitem(toy.GAMES[0].strategies, "other", toy._strategy("other", _other))
    return "other"


@pytest.mark.parametrize("trials", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_two_kinds_of_random_are_seldom_called_different(other_random, trials):
    # Played to the end: the same cards, the same chances, other choices
    wrong = 0
    for seed in range(trials):
        outcome = match("toy-whist", ["random", other_random], deals=4000, seed=seed, until_decided=0.95)
        assert outcome.tally.column("points").squares > 0
        wrong += outcome.precise
    assert wrong <= 0.05 * trials


# ---- ratings -------------------------------------------------------------------------------------


def test_ratings_are_those_of_the_games_and_their_errors_those_of_the_deals():
    names = ["random", "lowest", "random"]
    outcome = match("toy-whist", names, deals=800, seed=5, chunk=170, workers=2)
    won, drawn, scores = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((800, 4))
    for a, b in itertools.combinations(range(3), 2):
        for turned in (False, True):
            seats = [names[b], names[a]] * 2 if turned else [names[a], names[b]] * 2
            frame = (
                samples(make_plan("toy-whist", deals=800, strategies=seats, seed=5)).filter(like="points").astype(int)
            )
            gap = frame["points.north"] + frame["points.south"] - frame["points.east"] - frame["points.west"]
            result = np.sign(-gap if turned else gap)
            won[a, b] += (result > 0).sum()
            won[b, a] += (result < 0).sum()
            drawn[[a, b], [b, a]] += (result == 0).sum()
            scores[:, a] += result
            scores[:, b] -= result
            scores[:, 3] += result == 0
    centred = scores - scores.mean(axis=0)
    called = ["random (1)", "lowest", "random (2)"]
    wanted = stats.bradley_terry(called, won, drawn, deals=800, scatter=centred.T @ centred)
    made = outcome.ratings()
    for got, want in zip(made.strategies, wanted.strategies, strict=True):
        assert got.estimate.estimate == pytest.approx(want.estimate.estimate)
        assert got.estimate.se == pytest.approx(want.estimate.se)
        assert got.estimate.strategy == want.estimate.strategy
    assert made.strategies[0].estimate.estimate == pytest.approx(made.strategies[2].estimate.estimate)
    assert made.difference(0, 1).se == pytest.approx(wanted.difference(0, 1).se)
    assert match("toy-whist", names[:2], deals=10).ratings() is None
    records = [record for record in outcome.records() if record["section"] == "ratings"]
    assert [record["quantity"] for record in records] == ["rating"] * 3 + ["ties"]
    assert records[1]["estimate"] == made.strategies[1].estimate.estimate
    looked = match("toy-whist", names, deals=800, until_decided=0.95).ratings()
    assert looked.strategies[0].estimate.method == "confidence-sequence"


# ---- controls ------------------------------------------------------------------------------------


def test_controls_correct_the_difference():
    outcome = match("toy-whist", ["random", "lowest"], deals=900, seed=6, controls={"long": 0.25}, workers=2, chunk=100)
    plain = match("toy-whist", ["random", "lowest"], deals=900, seed=6)
    [made] = outcome.controlled()
    assert made.plain == rows_of(plain)["points"].estimate
    assert plain.controlled() == []
    frames = [
        samples(make_plan("toy-whist", deals=900, strategies=seats, seed=6)).astype("Int64")
        for seats in (["random", "lowest"] * 2, ["lowest", "random"] * 2)
    ]

    def difference(quantity):
        sides = [
            frame[f"{quantity}.north"]
            + frame[f"{quantity}.south"]
            - frame[f"{quantity}.east"]
            - frame[f"{quantity}.west"]
            for frame in frames
        ]
        return ((sides[0] - sides[1]) / 4).to_numpy(float)

    y, x = difference("points"), difference("long") - 0.25
    slope = np.cov(x, y)[0, 1] / x.var(ddof=1)
    assert made.coefficients == pytest.approx((slope,))
    assert made.estimate.estimate == pytest.approx(y.mean() - slope * x.mean())
    assert made.estimate.strategy == "random"
    assert made.reduction > 1.2
    assert provenance(outcome)["controls"] == {"long": 0.25}
    record = outcome.records()[-1]
    assert (record["section"], record["strategy"], record["against"]) == ("controlled", "random", "lowest")
    assert (record["estimate"], record["reduction"]) == (made.estimate.estimate, made.reduction)
    assert match("toy-whist", ["random", "lowest"], deals=50, controls="share").study.controls == (("share", 0),)


@pytest.mark.parametrize(
    ("controls", "message"),
    [
        (["lnog"], "did you mean 'long'?"),
        (["points"], "to use as a control"),
        (["first"], "to use as a control"),
        ({"long": "0"}, "the known mean of long must be a number"),
        ({"long": math.inf}, "the known mean of long must be a number"),
    ],
)
def test_controls_that_cannot_be(controls, message):
    with pytest.raises(UsageError) as caught:
        match("toy-whist", ["random", "lowest"], deals=10, controls=controls)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_difference_of_rates_stays_within_what_it_can_be():
    for options in ({}, {"until_decided": 0.999}):
        outcome = match("toy-whist", ["random", "lowest"], deals=20, **options)
        for row in outcome.rows(0.999999):
            if row.kind == "flag":
                assert -1.0 <= row.estimate.ci_low <= row.estimate.estimate <= row.estimate.ci_high <= 1.0


def test_what_never_happened_may_still_happen():
    outcome = match("toy-whist", ["random", "random"], deals=20, until_decided=0.95)
    (won,) = (row.estimate for row in outcome.rows() if row.estimate.quantity == "won")
    assert (won.estimate, won.se) == (0.0, 0.0)
    assert -1.0 <= won.ci_low < 0.0 < won.ci_high <= 1.0
    assert math.isfinite(won.half_width)


def test_one_deal_is_one_deal():
    (verdict,) = match("toy-whist", ["random", "random"], deals=1, until_decided=0.95).verdicts()
    assert verdict.text() == "random (1) against random (2): undecided after 1 deal"
