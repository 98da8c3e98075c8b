"""The page about several games side by side: a section with a table and pictures for each block."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import simcards
from simcards import stats
from simcards.report import decided, figures
from simcards.report.derived import label, together
from simcards.report.page import paragraphs
from simcards.report.parts import Picture, Section
from simcards.report.tables import (
    BY_ERROR,
    RATES,
    Heading,
    Table,
    called,
    capital,
    contests,
    grouped,
    interval,
    plain,
    probability,
    scaled,
    several,
    shown,
    versus_rows,
    without_folders,
)
from simcards.stats import Comparison, Estimate
from simcards.study.across import Across, Measure
from simcards.study.decisions import Decisions
from simcards.study.match import MatchOutcome
from simcards.study.result import provenance

if TYPE_CHECKING:
    from simcards.report.compare import Block

Run = Across | MatchOutcome | Decisions
CLEAR = 0.05  # probability by chance below which a difference is called one
_FEW = 5  # games that are named one by one


@dataclass(frozen=True)
class Page:
    """What the page is about.

    Attributes
    ----------
    title : str
        Its title.
    blocks : tuple of pair
        What was compared, and what was played for it, a game each; games of which nothing was played are left out.
    interrupted : bool
        Whether it covers less than was wanted.
    text, commands : tuple of str
        Paragraphs at the beginning, and what to type for the same page.
    confidence : float
        Confidence level of all intervals.
    """

    title: str
    blocks: tuple[tuple[Block, tuple[Run, ...]], ...]
    interrupted: bool = False
    text: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    confidence: float = 0.95

    @property
    def games(self) -> list[str]:
        """Titles of the games."""
        return list(dict.fromkeys(run.plan.ruleset.title for _, runs in self.blocks for run in runs))

    @property
    def lead(self) -> str:
        """What stands below the title."""
        if any(block.kind == "decisions" for block, _ in self.blocks):
            return f"{together(self.games)}: both answers to a question tried wherever it comes up."
        if len(self.games) == 1:
            return f"{self.games[0]}: strategies side by side."
        return f"{several(len(self.games), 'game')} side by side."


def sections(page: Page) -> list[Section]:
    """Return the sections of the page.

    Parameters
    ----------
    page : Page
        What it is about.

    Returns
    -------
    list of Section
    """
    made = []
    bullets = [f"Played for this page: {together(page.games)}."]
    if page.interrupted:
        bullets.append("The run was interrupted: what stands here is what was played until then.")
    for number, (block, runs) in enumerate(page.blocks, 1):
        if runs:
            title = block.title or _TITLES[block.kind]
            section, said = _SECTIONS[block.kind](page, f"part-{number}", title, block, runs)
            made.append(section)
            bullets += [f"{title}: {line}" for line in said]
    summary = Section("summary", "In short", page.text, tuple(bullets))
    return [summary, *made, _method(page)]


# -- quantities by game --------------------------------------------------------------------------------------


def _play(page: Page, key: str, title: str, block: Block, runs: Sequence[Run]) -> tuple[Section, list[str]]:
    """Show quantities of every game."""
    played = [run for run in runs if isinstance(run, Across)]
    measures = list(dict.fromkeys((*block.measures, *block.optional)))
    variants = block.each
    line_of = "strategy" if variants else "game"
    names = [_line_name(run, variants, page) for run in played]
    lines, records = [], []
    numbers: dict[Measure, list[Estimate | None]] = {measure: [] for measure in measures}
    for name, run in zip(names, played, strict=True):
        line = [name, plain(run.deals)]
        who = {"strategy": without_folders(run.plan.strategies[0])} if variants else {}
        for measure in measures:
            made = run.estimate(measure, page.confidence) if measure in run.study.measures else None
            numbers[measure].append(made)
            line.append("–" if made is None else _number(made, measure, _kind(measure, played)))
            if made is not None:
                records.append({"game": run.plan.game, **who, "unit": run.plan.unit, **made.as_record()})
        lines.append(tuple(line))
    units = together(sorted({run.plan.unit for run in played}))
    note = f"{BY_ERROR} Values are of one seat, all seats of a game alike."
    if any(measure.form == "edge" for measure in measures):
        note += " Edge: what the seat that plays first has more than the mean of the others" + (
            "; of rates in percentage points." if any(_is_rate(measure, played) for measure in measures) else "."
        )
    if any(measure.form == "sd" for measure in measures):
        note += " Spread: the standard deviation of a seat's value from row to row, which has no error here."
    table = Table(
        key,
        f"Each {line_of} by itself, means a {units}",
        (
            Heading("", number=False),
            Heading(_rows_played(played)),
            *(Heading(_heading(measure)) for measure in measures),
        ),
        tuple(lines),
        note,
        tuple(records),
    )
    pictures = []
    for measure in measures:
        if not any(made is not None and made.se > 0.0 for made in numbers[measure]):
            continue  # without an error, or the same in every deal
        factor = 100.0 if _is_rate(measure, played) else 1.0
        there = [(name, made) for name, made in zip(names, numbers[measure], strict=True) if made is not None]
        figure = figures.side_by_side(
            [name for name, _ in there],
            [("", [scaled(made, factor) for _, made in there])],
            capital(_heading(measure)),
            f"{_heading(measure)}{', %' if factor > 1.0 else ''} ({100.0 * page.confidence:g} % interval)",
            reference=0.0 if measure.form == "edge" else None,
        )
        alt = f"{capital(_heading(measure))} of each {line_of}. The numbers are in the table “{table.caption}”."
        name = f"{key}-{measure.text.replace(':', '-').replace('_', '-')}"
        pictures.append(Picture(name, figure, "Dots are means, bars their intervals.", alt))
    text = (*paragraphs(block.text), "In each line the strategy has every seat." if variants else _who_plays(played))
    terms = [(_heading(measure), _doc(measure, played)) for measure in measures if measure.form == "mean"]
    return Section(key, title, text, (), (table,), tuple(pictures), (), tuple(terms)), _edges(measures, numbers, names)


def _line_name(run: Run, variants: bool, page: Page) -> str:
    """Return what a line is called: by its game, and where several strategies have lines by the strategy."""
    game = run.plan.ruleset.title
    if not variants:
        return game
    name = without_folders(run.plan.strategies[0])
    return name if len(page.games) == 1 else f"{game}: {name}"


def _rows_played(runs: Sequence[Run]) -> str:
    units = sorted({run.plan.unit for run in runs})
    return " or ".join(f"{unit}s" for unit in units)


def _kind(measure: Measure, runs: Sequence[Across]) -> str:
    """Return the kind of what is measured, in the games that have it."""
    return next(measure.check(run.plan.load()).kind for run in runs if measure in run.study.measures)


def _is_rate(measure: Measure, runs: Sequence[Across]) -> bool:
    there = any(measure in run.study.measures for run in runs)
    return there and measure.form != "sd" and _kind(measure, runs) in RATES


def _number(made: Estimate, measure: Measure, kind: str) -> str:
    if measure.form == "sd":
        return "–" if math.isnan(made.estimate) else plain(float(f"{made.estimate:.4g}"))
    return shown(made, kind)


def _heading(measure: Measure) -> str:
    name = label(measure.quantity)
    return {"mean": name, "sd": f"spread of {name}", "edge": f"edge in {name}"}[measure.form]


def _doc(measure: Measure, runs: Sequence[Across]) -> str:
    docs = dict.fromkeys(measure.check(run.plan.load()).doc for run in runs if measure in run.study.measures)
    return "; or ".join(docs)


def _who_plays(runs: Sequence[Across]) -> str:
    """Say with which strategies the games were played."""
    who: dict[str, list[str]] = {}
    for run in runs:
        names = [without_folders(name) for name in run.plan.strategies]
        same = len(set(names)) == 1
        said = f"{names[0]} in every seat" if same else together([f"{n} as {s}" for s, n in zip(_seats(run), names)])
        who.setdefault(said, []).append(run.plan.ruleset.title)
    if len(who) == 1:
        return f"Played with {next(iter(who))}."
    return f"Played with {'; '.join(f'{said} ({together(games)})' for said, games in who.items())}."


def _seats(run: Across) -> tuple[str, ...]:
    return run.plan.ruleset.seats


def _edges(
    measures: Sequence[Measure], numbers: dict[Measure, list[Estimate | None]], names: Sequence[str]
) -> list[str]:
    """Say in which games the first seat has an edge, all games and quantities of the table allowed for."""
    edges = [
        (measure, name, made, _tested(made))
        for measure in measures
        if measure.form == "edge"
        for name, made in zip(names, numbers[measure], strict=True)
        if made is not None
    ]
    clear = [one.p_adjusted is not None and one.p_adjusted < CLEAR for one in stats.family(one for *_, one in edges)]
    said = []
    for measure in dict.fromkeys(measure for measure, *_ in edges):
        words: list[str] = []
        for sign, what in ((1.0, "the first player gets more"), (-1.0, "the first player gets less")):
            games = [
                game
                for (other, game, made, _), sure in zip(edges, clear, strict=True)
                if other == measure and sure and made.estimate * sign > 0.0
            ]
            if games:
                words.append(f"{what} in {together(games)}")
        where = label(measure.quantity)
        said.append(f"in {where} {', '.join(words)}." if words else f"in {where} no game has a clear edge of a seat.")
    return said


def _tested(made: Estimate) -> Comparison:
    """Return the probability of a mean this far from 0 by chance; none for fewer than two rows."""
    if made.n < 2 or math.isnan(made.se):
        return Comparison(made, math.nan, math.nan)
    if made.se == 0.0:
        return Comparison(made, 0.0, 1.0)
    z = made.estimate / made.se
    if made.method == "student":
        from scipy.special import stdtr

        return Comparison(made, z, 2.0 * float(stdtr(made.n - 1, -abs(z))))
    return Comparison(made, z, math.erfc(abs(z) / math.sqrt(2.0)))


# -- strategies in every game --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pair:
    """Two strategies in a game."""

    run: MatchOutcome
    first: str
    second: str
    comparison: Comparison
    rates: dict[str, Estimate]
    records: list[dict[str, Any]]

    @property
    def game(self) -> str:
        return self.run.plan.ruleset.title

    @property
    def size(self) -> float:
        """The difference in standard errors; nan where it has none."""
        made = self.comparison.difference
        return made.estimate / made.se if made.se > 0.0 else math.nan


def _match(page: Page, key: str, title: str, block: Block, runs: Sequence[Run]) -> tuple[Section, list[str]]:
    """Show the differences between strategies in every game."""
    pairs = [pair for run in runs if isinstance(run, MatchOutcome) for pair in _pairs(run, page.confidence)]
    adjusted = stats.family(pair.comparison for pair in pairs)
    clear = [one.p_adjusted is not None and one.p_adjusted < CLEAR for one in adjusted]
    same = len({(pair.first, pair.second) for pair in pairs}) == 1
    alone = len(page.games) == 1 and not same
    seconds = {pair.second for pair in pairs}
    rival = pairs[0].second if alone and len(seconds) == 1 else ""  # whom all others meet
    lines, records = [], []
    for pair, one in zip(pairs, adjusted, strict=True):
        made = one.difference
        who = () if same else (pair.first if rival else f"{pair.first} against {pair.second}",)
        p = math.nan if one.p_adjusted is None else one.p_adjusted
        lines.append(
            (
                *(() if alone else (pair.game,)),
                *who,
                plain(pair.run.deals),
                shown(made),
                "–" if math.isnan(pair.size) else grouped(f"{pair.size:.1f}"),
                interval(made),
                probability(p),
                *(shown(pair.rates[name], "rate") for name in ("won_games", "drawn_games", "lost_games")),
            )
        )
        for record in pair.records:
            more = {"p_adjusted": p} if record["quantity"] == made.quantity else {}
            records.append({"game": pair.run.plan.game, "unit": pair.run.plan.unit, **record, **more})
    games = contests(pair.run.plan.unit for pair in pairs)
    payoffs = together(sorted({label(run.study.game.payoff) for run in runs if isinstance(run, MatchOutcome)}))
    table = Table(
        key,
        f"{capital(payoffs)} on the same cards, {f'strategy less {rival}' if rival else 'first strategy less second'}"
        f"{'' if alone else ', in each game'}",
        (
            *(() if alone else (Heading("", number=False),)),
            *(() if same else (Heading("strategy" if rival else "strategies", number=False),)),
            Heading(_rows_played(runs)),
            Heading("difference"),
            Heading("in standard errors"),
            Heading(f"{100.0 * page.confidence:g} % interval"),
            Heading("p (Holm)"),
            *(Heading(name, games if rival else f"{games} of the first") for name in ("won", "drawn", "lost")),
        ),
        tuple(lines),
        f"{BY_ERROR} p is the probability of a difference this large if there were none, adjusted for all lines by "
        "Holm's method. Every deal is played in all seatings.",
        tuple(records),
    )
    met = together(list(dict.fromkeys(f"{pair.first} against {pair.second}" for pair in pairs)))
    text = (*paragraphs(block.text), *(() if alone else (f"Who meets: {met}.",)))
    figure = figures.side_by_side(
        [pair.game if same else _fighter(pair, rival, alone) for pair in pairs],
        [("", [scaled(pair.rates["won_games"], 100.0) for pair in pairs])],
        f"{capital(games)} won against {rival}"
        if rival
        else f"{capital(games)} won by the first strategy:\n{met if same else title}",
        f"share of {games}, % ({100.0 * page.confidence:g} % interval)",
        reference=50.0,
    )
    caption = f"Dots are shares of {games}, bars their intervals; the line is one half. Drawn {games} are not won."
    alt = f"{capital(games)} won. The numbers are in the table “{table.caption}”."
    picture = Picture(f"{key}-won", figure, caption, alt)
    return Section(key, title, text, (), (table,), (picture,)), list((_standings if alone else _verdicts)(pairs, clear))


def _fighter(pair: _Pair, rival: str, alone: bool) -> str:
    """Return what the strategies of a pair are called in a picture."""
    if not alone:
        return f"{pair.game}: {pair.first}"
    return pair.first if rival else f"{pair.first} against {pair.second}"


def _pairs(run: MatchOutcome, confidence: float) -> Iterator[_Pair]:
    payoff = run.study.game.payoff
    short = dict(zip(run.study.names, called(run.study.strategies), strict=True))
    for (first, second), rows in versus_rows(run, confidence):
        paid = next(row for row in rows if row.estimate.quantity == payoff)
        games = [row for row in rows if row.section == "games"]
        records = []
        for row in (paid, *games):
            record = {name: value for name, value in row.as_record().items() if name not in ("p_adjusted", "section")}
            records.append({**record, "strategy": short[row.first], "against": short[row.second]})
        rates = {row.estimate.quantity: row.estimate for row in games}
        yield _Pair(run, first, second, paid.comparison, rates, records)


def _verdicts(pairs: Sequence[_Pair], clear: Sequence[bool]) -> Iterator[str]:
    """Say in which games which strategy is better."""
    named = sorted(zip(pairs, clear, strict=True), key=lambda both: both[0].comparison.difference.estimate <= 0.0)
    better: dict[tuple[str, str], list[_Pair]] = {}
    unclear: dict[tuple[str, str], list[_Pair]] = {}
    for pair, sure in named:
        won = pair.comparison.difference.estimate > 0.0
        names = (pair.first, pair.second) if won or not sure else (pair.second, pair.first)
        (better if sure else unclear).setdefault(names, []).append(pair)
    for (first, second), found in better.items():
        least = min(abs(pair.size) for pair in found)
        size = "" if math.isnan(least) else f", by {least:.1f} standard errors or more"
        if len(found) == 1:
            size = f", by {shown(found[0].comparison.difference).removeprefix('−')}"
        yield f"{first} does better than {second} in {_where([pair.game for pair in found], pairs)}{size}."
    for (first, second), found in unclear.items():
        exact = [pair.game for pair in found if pair.comparison.difference.estimate == 0.0 and math.isnan(pair.size)]
        rest = [f"{pair.game} ({shown(pair.comparison.difference)})" for pair in found if pair.game not in exact]
        if exact:
            yield f"{first} and {second} come out exactly alike in {_where(exact, pairs)}."
        if rest:
            yield f"{first} and {second} cannot be told apart in {together(rest)}."


def _where(games: Sequence[str], pairs: Sequence[_Pair]) -> str:
    """Name games, or say that they are all that were compared where a list of names would be long."""
    return f"all {len(games)} games" if len(games) == len(pairs) > _FEW else together(games)


def _standings(pairs: Sequence[_Pair], clear: Sequence[bool]) -> Iterator[str]:
    """Say which strategies do better and worse than another, in a single game."""
    for second in dict.fromkeys(pair.second for pair in pairs):
        groups: dict[str, list[str]] = {}
        for pair, sure in zip(pairs, clear, strict=True):
            if pair.second == second:
                made = pair.comparison.difference
                how = ("better than" if made.estimate > 0.0 else "worse than") if sure else "not to be told apart from"
                groups.setdefault(how, []).append(f"{pair.first} ({shown(made)})")
        for how, names in groups.items():
            yield f"{how} {second}: {together(names)}."


# -- how it was computed -------------------------------------------------------------------------------------


def _method(page: Page) -> Section:
    """Say how the numbers were obtained and how to obtain them again."""
    runs = [run for _, made in page.blocks for run in made]
    facts = [
        ("program", f"simcards {simcards.__version__}, sources {provenance(runs[0])['sources']}"),
        ("seed", together([str(seed) for seed in dict.fromkeys(run.plan.seed for run in runs)])),
    ]
    for run in runs:
        if run.plan.changes:
            changed = together([f"{name} = {value}" for name, value in run.plan.changes])
            facts.append((f"{run.plan.game}, changed rules", changed))
    text = (
        "Every deal has random numbers of its own, made from the seed and its number. So all numbers on this page come "
        "out the same on any machine and with any number of workers. Time and machine are in provenance.json.",
        "± is one standard error. What the seats of a deal have is summed before anything is averaged, so that the "
        "errors hold though the seats depend on each other. A difference is called one only where its probability by "
        f"chance, adjusted for all lines of its table by Holm's method, is below {100.0 * CLEAR:g} %.",
    )
    headings = (Heading("what", number=False), Heading("value", number=False))
    table = Table("facts", "What was computed", headings, tuple(dict.fromkeys(facts)))
    return Section("method", "How it was computed", text, tables=(table,), commands=page.commands)


def _decided(page: Page, key: str, title: str, block: Block, runs: Sequence[Run]) -> tuple[Section, list[str]]:
    """Show what it is worth to say yes, by game."""
    asked = [run for run in runs if isinstance(run, Decisions)]
    return decided.section(key, title, paragraphs(block.text), asked, page.confidence)


_TITLES = {"play": "Quantities by game", "match": "Strategies compared", "decisions": "What yes is worth"}
_SECTIONS = {"play": _play, "match": _match, "decisions": _decided}
