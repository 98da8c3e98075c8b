"""Deberts with all cards open: what the tricks bring when both play their best.

The points in the cards that are left and the last trick are shared out between the two, and what a deal is worth only
grows with the part of the player who plays: so both aim at the difference in points, and the step between made and
bait changes nothing of how the cards are played. It does for what he announces: a bait hands it to the other.
"""

from __future__ import annotations

import numpy as np

from simcards.games.deberts.frame import (
    BELLA,
    BELLA_POINTS,
    CARD_POINTS,
    FIFTIES,
    FIFTY_POINTS,
    HAND,
    MARRIAGE,
    ONLY_TRICKS,
    ORDERS,
    PLAYING,
    STATE,
    TIERCE_POINTS,
    TIERCES,
    UNASKED,
    count_runs,
    deal_points,
    may_exchange,
    order_of,
    run_points,
)
from simcards.games.deberts.play import end_deal, put
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import implements
from simcards.kernel.solver import AIM, CARDS_KNOWN, solve
from simcards.kernel.solver_nodes import no_marriages
from simcards.kernel.tricks import hand_value


@kernel
def _only_tricks_are_left(state):
    """Return whether nothing is open but cards, and what they make one announce."""
    common = state.common
    if common.stage != PLAYING and common.stage != BELLA:
        return False
    if common.step == ONLY_TRICKS:
        return True
    # pone leads, or is about to; the dealer may still have the seven to exchange
    return not may_exchange(state.rules, common, state.hands[common.dealer])


@kernel
def _runs_to_come(state):
    """Return what the dealer's runs score who speaks after the first lead, where he has not spoken yet."""
    dealer = np.int64(state.common.dealer)
    if state.common.step == ONLY_TRICKS or state.public[dealer].said != UNASKED:
        return 0
    return run_points(state.rules, state.hands[dealer])


@kernel
def _bella_to_come(state, player):
    """Return what king and queen of trumps will score that are together in a hand."""
    bella = MARRIAGE << np.uint64(8 * state.common.trump)
    return np.int64(state.rules.bella) if state.hands[player] & bella == bella else 0


@kernel
def _all_cards(state, order, known):
    """Write the position for the solver, and return the points that are to be had."""
    common = state.common
    left = np.int64(state.rules.last_trick)
    for player in range(2):
        known.hands[player] = state.hands[player]
        left += hand_value(order, state.hands[player])
    known.turn = common.turn
    known.count = 0
    if common.led >= 0:
        known.count = 1
        known.trick[0] = common.led
        left += order.value[common.led]
    return left


@kernel
def _add_cards(state, player, points):
    state.public[player].cards += points
    state.tally.points[CARD_POINTS, player] += points


@kernel
def _announce(state, player, bella, runs):
    """Score what a player has left to announce."""
    public = state.public[player]
    tally = state.tally
    if bella:
        public.bella = bella
        tally.points[BELLA_POINTS, player] += bella
    if runs:
        tierces, fifties = count_runs(state.rules, state.hands[player] | public.played)
        public.runs = runs
        tally.count[TIERCES, player] += tierces
        tally.count[FIFTIES, player] += fifties
        tally.points[TIERCE_POINTS, player] += tierces * state.rules.tierce
        tally.points[FIFTY_POINTS, player] += fifties * state.rules.fifty


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    if not _only_tricks_are_left(state):
        return False
    common = state.common
    by = np.int64(common.by)
    other = 1 - by
    dealer = np.int64(common.dealer)
    runs = _runs_to_come(state)
    runs_by = runs if by == dealer else 0
    bella_by = _bella_to_come(state, by)
    bella_other = _bella_to_come(state, other)
    _announce(state, other, bella_other, runs - runs_by)
    common.step = ONLY_TRICKS
    if common.stage == BELLA:
        put(state, np.int64(common.turn), np.int64(common.pending))
    order = ORDERS[order_of(state.rules, common.trump)]
    known = scratch(CARDS_KNOWN)
    left = _all_cards(state, order, known)
    aim = scratch(AIM)
    aim.players = 2
    aim.camp[by] = 0
    aim.camp[other] = 1
    aim.trick = 0
    aim.cards = 1
    aim.last = state.rules.last_trick
    aim.least = 0
    no_marriages(aim)
    value = solve(room, order, aim, known, left >> 1)
    _add_cards(state, by, value)
    _add_cards(state, other, left - value)
    announced = deal_points(state.public[by]) + bella_by + runs_by
    if announced > deal_points(state.public[other]) or not state.rules.silence:
        _announce(state, by, bella_by, runs_by)
    for player in range(2):
        state.public[player].played |= state.hands[player]
        state.hands[player] = np.uint64(0)
    common.led = -1
    common.trick = HAND
    end_deal(state)
    return True
