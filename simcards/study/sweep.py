"""Sweeps: the parameters of a strategy over a grid, all settings on the same deals against the same opponent."""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards import stats
from simcards.errors import UsageError, unknown
from simcards.stats import Comparison
from simcards.study import players
from simcards.study.accumulate import Group, Layout, Part, Summing, Tally
from simcards.study.checkpoint import Identity
from simcards.study.engine import Execution, Progress, execute
from simcards.study.match import MatchOutcome, MatchStudy, Versus
from simcards.study.plan import MOST_DEALS, make_plan, whole_number
from simcards.study.table import BLOCK, matrix, table

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.games.strategy import Parameter

MOST_SETTINGS = 64  # as many groups of sums as there are

_NUMERAL = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?"
_RANGE = re.compile(rf"({_NUMERAL})\.\.({_NUMERAL})(?:([+x])({_NUMERAL}))?", re.IGNORECASE)
_FORM = "1,2,5 or 0..10 or 0..1+0.1 or 1..64x2"


# -- the grid ------------------------------------------------------------------------------------------------


def values(name: str, given: object) -> tuple[float, ...]:
    """Read the values that a parameter is to take.

    Parameters
    ----------
    name : str
        The parameter, for messages.
    given : object
        Numbers, or a text: numbers and ranges with commas between them. ``0..10`` goes up in steps of 1,
        ``0..1+0.1`` in steps of 0.1, ``1..64x2`` by doubling; a range ends at its end or before it.

    Returns
    -------
    tuple of float
        In the order in which they were given.

    Raises
    ------
    UsageError
        When something else is given, there are none, too many, or one comes twice.

    Examples
    --------
    >>> values("worlds", "1..8x2,20")
    (1.0, 2.0, 4.0, 8.0, 20.0)
    """
    made: list[float] = []
    if isinstance(given, str):
        for item in given.split(","):
            made += _range(name, item.strip())
    else:
        several = given if isinstance(given, Iterable) and not isinstance(given, bytes | Mapping) else [given]
        for value in itertools.islice(several, MOST_SETTINGS + 1):
            if isinstance(value, bool | str) or not hasattr(value, "__float__"):
                raise UsageError(f"the values of {name!r} are numbers, such as [1, 2, 5], not {value!r}")
            made.append(float(value))
    if not made:
        raise UsageError(f"there are no values of {name!r}: give some, such as {_FORM}")
    if len(made) > MOST_SETTINGS:
        raise UsageError(f"a sweep takes at most {MOST_SETTINGS} settings, and {name!r} alone has more values")
    for place, number in enumerate(made):
        if not math.isfinite(number):
            raise UsageError(f"the values of {name!r} are numbers, such as [1, 2, 5], not {number}")
        if number in made[:place]:
            raise UsageError(f"the values of {name!r} have {written(number)} twice")
    return tuple(made)


def _range(name: str, item: str) -> list[float]:
    if re.fullmatch(_NUMERAL, item, re.IGNORECASE):
        return [float(item)]
    found = _RANGE.fullmatch(item)
    if not found:
        raise UsageError(f"the values of {name!r} are written {_FORM}, not {item!r}")
    low, high = Fraction(found[1]), Fraction(found[2])
    times, step = found[3] in ("x", "X"), Fraction(found[4] or 1)
    if high < low:
        raise UsageError(f"a range goes up, and {item!r} goes down")
    if times and (low <= 0 or step <= 1):
        raise UsageError(f"a range such as 1..64x2 begins above 0 and grows by a factor above 1, not {item!r}")
    if step <= 0:
        raise UsageError(f"a range goes up in steps above 0, not as in {item!r}")
    made: list[float] = []
    while low <= high and len(made) <= MOST_SETTINGS:
        made.append(float(low))
        low = low * step if times else low + step
    return made


def written(number: float) -> str:
    """Write the value of a parameter so that it can be read again without loss.

    Parameters
    ----------
    number : float
        The value.

    Returns
    -------
    str
        ``"5"``, ``"0.1"``; never with a plus, which would divide the name of a strategy.
    """
    return str(int(number)) if number == int(number) else repr(number)


