"""Bezique for three, for four and in the Polish way: the compiled games against their reference.

The same cards and decisions go through both; actor, phase, legal actions, scores and, in the end, the whole row agree.
Games come from the kernel's own strategies and from the reference, which plays games full of declarations.
"""

from __future__ import annotations

from typing import Any

import pytest

from .compare import Pair
from .heavy_many import HEAVY, VARIATIONS, games, heavy_game
from .kernel import DEAL, Kernel, kernel
from .reference_many import RANKS, SUITS, Action, Many
from .test_many_reference import number

CODES = {rank + suit: 8 * s + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)}
NAMES = {code: card for card, code in CODES.items()}
SHOW = 17  # added to a declaration that is not scored

TRACED = 4  # games to the target a variation and strategy in an ordinary run; deals: five times as many


class Numbered:
    """The reference with the numbers of the compiled games for cards and actions."""

    def __init__(self, game: str, rules: dict[str, Any]) -> None:
        self.many = Many(game, rules)

    def words(self) -> dict[int, Action]:
        return {
            number(("declare", *action[1:])) + SHOW if action[0] == "show" else number(action): action
            for action in self.many.legal()
        }

    @property
    def over(self) -> bool:
        return self.many.over

    def feed(self, deck: list[int]) -> None:
        self.many.feed([NAMES[code] for code in deck])

    def phase(self) -> str:
        return self.many.phase()

    def actor(self) -> int:
        return self.many.actor()

    def legal(self) -> set[int]:
        return set(self.words())

    def apply(self, action: int) -> None:
        self.many.apply(self.words()[action])

    def row(self) -> dict[str, Any]:
        return self.many.row()


class Compared(Pair):
    """One game in both, with the scores after every step."""

    def __init__(self, compiled: Kernel, rules: dict[str, Any]) -> None:
        super().__init__(compiled, Numbered(compiled.name, rules))
        self.many: Many = self.reference.many

    def check(self) -> None:
        super().check()
        points = self.states["public"]["points"][0].tolist()[: len(self.many.seats)]
        assert points == self.many.row()["points"], f"step {self.steps}"


def compare_traced(game: str, rules: dict[str, Any], strategy: str, indices: range) -> None:
    """Compare games that the kernel's strategy plays."""
    compiled = kernel(game, rules)
    for index in indices:
        traced = compiled.trace(strategy, 7, index)
        pair = Compared(compiled, rules)
        decks = iter(traced.decks)
        for action in traced.actions:
            if action == DEAL:
                pair.deal(next(decks))
            else:
                pair.apply(action)
        pair.finish()


def compare_heavy(game: str, rules: dict[str, Any], seeds: range) -> None:
    """Compare games full of declarations that the reference plays."""
    compiled = kernel(game, rules)
    for seed in seeds:
        pair = Compared(compiled, rules)
        for step in heavy_game(pair.many, seed):
            if isinstance(step, list):
                pair.deal([CODES[card] for card in step])
            else:
                pair.apply(next(code for code, words in pair.reference.words().items() if words == step))
        pair.finish()


@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_traced_games(game: str, rules: dict[str, Any], strategy: str) -> None:
    compare_traced(game, rules, strategy, range(games(game, rules, TRACED)))


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_games_full_of_declarations(game: str, rules: dict[str, Any]) -> None:
    compare_heavy(game, rules, range(games(game, rules, HEAVY)))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_traced_games(game: str, rules: dict[str, Any], strategy: str) -> None:
    compare_traced(game, rules, strategy, range(games(game, rules, TRACED), games(game, rules, 6 * TRACED)))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_games_full_of_declarations(game: str, rules: dict[str, Any]) -> None:
    compare_heavy(game, rules, range(games(game, rules, HEAVY), games(game, rules, 6 * HEAVY)))
