from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import simcards
from simcards.errors import UsageError
from simcards.study.plan import make_plan


def plan_of(**changes):
    return make_plan(**{"game": "toy-whist", "deals": 100, "strategies": "random", **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "toy-whits"}, "there is no game 'toy-whits'; did you mean 'toy-whist'?"),
        ({"game": 7}, "a game is given by its name, not 7"),
        ({"strategies": "randon"}, "there is no strategy 'randon' for toy-whist; did you mean 'random'?"),
        ({"strategies": ["random", "lowst", "random", "random"]}, "did you mean 'lowest'?"),
        (
            {"strategies": ["random", "lowest"]},
            "toy-whist takes one strategy or 4 (north, east, south, west), not 2",
        ),
        ({"strategies": ["random"] * 5}, "not 5"),
        ({"strategies": [1]}, "a strategy is given by its name, not 1"),
        ({"unit": "gane"}, "there is no unit 'gane' of toy-whist; did you mean 'game'?"),
        ({"rules": {"targt": 5}}, "there is no rule 'targt' of toy-whist; did you mean 'target'?"),
        ({"rules": {"target": "many"}}, "the rule 'target' takes a whole number, not 'many'"),
        ({"rules": {"target": 1001}}, "the rule 'target' takes a number from 0 to 1000, not 1001"),
        ({"rules": {"trump": "lest"}}, "did you mean 'last'?"),
        ({"seed": -1}, "the seed must be from 0 to 2**64 - 1, not -1"),
        ({"seed": 2**64}, "the seed must be from 0 to 2**64 - 1, not 18446744073709551616"),
        ({"seed": 1.5}, "the seed must be a whole number, not 1.5"),
        ({"deals": 0}, "the number of deals must be from 1 to 10**15, not 0"),
        ({"deals": -3}, "not -3"),
        ({"deals": 10**15 + 1}, "not 1000000000000001"),
        ({"deals": 1e6}, "the number of deals must be a whole number, not 1000000.0"),
        ({"deals": True}, "the number of deals must be a whole number, not True"),
        ({"deals": "100"}, "the number of deals must be a whole number, not '100'"),
        ({"cards": {"nort": "AS"}}, "there is no hand 'nort' in toy-whist; did you mean 'north'?"),
        ({"cards": {"north": "AX"}}, "AX"),
        ({"cards": {"north": "*"}}, "there is no joker in this pack of 52"),
        ({"cards": {"north": "AS AS"}}, "AS is given 2 times; the pack has 1"),
        ({"cards": {"north": "AS", "west": "AS"}}, "AS is given 2 times; the pack has 1"),
        ({"cards": {"north": "AKQJT98765432S AH"}}, "north takes 13 cards, not 14"),
    ],
)
def test_wrong_input_is_refused_in_one_line(changes, message):
    with pytest.raises(UsageError) as caught:
        plan_of(**changes)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_synonyms_numpy_integers_and_one_name_for_all_seats():
    plan = plan_of(game="Вист для проб", deals=np.int64(5), seed=np.uint64(2**64 - 1))
    assert plan.game == "toy-whist"
    assert plan.strategies == ("random",) * 4
    assert (plan.deals, plan.seed) == (5, 2**64 - 1)
    assert type(plan.seed) is int


def test_the_default_strategy_is_basic_where_there_is_one():
    assert make_plan("toy-whist", deals=1).strategies == ("random",) * 4
    assert make_plan("rubicon-bezique", deals=1).strategies == ("basic",) * 2


def test_the_users_changes_lie_on_top_of_those_that_make_the_unit():
    assert plan_of().rules["target"] == 0
    assert plan_of(unit="game").rules["target"] == 20
    assert plan_of(unit="game", rules={"target": "30"}).rules["target"] == 30
    assert plan_of(rules={"target": 30}).rules["target"] == 30


def test_a_plan_travels_and_can_be_a_key():
    plan = plan_of(cards={"north": "♠A 10H"}, rules={"trump": "none"})
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert len({plan, pickle.loads(pickle.dumps(plan))}) == 1
    assert plan.cards == (("north", ("AS", "TH")),)


def test_the_fingerprint_changes_with_whatever_changes_the_rows(monkeypatch):
    plan = plan_of()
    assert replace(plan, deals=5).fingerprint() == plan.fingerprint()
    assert plan_of(rules={"target": 0}).fingerprint() == plan.fingerprint()
    others = [
        plan_of(seed=1),
        plan_of(unit="game"),
        plan_of(rules={"trump": "none"}),
        plan_of(strategies="lowest"),
        plan_of(strategies=["random"] * 3 + ["lowest"]),
        plan_of(cards={"north": "AS"}),
        plan_of(cards={"east": "AS"}),
    ]
    prints = {plan.fingerprint(), *(other.fingerprint() for other in others)}
    assert len(prints) == len(others) + 1
    monkeypatch.setattr(simcards, "__version__", "99")
    assert plan.fingerprint() not in prints
