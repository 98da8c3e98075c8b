"""Preferans with all cards open, once only tricks are left.

Against a contract or a misère the two opponents play together: the declarer takes as many tricks as he can, or as few,
which is what his result and theirs together depend on. Where both whist, the tricks that are left to them are shared so
that both have as nearly the same as can be. When all pass everybody plays for himself; there only the last four tricks
are searched, and everybody takes what is best for his own result.
"""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.frame import (
    ALL_PASS,
    CHAIRS,
    NO_TRICK,
    NONE,
    ONE,
    ORDERS,
    PLAYING,
    STATE,
    WHIST,
    bit_of,
    next_chair,
)
from simcards.games.preferans.play import end_deal
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import apply, implements, legal
from simcards.kernel.solver import AIM, CARDS_KNOWN, solve
from simcards.kernel.solver_nodes import no_marriages
from simcards.kernel.tricks import playable

TRICKS = 10
SEARCHED = 4  # tricks at the end, when all pass

# A position of the last tricks: cards held, tricks won, the trick in play, moves not tried, the best so far
FRAME = np.dtype(
    [
        ("hands", "u8", (CHAIRS,)),
        ("rest", "u8"),
        ("tricks", "i4", (CHAIRS,)),
        ("values", "i4", (CHAIRS,)),
        ("turn", "i4"),
        ("led", "i4"),
        ("best", "i4"),
        ("ahead", "i4"),
        ("count", "i4"),
        ("move", "i4"),
        ("choice", "i4"),
    ],
    align=True,
)


# -- all pass ----------------------------------------------------------------------------------------------------


@kernel
def _value(players, frame, chair):
    """Return what the end of a deal is worth at a chair, in units of a trick by the number of players."""
    value = -players * np.int64(frame.tricks[chair])
    for other in range(CHAIRS):
        if frame.tricks[other] == 0:
            value += players - 1 if other == chair else -1
    return value


@kernel
def _play_card(frame, child, card):
    """Write the position after a card."""
    child.hands[:] = frame.hands
    child.tricks[:] = frame.tricks
    turn = np.int64(frame.turn)
    child.hands[turn] &= ~bit_of(card)
    child.led = frame.led
    child.best = frame.best
    child.ahead = frame.ahead
    if frame.led < 0:
        child.led = card
    if (frame.led < 0 or (frame.best < 0 and card // 8 == frame.led // 8)) or (
        frame.best >= 0 and (ORDERS[0].above[frame.best] >> np.uint64(card)) & ONE
    ):
        child.best = card
        child.ahead = turn
    child.count = frame.count + 1
    child.turn = next_chair(turn, 1)
    if child.count == CHAIRS:
        winner = np.int64(child.ahead)
        child.tricks[winner] += 1
        child.turn = winner
        child.led = -1
        child.best = -1
        child.count = 0


@kernel
def _best_card(players, frames):
    """Return the best card of the first frame when everybody plays for himself; of several the lowest."""
    depth = 0
    frames[0].choice = -1
    frames[0].rest = _moves(frames[0])
    while True:
        frame = frames[depth]
        if frame.rest:
            card = np.int64(lowest(frame.rest))
            frame.rest &= frame.rest - ONE
            frame.move = card
            child = frames[depth + 1]
            _play_card(frame, child, card)
            if child.hands[child.turn] != NONE:
                child.choice = -1
                child.rest = _moves(child)
                depth += 1
                continue
            for chair in range(CHAIRS):
                child.values[chair] = _value(players, child, chair)
        else:
            if depth == 0:
                return np.int64(frame.choice)
            depth -= 1
        parent = frames[depth]
        found = frames[depth + 1]
        turn = np.int64(parent.turn)
        if parent.choice < 0 or found.values[turn] > parent.values[turn]:
            parent.choice = parent.move
            parent.values[:] = found.values


@kernel
def _moves(frame):
    return playable(ORDERS[0], frame.hands[frame.turn], np.int64(frame.led), np.int64(frame.best))


@kernel
def _open_all_pass(state):
    """Play the last tricks of a deal in which all passed."""
    common = state.common
    if common.trick < TRICKS - SEARCHED:
        return False
    frames = np.empty(3 * SEARCHED + 1, FRAME)
    deals = np.int64(common.deals)
    while common.stage == PLAYING and common.deals == deals:
        mask = legal(state)
        card = np.int64(lowest(mask))
        if mask & (mask - ONE):
            root = frames[0]
            for chair in range(CHAIRS):
                root.hands[chair] = state.private[chair].hand
                root.tricks[chair] = state.public[chair].tricks
            root.turn = common.turn
            root.led = common.led
            root.best = common.best
            root.ahead = common.ahead
            root.count = common.count
            card = _best_card(np.int64(state.rules.players), frames)
        apply(state, card)
    return True


# -- against a declarer ------------------------------------------------------------------------------------------


@kernel
def _set_known(state, known):
    """Write down all cards of a position."""
    common = state.common
    known.turn = common.turn
    known.count = common.count
    for chair in range(CHAIRS):
        known.hands[chair] = state.private[chair].hand
    for place in range(np.int64(common.count)):
        known.trick[place] = common.table[(common.leader + place) % CHAIRS]


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    common = state.common
    if common.stage != PLAYING:
        return False
    if common.kind == ALL_PASS:
        return _open_all_pass(state)
    declarer = np.int64(common.declarer)
    aim = scratch(AIM)
    known = scratch(CARDS_KNOWN)
    no_marriages(aim)
    aim.players = CHAIRS
    aim.trick = 1
    aim.cards = 0
    aim.last = 0
    aim.least = 1 if common.kind == NO_TRICK else 0
    for chair in range(4):
        aim.camp[chair] = 0 if chair == declarer else 1
    _set_known(state, known)
    left = TRICKS - np.int64(common.trick)
    guess = 1 if common.kind == NO_TRICK else (left + 1) // 2
    got = solve(room, ORDERS[common.trump + 1], aim, known, guess)
    first = next_chair(declarer, 1)
    second = next_chair(declarer, 2)
    both = state.public[first].whist == WHIST and state.public[second].whist == WHIST
    state.public[declarer].tricks += got
    # who alone whists writes them all, and in a misère nobody does
    whister = second if state.public[second].whist == WHIST else first
    for _ in range(left - got):
        if both:
            whister = first if state.public[first].tricks < state.public[second].tricks else second
        state.public[whister].tricks += 1
    common.trick = TRICKS
    end_deal(state)
    return True
