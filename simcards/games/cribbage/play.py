"""Cribbage as a state machine: auction where there is one, discards, the starter, the cards laid, and the show."""

from __future__ import annotations

import numpy as np

from simcards.games.cribbage.frame import (
    AFTER_DISCARD,
    ALL_HEELS,
    BEFORE_DISCARD,
    BID,
    BIDDING,
    BOUGHT,
    COMPENSATION,
    CRIB_FIFTEEN,
    CRIB_FLUSHES,
    CRIB_JACKS,
    CRIB_NOTHING,
    CRIB_TWELVE,
    DEALING,
    DISCARDING,
    FIFTEENS,
    GO,
    GOES,
    HAND_FIFTEEN,
    HAND_FLUSHES,
    HAND_JACKS,
    HAND_NOTHING,
    HAND_TWELVE,
    HAND_TWENTY,
    HEELS,
    LAST_CARDS,
    LIMIT,
    NO_AUCTION,
    OVER,
    PAIRS,
    PASS,
    PEG_FIFTEEN,
    PEG_LAST,
    PEG_PAIRS,
    PEG_RUNS,
    PEG_THIRTY_ONE,
    PLAYING,
    REPAID,
    RUNS,
    STATE,
    THIRTY_ONES,
    TO_31,
    after,
    bit_of,
    discard_of,
    discards_open,
    to_discard,
    to_lay,
)
from simcards.games.cribbage.scoring import (
    CARDS,
    JACK,
    KEYS,
    ONE,
    PARTS,
    RANKS,
    VALUE,
    flush_of,
    has_nobs,
    key_of,
    pairs_before,
    place_of,
    run_with,
)
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements

_CRIB = CRIB_FIFTEEN - HAND_FIFTEEN  # from the sources of a hand to those of the crib


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.turn = 0
    common.deals = 0
    common.winner = -1
    common.dealer = state.rules.players - 1
    clear_cards(state)
    for player in range(np.int64(state.rules.players)):
        state.public[player].points = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Set all counts to nothing."""
    tally.points[:] = 0
    tally.count[:] = 0
    tally.as_dealer[:] = 0
    tally.bids[:] = 0
    tally.best_hand[:] = 0
    tally.best_crib[:] = 0


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.owner = -1
    common.bid = 0
    common.bidder = -1
    common.starter = -1
    common.discarded = 0
    common.laid = 0
    common.last = -1
    common.pile[:] = 0
    common.by[:] = 0
    restart(common)
    for player in range(np.int64(state.rules.players)):
        public = state.public[player]
        public.laid = np.uint64(0)
        public.cards = 0
        public.above = 0
        own = state.private[player]
        own.hand = np.uint64(0)
        own.discards = np.uint64(0)


@kernel
def restart(common):
    """Begin to count anew."""
    common.recent = np.uint64(0)
    common.count = 0
    common.gone = 0
    common.started = common.laid


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    rules = state.rules
    if common.deals > 0:
        common.dealer = after(rules, np.int64(common.dealer), 1)
    clear_cards(state)
    players = np.int64(rules.players)
    pone = after(rules, np.int64(common.dealer), 1)
    for k in range(players):
        hand = np.uint64(0)
        for place in range(np.int64(rules.cards)):
            hand |= bit_of(deck[place * players + k])
        player = after(rules, pone, k)
        state.private[player].hand = hand
        state.public[player].cards = rules.cards
    state.deck[:] = deck
    common.turn = pone
    common.first = pone
    if rules.auction == NO_AUCTION:
        common.owner = common.dealer
    common.stage = BIDDING if rules.auction == BEFORE_DISCARD else DISCARDING
    common.deals += 1
    if rules.compensation and (common.deals == 1 or rules.three_for_last == 0):
        score(state, pone, COMPENSATION, np.int64(rules.compensation))


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
    for k in range(np.int64(state.rules.players)):
        view.public[k] = state.public[after(state.rules, player, k)]
    view.own = state.private[player]


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        cards = to_lay(state.private[common.turn].hand, np.int64(common.count))
        return cards if cards else bit_of(GO)
    if common.stage == DISCARDING:
        return discards_open(state.rules)
    higher = (bit_of(state.rules.highest_bid + 1) - ONE) & ~(bit_of(common.bid + 1) - ONE)
    if common.bid == 0 and state.rules.must_open:
        return higher
    return higher | bit_of(PASS)


@implements(protocol.apply, STATE)
def _apply(state, action):
    stage = state.common.stage
    if stage == PLAYING:
        if action == GO:
            _go(state)
        else:
            _lay(state, np.int64(action))
    elif stage == DISCARDING:
        _discard(state, action)
    else:
        _bid(state, action)


# -- points ----------------------------------------------------------------------------------------------------


@kernel
def enter(state, player, source, points):
    """Add points."""
    state.public[player].points += points
    state.tally.points[source, player] += points
    if player == state.common.dealer:
        state.tally.as_dealer[player] += points


@kernel
def side_points(state, player):
    """Return the score of a player, with his partner's."""
    points = np.int64(state.public[player].points)
    return points if state.rules.players == 2 else points + np.int64(state.public[player ^ 2].points)


