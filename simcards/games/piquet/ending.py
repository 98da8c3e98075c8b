"""The last tricks of piquet with all cards open: exact as to what the deal is worth when it is over.

An alpha-beta over the game's own positions: pique, capot, the prize for most tricks and the settlement of a game are
not sums over tricks, so the solver of tricks cannot be asked. It keeps its stack by hand and remembers positions
between tricks in the solver's table.
"""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.frame import HAND, ONE, PLAYING, STATE, SUIT, TEN, bit_of, ranks_in, winners_over
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import apply, implements, legal, worth
from simcards.kernel.solver_bounds import mix

OPEN = 6  # tricks from the end of a deal
FAR = 32_000  # no value is as far from 0, where values are remembered


@kernel
def _takes_all(leader, other):
    """Return whether the player on lead wins every trick with the hand he holds, from the top of each suit."""
    for suit in range(4):
        mine = ranks_in(leader, suit)
        theirs = ranks_in(other, suit)
        wins = winners_over(mine, theirs)
        if wins < popcount(mine) and wins < popcount(theirs):
            return False
    return True


@kernel
def _list_moves(state, usual, moves):
    """Write down the cards worth trying, the most promising first, and return how many there are.

    Of neighbours that are as good as each other only the lowest is tried, and where the leader takes all that is left
    nothing needs to be tried.
    """
    common = state.common
    player = np.int64(common.turn)
    led = np.int64(common.led)
    others = state.private[1 - player].hand
    rest = legal(state)
    higher = np.uint64(0)  # cards that beat the one led
    if led < 0:
        if _takes_all(rest, others):
            moves[0] = highest(rest)
            return 1
    else:
        if lowest(rest) >> 3 == led >> 3:
            higher = rest & ~(bit_of(led + 1) - ONE)
        if higher == np.uint64(0) and _takes_all(others, state.private[player].hand):
            moves[0] = lowest(rest)
            return 1
        others |= bit_of(led)
    count = 0
    below = -1
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        alike = False
        if below >= 0 and below >> 3 == card >> 3:
            between = (bit_of(card) - ONE) & ~(bit_of(below + 1) - ONE)
            scores_alike = not state.rules.high_only or (below & 7 >= TEN) == (card & 7 >= TEN)
            alike = scores_alike and others & between == np.uint64(0)
        below = card
        if alike:
            continue
        rank = card & 7
        if led < 0:
            top = others & (SUIT << np.uint64(card & ~7)) & ~(bit_of(card) - ONE) == np.uint64(0)
            weight = 64 + rank if top else 32 - rank
        else:
            weight = 64 - rank if higher & bit_of(card) else 32 - rank
        if card == usual:
            weight = 1 << 10
        place = count
        packed = weight << 6 | card
        while place > 0 and moves[place - 1] < packed:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = packed
        count += 1
    for place in range(count):
        moves[place] &= 63
    return count


@kernel
def _key_of(state, salt):
    """Return the hash of a position between two tricks, with all that its worth depends on."""
    common = state.common
    scores = np.uint64(common.turn)
    for player in range(2):
        public = state.public[player]
        scores |= np.uint64(public.bonus) << np.uint64(1 + player)
        scores |= np.uint64(public.points) << np.uint64(8 + 28 * player)
    scores |= np.uint64(state.public[0].tricks) << np.uint64(3)
    return mix(mix(mix(salt ^ state.private[0].hand) ^ state.private[1].hand) ^ scores)


@kernel
def _is_near(state):
    """Return whether no value can be as far from 0 as ``FAR``."""
    rules = state.rules
    stakes = HAND * (rules.lead + rules.win) + rules.last_trick + rules.last_lead + rules.cards + rules.capot
    stakes = 4 * (stakes + rules.pique + rules.deal_bonus) + rules.game_bonus
    for player in range(2):
        stakes += abs(state.public[player].total) + 2 * abs(state.public[player].points)
    return stakes < FAR


@kernel
def _best_move(states, moves, nodes, table, salt, low, high):
    """Return the best card in the first position, and what the deal is then worth to player 0.

    The worth is exact where it lies between `low` and `high`. A node is a row of numbers: alpha, beta, the worth so
    far, the card for it, how many moves there are, and how many were tried.
    """
    remembers = _is_near(states[0])
    keys = np.empty(states.shape[0], np.uint64)
    ply = 0
    nodes[0, 0] = low
    nodes[0, 1] = high
    entering = True
    value = 0
    while True:
        state = states[ply]
        node = nodes[ply]
        maximizes = state.common.turn == 0
        if entering:
            between = remembers and ply > 0 and state.common.led < 0
            usual = -1
            found = False
            if between:
                key = _key_of(state, salt)
                keys[ply] = key
                entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
                if entry.key == key:
                    if entry.low >= node[1] or entry.low == entry.high:
                        value = np.int64(entry.low)
                        found = True
                    elif entry.high <= node[0]:
                        value = np.int64(entry.high)
                        found = True
                    usual = np.int64(entry.choice)
            if not found:
                node[2] = -(1 << 40) if maximizes else 1 << 40
                node[3] = -1
                node[4] = _list_moves(state, usual, moves[ply])
                node[5] = 0
        else:
            found = False
            card = moves[ply, node[5] - 1]
            if (value > node[2]) == maximizes and value != node[2]:
                node[2] = value
                node[3] = card
            best = node[2]
            if (best >= node[1]) if maximizes else (best <= node[0]):
                node[5] = node[4]
        if not found:
            if node[5] < node[4]:
                card = moves[ply, node[5]]
                node[5] += 1
                child = states[ply + 1]
                states[ply + 1] = state
                apply(child, card)
                if child.common.stage != PLAYING:
                    value = np.int64(worth(child, 0))
                    entering = False
                    continue
                # alpha and beta with what is found already
                nodes[ply + 1, 0] = max(node[0], node[2]) if maximizes else node[0]
                nodes[ply + 1, 1] = node[1] if maximizes else min(node[1], node[2])
                ply += 1
                entering = True
                continue
            value = node[2]
            if ply == 0:
                return node[3], value
            if remembers and state.common.led < 0:
                entry = table[np.int64(keys[ply] & np.uint64(table.shape[0] - 1))]
                if entry.key != keys[ply]:
                    entry.key = keys[ply]
                    entry.low = -FAR
                    entry.high = FAR
                if value > node[0]:
                    entry.low = max(np.int64(entry.low), value)
                if value < node[1]:
                    entry.high = min(np.int64(entry.high), value)
                entry.choice = node[3]
        ply -= 1
        entering = False


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    common = state.common
    if common.stage != PLAYING or common.trick < HAND - OPEN:
        return False
    task, _, table, _ = room
    task[0].salt += np.uint64(0x9E3779B97F4A7C15)  # what the table holds of other searches is never found
    salt = task[0].salt
    states = np.empty(2 * OPEN + 1, STATE)
    moves = np.empty((2 * OPEN + 1, HAND), np.int64)
    nodes = np.empty((2 * OPEN + 1, 6), np.int64)
    low = -(1 << 40)
    high = 1 << 40
    while common.stage == PLAYING:
        mask = legal(state)
        card = np.int64(lowest(mask))
        if mask & (mask - ONE):
            states[0] = state
            card, value = _best_move(states, moves, nodes, table, salt, low, high)
            low = value - 1
            high = value + 1
        apply(state, card)
    return True
