from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.study.engine import run
from simcards.study.match import match
from simcards.study.plan import make_plan
from simcards.study.players import find, parse, without_files
from simcards.study.replay import replay
from simcards.study.table import PlayError

from . import toy

SOURCE = """
from simcards import actions, strategy

mine = strategy("toy-whist", floor=0, ceiling=63.0)

@mine.phase("play")
def play(view, legal, rng, options):
    choice = -1
    for action in actions(legal):
        if choice < 0 or (PICK):
            choice = action
    return choice

plain = strategy("toy-whist")

@plain.phase("play", compiled=False)
def play_in_python(view, legal, rng):
    assert bin(view.hand).count("1") == 13 - view.played // 4 and view.rules.trump in (0, 1)
    return max(int(action) for action in actions(legal))

nothing = strategy("toy-whist")
"""
HIGHEST = "action > choice and floor_of(options) <= action"


def source(pick):
    return SOURCE.replace("PICK", pick)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(source("action > choice and options.floor <= action <= options.ceiling"))
    return path


def plan_of(name, deals=300):
    return make_plan("toy-whist", deals=deals, strategies=name, seed=4)


def tally_of(name):
    return run(plan_of(name), workers=2, chunk=50).tally


def test_a_strategy_of_ones_own_plays(file):
    tally = tally_of(f"{file}:mine")
    assert tally != tally_of("lowest")
    assert plan_of(f"{file}:mine").strategies == (f"{file}:mine",) * 4
    assert tally_of(f"{file}:plain") == tally, "plain Python decides as compiled code does"


def test_parameters_reach_the_functions(file):
    assert tally_of(f"{file}:mine:floor=64") == tally_of("lowest")
    assert tally_of(f"{file}:mine:floor=0,ceiling=63") == tally_of(f"{file}:mine")
    assert tally_of(f"{file}:mine:ceiling=30.5") not in (tally_of(f"{file}:mine"), tally_of("lowest"))


def test_phases_can_be_given_to_different_strategies(file):
    assert tally_of(f"play={file}:mine") == tally_of(f"{file}:mine")


MIXED = """
from simcards import actions, strategy

talker = strategy("bezique", rest="random")
player = strategy("bezique", rest="random")

@talker.phase("declare", compiled=False)
def declare(view, legal):
    return actions(legal)[0]

@player.phase("play", compiled=False)
def play(view, legal):
    return actions(legal)[0]
"""


def test_what_an_earlier_part_decides_is_not_asked_of_a_later(tmp_path):
    (tmp_path / "mixed.py").write_text(MIXED)
    game = make_plan("bezique", deals=1).load()

    def policies(name):
        return find(game, name).policies

    talk, lay, play = policies(f"{tmp_path}/mixed.py:talker")
    assert policies(f"{tmp_path}/mixed.py:talker+basic") == (talk, *game.strategies["basic"].policies[1:])
    assert policies(f"declare={tmp_path}/mixed.py:talker+lay=basic+random") == (
        talk,
        game.strategies["basic"].policies[1],
        game.strategies["random"].policies[2],
    )
    assert policies("declare=basic+random")[1:] == (lay, play)


