"""A sensible club player of bezique with six packs.

What differs from the other games of the family: fours of trumps are worth most, so trumps from the jack up are kept
together; cards that lie on the table and block a four are played; and who cannot reach the rubicon any more leaves
alone what would only be paid to the winner.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    JACK,
    JACK_OF_DIAMONDS,
    ONE,
    QUEEN_OF_SPADES,
    SUIT,
    TABLE,
    bit_of,
    bytes_with,
    count_by_rank,
    other_side,
    own_cards,
    own_side,
    rank_of,
    reply_wins,
    suit_of,
)
from simcards.games.bezique.ledger import (
    A_BEZIQUE,
    ADDED,
    BEZIQUE,
    EIGHT,
    FOUR,
    KING_AND_QUEEN,
    LEVELS,
    MARRIAGE,
    PASS,
    SEQUENCE,
    SEQUENCE_RANKS,
    TRUMP_FOUR,
    USED_TRUMP_FOUR,
    four_rank,
    is_open,
    meld_index,
    meld_value,
)
from simcards.games.bezique.players import (
    BREAKS,
    HIGH,
    LEAD_WINS,
    SUIT_WEIGHT,
    TRUMP_HABITS,
    TRUMP_LEAD_WINS,
    bezique_value,
    four_value,
    holdings,
    hope,
    loss_but_fours,
    play_last_tricks,
    sequence_value,
    strength,
    style_of,
    tricks_left,
    waits_for_cards,
)
from simcards.games.strategy import Parameter
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import eight_of

# What a player can be told; the defaults are how he plays if nothing is said
SIX_HABITS = (
    *TRUMP_HABITS,
    Parameter("quartets", 1.0, "weight of his hopes for fours of trumps; 0: he does not keep trumps for them", 0, 100),
    Parameter("spares", 0, "with so many trumps of a rank he does not score its plain four but waits; 0: never", 0, 4),
)
QUARTETS, SPARES = range(len(TRUMP_HABITS), len(SIX_HABITS))

FROM_JACK = np.uint64(sum(1 << 8 * rank for rank in range(JACK, 8)))
NO_PRICES = np.zeros(8)  # of cards in the last tricks
# The numbers were found by matches on the same deals, a few dozen variations of each
PLENTY = 50.0  # with so many tricks left there is time for everything
LEAD = 30.0  # worth of winning a trick when nothing lies ready to be scored
HASTE = np.array([0.08, 1.5])  # part of what lies ready that counts: always, and more towards the end
GAIN = 0.8  # worth of a four that becomes ready by a card played
TRUMP_FOUR_HOPE, FOUR_HOPE, OTHER_HOPE = 0.6, 0.7, 0.8  # weights of the hopes that a card played costs
NO_WAITING = 8  # with fewer tricks left than this no four is put off any more
PACE = 1000.0  # points for a trick that a player who lags may still hope for: he gives up only at the very end


@kernel
def six_meld(action, royal):
    """Return the index of a declaration among the combinations of this game."""
    return action - 6 if action >= TRUMP_FOUR else meld_index(action, royal)


@kernel
def six_value(rules, meld):
    """Return what a combination scores."""
    if meld < 12:
        return meld_value(rules, meld)
    return trump_value(rules, 19 - meld)


@kernel
def trump_value(rules, rank):
    """Return the value of four trumps of a rank, 0 below the jack."""
    if rank == 7:
        return rules.trump_aces
    if rank == 6:
        return rules.trump_tens
    if rank == 5:
        return rules.trump_kings
    if rank == 4:
        return rules.trump_queens
    if rank == 3:
        return rules.trump_jacks
    return 0


@kernel
def count_ranks(view):
    """Return what the player has of each rank, in eight bits each.

    Returns
    -------
    table, table_trumps, hand, hand_trumps : uint64
        Cards on the table and in the hand, and the trumps among them.
    spent : uint64
        Cards on the table once scored in four trumps.
    whole, trumps_whole : uint64
        One where a four and a four of trumps lies whole.
    """
    trump = np.int64(view.common.trump)
    own = own_cards(view)
    public = own_side(view)
    hand = count_by_rank(own.hand)
    hand_trumps = eight_of(own.hand, trump) if trump >= 0 else np.uint64(0)
    table = np.uint64(0)
    table_trumps = np.uint64(0)
    spent = np.uint64(0)
    whole = np.uint64(0)
    trumps_whole = np.uint64(0)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        one = ONE << np.uint64(8 * (slot.type & 7))
        table += one
        if slot.type >> 3 == trump:
            table_trumps += one
        if slot.used & USED_TRUMP_FOUR:
            spent += one
        if slot.four != 0:
            if slot.used & USED_TRUMP_FOUR:
                trumps_whole |= one
            else:
                whole |= one
    return table, table_trumps, hand, hand_trumps, spent, whole, trumps_whole


@kernel
def count_of(counts, rank):
    """Return the count of a rank."""
    return np.int64((counts >> np.uint64(8 * rank)) & EIGHT)


@kernel
def enough_for_four(counts):
    """Return a one in the byte of each rank from the jack up of which the player has four cards."""
    return bytes_with(counts[0] + counts[2], 4) & FROM_JACK


@kernel
def four_ready(rules, rank, table, table_trumps, hand, hand_trumps, spent, whole, trumps_whole):
    """Return the value of the best four of a rank that could be scored with these cards."""
    if (
        table == table_trumps
        and table <= 4
        and table + hand_trumps >= 4
        and not (trumps_whole and table >= 4)
        and (table < 4 or spent < 4)
    ):
        return trump_value(rules, rank)
    if spent == 0 and table <= 4 and table + hand >= 4 and not (whole and table >= 4):
        return four_value(rules, rank)
    return 0


@kernel
def ready_of(rules, counts, rank):
    """Return the value of the best four of a rank that lies ready."""
    table, table_trumps, hand, hand_trumps, spent, whole, trumps_whole = counts
    return four_ready(
        rules,
        rank,
        count_of(table, rank),
        count_of(table_trumps, rank),
        count_of(hand, rank),
        count_of(hand_trumps, rank),
        count_of(spent, rank),
        count_of(whole, rank) != 0,
        count_of(trumps_whole, rank) != 0,
    )


@kernel
def ready_after(rules, counts, card, trump, on_table):
    """Return the same after a card has been played."""
    rank = rank_of(card)
    one = ONE << np.uint64(8 * rank)
    trumps = one if suit_of(card) == trump else np.uint64(0)
    table, table_trumps, hand, hand_trumps, spent, whole, trumps_whole = counts
    if on_table:  # the most spent copy goes, and breaks the four it lies in
        left = spent - trumps if count_of(spent, rank) else spent
        nothing = np.uint64(0)
        after = (table - one, table_trumps - trumps, hand, hand_trumps, left, nothing, nothing)
    else:
        after = (table, table_trumps, hand - one, hand_trumps - trumps, spent, whole, trumps_whole)
    return ready_of(rules, after, rank)


@kernel
def six_ready(view, have, counts):
    """Return the value of the best combination that lies ready to be scored."""
    held, _, _, sequences, marriages, _, queens, jacks, level = have
    rules = view.rules
    best = 0
    for suit in range(4):
        ranks = (held >> np.uint64(8 * suit)) & SUIT
        fresh = (own_cards(view).mask >> np.uint64(8 * suit)) & SUIT if rules.reform == ADDED else np.uint64(0)
        if ranks & KING_AND_QUEEN == KING_AND_QUEEN and not sequences >> np.uint64(suit) & ONE:
            if fresh & KING_AND_QUEEN or not marriages >> np.uint64(suit) & ONE:
                royal = suit == view.common.trump or view.common.trump < 0
                best = max(best, rules.royal_marriage if royal else rules.marriage)
        if ranks & SEQUENCE_RANKS == SEQUENCE_RANKS:
            if fresh & SEQUENCE_RANKS or not sequences >> np.uint64(suit) & ONE:
                best = max(best, sequence_value(view, suit))
    enough = enough_for_four(counts)
    while enough:
        best = max(best, ready_of(rules, counts, lowest(enough) >> 3))
        enough &= enough - ONE
    pairs = min(queens, jacks, rules.levels)
    if pairs > level:
        best = max(best, bezique_value(rules, pairs))
    return best


@kernel
def hope_of_four(value, style, copies, time):
    """Return what is lost of the hope for a four when one of so many copies goes."""
    return value * (hope(style, 4 - copies, time) - hope(style, 5 - copies, time))


@kernel
def six_loss(view, have, counts, card, on_table, time, options):
    """Return what the hopes for combinations lose when one copy of a card is played."""
    rank = rank_of(card)
    if rank < JACK:
        return 0.0
    rules = view.rules
    style = style_of(view)
    table, table_trumps, hand, hand_trumps, spent, whole, trumps_whole = counts
    loss = 0.0
    if suit_of(card) == view.common.trump:
        # a four that lies whole has one card more than is needed for the next
        lying = count_of(trumps_whole, rank)
        if not (lying and on_table):
            copies = count_of(table_trumps, rank) + count_of(hand_trumps, rank) - lying
            if copies <= 4:
                lost = hope_of_four(trump_value(rules, rank), style, copies, time)
                loss += options.value[QUARTETS] * TRUMP_FOUR_HOPE * lost
    lying = count_of(whole, rank)
    if not (lying and on_table):
        copies = count_of(table, rank) + count_of(hand, rank) - count_of(spent, rank) - lying
        if copies <= 4:
            loss += FOUR_HOPE * hope_of_four(four_value(rules, rank), style, copies, time)
    return loss + OTHER_HOPE * loss_but_fours(view, have, card, on_table, time, 0.0, options)


@kernel
def broken_gain(view, have, card):
    """Return what playing a card from the table brings where a run scores again only once it is broken."""
    _, _, _, sequences, marriages, _, _, _, _ = have
    suit = suit_of(card)
    if own_cards(view).mask & bit_of(card) == 0:
        return 0.0
    if sequences >> np.uint64(suit) & ONE and rank_of(card) >= JACK:
        return GAIN * sequence_value(view, suit)
    if marriages >> np.uint64(suit) & ONE and KING_AND_QUEEN >> np.uint64(rank_of(card)) & ONE:
        return GAIN * (view.rules.royal_marriage if suit == view.common.trump else view.rules.marriage)
    return 0.0


@kernel
def six_play(view, legal, rng, options):
    """Return the card to play: cost of the card against gain of the trick."""
    if view.common.stock == 0:
        return play_last_tricks(view, legal, NO_PRICES, np.float64(view.rules.last_trick), False)
    left = tricks_left(view)
    have = holdings(view)
    counts = count_ranks(view)
    rules = view.rules
    led = np.int64(view.common.led)
    trump = np.int64(view.common.trump)
    time = min(1.0, left / PLENTY)
    urgency = min(1.0, HASTE[0] + HASTE[1] / (left + 1))
    stake = LEAD + urgency * six_ready(view, have, counts)
    enough = enough_for_four(counts)
    best = -1e9
    choice = np.int64(0)
    for high in range(2):  # first the low cards, as in `play_while_drawing`
        rest = legal & (HIGH if high else ~HIGH)
        while rest:
            action = lowest(rest)
            rest &= rest - ONE
            card = action & (TABLE - 1)
            on_table = action >= TABLE
            rank = rank_of(card)
            score = -strength(view, card)
            if high:
                if (enough >> np.uint64(8 * rank)) & ONE:
                    more = ready_after(rules, counts, card, trump, on_table) - ready_of(rules, counts, rank)
                    score += options.value[BREAKS] * GAIN * more
                if on_table and rules.reform == 1:
                    score += options.value[BREAKS] * broken_gain(view, have, card)
            if led < 0:
                score += stake * (
                    TRUMP_LEAD_WINS[np.uint64(rank)] if suit_of(card) == trump else LEAD_WINS[np.uint64(rank)]
                )
            elif reply_wins(led, card, trump):
                score += stake
            if score < best:  # a loss is never negative
                continue
            if high:
                score -= six_loss(view, have, counts, card, on_table, time, options)
            if score > best or (score == best and action < choice):
                best = score
                choice = action
    return choice


@kernel
def six_show(view, legal, rng, options):
    """Show carte blanche whenever possible."""
    return 1


@kernel
def six_pick(view, legal, rng, options):
    """Lay trumps for a four first: they may serve for four trumps later, and others would be in the way of that."""
    trump = np.int64(view.common.trump)
    if trump >= 0:
        trumps = legal & (SUIT << np.uint64(8 * trump))
        if trumps:
            return lowest(trumps)
    return lowest(legal)


@kernel
def as_trumps(view, suit):
    """Return what a suit promises when it is made trumps."""
    style = style_of(view)
    promise = 0.0
    public = own_side(view)
    for rank in range(JACK, 8):
        card = 8 * suit + rank
        copies = np.int64(own_cards(view).hand[card])
        for i in range(np.int64(public.laid)):
            copies += public.table[i].type == card
        promise += 30.0 * (copies > 0) + trump_value(view.rules, rank) * hope(style, 4 - copies, 1.0)
    return promise


@kernel
def fresh_after(view, level):
    """Return how many cards never used in a bezique are left when one of this level is scored: a higher needs one."""
    fresh = np.int64(own_cards(view).hand[QUEEN_OF_SPADES]) + np.int64(own_cards(view).hand[JACK_OF_DIAMONDS])
    queens = 0  # that can be used once more
    jacks = 0
    public = own_side(view)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if slot.type == QUEEN_OF_SPADES or slot.type == JACK_OF_DIAMONDS:
            if slot.used & LEVELS == 0:
                fresh += 1
            elif is_open(slot, A_BEZIQUE, level, view.rules.reform):
                queens += slot.type == QUEEN_OF_SPADES
                jacks += slot.type == JACK_OF_DIAMONDS
    return fresh - max(1, max(0, level - queens) + max(0, level - jacks))


@kernel
def lags(view):
    """Return whether the player will hardly reach the rubicon, and the other will win beyond it."""
    line = view.rules.rubicon_line
    own = own_side(view).points
    other = other_side(view).points
    hopes = PACE * tricks_left(view)
    return own + hopes < line and other >= line


@kernel
def waits_for_trumps(view, action, options):
    """Return whether a plain four is left alone because trumps of its rank may make four trumps later."""
    spares = options.value[SPARES]
    if spares == 0.0 or not FOUR <= action < TRUMP_FOUR or tricks_left(view) < NO_WAITING:
        return False
    rank = four_rank(action)
    _, table_trumps, _, hand_trumps, spent, _, _ = count_ranks(view)
    return count_of(table_trumps, rank) + count_of(hand_trumps, rank) - count_of(spent, rank) >= spares


@kernel
def six_declare(view, legal, rng, options):
    """Score the most, but a weaker combination before the stronger one that would spend its cards."""
    if legal == ONE or lags(view):
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
        suit = (action - MARRIAGE) & 3
        royal = action < BEZIQUE and (suit == trump or trump < 0)
        value = np.float64(six_value(view.rules, six_meld(action, royal)))
        if action < BEZIQUE and trump < 0:
            cards = popcount((held >> np.uint64(8 * suit)) & SEQUENCE_RANKS)
            if waits_for_cards(view, action, cards, options):
                continue
            value += options.value[SUIT_WEIGHT] * as_trumps(view, suit)
        elif waits_for_trumps(view, action, options):
            continue
        if action < SEQUENCE and (legal >> np.uint64(SEQUENCE + suit)) & ONE and left > 3:
            value += 500.0
        if BEZIQUE <= action < FOUR:
            level = action - BEZIQUE + 1
            higher = legal >> np.uint64(action + 1) & ((ONE << np.uint64(FOUR - action - 1)) - ONE)
            if higher and left > 3 + level and fresh_after(view, level) > 0:
                value += 5000.0
        if value > best:
            best = value
            choice = action
    return choice
