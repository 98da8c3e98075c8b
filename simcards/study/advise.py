"""What each action of a position is worth: all of them played out on the same sampled worlds.

The position is a player's view of a deal, put into words or taken from a replay. Every world has random streams of its
own, and worlds are summed up in blocks of fixed size, so the numbers do not depend on the workers or on an interrupt.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError, unknown
from simcards.results import Result
from simcards.study import aside
from simcards.study.engine import Crew, Progress, Teller
from simcards.study.plan import MOST_DEALS, Plan, whole_number
from simcards.study.table import PlayError
from simcards.study.whole import BEST, MOST_WORLDS, Trial, as_table, sift, ways

if TYPE_CHECKING:
    from simcards.games.game import Game, Positions, Reckoning
    from simcards.report.tables import Table
    from simcards.stats import Estimate
    from simcards.study.replay import Replay

WORLDS = 2_000
"""How many worlds are tried if not told otherwise."""

AT_MOST = 200_000
"""How many are tried at most when the run goes on until something is known, if not told otherwise."""

BLOCK = 16  # worlds that are summed up together
MOST_TOP = 100  # ways to make a whole decision that are judged


@dataclass(frozen=True)
class Question:
    """A decision that advice is wanted for.

    Attributes
    ----------
    plan : Plan
        Game and rules; where the position comes from a replay, the study it is of.
    view : ndarray of VIEW, shape (1,)
        What the player knows.
    complete : callable, optional
        Fills in what a position in words left open.
    assumed : tuple of str
        What was taken for granted.
    seat, phase : str
        Who decides, and on what.
    part : int
        The phase as the game knows it.
    actions : tuple of int
        The legal actions.
    words : tuple of str
        The same in words; those of `sequences` where there are some.
    position : mapping
        The position as text by key; empty where the game cannot write it.
    deal, decision : int, optional
        Where in the study it is, decisions counted from 1.
    sequences : tuple of tuple of int
        Where the whole decision is asked about and takes several actions: the ways to make it that are tried.
    ways : int
        How many ways there are, also those that are not tried any more.
    """

    plan: Plan
    view: NDArray[Any] = field(repr=False, compare=False)
    complete: Callable[[NDArray[Any], int, int], None] | None = field(repr=False, compare=False)
    assumed: tuple[str, ...]
    seat: str
    phase: str
    part: int
    actions: tuple[int, ...]
    words: tuple[str, ...]
    position: Mapping[str, str]
    deal: int | None = None
    decision: int | None = None
    sequences: tuple[tuple[int, ...], ...] = ()
    ways: int = 0

    @property
    def text(self) -> str:
        """The position as text, a line a key, as `read_position` takes it."""
        return "\n".join(f"{key}: {text}" for key, text in self.position.items())

    def code(self, place: int) -> dict[str, Any]:
        """Return the number of an action as a record has it, or the numbers of a sequence."""
        if not self.sequences:
            return {"code": self.actions[place]}
        return {"codes": " ".join(map(str, self.sequences[place]))}

    def views(self, seed: int, low: int, high: int) -> NDArray[Any]:
        """Return what the player knows in the worlds ``low`` to ``high - 1``.

        Parameters
        ----------
        seed : int
            Seed of the worlds.
        low, high : int
            Range of worlds.

        Returns
        -------
        ndarray of VIEW, shape (worlds,)
        """
        views = np.repeat(self.view, high - low)
        if self.complete is not None:
            self.complete(views, seed, low)
        return views


def read_position(plan: Plan, text: str, whole: bool = False) -> Question:
    """Read a position.

    Parameters
    ----------
    plan : Plan
        Game and rules.
    text : str
        ``key: value``, a line each or with semicolons between them; what follows a ``#`` is a remark.
    whole : bool
        Whether the whole decision is asked about, where it takes several actions, and not only the next of them.

    Returns
    -------
    Question

    Raises
    ------
    UsageError
        When it is not a position of the game: one line says what is wrong.
    """
    game = _advisable(plan)
    if game.positions is None and game.inner:
        raise UsageError(f"a position of {plan.game} is one of the game played in it: ask about it in {game.inner}")
    if game.positions is None:
        raise UsageError(f"positions of {plan.game} cannot be written down: choose a decision of a deal")
    return aside.call(_read, plan, game.positions, _values(plan, text, game.positions.keys), whole)


def replayed_position(plan: Plan, deal: int, decision: int, whole: bool = False) -> Question:
    """Take a position from a deal of a study.

    Parameters
    ----------
    plan : Plan
        The study.
    deal : int
        Index of the deal.
    decision : int
        Number of the decision in it, from 1, as a replay counts them.
    whole : bool
        As for `read_position`.

    Returns
    -------
    Question

    Raises
    ------
    UsageError
        When there is no such decision.
    """
    from simcards.study.replay import replay

    _advisable(plan)
    deal = whole_number("the deal", deal, 0, MOST_DEALS)
    try:
        played = replay(plan, deal)
    except PlayError as error:  # what went before the decision that failed can be asked about, and that one too
        if error.replay is None:
            raise
        played = error.replay
    if not 1 <= whole_number("the decision", decision, 0, 10**9) <= len(played.steps):
        raise UsageError(f"{plan.unit} {deal} has the decisions 1 to {len(played.steps)}, and not {decision}")
    return aside.call(_look, plan, played, decision, whole)


def _read(plan: Plan, positions: Positions, values: Mapping[str, str], whole: bool) -> Question:
    game = plan.load()
    view = np.zeros(1, game.view)
    for name, value in game.encoded(plan.overrides).items():
        view["rules"][name] = value
    read = positions.read(values, view)
    # what was not said is not repeated as if it had been
    written = {
        key: text
        for key, text in positions.write(read.view[0]).items()
        if key in values or key in ("seat", "phase", "stock")
    }
    return _question(plan, whole, read.view, read.complete, read.assumed, written)


def _look(plan: Plan, played: Replay, decision: int, whole: bool) -> Question:
    from simcards.kernel import search

    game, seat = plan.load(), plan.ruleset.seats.index(played.steps[decision - 1].seat)
    _, views = game.workspace(plan.overrides)
    search.look(played.states[decision - 1 : decision], seat, views)
    written = {} if game.positions is None else game.positions.write(views[0])
    return _question(plan, whole, views[:1], None, (), written, played.deal, decision)


def _advisable(plan: Plan) -> Game:
    game = plan.load()
    if "mc" not in game.strategies:
        raise UsageError(f"there is no advice for {plan.game}: it lacks what the strategy 'mc' needs")
    return game


def _values(plan: Plan, text: str, keys: Iterable[str]) -> dict[str, str]:
    """Take a text apart into values by key."""
    known = {_plain(key): key for key in keys}
    values: dict[str, str] = {}
    for line in text.splitlines():
        for part in line.partition("#")[0].split(";"):
            if not part.strip():
                continue
            name, colon, value = part.partition(":")
            if not colon:
                raise UsageError(f"a position is written 'key: value; key: value', and {part.strip()!r} has no colon")
            key = known.get(_plain(name))
            if key is None:
                raise unknown(f"key in a position of {plan.game}", name.strip(), known.values())
            if key in values:
                raise UsageError(f"the position says {key!r} twice")
            values[key] = value.strip()
    if not values:
        raise UsageError("the position is empty; say at least what the player holds, as in 'hand: QS JD KH'")
    return {key: value for key, value in values.items() if value}


def _plain(key: str) -> str:
    return " ".join(re.split(r"[\s_-]+", key.strip().casefold()))


def _question(
    plan: Plan,
    whole: bool,
    view: NDArray[Any],
    complete: Callable[[NDArray[Any], int, int], None] | None,
    assumed: tuple[str, ...],
    position: Mapping[str, str],
    deal: int | None = None,
    decision: int | None = None,
) -> Question:
    from simcards.kernel import search

    game = plan.load()
    states, _ = game.workspace(plan.overrides)
    views = view.copy()
    if complete is not None:
        complete(views, 0, 0)
    seat, part, mask = (int(number) for number in search.question(views, states))
    actions = tuple(action for action in range(64) if mask >> action & 1)
    if seat != int(view["seat"][0]) or not actions:
        raise UsageError("in this position it is not this player's turn")
    if search.is_undealt(states, np.zeros(1, game.state), np.uint64(mask)):
        raise UsageError("what this choice is worth shows only in cards that are dealt after it: compare it by a match")
    asked = Question(
        plan,
        view,
        complete,
        assumed,
        plan.ruleset.seats[seat],
        game.phases[part],
        part,
        actions,
        tuple(game.action_text(states[0], action) for action in actions),
        position,
        deal,
        decision,
    )
    return ways(asked, states) if whole else asked


@dataclass(frozen=True)
class Sums:
    """Sums over worlds.

    Attributes
    ----------
    worlds : int
        How many.
    total, squares : ndarray of float64, shape (actions,)
        Of the worth of each action.
    apart : ndarray of float64, shape (actions, actions)
        Of the squared difference of each two actions.
    best, usual : ndarray of int64, shape (actions,)
        In how many worlds no action was better, and in how many ``basic`` would take it.
    """

    worlds: int
    total: NDArray[np.float64]
    squares: NDArray[np.float64]
    apart: NDArray[np.float64]
    best: NDArray[np.int64]
    usual: NDArray[np.int64]

    @classmethod
    def empty(cls, actions: int) -> Sums:
        """Return the sums over no worlds."""
        row, counts = np.zeros(actions), np.zeros(actions, np.int64)
        return cls(0, row, row, np.zeros((actions, actions)), counts, counts)

    @classmethod
    def of(cls, values: NDArray[np.float64], usual: NDArray[np.int64], actions: NDArray[np.int64]) -> Sums:
        """Sum up the worth of each action in each world."""
        apart = values[:, :, None] - values[:, None, :]
        return cls(
            len(values),
            values.sum(axis=0),
            (values * values).sum(axis=0),
            (apart * apart).sum(axis=0),
            (values == values.max(axis=1, keepdims=True)).sum(axis=0),
            (usual[:, None] == actions).sum(axis=0),
        )

    def plus(self, other: Sums) -> Sums:
        """Return the sums over the worlds of both."""
        return Sums(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values())))

    def mean(self, place: int) -> tuple[float, float]:
        """Return the mean worth of an action and its standard error."""
        return _mean(self.worlds, float(self.total[place]), float(self.squares[place]))

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return by how much one action is worth more than another, and the standard error of that."""
        return _mean(self.worlds, float(self.total[one] - self.total[other]), float(self.apart[one, other]))

    def order(self) -> list[int]:
        """Return the places of the actions, best first."""
        return sorted(range(len(self.total)), key=lambda place: -self.total[place])


