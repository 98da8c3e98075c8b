"""Bezique with two packs: eight cards each, the seventeenth turned up for trumps, played to 1,000.

The rules in the order of play: a trick played freely, a declaration of the winner (or the exchange of the seven of
trumps), a card drawn by each, and so on for 24 tricks; then the last eight with the stock gone. Brisques score as
they are won.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import BEZIQUE, guide
from simcards.games.bezique.frame import (
    CHOICE,
    COMMON,
    DEALING,
    DECLARING,
    ONE,
    OVER,
    PICKING,
    PLAYING,
    PRIVATE,
    SEVEN,
    TABLE,
    TO_PONE,
    brisques_in,
    clear_cards,
    count_cards,
    deal_turned,
    draw_turned,
    exchange_turn_up,
    observe_frame,
    places_turned,
    playable,
    public_dtype,
    rank_of,
    reply_wins,
    sample_hidden,
    take_out,
)
from simcards.games.bezique.ledger import (
    A_FOUR,
    EXCHANGE,
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
from simcards.games.bezique.players import basic_declare, basic_pick, basic_play
from simcards.games.bezique.position import positions
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements, policy

HAND = 8
PACK = BEZIQUE.pack.size
COPIES = BEZIQUE.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(BEZIQUE.rules)

SCORED = tuple(meld for meld in MELDS if meld not in ("sequence", "triple_bezique", "quadruple_bezique"))
PLACE = np.array([SCORED.index(meld) if meld in SCORED else 0 for meld in MELDS])  # of a meld in the tally

# What is counted through a game, a value for each player
TALLY = np.dtype(
    [
        ("points", "i4", (len(SCORED), 2)),
        ("count", "i4", (len(SCORED), 2)),
        ("first", "i4", (len(SCORED), 2)),
        ("seven", "i4", (2,)),
        ("brisques", "i4", (2,)),
        ("last_trick", "i4", (2,)),
    ],
    align=True,
)

STATE = protocol.record(
    "bezique",
    [
        ("rules", RULES),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("deal_brisques", "i8", (2,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "bezique_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("own", PRIVATE),
        ("choice", CHOICE),
        ("deal_brisques", "i8", (2,)),
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
    tally.seven[:] = 0
    tally.brisques[:] = 0
    tally.last_trick[:] = 0


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_turned(state, deck, TO_PONE)
    state.deal_brisques[:] = 0
    if rank_of(state.common.turn_up) == SEVEN:
        dealer = 1 - state.common.pone
        _add(state, dealer, state.rules.seven)
        state.tally.seven[dealer] += state.rules.seven


@kernel
def _add(state, player, points):
    """Score points; who first reaches the target has won."""
    public = state.public[player]
    public.points += points
    if state.rules.target > 0 and public.points >= state.rules.target:
        state.common.winner = player
        state.common.stage = OVER


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - DECLARING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == PICKING:
        return open_picks(state, np.int64(common.turn))
    actions = scorable(state, np.int64(common.turn))
    if _unscored_sevens(state, np.int64(common.turn)) > 0:
        actions |= ONE << np.uint64(EXCHANGE)
    return actions


@kernel
def _unscored_sevens(state, player):
    common = state.common
    return np.int64(state.private[player].hand[8 * common.trump + SEVEN]) - common.scored_sevens[player]


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)
    view.deal_brisques[0] = state.deal_brisques[player]
    view.deal_brisques[1] = state.deal_brisques[1 - player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        _play(state, action)
    elif common.stage == DECLARING:
        _declare(state, action)
    else:
        player = np.int64(common.turn)
        pick_for_four(state, player, action)
        if state.choice.count == 4:
            declared = state.choice.declared
            record(state, player, A_FOUR, 1)
            _score(state, declared)
            _draw(state)


@kernel
def _play(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stock > 0 and action < TABLE:
        earn_credit(state, player, action)
    if action == 8 * common.trump + SEVEN and common.scored_sevens[player] > 0:
        common.scored_sevens[player] -= 1
    card = take_out(state, player, action)
    if common.led < 0:
        common.led = card
        common.turn = 1 - player
        return
    winner = np.int64(common.leader)
    if reply_wins(common.led, card, common.trump):
        winner = 1 - winner
    won = brisques_in(common.led, card)
    public = state.public[winner]
    public.tricks += 1
    public.brisques += won
    state.deal_brisques[winner] += won
    common.trick += 1
    common.leader = winner
    common.led = -1
    common.turn = winner
    if common.stock > 0:
        common.stage = DECLARING
    if state.rules.brisques == 1 and won > 0:
        state.tally.brisques[winner] += won * state.rules.brisque
        _add(state, winner, won * state.rules.brisque)
    if common.stock == 0 and state.public[0].cards == 0 and common.stage != OVER:
        _finish_deal(state, winner)


@kernel
def _finish_deal(state, winner):
    """Score the last trick, and the brisques where they are counted at the end; then deal again or end."""
    common = state.common
    rules = state.rules
    state.tally.last_trick[winner] += rules.last_trick
    _add(state, winner, rules.last_trick)
    if common.stage == OVER:
        return
    if rules.brisques == 2:
        for player in range(2):
            points = state.deal_brisques[player] * rules.brisque
            state.tally.brisques[player] += points
            state.public[player].points += points
        first = state.public[0].points
        second = state.public[1].points
        if rules.target > 0 and max(first, second) >= rules.target and first != second:
            common.winner = 0 if first > second else 1
    if rules.target == 0 or common.winner >= 0:
        common.stage = OVER
    else:
        common.stage = DEALING
        common.pone = 1 - common.pone


@kernel
def _declare(state, action):
    common = state.common
    player = np.int64(common.turn)
    if action == PASS:
        _draw(state)
        return
    if action == EXCHANGE:
        _exchange(state, player)
        _draw(state)
        return
    if not make(state, player, action):
        common.stage = PICKING
        return
    _score(state, action)
    _draw(state)


@kernel
def _exchange(state, player):
    exchange_turn_up(state, player)
    state.tally.seven[player] += state.rules.seven
    _add(state, player, state.rules.seven)


@kernel
def _score(state, action):
    player = np.int64(state.common.turn)
    royal = (action - MARRIAGE) & 3 == state.common.trump
    meld = meld_index(action, royal)
    value = meld_value(state.rules, meld)
    enter(state.tally, PLACE[meld], player, value, state.common.trick)
    _add(state, player, value)


@kernel
def _draw(state):
    if state.common.stage != OVER:
        draw_turned(state)


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    first = state.public[0].points
    second = state.public[1].points
    winner = state.common.winner
    if state.rules.target == 0 and first != second:
        winner = 0 if first > second else 1
    for player in range(2):
        public = state.public[player]
        row.points[player] = public.points
        row.points_seven[player] = tally.seven[player]
        row.points_brisques[player] = tally.brisques[player]
        row.points_last_trick[player] = tally.last_trick[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.won[player] = winner == player
        row.value[player] = public.points - state.public[1 - player].points
        row.declarations[player] = 0
        for meld in range(tally.count.shape[0]):
            row.declarations[player] += tally.count[meld, player]
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_first[:] = tally.first
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.deals = state.common.deals


@implements(protocol.census, STATE)
def _census(state, counts):
    count_cards(state, counts)
    if state.common.stage != DEALING:
        for place in range(state.next, PACK):
            counts[state.deck[place]] += 1
        if state.common.stock > 0:
            counts[state.common.turn_up] += 1


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
    state.deal_brisques[me] = view.deal_brisques[0]
    state.deal_brisques[other] = view.deal_brisques[1]
    sample_hidden(view, COPIES, rng, state.private[other], state.deck)
    state.next = PACK - max(0, view.common.stock - 1)
    _clear(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    if part == 0:
        return basic_declare(view, legal, rng, options)
    if part == 1:
        return basic_pick(view, legal, rng, options)
    return basic_play(view, legal, rng, options)


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return np.float64(state.public[player].points - state.public[1 - player].points)


SOURCES = ("points_seven", "points_brisques", "points_last_trick")
QUANTITIES = (
    *totals(
        "points for combinations, sevens of trumps, brisques and the last trick",
        (*fields("points", SCORED), *SOURCES),
        "own points less the other's",
        {"bin_width": 20, "bins": 100},
        {"bin_width": 20, "bin_low": -1_200, "bins": 120},
    ),
    *details(SCORED, SOURCES, tricks=32),
)
ROW = row_dtype(
    QUANTITIES,
    TABLE_WIDE,
    every_points=fields("points", SCORED),
    every_count=fields("count", SCORED),
    every_first=fields("first", SCORED),
)


def _places(rules):
    return places_turned(PACK)


BASIC = Strategy(
    "basic",
    "a sensible club player: declares by value and in the order that loses nothing, keeps what combinations need,"
    " takes brisques, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_declare, basic_pick, basic_play)),
)

GAMES = (
    Game(
        ruleset=BEZIQUE,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=("declare", "lay", "play"),
        quantities=QUANTITIES,
        strategies={"random": random_play(VIEW, 3), "basic": BASIC, "mc": monte_carlo(VIEW, 3)},
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in (*fields("points", SCORED), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(BEZIQUE, ("declare", "lay", "play")),
        actions=guide.actions(("declare", "lay", "play"), exchange=True),
        view_doc=guide.fields(),
    ),
)
