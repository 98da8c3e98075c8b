"""What the games of the bezique family without a turn-up share, in which a deal is a game of its own.

Dealing by threes, carte blanche shown before the first card and kept up by what is drawn, tricks, drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcards.games.bezique.frame import (
    CHOICE,
    COMMON,
    COURTS,
    DEALING,
    DECLARING,
    ONE,
    PLAYING,
    PRIVATE,
    SHOWING,
    brisques_in,
    clear_cards,
    count_cards,
    draw,
    give,
    reply_wins,
    sample_hidden,
    take_out,
    take_up_table,
)
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING

# Whether a player is to be asked for carte blanche; a drawn court ends it, as everybody sees when he does not show
NO, YES, DREW_COURT = range(3)


def state_fields(rules: np.dtype[Any], pack: int, public: np.dtype[Any], melds: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the fields of the state.

    Parameters
    ----------
    rules : numpy.dtype
        Type of the rules.
    pack : int
        Cards in the pack.
    public : numpy.dtype
        What everybody knows of a player.
    melds : sequence of str
        The combinations that are counted.

    Returns
    -------
    list of tuple
        ``tally`` counts through a deal, a value for each player.
    """
    tally = np.dtype(
        [
            ("points", "i4", (len(melds), 2)),
            ("count", "i4", (len(melds), 2)),
            ("first", "i4", (len(melds), 2)),
            ("blanches", "i4", (2,)),
            ("last_trick", "i4", (2,)),
            ("trump_trick", "i4"),
            ("trump_maker", "i4", (2,)),
        ],
        align=True,
    )
    return [
        ("rules", rules),
        ("deck", "u1", (pack,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", public, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("tally", tally),
    ]


def view_fields(rules: np.dtype[Any], public: np.dtype[Any]) -> list[tuple[Any, ...]]:
    """Return the fields of the view, for the same `rules` and `public` as those of the state."""
    return [
        ("rules", rules),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", public, (2,)),
        ("own", PRIVATE),
        ("choice", CHOICE),
    ]


def threes(hand: int, pack: int) -> dict[str, list[int]]:
    """Return the places of the dealing order that make up each hand, dealt by threes, and the stock."""
    owners = [int(dealt_to.py_func(place, hand)) for place in range(2 * hand)]
    return {
        "pone": [place for place, owner in enumerate(owners) if owner == 0],
        "dealer": [place for place, owner in enumerate(owners) if owner == 1],
        "stock": list(range(2 * hand, pack)),
    }


@kernel
def begin_single(state):
    """Clear everything before the deal."""
    state.common.stage = DEALING
    state.common.deals = 0
    state.common.pone = 0
    state.common.trick = 0
    state.common.winner = -1
    state.next = 0
    clear_cards(state)
    for player in range(2):
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
    tally.blanches[:] = 0
    tally.last_trick[:] = 0
    tally.trump_trick = MISSING
    tally.trump_maker[:] = 0


@kernel
def dealt_to(place, hand):
    """Return to whom the card at a place of the dealing order goes: by threes, first to the pone, 0."""
    packets = hand // 3
    if place < 6 * packets:
        return (place // 3) & 1
    return np.int64(place - 6 * packets >= hand - 3 * packets)


@kernel
def deal_by_threes(state, deck, hand):
    """Deal `hand` cards to each player."""
    for place in range(deck.shape[0]):
        state.deck[place] = deck[place]
    for place in range(2 * hand):
        give(state, dealt_to(place, hand), np.int64(deck[place]))
    state.next = 2 * hand
    common = state.common
    common.stock = deck.shape[0] - 2 * hand
    common.deals = 1
    common.leader = 0
    for player in range(2):
        state.private[player].may_show = YES if state.private[player].mask & COURTS == 0 else NO
    go_on(state)


@kernel
def go_on(state):
    """Ask who may show carte blanche, then for the next card."""
    common = state.common
    for k in range(2):
        player = np.int64(common.leader) ^ k
        own = state.private[player]
        if own.may_show == DREW_COURT:
            own.may_show = NO
            state.public[player].chain = 0
        # by most rules the dealer shows before his own first card, after the pone's lead
        elif own.may_show == YES and (
            common.trick > 0 or player == 0 or common.led >= 0 or state.rules.dealer_shows == 0
        ):
            common.stage = SHOWING
            common.turn = player
            return
    common.stage = PLAYING
    common.turn = common.leader if common.led < 0 else 1 - common.leader


@kernel
def show(state, action):
    """Show carte blanche, or the drawn card that keeps it up, or let it go for good."""
    player = np.int64(state.common.turn)
    own = state.private[player]
    public = state.public[player]
    own.may_show = NO
    if action == 1:
        public.points += state.rules.carte_blanche
        state.tally.blanches[player] += 1
        if public.chain:
            public.shown[own.drawn] += 1
        else:
            public.chain = 1
            public.shown[:] = own.hand
    else:
        public.chain = 0
    go_on(state)


@kernel
def play_card(state, action):
    """Play a card; return whether the last trick of the deal is over, won by ``state.common.turn``."""
    common = state.common
    card = take_out(state, np.int64(common.turn), action)
    if common.led < 0:
        common.led = card
        go_on(state)
        return False
    winner = np.int64(common.leader)
    if reply_wins(common.led, card, common.trump):
        winner = 1 - winner
    public = state.public[winner]
    public.tricks += 1
    public.brisques += brisques_in(common.led, card)
    common.trick += 1
    common.leader = winner
    common.led = -1
    common.turn = winner
    if common.stock > 0:
        common.stage = DECLARING
        return False
    return state.public[0].cards == 0


@kernel
def draw_each(state):
    """Each draws a card, the winner of the trick first; then the winner leads."""
    common = state.common
    for k in range(2):
        player = np.int64(common.leader) ^ k
        card = np.int64(state.deck[state.next])
        state.next += 1
        draw(state, player, card)
        if state.public[player].chain:
            state.private[player].may_show = DREW_COURT if (COURTS >> np.uint64(card)) & ONE else YES
    if common.stock == 0:
        take_up_table(state, 0)
        take_up_table(state, 1)
    go_on(state)


@kernel
def measure_single(state, row, value, loser):
    """Write the quantities that these games have in common.

    Parameters
    ----------
    state, row : record
        The finished deal, and where they go.
    value : int
        What player 0 wins.
    loser : int
        0, 1, or -1 for a tie.
    """
    tally = state.tally
    for player in range(2):
        public = state.public[player]
        row.points[player] = public.points
        row.points_carte_blanche[player] = state.rules.carte_blanche * tally.blanches[player]
        row.points_last_trick[player] = tally.last_trick[player]
        row.cartes_blanches[player] = tally.blanches[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.trump_maker[player] = tally.trump_maker[player]
        row.won[player] = loser == 1 - player
        row.value[player] = value if player == 0 else -value
        row.declarations[player] = 0
        for meld in range(tally.count.shape[0]):
            row.declarations[player] += tally.count[meld, player]
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_first[:] = tally.first
    row.trump_trick = tally.trump_trick
    row.winner_points = max(state.public[0].points, state.public[1].points)
    row.loser_points = min(state.public[0].points, state.public[1].points)
    row.margin = state.public[0].points - state.public[1].points
    row.deals = state.common.deals


@kernel
def count_all(state, counts, size):
    """Add every card of a pack of `size` cards to `counts`."""
    count_cards(state, counts)
    if state.common.stage != DEALING:
        for place in range(state.next, size):
            counts[state.deck[place]] += 1


@kernel
def sample_world(view, rng, state, size):
    """Make `state` a position of a pack of `size` cards that agrees with the view, hidden cards at random."""
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.choice = view.choice
    me = view.seat
    other = 1 - me
    state.public[me] = view.public[0]
    state.public[other] = view.public[1]
    state.private[me] = view.own
    hidden = state.private[other]
    sample_hidden(view, np.int64(view.rules.packs), rng, hidden, state.deck[:size])
    state.next = size - view.common.stock
    # what the other has not been asked yet: the dealer at the first lead, or the second to draw with a carte blanche
    asked = view.rules.dealer_shows == 0 and view.common.stage != SHOWING
    if view.common.trick == 0 and other == 1 and not asked:
        hidden.may_show = YES if hidden.mask & COURTS == 0 else NO
    elif view.common.stage == SHOWING and view.common.leader == me and view.public[1].chain:
        hidden.may_show = DREW_COURT if (COURTS >> np.uint64(hidden.drawn)) & ONE else YES
    clear_tally(state.tally)
