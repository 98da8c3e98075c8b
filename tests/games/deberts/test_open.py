"""Open cards: the value of a deal that the solver finds is the one that plain search through the rules finds."""

import numba
import numpy as np
import pytest

import simcards
from simcards.games.deberts.frame import OVER
from simcards.games.registry import load
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.rng import STREAM, choose
from simcards.kernel.solver import workspace

ONE = np.uint64(1)
DEEPEST = 64


@numba.njit
def advance(states, rng, cards):
    """Play at random until at most so many cards are in the hands and only tricks are left; return whether it is so."""
    state = states[0]
    while not protocol.is_over(state) and protocol.actor(state) >= 0:
        left = 18 - 2 * state.common.trick - (state.common.led >= 0)
        if left <= cards and state.common.stage >= 4:
            return True
        protocol.apply(state, choose(rng[0], protocol.legal(state)))
    return False


@numba.njit
def plain(states, player):
    """Return the worth of a deal to a player by trying everything: the stack is an array of positions."""
    value = np.zeros(DEEPEST)
    rest = np.zeros(DEEPEST, np.uint64)
    depth = 0
    value[0] = -1e9 if protocol.actor(states[0]) == player else 1e9
    rest[0] = protocol.legal(states[0])
    while True:
        if rest[depth]:
            action = lowest(rest[depth])
            rest[depth] &= rest[depth] - ONE
            states[depth + 1] = states[depth]
            child = states[depth + 1]
            protocol.apply(child, action)
            if not (protocol.is_over(child) or protocol.actor(child) < 0):
                depth += 1
                value[depth] = -1e9 if protocol.actor(child) == player else 1e9
                rest[depth] = protocol.legal(child)
                continue
            found = protocol.worth(child, player)
        else:
            if depth == 0:
                return value[0]
            found = value[depth]
            depth -= 1
        if protocol.actor(states[depth]) == player:
            value[depth] = max(value[depth], found)
        else:
            value[depth] = min(value[depth], found)


@numba.njit
def by_solver(states, player):
    """Return whether the position could be played open, and its worth."""
    done = protocol.play_open(states[0], workspace(12))
    return done, protocol.worth(states[0], player)


@numba.njit
def start(states, deck, totals):
    protocol.begin(states[0])
    protocol.deal(states[0], deck)
    for player in range(2):
        states[0].public[player].total = totals[player]


def stream(seed):
    return np.random.default_rng(seed).integers(1, 2**63, 4, np.uint64).view(STREAM)


def endings(cards, count, rules, totals=(0, 0)):
    game = load("deberts")
    states, _ = game.workspace(rules)
    rng = np.random.default_rng(4)
    for seed in range(1, count + 1):
        start(states, rng.permutation(32).astype(np.uint8), np.array(totals))
        if advance(states, stream(seed), cards):
            yield states.copy()


@pytest.mark.parametrize(
    ("rules", "totals"),
    [
        ({"target": 0}, (0, 0)),
        ({"target": 0, "silence": "no"}, (0, 0)),
        ({"target": 0, "overtrump": "yes", "run_order": "natural"}, (0, 0)),
        ({}, (455, 465)),
        ({"least_gain": 5}, (480, 480)),
    ],
)
def test_open_cards_are_exact(rules, totals):
    game = load("deberts")
    met = bait = bella = over = 0
    for cards in (7, 8, 9, 10):
        for states in endings(cards, 100, rules, totals):
            met += 1
            bella += int(states[0]["common"]["stage"]) == 4
            room = np.zeros(DEEPEST, game.state)
            room[0] = states[0]
            by = int(states[0]["common"]["by"])
            expected = plain(room, by)
            done, found = by_solver(states, by)
            assert done
            assert found == expected
            public = states[0]["public"]
            bait += int(public[by]["total"]) == totals[by]
            over += int(states[0]["common"]["stage"]) == OVER
    assert met > 300
    assert 50 < bait < met - 50
    if "target" not in rules:
        assert over > 20


def test_runs_and_bella_to_come():
    """At pone's first lead the dealer may have runs to speak of; a few tricks of a smaller game cannot show it."""
    game = load("deberts")
    states, _ = game.workspace({"target": 0})
    rng = np.random.default_rng(9)
    runs = closed = 0
    for seed in range(1, 400):
        start(states, rng.permutation(32).astype(np.uint8), np.zeros(2, np.int64))
        if not advance(states, stream(seed), 18):
            continue
        before = states.copy()
        by = int(before[0]["common"]["by"])
        done, _ = by_solver(states, by)
        if not done:
            closed += 1
            assert states.tobytes() == before.tobytes(), "a position that cannot be told yet stays as it is"
            continue
        dealer = int(before[0]["common"]["dealer"])
        runs += int(states[0]["public"][dealer]["runs"]) > 0 and int(before[0]["public"][dealer]["said"]) == 0
        public = states[0]["public"]
        parts = sum(int(one[name]) for one in public for name in ("cards", "last", "runs", "bella"))
        assert sum(int(one["total"]) for one in public) == parts
    assert runs > 20
    assert closed > 5


def test_the_value_of_open_cards_does_not_hang_on_what_lay_in_memory():
    """The aim of the solver is a record on the stack; what a game does not use of it must be set too."""
    result = simcards.game("deberts").bids(
        "turned: 8H", hand="JH 9H AS KD 8C 7C", levels=["open", "mc", "basic"], worlds=200
    )
    for level in ("open", "mc", "basic"):
        for value in result.values(level):
            assert abs(value.mean) < 300.0  # fewer than 300 points are in a deal
