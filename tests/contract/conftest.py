"""The contract runs over every registered rule set and each of its units: a new game is tested without a line here."""

import pytest

from simcards.games.registry import rulesets


def _first_of_its_module(ruleset):
    return ruleset == next(known for known in rulesets().values() if known.module == ruleset.module)


def pytest_generate_tests(metafunc):
    if "game_id" in metafunc.fixturenames and "unit" in metafunc.fixturenames:
        pairs = [(ruleset.id, unit) for ruleset in rulesets().values() for unit in ruleset.units]
        metafunc.parametrize(("game_id", "unit"), pairs)
    elif "twin" in metafunc.fixturenames:  # every twin is compiled: the continuous run takes one for each kernel
        known = rulesets().values()
        marks = [() if _first_of_its_module(ruleset) else (pytest.mark.slow,) for ruleset in known]
        metafunc.parametrize("game_id", [pytest.param(one.id, marks=mark) for one, mark in zip(known, marks)])
    elif "game_id" in metafunc.fixturenames:
        metafunc.parametrize("game_id", list(rulesets()))
