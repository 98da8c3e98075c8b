"""Skat beside OpenSpiel's, where that is installed: the same deals, the same legal cards, the same outcome.

OpenSpiel's bidding is a single round in which everybody names a game, and only games with the skat are played; so one
player names a game here and the others pass.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from .reference import PACK, Skat

pyspiel = pytest.importorskip("pyspiel")

KINDS = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs", "grand": "grand", "null": "null"}
# dealt three, the skat, four and three: places of the dealing order, by seat
PLACES = [[*range(3 * k, 3 * k + 3), *range(11 + 4 * k, 15 + 4 * k), *range(23 + 3 * k, 26 + 3 * k)] for k in range(3)]


def text(state: Any, action: int) -> str:
    said = state.action_to_string(0, action)
    return said[::-1] if action < 32 else said


def choose(state: Any, wanted: str) -> None:
    (action,) = (action for action in state.legal_actions() if text(state, action) == wanted)
    state.apply_action(action)


def names(state: Any) -> set[str]:
    return {text(state, action) for action in state.legal_actions()}


def auction(soloist: int) -> list[tuple[str, ...]]:
    """The others pass, and the soloist plays for the lowest bid."""
    if soloist == 0:
        return [("pass",), ("pass",), ("bid", "18")]
    if soloist == 1:
        return [("bid", "18"), ("pass",), ("pass",)]
    return [("pass",), ("bid", "18"), ("pass",)]


def deal(rng: random.Random) -> tuple[list[list[str]], list[str], Any]:
    cards = rng.sample(PACK, 32)
    state = pyspiel.load_game("skat").new_initial_state()
    for card in cards:
        choose(state, card)
    return [[cards[place] for place in places] for places in PLACES], cards[9:11], state


def compare(seed: int) -> Any:
    """Play a deal at random on both sides; return the reference's."""
    rng = random.Random(seed)
    hands, skat, state = deal(rng)
    game = Skat()
    game.deal(hands, skat)
    soloist, kind = rng.randrange(3), rng.choice(sorted(KINDS))
    for action in auction(soloist):
        game.apply(action)
    game.apply(("take",))
    while "unknown/pass" in names(state):  # the first game named is played
        choose(state, KINDS[kind] if state.current_player() == soloist else "unknown/pass")
    while not game.over:
        if game.step == "announce":
            game.apply(("announce", kind))
            continue
        if state.is_terminal():  # OpenSpiel stops a null that is lost
            assert kind == "null"
            assert game.standing()[1] > 0
            game.apply(rng.choice(sorted(game.legal())))
            continue
        assert state.current_player() == game.turn
        legal = {action[-1] for action in game.legal()}
        assert names(state) == legal
        card = rng.choice(sorted(legal))
        choose(state, card)
        game.apply((game.step, card))
    assert state.is_terminal()
    return game, state, soloist, kind


def outcome(state: Any) -> tuple[int, int]:
    """Points of the soloist and of the others."""
    line = next(line for line in str(state).splitlines() if line.startswith("Points"))
    own, others = line.split("(")[-1].rstrip(")").split("/")
    return int(own), int(others)


@pytest.mark.parametrize("block", range(3))
def test_reference_alike(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        game, state, soloist, kind = compare(seed)
        points = game.history[0]["standing"][0]
        won = game.scores[soloist] > 0
        if kind != "null":
            assert outcome(state) == (points, 120 - points)
        assert (state.returns()[soloist] > 0) == won
