"""Skat as a state machine: the deal, the tricks, what is written."""

from __future__ import annotations

import numpy as np

from simcards.games.skat.contracts import (
    base_of,
    bid,
    biddable,
    declarable,
    declare,
    discard,
    discardable,
    open_auction,
    settle,
    take,
)
from simcards.games.skat.frame import (
    BIDDING,
    COUNTS,
    DEALING,
    DEALT_TO,
    DECLARED,
    DECLARING,
    DISCARDING,
    DOUBLED,
    FAILED,
    FOR_GAME,
    FOR_HAND,
    FOR_MATADORS,
    FOR_NULL,
    FOR_OUVERT,
    FOR_SCHNEIDER,
    FOR_SCHNEIDER_ANNOUNCED,
    FOR_SCHWARZ,
    FOR_SCHWARZ_ANNOUNCED,
    GRAND,
    HAND,
    JACKS,
    NONE,
    NULL,
    ONE,
    ORDERS,
    OUVERT,
    OVER,
    OVERBID,
    PASS,
    PLAYERS,
    PLAYING,
    ROLES,
    SCHNEIDER,
    SCHWARZ,
    SKAT_ROLE,
    STATE,
    TAKING,
    TRICKS,
    bid_above,
    bit_of,
    following,
    matadors,
    null_value,
    player_of,
    points_in,
    value_of,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements
from simcards.kernel.tricks import beats, playable

_DECLARED = COUNTS.index("declared")
_DEFENCE_POINTS = COUNTS.index("defence_points")
_DEFENCE_WON = COUNTS.index("defence_won")
_DEFENDED = COUNTS.index("defended")
_FAILED = COUNTS.index("failed")
_HAND_GAMES = COUNTS.index("hand_games")
_HAND_MADE = COUNTS.index("hand_made")
_MADE = COUNTS.index("made")
_MADES = COUNTS.index("made_spades")
_OPEN_GAMES = COUNTS.index("open_games")
_OVERBID = COUNTS.index("overbid")
_PLAYED = COUNTS.index("played_spades")
_SCHNEIDER = COUNTS.index("schneider")
_SCHNEIDER_ANNOUNCED = COUNTS.index("schneider_announced")
_SCHNEIDERED = COUNTS.index("schneidered")
_SCHWARZ = COUNTS.index("schwarz")
_SCHWARZ_ANNOUNCED = COUNTS.index("schwarz_announced")
_SCHWARZED = COUNTS.index("schwarzed")
_TRICKS = COUNTS.index("tricks")
_MORE = 1  # the action by which a bid is held, and the next value called


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.forehand = 0
    common.deals = 0
    common.redeals = 0
    common.again = 0
    common.totals[:] = 0
    clear_deal(state)
    clear_tally(state.tally)
    common.stage = DEALING


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.counts[:] = 0
    tally.bid[:] = MISSING
    tally.with_jacks[:] = MISSING
    tally.without_jacks[:] = MISSING
    tally.game_value[:] = MISSING
    tally.declarer_points[:] = MISSING
    tally.skat_points[:] = 0
    tally.skat_jacks[:] = 0
    tally.as_declarer[:] = 0
    tally.passed_in = 0


@kernel
def clear_deal(state):
    """Take all cards away before a deal, and forget the one before."""
    common = state.common
    common.shown = NONE
    common.duel = 0
    common.caller = -1
    common.hearer = -1
    common.step = 0
    common.high = 0
    common.declarer = -1
    common.skat = 0
    common.game = -1
    common.level = 0
    common.leader = common.forehand
    common.turn = common.forehand
    common.trick = 0
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.history[:] = -1
    for player in range(PLAYERS):
        common.played[player] = NONE
        common.absent[player] = NONE
        common.bid[player] = 0
        common.passed[player] = 0
        common.table[player] = -1
        common.tricks[player] = 0
        common.cards[player] = 0
        clear_private(state.private[player])
    state.aside = NONE


@kernel
def clear_private(own):
    """Take all cards of a player away."""
    own.hand = NONE
    own.found = NONE
    own.laid = NONE


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    rules = state.rules
    if not common.again:
        if common.deals > 0:
            forehand = np.int64(common.forehand) + 1
            common.forehand = 0 if forehand == rules.players else forehand
        common.deals += 1
    common.again = 0
    clear_deal(state)
    state.deck[:] = deck
    for place in range(deck.shape[0]):
        role = DEALT_TO[place]
        if role == SKAT_ROLE:
            state.aside |= bit_of(deck[place])
        else:
            state.private[player_of(common, rules, role)].hand |= bit_of(deck[place])
    open_auction(state)


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
    view.seat = player
    view.common = state.common
    view.own = state.private[player]


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    own = state.private[common.turn]
    if common.stage == PLAYING:
        if common.led < 0:
            return own.hand
        return playable(ORDERS[common.game], own.hand, np.int64(common.led), np.int64(common.best))
    if common.stage == BIDDING:
        return biddable(state)
    if common.stage == DISCARDING:
        return discardable(own)
    if common.stage == DECLARING:
        return declarable(common, state.rules)
    return np.uint64(0b11)


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, player, action)
    elif common.stage == BIDDING:
        if bid(state, player, action):
            _pass_in(state)
    elif common.stage == DISCARDING:
        discard(state, player, action)
    elif common.stage == DECLARING:
        declare(state, player, action)
    else:
        take(state, player, action)


