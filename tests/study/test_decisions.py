"""Both answers to a question at every decision: against advice on the same decisions, and cut up in any way."""

from __future__ import annotations

import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.study.advise import replayed_position
from simcards.study.decisions import Cell, DecisionStudy, decisions
from simcards.study.plan import make_plan
from simcards.study.replay import replay

BY = ("points", "trumps")


def asked(deals, **settings):
    plan = make_plan("sixty-six", deals=deals, strategies="basic", seed=3)
    return decisions(plan, "close", 1, BY, 8, workers=1, **settings)


def test_the_cells_hold_every_decision():
    made = asked(12)
    plan = made.plan
    found = {}
    for deal in range(12):
        played = replay(plan, deal)
        for number, step in enumerate(played.steps):
            if step.phase != "close":
                continue
            state = played.states[number]
            seat = plan.ruleset.seats.index(step.seat)
            trump = int(state["common"]["trump"])
            trumps = sum(int(state["hand"][seat]) >> card & 1 for card in range(6 * trump, 6 * trump + 6))
            cell = Cell(min(9, int(state["public"]["points"][seat]) // 10), min(5, trumps))
            count, yes = found.get(cell, (0, 0))
            found[cell] = (count + 1, yes + step.code)
    assert {cell: made.positions(cell) for cell in made.study.cells if made.positions(cell)} == {
        cell: count for cell, (count, _) in found.items()
    }
    for cell, (count, yes) in found.items():
        assert made.taken(cell).estimate == pytest.approx(yes / count)


def test_a_decision_is_worth_what_advice_says():
    """One decision alone in its cell: the mean over its worlds is that of the search, on other worlds."""
    plan = make_plan("sixty-six", deals=1, strategies="basic", seed=3)
    made = decisions(plan, "close", 1, ("trick", "trumps"), 2_000, workers=1)
    steps = replay(plan, 0).steps
    number = next(place for place, step in enumerate(steps) if step.phase == "close")
    question = replayed_position(plan, 0, number + 1)
    import simcards

    advice = simcards.game("sixty-six").advise(deal=0, decision=number + 1, seed=3, worlds=2_000, workers=1)
    assert question.phase == "close"
    rows = advice.frame.set_index("action")
    gain = rows.loc["closes the stock", "estimate"] - rows.loc["leaves the stock open", "estimate"]
    error = rows["difference_se"].max()
    cell = next(cell for cell in made.study.cells if cell.first == 0 and made.positions(cell))
    assert made.positions(cell) == 1
    assert abs(made.gain(cell).estimate - gain) < 5 * np.sqrt(2) * max(error, 0.01)


def test_it_does_not_matter_how_it_is_cut_up(tmp_path):
    whole = asked(30, chunk=30)
    assert asked(30, chunk=7).tally == whole.tally
    assert asked(15, chunk=4, checkpoint=tmp_path / "c").tally != whole.tally
    assert asked(30, chunk=4, checkpoint=tmp_path / "c", resume=True).tally == whole.tally


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"phase": "shut"}, "no phase 'shut' of sixty-six"),
        ({"by": ("points", "points")}, "two different marks"),
        ({"by": ("points", "pionts")}, "no mark '.*' of sixty-six"),
        ({"worlds": 1}, "from 2 to"),
        ({"action": 64}, "from 0 to 63"),
    ],
)
def test_what_is_not_there_is_told(change, told):
    plan = make_plan("sixty-six", deals=1, strategies="basic")
    with pytest.raises(UsageError, match=told):
        DecisionStudy(**{"plan": plan, "phase": "close", "action": 1, "by": BY, **change}).check()
