"""Tiny studies to make reports of, played once for all tests."""

from __future__ import annotations

import pytest

from simcards.games import registry
from simcards.report.page import write_report
from simcards.study.engine import run
from simcards.study.match import match
from simcards.study.plan import make_plan

from ..study.toy import TOY

DEALS = 1200


@pytest.fixture(autouse=True, scope="session")
def toy_game():
    """Make the toy game, which has four seats, one of the rule sets."""
    patch = pytest.MonkeyPatch()
    real = registry.rulesets()
    patch.setattr(registry, "rulesets", lambda: {**real, TOY.id: TOY})
    yield
    patch.undo()


@pytest.fixture(scope="session")
def outcome():
    """A study of rubicon bezique."""
    return run(make_plan("rubicon-bezique", deals=DEALS, seed=3), workers=1)


@pytest.fixture(scope="session")
def mixed():
    """A study in which the seats have different strategies."""
    return run(make_plan("bezique", deals=DEALS, seed=3, strategies=["basic", "random"]), workers=1)


@pytest.fixture(scope="session")
def toy():
    """A study of the game with four seats and few kinds of quantities."""
    return run(make_plan("toy-whist", deals=DEALS, strategies="lowest"), workers=1)


@pytest.fixture(scope="session")
def met():
    """A match."""
    return match("bezique", ["basic", "random"], deals=400, seed=3, workers=1)


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A report of rubicon bezique."""
    folder = tmp_path_factory.mktemp("reports") / "rubicon"
    return write_report("rubicon-bezique", folder, deals=DEALS, match_deals=300, seed=3, workers=1)
