"""Open cards against plain minimax, which knows only the game's own moves and what they come to."""

import random

import numba
import numpy as np
import pytest

from simcards.games.registry import load
from simcards.games.skat.frame import DECLARED, GRAND, NULL, ORDERS, OUVERT, VALUES
from simcards.kernel import protocol, solver
from simcards.kernel.bits import lowest
from simcards.kernel.protocol import is_over

PLAYING = 1


@numba.njit
def _apply(states, action):
    protocol.apply(states[0], action)


@numba.njit
def _legal(states):
    return protocol.legal(states[0])


@numba.njit
def _play_open(states, room):
    return protocol.play_open(states[0], room)


@numba.njit
def _minimax(states, depth):
    """Return what the declarer gets written, by trying everything; states[depth] is the position."""
    root = depth
    masks = np.zeros(states.shape[0], np.uint64)
    values = np.zeros(states.shape[0], np.int64)
    declarer = np.int64(states[root].common.declarer)
    if is_over(states[root]):
        return np.int64(states[root].common.totals[declarer])
    masks[depth] = protocol.legal(states[depth])
    values[depth] = -10_000 if states[depth].common.turn == declarer else 10_000
    while True:
        if masks[depth] == np.uint64(0):
            if depth == root:
                return values[root]
            value = values[depth]
            depth -= 1
        else:
            action = np.int64(lowest(masks[depth]))
            masks[depth] &= masks[depth] - np.uint64(1)
            states[depth + 1] = states[depth]
            protocol.apply(states[depth + 1], action)
            if not is_over(states[depth + 1]):
                depth += 1
                masks[depth] = protocol.legal(states[depth])
                values[depth] = -10_000 if states[depth].common.turn == declarer else 10_000
                continue
            value = np.int64(states[depth + 1].common.totals[declarer])
        if states[depth].common.turn == declarer:
            values[depth] = max(values[depth], value)
        else:
            values[depth] = min(values[depth], value)


def ending(chance, left, rules):
    """Make up the last tricks of a deal: who has won what before is drawn as well."""
    game = load("skat")
    states, _ = game.workspace({"deals": 1, **rules})
    state = states[0]
    deck = list(range(32))
    chance.shuffle(deck)
    common = state["common"]
    declarer = chance.randrange(3)
    common["stage"], common["deals"], common["declarer"] = PLAYING, 1, declarer
    common["led"] = common["best"] = common["ahead"] = -1
    common["table"], common["history"] = -1, -1
    common["trick"] = 10 - left
    common["skat"] = chance.random() < 0.6
    common["game"] = chance.choice((0, 1, 2, 3, GRAND, GRAND, NULL))
    common["level"] = 0 if common["skat"] else chance.choice((0, 0, 1, 2, OUVERT))
    if common["game"] == NULL and common["level"] != OUVERT:
        common["level"] = 0
    common["high"] = chance.choice((18, 18, 18, 24, 36, 48, 72, 96))
    common["leader"] = common["turn"] = chance.randrange(3)
    for player in range(3):
        hand = deck[player * left : (player + 1) * left]
        state["private"][player]["hand"] = sum(1 << card for card in hand)
    aside, gone = deck[3 * left : 3 * left + 2], deck[3 * left + 2 :]
    state["aside"] = sum(1 << card for card in aside)
    won = chance.choice((0, 10 - left, chance.randint(0, 10 - left)))
    if common["game"] == NULL:
        won = 0
    common["tricks"][declarer], common["tricks"][(declarer + 1) % 3] = won, 10 - left - won
    points = sum(VALUES[card % 8] for card in gone)
    mine = 0 if not won else points if won == 10 - left else chance.randint(0, points)
    if chance.random() < 0.5 and 0 < won < 10 - left:
        mine = min(points, chance.choice((20, 35, 55, 75)))
    common["cards"][declarer], common["cards"][(declarer + 1) % 3] = mine, points - mine
    state["tally"]["bid"] = state["tally"]["with_jacks"] = state["tally"]["without_jacks"] = protocol.MISSING
    state["tally"]["game_value"] = state["tally"]["declarer_points"] = protocol.MISSING
    common["played"][declarer] = sum(1 << card for card in gone[: 10 - left])
    for _ in range(chance.randrange(3) if left > 1 else 0):
        mask = int(_legal(states))
        _apply(states, chance.choice([card for card in range(32) if mask >> card & 1]))
    return states


@pytest.mark.parametrize(
    ("left", "count", "rules"),
    [
        (1, 100, {}),
        (2, 200, {}),
        (3, 250, {}),
        (4, 120, {}),
        (3, 150, {"lost_value": "bid", "schneidered": 20, "schneider": 80, "hand_loss": "double"}),
        (3, 100, {"schneidered": 0, "skat_matadors": "no", "null_ends": "with_the_cards"}),
    ],
)
def test_open_cards_come_to_what_plain_minimax_comes_to(left, count, rules):
    chance = random.Random(f"{left} {rules}")
    room = solver.workspace(12)
    written = set()
    for number in range(count):
        states = ending(chance, left, rules)
        if is_over_now(states):
            continue
        work = np.repeat(states, 20)
        expected = int(_minimax(work, 0))
        played = states.copy()
        assert _play_open(played, room)
        assert is_over_now(played)
        declarer = int(played[0]["common"]["declarer"])
        assert int(played[0]["common"]["totals"][declarer]) == expected, number
        written.add(expected > 0)
    assert written == {True, False}


def is_over_now(states):
    return int(states[0]["common"]["stage"]) == 6


def test_nothing_is_played_before_the_game_is_declared():
    room = solver.workspace(8)
    states, _ = load("skat").workspace({"deals": 1})
    states[0]["common"]["stage"] = 2
    before = states.tobytes()
    assert not _play_open(states, room)
    assert states.tobytes() == before


def test_levels_and_games_have_room_among_the_actions():
    assert NULL + DECLARED * OUVERT < 64
    assert len(ORDERS) == NULL + 1
