"""Skat, compiled, against the reference: the same at every step, and the same row."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ..bezique.compare import Pair
from ..bezique.kernel import DEAL, Kernel, kernel
from .numbered import CODES, GAMES, Numbered
from .reference import DEFAULTS, Rules

VARIATIONS: list[Rules] = [
    {"deals": 1},
    {"deals": 5, "calls": "any"},
    {"deals": 6, "passed_in": "counts", "calls": "any", "open_null": "yes", "hand_loss": "double"},
    {"deals": 4, "most_redeals": 1, "skat_matadors": "no", "schneider": 91, "schneidered": 31},
    {"deals": 1, "null_ends": "with_the_cards", "calls": "any", "open_null": "yes", "lost_value": "bid"},
    {"deals": 1, "lost_value": "bid", "calls": "any", "hand_loss": "double", "skat_matadors": "no"},
]


class Both(Pair):
    """Scores are compared at every step as well."""

    def check(self) -> None:
        super().check()
        seats = self.reference.game.players
        assert self.states[0]["common"]["totals"][:seats].tolist() == self.reference.points(), f"step {self.steps}"


def traced(compiled: Kernel, game: str, rules: Rules, strategy: str, index: int) -> Counter[str]:
    """A game that the compiled players play."""
    record = compiled.trace(strategy, 11, index)
    pair = Both(compiled, Numbered(game, rules))
    decks = iter(record.decks)
    for action in record.actions:
        if action == DEAL:
            pair.deal(next(decks))
        else:
            pair.apply(action)
    pair.finish()
    return pair.reference.game.events


def order(rng: random.Random) -> list[int]:
    """A dealing order; often with the high cards, or with one suit, ahead of the others or behind them."""
    liked = rng.choice(("", "JAT", "A", "789", rng.choice("SHDC")))
    sign = rng.choice((-1, 1))
    return sorted(range(32), key=lambda code: rng.random() - 0.6 * sign * bool(set(CODES[code]) & set(liked)))


def chance(reference: Numbered, action: int, habit: int) -> float:
    """Bids of different boldness; habits of leading high or low, so that schwarz and nulls come up too."""
    step = reference.game.step
    if step == "call":
        return (0.9, 0.97, 0.5)[habit] ** action if action else (2.0, 0.2, 2.0)[habit]
    if step == "announce":
        return 1.0 + 5 * (action % 6 == 5) + (action % 6 == 4)
    if step in ("play", "discard") and habit:
        return (5.0 if habit == 1 else 0.2) ** "789QKTAJ".index(CODES[action][0])
    return 1.0


def random_game(compiled: Kernel, game: str, rules: Rules, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    habit = rng.randrange(3)
    reference = Numbered(game, rules)
    pair = Both(compiled, reference)
    while not reference.over:
        if reference.phase() == "deal":
            pair.deal(order(rng))
            continue
        legal = sorted(reference.legal())
        pair.apply(rng.choices(legal, [chance(reference, action, habit) for action in legal])[0])
    pair.finish()
    return reference.game.events


def play(game: str, games: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for rules in VARIATIONS:
        compiled = kernel(game, dict(rules))
        for index in games:
            for strategy in ("random", "basic"):
                seen += traced(compiled, game, rules, strategy, index)
            seen += random_game(compiled, game, rules, index)
    return seen


WANTED = {f"{kind} {end}" for kind in ("S", "H", "D", "C", "grand", "null") for end in ("won", "lost")} | {
    "passed in",
    "hand",
    "with the skat",
    "schneider",
    "schneider announced",
    "schwarz",
    "schwarz announced",
    "ouvert",
    "overbid",
    "promise broken",
}


@pytest.mark.parametrize("game", GAMES)
def test_games_alike(game: str) -> None:
    seen = play(game, range(12))
    assert not WANTED - set(seen)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_games_alike(game: str) -> None:
    seen = play(game, range(12, 152))
    assert not WANTED - set(seen)


@pytest.mark.parametrize("game", GAMES)
def test_printed_values(game: str) -> None:
    """The rules of the compiled game have the values which the reference took from the text."""
    printed = {rule.name: rule.default for rule in kernel(game, {}).game.ruleset.rules}
    assert printed == DEFAULTS | GAMES[game]
