"""Piquet as a state machine: exchange, declarations, twelve tricks."""

from __future__ import annotations

import numpy as np

from simcards.games.piquet.declarations import begin_declarations, declarable, declare
from simcards.games.piquet.frame import (
    BLANCHE_POINTS,
    BLANCHES,
    CAPOT_POINTS,
    CAPOTS,
    CARDS,
    CARDS_POINTS,
    DEALING,
    DEALS_WON,
    DEALT,
    DECLARING,
    DOUBLED_POINTS,
    ELDERS,
    EXCHANGING,
    FACE,
    HAND,
    HIDE,
    LAST_POINTS,
    LEAD_POINTS,
    LEAVING,
    LOOK,
    ONE,
    OVER,
    PLAYING,
    SHOWING,
    SILENT,
    SPEAKING,
    STATE,
    STOP,
    SUIT,
    TALON,
    TEN,
    UNKNOWN,
    WIN_POINTS,
    WON_POINTS,
    bit_of,
    is_blanche,
    left_over,
    talon_drawn,
    younger_place,
)
from simcards.games.piquet.scoring import enter, score
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.turn = 0
    common.deals = 0
    common.elder = 0
    clear_cards(state)
    for player in range(2):
        state.public[player].total = 0
        state.public[player].points = 0
        state.public[player].tricks = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.count[:] = 0
    tally.lost[:] = 0
    tally.equal[:] = 0
    tally.sunk[:] = 0
    tally.exchanged[:] = 0
    tally.held[:] = 0
    tally.leads[:] = 0
    tally.tricks[:] = 0
    tally.as_elder[:] = 0
    tally.pique_trick[:] = MISSING


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.kind = 0
    common.step = SPEAKING
    common.led = -1
    common.trick = 0
    common.leader = common.elder
    common.drawn[:] = -1
    state.deck[:] = 0
    for player in range(2):
        public = state.public[player]
        public.shown = np.uint64(0)
        public.absent = np.uint64(0)
        public.played = np.uint64(0)
        public.blanche = np.uint64(0)
        public.named[:] = 0
        public.said[:] = SILENT
        public.size[:] = -1
        public.top[:] = -1
        public.points = 0
        public.tricks = 0
        public.bonus = 0
        own = state.private[player]
        own.hand = np.uint64(0)
        own.discards = np.uint64(0)
        own.talon[:] = UNKNOWN
        own.claim[:] = 0
        own.last = -1


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    if common.deals > 0:
        common.elder = 1 - common.elder
    clear_cards(state)
    elder = np.int64(common.elder)
    first = np.uint64(0)
    second = np.uint64(0)
    for place in range(DEALT):  # by twos, first to elder
        if place & 2:
            second |= bit_of(deck[place])
        else:
            first |= bit_of(deck[place])
    state.private[elder].hand = first
    state.private[1 - elder].hand = second
    state.deck[:] = deck
    common.deals += 1
    common.turn = elder
    common.stage = EXCHANGING
    when = state.rules.carte_blanche_shown
    if when == 2:  # at once
        for player in range(2):
            if is_blanche(state.private[player].hand):
                _show_blanche(state, player)
    elif is_blanche(first):
        common.stage = SHOWING
    elif when == 1 and is_blanche(second):
        common.stage = SHOWING
        common.turn = 1 - elder


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else np.int64(state.common.turn)


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - SHOWING


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    view.seat = player
    view.common = state.common
    view.public[0] = state.public[player]
    view.public[1] = state.public[1 - player]
    view.own = state.private[player]


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    player = np.int64(common.turn)
    own = state.private[player]
    if common.stage == PLAYING:
        if common.led >= 0:
            following = own.hand & (SUIT << np.uint64(8 * (common.led >> 3)))
            if following:
                return following
        return own.hand
    if common.stage == EXCHANGING:
        return _discardable(state, player)
    if common.stage == DECLARING:
        return declarable(state, player) | bit_of(STOP)
    if common.stage == LEAVING:
        return np.uint64(0b111) if state.rules.younger_leaves == 2 else bit_of(HIDE) | bit_of(FACE)
    return np.uint64(0b11)


