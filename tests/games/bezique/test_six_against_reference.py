"""The compiled games with six packs against the reference: the same at every step, and the same row.

Games come from the kernel's own strategies, traced, and from the reference: random ones and ones full of
declarations.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from .heavy_six import NORMAL_RUN, VARIATIONS, play_heavy, uncovered
from .reference import DEFAULTS, pack
from .reference_six import CHINESE, SIX, make

if TYPE_CHECKING:
    from .kernel import Kernel

DEAL = -1
BY_GAME = {game: [rules for name, rules in VARIATIONS if name == game] for game in (CHINESE, SIX)}
TRACED_RUN = 60  # traced games a variation and strategy

# Where the compiled game calls something otherwise: reference's name -> its name.
RULES = {"low_loser": "low_loser_bonus"}
PHASES = {"last": "take"}
QUANTITIES: dict[str, str] = {}

# What a row must have, beside points_*, count_* and first_* of every combination and premium.
NEEDED = {
    CHINESE: {"points", "tricks", "brisques", "cartes_blanches", "value", "won"},
    SIX: {"points", "tricks", "brisques", "cartes_blanches", "value", "won"},
}


@cache
def _compiled(game: str, rules: tuple[tuple[str, int], ...]) -> Kernel:
    from .kernel import Kernel

    return Kernel(game, {RULES.get(name, name): value for name, value in rules})


def compiled(game: str, rules: dict[str, int]) -> Kernel:
    """The compiled game under these rules."""
    return _compiled(game, tuple(sorted(rules.items())))


def position(game: Kernel, states: Any = None) -> tuple[int, str, set[int]]:
    """Actor, phase and legal actions; the phase by the game's own list of phases."""
    from .kernel import actor_of, legal_of, phase_of

    states = game.states if states is None else states
    mask = int(legal_of(states))
    return (
        int(actor_of(states)),
        game.game.phases[int(phase_of(states))],
        {action for action in range(64) if mask >> action & 1},
    )


def same_row(game: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    named = {QUANTITIES.get(name, name): value for name, value in ours.items()}
    needed = {QUANTITIES.get(name, name) for name in NEEDED[game]}
    needed |= {name for name in named if name.startswith(("points_", "count_", "first_"))}
    assert not needed - set(theirs)
    assert not {name: (named[name], theirs[name]) for name in named if name in theirs and named[name] != theirs[name]}


def expected(reference: Any) -> tuple[int, str, set[int]]:
    return reference.actor(), PHASES.get(reference.phase(), reference.phase()), reference.legal()


def compare_traced(game: str, rules: dict[str, int], strategy: str, games: range) -> None:
    kernel = compiled(game, rules)
    for index in games:
        traced = kernel.trace(strategy, 7, index)
        assert traced.actions[0] == DEAL
        reference = make(game, rules, traced.decks)
        for step, action in enumerate(traced.actions[1:], 1):
            where = f"{strategy}, game {index}, step {step}, after {traced.actions[1:step]}"
            assert position(kernel, traced.seen[step : step + 1]) == expected(reference), where
            reference.apply(action)
        assert reference.over
        same_row(game, reference.row(), traced.row)


def compare_replayed(game: str, rules: dict[str, int], decks: list[list[int]], actions: list[int]) -> None:
    """Prefix by prefix; then the whole game and its row."""
    kernel = compiled(game, rules)
    reference = make(game, rules, decks)
    for step, action in enumerate(actions):
        kernel.replay(decks, [DEAL, *actions[:step]])
        assert position(kernel) == expected(reference), f"after {actions[:step]}"
        reference.apply(action)
    kernel.replay(decks, [DEAL, *actions])
    assert reference.over
    same_row(game, reference.row(), kernel.row())


@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_traced_games(game: str, rules: dict[str, int], strategy: str) -> None:
    compare_traced(game, rules, strategy, range(TRACED_RUN))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_traced_games(game: str, rules: dict[str, int], strategy: str) -> None:
    compare_traced(game, rules, strategy, range(TRACED_RUN, 15 * TRACED_RUN))


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_random_games(game: str, rules: dict[str, int]) -> None:
    for seed in range(10):
        rng = random.Random(f"{game} {seed}")
        deck = rng.sample(pack(game), len(pack(game)))
        reference = make(game, rules, [deck])
        actions: list[int] = []
        while not reference.over:
            actions.append(rng.choice(sorted(reference.legal())))
            reference.apply(actions[-1])
        compare_replayed(game, rules, [deck], actions)


@pytest.mark.parametrize("game", NORMAL_RUN)
def test_games_full_of_declarations(game: str) -> None:
    events: Counter[str] = Counter()
    for rules in BY_GAME[game]:
        for seed in range(NORMAL_RUN[game]):
            reference, decks, actions = play_heavy(game, rules, seed)
            events += reference.events
            compare_replayed(game, rules, decks, actions)
    assert not uncovered(game, events)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_games_full_of_declarations(game: str, rules: dict[str, int]) -> None:
    start = NORMAL_RUN[game]
    for seed in range(start, 10 * start):
        _, decks, actions = play_heavy(game, rules, seed)
        compare_replayed(game, rules, decks, actions)


@pytest.mark.parametrize("game", NORMAL_RUN)
def test_printed_values(game: str) -> None:
    """The rules of the compiled game have the values which the reference took from the source."""
    defaults = {rule.name: rule.default for rule in compiled(game, {}).game.ruleset.rules}
    wanted = {RULES.get(name, name): value for name, value in DEFAULTS[game].items()}
    assert {name: defaults.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("game", NORMAL_RUN)
def test_row_has_no_unchecked_quantity(game: str) -> None:
    """Every byte of the compiled row belongs to a field which the reference measures as well."""
    row = compiled(game, {}).game.row
    measured = {QUANTITIES.get(name, name) for name in play_heavy(game, {}, 0)[0].row()}
    left = set(range(row.itemsize))
    for name in measured & set(row.names):
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not [name for name in row.names if row.fields[name][1] in left]
