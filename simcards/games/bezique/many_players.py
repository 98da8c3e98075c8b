"""How a sensible club player plays bezique for three and four.

A card is worth what the combinations lose that still need it: their values times a rough chance, which falls with each
missing card and with the stock. Partners count what both have on the table. A trick is worth the aces and tens in it
and the right to score, times the chance that those still to play do not take it, which follows from the unseen cards.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    ACE,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    SEVEN,
    TABLE,
    TEN,
    TYPES,
    bit_of,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.ledger import (
    BEZIQUE,
    EXCHANGE,
    FOUR,
    LEVEL,
    LEVELS,
    MARRIAGE,
    PASS,
    SEQUENCE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    meld_index,
    meld_value,
)
from simcards.games.bezique.many_melds import SHOW, partner_of
from simcards.games.bezique.players import brisque_value, four_value, fresh_after
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

BASIC_PARAMETERS = (
    Parameter("show", 1, "1: shows his partner the combinations that he does not score; 0: does not", 0, 1),
    Parameter("hope", 1.0, "weight of combinations that are not complete yet", 0, 10),
    Parameter("lead", 5.0, "points that winning a trick is worth when nothing lies ready to be scored", 0, 1_000),
    Parameter("trump", 14.0, "points that a trump is worth above a plain card", 0, 1_000),
    Parameter("will", 0.4, "chance that a player takes a trick with a card that can", 0, 1),
    Parameter("ready", 0.05, "part of what lies ready to be scored that a trick is worth while there is time", 0, 1),
    Parameter("strength", 0.9, "weight of the strength of a card for later tricks", 0, 10),
    Parameter("keep", 0.25, "the same in the last eight tricks, as a part of that before", 0, 10),
    Parameter("help", 0.25, "chance that a partner who has not played yet wins the trick", 0, 1),
)
USUAL = tuple(float(parameter.default) for parameter in BASIC_PARAMETERS)

# Chance that a combination still comes when so many cards are missing and there is plenty of time
HOPES = np.array([1.0, 0.4, 0.13, 0.04, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0])
STRENGTH = np.array([0.0, 0.3, 0.6, 1.4, 2.8, 4.2, 8.4, 11.0])  # worth of a card for later tricks, by rank
PLENTY = 12.0  # with so many draws left there is time for everything
SPARE = 0.15  # worth of a second copy, as a part of the hope for the combination
HASTE = 3.0  # the part of what lies ready that counts grows towards the end
BYTE = np.uint64(255)
_ALL = np.uint64(0x0101010101010101)


@kernel
def byte_of(counts, place):
    """Return one of eight counts that are kept in a uint64, eight bits each."""
    return np.int64((counts >> np.uint64(8 * place)) & BYTE)


@kernel
def one_at(place):
    """Return a one in the count at a place."""
    return ONE << np.uint64(8 * place)


@kernel
def couple(card):
    """Return the place of a king or queen in the counts of marriage cards."""
    return 2 * suit_of(card) + (rank_of(card) == KING)


@kernel
def holdings(view):
    """Return what a player and his partner's table have that is open to each kind of combination.

    Returns
    -------
    sequence : uint64
        Cards of trumps by rank that are open to a sequence, eight bits a count.
    marriage : uint64
        Kings and queens open to a marriage, see `couple`.
    four : uint64
        Cards by rank open to a four.
    queens, jacks : uint64
        Queens of spades and jacks of diamonds by the level of bezique that they have reached.
    """
    own = view.own
    trump = np.int64(view.common.trump)
    sequence = np.uint64(0)
    marriage = np.uint64(0)
    four = np.uint64(0)
    queens = np.uint64(own.hand[QUEEN_OF_SPADES])
    jacks = np.uint64(own.hand[JACK_OF_DIAMONDS])
    rest = own.mask
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        copies = np.uint64(own.hand[card])
        rank = rank_of(card)
        four += copies << np.uint64(8 * rank)
        if suit_of(card) == trump:
            sequence += copies << np.uint64(8 * rank)
        if rank == QUEEN or rank == KING:
            marriage += copies << np.uint64(8 * couple(card))
    for k in range(0, 3 if view.rules.partnership else 1, 2):
        public = view.public[k]
        for i in range(np.int64(public.laid)):
            slot = public.table[i]
            card = np.int64(slot.type)
            rank = rank_of(card)
            if slot.used & USED_FOUR == 0:
                four += one_at(rank)
            if slot.used & USED_SEQUENCE == 0:
                if suit_of(card) == trump:
                    sequence += one_at(rank)
                if slot.used & USED_MARRIAGE == 0 and (rank == QUEEN or rank == KING):
                    marriage += one_at(couple(card))
            level = np.int64(slot.used & LEVELS) // LEVEL
            if card == QUEEN_OF_SPADES:
                queens += one_at(level)
            elif card == JACK_OF_DIAMONDS:
                jacks += one_at(level)
    return sequence, marriage, four, queens, jacks


@kernel
def below(counts, level):
    """Return how many cards of a bezique have not reached a level; for the single only fresh ones count."""
    found = byte_of(counts, 0)
    for k in range(1, level):
        found += byte_of(counts, k)
    return found


@kernel
def hope(missing, time):
    """Return the chance to complete a combination that lacks `missing` cards."""
    return 1.0 if missing <= 0 else HOPES[np.uint64(min(missing, 9))] * time


@kernel
def bezique_value(rules, level):
    """Return the value of a bezique of a level."""
    return np.float64(meld_value(rules, 3 + level))


@kernel
def marriage_value(view, suit):
    """Return the value of a marriage in a suit."""
    return np.float64(view.rules.royal_marriage if suit == view.common.trump else view.rules.marriage)


@kernel
def missing_in_sequence(sequence):
    """Return how many ranks of a sequence are not there."""
    missing = 0
    for rank in range(JACK, ACE + 1):
        missing += byte_of(sequence, rank) == 0
    return missing


@kernel
def ready(view, have):
    """Return the value of the best combination that lies ready to be scored."""
    sequence, marriage, four, queens, jacks = have
    rules = view.rules
    best = 0.0
    for suit in range(4):
        if byte_of(marriage, 2 * suit) and byte_of(marriage, 2 * suit + 1):
            best = max(best, marriage_value(view, suit))
    if missing_in_sequence(sequence) == 0:
        best = max(best, np.float64(rules.royal_sequence))
    for rank in range(JACK, ACE + 1):
        if byte_of(four, rank) >= 4:
            best = max(best, np.float64(four_value(rules, rank)))
    fresh = byte_of(queens, 0) + byte_of(jacks, 0)
    for level in range(1, np.int64(rules.levels) + 1):
        if fresh and min(below(queens, level), below(jacks, level)) >= level:
            best = max(best, bezique_value(rules, level))
    return best


@kernel
def spent_marks(view, card):
    """Return what the copy of a card was scored in that leaves the table when the card is played from there."""
    used = 0
    public = view.public[0]
    for i in range(np.int64(public.laid)):
        if public.table[i].type == card:
            used = max(used, np.int64(public.table[i].used))
    return used


@kernel
def loss(view, have, card, used, time):
    """Return what the hopes lose when a copy of a card is played that was scored in `used`."""
    sequence, marriage, four, queens, jacks = have
    rules = view.rules
    rank = rank_of(card)
    suit = suit_of(card)
    total = 0.0
    if rank < JACK:
        return total
    value = np.float64(four_value(rules, rank))
    if value > 0.0 and used & USED_FOUR == 0:
        count = byte_of(four, rank)
        if count <= 4:
            total += value * (hope(4 - count, time) - hope(5 - count, time))
    if used & USED_SEQUENCE == 0:
        if suit == view.common.trump:
            value = np.float64(rules.royal_sequence)
            missing = missing_in_sequence(sequence)
            if byte_of(sequence, rank) <= 1:
                total += value * (hope(missing, time) - hope(missing + 1, time))
            else:
                total += SPARE * value * hope(missing, time)
        if used & USED_MARRIAGE == 0 and (rank == QUEEN or rank == KING):
            mine = couple(card)
            if byte_of(marriage, mine) <= 1:
                lacking = 0 if byte_of(marriage, mine ^ 1) else 1
                total += marriage_value(view, suit) * (hope(lacking, time) - hope(lacking + 1, time))
    if card == QUEEN_OF_SPADES or card == JACK_OF_DIAMONDS:
        mine, others = (queens, jacks) if card == QUEEN_OF_SPADES else (jacks, queens)
        reached = (used & LEVELS) // LEVEL
        for level in range(reached + 1, np.int64(rules.levels) + 1):
            count = below(mine, level)
            if count <= level:
                lacking = level - count + max(0, level - below(others, level))
                total += bezique_value(rules, level) * (hope(lacking, time) - hope(lacking + 1, time))
    return total


@kernel
def unseen_counts(view, unseen):
    """Write by suit how many cards of each rank may be in others' hands or tables, and return their number."""
    rules = view.rules
    total = 0
    for suit in range(4):
        unseen[suit] = np.uint64(0)
    for card in range(TYPES):
        copies = np.int64(rules.packs) - np.int64(view.common.seen[card]) - np.int64(view.own.hand[card])
        unseen[np.uint64(suit_of(card))] += np.uint64(copies) << np.uint64(8 * rank_of(card))
        total += copies
    public = view.public[0]
    for i in range(np.int64(public.laid)):
        card = np.int64(public.table[i].type)
        unseen[np.uint64(suit_of(card))] -= one_at(rank_of(card))
        total -= 1
    return total


