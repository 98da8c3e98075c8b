"""The declarations of piquet: point, sequences and sets, claimed by elder and answered by younger."""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.frame import (
    ANSWERING,
    BEATEN,
    CLAIMED,
    DECLARING,
    EQUAL,
    GOOD,
    KINDS,
    NAMING,
    NOTHING_SAID,
    ONE,
    PLAYING,
    POINT,
    POINT_POINTS,
    POINTS,
    QUATORZES,
    RANK,
    ROUGE_POINTS,
    ROUGES,
    SEQUENCE,
    SEQUENCE_POINTS,
    SET_POINTS,
    SETS,
    SPEAKING,
    STOP,
    SUIT,
    TIERCES,
    TRIOS,
    best_key,
    bit_of,
    cards_of,
    combinations,
    key_of,
    named_value,
    size_of,
    top_of,
)
from simcards.games.piquet.scoring import check_bonus, enter, score
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel


@kernel
def declarable(state, player):
    """Return what a player may name now, as a mask of names."""
    common = state.common
    kind = np.int64(common.kind)
    own = state.private[player]
    cards = own.hand
    held = combinations(kind, cards, state.rules.low_sets)
    if common.step == SPEAKING:
        return held
    if common.step == ANSWERING:
        other = state.public[1 - player]
        if other.said[kind] != CLAIMED:
            return held
        return _as_good(kind, cards, held, np.int64(state.private[1 - player].claim[kind]))
    if kind == POINT:
        return np.uint64(0)
    # further ones, no better than what was named: a better one was sunk
    names = np.uint64(0)
    rest = held & ~state.public[player].named[kind]
    while rest:
        name = lowest(rest)
        rest &= rest - ONE
        if key_of(kind, cards, name) <= own.claim[kind]:
            names |= bit_of(name)
    return names


@kernel
def _as_good(kind, cards, held, claim):
    """Return the combinations that are better than a claim, or as good where none is longer."""
    least = claim
    size = size_of(kind, claim)
    if size_of(kind, best_key(kind, cards, held)) > size:
        least = (size + 1) * (128 if kind == POINT else 8)
    names = np.uint64(0)
    while held:
        name = lowest(held)
        held &= held - ONE
        if key_of(kind, cards, name) >= least:
            names |= bit_of(name)
    return names


