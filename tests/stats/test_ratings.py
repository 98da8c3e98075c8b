"""Ratings: closed forms, the likelihood maximised by another way, and intervals that hold as often as they say."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize

from simcards.errors import UsageError
from simcards.stats import bradley_terry, proportion
from simcards.stats.ratings import ELO


def rated(won, drawn, deals=None, scatter=None, names=None, **options):
    """Rate as if every game were a deal of its own, unless the scatter is given."""
    won, drawn = np.array(won, float), np.array(drawn, float)
    k = len(won)
    games = max(1, int(won.sum() + drawn.sum() / 2))
    if scatter is None:
        sums, squares = np.zeros(k + 1), np.zeros((k + 1, k + 1))
        for i, j in itertools.combinations(range(k), 2):
            for count, result in ((won[i, j], 1), (won[j, i], -1), (drawn[i, j], 0)):
                row = np.zeros(k + 1)
                row[i], row[j], row[k] = result, -result, result == 0
                sums += count * row
                squares += count * np.outer(row, row)
        scatter = squares - np.outer(sums, sums) / games
    names = names or [f"s{i}" for i in range(k)]
    return bradley_terry(names, won, drawn, deals=games if deals is None else deals, scatter=scatter, **options)


def points(ratings):
    return [rating.estimate.estimate for rating in ratings.strategies]


def test_two_without_draws_are_log_odds():
    made = rated([[0, 300], [100, 0]], np.zeros((2, 2)))
    apart = made.difference(0, 1)
    assert apart.estimate == pytest.approx(400 * math.log10(3), rel=1e-9)
    assert points(made) == pytest.approx([200 * math.log10(3), -200 * math.log10(3)], rel=1e-9)
    # The error of log odds, with the n - 1 of a sample
    assert apart.se == pytest.approx(ELO * math.sqrt(1 / 300 + 1 / 100) * math.sqrt(400 / 399), rel=1e-9)
    assert made.strategies[0].estimate.se == pytest.approx(apart.se / 2, rel=1e-9)
    assert made.expected(0, 1) == pytest.approx(0.75)
    assert (made.ties.estimate, made.ties.ci_low) == (0.0, 0.0)
    never = proportion(0, 400).ci_high
    assert made.ties.ci_high == pytest.approx(2 * never / (1 - never))


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ((0, 9), "the place of a strategy must be at most 1, not 9"),
        ((-1, 0), "the place of a strategy must be at least 0, not -1"),
        (("a", 1), "the place of a strategy must be a whole number, not 'a'"),
        ((0, 1.0), "the place of a strategy must be a whole number, not 1.0"),
    ],
)
def test_places_that_there_are_not(places, said):
    made = rated([[0, 300], [100, 0]], np.zeros((2, 2)))
    for ask in (made.expected, made.difference):
        with pytest.raises(UsageError) as caught:
            ask(*places)
        assert str(caught.value) == said


def test_two_with_draws_are_davidsons_closed_form():
    won, even, lost = 450, 230, 120
    made = rated([[0, won], [lost, 0]], [[0, even], [even, 0]])
    # with as many parameters as shares the model gives the shares themselves
    assert made.difference(0, 1).estimate == pytest.approx(ELO * math.log(won / lost), rel=1e-9)
    assert made.ties.estimate == pytest.approx(even / math.sqrt(won * lost), rel=1e-9)
    assert made.expected(0, 1) == pytest.approx((won + even / 2) / 800)
    # delta method: log nu = log d - (log w + log l)/2
    error = math.sqrt(1 / even + (1 / won + 1 / lost) / 4) * math.sqrt(800 / 799)
    assert made.ties.se == pytest.approx(made.ties.estimate * error, rel=1e-9)
    assert made.ties.ci_high == pytest.approx(made.ties.estimate * math.exp(1.9599640 * error), rel=0.01)
    assert made.difference(0, 1).se == pytest.approx(
        ELO * math.sqrt(1 / won + 1 / lost) * math.sqrt(800 / 799), rel=1e-9
    )


@pytest.mark.parametrize(("k", "most", "seed"), [(3, 6, 0), (3, 900, 1), (5, 40, 2), (11, 300, 3)])
def test_the_likelihood_is_at_its_greatest(k, most, seed):
    rng = np.random.default_rng(seed)
    won = rng.integers(1, most, (k, k)) * (1 - np.eye(k, dtype=int))
    drawn = np.triu(rng.integers(1, most, (k, k)), 1)
    drawn += drawn.T

    def loss(x):  # the definition, term by term
        p, nu, total = np.exp([*x[:-1], -sum(x[:-1])]), math.exp(x[-1]), 0.0
        for i, j in itertools.combinations(range(k), 2):
            even = nu * math.sqrt(p[i] * p[j])
            chances = np.array([p[i], even, p[j]]) / (p[i] + even + p[j])
            total -= np.array([won[i, j], drawn[i, j], won[j, i]]) @ np.log(chances)
        return total

    found = optimize.minimize(loss, np.zeros(k), method="BFGS", options={"gtol": 1e-7})
    made = rated(won, drawn)
    strengths = [*found.x[:-1], -sum(found.x[:-1])]
    assert points(made) == pytest.approx([ELO * x for x in strengths], abs=1e-3)
    assert made.ties.estimate == pytest.approx(math.exp(found.x[-1]), rel=1e-5)
    assert sum(points(made)) == pytest.approx(0.0, abs=1e-6)


def test_the_order_of_the_strategies_does_not_matter():
    won, drawn = np.array([[0, 30, 20], [10, 0, 25], [22, 14, 0]]), np.array([[0, 3, 4], [3, 0, 9], [4, 9, 0]])
    turn = [2, 0, 1]
    there, back = rated(won, drawn), rated(won[np.ix_(turn, turn)], drawn[np.ix_(turn, turn)])
    for place, old in enumerate(turn):
        a, b = back.strategies[place].estimate, there.strategies[old].estimate
        assert (a.estimate, a.se) == pytest.approx((b.estimate, b.se))
    assert back.difference(0, 2).se == pytest.approx(there.difference(2, 1).se)


def play(rng, strengths, nu, deals, runs):
    """Play `runs` matches in which the games of a deal hang together, for all pairs and in both seatings.

    One number between 0 and 1 is drawn for a deal, and a pair's first wins if it is small and loses if it is large; its
    second game is the same one again. Returns won (runs, k, k), drawn (runs, k, k) and the scores (runs, deals, k + 1).
    """
    k = len(strengths)
    luck = rng.random((runs, deals))
    scores = np.zeros((runs, deals, k + 1))
    won, drawn = np.zeros((runs, k, k)), np.zeros((runs, k, k))
    for i, j in itertools.combinations(range(k), 2):
        p, q = math.exp(strengths[i]), math.exp(strengths[j])
        even = nu * math.sqrt(p * q)
        win, draw = luck < p / (p + q + even), luck >= (p + q) / (p + q + even)
        lose = ~(win | draw)
        scores[:, :, i] += 2.0 * win - 2.0 * lose
        scores[:, :, j] += 2.0 * lose - 2.0 * win
        scores[:, :, k] += 2.0 * draw
        won[:, i, j], won[:, j, i] = 2 * win.sum(axis=1), 2 * lose.sum(axis=1)
        drawn[:, i, j] = drawn[:, j, i] = 2 * draw.sum(axis=1)
    return won, drawn, scores


def test_intervals_hold_the_truth_though_the_games_of_a_deal_hang_together():
    strengths, nu, deals, runs = [0.6, 0.1, -0.7], 0.5, 300, 600
    won, drawn, scores = play(np.random.default_rng(9), strengths, nu, deals, runs)
    held, naive, tied = np.zeros((runs, 4)), np.zeros(runs), np.zeros(runs)
    for r in range(runs):
        centred = scores[r] - scores[r].mean(axis=0)
        made = rated(won[r], drawn[r], deals=deals, scatter=centred.T @ centred)
        ratings = [rating.estimate for rating in made.strategies]
        wanted = [*strengths, strengths[0] - strengths[2]]
        for place, (estimate, truth) in enumerate(zip([*ratings, made.difference(0, 2)], wanted)):
            held[r, place] = estimate.ci_low <= ELO * truth <= estimate.ci_high
        tied[r] = made.ties.ci_low <= nu <= made.ties.ci_high
        alone = rated(won[r], drawn[r]).difference(0, 2)
        naive[r] = alone.ci_low <= ELO * wanted[3] <= alone.ci_high
    # 600 runs: 95 % give or take 0.9 %
    assert (held.mean(axis=0) > 0.925).all()
    assert (held.mean(axis=0) < 0.98).all()
    assert 0.925 < tied.mean() < 0.98
    assert naive.mean() < 0.92  # as if each game were a deal of its own


def test_one_that_always_wins_has_a_bound():
    made = rated([[0, 100, 100], [0, 0, 60], [0, 40, 0]], np.zeros((3, 3)))
    best, middle, worst = made.strategies
    assert [rating.bound for rating in made.strategies] == ["at least", "at most", "at most"]
    assert best.text().startswith("at least +")
    assert worst.text().startswith("at most -")
    assert (best.estimate.ci_low, best.estimate.ci_high) == (best.estimate.estimate, math.inf)
    assert math.isnan(best.estimate.se)
    assert best.as_record()["bound"] == "at least"
    assert "bound" not in rated([[0, 2], [3, 0]], np.zeros((2, 2))).strategies[0].as_record()
    # Between the two that did win against each other the games decide
    assert made.difference(1, 2).estimate == pytest.approx(ELO * math.log(1.5), rel=0.05)
    assert made.difference(0, 1).estimate == math.inf
    assert made.difference(1, 0).estimate == -math.inf
    low = made.difference(0, 1).ci_low
    assert 0 < low < math.inf
    assert made.difference(1, 0).ci_high == -low
    # ten times the games bound it ten times as well, in odds
    more = rated([[0, 1000, 1000], [0, 0, 600], [0, 400, 0]], np.zeros((3, 3)))
    assert more.difference(0, 1).ci_low - low == pytest.approx(400, rel=0.02)


def test_two_of_which_one_always_wins():
    # the bound is that of the proportion
    made = rated([[0, 200], [0, 0]], np.zeros((2, 2)))
    q = proportion(0, 200).ci_high
    assert made.difference(0, 1).ci_low == pytest.approx(400 * math.log10((1 - q) / q), rel=1e-9)


def test_a_chain_of_winners():
    made = rated([[0, 50, 50], [0, 0, 50], [0, 0, 0]], np.zeros((3, 3)))
    assert [rating.bound for rating in made.strategies] == ["at least", "unknown", "at most"]
    assert made.strategies[1].text() == "unknown"
    assert math.isnan(made.strategies[1].estimate.estimate)
    # a single draw connects
    drawn = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    made = rated([[0, 50, 49], [0, 0, 50], [0, 0, 0]], drawn)
    assert [rating.bound for rating in made.strategies] == ["", "", ""]
    assert all(math.isfinite(x) for x in points(made))


def test_only_draws_tell_nothing():
    made = rated(np.zeros((3, 3)), 40 * (1 - np.eye(3)))
    assert made.ties.estimate == math.inf
    assert points(made) == [0.0, 0.0, 0.0]
    assert all(math.isnan(rating.estimate.se) for rating in made.strategies)
    share = 1 - proportion(0, 120).ci_high
    assert made.ties.ci_low == pytest.approx(2 * share / (1 - share))
    assert made.expected(0, 1) == 0.5


def test_no_games():
    made = rated(np.zeros((3, 3)), np.zeros((3, 3)), deals=0, scatter=np.zeros((4, 4)))
    assert all(math.isnan(x) for x in points(made))
    assert math.isnan(made.ties.estimate)


def test_a_run_that_looks_has_wider_intervals():
    won = [[0, 600, 500], [400, 0, 550], [500, 450, 0]]
    fixed, looked = rated(won, np.zeros((3, 3))), rated(won, np.zeros((3, 3)), looked=True)
    for a, b in zip(fixed.strategies, looked.strategies):
        assert a.estimate.se == b.estimate.se
        assert b.estimate.half_width > 1.3 * a.estimate.half_width
        assert (a.estimate.method, b.estimate.method) == ("bradley-terry", "confidence-sequence")


@pytest.mark.parametrize(
    "call",
    [
        lambda: rated([[0]], [[0]]),
        lambda: rated([[0, 1], [-1, 0]], np.zeros((2, 2)), deals=1),
        lambda: rated([[0, 1], [1, 0]], [[0, 1], [2, 0]], deals=4),
        lambda: rated([[0, 1], [1, 0]], np.zeros((2, 2)), scatter=np.zeros((2, 2))),
        lambda: rated([[0, 1], [1, 0]], np.zeros((2, 2)), confidence=1.5),
        lambda: rated([[0, 1], [1, 0]], np.zeros((2, 2)), deals=2.5),
    ],
)
def test_wrong_input_is_refused_in_one_line(call):
    with pytest.raises(UsageError) as caught:
        call()
    assert "\n" not in str(caught.value)
