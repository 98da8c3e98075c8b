"""The cards of bezique for three and four: records, dealing, what must be played, what is seen, sampled worlds."""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import FOUR_HANDED, THREE_HANDED
from simcards.games.bezique.frame import (
    CHOICE,
    DEALING,
    ONE,
    PICKING,
    PLAYING,
    PRIVATE,
    SUIT,
    TYPES,
    bit_of,
    clear_cards,
    count_cards,
    give,
    public_dtype,
    suit_of,
)
from simcards.games.bezique.ledger import MELDS
from simcards.games.bezique.many_melds import DESK, HAND
from simcards.games.game import rules_dtype
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements
from simcards.kernel.shuffle import shuffle_prefix

SEATS = 4  # room; with three the last place stays empty
PACK = FOUR_HANDED.pack.size
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(FOUR_HANDED.rules)
PACKETS = (3, 2, 3)
EIGHT_OF_CLUBS = FOUR_HANDED.pack.code("8C")

SCORED = tuple(meld for meld in MELDS if meld not in ("sequence", "quadruple_bezique"))
PLACE = np.array([SCORED.index(meld) if meld in SCORED else 0 for meld in MELDS])  # of a meld in the tally

# What lies between the players; see `frame.COMMON`. `played` are the cards of this trick by player, -1 for none yet;
# `best` is the one that wins so far, `ahead` who played it; `stock` counts the turn-up too, `draws` how often each
# will still draw; `scored` and `shown` say what has happened after this trick, `showing` that a combination is being
# laid which is not scored; `pair` is the player whose left neighbour is his partner for the last eight tricks, or -1
COMMON = np.dtype(
    [
        ("seen", "u1", (TYPES,)),
        ("stage", "i4"),
        ("turn", "i4"),
        ("leader", "i4"),
        ("led", "i4"),
        ("played", "i4", (SEATS,)),
        ("best", "i4"),
        ("ahead", "i4"),
        ("trump", "i4"),
        ("stock", "i4"),
        ("draws", "i4"),
        ("trick", "i4"),
        ("pone", "i4"),
        ("turn_up", "i4"),
        ("scored_sevens", "i4", (SEATS,)),
        ("scored", "i4"),
        ("shown", "i4"),
        ("showing", "i4"),
        ("pair", "i4"),
        ("deals", "i4"),
        ("winner", "i4"),
    ],
    align=True,
)

# What is counted through a game, a value for each player
TALLY = np.dtype(
    [
        ("points", "i4", (len(SCORED), SEATS)),
        ("count", "i4", (len(SCORED), SEATS)),
        ("first", "i4", (len(SCORED), SEATS)),
        ("seven", "i4", (SEATS,)),
        ("brisques", "i4", (SEATS,)),
        ("last_trick", "i4", (SEATS,)),
        ("joint", "i4", (SEATS,)),
        ("joint_points", "i4", (SEATS,)),
        ("shown", "i4", (SEATS,)),
    ],
    align=True,
)

STATE = protocol.record(
    "many_bezique",
    [
        ("rules", RULES),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("private", PRIVATE, (SEATS,)),
        ("choice", CHOICE),
        ("due", "i8", (SEATS,)),
        ("tally", TALLY),
        ("desk", DESK),  # of the declaration at hand; nothing is kept there
    ],
)
VIEW = protocol.record(
    "many_bezique_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (SEATS,)),
        ("own", PRIVATE),
        ("choice", CHOICE),
        ("due", "i8", (SEATS,)),
    ],
)


@implements(protocol.begin, STATE)
def _begin(state):
    common = state.common
    common.stage = DEALING
    common.deals = 0
    common.pone = 0
    common.trick = 0
    common.winner = -1
    common.stock = 0
    common.draws = 0
    common.played[:] = -1
    common.best = -1
    common.ahead = -1
    common.scored = 0
    common.shown = 0
    common.showing = 0
    common.pair = -1
    state.next = 0
    state.due[:] = 0
    clear_cards(state)
    for player in range(SEATS):
        public = state.public[player]
        public.points = 0
        public.tricks = 0
        public.brisques = 0
    clear_tally(state.tally)


@kernel
def clear_tally(tally):
    """Clear what is counted."""
    tally.points[:] = 0
    tally.count[:] = 0
    tally.first[:] = MISSING
    tally.seven[:] = 0
    tally.brisques[:] = 0
    tally.last_trick[:] = 0
    tally.joint[:] = 0
    tally.joint_points[:] = 0
    tally.shown[:] = 0


@kernel
def after(state, player, steps):
    """Return the player so many places to the left."""
    return (player + steps) % np.int64(state.rules.players)


@kernel
def pack_size(rules):
    """Return how many cards are in the pack."""
    return TYPES * np.int64(rules.packs) - np.int64(rules.remove_eights)


@kernel
def deal_round(state, deck):
    """Deal by 3, 2 and 3 from the first player on, turn up the next card for trumps, and let the first player lead."""
    common = state.common
    clear_cards(state)
    size = deck.shape[0]
    for place in range(size):
        state.deck[place] = deck[place]
    players = np.int64(state.rules.players)
    place = 0
    for packet in PACKETS:
        for k in range(players):
            for _ in range(packet):
                give(state, after(state, np.int64(common.pone), k), np.int64(deck[place]))
                place += 1
    turn_up = np.int64(deck[place])
    state.next = place + 1
    state.due[:] = 0
    common.turn_up = turn_up
    common.trump = suit_of(turn_up)
    common.stock = size - place
    common.draws = (size - place) // players
    common.deals += 1
    common.leader = common.pone
    common.turn = common.pone
    common.played[:] = -1
    common.best = -1
    common.ahead = -1
    common.scored = 0
    common.shown = 0
    common.showing = 0
    common.pair = -1
    common.stage = PLAYING


@kernel
def forced_cards(mask, led, best, trump, undertrump):
    """Return the cards that may be played to a trick when the stock is gone.

    Follow suit and win the trick if able; without the suit win it with a trump if able; else any card.

    Parameters
    ----------
    mask : uint64
        Cards in the hand.
    led, best : int
        The card led, and the one that wins so far.
    trump : int
        Suit of trumps.
    undertrump : int
        Whether a player who can neither follow nor win must trump if able.
    """
    suit = suit_of(led)
    higher = ~((np.uint64(2) << np.uint64(best)) - ONE)
    following = mask & (SUIT << np.uint64(8 * suit))
    if following:
        if suit_of(best) != suit:  # trumped already
            return following
        return following & higher if following & higher else following
    trumps = mask & (SUIT << np.uint64(8 * trump))
    if trumps:
        winning = trumps & higher if suit_of(best) == trump else trumps
        if winning:
            return winning
        if undertrump:
            return trumps
    return mask


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    view.common = state.common
    if state.common.stage == PICKING:
        view.choice = state.choice
    else:  # a view is used again and again
        view.choice.declared = -1
        view.choice.count = 0
    view.own = state.private[player]
    for k in range(np.int64(state.rules.players)):
        view.public[k] = state.public[after(state, player, k)]
        view.due[k] = state.due[after(state, player, k)]
    view.seat = player


@implements(protocol.census, STATE)
def _census(state, counts):
    count_cards(state, counts)
    if state.common.stage != DEALING:
        for place in range(state.next, pack_size(state.rules)):
            counts[state.deck[place]] += 1
        if state.common.stock > 0:
            counts[state.common.turn_up] += 1


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.choice = view.choice
    me = view.seat
    rules = view.rules
    players = np.int64(rules.players)
    size = pack_size(rules)
    for k in range(players):
        player = (me + k) % players
        state.public[player] = view.public[k]
        state.due[player] = view.due[k]
    state.private[me] = view.own
    pool = np.empty(size, np.uint8)
    unknown = 0
    for card in range(TYPES):
        unseen = np.int64(rules.packs) - np.int64(view.common.seen[card]) - np.int64(view.own.hand[card])
        if card == EIGHT_OF_CLUBS:
            unseen -= np.int64(rules.remove_eights)
        if view.common.stock > 0 and view.common.turn_up == card:
            unseen -= 1
        for k in range(players):
            public = view.public[k]
            if k > 0:
                unseen -= np.int64(public.shown[card])
            if public.table_mask & bit_of(card):
                for i in range(np.int64(public.laid)):
                    unseen -= public.table[i].type == card
        for _ in range(unseen):
            pool[unknown] = card
            unknown += 1
    shuffle_prefix(rng, pool[:unknown], unknown)
    given = 0
    for k in range(1, players):
        hidden = state.private[(me + k) % players]
        public = view.public[k]
        hidden.mask = np.uint64(0)
        hidden.drawn = -1
        hidden.may_show = 0
        held = 0
        for card in range(TYPES):
            hidden.hand[card] = public.shown[card]
            if public.shown[card]:
                held += np.int64(public.shown[card])
                hidden.mask |= bit_of(card)
        for place in range(given, given + np.int64(public.cards) - held):
            card = np.int64(pool[place])
            hidden.hand[card] += 1
            hidden.mask |= bit_of(card)
        given += np.int64(public.cards) - held
    state.next = size - (unknown - given)
    for place in range(given, unknown):
        state.deck[size - unknown + place] = pool[place]
    clear_tally(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(SEATS, VIEW)


def places_of(rules):
    """Return the places of the dealing order that make up each hand, the turn-up and the stock, for encoded rules."""
    players = rules["players"]
    seats = (THREE_HANDED if players == 3 else FOUR_HANDED).seats
    places: dict[str, list[int]] = {seat: [] for seat in seats}
    place = 0
    for packet in PACKETS:
        for seat in seats:
            places[seat] += range(place, place + packet)
            place += packet
    size = TYPES * rules["packs"] - rules["remove_eights"]
    return {**places, "turn-up": [place], "stock": list(range(place + 1, size))}
