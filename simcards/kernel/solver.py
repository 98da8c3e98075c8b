"""The best result when all cards are known, for two to four players in two camps.

The search is a zero-window alpha-beta ("does camp 0 still get as much as this?"), repeated until the answer is exact.
It remembers positions between tricks in a table of fixed size, tries one of several cards that are equally good, and
stops where the tricks that somebody cannot lose settle the question. It keeps its stack by hand.
"""

from __future__ import annotations

import numpy as np

from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.solver_bounds import ENTRY, HIGHEST, in_bounds, question_of, remember, settle
from simcards.kernel.solver_nodes import (
    AIM,
    CARDS_KNOWN,
    MOST_PLAYERS,
    NODE,
    ONE,
    SILENT,
    SLOT,
    TASK,
    beats,
    different,
    is_open,
    may_play,
    play,
    prepare,
)
from simcards.kernel.tricks import CARDS

__all__ = ["AIM", "CARDS_KNOWN", "ILLEGAL", "gets", "solve", "solve_cards", "workspace"]

ILLEGAL = -HIGHEST  # in place of the value of a card that may not be played

_BY_VALUE = 16  # weight of a card's value against what settled other positions, in powers of two
_TAKES = 1 << 12  # weight of taking the trick
_FIRST = 1 << 40  # weight of what was best before


@kernel
def workspace(bits):
    """Return the room that searches need; it may be used for any number of them.

    Parameters
    ----------
    bits : int
        The table of positions has ``2**bits`` entries of 16 bytes.

    Returns
    -------
    tuple of ndarray
        Of ``TASK``, ``NODE``, ``ENTRY``, and a record of which cards settled positions.
    """
    task = np.zeros(1, TASK)
    stack = np.zeros(CARDS + 2, NODE)
    table = np.zeros(1 << bits, ENTRY)
    history = np.zeros((MOST_PLAYERS, CARDS), np.int64)
    return task, stack, table, history


@kernel
def _insert(weights, count, score, move):
    """Put a move in its place by score, kept beside it; return how many there are."""
    place = count
    packed = (score << 7) | move
    while place > 0 and weights[place - 1] < packed:
        weights[place] = weights[place - 1]
        place -= 1
    weights[place] = packed
    return count + 1


@kernel
def _list_moves(task, node, history):
    """List the cards worth trying, the most promising first."""
    player = np.int64(node.turn)
    hand = node.hands[player]
    rest = different(task, node, may_play(task, node, hand))
    camp = task.aim.camp[player]
    wants = (camp == 0) != (task.aim.least != 0)
    node.wants = 1 if wants else 0
    node.value = -HIGHEST if wants else HIGHEST
    last = node.count + 1 == task.aim.players
    ours = False
    best = 0
    if node.count:
        best = np.int64(node.trick[node.best_place])
        taker = (player - node.count + node.best_place) % task.aim.players
        ours = task.aim.camp[taker] == camp
    rivals = np.uint64(0)
    for k in range(1, task.aim.players - node.count):
        other = (player + k) % task.aim.players
        if task.aim.camp[other] != camp:
            rivals |= node.hands[other]
    usual = node.choice
    count = 0
    weights = node.move
    while rest:
        slot = lowest(rest)
        rest &= rest - ONE
        value = np.int64(task.value[slot])
        score = history[player, slot]
        if slot == usual:
            score += _FIRST
        height = popcount(task.lane[task.suit[slot]] & task.above[slot])
        holds = rivals & task.above[slot] == np.uint64(0)
        if task.aim.least:  # nobody wants to take
            if node.count == 0 or (beats(task, node, slot, best) and not last):
                score += height << 6
            else:
                score -= height << 6
                if beats(task, node, slot, best):
                    score -= _TAKES
        elif node.count == 0:
            if task.points:
                score += (value if holds else -value) << _BY_VALUE
        elif beats(task, node, slot, best) and not ours:
            score += _TAKES
            if task.points:
                score += (value if holds or last else -value) << _BY_VALUE
            score += height << 6 if last else -(height << 4)
        elif task.points:
            safe = ours and rivals & task.above[best] == np.uint64(0)
            score += (value if safe else -value) << _BY_VALUE
            score += height
        else:
            score += height << 6
        if node.count == 0 and (task.paired >> np.uint64(slot)) & ONE:
            suit = np.int64(task.suit[slot])
            if is_open(task, node, suit):
                if task.aim.silent:
                    usually = _FIRST if usual == slot | SILENT else 0
                    count = _insert(weights, count, score + usually, slot | SILENT)
                score += np.int64(task.bonus[suit]) << _BY_VALUE
        count = _insert(weights, count, score, slot)
    for place in range(count):
        weights[place] = weights[place] & (SLOT | SILENT)
    node.moves = count
    node.next = 0


