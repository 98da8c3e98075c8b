"""The verbs of the commands in Python, such as ``simcards.game("bezique").play(deals=1000)``."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simcards._input import count, given_cards, level, mapping, path_text, switch, text, texts
from simcards.errors import UsageError, unknown
from simcards.games import registry

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game
    from simcards.games.ruleset import RuleSet
    from simcards.odds.result import OddsResult
    from simcards.report.page import Report
    from simcards.results import MatchResult, PlayResult, ReplayResult
    from simcards.study.advise import AdviceResult, Question
    from simcards.study.bids import BidsResult
    from simcards.study.chart import ChartResult
    from simcards.study.engine import Progress
    from simcards.study.plan import Plan
    from simcards.sweep_result import SweepResult

DEALS = 100_000
"""How many deals are played if not told otherwise."""

MATCH_DEALS = 10_000
"""How many deals a match has if not told otherwise."""

SAMPLE_DEALS = 1_000
"""How many rows a sample has if not told otherwise."""

AT_MOST = 100_000_000
"""How many deals are played at most when a precision is to be reached, if not told otherwise."""

UNTIL_DECIDED = 1_000_000
"""How many deals a match has at most that goes on until it is decided, if not told otherwise."""

SEED = 1
"""The seed if not told otherwise."""

RULES_FORM = "{'rubicon_line': 800}"
"""How changed rules are written, for errors."""

OVER_FORM = "{'worlds': [5, 10, 20]}"
"""How the values of parameters are written, for errors."""

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
    trust_strategies: bool = False,
    progress: Showing = None,
) -> Report:
    """Carry out a study from a file.

    Parameters
    ----------
    path : path-like
        An experiment as TOML.
    out : path-like, optional
        Folder of the page; ``pages/NAME`` after the file's name if left out.
    deals : int, optional
        How many deals, instead of the number in the file.
    workers : int, optional
        Number of workers; it makes no difference to the result.
    trust_strategies : bool
        Whether strategies in files that the experiment names may be run: they are programs. Their paths are relative
        to the folder of the experiment.
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

    trusted = switch(trust_strategies, "trust_strategies")
    experiment = load_experiment(path_text(path, "the experiment"), trust_strategies=trusted)
    many = None if deals is None else count(deals)
    kept = _kept(checkpoint, resume)
    open_end = experiment.precision is not None or experiment.until_decided is not None
    with _telling(progress, experiment.name, open_end) as tell:
        return run_experiment(
            experiment,
            experiment.folder if out is None else path_text(out, "the folder"),
            deals=many,
            workers=workers,
            progress=tell,
            **kept,
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

        changed = mapping(changes, "rules", RULES_FORM)
        return pd.DataFrame.from_records(rule_records(self.ruleset, changed, unit))

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

    def phases(self) -> pd.DataFrame:
        """List the phases of play, for those who write strategies.

        Returns
        -------
        pandas.DataFrame
            One row a phase: ``number``, ``phase``, ``actions`` (what the number of an action means in it).
        """
        import pandas as pd

        return pd.DataFrame.from_records(phase_records(self.compiled))

    def view(self) -> pd.DataFrame:
        """List the fields of the record that a strategy sees.

        Returns
        -------
        pandas.DataFrame
            One row a field: ``field`` (its name behind ``view.``), ``shape``, ``type``, ``doc``.
        """
        import pandas as pd

        return pd.DataFrame.from_records(view_records(self.compiled))

    def parameters(self) -> pd.DataFrame:
        """List the parameters of the strategies that come with it.

        Returns
        -------
        pandas.DataFrame
            One row a parameter: ``strategy``, ``parameter``, ``default``, ``low``, ``high``, ``doc``.
        """
        import pandas as pd

        return pd.DataFrame.from_records(
            [
                {"strategy": record["strategy"], **parameter}
                for record in strategy_records(self.compiled)
                for parameter in record["parameters"]
            ],
            columns=["strategy", "parameter", "default", "low", "high", "doc"],
        )

    def plan(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number = 1,
        seed: Number = SEED,
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

        names = texts(strategies, "a strategy")
        if strategies is not None and not names:
            raise UsageError("no strategy is named; leave them out for the usual one")
        changes = mapping(rules, "rules", RULES_FORM)
        made = make_plan(
            self.id,
            deals=count(deals),
            strategies=names,
            seed=count(seed, "the seed"),
            unit=None if unit is None else text(unit, "a unit"),
            rules=changes,
            cards=given_cards(fixed),
        )
        self.ruleset.check_unit(made.unit, changes)
        return made

    def play(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number | None = None,
        seed: Number = SEED,
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
        sections: str | Iterable[str] = (),
        quantities: str | Iterable[str] = (),
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
        seed : int or str
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
            Cards known to be in a hand, such as ``{"pone": "AS KS"}``; the rest is dealt at random. In a unit of
            several deals they are given in every deal.
        checkpoint : path-like, optional
            File in which the run is saved every few seconds.
        resume : bool
            Whether to go on from that file, if it is there.
        confidence : float
            Confidence level of the intervals.
        sections, quantities : str or iterable of str
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
        chosen = (texts(sections, "a section"), texts(quantities, "a quantity"))
        check_selection(plan, *chosen)
        sure = level(confidence)
        aim, kept = _target(target), _kept(checkpoint, resume)
        with _telling(progress, plan.game, precision is not None) as tell:
            outcome = run(
                plan,
                workers=workers,
                precision=precision,
                target=aim,
                confidence=sure,
                progress=tell,
                **kept,
            )
        return PlayResult(outcome, sure, *chosen)

    def match(
        self,
        *strategies: str,
        deals: Number | None = None,
        seed: Number = SEED,
        precision: float | None = None,
        target: str | None = None,
        until_decided: float | None = None,
        controls: Mapping[str, float | Fraction] | str | Iterable[str] | None = None,
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
            How many deals; 10,000 if left out, 1,000,000 with `until_decided`, at most then. Each is played once for
            every seating of every pair.
        precision : float, optional
            Stop as soon as the difference is known to within this much for every pair.
        target : str, optional
            Of which quantity; the payoff if left out.
        until_decided : float, optional
            Confidence, such as 0.95 or 0.999: stop as soon as it is decided for every pair which strategy is
            better. The probability that anything is decided wrongly, for any pair at any time, is at most 1 less this.
        controls : mapping or str or iterable of str, optional
            Quantities for which the mean difference between the strategies is known whatever they play, 0 or what a
            mapping says: ``{"dealt_aces": 0}``. The difference of the payoff is then also told corrected by them.
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
        if until_decided is not None:
            most = UNTIL_DECIDED
        names = texts(strategies, "a strategy")
        plan = self.plan(names[:1] or None, most if deals is None else deals, seed, rules, unit, fixed)
        sure = level(confidence)
        aim, kept = _target(target), _kept(checkpoint, resume)
        open_end = precision is not None or until_decided is not None
        with _telling(progress, plan.game, open_end) as tell:
            outcome = match(
                self.id,
                names,
                deals=plan.deals,
                seed=plan.seed,
                unit=plan.unit,
                rules=dict(plan.changes),
                cards=dict(plan.cards),
                workers=workers,
                precision=precision,
                target=aim,
                until_decided=until_decided,
                controls=_controls(controls),
                confidence=sure,
                progress=tell,
                **kept,
            )
        return MatchResult(outcome, sure)

    def sweep(
        self,
        strategy: str,
        over: Mapping[str, Any],
        deals: Number | None = None,
        seed: Number = SEED,
        *,
        against: str | None = None,
        best: bool = False,
        confirm: Number | None = None,
        quantities: str | Iterable[str] = (),
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
    ) -> SweepResult:
        """Vary the parameters of a strategy, all settings on the same deals against the same opponent.

        Parameters
        ----------
        strategy : str
            Whose parameters; a name such as ``"mc"``, ``"file.py:name"`` or ``"play=mc+basic"``.
        over : mapping
            Parameters and their values, numbers or a text: ``{"worlds": [5, 10, 20]}``, ``{"doubt": "0..3+0.5"}``.
            Several make all combinations.
        deals : int or str, optional
            How many deals; 10,000 if left out. Each is played once for every seating of every setting.
        against : str, optional
            The opponent; ``"basic"`` if left out.
        best : bool
            Whether to look for the best setting by successive halving: `deals` are then those that the last two
            settings have played, and the chosen one is confirmed on fresh deals.
        confirm : int or str, optional
            How many; as many as `deals` if left out.
        quantities : str or iterable of str
            What is shown, the payoff if left out; `best` looks for the best in the first.
        precision : float, optional
            Stop as soon as the difference to the opponent is known to within this much for every setting.
        target : str, optional
            Of which quantity; the payoff if left out.
        seed, workers, rules, unit, fixed, checkpoint, resume, confidence, progress
            As for `play`.

        Returns
        -------
        SweepResult

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.study.sweep import sweep
        from simcards.sweep_result import SweepResult

        most = MATCH_DEALS if precision is None else AT_MOST
        varied = mapping(over, "the values of parameters", OVER_FORM)
        name = text(strategy, "a strategy")
        plan = self.plan(name, most if deals is None else deals, seed, rules, unit, fixed)
        sure = level(confidence)
        wanted = texts(quantities, "a quantity")
        aim, kept = _target(target), _kept(checkpoint, resume)
        with _telling(progress, plan.game, precision is not None) as tell:
            outcome = sweep(
                self.id,
                name,
                varied,
                against=None if against is None else text(against, "a strategy"),
                deals=plan.deals,
                seed=plan.seed,
                unit=plan.unit,
                rules=dict(plan.changes),
                cards=dict(plan.cards),
                quantities=wanted,
                best=switch(best, "best"),
                confirm=None if confirm is None else count(confirm, "the number of deals to confirm on"),
                workers=workers,
                precision=precision,
                target=aim,
                confidence=sure,
                progress=tell,
                **kept,
            )
        return SweepResult(outcome, sure, wanted)

    def replay(
        self,
        deal: Number = 0,
        strategies: str | Iterable[str] | None = None,
        seed: Number = SEED,
        *,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
    ) -> ReplayResult:
        """Play one deal of a study again and tell what happened.

        Parameters
        ----------
        deal : int or str
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

    def advise(
        self,
        position: str | None = None,
        *,
        hand: str | None = None,
        seat: str | None = None,
        whole: bool | None = None,
        top: Number | None = None,
        deal: Number | None = None,
        decision: Number | None = None,
        strategies: str | Iterable[str] | None = None,
        worlds: Number | None = None,
        seed: Number = SEED,
        precision: float | None = None,
        until_clear: bool = False,
        workers: int | None = None,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
        progress: Showing = None,
    ) -> AdviceResult:
        """Say what each action of a position is worth, from playing all of them out in the same sampled worlds.

        Parameters
        ----------
        position : str, optional
            What the player knows, as ``key: value`` with semicolons or line ends between:
            ``"hand: QS QS JD KH; trump: H"``. Instead of it a deal of a study can be named.
        hand, seat : str, optional
            The cards and the seat of the player: these two keys of a position.
        whole : bool, optional
            Whether to judge whole decisions where one takes several actions, such as all cards of a discard, and not
            only the next action; if left out, when `hand` is given.
        top : int or str, optional
            How many ways to make a whole decision are shown, 10 if left out, and what ``basic`` would do.
        deal, decision : int or str, optional
            Index of the deal, from 0, and number of the decision in it, from 1, as `replay` counts them.
        strategies, fixed
            Those of the study that the deal is of.
        worlds : int or str, optional
            In how many worlds the actions are tried, 2,000 if left out; with `precision` or `until_clear`, the most.
        seed : int or str
            Seed of the worlds, and of the study that the deal is of.
        precision : float, optional
            Stop as soon as the difference between the best two is known to within this much.
        until_clear : bool
            Stop as soon as it is clear which action is best.
        workers, rules, unit, progress
            As for `play`.

        Returns
        -------
        simcards.study.advise.AdviceResult
            After Ctrl-C it covers the worlds done so far, and says so.

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.study.advise import AT_MOST as MOST
        from simcards.study.advise import WORLDS, advise
        from simcards.study.whole import BEST

        until = switch(until_clear, "until_clear")
        many = (WORLDS if precision is None and not until else MOST) if worlds is None else worlds
        number = count(many, "the number of worlds")
        with _telling(progress, self.id, precision is not None or until) as tell:
            question = self.question(
                position,
                hand=hand,
                seat=seat,
                whole=whole,
                deal=deal,
                decision=decision,
                strategies=strategies,
                seed=seed,
                rules=rules,
                unit=unit,
                fixed=fixed,
            )
            return advise(
                question,
                worlds=number,
                seed=count(seed, "the seed"),
                precision=precision,
                until_clear=until,
                top=BEST if top is None else count(top, "the number of best choices"),
                workers=workers,
                progress=tell,
            )

    def question(
        self,
        position: str | None = None,
        *,
        hand: str | None = None,
        seat: str | None = None,
        whole: bool | None = None,
        deal: Number | None = None,
        decision: Number | None = None,
        strategies: str | Iterable[str] | None = None,
        seed: Number = SEED,
        rules: Mapping[str, object] | None = None,
        unit: str | None = None,
        fixed: Cards | None = None,
    ) -> Question:
        """Read a position, or take it from a deal; its ``text`` can be changed and asked about again.

        Parameters
        ----------
        position, hand, seat, whole, deal, decision, strategies, seed, rules, unit, fixed
            As for `advise`.

        Returns
        -------
        simcards.study.advise.Question

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.study.advise import read_position, replayed_position

        entire = hand is not None if whole is None else switch(whole, "whole")
        position = _with_hand(position, hand, seat)
        if (position is None) == (deal is None):
            raise UsageError("advice is for a position or for a decision of a deal: name one of them")
        if position is not None:
            if decision is not None:
                raise UsageError("a decision is one of a deal, and a position has only one")
            if strategies is not None or fixed is not None:
                raise UsageError(
                    "strategies and fixed cards are those of a deal; from a position everybody plays on by basic"
                )
            return read_position(self.plan(None, 1, seed, rules, unit), position, entire)
        plan = self.plan(strategies, 1, seed, rules, unit, fixed)
        number = 1 if decision is None else count(decision, "the decision")
        return replayed_position(plan, count(deal, "the deal"), number, entire)

    def bids(
        self,
        position: str | None = None,
        *,
        hand: str | None = None,
        seat: str | None = None,
        contracts: str | Iterable[str] | None = None,
        levels: str | Iterable[str] | None = None,
        worlds: Number | None = None,
        listen: bool = False,
        seed: Number = SEED,
        rules: Mapping[str, object] | None = None,
        workers: int | None = None,
        progress: Showing = None,
    ) -> BidsResult:
        """Say what every bid or contract is worth with a hand, all of them in the same sampled worlds.

        Parameters
        ----------
        position, hand, seat
            As for `advise`: a decision in the auction, its first if only a hand is given.
        contracts : str or iterable of str, optional
            Only these.
        levels : str or iterable of str, optional
            How all play: ``"basic"``, ``"mc"`` (everybody searches) and ``"open"`` (open cards); ``"basic"`` if left
            out.
        worlds : int or str, optional
            In how many worlds; 2,000 with ``basic``, 100 with ``mc`` and 500 with open cards if left out.
        listen : bool
            Whether the others bid as ``basic`` does, so that their silence tells something of their hands. Else they
            pass.
        seed, rules, workers, progress
            As for `advise`.

        Returns
        -------
        simcards.study.bids.BidsResult
            After Ctrl-C it covers the worlds done so far, and says so.

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.study.bids import bids_of, value_bids

        bids_of(self.compiled)
        with _telling(progress, self.id, False) as tell:
            return value_bids(
                self.question(position, hand=hand, seat=seat, whole=False, seed=seed, rules=rules),
                contracts=_named(contracts, "a contract"),
                levels=_named(levels, "a level of play") or ("basic",),
                worlds=None if worlds is None else count(worlds, "the number of worlds"),
                listen=switch(listen, "listen"),
                seed=count(seed, "the seed"),
                workers=workers,
                progress=tell,
            )

    def bid_chart(
        self,
        deals: Number | None = None,
        *,
        seat: str | None = None,
        classes: str | Iterable[str] | None = None,
        contracts: str | Iterable[str] | None = None,
        level: str = "basic",
        listen: bool = False,
        seed: Number = SEED,
        rules: Mapping[str, object] | None = None,
        workers: int | None = None,
        progress: Showing = None,
    ) -> ChartResult:
        """Say what to bid with which class of hands, from playing every contract out in many deals.

        Parameters
        ----------
        deals : int or str, optional
            How many deals; 50,000 if left out.
        seat : str, optional
            Whose bids; the first seat's if left out.
        classes : str or iterable of str, optional
            Features of the dealt hand (those of `rules`) that sort hands; the game's own choice if left out.
        contracts, listen
            As for `bids`.
        level : str
            How all play: ``"basic"``, ``"mc"`` or ``"open"``.
        seed, rules, workers, progress
            As for `play`.

        Returns
        -------
        simcards.study.chart.ChartResult
            After Ctrl-C it covers the deals done so far, and says so.

        Raises
        ------
        UsageError
            When something asked for is not there, out of bounds or contradictory.
        """
        from simcards.study.bids import bids_of
        from simcards.study.chart import DEALS, make_chart

        bids_of(self.compiled)
        plan = self.plan(None, DEALS if deals is None else deals, seed, rules, None)
        with _telling(progress, self.id, False) as tell:
            return make_chart(
                plan,
                seat=seat,
                classes=_named(classes, "a feature"),
                contracts=_named(contracts, "a contract"),
                level=text(level, "the level of play"),
                listen=switch(listen, "listen"),
                workers=workers,
                progress=tell,
            )

    def sample(
        self,
        strategies: str | Iterable[str] | None = None,
        deals: Number = SAMPLE_DEALS,
        seed: Number = SEED,
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
        seed: Number = SEED,
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

        place = path_text(folder, "the folder")
        many = deals if deals is not None else DEALS if precision is None else AT_MOST
        plan = self.plan(strategies, many, seed, rules, unit, fixed)
        names = plan.strategies
        rivals = None if against is None else texts(against, "a strategy")
        for rival in rivals or ():
            self.plan(rival)  # so that nothing is played in vain
        if not isinstance(title, str | None):
            raise UsageError(f"the title is a text, not {title!r}")
        aim, kept = _target(target), _kept(checkpoint, resume)
        with _telling(progress, plan.game, precision is not None) as tell:
            return write_report(
                self.id,
                place,
                deals=plan.deals,
                match_deals=None if match_deals is None else count(match_deals, "the number of match deals"),
                seed=plan.seed,
                strategy=names[0] if len(set(names)) == 1 else names,
                against=rivals,
                rules=dict(plan.changes),
                unit=plan.unit,
                cards=dict(plan.cards),
                precision=precision,
                target=aim,
                workers=workers,
                progress=tell,
                title=title,
                **kept,
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
    unit = next(iter(ruleset.units)) if unit is None else text(unit, "a unit")
    if unit not in ruleset.units:
        raise unknown(f"unit of {ruleset.id}", unit, ruleset.units)
    made = ruleset.units[unit]
    values = ruleset.values({**made, **changes})
    ruleset.check_unit(unit, changes)
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


def phase_records(compiled: Game) -> list[dict[str, Any]]:
    """Return one record a phase, in the order of their numbers.

    Parameters
    ----------
    compiled : Game
        The game.

    Returns
    -------
    list of dict
    """
    return [
        {"number": number, "phase": phase, "actions": compiled.actions.get(phase, "")}
        for number, phase in enumerate(compiled.phases)
    ]


def strategy_records(compiled: Game) -> list[dict[str, Any]]:
    """Return one record a strategy that comes with a game.

    Parameters
    ----------
    compiled : Game
        The game.

    Returns
    -------
    list of dict
    """
    return [
        {
            "strategy": name,
            "doc": strategy.doc,
            "parameters": [
                {
                    "parameter": parameter.name,
                    "default": parameter.default,
                    "low": parameter.low,
                    "high": parameter.high,
                    "doc": parameter.doc,
                }
                for parameter in strategy.parameters
            ],
        }
        for name, strategy in compiled.strategies.items()
    ]


def view_records(compiled: Game) -> list[dict[str, Any]]:
    """Return one record a field of what a strategy sees.

    Parameters
    ----------
    compiled : Game
        The game.

    Returns
    -------
    list of dict
    """
    return [
        {"field": field.path, "shape": list(field.shape), "type": field.type, "doc": field.doc}
        for field in compiled.view_fields
    ]


def _with_hand(position: str | None, hand: str | None, seat: str | None) -> str | None:
    """Return a position with the hand and the seat that were said beside it."""
    if position is not None and not isinstance(position, str):
        raise UsageError(f"a position is a text such as 'hand: QS JD; trump: H', not {position!r}")
    lines = [] if position is None else [position]
    for key, value in (("hand", hand), ("seat", seat)):
        if value is None:
            continue
        said = value.strip() if isinstance(value, str) else ""
        if not said or any(mark in said for mark in ";#\n"):
            raise UsageError(f"the {key} is written {'QS JD KH' if key == 'hand' else 'elder'!r}, say, not {value!r}")
        lines.append(f"{key}: {said}")
    return "\n".join(lines) if lines else None


def _named(names: Any, what: str) -> tuple[str, ...] | None:
    return None if names is None else texts(names, what)


def _target(target: object) -> str | None:
    return None if target is None else text(target, "the target")


def _controls(controls: Any) -> Mapping[str, Any] | tuple[str, ...] | None:
    if controls is None or isinstance(controls, Mapping):
        return controls
    return texts(controls, "a control")


def _kept(checkpoint: object, resume: object) -> dict[str, Any]:
    """Check where a run is saved and whether it goes on from there, for the engine."""
    file = None if checkpoint is None else path_text(checkpoint, "the checkpoint")
    return {"checkpoint": file, "resume": switch(resume, "resume")}


@contextlib.contextmanager
def _telling(progress: Showing, title: str, at_most: bool = False) -> Iterator[Callable[[Progress], None] | None]:
    """Make of what the user wants to see what the engine calls."""
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise UsageError(f"progress is True, False or a function that is called with it, not {progress!r}")
    if callable(progress):
        yield progress
        return
    from simcards.study.progress import shown

    with shown(title, show=bool(progress), at_most=at_most) as tell:
        yield tell