@kernel
def sum_from(counts, rank):
    """Return the sum of the counts from a rank up."""
    if rank > ACE:
        return 0
    return np.int64(((counts >> np.uint64(8 * rank)) * _ALL) >> np.uint64(56))


@kernel
def stands(view, unseen, none_of, led, card, opponents, will):
    """Return the chance that a card that wins now is not beaten by so many opponents.

    Parameters
    ----------
    view : VIEW
        What the player knows.
    unseen : ndarray of uint64
        See `unseen_counts`.
    none_of : ndarray of float64
        By number of cards the chance that an opponent has none of them.
    led, card : int
        The lead, and the card that wins.
    opponents : int
        How many are still to play.
    will : float
        Chance that an opponent takes the trick if he can; with the stock gone he must.
    """
    if opponents == 0:
        return 1.0
    suit = suit_of(card)
    trump = np.int64(view.common.trump)
    higher = sum_from(unseen[np.uint64(suit)], rank_of(card) + 1)
    trumps = 0 if suit == trump else sum_from(unseen[np.uint64(trump)], 0)
    if view.common.draws > 0:
        chance = 1.0 - will * (1.0 - none_of[np.uint64(min(63, higher + trumps))])
    elif suit == suit_of(led):
        void = none_of[np.uint64(min(63, sum_from(unseen[np.uint64(suit)], 0)))]
        chance = none_of[np.uint64(min(63, higher))] - void * (1.0 - none_of[np.uint64(min(63, trumps))])
    else:  # a trump on another suit: overtrumped only by who is void
        void = none_of[np.uint64(min(63, sum_from(unseen[np.uint64(suit_of(led))], 0)))]
        chance = 1.0 - void * (1.0 - none_of[np.uint64(min(63, higher))])
    result = 1.0
    for _ in range(opponents):
        result *= max(0.0, chance)
    return result


