"""Search by playing out sampled worlds, once for all games.

A player who cannot see all cards asks of every action: how does it turn out, on average over the worlds that agree with
what I see, when everybody goes on with the game's ``basic`` play? Every action is tried on the same worlds and with the
same random numbers, so that their differences are far surer than their values.
"""

from __future__ import annotations

import math

import numpy as np

from simcards.kernel.bits import actions as listed
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import (
    DEALER,
    actor,
    apply,
    basic,
    determinize,
    is_over,
    legal,
    observe,
    phase,
    play_open,
    space,
    usual,
    worth,
)
from simcards.kernel.rng import PLAY, STREAM, next64, seed_stream
from simcards.kernel.solver import workspace

# Places of the parameters of `monte_carlo` among the options
WORLDS, PLAYOUTS, HALVING, CLEAR, DOUBT = range(5)

ADVICE = 35  # purpose of the streams of the worlds that advice is taken from
GUESS = 36  # purpose of the streams that fill in what a position left open

ONE = np.uint64(1)
_TABLE_BITS = 17  # of the solver's table
_FIRST_LOOK = 8  # worlds before the actions are compared for the first time


@kernel(inline="always")
def finish(state, views, rng, options, solver):
    """Let all seats play on by ``basic`` until the deal or the game ends.

    Where `solver` is what `workspace` returned and not None, all cards are open as soon as only tricks are left.
    """
    while not is_over(state):
        seat = actor(state)
        if seat == DEALER:
            break
        if solver is not None:
            if play_open(state, solver):
                break
        mask = legal(state)
        if mask & (mask - ONE):
            apply(state, usual(state, views, mask, rng, options))
        else:
            apply(state, lowest(mask))


@kernel(inline="always")
def play_worlds(view, rng, options, playouts, room, solver, actions, chosen, low, high, values):
    """Play the chosen actions out on the worlds ``low`` to ``high - 1``.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    rng : STREAM
        Where the worlds come from.
    options : OPTIONS
        Handed on to ``basic``.
    playouts : int
        How often each action is played out in a world.
    room : tuple of (ndarray of STATE, ndarray of VIEW)
        What `space` returned.
    solver : tuple or None
        As of `finish`.
    actions : ndarray of int64
        The legal actions.
    chosen : ndarray of int64
        Which of them are played out, as places in `actions`.
    low, high : int
        Range of worlds.
    values : ndarray of float64, shape (worlds, actions)
        Mean worth of each action in each world; only the chosen ones are written.
    """
    states, views = room
    state = states[2]
    player = np.empty(1, STREAM)
    seat = view.seat
    states[0].rules = view.rules
    for k in range(views.shape[0]):
        views[k].rules = view.rules
    for number in range(low, high):
        determinize(view, rng, states[0])
        seed = next64(rng)
        for place in range(chosen.shape[0]):
            states[1] = states[0]
            apply(states[1], actions[chosen[place]])
            total = 0.0
            for turn in range(playouts):
                states[2] = states[1]
                seed_stream(player[0], seed, PLAY, turn)
                finish(state, views, player[0], options, solver)
                total += worth(state, seat)
            values[number, chosen[place]] = total / playouts


@kernel
def advise(views, seed, low, legal, part, options, actions, values, usual):
    """Play every legal action out on worlds of a position, each world from a random stream of its own.

    Parameters
    ----------
    views : ndarray of VIEW, shape (worlds,)
        What the player knows; it may differ between worlds in what he has forgotten.
    seed : uint64
        Seed of the worlds.
    low : int
        Index of the first world.
    legal : uint64
        The legal actions.
    part : int
        The phase.
    options : ndarray of OPTIONS, shape (1,)
        Handed on to ``basic``.
    actions : ndarray of int64
        The legal actions again, as numbers.
    values : ndarray of float64, shape (worlds, actions)
        Result: the worth of each action in each world.
    usual : ndarray of int64, shape (worlds,)
        Result: what ``basic`` itself would do.
    """
    rng = np.empty(1, STREAM)
    chosen = np.arange(actions.shape[0])
    room = space(views[0])
    for k in range(views.shape[0]):
        view = views[k]
        seed_stream(rng[0], seed, ADVICE, low + k)
        play_worlds(view, rng[0], options[0], 1, room, None, actions, chosen, k, k + 1, values)
        usual[k] = basic(view, part, legal, rng[0], options[0])


