"""The standard sections of a page: each takes the results and returns its section, or None where it has none.

A new game gets all of them by naming its quantities (see `simcards.games.game.Quantity`). `SECTIONS` is the
order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import simcards
from simcards.report import derived, figures
from simcards.report.derived import Edge, happening, is_off, label, together
from simcards.report.parts import Context, Maker, Picture, Section
from simcards.report.tables import (
    BY_ERROR,
    Heading,
    Table,
    by_seat,
    called,
    capital,
    contests,
    control_warnings,
    grouped,
    interval,
    match_tables,
    mean_of,
    plain,
    probability,
    scaled,
    sentence,
    several,
    shown,
    versus_rows,
    without_folders,
)
from simcards.stats import Estimate

if TYPE_CHECKING:
    from simcards.study.engine import Execution, Outcome
    from simcards.study.match import MatchOutcome
    from simcards.study.result import Row

# What a row is
_UNITS = {
    "deal": "one hand dealt and played out",
    "game": "deals until somebody has won",
    "session": "a series of games of the same players",
}
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
SHOWN_APART = ("points", "won", "margin")  # quantities that have a section of their own


# -- in short ------------------------------------------------------------------------------------------------


def summary(context: Context) -> Section | None:
    """Say in a few sentences what was found."""
    bullets = [_played(context)]
    outcome = context.outcome
    if outcome is not None:
        bullets += _scores_in_short(context)
        bullets += _edges_in_short(context, outcome)
        bullets += _sources_in_short(context)
    if context.match is not None:
        bullets += _match_sentences(context, context.match)
    return Section("summary", "In short", text=context.text, bullets=tuple(bullets))


def _played(context: Context) -> str:
    parts = []
    unit = context.unit
    if context.outcome is not None:
        parts.append(f"{several(context.outcome.deals, unit)} with {_players(context.outcome)}")
    if context.match is not None:
        names = " against ".join(called(context.match.study.strategies))
        parts.append(f"{several(context.match.deals, unit)} of {names}, {_seated(context.match)}")
    text = f"Played for this page: {'; '.join(parts)}."
    if context.plan.cards:
        held = [f"{place}: {' '.join(cards)}" for place, cards in context.plan.cards]
        text += f" In all of them these cards were given: {'; '.join(held)}."
    for execution in (context.outcome, context.match):
        if execution is not None and execution.interrupted:
            text += f" The run was interrupted: {several(_wanted(execution), unit)} were wanted."
    return text


def _seated(match: MatchOutcome) -> str:
    if len(match.plan.ruleset.seats) == 2:
        return "each played twice with the seats exchanged"
    return f"each played in {len(match.study.seatings)} seatings"


def _wanted(execution: Execution) -> int:
    described: dict[str, int] = execution.describe()  # type: ignore[attr-defined]
    return described["deals"]


def _players(outcome: Outcome) -> str:
    plan = outcome.plan
    if len(set(plan.strategies)) == 1:
        return f"{without_folders(plan.strategies[0])} in every seat"
    return together(
        [f"{without_folders(name)} as {seat}" for seat, name in zip(plan.ruleset.seats, plan.strategies, strict=True)]
    )


def _scores_in_short(context: Context) -> list[str]:
    bullets = []
    points = context.of("points")
    if points:
        each = [f"{shown(row.estimate)} points to the {row.estimate.seat or 'table'}" for row in points]
        bullets.append(f"On average a {context.unit} brings {together(each)}.")
    won = [row for row in context.of("won") if row.estimate.seat]
    if won:
        each = [f"the {row.estimate.seat} {shown(row.estimate, row.kind)}" for row in won]
        bullets.append(f"Won {context.unit}s: {together(each)}.")
    return bullets


def _edges_in_short(context: Context, outcome: Outcome) -> list[str]:
    edges = _edges(context)
    clear = [edge for edge in edges if edge.clear]
    if clear:
        return [" ".join(_edge_sentence(outcome, edge) for edge in clear)]
    if not edges or len(set(outcome.plan.strategies)) > 1:
        return []
    first, second = context.ruleset.seats
    edge = edges[0]
    size = scaled(edge.estimate, 100.0 if edge.name == "won" else 1.0)
    unit = "percentage points of wins" if edge.name == "won" else f"{label(edge.name)} a {context.unit}"
    return [
        f"No clear advantage of the first player: {first} less {second} is {shown(size)} {unit} ({_unclear(size)})."
    ]


def _unclear(difference: Estimate) -> str:
    """Return the interval of a difference that is not called one, and why where it may look like one."""
    bounds = f"interval {interval(difference)}"
    if difference.ci_low > 0.0 or difference.ci_high < 0.0:
        bounds += "; not enough once all comparisons are allowed for"
    return bounds


def _sources_in_short(context: Context) -> list[str]:
    shares = _shares(context)
    if not shares:
        return []
    seat = context.ruleset.seats[0]
    best = [f"{name} ({shown(rows[0].estimate, 'share')})" for name, rows in shares[:3]]
    return [f"The largest sources of points of the {seat} were {together(best)}."]


# -- rules ---------------------------------------------------------------------------------------------------


def rules(context: Context) -> Section | None:
    """List the rules that can vary, those that were changed marked."""
    plan, ruleset = context.plan, context.ruleset
    values = plan.rules
    unit = ruleset.units[plan.unit]
    lines = []
    changed = []
    for rule in ruleset.rules:
        if len(rule.choices) == 1 or (not rule.choices and rule.low == rule.high):
            continue
        value = values[rule.name]
        doc = capital(rule.doc)
        if value != rule.default:
            by_unit = rule.name in unit and rule.name not in dict(plan.changes)
            why = f"so for single {plan.unit}s" if by_unit else "changed"
            doc = f"{doc} ({why}; the book has {_value(rule.default)})"
            if not by_unit:
                changed.append(f"{rule.name} = {_value(value)} in place of {_value(rule.default)}")
        lines.append((rule.name, _value(value), doc))
    text = [f"Rules after: {ruleset.source}."]
    if changed:
        text.append(f"Changed for this page: {together(changed)}.")
    headings = (Heading("rule", number=False), Heading("value"), Heading("what it says", number=False))
    table = Table("rules", "The rules in force that can be changed with --set rule=value", headings, tuple(lines))
    return Section("rules", "Rules in force", tuple(text), tables=(table,) if lines else ())


def _value(value: int | str) -> str:
    return value if isinstance(value, str) else grouped(str(value))


# -- the dealt hand ------------------------------------------------------------------------------------------


def dealt_hand(context: Context) -> Section | None:
    """Show what the dealt hand holds, counted and simulated."""
    if context.odds is None:
        return None
    text = list(context.odds.text)
    if context.plan.cards:
        text.append("This is about any hand as it is dealt, not about the cards given for this page.")
    return Section("hand", "What the dealt hand holds", tuple(text), tables=context.odds.tables)


# -- combinations --------------------------------------------------------------------------------------------


def melds(context: Context) -> Section | None:
    """Show how often each combination is scored, and when first."""
    outcome = context.outcome
    counted = [name for name in _in_section(context, "melds", "count") if not is_off(context.plan, name)]
    if outcome is None or not counted:
        return None
    worths = [_worth(context, name) for name in counted]
    lines, records = [], []
    for name, worth in zip(counted, worths, strict=True):
        means, rates = context.of(name), context.of(f"any_{name}")
        often = [shown(row.estimate, row.kind) for row in rates]
        if context.game.quantity(name).parts:
            often = ["" for _ in rates]  # a sum is hardly ever zero
        worth_of = [worth] if any(worths) else []
        lines.append((capital(label(name)), *worth_of, *(shown(row.estimate, row.kind) for row in means), *often))
        records += [row.as_record() for row in [*means, *rates]]
    seats, unit = context.ruleset.seats, context.unit
    table = Table(
        "melds",
        f"How often each combination is scored in a {unit}",
        (
            Heading("", number=False),
            *([Heading("worth")] if any(worths) else []),
            *(Heading(seat, title) for title in (f"times a {unit}", f"{unit}s with at least one") for seat in seats),
        ),
        tuple(lines),
        BY_ERROR,
        tuple(records),
    )
    tables = [table]
    pictures = [_picture("melds", outcome, "Dots are means, bars their 95 % intervals.", table)]
    firsts = [row for row in _timing(context) if row.estimate.seat]
    if firsts:
        names = {row.estimate.quantity: happening(row.estimate.quantity) for row in firsts}
        caption = f"When it first happens, in tricks, in the {unit}s in which it does at all"
        tables.append(by_seat("timing", caption, outcome, firsts, labels=names))
        caption = (
            "Dots are means with their 95 % intervals, mostly too short to be seen; the pale lines reach one "
            f"standard deviation to either side and show how much {unit}s differ."
        )
        pictures.append(_picture("timing", outcome, caption, tables[-1]))
    return Section(
        "melds",
        "How often each combination is scored",
        tuple(_melds_text(context, counted)),
        tables=tuple(tables),
        pictures=tuple(pictures),
    )


def _in_section(context: Context, section: str, kind: str) -> list[str]:
    """Return names of quantities with a value for each seat, sums of others last."""
    found = [
        quantity
        for quantity in context.game.quantities
        if quantity.section == section
        and quantity.kind == kind
        and (quantity.name, context.ruleset.seats[0]) in context.rows
    ]
    return [quantity.name for quantity in sorted(found, key=lambda quantity: bool(quantity.parts))]


def _timing(context: Context) -> list[Row]:
    return [row for row in context.rows.values() if row.section == "timing" and row.kind == "trick"]


def _worth(context: Context, name: str) -> str:
    """Return what a combination scores: the value of the rule of the same name."""
    words = label(name).split(" ")
    for rule in ("_".join(words), "_".join(word.removesuffix("s") for word in words)):
        value = context.plan.rules.get(rule)
        if isinstance(value, int):
            return grouped(str(value))
    return ""


def _melds_text(context: Context, counted: Sequence[str]) -> list[str]:
    seat, unit = context.ruleset.seats[0], context.unit
    single = [name for name in counted if not context.game.quantity(name).parts]
    rates = [context.rows[f"any_{name}", seat].estimate for name in single]
    seen = [(estimate, label(name)) for estimate, name in zip(rates, single, strict=True) if estimate.estimate > 0.0]
    text = []
    for name in counted:
        if context.game.quantity(name).parts:
            each = [f"{shown(row.estimate)} by the {row.estimate.seat}" for row in context.of(name)]
            text.append(f"{capital(context.game.quantity(name).doc)} in a {unit}: {together(each)}.")
    if seen:
        most, name = max(seen, key=lambda pair: pair[0].estimate)
        least, rarest = min(seen, key=lambda pair: pair[0].estimate)
        text.append(
            f"Of those of the {seat}, {name} came in most {unit}s: at least once in "
            f"{shown(most, 'rate')} of them. Fewest had {rarest}: {_one_in(least, unit)}."
        )
    never = [(estimate, label(name)) for estimate, name in zip(rates, single, strict=True) if estimate.estimate == 0.0]
    text += [
        f"The {seat} never scored {name} in {several(estimate.n, unit)}, so it happens in fewer than "
        f"{_upper(estimate)} of them ({context.percent} interval)."
        for estimate, name in never
    ]
    return text


def _one_in(rate: Estimate, unit: str) -> str:
    """Write a small rate as one in so many."""
    if rate.estimate > 0.02:
        return f"{shown(rate, 'rate')} of all {unit}s"
    few = _three_digits(1.0 / rate.ci_high)
    many = _three_digits(1.0 / rate.ci_low) if rate.ci_low > 0.0 else "∞"
    return f"about one {unit} in {_three_digits(1.0 / rate.estimate)} (interval: one in {few} to one in {many})"


def _three_digits(value: float) -> str:
    return grouped(f"{float(f'{value:.2g}'):.0f}") if value >= 100.0 else f"{value:.2g}"


def _upper(rate: Estimate) -> str:
    return f"{100.0 * rate.ci_high:.2g} %"


# -- points --------------------------------------------------------------------------------------------------


def sources(context: Context) -> Section | None:
    """Show where the points come from."""
    outcome = context.outcome
    shares = _shares(context)
    if outcome is None or not shares:
        return None
    seats = [row.estimate.seat for row in shares[0][1]]
    lines, records = [], []
    for name, rows in shares:
        parts = [context.rows[row.estimate.quantity.partition("/")[0], row.estimate.seat] for row in rows]
        means = [shown(row.estimate, row.kind) for row in parts]
        lines.append((capital(name), *means, *(shown(row.estimate, row.kind) for row in rows)))
        records += [row.as_record() for row in [*parts, *rows]]
    whole = shares[0][1][0].estimate.quantity.partition("/")[2]
    total = context.of(whole)
    lines.append((f"All {label(whole)}", *(shown(row.estimate, row.kind) for row in total), *("" for _ in seats)))
    records += [row.as_record() for row in total]
    table = Table(
        "sources",
        f"Points a {context.unit} by source, and each source's share of all points",
        (
            Heading("", number=False),
            *(Heading(seat or "", f"points a {context.unit}") for seat in seats),
            *(Heading(seat or "", "share") for seat in seats),
        ),
        tuple(lines),
        BY_ERROR,
        tuple(records),
    )
    best = [f"{name} ({shown(rows[0].estimate, 'share')})" for name, rows in shares[:3]]
    first_three = sum(rows[0].estimate.estimate for _, rows in shares[:3])
    text = (
        f"The largest sources of points of the {seats[0]} were {together(best)}, together about "
        f"{100.0 * first_three:.0f} %. A share is the mean of the source divided by the mean of all points.",
    )
    caption = "Bars are shares of all points, the thin lines their 95 % intervals."
    picture = _picture("sources", outcome, caption, table)
    return Section("sources", "Where the points come from", text, (), (table,), (picture,))


def _shares(context: Context) -> list[tuple[str, list[Row]]]:
    """Return the shares of each source by seat, the largest first."""
    made: dict[str, list[Row]] = {}
    for row in context.rows.values():
        if row.kind == "share":
            made.setdefault(label(row.estimate.quantity.partition("/")[0]), []).append(row)
    known = [(name, rows) for name, rows in made.items() if not math.isnan(rows[0].estimate.estimate)]
    return sorted(known, key=lambda pair: -pair[1][0].estimate.estimate)


# -- scores --------------------------------------------------------------------------------------------------


def scores(context: Context) -> Section | None:
    """Show how the scores are distributed."""
    outcome = context.outcome
    if outcome is None:
        return None
    names = [name for name in ("points", "winner_points", "loser_points") if context.of(name)]
    columns = [
        column
        for name in names
        for column in derived.columns_of(outcome, name)
        if column.quantity.bins
    ]  # fmt: skip
    if not columns:
        return None
    tally = outcome.tally
    heads, cells, records = [], [], []
    for column in columns:
        sums, histogram = tally.column(column.name), tally.histogram(column.name)
        row = context.rows[column.quantity.name, column.seat]
        assert histogram is not None
        line = [shown(row.estimate), plain(float(f"{derived.deviation(outcome, column.name):.4g}"))]
        records.append(row.as_record())
        for q in QUANTILES:
            name = f"{column.quantity.name} quantile {q:g}"
            made = derived.quantile(outcome, histogram, q, name, context.confidence)
            line.append(_quantile(made))
            seat = {} if column.seat is None else {"seat": column.seat, "strategy": row.estimate.strategy}
            records.append({**made.as_record(), **seat, "section": row.section, "kind": "quantile"})
        line += ["–" if value is None else plain(value) for value in (sums.least, sums.most)]
        heads.append(Heading(column.seat or label(column.quantity.name).removesuffix(" points")))
        cells.append(line)
    titles = [
        "mean",
        "standard deviation",
        *(_share_below(q) for q in QUANTILES),
        "lowest seen",
        "highest seen",
    ]
    width = columns[0].quantity.bin_width
    note = BY_ERROR + (
        f" Quantiles are read from a histogram with steps of {plain(width)}; in brackets the steps between "
        f"which they lie ({context.percent} interval)."
        if width > 1
        else f" In brackets the {context.percent} interval."
    )
    table = Table(
        "scores",
        f"Points in a {context.unit}",
        (Heading("", number=False), *heads),
        tuple((title, *line) for title, *line in zip(titles, *cells, strict=True)),
        note,
        tuple(records),
    )
    pictures = []
    if columns[0].quantity.name == "points":
        caption = f"The share of {context.unit}s in each step of the score; the bands are 95 % intervals."
        pictures.append(_picture("score_distribution", outcome, caption, table, "scores"))
    return Section("scores", "Distribution of scores", (), (), (table,), tuple(pictures))


def _share_below(q: float) -> str:
    return "median" if q == 0.5 else f"{100.0 * q:g} % at most"


def _quantile(made: Estimate) -> str:
    if math.isnan(made.estimate):
        if made.n and math.isinf(made.ci_high) and math.isfinite(made.ci_low):
            return f"above {plain(made.ci_low)}"
        if made.n and math.isinf(made.ci_low) and math.isfinite(made.ci_high):
            return f"below {plain(made.ci_high)}"
        return "–"
    return f"{plain(round(made.estimate))} ({plain(made.ci_low)} to {plain(made.ci_high)})"


# -- the first player ----------------------------------------------------------------------------------------


def first_player(context: Context) -> Section | None:
    """Compare the seats by the same deals."""
    outcome = context.outcome
    if outcome is None:
        return None
    seats = context.ruleset.seats
    edges = _edges(context)
    if not edges:
        return _seats_only(context)
    lines, records = [], []
    for edge in edges:
        percent = edge.name == "won"
        means = [row for row in context.of("points" if edge.name == "points" else edge.name) if row.estimate.seat]
        difference = scaled(edge.estimate, 100.0 if percent else 1.0)
        line = [
            f"{edge.doc}, percentage points" if percent else edge.doc,
            *(shown(row.estimate, row.kind) for row in means),
            shown(difference),
            interval(difference),
        ]
        record = edge.comparison.as_record()
        if outcome.precision is None:
            line.append(probability(edge.comparison.p_adjusted if edge.comparison.p_adjusted is not None else math.nan))
        else:
            record = edge.estimate.as_record()
        lines.append(tuple(line))
        records.append({**record, "seat": seats[0], "against": seats[1]})
    tested = [] if outcome.precision is not None else [Heading("p")]
    what = [context.game.payoff] if any(edge.name == context.game.payoff for edge in edges) else []
    note = BY_ERROR
    if what:
        note += f" For {label(what[0])} the difference is what the {seats[0]} gets and the {seats[1]} pays."
    if tested:
        note += (
            " p is the probability of a difference this large if there were none, adjusted for all lines by"
            " Holm's method."
        )
    table = Table(
        "first-player",
        f"{capital(seats[0])} (plays first) and {seats[1]} in the same {context.unit}s",
        (
            Heading("", number=False),
            *map(Heading, seats),
            Heading("difference"),
            Heading(f"{context.percent} interval"),
            *tested,
        ),
        tuple((capital(line[0]), *line[1:]) for line in lines),
        note,
        tuple(records),
    )
    text = [_edge_sentence(outcome, edge) for edge in edges]
    if len(set(outcome.plan.strategies)) > 1:
        text.append(
            f"The seats were played by different strategies ({_players(outcome)}), so this is not the "
            "advantage of the seat alone."
        )
    if context.unit == "game":
        text.append("The seats are those of the first deal.")
    pictures = []
    if derived.columns_of(outcome, "margin"):
        caption = (
            f"Above: who wins. Below: by how many points the {seats[0]} leads at the end (right) or the "
            f"{seats[1]} (left); thin lines are 95 % intervals."
        )
        pictures.append(_picture("margin", outcome, caption, table))
    same = len(set(outcome.plan.strategies)) == 1
    title = "Advantage of the first player" if same else "The seats compared"
    return Section("first-player", title, (" ".join(text),), tables=(table,), pictures=tuple(pictures))


def _edges(context: Context) -> list[Edge]:
    return [] if context.outcome is None else derived.edges_of_first(context.outcome, context.confidence)


def _edge_sentence(outcome: Outcome, edge: Edge) -> str:
    first, second = outcome.plan.ruleset.seats
    unit, estimate = outcome.plan.unit, edge.estimate
    ahead = estimate.estimate > 0.0
    size = scaled(estimate, 100.0 if edge.name == "won" else 1.0)
    amount = shown(size).removeprefix("−")
    if edge.name == "won":
        if edge.clear:
            often = "more" if ahead else "less"
            return f"The {first} wins {often} often than the {second}, by {amount} percentage points."
        return (
            f"Neither seat clearly wins more often: the difference is {shown(size)} percentage points "
            f"({_unclear(size)})."
        )
    if edge.name == "points":
        if edge.clear:
            more = "more" if ahead else "fewer"
            return f"The {first} scores {amount} points a {unit} {more} than the {second}."
        return (
            f"In points the seats cannot be told apart: {first} less {second} is {shown(size)} a {unit} "
            f"({_unclear(size)})."
        )
    what = label(edge.name)
    if edge.clear:
        return f"In {what} the {first} {'gains' if ahead else 'loses'} {amount} a {unit}."
    return f"In {what} neither seat clearly gains: the {first} gets {shown(size)} a {unit} ({_unclear(size)})."


def _seats_only(context: Context) -> Section | None:
    """Show the payoff of each seat where there are more than two of them."""
    outcome = context.outcome
    rows = [row for row in context.of(context.game.payoff) if row.estimate.seat]
    if outcome is None or len(rows) < 2:
        return None
    rows += [row for row in context.of("won") if row.estimate.seat and context.game.payoff != "won"]
    table = by_seat("first-player", f"The seats in the same {context.unit}s", outcome, rows)
    text = f"Seats in the order of play: {', '.join(context.ruleset.seats)}."
    return Section("first-player", "Advantage of the first player", (text,), (), (table,))


# -- strategies ----------------------------------------------------------------------------------------------


def strategies(context: Context) -> Section | None:
    """Compare strategies on the same deals."""
    match = context.match
    if match is None:
        return None
    study = match.study
    text = [
        f"The same {several(match.deals, context.unit)} for all, {_seated(match)}, so that each strategy has "
        "every seat equally often and the luck of the cards and of the seat cancels.",
        *_match_sentences(context, match),
    ]
    best = max((row.reduction for row in match.rows(context.confidence)), key=_known, default=math.nan)
    if 1.1 <= best < math.inf:
        text.append(
            f"Using the same cards again is worth {best:.2g} times as many {context.unit}s with cards of their own."
        )
    tables = tuple(match_tables(match, context.confidence))
    warnings = control_warnings(match, context.confidence)
    caption = "Dots are mean differences, bars their intervals; the line is no difference."
    picture = _picture("match", match, caption, tables[0] if len(study.pairs) > 1 else tables[-1])
    return Section(
        "strategies",
        "Strategies compared on the same deals" if context.unit == "deal" else "Strategies compared on the same cards",
        (" ".join(text[:1]), " ".join(text[1:]), *(f"Beware: {warning}." for warning in warnings)),
        tables=tables,
        pictures=(picture,),
        terms=tuple(_docs_of(context, study.strategies)),
    )


def _docs_of(context: Context, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return how those strategies play that come with the game, also as parts of a mixture."""
    from simcards.study.players import parse

    known = context.game.strategies
    used = dict.fromkeys(part.name for name in names for part in parse(name) if not part.file)
    return [(name, known[name].doc) for name in used]


