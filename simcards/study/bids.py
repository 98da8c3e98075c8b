"""What every bid or contract is worth with a hand: all of them played out on the same sampled worlds.

Three levels of play answer differently, and all of them are named in what is shown: everybody plays by ``basic``;
everybody searches (``mc``); or all cards are open once only tricks are left.
"""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError, unknown
from simcards.results import Result
from simcards.study.advise import Question, estimate_of
from simcards.study.engine import Crew, Progress, Teller
from simcards.study.plan import whole_number
from simcards.study.whole import MOST_WORLDS

if TYPE_CHECKING:
    from simcards.games.game import Bids, Game
    from simcards.report.tables import Table

LEVELS = ("basic", "mc", "open")
"""The levels of play, as the kernel numbers them."""

LEVEL_TEXT = {
    "basic": "everybody plays by basic",
    "mc": "everybody searches by mc",
    "open": "open cards, everybody plays his best once only tricks are left",
}
WORLDS = {"basic": 2_000, "mc": 100, "open": 500}
"""In how many worlds each level is played if not told otherwise."""

PASS = "pass"
BLOCK = 16  # worlds that are played together
_HOPELESS = 0.02  # share of worlds in which a contract is made, below which it is not shown
_FEW = 4  # names that are written out
SEARCH_WORLDS = 10  # of every decision at the level mc


def bids_of(game: Game) -> Bids:
    """Return what can be bid for in a game.

    Raises
    ------
    UsageError
        When there is no auction in it.
    """
    if game.bids is None:
        raise UsageError(f"nothing is bid for in {game.ruleset.id}")
    return game.bids


def chosen_contracts(bids: Bids, names: Iterable[str] | None) -> tuple[int, ...]:
    """Return the contracts of these names, all of them when there are no names.

    Raises
    ------
    UsageError
        For a name that is none.
    """
    if names is None:
        return tuple(range(len(bids.contracts)))
    known = {name.casefold(): place for place, name in enumerate(bids.contracts)}
    found = []
    for name in names:
        if name.strip().casefold() not in known:
            raise unknown("contract", name.strip(), bids.contracts)
        found.append(known[name.strip().casefold()])
    return tuple(dict.fromkeys(found))


def chosen_levels(names: Iterable[str]) -> tuple[str, ...]:
    """Return the levels of play of these names.

    Raises
    ------
    UsageError
        For a name that is none.
    """
    found = []
    for name in names:
        if name.strip() not in LEVELS:
            raise unknown("level of play", name.strip(), LEVELS)
        found.append(name.strip())
    if not found:
        raise UsageError(f"the levels of play are {', '.join(LEVELS)}: name at least one of them")
    return tuple(dict.fromkeys(found))


def check_level(game: Game, level: str) -> None:
    """Raise `UsageError` when a game cannot be played at a level."""
    strategy = {"basic": "basic", "mc": "mc", "open": "solver"}[level]
    if strategy not in game.strategies:
        raise UsageError(f"{game.ruleset.id} cannot be played at the level {level!r}: it has no strategy {strategy!r}")


def terms(game: Game, level: str, listen: bool) -> NDArray[Any]:
    """Return how the others bid and how all play, as compiled code reads it."""
    from simcards.kernel.bidding import TERMS

    bids = bids_of(game)
    made = np.zeros(1, TERMS)
    made["auction"] = sum(1 << game.phases.index(phase) for phase in bids.phases)
    made["silence"] = bids.silence
    made["listen"] = listen
    made["level"] = LEVELS.index(level)
    return made


def search_options(game: Game) -> NDArray[Any]:
    """Return the parameters of the search at the level ``mc``."""
    from simcards.kernel.protocol import OPTIONS

    made = np.zeros(1, OPTIONS)
    if "mc" in game.strategies:
        made[0] = game.strategies["mc"].options({"worlds": SEARCH_WORLDS})
    return made


def usual_play(game: Game) -> NDArray[Any]:
    """Return the parameters of ``basic``."""
    from simcards.games.strategy import usual_options

    return usual_options(game.strategies["basic"].parameters)