@kernel
def _play(state, player, card):
    common = state.common
    one = bit_of(card)
    order = ORDERS[common.game]
    common.history[ROLES * common.trick + common.count] = card
    state.private[player].hand &= ~one
    common.played[player] |= one
    common.table[player] = card
    if common.led < 0:
        common.led = card
        common.best = card
        common.ahead = player
    else:
        led = np.int64(order.suit[common.led])
        if order.suit[card] != led:
            common.absent[player] |= order.cards[led]
        if beats(order, card, np.int64(common.best)):
            common.best = card
            common.ahead = player
    common.count += 1
    if common.count == ROLES:
        _end_trick(state)
    else:
        common.turn = following(common, state.rules, player)


@kernel
def _end_trick(state):
    common = state.common
    winner = np.int64(common.ahead)
    points = 0
    for player in range(PLAYERS):
        if common.table[player] >= 0:
            points += value_of(common.table[player])
            common.table[player] = -1
    common.cards[winner] += points
    common.tricks[winner] += 1
    common.trick += 1
    common.leader = winner
    common.turn = winner
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    caught = common.game == NULL and winner == common.declarer and state.rules.null_ends == 0
    if common.trick == TRICKS or caught:
        declarer = np.int64(common.declarer)
        points = np.int64(common.cards[declarer]) + points_in(state.aside)
        own = np.int64(common.tricks[declarer])
        end_game(state, points, own, np.int64(common.trick) - own)


@kernel
def _pass_in(state):
    """End a deal in which all have passed."""
    common = state.common
    state.tally.passed_in += 1
    if state.rules.deals > 1 and state.rules.passed_in == 0 and common.redeals < state.rules.most_redeals:
        common.redeals += 1
        common.again = 1
    _go_on(state)


@kernel
def _go_on(state):
    common = state.common
    common.stage = OVER if common.deals >= state.rules.deals and not common.again else DEALING


@kernel
def end_game(state, points, own_tricks, their_tricks):
    """Write what a game brought; then deal again or end.

    Parameters
    ----------
    state : STATE
        The position.
    points : int
        Those of the declarer with the skat.
    own_tricks, their_tricks : int
        Tricks of the declarer and of his opponents.
    """
    common = state.common
    declarer = np.int64(common.declarer)
    cards = state.private[declarer].hand | common.played[declarer]
    if common.skat or state.rules.skat_matadors == 0:
        cards |= state.aside
    value, written, overbid = settle(common, state.rules, cards, points, own_tricks, their_tricks)
    common.totals[declarer] += written
    _count_sources(state, cards, points, own_tricks, their_tricks, value, written, overbid)
    _count_game(state, cards, points, own_tricks, their_tricks, value, written, overbid)
    _go_on(state)


@kernel
def _count_sources(state, cards, points, own_tricks, their_tricks, value, written, overbid):
    """Divide what is written for a game among its sources."""
    common = state.common
    rules = state.rules
    sources = state.tally.points
    declarer = np.int64(common.declarer)
    level = np.int64(common.level)
    if written < 0:
        once = common.skat == 0 and rules.hand_loss == 0
        single = written if once else written // 2
        sources[OVERBID if overbid else FAILED, declarer] += single
        sources[DOUBLED, declarer] += written - single
        return
    if common.game == NULL:
        sources[FOR_NULL, declarer] += written
        return
    game = np.int64(common.game)
    base = np.int64(base_of(game, level))
    sources[FOR_MATADORS, declarer] += base * abs(matadors(cards, game))
    sources[FOR_GAME, declarer] += base
    sources[FOR_HAND, declarer] += 0 if common.skat else base
    sources[FOR_SCHNEIDER, declarer] += base if points >= rules.schneider or level >= SCHNEIDER else 0
    sources[FOR_SCHNEIDER_ANNOUNCED, declarer] += base if level >= SCHNEIDER else 0
    sources[FOR_SCHWARZ, declarer] += base if their_tricks == 0 else 0
    sources[FOR_SCHWARZ_ANNOUNCED, declarer] += base if level >= SCHWARZ else 0
    sources[FOR_OUVERT, declarer] += base if level == OUVERT and game != GRAND else 0


