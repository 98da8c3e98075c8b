"""Preferans as a state machine: the deal, the tricks, the next deal."""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.auction import (
    SILENT,
    ask_bid,
    bid,
    biddable,
    discard,
    discardable,
    expose,
    invite,
    inviting,
    look,
    name_contract,
    nameable,
    set_turn,
    whist,
    whisting,
)
from simcards.games.preferans.frame import (
    ALL_PASS,
    BIDDING,
    CHAIRS,
    DEALING,
    DISCARDING,
    DUMMY,
    INVITING,
    LOOKING,
    NAMING,
    NO_TRICK,
    NOBODY,
    NONE,
    NOTHING,
    ONE,
    ORDERS,
    OVER,
    PLAYERS,
    PLAYING,
    STATE,
    TALON,
    WHISTING,
    bit_of,
    is_hussar,
    next_chair,
    suit_mask,
)
from simcards.games.preferans.scoring import all_closed, exact_value, score_all_pass, score_game
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements
from simcards.kernel.tricks import beats, playable

SHOWS, TAKES, UNSEEN = range(3)  # the talon when all pass


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    rules = state.rules
    common.stage = DEALING
    common.dealer = rules.players - 1
    common.deals = 0
    common.forced = rules.forced_circles * rules.players
    common.row = 0
    common.passed_deals = 0
    common.made_games = 0
    clear_cards(state)
    for player in range(PLAYERS):
        clear_sheet(state.sheet[player])
    clear_tally(state.tally)


@kernel
def clear_sheet(sheet):
    """Wipe out what is written of a player."""
    sheet.pool = 0
    sheet.hill = 0
    sheet.types = 0
    sheet.whists[:] = 0


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.counts[:] = 0
    tally.contract[:] = MISSING
    tally.all_passed = 0
    tally.redealt = 0
    tally.halved = 0
    tally.full = 0


@kernel
def seat_players(state):
    """Say who sits at which chair, by who deals."""
    common = state.common
    rules = state.rules
    dealer = np.int64(common.dealer)
    if not is_hussar(rules):
        for chair in range(CHAIRS):
            common.who[chair] = (dealer + 1 + chair) % rules.players
        return
    dummy = (1, 0, 2)[rules.dummy_seat]
    forehand = True
    for chair in range(CHAIRS):
        if chair == dummy:
            common.who[chair] = DUMMY
        else:
            common.who[chair] = 1 - dealer if forehand else dealer
            forehand = False


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.shown = NONE
    common.gone = NONE
    common.turn = 0
    common.decider = 0
    common.high = 0
    common.declarer = -1
    common.kind = NOTHING
    common.bid = 0
    common.trump = -1
    common.blind = 0
    common.without = 0
    common.open = 0
    common.exposed = 0
    common.unplayed = 0
    common.leader = 0
    common.trick = 0
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.talon_tricks = 0
    common.table[:] = -1
    common.turned[:] = -1
    common.history[:] = -1
    state.deck[:] = 0
    seat_players(state)
    for chair in range(CHAIRS):
        clear_chair(state.public[chair])
        state.private[chair].hand = NONE
        state.private[chair].laid = NONE


@kernel
def clear_chair(public):
    """Forget all of a deal."""
    public.played = NONE
    public.absent = NONE
    public.exposed = NONE
    public.bid = 0
    public.passed = 0
    public.looked = 0
    public.whist = SILENT
    public.tricks = 0


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    rules = state.rules
    clear_cards(state)
    common.deals += 1
    for chair in range(CHAIRS):
        cards = NONE
        for place in range(10 * chair, 10 * (chair + 1)):
            cards |= bit_of(deck[place])
        state.private[chair].hand = cards
        state.public[chair].looked = 1 if rules.blind_bidding == 0 else 0
    state.deck[:] = deck
    if common.forced > 0:
        common.kind = ALL_PASS
        _begin_all_pass(state)
        return
    first = 0
    for chair in range(CHAIRS):
        if is_hussar(rules) and common.who[chair] == DUMMY:
            state.public[chair].passed = 1
            state.public[chair].looked = 1
            first += chair == 0
    ask_bid(state, first)


@kernel
def _begin_all_pass(state):
    """Let everybody avoid tricks, or deal again."""
    common = state.common
    if state.rules.passed_out == 1 and common.forced == 0:
        state.tally.redealt += 1
        end_deal(state)
        return
    common.stage = PLAYING
    _turn_talon(state)
    set_turn(state, 0)