@kernel
def _bounds(state, player):
    """Return how many cards a player exchanges at least and at most."""
    rules = state.rules
    if player == state.common.elder:
        least = np.int64(rules.elder_least)
        return least, max(least, np.int64(rules.elder_most))
    return 0, min(np.int64(rules.younger_most), left_over(state.common))


@kernel
def _discardable(state, player):
    """Return the cards above the last one discarded, as far as more may go, and whether it may end here."""
    own = state.private[player]
    least, most = _bounds(state, player)
    gone = popcount(own.discards)
    mask = np.uint64(0)
    if gone < most:
        mask = own.hand & ~(bit_of(own.last + 1) - ONE)
        # the cards that are left must do for the least number
        for _ in range(least - gone - 1):
            mask &= ~bit_of(highest(mask))
    if gone >= least:
        mask |= bit_of(STOP)
    return mask


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, player, action)
    elif common.stage == EXCHANGING:
        _exchange(state, player, action)
    elif common.stage == DECLARING:
        declare(state, player, action)
    elif common.stage == LEAVING:
        _leave(state, player, action)
    else:
        _show(state, player, action)


@kernel
def _show_blanche(state, player):
    public = state.public[player]
    public.blanche = state.private[player].hand
    public.shown = public.blanche
    state.tally.count[BLANCHES, player] += 1
    score(state, player, BLANCHE_POINTS, np.int64(state.rules.carte_blanche))


@kernel
def _show(state, player, action):
    common = state.common
    if action:
        _show_blanche(state, player)
    younger = 1 - common.elder
    common.stage = EXCHANGING
    if player == younger:
        if state.rules.carte_blanche_shown == 0:
            _begin_younger(state)
            return
    elif state.rules.carte_blanche_shown == 1 and is_blanche(state.private[younger].hand):
        common.stage = SHOWING
        common.turn = younger
        return
    common.turn = common.elder


@kernel
def _begin_younger(state):
    """Ask younger for his exchange, if he may have any."""
    common = state.common
    younger = 1 - np.int64(common.elder)
    common.turn = younger
    common.stage = EXCHANGING
    if _bounds(state, younger)[1] == 0:
        _draw_younger(state, younger)


@kernel
def _exchange(state, player, action):
    own = state.private[player]
    if action != STOP:
        own.hand &= ~bit_of(action)
        own.discards |= bit_of(action)
        own.last = action
        if popcount(own.discards) < _bounds(state, player)[1]:
            return
    own.last = -1
    if player == state.common.elder:
        _draw_elder(state, player)
    else:
        _draw_younger(state, player)


@kernel
def _count_drawn(state, player):
    """Note how many cards a player exchanges, and return it."""
    count = popcount(state.private[player].discards)
    state.public[player].shown = np.uint64(0)  # some cards of a carte blanche are gone: which, the other does not see
    state.tally.exchanged[player] += count
    state.common.drawn[player] = count
    return count


@kernel
def _draw_elder(state, player):
    """Elder draws from the top, and looks at what he leaves of the first five."""
    count = _count_drawn(state, player)
    own = state.private[player]
    for place in range(count):
        own.hand |= bit_of(state.deck[DEALT + place])
    for place in range(count, ELDERS):
        own.talon[place] = state.deck[DEALT + place]
    younger = 1 - player
    if state.rules.carte_blanche_shown == 0 and is_blanche(state.private[younger].hand):
        state.common.stage = SHOWING
        state.common.turn = younger
    else:
        _begin_younger(state)


@kernel
def _draw_younger(state, player):
    """Younger draws from what elder left; then he may have a choice about the rest."""
    count = _count_drawn(state, player)
    own = state.private[player]
    elders = np.int64(state.common.drawn[1 - player])
    for number in range(count):
        place = younger_place(state.rules, elders, number)
        own.hand |= bit_of(state.deck[DEALT + place])
        own.talon[place] = state.deck[DEALT + place]
    if left_over(state.common) == 0:
        begin_declarations(state)
    elif state.rules.younger_leaves == 0:
        _leave(state, player, LOOK)
    else:
        state.common.stage = LEAVING