def _known(value: float) -> float:
    return -1.0 if math.isnan(value) else value


def _match_sentences(context: Context, match: MatchOutcome) -> list[str]:
    payoff, unit = context.game.payoff, context.unit
    alpha = 1.0 - context.confidence
    pairs = versus_rows(match, context.confidence)
    made = []
    for (first, second), rows in pairs:
        row = next(row for row in rows if row.estimate.quantity == payoff)
        estimate = row.estimate
        if not match.looked:
            adjusted = row.comparison.p_adjusted
            clear = adjusted is not None and adjusted < alpha
        else:  # in a match until decided the intervals are those of all pairs already
            bounds = estimate
            if match.until_decided is None:
                strict = versus_rows(match, 1.0 - alpha / len(pairs))
                bounds = next(
                    other.estimate for pair, others in strict if pair == (first, second) for other in others
                    if other.estimate.quantity == payoff
                )  # fmt: skip
            clear = bounds.ci_low > 0.0 or bounds.ci_high < 0.0
        wins = next(other.estimate for other in rows if other.estimate.quantity == "won_games")
        what = label(payoff)
        if clear:
            means = [mean_of(mean, estimate) for mean in (row.first_mean, row.second_mean)]
            better, worse = (first, second) if estimate.estimate > 0.0 else (second, first)
            ours, theirs = means if better == first else means[::-1]
            made.append(
                f"{sentence(better)} does better than {worse}: {ours} against {theirs} in {what} a {unit}, "
                f"a difference of {shown(estimate).removeprefix('−')}; {first} wins {shown(wins, 'rate')} of "
                f"the {contests([unit])} between them."
            )
        else:
            made.append(
                f"{sentence(first)} and {second} cannot be told apart: the difference in {what} is "
                f"{shown(estimate)} a {unit} ({_unclear(estimate)})."
            )
    return made


