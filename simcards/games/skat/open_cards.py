"""Skat with all cards open, once only tricks are left.

What a game brings depends on a few steps only: a trick at all, more than schneider, 61 points, schneider, every trick.
Each of them is no worse than the one before, so the solver is asked which of them the declarer reaches, and only
where something hangs on it. The deal then ends at that step: the points that are noted are its least.
"""

from __future__ import annotations

import numpy as np

from simcards.games.skat.contracts import settle
from simcards.games.skat.frame import (
    HALF,
    NULL,
    ORDERS,
    PLAYING,
    ROLES,
    STATE,
    TRICKS,
    player_of,
    points_in,
    role_of,
)
from simcards.games.skat.play import end_game
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import implements
from simcards.kernel.solver import AIM, CARDS_KNOWN, gets
from simcards.kernel.solver_nodes import no_marriages

NO_TRICK, A_TRICK, NO_SCHNEIDER, MADE, SCHNEIDER, EVERY_TRICK = range(6)
ALL_POINTS = 120


@kernel
def _set_aim(state, aim, tricks):
    """Say who plays with whom, for tricks or for points."""
    aim.players = ROLES
    aim.trick = 1 if tricks else 0
    aim.cards = 0 if tricks else 1
    aim.last = 0
    aim.least = 1 if state.common.game == NULL else 0
    no_marriages(aim)
    declarer = role_of(state.common, state.rules, np.int64(state.common.declarer))
    for role in range(ROLES):
        aim.camp[role] = 0 if role == declarer else 1


@kernel
def _set_known(state, known):
    """Write down all cards of a position, players by their roles."""
    common = state.common
    rules = state.rules
    known.turn = role_of(common, rules, np.int64(common.turn))
    known.count = common.count
    leader = role_of(common, rules, np.int64(common.leader))
    for role in range(ROLES):
        known.hands[role] = state.private[player_of(common, rules, role)].hand
    for place in range(np.int64(common.count)):
        known.trick[place] = common.table[player_of(common, rules, (leader + place) % ROLES)]


@kernel
def _outcome(state, step):
    """Return points, own tricks and those of the others at which a step is just reached."""
    common = state.common
    rules = state.rules
    declarer = np.int64(common.declarer)
    points = np.int64(common.cards[declarer]) + points_in(state.aside)
    own = np.int64(common.tricks[declarer])
    if step == NO_TRICK:
        return points, 0, TRICKS
    if step == EVERY_TRICK:
        return ALL_POINTS, TRICKS, 0
    own = min(max(own, 1), TRICKS - 1)
    if step == NO_SCHNEIDER:
        points = max(points, np.int64(rules.schneidered) + 1)
    elif step == MADE:
        points = max(points, HALF)
    elif step == SCHNEIDER:
        points = max(points, np.int64(rules.schneider))
    return points, own, TRICKS - own


@kernel
def _written(state, step):
    """Return what is written when the declarer comes as far as a step."""
    common = state.common
    cards = state.private[common.declarer].hand | common.played[common.declarer]
    if common.skat or state.rules.skat_matadors == 0:
        cards |= state.aside
    points, own, theirs = _outcome(state, step)
    _, written, _ = settle(common, state.rules, cards, points, own, theirs)
    return written


@kernel
def _reached(state):
    """Return the step that the declarer has reached already."""
    common = state.common
    declarer = np.int64(common.declarer)
    if common.tricks[declarer] == 0:
        return NO_TRICK
    points = np.int64(common.cards[declarer]) + points_in(state.aside)
    if points >= state.rules.schneider:
        return SCHNEIDER
    if points >= HALF:
        return MADE
    return NO_SCHNEIDER if points > state.rules.schneidered else A_TRICK


@kernel
def _reaches(state, room, aim, known, step):
    """Return whether the declarer comes as far as a step."""
    common = state.common
    order = ORDERS[common.game]
    declarer = np.int64(common.declarer)
    own = np.int64(common.tricks[declarer])
    if step == EVERY_TRICK:
        if own < common.trick:
            return False
        _set_aim(state, aim, True)
        return gets(room, order, aim, known, TRICKS - np.int64(common.trick))
    points = np.int64(common.cards[declarer]) + points_in(state.aside)
    need = np.int64(state.rules.schneidered) + 1
    if step == MADE:
        need = HALF
    elif step == SCHNEIDER:
        need = np.int64(state.rules.schneider)
    if step == A_TRICK or (step == NO_SCHNEIDER and own == 0 and need <= points):
        if own > 0:
            return True
        _set_aim(state, aim, True)
        return gets(room, order, aim, known, 1)
    _set_aim(state, aim, False)
    return gets(room, order, aim, known, need - points)


@kernel
def _furthest(state, room, aim, known):
    """Return a step that the declarer reaches with what he could get written at most."""
    low = _reached(state)
    top = EVERY_TRICK
    while True:
        now = _written(state, low)
        step = -1
        if low < MADE <= top and _written(state, MADE) > now:
            step = MADE
        elif low < NO_SCHNEIDER <= top < MADE and _written(state, NO_SCHNEIDER) > now:
            step = NO_SCHNEIDER  # which he usually reaches, and a trick with it
        else:
            for further in range(low + 1, top + 1):
                if _written(state, further) > now:
                    step = further
                    break
        if step < 0:
            return low
        if _reaches(state, room, aim, known, step):
            low = step
        else:
            top = step - 1


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    common = state.common
    if common.stage != PLAYING:
        return False
    aim = scratch(AIM)
    known = scratch(CARDS_KNOWN)
    _set_known(state, known)
    if common.game == NULL:
        caught = common.tricks[common.declarer] > 0
        if not caught:
            _set_aim(state, aim, True)
            caught = gets(room, ORDERS[NULL], aim, known, 1)
        points = np.int64(common.cards[common.declarer]) + points_in(state.aside)
        end_game(state, points, 1 if caught else 0, TRICKS - 1 if caught else TRICKS)
        return True
    points, own, theirs = _outcome(state, _furthest(state, room, aim, known))
    end_game(state, points, own, theirs)
    return True
