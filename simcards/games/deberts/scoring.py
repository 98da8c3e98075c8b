"""What a game of deberts is worth."""

from __future__ import annotations

from simcards.kernel.compiled import kernel


@kernel
def settle(first, second, rules):
    """Return what player 0 wins (negative: player 1).

    Parameters
    ----------
    first, second : int
        Totals.
    rules : record
        The rules.
    """
    difference = first - second
    if rules.target == 0 or difference == 0:
        return difference
    won = max(rules.target - min(first, second), rules.least_gain)
    return won if difference > 0 else -won
