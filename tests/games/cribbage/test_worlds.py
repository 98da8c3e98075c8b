"""Worlds that agree with what a player has seen: others discard as basic does, and have nothing that go denies."""

import numpy as np
import pytest

from simcards.games.cribbage.scoring import VALUE
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from tests.contract import compiled

from .slow import count


def worlds(game_id, strategies="basic", deals=40):
    """Yield for decisions of some deals the seat, the position, and a world that the player may be in."""
    from simcards.games.registry import load

    game = load(game_id)
    rng = np.array([5, 6, 7, 8], np.uint64)
    plan = make_plan(game_id, deals=1, strategies=strategies, seed=2)
    for deal in range(deals):
        trace = replay(plan, deal)
        made, views = game.workspace(plan.overrides)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        for place in np.flatnonzero(actors >= 0):
            seat = int(actors[place])
            view = views[seat : seat + 1].copy()
            compiled.observe(trace.states[place : place + 1], seat, view)
            compiled.determinize(view, rng, made)
            yield seat, trace.states[place], made[0]


def held(mask):
    return [card for card in range(52) if int(mask) >> card & 1]


@pytest.mark.parametrize("game_id", ["cribbage-six-card", "cribbage-four-handed"])
def test_nobody_holds_what_he_could_have_laid_when_he_said_go(game_id):
    seen = 0
    for seat, actual, made in worlds(game_id):
        for player in range(int(actual["rules"]["players"])):
            above = int(actual["public"][player]["above"])
            if above and player != seat:
                seen += 1
                for state in (actual, made):
                    assert all(count(card) > above for card in held(state["private"][player]["hand"]))
    assert seen > 20


def test_the_other_discards_as_basic_does():
    """The dealer's worlds before a card is laid: what pone discarded is what basic discards from such a hand."""
    from simcards.games.cribbage.frame import discard_of
    from simcards.games.cribbage.players import USUAL, best_discard

    seen = 0
    for seat, actual, made in worlds("cribbage-six-card", deals=60):
        common = actual["common"]
        other = made["private"][0]
        if seat != 1 or int(common["laid"]) or not int(other["discards"]):
            continue
        hand = np.uint64(other["hand"]) | np.uint64(other["discards"])
        action, _ = best_discard(made["rules"], hand, -1, USUAL[0]["value"])
        assert int(discard_of(made["rules"], hand, action)) == int(other["discards"])
        seen += 1
    assert seen > 20
    assert VALUE[12] == 10
