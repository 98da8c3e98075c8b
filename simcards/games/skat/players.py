"""How a sensible club player plays the tricks of skat.

With trumps or in grand he weighs the chance that a card wins the trick for his side, what lies in it, and what the card
would still be good for. A null is played by rules of its own: the declarer ducks as high as he can, the others
stay below him.
"""

from __future__ import annotations

import numpy as np

from simcards.games.skat.bidders import (
    BIDDING_HABITS,
    basic_bid,
    basic_declare,
    basic_discard,
    basic_skat,
)
from simcards.games.skat.frame import (
    ACE,
    BIDDING,
    DISCARDING,
    NONE,
    NULL,
    ONE,
    ORDERS,
    PLAYERS,
    PLAYING,
    TAKING,
    TEN,
    VIEW,
    bit_of,
    following,
    gone,
    ranks_in,
    value_of,
)
from simcards.games.skat.worlds import held_by, unseen_cards
from simcards.games.strategy import Parameter, usual_options
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements
from simcards.kernel.tricks import beats

LOSS, LOSS_DEFENDING, LEAD, DRAW, KEEP_TOP, KEEP_TOP_DEFENDING, KEEP_TRUMP, SMEAR, LONG, LEAD_TRUMP, GUARD, VOID = (
    range(4, 16)
)
HABITS = (
    *BIDDING_HABITS,
    ("loss", 1.0, "weight of points lost in a trick against points won, for the declarer", 0, 10),
    ("loss_defending", 2.0, "the same for his opponents", 0, 10),
    ("lead", 0.4, "points that it is worth to have the lead", -20, 100),
    ("draw", 3.0, "points for each trump that the others may have, when the declarer leads one", -50, 50),
    ("keep_top", 0.7, "share of its points that his highest card left of a suit is worth for later", 0, 10),
    ("keep_top_defending", 1.45, "the same for his opponents", 0, 10),
    ("keep_trump", 10.0, "points that a trump is worth for later", 0, 100),
    ("smear", 4.0, "points expected from a partner who has yet to play to a trick of the own side", 0, 20),
    (
        "long",
        0.7,
        "points for each card of a suit led when the declarer comes next; taken off when he is last",
        -50,
        50,
    ),
    ("lead_trump", 6.0, "points taken off a defender's lead of trumps", -50, 50),
    ("guard", 0.8, "points that it costs to leave a ten alone", 0, 50),
    ("void", 2.0, "points for having no more of a side suit", -50, 50),
)
PARAMETERS = tuple(Parameter(name, usual, doc, low, high) for name, usual, doc, low, high in HABITS)
USUAL = usual_options(PARAMETERS)
OTHERS_ADD = 2.0  # points that an opponent adds to a trick


@kernel
def _has_none(chance, count):
    """Return the chance that none of some cards is in a hand in which each is with a chance."""
    result = 1.0
    for _ in range(count):
        result *= 1.0 - chance
    return result


@kernel
def _beaten(view, card, led, unseen, player):
    """Return the chance that a player who has yet to play can beat a card that wins so far.

    Parameters
    ----------
    view : VIEW
        What the player asking knows.
    card : int
        The card.
    led : int
        The suit led.
    unseen : uint64
        The cards whose place is not seen.
    player : int
        Who may beat it.
    """
    common = view.common
    order = ORDERS[common.game]
    trump = np.int64(order.trump)
    suit = np.int64(order.suit[card])
    if common.shown and player == common.declarer:
        hand = common.shown & ~gone(common)
        if hand & order.cards[led]:
            hand &= order.cards[led]
        higher = hand & order.above[card]
        if suit != trump and trump >= 0:
            higher |= hand & order.cards[trump]
        return 1.0 if higher else 0.0
    share = min(1.0, held_by(common, player) / max(1, popcount(unseen)))
    open_to = unseen & ~common.absent[player]
    chance = 0.0
    if suit == led:
        chance = 1.0 - _has_none(share, popcount(open_to & order.above[card]))
    if trump < 0 or led == trump:
        return chance
    higher = open_to & order.cards[trump]
    if suit == trump:
        higher &= order.above[card]
    count = popcount(higher)
    if count == 0:
        return chance
    void = _has_none(share, popcount(open_to & order.cards[led]))
    return min(1.0, chance + void * (1.0 - _has_none(share, count)))