@kernel
def play_by(view, legal, options):
    """Return the card to play: what parting with it costs against what the trick brings; `options` as in the list."""
    _, weight, lead, trump_worth, will, part_ready, weight_of_strength, keep, help_of_partner = options
    if legal & (legal - ONE) == np.uint64(0):
        return lowest(legal)
    common = view.common
    rules = view.rules
    me = np.int64(view.seat)
    players = np.int64(rules.players)
    partner = partner_of(rules, me)
    trump = np.int64(common.trump)
    led = np.int64(common.led)
    best_card = np.int64(common.best)
    drawing = common.draws > 0

    waiting = 0  # opponents still to play
    helping = False  # the partner is still to play
    lying = 0  # aces and tens in the trick
    for player in range(players):
        card = np.int64(common.played[player])
        if card >= 0:
            lying += rank_of(card) >= TEN
        elif player == partner:
            helping = partner != me
        elif player != me:
            waiting += 1
    brisque = brisque_value(view)
    in_trick = brisque * lying
    lost = 1.0 if partner != me else 1.0 / (players - 1)  # what an opponent's points cost

    unseen = np.empty(4, np.uint64)
    none_of = np.empty(64)
    if waiting > 0:
        pool = unseen_counts(view, unseen)
        held = np.int64(view.public[0].cards) + np.int64(view.public[0].laid)
        miss = max(0.0, 1.0 - held / max(1, pool))
        none_of[0] = 1.0
        for k in range(1, 64):
            none_of[k] = none_of[k - 1] * miss

    have = holdings(view)
    time = weight * min(1.0, common.draws / PLENTY)
    stake = 0.0
    if drawing:
        stake = lead + min(1.0, part_ready + HASTE / (common.draws + 1.0)) * ready(view, have)
    elif view.public[0].cards == 1:
        stake = np.float64(rules.last_trick)
    kept = weight_of_strength * (1.0 if drawing else keep)
    otherwise = 0.0  # the chance that the partner wins
    if partner != me:
        if common.ahead == partner:
            otherwise = stands(view, unseen, none_of, led, best_card, waiting, will)
        elif helping:
            otherwise = help_of_partner

    best = -1e9
    choice = np.int64(0)
    rest = legal
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        card = action & (TABLE - 1)
        rank = rank_of(card)
        if led < 0 or reply_wins(best_card, card, trump):
            wins = stands(view, unseen, none_of, card if led < 0 else led, card, waiting, will)
            if helping:
                wins += (1.0 - wins) * help_of_partner
        else:
            wins = otherwise
        trick = in_trick + brisque * (rank >= TEN)
        score = wins * (stake + trick) - (1.0 - wins) * lost * trick
        strength = STRENGTH[np.uint64(rank)]
        if suit_of(card) == trump:
            strength += trump_worth
            if rank == SEVEN and drawing:
                strength += rules.seven
        score -= kept * strength
        if score > best:  # a loss is never negative
            if drawing:
                score -= loss(view, have, card, spent_marks(view, card) if action >= TABLE else 0, time)
            if score > best:
                best = score
                choice = action
    return choice