# -- everything else -----------------------------------------------------------------------------------------


def endings(context: Context) -> Section | None:
    """Show rates and counts that have no section of their own, and the payoff where it is not the margin."""
    outcome = context.outcome
    if outcome is None:
        return None
    payoff = context.game.payoff
    rows = [
        row
        for (name, _), row in context.rows.items()
        if row.section in ("result", "path", "line", "play")
        and row.kind != "share"
        and name not in SHOWN_APART
        and not (name == payoff and derived.is_margin(outcome))
        and not (row.kind == "rate" and _always(row))
        and not (row.kind == "deals" and row.estimate.se == 0.0)
    ]
    seen = {row.estimate.quantity for row in rows}
    rows += [row for row in context.rows.values() if row.section == "timing" and row.estimate.seat is None]
    if not rows:
        return None
    tables = []
    if seated := [row for row in rows if row.estimate.seat]:
        tables.append(by_seat("endings", f"How a {context.unit} ends, and what else was counted", outcome, seated))
    if whole := [row for row in rows if not row.estimate.seat and row.estimate.n]:
        tables.append(
            Table(
                "endings-whole",
                f"The {context.unit} as a whole",
                (Heading("", number=False), Heading("mean or rate"), Heading(f"{context.percent} interval")),
                tuple(
                    (capital(row.doc), shown(row.estimate, row.kind), interval(row.estimate, row.kind)) for row in whole
                ),
                BY_ERROR,
                tuple(row.as_record() for row in whole),
            )
        )
    pictures = []
    columns = derived.columns_of(outcome, payoff)
    if payoff in seen and payoff != "points" and columns[0].quantity.bins and not derived.is_margin(outcome):
        figure = figures.score_distribution(outcome, payoff)
        caption = (
            f"{capital(label(payoff))}: {columns[0].quantity.doc}. The share of {context.unit}s in each "
            "step; the bands are 95 % intervals."
        )
        alt = f"Distribution of the {label(payoff)} of all seats. The means are in the table."
        pictures.append(Picture(payoff.replace("_", "-"), figure, caption, alt))
    return Section("endings", f"How a {context.unit} ends", (), (), tuple(tables), tuple(pictures))


