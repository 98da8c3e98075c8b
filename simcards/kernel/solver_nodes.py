"""Positions of the solver: which cards may be played in them, and what a card makes of them.

Cards are *slots* here: those of a suit lie side by side in a mask, the lowest first, and when only tricks count the
slots above a card that has gone move down, so that positions which differ only in what has gone are the same. The two
cards of a marriage that can still be announced keep their slots.

A move is a slot, with ``SILENT`` added to it where a card of a marriage is led without announcing it.
"""

from __future__ import annotations

import numpy as np

from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import CARDS, FOLLOW, HEAD, OVERRUFF, RUFF, SUITS

MOST_PLAYERS = 4
MOST_CARDS = 20  # in one hand
SLOT = 63  # the part of a move that is its slot
SILENT = 64

# What is asked. Camp 0 counts what it gets: ``trick`` for every trick, the values of the cards if ``cards``, ``last``
# for the last trick. With ``least`` it wants little (and camp 1 wants it to get much), else much.
#
# ``marriage`` names two cards a suit (0: none) that are announced when one of them is led by a player who holds the
# other too: camp 0 gets ``bonus[0]`` of that suit when one of its own players announces, and loses ``bonus[1]`` when a
# player of camp 1 does. With ``turns`` the suit becomes trumps with the trick that is being led. Whoever can announce
# does, unless ``silent`` leaves it free.
AIM = np.dtype(
    [
        ("players", "i4"),
        ("camp", "i4", (MOST_PLAYERS,)),
        ("trick", "i4"),
        ("cards", "i4"),
        ("last", "i4"),
        ("least", "i4"),
        ("marriage", "u8", (SUITS,)),
        ("bonus", "i4", (2, SUITS)),
        ("turns", "i4"),
        ("silent", "i4"),
    ],
    align=True,
)

# A position: all hands as masks of cards, whose turn it is, and the cards already played to the trick
CARDS_KNOWN = np.dtype(
    [("hands", "u8", (MOST_PLAYERS,)), ("turn", "i4"), ("count", "i4"), ("trick", "i4", (MOST_PLAYERS,))], align=True
)

# What stays the same during a search; `place` gives the slot of a card and `card` the card of a slot. Of marriages that
# can be announced: the slots of all and of each, who holds it, what it is worth; `owed` is what those of camp 1 are
# worth together, which camp 0 is taken to lose beforehand and to get back with each that is not announced.
TASK = np.dtype(
    [
        ("aim", AIM),
        ("lane", "u8", (SUITS,)),
        ("above", "u8", (CARDS,)),
        ("suit", "i1", (CARDS,)),
        ("power", "i1", (CARDS,)),
        ("value", "i2", (CARDS,)),
        ("place", "i1", (CARDS,)),
        ("card", "i1", (CARDS,)),
        ("tops", "u8"),
        ("duties", "i4"),
        ("sinking", "i4"),
        ("points", "i4"),
        ("alike", "u8", (CARDS,)),
        ("paired", "u8"),
        ("pair", "u8", (SUITS,)),
        ("holder", "i4", (SUITS,)),
        ("bonus", "i4", (SUITS,)),
        ("owed", "i4"),
        ("question", "u8"),
        ("salt", "u8"),
        ("nodes", "i8"),
    ],
    align=True,
)

# One ply. `need`: does camp 0 get at least this from here on? `gain`: what it got by the card that led here.
NODE = np.dtype(
    [
        ("hands", "u8", (MOST_PLAYERS,)),
        ("on_table", "u8"),
        ("key", "u8"),
        ("trick", "i4", (MOST_PLAYERS,)),
        ("count", "i4"),
        ("turn", "i4"),
        ("best_place", "i4"),
        ("worth", "i4"),
        ("tricks", "i4"),
        ("left", "i4"),
        ("need", "i4"),
        ("gain", "i4"),
        ("value", "i4"),
        ("choice", "i4"),
        ("wants", "i4"),
        ("moves", "i4"),
        ("next", "i4"),
        ("trump", "i4"),
        ("move", "i8", (MOST_CARDS + 2 * SUITS,)),
    ],
    align=True,
)

ONE = np.uint64(1)


@kernel
def no_marriages(aim):
    """Say in an AIM that nothing is announced: a record that `scratch` returned holds anything.

    Parameters
    ----------
    aim : AIM
        Changed.
    """
    aim.marriage[:] = np.uint64(0)
    aim.bonus[:] = 0
    aim.turns = 0
    aim.silent = 0


@kernel
def _find_marriages(task, order, aim, known):
    """Note which marriages can be announced, and return their cards."""
    task.owed = 0
    cards = np.uint64(0)
    for suit in range(SUITS):
        both = aim.marriage[suit]
        task.pair[suit] = np.uint64(0)
        task.bonus[suit] = 0
        task.holder[suit] = -1
        if both == np.uint64(0):
            continue
        for player in range(aim.players):
            if known.hands[player] & both == both:
                bonus = np.int64(aim.bonus[aim.camp[player], suit])
                if bonus == 0 and not aim.turns:
                    continue
                cards |= both
                task.holder[suit] = player
                task.bonus[suit] = bonus
                if aim.camp[player]:
                    task.owed += bonus
    return cards


