"""Binocle: two packs of 24 or 32 cards, twelve each, a turn-up for trumps; melds, and cards won, to 1,000.

The rules in the order of play: a trick played freely, a dix and a meld of its winner, a card drawn by each, and so on
until the stock is gone; then the last twelve tricks. Cards won are kept in mind and scored at the end of the deal, but
a player may claim at any moment that he has 1,000 with them. Whose written score has 1,000 has won without a claim.

Both packs are one compiled game, whose cards are those of the family: with 24 the sevens and eights count as played
from the start, so whatever reckons unseen cards is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.bezique import BINOCLE, BINOCLE_64, guide
from simcards.games.bezique.binocle_melds import (
    EIGHT,
    GRAND,
    MELDS,
    fresh_choices,
    make,
    meld_of,
    meld_value,
    meldable,
)
from simcards.games.bezique.binocle_players import (
    PARAMETERS,
    USUAL,
    basic_claim,
    basic_declare,
    basic_lay,
    basic_play,
)
from simcards.games.bezique.counted import (
    ASKING,
    TO_DECLARE,
    TO_DRAW,
    TO_LEAD,
    ask,
    begin_counted,
    clear_counted,
    count_cards_won,
    go_on,
    has_goal,
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
    DECLARING,
    ONE,
    OVER,
    PICKING,
    PLAYING,
    PRIVATE,
    SEVEN,
    TYPES,
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
from simcards.games.bezique.ledger import BEZIQUE, EXCHANGE, FOUR, PASS, SEQUENCE, enter
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_counted import Binocle
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import CARDS, FOURS, SUIT_NAMES, action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy

HAND = BINOCLE.hand
LARGEST_PACK = BINOCLE_64.pack.size
COPIES = BINOCLE.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(BINOCLE.rules)
DEALT = tuple((place // 4) & 1 for place in range(2 * HAND))  # by fours, 0 the pone
TO_PONE = np.array([1 - seat for seat in DEALT])

TALLY = np.dtype([*tally_fields(len(MELDS)), ("reached", "i4", (2,)), ("looked", "i4", (2,))], align=True)

# `goal`, `then` and `pile` as in `counted`; `looked`: who has forfeited his cards by looking at old tricks of this deal
STATE = protocol.record(
    "binocle",
    [
        ("rules", RULES),
        ("deck", "u1", (LARGEST_PACK,)),
        ("next", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (2,)),
        ("private", PRIVATE, (2,)),
        ("choice", CHOICE),
        ("goal", "i8"),
        ("then", "i8"),
        ("pile", "i8", (2,)),
        ("looked", "i8", (2,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "binocle_view",
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
        ("looked", "i8", (2,)),
    ],
)


@kernel
def low_rank(rules):
    """Return the rank of the lowest cards in the pack: that of trumps is the dix."""
    return SEVEN + np.int64(rules.lowest) - 7


@kernel
def pack_size(rules):
    """Return the number of cards."""
    return COPIES * 4 * (8 - low_rank(rules))


@implements(protocol.begin, STATE)
def _begin(state):
    begin_counted(state)
    state.looked[:] = 0
    clear_counted(state.tally)
    state.tally.reached[:] = 0
    state.tally.looked[:] = 0


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_turned(state, deck, TO_PONE)
    low = low_rank(state.rules)
    for card in range(TYPES):
        if rank_of(card) < low:
            state.common.seen[card] = COPIES
    state.pile[:] = 0
    state.looked[:] = 0
    if rank_of(state.common.turn_up) == low:
        dealer = 1 - state.common.pone
        _score_dix(state, dealer)
        _reach_or_ask(state, dealer, TO_LEAD)


@kernel
def _score_dix(state, player):
    state.public[player].points += state.rules.dix
    state.tally.seven[player] += state.rules.dix


@kernel
def _reach_or_ask(state, player, then):
    """End the game if a player's written score has the goal, perhaps a raised one; else ask him and go on."""
    if state.rules.target > 0 and state.public[player].points >= state.goal:
        state.common.winner = player
        state.tally.reached[player] = 1
        state.tally.both_had = has_goal(state, 1 - player)
        count_cards_won(state)
        state.common.stage = OVER
    else:
        # who has forfeited his cards has nothing to claim
        ask(state, player, then, state.rules.claims != 0 and state.looked[player] == 0)


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - ASKING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == ASKING:
        return np.uint64(7 if state.rules.looking else 3)
    if common.stage == PICKING:
        return fresh_choices(state.rules, state.private[player], state.public[player], state.choice.declared)
    actions = meldable(state.rules, state.private[player], state.public[player], np.int64(common.trump))
    dix = 8 * common.trump + low_rank(state.rules)
    if state.private[player].hand[dix] > common.scored_sevens[player]:
        actions |= ONE << np.uint64(EXCHANGE)
    return actions


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)
    view.goal = state.goal
    view.then = state.then
    view.pile[0] = state.pile[player]
    view.pile[1] = state.pile[1 - player]
    view.looked[0] = state.looked[player]
    view.looked[1] = state.looked[1 - player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, player, action)
    elif common.stage == ASKING:
        _answer(state, player, action)
    elif common.stage == PICKING:
        _meld(state, player, state.choice.declared, action)
    elif action == PASS:
        draw_turned(state)
    elif action == EXCHANGE:
        exchange_turn_up(state, player, low_rank(state.rules))
        _score_dix(state, player)
        _reach_or_ask(state, player, TO_DECLARE if state.rules.dix_with_meld else TO_DRAW)
    else:
        choices = fresh_choices(state.rules, state.private[player], state.public[player], action)
        if choices & (choices - ONE):
            state.choice.declared = action
            common.stage = PICKING
        else:
            _meld(state, player, action, lowest(choices) if choices else -1)