def _always(row: Row) -> bool:
    """Whether a count is hardly ever zero, so that the rate says nothing."""
    return row.estimate.estimate > 0.999 or row.section == "play"


# -- how it was computed -------------------------------------------------------------------------------------


def method(context: Context) -> Section | None:
    """Say how the numbers were obtained and how to obtain them again."""
    from simcards.study.result import provenance

    plan, unit = context.plan, context.unit
    facts = [("game", plan.game)]
    executed = context.outcome or context.match
    if executed is not None:
        facts.insert(0, ("program", f"simcards {simcards.__version__}, sources {provenance(executed)['sources']}"))
    facts += [("one row is", f"a {unit}"), ("seed", str(plan.seed))]
    for name, execution in (("play", context.outcome), ("match", context.match)):
        if execution is not None:
            numbers = f"numbers 0 to {plain(execution.deals - 1)}" if execution.deals > 1 else "number 0"
            count = f"{several(execution.deals, unit)}, {numbers}"
            if execution.interrupted:
                count += f", interrupted ({plain(_wanted(execution))} wanted)"
            facts.append((name, count))
    if context.outcome is not None:
        facts += [
            (seat, without_folders(name))
            for seat, name in zip(plan.ruleset.seats, context.outcome.plan.strategies, strict=True)
        ]
    if context.match is not None:
        facts.append(("match of", together(called(context.match.study.strategies))))
    facts += [(f"given to {place}", " ".join(cards)) for place, cards in plan.cards]
    headings = (Heading("what", number=False), Heading("value", number=False))
    table = Table("facts", "What was computed", headings, tuple(facts))
    return Section(
        "method",
        "How it was computed",
        tuple(_method_text(context)),
        tables=(table,),
        commands=context.commands,
        terms=tuple(_terms(context)),
    )