@pytest.mark.parametrize(
    ("name", "idle", "why"),
    [
        ("declare=basic+declare=random+mc", "declare=random", "in the phase 'declare' already"),
        ("declare=basic+declare=basic", "declare=basic", "in the phase 'declare' already"),
        ("basic+mc", "mc", "in the phases 'declare', 'lay' and 'play' already"),
        ("basic+play=mc", "play=mc", "in the phase 'play' already"),
        ("play=mc+declare=mc+lay=mc+basic", "basic", "in the phases 'declare', 'lay' and 'play' already"),
        ("mixed.py:talker+declare=mc+basic", "declare=mc", "in the phase 'declare' already"),
        ("declare=mc+mixed.py:talker", "mixed.py:talker", "in the phase 'declare' already"),
        ("play=mixed.py:talker+basic", "play=mixed.py:talker", "talker does not decide in the phase 'play'"),
        ("mixed.py:talker+mixed.py:player+lay=mc+basic", "basic", "'declare', 'lay' and 'play' already"),
    ],
)
def test_a_part_that_is_never_asked_is_refused(tmp_path, monkeypatch, name, idle, why):
    (tmp_path / "mixed.py").write_text(MIXED)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        make_plan("bezique", deals=1, strategies=name)
    assert str(caught.value).startswith(f"{idle!r} in {name!r} is never asked: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_is_the_content_of_the_file_that_counts(file, tmp_path):
    plan = plan_of(f"{file}:mine")
    again = tmp_path / "again.py"
    again.write_bytes(file.read_bytes())
    assert plan_of(f"{again}:mine").fingerprint() == plan.fingerprint()
    file.write_text(source("False"))
    changed = plan_of(f"{file}:mine")
    assert changed.fingerprint() != plan.fingerprint()
    assert run(changed).tally == tally_of("lowest")


def test_a_file_that_changes_between_planning_and_playing_is_noticed(file):
    plan = plan_of(f"{file}:mine")
    file.write_text(source("False"))
    with pytest.raises(UsageError, match="has changed since the study was planned"):
        run(plan)


def test_names_are_taken_apart():
    first, second = parse("declare=a b/own.py:bold:courage=3,haste=-0.5+mc:worlds=9")
    assert (first.phase, first.file, first.name) == ("declare", "a b/own.py", "bold")
    assert dict(first.values) == {"courage": 3, "haste": -0.5}
    assert (second.phase, second.file, second.name, dict(second.values)) == ("", "", "mc", {"worlds": 9})
    assert without_files("declare=a b/own.py:bold:courage=3+mc") == "declare=bold:courage=3+mc"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is not a strategy: write one as NAME, FILE.py:NAME or NAME:PARAMETER=NUMBER"),
        ("lowest+", "'lowest+' is not a strategy"),
        ("mc:worlds", "a parameter in 'mc:worlds' must read NAME=NUMBER, not 'worlds'"),
        ("mc:worlds=many", "must read NAME=NUMBER, not 'worlds=many'"),
        ("mc:worlds=1,worlds=2", "gives a parameter twice"),
        ("mc:world=5", "did you mean 'worlds'?"),
        ("mc:worlds=0", "'worlds' of mc takes a whole number from 1 to 100000, not 0"),
        ("mc:worlds=1.5", "takes a whole number"),
        ("mc:clear=nan", "takes a number"),
        ("lowest:worlds=5", "the strategy lowest has no parameters"),
        ("lowast", "did you mean 'lowest'?"),
        ("pley=lowest+mc", "did you mean 'play'?"),
        ("own.txt:mine", "is not a strategy"),
        (5, "a strategy is given by its name, not 5"),
    ],
)
def test_names_that_do_not_serve(name, message):
    with pytest.raises(UsageError) as caught:
        plan_of([name])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (None, "mine", "cannot read the strategies in"),
        (source("False"), "mime", "did you mean 'mine'?"),
        (source("False"), "nothing", "nothing decides in no phase: give it a function by @nothing.phase(...)"),
        ("x = 1", "x", "there is no strategy in"),
        ("def", "mine", "cannot be run: SyntaxError: invalid syntax"),
        ("import nothing_of_that_name", "mine", "cannot be run: ModuleNotFoundError"),
        ("import sys; sys.exit(3)", "mine", "cannot be run: SystemExit: 3"),
        (source("legal.nonsense"), "mine", "cannot be compiled for the phase 'play': Unknown attribute 'nonsense'"),
        (source("False").replace("return choice", "return 'high'"), "mine", "must return an action, which is a whole"),
        (source("False").replace("return choice", "pass"), "mine", "which is a whole number, not None"),
        (source("view.hend"), "mine", "there is no field 'hend' (line 10); did you mean 'hand'?"),
        (source("view.rules.trumps"), "mine", "there is no field 'trumps' (line 10); did you mean 'trump'?"),
        (source("options.flor"), "mine", "there is no field 'flor' (line 10); did you mean 'floor'?"),
        (
            source("False").replace("    return choice", "    if choice > 3:\n        return 3"),
            "mine",
            "not every way through",
        ),
        (
            source("False").replace("(view, legal, rng, options)", "(legal, view)"),
            "mine",
            "must take (view, legal, rng",
        ),
        (source("False").replace('"play")', '"pley")'), "mine", "did you mean 'play'?"),
        (source("False").replace("(view, legal, rng, options)", "(view)"), "mine", "must take (view, legal, rng, opt"),
        (source("False").replace("floor=0", "floor='a'"), "mine", "has a number as its default, not 'a'"),
        (source("False").replace('"toy-whist", floor', '"bezique", floor'), "mine", "is a strategy for bezique, n"),
    ],
)
def test_files_that_do_not_serve(tmp_path, text, name, message):
    path = tmp_path / "own.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError) as caught:
        plan_of(f"{path}:{name}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_strategy_for_another_game_is_refused(file):
    with pytest.raises(UsageError, match=r"own.py:mine is a strategy for toy-whist, not for bezique"):
        make_plan("bezique", deals=1, strategies=f"{file}:mine")


FAULTS = {
    "if view.played > 40:\n        raise ValueError('too late')": "ValueError: too late (line 7 of own.py)",
    "if view.played > 40:\n        return 1 // (view.played - view.played)": "ZeroDivisionError: ",
    "counts = view.counts\n    if counts[view.played] > 100:\n        return 5": "IndexError: ",
}


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("text", FAULTS)
def test_what_a_strategy_raises_ends_the_run_with_one_line(tmp_path, text, compiled):
    path = tmp_path / "own.py"
    path.write_text(
        "from simcards import actions, strategy\n"
        "mine = strategy('toy-whist')\n\n"
        f"@mine.phase('play', compiled={compiled})\n"
        "def play(view, legal):\n    "
        f"{text}\n    return actions(legal)[0]\n"
    )
    plan = plan_of(f"{path}:mine")
    for act in (run, lambda plan: replay(plan, 0), lambda plan: match("toy-whist", plan.strategies[:1] * 2, deals=9)):
        with pytest.raises(PlayError) as caught:
            act(plan)
        line = str(caught.value)
        assert "\n" not in line
        assert f"strategy '{path}:mine' in the seat" in line
        assert "failed in the phase 'play' (decision " in line
        told = FAULTS[text] if compiled else FAULTS[text].replace("ZeroDivision", "FloatingPoint")
        assert told in line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise SystemExit(3)", "SystemExit: 3 (line 6 of own.py)"),
        ("return 0.5", "TypeError: it must return an action, which is a whole number, not 0.5"),
        ("return '1'", "TypeError: it must return an action, which is a whole number, not '1'"),
        ("return view.hend", "AttributeError: "),
        ("return view.hend", "(line 6 of own.py)"),
    ],
)
def test_what_plain_python_does_wrong(tmp_path, text, told):
    path = tmp_path / "own.py"
    path.write_text(
        "from simcards import strategy\nmine = strategy('toy-whist')\n\n@mine.phase('play', compiled=False)\n"
        f"def play(view, legal):\n    {text}\n"
    )
    with pytest.raises(PlayError) as caught:
        run(plan_of(f"{path}:mine"))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_deal_that_fails_is_told_up_to_there(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        "from simcards import actions, strategy\nmine = strategy('toy-whist')\n\n@mine.phase('play')\n"
        "def play(view, legal):\n    if view.played > 20:\n        return 63\n    return actions(legal)[0]\n"
    )
    with pytest.raises(PlayError) as caught:
        replay(plan_of(f"{path}:mine"), 2)
    told, whole = caught.value.replay, replay(plan_of("lowest"), 2)
    assert told.steps[:-1] == tuple(
        replace(step, strategy=f"{path}:mine") for step in whole.steps[: len(told.steps) - 1]
    )
    assert (told.steps[-1].action, told.steps[-1].legal) == ("failed", whole.steps[len(told.steps) - 1].legal)
    assert f"(decision {len(told.steps)})" in str(caught.value)
    assert "failed" in str(told)


def test_an_illegal_action_is_told_alike_by_every_command(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(source("False").replace("return choice", "return 63"))
    lines = set()
    for act in (run, lambda plan: replay(plan, 0)):
        with pytest.raises(PlayError) as caught:
            act(plan_of(f"{path}:mine"))
        lines.add(str(caught.value))
    assert lines == {
        f"toy-whist, seed 4, deal 0: strategy '{path}:mine' in the seat north chose the action 63 in the phase 'play' "
        "(decision 1), which is not legal"
    }


def test_decisions_do_not_change_the_cards(file):
    decks = [replay(plan_of(name), 7).decks for name in ("random", "lowest", f"{file}:mine")]
    assert all(np.array_equal(deck, decks[0]) for deck in decks)


def test_the_toy_is_what_these_tests_take_it_for():
    assert toy.TOY.strategies == ("random", "lowest", "broken", "mc")
