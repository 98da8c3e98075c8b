"""Open cards in the compiled deberts against everything that can happen in the reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.games.bezique.compare import Pair
from tests.games.bezique.kernel import kernel

from .reference import open_value
from .test_against_reference import Told, chances, runs_together
from .test_open import by_solver

CASES: list[tuple[dict[str, int | str], tuple[int, int]]] = [
    ({"target": 0}, (0, 0)),
    ({"target": 0, "silence": "no", "run_order": "natural"}, (0, 0)),
    ({"target": 0, "overtrump": "yes", "bella": 35}, (0, 0)),
    ({}, (430, 440)),
    ({"least_gain": 9}, (470, 395)),
]


def likely(phase: str, action: int, trump: str) -> float:
    """Play at random, but keep king and queen of trumps: what can be announced is to be left."""
    return 0.05 if phase == "play" and trump and action in ("SHDC".index(trump) * 8 + rank for rank in (4, 5)) else 1


def endings(rules: dict[str, int | str], totals: tuple[int, int], cards: int, count: int, seed: int) -> Iterator[Pair]:
    """Positions in which the player on turn holds so many cards, after random play; the scores are given."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        told = Told(rules)
        game = told.game
        pair = Pair(kernel("deberts", rules), told)
        early = runs_together(rng.randrange(100))
        pair.deal(sorted(range(32), key=lambda card: rng.random() - 0.6 * early(card)))
        for seat in (0, 1):
            game.seats[seat].score = totals[seat]
            pair.states[0]["public"][seat]["total"] = totals[seat]
        led = rng.randrange(2)
        asked = rng.random() < 0.1  # whether bella may be announced
        while game.step not in ("deal", "over"):
            ready = len(game.seats[game.turn].hand) <= cards and bool(game.led) >= led
            if ready and game.step in (("bella",) if asked else ("play", "bella")):
                yield pair
                found += 1
                break
            actions = sorted(told.legal())
            weights = [chances(told.phase(), action) * likely(told.phase(), action, game.trump) for action in actions]
            pair.apply(rng.choices(actions, weights)[0])


def compare(rules: dict[str, int | str], totals: tuple[int, int], cards: int, count: int, seed: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for pair in endings(rules, totals, cards, count, seed):
        game = pair.reference.game
        done, found = by_solver(pair.states.copy(), 0)
        assert done or cards == 9
        if not done:  # the dealer can still exchange
            seen["closed"] += 1
            continue
        expected = open_value(game)
        assert found == expected
        trumps = {"K" + game.trump, "Q" + game.trump}
        seen["bella to come"] += any(trumps <= set(seat.hand) for seat in game.seats)
        seen["asked for bella"] += game.step == "bella"
        seen["met"] += 1
    return seen


@pytest.mark.parametrize(("rules", "totals"), CASES)
def test_open_cards(rules, totals):
    seen = compare(rules, totals, 4, 120, 1)
    assert seen["met"] == 120
    assert seen["bella to come"] > 3


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "totals"), CASES)
def test_many_open_cards(rules, totals):
    seen = compare(rules, totals, 4, 500, 2) + compare(rules, totals, 5, 100, 3)
    assert seen["asked for bella"] > 5 or rules.get("silence") == "no"
    compare(rules, totals, 6, 15, 4)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "totals"), CASES[:2])
def test_from_the_first_lead(rules, totals):
    """With all nine cards: the runs of the dealer, who speaks after the lead, are still to come."""
    seen = compare(rules, totals, 9, 3, 5)
    assert seen["met"]