def _method_text(context: Context) -> list[str]:
    unit, percent = context.unit, context.percent
    executions = [execution for execution in (context.outcome, context.match) if execution is not None]
    text = [
        f"Every {unit} has random numbers of its own, made from the seed and the number of the {unit}. So "
        "all numbers on this page come out the same on any machine and with any number of workers, and any "
        f"{unit} can be shown card by card with simcards replay. Time and machine are in provenance.json."
    ]
    looked = [execution for execution in executions if execution.precision is not None]
    if looked:
        text += [
            f"The number of {unit}s was not fixed beforehand: the run went on until "
            f"{execution.target or label(context.game.payoff)} was known to ± {execution.precision:g}"
            f"{'' if execution.precise else ', which was not reached'}. So the intervals are confidence "
            f"sequences, which all hold the true value with {percent} probability however often one looks."
            for execution in looked
        ]
    decided = [match for match in (context.match,) if match is not None and match.until_decided is not None]
    text += [
        f"The match went on until it was decided for every pair which strategy gets more "
        f"{label(context.game.payoff)}{'' if match.precise else ', or to the number of deals that was allowed'}. The "
        f"probability that anything is decided wrongly, for any pair at any look, is at most "
        f"{100.0 * (1.0 - (match.until_decided or 0.0)):.4g} %."
        for match in decided
    ]
    if len(looked) + len(decided) < len(executions):
        text.append(
            f"± is one standard error; intervals are made so that {percent} of them hold the true value. "
            f"Means have normal intervals (Student's up to 1,000 {unit}s), rates Wilson's, or Clopper and "
            "Pearson's where fewer than ten events were seen; shares are ratios of means with errors by the "
            "delta method."
        )
    text.append(
        f"Comparisons use the difference within each {unit}, so that what both sides share cancels. A "
        "difference is called one only where its probability by chance, adjusted for the number of "
        f"comparisons by Holm's method, is below {100.0 * (1.0 - context.confidence):g} %."
    )
    return text


