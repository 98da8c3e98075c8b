"""Deberts as a state machine: bidding, the exchange of the seven, runs, nine tricks."""

from __future__ import annotations

import numpy as np

from simcards.games.deberts.frame import (
    AS_PONE,
    BAIT_POINTS,
    BAITED,
    BEATEN,
    BELLA,
    BELLA_POINTS,
    BELLAS,
    BEYOND_RUNS,
    BIDDING,
    CARD_POINTS,
    CLAIMED,
    DEALER_ANSWERS,
    DEALER_EXCHANGES,
    DEALER_EXCHANGES_AFTER,
    DEALER_SPEAKS,
    DEALING,
    DEALS_WON,
    DEALT,
    DECK,
    DECLARING,
    DRAWN,
    EXCHANGES,
    EXCHANGING,
    FIFTIES,
    FIFTY_POINTS,
    GOOD,
    HAND,
    IN_RUNS,
    LAST_POINTS,
    LAST_TRICKS,
    MADE,
    MARRIAGE,
    NAME,
    ONE,
    ONLY_TRICKS,
    ORDERS,
    OVER,
    PASS,
    PLAY_TURNED,
    PLAYING,
    PLAYS,
    PLAYS_NAMED,
    PLAYS_TURNED,
    PONE_EXCHANGES,
    PONE_EXCHANGES_LATE,
    PONE_LEADS,
    PONE_SPEAKS,
    RUNS_BEATEN,
    SEVEN,
    SILENCES,
    SILENT,
    STATE,
    TIERCE_POINTS,
    TIERCES,
    TRICKS,
    TURNED,
    UNASKED,
    YES,
    best_run,
    bit_of,
    count_runs,
    deal_points,
    height_of,
    kind_of,
    may_exchange,
    order_of,
    ranks_in,
    standing,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.tricks import OVERRUFF, beats, playable


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.turn = 0
    common.dealer = 1
    common.deals = 0
    clear_cards(state)
    for player in range(2):
        state.public[player].total = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.count[:] = 0
    tally.as_pone[:] = 0
    tally.balance[:] = 0
    tally.equal = 0
    tally.thrown_in = 0


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.offer = 0
    common.turned = 0
    common.trump = -1
    common.by = -1
    common.step = PONE_EXCHANGES
    common.seven = -1
    common.late = 0
    common.led = -1
    common.pending = -1
    common.trick = 0
    for player in range(2):
        public = state.public[player]
        public.played = np.uint64(0)
        public.shown = np.uint64(0)
        public.absent = np.uint64(0)
        public.said = UNASKED
        public.kind = 0
        public.height = -1
        public.in_trumps = -1
        public.cards = 0
        public.last = 0
        public.runs = 0
        public.bella = 0
        public.tricks = 0
        state.hands[player] = np.uint64(0)


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    if common.deals > 0:
        common.dealer = 1 - common.dealer
    clear_cards(state)
    pone = 1 - np.int64(common.dealer)
    for place in range(DEALT // 3):  # by threes, first to pone
        first = 6 * place
        for k in range(first, first + 3):
            state.hands[pone] |= bit_of(deck[k])
            state.hands[1 - pone] |= bit_of(deck[k + 3])
    state.deck[:] = deck
    common.turned = deck[TURNED]
    common.deals += 1
    common.turn = pone
    common.stage = BIDDING


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else np.int64(state.common.turn)


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - BIDDING


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    view.seat = player
    view.common = state.common
    view.public[0] = state.public[player]
    view.public[1] = state.public[1 - player]
    view.hand = state.hands[player]


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        led = np.int64(common.led)
        return playable(ORDERS[order_of(state.rules, common.trump)], state.hands[common.turn], led, led)
    if common.stage == BIDDING and common.offer >= 2:
        return (np.uint64(0b111100) & ~bit_of(NAME + (common.turned >> 3))) | bit_of(PASS)
    return np.uint64(0b11)


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _choose(state, player, action)
    elif common.stage == BIDDING:
        _bid(state, player, action)
    elif common.stage == EXCHANGING:
        if action == YES:
            _exchange(state, player)
        _proceed(state)
    elif common.stage == DECLARING:
        if action != YES:
            state.tally.count[SILENCES, player] += 1
        _speak(state, player, action == YES)
        _proceed(state)
    else:
        card = np.int64(common.pending)
        if action == YES:
            _announce_bella(state, player, card)
        put(state, player, card)


# -- bidding ---------------------------------------------------------------------------------------------------


@kernel
def _bid(state, player, action):
    common = state.common
    if action == PASS:
        common.offer += 1
        common.turn = 1 - player
        if common.offer == 4:
            state.tally.thrown_in += 1
            common.stage = DEALING if state.rules.target else OVER
        return
    count = state.tally.count
    count[PLAYS, player] += 1
    common.by = player
    if action == PLAY_TURNED:
        common.trump = common.turned >> 3
        count[PLAYS_TURNED, player] += 1
    else:
        common.trump = action - NAME
        count[PLAYS_NAMED, player] += 1
    pone = 1 - np.int64(common.dealer)
    count[AS_PONE, pone] += 1
    for k in range(TURNED + 1, TURNED + 4):
        state.hands[pone] |= bit_of(state.deck[k])
        state.hands[1 - pone] |= bit_of(state.deck[k + 3])
    _proceed(state)


# -- the exchange of the seven, and runs -----------------------------------------------------------------------


@kernel
def _proceed(state):
    """Go on to the next question before the tricks, or to the next card."""
    common = state.common
    dealer = np.int64(common.dealer)
    pone = 1 - dealer
    while common.step != ONLY_TRICKS:
        step = np.int64(common.step)
        common.step += 1
        claimed = state.public[pone].said >= CLAIMED
        if step == PONE_LEADS:
            _ask(common, PLAYING, pone)
            return
        elif step == PONE_EXCHANGES:
            if may_exchange(state.rules, common, state.hands[pone]):
                _ask(common, EXCHANGING, pone)
                return
        elif step == PONE_SPEAKS:
            if _is_asked_to_speak(state, pone, 0):
                return
        elif step == DEALER_EXCHANGES or step == DEALER_EXCHANGES_AFTER:
            if claimed == (step == DEALER_EXCHANGES) and may_exchange(state.rules, common, state.hands[dealer]):
                _ask(common, EXCHANGING, dealer)
                return
        elif step == DEALER_ANSWERS:
            if claimed:
                if _is_asked_to_speak(state, dealer, np.int64(state.public[pone].kind)):
                    return
        elif step == DEALER_SPEAKS:
            if not claimed:
                if _is_asked_to_speak(state, dealer, 0):
                    return
        elif state.rules.exchange_until == 1:
            # who said nothing of runs for want of any was asked a moment ago
            player = pone if step == PONE_EXCHANGES_LATE else dealer
            hand = state.hands[player]
            if best_run(state.rules, hand, common.trump) and may_exchange(state.rules, common, hand):
                _ask(common, EXCHANGING, player)
                return
    _ask(common, PLAYING, dealer)


@kernel
def _ask(common, stage, player):
    common.stage = stage
    common.turn = player


@kernel
def _is_asked_to_speak(state, player, kind):
    """Ask a player for his runs if he has one that is no less than a kind; else let him say nothing."""
    key = best_run(state.rules, state.hands[player], state.common.trump)
    has = key > 0 and kind_of(key) >= kind
    if has and state.rules.silence:
        _ask(state.common, DECLARING, player)
        return True
    _speak(state, player, has)
    return False


@kernel
def _speak(state, player, claims):
    """Let a player name his best run or say nothing, and settle what is to be settled by it."""
    public = state.public[player]
    other = 1 - player
    rival = state.public[other]
    if not claims:
        public.said = SILENT
        if rival.said == CLAIMED:
            _score_runs(state, other)
        return
    trump = np.int64(state.common.trump)
    key = best_run(state.rules, state.hands[player], trump)
    public.kind = kind_of(key)
    if player != state.common.dealer:
        public.said = CLAIMED
        return
    if rival.said != CLAIMED or kind_of(key) > rival.kind:
        if rival.said == CLAIMED:
            _beat(state, other)
        _score_runs(state, player)
        return
    # as many cards: he asks how high
    theirs = best_run(state.rules, state.hands[other], trump)
    rival.height = height_of(theirs)
    rival.in_trumps = theirs & 1
    lead = standing(state.rules, key) - standing(state.rules, theirs)
    if lead >= 0:
        public.height = height_of(key)
        public.in_trumps = key & 1
    if lead == 0:
        state.tally.equal += 1
    if lead > 0:
        _beat(state, other)
        _score_runs(state, player)
    else:
        _beat(state, player)
        if lead == 0 and state.rules.equal_runs == 1:
            _beat(state, other)
        else:
            _score_runs(state, other)


@kernel
def _beat(state, player):
    state.public[player].said = BEATEN
    state.tally.count[RUNS_BEATEN, player] += 1


@kernel
def _score_runs(state, player):
    """Score all runs of a player, who shows them."""
    public = state.public[player]
    rules = state.rules
    hand = state.hands[player] | public.played
    public.said = GOOD
    tierces, fifties = count_runs(rules, hand)
    public.runs = tierces * rules.tierce + fifties * rules.fifty
    state.tally.count[TIERCES, player] += tierces
    state.tally.count[FIFTIES, player] += fifties
    state.tally.points[TIERCE_POINTS, player] += tierces * rules.tierce
    state.tally.points[FIFTY_POINTS, player] += fifties * rules.fifty
    for suit in range(4):
        ranks = ranks_in(hand, suit)
        public.shown |= IN_RUNS[rules.run_order, ranks] << np.uint64(8 * suit)
        public.absent |= BEYOND_RUNS[rules.run_order, ranks] << np.uint64(8 * suit)


@kernel
def _exchange(state, player):
    common = state.common
    public = state.public[player]
    seven = bit_of(8 * common.trump + SEVEN)
    turned = bit_of(common.turned)
    state.hands[player] = (state.hands[player] & ~seven) | turned
    public.shown = (public.shown & ~seven) | turned
    public.absent = (public.absent & ~turned) | seven
    common.seven = player
    common.late = public.said != UNASKED
    state.tally.count[EXCHANGES, player] += 1


# -- play ------------------------------------------------------------------------------------------------------


@kernel
def holds_bella(rules, trump, hand, card):
    """Return whether a card about to be played is king or queen of trumps and the other of them is in the hand."""
    bella = MARRIAGE << np.uint64(8 * trump)
    return rules.bella > 0 and (bella & bit_of(card)) != np.uint64(0) and hand & bella == bella


@kernel
def _choose(state, player, card):
    common = state.common
    if holds_bella(state.rules, np.int64(common.trump), state.hands[player], card):
        if state.rules.silence:
            common.pending = card
            common.stage = BELLA
            return
        _announce_bella(state, player, card)
    put(state, player, card)


@kernel
def _announce_bella(state, player, card):
    public = state.public[player]
    public.bella = state.rules.bella
    public.shown |= (MARRIAGE << np.uint64(8 * state.common.trump)) & ~bit_of(card)
    state.tally.count[BELLAS, player] += 1
    state.tally.points[BELLA_POINTS, player] += state.rules.bella


@kernel
def put(state, player, card):
    """Put a card on the table, and settle the trick and the deal that it ends."""
    common = state.common
    public = state.public[player]
    one = bit_of(card)
    state.hands[player] &= ~one
    public.played |= one
    common.pending = -1
    common.stage = PLAYING
    if common.led < 0:
        common.led = card
        common.turn = 1 - player
        if common.step != ONLY_TRICKS:
            _proceed(state)  # the dealer speaks, where he has not done so yet
        return
    order = ORDERS[order_of(state.rules, common.trump)]
    led = np.int64(common.led)
    wins = beats(order, card, led)
    _learn(order, public, led, card, wins)
    winner = player if wins else 1 - player
    best = state.public[winner]
    value = order.value[led] + order.value[card]
    best.cards += value
    best.tricks += 1
    state.tally.points[CARD_POINTS, winner] += value
    state.tally.count[TRICKS, winner] += 1
    common.trick += 1
    common.led = -1
    common.turn = winner
    if common.trick == HAND:
        best.last = state.rules.last_trick
        state.tally.points[LAST_POINTS, winner] += state.rules.last_trick
        state.tally.count[LAST_TRICKS, winner] += 1
        end_deal(state)


@kernel
def _learn(order, public, led, card, wins):
    """Note which cards a player cannot hold who answers a lead with this card."""
    suit = np.int64(order.suit[led])
    if order.suit[card] != suit:
        public.absent |= order.cards[suit]
        if order.suit[card] != order.trump:
            public.absent |= order.cards[order.trump]
    elif suit == order.trump and not wins and order.duties & OVERRUFF:
        public.absent |= order.above[led]


@kernel
def end_deal(state):
    """Write what the deal brought to both players; then deal again or end."""
    common = state.common
    tally = state.tally
    by = np.int64(common.by)
    other = 1 - by
    mine = deal_points(state.public[by])
    theirs = deal_points(state.public[other])
    if mine > theirs:
        tally.count[MADE, by] += 1
    else:
        tally.count[BAITED, by] += 1
        tally.points[BAIT_POINTS, other] += mine
        tally.points[BAIT_POINTS, by] -= mine
        theirs += mine
        mine = 0
    state.public[by].total += mine
    state.public[other].total += theirs
    tally.balance[by] += mine - theirs
    tally.as_pone[1 - common.dealer] += theirs if by == common.dealer else mine
    tally.count[DEALS_WON, by if mine > theirs else other] += 1
    first = np.int64(state.public[0].total)
    second = np.int64(state.public[1].total)
    target = state.rules.target
    # with equal totals nobody has won yet
    done = target == 0 or (max(first, second) >= target and first != second)
    common.stage = OVER if done else DEALING


@implements(protocol.census, STATE)
def _census(state, counts):
    common = state.common
    if common.stage == DEALING:
        return
    lying = np.int64(common.turned) if common.seven < 0 else 8 * np.int64(common.trump) + SEVEN
    counts[lying] += 1
    for place in range(TURNED + 1 if common.trump < 0 else DRAWN, DECK):
        counts[state.deck[place]] += 1
    for player in range(2):
        rest = state.hands[player] | state.public[player].played
        while rest:
            counts[lowest(rest)] += 1
            rest &= rest - ONE
