"""Open-card play against plain minimax over the game's own moves and worth."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from simcards.games.registry import load
from simcards.kernel import protocol, solver

from ...contract import compiled
from ..bezique.kernel import kernel

PLAYING = 3


@numba.njit
def play_open(states, room):
    return protocol.play_open(states[0], room)


@numba.njit
def worths(states, values):
    for player in range(values.shape[0]):
        values[player] = protocol.worth(states[0], player)


def value(states, players):
    """Return what every player gets when each plays what is best for him, of equal actions the last one."""
    common = states[0]["common"]
    if int(common["stage"]) != PLAYING:
        values = np.zeros(players)
        worths(states, values)
        return values
    mask = np.zeros(1, np.uint64)
    compiled.masks(states, mask)
    mover = int(common["turn"])
    best = None
    for action in reversed([action for action in range(64) if int(mask[0]) >> action & 1]):
        after = states.copy()
        compiled.apply(after, action)
        found = value(after, players)
        if best is None or found[mover] > best[mover]:
            best = found
    return best


def endings(game, rules, most, seed, deals):
    """Return positions in which suit must be followed and each holds few cards, from random deals."""
    driver = kernel(game, rules)
    found = []
    for index in range(deals):
        trace = driver.trace("random", seed, index)
        for state in trace.seen:
            common = state["common"]
            if int(common["stage"]) != PLAYING or (int(common["stock"]) and int(common["closer"]) < 0):
                continue
            if max(int(hand).bit_count() for hand in state["hand"]) == most:
                found.append(state.copy())
                break
    return found


CASES = [
    ("sixty-six", {"target": 0}, 3, 220),
    ("sixty-six", {"target": 5, "marriage_counts": "with_trick", "last_trick": 10}, 3, 60),
    ("sixty-six", {"target": 0, "closing": "no", "head": "yes", "overruff": "yes", "exactly_half": "double"}, 3, 60),
    ("sixty-six-swabian", {"target": 0, "closing": "no", "goal": 200}, 3, 60),
    ("sixty-six-swabian", {"target": 0, "goal": 60, "remarry": "one_new", "marriage_counts": "with_trick"}, 3, 60),
    ("sixty-six-three-handed", {"target": 0}, 2, 60),
    ("sixty-six-swabian-four-handed", {"target": 0}, 2, 25),
]


@pytest.mark.parametrize(("game", "rules", "most", "deals"), CASES)
def test_open_play_is_minimax(game, rules, most, deals):
    players = load(game).ruleset.players
    room = solver.workspace(10)
    tried = set()
    positions = endings(game, rules, most, 5, deals)
    assert len(positions) > 10
    for position in positions:
        states = np.array([position])
        wanted = value(states.copy(), players)
        assert play_open(states, room)
        assert int(states[0]["common"]["stage"]) != PLAYING
        got = np.zeros(players)
        worths(states, got)
        assert got.tolist() == wanted.tolist()
        tried.add(tuple(wanted))
    assert len(tried) > 1, "the endings are not all alike"


def test_nothing_is_played_while_cards_are_drawn():
    driver = kernel("sixty-six", {"target": 0})
    room = solver.workspace(10)
    for state in driver.trace("basic", 3, 0).seen:
        common = state["common"]
        if int(common["stage"]) == PLAYING and int(common["stock"]) and int(common["closer"]) < 0:
            states = np.array([state])
            assert not play_open(states, room)
            assert states[0] == state
