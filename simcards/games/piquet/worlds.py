"""What a player of piquet knows of the other's hand, and deals that agree with it."""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.exchange import ELDER, USUAL, best_discards
from simcards.games.piquet.frame import (
    BEATEN,
    CLAIMED,
    DEALT,
    ELDERS,
    EQUAL,
    GOOD,
    HAND,
    KINDS,
    NOTHING_SAID,
    ONE,
    PACK,
    PIPS,
    POINT,
    RANK,
    SEQUENCE,
    SETS,
    SILENT,
    STATE,
    SUIT,
    TALON,
    UNKNOWN,
    VIEW,
    best_key,
    bit_of,
    combinations,
    is_blanche,
    key_of,
    ranks_in,
    size_of,
    talon_drawn,
    top_of,
)
from simcards.games.piquet.play import clear_tally
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, nth_set, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.rng import bounded, choose_several, uniform

TRIES = 200  # hands drawn in search of one that agrees with what was said
EXCHANGES = 12  # exchanges of elder carried out in search of one that agrees with all that younger knows

# How well a hand agrees with what was said
CONTRADICTS, AGREES, AS_MEANT = range(3)


@kernel
def seen_of_talon(view):
    """Return the talon's cards that the player has seen: those drawn by the other, and those that lie there still."""
    by_elder, by_younger = talon_drawn(view.rules, view.common)
    by_other = by_younger if view.seat == view.common.elder else by_elder
    with_other = np.uint64(0)
    lying = np.uint64(0)
    for place in range(TALON):
        card = view.own.talon[place]
        if card != UNKNOWN:
            if by_other & bit_of(place):
                with_other |= bit_of(card)
            elif ~(by_elder | by_younger) & bit_of(place):
                lying |= bit_of(card)
    return with_other, lying


@kernel
def other_cards(view):
    """Return what is known of the other's hand.

    Parameters
    ----------
    view : VIEW
        What the player knows.

    Returns
    -------
    certain, possible : uint64
        Cards that he holds, and those that he may hold besides.
    count : int
        How many cards he holds.
    """
    other = view.public[1]
    with_other, lying = seen_of_talon(view)
    certain = (other.shown | with_other) & ~other.played
    gone = view.own.hand | view.own.discards | view.public[0].played | other.played | lying
    possible = PACK & ~(gone | certain | other.absent)
    return certain, possible, HAND - popcount(other.played)


@kernel
def _best(view, kind, hand):
    """Return the names and the best key of the combinations of a kind in a full hand."""
    names = combinations(kind, hand, view.rules.low_sets)
    return names, best_key(kind, hand, names)


@kernel
def agreement(view, hand):
    """Return how well a full hand of the other agrees with what he said.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    hand : uint64
        The twelve cards with which the other declared.

    Returns
    -------
    int
        ``CONTRADICTS``; ``AGREES``: he holds what he named, and may have sunk more; ``AS_MEANT``: he has also
        nothing better than what he named or called good.
    """
    me = view.public[0]
    other = view.public[1]
    answers = view.seat == view.common.elder  # the other speaks after the player
    level = AS_MEANT
    for kind in range(KINDS):
        said = other.said[kind]
        if said == SILENT:
            break
        names, best = _best(view, kind, hand)
        if said == NOTHING_SAID:
            mine = best_key(kind, view.own.hand | me.played, me.named[kind]) if answers else 0
            if kind != POINT and best > 0 and best >= mine:
                level = AGREES
            if kind == POINT and mine > 0 and best >= mine:
                level = AGREES
            if mine > 0 and kind != SETS and (size_of(kind, best) == me.size[kind]) != (me.top[kind] >= 0):
                level = AGREES  # he asks how high when he has as many
            continue
        size = np.int64(other.size[kind])
        top = np.int64(other.top[kind])
        found = False
        rest = names
        while rest:
            name = lowest(rest)
            rest &= rest - ONE
            key = key_of(kind, hand, name)
            found |= size_of(kind, key) == size and (top < 0 or top_of(kind, key) == top)
        if not found:
            return CONTRADICTS
        if size_of(kind, best) != size or (top >= 0 and top_of(kind, best) != top):
            level = AGREES
        if said == GOOD and kind != POINT and names != other.named[kind]:
            level = AGREES
    return level


@kernel
def _is_unseen(said):
    """Return whether something was claimed and not shown."""
    return said == CLAIMED or said == BEATEN or said == EQUAL


