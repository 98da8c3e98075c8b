"""The verbs of the commands in Python, such as ``simcards.game("bezique").play(deals=1000)``."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from simcards._input import count
from simcards.errors import unknown
from simcards.games import registry

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game
    from simcards.games.ruleset import RuleSet
    from simcards.odds.result import OddsResult
    from simcards.report.page import Report
    from simcards.results import MatchResult, PlayResult, ReplayResult
    from simcards.study.engine import Progress
    from simcards.study.plan import Plan

DEALS = 100_000
"""How many deals are played if not told otherwise."""

MATCH_DEALS = 10_000
"""How many deals a match has if not told otherwise."""

SAMPLE_DEALS = 1_000
"""How many rows a sample has if not told otherwise."""

AT_MOST = 100_000_000
"""How many deals are played at most when a precision is to be reached, if not told otherwise."""

SEED = 1
"""The seed if not told otherwise."""

Number = int | float | str
Cards = Mapping[str, str | Iterable[str]]
Showing = Callable[["Progress"], None] | bool | None


def games() -> pd.DataFrame:
    """List every rule set.

    Returns
    -------
    pandas.DataFrame
        One row a rule set: ``id``, ``name``, ``family``, ``players``, ``seats``, ``pack``, ``units``,
        ``strategies``, ``synonyms``, ``summary``, ``source``.
    """
    import pandas as pd

    return pd.DataFrame.from_records(game_records())


def game(name: str) -> GameHandle:
    """Return a game to be asked questions about.

    Parameters
    ----------
    name : str
        Id or synonym of a rule set: ``"rubicon-bezique"``, ``"рубикон безик"``.

    Returns
    -------
    GameHandle

    Raises
    ------
    UsageError
        When there is none, with the nearest name.
    """
    return GameHandle(registry.ruleset(name))


def run(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    deals: Number | None = None,
    workers: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Showing = None,
) -> Report:
    """Carry out a study from a file.

    Parameters
    ----------
    path : path-like
        An experiment as TOML.
    out : path-like, optional
        Folder of the page; ``reports/NAME`` after the file's name if left out.
    deals : int, optional
        How many deals, instead of the number in the file.
    workers : int, optional
        Number of workers; it makes no difference to the result.
    checkpoint, resume, progress
        As for `GameHandle.play`.

    Returns
    -------
    simcards.report.page.Report
        What was written.

    Raises
    ------
    UsageError
        When the file is not an experiment or the folder cannot be written.
    """
    from simcards.report.experiment import load_experiment, run_experiment

    experiment = load_experiment(path)
    many = None if deals is None else count(deals)
    with _telling(progress, experiment.name, experiment.precision is not None) as tell:
        return run_experiment(
            experiment,
            experiment.folder if out is None else out,
            deals=many,
            workers=workers,
            progress=tell,
            checkpoint=checkpoint,
            resume=resume,
        )


class GameHandle:
    """One game and what can be asked about it; made by `game`.

    Parameters
    ----------
    ruleset : RuleSet
        Its rules.

    Attributes
    ----------
    ruleset : RuleSet
        Its rules as data.
    """

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset

    def __repr__(self) -> str:
        known = self.ruleset
        return f"<game {known.id}: {known.title}, {known.players} players, {', '.join(known.strategies)}>"

    @property
    def id(self) -> str:
        """Its name on the command line."""
        return self.ruleset.id

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats, in the order of play."""
        return self.ruleset.seats

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies that come with it."""
        return self.ruleset.strategies

    @property
    def units(self) -> tuple[str, ...]:
        """What can be counted as one; the first if not told otherwise."""
        return tuple(self.ruleset.units)

    @property
    def compiled(self) -> Game:
        """The compiled game, imported when first asked for."""
        return registry.load(self.id)

    def rules(self, changes: Mapping[str, object] | None = None, unit: str | None = None) -> pd.DataFrame:
        """List the rules in force.

        Parameters
        ----------
        changes : mapping, optional
            Changed rules.
        unit : str, optional
            What is counted as one; the game's first unit if left out.

        Returns
        -------
        pandas.DataFrame
            One row a rule: ``rule``, ``value``, ``default``, ``by`` (``default``, ``unit`` or ``set``),
            ``fixed``, ``choices``, ``low``, ``high``, ``doc``.

        Raises
        ------
        UsageError
            For an unknown rule, or a value that it cannot have.
        """
        import pandas as pd

        return pd.DataFrame.from_records(rule_records(self.ruleset, changes or {}, unit))

    def quantities(self) -> pd.DataFrame:
        """List what is measured.

        Returns
        -------
        pandas.DataFrame
            One row a quantity: ``quantity``, ``kind``, ``section``, ``seats`` (whether it has a value for
            each seat), ``doc``.
        """
        import pandas as pd

        return pd.DataFrame.from_records(quantity_records(self.compiled))

    def plan(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number = 1,
        seed: int = SEED,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
    ) -> Plan:
        """Check what is to be played.

        Parameters
        ----------
        strategies, deals, seed, rules, unit, fixed
            As for `play`.

        Returns
        -------
        simcards.study.plan.Plan
        """
        from simcards.study.plan import make_plan

        return make_plan(
            self.id,
            deals=count(deals),
            strategies=() if strategies is None else strategies,
            seed=seed,
            unit=unit,
            rules=rules,
            cards=fixed,
        )

    def play(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number | None = None,
        seed: int = SEED,
        *,
        precision: float | None = None,
        target: str | None = None,
        workers: int | None = None,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
        confidence: float = 0.95,
        sections: Iterable[str] = (),
        quantities: Iterable[str] = (),
        progress: Showing = None,
    ) -> PlayResult:
        """Play many deals and estimate every quantity.

        Parameters
        ----------
        strategies : str or iterable of str, optional
            Who plays: one name for all seats, or one a seat; ``"basic"`` if left out. One of your own is
            ``"file.py:name"``.
        deals : int or str, optional
            How many: ``100_000``, ``1e6``, ``"100k"``. 100,000 if left out; with a precision, the most.
        seed : int
            The same seed gives the same cards.
        precision : float, optional
            Stop as soon as the target is known to within this much.
        target : str, optional
            What is to be known so well, such as ``"points.pone"``; the payoff of the first seat if left out.
        workers : int, optional
            Number of workers, all processors if left out; it makes no difference to the result.
        rules : mapping, optional
            Changed rules.
        unit : str, optional
            What is counted as one: ``"deal"``, ``"game"``; the game's first unit if left out.
        fixed : mapping, optional
            Cards known to be in a hand, such as ``{"pone": "AS KS"}``; the rest is dealt at random.
        checkpoint : path-like, optional
            File in which the run is saved every few seconds.
        resume : bool
            Whether to go on from that file, if it is there.
        confidence : float
            Confidence level of the intervals.
        sections, quantities : iterable of str
            Keep only these in the result.
        progress : callable or bool, optional
            Called with how far the run has come; True shows it on standard error.

        Returns
        -------
        PlayResult
            After Ctrl-C it covers the deals done so far, and says so.

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.

        Examples
        --------
        >>> import simcards
        >>> result = simcards.game("bezique").play(deals=2_000, seed=7)
        >>> result.frame.query("quantity == 'won'")[["seat", "estimate", "se"]]  # doctest: +SKIP
        """
        from simcards.results import PlayResult, check_selection
        from simcards.study.engine import run

        most = DEALS if precision is None else AT_MOST
        plan = self.plan(strategies, most if deals is None else deals, seed, rules, unit, fixed)
        chosen = (tuple(sections), tuple(quantities))
        check_selection(plan, *chosen)
        with _telling(progress, plan.game, precision is not None) as tell:
            outcome = run(
                plan,
                workers=workers,
                precision=precision,
                target=target,
                confidence=confidence,
                progress=tell,
                checkpoint=checkpoint,
                resume=resume,
            )
        return PlayResult(outcome, confidence, *chosen)

    def match(
        self,
        *strategies: str,
        deals: Number | None = None,
        seed: int = SEED,
        precision: float | None = None,
        target: str | None = None,
        workers: int | None = None,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
        confidence: float = 0.95,
        progress: Showing = None,
    ) -> MatchResult:
        """Let strategies play each other on the same deals, every one in every seat.

        Parameters
        ----------
        *strategies : str
            Two names or more.
        deals : int or str, optional
            How many deals; 10,000 if left out. Each is played once for every seating of every pair.
        precision : float, optional
            Stop as soon as the difference is known to within this much for every pair.
        target : str, optional
            Of which quantity; the payoff if left out.
        seed, workers, rules, unit, fixed, checkpoint, resume, confidence, progress
            As for `play`.

        Returns
        -------
        MatchResult

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.results import MatchResult
        from simcards.study.match import match

        most = MATCH_DEALS if precision is None else AT_MOST
        many = count(most if deals is None else deals)
        plan = self.plan(strategies[0] if strategies else None, many, seed, rules, unit, fixed)
        with _telling(progress, plan.game, precision is not None) as tell:
            outcome = match(
                self.id,
                strategies,
                deals=many,
                seed=seed,
                unit=unit,
                rules=rules,
                cards=fixed,
                workers=workers,
                precision=precision,
                target=target,
                confidence=confidence,
                progress=tell,
                checkpoint=checkpoint,
                resume=resume,
            )
        return MatchResult(outcome, confidence)

    def replay(
        self,
        deal: Number = 0,
        strategies: str | Iterable[str] | None = None,
        seed: int = SEED,
        *,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
    ) -> ReplayResult:
        """Play one deal of a study again and tell what happened.

        Parameters
        ----------
        deal : int
            Its index, from 0.
        strategies, seed, rules, unit, fixed
            As for `play`; with the same ones it is the same deal.

        Returns
        -------
        ReplayResult

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.results import ReplayResult
        from simcards.study.replay import replay

        plan = self.plan(strategies, 1, seed, rules, unit, fixed)
        return ReplayResult(replay(plan, count(deal, "the deal")))

    def sample(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number = SAMPLE_DEALS,
        seed: int = SEED,
        *,
        workers: int | None = None,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
        progress: Showing = None,
    ) -> pd.DataFrame:
        """Play and return one row a deal.

        Parameters
        ----------
        strategies, deals, seed, workers, rules, unit, fixed, progress
            As for `play`.

        Returns
        -------
        pandas.DataFrame
            The index is the number of the deal, the columns are such as ``"points.pone"``; NA where a
            quantity has no value.

        Raises
        ------
        UsageError
            When something asked for is not there, or the table does not fit into memory.
        """
        from simcards.study.samples import samples

        plan = self.plan(strategies, deals, seed, rules, unit, fixed)
        with _telling(progress, plan.game) as tell:
            return samples(plan, workers=workers, progress=tell)

    def odds(self, features: Any = None, **settings: Any) -> OddsResult:
        """Answer questions about the dealt hand: exactly where they can be counted, and by simulation.

        Parameters
        ----------
        features : str or iterable or mapping, optional
            The questions; all of the game's if left out.
        **settings
            As for `simcards.odds`.

        Returns
        -------
        OddsResult
        """
        from simcards.odds.api import odds

        return odds(features, game=self.id, **settings)

    def report(
        self,
        folder: str | os.PathLike[str],
        strategies: str | Iterable[str] | None = None,
        deals: Number | None = None,
        seed: int = SEED,
        *,
        against: str | Iterable[str] | None = None,
        match_deals: Number | None = None,
        precision: float | None = None,
        target: str | None = None,
        workers: int | None = None,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
        title: str | None = None,
        progress: Showing = None,
    ) -> Report:
        """Write the game's page: tables and plots as HTML in one file, and as Markdown with files beside it.

        Parameters
        ----------
        folder : path-like
            A new folder, an empty one, or one with a report, which is replaced.
        against : str or iterable of str, optional
            Whom the first strategy is compared with; ``"random"`` if left out.
        match_deals : int or str, optional
            On how many deals they are compared, 0 for none; a tenth of the deals if left out.
        title : str, optional
            Title of the page; the game's if left out.
        strategies, deals, seed, precision, target, workers, rules, unit, fixed, checkpoint, resume, progress
            As for `play`.

        Returns
        -------
        simcards.report.page.Report

        Raises
        ------
        UsageError
            When something asked for is not there, or the folder cannot be used.
        """
        from simcards.report.page import write_report

        many = count(deals if deals is not None else DEALS if precision is None else AT_MOST)
        plan = self.plan(strategies, many, seed, rules, unit, fixed)
        names = plan.strategies
        rivals = [against] if isinstance(against, str) else None if against is None else list(against)
        for rival in rivals or ():
            self.plan(rival)  # so that nothing is played in vain
        with _telling(progress, plan.game, precision is not None) as tell:
            return write_report(
                self.id,
                folder,
                deals=many,
                match_deals=None if match_deals is None else count(match_deals, "the number of match deals"),
                seed=seed,
                strategy=names[0] if len(set(names)) == 1 else names,
                against=rivals,
                rules=rules,
                unit=unit,
                cards=fixed,
                precision=precision,
                target=target,
                workers=workers,
                progress=tell,
                title=title,
                checkpoint=checkpoint,
                resume=resume,
            )


def game_records() -> list[dict[str, Any]]:
    """Return one record a rule set; nothing heavy is imported for it.

    Returns
    -------
    list of dict
    """
    return [
        {
            "id": known.id,
            "name": known.title,
            "family": known.family,
            "players": known.players,
            "seats": list(known.seats),
            "pack": str(known.pack),
            "units": list(known.units),
            "strategies": list(known.strategies),
            "synonyms": list(known.synonyms),
            "summary": known.summary,
            "source": known.source,
        }
        for known in registry.rulesets().values()
    ]


def rule_records(ruleset: RuleSet, changes: Mapping[str, object], unit: str | None = None) -> list[dict[str, Any]]:
    """Return one record a rule.

    Parameters
    ----------
    ruleset : RuleSet
        The rules.
    changes : mapping
        Changed rules.
    unit : str, optional
        What is counted as one; the first unit if left out.

    Returns
    -------
    list of dict
    """
    unit = next(iter(ruleset.units)) if unit is None else unit
    if unit not in ruleset.units:
        raise unknown(f"unit of {ruleset.id}", unit, ruleset.units)
    made = ruleset.units[unit]
    values = ruleset.values({**made, **changes})
    records = []
    for rule in ruleset.rules:
        by = "set" if rule.name in changes else "unit" if rule.name in made else "default"
        records.append(
            {
                "rule": rule.name,
                "value": values[rule.name],
                "default": rule.default,
                "by": by if values[rule.name] != rule.default else "default",
                "fixed": len(rule.choices) == 1 or (not rule.choices and rule.low == rule.high),
                "choices": list(rule.choices) or None,
                "low": None if rule.choices else rule.low,
                "high": None if rule.choices else rule.high,
                "doc": rule.doc,
            }
        )
    return records


def quantity_records(compiled: Game) -> list[dict[str, Any]]:
    """Return one record a quantity.

    Parameters
    ----------
    compiled : Game
        The game.

    Returns
    -------
    list of dict
    """
    seated = {column.quantity.name: column.seat is not None for column in compiled.columns}
    return [
        {
            "quantity": quantity.name,
            "kind": quantity.kind,
            "section": quantity.section,
            "seats": seated[quantity.name],
            "doc": quantity.doc,
        }
        for quantity in compiled.quantities
    ]


@contextlib.contextmanager
def _telling(progress: Showing, title: str, at_most: bool = False) -> Iterator[Callable[[Progress], None] | None]:
    """Make of what the user wants to see what the engine calls."""
    if callable(progress):
        yield progress
        return
    from simcards.study.progress import shown

    with shown(title, show=bool(progress), at_most=at_most) as tell:
        yield tell