@kernel
def _count_game(state, cards, points, own_tricks, their_tricks, value, written, overbid):
    common = state.common
    rules = state.rules
    tally = state.tally
    counts = tally.counts
    declarer = np.int64(common.declarer)
    game = np.int64(common.game)
    level = np.int64(common.level)
    made = 1 if written > 0 else 0
    hand = 0 if common.skat else 1
    counts[_PLAYED + game, declarer] += 1
    counts[_MADES + game, declarer] += made
    counts[_HAND_GAMES, declarer] += hand
    counts[_HAND_MADE, declarer] += hand * made
    counts[_OPEN_GAMES, declarer] += 1 if level == OUVERT else 0
    counts[_DECLARED, declarer] += 1
    counts[_MADE, declarer] += made
    counts[_OVERBID, declarer] += 1 if overbid else 0
    counts[_FAILED, declarer] += 0 if made or overbid else 1
    tally.as_declarer[declarer] += written
    tally.bid[declarer] = max(tally.bid[declarer], common.high)
    tally.game_value[declarer] = max(tally.game_value[declarer], value)
    if game != NULL:
        counts[_SCHNEIDER_ANNOUNCED, declarer] += 1 if level >= SCHNEIDER else 0
        counts[_SCHWARZ_ANNOUNCED, declarer] += 1 if level >= SCHWARZ else 0
        counts[_SCHNEIDER, declarer] += 1 if points >= rules.schneider else 0
        counts[_SCHWARZ, declarer] += 1 if their_tricks == 0 else 0
        counts[_SCHNEIDERED, declarer] += 1 if points <= rules.schneidered else 0
        counts[_SCHWARZED, declarer] += 1 if own_tricks == 0 else 0
        count = matadors(cards, game)
        if count > 0:
            tally.with_jacks[declarer] = max(tally.with_jacks[declarer], count)
        else:
            tally.without_jacks[declarer] = max(tally.without_jacks[declarer], -count)
        tally.declarer_points[declarer] = max(tally.declarer_points[declarer], 0) + points
    if common.skat:
        found = state.private[declarer].found
        tally.skat_points[declarer] += points_in(found)
        tally.skat_jacks[declarer] += popcount(found & JACKS)
    for role in range(ROLES):
        player = player_of(common, rules, role)
        counts[_TRICKS, player] += common.tricks[player]
        if player != declarer:
            counts[_DEFENDED, player] += 1
            counts[_DEFENCE_WON, player] += 1 - made
            counts[_DEFENCE_POINTS, player] += common.cards[player]


@implements(protocol.worth, STATE)
def _worth(state, player):
    return np.float64(value_for(state, player))


@kernel
def value_for(state, player):
    """Return the differences between a player's total and those of all others."""
    players = np.int64(state.rules.players)
    totals = state.common.totals
    value = players * np.int64(totals[player])
    for other in range(players):
        value -= np.int64(totals[other])
    return value


@implements(protocol.census, STATE)
def _census(state, counts):
    common = state.common
    if common.stage == DEALING:
        return
    rest = state.aside
    while rest:
        counts[lowest(rest)] += 1
        rest &= rest - ONE
    for player in range(PLAYERS):
        rest = state.private[player].hand | common.played[player]
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE


# What a player can be after: a game with the skat, from the hand, and open
CONTRACTS = (
    ("diamonds", 2, 0, 0),
    ("hearts", 1, 0, 0),
    ("spades", 0, 0, 0),
    ("clubs", 3, 0, 0),
    ("grand", GRAND, 0, 0),
    ("null", NULL, 0, 0),
    ("diamonds hand", 2, 1, 0),
    ("hearts hand", 1, 1, 0),
    ("spades hand", 0, 1, 0),
    ("clubs hand", 3, 1, 0),
    ("grand hand", GRAND, 1, 0),
    ("null hand", NULL, 1, 0),
    ("null ouvert hand", NULL, 1, OUVERT),
    ("grand hand schneider", GRAND, 1, SCHNEIDER),
    ("grand ouvert", GRAND, 1, OUVERT),
)
_CONTRACT = np.array([contract[1:] for contract in CONTRACTS])


@kernel
def safe_value(hand, game, skat, level):
    """Return what a game from these cards is worth if it is just made: how high it may be bid for.

    Parameters
    ----------
    hand : uint64
        The cards by which matadors are counted.
    game : int
        The game.
    skat : bool
        Whether the skat is taken.
    level : int
        What is announced.
    """
    if game == NULL:
        return np.int64(null_value(skat, level))
    total = abs(matadors(hand, game)) + 1 + (0 if skat else 1)
    total += 2 if level >= SCHNEIDER else 0
    total += 2 if level >= SCHWARZ else 0
    total += 1 if level == OUVERT and game != GRAND else 0
    return np.int64(base_of(game, level)) * total


@implements(protocol.aim, STATE)
def _aim(state, contract):
    common = state.common
    game, hand, level = _CONTRACT[contract]
    if common.stage == BIDDING:
        goal = safe_value(state.private[common.turn].hand, game, hand == 0, level)
        if common.turn == common.caller:
            next_bid = bid_above(state.rules, np.int64(common.step), 1)
            return _MORE if 0 < next_bid <= goal else PASS
        return _MORE if common.high <= goal else PASS
    if common.stage == TAKING:
        return HAND if hand else 1
    if common.stage == DECLARING:
        return game + DECLARED * level
    return -1
