"""The contract runs over every registered rule set and each of its units: a new game is tested without a line here."""

from simcards.games.registry import rulesets


def pytest_generate_tests(metafunc):
    if "game_id" in metafunc.fixturenames and "unit" in metafunc.fixturenames:
        pairs = [(ruleset.id, unit) for ruleset in rulesets().values() for unit in ruleset.units]
        metafunc.parametrize(("game_id", "unit"), pairs)
    elif "game_id" in metafunc.fixturenames:
        metafunc.parametrize("game_id", list(rulesets()))