@dataclass(frozen=True)
class Grid:
    """The settings of a sweep.

    Attributes
    ----------
    parameters : tuple of str
        What is varied.
    settings : tuple of tuple of float
        The values of the parameters in each setting.
    strategies : tuple of str
        Each setting as the name of a strategy.
    reference : int
        The setting that the others are compared with: the default one if it is among them, else the first.
    default : bool
        Whether it is the default one.
    """

    parameters: tuple[str, ...]
    settings: tuple[tuple[float, ...], ...]
    strategies: tuple[str, ...]
    reference: int
    default: bool

    def label(self, setting: int) -> str:
        """Return what a setting is called in tables.

        Parameters
        ----------
        setting : int
            Its place.

        Returns
        -------
        str
            Such as ``"worlds=5"``.
        """
        pairs = zip(self.parameters, self.settings[setting], strict=True)
        return ", ".join(f"{name}={written(value)}" for name, value in pairs)


def make_grid(game: Game, strategy: str, over: Mapping[str, object], *, with_default: bool = False) -> Grid:
    """Make the settings of a strategy whose parameters are varied, all combinations of the values.

    Parameters
    ----------
    game : Game
        The game.
    strategy : str
        Its name, also a mixture: a parameter goes to the part that has it.
    over : mapping
        Parameters and their `values`.
    with_default : bool
        Whether the default setting is added if it is not among them.

    Returns
    -------
    Grid

    Raises
    ------
    UsageError
        For a parameter that is not there or does not take a value, and for too many settings.
    """
    parts = list(players.parse(players.check(game.ruleset, strategy)))
    if not over:
        raise UsageError("nothing is varied: name a parameter and its values, such as worlds=5,10,20")
    known = [_parameters(game, part) for part in parts]
    names = list(dict.fromkeys(parameter.name for listed in known for parameter in listed))
    if not names:
        raise UsageError(f"the strategy {strategy} has no parameters, so there is nothing to sweep over")
    axes: list[tuple[float, ...]] = []
    places: list[int] = []
    usual: list[float] = []
    for name, given in over.items():
        if name not in names:
            raise unknown(f"parameter of {strategy}", name, names)
        having = [
            (place, parameter) for place, listed in enumerate(known) for parameter in listed if parameter.name == name
        ]
        if len(having) > 1:
            raise UsageError(f"several parts of {strategy} have the parameter {name!r}, so it cannot be varied")
        place, parameter = having[0]
        axes.append(tuple(parameter.check(parts[place].name, value) for value in values(name, given)))
        places.append(place)
        usual.append(float(dict(parts[place].values).get(name, parameter.default)))
    default = all(value in axis for value, axis in zip(usual, axes, strict=True))
    added = with_default and not default
    many = math.prod(map(len, axes)) + added
    if many > MOST_SETTINGS:
        raise UsageError(f"a sweep takes at most {MOST_SETTINGS} settings, not {many:,} combinations of values")
    settings = (*itertools.product(*axes), *([tuple(usual)] if added else ()))
    strategies = []
    for setting in settings:
        changed = [dict(part.values) for part in parts]
        for name, place, value in zip(over, places, setting, strict=True):
            changed[place][name] = value
        strategies.append("+".join(itertools.starmap(_name, zip(parts, changed, strict=True))))
    default = default or added
    reference = settings.index(tuple(usual)) if default else 0
    return Grid(tuple(over), settings, tuple(strategies), reference, default)


def _parameters(game: Game, part: players.Part) -> tuple[Parameter, ...]:
    if part.file:
        return players._own(part).parameters
    return game.strategy(part.name).parameters


def _name(part: players.Part, changed: Mapping[str, float]) -> str:
    """Write a part of a strategy's name with other values."""
    if dict(part.values) == changed:
        return part.text
    phase = f"{part.phase}=" if part.phase else ""
    file = f"{part.file}:" if part.file else ""
    told = ",".join(f"{name}={written(value)}" for name, value in changed.items())
    return f"{phase}{file}{part.name}:{told}"