@kernel
def check(state, player):
    """End the game when a player has reached the target."""
    if state.rules.target > 0 and side_points(state, player) >= state.rules.target:
        state.common.winner = player
        state.common.stage = OVER


@kernel
def score(state, player, source, points):
    """Add points, which may win the game."""
    enter(state, player, source, points)
    check(state, player)


# -- before the play -------------------------------------------------------------------------------------------


@kernel
def _bid(state, action):
    common = state.common
    if action != PASS:
        common.bid = action
        common.bidder = common.turn
        common.turn = after(state.rules, np.int64(common.turn), 1)
        if action < state.rules.highest_bid:
            return
    owner = np.int64(common.bidder)
    if owner < 0:
        owner = np.int64(common.dealer)
    common.owner = owner
    common.first = owner
    common.turn = after(state.rules, np.int64(common.dealer), 1)
    enter(state, owner, BID, -np.int64(common.bid))
    state.tally.bids[owner] += common.bid
    state.tally.count[BOUGHT, owner] += common.bid > 0
    if state.rules.auction == AFTER_DISCARD:
        _turn_up(state)
    else:
        common.stage = DISCARDING


@kernel
def _discard(state, action):
    common = state.common
    player = np.int64(common.turn)
    own = state.private[player]
    own.discards = discard_of(state.rules, own.hand, action)
    own.hand &= ~own.discards
    state.public[player].cards -= to_discard(state.rules)
    common.discarded |= 1 << player
    common.turn = after(state.rules, player, 1)
    if common.discarded + 1 == 1 << np.int64(state.rules.players):
        if state.rules.auction == AFTER_DISCARD:
            common.stage = BIDDING
        else:
            _turn_up(state)


@kernel
def _turn_up(state):
    """Turn the starter up, and let play begin."""
    common = state.common
    common.starter = state.deck[state.rules.cards * state.rules.players]
    common.stage = PLAYING
    common.turn = common.first
    if common.starter % RANKS == JACK:
        lucky = np.int64(common.owner if state.rules.heels_to else common.dealer)
        state.tally.count[ALL_HEELS, lucky] += 1
        score(state, lucky, HEELS, np.int64(state.rules.heels))


# -- the play --------------------------------------------------------------------------------------------------


