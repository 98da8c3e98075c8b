"""What the games of the bezique family share in which cards won are counted and a player may stop the game.

Cinq-cents calls it knocking, binocle claiming. A player who may have the goal with the cards of his tricks is asked
each time that what he has grows: after a trick won, a score, or the lowest trump turned up by him. If he says so and
has it, he has won; if not, the other has. Otherwise the cards are counted at the end of the deal.

A state has ``goal``, the points to be reached as they are now; ``then``, how it goes on after a player has been asked;
and ``pile``, the points in the cards that each has won in this deal.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique.frame import (
    ACE,
    DEALING,
    DECLARING,
    JACK,
    KING,
    OVER,
    PLAYING,
    QUEEN,
    SHOWING,
    TEN,
    brisques_in,
    clear_cards,
    draw_turned,
    rank_of,
    reply_wins,
    take_out,
)
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING

ASKING = SHOWING  # a stage that games with a turn-up do not have
TO_DECLARE, TO_DRAW, TO_LEAD, TO_END = range(4)  # how it goes on after a player has been asked


def tally_fields(melds: int) -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
    """Return what is counted through a game of so many kinds of combination, a value for each player."""
    return [
        ("points", "i4", (melds, 2)),
        ("count", "i4", (melds, 2)),
        ("first", "i4", (melds, 2)),
        ("seven", "i4", (2,)),
        ("cards", "i4", (2,)),
        ("last_trick", "i4", (2,)),
        ("knock_trick", "i4", (2,)),
        ("knocked_right", "i4", (2,)),
        ("knocked_wrong", "i4", (2,)),
        ("goal_raised", "i4"),
        ("both_had", "i4"),
    ]


@kernel
def begin_counted(state):
    """Clear everything before the first deal, all but the tally."""
    common = state.common
    common.stage = DEALING
    common.deals = 0
    common.pone = 0
    common.trick = 0
    common.winner = -1
    common.stock = 0
    state.next = 0
    state.goal = state.rules.target
    state.then = TO_LEAD
    state.pile[:] = 0
    clear_cards(state)
    for player in range(2):
        public = state.public[player]
        public.points = 0
        public.tricks = 0
        public.brisques = 0


@kernel
def clear_counted(tally):
    """Clear what is counted."""
    tally.points[:] = 0
    tally.count[:] = 0
    tally.first[:] = MISSING
    tally.seven[:] = 0
    tally.cards[:] = 0
    tally.last_trick[:] = 0
    tally.knock_trick[:] = MISSING
    tally.knocked_right[:] = 0
    tally.knocked_wrong[:] = 0
    tally.goal_raised = 0
    tally.both_had = 0


@kernel
def card_points(rules, rank):
    """Return what a card of a rank counts for whoever won it."""
    if rank == ACE:
        return rules.ace
    if rank == TEN:
        return rules.ten
    if rank == KING:
        return rules.king
    if rank == QUEEN:
        return rules.queen
    return rules.jack if rank == JACK else 0


@kernel
def all_card_points(rules):
    """Return what all the cards count together."""
    return 4 * rules.packs * (rules.ace + rules.ten + rules.king + rules.queen + rules.jack)


@kernel
def has_goal(state, player):
    """Return whether a player has the points with the cards that he has won."""
    return state.public[player].points + state.pile[player] >= state.goal


@kernel
def ask(state, player, then, allowed):
    """Ask a player whether he has the goal, if all the cards together would bring him there; then go on."""
    common = state.common
    rules = state.rules
    most = state.public[player].points + all_card_points(rules)
    if rules.target > 0 and allowed and most >= state.goal:
        common.stage = ASKING
        common.turn = player
        state.then = then
    else:
        go_on(state, then)


@kernel
def go_on(state, then):
    """Go on after a player has been asked, or need not be."""
    common = state.common
    if then == TO_DECLARE:
        common.stage = DECLARING
        common.turn = common.leader
    elif then == TO_DRAW:
        draw_turned(state)
    elif then == TO_LEAD:
        common.stage = PLAYING
        common.turn = common.leader
    else:
        _finish_deal(state)


@kernel
def count_cards_won(state):
    """Add the cards won to the scores."""
    for player in range(2):
        state.public[player].points += state.pile[player]
        state.tally.cards[player] += state.pile[player]
        state.pile[player] = 0


@kernel
def knock(state):
    """End the game: the player who says that he has the goal wins if he has it, else the other does."""
    common = state.common
    player = np.int64(common.turn)
    right = has_goal(state, player)
    common.winner = player if right else 1 - player
    state.tally.knock_trick[player] = common.trick
    state.tally.knocked_right[player] = right
    state.tally.knocked_wrong[player] = not right
    state.tally.both_had = has_goal(state, 0) and has_goal(state, 1)
    count_cards_won(state)
    common.stage = OVER


@kernel
def _finish_deal(state):
    """Count the cards; then end the game, or deal again, to a higher goal when both have reached this one."""
    common = state.common
    count_cards_won(state)
    low = min(state.public[0].points, state.public[1].points)
    high = max(state.public[0].points, state.public[1].points)
    if state.rules.target == 0:
        common.stage = OVER
    elif high >= state.goal and low < state.goal:
        common.winner = 0 if state.public[0].points == high else 1
        common.stage = OVER
    else:
        state.tally.goal_raised += low >= state.goal
        while low >= state.goal:
            state.goal += state.rules.target_step
        common.stage = DEALING
        common.pone = 1 - common.pone


@kernel
def take_trick(state, action):
    """Play a card; return the winner of the trick that it ends and how it goes on for him, else -1."""
    common = state.common
    player = np.int64(common.turn)
    card = take_out(state, player, action)
    if common.led < 0:
        common.led = card
        common.turn = 1 - player
        return -1, TO_LEAD
    winner = np.int64(common.leader)
    if reply_wins(common.led, card, common.trump):
        winner = 1 - winner
    public = state.public[winner]
    public.tricks += 1
    public.brisques += brisques_in(common.led, card)
    state.pile[winner] += card_points(state.rules, rank_of(common.led)) + card_points(state.rules, rank_of(card))
    common.trick += 1
    common.leader = winner
    common.led = -1
    if common.stock > 0:
        return winner, TO_DECLARE
    if public.cards > 0:
        return winner, TO_LEAD
    public.points += state.rules.last_trick
    state.tally.last_trick[winner] += state.rules.last_trick
    return winner, TO_END


@kernel
def measure_counted(state, row):
    """Write the quantities that these games have in common into a row."""
    tally = state.tally
    first = state.public[0].points
    second = state.public[1].points
    winner = state.common.winner
    value = first - second
    if state.rules.target > 0:
        value = 1 if winner == 0 else -1
    elif first != second:
        winner = 0 if first > second else 1
    for player in range(2):
        public = state.public[player]
        row.points[player] = public.points
        row.points_cards[player] = tally.cards[player]
        row.points_last_trick[player] = tally.last_trick[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.won[player] = winner == player
        row.value[player] = value if player == 0 else -value
        row.declarations[player] = 0
        for meld in range(tally.count.shape[0]):
            row.declarations[player] += tally.count[meld, player]
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_first[:] = tally.first
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.card_margin = tally.cards[0] - tally.cards[1]
    row.goal = state.goal
    row.goal_raised = tally.goal_raised
    row.both_had = tally.both_had
    row.deals = state.common.deals


@kernel
def worth_counted(state, player, ahead):
    """Return what the end of a deal is worth; a lead of `ahead` is half of the way from even to a won game."""
    difference = np.float64(state.public[player].points - state.public[1 - player].points)
    if state.rules.target == 0:
        return difference
    if state.common.winner >= 0:
        return 1.0 if state.common.winner == player else -1.0
    return difference / (abs(difference) + ahead)
