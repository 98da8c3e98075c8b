"""How a sensible club player plays the games of the bezique family.

Every card has a worth: what parting with it costs in hopes for combinations. A hope is the combination's value times a
rough chance that falls with each missing card and with the stock. A card is played for what it costs, against what
winning the trick brings (the declaration at hand, brisques) and what breaking a combination to re-form it brings.

The functions are compiled anew for the view of each game, and for its state, in which they play for the one whose turn
it is.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.endgame import DEPTH, PRICES, best_lead, best_reply, pack_hand, unseen_hand
from simcards.games.bezique.frame import (
    ACE,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    SUIT,
    TABLE,
    TEN,
    bit_of,
    bytes_with,
    count_by_rank,
    own_cards,
    own_side,
    rank_of,
    reply_wins,
    suit_of,
    types_with,
)
from simcards.games.bezique.ledger import (
    BEZIQUE,
    EXCHANGE,
    FOUR,
    LEVEL,
    LEVELS,
    MARRIAGE,
    PASS,
    QUEENS,
    RANKS_OF_FOURS,
    SEQUENCE,
    SEQUENCE_RANKS,
    USED_FOUR,
    meld_index,
    meld_value,
)
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch

# What a player can be told, in games that turn up the trumps and in those where the first marriage makes them. The
# defaults are how he plays if nothing is said: weights of one
HABITS = (
    Parameter("hold", 1.0, "weight of his hopes for beziques; 0: he does not hold their cards", 0, 100),
    Parameter("breaks", 1.0, "weight of breaking a combination to score it again; 0: he breaks none for that", 0, 100),
    Parameter("keeps", 1.0, "weight of keeping scored combinations whole, and further copies to re-form them", 0, 100),
)
TRUMP_HABITS = (
    *HABITS,
    Parameter("suit", 1.0, "weight of what a suit promises when it is made trumps; 0: any will do", 0, 100),
    Parameter("first", 0, "cards of A T K Q J that he wants of a suit before a marriage makes it trumps", 0, 5),
    Parameter("waits", 10, "tricks for which he waits for these cards", 0, 100),
)
HOLD, BREAKS, KEEPS, SUIT_WEIGHT, FIRST, WAITS = range(len(TRUMP_HABITS))

# The numbers of a style were found by matches on the same deals, a few dozen variations of each. The style goes by
# `rules.reform`: where combinations are re-formed without end, hopes are worth less and strong cards more. The third is
# that of `bezique-six-pack`, where a combination is also scored anew as it lies.

# Chance that a combination still comes when so many cards are missing and there is plenty of time
HOPES = np.array(
    [
        [1.0, 0.4, 0.13, 0.04, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 0.2, 0.04, 0.005, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 0.3, 0.1, 0.03, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
)
# What a card is worth for its strength alone, by rank, and what a trump is worth above that
STRENGTH = np.array(
    [
        [0.0, 0.3, 0.6, 1.4, 2.8, 4.2, 8.4, 11.0],
        [0.0, 0.3, 0.7, 1.7, 3.4, 5.0, 10.0, 14.0],
        [0.0, 0.5, 1.1, 2.7, 5.4, 8.0, 16.0, 22.4],
    ]
)
TRUMP_STRENGTH = np.array([12.0, 14.0, 32.4])
KEPT = np.array([0.2, 0.7, 0.7])  # worth, as a part of its hope, of keeping a scored combination whole
SPARE = np.array([0.15, 0.3, 0.3])  # the same of a second copy for a combination that lacks other cards
PLENTY = np.array([12.0, 36.0])  # with so many tricks left there is time for everything
LEAD = np.array([3.0, 12.0])  # worth of winning a trick when nothing lies ready to be scored
HASTE = np.array([[0.2, 3.0], [0.05, 1.5]])  # part of what lies ready that counts: always, and more towards the end

HIGH = np.uint64(0xF8F8F8F8F8F8F8F8)  # actions that play a jack or higher

LATER = 0.8  # worth of a score that is sure to come later
# Chance that a lead wins the trick while the other may play anything, by rank: plain and trumps
LEAD_WINS = np.array([0.15, 0.15, 0.18, 0.25, 0.3, 0.4, 0.55, 0.7])
TRUMP_LEAD_WINS = np.array([0.3, 0.32, 0.35, 0.45, 0.55, 0.65, 0.8, 0.95])


@kernel
def tricks_left(view):
    """Return how many more tricks will be followed by a declaration."""
    return np.int64(view.common.stock) // 2


@kernel
def style_of(view):
    """Return the style of play, an index into the numbers above."""
    return np.uint64(view.rules.reform)


@kernel
def hope(style, missing, time):
    """Return the chance to complete a combination that lacks `missing` cards; `time` falls from 1 with the stock."""
    if missing <= 0:
        return 1.0
    return HOPES[style, np.uint64(min(missing, 9))] * time


@kernel
def holdings(view):
    """Return what the player has, hand and table together, as masks and counts.

    Returns
    -------
    held : uint64
        Types he has.
    double : uint64
        Types he has in both hand and table, or twice.
    fours : uint64
        Ranks (bit r) of which a scored four lies unbroken.
    sequences : uint64
        Suits (bit s) of which a scored sequence lies unbroken.
    marriages : uint64
        Suits of which a scored marriage lies unbroken.
    free : uint64
        For each rank, in 8 bits, how many cards could be in a new four.
    queens, jacks, level : int
        Queens of spades, jacks of diamonds, and the highest bezique scored that lies on the table.
    """
    own = own_cards(view)
    public = own_side(view)
    reform = view.rules.reform
    held = own.mask | public.table_mask
    double = (own.mask & public.table_mask) | types_with(own.hand, 2)
    fours = np.uint64(0)
    sequences = np.uint64(0)
    marriages = np.uint64(0)
    free = count_by_rank(own.hand)
    queens = np.int64(own.hand[QUEEN_OF_SPADES])
    jacks = np.int64(own.hand[JACK_OF_DIAMONDS])
    level = 0
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        card = np.int64(slot.type)
        if slot.four != 0:
            fours |= ONE << np.uint64(rank_of(card))
        elif reform or slot.used & USED_FOUR == 0:
            free += ONE << np.uint64(8 * rank_of(card))
        if slot.sequence != 0:
            sequences |= ONE << np.uint64(suit_of(card))
        if slot.marriage != 0:
            marriages |= ONE << np.uint64(suit_of(card))
        if slot.used & LEVELS:
            level = max(level, (slot.used & LEVELS) // LEVEL)
        if card == QUEEN_OF_SPADES:
            queens += 1
        elif card == JACK_OF_DIAMONDS:
            jacks += 1
    return held, double, fours, sequences, marriages, free, queens, jacks, level


@kernel
def four_value(rules, rank):
    """Return the value of four of a rank, 0 for ranks that have none."""
    if rank == ACE:
        return rules.aces
    if rank == KING:
        return rules.kings
    if rank == QUEEN:
        return rules.queens
    if rank == JACK:
        return rules.jacks
    return 0


@kernel
def sequence_value(view, suit):
    """Return the value of a sequence in a suit, 0 where it has none."""
    if suit == view.common.trump:
        return view.rules.royal_sequence
    return view.rules.sequence if view.rules.plain_sequences else 0


@kernel
def bezique_value(rules, level):
    """Return the value of a bezique of a level."""
    return meld_value(rules, 3 + level)


@kernel
def ready(view, have):
    """Return the value of the best combination that lies ready to be scored."""
    held, _, fours, sequences, marriages, free, queens, jacks, level = have
    best = 0
    pairs_of_suit = held & (held >> ONE) & QUEENS
    while pairs_of_suit:  # a sequence holds such a pair as well
        suit = lowest(pairs_of_suit) >> 3
        pairs_of_suit &= pairs_of_suit - ONE
        if not (marriages | sequences) >> np.uint64(suit) & ONE:
            royal = suit == view.common.trump or view.common.trump < 0
            best = max(best, view.rules.royal_marriage if royal else view.rules.marriage)
        ranks = (held >> np.uint64(8 * suit)) & SUIT
        if ranks & SEQUENCE_RANKS == SEQUENCE_RANKS and not sequences >> np.uint64(suit) & ONE:
            best = max(best, sequence_value(view, suit))
    credit = own_side(view).credit
    enough = bytes_with(free, 4) & RANKS_OF_FOURS
    if credit or enough:
        for rank in (JACK, QUEEN, KING, ACE):
            if credit >> np.uint64(rank) & ONE or (
                enough >> np.uint64(8 * rank) & ONE and not fours >> np.uint64(rank) & ONE
            ):
                best = max(best, four_value(view.rules, rank))
    pairs = min(queens, jacks, view.rules.levels)
    if pairs > level:
        best = max(best, bezique_value(view.rules, pairs))
    return best


@kernel
def worth(view, have, card, on_table, time, options):
    """Return what the hopes for combinations lose when one copy of a card is played."""
    _, _, fours, _, _, free, _, _, _ = have
    rules = view.rules
    style = style_of(view)
    rank = rank_of(card)
    if rank < JACK:
        return 0.0
    loss = 0.0
    # four of a rank
    value = four_value(rules, rank)
    if value > 0:
        if fours >> np.uint64(rank) & ONE:
            if on_table and rules.reform:
                loss += options.value[KEEPS] * KEPT[style] * value * hope(style, 1, time)
        else:
            count = np.int64((free >> np.uint64(8 * rank)) & np.uint64(255))
            if count <= 4:
                loss += value * (hope(style, 4 - count, time) - hope(style, 5 - count, time))
    return loss_but_fours(view, have, card, on_table, time, loss, options)


@kernel
def loss_but_fours(view, have, card, on_table, time, loss, options):
    """Return `loss` and what the hopes for other combinations than fours lose when one copy of a card is played."""
    held, double, _, sequences, marriages, _, queens, jacks, level = have
    rules = view.rules
    style = style_of(view)
    rank = rank_of(card)
    suit = suit_of(card)
    spare = double >> np.uint64(card) & ONE
    # sequence: a second copy matters only for re-forming
    value = sequence_value(view, suit)
    if value > 0:
        ranks = (held >> np.uint64(8 * suit)) & SEQUENCE_RANKS
        missing = 5 - popcount(ranks)
        if sequences >> np.uint64(suit) & ONE:
            if rules.reform:
                kept = LATER if spare and not on_table else KEPT[style] * hope(style, 1, time)
                loss += options.value[KEEPS] * value * kept
        elif not spare:
            loss += value * (hope(style, missing, time) - hope(style, missing + 1, time))
        else:
            loss += options.value[KEEPS] * SPARE[style] * value * hope(style, missing, time)
    # marriage
    if rank == KING or rank == QUEEN:
        partner = 8 * suit + (QUEEN if rank == KING else KING)
        royal = suit == view.common.trump or view.common.trump < 0
        value = rules.royal_marriage if royal else rules.marriage
        if (marriages | sequences) >> np.uint64(suit) & ONE:
            loss += options.value[KEEPS] * KEPT[style] * value * hope(style, 1, time)
        elif not spare:
            loss += value * (hope(style, 0 if held & bit_of(partner) else 1, time) - hope(style, 2, time))
    # beziques of every level not yet scored
    if card == QUEEN_OF_SPADES or card == JACK_OF_DIAMONDS:
        mine, others = (queens, jacks) if card == QUEEN_OF_SPADES else (jacks, queens)
        for target in range(level + 1, rules.levels + 1):
            lacking = max(0, target - mine)
            lacking_after = max(0, target - mine + 1)
            rest = max(0, target - others)
            loss += (
                options.value[HOLD]
                * bezique_value(rules, target)
                * (hope(style, lacking + rest, time) - hope(style, lacking_after + rest, time))
            )
    return loss


@kernel
def reform_gain(view, have, card, on_table):
    """Return what playing a card brings because its combination can then be scored again."""
    if view.rules.reform == 0:
        return 0.0
    _, _, fours, sequences, marriages, _, _, _, _ = have
    rank = rank_of(card)
    suit = suit_of(card)
    if not on_table:
        return LATER * four_value(view.rules, rank) if fours >> np.uint64(rank) & ONE else 0.0
    if own_cards(view).mask & bit_of(card) == 0:
        return 0.0
    gain = 0.0
    if sequences >> np.uint64(suit) & ONE and rank >= JACK:
        gain = LATER * sequence_value(view, suit)
    elif marriages >> np.uint64(suit) & ONE and (rank == KING or rank == QUEEN):
        gain = LATER * (view.rules.royal_marriage if suit == view.common.trump else view.rules.marriage)
    return gain


@kernel
def brisque_value(view):
    """Return what a brisque is worth during play."""
    return view.rules.brisque * (1.0 if view.rules.brisques else 0.15)


@kernel
def strength(view, card):
    """Return what a card is worth for winning tricks."""
    style = style_of(view)
    base = STRENGTH[style, np.uint64(rank_of(card))]
    if suit_of(card) == view.common.trump:
        base += TRUMP_STRENGTH[style]
        if rank_of(card) == 0 and view.common.turn_up >= 0 and view.common.stock > 0:
            base += view.rules.seven
    return base


@kernel
def play_while_drawing(view, legal, options):
    """Return the card to play while the stock lasts: cost of the card against gain of the trick."""
    left = tricks_left(view)
    have = holdings(view)
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    brisque = brisque_value(view)
    style = style_of(view)
    time = min(1.0, left / PLENTY[style])
    urgency = min(1.0, HASTE[style, 0] + HASTE[style, 1] / (left + 1))
    stake = LEAD[style] + urgency * ready(view, have)
    led_brisque = np.float64(led >= 0 and rank_of(led) >= TEN)
    best = -1e9
    choice = np.int64(0)
    # first the low cards, of which nothing is hoped: most others need not be looked at closely then
    for high in range(2):
        rest = legal & (HIGH if high else ~HIGH)
        while rest:
            action = lowest(rest)
            rest &= rest - ONE
            card = action & (TABLE - 1)
            on_table = action >= TABLE
            rank = rank_of(card)
            score = options.value[BREAKS] * reform_gain(view, have, card, on_table) - strength(view, card)
            if led < 0:
                wins = TRUMP_LEAD_WINS[np.uint64(rank)] if suit_of(card) == trump else LEAD_WINS[np.uint64(rank)]
                in_trick = np.float64(rank >= TEN)
                score += wins * stake + brisque * in_trick * (2.0 * wins - 1.0)
            else:
                in_trick = np.float64(rank >= TEN) + led_brisque
                if reply_wins(led, card, trump):
                    score += stake + brisque * in_trick
                else:
                    score -= brisque * in_trick
            if score < best:  # worth is never negative
                continue
            if high:
                score -= worth(view, have, card, on_table, time, options)
            if score > best or (score == best and action < choice):
                best = score
                choice = action
    return choice


@kernel
def play_last_tricks(view, legal, prices, last, heading=True):
    """Return the card to play when the stock is gone and every card is known; `prices` and `heading` as in `search`."""
    own = own_cards(view)
    theirs, their_mask = unseen_hand(view)
    count = np.int64(own_side(view).cards)
    mine = pack_hand(own.hand, own.mask) if count <= DEPTH else np.uint64(0)
    trump = np.int64(view.common.trump)
    led = np.int64(view.common.led)
    if led < 0:
        return best_lead(mine, theirs, own.mask, their_mask, count, trump, prices, last, heading)
    return best_reply(mine, theirs, count, led, legal, trump, prices, last, heading)


@kernel
def basic_play(view, legal, rng, options):
    """Play a card."""
    if view.common.stock > 0:
        return play_while_drawing(view, legal, options)
    prices = scratch(PRICES).price
    prices[:] = 0.0
    prices[TEN] = prices[ACE] = brisque_value(view)
    return play_last_tricks(view, legal, prices, np.float64(view.rules.last_trick))


@kernel
def basic_show(view, legal, rng, options):
    """Show carte blanche whenever possible."""
    return 1


@kernel
def basic_pick(view, legal, rng, options):
    """Take for a four first what lies on the table already."""
    lying = legal & own_side(view).table_mask
    return lowest(lying if lying else legal)


@kernel
def fresh_after(view, level):
    """Return how many cards that were in no bezique are left after one of this level is scored.

    A higher bezique needs such a card. A single takes a fresh queen and a fresh jack, the others take spent cards
    first.
    """
    fresh = 0
    taken = 0
    for card in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS):
        new = np.int64(own_cards(view).hand[card])
        spent = 0
        public = own_side(view)
        for i in range(np.int64(public.laid)):
            slot = public.table[i]
            if slot.type == card:
                reached = (slot.used & LEVELS) // LEVEL
                new += reached == 0
                spent += 0 < reached < level
        fresh += new
        taken += max(0, level - spent)
    return fresh - max(1, taken)


@kernel
def waits_for_cards(view, action, cards, options):
    """Return whether a marriage that would make trumps is put off, the suit having so many cards of a sequence."""
    return action < SEQUENCE and cards < options.value[FIRST] and view.common.trick < options.value[WAITS]


@kernel
def basic_declare(view, legal, rng, options):
    """Score the most, but a weaker combination before the stronger one that would spend its cards."""
    if legal == ONE:
        return PASS
    left = tricks_left(view)
    held = own_cards(view).mask | own_side(view).table_mask
    trump = view.common.trump
    best = -1.0
    choice = PASS
    rest = legal & ~ONE
    while rest:
        action = lowest(rest)
        rest &= rest - ONE
        if action == EXCHANGE:
            value = np.float64(view.rules.seven)
            if rank_of(view.common.turn_up) >= JACK:
                value += 30.0
        else:
            suit = (action - MARRIAGE) & 3
            royal = action < BEZIQUE and (suit == trump or trump < 0)
            value = np.float64(meld_value(view.rules, meld_index(action, royal)))
            if action < BEZIQUE and trump < 0:
                # the suit that becomes trumps: the one nearest to a sequence
                cards = popcount((held >> np.uint64(8 * suit)) & SEQUENCE_RANKS)
                if waits_for_cards(view, action, cards, options):
                    continue
                value += options.value[SUIT_WEIGHT] * 30.0 * cards
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
    return choice
