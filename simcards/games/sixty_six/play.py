"""Sixty-six as a state machine: tricks, drawing, exchange of the nine, closing, marriages, the end at 66."""

from __future__ import annotations

import numpy as np

from simcards.games.sixty_six.frame import (
    CARDS_POINTS,
    CLOSED,
    CLOSING,
    CLOSINGS,
    CLOSINGS_LOST,
    CLOSINGS_WON,
    DEALING,
    EXCHANGES,
    EXCHANGING,
    FAILED,
    FIRSTS,
    KING,
    LAST_POINTS,
    MARRIAGE_POINTS,
    MARRIAGES,
    NINE,
    ONE,
    OVER,
    PLAYING,
    ROYAL_POINTS,
    ROYALS,
    SEATS,
    SECOND,
    STATE,
    SUIT_OF,
    TYPES,
    VALUE,
    WITH_MARRIAGE,
    above,
    beats,
    bit_of,
    count_of,
    doubled,
    drop,
    loss_class,
    marriage_value,
    marriages,
    must_follow,
    playable,
    prize,
    put,
    suit_mask,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.turn = 0
    common.deals = 0
    common.first = 0
    common.winner = -1
    common.trump = -1
    _clear_deal(state)
    for player in range(SEATS):
        state.public[player].total = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.big[:] = 0
    tally.count[:] = 0
    tally.tricks[:] = 0
    tally.closing_trick[:] = MISSING
    tally.closing_points[:] = MISSING
    tally.closing_trumps[:] = MISSING
    tally.no_result = 0
    tally.all_tricks = 0


@kernel
def _clear_deal(state):
    common = state.common
    common.gone = np.uint64(0)
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.played[:] = -1
    common.turn_up = -1
    common.stock = 0
    common.due = 0
    common.closer = -1
    common.trick = 0
    common.leader = common.first
    state.next = 0
    state.deck[:] = 0
    for player in range(SEATS):
        public = state.public[player]
        public.known = np.uint64(0)
        public.wed = np.uint64(0)
        public.lacks = np.uint64(0)
        public.points = 0
        public.pending[:] = 0
        public.tricks = 0
        state.hand[player] = np.uint64(0)


@kernel
def after(rules, player, steps):
    """Return the player so many places to the left, no more than once around."""
    place = player + steps
    players = np.int64(rules.players)
    return place - players if place >= players else place


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    rules = state.rules
    players = np.int64(rules.players)
    if common.deals > 0:
        common.first = after(rules, np.int64(common.first), 1)
    _clear_deal(state)
    common.winner = -1
    common.deals += 1
    size = TYPES * np.int64(rules.packs)
    state.deck[:size] = deck[:size]
    place = 0
    for k in range(players):
        player = after(rules, np.int64(common.first), k)
        hand = np.uint64(0)
        for _ in range(rules.hand):
            hand = put(hand, np.int64(deck[place]))
            place += 1
        state.hand[player] = hand
    common.stock = size - place
    if common.stock > 0:
        common.turn_up = deck[place]
        common.trump = SUIT_OF[deck[place]]
        state.next = place + 1
    else:  # the last card, which is the dealer's, shows the trumps
        common.trump = SUIT_OF[deck[size - 1]]
        state.public[after(rules, np.int64(common.first), players - 1)].known = bit_of(deck[size - 1])
        state.next = size
    common.turn = common.leader
    _ask_leader(state, DEALING)


@kernel
def _can_exchange(state):
    """Return whether the player on lead holds a nine that he may exchange."""
    common = state.common
    if not state.rules.exchange or common.stock == 0 or common.closer >= 0 or common.trick == 0:
        return False
    nine = 6 * np.int64(common.trump) + NINE
    return common.turn_up != nine and state.hand[common.leader] & bit_of(nine) != np.uint64(0)


@kernel
def _ask_leader(state, asked):
    """Find out what the player on lead is asked after what he was asked before."""
    common = state.common
    if asked < EXCHANGING and _can_exchange(state):
        common.stage = EXCHANGING
    elif asked < CLOSING and state.rules.closing and common.stock > 0 and common.closer < 0:
        common.stage = CLOSING
    else:
        common.stage = PLAYING


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else np.int64(state.common.turn)


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - EXCHANGING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage != PLAYING:
        return np.uint64(0b11)
    player = np.int64(common.turn)
    hand = state.hand[player]
    if common.count:
        return playable(state.rules, common, hand)
    return (hand & FIRSTS) | (marriages(state.rules, hand, state.public[player].wed) << np.uint64(WITH_MARRIAGE))


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    view.seat = player
    view.common = state.common
    view.public = state.public
    view.hand = state.hand[player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        if common.count:
            _follow(state, player, action)
        else:
            _lead(state, player, action)
    elif common.stage == EXCHANGING:
        if action:
            _exchange(state, player)
        if common.due:
            common.due = 0
            _draw(state)
            _ask_leader(state, DEALING)
        else:
            _ask_leader(state, EXCHANGING)
    else:
        if action:
            _close(state, player)
        common.stage = PLAYING


@kernel
def _exchange(state, player):
    common = state.common
    public = state.public[player]
    nine = 6 * np.int64(common.trump) + NINE
    card = np.int64(common.turn_up)
    state.hand[player] = put(drop(state.hand[player], nine), card)
    if count_of(public.known, nine):
        public.known = drop(public.known, nine)
    public.known = put(public.known, card)
    common.turn_up = nine
    state.tally.count[EXCHANGES, player] += 1


@kernel
def _close(state, player):
    common = state.common
    tally = state.tally
    common.closer = player
    tally.count[CLOSINGS, player] += 1
    if tally.closing_trick[player] == MISSING:
        tally.closing_trick[player] = common.trick + 1
        tally.closing_points[player] = state.public[player].points
        tally.closing_trumps[player] = popcount(state.hand[player] & doubled(suit_mask(common.trump)))


@kernel
def _draw(state):
    """Let every player draw a card, the winner of the trick first; the turn-up is the last one."""
    common = state.common
    rules = state.rules
    size = TYPES * np.int64(rules.packs)
    for k in range(np.int64(rules.players)):
        player = after(rules, np.int64(common.leader), k)
        if state.next < size:
            card = np.int64(state.deck[state.next])
            state.next += 1
        else:
            card = np.int64(common.turn_up)
            common.turn_up = -1
            state.public[player].known = put(state.public[player].known, card)
        state.hand[player] = put(state.hand[player], card)
        common.stock -= 1


@kernel
def _lay(state, player, card):
    """Take a card from a hand; of two like cards the one goes of which more is known."""
    public = state.public[player]
    state.hand[player] = drop(state.hand[player], card)
    if count_of(public.known, card):
        public.known = drop(public.known, card)
    if count_of(public.wed, card):
        public.wed = drop(public.wed, card)
    _on_table(state.common, player, card)


@kernel
def _on_table(common, player, card):
    common.gone = put(common.gone, card)
    common.played[player] = card
    common.count += 1


@kernel
def _lead(state, player, action):
    common = state.common
    card = action if action < WITH_MARRIAGE else action - WITH_MARRIAGE
    common.led = card
    common.best = card
    common.ahead = player
    if action >= WITH_MARRIAGE:
        _marry(state, player, card)
        if _wins(state, player):
            return
    else:
        _lay(state, player, card)
    common.turn = after(state.rules, player, 1)


@kernel
def _marry(state, player, card):
    """Lead a card of a marriage, show the other one, and count it."""
    common = state.common
    public = state.public[player]
    mate = card - 1 if card % 6 == KING else card + 1
    fresh = count_of(state.hand[player], card) > count_of(public.wed, card)
    if state.rules.remarry == 1 and count_of(public.wed, card) and not count_of(public.wed, mate):
        fresh = False  # the mate is new, and one new card is enough: the other is kept
    if fresh:  # a card that has not been in a marriage goes, those that have stay known
        state.hand[player] = drop(state.hand[player], card)
        if count_of(public.known, card) > count_of(public.wed, card):
            public.known = drop(public.known, card)
        _on_table(common, player, card)
    else:
        _lay(state, player, card)
    if not (fresh and state.rules.remarry == 1 and count_of(public.wed, mate)):
        public.wed = put(public.wed, mate)
    if count_of(public.known, mate) < count_of(public.wed, mate):
        public.known = put(public.known, mate)
    royal = SUIT_OF[card] == common.trump
    points = marriage_value(state.rules, common, card)
    state.tally.count[ROYALS if royal else MARRIAGES, player] += 1
    if state.rules.marriage_counts == 1 and public.tricks == 0:
        public.pending[np.int64(royal)] += points
    else:
        _score(state, player, ROYAL_POINTS if royal else MARRIAGE_POINTS, points)


@kernel
def _score(state, player, source, points):
    state.public[player].points += points
    state.tally.points[source, player] += points


@kernel
def _wins(state, player):
    """End the deal if a player has reached the goal; return whether he has."""
    if state.public[player].points < state.rules.goal:
        return False
    _end_deal(state, player)
    return True


@kernel
def _learn(state, player, card):
    """Note what cards a player has shown not to hold by a card played where suit must be followed."""
    common = state.common
    rules = state.rules
    suit = SUIT_OF[common.led]
    best = np.int64(common.best)
    trump = np.int64(common.trump)
    lacks = np.uint64(0)
    if SUIT_OF[card] == suit:
        if rules.head and SUIT_OF[best] == suit and card <= best:
            lacks = above(best)
    else:
        lacks = suit_mask(suit)
        if SUIT_OF[card] != trump:
            lacks |= suit_mask(trump)
        elif rules.overruff and SUIT_OF[best] == trump and card <= best:
            lacks |= above(best)
    state.public[player].lacks |= lacks


@kernel
def _follow(state, player, card):
    common = state.common
    rules = state.rules
    if must_follow(common):
        _learn(state, player, card)
    _lay(state, player, card)
    if beats(common, card, np.int64(common.best)):
        common.best = card
        common.ahead = player
    if common.count < rules.players:
        common.turn = after(rules, player, 1)
        return
    _end_trick(state)


@kernel
def _end_trick(state):
    common = state.common
    rules = state.rules
    players = np.int64(rules.players)
    winner = np.int64(common.ahead)
    public = state.public[winner]
    worth = 0
    for player in range(players):
        worth += VALUE[common.played[player]]
    public.tricks += 1
    state.tally.tricks[winner] += 1
    state.tally.all_tricks += 1
    common.trick += 1
    _score(state, winner, CARDS_POINTS, worth)
    if public.tricks == 1:
        _score(state, winner, MARRIAGE_POINTS, np.int64(public.pending[0]))
        _score(state, winner, ROYAL_POINTS, np.int64(public.pending[1]))
        public.pending[:] = 0
    common.leader = winner
    common.turn = winner
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.played[:] = -1
    drawing = not must_follow(common)
    last = not drawing and state.hand[winner] == np.uint64(0)
    if last and common.closer < 0:
        _score(state, winner, LAST_POINTS, np.int64(rules.last_trick))
    if _wins(state, winner):
        return
    if last:
        _end_deal(state, -1)
        return
    if drawing:
        if common.stock == players and _can_exchange(state):
            common.due = 1
            common.stage = EXCHANGING
            return
        _draw(state)
    _ask_leader(state, DEALING)


@kernel
def _take(state, player, kind):
    """Write big points."""
    points = prize(state.rules, kind)
    state.public[player].total += points
    state.tally.big[kind, player] += points
    state.tally.count[kind, player] += 1


@kernel
def _end_deal(state, winner):
    """Settle a deal that a player has won, or nobody; then deal again or end."""
    common = state.common
    rules = state.rules
    players = np.int64(rules.players)
    closer = np.int64(common.closer)
    if closer >= 0:
        state.tally.count[CLOSINGS_WON if winner == closer else CLOSINGS_LOST, closer] += 1
    if winner >= 0:
        if closer >= 0:
            _take(state, winner, CLOSED if winner == closer else FAILED)
        else:
            _take(state, winner, _judge(state, winner))
    elif closer >= 0:
        for k in range(1, players):
            _take(state, after(rules, closer, k), FAILED)
    else:
        state.tally.no_result += 1
    common.stage = DEALING
    if rules.target == 0:
        common.winner = winner
        if winner < 0 and closer >= 0 and players == 2:
            common.winner = 1 - closer
        common.stage = OVER
        return
    best = 0
    tied = False
    for player in range(1, players):
        if state.public[player].total > state.public[best].total:
            best = player
            tied = False
        elif state.public[player].total == state.public[best].total:
            tied = True
    if state.public[best].total >= rules.target and not tied:
        common.winner = best
        common.stage = OVER


@kernel
def _judge(state, winner):
    """Return what kind of win it is by what the others have."""
    rules = state.rules
    most = -1
    least = 1 << 30
    for player in range(np.int64(rules.players)):
        if player != winner:
            points = np.int64(state.public[player].points)
            most = max(most, points)
            least = min(least, points)
    return loss_class(rules, most if rules.judged_by == 0 else least)


@kernel
def ahead(state, player, most):
    """Return the differences between a player's big points and those of each of the others, none above a limit."""
    players = np.int64(state.rules.players)
    lead = players * min(most, np.int64(state.public[player].total))
    for other in range(players):
        lead -= min(most, np.int64(state.public[other].total))
    return lead


@implements(protocol.worth, STATE)
def _worth(state, player):
    # big points beyond the target win nothing more
    target = np.int64(state.rules.target)
    return np.float64(ahead(state, player, target if target > 0 else 1 << 30))


@implements(protocol.census, STATE)
def _census(state, counts):
    common = state.common
    if common.deals == 0:
        return
    _count(common.gone, counts)
    for player in range(SEATS):
        _count(state.hand[player], counts)
    if common.stock > 0:
        counts[common.turn_up] += 1
        for place in range(state.next, TYPES * np.int64(state.rules.packs)):
            counts[state.deck[place]] += 1


@kernel
def _count(cards, counts):
    for plane in (cards & FIRSTS, cards >> SECOND):
        rest = plane
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE
