"""What a sweep returns: a table of its settings, a plot, files."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simcards.errors import UsageError
from simcards.results import MatchResult, _headline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simcards.report.tables import Table
    from simcards.stats import Comparison
    from simcards.study.match import Versus
    from simcards.study.plan import Plan
    from simcards.study.sweep import Choice, SweepOutcome


@dataclass(frozen=True, repr=False)
class SweepResult(MatchResult):
    """How a strategy fared with each setting of its parameters, on the same deals against the same opponent.

    Attributes
    ----------
    outcome : simcards.study.sweep.SweepOutcome
        The exact sums.
    confidence : float
        Confidence level of the intervals.
    quantities : tuple of str
        What is shown; the first is plotted.
    """

    outcome: SweepOutcome
    quantities: tuple[str, ...] = ()

    _file = "settings"

    def __post_init__(self) -> None:
        from simcards.study.sweep import check_quantity

        for name in self.quantities:
            check_quantity(self.outcome.study, name)

    @property
    def choice(self) -> Choice | None:
        """How the best setting was looked for, if it was."""
        return self.outcome.choice

    @property
    def best(self) -> str | None:
        """The strategy with the best setting, if that was looked for and found."""
        choice = self.choice
        return None if choice is None or choice.best is None else self.outcome.study.grid.strategies[choice.best]

    @property
    def confirmed(self) -> Comparison | None:
        """The difference between the best setting and that of reference on fresh deals; None where there is none."""
        choice, made = self.choice, self._confirmation
        if choice is None or made is None or len(made.study.grid.settings) < 2:
            return None
        return made.less(choice.quantity, self.confidence)[1]

    @property
    def plan(self) -> Plan:
        """What was played, with the deals of the confirmation; its strategies are those of the first seating."""
        plan = super().plan
        return plan if self.choice is None else replace(plan, deals=self.outcome.study.plan.deals + self.choice.confirm)

    @property
    def deals(self) -> int:
        """How many deals were done, those of the confirmation among them."""
        return self.outcome.deals + (self._confirmation.deals if self._confirmation is not None else 0)

    @property
    def interrupted(self) -> bool:
        """Whether the run was interrupted before all deals wanted were done."""
        choice = self.choice
        return self.outcome.interrupted or (
            choice is not None and choice.confirmation is not None and choice.confirmation.interrupted
        )

    @functools.cached_property
    def rows(self) -> list[Versus]:
        """The comparisons with the opponent, a setting after the other."""
        return [row for name in self._shown for row in self.outcome.against(name, self.confidence)]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records.

        First those against the opponent (section ``"against"``), then the differences to the setting of reference
        (``"less"``), then what was confirmed on fresh deals (``"confirmed"`` and ``"confirmed less"``).
        """
        made = self._records(self.outcome, "")
        if self._confirmation is not None:
            made += self._records(self._confirmation, "confirmed")
        return made

    def headline(self) -> list[str]:
        """Return in a few lines what was played."""
        outcome, study = self.outcome, self.outcome.study
        grid, choice = study.grid, self.choice
        many = len(grid.settings)
        who = f"{many} settings of {' and '.join(grid.parameters)} against {study.rival}"
        lines = _headline(outcome, who)
        lines.append(f"every setting plays each {self._unit} {len(study.seatings)} times, with the seats exchanged")
        if choice is not None and choice.best is not None:
            lines.append(f"best: {grid.strategies[choice.best]}")
        return lines

    def tables(self, everything: bool = False) -> list[Table]:
        """Return a table of the settings for each quantity, and what was confirmed."""
        tables = [self._settings(name) for name in self._shown]
        made = self._confirmation
        if made is not None:
            tables.append(self._confirmed(made))
        return tables

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how to read the tables."""
        from simcards.report.tables import BY_ERROR, several

        said = [BY_ERROR]
        grid, choice = self.outcome.study.grid, self.choice
        if not grid.default and len(grid.settings) > 1:
            said.append("The default setting is not among the values, so the first is what others are compared with.")
        if choice is None:
            return said
        made = self._confirmation
        if choice.best is None:
            said.append("Interrupted before the best setting was found.")
        elif made is None:
            said.append("Interrupted before it was confirmed; what it was chosen on is too good on average.")
        elif choice.best == grid.reference:
            said.append("No setting was found that is better than the one others are compared with.")
        else:
            said.append(
                f"What a setting was chosen on is too good on average, since it was the luckiest of "
                f"{len(grid.settings)} as well; what is confirmed is not."
            )
        if made is not None:
            said.append(f"Confirmed on {several(made.deals, self._unit)} of their own, those of seed {made.plan.seed}.")
        return said

    def plot(self) -> Figure:
        """Draw the first quantity over the values of the parameter, or as a map for two parameters."""
        from simcards.report import figures

        if not self.outcome.deals:
            raise UsageError("there is nothing to plot: no deal was done")
        return figures.sweep(self.outcome, self._shown[0], self.confidence)

    @property
    def _shown(self) -> tuple[str, ...]:
        return self.quantities or (self.outcome.study.game.payoff,)

    @property
    def _unit(self) -> str:
        return self.outcome.plan.unit

    @property
    def _confirmation(self) -> SweepOutcome | None:
        """What was confirmed; None where no deal was played for it."""
        made = None if self.choice is None else self.choice.confirmation
        return made if made is not None and made.deals else None

    def _records(self, outcome: SweepOutcome, before: str) -> list[dict[str, Any]]:
        grid = outcome.study.grid
        searched = self.choice is not None and not before  # probabilities of what was chosen by luck mean nothing
        made = []
        for name in self._shown:
            rows = outcome.against(name, self.confidence)
            for setting, row in zip(grid.settings, rows, strict=True):
                made.append(
                    row.as_record() | {"section": f"{before} against".strip()} | _told(grid.parameters, setting)
                )
            compared = outcome.less(name, self.confidence)
            for place, (setting, comparison) in enumerate(zip(grid.settings, compared, strict=True)):
                if place == grid.reference:
                    continue
                record: dict[str, Any] = comparison.as_record() | {"against": grid.strategies[grid.reference]}
                record |= {"section": f"{before} less".strip(), "kind": rows[place].kind}
                made.append(record | _told(grid.parameters, setting))
        if searched:
            for record in made:
                for name in ("z", "p_value", "p_adjusted"):
                    record.pop(name, None)
        return made

    def _settings(self, name: str) -> Table:
        from simcards.report.tables import NONE, Heading, Table, interval, plain, probability, shown

        outcome, grid = self.outcome, self.outcome.study.grid
        versus, less = outcome.against(name, self.confidence), outcome.less(name, self.confidence)
        searched, looked = self.choice is not None, outcome.precision is not None
        heads = [Heading("", number=False)]
        if searched:
            heads.append(Heading(f"{self._unit}s"))
        heads.append(Heading(f"against {outcome.study.rival}"))
        if not searched:
            heads.append(Heading(f"{100.0 * self.confidence:g} % interval"))
        several = len(grid.settings) > 1
        if several:
            heads.append(Heading(f"less {grid.label(grid.reference)}"))
        tested = several and not searched and not looked
        if tested:
            heads.append(Heading("p (Holm)" if len(grid.settings) > 2 else "p"))
        lines = []
        for place, (row, comparison) in enumerate(zip(versus, less, strict=True)):
            label = grid.label(place)
            if place == grid.reference and several:
                label += " (default)" if grid.default else " (first)"
            cells = [label]
            if searched:
                cells.append(plain(row.estimate.n))
            cells.append(shown(row.estimate, row.kind))
            if not searched:
                cells.append(interval(row.estimate, row.kind))
            compared = place != grid.reference
            if several:
                cells.append(shown(comparison.difference, row.kind) if compared else NONE)
            if tested:
                p = comparison.p_value if comparison.p_adjusted is None else comparison.p_adjusted
                cells.append(probability(p) if compared else NONE)
            lines.append(tuple(cells))
        return Table(name, f"{name} a {self._unit}", tuple(heads), tuple(lines))

    def _confirmed(self, made: SweepOutcome) -> Table:
        from simcards.report.tables import Heading, Table, interval, probability, shown

        choice, grid = self.choice, self.outcome.study.grid
        assert choice is not None
        assert choice.best is not None
        name, rival = choice.quantity, made.study.rival
        chosen, kind = self.outcome.against(name)[choice.best].estimate, made.against(name)[-1].kind
        fresh = made.against(name, self.confidence)[-1]
        lines = [
            (
                f"against {rival}",
                shown(chosen, kind),
                shown(fresh.estimate, kind),
                interval(fresh.estimate, kind),
                probability(fresh.comparison.p_value),
            )
        ]
        if choice.best != grid.reference:
            before = self.outcome.less(name)[choice.best].difference
            after = made.less(name, self.confidence)[1]
            lines.insert(
                0,
                (
                    f"less {grid.label(grid.reference)}",
                    shown(before, kind),
                    shown(after.difference, kind),
                    interval(after.difference, kind),
                    probability(after.p_value),
                ),
            )
        texts = ("chosen on", "confirmed", f"{100.0 * self.confidence:g} % interval", "p")
        heads = (Heading("", number=False), *map(Heading, texts))
        return Table("confirmed", grid.label(choice.best), heads, tuple(lines))


def _told(parameters: tuple[str, ...], setting: tuple[float, ...]) -> dict[str, float]:
    """Return the values of the parameters as columns, whole numbers as such."""
    return {
        f"parameter_{name}": int(value) if value == int(value) else value
        for name, value in zip(parameters, setting, strict=True)
    }
