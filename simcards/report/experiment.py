"""Experiments: studies as TOML files, each making a page.

Nothing in such a file can run code, unless it names a strategy that is in a file and whoever runs it says that he
trusts that file.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcards._input import text
from simcards.errors import UsageError
from simcards.report import keys
from simcards.report.bidding import TABLES, Part, read_parts, run_parts
from simcards.report.compare import Block, read_blocks, run_blocks
from simcards.report.folder import check_folder
from simcards.report.grids import Shown, read_grids, run_grids
from simcards.report.keys import ALONE, KINDS, Key
from simcards.report.page import Report, check_rivals, paragraphs, write_page, write_report
from simcards.report.parts import Context
from simcards.report.tables import called
from simcards.study.plan import make_plan

if TYPE_CHECKING:
    from simcards.study.engine import Progress

LARGEST = 2**20  # bytes

KEYS: dict[str, Key] = {
    "title": Key(*keys.TEXT),
    "text": Key(*keys.TEXT),
    "kind": Key(*keys.TEXT),
    "game": Key(*keys.TEXT, kinds=(*ALONE, "bids", "grids")),
    "games": Key((list,), "a list of names", kinds=("compare",)),
    "unit": Key(*keys.TEXT, kinds=ALONE),
    "deals": Key(*keys.WHOLE, kinds=(*ALONE, "compare")),
    "match_deals": Key(*keys.WHOLE, kinds=("report",)),
    "seed": Key(*keys.WHOLE, kinds=(*ALONE, "compare", "bids")),
    "strategies": Key(*keys.NAMES, kinds=ALONE),
    "precision": Key((int, float), "a number", kinds=ALONE),
    "until_decided": Key((int, float), "a number", kinds=("match",)),
    "target": Key(*keys.TEXT, kinds=ALONE),
    "compare": Key((list,), "a list of tables, each headed [[compare]]", kinds=("compare",)),
    **{name: Key((list,), f"a list of tables, each headed [[{name}]]", kinds=("bids",)) for name in TABLES},
    "grid": Key((list,), "a list of tables, each headed [[grid]]", kinds=("grids",)),
    "rules": Key(*keys.TABLE, kinds=(*ALONE, "bids")),
    "fixed": Key(*keys.TABLE, kinds=ALONE),
    "controls": Key((str, list, dict), "a name, a list of names, or a table of names and means", kinds=("match",)),
}
REQUIRED = ("game", "deals")
REQUIRED_OF = {"compare": ("games", "compare"), "bids": ("game",), "grids": ("game", "grid")}


@dataclass(frozen=True)
class Experiment:
    """A study as it was written down, checked.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    game : str
        Id or synonym of the rule set; empty where several are compared.
    deals : int
        How many deals, at most where a precision is given; where several games are compared each part has its own.
    kind : str
        ``"report"`` is the game's page, ``"play"`` the same without a match and the dealt hand, ``"match"``
        compares strategies only, ``"compare"`` sets several games side by side, ``"bids"`` values bids, ``"grids"``
        shows tables that the game has.
    title, text : str
        For the page.
    unit : str, optional
        What one row is.
    match_deals : int, optional
        Deals of a report's match.
    seed : int
        The seed.
    strategies : tuple of str
        In a report the first has all seats and meets the others in the match; in a play one for all seats or
        one a seat; in a match those that meet. As they are written, see `players`.
    precision : float, optional
        Where to stop.
    target : str, optional
        The quantity that is to be known so well.
    until_decided : float, optional
        Confidence with which a match is to be decided, where it stops.
    controls : mapping
        Quantities of a match whose mean differences are known, and these means.
    rules : mapping
        Changed rules.
    fixed : mapping
        Cards given to a hand.
    compare : tuple of Block
        What several games are compared by.
    parts : tuple of Part
        What is asked about bids.
    grids : tuple of Shown
        Tables of the game that are shown.
    """

    path: Path
    game: str = ""
    deals: int = 0
    kind: str = "report"
    title: str = ""
    text: str = ""
    unit: str | None = None
    match_deals: int | None = None
    seed: int = 1
    strategies: tuple[str, ...] = ()
    precision: float | None = None
    target: str | None = None
    until_decided: float | None = None
    controls: Mapping[str, float] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    compare: tuple[Block, ...] = ()
    parts: tuple[Part, ...] = ()
    grids: tuple[Shown, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    @property
    def folder(self) -> Path:
        """Where its report goes if not told otherwise."""
        return Path("pages", self.name)

    @property
    def command(self) -> str:
        """What to type for it, from the folder that holds the experiments."""
        folder = self.path.parent.name
        compared = [name for block in self.compare for entry in block.entries for name in entry.strategies]
        trust = " --trust-strategies" if any(map(keys.files, [*self.strategies, *compared])) else ""
        return f"simcards run {'experiments/' if folder == 'experiments' else ''}{self.path.name}{trust}"

    @property
    def players(self) -> tuple[str, ...]:
        """The strategies; files that are not named from the root are those beside the experiment."""
        return tuple(keys.placed(name, self.path.parent) for name in self.strategies)


def load_experiment(path: str | os.PathLike[str], *, trust_strategies: bool = False) -> Experiment:
    """Read an experiment and check all that can be checked without playing.

    Parameters
    ----------
    path : path-like
        A TOML file.
    trust_strategies : bool
        Whether it may name strategies that are in files, which are programs; else such a name is refused, and
        nothing of the file is run.

    Returns
    -------
    Experiment

    Raises
    ------
    UsageError
        When it cannot be read or used: one line with the file, the key, and what would be right.
    """
    name = os.fspath(path)
    data = _read(path, name)
    try:
        return _checked(Path(path), data, trust_strategies)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def run_experiment(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    *,
    deals: int | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Report:
    """Carry out an experiment and write its page.

    Parameters
    ----------
    experiment : Experiment
        What to do.
    folder : path-like
        Where the report is to be, as for `simcards.report.page.write_report`.
    deals : int, optional
        How many deals, instead of the number in the file; a match then has at most as many. Where games are
        compared, each of them.
    workers, progress, checkpoint, resume
        As for `simcards.report.page.write_report`.

    Returns
    -------
    Report
    """
    commands = [experiment.command]
    if experiment.kind == "grids" and (deals is not None or checkpoint is not None or resume):
        raise UsageError("an experiment of the kind 'grids' plays no deals, and keeps no checkpoint")
    if deals is not None and (experiment.compare or experiment.parts or deals != experiment.deals):
        fewer = None if experiment.match_deals is None else min(experiment.match_deals, deals)
        blocks = tuple(block.with_deals(deals) for block in experiment.compare)
        experiment = replace(experiment, deals=deals, match_deals=fewer, compare=blocks)
        commands = [f"{experiment.command} --deals {deals}"]
    about = {"experiment": _described(experiment)}
    if experiment.kind == "grids":
        return run_grids(
            experiment.grids,
            folder,
            game=experiment.game,
            title=experiment.title,
            text=paragraphs(experiment.text),
            commands=commands,
            about=about,
        )
    if experiment.kind == "compare":
        return run_blocks(
            experiment.compare,
            folder,
            experiment.path.parent,
            seed=experiment.seed,
            title=experiment.title,
            text=paragraphs(experiment.text),
            commands=commands,
            about=about,
            workers=workers,
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
        )
    if experiment.kind == "bids":
        return _run_bids(experiment, folder, about, commands, deals, workers, progress, checkpoint, resume)
    if experiment.kind == "match":
        return _run_match(experiment, folder, about, commands, workers, progress, checkpoint, resume)
    report = experiment.kind == "report"
    strategies = experiment.players or ("basic",)
    return write_report(
        experiment.game,
        folder,
        deals=experiment.deals,
        match_deals=experiment.match_deals if report else 0,
        seed=experiment.seed,
        strategy=strategies[0] if report else strategies,
        against=(strategies[1:] or None) if report else None,
        rules=experiment.rules,
        unit=experiment.unit,
        cards=experiment.fixed,
        precision=experiment.precision,
        target=experiment.target,
        odds_deals=None if report else 0,
        workers=workers,
        progress=progress,
        title=experiment.title or None,
        text=experiment.text,
        commands=commands,
        about=about,
        checkpoint=checkpoint,
        resume=resume,
    )


def _run_bids(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    about: dict[str, Any],
    commands: list[str],
    deals: int | None,
    workers: int | None,
    progress: Callable[[Progress], None] | None,
    checkpoint: str | os.PathLike[str] | None,
    resume: bool,
) -> Report:
    if checkpoint is not None or resume:
        raise UsageError("an experiment of the kind 'bids' keeps no checkpoint")
    parts = experiment.parts
    if deals is not None:
        parts = tuple(part.with_deals(deals) for part in parts)
    return run_parts(
        parts,
        folder,
        game=experiment.game,
        rules=experiment.rules,
        seed=experiment.seed,
        title=experiment.title,
        text=paragraphs(experiment.text),
        commands=commands,
        about=about,
        workers=workers,
        progress=progress,
    )


def _run_match(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    about: dict[str, Any],
    commands: list[str],
    workers: int | None,
    progress: Callable[[Progress], None] | None,
    checkpoint: str | os.PathLike[str] | None,
    resume: bool,
) -> Report:
    from simcards.study.match import match

    check_folder(folder)
    outcome = match(
        experiment.game,
        experiment.players,
        deals=experiment.deals,
        seed=experiment.seed,
        unit=experiment.unit,
        rules=experiment.rules,
        cards=experiment.fixed,
        precision=experiment.precision,
        target=experiment.target,
        until_decided=experiment.until_decided,
        controls=experiment.controls or None,
        workers=workers,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    if not outcome.deals:
        raise KeyboardInterrupt
    names = called(outcome.study.strategies)
    title = experiment.title or f"{outcome.plan.ruleset.title}: {' against '.join(names)}"
    context = Context(
        title=title,
        plan=outcome.plan,
        match=outcome,
        text=paragraphs(experiment.text),
        commands=tuple(commands),
        about=about,
    )
    return write_page(context, folder)


def _described(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as plain data, without what it leaves out."""
    data = {name: getattr(experiment, name) for name in KEYS if name not in ("games", "compare", "grid", *TABLES)}
    made = {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}
    made["compare"] = [block.describe() for block in experiment.compare]
    made["parts"] = [part.describe() for part in experiment.parts]
    made["grids"] = [grid.describe() for grid in experiment.grids]
    return {"file": experiment.path.name, **{name: value for name, value in made.items() if value}}


