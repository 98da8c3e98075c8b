"""Deals of sixty-six played out with all cards open, once the stock is gone or closed.

With two players it is an alpha-beta search for the big points that the deal brings: who reaches the goal first, and
what the loser has by then. Positions between tricks are remembered in the table of the solver. With more players, each
for himself, everybody takes what is best for him when the others do so too; there the search begins when few cards are
left, and tries everything.
"""

from __future__ import annotations

import numpy as np

from simcards.games.sixty_six.frame import (
    CLOSED,
    COMMON,
    DOUBLE,
    FAILED,
    FIRSTS,
    KING,
    ONE,
    PHASES,
    PLAYING,
    SEATS,
    SINGLE,
    STATE,
    SUIT_OF,
    TRIPLE,
    VALUE,
    VIEW,
    WITH_MARRIAGE,
    beats,
    cards_value,
    count_of,
    drop,
    loss_class,
    marriage_value,
    marriages,
    must_follow,
    playable,
    prize,
    put,
)
from simcards.games.strategy import open_search
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import implements
from simcards.kernel.rng import mix

FEW = 12  # cards in all hands with which the search of more than two players begins
MOST = 16  # cards in both hands of two players
_FAR = 1 << 14  # beyond every number of big points
_MOVES = 12  # a hand, and the marriages once more

# A position of two players; values are big points of player 0 less those of player 1. `won` says who has a trick;
# `low` and `high` are the window of the search.
_SPOT = np.dtype(
    [
        ("hand", "u8", (2,)),
        ("wed", "u8", (2,)),
        ("key", "u8"),
        ("points", "i4", (2,)),
        ("pending", "i4", (2,)),
        ("won", "i4", (2,)),
        ("turn", "i4"),
        ("led", "i4"),
        ("low", "i4"),
        ("high", "i4"),
        ("value", "i4"),
        ("choice", "i4"),
        ("moves", "i4"),
        ("next", "i4"),
        ("move", "i4", (_MOVES,)),
    ],
    align=True,
)


@kernel
def _won_by(rules, common, spot, player):
    """Return what it is worth when a player reaches the goal now."""
    closer = np.int64(common.closer)
    if closer >= 0:
        kind = CLOSED if closer == player else FAILED
    else:
        kind = loss_class(rules, np.int64(spot.points[1 - player]))
    return prize(rules, kind) if player == 0 else -prize(rules, kind)


@kernel
def _won_by_nobody(rules, common):
    """Return what it is worth when nobody reaches the goal."""
    closer = np.int64(common.closer)
    if closer < 0:
        return 0
    return -prize(rules, FAILED) if closer == 0 else prize(rules, FAILED)


@kernel
def _most(rules, common, spot, player):
    """Return the most big points that a player can win: the other's points can only grow."""
    closer = np.int64(common.closer)
    if closer >= 0:
        return prize(rules, CLOSED if closer == player else FAILED)
    most = prize(rules, SINGLE)
    kind = loss_class(rules, np.int64(spot.points[1 - player]))
    if kind != SINGLE:
        most = max(most, prize(rules, DOUBLE))
    return max(most, prize(rules, TRIPLE)) if kind == TRIPLE else most


@kernel
def _can_win(rules, common, spot, player, rest):
    """Return whether a player would reach the goal with all tricks and his marriages."""
    points = rest + np.int64(spot.points[player] + spot.pending[player])
    if points >= rules.goal:
        return True
    hand = spot.hand[player]
    pairs = marriages(rules, hand, spot.wed[player])
    while pairs:  # with two packs perhaps as often as there are kings and queens that can still be led with a mate
        queen = lowest(pairs)
        times = count_of(hand, queen) + count_of(hand, queen + 1) - 1
        points += times * marriage_value(rules, common, queen)
        pairs &= pairs - ONE
        pairs &= pairs - ONE
    return points >= rules.goal


@kernel
def _step(rules, common, spot, action, after):
    """Make the position after an action; return whether the deal is over with it, and then ``after.value``."""
    player = np.int64(spot.turn)
    card = action if action < WITH_MARRIAGE else action - WITH_MARRIAGE
    for k in range(2):
        after.hand[k] = spot.hand[k]
        after.wed[k] = spot.wed[k]
        after.points[k] = spot.points[k]
        after.pending[k] = spot.pending[k]
        after.won[k] = spot.won[k]
    after.hand[player] = drop(after.hand[player], card)
    if spot.led < 0:
        if action >= WITH_MARRIAGE:
            _marry(rules, common, spot, after, player, card)
            if after.points[player] >= rules.goal:
                after.value = _won_by(rules, common, after, player)
                return True
        elif count_of(after.wed[player], card):
            after.wed[player] = drop(after.wed[player], card)
        after.led = card
        after.turn = 1 - player
        return False
    if count_of(after.wed[player], card):
        after.wed[player] = drop(after.wed[player], card)
    taker = player if beats(common, card, np.int64(spot.led)) else 1 - player
    after.led = -1
    after.turn = taker
    after.points[taker] += VALUE[card] + VALUE[spot.led] + after.pending[taker]
    after.pending[taker] = 0
    after.won[taker] = 1
    last = after.hand[player] == np.uint64(0)
    if last and common.closer < 0:
        after.points[taker] += rules.last_trick
    if after.points[taker] >= rules.goal:
        after.value = _won_by(rules, common, after, taker)
        return True
    if last:
        after.value = _won_by_nobody(rules, common)
    return last