@kernel
def pick_card(view, legal, rng, options):
    """Take for a four first what lies on the table already, the own cards before the partner's."""
    lying = legal & view.public[0].table_mask
    if not lying and view.rules.partnership:
        lying = legal & view.public[2].table_mask
    return lowest(lying if lying else legal)


@kernel
def decide(view, legal, show):
    """Score the most, but a weaker combination before the stronger one that would spend its cards; show the rest."""
    if legal == ONE:
        return PASS
    left = np.int64(view.common.draws)
    trump = np.int64(view.common.trump)
    best = 0.0
    choice = PASS
    rest = legal & ((ONE << np.uint64(SHOW + 1)) - ONE) & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        if action == EXCHANGE:
            value = np.float64(view.rules.seven)
            if rank_of(np.int64(view.common.turn_up)) >= JACK:
                value += 30.0
        else:
            suit = (action - MARRIAGE) & 3
            value = np.float64(meld_value(view.rules, meld_index(action, suit == trump)))
            if action < SEQUENCE and (legal >> np.uint64(SEQUENCE + suit)) & ONE and left > 3:
                value += 500.0
            if BEZIQUE <= action < FOUR:
                above = action - BEZIQUE + 1
                higher = legal >> np.uint64(action + 1) & ((ONE << np.uint64(FOUR - action - 1)) - ONE)
                if higher and left > 3 + above and fresh_after(view, above) > 0:
                    value += 5000.0
        if value > best:
            best = value
            choice = action
    if show > 0.0 and choice != EXCHANGE:
        shows = legal >> np.uint64(SHOW) & ~ONE
        if choice != PASS:
            shows &= ~bit_of(choice)
        if shows:
            return SHOW + lowest(shows)
    return choice