@kernel
def _ways(left, count):
    """Return how many ways there are to choose some of the cards left."""
    ways = 1.0
    for k in range(count):
        ways *= (left - k) / (k + 1)
    return ways


@kernel
def _place_point(view, rng, certain, free, count):
    """Choose which cards the point is that the other has claimed and not shown.

    Of all that are possible each is as likely as the hands that hold it are many.
    """
    other = view.public[1]
    size = np.int64(other.size[POINT])
    pips = np.int64(other.top[POINT])
    held = certain | other.played
    total = 0.0
    chosen = np.uint64(0)
    whole = np.uint64(0)
    for suit in range(4):
        mine = ranks_in(held, suit)
        open_to = ranks_in(free, suit)
        missing = size - popcount(mine)
        left = popcount(free) - popcount(open_to)
        if not 0 <= missing <= count or left < count - missing:
            continue
        ways = _ways(left, count - missing)
        part = open_to
        while True:  # all subsets, downwards
            if popcount(part) == missing and (pips < 0 or PIPS[mine | part] == pips):
                total += ways
                if uniform(rng) * total < ways:
                    chosen = part << np.uint64(8 * suit)
                    whole = SUIT << np.uint64(8 * suit)
            if part == np.uint64(0):
                break
            part = (part - ONE) & open_to
    return certain | chosen, free & ~whole


@kernel
def _place_sequence(view, rng, certain, free, count):
    """Choose which cards the sequence is that the other has claimed and not shown.

    Of all that are possible each is as likely as the hands that hold it are many.
    """
    other = view.public[1]
    size = np.int64(other.size[SEQUENCE])
    rank = np.int64(other.top[SEQUENCE])
    held = certain | other.played
    total = 0.0
    chosen = np.uint64(0)
    for top in range(32):
        if top & 7 < size - 1 or (rank >= 0 and top & 7 != rank):
            continue
        run = (bit_of(size) - ONE) << np.uint64(top + 1 - size)
        beside = ((run << ONE) | (run >> ONE)) & (SUIT << np.uint64(8 * (top >> 3))) & ~run
        missing = popcount(run & ~held)
        left = popcount(free & ~(run | beside))
        if run & ~(held | free) or beside & held or missing > count or left < count - missing:
            continue
        weight = _ways(left, count - missing)
        total += weight
        if uniform(rng) * total < weight:
            chosen = run
    beside = (chosen << ONE) | (chosen >> ONE)
    if chosen:
        beside &= SUIT << np.uint64(lowest(chosen) & ~7)
    return certain | (chosen & free), free & ~(chosen | beside)


@kernel
def _place_set(view, rng, certain, free, count):
    """Choose which cards the set is that the other has claimed and not shown."""
    other = view.public[1]
    cards = RANK << np.uint64(other.top[SETS])
    missing = max(0, np.int64(other.size[SETS]) - popcount(cards & (certain | other.played)))
    chosen = choose_several(rng, free & cards, missing)
    rest = free & ~cards
    if missing > count or popcount(rest) < count - missing:
        return certain, free
    return certain | chosen, rest


@kernel
def _deal_hand(view, rng, certain, free):
    """Return a hand for the other: his certain cards, and others of those that are free."""
    other = view.public[1]
    count = HAND - popcount(other.played)
    exchanged = np.int64(view.common.drawn[1 - view.seat])
    if other.blanche == np.uint64(0) or exchanged < 0:
        if _is_unseen(other.said[POINT]):
            certain, free = _place_point(view, rng, certain, free, count - popcount(certain))
        if _is_unseen(other.said[SEQUENCE]):
            certain, free = _place_sequence(view, rng, certain, free, count - popcount(certain))
        if _is_unseen(other.said[SETS]):
            certain, free = _place_set(view, rng, certain, free, count - popcount(certain))
        return certain | choose_several(rng, free, count - popcount(certain))
    # he showed the hand he was dealt: so many cards of it are gone, and so many others have come
    located = certain | other.played
    kept = choose_several(rng, free & other.blanche, HAND - exchanged - popcount(located & other.blanche))
    drawn = choose_several(rng, free & ~other.blanche, exchanged - popcount(located & ~other.blanche))
    return certain | kept | drawn


