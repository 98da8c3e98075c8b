"""Policies that serve every game; they are compiled anew for the views of each."""

from __future__ import annotations

from simcards.kernel.compiled import kernel
from simcards.kernel.rng import choose


@kernel
def uniform(view, legal, rng, options):
    """Choose any legal action, all with the same probability."""
    return choose(rng, legal)
