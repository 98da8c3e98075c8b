"""Open cards in the compiled games of sixty-six against everything that can happen in the reference."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simcards.kernel import solver
from tests.games.bezique.compare import Pair
from tests.games.bezique.kernel import kernel

from .reference import open_worths
from .test_against_reference import HABITS, NAMES, Told
from .test_endgame import play_open, worths

CASES: list[tuple[str, dict[str, int | str], int]] = [
    ("sixty-six", {"target": 0}, 4),
    ("sixty-six", {"target": 3}, 4),
    ("sixty-six", {"target": 0, "goal": 40, "marriage_counts": "with_trick", "last_trick": 10, "closed": 2}, 4),
    ("sixty-six", {"target": 0, "closing": "no", "head": "yes", "overruff": "yes", "exactly_half": "double"}, 4),
    ("sixty-six-swabian", {"target": 0, "goal": 70}, 4),
    ("sixty-six-swabian", {"target": 0, "goal": 200, "remarry": "one_new", "closing": "no"}, 4),
    ("sixty-six-three-handed", {"target": 0}, 3),
    ("sixty-six-three-handed", {"target": 0, "goal": 40, "judged_by": "worst"}, 3),
    ("sixty-six-swabian-three-handed", {"target": 0, "goal": 60, "remarry": "one_new"}, 2),
]


def endings(form: str, rules: dict[str, int | str], cards: int, count: int, seed: int) -> Iterator[Pair]:
    """Positions in which suit must be followed and a player on turn holds so many cards, after random play."""
    rng = random.Random(seed)
    compiled = kernel(form, rules)
    found = 0
    while found < count:
        told = Told(form, rules)
        pair = Pair(compiled, told)
        habit = rng.choice(HABITS)
        before = rng.randint(0, 1)  # cards that are on the table already, or one more in the hands
        while not told.over:
            if told.phase() == "deal":
                pack = [NAMES.index(name) for name in told.game.pack]
                # kings and queens come late, so that marriages are left
                pair.deal(sorted(pack, key=lambda card: rng.random() - 0.3 * (card % 6 not in (2, 3))))
                continue
            game = told.game
            if game.strict and len(game.seats[game.turn].hand) <= cards and len(game.trick) >= before:
                yield pair
                found += 1
                break
            actions = sorted(told.legal())
            pair.apply(rng.choices(actions, [habit(told.phase(), action) for action in actions])[0])


def compare(form: str, rules: dict[str, int | str], cards: int, count: int, seed: int) -> set[Any]:
    room = solver.workspace(8)
    met = set()
    for pair in endings(form, rules, cards, count, seed):
        states = pair.states.copy()
        assert play_open(states, room)
        got = np.zeros(len(pair.reference.game.seats))
        worths(states, got)
        found = tuple(map(int, got))
        assert found in open_worths(pair.reference.game)
        met.add(found)
    return met


@pytest.mark.parametrize(("form", "rules", "cards"), CASES)
def test_open_cards(form, rules, cards):
    assert len(compare(form, rules, cards, 25, 1)) > 1


@pytest.mark.slow
@pytest.mark.parametrize(("form", "rules", "cards"), CASES)
def test_many_open_cards(form, rules, cards):
    compare(form, rules, cards, 400, 2)
    compare(form, rules, cards + 1, 60, 3)
