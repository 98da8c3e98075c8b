"""Decisions that are made by several actions, such as all cards of a discard: every way to make one, sifted.

There may be thousands of ways. All of them are looked at in a few worlds, the better quarter in more, and so on until
few are left; each round sees all worlds so far. Advice then judges those few in worlds of their own, so that being
lucky while they were sifted makes none of them look better than it is.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError

if TYPE_CHECKING:
    from simcards.study.advise import Question
    from simcards.study.engine import Crew

BEST = 10
"""How many ways are judged if not told otherwise."""

MOST_WORLDS = 10**9  # of the advice itself; those of the sifting come behind them
MOST_WAYS = 50_000
_MOST_STEPS = 33
_FIRST_WORLDS = 16  # worlds in which all ways are looked at
_FEWER = 4  # of so many ways one stays, and the worlds become as many times more


def ways(question: Question, states: NDArray[Any]) -> Question:
    """Return a decision with all ways to make it, where it takes several actions.

    Parameters
    ----------
    question : Question
        The decision.
    states : ndarray of STATE, shape (1,)
        A position that agrees with it.

    Returns
    -------
    Question
        The same where its phase knows only single actions.
    """
    from simcards.kernel import search

    game = question.plan.load()
    words = game.joint.get(question.phase)
    if words is None:
        return question
    found = np.empty((MOST_WAYS, _MOST_STEPS), np.int64)
    count = int(search.sequences(states, np.zeros(_MOST_STEPS + 1, game.state), found))
    if count < 0:
        raise UsageError(f"there are more than {MOST_WAYS:,} ways to make this decision")
    rows = tuple(tuple(int(action) for action in row if action >= 0) for row in found[:count])
    return replace(question, sequences=rows, words=tuple(words(states[0], row) for row in rows), ways=count)


def as_table(question: Question) -> NDArray[np.int64]:
    """Return the sequences of a decision, one a row, -1 behind its end."""
    table = np.full((len(question.sequences), max(map(len, question.sequences))), -1, np.int64)
    for row, actions in zip(table, question.sequences):
        row[: len(actions)] = actions
    return table


@dataclass(frozen=True)
class Trial:
    """The work for the engine's workers: some ways in some worlds."""

    question: Question
    seed: int
    tried: NDArray[np.int64] = field(repr=False)

    def __call__(self, low: int, high: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the worth of each way in the worlds ``low`` to ``high - 1``, and which of them ``basic`` takes."""
        from simcards.kernel import search
        from simcards.kernel.protocol import OPTIONS

        views = self.question.views(self.seed, low, high)
        values, usual = np.empty((high - low, len(self.tried))), np.empty(high - low, np.int64)
        if high > low:
            options = np.zeros(1, OPTIONS)
            search.advise_sequences(
                views, np.uint64(self.seed), low, self.question.part, options, self.tried, values, usual
            )
        return values, usual


def sift(question: Question, seed: int, best: int, crew: Crew) -> Question:
    """Return a decision with the most promising ways only, and what ``basic`` would do.

    Parameters
    ----------
    question : Question
        The decision with all ways to make it.
    seed : int
        Where the worlds come from; they are not those that advice is taken from.
    best : int
        How many ways stay, besides those that ``basic`` takes.
    crew : Crew
        Who does the work.

    Returns
    -------
    Question
    """
    table = as_table(question)
    rest = np.arange(len(table))
    totals = np.zeros(len(table))
    usuals = np.empty(0, np.int64)
    done, goal = MOST_WORLDS, MOST_WORLDS + _FIRST_WORLDS
    while len(rest) > best:
        trial = Trial(question, seed, table[rest])
        rows, found = [], []
        with contextlib.closing(crew.results(trial, done, goal, lambda upto: None)) as parts:
            for _, (values, usual) in parts:
                rows.append(values)
                found.append(usual)
        if not len(usuals):
            usuals = np.unique(np.concatenate(found))
        totals[rest] += np.concatenate(rows).sum(axis=0)
        kept = max(best, math.ceil(len(rest) / _FEWER))
        rest = rest[np.argsort(-totals[rest], kind="stable")[:kept]]
        done, goal = goal, MOST_WORLDS + (goal - MOST_WORLDS) * _FEWER
    chosen = [int(place) for place in rest]
    chosen += [int(place) for place in usuals if place >= 0 and place not in rest]
    return replace(
        question,
        sequences=tuple(question.sequences[place] for place in chosen),
        words=tuple(question.words[place] for place in chosen),
    )
