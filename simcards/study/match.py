"""Strategies against each other on the same deals, every one in every seat."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.stats import Comparison, Estimate
from simcards.study.accumulate import ColumnSums, Group, Layout, Part, Summing, Tally
from simcards.study.checkpoint import Identity
from simcards.study.engine import Execution, Progress, execute
from simcards.study.plan import Plan, make_plan
from simcards.study.table import BLOCK, matrix, table

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game, Quantity

MOST_STRATEGIES = 11  # so that there are no more pairs than groups of sums
GAMES = ("won_games", "drawn_games", "lost_games")
DEALS = ("better_deals", "equal_deals", "worse_deals")


@dataclass(frozen=True)
class Versus:
    """One row of the table of a match: two strategies compared in one quantity.

    Attributes
    ----------
    first, second : str
        The strategies.
    comparison : Comparison
        The mean difference, first less second, of a seat in a game; or, for won games and the like, their
        rate.
    first_mean, second_mean : float
        Mean of either strategy; nan in the rows of won games and the like.
    section, kind, doc : str
        As of the quantity.
    reduction : float
        Only for the payoff: how many times more deals would give the same error if every game had its own
        cards.
    """

    first: str
    second: str
    comparison: Comparison
    first_mean: float
    second_mean: float
    section: str
    kind: str
    doc: str
    reduction: float = math.nan

    @property
    def estimate(self) -> Estimate:
        """The number with its error."""
        return self.comparison.difference

    def as_record(self) -> dict[str, Any]:
        """Return the row of a table.

        Returns
        -------
        dict
            The columns of the estimate (`strategy` is the first) and ``against``, the means, z and
            probabilities where there are any, section and kind.
        """
        record: dict[str, Any] = {**self.estimate.as_record(), "against": self.second}
        if not math.isnan(self.first_mean):
            record |= {"mean": self.first_mean, "mean_against": self.second_mean}
            record |= {"z": self.comparison.z, "p_value": self.comparison.p_value}
        if self.comparison.p_adjusted is not None:
            record |= {"p_adjusted": self.comparison.p_adjusted, "reduction": self.reduction}
        return {**record, "section": self.section, "kind": self.kind}


@dataclass(frozen=True)
class MatchOutcome(Execution):
    """The result of a match.

    Attributes
    ----------
    study : MatchStudy
        Who met whom, and how they were seated.
    """

    study: MatchStudy = field(kw_only=True)

    @property
    def plan(self) -> Plan:
        """What was played; its strategies are those of the first seating."""
        return self.study.plans[0][0]

    def describe(self) -> dict[str, Any]:
        """Return what was played as plain data.

        Returns
        -------
        dict
        """
        return self.study.describe() | {"deals": self.study.plan.deals}

    def rows(self, confidence: float = 0.95) -> list[Versus]:
        """Compare every pair of strategies in every quantity that has a value for each seat.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        list of Versus
            For each pair the quantities in their order (the probabilities of the payoff are adjusted for all
            pairs by Holm's method), then the games won, drawn and lost, then the deals in which the first did
            better, the same, and worse in sum over all seatings. Where the run ended by its own result, the
            intervals are those of a confidence sequence and there are no probabilities.
        """
        study = self.study
        made = [list(self._pair(k, confidence)) for k in range(len(study.pairs))]
        place = [quantity.name for quantity in study.quantities].index(study.game.payoff)
        adjusted = stats.family(rows[place].comparison for rows in made)
        for rows, comparison in zip(made, adjusted, strict=True):
            rows[place] = replace(rows[place], comparison=comparison)
        return list(itertools.chain.from_iterable(made))

    def records(self, confidence: float = 0.95) -> list[dict[str, Any]]:
        """Return the rows as flat records.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        list of dict
        """
        return [row.as_record() for row in self.rows(confidence)]

    def frame(self, confidence: float = 0.95) -> pd.DataFrame:
        """Return the rows as a table.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame.from_records(self.records(confidence))

    def _pair(self, number: int, confidence: float) -> Iterable[Versus]:
        study, tally = self.study, self.tally
        group = tally.groups.get(number) or Group.empty(tally.layout)
        first, second = (study.strategies[k] for k in study.pairs[number])
        plays = study.plays
        for quantity in study.quantities:
            sums = tally.column(quantity.name, group)
            comparison = self._compare(sums, quantity.name, first, confidence)
            first_mean, second_mean = (
                tally.column(f"{side} {quantity.name}", group).total / (sums.n * plays) if sums.n else math.nan
                for side in ("first", "second")
            )
            reduction = self._reduction(sums, group) if quantity.name == study.game.payoff else math.nan
            yield Versus(
                first,
                second,
                comparison,
                first_mean,
                second_mean,
                quantity.section,
                quantity.kind,
                quantity.doc,
                reduction,
            )
        for name in GAMES:
            doc = f"games {name.removesuffix('_games')}"
            yield _counted(first, second, self._game_rate(name, group, first, confidence), doc)
        sums = tally.column(study.game.payoff, group)
        counts = (sums.positive, sums.n - sums.positive - sums.negative, sums.negative)
        for name, count in zip(DEALS, counts, strict=True):
            doc = f"deals in which the first does {name.removesuffix('_deals')} in sum over the seatings"
            rate = self._proportion(count, sums.n, name, first, confidence)
            yield _counted(first, second, rate, doc)

    def _proportion(self, count: int, n: int, name: str, strategy: str, confidence: float) -> Estimate:
        estimate = stats.proportion_sequence if self.precision is not None else stats.proportion
        return estimate(count, n, quantity=name, confidence=confidence, strategy=strategy)

    def _game_rate(self, name: str, group: Group, strategy: str, confidence: float) -> Estimate:
        """Estimate the rate of an event among games, of which those of one deal are not independent.

        The interval is that of a proportion among as many independent games as would have the same error.
        """
        sums, many = self.tally.column(name, group), len(self.study.seatings)
        counted = stats.mean(sums.n, sums.total, sums.squares, quantity=name, strategy=strategy)
        rate = _scaled(counted, many)
        p, size = rate.estimate, sums.n
        if rate.se > 0.0:
            size = max(1, round(p * (1.0 - p) / rate.se**2))
        wins = round(p * size) if sums.n else 0
        made = self._proportion(wins, size, name, strategy, confidence)
        low, high = min(made.ci_low, p), max(made.ci_high, p)
        return replace(rate, ci_low=low, ci_high=high, method=made.method)

    def _compare(self, sums: ColumnSums, name: str, strategy: str, confidence: float) -> Comparison:
        labels: dict[str, Any] = {"quantity": name, "strategy": strategy, "confidence": confidence}
        plays = self.study.plays
        if self.precision is not None:
            sequence = stats.mean_sequence(sums.n, sums.total, sums.squares, **labels)
            return Comparison(_scaled(sequence, plays), math.nan, math.nan)
        comparison = stats.paired(sums.n, sums.total, sums.squares, **labels)
        return replace(comparison, difference=_scaled(comparison.difference, plays))

    def _reduction(self, paired: ColumnSums, group: Group) -> float:
        """Variance of the sum over seatings if all had their own cards, over the variance it has."""
        names = [f"seating {k}" for k in range(len(self.study.seatings))]
        single = sum(_spread(self.tally.column(name, group)) for name in names)
        together = _spread(paired)
        if not together:
            return math.inf if single else math.nan
        return float(single / together)


def match(
    game: str,
    strategies: Iterable[str],
    *,
    deals: int,
    seed: int = 0,
    unit: str | None = None,
    rules: Mapping[str, object] | None = None,
    cards: Mapping[str, str | Iterable[str]] | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    precision: float | None = None,
    target: str | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> MatchOutcome:
    """Let strategies play each other, two at a time, on the same deals.

    Every deal is played under several seatings, so that the luck of the cards and of the seat cancels. With
    an even number of seats the first strategy has every other seat, then the second has them (partners, who
    sit opposite each other, are of one strategy). With an odd number the strategies also alternate, and all
    rotations are played, with either strategy in the larger number of seats: six seatings for three players.
    Over all seatings each strategy has every seat equally often.

    Parameters
    ----------
    game : str
        Id or synonym of a rule set.
    strategies : iterable of str
        Two or more names.
    deals : int
        How many deals; each is played once for every seating of every pair.
    seed, unit, rules, cards
        As for `simcards.study.plan.make_plan`.
    workers, chunk, confidence, progress, checkpoint, resume
        As for `simcards.study.engine.run`.
    precision : float, optional
        Stop when the difference of the target is known this well for every pair.
    target : str, optional
        A quantity with a value for each seat; the payoff if left out.

    Returns
    -------
    MatchOutcome

    Raises
    ------
    UsageError
        When something asked for is not there or a checkpoint cannot be used.
    PlayError
        When the game or a strategy is at fault.
    """
    names = [strategies] if isinstance(strategies, str) else list(strategies)
    if len(names) < 2:
        raise UsageError("a match needs two strategies or more, such as basic and random")
    if len(names) > MOST_STRATEGIES:
        raise UsageError(f"a match takes at most {MOST_STRATEGIES} strategies, not {len(names)}")
    made = [
        make_plan(game, deals=deals, strategies=name, seed=seed, unit=unit, rules=rules, cards=cards) for name in names
    ]
    if len(made[0].ruleset.seats) < 2:
        raise UsageError(f"{made[0].game} is played alone, so strategies cannot meet")
    study = MatchStudy(tuple(made))
    execution = execute(
        study,
        made[0].deals,
        workers=workers,
        chunk=chunk,
        precision=precision,
        target=target,
        confidence=confidence,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    return MatchOutcome(**vars(execution), study=study)


def seatings(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return how two strategies are seated: for each seating and seat 1 for the first and 0 for the second.

    Parameters
    ----------
    seats : int
        Number of seats.

    Returns
    -------
    tuple of tuple of int
        Two seatings for an even number of seats, twice that number for an odd one.

    Examples
    --------
    >>> seatings(2)
    ((1, 0), (0, 1))
    >>> seatings(3)
    ((1, 0, 1), (0, 1, 1), (1, 1, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1))
    """
    alternating = tuple((place + 1) % 2 for place in range(seats))
    other = tuple(1 - side for side in alternating)
    turns = 1 if seats % 2 == 0 else seats
    return tuple(side[k:] + side[:k] for side in (alternating, other) for k in range(turns))


@dataclass(frozen=True)
class MatchStudy:
    """The sums over the differences between strategies.

    Attributes
    ----------
    single : tuple of Plan
        For each strategy the plan in which it has all seats.
    """

    single: tuple[Plan, ...]

    @property
    def plan(self) -> Plan:
        """What is played, but for the strategies."""
        return self.single[0]

    @property
    def game(self) -> Game:
        """The game."""
        return self.plan.load()

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies."""
        return tuple(plan.strategies[0] for plan in self.single)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs that meet."""
        return tuple(itertools.combinations(range(len(self.single)), 2))

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """How the strategies of a pair are seated."""
        return seatings(self.plan.ruleset.players)

    @property
    def plays(self) -> int:
        """How many seats each strategy of a pair has in a deal, over all seatings."""
        return sum(map(sum, self.seatings))

    @property
    def plans(self) -> tuple[tuple[Plan, ...], ...]:
        """For each pair the plans of its seatings."""
        return tuple(
            tuple(self._seated(self.single[a], self.single[b], seating) for seating in self.seatings)
            for a, b in self.pairs
        )

    def _seated(self, first: Plan, second: Plan, seating: tuple[int, ...]) -> Plan:
        players = [(first if side else second).players[0] for side in seating]
        digests = tuple(digest for _, digest in players)
        return replace(
            self.plan,
            strategies=tuple(name for name, _ in players),
            digests=digests if any(digests) else (),
        )

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities that have a value for each seat."""
        game = self.game
        return tuple(quantity for quantity in game.quantities if game.row[quantity.name].shape)

    @property
    def layout(self) -> Layout:
        """What is summed; the pairs are its groups."""
        names = [quantity.name for quantity in self.quantities]
        sides = [f"{side} {name}" for side in ("first", "second") for name in names]
        seated = [f"seating {k}" for k in range(len(self.seatings))]
        return Layout((*names, *sides, *GAMES, *seated, "pair"), group="pair")

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        prints = "/".join(plan.fingerprint() for plan in self.single)
        return Identity(f"match/{prints}", self.describe(), self.layout, len(self.pairs))

    def describe(self) -> dict[str, Any]:
        """Return what is played as plain data, but for the number of deals.

        Returns
        -------
        dict
        """
        about = self.plan.describe()
        del about["deals"]
        about["strategies"] = list(self.strategies)
        about["seatings"] = ["".join("BA"[side] for side in seating) for seating in self.seatings]
        return about

    def half_width(self, tally: Tally, target: str | None, confidence: float) -> float:
        """Return the largest half width of the confidence sequences of the pairs.

        Parameters
        ----------
        tally : Tally
            The sums so far.
        target : str or None
            A quantity with a value for each seat; the payoff if None.
        confidence : float
            Confidence level.

        Returns
        -------
        float
        """
        names = [quantity.name for quantity in self.quantities]
        name = target or self.game.payoff
        if name not in names:
            raise unknown(f"quantity with a value for each seat in {self.plan.game}", name, names)
        widths = []
        for number in range(len(self.pairs)):
            group = tally.groups.get(number) or Group.empty(tally.layout)
            sums = tally.column(name, group)
            made = stats.mean_sequence(sums.n, sums.total, sums.squares, confidence=confidence)
            widths.append(made.half_width / self.plays)
        return max(widths)

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals under all seatings of all pairs and sum up the differences."""
        from simcards.study import kernels

        game = self.game
        layout = self.layout
        summing = Summing(layout)
        names = [column.quantity.name for column in game.columns]
        starts = np.array([names.index(quantity.name) for quantity in self.quantities], np.int64)
        payoff = [quantity.name for quantity in self.quantities].index(game.payoff)
        seated = np.array(self.seatings, np.int64)
        plans = self.plans
        size = min(BLOCK, high - low)
        rows = np.empty((len(seated), size, len(names)), np.int32)
        cells = np.empty((size, len(layout.columns)), np.int32)
        for start in range(low, high, BLOCK):
            count = min(BLOCK, high - start)
            for number, pair in enumerate(plans):
                for k, plan in enumerate(pair):
                    at = table(plan)
                    block = at.rows(count)
                    complaint = at.play(start, start + count, block)
                    if complaint:
                        return complaint
                    rows[k, :count] = matrix(block)
                cells[:, -1] = number
                wrong = kernels.differences(rows[:, :count], seated, starts, payoff, cells[:count])
                if wrong >= 0:
                    return f"{plan.game}, seed {plan.seed}, deal {start + wrong}: a sum over seats exceeds 2**31"
                summing.add(cells[:count])
        return summing.part()


def _scaled(estimate: Estimate, divisor: int) -> Estimate:
    return replace(
        estimate,
        estimate=estimate.estimate / divisor,
        se=estimate.se / divisor,
        ci_low=estimate.ci_low / divisor,
        ci_high=estimate.ci_high / divisor,
    )


def _counted(first: str, second: str, rate: Estimate, doc: str) -> Versus:
    return Versus(first, second, Comparison(rate, math.nan, math.nan), math.nan, math.nan, "games", "rate", doc)


def _spread(sums: ColumnSums) -> Fraction:
    """Variance of a column."""
    n = sums.n
    return Fraction(n * sums.squares - sums.total**2, n * n) if n else Fraction(0)
