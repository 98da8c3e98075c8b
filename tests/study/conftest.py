from __future__ import annotations

import pytest

from simcards.games import registry
from simcards.study.plan import make_plan

from .toy import TOY


@pytest.fixture(autouse=True)
def toy_game(monkeypatch):
    """Make the toy game one of the rule sets."""
    real = registry.rulesets()
    monkeypatch.setattr(registry, "rulesets", lambda: {**real, TOY.id: TOY})


@pytest.fixture
def plan():
    """A study of the toy game with all kinds of quantities in it."""
    return make_plan("toy-whist", deals=3000, strategies=["random", "lowest", "random", "lowest"], seed=2**63 + 5)


class Interrupt:
    """A progress callback that stands for Ctrl-C when so many deals are done."""

    def __init__(self, after):
        self.after = after
        self.seen = []

    def __call__(self, progress):
        self.seen.append(progress)
        if progress.done >= self.after:
            raise KeyboardInterrupt
