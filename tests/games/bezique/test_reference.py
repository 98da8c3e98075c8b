"""The reference against the worked examples of CATALOGUE 3.1 and against what must hold in every game."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .examples import EXAMPLES, SETTLEMENTS, Check, Example, SettlementCase
from .heavy import COVERED, NORMAL_RUN, VARIATIONS, play_heavy, uncovered
from .reference import DEFAULTS, MELDS, MISSING, PHASES, Reference, pack, settle_rubicon


def check_position(reference: Reference, check: Check) -> None:
    legal = reference.legal()
    assert check.legal <= legal
    assert not check.illegal & legal
    if check.exactly is not None:
        assert legal == check.exactly
    if check.actor is not None:
        assert reference.actor() == check.actor
    if check.phase is not None:
        assert reference.phase() == check.phase
    if check.points is not None:
        assert reference.points == check.points


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example(example: Example) -> None:
    reference = Reference(example.game, example.rules, example.decks)
    checks = {}
    for check in example.checks:
        checks.setdefault(check.step, []).append(check)
    for step in range(len(example.actions) + 1):
        for check in checks.pop(step, []):
            check_position(reference, check)
        if step < len(example.actions):
            reference.apply(example.actions[step])
    assert not checks
    assert reference.over
    row = reference.row()
    assert {name: row[name] for name in example.row} == example.row


@pytest.mark.parametrize("case", SETTLEMENTS, ids=lambda case: case.name)
@pytest.mark.parametrize("swapped", [False, True])
def test_settlement(case: SettlementCase, swapped: bool) -> None:
    turn = slice(None, None, -1 if swapped else 1)
    value, saved, rubiconed, counted, winner = settle_rubicon(case.points[turn], case.brisques[turn])
    assert value == (-case.value if swapped else case.value)
    assert saved == case.saved[turn]
    assert rubiconed == case.rubiconed[turn]
    assert counted == case.counted
    assert winner == (None if value == 0 else int(value < 0))


def random_row(game: str, rules: dict[str, int | str], seed: int) -> Reference:
    rng = random.Random(seed)
    reference = Reference(game, rules)
    while not reference.over:
        if reference.step == "deal":
            reference.feed(rng.sample(pack(game), len(pack(game))))
        else:
            reference.apply(rng.choice(sorted(reference.legal())))
    return reference


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_sums(game: str, rules: dict[str, int | str]) -> None:
    """Points are the sum of what was scored, values times counts; the totals of CATALOGUE E-BEZ-4."""
    for seed in range(20):
        for reference in (random_row(game, rules, seed), play_heavy(game, rules, seed)[0]):
            row = reference.row()
            values = DEFAULTS[game] | rules
            parts = [name for name in row if name.startswith("points_")]
            for seat in (0, 1):
                assert row["points"][seat] == sum(row[name][seat] for name in parts)
                assert row["declarations"][seat] == sum(row[f"count_{name}"][seat] for name in MELDS[game])
                for name in MELDS[game]:
                    assert row[f"points_{name}"][seat] == values[name] * row[f"count_{name}"][seat]
                    assert (row[f"first_{name}"][seat] == MISSING) == (row[f"count_{name}"][seat] == 0)
            whole = game == "rubicon-bezique" or values["target"] == 0
            if whole:
                assert sum(row["tricks"]) == (64 if game == "rubicon-bezique" else 32)
                assert sum(row["brisques"]) == (32 if game == "rubicon-bezique" else 16)
                assert sum(row["points_last_trick"]) == values["last_trick"]
                if game == "bezique":
                    assert sum(row["points_brisques"]) == 16 * values["brisque"]
            else:
                assert max(row["points"]) >= values["target"]
                assert sum(row["won"]) == 1
            assert row["value"][0] == -row["value"][1]


@pytest.mark.parametrize(("game", "rules"), VARIATIONS)
def test_cards_are_conserved(game: str, rules: dict[str, int | str]) -> None:
    """Every card is in one place, hands are restored after every trick, and combinations lie on the table."""
    size = 9 if game == "rubicon-bezique" else 8
    for seed in range(4):
        _, decks, actions = play_heavy(game, rules, seed)
        reference = Reference(game, rules, decks)
        played: list[int] = []
        deal, tricks = 1, 0
        for action in actions:
            before = reference.step
            reference.apply(action)
            if reference.deals != deal:
                deal, played = reference.deals, []
                tricks = reference.trick
                continue
            if before == "play":
                played.append(action % 32)
            rest = [card.code for player in reference.players for card in player.hand + player.table]
            rest += [card.code for card in reference.stock]
            if reference.turn_up is not None:
                rest.append(reference.turn_up.code)
            assert sorted(rest + played) == pack(game)
            assert reference.phase() in PHASES[game]
            new_trick = reference.step == "play" and reference.lead is None and not reference.over
            if new_trick and reference.phase_one:
                assert [len(p.hand) + len(p.table) for p in reference.players] == [size, size]
                assert reference.trick - tricks == len(played) // 2
            for player in reference.players:
                if reference.phase_one:
                    for meld in player.melds:
                        lies = all(card in player.table for card in meld.cards)
                        assert lies == (not meld.broken)


def test_heavy_games_cover_the_rules() -> None:
    """The generator of the differential test reaches what random play does not."""
    seen: dict[str, Counter[str]] = {"bezique": Counter(), "rubicon-bezique": Counter()}
    for game, rules in VARIATIONS:
        for seed in range(NORMAL_RUN[game]):
            seen[game] += play_heavy(game, rules, seed)[0].events
    for game in COVERED:
        assert not uncovered(game, seen[game])
