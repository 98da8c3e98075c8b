"""The driver: plays games of any kind from deals to rows, compiled once a game whatever the strategies.

Every game has its own random streams, derived from the seed and its index: one for the cards and one a seat for
decisions. So the rows do not depend on how the range of games is cut up, and a strategy's randomness never changes
the cards.
"""

from __future__ import annotations

import numpy as np

from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import (
    DEALER,
    actor,
    apply,
    begin,
    deal,
    is_over,
    legal,
    measure,
    observe,
    phase,
)
from simcards.kernel.rng import CARDS, PLAY, STREAM, seed_stream
from simcards.kernel.shuffle import fixed_deal, fresh_deal

# What a driver returns: how the last game ended
FINISHED = 0
ILLEGAL = 1  # a policy chose an action that is not legal, or raised
ENDLESS = 2  # more decisions than the limit
ROOM = 3  # the arrays of a trace are full

# Places of the fault report
FAULT_GAME, FAULT_SEAT, FAULT_PHASE, FAULT_ACTION, FAULT_STEP = range(5)


@kernel
def _deal_next(state, stream, template, deck, dealt, fixed):
    if fixed.shape[0] == 0:
        fresh_deal(stream, template, deck, dealt)
    else:
        fixed_deal(stream, template, deck, dealt, fixed)
    deal(state, deck)


@kernel
def _seed_seats(streams, seed, game):
    for seat in range(streams.shape[0]):
        seed_stream(streams[seat], seed, PLAY + seat, game)


@kernel(inline="always")  # a call would hand on the whole tuple of policies
def _decide(state, views, policies, options, streams, fault):
    """Return the actor's choice, or -1 when it is not legal (then `fault` says whose and what)."""
    seat = actor(state)
    mask = legal(state)
    view = views[seat]
    observe(state, seat, view)
    part = phase(state)
    action = policies[seat][part](view, mask, streams[seat], options[seat, part])
    if action < 0 or action > 63 or (mask >> np.uint64(action)) & np.uint64(1) == np.uint64(0):
        fault[FAULT_SEAT] = seat
        fault[FAULT_PHASE] = part
        fault[FAULT_ACTION] = action
        return -1
    return action


@kernel
def play(seed, low, high, states, views, policies, options, template, fixed, dealt, limit, rows, fault):
    """Play the games ``low`` to ``high - 1`` and write a row for each.

    Parameters
    ----------
    seed : uint64
        Seed of the study.
    low, high : int
        Range of game indices.
    states : ndarray of STATE, shape (1,)
        Work space; ``states["rules"]`` must be set.
    views : ndarray of VIEW, shape (seats,)
        Work space; ``views["rules"]`` must be set.
    policies : tuple of tuple of Policy
        For each seat, one policy a phase.
    options : ndarray of OPTIONS, shape (seats, phases)
        What each of them is to know besides.
    template : ndarray of uint8
        The cards to be shuffled.
    fixed : ndarray of int16
        For each place of the dealing order a card code, or -1 for a random one; empty when no card is fixed.
    dealt : int
        How many places of the dealing order the game looks at.
    limit : int
        Most decisions in a game.
    rows : ndarray of ROW, shape (high - low,)
        Result.
    fault : ndarray of int64, shape (5,)
        Filled when a policy chose an illegal action or a game passed the limit.

    Returns
    -------
    int
        ``FINISHED``, ``ILLEGAL`` or ``ENDLESS``.
    """
    state = states[0]
    cards = np.empty(1, STREAM)
    streams = np.empty(views.shape[0], STREAM)
    deck = np.empty(max(template.shape[0], fixed.shape[0]), np.uint8)
    for game in range(low, high):
        seed_stream(cards[0], seed, CARDS, game)
        _seed_seats(streams, seed, game)
        begin(state)
        steps = 0
        while not is_over(state):
            if actor(state) == DEALER:
                _deal_next(state, cards[0], template, deck, dealt, fixed)
                continue
            action = _decide(state, views, policies, options, streams, fault)
            steps += 1
            if action < 0 or steps > limit:
                fault[FAULT_GAME] = game
                fault[FAULT_STEP] = steps
                return ILLEGAL if action < 0 else ENDLESS
            apply(state, action)
        measure(state, rows[game - low])
    return FINISHED


