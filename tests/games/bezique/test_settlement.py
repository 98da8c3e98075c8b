"""The compiled settlement of rubicon bezique: the source's examples, and a slow settlement over many outcomes."""

import numba
import numpy as np
import pytest

from simcards.games.bezique.rubicon import settle
from simcards.games.registry import load
from tests.games.bezique.examples import SETTLEMENTS
from tests.games.bezique.reference import settle_rubicon


@numba.njit
def settle_all(cases, rules, values):
    for case in range(cases.shape[0]):
        value, loser, saved, rubiconed, counted = settle(
            cases[case, 0], cases[case, 1], cases[case, 2], cases[case, 3], rules[0]
        )
        values[case, 0] = value
        values[case, 1] = loser
        values[case, 2] = saved
        values[case, 3] = rubiconed
        values[case, 4] = counted


def settled(cases):
    rules = load("rubicon-bezique").workspace({})[0]["rules"].copy()
    values = np.zeros((len(cases), 5), np.int64)
    settle_all(np.asarray(cases, np.int64), rules, values)
    return values


@pytest.mark.parametrize("case", SETTLEMENTS, ids=lambda case: case.name)
def test_examples_of_the_source(case):
    ((value, loser, saved, rubiconed, counted),) = settled([(*case.points, *case.brisques)])
    assert value == case.value
    assert loser == (-1 if value == 0 else int(value > 0))
    assert bool(saved) == any(case.saved)
    assert bool(rubiconed) == any(case.rubiconed)
    assert counted == case.counted


def test_against_the_slow_settlement():
    rng = np.random.default_rng(1)
    brisques = rng.integers(0, 33, 100_000)
    points = rng.integers(0, 250, (100_000, 2)) * 10
    points[::3, 1] = points[::3, 0] + rng.integers(-40, 40, len(points[::3])) * 10  # near ones are where it matters
    cases = np.column_stack([np.maximum(points, 0), brisques, 32 - brisques])
    values = settled(cases)
    for case, value in zip(cases.tolist(), values.tolist(), strict=True):
        slow = settle_rubicon(case[:2], case[2:])
        assert value[0] == slow.value, case
        assert value[2] == any(slow.saved), case
        assert value[3] == any(slow.rubiconed), case
        assert value[4] == slow.counted, case
