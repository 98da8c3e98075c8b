"""What the solver can tell of a position between two tricks without a search: by sure tricks, or from its table."""

from __future__ import annotations

import numpy as np

from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.solver_nodes import MOST_CARDS, ONE, beats, is_open
from simcards.kernel.tricks import FOLLOW, SUITS

ENTRY = np.dtype([("key", "u8"), ("low", "i2"), ("high", "i2"), ("choice", "i2"), ("tricks", "i2")], align=True)

HIGHEST = 1 << 14
_APART = np.uint64(0x9E3779B97F4A7C15)


@kernel
def mix(value):
    """Return a well-mixed hash of 64 bits."""
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    return value ^ (value >> np.uint64(32))


@kernel
def question_of(task):
    """Return a hash of all that decides what positions are worth besides the hands, the trump suit and who leads.

    Searches that agree in it, such as those after each of several cards of one position, find in the table what the
    others have found out; all others find nothing of each other.
    """
    aim = task.aim
    result = mix(np.uint64(aim.trick + 2 * aim.cards + 4 * aim.last) ^ (np.uint64(aim.least) << np.uint64(32)))
    result = mix(result ^ np.uint64(aim.players + 8 * aim.turns + 16 * aim.silent + 32 * task.duties))
    result ^= task.tops ^ (task.paired << np.uint64(1))
    everything = np.uint64(0)
    for player in range(aim.players):
        result = mix(result ^ np.uint64(aim.camp[player]))
    for suit in range(SUITS):
        everything |= task.lane[suit]
        result = mix(result ^ task.lane[suit])
        if task.pair[suit]:
            result = mix(result ^ task.pair[suit] ^ np.uint64(task.holder[suit]))
            result = mix(result ^ np.uint64(task.bonus[suit]))
    while everything:
        slot = lowest(everything)
        everything &= everything - ONE
        cell = np.int64(task.card[slot]) + (np.int64(task.value[slot]) << 8) + (np.int64(task.power[slot]) << 24)
        result = mix(result ^ np.uint64(cell)) + _APART
    return result


@kernel
def _sure(task, node, player, leads, left_out):
    """Return what a player takes at least, whatever the others do, and by how many tricks.

    Only cards that nothing can beat are counted: the top trumps, and on lead also the top cards of other suits that
    nobody can ruff. Cards left out are never counted. Not for those who want little.
    """
    hand = node.hands[player] & ~left_out
    trump = np.int64(node.trump)
    tricks = 0
    worth = 0
    for suit in range(SUITS):
        lane = task.lane[suit]
        own = hand & lane
        if own == np.uint64(0) or (suit != trump and not leads):
            continue
        others = np.uint64(0)
        limit = MOST_CARDS
        for other in range(task.aim.players):
            if other == player:
                continue
            theirs = node.hands[other]
            others |= theirs & lane
            if suit != trump and trump >= 0 and theirs & task.lane[trump]:
                # an opponent ruffs where he has none of the suit; so may the partner, who then has the lead
                limit = min(limit, popcount(theirs & lane)) if task.duties & FOLLOW else 0
        top = own
        if others:
            best = highest(others)
            top = own & ~((np.uint64(2) << np.uint64(best)) - ONE)
            while top and task.power[lowest(top)] == task.power[best]:
                top &= top - ONE
        if popcount(top) > limit:
            tricks += limit  # which of them is open: their values are not counted
            continue
        tricks += popcount(top)
        while top:
            worth += task.value[lowest(top)]
            top &= top - ONE
    worth += tricks * task.aim.trick
    return worth, tricks


