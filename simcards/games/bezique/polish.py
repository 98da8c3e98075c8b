"""Polish bezique: bezique with two packs in which courts and the ten of trumps won in tricks serve for combinations.

The winner of a trick lays its kings, queens, jacks and its ten of trumps face up before him, apart from the cards he
declared. They are on his table for the ledger, marked as captured, and off it for play. When the stock is gone they
are of no more use, so they are put with the cards that are out of play, and the last eight tricks capture nothing.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import POLISH, guide
from simcards.games.bezique.frame import (
    CAPTURED,
    DEALING,
    DECLARING,
    JACK,
    KING,
    OVER,
    PLAYING,
    TABLE,
    TEN,
    capture,
    leave_hand,
    leave_table,
    most_used,
    public_dtype,
    rank_of,
    suit_of,
)
from simcards.games.bezique.ledger import BEZIQUE, FOUR, LEVEL, LEVELS, PASS, SEQUENCE
from simcards.games.bezique.polish_players import (
    HABITS,
    PARAMETERS,
    habit_play,
    polish_declare,
    polish_pick,
    polish_play,
)
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_games import Polish
from simcards.games.bezique.text import action_text, state_text
from simcards.games.bezique.two_packs import (
    COUNTED,
    HAND,
    SHARES,
    begin_game,
    count_turned,
    deal_cards,
    declare,
    draw_on,
    follow,
    lead,
    measure_turned,
    observe_turned,
    options_in,
    places,
    prepare_play,
    quantities_of,
    row_of,
    sample_turned,
    score,
    score_trick,
    state_fields,
    view_fields,
)
from simcards.games.game import Game, Quantity, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy

MOST_CAPTURED = 26  # two of each king, queen and jack, and two tens of trumps
KINDS = ("jacks", "queens", "kings", "trump_tens")  # of captured cards, by rank from the jack up
PUBLIC = public_dtype(HAND, MOST_CAPTURED)
RULES = rules_dtype(POLISH.rules)

STATE = protocol.record(
    "polish_bezique",
    [
        *state_fields(
            RULES,
            PUBLIC,
            [
                *COUNTED,
                ("captured", "i4", (len(KINDS), 2)),
                ("helped", "i4", (2,)),
                ("whole", "i4", (2,)),
                ("points_helped", "i4", (2,)),
            ],
        ),
        ("led_used", "i8"),  # what the card led had been scored in
    ],
)
VIEW = protocol.record("polish_bezique_view", [*view_fields(RULES, PUBLIC), ("led_used", "i8")])


@implements(protocol.begin, STATE)
def _begin(state):
    begin_game(state)
    _clear(state)


@kernel
def _clear(state):
    state.led_used = 0
    state.tally.captured[:] = 0
    state.tally.helped[:] = 0
    state.tally.whole[:] = 0
    state.tally.points_helped[:] = 0


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_cards(state, deck)


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


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_turned(state, player, view)
    view.led_used = state.led_used


@implements(protocol.apply, STATE)
def _apply(state, action):
    if state.common.stage == PLAYING:
        _play(state, action)
        return
    player = np.int64(state.common.turn)
    before = state.public[player].combinations
    made = declare(state, action)
    if made > PASS:
        captured, cards = _captured_in(state.public[player], made, before)
        value = score(state, made)
        if captured > 0:
            state.tally.helped[player] += 1
            state.tally.whole[player] += captured == cards
            state.tally.points_helped[player] += value
        draw_on(state)


@kernel
def _play(state, action):
    common = state.common
    player = np.int64(common.turn)
    card = action & (TABLE - 1)
    used = 0
    prepare_play(state, action)
    if action >= TABLE:
        public = state.public[player]
        place, _ = most_used(public, card)
        used = np.int64(public.table[place].used)
        leave_table(state, player, card)
    else:
        leave_hand(state, player, card)
    common.seen[card] += 1
    if state.rules.recaptured == 1:
        used = 0
    led = np.int64(common.led)
    if led < 0:
        state.led_used = used
    leader = np.int64(common.leader)
    winner, brisques = follow(state, card)
    if winner < 0:
        return
    drawing = common.stock > 0
    score_trick(state, winner, brisques)
    if drawing and common.stage != OVER:
        # only what the winner himself has scored stays used: to him the other's card is a new one
        _take(state, winner, led, state.led_used if winner == leader else 0)
        _take(state, winner, card, used if winner != leader else 0)
    state.led_used = 0


@kernel
def _take(state, winner, card, used):
    """Lay a card of the trick before its winner if it is one to be kept."""
    rank = rank_of(card)
    if JACK <= rank <= KING:
        kind = rank - JACK
    elif rank == TEN and suit_of(card) == state.common.trump:
        kind = 3
    else:
        return
    capture(state, winner, card, used)
    state.tally.captured[kind, winner] += 1


@kernel
def _captured_in(public, action, before):
    """Return how many cards of the combination just made were captured, and how many cards it has.

    Parameters
    ----------
    public : record
        The player's.
    action : int
        The declaration.
    before : int
        Number of combinations before it: one that lays and marks no card (`reform`) leaves it as it was.
    """
    captured = 0
    cards = 0
    name = public.combinations
    if name == before and action >= FOUR:
        return captured, cards
    for i in range(np.int64(public.laid)):
        slot = public.table[i]
        if action >= FOUR:
            member = slot.four == name
        elif action > BEZIQUE:  # a double takes all four of its cards
            member = slot.used & LEVELS == LEVEL * 2
        elif action == BEZIQUE:
            member = slot.bezique == name
        elif action >= SEQUENCE:
            member = slot.sequence == name
        else:
            member = slot.marriage == name
        cards += member
        captured += member and slot.used >= CAPTURED
    return captured, cards


@implements(protocol.measure, STATE)
def _measure(state, row):
    measure_turned(state, row)
    tally = state.tally
    for player in range(2):
        row.captured[player] = 0
        for kind in range(len(KINDS)):
            row.captured[player] += tally.captured[kind, player]
        row.captured_kings[player] = tally.captured[2, player]
        row.captured_queens[player] = tally.captured[1, player]
        row.captured_jacks[player] = tally.captured[0, player]
        row.captured_trump_tens[player] = tally.captured[3, player]
        row.with_captured[player] = tally.helped[player]
        row.only_captured[player] = tally.whole[player]
        row.points_with_captured[player] = tally.points_helped[player]


@implements(protocol.census, STATE)
def _census(state, counts):
    count_turned(state, counts)


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    sample_turned(view, rng, state)
    _clear(state)
    state.led_used = view.led_used


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    # the options are those of the search
    if part == 0:
        return polish_declare(view, legal, rng, options)
    if part == 1:
        return polish_pick(view, legal, rng, options)
    return habit_play(view, legal, HABITS)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return lead(state, player)


_CAPTURES = tuple(f"captured_{kind}" for kind in ("kings", "queens", "jacks", "trump_tens"))
QUANTITIES = quantities_of(
    more_play=(
        Quantity("with_captured", "combinations scored with a captured card", "count", "play"),
        Quantity("only_captured", "combinations scored with captured cards alone", "count", "play"),
        Quantity("points_with_captured", "points for combinations with a captured card", "points", "play"),
        *(Quantity(name, f"{name.split('_', 1)[1].replace('_', ' ')} captured", "count", "play") for name in _CAPTURES),
        Quantity(
            "captured",
            "kings, queens, jacks and tens of trumps captured while the stock lasted",
            "count",
            "play",
            parts=_CAPTURES,
            bins=MOST_CAPTURED + 1,
        ),
    ),
)
ROW = row_of(QUANTITIES)

BASIC = Strategy(
    "basic",
    "a sensible club player: declares by value and in the order that loses nothing, wins the tricks whose courts"
    " complete combinations, keeps the other from his, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (polish_declare, polish_pick, polish_play)),
    PARAMETERS,
)

PHASES = ("declare", "lay", "play")
GAMES = (
    Game(
        ruleset=POLISH,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=QUANTITIES,
        strategies={"random": random_play(VIEW, 3), "basic": BASIC, "mc": monte_carlo(VIEW, 3)},
        places=places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=SHARES,
        scores=lambda state: state["public"]["points"],
        positions=positions(Polish, POLISH, PHASES),
        actions=guide.actions(PHASES, exchange=True),
        view_doc=guide.fields(
            own={
                "common.seen": "for each card how many are out of play: played in this deal and captured by nobody",
                "public.table": "the cards on the table, declared and captured; the first `laid` count",
                "public.table.used": (
                    "what it was scored in, a sum of 1 marriage, 2 four, 4 * level of bezique, 32 sequence;"
                    " and 128 when it was captured, so that it cannot be played"
                ),
                "public.table_mask": "bit c: card c lies on the table and can be played",
                "public.laid": "cards on the table, captured ones among them",
                "led_used": "what the card led had been scored in (as public.table.used) when it came from the table",
            }
        ),
    ),
)
