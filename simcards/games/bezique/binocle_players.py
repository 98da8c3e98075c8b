"""How a sensible club player plays binocle.

What he holds is worth the melds that can still come of it: their values times the chance to draw what is missing, and
nothing for a meld that lies wholly on the table, since each needs a fresh card from the hand. A card is played, and a
meld scored, for what it brings and for what it leaves of these hopes.
"""

from __future__ import annotations

import math

import numpy as np

from simcards.games.bezique.binocle_melds import (
    BINOCLE,
    CARDS,
    EIGHT,
    GRAND,
    PAIR,
    TRIPLE,
    action_value,
    held_twice,
    is_open,
    laid_by,
    meldable,
)
from simcards.games.bezique.counted import card_points
from simcards.games.bezique.endgame import trick_value
from simcards.games.bezique.frame import (
    JACK_OF_DIAMONDS,
    ONE,
    QUEEN_OF_SPADES,
    SEVEN,
    TABLE,
    TYPES,
    bit_of,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.ledger import (
    A_BEZIQUE,
    A_FOUR,
    A_MARRIAGE,
    A_SEQUENCE,
    A_TRUMP_FOUR,
    EXCHANGE,
    FOUR,
    MARRIAGE,
    PASS,
    SEQUENCE,
)
from simcards.games.bezique.one_pack import better_cards
from simcards.games.bezique.playout import play_known
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import OPTIONS
from simcards.kernel.rng import bounded, uniform

# The numbers were found by matches on the same deals, one at a time
PARAMETERS = (
    Parameter("margin", 0, "points beyond the goal that he wants to have reckoned before he claims", -1000, 1000),
    Parameter("slip", 0, "points by which he may misreckon his cards either way, each time anew", 0, 1000),
    Parameter("looks", 0.0, "chance that he looks at old tricks when asked for a claim (`looking=yes`)", 0, 1),
    Parameter("patience", 0.8, "how far he trusts to score later what he holds when he chooses a meld", 0, 2),
    Parameter("later", 0.75, "how far he counts on melds that are still to come when he plays a card", 0, 2),
    Parameter("plenty", 2.5, "draws that are time enough for what he holds", 0, 100),
    Parameter("will", 0.5, "how surely the other takes a trick with a card that can", 0, 10),
    Parameter("lead", 3.0, "points that winning a trick is worth when no meld lies ready", 0, 100),
    Parameter("haste", 0.05, "part of a ready meld that a trick is worth while there is time", 0, 1),
    Parameter("keep", 1.0, "how much he saves high cards for the last tricks", 0, 10),
    Parameter("trumps", 22.0, "points that he thinks a trump is worth in the last tricks", 0, 100),
    Parameter("greed", 1.0, "points that a point in cards is worth to him while the stock lasts", 0, 10),
)
(MARGIN, SLIP, LOOKS, PATIENCE, LATER, PLENTY, WILL, LEAD, HASTE, KEEP, TRUMPS, GREED) = range(len(PARAMETERS))
# What a search takes, which has parameters of its own
USUAL = np.zeros(1, OPTIONS)
USUAL["value"][0, : len(PARAMETERS)] = [parameter.default for parameter in PARAMETERS]

STRENGTH = np.array([0.0, 0.2, 0.5, 1.0, 1.5, 2.0, 6.0, 10.0])  # worth of a card for later tricks, by rank

NONE = np.uint64(0)


@kernel
def basic_claim(view, legal, rng, options):
    """Claim as soon as the goal is reckoned with the margin; look at old tricks for curiosity alone."""
    looks = options.value[LOOKS]
    if legal & np.uint64(4) and looks > 0.0 and uniform(rng) < looks:
        return 2
    reckoned = np.int64(view.public[0].points + view.pile[0])
    slip = np.int64(options.value[SLIP])
    if slip > 0:
        reckoned += bounded(rng, 2 * slip + 1) - slip
    return np.int64(reckoned >= view.goal + options.value[MARGIN])


@kernel
def holding(view):
    """Return what the player has for melds, as masks of types.

    Returns
    -------
    tuple of uint64
        In the hand once or more, and twice; on the table and open to a marriage, the sequence, a four, a single
        binocle, a double or grand, and an eight.
    """
    public = view.public[0]
    marriage = sequence = four = single = upper = eight = NONE
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        bit = bit_of(np.int64(slot.type))
        if is_open(slot.used, A_MARRIAGE, 1):
            marriage |= bit
        if is_open(slot.used, A_SEQUENCE, 1):
            sequence |= bit
        if is_open(slot.used, A_FOUR, 1):
            four |= bit
        if is_open(slot.used, A_BEZIQUE, 1):
            single |= bit
        if is_open(slot.used, A_BEZIQUE, 2):
            upper |= bit
        if is_open(slot.used, A_TRUMP_FOUR, 1):
            eight |= bit
    return view.own.mask, held_twice(view.own), marriage, sequence, four, single, upper, eight


@kernel
def unseen_copies(view):
    """Return what the player cannot locate: types with a copy or more, types with two, and how many cards."""
    once = NONE
    twice = NONE
    count = 0
    other = view.public[1]
    lying = np.zeros(TYPES, np.int64)
    for side in range(2):
        public = view.public[side]
        for i in range(np.int64(public.laid)):
            lying[public.table[i].type] += 1
    if view.common.stock > 0:
        lying[view.common.turn_up] += 1
    for card in range(TYPES):
        copies = view.rules.packs - view.common.seen[card] - view.own.hand[card] - other.shown[card] - lying[card]
        if copies > 0:
            once |= bit_of(card)
            count += copies
        if copies > 1:
            twice |= bit_of(card)
    return once, twice, count


@kernel
def drawing(view, unseen):
    """Return the chance to draw a card of which one copy, and of which two copies are unseen."""
    _, _, count = unseen
    draws = np.int64(view.common.stock) // 2
    if count < 2:
        return 0.0, 0.0
    single = min(1.0, draws / count)
    return single, 1.0 - (1.0 - single) * (1.0 - min(1.0, draws / (count - 1)))


@kernel
def coming(needed, hand, table, fresh, once, twice, chances):
    """Return the chance that the cards of a meld come together with one of them in the hand."""
    missing = needed & ~(hand | table)
    if missing & ~once:
        return 0.0
    chance = 1.0
    if missing == NONE:
        if needed & hand or not fresh:
            return 1.0
        rest = needed & once  # a fresh copy of any of them
        while rest:
            bit = rest & (~rest + ONE)
            rest ^= bit
            chance *= 1.0 - chances[1 if twice & bit else 0]
        return 1.0 - chance
    while missing:
        bit = missing & (~missing + ONE)
        missing ^= bit
        chance *= chances[1 if twice & bit else 0]
    return chance


@kernel
def hopes(view, have, unseen, chances):
    """Return what the melds that can still come of a holding are worth, in points times chances."""
    hand, double, marriage, sequence, four, single, upper, eight = have
    once, twice, _ = unseen
    rules = view.rules
    trump = np.int64(view.common.trump)
    fresh = rules.fresh != 0
    total = 0.0
    for suit in range(4):
        needed = CARDS[np.uint64(MARRIAGE + suit)]
        if needed & (hand | marriage):
            value = rules.royal_marriage if suit == trump else rules.marriage
            total += value * coming(needed, hand, marriage, fresh, once, twice, chances)
    needed = CARDS[np.uint64(SEQUENCE + trump)]
    total += rules.royal_sequence * coming(needed, hand, sequence, fresh, once, twice, chances)
    for action in range(FOUR, FOUR + 4):
        needed = CARDS[np.uint64(action)]
        value = action_value(rules, action, trump)
        total += value * coming(needed, hand, four, fresh, once, twice, chances)
        # an eight needs every copy there is
        copies = popcount(needed & hand) + popcount(needed & double) + popcount(needed & eight)
        left = popcount(needed & once) + popcount(needed & twice)
        if copies >= 5 and copies + left >= 8 and needed & hand:
            total += action_value(rules, action + EIGHT - FOUR, trump) * chances[0] ** (8 - copies)
    total += rules.binocle * coming(PAIR, hand, single, fresh, once, twice, chances)
    if PAIR & (hand | upper) == PAIR:
        chance = 1.0
        for card in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS):
            bit = bit_of(card)
            copies = popcount(bit & hand) + popcount(bit & double) + popcount(bit & upper)
            if copies < 2:
                chance *= (chances[1] if twice & bit else chances[0]) if once & bit else 0.0
        if chance < 1.0 or PAIR & hand:
            total += rules.double_binocle * chance
    if rules.grand_binocle:
        total += rules.grand_value * coming(TRIPLE, hand, upper, fresh, once, twice, chances)
    return total


