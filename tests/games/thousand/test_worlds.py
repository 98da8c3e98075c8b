"""Sampled worlds against what a player can know, reckoned here from the replay alone."""

import numba
import numpy as np
import pytest

from simcards.games.registry import load
from simcards.kernel import protocol
from simcards.kernel.rng import STREAM, seed_stream
from simcards.study.plan import make_plan
from simcards.study.replay import replay

STOCK, TWO, THREE, BLIND = "thousand-two-stock", "thousand-two-auction", "thousand-three", "thousand-blind"


@numba.njit
def _worlds(states, player, views, worlds, seed):
    rng = np.empty(1, STREAM)
    seed_stream(rng[0], seed, 70, 0)
    protocol.observe(states[0], player, views[0])
    for k in range(worlds.shape[0]):
        protocol.determinize(views[0], rng[0], worlds[k])


def worlds_of(game, trace, place, count=24):
    states = trace.states[place : place + 1]
    _, views = game.workspace(trace.plan.overrides)
    worlds = np.repeat(game.workspace(trace.plan.overrides)[0], count)
    player = int(states[0]["common"]["turn"])
    _worlds(states, player, views[player : player + 1], worlds, place + 1)
    return player, states[0], worlds


def cards(mask):
    return {card for card in range(24) if int(mask) >> card & 1}


def facts(states, player):
    """Say what a player knows of the others' hands before the last of some positions: from every card they played."""
    held, lacks = {}, {}
    for before, after in zip(states[:-1], states[1:], strict=True):
        common = before["common"]
        if int(common["stage"]) != 1:
            continue
        turn, led = int(common["turn"]), int(common["led"])
        gone = cards(int(after["common"]["gone"]) & ~int(common["gone"]))
        (card,) = gone
        held.get(turn, set()).discard(card)
        trump = int(after["common"]["trump"])
        if led < 0:
            if trump != int(common["trump"]) or int(after["public"][turn]["announced"]) != int(
                before["public"][turn]["announced"]
            ):
                held.setdefault(turn, set()).add(card + 1 if card % 6 == 2 else card - 1)
        elif card // 6 != led // 6:
            void = lacks.setdefault(turn, set())
            void.add(led // 6)
            if trump >= 0 and card // 6 != trump:
                void.add(trump)
        if int(after["common"]["stock"]) < int(common["stock"]):
            lacks.clear()
    return held, lacks


@pytest.mark.parametrize("game_id", [STOCK, TWO, THREE, BLIND])
@pytest.mark.parametrize("strategy", ["basic", "random"])
def test_worlds_contradict_nothing_that_was_seen(game_id, strategy):
    game = load(game_id)
    for deal in range(6):
        trace = replay(make_plan(game_id, deals=1, unit="deal", strategies=strategy, seed=5), deal)
        for place in range(1, len(trace.states) - 1):
            player, actual, worlds = worlds_of(game, trace, place)
            held, lacks = facts(trace.states[: place + 1], player)
            declarer = int(actual["common"]["declarer"])
            for world in worlds:
                for other in range(game.ruleset.players):
                    own = world["private"][other]
                    assert int(own["hand"]).bit_count() == int(actual["private"][other]["hand"]).bit_count()
                    if other == player:
                        continue
                    hand = cards(own["hand"])
                    assert held.get(other, set()) <= hand
                    assert not {card // 6 for card in hand} & lacks.get(other, set())
                    assert int(own["laid"]).bit_count() == int(actual["private"][other]["laid"]).bit_count()
                if game_id == THREE and int(actual["common"]["stage"]) == 1:
                    given = [cards(card) for card in world["private"][declarer]["given"]]
                    for other in range(3):
                        got = cards(world["private"][other]["received"])
                        assert got == given[other]
                        assert got <= cards(world["private"][other]["hand"]) | cards(world["public"][other]["played"])
                    shown = cards(actual["common"]["shown"])
                    with_declarer = cards(world["private"][declarer]["hand"]) | cards(
                        world["public"][declarer]["played"]
                    )
                    assert shown <= with_declarer | set().union(*given)


def test_a_low_card_of_the_packet_is_given_away_rather_than_an_ace():
    game = load(THREE)
    counts = {}
    for deal in range(40):
        trace = replay(make_plan(THREE, deals=1, unit="deal", strategies="basic", seed=6), deal)
        place = next(k for k, state in enumerate(trace.states) if int(state["common"]["stage"]) == 1) + 1
        player, actual, worlds = worlds_of(game, trace, place, 40)
        declarer = int(actual["common"]["declarer"])
        if player == declarer:
            continue
        for world in worlds:
            for card in cards(actual["common"]["shown"]) - cards(actual["private"][player]["hand"]):
                gone = bool(cards(world["private"][declarer]["hand"]).isdisjoint({card}))
                gone &= not int(actual["public"][declarer]["played"]) >> card & 1
                counts.setdefault(card % 6, []).append(gone)
    assert np.mean(counts[0]) > 2 * np.mean(counts[3]) > np.mean(counts[5])
    assert np.mean(counts[5]) < 0.05
