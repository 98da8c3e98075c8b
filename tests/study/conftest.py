from __future__ import annotations

import pytest

from simcards.games import registry

from .toy import TOY


@pytest.fixture(autouse=True)
def toy_game(monkeypatch):
    """Make the toy game one of the rule sets."""
    real = registry.rulesets()
    monkeypatch.setattr(registry, "rulesets", lambda: {**real, TOY.id: TOY})
