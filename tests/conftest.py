"""How tests are shared out among workers (``--dist loadgroup``): what is compiled together is tested in one of them."""

import pytest

from simcards.games.registry import rulesets


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the tests of a file together, and of the contract those of the games of one module."""
    modules = {name: ruleset.module for name, ruleset in rulesets().items()}
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        item.add_marker(pytest.mark.xdist_group(modules.get(parameters.get("game_id"), item.path.name)))
