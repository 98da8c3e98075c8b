"""How a sensible club player plays thousand.

He bids on an estimate of the points that his hand will take, keeps after the packet what promises most, and at the
cards weighs the chance that a card wins the trick, what lies in it, and what the card would still be good for.
"""

from __future__ import annotations

import numpy as np

from simcards.games.strategy import Parameter, usual_options
from simcards.games.thousand import TWO_HAND
from simcards.games.thousand.frame import (
    ANNOUNCE,
    BIDDING,
    EXCHANGING,
    LOOKING,
    NONE,
    ONE,
    ORDERS,
    PAIR,
    PASS,
    PLAYING,
    RAISING,
    VIEW,
    bid_value,
    bit_of,
    bonus_of,
    has_auction,
    mate_of,
    pairs_in,
    ranks_in,
    suit_mask,
    value_of,
)
from simcards.games.thousand.hands import estimate, kind_of, promise, suit_estimate, written
from simcards.games.thousand.worlds import held_by, unseen_cards
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.tricks import beats

(
    BOLD,
    DEFENCE,
    BLIND,
    GIVE_POINTS,
    GIVE_MATE,
    LOSS,
    LEAD,
    CASH,
    DRAW,
    KEEP_TOP,
    KEEP_PAIR,
    KEEP_MATE,
    KEEP_TRUMP,
    PARTNER,
    LONG,
) = range(15)
HABITS = (
    ("bold", 0.0, "points added to the estimate of the hand in bidding and raising", -400, 400),
    ("defence", 50.0, "points that it is worth not to play the hand: a bid must promise as much", -400, 400),
    ("blind", 0, "bids up to this height without looking at the cards, where that may be", 0, 400),
    ("give_points", 0.0, "cost of each point of a card that is given to an opponent", 0, 10),
    ("give_mate", 0.2, "share of a marriage that it costs to give away a king or queen of it", 0, 10),
    ("loss", 1.0, "weight of points lost in a trick against points won", 0, 10),
    ("lead", 10.0, "points that it is worth to have the lead", 0, 100),
    ("cash", 0.0, "how far a marriage waits while there are sure tricks to be led first; -200: not at all", -400, 400),
    ("draw", 8.0, "points for each trump that the others may have, when a trump is led", -50, 50),
    ("keep_top", 0.6, "share of its points that the highest card left of a suit is worth for later", 0, 10),
    ("keep_pair", 0.8, "share of a marriage's points that its cards in the hand are worth for later", 0, 10),
    ("keep_mate", 0.08, "the same of a king or queen alone, while the other one may still be drawn", 0, 10),
    ("keep_trump", 6.0, "points that a trump is worth for later", 0, 100),
    ("partner", 0.2, "weight of points won by the other opponent of the declarer", -1, 1),
    ("long", 1.5, "points for each card of the suit led", -50, 50),
)


# With a stock and no bidding other weights serve better
WITH_STOCK = {"loss": 1.6, "draw": 11.0, "keep_top": 1.2, "keep_pair": 0.2, "keep_trump": 3.0, "long": -1.0}


def habits(stock: bool) -> tuple[Parameter, ...]:
    """Return the habits as parameters, with what is usual with or without a stock."""
    own = WITH_STOCK if stock else {}
    return tuple(Parameter(name, own.get(name, usual), doc, low, high) for name, usual, doc, low, high in HABITS)


USUAL = usual_options(habits(False))
USUAL_STOCK = usual_options(habits(True))
OTHERS_ADD = 2.0  # points that each of the others adds to a trick he does not win


# -- the auction -------------------------------------------------------------------------------------------------


@kernel
def basic_look(view, legal, rng, options):
    """Look, unless the next bid is one that may be made blindly."""
    rules = view.rules
    high = np.int64(view.common.high)
    following = high + np.int64(rules.step) if high else np.int64(rules.first_bid)
    return np.int64(0 if following <= options.value[BLIND] else 1)


@kernel
def basic_bid(view, legal, rng, options):
    """Bid what is needed as long as it promises more than to leave the hand to another."""
    raises = legal & ~bit_of(PASS)
    if raises == NONE:
        return np.int64(PASS)
    action = np.int64(lowest(raises))
    if legal == raises:
        return action
    points = bid_value(view.rules, action)
    if not view.public[0].looked:
        return action if points <= options.value[BLIND] else np.int64(PASS)
    kind = kind_of(view.rules, False)
    expected = estimate(view.rules, kind, view.own.hand)[0] + options.value[BOLD]
    return action if promise(view.rules, points, expected) >= options.value[DEFENCE] else np.int64(PASS)


