"""Thousand with all cards open, once only tricks are left.

With a bid, the player who made it takes as many points as he can and the others keep him from it, as if each of them
had nothing else in mind; between two players without a bid the difference of their points is at stake. When it is known
what that comes to, the deal is played to its end with cards that all keep to it; so the points of the others are those
of one such line.
"""

from __future__ import annotations

import numpy as np

from simcards.games.thousand import TWO_HAND
from simcards.games.thousand.frame import (
    ALL_POINTS,
    ANNOUNCE,
    NONE,
    ONE,
    ORDERS,
    PAIR,
    PLAYING,
    STATE,
    bit_of,
    bonus_of,
    has_auction,
    points_in,
    suit_mask,
    value_of,
)
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import apply, implements, legal
from simcards.kernel.solver import AIM, CARDS_KNOWN, gets, solve


def _doubled() -> np.ndarray:
    orders = ORDERS.copy()
    orders["value"] *= 2
    return orders


# What one player wins the other loses: a card counts twice against what both have left
TWICE = _doubled()
MEMORY = 1 << 12  # positions of a search for every trick that are remembered
UNKNOWN, NO, YES = range(3)

# Two hands between two tricks, the leads not tried yet, the lead that is tried and the replies to it that are not
FRAME = np.dtype([("mine", "u8"), ("theirs", "u8"), ("leads", "u8"), ("replies", "u8"), ("lead", "i8")])


@kernel
def _set_aim(state, aim):
    """Say who plays with whom for what."""
    rules = state.rules
    bids = has_auction(rules)
    aim.players = rules.players
    aim.trick = 0
    aim.cards = 1
    aim.last = 0
    aim.least = 0
    aim.turns = 1
    aim.silent = 1
    aim.marriage[4] = NONE
    aim.bonus[:] = 0
    for suit in range(4):
        aim.marriage[suit] = PAIR << np.uint64(6 * suit)
        aim.bonus[0, suit] = bonus_of(rules, suit)
        aim.bonus[1, suit] = 0 if bids else bonus_of(rules, suit)
    for player in range(4):
        if bids:
            aim.camp[player] = 0 if player == state.common.declarer else 1
        else:
            aim.camp[player] = player


@kernel
def _set_known(state, known):
    """Write down all cards of a position."""
    common = state.common
    players = np.int64(state.rules.players)
    count = np.int64(common.count)
    known.turn = common.turn
    known.count = count
    for player in range(players):
        known.hands[player] = state.private[player].hand
    for place in range(count):
        known.trick[place] = common.table[(common.leader + place) % players]


@kernel
def _scored(state):
    """Return the points of a deal so far that are at stake, and those that are left in cards."""
    common = state.common
    left = 0
    for player in range(np.int64(state.rules.players)):
        left += points_in(state.private[player].hand)
        if common.table[player] >= 0:
            left += value_of(common.table[player])
    if has_auction(state.rules):
        public = state.public[common.declarer]
        return np.int64(public.cards) + np.int64(public.marriages), left
    one = state.public[0]
    other = state.public[1]
    points = np.int64(one.cards) + np.int64(one.marriages) - np.int64(other.cards) - np.int64(other.marriages)
    return points - left, left


@kernel
def _order(state):
    trump = np.int64(state.common.trump)
    return ORDERS[trump + 1] if has_auction(state.rules) else TWICE[trump + 1]


@kernel
def _may_sweep(state):
    """Return whether every trick without a marriage may still bring the points of the packets."""
    rules = state.rules
    common = state.common
    if rules.hand != TWO_HAND or common.high > ALL_POINTS or (rules.sweep == 0 and common.high != ALL_POINTS):
        return False
    public = state.public[common.declarer]
    if public.announced or public.tricks != common.trick:
        return False
    # the others cannot lead before they win a trick; one that is being played may be lost already
    return common.count == 0 or (common.turn != common.declarer and common.leader == common.declarer)


@kernel
def _gets(room, aim, known, declarer, mine, theirs, turn, need):
    """Return whether the player with the bid gets so much more, from two hands between two tricks without trumps."""
    known.hands[declarer] = mine
    known.hands[1 - declarer] = theirs
    known.turn = turn
    known.count = 0
    return gets(room, ORDERS[0], aim, known, need)