@kernel
def _answer(state, player, action):
    if action == 1:
        knock(state)
        return
    if action == 2:
        state.looked[player] = 1
        state.tally.looked[player] += 1
        state.pile[player] = 0
    go_on(state, state.then)


@kernel
def _meld(state, player, action, fresh):
    make(state, player, action, fresh)
    meld = meld_of(action, np.int64(state.common.trump))
    value = meld_value(state.rules, meld)
    enter(state.tally, meld, player, value, state.common.trick)
    state.public[player].points += value
    _reach_or_ask(state, player, TO_DRAW)


@kernel
def _play(state, player, action):
    common = state.common
    if action == 8 * common.trump + low_rank(state.rules) and common.scored_sevens[player] > 0:
        common.scored_sevens[player] -= 1
    winner, then = take_trick(state, action)
    if winner < 0:
        return
    if state.looked[winner]:
        state.pile[winner] = 0
    _reach_or_ask(state, winner, then)


@implements(protocol.measure, STATE)
def _measure(state, row):
    measure_counted(state, row)
    tally = state.tally
    row.points_dix[:] = tally.seven
    row.claimed_right[:] = tally.knocked_right
    row.claimed_wrong[:] = tally.knocked_wrong
    row.claim_trick[:] = tally.knock_trick
    row.reached[:] = tally.reached
    row.looked[:] = tally.looked


@implements(protocol.census, STATE)
def _census(state, counts):
    count_cards(state, counts)
    if state.common.stage != DEALING:
        low = low_rank(state.rules)
        for card in range(TYPES):
            if rank_of(card) < low:  # not in the pack
                counts[card] -= COPIES
        for place in range(state.next, pack_size(state.rules)):
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
    state.looked[me] = view.looked[0]
    state.looked[other] = view.looked[1]
    size = pack_size(view.rules)
    sample_hidden(view, COPIES, rng, state.private[other], state.deck[:size])
    state.next = size - max(0, view.common.stock - 1)
    clear_counted(state.tally)
    state.tally.reached[:] = 0
    state.tally.looked[:] = 0


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    usual = USUAL[0]  # the options are those of the search
    if part == 0:
        return basic_claim(view, legal, rng, usual)
    if part == 1:
        return basic_declare(view, legal, rng, usual)
    if part == 2:
        return basic_lay(view, legal, rng, usual)
    return basic_play(view, legal, rng, usual)


# A lead of so many points is worth three quarters of the way from even to a won game
AHEAD = 150.0


@implements(protocol.worth, STATE)
def _worth(state, player):
    return worth_counted(state, player, AHEAD)


SOURCES = ("points_dix", "points_cards", "points_last_trick")