@kernel
def _turn_talon(state):
    """Turn a card of the talon, which is led to the first and the second trick."""
    common = state.common
    if state.rules.all_pass_talon == UNSEEN or common.trick >= 2:
        return
    card = np.int64(state.deck[TALON + common.trick])
    common.turned[common.trick] = card
    common.led = card
    common.leader = 0
    if state.rules.all_pass_talon == TAKES:
        common.best = card
        common.ahead = NOBODY


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else np.int64(state.common.decider)


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - PLAYING


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    common = state.common
    view.seat = player
    view.common = common
    for other in range(PLAYERS):
        view.sheet[other] = state.sheet[other]
    view.chair = -1
    view.own.hand = NONE
    view.own.laid = NONE
    for chair in range(CHAIRS):
        view.public[chair] = state.public[chair]
        if common.who[chair] == player:
            view.chair = chair
            if state.public[chair].looked or (common.stage != BIDDING and common.stage != LOOKING):
                view.own = state.private[chair]


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    chair = np.int64(common.turn)
    if common.stage == PLAYING:
        hand = state.private[chair].hand
        return playable(ORDERS[common.trump + 1], hand, np.int64(common.led), np.int64(common.best))
    if common.stage == BIDDING:
        return biddable(state)
    if common.stage == DISCARDING:
        return discardable(state, chair)
    if common.stage == NAMING:
        return nameable(state)
    if common.stage == WHISTING:
        return whisting(state, chair)
    if common.stage == INVITING:
        return inviting(state, chair)
    return np.uint64(0b11)  # look or not


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    chair = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, chair, action)
    elif common.stage == BIDDING:
        bid(state, chair, action)
        if common.kind == ALL_PASS:
            _begin_all_pass(state)
    elif common.stage == LOOKING:
        look(state, chair, action)
    elif common.stage == DISCARDING:
        discard(state, chair, action)
    elif common.stage == NAMING:
        name_contract(state, chair, action)
    elif common.stage == WHISTING:
        whist(state, chair, action)
    else:
        invite(state, chair, action)
    if common.unplayed and common.stage != DEALING and common.stage != OVER:
        end_deal(state)


@kernel
def _note_absent(public, common, card):
    """Note what a card that does not follow suit tells."""
    led = np.int64(common.led) // 8
    suit = card // 8
    if suit != led:
        public.absent |= suit_mask(led)
        if common.trump >= 0 and suit != common.trump:
            public.absent |= suit_mask(np.int64(common.trump))


@kernel
def _play(state, chair, card):
    common = state.common
    one = bit_of(card)
    public = state.public[chair]
    common.history[3 * common.trick + common.count] = card
    state.private[chair].hand &= ~one
    public.played |= one
    public.exposed &= ~one
    common.gone |= one
    common.table[chair] = card
    if common.led < 0:
        common.led = card
        common.best = card
        common.ahead = chair
    else:
        _note_absent(public, common, card)
        if common.best < 0:
            # the card that was turned only shows the suit
            if card // 8 == common.led // 8:
                common.best = card
                common.ahead = chair
        elif beats(ORDERS[common.trump + 1], card, np.int64(common.best)):
            common.best = card
            common.ahead = chair
    common.count += 1
    if common.trick == 0 and common.count == 1 and common.kind != ALL_PASS and not common.exposed:
        if common.open or (common.kind == NO_TRICK and state.rules.misere_opens == 1):
            expose(state)
    if common.count == CHAIRS:
        _end_trick(state)
    else:
        set_turn(state, next_chair(chair, 1))


@kernel
def _end_trick(state):
    common = state.common
    winner = np.int64(common.ahead)
    if winner == NOBODY:
        common.talon_tricks += 1
    else:
        state.public[winner].tricks += 1
    common.trick += 1
    # who is eldest leads until the talon has been turned
    leads = winner
    if common.kind == ALL_PASS and common.trick <= 2 and state.rules.all_pass_talon != UNSEEN:
        leads = 0
    common.leader = leads
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.count = 0
    common.table[:] = -1
    if common.trick == 10:
        end_deal(state)
        return
    if common.kind == ALL_PASS:
        _turn_talon(state)
    set_turn(state, leads)


@kernel
def end_deal(state):
    """Write what a deal brings; then deal again or end."""
    common = state.common
    rules = state.rules
    passed = common.kind == ALL_PASS
    redealt = passed and common.forced == 0 and rules.passed_out == 1
    if passed and not redealt:
        score_all_pass(state)
    elif not passed:
        score_game(state)
    stays = False
    if common.forced > 0:
        common.forced -= 1
    elif passed:
        common.row += 1
        stays = common.row < rules.all_pass_deals
    if not stays:
        common.row = 0
    if rules.pool == 0 or all_closed(state) or common.deals >= rules.most_deals:
        state.tally.full = rules.pool > 0 and all_closed(state)
        common.stage = OVER
        return
    if not stays:
        common.dealer = (common.dealer + 1) % rules.players
    common.stage = DEALING


@implements(protocol.worth, STATE)
def _worth(state, player):
    return exact_value(state, player)


@implements(protocol.census, STATE)
def _census(state, counts):
    common = state.common
    if common.stage == DEALING:
        return
    for chair in range(CHAIRS):
        rest = state.private[chair].hand | state.private[chair].laid | state.public[chair].played
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE
    if common.shown == NONE:
        for place in range(2):
            counts[state.deck[TALON + place]] += 1
