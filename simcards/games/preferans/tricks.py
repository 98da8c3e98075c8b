"""How a sensible club player plays the cards of preferans: for tricks, for none, and against a misère."""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.frame import (
    ALL_PASS,
    CHAIRS,
    NO_TRICK,
    NONE,
    ONE,
    ORDERS,
    next_chair,
    ranks_in,
    suit_mask,
)
from simcards.games.preferans.hands import DANGER, MISERE_TABLE
from simcards.games.preferans.worlds import held_by, unseen_cards
from simcards.kernel.bits import highest, lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import beats

LOSE, DRAW, KEEP, KEEP_TRUMP, LONG = range(7, 12)
FADES = 0.5  # what a card is worth for later, by each higher one that is out


@kernel
def _hand_of(view, chair):
    """Return the cards of a chair that the player sees, his own or open ones."""
    return view.own.hand if chair == view.chair else view.public[chair].exposed


@kernel
def _is_seen(view, chair):
    return chair == view.chair or view.public[chair].exposed != NONE


@kernel
def _none_of(share, count):
    """Return the chance that none of some cards is in a hand that holds each with a chance."""
    result = 1.0
    for _ in range(count):
        result *= 1.0 - share
    return result


@kernel
def _stands(view, card, led, trump, unseen, chair):
    """Return the chance that a chair that has yet to play does not beat a card."""
    order = ORDERS[trump + 1]
    suit = card // 8
    higher = order.above[card]
    if _is_seen(view, chair):
        hand = _hand_of(view, chair)
        following = hand & suit_mask(led)
        if following:
            return 0.0 if suit == led and following & higher else 1.0
        if trump < 0 or led == trump:
            return 1.0
        trumps = hand & suit_mask(trump)
        return 0.0 if (trumps if suit != trump else trumps & higher) else 1.0
    open_to = unseen & ~view.public[chair].absent
    share = min(1.0, held_by(view, chair) / max(1, popcount(unseen)))
    stands = 1.0
    if suit == led:
        stands = _none_of(share, popcount(open_to & higher))
    if trump < 0 or led == trump:
        return stands
    over = open_to & suit_mask(trump)
    if suit == trump:
        over &= higher
    ruffs = _none_of(share, popcount(open_to & suit_mask(led))) * (1.0 - _none_of(share, popcount(over)))
    return max(0.0, stands - ruffs)


@kernel
def _are_partners(view, one, other):
    """Return whether two chairs play together."""
    if view.common.kind == ALL_PASS:
        return False
    return (one == view.common.declarer) == (other == view.common.declarer)


@kernel
def _wins(view, card, led, trump, unseen, chair, later):
    """Return the chance that no opponent among so many chairs that have yet to play beats a card."""
    chance = 1.0
    for steps in range(1, later + 1):
        other = next_chair(chair, steps)
        if not _are_partners(view, chair, other):
            chance *= _stands(view, card, led, trump, unseen, other)
    return chance


@kernel
def _out(view, chair, unseen):
    """Return the cards that opponents of a chair may hold."""
    cards = unseen
    for other in range(CHAIRS):
        if not _are_partners(view, chair, other) and other != chair:
            cards |= _hand_of(view, other)
    return cards


