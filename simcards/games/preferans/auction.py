"""The auction of preferans, the talon, the contract, and who whists."""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.frame import (
    ALL_PASS,
    BIDDING,
    CONTRACT,
    CONTRACTS,
    DISCARDING,
    DUMMY,
    INVITING,
    LEVELS,
    LOOKING,
    MISERE,
    MISERE_WITHOUT,
    NAMING,
    NINE_WITHOUT,
    NO_TRICK,
    NONE,
    ONE,
    OPEN,
    OWN,
    PASS,
    PASSED,
    PLAYING,
    STRAINS,
    TALON,
    TRUMPS,
    WHIST,
    WHISTING,
    bit_of,
    bits_above,
    contracts_from,
    is_hussar,
    is_misere,
    next_chair,
)
from simcards.kernel.bits import highest, popcount
from simcards.kernel.compiled import kernel

SILENT = -1  # what a chair has said that was not asked to whist


@kernel
def set_turn(state, chair):
    """Say whose cards are next, and who decides on them."""
    common = state.common
    common.turn = chair
    common.decider = common.who[chair]
    if common.stage != PLAYING or chair == common.declarer:
        return
    other = next_chair(np.int64(common.declarer), 1)
    if other == chair:
        other = next_chair(np.int64(common.declarer), 2)
    if is_hussar(state.rules):
        if common.who[chair] == DUMMY:
            common.decider = common.who[other]
    elif common.kind == CONTRACT and common.open and common.exposed and state.public[chair].whist != WHIST:
        common.decider = common.who[other]  # the whister plays both hands


@kernel
def ask_bid(state, chair):
    """Ask for a bid, and before that whether the player looks at his cards, where he need not."""
    state.common.stage = BIDDING if state.public[chair].looked else LOOKING
    set_turn(state, chair)


@kernel
def biddable(state):
    """Return what the player whose turn it is may bid."""
    rules = state.rules
    common = state.common
    high = np.int64(common.high)
    own = np.int64(state.public[common.turn].bid)
    if own == MISERE_WITHOUT:
        return bit_of(PASS)
    if own == MISERE:
        # who has bid misère can only give up the talon
        return bit_of(PASS) | (bit_of(MISERE_WITHOUT) if high < MISERE_WITHOUT else NONE)
    higher = CONTRACTS & bits_above(high)
    if rules.jumps == 0:
        higher &= ~higher + ONE
    if high < MISERE and (own == 0 or rules.misere_bid == 1):
        higher |= bit_of(MISERE)
    if high == MISERE_WITHOUT:
        higher |= bit_of(NINE_WITHOUT)
    return bit_of(PASS) | higher


@kernel
def look(state, chair, action):
    """Take the cards up, or bid without looking at them."""
    if action:
        state.public[chair].looked = 1
    state.common.stage = BIDDING


@kernel
def bid(state, chair, action):
    """Bid or pass; who is left alone plays."""
    common = state.common
    public = state.public[chair]
    if action == PASS:
        public.passed = 1
    else:
        public.bid = action
        common.high = action
        common.declarer = chair
    for steps in range(1, 3):
        other = next_chair(chair, steps)
        if other == common.declarer:
            break
        if not state.public[other].passed:
            ask_bid(state, other)
            return
    if common.declarer < 0:
        common.kind = ALL_PASS
    else:
        _end_auction(state)


@kernel
def _end_auction(state):
    common = state.common
    declarer = np.int64(common.declarer)
    high = np.int64(common.high)
    common.bid = high
    common.blind = 0 if state.public[declarer].looked else 1
    common.kind = NO_TRICK if is_misere(high) else CONTRACT
    common.without = 1 if high == MISERE_WITHOUT or high == NINE_WITHOUT else 0
    if common.without:
        _after_talon(state)
        return
    talon = bit_of(state.deck[TALON]) | bit_of(state.deck[TALON + 1])
    common.shown = talon
    state.private[declarer].hand |= talon
    common.stage = DISCARDING
    set_turn(state, declarer)


