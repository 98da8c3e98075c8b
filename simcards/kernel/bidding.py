"""What becomes of a deal when one player gets the contract he is after.

The same worlds are played once for every contract and once with the player passing. Who else could bid keeps silent, or
bids as ``basic`` does and so may take the contract away; cards are exchanged and played as a level of play says.
"""

from __future__ import annotations

import numpy as np

from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import (
    DEALER,
    actor,
    aim,
    apply,
    begin,
    deal,
    determinize,
    is_over,
    legal,
    measure,
    observe,
    phase,
    play_open,
    space,
    usual,
    worth,
)
from simcards.kernel.rng import CARDS, PLAY, STREAM, next64, seed_stream
from simcards.kernel.search import monte_carlo
from simcards.kernel.shuffle import fixed_deal, fresh_deal
from simcards.kernel.solver import workspace

BASIC, SEARCH, OPEN = range(3)  # levels of play
PASSING = -1  # in place of a contract
WORLDS = 37  # purpose of the streams of worlds

# What a trial is about: the phases of the auction as a mask, the action that passes, whether the others bid as basic
# does, and how all play
TERMS = np.dtype([("auction", "u8"), ("silence", "i4"), ("listen", "i4"), ("level", "i4")], align=True)

ONE = np.uint64(1)
_TABLE_BITS = 17


@kernel
def _bids(terms, part):
    return (terms.auction >> np.uint64(part)) & ONE != np.uint64(0)


@kernel
def _may_pass(terms, mask):
    return (mask >> np.uint64(terms.silence)) & ONE != np.uint64(0)


@kernel
def play_contract(state, seat, contract, terms, views, rng, options, searching, solver):
    """Play a deal on with `seat` after a contract; return whether he could do all that it asks.

    Parameters
    ----------
    state : STATE
        The position; played to the end of the deal.
    seat, contract : int
        Who is after what; ``PASSING`` when he passes, or bids as little as he can where he may not.
    terms : TERMS
        How the others bid and how all play.
    views : ndarray of VIEW
        Room for a view of each seat, with the rules set.
    rng : STREAM
        Chance.
    options, searching : OPTIONS
        For ``basic`` and for ``mc``.
    solver : tuple
        What `solver.workspace` returned.
    """
    while not is_over(state):
        player = actor(state)
        if player == DEALER:
            break
        if terms.level == OPEN:
            if play_open(state, solver):
                break
        mask = legal(state)
        part = phase(state)
        bidding = _bids(terms, part)
        action = np.int64(-1)
        if player == seat:
            if contract >= 0:
                action = np.int64(aim(state, contract))
                if action < -1:
                    return False
                if action >= 0 and (mask >> np.uint64(action)) & ONE == np.uint64(0):
                    return False
            elif bidding:
                # who may not pass bids as little as he can
                action = np.int64(terms.silence) if _may_pass(terms, mask) else np.int64(lowest(mask))
        elif bidding and not terms.listen and contract >= 0 and _may_pass(terms, mask):
            action = np.int64(terms.silence)
        if action < 0:
            if mask & (mask - ONE) == np.uint64(0):
                action = np.int64(lowest(mask))
            elif terms.level == SEARCH and not bidding:
                view = views[player]
                observe(state, player, view)
                action = np.int64(monte_carlo(view, mask, rng, searching))
            else:
                action = np.int64(usual(state, views, mask, rng, options))
        apply(state, action)
    return True


@kernel
def _try_all(seat, contracts, terms, states, views, start, rng, options, searching, solver, values, rows, kept):
    """Play the first of three positions out for every contract, with the same chance."""
    state = states[1]
    for place in range(contracts.shape[0]):
        states[1] = states[0]
        seed_stream(rng, start, PLAY, 0)
        kept[place] = play_contract(state, seat, contracts[place], terms, views, rng, options, searching, solver)
        values[place] = worth(state, seat)
        measure(state, rows[place])


