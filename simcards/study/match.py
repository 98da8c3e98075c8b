"""Strategies against each other on the same deals, every one in every seat."""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.odds.written import several
from simcards.stats import Comparison, Controlled, Estimate, Ratings
from simcards.study.accumulate import ColumnSums, Group, Layout, Part, Summing, Tally
from simcards.study.checkpoint import Identity
from simcards.study.controls import Known, known_mean, products
from simcards.study.controls import estimate as control_estimate
from simcards.study.engine import Execution, Progress, execute
from simcards.study.plan import Plan, make_plan
from simcards.study.table import BLOCK, matrix, table

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game, Quantity

MOST_STRATEGIES = 11  # so that there are no more pairs than groups of sums
GAMES = ("won_games", "drawn_games", "lost_games")
DEALS = ("better_deals", "equal_deals", "worse_deals")
DRAWS = "draws"  # drawn games of all pairs in a deal


@dataclass(frozen=True)
class Versus:
    """One row of the table of a match: two strategies compared in one quantity.

    Attributes
    ----------
    first, second : str
        The strategies, as `MatchStudy.names` calls them.
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
class Verdict:
    """Which of two strategies is better, in a match that went on until that was decided.

    Attributes
    ----------
    first, second : str
        The strategies, as `MatchStudy.names` calls them.
    better : str, optional
        Which has the greater payoff; None where that is not decided.
    difference : Estimate
        Mean difference of the payoff, first less second, with the interval of the confidence sequence by which it is
        decided: those of all pairs hold together, at every look, with the confidence asked for.
    """

    first: str
    second: str
    better: str | None
    difference: Estimate

    def text(self, unit: str = "deal") -> str:
        """Return the verdict in words.

        Parameters
        ----------
        unit : str
            What the match counts.

        Returns
        -------
        str
            Such as ``"basic is better than random, decided after 1,000 deals"``.
        """
        after = f"after {several(self.difference.n, unit)}"
        if self.better is None:
            return f"{self.first} against {self.second}: undecided {after}"
        better, worse = (self.first, self.second) if self.difference.ci_low > 0.0 else (self.second, self.first)
        return f"{better} is better than {worse}, decided {after}"


@dataclass(frozen=True)
class MatchOutcome(Execution):
    """The result of a match.

    Attributes
    ----------
    study : MatchStudy
        Who met whom, and how they were seated.
    until_decided : float, optional
        The confidence with which all pairs were to be decided; `precise` then says whether they are.
    """

    study: MatchStudy = field(kw_only=True)
    until_decided: float | None = None

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
        about = self.study.describe() | {"deals": self.study.plan.deals}
        if self.until_decided is None:
            return about
        verdicts = [
            {"first": verdict.first, "second": verdict.second, "better": verdict.better} for verdict in self.verdicts()
        ]
        limit = {"deals_at_most": about["deals"]}
        return about | limit | {"until_decided": self.until_decided, "decided": self.precise, "verdicts": verdicts}

    @property
    def looked(self) -> bool:
        """Whether the run ended by its own result, so that intervals are those of a confidence sequence."""
        return self.precision is not None or self.until_decided is not None

    def verdicts(self) -> list[Verdict]:
        """Return for each pair who is better.

        Returns
        -------
        list of Verdict
            Empty unless the match went on until decided.
        """
        if self.until_decided is None:
            return []
        return self.study.verdicts(self.tally, self.until_decided)

    def ratings(self, confidence: float = 0.95) -> Ratings | None:
        """Rate the strategies by the games they won, drew and lost.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        Ratings or None
            In the order of the strategies; None where there are only two.
        """
        study, tally = self.study, self.tally
        many = len(study.strategies)
        if many < 3:
            return None
        won, drawn = np.zeros((many, many)), np.zeros((many, many))
        for number, (a, b) in enumerate(study.pairs):
            group = tally.groups.get(number) or Group.empty(tally.layout)
            won[a, b], even, won[b, a] = (tally.column(name, group).total for name in GAMES)
            drawn[a, b] = drawn[b, a] = even
        together = tally.groups.get(len(study.pairs)) or Group.empty(tally.layout)
        names = study.scores
        sums = [tally.column(name, together) for name in names]
        scatter = np.zeros((many + 1, many + 1))
        for i, j in itertools.combinations_with_replacement(range(many + 1), 2):
            product = sums[i].squares if i == j else tally.pair(names[i], names[j], together).ab
            if together.rows:
                centred = Fraction(product * together.rows - sums[i].total * sums[j].total, together.rows)
                scatter[i, j] = scatter[j, i] = float(centred)
        return stats.bradley_terry(
            study.names,
            won,
            drawn,
            deals=together.rows,
            scatter=scatter,
            confidence=confidence,
            looked=self.looked,
        )

    def controlled(self, confidence: float = 0.95) -> list[Controlled]:
        """Return for each pair the difference of the payoff, corrected by the quantities of known mean.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        list of Controlled
            Empty where no controls were asked for.

        Raises
        ------
        UsageError
            When a control has no value in some deals.
        """
        if not self.study.controls:
            return []
        return [self._controlled(number, confidence) for number in range(len(self.study.pairs))]

    def _controlled(self, number: int, confidence: float) -> Controlled:
        study, tally = self.study, self.tally
        group = tally.groups.get(number) or Group.empty(tally.layout)
        plays = study.plays
        made = control_estimate(
            tally,
            group,
            study.game.payoff,
            {name: mean * plays for name, mean in study.controls},
            confidence=confidence,
            looked=self.looked,
            strategy=study.names[study.pairs[number][0]],
        )
        return replace(made, estimate=made.estimate.divided(plays), plain=made.plain.divided(plays))

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
            intervals are those of a confidence sequence and there are no probabilities. In a match until decided
            that of the payoff is the one that decides: it has the confidence asked for there, for all pairs together.
        """
        study = self.study
        made = [list(self._pair(k, confidence)) for k in range(len(study.pairs))]
        place = [quantity.name for quantity in study.quantities].index(study.game.payoff)
        adjusted = stats.family(rows[place].comparison for rows in made)
        for rows, comparison in zip(made, adjusted, strict=True):
            rows[place] = replace(rows[place], comparison=comparison)
        return list(itertools.chain.from_iterable(made))

    def records(self, confidence: float = 0.95) -> list[dict[str, Any]]:
        """Return the rows as flat records, then those of the corrected differences and of the ratings.

        Parameters
        ----------
        confidence : float
            Confidence level.

        Returns
        -------
        list of dict
            The section is ``"controlled"`` for a corrected difference (``reduction`` then says how many times more
            deals would be needed without), and ``"ratings"`` for a rating and the parameter of draws.
        """
        made = [row.as_record() for row in self.rows(confidence)]
        for (_, second), control in zip(self.study.pairs, self.controlled(confidence)):
            made.append(
                {
                    **control.estimate.as_record(),
                    "against": self.study.names[second],
                    "reduction": control.reduction,
                    "section": "controlled",
                    "kind": "points",
                }
            )
        ratings = self.ratings(confidence)
        if ratings is not None:
            numbers = [*(rating.as_record() for rating in ratings.strategies), ratings.ties.as_record()]
            made += [{**record, "section": "ratings", "kind": "rating"} for record in numbers]
        return made

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
        first, second = (study.names[k] for k in study.pairs[number])
        plays = study.plays
        for quantity in study.quantities:
            sums = tally.column(quantity.name, group)
            comparison = self._compare(sums, quantity, group, first, confidence)
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
        estimate = stats.proportion_sequence if self.looked else stats.proportion
        return estimate(count, n, quantity=name, confidence=confidence, strategy=strategy)

    def _game_rate(self, name: str, group: Group, strategy: str, confidence: float) -> Estimate:
        """Estimate the rate of an event among games, of which those of one deal are not independent."""
        sums = self.tally.column(name, group)
        return stats.clustered_proportion(
            sums.n,
            sums.total,
            sums.squares,
            len(self.study.seatings),
            quantity=name,
            confidence=confidence,
            strategy=strategy,
            estimate=stats.proportion_sequence if self.looked else stats.proportion,
        )

    def _compare(
        self, sums: ColumnSums, quantity: Quantity, group: Group, strategy: str, confidence: float
    ) -> Comparison:
        study, name = self.study, quantity.name
        if self.looked:
            if self.until_decided is not None and name == study.game.payoff:
                confidence = study.shared(self.until_decided)
            sequence = study.sequence(self.tally, group, name, confidence)
            difference = _possible(replace(sequence, strategy=strategy), quantity.kind)
            return Comparison(difference, math.nan, math.nan)
        labels: dict[str, Any] = {"quantity": name, "strategy": strategy, "confidence": confidence}
        comparison = stats.paired(sums.n, sums.total, sums.squares, **labels)
        return replace(comparison, difference=_possible(comparison.difference.divided(study.plays), quantity.kind))

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
    until_decided: float | None = None,
    controls: Known | Iterable[str] | None = None,
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
    until_decided : float, optional
        Confidence, such as 0.95 or 0.999, with which it is to be decided for every pair which of the two has the
        greater payoff. The match stops as soon as it is, looked at after 1,000, 1,250, 1,560, … deals, and at
        `deals` if it is not by then. The probability that anything is decided wrongly, for any pair at any look, is at
        most 1 less this confidence; see `MatchStudy.sequence`. Strategies that are equal stay undecided.
    controls : mapping or iterable of str, optional
        Quantities with a value for each seat, for which the mean difference between the strategies, of a seat in a
        game, is known whatever they play: 0 unless a mapping gives it. They are used to correct the difference of the
        payoff, see `MatchOutcome.controlled`.

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
    study = MatchStudy(tuple(made), _known(made[0].load(), controls))
    if until_decided is not None:
        if precision is not None or target is not None:
            raise UsageError("a match goes on until the payoff is decided or until a target is precise, not both")
        study.verdicts(Tally.empty(study.layout), until_decided)  # the confidence is checked there
    execution = execute(
        study,
        made[0].deals,
        workers=workers,
        chunk=chunk,
        precision=precision,
        target=target,
        confidence=confidence,
        enough=None if until_decided is None else functools.partial(_decided, study, until_decided),
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    return MatchOutcome(**vars(execution), study=study, until_decided=until_decided)


def _decided(study: MatchStudy, confidence: float, tally: Tally) -> bool:
    return all(verdict.better is not None for verdict in study.verdicts(tally, confidence))


def _known(game: Game, asked: Known | Iterable[str] | None) -> tuple[tuple[str, Fraction], ...]:
    """Return the controls with their known means, checked."""
    if asked is None:
        return ()
    names = [asked] if isinstance(asked, str) else asked
    given = dict(asked) if isinstance(asked, Mapping) else dict.fromkeys(names, 0)
    possible = [
        quantity.name
        for quantity in game.quantities
        if game.row[quantity.name].shape and quantity.name != game.payoff and quantity.kind != "trick"
    ]
    for name in given:
        if name not in possible:
            raise unknown(f"quantity to use as a control in a match of {game.ruleset.id}", name, possible)
    return tuple((name, known_mean(name, mean)) for name, mean in given.items())


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
    controls : tuple of pair
        Quantities, and the known means of their differences.
    """

    single: tuple[Plan, ...]
    controls: tuple[tuple[str, Fraction], ...] = ()

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
    def names(self) -> tuple[str, ...]:
        """What results call the strategies: their names, numbered where they are the same."""
        return numbered(self.strategies)

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
    def scores(self) -> tuple[str, ...]:
        """For three strategies and more: columns for the won less the lost games of each in a deal, and the drawn."""
        many = len(self.single)
        return (*(f"score {k}" for k in range(many)), DRAWS) if many > 2 else ()

    @property
    def layout(self) -> Layout:
        """What is summed; the pairs are its groups, and the scores are those of one more."""
        names = [quantity.name for quantity in self.quantities]
        sides = [f"{side} {name}" for side in ("first", "second") for name in names]
        seated = [f"seating {k}" for k in range(len(self.seatings))]
        controls = [name for name, _ in self.controls]
        pairs = (*products([self.game.payoff, *controls] if controls else ()), *products(self.scores))
        columns = (*names, *sides, *GAMES, *seated, *self.scores, "pair")
        return Layout(columns, pairs=pairs, group="pair")

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        prints = "/".join([*(plan.fingerprint() for plan in self.single), *(name for name, _ in self.controls)])
        rows = len(self.pairs) + bool(self.scores)
        return Identity(f"match/{prints}", self.describe(), self.layout, rows)

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
        if self.controls:
            about["controls"] = {name: float(mean) for name, mean in self.controls}
        return about

    def sequence(self, tally: Tally, group: Group, name: str, confidence: float) -> Estimate:
        """Estimate the difference of a quantity during a run.

        Differences between strategies are often lopsided: almost always nothing, now and then a large bonus. The
        plain sequence for means would be sure too soon as long as the bonus was not seen: in up to 38 % of runs in
        place of 5 %, where a bonus once in 1,000 deals makes up for a small loss in all others. So bounds are given.
        Those of the payoff are the largest difference seen in any single game, times the games of a deal: the
        bonus is seen in games long before it falls to one of the two strategies only. Those of other
        quantities are the greatest and least sums of either strategy, or how often at most something can happen or
        not. Only a payoff that is rare in the game itself can still surprise.

        Parameters
        ----------
        tally : Tally
            The sums so far.
        group : Group
            Those of the pair.
        name : str
            The quantity.
        confidence : float
            Confidence level of this one difference, over all looks together.

        Returns
        -------
        Estimate
            Of a seat in a game, first less second.
        """
        sums = tally.column(name, group)
        if name == self.game.payoff:
            games = [tally.column(f"seating {k}", group) for k in range(len(self.seatings))]
            reach = len(games) * max(_farthest(game) for game in games)
        else:
            first, second = (tally.column(f"{side} {name}", group) for side in ("first", "second"))
            reach = max((first.most or 0) - (second.least or 0), (second.most or 0) - (first.least or 0), 0)
            if any(quantity.name == name and quantity.kind == "flag" for quantity in self.quantities):
                reach = max(reach, self.plays)
        made = stats.mean_sequence(
            sums.n,
            sums.total,
            sums.squares,
            bounds=(-reach, reach),
            quantity=name,
            confidence=confidence,
        )
        return made.divided(self.plays)

    def shared(self, confidence: float) -> float:
        """Return the confidence of each pair with which all of them hold together (Bonferroni).

        Parameters
        ----------
        confidence : float
            Of all together.

        Returns
        -------
        float
        """
        if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0.0 < confidence < 1.0:
            raise UsageError(
                f"the confidence to decide with must lie between 0 and 1, such as 0.95, not {confidence!r}"
            )
        return 1.0 - (1.0 - confidence) / len(self.pairs)

    def verdicts(self, tally: Tally, confidence: float) -> list[Verdict]:
        """Return for each pair who is better by the sums so far.

        Parameters
        ----------
        tally : Tally
            The sums.
        confidence : float
            Confidence level, of all pairs and looks together.

        Returns
        -------
        list of Verdict
        """
        each = self.shared(confidence)
        made = []
        for number, pair in enumerate(self.pairs):
            first, second = (self.names[k] for k in pair)
            group = tally.groups.get(number) or Group.empty(tally.layout)
            difference = replace(self.sequence(tally, group, self.game.payoff, each), strategy=first)
            better = first if difference.ci_low > 0.0 else second if difference.ci_high < 0.0 else None
            made.append(Verdict(first, second, better, difference))
        return made

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
            widths.append(self.sequence(tally, group, name, confidence).half_width)
        return max(widths)

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals under all seatings of all pairs and sum up the differences."""
        from simcards.kernel.protocol import MISSING
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
        cells = np.full((size, len(layout.columns)), MISSING, np.int32)
        together = cells.copy()
        together[:, -1] = len(plans)
        scores = together[:, len(layout.columns) - 1 - len(self.scores) : -1]
        games = [layout.index(name) for name in GAMES]
        for start in range(low, high, BLOCK):
            count = min(BLOCK, high - start)
            scores[:] = 0
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
                if self.scores:
                    first, second = self.pairs[number]
                    won, drawn, lost = cells[:, games].T
                    scores[:, first] += won - lost
                    scores[:, second] += lost - won
                    scores[:, -1] += drawn
            if self.scores:
                summing.add(together[:count])
        return summing.part()


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Tell strategies of the same name apart.

    Parameters
    ----------
    names : sequence of str
        The names.

    Returns
    -------
    tuple of str
        Those that are the same are numbered: ``"random (1)"``, ``"random (2)"``.
    """
    return tuple(
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )


def _possible(estimate: Estimate, kind: str) -> Estimate:
    """Keep the interval of a difference of rates within what such a difference can be."""
    if kind != "flag":
        return estimate
    low = -1.0 if estimate.ci_low < -1.0 else estimate.ci_low
    high = 1.0 if estimate.ci_high > 1.0 else estimate.ci_high
    return replace(estimate, ci_low=low, ci_high=high)


def _farthest(sums: ColumnSums) -> int:
    """Return how far the values of a column were from 0."""
    return max(abs(sums.least or 0), abs(sums.most or 0))


def _counted(first: str, second: str, rate: Estimate, doc: str) -> Versus:
    return Versus(first, second, Comparison(rate, math.nan, math.nan), math.nan, math.nan, "games", "rate", doc)


def _spread(sums: ColumnSums) -> Fraction:
    """Variance of a column."""
    n = sums.n
    return Fraction(n * sums.squares - sums.total**2, n * n) if n else Fraction(0)
