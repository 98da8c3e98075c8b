"""Random play against random play with other random numbers: no difference, in every game and every seat."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simcards.games import registry
from simcards.study.match import match
from simcards.study.plan import make_plan
from simcards.study.table import matrix, table

DEALS = 2000
FAR = 4.5  # standard errors: of a hundred such comparisons one in 1,500 is farther off by chance

TWIN = """
from simcards import actions, strategy
from simcards.games.registry import load
from simcards.kernel.rng import bounded

twin = strategy("{game}")


def choose(view, legal, rng):
    bounded(rng, 7)  # so that its numbers are not those of random
    found = actions(legal)
    return found[bounded(rng, len(found))]


for phase in load("{game}").phases:
    twin.phase(phase)(choose)
"""


@pytest.fixture
def twin(tmp_path, game_id):
    """Random play that draws other random numbers than ``random``."""
    path = tmp_path / "twin.py"
    path.write_text(TWIN.format(game=game_id))
    return f"{path}:twin"


def payoffs(game_id, strategies):
    """What each seat is paid in each deal, and the number of the seat."""
    plan = make_plan(game_id, deals=DEALS, strategies=strategies, seed=12)
    at = table(plan)
    rows = at.rows(DEALS)
    assert at.play(0, DEALS, rows) is None
    places = [k for k, column in enumerate(at.game.columns) if column.quantity.name == at.game.payoff]
    return matrix(rows)[:, places].astype(float)


def test_a_twin_of_random_does_as_well_in_every_seat(game_id, twin):
    known = registry.ruleset(game_id)
    usual = payoffs(game_id, "random")
    for seat in range(known.players):
        names = ["random"] * known.players
        names[seat] = twin
        other = payoffs(game_id, names)
        assert not np.array_equal(other, usual), "it does draw other numbers"
        difference = (other - usual)[:, seat]
        assert abs(difference.mean()) <= FAR * difference.std(ddof=1) / math.sqrt(DEALS), known.seats[seat]


def test_and_over_all_seatings(game_id, twin):
    if registry.ruleset(game_id).players < 2:
        pytest.skip("it is played alone")
    outcome = match(game_id, [twin, "random"], deals=DEALS, seed=13, workers=1)
    row = next(row for row in outcome.rows() if row.estimate.quantity == outcome.study.game.payoff)
    assert row.estimate.se > 0.0
    assert abs(row.comparison.z) <= FAR
    alike = match(game_id, ["random", "random"], deals=200, seed=13, workers=1)
    row = next(row for row in alike.rows() if row.estimate.quantity == outcome.study.game.payoff)
    assert (row.estimate.estimate, row.estimate.se) == (0.0, 0.0), "with the same numbers there is none at all"