@kernel
def _after_talon(state):
    """Let the declarer name his contract, or begin a misère."""
    common = state.common
    if common.kind == NO_TRICK:
        _begin_tricks(state)
    else:
        common.stage = NAMING
        set_turn(state, np.int64(common.declarer))


@kernel
def discardable(state, chair):
    """Return the cards that may be laid away: the lower one first, so one must be left above it."""
    own = state.private[chair]
    if own.laid:
        return own.hand & bits_above(highest(own.laid))
    return own.hand & ~bit_of(highest(own.hand))


@kernel
def discard(state, chair, card):
    """Lay a card away."""
    own = state.private[chair]
    own.hand &= ~bit_of(card)
    own.laid |= bit_of(card)
    if popcount(own.laid) == 2:
        _after_talon(state)


@kernel
def nameable(state):
    """Return the contracts that are not lower than the bid."""
    return contracts_from(np.int64(state.common.high))


@kernel
def name_contract(state, chair, action):
    """Announce what is played, and ask who whists; against ten all do."""
    common = state.common
    common.bid = action
    common.trump = TRUMPS[STRAINS[action]]
    for steps in range(1, 3):
        other = next_chair(chair, steps)
        if common.who[other] == DUMMY and is_hussar(state.rules):
            state.public[other].whist = PASSED
        elif LEVELS[action] == 10:
            state.public[other].whist = WHIST
    _ask_whist(state)


@kernel
def _ask_whist(state):
    """Ask the next opponent whether he whists; when both have spoken see what comes of it."""
    common = state.common
    declarer = np.int64(common.declarer)
    whisters = 0
    whister = -1
    for steps in range(1, 3):
        other = next_chair(declarer, steps)
        said = np.int64(state.public[other].whist)
        if said == SILENT:
            common.stage = WHISTING
            set_turn(state, other)
            return
        if said == OWN:
            common.unplayed = 1
        if said == WHIST:
            whisters += 1
            whister = other
    if whisters == 0:
        common.unplayed = 1
    if common.unplayed:
        return
    if whisters == 2:
        _begin_tricks(state)
        return
    common.turn = whister
    choices = inviting(state, whister)
    if choices & (choices - ONE):
        common.stage = INVITING
        set_turn(state, whister)
    else:
        common.open = 1
        _begin_tricks(state)


@kernel
def whisting(state, chair):
    """Return what an opponent may say."""
    said = bit_of(PASSED) | bit_of(WHIST)
    second = next_chair(np.int64(state.common.declarer), 2)
    if chair == second and state.public[next_chair(chair, 2)].whist == PASSED and state.rules.own:
        said |= bit_of(OWN)
    return said


@kernel
def whist(state, chair, action):
    """Whist, pass, or take the own share without play."""
    state.public[chair].whist = action
    _ask_whist(state)


@kernel
def inviting(state, chair):
    """Return how a single whister may go on: closed, open, or by taking his own share, if he spoke first.

    Against ten there is nothing to take; a dummy is always open.
    """
    how = bit_of(OPEN) if is_hussar(state.rules) else np.uint64(0b11)
    first = chair == next_chair(np.int64(state.common.declarer), 1)
    if first and state.rules.own and LEVELS[state.common.bid] < 10:
        how |= bit_of(OWN)
    return how


@kernel
def invite(state, chair, action):
    """Invite the other one, or take the own share without play."""
    common = state.common
    if action == OWN:
        state.public[chair].whist = OWN
        common.unplayed = 1
        return
    common.open = action
    _begin_tricks(state)


@kernel
def expose(state):
    """Lay the cards of both opponents of the declarer open."""
    state.common.exposed = 1
    for steps in range(1, 3):
        other = next_chair(np.int64(state.common.declarer), steps)
        state.public[other].exposed = state.private[other].hand


@kernel
def _begin_tricks(state):
    """Let the eldest hand lead."""
    common = state.common
    common.stage = PLAYING
    dummy_leads = is_hussar(state.rules) and common.who[0] == DUMMY
    if dummy_leads or (common.kind == NO_TRICK and state.rules.misere_opens == 0):
        expose(state)
    set_turn(state, 0)