@kernel
def _later_worth(card, trump, out, value):
    """Return what a card in the hand is worth for later."""
    worth = 1.0
    for _ in range(popcount(out & ORDERS[0].above[card])):
        worth *= FADES
    return value[KEEP] * worth + (value[KEEP_TRUMP] if card // 8 == trump else 0.0) + 0.001 * (card % 8)


@kernel
def _lead_for_tricks(view, legal, chair, unseen, value):
    trump = np.int64(view.common.trump)
    declarer = chair == view.common.declarer
    out = _out(view, chair, unseen)
    hand = _hand_of(view, chair)
    best = -1e18
    choice = np.int64(lowest(legal))
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        suit = card // 8
        chance = _wins(view, card, suit, trump, unseen, chair, 2)
        later = _later_worth(card, trump, out, value)
        score = chance - (1.0 - chance) * (value[LOSE] + later) - later
        score += value[LONG] * popcount(ranks_in(hand, suit))
        if suit == trump and declarer:
            score += chance * value[DRAW] * popcount(ranks_in(out, suit))
        if score > best:
            best = score
            choice = card
    return choice


@kernel
def _follow_for_tricks(view, legal, chair, unseen, value):
    common = view.common
    trump = np.int64(common.trump)
    order = ORDERS[trump + 1]
    led = np.int64(common.led) // 8
    later = 2 - np.int64(common.count)
    out = _out(view, chair, unseen)
    ahead = np.int64(common.ahead)
    held = 0.0
    if _are_partners(view, chair, ahead):
        held = _wins(view, np.int64(common.best), led, trump, unseen, chair, later)
    best = -1e18
    choice = np.int64(lowest(legal))
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        worth = _later_worth(card, trump, out, value)
        if beats(order, card, np.int64(common.best)):
            chance = max(held, _wins(view, card, led, trump, unseen, chair, later))
            score = chance - worth - (1.0 - chance) * value[LOSE]
        else:
            score = held - worth
        if score > best:
            best = score
            choice = card
    return choice


# -- for no tricks -----------------------------------------------------------------------------------------------


@kernel
def _takes_over(view, card, unseen, chair):
    """Return the chance that a chair that has yet to play has to beat a card of the suit led."""
    suit = suit_mask(card // 8)
    higher = ORDERS[0].above[card]
    if _is_seen(view, chair):
        following = _hand_of(view, chair) & suit
        return 1.0 if following and following & ~higher == NONE else 0.0
    open_to = unseen & ~view.public[chair].absent & suit
    share = min(1.0, held_by(view, chair) / max(1, popcount(unseen)))
    lower = _none_of(share, popcount(open_to & ~higher))
    return lower * (1.0 - _none_of(share, popcount(open_to & higher)))


@kernel
def _relief(hand, card):
    """Return by how many forced tricks a hand gets safer when a card is gone."""
    suit = card // 8
    ranks = np.int64(ranks_in(hand, suit))
    return MISERE_TABLE[DANGER, ranks] - MISERE_TABLE[DANGER, ranks & ~(1 << (card % 8))]


@kernel
def _avoid(view, legal, chair, unseen):
    """Play so as to take few tricks: what is least likely to win, of those what makes the hand safer."""
    common = view.common
    hand = _hand_of(view, chair)
    best = -1e18
    choice = np.int64(lowest(legal))
    later = 2 - np.int64(common.count)
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        wins = 0.0
        leads = common.led < 0
        follows = leads or card // 8 == common.led // 8
        if follows and (common.best < 0 or (ORDERS[0].above[common.best] >> np.uint64(card)) & ONE):
            wins = 1.0
            for steps in range(1, later + 1):
                wins *= 1.0 - _takes_over(view, card, unseen, next_chair(chair, steps))
        score = 0.5 * _relief(hand, card) + 0.02 * (card % 8) - wins
        if score > best:
            best = score
            choice = card
    return choice


@kernel
def _against_misere(view, legal, chair, unseen):
    """Make the declarer of a misère take tricks: lead low where he has to go above, keep low cards."""
    common = view.common
    declarer = np.int64(common.declarer)
    partner = next_chair(chair, 1)
    if partner == declarer:
        partner = next_chair(chair, 2)
    theirs = unseen & ~view.public[declarer].absent
    mates = _hand_of(view, partner)
    best = -1e18
    choice = np.int64(lowest(legal))
    rest = legal
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        suit = suit_mask(card // 8)
        higher = ORDERS[0].above[card]
        rank = card % 8
        if common.led < 0:
            may_hold = theirs & suit
            below = popcount(may_hold & ~higher)
            above = popcount(may_hold & higher)
            mate = mates & suit
            ducks = mate == NONE or (may_hold != NONE and lowest(mate) < highest(may_hold))
            score = -1.0 if above == 0 else (1.0 if ducks else 0.3) - 0.4 * below
            score -= 0.02 * rank
        elif common.ahead == declarer:
            # leave it to him: the highest card that does not beat his
            score = 0.02 * rank
            if card // 8 == common.led // 8 and (ORDERS[0].above[common.best] >> np.uint64(card)) & ONE:
                score -= 1.0
        elif common.table[declarer] >= 0:
            score = 0.02 * rank  # he is safe: a high card goes
        elif card // 8 == common.led // 8:
            score = -0.02 * rank
        else:
            score = 0.02 * rank
        if score > best:
            best = score
            choice = card
    return choice


@kernel
def basic_play(view, legal, rng, options):
    """Play a card."""
    common = view.common
    chair = np.int64(common.turn)
    unseen = unseen_cards(view)
    if common.kind == ALL_PASS or (common.kind == NO_TRICK and chair == common.declarer):
        return _avoid(view, legal, chair, unseen)
    if common.kind == NO_TRICK:
        return _against_misere(view, legal, chair, unseen)
    if common.led < 0:
        return _lead_for_tricks(view, legal, chair, unseen, options.value)
    return _follow_for_tricks(view, legal, chair, unseen, options.value)