@kernel
def _marry(rules, common, spot, after, player, card):
    """Count a marriage, and note which cards have been in one."""
    mate = card - 1 if card % 6 == KING else card + 1
    fresh = count_of(spot.hand[player], card) > count_of(spot.wed[player], card)
    if rules.remarry == 1 and count_of(spot.wed[player], card) and not count_of(spot.wed[player], mate):
        fresh = False
    if not fresh:
        after.wed[player] = drop(after.wed[player], card)
    if not (fresh and rules.remarry == 1 and count_of(after.wed[player], mate)):
        after.wed[player] = put(after.wed[player], mate)
    if rules.marriage_counts == 1 and not after.won[player]:
        after.pending[player] += marriage_value(rules, common, card)
    else:
        after.points[player] += marriage_value(rules, common, card)


@kernel
def _is_settled(rules, common, spot, table, salt):
    """Answer between two tricks without a search, if that can be, in ``spot.value``; return whether it could."""
    rest = cards_value(spot.hand[0]) + cards_value(spot.hand[1])
    if common.closer < 0:
        rest += np.int64(rules.last_trick)
    nobody = _won_by_nobody(rules, common)
    most = nobody
    least = nobody
    if _can_win(rules, common, spot, 0, rest):
        most = max(most, _most(rules, common, spot, 0))
    if _can_win(rules, common, spot, 1, rest):
        least = min(least, -_most(rules, common, spot, 1))
    if most == least or most <= spot.low:
        spot.value = most
        return True
    if least >= spot.high:
        spot.value = least
        return True
    key = salt ^ mix(spot.hand[0] | (np.uint64(spot.turn) << np.uint64(63)))
    key = mix(key + spot.hand[1])
    key = mix(key + (np.uint64(spot.points[0]) | (np.uint64(spot.points[1]) << np.uint64(32))))
    if rules.marriage_counts == 1:
        waiting = np.uint64(spot.pending[0] + 2048 * spot.won[0])
        key = mix(key + (waiting | (np.uint64(spot.pending[1] + 2048 * spot.won[1]) << np.uint64(32))))
    if rules.packs == 2:
        key = mix(mix(key + spot.wed[0]) + spot.wed[1])
    spot.key = key
    spot.choice = -1
    entry = table[np.int64(key & np.uint64(table.shape[0] - 1))]
    if entry.key == key:
        if entry.low >= spot.high or entry.low == entry.high:
            spot.value = entry.low
            return True
        if entry.high <= spot.low:
            spot.value = entry.high
            return True
        spot.choice = entry.choice
    return False


@kernel
def _remember(spot, table):
    """Keep what was found out about a position between two tricks."""
    entry = table[np.int64(spot.key & np.uint64(table.shape[0] - 1))]
    if entry.key != spot.key:
        entry.key = spot.key
        entry.low = -_FAR
        entry.high = _FAR
    if spot.value > spot.low:
        entry.low = max(entry.low, spot.value)
    if spot.value < spot.high:
        entry.high = min(entry.high, spot.value)
    entry.choice = spot.choice


@kernel
def _list_moves(rules, common, spot):
    """List the actions, the most promising first; whoever can announce a marriage with a card does so."""
    player = np.int64(spot.turn)
    hand = spot.hand[player]
    pairs = np.uint64(0)
    if spot.led < 0:
        cards = hand & FIRSTS
        pairs = marriages(rules, hand, spot.wed[player])
    else:
        common.led = spot.led
        common.best = spot.led
        cards = playable(rules, common, hand)
    usual = np.int64(spot.choice)
    count = 0
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        action = card
        score = VALUE[card] + 1
        if spot.led < 0:
            if (pairs >> np.uint64(card)) & ONE:
                action += WITH_MARRIAGE
                score += 20
            score += 2 * (SUIT_OF[card] == common.trump)
        elif beats(common, card, np.int64(spot.led)):
            score += 20
        else:
            score = -score
        if action == usual:
            score += 100
        packed = ((score + 64) << 6) | action
        place = count
        while place > 0 and spot.move[place - 1] < packed:
            spot.move[place] = spot.move[place - 1]
            place -= 1
        spot.move[place] = packed
        count += 1
    for place in range(count):
        spot.move[place] = spot.move[place] & 63
    spot.moves = count
    spot.next = 0
    spot.choice = -1
    spot.value = -_FAR if player == 0 else _FAR


