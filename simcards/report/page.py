"""A report: a page about a game as HTML in one file, and as Markdown with figures and tables beside it."""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcards.errors import UsageError
from simcards.report.folder import FORMAT, PROVENANCE, check_folder, write_folder
from simcards.report.hand import dealt_odds
from simcards.report.parts import Context, Head, Section
from simcards.report.tables import Table, called, escaped, several, to_csv, to_markdown
from simcards.study.plan import make_plan

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Environment

    from simcards.study.across import Across
    from simcards.study.decisions import Decisions
    from simcards.study.engine import Outcome, Progress
    from simcards.study.match import MatchOutcome
    from simcards.study.plan import Plan

MATCH_SHARE = 10  # a match has one in so many of the deals if not told otherwise
LEAST_MATCH = 1000
OPPONENT = "random"  # whom a strategy meets if not told otherwise


@dataclass(frozen=True, repr=False)
class Report:
    """A report that was written.

    Attributes
    ----------
    folder : pathlib.Path
        Where it is.
    title : str
        Its title.
    outcome : Outcome, optional
        What happened with a strategy in every seat.
    match : MatchOutcome, optional
        Strategies against each other.
    compared : tuple of Across, MatchOutcome or Decisions
        What was played of each game, where several are compared.
    records : mapping
        The numbers of each table by the name of its file, in full.
    """

    folder: Path
    title: str
    outcome: Outcome | None = None
    match: MatchOutcome | None = None
    compared: tuple[Across | MatchOutcome | Decisions, ...] = ()
    records: Mapping[str, tuple[dict[str, Any], ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Report {self.title!r} ({self._covered()}): {self.html}>"

    def _repr_html_(self) -> str:
        lines = (f"<b>{escape(self.title)}</b>: {escape(self._covered())}", f"<code>{escape(str(self.html))}</code>")
        return f"<div>{'<br>'.join(lines)}<br><small>{escape(', '.join(self.records))}</small></div>"

    def _covered(self) -> str:
        """Say in short what is on the page."""
        parts = []
        if self.outcome is not None:
            parts.append(several(self.outcome.deals, self.outcome.plan.unit))
        if self.match is not None:
            names = " against ".join(called(self.match.study.strategies))
            parts.append(f"{several(self.match.deals, self.match.plan.unit)} of {names}")
        if self.compared:
            parts.append(several(len({run.plan.game for run in self.compared}), "game"))
        return ", ".join([*parts, several(len(self.records), "table")])

    @property
    def html(self) -> Path:
        """The page in one file."""
        return self.folder / "index.html"

    @property
    def markdown(self) -> Path:
        """The page as Markdown."""
        return self.folder / "index.md"

    @property
    def provenance(self) -> Path:
        """Where the numbers come from."""
        return self.folder / PROVENANCE

    @property
    def runs(self) -> tuple[Outcome | MatchOutcome | Across | Decisions, ...]:
        """All that was played."""
        return tuple(run for run in (self.outcome, self.match, *self.compared) if run is not None)

    @property
    def interrupted(self) -> bool:
        """Whether a run was interrupted, so that the page covers fewer deals than were wanted."""
        return any(run.interrupted for run in self.runs)

    @functools.cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The tables as data frames."""
        import pandas as pd

        return {name: pd.DataFrame.from_records(list(rows)) for name, rows in self.records.items()}


def write_report(
    game: str,
    folder: str | os.PathLike[str],
    *,
    deals: int,
    match_deals: int | None = None,
    seed: int = 1,
    strategy: str | Sequence[str] = "basic",
    against: Iterable[str] | None = None,
    rules: Mapping[str, object] | None = None,
    unit: str | None = None,
    cards: Mapping[str, str | Iterable[str]] | None = None,
    precision: float | None = None,
    target: str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    title: str | None = None,
    text: str = "",
    commands: Sequence[str] | None = None,
    about: Mapping[str, Any] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    odds_deals: int | None = None,
) -> Report:
    """Play a game, compare strategies, and write the page about it.

    Parameters
    ----------
    game : str
        Id or synonym of a rule set.
    folder : path-like
        Where the report is to be. It is written whole or not at all; a report that is there already is
        replaced, anything else is left alone.
    deals : int
        How many deals (or games, by the unit) are played.
    match_deals : int, optional
        On how many of them strategies are compared, 0 for none; a tenth, 1,000 at least, if left out.
    seed : int
        The seed.
    strategy : str or sequence of str
        Who plays: one for all seats, or one a seat.
    against : iterable of str, optional
        Whom the first strategy is compared with; ``random``, where the game has it, if left out.
    rules, unit, cards
        As for `simcards.study.plan.make_plan`.
    precision, target
        As for `simcards.study.engine.run`; for the play, not for the match.
    workers, progress
        As for `simcards.study.engine.run`.
    title : str, optional
        Title of the page; that of the game if left out.
    text : str
        Paragraphs to stand at the beginning, plain text with blank lines between them.
    commands : sequence of str, optional
        What the page says is to be typed for it; ``simcards report …`` if left out.
    about : mapping, optional
        What else the provenance is to say.
    checkpoint : path-like, optional
        File in which the play is saved while it runs, and the match in the same with ``.match`` at the end.
    resume : bool
        Whether to go on from these files, if they are there.
    odds_deals : int, optional
        How many deals the simulated odds of the dealt hand are from, 0 for no odds; as many as are played if
        left out.

    Returns
    -------
    Report
        After an interrupt it covers the deals done so far.

    Raises
    ------
    UsageError
        When something asked for is not there, or the folder cannot be used.
    KeyboardInterrupt
        When interrupted before anything was done; then nothing is written.
    """
    from simcards.study.engine import run
    from simcards.study.match import match as play_match

    plan = make_plan(game, deals=deals, strategies=strategy, seed=seed, unit=unit, rules=rules, cards=cards)
    rivals = check_rivals(plan, against, match_deals)
    many = _match_deals(plan, match_deals, rivals)
    check_folder(folder)
    outcome = run(
        plan,
        workers=workers,
        precision=precision,
        target=target,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    if outcome.interrupted and not outcome.deals:
        raise KeyboardInterrupt
    met: MatchOutcome | None = None
    if many and not outcome.interrupted:
        met = play_match(
            plan.game,
            rivals,
            deals=many,
            seed=plan.seed,
            unit=plan.unit,
            rules=dict(plan.changes),
            cards=dict(plan.cards),
            workers=workers,
            progress=progress,
            checkpoint=None if checkpoint is None else f"{os.fspath(checkpoint)}.match",
            resume=resume,
        )
        met = met if met.deals else None
    odds = None
    wanted = outcome.deals if odds_deals is None else odds_deals
    if wanted and not outcome.interrupted and not (met is not None and met.interrupted):
        size = plan.rules.get("hand")  # a rule of some games
        hand = size if isinstance(size, int) else None
        odds = dealt_odds(plan.game, wanted, plan.seed, hand=hand, workers=workers, progress=progress)
    context = Context(
        title=title or plan.ruleset.title,
        plan=plan,
        outcome=outcome,
        match=met,
        odds=odds,
        text=paragraphs(text),
        about=dict(about or {}),
        commands=tuple(commands or [command(plan, folder, many, rivals, precision, target)]),
    )
    return write_page(context, folder)


def write_page(context: Context, folder: str | os.PathLike[str]) -> Report:
    """Write the page about results that are there already.

    Parameters
    ----------
    context : Context
        The results.
    folder : path-like
        As for `write_report`.

    Returns
    -------
    Report
    """
    from simcards.study.result import provenance, records

    about: dict[str, Any] = dict(context.about)
    for name, run in (("play", context.outcome), ("match", context.match)):
        if run is not None:
            about[name] = provenance(run)
    if context.odds is not None:
        about["odds"] = context.odds.about
    more = {}
    if context.outcome is not None:
        more["estimates"] = tuple(records(context.outcome, context.confidence))
    tables = write_sections(context, sections(context), folder, about, more)
    return Report(Path(folder), context.title, context.outcome, context.match, records=tables)


def write_sections(
    head: Head,
    made: Sequence[Section],
    folder: str | os.PathLike[str],
    about: Mapping[str, Any],
    more: Mapping[str, tuple[dict[str, Any], ...]] | None = None,
) -> dict[str, tuple[dict[str, Any], ...]]:
    """Write the files of a page.

    Parameters
    ----------
    head : Head
        Its title and first line.
    made : sequence of Section
        Its sections.
    folder : path-like
        As for `write_report`.
    about : mapping
        What its provenance says.
    more : mapping, optional
        Numbers by the name of their file that are in no table of the page.

    Returns
    -------
    dict
        The numbers of each table by the name of its file.
    """
    from simcards.report.figures import to_svg

    files = {"index.html": to_html(head, made), "index.md": to_page_markdown(head, made, tuple(more or ()))}
    for section in made:
        for picture in section.pictures:
            files[f"figures/{picture.name}.svg"] = to_svg(picture.figure)
    tables = {table.name: table.records for section in made for table in section.tables if table.records}
    tables |= more or {}
    files |= {f"tables/{name}.csv": to_csv(rows) for name, rows in tables.items()}
    said = {"format": FORMAT, "title": head.title, **about, "files": sorted([*files, PROVENANCE])}
    files[PROVENANCE] = json.dumps(said, indent=1, ensure_ascii=False) + "\n"
    write_folder(folder, files)
    return tables


def sections(context: Context) -> list[Section]:
    """Return the sections of a page that have something to say.

    Parameters
    ----------
    context : Context
        The results.

    Returns
    -------
    list of Section
    """
    from simcards.report.sections import SECTIONS

    made = (maker(context) for maker in SECTIONS)
    return [section for section in made if section is not None]


def paragraphs(text: str) -> tuple[str, ...]:
    """Split a text at its blank lines.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    tuple of str
    """
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())


def command(
    plan: Plan,
    folder: str | os.PathLike[str],
    match_deals: int,
    rivals: Sequence[str],
    precision: float | None = None,
    target: str | None = None,
) -> str:
    """Return what to type in a shell for the same page.

    Parameters
    ----------
    plan : Plan
        What is played.
    folder : path-like
        Where the report is; only its name is used.
    match_deals : int
        Deals of the match.
    rivals : sequence of str
        Strategies of the match.
    precision, target
        As for `write_report`.

    Returns
    -------
    str
    """
    words = ["simcards", "report", plan.game, "--deals", str(plan.deals), "--match-deals", str(match_deals)]
    words += ["--seed", str(plan.seed)]
    if plan.unit != next(iter(plan.ruleset.units)):
        words += ["--unit", plan.unit]
    names = plan.strategies[:1] if len(set(plan.strategies)) == 1 else plan.strategies
    for name in names:
        words += ["--strategy", name]
    if match_deals and tuple(rivals[1:]) != (OPPONENT,):
        for name in rivals[1:]:
            words += ["--against", name]
    for rule, value in plan.changes:
        words += ["--set", f"{rule}={value}"]
    for place, texts in plan.cards:
        words += ["--fix", f"{place}={' '.join(texts)}"]
    if precision is not None:
        words += ["--precision", f"{precision:g}", *(["--target", target] if target else [])]
    return shlex.join(words)


def check_rivals(plan: Plan, against: Iterable[str] | None, match_deals: int | None = None) -> tuple[str, ...]:
    """Return the strategies of the match, the one that the page is about first.

    Parameters
    ----------
    plan : Plan
        What is played.
    against : iterable of str, optional
        Whom the first strategy is to meet.
    match_deals : int, optional
        On how many deals.

    Returns
    -------
    tuple of str

    Raises
    ------
    UsageError
        When a strategy is to meet itself, or others on no deals.
    """
    first = plan.strategies[0]
    if against is None:
        against = [OPPONENT] if OPPONENT in plan.ruleset.strategies else []
        return tuple(dict.fromkeys([first, *against]))
    named = tuple(dict.fromkeys(against))
    if first in named:
        raise UsageError(f"{first} cannot be compared with itself; name another strategy to play against")
    if named and match_deals == 0:
        raise UsageError(f"{first} is to play against {', '.join(named)}, but the match has 0 deals")
    return (first, *named)


def _match_deals(plan: Plan, match_deals: int | None, rivals: Sequence[str]) -> int:
    """Return how many deals the match has; 0 for no match."""
    possible = len(rivals) > 1 and plan.ruleset.players > 1
    if match_deals is None:
        return min(plan.deals, max(LEAST_MATCH, plan.deals // MATCH_SHARE)) if possible else 0
    if match_deals == 0:
        return 0
    if not possible:
        raise UsageError(f"a match was asked for, but {plan.strategies[0]} has nobody to meet in {plan.game}")
    make_plan(plan.game, deals=match_deals)
    for rival in rivals:
        make_plan(plan.game, deals=match_deals, strategies=rival)
    return int(match_deals)


# -- forms ---------------------------------------------------------------------------------------------------


def to_html(head: Head, made: Sequence[Section]) -> str:
    """Write a page as HTML that needs nothing but itself.

    Parameters
    ----------
    head : Head
        Its title and first line.
    made : sequence of Section
        Its sections.

    Returns
    -------
    str
    """
    from markupsafe import Markup

    from simcards.report.figures import to_svg

    drawings = {
        picture.name: Markup(to_svg(picture.figure, inline=True, prefix=picture.name))
        for section in made
        for picture in section.pictures
    }
    page = _environment().get_template("page.html.j2")
    return page.render(head=head, sections=made, drawings=drawings) + "\n"


@functools.cache
def _environment() -> Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("simcards.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["bound"] = _bound
    return environment


def _bound(text: str) -> str:
    """Keep a number with its error and its unit on one line."""
    return re.sub(r" (?=[±%])|(?<=±) ", "\u00a0", text)


def to_page_markdown(head: Head, made: Sequence[Section], more: Sequence[str] = ()) -> str:
    """Write a page as Markdown, with figures and tables in files beside it.

    Parameters
    ----------
    head : Head
        Its title and first line.
    made : sequence of Section
        Its sections.
    more : sequence of str
        Names of files with numbers that are in no table of the page.

    Returns
    -------
    str
    """
    blocks = [f"# {escaped(head.title)}", escaped(head.lead)]
    for section in made:
        blocks.append(f"## {escaped(section.title)}")
        blocks += [escaped(text) for text in section.text]
        if section.bullets:
            blocks.append("\n".join(f"- {escaped(text)}" for text in section.bullets))
        for table in section.tables:
            blocks += _markdown_table(table)
        for picture in section.pictures:
            blocks.append(f"![{escaped(picture.alt)}](figures/{picture.name}.svg)")
            blocks.append(escaped(picture.caption))
        if section.commands:
            blocks.append("\n".join(["```sh", *section.commands, "```"]))
        if section.terms:
            blocks.append("\n".join(f"- **{escaped(word)}**: {escaped(meaning)}" for word, meaning in section.terms))
    blocks += [f"All numbers in full: [tables/{name}.csv](tables/{name}.csv)." for name in more]
    return "\n\n".join(blocks) + "\n"


def _markdown_table(table: Table) -> list[str]:
    blocks = [f"**{escaped(table.caption)}**", to_markdown(table).rstrip("\n")]
    note = escaped(table.note) if table.note else ""
    if table.records:
        note = f"{note} Numbers in full: [{table.name}.csv](tables/{table.name}.csv).".strip()
    return [*blocks, note] if note else blocks