@kernel
def trace(seed, game, states, views, policies, options, template, fixed, dealt, rows, fault, seen, actions, streams):
    """Play one game and keep the position before every decision, and the last one.

    Parameters
    ----------
    seed, game, states, views, policies, options, template, fixed, dealt, rows, fault
        As for `play`.
    seen : ndarray of STATE
        Room for the positions.
    actions : ndarray of int64
        Room for the actions; -1 stands where cards were dealt, and behind the last position.
    streams : ndarray of STREAM, shape (seats + 1,)
        Work space; the last is the random stream of the decision at fault as it was before.

    Returns
    -------
    ending, count : int
        How the game ended and how many positions were kept.
    """
    state = states[0]
    cards = np.empty(1, STREAM)
    seats = views.shape[0]
    deck = np.empty(max(template.shape[0], fixed.shape[0]), np.uint8)
    seed_stream(cards[0], seed, CARDS, game)
    _seed_seats(streams[:seats], seed, game)
    begin(state)
    count = 0
    steps = 0
    while not is_over(state):
        if count + 1 >= actions.shape[0]:
            return ROOM, count
        seen[count] = state
        actions[count] = -1
        count += 1
        if actor(state) == DEALER:
            _deal_next(state, cards[0], template, deck, dealt, fixed)
            continue
        streams[seats] = streams[actor(state)]
        steps += 1
        action = _decide(state, views, policies, options, streams, fault)
        if action < 0:
            fault[FAULT_GAME] = game
            fault[FAULT_STEP] = steps
            return ILLEGAL, count
        actions[count - 1] = action
        apply(state, action)
    seen[count] = state
    actions[count] = -1
    measure(state, rows[0])
    return FINISHED, count + 1


@kernel
def look(seen, seats, phases, masks):
    """Say for each position of a game who decides, in which phase, and what is legal.

    Parameters
    ----------
    seen : ndarray of STATE
        The positions of a trace.
    seats, phases : ndarray of int64
        Results; the seat is ``DEALER`` where cards are dealt, and at the end.
    masks : ndarray of uint64
        Result.
    """
    for k in range(seen.shape[0]):
        seats[k] = DEALER
        if not is_over(seen[k]):
            seats[k] = actor(seen[k])
        if seats[k] != DEALER:
            phases[k] = phase(seen[k])
            masks[k] = legal(seen[k])


@kernel
def playout(states, views, policies, options, streams, limit, fault):
    """Play on from ``states[0]`` until the deal or the game ends.

    Parameters
    ----------
    states : ndarray of STATE, shape (1,)
        The position; changed in place.
    views, policies, options, limit, fault
        As for `play`.
    streams : ndarray of STREAM, shape (seats,)
        The seats' random streams.

    Returns
    -------
    int
        ``FINISHED``, ``ILLEGAL`` or ``ENDLESS``.
    """
    state = states[0]
    steps = 0
    while not is_over(state) and actor(state) != DEALER:
        action = _decide(state, views, policies, options, streams, fault)
        steps += 1
        if action < 0:
            return ILLEGAL
        if steps > limit:
            return ENDLESS
        apply(state, action)
    return FINISHED


@kernel
def replay(states, deck, actions, rows):
    """Carry out recorded `actions` on the cards of `deck`, without any policy.

    Parameters
    ----------
    states : ndarray of STATE, shape (1,)
        Work space; ``states["rules"]`` must be set. Holds the last position afterwards.
    deck : ndarray of uint8, shape (deals, cards)
        The dealing order of each deal.
    actions : ndarray of int64
        The actions; -1 stands where cards are dealt.
    rows : ndarray of ROW, shape (1,)
        Result, written when the game ends.

    Returns
    -------
    int
        How many actions were carried out; fewer than given when one is not legal or the game has ended.
    """
    state = states[0]
    begin(state)
    deals = 0
    for step in range(actions.shape[0]):
        if is_over(state):
            return step
        if actor(state) == DEALER:
            if deals == deck.shape[0]:
                return step
            deal(state, deck[deals])
            deals += 1
            continue
        action = actions[step]
        if action < 0 or (legal(state) >> np.uint64(action)) & np.uint64(1) == np.uint64(0):
            return step
        apply(state, action)
    if is_over(state):
        measure(state, rows[0])
    return actions.shape[0]
