"""One deal of a study again, decision by decision, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.study import aside
from simcards.study.plan import MOST_DEALS, Plan, whole_number
from simcards.study.table import PlayError, matrix, table

_LINE = 100
_FAILED = -2  # in place of an action: the decision failed
_ROOM = 1024  # positions there is room for at first


@dataclass(frozen=True)
class Step:
    """One decision.

    Attributes
    ----------
    seat, strategy, phase : str
        Who decided, how, and on what.
    legal : tuple of str
        What could be done, in words.
    action : str
        What was done.
    code : int
        The action as the game knows it.
    deal : int
        In which deal of the game, from 0.
    """

    seat: str
    strategy: str
    phase: str
    legal: tuple[str, ...]
    action: str
    code: int
    deal: int


@dataclass(frozen=True)
class Dealt:
    """The cards of one deal.

    Attributes
    ----------
    cards : mapping
        Text of the cards in each place of the deal, in the order of dealing.
    text : str
        The position after dealing, in the words of the game.
    first : int
        The first step of this deal.
    """

    cards: Mapping[str, tuple[str, ...]]
    text: str
    first: int


@dataclass(frozen=True)
class Replay:
    """A deal (or a whole game) of a study.

    Attributes
    ----------
    plan : Plan
        The study.
    deal : int
        Index of the row.
    dealt : tuple of Dealt
        The cards; several deals where a row is a game of many.
    steps : tuple of Step
        Every decision.
    end : str
        The last position in the words of the game.
    row : mapping
        The row's values by column; None where there is no value.
    states : ndarray of STATE
        The position before each step, and the last one.
    decks : ndarray of uint8, shape (deals, cards)
        The dealing orders, as codes.
    actions : ndarray of int64
        The actions as `simcards.kernel.drive.replay` takes them, -1 where cards are dealt.
    """

    plan: Plan
    deal: int
    dealt: tuple[Dealt, ...]
    steps: tuple[Step, ...]
    end: str
    row: Mapping[str, int | None]
    states: NDArray[Any] = field(repr=False, compare=False)
    decks: NDArray[np.uint8] = field(repr=False, compare=False)
    actions: NDArray[np.int64] = field(repr=False, compare=False)

    def __str__(self) -> str:
        plan = self.plan
        players = ", ".join(f"{seat} {name}" for seat, name in zip(plan.ruleset.seats, plan.strategies, strict=True))
        lines = [f"{plan.ruleset.title}, seed {plan.seed}, {plan.unit} {self.deal}: {players}"]
        starts = {dealt.first: (number, dealt) for number, dealt in enumerate(self.dealt)}
        place, seat, phase, action = (
            max((len(text) for text in texts), default=0)
            for texts in (
                [str(len(self.steps))],
                [step.seat for step in self.steps],
                [step.phase for step in self.steps],
                [step.action for step in self.steps],
            )
        )
        for number, step in enumerate(self.steps):
            if number in starts:
                lines += self._opening(*starts[number])
            line = f"{number + 1:{place}}  {step.seat:{seat}}  {step.phase:{phase}}  {step.action:{action}}  "
            lines.append(_wrapped(line, _others(step)) if len(step.legal) > 1 else line.rstrip())
        lines += ["", *self.end.splitlines(), "", *self._values()]
        return "\n".join(lines)

    def _opening(self, number: int, dealt: Dealt) -> list[str]:
        lines = [""] if len(self.dealt) == 1 else ["", f"deal {number + 1}"]
        return [*lines, *dealt.text.splitlines(), ""]

    def _values(self) -> list[str]:
        """Return the row as tables, a line a quantity, a column a seat, without those that are all 0."""
        seats = self.plan.ruleset.seats
        shared: list[tuple[str, str]] = []
        seated: dict[str, list[str]] = {}
        for column in self.plan.load().columns:
            value = self.row[column.name]
            text = "-" if value is None else str(value)
            if column.seat is not None:
                seated.setdefault(column.quantity.name, []).append(text)
            elif value:
                shared.append((column.name, text))
        seated = {name: texts for name, texts in seated.items() if set(texts) - {"0", "-"}}
        lines = [("", *seats), *((name, *texts) for name, texts in seated.items())] if seated else []
        return [*_aligned(lines), *([""] if lines and shared else []), *_aligned(shared)]


def _others(step: Step) -> list[str]:
    """Return what else was legal, without the word that it has in common with what was done."""
    word = step.action.partition(" ")[0] + " "
    return [text.removeprefix(word) for text in step.legal if text != step.action]


def _wrapped(start: str, items: list[str]) -> str:
    """Write alternatives behind the start of a line, and below each other where there are many."""
    lines, indent = [f"{start}or {items[0]}"], " " * (len(start) + 3)
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 3 > max(_LINE, len(indent) + 30):
            lines[-1] += ","
            lines.append(indent + item)
        else:
            lines[-1] += f", {item}"
    return "\n".join(lines)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Write rows as a table: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def replay(plan: Plan, deal: int) -> Replay:
    """Play one deal of a study again and tell what happened.

    Parameters
    ----------
    plan : Plan
        The study; the deal need not be among its ``plan.deals``.
    deal : int
        Index of the deal.

    Returns
    -------
    Replay
        `str` gives it as text.

    Raises
    ------
    UsageError
        When the index is out of bounds.
    PlayError
        When the game or a strategy is at fault; its ``replay`` is what happened up to there, and its last step
        the decision that failed.
    """
    from simcards.kernel import drive

    deal = whole_number("the deal", deal, 0, MOST_DEALS)
    at = table(plan)
    rows, fault = at.rows(1), np.zeros(5, np.int64)
    ending, states, actions, _, _ = aside.call(at.trace, deal, _ROOM, fault, rows)
    if ending == drive.FINISHED:
        return _told(plan, deal, states, actions, matrix(rows)[0])
    fault[drive.FAULT_GAME] = deal
    error = PlayError(at.complaint(ending, fault))
    if ending == drive.ILLEGAL:
        error.replay = _told(plan, deal, np.append(states, states[-1:]), np.append(actions[:-1], [_FAILED, -1]), None)
    raise error


def _told(
    plan: Plan, deal: int, states: NDArray[Any], actions: NDArray[np.int64], row: NDArray[np.int32] | None
) -> Replay:
    """Put a game into words, from its positions and what was done in each; without a row where it did not end."""
    from simcards.kernel import drive
    from simcards.kernel.protocol import DEALER, MISSING
    from simcards.study import kernels

    at = table(plan)
    game, seats, pack = at.game, plan.ruleset.seats, plan.pack
    actors, phases, masks = (
        np.full(len(states), DEALER),
        np.zeros(len(states), int),
        np.zeros(len(states), np.uint64),
    )
    drive.look(states, actors, phases, masks)
    dealings = np.flatnonzero(actors[:-1] == DEALER)
    decks = np.zeros((len(dealings), pack.size), np.uint8)
    kernels.deal_again(np.uint64(plan.seed), deal, at.template, at.dealt, at.fixed, decks)

    places = game.places(game.encoded(plan.overrides))
    dealt: list[Dealt] = []
    steps: list[Step] = []
    for k in range(len(states) - 1):
        if actors[k] == DEALER:
            deck = decks[len(dealt)]
            cards = {name: tuple(pack.text(deck[place]) for place in where) for name, where in places.items()}
            dealt.append(Dealt(cards, game.state_text(states[k + 1]), len(steps)))
            continue
        mask, code, seat = int(masks[k]), int(actions[k]), int(actors[k])
        legal = tuple(game.action_text(states[k], action) for action in range(64) if mask >> action & 1)
        text = "failed" if code == _FAILED else game.action_text(states[k], code)
        phase = game.phases[int(phases[k])]
        steps.append(Step(seats[seat], plan.strategies[seat], phase, legal, text, code, len(dealt) - 1))
    ends = np.full(len(game.columns), MISSING) if row is None else row
    values = {
        column.name: None if value == MISSING else int(value) for column, value in zip(game.columns, ends, strict=True)
    }
    played = np.append(np.flatnonzero(actors[:-1] != DEALER), len(states) - 1)
    return Replay(
        plan,
        deal,
        tuple(dealt),
        tuple(steps),
        game.state_text(states[-1]),
        values,
        states[played],
        decks,
        actions[:-1],
    )
