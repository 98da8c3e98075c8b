"""Thousand as a state machine: the deal, the tricks with their marriages, the scores."""

from __future__ import annotations

import numpy as np

from simcards.games.thousand import STOCK_HAND, TWO_HAND
from simcards.games.thousand.auction import (
    ask_bid,
    begin_play,
    bid,
    biddable,
    choose,
    exchange,
    exchangeable,
    look,
    raisable,
    raise_bid,
)
from simcards.games.thousand.frame import (
    ALL_POINTS,
    ANNOUNCE,
    BIDDING,
    CARDS,
    DEALING,
    DEFENCE_CARDS,
    DEFENCE_MARRIAGES,
    DOUBLED,
    EXCHANGING,
    FAILED,
    FIRST_PACKET,
    LOOKING,
    MADE,
    NONE,
    ONE,
    ORDERS,
    OVER,
    PACKET,
    PLAYERS,
    PLAYING,
    RAISING,
    STATE,
    TALON,
    after,
    bid_value,
    bit_of,
    bonus_of,
    has_auction,
    mate_of,
    pairs_in,
    suit_mask,
    value_of,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements
from simcards.kernel.tricks import beats, playable


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.forehand = 0
    common.deals = 0
    clear_cards(state)
    for player in range(PLAYERS):
        state.public[player].total = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.taken[:] = 0
    tally.marriages[:] = 0
    tally.first[:] = MISSING
    tally.tricks[:] = 0
    tally.held[:] = 0
    tally.declared[:] = 0
    tally.made[:] = 0
    tally.failed[:] = 0
    tally.contract[:] = MISSING
    tally.as_declarer[:] = 0
    tally.raised[:] = 0
    tally.raised_by[:] = 0
    tally.blind[:] = 0
    tally.talon_points[:] = 0
    tally.talon_marriages[:] = 0
    tally.sweeps[:] = 0
    tally.packets[:] = 0
    tally.both_over = 0


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.shown = NONE
    common.gone = NONE
    common.turn = common.forehand
    common.high = 0
    common.declarer = -1
    common.blind = 0
    common.opened = -1
    common.stock = 0
    common.trump = -1
    common.leader = common.forehand
    common.trick = 0
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.table[:] = -1
    common.history[:] = -1
    state.deck[:] = 0
    for player in range(PLAYERS):
        clear_public(state.public[player])
        clear_private(state.private[player])


@kernel
def clear_public(public):
    """Forget all of a deal but the total of those before."""
    public.played = NONE
    public.known = NONE
    public.absent = NONE
    public.announced = NONE
    public.bid = 0
    public.passed = 0
    public.looked = 0
    public.cards = 0
    public.marriages = 0
    public.tricks = 0


@kernel
def clear_private(own):
    """Take all cards of a player away."""
    own.hand = NONE
    own.laid = NONE
    own.received = NONE
    own.given[:] = NONE


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    rules = state.rules
    players = np.int64(rules.players)
    hand = np.int64(rules.hand)
    if common.deals > 0:
        common.forehand = after(rules, np.int64(common.forehand), 1)
    clear_cards(state)
    forehand = np.int64(common.forehand)
    for steps in range(players):
        player = after(rules, forehand, steps)
        cards = NONE
        for place in range(hand * steps, hand * (steps + 1)):
            cards |= bit_of(deck[place])
        state.private[player].hand = cards
        state.public[player].looked = 1 if rules.blind == 0 else 0
    state.deck[:] = deck
    common.deals += 1
    if has_auction(rules):
        ask_bid(state, forehand)
    else:
        common.stock = CARDS - hand * players
        begin_play(state, forehand)


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else np.int64(state.common.turn)


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - PLAYING


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    rules = state.rules
    view.seat = player
    view.common = state.common
    for steps in range(np.int64(rules.players)):
        view.public[steps] = state.public[after(rules, player, steps)]
    view.own = state.private[player]
    if not state.public[player].looked and (state.common.stage == BIDDING or state.common.stage == LOOKING):
        view.own.hand = NONE


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    player = np.int64(common.turn)
    hand = state.private[player].hand
    if common.stage == PLAYING:
        if common.led < 0:
            return hand | pairs_in(hand) << np.uint64(ANNOUNCE)
        return playable(ORDERS[common.trump + 1], hand, np.int64(common.led), np.int64(common.best))
    if common.stage == BIDDING:
        return biddable(state)
    if common.stage == EXCHANGING:
        return exchangeable(state, player)
    if common.stage == RAISING:
        return raisable(state)
    return np.uint64(0b11)  # look or not, one packet or the other


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, player, action)
    elif common.stage == BIDDING:
        bid(state, player, action)
    elif common.stage == EXCHANGING:
        exchange(state, player, action)
    elif common.stage == RAISING:
        raise_bid(state, player, action)
    elif common.stage == LOOKING:
        look(state, player, action)
    else:
        choose(state, player, action)