def _quantities(tricks: int) -> tuple[Quantity, ...]:
    return (
        *totals(
            "points for melds, the lowest trumps (dix), cards won and the last trick",
            (*fields("points", MELDS), *SOURCES),
            "of a deal, own points less the other's; of a game, 1 for the winner and -1 for the loser",
            {"bin_width": 20, "bins": 75},
            {"bin_width": 20, "bin_low": -800, "bins": 80},
        ),
        Quantity("both_had", "when the game was stopped both had the points", "flag", "result"),
        Quantity("goal", "the points to be reached in the end", "points", "result"),
        Quantity("goal_raised", "times both had the points at the end of a deal", "count", "result", bins=10),
        *details(
            MELDS,
            SOURCES,
            tricks=tricks,
            more_timing=(Quantity("claim_trick", "trick after which the player claims the game", "trick", "timing"),),
            more_play=(
                Quantity("claimed_right", "claims with the points", "flag", "play"),
                Quantity("claimed_wrong", "claims without the points and loses", "flag", "play"),
                Quantity("reached", "wins without a claim, the written score having the points", "flag", "play"),
                Quantity(
                    "looked", "times his cards were forfeited for looking at old tricks", "count", "play", bins=10
                ),
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
    _quantities(0),
    (*TABLE_WIDE, "both_had", "goal", "goal_raised", "card_margin"),
    every_points=fields("points", MELDS),
    every_count=fields("count", MELDS),
    every_first=fields("first", MELDS),
)


def _places(rules: Mapping[str, int]) -> dict[str, list[int]]:
    return places_turned(8 * (15 - rules["lowest"]), DEALT)


def _action_text(state: Any, action: int) -> str:
    common = state["common"]
    stage = int(common["stage"])
    if stage == ASKING:
        return ("does not claim the game", "claims the game", "looks at the old tricks")[action]
    if stage == PICKING:
        return f"lays {CARDS.text(action)} from the hand"
    if stage == DECLARING:
        if action == EXCHANGE:
            turn_up = int(common["turn_up"])
            if turn_up & 7 == int(state["rules"]["lowest"]) - 7:
                return "announces dix"
            return f"announces dix and takes {CARDS.text(turn_up)}"
        if action == GRAND:
            return "declares grand binocle"
        if action >= EIGHT:
            return f"declares {FOURS[action - EIGHT].replace('four', 'eight')}"
        if BEZIQUE <= action < FOUR:
            return "declares double binocle" if action > BEZIQUE else "declares binocle"
        if SEQUENCE <= action < BEZIQUE:
            return f"declares the sequence in {SUIT_NAMES[action - SEQUENCE]}"
    return action_text(state, action)


def _state_text(state: Any) -> str:
    pone, dealer = (int(points) for points in state["pile"])
    looked = " and ".join(seat for seat, gone in zip(("pone", "dealer"), state["looked"]) if gone)
    line = f"\n  in cards: pone {pone}, dealer {dealer}" + (f"; forfeited by {looked}" if looked else "")
    return state_text(state, high="e") + line + (f"; goal {int(state['goal'])}" if int(state["goal"]) else "")


BASIC = Strategy(
    "basic",
    "a sensible club player: chooses melds and cards by what they bring and what they leave of his hopes, claims the"
    " game as soon as he reckons the points, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_claim, basic_declare, basic_lay, basic_play)),
    PARAMETERS,
)
PHASES = ("claim", "declare", "lay", "play")
STRATEGIES = {"random": random_play(VIEW, 4), "basic": BASIC, "mc": monte_carlo(VIEW, 4)}
ACTIONS = MappingProxyType(
    {
        "claim": "0: goes on; 1: claims to have the points; 2: looks at the old tricks, where that is played",
        "declare": (
            "0: nothing; 1 to 4: marriage in S H D C; 5 to 8: sequence in S H D C; 9: binocle; 10: double binocle; "
            "13 to 16: four aces, kings, queens, jacks; 17: a dix; 18 to 21: eight aces, kings, queens, jacks; "
            "22: grand binocle"
        ),
        "lay": f"0 to 31: the card that comes from the hand for the meld that was declared, {guide.CARD}",
        "play": guide.ACTIONS["play"],
    }
)
VIEW_DOC = guide.fields(
    ("deal_brisques",),
    {
        "common.stage": "1: claim, 2: declare, 3: lay, 4: play",
        "common.seen": (
            "for each card how many were played to tricks in this deal; of cards that are not in the pack, all"
        ),
        "common.scored_sevens": "for each player number the lowest trumps (dix) in the hand that have scored already",
        "public.table.used": (
            "what it was scored in, a sum of 1 marriage, 2 four, 4 binocle, 8 double, 12 grand, 32 sequence, 64 eight"
        ),
        "public.table.four": "number of the four or eight it lies in; 0: none, or broken",
        "goal": "the points to be reached, as they are now",
        "then": "after no claim was made: 0 declare, 1 draw, 2 lead, 3 end of the deal",
        "pile": "points in the cards won in this deal, not yet scored: [0] by the player, [1] by the opponent",
        "looked": "1: has forfeited the points of his cards in this deal: [0] the player, [1] the opponent",
        "choice": "the meld of which one card must be chosen from the hand, in the phase lay",
    },
)


def _game(ruleset: RuleSet, tricks: int) -> Game:
    return Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=_quantities(tricks),
        strategies=STRATEGIES,
        places=_places,
        action_text=_action_text,
        state_text=_state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in (*fields("points", MELDS), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(Binocle, ruleset, PHASES),
        actions=ACTIONS,
        view_doc=VIEW_DOC,
    )


GAMES = (_game(BINOCLE, 24), _game(BINOCLE_64, 32))