@kernel
def sequences(states, room, found):
    """Write down every sequence of actions by which the player whose turn it is can go through the present phase.

    Parameters
    ----------
    states : ndarray of STATE, shape (1,)
        The position.
    room : ndarray of STATE, shape (steps + 1,)
        Room for the positions on the way.
    found : ndarray of int64, shape (most, steps)
        Result: a sequence a row, -1 behind its end.

    Returns
    -------
    int
        How many there are; -1 when there is not room for them all.
    """
    steps = found.shape[1]
    seat = actor(states[0])
    part = phase(states[0])
    left = np.zeros(steps, np.uint64)
    path = np.full(steps, -1, np.int64)
    room[0] = states[0]
    left[0] = legal(room[0])
    count = 0
    depth = 0
    while depth >= 0:
        if left[depth] == np.uint64(0):
            path[depth] = -1
            depth -= 1
            continue
        action = lowest(left[depth])
        left[depth] &= left[depth] - ONE
        path[depth] = action
        room[depth + 1] = room[depth]
        after = room[depth + 1]
        apply(after, action)
        if is_over(after) or actor(after) != seat or phase(after) != part:
            if count == found.shape[0]:
                return -1
            found[count] = path
            count += 1
        elif depth + 1 == steps:
            return -1
        else:
            depth += 1
            left[depth] = legal(after)
    return count


@kernel
def _usual_sequence(state, part, seat, views, rng, options, tried):
    """Return which of the sequences ``basic`` would go through, -1 for none of them; the position is played on."""
    fits = np.ones(tried.shape[0], np.bool_)
    step = 0
    while not is_over(state) and actor(state) == seat and phase(state) == part:
        mask = legal(state)
        action = np.int64(lowest(mask))
        if mask & (mask - ONE):
            action = np.int64(usual(state, views, mask, rng, options))
        for place in range(tried.shape[0]):
            fits[place] &= step < tried.shape[1] and tried[place, step] == action
        apply(state, action)
        step += 1
    for place in range(tried.shape[0]):
        if fits[place] and (step == tried.shape[1] or tried[place, step] < 0):
            return place
    return -1


@kernel
def advise_sequences(views, seed, low, part, options, tried, values, usuals):
    """Play sequences of actions out on worlds of a position, each world from a random stream of its own.

    Parameters
    ----------
    views, seed, low, part, options
        As for `advise`.
    tried : ndarray of int64, shape (sequences, steps)
        A sequence of legal actions a row, -1 behind its end.
    values : ndarray of float64, shape (worlds, sequences)
        Result: the worth of each sequence in each world.
    usuals : ndarray of int64, shape (worlds,)
        Result: which of them ``basic`` itself would go through, -1 for none.
    """
    rng = np.empty(1, STREAM)
    player = np.empty(1, STREAM)
    states, seats = space(views[0])
    states[0].rules = views[0].rules
    for k in range(seats.shape[0]):
        seats[k].rules = views[0].rules
    state = states[1]
    for k in range(views.shape[0]):
        seat = views[k].seat
        seed_stream(rng[0], seed, ADVICE, low + k)
        determinize(views[k], rng[0], states[0])
        start = next64(rng[0])
        for place in range(tried.shape[0]):
            states[1] = states[0]
            for action in tried[place]:
                if action < 0:
                    break
                apply(state, action)
            seed_stream(player[0], start, PLAY, 0)
            finish(state, seats, player[0], options[0], None)
            values[k, place] = worth(state, seat)
        states[1] = states[0]
        seed_stream(player[0], start, PLAY, 0)
        usuals[k] = _usual_sequence(state, part, seat, seats, player[0], options[0], tried)


@kernel
def question(views, states):
    """Make a position of the first view, and return who decides in it, in which phase, and what is legal.

    The seat is ``DEALER`` when nobody decides.
    """
    rng = scratch(STREAM)  # an array would be gone before its stream is used
    seed_stream(rng, 0, ADVICE, 0)
    determinize(views[0], rng, states[0])
    if is_over(states[0]) or actor(states[0]) == DEALER:
        return DEALER, 0, np.uint64(0)
    return np.int64(actor(states[0])), np.int64(phase(states[0])), legal(states[0])


@kernel
def is_undealt(states, room, legal):
    """Return whether cards are to be dealt after every one of several actions and all are worth the same then.

    What such an action is good for shows only in cards that are not there yet, so playing on cannot judge it.
    """
    if legal & (legal - ONE) == np.uint64(0):
        return False
    seat = actor(states[0])
    after = room[0]
    first = True
    value = 0.0
    rest = legal
    while rest:
        room[0] = states[0]
        apply(after, lowest(rest))
        rest &= rest - ONE
        if is_over(after) or actor(after) != DEALER:
            return False
        if first:
            value = worth(after, seat)
            first = False
        elif worth(after, seat) != value:
            return False
    return True


@kernel
def look(states, player, views):
    """Write what a player may know of the first position into the first view."""
    observe(states[0], player, views[0])


