"""The best result when all cards are known, for two to four players in two camps.

The search is a zero-window alpha-beta ("does camp 0 still get as much as this?"), repeated until the answer is exact.
It remembers positions between tricks in a table of fixed size, tries one of several cards that are equally good, and
stops where the tricks that somebody cannot lose settle the question. It keeps its stack by hand.

Cards are *slots* here: those of a suit lie side by side in a mask, the lowest first, and when only tricks count the
slots above a card that has gone move down, so that positions which differ only in what has gone are the same.
"""

from __future__ import annotations

import numpy as np

from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import CARDS, FOLLOW, HEAD, OVERRUFF, RUFF, SUITS

MOST_PLAYERS = 4
MOST_CARDS = 20  # in one hand

# What is asked. Camp 0 counts what it gets: ``trick`` for every trick, the values of the cards if ``cards``, ``last``
# for the last trick. With ``least`` it wants little (and camp 1 wants it to get much), else much.
AIM = np.dtype(
    [
        ("players", "i4"),
        ("camp", "i4", (MOST_PLAYERS,)),
        ("trick", "i4"),
        ("cards", "i4"),
        ("last", "i4"),
        ("least", "i4"),
    ],
    align=True,
)

# A position: all hands as masks of cards, whose turn it is, and the cards already played to the trick
CARDS_KNOWN = np.dtype(
    [("hands", "u8", (MOST_PLAYERS,)), ("turn", "i4"), ("count", "i4"), ("trick", "i4", (MOST_PLAYERS,))], align=True
)

# What stays the same during a search; `place` gives the slot of a card and `card` the card of a slot
_TASK = np.dtype(
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
        ("trump", "i4"),
        ("duties", "i4"),
        ("sinking", "i4"),
        ("points", "i4"),
        ("alike", "u8", (CARDS,)),
        ("salt", "u8"),
        ("nodes", "i8"),
    ],
    align=True,
)

# One ply. `need`: does camp 0 get at least this from here on? `gain`: what it got by the trick that led here.
_NODE = np.dtype(
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
        ("move", "i8", (MOST_CARDS,)),
    ],
    align=True,
)

_ENTRY = np.dtype([("key", "u8"), ("low", "i2"), ("high", "i2"), ("choice", "i2"), ("tricks", "i2")], align=True)