@kernel
def _ours(view, card, unseen):
    """Return the chance that the own side gets the trick after a card, and whether a partner has yet to play."""
    common = view.common
    order = ORDERS[common.game]
    me = np.int64(view.seat)
    alone = me == common.declarer
    best = card
    holder = me
    led = np.int64(order.suit[card])
    if common.led >= 0:
        led = np.int64(order.suit[common.led])
        if not beats(order, card, np.int64(common.best)):
            best = np.int64(common.best)
            holder = np.int64(common.ahead)
    chance = 1.0 if holder == me or (not alone and holder != common.declarer) else 0.0
    partner = False
    player = me
    for _ in range(2 - common.count):
        player = following(common, view.rules, player)
        beaten = _beaten(view, best, led, unseen, player)
        if alone or player == common.declarer:
            chance *= 1.0 - beaten
        else:
            partner = True
            chance += (1.0 - chance) * beaten
    return chance, partner


@kernel
def _kept(view, card, unseen, value):
    """Return what a card in the hand is worth for later."""
    common = view.common
    order = ORDERS[common.game]
    suit = np.int64(order.suit[card])
    worth = 0.0
    top = unseen & order.above[card] == NONE
    if suit == order.trump:
        worth = value[KEEP_TRUMP]
        if top and unseen & order.cards[suit]:
            worth += 0.5 * value[KEEP_TRUMP]
        return worth
    if top:
        alone = view.seat == common.declarer
        worth = value[KEEP_TOP if alone else KEEP_TOP_DEFENDING] * (value_of(card) + OTHERS_ADD)
    held = ranks_in(view.own.hand, suit)
    rank = card & 7
    count = popcount(held)
    if count == 2 and rank < TEN and (held >> np.uint64(TEN)) & ONE and (unseen >> np.uint64(8 * suit + ACE)) & ONE:
        worth += value[GUARD]
    elif count == 1 and not top:
        worth -= value[VOID]
    return worth


@kernel
def basic_play(view, legal, rng, options):
    """Lead or follow with the card that promises most."""
    if view.common.game == NULL:
        if view.seat == view.common.declarer:
            return _duck(view, legal)
        return _catch(view, legal)
    common = view.common
    value = options.value
    order = ORDERS[common.game]
    unseen = unseen_cards(view)
    alone = view.seat == common.declarer
    lying = 0
    for player in range(PLAYERS):
        if common.table[player] >= 0:
            lying += value_of(common.table[player])
    left = 2 - np.int64(common.count)
    next_player = following(common, view.rules, np.int64(view.seat))
    trumps_out = popcount(unseen & order.cards[order.trump])
    best = -1e18
    choice = np.int64(lowest(legal))
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        points = lying + value_of(card)
        chance, partner = _ours(view, card, unseen)
        gained = points + (value[SMEAR] if partner else 0.0) + OTHERS_ADD * (left - (1 if partner else 0))
        lost = points + OTHERS_ADD * left
        score = chance * gained - (1.0 - chance) * value[LOSS if alone else LOSS_DEFENDING] * lost
        if common.led < 0 or beats(order, card, np.int64(common.best)):
            score += chance * value[LEAD]
        suit = np.int64(order.suit[card])
        if common.led < 0:
            if suit == order.trump:
                if alone:
                    score += value[DRAW] * trumps_out
                    if trumps_out:
                        score += 0.5 * value[KEEP_TRUMP]
                else:
                    score -= value[LEAD_TRUMP]
            elif not alone:
                length = popcount(view.own.hand & order.cards[suit])
                score += value[LONG] * length * (1 if next_player == common.declarer else -1)
        score -= _kept(view, card, unseen, value)
        if score > best:
            best = score
            choice = card
    return choice


# -- null --------------------------------------------------------------------------------------------------------


@kernel
def _height(card):
    return np.int64(ORDERS[NULL].power[card])


@kernel
def _danger(view, suit):
    """Return how likely a suit makes a trick for the declarer of a null: how far it stands above a safe one."""
    order = ORDERS[NULL]
    held = view.own.hand & order.cards[suit]
    out = unseen_cards(view) & order.cards[suit]
    if out == NONE:
        return 0.0
    total = 0.0
    place = 0
    rest = held
    while rest:
        card = _lowest(rest)
        rest &= ~bit_of(card)
        lower = popcount(out & ~order.above[card])
        total += max(0, lower - place)
        place += 1
    return total + 0.01 * popcount(held)