# -- the study -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SweepStudy(MatchStudy):
    """The sums over a sweep: those of a match of each setting against the opponent, and of what settings differ by.

    Attributes
    ----------
    single : tuple of Plan
        For each setting, and last for the opponent, the plan in which it has all seats.
    grid : Grid
        The settings.
    playing : tuple of int
        The settings that play; all if empty. That of reference always plays.
    offset : int
        The deal that is counted as the first.
    """

    grid: Grid = field(kw_only=True)
    playing: tuple[int, ...] = ()
    offset: int = 0

    @property
    def rival(self) -> str:
        """The opponent."""
        return self.strategies[-1]

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs that meet: each setting and the opponent."""
        last = len(self.single) - 1
        return tuple((k, last) for k in range(last))

    @property
    def scores(self) -> tuple[str, ...]:
        """None: settings do not meet each other, so they are not rated."""
        return ()

    @property
    def settings(self) -> tuple[int, ...]:
        """The settings that play, that of reference first, which the others are compared with."""
        among = self.playing or range(len(self.grid.settings))
        return (self.grid.reference, *(k for k in among if k != self.grid.reference))

    @property
    def layout(self) -> Layout:
        """What is summed; the settings are its groups."""
        less = [f"less {quantity.name}" for quantity in self.quantities]
        return Layout((*super().layout.columns[:-1], *less, "setting"), group="setting")

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        prints = "/".join(plan.fingerprint() for plan in self.single)
        about = f"{self.grid.reference}/{self.playing}/{self.offset}"
        return Identity(f"sweep/{prints}/{about}", self.describe(), self.layout, len(self.settings))

    def describe(self) -> dict[str, Any]:
        """Return what is played as plain data, but for the number of deals.

        Returns
        -------
        dict
        """
        about = super().describe()
        grid = self.grid
        about["strategies"] = list(grid.strategies)
        about["against"] = self.rival
        about["over"] = {
            name: list(dict.fromkeys(setting[place] for setting in grid.settings))
            for place, name in enumerate(grid.parameters)
        }
        about["compared_with"] = grid.strategies[grid.reference]
        return about

    def reach(self, tally: Tally, group: Group, quantity: str) -> int:
        """Return how far a setting was from the opponent at most, in sum over the seatings; see `sequence`.

        Parameters
        ----------
        tally : Tally
            The sums so far.
        group : Group
            Those of the setting.
        quantity : str
            The quantity.

        Returns
        -------
        int
        """
        if quantity == self.game.payoff:
            single = [f"seating {k}" for k in range(len(self.seatings))]
        else:
            single = [f"first {quantity}", f"second {quantity}"]
        sums = [tally.column(name, group) for name in single]
        return len(sums) * max(max(abs(made.least or 0), abs(made.most or 0)) for made in sums)

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals with every setting and sum up the differences."""
        from simcards.kernel.protocol import MISSING
        from simcards.study import kernels

        layout = self.layout
        summing = Summing(layout)
        names = [column.quantity.name for column in self.game.columns]
        quantities = [quantity.name for quantity in self.quantities]
        starts = np.array([names.index(name) for name in quantities], np.int64)
        payoff, many = quantities.index(self.game.payoff), len(quantities)
        seated = np.array(self.seatings, np.int64)
        rival = self.single[-1]
        playing = [(k, [self._seated(self.single[k], rival, side) for side in self.seatings]) for k in self.settings]
        size = min(BLOCK, high - low)
        rows = np.empty((len(seated), size, len(names)), np.int32)
        cells = np.empty((size, len(layout.columns)), np.int32)
        less = layout.index(f"less {quantities[0]}")
        for start in range(low + self.offset, high + self.offset, BLOCK):
            count = min(BLOCK, high + self.offset - start)
            for k, plans in playing:
                for seating, plan in enumerate(plans):
                    at = table(plan)
                    block = at.rows(count)
                    complaint = at.play(start, start + count, block)
                    if complaint:
                        return complaint
                    rows[seating, :count] = matrix(block)
                cells[:, -1] = k
                wrong = kernels.differences(rows[:, :count], seated, starts, payoff, cells[:count])
                values = cells[:count, :many].astype(np.int64)
                there = values != MISSING
                if k == self.grid.reference:
                    base, known = values, there
                gaps = np.where(there & known, values - base, MISSING)
                if wrong < 0 and (gaps[there & known] != gaps[there & known].astype(np.int32)).any():
                    wrong = int(np.argmax((there & known & (gaps != gaps.astype(np.int32))).any(axis=1)))
                if wrong >= 0:
                    return f"{plan.game}, seed {plan.seed}, deal {start + wrong}: a sum over seats exceeds 2**31"
                cells[:count, less : less + many] = gaps
                summing.add(cells[:count])
        return summing.part()