@kernel
def _search(task, stack, table, history):
    """Return a bound of what camp 0 gets from the root: at least ``need`` or less than it."""
    ply = 0
    root = stack[0]
    if root.count == 0:
        if settle(task, root, table):
            return np.int64(root.value)
    else:
        root.choice = -1
    _list_moves(task, root, history)
    while True:
        node = stack[ply]
        if node.next < node.moves:
            move = np.int64(node.move[node.next])
            node.next += 1
            child = stack[ply + 1]
            play(task, node, move, child)
            task.nodes += 1
            if not (in_bounds(child) if child.count else settle(task, child, table)):
                _list_moves(task, child, history)
                ply += 1
                continue
            value = child.gain + child.value
        else:
            if node.count == 0:
                remember(node, table)
            if ply == 0:
                return np.int64(node.value)
            value = node.gain + node.value
            ply -= 1
            node = stack[ply]
            move = np.int64(node.move[node.next - 1])
        if node.wants:
            if value > node.value:
                node.value = value
                node.choice = move
            settled = node.value >= node.need
        else:
            if value < node.value:
                node.value = value
                node.choice = move
            settled = node.value < node.need
        if settled:
            history[node.turn, move & SLOT] += np.int64(node.tricks) * node.tricks
            node.next = node.moves


@kernel
def _exact(task, stack, table, history, root, guess):
    """Return what camp 0 gets from a position, by zero windows around a guess."""
    low = np.int64(0)
    high = np.int64(root.left)
    need = min(max(guess, low + 1), high)
    step = 1
    while low < high:
        stack[0] = root
        stack[0].need = need
        value = _search(task, stack, table, history)
        if value >= need:
            low = value
            need = min(low + step, (low + high + 1) >> 1)
        else:
            high = value
            need = max(high - step + 1, (low + high + 1) >> 1)
        step += step
    return low


@kernel
def gets(room, order, aim, known, need):
    """Return whether camp 0 gets at least as much as asked for when all cards are known.

    Parameters
    ----------
    room : tuple
        What `workspace` returned.
    order : ORDER
        The order of the cards.
    aim : AIM
        Who plays with whom for what.
    known : CARDS_KNOWN
        The position.
    need : int
        What camp 0 is to get from here on, with the trick that is being played.
    """
    task, stack, table, history = room
    _begin(task, order, aim, known, stack, history)
    need += task[0].owed
    stack[0].need = need
    if need <= 0 or need > stack[0].left:
        return need <= 0
    return _search(task[0], stack, table, history) >= need


@kernel
def _begin(task, order, aim, known, stack, history):
    task[0].nodes = 0
    prepare(task[0], order, aim, known, stack[0])
    question = question_of(task[0])
    if task[0].question != question:
        task[0].question = question
        history[:] = 0  # what settled positions of the same cards in the same game is worth trying again


@kernel
def solve(room, order, aim, known, guess):
    """Return what camp 0 gets from here on when all cards are known and everybody plays his best.

    Parameters
    ----------
    room, order, aim, known
        As of `gets`.
    guess : int
        Where the search begins; a good guess saves time, any gives the same value.

    Returns
    -------
    int
        With the trick that is being played.
    """
    task, stack, table, history = room
    _begin(task, order, aim, known, stack, history)
    root = stack[CARDS + 1]
    stack[CARDS + 1] = stack[0]
    owed = np.int64(task[0].owed)
    return _exact(task[0], stack, table, history, root, guess + owed) - owed


@kernel
def _after(task, stack, table, history, move, guess):
    """Return what camp 0 gets from the root, which is kept behind the stack, when it begins with a move."""
    after = stack[CARDS]
    play(task, stack[CARDS + 1], move, after)
    gain = np.int64(after.gain)
    after.gain = 0
    return gain + _exact(task, stack, table, history, after, guess - gain)


@kernel
def solve_cards(room, order, aim, known, guess, values):
    """Find what camp 0 gets by every card that may be played.

    Parameters
    ----------
    room, order, aim, known, guess
        As of `solve`.
    values : ndarray of int64, shape (64,)
        Result: what camp 0 gets, by card; ``ILLEGAL`` for those that may not be played.

    Returns
    -------
    int
        The card that is best for the player to play; of several the one with the lowest number.
    """
    task, stack, table, history = room
    _begin(task, order, aim, known, stack, history)
    root = stack[CARDS + 1]
    stack[CARDS + 1] = stack[0]
    values[:] = ILLEGAL
    owed = np.int64(task[0].owed)
    guess += owed
    player = np.int64(root.turn)
    hand = root.hands[player]
    legal = may_play(task[0], root, hand)
    tried = different(task[0], root, legal)
    wants = (aim.camp[player] == 0) != (aim.least != 0)
    best = -1
    value = np.int64(0)
    rest = legal
    while rest:  # a card that was not tried is as good as the last one below it that was
        slot = lowest(rest)
        rest &= rest - ONE
        if (tried >> np.uint64(slot)) & ONE:
            value = _after(task[0], stack, table, history, slot, guess)
            couple = root.count == 0 and ((task[0].paired >> np.uint64(slot)) & ONE) != np.uint64(0)
            if aim.silent and couple and is_open(task[0], root, np.int64(task[0].suit[slot])):
                silent = _after(task[0], stack, table, history, slot | SILENT, value)
                value = max(value, silent) if wants else min(value, silent)
            guess = value
        card = np.int64(task[0].card[slot])
        values[card] = value - owed
        if (
            best < 0
            or (values[card] != values[best] and (values[card] > values[best]) == wants)
            or (values[card] == values[best] and card < best)
        ):
            best = card
    return best
