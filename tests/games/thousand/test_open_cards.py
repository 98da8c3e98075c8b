"""Open cards against plain minimax, which knows only what the game's own moves lead to."""

import random

import numba
import pytest

from simcards.games.registry import load
from simcards.kernel import protocol, solver
from simcards.kernel.protocol import is_over

PLAYING = 1
VALUES = (0, 2, 3, 4, 10, 11)


@numba.njit
def _legal(states):
    return protocol.legal(states[0])


@numba.njit
def _apply(states, action):
    protocol.apply(states[0], action)


@numba.njit
def _is_over(states):
    return is_over(states[0])


@numba.njit
def _play_open(states, room):
    return protocol.play_open(states[0], room)


def outcome(state):
    """What is at stake when a deal is over: the declarer's points, or the difference between two."""
    declarer = int(state["common"]["declarer"])
    if declarer >= 0:
        return int(state["tally"]["as_declarer"][declarer])
    return int(state["public"][0]["total"]) - int(state["public"][1]["total"])


def minimax(states):
    """Return what a position comes to, by trying everything."""
    if _is_over(states):
        return outcome(states[0])
    common = states[0]["common"]
    declarer, turn = int(common["declarer"]), int(common["turn"])
    wants = turn == declarer if declarer >= 0 else turn == 0
    found = []
    mask = int(_legal(states))
    for action in range(64):
        if mask >> action & 1:
            after = states.copy()
            _apply(after, action)
            found.append(minimax(after))
    return max(found) if wants else min(found)


def mask_of(cards):
    return sum(1 << card for card in cards)


def ending(game, chance, most, sweep=False):
    """Make up the last tricks of a deal."""
    loaded = load(game)
    states, _ = loaded.workspace({"target": 0})
    state = states[0]
    players = loaded.ruleset.players
    left = chance.randint(1, most)
    tricks = 12 if game.endswith("stock") else 10 if players == 2 else 8
    deck = list(range(24))
    chance.shuffle(deck)
    if sweep:  # the one with the bid has what may take every trick
        deck.sort(key=lambda card: card % 6 + 3 * chance.random(), reverse=True)
    common = state["common"]
    common["stage"], common["deals"] = PLAYING, 1
    common["trump"] = -1 if sweep else chance.choice((-1, 0, 1, 2, 3))
    common["led"] = common["best"] = common["ahead"] = -1
    common["table"], common["history"] = -1, -1
    common["trick"] = tricks - left
    common["declarer"] = -1 if game.endswith("stock") else chance.randrange(players)
    common["high"] = 0 if common["declarer"] < 0 else 120 if sweep else chance.choice((100, 120, 150))
    leader = int(common["declarer"]) if sweep else chance.randrange(players)
    common["leader"] = common["turn"] = leader
    first = max(0, int(common["declarer"])) if sweep else 0
    for steps in range(players):
        player = (first + steps) % players
        hand = deck[steps * left : (steps + 1) * left]
        state["private"][player]["hand"] = mask_of(hand)
    points = 120 - sum(VALUES[card % 6] for card in deck[: players * left])
    if sweep:
        packets = chance.randrange(0, min(points, 45) + 1)
        state["public"][first]["cards"], state["public"][first]["tricks"] = points - packets, tricks - left
    else:
        for player in range(players):
            part = chance.randrange(points + 1)
            state["public"][player]["cards"] = part
            state["public"][player]["marriages"] = chance.choice((0, 0, 40, 100))
            state["public"][player]["announced"] = 0 if chance.random() < 0.5 else 2
            points -= part
    state["tally"]["contract"] = protocol.MISSING
    for _ in range(chance.randrange(players)):
        actions = [action for action in range(64) if int(_legal(states)) >> action & 1]
        if left > 1:
            _apply(states, chance.choice(actions))
    return states


@pytest.mark.parametrize(
    ("game", "most", "sweep", "count"),
    [
        ("thousand-two-stock", 4, False, 150),
        ("thousand-two-auction", 4, False, 150),
        ("thousand-three", 3, False, 150),
        ("thousand-two-auction", 4, True, 200),
    ],
)
def test_open_cards_come_to_what_plain_minimax_comes_to(game, most, sweep, count):
    chance = random.Random(f"{game} {sweep}")
    room = solver.workspace(10)
    swept = 0
    for number in range(count):
        states = ending(game, chance, most, sweep)
        expected = minimax(states)
        played = states.copy()
        assert _play_open(played, room)
        assert _is_over(played)
        assert outcome(played[0]) == expected, number
        swept += int(played[0]["tally"]["packets"].sum()) > 0
    assert (swept > count // 20) == sweep


def test_nothing_is_played_while_cards_are_drawn_or_bid_for():
    room = solver.workspace(8)
    for game in ("thousand-two-stock", "thousand-two-auction", "thousand-three"):
        loaded = load(game)
        states, _ = loaded.workspace({"target": 0})
        state = states[0]
        state["common"]["stage"], state["common"]["stock"] = (PLAYING, 12) if game.endswith("stock") else (2, 0)
        before = states.tobytes()
        assert not _play_open(states, room)
        assert states.tobytes() == before


def test_whole_hands_for_three_keep_what_the_declarer_can_have():
    """After every card of the line the rest comes to the same for the player with the bid."""
    chance = random.Random(8)
    room = solver.workspace(12)
    for _ in range(3):
        states = ending("thousand-three", chance, 1)
        deck = list(range(24))
        chance.shuffle(deck)
        state = states[0]
        state["common"]["trick"], state["common"]["count"] = 0, 0
        for player in range(3):
            state["private"][player]["hand"] = mask_of(deck[8 * player : 8 * player + 8])
            for name in ("cards", "marriages", "announced", "tricks"):
                state["public"][player][name] = 0
        played = states.copy()
        assert _play_open(played, room)
        final = outcome(played[0])
        history = [int(action) for action in played[0]["common"]["history"] if int(action) >= 0]
        assert len(history) == 24
        again = states.copy()
        for action in history[:-3]:
            _apply(again, action)
            rest = again.copy()
            assert _play_open(rest, room)
            assert outcome(rest[0]) == final