@kernel
def prepare(task, order, aim, known, root):
    """Set the cards of a position out in slots, and the root of the search with them.

    Parameters
    ----------
    task : TASK
        Result: what stays the same during the search.
    order : ORDER
        The order of the cards.
    aim : AIM
        Who plays with whom for what.
    known : CARDS_KNOWN
        The position.
    root : NODE
        Result: the position in slots.
    """
    players = np.int64(aim.players)
    task.aim = aim
    task.duties = order.duties
    task.tops = np.uint64(0)
    task.sinking = 1
    task.points = aim.cards
    task.paired = np.uint64(0)
    couples = _find_marriages(task, order, aim, known)
    everything = np.uint64(0)
    for player in range(players):
        everything |= known.hands[player]
    for place in range(known.count):
        everything |= ONE << np.uint64(known.trick[place])
    slot = 0
    start = 0
    for suit in range(SUITS):
        rest = everything & order.cards[suit]
        task.lane[suit] = np.uint64(0)
        first = slot
        while rest:
            lowly = lowest(rest)
            scan = rest & (rest - ONE)
            while scan:
                card = lowest(scan)
                if order.power[card] < order.power[lowly]:
                    lowly = card
                scan &= scan - ONE
            rest &= ~(ONE << np.uint64(lowly))
            task.place[lowly] = slot
            task.card[slot] = lowly
            task.suit[slot] = suit
            task.value[slot] = order.value[lowly] if aim.cards else 0
            task.power[slot] = order.power[lowly]
            if slot > first and task.power[slot] == task.power[slot - 1]:
                task.sinking = 0  # like cards do not keep their order among others
            task.lane[suit] |= ONE << np.uint64(slot)
            unlike = slot == first or task.value[slot] != task.value[slot - 1]
            if (couples >> np.uint64(lowly)) & ONE:
                task.paired |= ONE << np.uint64(slot)
                task.pair[suit] |= ONE << np.uint64(slot)
                unlike = True
            if unlike or (slot > 0 and (task.paired >> np.uint64(slot - 1)) & ONE):
                start = slot
                if slot > 0:
                    task.tops |= ONE << np.uint64(slot - 1)
            task.alike[slot] = np.uint64(0)
            for other in range(start, slot + 1):
                task.alike[other] |= ONE << np.uint64(slot)
                task.alike[slot] |= ONE << np.uint64(other)
            slot += 1
    for this in range(slot):
        higher = np.uint64(0)
        for other in range(this + 1, slot):
            if task.suit[other] == task.suit[this] and task.power[other] > task.power[this]:
                higher |= ONE << np.uint64(other)
        task.above[this] = higher
    root.turn = known.turn
    root.count = known.count
    root.trump = order.trump
    root.on_table = np.uint64(0)
    root.worth = aim.trick
    root.best_place = 0
    root.gain = 0
    most = 0
    left = 0
    for player in range(MOST_PLAYERS):
        root.hands[player] = np.uint64(0)
    for player in range(players):
        hand = known.hands[player]
        most = max(most, popcount(hand))
        while hand:
            place = np.int64(task.place[lowest(hand)])
            root.hands[player] |= ONE << np.uint64(place)
            left += task.value[place]
            hand &= hand - ONE
    for place in range(known.count):
        played = np.int64(task.place[known.trick[place]])
        root.trick[place] = played
        root.on_table |= ONE << np.uint64(played)
        root.worth += task.value[played]
        left += task.value[played]
        if place and beats(task, root, played, np.int64(root.trick[root.best_place])):
            root.best_place = place
    for suit in range(SUITS):
        left += task.bonus[suit]
    root.tricks = most
    root.left = left + most * aim.trick + aim.last


@kernel
def beats(task, node, slot, best):
    """Return whether a card, played later, beats the best one so far."""
    if (task.above[best] >> np.uint64(slot)) & ONE:
        return True
    return task.suit[slot] == node.trump and task.suit[best] != node.trump


@kernel
def may_play(task, node, hand):
    """Return the cards that may be played: `tricks.playable`, in slots."""
    if node.count == 0:
        return hand
    duties = task.duties
    trump = np.int64(node.trump)
    suit = np.int64(task.suit[node.trick[0]])
    best = np.int64(node.trick[node.best_place])
    following = hand & task.lane[suit]
    if following:
        if not duties & FOLLOW:
            return hand
        if (duties & HEAD or (duties & OVERRUFF and suit == trump)) and task.suit[best] == suit:
            higher = following & task.above[best]
            if higher:
                return higher
        return following
    if trump >= 0 and suit != trump and duties & RUFF:
        trumps = hand & task.lane[trump]
        if trumps:
            if duties & OVERRUFF and task.suit[best] == trump:
                higher = trumps & task.above[best]
                if higher:
                    return higher
            return trumps
    return hand


