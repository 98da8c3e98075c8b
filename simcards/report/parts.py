"""What a page is made of: a context with the results, and sections with text, tables and pictures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from simcards.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simcards.games.game import Game
    from simcards.games.ruleset import RuleSet
    from simcards.study.engine import Outcome
    from simcards.study.match import MatchOutcome
    from simcards.study.plan import Plan
    from simcards.study.result import Row


@dataclass(frozen=True)
class Picture:
    """A figure with the words that belong to it.

    Attributes
    ----------
    name : str
        Name of its file.
    figure : matplotlib.figure.Figure
        The figure.
    caption : str
        How to read it.
    alt : str
        What it shows, for those who do not see it.
    """

    name: str
    figure: Figure
    caption: str
    alt: str


@dataclass(frozen=True)
class Section:
    """A part of a page under one heading; all texts are plain.

    Attributes
    ----------
    key : str
        Its name in links.
    title : str
        The heading.
    text : tuple of str
        Paragraphs.
    bullets : tuple of str
        Short statements.
    tables : tuple of Table
        Tables.
    pictures : tuple of Picture
        Pictures.
    commands : tuple of str
        Lines to be typed.
    terms : tuple of pair of str
        Words and what they mean.
    """

    key: str
    title: str
    text: tuple[str, ...] = ()
    bullets: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    commands: tuple[str, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()


class Head(Protocol):
    """What stands above the sections of a page."""

    @property
    def title(self) -> str:
        """The title."""
        ...

    @property
    def lead(self) -> str:
        """A sentence below it."""
        ...


@dataclass(frozen=True)
class Odds:
    """What the dealt hand holds.

    Attributes
    ----------
    tables : tuple of Table
        Exact values beside simulated ones.
    text : tuple of str
        What they say.
    about : dict
        How they were obtained, for the provenance.
    """

    tables: tuple[Table, ...]
    text: tuple[str, ...] = ()
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Context:
    """The results that a page is about.

    Attributes
    ----------
    title : str
        Title of the page.
    plan : Plan
        What was played; of a match that of its first seating.
    outcome : Outcome, optional
        What happened with a strategy in every seat.
    match : MatchOutcome, optional
        Strategies against each other.
    odds : Odds, optional
        What the dealt hand holds.
    text : tuple of str
        Paragraphs that the person who asked for the page wants on it.
    commands : tuple of str
        What to type for the same page.
    about : dict
        What else the provenance is to say.
    confidence : float
        Confidence level of all intervals.
    """

    title: str
    plan: Plan
    outcome: Outcome | None = None
    match: MatchOutcome | None = None
    odds: Odds | None = None
    text: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    about: dict[str, Any] = field(default_factory=dict)
    confidence: float = 0.95

    @property
    def ruleset(self) -> RuleSet:
        """The rules."""
        return self.plan.ruleset

    @property
    def lead(self) -> str:
        """What stands below the title."""
        return self.ruleset.summary

    @property
    def game(self) -> Game:
        """The game."""
        return self.plan.load()

    @property
    def unit(self) -> str:
        """What one row is."""
        return self.plan.unit

    @property
    def percent(self) -> str:
        """The confidence level in words."""
        return f"{100.0 * self.confidence:g} %"

    @functools.cached_property
    def rows(self) -> dict[tuple[str, str | None], Row]:
        """The estimates by quantity and seat; none without an outcome."""
        if self.outcome is None:
            return {}
        from simcards.study.result import estimates

        made = estimates(self.outcome, self.confidence)
        return {(row.estimate.quantity, row.estimate.seat): row for row in made if row.group is None}

    def of(self, quantity: str) -> list[Row]:
        """Return the estimates of a quantity, one a seat or one for the table.

        Parameters
        ----------
        quantity : str
            Name of the quantity.

        Returns
        -------
        list of Row
            None when the game does not measure it.
        """
        return [row for (name, _), row in self.rows.items() if name == quantity]


Maker = Callable[[Context], "Section | None"]
