from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.kernel import drive
from simcards.study import replay as module
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples
from simcards.study.table import PlayError, table


@pytest.mark.parametrize("unit", ["deal", "game"])
def test_a_replay_is_the_row_of_its_deal(unit):
    plan = make_plan("toy-whist", deals=30, strategies=["random", "lowest", "random", "random"], unit=unit, seed=9)
    frame = samples(plan)
    for deal in (0, 3, 29):
        shown = replay(plan, deal)
        row = frame.loc[deal]
        assert shown.row == {name: None if row.isna()[name] else row[name] for name in frame}
        assert len(shown.steps) == 52 * len(shown.dealt) == 52 * shown.row["deals"]


def test_the_recorded_actions_give_the_same_row_without_any_strategy():
    plan = make_plan("toy-whist", deals=1, strategies="random", unit="game", seed=9)
    for deal in range(5):
        shown = replay(plan, deal)
        rows = table(plan).rows(1)
        states, _ = table(plan).game.workspace(plan.overrides)
        assert drive.replay(states, shown.decks, shown.actions, rows) == len(shown.actions)
        assert rows["points"][0].tolist() == [shown.row[f"points.{seat}"] for seat in plan.ruleset.seats]
        assert states[0] == shown.states[-1]


def test_steps_say_who_did_what_and_what_else_was_legal():
    plan = make_plan("toy-whist", deals=1, strategies=["random", "lowest", "random", "lowest"], seed=5)
    shown = replay(plan, 123)
    held = {seat: set(cards) for seat, cards in shown.dealt[0].cards.items()}
    assert sorted(map(len, held.values())) == [13] * 4
    for step in shown.steps:
        assert step.action in step.legal
        assert set(step.legal) <= held[step.seat]
        held[step.seat].remove(step.action)
        assert step.strategy == plan.strategies[plan.ruleset.seats.index(step.seat)]
        assert step.phase == "play"
    assert not any(held.values())
    assert len(shown.states) == len(shown.steps) + 1


def test_fixed_cards_lie_where_they_were_put():
    plan = make_plan("toy-whist", deals=1, cards={"east": "AS KS", "west": "2C"}, strategies="random")
    for deal in range(5):
        cards = replay(plan, deal).dealt[0].cards
        assert {"AS", "KS"} <= set(cards["east"])
        assert "2C" in cards["west"]
        assert len({card for place in cards.values() for card in place}) == 52


def test_the_text_tells_the_whole_deal():
    plan = make_plan("toy-whist", deals=1, strategies="random", seed=1)
    shown = replay(plan, 7)
    text = str(shown)
    lines = text.splitlines()
    assert lines[0] == "Toy whist, seed 1, deal 7: north random, east random, south random, west random"
    assert max(map(len, lines)) <= 110
    for seat, cards in shown.dealt[0].cards.items():
        line = next(line for line in lines if line.startswith(f"{seat} "))
        assert sorted(line.split()[1:]) == sorted(cards)
    for number, step in enumerate(shown.steps, 1):
        assert any(line.split()[:4] == [str(number), step.seat, "play", step.action] for line in lines)
    points = next(line.split() for line in lines if line.startswith("points"))
    assert points[1:] == [str(shown.row[f"points.{seat}"]) for seat in plan.ruleset.seats]


def test_deals_of_a_game_are_told_apart():
    shown = replay(make_plan("toy-whist", deals=1, strategies="random", unit="game"), 2)
    assert str(shown).count("\ndeal ") == len(shown.dealt) > 1
    assert [step.deal for step in shown.steps] == [k // 52 for k in range(len(shown.steps))]
    assert not np.array_equal(shown.decks[0], shown.decks[1])


def test_room_grows_with_the_game(monkeypatch):
    plan = make_plan("toy-whist", deals=1, strategies="random", unit="game")
    expected = replay(plan, 1)
    monkeypatch.setattr(module, "_ROOM", 3)
    assert replay(plan, 1) == expected


@pytest.mark.parametrize("deal", [-1, 10**15 + 1, 1.5, "7"])
def test_deals_that_are_none(deal):
    with pytest.raises(UsageError, match="the deal must be"):
        replay(make_plan("toy-whist", deals=1), deal)


def test_faults_are_reported_as_in_a_run():
    plan = make_plan("toy-whist", deals=1, strategies=["lowest", "lowest", "lowest", "broken"], seed=2)
    with pytest.raises(PlayError) as caught:
        run(replace(plan, deals=1000))
    message = str(caught.value)
    deal = int(message.split("deal ")[1].split(":")[0])
    replay(plan, deal - 1)
    with pytest.raises(PlayError) as caught:
        replay(plan, deal)
    assert str(caught.value).split("(decision")[0] == message.split("(decision")[0]
    endless = make_plan("toy-whist", deals=1, rules={"target": 1000})
    with pytest.raises(PlayError, match="deal 4: the game had not ended after 1,560 decisions"):
        replay(endless, 4)
