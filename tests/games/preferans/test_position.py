"""Positions of preferans: every one that comes up can be written down and read again."""

import numba
import numpy as np
import pytest

import simcards
from simcards.errors import UsageError
from simcards.games.registry import load
from simcards.kernel import protocol
from simcards.study.plan import make_plan
from simcards.study.replay import replay

THREE, FOUR, HUSSAR, CLASSICAL = GAMES = (
    "preferans",
    "preferans-four-handed",
    "preferans-hussar",
    "preferans-classical",
)
HAND = "AS KS QS JS TS 9S AH KH 7D 7C"
TWELVE = f"{HAND} 8D 8C"


@numba.njit
def _observe(states, player, views):
    protocol.observe(states[0], player, views[0])


@numba.njit
def _actor(states):
    return -1 if protocol.is_over(states[0]) else protocol.actor(states[0])


def same(one, other):
    if one.dtype.names is None:
        return np.array_equal(one, other)
    return all(same(one[name], other[name]) for name in one.dtype.names)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("rules", [{}, {"blind_bidding": "yes", "misere_opens": "after_lead"}])
def test_every_position_is_read_as_it_was_written(game_id, rules):
    game = load(game_id)
    stages = set()
    for strategy in ("random", "basic", "bid=random+basic"):
        plan = make_plan(game_id, deals=1, unit="game", strategies=strategy, rules={**rules, "most_deals": 12}, seed=4)
        for deal in range(3):
            trace = replay(plan, deal)
            _, views = game.workspace(plan.overrides)
            for place in range(0, len(trace.states), 3):
                states = trace.states[place : place + 1]
                player = _actor(states)
                if player < 0:
                    continue
                view = views[player : player + 1].copy()
                _observe(states, player, view)
                told = game.positions.write(view[0])
                _, fresh = game.workspace(plan.overrides)
                found = game.positions.read(told, fresh[:1])
                assert same(found.view[0], view[0]), told
                stages.add(int(states[0]["common"]["stage"]))
    assert stages >= {1, 2, 4, 5, 6}


def question(text, game=THREE):
    return simcards.game(game).question(text)


def test_positions_of_the_auction_and_after_it():
    asked = question(f"hand: {HAND}")
    assert (asked.seat, asked.phase) == ("forehand", "bid")
    asked = question(f"hand: {HAND}; bids: 6S, pass")
    assert (asked.seat, asked.words[:2]) == ("dealer", ("passes", "bids 6C"))
    asked = question(f"hand: {TWELVE}; bids: 6S, pass, pass; talon: 8D 8C")
    assert asked.phase == "discard"
    asked = question(f"hand: {HAND.removesuffix(' 7D 7C')} 8D 8C; laid: 7D 7C; bids: 6S, pass, pass; talon: 8D 8C")
    assert asked.phase == "contract"
    opponent = "8S 7S QH JH TH AD KD AC KC QC"
    asked = question(f"hand: {opponent}; bids: 6S, pass, pass; talon: 8D 8C; contract: 6S")
    assert (asked.seat, asked.words) == ("middlehand", ("passes", "whists"))
    asked = question(f"hand: {opponent}; bids: 6S, pass, pass; talon: 8D 8C; contract: 6S; whist: whist, pass")
    assert asked.words == ("invites closed", "invites open", "takes his own whists")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"hand: {HAND} 8C", "10 cards"),
        (f"hand: {HAND}; bids: 6Z", "a bid such as 6S"),
        (f"hand: {HAND}; bids: 6S, 6S", "no two players"),
        (f"hand: {HAND}; bids: -, 6S", "in their order"),
        (f"hand: {HAND}; bids: 6S blind", "nobody bids blind"),
        (f"hand: {TWELVE}; bids: 6S, pass, pass", "talon: 2 cards"),
        (f"hand: {HAND}; bids: 6H, pass, pass; talon: 8D 8C; contract: 6S", "not lower than the bid"),
        (f"hand: {HAND}; bids: pass, pass, pass", "turned: 1 cards"),
        (f"hand: {HAND}; pools: 1 2", "pools: 3 whole numbers"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError, match=message) as caught:
        question(text)
    assert "\n" not in str(caught.value)
