"""Deals that agree with what a player of cribbage knows.

The cards that he has not seen lie anywhere, all places alike, but that who said go holds none that could have been
laid; and others discard as `basic` does. So hands are drawn for each of them until one is found of which he would have
discarded just what is left beside the cards he kept.
"""

from __future__ import annotations

import numpy as np

from simcards.games.cribbage.frame import (
    PACK,
    UP_TO,
    after,
    bit_of,
    discard_of,
    to_discard,
)
from simcards.games.cribbage.play import clear_tally
from simcards.games.cribbage.players import USUAL, best_discard, crib_sign, seen_by
from simcards.games.cribbage.scoring import ONE
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.rng import bounded, choose_several

TRIES = 12  # hands drawn for one of which the player would have discarded so


@kernel
def _draw_player(view, rng, player, public, unseen, own):
    """Draw a player's cards from those that are not seen."""
    common = view.common
    rules = view.rules
    held = np.int64(public.cards)
    if common.discarded >> player & 1 == 0:
        own.hand = choose_several(rng, unseen, held)
        own.discards = np.uint64(0)
        return
    gone = to_discard(rules)
    sign = crib_sign(common, player)
    if public.laid == np.uint64(0) and public.above == 0:
        dealt = choose_several(rng, unseen, held + gone)
        action, _ = best_discard(rules, dealt, sign, USUAL[0].value)
        own.discards = discard_of(rules, dealt, action)
        own.hand = dealt & ~own.discards
        return
    for _ in range(TRIES):
        own.hand = choose_several(rng, unseen & ~UP_TO[public.above], held)
        own.discards = choose_several(rng, unseen & ~own.hand, gone)
        dealt = own.hand | own.discards | public.laid
        action, _ = best_discard(rules, dealt, sign, USUAL[0].value)
        if discard_of(rules, dealt, action) == own.discards:
            return


@kernel
def make_world(view, rng, state):
    """Make a position that agrees with what a player sees; as of `protocol.determinize`."""
    rules = view.rules
    players = np.int64(rules.players)
    seat = np.int64(view.seat)
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    clear_tally(state.tally)
    for k in range(players):
        state.public[after(rules, seat, k)] = view.public[k]
    state.private[seat] = view.own
    unseen = PACK & ~seen_by(rules, view.common, view.public, view.own)
    done = 0
    for _ in range(1, players):  # who can hold the fewest kinds of cards comes first
        chosen = -1
        for k in range(1, players):
            if done >> k & 1 == 0 and (chosen < 0 or view.public[k].above > view.public[chosen].above):
                chosen = k
        done |= 1 << chosen
        player = after(rules, seat, chosen)
        own = state.private[player]
        _draw_player(view, rng, player, view.public[chosen], unseen, own)
        unseen &= ~(own.hand | own.discards)
    _stack(view, rng, state, unseen)


@kernel
def _stack(view, rng, state, rest):
    """Put the cards that nobody has into the pack, the starter first."""
    place = np.int64(view.rules.cards * view.rules.players)
    starter = np.int64(view.common.starter)
    state.deck[:place] = 0
    if starter < 0:
        starter = nth_set(rest, bounded(rng, popcount(rest)))
        rest &= ~bit_of(starter)
    state.deck[place] = starter
    while rest:
        place += 1
        state.deck[place] = lowest(rest)
        rest &= rest - ONE