@dataclass(frozen=True)
class Choice:
    """How the best setting was looked for.

    Attributes
    ----------
    quantity : str
        What it was to be best in.
    rounds : tuple of pair
        For each round the deals that its settings have played by its end, and which settings were still in it.
    best : int, optional
        The setting that was chosen; None when the search was interrupted.
    confirm : int
        How many deals it was to be confirmed on.
    confirmation : SweepOutcome, optional
        The setting of reference and the chosen one on fresh deals.
    """

    quantity: str
    rounds: tuple[tuple[int, tuple[int, ...]], ...]
    best: int | None
    confirm: int
    confirmation: SweepOutcome | None = None


@dataclass(frozen=True)
class SweepOutcome(MatchOutcome):
    """The result of a sweep.

    Attributes
    ----------
    study : SweepStudy
        What was swept.
    choice : Choice, optional
        How the best setting was looked for, if it was.
    """

    study: SweepStudy = field(kw_only=True)
    choice: Choice | None = None

    def describe(self) -> dict[str, Any]:
        """Return what was played as plain data.

        Returns
        -------
        dict
        """
        about = super().describe()
        if self.choice is None:
            return about
        grid, choice = self.study.grid, self.choice
        about["best_by"] = choice.quantity
        about["rounds"] = [
            {"deals": deals, "settings": [grid.strategies[k] for k in among]} for deals, among in choice.rounds
        ]
        if choice.best is not None:
            about["best"] = grid.strategies[choice.best]
        about["confirm"] = choice.confirm
        if choice.confirmation is not None:
            made = choice.confirmation
            about["confirmation"] = {"seed": made.plan.seed, "deals": made.deals, "interrupted": made.interrupted}
        return about

    def against(self, quantity: str, confidence: float = 0.95) -> list[Versus]:
        """Compare every setting with the opponent in a quantity, as a match does.

        Parameters
        ----------
        quantity : str
            A quantity with a value for each seat.
        confidence : float
            Confidence level.

        Returns
        -------
        list of Versus
            One a setting; their probabilities are adjusted for one another by Holm's method.
        """
        rows = [row for row in self.rows(confidence) if row.estimate.quantity == quantity]
        adjusted = stats.family(row.comparison for row in rows)
        return [replace(row, comparison=comparison) for row, comparison in zip(rows, adjusted, strict=True)]

    def less(self, quantity: str, confidence: float = 0.95) -> list[Comparison]:
        """Compare every setting with that of reference, by what they reach against the opponent on the same deals.

        Parameters
        ----------
        quantity : str
            A quantity with a value for each seat.
        confidence : float
            Confidence level.

        Returns
        -------
        list of Comparison
            One a setting: the mean difference of a seat in a game, setting less reference; that of the reference
            itself is 0 and has no part in the adjustment of the others' probabilities by Holm's method.
        """
        study, tally = self.study, self.tally
        made = []
        base = _group(tally, study.grid.reference)
        for k, strategy in enumerate(study.grid.strategies):
            group = _group(tally, k)
            sums = tally.column(f"less {quantity}", group)
            labels: dict[str, Any] = {"quantity": quantity, "strategy": strategy, "confidence": confidence}
            if self.precision is not None:
                reach = sum(study.reach(tally, one, quantity) for one in (group, base))
                sequence = stats.mean_sequence(sums.n, sums.total, sums.squares, bounds=(-reach, reach), **labels)
                comparison = Comparison(sequence, math.nan, math.nan)
            else:
                comparison = stats.paired(sums.n, sums.total, sums.squares, **labels)
            if k == study.grid.reference:
                comparison = replace(comparison, z=math.nan, p_value=math.nan)
            made.append(replace(comparison, difference=_a_seat(comparison.difference, study.plays)))
        return list(stats.family(made))


def _group(tally: Tally, setting: int) -> Group:
    return tally.groups.get(setting) or Group.empty(tally.layout)