@kernel
def _exchanged_hand(view, rng, certain):
    """Return a hand and discards of elder such as he has who exchanges as `basic` does; nothing if none was found.

    The twelve cards dealt to him and those he drew are taken at random from all that he may have had, his discards are
    those of `basic` who takes as many, and what does not agree with all that younger knows is dropped. So such hands
    come as often as such a player has them.
    """
    nothing = np.uint64(0)
    elder = np.int64(view.common.elder)
    count = np.int64(view.common.drawn[elder])
    if view.seat == elder or count <= 0:
        return nothing, nothing
    other = view.public[1]
    _, lying = seen_of_talon(view)
    his = certain | other.played  # these he held after the exchange
    open_to = PACK & ~(view.own.hand | view.own.discards | view.public[0].played | lying | his)
    speaks = other.said[0] != SILENT
    for _ in range(EXCHANGES):
        if other.blanche:
            dealt = other.blanche
            drawn = his & ~dealt
            drawn |= choose_several(rng, open_to & ~dealt, count - popcount(drawn))
        else:
            both = his | choose_several(rng, open_to, HAND + count - popcount(his))
            drawn = choose_several(rng, both, count)
            dealt = both & ~drawn
            if is_blanche(dealt):  # he would have shown it
                continue
        discards = best_discards(view.rules, dealt, nothing, ELDER, count, count, USUAL[0])
        hand = (dealt & ~discards) | drawn
        if discards & his or hand & other.absent:
            continue
        if speaks and agreement(view, hand) != AS_MEANT:
            continue
        return hand & ~other.played, discards
    return nothing, nothing


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    me = view.seat
    them = 1 - me
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.public[me] = view.public[0]
    state.public[them] = view.public[1]
    state.private[me] = view.own
    clear_tally(state.tally)
    other = view.public[1]
    certain, free, _ = other_cards(view)
    speaks = other.said[0] != SILENT
    best, discards = _exchanged_hand(view, rng, certain)
    if best == np.uint64(0) and popcount(other.played) < HAND:
        best = certain
        reached = -1
        for _ in range(TRIES):
            hand = _deal_hand(view, rng, certain, free)
            level = agreement(view, hand | other.played) if speaks else AS_MEANT
            if level > reached:
                reached = level
                best = hand
            if level == AS_MEANT:
                break
    own = state.private[them]
    own.hand = best
    own.last = -1
    _spread(view, rng, state, best, discards)
    for kind in range(KINDS):
        own.claim[kind] = 0
        if other.said[kind] >= CLAIMED:
            own.claim[kind] = _claim_of(view, kind, best | other.played)


@kernel
def _claim_of(view, kind, hand):
    """Return the key of what the other claimed last, in a hand that may only nearly agree with it."""
    other = view.public[1]
    if other.said[kind] == GOOD:  # named down to the least of them
        names = other.named[kind]
        least = 1 << 30
        while names:
            least = min(least, key_of(kind, hand, lowest(names)))
            names &= names - ONE
        return least
    size = np.int64(other.size[kind])
    top = np.int64(other.top[kind])
    if top >= 0:
        return (128 if kind == POINT else 8) * size + top
    return (128 if kind == POINT else 8) * size  # how high was not asked, so it decides nothing


@kernel
def _spread(view, rng, state, hand, discards):
    """Put the cards that neither player holds among the other's discards, where none are given, and the talon."""
    me = view.seat
    them = 1 - me
    by_elder, by_younger = talon_drawn(view.rules, view.common)
    _, lying = seen_of_talon(view)
    rest = PACK & ~(view.own.hand | view.own.discards | view.public[0].played | view.public[1].played | lying | hand)
    count = max(0, np.int64(view.common.drawn[them]))
    own = state.private[them]
    blanche = view.public[1].blanche
    if discards:
        own.discards = discards
    elif blanche:
        own.discards = choose_several(rng, rest & blanche, count)
    else:
        own.discards = choose_several(rng, rest, count)
    rest &= ~own.discards
    elder = them == view.common.elder
    theirs = by_elder if elder else by_younger
    done = view.common.drawn[them] >= 0
    for place in range(TALON):
        card = np.int64(view.own.talon[place])
        gone = ((by_elder | by_younger) & bit_of(place)) != np.uint64(0)
        if card == UNKNOWN and not gone:
            card = nth_set(rest, bounded(rng, popcount(rest)))
            rest &= ~bit_of(card)
        state.deck[DEALT + place] = card
        # elder has seen the first five but for those that he drew, younger what he drew and what he looked at
        seen = place < ELDERS if elder else gone or view.rules.younger_leaves != 1
        own.talon[place] = card if done and seen and not (elder and theirs & bit_of(place)) else UNKNOWN


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)
