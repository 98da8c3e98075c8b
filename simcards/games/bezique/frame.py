"""The frame that the games of the bezique family share: cards, records, tricks, drawing.

Cards are codes ``8 * suit + rank`` with the ranks low to high 7 8 9 J Q K T A and the suits S H D C. A hand is a count
of each of the 32 types and a mask of the types present. Cards that were declared lie on the table in the order in
which they were laid, each with what it has been scored in.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from simcards.kernel.compiled import kernel
from simcards.kernel.memory import eight_of
from simcards.kernel.shuffle import shuffle_prefix

RANKS = "789JQKTA"
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
TYPES = 32
QUEEN_OF_SPADES = 8 * SPADES + QUEEN
JACK_OF_DIAMONDS = 8 * DIAMONDS + JACK

ONE = np.uint64(1)
COURTS = np.uint64(0x38383838)  # J Q K of the four suits
BRISQUES = np.uint64(0xC0C0C0C0)  # T and A
SUIT = np.uint64(0xFF)
RANK_BYTES = np.uint64(0x0101010101010101)  # one in each of eight counts in a word
CAPTURED = 128  # in `used` of a slot
TABLE = 32  # action: TABLE + type plays a card from the table, type alone one from the hand

# One card on the table. `used` holds what it was scored in: 1 marriage, 2 four, 4 * level bezique, 32 sequence, 64 four
# of trumps; and 128 for a card captured in a trick (`polish-bezique`), which can be scored and not played.
# The other fields name the scored combination it belongs to, 0 when there is none or it has been broken.
SLOT = np.dtype(
    [
        ("type", "u1"),
        ("used", "u1"),
        ("marriage", "u1"),
        ("sequence", "u1"),
        ("bezique", "u1"),
        ("four", "u1"),
    ]
)


def public_dtype(hand: int, captured: int = 0) -> np.dtype:
    """Return what everybody knows of a player.

    Parameters
    ----------
    hand : int
        Cards in a full hand: no more can lie on the table of those that were declared.
    captured : int
        Cards that can lie there besides, because they were captured in tricks.

    Returns
    -------
    numpy.dtype
        ``table``, ``laid`` (how many lie there), ``table_mask`` (those that can be played), ``shown`` (cards in the
        hand that the other player knows), ``credit`` (bit r: a further four of rank r may be scored),
        ``combinations`` (count of scored ones), ``chain`` (whether carte blanche may go on), ``cards`` in the hand, and
        the score so far.
    """
    return np.dtype(
        [
            ("table", SLOT, (hand + captured,)),
            ("shown", "u1", (TYPES,)),
            ("table_mask", "u8"),
            ("credit", "u8"),
            ("laid", "i4"),
            ("combinations", "i4"),
            ("chain", "i4"),
            ("cards", "i4"),
            ("points", "i4"),
            ("tricks", "i4"),
            ("brisques", "i4"),
        ],
        align=True,
    )


# What a player alone knows; `may_show`: carte blanche is to be shown or not
PRIVATE = np.dtype([("hand", "u1", (TYPES,)), ("mask", "u8"), ("drawn", "i4"), ("may_show", "i4")], align=True)

# What lies between the players. `seen` counts the cards played so far; `led` is -1 before the lead; `trump` is -1
# while there is none; `stock` counts the cards still to be drawn; `turn_up` is -1 where there is none.
COMMON = np.dtype(
    [
        ("seen", "u1", (TYPES,)),
        ("stage", "i4"),
        ("turn", "i4"),
        ("leader", "i4"),
        ("led", "i4"),
        ("trump", "i4"),
        ("stock", "i4"),
        ("trick", "i4"),
        ("pone", "i4"),
        ("turn_up", "i4"),
        ("scored_sevens", "i4", (2,)),
        ("deals", "i4"),
        ("winner", "i4"),
    ],
    align=True,
)

# The cards being chosen for a combination: `declared` is the action, -1 when there is none
CHOICE = np.dtype(
    [("declared", "i8"), ("count", "i8"), ("type", "i8", (8,)), ("place", "i8", (8,))],
    align=True,
)

# The deal of eight cards by 3, 2 and 3: whether a place of the dealing order is the pone's
DEALT = (0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1)  # 0 the pone
TO_PONE = np.array([1 - seat for seat in DEALT])

# Stages of a deal; where the last trick may be declined, TAKING comes after it
DEALING, SHOWING, DECLARING, PICKING, PLAYING, OVER, TAKING = range(7)


@kernel
def suit_of(card):
    """Return the suit of a card."""
    return card >> 3


@kernel
def rank_of(card):
    """Return the rank of a card."""
    return card & 7


@kernel
def bit_of(card):
    """Return the mask of one card type."""
    return ONE << np.uint64(card)


# What the players of the family look at is named alike in views and states but for three things. With these functions
# they can also play on from a state, as the one whose turn it is, and a search need not copy what he sees.


def own_cards(view):
    """Return what a player alone knows, from his view or from a state in which it is his turn."""


def own_side(view):
    """Return what everybody knows of the player."""


def other_side(view):
    """Return what everybody knows of his opponent."""


@overload(own_cards, strict=False)
def _own_cards(view):
    if "own" in view.fields:
        return lambda view: view.own
    return lambda view: view.private[np.int64(view.common.turn)]


@overload(own_side, strict=False)
def _own_side(view):
    if "own" in view.fields:
        return lambda view: view.public[0]
    return lambda view: view.public[np.int64(view.common.turn)]


@overload(other_side, strict=False)
def _other_side(view):
    if "own" in view.fields:
        return lambda view: view.public[1]
    return lambda view: view.public[1 - np.int64(view.common.turn)]


@kernel
def types_with(counts, copies):
    """Return the types of which there are at least so many copies, as a mask of cards; `counts` is by type."""
    mask = np.uint64(0)
    for suit in range(4):
        enough = bytes_with(eight_of(counts, suit), copies)
        mask |= ((enough * np.uint64(0x0102040810204080)) >> np.uint64(56)) << np.uint64(8 * suit)
    return mask


@kernel
def bytes_with(word, least):
    """Return a one in each byte of a word of small counts that is at least `least`."""
    return ((word + np.uint64(128 - least) * RANK_BYTES) >> np.uint64(7)) & RANK_BYTES


@kernel
def count_by_rank(counts):
    """Return the counts of a hand by rank, eight bits each."""
    return eight_of(counts, 0) + eight_of(counts, 1) + eight_of(counts, 2) + eight_of(counts, 3)


@kernel
def count_all_types(counts):
    """Return the sum of counts by type."""
    return np.int64((count_by_rank(counts) * RANK_BYTES) >> np.uint64(56))


@kernel
def clear_cards(state):
    """Take all cards away before a deal."""
    common = state.common
    common.seen[:] = 0
    common.led = -1
    common.trump = -1
    common.turn_up = -1
    state.choice.declared = -1
    state.choice.count = 0
    common.scored_sevens[:] = 0
    for player in range(state.public.shape[0]):
        own = state.private[player]
        own.hand[:] = 0
        own.mask = np.uint64(0)
        own.drawn = -1
        own.may_show = 0
        public = state.public[player]
        public.laid = 0
        public.table_mask = np.uint64(0)
        public.shown[:] = 0
        public.credit = np.uint64(0)
        public.combinations = 0
        public.chain = 0
        public.cards = 0


@kernel
def give(state, player, card):
    """Put a card into a hand."""
    own = state.private[player]
    own.hand[card] += 1
    own.mask |= bit_of(card)
    state.public[player].cards += 1


@kernel
def leave_hand(state, player, card):
    """Take a card out of a hand; a copy that the other player knows goes first."""
    own = state.private[player]
    own.hand[card] -= 1
    if own.hand[card] == 0:
        own.mask &= ~bit_of(card)
    public = state.public[player]
    public.cards -= 1
    if public.shown[card] > 0:
        public.shown[card] -= 1


@kernel
def lay(state, player, card):
    """Move a card from the hand to the end of the table row and return its place there."""
    leave_hand(state, player, card)
    public = state.public[player]
    place = np.int64(public.laid)
    slot = public.table[place]
    slot.type = card
    slot.used = 0
    slot.marriage = 0
    slot.sequence = 0
    slot.bezique = 0
    slot.four = 0
    public.laid = place + 1
    public.table_mask |= bit_of(card)
    return place


@kernel
def capture(state, player, card, used):
    """Lay a card of a trick before its winner: it serves for combinations and is not played again.

    Parameters
    ----------
    state : record
        The position; the card is among those played.
    player, card : int
        Who won which card.
    used : int
        What it has been scored in already.
    """
    state.common.seen[card] -= 1
    public = state.public[player]
    slot = public.table[np.int64(public.laid)]
    slot.type = card
    slot.used = used | CAPTURED
    slot.marriage = 0
    slot.sequence = 0
    slot.bezique = 0
    slot.four = 0
    public.laid += 1


@kernel
def most_used(public, card):
    """Return the place of the copy of a card that leaves the table first, and how many copies can be played."""
    place = -1
    copies = 0
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if slot.type == card and slot.used < CAPTURED:
            copies += 1
            if place < 0 or slot.used > public.table[place].used:
                place = i
    return place, copies


@kernel
def leave_table(state, player, card):
    """Take a card off the table: of several copies the most used one, and of those the first laid.

    Every scored combination it belongs to is broken, so the cards left of it are free again.
    """
    public = state.public[player]
    place, copies = most_used(public, card)
    gone = public.table[place]
    marriage, sequence, bezique, four = gone.marriage, gone.sequence, gone.bezique, gone.four
    public.laid -= 1
    for i in range(place, public.laid):
        public.table[i] = public.table[i + 1]
    if copies == 1:
        public.table_mask &= ~bit_of(card)
    unbroken = False
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if slot.marriage == marriage:
            slot.marriage = 0
        if slot.sequence == sequence:
            slot.sequence = 0
        if slot.bezique == bezique:
            slot.bezique = 0
        if slot.four == four:
            slot.four = 0
        unbroken |= slot.four != 0 and slot.type & 7 == card & 7
    if not unbroken:
        public.credit &= ~bit_of(rank_of(card))


@kernel
def take_up_table(state, player):
    """Return all declared cards to the hand; the other player knows them. Captured ones are out of play."""
    public = state.public[player]
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        card = np.int64(slot.type)
        if slot.used < CAPTURED:
            give(state, player, card)
            public.shown[card] += 1
        else:
            state.common.seen[card] += 1
    public.laid = 0
    public.table_mask = np.uint64(0)
    public.credit = np.uint64(0)


@kernel
def reply_wins(led, reply, trump):
    """Return whether the second card wins the trick; of two like cards the first does."""
    if led >> 3 == reply >> 3:
        return reply > led
    return reply >> 3 == trump


@kernel
def forced_replies(mask, led, trump, heading=True):
    """Return the cards that may be played to a led card when the stock is gone.

    Follow suit and, with `heading`, win the trick if able; without the suit trump if able; else any card.
    """
    suit = led >> 3
    following = mask & (SUIT << np.uint64(8 * suit))
    if following:
        higher = following & ~((np.uint64(2) << np.uint64(led)) - ONE)
        return higher if heading and higher else following
    if trump >= 0:
        trumps = mask & (SUIT << np.uint64(8 * trump))
        if trumps:
            return trumps
    return mask


@kernel
def playable(state, heading=True):
    """Return the mask of cards that the player to play may play; for `heading` see `forced_replies`."""
    common = state.common
    player = np.int64(common.turn)
    hand = state.private[player].mask
    if common.stock > 0:
        return hand | (state.public[player].table_mask << np.uint64(TABLE))
    if common.led >= 0:
        return forced_replies(hand, common.led, common.trump, heading)
    return hand


@kernel
def brisques_in(led, reply):
    """Return how many of the two cards of a trick are aces or tens."""
    return np.int64(rank_of(led) >= TEN) + np.int64(rank_of(reply) >= TEN)


@kernel
def take_out(state, player, action):
    """Play a card from the hand or the table and return its code."""
    card = action & (TABLE - 1)
    if action >= TABLE:
        leave_table(state, player, card)
    else:
        leave_hand(state, player, card)
    state.common.seen[card] += 1
    return card


@kernel
def draw(state, player, card):
    """Give a drawn card to a player."""
    give(state, player, card)
    state.private[player].drawn = card
    state.common.stock -= 1


@kernel
def deal_turned(state, deck, to_pone):
    """Deal the places of `to_pone`, 1 for the pone's, turn up the next card for trumps, and let the pone lead."""
    common = state.common
    clear_cards(state)
    dealt = to_pone.shape[0]
    for place in range(deck.shape[0]):
        state.deck[place] = deck[place]
    for place in range(dealt):
        give(state, common.pone if to_pone[place] else 1 - common.pone, np.int64(deck[place]))
    turn_up = np.int64(deck[dealt])
    state.next = dealt + 1
    common.turn_up = turn_up
    common.trump = suit_of(turn_up)
    common.stock = deck.shape[0] - dealt
    common.deals += 1
    common.leader = common.pone
    common.turn = common.pone
    common.stage = PLAYING


@kernel
def exchange_turn_up(state, player, lowest=SEVEN):
    """Exchange the seven, or another lowest card, of trumps in a hand for the turn-up."""
    common = state.common
    seven = 8 * common.trump + lowest
    leave_hand(state, player, seven)
    give(state, player, common.turn_up)
    state.public[player].shown[common.turn_up] += 1
    if common.turn_up == seven:  # that one has scored already
        common.scored_sevens[player] += 1
    common.turn_up = seven


@kernel
def draw_turned(state):
    """Each draws a card, the winner of the trick (or the pone) first, the turn-up last; then the winner leads."""
    common = state.common
    first = np.int64(common.leader if state.rules.draw_order == 0 else common.pone)
    for k in range(2):
        player = first ^ k
        if common.stock > 1:
            card = np.int64(state.deck[state.next])
            state.next += 1
        else:
            card = common.turn_up
            state.public[player].shown[card] += 1
        draw(state, player, card)
    if common.stock == 0:
        take_up_table(state, 0)
        take_up_table(state, 1)
    common.stage = PLAYING
    common.turn = common.leader


def places_turned(pack, dealt=DEALT):
    """Return the places of the dealing order that make up each hand, the turn-up and the stock, of `pack` cards."""
    return {
        "pone": [place for place, seat in enumerate(dealt) if seat == 0],
        "dealer": [place for place, seat in enumerate(dealt) if seat == 1],
        "turn-up": [len(dealt)],
        "stock": list(range(len(dealt) + 1, pack)),
    }


@kernel
def observe_frame(state, player, view):
    """Write what `player` knows: ``view.public[0]`` is the player, ``view.public[1]`` the opponent."""
    view.common = state.common
    if state.common.stage == PICKING:
        view.choice = state.choice
    else:  # a view is used again and again
        view.choice.declared = -1
        view.choice.count = 0
    view.own = state.private[player]
    view.public[0] = state.public[player]
    view.public[1] = state.public[1 - player]
    view.seat = player


@kernel
def count_cards(state, counts):
    """Add every card in hands, on tables and played to `counts`."""
    for card in range(TYPES):
        counts[card] += state.common.seen[card]
        for player in range(state.public.shape[0]):
            counts[card] += state.private[player].hand[card]
    for player in range(state.public.shape[0]):
        public = state.public[player]
        for i in range(np.int64(public.laid)):
            counts[public.table[i].type] += 1


@kernel
def sample_hidden(view, copies, rng, hidden, deck):
    """Deal the cards that the player of `view` cannot locate: the opponent's hand, then the end of `deck`.

    Parameters
    ----------
    view : record
        What the player knows.
    copies : int
        Copies of each card in the pack.
    rng : ndarray of uint64
        Random stream.
    hidden : PRIVATE
        The opponent's hand, overwritten.
    deck : ndarray of uint8
        Its last places become the stock.
    """
    other = view.public[1]
    pool = np.empty(deck.shape[0], np.uint8)
    size = 0
    hidden.mask = np.uint64(0)
    hidden.drawn = -1
    hidden.may_show = 0
    held = 0
    lying = np.zeros(TYPES, np.uint8)
    for side in range(2):
        public = view.public[side]
        for i in range(np.int64(public.laid)):
            lying[public.table[i].type] += 1
    for card in range(TYPES):
        hidden.hand[card] = other.shown[card]
        held += other.shown[card]
        if other.shown[card]:
            hidden.mask |= bit_of(card)
        unseen = copies - view.common.seen[card] - view.own.hand[card] - other.shown[card] - lying[card]
        if view.common.stock > 0 and view.common.turn_up == card:
            unseen -= 1
        for _ in range(unseen):
            pool[size] = card
            size += 1
    shuffle_prefix(rng, pool[:size], size)
    for i in range(size):
        card = np.int64(pool[i])
        if held < other.cards:
            held += 1
            hidden.hand[card] += 1
            hidden.mask |= bit_of(card)
            hidden.drawn = card
        else:
            deck[deck.shape[0] - size + i] = card
