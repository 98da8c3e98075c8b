"""Skat beside OpenSpiel's, where that is installed: the same deals, the same legal cards, the same outcome.

OpenSpiel's bidding is a single round in which everybody names a game, and only games with the skat are played; so one
player names a game here and the others pass.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from ..bezique.kernel import Kernel, kernel
from .numbered import CODES, KINDS, Numbered
from .test_against_reference import Both

pyspiel = pytest.importorskip("pyspiel")


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


def deal(rng: random.Random) -> tuple[list[str], Any]:
    cards = rng.sample(CODES, 32)
    state = pyspiel.load_game("skat").new_initial_state()
    for card in cards:
        choose(state, card)
    return cards, state


def outcome(state: Any) -> tuple[int, int]:
    """Points of the soloist and of the others."""
    line = next(line for line in str(state).splitlines() if line.startswith("Points"))
    own, others = line.split("(")[-1].rstrip(")").split("/")
    return int(own), int(others)


def compare(compiled: Kernel, seed: int) -> str:
    """Play a deal at random in all three: OpenSpiel's, the compiled one and the reference."""
    rng = random.Random(seed)
    cards, state = deal(rng)
    pair = Both(compiled, Numbered("skat", {"deals": 1}))
    pair.deal([CODES.index(card) for card in cards])
    numbered = pair.reference
    game = numbered.game

    def do(*action: str) -> None:
        (number,) = (number for number, words in numbered.words().items() if words == action)
        pair.apply(number)

    soloist, kind = rng.randrange(3), rng.choice(sorted(KINDS))
    for action in auction(soloist):
        do(*action)
    do("take")
    while "unknown/pass" in names(state):  # the first game named is played
        choose(state, KINDS[kind] if state.current_player() == soloist else "unknown/pass")
    while not game.over:
        if game.step == "announce":
            do("announce", kind)
            continue
        assert state.current_player() == game.turn
        assert names(state) == {action[-1] for action in game.legal()}
        card = CODES[rng.choice(sorted(numbered.legal()))]
        choose(state, card)
        do(game.step, card)
    assert state.is_terminal()
    row = pair.finish()
    points = game.history[0]["standing"][0]
    if kind != "null":  # whose card points OpenSpiel does not count
        assert outcome(state) == (points, 120 - points)
        assert row["declarer_points"][soloist] == points
    assert (state.returns()[soloist] > 0) == (row["made"][soloist] == 1)
    return f"{kind} {row['made'][soloist]}"


@pytest.mark.parametrize("block", range(3))
def test_alike(block: int) -> None:
    compiled = kernel("skat", {"deals": 1})
    seen = {compare(compiled, seed) for seed in range(200 * block, 200 * block + 200)}
    assert seen == {f"{kind} {made}" for kind in KINDS for made in (0, 1)}