@kernel
def _search(rules, common, spots, table, salt):
    """Find the value of the first position and the action that brings it, within its window."""
    ply = 0
    _list_moves(rules, common, spots[0])
    while True:
        spot = spots[ply]
        if spot.next < spot.moves:
            action = np.int64(spot.move[spot.next])
            spot.next += 1
            after = spots[ply + 1]
            if not _step(rules, common, spot, action, after):
                after.low = max(spot.low, spot.value) if spot.turn == 0 else spot.low
                after.high = min(spot.high, spot.value) if spot.turn == 1 else spot.high
                after.choice = -1
                if after.led >= 0 or not _is_settled(rules, common, after, table, salt):
                    _list_moves(rules, common, after)
                    ply += 1
                    continue
            value = np.int64(after.value)
        else:
            if ply == 0:
                return
            if spot.led < 0:
                _remember(spot, table)
            value = np.int64(spot.value)
            ply -= 1
            spot = spots[ply]
            action = np.int64(spot.move[spot.next - 1])
        if spot.turn == 0:
            if value > spot.value:
                spot.value = value
                spot.choice = action
            if spot.value >= spot.high:
                spot.next = spot.moves
        else:
            if value < spot.value:
                spot.value = value
                spot.choice = action
            if spot.value <= spot.low:
                spot.next = spot.moves


@kernel
def _place(state, spot):
    """Write down a position for the search."""
    for k in range(2):
        public = state.public[k]
        spot.hand[k] = state.hand[k]
        spot.wed[k] = public.wed
        spot.points[k] = public.points
        spot.pending[k] = public.pending[0] + public.pending[1]
        spot.won[k] = public.tricks > 0
    spot.turn = state.common.turn
    spot.led = state.common.led
    spot.choice = -1


@implements(protocol.play_open, STATE)
def _play_open(state, room):
    common = state.common
    if common.stage != PLAYING or not must_follow(common):
        return False
    if state.rules.players > 2:
        return _play_each(state)
    task, _, table, _ = room
    task[0].salt += np.uint64(0x9E3779B97F4A7C15)  # what the table holds of other searches is never found
    spots = np.empty(MOST + 2, _SPOT)
    played = scratch(COMMON)  # in which the card led changes
    played.trump = common.trump
    played.stock = common.stock
    played.closer = common.closer
    low = -_FAR
    high = _FAR
    while common.stage == PLAYING:
        legal = protocol.legal(state)
        if legal & (legal - ONE) == np.uint64(0):
            protocol.apply(state, lowest(legal))
            continue
        _place(state, spots[0])
        spots[0].low = low
        spots[0].high = high
        _search(state.rules, played, spots, table, task[0].salt)
        low = spots[0].value - 1
        high = spots[0].value + 1
        protocol.apply(state, np.int64(spots[0].choice))
    return True


@kernel
def _play_each(state):
    """Play a deal of three or four to its end, if few cards are left; return whether it was."""
    left = 0
    for player in range(SEATS):
        left += popcount(state.hand[player])
    if left > FEW:
        return False
    players = np.int64(state.rules.players)
    room = np.empty(FEW + 1, STATE)
    rest = np.zeros(FEW + 1, np.uint64)
    tried = np.zeros(FEW + 1, np.int64)
    choice = np.zeros(FEW + 1, np.int64)
    worth = np.zeros((FEW + 1, SEATS))
    while state.common.stage == PLAYING:
        room[0] = state
        rest[0] = protocol.legal(state)
        choice[0] = -1
        ply = 0
        while True:
            if rest[ply]:
                action = highest(rest[ply])  # marriages first
                rest[ply] &= ~(ONE << np.uint64(action))
                tried[ply] = action
                ply += 1
                room[ply] = room[ply - 1]
                protocol.apply(room[ply], action)
                if room[ply].common.stage == PLAYING:
                    rest[ply] = protocol.legal(room[ply])
                    choice[ply] = -1
                    continue
                for player in range(players):
                    worth[ply, player] = protocol.worth(room[ply], player)
            elif ply == 0:
                break
            # carry the value of what was tried to the one who chose it
            ply -= 1
            chooser = np.int64(room[ply].common.turn)
            if choice[ply] < 0 or worth[ply + 1, chooser] > worth[ply, chooser]:
                choice[ply] = tried[ply]
                worth[ply] = worth[ply + 1]
        protocol.apply(state, choice[0])
    return True


SOLVER = open_search(VIEW, len(PHASES))
