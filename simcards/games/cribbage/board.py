"""What a score is worth: the chance to win a game from what both sides still need."""

from __future__ import annotations

import math

from simcards.kernel.compiled import kernel

# Points in a deal by cards dealt, from five on: of the dealer, of the other, and the spread of their difference
_DEALERS = (11.0, 16.2, 22.0)
_OTHERS = (8.5, 10.3, 15.0)
_SPREAD = (6.0, 7.2, 9.0)


@kernel
def chance(cards, mine, other, deals):
    """Return the chance to win a game, as a normal distribution of the points to come has it.

    Parameters
    ----------
    cards : int
        Cards dealt to each.
    mine, other : int
        Points that the sides need.
    deals : bool
        Whether the side of which it is the chance deals next.
    """
    dealer = _DEALERS[cards - 5]
    pone = _OTHERS[cards - 5]
    lead = other - mine + (0.5 if deals else -0.5) * (dealer - pone)
    left = 2.0 * min(mine, other) / (dealer + pone) + 0.3
    return 0.5 + 0.5 * math.erf(lead / (_SPREAD[cards - 5] * math.sqrt(2.0 * left)))
