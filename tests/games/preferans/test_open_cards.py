"""Open cards against plain search, which knows only what the game's own moves lead to."""

import random

import numba
import pytest

from simcards.games.preferans.frame import ALL_PASS, CONTRACT, NO_TRICK, PLAYING
from simcards.games.registry import load
from simcards.kernel import protocol, solver

PASSED, WHIST = 0, 1


@numba.njit
def _legal(states):
    return protocol.legal(states[0])


@numba.njit
def _apply(states, action):
    protocol.apply(states[0], action)


@numba.njit
def _is_over(states):
    return protocol.is_over(states[0])


@numba.njit
def _worth(states, player):
    return protocol.worth(states[0], player)


@numba.njit
def _play_open(states, room):
    return protocol.play_open(states[0], room)


def best_for(states, wants):
    """Return what a position comes to for each player: who decides takes what `wants` says is best for him."""
    if _is_over(states):
        return [_worth(states, player) for player in range(3)]
    found = None
    mask = int(_legal(states))
    for action in range(32):
        if mask >> action & 1:
            after = states.copy()
            _apply(after, action)
            value = best_for(after, wants)
            chair = int(states[0]["common"]["turn"])
            if found is None or wants(chair, value) > wants(chair, found):
                found = value
    return found


def ending(chance, kind, most):
    """Make up the last tricks of a deal; the trick may have begun."""
    states, _ = load("preferans").workspace({"pool": 0})
    state = states[0]
    left = chance.randint(1, most)
    deck = list(range(32))
    chance.shuffle(deck)
    common = state["common"]
    common["stage"], common["deals"], common["dealer"], common["kind"] = PLAYING, 1, 2, kind
    common["who"] = range(3)
    common["declarer"] = -1 if kind == ALL_PASS else chance.randrange(3)
    common["trump"] = chance.choice((-1, 0, 1, 2, 3)) if kind == CONTRACT else -1
    common["bid"] = chance.choice((1, 6, 11, 17, 24)) if kind == CONTRACT else 16 if kind == NO_TRICK else 0
    common["led"] = common["best"] = common["ahead"] = -1
    common["table"], common["history"], common["turned"] = -1, -1, -1
    common["trick"], common["shown"] = 10 - left, 3
    state["public"]["whist"] = -1
    state["tally"]["contract"] = 0
    tricks = sorted(chance.randint(0, 10 - left) for _ in range(2))
    state["public"]["tricks"] = [tricks[0], tricks[1] - tricks[0], 10 - left - tricks[1]]
    if kind == CONTRACT:
        said = chance.choice(((WHIST, WHIST), (WHIST, PASSED), (PASSED, WHIST)))
        for steps in (1, 2):
            state["public"][(common["declarer"] + steps) % 3]["whist"] = said[steps - 1]
    for chair in range(3):
        state["private"][chair]["hand"] = sum(1 << card for card in deck[left * chair : left * (chair + 1)])
    leader = chance.randrange(3)
    common["leader"], common["turn"], common["decider"] = leader, leader, leader
    for _ in range(chance.randrange(3)):
        mask = int(_legal(states))
        _apply(states, chance.choice([card for card in range(32) if mask >> card & 1]))
    return states


@pytest.mark.parametrize("kind", [CONTRACT, NO_TRICK])
def test_the_declarer_gets_what_plain_search_finds(kind):
    chance = random.Random(kind)
    room = solver.workspace(12)
    for _ in range(150):
        states = ending(chance, kind, 4)
        declarer = int(states[0]["common"]["declarer"])
        expected = best_for(states, lambda chair, value, at=declarer: value[at] if chair == at else -value[at])
        assert _play_open(states, room)
        assert _is_over(states)
        assert _worth(states, declarer) == pytest.approx(expected[declarer])
        assert int(states[0]["public"]["tricks"].sum()) == 10


def test_when_all_pass_everybody_gets_what_plain_search_finds():
    """Everybody takes his best, of equals the lowest card: so does the plain search."""
    chance = random.Random(5)
    room = solver.workspace(12)
    for _ in range(150):
        states = ending(chance, ALL_PASS, 4)
        expected = best_for(states, lambda chair, value: round(value[chair], 6))
        assert _play_open(states, room)
        assert [_worth(states, player) for player in range(3)] == pytest.approx(expected)


def test_nothing_is_said_of_earlier_tricks_when_all_pass_or_of_a_deal_not_played_yet():
    room = solver.workspace(12)
    states = ending(random.Random(1), ALL_PASS, 1)
    states[0]["common"]["trick"] = 5
    assert not _play_open(states, room)
    states[0]["common"]["stage"] = 2
    assert not _play_open(states, room)
