"""Points of piquet: pique and repique when they are made, and the settlement of a game."""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.frame import PIQUE_POINTS, PIQUES, PLAYING, REPIQUE_POINTS, REPIQUES
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING


@kernel
def enter(state, player, source, points):
    """Add points to a deal's score."""
    state.public[player].points += points
    state.tally.points[source, player] += points


@kernel
def score(state, player, source, points):
    """Add points, and pique or repique when they make it."""
    enter(state, player, source, points)
    if state.common.stage == PLAYING or state.rules.repique_when == 0:
        check_bonus(state, player)


@kernel
def check_bonus(state, player):
    """Score pique or repique for a player who has reached the line while the other has nothing."""
    if state.public[player].points >= state.rules.line and state.public[1 - player].points == 0:
        _bonus(state, player)


@kernel
def _bonus(state, player):
    """Score repique in the declarations and pique in play, one of them once."""
    public = state.public[player]
    if public.bonus:
        return
    public.bonus = 1
    if state.common.stage == PLAYING:
        state.tally.count[PIQUES, player] += 1
        if state.tally.pique_trick[player] == MISSING:
            state.tally.pique_trick[player] = state.common.trick + 1
        enter(state, player, PIQUE_POINTS, np.int64(state.rules.pique))
    else:
        state.tally.count[REPIQUES, player] += 1
        enter(state, player, REPIQUE_POINTS, np.int64(state.rules.repique))


@kernel
def settle(total0, total1, rules):
    """Settle a game.

    Parameters
    ----------
    total0, total1 : int
        Totals.
    rules : record
        The rules.

    Returns
    -------
    value : int
        What player 0 wins (negative: player 1).
    rubicon : bool
        Whether the loser is rubiconed.
    """
    difference = total0 - total1
    if rules.deals == 1 or difference == 0:
        return difference, False
    low = min(total0, total1)
    rubicon = low < rules.rubicon_line
    won = abs(difference)
    if rubicon and rules.rubicon_formula == 0:
        won = total0 + total1
    won += rules.game_bonus
    return (won if difference > 0 else -won), rubicon
