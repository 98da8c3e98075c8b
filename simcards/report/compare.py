"""Several games side by side: what the ``[[compare]]`` tables of an experiment say, and how it is carried out.

A block is one table of the page. It plays every game alike, or lets the same strategies meet in every game; where a
game wants something of its own, ``[compare.by_game.NAME]`` says so. A block may also set strategies side by side: with
``each`` every game has a line for each of them. A block of the kind ``decisions`` asks of every game what a yes is
worth in one of its phases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcards.errors import UsageError, unknown
from simcards.games import registry
from simcards.report import keys
from simcards.report.folder import check_folder
from simcards.report.keys import Key
from simcards.report.page import Report, write_sections
from simcards.study.across import Across, Measure, across
from simcards.study.decisions import WORLDS, Decisions, DecisionStudy, decisions
from simcards.study.match import MatchOutcome, match
from simcards.study.plan import Plan, make_plan
from simcards.study.result import provenance

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.study.engine import Progress

Run = Across | MatchOutcome | Decisions
KINDS = ("play", "match", "decisions")
SIDE_BY_SIDE = KINDS[:2]
OWN = "by_game"  # the table with what is otherwise in one game

GAME_KEYS: dict[str, Key] = {
    "deals": Key(*keys.WHOLE),
    "strategies": Key(*keys.NAMES),
    "unit": Key(*keys.TEXT),
    "rules": Key(*keys.TABLE),
}
BLOCK_KEYS: dict[str, Key] = {
    "kind": Key(*keys.TEXT, kinds=KINDS),
    "title": Key(*keys.TEXT, kinds=KINDS),
    "text": Key(*keys.TEXT, kinds=KINDS),
    "games": Key((list,), "a list of names", kinds=KINDS),
    "deals": Key(*keys.WHOLE, kinds=KINDS),
    "strategies": Key(*keys.NAMES, kinds=KINDS),
    "each": Key(*keys.NAMES, kinds=SIDE_BY_SIDE),
    "unit": Key(*keys.TEXT, kinds=KINDS),
    "quantities": Key(*keys.NAMES, kinds=("play",)),
    "optional": Key(*keys.NAMES, kinds=("play",)),
    "phase": Key(*keys.TEXT, kinds=("decisions",)),
    "action": Key(*keys.WHOLE, kinds=("decisions",)),
    "by": Key((list,), "a list of two names", kinds=("decisions",)),
    "worlds": Key(*keys.WHOLE, kinds=("decisions",)),
    OWN: Key(*keys.TABLE, kinds=KINDS),
}


@dataclass(frozen=True)
class Entry:
    """One game of a block.

    Attributes
    ----------
    game : str
        Id of the rule set.
    deals : int
        How many.
    strategies : tuple of str
        Who plays, or who meets in a match; none for the usual one.
    unit : str, optional
        What one row is.
    rules : mapping
        Changed rules.
    """

    game: str
    deals: int
    strategies: tuple[str, ...] = ()
    unit: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)

    def plans(self, kind: str, seed: int, folder: Path) -> list[Plan]:
        """Return what is played, checked: one plan, or in a match one a strategy.

        Parameters
        ----------
        kind : str
            One of `KINDS`.
        seed : int
            The seed.
        folder : path
            Where strategy files are looked for.

        Returns
        -------
        list of Plan
        """
        named = self.players(folder)
        each: Iterable[Any] = named if kind == "match" else [named]
        settings: dict[str, Any] = {"seed": seed, "unit": self.unit, "rules": self.rules}
        plans = [make_plan(self.game, deals=self.deals, strategies=names, **settings) for names in each]
        plans[0].ruleset.check_unit(plans[0].unit, self.rules)
        return plans

    def players(self, folder: Path) -> tuple[str, ...]:
        """Return the strategies, those in files with the folder of the experiment.

        Parameters
        ----------
        folder : path
            The folder.

        Returns
        -------
        tuple of str
        """
        return tuple(keys.placed(name, folder) for name in self.strategies)


@dataclass(frozen=True)
class Asked:
    """A question of yes or no, as `simcards.study.decisions.DecisionStudy` takes it."""

    phase: str
    action: int
    by: tuple[str, str]
    worlds: int

    def study(self, plan: Plan) -> DecisionStudy:
        """Return the study of a plan, not checked yet.

        Parameters
        ----------
        plan : Plan
            What is played.

        Returns
        -------
        DecisionStudy
        """
        return DecisionStudy(plan, self.phase, self.action, self.by, self.worlds)


@dataclass(frozen=True)
class Block:
    """One table of games side by side.

    Attributes
    ----------
    kind : str
        ``"play"``: quantities of every game; ``"match"``: the difference between strategies in every game;
        ``"decisions"``: what it is worth to say yes in a phase.
    entries : tuple of Entry
        The games, or with `each` every game once for each of the strategies.
    title, text : str
        For the page.
    each : bool
        Whether a line is about a strategy, and not about a game.
    measures : tuple of Measure
        What is shown of every game.
    optional : tuple of Measure
        What is shown of those games that have it.
    asked : Asked, optional
        What is asked at the decisions, in a block about them.
    """

    kind: str
    entries: tuple[Entry, ...]
    title: str = ""
    text: str = ""
    each: bool = False
    measures: tuple[Measure, ...] = ()
    optional: tuple[Measure, ...] = ()
    asked: Asked | None = None

    def with_deals(self, deals: int) -> Block:
        """Return the block with another number of deals for every game.

        Parameters
        ----------
        deals : int
            The number.

        Returns
        -------
        Block
        """
        return replace(self, entries=tuple(replace(entry, deals=deals) for entry in self.entries))

    def measures_of(self, game: Game) -> tuple[Measure, ...]:
        """Return what is measured of a game.

        Parameters
        ----------
        game : Game
            The game.

        Returns
        -------
        tuple of Measure

        Raises
        ------
        UsageError
            When it lacks a quantity that is not optional.
        """
        has = {quantity.name for quantity in game.quantities}
        made = (*self.measures, *(measure for measure in self.optional if measure.quantity in has))
        for measure in made:
            if measure.quantity not in has:
                error = unknown(f"quantity of {game.ruleset.id}", measure.quantity, sorted(has))
                raise UsageError(f"{error}; what only some of the games have stands in optional")
            measure.check(game)
        return made

    def describe(self) -> dict[str, Any]:
        """Return the block as plain data, without what it leaves out.

        Returns
        -------
        dict
        """
        about = {
            "kind": self.kind,
            "title": self.title,
            "quantities": [measure.text for measure in self.measures],
            "optional": [measure.text for measure in self.optional],
            **({} if self.asked is None else {**vars(self.asked), "by": list(self.asked.by)}),
            "games": [
                {
                    name: list(value) if isinstance(value, tuple) else value
                    for name, value in vars(entry).items()
                    if value
                }
                for entry in self.entries
            ],
        }
        return {name: value for name, value in about.items() if value}


# -- reading -------------------------------------------------------------------------------------------------


def read_blocks(
    tables: list[Any], games: list[Any], deals: int | None, seed: int, folder: Path, trusted: bool
) -> tuple[Block, ...]:
    """Read the ``[[compare]]`` tables of an experiment and check all that can be checked without playing.

    Parameters
    ----------
    tables : list
        The tables.
    games : list
        The games that are compared where a table does not say which.
    deals : int, optional
        How many deals where a table does not say.
    seed : int
        The seed.
    folder : path
        Where strategy files are looked for.
    trusted : bool
        Whether they may be named.

    Returns
    -------
    tuple of Block

    Raises
    ------
    UsageError
        In one line that says which table it is.
    """
    if not tables:
        raise UsageError("compare names nothing to compare; write [[compare]] and what is compared below it")
    everywhere = _games(games)
    # All are read before any is checked: checking opens strategy files, so that nothing may be left to refuse
    blocks = []
    for number, data in enumerate(tables, 1):
        try:
            blocks.append(_read(data, everywhere, deals, trusted))
        except UsageError as error:
            raise UsageError(f"[[compare]] {number}: {error}") from None
    for number, block in enumerate(blocks, 1):
        try:
            _check(block, seed, folder)
        except UsageError as error:
            raise UsageError(f"[[compare]] {number}: {error}") from None
    return tuple(blocks)


def _read(data: Any, games: Sequence[str], deals: int | None, trusted: bool) -> Block:
    if not isinstance(data, dict):
        raise UsageError(f"it must be a table of keys and values, not {keys.short(data)}")
    keys.check_keys(data, BLOCK_KEYS)
    kind = data.get("kind", KINDS[0])
    keys.check_kind(data, BLOCK_KEYS, kind, KINDS)
    games = _games(data["games"]) if "games" in data else games
    own = _by_game(data.get(OWN, {}), games)
    each = _each(kind, data, trusted)
    common = {"deals": deals, **{key: data[key] for key in ("deals", "strategies", "unit") if key in data}}
    entries = []
    for game in games:
        for first in each:
            try:
                entries.append(_entry(kind, game, first, {**common, **own.get(game, {})}, trusted))
            except UsageError as error:
                raise UsageError(f"{game}: {error}") from None
    measured = {key: _measures(key, data.get(key, [])) for key in ("quantities", "optional")}
    if kind == "play" and not any(measured.values()):
        raise UsageError('quantities is missing: what is shown of every game, such as ["points", "won"]')
    title, text = data.get("title", ""), data.get("text", "")
    asked = _asked(data) if kind == "decisions" else None
    measures = measured["quantities"], measured["optional"]
    return Block(kind, tuple(entries), title, text, "each" in data, *measures, asked)


def _asked(data: Mapping[str, Any]) -> Asked:
    for key in ("phase", "action", "by"):
        if key not in data:
            raise UsageError(f"the key {key!r} is missing")
    by = keys.names_of("by", data["by"])
    if len(by) != 2:
        raise UsageError(f"by takes two names, the marks of the lines and of the columns, not {len(by)}")
    action, worlds = (keys.whole(key, data.get(key, WORLDS)) for key in ("action", "worlds"))
    return Asked(data["phase"], action, (by[0], by[1]), worlds)


def _games(names: list[Any]) -> tuple[str, ...]:
    made = [registry.ruleset(name).id for name in keys.names_of("games", names)]
    if not made:
        raise UsageError("games names none")
    for name in made:
        if made.count(name) > 1:
            raise UsageError(f"games names {name} twice")
    return tuple(made)


def _by_game(tables: Mapping[str, Any], games: Sequence[str]) -> dict[str, dict[str, Any]]:
    made = {}
    for name, data in tables.items():
        game = registry.ruleset(name).id
        if game not in games:
            raise UsageError(f"{OWN}.{name} is about a game that is not among those compared: {', '.join(games)}")
        if not isinstance(data, dict):
            raise UsageError(f"{OWN}.{name} must be a table, not {keys.short(data)}")
        try:
            keys.check_keys(data, GAME_KEYS)
        except UsageError as error:
            raise UsageError(f"{OWN}.{name}: {error}") from None
        made[game] = data
    return made


def _each(kind: str, data: Mapping[str, Any], trusted: bool) -> tuple[tuple[str, ...], ...]:
    """Return what stands before the strategies of each line: nothing, or one of those that have a line each."""
    if "each" not in data:
        return ((),)
    names = keys.strategies("play", data["each"], trusted, "each")
    if not names:
        raise UsageError("each names no strategies; leave the key out for one line a game")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"each names {name} twice")
    if kind == "play" and ("strategies" in data or any("strategies" in own for own in data.get(OWN, {}).values())):
        raise UsageError("each says who plays, in every seat; leave strategies out")
    if kind == "match" and "strategies" not in data:
        raise UsageError("each says who meets the strategies, which are missing")
    return tuple((name,) for name in names)


def _entry(kind: str, game: str, first: tuple[str, ...], data: Mapping[str, Any], trusted: bool) -> Entry:
    deals = data["deals"]
    if deals is None:
        raise UsageError("the key 'deals' is missing")
    named = data.get("strategies", [])
    if "strategies" in data and not named:
        raise UsageError("strategies names none; leave the key out for the usual one")
    rules = {name: keys.rule(name, value) for name, value in data.get("rules", {}).items()}
    strategies = keys.strategies(kind, [*first, *([named] if isinstance(named, str) else named)], trusted)
    return Entry(game, keys.whole("deals", deals), strategies, data.get("unit"), rules)


def _measures(key: str, names: str | list[Any]) -> tuple[Measure, ...]:
    made = [Measure.parse(name) for name in keys.names_of(key, names)]
    return tuple(dict.fromkeys(made))


def _check(block: Block, seed: int, folder: Path) -> None:
    """Raise when a game, a rule, a strategy or a quantity is not there."""
    had = set()
    for entry in block.entries:
        plans = entry.plans(block.kind, seed, folder)
        game = plans[0].load()
        if block.asked is not None:
            block.asked.study(plans[0]).check()
        if block.kind == "match" and game.ruleset.players < 2:
            raise UsageError(f"{entry.game} is played alone, so strategies cannot meet")
        had |= set(block.measures_of(game))
    for measure in block.optional:
        if measure not in had:
            names = [entry.game for entry in block.entries]
            raise UsageError(f"there is no quantity {measure.quantity!r} in any of the games {', '.join(names)}")


# -- carrying out --------------------------------------------------------------------------------------------


def run_blocks(
    blocks: Sequence[Block],
    folder: str | os.PathLike[str],
    files: Path,
    *,
    seed: int,
    title: str,
    text: Sequence[str],
    commands: Sequence[str],
    about: Mapping[str, Any],
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Report:
    """Play all games of all blocks and write the page about them.

    Parameters
    ----------
    blocks : sequence of Block
        What is compared.
    folder : path-like
        Where the page is to be, as for `simcards.report.page.write_report`.
    files : path
        Where strategy files are looked for.
    seed : int
        The seed, of all games.
    title : str
        Title of the page.
    text : sequence of str
        Paragraphs at its beginning.
    commands : sequence of str
        What to type for it.
    about : mapping
        What else its provenance says.
    workers, progress
        As for `simcards.study.engine.run`.
    checkpoint : path-like, optional
        Each game of each block is saved in a file of its own: this name and ``.1.bezique`` or the like, and where
        a game has several lines the number of the line.
    resume : bool
        Whether to go on from these files, where they are there.

    Returns
    -------
    Report
        After an interrupt it covers what was played so far.

    Raises
    ------
    KeyboardInterrupt
        When interrupted before anything was played.
    """
    from simcards.report.compared import Page, sections

    check_folder(folder)
    made: list[tuple[Block, list[Run]]] = []
    stopped = False
    for number, block in enumerate(blocks, 1):
        runs: list[Run] = []
        made.append((block, runs))
        games = [entry.game for entry in block.entries]
        for line, entry in enumerate(block.entries, 1):
            if stopped:
                break
            part = entry.game if games.count(entry.game) == 1 else f"{entry.game}.{line}"
            saved = None if checkpoint is None else f"{os.fspath(checkpoint)}.{number}.{part}"
            settings: dict[str, Any] = {"workers": workers, "progress": progress, "checkpoint": saved, "resume": resume}
            runs.append(_run(block, entry, seed, files, settings))
            stopped = runs[-1].interrupted
    if not any(run.deals for _, runs in made for run in runs):
        raise KeyboardInterrupt
    page = Page(
        title or "Games side by side",
        tuple((block, tuple(run for run in runs if run.deals)) for block, runs in made),
        stopped,
        tuple(text),
        tuple(commands),
    )
    played = [
        {"kind": block.kind, "title": block.title, "games": [provenance(run) for run in runs]} for block, runs in made
    ]
    tables = write_sections(page, sections(page), folder, {**about, "compare": played})
    return Report(Path(folder), page.title, compared=tuple(run for _, runs in made for run in runs), records=tables)


def _run(block: Block, entry: Entry, seed: int, folder: Path, settings: dict[str, Any]) -> Run:
    if block.kind == "match":
        return match(
            entry.game,
            entry.players(folder),
            deals=entry.deals,
            seed=seed,
            unit=entry.unit,
            rules=entry.rules,
            **settings,
        )
    plan = entry.plans(block.kind, seed, folder)[0]
    if block.asked is not None:
        asked = block.asked
        return decisions(plan, asked.phase, asked.action, asked.by, asked.worlds, **settings)
    return across(plan, block.measures_of(plan.load()), **settings)
