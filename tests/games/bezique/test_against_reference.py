"""The compiled games against the reference: same actor, phase and legal actions at every step, same row.

Three sources of games: the kernel's own strategies, traced; games full of declarations which the reference
plays (see `heavy`), replayed prefix by prefix; and the worked examples of the catalogue.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from .examples import EXAMPLES, Example
from .heavy import NORMAL_RUN, VARIATIONS, play_heavy, uncovered
from .reference import Reference

DEAL = -1
BY_GAME = {game: [rules for name, rules in VARIATIONS if name == game] for game in NORMAL_RUN}
TRACED_RUN = {"bezique": 30, "rubicon-bezique": 100}  # traced games a variation and strategy


@pytest.fixture(scope="module")
def kernel() -> Any:
    """`kernel(game, rules)`; imported here so that without the compiled games the tests fail one by one."""
    from .kernel import kernel

    return kernel


def same_row(ours: dict[str, int | list[int]], theirs: dict[str, int | list[int]]) -> None:
    different = {name: (ours[name], theirs.get(name)) for name in ours if ours[name] != theirs.get(name)}
    assert not different


def compare_traced(compiled: Any, game: str, rules: dict[str, int | str], strategy: str, games: range) -> None:
    for index in games:
        traced = compiled.trace(strategy, 7, index)
        reference = Reference(game, rules)
        decks = iter(traced.decks)
        for step, action in enumerate(traced.actions):
            where = f"{strategy}, game {index}, step {step}"
            if action == DEAL:
                assert reference.phase() == "deal", where
                reference.feed(next(decks))
                continue
            expected = (reference.actor(), reference.phase(), reference.legal())
            assert tuple(compiled.position(traced.seen[step : step + 1])) == expected, where
            reference.apply(action)
        assert reference.over
        same_row(reference.row(), traced.row)


@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_traced_games(kernel: Any, game: str, rules: dict[str, int | str], strategy: str) -> None:
    compare_traced(kernel(game, rules), game, rules, strategy, range(TRACED_RUN[game]))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_traced_games(kernel: Any, game: str, rules: dict[str, int | str], strategy: str) -> None:
    start = TRACED_RUN[game]
    compare_traced(kernel(game, rules), game, rules, strategy, range(start, 15 * start))


def with_deals(game: str, rules: dict[str, int | str], decks: Any, actions: Any) -> list[int]:
    """The actions with DEAL put in where cards are dealt."""
    reference = Reference(game, rules)
    left = [list(deck) for deck in decks]
    marked: list[int] = []
    for action in actions:
        if reference.step == "deal":
            reference.feed(left.pop(0))
            marked.append(DEAL)
        reference.apply(action)
        marked.append(action)
    if reference.step == "deal" and not reference.over:  # a game over with the turn-up
        reference.feed(left.pop(0))
        marked.append(DEAL)
    assert reference.over
    assert not left
    return marked


def compare_replayed(compiled: Any, game: str, rules: dict[str, int | str], decks: Any, actions: Any) -> None:
    """Prefix by prefix; then the whole game and its row."""
    marked = with_deals(game, rules, decks, actions)
    reference = Reference(game, rules)
    left = [list(deck) for deck in decks]
    for step, action in enumerate(marked):
        if action == DEAL:
            reference.feed(left.pop(0))
            continue
        compiled.replay(decks, marked[:step])
        expected = (reference.actor(), reference.phase(), reference.legal())
        assert tuple(compiled.position()) == expected, f"after {marked[:step]}"
        reference.apply(action)
    compiled.replay(decks, marked)
    same_row(reference.row(), compiled.row())


@pytest.mark.parametrize("game", NORMAL_RUN)
def test_games_full_of_declarations(kernel: Any, game: str) -> None:
    events: Counter[str] = Counter()
    for rules in BY_GAME[game]:
        for seed in range(NORMAL_RUN[game]):
            reference, decks, actions = play_heavy(game, rules, seed)
            events += reference.events
            compare_replayed(kernel(game, rules), game, rules, decks, actions)
    assert not uncovered(game, events)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_many_games_full_of_declarations(kernel: Any, game: str, rules: dict[str, int | str]) -> None:
    start = NORMAL_RUN[game]
    for seed in range(start, 10 * start):
        _, decks, actions = play_heavy(game, rules, seed)
        compare_replayed(kernel(game, rules), game, rules, decks, actions)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(kernel: Any, example: Example) -> None:
    """The worked examples, with the results printed there rather than the reference's."""
    compiled = kernel(example.game, example.rules)
    marked = with_deals(example.game, example.rules, example.decks, example.actions)
    places = [place for place, action in enumerate(marked) if action != DEAL]
    for check in example.checks:
        if check.step == len(places):  # the game is over, nothing is asked
            continue
        compiled.replay(example.decks, marked[: places[check.step]])
        actor, phase, legal = compiled.position()
        assert check.legal <= legal
        assert not check.illegal & legal
        assert check.exactly is None or legal == check.exactly
        assert check.actor is None or actor == check.actor
        assert check.phase is None or phase == check.phase
    compiled.replay(example.decks, marked)
    row = compiled.row()
    assert {name: row[name] for name in example.row} == example.row


@pytest.mark.parametrize("game", NORMAL_RUN)
def test_row_has_no_unchecked_quantity(kernel: Any, game: str) -> None:
    """Every byte of the compiled row belongs to a field which the reference measures as well."""
    rules = BY_GAME[game][0]
    row = kernel(game, rules).game.row
    left = set(range(row.itemsize))
    for name in play_heavy(game, rules, 0)[0].row():
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not left