def _a_seat(estimate: stats.Estimate, plays: int) -> stats.Estimate:
    numbers = {name: getattr(estimate, name) / plays for name in ("estimate", "se", "ci_low", "ci_high")}
    return replace(estimate, **numbers)


def sweep(
    game: str,
    strategy: str,
    over: Mapping[str, object],
    *,
    against: str | None = None,
    deals: int,
    seed: int = 0,
    unit: str | None = None,
    rules: Mapping[str, object] | None = None,
    cards: Mapping[str, str | Iterable[str]] | None = None,
    quantities: Iterable[str] = (),
    best: bool = False,
    confirm: int | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    precision: float | None = None,
    target: str | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> SweepOutcome:
    """Let a strategy with each setting of its parameters play an opponent, all on the same deals.

    Parameters
    ----------
    game : str
        Id or synonym of a rule set.
    strategy : str
        The strategy that has the parameters.
    over : mapping
        Parameters and their `values`; the settings are all combinations.
    against : str, optional
        The opponent; the usual strategy if left out.
    deals : int
        How many deals; each is played once for every seating of every setting. With `best` those that the last two
        settings have played.
    quantities : iterable of str
        What is asked for, the payoff if nothing; `best` looks for the best in the first.
    best : bool
        Whether to look for the best setting by successive halving: in every round those left go on to twice as many
        deals, and the worse half is given up. The default setting takes part, and goes on playing to be compared with.
        At the end it and the chosen one play fresh deals, those of `fresh_seed`.
    confirm : int, optional
        How many; as many as `deals` if left out.
    seed, unit, rules, cards
        As for `simcards.study.plan.make_plan`.
    workers, chunk, precision, target, confidence, progress, checkpoint, resume
        As for `simcards.study.match.match`; with `best` there is no precision and no checkpoint.

    Returns
    -------
    SweepOutcome

    Raises
    ------
    UsageError
        When something asked for is not there or contradictory.
    PlayError
        When the game or a strategy is at fault.
    """
    first = make_plan(game, deals=deals, strategies=strategy, seed=seed, unit=unit, rules=rules, cards=cards)
    if len(first.ruleset.seats) < 2:
        raise UsageError(f"{first.game} is played alone, so there is nobody to play against")
    compiled = first.load()
    grid = make_grid(compiled, strategy, over, with_default=best)
    rival = players.usual(first.ruleset) if against is None else against
    single = [
        make_plan(game, deals=deals, strategies=name, seed=seed, unit=unit, rules=rules, cards=cards)
        for name in (*grid.strategies, rival)
    ]
    study = SweepStudy(tuple(single), grid=grid)
    wanted = [check_quantity(study, quantity) for quantity in quantities] or [compiled.payoff]
    how: dict[str, Any] = {"workers": workers, "chunk": chunk, "progress": progress}
    if not best:
        if confirm is not None:
            raise UsageError("deals to confirm on are given without asking for the best setting")
        how |= {"precision": precision, "target": target, "confidence": confidence}
        return SweepOutcome(
            **vars(execute(study, first.deals, checkpoint=checkpoint, resume=resume, **how)), study=study
        )
    if precision is not None or target is not None:
        raise UsageError("a search for the best setting has its own number of deals, so it takes no precision")
    if checkpoint is not None or resume:
        raise UsageError("a search for the best setting cannot be saved in a checkpoint; sweep without it")
    many = len(grid.settings)
    if many < 2:
        raise UsageError("the best of one setting is that one: give several values")
    least = 2 ** (many - 1).bit_length()
    if first.deals < least:
        raise UsageError(f"to find the best of {many} settings takes {least} deals at least, not {first.deals}")
    after = (
        first.deals if confirm is None else whole_number("the number of deals to confirm on", confirm, 1, MOST_DEALS)
    )
    return _search(study, wanted[0], after, how)


def check_quantity(study: MatchStudy, quantity: str) -> str:
    """Return the name of a quantity that has a value for each seat.

    Parameters
    ----------
    study : MatchStudy
        The study.
    quantity : str
        The name.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        When there is none.
    """
    names = [known.name for known in study.quantities]
    if quantity not in names:
        raise unknown(f"quantity with a value for each seat in {study.plan.game}", quantity, names)
    return quantity


def fresh_seed(seed: int) -> int:
    """Return the seed of the deals that a choice is confirmed on.

    Parameters
    ----------
    seed : int
        The seed of the deals that it was chosen on.

    Returns
    -------
    int
        Another one, which is always the same for the same seed.
    """
    return int.from_bytes(hashlib.sha256(f"confirm {seed}".encode()).digest()[:8], "big")


def _search(study: SweepStudy, quantity: str, confirm: int, how: dict[str, Any]) -> SweepOutcome:
    """Halve the settings until one is left, then play it on fresh deals."""
    grid, wanted = study.grid, study.plan.deals
    among: tuple[int, ...] = tuple(range(len(grid.settings)))
    rounds: list[tuple[int, tuple[int, ...]]] = []
    stages = _Stages(how, _stages(len(among), wanted), confirm)
    tally, done, execution = Tally.empty(study.layout), 0, None
    while len(among) > 1:
        target = wanted >> ((len(among) - 1).bit_length() - 1)
        rounds.append((target, among))
        played = replace(study, playing=among, offset=done)
        execution = stages.play(played, target - done, tally)
        tally, done = execution.tally, done + execution.deals
        if execution.interrupted:
            break
        among = _better(study, tally, quantity, among)
    assert execution is not None
    best = among[0] if len(among) == 1 else None
    choice = Choice(quantity, tuple(rounds), best, confirm)
    seconds = stages.seconds
    if best is not None:
        kept = list(dict.fromkeys((grid.reference, best)))
        some = Grid(
            grid.parameters,
            tuple(grid.settings[k] for k in kept),
            tuple(grid.strategies[k] for k in kept),
            0,
            grid.default,
        )
        fresh = [
            replace(plan, seed=fresh_seed(plan.seed), deals=confirm)
            for plan in (*(study.single[k] for k in kept), study.single[-1])
        ]
        last = SweepStudy(tuple(fresh), grid=some)
        made = stages.play(last, confirm, Tally.empty(last.layout))
        choice = replace(choice, confirmation=SweepOutcome(**vars(made), study=last))
    whole = replace(execution, deals=done, seconds=seconds)
    return SweepOutcome(**vars(whole), study=study, choice=choice)


def _better(study: SweepStudy, tally: Tally, quantity: str, among: tuple[int, ...]) -> tuple[int, ...]:
    """Return the better half of some settings, which have played the same deals; among equals the reference stays."""

    def order(setting: int) -> tuple[Fraction, bool, int]:
        sums = tally.column(quantity, _group(tally, setting))
        mean = Fraction(sums.total, sums.n) if sums.n else Fraction(0)
        return -mean, setting != study.grid.reference, setting

    return tuple(sorted(sorted(among, key=order)[: (len(among) + 1) // 2]))


def _stages(many: int, deals: int) -> int:
    """Return how many deals all settings together play in a search."""
    games, done = 0, 0
    while many > 1:
        target = deals >> ((many - 1).bit_length() - 1)
        games, done, many = games + many * (target - done), target, (many + 1) // 2
    return games


class _Stages:
    """Plays the rounds of a search and tells how far all of them together have come.

    A deal is counted for each setting that plays it, since that is what takes the time.
    """

    def __init__(self, how: dict[str, Any], games: int, confirm: int) -> None:
        self._how = how
        self._tell: Callable[[Progress], None] | None = how["progress"]
        self._games = games + 2 * confirm
        self._done = 0
        self.seconds = 0.0

    def play(self, study: SweepStudy, deals: int, before: Tally) -> Execution:
        """Play a round; its sums are those before it with its own."""
        many = len(study.settings)
        execution = execute(study, deals, **{**self._how, "progress": self._told(many) if self._tell else None})
        self._done += many * execution.deals
        self.seconds += execution.seconds
        return replace(execution, tally=before.merged(execution.tally))

    def _told(self, many: int) -> Callable[[Progress], None]:
        def tell(progress: Progress) -> None:
            assert self._tell is not None
            done = self._done + many * progress.done
            wanted = max(self._games, done)
            seconds = self.seconds + progress.seconds
            rate = done / seconds if seconds > 0.0 else math.nan
            self._tell(Progress(done, wanted, seconds, rate, (wanted - done) / rate if rate > 0.0 else math.nan))

        return tell