@kernel
def sampled(views, seed, low, contracts, terms, options, searching, values, rows, kept):
    """Play contracts out on sampled worlds of a position.

    Parameters
    ----------
    views : ndarray of VIEW, shape (worlds,)
        What the player knows in each.
    seed : uint64
        Seed of the worlds.
    low : int
        Index of the first world.
    contracts : ndarray of int64
        The contracts, ``PASSING`` among them.
    terms : ndarray of TERMS, shape (1,)
        How the others bid and how all play.
    options, searching : ndarray of OPTIONS, shape (1,)
        For ``basic`` and for ``mc``.
    values : ndarray of float64, shape (worlds, contracts)
        Result: what the deal was worth to the player.
    rows : ndarray of ROW, shape (worlds, contracts)
        Result: the quantities.
    kept : ndarray of bool, shape (worlds, contracts)
        Result: whether the player could do all that the contract asks.
    """
    chance = np.empty(1, STREAM)
    worlds = np.empty(1, STREAM)
    solver = workspace(_TABLE_BITS)
    states, seats = space(views[0])
    for k in range(seats.shape[0]):
        seats[k].rules = views[0].rules
    states[0].rules = views[0].rules
    for k in range(views.shape[0]):
        seed_stream(worlds[0], seed, WORLDS, low + k)
        determinize(views[k], worlds[0], states[0])
        start = next64(worlds[0])
        seat = np.int64(views[k].seat)
        _try_all(
            seat, contracts, terms[0], states, seats, start, chance[0], options[0], searching[0], solver,
            values[k], rows[k], kept[k],
        )  # fmt: skip


@kernel
def dealt(
    seed,
    low,
    states,
    seats,
    template,
    fixed,
    size,
    seat,
    contracts,
    terms,
    options,
    searching,
    decks,
    values,
    rows,
    kept,
):
    """Deal, and play contracts out from the first decision of `seat` in the auction.

    Parameters
    ----------
    seed, low
        Seed of the deals, and the first of them; they are those of a study with this seed.
    states : ndarray of STATE, shape (2,)
        Work space; the rules must be set in the first.
    seats : ndarray of VIEW, shape (seats,)
        Work space, with the rules set.
    template, fixed, size
        The cards, as `drive.play` takes them.
    seat : int
        Whose contracts.
    contracts, terms, options, searching
        As of `sampled`.
    decks : ndarray of uint8, shape (deals, cards)
        Result: the dealing orders.
    values, rows, kept
        Results, as of `sampled`; where nothing was kept, `seat` had nothing to bid.
    """
    chance = np.empty(1, STREAM)
    cards = np.empty(1, STREAM)
    solver = workspace(_TABLE_BITS)
    state = states[0]
    for k in range(decks.shape[0]):
        seed_stream(cards[0], seed, CARDS, low + k)
        seed_stream(chance[0], seed, WORLDS, low + k)
        start = next64(chance[0])
        begin(state)
        if fixed.shape[0] == 0:
            fresh_deal(cards[0], template, decks[k], size)
        else:
            fixed_deal(cards[0], template, decks[k], size, fixed)
        deal(state, decks[k])
        reached = False
        while not is_over(state):
            player = actor(state)
            if player == DEALER:
                break
            mask = legal(state)
            bidding = _bids(terms[0], phase(state))
            if player == seat and bidding:
                reached = True
                break
            if bidding and _may_pass(terms[0], mask):
                action = np.int64(terms[0].silence)
                if terms[0].listen and np.int64(usual(state, seats, mask, chance[0], options[0])) != action:
                    break
            else:
                action = np.int64(usual(state, seats, mask, chance[0], options[0]))
            apply(state, action)
        kept[k] = False
        if reached:
            _try_all(
                seat, contracts, terms[0], states, seats, start, chance[0], options[0], searching[0], solver,
                values[k], rows[k], kept[k],
            )  # fmt: skip
