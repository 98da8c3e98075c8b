"""Ratings of three or more strategies from who won, drew and lost against whom: Bradley and Terry, with ties.

Every strategy has a strength, and in a game of i against j (Davidson 1970), with :math:`p_i = e^{strength}`,

    i wins : draw : j wins  =  p_i : nu * sqrt(p_i p_j) : p_j

so nu, one number for all pairs, says how common draws are (between equals the share of draws is ``nu/(2 + nu)``)
and without draws it is the model of Bradley and Terry. Strengths are told on the scale of Elo, on which 400 points are
odds of ten to one of winning against losing, and relative to the mean of all. A likelihood that is concave has one
greatest value, found by Newton's method.

The games of one deal are played with the same cards by all pairs, so they are not independent, and the error that
the likelihood itself suggests is too small or too large. The errors here are those of the sandwich estimator with
the deals as clusters (Liang and Zeger 1986): it needs of each deal only what the strategies scored in it and how many
games were drawn, since the model is an exponential family in these, and it holds also where the model is not
quite right.

References
----------
Bradley and Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39.
Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments",
Journal of the American Statistical Association 65.
Ford (1957), "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64.
Liang and Zeger (1986), "Longitudinal data analysis using generalized linear models", Biometrika 73.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcards.errors import UsageError
from simcards.stats._check import level, whole
from simcards.stats.estimate import Estimate
from simcards.stats.intervals import critical_value, proportion
from simcards.stats.sequence import half_width, proportion_sequence

ELO = 400.0 / math.log(10.0)
"""Points of rating for a strength of 1."""

Floats = NDArray[np.float64]

_STEPS = 100  # of Newton's method, of which some ten are needed


@dataclass(frozen=True)
class Rating:
    """The rating of one strategy.

    Attributes
    ----------
    estimate : Estimate
        Points relative to the mean of all strategies; method ``bradley-terry``, or ``confidence-sequence``.
    bound : str
        Empty as a rule. ``"at least"`` or ``"at most"`` where games do not bound the rating on the other side, since
        a group of strategies never lost or drew a game against the rest, or never won or drew one: the estimate is
        then that bound, and has no error. ``"unknown"`` where both are so.
    """

    estimate: Estimate
    bound: str = ""

    def as_record(self) -> dict[str, str | int | float]:
        """Return the row of a table.

        Returns
        -------
        dict
            The columns of the estimate, and ``bound`` where there is one.
        """
        record = self.estimate.as_record()
        return {**record, "bound": self.bound} if self.bound else record

    def text(self) -> str:
        """Return the rating as people write it.

        Returns
        -------
        str
            Such as ``"+35.1 ± 4.2"``, ``"at least +820"`` or ``"unknown"``.
        """
        if self.bound == "unknown":
            return self.bound
        if self.bound:
            return f"{self.bound} {self.estimate.estimate:+.0f}"
        text = self.estimate.text()
        return f"+{text}" if self.estimate.estimate > 0.0 else text


@dataclass(frozen=True)
class Ratings:
    """The ratings of all strategies.

    Attributes
    ----------
    strategies : tuple of Rating
        In the order given.
    ties : Estimate
        The parameter nu of draws; its interval is made on the scale of logarithms. 0 where no game was drawn, infinite
        where all were (then nothing is known of the strengths), and then without an error.
    """

    strategies: tuple[Rating, ...]
    ties: Estimate
    _strengths: Floats = field(repr=False)
    _covariance: Floats = field(repr=False)
    _confidence: float = field(repr=False)
    _looked: bool = field(repr=False)
    _groups: tuple[int, ...] = field(repr=False)

    def difference(self, first: int, second: int) -> Estimate:
        """Return how far one strategy is rated above another.

        Its error is not to be had from those of the two ratings, which are not independent.

        Parameters
        ----------
        first, second : int
            Places of the strategies.

        Returns
        -------
        Estimate
            In points; infinite, with the bound as one end of the interval, where one always won.
        """
        first, second = self._place(first), self._place(second)
        sides = np.zeros(len(self.strategies))
        sides[first] += 1.0
        sides[second] -= 1.0
        return _points(self, sides, "rating_difference", self.strategies[first].estimate.strategy)

    def expected(self, first: int, second: int) -> float:
        """Return the expected score of a game, a draw being half a win.

        Parameters
        ----------
        first, second : int
            Places of the strategies.

        Returns
        -------
        float
        """
        first, second = self._place(first), self._place(second)
        won, drawn = _chances(np.array([self._strengths[first] - self._strengths[second]]), self.ties.estimate)
        return float(won[0] + drawn[0] / 2.0)

    def _place(self, place: int) -> int:
        number, last = whole("the place of a strategy", place, least=0), len(self.strategies) - 1
        if number > last:
            raise UsageError(f"the place of a strategy must be at most {last}, not {number}")
        return number


def bradley_terry(
    strategies: Sequence[str],
    won: ArrayLike,
    drawn: ArrayLike,
    *,
    deals: int,
    scatter: ArrayLike,
    confidence: float = 0.95,
    looked: bool = False,
) -> Ratings:
    """Rate strategies by the games that all of them played against each other.

    Parameters
    ----------
    strategies : sequence of str
        Names, k of them; equal ones are kept apart.
    won : array_like, shape (k, k)
        How many games the one of the row won against the one of the column.
    drawn : array_like, shape (k, k)
        How many they drew: symmetric.
    deals : int
        How many deals, that is clusters of games that may depend on each other, there were.
    scatter : array_like, shape (k + 1, k + 1)
        Sums, over the deals, of the squares and products of what each strategy scored in a deal in all its games
        (games won less games lost) and, last, of how many games were drawn in it, less the product of their sums over
        the number of deals: the matrix of centred sums of squares and products.
    confidence : float
        Confidence level.
    looked : bool
        Whether the number of deals depends on the result, so that the intervals must hold at every look.

    Returns
    -------
    Ratings

    Notes
    -----
    Some group of strategies may have won all games against all others. The likelihood then has no greatest value, and
    the distance between the groups is bounded on one side only: by the share of games, q, that the weaker ones might
    win though it was seen in no deal (the upper bound of such a proportion). The strengths told
    are those with this share of the games given to them, and are marked as bounds.
    """
    names = list(strategies)
    k = len(names)
    n = whole("the number of deals", deals, least=0)
    level(confidence)
    wins, ties = np.array(won, np.float64), np.array(drawn, np.float64)
    spread = np.array(scatter, np.float64)
    if k < 2 or wins.shape != (k, k) or ties.shape != (k, k) or spread.shape != (k + 1, k + 1):
        raise UsageError(f"{k} strategies need tables of {k} times {k} games and {k + 1} times {k + 1} products")
    if (wins < 0).any() or (ties < 0).any() or (ties != ties.T).any():
        raise UsageError("games cannot be fewer than none, and i draws with j as often as j with i")
    np.fill_diagonal(wins, 0.0)
    np.fill_diagonal(ties, 0.0)
    upper = np.triu_indices(k, 1)
    if not ((wins + wins.T + ties)[upper] > 0.0).all():
        groups = (0,) * k
        nothing = np.full((k, k), math.nan)
        nan = _tied(n, math.nan, nothing, confidence, looked)
        return _made(names, n, np.full(k, math.nan), nothing, nan, confidence, looked, groups)
    groups = _groups(wins + ties)
    pieces = max(groups) + 1
    if pieces > 1:
        q = _never(n, confidence, looked)
        for i in range(k):
            for j in range(k):
                if groups[j] == groups[i] + 1:
                    wins[j, i] = q * wins[i, j]
                    wins[i, j] -= wins[j, i]
    strengths, log_nu, information = _fit(wins, ties)
    if math.isinf(log_nu):  # one parameter less
        spread = spread[:k, :k]
    # The strengths are known up to a constant: the mean is 0, and no direction but that one is lost.
    scores = spread.copy()
    scores[:k] /= 2.0
    scores[:, :k] /= 2.0
    inverse = np.linalg.pinv(information, hermitian=True)
    covariance = inverse @ scores @ inverse * (n / (n - 1) if n > 1 else math.nan)
    if log_nu == math.inf:
        covariance = np.full((k, k), math.nan)  # any strengths go with endless draws
    tied = _tied(n, log_nu, covariance, confidence, looked)
    return _made(names, n, strengths, covariance[:k, :k], tied, confidence, looked, groups)


def _made(
    names: list[str],
    n: int,
    strengths: Floats,
    covariance: Floats,
    tied: Estimate,
    confidence: float,
    looked: bool,
    groups: tuple[int, ...],
) -> Ratings:
    ratings = Ratings((), tied, strengths, covariance, confidence, looked, groups)
    rows = []
    last = max(groups)
    for place, name in enumerate(names):
        points = np.full(len(names), -1.0 / len(names))
        points[place] += 1.0
        made = _points(ratings, points, "rating", name)
        bound = ""
        if last:
            bound = {0: "at least", last: "at most"}.get(groups[place], "unknown")
            limits = {"at least": (made.estimate, math.inf), "at most": (-math.inf, made.estimate)}
            low, high = limits.get(bound, (-math.inf, math.inf))
            value = math.nan if bound == "unknown" else made.estimate
            made = Estimate("rating", n, value, math.nan, low, high, made.method, strategy=name)
        rows.append(Rating(made, bound))
    return Ratings(tuple(rows), tied, strengths, covariance, confidence, looked, groups)


def _points(ratings: Ratings, weights: Floats, quantity: str, strategy: str | None) -> Estimate:
    """Return a combination of strengths, with weights that add up to 0, in points."""
    n = ratings.ties.n
    estimate = round(ELO * float(weights @ ratings._strengths), 9)  # no 4e-14 where two are equal
    se = ELO * math.sqrt(max(float(weights @ ratings._covariance @ weights), 0.0))  # nan stays
    reach = _reach(n, ratings._confidence, ratings._looked) * se
    low, high = estimate - reach, estimate + reach
    if quantity != "rating":
        above, below = (np.array(ratings._groups)[weights * sign > 0].sum() for sign in (1, -1))
        if above != below:  # always won, or always lost
            low, high = (estimate, math.inf) if above < below else (-math.inf, estimate)
            estimate, se = (high, math.nan) if above < below else (low, math.nan)
    method = ratings.ties.method
    return Estimate(quantity, n, estimate, se, low, high, method, strategy=strategy)


def _tied(n: int, log_nu: float, covariance: Floats, confidence: float, looked: bool) -> Estimate:
    """Return the parameter of draws; where none was drawn, or all were, with the bound on that share."""
    nu, error = math.exp(log_nu), math.nan
    low, high = math.nan, math.nan
    if math.isinf(log_nu):
        share = _never(n, confidence, looked)  # between equals the share of draws is nu/(2 + nu)
        low, high = (0.0, 2.0 * share / (1.0 - share)) if nu == 0.0 else (2.0 * (1.0 - share) / share, math.inf)
    elif not math.isnan(log_nu):
        spread = math.sqrt(covariance[-1, -1])
        error = nu * spread
        reach = _reach(n, confidence, looked) * spread
        low, high = nu * math.exp(-reach), nu * math.exp(reach)
    return Estimate("ties", n, nu, error, low, high, "confidence-sequence" if looked else "bradley-terry")


def _never(n: int, confidence: float, looked: bool) -> float:
    """Return the upper bound of the probability of what did not happen in any deal."""
    made = proportion_sequence if looked else proportion
    return made(0, n, confidence=confidence).ci_high


def _reach(n: int, confidence: float, looked: bool) -> float:
    """Return how many errors the interval reaches to either side."""
    if n < 2:
        return math.nan
    return half_width(n, float(n), confidence) if looked else critical_value(n, confidence)[0]


def _groups(scored: Floats) -> tuple[int, ...]:
    """Return for each strategy its group: those of group 0 scored in all games against those of group 1, and so on.

    A strategy reaches another if it won or drew a game against it, or against one that reaches it; two are of one
    group if each reaches the other (Ford's condition). All have met, so the groups stand in one order.
    """
    k = len(scored)
    reaches = (scored > 0.0) | np.eye(k, dtype=bool)
    for middle in range(k):
        reaches |= reaches[:, [middle]] & reaches[[middle], :]
    # Who reaches more stands higher
    counts = [int(row.sum()) for row in reaches]
    order = sorted(set(counts), reverse=True)
    return tuple(order.index(count) for count in counts)


def _chances(gaps: Floats, nu: float) -> tuple[Floats, Floats]:
    """Return the probabilities of a win and of a draw, given by how much the one is stronger."""
    if math.isinf(nu):
        return np.zeros_like(gaps), np.ones_like(gaps)
    half = gaps / 2.0
    top = np.abs(half)  # nothing overflows
    win, lose, draw = np.exp(half - top), np.exp(-half - top), nu * np.exp(-top)
    whole_ = win + lose + draw
    return win / whole_, draw / whole_


def _fit(wins: Floats, ties: Floats) -> tuple[Floats, float, Floats]:
    """Return the strengths (mean 0), the logarithm of nu, and the information about them, for a connected table.

    Where no game was drawn, or every one, nu is 0 or infinite and the information is about the strengths only.
    """
    k = len(wins)
    i, j = np.triu_indices(k, 1)
    games = (wins + wins.T + ties)[i, j]
    total = games.sum()
    draws = ties[i, j].sum()
    if draws == total:
        return np.zeros(k), math.inf, np.zeros((k, k))
    score = wins.sum(axis=1) + ties.sum(axis=1) / 2.0
    design = np.zeros((len(i), k))
    design[np.arange(len(i)), i], design[np.arange(len(i)), j] = 1.0, -1.0
    free = k + 1 if draws else k

    def parts(x: Floats) -> tuple[Floats, Floats, Floats]:
        gaps = design @ x[:k]
        won, drawn = _chances(gaps, math.exp(x[k]) if draws else 0.0)
        return gaps, won, drawn

    def loss(x: Floats) -> Any:
        gaps = design @ x[:k]
        half = np.abs(gaps) / 2.0
        mass = np.exp(-2.0 * half) + 1.0 + (math.exp(x[k]) * np.exp(-half) if draws else 0.0)
        gain = score @ x[:k] + (draws * x[k] if draws else 0.0)
        # a win weighs exp(strength), a draw exp of the mean strength: the score times the strengths
        middle = (np.abs(design) @ x[:k]) / 2.0
        return (games @ (np.log(mass) + half + middle) - gain) / total + x[:k].sum() ** 2 / 2.0

    def slope(x: Floats) -> Floats:
        _, won, drawn = parts(x)
        expected = np.zeros(free)
        expected[:k] = design.T @ (games * (won + drawn / 2.0)) + np.bincount(j, weights=games, minlength=k)
        if draws:
            expected[k] = games @ drawn - draws
        expected[:k] -= score
        out: Floats = expected / total
        out[:k] += x[:k].sum()
        return out

    def information(x: Floats) -> Floats:
        _, won, drawn = parts(x)
        lost = 1.0 - won - drawn
        out = np.zeros((free, free))
        # variance of the score, 1 for a win and 1/2 for a draw; of the draws; and of both together
        mean = won + drawn / 2.0
        out[:k, :k] = (design.T * (games * (won + drawn / 4.0 - mean**2))) @ design
        if draws:
            out[:k, k] = out[k, :k] = design.T @ (games * drawn * (lost - won) / 2.0)
            out[k, k] = games @ (drawn * (1.0 - drawn))
        return out

    def bend(x: Floats) -> Floats:
        out: Floats = information(x) / total
        out[:k, :k] += 1.0
        return out

    x = np.zeros(free)
    if draws:
        x[k] = math.log(2.0 * draws / (total - draws))
    for _ in range(_STEPS):
        at, step = loss(x), np.linalg.solve(bend(x), slope(x))
        size = 1.0
        while loss(x - size * step) > at + 1e-14 * abs(at) and size > 1e-9:
            size /= 2.0
        x = x - size * step
        if np.abs(step).max() < 1e-11:
            break
    strengths: Floats = x[:k] - x[:k].mean()
    return strengths, float(x[k]) if draws else -math.inf, information(x)