@kernel
def _sweeps_or_reaches(state, room, aim, known, total, frames, memory):
    """Return whether the player with the bid reaches a total that every trick without a marriage would reach, too.

    As long as he wins every trick and announces nothing there are no trumps and the other never leads. So the positions
    on this way are two hands; what leaves it is a question for the solver. Every lead is tried against every reply.
    """
    common = state.common
    declarer = np.int64(common.declarer)
    other = 1 - declarer
    root = frames[0]
    root.mine = state.private[declarer].hand
    root.theirs = state.private[other].hand
    root.leads = root.mine
    root.replies = NONE
    if common.led >= 0:
        root.leads = bit_of(common.led)
        root.mine |= root.leads
    start, _ = _scored(state)
    start += points_in(root.mine | root.theirs)
    memory[:] = NONE
    if common.led < 0 and _gets(
        room, aim, known, declarer, root.mine, root.theirs, declarer, total - start + points_in(root.mine | root.theirs)
    ):
        return True
    depth = 0
    answer = UNKNOWN  # of the reply that was tried last
    while depth >= 0:
        frame = frames[depth]
        if answer == NO:
            frame.replies = NONE  # so the lead is no good
        elif answer == YES and frame.replies == NONE:
            memory[_place(frame.mine, frame.theirs)] = _entry(frame.mine, frame.theirs, YES)
            depth -= 1
            continue
        answer = UNKNOWN
        if frame.replies == NONE:
            if frame.leads == NONE:
                memory[_place(frame.mine, frame.theirs)] = _entry(frame.mine, frame.theirs, NO)
                depth -= 1
                answer = NO
                continue
            frame.lead = highest(frame.leads)
            frame.leads &= ~bit_of(frame.lead)
            following = frame.theirs & suit_mask(frame.lead // 6)
            frame.replies = following if following else frame.theirs
        reply = highest(frame.replies)
        frame.replies &= ~bit_of(reply)
        mine = frame.mine & ~bit_of(frame.lead)
        theirs = frame.theirs & ~bit_of(reply)
        need = total - start + points_in(mine | theirs)
        if reply // 6 == frame.lead // 6 and reply > frame.lead:
            need += value_of(reply) + value_of(frame.lead)  # this trick is lost
            answer = YES if _gets(room, aim, known, declarer, mine, theirs, other, need) else NO
            continue
        found = memory[_place(mine, theirs)]
        if mine == NONE:
            answer = YES  # every trick is his
        elif found >> np.uint64(2) == _key(mine, theirs):
            answer = np.int64(found & np.uint64(3))
        elif _gets(room, aim, known, declarer, mine, theirs, declarer, need):
            answer = YES
        else:
            depth += 1
            child = frames[depth]
            child.mine = mine
            child.theirs = theirs
            child.leads = mine
            child.replies = NONE
    return answer == YES


@kernel
def _key(mine, theirs):
    return mine << np.uint64(24) | theirs


@kernel
def _place(mine, theirs):
    return np.int64((_key(mine, theirs) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(52))


@kernel
def _entry(mine, theirs, answer):
    return _key(mine, theirs) << np.uint64(2) | np.uint64(answer)


@kernel
def _reaches(state, room, aim, known, total, frames, memory):
    """Return whether camp 0 reaches a total from a position."""
    scored, _ = _scored(state)
    _set_known(state, known)
    if _may_sweep(state) and total <= ALL_POINTS:
        return _sweeps_or_reaches(state, room, aim, known, total, frames, memory)
    return gets(room, _order(state), aim, known, total - scored)


@kernel
def _best_total(state, room, aim, known, frames, memory):
    """Return what camp 0 reaches from a position."""
    scored, left = _scored(state)
    _set_known(state, known)
    total = scored + solve(room, _order(state), aim, known, left // 2)
    if not _may_sweep(state) or total >= ALL_POINTS:
        return total
    if _sweeps_or_reaches(state, room, aim, known, ALL_POINTS, frames, memory):
        return ALL_POINTS
    high = ALL_POINTS  # the least that is out of reach
    need = total + 1
    while total + 1 < high:
        if _sweeps_or_reaches(state, room, aim, known, need, frames, memory):
            total = need
        else:
            high = need
        need = (total + high + 1) // 2
    return total


@kernel
def _keeps(state, room, aim, known, total, camp, frames, memory):
    """Return whether a player of a camp who has played to this position still has what he could have."""
    if camp == 0:
        return _reaches(state, room, aim, known, total, frames, memory)
    return not _reaches(state, room, aim, known, total + 1, frames, memory)


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    common = state.common
    if common.stage != PLAYING or common.stock > 0:
        return False
    aim = scratch(AIM)
    known = scratch(CARDS_KNOWN)
    frames = np.empty(TWO_HAND + 1, FRAME)
    memory = np.empty(MEMORY, np.uint64)
    trial = np.empty(1, STATE)
    after = trial[0]
    _set_aim(state, aim)
    total = _best_total(state, room, aim, known, frames, memory)
    deals = np.int64(common.deals)
    while common.stage == PLAYING and common.deals == deals:
        mask = legal(state)
        camp = np.int64(aim.camp[common.turn])
        announcing = mask >> np.uint64(ANNOUNCE)
        choice = np.int64(lowest(mask))
        # marriages first: where nothing else is at stake, their points are taken
        while mask & (mask - ONE):
            choice = np.int64(lowest(announcing)) + ANNOUNCE if announcing else np.int64(lowest(mask))
            announcing &= announcing - ONE if announcing else announcing
            mask &= ~bit_of(choice)
            trial[0] = state
            apply(after, choice)
            if _keeps(after, room, aim, known, total, camp, frames, memory):
                break
            choice = np.int64(lowest(mask))
        apply(state, choice)
    return True
