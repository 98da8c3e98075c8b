"""The compiled games as the tests drive them: one object a game and rules, plain Python values out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numba
import numpy as np

from simcards.games.registry import load
from simcards.kernel.drive import FINISHED, replay, trace
from simcards.kernel.protocol import OPTIONS, actor, legal, phase
from simcards.kernel.rng import STREAM

RENAMED = {"low_loser": "low_loser_bonus"}  # rules which the kernel calls otherwise
DEAL = -1  # in recorded actions: cards were dealt here
LONGEST = 8192  # actions in one row, deals included


@numba.njit
def legal_of(states):
    return legal(states[0])


@numba.njit
def actor_of(states):
    return actor(states[0])


@numba.njit
def phase_of(states):
    return phase(states[0])


class Position(NamedTuple):
    """What a player is asked."""

    actor: int
    phase: str
    legal: set[int]


class Traced(NamedTuple):
    """One game played by the kernel's own policies."""

    seen: np.ndarray  # state before each action
    actions: list[int]  # DEAL where cards were dealt
    decks: list[list[int]]  # one for each DEAL, if the state keeps them
    row: dict[str, int | list[int]]


class Kernel:
    """A compiled game under given rules."""

    def __init__(self, game: str, rules: dict[str, int | str]) -> None:
        self.name = game
        self.game = load(game)
        changes = {RENAMED.get(rule, rule): value for rule, value in rules.items()}
        self.states, self.views = self.game.workspace(changes)
        self.rows = np.zeros(1, self.game.row)
        self.template = self.game.ruleset.pack_under(changes).deck()
        self.seen = np.zeros(LONGEST, self.game.state)
        self.actions = np.zeros(LONGEST, np.int64)

    def position(self, states: np.ndarray | None = None) -> Position:
        states = self.states if states is None else states
        mask = int(legal_of(states))
        actions = {action for action in range(64) if mask >> action & 1}
        return Position(int(actor_of(states)), self.game.phases[int(phase_of(states))], actions)

    def row(self) -> dict[str, int | list[int]]:
        return {name: self.rows[0][name].tolist() for name in self.game.row.names}

    def trace(self, strategy: str, seed: int, index: int) -> Traced:
        """Play one row by a strategy for all seats."""
        seats = self.game.ruleset.players
        player = self.game.strategies[strategy]
        options = np.zeros((seats, len(self.game.phases)), OPTIONS)
        options[:] = player.options({})
        fault = np.zeros(5, np.int64)
        ending, count = trace(
            np.uint64(seed),
            index,
            self.states,
            self.views,
            (player.policies,) * seats,
            options,
            self.template,
            np.empty(0, np.int16),
            len(self.template),
            self.rows,
            fault,
            self.seen,
            self.actions,
            np.zeros(seats + 1, STREAM),
        )
        assert not fault.any(), fault
        assert ending == FINISHED
        # The last state seen is the one in which the game is over; no action follows it.
        actions = self.actions[: count - 1].tolist()
        decks = [
            self.seen[k + 1]["deck"][: len(self.template)].tolist()
            for k, action in enumerate(actions)
            if action == DEAL and "deck" in self.game.state.names
        ]
        return Traced(self.seen[:count], actions, decks, self.row())

    def replay(self, decks: Sequence[Sequence[int]], actions: Sequence[int]) -> None:
        """Bring the kernel to the position after these actions (DEAL wherever cards are dealt)."""
        self.rows = np.zeros(1, self.game.row)
        done = replay(self.states, np.array(decks, np.uint8), np.array(actions, np.int64), self.rows)
        assert done == len(actions)


@cache
def _kernel(game: str, rules: tuple[tuple[str, int | str], ...]) -> Kernel:
    return Kernel(game, dict(rules))


def kernel(game: str, rules: dict[str, int | str]) -> Kernel:
    """The compiled game under these rules; the same object every time."""
    return _kernel(game, tuple(sorted(rules.items())))
