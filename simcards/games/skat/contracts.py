"""The auction of skat, and what the player who wins it does before the first card; what his game is worth."""

from __future__ import annotations

import numpy as np

from simcards.games.skat.frame import (
    BASES,
    BIDDING,
    DECLARED,
    DECLARING,
    DISCARDING,
    GRAND,
    GRAND_OUVERT,
    HAND,
    MOST_STEPS,
    NONE,
    NULL,
    ONE,
    OUVERT,
    PASS,
    PLAIN,
    PLAYING,
    SCHNEIDER,
    SCHWARZ,
    SIZES,
    TAKING,
    bid_above,
    bit_of,
    matadors,
    null_value,
    player_of,
)
from simcards.kernel.bits import highest, popcount
from simcards.kernel.compiled import kernel

_SUITS_AND_GRAND = np.uint64(0b11111)
_EVERY_LEVEL = np.uint64(sum(0b11111 << DECLARED * level for level in range(4)))


@kernel
def open_auction(state):
    """Let middlehand call to forehand."""
    common = state.common
    common.stage = BIDDING
    common.duel = 1
    common.caller = player_of(common, state.rules, 1)
    common.hearer = common.forehand
    common.turn = common.caller


@kernel
def biddable(state):
    """Return what the player whose turn it is may say: 0 passes, others call or hold."""
    common = state.common
    if common.turn != common.caller or common.hearer < 0:
        return np.uint64(0b11)
    steps = min(MOST_STEPS, SIZES[state.rules.open_null] - np.int64(common.step))
    if state.rules.calls == 0:
        steps = min(steps, 1)
    return NONE - ONE if steps == MOST_STEPS else (ONE << np.uint64(steps + 1)) - ONE


@kernel
def bid(state, player, action):
    """Call, hold or pass; return whether all have passed."""
    common = state.common
    if action == PASS:
        common.passed[player] = 1
        if common.hearer < 0:
            return True
        _end_duel(state, np.int64(common.hearer if player == common.caller else common.caller))
        return False
    if player == common.caller:
        common.high = bid_above(state.rules, np.int64(common.step), action)
        common.step += action
        common.turn = common.hearer
    else:
        common.turn = common.caller
    common.bid[player] = common.high
    if common.hearer < 0:
        _end_auction(state, player)
    return False


@kernel
def _end_duel(state, survivor):
    common = state.common
    if common.duel == 1:
        common.duel = 2
        common.caller = player_of(common, state.rules, 2)
        common.hearer = survivor
        common.turn = common.caller
    elif common.high > 0:
        _end_auction(state, survivor)
    else:
        # nobody has called, so forehand may have it for the least
        common.caller = survivor
        common.hearer = -1
        common.turn = survivor


@kernel
def _end_auction(state, player):
    common = state.common
    common.declarer = player
    common.turn = player
    common.stage = TAKING


@kernel
def take(state, player, action):
    """Take the skat, or play from the hand."""
    common = state.common
    if action == HAND:
        common.stage = DECLARING
        return
    own = state.private[player]
    common.skat = 1
    own.found = state.aside
    own.hand |= state.aside
    state.aside = NONE
    common.stage = DISCARDING


@kernel
def discardable(own):
    """Return the cards that may be laid away, the lower code first."""
    if own.laid:
        return own.hand & ~(bit_of(highest(own.laid) + 1) - ONE)
    return own.hand & ~bit_of(highest(own.hand))  # a higher one must be left for the second


@kernel
def discard(state, player, card):
    """Lay a card away."""
    own = state.private[player]
    one = bit_of(card)
    own.hand &= ~one
    own.laid |= one
    state.aside |= one
    if popcount(own.laid) == 2:
        state.common.stage = DECLARING


@kernel
def declarable(common, rules):
    """Return the games that may be declared: of nulls only those that are worth the bid."""
    mask = _SUITS_AND_GRAND if common.skat else _EVERY_LEVEL
    if null_value(common.skat, PLAIN) >= common.high:
        mask |= bit_of(NULL)
    if (not common.skat or rules.open_null == 1) and null_value(common.skat, OUVERT) >= common.high:
        mask |= bit_of(NULL + DECLARED * OUVERT)
    return mask


@kernel
def declare(state, player, action):
    """Declare a game, lay the hand open where it is to be, and let forehand lead."""
    common = state.common
    common.game = action % DECLARED
    common.level = action // DECLARED
    if common.level == OUVERT:
        common.shown = state.private[player].hand
    common.stage = PLAYING
    common.leader = common.forehand
    common.turn = common.forehand


@kernel
def factors(common, count, schneider, schwarz):
    """Return by how much the base value of a suit or grand is multiplied.

    Parameters
    ----------
    common : COMMON
        With the game declared.
    count : int
        Matadors.
    schneider, schwarz : bool
        Whether it came to that, for either side; where it was announced it counts in any case.
    """
    level = common.level
    total = count + 1 + (0 if common.skat else 1)
    total += (1 if schneider or level >= SCHNEIDER else 0) + (1 if level >= SCHNEIDER else 0)
    total += (1 if schwarz or level >= SCHWARZ else 0) + (1 if level >= SCHWARZ else 0)
    if level == OUVERT and common.game != GRAND:
        total += 1
    return total


@kernel
def base_of(game, level):
    """Return the base value of a suit or grand."""
    return GRAND_OUVERT if game == GRAND and level == OUVERT else BASES[game]


@kernel
def is_made(common, rules, points, own_tricks, their_tricks):
    """Return whether the declarer has done all that he undertook, whatever he bid.

    Parameters
    ----------
    common : COMMON
        With the game declared.
    rules : record
        The rules.
    points : int
        Those of the declarer with the skat.
    own_tricks, their_tricks : int
        Tricks of the declarer and of his opponents.
    """
    if common.game == NULL:
        return own_tricks == 0
    if points < 61 or (common.level >= SCHNEIDER and points < rules.schneider):
        return False
    return common.level < SCHWARZ or their_tricks == 0


@kernel
def settle(common, rules, cards, points, own_tricks, their_tricks):
    """Return what a game is worth, what is written for it, and whether it was lost for the bid alone.

    Parameters
    ----------
    common, rules, points, own_tricks, their_tricks
        As of `is_made`.
    cards : uint64
        Those by which matadors are counted.

    Returns
    -------
    value, written : int
    overbid : bool
        The declarer did all that he undertook, but the game is not worth his bid.
    """
    made = is_made(common, rules, points, own_tricks, their_tricks)
    high = np.int64(common.high)
    times = 1 if common.skat == 0 and rules.hand_loss == 0 else 2
    if common.game == NULL:
        value = null_value(common.skat, common.level)
        if made:
            return value, value, False
        return value, -times * (high if rules.lost_value == 1 else value), False
    base = base_of(common.game, common.level)
    schneidered = points <= rules.schneidered
    schneider = schneidered or points >= rules.schneider
    schwarz = own_tricks == 0 or their_tricks == 0
    value = base * factors(common, abs(matadors(cards, np.int64(common.game))), schneider, schwarz)
    if made and value >= high:
        return value, value, False
    lost = value
    if rules.lost_value == 1:
        lost = high + base * ((1 if schneidered else 0) + (1 if own_tricks == 0 else 0))
    elif value < high:
        lost = base * ((high + base - 1) // base)
    return value, -times * lost, made