def _mean(n: int, total: float, squares: float) -> tuple[float, float]:
    if n == 0:
        return math.nan, math.nan
    if n == 1:
        return total, math.nan
    return total / n, math.sqrt(max(0.0, squares - total * total / n) / (n * (n - 1)))


@dataclass(frozen=True)
class _Blocks:
    """The work for the engine's workers: blocks of worlds."""

    question: Question
    seed: int
    worlds: int

    def __call__(self, low: int, high: int) -> list[Sums]:
        """Return the sums of the blocks ``low`` to ``high - 1``."""
        from simcards.kernel import search
        from simcards.kernel.protocol import OPTIONS

        question = self.question
        if question.sequences:
            trial = Trial(question, self.seed, as_table(question))
            every = np.arange(len(question.sequences))
            blocks = ((block * BLOCK, min((block + 1) * BLOCK, self.worlds)) for block in range(low, high))
            return [Sums.of(*trial(*limits), every) for limits in blocks]
        actions = np.array(question.actions, np.int64)
        legal = np.uint64(sum(1 << action for action in question.actions))
        options = np.zeros(1, OPTIONS)
        made = []
        for block in range(low, high):
            start, stop = block * BLOCK, min((block + 1) * BLOCK, self.worlds)
            views = question.views(self.seed, start, stop)
            values, usual = np.empty((stop - start, len(actions))), np.empty(stop - start, np.int64)
            search.advise(views, np.uint64(self.seed), start, legal, question.part, options, actions, values, usual)
            made.append(Sums.of(values, usual, actions))
        return made