@kernel
def different(task, node, legal):
    """Return one of every run of cards that are as good as each other."""
    if task.sinking:
        return legal & ~((legal & ~task.tops) << ONE)
    others = node.on_table
    for player in range(task.aim.players):
        if player != node.turn:
            others |= node.hands[player]
    kept = np.uint64(0)
    rest = legal
    while rest:
        slot = lowest(rest)
        rest &= rest - ONE
        alike = False
        if kept:
            last = highest(kept)
            if (task.alike[last] >> np.uint64(slot)) & ONE:
                between = ((ONE << np.uint64(slot)) - ONE) & ~((np.uint64(2) << np.uint64(last)) - ONE)
                alike = others & between == np.uint64(0)
                if task.power[last] == task.power[slot]:
                    alike = True
                elif alike and slot > 0:
                    # a like card of another player beside either of them tells them apart
                    alike = _alone(task, others, last) and _alone(task, others, slot)
        if not alike:
            kept |= ONE << np.uint64(slot)
    return kept


@kernel
def _alone(task, others, slot):
    """Return whether no other player has a like card."""
    beside = np.uint64(0)
    low = slot - 1
    while low >= 0 and task.suit[low] == task.suit[slot] and task.power[low] == task.power[slot]:
        beside |= ONE << np.uint64(low)
        low -= 1
    high = slot + 1
    while high < CARDS and task.power[high] == task.power[slot] and task.suit[high] == task.suit[slot]:
        beside |= ONE << np.uint64(high)
        high += 1
    return others & beside == np.uint64(0)


@kernel
def is_open(task, node, suit):
    """Return whether the marriage of a suit, which could be announced at the root, still can be."""
    pair = task.pair[suit]
    return pair != np.uint64(0) and node.hands[task.holder[suit]] & pair == pair


@kernel
def _sink(hands, players, lane, slot):
    """Move the cards above one that has gone a slot down."""
    below = (ONE << np.uint64(slot)) - ONE
    moving = lane & ~below & ~(ONE << np.uint64(slot))
    for player in range(players):
        hand = hands[player]
        hands[player] = (hand & ~moving) | ((hand & moving) >> ONE)


@kernel
def _part(task, node, move, child):
    """Account for a marriage of which one card goes: announced or not, it cannot be any more."""
    suit = np.int64(task.suit[move & SLOT])
    if not is_open(task, node, suit):
        return
    bonus = np.int64(task.bonus[suit])
    child.left -= bonus
    announced = node.count == 0 and not move & SILENT
    if announced == (task.aim.camp[node.turn] == 0):
        child.gain = bonus
        child.need -= bonus
    if announced and task.aim.turns:
        child.trump = suit


@kernel
def play(task, node, move, child):
    """Make the position after a move.

    Parameters
    ----------
    task : TASK
        The search.
    node : NODE
        The position.
    move : int
        The card's slot, perhaps with ``SILENT``.
    child : NODE
        Result: the position after it.
    """
    aim = task.aim
    slot = move & SLOT
    players = np.int64(aim.players)
    player = np.int64(node.turn)
    child.trump = node.trump
    child.left = node.left
    child.need = node.need
    child.gain = 0
    if (task.paired >> np.uint64(slot)) & ONE:
        _part(task, node, move, child)
    for k in range(MOST_PLAYERS):
        child.hands[k] = node.hands[k]
    child.hands[player] &= ~(ONE << np.uint64(slot))
    best_place = np.int64(node.best_place)
    if node.count and beats(task, node, slot, np.int64(node.trick[best_place])):
        best_place = np.int64(node.count)
    worth = node.worth + task.value[slot]
    if node.count + 1 < players:
        for k in range(node.count):
            child.trick[k] = node.trick[k]
        child.trick[node.count] = slot
        child.count = node.count + 1
        child.turn = player + 1 if player + 1 < players else 0
        child.best_place = best_place
        child.worth = worth
        child.on_table = node.on_table | (ONE << np.uint64(slot))
        child.tricks = node.tricks
        child.choice = -1
        return
    if node.tricks == 1:
        worth += aim.last
    taker = (player + 1 + best_place) % players
    child.count = 0
    child.turn = taker
    child.best_place = 0
    child.worth = aim.trick
    child.on_table = np.uint64(0)
    child.tricks = node.tricks - 1
    child.left -= worth
    if aim.camp[taker] == 0:
        child.gain += worth
        child.need -= worth
    if task.sinking:
        gone = node.on_table | (ONE << np.uint64(slot))
        while gone:  # from the highest down, so that the others keep their places
            top = highest(gone)
            _sink(child.hands, players, task.alike[top], top)
            gone &= ~(ONE << np.uint64(top))