ONE = np.uint64(1)
_BY_LEADER = np.uint64(0x9E3779B97F4A7C15)
_HIGHEST = 1 << 14
_BY_VALUE = 16  # weight of a card's value against what settled other positions, in powers of two
_TAKES = 1 << 12  # weight of taking the trick


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
        Of ``_TASK``, ``_NODE``, ``_ENTRY``, and a record of which cards settled positions.
    """
    task = np.zeros(1, _TASK)
    stack = np.zeros(CARDS + 2, _NODE)
    table = np.zeros(1 << bits, _ENTRY)
    history = np.zeros((MOST_PLAYERS, CARDS), np.int64)
    return task, stack, table, history


@kernel
def _mix(value):
    """Return a well-mixed hash of 64 bits."""
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    value ^= value >> np.uint64(32)
    value *= np.uint64(0xD6E8FEB86659FD93)
    return value ^ (value >> np.uint64(32))


@kernel
def _prepare(task, order, aim, known, root):
    """Set the cards of a position out in slots, and the root of the search with them."""
    players = np.int64(aim.players)
    task.aim = aim
    task.trump = order.trump
    task.duties = order.duties
    task.tops = np.uint64(0)
    task.sinking = 1
    task.points = aim.cards
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
            if slot == first or task.value[slot] != task.value[slot - 1]:
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
        if place and _beats(task, played, np.int64(root.trick[root.best_place])):
            root.best_place = place
    root.tricks = most
    root.left = left + most * aim.trick + aim.last


@kernel
def _beats(task, slot, best):
    """Return whether a card, played later, beats the best one so far."""
    if (task.above[best] >> np.uint64(slot)) & ONE:
        return True
    return task.suit[slot] == task.trump and task.suit[best] != task.trump


@kernel
def _legal(task, node, hand):
    """Return the cards that may be played: `tricks.playable`, in slots."""
    if node.count == 0:
        return hand
    duties = task.duties
    trump = np.int64(task.trump)
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
def _different(task, node, legal):
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
            if task.suit[last] == task.suit[slot] and task.value[last] == task.value[slot]:
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
def _sure(task, node, player, leads):
    """Return what a player takes at least, whatever the others do, and by how many tricks.

    Only cards that nothing can beat are counted: the top trumps, and on lead also the top cards of other suits that
    nobody can ruff. Not for those who want little.
    """
    hand = node.hands[player]
    trump = np.int64(task.trump)
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
def _settle(task, node, table):
    """Answer the question between two tricks without a search, if that can be; return whether it could."""
    if node.tricks == 0:
        node.value = 0
        return True
    if node.need <= 0:
        node.value = 0
        return True
    if node.need > node.left:
        node.value = node.left
        return True
    aim = task.aim
    leader = np.int64(node.turn)
    if node.tricks == 1:
        best = lowest(node.hands[leader])
        taker = leader
        for k in range(1, aim.players):
            player = (leader + k) % aim.players
            card = lowest(node.hands[player])
            if _beats(task, card, best):
                best = card
                taker = player
        node.value = node.left if aim.camp[taker] == 0 else 0
        return True
    if not aim.least:
        worth, tricks = _sure(task, node, leader, True)
        if tricks == node.tricks:
            worth = node.left
        if aim.camp[leader] == 0:
            if worth >= node.need:
                node.value = worth
                return True
        elif node.left - worth < node.need:
            node.value = node.left - worth
            return True
        if task.trump >= 0:
            trumps = task.lane[task.trump]
            best = -1
            master = leader
            for player in range(aim.players):
                top = highest(node.hands[player] & trumps)
                if top > best:
                    best = top
                    master = player
            if best >= 0 and master != leader:
                worth, tricks = _sure(task, node, master, False)
                if aim.camp[master] == 0:
                    if worth >= node.need:
                        node.value = worth
                        return True
                elif node.left - worth < node.need:
                    node.value = node.left - worth
                    return True
    key = task.salt
    for player in range(aim.players):
        key = _mix(key ^ node.hands[player])
    key += np.uint64(leader) * _BY_LEADER  # joined to the salt, it could make up for two cards of the first hand
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
def _remember(task, node, table):
    """Keep what was found out about a position between two tricks."""
    entry = table[np.int64(node.key & np.uint64(table.shape[0] - 1))]
    if entry.key != node.key:
        entry.key = node.key
        entry.low = 0
        entry.high = _HIGHEST
    if node.value >= node.need:
        entry.low = max(entry.low, node.value)
    else:
        entry.high = min(entry.high, node.value)
    entry.choice = node.choice
    entry.tricks = node.tricks


@kernel
def _list_moves(task, node, history):
    """List the cards worth trying, the most promising first."""
    player = np.int64(node.turn)
    hand = node.hands[player]
    rest = _different(task, node, _legal(task, node, hand))
    camp = task.aim.camp[player]
    wants = (camp == 0) != (task.aim.least != 0)
    node.wants = 1 if wants else 0
    node.value = -_HIGHEST if wants else _HIGHEST
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
            score += 1 << 40
        height = popcount(task.lane[task.suit[slot]] & task.above[slot])
        holds = rivals & task.above[slot] == np.uint64(0)
        if task.aim.least:  # nobody wants to take
            if node.count == 0 or (_beats(task, slot, best) and not last):
                score += height << 6
            else:
                score -= height << 6
                if _beats(task, slot, best):
                    score -= _TAKES
        elif node.count == 0:
            if task.points:
                score += (value if holds else -value) << _BY_VALUE
        elif _beats(task, slot, best) and not ours:
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
        # insertion by score, kept beside the slot
        place = count
        packed = (score << 6) | slot
        while place > 0 and weights[place - 1] < packed:
            weights[place] = weights[place - 1]
            place -= 1
        weights[place] = packed
        count += 1
    for place in range(count):
        weights[place] = weights[place] & 63
    node.moves = count
    node.next = 0


@kernel
def _sink(hands, players, lane, slot):
    """Move the cards above one that has gone a slot down."""
    below = (ONE << np.uint64(slot)) - ONE
    moving = lane & ~below & ~(ONE << np.uint64(slot))
    for player in range(players):
        hand = hands[player]
        hands[player] = (hand & ~moving) | ((hand & moving) >> ONE)


@kernel
def _play(task, node, slot, child):
    """Make the position after a card."""
    aim = task.aim
    players = np.int64(aim.players)
    player = np.int64(node.turn)
    for k in range(MOST_PLAYERS):
        child.hands[k] = node.hands[k]
    child.hands[player] &= ~(ONE << np.uint64(slot))
    best_place = np.int64(node.best_place)
    if node.count and _beats(task, slot, np.int64(node.trick[best_place])):
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
        child.left = node.left
        child.need = node.need
        child.gain = 0
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
    child.left = node.left - worth
    child.gain = worth if aim.camp[taker] == 0 else 0
    child.need = node.need - child.gain
    if task.sinking:
        gone = node.on_table | (ONE << np.uint64(slot))
        while gone:  # from the highest down, so that the others keep their places
            top = highest(gone)
            _sink(child.hands, players, task.alike[top], top)
            gone &= ~(ONE << np.uint64(top))


@kernel
def _search(task, stack, table, history):
    """Return a bound of what camp 0 gets from the root: at least ``need`` or less than it."""
    ply = 0
    root = stack[0]
    if root.count == 0:
        if _settle(task, root, table):
            return np.int64(root.value)
    else:
        root.choice = -1
    _list_moves(task, root, history)
    while True:
        node = stack[ply]
        if node.next < node.moves:
            slot = np.int64(node.move[node.next])
            node.next += 1
            child = stack[ply + 1]
            _play(task, node, slot, child)
            task.nodes += 1
            if child.count or not _settle(task, child, table):
                _list_moves(task, child, history)
                ply += 1
                continue
            value = child.gain + child.value
        else:
            if node.count == 0:
                _remember(task, node, table)
            if ply == 0:
                return np.int64(node.value)
            value = node.gain + node.value
            ply -= 1
            node = stack[ply]
            slot = np.int64(node.move[node.next - 1])
        if node.wants:
            if value > node.value:
                node.value = value
                node.choice = slot
            settled = node.value >= node.need
        else:
            if value < node.value:
                node.value = value
                node.choice = slot
            settled = node.value < node.need
        if settled:
            history[node.turn, slot] += np.int64(node.tricks) * node.tricks
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
    stack[0].need = need
    if need <= 0 or need > stack[0].left:
        return need <= 0
    return _search(task[0], stack, table, history) >= need


@kernel
def _begin(task, order, aim, known, stack, history):
    task[0].salt += np.uint64(0x9E3779B97F4A7C15)  # what the table holds of other searches is never found
    task[0].nodes = 0
    history[:] = 0
    _prepare(task[0], order, aim, known, stack[0])


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
    return _exact(task[0], stack, table, history, root, guess)


@kernel
def solve_cards(room, order, aim, known, guess, values):
    """Find what camp 0 gets by every card that may be played.

    Parameters
    ----------
    room, order, aim, known, guess
        As of `solve`.
    values : ndarray of int64, shape (64,)
        Result: what camp 0 gets, by card; -1 for those that may not be played.

    Returns
    -------
    int
        The card that is best for the player to play; of several the one with the lowest number.
    """
    task, stack, table, history = room
    _begin(task, order, aim, known, stack, history)
    root = stack[CARDS + 1]
    stack[CARDS + 1] = stack[0]
    after = stack[CARDS]
    values[:] = -1
    player = np.int64(root.turn)
    hand = root.hands[player]
    legal = _legal(task[0], root, hand)
    tried = _different(task[0], root, legal)
    wants = (aim.camp[player] == 0) != (aim.least != 0)
    best = -1
    value = np.int64(0)
    rest = legal
    while rest:  # a card that was not tried is as good as the last one below it that was
        slot = lowest(rest)
        rest &= rest - ONE
        if (tried >> np.uint64(slot)) & ONE:
            root.need = 0
            _play(task[0], root, slot, after)
            gain = np.int64(after.gain)
            after.gain = 0
            value = gain + _exact(task[0], stack, table, history, after, guess - gain)
            guess = value
        card = np.int64(task[0].card[slot])
        values[card] = value
        if (
            best < 0
            or (value != values[best] and (value > values[best]) == wants)
            or (value == values[best] and card < best)
        ):
            best = card
    return best