@dataclass(frozen=True)
class Played:
    """What came out, a row a world and a column a contract; the last column is passing.

    Attributes
    ----------
    values : ndarray of float64
        What the deal was worth; NaN where the player did not get the contract.
    made : ndarray of float64
        1 where he made it, 0 where not, NaN where he did not get it.
    """

    values: NDArray[np.float64]
    made: NDArray[np.float64]

    @classmethod
    def of(
        cls, bids: Bids, seat: int, values: NDArray[np.float64], rows: NDArray[Any], kept: NDArray[np.bool_]
    ) -> Played:
        """Keep what counts of what the kernel wrote."""
        got = kept & (rows[bids.taken][..., seat] == 1)
        got[:, -1] = kept[:, -1]  # also where a player who has to bid gets the contract by that
        made = np.where(got, rows[bids.made][..., seat] == 1, np.nan).astype(np.float64)
        made[:, -1] = np.nan
        return cls(np.where(got, values, np.nan), made)

    @classmethod
    def joined(cls, parts: Sequence[Played], contracts: int) -> Played:
        """Return several one behind the other."""
        if not parts:
            return cls(np.empty((0, contracts)), np.empty((0, contracts)))
        return cls(np.concatenate([part.values for part in parts]), np.concatenate([part.made for part in parts]))


@dataclass(frozen=True)
class _Blocks:
    """The work for the engine's workers: blocks of worlds."""

    question: Question
    contracts: tuple[int, ...]
    level: str
    listen: bool
    seed: int
    worlds: int

    def __call__(self, low: int, high: int) -> list[Played]:
        """Return what came out in the blocks ``low`` to ``high - 1``."""
        from simcards.kernel import bidding

        question = self.question
        game = question.plan.load()
        seat = question.plan.ruleset.seats.index(question.seat)
        contracts = np.array([*self.contracts, bidding.PASSING], np.int64)
        found = []
        for block in range(low, high):
            start, stop = block * BLOCK, min((block + 1) * BLOCK, self.worlds)
            shape = stop - start, len(contracts)
            values, rows, kept = np.empty(shape), np.zeros(shape, game.row), np.empty(shape, np.bool_)
            bidding.sampled(
                question.views(self.seed, start, stop), np.uint64(self.seed), start, contracts,
                terms(game, self.level, self.listen), usual_play(game), search_options(game), values, rows, kept,
            )  # fmt: skip
            found.append(Played.of(bids_of(game), seat, values, rows, kept))
        return found