@kernel
def _announce(state, player, card):
    """Score a marriage by its card led, and make its suit trump."""
    suit = card // 6
    bonus = bonus_of(state.rules, suit)
    public = state.public[player]
    public.announced |= bit_of(suit)
    public.marriages += bonus
    public.known |= bit_of(mate_of(card))
    state.common.trump = suit
    state.tally.taken[1, player] += bonus
    state.tally.marriages[suit, player] += 1
    if state.tally.first[suit, player] == MISSING:
        state.tally.first[suit, player] = state.common.trick + 1


@kernel
def _play(state, player, action):
    common = state.common
    card = action
    if action >= ANNOUNCE:
        card = action - ANNOUNCE
        _announce(state, player, card)
    one = bit_of(card)
    public = state.public[player]
    common.history[common.trick * state.rules.players + common.count] = action
    state.private[player].hand &= ~one
    public.played |= one
    public.known &= ~one
    common.gone |= one
    common.table[player] = card
    if common.led < 0:
        common.led = card
        common.best = card
        common.ahead = player
    else:
        order = ORDERS[common.trump + 1]
        led = np.int64(order.suit[common.led])
        suit = np.int64(order.suit[card])
        if suit != led:
            public.absent |= suit_mask(led)
            if common.trump >= 0 and suit != common.trump:
                public.absent |= suit_mask(np.int64(common.trump))
        if beats(order, card, np.int64(common.best)):
            common.best = card
            common.ahead = player
    common.count += 1
    if common.count == state.rules.players:
        _end_trick(state)
    else:
        common.turn = after(state.rules, player, 1)


@kernel
def _end_trick(state):
    common = state.common
    players = np.int64(state.rules.players)
    winner = np.int64(common.ahead)
    points = 0
    for player in range(players):
        points += value_of(common.table[player])
    state.public[winner].cards += points
    state.public[winner].tricks += 1
    state.tally.taken[0, winner] += points
    state.tally.tricks[winner] += 1
    common.trick += 1
    common.leader = winner
    common.turn = winner
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.table[:] = -1
    if common.stock > 0:
        for steps in range(players):
            drawer = after(state.rules, winner, steps)
            state.private[drawer].hand |= bit_of(state.deck[CARDS - common.stock])
            state.public[drawer].absent = NONE  # what he drew may be of any suit
            common.stock -= 1
    if state.private[winner].hand == NONE:
        end_deal(state)


@kernel
def packet_points(state):
    """Return the points that the player with the bid gets for both packets because he took every trick."""
    common = state.common
    rules = state.rules
    public = state.public[common.declarer]
    if rules.hand != TWO_HAND or public.announced or public.tricks < TWO_HAND:
        return 0
    if common.high > ALL_POINTS or (rules.sweep == 0 and common.high != ALL_POINTS):
        return 0
    return ALL_POINTS - np.int64(public.cards)


