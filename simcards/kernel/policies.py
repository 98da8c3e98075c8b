"""Policies that serve every game. Plain functions: a game compiles them for its own views."""

from __future__ import annotations

from simcards.kernel.rng import choose


def uniform(view, legal, rng):
    """Choose any legal action, all with the same probability."""
    return choose(rng, legal)
