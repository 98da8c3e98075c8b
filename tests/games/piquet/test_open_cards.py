"""The last tricks with open cards, against plain minimax over the game's own moves and its own worth of a deal."""

import numba
import numpy as np
import pytest

from simcards.games.piquet.frame import HAND, PLAYING
from simcards.games.registry import load
from simcards.kernel import protocol, solver
from simcards.study.plan import make_plan
from simcards.study.replay import replay


@numba.njit
def step(states, action):
    """Carry out an action, and return who is next and what is legal; nobody where the deal is over."""
    protocol.apply(states[0], action)
    if protocol.is_over(states[0]) or protocol.actor(states[0]) == protocol.DEALER:
        return -1, np.uint64(0)
    return protocol.actor(states[0]), protocol.legal(states[0])


@numba.njit
def asked(states):
    return protocol.actor(states[0]), protocol.legal(states[0])


@numba.njit
def worth(states):
    return protocol.worth(states[0], 0)


@numba.njit
def play_open(states, room):
    return protocol.play_open(states[0], room)


def minimax(states, seat, mask):
    values = []
    for card in range(32):
        if mask >> card & 1:
            after = states.copy()
            who, next_mask = step(after, card)
            values.append(worth(after) if who < 0 else minimax(after, who, int(next_mask)))
    return max(values) if seat == 0 else min(values)


def endings(game_id, unit, strategy, deals, left, seed):
    """Positions with so many tricks left, in the middle of a trick too."""
    plan = make_plan(game_id, deals=deals, strategies=strategy, seed=seed, unit=unit)
    for deal in range(deals):
        trace = replay(plan, deal)
        for place in range(len(trace.steps)):
            common = trace.states[place]["common"]
            if int(common["stage"]) == PLAYING and HAND - int(common["trick"]) in left:
                yield trace.states[place : place + 1].copy()


def compare(states, room):
    seat, mask = asked(states)
    expected = minimax(states, seat, int(mask))
    played = states.copy()
    assert play_open(played, room)
    assert int(played[0]["common"]["stage"]) != PLAYING
    assert worth(played) == expected, states[0]


@pytest.mark.parametrize(
    "game_id", ["piquet-rubicon", "piquet-rubicon-american", "piquet-rubicon-four-deals", "piquet-carte-rouge"]
)
def test_open_cards_give_what_minimax_gives(game_id):
    room = solver.workspace(8)  # so small that positions push each other out
    count = 0
    for strategy, seed in (("random", 3), ("basic", 4)):
        for states in endings(game_id, "deal", strategy, 12, (2, 3, 4), seed):
            compare(states, room)
            count += 1
    assert count > 100


def test_open_cards_reckon_with_pique_capot_and_the_settlement():
    """Scores are put where a point more or less matters: below the line of pique, of the rubicon, all tricks so far."""
    room = solver.workspace(10)
    chance = np.random.default_rng(5)
    piques = capots = 0
    for game_id in ("piquet-rubicon", "piquet-rubicon-american", "piquet-carte-rouge"):
        for states in endings(game_id, "deal", "random", 12, (3, 4), 6):
            state = states[0]
            tricks = int(state["common"]["trick"])
            rules = state["rules"]
            rules["deals"] = 6
            state["common"]["deals"] = chance.choice((2, 6, 6))
            one = int(chance.integers(2))
            for player in (one, 1 - one):
                state["public"][player]["total"] = chance.choice((60, 80, 95, 110))
                state["public"][player]["bonus"] = 0
            if chance.random() < 0.6:
                state["public"][one]["points"] = chance.choice((25, 27, 28, 29))
                state["public"][1 - one]["points"] = 0
            if chance.random() < 0.5:
                state["public"][one]["tricks"], state["public"][1 - one]["tricks"] = tricks, 0
            compare(states, room)
            played = states.copy()
            play_open(played, room)
            piques += int(np.any(played[0]["public"]["bonus"]))
            capots += int(np.any(played[0]["public"]["tricks"] == HAND))
    assert piques > 10
    assert capots > 3


def test_six_tricks_are_open_and_no_more():
    room = solver.workspace(12)
    for states in endings("piquet-rubicon", "deal", "basic", 4, (6, 7), 8):
        before = states.tobytes()
        tricks = HAND - int(states[0]["common"]["trick"])
        opened = play_open(states, room)
        assert opened == (tricks == 6)
        assert opened or states.tobytes() == before


def test_six_tricks_are_as_the_moves_before_five():
    """The worth of six tricks is the best over the first cards, of what comes after them."""
    room = solver.workspace(12)
    for states in endings("piquet-rubicon-american", "deal", "basic", 10, (6,), 9):
        seat, mask = asked(states)
        values = []
        for card in range(32):
            if int(mask) >> card & 1:
                after = states.copy()
                step(after, card)
                assert play_open(after, room)
                values.append(worth(after))
        assert play_open(states, room)
        assert worth(states) == (max(values) if seat == 0 else min(values))


def test_positions_without_room_for_their_worth_are_searched_all_the_same():
    room = solver.workspace(8)
    for states in endings("piquet-rubicon", "deal", "random", 3, (3,), 11):
        states[0]["rules"]["deals"] = 1000
        states[0]["public"]["total"] = (40_000, 39_990)
        compare(states, room)


def test_declarations_are_not_skipped():
    room = solver.workspace(8)
    trace = replay(make_plan("piquet-rubicon", deals=1, strategies="basic", seed=1, unit="deal"), 0)
    for place in range(len(trace.steps)):
        states = trace.states[place : place + 1].copy()
        before = states.tobytes()
        if int(states[0]["common"]["stage"]) != PLAYING:
            assert not play_open(states, room)
            assert states.tobytes() == before
    assert load("piquet-rubicon").strategies["solver"]
