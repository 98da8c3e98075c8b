"""Cinq-cents: bezique with one pack; a card serves for one combination, cards won are counted in the end, and a player
who has the points stops the game by knocking.

The rules in the order of play: as in bezique, but whoever may have the points with the cards of his tricks is asked
whether he knocks, each time that they grow: after a trick won, a score, or the seven turned up by him.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import CINQ_CENTS, guide
from simcards.games.bezique.cinq_players import CINQ_HABITS, basic_declare, basic_knock, basic_play
from simcards.games.bezique.counted import (
    ASKING,
    TO_DRAW,
    TO_LEAD,
    ask,
    begin_counted,
    clear_counted,
    go_on,
    knock,
    measure_counted,
    take_trick,
    tally_fields,
    worth_counted,
)
from simcards.games.bezique.frame import (
    CHOICE,
    COMMON,
    DEALING,
    ONE,
    OVER,
    PLAYING,
    PRIVATE,
    SEVEN,
    TO_PONE,
    bit_of,
    count_cards,
    deal_turned,
    draw_turned,
    exchange_turn_up,
    observe_frame,
    places_turned,
    playable,
    public_dtype,
    rank_of,
    sample_hidden,
)
from simcards.games.bezique.ledger import (
    EXCHANGE,
    LEVELS,
    MARRIAGE,
    MELDS,
    PASS,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    enter,
    make,
    meld_index,
    meld_value,
    scorable,
)
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_counted import CinqCents
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play, usual_options
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy

HAND = 8
PACK = CINQ_CENTS.pack.size
COPIES = CINQ_CENTS.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(CINQ_CENTS.rules)

SPENT = USED_MARRIAGE | USED_FOUR | LEVELS | USED_SEQUENCE

SCORED = tuple(meld for meld in MELDS if meld.split("_")[0] not in ("double", "triple", "quadruple"))
PLACE = np.array([SCORED.index(meld) if meld in SCORED else 0 for meld in MELDS])  # of a meld in the tally

TALLY = np.dtype(tally_fields(len(SCORED)), align=True)

# `goal` is the target so far, `then` says how it goes on after a knock was not made, `pile` counts the points in the
# cards won in this deal
STATE = protocol.record(
    "cinq_cents",
    [
        ("rules", RULES),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("goal", "i8"),
        ("then", "i8"),
        ("pile", "i8", (2,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "cinq_cents_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("own", PRIVATE),
        ("choice", CHOICE),
        ("goal", "i8"),
        ("then", "i8"),
        ("pile", "i8", (2,)),
    ],
)


@implements(protocol.begin, STATE)
def _begin(state):
    begin_counted(state)
    clear_counted(state.tally)


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_turned(state, deck, TO_PONE)
    state.pile[:] = 0
    if rank_of(state.common.turn_up) == SEVEN:
        dealer = 1 - state.common.pone
        _score_seven(state, dealer)
        _ask(state, dealer, TO_LEAD)


@kernel
def _score_seven(state, player):
    state.public[player].points += state.rules.seven
    state.tally.seven[player] += state.rules.seven


@kernel
def _ask(state, player, then):
    ask(state, player, then, state.rules.knocking)


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    stage = state.common.stage
    return 2 if stage == PLAYING else stage - ASKING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == ASKING:
        return np.uint64(3)
    player = np.int64(common.turn)
    actions = scorable(state, player)
    if state.private[player].mask & bit_of(8 * common.trump + SEVEN):
        actions |= ONE << np.uint64(EXCHANGE)
    return actions


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)
    view.goal = state.goal
    view.then = state.then
    view.pile[0] = state.pile[player]
    view.pile[1] = state.pile[1 - player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        _play(state, action)
    elif common.stage == ASKING:
        if action == 1:
            knock(state)
        else:
            go_on(state, state.then)
    elif action == PASS:
        draw_turned(state)
    else:
        player = np.int64(common.turn)
        if action == EXCHANGE:
            exchange_turn_up(state, player)
            _score_seven(state, player)
        else:
            _declare(state, player, action)
        _ask(state, player, TO_DRAW)


@kernel
def _declare(state, player, action):
    make(state, player, action)  # nothing to choose: there are just four of a rank
    public = state.public[player]
    for i in range(np.int64(public.laid)):
        public.table[i].used = SPENT
    meld = meld_index(action, (action - MARRIAGE) & 3 == state.common.trump)
    value = meld_value(state.rules, meld)
    enter(state.tally, PLACE[meld], player, value, state.common.trick)
    public.points += value


@kernel
def _play(state, action):
    winner, then = take_trick(state, action)
    if winner >= 0:
        _ask(state, winner, then)


@implements(protocol.measure, STATE)
def _measure(state, row):
    measure_counted(state, row)
    tally = state.tally
    row.points_seven[:] = tally.seven
    row.knocked_right[:] = tally.knocked_right
    row.knocked_wrong[:] = tally.knocked_wrong
    row.knock_trick[:] = tally.knock_trick


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
    state.goal = view.goal
    state.then = view.then
    state.pile[me] = view.pile[0]
    state.pile[other] = view.pile[1]
    sample_hidden(view, COPIES, rng, state.private[other], state.deck)
    state.next = PACK - max(0, view.common.stock - 1)
    clear_counted(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


USUAL = usual_options(CINQ_HABITS)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    usual = USUAL[0]
    if part == 0:
        return basic_knock(view, legal, rng, usual)
    if part == 1:
        return basic_declare(view, legal, rng, usual)
    return basic_play(view, legal, rng, usual)


# A lead of so many points is worth three quarters of the way from even to a won game
AHEAD = 50.0


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return worth_counted(state, player, AHEAD)


SOURCES = ("points_seven", "points_cards", "points_last_trick")
QUANTITIES = (
    *totals(
        "points for combinations, the seven of trumps, cards won and the last trick",
        (*fields("points", SCORED), *SOURCES),
        "of a deal, own points less the other's; of a game, 1 for the winner and -1 for the loser",
        {"bin_width": 20, "bins": 50},
        {"bin_width": 20, "bin_low": -600, "bins": 60},
    ),
    Quantity("both_had", "at a knock both had the points", "flag", "result"),
    Quantity("goal", "the points to be reached in the end", "points", "result"),
    Quantity("goal_raised", "times both had the points at the end of a deal", "count", "result", bins=10),
    *details(
        SCORED,
        SOURCES,
        tricks=16,
        more_timing=(Quantity("knock_trick", "trick after which the player knocks", "trick", "timing"),),
        more_play=(
            Quantity("knocked_right", "knocks with the points", "flag", "play"),
            Quantity("knocked_wrong", "knocks without the points and loses", "flag", "play"),
            Quantity(
                "card_margin",
                "points in cards won by the pone less those of the dealer",
                "points",
                "play",
                bin_width=10,
                bin_low=-300,
                bins=60,
            ),
        ),
    ),
)
ROW = row_dtype(
    QUANTITIES,
    (*TABLE_WIDE, "both_had", "goal", "goal_raised", "card_margin"),
    every_points=fields("points", SCORED),
    every_count=fields("count", SCORED),
    every_first=fields("first", SCORED),
)


def _places(rules):
    return places_turned(PACK)


def _action_text(state, action):
    if int(state["common"]["stage"]) == ASKING:
        return "knocks" if action else "does not knock"
    return action_text(state, action)


def _state_text(state):
    return state_text(state, marks=False)


BASIC = Strategy(
    "basic",
    "a sensible club player: declares what brings more than its cards promise elsewhere, knocks as soon as the points"
    " are there, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_knock, basic_declare, basic_play)),
    CINQ_HABITS,
)
PHASES = ("knock", "declare", "play")

GAMES = (
    Game(
        ruleset=CINQ_CENTS,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=QUANTITIES,
        strategies={"random": random_play(VIEW, 3), "basic": BASIC, "mc": monte_carlo(VIEW, 3)},
        places=_places,
        action_text=_action_text,
        state_text=_state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in (*fields("points", SCORED), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(CinqCents, CINQ_CENTS, PHASES),
        actions=guide.actions(PHASES, exchange=True),
        view_doc=guide.fields(
            ("deal_brisques",),
            {
                "common.stage": "1: knock, 2: declare, 4: play",
                "common.seen": "for each card whether it was played to a trick in this deal",
                "goal": "the points to be reached, as they are now",
                "then": "after a knock was not made: 0 declare, 1 draw, 2 lead, 3 end of the deal",
                "pile": "points in the cards won in this deal, not yet scored: [0] by the player, [1] by the opponent",
            },
        ),
    ),
)
