"""The search against its description, in plain Python on the same worlds."""

import math

import numba
import numpy as np
import pytest

from simcards.games.registry import load, ruleset
from simcards.kernel import protocol, search
from simcards.kernel.bits import actions
from simcards.kernel.rng import STREAM
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples

WORLDS, PLAYOUTS, HALVING, CLEAR, DOUBT = range(5)


@numba.njit
def see(states, seat, views):
    protocol.observe(states[0], seat, views[0])
    return protocol.legal(states[0])


@numba.njit
def choose(views, legal, rng, options):
    return search.monte_carlo(views[0], legal, rng[0], options[0])


@numba.njit
def usual(views, part, legal, rng, options):
    return protocol.basic(views[0], part, legal, rng[0], options[0])


@numba.njit
def tried(views, legal, rng, options, playouts, values):
    room = protocol.space(views[0])
    room[0][0].rules = views[0].rules
    protocol.determinize(views[0], rng[0], room[0][0])
    choices = actions(legal)
    every = np.arange(choices.shape[0])
    search.play_worlds(views[0], rng[0], options[0], playouts, room, None, choices, every, 0, values.shape[0], values)


def stream():
    return np.array([(9, 8, 7, 6)], "u8").view(STREAM).reshape(-1)


def described(values, base, worlds, halving, clear, doubt):
    """Return the place of the action that the description of `monte_carlo` arrives at."""

    def lead(one, other, done):
        differences = values[:done, one] - values[:done, other]
        error = math.sqrt((differences**2).sum() / (done * (done - 1))) if done > 1 else math.inf
        return differences.mean(), error

    count = values.shape[1]
    rivals = [place for place in range(count) if place != base]
    rounds = max(1, math.ceil(math.log2(count))) if halving else 1
    done = 0
    for turn in range(rounds):
        goal = min(len(values), done + max(1, worlds * count // (rounds * (len(rivals) + 1))))
        while done < goal:
            done = min(goal, max(8, done + done // 2))
            leads = {place: lead(place, base, done) for place in rivals}
            rivals = sorted(rivals, key=lambda place: -leads[place][0])
            if done >= 8:
                rivals = [place for place in rivals if leads[place][0] >= -clear * leads[place][1]]
            if not rivals:
                return base
            others = [base, *rivals[1:]]
            if done >= 8 and all(
                lead(rivals[0], other, done)[0] > clear * lead(rivals[0], other, done)[1] for other in others
            ):
                return rivals[0]
        if turn + 1 < rounds:
            rivals = rivals[: (len(rivals) + 1) // 2]
    mean, error = lead(rivals[0], base, done)
    return rivals[0] if mean > doubt * error else base


@pytest.mark.parametrize("game_id", ["bezique", "rubicon-bezique"])
@pytest.mark.parametrize(
    ("worlds", "playouts", "halving", "clear", "doubt"),
    [(1, 1, 0, 3.0, 0.0), (7, 1, 1, 3.0, 1.0), (12, 2, 0, 2.0, 1.5), (30, 1, 1, 1.5, 1.0), (25, 1, 1, 100.0, 0.0)],
)
def test_the_choice_is_the_one_described(game_id, worlds, playouts, halving, clear, doubt):
    game = load(game_id)
    trace = replay(make_plan(game_id, deals=1, strategies="basic", seed=2), 3)
    options = np.zeros(1, protocol.OPTIONS)
    options["value"][0, :5] = worlds, playouts, halving, clear, doubt
    strayed = 0
    for place in range(0, len(trace.steps), 9):
        step = trace.steps[place]
        if len(step.legal) == 1:
            continue
        seat = ruleset(game_id).seats.index(step.seat)
        _, views = game.workspace({})
        view = views[seat : seat + 1]
        legal = np.uint64(see(trace.states[place : place + 1], seat, view))
        choices = actions(legal).tolist()
        values = np.full((worlds * len(choices) // 2 + 10, len(choices)), np.nan)
        tried(view, legal, stream(), options, playouts, values)
        part = game.phases.index(step.phase)
        base = choices.index(usual(view, part, legal, stream(), options))
        found = choices.index(choose(view, legal, stream(), options))
        assert found == described(values, base, worlds, halving, clear, doubt), (place, values.mean(axis=0))
        strayed += found != base
    assert strayed > 0 or worlds == 1 or doubt > 1.0, "some decisions must differ from those of basic"


@pytest.mark.parametrize("game_id", ["bezique", "rubicon-bezique"])
def test_with_every_doubt_it_plays_like_basic(game_id):
    rows = [
        samples(make_plan(game_id, deals=3, strategies=name, seed=8))
        for name in ("mc:worlds=2,doubt=100,clear=100", "basic")
    ]
    assert rows[0].equals(rows[1])


def test_it_sees_no_hidden_card():
    """The same view and random numbers give the same choice, wherever the hidden cards lie."""
    game = load("bezique")
    trace = replay(make_plan("bezique", deals=1, strategies="basic", seed=2), 3)
    options = np.zeros(1, protocol.OPTIONS)
    options["value"][0, :5] = 9, 1, 1, 3.0, 1.0
    place = 20
    seat = ruleset("bezique").seats.index(trace.steps[place].seat)
    states, views = game.workspace({})
    first, second = views[seat : seat + 1].copy(), views[seat : seat + 1].copy()
    legal = np.uint64(see(trace.states[place : place + 1], seat, first))
    states[...] = trace.states[place : place + 1]
    other = states[0]["private"][1 - seat]["hand"]
    held = np.flatnonzero(other)
    stock = states[0]["deck"][int(states[0]["next"]) :]
    there = next(k for k, card in enumerate(stock) if card not in held)
    other[held[0]] -= 1
    other[stock[there]] += 1
    stock[there], moved = held[0], stock[there]
    states[0]["private"][1 - seat]["mask"] = sum(1 << int(card) for card in np.flatnonzero(other))
    assert moved != held[0]
    assert see(states, seat, second) == legal
    assert choose(first, legal, stream(), options) == choose(second, legal, stream(), options)
