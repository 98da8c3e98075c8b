"""Pages about bids: experiments of the kind ``bids``, made of charts, hands and exact odds.

``[[odds]]`` asks what a hand or the talon holds, ``[[hand]]`` what each contract is worth with a hand at several levels
of play, ``[[chart]]`` what to bid with which class of hands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import simcards
from simcards.errors import UsageError
from simcards.report import figures, keys
from simcards.report.derived import together
from simcards.report.folder import check_folder
from simcards.report.keys import Key
from simcards.report.page import Report, paragraphs, write_sections
from simcards.report.parts import Picture, Section
from simcards.report.tables import BY_ERROR, NONE, Heading, Table, scaled, several
from simcards.study.advise import estimate_of
from simcards.study.bids import LEVEL_TEXT, BidsResult
from simcards.study.chart import ChartResult

if TYPE_CHECKING:
    from simcards.cards import Pack
    from simcards.odds.deal import Place
    from simcards.odds.result import OddsResult
    from simcards.study.engine import Progress
    from simcards.study.plan import Plan

_COMMON: dict[str, Key] = {"title": Key(*keys.TEXT), "text": Key(*keys.TEXT)}
_BIDS: dict[str, Key] = {
    "seat": Key(*keys.TEXT),
    "contracts": Key(*keys.NAMES),
    "others": Key(*keys.TEXT),
}
TABLES: dict[str, dict[str, Key]] = {
    "odds": {
        **_COMMON,
        "features": Key((list, dict), "a list of questions, or a table of names and questions"),
        "hands": Key(*keys.TABLE),
        "given": Key(*keys.TEXT),
    },
    "hand": {
        **_COMMON,
        **_BIDS,
        "hand": Key(*keys.TEXT),
        "position": Key(*keys.TEXT),
        "levels": Key(*keys.NAMES),
        "worlds": Key(*keys.WHOLE),
    },
    "chart": {
        **_COMMON,
        **_BIDS,
        "deals": Key(*keys.WHOLE),
        "by": Key(*keys.NAMES),
        "level": Key(*keys.TEXT),
    },
}
"""The tables of such an experiment and their keys."""

OTHERS = {"pass": False, "bid": True}
"""What the other players do in the auction, and whether they are listened to."""


@dataclass(frozen=True)
class Part:
    """One table of the experiment.

    Attributes
    ----------
    kind : str
        ``"odds"``, ``"hand"`` or ``"chart"``.
    values : mapping
        What it says.
    """

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"kind": self.kind, **self.values}

    def with_deals(self, deals: int) -> Part:
        """Return it with another number of deals or worlds."""
        key = {"chart": "deals", "hand": "worlds"}.get(self.kind)
        return self if key is None else Part(self.kind, {**self.values, key: deals})

    def check(self, plan: Plan) -> None:
        """Raise `UsageError` when a level, contract, feature or seat is not there."""
        from simcards.errors import unknown
        from simcards.study.bids import bids_of, check_level, chosen_contracts, chosen_levels

        values, game = self.values, plan.load()
        if self.kind == "odds":
            return
        chosen_contracts(bids_of(game), values.get("contracts"))
        for level in chosen_levels(values.get("levels", (values.get("level", "basic"),))):
            check_level(game, level)
        known = [feature.name for feature in plan.ruleset.features]
        for name in values.get("by", ()):
            if name not in known:
                raise unknown(f"feature of a hand of {plan.game}", name, known)
        if values.get("seat", plan.ruleset.seats[0]) not in plan.ruleset.seats:
            raise unknown(f"seat in {plan.game}", values["seat"], plan.ruleset.seats)

    def run(self, game: str, rules: Mapping[str, Any], seed: int, settings: Mapping[str, Any]) -> Any:
        """Carry it out.

        Parameters
        ----------
        game : str
            Id of the rule set.
        rules : mapping
            Changed rules.
        seed : int
            The seed.
        settings : mapping
            Workers and progress.

        Returns
        -------
        OddsResult or BidsResult or ChartResult
        """
        values = self.values
        if self.kind == "odds":
            from simcards.odds.api import odds

            about = {name: values[name] for name in ("hands", "given") if name in values}
            return odds(values["features"], game=game, deals=0, seed=seed, **about, **settings)
        handle = simcards.game(game)
        common = {
            "seat": values.get("seat"),
            "contracts": values.get("contracts"),
            "listen": OTHERS[values.get("others", "pass")],
            "seed": seed,
            "rules": rules,
            **settings,
        }
        if self.kind == "hand":
            return handle.bids(
                values.get("position"),
                hand=values.get("hand"),
                levels=values.get("levels"),
                worlds=values.get("worlds"),
                **common,
            )
        return handle.bid_chart(
            values.get("deals"), classes=values.get("by"), level=values.get("level", "basic"), **common
        )


def read_parts(data: Mapping[str, Any]) -> tuple[Part, ...]:
    """Read the tables ``[[odds]]``, ``[[hand]]`` and ``[[chart]]`` of an experiment.

    Parameters
    ----------
    data : mapping
        The experiment.

    Returns
    -------
    tuple of Part
        Odds first, then hands, then charts.

    Raises
    ------
    UsageError
        In one line that says which table it is.
    """
    parts = []
    for kind in TABLES:
        for number, table in enumerate(data.get(kind, []), 1):
            try:
                parts.append(_read(kind, table))
            except UsageError as error:
                raise UsageError(f"[[{kind}]] {number}: {error}") from None
    if not parts:
        raise UsageError("there is nothing to show: write [[odds]], [[hand]] or [[chart]] and what is asked below it")
    return tuple(parts)


def _read(kind: str, data: Any) -> Part:
    if not isinstance(data, dict):
        raise UsageError(f"it must be a table of keys and values, not {keys.short(data)}")
    keys.check_keys(data, TABLES[kind])
    values = dict(data)
    for key in ("deals", "worlds"):
        if key in values:
            values[key] = keys.whole(key, values[key])
    for key in ("contracts", "levels", "by"):
        if key in values:
            values[key] = keys.names_of(key, values[key])
    if values.get("others", "pass") not in OTHERS:
        raise UsageError(f"others {' or '.join(OTHERS)}, and do not {keys.short(values['others'])}")
    if kind == "odds":
        if not values.get("features"):
            raise UsageError("features is missing: questions such as \"n('A') >= 2\"")
        named = values["features"].values() if isinstance(values["features"], dict) else values["features"]
        if not all(isinstance(each, str) for each in named):
            raise UsageError("features are questions such as \"n('A') >= 2\", written as texts")
        for place, cards in values.get("hands", {}).items():
            if isinstance(cards, bool) or not isinstance(cards, int | str):
                raise UsageError(f"hands.{place} must be a number or cards, not {keys.short(cards)}")
    if kind == "hand" and "hand" not in values and "position" not in values:
        raise UsageError('hand is missing: the player\'s cards, such as "AS TS KH"')
    return Part(kind, values)


@dataclass(frozen=True)
class Page:
    """What the page is about.

    Attributes
    ----------
    title, lead : str
        Its title, and the sentence below it.
    """

    title: str
    lead: str


def run_parts(
    parts: Sequence[Part],
    folder: str | os.PathLike[str],
    *,
    game: str,
    rules: Mapping[str, Any],
    seed: int,
    title: str,
    text: Sequence[str],
    commands: Sequence[str],
    about: Mapping[str, Any],
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """Carry all parts out and write the page about them.

    Parameters
    ----------
    parts : sequence of Part
        What is asked.
    folder : path-like
        Where the page is to be, as for `simcards.report.page.write_report`.
    game : str
        Id or synonym of the rule set.
    rules : mapping
        Changed rules.
    seed : int
        The seed.
    title : str
        Title of the page.
    text, commands : sequence of str
        Paragraphs at its beginning, and what to type for it.
    about : mapping
        What else its provenance says.
    workers, progress
        As for `simcards.study.engine.run`.

    Returns
    -------
    Report
        After an interrupt it covers what was played so far.

    Raises
    ------
    KeyboardInterrupt
        When interrupted before anything was played.
    """
    from simcards.games import registry

    check_folder(folder)
    ruleset = registry.ruleset(game)
    settings = {"workers": workers, "progress": progress}
    made: list[tuple[Part, Any]] = []
    stopped = False
    for part in parts:
        result = part.run(ruleset.id, rules, seed, settings)
        stopped = bool(result.interrupted)
        if not stopped or result.records:
            made.append((part, result))
        if stopped:
            break
    if not made:
        raise KeyboardInterrupt
    sections, bullets = [], []
    for number, (part, result) in enumerate(made, 1):
        section, said = _SECTIONS[part.kind](f"part-{number}", part, result)
        sections.append(section)
        bullets += [f"{section.title}: {line}" for line in said]
    if stopped:
        bullets.append("The run was interrupted: what stands here is what was played until then.")
    summary = Section("summary", "In short", tuple(text), tuple(bullets))
    counted = all(part.kind == "odds" for part in parts)
    lead = f"{ruleset.title}: {'what is dealt and drawn, counted exactly' if counted else 'what bids are worth'}."
    page = Page(title or f"{ruleset.title}: {'odds' if counted else 'bids'}", lead)
    played = [result.provenance for _, result in made]
    method = _method(made, rules, seed, commands)
    tables = write_sections(page, [summary, *sections, method], folder, {**about, "bids": played})
    return Report(Path(folder), page.title, records=tables)


def _odds(key: str, part: Part, result: OddsResult) -> tuple[Section, list[str]]:
    """Show exact odds."""
    from simcards.odds.written import one_in, percent

    rows, records = [], []
    for row in result.rows:
        value = row.value
        shown = NONE if value is None else percent(float(value)) if row.is_condition else f"{float(value):.5g}"
        fraction = NONE if value is None or not row.is_condition else f"{value.numerator:,} in {value.denominator:,}"
        rows.append((row.name, shown, fraction, one_in(row.one_in) or NONE if row.is_condition else NONE))
        records += list(row.records())
    heads = (Heading("", number=False), Heading("exact"), Heading("fraction"), Heading("odds"))
    places = "; ".join(_dealt(place, result.deal.pack) for place in result.deal.places)
    table = Table(key, f"Counted exactly: {places}", heads, tuple(rows), "", tuple(records))
    title = part.values.get("title", "What is dealt")
    return Section(key, title, paragraphs(part.values.get("text", "")), tables=(table,)), []


def _dealt(place: Place, pack: Pack) -> str:
    """Say which cards of a place are known, and how many are dealt to it."""
    known = [pack.format(place.fixed)] if place.fixed else []
    drawn = [several(place.size, "card")] if place.size else []
    return f"{place.name}: {together(known + drawn)}"


def _hand(key: str, part: Part, result: BidsResult) -> tuple[Section, list[str]]:
    """Show what each contract is worth with a hand."""
    said = [
        f"{result.advice(level)} is worth most when {LEVEL_TEXT[level]}"
        for level in result.played
        if result.recommended(level)
    ]
    cards = "; ".join(f"{name}: {words}" for name, words in result.question.position.items() if name != "phase")
    made = list(zip(result.played, result.tables(), strict=True))
    notes = ["" for _ in made[1:]] + [" ".join(result.remarks())]  # of all tables, once
    tables = tuple(
        Table(f"{key}-{table.name}", table.caption, table.headings, table.rows, note, _of_level(result, level))
        for (level, table), note in zip(made, notes, strict=True)
    )
    names = [name for name in result.names if any(_is_of(name, row) for table in tables for row in table.rows)]
    series = []
    for level in result.played:
        values = {value.contract: value for value in result.values(level)}
        nothing = estimate_of("worth", 0, float("nan"), float("nan"))
        worths = [
            estimate_of("worth", values[name].n, values[name].mean, values[name].se) if name in values else nothing
            for name in names
        ]
        series.append((level, worths))
    title = part.values.get("title", f"With {part.values.get('hand', 'a hand')}")
    figure = figures.side_by_side(names, series, title, "worth of the deal (95 % interval)", reference=0.0)
    picture = Picture(
        f"{key}-worth", figure, "Dots are means, bars their 95 % intervals; a colour is a level of play.",
        f"Worth of each contract. The numbers are in the table “{tables[0].caption}”.",
    )  # fmt: skip
    text = (cards, *paragraphs(part.values.get("text", "")))
    return Section(key, title, text, tables=tables, pictures=(picture,)), said


def _is_of(contract: str, row: Sequence[str]) -> bool:
    """Return whether a line of a table is about a contract; the best one is marked."""
    return row[0] in (contract, f"{contract} *")


def _of_level(result: BidsResult, level: str) -> tuple[dict[str, Any], ...]:
    return tuple(record for record in result.records if record["level"] == level)


def _chart(key: str, part: Part, result: ChartResult) -> tuple[Section, list[str]]:
    """Show what to bid with which class of hands."""
    (table,) = result.tables()
    shown = Table(key, table.caption, table.headings, table.rows, " ".join(result.remarks()), tuple(result.records))
    title = part.values.get("title", f"What {result.seat} should bid")
    text = (f"{several(result.deals, 'deal')}; {LEVEL_TEXT[result.level]}.", *paragraphs(part.values.get("text", "")))
    hands = sum(line.hands for line in result.lines)
    if not hands:
        return Section(key, title, (*text, "There are too few deals for any class of hands.")), []
    named = [name for name in result.names if any(line.contract == name for line in result.lines)]
    shares = []
    for name in named:
        count = sum(line.hands for line in result.lines if line.contract == name)
        share = count / hands
        shares.append(estimate_of("share", hands, share, (share * (1.0 - share) / hands) ** 0.5))
    said = [
        f"{together([f'{name} {100.0 * share.estimate:.0f} %' for name, share in zip(named, shares, strict=True)])}"
        " of the hands"
    ]
    figure = figures.side_by_side(
        named, [("", [scaled(share, 100.0) for share in shares])], "How often each bid is recommended",
        "hands, %", reference=0.0,
    )  # fmt: skip
    caption = "Every hand counts for what is best with its class."
    picture = Picture(f"{key}-bids", figure, caption, f"How often. The numbers are in the table “{table.caption}”.")
    return Section(key, title, text, tables=(shown,), pictures=(picture,)), said


_SECTIONS: dict[str, Callable[[str, Part, Any], tuple[Section, list[str]]]] = {
    "odds": _odds,
    "hand": _hand,
    "chart": _chart,
}


def _method(made: Iterable[tuple[Part, Any]], rules: Mapping[str, Any], seed: int, commands: Sequence[str]) -> Section:
    """Say how the numbers were obtained and how to obtain them again."""
    from simcards.kernel.compiled import source_hash

    sources = f"{source_hash('games')}-{source_hash('study')}"
    made = tuple(made)
    facts = [("program", f"simcards {simcards.__version__}, sources {sources}"), ("seed", str(seed))]
    if rules:
        facts.append(("changed rules", together([f"{name} = {value}" for name, value in rules.items()])))
    counted = (
        "All numbers on this page are exact: every way in which the unseen cards can lie was counted, each as likely "
        "as any other.",
    )
    sampled = (
        "Every deal and every world has random numbers of its own, made from the seed and its number. So all numbers "
        "on this page come out the same on any machine and with any number of workers.",
        f"{BY_ERROR} All contracts were played in the same deals or worlds, so their differences are surer than their "
        "values.",
    )
    headings = (Heading("what", number=False), Heading("value", number=False))
    table = Table("facts", "What was computed", headings, tuple(facts))
    text = counted if all(part.kind == "odds" for part, _ in made) else sampled
    return Section("method", "How it was computed", text, tables=(table,), commands=tuple(commands))