def advise(
    question: Question,
    *,
    worlds: int,
    seed: int,
    precision: float | None = None,
    until_clear: bool = False,
    top: int = BEST,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> AdviceResult:
    """Try every action of a position in many worlds, or the most promising ways to make a whole decision.

    Parameters
    ----------
    question : Question
        The position.
    worlds : int
        How many, at most.
    seed : int
        Where they come from.
    precision : float, optional
        Stop as soon as the difference between the best two is known to within this much.
    until_clear : bool
        Stop as soon as it is clear which action is best.
    top : int
        How many ways to make a whole decision are judged, besides that of ``basic``.
    workers : int, optional
        Number of workers; it makes no difference to the result.
    progress : callable, optional
        Called with how far the run has come.

    Returns
    -------
    AdviceResult
        After Ctrl-C it covers the worlds done so far.

    Raises
    ------
    UsageError
        When something asked for is out of bounds.
    """
    worlds = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    seed = whole_number("the seed", seed, 0, 2**64 - 1)
    if precision is not None:
        number = isinstance(precision, int | float) and not isinstance(precision, bool)
        if not number or not 0.0 < precision < math.inf:
            raise UsageError(f"the precision must be a number above 0, not {precision!r}")
        if until_clear:
            raise UsageError("a run goes on until it is precise or until it is clear, not both")
    top = whole_number("the number of best choices", top, 1, MOST_TOP)
    crew = Crew(workers)
    blocks = math.ceil(worlds / BLOCK)
    sums, settled, interrupted = Sums.empty(0), False, False
    tell = Teller(progress, 0, worlds)
    try:
        sifting = len(question.sequences) > top
        crew.compile(Trial(question, seed, as_table(question)[:1]) if sifting else _Blocks(question, seed, worlds), 0)
        tell.begin()
        if sifting:
            question = sift(question, seed, top, Crew(workers))
        work, sums, done = _Blocks(question, seed, worlds), Sums.empty(len(question.words)), 0
        for stop in _stops(blocks, precision is not None or until_clear):
            with contextlib.closing(
                crew.results(work, done, stop, lambda upto: tell(min(worlds, upto * BLOCK)))
            ) as parts:
                for upto, part in parts:
                    # one assignment, so that an interrupt cannot come between worlds and sums
                    done, sums = upto, functools.reduce(Sums.plus, part, sums)
            if precision is not None or until_clear:
                settled = _is_settled(sums, precision)
                if settled:
                    break
    except KeyboardInterrupt:
        interrupted = sums.worlds < worlds
    return AdviceResult(
        question, sums, seed, worlds, precision, until_clear, settled, interrupted, tell.seconds, crew.workers
    )


def _stops(blocks: int, looking: bool) -> Iterable[int]:
    """Yield the numbers of blocks at which to stop and look; the last is all of them."""
    from simcards.stats import looks

    if looking:
        for look in looks():
            if look >= blocks * BLOCK:
                break
            yield math.ceil(look / BLOCK)
    yield blocks


def _is_settled(sums: Sums, precision: float | None) -> bool:
    """Return whether the best two are told apart well enough, or without a precision the best from all others.

    What never differed in so many worlds counts as the same. The intervals hold at all looks and, by Bonferroni's
    inequality, for all comparisons with the action that is truly best.
    """
    from simcards.stats import half_width

    order = sums.order()
    if len(order) == 1:
        return True
    confidence = 1.0 - 0.05 / (len(order) - 1)
    for other in order[1:]:
        difference, se = sums.difference(order[0], other)
        if difference == 0.0 and se == 0.0:
            continue
        half = half_width(sums.worlds, sums.worlds * se * se, confidence)
        if precision is not None:
            return half <= precision
        if difference <= half:
            return False
    return True


@dataclass(frozen=True, repr=False)
class AdviceResult(Result):
    """What each action of a position is worth.

    Attributes
    ----------
    question : Question
        The position.
    sums : Sums
        The sums over the worlds.
    seed, wanted : int
        Where the worlds come from, and how many were wanted at most.
    precision : float, optional
        The precision asked for.
    until_clear : bool
        Whether the run was to go on until it is clear which action is best.
    settled : bool
        Whether that, or the precision, was reached.
    interrupted : bool
        Whether it was interrupted before all worlds were done.
    seconds : float
        Time taken, without compiling.
    workers : int
        Number of workers.
    """

    question: Question
    sums: Sums
    seed: int
    wanted: int
    precision: float | None = None
    until_clear: bool = False
    settled: bool = False
    interrupted: bool = False
    seconds: float = 0.0
    workers: int = 1
    finished: float = field(default_factory=time.time)

    _file = "actions"

    @property
    def worlds(self) -> int:
        """How many worlds were tried."""
        return self.sums.worlds

    @property
    def best(self) -> str:
        """The action that turned out best, in words."""
        order = self.sums.order()
        return self.question.words[order[0]] if order else ""  # interrupted before anything was known

    @functools.cached_property
    def reckoning(self) -> Reckoning | None:
        """What the game can say of the actions exactly; None where it says nothing."""
        question = self.question
        reckon = question.plan.load().reckon
        if reckon is None or question.sequences:
            return None
        return aside.call(reckon, question.view[0], question.actions)

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record an action, best first."""
        question, sums = self.question, self.sums
        if not sums.worlds:
            return []
        order = sums.order()
        known = self.reckoning
        records = []
        for rank, place in enumerate(order):
            worth = estimate_of("worth", sums.worlds, *sums.mean(place))
            behind = estimate_of("difference", sums.worlds, *sums.difference(place, order[0]))
            records.append(
                {
                    "rank": rank + 1,
                    "action": question.words[place],
                    **question.code(place),
                    "n": sums.worlds,
                    "estimate": worth.estimate,
                    "se": worth.se,
                    "ci_low": worth.ci_low,
                    "ci_high": worth.ci_high,
                    "method": worth.method,
                    "difference": behind.estimate,
                    "difference_se": behind.se,
                    "best": int(sums.best[place]) / sums.worlds,
                    "basic": int(sums.usual[place]) / sums.worlds,
                    **({} if known is None else {name: values[place] for name, values in known.columns.items()}),
                }
            )
        return records

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        import simcards
        from simcards.kernel.compiled import source_hash

        question, plan = self.question, self.question.plan
        about: dict[str, Any] = {"game": plan.game, "unit": plan.unit, "rules": plan.rules}
        if question.deal is not None:
            about = {key: value for key, value in plan.describe().items() if key != "deals"}
            about |= {"deal": question.deal, "decision": question.decision}
        return {
            "version": simcards.__version__,
            "sources": f"{source_hash('games')}-{source_hash('study')}",
            **about,
            "seat": question.seat,
            "phase": question.phase,
            "position": dict(question.position),
            "assumed": list(question.assumed),
            "seed": self.seed,
            "worlds": self.worlds,
            "worth": self._worth(),
            **({"ways": question.ways} if question.ways else {}),
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
        }

    def headline(self) -> list[str]:
        """Return in a few lines what was asked."""
        from simcards.report.tables import several

        question, plan = self.question, self.question.plan
        wanted = f" (interrupted, {self.wanted:,} were wanted)" if self.interrupted else ""
        lines = [
            f"{plan.ruleset.title}: {question.seat} to {question.phase}, {several(self.worlds, 'world')}{wanted},"
            f" seed {self.seed}"
        ]
        if question.deal is not None:
            names = plan.strategies if len(set(plan.strategies)) > 1 else plan.strategies[:1]
            lines.append(
                f"decision {question.decision} of {plan.unit} {question.deal:,} as played by {' and '.join(names)}"
            )
        if plan.changes:
            lines.append(f"rules changed: {', '.join(f'{name} = {value}' for name, value in plan.changes)}")
        lines += [f"{key}: {text}" for key, text in question.position.items() if key not in ("seat", "phase")]
        if question.ways > len(question.words):
            lines.append(f"the most promising of {question.ways:,} ways, and what basic would do")
        if self.precision is not None:
            reached = "reached" if self.settled else "not reached"
            lines.append(f"precision {self.precision:g} of the difference between the best two: {reached}")
        if self.until_clear:
            lines.append(f"the best action is {'clear' if self.settled else 'not clear'}")
        return lines

    def tables(self, everything: bool = False) -> list[Table]:
        """Return one line an action, best first."""
        from simcards.report.tables import NONE, Heading, Table, shown

        sums = self.sums
        order = sums.order()
        known = {} if self.reckoning is None else self.reckoning.columns
        rows = []
        for place in order:
            worth = estimate_of("worth", sums.worlds, *sums.mean(place))
            behind = estimate_of("difference", sums.worlds, *sums.difference(place, order[0]))
            share = int(sums.usual[place]) / max(1, sums.worlds)
            rows.append(
                (
                    self.question.words[place],
                    shown(worth),
                    NONE if place == order[0] else shown(behind),
                    f"{100.0 * int(sums.best[place]) / max(1, sums.worlds):.0f} %",
                    "" if not share else "basic" if share == 1.0 else f"basic ({100.0 * share:.0f} %)",
                    *(f"{values[place]:.2f}" for values in known.values()),
                )
            )
        heads = [Heading("", number=False), Heading("worth"), Heading("against the best"), Heading("best in")]
        heads.append(Heading("chosen by", number=False))
        heads += [Heading(name) for name in known]
        return [Table("actions", "Action", tuple(heads), tuple(rows))]

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how the worth was reckoned and what was taken for granted."""
        from simcards.report.tables import BY_ERROR

        said = [f"{BY_ERROR} All actions were tried in the same worlds: trust the differences."]
        if self.question.ways > len(self.question.words):
            said.append("They were chosen in other worlds than these; a nearly equal one may have been passed over.")
        said.append(f"Worth is {self._worth()}, when everybody plays on by basic after the action.")
        said.append("'Best in' counts the worlds in which no other action did better.")
        if self.reckoning is not None:
            said.append(self.reckoning.doc)
        if self.question.assumed:
            said.append(f"Taken for granted: {'; '.join(self.question.assumed)}.")
        return said

    def _worth(self) -> str:
        game = self.question.plan.load()
        return game.quantity(game.payoff).doc


def estimate_of(quantity: str, n: int, value: float, se: float) -> Estimate:
    """Return a mean with its standard error and the interval of 95 %."""
    from simcards.stats import Estimate

    reach = NormalDist().inv_cdf(0.975) * se
    return Estimate(quantity, n, value, se, value - reach, value + reach, "normal")