@kernel
def begin_declarations(state):
    """Count what is held, and let elder begin with the point."""
    common = state.common
    common.stage = DECLARING
    common.kind = POINT
    common.step = SPEAKING
    for player in range(2):
        hand = state.private[player].hand
        held = state.tally.held
        low = state.rules.low_sets
        held[0, player] += size_of(POINT, best_key(POINT, hand, combinations(POINT, hand, low)))
        held[1, player] += size_of(SEQUENCE, best_key(SEQUENCE, hand, combinations(SEQUENCE, hand, low)))
        sets = combinations(SETS, hand, low)
        while sets:
            rank = lowest(sets)
            sets &= sets - ONE
            held[key_of(SETS, hand, rank) // 8 - 1, player] += 1
    _go_on(state)


@kernel
def _go_on(state):
    """Let those who have nothing to choose speak, up to the next decision or the lead."""
    common = state.common
    elder = np.int64(common.elder)
    younger = 1 - elder
    while common.kind < KINDS:
        kind = np.int64(common.kind)
        if common.step == SPEAKING:
            common.turn = elder
            if declarable(state, elder):
                return
            state.public[elder].said[kind] = NOTHING_SAID
            common.step = ANSWERING
        elif common.step == ANSWERING:
            if _asks(state, younger):
                return
        elif common.step == NAMING:
            if declarable(state, np.int64(common.turn)):
                return
            _next_kind(state)
    _end_declarations(state)


@kernel
def _asks(state, younger):
    """Let younger hear what elder claims; return whether he has a choice, and settle the kind otherwise."""
    common = state.common
    kind = np.int64(common.kind)
    elder = 1 - younger
    claimed = state.public[elder].said[kind] == CLAIMED
    if claimed:
        hand = state.private[younger].hand
        claim = np.int64(state.private[elder].claim[kind])
        best = best_key(kind, hand, combinations(kind, hand, state.rules.low_sets))
        if size_of(kind, best) == size_of(kind, claim):  # he asks how high
            state.public[elder].top[kind] = top_of(kind, claim)
    common.turn = younger
    if declarable(state, younger):
        return True
    state.public[younger].said[kind] = NOTHING_SAID
    _uphold(state, elder, claimed)
    return False


@kernel
def _uphold(state, elder, claimed):
    """Younger has nothing to say against elder's claim, if there was one."""
    common = state.common
    kind = np.int64(common.kind)
    if claimed:
        state.public[elder].said[kind] = GOOD
        _score_combination(state, elder, lowest(state.public[elder].named[kind]))
        common.turn = elder
        common.step = NAMING
    else:
        _next_kind(state)


@kernel
def _next_kind(state):
    state.common.kind += 1
    state.common.step = SPEAKING


@kernel
def declare(state, player, action):
    """Carry out what a player says of the kind in turn."""
    common = state.common
    kind = np.int64(common.kind)
    public = state.public[player]
    other = state.public[1 - player]
    own = state.private[player]
    _count_sunk(state, player, action)
    if action == STOP:
        if common.step == SPEAKING:
            public.said[kind] = NOTHING_SAID
            common.step = ANSWERING
        elif common.step == ANSWERING:
            public.said[kind] = NOTHING_SAID
            _uphold(state, 1 - player, other.said[kind] == CLAIMED)
        else:
            _next_kind(state)
    elif common.step == NAMING:
        public.named[kind] |= bit_of(action)
        own.claim[kind] = key_of(kind, own.hand, action)
        _score_combination(state, player, action)
    else:
        key = key_of(kind, own.hand, action)
        public.named[kind] = bit_of(action)
        public.size[kind] = size_of(kind, key)
        public.said[kind] = CLAIMED
        own.claim[kind] = key
        if kind == SETS or common.step == ANSWERING:
            public.top[kind] = top_of(kind, key)
        if common.step == SPEAKING:
            common.step = ANSWERING
        elif other.said[kind] == CLAIMED and key == state.private[1 - player].claim[kind]:
            _are_equal(state, kind)
        else:
            if other.said[kind] == CLAIMED:
                other.said[kind] = BEATEN
            public.said[kind] = GOOD
            _score_combination(state, player, action)
            common.step = NAMING
    _go_on(state)


@kernel
def _count_sunk(state, player, action):
    """Count the combinations that could have been named and now cannot: better ones than what is named."""
    kind = np.int64(state.common.kind)
    hand = state.private[player].hand
    key = 0 if action == STOP else key_of(kind, hand, action)
    sunk = 0
    rest = declarable(state, player)
    while rest:
        sunk += key_of(kind, hand, lowest(rest)) > key
        rest &= rest - ONE
    state.tally.sunk[player] += min(1, sunk) if kind == POINT else sunk


@kernel
def _are_equal(state, kind):
    """Equal bests: nobody scores for this kind."""
    for player in range(2):
        public = state.public[player]
        public.said[kind] = EQUAL
        hand = state.private[player].hand
        names = combinations(kind, hand, state.rules.low_sets)
        if kind == POINT:
            names &= public.named[kind]
        while names:
            name = lowest(names)
            names &= names - ONE
            size = size_of(kind, key_of(kind, hand, name))
            state.tally.lost[kind, player] += named_value(state.rules, kind, size)
    state.tally.equal[kind] += 1
    _next_kind(state)


@kernel
def _score_combination(state, player, name):
    """Score a combination; the other may ask to see it, so he knows its cards and which more there are not."""
    common = state.common
    kind = np.int64(common.kind)
    public = state.public[player]
    hand = state.private[player].hand
    size = size_of(kind, key_of(kind, hand, name))
    cards = cards_of(kind, hand, name)
    public.shown |= cards
    count = state.tally.count
    source = POINT_POINTS
    if kind == POINT:
        public.absent |= (SUIT << np.uint64(8 * name)) & ~cards
        count[POINTS, player] += 1
    elif kind == SEQUENCE:
        beside = (cards << ONE) | (cards >> ONE)
        public.absent |= beside & (SUIT << np.uint64(8 * (name >> 3))) & ~cards
        count[TIERCES + size - 3, player] += 1
        source = SEQUENCE_POINTS
    else:
        public.absent |= (RANK << np.uint64(name)) & ~cards
        count[QUATORZES if size == 4 else TRIOS, player] += 1
        source = SET_POINTS
    score(state, player, source, named_value(state.rules, kind, size))


@kernel
def _end_declarations(state):
    """Score carte rouge, and repique where it waits for all declarations; elder leads."""
    common = state.common
    rules = state.rules
    late = rules.repique_when == 1
    if late and not rules.carte_rouge_counts:
        check_bonus(state, 0)
        check_bonus(state, 1)
    if rules.carte_rouge:
        for turn in range(2):
            player = np.int64(common.elder) ^ turn
            scored = np.uint64(0)
            for kind in range(KINDS):
                names = state.public[player].named[kind]
                if state.public[player].said[kind] == GOOD:
                    while names:
                        scored |= cards_of(kind, state.private[player].hand, lowest(names))
                        names &= names - ONE
            if scored == state.private[player].hand:
                state.tally.count[ROUGES, player] += 1
                enter(state, player, ROUGE_POINTS, np.int64(rules.carte_rouge))
                if rules.carte_rouge_counts and not late:
                    check_bonus(state, player)
    if late and rules.carte_rouge_counts:
        check_bonus(state, 0)
        check_bonus(state, 1)
    common.stage = PLAYING
    common.turn = common.elder
    common.leader = common.elder
    common.step = SPEAKING
