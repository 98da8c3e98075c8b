"""The protocol's functions, callable from tests."""

import numba
import numpy as np

from simcards.kernel import protocol
from simcards.kernel.drive import playout
from simcards.kernel.rng import STREAM


@numba.njit
def census(states, counts):
    for place in range(states.shape[0]):
        protocol.census(states[place], counts[place])


@numba.njit
def seats(states, actors):
    for place in range(states.shape[0]):
        actors[place] = -2 if protocol.is_over(states[place]) else protocol.actor(states[place])


@numba.njit
def masks(states, result):
    for place in range(states.shape[0]):
        result[place] = protocol.legal(states[place])


@numba.njit
def observe(states, player, views):
    for place in range(states.shape[0]):
        protocol.observe(states[place], player, views[place])


@numba.njit
def apply(states, action):
    protocol.apply(states[0], action)


@numba.njit
def determinize(views, rng, states):
    protocol.determinize(views[0], rng, states[0])


def play_on(game, states, views, policies, seed):
    streams = np.random.default_rng(seed).integers(1, 2**63, (len(views), 4), np.uint64).view(STREAM).reshape(-1)
    options = np.zeros((len(views), len(game.phases)), protocol.OPTIONS)
    fault = np.zeros(5, np.int64)
    return playout(states, views, policies, options, streams, game.limit, fault)


@numba.njit
def both_ways(states, views, streams, options, actions):
    """Write what `basic` does by the actor's view, and what `usual` does, with the same random numbers.

    The first options are for `usual`, the second for `basic`.
    """
    for place in range(states.shape[0]):
        state = states[place]
        seat = protocol.actor(state)
        mask = protocol.legal(state)
        streams[1] = streams[0]
        actions[place, 0] = protocol.usual(state, views, mask, streams[1], options[0])
        protocol.observe(state, seat, views[seat])
        actions[place, 1] = protocol.basic(views[seat], protocol.phase(state), mask, streams[0], options[1])