def _read(path: str | os.PathLike[str], name: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot read the experiment {name!r}: {reason}") from None
    if len(content) > LARGEST:
        raise UsageError(f"{name}: a file of more than a megabyte is no experiment")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not TOML: byte {error.start} is not UTF-8") from None
    except RecursionError:
        raise UsageError(f"{name} is not TOML that can be read: it is nested too deeply") from None
    except ValueError as error:
        raise UsageError(f"{name} is not TOML: {' '.join(str(error).split())}") from None


def _checked(path: Path, data: Mapping[str, Any], trusted: bool) -> Experiment:
    keys.check_keys(data, KEYS)
    values = dict(data)
    kind = values.get("kind", KINDS[0])
    for key in REQUIRED_OF.get(kind, REQUIRED):
        if key not in data:
            raise UsageError(f"the key {key!r} is missing")
    keys.check_kind(values, KEYS, kind, KINDS)
    for key in ("deals", "match_deals", "seed"):
        if key in values:
            values[key] = keys.whole(key, values[key])
    if kind == "compare":
        games, deals, seed = values.pop("games"), values.pop("deals", None), values.get("seed", 1)
        values["compare"] = read_blocks(values["compare"], games, deals, seed, path.parent, trusted)
        return Experiment(path=path, **values)
    if kind == "grids":
        return Experiment(path=path, grids=read_grids(values.pop("grid"), values["game"]), **values)
    values["rules"] = {rule: keys.rule(rule, value) for rule, value in values.get("rules", {}).items()}
    if kind == "bids":
        parts = read_parts({name: values.pop(name) for name in TABLES if name in values})
        made = Experiment(path=path, parts=parts, **values)
        plan = make_plan(made.game, deals=1, seed=made.seed, rules=made.rules)
        for part in parts:
            part.check(plan)
        return made
    if "precision" in values and not 0.0 < values["precision"] < float("inf"):
        raise UsageError(f"precision must be a number above 0, not {values['precision']}")
    if "target" in values and "precision" not in values:
        raise UsageError("target is given without a precision to reach")
    if not values.get("strategies", True):
        raise UsageError("strategies names none; leave the key out for the usual one")
    if "until_decided" in values:
        if not 0.0 < values["until_decided"] < 1.0:
            raise UsageError(f"until_decided lies between 0 and 1, such as 0.95, not {values['until_decided']}")
        if "precision" in values:
            raise UsageError("a match ends when it is decided (until_decided) or precise (precision), not both")
    values["controls"] = _controls(values.get("controls", {}))
    values["strategies"] = keys.strategies(kind, values.get("strategies", []), trusted)
    values["fixed"] = {place: _cards(place, cards) for place, cards in values.get("fixed", {}).items()}
    made = Experiment(path=path, **values)
    _check_plans(made)
    return made


def _check_plans(made: Experiment) -> None:
    """Raise when the game, the rules, the strategies or the target are not there, or do not go together."""
    each = made.players if made.kind != "play" else (made.players,)
    plans = [
        make_plan(
            made.game,
            deals=made.deals,
            strategies=strategies or (),
            seed=made.seed,
            unit=made.unit,
            rules=made.rules,
            cards=made.fixed,
        )
        for strategies in each or ("",)
    ]
    plans[0].ruleset.check_unit(plans[0].unit, made.rules)
    if made.match_deals:
        make_plan(made.game, deals=made.match_deals)
    if made.kind == "report":
        check_rivals(plans[0], made.players[1:] or None, made.match_deals)
    if made.target is not None or made.controls:
        from simcards.study.accumulate import Tally
        from simcards.study.engine import PlayStudy
        from simcards.study.match import MatchStudy

        study = MatchStudy(tuple(plans)) if made.kind == "match" else PlayStudy(plans[0])
        empty = Tally.empty(study.layout)
        for name in (*([] if made.target is None else [text(made.target, "target")]), *made.controls):
            study.half_width(empty, name, 0.95)  # refuses what there is not


def _controls(value: str | list[Any] | dict[str, Any]) -> dict[str, float]:
    if isinstance(value, str | list):
        names = [value] if isinstance(value, str) else value
        if not all(isinstance(name, str) for name in names):
            raise UsageError(f"controls must be names of quantities, not {keys.short(names)}")
        return dict.fromkeys(names, 0)
    for name, mean in value.items():
        if isinstance(mean, bool) or not isinstance(mean, int | float) or not math.isfinite(mean):
            raise UsageError(f"controls.{name} must be a number, the mean that is known, not {keys.short(mean)}")
    return dict(value)


def _cards(place: str, cards: object) -> str:
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        return " ".join(cards)
    if not isinstance(cards, str):
        raise UsageError(f"fixed.{place} must be cards such as 'QS JD', not {keys.short(cards)}")
    return cards