@kernel
def _lay(state, card):
    common = state.common
    rules = state.rules
    player = np.int64(common.turn)
    rank = card % RANKS
    same = pairs_before(common.recent, rank)
    run = run_with(common.recent, rank) if same == 0 else 0
    total = np.int64(common.count) + VALUE[rank]
    one = bit_of(card)
    state.private[player].hand &= ~one
    public = state.public[player]
    public.laid |= one
    public.cards -= 1
    common.pile[common.laid] = card
    common.by[common.laid] = player
    common.laid += 1
    common.recent = common.recent << np.uint64(4) | np.uint64(rank + 1)
    common.count = total
    common.last = player
    counts = state.tally.count
    if total == 15:
        counts[FIFTEENS, player] += 1
        enter(state, player, PEG_FIFTEEN, np.int64(rules.fifteen))
    elif total == LIMIT:
        counts[THIRTY_ONES, player] += 1
        enter(state, player, PEG_THIRTY_ONE, np.int64(rules.thirty_one))
    if same:
        counts[PAIRS + same - 1, player] += 1
        enter(state, player, PEG_PAIRS, np.int64(rules.pair * (same * (same + 1) // 2)))
    if run:
        counts[RUNS + run - 3, player] += 1
        enter(state, player, PEG_RUNS, np.int64(rules.run * run))
    if rules.last_card_again and total < LIMIT and _lays_on(common):
        counts[LAST_CARDS, player] += 1
        enter(state, player, PEG_LAST, np.int64(rules.last_card))
    check(state, player)
    if common.stage == OVER:
        return
    if total == LIMIT:
        _end_count(state)
    else:
        _pass_on(state, player)


@kernel
def _lays_on(common):
    """Return whether the last two cards of this count are the same player's: the others could lay none in between."""
    laid = np.int64(common.laid)
    return laid - common.started > 1 and common.by[laid - 1] == common.by[laid - 2]


@kernel
def _go(state):
    common = state.common
    player = np.int64(common.turn)
    common.gone |= 1 << player
    state.public[player].above = LIMIT - common.count
    state.tally.count[GOES, player] += 1
    _pass_on(state, player)


@kernel
def _pass_on(state, player):
    """Let the next player go on who may; where there is none, the last card is scored."""
    common = state.common
    for k in range(1, np.int64(state.rules.players) + 1):
        other = after(state.rules, player, k)
        if state.public[other].cards > 0 and common.gone >> other & 1 == 0:
            common.turn = other
            return
    if state.rules.last_card_again == 0 or not _lays_on(common):
        last = np.int64(common.last)
        state.tally.count[LAST_CARDS, last] += 1
        score(state, last, PEG_LAST, np.int64(state.rules.last_card))
    if common.stage != OVER:
        _end_count(state)


@kernel
def _end_count(state):
    """Count anew from the next player who has cards, or show."""
    common = state.common
    if state.rules.playing != TO_31:
        for k in range(1, np.int64(state.rules.players) + 1):
            other = after(state.rules, np.int64(common.last), k)
            if state.public[other].cards > 0:
                restart(common)
                common.turn = other
                return
    _show(state)


# -- the show --------------------------------------------------------------------------------------------------


@kernel
def _show(state):
    """Score the hands in their order, and the crib behind its owner's hand."""
    common = state.common
    rules = state.rules
    crib = np.uint64(0)
    players = np.int64(rules.players)
    for player in range(players):
        crib |= state.private[player].discards
    for k in range(players):
        player = after(rules, np.int64(common.first), k)
        _show_cards(state, player, state.private[player].hand | state.public[player].laid, False)
        if common.stage == OVER:
            return
        if player == common.owner:
            _show_cards(state, player, crib, True)
            if common.stage == OVER:
                return
    common.stage = DEALING if rules.target > 0 and common.deals < rules.most_deals else OVER


@kernel
def _show_cards(state, player, cards, crib):
    """Score a hand or the crib."""
    rules = state.rules
    starter = np.int64(state.common.starter)
    key = key_of(cards)
    parts = np.int64(PARTS[place_of(key + KEYS[starter])])
    flush = flush_of(key, popcount(cards), starter, np.int64(rules.crib_flush) if crib else 2)
    nobs = has_nobs(key, starter)
    source = HAND_FIFTEEN + (_CRIB if crib else 0)
    before = np.int64(state.public[player].points)
    enter(state, player, source, np.int64(rules.fifteen * (parts & 255)))
    enter(state, player, source + 1, np.int64(rules.pair * (parts >> 8 & 255)))
    enter(state, player, source + 2, np.int64(rules.run * (parts >> 16)))
    enter(state, player, source + 3, np.int64(rules.flush * flush))
    enter(state, player, source + 4, np.int64(rules.nobs * nobs))
    points = np.int64(state.public[player].points) - before
    tally = state.tally
    tally.count[CRIB_FLUSHES if crib else HAND_FLUSHES, player] += flush > 0
    tally.count[CRIB_JACKS if crib else HAND_JACKS, player] += nobs
    tally.count[CRIB_NOTHING if crib else HAND_NOTHING, player] += points == 0
    tally.count[CRIB_TWELVE if crib else HAND_TWELVE, player] += points >= 12
    if crib:
        bid = state.common.bid  # 0 for a crib that nobody bought
        tally.count[REPAID, player] += bid > 0 and points >= bid
        tally.best_crib[player] = max(np.int64(tally.best_crib[player]), points)
    else:
        tally.count[HAND_TWENTY, player] += points >= 20
        tally.best_hand[player] = max(np.int64(tally.best_hand[player]), points)
    check(state, player)


@implements(protocol.census, STATE)
def _census(state, counts):
    for player in range(np.int64(state.rules.players)):
        own = state.private[player]
        for cards in (own.hand, own.discards, state.public[player].laid):
            rest = cards
            while rest:
                counts[lowest(rest)] += 1
                rest &= rest - ONE
    for place in range(np.int64(state.rules.cards * state.rules.players), CARDS):
        counts[state.deck[place]] += 1