@kernel
def lead_over(values, worlds, one, other):
    """Return by how much one action beats another on average over the worlds, and the standard error of that.

    The error is the one that equal actions would have: it counts the lead itself as spread, so that two or three
    worlds that happen to agree prove nothing.
    """
    total = 0.0
    squares = 0.0
    for number in range(worlds):
        difference = values[number, one] - values[number, other]
        total += difference
        squares += difference * difference
    if worlds < 2:
        return total, np.inf
    return total / worlds, math.sqrt(squares / (worlds * (worlds - 1)))


@kernel
def _sift(values, worlds, usual, rivals, clear):
    """Drop the rivals that are clearly worse than the usual action, and put the best of the others first."""
    leads = np.empty(rivals.shape[0])
    kept = 0
    for place in rivals:
        lead, error = lead_over(values, worlds, place, usual)
        if lead < -clear * error and worlds >= _FIRST_LOOK:
            continue
        j = kept
        while j > 0 and leads[j - 1] < lead:
            leads[j] = leads[j - 1]
            rivals[j] = rivals[j - 1]
            j -= 1
        leads[j] = lead
        rivals[j] = place
        kept += 1
    return rivals[:kept]


@kernel
def _is_settled(values, worlds, usual, rivals, clear):
    """Return whether nothing is left to be found out: no rival is left, or the first beats all others clearly."""
    if rivals.shape[0] == 0:
        return True
    if worlds < _FIRST_LOOK:
        return False
    for k in range(rivals.shape[0]):
        other = usual if k == 0 else rivals[k]
        lead, error = lead_over(values, worlds, rivals[0], other)
        if lead <= clear * error:
            return False
    return True


@kernel
def monte_carlo(view, legal, rng, options):
    """Choose the action that turns out best in sampled worlds when everybody plays on by ``basic``.

    What ``basic`` itself would do is the usual action; all others are rivals. ``WORLDS`` times the number of actions
    is how many pairs of a world and an action are tried. With ``HALVING`` they are spent in rounds of equal cost,
    after each of which the worse half of the rivals is given up. Rivals that fall behind the usual action by
    ``CLEAR`` standard errors are dropped, and the search ends when one leads by as much. In the end the best rival is
    taken if it leads by ``DOUBT`` standard errors: the best of many noisy values is rarely the best action, and the
    usual action is a good one.
    """
    return _choose(view, legal, rng, options, None)


@kernel
def open_cards(view, legal, rng, options):
    """Choose as `monte_carlo` does, but play sampled worlds out with all cards open once only tricks are left."""
    return _choose(view, legal, rng, options, workspace(_TABLE_BITS))


@kernel(inline="always")
def _choose(view, legal, rng, options, solver):
    """Do the work of `monte_carlo` and `open_cards`; `solver` as of `finish`."""
    if legal & (legal - ONE) == np.uint64(0):
        return np.int64(lowest(legal))
    choices = listed(legal)
    count = choices.shape[0]
    worlds = max(1, np.int64(options.value[WORLDS]))
    playouts = max(1, np.int64(options.value[PLAYOUTS]))
    halving = options.value[HALVING] != 0.0
    clear = options.value[CLEAR]
    room = space(view)
    room[0][0].rules = view.rules
    determinize(view, rng, room[0][0])
    choice = np.int64(basic(view, phase(room[0][0]), legal, rng, options))
    usual = 0
    rivals = np.empty(count - 1, np.int64)
    for place in range(count):
        if choices[place] == choice:
            usual = place
    for place in range(count - 1):
        rivals[place] = place + (place >= usual)
    rounds = 1
    if halving:
        while 1 << rounds < count:
            rounds += 1
    trials = worlds * count
    values = np.empty((trials // 2 + rounds + 1, count), np.float64)
    chosen = np.empty(count, np.int64)
    done = 0
    for turn in range(rounds):
        goal = min(values.shape[0], done + max(1, trials // (rounds * (rivals.shape[0] + 1))))
        while done < goal:
            high = min(goal, max(_FIRST_LOOK, done + done // 2))
            chosen[0] = usual
            chosen[1 : rivals.shape[0] + 1] = rivals
            trial = chosen[: rivals.shape[0] + 1]
            play_worlds(view, rng, options, playouts, room, solver, choices, trial, done, high, values)
            done = high
            rivals = _sift(values, done, usual, rivals, clear)
            if _is_settled(values, done, usual, rivals, clear):
                return choices[rivals[0]] if rivals.shape[0] else choice
        if turn + 1 < rounds:
            rivals = rivals[: (rivals.shape[0] + 1) // 2]
    lead, error = lead_over(values, done, rivals[0], usual)
    return choices[rivals[0]] if lead > options.value[DOUBT] * error else choice
