"""Deals of skat that agree with what a player knows.

All deals that agree are alike at first; then some are dropped: nobody declares a game on just any cards, or lays trumps
away. How likely a world is kept goes by the trumps of the declarer and by what lies in the skat.
"""

from __future__ import annotations

import numpy as np

from simcards.games.skat.frame import (
    ACE,
    ALL,
    GRAND,
    JACKS,
    NONE,
    NULL,
    ORDERS,
    OUVERT,
    PLAYERS,
    PLAYING,
    ROLES,
    STATE,
    TEN,
    TRICKS,
    VIEW,
    gone,
    player_of,
    role_of,
)
from simcards.games.skat.play import clear_private, clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import choose_several, uniform

_ACES = np.uint64(sum(1 << (8 * suit + ACE) for suit in range(4)))
_TENS = np.uint64(sum(1 << (8 * suit + TEN) for suit in range(4)))
_LOW = np.uint64(0b00000111 * 0x01010101)  # sevens, eights, nines: what a null is played on

# How likely a world is kept in which the declarer has so many trumps, jacks and aces, or low cards, of all that he held
_SUIT_KEPT = np.array([0.0, 0.0, 0.01, 0.05, 0.25, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
_GRAND_KEPT = np.array([0.0, 0.01, 0.05, 0.2, 0.6, 1.0, 1.0, 1.0, 1.0])
_NULL_KEPT = np.array([0.01, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
_TRIES = 25

MOST = 23  # more cards than anybody ever has not seen
WAYS = np.zeros((MOST, MOST))
for _n in range(MOST):
    for _k in range(_n + 1):
        WAYS[_n, _k] = 1 if _k in (0, _n) else WAYS[_n - 1, _k - 1] + WAYS[_n - 1, _k]


@kernel
def unseen_cards(view):
    """Return the cards whose place the player does not see; those that lie open he sees."""
    return ALL & ~(view.own.hand | view.own.laid | view.common.shown | gone(view.common))


@kernel
def held_by(common, player):
    """Return how many cards a player of this deal holds while tricks are played."""
    return TRICKS - np.int64(common.trick) - (1 if common.table[player] >= 0 else 0)


@kernel
def split(rng, cards, first, second, not_first, not_second):
    """Part cards at random between two players and the skat, all ways alike that agree with what they cannot hold.

    Parameters
    ----------
    rng : STREAM
        Chance.
    cards : uint64
        The cards.
    first, second : int
        How many each of the two gets; the rest is left.
    not_first, not_second : uint64
        Cards that they do not hold.

    Returns
    -------
    uint64, uint64
        What the two get.
    """
    aside = popcount(cards) - first - second
    neither = cards & not_first & not_second
    only_first = cards & not_second & ~neither
    only_second = cards & not_first & ~neither
    both = cards & ~(neither | only_first | only_second)
    ones, others, free = popcount(only_first), popcount(only_second), popcount(both)
    left = aside - popcount(neither)
    total = 0.0
    for turn in range(2):
        draw = 0.0
        if turn:
            draw = uniform(rng) * total
        for i in range(left + 1):  # of the cards aside so many could be only with the first, and j with the second
            for j in range(left + 1 - i):
                k = left - i - j
                need = first - (ones - i)
                if i > ones or j > others or k > free or need < 0 or need > free - k or second < others - j:
                    continue
                ways = WAYS[ones, i] * WAYS[others, j] * WAYS[free, k] * WAYS[free - k, need]
                if not turn:
                    total += ways
                    continue
                draw -= ways
                if draw < 0.0:
                    only_first &= ~choose_several(rng, only_first, i)
                    only_second &= ~choose_several(rng, only_second, j)
                    both &= ~choose_several(rng, both, k)
                    taken = choose_several(rng, both, need)
                    return only_first | taken, only_second | (both & ~taken)
    # nothing agrees, or rounding has left nothing: deal as if nothing were known
    mine = choose_several(rng, cards, first)
    return mine, choose_several(rng, cards & ~mine, second)


@kernel
def _likely(common, rules, hand, aside):
    """Return how likely it is that the declarer plays his game on these cards and has laid these away."""
    game = np.int64(common.game)
    held = hand | common.played[common.declarer]
    if game == NULL:
        chance = _NULL_KEPT[popcount(held & _LOW)]
        if common.skat and popcount(aside & _LOW) == 2:
            chance *= 0.1
        return chance
    trumps = ORDERS[game].cards[ORDERS[game].trump]
    chance = _GRAND_KEPT[popcount(held & (JACKS | _ACES))] if game == GRAND else _SUIT_KEPT[popcount(held & trumps)]
    if common.skat:
        if aside & trumps:
            chance *= 0.1
        if aside & _ACES:
            chance *= 0.3
    return chance


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    common = view.common
    rules = view.rules
    me = view.seat
    state.common = common
    state.aside = NONE
    state.deck[:] = 0
    for player in range(PLAYERS):
        clear_private(state.private[player])
    clear_tally(state.tally)
    state.private[me] = view.own
    rest = unseen_cards(view)
    if common.stage != PLAYING:
        role = role_of(common, rules, me)
        for other in range(ROLES):
            if other != role:
                hand = choose_several(rng, rest, TRICKS)
                state.private[player_of(common, rules, other)].hand = hand
                rest &= ~hand
        state.aside = rest | view.own.laid
        return
    declarer = np.int64(common.declarer)
    mine = role_of(common, rules, me)
    first = declarer
    if me == declarer:
        first = player_of(common, rules, (mine + 1) % ROLES)
    second = player_of(common, rules, (ROLES - mine - role_of(common, rules, first)) % ROLES)
    open_hand = common.shown & ~gone(common)
    if me == declarer or common.level == OUVERT:
        laid = view.own.laid
        if me == declarer:
            hand, other = split(
                rng, rest, held_by(common, first), held_by(common, second), common.absent[first], common.absent[second]
            )
            if common.skat:
                rest = laid | hand | other
        else:
            hand = open_hand
            other = choose_several(rng, rest & ~common.absent[second], held_by(common, second))
            rest |= hand
        state.private[first].hand = hand
        state.private[second].hand = other
        state.aside = rest & ~(hand | other)
    else:
        for _ in range(_TRIES):
            hand, other = split(
                rng, rest, held_by(common, first), held_by(common, second), common.absent[first], common.absent[second]
            )
            aside = rest & ~(hand | other)
            if uniform(rng) < _likely(common, rules, hand, aside):
                break
        state.private[first].hand = hand
        state.private[second].hand = other
        state.aside = aside
    if common.skat and me != declarer:
        # what he found is not asked any more, but belongs to the two that he laid away
        state.private[declarer].laid = state.aside
        state.private[declarer].found = choose_several(
            rng, state.private[declarer].hand | common.played[declarer] | state.aside, 2
        )


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(PLAYERS, VIEW)
