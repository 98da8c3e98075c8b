"""What the dealt hand of a game holds, exact values beside simulated ones, for its page."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import TYPE_CHECKING

from simcards.report.parts import Odds
from simcards.report.tables import BY_ERROR, NONE, Heading, Table, capital, grouped, plain, shown

if TYPE_CHECKING:
    from simcards.odds.result import OddsResult, OddsRow
    from simcards.study.engine import Progress


def dealt_odds(
    game: str,
    deals: int,
    seed: int,
    *,
    hand: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Odds | None:
    """Count and simulate the standard features of a game's dealt hand.

    Parameters
    ----------
    game : str
        Id of the rule set.
    deals, seed : int
        For the simulation.
    hand : int, optional
        Cards dealt to a player, where a rule says otherwise than usual.
    confidence : float
        Confidence level.
    workers, progress
        As for `simcards.study.engine.run`.

    Returns
    -------
    Odds or None
        None when the game has no such features.
    """
    from simcards.odds.api import dealt

    result = dealt(game, deals, seed, hand=hand, confidence=confidence, workers=workers, progress=progress)
    if not result.rows:
        return None
    tables = tuple(table for table in (_chances(result), _numbers(result)) if table.rows)
    return Odds(tables, tuple(_text(result)), result.provenance)


def _chances(result: OddsResult) -> Table:
    """Make the table of what is true of a hand or not."""
    from simcards.odds.written import one_in, percent

    rows = [row for row in result.rows if row.is_condition]
    lines = []
    for row in rows:
        value = row.value
        exact = NONE if value is None else percent(float(value))
        line = (capital(row.name), exact, one_in(row.one_in) or NONE, _simulated(row), _z(row.z), row.doc)
        lines.append(line)
    headings = (
        Heading("", number=False),
        Heading("exact"),
        Heading("odds"),
        Heading("simulated"),
        Heading("z"),
        Heading("what it is", number=False),
    )
    note = f"{BY_ERROR} z is by how many of them the simulated value differs from the exact one."
    records = tuple(record for row in rows for record in row.records())
    caption = f"Chance that a dealt hand of {result.deal.places[0].size} cards holds"
    return Table("hand", caption, headings, tuple(lines), note, records)


def _numbers(result: OddsResult) -> Table:
    """Make the table of what is counted in a hand."""
    rows = [row for row in result.rows if not row.is_condition]
    lines = []
    for row in rows:
        counted = row.exact
        exact = (NONE, NONE) if counted is None else (_digits(float(counted.mean)), _digits(counted.sd))
        lines.append((capital(row.name), *exact, _simulated(row), _z(row.z), row.doc))
    headings = (
        Heading("", number=False),
        Heading("exact mean"),
        Heading("standard deviation"),
        Heading("simulated mean"),
        Heading("z"),
        Heading("what it is", number=False),
    )
    records = tuple(record for row in rows for record in row.records())
    return Table("hand-means", "How many a dealt hand holds", headings, tuple(lines), BY_ERROR, records)


def _simulated(row: OddsRow) -> str:
    return NONE if row.estimate is None else shown(row.estimate, row.kind)


def _digits(value: float) -> str:
    return grouped(f"{value:.5g}")


def _z(value: float) -> str:
    if math.isnan(value):
        return NONE
    return grouped(f"{value:.2f}") if math.isfinite(value) else plain(value)


def _text(result: OddsResult) -> list[str]:
    known = [row for row in result.rows if not math.isnan(row.z)]
    counted = sum(row.exact is not None for row in result.rows)
    many = len(result.rows)
    how_many = f"all {many} values" if counted == many else f"{counted} of the {many} values"
    cards = f"A hand of {result.deal.places[0].size} of the {result.deal.pack.size} cards, as dealt"
    text = f"{cards}: {how_many} were counted exactly"
    text += f", and all were simulated in {plain(result.deals)} deals." if result.deals else "."
    if known:
        worst = max(known, key=lambda row: abs(row.z))
        usual = NormalDist().inv_cdf(0.5 + 0.5 ** (1.0 + 1.0 / len(known)))
        text += (
            f" The largest deviation is {abs(worst.z):.1f} standard errors ({worst.name}); among "
            f"{len(known)} independent values it would exceed {usual:.1f} half of the time."
        )
    return [text]
