"""Declarations where more than two play: a player's own, or those of two partners with each other's cards.

The ledger knows one player with a hand and a table. Here the declaring player's hand and the cards that he and his
partner have on the table are put before it on a *desk*: his own row first, then the partner's. What was laid and
marked there is then carried over to the players.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    CHOICE,
    ONE,
    PRIVATE,
    lay,
    public_dtype,
)
from simcards.games.bezique.ledger import EXCHANGE, scorable
from simcards.kernel.compiled import kernel

HAND = 8
# Action: SHOW + a declaration lays its cards without scoring it
SHOW = EXCHANGE

DESK = np.dtype(
    [
        ("rules", np.dtype([("reform", "i4"), ("plain_sequences", "i4"), ("levels", "i4")], align=True)),
        ("common", np.dtype([("trump", "i4")], align=True)),
        ("private", PRIVATE, (1,)),
        ("public", public_dtype(2 * HAND), (1,)),
        ("choice", CHOICE),
    ],
    align=True,
)


@kernel
def partner_of(rules, player):
    """Return the partner of a player, the player himself where there are none."""
    return player ^ 2 if rules.partnership else player


@kernel
def lay_out(state, player):
    """Put the hand of a player, and what he and his partner have on the table, on the desk."""
    desk = state.desk
    desk.rules.reform = state.rules.reform
    desk.rules.plain_sequences = state.rules.plain_sequences
    desk.rules.levels = state.rules.levels
    desk.common.trump = state.common.trump
    desk.private[0] = state.private[player]
    desk.choice = state.choice
    own = state.public[player]
    desk.public[0].credit = np.uint64(0)
    desk.public[0].table_mask = own.table_mask
    desk.public[0].combinations = own.combinations
    laid = np.int64(own.laid)
    for i in range(laid):
        desk.public[0].table[i] = own.table[i]
    partner = partner_of(state.rules, player)
    if partner != player:
        other = state.public[partner]
        desk.public[0].table_mask |= other.table_mask
        for i in range(np.int64(other.laid)):
            desk.public[0].table[laid + i] = other.table[i]
        laid += np.int64(other.laid)
    desk.public[0].laid = laid


@kernel
def carry_over(state, player, scored):
    """Lay what was laid on the desk, and mark what was marked there if it was scored.

    Returns
    -------
    bool
        Whether cards of the partner were scored.
    """
    desk = state.desk.public[0]
    own = state.public[player]
    partner = partner_of(state.rules, player)
    other = state.public[partner]
    mine = np.int64(own.laid)
    before = mine
    if partner != player:
        before += np.int64(other.laid)
    joint = False
    if scored:
        for i in range(mine):
            own.table[i] = desk.table[i]
        for i in range(mine, before):
            joint |= other.table[i - mine].used != desk.table[i].used
            other.table[i - mine] = desk.table[i]
        own.combinations = desk.combinations
        other.combinations = desk.combinations
    for i in range(before, np.int64(desk.laid)):
        place = lay(state, player, np.int64(desk.table[i].type))
        if scored:
            own.table[place] = desk.table[i]
    return joint


@kernel
def declarations(state, player):
    """Return what a player may score as a mask of actions, ``PASS`` among them; the desk is laid out for it."""
    lay_out(state, player)
    return scorable(state.desk, 0)


@kernel
def complete_on_table(state, player):
    """Return which combinations lie complete on the table of the desk, as `declarations` does."""
    own = state.desk.private[0]
    own.mask = np.uint64(0)
    own.hand[:] = 0
    lying = scorable(state.desk, 0)
    state.desk.private[0] = state.private[player]
    return lying


@kernel
def showable(state, player, open_to_score):
    """Return the actions that lay a combination without scoring it: those for which a card of the hand is laid."""
    if open_to_score == ONE:
        return np.uint64(0)
    return (open_to_score & ~complete_on_table(state, player)) << np.uint64(SHOW)