@kernel
def after_playing(have, card, on_table):
    """Return a holding without a card; of two copies on the table the other is left out of account."""
    hand, double, marriage, sequence, four, single, upper, eight = have
    gone = bit_of(card)
    left = ~gone
    if not on_table:
        return hand & (left | double), double & left, marriage, sequence, four, single, upper, eight
    return hand, double, marriage & left, sequence & left, four & left, single & left, upper & left, eight & left


@kernel
def after_meld(have, action, laid):
    """Return a holding in which a meld has been scored and has laid some types from the hand."""
    hand, double, marriage, sequence, four, single, upper, eight = have
    cards = CARDS[np.uint64(action)]
    hand &= ~laid | double
    double &= ~laid
    marriage |= laid
    sequence |= laid
    four |= laid
    single |= laid
    upper |= laid
    eight |= laid
    if action < SEQUENCE:
        marriage &= ~cards
    elif action < BINOCLE:
        marriage &= ~cards
        sequence &= ~cards
    elif action < FOUR or action == GRAND:
        single &= ~cards
        if action != BINOCLE:
            upper &= ~cards
    else:
        four &= ~cards
        if action >= EIGHT:
            eight &= ~cards
    return hand, double, marriage, sequence, four, single, upper, eight


@kernel
def time_left(view, options):
    """Return how far there is time for all that is held, from 0 to 1."""
    draws = np.float64(view.common.stock // 2 - 1)
    return draws / max(draws, options.value[PLENTY], 1.0)


@kernel
def strength(view, card, options):
    """Return what a card is worth for the last tricks, and a dix that has not scored."""
    trump = np.int64(view.common.trump)
    worth = options.value[KEEP] * STRENGTH[np.uint64(rank_of(card))]
    if suit_of(card) == trump:
        worth += options.value[TRUMPS]
        if (
            rank_of(card) == SEVEN + view.rules.lowest - 7
            and view.own.hand[card] > view.common.scored_sevens[view.seat]
        ):
            worth += view.rules.dix
    return worth


@kernel
def ready(view, melds):
    """Return the value of the best meld that lies ready."""
    best = 0
    rest = melds & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        best = max(best, action_value(view.rules, action, np.int64(view.common.trump)))
    return best


@kernel
def lead_wins(view, card, unseen, will):
    """Return the chance that a led card wins while the stock lasts, `will` as in the games with one pack."""
    once, twice, count = unseen
    better = better_cards(card, np.int64(view.common.trump))
    other = view.public[1]
    beaters = np.float64(popcount(better & other.table_mask))
    hidden = np.int64(other.cards)
    for known in range(TYPES):
        if other.shown[known]:
            hidden -= other.shown[known]
            if better & bit_of(known):
                beaters += other.shown[known]
    if count > 0:
        beaters += (popcount(better & once) + popcount(better & twice)) * hidden / count
    return math.exp(-will * beaters)


@kernel
def basic_declare(view, legal, rng, options):
    """Score the meld that brings most with what it leaves; announce a dix as soon as it costs nothing."""
    if legal == ONE:
        return PASS
    if view.rules.dix_with_meld and (legal >> np.uint64(EXCHANGE)) & ONE:
        return EXCHANGE
    have = holding(view)
    unseen = unseen_copies(view)
    chances = drawing(view, unseen)
    trust = options.value[PATIENCE] * time_left(view, options)
    best = trust * hopes(view, have, unseen, chances)
    choice = PASS
    trump = np.int64(view.common.trump)
    rest = legal & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        if action == EXCHANGE:
            value = view.rules.dix + options.value[KEEP] * STRENGTH[np.uint64(rank_of(view.common.turn_up))]
            value += trust * hopes(view, have, unseen, chances)
        else:
            laid = laid_by(view.rules, view.own, view.public[0], action)
            value = action_value(view.rules, action, trump)
            value += trust * hopes(view, after_meld(have, action, laid), unseen, chances)
        if value >= best:
            best = value
            choice = action
    return choice


@kernel
def basic_lay(view, legal, rng, options):
    """Lay the card from the hand that leaves the most."""
    have = holding(view)
    unseen = unseen_copies(view)
    chances = drawing(view, unseen)
    best = -1.0
    choice = lowest(legal)
    rest = legal
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        value = hopes(view, after_meld(have, np.int64(view.choice.declared), bit_of(card)), unseen, chances)
        if value > best:
            best = value
            choice = card
    return choice


@kernel
def basic_play(view, legal, rng, options):
    """Play a card: what it is needed for against what the trick brings."""
    prices = np.empty(8)
    for rank in range(8):
        prices[rank] = card_points(view.rules, rank)
    if view.common.stock == 0:
        return play_known(view, legal, prices, np.float64(view.rules.last_trick))
    prices *= options.value[GREED]
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    have = holding(view)
    unseen = unseen_copies(view)
    chances = drawing(view, unseen)
    left = np.int64(view.common.stock) // 2
    melds = meldable(view.rules, view.own, view.public[0], trump)
    stake = options.value[LEAD] + min(1.0, options.value[HASTE] + 1.0 / left) * ready(view, melds)
    later = options.value[LATER] * min(1.0, left / max(1.0, options.value[PLENTY]))
    whole = later * hopes(view, have, unseen, chances)
    best = -1e9
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        card = action & (TABLE - 1)
        score = -strength(view, card, options)
        if led < 0:
            wins = lead_wins(view, card, unseen, options.value[WILL])
            score += wins * stake + (2.0 * wins - 1.0) * prices[np.uint64(rank_of(card))]
        elif reply_wins(led, card, trump):
            score += stake + trick_value(led, card, prices)
        else:
            score -= trick_value(led, card, prices)
        if score > best:  # a card less is never worth more
            score -= whole - later * hopes(view, after_playing(have, card, action >= TABLE), unseen, chances)
            if score > best:
                best = score
                choice = action
    return choice
