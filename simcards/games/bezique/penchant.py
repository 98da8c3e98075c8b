"""Penchant: one pack, six cards each, no turn-up; pairs, trios and fours, runs of a suit, and queens with jacks.

The rules in the order of play: a trick, a declaration of its winner (when he makes none, the other may declare a
penchant), a card drawn by each, and so on for ten tricks; then the last six with the stock gone. The jack of the first
penchant makes trumps. Aces, tens and sevens are brisques.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import PENCHANT, guide
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
    TABLE,
    bit_of,
    clear_cards,
    count_cards,
    draw,
    give,
    lay,
    observe_frame,
    playable,
    public_dtype,
    rank_of,
    reply_wins,
    sample_hidden,
    suit_of,
    take_out,
    take_up_table,
)
from simcards.games.bezique.ledger import enter
from simcards.games.bezique.penchant_melds import (
    BRISQUES,
    MELDS,
    PASS,
    RUN,
    THE_PENCHANT,
    cards_to_lay,
    declarable,
    declaration_text,
    group_actions,
    largest_low_group,
    meld_of,
    meld_value,
    open_picks,
    penchant_queens,
)
from simcards.games.bezique.penchant_players import PENCHANT_HABITS, basic_declare, basic_pick, basic_play
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_counted import Penchant
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.text import state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play, usual_options
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING, implements, policy

HAND = 6
PACK = PENCHANT.pack.size
COPIES = PENCHANT.pack.copies
PUBLIC = public_dtype(HAND)
RULES = rules_dtype(PENCHANT.rules)
CARDS = PENCHANT.pack

# What is counted through a game, a value for each player
TALLY = np.dtype(
    [
        ("points", "i4", (len(MELDS), 2)),
        ("count", "i4", (len(MELDS), 2)),
        ("first", "i4", (len(MELDS), 2)),
        ("late_brisques", "i4", (2,)),
        ("over_six", "i4", (2,)),
        ("by_loser", "i4", (2,)),
        ("blocked", "i4", (2,)),
        ("trump_maker", "i4", (2,)),
        ("trump_trick", "i4"),
    ],
    align=True,
)

STATE = protocol.record(
    "penchant",
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
    "penchant_view",
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
    state.deal_brisques[:] = 0
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
    tally.late_brisques[:] = 0
    tally.over_six[:] = 0
    tally.by_loser[:] = 0
    tally.blocked[:] = 0
    tally.trump_maker[:] = 0
    tally.trump_trick = MISSING


@implements(protocol.deal, STATE)
def _deal(state, deck):
    common = state.common
    clear_cards(state)
    state.deck[:] = deck
    state.deal_brisques[:] = 0
    for place in range(2 * HAND):  # by threes, first to the pone
        give(state, common.pone ^ ((place // 3) & 1), np.int64(deck[place]))
    state.next = 2 * HAND
    common.stock = PACK - 2 * HAND
    common.deals += 1
    common.leader = common.pone
    common.turn = common.pone
    common.stage = PLAYING


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
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == PICKING:
        return open_picks(state, player)
    return declarable(state, player)


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)
    view.deal_brisques[0] = state.deal_brisques[player]
    view.deal_brisques[1] = state.deal_brisques[1 - player]


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        _play(state, action)
    elif common.stage == PICKING:
        _pick(state, player, action)
    elif action != PASS:
        state.choice.declared = action
        state.choice.count = 0
        _choose(state, player)
    else:
        _draw(state, player)
        if player != common.leader:
            _lead(state)
            return
        other = 1 - player
        if penchant_queens(state.private[other].mask, state.private[other].mask | state.public[other].table_mask):
            common.turn = other
        else:
            _draw(state, other)
            _lead(state)


@kernel
def _pick(state, player, card):
    choice = state.choice
    if choice.declared < RUN and state.public[player].table_mask & bit_of(card):
        _score(state, player)  # the rest of the group comes from the table
        return
    choice.type[choice.count] = card
    choice.count += 1
    _choose(state, player)


@kernel
def _choose(state, player):
    """Make the choices that are forced; ask for the next one, or score."""
    choice = state.choice
    picks = open_picks(state, player)
    while picks and picks & (picks - ONE) == np.uint64(0):
        choice.type[choice.count] = lowest(picks)
        choice.count += 1
        picks = open_picks(state, player)
    if picks:
        state.common.stage = PICKING
    else:
        _score(state, player)


@kernel
def _score(state, player):
    common = state.common
    tally = state.tally
    meld = meld_of(state.choice.declared)
    if meld == THE_PENCHANT:
        if common.trump < 0:
            common.trump = suit_of(state.choice.type[1])
            tally.trump_maker[player] += 1
            if tally.trump_trick == MISSING:
                tally.trump_trick = common.trick
        tally.by_loser[player] += player != common.leader
    rest = cards_to_lay(state, player)
    while rest:
        lay(state, player, lowest(rest))
        rest &= rest - ONE
    state.choice.declared = -1
    state.choice.count = 0
    value = meld_value(state.rules, meld)
    enter(tally, meld, player, value, common.trick)
    state.public[player].points += value
    _draw(state, player)
    if player == common.leader:
        _draw(state, 1 - player)
    _lead(state)


@kernel
def _draw(state, player):
    card = np.int64(state.deck[state.next])
    state.next += 1
    draw(state, player, card)


@kernel
def _lead(state):
    """After the drawing the winner of the trick leads."""
    common = state.common
    if common.stock == 0:
        take_up_table(state, 0)
        take_up_table(state, 1)
    common.stage = PLAYING
    common.turn = common.leader


@kernel
def is_brisque(card):
    """Return 1 for an ace, a ten or a seven, else 0."""
    return np.int64((BRISQUES >> np.uint64(rank_of(card))) & ONE)


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
    won = is_brisque(common.led) + is_brisque(card)
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
        if state.rules.blocking:
            blocked = largest_low_group(state, winner)
            hand = state.private[winner].mask
            free = group_actions(hand, public.table_mask, 0)
            state.tally.blocked[winner] += group_actions(hand, public.table_mask, blocked) != free
        return
    points = won * state.rules.brisque
    state.tally.late_brisques[winner] += points
    public.points += points
    if public.cards == 0:
        _finish_deal(state)


@kernel
def _finish_deal(state):
    """Score the brisques above six; then deal again or end."""
    common = state.common
    for player in range(2):
        points = state.rules.brisque * max(0, state.deal_brisques[player] - state.rules.brisque_line)
        state.tally.over_six[player] += points
        state.public[player].points += points
    common.stage = OVER if common.deals == state.rules.deals else DEALING
    common.pone = 1 - common.pone


@kernel
def settle(points0, points1, rules):
    """Settle a game.

    Parameters
    ----------
    points0, points1 : int
        Totals.
    rules : record
        The rules.

    Returns
    -------
    value : int
        What player 0 wins (negative: player 1).
    doubled : bool
        Whether the lower total is below the line, which doubles the difference.
    """
    difference = points0 - points1
    doubled = difference != 0 and min(points0, points1) < rules.double_line
    return (2 * difference if doubled else difference), doubled


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    first = np.int64(state.public[0].points)
    second = np.int64(state.public[1].points)
    value, doubled = settle(first, second, state.rules)
    for player in range(2):
        public = state.public[player]
        row.points[player] = public.points
        row.points_late_brisques[player] = tally.late_brisques[player]
        row.points_over_six[player] = tally.over_six[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.value[player] = value if player == 0 else -value
        row.penchants_by_loser[player] = tally.by_loser[player]
        row.blocked[player] = tally.blocked[player]
        row.trump_maker[player] = tally.trump_maker[player]
        row.declarations[player] = 0
        for meld in range(tally.count.shape[0]):
            row.declarations[player] += tally.count[meld, player]
    row.won[0] = first > second
    row.won[1] = second > first
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_first[:] = tally.first
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.doubled = doubled
    row.trump_trick = tally.trump_trick
    row.trumps = tally.trump_maker[0] + tally.trump_maker[1]
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
    state.deal_brisques[me] = view.deal_brisques[0]
    state.deal_brisques[other] = view.deal_brisques[1]
    sample_hidden(view, COPIES, rng, state.private[other], state.deck)
    state.next = PACK - view.common.stock
    _clear(state.tally)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


USUAL = usual_options(PENCHANT_HABITS)


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
    value, _ = settle(np.int64(state.public[0].points), np.int64(state.public[1].points), state.rules)
    return np.float64(value if player == 0 else -value)


SOURCES = ("points_late_brisques", "points_over_six")
QUANTITIES = (
    *totals(
        "points for combinations and brisques",
        (*fields("points", MELDS), *SOURCES),
        "what is won: the difference, doubled when the lower total is below the line",
        {"bin_width": 20, "bins": 100},
        {"bin_width": 20, "bin_low": -1_200, "bins": 120},
    ),
    Quantity("doubled", "the lower total is below the line, which doubles the difference", "flag", "result"),
    *details(
        MELDS,
        SOURCES,
        tricks=16,
        brisques="aces, tens and sevens won",
        more_melds=(Quantity("penchants_by_loser", "penchants declared by the loser of the trick", "count", "melds"),),
        more_timing=(Quantity("trump_trick", "trick after which trumps are first made", "trick", "timing"),),
        more_play=(
            Quantity("trumps", "deals with trumps", "count", "play"),
            Quantity("trump_maker", "makes trumps", "count", "play"),
            Quantity("blocked", "tricks won with a low group that the other's high group blocks", "count", "play"),
        ),
    ),
)
ROW = row_dtype(
    QUANTITIES,
    (*TABLE_WIDE, "doubled", "trumps"),
    every_points=fields("points", MELDS),
    every_count=fields("count", MELDS),
    every_first=fields("first", MELDS),
)


def _places(rules):
    """Return the places of the dealing order that make up each hand and the stock."""
    return {
        "pone": [place for place in range(2 * HAND) if place // 3 % 2 == 0],
        "dealer": [place for place in range(2 * HAND) if place // 3 % 2 == 1],
        "stock": list(range(2 * HAND, PACK)),
    }


def _action_text(state, action):
    """Return an action in words."""
    stage = int(state["common"]["stage"])
    if stage == PICKING:
        player = int(state["common"]["turn"])
        from_table = int(state["public"][player]["table_mask"]) >> action & 1
        if int(state["choice"]["declared"]) < RUN and from_table:
            return "takes the rest from the table"
        return f"takes {CARDS.text(action)}" + (" from the table" if from_table else "")
    if stage == PLAYING:
        return f"plays {CARDS.text(action % TABLE)}" + (" from the table" if action >= TABLE else "")
    return f"declares {declaration_text(action)}"


def _state_text(state):
    return state_text(state, marks=False, cards=CARDS)


BASIC = Strategy(
    "basic",
    "a sensible club player: declares what leaves most to be scored with the same cards, keeps what combinations need,"
    " and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_declare, basic_pick, basic_play)),
    PENCHANT_HABITS,
)
PHASES = ("declare", "lay", "play")
CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 T J Q K A, both from 0"

GAMES = (
    Game(
        ruleset=PENCHANT,
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
        shares=tuple((name, "points") for name in (*fields("points", MELDS), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(Penchant, PENCHANT, PHASES),
        actions={
            "declare": (
                "0: nothing; 1 + 3 * rank + size - 2: two, three or four of a rank; 25 + 8 * suit + k: in a suit K Q,"
                " Q J, K Q J, A K Q J, K Q J T, A K Q J T, K Q J T 9, flush for k from 0 to 7; 57: penchant"
            ),
            "lay": (
                f"0 to 31: the next card of the declaration, {CARD}; of a group those that come from the hand, or one"
                " on the table when the rest is taken from there; of a flush the two beside K Q J, the higher first;"
                " of a penchant the queen, then the jack"
            ),
            "play": f"0 to 31: plays this card from the hand, {CARD}; 32 to 63: the same card, from the table",
        },
        view_doc=guide.fields(
            (),
            {
                "common.stage": "2: declare, 3: lay, 4: play",
                "common.seen": "for each card whether it was played to a trick in this deal",
                "common.trump": "suit of trumps, that of the jack of the first penchant; -1 while there is none",
                "public.brisques": "aces, tens and sevens won so far",
                "choice": "the cards taken so far for a declaration, in the phase lay",
                "choice.place": "not used in this game",
                "deal_brisques": "aces, tens and sevens won in this deal: [0] by the player, [1] by the opponent",
            },
        ),
    ),
)