@kernel
def _marriages(task, node, player):
    """Return what a player's marriages mean for what is sure.

    Returns
    -------
    left_out : uint64
        Cards which he does not lead while he takes his sure tricks, since they would make another suit trumps.
    best : int
        The bonus of the best marriage that he can announce: on lead he gets it whatever happens.
    partners : int
        The bonuses of marriages of the others of his camp.
    turning : bool
        Whether another player may make another suit trumps.
    """
    left_out = np.uint64(0)
    best = 0
    partners = 0
    turning = False
    camp = task.aim.camp[player]
    for suit in range(SUITS):
        if not is_open(task, node, suit):
            continue
        holder = task.holder[suit]
        turns = task.aim.turns and suit != node.trump
        if holder == player:
            best = max(best, np.int64(task.bonus[suit]))
            if turns:
                left_out |= task.pair[suit]
        else:
            if task.aim.camp[holder] == camp:
                partners += task.bonus[suit]
            if turns:
                turning = True
    return left_out, best, partners, turning


@kernel
def _answer(task, node, player, worth):
    """Answer the question by what a player's camp gets at least, if that does; return whether it did."""
    if task.aim.camp[player] == 0:
        if worth >= node.need:
            node.value = worth
            return True
    elif node.left - worth < node.need:
        node.value = node.left - worth
        return True
    return False


@kernel
def settle(task, node, table):
    """Answer the question between two tricks without a search, if that can be; return whether it could.

    Parameters
    ----------
    task : TASK
        The search.
    node : NODE
        The position; where it is settled, its value is a bound that answers the question.
    table : ndarray of ENTRY
        What is remembered.
    """
    if node.tricks == 0:
        node.value = 0
        return True
    if in_bounds(node):
        return True
    aim = task.aim
    leader = np.int64(node.turn)
    if node.tricks == 1:
        best = lowest(node.hands[leader])
        taker = leader
        for k in range(1, aim.players):
            player = (leader + k) % aim.players
            card = lowest(node.hands[player])
            if beats(task, node, card, best):
                best = card
                taker = player
        node.value = node.left if aim.camp[taker] == 0 else 0
        return True
    if not aim.least:
        left_out, bonus, partners, turning = np.uint64(0), 0, 0, False
        if task.paired:
            left_out, bonus, partners, turning = _marriages(task, node, leader)
        worth, tricks = _sure(task, node, leader, True, left_out)
        if tricks == node.tricks:
            worth = node.left - partners
        else:
            worth += bonus
        if _answer(task, node, leader, worth):
            return True
        if node.trump >= 0:
            trumps = task.lane[node.trump]
            best = -1
            master = leader
            for player in range(aim.players):
                top = highest(node.hands[player] & trumps)
                if top > best:
                    best = top
                    master = player
            if best >= 0 and master != leader:
                if task.paired:
                    _, _, _, turning = _marriages(task, node, master)
                if not turning:
                    worth, tricks = _sure(task, node, master, False, np.uint64(0))
                    if _answer(task, node, master, worth):
                        return True
    key = task.question
    for player in range(aim.players):
        key = mix(key ^ node.hands[player])
    key += np.uint64(leader + 8 * node.trump) * _APART  # joined to the salt, it could make up for cards of a hand
    node.key = key
    entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
    node.choice = -1
    if entry.key == key:
        if entry.low >= node.need:
            node.value = entry.low
            return True
        if entry.high < node.need:
            node.value = entry.high
            return True
        node.choice = entry.choice
    return False


@kernel
def in_bounds(node):
    """Answer the question where all that is left, or nothing, does; return whether it did."""
    if node.need <= 0:
        node.value = 0
        return True
    if node.need > node.left:
        node.value = node.left
        return True
    return False


@kernel
def remember(node, table):
    """Keep what was found out about a position between two tricks.

    Parameters
    ----------
    node : NODE
        The position, with its value.
    table : ndarray of ENTRY
        Where it is kept.
    """
    entry = table[np.int64(node.key & np.uint64(table.shape[0] - 1))]
    if entry.key != node.key:
        entry.key = node.key
        entry.low = 0
        entry.high = HIGHEST
    if node.value >= node.need:
        entry.low = max(entry.low, node.value)
    else:
        entry.high = min(entry.high, node.value)
    entry.choice = node.choice
    entry.tricks = node.tricks
