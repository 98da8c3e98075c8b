"""The declaration ledger: which combinations a player may score, with which cards, and what that leaves behind.

Three classes: marriages and sequences; beziques; fours of a rank. A card may be used again in another class at will,
in its own class only upwards (a marriage's cards in a sequence, a single bezique's in a double), and in the same
combination only where combinations may be re-formed (``rules.reform``): when the combination it was scored in has
been broken by playing a card of it, and a card that is new to it makes it whole again.

With six packs (``bezique-six-pack``) a combination may also be scored anew as it lies, with a card added to it
(``rules.reform`` is ``ADDED``), and four cards of a rank and of trumps are a further combination above other fours.

Combinations that lie on the table but were not scored yet ("in mind") need no record: they stay open as long as their
cards lie there.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    ACE,
    CAPTURED,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    ONE,
    QUEEN,
    QUEEN_OF_SPADES,
    SUIT,
    TEN,
    bit_of,
    bytes_with,
    count_by_rank,
    lay,
)
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING

# Actions of a declaration
PASS = 0
MARRIAGE = 1  # + suit
SEQUENCE = 5  # + suit
BEZIQUE = 9  # + level - 1
FOUR = 13  # aces, kings, queens, jacks
EXCHANGE = 17  # the seven of trumps for the turn-up
TRUMP_FOUR = 18  # aces, tens, kings, queens, jacks of trumps

# Kinds of combination, as a card on the table remembers them
A_MARRIAGE, A_SEQUENCE, A_BEZIQUE, A_FOUR, A_TRUMP_FOUR = range(5)

ADDED = 2  # value of `rules.reform` with which a combination is also scored anew as it lies

# `used` of a slot, besides `CAPTURED`
USED_MARRIAGE = 1
USED_FOUR = 2
LEVEL = 4  # times the level of bezique
LEVELS = 28
USED_SEQUENCE = 32
USED_TRUMP_FOUR = 64

HAND = 200  # place of a picked card that is still in the hand
NOWHERE = -1

# What is counted, by index
MELDS = (
    "marriage",
    "royal_marriage",
    "sequence",
    "royal_sequence",
    "bezique",
    "double_bezique",
    "triple_bezique",
    "quadruple_bezique",
    "aces",
    "kings",
    "queens",
    "jacks",
)

SEQUENCE_RANKS = np.uint64(0xF8)  # J Q K T A of a suit
KING_AND_QUEEN = np.uint64(0x30)
QUEENS = np.uint64(0x10101010)
PAIR_OF_BEZIQUE = np.uint64((1 << QUEEN_OF_SPADES) | (1 << JACK_OF_DIAMONDS))
RANKS_OF_FOURS = np.uint64(sum(1 << 8 * rank for rank in (JACK, QUEEN, KING, ACE)))
EIGHT = np.uint64(255)  # counts are kept in eight bits each


@kernel
def four_rank(action):
    """Return the rank of a declaration of four: aces, kings, queens, jacks in the order of the actions."""
    return ACE if action == FOUR else KING - (action - FOUR - 1)


@kernel
def trump_four_rank(action):
    """Return the rank of a declaration of four trumps: aces, tens, kings, queens, jacks in the order of the actions."""
    return ACE - (action - TRUMP_FOUR)


@kernel
def is_new(slot, kind):
    """Return whether a card on the table has never been scored in this kind of combination."""
    if kind == A_MARRIAGE:
        return slot.used & USED_MARRIAGE == 0
    if kind == A_SEQUENCE:
        return slot.used & USED_SEQUENCE == 0
    if kind == A_BEZIQUE:
        return slot.used & LEVELS == 0
    if kind == A_TRUMP_FOUR:
        return slot.used & USED_TRUMP_FOUR == 0
    return slot.used & USED_FOUR == 0


@kernel
def is_open(slot, kind, level, reform):
    """Return whether a card on the table may be used in this kind of combination.

    Parameters
    ----------
    slot : SLOT
        The card.
    kind, level : int
        The kind; the level matters for beziques.
    reform : int
        Whether broken combinations may be re-formed, with ``ADDED`` unbroken ones as well.
    """
    used = slot.used
    if kind == A_MARRIAGE:
        return used & USED_SEQUENCE == 0 and (
            used & USED_MARRIAGE == 0 or (reform != 0 and (slot.marriage == 0 or reform == ADDED))
        )
    if kind == A_SEQUENCE:
        return used & USED_SEQUENCE == 0 or (reform != 0 and (slot.sequence == 0 or reform == ADDED))
    if kind == A_BEZIQUE:
        reached = (used & LEVELS) // LEVEL
        if level > 1:
            return reached < level or (reached == level and reform == ADDED)
        return reached == 0 or (reached == 1 and reform != 0 and (slot.bezique == 0 or reform == ADDED))
    if kind == A_TRUMP_FOUR:
        return used & USED_TRUMP_FOUR == 0 or (reform != 0 and slot.four == 0)
    return used & USED_TRUMP_FOUR == 0 and (used & USED_FOUR == 0 or (reform != 0 and slot.four == 0))


@kernel
def open_copies(state, player, card, kind, level):
    """Return how many copies of a card may be used."""
    found = np.int64(state.private[player].hand[card])
    public = state.public[player]
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        found += slot.type == card and is_open(slot, kind, level, state.rules.reform)
    return found


@kernel
def held_by(own, public):
    """Return what a player has, on the table and in the hand: the types, and counts of the ranks in eight bits each.

    Captured cards are among them, which `table_mask` leaves out.
    """
    types = own.mask
    counts = count_by_rank(own.hand)
    for i in range(np.int64(public.laid)):
        card = np.int64(public.table[i].type)
        types |= bit_of(card)
        counts += ONE << np.uint64(8 * (card & 7))
    return types, counts


@kernel
def scorable(state, player):
    """Return the declarations that `player` may score now, as a mask of actions; ``PASS`` is always among them.

    A combination may be scored when each of its cards is there, on the table or in the hand, open to it, and at least
    one of them new to it.

    Parameters
    ----------
    state : record
        With ``rules`` (fields ``reform``, ``plain_sequences``, ``levels``), ``private``, ``public`` and ``common``.
    player : int
        The winner of the trick.

    Returns
    -------
    uint64
        Bits of the declare actions, ``EXCHANGE`` not among them.
    """
    rules = state.rules
    own = state.private[player]
    public = state.public[player]
    held, ranks = held_by(own, public)
    # mostly nothing can be scored, whatever is open
    if (
        held & (held >> ONE) & QUEENS == np.uint64(0)
        and bytes_with(ranks, 4) & RANKS_OF_FOURS == np.uint64(0)
        and public.credit == np.uint64(0)
        and held & PAIR_OF_BEZIQUE != PAIR_OF_BEZIQUE
    ):
        return ONE
    # what is in the hand is open and new to everything
    marriage_open = own.mask
    marriage_new = own.mask
    sequence_open = own.mask
    sequence_new = own.mask
    four_open = count_by_rank(own.hand)  # counts of each rank in eight bits
    four_new = four_open
    queens = np.uint64(own.hand[QUEEN_OF_SPADES])  # counts by the level of bezique reached, in eight bits
    jacks = np.uint64(own.hand[JACK_OF_DIAMONDS])
    free_queens = np.uint64(0)  # of broken single beziques
    free_jacks = np.uint64(0)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        card = np.int64(slot.type)
        bit = bit_of(card)
        if is_open(slot, A_MARRIAGE, 1, rules.reform):
            marriage_open |= bit
            if is_new(slot, A_MARRIAGE):
                marriage_new |= bit
        if is_open(slot, A_SEQUENCE, 1, rules.reform):
            sequence_open |= bit
            if is_new(slot, A_SEQUENCE):
                sequence_new |= bit
        if is_open(slot, A_FOUR, 1, rules.reform):
            one = ONE << np.uint64(8 * (card & 7))
            four_open += one
            if is_new(slot, A_FOUR):
                four_new += one
        level = (slot.used & LEVELS) // LEVEL
        one = ONE << np.uint64(8 * level)
        free = np.uint64(level == 1 and is_open(slot, A_BEZIQUE, 1, rules.reform))
        if card == QUEEN_OF_SPADES:
            queens += one
            free_queens += free
        elif card == JACK_OF_DIAMONDS:
            jacks += one
            free_jacks += free

    marriages = marriage_open & (marriage_open >> ONE) & (marriage_new | (marriage_new >> ONE))
    sequences = ~np.uint64(0)
    new = np.uint64(0)
    for step in range(5):
        sequences &= sequence_open >> np.uint64(step)
        new |= sequence_new >> np.uint64(step)
    sequences &= new
    if not rules.plain_sequences:
        trump = np.int64(state.common.trump)
        sequences &= SUIT << np.uint64(8 * trump) if trump >= 0 else np.uint64(0)
    actions = ONE
    for suit in range(4):
        actions |= ((marriages >> np.uint64(8 * suit + QUEEN)) & ONE) << np.uint64(MARRIAGE + suit)
        actions |= ((sequences >> np.uint64(8 * suit + JACK)) & ONE) << np.uint64(SEQUENCE + suit)

    if (queens | jacks) & EIGHT:  # one of them new
        if (queens & EIGHT) + free_queens and (jacks & EIGHT) + free_jacks:
            actions |= ONE << np.uint64(BEZIQUE)
        open_queens = queens & EIGHT
        open_jacks = jacks & EIGHT
        for level in range(2, rules.levels + 1):
            open_queens += (queens >> np.uint64(8 * (level - 1))) & EIGHT
            open_jacks += (jacks >> np.uint64(8 * (level - 1))) & EIGHT
            again_queens = open_queens
            again_jacks = open_jacks
            if rules.reform == ADDED:
                again_queens += (queens >> np.uint64(8 * level)) & EIGHT
                again_jacks += (jacks >> np.uint64(8 * level)) & EIGHT
            if min(again_queens, again_jacks) >= np.uint64(level):
                actions |= ONE << np.uint64(BEZIQUE + level - 1)

    for action in range(FOUR, FOUR + 4):
        rank = np.uint64(four_rank(action))
        place = np.uint64(8) * rank
        if (public.credit >> rank) & ONE or (
            (four_open >> place) & EIGHT >= np.uint64(4) and (four_new >> place) & EIGHT
        ):
            actions |= ONE << np.uint64(action)
    return actions


@kernel
def is_picked(choice, place):
    """Return whether the card at this place of the table has been picked already."""
    for i in range(choice.count):
        if choice.place[i] == place:
            return True
    return False


@kernel
def picked_from_hand(choice, card):
    """Return how many copies of a card have been picked from the hand."""
    count = 0
    for i in range(choice.count):
        if choice.place[i] == HAND and choice.type[i] == card:
            count += 1
    return count


@kernel
def preference(slot, kind):
    """Return how gladly a card on the table is used: what is spent already first, then what is new."""
    if not is_new(slot, kind):
        return 3 + (slot.used & LEVELS if kind == A_BEZIQUE else 0)
    if kind == A_SEQUENCE and slot.used & USED_MARRIAGE != 0:
        return 2
    return 1


@kernel
def best_copy(state, player, card, kind, level, only_new):
    """Return place and preference of the copy of `card` to use next; of equal ones a declared one before a captured.

    Returns
    -------
    place, preference : int
        A place on the table, ``HAND``, or ``NOWHERE`` with preference -1.
    """
    choice = state.choice
    public = state.public[player]
    place = NOWHERE
    best = -1
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if slot.type == card and is_open(slot, kind, level, state.rules.reform):
            worth = preference(slot, kind)
            better = worth > best or (worth == best and slot.used < CAPTURED <= public.table[place].used)
            if better and not (only_new and not is_new(slot, kind)) and not is_picked(choice, i):
                best = worth
                place = i
    if place == NOWHERE and state.private[player].hand[card] > picked_from_hand(choice, card):
        return HAND, 0
    return place, best


@kernel
def pick(state, card, place):
    """Note a card for the combination that is being made."""
    choice = state.choice
    choice.type[choice.count] = card
    choice.place[choice.count] = place
    choice.count += 1


@kernel
def pick_best(state, player, card, kind, level):
    """Pick the best copy of a card."""
    place, _ = best_copy(state, player, card, kind, level, False)
    pick(state, card, place)


@kernel
def has_new(state, player, kind):
    """Return whether one of the picked cards is new."""
    choice = state.choice
    for i in range(choice.count):
        place = choice.place[i]
        if place == HAND or is_new(state.public[player].table[place], kind):
            return True
    return False


@kernel
def ensure_new(state, player, kind, level, barred=-1):
    """Exchange one picked card for a new copy if none is new: from the table if possible, else not `barred`."""
    if has_new(state, player, kind):
        return
    choice = state.choice
    for from_hand in range(2):
        for i in range(choice.count):
            place, _ = best_copy(state, player, choice.type[i], kind, level, True)
            if place == HAND and choice.type[i] == barred:
                continue
            if place != NOWHERE and (place == HAND) == (from_hand == 1):
                choice.place[i] = place
                return


@kernel
def pick_four(state, player, rank):
    """Pick four cards of a rank, the ones spent already first, then over the suits in order."""
    for _ in range(4):
        chosen = -1
        chosen_place = NOWHERE
        best = -1
        for suit in range(4):
            card = 8 * suit + rank
            place, worth = best_copy(state, player, card, A_FOUR, 1, False)
            if worth > best:
                chosen, chosen_place, best = card, place, worth
        pick(state, chosen, chosen_place)


@kernel
def needs_picking(state, player, action):
    """Return whether a declared four leaves the player a choice of cards."""
    rank = four_rank(action)
    if (state.public[player].credit >> np.uint64(rank)) & ONE:
        return False
    types = 0
    copies = 0
    for suit in range(4):
        found = open_copies(state, player, 8 * suit + rank, A_FOUR, 1)
        copies += found
        types += found > 0
    return copies > 4 and types > 1


@kernel
def open_picks(state, player):
    """Return the card types that may be picked next for a four, as a mask of actions."""
    choice = state.choice
    rank = four_rank(choice.declared)
    must_be_new = choice.count == 3 and not has_new(state, player, A_FOUR)
    mask = np.uint64(0)
    for suit in range(4):
        card = 8 * suit + rank
        place, _ = best_copy(state, player, card, A_FOUR, 1, must_be_new)
        if place != NOWHERE:
            mask |= bit_of(card)
    return mask


@kernel
def pick_for_four(state, player, card):
    """Pick one more card for a four; the last is a new one when none was yet."""
    must_be_new = state.choice.count == 3 and not has_new(state, player, A_FOUR)
    place, _ = best_copy(state, player, card, A_FOUR, 1, must_be_new)
    pick(state, card, place)


@kernel
def dissolve(public, used, kind):
    """Break the scored combination of this kind that a card lies in, since it goes over to another."""
    marriage, sequence, bezique, four = used.marriage, used.sequence, used.bezique, used.four
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if kind == A_MARRIAGE:
            if slot.marriage == marriage:
                slot.marriage = 0
        elif kind == A_SEQUENCE:
            if slot.sequence == sequence:
                slot.sequence = 0
        elif kind == A_BEZIQUE:
            if slot.bezique == bezique:
                slot.bezique = 0
        elif slot.four == four:
            slot.four = 0


@kernel
def record(state, player, kind, level):
    """Lay the picked cards that are in the hand and mark all as one scored combination."""
    choice = state.choice
    public = state.public[player]
    public.combinations += 1
    name = public.combinations
    for i in range(choice.count):
        place = choice.place[i]
        if place == HAND:
            place = lay(state, player, choice.type[i])
        slot = public.table[place]
        if state.rules.reform == ADDED:
            dissolve(public, slot, kind)
        if kind == A_MARRIAGE:
            slot.used |= USED_MARRIAGE
            slot.marriage = name
        elif kind == A_SEQUENCE:
            slot.used |= USED_SEQUENCE
            slot.sequence = name
        elif kind == A_BEZIQUE:
            slot.used = (slot.used & (255 - LEVELS)) | (LEVEL * level)
            if level == 1:
                slot.bezique = name
        else:
            slot.used |= USED_TRUMP_FOUR if kind == A_TRUMP_FOUR else USED_FOUR
            slot.four = name
    choice.count = 0
    choice.declared = -1


@kernel
def declare_run(state, player, kind, suit, barred=-1):
    """Score a marriage or a sequence of a suit; `barred` is a card that must not be laid beside another of it."""
    for rank in range(JACK, ACE + 1):
        if kind == A_SEQUENCE or rank == QUEEN or rank == KING:
            pick_best(state, player, 8 * suit + rank, kind, 1)
    ensure_new(state, player, kind, 1, barred)
    record(state, player, kind, 1)


@kernel
def declare_bezique(state, player, level):
    """Score a bezique of a level: one, two, three or four of each card."""
    for _ in range(level):
        pick_best(state, player, JACK_OF_DIAMONDS, A_BEZIQUE, level)
    for _ in range(level):
        pick_best(state, player, QUEEN_OF_SPADES, A_BEZIQUE, level)
    ensure_new(state, player, A_BEZIQUE, level)
    record(state, player, A_BEZIQUE, level)


@kernel
def declare_four(state, player, action):
    """Score a four whose cards need no choice; a credit is used up first, and lays no card."""
    public = state.public[player]
    rank = four_rank(action)
    if (public.credit >> np.uint64(rank)) & ONE:
        public.credit &= ~(ONE << np.uint64(rank))
        return
    pick_four(state, player, rank)
    if not has_new(state, player, A_FOUR):
        for suit in range(4):
            place, _ = best_copy(state, player, 8 * suit + rank, A_FOUR, 1, True)
            if place != NOWHERE:
                state.choice.type[3] = 8 * suit + rank
                state.choice.place[3] = place
                break
    record(state, player, A_FOUR, 1)


@kernel
def make(state, player, action):
    """Make the combination of a declare action: lay its cards and mark them.

    Returns
    -------
    bool
        False when the player has to choose the cards of a four first; ``state.choice.declared`` is then the action.
    """
    if action >= FOUR:
        if needs_picking(state, player, action):
            state.choice.declared = action
            return False
        declare_four(state, player, action)
    elif action >= BEZIQUE:
        declare_bezique(state, player, action - BEZIQUE + 1)
    elif action >= SEQUENCE:
        declare_run(state, player, A_SEQUENCE, action - SEQUENCE)
    else:
        declare_run(state, player, A_MARRIAGE, action - MARRIAGE)
    return True


@kernel
def enter(tally, place, player, value, trick):
    """Enter a scored combination into the tally: its points, its count, and the trick it was first scored after."""
    tally.points[place, player] += value
    tally.count[place, player] += 1
    if tally.first[place, player] == MISSING:
        tally.first[place, player] = trick


@kernel
def earn_credit(state, player, card):
    """Note that a court or an ace is played from the hand while a scored four of its rank lies unbroken.

    The book: who has scored four aces may lead or play another ace and claim aces again.
    """
    rank = card & 7
    if state.rules.reform == 0 or rank < JACK or rank == TEN:
        return
    public = state.public[player]
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if slot.type & 7 == rank and slot.four != 0:
            public.credit |= ONE << np.uint64(rank)


@kernel
def meld_index(action, suit_is_trump):
    """Return the index into ``MELDS`` of a declaration."""
    if action < SEQUENCE:
        return 1 if suit_is_trump else 0
    if action < BEZIQUE:
        return 3 if suit_is_trump else 2
    return action - 5


@kernel
def meld_value(rules, meld):
    """Return what a combination of ``MELDS`` scores; the rules name each."""
    if meld == 0:
        return rules.marriage
    if meld == 1:
        return rules.royal_marriage
    if meld == 2:
        return rules.sequence
    if meld == 3:
        return rules.royal_sequence
    if meld == 4:
        return rules.bezique
    if meld == 5:
        return rules.double_bezique
    if meld == 6:
        return rules.triple_bezique
    if meld == 7:
        return rules.quadruple_bezique
    if meld == 8:
        return rules.aces
    if meld == 9:
        return rules.kings
    if meld == 10:
        return rules.queens
    return rules.jacks