def value_bids(
    question: Question,
    *,
    contracts: Iterable[str] | None = None,
    levels: Iterable[str] = ("basic",),
    worlds: int | None = None,
    listen: bool = False,
    seed: int,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> BidsResult:
    """Play every contract out on worlds that agree with what the player knows.

    Parameters
    ----------
    question : Question
        A decision in the auction.
    contracts : iterable of str, optional
        Only these.
    levels : iterable of str
        Levels of play, of `LEVELS`.
    worlds : int, optional
        In how many worlds; `WORLDS` of the level if left out.
    listen : bool
        Whether the others bid as ``basic`` does; worlds in which one of them takes the contract away do not count, so
        that their silence tells something. Else they pass whatever they hold.
    seed : int
        Where the worlds come from.
    workers : int, optional
        Number of workers; it makes no difference to the result.
    progress : callable, optional
        Called with how far the run has come.

    Returns
    -------
    BidsResult
        After Ctrl-C it covers the worlds done so far.

    Raises
    ------
    UsageError
        When something asked for is not there or out of bounds.
    """
    game = question.plan.load()
    bids = bids_of(game)
    if question.phase not in bids.phases:
        raise UsageError(f"bids are valued in the auction ({', '.join(bids.phases)}), and this is {question.phase!r}")
    chosen = chosen_contracts(bids, contracts)
    asked = chosen_levels(levels)
    for level in asked:
        check_level(game, level)
    if worlds is not None:
        worlds = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    seed = whole_number("the seed", seed, 0, 2**64 - 1)
    wanted = {level: worlds or WORLDS[level] for level in asked}
    crew = Crew(workers)
    found = {level: Played.joined((), len(chosen) + 1) for level in asked}
    tell = Teller(progress, 0, sum(wanted.values()))
    before, interrupted = 0, False
    try:
        for level in asked:
            crew.compile(_Blocks(question, chosen, level, listen, seed, 1), 0)
        tell.begin()
        for level in asked:
            work = _Blocks(question, chosen, level, listen, seed, wanted[level])
            parts: list[Played] = []
            told = functools.partial(_told, tell, before, wanted[level])
            with contextlib.closing(Crew(workers).results(work, 0, math.ceil(wanted[level] / BLOCK), told)) as results:
                for _, part in results:
                    parts += part
                    found[level] = Played.joined(parts, len(chosen) + 1)
            before += wanted[level]
    except KeyboardInterrupt:
        interrupted = any(len(found[level].values) < wanted[level] for level in asked)
    return BidsResult(question, chosen, found, wanted, listen, seed, interrupted, tell.seconds, crew.workers)


def _told(tell: Teller, before: int, worlds: int, blocks: int) -> None:
    tell(before + min(worlds, blocks * BLOCK))


@dataclass(frozen=True)
class Value:
    """What one contract came to at one level of play.

    Attributes
    ----------
    contract : str
        Its name, or ``"pass"``.
    n : int
        Worlds in which the player got it.
    mean, se : float
        What the deal was worth.
    gain, gain_se : float
        By how much more than passing, in the same worlds.
    made, made_se : float
        How often the contract was made; NaN for passing.
    quantiles : tuple of float
        The 10th, 50th and 90th percentile of the worth.
    """

    contract: str
    n: int
    mean: float
    se: float
    gain: float
    gain_se: float
    made: float
    made_se: float
    quantiles: tuple[float, float, float]


def mean_and_error(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of those values that are there, and its standard error."""
    there = values[~np.isnan(values)]
    if not len(there):
        return math.nan, math.nan
    if len(there) == 1:
        return float(there[0]), math.nan
    return float(there.mean()), float(there.std(ddof=1) / math.sqrt(len(there)))


@dataclass(frozen=True, repr=False)
class BidsResult(Result):
    """What each contract is worth with a hand.

    Attributes
    ----------
    question : Question
        The decision.
    contracts : tuple of int
        The contracts.
    played : dict
        What came out, by level of play.
    wanted : dict
        How many worlds were wanted, by level.
    listen : bool
        Whether the others bid.
    seed : int
        Where the worlds come from.
    interrupted : bool
        Whether it was interrupted before all worlds were done.
    seconds : float
        Time taken, without compiling.
    workers : int
        Number of workers.
    """

    question: Question
    contracts: tuple[int, ...]
    played: dict[str, Played]
    wanted: dict[str, int]
    listen: bool
    seed: int
    interrupted: bool = False
    seconds: float = 0.0
    workers: int = 1
    finished: float = field(default_factory=time.time)

    _file = "bids"

    @property
    def worlds(self) -> int:
        """How many worlds were played, at all levels together."""
        return sum(len(played.values) for played in self.played.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The contracts, and passing as the last."""
        return (*(bids_of(self.question.plan.load()).contracts[place] for place in self.contracts), PASS)

    def values(self, level: str) -> list[Value]:
        """Return what each contract came to at a level, those that can be had, passing as the last.

        Parameters
        ----------
        level : str
            One of the levels that were played.

        Returns
        -------
        list of Value
        """
        played = self.played[level]
        found = []
        for place, name in enumerate(self.names):
            column = played.values[:, place]
            there = column[~np.isnan(column)]
            if not len(there):
                continue
            mean, se = mean_and_error(column)
            gain, gain_se = mean_and_error(column - played.values[:, -1])
            made, made_se = mean_and_error(played.made[:, place])
            low, middle, high = (float(q) for q in np.quantile(there, (0.1, 0.5, 0.9)))
            found.append(Value(name, len(there), mean, se, gain, gain_se, made, made_se, (low, middle, high)))
        return found

    def recommended(self, level: str) -> str:
        """Return the contract that is worth most at a level, ``"pass"`` among them; an empty text if nothing is known.

        Parameters
        ----------
        level : str
            One of the levels that were played.
        """
        values = self.values(level)
        return max(values, key=lambda value: value.mean).contract if values else ""

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record a level and contract."""
        records = []
        for level in self.played:
            best = self.recommended(level)
            for value in self.values(level):
                worth = estimate_of("worth", value.n, value.mean, value.se)
                records.append(
                    {
                        "level": level,
                        "contract": value.contract,
                        "n": value.n,
                        "estimate": worth.estimate,
                        "se": worth.se,
                        "ci_low": worth.ci_low,
                        "ci_high": worth.ci_high,
                        "method": worth.method,
                        "gain": value.gain,
                        "gain_se": value.gain_se,
                        "made": value.made,
                        "made_se": value.made_se,
                        "p10": value.quantiles[0],
                        "p50": value.quantiles[1],
                        "p90": value.quantiles[2],
                        "recommended": value.contract == best,
                    }
                )
        return records

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        import simcards
        from simcards.kernel.compiled import source_hash

        question, plan = self.question, self.question.plan
        return {
            "version": simcards.__version__,
            "sources": f"{source_hash('games')}-{source_hash('study')}",
            "game": plan.game,
            "unit": plan.unit,
            "rules": plan.rules,
            "seat": question.seat,
            "position": dict(question.position),
            "assumed": list(question.assumed),
            "seed": self.seed,
            "worlds": {level: len(played.values) for level, played in self.played.items()},
            "others": "bid by basic" if self.listen else "pass",
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
        }

    def headline(self) -> list[str]:
        """Return in a few lines what was asked."""
        from simcards.report.tables import several

        question, plan = self.question, self.question.plan
        wanted = f" (interrupted, {sum(self.wanted.values()):,} were wanted)" if self.interrupted else ""
        lines = [
            f"{plan.ruleset.title}: what {question.seat} may bid, {several(self.worlds, 'world')}{wanted},"
            f" seed {self.seed}"
        ]
        if plan.changes:
            lines.append(f"rules changed: {', '.join(f'{name} = {value}' for name, value in plan.changes)}")
        lines += [f"{key}: {text}" for key, text in question.position.items() if key not in ("seat", "phase")]
        for level, played in self.played.items():
            if len(played.values):
                lines.append(f"recommended when {LEVEL_TEXT[level]}: {self.advice(level)}")
        return lines

    def advice(self, level: str) -> str:
        """Return the contract that is worth most at a level, with those that are not clearly worse.

        Parameters
        ----------
        level : str
            One of the levels that were played.

        Returns
        -------
        str
        """
        values = {value.contract: value for value in self.values(level)}
        best = self.recommended(level)
        places = {name: place for place, name in enumerate(self.names)}
        played = self.played[level].values
        unclear = []
        for name in values:
            if name == best:
                continue
            lead, se = mean_and_error(played[:, places[best]] - played[:, places[name]])
            if not math.isnan(se) and lead < 2.0 * se:
                unclear.append(name)
        return f"{best} (not clearly better than {', '.join(unclear)})" if unclear else best

    @functools.cached_property
    def _hopeless(self) -> set[str]:
        """The contracts that are hardly ever made and worth most at no level."""
        names = set(self.names[:-1])
        for level in self.played:
            best = self.recommended(level)
            names &= {value.contract for value in self.values(level) if value.made < _HOPELESS} - {best}
        return names

    def tables(self, everything: bool = False) -> list[Table]:
        """Return a table a level of play, a line a contract; those that are hardly ever made only if asked."""
        from simcards.report.tables import NONE, Heading, Table, shown

        heads = (
            Heading("", number=False),
            Heading("worth"),
            Heading("against passing"),
            Heading("made"),
            Heading("one in ten below"),
            Heading("median"),
            Heading("one in ten above"),
        )
        tables = []
        for level in self.played:
            rows = []
            best = self.recommended(level)
            for value in self.values(level):
                if not everything and value.contract in self._hopeless:
                    continue
                passing = value.contract == PASS
                gain = estimate_of("gain", value.n, value.gain, value.gain_se)
                made = estimate_of("made", value.n, value.made, value.made_se)
                rows.append(
                    (
                        f"{value.contract} *" if value.contract == best else value.contract,
                        shown(estimate_of("worth", value.n, value.mean, value.se)),
                        NONE if passing or math.isnan(value.gain) else shown(gain),
                        NONE if passing else shown(made, "flag"),
                        *(f"{quantile:g}" for quantile in value.quantiles),
                    )
                )
            tables.append(Table(f"bids-{level}", f"Level {level}: {LEVEL_TEXT[level]}", heads, tuple(rows)))
        return tables

    def _left_out(self) -> str:
        from simcards.report.derived import together

        names = [name for name in self.names if name in self._hopeless]
        return together(names) if len(names) <= _FEW else f"{len(names)} contracts, from {names[0]} to {names[-1]}"

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how the worth was reckoned and what was taken for granted."""
        from simcards.report.tables import BY_ERROR

        game = self.question.plan.load()
        said = [f"{BY_ERROR} All contracts were played in the same worlds: trust the differences. * is worth most."]
        said.append(f"Worth is {game.quantity(game.payoff).doc}.")
        if self.listen:
            said.append("The others bid by basic: worlds in which one of them takes the contract away do not count.")
        else:
            said.append("The others pass where they may; after a pass of one's own they bid by basic.")
        said.append("Who may not pass bids as little as he can, which then stands for a pass.")
        if len(self.played) > 1 or "open" in self.played:
            said.append(
                "With open cards the defence sees everything too, so figures lie lower or higher than at a table."
            )
        if self._hopeless and not everything:
            said.append(f"Not shown, as made in fewer than {100.0 * _HOPELESS:g} % of the worlds: {self._left_out()}.")
        if self.question.assumed:
            said.append(f"Taken for granted: {'; '.join(self.question.assumed)}.")
        return said