@kernel
def _leave(state, player, action):
    """Do with the cards that younger leaves what he chose."""
    by_elder, by_younger = talon_drawn(state.rules, state.common)
    left = ~(by_elder | by_younger)
    for place in range(TALON):
        if left & bit_of(place):
            if action != HIDE:
                state.private[player].talon[place] = state.deck[DEALT + place]
            if action == FACE:
                state.private[1 - player].talon[place] = state.deck[DEALT + place]
    begin_declarations(state)


@kernel
def _counts(rules, card):
    """Return whether a card led or winning scores."""
    return not rules.high_only or (card & 7) >= TEN


@kernel
def _play(state, player, card):
    common = state.common
    rules = state.rules
    one = bit_of(card)
    state.private[player].hand &= ~one
    state.public[player].played |= one
    last = common.trick == HAND - 1
    if common.led < 0:
        common.led = card
        common.turn = 1 - player
        state.tally.leads[player] += 1
        if _counts(rules, card):
            score(state, player, LEAD_POINTS, np.int64(rules.lead))
        if last and rules.last_lead:
            score(state, player, LAST_POINTS, np.int64(rules.last_lead))
        return
    leader = np.int64(common.leader)
    led = np.int64(common.led)
    winner = leader
    best = led
    if led >> 3 == card >> 3 and card > led:
        winner = player
        best = np.int64(card)
    public = state.public[winner]
    public.tricks += 1
    state.tally.tricks[winner] += 1
    if (winner != leader or rules.win_scores == 1) and _counts(rules, best) and rules.win:
        score(state, winner, WIN_POINTS, np.int64(rules.win))
    if public.tricks == HAND // 2 + 1 and rules.cards_when == 1:
        state.tally.count[CARDS, winner] += 1
        score(state, winner, CARDS_POINTS, np.int64(rules.cards))
    if last:
        _end_tricks(state, winner)
    common.trick += 1
    common.leader = winner
    common.turn = winner
    common.led = -1
    if last:
        _end_deal(state)


@kernel
def _end_tricks(state, winner):
    """Score the last trick, the cards and the capot."""
    rules = state.rules
    capot = state.public[winner].tricks == HAND
    if capot:
        state.tally.count[CAPOTS, winner] += 1
    if capot and rules.capot:
        _score_late(state, winner, CAPOT_POINTS, np.int64(rules.capot))
        return
    if rules.last_trick:
        score(state, winner, LAST_POINTS, np.int64(rules.last_trick))
    if rules.cards_when == 0:
        for player in range(2):
            if state.public[player].tricks > HAND // 2:
                state.tally.count[CARDS, player] += 1
                _score_late(state, player, CARDS_POINTS, np.int64(rules.cards))


@kernel
def _score_late(state, player, source, points):
    if state.rules.cards_in_pique:
        score(state, player, source, points)
    else:
        enter(state, player, source, points)


@kernel
def _end_deal(state):
    """Add the deal to the totals; then deal again or end."""
    common = state.common
    rules = state.rules
    for player in range(2):
        if state.public[player].points > state.public[1 - player].points:
            state.tally.count[DEALS_WON, player] += 1
            winner = player
            # the comparison is with the score as played, so the bonus goes to the total at once
            state.tally.points[WON_POINTS, winner] += rules.deal_bonus
            state.public[winner].total += rules.deal_bonus
            if winner == common.elder:
                state.tally.as_elder[winner] += rules.deal_bonus
    double = rules.double_ends == 1 and rules.deals > 1 and (common.deals == 1 or common.deals == rules.deals)
    for player in range(2):
        public = state.public[player]
        points = np.int64(public.points)
        if double:
            state.tally.points[DOUBLED_POINTS, player] += points
            points *= 2
        public.total += points
        if player == common.elder:
            state.tally.as_elder[player] += points
    common.stage = OVER if common.deals == rules.deals else DEALING


@implements(protocol.census, STATE)
def _census(state, counts):
    if state.common.stage == DEALING:
        return
    by_elder, by_younger = talon_drawn(state.rules, state.common)
    for place in range(TALON):
        if ~(by_elder | by_younger) & bit_of(place):
            counts[state.deck[DEALT + place]] += 1
    for player in range(2):
        own = state.private[player]
        rest = own.hand | own.discards | state.public[player].played  # a card is in one of them
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE
