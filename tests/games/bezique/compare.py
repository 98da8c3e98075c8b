"""A compiled game and a slow reference side by side: same actor, phase and legal actions at every step, same row."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np

from simcards.kernel.protocol import MISSING, apply, begin, deal, is_over, measure

from .kernel import DEAL, Kernel


@numba.njit
def begin_of(states):
    begin(states[0])


@numba.njit
def deal_of(states, deck):
    deal(states[0], deck)


@numba.njit
def apply_of(states, action):
    apply(states[0], action)


@numba.njit
def is_over_of(states):
    return is_over(states[0])


@numba.njit
def measure_of(states, rows):
    measure(states[0], rows[0])


class Pair:
    """One game in both."""

    def __init__(self, compiled: Kernel, reference: Any) -> None:
        self.compiled, self.reference = compiled, reference
        self.states = compiled.states.copy()
        begin_of(self.states)
        self.steps = 0

    def deal(self, deck: list[int]) -> None:
        assert self.reference.phase() == "deal"
        self.reference.feed(deck)
        deal_of(self.states, np.array(deck, np.uint8))

    def apply(self, *actions: int) -> None:
        for action in actions:
            self.check()
            self.reference.apply(action)
            apply_of(self.states, action)
            self.steps += 1

    def check(self) -> None:
        expected = (self.reference.actor(), self.reference.phase(), self.reference.legal())
        assert tuple(self.compiled.position(self.states)) == expected, f"step {self.steps}"

    def finish(self) -> dict[str, Any]:
        assert self.reference.over
        assert is_over_of(self.states)
        rows = np.zeros(1, self.compiled.game.row)
        measure_of(self.states, rows)
        ours = {name: rows[0][name].tolist() for name in self.compiled.game.row.names if not name.startswith("every_")}
        theirs = self.reference.row()
        assert {name: (ours[name], theirs.get(name)) for name in ours if ours[name] != theirs.get(name)} == {}
        assert set(theirs) == set(ours)
        return theirs


def compare_traced(compiled: Kernel, make_reference: Any, strategy: str, index: int) -> dict[str, Any]:
    """Compare one game that the kernel's strategy plays."""
    traced = compiled.trace(strategy, 7, index)
    pair = Pair(compiled, make_reference())
    decks = iter(traced.decks)
    for action in traced.actions:
        if action == DEAL:
            pair.deal(next(decks))
        else:
            pair.apply(action)
    return pair.finish()


def compare_random(
    compiled: Kernel, reference: Any, seed: int, weights: Any, early: Any = lambda card: False
) -> dict[str, Any]:
    """Compare one game of random actions with ``weights(phase, action)``; cards that are `early` are dealt soon."""
    rng = random.Random(seed)
    pair = Pair(compiled, reference)
    pack = [int(card) for card in compiled.template]
    while not reference.over:
        if reference.phase() == "deal":
            pair.deal(sorted(pack, key=lambda card: rng.random() - 0.6 * early(card)))
            continue
        actions = sorted(reference.legal())
        chances = [weights(reference.phase(), action) for action in actions]
        pair.apply(rng.choices(actions, chances)[0])
    return pair.finish()


def stacked(first: list[int], pack: list[int]) -> list[int]:
    """A dealing order that begins with the given cards."""
    rest = list(pack)
    for card in first:
        rest.remove(card)
    return first + rest


__all__ = ["MISSING", "Pair", "compare_random", "compare_traced", "stacked"]
