"""Bezique with two packs: eight cards each, the seventeenth turned up for trumps, played to 1,000.

The rules in the order of play: a trick played freely, a declaration of the winner (or the exchange of the seven of
trumps), a card drawn by each, and so on for 24 tricks; then the last eight with the stock gone. Brisques score as
they are won.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from simcards.games.bezique.players import HABITS, basic_declare, basic_pick, basic_play
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_games import TwoPacks
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play, usual_options
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
COUNTED: list[tuple[Any, ...]] = [
    ("points", "i4", (len(SCORED), 2)),
    ("count", "i4", (len(SCORED), 2)),
    ("first", "i4", (len(SCORED), 2)),
    ("seven", "i4", (2,)),
    ("brisques", "i4", (2,)),
    ("last_trick", "i4", (2,)),
]


def state_fields(
    rules: np.dtype[Any], public: np.dtype[Any], counted: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Return the fields of the state: what is `public` of a player, and what is `counted` through a game."""
    return [
        ("rules", rules),
        ("deck", "u1", (PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", public, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("deal_brisques", "i8", (2,)),
        ("tally", np.dtype(list(counted), align=True)),
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
        ("deal_brisques", "i8", (2,)),
    ]


STATE = protocol.record("bezique", state_fields(RULES, PUBLIC, COUNTED))
VIEW = protocol.record("bezique_view", view_fields(RULES, PUBLIC))


@implements(protocol.begin, STATE)
def _begin(state):
    begin_game(state)


@kernel
def begin_game(state):
    """Make `state` the start of a game."""
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


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_cards(state, deck)


@kernel
def deal_cards(state, deck):
    """Deal, and score a seven turned up."""
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
    return options_in(state)


@kernel
def options_in(state):
    """Return the legal actions."""
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
    observe_turned(state, player, view)


@kernel
def observe_turned(state, player, view):
    """Write what `player` knows."""
    observe_frame(state, player, view)
    view.deal_brisques[0] = state.deal_brisques[player]
    view.deal_brisques[1] = state.deal_brisques[1 - player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    if state.common.stage == PLAYING:
        prepare_play(state, action)
        winner, brisques = follow(state, take_out(state, np.int64(state.common.turn), action))
        if winner >= 0:
            score_trick(state, winner, brisques)
        return
    made = declare(state, action)
    if made > PASS:
        score(state, made)
        draw_on(state)


@kernel
def prepare_play(state, action):
    """Note what playing a card brings or ends, before it leaves hand or table."""
    common = state.common
    player = np.int64(common.turn)
    if common.stock > 0 and action < TABLE:
        earn_credit(state, player, action)
    if action == 8 * common.trump + SEVEN and common.scored_sevens[player] > 0:
        common.scored_sevens[player] -= 1


@kernel
def follow(state, card):
    """Put a played card into the trick.

    Returns
    -------
    winner, brisques : int
        Who won the trick, -1 while it is not complete, and the aces and tens in it.
    """
    common = state.common
    if common.led < 0:
        common.led = card
        common.turn = 1 - common.turn
        return np.int64(-1), np.int64(0)
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
    return winner, won


@kernel
def score_trick(state, winner, won):
    """Score the brisques of a trick, and end the deal with the last."""
    common = state.common
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
def declare(state, action):
    """Carry out an action between two tricks.

    Returns
    -------
    int
        The declaration that has been made and is to be scored before the players draw; ``PASS`` when there is none.
    """
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PICKING:
        pick_for_four(state, player, action)
        if state.choice.count < 4:
            return PASS
        declared = state.choice.declared
        record(state, player, A_FOUR, 1)
        return declared
    if action == PASS:
        draw_turned(state)
    elif action == EXCHANGE:
        _exchange(state, player)
        draw_on(state)
    elif make(state, player, action):
        return action
    else:
        common.stage = PICKING
    return PASS


@kernel
def _exchange(state, player):
    exchange_turn_up(state, player)
    state.tally.seven[player] += state.rules.seven
    _add(state, player, state.rules.seven)


@kernel
def score(state, action):
    """Score a declaration and return its points."""
    player = np.int64(state.common.turn)
    royal = (action - MARRIAGE) & 3 == state.common.trump
    meld = meld_index(action, royal)
    value = meld_value(state.rules, meld)
    enter(state.tally, PLACE[meld], player, value, state.common.trick)
    _add(state, player, value)
    return value


@kernel
def draw_on(state):
    """Let both draw unless the game has ended."""
    if state.common.stage != OVER:
        draw_turned(state)


@implements(protocol.measure, STATE)
def _measure(state, row):
    measure_turned(state, row)


@kernel
def measure_turned(state, row):
    """Write the quantities."""
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
    count_turned(state, counts)


@kernel
def count_turned(state, counts):
    """Add every card of the deal to `counts`."""
    count_cards(state, counts)
    if state.common.stage != DEALING:
        for place in range(state.next, PACK):
            counts[state.deck[place]] += 1
        if state.common.stock > 0:
            counts[state.common.turn_up] += 1


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    sample_turned(view, rng, state)


@kernel
def sample_turned(view, rng, state):
    """Make `state` a position that agrees with the view, hidden cards at random."""
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
    clear_tally(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


USUAL = usual_options(HABITS)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    usual = USUAL[0]
    if part == 0:
        return basic_declare(view, legal, rng, usual)
    if part == 1:
        return basic_pick(view, legal, rng, usual)
    return basic_play(view, legal, rng, usual)


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return lead(state, player)


@kernel
def lead(state, player):
    """Return by how many points a player leads."""
    return np.float64(state.public[player].points - state.public[1 - player].points)


SOURCES = ("points_seven", "points_brisques", "points_last_trick")


def quantities_of(more_melds: tuple[Quantity, ...] = (), more_play: tuple[Quantity, ...] = ()) -> tuple[Quantity, ...]:
    """Return what is measured, with what only another game of two packs has."""
    return (
        *totals(
            "points for combinations, sevens of trumps, brisques and the last trick",
            (*fields("points", SCORED), *SOURCES),
            "own points less the other's",
            {"bin_width": 20, "bins": 100},
            {"bin_width": 20, "bin_low": -1_200, "bins": 120},
        ),
        *details(SCORED, SOURCES, tricks=32, more_melds=more_melds, more_play=more_play),
    )


def row_of(quantities: tuple[Quantity, ...]) -> np.dtype[Any]:
    """Return the record type of the rows."""
    return row_dtype(
        quantities,
        TABLE_WIDE,
        every_points=fields("points", SCORED),
        every_count=fields("count", SCORED),
        every_first=fields("first", SCORED),
    )


SHARES = tuple((name, "points") for name in (*fields("points", SCORED), *SOURCES))
QUANTITIES = quantities_of()
ROW = row_of(QUANTITIES)


def places(rules):
    """Return the places of the dealing order that make up each hand, the turn-up and the stock."""
    return places_turned(PACK)


BASIC = Strategy(
    "basic",
    "a sensible club player: declares by value and in the order that loses nothing, keeps what combinations need,"
    " takes brisques, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_declare, basic_pick, basic_play)),
    HABITS,
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
        places=places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=SHARES,
        scores=lambda state: state["public"]["points"],
        positions=positions(TwoPacks, BEZIQUE, ("declare", "lay", "play")),
        actions=guide.actions(("declare", "lay", "play"), exchange=True),
        view_doc=guide.fields(),
    ),
)
