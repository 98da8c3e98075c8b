from __future__ import annotations

import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.study.engine import run
from simcards.study.plan import make_plan

from . import toy

SOURCE = f"""
from simcards.games.game import Strategy
from simcards.kernel.bits import highest, lowest
from simcards.kernel.protocol import policy
from {toy.__name__} import VIEW

@policy(VIEW)
def pick(view, legal, rng):
    return CHOICE(legal)

mine = Strategy("proud", "plays its highest card", (pick,))
short = Strategy("short", "has too few policies", ())
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(SOURCE.replace("CHOICE", "highest"))
    return path


def plan_of(name):
    return make_plan("toy-whist", deals=300, strategies=name, seed=4)


def test_a_strategy_of_ones_own_plays(file):
    by_variable, by_name = plan_of(f"{file}:mine"), plan_of(f"{file}:proud")
    outcome = run(by_variable, workers=2, chunk=50)
    assert outcome.tally == run(by_name).tally
    assert outcome.tally != run(plan_of("lowest")).tally
    assert by_variable.strategies == (f"{file}:mine",) * 4


def test_it_is_the_content_of_the_file_that_counts(file, tmp_path):
    plan = plan_of(f"{file}:mine")
    again = tmp_path / "again.py"
    again.write_bytes(file.read_bytes())
    assert plan_of(f"{again}:mine").fingerprint() == plan.fingerprint()
    file.write_text(SOURCE.replace("CHOICE", "lowest"))
    changed = plan_of(f"{file}:mine")
    assert changed.fingerprint() != plan.fingerprint()
    assert run(changed).tally == run(plan_of("lowest")).tally


def test_a_file_that_changes_between_planning_and_playing_is_noticed(file):
    plan = plan_of(f"{file}:mine")
    file.write_text(SOURCE.replace("CHOICE", "lowest"))
    with pytest.raises(UsageError, match="has changed since the study was planned"):
        run(plan)


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        (None, "mine", "cannot read the strategies in"),
        (SOURCE, "mime", "did you mean 'mine'?"),
        (SOURCE, "short", "has 0 policies; toy-whist needs one a phase (play)"),
        ("def", "mine", "cannot be run: SyntaxError: invalid syntax"),
        ("import nothing_of_that_name", "mine", "cannot be run: ModuleNotFoundError"),
    ],
)
def test_files_that_do_not_serve(tmp_path, source, name, message):
    path = tmp_path / "own.py"
    if source is not None:
        path.write_text(source.replace("CHOICE", "highest"))
    with pytest.raises(UsageError) as caught:
        plan_of(f"{path}:{name}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_strategy_for_another_game_is_refused(file):
    with pytest.raises(UsageError, match="is a strategy for another game than bezique|has 1 policies"):
        make_plan("bezique", deals=1, strategies=f"{file}:mine")
    view = "record('other', [('rules', 'i8'), ('x', 'i8')])"
    text = file.read_text().replace("@policy(VIEW)", f"@policy({view})")
    file.write_text(text.replace("import policy", "import policy, record"))
    with pytest.raises(UsageError, match="is a strategy for another game than toy-whist"):
        plan_of(f"{file}:mine")


def test_decisions_do_not_change_the_cards(file):
    from simcards.study.replay import replay

    decks = [replay(plan_of(name), 7).decks for name in ("random", "lowest", f"{file}:mine")]
    assert all(np.array_equal(deck, decks[0]) for deck in decks)
