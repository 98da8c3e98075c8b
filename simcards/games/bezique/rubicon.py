"""Rubicon bezique: four packs, nine cards each, no turn-up; the first marriage makes trumps.

The rules in the order of play: carte blanche, a trick, a declaration of the winner, a card drawn by each, and so on for
55 tricks; then the last nine with the stock gone; then the settlement of the deal, which is a game of its own.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import RUBICON, guide
from simcards.games.bezique.frame import (
    CHOICE,
    COMMON,
    COURTS,
    DEALING,
    DECLARING,
    ONE,
    OVER,
    PICKING,
    PLAYING,
    PRIVATE,
    SHOWING,
    TABLE,
    brisques_in,
    clear_cards,
    count_cards,
    draw,
    give,
    observe_frame,
    playable,
    public_dtype,
    reply_wins,
    sample_hidden,
    take_out,
    take_up_table,
)
from simcards.games.bezique.ledger import (
    A_FOUR,
    BEZIQUE,
    MARRIAGE,
    MELDS,
    PASS,
    earn_credit,
    enter,
    make,
    meld_index,
    meld_value,
    open_picks,
    pick_for_four,
    record,
    scorable,
)
from simcards.games.bezique.players import basic_declare, basic_pick, basic_play, basic_show
from simcards.games.bezique.position import positions
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements, policy

HAND = 9
PACK = RUBICON.pack.size
COPIES = RUBICON.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(RUBICON.rules)

# Whether a player is to be asked for carte blanche; a drawn court ends it, as everybody sees when he does not show
NO, YES, DREW_COURT = range(3)

# What is counted through a deal, a value for each player
TALLY = np.dtype(
    [
        ("points", "i4", (len(MELDS), 2)),
        ("count", "i4", (len(MELDS), 2)),
        ("first", "i4", (len(MELDS), 2)),
        ("blanches", "i4", (2,)),
        ("last_trick", "i4", (2,)),
        ("trump_trick", "i4"),
        ("trump_maker", "i4", (2,)),
    ],
    align=True,
)

STATE = protocol.record(
    "rubicon_bezique",
    [
        ("rules", RULES),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "rubicon_bezique_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("own", PRIVATE),
        ("choice", CHOICE),
    ],
)


@implements(protocol.begin, STATE)
def _begin(state):
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
    _clear(state.tally)


@kernel
def _clear(tally):
    tally.points[:] = 0
    tally.count[:] = 0
    tally.first[:] = MISSING
    tally.blanches[:] = 0
    tally.last_trick[:] = 0
    tally.trump_trick = MISSING
    tally.trump_maker[:] = 0


@implements(protocol.deal, STATE)
def _deal(state, deck):
    state.deck[:] = deck
    for place in range(2 * HAND):  # by threes, first to the pone
        give(state, (place // 3) & 1, np.int64(deck[place]))
    state.next = 2 * HAND
    common = state.common
    common.stock = PACK - 2 * HAND
    common.deals = 1
    common.leader = 0
    for player in range(2):
        state.private[player].may_show = YES if state.private[player].mask & COURTS == 0 else NO
    _go_on(state)


@kernel
def _go_on(state):
    """Ask who may show carte blanche, then for the next card."""
    common = state.common
    for k in range(2):
        player = np.int64(common.leader) ^ k
        own = state.private[player]
        if own.may_show == DREW_COURT:
            own.may_show = NO
            state.public[player].chain = 0
        # the dealer shows before his own first card, after the pone's lead
        elif own.may_show == YES and (common.trick > 0 or player == 0 or common.led >= 0):
            common.stage = SHOWING
            common.turn = player
            return
    common.stage = PLAYING
    common.turn = common.leader if common.led < 0 else 1 - common.leader


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - SHOWING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == DECLARING:
        return scorable(state, np.int64(common.turn))
    if common.stage == PICKING:
        return open_picks(state, np.int64(common.turn))
    return np.uint64(3)


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        _play(state, action)
    elif common.stage == DECLARING:
        _declare(state, action)
    elif common.stage == PICKING:
        player = np.int64(common.turn)
        pick_for_four(state, player, action)
        if state.choice.count == 4:
            declared = state.choice.declared
            record(state, player, A_FOUR, 1)
            _score(state, declared)
            _draw(state)
    else:
        _show(state, action)


@kernel
def _show(state, action):
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
    _go_on(state)


@kernel
def _play(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stock > 0 and action < TABLE:
        earn_credit(state, player, action)
    card = take_out(state, player, action)
    if common.led < 0:
        common.led = card
        _go_on(state)
        return
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
    elif state.public[0].cards == 0:
        public.points += state.rules.last_trick
        state.tally.last_trick[winner] = state.rules.last_trick
        common.stage = OVER


@kernel
def _declare(state, action):
    common = state.common
    player = np.int64(common.turn)
    if action == PASS:
        _draw(state)
        return
    if not make(state, player, action):
        common.stage = PICKING
        return
    if common.trump < 0 and action < BEZIQUE:  # the first marriage (or sequence) scored makes its suit trumps
        common.trump = (action - MARRIAGE) & 3
        state.tally.trump_trick = common.trick
        state.tally.trump_maker[player] = 1
    _score(state, action)
    _draw(state)


@kernel
def _score(state, action):
    player = np.int64(state.common.turn)
    royal = (action - MARRIAGE) & 3 == state.common.trump
    meld = meld_index(action, royal)
    value = meld_value(state.rules, meld)
    enter(state.tally, meld, player, value, state.common.trick)
    state.public[player].points += value


@kernel
def _draw(state):
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
    _go_on(state)


@kernel
def settle(points0, points1, brisques0, brisques1, rules):
    """Settle a deal.

    The trailing player has the brisques counted exactly when that makes him the winner, breaks a tie, or lifts him over
    the rubicon.

    Parameters
    ----------
    points0, points1 : int
        Scores without brisques.
    brisques0, brisques1 : int
        Brisques won.
    rules : record
        The rules.

    Returns
    -------
    value : int
        What player 0 wins (negative: player 1).
    loser : int
        0, 1, or -1 for a tie.
    saved, rubiconed, counted : bool
        Whether the loser reached the line only by his brisques, whether he missed it, whether brisques were counted.
    """
    full0 = points0 + rules.brisque * brisques0
    full1 = points1 + rules.brisque * brisques1
    loser = _loser(points0, points1)
    full_loser = _loser(full0, full1)
    counted = loser != full_loser
    saved = False
    if counted:
        loser = full_loser
    if loser < 0:
        return 0, loser, False, False, counted
    low = points1 if loser == 1 else points0
    high = points0 if loser == 1 else points1
    full_low = full1 if loser == 1 else full0
    full_high = full0 if loser == 1 else full1
    if low < rules.rubicon_line and full_low >= rules.rubicon_line:
        counted = True
        saved = True
    if full_low >= rules.rubicon_line if counted else low >= rules.rubicon_line:
        if counted:
            low, high = full_low, full_high
        difference = 100 * (high // 100) - 100 * (low // 100)
        value = difference + rules.game_bonus
        if difference < 100:
            value += rules.close_bonus
        return (value if loser == 1 else -value), loser, saved, False, counted
    value = 100 * (high // 100) + 100 * (low // 100) + rules.rubicon_bonus + rules.brisque_bonus
    if low < 100:
        value += rules.low_loser_bonus
    return (value if loser == 1 else -value), loser, False, True, counted


@kernel
def _loser(points0, points1):
    if points0 == points1:
        return -1
    return 1 if points0 > points1 else 0


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    value, loser, saved, rubiconed, counted = settle(
        state.public[0].points,
        state.public[1].points,
        state.public[0].brisques,
        state.public[1].brisques,
        state.rules,
    )
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
        row.saved[player] = saved and loser == player
        row.rubiconed[player] = rubiconed and loser == player
        row.value[player] = value if player == 0 else -value
        row.declarations[player] = 0
        for meld in range(tally.count.shape[0]):
            row.declarations[player] += tally.count[meld, player]
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_first[:] = tally.first
    row.brisques_counted = counted
    row.trump_trick = tally.trump_trick
    row.winner_points = max(state.public[0].points, state.public[1].points)
    row.loser_points = min(state.public[0].points, state.public[1].points)
    row.margin = state.public[0].points - state.public[1].points
    row.deals = state.common.deals


@implements(protocol.census, STATE)
def _census(state, counts):
    count_cards(state, counts)
    if state.common.stage != DEALING:
        for place in range(state.next, PACK):
            counts[state.deck[place]] += 1


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    # what was counted so far is not in the view: a world counts from here on, the scores go on
    state.common = view.common
    state.choice = view.choice
    me = view.seat
    other = 1 - me
    state.public[me] = view.public[0]
    state.public[other] = view.public[1]
    state.private[me] = view.own
    hidden = state.private[other]
    sample_hidden(view, COPIES, rng, hidden, state.deck)
    state.next = PACK - view.common.stock
    # what the other has not been asked yet: the dealer at the first lead, or the second to draw with a carte blanche
    if view.common.trick == 0 and other == 1:
        hidden.may_show = YES if hidden.mask & COURTS == 0 else NO
    elif view.common.stage == SHOWING and view.common.leader == me and view.public[1].chain:
        hidden.may_show = DREW_COURT if (COURTS >> np.uint64(hidden.drawn)) & ONE else YES
    _clear(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    if part == 0:
        return basic_show(view, legal, rng, options)
    if part == 1:
        return basic_declare(view, legal, rng, options)
    if part == 2:
        return basic_pick(view, legal, rng, options)
    return basic_play(view, legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    value, _, _, _, _ = settle(
        state.public[0].points,
        state.public[1].points,
        state.public[0].brisques,
        state.public[1].brisques,
        state.rules,
    )
    return np.float64(value if player == 0 else -value)


SOURCES = ("points_carte_blanche", "points_last_trick")
QUANTITIES = (
    *totals(
        "points for combinations, carte blanche and the last trick",
        (*fields("points", MELDS), *SOURCES),
        "what the settlement of the deal gives (the loser gets the negative)",
        {"bin_width": 100, "bins": 100},
        {"bin_width": 100, "bin_low": -10_000, "bins": 200},
    ),
    Quantity("rubiconed", "loses without reaching the rubicon", "flag", "result"),
    Quantity("saved", "loses and reaches the rubicon only by counting brisques", "flag", "result"),
    Quantity("brisques_counted", "brisques are counted for a tie, the winner or the rubicon", "flag", "result"),
    *details(
        MELDS,
        SOURCES,
        tricks=64,
        more_melds=(Quantity("cartes_blanches", "times carte blanche scored", "count", "melds"),),
        more_timing=(Quantity("trump_trick", "trick after which trumps are made", "trick", "timing"),),
        more_play=(Quantity("trump_maker", "makes trumps", "flag", "play"),),
    ),
)
ROW = row_dtype(
    QUANTITIES,
    TABLE_WIDE,
    every_points=fields("points", MELDS),
    every_count=fields("count", MELDS),
    every_first=fields("first", MELDS),
)


def _places(rules):
    """Return the places of the dealing order that make up each hand and the stock."""
    pone = [place for place in range(2 * HAND) if (place // 3) % 2 == 0]
    dealer = [place for place in range(2 * HAND) if (place // 3) % 2 == 1]
    return {"pone": pone, "dealer": dealer, "stock": list(range(2 * HAND, PACK))}


BASIC = Strategy(
    "basic",
    "a sensible club player: shows, declares by value and in the order that loses nothing, keeps what combinations"
    " need, plays spent table cards to re-form combinations, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_show, basic_declare, basic_pick, basic_play)),
)

GAMES = (
    Game(
        ruleset=RUBICON,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=("show", "declare", "lay", "play"),
        quantities=QUANTITIES,
        strategies={"random": random_play(VIEW, 4), "basic": BASIC, "mc": monte_carlo(VIEW, 4)},
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=400,
        shares=tuple((name, "points") for name in (*fields("points", MELDS), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(RUBICON, ("show", "declare", "lay", "play")),
        actions=guide.actions(("show", "declare", "lay", "play"), exchange=False),
        view_doc=guide.fields(("deal_brisques",)),
    ),
)
