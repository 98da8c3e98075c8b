"""Cinq-cents: bezique with one pack; a card serves for one combination, cards won are counted in the end, and a player
who has the points stops the game by knocking.

The rules in the order of play: as in bezique, but whoever may have the points with the cards of his tricks is asked
whether he knocks, each time that they grow: after a trick won, a score, or the seven turned up by him.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import CINQ_CENTS, guide
from simcards.games.bezique.cinq_players import basic_declare, basic_knock, basic_play, card_points
from simcards.games.bezique.frame import (
    CHOICE,
    COMMON,
    DEALING,
    DECLARING,
    ONE,
    OVER,
    PLAYING,
    PRIVATE,
    SEVEN,
    SHOWING,
    bit_of,
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
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements, policy

HAND = 8
PACK = CINQ_CENTS.pack.size
COPIES = CINQ_CENTS.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(CINQ_CENTS.rules)

KNOCKING = SHOWING  # a stage that bezique with a turn-up does not have
SPENT = USED_MARRIAGE | USED_FOUR | LEVELS | USED_SEQUENCE
TO_DECLARE, TO_DRAW, TO_LEAD, TO_END = range(4)  # how it goes on after a player has been asked

SCORED = tuple(meld for meld in MELDS if meld.split("_")[0] not in ("double", "triple", "quadruple"))
PLACE = np.array([SCORED.index(meld) if meld in SCORED else 0 for meld in MELDS])  # of a meld in the tally

# What is counted through a game, a value for each player
TALLY = np.dtype(
    [
        ("points", "i4", (len(SCORED), 2)),
        ("count", "i4", (len(SCORED), 2)),
        ("first", "i4", (len(SCORED), 2)),
        ("seven", "i4", (2,)),
        ("cards", "i4", (2,)),
        ("last_trick", "i4", (2,)),
        ("knock_trick", "i4", (2,)),
        ("knocked_right", "i4", (2,)),
        ("knocked_wrong", "i4", (2,)),
        ("goal_raised", "i4"),
        ("both_had", "i4"),
    ],
    align=True,
)

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
    _clear(state.tally)


@kernel
def _clear(tally):
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


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_turned(state, deck)
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
def all_card_points(rules):
    """Return what all the cards count together."""
    return 4 * (rules.ace + rules.ten + rules.king + rules.queen + rules.jack)


@kernel
def _has_goal(state, player):
    return state.public[player].points + state.pile[player] >= state.goal


@kernel
def _ask(state, player, then):
    """Ask a player whether he knocks if all the cards together would bring him to the goal; then go on."""
    common = state.common
    rules = state.rules
    most = state.public[player].points + all_card_points(rules)
    if rules.target > 0 and rules.knocking and most >= state.goal:
        common.stage = KNOCKING
        common.turn = player
        state.then = then
    else:
        _go_on(state, then)


@kernel
def _go_on(state, then):
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
def _count_cards_won(state):
    for player in range(2):
        state.public[player].points += state.pile[player]
        state.tally.cards[player] += state.pile[player]
        state.pile[player] = 0


@kernel
def _knock(state):
    """End the game: the player who knocks wins if he has the goal, else the other does."""
    common = state.common
    player = np.int64(common.turn)
    right = _has_goal(state, player)
    common.winner = player if right else 1 - player
    state.tally.knock_trick[player] = common.trick
    state.tally.knocked_right[player] = right
    state.tally.knocked_wrong[player] = not right
    state.tally.both_had = _has_goal(state, 0) and _has_goal(state, 1)
    _count_cards_won(state)
    common.stage = OVER


@kernel
def _finish_deal(state):
    """Count the cards; then end the game, or deal again, to a higher goal when both have reached this one."""
    common = state.common
    _count_cards_won(state)
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


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    stage = state.common.stage
    return 2 if stage == PLAYING else stage - KNOCKING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == KNOCKING:
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
    elif common.stage == KNOCKING:
        if action == 1:
            _knock(state)
        else:
            _go_on(state, state.then)
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
    common = state.common
    player = np.int64(common.turn)
    card = take_out(state, player, action)
    if common.led < 0:
        common.led = card
        common.turn = 1 - player
        return
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
        _ask(state, winner, TO_DECLARE)
    elif public.cards > 0:
        _ask(state, winner, TO_LEAD)
    else:
        public.points += state.rules.last_trick
        state.tally.last_trick[winner] += state.rules.last_trick
        _ask(state, winner, TO_END)


@implements(protocol.measure, STATE)
def _measure(state, row):
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
        row.points_seven[player] = tally.seven[player]
        row.points_cards[player] = tally.cards[player]
        row.points_last_trick[player] = tally.last_trick[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.won[player] = winner == player
        row.value[player] = value if player == 0 else -value
        row.knocked_right[player] = tally.knocked_right[player]
        row.knocked_wrong[player] = tally.knocked_wrong[player]
        row.knock_trick[player] = tally.knock_trick[player]
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
    _clear(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    if part == 0:
        return basic_knock(view, legal, rng, options)
    if part == 1:
        return basic_declare(view, legal, rng, options)
    return basic_play(view, legal, rng, options)


# A lead of so many points is worth three quarters of the way from even to a won game
AHEAD = 50.0


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    difference = np.float64(state.public[player].points - state.public[1 - player].points)
    if state.rules.target == 0:
        return difference
    if state.common.winner >= 0:
        return 1.0 if state.common.winner == player else -1.0
    return difference / (abs(difference) + AHEAD)


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
    if int(state["common"]["stage"]) == KNOCKING:
        return "knocks" if action else "does not knock"
    return action_text(state, action)


def _state_text(state):
    return state_text(state, marks=False)


BASIC = Strategy(
    "basic",
    "a sensible club player: declares what brings more than its cards promise elsewhere, knocks as soon as the points"
    " are there, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_knock, basic_declare, basic_play)),
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
