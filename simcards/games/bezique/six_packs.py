"""Bezique with six packs, as the encyclopedia has it: twelve cards each, fours of trumps, paid in big points.

The rules in the order of play: carte blanche, a trick played freely, a declaration of the winner, a card drawn by each,
and so on for 84 tricks; then the last twelve with the stock gone, when suit must be followed or trumped but not
headed; then the winner of the last trick says whether he takes the points for it, which may serve him ill; then
the settlement of the deal, which is a game of its own.

Cards are ``8 * suit + rank`` with the suits S H D C and the ranks 7 8 9 J Q K T A; of 24 cards dealt the first three
go to the pone, the next three to the dealer, and so on. Phases and actions:

==========  ===========================================================================================
show        1: shows carte blanche, or the drawn card that keeps it up; 0: does not
declare     0: nothing; 1 to 4: marriage in S H D C; 5 to 8: sequence; 9 to 12: bezique, double, triple,
            quadruple; 13 to 16: four aces, kings, queens, jacks; 18 to 22: four aces, tens, kings, queens,
            jacks of trumps
lay         0 to 31: the next card from the hand for four of a rank, where there is a choice
play        0 to 31: a card from the hand; 32 to 63: the same card from the table
take        1: scores the last trick; 0: declines
==========  ===========================================================================================

What differs from rubicon bezique when scoring (the rest is that game's ledger):

- With a card added to it a marriage, a sequence or a single bezique scores anew as it lies (``reform``); of several
  cards in the hand that could be the new one the lowest is laid.
- Two sequences of a suit never lie on the table together, so the new card is not one that would complete a second.
- Four of a rank score only when every card of the rank on the table is one of the four, so all of those are used and
  the hand gives the rest; four trumps likewise, so no other card of the rank lies there. At least one of the four is
  new.
- Cards of four trumps never serve for four of any suits again; the other way round they do.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import SIX_PACKS, guide
from simcards.games.bezique.frame import (
    DEALING,
    DECLARING,
    JACK,
    ONE,
    OVER,
    PICKING,
    PLAYING,
    SHOWING,
    TAKING,
    bytes_with,
    count_by_rank,
    observe_frame,
    other_side,
    own_side,
    playable,
    public_dtype,
    rank_of,
    suit_of,
)
from simcards.games.bezique.ledger import (
    A_FOUR,
    A_SEQUENCE,
    A_TRUMP_FOUR,
    BEZIQUE,
    EIGHT,
    FOUR,
    HAND,
    MARRIAGE,
    MELDS,
    PASS,
    SEQUENCE,
    TRUMP_FOUR,
    declare_run,
    enter,
    four_rank,
    held_by,
    is_new,
    is_open,
    make,
    pick,
    picked_from_hand,
    record,
    scorable,
    trump_four_rank,
)
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_games import SixPacks
from simcards.games.bezique.quantities import details, fields, totals
from simcards.games.bezique.single import (
    begin_single,
    count_all,
    deal_by_threes,
    draw_each,
    measure_single,
    play_card,
    sample_world,
    show,
    state_fields,
    threes,
    view_fields,
)
from simcards.games.bezique.six_players import (
    SIX_HABITS,
    six_declare,
    six_meld,
    six_pick,
    six_play,
    six_show,
    six_value,
)
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play, usual_options
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import eight_of
from simcards.kernel.protocol import implements, policy

PACK = SIX_PACKS.pack.size
DEALT = SIX_PACKS.hand
PUBLIC = public_dtype(DEALT)
RULES = rules_dtype(SIX_PACKS.rules)
TRUMP_MELDS = ("trump_aces", "trump_tens", "trump_kings", "trump_queens", "trump_jacks")
SCORED = (*MELDS, *TRUMP_MELDS)

STATE = protocol.record("bezique_six_pack", state_fields(RULES, PACK, PUBLIC, SCORED))
VIEW = protocol.record("bezique_six_pack_view", view_fields(RULES, PUBLIC))


@implements(protocol.begin, STATE)
def _begin(state):
    begin_single(state)


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_by_threes(state, deck, DEALT)


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return 4 if state.common.stage == TAKING else state.common.stage - SHOWING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state, False)
    if common.stage == DECLARING:
        return declarable(state, np.int64(common.turn))
    if common.stage == PICKING:
        return _pickable(state, np.int64(common.turn))
    return np.uint64(3)


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        if play_card(state, action):
            common.stage = TAKING
    elif common.stage == DECLARING:
        _declare(state, action)
    elif common.stage == PICKING:
        player = np.int64(common.turn)
        pick(state, action, HAND)
        if state.choice.count == 4:
            declared = state.choice.declared
            record(state, player, A_FOUR, 1)
            _score(state, declared)
            draw_each(state)
    elif common.stage == TAKING:
        winner = np.int64(common.turn)
        if action == 1:
            state.public[winner].points += state.rules.last_trick
            state.tally.last_trick[winner] = state.rules.last_trick
        common.stage = OVER
    else:
        show(state, action)


# -- combinations ----------------------------------------------------------------------------------------------


@kernel
def declarable(state, player):
    """Return the declarations that `player` may score now, as a mask of actions; ``PASS`` is always among them."""
    actions = scorable(state, player) & ((ONE << np.uint64(FOUR)) - ONE)
    for suit in range(4):
        bit = ONE << np.uint64(SEQUENCE + suit)
        if actions & bit and not _room_for_sequence(state, player, suit)[0]:
            actions &= ~bit
    if not bytes_with(held_by(state.private[player], state.public[player])[1], 4):
        return actions
    trump = np.int64(state.common.trump)
    hand, table, blocked, new = _rank_counts(state, player, A_FOUR, -1)
    for action in range(FOUR, FOUR + 4):
        if _four_fits(hand, table, blocked, new, four_rank(action)):
            actions |= ONE << np.uint64(action)
    if trump >= 0:
        hand, table, blocked, new = _rank_counts(state, player, A_TRUMP_FOUR, trump)
        for action in range(TRUMP_FOUR, TRUMP_FOUR + 5):
            if _four_fits(hand, table, blocked, new, trump_four_rank(action)):
                actions |= ONE << np.uint64(action)
    return actions


@kernel
def _rank_counts(state, player, kind, suit):
    """Return counts by rank, eight bits each, for fours of one suit, or of all where it is -1.

    Returns
    -------
    hand, table, blocked, new : uint64
        Cards in the hand; on the table; those there that cannot be of the four; those there that are new to it.
    """
    own = state.private[player]
    public = state.public[player]
    hand = count_by_rank(own.hand) if suit < 0 else eight_of(own.hand, suit)
    table = np.uint64(0)
    blocked = np.uint64(0)
    new = np.uint64(0)
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        card = np.int64(slot.type)
        one = ONE << np.uint64(8 * rank_of(card))
        table += one
        if (suit >= 0 and suit_of(card) != suit) or not is_open(slot, kind, 1, state.rules.reform):
            blocked += one
        elif is_new(slot, kind):
            new += one
    return hand, table, blocked, new


@kernel
def _four_fits(hand, table, blocked, new, rank):
    """Return whether four of a rank may be scored: with all the cards of it on the table, the rest from the hand."""
    place = np.uint64(8 * rank)
    lying = (table >> place) & EIGHT
    held = (hand >> place) & EIGHT
    if (blocked >> place) & EIGHT or lying > np.uint64(4) or lying + held < np.uint64(4):
        return False
    return lying < np.uint64(4) or (new >> place) & EIGHT > np.uint64(0)


@kernel
def _room_for_sequence(state, player, suit):
    """Return whether a sequence can be scored so that no two of its suit lie on the table, and a card to be kept back.

    Returns
    -------
    room : bool
        Whether it can.
    barred : int
        The card that would complete a second sequence if it were laid as the new one, -1 for none.
    """
    public = state.public[player]
    own = state.private[player]
    lying = np.uint64(0)  # by rank, in eight bits
    usable = np.uint64(0)
    new = False
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if suit_of(np.int64(slot.type)) == suit and slot.type & 7 >= JACK:
            one = ONE << np.uint64(8 * (slot.type & 7))
            lying += one
            if is_open(slot, A_SEQUENCE, 1, state.rules.reform):
                usable += one
                new |= is_new(slot, A_SEQUENCE)
    # from the hand comes what the table lacks, else, if nothing on it is new, one card of the player's
    for rank in range(JACK, 8):
        if (usable >> np.uint64(8 * rank)) & EIGHT == np.uint64(0):
            lying += ONE << np.uint64(8 * rank)
            new = True
    lacking = 0
    barred = -1
    for rank in range(JACK, 8):
        if (lying >> np.uint64(8 * rank)) & EIGHT < np.uint64(2):
            lacking += 1
            barred = 8 * suit + rank
    if lacking != 1 or new:
        return lacking > 0, -1
    for rank in range(JACK, 8):
        card = 8 * suit + rank
        if card != barred and own.hand[card] > 0:
            return True, barred
    return False, barred


@kernel
def _pickable(state, player):
    """Return the cards in the hand that may be laid next for a four, as a mask of actions."""
    own = state.private[player]
    mask = np.uint64(0)
    for suit in range(4):
        card = 8 * suit + four_rank(state.choice.declared)
        if own.hand[card] > picked_from_hand(state.choice, card):
            mask |= ONE << np.uint64(card)
    return mask


@kernel
def _make_four(state, player, action):
    """Lay a declared four, all that is on the table first; return False when the hand leaves a choice of the rest."""
    trump_four = action >= TRUMP_FOUR
    rank = trump_four_rank(action) if trump_four else four_rank(action)
    public = state.public[player]
    own = state.private[player]
    for i in range(np.int64(public.laid)):
        if public.table[i].type & 7 == rank:
            pick(state, np.int64(public.table[i].type), i)
    lacking = 4 - state.choice.count
    kinds = 0
    copies = 0
    for suit in range(4):
        count = np.int64(own.hand[8 * suit + rank])
        if count and (not trump_four or suit == state.common.trump):
            kinds += 1
            copies += count
    if lacking > 0 and kinds > 1 and copies > lacking:
        state.choice.declared = action
        return False
    for suit in range(4):
        if not trump_four or suit == state.common.trump:
            for _ in range(min(lacking, np.int64(own.hand[8 * suit + rank]))):
                pick(state, 8 * suit + rank, HAND)
                lacking -= 1
    record(state, player, A_TRUMP_FOUR if trump_four else A_FOUR, 1)
    return True


@kernel
def _declare(state, action):
    common = state.common
    player = np.int64(common.turn)
    if action == PASS:
        draw_each(state)
        return
    if action >= FOUR:
        if not _make_four(state, player, action):
            common.stage = PICKING
            return
    else:
        if SEQUENCE <= action < BEZIQUE:
            suit = action - SEQUENCE
            declare_run(state, player, A_SEQUENCE, suit, _room_for_sequence(state, player, suit)[1])
        else:
            make(state, player, action)
        if common.trump < 0 and action < BEZIQUE:  # the first marriage (or sequence) scored makes its suit trumps
            common.trump = (action - MARRIAGE) & 3
            state.tally.trump_trick = common.trick
            state.tally.trump_maker[player] = 1
    _score(state, action)
    draw_each(state)


@kernel
def _score(state, action):
    player = np.int64(state.common.turn)
    meld = six_meld(action, (action - MARRIAGE) & 3 == state.common.trump)
    value = six_value(state.rules, meld)
    enter(state.tally, meld, player, value, state.common.trick)
    state.public[player].points += value


# -- settlement ------------------------------------------------------------------------------------------------


@kernel
def settle_six(points0, points1, rules):
    """Settle a deal.

    Parameters
    ----------
    points0, points1 : int
        The scores.
    rules : record
        The rules.

    Returns
    -------
    value : int
        Big points that player 0 wins (negative: player 1).
    loser : int
        0, 1, or -1 for a tie.
    rubiconed : bool
        Whether the loser missed the rubicon and the winner did not.
    """
    if points0 == points1:
        return 0, -1, False
    loser = 1 if points0 > points1 else 0
    low = min(points0, points1)
    high = max(points0, points1)
    rubiconed = low < rules.rubicon_line <= high
    total = rules.game_bonus + (high + low if rubiconed else max(high - low, rules.least_difference))
    value = (total + rules.unit // 2) // rules.unit
    return (value if loser == 1 else -value), loser, rubiconed


@implements(protocol.measure, STATE)
def _measure(state, row):
    value, loser, rubiconed = settle_six(state.public[0].points, state.public[1].points, state.rules)
    measure_single(state, row, value, loser)
    for player in range(2):
        row.rubiconed[player] = rubiconed and loser == player
        row.crossed[player] = state.public[player].points >= state.rules.rubicon_line
        row.declined[player] = player == state.common.leader and state.tally.last_trick[player] < state.rules.last_trick


@implements(protocol.census, STATE)
def _census(state, counts):
    count_all(state, counts, PACK)


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    sample_world(view, rng, state, PACK)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@kernel
def six_take(view, legal, rng, options):
    """Take the points for the last trick, or decline where they make the settlement worse."""
    own = own_side(view).points
    other = other_side(view).points
    with_it, _, _ = settle_six(own + view.rules.last_trick, other, view.rules)
    without, _, _ = settle_six(own, other, view.rules)
    return np.int64(with_it >= without)


USUAL = usual_options(SIX_HABITS)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    usual = USUAL[0]
    if part == 0:
        return six_show(view, legal, rng, usual)
    if part == 1:
        return six_declare(view, legal, rng, usual)
    if part == 2:
        return six_pick(view, legal, rng, usual)
    if part == 3:
        return six_play(view, legal, rng, usual)
    return six_take(view, legal, rng, usual)


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    value, _, _ = settle_six(state.public[0].points, state.public[1].points, state.rules)
    return np.float64(value if player == 0 else -value)


SOURCES = ("points_carte_blanche", "points_last_trick")
QUANTITIES = (
    *totals(
        "points for combinations, carte blanche and the last trick",
        (*fields("points", SCORED), *SOURCES),
        "big points by the settlement of the deal (the loser gets the negative)",
        {"bin_width": 100, "bins": 250},
        {"bin_width": 100, "bin_low": -25_000, "bins": 500},
        {"bin_low": -250, "bins": 500},
    ),
    Quantity("crossed", "reaches the rubicon", "flag", "result"),
    Quantity("rubiconed", "loses without reaching the rubicon, which the winner has", "flag", "result"),
    *details(
        SCORED,
        SOURCES,
        tricks=PACK // 2,
        more_melds=(Quantity("cartes_blanches", "times carte blanche scored", "count", "melds"),),
        more_timing=(Quantity("trump_trick", "trick after which trumps are made", "trick", "timing"),),
        more_play=(
            Quantity("trump_maker", "makes trumps", "flag", "play"),
            Quantity("declined", "wins the last trick and declines the points for it", "flag", "play"),
        ),
    ),
)
ROW = row_dtype(
    QUANTITIES,
    ("winner_points", "loser_points", "margin", "trump_trick", "deals"),
    every_points=fields("points", SCORED),
    every_count=fields("count", SCORED),
    every_first=fields("first", SCORED),
)


def _places(rules):
    """Return the places of the dealing order that make up each hand and the stock."""
    return threes(DEALT, PACK)


PHASES = ("show", "declare", "lay", "play", "take")
BASIC = Strategy(
    "basic",
    "a sensible club player: collects towards fours of trumps and beziques, plays what blocks a four or was spent in"
    " one, declares by value and in the order that loses nothing, and takes the last trick only if it serves him",
    tuple(policy(VIEW)(decide) for decide in (six_show, six_declare, six_pick, six_play, six_take)),
    SIX_HABITS,
)

GAMES = (
    Game(
        ruleset=SIX_PACKS,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=QUANTITIES,
        strategies={"random": random_play(VIEW, 5), "basic": BASIC, "mc": monte_carlo(VIEW, 5)},
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=8 * PACK,
        shares=tuple((name, "points") for name in (*fields("points", SCORED), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(SixPacks, SIX_PACKS, PHASES),
        actions=guide.actions(PHASES, exchange=False, trump_fours=True),
        view_doc=guide.fields(("deal_brisques",)),
    ),
)