def _terms(context: Context) -> list[tuple[str, str]]:
    ruleset, unit = context.ruleset, context.unit
    seats = ruleset.seats
    terms = [
        (
            together(seats),
            "the two sides of a session"
            if unit == "session"
            else f"the seats, in the order of play; the {seats[0]} plays first"
            + (" (pone is the old word for the dealer's opponent)" if seats[0] == "pone" else ""),
        ),
        (unit, _UNITS[unit]),
        (
            label(context.game.payoff),
            f"{context.game.quantity(context.game.payoff).doc}; what strategies are compared by",
        ),
        (
            "standard error",
            "how far the number would typically be off if the run were repeated with another seed",
        ),
        (
            f"{context.percent} interval",
            "a range made so that it holds the true value in that share of all such runs",
        ),
        ("share", "of all points those from one source, over all rows together"),
        (
            "paired difference",
            "the difference on the same cards, averaged; chance common to both sides cancels",
        ),
    ]
    if context.outcome is not None and context.match is None:
        terms += _docs_of(context, context.outcome.plan.strategies)
    return [*terms, *context.game.notes.items()]


def _picture(name: str, outcome: Outcome | MatchOutcome, caption: str, table: Table, file: str = "") -> Picture:
    figure = getattr(figures, name)(outcome)
    title = " ".join(figure.get_suptitle().split())
    alt = f"{title}. The numbers are in the table “{table.caption}”."
    return Picture((file or name).replace("_", "-"), figure, caption, alt)


SECTIONS: list[Maker] = [
    summary,
    rules,
    dealt_hand,
    melds,
    sources,
    scores,
    endings,
    first_player,
    strategies,
    method,
]
"""The sections of a page, in order; a new one is appended or inserted here."""