@kernel
def basic_packet(view, legal, rng, options):
    """Open the first packet: nothing is known of either."""
    return np.int64(0)


@kernel
def _part_with(view, card, options):
    """Return what it costs to give a card to an opponent, besides that it is no longer there."""
    if view.rules.hand == TWO_HAND:
        return 0.0
    cost = options.value[GIVE_POINTS] * value_of(card)
    if PAIR >> np.uint64(card % 6) & ONE:
        own = view.own.hand | view.own.given[0] | view.own.given[1] | view.own.given[2]
        if own & bit_of(mate_of(card)) == NONE:
            cost += options.value[GIVE_MATE] * bonus_of(view.rules, card // 6)
    return cost


@kernel
def basic_exchange(view, legal, rng, options):
    """Part with the two cards, or the second one, without which the hand promises most."""
    rules = view.rules
    kind = kind_of(rules, True)
    hand = view.own.hand
    worth = np.empty(4)
    for suit in range(4):
        worth[suit] = suit_estimate(rules, kind, suit, ranks_in(hand, suit))
    size = popcount(hand)
    single = size == (TWO_HAND if rules.hand == TWO_HAND else np.int64(rules.hand) + 1) + 1
    best = -1e18
    choice = np.int64(0)
    rest = legal
    while rest:
        first = np.int64(lowest(rest))
        rest &= rest - ONE
        suit = first // 6
        left = hand & ~bit_of(first)
        change = suit_estimate(rules, kind, suit, ranks_in(left, suit)) - worth[suit]
        change -= _part_with(view, first, options)
        if single:
            if change > best:
                best = change
                choice = first
            continue
        others = left & ~(bit_of(first) - ONE)  # the lower one goes first
        while others:
            second = np.int64(lowest(others))
            others &= others - ONE
            more = second // 6
            after_both = left & ~bit_of(second)
            total = change - _part_with(view, second, options)
            total += suit_estimate(rules, kind, more, ranks_in(after_both, more))
            total -= suit_estimate(rules, kind, more, ranks_in(left, more))
            if total > best:
                best = total
                choice = first
    return choice


@kernel
def basic_raise(view, legal, rng, options):
    """Raise to what brings most on average."""
    rules = view.rules
    kind = kind_of(rules, True)
    expected, spread = estimate(rules, kind, view.own.hand)
    expected += options.value[BOLD]
    best = written(np.int64(view.common.high), expected, spread)
    choice = np.int64(PASS)
    raises = legal & ~bit_of(PASS)
    while raises:
        action = np.int64(lowest(raises))
        raises &= raises - ONE
        value = written(bid_value(rules, action), expected, spread)
        if value > best:
            best = value
            choice = action
    return choice


# -- the tricks --------------------------------------------------------------------------------------------------


@kernel
def _has_none(chance, count):
    """Return the chance that none of some cards is in a hand in which each is with a chance."""
    result = 1.0
    for _ in range(count):
        result *= 1.0 - chance
    return result


@kernel
def _stands(view, card, trump, unseen, steps):
    """Return the chance that a player so many places on, who has yet to play, does not beat a card.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    card : int
        The card that wins so far.
    trump : int
        The trump suit, which an announcement may just have made; -1 for none.
    unseen : uint64
        The cards whose place is not seen.
    steps : int
        How many places on.
    """
    common = view.common
    public = view.public[steps]
    led = np.int64(common.led) // 6 if common.led >= 0 else card // 6
    suit = card // 6
    share = min(1.0, held_by(view, steps) / max(1, popcount(unseen)))
    open_to = unseen & ~public.absent
    stands = 1.0
    if suit == led:
        stands = _has_none(share, popcount(open_to & ORDERS[0].above[card]))
    if trump < 0 or led == trump:
        return stands
    higher = open_to & suit_mask(trump)
    if suit == trump:
        higher &= ORDERS[0].above[card]
    count = popcount(higher)
    if count == 0:
        return stands
    void = _has_none(share, popcount(open_to & suit_mask(led)))
    ruffs = void * (1.0 - _has_none(share, count))
    if suit == trump:
        return 1.0 - ruffs
    return max(0.0, stands - ruffs)


@kernel
def _later(view, card, trump, unseen, from_steps, to_steps):
    """Return the chance that nobody who has yet to play beats a card."""
    chance = 1.0
    for steps in range(from_steps, to_steps):
        chance *= _stands(view, card, trump, unseen, steps)
    return chance


@kernel
def _kept(view, card, trump, unseen, value):
    """Return what a card in the hand is worth for later."""
    rules = view.rules
    worth = 0.0
    if unseen & ORDERS[0].above[card] == NONE:
        worth = value[KEEP_TOP] * (value_of(card) + OTHERS_ADD)
    if card // 6 == trump:
        worth += value[KEEP_TRUMP]
    if PAIR >> np.uint64(card % 6) & ONE:
        mate = bit_of(mate_of(card))
        if view.own.hand & mate:
            worth += value[KEEP_PAIR] * bonus_of(rules, card // 6)
        elif view.common.stock > 0 and unseen & mate:
            worth += value[KEEP_MATE] * bonus_of(rules, card // 6)
    return worth


@kernel
def basic_play(view, legal, rng, options):
    """Lead or follow with the card that promises most."""
    unseen = unseen_cards(view)
    if view.common.led < 0:
        return _lead(view, legal, unseen, options.value)
    return _follow(view, legal, unseen, options.value)


@kernel
def _lead(view, legal, unseen, value):
    rules = view.rules
    players = np.int64(rules.players)
    now = np.int64(view.common.trump)
    hand = view.own.hand
    # a king or queen with its mate is led only as a marriage
    rest = legal & ~(pairs_in(hand))
    chances = np.empty(2 * ANNOUNCE)
    sure = False
    actions = rest
    while actions:
        action = np.int64(lowest(actions))
        actions &= actions - ONE
        announced = action >= ANNOUNCE
        card = action - ANNOUNCE if announced else action
        trump = card // 6 if announced else now
        chances[action] = _later(view, card, trump, unseen, 1, players)
        if not announced and chances[action] > 0.99:
            sure = True
    best = -1e18
    choice = np.int64(lowest(rest))
    while rest:
        action = np.int64(lowest(rest))
        rest &= rest - ONE
        announced = action >= ANNOUNCE
        card = action - ANNOUNCE if announced else action
        suit = card // 6
        trump = suit if announced else now
        points = value_of(card)
        chance = chances[action]
        score = chance * (points + OTHERS_ADD * (players - 1) + value[LEAD])
        score -= (1.0 - chance) * value[LOSS] * (points + OTHERS_ADD)
        score += value[LONG] * popcount(ranks_in(hand, suit))
        if suit == trump:
            score += chance * value[DRAW] * popcount(ranks_in(unseen, suit))
        if announced:
            score += -value[CASH] if sure else bonus_of(rules, suit)
        else:
            score -= (1.0 - chance) * _kept(view, card, trump, unseen, value)
        if score > best:
            best = score
            choice = action
    return choice


@kernel
def _follow(view, legal, unseen, value):
    rules = view.rules
    common = view.common
    players = np.int64(rules.players)
    trump = np.int64(common.trump)
    order = ORDERS[trump + 1]
    lying = 0
    for player in range(players):
        if common.table[player] >= 0:
            lying += value_of(common.table[player])
    left = players - np.int64(common.count)  # this player and those after him
    ahead = np.int64(common.ahead)
    ours = common.declarer >= 0 and ahead != common.declarer and view.seat != common.declarer
    held = 0.0
    if ours:
        held = _later(view, np.int64(common.best), trump, unseen, 1, left)
    pairs = pairs_in(view.own.hand)
    lead = value[LEAD]
    while pairs:
        lead += 0.25 * bonus_of(rules, np.int64(lowest(pairs)) // 6)
        pairs &= pairs - ONE
        pairs &= pairs - ONE
    best = -1e18
    choice = np.int64(lowest(legal))
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        points = value_of(card)
        if beats(order, card, np.int64(common.best)):
            chance = _later(view, card, trump, unseen, 1, left)
            score = chance * (lying + points + lead) - (1.0 - chance) * value[LOSS] * (lying + points)
        elif ours:
            score = (held * value[PARTNER] - (1.0 - held) * value[LOSS]) * (lying + points)
        else:
            score = -value[LOSS] * (lying + points)
        score -= _kept(view, card, trump, unseen, value)
        if score > best:
            best = score
            choice = card
    return choice


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    usual = USUAL[0] if has_auction(view.rules) else USUAL_STOCK[0]
    if part == PLAYING - PLAYING:
        return basic_play(view, legal, rng, usual)
    if part == BIDDING - PLAYING:
        return basic_bid(view, legal, rng, usual)
    if part == EXCHANGING - PLAYING:
        return basic_exchange(view, legal, rng, usual)
    if part == RAISING - PLAYING:
        return basic_raise(view, legal, rng, usual)
    if part == LOOKING - PLAYING:
        return basic_look(view, legal, rng, usual)
    return basic_packet(view, legal, rng, usual)