@kernel
def end_deal(state):
    """Write the points of a deal; then deal again or end."""
    common = state.common
    rules = state.rules
    players = np.int64(rules.players)
    tally = state.tally
    declarer = np.int64(common.declarer)
    for player in range(players):
        public = state.public[player]
        points = np.int64(public.cards) + np.int64(public.marriages)
        if declarer < 0:
            public.total += points
            continue
        if player == declarer:
            packets = packet_points(state)
            points += packets
            made = points >= common.high
            tally.packets[player] += packets
            tally.sweeps[player] += public.tricks == common.trick
            tally.as_declarer[player] += points
            tally.declared[player] += 1
            tally.blind[player] += common.blind
            tally.contract[player] = max(tally.contract[player], common.high)
            points = np.int64(common.high) if made else -np.int64(common.high)
            tally.points[MADE if made else FAILED, player] += points
            tally.made[player] += made
            tally.failed[player] += not made
        else:
            tally.points[DEFENCE_CARDS, player] += public.cards
            tally.points[DEFENCE_MARRIAGES, player] += public.marriages
        if common.blind:
            tally.points[DOUBLED, player] += points
            points += points
        public.total += points
    common.stage = OVER if _is_decided(state) else DEALING


@kernel
def leading(state):
    """Return the player with the highest total, -1 when several have it."""
    best = 0
    tied = False
    for player in range(1, np.int64(state.rules.players)):
        if state.public[player].total > state.public[best].total:
            best = player
            tied = False
        elif state.public[player].total == state.public[best].total:
            tied = True
    return -1 if tied else best


@kernel
def winner_of(state):
    """Return who has won with the totals as they are, -1 when nobody has."""
    rules = state.rules
    best = leading(state)
    declarer = np.int64(state.common.declarer)
    if rules.target > 0 and declarer >= 0 and rules.both_over == 1:
        if state.public[declarer].total >= rules.target:
            return declarer
    return best


@kernel
def _is_decided(state):
    """Return whether the game ends with this deal."""
    rules = state.rules
    if rules.target == 0 or state.common.deals >= rules.most_deals:
        return True
    over = 0
    for player in range(np.int64(rules.players)):
        over += state.public[player].total >= rules.target
    if over > 1:
        state.tally.both_over += 1
    return over > 0 and winner_of(state) >= 0


@implements(protocol.worth, STATE)
def _worth(state, player):
    return np.float64(value_for(state, player))


@kernel
def value_for(state, player):
    """Return the differences between a player's total and those of all others."""
    players = np.int64(state.rules.players)
    value = players * np.int64(state.public[player].total)
    for other in range(players):
        value -= np.int64(state.public[other].total)
    return value


@implements(protocol.census, STATE)
def _census(state, counts):
    common = state.common
    if common.stage == DEALING:
        return
    rules = state.rules
    for player in range(np.int64(rules.players)):
        rest = state.private[player].hand | state.private[player].laid | state.public[player].played
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE
    if rules.hand == STOCK_HAND:
        for place in range(CARDS - common.stock, CARDS):
            counts[state.deck[place]] += 1
    elif rules.hand == TWO_HAND:
        for place in range(FIRST_PACKET, CARDS):
            if (place - FIRST_PACKET) // PACKET != common.opened:
                counts[state.deck[place]] += 1
    elif common.stage == BIDDING or common.stage == LOOKING:
        for place in range(TALON, CARDS):
            counts[state.deck[place]] += 1


@implements(protocol.aim, STATE)
def _aim(state, contract):
    common = state.common
    goal = 100 + 10 * contract
    if common.stage == LOOKING:
        return 1
    if common.stage == BIDDING:
        raises = biddable(state) & ~ONE
        if raises and (common.high == 0 or bid_value(state.rules, lowest(raises)) <= goal):
            return np.int64(lowest(raises))
        return 0
    if common.stage == RAISING:
        raises = raisable(state) & ~ONE
        best = 0
        while raises:
            action = np.int64(lowest(raises))
            if bid_value(state.rules, action) <= goal:
                best = action
            raises &= raises - ONE
        return best
    return -1