@kernel
def _lowest(cards):
    """Return the lowest of some cards in a null."""
    best = np.int64(lowest(cards))
    rest = cards
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        if _height(card) < _height(best):
            best = card
    return best


@kernel
def _highest(cards):
    """Return the highest of some cards in a null."""
    best = np.int64(lowest(cards))
    rest = cards
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        if _height(card) > _height(best):
            best = card
    return best


@kernel
def _duck(view, legal):
    """Play a card as the declarer of a null."""
    common = view.common
    order = ORDERS[NULL]
    if common.led >= 0:
        best = np.int64(common.best)
        suit = np.int64(order.suit[common.led])
        if legal & order.cards[suit]:
            under = legal & ~order.above[best]
            if under:
                return _highest(under)
            if common.count == 1:
                return _lowest(legal)  # one may still come above it
            return _highest(legal)
        # from the suit that is most dangerous the highest card
        return _worst_card(view, legal)
    # lead what is surely beaten
    unseen = unseen_cards(view)
    choice = _lowest(legal)
    fewest = 1e9
    for suit in range(4):
        held = legal & order.cards[suit]
        if held:
            card = _lowest(held)
            out = unseen & order.cards[suit]
            above = popcount(out & order.above[card])
            risk = popcount(out) - above + (100.0 if above == 0 else 0.0)
            if risk < fewest:
                fewest = risk
                choice = card
    return choice


@kernel
def _worst_card(view, legal):
    order = ORDERS[NULL]
    choice = _highest(legal)
    most = -1.0
    for suit in range(4):
        held = legal & order.cards[suit]
        if held:
            danger = _danger(view, suit)
            if danger > most:
                most = danger
                choice = _highest(held)
    return choice


@kernel
def _catch(view, legal):
    """Play a card against a null."""
    common = view.common
    order = ORDERS[NULL]
    declarer = np.int64(common.declarer)
    if common.led < 0:
        return _lead_low(view, legal)
    suit = np.int64(order.suit[common.led])
    if legal & order.cards[suit] == NONE:
        return _part_with(view, legal)
    best = np.int64(common.best)
    if common.table[declarer] < 0:
        return _lowest(legal)  # he has yet to play
    under = legal & ~order.above[best]
    if common.ahead == declarer:
        return _highest(under) if under else _highest(legal)
    return _highest(legal)  # nothing is to be caught in this trick, so the high cards go


@kernel
def _lead_low(view, legal):
    """Lead a low card from a suit of which the declarer may have cards that are not lower."""
    common = view.common
    order = ORDERS[NULL]
    unseen = unseen_cards(view) | (common.shown & ~gone(common))
    open_to = unseen & ~common.absent[common.declarer]
    if common.shown:
        open_to = common.shown & ~gone(common)
    choice = _lowest(legal)
    most = -1e9
    for suit in range(4):
        held = legal & order.cards[suit]
        if held == NONE:
            continue
        card = _lowest(held)
        theirs = open_to & order.cards[suit]
        score = -10.0
        if theirs:
            above = popcount(theirs & order.above[card])
            score = (above - (popcount(theirs) - above)) - 0.6 * popcount(held)
        if score > most:
            most = score
            choice = card
    return choice


@kernel
def _part_with(view, legal):
    """Throw the highest card of the shortest suit."""
    order = ORDERS[NULL]
    choice = _highest(legal)
    fewest = 100
    for suit in range(4):
        held = legal & order.cards[suit]
        if held and popcount(held) < fewest:
            fewest = popcount(held)
            choice = _highest(held)
    return choice


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search, so the usual habits serve
    usual = USUAL[0]
    if part == PLAYING - PLAYING:
        return basic_play(view, legal, rng, usual)
    if part == BIDDING - PLAYING:
        return basic_bid(view, legal, rng, usual)
    if part == TAKING - PLAYING:
        return basic_skat(view, legal, rng, usual)
    if part == DISCARDING - PLAYING:
        return basic_discard(view, legal, rng, usual)
    return basic_declare(view, legal, rng, usual)
